package belief

import (
	"slices"

	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/engine/internal/grounding"
	"github.com/mishap-robotics/mishap/engine/internal/state"
	"github.com/mishap-robotics/mishap/ontology"
)

// asBefore is how many lines back it is looked for a list that says the same.
const asBefore = 8

// shared is a list, or the same of an event not far before it.
func shared[T comparable](list []T, before []Event, of func(*Event) []T) []T {
	for i := range slices.Backward(before) {
		if same := of(&before[i]); len(list) > 0 && slices.Equal(list, same) {
			return same
		}
	}
	return list
}

// perceive resolves the names of an observation and notes it in the event.
func (t *tracker) perceive(e *Event, st *episode.Step) *grounding.Observation {
	obs := t.names.Observation(st)
	events := t.trace.Events[max(0, len(t.trace.Events)-asBefore):]
	e.Seen = shared(obs.Seen, events, func(e *Event) []state.Object { return e.Seen })
	if n := len(events); n == 0 || len(e.Seen) == 0 || !sameList(e.Seen, events[n-1].Seen) {
		for _, x := range e.Seen {
			t.view.seen[x] = true
		}
	}
	e.States, e.Values = shared(obs.States, events, func(e *Event) []grounding.SeenState { return e.States }), obs.Values
	e.Edges = shared(obs.All(), events, func(e *Event) []state.Edge { return e.Edges })
	e.Observed = !obs.Missing
	t.gripperSeen = t.gripperSeen || obs.Gripper
	e.HandEmpty = slices.Contains(obs.Hands, e.Call.Gripper) && !obs.Missing && t.gripperSeen
	for _, p := range obs.Places {
		if p.Object == e.Call.Gripper {
			e.HandEmpty = false
		}
	}
	e.Sounds = t.names.Sounds(st)
	return obs
}

func (t *tracker) correction(l *line) correction {
	return correction{obs: l.obs, seen: l.Seen, step: l.Step, noisy: t.ep.Noise > 0, gripperSeen: t.gripperSeen, special: t.special}
}

// correction corrects states by an observation.
type correction struct {
	obs   *grounding.Observation
	seen  []state.Object // in order of the table
	step  int32
	noisy bool // sensors err
	// gripperSeen is true where the log tells what the gripper holds: then what is not seen
	// in it is not there.
	gripperSeen bool
	special     map[state.Object][]ontology.TermID // see prior
}

func (c correction) apply(s *state.State) {
	if c.obs.Missing {
		return
	}
	s.DropViewEdges()
	s.CloseWorld = s.CloseWorld || c.obs.Complete
	s.Together(func() { c.applyFluents(s) })
	for _, edge := range c.obs.Edges {
		if s.Objects.Onto.Persistent(edge.Relation) {
			s.Relate(edge.Subject, edge.Relation, edge.Object, state.Observed, c.step)
			continue
		}
		s.AddEdge(edge.Subject, edge.Relation, edge.Object)
	}
	if c.obs.Complete {
		c.endUnseen(s)
	}
}

// applyFluents puts states and places in order.
func (c correction) applyFluents(s *state.State) {
	for _, x := range c.seen {
		if s.IsSettled(x) {
			continue
		}
		if s.Gone(x) && c.isInPieces(s, x) {
			continue
		}
		if s.Gone(x) {
			c.seeWhole(s, x)
		}
		s.Restore(x)
		c.seeInSight(s, x)
	}
	if c.obs.Complete {
		c.removeUnseen(s)
	}
	for _, seen := range c.obs.States {
		s.SetState(seen.Obj, seen.State, state.Observed, c.step)
		for _, st := range c.special[seen.Obj] {
			c.seeNothingSpecial(s, seen.Obj, st)
		}
	}
	for _, v := range c.obs.Values {
		s.SetMeasured(v.Obj, v.Quantity, v.Number, state.Observed, c.step)
	}
	if c.gripperSeen {
		c.emptyGrippers(s)
	}
	c.seeBeside(s)
	for _, p := range c.obs.Places { // in one order: of two that are said to hold each other the first counts
		switch {
		case s.IsSeenAt(p):
			c.seeInto(s, p)
		case !s.Gone(p.Subject) && !c.isWithVessel(s, p):
			relation := p.Relation
			if isPutInto(s, p) {
				relation = s.Objects.Onto.Core.Inside
			}
			s.SetPlace(p.Subject, relation, p.Object, state.Observed, c.step)
			c.seeInto(s, p)
		}
	}
}

// isPutInto reports that what is seen on top of something with a door is in it: it was put in
// or seen there, and the door is open.
func isPutInto(s *state.State, p state.Edge) bool {
	onto := s.Objects.Onto
	at := s.Place(p.Subject)
	return p.Relation == onto.Core.OnTopOf && at.At == p.Object && at.Term != onto.Core.OnTopOf && at.Status >= state.Predicted &&
		s.Objects.HasProperty(p.Object, onto.Roles.Openable) && !isClosed(s, p.Object)
}

// isWithVessel reports that what is seen inside something is there with the vessel that it is
// in: an apple in the fridge, where the bowl that it lies in is. Where nobody sees the vessel,
// it is taken to stand where it stood, and what was seen in it may be told to be there.
func (c correction) isWithVessel(s *state.State, p state.Edge) bool {
	onto := s.Objects.Onto
	at := s.Place(p.Subject)
	if at.Status == state.Observed && at.At != state.Nothing && !c.obs.Shown(at.At) && at.At != p.Object && at.Term == onto.Core.Inside && s.Objects.HasProperty(at.At, onto.Roles.Movable) {
		if stands := s.Place(at.At); stands.Status != state.Unknown && stands.At == p.Object {
			return true
		}
	}
	if p.Relation != onto.Core.Inside || at.Status == state.Unknown || at.At == state.Nothing || at.At == p.Object || s.Objects.IsA(at.At, onto.Core.RobotGripper) {
		return false
	}
	vessel, shown := c.obs.Place(at.At)
	return shown && vessel.Relation == p.Relation && vessel.Object == p.Object
}

// seeBeside forgets that a thing is in or on something small where it is seen to the left or
// right of that, and nothing shows it there: it came out of it. What is to the left of a
// table may stand on its left side.
func (c correction) seeBeside(s *state.State) {
	onto := s.Objects.Onto
	for _, e := range c.obs.Edges {
		if !onto.ViewDependent(e.Relation) || e.Relation == onto.Core.Occluding || onto.Roles.Movable == ontology.None || !s.Objects.HasProperty(e.Object, onto.Roles.Movable) {
			continue
		}
		if at := s.Place(e.Subject); at.Status != state.Unknown && at.At == e.Object && !c.obs.ShowsPlace(e.Subject) {
			s.Forget(state.Fluent{Obj: e.Subject, Slot: state.PlaceSlot}, c.step)
		}
	}
}

// isInPieces reports that what is seen is in a state in which it is in pieces, as a
// carrot that is sliced.
func (c correction) isInPieces(s *state.State, x state.Object) bool {
	return slices.ContainsFunc(c.obs.States, func(seen grounding.SeenState) bool {
		return seen.Obj == x && len(s.Objects.Onto.FormsIn(s.Objects.Class(x), seen.State)) > 0
	})
}

// undoPresumed makes whole again what a line of the action before, which showed nothing of it,
// took to be in pieces, where this line shows it whole.
func (c correction) undoPresumed(s *state.State, e *Event) {
	if x := e.Call.Target; e.First < e.Step && x != state.Nothing && c.obs.Shown(x) && s.Gone(x) && c.isSeenWhole(s, x) {
		c.seeWhole(s, x)
		s.Restore(x)
	}
}

// seeWhole takes away the pieces of what is seen to be whole, as a carrot that is not
// sliced, where nobody has seen any: what was to cut it did not.
func (c correction) seeWhole(s *state.State, x state.Object) {
	if !c.isSeenWhole(s, x) {
		return
	}
	for _, piece := range s.Objects.Pieces(x, s.Objects.Onto.Core.PhysicalObject) {
		if !c.obs.Shown(piece) && s.Place(piece).Status != state.Observed {
			s.Remove(piece, c.step)
		}
	}
}

// isSeenWhole reports that something is seen in a state in which it is not in pieces.
func (c correction) isSeenWhole(s *state.State, x state.Object) bool {
	onto := s.Objects.Onto
	return slices.ContainsFunc(c.obs.States, func(seen grounding.SeenState) bool {
		return seen.Obj == x && len(onto.FormsIn(s.Objects.Class(x), onto.Opposite(seen.State))) > 0
	})
}

// removeUnseen takes away what a complete observation does not show.
func (c correction) removeUnseen(s *state.State) {
	for i := range s.Objects.Items {
		x := state.Object(i)
		missed := s.Gone(x) && s.Place(x).Status == state.Unknown && s.Place(x).Since > 0
		if !c.obs.Shown(x) && !missed && isThing(s.Objects, x) {
			s.Remove(x, c.step)
		}
	}
}

// endUnseen ends the lasting relations between things in sight that a complete observation
// does not show.
func (c correction) endUnseen(s *state.State) {
	for _, x := range c.seen {
		for _, l := range slices.Clone(s.Links(x)) {
			if !l.From && !l.Ended && l.Since < c.step && c.obs.Shown(l.Other) && !slices.Contains(c.obs.Edges, state.Edge{Subject: x, Relation: l.Relation, Object: l.Other}) &&
				s.Objects.Onto.Inverse(l.Relation) == ontology.None && !s.Objects.Onto.Symmetric(l.Relation) {
				s.Unrelate(x, l.Relation, l.Other, state.Observed, c.step)
			}
		}
	}
}

// isThing reports whether an object is of the scene, and no part of a robot.
func isThing(objects *state.Objects, x state.Object) bool {
	core := &objects.Onto.Core
	return objects.IsA(x, core.PhysicalObject) && !objects.IsA(x, core.RobotGripper)
}

// seeInSight forgets an assumed place in a closed container for an object that
// is in plain sight.
func (c correction) seeInSight(s *state.State, x state.Object) {
	v := s.Place(x)
	if v.Status != state.Assumed || c.obs.ShowsPlace(x) || v.At == state.Nothing {
		return
	}
	if isClosed(s, v.At) {
		s.Forget(state.Fluent{Obj: x, Slot: state.PlaceSlot}, 0)
	}
}

// seeNothingSpecial takes an object whose states an observation tells for as usual in
// what only the task lets expect of it otherwise, where the observation does not tell that.
func (c correction) seeNothingSpecial(s *state.State, x state.Object, special ontology.TermID) {
	f := state.Fluent{Obj: x, Slot: s.SlotOf(special)}
	if was := s.Get(f); was.Status != state.Assumed || was.Term != special {
		return
	}
	for _, usual := range s.Objects.Onto.DefaultStates(s.Objects.Class(x)) {
		if s.SlotOf(usual) == f.Slot {
			s.Set(f, state.Value{Term: usual, At: state.Nothing, Status: state.Assumed})
			return
		}
	}
}

// seeInto forgets that a container is assumed to be closed where something is seen
// inside, by sensors that do not err.
func (c correction) seeInto(s *state.State, p state.Edge) {
	onto := s.Objects.Onto
	if p.Relation != onto.Core.Inside || c.noisy || !isClosed(s, p.Object) {
		return
	}
	if f := (state.Fluent{Obj: p.Object, Slot: s.SlotOf(onto.Roles.Enclosing)}); s.Get(f).Status == state.Assumed {
		s.Forget(f, 0)
	}
}

// emptyGrippers empties grippers of what is not seen in them.
func (c correction) emptyGrippers(s *state.State) {
	for _, gripper := range c.obs.Hands {
		for _, x := range s.Held(gripper) {
			if !c.obs.ShowsAt(x, gripper) {
				s.Forget(state.Fluent{Obj: x, Slot: state.PlaceSlot}, c.step)
			}
		}
	}
}

// isClosed reports whether an object is believed to be in the state that encloses.
func isClosed(s *state.State, x state.Object) bool {
	return s.Is(x, s.Objects.Onto.Roles.Enclosing)
}

// isEnclosed reports whether an object is believed to be in something closed.
func isEnclosed(s *state.State, x state.Object) bool {
	for range len(s.Objects.Items) + 1 {
		if x = s.Place(x).At; x == state.Nothing {
			return false
		}
		if isClosed(s, x) {
			return true
		}
	}
	return false
}
