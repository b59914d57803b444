package datalog

import (
	"fmt"
	"slices"

	"github.com/mishap-robotics/mishap/engine/internal/fact"
	"github.com/mishap-robotics/mishap/rules"
)

// relation is a recursive predicate that is asked with values for some of its
// arguments. What is asked of it and what it answers are tables; its variants
// fill them.
type relation struct {
	of        rules.Indicator
	bound     []int // the arguments it is asked with
	sorts     []sort
	component int
	variants  []*variant
	proofs    []*code // of its clauses, all arguments given
}

// variant derives answers by one clause from what is new in one place: among
// the questions, or among the answers of a recursive goal.
type variant struct {
	relation *relation
	driver   *relation
	demand   bool // what is new are questions
	code     *code
}

// window is the part of a table that a goal sees in a round.
type window uint8

const (
	whole window = iota // all of it
	known               // what was there when the round began
	old                 // what was there when the round before began
	prior               // what was there before what is being proved
)

// relation is the table for calls of a recursive predicate with values for some
// arguments. The program is locked.
func (p *Program) relation(of rules.Indicator, bound func(int) bool) *relation {
	component := p.components[of]
	if r := p.broken[component]; r != nil {
		panic(r)
	}
	r := &relation{of: of, component: component}
	for i := range of.Arity {
		if bound(i) {
			r.bound = append(r.bound, i)
		}
	}
	name := fmt.Sprint(of, r.bound)
	if had, ok := p.relations[name]; ok {
		return had
	}
	p.relations[name] = r
	p.tabled[component] = append(p.tabled[component], r)
	defer func() {
		if failed := recover(); failed != nil {
			if reason, ok := failed.(*Reason); ok {
				p.broken[component] = reason
			}
			panic(failed)
		}
	}()
	first := p.rules.Defining(of)[0]
	if of.Arity > maxColumns {
		panic(&Reason{first, first.Pos, fmt.Sprintf("%s calls itself and has more than %d arguments", of, maxColumns)})
	}
	if r.sorts = p.sortsOf(of); r.sorts == nil || slices.Contains(r.sorts, unsettled) {
		panic(&Reason{first, first.Pos, fmt.Sprintf("an argument of %s is a number in one clause and a name in another, or anything", of)})
	}
	for _, c := range p.rules.Defining(of) {
		r.variants = append(r.variants, p.variant(r, c, -1))
		for i, g := range c.Body {
			if p.components[g.Indicator()] == component {
				r.variants = append(r.variants, p.variant(r, c, i))
			}
		}
		r.proofs = append(r.proofs, p.proof(r, c))
	}
	return r
}

// component lists the relations of a component of calls that there are.
func (p *Program) component(n int) []*relation {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.tabled[n]
}

// variant compiles a clause of a relation for what is new in a goal of its body,
// or among the questions where driver is -1.
func (p *Program) variant(r *relation, c *rules.Clause, driver int) *variant {
	b := newBuilder(p, c, cheapest)
	out := &variant{relation: r, driver: r, demand: driver < 0}
	b.table = out
	s := &scope{clause: c, vars: map[string]operand{}}
	b.variables(s)
	needed := map[int32]bool{}
	for _, t := range c.Head.Args {
		arg := b.operand(s, t)
		b.head = append(b.head, arg)
		if !arg.constant() {
			needed[arg.reg] = true
		}
	}
	for _, g := range c.Body {
		if p.components[g.Indicator()] != r.component && p.within(g, r.component) {
			b.refuse(g.Pos, "it calls itself within %s", g)
		}
	}
	asked := p.asked(r, c)
	var items []item
	if driver < 0 {
		for _, at := range r.bound {
			b.input(at, r.sorts[at])
		}
	} else {
		out.driver = asked[driver]
		for i, t := range c.Body[driver].Args {
			b.receive(i, b.operand(s, t), out.driver.sorts[i])
		}
		question := &rules.Term{Kind: rules.Compound, Name: c.Head.Name, Pos: c.Head.Pos}
		for _, at := range r.bound {
			question.Args = append(question.Args, c.Head.Args[at])
		}
		items = append(items, item{goal: question, demand: true, window: old})
	}
	for i, g := range c.Body {
		if i == driver {
			continue
		}
		it := item{goal: g, index: i, asks: asked[i], window: known}
		if driver >= 0 && i < driver {
			it.window = old
		}
		items = append(items, it)
	}
	body := b.sequence(s, items, needed, 0, false)
	for i, arg := range b.head {
		if !b.has(arg) {
			b.refuse(c.Head.Args[i].Pos, "%s may have no value", c.Head.Args[i])
		}
		if b.sortOf(arg) != r.sorts[i] {
			b.refuse(c.Head.Args[i].Pos, "%s is %s, elsewhere it is %s", c.Head.Args[i], b.sortOf(arg), r.sorts[i])
		}
	}
	out.code = p.numbered(b.finish(s, body))
	return out
}

// proof compiles a clause of a relation for an answer that it may have given.
func (p *Program) proof(r *relation, c *rules.Clause) *code {
	b := newBuilder(p, c, source)
	b.table = &variant{relation: r}
	s := &scope{clause: c, vars: map[string]operand{}}
	b.variables(s)
	for _, t := range c.Head.Args {
		b.head = append(b.head, b.operand(s, t))
	}
	for i := range c.Head.Args {
		b.input(i, r.sorts[i])
	}
	items := make([]item, len(c.Body))
	for i, of := range p.asked(r, c) {
		items[i] = item{goal: c.Body[i], index: i, asks: of}
		if of != nil {
			items[i].window = prior
		}
	}
	return b.finish(s, b.sequence(s, items, map[int32]bool{}, 0, false))
}

// asked lists for each goal of a clause the relation that it asks where it is
// recursive: with the values that the arguments the clause is asked with, and the
// goals before, give.
func (p *Program) asked(r *relation, c *rules.Clause) []*relation {
	out := make([]*relation, len(c.Body))
	have := map[string]bool{}
	for _, at := range r.bound {
		for _, v := range c.Head.Args[at].Variables() {
			have[v] = true
		}
	}
	for i, g := range c.Body {
		if p.components[g.Indicator()] == r.component {
			out[i] = p.relation(g.Indicator(), func(n int) bool {
				return !slices.ContainsFunc(g.Args[n].Variables(), func(v string) bool { return !have[v] })
			})
		}
		for _, v := range binds(g) {
			have[v] = true
		}
	}
	return out
}

// within reports whether a goal inside a goal is of a component.
func (p *Program) within(g *rules.Term, component int) bool {
	return slices.ContainsFunc(g.Args, func(t *rules.Term) bool { return p.components[t.Indicator()] == component || p.within(t, component) })
}

// asked lists the registers that a recursive goal is asked with.
func (b *builder) asked(s *scope, it *item) []int32 {
	var out []int32
	for _, at := range it.asks.bound {
		if o := b.operand(s, it.goal.Args[at]); !o.constant() {
			out = append(out, o.reg)
		}
	}
	return out
}

// answers compiles a goal over the answers of a tabled predicate.
func (b *builder) answers(s *scope, it *item, needed map[int32]bool) int32 {
	r := it.asks
	op := instruction{kind: opAnswers, relation: r, window: it.window, text: it.goal, rows: 4}
	for _, at := range r.bound {
		o := b.operand(s, it.goal.Args[at])
		if b.sortOf(o) != r.sorts[at] {
			return b.emit(instruction{kind: opFail, text: it.goal})
		}
		op.input = append(op.input, o)
	}
	if _, ok := b.columns(s, &op, it.goal.Args, r.sorts, needed); !ok {
		return b.emit(instruction{kind: opFail, text: it.goal})
	}
	return b.emit(op)
}

// demanded compiles a goal over what was asked of the predicate of the clause.
func (b *builder) demanded(s *scope, it *item, needed map[int32]bool) {
	r := b.table.relation
	op := instruction{kind: opDemand, relation: r, window: it.window, text: it.goal}
	sorts := make([]sort, len(r.bound))
	for i, at := range r.bound {
		sorts[i] = r.sorts[at]
	}
	if _, ok := b.columns(s, &op, it.goal.Args, sorts, needed); !ok {
		op = instruction{kind: opFail, text: it.goal}
	}
	b.emit(op)
}

// sortsOf is the sorts of the arguments of a helper predicate, nil where clauses
// disagree.
func (p *Program) sortsOf(i rules.Indicator) []sort {
	if p.columns == nil {
		p.columns = p.inferSorts()
	}
	return p.columns[i]
}

func (p *Program) inferSorts() map[rules.Indicator][]sort {
	out := map[rules.Indicator][]sort{}
	wrong := map[rules.Indicator]bool{}
	for changed := true; changed; {
		changed = false
		for _, c := range p.rules.Clauses {
			head := c.Head.Indicator()
			if out[head] == nil {
				out[head] = make([]sort, head.Arity)
			}
			of := map[string]sort{}
			for _, g := range c.Body {
				p.variableSorts(g, out, of)
			}
			for n, t := range c.Head.Args {
				s := of[t.Name]
				switch t.Kind {
				case rules.Atom:
					s = symbols
				case rules.Integer:
					s = integers
				case rules.Decimal:
					s = decimals
				case rules.Compound:
					s = unsettled
				}
				switch had := out[head][n]; {
				case s == unsettled || s == had:
				case had == unsettled:
					out[head][n] = s
					changed = true
				default:
					wrong[head] = true
				}
			}
		}
	}
	for i := range wrong {
		delete(out, i)
	}
	return out
}

// variableSorts notes what a goal says of the sorts of its variables.
func (p *Program) variableSorts(g *rules.Term, of map[rules.Indicator][]sort, out map[string]sort) {
	note := func(t *rules.Term, s sort) {
		if t.Kind == rules.Variable && s != unsettled {
			out[t.Name] = s
		}
	}
	if pred, ok := fact.Number(g.Indicator()); ok {
		for i, t := range g.Args {
			note(t, sortOf(fact.Kind(pred, i)))
		}
		return
	}
	if h := p.builtins[g.Indicator()]; h != nil {
		for i, k := range slices.Concat(h.In, h.Out) {
			note(g.Args[i], sortOf(k))
		}
		return
	}
	if sorts := of[g.Indicator()]; sorts != nil {
		for i, t := range g.Args {
			note(t, sorts[i])
		}
		return
	}
	switch g.Name {
	case "is":
		if len(g.Args) == 2 {
			note(g.Args[0], computed(g.Args[1], out))
		}
	case "between":
		for _, t := range g.Args {
			note(t, integers)
		}
	case "=", "==":
		if len(g.Args) == 2 {
			for i, t := range g.Args {
				switch other := g.Args[1-i]; other.Kind {
				case rules.Atom:
					note(t, symbols)
				case rules.Integer:
					note(t, integers)
				case rules.Decimal:
					note(t, decimals)
				case rules.Variable:
					note(t, out[other.Name])
				}
			}
		}
	default:
		for _, t := range g.Args {
			p.variableSorts(t, of, out)
		}
	}
}

// computed is the sort of what an expression comes to, unsettled where that is not known.
func computed(t *rules.Term, of map[string]sort) sort {
	switch {
	case t.Kind == rules.Variable:
		return of[t.Name]
	case t.Kind == rules.Integer:
		return integers
	case t.Kind == rules.Decimal, t.Is("/", 2):
		return decimals
	case t.Kind != rules.Compound:
		return unsettled
	}
	out := integers
	for _, a := range t.Args {
		switch computed(a, of) {
		case decimals:
			return decimals
		case integers:
		default:
			out = unsettled
		}
	}
	return out
}
