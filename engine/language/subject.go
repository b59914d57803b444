package language

import (
	"slices"
	"strings"

	"github.com/mishap-robotics/mishap/ontology"
)

// holds reads "contains an apple", "has coffee in it".
func (p *goalReader) holds(in []subject) bool {
	p.take(ontology.Holding)
	if p.try(func() bool { return p.fills(in) }) {
		p.insideIt()
		return true
	}
	relation := p.onto.Core.Within
	if slices.ContainsFunc(in, func(s subject) bool { return !p.onto.HasProperty(p.classOf(s.variable), p.onto.Roles.Receptacle) }) && p.onto.Roles.Receptacle != ontology.None {
		return false // it contains nothing
	}
	inner, ok := p.nounsOf(false)
	if !ok {
		return false
	}
	if id, n := p.relation(); n > 0 {
		relation = id
		p.insideIt()
	}
	p.related(inner, relation, in)
	return true
}

// insideIt passes over "in it" and "on top of it".
func (p *goalReader) insideIt() {
	from := p.at
	_, n := p.relation()
	p.at += n
	ends := p.take(ontology.Pronoun) || p.at == len(p.in) || p.word() == "," || p.is(ontology.Conjunction) || p.is(ontology.Linking)
	if n == 0 || !ends {
		p.at = from
	}
}

// partSaid reads "its door is shut" and "the door of the fridge is shut", of the whole.
func (p *goalReader) partSaid() bool {
	own := p.is(ontology.Possessive)
	p.takeAll(ontology.Determiner)
	if !p.take(ontology.Part) {
		return false
	}
	some := p.named
	if !own {
		if !p.take(ontology.Content) {
			return false
		}
		var ok bool
		if some, ok = p.nouns(); !ok {
			return false
		}
	}
	p.subjects = some
	return len(some) > 0 && p.predicates()
}

// nouns reads "a pear and a knife".
func (p *goalReader) nouns() ([]subject, bool) { return p.nounsOf(true) }

// nounsOf is nouns; what is said of a verb before ends where the subject of another begins:
// "a pear and the knife is clean".
func (p *goalReader) nounsOf(subjects bool) ([]subject, bool) {
	var out []subject
	for {
		from := p.at
		some, ok := p.noun(true)
		if !ok {
			p.at = from
			return out, len(out) > 0
		}
		out = append(out, some...)
		from = p.at
		if !p.join() {
			return out, true
		}
		_, n := readNoun(p.onto, p.in[p.at:])
		if n == 0 || !subjects && WordsOf(p.onto, p.in[p.at+n:], ontology.Linking) > 0 {
			p.at = from
			return out, true
		}
	}
}

// noun reads one noun with what is said of it. Of a subject the place that follows it
// says where it was, of an object where it is.
func (p *goalReader) noun(isSubject bool) ([]subject, bool) {
	if isSubject && p.take(ontology.Everything) {
		return p.everything()
	}
	if from := p.at; isSubject {
		if s, ok := p.counted(); ok {
			out := []subject{s}
			p.named = out
			return out, true
		}
		p.at = from
	}
	if !isSubject && len(p.subjects) > 0 && p.take(ontology.Pronoun) {
		if of := p.subjects; len(p.earlier) > 0 && len(of) == 1 && p.earlier[0].variable != of[0].variable && p.isNamed(of[0]) {
			return p.earlier, true // nothing is put on itself
		}
		return p.subjects, true
	}
	n, used := readNoun(p.onto, p.in[p.at:])
	group := n.Class != ontology.None && p.onto.HasType(n.Class, p.onto.Core.ObjectGroup) && len(n.Unread) > 0
	if unknown, k := p.unknownNoun(isSubject); k > used || group && k == used && k > 0 {
		n, used = unknown, k
	}
	if used == 0 || n.Class != ontology.None && p.onto.HasType(n.Class, p.onto.Core.ObjectGroup) && len(n.Unread) > 0 {
		return nil, false // "their most suitable container" is no particular thing
	}
	p.at += used
	out, ok := p.meant(n, isSubject)
	if !ok {
		return nil, false
	}
	if isSubject {
		p.earlier = p.named
	}
	p.named = out
	for p.after(out, isSubject, n.Part) {
	}
	return out, true
}

// isNamed reports whether a subject is what was named last.
func (p *goalReader) isNamed(s subject) bool {
	return len(p.named) == 1 && len(s.all) == 0 && p.named[0].variable == s.variable
}

// unknownNoun reads the name of a thing that no label fits, "the egg holder", and how many
// words it has, 0 where it is none: it follows a determiner or a relation, and ends where a
// verb, a relation or the clause begins or ends.
func (p *goalReader) unknownNoun(isSubject bool) (Noun, int) {
	in := p.in[p.at:]
	n := Noun{Class: ontology.None, Contents: ontology.None}
	from := WordsOf(p.onto, in, ontology.Determiner)
	end := from
	for end < len(in) && end < from+longestUnknown && in[end] != "," && !p.onto.IsFunctionWord(in[end]) && !p.relatedFrom(in[end:]) {
		end++
	}
	rest := in[end:]
	ends := WordsOf(p.onto, rest, ontology.Linking) > 0
	if !isSubject {
		ends = ends || len(rest) == 0 || rest[0] == "," || WordsOf(p.onto, rest, ontology.Conjunction) > 0 || WordsOf(p.onto, rest, ontology.Closing) > 0 || p.relatedFrom(rest)
	}
	if _, _, known := things(p.onto, strings.Join(in[from:end], " ")); end == from || !ends || known || isSubject && from == 0 && p.begins() {
		return n, 0
	}
	if class, _, known := things(p.onto, in[end-1]); known && !p.onto.HasType(class, p.onto.Core.ObjectGroup) { // "ripe apple" is an apple, "egg holder" no holder at large
		return n, 0
	}
	if _, k := stateLabel(p.onto, in[from:end]); k > 0 || slices.ContainsFunc(in[from:end], p.isNumber) {
		return n, 0
	}
	n.Text = strings.Join(in[from:end], " ")
	return n, end
}

// begins reports whether a clause begins at the next word.
func (p *goalReader) begins() bool {
	return p.at == 0 || p.in[p.at-1] == "," || WordsOf(p.onto, p.in[p.at-1:p.at], ontology.Conjunction) > 0
}

func (p *goalReader) isNumber(w string) bool {
	_, named := p.onto.Cardinal(w)
	return named || strings.Trim(w, "-0123456789.") == ""
}

// longestUnknown is the most words of a name that no label fits.
const longestUnknown = 4

func (p *goalReader) relatedFrom(in []string) bool {
	_, n := label(p.onto, in, p.onto.Core.Relation)
	return n > 0
}

// mostApart is how many things of a kind are told apart, each by a variable of its own. Of more
// it is asked how many there are: to look for all of them one by one takes longer and longer.
const mostApart = 6

// meant are the things that a noun means; ok is false where those are too many.
func (p *goalReader) meant(n Noun, isSubject bool) (out []subject, ok bool) {
	if whole, ok := p.wholeOf(n); ok {
		return []subject{whole}, true
	}
	switch {
	case (n.All || n.None) && isSubject:
		v := p.variable("")
		return []subject{{variable: v, all: append([]ontology.Pattern{p.typed(v, n.Class)}, p.stated(v, n)...), none: n.None}}, true
	case n.Count > mostApart && isSubject && n.Class != ontology.None:
		v := p.variable("")
		return []subject{{variable: v, count: &ontology.Count{Var: v, Of: append([]ontology.Pattern{p.typed(v, n.Class)}, p.stated(v, n)...), Least: n.Count, Most: -1}}}, true
	case n.Count > 1:
		return p.several(n), n.Count <= mostApart
	}
	return []subject{{variable: p.thing(n)}}, true
}

// wholeOf is what "the door" belongs to where something with a door was named before: the
// last thing that can be opened and is not moved, or is moved as "the lid" is.
func (p *goalReader) wholeOf(n Noun) (subject, bool) {
	roles := &p.onto.Roles
	if !n.Definite && !n.bare || n.Count > 1 || n.Part || n.Modifiers != "" || !p.onto.IsWord(n.Text, ontology.Part) {
		return subject{}, false
	}
	for _, moved := range []bool{false, true} {
		if moved && (!p.onto.HasProperty(n.Class, roles.Movable) || p.placeAhead()) {
			break // a lid that is on the box is not the box
		}
		for _, r := range slices.Backward(p.refs) {
			if r.class != n.Class && p.onto.HasProperty(r.class, roles.Openable) && p.onto.HasProperty(r.class, roles.Movable) == moved {
				return subject{variable: r.variable}, true
			}
		}
	}
	return subject{}, false
}

// placeAhead reports whether it is said next where something is.
func (p *goalReader) placeAhead() bool {
	defer func(at int) { p.at = at }(p.at)
	p.takeAll(ontology.Linking, ontology.Placing)
	return p.relationAhead() && !p.startsState()
}

// several are as many things as a noun counts: those counted before, or others. "Both containers"
// are the two that were named, if two were, and "both doors" what these belong to.
func (p *goalReader) several(n Noun) []subject {
	var out []subject
	if n.Count > mostApart {
		return nil
	}
	for _, r := range p.refs {
		if r.class == n.Class && r.number == 0 && len(out) < n.Count {
			out = append(out, subject{variable: r.variable})
		}
	}
	if len(out) < n.Count {
		out = p.namedOf(n)
	}
	for len(out) < n.Count {
		v := p.newThing(n)
		for _, before := range out {
			p.add(ontology.Pattern{Subject: arg(v), Predicate: p.onto.Core.Differs, Object: arg(before.variable)})
		}
		out = append(out, subject{variable: v})
	}
	return out
}

// namedOf are the things of other classes that were named and that a noun with "both" or "the"
// means, where they are as many as it counts.
func (p *goalReader) namedOf(n Noun) (out []subject) {
	roles := &p.onto.Roles
	if !n.Definite || n.Class == ontology.None || n.Modifiers != "" {
		return nil
	}
	for _, r := range p.refs {
		if p.onto.IsA(r.class, n.Class) || p.onto.IsWord(n.Text, ontology.Part) && p.onto.HasProperty(r.class, roles.Openable) && !p.onto.HasProperty(r.class, roles.Movable) {
			out = append(out, subject{variable: r.variable})
		}
	}
	if len(out) != n.Count {
		return nil
	}
	return out
}

// everything reads "everything on the table" after its first word.
func (p *goalReader) everything() ([]subject, bool) {
	p.take(ontology.Relative)
	p.takeAll(ontology.Linking)
	relation, n := p.relation()
	if p.at += n; n == 0 {
		return nil, false
	}
	at, ok := p.noun(false)
	if !ok || len(at) != 1 {
		return nil, false
	}
	v := p.variable("")
	return []subject{{variable: v, all: []ontology.Pattern{{Subject: arg(v), Predicate: relation, Object: arg(at[0].variable)}}}}, true
}

// after reads what follows a noun: "with an apple inside", "that is turned on", "filled
// with coffee", "of water", "on the table".
func (p *goalReader) after(of []subject, isSubject, isPart bool) bool {
	switch {
	case p.is(ontology.Seen):
		return p.take(ontology.Seen)
	case p.is(ontology.Relative):
		return p.try(func() bool {
			p.take(ontology.Relative)
			p.takeAll(ontology.Linking)
			read := p.predicate(of)
			for read && p.continued(of) {
			}
			return read
		})
	case p.is(ontology.Having) && !p.startsState():
		return p.try(func() bool { p.take(ontology.Having); return p.contents(of) })
	case p.is(ontology.Lacking):
		return p.partOfName()
	case p.is(ontology.Holding) && !p.is(ontology.Linking):
		return !isSubject && p.try(func() bool { return p.holds(of) })
	case p.is(ontology.Content) && !isPart:
		return p.try(func() bool { return p.content(of) })
	case p.startsState() && !p.is(ontology.Linking) && !p.is(ontology.Negation), !isSubject && p.relationAhead():
		return p.try(func() bool { return p.predicate(of) })
	}
	return false
}

// partOfName passes over "without object on top".
func (p *goalReader) partOfName() bool {
	for p.at < len(p.in) && p.word() != "," && !p.is(ontology.Conjunction) && !p.is(ontology.Linking) {
		p.at++
	}
	return true
}

// contents reads "an apple inside", "sliced lettuce and sliced tomato" or "door open" after
// "with".
func (p *goalReader) contents(of []subject) bool {
	if p.try(func() bool { return p.enumerated(of) }) {
		return true
	}
	from := p.at
	if p.try(func() bool {
		inner, ok := p.noun(true)
		if !ok {
			return false
		}
		if len(inner) == 1 && slices.ContainsFunc(of, func(s subject) bool { return s.variable == inner[0].variable }) {
			return true // nothing is in itself: "the fridge with the door closed"
		}
		relation := p.onto.Core.Within
		if id, n := p.relation(); n > 0 {
			relation = id
			p.insideIt()
		} else if slices.ContainsFunc(of, p.holdsNothing) { // milk with muesli is in the bowl that the muesli is in
			p.goal.Unread = append(slices.Clip(p.goal.Unread), strings.Join(p.in[max(from-1, 0):p.at], " "))
			return true
		}
		p.related(inner, relation, of)
		return true
	}) {
		return true
	}
	p.takeAll(ontology.Determiner)
	for n := min(4, len(p.in)-p.at); n > 0; n-- {
		if st, ok := State(p.onto, strings.Join(p.in[p.at:p.at+n], " ")); ok {
			p.at += n
			p.inState(of, st)
			return true
		}
	}
	return false
}

// holdsNothing reports whether a subject is of a class of what nothing can be in or on.
func (p *goalReader) holdsNothing(s subject) bool {
	class, receptacle := p.kindOf(s), p.onto.Roles.Receptacle
	return class != ontology.None && receptacle != ontology.None && !p.onto.HasProperty(class, receptacle)
}

// content reads what a vessel is full of: "of coffee", "of a heated potato". What a thing
// that is not moved is of, "the drawer of the desk", only tells which it is.
func (p *goalReader) content(of []subject) bool {
	p.take(ontology.Content)
	if p.try(func() bool { return p.fills(of) }) {
		return true
	}
	n, used := readNoun(p.onto, p.in[p.at:])
	if movable := p.onto.Roles.Movable; used > 0 && movable != ontology.None && !p.onto.HasProperty(n.Class, movable) {
		p.at += used
		return true
	}
	return p.listed(of)
}

// fills reads a liquid that something is full of, "warm water".
func (p *goalReader) fills(of []subject) bool {
	p.takeAll(ontology.Determiner)
	var states []ontology.TermID
	for p.at < len(p.in) {
		for n := min(3, len(p.in)-p.at); n > 0; n-- {
			liquid, _, ok := things(p.onto, strings.Join(p.in[p.at:p.at+n], " "))
			if st := FilledWith(p.onto, liquid); ok && st != ontology.None {
				p.at += n
				for _, st := range append(states, st) {
					p.inState(of, st)
				}
				return true
			}
		}
		ids, n := stateLabel(p.onto, p.in[p.at:])
		if n == 0 {
			return false
		}
		states = append(states, ids[0])
		p.at += n
	}
	return false
}
