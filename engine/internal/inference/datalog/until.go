package datalog

import (
	"slices"

	"github.com/mishap-robotics/mishap/engine/internal/fact"
	"github.com/mishap-robotics/mishap/rules"
)

// walk is a scan over the facts of steps from which goals after it take the step.
type walk struct {
	op    int32
	step  string // the variable
	bound []bool // registers that had a value before it
}

// walkOver is the walk that a goal over facts begins; ok is false where it begins none.
func (r ordering) walkOver(it *item) (w walk, ok bool) {
	pred, isFact := fact.Number(it.goal.Indicator())
	if !isFact || it.demand || fact.Kind(pred, 0) != rules.StepArg {
		return walk{}, false
	}
	step := it.goal.Args[0]
	if step.Kind != rules.Variable || r.has(r.scope.vars[step.Name]) {
		return walk{}, false
	}
	return walk{op: int32(len(r.ops)), step: step.Name, bound: slices.Clone(r.bound)}, true
}

// endedBy is the first of some walks that is over where a goal fails, as it then fails with
// every later step too: seen(T, O), T > S, \+ moved(S, T, O), of which the helper predicate
// asks for something before T.
func (r ordering) endedBy(g *rules.Term, walks []walk) (op int32, ok bool) {
	if !g.Is(`\+`, 1) {
		return 0, false
	}
	call := g.Args[0]
	for _, w := range walks {
		at := slices.IndexFunc(call.Args, func(a *rules.Term) bool { return a.Kind == rules.Variable && a.Name == w.step })
		if at < 0 || !r.program.holdsLater(call, at) {
			continue
		}
		others := slices.Delete(slices.Clone(call.Args), at, at+1)
		if !slices.ContainsFunc(others, func(a *rules.Term) bool { return !r.hadValue(a, w) }) {
			return w.op, true
		}
	}
	return 0, false
}

// hadValue reports whether an argument is the same for all steps of a walk.
func (r ordering) hadValue(a *rules.Term, w walk) bool {
	if a.Kind != rules.Variable {
		return a.Kind != rules.Compound
	}
	if isOwn(a) || a.Name == w.step {
		return false
	}
	o := r.scope.vars[a.Name]
	return o.constant() || int(o.reg) < len(w.bound) && w.bound[o.reg]
}

// holdsLater reports whether a helper predicate that holds with a step as its argument at a
// place holds with any later one: it asks only what comes before it.
func (p *Program) holdsLater(call *rules.Term, at int) bool {
	of := p.rules.Defining(call.Indicator())
	if len(of) == 0 {
		return false
	}
	k := asked{of: call.Indicator(), known: uint32(at)}
	out, met := p.lasting[k]
	if !met {
		out = !p.rules.Recurs(call) && !p.asksHost(call) && !slices.ContainsFunc(of, func(c *rules.Clause) bool { return !p.concludesLater(c, at) })
		p.lasting[k] = out
	}
	return out
}

func (p *Program) concludesLater(c *rules.Clause, at int) bool {
	step := c.Head.Args[at]
	if step.Kind != rules.Variable {
		return false
	}
	for i, a := range c.Head.Args {
		if i != at && slices.Contains(a.Variables(), step.Name) {
			return false
		}
	}
	for _, g := range c.Body {
		if !slices.Contains(g.Variables(), step.Name) {
			continue
		}
		if op, than, ok := compared(g, step.Name); ok && (op == greater || op == atLeast) && (than.Kind != rules.Variable || than.Name != step.Name) {
			continue
		}
		places := 0
		for i, a := range g.Args {
			if slices.Contains(a.Variables(), step.Name) {
				if places++; a.Kind != rules.Variable || !p.holdsLater(g, i) {
					return false
				}
			}
		}
		if places != 1 {
			return false
		}
	}
	return true
}
