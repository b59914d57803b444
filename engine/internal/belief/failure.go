package belief

import (
	"slices"

	"github.com/mishap-robotics/mishap/engine/internal/grounding"
	"github.com/mishap-robotics/mishap/engine/internal/state"
	"github.com/mishap-robotics/mishap/ontology"
)

// mistakenFor finds other objects in which an action that failed had its effect, beside those
// in which an earlier line of it showed that.
func (l *line) mistakenFor() [][2]state.Object {
	var out [][2]state.Object
	if l.Call.Schema.Params > 1 && !l.Call.Schema.KeepsHold {
		return nil // what is put elsewhere is seen there
	}
	named := l.Call.Target
	if l.Call.Destination != state.Nothing {
		named = l.Call.Destination
	}
	if named == state.Nothing {
		return nil
	}
	objects := l.before.Objects
	for i := range objects.Items {
		x := state.Object(i)
		if x == named || x == l.Call.Target || x == l.Call.Gripper || l.before.Gone(x) || !objects.IsA(x, objects.Onto.Core.PhysicalObject) {
			continue
		}
		c := l.Call
		if c.Target == named {
			c.Target = x
		} else {
			c.Destination = x
		}
		pair := [2]state.Object{named, x}
		if !slices.Contains(l.Mistaken, pair) && len(l.before.Judge(c).UnmetPreconditions()) == 0 && l.showsEffect(c, x) {
			out = append(out, pair)
		}
	}
	return out
}

// showsEffect reports whether the observation shows a change of an object, or of
// what becomes of it, that a call would have brought about. How a thing is when it is first
// seen, other than where, is no change.
func (l *line) showsEffect(c state.Call, x state.Object) bool {
	after := l.before.Clone()
	return slices.ContainsFunc(after.Apply(c, state.Predicted, l.Step), func(ch state.Change) bool {
		if ch.Fluent.Obj != x && after.Objects.Items[ch.Fluent.Obj].Origin != x || ch.Idle {
			return false
		}
		if ch.Fluent.Slot != state.PlaceSlot && l.before.Get(ch.Fluent).Status <= state.Assumed && ch.Fluent.Obj == x {
			return false
		}
		return l.obs.Shows(ch.Fluent, ch.Value) || ch.Fluent.Obj != x && l.obs.Shown(ch.Fluent.Obj) || after.Gone(x) && l.isInForm(x)
	})
}

// belated is the step of an action before whose effects a line shows, though the look after
// it had shown the contrary, with these effects; 0 where there is none. What the action of
// the line brings about tells nothing, nor does what was seen meanwhile or what a person may
// have done.
func (t *tracker) belated(l *line) (step int32, shown []state.Change) {
	if l.obs.Missing || l.WithoutAction && t.showsSomebody(l) {
		return 0, nil
	}
	mayBeOthers := func(c state.Change) bool { return l.WithoutAction && c.Fluent.Slot != state.PlaceSlot }
	events := t.trace.Events[max(0, len(t.trace.Events)-longestUnseen):]
	for i := range slices.Backward(events) {
		e := &events[i]
		if x := e.Call.Target; e.Outcome == Failed && e.Final && x != state.Nothing && e.First != l.First {
			if slices.ContainsFunc(events[i+1:], func(since Event) bool { return since.concerns(x) }) {
				return 0, nil
			}
			before := t.trace.StateAt(e.Before)
			changes := slices.DeleteFunc(before.Apply(e.Call, state.Predicted, e.Step), func(c state.Change) bool {
				return c.Idle || c.Fluent.Slot == state.LinkSlot || c.Value.Status == state.Unknown
			})
			shown := func(c state.Change) bool {
				return l.obs.Shows(c.Fluent, c.Value) || t.isInOtherHand(l, e, c) || t.isShutIn(l, e, c)
			}
			if len(changes) > 0 && !slices.ContainsFunc(changes, func(c state.Change) bool { return !shown(c) || l.brings(c) || mayBeOthers(c) }) {
				return e.Step, changes
			}
			return 0, nil
		}
		if e.WithoutAction && (t.isHuman(e.Call.Agent) || slices.ContainsFunc(e.Seen, t.isHuman)) {
			return 0, nil
		}
	}
	return 0, nil
}

func (t *tracker) isHuman(x state.Object) bool { return t.trace.Objects.IsA(x, t.onto.Core.Human) }

// isInOtherHand reports that a line shows in another gripper of the robot what was to be in one: which
// of them takes it the log does not tell before.
func (t *tracker) isInOtherHand(l *line, e *Event, c state.Change) bool {
	isGripper := func(x state.Object) bool { return t.trace.Objects.IsA(x, t.onto.Core.RobotGripper) }
	if c.Fluent != (state.Fluent{Obj: e.Call.Target, Slot: state.PlaceSlot}) || !isGripper(c.Value.At) {
		return false
	}
	return slices.ContainsFunc(l.obs.Places, func(p state.Edge) bool {
		return p.Subject == c.Fluent.Obj && isGripper(p.Object) && t.names.Owner(p.Object) == t.names.Owner(c.Value.At)
	})
}

// showsSomebody reports whether a line, or the one before, shows somebody who may have done
// what it shows.
func (t *tracker) showsSomebody(l *line) bool {
	last := t.lastEvent()
	return last == nil || slices.ContainsFunc(l.obs.Seen, t.isHuman) || slices.ContainsFunc(last.Seen, t.isHuman)
}

// isShutIn reports that a line shows the gripper empty and shut what something was to be put
// into that nobody sees or heard fall: it is in there.
func (t *tracker) isShutIn(l *line, e *Event, c state.Change) bool {
	into := e.Call.Destination
	if c.Fluent != (state.Fluent{Obj: e.Call.Target, Slot: state.PlaceSlot}) || into == state.Nothing || c.Value.At != into || !l.HandEmpty || l.obs.Shown(c.Fluent.Obj) || l.heard(t.onto, t.onto.Roles.FallSound) {
		return false
	}
	return slices.ContainsFunc(l.obs.States, func(seen grounding.SeenState) bool {
		return seen.Obj == into && t.onto.Roles.Enclosing != ontology.None && t.onto.StateIs(seen.State, t.onto.Roles.Enclosing) > 0
	})
}

// concerns reports whether a line shows an object, or its action is done to it or brings
// something there.
func (e *Event) concerns(x state.Object) bool {
	return e.Call.Target == x || e.Call.Destination == x || slices.Contains(e.Seen, x)
}

// longestUnseen is how many lines may pass before what an action brought about is seen.
const longestUnseen = 8

// judgeAnew judges what is unmet of an action once its first look has shown that an action
// before came about after all.
func (t *tracker) judgeAnew(e *Event, shown []state.Change) {
	if len(e.Unmet) == 0 {
		return
	}
	known := t.believed.Clone()
	for _, c := range shown {
		known.Set(c.Fluent, c.Value)
	}
	still := known.Judge(e.Call).UnmetPreconditions()
	e.Unmet = slices.DeleteFunc(slices.Clone(e.Unmet), func(u Unmet) bool {
		return !slices.ContainsFunc(still, func(v state.Violation) bool { return v.Name == u.Name })
	})
}

// brings reports whether the action of the line brings about what another changes.
func (l *line) brings(b state.Change) bool {
	return slices.ContainsFunc(l.effects, func(c state.Change) bool { return c.Fluent == b.Fluent && c.Value.Same(b.Value) && !c.Idle })
}

// addRevealed adds what stood against an action that failed and shows only now:
// a precondition that does not hold in what was changed meanwhile, and not by
// the robot.
func (l *line) addRevealed() {
	for _, v := range l.now.Judge(l.Call).UnmetPreconditions() {
		fresh := slices.ContainsFunc(v.Touched, func(f state.Fluent) bool {
			now := l.now.Get(f)
			return now.Since == l.Step && now.Status == state.Observed && f.Obj != l.Call.Target
		})
		if fresh {
			l.Unmet = append(l.Unmet, Unmet{Violation: v, Origin: l.Step})
		}
	}
}

// losePlaces forgets the place of what was to be put down when a fall was heard
// and it was not seen where it should be, and of what was carried when nobody
// looked.
func (l *line) losePlaces(fall ontology.TermID) {
	if !l.heard(l.now.Objects.Onto, fall) {
		return
	}
	lost := []state.Object{l.Call.Target}
	if l.Call.Schema.KeepsHold {
		if lost = nil; l.obs.Missing {
			lost = l.before.Held(l.Call.Gripper)
		}
	}
	for _, x := range lost {
		if x == state.Nothing || l.obs.ShowsPlace(x) || !l.Call.Schema.KeepsHold && l.now.Place(x).Status != state.Predicted {
			continue
		}
		l.now.Forget(state.Fluent{Obj: x, Slot: state.PlaceSlot}, l.Step)
	}
}

// loseTarget forgets the place of an object that a failed action was to move
// and that is no longer seen, or no longer seen there.
func (l *line) loseTarget() {
	x := l.Call.Target
	if x == state.Nothing || l.Call.Schema.KeepsHold || l.obs.Shown(x) && !l.released || l.obs.ShowsPlace(x) || l.Away {
		return // it is seen where it is, or from elsewhere would not be seen anyway
	}
	if l.now.Place(x).Status != state.Unknown && l.before.Place(x).At != l.Call.Gripper {
		l.now.Forget(state.Fluent{Obj: x, Slot: state.PlaceSlot}, l.Step)
	}
}
