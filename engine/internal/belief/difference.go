package belief

import (
	"github.com/mishap-robotics/mishap/engine/internal/state"
)

// compare finds what differs from the expected course and where each
// difference began.
func (c *course) compare(l *line, changes []state.Change) {
	before := c.differences
	c.differences = map[state.Fluent]int32{}
	var fresh []state.Fluent
	for i := range l.now.Objects.Items {
		for slot := range l.now.Slots() {
			f := state.Fluent{Obj: state.Object(i), Slot: slot}
			at, known := before[f]
			switch {
			case !c.differs(l.now, f, known):
			case known && (at < l.First || at >= l.Step):
				c.differences[f] = at // what began with this action dates from its last line
			default:
				fresh = append(fresh, f)
			}
		}
	}
	for _, f := range fresh {
		c.differences[f] = c.beginning(l, f, before, changes)
	}
	if len(c.differences) > 0 {
		l.Differences = c.differences
	}
}

// beginning is the step at which a difference that shows now began: that of the action,
// or that of an earlier difference which it follows from.
func (c *course) beginning(l *line, f state.Fluent, before map[state.Fluent]int32, changes []state.Change) int32 {
	at := l.origin()
	if fell, ok := c.misplaced.fallen[f.Obj]; ok {
		at = min(at, fell)
	}
	if whole := l.now.Objects.Items[f.Obj].Origin; whole != state.Nothing { // it lies where that lay
		if o := earliest([]state.Fluent{{Obj: whole, Slot: f.Slot}}, before, c.differences); o > 0 {
			at = min(at, o)
		}
	}
	for _, ch := range changes {
		if ch.Fluent == f {
			if o := earliest(ch.Cause, before, c.differences); o > 0 {
				at = min(at, o)
			}
		}
	}
	return at
}

// differs reports whether a fluent is believed to be otherwise than expected; already
// tells that it did before.
func (c *course) differs(now *state.State, f state.Fluent, already bool) bool {
	if f.Slot == state.PlaceSlot && now.Gone(f.Obj) != c.expected.Gone(f.Obj) {
		return true
	}
	if now.Gone(f.Obj) {
		return false
	}
	is, should := now.Get(f), c.expected.Get(f)
	if should.Status == state.Unknown || should.Same(is) {
		return false
	}
	onto := now.Objects.Onto
	if is.Status == state.Unknown {
		// Wherever it is, what a gripper holds is always known; and what was not
		// moved before is not where it should be now.
		return already || is.Since > 0 || f.Slot == state.PlaceSlot && now.Objects.IsA(should.At, onto.Core.RobotGripper)
	}
	return f.Slot == state.PlaceSlot || onto.StateIs(is.Term, should.Term) < 0
}
