package engine_test

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mishap-robotics/mishap/engine"
	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/engine/scene"
)

// cancelled is a context that is over once it was asked so many times, and whose channel says
// so from the start: what waits for it ends before anything that takes long.
type cancelled struct {
	context.Context
	left *atomic.Int32
	done chan struct{}
}

func cancelledAfter(asks int32) cancelled {
	c := cancelled{context.Background(), new(atomic.Int32), make(chan struct{})}
	c.left.Store(asks)
	close(c.done)
	return c
}

func (c cancelled) Done() <-chan struct{} { return c.done }

func (c cancelled) Err() error {
	if c.left.Add(-1) < 0 {
		return context.Canceled
	}
	return nil
}

// crowded is a step that shows things in great number, others at each of some steps.
func crowded(n int) episode.Step {
	st := clumsy(n)
	for i := range 1_100 {
		id := fmt.Sprintf("Cup-%d", n/4*1_100+i+1)
		st.Observation.Nodes = append(st.Observation.Nodes, scene.Node{ID: id, Class: "Cup"})
		st.Observation.Edges = append(st.Observation.Edges, scene.Edge{Subject: id, Relation: "on_top_of", Object: "CounterTop-1"})
	}
	return st
}

// A large step, of which the context ends while it is taken in, is taken in aside. Whoever
// asks next waits for it, and in the end all is as if nothing had ended early.
func TestLargeStepsAreTakenInAside(t *testing.T) {
	r := reasoner(t)
	plan := []episode.Action{{Name: "pick_up", Target: "Apple-1"}, {Name: "put_on", Target: "Apple-1", Destination: "Sink-1"}}
	for name, limits := range map[string]engine.Limits{"whole": {}, "windowed": {Window: engine.MinWindow}} {
		if testing.Short() && name == "whole" {
			continue
		}
		run := func(interrupted bool) (told []string, cut int) {
			m := r.Watch(&episode.Episode{ID: "crowded", Plan: plan, GoalFacts: []episode.Fact{{Subject: "Apple-1", Relation: "on_top_of", Object: "Sink-1"}}}, limits, nil)
			note := func(updates []engine.Update, err error) {
				t.Helper()
				var e *engine.LimitError
				if err != nil && (!errors.As(err, &e) || !errors.Is(err, context.Canceled)) {
					t.Fatal(err)
				}
				for _, u := range updates {
					told = append(told, fmt.Sprint(u.Kind, u.Finding.Explanation))
				}
			}
			for n := range 9 {
				ctx := context.Context(context.Background())
				if interrupted && n%3 == 1 {
					ctx = cancelledAfter(1)
				}
				updates, err := m.Step(ctx, crowded(n))
				note(updates, err)
				var e *engine.LimitError
				if errors.As(err, &e) && e.Phase == engine.PhaseBelief { // it was not taken in, as the call before still went on
					note(m.Step(context.Background(), crowded(n)))
				} else if err != nil {
					cut++
				}
				switch n {
				case 1:
					m.Size()
				case 4: // it is not taken in, whether or not the one before still is
					if _, err := m.Step(cancelledAfter(0), crowded(n+1)); interrupted && !errors.Is(err, context.Canceled) {
						t.Fatal(err)
					}
				case 7:
					m.Findings()
				}
				if interrupted {
					for what, call := range map[string]func(ctx context.Context) error{
						"foresee":   func(ctx context.Context) error { _, err := m.Foresee(ctx); return err },
						"recover":   func(ctx context.Context) error { return m.Recover(ctx, engine.Planner{}, nil, nil).Err },
						"situation": func(ctx context.Context) error { _, err := m.Situation(ctx, nil, nil); return err },
						"score":     func(ctx context.Context) error { _, err := m.Discrepancy(ctx, engine.Scoring{}); return err },
					} {
						if err := call(cancelledAfter(0)); !errors.Is(err, context.Canceled) {
							t.Errorf("%s, step %d: %s that was cancelled: %v", name, n, what, err)
						}
					}
				}
			}
			res, updates, err := m.Finish(context.Background())
			if note(updates, err); err != nil {
				t.Fatal(err)
			}
			return append(told, findingTexts(res.Findings)...), cut
		}
		want, _ := run(false)
		got, cut := run(true)
		if diff := cmp.Diff(want, got); diff != "" || len(want) == 0 || cut == 0 {
			t.Errorf("%s: %d steps were cut short (-uninterrupted +interrupted):\n%s", name, cut, diff)
		}
	}
}
