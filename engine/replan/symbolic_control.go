package replan

import (
	"context"
	"slices"
	"strings"

	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/engine/internal/belief"
	"github.com/mishap-robotics/mishap/engine/internal/state"
	"github.com/mishap-robotics/mishap/ontology"
)

// Run carries out the action of a subtask; where that has none, the action whose
// primary term is that of the terms. It fails where the action is seen to.
func (s *Symbolic) Run(ctx context.Context, sub Subtask, terms []Term) (ControlOutcome, error) {
	a := sub.Action
	if a.Name == "" {
		var ok bool
		if a, ok = s.actionFor(terms); !ok {
			return ControlOutcome{Detail: "no action settles the reward terms", Measure: symbolicMeasure{s}}, nil
		}
	}
	if err := s.perform(ctx, a); err != nil {
		return ControlOutcome{}, err
	}
	out := ControlOutcome{Done: !s.monitor.Failing(), Measure: symbolicMeasure{s}}
	if !out.Done {
		out.Detail = s.unmet()
	}
	return out, nil
}

// unmet words why the last action failed, as far as is believed.
func (s *Symbolic) unmet() string {
	t := s.monitor.Trace()
	e := &t.Events[len(t.Events)-1]
	var out []string
	for _, u := range e.Unmet {
		out = append(out, s.because(e.Call, u.Violation))
	}
	if len(out) == 0 {
		return t.Objects.CallText(e.Call) + " had no effect"
	}
	return strings.Join(out, "; ")
}

// actionFor is the action on things that the terms name whose motions have the primary
// term first.
func (s *Symbolic) actionFor(terms []Term) (episode.Action, bool) {
	i := slices.IndexFunc(terms, func(t Term) bool { return t.Primary })
	if i < 0 {
		return episode.Action{}, false
	}
	names := []string{terms[i].Object, terms[i].Other, ""}
	for _, schema := range s.reasoner.Ontology.Actions {
		for _, target := range names {
			for _, destination := range names {
				if (target == "") != (schema.Params < 1) || (destination == "") != (schema.Params < 2) {
					continue
				}
				a := episode.Action{Name: schema.Name, Target: target, Destination: destination}
				if s.settles(a, terms[i]) {
					return a, true
				}
			}
		}
	}
	return episode.Action{}, false
}

// settles reports whether an action that can be done now has a term as its first.
func (s *Symbolic) settles(a episode.Action, t Term) bool {
	motions := s.motions(a)
	if len(motions) == 0 {
		return false
	}
	m := motions[0].term
	same := m.Object == t.Object && m.Other == t.Other || m.Object == t.Other && m.Other == t.Object
	if m.Function != t.Function || !same || t.Function != MinimizeDistance && m.Value != t.Value {
		return false
	}
	c, _ := s.call(a)
	return !slices.ContainsFunc(s.believed().UnmetPreconditions(c), func(v state.Violation) bool { return !s.near(v) })
}

// Done reports whether the effects of a subtask hold as far as is believed, and nothing
// was found to have gone wrong.
func (s *Symbolic) Done(_ context.Context, sub Subtask) (bool, string, error) {
	if s.monitor.Failing() {
		return false, s.unmet(), nil
	}
	if len(s.found) > 0 {
		return false, s.found[0].Explanation, nil
	}
	c, ok := s.call(sub.Action)
	if !ok || c.Schema.Conditional() || s.reasoner.Ontology.Replaces(c.Schema) || s.reasoner.Ontology.IsNavigation(c.Schema) {
		return true, "", nil
	}
	for _, change := range s.believed().Clone().Apply(c, state.Predicted, s.monitor.Trace().Last()) {
		if !change.Idle {
			return false, "its effect is not to be seen on " + s.name(change.Fluent.Obj), nil
		}
	}
	return true, "", nil
}

// Goal reports whether the goal holds as far as is believed and nothing is left to put
// right, such as what was left on.
func (s *Symbolic) Goal(ctx context.Context) (bool, []string, error) {
	t := s.monitor.Trace()
	if got, _ := t.GoalTruth(s.believed()); got < state.AssumedTrue {
		return false, s.lacking(t), nil
	}
	s.monitor.Replan(nil)
	p := s.propose(ctx, s.finding(), 0)
	if err := ctx.Err(); err != nil {
		return false, nil, err
	}
	if len(p.Plan) == 0 || !p.Verified {
		return true, nil, nil // nothing is left that could be done
	}
	return false, []string{"that this is put right: " + s.phrase(p.Plan[0])}, nil
}

// lacking are the conditions of the goal that are not known to hold.
func (s *Symbolic) lacking(t *belief.Trace) []string {
	if out := t.UnmetGoalTexts(s.believed()); len(out) > 0 {
		return out
	}
	return []string{"certainty: " + strings.Join(s.Intent().Conditions, ", ")}
}

// symbolicMeasure measures by what is believed: two things are 0 m apart where one is
// in, on, before, near or in the hand of the other, and 1 m otherwise; what is held is
// at LiftHeight, all else at 0 m. Rotations are not known.
type symbolicMeasure struct{ s *Symbolic }

func (m symbolicMeasure) objects(a, b string) (x, y state.Object, ok bool) {
	objects := m.s.monitor.Trace().Objects
	x, okx := objects.Lookup(a)
	y, oky := objects.Lookup(b)
	return x, y, okx && oky
}

// Distance is 0 or 1.
func (m symbolicMeasure) Distance(a, b string) (float64, bool) {
	x, y, ok := m.objects(a, b)
	if !ok {
		return 0, false
	}
	now, t := m.s.believed(), m.s.monitor.Trace()
	q := state.Query{State: now, Agent: t.Robot, Gripper: t.Gripper}
	touch := func(x, y state.Object) bool {
		for at, i := x, 0; at != state.Nothing && i <= len(t.Objects.Items); at, i = now.Place(at).At, i+1 {
			if at == y {
				return true
			}
		}
		agent := x
		if x == t.Gripper {
			agent = t.Robot
		}
		return agent == t.Robot && q.Near(agent, y) >= state.AssumedTrue || now.HasEdge(x, m.s.reasoner.Ontology.Core.Occluding, y)
	}
	if touch(x, y) || touch(y, x) {
		return 0, true
	}
	return 1, true
}

// Joint is by the state of a door or switch.
func (m symbolicMeasure) Joint(object string) (float64, bool) {
	x, _, ok := m.objects(object, object)
	if !ok {
		return 0, false
	}
	now := m.s.believed()
	for slot := int32(1); slot < now.Slots(); slot++ {
		v := now.Get(state.Fluent{Obj: x, Slot: slot})
		if v.Status == state.Unknown || v.Term == ontology.None {
			continue
		}
		if f, ok := m.s.reasoner.Ontology.JointFraction(v.Term); ok {
			return f, true
		}
	}
	return 0, false
}

// Height is LiftHeight for what is held.
func (m symbolicMeasure) Height(object string) (float64, bool) {
	x, _, ok := m.objects(object, object)
	if ok && m.s.believed().Place(x).At == m.s.monitor.Trace().Gripper {
		return LiftHeight, true
	}
	return 0, ok
}

// Rotation is not known.
func (m symbolicMeasure) Rotation(string) (float64, bool) { return 0, false }
