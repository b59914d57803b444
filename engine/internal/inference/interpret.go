package inference

import (
	"context"
	"slices"

	"github.com/mishap-robotics/mishap/engine/internal/fact"
	"github.com/mishap-robotics/mishap/engine/internal/inference/datalog"
	"github.com/mishap-robotics/mishap/ontology/decimal"
	"github.com/mishap-robotics/mishap/rules"
)

// interpreter solves goals over facts and clauses as Prolog does, from the first clause
// on. What is left of a goal is a function that is called on each solution and returns
// true to end the search.
type interpreter struct {
	program  *rules.Program
	builtins datalog.Builtins
	index    *fact.Index
	cover    *Coverage                  // what was reached is counted here where it is not nil
	asked    map[string][][]*rules.Term // what hosts' predicates answered in this search, by name and inputs
	trail
	work
	fails func(c *rules.Clause, n int, parent *node, have *frame) // a condition of a clause does not hold
}

// work is what a search has spent of its limits, and why it ended.
type work struct {
	ctx    context.Context
	limits datalog.Limits
	spent  int // inferences
	built  int // bytes, about
	depth  int // of goals that wait for the rest of a proof
	err    error
}

// The sizes that are counted against Bytes.
const (
	termSize = 48
	nodeSize = 160
	readSize = 120 // a term of the syntax tree with its place among arguments
	listSize = 112 // an element of a list
)

// stop counts an inference and reports whether the search must end.
func (w *work) stop() bool {
	w.spent++
	switch {
	case w.err != nil:
	case w.spent > w.limits.Steps, w.built > w.limits.Bytes, w.depth > maxDepth:
		w.err = ErrLimit
	case w.spent%1024 == 0 && w.ctx.Err() != nil:
		w.err = w.ctx.Err()
	}
	return w.err != nil
}

// cut tells the clauses of a predicate to try no further.
type cut struct{ done bool }

// body solves the goals of a clause from the n-th on. Each success calls found,
// which returns true to end the search.
func (p *interpreter) body(c *rules.Clause, n int, f *frame, parent *node, stop *cut, found func() bool) bool {
	if n == len(c.Body) {
		p.cover.Concluded(c)
		return found()
	}
	p.cover.Tried(c, n)
	held := false
	done := p.goal(c.Body[n], f, parent, stop, func() bool {
		held = true
		p.cover.Held(c, n)
		return p.body(c, n+1, f, parent, stop, found)
	})
	if !held && p.err == nil {
		p.cover.Failed(c, n)
		if p.fails != nil {
			p.fails(c, n, parent, f)
		}
	}
	return done
}

func (p *interpreter) goal(g *rules.Term, f *frame, parent *node, stop *cut, found func() bool) bool {
	p.depth++
	defer func() { p.depth-- }()
	if p.stop() {
		return true
	}
	switch {
	case g.Is(",", 2):
		return p.goal(g.Args[0], f, parent, stop, func() bool { return p.goal(g.Args[1], f, parent, stop, found) })
	case g.Is(";", 2):
		return p.either(g, f, parent, stop, found)
	case g.Is("->", 2):
		return p.once(g.Args[0], f, parent, func() bool { return p.goal(g.Args[1], f, parent, stop, found) })
	case g.Is("once", 1):
		return p.once(g.Args[0], f, parent, found)
	case g.Is(`\+`, 1), g.Is("forall", 2):
		if p.holds(negand(g), f) {
			return p.err != nil
		}
		return with(parent, node{fact: -1, negated: true, goal: g, frame: f}, found)
	case g.Is("!", 0):
		done := found()
		stop.done = true
		return done
	}
	if pred, ok := fact.Number(g.Indicator()); ok {
		return p.fact(pred, g, f, parent, stop, found)
	}
	if clauses := p.program.Defining(g.Indicator()); len(clauses) > 0 {
		return p.call(clauses, g, f, parent, stop, found)
	}
	if h := p.builtins[g.Indicator()]; h != nil {
		return p.host(h, g, f, parent, stop, found)
	}
	return p.builtin(g, f, parent, stop, found)
}

// negand is the goal that must have no solution: of forall(A, B) that is A
// without B.
func negand(g *rules.Term) *rules.Term {
	if g.Is(`\+`, 1) {
		return g.Args[0]
	}
	not := &rules.Term{Kind: rules.Compound, Name: `\+`, Args: g.Args[1:], Pos: g.Pos}
	return &rules.Term{Kind: rules.Compound, Name: ",", Args: []*rules.Term{g.Args[0], not}, Pos: g.Pos}
}

func (p *interpreter) either(g *rules.Term, f *frame, parent *node, stop *cut, found func() bool) bool {
	mark := len(p.trail)
	if left := g.Args[0]; left.Is("->", 2) {
		held := false
		done := p.once(left.Args[0], f, parent, func() bool {
			held = true
			return p.goal(left.Args[1], f, parent, stop, found)
		})
		if done || held {
			return done
		}
	} else if p.goal(left, f, parent, stop, found) {
		return true
	}
	p.undo(mark)
	return !stop.done && p.goal(g.Args[1], f, parent, stop, found)
}

// once takes the first solution of a goal only.
func (p *interpreter) once(g *rules.Term, f *frame, parent *node, found func() bool) bool {
	mark, kept := len(p.trail), 0
	if parent != nil {
		kept = len(parent.children)
	}
	if !p.goal(g, f, parent, &cut{}, func() bool { return true }) || p.err != nil {
		return p.err != nil
	}
	if found() {
		return true
	}
	p.undo(mark)
	if parent != nil {
		parent.children = parent.children[:kept]
	}
	return false
}

// holds reports whether a goal has a solution, and leaves nothing of it.
func (p *interpreter) holds(g *rules.Term, f *frame) bool {
	mark := len(p.trail)
	fails := p.fails
	p.fails = nil
	ok := p.goal(g, f, nil, &cut{}, func() bool { return true })
	p.fails = fails
	p.undo(mark)
	return ok
}

func (p *interpreter) fact(pred int, g *rules.Term, f *frame, parent *node, outer *cut, found func() bool) bool {
	args := make([]term, len(g.Args))
	pattern := make([]int32, fact.Width(pred))
	for i, a := range g.Args {
		args[i] = f.build(a)
		if !factValue(p.index, fact.Kind(pred, i), args[i], pattern[i:]) {
			return false
		}
	}
	var rows [][]int32
	p.index.Match(pred, pattern, func(row []int32) bool {
		rows = append(rows, slices.Clone(row))
		return true
	})
	for _, row := range rows {
		if outer.done {
			return false
		}
		if p.stop() {
			return true
		}
		mark := len(p.trail)
		ok := true
		p.built += nodeSize + termSize*len(args)
		for i := range args {
			if _, whole := resolve(args[i]).(number); whole && fact.Kind(pred, i) == rules.ValueArg {
				continue // it was matched as a decimal
			}
			ok = ok && p.unify(args[i], factTerm(p.index, fact.Kind(pred, i), row[i:]))
		}
		if ok && with(parent, node{fact: pred, row: row, goal: g, frame: f}, found) {
			return true
		}
		p.undo(mark)
	}
	return false
}

// factValue puts a value as an index takes it into a pattern, of a decimal in two parts;
// ok is false where no fact has it.
func factValue(x *fact.Index, kind rules.ArgKind, t term, into []int32) (ok bool) {
	t = resolve(t)
	_, free := t.(*variable)
	if kind == rules.ValueArg {
		d, ok := decimalOf(t)
		if into[0], into[1] = d.Words(); free {
			into[0], into[1] = fact.Any, fact.Any
		}
		return ok || free
	}
	switch t := t.(type) {
	case *variable:
		into[0] = fact.Any
		return true
	case number:
		into[0] = int32(t)
		return kind.Integer() && int64(int32(t)) == int64(t)
	case atom:
		if kind.Integer() {
			return false
		}
		into[0], ok = x.Symbol(string(t))
	}
	return ok
}

// decimalOf is a number as a decimal, and whether it is one.
func decimalOf(t term) (decimal.Decimal, bool) {
	switch t := t.(type) {
	case number:
		d, err := decimal.Of(int64(t))
		return d, err == nil
	case decimal.Decimal:
		return t, true
	}
	return 0, false
}

// factTerm is the argument of a fact that a part of its row begins with, as a value.
func factTerm(x *fact.Index, kind rules.ArgKind, row []int32) term {
	switch {
	case kind == rules.ValueArg:
		return decimal.FromWords(row[0], row[1])
	case kind.Integer():
		return number(row[0])
	}
	return atom(x.Name(row[0]))
}

func (p *interpreter) call(clauses []*rules.Clause, g *rules.Term, f *frame, parent *node, outer *cut, found func() bool) bool {
	args := make([]term, len(g.Args))
	for i, a := range g.Args {
		args[i] = f.build(a)
	}
	if len(args) > 0 {
		switch first := resolve(args[0]).(type) {
		case atom:
			clauses = p.program.DefiningFor(g.Indicator(), &rules.Term{Kind: rules.Atom, Name: string(first)})
		case number:
			clauses = p.program.DefiningFor(g.Indicator(), &rules.Term{Kind: rules.Integer, Int: int64(first)})
		case decimal.Decimal:
			clauses = p.program.DefiningFor(g.Indicator(), rules.Number(first))
		}
	}
	stop := &cut{}
	for _, c := range clauses {
		if stop.done || outer.done {
			return false
		}
		if p.stop() {
			return true
		}
		mark := len(p.trail)
		inner := &frame{}
		p.built += nodeSize + 2*termSize*len(args)
		if p.head(c, args, inner) {
			if p.use(c, inner, node{clause: c, fact: -1, goal: g, frame: f}, parent, stop, found) {
				return true
			}
		}
		p.undo(mark)
	}
	return false
}

// use solves the body of a clause below a step of the proof.
func (p *interpreter) use(c *rules.Clause, f *frame, n node, parent *node, stop *cut, found func() bool) bool {
	if parent == nil {
		return p.body(c, 0, f, nil, stop, found)
	}
	kept := new(node)
	*kept = n
	parent.children = append(parent.children, kept)
	done := p.body(c, 0, f, kept, stop, found)
	if !done {
		parent.children = parent.children[:len(parent.children)-1]
	}
	return done
}

func (p *interpreter) head(c *rules.Clause, args []term, f *frame) bool {
	for i, a := range c.Head.Args {
		if !p.unify(args[i], f.build(a)) {
			return false
		}
	}
	return true
}
