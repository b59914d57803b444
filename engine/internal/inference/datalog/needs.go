package datalog

import (
	"slices"

	"github.com/mishap-robotics/mishap/engine/internal/fact"
	"github.com/mishap-robotics/mishap/rules"
)

// needs are predicates without facts of which a code that runs at a step has no solution.
type needs struct {
	at  fact.Predicates // of the step
	any fact.Predicates // of whichever step
}

func (n *needs) join(o needs) {
	n.at.Join(o.at)
	n.any.Join(o.any)
}

// needed are the needs of a code that runs at a step: of each scan that must find something,
// whatever way the code takes.
func (c *code) needed() needs {
	return c.neededIn(0, int32(len(c.ops)-1), func(reg int32) bool { return len(c.inputs) > 0 && reg == c.inputs[0].arg.reg })
}

// neededIn are the needs of a part of a code. Step tells which registers hold the step.
func (c *code) neededIn(from, to int32, step func(reg int32) bool) (out needs) {
	for pc := from; pc < to; {
		op := &c.ops[pc]
		switch pc++; op.kind {
		case opScan:
			if a := op.args[0]; a.mode == given && step(a.reg) {
				out.at.Add(int(op.pred))
			} else {
				out.any.Add(int(op.pred))
			}
		case opNot:
			pc = op.next
		case opOnce:
			out.join(c.neededIn(op.entry, op.next-1, step))
			pc = op.next
		case opProve:
			of := op.proves
			out.join(of.neededIn(0, int32(len(of.ops)-1), func(reg int32) bool {
				i := slices.IndexFunc(of.inputs, func(in input) bool { return in.arg.reg == reg })
				return i >= 0 && !op.input[i].constant() && step(op.input[i].reg)
			}))
		case opEither, opIf:
			ways, end := c.ways(op)
			either := c.neededIn(ways[0].from, ways[0].to, step)
			for _, w := range ways[1:] {
				other := c.neededIn(w.from, w.to, step)
				either = needs{either.at.Meet(other.at), either.any.Meet(other.any)}
			}
			out.join(either)
			pc = end
		}
	}
	return out
}

// knownAt are the predicates that have facts of a step.
type knownAt struct {
	step int32
	of   fact.Predicates
}

// lacksAt reports whether a code that runs at a step has no solution for want of facts that it
// needs.
func (e *Evaluator) lacksAt(c *code, step int32) bool {
	if e.known.None() {
		e.known = e.index.Known()
	}
	if lacking := c.needs.any.Without(e.known); !lacking.None() {
		e.ahead = lacking
		return true
	}
	return !c.needs.at.Without(e.knownOf(step)).None()
}

func (e *Evaluator) knownOf(step int32) fact.Predicates {
	for i := range e.knownAt {
		if e.knownAt[i].step == step {
			return e.knownAt[i].of
		}
	}
	of := e.index.KnownAt(step)
	e.knownAt = append(e.knownAt, knownAt{step, of})
	return of
}

// neededBy are the needs of a failure rule at a step, none of one that is not compiled. Those of all
// rules stand together: most are looked at in each step, and are all that is.
type neededBy struct {
	rule *rules.Clause
	needs
}

// Lacks reports whether a rule, the n-th of the program, has no conclusion at a step for want of
// facts that it needs, and for want of which of any step. It is false before the program is Ready.
func (e *Evaluator) Lacks(n int, c *rules.Clause, step int32) (lacking fact.Predicates, lacks bool) {
	if !e.program.ready.Load() || n >= len(e.program.needed) {
		return lacking, false
	}
	of := &e.program.needed[n]
	if of.rule != c {
		return lacking, false
	}
	if e.known.None() {
		e.known = e.index.Known()
	}
	if lacking = of.any.Without(e.known); !lacking.None() {
		return lacking, true
	}
	return lacking, !of.at.Without(e.knownOf(step)).None()
}

// lookAhead notes that an instruction may look at facts of later steps.
func (e *Evaluator) lookAhead(op *instruction) {
	if op.kind == opScan {
		e.ahead.Add(int(op.pred))
	} else {
		e.ahead = fact.Every()
	}
}
