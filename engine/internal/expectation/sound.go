package expectation

import (
	"slices"

	"github.com/mishap-robotics/mishap/engine/internal/projection"
	"github.com/mishap-robotics/mishap/engine/internal/state"
	"github.com/mishap-robotics/mishap/ontology"
)

// Sound is the scene of now in which what is left of a plan would go through: what should be
// so had every action succeeded, with the least of it otherwise that lets each action to
// come keep its preconditions and norms, and the goal be reached. Norms of the names given
// are passed over.
//
// Of what an action lacks the scene is otherwise only where no action before that one
// changes it, and as for things to be brought there, only before the action itself: that
// is the plan's to see to.
func Sound(a *projection.Projection, exempt []string) *state.State {
	c := &completion{projection: a, exempt: exempt}
	for i := a.Happened; i < len(a.Events); i++ {
		if call := a.Events[i].Call; call.Schema != nil {
			c.calls = append(c.calls, call)
		}
	}
	now := a.PresentExpected.Clone()
	end := c.require(now)
	if c.misses(end) {
		c.mend(now)
	}
	return now
}

// completion makes a scene one in which a plan goes through.
type completion struct {
	projection *projection.Projection
	exempt     []string
	calls      []state.Call
}

// require carries the plan out from a scene, which it changes where an action lacks
// something. It returns the scene in the end.
func (c *completion) require(now *state.State) *state.State {
	s := now.On(now.Objects.Clone()) // what is sliced leaves pieces in the table
	written := map[state.Fluent]bool{}
	for i, call := range c.calls {
		required, _ := Required(s, call, c.exempt)
		for x := range state.Differing(s, required) {
			if int(x) >= len(now.Objects.Items) {
				continue // it comes about on the way
			}
			for slot := range s.Slots() {
				f := state.Fluent{Obj: x, Slot: slot}
				was, should := s.Get(f), required.Get(f)
				brought := slot == state.PlaceSlot && should.At != state.Nothing
				if was.Same(should) || written[f] || brought && i > 0 {
					continue
				}
				if now.Set(f, should); slot == state.PlaceSlot && should.At == state.Nothing {
					now.Forget(f, should.Since)
				}
			}
		}
		for _, e := range s.Edges() {
			if now.HasEdge(e.Subject, e.Relation, e.Object) && !required.HasEdge(e.Subject, e.Relation, e.Object) {
				now.RemoveEdge(e)
			}
		}
		s = required
		for _, ch := range append(s.Apply(call, state.Predicted, 0), s.Run(state.Predicted, 0)...) {
			written[ch.Fluent] = true
		}
	}
	return s
}

// misses reports whether the goal is known to be missed in the end.
func (c *completion) misses(end *state.State) bool {
	got, _ := c.projection.GoalTruth(end)
	return got <= state.AssumedFalse
}

// mend looks for one thing that is otherwise, and with which otherwise the goal would be
// reached: a vessel that holds what is not asked for, something that lies in it and that no
// action takes out. Nothing changes where there is none.
func (c *completion) mend(now *state.State) {
	for _, x := range c.projection.Planned {
		if now.Gone(x) {
			continue
		}
		for _, st := range c.others(now, x) {
			if c.tries(now, func(s *state.State) { s.SetState(x, st, state.Assumed, 0) }) {
				return
			}
		}
		for _, in := range now.Contents(x) {
			if !slices.Contains(c.projection.Planned, in) && c.tries(now, func(s *state.State) { s.Forget(state.Fluent{Obj: in, Slot: state.PlaceSlot}, 0) }) {
				return
			}
		}
	}
}

// tries changes a scene where the goal would be reached with the change.
func (c *completion) tries(now *state.State, change func(*state.State)) bool {
	other := now.Clone()
	change(other)
	if c.misses(c.require(other)) {
		return false
	}
	change(now)
	return true
}

// others are the states that an object might be in instead of the one that it is in: the
// usual ones of its class, and those that the goal asks of something else.
func (c *completion) others(now *state.State, x state.Object) []ontology.TermID {
	onto := now.Objects.Onto
	candidates := slices.Clone(onto.DefaultStates(now.Objects.Class(x)))
	for _, p := range c.projection.Goal.Patterns {
		if p.Predicate == onto.Core.State && p.Object.Term != ontology.None && !c.projection.Wants(now.Objects, x, p.Object.Term) {
			candidates = append(candidates, p.Object.Term)
		}
	}
	return slices.DeleteFunc(candidates, func(st ontology.TermID) bool {
		f := state.Fluent{Obj: x, Slot: now.SlotOf(st)}
		return f.Slot <= state.PlaceSlot || now.Get(f).Status == state.Unknown || onto.StateIs(now.Get(f).Term, st) > 0
	})
}
