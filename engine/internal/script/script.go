// Package script reads episodes written in a few lines of plain text, for tests
// of rules and of programs.
package script

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/engine/scene"
	"github.com/mishap-robotics/mishap/ontology"
)

// Error is a line that cannot be read.
type Error struct {
	File string
	Line int
	Msg  string
}

func (e *Error) Error() string { return fmt.Sprintf("%s:%d: %s", e.File, e.Line, e.Msg) }

// Parse reads a script whose first line is the given one of its file; the error
// is an *Error. Its lines are
//
//	task: make coffee
//	goal: Mug filled_with_coffee, Mug located_at CounterTop
//	params: object_target=Mug
//	scene: Mug-1 dirty, Mug-1 inside Sink-1
//	person: Ann, Vegan, dislikes Tomato
//	agent: Ann, Human, hand Palm-1
//	agent: Both, member Robot-1, member Robot-2
//	plan: (pick_up, Mug), (put_in, Mug, Sink)
//	0 | Mug-1 on_top_of CounterTop-1, Faucet-1 off
//	1 (pick_up, Mug-1) | Mug-1 inside RobotGripper-1 | something drops
//	2 (lift, Mug-1) | Mug-1 | event force_spike Mug-1 41 N, door_bell
//	3 (pour, Mug-1) | Mug-1 temperature 60 Cel | with volume 0.2 L | at 10:30
//	4 Robot-2 (open_obj, Fridge-1) | none | id a7 in_progress
//	5 Robot-2 (open_obj, Fridge-1) | none | id a7 failed E42
//
// For "plan: as done" the actions of the steps are the plan. A step has its action, what was
// observed, and what was heard or told by a sensor, what the action is carried out with, or
// when it was; a line without an action is one in which somebody else may have done
// something. In an
// observation "all" makes it complete, and "none" alone means there was none.
// Blank lines and lines that begin with # are passed over.
func Parse(o *ontology.Ontology, file string, first int, text string) (*episode.Episode, error) {
	s := &scripted{onto: o, ep: &episode.Episode{ID: "test", Source: file, GripperObserved: true}}
	for i, line := range strings.Split(text, "\n") {
		if line = strings.TrimSpace(line); line == "" || line[0] == '#' {
			continue
		}
		s.number = first + i
		if err := s.line(line); err != nil {
			return nil, &Error{file, s.number, err.Error()}
		}
	}
	for i := range s.ep.Steps {
		if a := s.ep.Steps[i].Action; s.asDone && a.Name != "" {
			s.ep.Plan = append(s.ep.Plan, a)
		}
	}
	return s.ep, nil
}

type scripted struct {
	onto   *ontology.Ontology
	ep     *episode.Episode
	number int  // of the line
	asDone bool // the plan is what is done
}

func (s *scripted) line(line string) (err error) {
	if line[0] >= '0' && line[0] <= '9' {
		return s.step(line)
	}
	key, value, _ := strings.Cut(line, ":")
	value = strings.TrimSpace(value)
	switch key {
	case "task":
		s.ep.Task = value
	case "goal":
		s.ep.GoalFacts, err = facts(value)
	case "scene":
		s.ep.Scene, err = facts(value)
	case "params":
		s.ep.Params = map[string]string{}
		for _, p := range strings.Split(value, ",") {
			k, v, _ := strings.Cut(strings.TrimSpace(p), "=")
			s.ep.Params[k] = v
		}
	case "person":
		s.person(value)
	case "agent":
		s.agent(value)
	case "plan":
		if s.asDone = value == planAsDone; s.asDone {
			break
		}
		for _, a := range strings.Split(value, "),") {
			if err == nil {
				err = s.planned(strings.TrimSuffix(strings.TrimSpace(a), ")") + ")")
			}
		}
	default:
		err = fmt.Errorf("found %q; expected task, goal, params, scene, person, agent, plan or a step such as: 1 (pick_up, Mug-1) | Mug-1 inside RobotGripper-1", key)
	}
	return err
}

// planAsDone is the plan of which the steps are what was done, and all of it.
const planAsDone = "as done"

func (s *scripted) planned(text string) error {
	a, err := episode.ParseAction(s.onto, text)
	s.ep.Plan = append(s.ep.Plan, a)
	return err
}

func (s *scripted) person(value string) {
	parts := strings.Split(value, ",")
	p := episode.Person{Name: parts[0]}
	for _, d := range parts[1:] {
		if d = strings.TrimSpace(d); strings.HasPrefix(d, "dislikes ") {
			p.Dislikes = append(p.Dislikes, d[len("dislikes "):])
		} else {
			p.Diets = append(p.Diets, d)
		}
	}
	s.ep.People = append(s.ep.People, p)
}

func (s *scripted) agent(value string) {
	parts := strings.Split(value, ",")
	a := episode.Agent{Name: strings.TrimSpace(parts[0])}
	for _, part := range parts[1:] {
		part = strings.TrimSpace(part)
		if hand, is := strings.CutPrefix(part, "hand "); is {
			a.Grippers = append(a.Grippers, hand)
		} else if member, is := strings.CutPrefix(part, "member "); is {
			a.Members = append(a.Members, member)
		} else {
			a.Class = part
		}
	}
	s.ep.Crew = append(s.ep.Crew, a)
}

func facts(text string) ([]episode.Fact, error) {
	var out []episode.Fact
	for _, item := range strings.Split(text, ",") {
		words := strings.Fields(item)
		many := quantifier(words)
		f, ok := episode.FactOf(words[many:])
		f.Subject = strings.Join(append(words[:many:many], f.Subject), " ")
		if !ok {
			return nil, fmt.Errorf("found %q; expected a state such as Mug-1 dirty, or a relation such as Mug-1 inside Sink-1", strings.TrimSpace(item))
		}
		out = append(out, f)
	}
	return out, nil
}

// quantifier is how many words at the beginning of a goal say of how many things it speaks,
// as in "every Mug", "exactly 2 Mug" and "at least 2 Mug".
func quantifier(words []string) int {
	for _, w := range [][]string{{"every"}, {"no"}, {"exactly", ""}, {"at", "least", ""}, {"at", "most", ""}} {
		if len(words) > len(w) && slices.EqualFunc(w, words[:len(w)], func(want, word string) bool { return want == "" || want == word }) {
			return len(w)
		}
	}
	return 0
}

func (s *scripted) step(line string) error {
	parts := strings.Split(line, "|")
	head := strings.TrimSpace(parts[0])
	number, action, _ := strings.Cut(head, " ")
	n, err := strconv.Atoi(number)
	if err != nil {
		return fmt.Errorf("found step %q; expected a number", number)
	}
	if k := len(s.ep.Steps); k > 0 && s.ep.Steps[k-1].Index >= n {
		return fmt.Errorf("step %d comes after step %d; expected ascending steps", n, s.ep.Steps[k-1].Index)
	}
	if n > 0 && strings.TrimSpace(action) == "" && len(parts) == 1 {
		return fmt.Errorf("step %d has neither an action nor an observation; expected for example (pick_up, Mug-1)", n)
	}
	st := episode.Step{Index: n, Time: fmt.Sprintf("00:%02d", n), Line: s.number}
	if action = strings.TrimSpace(action); action != "" {
		if agent, rest, ok := strings.Cut(action, " ("); ok {
			st.Agent, action = agent, "("+rest
		}
		if st.Action, err = episode.ParseAction(s.onto, action); err != nil {
			return err
		}
	}
	st.Observation.Missing = len(parts) < 2 || strings.TrimSpace(parts[1]) == "none"
	if !st.Observation.Missing {
		if err := s.observe(&st.Observation, parts[1]); err != nil {
			return err
		}
	}
	for _, part := range parts[min(2, len(parts)):] {
		if err := s.aside(&st, strings.TrimSpace(part)); err != nil {
			return err
		}
	}
	s.ep.Steps = append(s.ep.Steps, st)
	return nil
}

// aside reads what stands after the observation: "at 10:30", "again" of an action that is
// carried out once more and not only seen again, "id a7" or "status failed" with what the
// robot says became of the action and its code, what the action is carried out
// with as in "with volume 20 uL, force 3", what sensors told of as in "event force_spike
// Mug-1 41 N, door_bell", or what was heard.
func (s *scripted) aside(st *episode.Step, text string) error {
	if text == "again" { // the same action once more
		st.ID = strconv.Itoa(st.Index)
		return nil
	}
	if words := strings.Fields(text); len(words) > 1 && (words[0] == "id" || words[0] == "status") {
		return says(st, words)
	}
	if at, ok := strings.CutPrefix(text, "at "); ok {
		if _, ok := episode.Seconds(at); !ok {
			return fmt.Errorf("found the time %q; expected for example at 10:30, or at 12.5", at)
		}
		st.Time = at
		return nil
	}
	if events, ok := strings.CutPrefix(text, "event "); ok {
		for _, item := range strings.Split(events, ",") {
			e, err := sensorEvent(strings.Fields(item))
			if err != nil {
				return err
			}
			st.Events = append(st.Events, e)
		}
		return nil
	}
	with, ok := strings.CutPrefix(text, "with ")
	for _, item := range strings.Split(with, ",") {
		item = strings.TrimSpace(item)
		if !ok {
			st.Sounds = append(st.Sounds, item)
			continue
		}
		r, err := reading(strings.Fields(item))
		if err != nil {
			return err
		}
		st.Values = append(st.Values, r)
	}
	return nil
}

// says reads what the robot says of its action: "id a7", "id a7 in_progress", "status failed
// E42".
func says(st *episode.Step, words []string) error {
	rest := words[1:]
	if words[0] == "id" {
		st.ID, rest = words[1], words[2:]
	}
	if len(rest) > 0 {
		if st.Status = episode.Status(rest[0]); !slices.Contains(episode.Statuses, st.Status) || len(rest) > 2 {
			return fmt.Errorf("found %q of an action; expected %q and perhaps a code, as in status failed E42", strings.Join(rest, " "), episode.Statuses)
		}
		st.Result = strings.Join(rest[1:], "")
	}
	return nil
}

// sensorEvent reads a kind, perhaps an object, and perhaps a number and its unit.
func sensorEvent(w []string) (e episode.SensorEvent, err error) {
	if len(w) == 0 {
		return e, fmt.Errorf("found no event; expected a kind, and perhaps an object and a number, as in event force_spike Mug-1 41 N")
	}
	e.Kind, w = w[0], w[1:]
	if len(w) > 0 && !isNumber(w[0]) {
		e.Object, w = w[0], w[1:]
	}
	if len(w) == 0 {
		return e, nil
	}
	if e.Number, err = strconv.ParseFloat(w[0], 64); err != nil {
		return e, fmt.Errorf("found %q after the object of an event; expected a number, as in event force_spike Mug-1 41 N", w[0])
	}
	e.Measured, e.Unit = true, strings.Join(w[1:], " ")
	return e, nil
}

func isNumber(text string) bool {
	_, err := strconv.ParseFloat(text, 64)
	return err == nil
}

// reading reads a quantity, a number and perhaps a unit.
func reading(w []string) (scene.Reading, error) {
	if len(w) > 1 {
		if number, err := strconv.ParseFloat(w[1], 64); err == nil {
			return scene.Reading{Quantity: w[0], Number: number, Unit: strings.Join(w[2:], " ")}, nil
		}
	}
	return scene.Reading{}, fmt.Errorf("found %q; expected a quantity and a number, as in temperature 9.5", strings.Join(w, " "))
}

func (s *scripted) observe(o *episode.Observation, text string) error {
	for _, item := range strings.Split(text, ",") {
		switch w := strings.Fields(item); {
		case len(w) == 1 && w[0] == "all":
			o.Complete = true
		case len(w) == 1:
			node(o, w[0])
		case len(w) == 2:
			n := node(o, w[0])
			n.States = append(n.States, w[1])
		case len(w) > 2 && s.onto.QuantityNamed(w[1]) != nil:
			r, err := reading(w[1:])
			if err != nil {
				return err
			}
			n := node(o, w[0])
			n.Values = append(n.Values, r)
		case len(w) == 3 && w[1] == "made_of":
			n := node(o, w[0])
			n.Properties = append(n.Properties, w[2])
		case len(w) == 3:
			node(o, w[0])
			if c, _ := episode.SplitName(w[2]); c != s.onto.Name(s.onto.Core.RobotGripper) {
				node(o, w[2])
			}
			o.Edges = append(o.Edges, scene.Edge{Subject: w[0], Relation: w[1], Object: w[2]})
		case len(w) > 3:
			return fmt.Errorf("found %q; expected an object, a state such as Mug-1 dirty, or a relation such as Mug-1 inside Sink-1", strings.TrimSpace(item))
		}
	}
	return nil
}

func node(o *episode.Observation, id string) *scene.Node {
	for i := range o.Nodes {
		if o.Nodes[i].ID == id {
			return &o.Nodes[i]
		}
	}
	class, _ := episode.SplitName(id)
	o.Nodes = append(o.Nodes, scene.Node{ID: id, Class: class})
	return &o.Nodes[len(o.Nodes)-1]
}
