package engine_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/mishap-robotics/mishap/engine"
	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/engine/scene"
)

// clumsy is a step of a robot that lets go of what it picks up, over and over, in a log
// with a word that nobody knows.
func clumsy(n int) episode.Step {
	apple := fmt.Sprint("Apple-", n/2%7+1)
	st := episode.Step{Index: n + 1, Line: n + 2, Action: episode.Action{Name: "navigate_to_obj", Target: "Sink-1"}, Sounds: []string{fmt.Sprint("hum ", n)}}
	st.Observation.Nodes = []scene.Node{{ID: "Sink-1"}, {ID: "CounterTop-1"}}
	if n%2 == 0 {
		st.Action = episode.Action{Name: "pick_up", Target: apple}
		st.Observation.Edges = []scene.Edge{{Subject: apple, Relation: "inside", Object: "RobotGripper-1"}}
	}
	return st
}

// With a window, findings and warnings are forgotten with it; one that is remembered is
// proved, one that is not says so.
func TestForget(t *testing.T) {
	r := reasoner(t)
	m := r.Watch(&episode.Episode{ID: "clumsy", Warnings: []episode.Warning{{Line: 1, Msg: "of the header"}}}, engine.Limits{Window: engine.MinWindow}, nil)
	var first *engine.Finding
	told, most := 0, engine.MonitorSize{}
	for n := range 1200 {
		updates, err := m.Step(context.Background(), clumsy(n))
		if err != nil {
			t.Fatal(err)
		}
		for i := range updates {
			if updates[i].Kind != engine.Found {
				t.Fatalf("step %d: %s %s", n+1, updates[i].Kind, updates[i].Finding.Explanation)
			}
			told++
			if first == nil {
				first = &updates[i].Finding
			}
		}
		if n%40 > 0 && n != 800 {
			continue
		}
		if size := m.Size(); n == 800 {
			most = size
		} else if n > 800 && (size.Findings > most.Findings+1 || size.Warnings > most.Warnings+1 || size.Objects > most.Objects) {
			t.Fatalf("after %d steps it holds %+v, after 801 %+v", n+1, size, most)
		}
	}
	if w := m.Trace().Episode.Warnings; len(w) == 0 || w[0].Msg != "of the header" || len(w) > 600 {
		t.Errorf("%d warnings, the first %v", len(w), w[:1])
	}
	found := m.Findings()
	if p, err := m.Prove(context.Background(), &found[len(found)-1]); p == nil || err != nil {
		t.Errorf("a finding that is remembered has the proof %v, error %v", p, err)
	}
	if p, err := m.Prove(context.Background(), first); p != nil || !errors.Is(err, engine.ErrForgotten) {
		t.Errorf("one that is forgotten has the proof %v, error %v", p, err)
	}
	res, _, err := m.Finish(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	if got := res.Forgotten + len(res.Findings); got != told || res.Forgotten == 0 {
		t.Errorf("%d findings forgotten, %d remembered; %d were told", res.Forgotten, len(res.Findings), told)
	}
	if _, err := (*engine.Monitor)(nil).Prove(context.Background(), first); err == nil {
		t.Error("no monitor proves a finding")
	}
}
