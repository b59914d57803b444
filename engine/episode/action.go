package episode

import (
	"cmp"
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/mishap-robotics/mishap/engine/internal/wording"
	"github.com/mishap-robotics/mishap/engine/scene"
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
	args := parts[1:]
	target := ontology.None
	if len(args) > 0 {
		target = classNamed(o, args[0])
	}
	schema, ok := o.ActionOn(parts[0], len(args), target)
	if !ok {
		return Action{}, unknownAction(o, parts[0])
	}
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
	if len(args) > 2 {
		a.Further = strings.Join(args[2:], ", ")
	}
	return a, checkValues(schema, args, text)
}

// classNamed is the class of the things that a name is of, "sock" of sock_3 and sock_a, None
// where the ontology has none.
func classNamed(o *ontology.Ontology, name string) ontology.TermID {
	stem, _ := SplitName(name)
	if i := len(stem) - 2; i > 0 && strings.ContainsRune("_-. ", rune(stem[i])) {
		stem = stem[:i]
	}
	return o.ClassCalled(stem, o.Core.PhysicalObject)
}

// checkValues is an error where an argument that is to be a number is none, or is in a unit
// that does not fit.
func checkValues(schema *ontology.ActionSchema, args []string, text string) error {
	for i, p := range schema.Parameters {
		if i >= len(args) || !p.Value {
			continue
		}
		expected := "a number"
		if p.Unit != "" {
			expected += " of " + p.Unit
		}
		if _, unit, ok := measured(args[i]); !ok || unit != "" && !fits(unit, p.Unit) {
			return fmt.Errorf("action %q has %q for %s; expected %s", clip(text), clip(args[i]), p.Name, expected)
		}
	}
	return nil
}

// measured is an argument that is a number, perhaps with its unit.
func measured(arg string) (number float64, unit string, ok bool) {
	text, unit, _ := strings.Cut(arg, " ")
	number, err := strconv.ParseFloat(text, 64)
	return number, strings.TrimSpace(unit), err == nil && !math.IsNaN(number) && !math.IsInf(number, 0)
}

// fits reports whether numbers of one unit are numbers of another.
func fits(unit, of string) bool {
	if unit == of {
		return true
	}
	u, known := ontology.UnitOf(unit)
	v, also := ontology.UnitOf(of)
	if !known || !also {
		return false
	}
	_, err := u.Convert(0, v)
	return err == nil
}

// Readings are the numbers among the arguments of an action of a schema, by the names of its
// parameters.
func (a Action) Readings(schema *ontology.ActionSchema) scene.Readings {
	var out scene.Readings
	args := a.Arguments()
	for i, p := range schema.Parameters {
		if i >= len(args) || !p.Value || args[i] == "" {
			continue
		}
		if n, unit, ok := measured(args[i]); ok {
			out = append(out, scene.Reading{Quantity: p.Name, Number: n, Unit: cmp.Or(unit, p.Unit)})
		}
	}
	return out
}

func arity(a *ontology.ActionSchema) string {
	if a.Required == a.Params {
		return strconv.Itoa(a.Params)
	}
	return fmt.Sprintf("%d to %d", a.Required, a.Params)
}

// CheckAction is an UnknownActionError where the ontology has no action of a name, nil
// where it has.
func CheckAction(o *ontology.Ontology, name string) error {
	if _, ok := o.Action(name); ok {
		return nil
	}
	return unknownAction(o, name)
}

func unknownAction(o *ontology.Ontology, name string) error {
	e := &UnknownActionError{Name: name}
	for _, a := range o.Actions {
		e.known = append(e.known, a.Name)
	}
	e.Nearest = ontology.Nearest(name, e.known)
	return e
}

// UnknownActionError is an action that the ontology does not have.
type UnknownActionError struct {
	Name    string
	Nearest string // name that there is, "" where none is near
	known   []string
}

func (e *UnknownActionError) Error() string {
	if e.Nearest != "" {
		return fmt.Sprintf("unknown action %q; did you mean %s?", clip(e.Name), e.Nearest)
	}
	names := strings.Join(e.known[:min(len(e.known), mostNames)], ", ")
	if more := len(e.known) - mostNames; more > 0 {
		names += fmt.Sprintf(" and %d more", more)
	}
	return fmt.Sprintf("unknown action %q; known are %s", clip(e.Name), names)
}

// mostNames is how many of the actions that there are a message names.
const mostNames = 24

// longestQuote is how much of a text from a log a message shows, in bytes.
const longestQuote = 60

func clip(s string) string { return wording.Clip(s, longestQuote) }

func (a Action) String() string {
	if a.Name == "" {
		return ""
	}
	parts := []string{a.Name}
	for _, p := range a.Arguments() {
		if p != "" {
			parts = append(parts, p)
		}
	}
	return "(" + strings.Join(parts, ", ") + ")"
}

// SplitName splits an instance name: "StoveBurner-4" is class StoveBurner,
// number 4, and so is "StoveBurner_4", "StoveBurner#4", "StoveBurner.4", "StoveBurner~4",
// "StoveBurner/4", "StoveBurner:4" or "StoveBurner 4"; a bare class name has number 0,
// and "StoveBurner-0" the number ontology.Zeroth.
func SplitName(name string) (class string, number int) {
	at := len(name) - 1
	for at >= 0 && !isNumberMark(name[at]) {
		at--
	}
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
	if number == 0 {
		number = ontology.Zeroth
	}
	return name[:at], number
}

// isNumberMark reports whether something stands between the class and the number of an
// instance.
func isNumberMark(c byte) bool {
	switch c {
	case '-', '_', '#', ' ', '.', '~', '/', ':':
		return true
	}
	return false
}

// maxDigits bounds the numbers of instances.
const maxDigits = 6

// Spelling is what is the same of a name however a log writes it: "WineGlass-1",
// "wine_glass_1", "wine glass #1" and "wineGlass1" are one name.
func Spelling(name string) string {
	var buffer [64]byte
	return string(AppendSpelling(buffer[:0], name))
}

// AppendSpelling appends the Spelling of a name.
func AppendSpelling(out []byte, name string) []byte {
	digit, apart := false, false
	for _, r := range name {
		is := '0' <= r && r <= '9' || r > unicode.MaxASCII && unicode.IsDigit(r)
		if !is && !unicode.IsLetter(r) {
			apart = true
			continue
		}
		if apart && digit && is {
			out = append(out, '-') // "cup 1 2" is not cup 12
		}
		digit, apart = is, false
		out = utf8.AppendRune(out, unicode.ToLower(r))
	}
	return out
}
