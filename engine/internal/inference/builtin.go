package inference

import (
	"cmp"
	"fmt"
	"slices"

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
		return ordered(g.Name, compare(args[0], args[1])), true
	case "<", ">", "=<", ">=", "=:=", `=\=`:
		return arithmetic(g.Name, p.eval(args[0]), p.eval(args[1])), true
	case "is":
		return p.unify(args[0], number(p.eval(args[1]))), true
	case "var", "nonvar":
		_, free := resolve(args[0]).(*variable)
		return free == (g.Name == "var"), true
	case "atom":
		_, ok := resolve(args[0]).(atom)
		return ok, true
	case "integer":
		_, ok := resolve(args[0]).(number)
		return ok, true
	case "findall":
		return p.unify(args[2], list(p.all(g, f))), true
	case "length":
		return p.unify(args[1], number(len(p.items(args[0], g)))), true
	case "sort":
		return p.unify(args[1], list(sorted(p.items(args[0], g)))), true
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
	}
	return false
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
func sorted(items []term) []term {
	items = slices.Clone(items)
	slices.SortFunc(items, compare)
	return slices.CompactFunc(items, func(a, b term) bool { return compare(a, b) == 0 })
}

// all lists the instances of the template of a findall.
func (p *interpreter) all(g *rules.Term, f *frame) []term {
	var out []term
	mark := len(p.trail)
	fails := p.fails
	p.fails = nil
	p.goal(g.Args[1], f, nil, &cut{}, func() bool {
		t := read(f.build(g.Args[0]))
		p.built += termSize * size(t)
		out = append(out, new(frame).build(t))
		return false
	})
	p.fails = fails
	p.undo(mark)
	return out
}

// size is the number of terms in a term.
func size(t *rules.Term) int {
	n := 1
	for _, a := range t.Args {
		n += size(a)
	}
	return n
}

func (p *interpreter) appended(args []term, g *rules.Term, stop *cut, succeed func(bool) bool) bool {
	mark := len(p.trail)
	if _, free := resolve(args[0]).(*variable); !free {
		return succeed(p.unify(args[2], list(append(slices.Clone(p.items(args[0], g)), p.items(args[1], g)...))))
	}
	whole := p.items(args[2], g)
	for n := range len(whole) + 1 {
		if stop.done {
			return false
		}
		if p.stop() || p.unify(args[0], list(whole[:n])) && p.unify(args[1], list(whole[n:])) && succeed(true) {
			return true
		}
		p.undo(mark)
	}
	return p.err != nil
}

func list(items []term) term {
	var out term = atom("[]")
	for _, x := range slices.Backward(items) {
		out = &compound{".", []term{x, out}}
	}
	return out
}

// items reads a proper list; anything else is an error.
func (p *interpreter) items(t term, g *rules.Term) []term {
	var out []term
	for {
		switch x := resolve(t).(type) {
		case *compound:
			if x.name == "." && len(x.args) == 2 {
				out = append(out, x.args[0])
				t = x.args[1]
				continue
			}
		case atom:
			if x == "[]" {
				return out
			}
		}
		p.err = fmt.Errorf("%s needs a list, found %s", g.Indicator(), read(t))
		return nil
	}
}

// eval is the value of an arithmetic expression.
func (p *interpreter) eval(t term) int64 {
	switch x := resolve(t).(type) {
	case number:
		return int64(x)
	case *compound:
		if len(x.args) == 1 && x.name == "-" {
			return -p.eval(x.args[0])
		}
		if len(x.args) != 2 {
			break
		}
		a, b := p.eval(x.args[0]), p.eval(x.args[1])
		switch {
		case x.name == "+":
			return a + b
		case x.name == "-":
			return a - b
		case x.name == "*":
			return a * b
		case b == 0 && (x.name == "//" || x.name == "mod"):
			p.err = fmt.Errorf("division by zero in %s", read(t))
			return 0
		case x.name == "//":
			return a / b
		case x.name == "mod":
			return ((a % b) + b) % b
		}
	}
	if p.err != nil {
		return 0
	}
	if _, free := resolve(t).(*variable); free {
		p.err = fmt.Errorf("%s has no value where one is needed; put what binds it before", read(t))
	} else {
		p.err = fmt.Errorf("%s is no number", read(t))
	}
	return 0
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

// compare is the standard order of terms: variables, numbers, atoms, compounds.
func compare(a, b term) int {
	a, b = resolve(a), resolve(b)
	rank := func(t term) int {
		switch t.(type) {
		case *variable:
			return 0
		case number:
			return 1
		case atom:
			return 2
		}
		return 3
	}
	if c := cmp.Compare(rank(a), rank(b)); c != 0 {
		return c
	}
	switch x := a.(type) {
	case *variable:
		if x == b.(*variable) {
			return 0
		}
		return cmp.Or(cmp.Compare(x.name, b.(*variable).name), -1)
	case number:
		return cmp.Compare(x, b.(number))
	case atom:
		return cmp.Compare(x, b.(atom))
	}
	x, y := a.(*compound), b.(*compound)
	if c := cmp.Or(cmp.Compare(len(x.args), len(y.args)), cmp.Compare(x.name, y.name)); c != 0 {
		return c
	}
	for i := range x.args {
		if c := compare(x.args[i], y.args[i]); c != 0 {
			return c
		}
	}
	return 0
}
