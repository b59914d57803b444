// Package rdf writes quads in the formats of RDF: N-Quads, N-Triples, TriG, Turtle and
// JSON-LD. N-Quads and N-Triples are written as they come; the others are put together in
// memory first.
package rdf

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/cayleygraph/quad"
	"github.com/cayleygraph/quad/nquads"
	"github.com/piprate/json-gold/ld"
	rdflib "github.com/tggo/goRDFlib"
	"github.com/tggo/goRDFlib/graph"
	"github.com/tggo/goRDFlib/trig"
	"github.com/tggo/goRDFlib/turtle"

	"github.com/mishap-robotics/mishap/ontology"
)

// Format is a format of RDF, by the name that a flag has for it.
type Format string

// The formats.
const (
	NQuads   Format = "nquads"
	NTriples Format = "ntriples"
	TriG     Format = "trig"
	Turtle   Format = "turtle"
	JSONLD   Format = "jsonld"
)

// Formats lists them all.
func Formats() []Format { return []Format{NQuads, NTriples, TriG, Turtle, JSONLD} }

// ParseFormat is the format of a name.
func ParseFormat(name string) (Format, error) {
	if f := Format(name); slices.Contains(Formats(), f) {
		return f, nil
	}
	var names []string
	for _, f := range Formats() {
		names = append(names, string(f))
	}
	return "", fmt.Errorf("--format %q; expected one of %s", name, strings.Join(names, ", "))
}

// HasGraphs reports whether a format says in which graph a triple stands.
func (f Format) HasGraphs() bool { return f != NTriples && f != Turtle }

// Write writes quads. The error is that of the writer, or of a quad with a graph where the
// format has none.
func Write(w io.Writer, f Format, quads []quad.Quad) error {
	if !f.HasGraphs() {
		if i := slices.IndexFunc(quads, func(q quad.Quad) bool { return q.Label != nil }); i >= 0 {
			return fmt.Errorf("rdf: %s has no graphs; found a triple in %s", f, quads[i].Label)
		}
	}
	switch f {
	case TriG:
		ds, err := dataset(quads)
		if err != nil {
			return err
		}
		return trig.SerializeDataset(ds, w)
	case Turtle:
		g := newGraph()
		for _, q := range quads {
			if err := add(g, q); err != nil {
				return err
			}
		}
		return turtle.Serialize(g, w)
	case JSONLD:
		return writeJSONLD(w, quads)
	}
	return writeLines(w, quads)
}

// Sort puts quads in the order of their lines.
func Sort(quads []quad.Quad) {
	slices.SortFunc(quads, func(a, b quad.Quad) int { return strings.Compare(a.NQuad(), b.NQuad()) })
}

func writeLines(w io.Writer, quads []quad.Quad) error {
	buffered := bufio.NewWriter(w)
	out := nquads.NewWriter(buffered)
	for _, q := range quads {
		if err := out.WriteQuad(q); err != nil {
			return err
		}
	}
	if err := out.Close(); err != nil {
		return err
	}
	return buffered.Flush()
}

// prefix is what terms of the ontology are written with.
const prefix = "m"

func newGraph(opts ...rdflib.GraphOption) *rdflib.Graph {
	g := rdflib.NewGraph(opts...)
	g.Bind(prefix, rdflib.NewURIRefUnsafe(ontology.Namespace))
	g.Bind("rdf", rdflib.NewURIRefUnsafe(rdflib.RDFNamespace))
	g.Bind("xsd", rdflib.NewURIRefUnsafe(rdflib.XSDNamespace))
	return g
}

// dataset has a store for each graph: the one that the library shares among them forgets
// which triple is whose.
func dataset(quads []quad.Quad) (*graph.Dataset, error) {
	ds := graph.NewDataset()
	ds.Bind(prefix, rdflib.NewURIRefUnsafe(ontology.Namespace))
	graphs := map[quad.Value]*rdflib.Graph{nil: ds.DefaultContext()}
	for _, q := range quads {
		g := graphs[q.Label]
		if g == nil {
			id, err := Term(q.Label)
			if err != nil {
				return nil, err
			}
			g = newGraph(graph.WithIdentifier(id))
			graphs[q.Label] = g
			ds.AddGraph(g)
		}
		if err := add(g, q); err != nil {
			return nil, err
		}
	}
	return ds, nil
}

func add(g *rdflib.Graph, q quad.Quad) error {
	s, err := Term(q.Subject)
	if err != nil {
		return err
	}
	p, err := Term(q.Predicate)
	if err != nil {
		return err
	}
	o, err := Term(q.Object)
	if err != nil {
		return err
	}
	subject, ok := s.(rdflib.Subject)
	predicate, ok2 := p.(rdflib.URIRef)
	if !ok || !ok2 {
		return fmt.Errorf("rdf: %v; expected a subject that is a resource and a predicate that is an IRI", q)
	}
	g.Add(subject, predicate, o)
	return nil
}

// Term is a value as goRDFlib has it.
func Term(v quad.Value) (rdflib.Term, error) {
	switch v := v.(type) {
	case quad.IRI:
		return rdflib.NewURIRefUnsafe(string(v)), nil
	case quad.BNode:
		return rdflib.NewBNode(string(v)), nil
	case quad.String:
		return rdflib.NewLiteral(string(v)), nil
	case quad.LangString:
		return rdflib.NewLiteral(string(v.Value), rdflib.WithLang(v.Lang)), nil
	case quad.TypedString:
		return rdflib.NewLiteral(string(v.Value), rdflib.WithDatatype(rdflib.NewURIRefUnsafe(string(v.Type)))), nil
	case quad.TypedStringer:
		return Term(v.TypedString())
	}
	return nil, fmt.Errorf("rdf: %v (%T) is no term", v, v)
}

// writeJSONLD writes JSON-LD with graphs, which the serializer of goRDFlib leaves out, by
// the processor beneath it. Nothing is fetched: the context is written out.
func writeJSONLD(w io.Writer, quads []quad.Quad) error {
	var text bytes.Buffer
	if err := writeLines(&text, quads); err != nil {
		return err
	}
	processor, options := ld.NewJsonLdProcessor(), ld.NewJsonLdOptions("")
	options.Format = "application/n-quads"
	options.DocumentLoader = noDocuments{}
	expanded, err := processor.FromRDF(text.String(), options)
	if err != nil {
		return fmt.Errorf("rdf: %w", err)
	}
	context := map[string]any{prefix: ontology.Namespace, "xsd": rdflib.XSDNamespace}
	compact, err := processor.Compact(expanded, context, options)
	if err != nil {
		return fmt.Errorf("rdf: %w", err)
	}
	out := json.NewEncoder(w)
	out.SetEscapeHTML(false)
	out.SetIndent("", "  ")
	return out.Encode(compact)
}

// noDocuments refuses to load contexts from elsewhere.
type noDocuments struct{}

func (noDocuments) LoadDocument(u string) (*ld.RemoteDocument, error) {
	return nil, fmt.Errorf("the context %s is not loaded: nothing is fetched", u)
}
