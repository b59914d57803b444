package recorded_test

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strconv"
	"strings"
	"testing"

	rdflib "github.com/tggo/goRDFlib"
	"github.com/tggo/goRDFlib/turtle"

	"github.com/mishap-robotics/mishap/ontology"
	"github.com/mishap-robotics/mishap/ontology/recorded"
)

// Every term that Go writes is explained in Turtle, and the other way round.
func TestTermsAreExplained(t *testing.T) {
	o, problems, err := ontology.Parse(slices.Concat(ontology.Shipped(), recorded.Shipped()))
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range problems {
		t.Error(p)
	}
	f, err := parser.ParseFile(token.NewFileSet(), "recorded.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	terms := map[string]bool{}
	ast.Inspect(f, func(n ast.Node) bool {
		spec, ok := n.(*ast.ValueSpec)
		if !ok || len(spec.Values) == 0 {
			return true
		}
		name, _ := strconv.Unquote(spec.Values[0].(*ast.BasicLit).Value)
		terms[name] = true
		id, known := o.Lookup(name)
		if !known || o.Terms[id].Comment == "" {
			t.Errorf("%s has no comment in recorded.ttl", name)
		}
		return true
	})
	if len(terms) < 70 {
		t.Errorf("%d terms", len(terms))
	}
	built := ontology.Default()
	for i := range o.Terms {
		x := &o.Terms[i]
		local, own := strings.CutPrefix(x.IRI, ontology.Namespace)
		if _, known := built.Lookup(x.Name); own && !known && !terms[local] {
			t.Errorf("%s is explained and never written", x.IRI)
		}
	}
}

// The classes that other vocabularies have stand below theirs.
func TestAlignment(t *testing.T) {
	g := rdflib.NewGraph()
	if err := turtle.Parse(g, bytes.NewReader(recorded.Shipped()[0].Data)); err != nil {
		t.Fatal(err)
	}
	const prov, sosa, time = "http://www.w3.org/ns/prov#", "http://www.w3.org/ns/sosa/", "http://www.w3.org/2006/time#"
	below := map[string]bool{}
	g.Triples(nil, nil, nil)(func(x rdflib.Triple) bool {
		if strings.HasSuffix(x.Predicate.N3(), "#subClassOf>") {
			below[x.Subject.N3()+" "+x.Object.N3()] = true
		}
		return true
	})
	for class, above := range map[string]string{
		"Episode": prov + "Activity", "Event": prov + "Activity", "Finding": prov + "Entity", "Recovery": prov + "Plan", "Agent": prov + "Agent",
		"ObservationEvent": sosa + "Observation", "Action": sosa + "Procedure", "RecoveryStrategy": prov + "Plan", "ActionEvent": sosa + "Actuation",
	} {
		if !below["<"+ontology.Namespace+class+"> <"+above+">"] {
			t.Errorf("%s is not below %s", class, above)
		}
	}
	if !below["<"+ontology.Namespace+"Event> <"+time+"TemporalEntity>"] {
		t.Error("events have no time")
	}
}
