package inference

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/mishap-robotics/mishap/engine/internal/inference/datalog"
	"github.com/mishap-robotics/mishap/ontology/decimal"
	"github.com/mishap-robotics/mishap/rules"
)

// builtin solves a goal of one of rules.Builtins that is no control predicate.
func (p *interpreter) builtin(g *rules.Term, f *frame, parent *node, stop *cut, found func() bool) bool {
	args := make([]term, len(g.Args))
	for i, a := range g.Args {
		args[i] = f.build(a)
	}
	mark := len(p.trail)
	succeed := func(ok bool) bool {
		if !ok || p.err != nil {
			p.undo(mark)
			return p.err != nil
		}
		if with(parent, node{fact: -1, goal: g, frame: f}, found) {
			return true
		}
		p.undo(mark)
		return false
	}
	switch g.Name {
	case "true":
		return found()
	case "fail":
		return false
	case "between":
		return p.between(args, stop, succeed)
	case "member":
		return p.member(args, g, stop, succeed)
	case "append":
		return p.appended(args, g, stop, succeed)
	}
	if holds, known := p.test(g, args, f); known {
		return succeed(holds)
	}
	p.err = fmt.Errorf("%s is not known", g.Indicator())
	return true
}

// test solves a goal that has one solution at most.
func (p *interpreter) test(g *rules.Term, args []term, f *frame) (holds, known bool) {
	switch g.Name {
	case "=":
		return p.unify(args[0], args[1]), true
	case `\=`:
		mark := len(p.trail)
		equal := p.unify(args[0], args[1])
		p.undo(mark)
		return !equal, true
	case "==", `\==`, "@<", "@>", "@=<", "@>=":
		return ordered(g.Name, p.compare(args[0], args[1])), true
	case "<", ">", "=<", ">=", "=:=", `=\=`:
		x, y := p.value(args[0], 0), p.value(args[1], 0)
		return p.err == nil && arithmetic(g.Name, p.order(x, y), 0), true
	case "is":
		return p.unify(args[0], p.value(args[1], 0)), true
	case "var", "nonvar":
		_, free := resolve(args[0]).(*variable)
		return free == (g.Name == "var"), true
	case "atom":
		_, ok := resolve(args[0]).(atom)
		return ok, true
	case "integer":
		_, ok := resolve(args[0]).(number)
		return ok, true
	case "number":
		_, whole := resolve(args[0]).(number)
		_, ok := resolve(args[0]).(decimal.Decimal)
		return whole || ok, true
	case "findall":
		return p.unify(args[2], p.list(p.all(g, f))), true
	case "length":
		return p.unify(args[1], number(len(p.items(args[0], g)))), true
	case "sort":
		return p.unify(args[1], p.list(p.sorted(p.items(args[0], g)))), true
	}
	return false, false
}

func (p *interpreter) between(args []term, stop *cut, succeed func(bool) bool) bool {
	mark := len(p.trail)
	low, high := p.eval(args[0]), p.eval(args[1])
	for n := low; n <= high && !stop.done; n++ {
		if p.stop() || p.unify(args[2], number(n)) && succeed(true) {
			return true
		}
		p.undo(mark)
		if n == math.MaxInt64 {
			break
		}
	}
	return p.err != nil
}

func (p *interpreter) member(args []term, g *rules.Term, stop *cut, succeed func(bool) bool) bool {
	mark := len(p.trail)
	for _, x := range p.items(args[1], g) {
		if stop.done {
			return false
		}
		if p.stop() || p.unify(args[0], x) && succeed(true) {
			return true
		}
		p.undo(mark)
	}
	return p.err != nil
}

// sorted is a list in standard order, each item once.
func (p *interpreter) sorted(items []term) []term {
	items = slices.Clone(items)
	slices.SortFunc(items, p.compare)
	return slices.CompactFunc(items, func(a, b term) bool { return p.compare(a, b) == 0 })
}

// all lists the instances of the template of a findall.
func (p *interpreter) all(g *rules.Term, f *frame) []term {
	var out []term
	mark := len(p.trail)
	fails := p.fails
	p.fails = nil
	p.goal(g.Args[1], f, nil, &cut{}, func() bool {
		out = append(out, new(frame).build(p.read(f.build(g.Args[0]))))
		return p.stop()
	})
	p.fails = fails
	p.undo(mark)
	return out
}

func (p *interpreter) appended(args []term, g *rules.Term, stop *cut, succeed func(bool) bool) bool {
	mark := len(p.trail)
	if _, free := resolve(args[0]).(*variable); !free {
		return succeed(p.unify(args[2], p.list(append(slices.Clone(p.items(args[0], g)), p.items(args[1], g)...))))
	}
	whole := p.items(args[2], g)
	for n := range len(whole) + 1 {
		if stop.done {
			return false
		}
		if p.stop() || p.unify(args[0], p.list(whole[:n])) && p.unify(args[1], p.list(whole[n:])) && succeed(true) {
			return true
		}
		p.undo(mark)
	}
	return p.err != nil
}

// operation is what datalog.Arithmetic calls the functor of an expression; 0 for none.
func operation(x *compound) byte {
	switch {
	case len(x.args) == 1 && x.name == "-":
		return 'n'
	case len(x.args) != 2:
		return 0
	case x.name == "+", x.name == "-", x.name == "*":
		return x.name[0]
	case x.name == "//":
		return '/'
	case x.name == "/":
		return 'q'
	case x.name == "mod":
		return 'm'
	}
	return 0
}

func (p *interpreter) compute(op byte, x *compound, depth int) term {
	a, b := p.value(x.args[0], depth), term(number(0))
	if len(x.args) > 1 {
		b = p.value(x.args[1], depth)
	}
	if p.err != nil {
		return number(0)
	}
	m, whole := a.(number)
	n, both := b.(number)
	if op != 'q' && whole && both {
		out, err := datalog.Arithmetic(op, int64(m), int64(n))
		p.fail(err, x)
		return number(out)
	}
	c, d := p.decimal(a), p.decimal(b)
	if p.err != nil {
		return number(0)
	}
	out, err := datalog.Decimals(op, c, d)
	p.fail(err, x)
	return out
}

// fail ends the search where an expression has no value.
func (p *interpreter) fail(err error, x term) {
	if err != nil && p.err == nil {
		p.err = fmt.Errorf("%w in %s", err, p.read(x))
	}
}

// decimal is a number as a decimal.
func (p *interpreter) decimal(t term) decimal.Decimal {
	switch t := t.(type) {
	case decimal.Decimal:
		return t
	case number:
		d, err := decimal.Of(int64(t))
		p.fail(err, t)
		return d
	}
	return 0
}

// order compares two numbers.
func (p *interpreter) order(a, b term) int64 {
	m, whole := a.(number)
	n, both := b.(number)
	if whole && both {
		return int64(cmp.Compare(m, n))
	}
	return int64(cmp.Compare(p.decimal(a), p.decimal(b)))
}

// eval is the value of an expression that comes to a whole number.
func (p *interpreter) eval(t term) int64 {
	v := p.value(t, 0)
	if _, whole := v.(number); !whole && p.err == nil {
		p.err = fmt.Errorf("%s is no whole number", p.read(v))
	}
	n, _ := v.(number)
	return int64(n)
}

// value is the value of an arithmetic expression, a whole number or a decimal.
func (p *interpreter) value(t term, depth int) term {
	if p.tooDeep(depth) {
		return number(0)
	}
	switch x := resolve(t).(type) {
	case number:
		return x
	case decimal.Decimal:
		return x
	case *compound:
		if op := operation(x); op != 0 {
			return p.compute(op, x, depth+1)
		}
	}
	if p.err != nil {
		return number(0)
	}
	if _, free := resolve(t).(*variable); free {
		p.err = fmt.Errorf("%s has no value where one is needed; put what binds it before", p.read(t))
	} else {
		p.err = fmt.Errorf("%s is no number", p.read(t))
	}
	return number(0)
}

func arithmetic(op string, a, b int64) bool {
	switch op {
	case "<":
		return a < b
	case ">":
		return a > b
	case "=<":
		return a <= b
	case ">=":
		return a >= b
	case "=:=":
		return a == b
	}
	return a != b
}

func ordered(op string, order int) bool {
	switch op {
	case "==":
		return order == 0
	case `\==`:
		return order != 0
	case "@<":
		return order < 0
	case "@>":
		return order > 0
	case "@=<":
		return order <= 0
	}
	return order >= 0
}
