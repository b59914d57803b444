package state

import (
	"slices"
	"strings"

	"github.com/mishap-robotics/mishap/ontology"
)

// Applicability is what stands against an action in a state.
type Applicability struct {
	state *State
	call  Call
}

// Judge judges a call in the state as it is when it is asked.
func (s *State) Judge(c Call) Applicability { return Applicability{s, c} }

// UnmetPreconditions lists the preconditions that do not hold. What is undecided
// counts as holding.
func (a Applicability) UnmetPreconditions() []Violation {
	s, c := a.state, a.call
	var out []Violation
	for _, x := range c.Objects() {
		if s.Gone(x) {
			out = append(out, Violation{Name: Exists, Comment: "it does not exist", Culprit: x,
				Touched: []Fluent{{x, PlaceSlot}}})
		}
	}
	for i, p := range c.Schema.Parameters {
		if x := c.parameter(i); x != Nothing && p.Class != ontology.None && s.Objects.Class(x) != ontology.None && !s.Objects.IsA(x, p.Class) {
			out = append(out, Violation{Name: OfClass, Comment: s.Objects.Name(x) + " is no " + s.Objects.Onto.Label(p.Class), Culprit: x})
		}
	}
	if len(out) > 0 {
		return out
	}
	return append(out, a.violations(c.Schema.Preconditions, c.Schema.InOrder)...)
}

// OutOfReach lists the objects that the action needs the robot to be near and that
// it is not known to be near.
func (a Applicability) OutOfReach() []Object {
	s, c := a.state, a.call
	var out []Object
	q := c.query(s)
	for i := range c.Schema.Preconditions {
		for _, p := range c.Schema.Preconditions[i].Needed() {
			if p.Predicate != s.Objects.Onto.Core.Near || !p.Object.IsVar() {
				continue
			}
			if x := c.Binding()[p.Object.Var].Object(); x != Nothing && q.near(c.Agent, x) < AssumedTrue {
				out = append(out, x)
			}
		}
	}
	return out
}

// ViolatedNorms lists the norms that do not hold.
func (a Applicability) ViolatedNorms() []Violation { return a.violations(a.call.Schema.Norms, false) }

// violations are the conditions that do not hold; the first of them alone where only that is
// asked for.
func (a Applicability) violations(conditions []ontology.Condition, first bool) []Violation {
	var out []Violation
	b := a.call.Binding()
	for i := range conditions {
		if v, bad := a.violation(&conditions[i], b); bad {
			if out = append(out, v); first {
				break
			}
		}
	}
	return out
}

func (a Applicability) violation(cond *ontology.Condition, b Binding) (Violation, bool) {
	c := a.call
	if c.Absent(cond.When, cond.Requires, cond.Forbids) || c.Absent(cond.Unless...) || c.Absent(cond.Any...) {
		return Violation{}, false
	}
	q := c.query(a.state)
	when, at := True, b
	if len(cond.When) > 0 {
		when, at = q.AtLeast(cond.When, b, AssumedTrue)
	}
	if when < AssumedTrue || q.Any(cond.Unless, at) || q.upholds(cond, at) {
		return Violation{}, false
	}
	var touched []Fluent
	q.Touched = &touched
	worst, culprit, under := True, Nothing, at
	if len(cond.Requires) > 0 {
		worst, _ = q.Best(cond.Requires, at)
	}
	worst = min(worst, q.anyOf(cond.Any, at))
	if len(cond.Forbids) > 0 {
		t, w := q.Best(cond.Forbids, at)
		if -t < worst {
			worst, culprit, under = -t, firstExtra(w, at), w
			touched = nil
			q.eachTouched(cond.Forbids, w)
		}
	}
	if worst > AssumedFalse {
		return Violation{}, false
	}
	return Violation{Name: cond.Name, Comment: a.comment(cond, under), Culprit: culprit, Touched: touched, Condition: cond, Binding: under, About: about(cond, under)}, true
}

// comment is why the action fails without a condition, with the objects that its variables
// stand for.
func (a Applicability) comment(cond *ontology.Condition, b Binding) string {
	text, vars := cond.Comment, a.call.Schema.Vars
	if !strings.Contains(text, "?") {
		return text
	}
	byLength := slices.SortedFunc(slices.Values(slices.Clone(vars)), func(v, w string) int { return len(w) - len(v) })
	for _, name := range byLength {
		i := slices.Index(vars, name)
		if x := b[i].Object(); x != Nothing {
			text = strings.ReplaceAll(text, name, a.state.Objects.Name(x))
		}
	}
	return text
}

// about are the objects that a condition is told of.
func about(cond *ontology.Condition, b Binding) []Object {
	var out []Object
	for _, arg := range cond.About {
		x := Nothing
		if arg.IsVar() {
			x = b[arg.Var].Object()
		}
		out = append(out, x)
	}
	return out
}

// SupportOf reads the fluents on which a condition that holds rests.
func (a Applicability) SupportOf(cond *ontology.Condition) []Fluent {
	s, c := a.state, a.call
	var touched []Fluent
	q := c.query(s)
	if c.Absent(cond.Requires, cond.Forbids) {
		return nil
	}
	if t, w := q.Best(cond.Requires, c.Binding()); t >= Undecided {
		q.Touched = &touched
		q.eachTouched(cond.Requires, w)
	}
	return touched
}
