package engine_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/mishap-robotics/mishap/engine"
)

func TestExperienceAddsUp(t *testing.T) {
	x := &engine.Experience{}
	x.Add(engine.StrategyCount{Class: "B", Strategy: "s", Tried: 2, Reached: 1}, engine.StrategyCount{Class: "A", Strategy: "t", Tried: 1})
	x.Add(engine.StrategyCount{Class: "B", Strategy: "s", Tried: 1, Reached: 1})
	want := []engine.StrategyCount{{Class: "A", Strategy: "t", Tried: 1}, {Class: "B", Strategy: "s", Tried: 3, Reached: 2}}
	if diff := cmp.Diff(want, x.Counts()); diff != "" {
		t.Error(diff)
	}
	if got := x.Of("B", "t"); got.Tried != 0 {
		t.Errorf("%+v; want nothing", got)
	}
	var none *engine.Experience
	if got := none.Counts(); got != nil {
		t.Errorf("%+v; want nothing", got)
	}
}

// In whatever order counts come, they add up to the same.
func TestExperienceIsASum(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		counts := rapid.SliceOf(rapid.Custom(func(t *rapid.T) engine.StrategyCount {
			tried := rapid.IntRange(0, 9).Draw(t, "tried")
			return engine.StrategyCount{Class: rapid.SampledFrom([]string{"A", "B"}).Draw(t, "class"), Strategy: rapid.SampledFrom([]string{"s", "t"}).Draw(t, "strategy"),
				Tried: tried, Reached: rapid.IntRange(0, tried).Draw(t, "reached")}
		})).Draw(t, "counts")
		var x, y engine.Experience
		x.Add(counts...)
		for _, c := range rapid.Permutation(counts).Draw(t, "another order") {
			y.Add(c)
		}
		if diff := cmp.Diff(x.Counts(), y.Counts()); diff != "" {
			t.Fatal(diff)
		}
	})
}
