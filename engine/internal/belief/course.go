package belief

import (
	"maps"
	"slices"

	"github.com/mishap-robotics/mishap/engine/internal/state"
	"github.com/mishap-robotics/mishap/ontology"
)

// course is the expected course: what should be so had every action succeeded, and what
// of the belief differs from it.
type course struct {
	expected    *state.State
	differences Differences
	lapsed      Differences           // those of states that the last line alone does not show, though nobody was to mend them
	moved       map[state.Fluent]bool // set by an action so far
	misplaced   misplaced
	// What was believed and expected when both were last compared, nil where everything is
	// to be, and objects to look at again though neither has changed.
	believedThen, expectedThen *state.State
	again                      []state.Object
}

func newCourse() course {
	return course{moved: map[state.Fluent]bool{}, misplaced: newMisplaced()}
}

// fork is an independent copy that speaks of another table of the same objects.
func (c *course) fork(objects *state.Objects) course {
	out := *c
	out.expected, out.moved, out.misplaced, out.again = c.expected.On(objects), maps.Clone(c.moved), c.misplaced.clone(), slices.Clip(c.again)
	return out
}

// restart takes what is believed now for what should be.
func (c *course) restart(now *state.State) {
	c.expected = now.Clone()
	c.differences, c.lapsed, c.believedThen, c.expectedThen = nil, nil, nil, nil
	c.misplaced.restart()
}

// originOf finds the difference from the expected course that a violation rests
// on: the earliest of those among the fluents that the violation read, or that
// uphold the condition in the expected course. It is 0 where the condition
// fails there too.
func (c *course) originOf(call state.Call, v state.Violation) int32 {
	if slices.ContainsFunc(c.expected.Judge(call).UnmetPreconditions(), func(w state.Violation) bool { return w.Name == v.Name }) {
		return 0
	}
	touched := v.Touched
	for i := range call.Schema.Preconditions {
		if p := &call.Schema.Preconditions[i]; p.Name == v.Name {
			touched = append(touched, c.expected.Judge(call).SupportOf(p)...)
		}
	}
	return earliest(touched, c.differences)
}

// earliest is the first step at which a difference of some fluents began, 0 where there
// is none.
func earliest(fluents []state.Fluent, differences ...Differences) int32 {
	var out int32
	for _, f := range fluents {
		for _, d := range differences {
			if at, ok := d.Since(f); ok && (out == 0 || at < out) {
				out = at
			}
		}
	}
	return out
}

// displacedSince finds since when what an action needs, and the robot does not see, is
// elsewhere, or its gripper full. What nobody has seen may be in what should be open.
func (c *course) displacedSince(l *line) int32 {
	var places []state.Fluent
	var unmoved int32
	need := func(x state.Object) {
		places = append(places, state.Fluent{Obj: x, Slot: state.PlaceSlot})
		if at, ok := c.misplaced.unmoved[x]; ok && (unmoved == 0 || at < unmoved) {
			unmoved = at
		}
	}
	for _, x := range []state.Object{l.Call.Target, l.Call.Destination} {
		if x != state.Nothing && !l.obs.Shown(x) {
			need(x)
		}
	}
	for _, held := range l.before.Held(l.Call.Gripper) {
		if l.Call.Gripper != state.Nothing && held != l.Call.Target { // it should have been put down
			places = append(places, state.Fluent{Obj: held, Slot: state.PlaceSlot})
		}
	}
	if at := l.before.Anchor(l.Call.Agent); l.Away && at != state.Nothing {
		need(at)
	}
	if l.Away && c.misplaced.robot > 0 {
		return c.misplaced.robot
	}
	at := earliest(places, c.differences)
	if at == 0 || unmoved > 0 && unmoved < at {
		at = unmoved
	}
	x := l.Call.Target
	if at > 0 || x == state.Nothing || l.before.Place(x).Status != state.Unknown || l.obs.Shown(x) {
		return at
	}
	return c.closedSince(l.before)
}

// closedSince is the first step since which something is closed that should be open,
// or 0.
func (c *course) closedSince(before *state.State) int32 {
	slot := before.SlotOf(before.Objects.Onto.Roles.Enclosing)
	var closed []state.Fluent
	for _, d := range c.differences {
		if f := d.Fluent; f.Slot == slot && isClosed(before, f.Obj) {
			closed = append(closed, f)
		}
	}
	return earliest(closed, c.differences)
}

// accept lets the expected course take over what somebody else has changed: what
// was seen to be one way and is seen to be another now, and nothing that the
// robot did, dropped or failed to do can have brought about.
func (c *course) accept(l *line) {
	if l.Outcome > Succeeded {
		return
	}
	objects := l.now.Objects
	for x := range state.Differing(l.before, l.now) {
		if _, fell := c.misplaced.fallen[x]; fell || c.expected.Gone(x) || l.now.Gone(x) {
			continue
		}
		for slot, now := range l.now.Known(x) {
			f := state.Fluent{Obj: x, Slot: slot}
			was, should := l.before.Get(f), c.expected.Get(f)
			changed := was.Status == state.Observed && now.Status == state.Observed && now.Since == l.Step && !now.Same(was)
			falls := slot == state.PlaceSlot && objects.IsA(now.At, objects.Onto.Core.Floor)
			if changed && !falls && should.Same(was) && !objects.IsA(now.At, objects.Onto.Core.RobotGripper) && !l.handles(x) {
				c.expected.Set(f, now)
			}
		}
	}
}

// handles reports whether an action is about an object, what it lies in, or what
// the robot carries.
func (l *line) handles(x state.Object) bool {
	moving := l.before.Objects.Onto.IsNavigation(l.Call.Schema) || len(l.Call.Schema.Effects) == 0
	at := x
	for range len(l.before.Objects.Items) + 1 {
		if !moving && (at == l.Call.Target || x == l.Call.Destination) || l.Call.Gripper != state.Nothing && at == l.Call.Gripper {
			return true
		}
		if at = l.before.Place(at).At; at == state.Nothing {
			return false
		}
	}
	return true
}

// advance carries the expected course on: the action, once it is over, succeeds there. What was
// first seen now, and not brought about by the robot, holds there as well, and where no
// action moved it, in the state at the start.
func (c *course) advance(l *line, start *state.State) {
	changes := c.expected.Run(state.Predicted, l.Step)
	if l.Final {
		changes = append(changes, c.expected.Apply(l.Call, state.Predicted, l.Step)...)
		c.expected.Doubt(l.Call, l.Step)
		l.follow(c.expected)
	}
	changes = append(changes, c.expected.Run(state.Predicted, l.Step)...)
	for _, ch := range changes {
		c.moved[ch.Fluent] = true
	}
	c.adopt(l.now, start, c.unsettled(l.now), changes)
	c.expected.RunMeasured(state.Predicted, l.Step)
	c.compare(l, c.unsettled(l.now), changes)
	c.believedThen, c.expectedThen = l.now.Clone(), c.expected.Clone()
	c.again = c.misplaced.takeTouched()
	for _, ch := range changes { // adopt has passed these over
		c.again = append(c.again, ch.Fluent.Obj)
	}
}

// unsettled lists the objects that may compare otherwise than before, in order.
func (c *course) unsettled(now *state.State) []state.Object {
	believed, expected := c.believedThen, c.expectedThen
	if believed == nil || expected == nil {
		believed, expected = state.New(now.Objects), state.New(now.Objects)
	}
	out := append(slices.Clone(c.again), c.misplaced.touched...)
	out = slices.AppendSeq(out, state.Differing(now, believed))
	out = slices.AppendSeq(out, state.Differing(c.expected, expected))
	slices.Sort(out)
	return slices.Compact(out)
}

// adopt copies into the expected course what the belief knows better: fluents
// that are unknown or assumed there and observed here.
func (c *course) adopt(now, start *state.State, objects []state.Object, changes []state.Change) {
	for _, x := range objects {
		if now.Objects.Interrupt.Tick() {
			return
		}
		ended := c.moved[state.Fluent{Obj: x, Slot: state.PlaceSlot}] // by an action, as what was sliced
		if c.expected.Gone(x) && !now.Gone(x) && now.Objects.Items[x].Origin == state.Nothing && !ended {
			c.expected.Restore(x)
		}
		c.expected.AdoptLinks(now, x)
		if now.IsAlike(c.expected, x) {
			continue
		}
		for slot, b := range now.Known(x) {
			f := state.Fluent{Obj: x, Slot: slot}
			if b.Status != state.Observed || c.expected.Get(f).Status > state.Assumed || c.expected.Gone(x) {
				continue
			}
			if slices.ContainsFunc(changes, func(ch state.Change) bool { return ch.Fluent == f }) {
				continue
			}
			if _, fell := c.misplaced.fallen[x]; fell {
				c.assumeUnharmed(f, b)
				continue
			}
			c.expected.Set(f, b)
			if !c.moved[f] {
				start.Set(f, b)
			}
		}
	}
	c.expected.CopyEdges(now)
}

// assumeUnharmed takes what is first seen of an object after a fall for its
// doing: before it was the opposite.
func (c *course) assumeUnharmed(f state.Fluent, seen state.Value) {
	opposite := c.expected.Objects.Onto.Opposite(seen.Term)
	if f.Slot != state.PlaceSlot && opposite != ontology.None && c.expected.Get(f).Status == state.Unknown {
		c.expected.Set(f, state.Value{Term: opposite, At: state.Nothing, Status: state.Assumed})
	}
}
