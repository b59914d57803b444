package datalog

import (
	"slices"

	"github.com/mishap-robotics/mishap/engine/internal/fact"
	"github.com/mishap-robotics/mishap/rules"
)

// side tells of which steps a scan needs the facts.
type side uint8

const (
	all   side = iota
	first      // the first that has any
	last       // the last
)

// nearest tells whether a goal over facts of a step that has no value yet can hold of the
// first or of the last such step only, because a helper predicate that is not to hold asks
// for a fact like it nearer by: action(S, pick_up), S < T, \+ picked_up_between(S, T).
func (r ordering) nearest(it *item, items []item) side {
	pred, ok := fact.Number(it.goal.Indicator())
	if !ok || it.demand || fact.Kind(pred, 0) != rules.StepArg {
		return all
	}
	if step := it.goal.Args[0]; step.Kind != rules.Variable || r.has(r.scope.vars[step.Name]) {
		return all
	}
	limits := r.limitsFor(it.goal.Args[0], items)
	for _, other := range items {
		if !r.program.asksFor(other.goal, it.goal) {
			continue
		}
		if body := r.program.between(other.goal.Args[0]); body != nil {
			if s := r.nearer(it.goal, body, limits); s != all {
				return s
			}
		}
	}
	return all
}

// between is the body of a helper predicate of one clause with the arguments that a goal
// gives it, nil where it is none. Names of other variables are such as no rule can have.
func (p *Program) between(call *rules.Term) []*rules.Term {
	of := p.rules.Defining(call.Indicator())
	if len(of) != 1 {
		return nil
	}
	values := map[string]*rules.Term{}
	for i, h := range of[0].Head.Args {
		if h.Kind != rules.Variable || values[h.Name] != nil {
			return nil
		}
		values[h.Name] = call.Args[i]
	}
	for _, v := range of[0].Variables() {
		if values[v] == nil {
			values[v] = &rules.Term{Kind: rules.Variable, Name: own + v}
		}
	}
	var out []*rules.Term
	for _, g := range of[0].Body {
		out = append(out, g.With(values))
	}
	return out
}

// nearerThan reports whether a goal is that no helper predicate finds a fact like that of
// another goal: what it is of is most likely the nearest step.
func (p *Program) nearerThan(goal, g *rules.Term) bool {
	return goal.Args[0].Kind == rules.Variable && p.asksFor(g, goal) && slices.Contains(g.Variables(), goal.Args[0].Name)
}

// asksFor reports whether a goal is that no helper predicate of one clause finds a fact like
// that of another goal.
func (p *Program) asksFor(g, goal *rules.Term) bool {
	if !g.Is(`\+`, 1) {
		return false
	}
	of := p.rules.Defining(g.Args[0].Indicator())
	return len(of) == 1 && slices.ContainsFunc(of[0].Body, func(b *rules.Term) bool { return b.Indicator() == goal.Indicator() })
}

// own begins the names of variables that only a helper predicate has.
const own = " "

func isOwn(t *rules.Term) bool { return t.Kind == rules.Variable && t.Name[:1] == own }

// nearer tells on which side of the facts of a goal other goals, which are not to hold, find
// further ones of the goal.
func (r ordering) nearer(goal *rules.Term, body []*rules.Term, limits []limitAt) side {
	at := slices.IndexFunc(body, func(g *rules.Term) bool { return g.Indicator() == goal.Indicator() })
	if at < 0 || !isOwn(body[at].Args[0]) || !r.likewise(goal, body, at) {
		return all
	}
	step, out := body[at].Args[0].Name, all
	for i, g := range body {
		if i == at {
			continue
		}
		op, than, ok := compared(g, step)
		switch {
		case !ok:
			return all
		case than.Kind != rules.Variable || than.Name != goal.Args[0].Name:
			if !r.bounded(op, than, limits) {
				return all
			}
		case op == greater && out == all:
			out = last
		case op == less && out == all:
			out = first
		default:
			return all
		}
	}
	return out
}

// likewise reports whether one of some goals finds at another step all that a goal finds.
func (r ordering) likewise(goal *rules.Term, body []*rules.Term, at int) bool {
	for i, a := range body[at].Args[1:] {
		of := goal.Args[i+1]
		switch {
		case isOwn(a):
			for k, g := range body { // it may be anything
				if k != at && slices.Contains(g.Variables(), a.Name) {
					return false
				}
			}
			if slices.ContainsFunc(body[at].Args[:i+1], func(b *rules.Term) bool { return b.Kind == rules.Variable && b.Name == a.Name }) {
				return false
			}
		case a.Kind != of.Kind || a.Name != of.Name || a.Int != of.Int || a.Kind == rules.Compound:
			return false
		case a.Kind == rules.Variable && !r.has(r.scope.vars[a.Name]):
			return false
		}
	}
	return true
}

// compared is how a goal compares a variable with something.
func compared(g *rules.Term, variable string) (op comparison, than *rules.Term, ok bool) {
	op, ok = comparisons[g.Name]
	if !ok || op > atLeast || len(g.Args) != 2 {
		return 0, nil, false
	}
	x, y := g.Args[0], g.Args[1]
	if y.Kind == rules.Variable && y.Name == variable {
		x, y = y, x
		op = [...]comparison{greater, less, atLeast, atMost}[op]
	}
	return op, y, x.Kind == rules.Variable && x.Name == variable && y.Kind != rules.Compound && y.Kind != rules.Atom
}

// bounded reports whether all steps within limits compare so with something.
func (r ordering) bounded(op comparison, than *rules.Term, limits []limitAt) bool {
	if isOwn(than) || than.Kind == rules.Variable && !r.has(r.scope.vars[than.Name]) {
		return false
	}
	o := r.operand(r.scope, than)
	return slices.ContainsFunc(limits, func(l limitAt) bool {
		if l.of.op != 0 || l.of.operand != o {
			return false
		}
		switch op {
		case greater:
			return l.low && l.add >= 1
		case atLeast:
			return l.low && l.add >= 0
		case less:
			return !l.low && l.add <= -1
		}
		return !l.low && l.add <= 0
	})
}
