package bench

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mishap-robotics/mishap/bridge/logs/jsonl"
	"github.com/mishap-robotics/mishap/engine"
	"github.com/mishap-robotics/mishap/engine/enginetest"
	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/engine/simulation"
	"github.com/mishap-robotics/mishap/ontology"
	"github.com/mishap-robotics/mishap/ontology/document"
	"github.com/mishap-robotics/mishap/ontology/kitchen"
	"github.com/mishap-robotics/mishap/rules"
)

// told is a finding as a report tells it.
func told(f *engine.Finding) string {
	return fmt.Sprintln(f.Type, f.Step, f.Cause, f.Objects, f.Clause.Pos, f.Explanation, f.Evidence, f.Consequences)
}

// lineByLine is what a monitor tells of an episode, line by line.
func lineByLine(t *testing.T, r *engine.Reasoner, ep *episode.Episode) []string {
	t.Helper()
	live := *ep
	live.Plan, live.Warnings = slices.Clone(ep.Plan), nil
	steps := live.Steps
	m := r.Watch(&live, engine.Limits{}, nil)
	var out []string
	note := func(at int, updates []engine.Update, err error) {
		if err != nil {
			t.Fatal(err)
		}
		for i := range updates {
			out = append(out, fmt.Sprintln(at, updates[i].Kind)+told(&updates[i].Finding))
		}
	}
	for _, st := range steps {
		updates, err := m.Step(context.Background(), st)
		note(st.Index, updates, err)
	}
	_, updates, err := m.Finish(context.Background())
	note(-1, updates, err)
	return out
}

// goals are questions about an episode, of every kind that can be compiled.
var goals = []string{
	"failed(S), target(S, O)",
	"state(S, O, St), prev(T, S), \\+ state(T, O, St)",
	"dropped(S, O)",
	"at(S, O, D), isa(D, 'Appliance'), S > 3",
	"seen_state(S, O, St), implies(St, More), St \\== More",
	"step(S), (failed(S) -> target(S, O) ; destination(S, O))",
	"step(S), once(seen(S, O))",
	"within(S, O, D), \\+ at(S, O, D)",
	"action(S, A), action(T, A), T > S, T =< S + 5, target(S, O), target(T, O)",
	"member(O, ['Mug-1', 'Pot-1', 'Knife-1']), seen(S, O)",
	"between(1, 4, S), holds(S, O)",
	"end(S), deviates(S, O, T), T < S",
	"wanted(O, St) ; wanted_at(O, St)",
	"forall(step(S), final(S))",
	"heard(S, Sound), isa(O, C), C @< Sound, property(O, bulky), S =:= 2",
	"mend(S, Kind, C, A, O)",
	"piece_of(X, O), filled(S, V, C)",
	"target(S, O), occupant(S, D, O, X)",
}

// On every sample episode compiled rules conclude what interpreted ones do, as a
// whole and step by step, with the same bindings and proofs in the same order; the
// same is so of queries, of why rules did not conclude, and of what was covered. By default
// every fourth is looked at.
func TestCompiledRulesProveTheSame(t *testing.T) {
	o := ontology.Default()
	r, err := engine.New(o, rules.Default())
	if err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob("../../testdata/episodes/*.jsonl")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	answered := map[string]int{}
	for i, file := range files {
		if i%Size(1, 9) != 0 {
			continue
		}
		episodes, err := jsonl.ReadFile(o, document.Disk{}, file)
		if err != nil {
			t.Fatal(err)
		}
		for _, ep := range episodes {
			x := r.Facts(ep)
			var steps []int32
			for i := range x.Trace.Events {
				steps = append(steps, x.Trace.Events[i].Step)
			}
			var texts [2][]string
			for k, of := range []*engine.Reasoner{r.Interpreting(), r} {
				p := of.Prover(x)
				p.Proofs = true
				for _, at := range [][]int32{nil, steps} {
					conclusions, err := enginetest.Conclusions(p, at)
					if err != nil {
						t.Fatal(err)
					}
					texts[k] = append(texts[k], conclusions...)
				}
				for _, class := range []string{"EnvironmentalFailure", "PlanningFailure", "DroppingObjFailure"} {
					why, err := enginetest.WhyNot(p, class, steps[len(steps)/2])
					if err != nil {
						t.Fatal(err)
					}
					texts[k] = append(texts[k], why)
				}
				for _, goal := range goals {
					err := of.Query(context.Background(), x, goal, func(names []string, values []*rules.Term) bool {
						texts[k] = append(texts[k], fmt.Sprintln(goal, names, values))
						answered[goal]++
						return true
					})
					if err != nil {
						t.Fatal(err)
					}
				}
				p.Cover = engine.NewCoverage()
				if _, err := enginetest.Conclusions(p, nil); err != nil {
					t.Fatal(err)
				}
				texts[k] = append(texts[k], enginetest.Covered(r.Rules(), p.Cover))
			}
			if diff := cmp.Diff(texts[0], texts[1]); diff != "" {
				t.Fatalf("%s (-interpreted +compiled):\n%s", file, diff)
			}
		}
	}
	for _, goal := range goals {
		if reason := r.Interprets(goal); reason != nil {
			t.Errorf("%s is interpreted: %v", goal, reason)
		}
	}
	if len(answered) < len(goals)-3 {
		t.Errorf("%d of %d goals have answers; expected more to compare: %v", len(answered), len(goals), answered)
	}
}

// Compiled rules find what interpreted ones do, in whole episodes and line by line,
// where sensors err too. The monitor of interpreted rules asks every rule about
// every step that it may have to look back at, that of compiled ones only what can
// have changed.
func TestCompiledRulesFindTheSame(t *testing.T) {
	r, err := engine.New(ontology.Default(), rules.Default())
	if err != nil {
		t.Fatal(err)
	}
	b := &Bench{Reasoner: r, Simulation: kitchen.Default(), Seed: 11}
	n := Size(24, 2)
	failed, clean, err := b.sampler().draw(t.Context(), []string{"recover", "reflect", "replan"}, b.Failures(), n)
	if err != nil {
		t.Fatal(err)
	}
	findings := 0
	for i, sc := range append(failed, clean...) {
		o := simulation.Options{Seed: uint64(i)}
		if i%3 > 0 {
			o.Noise = simulation.Uniform(0.05)
		}
		run, err := simulation.Simulate(b.Simulation, sc, o)
		if err != nil {
			t.Fatal(err)
		}
		var texts [2][]string
		var lines [2][]string
		for k, r := range []*engine.Reasoner{r.Interpreting(), r} {
			ep := *run.Episode
			res, err := r.Check(context.Background(), &ep)
			if err != nil {
				t.Fatal(err)
			}
			for i := range res.Findings {
				texts[k] = append(texts[k], told(&res.Findings[i]))
			}
			lines[k] = lineByLine(t, r, run.Episode)
		}
		findings += len(texts[0])
		if diff := cmp.Diff(texts[0], texts[1]); diff != "" {
			t.Fatalf("%s (-interpreted +compiled):\n%s", sc.ID, diff)
		}
		if diff := cmp.Diff(lines[0], lines[1]); diff != "" {
			t.Fatalf("%s, line by line (-interpreted +compiled):\n%s", sc.ID, diff)
		}
	}
	if findings < n {
		t.Errorf("%d findings in %d failed episodes; expected more to compare", findings, n)
	}
}
