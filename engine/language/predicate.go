package language

import (
	"slices"
	"strings"

	"github.com/mishap-robotics/mishap/ontology"
)

// predicates reads what is said of the subjects of the clause.
func (p *goalReader) predicates() bool {
	from := p.at
	p.takeAll(ontology.Linking)
	subjects := p.subjects
	linked := p.at > from
	if !p.try(func() bool { return p.predicate(subjects) }) && !(linked && p.try(func() bool { return p.predicateAfter(subjects) })) {
		return false
	}
	for p.continued(subjects) {
	}
	p.takeAll(ontology.Closing)
	p.subjects = subjects
	return true
}

// mostUnknown is how many words in one another's company may be passed over.
const mostUnknown = 3

// predicateAfter reads what is said after words that nobody knows, "is nicely centred on the
// plate", and keeps these as not read.
func (p *goalReader) predicateAfter(of []subject) bool {
	from := p.at
	for p.at < len(p.in) && p.at < from+mostUnknown && p.isUnknown() {
		p.at++
	}
	unknown := p.in[from:p.at]
	if len(unknown) == 0 || !p.startsState() && !p.relationAhead() && !p.is(ontology.Placing) || !p.predicate(of) {
		return false
	}
	p.goal.Unread = append(slices.Clip(p.goal.Unread), strings.Join(unknown, " "))
	return true
}

// isUnknown reports whether the next word is none that the reader knows.
func (p *goalReader) isUnknown() bool {
	if w := p.word(); w == "," || p.onto.IsFunctionWord(w) {
		return false
	}
	_, _, thing := things(p.onto, p.word())
	_, state := stateLabel(p.onto, p.in[p.at:])
	return !thing && state == 0 && !p.relationAhead()
}

// wasAt reads what is said of what was somewhere: "on the bench is closed". What is in a
// vessel that was not named before stays in it, and is where that is: "in a bowl is on the
// table".
func (p *goalReader) wasAt() bool {
	subjects := p.subjects
	before := p.save()
	relation, n := p.relation()
	p.at += n
	place, _ := readNoun(p.onto, p.in[p.at:])
	at, ok := p.noun(false)
	if n == 0 || !ok || !p.is(ontology.Linking) {
		return false
	}
	of := subjects
	if movable := p.onto.Roles.Movable; !place.Definite && movable != ontology.None && place.Class != ontology.None && p.onto.HasProperty(place.Class, movable) && p.onto.IsSub(relation, p.onto.Core.Within) {
		p.related(subjects, relation, at)
		p.takeAll(ontology.Linking)
		if p.relationAhead() {
			of = at
		}
	} else {
		p.restore(before)
		p.takeAll(ontology.Linking)
	}
	if !p.predicate(of) {
		return false
	}
	for p.continued(of) {
	}
	p.subjects = of
	return true
}

// isClause reports whether a noun with words before it and a verb come next, as in "blue book
// is on the shelf".
func (p *goalReader) isClause() bool {
	n, used := readNoun(p.onto, p.in[p.at:])
	next := p.at + used
	return used > 1 && n.Class != ontology.None && next < len(p.in) && p.onto.IsWord(p.in[next], ontology.Linking)
}

// continued reads "and closed", unless another clause begins there.
func (p *goalReader) continued(of []subject) bool {
	return p.try(func() bool {
		if !p.join() && !p.is(ontology.Negation) {
			return false
		}
		from := p.at
		if p.is(ontology.Holding) && p.try(func() bool { return p.holds(of) }) {
			return true // "and has a pear in it"
		}
		p.take(ontology.Pronoun)
		p.takeAll(ontology.Linking)
		if p.at == from && p.isClause() {
			return false
		}
		return (p.startsState() || p.relationAhead() || p.is(ontology.Placing)) && p.predicate(of)
	})
}

// startsState reports whether a state comes next. What is "on" something is in no state.
func (p *goalReader) startsState() bool {
	if p.is(ontology.Negation) {
		return true
	}
	_, n := stateLabel(p.onto, p.in[p.at:])
	return n > 0 && !p.isPlace(n)
}

// isPlace reports whether what may be a state of n words is a place.
func (p *goalReader) isPlace(n int) bool {
	_, place := p.relation()
	if place < n || place == 0 {
		return false
	}
	next := p.in[p.at+place:]
	_, used := readNoun(p.onto, next)
	return used > 0 || WordsOf(p.onto, next, ontology.Pronoun) > 0 || WordsOf(p.onto, next, ontology.Determiner) > 0
}

func (p *goalReader) relationAhead() bool {
	_, n := p.relation()
	return n > 0
}

// relation is the relation that the next words name. What is in something may lie on a
// plate in it.
func (p *goalReader) relation() (ontology.TermID, int) {
	ids, n := label(p.onto, p.in[p.at:], p.onto.Core.Relation)
	if into := WordsOf(p.onto, p.in[p.at:], ontology.Into); into > 0 && into >= n {
		return p.onto.Core.Within, into
	}
	switch {
	case n == 0:
		return ontology.None, 0
	case ids[0] == p.onto.Core.Inside:
		return p.onto.Core.Within, n
	}
	return ids[0], n
}

// predicate reads one thing said: a state, or a relation with its object.
func (p *goalReader) predicate(of []subject) bool {
	for !p.relationLasts() && p.take(ontology.Placing) {
	}
	if p.take(ontology.Negation) {
		return p.denied(of)
	}
	if p.try(func() bool { return p.ownPlace(of) }) {
		return true
	}
	if p.try(func() bool { return p.bare(of) }) {
		return true
	}
	if p.try(func() bool { return p.full(of) }) {
		return true
	}
	if ids, n := stateLabel(p.onto, p.in[p.at:]); n > 0 && !p.isPlace(n) {
		p.at += n
		p.inState(p.shut(of, ids[0]), ids[0])
		return true
	}
	relation, n := p.relation()
	if n == 0 {
		return false
	}
	p.at += n
	objects, ok := p.noun(false)
	if ok {
		p.related(of, relation, objects)
	}
	return ok
}

// shut is what is said to be open or closed: where nothing that was spoken of can be, what of
// the things named before can, "the pear is in the fridge, closed".
func (p *goalReader) shut(of []subject, st ontology.TermID) []subject {
	roles := &p.onto.Roles
	if roles.Enclosing == ontology.None || p.onto.Dimension(st) != p.onto.Dimension(roles.Enclosing) {
		return of
	}
	var out []subject
	for _, s := range of {
		if kind := p.kindOf(s); kind == ontology.None || p.onto.HasProperty(kind, roles.Openable) {
			return of
		}
	}
	for _, r := range p.refs {
		if r.class != ontology.None && p.onto.HasProperty(r.class, roles.Openable) {
			out = append(out, subject{variable: r.variable})
		}
	}
	if out == nil {
		return of
	}
	p.unsay(of)
	return out
}

// unsay takes back that there are things of which nothing else is said: others are meant.
func (p *goalReader) unsay(of []subject) {
	core := &p.onto.Core
	about := func(q ontology.Pattern) bool {
		return slices.ContainsFunc(of, func(s subject) bool { return q.Subject == arg(s.variable) || q.Object == arg(s.variable) })
	}
	g := p.goal
	if !slices.ContainsFunc(g.Patterns, func(q ontology.Pattern) bool {
		return about(q) && q.Predicate != core.Type && q.Predicate != core.Differs
	}) {
		g.Patterns = slices.DeleteFunc(g.Patterns, about)
	}
}

// ownPlace reads "where they belong" and "in its usual place".
func (p *goalReader) ownPlace(of []subject) bool {
	_, n := p.relation()
	p.at += n
	p.takeAll(ontology.Determiner)
	if !p.take(ontology.OwnPlace) || !p.kept(of) {
		return false
	}
	p.take(ontology.Apiece)
	return true
}

// bare reads "clear" of where things are kept, and "empty" of what they are put on: that
// nothing is there, or none of what is named, "clear of cups".
func (p *goalReader) bare(of []subject) bool {
	_, ofLiquid := stateLabel(p.onto, p.in[p.at:])
	if !p.take(ontology.Bare) {
		return false
	}
	for _, s := range of {
		if kind := p.kindOf(s); s.all != nil || s.none || s.count != nil || !p.onto.HasProperty(kind, p.onto.Roles.Receptacle) || ofLiquid > 0 && !p.isPutOn(kind) {
			return false
		}
	}
	if p.take(ontology.Content) {
		what, ok := p.noun(false)
		p.related(p.none(what), p.onto.Core.LocatedAt, of)
		return ok
	}
	for _, s := range of {
		v := p.variable("")
		p.say(subject{variable: v, none: true}, ontology.Pattern{Subject: arg(v), Predicate: p.onto.Core.LocatedAt, Object: arg(s.variable)})
	}
	return len(of) > 0
}

// isPutOn reports whether things are put on, not in, what is of a class.
func (p *goalReader) isPutOn(class ontology.TermID) bool {
	place := p.onto.Roles.Place
	return place != nil && p.onto.Preferred(place, class) != place
}

// full reads what something is full of, "full of water", "filled with warm water".
func (p *goalReader) full(of []subject) bool {
	ids, n := label(p.onto, p.in[p.at:], p.onto.Core.StateClass)
	if n == 0 || ids[0] != p.onto.Roles.Filled {
		return false
	}
	p.at += n
	return (p.take(ontology.Content) || p.take(ontology.Having)) && p.fills(of)
}

// relationLasts reports whether a relation comes next that begins with a word for how
// things came to their places: "left of".
func (p *goalReader) relationLasts() bool {
	_, n := p.relation()
	return n > 0 && n > WordsOf(p.onto, p.in[p.at:], ontology.Placing)
}

// denied reads what is not to be: a state, or where none of the subjects is to be.
func (p *goalReader) denied(of []subject) bool {
	p.takeAll(ontology.Linking, ontology.Placing)
	if ids, n := stateLabel(p.onto, p.in[p.at:]); n > 0 && !p.isPlace(n) {
		opposite := p.onto.Opposite(ids[0])
		p.at += n
		p.inState(of, opposite)
		return opposite != ontology.None
	}
	relation, n := p.relation()
	if p.at += n; n == 0 {
		return false
	}
	objects, ok := p.noun(false)
	if ok {
		p.related(p.none(of), relation, objects)
	}
	return ok
}

// none makes of things that were named any of their kind, of which something is denied.
func (p *goalReader) none(of []subject) []subject {
	out := slices.Clone(of)
	for i, s := range out {
		if out[i].none = true; s.all != nil {
			continue
		}
		for _, q := range p.goal.Patterns {
			if q.Subject.Var == s.variable && !q.Object.IsVar() {
				out[i].all = append(out[i].all, q)
			}
		}
		p.goal.Patterns = slices.DeleteFunc(slices.Clone(p.goal.Patterns), func(q ontology.Pattern) bool { return q.Subject.Var == s.variable && !q.Object.IsVar() })
		p.refs = slices.DeleteFunc(slices.Clone(p.refs), func(r reference) bool { return r.variable == s.variable })
	}
	return out
}

// nothing reads "nothing is in the sink", and "nothing else is in the bowl" after what is
// to be there was named.
func (p *goalReader) nothing() bool {
	if !p.take(ontology.Nothing) {
		return false
	}
	but := p.take(ontology.Else)
	p.takeAll(ontology.Linking, ontology.Placing)
	relation, n := p.relation()
	p.at += n
	if n == 0 && but {
		return p.nothingElse()
	}
	objects, ok := p.noun(false)
	if n == 0 || !ok || len(objects) != 1 {
		return false
	}
	if but {
		return p.nothingBut(p.subjects, relation, objects[0])
	}
	v := p.variable("")
	p.say(subject{variable: v, none: true}, ontology.Pattern{Subject: arg(v), Predicate: relation, Object: arg(objects[0].variable)})
	return true
}

// nothingElse reads "and nothing else (is)" after where something is to be: the place is the
// last that was said of that.
func (p *goalReader) nothingElse() bool {
	said := slices.Clone(p.goal.Patterns)
	for _, f := range p.goal.ForAll {
		said = append(said, f.Requires...)
	}
	for _, q := range slices.Backward(said) {
		if !p.onto.IsSub(q.Predicate, p.onto.Core.Within) || !q.Object.IsVar() {
			continue
		}
		if slices.ContainsFunc(p.subjects, func(s subject) bool { return s.variable == q.Subject.Var }) {
			return p.nothingBut(p.subjects, q.Predicate, subject{variable: q.Object.Var})
		}
	}
	return false
}

// nothingBut lets nothing be at a place but things of the class of some.
func (p *goalReader) nothingBut(some []subject, relation ontology.TermID, at subject) bool {
	if len(some) == 0 {
		return false
	}
	class := p.kindOf(some[0])
	if class == ontology.None || slices.ContainsFunc(some, func(s subject) bool { return p.kindOf(s) != class }) {
		return false // of several classes each would do
	}
	v := p.variable("")
	p.goal.ForAll = append(p.goal.ForAll, ontology.ForAll{
		When:     []ontology.Pattern{{Subject: arg(v), Predicate: relation, Object: arg(at.variable)}},
		Requires: []ontology.Pattern{p.typed(v, class)},
	})
	return true
}

// onlyThere reads "only the apple is in the bowl".
func (p *goalReader) onlyThere() bool {
	if !p.take(ontology.Only) {
		return false
	}
	some, ok := p.nouns()
	p.takeAll(ontology.Linking, ontology.Placing)
	relation, n := p.relation()
	if p.at += n; !ok || n == 0 {
		return false
	}
	at, ok := p.noun(false)
	if !ok || len(at) != 1 {
		return false
	}
	p.subjects = some
	p.related(some, relation, at)
	return p.nothingBut(some, relation, at[0])
}
