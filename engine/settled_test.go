package engine_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/mishap-robotics/mishap/engine"
	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/engine/internal/script"
	"github.com/mishap-robotics/mishap/engine/ruletest"
	"github.com/mishap-robotics/mishap/ontology"
	"github.com/mishap-robotics/mishap/ontology/document"
	"github.com/mishap-robotics/mishap/rules"
)

// A monitor that asks a rule only where its answer may have changed concludes at each
// step what one does that asks every rule anew, and one that asks all of them of the
// interpreter, in episodes mixed from those of the tests of rules.
func TestSettledConclusions(t *testing.T) {
	t.Parallel()
	r := reasoner(t)
	interpreting := r.Interpreting()
	tests, err := ruletest.ParseAll(r.Ontology, rules.ShippedTests())
	if err != nil {
		t.Fatal(err)
	}
	var episodes []*episode.Episode
	for _, test := range tests {
		if test.Script == "" {
			continue
		}
		ep, err := script.Parse(r.Ontology, test.File, test.Line, test.Script)
		if err != nil {
			t.Fatal(err)
		}
		episodes = append(episodes, ep)
	}
	concluded := 0
	rapid.Check(t, func(t *rapid.T) {
		header := rapid.SampledFrom(episodes).Draw(t, "header")
		var steps []episode.Step
		for range rapid.IntRange(1, 4).Draw(t, "parts") {
			part := rapid.SampledFrom(episodes).Draw(t, "part").Steps
			from := rapid.IntRange(0, len(part)-1).Draw(t, "from")
			steps = append(steps, part[from:]...)
		}
		window := rapid.SampledFrom([]int{0, engine.MinWindow}).Draw(t, "window")
		watch := func(r *engine.Reasoner) *engine.Monitor {
			ep := *header
			return r.Watch(&ep, engine.Limits{Window: window}, nil)
		}
		once, anew, interpreted := watch(r), watch(r), watch(interpreting)
		ctx := context.Background()
		for i, st := range steps {
			st.Index = i
			anew.Reconsider()
			interpreted.Reconsider()
			a, err := once.Step(ctx, st)
			b, failed := anew.Step(ctx, st)
			_, broken := interpreted.Step(ctx, st)
			if err != nil || failed != nil || broken != nil {
				t.Skip(err, failed, broken)
			}
			if diff := cmp.Diff(anew.Concluded(), once.Concluded()); diff != "" {
				t.Fatalf("concluded at step %d (-asked anew +asked where it may change)\n%s", i, diff)
			}
			if diff := cmp.Diff(unbound(interpreted.Concluded()), unbound(once.Concluded())); diff != "" {
				t.Fatalf("concluded at step %d (-interpreted +compiled)\n%s", i, diff)
			}
			if len(a) != len(b) {
				t.Fatalf("step %d: %d updates, asked anew %d", i, len(a), len(b))
			}
			concluded += len(once.Concluded())
		}
	})
	if concluded == 0 {
		t.Error("nothing was concluded in any draw")
	}
}

// unbound is what was concluded without the values of variables: the interpreter tells fewer that
// have none.
func unbound(concluded []string) []string {
	out := make([]string, len(concluded))
	for i, c := range concluded {
		out[i], _, _ = strings.Cut(c, " map[")
	}
	return out
}

// A monitor concludes of a step what only a later one tells: that an effect was belated.
func TestBelatedIsFoundLater(t *testing.T) {
	t.Parallel()
	p, err := rules.Load(append(rules.Shipped(), document.Document{Name: "late.pl",
		Data: []byte("failure('DirtyObjFailure', S, S, [O]) :- belated(S, _), target(S, O).\n")}))
	if err != nil {
		t.Fatal(err)
	}
	r, err := engine.New(ontology.Default(), p)
	if err != nil {
		t.Fatal(err)
	}
	got := watch(t, r, `
		0 | Fridge-1 closed
		1 (open_obj, Fridge-1) | Fridge-1 closed
		2 (navigate_to_obj, Fridge-1) | Fridge-1 open
		3 (observe) | Fridge-1 open`, nil)
	if want := "2 found DirtyObj Fridge-1"; !slices.Contains(got, want) {
		t.Errorf("updates %q, want %q among them", got, want)
	}
}
