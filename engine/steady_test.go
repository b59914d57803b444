package engine_test

import (
	"context"
	"runtime"
	"testing"

	"github.com/mishap-robotics/mishap/engine"
	"github.com/mishap-robotics/mishap/engine/episode"
)

// A step at which nothing is found allocates little, however long the episode is and with
// many things in view; where each has another name at every step, no more than for those.
func TestStepsAllocateLittle(t *testing.T) {
	for _, tt := range []struct {
		view          view
		from, to, max int
	}{
		{loose(20), 50, 150, 200}, {loose(20), 450, 550, 200}, {loose(300), 20, 60, 300}, {renamed(20), 100, 150, 2500}, {renamed(20), 300, 350, 2500},
	} {
		m := reasoner(t).Watch(&episode.Episode{ID: "steady"}, engine.Limits{Window: engine.MinWindow}, nil)
		var before, after runtime.MemStats
		for st := range tt.view.steps() {
			switch st.Index {
			case tt.from:
				runtime.ReadMemStats(&before)
			case tt.to:
				runtime.ReadMemStats(&after)
			}
			if st.Index == tt.to {
				break
			}
			if updates, err := m.Step(context.Background(), st); err != nil || len(updates) > 0 {
				t.Fatal(st.Index, updates, err)
			}
		}
		n := int(after.Mallocs-before.Mallocs) / (tt.to - tt.from)
		t.Logf("%s: %d allocations a step from step %d on", tt.view.name, n, tt.from)
		if n > tt.max {
			t.Errorf("%s: %d allocations a step from step %d on, at most %d are expected", tt.view.name, n, tt.from, tt.max)
		}
	}
}
