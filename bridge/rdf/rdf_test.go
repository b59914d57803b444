package rdf_test

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/cayleygraph/quad"
	"github.com/cayleygraph/quad/nquads"
	"github.com/google/go-cmp/cmp"
	"github.com/piprate/json-gold/ld"
	rdflib "github.com/tggo/goRDFlib"
	"github.com/tggo/goRDFlib/nt"
	"github.com/tggo/goRDFlib/trig"
	"github.com/tggo/goRDFlib/turtle"

	"github.com/mishap-robotics/mishap/bridge/rdf"
	"github.com/mishap-robotics/mishap/ontology"
)

const xsd = "http://www.w3.org/2001/XMLSchema#"

func sample(graphs bool) []quad.Quad {
	e, m := quad.IRI("https://e.org/run%201/"), quad.IRI(ontology.Namespace)
	out := []quad.Quad{
		{Subject: e + "object/Mug-1", Predicate: m + "state", Object: m + "dirty", Label: e + "step/0"},
		{Subject: e + "object/Mug-1", Predicate: m + "state", Object: m + "dirty", Label: e + "step/1"},
		{Subject: e + "object/cup%201%2F2", Predicate: m + "visible", Object: quad.TypedString{Value: "true", Type: xsd + "boolean"}, Label: e + "step/1"},
		{Subject: e, Predicate: m + "text", Object: quad.String("a \"clean\" mug\n\\ ü ☕ \t'''"), Label: e},
		{Subject: e, Predicate: m + "text", Object: quad.LangString{Value: "Becher", Lang: "de"}},
		{Subject: e, Predicate: m + "noise", Object: quad.TypedString{Value: "1e-05", Type: xsd + "double"}},
		{Subject: e, Predicate: m + "step", Object: quad.TypedString{Value: "12", Type: xsd + "integer"}},
	}
	if !graphs {
		for i := range out {
			out[i].Label = nil
		}
		out = slices.Delete(out, 0, 1) // said twice
	}
	return out
}

func lines(t *testing.T, quads []quad.Quad) []string {
	t.Helper()
	var text bytes.Buffer
	if err := rdf.Write(&text, rdf.NQuads, quads); err != nil {
		t.Fatal(err)
	}
	out := strings.Split(strings.TrimSpace(text.String()), "\n")
	slices.Sort(out)
	return out
}

// What is written in each format is read back by another reader as the same quads, and is
// the same each time.
func TestWrite(t *testing.T) {
	for _, f := range rdf.Formats() {
		t.Run(string(f), func(t *testing.T) {
			quads := sample(f.HasGraphs())
			var first, second bytes.Buffer
			if err := rdf.Write(&first, f, quads); err != nil {
				t.Fatal(err)
			}
			if err := rdf.Write(&second, f, quads); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(first.String(), second.String()); diff != "" {
				t.Errorf("written twice (-first +second):\n%s", diff)
			}
			if diff := cmp.Diff(lines(t, quads), lines(t, readBack(t, f, &first))); diff != "" {
				t.Errorf("(-written +read):\n%s", diff)
			}
		})
	}
}

func readBack(t *testing.T, f rdf.Format, text *bytes.Buffer) []quad.Quad {
	t.Helper()
	var quads string
	switch f {
	case rdf.JSONLD:
		doc, err := ld.DocumentFromReader(text)
		if err != nil {
			t.Fatal(err)
		}
		options := ld.NewJsonLdOptions("")
		options.Format = "application/n-quads"
		out, err := ld.NewJsonLdProcessor().ToRDF(doc, options)
		if err != nil {
			t.Fatal(err)
		}
		quads = out.(string)
	case rdf.TriG:
		quads = readTriG(t, text)
	case rdf.Turtle:
		g := rdflib.NewGraph()
		if err := turtle.Parse(g, text); err != nil {
			t.Fatal(err)
		}
		quads = triples(t, g, "")
	default:
		quads = text.String()
	}
	out, err := quad.ReadAll(nquads.NewReader(strings.NewReader(quads), true))
	if err != nil {
		t.Fatalf("%v in\n%s", err, quads)
	}
	return out
}

// readTriG reads graph by graph: the dataset of the library has one store for all.
func readTriG(t *testing.T, text *bytes.Buffer) string {
	t.Helper()
	body := text.String()
	var out strings.Builder
	prefixes, rest, _ := strings.Cut(body, "\n\n")
	for _, block := range strings.Split(rest, "\n}\n") {
		if strings.TrimSpace(block) == "" {
			continue
		}
		label, inside, _ := strings.Cut(strings.TrimSpace(block), "{\n")
		g := rdflib.NewGraph()
		if err := turtle.Parse(g, strings.NewReader(prefixes+"\n"+inside)); err != nil {
			t.Fatalf("%v in\n%s", err, block)
		}
		out.WriteString(triples(t, g, strings.TrimSpace(label)))
	}
	if err := trig.Parse(rdflib.NewGraph(), strings.NewReader(body)); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// triples is a graph as N-Quads.
func triples(t *testing.T, g *rdflib.Graph, label string) string {
	t.Helper()
	var text bytes.Buffer
	if err := nt.Serialize(g, &text); err != nil {
		t.Fatal(err)
	}
	return strings.ReplaceAll(text.String(), " .\n", " "+label+" .\n")
}

func TestGraphsAreNotForgotten(t *testing.T) {
	for _, f := range []rdf.Format{rdf.NTriples, rdf.Turtle} {
		if err := rdf.Write(&bytes.Buffer{}, f, sample(true)); err == nil || !strings.Contains(err.Error(), "has no graphs") {
			t.Errorf("%s: error %v", f, err)
		}
	}
	if _, err := rdf.ParseFormat("rdfxml"); err == nil || !strings.Contains(err.Error(), "expected one of nquads, ntriples, trig, turtle, jsonld") {
		t.Errorf("error %v", err)
	}
}
