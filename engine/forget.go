package engine

import (
	"context"
	"slices"
	"unsafe"

	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/engine/internal/belief"
)

// forgotten is what is left of what a window lets go of.
type forgotten struct {
	before int     // how many findings were told before those
	found  []int32 // the steps of findings that were told, in order
	given  int     // warnings that came with the episode, which stay
	warned []int32 // at which step each of the other warnings came
}

// at reports whether a finding at a step was forgotten.
func (f *forgotten) at(step int32) bool {
	_, ok := slices.BinarySearch(f.found, step)
	return ok
}

// remembers is the first step whose findings and warnings are remembered.
func (m *Monitor) remembers() int32 {
	if m.limits.Window == 0 {
		return 0
	}
	return int32(m.last) - int32(max(m.limits.Window, belief.SettledAfter))
}

// forget lets go of what was found and warned of before the window.
func (m *Monitor) forget(step int32) {
	f, first := &m.forgotten, m.remembers()
	n := 0
	for n < len(m.findings) && m.findings[n].Step < first {
		f.found = append(f.found, m.findings[n].Step)
		n++
	}
	if n > 0 {
		slices.Sort(f.found)
		m.findings = slices.Clone(m.findings[n:])
	}
	for len(f.warned) < len(m.ep.Warnings)-f.given {
		f.warned = append(f.warned, step)
	}
	if n, _ = slices.BinarySearch(f.warned, first); n > 0 {
		f.warned = slices.Delete(f.warned, 0, n)
		m.ep.Warnings = slices.Concat(m.ep.Warnings[:f.given], m.ep.Warnings[f.given+n:])
	}
}

// deedsWithin is how many actions back it is remembered what was done in an episode with a
// window, and how that came out, at least.
const deedsWithin = 8_000

// forgetDeeds lets go of what was done long ago.
func (m *Monitor) forgetDeeds() {
	n, since := m.tracker.ForgetDeeds(max(deedsWithin, m.limits.Window+belief.SettledAfter))
	if n == 0 {
		return
	}
	m.index.ForgetDeeds(since, n)
	m.replanned = max(0, m.replanned-n)
	if m.limits.Memory > 0 {
		m.pending.held = max(0, m.pending.held-n*stepForgotten)
	}
	f := &m.forgotten
	gone, _ := slices.BinarySearch(f.found, since)
	f.before, f.found = f.before+gone, slices.Clone(f.found[gone:])
}

// forgetObjects lets go of objects that nobody has seen within the window, where they have
// become many. The event of the step stays where it is.
func (m *Monitor) forgetObjects() {
	r := m.tracker.ForgetObjects(m.index.RepairedObjects)
	if r == nil {
		return
	}
	m.index.Renumber(r)
	m.foreseen.futures = future{} // they are told by the numbers of objects
}

// Prove finds the proof of a finding of the monitor, as Reasoner.Prove does. The error is
// ErrForgotten for one that a window no longer remembers, or whose facts it does not.
func (m *Monitor) Prove(ctx context.Context, f *Finding) (*Proof, error) {
	if err := m.ready(ctx); err != nil {
		return nil, err
	}
	if f != nil && f.Step < m.remembers() {
		return nil, forgottenStep(f.Step, m.remembers())
	}
	return m.reasoner.Prove(ctx, &Result{Index: m.index.Index}, f)
}

// MonitorSize is how much a monitor holds.
type MonitorSize struct {
	Lines    int // of the episode, with what each showed within the window
	Objects  int
	Changes  int // of what was believed
	Facts    int // in tables
	Findings int
	Warnings int
	Bytes    int // of memory that all that takes, about
}

// Size is how much the monitor holds. It costs time by the number of objects.
func (m *Monitor) Size() MonitorSize {
	if m.usable() != nil {
		return MonitorSize{}
	}
	t := m.tracker.Trace()
	out := MonitorSize{Lines: m.ep.Passed.Len() + len(m.ep.Steps), Objects: len(t.Objects.Items), Facts: m.index.Rows(), Findings: len(m.findings), Warnings: len(m.ep.Warnings)}
	shown := 0
	for i := range m.ep.Steps {
		shown += len(m.ep.Steps[i].Observation.Nodes) + len(m.ep.Steps[i].Observation.Edges)
	}
	for _, fluents := range t.History {
		for i := range fluents {
			out.Changes += len(fluents[i].Entries)
		}
	}
	const perPassed, perObject, perShown, perPacked, perFact, perFinding, perWarning = 150, 2000, 200, 8, 16, 2000, 200
	out.Bytes = m.ep.Passed.Len()*perPassed + len(m.ep.Steps)*int(unsafe.Sizeof(episode.Step{})+unsafe.Sizeof(belief.Event{})) + out.Changes*2*int(unsafe.Sizeof(belief.HistoryEntry{})) +
		out.Objects*perObject + shown*perShown + m.packed.shown*perPacked + out.Facts*perFact + out.Findings*perFinding + out.Warnings*perWarning
	return out
}
