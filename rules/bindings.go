package rules

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// bindings follows which variables have values, from the failure rules down
// through every way in which they call helper predicates, and reports negations
// and comparisons of variables without one and conclusions that lack one.
func (c *checker) bindings() {
	f := &flow{checker: c, done: map[string]bool{}}
	f.predicate(failureHead, make([]bool, failureHead.Arity))
	for len(f.queue) > 0 {
		next := f.queue[0]
		f.queue = f.queue[1:]
		f.predicate(next.of, next.bound)
	}
	// What no failure rule leads to is judged as if called with all values.
	for _, cl := range c.program.Clauses {
		if i := cl.Head.Indicator(); !f.called[i] && i != failureHead {
			f.predicate(i, slices.Repeat([]bool{true}, i.Arity))
		}
	}
}

type flow struct {
	*checker
	done   map[string]bool // by predicate and which arguments are bound
	called map[Indicator]bool
	queue  []call
}

// call is a way of calling a predicate: which arguments have values.
type call struct {
	of    Indicator
	bound []bool
}

func (f *flow) predicate(i Indicator, bound []bool) {
	key := fmt.Sprint(i, bound)
	if f.done[key] {
		return
	}
	f.done[key] = true
	if f.called == nil {
		f.called = map[Indicator]bool{}
	}
	f.called[i] = true
	for _, cl := range f.program.Defining(i) {
		f.clause(cl, bound)
	}
}

func (f *flow) clause(cl *Clause, bound []bool) {
	have := map[string]bool{}
	for n, a := range cl.Head.Args {
		if bound[n] {
			bind(have, a)
		}
	}
	for n, g := range cl.Body {
		have = f.goal(cl, n, g, have)
	}
	if have == nil {
		return // the body fails for certain
	}
	for n, a := range cl.Head.Args {
		for _, v := range a.Variables() {
			if !bound[n] && !have[v] && (!anonymous(v) || cl.ConcludesFailure()) {
				f.report(mistakeUnboundConclusion, a.Pos, shown(v))
				have[v] = true // once is enough
			}
		}
	}
}

// shown is a variable as the rule writes it.
func shown(v string) string {
	if strings.HasPrefix(v, "_G") {
		return "_"
	}
	return v
}

func bind(have map[string]bool, t *Term) {
	for _, v := range t.Variables() {
		have[v] = true
	}
}

func isBound(have map[string]bool, t *Term) bool {
	return !slices.ContainsFunc(t.Variables(), func(v string) bool { return !have[v] })
}

// goal follows one goal of a clause, the n-th of its body or part of that, and
// returns which variables have values after it; nil means it fails for certain.
func (f *flow) goal(cl *Clause, n int, g *Term, have map[string]bool) map[string]bool {
	if have == nil {
		return nil
	}
	switch i := g.Indicator(); {
	case g.Is(",", 2), g.Is("->", 2):
		return f.goal(cl, n, g.Args[1], f.goal(cl, n, g.Args[0], have))
	case g.Is(";", 2):
		return both(f.goal(cl, n, g.Args[0], maps.Clone(have)), f.goal(cl, n, g.Args[1], maps.Clone(have)))
	case g.Is("once", 1):
		return f.goal(cl, n, g.Args[0], have)
	case g.Is(`\+`, 1):
		f.negation(cl, g, have)
		f.goal(cl, n, g.Args[0], f.local(cl, g, have))
	case g.Is("forall", 2):
		f.negation(cl, g, have)
		inner := f.goal(cl, n, g.Args[0], f.local(cl, g, have))
		f.goal(cl, n, g.Args[1], inner)
	case g.Is("findall", 3):
		f.goal(cl, n, g.Args[1], maps.Clone(have))
		bind(have, g.Args[2])
	case g.Is("fail", 0):
		return nil
	case IsBuiltin(i):
		f.builtin(g, have)
	default:
		f.calls(g, have)
		if p := f.facts[i]; p != nil && p.InGo {
			f.need(g, takes, have, g.Args[:p.Inputs]...)
		}
		for _, a := range g.Args {
			bind(have, a)
		}
	}
	return have
}

// both keeps what has a value whichever way a disjunction goes.
func both(a, b map[string]bool) map[string]bool {
	if a == nil {
		return b
	}
	if b == nil {
		return a
	}
	maps.DeleteFunc(a, func(v string, _ bool) bool { return !b[v] })
	return a
}

// calls notes how a helper predicate is called.
func (f *flow) calls(g *Term, have map[string]bool) {
	if len(f.program.Defining(g.Indicator())) == 0 {
		return
	}
	bound := make([]bool, len(g.Args))
	for n, a := range g.Args {
		bound[n] = isBound(have, a)
	}
	f.queue = append(f.queue, call{g.Indicator(), bound})
}

// negation reports variables without value in a negation that stand elsewhere
// in the clause too.
func (f *flow) negation(cl *Clause, g *Term, have map[string]bool) {
	for _, v := range g.Variables() {
		if have[v] || anonymous(v) || cl.count(v) == g.count(v) {
			continue
		}
		var at *Term
		g.walk(func(t *Term) {
			if at == nil && t.Kind == Variable && t.Name == v {
				at = t
			}
		})
		f.report(mistakeUnsafeNegation, at.Pos, v)
	}
}

// local is what has a value inside a negation: variables without value that
// were reported count as having one, so that they are reported once.
func (f *flow) local(cl *Clause, g *Term, have map[string]bool) map[string]bool {
	inner := maps.Clone(have)
	for _, v := range g.Variables() {
		if !anonymous(v) && cl.count(v) > g.count(v) {
			inner[v] = true
		}
	}
	return inner
}

// need reports the arguments of a goal that have no value, each variable once.
func (f *flow) need(g *Term, verb string, have map[string]bool, args ...*Term) {
	for _, a := range args {
		for _, v := range a.Variables() {
			if !have[v] {
				f.report(mistakeUnboundComparison, a.Pos, shown(v), g.Name, verb)
				have[v] = true
			}
		}
	}
}

func (f *flow) builtin(g *Term, have map[string]bool) {
	need := func(args ...*Term) { f.need(g, compares, have, args...) }
	switch g.Name {
	case "<", ">", "=<", ">=", "=:=", `=\=`, "==", `\==`, `\=`, "@<", "@>", "@=<", "@>=":
		need(g.Args...)
	case "is":
		need(g.Args[1])
		bind(have, g.Args[0])
	case "between":
		need(g.Args[0], g.Args[1])
		bind(have, g.Args[2])
	case "=":
		if isBound(have, g.Args[0]) || isBound(have, g.Args[1]) {
			bind(have, g)
		}
	case "member", "append", "length", "sort":
		bind(have, g)
	}
}

func (t *Term) count(variable string) int {
	n := 0
	t.walk(func(u *Term) {
		if u.Kind == Variable && u.Name == variable {
			n++
		}
	})
	return n
}

func (c *Clause) walk(visit func(*Term)) {
	c.Head.walk(visit)
	for _, g := range c.Body {
		g.walk(visit)
	}
}

func (c *Clause) count(variable string) int {
	n := c.Head.count(variable)
	for _, g := range c.Body {
		n += g.count(variable)
	}
	return n
}
