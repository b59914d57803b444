package datalog

import (
	"cmp"
	"maps"
	"slices"

	"github.com/mishap-robotics/mishap/engine/internal/fact"
	"github.com/mishap-robotics/mishap/rules"
)

// solve compiles a goal. A scan keeps within the limits.
func (b *builder) solve(s *scope, it *item, needed map[int32]bool, depth int, limits []limitAt) proven {
	g := it.goal
	out := proven{goal: g, scope: s, op: -1, pred: -1}
	switch {
	case it.demand:
		out.hidden = true
		b.demanded(s, it, needed)
		return out
	case it.asks != nil:
		out.op, out.answers = b.answers(s, it, needed), it.asks
		return out
	case g.Kind == rules.Variable || g.Kind == rules.Integer || g.Kind == rules.Decimal:
		b.refuse(g.Pos, "%s is called as a goal", g)
	case g.Is(",", 2):
		out.inner = b.sequence(s, flatten([]item{{goal: g, index: b.goal}}), needed, depth, false)
		return out
	case g.Is(";", 2):
		b.either(s, g, needed, depth, &out)
		return out
	case g.Is("->", 2):
		b.first(s, g, depth, &out)
		then := b.sequence(s, []item{{goal: g.Args[1], index: b.goal}}, needed, depth, false)
		out.inner.goals = append(out.inner.goals, then.goals...)
		out.inner.bound = then.bound
		return out
	case g.Is("once", 1):
		b.first(s, g, depth, &out)
		return out
	case g.Is(`\+`, 1), g.Is("forall", 2):
		b.negation(s, g, depth)
		out.negated = true
		return out
	}
	if pred, ok := fact.Number(g.Indicator()); ok {
		out.pred = pred
		out.op = b.scan(s, pred, g, needed, limits)
		return out
	}
	if clauses := b.program.rules.Defining(g.Indicator()); len(clauses) > 0 {
		b.call(s, g, clauses, needed, depth, &out)
		return out
	}
	if h := b.program.builtins[g.Indicator()]; h != nil {
		b.host(s, h, g, needed, &out)
		return out
	}
	b.builtin(s, g, &out)
	return out
}

// block compiles a goal apart, between an instruction and a yield.
func (b *builder) block(i instruction, goals func()) int32 {
	n := b.emit(i)
	b.ops[n].entry = n + 1
	goals()
	b.emit(instruction{kind: opYield})
	b.ops[n].next = int32(len(b.ops))
	return n
}

// first compiles the goal inside of a whole one of which only the first solution counts.
func (b *builder) first(s *scope, whole *rules.Term, depth int, out *proven) {
	g := whole.Args[0]
	b.refuseRecursion(g)
	if b.order == cheapest && !b.fixed && b.program.tests[whole] {
		b.exists(s, whole, depth)
		return
	}
	b.block(instruction{kind: opOnce, text: g}, func() {
		b.asWritten(func(everything map[int32]bool) {
			out.inner = b.sequence(s, []item{{goal: g, index: b.goal}}, everything, depth, false)
		})
	})
}

// refuseRecursion leaves to the interpreter what asks for the first answer of a
// recursive predicate: which that is depends on the order of Prolog.
func (b *builder) refuseRecursion(g *rules.Term) {
	if b.program.rules.Recurs(g) {
		b.refuse(g.Pos, "it asks for the first answer of a predicate that calls itself")
	}
}

// asWritten compiles goals in the order of the source; all registers are needed
// after them.
func (b *builder) asWritten(goals func(everything map[int32]bool)) {
	everything := map[int32]bool{}
	for i := range b.sorts {
		everything[int32(i)] = true
	}
	was := b.fixed
	b.fixed = true
	goals(everything)
	b.fixed = was
}

func (b *builder) negation(s *scope, g *rules.Term, depth int) {
	inner := []item{{goal: g.Args[0], index: b.goal}}
	if g.Is("forall", 2) {
		not := &rules.Term{Kind: rules.Compound, Name: `\+`, Args: g.Args[1:], Pos: g.Args[1].Pos}
		inner = append(inner, item{goal: not, index: b.goal})
	}
	b.test(s, instruction{kind: opNot, text: g}, g, inner, depth)
}

// exists compiles a goal of which it only counts whether it has a solution.
func (b *builder) exists(s *scope, g *rules.Term, depth int) {
	b.test(s, instruction{kind: opOnce, text: g.Args[0]}, g, []item{{goal: g.Args[0], index: b.goal}}, depth)
}

// test compiles goals inside of a whole one that gives no variable a value.
func (b *builder) test(s *scope, i instruction, whole *rules.Term, inner []item, depth int) {
	for _, v := range whole.Variables() {
		o := s.vars[v]
		if b.has(o) {
			continue
		}
		if elsewhere(s.clause, whole, v) {
			b.refuse(whole.Pos, `%s has no value where %s asks about it`, v, whole.Name)
		}
	}
	bound, was := slices.Clone(b.bound), b.within
	b.within = true
	b.block(i, func() { b.sequence(s, inner, map[int32]bool{}, depth, false) })
	b.within = was
	copy(b.bound, bound)
	for i := len(bound); i < len(b.bound); i++ {
		b.bound[i] = b.isName(int32(i))
	}
}

// isName reports whether a register holds a name from the start.
func (b *builder) isName(reg int32) bool {
	return b.named[reg]
}

// elsewhere reports whether a variable of a goal stands outside of it too.
func elsewhere(c *rules.Clause, g *rules.Term, variable string) bool {
	count := 0
	var walk func(t *rules.Term)
	walk = func(t *rules.Term) {
		if t == g {
			return
		}
		if t.Kind == rules.Variable && t.Name == variable {
			count++
		}
		for _, a := range t.Args {
			walk(a)
		}
	}
	walk(c.Head)
	for _, t := range c.Body {
		walk(t)
	}
	return count > 0
}

// branches compiles ways to go on, and checks that each leaves the same values.
func (b *builder) branches(g *rules.Term, n int, branch func(i int)) int32 {
	op := b.emit(instruction{kind: opEither, entry: int32(len(b.ops)) + 1, text: g})
	start := slices.Clone(b.bound)
	var jumps, entries, partial []int32
	var first []bool
	for i := range n {
		copy(b.bound, start)
		for j := len(start); j < len(b.bound); j++ {
			b.bound[j] = b.isName(int32(j))
		}
		entries = append(entries, int32(len(b.ops)))
		branch(i)
		jumps = append(jumps, b.emit(instruction{kind: opJump}))
		if first == nil {
			first = slices.Clone(b.bound)
			continue
		}
		for j := range start {
			if first[j] != b.bound[j] {
				partial = append(partial, int32(j))
				first[j] = false
			}
		}
	}
	copy(b.bound, first)
	for _, reg := range partial {
		b.partial[reg] = true
	}
	b.ops[op].branches = append(b.ops[op].branches, entries[len(b.ops[op].branches):]...)
	for _, j := range jumps {
		b.ops[j].next = int32(len(b.ops))
	}
	return op
}

func (b *builder) either(s *scope, g *rules.Term, needed map[int32]bool, depth int, out *proven) {
	way := func(g *rules.Term) *sequence {
		return b.sequence(s, []item{{goal: g, index: b.goal}}, needed, depth, false)
	}
	left := g.Args[0]
	if !left.Is("->", 2) {
		out.op = b.branches(g, 2, func(i int) { out.branches = append(out.branches, way(g.Args[i])) })
		return
	}
	at := len(b.ops)
	out.op = b.branches(g, 2, func(i int) {
		if i == 1 {
			out.branches = append(out.branches, way(g.Args[1]))
			return
		}
		b.refuseRecursion(left.Args[0])
		var condition *sequence
		b.asWritten(func(everything map[int32]bool) {
			condition = b.sequence(s, []item{{goal: left.Args[0], index: b.goal}}, everything, depth, false)
		})
		b.emit(instruction{kind: opYield})
		b.ops[at].branches = []int32{int32(len(b.ops))}
		then := way(left.Args[1])
		out.branches = append(out.branches, &sequence{goals: append(condition.goals, then.goals...), bound: then.bound})
	})
	b.ops[at].kind = opIf
}

// scan compiles a goal over facts.
func (b *builder) scan(s *scope, pred int, g *rules.Term, needed map[int32]bool, limits []limitAt) int32 {
	columns := make([]sort, len(g.Args))
	for i := range columns {
		columns[i] = sortOf(fact.Kind(pred, i))
	}
	op := instruction{kind: opScan, pred: int32(pred), text: g}
	op.rows = fact.Expected(pred, func(i int) bool {
		return g.Args[i].Kind != rules.Variable || b.has(s.vars[g.Args[i].Name])
	})
	for _, l := range limits {
		op.limits = append(op.limits, l.text.String())
		if l.low {
			op.low = append(op.low, l.limit)
		} else {
			op.high = append(op.high, l.limit)
		}
	}
	op.rows *= within(sides(limits))
	gives, ok := b.columns(s, &op, g.Args, columns, needed)
	if !ok {
		return b.emit(instruction{kind: opFail, text: g})
	}
	op.once = b.order == cheapest && !gives
	return b.emit(op)
}

// columns tells what a scan does with each column. It reports whether the scan
// gives a register a value that is needed, and whether it can find anything.
func (b *builder) columns(s *scope, op *instruction, args []*rules.Term, sorts []sort, needed map[int32]bool) (gives, ok bool) {
	op.args = make([]argument, len(args))
	var fresh []int32
	for i, t := range args {
		if t.Kind == rules.Compound {
			return false, false
		}
		o := b.operand(s, t)
		if op.kind == opScan && sorts[i] == decimals && b.has(o) {
			o = b.decimalOperand(o, t)
		}
		switch {
		case b.has(o) && b.sortOf(o) != sorts[i], op.kind == opScan && sorts[i] != decimals && o.constant() && int64(int32(o.value)) != o.value:
			return false, false
		case o.constant():
			op.args[i] = argument{mode: fixed, value: o.value}
		case slices.Contains(fresh, o.reg):
			col := slices.IndexFunc(op.args[:i], func(a argument) bool { return a.mode == bind && a.reg == o.reg })
			op.args[i] = argument{mode: equal, col: col}
			if b.sorts[o.reg] != sorts[i] {
				return false, false
			}
		case b.bound[o.reg]:
			op.args[i] = argument{mode: given, reg: o.reg}
		default:
			again := slices.ContainsFunc(args[i+1:], func(u *rules.Term) bool { return u.Kind == rules.Variable && s.vars[u.Name] == o })
			if b.order == cheapest && !needed[o.reg] && !again {
				continue // nobody asks what it is
			}
			b.settle(o.reg, sorts[i])
			op.args[i] = argument{mode: bind, reg: o.reg}
			fresh = append(fresh, o.reg)
			gives = gives || needed[o.reg]
		}
	}
	for i := range op.args {
		op.args[i].wide = op.kind == opScan && sorts[i] == decimals
	}
	for _, reg := range fresh {
		b.bound[reg] = true
	}
	return gives, true
}

// call compiles a goal that helper clauses define.
func (b *builder) call(s *scope, g *rules.Term, clauses []*rules.Clause, needed map[int32]bool, depth int, out *proven) {
	args := make([]operand, len(g.Args))
	for i, a := range g.Args {
		args[i] = b.operand(s, a)
	}
	if b.program.components[g.Indicator()] > 0 {
		it := &item{goal: g, asks: b.program.relation(g.Indicator(), func(i int) bool { return b.has(args[i]) })}
		out.op, out.answers = b.answers(s, it, needed), it.asks
		return
	}
	if len(clauses) > maxBranches {
		b.refuse(g.Pos, "%s has %d clauses, of which one is looked up when it runs", g.Indicator(), len(clauses))
	}
	if depth >= maxCalls {
		b.refuse(g.Pos, "helper predicates call one another more than %d deep", maxCalls)
	}
	asked := b.order != cheapest && !b.within || slices.ContainsFunc(args, func(o operand) bool { return !b.has(o) && needed[o.reg] })
	switch {
	case !asked && b.shares(s, g, args):
		b.ask(g, args)
	case asked || b.order != cheapest:
		b.write(g, clauses, args, needed, depth, out)
	default:
		b.block(instruction{kind: opOnce, text: g}, func() { b.write(g, clauses, args, needed, depth, out) })
	}
}

// write writes out the clauses of a helper predicate where it is called.
func (b *builder) write(g *rules.Term, clauses []*rules.Clause, args []operand, needed map[int32]bool, depth int, out *proven) {
	if len(clauses) == 1 {
		out.clauses = append(out.clauses, b.use(clauses[0], args, needed, depth+1))
		return
	}
	out.op = b.branches(g, len(clauses), func(i int) {
		out.clauses = append(out.clauses, b.use(clauses[i], args, needed, depth+1))
	})
	for _, arg := range args {
		if !b.has(arg) && b.partial[arg.reg] {
			b.uneven[arg.reg] = g
		}
	}
}

// use compiles one use of a clause.
func (b *builder) use(c *rules.Clause, args []operand, needed map[int32]bool, depth int) *instance {
	if b.uses++; b.uses > maxInstructions {
		b.tooLarge()
	}
	s := &scope{clause: c, vars: map[string]operand{}}
	var later [][2]operand
	for i, h := range c.Head.Args {
		if h.Kind == rules.Variable {
			if _, ok := s.vars[h.Name]; !ok {
				s.vars[h.Name] = args[i]
				continue
			}
		}
		own := b.operand(s, h)
		if b.unify(own, args[i]) {
			later = append(later, [2]operand{own, args[i]})
		}
	}
	b.variables(s)
	if len(later) > 0 {
		needed = maps.Clone(needed)
		for _, l := range later {
			needed[l[0].reg] = true
		}
	}
	out := &instance{clause: c, body: b.body(s, needed, depth)}
	for _, l := range later {
		if b.unify(l[0], l[1]) {
			b.refuse(c.Head.Pos, "%s leaves an argument without a value", c.Head)
		}
	}
	return out
}

// builtin compiles a goal of a built-in predicate that is no control predicate.
func (b *builder) builtin(s *scope, g *rules.Term, out *proven) {
	switch g.Name {
	case "true":
		out.hidden = true
	case "fail":
		b.emit(instruction{kind: opFail, text: g})
	case "=":
		if b.unify(b.operand(s, g.Args[0]), b.operand(s, g.Args[1])) {
			b.refuse(g.Pos, "neither side of %s has a value", g)
		}
	case "==", `\==`, `\=`, "@<", "@>", "@=<", "@>=":
		b.comparison(s, g)
	case "<", ">", "=<", ">=", "=:=", `=\=`:
		left, right := b.alike(b.expression(s, g.Args[0]), b.expression(s, g.Args[1]))
		b.emit(instruction{kind: opCompare, compare: comparisons[g.Name], left: left, right: right, text: g})
	case "is":
		value := b.expression(s, g.Args[1])
		o := b.operand(s, g.Args[0])
		switch {
		case !b.has(o):
			b.settle(o.reg, value.sort)
			b.emit(instruction{kind: opAssign, reg: o.reg, left: value, text: g})
			b.bound[o.reg] = true
		case b.sortOf(o) != value.sort:
			b.emit(instruction{kind: opFail, text: g})
		default:
			b.emit(instruction{kind: opCompare, compare: same, left: &expression{operand: o}, right: value, text: g})
		}
	case "atom", "integer", "number":
		o := b.operand(s, g.Args[0])
		if !b.has(o) {
			b.refuse(g.Pos, "%s asks whether a variable has a value", g)
		}
		if of := b.sortOf(o); (of == symbols) != (g.Name == "atom") || of == decimals && g.Name == "integer" {
			b.emit(instruction{kind: opFail, text: g})
		}
	case "between":
		b.between(s, g, out)
	case "member":
		b.member(s, g, out)
	case "!":
		b.refuse(g.Pos, "it cuts")
	case "var", "nonvar":
		b.refuse(g.Pos, "%s asks whether a variable has a value", g)
	case "findall", "append", "length", "sort":
		b.refuse(g.Pos, "%s works on lists", g.Indicator())
	default:
		b.refuse(g.Pos, "%s is not known", g.Indicator())
	}
}

// comparison compiles a comparison of terms.
func (b *builder) comparison(s *scope, g *rules.Term) {
	x, y := b.operand(s, g.Args[0]), b.operand(s, g.Args[1])
	if !b.has(x) || !b.has(y) {
		b.refuse(g.Pos, "%s compares a variable without a value", g)
	}
	op := comparisons[g.Name]
	if a, c := b.sortOf(x), b.sortOf(y); a != c { // numbers come before names
		order := cmp.Compare(a, c)
		if !holds(op, int64(order), 0) {
			b.emit(instruction{kind: opFail, text: g})
		}
		return
	}
	if b.sortOf(x) != symbols {
		op = map[comparison]comparison{before: less, after: greater, notAfter: atMost, notBefore: atLeast, same: same, different: different}[op]
	}
	b.emit(instruction{kind: opCompare, compare: op, left: &expression{operand: x}, right: &expression{operand: y}, text: g})
}

func (b *builder) between(s *scope, g *rules.Term, out *proven) {
	op := instruction{kind: opBetween, left: b.expression(s, g.Args[0]), right: b.expression(s, g.Args[1]), text: g, reg: -1}
	if op.left.sort == decimals || op.right.sort == decimals {
		b.refuse(g.Pos, "%s counts whole numbers", g.Indicator())
	}
	o := b.operand(s, g.Args[2])
	if b.has(o) && b.sortOf(o) != integers {
		b.emit(instruction{kind: opFail, text: g})
		return
	}
	reg := o.reg
	if b.has(o) {
		reg = b.register(integers)
		b.bound[reg] = true
	} else {
		b.settle(reg, integers)
		b.bound[reg] = true
	}
	op.reg = reg
	out.op = b.emit(op)
	if reg != o.reg {
		b.emit(instruction{kind: opCompare, compare: same, left: &expression{operand: operand{reg: reg}}, right: &expression{operand: o}, text: g})
	}
}

func (b *builder) member(s *scope, g *rules.Term, out *proven) {
	items, ok := g.Args[1].List()
	if !ok {
		b.refuse(g.Pos, "%s works on a list that is known only when it runs", g.Indicator())
	}
	if len(items) == 0 {
		b.emit(instruction{kind: opFail, text: g})
		return
	}
	if b.order == cheapest && b.among(s, g, items) {
		return
	}
	out.op = b.branches(g, len(items), func(i int) {
		if b.unify(b.operand(s, g.Args[0]), b.operand(s, items[i])) {
			b.refuse(g.Pos, "%s gives no value", g)
		}
	})
}

// among compiles member/2 where all has a value: then it is but a test.
func (b *builder) among(s *scope, g *rules.Term, items []*rules.Term) bool {
	x := b.operand(s, g.Args[0])
	if !b.has(x) {
		return false
	}
	op := instruction{kind: opAmong, text: g, input: []operand{x}}
	for _, t := range items {
		o := b.operand(s, t)
		if !b.has(o) {
			return false
		}
		if b.sortOf(o) == b.sortOf(x) {
			op.input = append(op.input, o)
		}
	}
	b.emit(op)
	return true
}
