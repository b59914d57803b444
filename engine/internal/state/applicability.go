package state

import "github.com/mishap-robotics/mishap/ontology"

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
	for _, x := range []Object{c.Target, c.Destination} {
		if s.Gone(x) {
			out = append(out, Violation{Name: Exists, Comment: "it does not exist", Culprit: x,
				Touched: []Fluent{{x, PlaceSlot}}})
		}
	}
	if len(out) > 0 {
		return out
	}
	return a.violations(c.Schema.Preconditions)
}

// OutOfReach lists the objects that the action needs the robot to be near and that
// it is not known to be near.
func (a Applicability) OutOfReach() []Object {
	s, c := a.state, a.call
	var out []Object
	q := c.query(s)
	for i := range c.Schema.Preconditions {
		for _, p := range c.Schema.Preconditions[i].Requires {
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
func (a Applicability) ViolatedNorms() []Violation { return a.violations(a.call.Schema.Norms) }

func (a Applicability) violations(conditions []ontology.Condition) []Violation {
	var out []Violation
	b := a.call.Binding()
	for i := range conditions {
		if v, bad := a.violation(&conditions[i], b); bad {
			out = append(out, v)
		}
	}
	return out
}

func (a Applicability) violation(cond *ontology.Condition, b Binding) (Violation, bool) {
	c := a.call
	if c.Absent(cond.When, cond.Requires, cond.Forbids) || c.Absent(cond.Unless...) {
		return Violation{}, false
	}
	q := c.query(a.state)
	when, at := q.atLeast(cond.When, b, AssumedTrue)
	if when < AssumedTrue || q.Any(cond.Unless, at) || q.upholds(cond, at) {
		return Violation{}, false
	}
	var touched []Fluent
	q.Touched = &touched
	worst, culprit, under := True, Nothing, at
	if len(cond.Requires) > 0 {
		worst, _ = q.Best(cond.Requires, at)
	}
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
	return Violation{Name: cond.Name, Comment: cond.Comment, Culprit: culprit, Touched: touched, Condition: cond, Binding: under}, true
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
