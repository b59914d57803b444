package state

import (
	"slices"

	"github.com/mishap-robotics/mishap/ontology"
)

// near knows only where an agent last moved, and what is with that. Anything
// else may be within reach all the same.
func (q Query) near(agent, x Object) Truth {
	if x == Nothing {
		return False
	}
	if q.State.HasEdge(agent, q.State.Objects.Onto.Core.Near, x) || q.State.Place(x).At == q.Gripper {
		return True
	}
	at := q.State.Anchor(agent)
	if at == Nothing {
		return q.beside(agent, x)
	}
	if at == x || q.State.Support(at) == q.State.Support(x) || q.State.HasEdge(at, q.State.Objects.Onto.Core.Near, x) {
		return True
	}
	return Undecided
}

// beside evaluates whether one thing is near another: seen next to it, to the left or right
// of it or in front of it; not where it is still in a gripper, or where each is seen on a
// piece of furniture of its own.
func (q Query) beside(x, y Object) Truth {
	s := q.State
	if x == Nothing || s.Objects.IsA(x, s.Objects.Onto.Core.Agent) {
		return Undecided
	}
	if s.areAdjacent(x, y) {
		return True
	}
	at, by := s.Place(x), s.Place(y)
	q.touch(Fluent{x, PlaceSlot})
	q.touch(Fluent{y, PlaceSlot})
	switch {
	case at.Status == Unknown || at.At == y || by.At == x:
		return Undecided
	case s.Objects.IsA(at.At, s.Objects.Onto.Core.RobotGripper):
		return truth(false, at.Status)
	case by.Status == Unknown:
		return Undecided
	}
	on, under := s.Support(x), s.Support(y)
	if on == under || on == y || under == x || s.areAdjacent(on, under) || s.areAdjacent(on, y) || s.areAdjacent(x, under) {
		return Undecided
	}
	return truth(false, min(at.Status, by.Status))
}

// areAdjacent reports whether two things are known to be near each other, or are seen side
// by side.
func (s *State) areAdjacent(x, y Object) bool {
	return slices.ContainsFunc(s.Edges(), func(e Edge) bool {
		return (e.Subject == x && e.Object == y || e.Subject == y && e.Object == x) &&
			(e.Relation == s.Objects.Onto.Core.Near || s.Objects.Onto.ViewDependent(e.Relation))
	})
}

// placed evaluates inside, on_top_of, located_at and within. In and on are hardly
// told apart, since logs and plans use them alike; but what is said to be inside
// does not stand on top, and what is seen on top of something closed is not in it.
func (q Query) placed(x Object, relation ontology.TermID, y Object) Truth {
	if x == Nothing || y == Nothing {
		return False
	}
	status := Observed
	at := x
	for range len(q.State.Objects.Items) + 1 {
		f := Fluent{at, PlaceSlot}
		q.touch(f)
		v := q.State.Get(f)
		if v.Status == Unknown {
			if at != x && q.Apart && q.refuses(y, at) {
				return AssumedFalse // a board is on no burner, whatever is on the board
			}
			return q.unplaced(at, y)
		}
		status = min(status, v.Status)
		if v.At == y {
			return truth(!q.isElsewhere(v, relation, y), status)
		}
		if !q.State.Objects.Onto.Transitive(relation) && !(q.Apart && q.bears(v)) {
			return truth(false, status)
		}
		at = v.At
	}
	return Undecided
}

// refuses reports whether something takes but a few classes of things, and another is none of them.
func (q Query) refuses(y, x Object) bool {
	return q.State.Objects.Class(y) >= 0 && len(q.State.Objects.Onto.Accepts(q.State.Objects.Class(y))) > 0 && q.accepts(y, x) == False
}

// bears reports whether the thing at a place only lies between what is there and where it is
// itself: a lemon in a bowl, on which a plum lies, what something lies on top of, as a dock or
// tray, and nothing that things are kept in, or a part of it that nobody moves, as the rack of a
// dishwasher.
func (q Query) bears(place Value) bool {
	objects, x := q.State.Objects, place.At
	roles := &objects.Onto.Roles
	if roles.Receptacle == ontology.None || objects.Class(x) < 0 || !objects.IsA(x, objects.Onto.Core.PhysicalObject) || objects.IsA(x, objects.Onto.Core.RobotGripper) {
		return false
	}
	return !objects.HasProperty(x, roles.Receptacle) || place.Term != objects.Onto.Core.Inside && !objects.HasProperty(x, roles.Openable) ||
		roles.Movable != ontology.None && !objects.HasProperty(x, roles.Movable)
}

// isElsewhere reports that a place is the inside where the top is asked for, or the top of
// something closed where the inside is.
func (q Query) isElsewhere(v Value, relation ontology.TermID, y Object) bool {
	onto := q.State.Objects.Onto
	switch relation {
	case onto.Core.OnTopOf:
		return q.isInside(v, y)
	case onto.Core.Inside, onto.Core.Within:
		return v.Term == onto.Core.OnTopOf && v.Status == Observed && onto.Roles.Enclosing != ontology.None && q.State.Is(y, onto.Roles.Enclosing)
	}
	return false
}

// isInside reports whether a place is the inside of what it names. What was put
// into something with slots, and not seen since, is in them.
func (q Query) isInside(v Value, y Object) bool {
	core := &q.State.Objects.Onto.Core
	slotted := q.State.Objects.Onto.Roles.LoadedFromAbove
	return v.Term == core.Inside || v.Status == Predicted && v.Term != core.OnTopOf && q.State.Objects.HasProperty(y, slotted)
}

// unplaced judges an object whose place is not known. What a gripper holds is
// known, but after an action that nobody knows; and what something rests on for good, such as a counter, has
// no place to know.
func (q Query) unplaced(x, y Object) Truth {
	objects := q.State.Objects
	if objects.IsA(y, objects.Onto.Core.RobotGripper) {
		if slices.Contains(q.State.unsure, y) && len(q.State.Held(y)) == 0 {
			return Undecided
		}
		return False
	}
	if movable := objects.Onto.Roles.Movable; movable != ontology.None && objects.Class(x) >= 0 && !objects.HasProperty(x, movable) {
		return False
	}
	if q.State.CloseWorld || q.Apart && q.isBeside(x, y) {
		return AssumedFalse
	}
	return Undecided
}

// isBeside reports whether a thing is seen to stand in a relation to another that is no
// place. What is above or under what it is asked about may be meant to be in it, and what is near
// it may as well, but for furniture with a door.
func (q Query) isBeside(x, y Object) bool {
	onto := q.State.Objects.Onto
	objects := q.State.Objects
	large := onto.Roles.Movable != ontology.None && objects.HasProperty(y, onto.Roles.Openable) && !objects.HasProperty(y, onto.Roles.Movable)
	return slices.ContainsFunc(q.State.Edges(), func(e Edge) bool {
		return e.Subject == x && (onto.ViewDependent(e.Relation) || e.Object != y && e.Relation != onto.Core.Near ||
			large && e.Object == y && e.Relation == onto.Core.Near)
	})
}

func (q Query) edge(x Object, relation ontology.TermID, y Object) Truth {
	if q.State.HasEdge(x, relation, y) {
		return True
	}
	return Undecided
}

// Near reports whether an agent is within reach of an object.
func (q Query) Near(agent, x Object) Truth { return q.near(agent, x) }
