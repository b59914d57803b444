package inference

import (
	"cmp"
	"fmt"

	"github.com/mishap-robotics/mishap/ontology/decimal"
	"github.com/mishap-robotics/mishap/rules"
)

// maxNesting bounds how deep terms lie in one another, so that none exhausts the stack.
// A variable may get a value that it is a part of: such a term has no end, and whatever
// goes through it stops here. What lies in the last argument, as the rest of a list, is
// gone through without recursion and counts as inferences.
const maxNesting = 1000

// tooDeep reports that a search must end because terms lie too deep in one another.
func (w *work) tooDeep(depth int) bool {
	if depth > maxNesting && w.err == nil {
		w.err = fmt.Errorf("a term is nested more than %d deep, or is a part of itself", maxNesting)
	}
	return w.err != nil
}

// unify makes two terms the same, as far as that goes.
func (p *interpreter) unify(a, b term) bool { return p.unifyAt(a, b, 0) }

func (p *interpreter) unifyAt(a, b term, depth int) bool {
	for {
		a, b = resolve(a), resolve(b)
		if x, ok := a.(*variable); ok {
			if y, ok := b.(*variable); !ok || x != y {
				p.bind(x, b)
			}
			return true
		}
		if y, ok := b.(*variable); ok {
			p.bind(y, a)
			return true
		}
		x, ok1 := a.(*compound)
		y, ok2 := b.(*compound)
		if !ok1 || !ok2 {
			return a == b
		}
		if x == y {
			return true
		}
		if x.name != y.name || len(x.args) != len(y.args) || p.tooDeep(depth) || p.stop() {
			return false
		}
		last := len(x.args) - 1
		for i := range last {
			if !p.unifyAt(x.args[i], y.args[i], depth+1) {
				return false
			}
		}
		a, b = x.args[last], y.args[last]
		if x.name != "." {
			depth++
		}
	}
}

// compare is the standard order of terms: variables, decimals, whole numbers, atoms,
// compounds.
func (p *interpreter) compare(a, b term) int { return p.compareAt(a, b, 0) }

func (p *interpreter) compareAt(a, b term, depth int) int {
	for {
		a, b = resolve(a), resolve(b)
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
		case decimal.Decimal:
			return cmp.Compare(x, b.(decimal.Decimal))
		case atom:
			return cmp.Compare(x, b.(atom))
		}
		x, y := a.(*compound), b.(*compound)
		if x == y || p.tooDeep(depth) || p.stop() {
			return 0
		}
		if c := cmp.Or(cmp.Compare(len(x.args), len(y.args)), cmp.Compare(x.name, y.name)); c != 0 {
			return c
		}
		last := len(x.args) - 1
		for i := range last {
			if c := p.compareAt(x.args[i], y.args[i], depth+1); c != 0 {
				return c
			}
		}
		a, b = x.args[last], y.args[last]
		if x.name != "." {
			depth++
		}
	}
}

func rank(t term) int {
	switch t.(type) {
	case *variable:
		return 0
	case decimal.Decimal:
		return 1
	case number:
		return 2
	case atom:
		return 3
	}
	return 4
}

// read makes a value a term of the syntax tree again.
func (p *interpreter) read(t term) *rules.Term { return p.readAt(t, 0) }

func (p *interpreter) readAt(t term, depth int) *rules.Term {
	whole := &rules.Term{}
	for into := whole; ; {
		p.built += readSize
		switch x := resolve(t).(type) {
		case atom:
			into.Kind, into.Name = rules.Atom, string(x)
		case number:
			into.Kind, into.Int = rules.Integer, int64(x)
		case decimal.Decimal:
			into.Kind, into.Int = rules.Decimal, int64(x)
		case *variable:
			into.Kind, into.Name = rules.Variable, x.name
		case *compound:
			into.Kind, into.Name = rules.Compound, x.name
			if p.tooDeep(depth) || p.stop() {
				into.Kind, into.Name = rules.Atom, "..."
				return whole
			}
			last := len(x.args) - 1
			for _, a := range x.args[:last] {
				into.Args = append(into.Args, p.readAt(a, depth+1))
			}
			rest := &rules.Term{}
			into.Args = append(into.Args, rest)
			t, into = x.args[last], rest
			if x.name != "." {
				depth++
			}
			continue
		}
		return whole
	}
}

func (p *interpreter) list(items []term) term {
	p.built += listSize * len(items)
	var out term = atom("[]")
	for i := len(items) - 1; i >= 0; i-- {
		out = &compound{".", []term{items[i], out}}
	}
	return out
}

// items reads a proper list; anything else is an error.
func (p *interpreter) items(t term, g *rules.Term) []term {
	var out []term
	for !p.stop() {
		switch x := resolve(t).(type) {
		case *compound:
			if x.name == "." && len(x.args) == 2 {
				p.built += termSize
				out = append(out, x.args[0])
				t = x.args[1]
				continue
			}
		case atom:
			if x == "[]" {
				return out
			}
		}
		p.err = fmt.Errorf("%s needs a list, found %s", g.Indicator(), p.read(t))
	}
	return nil
}
