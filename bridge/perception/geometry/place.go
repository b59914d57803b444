package geometry

import (
	"cmp"
	"math"
	"slices"

	"github.com/mishap-robotics/mishap/ontology"
)

// Immediate leaves of the relations that say where something is the one to its immediate
// place: what lies on a plate on a table is on the plate. Other relations are kept.
func Immediate(shapes []*Shape, relations []Relation) []Relation {
	places := map[int][]Relation{}
	for _, r := range relations {
		if r.IsPlace() && !r.reversed(shapes, relations) {
			places[r.Subject] = append(places[r.Subject], r)
		}
	}
	return slices.DeleteFunc(slices.Clone(relations), func(r Relation) bool {
		return r.IsPlace() && r != immediate(shapes, places, r.Subject)
	})
}

// IsPlace reports whether the relation says where its subject is.
func (r Relation) IsPlace() bool {
	return r.Is.Heuristic == ontology.ByContainment || r.Is.Heuristic == ontology.BySupport
}

// reversed reports whether the object is at the subject as well, and rather so: of two that
// are within one another the smaller is in the larger.
func (r Relation) reversed(shapes []*Shape, all []Relation) bool {
	for _, s := range all {
		if s.IsPlace() && s.Subject == r.Object && s.Object == r.Subject {
			a, b := shapes[r.Subject].Volume(), shapes[r.Object].Volume()
			return a > b || a == b && r.Subject < r.Object
		}
	}
	return false
}

// immediate is the place of something that none of its other places is at; of several it is
// what it is in rather than on, then the smallest, or the one with the least room between.
func immediate(shapes []*Shape, places map[int][]Relation, subject int) Relation {
	all := places[subject]
	var candidates []Relation
	for _, r := range all {
		nearer := slices.ContainsFunc(all, func(s Relation) bool { return s.Object != r.Object && at(places, s.Object, r.Object, map[int]bool{}) })
		if !nearer {
			candidates = append(candidates, r)
		}
	}
	if len(candidates) == 0 {
		candidates = all
	}
	if len(candidates) == 0 {
		return Relation{Subject: -1}
	}
	key := func(r Relation) (kind int, room float64) {
		if r.Is.Heuristic == ontology.ByContainment {
			return 0, shapes[r.Object].Volume()
		}
		return 1, math.Abs(shapes[r.Subject].lo.Z - shapes[r.Object].hi.Z)
	}
	return slices.MinFunc(candidates, func(a, b Relation) int {
		ka, ra := key(a)
		kb, rb := key(b)
		return cmp.Or(cmp.Compare(ka, kb), cmp.Compare(ra, rb), cmp.Compare(shapes[a.Object].Volume(), shapes[b.Object].Volume()), cmp.Compare(a.Object, b.Object))
	})
}

// at reports whether something is at a place, directly or through others. seen are those that
// were asked of already.
func at(places map[int][]Relation, thing, place int, seen map[int]bool) bool {
	if seen[thing] {
		return false
	}
	seen[thing] = true
	return slices.ContainsFunc(places[thing], func(r Relation) bool {
		return r.Object == place || at(places, r.Object, place, seen)
	})
}

// Held is which of several things a gripper holds, by contact and closure: where it is
// closed, the one that is nearest to the middle of its fingers, and nearer than two things that
// touch; of several as near the smallest. It is -1 where it holds none. may tells what can
// be held at all.
func (r *Relations) Held(shapes []*Shape, fingers *Shape, closed bool, may func(i int) bool) int {
	best, least := -1, r.contact
	if !closed {
		return best
	}
	for i, s := range shapes {
		if !may(i) {
			continue
		}
		d := fingers.Distance(s, r.contact)
		if d < least || best >= 0 && d == least && s.Volume() < shapes[best].Volume() {
			best, least = i, d
		}
	}
	return best
}

// States are those that something is in, by scores from 0 to 1 of several: of those that exclude
// one another the best, where it surpasses the next by the margin of the ontology; others
// where their score surpasses one half by it. Names that no ontology knows are passed on
// like others.
func States(o *ontology.Ontology, scores map[string]float64) []string {
	type rank struct{ best, next string }
	byDimension := map[ontology.TermID]rank{}
	var out []string
	names := make([]string, 0, len(scores))
	for n := range scores {
		names = append(names, n)
	}
	slices.Sort(names)
	for _, n := range names {
		d := ontology.None
		if s := stateTerm(o, n); s != ontology.None {
			d = o.Dimension(s)
		}
		if d == ontology.None {
			if scores[n] > 0.5+o.StateMargin(o.Core.StateClass) {
				out = append(out, n)
			}
			continue
		}
		r := byDimension[d]
		switch {
		case r.best == "" || scores[n] > scores[r.best]:
			r.best, r.next = n, r.best
		case r.next == "" || scores[n] > scores[r.next]:
			r.next = n
		}
		byDimension[d] = r
	}
	for d, r := range byDimension {
		if scores[r.best]-scores[r.next] > o.StateMargin(d) {
			out = append(out, r.best)
		}
	}
	slices.Sort(out)
	return out
}

func stateTerm(o *ontology.Ontology, name string) ontology.TermID {
	for _, t := range o.ByLabel(name, o.Core.StateClass) {
		return t
	}
	return ontology.None
}
