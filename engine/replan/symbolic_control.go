package replan

import (
	"context"
	"strings"

	"github.com/mishap-robotics/mishap/engine/internal/belief"
	"github.com/mishap-robotics/mishap/engine/internal/state"
	"github.com/mishap-robotics/mishap/ontology"
)

// Run carries out the action of a subtask; where that has none, the action whose
// primary term is that of the terms. It fails where the action is seen to.
func (s *Symbolic) Run(ctx context.Context, sub Subtask, terms []RewardTerm) (ControlOutcome, error) {
	a := sub.Action
	if a.Name == "" {
		var ok bool
		if a, ok = s.known.mover().actionFor(terms); !ok {
			return ControlOutcome{Detail: "no action settles the reward terms", Measure: symbolicMeasure{s.known}}, nil
		}
	}
	if err := s.perform(ctx, a); err != nil {
		return ControlOutcome{}, err
	}
	out := ControlOutcome{Done: !s.known.monitor.Failing(), Measure: symbolicMeasure{s.known}}
	if !out.Done {
		out.Detail = s.known.unmet()
	}
	return out, nil
}

// Done reports whether the effects of a subtask hold as far as is believed, and nothing
// was found to have gone wrong.
func (s *Symbolic) Done(_ context.Context, sub Subtask) (bool, string, error) {
	if s.known.monitor.Failing() {
		return false, s.known.unmet(), nil
	}
	if len(s.found) > 0 {
		return false, s.found[0].Explanation, nil
	}
	c, ok := s.known.call(sub.Action)
	if !ok || c.Schema.Conditional() || s.reasoner.Ontology.Replaces(c.Schema) || s.reasoner.Ontology.IsNavigation(c.Schema) {
		return true, "", nil
	}
	for _, change := range s.known.believed().Clone().Apply(c, state.Predicted, s.known.monitor.Trace().Last()) {
		if !change.Idle {
			return false, "its effect is not to be seen on " + s.known.name(change.Fluent.Obj), nil
		}
	}
	return true, "", nil
}

// Goal reports whether the goal holds as far as is believed and nothing is left to put
// right, such as what was left on.
func (s *Symbolic) Goal(ctx context.Context) (bool, []string, error) {
	t := s.known.monitor.Trace()
	if got, _ := t.GoalTruth(s.known.believed()); got < state.AssumedTrue {
		return false, s.lacking(t), nil
	}
	s.known.monitor.Replan(nil)
	p := s.propose(ctx, s.finding(), 0)
	if err := ctx.Err(); err != nil {
		return false, nil, err
	}
	if len(p.Plan) == 0 || !p.Verified {
		return true, nil, nil // nothing is left that could be done
	}
	return false, []string{"that this is put right: " + s.known.phrase(p.Plan[0])}, nil
}

// lacking are the conditions of the goal that are not known to hold.
func (s *Symbolic) lacking(t *belief.Trace) []string {
	if out := t.UnmetGoalTexts(s.known.believed()); len(out) > 0 {
		return out
	}
	return []string{"certainty: " + strings.Join(s.Intent().Conditions, ", ")}
}

// symbolicMeasure measures by what is believed: two things are 0 m apart where one is
// in, on, before, near or in the hand of the other, and 1 m otherwise; what is held is
// at LiftHeight, all else at 0 m. Rotations are not known.
type symbolicMeasure struct{ known *knowledge }

func (m symbolicMeasure) objects(a, b string) (x, y state.Object, ok bool) {
	objects := m.known.monitor.Trace().Objects
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
	now, t := m.known.believed(), m.known.monitor.Trace()
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
		return agent == t.Robot && q.Near(agent, y) >= state.AssumedTrue || now.HasEdge(x, m.known.onto.Core.Occluding, y)
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
	now := m.known.believed()
	for slot := int32(1); slot < now.StateSlots(); slot++ {
		v := now.Get(state.Fluent{Obj: x, Slot: slot})
		if v.Status == state.Unknown || v.Term == ontology.None {
			continue
		}
		if f, ok := m.known.onto.JointFraction(v.Term); ok {
			return f, true
		}
	}
	return 0, false
}

// Height is LiftHeight for what is held.
func (m symbolicMeasure) Height(object string) (float64, bool) {
	x, _, ok := m.objects(object, object)
	if ok && m.known.believed().Place(x).At == m.known.monitor.Trace().Gripper {
		return LiftHeight, true
	}
	return 0, ok
}

// Rotation is not known.
func (m symbolicMeasure) Rotation(string) (float64, bool) { return 0, false }
