package diagnosis

import (
	"slices"

	"github.com/mishap-robotics/mishap/engine/internal/belief"
	"github.com/mishap-robotics/mishap/engine/internal/state"
	"github.com/mishap-robotics/mishap/ontology"
)

// sameAgain reports that a lasting failure shows again in the same object, or
// that the same thing stands in the way, which is named last.
func (d *diagnosis) sameAgain(r, f *Finding) bool {
	n, m := len(r.Objects), len(f.Objects)
	if !d.onto.IsLasting(d.class(f)) || r.Type != f.Type || n == 0 || m == 0 {
		return false
	}
	return r.Objects[0] == f.Objects[0] || n > 1 && m > 1 && r.Objects[n-1] == f.Objects[m-1]
}

// sameAction reports that what was dropped in an earlier line of an action, or befell what
// it acts on, is why the action did not come about.
func (d *diagnosis) sameAction(r, f *Finding) bool {
	if r.Step >= f.Step || !d.trace.SameAction(r.Step, f.Step) {
		return false
	}
	if d.is(r, d.onto.Roles.Dropping) && d.is(f, d.onto.Roles.Dropping) && shareObject(r, f) {
		return true // it is seen on the floor that it fell to
	}
	if !d.is(f, d.onto.Roles.FailedAction) {
		return false
	}
	return d.is(r, d.onto.Roles.Dropping) || d.isAccident(r) && shareObject(r, f)
}

// triedAgain reports that an action did not come about that had failed in the same way
// before, and in between had not come about either: what is in the way is one incident.
func (d *diagnosis) triedAgain(r, f *Finding) bool {
	if r.Step >= f.Step || r.Type != f.Type || !d.is(f, d.onto.Roles.FailedAction) {
		return false
	}
	first, again := d.trace.Event(r.Step), d.trace.Event(f.Step)
	if first == nil || again == nil || !sameDeed(first, again) || d.trace.SameAction(r.Step, f.Step) {
		return false
	}
	for i := d.trace.From(r.Step); i < d.trace.Len() && d.trace.StepOf(i) < f.Step; i++ {
		if schema, outcome := d.trace.Did(i); outcome == belief.Succeeded && schema == again.Call.Schema && sameDeed(d.trace.Nth(i), again) {
			return false
		}
	}
	return true
}

// sameDeed reports whether two events are of one action of one robot with the same things,
// by whichever gripper.
func sameDeed(a, b *belief.Event) bool {
	return a.Call.Schema == b.Call.Schema && a.Call.Agent == b.Call.Agent && a.Call.Target == b.Call.Target && a.Call.Destination == b.Call.Destination
}

// leftBehind reports that a danger is left of what an accident did to a thing, or of a
// device in which something else is a danger.
func (d *diagnosis) leftBehind(r, f *Finding) bool {
	if !d.isSafety(f) || len(f.Objects) == 0 {
		return false
	}
	if e := d.trace.Event(r.Step); e != nil && e.Outcome >= belief.Refused && r.Step <= f.Cause && e.Call.Destination != state.Nothing && d.trace.Objects.Name(e.Call.Destination) == f.Objects[0] {
		return true // what was to go there did not
	}
	if d.is(r, d.onto.Roles.Dropping) && r.Step <= f.Cause && d.leavesOf(r, f) {
		return true
	}
	return d.isAccident(r) && d.covers(r, f.Cause) && shareObject(r, f) || d.isSafety(r) && r.Type != f.Type && slices.Contains(r.Objects, f.Objects[0])
}

// leavesOf reports that what lies about is what was dropped: that itself, or a thing of its kind that
// nobody had seen before, and that not since.
func (d *diagnosis) leavesOf(r, f *Finding) bool {
	if len(r.Objects) == 0 {
		return false
	}
	x, known := d.trace.Objects.Lookup(f.Objects[0])
	y, fell := d.trace.Objects.Lookup(r.Objects[0])
	if !known || !fell || x == y {
		return known && fell
	}
	a, b := d.trace.Objects.Class(x), d.trace.Objects.Class(y)
	alike := func(kind ontology.TermID) bool { return kind != d.onto.Core.PhysicalObject && d.onto.IsA(b, kind) }
	if a == ontology.None || b == ontology.None || !d.onto.IsA(a, b) && !slices.ContainsFunc(d.onto.Terms[a].Supers, alike) {
		return false
	}
	if d.trace.At(state.Fluent{Obj: x, Slot: state.PlaceSlot}, r.Step-1).Status != state.Unknown {
		return false
	}
	for i := range d.trace.Len() {
		if e := d.trace.Nth(i); e.Step < r.Step && slices.Contains(e.Seen, x) || e.Step > r.Step && slices.Contains(e.Seen, y) {
			return false
		}
	}
	return true
}

// fellFrom reports that something fell from where it lay because it could not be put where
// it belongs. What is dropped did not lie there.
func (d *diagnosis) fellFrom(r, f *Finding) bool {
	e := d.trace.Event(r.Step)
	if r.Step >= f.Step || e == nil || e.Outcome < belief.Refused || d.isAccident(r) || !d.isAccident(f) || d.is(f, d.onto.Roles.Dropping) || len(f.Objects) == 0 {
		return false
	}
	x, known := d.trace.Objects.Lookup(f.Objects[0])
	if !known || e.Call.Target != x || e.Call.Destination == state.Nothing {
		return false
	}
	at := state.Fluent{Obj: x, Slot: state.PlaceSlot}
	return d.trace.At(at, r.Step).Same(d.trace.At(at, f.Step-1))
}

// neverPutRight reports that the goal is missed in what befell a thing, which nobody has
// handled since.
func (d *diagnosis) neverPutRight(r, f *Finding) bool {
	if _, missed := f.has("goal_missed"); !missed || r.Step >= f.Step || !d.isAccident(r) || !shareObject(r, f) {
		return false
	}
	x, known := d.trace.Objects.Lookup(r.Objects[0])
	if !known {
		return false
	}
	for i := d.trace.From(d.trace.LastLine(r.Step)) + 1; i < d.trace.Len() && d.trace.StepOf(i) <= f.Step; i++ {
		if call := d.trace.Nth(i).Call; call.Target == x && call.Destination == state.Nothing { // none is put that was not taken
			return false
		}
	}
	return true
}

// plannedWrong reports that the goal is missed in what the plan got wrong before.
func (d *diagnosis) plannedWrong(r, f *Finding) bool {
	_, missed := f.has("goal_missed")
	return missed && r.Step < f.Step && d.isPlanFault(r) && len(f.Objects) > 0 && slices.Contains(r.Objects, f.Objects[0])
}

// outOfHand reports that a fault of the plan is only that a thing is not in the gripper which an
// accident befell before, as a fall, and which was not picked up since.
func (d *diagnosis) outOfHand(r, f *Finding) bool {
	at, fault := f.has("fault")
	if !fault || r.Step >= at || !d.isAccident(r) || !shareObject(r, f) {
		return false
	}
	x, known := d.trace.Objects.Lookup(r.Objects[0])
	for i := d.trace.From(r.Step) + 1; i < d.trace.Len() && d.trace.StepOf(i) < at; i++ {
		if e := d.trace.Nth(i); e.Call.Target == x && e.Outcome <= belief.Succeeded && !e.Call.Schema.Unknown {
			return false
		}
	}
	return known
}

// inVain reports that the goal is missed in what an action was to bring about in, or with, a
// thing that an earlier action failed to bring there: a microwave that ran with nothing in it.
func (d *diagnosis) inVain(r, f *Finding) bool {
	_, missed := f.has("goal_missed")
	e := d.trace.Event(f.Step)
	if !missed || e == nil || r.Step >= f.Step || !d.is(r, d.onto.Roles.FailedAction) || len(r.Objects) < 2 || e.Call.Target == state.Nothing {
		return false
	}
	return r.Objects[len(r.Objects)-1] == d.trace.Objects.Name(e.Call.Target)
}

// unmended reports that the goal is missed after an action that failed, or was kept from coming
// about by the scene, and was not carried out later: what else it lacks may be due to that.
func (d *diagnosis) unmended(r, f *Finding) bool {
	failed := d.trace.Event(r.Step)
	if _, missed := f.has("goal_missed"); !missed || failed == nil || r.Step >= f.Step || failed.Outcome < belief.Refused ||
		!d.is(r, d.onto.Roles.FailedAction) && !d.onto.IsEnvironmental(d.class(r)) {
		return false
	}
	for i := d.trace.From(r.Step) + 1; i < d.trace.Len(); i++ {
		if e := d.trace.Nth(i); e.Outcome <= belief.Succeeded && sameDeed(e, failed) {
			return false
		}
	}
	return true
}

// shareObject reports whether what a finding is about first is among what another is about.
func shareObject(r, f *Finding) bool {
	return len(r.Objects) > 0 && slices.Contains(f.Objects, r.Objects[0])
}

// stillElsewhere reports that the robot has not moved since it was found not to
// have moved to where it should be.
func (d *diagnosis) stillElsewhere(r, f *Finding) bool {
	if !d.is(r, d.onto.Roles.MissingNavigation) || !d.is(f, d.onto.Roles.MissingNavigation) {
		return false
	}
	for step := r.Step; step <= f.Step; step++ {
		if e := d.trace.Event(step); e != nil && d.onto.IsNavigation(e.Call.Schema) {
			return false
		}
	}
	return true
}

// sameCause reports that a fault of the plan lies where an earlier finding has
// its cause, and that is the plan too, or the scene that the plan does not fit.
func (d *diagnosis) sameCause(r, f *Finding) bool {
	at, fault := f.has("fault")
	if !fault {
		return false
	}
	if earlier, ok := r.has("fault"); ok {
		a, b := d.window(r.Cause, earlier), d.window(f.Cause, at)
		if a[0] <= b[1] && b[0] <= a[1] {
			return true
		}
	}
	return (d.isPlanFault(r) || d.onto.IsEnvironmental(d.class(r))) && d.covers(r, f.Cause)
}

// goalFollows reports that the goal is missed in what an earlier finding is
// about: the plan would not have reached it either, for the same reason.
func (d *diagnosis) goalFollows(r, f *Finding) bool {
	at, ok := f.has("fault")
	if ok && at > d.trace.Last() && d.ruined(r) {
		return true
	}
	if !ok || at <= d.trace.Last() || d.is(r, d.onto.Roles.Dropping) || d.is(r, d.onto.Roles.FailedAction) {
		return false
	}
	if len(f.Objects) == 0 {
		return true // no edit of the plan would help
	}
	about := map[string]bool{}
	for _, o := range r.Objects {
		about[o] = true
	}
	if e := d.trace.Event(r.Step); e != nil {
		about[d.trace.Objects.Name(e.Call.Target)] = true
		about[d.trace.Objects.Name(e.Call.Destination)] = true
	}
	delete(about, "") // the name of nothing
	if about[f.Objects[0]] {
		return true
	}
	for _, m := range d.trace.UnmetGoals(d.trace.Expected) {
		if about[d.trace.Objects.Name(m.Object)] || m.Object >= 0 && about[d.trace.Objects.Name(d.trace.Objects.Items[m.Object].Origin)] {
			return true
		}
	}
	return false
}

// unwanted reports that an action did not come about as it should for what it should not
// have been done to, as the cup that held something else.
func (d *diagnosis) unwanted(r, f *Finding) bool {
	_, breach := r.has("breached")
	return breach && d.is(f, d.onto.Roles.FailedAction) && d.covers(r, f.Step) &&
		slices.ContainsFunc(f.Objects, func(o string) bool { return slices.Contains(r.Objects, o) })
}

// lastDeed is the last event in which the robot did something; to look and to speak is
// nothing done.
func (d *diagnosis) lastDeed() *belief.Event {
	for i := d.trace.Len() - 1; i >= 0; i-- {
		if e := d.trace.Nth(i); e.Planned > 0 || len(e.Call.Schema.Effects) > 0 {
			return e
		}
	}
	return d.trace.Event(d.trace.Last())
}

// ruined reports that what an accident is about is broken, and the goal lacks it.
func (d *diagnosis) ruined(r *Finding) bool {
	if !d.isAccident(r) {
		return false
	}
	return slices.ContainsFunc(d.trace.UnmetGoals(d.trace.Expected), func(m belief.UnmetGoal) bool {
		return m.Object >= 0 && slices.Contains(r.Objects, d.trace.Objects.Name(m.Object)) && d.trace.Final.Is(m.Object, d.onto.Roles.Broken)
	})
}

// brokeOff reports that the robot stopped short of the goal with the failure of
// its last action, or with more of its plan to go.
func (d *diagnosis) brokeOff(r, f *Finding) bool {
	at, ok := f.has("fault")
	if !ok || at <= d.trace.Last() {
		return false
	}
	last := d.lastDeed()
	return d.covers(r, last.Step) || r.Step >= last.First || last.Planned > 0 && last.Planned < len(d.trace.Episode.Plan)
}
