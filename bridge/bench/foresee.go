package bench

import (
	"context"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"slices"

	"github.com/mishap-robotics/mishap/bridge/logs/alfred"
	"github.com/mishap-robotics/mishap/engine"
	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/engine/simulation"
)

// Foresee is what was measured of foresight, of the discrepancy score on the same
// episodes, and of checking plans.
type Foresee struct {
	Version string      `json:"version"` // of mishap
	Go      string      `json:"go"`
	Seed    uint64      `json:"seed"`
	Sets    []Set       `json:"sets"`
	Plans   []PlanCheck `json:"plans,omitempty"`
	Skipped []string    `json:"skipped,omitempty"` // parts that could not be run, with the reason
}

// Set is one kind of episodes.
type Set struct {
	Name      string         `json:"name"`
	Foresight ForesightScore `json:"foresight"`
	Scores    []Curve        `json:"scores"`
}

// ForesightScore counts warnings. An episode is foreseeable where what is left of the
// plan does not go through, simulated from the true state once all has happened to
// the robot that does: an action is refused, the goal is missed, or a failure
// shows that something else caused.
type ForesightScore struct {
	Failed      int `json:"failed"`      // episodes with a failure
	Foreseeable int `json:"foreseeable"` // of those
	Foreseen    int `json:"foreseen"`    // of those, warned of before the step at which it does not go through
	RightStep   int `json:"right_step"`  // of those, with a warning that names that step
	Lead        int `json:"lead"`        // steps between warning and failure, summed over those foreseen
	// Irreversible are foreseeable episodes with an action that nothing undoes among
	// those to come before the failure, InTime those warned of before it.
	Irreversible int `json:"irreversible"`
	InTime       int `json:"in_time"`
	Clean        int `json:"clean"`  // episodes without failure
	Benign       int `json:"benign"` // without failure, in which something changes that the task has nothing to do with
	// Clean and benign episodes with a warning.
	CleanAlarms  int      `json:"clean_alarms"`
	BenignAlarms int      `json:"benign_alarms"`
	Errors       int      `json:"errors,omitempty"`
	Missed       []string `json:"missed,omitempty"`
	Alarmed      []string `json:"alarmed,omitempty"`
}

// set watches the episodes of a set.
func (b *Bench) set(ctx context.Context, name string, trials []trial) (Set, error) {
	out := Set{Name: name}
	trials = limited(b, trials)
	results := each(ctx, b, len(trials), func(i int) watched { return b.watcher().watch(ctx, trials[i]) })
	if err := ctx.Err(); err != nil {
		return out, err
	}
	for i := range results {
		if results[i].err != nil && out.Foresight.Errors == 0 {
			out.Foresight.Missed = append(out.Foresight.Missed, results[i].id+": "+results[i].err.Error())
		}
		out.Foresight.add(&results[i])
	}
	out.Scores = curvesOf(results)
	return out, nil
}

// reference is the run of a scenario in which nothing goes wrong.
func (w watcher) reference(sc *simulation.Scenario) (*engine.Reference, error) {
	run, err := simulation.Simulate(w.onto, sc, simulation.Options{})
	if err != nil {
		return nil, err
	}
	return engine.NewReference(w.reasoner.Ontology, run.Episode)
}

// ForeseePairs measures RECOVER's tasks by its twelve failures, each way in which
// each can happen, and the tasks as they are and with benign changes.
func (b *Bench) ForeseePairs(ctx context.Context, suite string, changes int) (Set, error) {
	tasks, err := b.sampler().scenarios(suite)
	if err != nil {
		return Set{}, err
	}
	var trials []trial
	rng := b.sampler().random(3000)
	for i, sc := range tasks {
		ref, err := b.watcher().reference(sc)
		if err != nil {
			return Set{}, err
		}
		trials = append(trials, trial{kind: clean, scenario: sc, reference: ref})
		for k := range changes {
			if err := ctx.Err(); err != nil {
				return Set{}, err
			}
			if v := b.sampler().benign(sc, k, rng); v != nil {
				trials = append(trials, trial{kind: benign, scenario: v, reference: ref})
			}
		}
		into := simulation.NewInjector(b.sampler().onto, sc)
		for k, failure := range b.Failures() {
			variants, err := b.sampler().variants(ctx, into, failure, uint64(i*len(b.Failures())+k))
			if err != nil {
				return Set{}, err
			}
			for _, v := range variants {
				trials = append(trials, trial{kind: failed, scenario: v, reference: ref})
			}
		}
	}
	return b.set(ctx, "RECOVER pairs", trials)
}

// ForeseeScenarios measures scenarios of one's own; those that expect nothing are
// clean.
func (b *Bench) ForeseeScenarios(ctx context.Context, folder string, scenarios []*simulation.Scenario) (Set, error) {
	return b.foreseeAll(ctx, "scenarios of "+folder, scenarios)
}

// ForeseeSuite measures the scenarios of a suite as they are; those that expect
// nothing are clean.
func (b *Bench) ForeseeSuite(ctx context.Context, name, suite string) (Set, error) {
	scenarios, err := b.sampler().scenarios(suite)
	if err != nil {
		return Set{}, err
	}
	return b.foreseeAll(ctx, name, scenarios)
}

func (b *Bench) foreseeAll(ctx context.Context, name string, scenarios []*simulation.Scenario) (Set, error) {
	references, err := b.watcher().references(ctx)
	if err != nil {
		return Set{}, err
	}
	var trials []trial
	for _, sc := range scenarios {
		k := failed
		if len(sc.Expect) == 0 {
			k = clean
		}
		trials = append(trials, trial{kind: k, scenario: sc, reference: references[b.sampler().task(sc)]})
	}
	return b.set(ctx, name, trials)
}

func (s sampler) task(sc *simulation.Scenario) string {
	if t, ok := s.onto.Task(sc.Task); ok {
		return t.Name
	}
	return sc.Task
}

// references are the built-in scenarios in which nothing goes wrong, by task.
func (w watcher) references(ctx context.Context) (map[string]*engine.Reference, error) {
	all, err := w.sampler.scenarios()
	if err != nil {
		return nil, err
	}
	out := map[string]*engine.Reference{}
	for _, sc := range all {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if name := w.sampler.task(sc); len(sc.Expect) == 0 && out[name] == nil {
			ref, err := w.reference(sc)
			if err != nil {
				continue // a scenario may leave its goal to another's robot
			}
			out[name] = ref
		}
	}
	return out, nil
}

// ForeseeRoboFail measures re-enactments of annotated plans; clean are those in
// which nothing happens to the robot and the plan is right.
func (b *Bench) ForeseeRoboFail(ctx context.Context, file string, re *Reenactments, changes int) (Set, []string, error) {
	list, err := readPlans(file)
	if err != nil {
		return Set{}, nil, err
	}
	right, err := b.watcher().rightPlans(ctx, file, list)
	if err != nil {
		return Set{}, nil, err
	}
	others, err := b.watcher().references(ctx)
	if err != nil {
		return Set{}, nil, err
	}
	var trials []trial
	var skipped []string
	rng := b.sampler().random(3001)
	for i := range list {
		p := &list[i]
		if p.Annotation.Ambiguous != "" {
			skipped = append(skipped, p.Episode+": "+p.Annotation.Ambiguous)
			continue
		}
		sc, err := b.sampler().reenactment(file, p)
		if err != nil {
			return Set{}, nil, err
		}
		ref := b.watcher().nearest(right[b.sampler().task(sc)], sc.Plan)
		variants, err := b.sampler().reenactments(ctx, sc, p, re)
		if err != nil {
			return Set{}, nil, fmt.Errorf("%s: %s: %w", file, p.Episode, err)
		}
		for _, v := range variants {
			trials = append(trials, trial{kind: failed, scenario: v, reference: ref, other: others[b.sampler().task(sc)]})
		}
		if p.Annotation.Kind == "planning" {
			continue
		}
		sound := inUsualScene(sc)
		trials = append(trials, trial{kind: clean, scenario: sound, reference: ref, other: others[b.sampler().task(sc)]})
		for k := range changes {
			if err := ctx.Err(); err != nil {
				return Set{}, nil, err
			}
			if v := b.sampler().benign(sound, k, rng); v != nil {
				trials = append(trials, trial{kind: benign, scenario: v, reference: ref, other: others[b.sampler().task(sc)]})
			}
		}
	}
	set, err := b.set(ctx, "RoboFail re-enactments", trials)
	return set, skipped, err
}

// inUsualScene is a scenario in which nothing happens to the robot.
func inUsualScene(sc *simulation.Scenario) *simulation.Scenario {
	v := *sc
	v.Scene, v.Expect, v.Disturbances = nil, nil, nil
	v.ID += "/clean"
	return &v
}

// rightPlans runs the plans that are annotated as right in the usual scene, by
// task.
func (w watcher) rightPlans(ctx context.Context, file string, list []plan) (map[string][]*engine.Reference, error) {
	out := map[string][]*engine.Reference{}
	for i := range list {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if list[i].Annotation.Kind == "planning" || list[i].Annotation.Ambiguous != "" {
			continue
		}
		sc, err := w.sampler.reenactment(file, &list[i])
		if err != nil {
			return nil, err
		}
		ref, err := w.reference(inUsualScene(sc))
		if err != nil {
			return nil, err
		}
		out[w.sampler.task(sc)] = append(out[w.sampler.task(sc)], ref)
	}
	return out, nil
}

// nearest is the reference whose actions a plan has most of, nil where there is
// none.
func (w watcher) nearest(references []*engine.Reference, plan []episode.Action) *engine.Reference {
	var best *engine.Reference
	most := -1
	for _, r := range references {
		if n := r.Shared(w.reasoner.Ontology, plan); best == nil || n > most {
			best, most = r, n
		}
	}
	return best
}

// ForeseeALFRED measures trajectories as recorded, and re-enacted, each against its
// own expected scenes: as they are, with one benign change, and with one failure.
func (b *Bench) ForeseeALFRED(ctx context.Context, file string, ts []alfred.Trajectory) (Set, error) {
	made := each(ctx, b, len(ts), func(i int) []trial { return b.watcher().trajectory(file, &ts[i]) })
	return b.set(ctx, "ALFRED trajectories", slices.Concat(made...))
}

func (w watcher) trajectory(file string, t *alfred.Trajectory) []trial {
	ep, err := alfred.Episode(w.reasoner.Ontology, file, t)
	if err != nil {
		return nil
	}
	sc := reenact(ep)
	run, err := simulation.Simulate(w.onto, sc, simulation.Options{})
	if err != nil || len(run.Refused()) > 0 {
		return nil
	}
	ref, err := engine.NewReference(w.reasoner.Ontology, run.Episode)
	if err != nil {
		return nil
	}
	h := fnv.New64a()
	h.Write([]byte(sc.ID))
	rng := rand.New(rand.NewPCG(w.seed, h.Sum64()))
	own, err := engine.NewReference(w.reasoner.Ontology, ep)
	if err != nil {
		return nil
	}
	out := []trial{{kind: clean, scenario: sc, reference: ref}, {kind: clean, recorded: ep, reference: own}}
	if v := w.sampler.benign(sc, rng.IntN(len(changes)), rng); v != nil {
		out = append(out, trial{kind: benign, scenario: v, reference: ref})
	}
	if v := w.sampler.injectAny(sc); v != nil {
		out = append(out, trial{kind: failed, scenario: v, reference: ref})
	}
	return out
}
