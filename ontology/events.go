package ontology

// EventTerm is a term in which episodes are exported as RDF: the classes of events and
// what is said of them. Its IRI is Namespace + the term.
type EventTerm string

// The terms of exported episodes, as vocabulary.ttl explains them.
const (
	ActionEvent      EventTerm = "ActionEvent"
	ObservationEvent EventTerm = "ObservationEvent"
	ReifiedTriple    EventTerm = "Triple"

	HasTriple       EventTerm = "hasTriple"
	TripleSubject   EventTerm = "tripleSubject"
	TriplePredicate EventTerm = "triplePredicate"
	TripleObject    EventTerm = "tripleObject"

	EventVisible     EventTerm = "visible"
	EventState       EventTerm = "state"
	EventStep        EventTerm = "step"
	EventTime        EventTerm = "time"
	EventEpisode     EventTerm = "episode"
	EventAction      EventTerm = "action"
	EventTarget      EventTerm = "target"
	EventDestination EventTerm = "destination"
	EventAgent       EventTerm = "agent"
	EventHeard       EventTerm = "heard"
	EventSensed      EventTerm = "sensed"
	EventSensedOf    EventTerm = "sensedOf"
	EventMeasured    EventTerm = "measured"
	EventPrecedes    EventTerm = "precedes"
)
