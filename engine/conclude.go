package engine

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/mishap-robotics/mishap/engine/internal/belief"
	"github.com/mishap-robotics/mishap/engine/internal/diagnosis"
	"github.com/mishap-robotics/mishap/engine/internal/inference"
)

// conclude applies the rules to the last lines and to those with findings that
// may become more specific. Where the host's context ends it nothing is concluded.
func (m *Monitor) conclude(call *call) (changed bool, err error) {
	defer m.spends(PhaseRules)()
	events := m.tracker.Trace().Events
	var steps []int32
	for _, e := range slices.Backward(events[max(0, len(events)-1-lookBack):]) {
		steps = append(steps, e.Step)
	}
	for _, f := range m.findings[max(0, len(m.findings)-lookBack):] {
		if f.Step > int32(m.last)-refineWithin && !slices.Contains(steps, f.Step) {
			steps = append(steps, f.Step)
		}
	}
	p := m.reasoner.Prover(m.index.Index)
	p.Limit, p.Bytes = m.limits.Inferences, m.limits.Bytes
	if costs, ok := m.observer.(CostObserver); ok {
		p.Profile = costs.Profile()
	}
	p.Open()
	defer p.Close()
	failures := p.Program.FailureRules()
	altered, revised := m.index.Changed(), m.index.Revised()
	states := m.settled.of(steps)
	open := make([]asking, 0, len(steps)) // of which some rule is asked
	sets := p.RuleSets(len(steps) + 1)
	due := sets[len(steps)] // of any step
	for i := range states {
		st, asked := &states[i], sets[i]
		anew := st.step >= revised || st.unasked
		if anew {
			p.Candidates(st.step, asked)
			st.unasked, st.rests = false, st.rests[:0]
		} else if !m.settled.takeAltered(st, &altered, revised, asked) {
			continue // what was concluded stands
		}
		due.Join(asked)
		before := m.concluded[st.step]
		open = append(open, asking{state: st, anew: anew, asked: asked, before: before})
		for j := range before {
			due.Add(slices.Index(failures, before[j].Clause))
		}
	}
	var errs []error
	unasked := 0   // rules
	var at *asking // the step that is asked about
	collect := func(con Conclusion) bool { at.now = append(at.now, con); return true }
	for n := due.Next(0); n >= 0; n = due.Next(n + 1) {
		c, failed := failures[n], false
		lacking, lacks := p.Lacks(n)
		for i := range open {
			at = &open[i]
			asks := at.asked.Has(n)
			if asks && !failed && call.over() {
				if call.cancelled() {
					return false, m.unproved(call)
				}
				failed, unasked = true, unasked+1
			}
			if asks && !failed {
				if lacks {
					m.settled.on(at.state, n, lacking)
					continue
				}
				err := p.Prove(call.ctx, c, at.state.step, collect)
				if err == nil {
					m.settled.on(at.state, n, p.ChangesWith(c))
					continue
				}
				if isEnd(err) && call.cancelled() {
					return false, m.unproved(call)
				}
				failed = true
				errs = append(errs, inPhase(err, int(at.state.step)))
			}
			if asks {
				m.settled.on(at.state, n, inference.OnAll())
			} else if at.anew {
				continue // it lacks what it needs
			}
			for _, old := range at.before { // what it concluded before stands
				if old.Clause == c {
					at.now = append(at.now, old)
				}
			}
		}
	}
	if unasked > 0 {
		errs = append(errs, call.cut(PhaseRules, m.last, fmt.Sprintf("%d of %d rules were not asked", unasked, len(failures)), context.DeadlineExceeded))
	}
	for i := range open {
		at = &open[i]
		if !slices.EqualFunc(at.now, at.before, sameConclusion) {
			changed = true
			if m.concluded[at.state.step] = at.now; len(at.now) == 0 {
				delete(m.concluded, at.state.step)
			}
		}
	}
	return changed, errors.Join(errs...)
}

// asking is a step that rules are asked about.
type asking struct {
	state  *settledStep
	anew   bool // all rules are asked that do not lack facts
	asked  inference.RuleSet
	before []Conclusion
	now    []Conclusion
}

// unproved is the error of rules that the host's context ended. They are asked anew of all
// steps.
func (m *Monitor) unproved(c *call) error {
	m.settled.forget()
	return c.cut(PhaseRules, m.last, owed, c.outer.Err())
}

func sameConclusion(a, b Conclusion) bool {
	return a.Class == b.Class && a.Step == b.Step && a.Cause == b.Cause && a.Clause == b.Clause && slices.Equal(a.Objects, b.Objects)
}

// diagnose chooses the findings among the conclusions so far. What lies far back
// stands as it is.
func (m *Monitor) diagnose() []Finding {
	from := int32(m.last) - belief.SettledAfter
	var all []Conclusion
	settled := make([]Finding, 0, len(m.findings)+1)
	for i := range m.findings {
		if m.findings[i].Step < from {
			settled = append(settled, m.findings[i])
		}
	}
	for step := range m.concluded {
		if step < from {
			delete(m.concluded, step)
		}
	}
	for _, clause := range m.reasoner.Rules().FailureRules() {
		for _, conclusions := range m.concluded {
			for _, c := range conclusions {
				if c.Clause == clause {
					all = append(all, c)
				}
			}
		}
	}
	slices.SortStableFunc(all, func(a, b Conclusion) int { return int(a.Step - b.Step) })
	return append(settled, diagnosis.Findings(m.index.Index, all)...)
}

// update takes over the findings that now hold and tells what changed; the
// result holds the facts they rest on. Where the host's context ends it nothing is taken over.
func (m *Monitor) update(c *call, now []Finding, res *Result) ([]Update, error) {
	var out []Update
	n := 0 // those that stand as they did, which most do that lie far back
	for n < min(len(now), len(m.findings)) && sameFinding(&now[n], &m.findings[n]) {
		n++
	}
	before, after := m.findings[n:], now[n:]
	for i := range before {
		if !among(after, &before[i]) {
			out = append(out, Update{Kind: Withdrawn, Finding: before[i]})
		}
	}
	for i := range after {
		if !among(before, &after[i]) {
			out = append(out, Update{Kind: Found, Finding: after[i]})
		}
	}
	if m.observer == nil {
		m.findings = now
		return out, nil
	}
	proofs, err := m.proofs(c, out, res)
	if err != nil && c.cancelled() {
		return nil, c.cut(PhaseDiagnosis, m.last, owed, c.outer.Err())
	}
	m.findings = now
	for i := range out {
		m.observer.Updated(out[i], proofs[i], res.Index)
	}
	return out, err
}

// proofs are those of what was found; that which cannot be proved has none.
func (m *Monitor) proofs(c *call, updates []Update, res *Result) ([]*Proof, error) {
	out := make([]*Proof, len(updates))
	var errs []error
	for i := range updates {
		if updates[i].Kind != Found {
			continue
		}
		proof, err := m.reasoner.Prove(c.outer, res, &updates[i].Finding)
		if out[i] = proof; err != nil && !errors.Is(err, ErrForgotten) {
			errs = append(errs, err)
		}
		if c.cancelled() {
			break
		}
	}
	return out, errors.Join(errs...)
}

// among reports whether a finding is one of several.
func among(findings []Finding, f *Finding) bool {
	for i := range findings {
		if sameFinding(&findings[i], f) {
			return true
		}
	}
	return false
}

func sameFinding(f, g *Finding) bool {
	return f.Step == g.Step && f.Type == g.Type && slices.Equal(f.Objects, g.Objects)
}
