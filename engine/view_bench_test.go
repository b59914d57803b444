package engine_test

import (
	"context"
	"fmt"
	"iter"
	"slices"
	"testing"
	"time"

	"github.com/mishap-robotics/mishap/engine"
	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/engine/scene"
)

var start = time.Now()

// clock is the time that steps are measured by.
var clock = func() time.Duration { return time.Since(start) }

// A view is what a robot sees after each of its actions: it carries an apple to and fro
// between two tables among things that stay where they are.
type view struct {
	name  string
	scene func(step int) ([]scene.Node, []scene.Edge)
}

// loose has n things side by side on a table.
func loose(n int) view {
	var nodes []scene.Node
	var edges []scene.Edge
	for i := range n {
		id := fmt.Sprintf("Mug-%d", i+1)
		nodes = append(nodes, scene.Node{ID: id, Class: "Mug"})
		edges = append(edges, scene.Edge{Subject: id, Relation: "on_top_of", Object: "CounterTop-1"})
	}
	return view{fmt.Sprint("loose/", n), func(int) ([]scene.Node, []scene.Edge) { return nodes, edges }}
}

// nested has n boxes, each in the next.
func nested(n int) view {
	var nodes []scene.Node
	var edges []scene.Edge
	for i := range n {
		id := fmt.Sprintf("Box-%d", i+1)
		nodes = append(nodes, scene.Node{ID: id, Class: "Box"})
		if i > 0 {
			edges = append(edges, scene.Edge{Subject: fmt.Sprintf("Box-%d", i), Relation: "inside", Object: id})
		}
	}
	return view{fmt.Sprint("nested/", n), func(int) ([]scene.Node, []scene.Edge) { return nodes, edges }}
}

// renamed has n things that bear other names at each step, as those of a tracker that
// loses them.
func renamed(n int) view {
	return view{fmt.Sprint("renamed/", n), func(step int) ([]scene.Node, []scene.Edge) {
		var nodes []scene.Node
		var edges []scene.Edge
		for i := range n {
			id := fmt.Sprintf("Mug-%d", step*n+i+1)
			nodes = append(nodes, scene.Node{ID: id, Class: "Mug"})
			edges = append(edges, scene.Edge{Subject: id, Relation: "on_top_of", Object: "CounterTop-1"})
		}
		return nodes, edges
	}}
}

func (v view) steps() iter.Seq[episode.Step] {
	tops := []string{"DiningTable-1", "Desk-1"}
	return func(yield func(episode.Step) bool) {
		place, relation := tops[0], "on_top_of"
		for n := 0; ; n++ {
			st := episode.Step{Index: n}
			to := tops[(n/4+1)%2]
			switch n % 4 {
			case 1:
				st.Action = episode.Action{Name: "navigate_to_obj", Target: "Apple-1"}
			case 2:
				st.Action = episode.Action{Name: "pick_up", Target: "Apple-1"}
				place, relation = "RobotGripper-1", "inside"
			case 3:
				st.Action = episode.Action{Name: "navigate_to_obj", Target: to}
			case 0:
				if n > 0 {
					to = tops[((n-1)/4+1)%2]
					st.Action = episode.Action{Name: "put_on", Target: "Apple-1", Destination: to}
					place, relation = to, "on_top_of"
				}
			}
			nodes, edges := v.scene(n)
			st.Observation.Nodes = append(slices.Clone(nodes), scene.Node{ID: "Apple-1", Class: "Apple"})
			for _, top := range append(tops, "CounterTop-1") {
				st.Observation.Nodes = append(st.Observation.Nodes, scene.Node{ID: top})
			}
			st.Observation.Edges = append(slices.Clone(edges), scene.Edge{Subject: "Apple-1", Relation: relation, Object: place})
			if !yield(st) {
				return
			}
		}
	}
}

// BenchmarkView reports the time of a step at the median and the 99th percentile, and of
// the last tenth of the steps at the median, by what is in view.
func BenchmarkView(b *testing.B) {
	r := reasoner(b)
	for _, c := range []struct {
		view  view
		steps int
	}{
		{loose(20), 1000}, {loose(300), 300}, {loose(1000), 200}, {nested(20), 1000}, {nested(300), 300}, {nested(1000), 200}, {renamed(20), 1000}, {renamed(20), 10000},
	} {
		b.Run(fmt.Sprint(c.view.name, "/", c.steps), func(b *testing.B) {
			b.ReportAllocs()
			var times, late []time.Duration
			for b.Loop() {
				m := r.Watch(&episode.Episode{ID: "view"}, engine.Limits{Window: 500}, nil)
				for st := range c.view.steps() {
					if st.Index > c.steps {
						break
					}
					began := clock()
					updates, err := m.Step(context.Background(), st)
					if err != nil || len(updates) > 0 {
						b.Fatal(st.Index, updates, err)
					}
					times = append(times, clock()-began)
					if st.Index > c.steps-c.steps/10 {
						late = append(late, clock()-began)
					}
				}
			}
			slices.Sort(times)
			slices.Sort(late)
			b.ReportMetric(float64(times[len(times)/2].Microseconds()), "p50-µs/step")
			b.ReportMetric(float64(times[len(times)*99/100].Microseconds()), "p99-µs/step")
			b.ReportMetric(float64(times[len(times)-1].Microseconds()), "max-µs/step")
			b.ReportMetric(float64(late[len(late)/2].Microseconds()), "late-µs/step")
		})
	}
}
