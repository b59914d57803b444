package bench

import (
	"context"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"slices"

	"github.com/mishap-robotics/mishap/bridge/alfred"
	"github.com/mishap-robotics/mishap/engine"
	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/engine/scene"
	"github.com/mishap-robotics/mishap/engine/state"
	"github.com/mishap-robotics/mishap/engine/world"
	"github.com/mishap-robotics/mishap/ontology"
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
	Name      string    `json:"name"`
	Foresight Foresight `json:"foresight"`
	Scores    []Curve   `json:"scores"`
}

// Foresight counts warnings. An episode is foreseeable where what is left of the
// plan does not go through, simulated from the true state once all has befallen
// the robot that does: an action is refused, the goal is missed, or a failure
// shows that something else caused.
type Foresight struct {
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

// kind of an episode.
type kind int

const (
	failed kind = iota
	clean
	benign
)

// trial is an episode to be foreseen.
type trial struct {
	kind      kind
	scenario  *world.Scenario
	reference *scene.Reference // of its task; nil for none
	other     *scene.Reference // of its task by another plan; nil for none
}

// watched is what came of a trial.
type watched struct {
	id           string
	kind         kind
	err          error
	deadline     int // the step at which what is left of the plan does not go through; 0 for none
	irreversible int // the first step to come that nothing undoes; 0 for none
	warned       int // the step after which there was the first warning; -1 for none
	rightStep    bool
	what         string // the first warning
	least        map[method]float64
}

// watch simulates an episode and walks through it.
func (b *Bench) watch(ctx context.Context, t trial) watched {
	out := watched{id: t.scenario.ID, kind: t.kind, warned: -1, least: map[method]float64{}}
	run, err := world.Simulate(b.Simulation, t.scenario, world.Options{})
	if err != nil {
		out.err = err
		return out
	}
	if t.kind == failed {
		if out.deadline, out.irreversible, out.err = b.deadline(t.scenario, run); out.err != nil {
			return out
		}
	}
	shows := showsAt(t.scenario)
	after := false // the moment after the failure has been scored
	_, out.err = b.Reasoner.Walk(ctx, run.Episode, func(m *engine.Monitor, step int32, a episode.Action) error {
		threats, err := m.Foresee(ctx)
		if err != nil {
			return err
		}
		at := int(step) - 1
		if a.Name == "" {
			at = len(run.Outcomes)
		}
		for i := range threats {
			if out.warned < 0 {
				out.warned = at
				out.what = fmt.Sprintf("%s at step %d, foreseen after %d: %s", threats[i].Type, threats[i].Step, at, threats[i].Explanation)
			}
			out.rightStep = out.rightStep || at < out.deadline && threats[i].Planned == out.deadline
		}
		if after || a.Name != "" && !engine.Scored(b.Simulation, a) {
			return nil
		}
		after = t.kind == failed && at >= shows
		return b.score(ctx, m, &t, out.least)
	})
	return out
}

// showsAt is the step at which the first failure of a scenario shows, the last
// step where that is not stated.
func showsAt(sc *world.Scenario) int {
	shows := len(sc.Plan)
	for _, t := range sc.Expect {
		if t.Step > 0 {
			shows = min(shows, t.Step)
		}
	}
	return shows
}

// deadline finds the step at which what is left of the plan of a scenario does not
// go through, and the first action at or before it that nothing undoes, 0 where
// there is none.
func (b *Bench) deadline(sc *world.Scenario, run *world.Run) (at, irreversible int, err error) {
	last := 0 // nothing befalls the robot after it
	for _, ev := range sc.Accidents {
		last = max(last, ev.Step)
	}
	if last > 0 {
		spared := *sc
		spared.Accidents = nil
		if run, err := world.Simulate(b.Simulation, &spared, world.Options{}); err == nil {
			if at := fails(run, nil, 0); at > 0 {
				return at, b.irreversibleBefore(sc, 0, at), nil
			}
		}
	}
	at = fails(run, sc.Expect, last)
	return at, b.irreversibleBefore(sc, last, at), nil
}

// fails is the first step after another at which a run goes wrong: an action is
// refused or a failure shows; else the last one where the goal is missed.
func fails(run *world.Run, expect []world.Truth, after int) int {
	n := len(run.Outcomes)
	at := n + 1
	for _, step := range run.Refused() {
		effects := run.Before[step-1].Clone().Apply(run.Calls[step-1], state.Observed, 0)
		if step > after && !state.Idle(effects) { // what is so already need not be done
			at = min(at, step)
		}
	}
	for _, t := range expect {
		if t.Step > after {
			at = min(at, t.Step)
		}
	}
	switch {
	case at <= n:
		return at
	case !run.Reached && after < n:
		return n
	}
	return 0
}

func (b *Bench) irreversibleBefore(sc *world.Scenario, after, until int) int {
	for i, a := range sc.Plan {
		if schema, ok := b.Simulation.Action(a.Name); ok && schema.Irreversible && i+1 > after && i+1 <= until {
			return i + 1
		}
	}
	return 0
}

func (n *Foresight) add(w *watched) {
	if w.err != nil {
		n.Errors++
		return
	}
	switch w.kind {
	case clean:
		n.Clean++
		if w.warned >= 0 {
			n.CleanAlarms++
		}
	case benign:
		n.Benign++
		if w.warned >= 0 {
			n.BenignAlarms++
		}
	}
	if w.kind != failed {
		if w.warned >= 0 {
			n.Alarmed = append(n.Alarmed, w.id+": "+w.what)
		}
		return
	}
	n.Failed++
	if w.deadline == 0 {
		return
	}
	n.Foreseeable++
	if w.irreversible > 0 {
		n.Irreversible++
		if w.warned >= 0 && w.warned < w.irreversible {
			n.InTime++
		}
	}
	if w.warned < 0 || w.warned >= w.deadline {
		n.Missed = append(n.Missed, fmt.Sprintf("%s: fails at step %d", w.id, w.deadline))
		return
	}
	n.Foreseen++
	n.Lead += w.deadline - w.warned
	if w.rightStep {
		n.RightStep++
	}
}

// set watches the episodes of a set.
func (b *Bench) set(ctx context.Context, name string, trials []trial) (Set, error) {
	out := Set{Name: name}
	results := each(ctx, b, len(trials), func(i int) watched { return b.watch(ctx, trials[i]) })
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
func (b *Bench) reference(sc *world.Scenario) (*scene.Reference, error) {
	run, err := world.Simulate(b.Simulation, sc, world.Options{})
	if err != nil {
		return nil, err
	}
	return scene.NewReference(b.Reasoner.Ontology, run.Episode)
}

// ForeseePairs measures RECOVER's tasks by its twelve failures, each way in which
// each can happen, and the tasks as they are and with benign changes.
func (b *Bench) ForeseePairs(ctx context.Context, suite string, changes int) (Set, error) {
	tasks, err := b.scenarios(suite)
	if err != nil {
		return Set{}, err
	}
	var trials []trial
	rng := b.random(3000)
	for i, sc := range tasks {
		ref, err := b.reference(sc)
		if err != nil {
			return Set{}, err
		}
		trials = append(trials, trial{kind: clean, scenario: sc, reference: ref})
		for k := range changes {
			if v := b.benign(sc, k, rng); v != nil {
				trials = append(trials, trial{kind: benign, scenario: v, reference: ref})
			}
		}
		for k, failure := range Failures {
			variants, err := b.variants(sc, failure, uint64(i*len(Failures)+k))
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
func (b *Bench) ForeseeScenarios(ctx context.Context, folder string, scenarios []*world.Scenario) (Set, error) {
	return b.foreseeAll(ctx, "scenarios of "+folder, scenarios)
}

// ForeseeSuite measures the scenarios of a suite as they are; those that expect
// nothing are clean.
func (b *Bench) ForeseeSuite(ctx context.Context, name, suite string) (Set, error) {
	scenarios, err := b.scenarios(suite)
	if err != nil {
		return Set{}, err
	}
	return b.foreseeAll(ctx, name, scenarios)
}

func (b *Bench) foreseeAll(ctx context.Context, name string, scenarios []*world.Scenario) (Set, error) {
	references, err := b.references()
	if err != nil {
		return Set{}, err
	}
	var trials []trial
	for _, sc := range scenarios {
		k := failed
		if len(sc.Expect) == 0 {
			k = clean
		}
		trials = append(trials, trial{kind: k, scenario: sc, reference: references[b.task(sc)]})
	}
	return b.set(ctx, name, trials)
}

func (b *Bench) task(sc *world.Scenario) string {
	if t, ok := b.Simulation.Task(sc.Task); ok {
		return t.Name
	}
	return sc.Task
}

// references are the built-in scenarios in which nothing goes wrong, by task.
func (b *Bench) references() (map[string]*scene.Reference, error) {
	all, err := b.scenarios()
	if err != nil {
		return nil, err
	}
	out := map[string]*scene.Reference{}
	for _, sc := range all {
		if name := b.task(sc); len(sc.Expect) == 0 && out[name] == nil {
			ref, err := b.reference(sc)
			if err != nil {
				continue // a scenario may leave its goal to another's robot
			}
			out[name] = ref
		}
	}
	return out, nil
}

// ForeseeRoboFail measures re-enactments of annotated plans; clean are those in
// which nothing befalls the robot and the plan is right.
func (b *Bench) ForeseeRoboFail(ctx context.Context, file string, re *Reenactments, changes int) (Set, []string, error) {
	list, err := readPlans(file)
	if err != nil {
		return Set{}, nil, err
	}
	right, err := b.rightPlans(file, list)
	if err != nil {
		return Set{}, nil, err
	}
	others, err := b.references()
	if err != nil {
		return Set{}, nil, err
	}
	var trials []trial
	var skipped []string
	rng := b.random(3001)
	for i := range list {
		p := &list[i]
		if p.Annotation.Ambiguous != "" {
			skipped = append(skipped, p.Episode+": "+p.Annotation.Ambiguous)
			continue
		}
		sc, err := b.reenactment(file, p)
		if err != nil {
			return Set{}, nil, err
		}
		ref := b.nearest(right[b.task(sc)], sc.Plan)
		variants, err := b.befall(sc, p, re)
		if err != nil {
			return Set{}, nil, fmt.Errorf("%s: %s: %w", file, p.Episode, err)
		}
		for _, v := range variants {
			trials = append(trials, trial{kind: failed, scenario: v, reference: ref, other: others[b.task(sc)]})
		}
		if p.Annotation.Kind == "planning" {
			continue
		}
		sound := inUsualScene(sc)
		trials = append(trials, trial{kind: clean, scenario: sound, reference: ref, other: others[b.task(sc)]})
		for k := range changes {
			if v := b.benign(sound, k, rng); v != nil {
				trials = append(trials, trial{kind: benign, scenario: v, reference: ref, other: others[b.task(sc)]})
			}
		}
	}
	set, err := b.set(ctx, "RoboFail re-enactments", trials)
	return set, skipped, err
}

// inUsualScene is a scenario in which nothing befalls the robot.
func inUsualScene(sc *world.Scenario) *world.Scenario {
	v := *sc
	v.Scene, v.Expect, v.Accidents = nil, nil, nil
	v.ID += "/clean"
	return &v
}

// rightPlans runs the plans that are annotated as right in the usual scene, by
// task.
func (b *Bench) rightPlans(file string, list []plan) (map[string][]*scene.Reference, error) {
	out := map[string][]*scene.Reference{}
	for i := range list {
		if list[i].Annotation.Kind == "planning" || list[i].Annotation.Ambiguous != "" {
			continue
		}
		sc, err := b.reenactment(file, &list[i])
		if err != nil {
			return nil, err
		}
		ref, err := b.reference(inUsualScene(sc))
		if err != nil {
			return nil, err
		}
		out[b.task(sc)] = append(out[b.task(sc)], ref)
	}
	return out, nil
}

// nearest is the reference whose actions a plan has most of, nil where there is
// none.
func (b *Bench) nearest(references []*scene.Reference, plan []episode.Action) *scene.Reference {
	var best *scene.Reference
	most := -1
	for _, r := range references {
		if n := r.Shared(b.Reasoner.Ontology, plan); best == nil || n > most {
			best, most = r, n
		}
	}
	return best
}

// ForeseeALFRED measures re-enacted trajectories, each against its own expected
// scenes: as they are, with one benign change, and with one failure.
func (b *Bench) ForeseeALFRED(ctx context.Context, file string, ts []alfred.Trajectory) (Set, error) {
	made := each(ctx, b, len(ts), func(i int) []trial { return b.trajectory(file, &ts[i]) })
	return b.set(ctx, "ALFRED trajectories", slices.Concat(made...))
}

func (b *Bench) trajectory(file string, t *alfred.Trajectory) []trial {
	ep, err := alfred.Episode(b.Reasoner.Ontology, file, t)
	if err != nil {
		return nil
	}
	sc := reenact(ep)
	run, err := world.Simulate(b.Simulation, sc, world.Options{})
	if err != nil || len(run.Refused()) > 0 {
		return nil
	}
	ref, err := scene.NewReference(b.Reasoner.Ontology, run.Episode)
	if err != nil {
		return nil
	}
	h := fnv.New64a()
	h.Write([]byte(sc.ID))
	rng := rand.New(rand.NewPCG(b.Seed, h.Sum64()))
	out := []trial{{kind: clean, scenario: sc, reference: ref}}
	if v := b.benign(sc, rng.IntN(len(changes)), rng); v != nil {
		out = append(out, trial{kind: benign, scenario: v, reference: ref})
	}
	if v := b.befallAny(sc); v != nil {
		out = append(out, trial{kind: failed, scenario: v, reference: ref})
	}
	return out
}

// changes are the kinds of benign changes.
var changes = []string{"added", "moved", "removed", "soiled"}

// benign lets something happen, between two actions, to a thing that the task has
// nothing to do with: it is put there, taken elsewhere, put out of sight, or gets
// dirty. nil where there is no such thing.
func (b *Bench) benign(sc *world.Scenario, n int, rng *rand.Rand) *world.Scenario {
	classes := b.unrelated(sc)
	if len(classes) == 0 {
		return nil
	}
	change := changes[n%len(changes)]
	name := classes[rng.IntN(len(classes))] + "-1"
	step := 1 + rng.IntN(len(sc.Plan))
	v := *sc
	v.ID = fmt.Sprintf("%s/%s-%s@%d", sc.ID, name, change, step)
	at := func(place string) episode.Fact {
		return episode.Fact{Subject: name, Relation: "located_at", Object: place}
	}
	surface := clutterPlaces[rng.IntN(2)]
	begin, then := at(surface), at(clutterPlaces[2+rng.IntN(len(clutterPlaces)-2)])
	switch change {
	case "added":
		begin, then = then, begin
	case "moved":
		then = at(clutterPlaces[rng.IntN(2)])
	case "soiled":
		then = episode.Fact{Subject: name, Relation: "dirty"}
	}
	v.Scene = append(slices.Clone(sc.Scene), begin)
	v.Accidents = append(slices.Clone(sc.Accidents), world.Event{Step: step, Accident: world.Accident{Event: ontology.EventChange, Facts: []episode.Fact{then}}})
	return &v
}
