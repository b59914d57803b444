package engine

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/mishap-robotics/mishap/engine/discrepancy"
	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/engine/internal/projection"
	"github.com/mishap-robotics/mishap/engine/internal/state"
)

// Executor is a robot, or a simulated one.
type Executor interface {
	// Perform carries out one action and returns what was perceived after it; an
	// action of no name only looks. That an action fails is no error: it shows in
	// what is perceived. An error ends the run.
	Perform(ctx context.Context, a episode.Action) (episode.Step, error)
}

// TeamExecutor is an Executor of several robots. Where a plan says who carries out an action it
// is asked instead of Perform.
type TeamExecutor interface {
	Executor
	// PerformAs is Perform of the robot of a name.
	PerformAs(ctx context.Context, agent string, a episode.Action) (episode.Step, error)
}

// Loop carries a plan out, watches what comes of it, and recovers. It may be used
// for several runs, one at a time.
type Loop struct {
	Reasoner *Reasoner
	Executor Executor
	Planner  Planner
	// Limits bound the work of the rules at one step.
	Limits Limits
	// Reactive recovers only from what has gone wrong, not from what will.
	Reactive bool
	// Trigger is the scoring by which a run is watched: the rules are asked what is to come
	// where a scene scores below its threshold, and not before each action, as scene-graph-
	// guided proactive replanning does (Section II-E). Where they know of nothing, it is
	// planned anew all the same. Nil is for the rules alone. Run refuses a scoring that
	// cannot be carried out.
	Trigger *Scoring
	// MaxRecoveries ends a run that needs more; DefaultMaxRecoveries where 0.
	MaxRecoveries int
	// MaxActions ends a run that needs more; DefaultMaxActions where 0.
	MaxActions int
	// Observer is told what happens; nil for nobody.
	Observer LoopObserver
	// Clock is what Recovery.Time is taken by; nil for the clock on the wall.
	Clock func() time.Duration
	// Propose plans in the place of the planner; nil for the planner. The finding is
	// nil where an action failed for no known reason, or where the plan is at its end.
	// A proposal without actions that is not verified ends the run, and so does none.
	Propose func(ctx context.Context, m *Monitor, f *Finding) *Proposal
}

// LoopObserver is told of a run as it happens.
type LoopObserver interface {
	// Acted is called after each action with its event.
	Acted(st episode.Step, e *Event)
	// Recovered is called with each recovery, whether or not it is
	// verified.
	Recovered(c *Recovery)
}

// The bounds of a run by default.
const (
	DefaultMaxRecoveries = 15
	DefaultMaxActions    = 400
)

// Recovery is another plan for the rest of a run.
type Recovery struct {
	After   int      // step after which it was made
	Finding *Finding // that it recovers from, nil for none
	Threat  *Threat  // that it averts, nil for none
	// Score is what triggered it, nil where Loop.Trigger did not.
	Score    *discrepancy.Comparison
	Failed   string // the action that failed, "" for none
	Proposal *Proposal
	Time     time.Duration // that planning took
}

// Ending says how a run ended.
type Ending string

// The endings of runs.
const (
	Completed  Ending = "completed"  // the goal holds, as far as is believed, and no constraint is violated
	Stopped    Ending = "stopped"    // as much as can be reached was reached
	Hopeless   Ending = "hopeless"   // a bound ended it
	Unfinished Ending = "unfinished" // it was cancelled, or the executor failed
)

// RunResult is what became of a run.
type RunResult struct {
	Episode    *episode.Episode // with what was done and seen
	Result     *Result          // of checking it
	Recoveries []Recovery
	Ending     Ending
	Reason     string // why it was not completed
	Actions    int    // carried out
	// Errors are those of rules that failed or were stopped at a limit (a *LimitError),
	// while it went on and at its end: the run went on without what they would have
	// found. What was perceived after an action and exceeds Limits is refused with such an
	// error too: then nobody saw what came of the action.
	Errors []error
}

// Run carries the plan of an episode out; steps that it holds are passed over. Where
// it has none, one is made. The error is that of the executor, of the context, of an
// action that the ontology does not have (an *UnknownActionError), ErrNoGoal, or that not
// even an action without what was perceived is within Limits (a *LimitError). Rules that
// fail end no run: RunResult.Errors tells of them.
func (l *Loop) Run(ctx context.Context, ep *episode.Episode) (*RunResult, error) {
	if l == nil || l.Executor == nil {
		return nil, missing("executor")
	}
	given, err := l.Reasoner.admit(ep)
	if err != nil {
		return nil, err
	}
	ctx = orBackground(ctx)
	if l.Trigger != nil {
		complete := l.Reasoner.complete(*l.Trigger)
		if err := complete.check(); err != nil {
			return nil, err
		}
	}
	r := &run{Loop: l, monitor: l.Reasoner.watch(given, l.Limits, nil), result: &RunResult{Episode: given}, began: time.Now(), tried: map[string]int{}}
	r.given = slices.Clone(given.Plan)
	if t := r.monitor.tracker.Trace(); t.Goal.IsEmpty() {
		return nil, fmt.Errorf("episode %s has %w: expected a known task, or a goal of facts", ep.ID, ErrNoGoal)
	}
	if err = r.all(ctx); err != nil {
		r.result.Ending, r.result.Reason = Unfinished, err.Error()
	}
	r.finish(ctx)
	return r.result, err
}

type run struct {
	*Loop
	monitor *Monitor
	result  *RunResult
	began   time.Time
	given   []episode.Action
	steps   []episode.Step
	found   []Finding      // that were found at the last step
	tried   map[string]int // strategies applied so far
	last    bool           // the plan that is carried out reaches no more than a part of the goal
	spoilt  bool           // something went wrong since that plan was taken
	// averting is the threat that the plan was last changed for, passed one to come later
	// that no plan was found for.
	averting, passed string
	deviated         string // what the score that was last reasoned about differs in
	agent            string // who acted last, "" for the robot where nobody is named
}

func (r *run) all(ctx context.Context) error {
	if err := r.perform(ctx, episode.Action{}); err != nil {
		return err
	}
	if len(r.monitor.ep.Plan) == 0 {
		if done, err := r.correct(ctx, nil, nil); done || err != nil {
			return err
		}
	}
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		if done, err := r.foresee(ctx); done || err != nil {
			return err
		}
		rest := r.monitor.Rest()
		if len(rest) == 0 {
			if r.settled(ctx) {
				return nil
			}
			if done, err := r.correct(ctx, r.finding(), nil); done || err != nil {
				return err
			}
			continue
		}
		if r.result.Actions >= r.maxActions() {
			return r.end(Hopeless, fmt.Sprintf("it took %d actions, the most that are allowed", r.result.Actions))
		}
		if n := len(r.steps); r.steps[n-1].Action == rest[0] {
			// Lines of a log that repeat an action are one action: it looks in between.
			if err := r.between(ctx); err != nil {
				return err
			}
		}
		r.agent = r.monitor.ep.Carrier(r.monitor.restFrom())
		if err := r.perform(ctx, rest[0]); err != nil {
			return err
		}
		if !r.failed() && len(r.found) == 0 && !r.disappointed(len(rest)) {
			continue
		}
		if done, err := r.correct(ctx, r.finding(), nil); done || err != nil {
			return err
		}
	}
}

func (r *run) maxActions() int {
	if r.MaxActions > 0 {
		return r.MaxActions
	}
	return DefaultMaxActions
}

func (r *run) maxRecoveries() int {
	if r.MaxRecoveries > 0 {
		return r.MaxRecoveries
	}
	return DefaultMaxRecoveries
}

// end ends the run.
func (r *run) end(how Ending, reason string) error {
	r.result.Ending, r.result.Reason = how, reason
	return nil
}

// perform lets the executor carry out an action and takes in what was perceived.
// Where the sensors err it looks again, until what it saw is settled.
func (r *run) perform(ctx context.Context, a episode.Action) error {
	if err := r.take(ctx, a); err != nil {
		return err
	}
	if r.monitor.noisy != nil && a.Name != "" {
		for range looks {
			if err := r.look(ctx); err != nil {
				return err
			}
		}
	}
	return nil
}

// look only looks, where the ontology has an action for that.
func (r *run) look(ctx context.Context) error {
	a, ok := r.Reasoner.look()
	if !ok {
		return nil
	}
	return r.take(ctx, a)
}

// between looks, by no action where the ontology has none for that.
func (r *run) between(ctx context.Context) error {
	if _, ok := r.Reasoner.look(); ok {
		return r.look(ctx)
	}
	return r.take(ctx, episode.Action{})
}

// looks is how often a robot whose sensors err looks after an action.
const looks = 2

func (r *run) take(ctx context.Context, a episode.Action) error {
	st, err := r.execute(ctx, a)
	if err != nil {
		return fmt.Errorf("action %s: %w", a, err)
	}
	st.Index, st.Action, st.Agent = len(r.steps), a, cmp.Or(r.agent, st.Agent)
	r.steps = append(r.steps, st)
	if a.Name != "" {
		r.result.Actions++
	}
	updates, err := r.monitor.Step(ctx, st)
	if errors.Is(err, ErrLimit) && r.monitor.last != st.Index && ctx.Err() == nil {
		r.note(err)
		st = episode.Step{Index: st.Index, Action: a, Agent: st.Agent, Observation: episode.Observation{Missing: true}}
		r.steps[len(r.steps)-1] = st
		updates, err = r.monitor.Step(ctx, st)
	}
	switch {
	case err != nil && ctx.Err() != nil:
		return ctx.Err()
	case err != nil && r.monitor.last != st.Index:
		return err // it was not taken in
	}
	r.note(err)
	r.found = r.found[:0]
	for _, u := range updates {
		if u.Kind == Found {
			r.found, r.spoilt = append(r.found, u.Finding), r.last
		}
	}
	if r.Observer != nil {
		r.Observer.Acted(st, r.monitor.idle().lastEvent())
	}
	return nil
}

// execute lets the robot whose turn it is carry out an action.
func (r *run) execute(ctx context.Context, a episode.Action) (episode.Step, error) {
	if r.agent == "" {
		return r.Executor.Perform(ctx, a)
	}
	team, ok := r.Executor.(TeamExecutor)
	if !ok {
		return episode.Step{}, fmt.Errorf("%s is to do it, and the executor is of one robot; expected a TeamExecutor", r.agent)
	}
	return team.PerformAs(ctx, r.agent, a)
}

// note keeps the error of rules that failed; the others tell what they find.
func (r *run) note(err error) {
	if err != nil {
		r.result.Errors = append(r.result.Errors, fmt.Errorf("step %d: %w", len(r.steps)-1, err))
	}
}

// disappointed reports that a look did not find what the plan relies on; left is
// how many actions there were before it.
func (r *run) disappointed(left int) bool {
	if len(r.result.Recoveries) == 0 {
		return false
	}
	p := r.result.Recoveries[len(r.result.Recoveries)-1].Proposal
	i := len(p.Steps) - left
	if i < 0 || i >= len(p.Steps) || p.Steps[i].Finds == nil {
		return false
	}
	f := p.Steps[i].Finds
	t := r.monitor.tracker.Trace()
	x, known := t.Objects.Lookup(f.Object)
	if !known || t.Final == nil {
		return true
	}
	now := t.Final.Get(state.Fluent{Obj: x, Slot: f.Fluent.Slot})
	if f.Place != "" {
		return t.Objects.Name(now.At) != f.Place
	}
	return !now.Same(f.Value)
}

func (r *run) failed() bool { return r.monitor.idle().failedEvent() != nil }

// finding is what was found at the last step, nil for nothing.
func (r *run) finding() *Finding {
	if len(r.found) == 0 {
		return nil
	}
	f := r.found[0]
	return &f
}

// settled reports that nothing is left to do: the goal holds as far as is believed,
// or the plan was known to reach no more.
func (r *run) settled(ctx context.Context) bool {
	t := r.monitor.tracker.Trace()
	s := t.Final
	if s == nil {
		s = projection.Project(r.monitor.tracker).Present
	}
	if got, _ := t.GoalTruth(s); got >= state.AssumedTrue && len(r.found) == 0 {
		p := r.propose(ctx, nil, nil)
		if p.Verified && len(p.Plan) == 0 && !r.spoilt || r.last && r.result.Ending == "" {
			r.result.Ending, r.result.Reason = Completed, ""
			return true
		}
		return r.last
	}
	return r.last
}

// foresee recovers where what is left of it will fail.
func (r *run) foresee(ctx context.Context) (done bool, err error) {
	if r.Reactive || r.last || r.failed() {
		return false, nil
	}
	threats, score, err := r.triggered(ctx)
	if err != nil && ctx.Err() != nil {
		return true, ctx.Err()
	}
	r.note(err)
	switch {
	case len(threats) == 0 && score != nil:
		return r.unexplained(ctx, score)
	case len(threats) == 0:
		return false, nil
	}
	t := threats[0]
	key := fmt.Sprint(t.Type, t.Objects)
	if key == r.averting || key == r.passed && t.Planned > r.monitor.tracker.Done()+1 {
		return false, nil
	}
	if len(r.result.Recoveries) >= r.maxRecoveries() {
		return true, r.end(Hopeless, fmt.Sprintf("it needed more than %d recoveries", r.maxRecoveries()))
	}
	began := r.now()
	p := r.propose(ctx, nil, &t)
	if !p.Verified {
		if t.Planned > r.monitor.tracker.Done()+1 {
			r.passed = key
			return false, nil // much may change until then
		}
		r.adopt(Recovery{Threat: &t, Score: score, Proposal: p, Time: r.now() - began})
		r.last = true
		r.result.Ending, r.result.Reason = Stopped, whyStopped(p)
		return len(p.Plan) == 0, nil
	}
	r.adopt(Recovery{Threat: &t, Score: score, Proposal: p, Time: r.now() - began})
	r.averting = key // where it is told once more, the plan goes on all the same
	return false, nil
}

// now is the time by the clock of the run.
func (r *run) now() time.Duration {
	if r.Clock != nil {
		return r.Clock()
	}
	return time.Since(r.began)
}

func (r *run) propose(ctx context.Context, f *Finding, t *Threat) *Proposal {
	if r.Propose != nil {
		return cmp.Or(r.Propose(ctx, r.monitor, f), &Proposal{})
	}
	p := r.Planner
	p.Tried = r.tried
	return r.monitor.Recover(ctx, p, f, t)
}

// correct plans anew. It is done where the run cannot go on.
func (r *run) correct(ctx context.Context, f *Finding, t *Threat) (done bool, err error) {
	if r.last && f == nil && !r.failed() {
		return true, nil
	}
	if len(r.result.Recoveries) >= r.maxRecoveries() {
		return true, r.end(Hopeless, fmt.Sprintf("it needed more than %d recoveries", r.maxRecoveries()))
	}
	began := r.now()
	p := r.propose(ctx, f, t)
	if err := ctx.Err(); err != nil {
		return true, err
	}
	c := Recovery{Finding: f, Threat: t, Proposal: p, Time: r.now() - began}
	if e := r.monitor.idle().failedEvent(); e != nil {
		c.Failed = r.monitor.tracker.Trace().Objects.CallText(e.Call)
	}
	r.adopt(c)
	if p.Verified && len(p.Plan) == 0 {
		return true, r.end(Completed, "") // nothing is left to do, as far as is believed
	}
	if p.Verified {
		return false, nil
	}
	r.last = true
	r.result.Ending, r.result.Reason = Stopped, whyStopped(p)
	return len(p.Plan) == 0, nil
}

func whyStopped(p *Proposal) string {
	bar := p.Bar()
	switch {
	case bar != "":
		return bar
	case p.Exhausted:
		return "no plan was found within the bounds of the search"
	}
	return "no plan was found; the goal lacks " + strings.Join(p.Unmet, ", ")
}

// adopt goes on with the plan of a recovery.
func (r *run) adopt(c Recovery) {
	c.After = len(r.steps) - 1
	for _, u := range c.Proposal.Strategies {
		if u.Applied {
			r.tried[u.Strategy]++
		}
	}
	r.result.Recoveries = append(r.result.Recoveries, c)
	r.note(r.monitor.Replan(c.Proposal.Plan, c.Proposal.Agents...))
	r.found, r.passed = r.found[:0], ""
	if r.Observer != nil {
		r.Observer.Recovered(&r.result.Recoveries[len(r.result.Recoveries)-1])
	}
}

// finish checks the episode as it went. Of a run that was cancelled the result is what the
// monitor found by then.
func (r *run) finish(ctx context.Context) {
	ep := *r.monitor.ep
	ep.Steps = r.steps
	ep.Plan = slices.Clone(r.monitor.ep.Plan)
	r.result.Episode = &ep
	res, err := r.Reasoner.within(r.monitor.limits).Check(ctx, &ep)
	if res == nil { // it was cancelled
		res = &Result{Episode: &ep, Trace: r.monitor.tracker.Trace(), Findings: r.monitor.Findings(), Index: r.monitor.Index()}
	}
	r.result.Result = res
	if err != nil && ctx.Err() == nil {
		r.result.Errors = append(r.result.Errors, err)
	}
}
