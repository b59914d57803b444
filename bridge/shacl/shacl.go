// Package shacl holds quads to SHACL shapes, by goRDFlib.
package shacl

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/cayleygraph/quad"
	"github.com/tggo/goRDFlib/shacl"

	"github.com/mishap-robotics/mishap/ontology"
	"github.com/mishap-robotics/mishap/ontology/document"
)

const xsdString = "http://www.w3.org/2001/XMLSchema#string"

// Shapes are what quads are held to.
type Shapes struct{ graph *shacl.Graph }

// Violation is something that does not conform.
type Violation struct {
	Resource   string `json:"resource"`
	Property   string `json:"property,omitempty"`
	Value      string `json:"value,omitempty"`
	Constraint string `json:"constraint"` // of SHACL, by its local name
}

func (v Violation) String() string {
	s := v.Resource
	if v.Property != "" {
		s += ", property " + v.Property
	}
	if v.Value != "" {
		s += ": found " + v.Value
	}
	return s + ", which violates " + v.Constraint
}

// Parse reads shapes in Turtle.
func Parse(d document.Document) (out *Shapes, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("%s: no Turtle (%v)", d.Name, p)
		}
	}()
	g, err := shacl.LoadTurtleString(string(d.Data), "")
	if err != nil {
		return nil, fmt.Errorf("%s: %w", d.Name, err)
	}
	if !slices.ContainsFunc(g.Triples(), func(t shacl.Triple) bool { return strings.HasPrefix(t.Predicate.Value(), shacl.SH) }) {
		return nil, fmt.Errorf("%s: found no shapes; expected some of SHACL", d.Name)
	}
	return &Shapes{g}, nil
}

// Validate lists what of some quads does not conform, in order; graphs are taken together.
func (s *Shapes) Validate(quads []quad.Quad) []Violation {
	g := shacl.NewGraph()
	for _, q := range quads {
		g.Add(term(q.Subject), term(q.Predicate), term(q.Object))
	}
	var out []Violation
	for _, r := range shacl.Validate(g, s.graph).Results {
		out = append(out, Violation{local(r.FocusNode.Value()), local(r.ResultPath.Value()), local(r.Value.Value()), strings.TrimSuffix(local(r.SourceConstraintComponent.Value()), "ConstraintComponent")})
	}
	slices.SortFunc(out, func(a, b Violation) int {
		return cmp.Or(strings.Compare(a.Resource, b.Resource), strings.Compare(a.Property, b.Property), strings.Compare(a.Constraint, b.Constraint), strings.Compare(a.Value, b.Value))
	})
	return slices.Compact(out)
}

// local is an IRI without the namespaces that are plain.
func local(iri string) string {
	for _, ns := range []string{ontology.Namespace, shacl.SH} {
		iri = strings.TrimPrefix(iri, ns)
	}
	return iri
}

func term(v quad.Value) shacl.Term {
	switch v := v.(type) {
	case quad.IRI:
		return shacl.IRI(string(v))
	case quad.BNode:
		return shacl.BlankNode(string(v))
	case quad.TypedString:
		return shacl.Literal(string(v.Value), string(v.Type), "")
	case quad.LangString:
		return shacl.Literal(string(v.Value), "", v.Lang)
	case quad.String:
		return shacl.Literal(string(v), xsdString, "")
	case quad.TypedStringer:
		return term(v.TypedString())
	}
	return shacl.Literal(quad.ToString(v), xsdString, "")
}
