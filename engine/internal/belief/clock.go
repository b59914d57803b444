package belief

import (
	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/engine/internal/state"
	"github.com/mishap-robotics/mishap/ontology/decimal"
)

// Clock is what is known of the time of an episode, in seconds.
type Clock struct {
	Known  bool            // some line has had a time
	Origin decimal.Decimal // of the first line that had one, as the log counts
	Now    decimal.Decimal // of the last that had one, since Origin
}

// read is the time of a line since the first that had one. The clock of a log that goes
// back stands still.
func (c *Clock) read(text string) (decimal.Decimal, bool) {
	seconds, ok := episode.Seconds(text)
	at, err := decimal.FromFloat(seconds)
	if !ok || err != nil {
		return 0, false
	}
	if !c.Known {
		c.Known, c.Origin = true, at
	}
	c.Now = max(c.Now, at-c.Origin)
	return c.Now, true
}

// TimeOf is when a step was, in seconds since the first line that had a time.
func (t *Trace) TimeOf(step int32) (decimal.Decimal, bool) {
	if step <= 0 {
		return 0, t.Clock.Known
	}
	e := t.Event(step)
	if e == nil || !e.Timed {
		return 0, false
	}
	return e.Time, true
}

// passTime lets the time of a line come: until then what was believed after the line before
// held, and what takes its time went on.
func (t *tracker) passTime(e *Event, st *episode.Step) {
	now, ok := t.trace.Clock.read(st.Time)
	if !ok {
		return
	}
	e.Timed, e.Time, e.Until = true, now, now
	t.elapse(now)
}

// keepTime notes whether the goal holds before its deadline, and whether that has passed.
func (t *Trace) keepTime(now *state.State, step int32) {
	if t.Goal.Within <= 0 || t.Late > 0 || !t.Clock.Known {
		return
	}
	if t.Clock.Now > t.Goal.Within {
		t.late(step)
		return
	}
	got, _ := t.GoalTruth(now)
	t.InTime = got >= state.AssumedTrue
}

// late notes that the deadline of the goal has passed.
func (t *Trace) late(step int32) {
	if t.Late == 0 && !t.InTime {
		t.Late = step
	}
}

// elapse is what the passing of time changes before a moment.
func (t *tracker) elapse(now decimal.Decimal) {
	step := int32(0)
	if prev := t.lastEvent(); prev != nil {
		if step = prev.Step; prev.Timed {
			prev.Until = max(prev.Until, now)
		}
	}
	if t.trace.Goal.Within > 0 && now > t.trace.Goal.Within {
		t.trace.late(step)
	}
	if !t.onto.HasTimedProcesses() {
		return
	}
	at := state.Moment{Now: now, Of: t.trace.TimeOf}
	changes := t.believed.Elapse(at, state.Predicted, step)
	for _, c := range t.course.expected.Elapse(at, state.Predicted, step) {
		t.course.moved[c.Fluent] = true
		t.course.again = append(t.course.again, c.Fluent.Obj)
	}
	if len(changes) == 0 {
		return
	}
	for _, c := range changes {
		t.course.again = append(t.course.again, c.Fluent.Obj)
	}
	t.trace.record(t.believed, step)
	t.trace.Elapsed = step
}

// Tick lets time pass without a line. It is false where the text is no time.
func (f *Tracker) Tick(text string) bool {
	t := f.t
	now, ok := t.trace.Clock.read(text)
	if ok {
		t.ep.Until = text
		t.elapse(now)
		t.end()
	}
	return ok
}
