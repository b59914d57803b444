package perception

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/engine/internal/state"
	"github.com/mishap-robotics/mishap/engine/simulation"
	"github.com/mishap-robotics/mishap/ontology"
	"github.com/mishap-robotics/mishap/ontology/kitchen"
)

// stated is the rate of error for which the probabilities of sounds are worked out.
const stated = 0.05

// share is how often something was so.
type share struct{ so, all int }

func (s *share) add(so bool) {
	s.all++
	if so {
		s.so++
	}
}

func (s share) rate() float64 { return float64(s.so) / float64(max(1, s.all)) }

// counted is what runs in the simulated kitchen show of the probabilities of a model.
type counted struct {
	attempted share // actions with effects that come about
	accepted  share // the same, of those that are not refused
	released  share // what leaves the gripper with a put gets to its destination
	harmed    share // states of what falls that change
	displaced share // places of what falls that change
	defaults  share // states at the start that are those of the class
	appliance share // states that an appliance may act on, at an action on something
	idle      share // the same at other actions
	byItself  share // states that change at an action on nothing
	heard     share // sounds of actions that are heard at the stated rate of error
	imagined  share // sounds of actions heard where there were none
	places    share // things in view that something can be in or on: all, by lines
}

// played are runs of the built-in scenarios without a fault of their own: as they are,
// with a failure drawn, and with something dropped.
func played(t *testing.T, o *ontology.Ontology, use func(sound, noisy *simulation.SimulatedEpisode)) {
	t.Helper()
	rng := rand.New(rand.NewPCG(1, 2))
	play := func(sc *simulation.Scenario, seed uint64) {
		run, err := simulation.Simulate(o, sc, simulation.Options{})
		if err != nil {
			t.Fatal(err)
		}
		noisy, err := simulation.Simulate(o, sc, simulation.Options{Seed: seed, Noise: simulation.Uniform(stated)})
		if err != nil {
			t.Fatal(err)
		}
		use(run, noisy)
	}
	for _, built := range o.Scenarios {
		sc, err := simulation.FromOntology(o, built)
		if err != nil {
			t.Fatal(err)
		}
		if len(sc.Expect) > 0 {
			continue
		}
		for k := range uint64(12) {
			in := o.Injections[rng.IntN(len(o.Injections))]
			if found, err := simulation.Inject(o, sc, in, rng.IntN); err == nil && len(found) > 0 {
				play(sc, k)
				play(found[rng.IntN(len(found))], k)
			}
		}
	}
}

func (n *counted) take(o *ontology.Ontology, run, noisy *simulation.SimulatedEpisode) {
	states := append(slices.Clone(run.Before), run.World.State())
	for x := range state.Object(len(states[0].Objects.Items)) {
		for _, usual := range o.DefaultStates(states[0].Objects.Class(x)) {
			if v := states[0].Get(state.Fluent{Obj: x, Slot: states[0].SlotOf(usual)}); v.Status != state.Unknown {
				n.defaults.add(v.Term == usual)
			}
		}
	}
	for i := range run.Results {
		n.act(o, run, i, states[i], states[i+1])
		schema := run.Calls[i].Schema
		if heard := sounds(o, run.Episode.Steps[i+1].Sounds, schema); heard {
			n.heard.add(sounds(o, noisy.Episode.Steps[i+1].Sounds, schema))
		} else {
			n.imagined.add(sounds(o, noisy.Episode.Steps[i+1].Sounds, schema))
		}
	}
	for _, st := range run.Episode.Steps {
		n.places.all++
		n.places.so += receptacles(o, st.Observation)
	}
}

// act counts what becomes of an action and what changes meanwhile.
func (n *counted) act(o *ontology.Ontology, run *simulation.SimulatedEpisode, i int, before, after *state.State) {
	out, c := &run.Results[i], run.Calls[i]
	cameAbout := out.Done && len(out.Dropped) == 0
	if len(c.Schema.Effects) > 0 {
		n.attempted.add(cameAbout)
		if len(out.Refused) == 0 {
			n.accepted.add(cameAbout)
		}
	}
	if !c.Schema.KeepsHold && c.Schema.Params > 1 && before.Place(c.Target).At == c.Gripper && after.Place(c.Target).At != c.Gripper {
		n.released.add(after.Place(c.Target).At == c.Destination)
	}
	interacts := out.Done && len(c.Schema.Effects) > 0 && !o.IsNavigation(c.Schema) && c.Schema != o.Roles.Take
	for x := range state.Object(len(before.Objects.Items)) {
		if before.Gone(x) {
			continue
		}
		fell := slices.Contains(out.Dropped, run.World.Name(x))
		at := before.Place(x).At
		if fell {
			n.displaced.add(after.Place(x).At != at)
		}
		for slot := int32(1); slot < before.Slots(); slot++ {
			f := state.Fluent{Obj: x, Slot: slot}
			was := before.Get(f)
			if was.Status == state.Unknown {
				continue
			}
			changed := !after.Get(f).Same(was)
			switch {
			case fell:
				n.harmed.add(changed)
			case at != state.Nothing && processed(o, before, at, slot) && interacts:
				n.appliance.add(changed)
			case at != state.Nothing && processed(o, before, at, slot):
				n.idle.add(changed)
			case x != c.Target && x != c.Destination && !interacts:
				n.byItself.add(changed)
			}
		}
	}
}

// processed reports whether a process may act on states of what is in or on something.
func processed(o *ontology.Ontology, s *state.State, at state.Object, slot int32) bool {
	for _, p := range o.Processes {
		for _, then := range p.Then {
			if then.Predicate != o.Core.State || then.Object.IsVar() || s.SlotOf(then.Object.Term) != slot {
				continue
			}
			for _, w := range p.When {
				if w.Predicate == o.Core.Type && w.Subject.Var != then.Subject.Var && s.Objects.IsA(at, w.Object.Term) {
					return true
				}
			}
		}
	}
	return false
}

// sounds reports whether the sound of an action is among some.
func sounds(o *ontology.Ontology, heard []string, schema *ontology.ActionSchema) bool {
	return slices.ContainsFunc(heard, func(s string) bool {
		return slices.ContainsFunc(o.ByLabel(s, o.Core.Sound), func(id ontology.TermID) bool { return o.IsSoundOf(id, schema) })
	})
}

func receptacles(o *ontology.Ontology, obs episode.Observation) int {
	n := 0
	for _, node := range obs.Nodes {
		if id, ok := o.Lookup(node.Class); ok && o.HasProperty(id, o.Roles.Receptacle) {
			n++
		}
	}
	return n
}

// The probabilities of the model are those that runs in the simulated kitchen show, as
// near as the comments on them say.
func TestProbabilitiesAreMeasured(t *testing.T) {
	o := kitchen.Default()
	var n counted
	played(t, o, func(run, noisy *simulation.SimulatedEpisode) { n.take(o, run, noisy) })
	for _, tt := range []struct {
		name        string
		is          float64
		least, most float64
		of          share
	}{
		{"succeeds", succeeds, n.attempted.rate(), n.accepted.rate(), n.attempted},
		{"released", released, n.released.rate() - 0.03, n.released.rate(), n.released},
		{"harms", harms, n.harmed.rate() - 0.2, n.harmed.rate() + 0.2, n.harmed},
		{"displaces", displaces, n.displaced.rate() - 0.1, n.displaced.rate(), n.displaced},
		{"startsAs", startsAs, n.defaults.rate() - 0.1, n.defaults.rate(), n.defaults},
		{"possible", possible, n.appliance.rate(), 1, n.appliance},
		{"runsOn", runsOn, n.idle.rate(), n.appliance.rate(), n.idle},
		{"spontaneous", spontaneous, n.byItself.rate() / 5, n.byItself.rate() * 5, n.byItself},
		{"heardIfDone", heardIfDone, n.heard.rate() - 0.05, n.heard.rate() + 0.05, n.heard},
		{"heardIfNot", heardIfNot, n.imagined.rate(), stated, n.imagined},
		{"places", places, n.places.rate(), 4 * n.places.rate(), n.places},
	} {
		t.Logf("%s is %g; from %.4g to %.4g by %d of %d", tt.name, tt.is, tt.least, tt.most, tt.of.so, tt.of.all)
		if tt.of.all < 15 || tt.is < tt.least || tt.is > tt.most {
			t.Errorf("%s is %g; measured from %.4g to %.4g, by %d of %d", tt.name, tt.is, tt.least, tt.most, tt.of.so, tt.of.all)
		}
	}
	there, lost := (1-nowhere)*(1-stated), nowhere/float64(places)
	if p := there / (there + lost); p < sure {
		t.Errorf("a place that was seen once has probability %.3f; expected at least %g, so that it is passed on", p, sure)
	}
}
