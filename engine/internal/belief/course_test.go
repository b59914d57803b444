package belief

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/engine/internal/state"
	"github.com/mishap-robotics/mishap/engine/scene"
	"github.com/mishap-robotics/mishap/ontology"
)

// drawStep is a step of a robot that does what it likes among things that come and go.
func drawStep(t *rapid.T, n int) episode.Step {
	things := []string{"Apple-1", "Apple-2", "Bread-1", "BreadSliced-1", "Mug-1", "Fridge-1", "CounterTop-1", "Microwave-1", fmt.Sprint("Mug-", n+2)}
	thing := rapid.SampledFrom(things)
	st := episode.Step{Index: n, Action: episode.Action{
		Name:   rapid.SampledFrom([]string{"pick_up", "put_on", "put_in", "navigate_to_obj", "open_obj", "close_obj", "slice_obj", "toggle_on", "observe", "polish"}).Draw(t, "action"),
		Target: thing.Draw(t, "target"), Destination: rapid.SampledFrom([]string{"", "CounterTop-1", "Fridge-1", "Microwave-1"}).Draw(t, "destination"),
	}}
	o := &st.Observation
	o.Missing = rapid.IntRange(0, 5).Draw(t, "missing") == 0
	o.Complete = rapid.IntRange(0, 8).Draw(t, "complete") == 0
	for range rapid.IntRange(0, 6).Draw(t, "nodes") {
		node := scene.Node{ID: thing.Draw(t, "node")}
		if rapid.Bool().Draw(t, "in a state") {
			node.States = []string{rapid.SampledFrom([]string{"open", "closed", "on", "broken", "dirty"}).Draw(t, "state")}
		}
		o.Nodes = append(o.Nodes, node)
	}
	for range rapid.IntRange(0, 4).Draw(t, "edges") {
		o.Edges = append(o.Edges, scene.Edge{Subject: thing.Draw(t, "subject"),
			Relation: rapid.SampledFrom([]string{"inside", "on_top_of", "next_to"}).Draw(t, "relation"),
			Object:   rapid.SampledFrom([]string{"CounterTop-1", "Fridge-1", "RobotGripper-1", "Mug-1", "Floor-1"}).Draw(t, "object")})
	}
	if rapid.IntRange(0, 4).Draw(t, "heard") == 0 {
		st.Sounds = []string{"drop"}
	}
	return st
}

// Where only what changed is compared with the expected course, the same comes out as
// where everything is, at each step.
func TestComparingWhatChanged(t *testing.T) {
	o := ontology.Default()
	rapid.Check(t, func(t *rapid.T) {
		some, every := NewTracker(o, &episode.Episode{ID: "x"}), NewTracker(o, &episode.Episode{ID: "x"})
		for n := range rapid.IntRange(2, 25).Draw(t, "steps") {
			n++
			st := drawStep(t, n)
			if n > 1 && rapid.IntRange(0, 3).Draw(t, "goes on") == 0 {
				st.Action = some.t.ongoing.Last.Action
			}
			every.t.course.believedThen, every.t.trace.recorded = nil, nil
			e, f := some.Step(st), every.Step(st)
			if rapid.IntRange(0, 9).Draw(t, "replan") == 0 {
				some.Replan(nil)
				every.Replan(nil)
			}
			if diff := cmp.Diff(f.Differences, e.Differences); diff != "" && len(e.Differences)+len(f.Differences) > 0 {
				t.Fatalf("step %d differs from the expected course (-all compared +changed):\n%s", n, diff)
			}
			for x := range state.Object(len(some.t.trace.Objects.Items)) {
				for slot := range some.Believed().Slots() {
					f := state.Fluent{Obj: x, Slot: slot}
					if a, b := every.Expected().Get(f), some.Expected().Get(f); a != b || every.Believed().Get(f) != some.Believed().Get(f) || every.t.trace.Start.Get(f) != some.t.trace.Start.Get(f) {
						t.Fatalf("step %d: %v should be %v, and is expected to be %v", n, f, a, b)
					}
					if diff := cmp.Diff(every.t.trace.History.Of(f), some.t.trace.History.Of(f)); diff != "" && len(some.t.trace.History.Of(f)) > 0 {
						t.Fatalf("step %d: the history of %v (-all +changed):\n%s", n, f, diff)
					}
				}
			}
		}
	})
}
