package prolog

import (
	"reflect"

	iso "github.com/ichiban/prolog/engine"
)

// occursCheck is what =/2 throws where two terms would be alike but for one that becomes a
// part of itself: error(occurs_check(Variable, Term), _), as SWI-Prolog does with its flag
// occurs_check set to error.
var occursCheck = iso.NewAtom("occurs_check")

// unify is =/2. Terms that no substitution makes alike are false, also where they have others
// within them that would have to be a part of themselves.
func unify(vm *iso.VM, x, y iso.Term, k iso.Cont, env *iso.Env) *iso.Promise {
	if alike, ok := unified(vm, x, y, env); ok {
		return k(alike)
	}
	u := unifier{env: env, bound: map[iso.Variable]iso.Term{}}
	if u.unify(x, y) && u.within != nil {
		return iso.Error(iso.NewException(errorAtom.Apply(occursCheck.Apply(u.part, u.substituted(u.within)), iso.NewVariable()), env))
	}
	return iso.Bool(false)
}

// differ is \=/2.
func differ(vm *iso.VM, x, y iso.Term, k iso.Cont, env *iso.Env) *iso.Promise {
	if _, ok := unified(vm, x, y, env); ok {
		return iso.Bool(false)
	}
	return k(env)
}

// unified is what makes two terms alike, none of them a part of itself.
func unified(vm *iso.VM, x, y iso.Term, env *iso.Env) (alike *iso.Env, ok bool) {
	iso.UnifyWithOccursCheck(vm, x, y, func(env *iso.Env) *iso.Promise {
		alike, ok = env, true
		return iso.Bool(true)
	}, env)
	return alike, ok
}

// unifier unifies terms, and goes on past a variable that would become a part of itself.
type unifier struct {
	env          *iso.Env
	bound        map[iso.Variable]iso.Term
	part, within iso.Term // the first of these, and what it would be; nil for none
}

func (u *unifier) resolve(t iso.Term) iso.Term {
	for {
		t = u.env.Resolve(t)
		v, ok := t.(iso.Variable)
		if !ok || u.bound[v] == nil {
			return t
		}
		t = u.bound[v]
	}
}

func (u *unifier) unify(x, y iso.Term) bool {
	x, y = u.resolve(x), u.resolve(y)
	if _, ok := y.(iso.Variable); ok {
		x, y = y, x
	}
	if v, ok := x.(iso.Variable); ok {
		switch {
		case x == y:
		case !u.contains(y, v):
			u.bound[v] = y
		case u.within == nil:
			u.part, u.within = v, y
		}
		return true
	}
	a, compound := x.(iso.Compound)
	b, both := y.(iso.Compound)
	switch {
	case compound != both:
		return false
	case !compound:
		return x == y
	case a.Functor() != b.Functor() || a.Arity() != b.Arity():
		return false
	}
	for n := range a.Arity() {
		if !u.unify(a.Arg(n), b.Arg(n)) {
			return false
		}
	}
	return true
}

func (u *unifier) contains(t iso.Term, v iso.Variable) bool {
	t = u.resolve(t)
	c, ok := t.(iso.Compound)
	if !ok {
		return t == v
	}
	for n := range c.Arity() {
		if u.contains(c.Arg(n), v) {
			return true
		}
	}
	return false
}

// substituted is a term with what its variables were found to be.
func (u *unifier) substituted(t iso.Term) iso.Term {
	t = u.resolve(t)
	c, ok := t.(iso.Compound)
	if !ok {
		return t
	}
	args := make([]iso.Term, c.Arity())
	for n := range args {
		args[n] = u.substituted(c.Arg(n))
	}
	return c.Functor().Apply(args...)
}

// mostNested bounds how deep terms of an answer lie in one another.
const mostNested = 1_000_000

// cycles looks for terms that are a part of themselves, which the heads of clauses make:
// they are unified without looking for that.
type cycles struct {
	env  *iso.Env
	seen map[iso.Term]bool // variables and terms: true while what they stand for is looked through
}

// has reports whether a term is a part of itself, or nested deeper than anything can be
// written.
func (c *cycles) has(t iso.Term, depth int) bool {
	if depth > mostNested {
		return true
	}
	var left []iso.Term
	defer func() {
		for _, key := range left {
			c.seen[key] = false
		}
	}()
	for { // the last part is gone on with, so that lists may be long
		to := c.env.Resolve(t)
		var keys []iso.Term
		if _, ok := t.(iso.Variable); ok {
			keys = append(keys, t)
		}
		if to != nil && reflect.TypeOf(to).Kind() == reflect.Pointer {
			keys = append(keys, to)
		}
		for _, key := range keys {
			if within, seen := c.seen[key]; seen {
				return within
			}
			c.seen[key] = true
			left = append(left, key)
		}
		of, ok := to.(iso.Compound)
		if !ok || of.Arity() == 0 {
			return false
		}
		for n := range of.Arity() - 1 {
			if c.has(of.Arg(n), depth+1) {
				return true
			}
		}
		t = of.Arg(of.Arity() - 1)
	}
}
