package bench

import (
	"context"
	"fmt"

	"github.com/mishap-robotics/mishap/engine"
	"github.com/mishap-robotics/mishap/engine/discrepancy"
	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/engine/simulation"
)

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
	scenario  *simulation.Scenario
	recorded  *episode.Episode  // in place of a scenario, of an episode without failure
	reference *engine.Reference // of its task; nil for none
	other     *engine.Reference // of its task by another plan; nil for none
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

// watcher walks through episodes and notes what is foreseen in them, and how their
// scenes score.
type watcher struct {
	sampler
	reasoner *engine.Reasoner
	embedder discrepancy.Embedder
}

func (b *Bench) watcher() watcher {
	b.once.Do(func() { b.embed = discrepancy.FromOntology(b.Reasoner.Ontology) })
	return watcher{b.sampler(), b.Reasoner, b.embed}
}

// watch simulates an episode and walks through it.
func (w watcher) watch(ctx context.Context, t trial) watched {
	out := watched{kind: t.kind, warned: -1, least: map[method]float64{}}
	ep, shows := t.recorded, 0
	if ep != nil {
		out.id = ep.ID + "/recorded"
	} else {
		out.id = t.scenario.ID
		run, err := simulation.Simulate(w.onto, t.scenario, simulation.Options{})
		if err != nil {
			out.err = err
			return out
		}
		ep, shows = run.Episode, showsAt(t.scenario)
		if t.kind == failed {
			out.deadline, out.irreversible, out.err = w.deadline(t.scenario, run)
		}
	}
	if out.err != nil {
		return out
	}
	last := ep.Steps[len(ep.Steps)-1].Index
	after := false // the moment after the failure has been scored
	_, out.err = w.reasoner.Walk(ctx, ep, func(m *engine.Monitor, step int32, a episode.Action) error {
		threats, err := m.Foresee(ctx)
		if err != nil {
			return err
		}
		at := int(step) - 1
		if a.Name == "" {
			at = last
		}
		for i := range threats {
			if out.warned < 0 {
				out.warned = at
				out.what = fmt.Sprintf("%s at step %d, foreseen after %d: %s", threats[i].Type, threats[i].Step, at, threats[i].Explanation)
			}
			out.rightStep = out.rightStep || at < out.deadline && threats[i].Planned == out.deadline
		}
		if after || a.Name != "" && !engine.Changes(w.onto, a) {
			return nil
		}
		after = t.kind == failed && at >= shows
		return w.score(ctx, m, &t, out.least)
	})
	return out
}

// showsAt is the step at which the first failure of a scenario shows, the last
// step where that is not stated.
func showsAt(sc *simulation.Scenario) int {
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
func (w watcher) deadline(sc *simulation.Scenario, run *simulation.SimulatedEpisode) (at, irreversible int, err error) {
	last := 0 // nothing happens to the robot after it
	for _, ev := range sc.Disturbances {
		last = max(last, ev.Step)
	}
	if last > 0 {
		spared := *sc
		spared.Disturbances = nil
		if run, err := simulation.Simulate(w.onto, &spared, simulation.Options{}); err == nil {
			if at := fails(run, nil, 0); at > 0 {
				return at, w.irreversibleBefore(sc, 0, at), nil
			}
		}
	}
	at = fails(run, sc.Expect, last)
	return at, w.irreversibleBefore(sc, last, at), nil
}

// fails is the first step after another at which a run goes wrong: an action is
// refused or a failure shows; else the last one where the goal is missed.
func fails(run *simulation.SimulatedEpisode, expect []simulation.Truth, after int) int {
	n := len(run.Results)
	at := n + 1
	for _, step := range run.Refused() {
		c := run.Calls[step-1]
		if step > after && (c.Schema.Conditional() || !run.Before[step-1].ChangesNothing(c)) { // what is so already need not be done
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

func (w watcher) irreversibleBefore(sc *simulation.Scenario, after, until int) int {
	for i, a := range sc.Plan {
		if schema, ok := w.onto.Action(a.Name); ok && schema.Irreversible && i+1 > after && i+1 <= until {
			return i + 1
		}
	}
	return 0
}

func (n *ForesightScore) add(w *watched) {
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
