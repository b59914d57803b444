package engine

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/engine/internal/limit"
)

// pending is what a monitor has still to do of the lines that it was given, where the
// context of a call has ended it. A step takes in lines one after the other, each stage by
// stage; a stage is done wholly or begun anew.
type pending struct {
	lines   []episode.Step // that are not taken in
	stage   stage          // of the line that was taken in last
	stepped bool           // the observer is to be told of that line
	warns   bool           // what is foreseen is to be told
	refused error          // the plan, which the first step tells
	untold  bool           // the time was up before the findings were chosen
	ended   bool           // the end of the episode is in the trace and its facts
	sizes   []size         // of the lines within the window
	held    int            // bytes of them
}

// size is about how many bytes are remembered of a step.
type size struct{ step, bytes int }

// stage is what is to be done of a line.
type stage uint8

const (
	done stage = iota
	index
	prove
	diagnose
)

// owed is what is undone of a step that is taken in.
const owed = "the step was taken in; the rest is made up for at the next call"

// givenUp is what is undone of a step for good.
const givenUp = "it is left out for good, as the call that was to make up for it ended too"

// admit is the error of a step that is not taken in.
func (m *Monitor) admit(ctx context.Context, st *episode.Step) error {
	if err := ctx.Err(); err != nil {
		return limit.Interrupted(PhaseBelief, st.Index, notTaken, err)
	}
	if err := m.limits.admit(st); err != nil {
		return err
	}
	t := m.tracker.Trace()
	if known := len(t.Objects.Items); known+namesIn(st) > m.limits.Objects {
		if n := known + m.tracker.Fresh(st); n > m.limits.Objects {
			return tooManyObjects(st, m.limits.Objects, n)
		}
	}
	if most := m.limits.Memory; most > 0 {
		if n := remembered(t, m.pending.held+cost(st)); n > most {
			return limit.Refused(st.Index, "observation", 0, "Limits.Memory", most, n, notTaken)
		}
	}
	return nil
}

// settle adds to the lines that are to be taken in those that have settled with one.
func (m *Monitor) settle(st episode.Step) {
	if m.limits.Memory > 0 {
		n := cost(&st)
		if m.pending.held += n; m.limits.Window > 0 {
			m.pending.sizes = append(m.pending.sizes, size{st.Index, n})
		}
	}
	m.pending.warns = m.forewarns || m.trigger != nil
	if m.noisy == nil {
		m.pending.lines = append(m.pending.lines, st)
		return
	}
	if m.limits.Window == 0 {
		m.raw = append(m.raw, st)
	}
	m.pending.lines = append(m.pending.lines, m.noisy.Next(st)...)
}

// catchUp makes up for what an earlier call left. What it cannot do is given up.
func (m *Monitor) catchUp(c *call) ([]Update, error) {
	if m.pending.stage == done && len(m.pending.lines) == 0 && !m.pending.warns { // nothing goes on aside, see ready
		return nil, nil
	}
	updates, err := m.work(c)
	if !c.cancelled() || m.aside != nil {
		return updates, err
	}
	if m.pending.stage == index {
		m.index.GiveUp()
		m.indexed()
	}
	m.pending.stage, m.pending.warns = done, false
	var e *LimitError
	if errors.As(err, &e) {
		e.Undone = givenUp
	}
	return updates, err
}

// work takes in the lines that are to be, and tells what is foreseen then. Where the host's
// context ends it the rest is pending.
func (m *Monitor) work(c *call) ([]Update, error) {
	var out []Update
	var errs []error
	for {
		updates, err := m.stages(c)
		if out = append(out, updates...); err != nil {
			errs = append(errs, err)
		}
		if m.pending.stage != done || m.aside != nil {
			return out, errors.Join(errs...)
		}
		if len(m.pending.lines) == 0 {
			break
		}
		st := m.pending.lines[0]
		m.pending.lines = slices.Delete(m.pending.lines, 0, 1) // there are few
		m.scoreFacts(c, &st)
		if !m.believe(c, st) {
			return out, errors.Join(append(errs, c.cut(PhaseFacts, m.last, owed, c.outer.Err()))...)
		}
	}
	if m.pending.warns {
		warnings, err := m.warn(c)
		m.pending.warns = err != nil && c.cancelled()
		out, errs = append(out, warnings...), append(errs, err)
	}
	return out, errors.Join(errs...)
}

// scoreFacts works out the facts of the score of the scene before a line, where rules ask for
// them.
func (m *Monitor) scoreFacts(c *call, st *episode.Step) {
	if !m.reasoner.scores || len(m.ep.Plan) == 0 || m.noisy != nil {
		return
	}
	if score, ok := m.reasoner.scoreBefore(c, m.tracker, st); ok {
		m.index.Score(int32(st.Index), score)
	}
}

// believe takes a line into the belief, which is not interrupted. It is false where that goes
// on aside.
func (m *Monitor) believe(c *call, st episode.Step) bool {
	defer m.spends(PhaseBelief)()
	m.projection, m.pending.stage = nil, index
	return m.uninterrupted(c, isLarge(&st), func() {
		t := m.tracker.Trace()
		resume := t.EndWith(nil)
		if e := m.tracker.Step(st); e != nil {
			m.pending.stepped = true
		}
		resume()
	})
}

// stages does what is to be done of the line that was taken in last.
func (m *Monitor) stages(c *call) ([]Update, error) {
	var errs []error
	if m.pending.stage == index {
		if err := m.extend(c); err != nil {
			if c.cancelled() {
				return nil, err
			}
			errs = append(errs, err)
		}
		m.indexed()
	}
	if m.pending.stage == prove {
		changed, err := m.conclude(c)
		if c.cancelled() && err != nil {
			return nil, err
		}
		if err != nil {
			errs = append(errs, err)
		}
		if m.pending.stage = done; changed || m.pending.untold {
			m.pending.stage = diagnose
		}
		if !m.uninterrupted(c, m.isLarge(), m.forgetWindow) {
			return nil, errors.Join(append(errs, c.cut(PhaseDiagnosis, m.last, owed, c.outer.Err()))...)
		}
	}
	if m.pending.stage == diagnose {
		updates, err := m.tell(c)
		if c.cancelled() && err != nil {
			return nil, err
		}
		m.pending.stage = done
		return updates, errors.Join(append(errs, err)...)
	}
	return nil, errors.Join(errs...)
}

// indexed goes on to the rules once the facts of a line are there; step 0 has none for them.
func (m *Monitor) indexed() {
	t := m.tracker.Trace()
	if m.pending.stage = prove; t.Last() == 0 {
		m.pending.stage = done
	}
	if m.pending.stepped && m.observer != nil {
		m.observer.Stepped(m.lastEvent(), t)
	}
	m.pending.stepped = false
}

// extend adds the facts of the line that was taken in last.
func (m *Monitor) extend(c *call) error {
	defer m.spends(PhaseFacts)()
	if m.index.Extend() {
		return nil
	}
	if c.cancelled() {
		return c.cut(PhasePlanFaults, m.last, owed, c.outer.Err())
	}
	m.index.GiveUp()
	return c.cut(PhasePlanFaults, m.last, "the edit that would repair the plan was not found", c.stop.Err())
}

// grace is how long findings may be chosen when the time of a step is up.
const grace = 3 * time.Millisecond

// tell chooses the findings and tells what changed in them.
func (m *Monitor) tell(c *call) ([]Update, error) {
	defer m.spends(PhaseDiagnosis)()
	// What the other rules found is told even where the time was up for some.
	within := time.Duration(0)
	if deadline, ok := c.ctx.Deadline(); ok && m.limits.Time > 0 {
		within = max(time.Until(deadline), 0) + grace
	}
	whole, end := beginCall(c.outer, m.tracker.Trace(), within, "Limits.Time")
	defer end()
	now := m.diagnose()
	if err := whole.ended(PhaseDiagnosis, m.last, owed); err != nil {
		if m.pending.untold = !c.cancelled(); m.pending.untold {
			err = whole.cut(PhaseDiagnosis, m.last, "what changed in the findings is told with a later step", whole.stop.Err())
		}
		return nil, err
	}
	m.pending.untold = false
	return m.update(whole, now, &Result{Index: m.index.Index})
}

// forgetWindow lets go of what lies before the window.
func (m *Monitor) forgetWindow() {
	w := int32(m.limits.Window)
	if w <= 0 {
		return
	}
	before := m.tracker.Trace().Last() - w
	m.tracker.Forget(before)
	m.packed.forget(m.tracker.Remembers())
	m.index.Forget(before)
	m.forget(before + w)
	m.forgetDeeds()
	m.forgetObjects()
	n := 0
	for ; n < len(m.pending.sizes) && m.pending.sizes[n].step < int(before); n++ {
		m.pending.held -= m.pending.sizes[n].bytes - stepForgotten
	}
	m.pending.sizes = m.pending.sizes[n:]
}

// stepForgotten is about how many bytes are remembered of a step before the window.
const stepForgotten = 300
