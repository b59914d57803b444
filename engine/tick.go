package engine

import (
	"context"
	"errors"
	"fmt"

	"github.com/mishap-robotics/mishap/engine/episode"
)

// TimeError is a time that Tick cannot read.
type TimeError struct{ Time string }

func (e *TimeError) Error() string {
	return fmt.Sprintf("time %q; expected one as the steps have it: a number of seconds, a clock such as 01:05, or a date", e.Time)
}

// Tick lets the clock go on to a time at which no step has come, written as the steps write
// theirs: what takes its time comes to its end, and rules about deadlines (until/2) find what
// is overdue, at the last step that there was. The updates are those of Step. Before the
// first step it tells nothing. The error is a *TimeError, ErrFinished or one of Step.
func (m *Monitor) Tick(ctx context.Context, at string) ([]Update, error) {
	if err := m.ready(ctx); err != nil {
		return nil, err
	}
	if m.finished {
		return nil, ErrFinished
	}
	if _, ok := episode.Seconds(at); !ok {
		return nil, &TimeError{at}
	}
	c, end := beginCall(orBackground(ctx), m.tracker.Trace(), m.limits.Time, "Limits.Time")
	defer m.over(end)
	updates, late := m.catchUp(c)
	if c.cancelled() || m.tracker.Trace().Last() == 0 {
		return updates, late
	}
	m.projection = nil
	resume := m.tracker.Trace().EndWith(nil)
	m.tracker.Tick(at)
	resume()
	m.index.Pass()
	m.pending.stage, m.pending.warns = prove, m.forewarns || m.trigger != nil
	more, err := m.work(c)
	return append(updates, more...), errors.Join(late, err)
}
