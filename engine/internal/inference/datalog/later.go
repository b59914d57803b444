package datalog

import (
	"slices"

	"github.com/mishap-robotics/mishap/engine/internal/fact"
)

// markLater marks the instructions that may look at facts of steps after the one that a
// rule concludes of, and reports whether there are any. There are none where every step
// it looks at is that one or comes before it: by a fact that leads to an earlier step, or
// by comparison. Inputs may be later ones already, as bits.
func (c *code) markLater(p *Program, inputs uint32) (any bool) {
	late := c.lateRegisters(inputs)
	for i := range c.ops {
		op := &c.ops[i]
		switch op.kind {
		case opScan:
			op.later = fact.Kind(int(op.pred), 0).Integer() && !c.early(op, late) || fact.Later(int(op.pred))
		case opAnswers, opDemand:
			op.later = true
		case opProve:
			op.proves = p.askedLate(op.proves, c.lateInputs(op, late))
			any = any || op.proves.ahead
		case opNot:
			op.stays = c.stays(op.entry, op.next)
		}
		any = any || op.later
	}
	return any
}

// stays reports whether a block has a solution for good once it has one: it asks for nothing
// but what was seen and heard.
func (c *code) stays(from, to int32) bool {
	return !slices.ContainsFunc(c.ops[from:to], func(op instruction) bool {
		switch op.kind {
		case opScan:
			return !fact.Perceived(int(op.pred))
		case opProve:
			return !op.proves.stays(0, int32(len(op.proves.ops)))
		case opOnce, opEither, opCompare, opAmong, opYield, opJump, opFail:
			return false
		}
		return true
	})
}

// lateRegisters are those that may hold a later step though no marked instruction gave it
// them.
func (c *code) lateRegisters(inputs uint32) []bool {
	late := make([]bool, c.regs)
	for i, in := range c.inputs {
		late[in.arg.reg] = inputs&(1<<i) != 0
	}
	for changed := true; changed; {
		changed = false
		mark := func(reg int32, when bool) {
			if when && !late[reg] {
				late[reg], changed = true, true
			}
		}
		for i := range c.ops {
			op := &c.ops[i]
			switch op.kind {
			case opScan:
				for n, a := range op.args {
					if a.mode != bind || c.sorts[a.reg] != integers {
						continue
					}
					mark(a.reg, n == 0 && !c.bounded(op, late) || n > 0 && !(fact.Earlier(int(op.pred), n) && c.early(op, late)))
				}
			case opAssign:
				mark(op.reg, c.sorts[op.reg] == integers && !c.notAfter(op.left, 0, late))
			case opBetween:
				mark(op.reg, true)
			case opCall:
				for _, a := range op.args {
					mark(a.reg, a.mode == bind && c.sorts[a.reg] == integers)
				}
			}
		}
	}
	return late
}

// early reports whether a scan looks at no later step.
func (c *code) early(op *instruction, late []bool) bool {
	switch a := op.args[0]; a.mode {
	case fixed:
		return a.value <= 0
	case given, bind:
		return !late[a.reg]
	}
	return c.bounded(op, late)
}

// bounded reports whether a scan is limited to steps that are not later.
func (c *code) bounded(op *instruction, late []bool) bool {
	return slices.ContainsFunc(op.high, func(l limit) bool { return c.notAfter(l.of, l.add, late) })
}

// notAfter reports whether a value is no later step.
func (c *code) notAfter(e *expression, add int64, late []bool) bool {
	switch {
	case e.op == '-' && e.right.op == 0 && e.right.operand.constant() && e.right.operand.value >= 0:
		return c.notAfter(e.left, add, late)
	case e.op != 0 || add > 0:
		return false
	case e.operand.constant():
		return e.operand.value <= 0
	}
	return !late[e.operand.reg]
}

// lateInputs are the values that an opProve asks with which may be later steps, as bits.
func (c *code) lateInputs(op *instruction, late []bool) (out uint32) {
	for i, o := range op.input {
		if !o.constant() && late[o.reg] || o.constant() && o.sort == integers && o.value > 0 {
			out |= 1 << i
		}
	}
	return out
}

// asks reports whether a scan of the code is over one of some predicates.
func (c *code) asks(of func(pred int) bool) bool {
	return slices.ContainsFunc(c.ops, func(op instruction) bool {
		return op.kind == opScan && of(int(op.pred)) || op.kind == opProve && op.proves.asks(of)
	})
}
