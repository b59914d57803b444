package language

import (
	"regexp"
	"slices"
	"strings"

	"github.com/mishap-robotics/mishap/ontology"
)

// TextGoal is a goal as a text states it.
type TextGoal struct {
	ontology.Goal
	// Names are what the variables are called in the text: "StoveBurner-2" is that one,
	// "StoveBurner" some object of the class. Variables of a ForAll have none.
	Names []string
	// Unread are the parts of the text that could not be read.
	Unread []string
}

// Empty reports whether nothing of the text could be read.
func (g *TextGoal) Empty() bool { return len(g.Patterns)+len(g.ForAll) == 0 }

var sentenceEnd = regexp.MustCompile(`[.;!]\s*(?:\s|$)|\n`)

// ReadGoal reads a goal in words, "a pot is filled with water, the pot is on top of a
// stove burner that is turned on": conditions that have to hold together. A class means
// some object of it, the same one wherever the class stands.
func ReadGoal(o *ontology.Ontology, text string) *TextGoal {
	p := &goalReader{onto: o, goal: &TextGoal{}}
	for _, sentence := range sentenceEnd.Split(text, -1) {
		p.in, p.at = words(sentence), 0
		for p.at < len(p.in) {
			from, before := p.at, p.save()
			if !p.clause() {
				p.restore(before)
				p.skip(from)
			}
		}
	}
	p.settleClasses()
	return p.goal
}

type goalReader struct {
	onto *ontology.Ontology
	in   []string
	at   int
	goal *TextGoal
	refs []reference
	// subjects of the last clause, for what goes on with them.
	subjects []subject
}

// reference is a variable that the text has named so far.
type reference struct {
	variable int
	class    ontology.TermID
	number   int
	states   []ontology.TermID
}

// subject is what a clause speaks of: one variable, or all of a class.
type subject struct {
	variable int
	all      []ontology.Pattern // what tells which, for all of a class
}

func (p *goalReader) word() string {
	if p.at < len(p.in) {
		return p.in[p.at]
	}
	return ""
}

func (p *goalReader) take(any ...string) bool {
	if p.at < len(p.in) && slices.Contains(any, p.in[p.at]) {
		p.at++
		return true
	}
	return false
}

// saved is what was read up to a place.
type saved struct {
	goal TextGoal
	refs []reference
}

func (p *goalReader) save() saved { return saved{*p.goal, p.refs} }

func (p *goalReader) restore(s saved) {
	clip := s.goal
	clip.Vars, clip.Names = slices.Clip(clip.Vars), slices.Clip(clip.Names)
	clip.Patterns, clip.ForAll = slices.Clip(clip.Patterns), slices.Clip(clip.ForAll)
	*p.goal, p.refs, p.subjects = clip, slices.Clip(s.refs), nil
}

// skip passes over a clause that cannot be read, and keeps its words.
func (p *goalReader) skip(from int) {
	p.at = max(p.at, from+1)
	for p.at < len(p.in) && p.in[p.at] != "," {
		p.at++
	}
	text := strings.TrimSpace(strings.Join(p.in[from:p.at], " "))
	if text = strings.Trim(text, " ,"); text != "" {
		p.goal.Unread = append(p.goal.Unread, text)
	}
}

var verbs = []string{"is", "are", "be", "was", "were", "been", "being", "should", "must", "shall", "will", "has", "have", "to", "stays", "stay", "remains", "remain", "stands", "stand", "lies", "lie", "sits", "sit", "rests", "gets", "get", "now", "still", "also", "both", "all", "then", "finally", "back"}

// participles say how something came to where it is.
var participles = []string{"put", "placed", "located", "stored", "served", "kept", "standing", "lying", "sitting", "resting", "positioned", "left", "moved", "found", "set", "laid", "situated", "completely", "fully", "properly", "safely"}

// clause reads a subject and what is said of it, or one more thing said of the last
// subject.
func (p *goalReader) clause() bool {
	for p.take(",", "and", "then", "while", "so") {
	}
	if p.at == len(p.in) {
		return true
	}
	if p.nothingElse() {
		return true
	}
	if p.take("there") {
		return p.existence()
	}
	from := p.at
	if some, ok := p.nouns(); ok && (slices.Contains(verbs, p.word()) || !p.isOrder(from)) {
		switch {
		case slices.Contains(verbs, p.word()):
			p.subjects = some
			return p.predicates()
		case p.word() == "" || p.word() == ",": // "a watered house plant"
			p.subjects = some
			return slices.ContainsFunc(some, p.isDescribed)
		}
	}
	p.at = from
	if len(p.subjects) > 0 {
		return p.predicates()
	}
	return false
}

// isOrder reports whether what begins at a place is told to be done, "serve a mug of
// coffee", rather than to be so.
func (p *goalReader) isOrder(from int) bool {
	n, _ := readNoun(p.onto, p.in[from:])
	return len(n.Unread) > 0 && n.Unread[0] == p.in[from]
}

// isDescribed reports whether anything but its class was said of a subject.
func (p *goalReader) isDescribed(s subject) bool {
	return slices.ContainsFunc(p.goal.Patterns, func(q ontology.Pattern) bool {
		return q.Predicate != p.onto.Core.Type && (q.Subject.Var == s.variable || q.Object.IsVar() && q.Object.Var == s.variable)
	})
}

// existence reads "there is a cup on the table".
func (p *goalReader) existence() bool {
	for p.take(verbs...) {
	}
	some, ok := p.nouns()
	if !ok {
		return false
	}
	p.subjects = some
	if p.at < len(p.in) && p.word() != "," && p.word() != "and" {
		return p.predicates()
	}
	return true
}

// nouns reads "a pear and a knife".
func (p *goalReader) nouns() ([]subject, bool) {
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
		if !p.take("and", ",") {
			return out, true
		}
		for p.take("and") {
		}
		if _, n := readNoun(p.onto, p.in[p.at:]); n == 0 {
			p.at = from
			return out, true
		}
	}
}

// noun reads one noun with what is said of it. Of a subject the place that follows it
// says where it was, of an object where it is.
func (p *goalReader) noun(isSubject bool) ([]subject, bool) {
	rest := p.in[p.at:]
	n, used := readNoun(p.onto, rest)
	if used == 0 || p.onto.HasType(n.Class, p.onto.Core.ObjectGroup) && len(n.Unread) > 0 {
		return nil, false // "their most suitable container" is no particular thing
	}
	p.at += used
	var out []subject
	switch {
	case n.All && isSubject:
		v := p.variable("")
		all := append([]ontology.Pattern{p.typed(v, n.Class)}, p.stated(v, n)...)
		out = []subject{{v, all}}
	case n.Count > 1:
		for range n.Count {
			v := p.newThing(n)
			for _, before := range out {
				p.add(ontology.Pattern{Subject: arg(v), Predicate: p.onto.Core.Differs, Object: arg(before.variable)})
			}
			out = append(out, subject{variable: v})
		}
	default:
		out = []subject{{variable: p.thing(n)}}
	}
	for p.after(out, isSubject) {
	}
	return out, true
}

// after reads what follows a noun: "with an apple inside", "that is turned on", "filled
// with coffee", "of water", "on the table".
func (p *goalReader) after(of []subject, isSubject bool) bool {
	from := p.at
	read := false
	switch w := p.word(); {
	case w == "that" || w == "which" || w == "who":
		p.at++
		for p.take(verbs...) {
		}
		read = p.predicate(of)
		for read && p.continued(of) {
		}
	case w == "with" && !p.startsState():
		p.at++
		read = p.contents(of)
	case w == "without":
		read = p.partOfName()
	case w == "containing" || w == "holding":
		p.at++
		read = p.put(of, p.onto.Core.Within)
	case w == "of":
		read = p.content(of)
	case p.startsState() && !slices.Contains(verbs, w):
		read = p.predicate(of)
	case !isSubject && p.relationAhead():
		read = p.predicate(of)
	}
	if !read {
		p.at = from
	}
	return read
}

// partOfName passes over "without object on top".
func (p *goalReader) partOfName() bool {
	p.at++
	for p.at < len(p.in) && p.word() != "," && p.word() != "and" && !slices.Contains([]string{"is", "are", "should", "must"}, p.word()) {
		p.at++
	}
	return true
}

// contents reads "an apple inside" or "door open" after "with".
func (p *goalReader) contents(of []subject) bool {
	from := p.at
	if inner, ok := p.noun(true); ok {
		relation := p.onto.Core.Within
		if id, n := p.relation(); n > 0 {
			relation = id
			p.at += n
			p.take("top")
			p.take("of")
			p.take("it", "them")
		}
		p.related(inner, relation, of)
		return true
	}
	p.at = from
	for n := min(4, len(p.in)-p.at); n > 0; n-- {
		if st, ok := State(p.onto, strings.Join(p.in[p.at:p.at+n], " ")); ok {
			p.at += n
			p.inState(of, st)
			return true
		}
	}
	return false
}

// content reads what a vessel is full of: "of coffee", "of a heated potato".
func (p *goalReader) content(of []subject) bool {
	p.at++
	for p.take(determiners...) {
	}
	from := p.at
	var states []ontology.TermID // "of warm water"
	for p.at < len(p.in) {
		for n := min(3, len(p.in)-p.at); n > 0; n-- {
			if ids := p.onto.ByLabel("filled with "+strings.Join(p.in[p.at:p.at+n], " "), p.onto.Core.StateClass); len(ids) > 0 {
				p.at += n
				for _, st := range append(states, ids[0]) {
					p.inState(of, st)
				}
				return true
			}
		}
		ids, n := label(p.onto, p.in[p.at:], p.onto.Core.StateClass)
		if n == 0 {
			break
		}
		states = append(states, ids[0])
		p.at += n
	}
	p.at = from
	return p.put(of, p.onto.Core.Within)
}

// put reads a noun that is in or on what was named.
func (p *goalReader) put(in []subject, relation ontology.TermID) bool {
	inner, ok := p.noun(false)
	if ok {
		p.related(inner, relation, in)
	}
	return ok
}

// predicates reads what is said of the subjects of the clause.
func (p *goalReader) predicates() bool {
	for p.take(verbs...) {
	}
	if !p.predicate(p.subjects) {
		return false
	}
	for p.continued(p.subjects) {
	}
	return true
}

// continued reads "and closed", unless another clause begins there.
func (p *goalReader) continued(of []subject) bool {
	from := p.at
	if !p.take("and", ",") {
		return false
	}
	for p.take("and", "it") {
	}
	for p.take(verbs...) {
	}
	if p.startsState() || p.relationAhead() || slices.Contains(participles, p.word()) {
		if p.predicate(of) {
			return true
		}
	}
	p.at = from
	return false
}

// startsState reports whether a state comes next. What is "on" something is in no state.
func (p *goalReader) startsState() bool {
	if p.word() == "not" {
		return true
	}
	_, n := label(p.onto, p.in[p.at:], p.onto.Core.StateClass)
	if _, place := p.relation(); place >= n && n > 0 {
		next := p.in[p.at+place:]
		if _, used := readNoun(p.onto, next); used > 0 || len(next) > 0 && (next[0] == "it" || next[0] == "them") {
			return false
		}
	}
	return n > 0
}

func (p *goalReader) relationAhead() bool {
	_, n := p.relation()
	return n > 0
}

// relation is the relation that the next words name. What is in something may lie on a
// plate in it.
func (p *goalReader) relation() (ontology.TermID, int) {
	switch p.word() {
	case "in", "into", "within":
		return p.onto.Core.Within, 1
	case "onto":
		if ids := p.onto.ByLabel("on", p.onto.Core.SpatialRelation); len(ids) > 0 {
			return ids[0], 1
		}
	}
	ids, n := label(p.onto, p.in[p.at:], p.onto.Core.SpatialRelation)
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
	for p.take(participles...) {
	}
	if p.take("not") {
		ids, n := label(p.onto, p.in[p.at:], p.onto.Core.StateClass)
		if n == 0 || p.onto.Opposite(ids[0]) == ontology.None {
			return false
		}
		p.at += n
		p.inState(of, p.onto.Opposite(ids[0]))
		return true
	}
	if p.startsState() {
		ids, n := label(p.onto, p.in[p.at:], p.onto.Core.StateClass)
		p.at += n
		p.inState(of, ids[0])
		return true
	}
	relation, n := p.relation()
	if n == 0 {
		return false
	}
	p.at += n
	objects, ok := p.noun(false)
	if !ok {
		return false
	}
	p.related(of, relation, objects)
	return true
}

// nothingElse reads "nothing else is in the bowl", after what is to be there was named.
func (p *goalReader) nothingElse() bool {
	from := p.at
	if !(p.take("nothing") && p.take("else")) {
		p.at = from
		return false
	}
	for p.take(verbs...) {
	}
	relation, n := p.relation()
	p.at += n
	objects, ok := p.noun(false)
	if n == 0 || !ok || len(objects) != 1 || len(p.subjects) == 0 {
		p.at = from
		return false
	}
	class := p.classOf(p.subjects[0].variable)
	for _, s := range p.subjects {
		if p.classOf(s.variable) != class {
			p.at = from
			return false // of several classes each would do
		}
	}
	v := p.variable("")
	p.goal.ForAll = append(p.goal.ForAll, ontology.ForAll{
		When:     []ontology.Pattern{{Subject: arg(v), Predicate: relation, Object: arg(objects[0].variable)}},
		Requires: []ontology.Pattern{p.typed(v, class)},
	})
	return true
}
