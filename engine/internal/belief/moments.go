package belief

import (
	"cmp"
	"slices"

	"github.com/mishap-robotics/mishap/engine/internal/state"
)

// Moments are the beliefs of a trace after several steps, asked for in ascending order: from
// one to the next only what changed is looked at, not all that is known. The trace must not
// change meanwhile.
type Moments struct {
	trace   *Trace
	now     *state.State // but for relations that are not places; nil before the first
	step    int32        // of now
	changes []change     // after the first step, in order; nil until they are asked for
	next    int          // the first of them that now does not have
}

// change is that a fluent changed at a step.
type change struct {
	step   int32
	fluent state.Fluent
}

// Moments begins to tell of beliefs.
func (t *Trace) Moments() *Moments { return &Moments{trace: t} }

// StateAt is Trace.StateAt.
func (m *Moments) StateAt(step int32) *state.State {
	t := m.trace
	if m.now == nil || step < m.step {
		m.now, m.changes = t.fluentsAt(step), nil
	} else if step > m.step {
		m.advance(step)
	}
	m.step = step
	out := m.now.Clone()
	t.relationsAt(out, step)
	return out
}

// advance brings now up to a step.
func (m *Moments) advance(step int32) {
	t := m.trace
	if m.changes == nil {
		m.changes, m.next = t.changesAfter(m.step), 0
	}
	for ; m.next < len(m.changes) && m.changes[m.next].step <= step; m.next++ {
		f := m.changes[m.next].fluent
		m.now.Replace(f, t.At(f, step))
	}
}

// changesAfter lists what changed after a step, in order of steps.
func (t *Trace) changesAfter(step int32) []change {
	out := []change{}
	for f := range t.History.fluents() {
		if t.Interrupt.Raised() {
			break
		}
		h := t.History.Of(f)
		for i := len(h) - 1; i >= 0 && h[i].Step > step; i-- {
			out = append(out, change{h[i].Step, f})
		}
	}
	slices.SortFunc(out, func(a, b change) int {
		return cmp.Or(cmp.Compare(a.step, b.step), cmp.Compare(a.fluent.Obj, b.fluent.Obj), cmp.Compare(a.fluent.Slot, b.fluent.Slot))
	})
	return out
}
