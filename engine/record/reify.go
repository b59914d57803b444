package record

import (
	"strings"

	"github.com/cayleygraph/quad"

	"github.com/mishap-robotics/mishap/ontology"
)

// Reify makes triples of the quads of episodes, for formats without graphs: what is
// observed stands in resources with subject, predicate and object, linked to its event by
// hasTriple (RECOVER, section 3, "Triple"). Observations are to be Whole. What was believed
// that nobody saw is left out: it is worked out anew from the rest.
func Reify(quads []quad.Quad) []quad.Quad {
	var out []quad.Quad
	n := map[quad.IRI]int{}
	for _, q := range quads {
		g, _ := q.Label.(quad.IRI)
		switch {
		case isObservation(string(g)):
			x := quad.IRI(string(g) + "/triple/" + itoa(n[g]))
			n[g]++
			for _, t := range []struct {
				s, p quad.IRI
				o    quad.Value
			}{
				{g, event(ontology.HasTriple), x}, {x, rdfType, event(ontology.ReifiedTriple)},
				{x, event(ontology.TripleSubject), q.Subject}, {x, event(ontology.TriplePredicate), q.Predicate}, {x, event(ontology.TripleObject), q.Object},
			} {
				out = append(out, quad.Quad{Subject: t.s, Predicate: t.p, Object: t.o})
			}
		case strings.Contains(strings.TrimPrefix(string(g), Base), "/step/"): // of beliefs
		default:
			q.Label = nil
			out = append(out, q)
		}
	}
	return out
}

// Unreify undoes Reify: triples that are linked to an event by hasTriple stand in the graph
// of the event, what is said of a part of an episode in that of the episode. What has a
// graph is left as it is.
func Unreify(quads []quad.Quad) []quad.Quad {
	linked := map[quad.Value]quad.Value{} // from a triple to its event
	for _, q := range quads {
		if q.Label == nil && q.Predicate == event(ontology.HasTriple) {
			linked[q.Object] = q.Subject
		}
	}
	var out []quad.Quad
	parts := map[quad.Value]int{} // from a triple to where it stands in out
	for _, q := range quads {
		g, isTriple := linked[q.Subject]
		switch {
		case q.Label != nil:
			out = append(out, q)
		case q.Predicate == event(ontology.HasTriple):
		case isTriple:
			at, ok := parts[q.Subject]
			if !ok {
				at = len(out)
				parts[q.Subject] = at
				out = append(out, quad.Quad{Label: g})
			}
			switch q.Predicate {
			case event(ontology.TripleSubject):
				out[at].Subject = q.Object
			case event(ontology.TriplePredicate):
				out[at].Predicate = q.Object
			case event(ontology.TripleObject):
				out[at].Object = q.Object
			}
		default:
			if iri, ok := q.Subject.(quad.IRI); ok {
				if id, ok := ID(string(iri)); ok {
					q.Label = quad.IRI(Root(id))
				}
			}
			out = append(out, q)
		}
	}
	return out
}
