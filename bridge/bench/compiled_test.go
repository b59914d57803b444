package bench

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mishap-robotics/mishap/engine"
	"github.com/mishap-robotics/mishap/engine/diagnose"
	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/engine/world"
	"github.com/mishap-robotics/mishap/ontology"
	"github.com/mishap-robotics/mishap/ontology/simulation"
	"github.com/mishap-robotics/mishap/rules"
)

// told is a finding as a report tells it.
func told(f *diagnose.Finding) string {
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
			out = append(out, fmt.Sprintln(at, updates[i].Change)+told(&updates[i].Finding))
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

// Compiled rules find what interpreted ones do, in whole episodes and line by line,
// where sensors err too. The monitor of interpreted rules asks every rule about
// every step that it may have to look back at, that of compiled ones only what can
// have changed.
func TestCompiledRulesFindTheSame(t *testing.T) {
	r, err := engine.New(ontology.Default(), rules.Default())
	if err != nil {
		t.Fatal(err)
	}
	b := &Bench{Reasoner: r, Simulation: simulation.Default(), Seed: 11}
	const n = 24
	failed, clean, err := b.draw([]string{"recover", "reflect", "replan"}, Failures, n)
	if err != nil {
		t.Fatal(err)
	}
	findings := 0
	for i, sc := range append(failed, clean...) {
		o := world.Options{Seed: uint64(i)}
		if i%3 > 0 {
			o.Noise = world.Uniform(0.05)
		}
		run, err := world.Simulate(b.Simulation, sc, o)
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
