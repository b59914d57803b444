package expectation

import (
	"slices"

	"github.com/mishap-robotics/mishap/engine/internal/state"
	"github.com/mishap-robotics/mishap/ontology"
)

// Required is a state as it would have to be for a subtask to succeed: as it is,
// with the preconditions and norms of the action made to hold where they do not.
// Norms of the names given are passed over. fits is false where no scene would do,
// because the objects are of the wrong kind.
func Required(s *state.State, c state.Call, exempt []string) (required *state.State, fits bool) {
	r := &requirer{s: s.Clone(), c: c, fits: true}
	for i := range c.Schema.Preconditions {
		r.require(&c.Schema.Preconditions[i])
	}
	for i := range c.Schema.Norms {
		if n := &c.Schema.Norms[i]; !slices.Contains(exempt, n.Name) {
			r.require(n)
		}
	}
	return r.s, r.fits
}

// Kept is a state as it would have to be for norms to be kept that an action goes against, or
// went: each is made to hold where it still does not. What cannot be made to hold stays.
func Kept(s *state.State, c state.Call, violated []state.Violation) *state.State {
	r := &requirer{s: s.Clone(), c: c, fits: true}
	for _, v := range violated {
		if v.Condition == nil {
			continue
		}
		for _, p := range v.Condition.Requires {
			r.make(p, v.Binding)
		}
		if forbids := v.Condition.Forbids; len(forbids) > 0 {
			if got, _ := r.query().Best(forbids, v.Binding); got >= state.AssumedTrue {
				r.unmake(forbids, v.Binding)
			}
		}
	}
	return r.s
}

type requirer struct {
	s    *state.State
	c    state.Call
	fits bool
}

func (r *requirer) query() state.Query {
	return state.Query{State: r.s, Agent: r.c.Agent, Gripper: r.c.Gripper}
}

// require makes one condition hold.
func (r *requirer) require(c *ontology.Condition) {
	if r.c.Absent(c.When, c.Requires, c.Forbids) || r.c.Absent(c.Unless...) {
		return
	}
	q := r.query()
	when, at := q.Best(c.When, r.c.Binding())
	if when < state.AssumedTrue || q.Any(c.Unless, at) {
		return
	}
	if got, _ := q.Best(c.Requires, at); got <= state.AssumedFalse {
		b := r.tool(c.Requires, at)
		for _, p := range c.Requires {
			r.make(p, b)
		}
	}
	// What is forbidden may be so for several objects, as things in a container.
	for range len(r.s.Objects.Items) {
		if len(c.Forbids) == 0 {
			return
		}
		got, b := r.query().Best(c.Forbids, at)
		if got < state.AssumedTrue || !r.unmake(c.Forbids, b) {
			return
		}
	}
}

// tool binds what is still free to objects of the kind asked for.
func (r *requirer) tool(patterns []ontology.Pattern, b state.Binding) state.Binding {
	core := &r.s.Objects.Onto.Core
	var lasting []ontology.Pattern
	for _, p := range patterns {
		if p.Predicate == core.Type || p.Predicate == core.HasProperty {
			lasting = append(lasting, p)
		}
	}
	if got, w := r.query().Best(lasting, b); got >= state.AssumedTrue {
		return w
	}
	return b
}

// make makes one pattern hold, where anything can.
func (r *requirer) make(p ontology.Pattern, b state.Binding) {
	core := &r.s.Objects.Onto.Core
	if got, _ := r.query().Best([]ontology.Pattern{p}, b); got > state.AssumedFalse {
		return
	}
	x, y := r.ref(p.Subject, b), r.ref(p.Object, b)
	switch {
	case x.Object() == state.Nothing:
	case p.Predicate == core.State:
		r.s.SetState(x.Object(), y.Term(), state.Assumed, 0)
	case p.Predicate == core.Near && y.Object() != state.Nothing:
		r.s.SetAnchor(x.Object(), y.Object())
	case p.Predicate == core.HasRoom:
		r.clear(x.Object(), func() bool { got, _ := r.query().Best([]ontology.Pattern{p}, b); return got > state.AssumedFalse })
	case r.s.Objects.Onto.IsSub(p.Predicate, core.Within) && y.Object() != state.Nothing:
		if y.Object() == r.c.Gripper { // it holds one thing
			for _, held := range r.s.Held(y.Object()) {
				r.s.Forget(state.Fluent{Obj: held, Slot: state.PlaceSlot}, 0)
			}
		}
		r.s.SetPlace(x.Object(), p.Predicate, y.Object(), state.Assumed, 0)
	default:
		r.fits = false
	}
}

// clear takes things out of a receptacle until there is room: one that alone makes
// it, else one after the other.
func (r *requirer) clear(x state.Object, room func() bool) {
	contents := r.s.Contents(x)
	for _, in := range contents {
		was := r.s.Place(in)
		r.s.Forget(state.Fluent{Obj: in, Slot: state.PlaceSlot}, 0)
		if room() {
			return
		}
		r.s.SetPlace(in, was.Term, was.At, was.Status, was.Since)
	}
	for _, in := range contents {
		if r.s.Forget(state.Fluent{Obj: in, Slot: state.PlaceSlot}, 0); room() {
			return
		}
	}
}

// unmake makes a conjunction fail: by the opposite of a state, else by taking away
// an obstacle.
func (r *requirer) unmake(patterns []ontology.Pattern, b state.Binding) bool {
	onto := r.s.Objects.Onto
	for _, p := range patterns {
		if p.Predicate != onto.Core.State {
			continue
		}
		if to := onto.Opposite(r.ref(p.Object, b).Term()); to != ontology.None {
			r.s.SetState(r.ref(p.Subject, b).Object(), to, state.Assumed, 0)
			return true
		}
		r.s.Forget(state.Fluent{Obj: r.ref(p.Subject, b).Object(), Slot: max(0, r.s.SlotOf(r.ref(p.Object, b).Term()))}, 0)
		return true
	}
	for _, p := range patterns {
		x := r.ref(p.Subject, b).Object()
		if x == state.Nothing || !onto.HasType(p.Predicate, onto.Core.Relation) {
			continue
		}
		if onto.IsSub(p.Predicate, onto.Core.Within) {
			r.s.Forget(state.Fluent{Obj: x, Slot: state.PlaceSlot}, 0)
		} else {
			r.s.RemoveEdge(state.Edge{Subject: x, Relation: p.Predicate, Object: r.ref(p.Object, b).Object()})
		}
		return true
	}
	r.fits = false
	return false
}

func (r *requirer) ref(a ontology.Arg, b state.Binding) state.Ref {
	if a.IsVar() {
		return b[a.Var]
	}
	return state.TermRef(a.Term)
}
