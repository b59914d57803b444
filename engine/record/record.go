// Package record turns episodes, and what was concluded from them, into quads and back.
// Everything is a quad: header, goal, people, plan, events, each observation in a named
// graph of its own, beliefs that were assumed, findings, threats and recoveries. An
// episode that is rebuilt from its quads is the same to the byte. The terms are those of
// ontology/recorded and of ontology.EventTerm.
package record

import (
	"net/url"
	"strconv"
	"strings"

	"github.com/cayleygraph/quad"

	"github.com/mishap-robotics/mishap/ontology"
	"github.com/mishap-robotics/mishap/ontology/recorded"
)

// Base is what the IRI of every episode begins with; the id follows, percent-encoded.
const Base = "https://mishap-robotics.github.io/episode/"

const (
	rdfType  = quad.IRI("http://www.w3.org/1999/02/22-rdf-syntax-ns#type")
	xsd      = "http://www.w3.org/2001/XMLSchema#"
	dateTime = quad.IRI(xsd + "dateTime")
)

// Root is the IRI of an episode, by its id.
func Root(id string) string { return Base + url.PathEscape(id) }

// ID is the id of the episode whose IRI, or whose part's IRI, is given.
func ID(iri string) (id string, ok bool) {
	rest, ok := strings.CutPrefix(iri, Base)
	if !ok {
		return "", false
	}
	rest, _, _ = strings.Cut(rest, "/")
	id, err := url.PathUnescape(rest)
	return id, err == nil
}

// names makes the IRIs of the parts of an episode.
type names struct{ root string }

func (n names) episode() quad.IRI     { return quad.IRI(n.root) }
func (n names) conclusions() quad.IRI { return quad.IRI(n.root + "/conclusions") }

func (n names) step(i int) string { return n.root + "/step/" + strconv.Itoa(i) }

func (n names) observation(i int) quad.IRI { return quad.IRI(n.step(i) + "/observation") }
func (n names) ended(i int) quad.IRI       { return quad.IRI(n.step(i) + "/observation/ended") }
func (n names) action(i int) quad.IRI      { return quad.IRI(n.step(i) + "/action") }

func (n names) object(name string) quad.IRI {
	return quad.IRI(n.root + "/object/" + url.PathEscape(name))
}

// part is the i-th of a list, from 1.
func (n names) part(kind string, i int) quad.IRI {
	return quad.IRI(n.root + "/" + kind + "/" + strconv.Itoa(i))
}

func (n names) word(kind, text string) quad.IRI {
	return quad.IRI(n.root + "/word/" + kind + "/" + url.PathEscape(text))
}

// named is the name that an IRI ends with, after a prefix below the root.
func (n names) named(below string, v quad.Value) (string, bool) {
	iri, ok := v.(quad.IRI)
	if !ok {
		return "", false
	}
	rest, ok := strings.CutPrefix(string(iri), n.root+below)
	if !ok {
		return "", false
	}
	name, err := url.PathUnescape(rest)
	return name, err == nil
}

// parts that are numbered.
const (
	goalPart       = "goal"
	scenePart      = "scene"
	personPart     = "person"
	agentPart      = "agent"
	paramPart      = "param"
	planPart       = "plan"
	thingPart      = "thing"
	warningPart    = "warning"
	skippedPart    = "skipped"
	findingPart    = "finding"
	threatPart     = "threat"
	recoveryPart   = "recovery"
	consequentPart = "consequence"
	usePart        = "use"
	trialPart      = "trial"
	sensedPart     = "sensed"
	remarkPart     = "remark"
)

// The kinds of words, of which a log may use its own for a term.
const (
	classWord    = "class"
	stateWord    = "state"
	propertyWord = "property"
	relationWord = "relation"
	soundWord    = "sound"
	eventWord    = "event"
	actionWord   = "action"
)

func kindOf(o *ontology.Ontology, word string) ontology.TermID {
	switch word {
	case classWord:
		return o.Core.PhysicalObject
	case stateWord:
		return o.Core.StateClass
	case relationWord:
		return o.Core.Relation
	case soundWord:
		return o.Core.Sound
	case eventWord:
		return o.Core.SensorEvent
	}
	return ontology.None // properties and actions are looked up otherwise
}

func itoa(i int) string { return strconv.Itoa(i) }

func event(t ontology.EventTerm) quad.IRI { return quad.IRI(ontology.Namespace + string(t)) }
func term(t recorded.Term) quad.IRI       { return quad.IRI(t.IRI()) }

// Literals have full datatype IRIs; the quad package writes its own numbers with a prefix
// that other readers do not know.
func integer(n int) quad.TypedString {
	return quad.TypedString{Value: quad.String(strconv.Itoa(n)), Type: xsd + "integer"}
}

func boolean(b bool) quad.TypedString {
	return quad.TypedString{Value: quad.String(strconv.FormatBool(b)), Type: xsd + "boolean"}
}

func double(f float64) quad.TypedString {
	return quad.TypedString{Value: quad.String(strconv.FormatFloat(f, 'g', -1, 64)), Type: xsd + "double"}
}
