package record

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/cayleygraph/quad"

	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/engine/scene"
	"github.com/mishap-robotics/mishap/ontology"
	"github.com/mishap-robotics/mishap/ontology/recorded"
)

// aspect is a part of what is observed: the lists that a scene graph is made of.
type aspect int

const (
	visibleNodes aspect = iota
	classes
	states
	properties
	values
	relations
	aspects
)

// names of the aspects in recorded.InOrder.
var aspectNames = [aspects]string{string(ontology.EventVisible), "type", string(ontology.EventState), string(recorded.ObservedProperty), string(recorded.ObservedValue), "relation"}

// statement is something observed, as a triple.
type statement struct {
	s, p quad.IRI
	o    quad.Value
}

func (s statement) key() string { return string(s.s) + " " + string(s.p) + " " + s.o.String() }

// observed is what was seen up to an observation: by aspect, in order, with what it says.
type observed struct {
	order [aspects][]string
	says  [aspects]map[string]statement
}

// The predicates of what is observed, but for those of relations and rdf:type.
var (
	isVisible   = event(ontology.EventVisible)
	hasState    = event(ontology.EventState)
	hasProperty = term(recorded.ObservedProperty)
	hasValue    = term(recorded.ObservedValue)
)

// A sighting is something that an observation says, in the words of the log.
type sighting struct {
	aspect                aspect
	subject, word, object string
}

// sightings numbers what observations say: what stays the same from one to the next is written
// and compared by its number.
type sightings struct {
	numbers map[sighting]int
	byKey   map[string]int
	says    []quad.Quad // without a graph
	keys    []string    // by which they are sorted
}

// sight is the number of something that is seen; statement is what it says.
func (w *writer) sight(x sighting, statement func() statement) int {
	all := &w.sightings
	if n, ok := all.numbers[x]; ok {
		return n
	}
	s := statement()
	key := s.key()
	n, ok := all.byKey[key]
	if !ok {
		n = len(all.says)
		all.byKey[key] = n
		all.says, all.keys = append(all.says, quad.Quad{Subject: s.s, Predicate: s.p, Object: s.o}), append(all.keys, key)
	}
	all.numbers[x] = n
	return n
}

func (s *sightings) compare(a, b int) int { return strings.Compare(s.keys[a], s.keys[b]) }

// observation writes what changes with a step. seen is what was seen before it, by aspect and
// in order.
func (w *writer) observation(st *episode.Step, seen *[aspects][]int) {
	if st.Observation.Missing {
		return
	}
	now := w.seen(&st.Observation)
	g := w.names.observation(st.Index)
	if w.form == Whole {
		*seen = [aspects][]int{}
	}
	for a := range aspects {
		if slices.Equal(now[a], seen[a]) {
			if a == visibleNodes {
				w.graph = g
				w.states(now[a], nil)
			}
			continue
		}
		order := carried(seen[a], now[a], w.sightings.compare)
		places := places(order, now[a])
		w.graph = w.episode()
		w.inOrder(g, aspectNames[a], places)
		w.graph = g
		if a == visibleNodes {
			w.states(order, nil)
		} else {
			w.states(order, seen[a])
			w.graph = w.ended(st.Index)
			w.states(seen[a], now[a])
		}
		seen[a] = unique(placed(order, places))
	}
	w.graph = w.episode()
}

// states says of what was seen those that are not among others.
func (w *writer) states(list, but []int) {
	there := make(map[int]bool, len(but))
	for _, n := range but {
		there[n] = true
	}
	graph := quad.Value(w.graph)
	for _, n := range list {
		if !there[n] {
			q := w.sightings.says[n]
			q.Label = graph
			w.out = append(w.out, q)
		}
	}
}

// unique keeps the first of each.
func unique[T comparable](list []T) []T {
	had := make(map[T]bool, len(list))
	out := list[:0:0]
	for _, s := range list {
		if !had[s] {
			had[s] = true
			out = append(out, s)
		}
	}
	return out
}

// seen lists what an observation says.
func (w *writer) seen(o *episode.Observation) (out [aspects][]int) {
	out[visibleNodes] = make([]int, 0, len(o.Nodes))
	out[classes] = make([]int, 0, len(o.Nodes))
	out[relations] = make([]int, 0, len(o.Edges))
	add := func(x sighting, statement func() statement) {
		out[x.aspect] = append(out[x.aspect], w.sight(x, statement))
	}
	for i := range o.Nodes {
		n := &o.Nodes[i]
		say := func(a aspect, p quad.IRI, text string, y func() quad.Value) {
			add(sighting{a, n.ID, "", text}, func() statement { return statement{w.object(n.ID), p, y()} })
		}
		say(visibleNodes, isVisible, "", func() quad.Value { return boolean(true) })
		if n.Class != "" {
			say(classes, rdfType, n.Class, func() quad.Value { return w.word(classWord, n.Class) })
		}
		for _, s := range n.States {
			say(states, hasState, s, func() quad.Value { return w.word(stateWord, s) })
		}
		for _, p := range n.Properties {
			say(properties, hasProperty, p, func() quad.Value { return w.word(propertyWord, p) })
		}
		for _, v := range n.Values {
			text := readingText(v)
			say(values, hasValue, text, func() quad.Value { return quad.String(text) })
		}
	}
	for _, e := range o.Edges {
		add(sighting{relations, e.Subject, e.Relation, e.Object}, func() statement {
			return statement{w.object(e.Subject), w.word(relationWord, e.Relation), w.object(e.Object)}
		})
	}
	return out
}

// readingText writes a measurement as a JSON array of quantity, number and unit.
func readingText(r scene.Reading) string {
	text, err := json.Marshal([]any{r.Quantity, r.Number, r.Unit})
	if err != nil { // a number that JSON does not have
		text, _ = json.Marshal([]any{r.Quantity, 0, r.Unit})
	}
	return string(text)
}

// readReading undoes readingText; what it did not write has no name.
func readReading(text string) scene.Reading {
	var r scene.Reading
	if json.Unmarshal([]byte(text), &[]any{&r.Quantity, &r.Number, &r.Unit}) != nil {
		return scene.Reading{}
	}
	return r
}

// aspectOf tells what a quad of an observation says.
func aspectOf(q quad.Quad) aspect {
	switch q.Predicate {
	case isVisible:
		return visibleNodes
	case rdfType:
		return classes
	case hasState:
		return states
	case hasProperty:
		return properties
	case hasValue:
		return values
	}
	return relations
}

// isObservation reports whether a graph is that of an observation, and of which step it
// ends or begins something.
func isObservation(g string) bool {
	return strings.HasSuffix(g, "/observation") || strings.HasSuffix(g, "/observation/ended")
}
