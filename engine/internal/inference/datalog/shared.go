package datalog

import (
	"slices"

	"github.com/mishap-robotics/mishap/rules"
)

// What only asks whether a helper predicate holds gives nothing back, and no proof shows how
// it came about. It is compiled once for each way of being asked, and not written out in
// every rule that asks: most of what rules come to is such.

// asking is a way of asking whether a helper predicate holds.
type asking struct {
	of    rules.Indicator
	bound uint32 // arguments that have values
	sorts string // of those
	order order
	fixed bool // its goals run as written
}

// lateAsking is a code that is asked with values that may be later steps.
type lateAsking struct {
	of   *code
	late uint32 // inputs, as bits
}

// shares reports whether a goal only asks whether a helper predicate holds, as far as a code
// of its own can tell: each argument has a value, or nobody asks for it.
func (b *builder) shares(s *scope, g *rules.Term, args []operand) bool {
	if b.order == traced || len(args) > maxArguments || b.program.components[g.Indicator()] > 0 {
		return false
	}
	var free []int32
	for i, o := range args {
		switch {
		case o.constant() && o.sort == integers && int64(int32(o.value)) != o.value:
			return false // it may be refused where it is written out
		case b.has(o):
		case slices.Contains(free, o.reg), b.order == source && elsewhere(s.clause, g.Args[i], g.Args[i].Name):
			return false
		default:
			free = append(free, o.reg)
		}
	}
	return true
}

// ask compiles a goal that asks whether a helper predicate holds.
func (b *builder) ask(g *rules.Term, args []operand) {
	k := asking{of: g.Indicator(), order: b.order, fixed: b.fixed}
	op := instruction{kind: opProve, text: g}
	for i, o := range args {
		if b.has(o) {
			k.bound |= 1 << i
			k.sorts += string('0' + rune(b.sortOf(o)))
			op.input = append(op.input, o)
		}
	}
	done, ok := b.program.answering[k]
	if !ok {
		done = &compiled{}
		done.code, done.err = b.program.answer(g, k)
		b.program.answering[k] = done
	}
	if done.err != nil {
		b.refuse(done.err.Pos, "%s", done.err.Text)
	}
	op.proves = done.code
	b.emit(op)
}

// answer compiles what tells whether a helper predicate holds.
func (p *Program) answer(g *rules.Term, k asking) (out *code, reason *Reason) {
	call := &rules.Term{Kind: g.Kind, Name: g.Name, Pos: g.Pos}
	for i := range g.Args {
		call.Args = append(call.Args, &rules.Term{Kind: rules.Variable, Name: own + string(rune('A'+i))})
	}
	c := &rules.Clause{Head: call, Body: []*rules.Term{call}, Pos: g.Pos}
	b := newBuilder(p, c, k.order)
	b.fixed, b.within = k.fixed, true
	defer catch(&out, &reason)
	s := &scope{clause: c, vars: map[string]operand{}}
	b.variables(s)
	args := make([]operand, len(call.Args))
	sorts := k.sorts
	for i, t := range call.Args {
		args[i] = s.vars[t.Name]
		if k.bound&(1<<i) != 0 {
			b.receive(len(b.inputs), args[i], sort(sorts[0]-'0'))
			sorts = sorts[1:]
		}
	}
	b.write(g, p.rules.Defining(k.of), args, map[int32]bool{}, 0, &proven{})
	return p.numbered(b.finish(s, nil)), nil
}

// numbered gives a code its number.
func (p *Program) numbered(c *code) *code {
	c.number = p.count
	p.count++
	return c
}

// holds reports whether what an opProve asks has an answer.
func (e *Evaluator) holds(f *frame, op *instruction) bool {
	to := e.frame(op.proves)
	for i, o := range op.input {
		to.regs[op.proves.inputs[i].arg.reg] = f.value(o)
	}
	return e.run(to, 0, 0)
}

// askedLate is a code as it is asked with values that may be later steps, marked so.
func (p *Program) askedLate(c *code, late uint32) *code {
	k := lateAsking{c, late}
	out, ok := p.marked[k]
	if !ok {
		own := *c
		out = p.numbered(&own)
		out.ops = slices.Clone(c.ops)
		out.ahead = out.markLater(p, late)
		p.marked[k] = out
	}
	return out
}
