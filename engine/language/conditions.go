package language

import (
	"slices"
	"strings"

	"github.com/mishap-robotics/mishap/ontology"
)

func arg(v int) ontology.Arg { return ontology.Arg{Var: v, Term: ontology.None} }

func term(t ontology.TermID) ontology.Arg { return ontology.Arg{Var: -1, Term: t} }

func (p *goalReader) add(pattern ontology.Pattern) {
	same := func(q ontology.Pattern) bool {
		return q.Subject == pattern.Subject && q.Predicate == pattern.Predicate && q.Object == pattern.Object
	}
	if !slices.ContainsFunc(p.goal.Patterns, same) {
		p.goal.Patterns = append(p.goal.Patterns, pattern)
	}
}

// say adds a pattern about a subject, or about all of a class, or denies it of them.
func (p *goalReader) say(s subject, pattern ontology.Pattern) {
	if s.none {
		never := ontology.Pattern{Subject: arg(s.variable), Predicate: p.onto.Core.Differs, Object: arg(s.variable)}
		p.goal.ForAll = append(p.goal.ForAll, ontology.ForAll{When: append(slices.Clip(s.all), pattern), Requires: []ontology.Pattern{never}})
		return
	}
	if s.count != nil {
		c := *s.count
		c.Of = append(slices.Clip(c.Of), pattern)
		p.goal.Counts = append(p.goal.Counts, c)
		return
	}
	if s.all == nil {
		p.add(pattern)
		return
	}
	p.goal.ForAll = append(p.goal.ForAll, ontology.ForAll{When: s.all, Requires: []ontology.Pattern{pattern}})
}

func (p *goalReader) related(of []subject, relation ontology.TermID, to []subject) {
	for _, s := range of {
		for _, t := range to {
			p.say(s, ontology.Pattern{Subject: arg(s.variable), Predicate: p.onto.RelationTo(relation, p.kindOf(s), p.kindOf(t)), Object: arg(t.variable)})
		}
	}
}

func (p *goalReader) inState(of []subject, st ontology.TermID) {
	for _, s := range of {
		p.say(s, ontology.Pattern{Subject: arg(s.variable), Predicate: p.onto.Core.State, Object: term(st)})
	}
}

func (p *goalReader) typed(v int, class ontology.TermID) ontology.Pattern {
	return ontology.Pattern{Subject: arg(v), Predicate: p.onto.Core.Type, Object: term(class)}
}

func (p *goalReader) stated(v int, n Noun) []ontology.Pattern {
	var out []ontology.Pattern
	for _, st := range n.States {
		out = append(out, ontology.Pattern{Subject: arg(v), Predicate: p.onto.Core.State, Object: term(st)})
	}
	for _, property := range n.Properties {
		out = append(out, ontology.Pattern{Subject: arg(v), Predicate: p.onto.Core.HasProperty, Object: term(property)})
	}
	return out
}

// bounds are the kinds of words that stand before a number, with what they make of it.
var bounds = []struct {
	kind ontology.WordKind
	op   ontology.Operator
}{{ontology.Exactly, ontology.Equals}, {ontology.NoLess, ontology.AtLeast}, {ontology.NoMore, ontology.AtMost}, {ontology.More, ontology.MoreThan}, {ontology.Less, ontology.LessThan}}

// bound reads a word that says on which side of a number something is to be.
func (p *goalReader) bound() (ontology.Operator, bool) {
	for _, b := range bounds {
		if p.take(b.kind) {
			return b.op, true
		}
	}
	return ontology.NoOperator, false
}

// counted reads "exactly two mugs" and "at most one mug".
func (p *goalReader) counted() (subject, bool) {
	op, ok := p.bound()
	if !ok || op == ontology.AtLeast { // so many things will do
		return subject{}, false
	}
	number, ok := p.number()
	n, used := readNoun(p.onto, p.in[p.at:])
	whole, exact := number.Whole()
	if !ok || used == 0 || number < 0 || !exact || n.Class == ontology.None {
		return subject{}, false
	}
	p.at += used
	v := p.variable("")
	c := &ontology.Count{Var: v, Of: append([]ontology.Pattern{p.typed(v, n.Class)}, p.stated(v, n)...), Most: -1}
	switch k := int(whole); op {
	case ontology.Equals:
		c.Least, c.Most = k, k
	case ontology.AtLeast:
		c.Least = k
	case ontology.AtMost:
		c.Most = k
	case ontology.MoreThan:
		c.Least = k + 1
	case ontology.LessThan:
		c.Most = k - 1
	}
	return subject{variable: v, count: c}, c.Most != 0 || op != ontology.LessThan
}

// measure reads "the temperature of the vaccine is at most 8 degrees".
func (p *goalReader) measure() bool {
	p.takeAll(ontology.Determiner)
	ids, n := label(p.onto, p.in[p.at:], p.onto.Core.Quantity)
	if p.at += n; n == 0 {
		return false
	}
	q := p.onto.Quantity(ids[0])
	if q == nil || !p.take(ontology.Of) && !p.take(ontology.Content) {
		return false
	}
	some, ok := p.noun(true)
	if !ok || !p.take(ontology.Linking) {
		return false
	}
	op, ok := p.bound()
	if !ok {
		op = ontology.Equals
	}
	number, ok := p.number()
	if !ok {
		return false
	}
	if w := p.word(); w != "" && w != "," && !p.take(ontology.UnitWord) && !p.is(ontology.Conjunction) && !p.is(ontology.Deadline) {
		known := false
		for _, unit := range []string{w, strings.ToUpper(w), strings.ToUpper(w[:1]) + w[1:]} { // words are read without their capitals
			if value, err := q.Read(number.Float(), unit); err == nil {
				number, known = value, true
				break
			}
		}
		if !known {
			return false
		}
		p.at++
	}
	p.subjects = some
	for _, s := range some {
		p.say(s, ontology.Pattern{Subject: arg(s.variable), Predicate: q.Term, Object: ontology.Arg{Var: -1, Term: ontology.None}, Measure: ontology.Measure{Operator: op, Number: number, Quantity: ontology.None}})
	}
	return true
}

func (p *goalReader) variable(name string) int {
	v := len(p.goal.Vars)
	p.goal.Vars = append(p.goal.Vars, "?"+string(rune('a'+v%26)))
	p.goal.Names, p.goal.Called = append(p.goal.Names, name), append(p.goal.Called, "")
	return v
}

// thing is the variable that a noun means: one named before, or another.
func (p *goalReader) thing(n Noun) int {
	for _, r := range p.refs {
		if n.Class == ontology.None || r.class == ontology.None {
			if n.Class == r.class && p.goal.Called[r.variable] == n.Text {
				return r.variable
			}
			continue
		}
		alike := p.onto.IsA(r.class, n.Class) || p.onto.IsA(n.Class, r.class)
		if alike && (r.number == n.Number || n.Number == 0) && !p.excluded(r.states, n.States) && !p.excluded(p.told(r.text), n.States) {
			for _, pattern := range p.stated(r.variable, n) {
				p.add(pattern)
			}
			return r.variable
		}
	}
	if v, ok := p.inShort(n); ok {
		return v
	}
	return p.newThing(n)
}

// inShort is what was named before with more words, the last where several were: "the tray"
// after an egg tray.
func (p *goalReader) inShort(n Noun) (int, bool) {
	if !n.Definite || n.Modifiers != "" || n.Number > 0 || n.Count > 0 {
		return 0, false
	}
	for _, r := range slices.Backward(p.refs) {
		if strings.HasSuffix(r.text, " "+n.Text) {
			return r.variable, true
		}
	}
	return 0, false
}

// told are the states that words of a text name: a red cube is red, though that is its class.
func (p *goalReader) told(text string) (out []ontology.TermID) {
	for _, w := range strings.Fields(text) {
		if ids, n := stateLabel(p.onto, []string{w}); n > 0 {
			out = append(out, ids...)
		}
	}
	return out
}

// excluded reports whether two nouns cannot mean one thing: one is white, one blue.
func (p *goalReader) excluded(a, b []ontology.TermID) bool {
	for _, x := range a {
		for _, y := range b {
			if p.onto.StateIs(x, y) < 0 {
				return true
			}
		}
	}
	return false
}

func (p *goalReader) newThing(n Noun) int {
	v := p.variable(n.Name(p.onto))
	if n.Modifiers != "" && len(n.States) == 0 {
		p.goal.Called[v] = n.Specific(p.onto)
	}
	p.refs = append(p.refs, reference{v, n.Class, n.Number, n.States, n.Text})
	if n.Class == ontology.None {
		p.goal.Called[v] = n.Text
		return v
	}
	p.add(p.typed(v, n.Class))
	for _, pattern := range p.stated(v, n) {
		p.add(pattern)
	}
	return v
}

func (p *goalReader) classOf(v int) ontology.TermID {
	for _, r := range p.refs {
		if r.variable == v {
			return r.class
		}
	}
	return ontology.None
}

// kindOf is the class of what a clause speaks of, or None.
func (p *goalReader) kindOf(s subject) ontology.TermID {
	for _, q := range s.all {
		if q.Predicate == p.onto.Core.Type {
			return q.Object.Term
		}
	}
	return p.classOf(s.variable)
}

// settlePlaces leaves out where something was in passing, if it is to be elsewhere in the
// end: "heated in the microwave and then put on the table".
func (p *goalReader) settlePlaces() {
	g := p.goal
	isPlace := func(q ontology.Pattern) bool {
		return q.Subject.IsVar() && q.Object.IsVar() && p.onto.IsSub(q.Predicate, p.onto.Core.Within)
	}
	var out []ontology.Pattern
	var left []int // places that are not said any more
	for i, q := range g.Patterns {
		later := slices.ContainsFunc(g.Patterns[i+1:], func(r ontology.Pattern) bool { return isPlace(r) && r.Subject == q.Subject && r.Object != q.Object })
		if !isPlace(q) || !later || !slices.Contains(p.passing, q) {
			out = append(out, q)
		} else {
			left = append(left, q.Object.Var)
		}
	}
	said := func(v int) bool {
		return slices.ContainsFunc(out, func(q ontology.Pattern) bool {
			return q.Predicate != p.onto.Core.Type && (q.Subject.Var == v || q.Object.IsVar() && q.Object.Var == v)
		})
	}
	g.Patterns = slices.DeleteFunc(out, func(q ontology.Pattern) bool {
		return q.Predicate == p.onto.Core.Type && slices.Contains(left, q.Subject.Var) && !said(q.Subject.Var)
	})
}

// settleLiquids takes a liquid that is in something for the state of that: where tea is
// in the cup, the cup is filled with tea.
func (p *goalReader) settleLiquids() {
	g := p.goal
	for i := range g.Patterns {
		in := g.Patterns[i]
		if !in.Subject.IsVar() || !in.Object.IsVar() || !p.onto.IsSub(in.Predicate, p.onto.Core.Within) {
			continue
		}
		st := FilledWith(p.onto, p.classOf(in.Subject.Var))
		if st == ontology.None || !p.hasDimension(p.classOf(in.Object.Var), st) {
			continue
		}
		g.Patterns[i] = ontology.Pattern{Subject: in.Object, Predicate: p.onto.Core.State, Object: term(st)}
		for k := range g.Patterns {
			switch q := &g.Patterns[k]; {
			case q.Subject.Var != in.Subject.Var:
			case q.Predicate == p.onto.Core.Type:
				q.Predicate = ontology.None
			case q.Predicate == p.onto.Core.State: // warm, of the water in it
				q.Subject = in.Object
			}
		}
	}
	g.Patterns = slices.DeleteFunc(g.Patterns, func(q ontology.Pattern) bool { return q.Predicate == ontology.None })
}

// settleContents takes what is said of a liquid in no vessel, "the water has boiled", for not
// read: of liquids nothing is known but what they fill.
func (p *goalReader) settleContents() {
	g := p.goal
	var out []ontology.Pattern
	for _, q := range g.Patterns {
		if class := p.classOf(q.Subject.Var); q.Predicate == p.onto.Core.State && q.Subject.IsVar() && !q.Object.IsVar() && FilledWith(p.onto, class) != ontology.None && !p.hasDimension(class, q.Object.Term) {
			g.Unread = append(slices.Clip(g.Unread), g.Names[q.Subject.Var]+" "+p.onto.Name(q.Object.Term))
			continue
		}
		out = append(out, q)
	}
	g.Patterns = out
}

// settleStates leaves out of two states that exclude each other the one by which a thing is
// known before: "the dirty plate is clean" asks for a clean one.
func (p *goalReader) settleStates() {
	g := p.goal
	var out []ontology.Pattern
	for i, q := range g.Patterns {
		changed := q.Predicate == p.onto.Core.State && slices.ContainsFunc(g.Patterns[i+1:], func(r ontology.Pattern) bool {
			return r.Predicate == p.onto.Core.State && r.Subject == q.Subject && p.onto.StateIs(r.Object.Term, q.Object.Term) < 0
		})
		if !changed {
			out = append(out, q)
		}
	}
	g.Patterns = out
}

// hasDimension reports whether things of a class are in some state of the dimension of
// one, unless something is done to them.
func (p *goalReader) hasDimension(class, st ontology.TermID) bool {
	return slices.ContainsFunc(p.onto.DefaultStates(class), func(d ontology.TermID) bool { return p.onto.Dimension(d) == p.onto.Dimension(st) })
}

// settleClasses takes a class in a state that means another form for that form: a
// sliced carrot is a carrot slice.
func (p *goalReader) settleClasses() {
	g := p.goal
	for i := range g.Patterns {
		is := &g.Patterns[i]
		if is.Predicate != p.onto.Core.State || !is.Subject.IsVar() {
			continue
		}
		t := slices.IndexFunc(g.Patterns, func(q ontology.Pattern) bool {
			return q.Predicate == p.onto.Core.Type && q.Subject.Var == is.Subject.Var
		})
		if t < 0 {
			continue
		}
		if forms := p.onto.FormsIn(g.Patterns[t].Object.Term, is.Object.Term); len(forms) > 0 {
			form := p.onto.Canonical(forms[0])
			g.Patterns[t].Object.Term = form
			if !strings.Contains(g.Names[is.Subject.Var], "-") {
				g.Names[is.Subject.Var] = p.onto.Name(form)
			}
			is.Predicate = ontology.None
		}
	}
	g.Patterns = slices.DeleteFunc(g.Patterns, func(q ontology.Pattern) bool { return q.Predicate == ontology.None })
}

// kept says of each subject that it is in what its class is kept in, the first of several.
func (p *goalReader) kept(of []subject) bool {
	for _, s := range of {
		places := p.onto.KeptIn(p.kindOf(s))
		if len(places) == 0 {
			return false
		}
		in := p.thing(Noun{Class: places[0], Text: p.onto.Name(places[0])})
		p.say(s, ontology.Pattern{Subject: arg(s.variable), Predicate: p.onto.Core.Within, Object: arg(in)})
	}
	return len(of) > 0
}
