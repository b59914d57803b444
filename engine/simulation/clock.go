package simulation

import (
	"fmt"

	"github.com/mishap-robotics/mishap/engine/internal/state"
	"github.com/mishap-robotics/mishap/ontology"
	"github.com/mishap-robotics/mishap/ontology/decimal"
)

// usualSeconds is how long an action takes of which the ontology does not say.
const usualSeconds = 4 * decimal.One

// clock is how far the time of a world has gone on since its start, and what became of the
// deadline of its goal.
type clock struct {
	now  decimal.Decimal
	ends []decimal.Decimal // of actions
	goal *ontology.Goal    // nil before there is one
	// inTime is true while the goal holds before its deadline, late once that has passed and
	// the goal did not hold.
	inTime, late bool
}

// String is the time as a log writes it: minutes and seconds.
func (c *clock) String() string {
	minutes := c.now / (60 * decimal.One)
	text := fmt.Sprintf("%02d:", int64(minutes))
	if seconds := c.now - minutes*60*decimal.One; seconds < 10*decimal.One {
		text += "0" + seconds.Short()
	} else {
		text += seconds.Short()
	}
	return text
}

// end is when an action was over; the zeroth is the start.
func (c *clock) end(step int32) (decimal.Decimal, bool) {
	switch {
	case step <= 0:
		return 0, true
	case int(step) <= len(c.ends):
		return c.ends[step-1], true
	}
	return c.now, true
}

// pass lets the time go on that an action takes, and processes that take their time come to
// their ends meanwhile.
func (w *World) pass(action string) {
	takes := w.onto.ActionOrUnknown(action).Duration
	if takes <= 0 {
		takes = usualSeconds
	}
	c := &w.clock
	c.now += takes
	for len(c.ends) < int(w.step) {
		c.ends = append(c.ends[:len(c.ends):len(c.ends)], c.now)
	}
	w.s.Elapse(state.Moment{Now: c.now, Of: c.end}, state.Observed, w.step)
	if c.goal != nil && c.goal.Within > 0 && c.now > c.goal.Within && !c.inTime {
		c.late = true
	}
}

// keepTime notes whether the goal holds before its deadline.
func (w *World) keepTime() {
	if c := &w.clock; c.goal != nil && c.goal.Within > 0 && c.now <= c.goal.Within {
		c.inTime = w.reached(*c.goal, w.bound)
	}
}
