package shacl_test

import (
	"context"
	"path/filepath"
	"strings"
	"testing"

	"github.com/cayleygraph/quad"

	"github.com/mishap-robotics/mishap/bridge/logs"
	"github.com/mishap-robotics/mishap/bridge/shacl"
	"github.com/mishap-robotics/mishap/engine"
	"github.com/mishap-robotics/mishap/engine/record"
	"github.com/mishap-robotics/mishap/ontology"
	"github.com/mishap-robotics/mishap/ontology/recorded"
	"github.com/mishap-robotics/mishap/rules"
)

// What is recorded conforms, and does no longer where a quad is taken out or another value
// is put in.
func TestValidate(t *testing.T) {
	shapes, err := shacl.Parse(recorded.Shapes())
	if err != nil {
		t.Fatal(err)
	}
	r, err := engine.New(ontology.Default(), rules.Default())
	if err != nil {
		t.Fatal(err)
	}
	ep, err := logs.ReadOne(r.Ontology, filepath.Join("..", "..", "testdata", "episodes", "two-failures.jsonl"), "")
	if err != nil {
		t.Fatal(err)
	}
	res, err := r.Check(context.Background(), ep)
	if err != nil {
		t.Fatal(err)
	}
	all := append(record.Episode(r.Ontology, ep, res.Trace, record.Changes), record.Concluded(r.Ontology, record.Conclusions{Result: res})...)
	if got := shapes.Validate(all); len(got) > 0 {
		t.Fatalf("%v", got)
	}
	for _, c := range []struct{ of, property, want string }{
		{"/step/3/action", "step", "MinCount"},
		{"/step/3/action", "action", "MinCount"},
		{"/step/3/observation", "episode", "MinCount"},
		{"/finding/1", "causeStep", "MinCount"},
		{"/finding/1", "index", "MinCount"},
	} {
		wrong, without := []quad.Quad(nil), []quad.Quad(nil)
		for _, q := range all {
			if strings.HasSuffix(q.Subject.String(), c.of+">") && q.Predicate == quad.IRI(ontology.Namespace+c.property) {
				q.Object = quad.String("seven")
				wrong = append(wrong, q)
				continue
			}
			wrong, without = append(wrong, q), append(without, q)
		}
		if len(without) == len(all) {
			t.Fatalf("%s has no %s", c.of, c.property)
		}
		if got := shapes.Validate(without); len(got) == 0 || !strings.HasSuffix(got[0].Resource, c.of) || got[0].Property != c.property || got[0].Constraint != c.want {
			t.Errorf("without %s of %s: %v", c.property, c.of, got)
		}
		if got := shapes.Validate(wrong); len(got) == 0 {
			t.Errorf("with a wrong %s of %s nothing is found", c.property, c.of)
		}
	}
}
