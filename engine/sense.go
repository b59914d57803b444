package engine

import (
	"context"
	"errors"
	"slices"

	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/engine/internal/limit"
)

// Sense takes in what sensors told of after the last step and before the next: rules find it
// at the last step (event/3, event/4), and the clock goes on to the time of each, as with
// Tick. Before the first step the error is ErrNoSteps; what exceeds a limit is a *LimitError
// of PhaseInput, and nothing is taken in. Else updates and error are those of Step.
func (m *Monitor) Sense(ctx context.Context, events ...episode.SensorEvent) ([]Update, error) {
	if err := m.ready(ctx); err != nil {
		return nil, err
	}
	if m.finished {
		return nil, ErrFinished
	}
	if m.last < 0 {
		return nil, ErrNoSteps
	}
	ctx = orBackground(ctx)
	st := episode.Step{Index: m.last, Events: slices.Clone(events)}
	if err := m.admit(ctx, &st); err != nil {
		var e *LimitError
		if errors.As(err, &e) && e.Phase == limit.Input {
			e.Undone = "the events were not taken in"
		}
		return nil, err
	}
	c, end := beginCall(ctx, m.tracker.Trace(), m.limits.Time, "Limits.Time")
	defer m.over(end)
	updates, late := m.catchUp(c)
	if m.aside != nil {
		return updates, late
	}
	m.sense(st.Events)
	more, err := m.work(c)
	return append(updates, more...), errors.Join(late, err)
}

// sense adds events to the last line, wherever that stands by now.
func (m *Monitor) sense(events []episode.SensorEvent) {
	add := func(lines []episode.Step) {
		last := &lines[len(lines)-1]
		last.Events = append(slices.Clip(last.Events), events...)
	}
	if len(m.raw) > 0 {
		add(m.raw)
	}
	switch {
	case len(m.pending.lines) > 0:
		add(m.pending.lines)
		return
	case m.noisy != nil && m.noisy.Sense(events):
		return
	}
	m.projection = nil
	t := m.tracker.Trace()
	resume := t.EndWith(nil)
	m.tracker.Sense(events)
	resume()
	m.index.Pass()
	if t.Last() > 0 {
		m.pending.stage, m.pending.warns = prove, m.forewarns || m.trigger != nil
	}
}
