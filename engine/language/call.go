package language

import (
	"regexp"
	"slices"
	"strings"

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
	leading  = regexp.MustCompile(`^([\pL][\pL\pN]*(?:[_-][\pL\pN]+)+|\pL\p{Ll}+\p{Lu}[\pL\pN]*) +(.+)$`)

	// "pick object=mug-1"
	assigned = regexp.MustCompile(`^([\pL][\pL\pN_.:/-]*)((?:\s+[\pL_][\pL\pN_]*=[^\s=]+)+)$`)
	keyword  = regexp.MustCompile(`^\s*([\pL_][\pL\pN_]*)\s*[=:]\s*(.+?)\s*$`)
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
func call(text string) (name string, args []string, ok bool) {
	given := ""
	if m := function.FindStringSubmatch(text); m != nil {
		name, given = m[1], m[2]
	} else if m := list.FindStringSubmatch(text); m != nil {
		name, given = m[1], strings.Join(strings.Fields(m[2]), ",")
	} else if m := tagged.FindStringSubmatch(text); m != nil {
		name, given = m[1], m[2]
	} else if m := divided.FindStringSubmatch(text); m != nil {
		name, given = m[1], strings.ReplaceAll(m[2], "|", ",")
	} else if m := assigned.FindStringSubmatch(text); m != nil {
		name, given = m[1], strings.Join(strings.Fields(m[2]), ",")
	} else if m := leading.FindStringSubmatch(text); m != nil {
		name, given = m[1], m[2]
	} else if strings.HasPrefix(text, "(") && strings.HasSuffix(text, ")") {
		name, given, _ = strings.Cut(text[1:len(text)-1], ",")
		name = strings.TrimSpace(name)
	} else {
		return "", nil, false
	}
	for arg := range strings.SplitSeq(given, ",") {
		if m := keyword.FindStringSubmatch(arg); m != nil {
			arg = m[2]
		}
		if arg = strings.Trim(arg, "\"'`<>[]? "); arg != "" {
			args = append(args, arg)
		}
	}
	return name, args, name != ""
}

// readCall reads an action that is written as a call: by its name, or as the sentence that
// name and arguments make. Who acts, and with which gripper, may be among the arguments.
func (a *Actions) readCall(text string) (episode.Action, bool) {
	name, args, ok := call(text)
	if !ok {
		return episode.Action{}, false
	}
	if _, known := a.onto.Action(name); known && strings.HasPrefix(text, "(") && strings.Contains(text, ",") {
		if action, ok := a.named(name, slices.DeleteFunc(slices.Clone(args), a.isGripper)); ok {
			return action, true
		}
		return a.named(name, slices.DeleteFunc(args, a.acts)) // as plans write it: no argument is too many or missing
	}
	things := slices.DeleteFunc(slices.Clone(args), a.acts)
	names := a.spellings(name)
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
	return episode.Action{}, false
}

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
	if i := strings.LastIndexAny(name, ".:/"); i >= 0 {
		out = append(out, name[i+1:])
		name = name[i+1:]
	}
	if schema, ok := a.onto.AlfredAction(name); ok {
		out = append(out, schema.Name)
	}
	return append(out, strings.Join(Words(name), " "))
}

// acts reports whether an argument is a robot or a gripper.
func (a *Actions) acts(arg string) bool {
	class, robot := ReadNoun(a.onto, strings.TrimRight(arg, "0123456789")).Class, a.onto.Core.Robot
	return class != ontology.None && a.onto.IsA(class, robot) || a.isGripper(arg)
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

// named reads a call of an action by its name.
func (a *Actions) named(name string, args []string) (episode.Action, bool) {
	schema, ok := a.onto.Action(name)
	if !ok {
		return episode.Action{}, false
	}
	if len(args) == 1 && strings.Contains(args[0], " ") {
		if action, ok := a.sentence(name, args[0]); ok {
			return action, true
		}
		if fields := strings.Fields(args[0]); len(fields) == schema.Required {
			args = fields
		}
	}
	action, err := episode.ParseAction(a.onto, "("+strings.Join(append([]string{name}, args...), ", ")+")")
	return action, err == nil
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
		return action, ok && (action.Target == "" || ReadNoun(a.onto, action.Target).Class != ontology.None && a.canBe(ph, action))
	}
	ph, action, ok := a.find(name + " " + rest)
	return action, ok && len(action.Target)+len(action.Destination) <= len(rest) && a.canBe(ph, action)
}
