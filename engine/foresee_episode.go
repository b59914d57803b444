package engine

import (
	"context"
	"slices"

	"github.com/mishap-robotics/mishap/engine/discrepancy"
	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/engine/internal/belief"
	"github.com/mishap-robotics/mishap/engine/internal/expectation"
	"github.com/mishap-robotics/mishap/engine/internal/state"
	"github.com/mishap-robotics/mishap/ontology"
)

// Foresight is what could be foreseen in an episode while it happened.
type Foresight struct {
	Result *Result // of checking the whole episode
	// Subtasks are the actions of the log, each as it stood just before it, and, in
	// a log that ends before its plan does, the one that would be next.
	Subtasks []SubtaskForesight
	Threats  []ForeseenThreat
}

// SubtaskForesight is a moment just before an action.
type SubtaskForesight struct {
	Step    int32 // of the action
	Planned int   // its index in the plan, 0 where it is not in it
	Action  string
	Threats []int // indexes in Foresight.Threats of those that stand then
	// Score compares the scene with the expected one; nil before a navigation, and
	// where the plan has no more actions.
	Score *discrepancy.Comparison
	// Verdict combines the score with what rules prove.
	Verdict Verdict
}

// ForeseenThreat is a threat with what became of it. Its steps are those of the log as
// far as that goes.
type ForeseenThreat struct {
	Threat
	// Averted is the step after which it no longer stood, 0 where it came about or
	// the log ends before.
	Averted int32
	// Showed is the step at which it came about, 0 where it did not.
	Showed int32
}

// Lead is how many steps before it showed it was foreseen, 0 where it did not show.
func (f *ForeseenThreat) Lead() int32 {
	if f.Showed == 0 {
		return 0
	}
	return f.Showed - f.Foreseen
}

// Walk follows an episode line by line and stops before each action, and after the
// last line with an action of no name: there the monitor knows what was known then
// and no more. What an episode without a plan did stands for its plan, which is
// returned.
func (r *Reasoner) Walk(ctx context.Context, ep *episode.Episode, visit func(m *Monitor, step int32, a episode.Action) error) ([]episode.Action, error) {
	ep, err := r.admit(ep)
	if err != nil {
		return nil, err
	}
	if visit == nil {
		return nil, missing("function that is called before each action")
	}
	ctx = orBackground(ctx)
	live := live(ep)
	m := r.watch(live, r.byStep(), nil)
	for i := range ep.Steps {
		st := &ep.Steps[i]
		if ep.Begins(i) {
			if err := visit(m, int32(st.Index), st.Action); err != nil {
				return nil, err
			}
		}
		if _, err := m.Step(ctx, *st); err != nil {
			return nil, err
		}
	}
	return live.Plan, visit(m, 0, episode.Action{})
}

// live is an episode as it stood before its first step, without the warnings since. What
// one without a plan did stands for its plan.
func live(ep *episode.Episode) *episode.Episode {
	out := *ep
	out.Warnings = nil
	if len(out.Plan) == 0 {
		out.Plan, out.Carriers, out.Unplanned = ep.Actions(), ep.Agents(), true
	}
	return &out
}

// Foresee walks an episode and tells what could have been foreseen before each of
// its actions, from no more than what was known then. The error is that of Check,
// or tells of the scoring.
func (r *Reasoner) Foresee(ctx context.Context, ep *episode.Episode, s Scoring) (*Foresight, error) {
	own, err := r.admit(ep)
	if err != nil {
		return nil, err
	}
	ctx, end := r.bound(ctx)
	defer end()
	whole := *ep // which Check admits and warns of
	w := &walk{foresight: &Foresight{}, scoring: r.complete(s), onto: r.Ontology}
	if err := discrepancy.CheckThreshold(w.scoring.Threshold); err != nil {
		return nil, err
	}
	plan, err := r.Walk(ctx, own, func(m *Monitor, step int32, a episode.Action) error { return w.look(ctx, m, step, a) })
	if err != nil {
		return nil, err
	}
	if len(whole.Plan) == 0 {
		whole.Plan, whole.Unplanned = plan, true
		whole.Warn(0, "the log states no plan; what the robot did stands for it")
	}
	res, err := r.Check(ctx, &whole)
	if err != nil {
		return nil, err
	}
	w.foresight.Result = res
	w.settle(res)
	return w.foresight, nil
}

type walk struct {
	onto      *ontology.Ontology
	scoring   Scoring
	foresight *Foresight
	standing  []int // indexes of the threats that stand
}

// look notes what is foreseen before an action; none is the end of the log.
func (w *walk) look(ctx context.Context, m *Monitor, step int32, action episode.Action) error {
	threats, err := m.Foresee(ctx)
	if err != nil {
		return err
	}
	var standing []int
	for _, t := range threats {
		i := slices.IndexFunc(w.foresight.Threats, func(f ForeseenThreat) bool { return sameThreat(&f.Threat, &t) || continues(&f.Threat, &t) })
		switch {
		case i < 0:
			i = len(w.foresight.Threats)
			w.foresight.Threats = append(w.foresight.Threats, ForeseenThreat{Threat: t})
		case !sameThreat(&w.foresight.Threats[i].Threat, &t):
			w.foresight.Threats[i].follow(&t)
		}
		w.foresight.Threats[i].Averted = 0
		standing = append(standing, i)
	}
	for _, i := range w.standing {
		t := &w.foresight.Threats[i]
		due := t.Planned > 0 && t.Planned <= m.tracker.Done()
		if !slices.Contains(standing, i) && t.Averted == 0 && !due {
			t.Averted = max(1, int32(m.last))
		}
	}
	w.standing = standing
	if action.Name == "" {
		return nil
	}
	st := SubtaskForesight{Step: step, Action: action.String(), Threats: standing}
	if expectation.Changes(w.onto, action) {
		if st.Score, err = m.Discrepancy(ctx, w.scoring); err != nil {
			return err
		}
	}
	st.Verdict = verdictOf(proofs(m.Findings(), threats), st.Score, w.scoring.Threshold)
	w.foresight.Subtasks = append(w.foresight.Subtasks, st)
	return nil
}

// proofs are the failures found so far and those foreseen.
func proofs(found []Finding, threats []Threat) []proven {
	var out []proven
	for i := range found {
		out = append(out, proven{Class: found[i].Type, Objects: found[i].Objects, Past: true})
	}
	for i := range threats {
		p := proven{Class: threats[i].Type, Objects: threats[i].Objects}
		if from := threats[i].FollowsFrom; from != nil {
			p.Class = from.Type // what has happened, of which this only follows
		}
		out = append(out, p)
	}
	return out
}

func sameThreat(a, b *Threat) bool {
	return a.Type == b.Type && a.Planned == b.Planned && slices.Equal(a.Objects, b.Objects)
}

// continues reports that a threat is what follows from an earlier one that has
// come about, or from the same failure, or was told with an earlier one.
func continues(earlier, t *Threat) bool {
	for i, c := range earlier.Consequences {
		if c.Type == t.Type && earlier.PlannedThen[i] == t.Planned {
			return true
		}
	}
	if t.FollowsFrom == nil {
		return false
	}
	return earlier.Planned > 0 && earlier.Planned == t.FollowsFrom.Planned ||
		earlier.FollowsFrom != nil && earlier.FollowsFrom.Step == t.FollowsFrom.Step
}

// follow adds what else follows.
func (f *ForeseenThreat) follow(t *Threat) {
	c := Consequence{Type: t.Type, Step: t.Step, Objects: t.Objects, Explanation: t.Explanation}
	if !slices.ContainsFunc(f.Consequences, func(d Consequence) bool { return d.Step == c.Step && d.Type == c.Type }) {
		f.Consequences, f.PlannedThen = append(f.Consequences, c), append(f.PlannedThen, t.Planned)
	}
}

// settle puts the steps of the log in place of those foreseen, and notes what
// came about.
func (w *walk) settle(res *Result) {
	f := w.foresight
	at := map[int]int32{} // first step of each planned action
	final := map[int]int32{}
	for i := range res.Trace.Events {
		e := &res.Trace.Events[i]
		if e.Planned == 0 {
			continue
		}
		if _, ok := at[e.Planned]; !ok {
			at[e.Planned] = e.First
		}
		final[e.Planned] = e.Step
	}
	last := res.Trace.Last()
	finished := len(res.Trace.Rest) == 0
	place := func(planned int, step int32) int32 {
		if s, ok := final[planned]; ok {
			return s
		}
		if planned > len(res.Episode.Plan) && finished && planned > 0 {
			return last + 1
		}
		return step
	}
	for i := range f.Subtasks {
		if e := res.Trace.Event(f.Subtasks[i].Step); e != nil {
			f.Subtasks[i].Planned = e.Planned
		}
	}
	for i := range f.Threats {
		t := &f.Threats[i]
		t.Step = place(t.Planned, t.Step)
		if t.PlannedCause > 0 {
			t.Cause = place(t.PlannedCause, t.Cause)
		}
		for k := range t.Window {
			if t.PlannedWindow[k] > 0 {
				t.Window[k] = place(t.PlannedWindow[k], t.Window[k])
			}
		}
		for k := range t.Consequences {
			t.Consequences[k].Step = place(t.PlannedThen[k], t.Consequences[k].Step)
		}
		t.tellOnce()
		if t.Averted == 0 && w.showed(res, t) {
			t.Showed = t.Step
		}
	}
}

// tellOnce drops consequences that say the same as another.
func (f *ForeseenThreat) tellOnce() {
	var out []Consequence
	for _, c := range f.Consequences {
		if !slices.ContainsFunc(out, func(d Consequence) bool { return d.Step == c.Step && d.Explanation == c.Explanation }) {
			out = append(out, c)
		}
	}
	f.Consequences = out
}

// showed reports whether the log has a failure at the step of a threat.
func (w *walk) showed(res *Result, t *ForeseenThreat) bool {
	if e := res.Trace.Event(t.Step); e != nil && e.Outcome >= belief.Refused {
		return true
	}
	at := func(f *Finding) bool {
		return f.Step == t.Step && f.Type == t.Type || slices.ContainsFunc(f.Consequences, func(c Consequence) bool { return c.Step == t.Step })
	}
	for i := range res.Findings {
		if at(&res.Findings[i]) {
			return true
		}
	}
	got, _ := res.Trace.GoalTruth(res.Trace.Final)
	return t.Step >= res.Trace.Last() && len(res.Trace.Rest) == 0 && got <= state.AssumedFalse
}
