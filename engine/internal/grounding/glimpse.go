package grounding

import (
	"slices"

	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/engine/scene"
	"github.com/mishap-robotics/mishap/ontology"
)

// around is how many lines before and after a glimpse are looked at.
const around = 12

// glimpsed is what a thing that one look alone shows, lying somewhere, is called in the looks
// around it; or it tells that there was no such thing. No action names it, and the next look at
// where it lay does not show it.
//
// It is the one thing of a like class that lay there before and is there, or in a hand, when it
// is seen next. There was none where another of its class, which that look does not show, lies
// somewhere else before and after it.
func (l *labels) glimpsed(name string, s *handSight) (is string, gone bool) {
	at := s.first
	if at == 0 || l.acted[name] || l.mayMean(l.steps[at].Action, name) {
		return "", false
	}
	class := ClassOf(l.onto, s.class)
	place := l.place(at, name)
	if place == "" || !l.onto.HasProperty(class, l.onto.Roles.Movable) {
		return "", false
	}
	if again := l.next(at, place); again < 0 || l.shows(again, name) {
		return "", false
	}
	if is, several := l.layThere(at, place, class, l.oneKind); is != "" || several {
		return is, false
	}
	if is, several := l.layThere(at, place, class, l.siblings); is != "" || several {
		return is, false
	}
	alike := l.kinds[kindOf(s.class)]
	for _, other := range alike[max(0, len(alike)-nearby):] {
		if was := l.sights[other]; was.first >= at || was.last <= at || l.shows(at, other) {
			continue
		}
		before, after := l.last(at, other), l.next(at, other)
		if before < 0 || after < 0 {
			continue
		}
		if lay := l.place(after, other); lay != "" && lay != place && lay == l.place(before, other) {
			return "", true
		}
	}
	return "", false
}

// next is the first of the looks after one that shows something, -1 for none nearby.
func (l *labels) next(at int, name string) int {
	for i := at + 1; i < min(len(l.steps), at+around); i++ {
		if l.shows(i, name) {
			return i
		}
	}
	return -1
}

// last is the last of the looks before one that shows something, -1 for none nearby.
func (l *labels) last(at int, name string) int {
	for i := at - 1; i >= max(0, at-around); i-- {
		if l.shows(i, name) {
			return i
		}
	}
	return -1
}

// place is what a look shows something in or on, or near, "" where nothing.
func (l *labels) place(i int, name string) string {
	for _, e := range l.steps[i].Observation.Edges {
		if e.Subject == name {
			return e.Object
		}
	}
	return ""
}

// layThere is the one thing, of a class that is like another, that lay somewhere before a look
// that does not show it, and is there, or in a hand, when it is seen next; it tells whether there
// are several.
func (l *labels) layThere(at int, place string, class ontology.TermID, like func(a, b ontology.TermID) bool) (is string, several bool) {
	i := l.last(at, place)
	if i < 0 {
		return "", false
	}
	for _, e := range l.steps[i].Observation.Edges {
		if e.Object != place && l.place(i, e.Object) != place || l.shows(at, e.Subject) {
			continue
		}
		s, known := l.sights[e.Subject]
		if !known || !like(ClassOf(l.onto, s.class), class) {
			continue
		}
		next := l.next(at, e.Subject)
		if next < 0 {
			continue
		}
		if then := l.place(next, e.Subject); then != e.Object && !l.isHand(then) {
			continue
		}
		if is != "" && is != e.Subject {
			return "", true
		}
		is = e.Subject
	}
	return is, false
}

// oneKind reports whether a class is a kind of another, or looks like it.
func (l *labels) oneKind(a, b ontology.TermID) bool {
	return a != ontology.None && b != ontology.None &&
		(l.onto.IsA(a, b) || l.onto.IsA(b, a) || slices.Contains(l.onto.Lookalikes(a), b) || slices.Contains(l.onto.Lookalikes(b), a))
}

// siblings reports whether two classes are kinds of the same.
func (l *labels) siblings(a, b ontology.TermID) bool {
	return a != ontology.None && b != ontology.None && slices.ContainsFunc(l.onto.Terms[a].Supers, func(c ontology.TermID) bool {
		return c != l.onto.Core.PhysicalObject && slices.Contains(l.onto.Terms[b].Supers, c)
	})
}

// without is an observation that does not show something.
func without(o episode.Observation, name string) episode.Observation {
	o.Nodes = slices.DeleteFunc(slices.Clone(o.Nodes), func(n scene.Node) bool { return n.ID == name })
	o.Edges = slices.DeleteFunc(slices.Clone(o.Edges), func(e scene.Edge) bool { return e.Subject == name || e.Object == name })
	return o
}
