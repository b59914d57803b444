package bench

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/mishap-robotics/mishap/bridge/logs/alfred"
	"github.com/mishap-robotics/mishap/engine"
	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/engine/simulation"
)

// Recover is what was measured of recovery: the same episodes by every method.
type Recover struct {
	Version string `json:"version"` // of mishap
	Go      string `json:"go"`
	Seed    uint64 `json:"seed"`
	// Imitated is true where rows with a model are those of an Imitation.
	Imitated bool          `json:"imitated,omitempty"`
	Sets     []RecoverySet `json:"sets"`
	Skipped  []string      `json:"skipped,omitempty"` // parts that could not be run, with the reason
}

// RecoverySet is one kind of episodes.
type RecoverySet struct {
	Name string `json:"name"`
	// Imitation says how often the imitation of a model erred, "" where none was asked.
	Imitation string `json:"imitation,omitempty"`
	Episodes  int    `json:"episodes"`
	// Possible are the episodes of which nothing proves, once all has happened to the
	// robot, that their goal cannot be reached, or only by violating a constraint or with
	// the help of a person. The rates are of these.
	Possible   int              `json:"possible"`
	Impossible []string         `json:"impossible,omitempty"` // the others, with the reason
	Methods    []RecoveryMethod `json:"methods"`
}

// RecoveryMethod is how one method fares on the episodes of a set.
type RecoveryMethod struct {
	Name     string `json:"name"`
	Episodes int    `json:"episodes"`
	// Recovered are episodes in which every action that failed was carried out later as
	// it should be, or the goal was reached without it, and nothing forbidden remains.
	Recovered int `json:"recovered"`
	// Completed are those in which the goal holds in the true state at the end and no
	// constraint is violated.
	Completed int `json:"completed"`
	// Met and Conditions are the goal conditions that hold at the end, of all.
	Met        int `json:"conditions_met"`
	Conditions int `json:"conditions"`
	Recoveries int `json:"corrections"`
	Actions    int `json:"actions"` // carried out
	// Excess is how many actions more than in the shortest known run of the episode were
	// carried out, over those completed by any method; Shortest are the actions of those
	// runs.
	Excess   int `json:"excess"`
	Shortest int `json:"shortest"`
	// Verified are plans called verified that do not depend on what a look finds, Broken
	// those after which the robot needed another correction although nothing more happened
	// to it.
	Verified int      `json:"verified"`
	Broken   int      `json:"broken"`
	P50      float64  `json:"planning_p50_ms"` // of one correction
	P99      float64  `json:"planning_p99_ms"`
	Longest  int      `json:"longest_plan"` // actions
	Errors   int      `json:"errors,omitempty"`
	Missed   []string `json:"missed,omitempty"`   // possible and not completed
	NotHeld  []string `json:"not_held,omitempty"` // those of Broken, the whole alone
	// Advice is what asking a model came to, nil where none was asked.
	Advice *ModelTally `json:"model,omitempty"`

	times []time.Duration
}

// exercise is an episode to be carried out.
type exercise struct {
	scenario *simulation.Scenario
	options  simulation.Options
}

// attempt is what came of one by one method.
type attempt struct {
	left       bool // it was not made
	err        error
	recovered  bool
	completed  bool
	met, all   int
	recoveries int
	actions    int
	verified   int
	broken     int
	times      []time.Duration
	longest    int
	reason     string
	spent      spending
}

// attempt carries an exercise out by a method.
func (b *Bench) attempt(ctx context.Context, x *exercise, m *way) attempt {
	r, err := simulation.NewRobot(b.Simulation, x.scenario, x.options)
	if err != nil {
		return attempt{err: err}
	}
	var spent spending
	run := m.run
	if b.Imitation != nil {
		run = b.contendersFor(r).named(m.name)
	}
	c, err := run(ctx, r, &spent)
	if err != nil {
		return attempt{err: err}
	}
	violated := r.Violated()
	reached := r.Reached()
	out := attempt{actions: c.Actions, recoveries: len(c.Recoveries), reason: c.Reason, spent: spent}
	out.met, out.all = r.Conditions()
	out.completed = reached && len(violated) == 0
	out.recovered = out.completed || r.Resolved() && len(violated) == 0
	if len(violated) > 0 {
		out.reason = violated[0]
	} else if out.reason == "" {
		out.reason = string(c.Ending)
	}
	for i := range c.Recoveries {
		k := &c.Recoveries[i]
		out.times = append(out.times, k.Time)
		out.longest = max(out.longest, len(k.Proposal.Plan))
		out.spent.advised(k.Proposal.Advice)
		if k.Proposal.Verified && !finds(k.Proposal) {
			out.verified++
			if i+1 < len(c.Recoveries) && k.After >= lastAccident(r) {
				out.broken++
			}
		}
	}
	return out
}

// finds reports whether a plan says itself that it depends on something that only a
// look or a trial shows.
func finds(p *engine.Proposal) bool {
	return slices.ContainsFunc(p.Steps, func(st engine.ProposalStep) bool { return st.Finds != nil || len(st.Assumes) > 0 })
}

// lastAccident is the action at which something last happened to a robot, 0 for none.
func lastAccident(r *simulation.Robot) int { return r.LastDisturbed }

// recovery carries the episodes of a set out by every method.
func (b *Bench) recovery(ctx context.Context, name string, list []exercise) (RecoverySet, error) {
	list = limited(b, list)
	out := RecoverySet{Name: name, Episodes: len(list)}
	if b.Imitation != nil {
		out.Imitation = b.Imitation.name()
		name += ", " + out.Imitation // in the journal
	}
	why := each(ctx, b, len(list), func(i int) string { return b.impossible(ctx, &list[i]) })
	var possible []exercise
	for i := range list {
		if why[i] == "" {
			possible = append(possible, list[i])
		} else {
			out.Impossible = append(out.Impossible, list[i].scenario.ID+": "+why[i])
		}
	}
	out.Possible = len(possible)
	shortest := make([]int, len(possible))
	sampled := b.sample(len(possible))
	var results [][]attempt
	methods := slices.DeleteFunc(b.contenders().methods(), func(m way) bool { return len(b.Methods) > 0 && !slices.Contains(b.Methods, m.name) })
	for k := range methods {
		all := each(ctx, b, len(possible), func(i int) attempt {
			if methods[k].name != Whole && !sampled[i] {
				return attempt{left: true}
			}
			return b.Journal.or(name, methods[k].name, possible[i].scenario.ID, func() attempt { return b.attempt(ctx, &possible[i], &methods[k]) })
		})
		if err := ctx.Err(); err != nil {
			return out, err
		}
		for i := range all {
			if all[i].completed && (shortest[i] == 0 || all[i].actions < shortest[i]) {
				shortest[i] = all[i].actions
			}
		}
		results = append(results, all)
	}
	for k := range methods {
		m := RecoveryMethod{Name: methods[k].name}
		for i := range results[k] {
			if a := &results[k][i]; !a.left {
				m.Episodes++
				m.add(a, possible[i].scenario.ID, shortest[i], sampled[i])
			}
		}
		m.settle(b.contenders().modelName())
		out.Methods = append(out.Methods, m)
	}
	return out, nil
}

// sample draws the episodes that every method is measured on.
func (b *Bench) sample(n int) []bool {
	out := make([]bool, n)
	for k, i := range b.sampler().random(5000).Perm(n) {
		out[i] = b.Sample == 0 || k < b.Sample
	}
	return out
}

// add counts an attempt. Only where every method was tried is the shortest run known.
func (m *RecoveryMethod) add(a *attempt, id string, shortest int, sampled bool) {
	if a.err != nil {
		m.Errors++
		m.Missed = append(m.Missed, id+": "+a.err.Error())
		return
	}
	m.Met, m.Conditions = m.Met+a.met, m.Conditions+a.all
	m.Recoveries, m.Actions = m.Recoveries+a.recoveries, m.Actions+a.actions
	m.Verified, m.Broken = m.Verified+a.verified, m.Broken+a.broken
	if a.broken > 0 && m.Name == Whole {
		m.NotHeld = append(m.NotHeld, id)
	}
	m.times, m.Longest = append(m.times, a.times...), max(m.Longest, a.longest)
	if len(a.spent.Costs) > 0 {
		if m.Advice == nil {
			m.Advice = &ModelTally{}
		}
		m.Advice.add(&a.spent)
	}
	if a.recovered {
		m.Recovered++
	}
	if a.completed {
		m.Completed++
		if sampled {
			m.Excess, m.Shortest = m.Excess+a.actions-shortest, m.Shortest+shortest
		}
	} else {
		m.Missed = append(m.Missed, id+": "+a.reason)
	}
}

// keepMissed is how many episodes are kept by name that a baseline missed.
const keepMissed = 5

func (m *RecoveryMethod) settle(model string) {
	if m.Advice != nil {
		m.Advice.settle(model)
	}
	slices.Sort(m.times)
	if n := len(m.times); n > 0 {
		ms := func(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
		m.P50, m.P99 = ms(m.times[n/2]), ms(m.times[min(n-1, n*99/100)])
	}
	if m.Name != Whole && len(m.Missed) > keepMissed {
		m.Missed = m.Missed[:keepMissed]
	}
}

// impossible tells why the goal of an episode cannot be reached once all has happened to
// the robot, "" where nothing proves that. What is true then is known to the last
// thing hidden, and reaching a thing, or undoing what was done, is not in question.
func (b *Bench) impossible(ctx context.Context, x *exercise) string {
	run, err := simulation.Simulate(b.Simulation, x.scenario, simulation.Options{})
	if err != nil {
		return "it cannot be simulated: " + err.Error()
	}
	last := 0
	for _, ev := range x.scenario.Disturbances {
		last = max(last, ev.Step)
	}
	s := run.World.State()
	if last < len(run.Before) {
		s = run.Before[last]
	}
	ep := *run.Episode
	ep.Noise, ep.Scene, ep.Exact = 0, nil, true
	ep.Plan = nil
	m := b.Reasoner.Watch(&ep, engine.Limits{}, nil)
	if _, err := m.Step(ctx, episode.Step{Index: 0, Observation: run.World.Camera().EverythingIn(s)}); err != nil {
		return err.Error()
	}
	p := m.Recover(ctx, engine.Planner{}, nil, nil)
	switch {
	case p.Verified:
		return ""
	case len(p.Impossible) > 0:
		return p.Impossible[0]
	case len(p.NeedsPerson) > 0 && len(p.Violated) > 0:
		return p.Violated[0]
	}
	return ""
}

// RecoverPairs measures RECOVER's tasks by its twelve failures, each way in which each
// can happen: in the kitchens of the scenarios, or, stocked, with a spare of everything
// that is handled and a broom.
func (b *Bench) RecoverPairs(ctx context.Context, suite string, stocked bool) (RecoverySet, error) {
	tasks, err := b.sampler().scenarios(suite)
	if err != nil {
		return RecoverySet{}, err
	}
	name := "RECOVER pairs"
	var list []exercise
	for i, sc := range tasks {
		if stocked {
			sc, name = b.sampler().stock(sc), "RECOVER pairs, spares and a broom at hand"
		}
		into := simulation.NewInjector(b.sampler().onto, sc)
		for k, failure := range b.Failures() {
			variants, err := b.sampler().variants(ctx, into, failure, uint64(i*len(b.Failures())+k))
			if err != nil {
				return RecoverySet{}, err
			}
			for _, v := range variants {
				list = append(list, exercise{scenario: v})
			}
		}
	}
	return b.recovery(ctx, name, list)
}

// stock puts a second instance of everything that a plan moves into the kitchen, and the
// tools of recovery, and lets the plan name the first.
func (s sampler) stock(sc *simulation.Scenario) *simulation.Scenario {
	v := *sc
	v.Plan, v.Objects = slices.Clone(sc.Plan), slices.Clone(sc.Objects)
	for _, tool := range s.onto.Selection("recovery_tools") {
		v.Objects = append(v.Objects, s.onto.Instance(tool, 1))
	}
	for i := range v.Plan {
		for _, name := range []*string{&v.Plan[i].Target, &v.Plan[i].Destination} {
			class, n := episode.SplitName(*name)
			id, ok := s.onto.Lookup(class)
			if !ok || n > 0 || !s.onto.HasProperty(id, s.onto.Roles.Movable) || s.onto.IsForm(id) {
				continue
			}
			*name = class + "-1"
			if !slices.Contains(v.Objects, class+"-2") {
				v.Objects = append(v.Objects, class+"-2")
			}
		}
	}
	return &v
}

// RecoverScenarios measures scenarios as they are.
func (b *Bench) RecoverScenarios(ctx context.Context, name string, scenarios []*simulation.Scenario) (RecoverySet, error) {
	var list []exercise
	for i, sc := range scenarios {
		list = append(list, exercise{sc, simulation.Options{Seed: b.Seed + uint64(i)}})
	}
	return b.recovery(ctx, name, list)
}

// RecoverSuite measures the scenarios of a suite.
func (b *Bench) RecoverSuite(ctx context.Context, name, suite string) (RecoverySet, error) {
	scenarios, err := b.sampler().scenarios(suite)
	if err != nil {
		return RecoverySet{}, err
	}
	return b.RecoverScenarios(ctx, name, scenarios)
}

// RecoverRoboFail measures re-enactments of annotated plans.
func (b *Bench) RecoverRoboFail(ctx context.Context, file string, re *Reenactments) (RecoverySet, []string, error) {
	plans, err := readPlans(file)
	if err != nil {
		return RecoverySet{}, nil, err
	}
	var list []exercise
	var skipped []string
	for i := range plans {
		p := &plans[i]
		if p.Annotation.Ambiguous != "" {
			skipped = append(skipped, p.Episode+": "+p.Annotation.Ambiguous)
			continue
		}
		sc, err := b.sampler().reenactment(file, p)
		if err != nil {
			return RecoverySet{}, nil, err
		}
		variants, err := b.sampler().reenactments(ctx, sc, p, re)
		if err != nil {
			return RecoverySet{}, nil, fmt.Errorf("%s: %s: %w", file, p.Episode, err)
		}
		for _, v := range variants {
			list = append(list, exercise{scenario: v})
		}
	}
	set, err := b.recovery(ctx, "RoboFail re-enactments", list)
	return set, skipped, err
}

// RecoverNoise measures the whole under noise: n episodes with a failure at each rate,
// the same at every rate.
func (b *Bench) RecoverNoise(ctx context.Context, suites []string, rates []float64, n int) ([]RecoverySet, error) {
	failed, _, err := b.sampler().draw(ctx, suites, b.Failures(), n)
	if err != nil {
		return nil, err
	}
	var out []RecoverySet
	for _, rate := range rates {
		var list []exercise
		for i, sc := range failed {
			list = append(list, exercise{sc, simulation.Options{Noise: simulation.Uniform(rate), Seed: b.Seed + uint64(i)}})
		}
		whole := &Bench{Reasoner: b.Reasoner, Simulation: b.Simulation, Seed: b.Seed, Limit: b.Limit, Progress: b.Progress, Methods: []string{Whole}}
		set, err := whole.recovery(ctx, fmt.Sprintf("RECOVER pairs, drawn, with noise of %s", ratePercent(rate)), list)
		if err != nil {
			return nil, err
		}
		out = append(out, set)
	}
	return out, nil
}

// RecoverALFRED measures re-enacted trajectories, each with one failure.
func (b *Bench) RecoverALFRED(ctx context.Context, file string, ts []alfred.Trajectory) (RecoverySet, error) {
	made := each(ctx, b, len(ts), func(i int) []exercise {
		ep, err := alfred.Episode(b.Reasoner.Ontology, file, &ts[i])
		if err != nil {
			return nil
		}
		sc := reenact(ep)
		run, err := simulation.Simulate(b.Simulation, sc, simulation.Options{})
		if err != nil || len(run.Refused()) > 0 {
			return nil
		}
		if v := b.sampler().injectAny(sc); v != nil {
			return []exercise{{scenario: v}}
		}
		return nil
	})
	return b.recovery(ctx, "ALFRED trajectories", slices.Concat(made...))
}
