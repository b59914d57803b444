package engine

import (
	"slices"

	"github.com/mishap-robotics/mishap/engine/internal/planner"
	"github.com/mishap-robotics/mishap/engine/internal/projection"
	"github.com/mishap-robotics/mishap/engine/internal/state"
	"github.com/mishap-robotics/mishap/ontology"
)

// aftermath works out what failures and sounds leave behind that nobody has seen: what is
// sure becomes so in the present state of a projection, what only may be so is suspected.
type aftermath struct {
	*projection.Projection
	suspected []planner.Suspicion
}

// aftermathOf looks at some findings, and at what was heard.
func aftermathOf(a *projection.Projection, found []Finding) []planner.Suspicion {
	out := &aftermath{Projection: a}
	for i := range found {
		out.failure(&found[i])
	}
	for i := range a.Events[:a.Happened] {
		e := &a.Events[i]
		for _, sound := range e.Sounds {
			for _, left := range a.Objects.Onto.Aftermath(sound) {
				out.heard(e, &left)
			}
		}
	}
	out.lostSight()
	return out.suspected
}

// failure works out what a finding leaves of its objects.
func (m *aftermath) failure(f *Finding) {
	onto := m.Objects.Onto
	class, ok := onto.Lookup(f.Type)
	if !ok {
		return
	}
	for _, left := range onto.Aftermath(class) {
		b := state.NewBinding(len(left.Vars))
		for i, x := range objectsNamed(m.Objects, f.Objects) {
			if i < len(b) && x != state.Nothing {
				b[i] = state.ObjectRef(x)
			}
		}
		q := state.Query{State: m.asSeen(f.Step, b), Agent: m.Robot, Gripper: m.Gripper}
		if t, at := q.Best(left.When, b); t >= state.AssumedTrue && !q.Any(left.Unless, at) {
			m.leave(&left, at, f.Step)
		}
	}
}

// asSeen is what was believed after a step, but for where its own action was to bring the things
// that a failure is about.
func (m *aftermath) asSeen(step int32, about state.Binding) *state.State {
	s := m.StateAt(step)
	for _, r := range about {
		if r == state.Unbound || r.Object() == state.Nothing {
			continue
		}
		if at := s.Place(r.Object()); at.Status == state.Predicted && at.Since == step {
			s = s.Clone()
			s.Forget(state.Fluent{Obj: r.Object(), Slot: state.PlaceSlot}, step)
		}
	}
	return s
}

// heard works out what a sound leaves of things that were out of sight when it was heard.
func (m *aftermath) heard(e *Event, left *ontology.Aftermath) {
	q := state.Query{State: m.StateAt(e.Step), Agent: m.Robot, Gripper: m.Gripper}
	q.Each(left.When, state.NewBinding(len(left.Vars)), state.AssumedTrue, func(b state.Binding) {
		x := b[0].Object()
		if x == state.Nothing || slices.Contains(e.Seen, x) || q.Any(left.Unless, b) {
			return
		}
		m.leave(left, slices.Clone(b), e.Step)
	})
}

// leave notes what is left since a step, unless it was seen since.
func (m *aftermath) leave(left *ontology.Aftermath, b state.Binding, step int32) {
	for _, p := range left.Then {
		x, st := b[0].Object(), p.Object.Term
		if p.Subject.IsVar() {
			x = b[p.Subject.Var].Object()
		}
		slot := m.Present.SlotOf(st)
		if x == state.Nothing || slot < 1 || m.Present.Gone(x) {
			continue
		}
		is := m.Present.Get(state.Fluent{Obj: x, Slot: slot})
		known := is.Status != state.Unknown && m.Objects.Onto.StateIs(is.Term, st) > 0
		if known || is.Status > state.Assumed && is.Since >= step && is.Since > 0 || !left.Sure && !m.Objects.Onto.Inferred(m.Objects.Onto.Dimension(st)) && m.seenSince(x, step) {
			continue
		}
		if left.Sure {
			m.Present.SetState(x, st, state.Assumed, step)
		} else {
			m.suspect(x, st)
		}
	}
}

func (m *aftermath) suspect(x Object, st ontology.TermID) {
	if s := (planner.Suspicion{Object: x, State: st}); !slices.Contains(m.suspected, s) {
		m.suspected = append(m.suspected, s)
	}
}

// seenSince reports whether an object was seen after a step.
func (m *aftermath) seenSince(x Object, step int32) bool {
	return slices.ContainsFunc(m.Events[:m.Happened], func(e Event) bool { return e.Step > step && slices.Contains(e.Seen, x) })
}

// lostSight suspects to be broken what is no longer known to be whole.
func (m *aftermath) lostSight() {
	broken := m.Objects.Onto.Roles.Broken
	if broken == ontology.None {
		return
	}
	slot := m.Present.SlotOf(broken)
	for x := range state.Object(len(m.Objects.Items)) {
		if is := m.Present.Get(state.Fluent{Obj: x, Slot: max(slot, 1)}); slot > 0 && is.Status == state.Unknown && is.Since > 0 && !m.Present.Gone(x) {
			m.suspect(x, broken)
		}
	}
}
