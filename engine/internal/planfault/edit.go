package planfault

import "github.com/mishap-robotics/mishap/engine/internal/state"

// EditKind is what an edit does to a sequence.
type EditKind string

// The kinds of edits.
const (
	Delete  EditKind = "delete"
	Move    EditKind = "move"
	Replace EditKind = "replace"
	Insert  EditKind = "insert"
	Append  EditKind = "append"
	// Exchange puts another action, with the same objects, in the place of one.
	Exchange EditKind = "exchange"
)

// Edit is a change of a sequence at one place.
type Edit struct {
	Kind       EditKind
	At         int          // index of the action deleted, moved or replaced; index an inserted one stands before
	To         int          // where a moved action goes
	Call       state.Call   // the action deleted, moved or inserted, or the one that replaces
	Old        state.Object // the object replaced
	New        state.Object
	Throughout bool // it is replaced in all actions from there on
	Swap       bool // and it replaces the other in turn
	// First and Last bound the places at which the edit would do as well.
	First, Last int
}

// candidate is an edit with how the edited sequence fares.
type candidate struct {
	edit   Edit
	result Result
	rank   int  // of the kind of edit, the likelier the lower
	late   bool // it adds an action after what is switched on in the end
	near   bool // the robot is known to stand by what it acts on
	before bool // it adds an action with a thing before that is taken to where it stays
	next   bool // it adds an action that changes a thing for good right after that was put somewhere
	undoes bool // it adds an action that undoes one before it
	early  bool // and that before the robot waits for what it serves
}

// An action that cannot be executed points at one left out before it; a goal
// missed by actions that all went well points at a wrong object or order.
var (
	forAction = map[EditKind]int{Move: 0, Insert: 1, Exchange: 1, Replace: 2, Delete: 3}
	forGoal   = map[EditKind]int{Move: 0, Replace: 1, Delete: 2, Insert: 3, Append: 3, Exchange: 3}
)

// farMove is the number of actions beyond which a misplaced action is less
// likely than one left out.
const farMove = 10

// better orders candidates: what repairs more comes first, then the likelier kind of
// edit, then what leaves less switched on, then what makes use of an action that comes to
// nothing, then what comes before that which is switched on in the end, then the place where
// the robot stands by its target, then what comes before its target is taken, then right after
// that was put somewhere, then the later place, but of what undoes something the sooner, once
// the robot has waited: it has served.
func (a candidate) better(b candidate) bool {
	switch {
	case a.result.Met != b.result.Met:
		return a.result.Met > b.result.Met
	case len(a.result.Failing) != len(b.result.Failing):
		return len(a.result.Failing) < len(b.result.Failing)
	case a.rank != b.rank:
		return a.rank < b.rank
	case a.result.Hazards != b.result.Hazards:
		return a.result.Hazards < b.result.Hazards
	case (a.edit.Kind == Exchange) != (b.edit.Kind == Exchange):
		return a.edit.Kind == Exchange
	case a.late != b.late:
		return b.late
	case a.near != b.near:
		return a.near
	}
	if a.before != b.before {
		return a.before
	}
	if a.next != b.next {
		return a.next
	}
	if a.early != b.early {
		return b.early
	}
	return (a.edit.At > b.edit.At) != (a.undoes && b.undoes && a.edit.At != b.edit.At)
}

func (a candidate) repairsAsMuch(b candidate) bool {
	return a.result.Met == b.result.Met && len(a.result.Failing) == len(b.result.Failing)
}
