package datalog

import (
	"fmt"
	"slices"
	"sync/atomic"

	"github.com/mishap-robotics/mishap/engine/internal/fact"
	"github.com/mishap-robotics/mishap/rules"
)

// Rule is a failure rule made ready.
type Rule struct {
	Clause *rules.Clause
	// Reason tells why the rule is not compiled; nil where it is.
	Reason *Reason

	program *Program
	number  int // among the failure rules
	order   order
	width   int // of what it concludes
	bound   []int
	sorts   []sort        // of those
	needs   []*rules.Term // facts without which it concludes nothing, of a rule that waits to be compiled
	codes   [ways]atomic.Pointer[code]
}

// way is how a failure rule runs.
type way uint8

const (
	anchored way = iota // at a step
	free
	proving // a conclusion; not where the others run as written and prove it themselves
	ways
)

// stepAt is the place of the step among the arguments of a failure.
const stepAt = 1

// rule makes a failure rule ready.
func (p *Program) rule(c *rules.Clause) *Rule {
	out := &Rule{Clause: c, program: p}
	head, reason := conclusion(c)
	if reason != nil {
		out.Reason = reason
		return out
	}
	if out.width = len(head); out.width > maxArguments {
		out.Reason = &Reason{c, c.Pos, fmt.Sprintf("it concludes more than %d objects", maxArguments-3)}
		return out
	}
	for i, t := range head {
		if t.Kind == rules.Variable {
			out.bound = append(out.bound, i)
			out.sorts = append(out.sorts, headSort(i))
		}
	}
	if slices.ContainsFunc(c.Body, p.ordered) {
		out.order = source
	}
	if p.later(c) {
		out.needs = p.needs(nil, c.Body, 0)
		return out
	}
	for _, w := range []way{proving, anchored, free} {
		if _, out.Reason = out.make(w); out.Reason != nil {
			break
		}
	}
	return out
}

// later reports whether a rule can be compiled when it is first asked: it is built in, which
// tells that it can be, and so is all that it calls, none of which a host answers or is
// tabled: tables are in the order in which they were first met.
func (p *Program) later(c *rules.Clause) bool { return p.rules.BuiltIn(c) && every(c.Body, p.waits) }

// waits reports whether all that a goal calls is built in, as later has it.
func (p *Program) waits(t *rules.Term) bool {
	i := t.Indicator()
	out, met := p.met[i]
	if !met {
		out = p.components[i] == 0 && p.builtins[i] == nil
		for _, c := range p.rules.Defining(i) {
			out = out && p.rules.BuiltIn(c) && every(c.Body, p.waits)
		}
		p.met[i] = out
	}
	return out && every(t.Args, p.waits)
}

func every(terms []*rules.Term, holds func(*rules.Term) bool) bool {
	return !slices.ContainsFunc(terms, func(t *rules.Term) bool { return !holds(t) })
}

// needs adds the facts that goals cannot hold without, whatever their variables stand for.
func (p *Program) needs(to, goals []*rules.Term, depth int) []*rules.Term {
	const deep = 5 // in helper predicates
	for _, g := range goals {
		if g.Is(",", 2) {
			to = p.needs(to, g.Args, depth)
			continue
		}
		if _, ok := fact.Number(g.Indicator()); ok {
			to = append(to, g)
		}
		if of := p.rules.Defining(g.Indicator()); len(of) == 1 && depth < deep {
			to = p.needs(to, of[0].Body, depth+1)
		}
	}
	return to
}

// as is the code that a rule runs one way, nil where it needs none.
func (r *Rule) as(w way) (out *code, reason *Reason) {
	if c := r.codes[w].Load(); c != nil {
		return c, nil
	}
	r.program.mu.Lock()
	defer r.program.mu.Unlock()
	r.program.spelling(func() { out, reason = r.make(w) })
	return out, reason
}

// make is as, of a program that is locked.
func (r *Rule) make(w way) (out *code, reason *Reason) {
	if c := r.codes[w].Load(); c != nil {
		return c, nil
	}
	switch p := r.program; w {
	case anchored:
		if out, reason = p.coded(r.Clause, []int{stepAt}, []sort{integers}, r.order); reason == nil {
			out.ahead = out.markLater(p, 0)
			out.needs = p.needsOf(out)
			p.markNeeds(out)
		}
	case free:
		out, reason = p.coded(r.Clause, nil, nil, r.order)
	case proving:
		if r.order == source {
			return nil, nil
		}
		out, reason = p.coded(r.Clause, r.bound, r.sorts, source)
	}
	r.codes[w].Store(out)
	return out, reason
}

// DependsOnLater reports whether what it concludes of a step may change with the steps
// after it.
func (r *Rule) DependsOnLater() bool {
	c, reason := r.as(anchored)
	return reason != nil || c.ahead
}

// AtEnd reports whether it concludes only when the episode is over, and not from what was
// seen or heard.
func (r *Rule) AtEnd() bool {
	c, reason := r.as(anchored)
	return reason == nil && c.asks(fact.AtEnd) && !c.asks(fact.Observation)
}
