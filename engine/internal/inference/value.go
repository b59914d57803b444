package inference

import (
	"github.com/mishap-robotics/mishap/ontology/decimal"
	"github.com/mishap-robotics/mishap/rules"
)

// The values that terms have while solving.
type (
	term     any // *variable, atom, number, decimal.Decimal or *compound
	atom     string
	number   int64
	compound struct {
		name string
		args []term
	}
	variable struct {
		name string
		val  term
	}
	// frame holds the variables of one use of a clause: few enough that looking
	// through them costs less than a map.
	frame struct{ variables []*variable }
)

func resolve(t term) term {
	for {
		v, ok := t.(*variable)
		if !ok || v.val == nil {
			return t
		}
		t = v.val
	}
}

// trail holds the variables that have got values, to take these back.
type trail []*variable

func (t *trail) bind(v *variable, to term) {
	v.val = to
	*t = append(*t, v)
}

func (t *trail) undo(mark int) {
	for _, v := range (*t)[mark:] {
		v.val = nil
	}
	*t = (*t)[:mark]
}

// build makes a term of the syntax tree a value, with the variables of a frame.
func (f *frame) build(t *rules.Term) term {
	switch t.Kind {
	case rules.Variable:
		for _, v := range f.variables {
			if v.name == t.Name {
				return v
			}
		}
		v := &variable{name: t.Name}
		f.variables = append(f.variables, v)
		return v
	case rules.Integer:
		return number(t.Int)
	case rules.Decimal:
		return decimal.Decimal(t.Int)
	case rules.Atom:
		return atom(t.Name)
	}
	c := &compound{name: t.Name, args: make([]term, len(t.Args))}
	for i, a := range t.Args {
		c.args[i] = f.build(a)
	}
	return c
}
