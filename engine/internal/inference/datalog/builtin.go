package datalog

import (
	"context"
	"fmt"
	"runtime/debug"
	"slices"

	"github.com/mishap-robotics/mishap/rules"
)

// Builtin is a predicate that a host gives in Go. What it answers depends on the values
// of its inputs alone.
type Builtin struct {
	Name          string
	In, Out       []rules.ArgKind // its arguments: those with values when it is asked, then those that it gives values
	Doc           string
	Deterministic bool // there is one answer at most
	Relation      bool // it has no In, and Answers takes for each argument its value, or nil
	// Answers visits the answers for inputs; it ends where visit returns false.
	Answers func(ctx context.Context, in []*rules.Term, visit func(out []*rules.Term) bool) error
}

// Builtins are the predicates that a host gives.
type Builtins map[rules.Indicator]*Builtin

// Indicator is its name and arity.
func (b *Builtin) Indicator() rules.Indicator {
	return rules.Indicator{Name: b.Name, Arity: len(b.In) + len(b.Out)}
}

// BuiltinError is what is wrong with a predicate that a host gives in Go, or what went
// wrong in it.
type BuiltinError struct {
	Predicate rules.Indicator
	Pos       rules.Pos // of the goal that asked it; its Line is 0 where none did
	Err       error     // of the host, or what is wrong
	Stack     []byte    // where it panicked; nil where it did not
}

func (e *BuiltinError) Error() string {
	if e.Pos.Line == 0 {
		return fmt.Sprintf("%s, given in Go: %v", e.Predicate, e.Err)
	}
	return fmt.Sprintf("%s, given in Go, at %s: %v", e.Predicate, e.Pos, e.Err)
}

// Unwrap is the error of the host.
func (e *BuiltinError) Unwrap() error { return e.Err }

// Ask visits the answers for inputs, which fit; visit returns false to end. The error is
// a *BuiltinError, or that of the context where it is over.
func (b *Builtin) Ask(ctx context.Context, at rules.Pos, in []*rules.Term, visit func(out []*rules.Term) bool) (err error) {
	defer func() {
		if p := recover(); p != nil {
			cause, ok := p.(error)
			if ok {
				cause = fmt.Errorf("it panicked: %w", cause)
			} else {
				cause = fmt.Errorf("it panicked: %v", p)
			}
			err = &BuiltinError{b.Indicator(), at, cause, debug.Stack()}
		}
	}()
	var wrong error
	err = b.Answers(ctx, in, func(out []*rules.Term) bool {
		if wrong = b.checkAnswer(out); wrong != nil {
			return false
		}
		out = b.decimals(out)
		return visit(out) && !b.Deterministic
	})
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case wrong != nil:
		err = wrong
	}
	if err != nil {
		return &BuiltinError{b.Indicator(), at, err, nil}
	}
	return nil
}

func (b *Builtin) checkAnswer(out []*rules.Term) error {
	if len(out) != len(b.Out) {
		return fmt.Errorf("an answer of %d values; expected %d", len(out), len(b.Out))
	}
	for i, t := range out {
		if !fits(b.Out[i], t) {
			return fmt.Errorf("it gave %s as argument %d; expected %s", t, len(b.In)+i+1, expected(b.Out[i]))
		}
	}
	return nil
}

// decimals makes decimals of the whole numbers of an answer where values are due.
func (b *Builtin) decimals(out []*rules.Term) []*rules.Term {
	for i, t := range out {
		if b.Out[i] == rules.ValueArg && t.Kind == rules.Integer {
			d, _ := t.Number()
			out = slices.Clone(out)
			out[i] = rules.Number(d)
		}
	}
	return out
}

// CheckInput tells why a value is none for an input, nil where it is one.
func (b *Builtin) CheckInput(n int, at rules.Pos, t *rules.Term) error {
	var err error
	switch vars := t.Variables(); {
	case len(vars) > 0:
		err = fmt.Errorf("%s has no value where one is needed; put what binds it before", vars[0])
	case !fits(b.In[n], t):
		err = fmt.Errorf("argument %d is %s; expected %s", n+1, t, expected(b.In[n]))
	default:
		return nil
	}
	return &BuiltinError{b.Indicator(), at, err, nil}
}

// fits reports whether a value is of the sort that a kind has.
func fits(k rules.ArgKind, t *rules.Term) bool {
	switch {
	case k == rules.AnyArg:
		items, list := t.List()
		if list {
			return !slices.ContainsFunc(items, func(t *rules.Term) bool { return !fits(k, t) })
		}
		return t.Kind == rules.Integer || t.Kind == rules.Decimal || t.Kind == rules.Atom
	case k == rules.ValueArg:
		_, ok := t.Number()
		return ok
	case k.Integer():
		return t.Kind == rules.Integer
	}
	return t.Kind == rules.Atom
}

// expected is what a kind takes, in words.
func expected(k rules.ArgKind) string {
	if k == rules.AnyArg {
		return "a number, a name or a list of these"
	}
	return sortOf(k).String()
}

func sortOf(k rules.ArgKind) sort {
	switch {
	case k == rules.AnyArg:
		return unsettled
	case k.Integer():
		return integers
	case k == rules.ValueArg:
		return decimals
	}
	return symbols
}

// asksHost reports whether a goal leads to a predicate that the host gives.
func (p *Program) asksHost(g *rules.Term) bool {
	return len(p.builtins) > 0 && g.Holds(func(i rules.Indicator) bool { return p.builtins[i] != nil || p.hosted[i] })
}

// host compiles a goal that a host's predicate answers.
func (b *builder) host(s *scope, h *Builtin, g *rules.Term, needed map[int32]bool, out *proven) {
	out.builtin = true
	if h.Relation {
		b.refuse(g.Pos, "%s is asked by what is known when it runs", h.Indicator())
	}
	op := instruction{kind: opCall, builtin: h, text: g, rows: expectedOf(h)}
	for i, k := range h.In {
		t := g.Args[i]
		o := b.operand(s, t)
		switch {
		case !b.has(o):
			b.refuse(t.Pos, "%s has no value where %s needs one", t, h.Indicator())
		case k != rules.AnyArg && b.sortOf(o) != sortOf(k) && !(k == rules.ValueArg && b.sortOf(o) == integers):
			b.refuse(t.Pos, "%s is %s where %s takes %s", t, b.sortOf(o), h.Indicator(), sortOf(k))
		}
		op.input = append(op.input, o)
	}
	sorts := make([]sort, len(h.Out))
	for i, k := range h.Out {
		if sorts[i] = sortOf(k); sorts[i] == unsettled {
			b.refuse(g.Pos, "whether %s gives numbers, names or lists is known only when it runs", h.Indicator())
		}
	}
	gives, ok := b.columns(s, &op, g.Args[len(h.In):], sorts, needed)
	if !ok {
		b.emit(instruction{kind: opFail, text: g})
		return
	}
	op.once = h.Deterministic || b.order == cheapest && !gives
	out.op = b.emit(op)
}

// expectedOf is about how many answers there are.
func expectedOf(h *Builtin) float64 {
	if h.Deterministic || len(h.Out) == 0 {
		return 1
	}
	return 4
}

// called are the answers of a host's predicate, in their order.
type called struct {
	rows  []int64
	count int
}

// call goes on with the next answer of a host's predicate that agrees.
func (e *Evaluator) call(f *frame, op *instruction, pc int32, forward bool) bool {
	c := &f.calls[op.slot]
	if forward {
		f.state[pc] = -1
		e.fetch(f, op, c)
	}
answers:
	for e.err == nil {
		f.state[pc]++
		n := int(f.state[pc])
		if n >= c.count {
			return false
		}
		row := c.rows[n*len(op.args) : (n+1)*len(op.args)]
		for i := range op.args {
			switch a := &op.args[i]; {
			case a.mode == fixed && row[i] != a.value, a.mode == given && row[i] != f.regs[a.reg], a.mode == equal && row[i] != row[a.col]:
				continue answers
			}
		}
		for i := range op.args {
			if a := &op.args[i]; a.mode == bind {
				f.regs[a.reg] = row[i]
			}
		}
		if !op.once {
			f.stack = append(f.stack, pc)
		}
		return true
	}
	return false
}

// fetch asks a host's predicate for its answers.
func (e *Evaluator) fetch(f *frame, op *instruction, c *called) {
	c.rows, c.count = c.rows[:0], 0
	if e.stop() {
		return
	}
	in := make([]*rules.Term, len(op.input))
	for i, o := range op.input {
		of := o.sort
		if !o.constant() {
			of = f.code.sorts[o.reg]
		}
		in[i] = e.term(of, f.value(o))
	}
	err := op.builtin.Ask(e.ctx, op.text.Pos, in, func(out []*rules.Term) bool {
		before := cap(c.rows)
		for _, t := range out {
			c.rows = append(c.rows, e.hostValue(t))
		}
		e.built += 8 * (cap(c.rows) - before)
		c.count++
		if e.profile != nil {
			e.profile.Of(op.clause).Tuples++
		}
		return !e.stop()
	})
	if e.err == nil {
		e.err = err
	}
	if e.err != nil {
		*c = called{}
	}
}

// Names that neither the index nor the program has are numbered down from firstOwn, until
// the evaluator turns to other facts.
const (
	firstOwn = -1 << 40
	ownSize  = 100 // bytes, about
)

// hostValue is the value of what a host's predicate gave.
func (e *Evaluator) hostValue(t *rules.Term) int64 {
	if t.Kind == rules.Integer || t.Kind == rules.Decimal {
		return t.Int
	}
	if sym, ok := e.index.Symbol(t.Name); ok {
		return int64(sym)
	}
	if v, ok := e.own[t.Name]; ok {
		return v
	}
	if n, ok := e.program.known(t.Name); ok {
		return -int64(2 + n)
	}
	if e.own == nil {
		e.own = map[string]int64{}
	}
	v := firstOwn - int64(len(e.ownNames))
	e.own[t.Name] = v
	e.ownNames = append(e.ownNames, t.Name)
	e.built += ownSize + len(t.Name)
	return v
}

// known is the number of a name that the ontology does not have, where a rule mentions it.
func (p *Program) known(name string) (n int, ok bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	n, ok = p.numbers[name]
	return n, ok
}

// forgetNames lets go of the names that only hosts gave. Tables are empty by then; frames
// are given their names anew.
func (e *Evaluator) forgetNames() {
	if len(e.own) > 0 {
		clear(e.own)
		e.ownNames = nil
		e.stamp++
	}
}
