package engine_test

import (
	"bytes"
	"context"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mishap-robotics/mishap/engine"
	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/engine/internal/episodetest"
)

// interleaved is an episode of two robots whose actions overlap: one that opens a fridge
// while the other carries a mug, and drops it.
const interleaved = `
	0 | Mug-1 on_top_of CounterTop-1, Apple-1 on_top_of CounterTop-1, Fridge-1 closed
	1 Robot-2 (pick_up, Mug-1) | Mug-1 inside RobotGripper-2 | id b1 succeeded
	2 Robot-2 (navigate_to_obj, Sink-1) | Mug-1 inside RobotGripper-2 | id b2 in_progress
	3 (open_obj, Fridge-1) | Fridge-1 closed | id a1 in_progress
	4 Robot-2 (navigate_to_obj, Sink-1) | Mug-1 on_top_of Floor-1, Mug-1 broken | id b2 in_progress | ImpactSound
	5 (open_obj, Fridge-1) | Fridge-1 open | id a1 succeeded
	6 Robot-2 (navigate_to_obj, Sink-1) | Sink-1 | id b2 succeeded
	7 (open_obj, Fridge-1) | Fridge-1 open | id a3 in_progress
	8 (close_obj, Fridge-1) | Fridge-1 closed | id a4 failed E42`

// Actions that overlap are judged when they are over, whole or step by step, and by a
// monitor that is saved and restored amid them.
func TestOverlappingActions(t *testing.T) {
	r := reasoner(t)
	ep := episodetest.Parse(t, r.Ontology, interleaved)
	res, err := r.Check(context.Background(), ep)
	if err != nil {
		t.Fatal(err)
	}
	type judged struct {
		Step, First int32
		Final       bool
		Agent       string
	}
	var got []judged
	for i := range res.Trace.Events {
		e := &res.Trace.Events[i]
		got = append(got, judged{e.Step, e.First, e.Final, res.Trace.Objects.Name(e.Call.Agent)})
	}
	want := []judged{{1, 1, true, "Robot-2"}, {2, 2, false, "Robot-2"}, {3, 3, false, "Robot-1"}, {4, 2, false, "Robot-2"},
		{5, 3, true, "Robot-1"}, {6, 2, true, "Robot-2"}, {7, 7, false, "Robot-1"}, {8, 8, true, "Robot-1"}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("events (-want +got):\n%s", diff)
	}
	found := explanations(res)
	if diff := cmp.Diff([]string{"4The robot dropped Mug-1 during (navigate_to_obj, Sink-1), and it broke."}, found); diff != "" {
		t.Errorf("findings (-want +got):\n%s", diff)
	}
	steps := ep.Steps
	for _, window := range []int{0, engine.MinWindow} {
		watch := func() *engine.Monitor {
			return r.Watch(&episode.Episode{ID: "test", GripperObserved: true}, engine.Limits{Window: window}, nil)
		}
		whole := watch()
		told := feed(t, whole, steps)
		m := watch()
		var again []string
		for _, st := range steps {
			again = append(again, feed(t, m, []episode.Step{st})...)
			if m, err = r.Restore(bytes.NewReader(save(t, m)), nil); err != nil {
				t.Fatal(err)
			}
		}
		if diff := cmp.Diff(told, again); diff != "" || len(told) == 0 {
			t.Errorf("window %d (-uninterrupted +restored):\n%s", window, diff)
		}
		end, _, err := m.Finish(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(found, explanations(end)); diff != "" {
			t.Errorf("window %d (-whole +line by line):\n%s", window, diff)
		}
	}
}

// What is never over is let go of, and takes no more time the more of it there is.
func TestActionsThatNeverEnd(t *testing.T) {
	r := reasoner(t)
	m := r.Watch(&episode.Episode{ID: "test"}, engine.Limits{Window: engine.MinWindow}, nil)
	for i := 1; i <= 600; i++ {
		st := episode.Step{Index: i, Action: episode.Action{Name: "observe"}, ID: fmt.Sprint(i), Status: episode.StatusInProgress}
		if _, err := m.Step(context.Background(), st); err != nil {
			t.Fatal(err)
		}
	}
	if n := len(m.Trace().Events[len(m.Trace().Events)-1].Meanwhile); n == 0 || n > 256 {
		t.Errorf("%d actions are in progress; expected some, and not all", n)
	}
}
