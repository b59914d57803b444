package episode

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/mishap-robotics/mishap/engine/internal/wording"
	"github.com/mishap-robotics/mishap/ontology"
)

// ParseAction reads an action as plans write it: "(put_in, Mug, Sink)". The
// name may be a label of the ontology ("open"). The error says what was found
// and expected.
func ParseAction(o *ontology.Ontology, text string) (Action, error) {
	s := strings.TrimSpace(text)
	if !strings.HasPrefix(s, "(") || !strings.HasSuffix(s, ")") || len(s) < 2 {
		return Action{}, fmt.Errorf("action %q; expected the form (name, Object) or (name, Object, Destination)", clip(text))
	}
	parts := strings.Split(s[1:len(s)-1], ",")
	for i := range parts {
		parts[i] = strings.TrimSpace(parts[i])
		if i > 0 && parts[i] == "" {
			return Action{}, fmt.Errorf("action %q has an empty argument", clip(text))
		}
	}
	schema, ok := o.Action(parts[0])
	if !ok {
		return Action{}, fmt.Errorf("unknown action %q%s", clip(parts[0]), actionHint(o, parts[0]))
	}
	args := parts[1:]
	if len(args) < schema.Required || len(args) > schema.Params {
		return Action{}, fmt.Errorf("action %q has %d arguments; %s takes %s", clip(text), len(args), schema.Name, arity(schema))
	}
	a := Action{Name: schema.Name}
	if len(args) > 0 {
		a.Target = args[0]
	}
	if len(args) > 1 {
		a.Destination = args[1]
	}
	return a, nil
}

func arity(a *ontology.Action) string {
	if a.Required == a.Params {
		return strconv.Itoa(a.Params)
	}
	return fmt.Sprintf("%d to %d", a.Required, a.Params)
}

func actionHint(o *ontology.Ontology, name string) string {
	var names []string
	for _, a := range o.Actions {
		names = append(names, a.Name)
	}
	if near := ontology.Nearest(name, names); near != "" {
		return "; did you mean " + near + "?"
	}
	return "; known are " + strings.Join(names, ", ")
}

// longestQuote is how much of a text from a log a message shows, in bytes.
const longestQuote = 60

func clip(s string) string { return wording.Clip(s, longestQuote) }

func (a Action) String() string {
	if a.Name == "" {
		return ""
	}
	parts := []string{a.Name}
	for _, p := range []string{a.Target, a.Destination} {
		if p != "" {
			parts = append(parts, p)
		}
	}
	return "(" + strings.Join(parts, ", ") + ")"
}

// SplitName splits an instance name: "StoveBurner-4" is class StoveBurner,
// number 4; a bare class name has number 0.
func SplitName(name string) (class string, number int) {
	at := strings.LastIndexByte(name, '-')
	digits := name[at+1:]
	if at < 1 || len(digits) < 1 || len(digits) > maxDigits || strings.Contains(name, "\n") {
		return name, 0
	}
	for _, d := range []byte(digits) {
		if d < '0' || d > '9' {
			return name, 0
		}
		number = 10*number + int(d-'0')
	}
	return name[:at], number
}

// maxDigits bounds the numbers of instances.
const maxDigits = 6
