package datalog

import (
	"fmt"
	"maps"
	"slices"
	"sync"

	"github.com/mishap-robotics/mishap/rules"
)

// conclusion lists the arguments of a head; of a failure rule the objects stand
// in the place of their list.
func conclusion(c *rules.Clause) ([]*rules.Term, *Reason) {
	if !c.ConcludesFailure() {
		return c.Head.Args, nil
	}
	items, ok := c.Head.Args[3].List()
	if !ok {
		return nil, &Reason{c, c.Head.Args[3].Pos, "the list of objects is put together when it runs"}
	}
	if c.Head.Args[0].Kind != rules.Atom {
		return nil, &Reason{c, c.Head.Args[0].Pos, "the class it concludes is known only when it runs"}
	}
	return append(slices.Clone(c.Head.Args[:3]), items...), nil
}

func (p *Program) compile(c *rules.Clause, bound []int, of []sort, o order) (out *code, reason *Reason) {
	b := newBuilder(p, c, o)
	defer catch(&out, &reason)
	head, reason := conclusion(c)
	if reason != nil {
		return nil, reason
	}
	s := &scope{clause: c, vars: map[string]operand{}}
	b.variables(s)
	needed := map[int32]bool{}
	for _, t := range head {
		arg := b.operand(s, t)
		b.head = append(b.head, arg)
		if !arg.constant() {
			needed[arg.reg] = true
		}
	}
	for i, at := range bound {
		b.input(at, of[i])
	}
	body := b.body(s, needed, 0)
	for i, arg := range b.head {
		if !arg.constant() && !b.bound[arg.reg] {
			b.refuse(head[i].Pos, "%s may have no value", head[i])
		}
		if want := headSort(i); c.ConcludesFailure() && b.sortOf(arg) != want {
			b.refuse(head[i].Pos, "%s is %s where the conclusion needs %s", head[i], b.sortOf(arg), want)
		}
	}
	out = b.finish(s, body)
	for _, name := range c.Variables() {
		if v := s.vars[name]; !b.has(v) && b.uneven[v.reg] != nil {
			out.uneven = &Reason{Pos: b.uneven[v.reg].Pos, Text: name + " has a value only by some clauses of " + b.uneven[v.reg].Indicator().String()}
		}
	}
	return out, nil
}

// catch turns a refusal into the reason.
func catch(out **code, reason **Reason) {
	switch failed := recover().(type) {
	case nil:
	case *Reason:
		*out, *reason = nil, failed
	default:
		panic(failed)
	}
}

// headSort is the sort of an argument of a conclusion: the class, two steps and
// the objects.
func headSort(i int) sort {
	if i == 1 || i == 2 {
		return integers
	}
	return symbols
}

func newBuilder(p *Program, c *rules.Clause, o order) *builder {
	return &builder{program: p, clause: c, order: o, at: c, ops: (*spare.Get().(*[]instruction))[:0], naming: map[string]int32{}, named: map[int32]bool{}, partial: map[int32]bool{}, uneven: map[int32]*rules.Term{}, handed: map[int32][]limitAt{}}
}

// spare are lists that instructions were put in before.
var spare = sync.Pool{New: func() any { ops := make([]instruction, 0, 512); return &ops }}

func (b *builder) finish(s *scope, body *sequence) *code {
	b.emit(instruction{kind: opYield})
	out := &code{clause: b.clause, ops: slices.Clone(b.ops), regs: len(b.sorts), sorts: b.sorts, inputs: b.inputs, head: b.head, body: body, scope: s}
	ops := b.ops
	clear(ops)
	spare.Put(&ops)
	b.ops = nil
	for _, name := range slices.Sorted(maps.Keys(b.naming)) {
		out.names = append(out.names, naming{b.naming[name], b.program.name(name), name})
	}
	for i := range out.ops {
		op := &out.ops[i]
		switch op.kind {
		case opScan:
			op.slot = int32(out.scans)
			out.scans++
		case opAnswers, opDemand:
			op.slot = int32(out.finds)
			out.finds++
		case opCall:
			op.slot = int32(out.calls)
			out.calls++
		}
	}
	return out
}

// input binds an argument of the head before the code runs.
func (b *builder) input(at int, of sort) { b.receive(at, b.head[at], of) }

// receive binds an operand to the value at a place among those that the code is
// given before it runs.
func (b *builder) receive(at int, arg operand, of sort) {
	if !arg.constant() && !b.bound[arg.reg] {
		b.sorts[arg.reg], b.bound[arg.reg] = of, true
		b.inputs = append(b.inputs, input{at, arg})
		return
	}
	into := operand{reg: b.register(of)}
	b.bound[into.reg] = true
	b.inputs = append(b.inputs, input{at, into})
	b.unify(into, arg)
}

// builder compiles one clause. It panics with a *Reason where it cannot.
type builder struct {
	program *Program
	clause  *rules.Clause
	order   order
	ops     []instruction
	sorts   []sort
	bound   []bool
	inputs  []input
	head    []operand
	naming  map[string]int32 // register of each name
	named   map[int32]bool   // registers of names
	at      *rules.Clause    // whose goals are compiled
	goal    int
	uses    int                   // of helper clauses
	fixed   bool                  // goals run as written
	within  bool                  // a goal that only tests, of which proofs show nothing further in
	handed  map[int32][]limitAt   // to the scans that will give a register its value
	partial map[int32]bool        // registers with a value on some ways only
	uneven  map[int32]*rules.Term // those of them that some clauses of a goal leave without one
	table   *variant              // where the clause is one of a tabled predicate
}

func (b *builder) refuse(pos rules.Pos, format string, args ...any) {
	panic(&Reason{b.clause, pos, fmt.Sprintf(format, args...)})
}

func (b *builder) tooLarge() {
	b.refuse(b.clause.Pos, "it is too large with the helper predicates that it calls written out")
}

func (b *builder) emit(i instruction) int32 {
	if len(b.ops) >= maxInstructions {
		b.tooLarge()
	}
	n := int32(len(b.ops))
	i.next = n + 1
	i.clause, i.goal = b.at, b.goal
	b.ops = append(b.ops, i)
	return n
}

func (b *builder) register(s sort) int32 {
	b.sorts, b.bound = append(b.sorts, s), append(b.bound, false)
	return int32(len(b.sorts) - 1)
}

// variables gives the variables of a clause that have no value yet registers.
func (b *builder) variables(s *scope) {
	for _, v := range b.program.spelt.clause(s.clause) {
		if _, ok := s.vars[v]; !ok {
			s.vars[v] = operand{reg: b.register(unsettled)}
		}
	}
}

// operand is a variable or constant of a clause.
func (b *builder) operand(s *scope, t *rules.Term) operand {
	switch t.Kind {
	case rules.Variable:
		o := s.vars[t.Name]
		if !o.constant() && b.partial[o.reg] {
			b.refuse(t.Pos, "%s has a value only on some ways here", t)
		}
		return o
	case rules.Integer:
		return operand{reg: -1, value: t.Int, sort: integers}
	case rules.Decimal:
		return operand{reg: -1, value: t.Int, sort: decimals}
	case rules.Compound:
		b.refuse(t.Pos, "%s is a structure", t)
	}
	if id, ok := b.program.onto.Lookup(t.Name); ok {
		return operand{reg: -1, value: int64(id), sort: symbols}
	}
	reg, ok := b.naming[t.Name]
	if !ok {
		reg = b.register(symbols)
		b.bound[reg] = true
		b.naming[t.Name], b.named[reg] = reg, true
	}
	return operand{reg: reg}
}

func (b *builder) sortOf(o operand) sort {
	if o.constant() {
		return o.sort
	}
	return b.sorts[o.reg]
}

func (b *builder) has(o operand) bool { return o.constant() || b.bound[o.reg] }

// unify makes two operands the same and reports whether that must be left to
// after one of them has a value.
func (b *builder) unify(x, y operand) (later bool) {
	if !b.has(x) {
		x, y = y, x
	}
	switch {
	case !b.has(x):
		return x != y
	case !b.has(y):
		b.settle(y.reg, b.sortOf(x))
		b.emit(instruction{kind: opAssign, reg: y.reg, left: &expression{operand: x}})
		b.bound[y.reg] = true
	case b.sortOf(x) != b.sortOf(y) || x.constant() && y.constant() && x.value != y.value:
		b.emit(instruction{kind: opFail})
	case x != y:
		b.emit(instruction{kind: opCompare, compare: same, left: &expression{operand: x}, right: &expression{operand: y}})
	}
	return false
}

// settle notes what a register without a value will be.
func (b *builder) settle(reg int32, s sort) {
	if b.sorts[reg] != unsettled && b.sorts[reg] != s {
		kinds := "a number in one branch and a name"
		if s != symbols && b.sorts[reg] != symbols {
			kinds = "a whole number in one branch and a decimal"
		}
		b.refuse(b.clause.Pos, "a variable is %s in another", kinds)
	}
	b.sorts[reg] = s
}

// body compiles the goals of one use of a clause. needed are the registers that
// are asked for afterwards.
func (b *builder) body(s *scope, needed map[int32]bool, depth int) *sequence {
	at, goal := b.at, b.goal
	b.at = s.clause
	items := make([]item, len(s.clause.Body))
	for i, g := range s.clause.Body {
		items[i] = item{goal: g, index: i}
	}
	out := b.sequence(s, items, needed, depth, true)
	if b.order == traced {
		b.emit(instruction{kind: opDone, top: s.clause == b.clause && depth == 0})
	}
	b.at, b.goal = at, goal
	return out
}

// sequence compiles goals that must all hold. Whole is the body of a clause.
func (b *builder) sequence(s *scope, items []item, needed map[int32]bool, depth int, whole bool) *sequence {
	out := &sequence{}
	if b.order == cheapest {
		items = flatten(items)
	} else {
		items = slices.Clone(items)
	}
	out.goals = make([]proven, 0, len(items))
	in := ordering{b, s}
	in.requirements(items)
	ordered := slices.ContainsFunc(items, func(i item) bool { return b.program.ordered(i.goal) })
	fixed := b.order != cheapest || b.fixed || ordered
	var walks []walk
	for len(items) > 0 {
		n := 0
		if !fixed {
			n = in.cheapest(items, walks)
		}
		it := items[n]
		items = slices.Delete(items, n, n+1)
		b.goal = it.index
		var limits []limitAt
		var handed []int32
		of, from := all, int32(len(b.ops))
		over, ends := int32(0), false
		if b.order == source && !ordered || !fixed {
			if w, ok := in.walkOver(&it); ok {
				walks = append(walks, w)
			}
			over, ends = in.endedBy(it.goal, walks)
			limits = in.limitsOf(&it, items)
			of = in.nearest(&it, items)
			handed = in.hand(it.goal, items)
		}
		after := needed
		if b.order == cheapest && !fixed { // the scan sees to them
			for _, l := range slices.Backward(limits) {
				if l.item < 0 {
					continue
				}
				items = slices.Delete(items, l.item, l.item+1)
			}
		}
		if b.order == cheapest || b.within {
			after = in.stillNeeded(needed, items)
		}
		try := int32(-1)
		if whole && b.order == traced {
			out.starts = append(out.starts, slices.Clone(b.bound))
			try = b.emit(instruction{kind: opTry, top: s.clause == b.clause && depth == 0})
		}
		out.goals = append(out.goals, b.solve(s, &it, after, depth, limits))
		if n := out.goals[len(out.goals)-1].op; of != all && b.ops[n].kind == opScan {
			b.ops[n].side = of
		}
		if ends && b.ops[from].kind == opNot && b.ops[over].kind == opScan {
			b.ops[from].ends = over + 1
		}
		for _, reg := range handed {
			delete(b.handed, reg)
		}
		if try >= 0 {
			b.goal = it.index
			b.emit(instruction{kind: opHeld, try: try})
		}
	}
	out.bound = slices.Clone(b.bound)
	return out
}
