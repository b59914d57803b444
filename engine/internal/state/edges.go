package state

import (
	"slices"

	"github.com/mishap-robotics/mishap/ontology"
)

// Edge is an observed relation that is not a place.
type Edge struct {
	Subject  Object
	Relation ontology.TermID
	Object   Object
}

// fewEdges is how many edges are looked through one by one: a map of them would take five
// times the room.
const fewEdges = 64

// edges are the relations of a state that are not places, in the order in which they
// were recorded. States share them until one changes them.
type edges struct {
	owner int64 // of the state that may change them
	list  []Edge
	known map[Edge]bool // those of the list, where they are many and were added to; else nil
}

func (e *edges) has(edge Edge) bool {
	if e.known != nil {
		return e.known[edge]
	}
	return slices.Contains(e.list, edge)
}

// related lists what has a relation to an object, or to what an object has it, in table
// order.
func (e *edges) related(relation ontology.TermID, to Object, subjects bool) []Object {
	var out []Object
	for _, edge := range e.list {
		switch {
		case edge.Relation != relation:
		case subjects && edge.Object == to:
			out = append(out, edge.Subject)
		case !subjects && edge.Subject == to:
			out = append(out, edge.Object)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// own lets an owner change them.
func (e *edges) own(owner int64) {
	if e.owner != owner {
		e.owner, e.list, e.known = owner, slices.Clone(e.list), nil
	}
}

func (s *State) addEdge(edge Edge) {
	e := &s.edges
	if e.has(edge) {
		return
	}
	s.quiet = false
	e.own(s.objects.own())
	if e.known == nil && len(e.list) >= fewEdges {
		e.known = make(map[Edge]bool, 2*len(e.list))
		for _, old := range e.list {
			e.known[old] = true
		}
	}
	e.list = append(e.list, edge)
	if e.known != nil {
		e.known[edge] = true
	}
}

// removeEdges forgets those of which is says so.
func (s *State) removeEdges(is func(Edge) bool) {
	if slices.ContainsFunc(s.edges.list, is) {
		s.quiet = false
		s.edges.own(s.objects.own())
		s.edges.list, s.edges.known = slices.DeleteFunc(s.edges.list, is), nil
	}
}

// Together lets what f does, which asks for no relation but places, forget at once the
// relations of all that it moves.
func (s *State) Together(f func()) {
	if s.moving != nil {
		f()
		return
	}
	moving := map[Object]bool{}
	s.moving = moving
	f()
	if s.moving = nil; len(moving) > 0 {
		s.removeEdges(func(e Edge) bool { return moving[e.Subject] || moving[e.Object] })
	}
}

func (s *State) dropEdges(x Object) {
	if len(s.edges.list) == 0 {
		return
	}
	if s.moving != nil {
		s.moving[x] = true
		return
	}
	s.removeEdges(func(e Edge) bool { return e.Subject == x || e.Object == x })
}

// AddEdge records a relation that is not a place, with its inverse.
func (s *State) AddEdge(x Object, relation ontology.TermID, y Object) {
	if s.Objects.Onto.Persistent(relation) {
		s.Relate(x, relation, y, Observed, 0)
		return
	}
	s.addEdge(Edge{x, relation, y})
	if s.Objects.Onto.Symmetric(relation) {
		s.addEdge(Edge{y, relation, x})
	}
	if inv := s.Objects.Onto.Inverse(relation); inv != ontology.None {
		s.addEdge(Edge{y, inv, x})
	}
}

// RemoveEdge forgets a relation that is not a place.
func (s *State) RemoveEdge(e Edge) {
	if s.Objects.Onto.Persistent(e.Relation) {
		s.Unrelate(e.Subject, e.Relation, e.Object, Observed, 0)
		return
	}
	s.removeEdges(func(f Edge) bool { return f == e })
}

// HasEdge reports whether a relation that is not a place is recorded.
func (s *State) HasEdge(x Object, relation ontology.TermID, y Object) bool {
	if s.Objects.Onto.Persistent(relation) {
		l := s.link(x, relation, y)
		return l != nil && !l.Ended
	}
	return s.edges.has(Edge{x, relation, y})
}

// Edges lists the recorded relations that are not places. It must not be changed.
func (s *State) Edges() []Edge { return s.edges.list }

// DropViewEdges forgets relations that depend on the camera.
func (s *State) DropViewEdges() {
	s.removeEdges(func(e Edge) bool { return s.Objects.Onto.ViewDependent(e.Relation) })
}

// CopyEdges takes over the relations of another state that are not places.
func (s *State) CopyEdges(from *State) {
	from.objects.share() // it may not change them in place from now on
	s.edges, s.quiet = from.edges, false
}
