package engine_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/mishap-robotics/mishap/engine"
	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/engine/scene"
	"github.com/mishap-robotics/mishap/ontology"
	"github.com/mishap-robotics/mishap/rules"
)

// salad is an episode whose plan slices n vegetables into a bowl, of which the first
// has just fallen on the floor and is dirty.
func salad(b *testing.B, r *engine.Reasoner, n int) *engine.Monitor {
	b.Helper()
	vegetables := []string{"Lettuce", "Tomato", "Cucumber", "Carrot", "Onion", "Potato", "Apple", "Bread"}
	ep := &episode.Episode{ID: "salad", GoalFacts: []episode.Fact{}}
	act := func(name string, args ...string) {
		a := episode.Action{Name: name, Target: args[0]}
		if len(args) > 1 {
			a.Destination = args[1]
		}
		ep.Plan = append(ep.Plan, a)
	}
	seen := episode.Observation{}
	see := func(class, place string, states ...string) {
		seen.Nodes = append(seen.Nodes, scene.Node{ID: class + "-1", Class: class, States: states})
		if place != "" {
			seen.Edges = append(seen.Edges, scene.Edge{Subject: class + "-1", Relation: "on_top_of", Object: place + "-1"})
		}
	}
	see("CounterTop", "")
	see("Sink", "")
	see("Faucet", "", "off")
	see("Bowl", "CounterTop", "clean", "empty")
	see("Knife", "CounterTop", "clean")
	for _, v := range vegetables[:n] {
		see(v, "CounterTop", "clean")
		ep.GoalFacts = append(ep.GoalFacts, episode.Fact{Subject: v + "Sliced", Relation: "inside", Object: "Bowl"})
		act("navigate_to_obj", "Knife")
		act("pick_up", "Knife")
		act("navigate_to_obj", v)
		act("slice_obj", v)
		act("put_on", "Knife", "CounterTop")
		act("pick_up", v+"Sliced")
		act("navigate_to_obj", "Bowl")
		act("put_in", v+"Sliced", "Bowl")
	}
	m := r.Watch(ep, engine.Limits{}, nil)
	for i, st := range []episode.Step{{Observation: seen}, {Index: 1, Action: ep.Plan[0]}, {Index: 2, Action: ep.Plan[1]}} {
		if i == 2 { // it slips
			st.Observation = episode.Observation{Graph: scene.Graph{Nodes: []scene.Node{{ID: "Knife-1", Class: "Knife", States: []string{"dirty"}}, {ID: "Floor-1", Class: "Floor"}},
				Edges: []scene.Edge{{Subject: "Knife-1", Relation: "on_top_of", Object: "Floor-1"}}}}
		}
		if _, err := m.Step(context.Background(), st); err != nil {
			b.Fatal(err)
		}
	}
	return m
}

// How long one recovery takes by the length of the plan.
func BenchmarkRecover(b *testing.B) {
	r, err := engine.New(ontology.Default(), rules.Default())
	if err != nil {
		b.Fatal(err)
	}
	for _, n := range []int{1, 2, 4, 8} {
		m := salad(b, r, n)
		b.Run(fmt.Sprintf("actions=%d", 8*n), func(b *testing.B) {
			for b.Loop() {
				f := m.Findings()
				if p := m.Recover(context.Background(), engine.Planner{}, &f[len(f)-1], nil); !p.Verified {
					b.Fatal("no verified plan", p.Violated, p.Unmet, p.Impossible)
				}
			}
		})
	}
}
