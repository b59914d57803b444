package engine_test

import (
	"bytes"
	"context"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/mishap-robotics/mishap/engine"
	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/engine/scene"
	"github.com/mishap-robotics/mishap/ontology"
	"github.com/mishap-robotics/mishap/ontology/document"
	"github.com/mishap-robotics/mishap/rules"
)

const kettle = `
@prefix m: <https://mishap-robotics.github.io/ontology#> .
@prefix rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#> .
m:boilsDry a m:Process ; m:after "PT5M" ; m:when ( ( "?k" rdf:type m:Kettle ) ( "?k" m:state m:on ) ) ;
    m:then ( ( "?k" m:state m:broken ) ) .
`

const overdue = `failure('DirtyObjFailure', S, S, [O]) :- since(S, O, on, T0), until(S, T), T - T0 >= 120, isa(O, 'Kettle').
failure('DroppingAndBreakingObjFailure', S, S, [O]) :- state(S, O, broken), isa(O, 'Kettle').
`

// A deadline is found when the clock passes it, not when the next step comes, and what takes
// its time comes to its end; with the steps alone a check finds the same.
func TestTick(t *testing.T) {
	o, problems, err := ontology.Parse(append(ontology.Shipped(), document.Document{Name: "kettle.ttl", Data: []byte(kettle)}))
	if err != nil || len(problems) > 0 {
		t.Fatal(problems, err)
	}
	program, err := rules.Load([]document.Document{{Name: "overdue.pl", Data: []byte(overdue)}})
	if err != nil {
		t.Fatal(err)
	}
	r, err := engine.New(o, program)
	if err != nil {
		t.Fatal(err)
	}
	m := r.Watch(&episode.Episode{ID: "kettle"}, engine.Limits{}, nil)
	see := episode.Observation{Graph: scene.Graph{Nodes: []scene.Node{{ID: "Kettle-1", Class: "Kettle", States: []string{"on"}}}}}
	step := func(index int, at string) []engine.Update {
		t.Helper()
		updates, err := m.Step(context.Background(), episode.Step{Index: index, Time: at, Action: episode.Action{Name: "observe"}, Observation: see})
		if err != nil {
			t.Fatal(err)
		}
		return updates
	}
	tick := func(at string, want ...string) {
		t.Helper()
		updates, err := m.Tick(context.Background(), at)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, u := range updates {
			if u.Kind == engine.Found {
				got = append(got, u.Finding.Type)
			}
		}
		if len(got) != len(want) || len(got) > 0 && got[0] != want[0] {
			t.Errorf("at %s: found %q, want %q", at, got, want)
		}
	}
	tick("09:59")
	if updates := step(1, "10:00"); len(updates) != 0 {
		t.Errorf("found at once: %v", updates)
	}
	tick("11:30")
	tick("12:00", "DirtyObjFailure")
	tick("12:30")
	tick("15:10", "DroppingAndBreakingObjFailure")
	var wrong *engine.TimeError
	if _, err := m.Tick(context.Background(), "noon"); !errors.As(err, &wrong) || wrong.Time != "noon" {
		t.Errorf("noon: %v", err)
	}
	res, _, err := m.Finish(context.Background())
	if err != nil || len(res.Findings) != 2 {
		t.Errorf("at the end: %v, %v", res, err)
	}
	if _, err := m.Tick(context.Background(), "16:00"); !errors.Is(err, engine.ErrFinished) {
		t.Errorf("after the end: %v", err)
	}
}

// The deadline of a goal is found when the clock passes it, also by a monitor that was saved
// before, and only where the goal was not reached by then.
func TestTickPassesTheDeadlineOfTheGoal(t *testing.T) {
	r := reasoner(t)
	for _, test := range []struct {
		place string
		want  int
	}{{"RobotGripper-1", 1}, {"Sink-1", 0}} {
		m := r.Watch(&episode.Episode{ID: "late", Goal: "the mug is in the sink within 5 minutes"}, engine.Limits{}, nil)
		see := episode.Observation{Graph: scene.Graph{Nodes: []scene.Node{{ID: "Mug-1", Class: "Mug"}, {ID: "Sink-1", Class: "Sink"}},
			Edges: []scene.Edge{{Subject: "Mug-1", Relation: "inside", Object: test.place}}}}
		for i, at := range []string{"00:00", "01:00"} {
			feed(t, m, []episode.Step{{Index: i, Time: at, Action: episode.Action{Name: []string{"", "observe"}[i]}, Observation: see}})
		}
		var found []string
		for _, at := range []string{"04:00", "05:00", "05:01", "09:00"} {
			updates, err := m.Tick(context.Background(), at)
			if err != nil {
				t.Fatal(err)
			}
			for _, u := range updates {
				found = append(found, at+" "+u.Finding.Type)
			}
			if m, err = r.Restore(bytes.NewReader(save(t, m)), nil); err != nil {
				t.Fatal(err)
			}
		}
		want := []string{"05:01 MissedDeadlineFailure"}[:test.want]
		if diff := cmp.Diff(want, found, cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.place, diff)
		}
	}
}
