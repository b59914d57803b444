package engine_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
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

// What the events of a monitor showed within its window, or ever, is the same whether it was packed
// meanwhile or not, and so is what was believed at each of its lines.
func TestEventsHoldWhatTheyShowed(t *testing.T) {
	r := reasoner(t)
	for i, c := range []struct {
		view
		window, unpacked int
	}{
		{loose(3), engine.MinWindow, engine.MinWindow / 2}, {glances(12), engine.MinWindow, engine.MinWindow / 2}, {renamed(20), 0, 260},
		{renamed(20), engine.MinWindow, engine.MinWindow / 2}, {glances(12), 0, 260},
	} {
		if i >= 3 && os.Getenv("MISHAP_LONG") == "" {
			break
		}
		v := c.view
		ep := func() *episode.Episode { return &episode.Episode{ID: "shown", GripperObserved: true} }
		limits := engine.Limits{Window: c.window}
		packed, whole := r.Watch(ep(), limits, nil), r.Watch(ep(), limits, &recorder{})
		same := func(step int, of, with *engine.Trace, asked bool) {
			t.Helper()
			from := int32(1)
			if c.window > 0 {
				from = int32(step - c.window)
			}
			for s := max(from, 1); s <= int32(step); s += 7 {
				if diff := cmp.Diff(with.StateAt(s).Edges(), of.StateAt(s).Edges(), cmpopts.EquateEmpty()); diff != "" {
					t.Fatalf("%s, step %d: edges believed at %d (-whole +packed):\n%s", v.name, step, s, diff)
				}
			}
			within := func(events []engine.Event) (out []string) {
				for i := range events {
					if e := &events[i]; e.Step >= from {
						out = append(out, fmt.Sprint(e.Step, e.First, e.Final, e.Outcome, e.Sounds, e.Seen, e.States, e.Values, e.Edges, e.Differences, e.Unmet, e.Mistaken, e.Meanwhile))
					}
				}
				return out
			}
			if !asked {
				return
			}
			if diff := cmp.Diff(within(with.Events), within(of.Events)); diff != "" {
				t.Fatalf("%s, step %d (-whole +packed):\n%s", v.name, step, diff)
			}
		}
		for st := range v.steps() {
			if st.Index > 260 {
				break
			}
			switch st.Index % 50 {
			case 10: // it drops what it carries, and a while later an action goes on that began before
				st.Observation.Edges = slices.Concat(st.Observation.Edges[:len(st.Observation.Edges)-1], []scene.Edge{{Subject: "Apple-1", Relation: "on_top_of", Object: "Floor-1"}})
				st.Sounds = []string{"drop"}
			case 12:
				st.Action, st.ID, st.Status = episode.Action{Name: "observe"}, fmt.Sprint("long-", st.Index), episode.StatusInProgress
			case 48:
				st.Action, st.ID, st.Status = episode.Action{Name: "observe"}, fmt.Sprint("long-", st.Index-36), episode.StatusInProgress
			}
			if len(st.Observation.Nodes) > 0 {
				st.Observation.Nodes[0].Values = scene.Readings{{Quantity: "weight", Number: float64(1 + st.Index%3)}}
			}
			for _, m := range []*engine.Monitor{packed, whole} {
				if _, err := m.Step(context.Background(), st); err != nil {
					t.Fatal(err)
				}
			}
			if st.Index%40 == 39 {
				same(st.Index, packed.Index().Trace, whole.Index().Trace, false)
			}
			if st.Index%90 == 45 {
				same(st.Index, packed.Trace(), whole.Trace(), true)
			}
			if st.Index%120 == 119 {
				saved, also := save(t, packed), save(t, whole)
				if !bytes.Equal(saved, also) {
					t.Errorf("%s, step %d: snapshots of %d and %d bytes differ", v.name, st.Index, len(saved), len(also))
				}
				var err error
				if packed, err = r.Restore(bytes.NewReader(saved), nil); err != nil {
					t.Fatal(err)
				}
				same(st.Index, packed.Trace(), whole.Trace(), true)
			}
		}
		if n := len(packed.Index().Trace.Events); n > c.unpacked {
			t.Errorf("%s: %d events are not packed", v.name, n)
		}
	}
}

// A monitor without a window packs what events showed, too, but not where somebody asks for it
// at each step.
func TestEventsArePackedWithoutAWindow(t *testing.T) {
	r := reasoner(t)
	asked, unasked := r.Watch(&episode.Episode{ID: "asked"}, engine.Limits{}, nil), r.Watch(&episode.Episode{ID: "unasked"}, engine.Limits{}, nil)
	const steps = 100
	watchView(t, unasked, glances(12), steps)
	for st := range glances(12).steps() {
		if st.Index > steps {
			break
		}
		if _, err := asked.Step(context.Background(), st); err != nil {
			t.Fatal(err)
		}
		if n := len(asked.Trace().Events); n != st.Index {
			t.Fatalf("of %d events %d are there", st.Index, n)
		}
	}
	if n, m := len(unasked.Index().Trace.Events), len(asked.Index().Trace.Events); n > steps/4 || m < steps {
		t.Errorf("%d events are not packed where nobody asked for them, %d where somebody did", n, m)
	}
}
