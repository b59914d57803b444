package language

import (
	"regexp"
	"strings"

	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/ontology"
)

var (
	marks     = regexp.MustCompile(`^(?:[>*•–-]+\s+|#C\s+C\s+|await\s+|Command:\s+|\[[\d:.,\s]+\]\s*|\d+(?:\.\d+)?:\s+)+`) // of a list, or when it was
	duration  = regexp.MustCompile(`\)\s*(?:\[[\d.,\s]+\]|;.*)$`)                                                          // after an action of a planner
	character = regexp.MustCompile(`^<(?:char|character)\d*>\s*`)                                                          // who acts, as VirtualHome writes it
	slashed   = regexp.MustCompile(`\pL+/\pL+`)

	// what a node of a behavior tree or a state of a state machine came to: "PickObject(mug): SUCCESS"
	outcomeAfter  = regexp.MustCompile(`^(.+?[^\s:>=|,-])\s*(?:(:|->|=>|=|\||,|>>|\s(?:returned|returns|result|status)\b:?)\s*([\[(]?)|\s*([\[(]))(?:[\pL_]+::)?([\pL_]+)[\])]?$`)
	callThen      = regexp.MustCompile(`^(.+[)\]}])\s+(?:[\pL_]+::)?([\pL_]+)$`)
	outcomeBefore = regexp.MustCompile(`^(?:\[([\pL_]+)\]|\(([\pL_]+)\)|([\pL_]+):)\s+(.+)$`)

	// "[✓] -- grasped", "-> STATUS_REACHED_GOAL"
	ticked    = regexp.MustCompile(`\s*\[[✓✔✗✘✕×xo*-]\](?:\s.*)?$`)
	statusOf  = regexp.MustCompile(`\)\s*(?:->|=>|:)\s*\p{Lu}+(?:_\p{Lu}+)+$`)
	positions = regexp.MustCompile(`\s*\(\s*-?\d+(?:\.\d+)?(?:\s*,\s*-?\d+(?:\.\d+)?)+\s*\)`) // "(4.79, 1.22)"
	kindOf    = regexp.MustCompile(`(\s)\[(?:[\pL_]+:)?([^\s\[\]:=]+)\]`)                     // "go to [place:hall]"
	keyValue  = regexp.MustCompile(`\{\s*["']?(?:key|name)["']?\s*:\s*["']?([\pL_][\pL\pN_]*)["']?\s*,\s*["']?value["']?\s*:\s*["']?([^"'{}]*?)["']?\s*\}`)
	nameThen  = regexp.MustCompile(`\bname:\s*["']?([\pL_][\pL\pN_]*)["']?\s*,?\s*(?:parameters|params|args|arguments|inputs?):\s*\[(.*)\]`)

	whichWith = regexp.MustCompile(`^-?\s*([\pL_]+):[\pL\pN_]+\b[^\[\]]*\[((?:\s*[\pL_][\pL\pN_]*=\S+)+)\]$`) // "pick:pick_arm State: Success [Object=mug-1]"
	goalOf    = regexp.MustCompile(`^([\pL_][\pL\pN_./-]*:?)\s+([\pL_]+)\s*(\{.*\})$`)                        // "pick_object: goal {object: mug-1}"

	angled = regexp.MustCompile(`<<\s*([^<>]+?)\s*>>`)                                     // "Move <<base>> to <<table>>"
	called = regexp.MustCompile(`^(?:await\s+)?(?:[\pL_]\w*\.)+([\pL_]\w*)\s+([^\s(].*)$`) // "Primitives.OPEN fridge-1"

	field   = regexp.MustCompile(`^\s*(?:-\s+)?["']?([\pL_][\pL\pN_]*)["']?\s*(?::=|[:=])\s*(.*?)\s*$`)
	section = regexp.MustCompile(`^\s*(?:-\s+)?([\pL_][\pL\pN_./]*):\s*$`)
	// "(object cup-1)", as CRAM writes it, and "(object (an object …", "(on #<A OBJECT …"
	designator = regexp.MustCompile(`\(\s*:?([\pL][\pL\pN_-]*)\s+:?([^()<>#\s]+)\s*\)|\(\s*:?([\pL]+)\s+(?:\(|#<)`)
	typed      = regexp.MustCompile(`(?i)^(?:\(|#<).*\(:?type\s`)
)

// plainly is an action as this package reads it, of what programs write in more lines, with what
// came of it, or with a list's mark before it.
func (a *Actions) plainly(text string) string {
	text = strings.TrimSpace(marks.ReplaceAllString(strings.TrimSpace(text), ""))
	text = duration.ReplaceAllString(text, ")")
	text = called.ReplaceAllString(angled.ReplaceAllString(text, "$1"), "$1 $2")
	if rest, ok := strings.CutPrefix(text, "(!"); ok { // of a hierarchical planner, "(!pick-up robot1 mug-1)"
		text = "(" + strings.TrimLeft(rest, "!")
	}
	text = statusOf.ReplaceAllString(ticked.ReplaceAllString(text, ""), ")")
	text = keyValue.ReplaceAllString(text, "$1=$2")
	if m := nameThen.FindStringSubmatch(text); m != nil {
		text = m[1] + "(" + m[2] + ")"
	}
	if bare := positions.ReplaceAllString(text, ""); strings.Contains(bare, " ") {
		text = bare
	}
	if !strings.HasPrefix(text, "(") && !strings.HasPrefix(text, "[") && !strings.ContainsAny(text, "<>{}=") {
		text = kindOf.ReplaceAllString(text, "$1$2")
	}
	if m := whichWith.FindStringSubmatch(text); m != nil {
		text = m[1] + "(" + strings.Join(strings.Fields(m[2]), ", ") + ")"
	}
	if m := goalOf.FindStringSubmatch(text); m != nil && a.onto.IsWord(m[2], ontology.Calling) {
		text = m[1] + m[3]
	}
	for _, quote := range []string{`"`, "'", "`"} {
		if inner, ok := strings.CutPrefix(text, quote); ok && strings.Count(inner, quote) == 1 && strings.HasSuffix(inner, quote) {
			text = strings.TrimSpace(strings.TrimSuffix(inner, quote))
		}
	}
	if told, ok := a.withoutThought(text); ok {
		text = told
	}
	if call, ok := a.fromFields(text); ok {
		return call
	}
	if call, ok := fromDesignator(text); ok {
		return call
	}
	return program(a.withoutOutcome(character.ReplaceAllString(text, "")))
}

var (
	thought = regexp.MustCompile(`(?is)^\s*#?\s*(?:think|thought|thoughts|reasoning|reason|comment|plan|observation|note)\s*\d*\s*:`)
	acting  = regexp.MustCompile(`(?i)(?:^|[\s*])\**act(?:ion)?\s*\d*\s*:\**\s*([^\n]+)`)
	input   = regexp.MustCompile(`(?i)\baction input\s*\d*\s*:\s*([^\n]+)`)
	result  = regexp.MustCompile(`(?is)\s+(?:observation|obs|result)\s*\d*\s*:.*$`)
)

// withoutThought is the action that an agent tells between what it thinks and what comes of it; a
// thought alone is a call of that name. ok is false where the text is neither.
func (a *Actions) withoutThought(text string) (string, bool) {
	thinks := thought.MatchString(text)
	m := acting.FindStringSubmatch(text)
	switch {
	case m == nil && thinks:
		return "think()", true
	case m == nil || !thinks && !strings.Contains(text, "\n") && !result.MatchString(text) && !input.MatchString(text):
		return "", false
	}
	told := strings.Trim(result.ReplaceAllString(m[1], ""), " *")
	if with := input.FindStringSubmatch(text); with != nil {
		told = strings.TrimSpace(input.ReplaceAllString(told, ""))
		told += "(" + strings.Trim(strings.TrimSpace(result.ReplaceAllString(with[1], "")), `"'`) + ")"
	}
	return told, told != ""
}

var remarkStart = regexp.MustCompile(`[.;!]\s+|\n+|\s+[-–#]\s+|\s*//\s*|\s+#`)

// mostRemarks is at how many places of a text a remark is looked for.
const mostRemarks = 3

// readHead reads an action of a text that says more after it: how it is done, why, or what came of it.
// ok is false where nothing stands after it, or the action is none that is known.
func (a *Actions) readHead(text string, depth int) (episode.Action, bool) {
	if depth == deepest || strings.HasPrefix(text, "(") || strings.HasPrefix(text, "[") {
		return episode.Action{}, false
	}
	for _, at := range remarkStart.FindAllStringIndex(text, mostRemarks) {
		if action, known := a.read(text[:at[0]], depth+1); known && at[1] < len(text) {
			return action, true
		}
	}
	in := strings.Fields(text)
	end := len(in)
	for end > 1 && a.onto.IsWord(strings.TrimRight(in[end-1], ".!"), ontology.Adverb) {
		end--
	}
	for i := 2; i < end; i++ {
		if WordsOf(a.onto, lower(in[i:]), ontology.Aside) > 0 {
			end = i
			break
		}
	}
	if end == len(in) {
		return episode.Action{}, false
	}
	return a.read(strings.TrimRight(strings.Join(in[:end], " "), ","), depth+1)
}

// withoutOutcome is an action without what it is said to have come to.
func (a *Actions) withoutOutcome(text string) string {
	if m := outcomeBefore.FindStringSubmatch(text); m != nil && a.onto.IsWord(m[1]+m[2]+m[3], ontology.Outcome) {
		text = m[4]
	}
	for range 3 { // "IDLE -> RUNNING -> SUCCESS"
		if m := callThen.FindStringSubmatch(text); m != nil && a.onto.IsWord(m[2], ontology.Outcome) {
			text = m[1]
		}
		m := outcomeAfter.FindStringSubmatch(text)
		if m == nil || !isBalanced(m[1]) || a.onto.IsWord(m[1], ontology.Calling) || a.onto.IsWord(m[1], ontology.Outcome) {
			break
		}
		known := a.onto.IsWord(m[5], ontology.Outcome)
		if !known && (m[2] == ">>" || m[2] == "->" || m[2] == ":" && identifier.MatchString(m[1])) { // ">> grasped"
			known = a.isParticiple(strings.ToLower(m[5]))
		}
		if !known {
			break
		}
		text = m[1]
	}
	return text
}

// isBalanced reports whether each bracket of a text is closed in it.
func isBalanced(text string) bool {
	for _, pair := range []string{"()", "[]", "{}"} {
		if strings.Count(text, pair[:1]) != strings.Count(text, pair[1:]) {
			return false
		}
	}
	return true
}

// fromFields writes an action of which a text gives the name and the arguments as fields, one to a
// line or one after the other, as a call.
func (a *Actions) fromFields(text string) (string, bool) {
	inner := text
	if strings.HasPrefix(text, "{") && strings.HasSuffix(text, "}") {
		inner = text[1 : len(text)-1]
	}
	var lines []string
	if inner == text && strings.Contains(text, "\n") {
		lines = strings.Split(text, "\n")
	} else {
		lines = strings.FieldsFunc(inner, func(r rune) bool { return r == ',' || r == ';' || r == '\n' })
		if inner == text && len(lines) < 2 {
			return "", false
		}
	}
	name := ""
	var args []string
	for _, line := range lines {
		if strings.TrimSpace(line) == "" {
			continue
		}
		if m := section.FindStringSubmatch(line); m != nil {
			if name == "" {
				name = m[1]
			}
			continue
		}
		m := field.FindStringSubmatch(line)
		if m == nil {
			return "", false
		}
		value := strings.Trim(m[2], `"'`)
		if name == "" && (role(m[1]) == nameRole || a.onto.IsWord(m[1], ontology.Calling)) {
			name = value
			continue
		}
		args = append(args, m[1]+"="+value)
	}
	if name == "" || strings.ContainsAny(name, " ()") {
		return "", false
	}
	return name + "(" + strings.Join(args, ", ") + ")", true
}

// fromDesignator writes an action as designators of CRAM have it, "(an action (type opening) (object
// drawer))", as a call.
func fromDesignator(text string) (string, bool) {
	if !typed.MatchString(text) {
		return "", false
	}
	name, of := "", "" // what the designator that begins here is of
	var args []string
	for _, m := range designator.FindAllStringSubmatch(text, -1) {
		if m[1] == "" {
			of = strings.ToLower(m[3])
			continue
		}
		switch key := strings.ToLower(m[1]); {
		case key == "name" && of != "" && len(args) > 0: // in place of its type
			args[len(args)-1] = of + "=" + m[2]
		case key != "type":
			args = append(args, strings.ReplaceAll(key, "-", "_")+"="+m[2])
		case name == "":
			name = strings.ToLower(m[2])
		default:
			if of == "" {
				of = "object"
			}
			args = append(args, of+"="+m[2])
		}
	}
	return name + "(" + strings.Join(args, ", ") + ")", name != ""
}

// eitherWay is the first of two words of where something goes, "in" of "in/on"; other text is as it
// was.
func (a *Actions) eitherWay(text string) string {
	first, second, _ := strings.Cut(text, "/")
	if a.onto.IsWord(first, ontology.Toward) && a.onto.IsWord(second, ontology.Toward) {
		return first
	}
	return text
}
