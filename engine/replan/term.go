package replan

import (
	"encoding/json"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/mishap-robotics/mishap/ontology"
)

// Function is a kind of reward, by the name that RePlan's low-level planner gives it.
type Function string

// The functions of reward terms.
const (
	MinimizeDistance Function = "minimize_l2_distance_reward"
	MaximizeDistance Function = "maximize_l2_distance_reward"
	JointFraction    Function = "set_joint_fraction_reward"
	Height           Function = "set_obj_z_position_reward"
	Orientation      Function = "set_obj_orientation_reward"
)

// defaultDistance is how far apart two things are to be, in metres, where a term does
// not say.
const defaultDistance = 0.5

// RewardTerm is one term of the reward that a motion controller maximises.
type RewardTerm struct {
	Function Function
	Object   string // what is to move or turn
	Other    string // to or from which it moves, "" for functions of one object
	// Value is the distance in metres, the joint fraction from 0 to 1, the height in
	// metres or the rotation about the x axis in degrees, by function.
	Value   float64
	Weight  float64 // at least 0
	Primary bool    // settling it satisfies the subtask
}

// signature is how a function is written.
type signature struct {
	objects int
	value   string // the name of its value, "" for none
	fixed   bool   // the value must be given
}

var signatures = map[Function]signature{
	MinimizeDistance: {objects: 2},
	MaximizeDistance: {objects: 2, value: "distance"},
	JointFraction:    {1, "fraction", true},
	Height:           {1, "z", true},
	Orientation:      {1, "rotation", true},
}

func functions() []string {
	return []string{string(MinimizeDistance), string(MaximizeDistance), string(JointFraction), string(Height), string(Orientation)}
}

// String is the term as ParseTerms reads it.
func (t RewardTerm) String() string {
	args := []string{quote(t.Object)}
	sig := signatures[t.Function]
	if sig.objects > 1 {
		args = append(args, quote(t.Other))
	}
	if sig.value != "" {
		args = append(args, sig.value+"="+number(t.Value))
	}
	if t.Weight != 1 {
		args = append(args, "weight="+number(t.Weight))
	}
	text := string(t.Function) + "(" + strings.Join(args, ", ") + ")"
	if t.Primary {
		return "primary " + text
	}
	return text
}

func quote(name string) string { return `"` + name + `"` }

func number(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }

// MarshalJSON writes the term as text beside its parts.
func (t RewardTerm) MarshalJSON() ([]byte, error) {
	objects := []string{t.Object}
	if t.Other != "" {
		objects = append(objects, t.Other)
	}
	return json.Marshal(struct {
		Text    string   `json:"text"`
		Objects []string `json:"objects"`
		Weight  float64  `json:"weight"`
		Primary bool     `json:"primary"`
	}{t.String(), objects, t.Weight, t.Primary})
}

// TermError is a line of reward terms that cannot be used.
type TermError struct {
	Line int    // from 1
	Text string // of the line
	Msg  string // what was found, and what was expected
}

func (e *TermError) Error() string { return fmt.Sprintf("line %d: %s", e.Line, e.Msg) }

// maxTermLines and maxTermLine bound what is read of the answer of a model.
const (
	maxTermLines = 100
	maxTermLine  = 500
)

var (
	termForm  = regexp.MustCompile(`^(primary\s+)?([A-Za-z_]\w*)\s*\((.*)\)$`)
	nameForm  = regexp.MustCompile(`^"([^"]*)"$|^'([^']*)'$`)
	valueForm = regexp.MustCompile(`^([A-Za-z_]\w*)\s*=\s*(\S+)$`)
)

// ParseTerms reads reward terms, one a line:
//
//	term  = [ "primary" ] function "(" name { "," name } { "," key "=" number } ")"
//	name  = a thing of the scene in quotes, or a label that only one thing has
//
//	minimize_l2_distance_reward("palm", "Apple-1")
//	maximize_l2_distance_reward("Bar-1", "Cabinet-1", distance=0.5)
//	primary set_joint_fraction_reward("Cabinet-1", fraction=1)
//	set_obj_z_position_reward("Apple-1", z=0.5)
//	set_obj_orientation_reward("Cup-1", rotation=90, weight=0.2)
//
// A distance and a height are in metres, a rotation in degrees; any term may have a
// weight, 1 where it has none. Empty lines and lines that begin with # are passed over.
// A line that is anything else is an error (*TermError) and leaves the others.
func ParseTerms(text string, scene Scene) ([]RewardTerm, []error) {
	var terms []RewardTerm
	var errs []error
	for i, line := range strings.Split(text, "\n") {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		if len(terms)+len(errs) >= maxTermLines {
			return terms, append(errs, &TermError{i + 1, clip(line), fmt.Sprintf("more than %d terms; expected a few", maxTermLines)})
		}
		t, err := parseTerm(line, scene)
		if err != nil {
			errs = append(errs, &TermError{i + 1, clip(line), err.Error()})
			continue
		}
		terms = append(terms, t)
	}
	return terms, errs
}

func parseTerm(line string, scene Scene) (RewardTerm, error) {
	m := termForm.FindStringSubmatch(line)
	if m == nil || len(line) > maxTermLine {
		return RewardTerm{}, fmt.Errorf("%q; expected the form function(\"object\", …, name=number)", clip(line))
	}
	t := RewardTerm{Function: Function(m[2]), Weight: 1, Primary: m[1] != ""}
	sig, ok := signatures[t.Function]
	if !ok {
		return t, fmt.Errorf("unknown function %q; expected %s", clip(m[2]), hint(m[2], functions()))
	}
	names, values, err := arguments(m[3])
	if err != nil {
		return t, err
	}
	if len(names) != sig.objects {
		return t, fmt.Errorf("%s with %d objects; expected %d", t.Function, len(names), sig.objects)
	}
	for i, to := range []*string{&t.Object, &t.Other}[:sig.objects] {
		thing, ok := scene.Find(names[i])
		if !ok {
			return t, fmt.Errorf("unknown name %q; expected %s", clip(names[i]), hint(names[i], scene.all()))
		}
		*to = thing.Name
	}
	if t.Object == t.Other {
		return t, fmt.Errorf("%s of %q to itself; expected two things", t.Function, t.Object)
	}
	return t, t.set(sig, values)
}

// all are the names in the scene, with those of the robot.
func (s Scene) all() []string {
	var out []string
	for _, t := range s.Things {
		out = append(out, t.Name)
	}
	return out
}

// hint says what a name may have meant.
func hint(name string, known []string) string {
	if near := ontology.Nearest(name, known); near != "" {
		return near + " or another of those known"
	}
	const most = 12
	if len(known) > most {
		return "one of " + strings.Join(known[:most], ", ") + ", …"
	}
	if len(known) == 0 {
		return "nothing, for none is known"
	}
	return "one of " + strings.Join(known, ", ")
}

// arguments reads the arguments of a term: names first, then values.
func arguments(text string) (names []string, values map[string]float64, err error) {
	values = map[string]float64{}
	for _, arg := range splitArguments(text) {
		if m := nameForm.FindStringSubmatch(arg); m != nil {
			if len(values) > 0 {
				return nil, nil, fmt.Errorf("object %s after a value; expected objects first", clip(arg))
			}
			names = append(names, m[1]+m[2])
			continue
		}
		m := valueForm.FindStringSubmatch(arg)
		if m == nil {
			return nil, nil, fmt.Errorf("argument %q; expected an object in quotes or name=number", clip(arg))
		}
		x, err := strconv.ParseFloat(m[2], 64)
		if err != nil || math.IsNaN(x) || math.IsInf(x, 0) {
			return nil, nil, fmt.Errorf("%s=%q; expected a number", m[1], clip(m[2]))
		}
		if _, twice := values[m[1]]; twice {
			return nil, nil, fmt.Errorf("%s is given twice; expected it once", m[1])
		}
		values[m[1]] = x
	}
	return names, values, nil
}

// splitArguments splits at commas outside quotes.
func splitArguments(text string) []string {
	if strings.TrimSpace(text) == "" {
		return nil
	}
	var out []string
	quote, from := rune(0), 0
	for i, r := range text {
		switch {
		case quote != 0:
			if r == quote {
				quote = 0
			}
		case r == '"' || r == '\'':
			quote = r
		case r == ',':
			out = append(out, strings.TrimSpace(text[from:i]))
			from = i + 1
		}
	}
	return append(out, strings.TrimSpace(text[from:]))
}

// set takes the values of a term over, as its function allows.
func (t *RewardTerm) set(sig signature, values map[string]float64) error {
	expected := slices.DeleteFunc([]string{sig.value, "weight"}, func(s string) bool { return s == "" })
	for name := range values {
		if !slices.Contains(expected, name) {
			return fmt.Errorf("%s has no %s; expected %s", t.Function, name, strings.Join(expected, " or "))
		}
	}
	if w, ok := values["weight"]; ok {
		t.Weight = w
	}
	value, given := values[sig.value]
	switch {
	case given:
		t.Value = value
	case sig.fixed:
		return fmt.Errorf("%s without %s; expected %s=number", t.Function, sig.value, sig.value)
	case t.Function == MaximizeDistance:
		t.Value = defaultDistance
	}
	return t.valid()
}

// valid reports a value that the function does not take.
func (t *RewardTerm) valid() error {
	switch {
	case t.Weight < 0:
		return fmt.Errorf("weight=%v; expected a weight of at least 0", t.Weight)
	case t.Function == JointFraction && (t.Value < 0 || t.Value > 1):
		return fmt.Errorf("fraction=%v; expected from 0 to 1", t.Value)
	case t.Function == MaximizeDistance && t.Value <= 0:
		return fmt.Errorf("distance=%v; expected metres above 0", t.Value)
	}
	return nil
}
