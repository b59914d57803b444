package bench

import (
	"context"
	"fmt"
	"iter"
	"slices"

	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/engine/simulation"
	"github.com/mishap-robotics/mishap/ontology"
)

// Failures are the twelve failures of RECOVER, in its order (section 4), and two further ones
// of its ontology that the simulated kitchen has.
func (b *Bench) Failures() []string {
	return append(selection(b.Simulation, "recover_failures"), selection(b.Simulation, "further_failures")...)
}

// Matrix is detection by task and failure: every way in which the failure can
// happen in the task, at every action.
type Matrix struct {
	Tasks    []string  `json:"tasks"`
	Failures []string  `json:"failures"`
	Cells    [][]Count `json:"cells"` // by task and failure; no episodes where the failure cannot happen
	Clean    []Count   `json:"clean"` // by task, without failure
	Total    Count     `json:"total"`
	Misses   []Case    `json:"misses,omitempty"`
}

// variants lists every way in which a failure can happen in a scenario.
func (s sampler) variants(ctx context.Context, into *simulation.Injector, failure string, purpose uint64) ([]*simulation.Scenario, error) {
	var out []*simulation.Scenario
	for v, err := range s.eachVariant(ctx, into, failure, purpose) {
		if err != nil {
			return nil, err
		}
		out = append(out, v)
	}
	return out, nil
}

// canHappen reports whether there is any variant.
func (s sampler) canHappen(ctx context.Context, into *simulation.Injector, failure string, purpose uint64) (bool, error) {
	for _, err := range s.eachVariant(ctx, into, failure, purpose) {
		return err == nil, err
	}
	return false, nil
}

func (s sampler) eachVariant(ctx context.Context, into *simulation.Injector, failure string, purpose uint64) iter.Seq2[*simulation.Scenario, error] {
	return func(yield func(*simulation.Scenario, error) bool) {
		injections, err := simulation.Injections(s.onto, failure)
		if err != nil {
			yield(nil, err)
			return
		}
		rng := s.random(purpose)
		for _, in := range injections {
			if err := ctx.Err(); err != nil {
				yield(nil, err)
				return
			}
			for v, err := range into.Each(in, rng.IntN) {
				if !yield(v, err) {
					return
				}
			}
		}
	}
}

// Matrix measures detection by task and failure on the scenarios of a suite.
func (b *Bench) Matrix(ctx context.Context, suite string, failures []string) (*Matrix, error) {
	tasks, err := b.sampler().scenarios(suite)
	if err != nil {
		return nil, err
	}
	m := &Matrix{Failures: failures}
	type cell struct{ task, failure int } // failure is -1 for none
	type placed struct {
		cell
		job
	}
	var all []placed
	for i, sc := range tasks {
		m.Tasks = append(m.Tasks, sc.ID)
		m.Cells = append(m.Cells, make([]Count, len(failures)))
		m.Clean = append(m.Clean, Count{})
		all = append(all, placed{cell{i, -1}, job{scenario: sc}})
		into := simulation.NewInjector(b.sampler().onto, sc)
		for k, failure := range failures {
			variants, err := b.sampler().variants(ctx, into, failure, uint64(i*len(failures)+k))
			if err != nil {
				return nil, err
			}
			for _, v := range variants {
				all = append(all, placed{cell{i, k}, job{scenario: v}})
			}
		}
	}
	all = limited(b, all)
	var jobs []job
	for _, p := range all {
		jobs = append(jobs, p.job)
	}
	for i, c := range b.run(ctx, jobs) {
		p := all[i]
		if p.failure < 0 {
			m.Clean[p.task].add(&c)
		} else {
			m.Cells[p.task][p.failure].add(&c)
			m.Total.add(&c)
		}
		if !c.right() {
			m.Misses = append(m.Misses, c)
		}
	}
	return m, ctx.Err()
}

// NoisePoint is detection at one rate of noise.
type NoisePoint struct {
	Rate   float64 `json:"rate"`
	Failed Count   `json:"failed"` // episodes with a failure
	Clean  Count   `json:"clean"`  // episodes without
	Misses []Case  `json:"misses,omitempty"`
}

// keepMisses is how many missed cases are kept of a point with noise.
const keepMisses = 20

// Noise measures detection at rates of noise, over n episodes with a failure
// and n without at each: scenarios, failures and places are drawn by the seed,
// the same at every rate.
func (b *Bench) Noise(ctx context.Context, suites []string, rates []float64, n int) ([]NoisePoint, error) {
	failed, clean, err := b.sampler().draw(ctx, suites, b.Failures(), n)
	if err != nil {
		return nil, err
	}
	var out []NoisePoint
	for _, rate := range rates {
		var jobs []job
		for i, sc := range append(append([]*simulation.Scenario(nil), failed...), clean...) {
			jobs = append(jobs, job{scenario: sc, options: simulation.Options{Noise: simulation.Uniform(rate), Seed: b.Seed + uint64(i)}})
		}
		p := NoisePoint{Rate: rate}
		for i, c := range b.run(ctx, jobs) {
			if i < len(failed) {
				p.Failed.add(&c)
			} else {
				p.Clean.add(&c)
			}
			if (c.Detected < len(c.Truth) || i >= len(failed) && c.Extra > 0) && len(p.Misses) < keepMisses {
				p.Misses = append(p.Misses, c)
			}
		}
		out = append(out, p)
	}
	return out, ctx.Err()
}

// draw chooses n scenarios with a failure and n without, with equal weight to
// every task and, within a task, to every failure that can happen in it, each in a
// kitchen of its own.
func (s sampler) draw(ctx context.Context, suites, failures []string, n int) (failed, clean []*simulation.Scenario, err error) {
	tasks, err := s.scenarios(suites...)
	if err != nil {
		return nil, nil, err
	}
	type kind struct {
		into     *simulation.Injector
		failure  string
		purpose  uint64
		variants []*simulation.Scenario // once one of them was drawn
	}
	var possible [][]*kind // by task
	var sound []*simulation.Scenario
	for i, sc := range tasks {
		if len(sc.Expect) > 0 {
			continue
		}
		sound = append(sound, sc)
		into := simulation.NewInjector(s.onto, sc)
		var kinds []*kind
		for k, failure := range failures {
			can := &kind{into: into, failure: failure, purpose: uint64(i*len(failures) + k)}
			switch ok, err := s.canHappen(ctx, into, failure, can.purpose); {
			case err != nil:
				return nil, nil, err
			case ok:
				kinds = append(kinds, can)
			}
		}
		if len(kinds) > 0 {
			possible = append(possible, kinds)
		}
	}
	rng := s.random(1000)
	if len(sound) == 0 || len(possible) == 0 {
		return nil, nil, fmt.Errorf("no failure can befall the scenarios of the suites %v", suites)
	}
	for i := range n {
		clean = append(clean, s.vary(sound[i%len(sound)], rng))
		kinds := possible[i%len(possible)]
		of := kinds[rng.IntN(len(kinds))]
		if of.variants == nil {
			if of.variants, err = s.variants(ctx, of.into, of.failure, of.purpose); err != nil {
				return nil, nil, err
			}
		}
		failed = append(failed, s.vary(of.variants[rng.IntN(len(of.variants))], rng))
	}
	return failed, clean, nil
}

// AblationResult is detection without a part of the reasoner.
type AblationResult struct {
	Without string `json:"without"`
	Failed  Count  `json:"failed"`
	Clean   Count  `json:"clean"`
}

// Ablations measures what each part contributes, over the same n episodes with
// a failure and n without, as REFLECT's tables do.
func (b *Bench) Ablations(ctx context.Context, suites []string, n int) ([]AblationResult, error) {
	failed, clean, err := b.sampler().draw(ctx, suites, b.Failures(), n)
	if err != nil {
		return nil, err
	}
	kinds := []struct {
		name string
		job  job
	}{
		{"nothing", job{}},
		{"sound", job{alter: withoutSound}},
		{"belief", job{reasoner: b.Reasoner.ObservationsOnly()}},
		{"all but subgoals", job{alter: b.subgoalsOnly}},
		{"all but the final state", job{alter: finalOnly}},
		{"negation in rules", job{reasoner: b.Reasoner.WithoutNegation()}},
	}
	var out []AblationResult
	for _, k := range kinds {
		var jobs []job
		for _, sc := range append(append([]*simulation.Scenario(nil), failed...), clean...) {
			j := k.job
			j.scenario = sc
			jobs = append(jobs, j)
		}
		cases := b.run(ctx, jobs)
		out = append(out, AblationResult{k.name, sum(cases[:len(failed)]), sum(cases[len(failed):])})
	}
	return out, ctx.Err()
}

func withoutSound(ep *episode.Episode) {
	for i := range ep.Steps {
		ep.Steps[i].Sounds = nil
	}
}

// finalOnly leaves of what was perceived the first and the last scene.
func finalOnly(ep *episode.Episode) {
	withoutSound(ep)
	for i := 1; i < len(ep.Steps)-1; i++ {
		ep.Steps[i].Observation = episode.Observation{Missing: true}
	}
}

// subgoalsOnly leaves of what was perceived the scenes in which something was
// put somewhere or switched: the ends of subgoals.
func (b *Bench) subgoalsOnly(ep *episode.Episode) {
	withoutSound(ep)
	ends := b.Simulation.Selection("subgoal_actions")
	for i := 1; i < len(ep.Steps)-1; i++ {
		if a, ok := b.Simulation.Action(ep.Steps[i].Action.Name); !ok || !slices.Contains(ends, a.Term) {
			ep.Steps[i].Observation = episode.Observation{Missing: true}
		}
	}
}

// Nested measures episodes with two and three independent accidents, and with
// an accident while the robot recovers from one.
type Nested struct {
	Two        Count  `json:"two"`
	Three      Count  `json:"three"`
	Recovering Count  `json:"recovering"`
	Misses     []Case `json:"misses,omitempty"`
}

// Nested draws n episodes of each kind.
func (b *Bench) Nested(ctx context.Context, suites []string, n int) (*Nested, error) {
	tasks, err := b.sampler().scenarios(suites...)
	if err != nil {
		return nil, err
	}
	var jobs []job
	var kinds []int
	rng := b.sampler().random(2000)
	for kind, want := range []int{2, 3, 0} {
		for made, tries := 0, 0; made < n && tries < 50*n; tries++ {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			sc := tasks[rng.IntN(len(tasks))]
			if len(sc.Expect) > 0 {
				continue
			}
			var v *simulation.Scenario
			if want > 0 {
				v = b.sampler().several(sc, want, rng.IntN)
			} else {
				v = b.sampler().whileRecovering(sc, rng.IntN)
			}
			if v != nil {
				made++
				jobs, kinds = append(jobs, job{scenario: v}), append(kinds, kind)
			}
		}
	}
	out := &Nested{}
	for i, c := range b.run(ctx, jobs) {
		[]*Count{&out.Two, &out.Three, &out.Recovering}[kinds[i]].add(&c)
		if !c.right() {
			out.Misses = append(out.Misses, c)
		}
	}
	return out, ctx.Err()
}

// several gives a scenario accidents at actions apart from one another, after
// each of which the robot tries again.
func (s sampler) several(sc *simulation.Scenario, want int, pick func(int) int) *simulation.Scenario {
	v := *sc
	v.Again = true
	v.ID = sc.ID + "/several"
	var steps []int
	for tries := 0; len(steps) < want && tries < 40; tries++ {
		k := 1 + pick(len(sc.Plan))
		ok := true
		for _, s := range steps {
			ok = ok && max(k-s, s-k) >= 2
		}
		if !ok {
			continue
		}
		event := ontology.InjectFail
		if schema, _ := s.onto.Action(sc.Plan[k-1].Name); pick(2) == 0 || s.onto.IsNavigation(schema) {
			event = ontology.InjectDrop
		}
		steps = append(steps, k)
		v.Disturbances = append(v.Disturbances, simulation.Disturbance{Step: k, Accident: simulation.Accident{Kind: event}})
	}
	return s.accountFor(&v, want)
}

// whileRecovering lets something go wrong, and something else while the robot
// tries again.
func (s sampler) whileRecovering(sc *simulation.Scenario, pick func(int) int) *simulation.Scenario {
	v := *sc
	v.Again = true
	v.ID = sc.ID + "/recovering"
	k := 1 + pick(len(sc.Plan))
	// It goes to what it dropped, picks that up, and takes it where it was going.
	retries := []simulation.Disturbance{{Retry: 2, Accident: simulation.Accident{Kind: ontology.InjectFail}},
		{Retry: 2, Accident: simulation.Accident{Kind: ontology.InjectDrop}}, {Retry: 3, Accident: simulation.Accident{Kind: ontology.InjectDrop}}}
	again := retries[pick(len(retries))]
	again.Step = k
	v.Disturbances = []simulation.Disturbance{{Step: k, Accident: simulation.Accident{Kind: ontology.InjectDrop}}, again}
	return s.accountFor(&v, 2)
}

// accountFor runs a scenario with accidents and states what they are; nil where
// one did not happen, or was not the only thing to go wrong.
func (s sampler) accountFor(v *simulation.Scenario, want int) *simulation.Scenario {
	run, err := simulation.Simulate(s.onto, v, simulation.Options{})
	if err != nil || len(run.Refused()) > 0 || !run.Reached {
		return nil
	}
	if v.Expect = run.GroundTruth(s.onto); len(v.Expect) != want {
		return nil
	}
	return v
}

// Scenarios measures the scenarios of a folder.
func (b *Bench) Scenarios(ctx context.Context, folder string, scenarios []*simulation.Scenario) (*Scenarios, error) {
	var jobs []job
	for i, sc := range scenarios {
		jobs = append(jobs, job{scenario: sc, options: simulation.Options{Seed: b.Seed + uint64(i)}})
	}
	out := &Scenarios{Folder: folder, Cases: b.run(ctx, jobs)}
	for i := range out.Cases {
		if c := &out.Cases[i]; len(c.Truth) > 0 {
			out.Count.add(c)
		} else {
			out.Clean.add(c)
		}
	}
	return out, ctx.Err()
}

// Suites measures the built-in scenarios of suites as they are.
func (b *Bench) Suites(ctx context.Context, suites []string) ([]Suite, error) {
	var out []Suite
	for _, name := range suites {
		scenarios, err := b.sampler().scenarios(name)
		if err != nil {
			return nil, err
		}
		var jobs []job
		for _, sc := range scenarios {
			jobs = append(jobs, job{scenario: sc})
		}
		cases := b.run(ctx, jobs)
		out = append(out, Suite{name, sum(cases), cases})
	}
	return out, ctx.Err()
}
