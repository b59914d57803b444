package language

import (
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/ontology"
)

var (
	bracketed = regexp.MustCompile(`^\[\s*([\pL_ -]+?)\s*\]((?:\s*<[^<>]+>\s*(?:\(\s*[\d.]+\s*\))?)*)\s*$`)
	argument  = regexp.MustCompile(`<\s*([^<>]+?)\s*>\s*(?:\(\s*(?:\d+\.)?(\d+)\s*\))?`)

	// the ways to write a name with its arguments: f(a, b), (f a b), [f] a, f: a, f|a and, where the name is
	// none that a sentence has, f a
	function = regexp.MustCompile(`^([\pL][\pL\pN_.:/-]*) ?\(([^()]*)\)[;.]?$`)
	list     = regexp.MustCompile(`^\(\s*([\pL][\pL\pN_-]*)((?:\s+[^\s(),]+)*)\s*\)$`)
	tagged   = regexp.MustCompile(`^\[\s*([\pL][\pL\pN_ -]*?)\s*\]\s*([^\[\]<>]*)$`)
	divided  = regexp.MustCompile(`^([\pL][\pL\pN_ -]*?)\s*[:|]\s*([^:|]+(?:\|[^:|]+)*)$`)
	leading  = regexp.MustCompile(`^([\pL][\pL\pN]*(?:[_-][\pL\pN]+)+|\pL\p{Ll}+\p{Lu}[\pL\pN]*|[\pL][\pL\pN_]*(?:/[\pL\pN_]+)+) +(.+)$`)

	// "pick object=mug-1", "skill=pick object=mug-1", "pick: {object: mug-1}", "<Pick object="mug-1"/>", f[a], a name
	// alone that a sentence has none of
	assigned   = regexp.MustCompile(`^([\pL][\pL\pN_.:/-]*)((?:\s+[\pL_][\pL\pN_]*=[^\s=]+)+)$`)
	pairs      = regexp.MustCompile(`^[\pL_][\pL\pN_]*=[^\s=;,]+(?:[\s;,]+[\pL_][\pL\pN_]*=[^\s=;,]+)*$`)
	mapped     = regexp.MustCompile(`^([\pL][\pL\pN_.:/-]*)\s*[:=]?\s*\{([^{}]*)\}$`)
	element    = regexp.MustCompile(`^<\s*([\pL][\pL\pN_.:-]*)((?:\s+[\pL_][\pL\pN_.-]*\s*=\s*"[^"]*")*)\s*/?>$`)
	attribute  = regexp.MustCompile(`([\pL_][\pL\pN_.-]*)\s*=\s*"([^"]*)"`)
	indexed    = regexp.MustCompile(`^([\pL][\pL\pN_.:/-]*)\[([^\[\]<>]*)\]$`)
	identifier = regexp.MustCompile(`^(?:[\pL][\pL\pN]*(?:_[\pL\pN]+)+(?:-\pN+)?|\pL\p{Ll}+(?:\p{Lu}\p{Ll}+)+)$`)
	keyword    = regexp.MustCompile(`^\s*["']?([\pL_][\pL\pN_]*)["']?\s*[=:]\s*(.+?)\s*$`)

	// "put mug-1 table-1": a word before names that are no words of a sentence
	numbered = regexp.MustCompile(`^([\pL]+)((?:\s+[\pL][\pL\pN]*[_-]?[\pL_-]*\pN[\pL\pN_-]*)+)$`)
)

// program writes an action of a program, "[PUTIN] <mug> (1) <sink> (1)", as plans write it,
// "(putin, mug-1, sink-1)"; other text is as it was.
func program(text string) string {
	m := bracketed.FindStringSubmatch(text)
	if m == nil {
		return text
	}
	parts := []string{strings.ToLower(m[1])}
	for _, a := range argument.FindAllStringSubmatch(m[2], -1) {
		name := strings.ReplaceAll(a[1], ",", " ")
		if a[2] != "" {
			name += "-" + a[2]
		}
		parts = append(parts, name)
	}
	return "(" + strings.Join(parts, ", ") + ")"
}

// call splits an action that is written as a call into its name and arguments; ok is false
// for other text.
func (a *Actions) call(text string) (name string, args []string, ok bool) {
	var given []string
	if m := function.FindStringSubmatch(text); m != nil {
		name, given = m[1], splitList(m[2])
	} else if m := list.FindStringSubmatch(text); m != nil {
		name, given = m[1], strings.Fields(m[2])
	} else if m := tagged.FindStringSubmatch(text); m != nil {
		name, given = m[1], strings.Split(m[2], ",")
	} else if m := indexed.FindStringSubmatch(text); m != nil {
		name, given = m[1], splitList(m[2])
	} else if m := element.FindStringSubmatch(text); m != nil {
		name = m[1]
		for _, m := range attribute.FindAllStringSubmatch(m[2], -1) {
			given = append(given, m[1]+"="+m[2])
		}
	} else if m := mapped.FindStringSubmatch(text); m != nil {
		name, given = m[1], strings.Split(m[2], ",")
	} else if pairs.MatchString(text) {
		given = strings.FieldsFunc(text, func(r rune) bool { return unicode.IsSpace(r) || r == ';' || r == ',' })
	} else if m := divided.FindStringSubmatch(text); m != nil && !(strings.Contains(m[2], " ") && a.acts(m[1])) {
		name, given = m[1], strings.FieldsFunc(m[2], func(r rune) bool { return r == '|' || r == ',' })
	} else if m := assigned.FindStringSubmatch(text); m != nil {
		name, given = m[1], strings.Fields(m[2])
	} else if m := numbered.FindStringSubmatch(text); m != nil {
		name, given = m[1], strings.Fields(m[2])
	} else if m := leading.FindStringSubmatch(text); m != nil {
		name, given = m[1], splitList(m[2])
		if inner := function.FindStringSubmatch(m[2]); inner != nil { // "/move_base MoveBaseGoal(target_pose=table-1)"
			given = splitList(inner[2])
		}
	} else if strings.HasPrefix(text, "(") && strings.HasSuffix(text, ")") {
		in := splitList(text[1 : len(text)-1])
		name, given = strings.Trim(strings.TrimSpace(in[0]), "\"'"), in[1:]
	} else if identifier.MatchString(text) {
		name = text
	} else {
		return "", nil, false
	}
	var keys, values []string
	for _, arg := range given {
		key := ""
		if m := keyword.FindStringSubmatch(strings.Trim(arg, "{} ")); m != nil {
			key, arg = m[1], m[2]
		}
		if arg = ofList.ReplaceAllString(strings.TrimSpace(arg), "$1"); noValue.MatchString(arg) {
			continue
		}
		if arg = strings.Trim(arg, "\"'`<>[]{}? "); arg != "" && !a.tellsOutcome(arg) && (key != "" && role(key) != otherRole || !a.onto.IsWord(arg, ontology.Outcome)) {
			keys, values = append(keys, key), append(values, arg)
		}
	}
	callee := name[strings.LastIndexAny(name, ".:/")+1:]
	if name == "" || a.onto.IsWord(callee, ontology.Calling) || slices.ContainsFunc(keys, func(key string) bool { return strings.EqualFold(key, "action") }) { // "<Action ID="Pick" object="mug"/>", "execute(pick, mug)"
		at := slices.IndexFunc(keys, func(key string) bool {
			return role(key) == nameRole || a.onto.IsWord(key, ontology.Calling) && (name == "" || strings.EqualFold(key, "action"))
		})
		switch {
		case at >= 0:
			name = values[at]
			keys, values = slices.Delete(keys, at, at+1), slices.Delete(values, at, at+1)
		case name == "" && len(keys) == 1: // "pick_object=mug-1"
			name, keys[0] = keys[0], ""
		case len(keys) > 1 && keys[0] == "":
			if _, known := a.onto.Action(values[0]); known {
				name, keys, values = values[0], keys[1:], values[1:]
			}
		}
	}
	name = strings.TrimRight(name, ":")
	return name, Arguments(keys, values), name != ""
}

// tellsOutcome reports whether all words of an argument of several tell what came of the action: "Goal
// succeeded!".
func (a *Actions) tellsOutcome(arg string) bool {
	in := strings.Fields(strings.ToLower(strings.TrimRight(arg, ".!")))
	return len(in) > 1 && a.onto.IsWord(in[len(in)-1], ontology.Outcome) && !slices.ContainsFunc(in, func(w string) bool {
		return !a.onto.IsWord(w, ontology.Outcome) && !a.onto.IsWord(w, ontology.Calling)
	})
}

// splitList splits a list at commas that are not in quotes or brackets.
func splitList(text string) []string {
	var out []string
	var quote rune
	depth, from := 0, 0
	last := ' '
	for i, c := range text {
		switch {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case (c == '"' || c == '\'') && !unicode.IsLetter(last): // no apostrophe
			quote = c
		case c == '[' || c == '{':
			depth++
		case c == ']' || c == '}':
			depth--
		case c == ',' && depth == 0:
			out = append(out, text[from:i])
			from = i + 1
		}
		last = c
	}
	if quote != 0 { // one that nothing ends
		return strings.Split(text, ",")
	}
	return append(out, text[from:])
}

var (
	ofList  = regexp.MustCompile(`^([\pL_][\pL\pN_]*)\[[^\[\]]*\]$`) // "robots[0]"
	noValue = regexp.MustCompile(`(?i)^["']?(?:none|null|nil|true|false)["']?$`)
)

// readCall reads an action that is written as a call: by its name, or as the sentence that
// name and arguments make. Who acts, and with which gripper, may be among the arguments.
func (a *Actions) readCall(text string) (episode.Action, bool) {
	name, args, ok := a.call(strings.TrimRight(strings.TrimPrefix(text, "/"), ".;: "))
	if !ok {
		return episode.Action{}, false
	}
	if _, known := a.onto.Action(name); known && strings.HasPrefix(text, "(") && strings.Contains(text, ",") {
		if action, ok := a.named(name, slices.DeleteFunc(slices.Clone(args), a.isGripper)); ok {
			return action, true
		}
		return a.named(name, slices.DeleteFunc(args, a.acts)) // as plans write it: no argument is too many or missing
	}
	if slices.ContainsFunc(args, func(arg string) bool { return strings.Contains(arg, ";") }) {
		return episode.Action{}, false // more than one statement
	}
	if len(args) > 0 && !slices.ContainsFunc(args, func(arg string) bool { return !isNumber(arg) }) && !a.takesNumbers(a.spellings(name)) {
		args = nil
	}
	things := slices.DeleteFunc(slices.Clone(args), a.acts)
	names := a.spellings(name)
	if len(things) > 2 && a.onto.IsWord(strings.ReplaceAll(things[1], "_", " "), ontology.Toward) { // "Place[mug-1, on, table-1]"
		for _, name := range names {
			if action, ok := a.sentence(name, strings.Join(things[:3], " ")); ok {
				return action, true
			}
		}
		things = slices.Delete(things, 1, 2)
		args = things
	}
	if rest := slices.DeleteFunc(slices.Clone(things), isNumber); len(rest) > 0 && len(rest) < len(things) && !a.takesNumbers(names) {
		args, things = rest, rest
	}
	if len(args) == 1 && a.isGripper(args[0]) { // "open(gripper)"
		if ph, action, ok := a.findWhole(names[len(names)-1] + " " + args[0]); ok && action.Target == "" {
			return action, a.canBe(ph, action)
		}
		if class := a.onto.Core.RobotGripper; class != ontology.None {
			if ph, action, ok := a.findWhole(name + " " + strings.ToLower(a.onto.Label(class))); ok && action.Target == "" {
				return action, a.canBe(ph, action)
			}
		}
	}
	if len(things) == 1 && len(names) > 0 {
		if class := ReadNoun(a.onto, things[0]).Class; class != ontology.None && !a.onto.HasProperty(class, a.onto.Roles.Movable) {
			if action, ok := a.putThere(names, things); ok {
				return action, true
			}
		}
	}
	if going, ok := a.fromTo(names, things, len(args) > len(things)); ok {
		return going, true
	}
	for _, read := range []func(string, []string) (episode.Action, bool){a.named, a.said} {
		for _, args := range [][]string{args, things} {
			if len(args) > len(things) && len(things) > 0 && !a.mayAct(names, len(args)) {
				continue // who acts is no object of the action
			}
			for _, name := range names {
				if action, ok := read(name, args); ok {
					return action, true
				}
			}
		}
	}
	if action, ok := a.withObject(names, things); ok {
		return action, true
	}
	if action, ok := a.shortened(names, things); ok {
		return action, true
	}
	if action, ok := a.putThere(names, things); ok {
		return action, true
	}
	if len(args) == 1 && strings.Contains(args[0], " ") && strings.ContainsAny(text, "\"'") { // "env.step("pick up the mug")"
		if ph, action, ok := a.findWhole(args[0]); ok && a.canBe(ph, action) {
			return action, true
		}
	}
	return episode.Action{}, false
}

// fromTo reads a move that a planner writes with where it begins, "(move robot kitchen table)".
// Where it names who moves, that may be between things that the ontology does not know.
func (a *Actions) fromTo(names, args []string, acted bool) (episode.Action, bool) {
	move := a.onto.Roles.Move
	if len(args) != 2 || move == nil {
		return episode.Action{}, false
	}
	if class := ReadNoun(a.onto, args[0]).Class; class == ontology.None && !acted || class != ontology.None && a.onto.HasProperty(class, a.onto.Roles.Movable) {
		return episode.Action{}, false
	}
	for _, name := range names {
		if schema, known := a.onto.ActionTaking(name, 1); known && schema == move {
			return a.named(name, args[1:])
		}
		for _, between := range a.onto.Words(ontology.Toward) {
			if ph, action, ok := a.findWhole(name + " " + between + " " + args[1]); ok && ph.action == move {
				return action, true
			}
		}
	}
	return episode.Action{}, false
}

// withObject reads a call whose name ends in what it acts on, "open_drawer(drawer_1)" or
// "open_drawer".
func (a *Actions) withObject(names, args []string) (episode.Action, bool) {
	if len(args) == 0 {
		if action, ok := a.withBoth(names); ok {
			return action, true
		}
	}
	class := ontology.None
	if len(args) > 0 {
		class = ReadNoun(a.onto, args[0]).Class
	}
	for _, name := range names {
		in := strings.Fields(name)
		for n := 1; n < len(in); n++ {
			noun, used := readNoun(a.onto, in[n:])
			own := len(args) > 0 && strings.HasPrefix(episode.Spelling(args[0]), episode.Spelling(strings.Join(in[n:], " "))) // "pick_tube(tube_A)"
			if !own && (used < len(in)-n || noun.Class == ontology.None) || class != ontology.None && !a.onto.IsA(class, noun.Class) && !a.onto.IsA(noun.Class, class) {
				continue
			}
			if !own && len(args) > 0 && class == ontology.None && !strings.ContainsAny(args[0], "0123456789") {
				continue // another thing, and no name of one
			}
			args := args
			if len(args) == 0 { // "pick_up_mug"
				args = []string{strings.Join(in[n:], " ")}
				if isNumber(in[len(in)-1]) {
					args[0] = strings.Join(in[n:], "_")
				}
			}
			for _, read := range []func(string, []string) (episode.Action, bool){a.named, a.said} {
				if action, ok := read(strings.Join(in[:n], " "), args); ok {
					return action, true
				}
			}
		}
	}
	return episode.Action{}, false
}

// withBoth reads a name that ends in what it acts on and where that goes or was, "place_mug_1_table".
func (a *Actions) withBoth(names []string) (episode.Action, bool) {
	in := strings.Fields(names[len(names)-1])
	for n := 1; n < len(in); n++ {
		for k := n + 1; k < len(in); k++ {
			object, to := strings.Join(in[n:k], "_"), strings.Join(in[k:], "_")
			if !a.isThingNamed(to) || !a.isSpelled(object) || isNumber(in[k]) {
				continue
			}
			args := []string{object, to}
			for _, read := range []func(string, []string) (episode.Action, bool){a.named, a.said} {
				if action, ok := read(strings.Join(in[:n], " "), args); ok {
					return action, true
				}
			}
			if action, ok := a.shortened([]string{strings.Join(in[:n], " ")}, args); ok && action.Target == object {
				return action, true
			}
		}
	}
	return episode.Action{}, false
}

// isSpelled reports whether a text is the whole name of a thing of the log, or that of a class with a
// number or with what tells one of it: "red block".
func (a *Actions) isSpelled(text string) bool {
	if a.isThing != nil && a.isThing(text) {
		return true
	}
	noun := ReadName(a.onto, text)
	return noun.Class != ontology.None && (noun.Number > 0 && noun.Modifiers == "" || len(noun.States)+len(noun.Properties) > 0 && len(noun.Unread) == 0)
}

// shortened reads a call with more arguments than its action takes: numbers, and where a thing is
// taken from. A move goes to the last of them.
func (a *Actions) shortened(names, args []string) (episode.Action, bool) {
	args = slices.DeleteFunc(slices.Clone(args), isNumber)
	for len(args) > 2 && !a.isThingNamed(args[0]) && a.isThingNamed(args[1]) {
		args = args[1:] // who acts, whom the log does not name
	}
	for _, name := range names {
		schema, known := a.onto.Action(name)
		switch {
		case !known || len(args) == 0:
			continue
		case schema == a.onto.Roles.Move && len(args) > schema.Params:
			args = args[len(args)-schema.Params:]
		}
		if action, ok := a.named(name, args[:min(len(args), max(schema.Params, 1))]); ok {
			return action, true
		}
		if action, ok := a.said(name, args[:min(len(args), 2)]); ok {
			return action, true
		}
	}
	return episode.Action{}, false
}

// putThere reads a call that says only where what is held goes, "place_on_top(shelf)".
func (a *Actions) putThere(names, args []string) (episode.Action, bool) {
	if len(args) != 1 || a.it() == "" {
		return episode.Action{}, false
	}
	class := ReadName(a.onto, args[0]).Class
	if class == ontology.None || a.onto.HasProperty(class, a.onto.Roles.Movable) && !a.onto.HasProperty(class, a.onto.Roles.Receptacle) {
		return episode.Action{}, false
	}
	place := a.onto.Roles.Place
	for _, name := range names {
		if schema, known := a.onto.ActionTaking(name, 2); known && place != nil && schema.Params == 2 && schema.Family == place.Family {
			return a.named(name, []string{a.it(), args[0]})
		}
	}
	return episode.Action{}, false
}

// takesNumbers reports whether an action of some names has a number among its arguments.
func (a *Actions) takesNumbers(names []string) bool {
	return slices.ContainsFunc(names, func(name string) bool {
		schema, known := a.onto.Action(name)
		return known && slices.ContainsFunc(schema.Parameters, func(p ontology.Parameter) bool { return p.Value })
	})
}

// isNumber reports whether an argument is a number, perhaps with a unit: "50ml".
func isNumber(arg string) bool { return measured.MatchString(arg) }

var measured = regexp.MustCompile(`^[+-]?\d+(?:[.,]\d+)?(?:[eE][+-]?\d+)?(?:\s*(?:\pL{1,2}|min|sec|rpm|deg|%|°C))?$`)

// mayAct reports whether a call with as many arguments has room for an agent among them.
func (a *Actions) mayAct(names []string, args int) bool {
	return slices.ContainsFunc(names, func(name string) bool {
		schema, ok := a.onto.Action(name)
		return ok && args <= schema.Params
	})
}

// spellings are the names that a call may mean: as written, without what it is called on, and by
// its words.
func (a *Actions) spellings(name string) []string {
	out := []string{name}
	for {
		i := strings.LastIndexAny(name, ".:/")
		if i < 0 {
			break
		}
		last := name[i+1:]
		if name = strings.TrimRight(name[:i], ".:/"); !a.onto.IsWord(last, ontology.Calling) { // "PickObject::Goal"
			if a.isGripper(name) { // "gripper.open"
				out = append(out, last+" "+name)
			}
			name = last
			out = append(out, last)
			break
		}
	}
	if schema, ok := a.onto.AlfredAction(name); ok {
		out = append(out, schema.Name)
	}
	in := Words(strings.ReplaceAll(name, "-", " "))
	out = append(out, strings.Join(in, " "))
	begin, end := 0, len(in)
	for begin < end-1 && (a.onto.IsWord(in[begin], ontology.Calling) || len(in[begin]) == 1 && unicode.IsLetter(rune(in[begin][0]))) {
		begin++
	}
	for begin < end-1 && a.onto.IsWord(in[end-1], ontology.Calling) {
		end--
		out = append(out, strings.Join(in[begin:end], " "))
	}
	if begin+1 < end && a.isGripper(in[begin]) && a.isVerb(in[begin+1]) { // "RIGHT_GRASP"
		begin++
	}
	if begin < len(in) {
		if begin > 0 && end == len(in) {
			out = append(out, strings.Join(in[begin:], " "))
		}
		for _, verb := range a.baseForms(in[begin]) {
			out = append(out, strings.Join(append([]string{verb}, in[begin+1:end]...), " "))
		}
	}
	return out
}

// acts reports whether an argument is a robot or a gripper.
func (a *Actions) acts(arg string) bool {
	if slices.Contains(a.agents, episode.Spelling(arg)) {
		return true
	}
	isRobot := func(arg string) bool {
		class := ReadNoun(a.onto, arg).Class
		return class != ontology.None && a.onto.IsA(class, a.onto.Core.Robot)
	}
	return isRobot(arg) || isRobot(strings.TrimRight(arg, "0123456789")) || a.isGripper(arg)
}

// isGripper reports whether an argument is a gripper, "left" as well as "left hand".
func (a *Actions) isGripper(arg string) bool {
	gripper := a.onto.Core.RobotGripper
	class := ReadNoun(a.onto, strings.TrimRight(arg, "0123456789")).Class
	if class == ontology.None && gripper != ontology.None {
		for i, t := range a.onto.Terms { // "left", of "left hand"
			if a.onto.IsA(ontology.TermID(i), gripper) && slices.ContainsFunc(t.Labels, func(l string) bool { return strings.HasPrefix(l, strings.ToLower(arg)+" ") }) {
				return true
			}
		}
		return false
	}
	return class != ontology.None && a.onto.IsA(class, gripper)
}

// isHand reports whether a text names a gripper, or a hand without saying whose.
func (a *Actions) isHand(text string) bool {
	class, hand := ReadNoun(a.onto, text).Class, a.onto.Roles.UnownedHand
	if class == ontology.None {
		return a.isGripper(text)
	}
	return hand != ontology.None && a.onto.IsA(class, hand) || a.onto.Core.RobotGripper != ontology.None && a.onto.IsA(class, a.onto.Core.RobotGripper)
}

// named reads a call of an action by its name.
func (a *Actions) named(name string, args []string) (episode.Action, bool) {
	schema, ok := a.onto.Action(name)
	if !ok || slices.ContainsFunc(args, a.isAnything) {
		return episode.Action{}, false
	}
	if len(args) == 1 && strings.Contains(args[0], " ") {
		if action, ok := a.sentence(name, args[0]); ok {
			return action, true
		}
		if fields := strings.Fields(withoutDeterminers(a.onto, args[0])); len(fields) == schema.Required {
			args = fields
		}
	}
	action, err := episode.ParseAction(a.onto, "("+strings.Join(append([]string{name}, args...), ", ")+")")
	return action, err == nil && !isNumber(action.Target)
}

// said reads a call as the sentence that its name and arguments make.
func (a *Actions) said(name string, args []string) (episode.Action, bool) {
	if len(args) != 2 {
		return a.sentence(name, strings.Join(args, " "))
	}
	for _, between := range a.onto.Words(ontology.Between) {
		if action, ok := a.sentence(name, args[0]+" "+between+" "+args[1]); ok && len(action.Target) <= len(args[0]) {
			return action, true
		}
	}
	return episode.Action{}, false
}

// sentence reads the sentence that a call makes, where all of the name tells the action and what
// the rest names can be acted on so.
func (a *Actions) sentence(name, rest string) (episode.Action, bool) {
	if rest == "" {
		ph, action, ok := a.find(name)
		return action, ok && (action.Target == "" || action.Target == a.it() && action.Destination != "" || ReadNoun(a.onto, action.Target).Class != ontology.None && a.canBe(ph, action))
	}
	ph, action, ok := a.find(name + " " + rest)
	return action, ok && len(action.Target)+len(action.Destination) <= len(rest) && a.canBe(ph, action)
}
