package engine_test

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mishap-robotics/mishap/engine"
	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/engine/scene"
	"github.com/mishap-robotics/mishap/ontology"
	"github.com/mishap-robotics/mishap/ontology/document"
	"github.com/mishap-robotics/mishap/rules"
)

const sensors = `@prefix m: <https://mishap-robotics.github.io/ontology#> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
m:force a m:Quantity ; rdfs:label "force" ; m:unit "N" .
m:force_spike a owl:Class ; rdfs:subClassOf m:SensorEvent ; rdfs:label "force spike" ; rdfs:comment "A spike." ; m:measures m:force .
m:door_bell a owl:Class ; rdfs:subClassOf m:SensorEvent ; rdfs:label "door bell" ; rdfs:comment "The bell rings." .
m:HardGripFailure a owl:Class ; rdfs:subClassOf m:EnvironmentalFailure ; rdfs:label "hard grip" ; rdfs:comment "Too hard." ; m:explanation "{1} was gripped too hard." .
`

func sensing(t *testing.T) *engine.Reasoner {
	t.Helper()
	o, problems, err := ontology.Parse(append(ontology.Shipped(), document.Document{Name: "sensors.ttl", Data: []byte(sensors)}))
	if err != nil || len(problems) > 0 {
		t.Fatal(problems, err)
	}
	docs := append(rules.Shipped(), document.Document{Name: "grip.pl", Data: []byte("failure('HardGripFailure', S, S, [O]) :- event(S, force_spike, O, F), F > 30.\n")})
	p, err := rules.Load(docs)
	if err != nil {
		t.Fatal(err)
	}
	r, err := engine.New(o, p)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func gripping(noise float64) (*episode.Episode, []episode.Step) {
	cup := []scene.Node{{ID: "Cup-1", Class: "Cup"}}
	held := scene.Graph{Nodes: cup, Edges: []scene.Edge{{Subject: "Cup-1", Relation: "inside", Object: "RobotGripper-1"}}}
	steps := []episode.Step{{Index: 0, Time: "0", Observation: episode.Observation{Graph: scene.Graph{Nodes: cup}}},
		{Index: 1, Time: "1", Action: episode.Action{Name: "pick_up", Target: "Cup-1"}, Observation: episode.Observation{Graph: held}},
		{Index: 2, Time: "20", Action: episode.Action{Name: "observe"}, Observation: episode.Observation{Graph: held}},
		{Index: 3, Time: "30", Action: episode.Action{Name: "observe"}, Observation: episode.Observation{Graph: held}}}
	return &episode.Episode{ID: "grip", Noise: noise}, steps
}

// A monitor that is told of events between two steps finds what a check of the whole finds,
// at once where nothing is smoothed, whether or not it is saved and restored in between.
func TestSense(t *testing.T) {
	ctx := context.Background()
	r := sensing(t)
	spike := episode.SensorEvent{Kind: "force spike", Object: "Cup-1", Measured: true, Number: 0.041, Unit: "kN", Time: "5"}
	for _, c := range []struct {
		name  string
		noise float64
		opts  engine.Limits
	}{{"plain", 0, engine.Limits{}}, {"window", 0, engine.Limits{Window: engine.MinWindow}}, {"noise", 0.02, engine.Limits{}}} {
		t.Run(c.name, func(t *testing.T) {
			ep, steps := gripping(c.noise)
			m := r.Watch(ep, c.opts, nil)
			if _, err := m.Sense(ctx, spike); !errors.Is(err, engine.ErrNoSteps) {
				t.Errorf("before the first step: %v", err)
			}
			var found []string
			note := func(updates []engine.Update, err error) {
				t.Helper()
				if err != nil {
					t.Fatal(err)
				}
				for _, u := range updates {
					found = append(found, string(u.Kind)+" "+u.Finding.Type)
				}
			}
			again := func() {
				t.Helper()
				var b bytes.Buffer
				if err := m.Snapshot(&b); err != nil {
					t.Fatal(err)
				}
				before := b.Bytes()
				restored, err := r.Restore(bytes.NewReader(before), nil)
				if err != nil {
					t.Fatal(err)
				}
				var after bytes.Buffer
				if err := restored.Snapshot(&after); err != nil || !bytes.Equal(before, after.Bytes()) {
					t.Errorf("a restored monitor has another snapshot: %v", err)
				}
				m = restored
			}
			for _, st := range steps {
				note(m.Step(ctx, st))
				again()
				if st.Index == 0 {
					note(m.Sense(ctx, episode.SensorEvent{Kind: "door_bell"}))
				}
				if st.Index != 1 {
					continue
				}
				note(m.Sense(ctx, spike))
				if at := strings.Join(found, ", "); c.noise == 0 && at != "found HardGripFailure" {
					t.Errorf("after the event: %q", at)
				}
				again()
			}
			for _, goal := range []string{"event(0, door_bell, none)", "event(1, force_spike, 'Cup-1', 41.0)"} {
				if n := 0; c.noise == 0 {
					err := r.Query(ctx, m.Index(), goal, func([]string, []*rules.Term) bool { n++; return true })
					if err != nil || n != 1 {
						t.Errorf("%s: %d answers, %v", goal, n, err)
					}
				}
			}
			res, updates, err := m.Finish(ctx)
			note(updates, err)
			if want := []string{"found HardGripFailure"}; !cmp.Equal(found, want) {
				t.Errorf("updates (-got +want):\n%s", cmp.Diff(found, want))
			}
			if len(res.Findings) != 1 || res.Findings[0].Step != 1 {
				t.Errorf("findings %v", res.Findings)
			}
		})
	}
}

// Events that exceed a limit are refused whole, and the episode goes on.
func TestSenseLimits(t *testing.T) {
	ctx := context.Background()
	r := sensing(t)
	ep, steps := gripping(0)
	m := r.Watch(ep, engine.Limits{Details: 2, Name: 20}, nil)
	if _, err := m.Step(ctx, steps[0]); err != nil {
		t.Fatal(err)
	}
	var e *engine.LimitError
	bell := episode.SensorEvent{Kind: "door_bell"}
	if _, err := m.Sense(ctx, bell, bell, bell); !errors.As(err, &e) || e.Field != "events" || e.Phase != engine.PhaseInput {
		t.Errorf("three events: %v", err)
	}
	if _, err := m.Sense(ctx, bell, episode.SensorEvent{Kind: "door_bell", Object: strings.Repeat("x", 21)}); !errors.As(err, &e) || e.Field != "events" || e.Index != 1 {
		t.Errorf("a long name: %v", err)
	}
	if _, err := m.Sense(ctx, bell, bell); err != nil {
		t.Error(err)
	}
	if _, err := m.Step(ctx, steps[1]); err != nil {
		t.Fatal(err)
	}
	if _, _, err := m.Finish(ctx); err != nil {
		t.Fatal(err)
	}
	if _, err := m.Sense(ctx, bell); !errors.Is(err, engine.ErrFinished) {
		t.Errorf("after the end: %v", err)
	}
}
