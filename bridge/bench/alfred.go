package bench

import (
	"context"
	"hash/fnv"
	"math/rand/v2"
	"slices"

	"github.com/mishap-robotics/mishap/bridge/logs/alfred"
	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/engine/simulation"
	"github.com/mishap-robotics/mishap/ontology"
)

// ALFRED is detection on real trajectories: as they are, and each with one
// failure injected into its re-enactment.
type ALFRED struct {
	Clean    Count            `json:"clean"` // replayed as recorded
	Injected Count            `json:"injected"`
	ByClass  map[string]Count `json:"by_class"`          // by the class injected
	Refused  []string         `json:"refused,omitempty"` // that the simulated world could not re-enact
	None     []string         `json:"none,omitempty"`    // into which nothing could be injected
	Alarms   []Case           `json:"alarms,omitempty"`
	Misses   []Case           `json:"misses,omitempty"`
}

// alfredInjections are the kinds of failures that can happen in trajectories: their robot stands
// wherever it acts, so that no move can be left out.
var alfredInjections = []ontology.InjectionKind{ontology.InjectDrop, ontology.InjectFail, ontology.InjectMistake, ontology.InjectChange, ontology.InjectDelete, ontology.InjectMove}

// ALFRED replays trajectories.
func (b *Bench) ALFRED(ctx context.Context, file string, ts []alfred.Trajectory) (*ALFRED, error) {
	type result struct {
		clean, injected Case
		class           string
		refused         bool
		err             error
	}
	results := each(ctx, b, len(ts), func(i int) (r result) {
		ep, err := alfred.Episode(b.Reasoner.Ontology, file, &ts[i])
		if err != nil {
			r.err = err
			return r
		}
		sc := reenact(ep)
		r.clean = b.judge(ctx, b.Reasoner, ep, nil)
		run, err := simulation.Simulate(b.Simulation, sc, simulation.Options{})
		if err != nil || len(run.Refused()) > 0 {
			r.refused = true
			return r
		}
		if v := b.sampler().injectAny(sc); v != nil {
			r.class = v.Expect[0].Class
			r.injected = b.check(ctx, job{scenario: v})
		}
		return r
	})
	out := &ALFRED{ByClass: map[string]Count{}}
	for i := range results {
		r := &results[i]
		if r.err != nil {
			return nil, r.err
		}
		out.Clean.add(&r.clean)
		if r.clean.Extra > 0 {
			out.Alarms = append(out.Alarms, r.clean)
		}
		switch {
		case r.refused:
			out.Refused = append(out.Refused, ts[i].ID)
		case r.class == "":
			out.None = append(out.None, ts[i].ID)
		default:
			out.Injected.add(&r.injected)
			n := out.ByClass[r.class]
			n.add(&r.injected)
			out.ByClass[r.class] = n
			if !r.injected.right() {
				out.Misses = append(out.Misses, r.injected)
			}
		}
	}
	return out, ctx.Err()
}

// reenact makes a scenario of a replayed trajectory: what the robot did is the
// plan, and it reaches everything wherever it stands.
func reenact(ep *episode.Episode) *simulation.Scenario {
	sc := &simulation.Scenario{ID: ep.ID, Suite: "alfred", Task: ep.Task, Goal: ep.Goal, Params: ep.Params, Scene: ep.Scene, Origins: ep.Origins, Anywhere: true}
	for _, st := range ep.Steps {
		sc.Plan = append(sc.Plan, st.Action)
	}
	return sc
}

// injectAny injects the first failure that can happen in a scenario, in an order
// that the seed and its name choose; nil where none can.
func (s sampler) injectAny(sc *simulation.Scenario) *simulation.Scenario {
	h := fnv.New64a()
	h.Write([]byte(sc.ID))
	rng := rand.New(rand.NewPCG(s.seed, h.Sum64()))
	order := slices.Clone(s.onto.Injections)
	rng.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
	into := simulation.NewInjector(s.onto, sc)
	for _, in := range order {
		if !slices.Contains(alfredInjections, in.Kind) {
			continue
		}
		if found, err := into.Variants(in, rng.IntN); err == nil && len(found) > 0 {
			return found[rng.IntN(len(found))]
		}
	}
	return nil
}
