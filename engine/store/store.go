// Package store keeps the observations of an episode in a graph store. Each
// observation has two named graphs, of what begins to hold with it and of what
// it ends; with what was visible that is enough to rebuild any observation
// whole. The store only grows. It is written in batches, off the hot path: the
// reasoner reads the fact index instead.
package store

import (
	"context"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/cayleygraph/cayley/graph"
	_ "github.com/cayleygraph/cayley/graph/memstore" // the default backend
	_ "github.com/cayleygraph/cayley/writer"         // the single-writer transaction log
	"github.com/cayleygraph/quad"

	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/engine/internal/belief"
	"github.com/mishap-robotics/mishap/engine/internal/grounding"
	"github.com/mishap-robotics/mishap/engine/internal/state"
	"github.com/mishap-robotics/mishap/ontology"
)

// IRIs of the graphs.
const (
	Base    = "https://mishap-robotics.github.io/episode/"
	rdfType = quad.IRI("http://www.w3.org/1999/02/22-rdf-syntax-ns#type")
)

const xsd = "http://www.w3.org/2001/XMLSchema#"

// yes and integer are literals with full datatype IRIs; the quad package writes
// its own numbers with a prefix that other readers do not know.
var yes = quad.TypedString{Value: "true", Type: xsd + "boolean"}

func integer(n int) quad.TypedString {
	return quad.TypedString{Value: quad.String(strconv.Itoa(n)), Type: xsd + "integer"}
}

func term(t ontology.EventTerm) quad.IRI { return quad.IRI(ontology.Namespace + string(t)) }

// Store is the graph of one episode.
type Store struct {
	onto  *ontology.Ontology
	ep    *episode.Episode
	trace *belief.Trace
	qs    graph.QuadStore
	qw    graph.QuadWriter
	steps []int
}

// Open builds the graph of an episode in memory. Actions are linked to the
// objects that the trace took their names for.
func Open(t *belief.Trace) (*Store, error) {
	qs, err := graph.NewQuadStore("memstore", "", nil)
	if err != nil {
		return nil, fmt.Errorf("graph store: %w", err)
	}
	qw, err := graph.NewQuadWriter("single", qs, graph.Options{"ignore_duplicate": true})
	if err != nil {
		return nil, fmt.Errorf("graph store: %w", err)
	}
	s := &Store{onto: t.Objects.Onto, ep: t.Episode, trace: t, qs: qs, qw: qw}
	if err := s.fill(); err != nil {
		return nil, err
	}
	return s, nil
}

// Close frees the store.
func (s *Store) Close() error { return s.qs.Close() }

func (s *Store) fill() error {
	if err := s.add(s.description()); err != nil {
		return err
	}
	previous := map[quad.Quad]bool{}
	for i := range s.ep.Steps {
		st := &s.ep.Steps[i]
		now := s.observed(st)
		var batch []quad.Quad
		current := map[quad.Quad]bool{}
		for _, q := range now {
			current[q] = true
			if isVisible(q) {
				batch = append(batch, in(q, s.graph(st.Index)))
			} else if !previous[q] {
				batch = append(batch, in(q, s.graph(st.Index)))
			}
		}
		for q := range previous {
			if !current[q] && !isVisible(q) {
				batch = append(batch, in(q, s.ended(st.Index)))
			}
		}
		if err := s.add(batch); err != nil {
			return err
		}
		previous = current
		s.steps = append(s.steps, st.Index)
	}
	return nil
}

func (s *Store) add(batch []quad.Quad) error {
	sortQuads(batch)
	if err := s.qw.AddQuadSet(slices.Compact(batch)); err != nil {
		return fmt.Errorf("graph store: %w", err)
	}
	return nil
}

func isVisible(q quad.Quad) bool { return q.Predicate == term(ontology.EventVisible) }

func in(q quad.Quad, g quad.IRI) quad.Quad {
	q.Label = g
	return q
}

func (s *Store) root() string { return Base + url.PathEscape(s.ep.ID) }

// Episode is the resource of the episode.
func (s *Store) Episode() quad.IRI { return quad.IRI(s.root()) }

func (s *Store) graph(step int) quad.IRI {
	return quad.IRI(fmt.Sprintf("%s/step/%d/observation", s.root(), step))
}

func (s *Store) ended(step int) quad.IRI { return s.graph(step) + "/ended" }

func (s *Store) action(step int) quad.IRI {
	return quad.IRI(fmt.Sprintf("%s/step/%d/action", s.root(), step))
}

func (s *Store) object(name string) quad.IRI {
	return quad.IRI(s.root() + "/object/" + url.PathEscape(name))
}

// named is the term of the ontology that a log means, or a resource of the
// episode where the ontology has none.
func (s *Store) named(name string, kind ontology.TermID) quad.IRI {
	if ids := s.onto.ByLabel(name, kind); len(ids) > 0 {
		return quad.IRI(s.onto.Terms[ids[0]].IRI)
	}
	return quad.IRI(s.root() + "/unknown/" + url.PathEscape(name))
}

// observed lists the triples of an observation, without label.
func (s *Store) observed(st *episode.Step) []quad.Quad {
	var out []quad.Quad
	for _, n := range st.Observation.Nodes {
		x := s.object(n.ID)
		out = append(out, quad.Quad{Subject: x, Predicate: term(ontology.EventVisible), Object: yes})
		if n.Class != "" {
			out = append(out, quad.Quad{Subject: x, Predicate: rdfType, Object: s.named(n.Class, s.onto.Core.PhysicalObject)})
		} else if stem, _ := episode.SplitName(n.ID); grounding.ClassOf(s.onto, stem) != ontology.None { // the name tells it
			class := grounding.ClassOf(s.onto, stem)
			out = append(out, quad.Quad{Subject: x, Predicate: rdfType, Object: quad.IRI(s.onto.Terms[class].IRI)})
		}
		for _, state := range n.States {
			out = append(out, quad.Quad{Subject: x, Predicate: term(ontology.EventState), Object: s.named(state, s.onto.Core.StateClass)})
		}
	}
	for _, e := range st.Observation.Edges {
		out = append(out, quad.Quad{Subject: s.object(e.Subject), Predicate: s.named(e.Relation, s.onto.Core.Relation), Object: s.object(e.Object)})
	}
	sortQuads(out)
	return slices.Compact(out)
}

// description lists what is said of the events themselves: it has no label.
func (s *Store) description() []quad.Quad {
	var out []quad.Quad
	say := func(x quad.Value, p ontology.EventTerm, y quad.Value) {
		out = append(out, quad.Quad{Subject: x, Predicate: term(p), Object: y})
	}
	var last quad.Value
	chain := func(x quad.IRI) {
		if last != nil {
			say(last, ontology.EventPrecedes, x)
		}
		last = x
	}
	for i := range s.ep.Steps {
		st := &s.ep.Steps[i]
		if st.Action.Name != "" {
			x := s.action(st.Index)
			chain(x)
			s.describeAction(st, x, say)
			out = append(out, quad.Quad{Subject: x, Predicate: rdfType, Object: term(ontology.ActionEvent)})
		}
		g := s.graph(st.Index)
		chain(g)
		for k := range st.Events {
			out = append(out, s.sensed(g, k, &st.Events[k])...)
		}
		out = append(out, quad.Quad{Subject: g, Predicate: rdfType, Object: term(ontology.ObservationEvent)})
		say(g, ontology.EventStep, integer(st.Index))
		say(g, ontology.EventEpisode, s.Episode())
		if st.Time != "" {
			say(g, ontology.EventTime, quad.String(st.Time))
		}
	}
	return out
}

func (s *Store) describeAction(st *episode.Step, x quad.IRI, say func(quad.Value, ontology.EventTerm, quad.Value)) {
	say(x, ontology.EventStep, integer(st.Index))
	say(x, ontology.EventEpisode, s.Episode())
	if a, ok := s.onto.Action(st.Action.Name); ok {
		say(x, ontology.EventAction, quad.IRI(s.onto.Terms[a.Term].IRI))
	}
	for p, name := range map[ontology.EventTerm]string{ontology.EventTarget: st.Action.Target, ontology.EventDestination: st.Action.Destination, ontology.EventAgent: st.Agent} {
		if name != "" {
			say(x, p, s.object(s.resolved(st, p, name)))
		}
	}
	if st.Time != "" {
		say(x, ontology.EventTime, quad.String(st.Time))
	}
	for _, sound := range st.Sounds {
		say(x, ontology.EventHeard, s.named(sound, s.onto.Core.Sound))
	}
}

// sensed says what a sensor told of at an event, or after it: the k-th of these.
func (s *Store) sensed(at quad.IRI, k int, e *episode.SensorEvent) []quad.Quad {
	x := quad.IRI(fmt.Sprintf("%s/sensed/%d", string(at), k+1))
	out := []quad.Quad{{Subject: at, Predicate: term(ontology.EventSensed), Object: x}, {Subject: x, Predicate: rdfType, Object: s.named(e.Kind, s.onto.Core.SensorEvent)}}
	if e.Object != "" {
		out = append(out, quad.Quad{Subject: x, Predicate: term(ontology.EventSensedOf), Object: s.object(e.Object)})
	}
	if e.Measured {
		number := strconv.FormatFloat(e.Number, 'g', -1, 64)
		out = append(out, quad.Quad{Subject: x, Predicate: term(ontology.EventMeasured), Object: quad.String(strings.TrimSpace(number + " " + e.Unit))})
	}
	if e.Time != "" {
		out = append(out, quad.Quad{Subject: x, Predicate: term(ontology.EventTime), Object: quad.String(e.Time)})
	}
	return out
}

// resolved is the name under which observations show what an action names.
func (s *Store) resolved(st *episode.Step, role ontology.EventTerm, name string) string {
	e := s.trace.Event(int32(st.Index))
	if _, number := episode.SplitName(name); number > 0 || e == nil {
		return name
	}
	x := state.Nothing
	switch role {
	case ontology.EventTarget:
		x = e.Call.Target
	case ontology.EventDestination:
		x = e.Call.Destination
	}
	if x == state.Nothing {
		return name
	}
	return s.trace.Objects.Name(x)
}

// all reads every quad of the store, sorted.
func (s *Store) all(ctx context.Context) ([]quad.Quad, error) {
	var out []quad.Quad
	it := s.qs.QuadsAllIterator()
	defer it.Close()
	for it.Next(ctx) {
		out = append(out, s.qs.Quad(it.Result()))
	}
	if err := it.Err(); err != nil {
		return nil, fmt.Errorf("graph store: %w", err)
	}
	sortQuads(out)
	return out, nil
}

// rebuild is the observation of a step: its triples, labelled with its graph.
func (s *Store) rebuild(all []quad.Quad, step int) []quad.Quad {
	byGraph := map[quad.Value][]quad.Quad{}
	for _, q := range all {
		byGraph[q.Label] = append(byGraph[q.Label], q)
	}
	holds := map[quad.Quad]bool{}
	for _, k := range s.steps {
		if k > step {
			break
		}
		for q := range holds {
			if isVisible(q) {
				delete(holds, q)
			}
		}
		for _, q := range byGraph[s.graph(k)] {
			holds[in(q, "")] = true
		}
		for _, q := range byGraph[s.ended(k)] {
			delete(holds, in(q, ""))
		}
	}
	var out []quad.Quad
	for q := range holds {
		out = append(out, in(q, s.graph(step)))
	}
	sortQuads(out)
	return out
}

// Quads lists the description of the events and every observation whole, each
// in the named graph of its event.
func (s *Store) Quads(ctx context.Context) ([]quad.Quad, error) {
	all, err := s.all(ctx)
	if err != nil {
		return nil, err
	}
	var out []quad.Quad
	for _, q := range all {
		if q.Label == nil {
			out = append(out, q)
		}
	}
	for _, k := range s.steps {
		out = append(out, s.rebuild(all, k)...)
	}
	return out, nil
}

// Reified lists the same with each observed triple as a resource of its own,
// linked to its event by hasTriple, as RECOVER's ontology has it.
func (s *Store) Reified(ctx context.Context) ([]quad.Quad, error) {
	all, err := s.Quads(ctx)
	if err != nil {
		return nil, err
	}
	var out []quad.Quad
	n := map[quad.Value]int{}
	for _, q := range all {
		if q.Label == nil {
			out = append(out, q)
			continue
		}
		event := q.Label.(quad.IRI)
		x := quad.IRI(fmt.Sprintf("%s/triple/%d", string(event), n[event]))
		n[event]++
		out = append(out,
			quad.Quad{Subject: event, Predicate: term(ontology.HasTriple), Object: x},
			quad.Quad{Subject: x, Predicate: rdfType, Object: term(ontology.ReifiedTriple)},
			quad.Quad{Subject: x, Predicate: term(ontology.TripleSubject), Object: q.Subject},
			quad.Quad{Subject: x, Predicate: term(ontology.TriplePredicate), Object: q.Predicate},
			quad.Quad{Subject: x, Predicate: term(ontology.TripleObject), Object: q.Object})
	}
	return out, nil
}

func sortQuads(qs []quad.Quad) {
	slices.SortFunc(qs, func(a, b quad.Quad) int { return strings.Compare(a.NQuad(), b.NQuad()) })
}
