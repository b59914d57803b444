package advice

import (
	"regexp"
	"slices"
	"strings"

	"github.com/mishap-robotics/mishap/engine"
	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/ontology"
)

// The forms in which programs write a call: its name, perhaps what it is called on, and arguments.
var (
	methodCall  = regexp.MustCompile(`^([\w-]+)\.(\w+)\((.*)\);?$`)
	bracketCall = regexp.MustCompile(`^([A-Za-z][\w ]*?)\s*[\[({](.*)[\])}];?$`)
	tagCall     = regexp.MustCompile(`^<(\w+)((?:\s+\w+="[^"]*")+)\s*/?>$`)
	tagAround   = regexp.MustCompile(`^<(\w+)>\s*([^<]*?)\s*</\w+>$`)
	namedCall   = regexp.MustCompile(`^(\w+)((?:\s+\w+=[^\s=,]+)+);?$`)
	flagCall    = regexp.MustCompile(`^(?:\w+:\s+)?(\w+)((?:\s+--?\w+[=\s]\s*[^\s-]\S*)+);?$`)
	option      = regexp.MustCompile(`--?(\w+)[=\s]\s*`)
	labelCall   = regexp.MustCompile(`^\[(\w+)\]((?:\s+\w+=[^\s=,]+)+);?$`)
	between     = regexp.MustCompile(`\s*(?:,|;|->|=>|→)\s*`)
	apart       = regexp.MustCompile(`("[^"]*"|\S)\s+(\w+=)`)
	argumentKey = regexp.MustCompile(`^(\w+)\s*[=:]\s*(.+)$`)
)

// argument is one of a call, with the name of its parameter, "" for none.
type argument struct{ key, value string }

// program parts a line that is a call as programs write it, "fridge.open()", "PUT obj=Egg-1
// dest=Pan-1" or "<cut what="Apple-1"/>", into what it is called and its arguments.
func program(text string) (name string, args []argument, ok bool) {
	said := ""
	if x := methodCall.FindStringSubmatch(text); x != nil {
		name, said = x[2], strings.Trim(x[1]+","+x[3], ",")
	} else if x := tagCall.FindStringSubmatch(text); x != nil {
		name, said = x[1], apart.ReplaceAllString(strings.TrimSpace(x[2]), "$1,$2")
	} else if x := tagAround.FindStringSubmatch(text); x != nil {
		name, said = x[1], x[2]
	} else if x := namedCall.FindStringSubmatch(text); x != nil {
		name, said = x[1], strings.Join(strings.Fields(x[2]), ",")
	} else if x := labelCall.FindStringSubmatch(text); x != nil {
		name, said = x[1], strings.Join(strings.Fields(x[2]), ",")
	} else if x := flagCall.FindStringSubmatch(text); x != nil {
		name, said = x[1], apart.ReplaceAllString(strings.TrimSpace(option.ReplaceAllString(x[2], "$1=")), "$1,$2")
	} else if x := bracketCall.FindStringSubmatch(text); x != nil {
		name, said = x[1], x[2]
	} else {
		return "", nil, false
	}
	for _, part := range between.Split(said, -1) {
		a := argument{value: part}
		if x := argumentKey.FindStringSubmatch(part); x != nil {
			a = argument{strings.ToLower(x[1]), x[2]}
		}
		if a.value = strings.Trim(a.value, "\"'` "); a.value != "" {
			args = append(args, a)
		}
	}
	return name, args, true
}

// byProgram takes a line that is a call for the action that has its name, in any spelling, with the
// things among its arguments. What is named by its parameter and no thing, or a thing more than the
// action has to do with, is how it is done; what else it does not know leaves the line unread.
func (m *Mapper) byProgram(text string) (engine.AdviceLine, bool) {
	line := engine.AdviceLine{Text: text, How: Label, Score: 1}
	name, args, ok := program(trimmed(numbering.ReplaceAllString(text, "")))
	if !ok {
		return line, false
	}
	schema, known := m.Ontology.Action(name)
	if before, verb, several := cutLast(name, " "); !known && several && !slices.ContainsFunc(strings.Fields(strings.ToLower(before)), func(w string) bool { return m.Ontology.IsWord(w, ontology.Denial) }) {
		schema, known = m.Ontology.Action(verb) // "ACT pour(…)"
	}
	if verb, what, several := cutLast(name, "_"); !known && several && m.Ontology.IsWord(strings.ToLower(what), ontology.Trailing) {
		schema, known = m.Ontology.Action(verb) // "place_object(…)"
	}
	if !known || schema.OnlyTold {
		return line, false
	}
	var things []string
	beside := false
	for _, a := range args {
		thing, ok := m.labelled(a.value)
		switch {
		case ok && (len(things) < schema.Params || a.key == ""):
			things = append(things, thing)
			beside = beside || m.Ontology.IsWord(a.key, ontology.Beside)
		case !ok && a.key == "" && !isNumber(a.value):
			return line, false
		}
	}
	idle := schema.Required == 0 && schema != m.Ontology.Roles.Look // who waits does nothing to a thing
	if len(things) < schema.Required || len(things) > schema.Params || idle && len(things) > 0 || schema.Params > 1 && len(things) < 2 {
		return line, false
	}
	if schema.Params > 1 {
		schema = m.placing(schema, things[1], beside)
	}
	line.Action = episode.Action{Name: schema.Name}
	for i, thing := range things {
		*[]*string{&line.Action.Target, &line.Action.Destination}[i] = thing
	}
	return line, m.isMeantFor(line.Action)
}

// cutLast parts a text at the last of what parts it.
func cutLast(text, sep string) (before, after string, found bool) {
	if i := strings.LastIndex(text, sep); i >= 0 {
		return text[:i], text[i+len(sep):], true
	}
	return text, "", false
}

// placing is the action that brings a thing to a place of which another of the same kind is told
// in general: who puts something on a plate puts it on and not in.
func (m *Mapper) placing(told *ontology.ActionSchema, place string, beside bool) *ontology.ActionSchema {
	class := ontology.None
	if at := slices.IndexFunc(m.Objects, func(o NamedObject) bool { return o.Name == place || o.Class == place }); at >= 0 {
		class, _ = m.Ontology.Lookup(m.Objects[at].Class)
	}
	for _, a := range m.Ontology.Advised() {
		if a.Family == told.Family && beside && m.Ontology.SetsBeside(a) {
			return a
		}
	}
	if class == ontology.None || m.Ontology.SetsBeside(told) {
		return told
	}
	return m.Ontology.Preferred(told, class)
}

func isNumber(text string) bool {
	return strings.Trim(text, "0123456789.+-ms°") == ""
}

// isOfProgram reports whether a line is a call by a name that tells of no action, as
// "is_open(fridge)" does.
func (m *Mapper) isOfProgram(text string, a *ontology.ActionSchema) bool {
	name, _, ok := program(trimmed(text))
	if !ok || a == nil {
		return ok
	}
	verb, _, _ := strings.Cut(strings.ToLower(strings.ReplaceAll(jointed.ReplaceAllString(name, "$1 $2"), "_", " ")), " ")
	return !m.wordsOf(a)[stem(verb)]
}
