package prolog

import (
	"errors"
	"fmt"

	iso "github.com/ichiban/prolog/engine"

	"github.com/mishap-robotics/mishap/ontology/decimal"
	"github.com/mishap-robotics/mishap/rules"
)

var (
	slash     = iso.NewAtom("/")
	emptyList = iso.NewAtom("[]")
	errorAtom = iso.NewAtom("error")
)

// maxNesting bounds how deep terms lie in one another that the facts and rules are asked
// about.
const maxNesting = 1000

var errNested = errors.New("a term is nested too deep, or is a part of itself")

// read is a term as the facts and rules have it; variables that differ have names that do.
func read(t iso.Term, env *iso.Env) (*rules.Term, error) { return readAt(t, env, 0) }

func readAt(t iso.Term, env *iso.Env, depth int) (*rules.Term, error) {
	if depth > maxNesting {
		return nil, errNested
	}
	switch t := env.Resolve(t).(type) {
	case iso.Variable:
		return &rules.Term{Kind: rules.Variable, Name: fmt.Sprintf("_G%d", int64(t))}, nil
	case iso.Atom:
		return &rules.Term{Kind: rules.Atom, Name: t.String()}, nil
	case iso.Integer:
		return &rules.Term{Kind: rules.Integer, Int: int64(t)}, nil
	case iso.Float:
		d, err := decimal.FromFloat(float64(t))
		return rules.Number(d), err
	case iso.Compound:
		out := &rules.Term{Kind: rules.Compound, Name: t.Functor().String()}
		for n := range t.Arity() {
			a, err := readAt(t.Arg(n), env, depth+1)
			if err != nil {
				return nil, err
			}
			out.Args = append(out.Args, a)
		}
		return out, nil
	}
	return nil, fmt.Errorf("%T is no term that facts have", t)
}

// written is a value of a fact or a rule as a term; variables gives each variable one of
// its own.
func written(t *rules.Term, variables map[string]iso.Variable) iso.Term {
	switch t.Kind {
	case rules.Integer:
		return iso.Integer(t.Int)
	case rules.Decimal:
		return iso.Float(decimal.Decimal(t.Int).Float())
	case rules.Variable:
		v, ok := variables[t.Name]
		if !ok {
			v = iso.NewVariable()
			variables[t.Name] = v
		}
		return v
	case rules.Compound:
		args := make([]iso.Term, len(t.Args))
		for n, a := range t.Args {
			args[n] = written(a, variables)
		}
		return iso.NewAtom(t.Name).Apply(args...)
	}
	return iso.NewAtom(t.Name)
}

// indicator is the name and arity of what can be called.
func indicator(t iso.Term, env *iso.Env) (rules.Indicator, bool) {
	switch t := env.Resolve(t).(type) {
	case iso.Atom:
		return rules.Indicator{Name: t.String()}, true
	case iso.Compound:
		return rules.Indicator{Name: t.Functor().String(), Arity: t.Arity()}, true
	}
	return rules.Indicator{}, false
}

// pair is an indicator as a term.
func pair(i rules.Indicator) iso.Term { return slash.Apply(iso.NewAtom(i.Name), iso.Integer(i.Arity)) }

// functor reports whether a term is a structure of a name and arity.
func functor(t iso.Term, env *iso.Env, name string, arity int) (iso.Compound, bool) {
	c, ok := env.Resolve(t).(iso.Compound)
	return c, ok && c.Arity() == arity && c.Functor().String() == name
}

// items are those of a list, or of a conjunction, or the term itself.
func items(t iso.Term, env *iso.Env) []iso.Term {
	if c, ok := functor(t, env, ",", 2); ok {
		return append(items(c.Arg(0), env), items(c.Arg(1), env)...)
	}
	list := iso.ListIterator{List: t, Env: env}
	var out []iso.Term
	for list.Next() {
		out = append(out, list.Current())
	}
	if list.Err() != nil {
		return []iso.Term{t}
	}
	return out
}
