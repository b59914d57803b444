package engine

import (
	"context"

	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/engine/internal/limit"
)

// aside is work on a monitor that is not interrupted and goes on when the context of its
// call has ended. Whoever comes next waits for it.
type aside struct {
	done     chan struct{}
	panicked any
	after    func() // is to be called when it is over
}

// much is how many nodes, edges or objects are taken in, or let go of, in well below 10 ms.
const much = 2_000

// uninterrupted does work, of which it is known whether it may take long. It is false where
// the host's context ended before; the work then goes on.
func (m *Monitor) uninterrupted(c *call, long bool, work func()) bool {
	if !long || c.outer.Done() == nil {
		work()
		return true
	}
	a := &aside{done: make(chan struct{})}
	go func() {
		defer close(a.done)
		defer func() { a.panicked = recover() }()
		work()
	}()
	select {
	case <-a.done:
	case <-c.outer.Done():
		m.aside = a
		return false
	}
	if a.panicked != nil {
		panic(a.panicked)
	}
	return true
}

// over ends a call, or lets it end with the work that goes on.
func (m *Monitor) over(end func()) {
	if m.aside != nil {
		m.aside.after = end
		return
	}
	end()
}

// wait waits until no work goes on any more, or until a context ends; that is then its error.
func (m *Monitor) wait(ctx context.Context) error {
	a := m.aside
	if a == nil {
		return nil
	}
	select {
	case <-a.done:
	default:
		select {
		case <-a.done:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	if m.aside = nil; a.after != nil {
		a.after()
	}
	if a.panicked != nil {
		panic(a.panicked)
	}
	return nil
}

// ready is usable for a call that ends with a context.
func (m *Monitor) ready(ctx context.Context) error {
	if m == nil || m.reasoner == nil {
		return m.usable()
	}
	if err := m.wait(orBackground(ctx)); err != nil {
		return limit.Interrupted(PhaseBelief, m.last, "nothing was done, as an earlier step is still being taken in", err)
	}
	return nil
}

// idle is the monitor once no work goes on any more.
func (m *Monitor) idle() *Monitor {
	m.wait(context.Background())
	return m
}

// isLarge reports whether to copy what is known may take long.
func (m *Monitor) isLarge() bool { return len(m.tracker.Trace().Objects.Items) > much }

// isLarge reports whether it may take long to take a step in.
func isLarge(st *episode.Step) bool {
	return len(st.Observation.Nodes)+len(st.Observation.Edges)+len(st.Events) > much
}
