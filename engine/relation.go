package engine

import (
	"slices"

	"github.com/mishap-robotics/mishap/engine/internal/fact"
	"github.com/mishap-robotics/mishap/ontology"
	"github.com/mishap-robotics/mishap/rules"
)

// The facts that tell of relations, which are an argument of them.
var (
	seenRelation    = rules.Indicator{Name: "seen_relation", Arity: 4}
	lastingRelation = rules.Indicator{Name: "related", Arity: 4}
)

// RelationPredicates are the predicates that goals, and not rules, have for the relations of
// the ontology by their names: near(S, A, B) says that the observation of S shows A near B,
// or shows a relation that implies it (B near A, as the relation is symmetric). Of a relation
// that lasts it says what is believed after S. A relation that has the name of a fact, of a
// rule or of a predicate in Go has none.
func (r *Reasoner) RelationPredicates() []rules.Predicate {
	if r.usable() != nil {
		return nil
	}
	var out []rules.Predicate
	o := r.Ontology
	for i := range o.Terms {
		id := ontology.TermID(i)
		if !o.HasType(id, o.Core.Relation) {
			continue
		}
		doc := "The observation of S shows this relation, or one that implies it."
		if o.Persistent(id) {
			doc = "After S the first object is believed to have this lasting relation to the second."
		}
		p := rules.Predicate{Name: o.Terms[i].Name, Args: []rules.ArgKind{rules.StepArg, rules.ObjectArg, rules.ObjectArg}, Doc: doc}
		if of := p.Indicator(); !r.defines(of) {
			out = append(out, p)
		}
	}
	return out
}

// defines reports whether a predicate is that of a fact, a rule or a host, or built in.
func (r *Reasoner) defines(of rules.Indicator) bool {
	return rules.IsBuiltin(of) || len(r.rules.Defining(of)) > 0 || r.builtins[of] != nil ||
		slices.ContainsFunc(fact.Vocabulary(), func(p rules.Predicate) bool { return p.Indicator() == of })
}

// InFacts is a goal with the facts that it means in place of RelationPredicates, in goals
// within it too. The goal itself stays as it is.
func (r *Reasoner) InFacts(goal *rules.Term) *rules.Term {
	if goal == nil || r.usable() != nil {
		return goal
	}
	o := r.Ontology
	return goal.MapCalls(func(g *rules.Term) *rules.Term {
		of := g.Indicator()
		id, ok := o.Lookup(of.Name)
		switch {
		case !ok || of.Arity != 3 || !o.HasType(id, o.Core.Relation) || r.defines(of):
			return g
		case o.Persistent(id):
			return relationFact(lastingRelation, g, of.Name, false)
		}
		return r.shown(g, id)
	})
}

// shown is a goal for what an observation shows of a relation: each pair once, also where it
// is told in several ways.
func (r *Reasoner) shown(goal *rules.Term, relation ontology.TermID) *rules.Term {
	o := r.Ontology
	var ways, swapped []*rules.Term
	for i := range o.Terms {
		id := ontology.TermID(i)
		if o.IsSub(id, relation) {
			ways = append(ways, relationFact(seenRelation, goal, o.Terms[i].Name, false))
		}
		if o.Symmetric(relation) && o.IsSub(id, relation) || o.IsSub(id, o.Inverse(relation)) {
			swapped = append(swapped, relationFact(seenRelation, goal, o.Terms[i].Name, true))
		}
	}
	ways = append(ways, swapped...) // those first that have the variables in the order of the goal
	at := func(name string, args ...*rules.Term) *rules.Term {
		return &rules.Term{Kind: rules.Compound, Name: name, Args: args, Pos: goal.Pos}
	}
	out := ways[len(ways)-1]
	for i := len(ways) - 2; i >= 0; i-- {
		out = at(";", ways[i], at(",", out, at(`\+`, ways[i])))
	}
	return out
}

// relationFact is a goal for a fact of a relation between the objects of a goal.
func relationFact(of rules.Indicator, goal *rules.Term, relation string, swapped bool) *rules.Term {
	a, b := goal.Args[1], goal.Args[2]
	if swapped {
		a, b = b, a
	}
	name := &rules.Term{Kind: rules.Atom, Name: relation, Pos: goal.Pos}
	return &rules.Term{Kind: rules.Compound, Name: of.Name, Args: []*rules.Term{goal.Args[0], a, name, b}, Pos: goal.Pos}
}
