package state

import (
	"slices"

	"github.com/mishap-robotics/mishap/ontology"
)

// Link is a lasting relation of one object to another, as one of the two knows it.
type Link struct {
	Relation ontology.TermID
	Other    Object
	From     bool // the other is the subject
	Ended    bool // it is known not to hold any more
	Status   Status
	Since    int32 // step
}

// LinkSlot is the slot of changes that are relations, not fluents.
const LinkSlot = -1

// Links lists the lasting relations of an object, those that have ended among them. It must
// not be changed.
func (s *State) Links(x Object) []Link {
	if o := s.objects.at(x); o != nil {
		return o.links
	}
	return nil
}

// link is what is known of a relation of one object to another, nil for nothing.
func (s *State) link(x Object, relation ontology.TermID, y Object) *Link {
	of, other, from := x, y, false
	if len(s.Links(y)) < len(s.Links(x)) {
		of, other, from = y, x, true
	}
	links := s.Links(of)
	for i := range links {
		if l := &links[i]; l.Relation == relation && l.Other == other && l.From == from {
			return l
		}
	}
	return nil
}

// Relate lets a lasting relation hold, with what that implies: a symmetric one the other way
// round, its inverse, and of a functional one nothing else.
func (s *State) Relate(x Object, relation ontology.TermID, y Object, status Status, step int32) {
	onto := s.Objects.Onto
	if onto.Functional(relation) {
		s.endOthers(x, relation, y, status, step)
	}
	s.putLink(x, relation, y, Link{Status: status, Since: step})
	if onto.Symmetric(relation) && x != y {
		if onto.Functional(relation) {
			s.endOthers(y, relation, x, status, step)
		}
		s.putLink(y, relation, x, Link{Status: status, Since: step})
	}
	if inverse := onto.Inverse(relation); inverse != ontology.None {
		if onto.Functional(inverse) {
			s.endOthers(y, inverse, x, status, step)
		}
		s.putLink(y, inverse, x, Link{Status: status, Since: step})
	}
}

// endOthers ends a relation of an object to others than one.
func (s *State) endOthers(x Object, relation ontology.TermID, but Object, status Status, step int32) {
	for _, l := range slices.Clone(s.Links(x)) {
		if l.Relation == relation && !l.From && !l.Ended && l.Other != but {
			s.Unrelate(x, relation, l.Other, status, step)
		}
	}
}

// Unrelate lets a lasting relation hold no more.
func (s *State) Unrelate(x Object, relation ontology.TermID, y Object, status Status, step int32) {
	onto := s.Objects.Onto
	ended := Link{Ended: true, Status: status, Since: step}
	s.putLink(x, relation, y, ended)
	if onto.Symmetric(relation) && x != y {
		s.putLink(y, relation, x, ended)
	}
	if inverse := onto.Inverse(relation); inverse != ontology.None {
		s.putLink(y, inverse, x, ended)
	}
}

// putLink notes a relation with both objects. One that says the same keeps its step.
func (s *State) putLink(x Object, relation ontology.TermID, y Object, now Link) {
	if was := s.link(x, relation, y); was != nil && was.Ended == now.Ended {
		if now.Status <= was.Status {
			return
		}
		now.Since = was.Since
	}
	now.Relation = relation
	for _, end := range []struct {
		of, other Object
		from      bool
	}{{x, y, false}, {y, x, true}} {
		now.Other, now.From = end.other, end.from
		o := s.change(end.of)
		i := slices.IndexFunc(o.links, func(l Link) bool {
			return l.Relation == relation && l.Other == end.other && l.From == end.from
		})
		switch {
		case i >= 0 && now.Ended && s.CloseWorld:
			o.links = slices.Delete(o.links, i, i+1)
		case i >= 0:
			o.links[i] = now
		case !now.Ended || !s.CloseWorld:
			o.links = append(o.links, now)
		}
		o.changed = true
	}
}

// AdoptLinks takes over the relations of an object that another state has observed and of
// which nothing is known here.
func (s *State) AdoptLinks(from *State, x Object) {
	for _, l := range from.Links(x) {
		if l.Status != Observed || l.From || s.link(x, l.Relation, l.Other) != nil || l.Ended && s.CloseWorld {
			continue
		}
		s.putLink(x, l.Relation, l.Other, Link{Ended: l.Ended, Status: l.Status, Since: l.Since})
	}
}

// relatedBy evaluates a lasting relation. What is nowhere said is not known, but where the
// world is closed or the relation is one to one other thing that is known.
func (q Query) relatedBy(x Object, relation ontology.TermID, y Object) Truth {
	if x == Nothing || y == Nothing {
		return False
	}
	s := q.State
	onto := s.Objects.Onto
	if l := s.direct(x, relation, y); l != nil {
		return truth(!l.Ended, l.Status)
	}
	if onto.Transitive(relation) && s.reaches(x, relation, y) {
		return True
	}
	if onto.Functional(relation) {
		for _, l := range s.Links(x) {
			if l.Relation == relation && !l.From && !l.Ended {
				return truth(false, l.Status)
			}
		}
	}
	if s.CloseWorld {
		return AssumedFalse
	}
	return Undecided
}

// direct is the relation itself, or one that is a kind of it; one that holds before one that
// has ended.
func (s *State) direct(x Object, relation ontology.TermID, y Object) *Link {
	if !s.Objects.Onto.HasKinds(relation) {
		return s.link(x, relation, y)
	}
	var ended *Link
	links := s.Links(x)
	for i := range links {
		l := &links[i]
		if l.Other != y || l.From || !s.Objects.Onto.IsSub(l.Relation, relation) {
			continue
		}
		if !l.Ended {
			return l
		}
		ended = l
	}
	return ended
}

// reaches reports whether an object has a relation to another through others.
func (s *State) reaches(x Object, relation ontology.TermID, y Object) bool {
	return slices.Contains(s.linked(x, relation, false, true), y)
}

// linked lists, in table order, what an object has a relation to, or with from what has it to
// the object; through others where the relation is transitive.
func (s *State) linked(x Object, relation ontology.TermID, from, through bool) []Object {
	var out []Object
	todo := []Object{x}
	kinds := s.Objects.Onto.HasKinds(relation)
	for len(todo) > 0 {
		at := todo[0]
		todo = todo[1:]
		for _, l := range s.Links(at) {
			if l.From != from || l.Ended || l.Relation != relation && !(kinds && s.Objects.Onto.IsSub(l.Relation, relation)) {
				continue
			}
			if through && slices.Contains(out, l.Other) {
				continue
			}
			if out = append(out, l.Other); through {
				todo = append(todo, l.Other)
			}
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// Ways are an edge and what says the same: a symmetric relation the other way round, and the
// inverse relation.
func (e Edge) Ways(onto *ontology.Ontology) []Edge {
	ways := []Edge{e}
	if onto.Symmetric(e.Relation) {
		ways = append(ways, Edge{e.Object, e.Relation, e.Subject})
	}
	if inverse := onto.Inverse(e.Relation); inverse != ontology.None {
		ways = append(ways, Edge{e.Object, inverse, e.Subject})
	}
	return ways
}

// Contradicted is a relation that holds and that a further one would end: what a functional
// relation, or a symmetric one the other way round, is to already. Its subject is Nothing
// where there is none.
func (s *State) Contradicted(e Edge) Edge {
	onto := s.Objects.Onto
	for _, w := range e.Ways(onto) {
		if !onto.Functional(w.Relation) {
			continue
		}
		for _, l := range s.Links(w.Subject) {
			if l.Relation == w.Relation && !l.From && !l.Ended && l.Other != w.Object {
				return Edge{w.Subject, w.Relation, l.Other}
			}
		}
	}
	return Edge{Nothing, ontology.None, Nothing}
}
