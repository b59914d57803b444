package prolog

import (
	"context"

	iso "github.com/ichiban/prolog/engine"

	"github.com/mishap-robotics/mishap/rules"
)

// mostArguments is how many a predicate in Go can have.
const mostArguments = 8

// predicate is one in Go: it is called with its arguments and what comes after it.
type predicate func(args []iso.Term, k iso.Cont, env *iso.Env) *iso.Promise

// register makes a predicate known.
func (i *Interpreter) register(of rules.Indicator, p predicate) {
	type (
		vm = *iso.VM
		t  = iso.Term
	)
	name := iso.NewAtom(of.Name)
	switch of.Arity {
	case 0:
		i.vm.Register0(name, func(_ vm, k iso.Cont, env *iso.Env) *iso.Promise { return p(nil, k, env) })
	case 1:
		i.vm.Register1(name, func(_ vm, a t, k iso.Cont, env *iso.Env) *iso.Promise { return p([]t{a}, k, env) })
	case 2:
		i.vm.Register2(name, func(_ vm, a, b t, k iso.Cont, env *iso.Env) *iso.Promise { return p([]t{a, b}, k, env) })
	case 3:
		i.vm.Register3(name, func(_ vm, a, b, c t, k iso.Cont, env *iso.Env) *iso.Promise { return p([]t{a, b, c}, k, env) })
	case 4:
		i.vm.Register4(name, func(_ vm, a, b, c, d t, k iso.Cont, env *iso.Env) *iso.Promise {
			return p([]t{a, b, c, d}, k, env)
		})
	case 5:
		i.vm.Register5(name, func(_ vm, a, b, c, d, e t, k iso.Cont, env *iso.Env) *iso.Promise {
			return p([]t{a, b, c, d, e}, k, env)
		})
	case 6:
		i.vm.Register6(name, func(_ vm, a, b, c, d, e, f t, k iso.Cont, env *iso.Env) *iso.Promise {
			return p([]t{a, b, c, d, e, f}, k, env)
		})
	case 7:
		i.vm.Register7(name, func(_ vm, a, b, c, d, e, f, g t, k iso.Cont, env *iso.Env) *iso.Promise {
			return p([]t{a, b, c, d, e, f, g}, k, env)
		})
	case mostArguments:
		i.vm.Register8(name, func(_ vm, a, b, c, d, e, f, g, h t, k iso.Cont, env *iso.Env) *iso.Promise {
			return p([]t{a, b, c, d, e, f, g, h}, k, env)
		})
	}
}

// answer is one way in which the arguments of a predicate in Go may be.
type answer []iso.Term

// nondeterministic makes a predicate of a function that lists its answers. All are there
// before the first is used, so that what runs in between is no concern of it.
func nondeterministic(answers func(ctx context.Context, args []iso.Term, env *iso.Env) ([]answer, error)) predicate {
	return func(args []iso.Term, k iso.Cont, env *iso.Env) *iso.Promise {
		return iso.Delay(func(ctx context.Context) *iso.Promise {
			all, err := answers(ctx, args, env)
			if err != nil {
				return iso.Error(exception(err, env))
			}
			return alternatives(all, args, k, env)
		})
	}
}

// alternatives unifies the arguments of a goal with one answer after the other.
func alternatives(all []answer, args []iso.Term, k iso.Cont, env *iso.Env) *iso.Promise {
	ways := make([]func(context.Context) *iso.Promise, len(all))
	for n, a := range all {
		ways[n] = func(context.Context) *iso.Promise {
			e, ok := env, true
			for at, value := range a {
				if e, ok = e.Unify(args[at], value); !ok {
					return iso.Bool(false)
				}
			}
			return k(e)
		}
	}
	return iso.Delay(ways...)
}
