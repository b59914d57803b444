package engine_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/mishap-robotics/mishap/engine"
	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/engine/scene"
)

// glances has n things, of which a robot that turns its head sees a third, others at each
// step and not always alike.
func glances(n int) view {
	return view{fmt.Sprint("glances/", n), func(step int) ([]scene.Node, []scene.Edge) {
		rnd := rand.New(rand.NewPCG(uint64(step), 7))
		var nodes []scene.Node
		var edges []scene.Edge
		for _, i := range rnd.Perm(n)[:n/3] {
			node := scene.Node{ID: fmt.Sprintf("Mug-%d", i+1), Class: "Mug"}
			if rnd.IntN(2) == 0 {
				node.States = []string{"clean"}
			}
			nodes = append(nodes, node)
			edges = append(edges, scene.Edge{Subject: node.ID, Relation: "on_top_of", Object: "CounterTop-1"})
			if rnd.IntN(2) == 0 {
				edges = append(edges, scene.Edge{Subject: node.ID, Relation: "left_of", Object: "Apple-1", Label: fmt.Sprint(step)})
			}
		}
		return nodes, edges
	}}
}

// Whenever a host asks, the lines that a monitor remembers hold what they showed, and no
// others, also in what is restored and at the end.
func TestLinesHoldWhatTheyShowed(t *testing.T) {
	r := reasoner(t)
	const window, last = engine.MinWindow, 300
	for name, limits := range map[string]engine.Limits{"whole": {}, "windowed": {Window: window}} {
		for _, v := range []view{loose(3), glances(12)} {
			m := r.Watch(&episode.Episode{ID: "shown"}, limits, nil)
			var given []episode.Step
			check := func(when string, steps []episode.Step) {
				t.Helper()
				from := 0
				if limits.Window > 0 {
					from = max(0, len(given)-1-window)
				}
				for _, st := range steps {
					want := scene.Graph{}
					if st.Index >= from {
						want = given[st.Index].Observation.Graph
					}
					if diff := cmp.Diff(want, st.Observation.Graph, cmpopts.EquateEmpty()); diff != "" {
						t.Fatalf("%s, %s, %s, line %d of %d (-given +held):\n%s", name, v.name, when, st.Index, len(given)-1, diff)
					}
				}
				if n := len(steps); n == 0 || steps[n-1].Index != len(given)-1 || n < len(given)-from {
					t.Fatalf("%s, %s, %s: %d lines are held of %d", name, v.name, when, n, len(given))
				}
			}
			for st := range v.steps() {
				if st.Index > last {
					break
				}
				if _, err := m.Step(context.Background(), st); err != nil {
					t.Fatal(err)
				}
				given = append(given, st)
				switch n := st.Index; {
				case n == 20 || n == 21 || n == 150:
					check("asked", m.Trace().Episode.Steps)
				case n == 60 || n == 200:
					saved := save(t, m)
					var err error
					if m, err = r.Restore(bytes.NewReader(saved), nil); err != nil {
						t.Fatal(err)
					}
					if n == 60 {
						check("restored", m.Trace().Episode.Steps)
					}
				}
			}
			again := save(t, m)
			for asks := int32(2); asks < 40; asks += 3 { // it ends while lines are unpacked, or later
				if _, _, err := m.Finish(cancelledAfter(asks)); !errors.Is(err, context.Canceled) {
					t.Fatalf("%s, %s: finished although its context was over when asked the %dth time: %v", name, v.name, asks+1, err)
				}
			}
			res, _, err := m.Finish(context.Background())
			if err != nil {
				t.Fatal(err)
			}
			check("finished", res.Episode.Steps)
			other, err := r.Restore(bytes.NewReader(again), nil)
			if err != nil {
				t.Fatal(err)
			}
			check("saved at the end", other.Trace().Episode.Steps)
		}
	}
}
