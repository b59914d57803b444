package engine

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"time"

	"github.com/mishap-robotics/mishap/engine/discrepancy"
	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/engine/internal/belief"
	"github.com/mishap-robotics/mishap/engine/internal/diagnosis"
	"github.com/mishap-robotics/mishap/engine/internal/fact"
	"github.com/mishap-robotics/mishap/engine/internal/limit"
	"github.com/mishap-robotics/mishap/engine/internal/perception"
	"github.com/mishap-robotics/mishap/engine/internal/planfault"
	"github.com/mishap-robotics/mishap/engine/scene"
)

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
	// Deviates is a scene that is not as expected. A monitor tells of them where it has been
	// asked to: EnableScore.
	Deviates UpdateKind = "deviates"
)

// Update is a change in what a monitor has found.
type Update struct {
	Kind    UpdateKind
	Finding Finding
	Threat  *Threat // of Foreseen and Averted, whose Finding is that of the threat
	// Score is that of Deviates, which has no Finding.
	Score *discrepancy.Comparison
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

// CostObserver is an Observer that is told what the work on a step costs.
type CostObserver interface {
	Observer
	// Spent is called after each phase of the work on a step, with the index of the last
	// step that was given and the time that it took.
	Spent(step int, phase Phase, took time.Duration)
	// Profile is what the costs of the rules are added to, nil for none.
	Profile() *Profile
}

// spends tells a CostObserver of the time from now on until what it returns is called.
func (m *Monitor) spends(phase Phase) (over func()) {
	costs, ok := m.observer.(CostObserver)
	if !ok {
		return func() {}
	}
	began := time.Now()
	return func() { costs.Spent(m.last, phase, time.Since(began)) }
}

// Monitor watches one episode while it happens. It is for one goroutine at a
// time; monitors of one Reasoner may run at once. The cost of a step does not
// grow with the episode. Lines but for the last few, and what they showed, are held packed
// where there is no Observer, who may look them up in its Trace. Where the episode states
// noise, a line is judged two lines later, when other looks have confirmed it.
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
	trigger    *Scoring         // by which foresight is triggered, nil for every step
	alarmed    string           // what the scene that was last told to deviate differs in
	projection *Projection      // since the last step, once somebody asked
	given      []episode.Action // the plan at first
	replanned  int              // events when the plan was last replaced
	last       int
	shown      scene.Graph // in the line before
	packed     packed
	unpacked   int // how many events there were when somebody asked what they showed
	finished   bool
	forgotten  forgotten
	pending    pending
	aside      *aside // that goes on, else nil
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
	if r.compiled != nil {
		r.compiled.Ready() // so that no step waits for it
	}
	return r.watch(ep, limits, observer)
}

// watch is Watch of what need not be quick from the first step: rules are compiled as they are
// asked.
func (r *Reasoner) watch(ep *episode.Episode, limits Limits, observer Observer) *Monitor {
	if ep == nil {
		ep = &episode.Episode{}
	}
	ep.Plan, ep.Warnings, ep.Skipped = slices.Clone(ep.Plan), slices.Clip(ep.Warnings), slices.Clip(ep.Skipped)
	limits = limits.withDefaults()
	refused := limits.admitPlan(ep.Plan)
	if ep.MaxWarnings = limits.Warnings; refused != nil {
		ep.Plan, ep.Carriers = nil, nil
		ep.Warn(0, refused.Error())
	}
	tracker := belief.NewTracker(r.Ontology, ep)
	m := &Monitor{given: slices.Clone(ep.Plan), reasoner: r, ep: ep, tracker: tracker, limits: limits, observer: observer,
		concluded: map[int32][]Conclusion{}, settled: newSettled(), last: -1, packed: packed{to: -1}, forgotten: forgotten{given: len(ep.Warnings)}}
	m.index = fact.NewLive(tracker.Trace(), func(e *Event) (planfault.Fault, bool) { return planfault.FindRecent(tracker, e) })
	m.pending.refused = refused
	if ep.Noise > 0 {
		m.noisy = perception.NewStream(r.Ontology, ep)
	}
	return m
}

// Step takes in the next line of the episode and returns what changed in the
// findings. The error names rules that failed, with a *LimitError for what did not come
// to an end within the limits or the context; the updates are what the others found. A
// step without an action is an observation of its own; one with an action that the
// ontology does not have is warned of in the episode, and what that does is not judged.
//
// A step is not taken in where the error is an *OrderError, a *StepRangeError, ErrFinished,
// a *LimitError of PhaseInput, or one of PhaseBelief: then the context was over before
// anything was done. Where the context ends later the step is taken in, and what it was
// still good for, rules, findings, updates, is made up for by the next call of Step or
// Finish before anything else: from then on all is as if nothing had ended early. What the
// context of that call ends once more is left out for good, and the error says so.
func (m *Monitor) Step(ctx context.Context, st episode.Step) ([]Update, error) {
	if err := m.ready(ctx); err != nil {
		return nil, err
	}
	if m.finished {
		return nil, ErrFinished
	}
	if err := checkStep(st.Index, m.last); err != nil {
		return nil, err
	}
	ctx = orBackground(ctx)
	if err := m.admit(ctx, &st); err != nil {
		return nil, err
	}
	c, end := beginCall(ctx, m.tracker.Trace(), m.limits.Time, "Limits.Time")
	defer m.over(end)
	updates, late := m.catchUp(c)
	if m.aside != nil {
		return updates, errors.Join(late, limit.Interrupted(PhaseBelief, st.Index, notTaken, c.outer.Err()))
	}
	st = m.ownStep(st)
	if err := episode.CheckAction(m.reasoner.Ontology, st.Action.Name); st.Action.Name != "" && err != nil {
		m.ep.Warn(st.Line, err.Error()+"; what it does is not judged")
	}
	m.last = st.Index
	m.settle(st)
	more, err := m.work(c)
	m.packLines()
	refused := m.pending.refused
	m.pending.refused = nil
	return append(updates, more...), errors.Join(refused, late, err)
}

// usable is the error of a monitor that Watch did not make.
func (m *Monitor) usable() error {
	if m == nil || m.reasoner == nil {
		return missing("monitor; Reasoner.Watch makes one")
	}
	return m.wait(context.Background())
}

// ownStep is a step that shares nothing with whoever gave it, who may use it again. What it
// shows as the step before did it shares with that.
func (m *Monitor) ownStep(st episode.Step) episode.Step {
	o, before := &st.Observation, &m.shown
	if m.noisy != nil {
		before = &scene.Graph{} // where observations are smoothed, each is its own
	}
	st.Sounds, st.Events, st.Values = slices.Clone(st.Sounds), slices.Clone(st.Events), slices.Clone(st.Values)
	if o.Nodes != nil && slices.EqualFunc(o.Nodes, before.Nodes, sameNode) {
		o.Nodes = before.Nodes
	} else {
		o.Nodes = ownNodes(o.Nodes)
	}
	if o.Edges != nil && slices.Equal(o.Edges, before.Edges) {
		o.Edges = before.Edges
	} else {
		o.Edges = slices.Clone(o.Edges)
	}
	m.shown = o.Graph
	return st
}

// sameNode reports whether two nodes say the same.
func sameNode(a, b scene.Node) bool {
	same := func(a, b []string) bool { return slices.Equal(a, b) && (a == nil) == (b == nil) }
	return a.ID == b.ID && a.Class == b.Class && same(a.States, b.States) && same(a.Properties, b.Properties) &&
		slices.Equal(a.Values, b.Values) && (a.Values == nil) == (b.Values == nil)
}

// ownNodes copies nodes with all that they hold.
func ownNodes(nodes []scene.Node) []scene.Node {
	nodes = slices.Clone(nodes)
	words := 0
	for i := range nodes {
		words += len(nodes[i].States) + len(nodes[i].Properties)
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
	for i := range nodes {
		nodes[i].Values = slices.Clone(nodes[i].Values)
		nodes[i].States, nodes[i].Properties = take(nodes[i].States), take(nodes[i].Properties)
	}
	return nodes
}

// EnableForesight lets the updates of each step from now on tell of failures foreseen and
// averted, which needs a plan. The cost of a step then grows with what is left of it, as far as the look ahead goes.
func (m *Monitor) EnableForesight() {
	if m != nil {
		m.forewarns = true
	}
}

// warn tells what is foreseen for the first time and what is so no more. What has
// come about is neither: it becomes a finding.
func (m *Monitor) warn(c *call) ([]Update, error) {
	defer m.spends(PhaseForesight)()
	var out []Update
	deviates := true
	var err error
	if m.trigger != nil {
		if out, deviates, err = m.scored(c); err != nil {
			return nil, err
		}
	}
	var threats []Threat
	if deviates || len(m.warned) > 0 {
		if threats, err = m.foresee(c); err != nil {
			return out, err
		}
	}
	among := func(list []Threat, t *Threat) bool {
		return slices.ContainsFunc(list, func(u Threat) bool { return sameThreat(&u, t) || continues(&u, t) })
	}
	for i := range m.warned {
		if t := &m.warned[i]; !among(threats, t) && t.Planned > m.tracker.Done() {
			out = append(out, Update{Kind: Averted, Finding: t.Finding, Threat: t})
		}
	}
	for i := range threats {
		if t := &threats[i]; !among(m.warned, t) {
			out = append(out, Update{Kind: Foreseen, Finding: t.Finding, Threat: t})
		}
	}
	m.warned = threats
	return out, nil
}

// Findings are what was found so far, as far as a window goes.
func (m *Monitor) Findings() []Finding {
	if m.usable() != nil {
		return nil
	}
	return slices.Clone(m.findings)
}

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
// that are clear only now. Of a monitor with a window it is what Limits says. Where the
// context ends it there is no result: the episode is not finished, and may be later.
func (m *Monitor) Finish(ctx context.Context) (*Result, []Update, error) {
	ctx = orBackground(ctx)
	if err := m.ready(ctx); err != nil {
		return nil, nil, err
	}
	if m.finished {
		return nil, nil, ErrFinished
	}
	if m.last < 1 {
		return nil, nil, ErrNoSteps
	}
	c, end := beginCall(ctx, m.tracker.Trace(), 0, "")
	defer m.over(end)
	settled, late := m.catchUp(c)
	if m.noisy != nil {
		m.pending.lines = append(m.pending.lines, m.noisy.Flush()...)
		more, err := m.work(c)
		settled, late = append(settled, more...), errors.Join(late, err)
	}
	unfinished := func(err error) (*Result, []Update, error) {
		if err == nil || !isEnd(err) {
			err = errors.Join(err, c.cut(PhaseBelief, m.last, "the episode is not finished", c.outer.Err()))
		}
		return nil, settled, errors.Join(late, err)
	}
	if c.cancelled() || !m.unpackLines(ctx) {
		return unfinished(nil)
	}
	var res *Result
	var err error
	if m.limits.Window > 0 {
		res, err = m.close(c)
	} else {
		res, err = m.reasoner.within(m.limits).Check(ctx, m.whole())
	}
	switch {
	case c.cancelled():
		return unfinished(err)
	case res == nil:
		return nil, settled, errors.Join(late, err)
	}
	updates, failed := m.update(c, res.Findings, res)
	if c.cancelled() && failed != nil {
		return unfinished(failed)
	}
	m.finished = true
	return res, append(settled, updates...), errors.Join(late, err, failed)
}

// whole is the episode with its lines as they came.
func (m *Monitor) whole() *episode.Episode {
	if m.noisy == nil {
		return m.ep
	}
	whole := *m.ep
	whole.Steps = m.raw
	return &whole
}

// close ends an episode of which only a window is remembered.
func (m *Monitor) close(c *call) (*Result, error) {
	again := m.pending.ended // another call ended in what follows
	if !again {
		m.tracker.End()
		m.index.End()
		m.settled.forget() // what holds at the end only is known now
		m.pending.ended = true
	}
	changed, failed := m.conclude(c)
	if c.cancelled() {
		return nil, failed
	}
	p := m.reasoner.Prover(m.index.Index)
	p.Limit, p.Bytes = m.limits.Inferences, m.limits.Bytes
	p.Open()
	defer p.Close()
	ctx, cancel := m.reasoner.bounded(c.outer)
	defer cancel()
	var late []Conclusion
	errs := []error{failed}
	for _, rule := range p.Program.FailureRules() {
		if !p.AtEnd(rule) {
			continue
		}
		errs = append(errs, p.Conclusions(ctx, rule, func(con Conclusion) bool {
			if !slices.ContainsFunc(m.concluded[con.Step], func(o Conclusion) bool { return sameConclusion(o, con) }) {
				late = append(late, con)
			}
			return true
		}))
	}
	if c.cancelled() {
		return nil, errors.Join(errs...)
	}
	findings := m.findings
	if changed || again || len(late) > 0 {
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
	return &Result{Episode: m.ep, Trace: m.tracker.Trace(), Findings: findings, Forgotten: m.forgotten.before + len(m.forgotten.found), Index: m.index.Index}, errors.Join(errs...)
}
