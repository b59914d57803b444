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

var sentenceEnd = regexp.MustCompile(`[.;:!]\s*(?:\s|$)|\n`)

// ReadGoal reads a goal in words, "a pot is filled with water, the pot is on top of a
// stove burner that is turned on": conditions that have to hold together. A class means
// some object of it, the same one wherever the class stands; "the mugs" are all there
// are. What is told to be done, "put the mug in the sink", is to be so in the end.
func ReadGoal(o *ontology.Ontology, text string) *TextGoal {
	p := &goalReader{onto: o, goal: &TextGoal{}}
	for _, sentence := range sentenceEnd.Split(text, -1) {
		p.in, p.at = words(sentence), 0
		for p.at < len(p.in) {
			if from := p.at; !p.try(p.clause) {
				p.skip(from)
			}
		}
	}
	p.settlePlaces()
	p.settleLiquids()
	p.settleClasses()
	return p.goal
}

// try reads something; where it cannot be read, it is as if nothing of it had been.
func (p *goalReader) try(read func() bool) bool {
	from, before := p.at, p.save()
	if read() && p.at > from {
		return true
	}
	p.restore(before)
	p.at = from
	return false
}

type goalReader struct {
	onto *ontology.Ontology
	in   []string
	at   int
	goal *TextGoal
	refs []reference
	// subjects of the last clause, for what goes on with them; named is what was named last.
	subjects, named []subject
	actions         *Actions // once asked for
	// passing are the patterns that say where something came to be as it is:
	// "heated in the microwave".
	passing []ontology.Pattern
	ordered []ontology.Pattern // what is told to be done brings about
}

// reference is a variable that the text has named so far.
type reference struct {
	variable int
	class    ontology.TermID
	number   int
	states   []ontology.TermID
}

// subject is what a clause speaks of: one variable, or all of a class, or none of it.
type subject struct {
	variable int
	all      []ontology.Pattern // what tells which, for all of a class
	none     bool
}

func (p *goalReader) word() string {
	if p.at < len(p.in) {
		return p.in[p.at]
	}
	return ""
}

// take passes over function words of a kind.
func (p *goalReader) take(kind ontology.WordKind) bool {
	n := WordsOf(p.onto, p.in[p.at:], kind)
	p.at += n
	return n > 0
}

// takeAll passes over any number of function words of some kinds.
func (p *goalReader) takeAll(kinds ...ontology.WordKind) {
	for slices.ContainsFunc(kinds, p.take) {
	}
}

func (p *goalReader) is(kind ontology.WordKind) bool {
	return WordsOf(p.onto, p.in[p.at:], kind) > 0
}

func (p *goalReader) comma() bool {
	if p.word() != "," {
		return false
	}
	p.at++
	return true
}

// join passes over what joins clauses.
func (p *goalReader) join() bool {
	from := p.at
	for p.comma() || p.take(ontology.Conjunction) {
	}
	return p.at > from
}

// saved is what was read up to a place.
type saved struct {
	goal            TextGoal
	refs            []reference
	subjects, named []subject
}

func (p *goalReader) save() saved { return saved{*p.goal, p.refs, p.subjects, p.named} }

func (p *goalReader) restore(s saved) {
	clip := s.goal
	clip.Vars, clip.Names = slices.Clip(clip.Vars), slices.Clip(clip.Names)
	clip.Patterns, clip.ForAll = slices.Clip(clip.Patterns), slices.Clip(clip.ForAll)
	*p.goal, p.refs, p.subjects, p.named = clip, slices.Clip(s.refs), s.subjects, s.named
}

// skip passes over a clause that cannot be read, and keeps its words: as far as a comma,
// or a conjunction after which another can be read.
func (p *goalReader) skip(from int) {
	p.join()
	from = max(from, p.at)
	for p.at++; p.at < len(p.in) && p.word() != ","; p.at++ {
		if p.is(ontology.Conjunction) && p.readsOn() {
			break
		}
	}
	p.at = min(p.at, len(p.in))
	p.doubt(p.in[min(from, p.at):p.at])
	p.subjects = nil
	if text := strings.Join(p.in[min(from, p.at):p.at], " "); text != "" {
		p.goal.Unread = append(p.goal.Unread, text)
	}
}

// readsOn reports whether a clause that names its subject can be read from here on.
func (p *goalReader) readsOn() bool {
	from, before, subjects := p.at, p.save(), p.subjects
	p.subjects = nil
	ok := p.try(p.clause)
	p.restore(before)
	p.at, p.subjects = from, subjects
	return ok
}

// clause reads a subject and what is said of it, or one more thing said of the last
// subject.
func (p *goalReader) clause() bool {
	joined := p.join()
	p.takeAll(ontology.Opening)
	switch {
	case p.at == len(p.in):
		return true
	case joined && len(p.named) > 0 && p.is(ontology.Relative):
		p.take(ontology.Relative)
		p.subjects = p.named
		return p.predicates()
	case p.try(p.command), p.try(p.nothing), p.try(p.onlyThere), p.try(p.partSaid):
		return true
	case p.take(ontology.Existential):
		return p.existence()
	}
	if p.try(p.statement) {
		return true
	}
	if !p.take(ontology.Pronoun) && !joined && p.relationAhead() {
		defer p.pass(len(p.goal.Patterns))
	}
	return len(p.subjects) > 0 && p.predicates()
}

// pass notes the patterns from an index on as places in passing.
func (p *goalReader) pass(from int) {
	if from < len(p.goal.Patterns) {
		p.passing = append(p.passing, p.goal.Patterns[from:]...)
	}
}

// statement reads a subject and what is said of it: "the mug is in the sink", "lamp off".
func (p *goalReader) statement() bool {
	from := p.at
	some, ok := p.nouns()
	if !ok {
		return false
	}
	p.subjects = some
	switch {
	case p.is(ontology.Holding) && p.try(func() bool { return p.holds(some) }):
		return true
	case p.is(ontology.Linking), p.is(ontology.Negation):
		return p.predicates()
	case p.isOrder(from):
		return false
	case p.at == len(p.in), p.word() == ",", p.is(ontology.Conjunction): // "a watered house plant", "lamp off"
		return slices.ContainsFunc(some, p.isDescribed)
	}
	return p.try(p.wasAt) || p.predicates() // "mug in sink"
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
	p.takeAll(ontology.Linking)
	if p.try(p.nothing) {
		return true
	}
	some, ok := p.nouns()
	if !ok {
		return false
	}
	p.subjects = some
	if p.at < len(p.in) && p.word() != "," && !p.is(ontology.Conjunction) {
		return p.predicates()
	}
	return true
}
