package record

import (
	"bytes"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/cayleygraph/quad"
	rdflib "github.com/tggo/goRDFlib"
	"github.com/tggo/goRDFlib/graph"
	"github.com/tggo/goRDFlib/rdfxml"
	"github.com/tggo/goRDFlib/turtle"

	"github.com/mishap-robotics/mishap/ontology"
	"github.com/mishap-robotics/mishap/ontology/document"
	"github.com/mishap-robotics/mishap/ontology/recorded"
)

// OntologyGraph is the named graph of the ontology beside episodes.
var OntologyGraph = quad.IRI(strings.TrimSuffix(ontology.Namespace, "#"))

// Ontology lists the quads of an ontology as its documents state them, and of the document
// that explains how episodes are recorded.
func Ontology(o *ontology.Ontology) ([]quad.Quad, error) {
	var out []quad.Quad
	had := map[quad.Quad]bool{} // documents may state the same
	for i, d := range append(o.Sources(), recorded.Shipped()...) {
		inOrder := &statements{MemoryStore: rdflib.NewMemoryStore()}
		if err := parse(graph.NewGraphFromStore(inOrder, rdflib.NewURIRefUnsafe(string(OntologyGraph))), d); err != nil {
			return nil, fmt.Errorf("%s: %w", d.Name, err)
		}
		w := terms{document: i, blank: map[string]quad.BNode{}}
		for _, t := range inOrder.list {
			q := quad.Quad{Subject: w.value(t.Subject), Predicate: w.value(t.Predicate), Object: w.value(t.Object), Label: OntologyGraph}
			if !had[q] {
				had[q] = true
				out = append(out, q)
			}
		}
	}
	return out, nil
}

// statements keeps triples in the order of their document, which the store of goRDFlib does
// not.
type statements struct {
	*rdflib.MemoryStore
	list []rdflib.Triple
}

func (s *statements) Add(t rdflib.Triple, _ rdflib.Term) { s.list = append(s.list, t) }

func parse(g *rdflib.Graph, d document.Document) error {
	text := bytes.NewReader(bytes.TrimPrefix(d.Data, []byte("\xef\xbb\xbf")))
	switch strings.ToLower(filepath.Ext(d.Name)) {
	case ".owl", ".rdf", ".xml":
		return rdfxml.Parse(g, text)
	}
	return turtle.Parse(g, text)
}

// terms are those of a document; the blank nodes of different documents are kept apart.
type terms struct {
	document int
	blank    map[string]quad.BNode
}

func (w *terms) value(t rdflib.Term) quad.Value {
	switch t := t.(type) {
	case rdflib.URIRef:
		return quad.IRI(t.Value())
	case rdflib.BNode:
		b, ok := w.blank[t.Value()]
		if !ok {
			b = quad.BNode(fmt.Sprintf("d%dn%d", w.document, len(w.blank)))
			w.blank[t.Value()] = b
		}
		return b
	case rdflib.Literal:
		switch kind := t.Datatype().Value(); {
		case t.Language() != "":
			return quad.LangString{Value: quad.String(t.Lexical()), Lang: t.Language()}
		case kind != "" && kind != rdflib.XSDString.Value():
			return quad.TypedString{Value: quad.String(t.Lexical()), Type: quad.IRI(kind)}
		default:
			return quad.String(t.Lexical())
		}
	}
	return quad.String(t.String())
}
