package belief

import (
	"slices"

	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/engine/internal/grounding"
	"github.com/mishap-robotics/mishap/engine/internal/state"
	"github.com/mishap-robotics/mishap/ontology"
)

// judge tells what became of an action by the observation after it.
type judge struct {
	*line
	ep        *episode.Episode
	view      *viewpoint
	hasSounds bool // the log has sounds
	trace     *Trace
}

func (j *judge) onto() *ontology.Ontology { return j.before.Objects.Onto }

// outcome tells what became of an action. should is the state that should be,
// corrected by the observation; an effect that the correction undid is absent.
func (j *judge) outcome(should *state.State) Outcome {
	conditional := len(j.Unmet) > 0 && j.Call.Schema.Conditional() // as pouring from an empty vessel
	pieces, seen, absent := j.count(should, conditional)
	switch {
	case pieces > 0:
		return Succeeded
	case absent > 0 && j.isHeard(): // the look is late
		for _, c := range j.effects {
			if c.Fluent.Obj == j.Call.Target && c.Fluent.Slot != state.PlaceSlot && c.Fluent.Slot != state.LinkSlot {
				should.Set(c.Fluent, c.Value)
			}
		}
		return Presumed
	case absent > 0 || j.nearness(should) < state.Undecided:
		return j.unsuccessful()
	case seen > 0 || j.nearness(should) > state.Undecided:
		return Succeeded
	case j.Status == episode.StatusFailed || j.Status == episode.StatusAborted: // it should know where nobody sees it
		return j.unsuccessful()
	case j.Away && j.Call.Schema.KeepsHold && len(j.effects) > 0 && !state.Idle(j.effects) && !j.obs.Missing && j.isSilent():
		return j.unsuccessful() // nothing is done to what is out of reach, and nothing was heard of it
	case j.isBeside():
		return j.unsuccessful()
	case j.hasStayed():
		return Failed
	case conditional && j.isFilledAnew():
		return Succeeded // what it was poured from was not as empty as it was taken to be
	case len(j.Unmet) > 0 && j.Call.Schema.Strict:
		return Refused
	case len(j.Unmet) > 0 && (conditional || !state.Idle(j.effects)) && (!j.hasReleased() || j.isSeenUnmet()):
		return Refused
	}
	return Presumed
}

// count counts the pieces of the target that are seen, the effects that are, and those
// that are seen to be absent.
func (j *judge) count(should *state.State, conditional bool) (pieces, seen, absent int) {
	given, left := false, 0 // to the destination; in the target
	for _, c := range j.effects {
		if c.Fluent.Slot == state.LinkSlot {
			s, a := j.countLink(should, c)
			seen, absent = seen+s, absent+a
			continue
		}
		v := should.Get(c.Fluent)
		piece := j.Call.Target != state.Nothing && should.Objects.Items[c.Fluent.Obj].Origin == j.Call.Target
		switch {
		case piece && j.obs.Shown(c.Fluent.Obj):
			pieces++
		case c.Value.Status == state.Unknown && (piece || !j.obs.Shown(c.Fluent.Obj)): // an object that should be gone is
		case c.Value.Status == state.Unknown && j.isInForm(c.Fluent.Obj):
			seen++
		case c.Value.Status == state.Unknown:
			absent++
		case !v.Same(c.Value) && (j.isOnContent(should, c, v) || j.cameAbout(c)):
			seen++
		case !v.Same(c.Value) && !j.isOf(c, v) || j.isOnTopOfClosed(c.Fluent, v):
			absent++
			if c.Fluent.Obj == j.Call.Target && c.Fluent.Slot != state.PlaceSlot {
				left++
			}
		case v.Status == state.Observed && (!c.Idle || j.obs.Shows(c.Fluent, v) && !conditional):
			seen++
			given = given || !c.Idle && c.Fluent.Obj == j.Call.Destination && j.obs.Shows(c.Fluent, v)
		}
	}
	if given || j.staysFull() { // not all of it was poured
		absent -= left
	}
	return pieces, seen, absent
}

// staysFull reports that the destination was full of something before and is seen so, so that
// what goes into it does not show.
func (j *judge) staysFull() bool {
	onto, d := j.onto(), j.Call.Destination
	if d == state.Nothing || onto.Roles.Filled == ontology.None {
		return false
	}
	then := j.before.Get(state.Fluent{Obj: d, Slot: j.before.SlotOf(onto.Roles.Filled)})
	return onto.StateIs(then.Term, onto.Roles.Filled) > 0 &&
		slices.ContainsFunc(j.obs.States, func(s grounding.SeenState) bool { return s.Obj == d && onto.StateIs(s.State, onto.Roles.Filled) > 0 })
}

// nearness tells whether what was to be set down beside something is seen there.
func (j *judge) nearness(should *state.State) state.Truth {
	c := j.Call
	if c.Target == state.Nothing || !j.onto().SetsBeside(c.Schema) || !j.obs.ShowsPlace(c.Target) {
		return state.Undecided
	}
	return state.Query{State: should, Agent: c.Agent, Gripper: c.Gripper}.Near(c.Target, c.Destination)
}

// countLink counts a relation that an action was to set or to end: seen where the observation
// shows it as it should be, absent where it shows the contrary.
func (j *judge) countLink(should *state.State, c state.Change) (seen, absent int) {
	shown := slices.Contains(j.obs.Edges, c.Link)
	switch {
	case c.Idle || j.obs.Missing:
	case shown && c.Ended, !shown && !c.Ended && !should.HasEdge(c.Link.Subject, c.Link.Relation, c.Link.Object):
		return 0, 1
	case shown:
		return 1, 0
	}
	return 0, 0
}

// cameAbout reports whether an earlier line of the action showed that what it turns on runs:
// a machine may have done its work and turned itself off.
func (j *judge) cameAbout(c state.Change) bool {
	if c.Fluent.Slot == state.PlaceSlot || c.Value.Status == state.Unknown || c.Value.Term != j.onto().Roles.Running || j.First == j.Step {
		return false
	}
	now, then := j.before.Get(c.Fluent), j.trace.At(c.Fluent, j.Before)
	return now.Status == state.Observed && now.Same(c.Value) && !then.Same(c.Value)
}

// isOf reports whether what is seen says less or more than an effect and nothing against it,
// as "filled" of what was filled with tea, or "filled with tea" where water was poured.
func (j *judge) isOf(c state.Change, seen state.Value) bool {
	return c.Fluent.Slot != state.PlaceSlot && seen.Term != ontology.None && c.Value.Term != ontology.None &&
		(j.onto().StateIs(c.Value.Term, seen.Term) > 0 || j.onto().StateIs(seen.Term, c.Value.Term) > 0)
}

// processed puts in the place of effects what processes make of them at once, as of the
// water that is poured on a tea bag.
func (l *line) processed(should *state.State) {
	for i, c := range l.effects {
		if v := should.Get(c.Fluent); c.Fluent.Slot != state.PlaceSlot && v.Status != state.Unknown && c.Value.Status != state.Unknown {
			l.effects[i].Value = v
		}
	}
}

// unsuccessful is the outcome of an action without its effects.
func (j *judge) unsuccessful() Outcome {
	if len(j.Unmet) > 0 {
		return Refused
	}
	return Failed
}

// isAway reports whether the robot stands elsewhere: it moved to something else
// than what it acts on or what is with that, which was not in sight either. A
// robot that has not moved yet stands elsewhere where it sees another place than
// the one it saw the thing at. prev is the event before, or nil.
func (j *judge) isAway(prev *Event) bool {
	c := j.Call
	x := c.Target
	if c.Schema.Params > 1 && c.Destination != state.Nothing {
		x = c.Destination
	}
	if x == state.Nothing || j.ep.Exact || j.onto().IsNavigation(c.Schema) {
		return false
	}
	q := state.Query{State: j.before, Agent: c.Agent, Gripper: c.Gripper}
	near := q.Near(c.Agent, x) >= state.AssumedTrue
	at := j.before.Anchor(c.Agent)
	if near && (at == state.Nothing || at == x || j.obs.Missing || j.obs.Shown(x) || j.before.Support(at) == at) {
		return false // on one long countertop things may still be far apart
	}
	if prev != nil && slices.Contains(prev.Seen, x) || c.Agent == j.view.robot && j.view.here[x] && j.before.Support(x) == x {
		return false // it was seen from where the robot stands
	}
	if was := j.trace.At(state.Fluent{Obj: x, Slot: state.PlaceSlot}, j.Before); at == state.Nothing && !j.obs.Shown(x) && was.Status != state.Unknown && was.At != state.Nothing && was.At != at && j.obs.Shown(was.At) {
		return false // it looks where the thing was when the action began
	}
	if from := j.takenFrom(at); from != state.Nothing && (from == x || j.before.Support(from) == j.before.Support(x)) {
		return false // it stands where it took what it moved to
	}
	return at != state.Nothing || j.view.seen[x] && !j.obs.Shown(x) && seesOtherPlace(j.before, x, slices.Values(j.obs.Seen), j.obs.Shown)
}

// takenFrom is where a thing that is in a gripper was before, Nothing where that is not known, or long ago.
func (j *judge) takenFrom(x state.Object) state.Object {
	const lately = 16
	inGripper := func(v state.Value) bool { return j.before.Objects.IsA(v.At, j.onto().Core.RobotGripper) }
	if x == state.Nothing || !inGripper(j.before.Place(x)) {
		return state.Nothing
	}
	for step := j.Before; step >= 0 && step > j.Before-lately; step-- {
		if v := j.trace.At(state.Fluent{Obj: x, Slot: state.PlaceSlot}, step); v.Status != state.Unknown && !inGripper(v) {
			return v.At
		}
	}
	return state.Nothing
}

// hasStayed reports that the robot did not move: it sees another place than that of
// the thing it was to move to, and was not heard to move. Where sensors err that
// is not told from a thing overlooked.
func (j *judge) hasStayed() bool {
	x := j.Call.Target
	return j.onto().IsNavigation(j.Call.Schema) && x != state.Nothing && !j.obs.Missing && !j.obs.Shown(x) && j.view.seen[x] && j.ep.Noise == 0 &&
		!isEnclosed(j.before, x) && j.isSilent() && seesOtherPlace(j.before, x, slices.Values(j.obs.Seen), j.obs.Shown)
}

// isSilent reports that no sound tells that the action came about, in a log that
// has sounds.
func (j *judge) isSilent() bool {
	return j.hasSounds && !slices.ContainsFunc(j.Sounds, func(s ontology.TermID) bool { return j.onto().IsSoundOf(s, j.Call.Schema) })
}

// isHeard reports that the target was heard to do what the action is to make it do: a door
// that opens, a machine that turns on.
func (j *judge) isHeard() bool {
	c := j.Call
	if c.Target == state.Nothing || c.Destination != state.Nothing || len(j.Unmet) > 0 {
		return false
	}
	return slices.ContainsFunc(j.Sounds, func(s ontology.TermID) bool {
		return j.onto().IsSoundOf(s, c.Schema) && slices.ContainsFunc(j.onto().SoundSources(s), func(class ontology.TermID) bool { return j.before.Objects.IsA(c.Target, class) })
	})
}

// hasReleased reports that the gripper let go of what it held, which shows that a
// put came about even where its place is out of sight.
func (j *judge) hasReleased() bool {
	held := j.before.Place(j.Call.Target).At == j.Call.Gripper && j.Call.Gripper != state.Nothing
	return held && !j.Call.Schema.KeepsHold && !j.obs.ShowsAt(j.Call.Target, j.Call.Gripper) && !j.obs.Missing && !j.ep.Exact
}

// isBeside reports that what was to be put somewhere is seen beside, above or otherwise
// apart from it, and nowhere in or on anything, though an earlier line may have shown it
// there.
func (j *judge) isBeside() bool {
	c := j.Call
	if c.Target == state.Nothing || c.Destination == state.Nothing || c.Schema.KeepsHold || len(c.Schema.Effects) == 0 || j.obs.ShowsPlace(c.Target) || state.Idle(j.effects) && !j.released || j.onto().SetsBeside(c.Schema) {
		return false
	}
	beside := []state.Object{c.Destination}
	if under := j.before.Place(c.Destination); under.Term == j.onto().Core.OnTopOf && j.obs.ShowsPlace(c.Destination) && j.onto().HasProperty(j.before.Objects.Class(under.At), j.onto().Roles.Movable) {
		beside = append(beside, under.At) // a stack
	}
	if _, narrow := j.onto().Capacity(j.before.Objects.Class(c.Destination)); narrow {
		beside = append(beside, j.shownAt(c.Destination)...) // what has taken the room
	}
	return slices.ContainsFunc(j.obs.Edges, func(e state.Edge) bool {
		return e.Subject == c.Target && slices.Contains(beside, e.Object) || slices.Contains(beside, e.Subject) && e.Object == c.Target ||
			e.Subject == c.Target && j.liesElsewhere(e)
	})
}

// liesElsewhere reports that what was to go into something small, which is in view, is seen
// beside another thing that is not in there.
func (j *judge) liesElsewhere(e state.Edge) bool {
	onto, d := j.onto(), j.Call.Destination
	if !onto.ViewDependent(e.Relation) || e.Relation == onto.Core.Occluding || e.Object == d || !j.obs.Shown(d) || onto.Roles.Movable == ontology.None ||
		!j.before.Objects.HasProperty(d, onto.Roles.Movable) || !j.before.Objects.HasProperty(e.Object, onto.Roles.Movable) {
		return false
	}
	return j.before.Place(e.Object).At != d && !j.obs.ShowsAt(e.Object, d)
}

// shownAt are the things that are believed to be in or on another, but for the target.
func (j *judge) shownAt(x state.Object) []state.Object {
	return slices.DeleteFunc(j.before.Contents(x), func(y state.Object) bool { return y == j.Call.Target })
}

// isOnTopOfClosed reports that a place, as it was seen, is the top of what the target was
// to be put in, which is closed.
func (j *judge) isOnTopOfClosed(f state.Fluent, v state.Value) bool {
	c := j.Call
	if f != (state.Fluent{Obj: c.Target, Slot: state.PlaceSlot}) || v.Status != state.Observed || v.At != c.Destination || len(j.Unmet) == 0 {
		return false
	}
	began := j.trace.Start.Get(f) // it may have stood there from the first
	return v.Term == j.onto().Core.OnTopOf && isClosed(j.before, c.Destination) && !(began.At == v.At && began.Term == v.Term)
}

// isOnContent reports that what was to go into or onto something is seen on top of another thing
// there, as an onion on the potato in the box, a bowl on the mat on the table, or a cup in or on the
// rack of a dishwasher.
func (j *judge) isOnContent(should *state.State, c state.Change, v state.Value) bool {
	onto := j.onto()
	if c.Fluent.Slot != state.PlaceSlot || v.Status != state.Observed {
		return false
	}
	under := should.Place(v.At)
	if under.At != c.Value.At || should.Objects.IsA(v.At, onto.Core.RobotGripper) {
		return false
	}
	movable := onto.Roles.Movable
	mat := movable != ontology.None && should.Objects.HasProperty(v.At, movable) && !should.Objects.HasProperty(v.At, onto.Roles.TakesRoom) && !should.Objects.HasProperty(c.Value.At, movable)
	rack := movable != ontology.None && !should.Objects.HasProperty(v.At, movable) && should.Objects.HasProperty(v.At, onto.Roles.Receptacle)
	return rack || v.Term == onto.Core.OnTopOf && (under.Term == onto.Core.Inside || mat && under.Term == onto.Core.OnTopOf)
}

// isSeenUnmet reports that the observation shows what kept the action from coming about,
// as the door that is still closed, of the destination or of what that is in.
func (j *judge) isSeenUnmet() bool {
	d := j.Call.Destination
	return d != state.Nothing && slices.ContainsFunc(j.Unmet, func(u Unmet) bool {
		return slices.ContainsFunc(u.Touched, func(f state.Fluent) bool {
			return f.Slot != state.PlaceSlot && (f.Obj == d || j.before.Place(d).At == f.Obj) && j.obs.Shows(f, j.before.Get(f))
		})
	})
}

// isFilledAnew reports that the destination of an action, which may fill it, is seen filled and
// was not before.
func (j *judge) isFilledAnew() bool {
	onto, d := j.onto(), j.Call.Destination
	if d == state.Nothing || onto.Roles.Filled == ontology.None || !slices.ContainsFunc(j.Call.Schema.Effects, func(e ontology.Effect) bool {
		return slices.ContainsFunc(e.Then, func(p ontology.Pattern) bool {
			return p.Predicate == onto.Core.State && p.Subject.Var == ontology.VarDestination
		})
	}) {
		return false
	}
	return slices.ContainsFunc(j.obs.States, func(seen grounding.SeenState) bool {
		if seen.Obj != d || onto.StateIs(seen.State, onto.Roles.Filled) <= 0 {
			return false
		}
		f := state.Fluent{Obj: d, Slot: j.before.SlotOf(seen.State)}
		return onto.StateIs(j.before.Get(f).Term, onto.Roles.Filled) < 0 || onto.StateIs(j.trace.At(f, j.Before).Term, onto.Roles.Filled) < 0
	})
}

// isInForm reports that the observation shows an object in a state in which it is in
// pieces, as a carrot that is sliced.
func (l *line) isInForm(x state.Object) bool {
	objects := l.before.Objects
	return slices.ContainsFunc(l.obs.States, func(st grounding.SeenState) bool {
		return st.Obj == x && len(objects.Onto.FormsIn(objects.Class(x), st.State)) > 0
	})
}
