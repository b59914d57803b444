package engine

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"time"

	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/engine/internal/belief"
	"github.com/mishap-robotics/mishap/engine/internal/diagnosis"
	"github.com/mishap-robotics/mishap/engine/internal/fact"
	"github.com/mishap-robotics/mishap/engine/internal/perception"
	"github.com/mishap-robotics/mishap/engine/internal/planfault"
)

// Limits bound the work of one step of a monitor.
type Limits struct {
	Time       time.Duration // 0 is no bound
	Inferences int           // of one rule at one step; a bound of its own where 0
	Bytes      int           // that the search with one rule may build, about; a bound of its own where 0
	// Window is how many steps back it is remembered what was seen and heard; 0 is
	// all of the episode, and less than MinWindow is that. What the robot did, how it
	// came out and how the belief changed is remembered throughout: about 1 kB a step.
	// At the end such an episode is not checked once more as a whole: what was found
	// stands, and what only the end shows is added. Findings and warnings are forgotten
	// with the window, but not before they are settled: 500 steps later.
	Window int
}

// MinWindow is how far back a finding may still become more specific.
const MinWindow = refineWithin + lookBack

// UpdateKind says what is new about a finding of a monitor.
type UpdateKind string

// A finding is found once; it may be replaced by a more specific one, or be
// withdrawn when a later step explains it otherwise.
const (
	Found     UpdateKind = "found"
	Withdrawn UpdateKind = "withdrawn"
	// Foreseen is a failure that will come about if the rest of the plan is carried
	// out as things are, Averted one that no longer will. A monitor tells them where
	// it has been asked to: EnableForesight.
	Foreseen UpdateKind = "foreseen"
	Averted  UpdateKind = "averted"
)

// Update is a change in what a monitor has found.
type Update struct {
	Kind    UpdateKind
	Finding Finding
	Threat  *Threat // of Foreseen and Averted, whose Finding is that of the threat
}

// Observer receives what a monitor does, as it happens. Its methods run in the
// goroutine that feeds the monitor.
type Observer interface {
	// Stepped is called with the event of each step of an action.
	Stepped(e *Event, t *Trace)
	// Updated is called with each change of the findings; proof is that of a
	// finding that was found, over the facts of the index.
	Updated(u Update, proof *Proof, x *Facts)
}

// Monitor watches one episode while it happens. It is for one goroutine at a
// time; monitors of one Reasoner may run at once. The cost of a step does not
// grow with the episode. Where the episode states noise, a line is judged
// two lines later, when other looks have confirmed it.
type Monitor struct {
	reasoner *Reasoner
	ep       *episode.Episode
	tracker  *belief.Tracker
	index    *fact.Live
	limits   Limits
	observer Observer

	// Where the sensors err, lines are taken in when later looks have settled them.
	noisy *perception.Stream
	raw   []episode.Step

	concluded  map[int32][]Conclusion // by step
	settled    settled
	findings   []Finding
	foreseen   foreseen
	forewarns  bool
	warned     []Threat         // that stand
	projection *Projection      // since the last step, once somebody asked
	given      []episode.Action // the plan at first
	replanned  int              // events when the plan was last replaced
	last       int
	finished   bool
	forgotten  forgotten
}

// lookBack is how many lines back a step may still change what was concluded, and
// refineWithin how many steps back a finding may still become more specific.
const (
	lookBack     = 8
	refineWithin = 100
)

// Watch begins an episode of which nothing but the task, the goal, the plan and
// the people are known; steps that it holds are passed over. The episode is the
// monitor's from now on. A nil observer is none.
func (r *Reasoner) Watch(ep *episode.Episode, limits Limits, observer Observer) *Monitor {
	if r.usable() != nil {
		return &Monitor{}
	}
	if ep == nil {
		ep = &episode.Episode{}
	}
	ep.Plan, ep.Warnings, ep.Skipped = slices.Clone(ep.Plan), slices.Clip(ep.Warnings), slices.Clip(ep.Skipped)
	tracker := belief.NewTracker(r.Ontology, ep)
	m := &Monitor{given: slices.Clone(ep.Plan), reasoner: r, ep: ep, tracker: tracker, limits: limits, observer: observer,
		concluded: map[int32][]Conclusion{}, settled: settled{}, last: -1, forgotten: forgotten{given: len(ep.Warnings)}}
	m.index = fact.NewLive(tracker.Trace(), func(e *Event) (planfault.Fault, bool) { return planfault.FindRecent(tracker, e) })
	if limits.Window > 0 {
		m.limits.Window = max(limits.Window, MinWindow)
	}
	if ep.Noise > 0 {
		m.noisy = perception.NewStream(r.Ontology, ep)
	}
	return m
}

// Step takes in the next line of the episode and returns what changed in the
// findings. The error names rules that failed, with a *LimitError for one
// that did not come to an end within the limits or the context; the step is taken
// in all the same, and the updates are what the other rules found. A step that is not
// taken in has an *OrderError, a *StepRangeError or ErrFinished. A step without an action is an observation
// of its own; one with an action that the ontology does not have is warned of in the
// episode, and what that does is not judged.
func (m *Monitor) Step(ctx context.Context, st episode.Step) ([]Update, error) {
	if err := m.usable(); err != nil {
		return nil, err
	}
	if m.finished {
		return nil, ErrFinished
	}
	if err := checkStep(st.Index, m.last); err != nil {
		return nil, err
	}
	ctx = orBackground(ctx)
	st = ownStep(st)
	if err := episode.CheckAction(m.reasoner.Ontology, st.Action.Name); st.Action.Name != "" && err != nil {
		m.ep.Warn(st.Line, err.Error()+"; what it does is not judged")
	}
	m.last = st.Index
	updates, err := m.in(ctx, st)
	if !m.forewarns {
		return updates, err
	}
	warnings, failed := m.warn(ctx)
	return append(updates, warnings...), errors.Join(err, failed)
}

// usable is the error of a monitor that Watch did not make.
func (m *Monitor) usable() error {
	if m == nil || m.reasoner == nil {
		return missing("monitor; Reasoner.Watch makes one")
	}
	return nil
}

// ownStep is a step that shares nothing with whoever gave it, who may use it again.
func ownStep(st episode.Step) episode.Step {
	o := &st.Observation
	st.Sounds, o.Nodes, o.Edges = slices.Clone(st.Sounds), slices.Clone(o.Nodes), slices.Clone(o.Edges)
	words := 0
	for i := range o.Nodes {
		words += len(o.Nodes[i].States) + len(o.Nodes[i].Properties)
	}
	all := make([]string, 0, words) // of all nodes, in one piece
	take := func(list []string) []string {
		if list == nil {
			return nil
		}
		from := len(all)
		all = append(all, list...)
		return slices.Clip(all[from:])
	}
	for i := range o.Nodes {
		o.Nodes[i].States, o.Nodes[i].Properties = take(o.Nodes[i].States), take(o.Nodes[i].Properties)
	}
	return st
}

// in takes in a line, or those that have settled with it.
func (m *Monitor) in(ctx context.Context, st episode.Step) ([]Update, error) {
	if m.noisy == nil {
		return m.take(ctx, st)
	}
	if m.limits.Window == 0 {
		m.raw = append(m.raw, st)
	}
	return m.takeAll(ctx, m.noisy.Next(st))
}

// EnableForesight lets the updates of each step from now on tell of failures foreseen and
// averted, which needs a plan. The cost of a step then grows with what is left of it, as far as the look ahead goes.
func (m *Monitor) EnableForesight() { m.forewarns = true }

// warn tells what is foreseen for the first time and what is so no more. What has
// come about is neither: it becomes a finding.
func (m *Monitor) warn(ctx context.Context) ([]Update, error) {
	threats, err := m.Foresee(ctx)
	if err != nil {
		return nil, err
	}
	var out []Update
	among := func(list []Threat, t *Threat) bool {
		return slices.ContainsFunc(list, func(u Threat) bool { return sameThreat(&u, t) || continues(&u, t) })
	}
	for i := range m.warned {
		if t := &m.warned[i]; !among(threats, t) && t.Planned > m.tracker.Done() {
			out = append(out, Update{Averted, t.Finding, t})
		}
	}
	for i := range threats {
		if t := &threats[i]; !among(m.warned, t) {
			out = append(out, Update{Foreseen, t.Finding, t})
		}
	}
	m.warned = threats
	return out, nil
}

// takeAll takes in lines that have settled.
func (m *Monitor) takeAll(ctx context.Context, steps []episode.Step) ([]Update, error) {
	var out []Update
	var errs []error
	for _, st := range steps {
		updates, err := m.take(ctx, st)
		out = append(out, updates...)
		errs = append(errs, err)
	}
	return out, errors.Join(errs...)
}

// take takes in a line.
func (m *Monitor) take(ctx context.Context, st episode.Step) ([]Update, error) {
	m.projection = nil
	e := m.tracker.Step(st)
	m.index.Extend()
	if e == nil {
		return nil, nil
	}
	if m.observer != nil {
		m.observer.Stepped(e, m.tracker.Trace())
	}
	if m.limits.Time > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, m.limits.Time)
		defer cancel()
	}
	changed, failed := m.conclude(ctx)
	if w := int32(m.limits.Window); w > 0 {
		m.tracker.Forget(e.Step - w)
		m.index.Forget(e.Step - w)
		m.forget(e.Step)
	}
	if !changed {
		return nil, failed
	}
	updates, err := m.update(context.WithoutCancel(ctx), m.diagnose(), &Result{Index: m.index.Index})
	return updates, errors.Join(failed, err)
}

// conclude applies the rules to the last lines and to those with findings that
// may become more specific.
func (m *Monitor) conclude(ctx context.Context) (changed bool, err error) {
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
	p.Open()
	defer p.Close()
	now := map[int32][]Conclusion{}
	var errs []error
	failures := p.Program.FailureRules()
	stays := m.settled.of(steps, len(failures))
	for n, c := range failures {
		failed := false
		ahead := p.DependsOnLater(c)
		for i, step := range steps {
			if !failed && (ahead && !stays[i][n] || step >= m.index.Revised()) {
				err := p.Prove(ctx, c, step, func(con Conclusion) bool { now[step] = append(now[step], con); return true })
				if stays[i][n] = err == nil && !p.DependedOnLater(c); err == nil {
					continue
				}
				failed = true
				errs = append(errs, err)
			}
			for _, old := range m.concluded[step] { // what it concluded before stands
				if old.Clause == c {
					now[step] = append(now[step], old)
				}
			}
		}
	}
	for _, step := range steps {
		if !slices.EqualFunc(now[step], m.concluded[step], sameConclusion) {
			changed = true
			if m.concluded[step] = now[step]; len(now[step]) == 0 {
				delete(m.concluded, step)
			}
		}
	}
	return changed, errors.Join(errs...)
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
// result holds the facts they rest on.
func (m *Monitor) update(ctx context.Context, now []Finding, res *Result) ([]Update, error) {
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
	m.findings = now
	if m.observer == nil {
		return out, nil
	}
	for i := range out {
		var proof *Proof
		if out[i].Kind == Found {
			var err error
			if proof, err = m.reasoner.Prove(ctx, res, &out[i].Finding); err != nil && !errors.Is(err, ErrForgotten) {
				return out, err
			}
		}
		m.observer.Updated(out[i], proof, res.Index)
	}
	return out, nil
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

// Findings are what was found so far, as far as a window goes.
func (m *Monitor) Findings() []Finding { return slices.Clone(m.findings) }

// Index holds the facts so far, for queries. It changes with the next step.
func (m *Monitor) Index() *Facts {
	if m.usable() != nil {
		return nil
	}
	return m.index.Index
}

// Finish ends the episode. The whole of it is checked once more, with all that
// is known by now: the result is that of Check, and the updates are what that
// changes: what is left on at the end, whether the goal was reached, and names
// that are clear only now. Of a monitor with a window it is what Limits says.
func (m *Monitor) Finish(ctx context.Context) (*Result, []Update, error) {
	if err := m.usable(); err != nil {
		return nil, nil, err
	}
	ctx = orBackground(ctx)
	if m.finished {
		return nil, nil, ErrFinished
	}
	if m.last < 1 {
		return nil, nil, errors.New("the episode has no step")
	}
	ep := m.ep
	var settled []Update
	var late error
	if m.noisy != nil {
		settled, late = m.takeAll(ctx, m.noisy.Flush())
	}
	if m.limits.Window > 0 {
		res, updates, err := m.close(ctx)
		return res, append(settled, updates...), errors.Join(late, err)
	}
	if m.noisy != nil {
		whole := *m.ep
		whole.Steps = m.raw
		ep = &whole
	}
	res, failed := m.reasoner.Check(ctx, ep)
	m.finished = true
	updates, err := m.update(ctx, res.Findings, res)
	return res, append(settled, updates...), errors.Join(late, failed, err)
}

// close ends an episode of which only a window is remembered.
func (m *Monitor) close(ctx context.Context) (*Result, []Update, error) {
	m.finished = true
	m.tracker.End()
	m.index.End()
	clear(m.settled) // what holds at the end only is known now
	changed, failed := m.conclude(ctx)
	p := m.reasoner.Prover(m.index.Index)
	p.Limit, p.Bytes = m.limits.Inferences, m.limits.Bytes
	p.Open()
	defer p.Close()
	ctx, cancel := m.reasoner.bounded(ctx)
	defer cancel()
	var late []Conclusion
	errs := []error{failed}
	for _, c := range p.Program.FailureRules() {
		if !p.AtEnd(c) {
			continue
		}
		errs = append(errs, p.Conclusions(ctx, c, func(con Conclusion) bool {
			if !slices.ContainsFunc(m.concluded[con.Step], func(o Conclusion) bool { return sameConclusion(o, con) }) {
				late = append(late, con)
			}
			return true
		}))
	}
	findings := m.findings
	if changed || len(late) > 0 {
		for _, con := range late {
			if con.Step >= int32(m.last)-belief.SettledAfter {
				m.concluded[con.Step] = append(m.concluded[con.Step], con)
			}
		}
		findings = m.diagnose()
		for _, f := range diagnosis.Findings(m.index.Index, late) { // what lies far back
			told := m.forgotten.at(f.Step) || slices.ContainsFunc(findings, func(g Finding) bool { return g.Step == f.Step })
			if f.Step < int32(m.last)-belief.SettledAfter && !told {
				findings = append(findings, f)
			}
		}
		slices.SortStableFunc(findings, func(a, b Finding) int { return cmp.Compare(a.Step, b.Step) })
	}
	res := &Result{Episode: m.ep, Trace: m.tracker.Trace(), Findings: findings, Forgotten: len(m.forgotten.found), Index: m.index.Index}
	updates, err := m.update(ctx, findings, res)
	return res, updates, errors.Join(append(errs, err)...)
}
