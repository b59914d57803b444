package record

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/cayleygraph/quad"

	"github.com/mishap-robotics/mishap/ontology"
	"github.com/mishap-robotics/mishap/ontology/recorded"
)

// Found is a finding as it is recorded.
type Found struct {
	Class   string
	Step    int
	Objects []string // by name
}

// FindingIRI is the i-th finding of an episode, from 1.
func FindingIRI(id string, i int) quad.IRI { return names{Root(id)}.part(findingPart, i) }

// OfFindings are the predicates that Findings reads.
var OfFindings = []quad.IRI{rdfType, term(recorded.Index), event(ontology.EventStep), term(recorded.Concerns), term(recorded.InOrder)}

// Findings reads the findings of an episode from its quads, in order.
func Findings(id string, quads []quad.Quad) []Found {
	v, n := view{}, names{Root(id)}
	for _, q := range quads {
		if s, ok := q.Subject.(quad.IRI); ok {
			v[s] = append(v[s], q)
		}
	}
	type indexed struct {
		Found
		index int
	}
	var list []indexed
	for x := range v {
		if !v.is(x, recorded.Finding) {
			continue
		}
		var f indexed
		f.index, _ = strconv.Atoi(v.text(x, recorded.Index))
		f.Step, _ = strconv.Atoi(Lexical(v.value(x, event(ontology.EventStep))))
		for _, q := range v[x] {
			iri, _ := q.Object.(quad.IRI)
			switch name, own := strings.CutPrefix(string(iri), ontology.Namespace); {
			case q.Predicate == rdfType && own && iri != term(recorded.Finding):
				f.Class = name
			case q.Predicate == term(recorded.Concerns):
				if object, ok := n.named("/object/", iri); ok {
					f.Objects = append(f.Objects, object)
				}
			}
		}
		f.Objects = placed(carried(nil, f.Objects, strings.Compare), v.places(x, string(recorded.Concerns)))
		list = append(list, f)
	}
	slices.SortFunc(list, func(a, b indexed) int { return cmp.Compare(a.index, b.index) })
	var out []Found
	for _, f := range list {
		out = append(out, f.Found)
	}
	return out
}
