package recovery

import (
	"slices"

	"github.com/mishap-robotics/mishap/engine/internal/state"
)

// findOut looks at an object of which a state is not known that no action and no
// process brings about, and goes on as if it were what is asked for.
func (m *model) findOut(mo *moment, l literal) ([]PlanStep, bool) {
	slot := mo.s.SlotOf(l.y.Term())
	if l.pred != m.onto.Core.State || slot < 1 || m.look == nil || mo.s.Gone(l.x) {
		return nil, false
	}
	f := state.Fluent{Obj: l.x, Slot: slot}
	if mo.s.Get(f).Status != state.Unknown || !m.unalterable(mo.s, slot) {
		return nil, false
	}
	var out []PlanStep
	if !m.reaches(mo.s, l.x) {
		st, ok := m.goTo(mo, l.x)
		if !ok {
			return nil, false
		}
		out = append(out, st)
	}
	v := state.Value{Term: l.y.Term(), At: state.Nothing, Status: state.Assumed, Since: imagined}
	mo.s.Set(f, v)
	return append(out, PlanStep{Call: m.call(m.look, l.x, state.Nothing), From: FromLook, Finds: &LookResult{f, v, m.text(l), m.objects.Name(l.x), ""}}), true
}

// knowable reports whether looking may show that a literal holds.
func (m *model) knowable(s *state.State, l literal) bool {
	slot := s.SlotOf(l.y.Term())
	return l.pred == m.onto.Core.State && slot >= 1 && m.look != nil && !s.Gone(l.x) &&
		s.Get(state.Fluent{Obj: l.x, Slot: slot}).Status == state.Unknown && m.unalterable(s, slot)
}

// unalterable reports whether nothing leads to a state of a dimension.
func (m *model) unalterable(s *state.State, slot int32) bool {
	for _, t := range m.produced() {
		if s.SlotOf(t) == slot {
			return false
		}
	}
	return true
}

// lookFor looks whether an object is where it is only supposed to be.
func (m *model) lookFor(mo *moment, x state.Object) []PlanStep {
	if m.look == nil || x == state.Nothing || !slices.Contains(m.supposed, x) {
		return nil
	}
	at := mo.s.Place(x)
	if at.Status != state.Assumed || at.At == state.Nothing || m.objects.IsA(at.At, m.onto.Core.RobotGripper) {
		return nil
	}
	mo.s.Set(state.Fluent{Obj: x, Slot: state.PlaceSlot}, state.Value{Term: at.Term, At: at.At, Status: state.Predicted, Since: imagined})
	if slices.Contains(mo.looked, at.At) {
		return nil // it has looked there for something else
	}
	mo.looked = append(slices.Clip(mo.looked), at.At)
	text := m.text(literal{x: x, pred: at.Term, y: state.ObjectRef(at.At)})
	return []PlanStep{{Call: m.call(m.look, x, state.Nothing), From: FromLook, Finds: &LookResult{state.Fluent{Obj: x, Slot: state.PlaceSlot}, at, text, m.objects.Name(x), m.objects.Name(at.At)}}}
}
