package belief

import (
	"slices"

	"github.com/mishap-robotics/mishap/engine/internal/state"
)

// touched are the objects that an unknown action may have changed: what it names, and what
// the gripper held. Of other actions the effects are known, and there are none.
func (l *line) touched() []state.Object {
	if !l.Call.Schema.Unknown {
		return nil
	}
	out := l.before.Held(l.Call.Gripper)
	for _, x := range []state.Object{l.Call.Target, l.Call.Destination} {
		if x != state.Nothing && !slices.Contains(out, x) {
			out = append(out, x)
		}
	}
	return out
}

// forgetTouched forgets what an unknown action may have changed; the observation after it
// tells anew.
func (l *line) forgetTouched(s *state.State) {
	for _, x := range l.touched() {
		for slot := range s.Slots() {
			s.Forget(state.Fluent{Obj: x, Slot: slot}, l.Step)
		}
	}
	if l.Call.Schema.Unknown && l.obs.Missing {
		s.ForgetHeld(l.Call.Gripper)
	}
	if l.Call.Schema.Unknown && l.Call.Agent != state.Nothing {
		s.SetAnchor(l.Call.Agent, state.Nothing) // it may have moved
	}
}

// relearn takes what is believed of the objects that an unknown action may have changed
// for what should be.
func (c *course) relearn(l *line) {
	for _, x := range l.touched() {
		for slot := range l.now.Slots() {
			f := state.Fluent{Obj: x, Slot: slot}
			if v := l.now.Get(f); v.Status == state.Unknown {
				c.expected.Forget(f, l.Step)
			} else {
				c.expected.Set(f, v)
			}
		}
		c.differences, c.lapsed = c.differences.without(x), c.lapsed.without(x)
		c.again = append(c.again, x)
	}
	if l.Call.Schema.Unknown && l.obs.Missing {
		c.expected.ForgetHeld(l.Call.Gripper)
	}
	if l.Call.Schema.Unknown && l.Call.Agent != state.Nothing {
		c.expected.SetAnchor(l.Call.Agent, state.Nothing)
	}
}
