package scene_test

import (
	"testing"

	"github.com/mishap-robotics/mishap/engine/scene"
)

func TestAlike(t *testing.T) {
	at := func(label string) scene.Edge {
		return scene.Edge{Subject: "a", Relation: "at", Object: "b", Place: true, Label: label}
	}
	for _, tt := range []struct {
		a, b scene.Edge
		want bool
	}{
		{at(""), at(""), true},
		{at("in"), at("in"), true},
		{at("in"), at("on"), false},
		{at("in"), at(""), true}, // nobody knows which
		{at("in"), at("at"), true},
		{scene.Edge{Subject: "a", Relation: "near", Object: "b"}, scene.Edge{Subject: "a", Relation: "behind", Object: "b"}, false},
		{at("in"), scene.Edge{Subject: "b", Relation: "at", Object: "a", Label: "in"}, false},
	} {
		if tt.a.Alike(tt.b) != tt.want || tt.b.Alike(tt.a) != tt.want {
			t.Errorf("%+v and %+v: want %v", tt.a, tt.b, tt.want)
		}
	}
}

// A functional edge is expected of an object in the states that it is in; that it is not is
// no difference beside that of the states.
func TestFunctional(t *testing.T) {
	graph := func(functional bool, states ...string) *scene.Graph {
		return &scene.Graph{Nodes: []scene.Node{{ID: "act", Class: "act"}, {ID: "a", Class: "thing", States: states}},
			Edges: []scene.Edge{{Subject: "act", Relation: "target", Object: "a", Functional: functional}}}
	}
	same := map[string]string{"act": "act", "a": "a"}
	for _, tt := range []struct {
		name               string
		observed, expected *scene.Graph
		want               bool
	}{
		{"the same states", graph(true, "clean"), graph(true, "clean"), true},
		{"other states", graph(true, "dirty"), graph(true, "clean"), false},
		{"other states of an edge that is not functional", graph(false, "dirty"), graph(false, "clean"), true},
	} {
		m := scene.NewMatching(tt.observed, tt.expected, same)
		if m.IsExpected(tt.observed.Edges[0]) != tt.want || m.IsObserved(tt.expected.Edges[0]) != tt.want {
			t.Errorf("%s: want %v", tt.name, tt.want)
		}
		for _, d := range m.Differences() {
			if d.Kind != scene.StateChanged {
				t.Errorf("%s: %s", tt.name, d)
			}
		}
	}
}
