package engine_test

import (
	"context"
	"testing"

	"github.com/mishap-robotics/mishap/engine"
	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/engine/scene"
)

// A host may use its slices again: what was seen before stays what it was, though what is
// seen again is kept once.
func TestStepsKeepWhatTheyShowed(t *testing.T) {
	m := reasoner(t).Watch(&episode.Episode{ID: "own"}, engine.Limits{}, nil)
	nodes := []scene.Node{{ID: "Mug-1", Class: "Mug", States: []string{"clean"}}, {ID: "Sink-1", Class: "Sink"}}
	edges := []scene.Edge{{Subject: "Mug-1", Relation: "inside", Object: "Sink-1"}}
	step := func(index int) {
		t.Helper()
		st := episode.Step{Index: index, Action: episode.Action{Name: "observe"}, Observation: episode.Observation{Graph: scene.Graph{Nodes: nodes, Edges: edges}}}
		if _, err := m.Step(context.Background(), st); err != nil {
			t.Fatal(err)
		}
	}
	step(1)
	step(2)
	nodes[0].States[0], edges[0].Object = "dirty", "Fridge-1"
	step(3)
	nodes[0].ID = "Mug-2"
	steps := m.Trace().Episode.Steps
	for i, want := range []struct{ state, at string }{{"clean", "Sink-1"}, {"clean", "Sink-1"}, {"dirty", "Fridge-1"}} {
		o := steps[i].Observation
		if o.Nodes[0].ID != "Mug-1" || o.Nodes[0].States[0] != want.state || o.Edges[0].Object != want.at {
			t.Errorf("step %d showed %v, %v; want %s in %s", i+1, o.Nodes, o.Edges, want.state, want.at)
		}
	}
	if &steps[0].Observation.Nodes[0] != &steps[1].Observation.Nodes[0] {
		t.Error("what is seen twice is kept twice")
	}
}
