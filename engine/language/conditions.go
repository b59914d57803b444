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

// say adds a pattern about a subject, or about all of a class.
func (p *goalReader) say(s subject, pattern ontology.Pattern) {
	if s.all == nil {
		p.add(pattern)
		return
	}
	p.goal.ForAll = append(p.goal.ForAll, ontology.ForAll{When: s.all, Requires: []ontology.Pattern{pattern}})
}

func (p *goalReader) related(of []subject, relation ontology.TermID, to []subject) {
	for _, s := range of {
		for _, t := range to {
			p.say(s, ontology.Pattern{Subject: arg(s.variable), Predicate: relation, Object: arg(t.variable)})
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

func (p *goalReader) variable(name string) int {
	v := len(p.goal.Vars)
	p.goal.Vars = append(p.goal.Vars, "?"+string(rune('a'+v%26)))
	p.goal.Names = append(p.goal.Names, name)
	return v
}

// thing is the variable that a noun means: one named before, or another.
func (p *goalReader) thing(n Noun) int {
	for _, r := range p.refs {
		alike := p.onto.IsA(r.class, n.Class) || p.onto.IsA(n.Class, r.class)
		if alike && (r.number == n.Number || n.Number == 0) && !p.excluded(r.states, n.States) {
			for _, pattern := range p.stated(r.variable, n) {
				p.add(pattern)
			}
			return r.variable
		}
	}
	return p.newThing(n)
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
	p.refs = append(p.refs, reference{v, n.Class, n.Number, n.States})
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
