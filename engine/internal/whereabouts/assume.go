// Package whereabouts assumes where the objects are that a plan or a goal is about
// and that nobody has seen: in something closed that nobody has looked into in vain.
package whereabouts

import (
	"slices"

	"github.com/mishap-robotics/mishap/engine/internal/belief"
	"github.com/mishap-robotics/mishap/engine/internal/projection"
	"github.com/mishap-robotics/mishap/engine/internal/state"
	"github.com/mishap-robotics/mishap/ontology"
)

// Assume takes what the plan or the goal is about, and whose place nobody knows, to
// be in something closed in which it was not looked for in vain: in what the plan
// opens before it takes it, else where such things usually are. What a failure is
// about, by name, comes first. It returns the objects whose place in the present
// state of the projection is assumed from now on.
func Assume(a *projection.Projection, about []string) []state.Object {
	roles := &a.Objects.Onto.Roles
	if roles.Enclosing == ontology.None {
		return nil
	}
	s := &search{Projection: a, slot: a.Present.SlotOf(roles.Enclosing)}
	s.findClosed()
	var out []state.Object
	for _, x := range s.needed() {
		if a.Interrupt.Raised() {
			break
		}
		if a.Present.Gone(x) || a.Present.Place(x).Status != state.Unknown || !a.Objects.HasProperty(x, roles.Movable) {
			continue
		}
		if c := s.hidingPlace(x, about); c != state.Nothing {
			a.Present.SetPlace(x, a.Objects.Onto.Core.Inside, c, state.Assumed, 0)
			out = append(out, x)
		}
	}
	return out
}

// search is for what may hide objects.
type search struct {
	*projection.Projection
	slot   int32          // in which it stands whether something is closed
	closed []state.Object // furniture that is closed
}

func (s *search) findClosed() {
	roles := &s.Objects.Onto.Roles
	for x := range state.Object(len(s.Objects.Items)) {
		v := s.Present.Get(state.Fluent{Obj: x, Slot: s.slot})
		if v.Status > state.Unknown && v.Term == roles.Enclosing && !s.Present.Gone(x) && !s.Objects.HasProperty(x, roles.Movable) {
			s.closed = append(s.closed, x)
		}
	}
}

// hidingPlace is the closed thing that an object is most likely in, Nothing for none.
func (s *search) hidingPlace(x state.Object, about []string) state.Object {
	last, seen := s.lastPlace(x)
	if seen && !slices.Contains(s.closed, last) {
		return state.Nothing // it lay in the open: it is found where the robot goes for it
	}
	best, rank, served, opened := state.Nothing, 1<<20, state.Nothing, false
	for _, c := range s.closed {
		if seen && c != last || s.lookedInVain(x, c) {
			continue
		}
		r := s.rank(x, c)
		if !seen && r < planHints && s.isBroughtTo(x, c) {
			opened = true
			continue // it is opened before it is taken, to put it there
		}
		if slices.Contains(about, s.Objects.Name(c)) {
			r = -1 // it is what the failure is about
		}
		if !seen && r >= planHints && s.serves(x, c) {
			served = c
			continue // that the goal holds is not to be assumed
		}
		if r < rank {
			best, rank = c, r
		}
	}
	if best == state.Nothing && served != state.Nothing && s.isUsed(x) && s.soughtInVain(x) {
		return served // nowhere else is left where it may be, and it is to be fetched from there
	}
	if opened && rank >= planHints {
		return state.Nothing // the plan goes for it where it is, and opens nothing else
	}
	return best
}

// isBroughtTo reports whether what is left of the plan does nothing with an object but bring it to a
// container in which the goal has it.
func (s *search) isBroughtTo(x, container state.Object) bool {
	return s.serves(x, container) && !s.isUsed(x) && slices.ContainsFunc(s.Events[s.Happened:], func(e belief.Event) bool {
		return e.Call.Target == x && e.Call.Destination == container
	})
}

// soughtInVain reports whether something that can be closed was seen open and an object not.
func (s *search) soughtInVain(x state.Object) bool {
	for c := range state.Object(len(s.Objects.Items)) {
		if s.Present.Get(state.Fluent{Obj: c, Slot: s.slot}).Status > state.Unknown && !s.Objects.HasProperty(c, s.Objects.Onto.Roles.Movable) && s.lookedInVain(x, c) {
			return true
		}
	}
	return false
}

// isUsed reports whether what is left of the plan does more with an object than bring it
// somewhere.
func (s *search) isUsed(x state.Object) bool {
	onto := s.Objects.Onto
	return slices.ContainsFunc(s.Events[s.Happened:], func(e belief.Event) bool {
		a := e.Call.Schema
		return e.Call.Target == x && a != nil && !onto.Moves(a) && !onto.IsNavigation(a) && a != onto.Roles.Look
	})
}

// serves reports whether the goal asks for an object to be in a container.
func (s *search) serves(x, container state.Object) bool {
	core := &s.Objects.Onto.Core
	means := func(arg ontology.Arg, o state.Object) bool {
		if !arg.IsVar() {
			return s.Objects.IsA(o, arg.Term)
		}
		if arg.Var < len(s.Bound) && s.Bound[arg.Var] != state.Unbound {
			return s.Bound[arg.Var] == state.ObjectRef(o)
		}
		return !slices.ContainsFunc(s.Goal.Patterns, func(p ontology.Pattern) bool {
			return p.Predicate == core.Type && p.Subject.IsVar() && p.Subject.Var == arg.Var && !s.Objects.IsA(o, p.Object.Term)
		})
	}
	return slices.ContainsFunc(s.Goal.Patterns, func(p ontology.Pattern) bool {
		return s.Objects.Onto.IsSub(p.Predicate, core.Within) && means(p.Subject, x) && means(p.Object, container)
	})
}

// lastPlace is where an object was last seen, or believed, to be; seen is false where
// nobody ever knew.
func (s *search) lastPlace(x state.Object) (at state.Object, seen bool) {
	now := int32(0) // the last step that has happened
	if s.Happened > 0 {
		now = s.Events[s.Happened-1].Step
	}
	for _, c := range slices.Backward(s.History.Of(state.Fluent{Obj: x, Slot: state.PlaceSlot})) {
		if c.Value.Status > state.Assumed && c.Value.At != state.Nothing && c.Step <= now {
			return c.Value.At, true
		}
	}
	return state.Nothing, false
}

// needed are the objects that what is left of the plan, or the goal, is about.
func (s *search) needed() []state.Object {
	var out []state.Object
	add := func(x state.Object) {
		if x == state.Nothing || slices.Contains(out, x) {
			return
		}
		out = append(out, x)
		if whole := s.Objects.Items[x].Origin; whole != state.Nothing && !slices.Contains(out, whole) {
			out = append(out, whole)
		}
	}
	for i := s.Happened; i < len(s.Events); i++ {
		add(s.Events[i].Call.Target)
		add(s.Events[i].Call.Destination)
	}
	for _, p := range s.Goal.Patterns {
		if p.Predicate == s.Objects.Onto.Core.Type {
			for _, x := range s.Objects.OfClass(p.Object.Term) {
				add(x)
			}
		}
	}
	for _, b := range s.Bound {
		add(b.Object())
	}
	return out
}

// lookedInVain reports whether a closed container was seen open and an object not,
// since the object was last seen.
func (s *search) lookedInVain(x, container state.Object) bool {
	open := s.Objects.Onto.Open()
	shut := state.Fluent{Obj: container, Slot: s.slot}
	for i := s.Happened - 1; i >= 0; i-- {
		e := &s.Events[i]
		if slices.Contains(e.Seen, x) {
			return false
		}
		if slices.Contains(e.Seen, container) && s.At(shut, e.Step).Term == open {
			return true
		}
	}
	return s.Start != nil && s.Start.Get(shut).Term == open
}

// planHints is the rank from which on what is left of the plan does not tell that an
// object is in a container.
const planHints = 100

// rank orders the containers that an object may be in, the likeliest first: what the
// plan opens before it takes the object, what the robot stands by then, what was acted on
// last, where such things are kept.
func (s *search) rank(x, container state.Object) int {
	onto := s.Objects.Onto
	rest := s.Events[s.Happened:]
	takes := slices.IndexFunc(rest, func(e belief.Event) bool { return e.Call.Target == x })
	for i := takes - 1; i >= 0; i-- {
		c := rest[i].Call
		if c.Target == container && onto.Sets(c.Schema, onto.Roles.Enclosing) {
			break // it is shut again by then
		}
		if c.Target == container && changesState(onto, c.Schema) && rest[takes].Call.Destination != container {
			return takes - i // what is opened to put it there is not where it is
		}
	}
	if takes >= 0 && s.standsBefore(rest[:takes]) == container {
		return planHints - 1
	}
	for i, e := range slices.Backward(s.Events[:s.Happened]) {
		if e.Call.Target == container && e.Call.Schema != nil && !onto.IsNavigation(e.Call.Schema) {
			return planHints + s.Happened - i
		}
	}
	for i, class := range onto.KeptIn(s.Objects.Class(x)) {
		if s.Objects.IsA(container, class) {
			return 2*planHints + i
		}
	}
	return 10*planHints + int(container)
}

// standsBefore is what the robot has gone to once some actions are done, or Nothing.
func (s *search) standsBefore(actions []belief.Event) state.Object {
	for _, e := range slices.Backward(actions) {
		if s.Objects.Onto.IsNavigation(e.Call.Schema) {
			return e.Call.Target
		}
	}
	return s.Present.Anchor(s.Robot)
}

func changesState(onto *ontology.Ontology, a *ontology.ActionSchema) bool {
	return slices.ContainsFunc(a.Effects, func(e ontology.Effect) bool {
		return slices.ContainsFunc(e.Then, func(p ontology.Pattern) bool { return p.Predicate == onto.Core.State })
	})
}
