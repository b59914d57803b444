package engine_test

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mishap-robotics/mishap/engine"
	"github.com/mishap-robotics/mishap/engine/internal/episodetest"
	"github.com/mishap-robotics/mishap/ontology"
	"github.com/mishap-robotics/mishap/ontology/document"
	"github.com/mishap-robotics/mishap/rules"
)

// scoredFacts lists the facts of scores of an index.
func scoredFacts(t testing.TB, r *engine.Reasoner, x *engine.Facts) []string {
	t.Helper()
	var out []string
	for _, goal := range []string{"score(A, B)", "differs(A, B, C, D)"} {
		err := r.Query(context.Background(), x, goal, func(_ []string, values []*rules.Term) bool {
			out = append(out, fmt.Sprint(goal[:5], values))
			return true
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	slices.Sort(out)
	return out
}

const rescored = `
	task: cook egg
	goal: EggCracked located_at Pan
	plan: (pick_up, Egg), (crack_obj, Egg), (put_in, EggCracked, Pan)
	0 | Egg-1 on_top_of CounterTop-1, Pan-1 on_top_of CounterTop-1, Pan-1 dirty, Egg-1 near Robot-1
	1 (pick_up, Egg-1) | Egg-1 on_top_of CounterTop-1, Pan-1 on_top_of CounterTop-1
	2 (pick_up, Egg-1) | Egg-1 inside RobotGripper-1, Pan-1 on_top_of CounterTop-1
	3 (crack_obj, Egg-1) | EggCracked-1 inside RobotGripper-1, Pan-1 on_top_of CounterTop-1
	4 (put_in, EggCracked-1, Pan-1) | EggCracked-1 inside Pan-1, Pan-1 on_top_of CounterTop-1`

// The facts of scores are there where a rule asks for them, on every line of an action; of an
// episode that goes on they are the same, also where a snapshot was taken at any step.
func TestScoreFacts(t *testing.T) {
	o := ontology.Default()
	p, err := rules.Load([]document.Document{{Name: "own.pl", Data: []byte("failure('DirtyObjFailure', S, S, [O]) :- differs(S, O, dirty, clean), score(S, N), N < 90.")}})
	if err != nil {
		t.Fatal(err)
	}
	r, err := engine.New(o, p)
	if err != nil {
		t.Fatal(err)
	}
	ep := episodetest.Parse(t, o, rescored)
	res, err := r.Check(context.Background(), ep)
	if err != nil {
		t.Fatal(err)
	}
	want := scoredFacts(t, r, res.Index)
	if n := len(want); n != 8 {
		t.Fatalf("%d facts, want a score and a difference for each of 4 lines: %v", n, want)
	}
	if len(res.Findings) == 0 || res.Findings[0].Type != "DirtyObjFailure" {
		t.Errorf("findings %v", res.Findings)
	}
	for restored := range len(ep.Steps) {
		live := *ep
		m := r.Watch(&live, engine.Limits{}, nil)
		for i, st := range ep.Steps {
			if _, err := m.Step(context.Background(), st); err != nil {
				t.Fatal(err)
			}
			if i != restored {
				continue
			}
			var saved bytes.Buffer
			if err := m.Snapshot(&saved); err != nil {
				t.Fatal(err)
			}
			if m, err = r.Restore(&saved, nil); err != nil {
				t.Fatal(err)
			}
		}
		if diff := cmp.Diff(want, scoredFacts(t, r, m.Index())); diff != "" {
			t.Errorf("restored after line %d (-checked +watched):\n%s", restored, diff)
		}
	}
}

// Where no rule asks for them there are none, unless they are asked for; nor where the log
// states no plan, or noise.
func TestNoScoreFacts(t *testing.T) {
	r, err := engine.New(ontology.Default(), rules.Default())
	if err != nil {
		t.Fatal(err)
	}
	ep := episodetest.Parse(t, ontology.Default(), rescored)
	if got := scoredFacts(t, r, r.Facts(ep)); len(got) > 0 {
		t.Errorf("facts that no rule asks for: %v", got)
	}
	scored := r.WithScores()
	if got := scoredFacts(t, scored, scored.Facts(ep)); len(got) != 8 {
		t.Errorf("%d facts, want 8: %v", len(got), got)
	}
	noisy := *ep
	noisy.Noise = 0.1
	unplanned := *ep
	unplanned.Plan = nil
	if got := append(scoredFacts(t, scored, scored.Facts(&noisy)), scoredFacts(t, scored, scored.Facts(&unplanned))...); len(got) > 0 {
		t.Errorf("facts of an episode with noise, or without a plan: %v", got)
	}
	for goal, want := range map[string]bool{"score(S, N)": true, "step(S), \\+ differs(S, _, _, _)": true, "step(S)": false, "score(": false} {
		if engine.AsksScores(goal) != want {
			t.Errorf("%s asks for scores: want %v", goal, want)
		}
	}
}
