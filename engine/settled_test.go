package engine_test

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/mishap-robotics/mishap/engine"
	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/engine/internal/script"
	"github.com/mishap-robotics/mishap/engine/ruletest"
	"github.com/mishap-robotics/mishap/rules"
)

// A monitor that asks a rule only where its answer may have changed concludes at each
// step what one does that asks every rule anew, in episodes mixed from those of the tests
// of rules.
func TestSettledConclusions(t *testing.T) {
	t.Parallel()
	r := reasoner(t)
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
		watch := func() *engine.Monitor {
			ep := *header
			return r.Watch(&ep, engine.Limits{Window: window}, nil)
		}
		once, anew := watch(), watch()
		ctx := context.Background()
		for i, st := range steps {
			st.Index = i
			anew.Reconsider()
			a, err := once.Step(ctx, st)
			b, failed := anew.Step(ctx, st)
			if err != nil || failed != nil {
				t.Skip(err, failed)
			}
			if diff := cmp.Diff(anew.Concluded(), once.Concluded()); diff != "" {
				t.Fatalf("concluded at step %d (-asked anew +asked where it may change)\n%s", i, diff)
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
