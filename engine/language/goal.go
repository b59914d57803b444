package language

import (
	"regexp"
	"slices"
	"strings"

	"github.com/mishap-robotics/mishap/ontology"
	"github.com/mishap-robotics/mishap/ontology/decimal"
)

// TextGoal is a goal as a text states it.
type TextGoal struct {
	ontology.Goal
	// Names are what the variables are called in the text: "StoveBurner-2" is that one,
	// "StoveBurner" some object of the class. Variables of a ForAll have none.
	Names []string
	// Called are the words by which the text calls them, "glass bin", where those say more
	// than their class.
	Called []string
	// Things are the names by which the text calls variables as a log does; nil where it
	// calls none so.
	Things map[int]string
	// Unread are the parts of the text that could not be read.
	Unread []string
}

// Empty reports whether nothing of the text could be read.
func (g *TextGoal) Empty() bool { return g.IsEmpty() }

var sentenceEnd = regexp.MustCompile(`[.;:!]+\s*(?:\s|$)|\n`)

// longestQuote is how much of a text from a log a message shows, in bytes.
const longestQuote = 60

// MaxGoal is how long a goal in words may be that is read, in bytes.
const MaxGoal = 16 << 10

// ReadGoal reads a goal in words, "a pot is filled with water, the pot is on top of a
// stove burner that is turned on": conditions that have to hold together. A class means
// some object of it, the same one wherever the class stands; "the mugs" are all there
// are. What is told to be done, "put the mug in the sink", is to be so in the end. Nothing of
// a text longer than MaxGoal is read.
func ReadGoal(o *ontology.Ontology, text string) *TextGoal {
	if len(text) > MaxGoal {
		return &TextGoal{Unread: []string{strings.ToValidUTF8(text[:longestQuote], "") + "…"}}
	}
	p := &goalReader{onto: o, goal: &TextGoal{}}
	for _, sentence := range sentenceEnd.Split(remarksApart(o, withoutPeople(o, inWords(o, text))), -1) {
		p.sentence(Words(sentence))
	}
	p.settlePlaces()
	p.settleLiquids()
	p.settleContents()
	p.settleStates()
	p.settleClasses()
	return p.goal
}

// remarksApart puts what a text says in parentheses behind it, as sentences of their own, but
// for numbers, states and names of things: "the scissors (mind the blades) are in the drawer".
func remarksApart(o *ontology.Ontology, text string) string {
	var said []string
	rest := remark.ReplaceAllStringFunc(text, func(part string) string {
		in := Words(part)
		noun, used := readNoun(o, in)
		if _, n := stateLabel(o, in); n == len(in) || used > 0 && len(noun.Unread) == 0 || strings.Trim(part, "()0123456789 ") == "" {
			return part
		}
		said = append(said, strings.Trim(part, "()"))
		return " "
	})
	return strings.Join(append([]string{rest}, said...), "\n")
}

// sentence reads a sentence. Where it says what comes first, all but the last of its parts
// are to come about in turn.
func (p *goalReader) sentence(in []string) {
	for _, part := range p.parts(in) {
		p.in, p.at = part.words, 0
		from, all := len(p.goal.Patterns), len(p.goal.ForAll)+len(p.goal.Counts)
		for p.at < len(p.in) {
			if from := p.at; !p.try(p.deadline) && !p.try(p.clause) {
				p.skip(from)
			}
		}
		if part.first && from < len(p.goal.Patterns) {
			p.comesFirst(from)
		}
		if part.first && all < len(p.goal.ForAll)+len(p.goal.Counts) { // their order is not kept
			p.goal.Unread = append(p.goal.Unread, "first "+strings.Join(part.words, " "))
		}
	}
}

// part is a part of a sentence, which is to come about before the next where first is true.
type part struct {
	words []string
	first bool
}

// parts are those of "first …, then …, finally …", else the whole.
func (p *goalReader) parts(in []string) []part {
	n := WordsOf(p.onto, in, ontology.First)
	if n == 0 {
		return []part{{in, false}}
	}
	rest := in[n:]
	for len(rest) > 0 && rest[0] == "," {
		rest = rest[1:]
	}
	if noun, used := readNoun(p.onto, rest); used > 0 && len(noun.Unread) == 0 && noun.Number == 0 && noun.Count == 0 && !noun.All && !noun.None && WordsOf(p.onto, rest, ontology.Determiner) == 0 {
		return []part{{in, false}} // "first stove burner"
	}
	var out []part
	in = rest
	for at := 0; at < len(in); {
		k := WordsOf(p.onto, in[at:], ontology.Afterwards)
		if k == 0 {
			at++
			continue
		}
		before := in[:at]
		for len(before) > 0 && before[len(before)-1] == "," {
			before = before[:len(before)-1]
		}
		if len(before) > 0 {
			out = append(out, part{before, true})
		}
		in, at = in[at+k:], 0
	}
	return append(out, part{in, false})
}

// comesFirst makes of the conditions from an index on what is to come about before the rest;
// what says which things are meant stays.
func (p *goalReader) comesFirst(from int) {
	g := p.goal
	said := slices.Clone(g.Patterns[from:])
	g.Patterns = g.Patterns[:from:from]
	var first []ontology.Pattern
	for _, q := range said {
		if q.Predicate == p.onto.Core.Type || q.Predicate == p.onto.Core.Differs {
			g.Patterns = append(g.Patterns, q)
		} else {
			first = append(first, q)
		}
	}
	if len(first) > 0 {
		g.First = append(g.First, first)
	}
}

// deadline reads "within ten minutes".
func (p *goalReader) deadline() bool {
	p.join()
	if !p.take(ontology.Deadline) {
		return false
	}
	number, ok := p.number()
	if !ok || p.at == len(p.in) {
		return false
	}
	seconds, ok := p.onto.TimeUnit(p.word())
	if !ok || number <= 0 {
		return false
	}
	p.at++
	within, err := decimal.Mul(number, decimal.Decimal(seconds)*decimal.One)
	p.goal.Within = within
	return err == nil
}

// number reads a number, in digits or as a word.
func (p *goalReader) number() (decimal.Decimal, bool) {
	w := p.word()
	if w == "" {
		return 0, false
	}
	p.at++
	if n, ok := p.onto.Cardinal(w); ok {
		return decimal.Decimal(n) * decimal.One, true
	}
	if p.onto.IsWord(w, ontology.Determiner) { // "an hour", "one mug"
		return decimal.One, true
	}
	d, err := decimal.Parse(w)
	return d, err == nil
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
	// subjects of the last clause, for what goes on with them; named is what was named last, and
	// earlier what before the subject.
	subjects, named, earlier []subject
	actions                  *Actions // once asked for
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
	text     string // what named it
}

// subject is what a clause speaks of: one variable, or all of a class, or none of it.
type subject struct {
	variable int
	all      []ontology.Pattern // what tells which, for all of a class
	none     bool
	count    *ontology.Count // how many of a class; Of is what tells which
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
	joined := p.at > from
	p.takeAll(ontology.Closing)
	return joined
}

// saved is what was read up to a place.
type saved struct {
	goal                     TextGoal
	refs                     []reference
	subjects, named, earlier []subject
}

func (p *goalReader) save() saved { return saved{*p.goal, p.refs, p.subjects, p.named, p.earlier} }

func (p *goalReader) restore(s saved) {
	clip := s.goal
	clip.Vars, clip.Names, clip.Called = slices.Clip(clip.Vars), slices.Clip(clip.Names), slices.Clip(clip.Called)
	clip.Patterns, clip.ForAll = slices.Clip(clip.Patterns), slices.Clip(clip.ForAll)
	clip.Counts, clip.First = slices.Clip(clip.Counts), slices.Clip(clip.First)
	*p.goal, p.refs, p.subjects, p.named, p.earlier = clip, slices.Clip(s.refs), s.subjects, s.named, s.earlier
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
	begins := joined || p.at == 0
	p.takeAll(ontology.Opening)
	switch {
	case p.at == len(p.in):
		return true
	case joined && len(p.named) > 0 && p.is(ontology.Relative):
		p.take(ontology.Relative)
		p.subjects = p.named
		return p.predicates()
	case joined && p.is(ontology.Having) && p.try(func() bool { p.take(ontology.Having); return p.statement() }): // ", with the fridge door closed"
		return true
	case p.try(p.measure), p.try(p.deadline):
		return true
	case begins && (p.try(p.made) || p.try(p.filled)), p.try(p.command), begins && p.try(p.makeSo), p.try(p.nothing), p.try(p.onlyThere), p.try(p.partSaid):
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
	return len(p.subjects) > 0 && !p.isUnreadOrder() && p.predicates()
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
