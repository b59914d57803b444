package engine_test

import (
	"context"
	"errors"
	"testing"

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
