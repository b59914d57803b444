package recorded

import (
	"bytes"
	"strings"
	"sync"
	"unicode"

	rdflib "github.com/tggo/goRDFlib"
	"github.com/tggo/goRDFlib/turtle"

	"github.com/mishap-robotics/mishap/ontology"
)

// EventTerm is what a class or property of a log of events means, whatever its namespace: by
// its local name, or by a label that recorded.ttl gives the term.
func EventTerm(iri string) (ontology.EventTerm, bool) {
	if local, own := strings.CutPrefix(iri, ontology.Namespace); own {
		return ontology.EventTerm(local), true
	}
	t, ok := eventTerms()[words(iri[strings.LastIndexAny(iri, "#/:")+1:])]
	return t, ok
}

var eventTerms = sync.OnceValue(func() map[string]ontology.EventTerm {
	out := map[string]ontology.EventTerm{}
	for _, t := range []ontology.EventTerm{
		ontology.ActionEvent, ontology.ObservationEvent, ontology.ReifiedTriple, ontology.HasTriple, ontology.TripleSubject, ontology.TriplePredicate,
		ontology.TripleObject, ontology.EventVisible, ontology.EventState, ontology.EventStep, ontology.EventTime, ontology.EventEpisode,
		ontology.EventAction, ontology.EventTarget, ontology.EventDestination, ontology.EventAgent, ontology.EventHeard, ontology.EventPrecedes,
	} {
		out[words(string(t))] = t
	}
	g := rdflib.NewGraph()
	if err := turtle.Parse(g, bytes.NewReader(Shipped()[0].Data)); err != nil {
		panic(err) // the document is part of the program
	}
	terms := map[ontology.EventTerm]bool{}
	for _, t := range out {
		terms[t] = true
	}
	label := rdflib.RDFS.Label
	for t := range g.Triples(nil, &label, nil) {
		local, _ := strings.CutPrefix(t.Subject.String(), ontology.Namespace)
		if text, ok := t.Object.(rdflib.Literal); ok && terms[ontology.EventTerm(local)] {
			out[words(text.Lexical())] = ontology.EventTerm(local)
		}
	}
	return out
})

// words is a name in small letters, with a space where a word begins: "hasTriple" and
// "has_triple" are "has triple".
func words(name string) string {
	var out strings.Builder
	for i, r := range name {
		switch {
		case r == '_' || r == '-' || r == ' ':
			out.WriteByte(' ')
			continue
		case unicode.IsUpper(r) && i > 0:
			out.WriteByte(' ')
		}
		out.WriteRune(unicode.ToLower(r))
	}
	return strings.Join(strings.Fields(out.String()), " ")
}
