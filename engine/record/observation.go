package record

import (
	"encoding/json"
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

// observation writes what changes with a step.
func (w *writer) observation(st *episode.Step, seen *observed) {
	if st.Observation.Missing {
		return
	}
	now := w.seen(&st.Observation)
	g := w.names.observation(st.Index)
	if w.form == Whole {
		*seen = observed{}
	}
	for a := range aspects {
		order := carried(seen.order[a], now.order[a])
		w.graph = w.episode()
		w.inOrder(g, aspectNames[a], places(order, now.order[a]))
		w.graph = g
		for _, key := range order {
			if _, was := seen.says[a][key]; !was || a == visibleNodes {
				w.state(now.says[a][key])
			}
		}
		w.graph = w.ended(st.Index)
		for _, key := range seen.order[a] {
			if _, is := now.says[a][key]; !is && a != visibleNodes {
				w.state(seen.says[a][key])
			}
		}
		seen.says[a] = now.says[a]
		seen.order[a] = placed(order, places(order, now.order[a]))
		seen.order[a] = unique(seen.order[a])
	}
	w.graph = w.episode()
}

// unique keeps the first of each.
func unique(list []string) []string {
	had := make(map[string]bool, len(list))
	out := list[:0:0]
	for _, s := range list {
		if !had[s] {
			had[s] = true
			out = append(out, s)
		}
	}
	return out
}

func (w *writer) state(s statement) { w.say(s.s, s.p, s.o) }

// seen lists what an observation says.
func (w *writer) seen(o *episode.Observation) *observed {
	out := &observed{}
	add := func(a aspect, x, p quad.IRI, y quad.Value) {
		s := statement{x, p, y}
		key := s.key()
		out.order[a] = append(out.order[a], key)
		if out.says[a] == nil {
			out.says[a] = map[string]statement{}
		}
		out.says[a][key] = s
	}
	for i := range o.Nodes {
		n := &o.Nodes[i]
		x := w.object(n.ID)
		add(visibleNodes, x, event(ontology.EventVisible), boolean(true))
		if n.Class != "" {
			add(classes, x, rdfType, w.word(classWord, n.Class))
		}
		for _, s := range n.States {
			add(states, x, event(ontology.EventState), w.word(stateWord, s))
		}
		for _, p := range n.Properties {
			add(properties, x, term(recorded.ObservedProperty), w.word(propertyWord, p))
		}
		for _, v := range n.Values {
			add(values, x, term(recorded.ObservedValue), quad.String(readingText(v)))
		}
	}
	for _, e := range o.Edges {
		add(relations, w.object(e.Subject), w.word(relationWord, e.Relation), w.object(e.Object))
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
	case event(ontology.EventVisible):
		return visibleNodes
	case rdfType:
		return classes
	case event(ontology.EventState):
		return states
	case term(recorded.ObservedProperty):
		return properties
	case term(recorded.ObservedValue):
		return values
	}
	return relations
}

// isObservation reports whether a graph is that of an observation, and of which step it
// ends or begins something.
func isObservation(g string) bool {
	return strings.HasSuffix(g, "/observation") || strings.HasSuffix(g, "/observation/ended")
}
