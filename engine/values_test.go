package engine_test

import (
	"context"
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/mishap-robotics/mishap/engine"
	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/engine/scene"
	"github.com/mishap-robotics/mishap/ontology"
	"github.com/mishap-robotics/mishap/ontology/document"
	"github.com/mishap-robotics/mishap/rules"
)

// What a host gives as a value may be anything: too many are refused, and what is no number
// is told and not used.
func TestValuesOfAHost(t *testing.T) {
	o, problems, err := ontology.Parse(append(ontology.Shipped(), document.Document{Name: "w.ttl", Data: []byte(
		`@prefix m: <https://mishap-robotics.github.io/ontology#> .
m:weight a m:Quantity ; m:unit "g" ; m:minimum 0 .`)}))
	if err != nil || len(problems) > 0 {
		t.Fatal(problems, err)
	}
	r, err := engine.New(o, rules.Default())
	if err != nil {
		t.Fatal(err)
	}
	ep := &episode.Episode{ID: "weights"}
	m := r.Watch(ep, engine.Limits{Details: 2}, nil)
	weigh := func(index int, readings ...scene.Reading) error {
		_, err := m.Step(context.Background(), episode.Step{Index: index, Action: episode.Action{Name: "observe"},
			Observation: episode.Observation{Graph: scene.Graph{Nodes: []scene.Node{{ID: "Mug-1", Class: "Mug", Values: readings}}}}})
		return err
	}
	w := scene.Reading{Quantity: "weight", Number: 1}
	if err := weigh(1, w, w, w); !errors.Is(err, engine.ErrLimit) || !strings.Contains(err.Error(), "values") {
		t.Errorf("three values: %v", err)
	}
	for i, number := range []float64{math.NaN(), math.Inf(1), -5} {
		if err := weigh(i+2, scene.Reading{Quantity: "weight", Number: number}); err != nil {
			t.Error(err)
		}
	}
	var told []string
	for _, w := range m.Trace().Episode.Warnings {
		told = append(told, w.Msg)
	}
	all := strings.Join(told, "\n")
	for _, want := range []string{"Mug-1 has a weight that is no number (NaN); expected a number", "beyond 2.3 million million", "Mug-1 has a weight of -5 g; expected one from 0 g"} {
		if !strings.Contains(all, want) {
			t.Errorf("not told: %s\nin\n%s", want, all)
		}
	}
}
