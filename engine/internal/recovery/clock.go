package recovery

import (
	"slices"

	"github.com/mishap-robotics/mishap/engine/internal/belief"
	"github.com/mishap-robotics/mishap/engine/internal/planner"
	"github.com/mishap-robotics/mishap/engine/internal/state"
	"github.com/mishap-robotics/mishap/ontology/decimal"
)

// planClock lets time go on while a plan is carried out in the action model: what takes its
// time, as what spoils, comes to its end meanwhile.
type planClock struct {
	trace *belief.Trace
	takes decimal.Decimal // up to now
	runs  bool            // something takes its time, and the time is known
	ends  []decimal.Decimal
}

func (v *verifier) clock() *planClock {
	t := v.problem.Trace
	return &planClock{trace: t, runs: t.Clock.Known && v.domain.Onto.HasTimedProcesses()}
}

// pass lets the time of an action pass. What the action does it does at its end: done notes
// when that was.
func (c *planClock) pass(now *state.State, takes decimal.Decimal) (done func()) {
	c.takes += takes
	if !c.runs {
		return func() {}
	}
	at := c.trace.Clock.Now + c.takes
	c.ends = append(c.ends, at)
	step := int32(planner.Imagined + len(c.ends))
	if takes > 0 {
		now.Elapse(state.Moment{Now: at, Of: c.of}, state.Predicted, step)
	}
	before := now.Clone()
	return func() {
		for _, x := range slices.Collect(state.Differing(before, now)) {
			for slot := range now.Slots() {
				f := state.Fluent{Obj: x, Slot: slot}
				if v := now.Get(f); v.Since == planner.Imagined && !v.Same(before.Get(f)) {
					v.Since = step
					now.Set(f, v)
				}
			}
		}
	}
}

// of is when a step was, or an action of the plan over.
func (c *planClock) of(step int32) (decimal.Decimal, bool) {
	switch n := int(step) - planner.Imagined; {
	case n > 0 && n <= len(c.ends):
		return c.ends[n-1], true
	case n >= 0:
		return c.trace.Clock.Now, true
	}
	return c.trace.TimeOf(step)
}
