package datalog

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/mishap-robotics/mishap/engine/internal/fact"
	bound "github.com/mishap-robotics/mishap/engine/internal/limit"
	"github.com/mishap-robotics/mishap/ontology/decimal"
	"github.com/mishap-robotics/mishap/rules"
)

// ErrLimit is returned where an evaluation takes more steps than allowed.
var ErrLimit error = bound.Bound("the proof did not end within its limit")

// Observer is told what becomes of the conditions of clauses.
type Observer interface {
	Tried(c *rules.Clause, n int)
	Held(c *rules.Clause, n int)
	Failed(c *rules.Clause, n int)
	Concluded(c *rules.Clause)
}

// Evaluator runs compiled rules over the facts of an index. It is for one
// goroutine at a time; once it has run every rule, it allocates nothing but for
// what is concluded and for recursive predicates.
type Evaluator struct {
	program *Program
	index   *fact.Index
	frames  []*frame // by number of the code
	tables  map[*relation]*answers
	stamp   int
	named   int
	serial  int64 // of answers of tabled predicates
	prior   int64 // what is proved was answered with this number

	known   fact.Predicates // of the index, empty before somebody asked
	knownAt []knownAt

	own      map[string]int64 // values of names that only hosts gave
	ownNames []string

	ctx      context.Context
	limits   Limits
	spent    int
	built    int // bytes
	err      error
	at       knownAt // of the step that a rule is asked about
	ahead    Later   // facts of later steps that were asked for
	observer Observer
	top      func(f *frame, n int) // a condition of the clause itself failed
	profile  *Profile
	look     fact.Scan // for what a rule needs

	signals   []int64 // their values in the index, by number
	signalsOf int     // the stamp that they are of
	concluded tuples
	sets      []RuleSet
}

// frame holds what running a code needs, to be used again.
type frame struct {
	code  *code
	regs  []int64
	scans []fact.Scan
	finds []find
	calls []called
	state []int64 // of each instruction
	stack []int32 // choice points
	stamp int
}

// Evaluator takes one from those not in use. Release gives it back.
func (p *Program) Evaluator(x *fact.Index) *Evaluator {
	e := p.pool.Get().(*Evaluator)
	e.Use(x)
	return e
}

// Release gives an evaluator back.
func (e *Evaluator) Release() {
	e.ctx, e.observer, e.top, e.profile = nil, nil, nil, nil
	e.program.pool.Put(e)
}

// Use turns to an index, or to one that has changed: nothing is taken over from
// what was asked before.
func (e *Evaluator) Use(x *fact.Index) {
	if x != e.index || x.Named() != e.named {
		e.index, e.named = x, x.Named()
		e.stamp++
	}
	e.clearTables()
	e.forgetNames()
	e.known, e.knownAt = fact.Predicates{}, e.knownAt[:0]
}

func (e *Evaluator) clearTables() {
	for _, t := range e.tables {
		t.clear()
	}
}

// Limits bound the evaluation of a rule: the facts and choices that it looks at,
// and about how many bytes its conclusions and the answers of recursive predicates
// take.
type Limits struct {
	Steps, Bytes int
}

// The bytes that are counted, about: of a conclusion with its bindings, and of an
// answer with its place in the indexes.
const (
	concludedSize = 1000
	answerSize    = 100
)

// begin sets the bounds of what follows. What was being tabled when the last
// evaluation was broken off is not there in full, and is asked for anew.
func (e *Evaluator) begin(ctx context.Context, limits Limits) {
	if e.err != nil {
		e.clearTables()
	}
	e.ctx, e.limits, e.spent, e.built, e.err, e.ahead = ctx, limits, 0, 0, nil, Later{}
}

// stop counts a step and reports whether the evaluation must end.
func (e *Evaluator) stop() bool {
	e.spent++
	if (e.spent > e.limits.Steps || e.built > e.limits.Bytes) && e.err == nil {
		e.err = ErrLimit
	}
	if e.spent%1024 == 0 && e.err == nil && e.ctx.Err() != nil {
		e.err = e.ctx.Err()
	}
	return e.err != nil
}

// newEvaluator has the frames of all rules that are compiled, so that none is made while
// they run.
func newEvaluator(p *Program) *Evaluator {
	e := &Evaluator{program: p, tables: map[*relation]*answers{}}
	for _, r := range p.failures {
		for w := range r.codes {
			if c := r.codes[w].Load(); c != nil {
				e.keep(c)
			}
		}
	}
	return e
}

// keep is the frame that is kept for a code.
func (e *Evaluator) keep(c *code) *frame {
	for c.number >= len(e.frames) {
		e.frames = append(e.frames, nil)
	}
	if e.frames[c.number] == nil {
		e.frames[c.number] = makeFrame(c)
	}
	return e.frames[c.number]
}

func makeFrame(c *code) *frame {
	return &frame{code: c, regs: make([]int64, c.regs), scans: make([]fact.Scan, c.scans), finds: make([]find, c.finds), calls: make([]called, c.calls), state: make([]int64, len(c.ops)), stack: make([]int32, 0, 16)}
}

// frame prepares the frame of a code.
func (e *Evaluator) frame(c *code) *frame {
	f := e.keep(c)
	if f.stamp != e.stamp {
		e.setNames(f)
	}
	f.stack = f.stack[:0]
	return f
}

// newFrame is a frame for a code that is run once, or within a run of itself.
func (e *Evaluator) newFrame(c *code) *frame {
	f := makeFrame(c)
	e.setNames(f)
	return f
}

// setNames gives the registers of names the symbols that these have in the index.
func (e *Evaluator) setNames(f *frame) {
	f.stamp = e.stamp
	for _, n := range f.code.names {
		f.regs[n.reg] = e.valueOf(n.name, n.number)
	}
}

// valueOf is the symbol of a name, or a number of its own below those where no fact
// mentions it.
func (e *Evaluator) valueOf(name string, number int) int64 {
	if sym, ok := e.index.Symbol(name); ok {
		return int64(sym)
	}
	if v, ok := e.own[name]; ok {
		return v
	}
	return -int64(2 + number)
}

// symbol is the value of a name that no rule need have.
func (e *Evaluator) symbol(name string) int64 {
	e.program.mu.Lock()
	defer e.program.mu.Unlock()
	return e.valueOf(name, e.program.name(name))
}

func (f *frame) value(o operand) int64 {
	if o.reg < 0 {
		return o.value
	}
	return f.regs[o.reg]
}

// run goes on from an instruction, or with the next way where it is negative, and
// reports whether it came to a solution. Choice points below base are left alone;
// those above stay, for the next way.
func (e *Evaluator) run(f *frame, pc int32, base int) bool {
	ops := f.code.ops
	forward := pc >= 0
	for {
		if !forward {
			if len(f.stack) == base {
				return false
			}
			pc = f.stack[len(f.stack)-1]
			f.stack = f.stack[:len(f.stack)-1]
			if e.stop() {
				return false
			}
		}
		op := &ops[pc]
		ok, next := false, op.next
		if op.later && op.kind != opScan {
			e.ahead.far = fact.Every()
		}
		switch op.kind {
		case opScan:
			if !forward || e.open(f, op) {
				ok = e.next(f, op)
			}
			if ok && !op.once {
				f.stack = append(f.stack, pc)
			}
		case opCompare:
			ok = e.compare(f, op)
		case opAmong:
			v := f.value(op.input[0])
			ok = slices.ContainsFunc(op.input[1:], func(o operand) bool { return f.value(o) == v })
		case opNot, opOnce:
			var ahead Later
			if op.stays {
				ahead = e.ahead
			}
			ok = e.solves(f, op.entry) == (op.kind == opOnce)
			if !ok && op.stays {
				e.ahead = ahead
			}
			if !ok && op.ends > 0 {
				f.end(op.ends - 1)
			}
		case opAssign:
			f.regs[op.reg] = e.eval(f, op.left)
			ok = true
		case opEither:
			ok, next = e.alternative(f, op, pc, forward)
		case opIf:
			ok, next = true, e.branch(f, op, pc)
		case opJump:
			ok = true
		case opYield:
			return e.err == nil
		case opAnswers, opDemand:
			if forward {
				e.ask(f, op)
			}
			if ok = e.nextAnswer(f, op); ok {
				f.stack = append(f.stack, pc)
			}
		case opBetween:
			ok = e.between(f, op, pc, forward)
		case opCall:
			ok = e.call(f, op, pc, forward)
		case opProve:
			ok = e.holds(f, op)
		case opTry, opHeld, opDone:
			ok = e.observe(f, op, pc, forward)
		}
		if e.err != nil {
			return false
		}
		if forward = ok; ok {
			pc = next
		}
	}
}

// branch is where an if goes on, by whether its condition has a solution.
func (e *Evaluator) branch(f *frame, op *instruction, pc int32) int32 {
	f.state[pc] = 1
	if e.solves(f, op.entry) {
		f.state[pc] = 0
	}
	return op.branches[f.state[pc]]
}

// solves reports whether a goal inside a goal has a solution, and leaves no choice
// points of it.
func (e *Evaluator) solves(f *frame, entry int32) bool {
	mark := len(f.stack)
	ok := e.run(f, entry, mark)
	f.stack = f.stack[:mark]
	return ok
}

// end leaves no further way of a scan, where its steps ascend, nor of what came after it.
func (f *frame) end(scan int32) {
	if !f.scans[f.code.ops[scan].slot].Ascends() {
		return
	}
	if n := slices.Index(f.stack, scan); n >= 0 {
		f.stack = f.stack[:n]
	}
}

// alternative is where the next alternative of a disjunction begins; ok is false where
// there is no more.
func (e *Evaluator) alternative(f *frame, op *instruction, pc int32, forward bool) (ok bool, entry int32) {
	n := 0
	if !forward {
		n = int(f.state[pc]) + 1
	}
	for n < len(op.needs) && e.lacksAt(op.needs[n], &e.at) {
		n++
	}
	if f.state[pc] = int64(n); n >= len(op.branches) {
		return false, 0
	}
	f.stack = append(f.stack, pc)
	return true, op.branches[n]
}

func (e *Evaluator) between(f *frame, op *instruction, pc int32, forward bool) bool {
	if forward {
		low, err := Arithmetic('-', e.eval(f, op.left), 1)
		if err != nil && e.err == nil {
			e.err = fmt.Errorf("%w in %s", err, op.text)
		}
		f.state[pc] = low
	}
	if f.state[pc] >= e.eval(f, op.right) {
		return false
	}
	f.state[pc]++
	f.regs[op.reg] = f.state[pc]
	f.stack = append(f.stack, pc)
	return true
}

// observe tells the observer what becomes of a goal: that it is tried, that it held, that
// it did not, or that it was the last of its clause.
func (e *Evaluator) observe(f *frame, op *instruction, pc int32, forward bool) bool {
	switch {
	case op.kind == opHeld:
		f.state[op.try] = 1
		if e.observer != nil {
			e.observer.Held(op.clause, op.goal)
		}
	case op.kind == opDone:
		if e.observer != nil {
			e.observer.Concluded(op.clause)
		}
	case forward:
		f.state[pc] = 0
		f.stack = append(f.stack, pc)
		if e.observer != nil {
			e.observer.Tried(op.clause, op.goal)
		}
	default:
		if f.state[pc] == 0 {
			e.failed(f, op)
		}
		return false
	}
	return true
}

func (e *Evaluator) failed(f *frame, op *instruction) {
	if e.observer != nil {
		e.observer.Failed(op.clause, op.goal)
	}
	if e.top != nil && op.top {
		e.top(f, op.goal)
	}
}

// open begins a scan with the values that registers have.
func (e *Evaluator) open(f *frame, op *instruction) bool {
	var args [8]int32
	for i := range op.args {
		a := &op.args[i]
		switch a.mode {
		case fixed:
			if args[i] = int32(a.value); a.wide {
				args[i], args[i+1] = decimal.Decimal(a.value).Words()
			}
		case given:
			v := f.regs[a.reg]
			if a.wide {
				args[i], args[i+1] = decimal.Decimal(v).Words()
			} else if args[i] = int32(v); int64(args[i]) != v {
				return false
			}
		default:
			if args[i] = fact.Any; a.wide {
				args[i+1] = fact.Any
			}
		}
	}
	low, high := int64(math.MinInt32), int64(math.MaxInt32)
	for i := range op.low {
		low = max(low, saturated(e.eval(f, op.low[i].of), op.low[i].add))
	}
	for i := range op.high {
		high = min(high, saturated(e.eval(f, op.high[i].of), op.high[i].add))
	}
	if low > high {
		return false
	}
	if op.later {
		if a := op.args[0]; a.mode == given || a.mode == fixed {
			high = min(high, int64(args[0]))
		}
		e.scanAhead(int(op.pred), high)
	}
	s := &f.scans[op.slot]
	e.index.Open(s, int(op.pred), args[:fact.Width(int(op.pred))], int32(low), int32(high))
	switch op.side {
	case first:
		s.First()
	case last:
		s.Last()
	}
	return true
}

func (e *Evaluator) next(f *frame, op *instruction) bool {
	s := &f.scans[op.slot]
rows:
	for s.Next() {
		if e.stop() {
			return false
		}
		row := s.Row()
		for i := range op.args {
			switch a := &op.args[i]; a.mode {
			case bind:
				if f.regs[a.reg] = int64(row[i]); a.wide {
					f.regs[a.reg] = int64(decimal.FromWords(row[i], row[i+1]))
				}
			case equal:
				if row[i] != row[a.col] {
					continue rows
				}
			}
		}
		if e.profile != nil {
			e.profile.Of(op.clause).Tuples++
		}
		return true
	}
	return false
}

func (e *Evaluator) compare(f *frame, op *instruction) bool {
	x, y := e.eval(f, op.left), e.eval(f, op.right)
	if op.compare < before {
		return holds(op.compare, x, y)
	}
	return holds(op.compare, int64(strings.Compare(e.name(x), e.name(y))), 0)
}

func holds(c comparison, x, y int64) bool {
	switch c {
	case less, before:
		return x < y
	case greater, after:
		return x > y
	case atMost, notAfter:
		return x <= y
	case atLeast, notBefore:
		return x >= y
	case same:
		return x == y
	}
	return x != y
}

// name is the name that a register of names holds.
func (e *Evaluator) name(v int64) string {
	if v <= firstOwn {
		return e.ownNames[firstOwn-v]
	}
	if v <= -2 {
		e.program.mu.Lock()
		defer e.program.mu.Unlock()
		return e.program.names[-v-2]
	}
	return e.index.Name(int32(v))
}

func (e *Evaluator) eval(f *frame, x *expression) int64 {
	if x.op == 0 {
		return f.value(x.operand)
	}
	a, b := e.eval(f, x.left), int64(0)
	if x.right != nil {
		b = e.eval(f, x.right)
	}
	out, err := x.compute(a, b)
	if err != nil && e.err == nil {
		e.err = fmt.Errorf("%w in %s", err, x.text)
	}
	return out
}

func (x *expression) compute(a, b int64) (int64, error) {
	switch {
	case x.op == 'd':
		d, err := decimal.Of(a)
		return int64(d), err
	case x.sort == decimals:
		d, err := Decimals(x.op, decimal.Decimal(a), decimal.Decimal(b))
		return int64(d), err
	}
	return Arithmetic(x.op, a, b)
}

// term is a value as a term.
func (e *Evaluator) term(s sort, v int64) *rules.Term {
	switch s {
	case integers:
		return &rules.Term{Kind: rules.Integer, Int: v}
	case decimals:
		return &rules.Term{Kind: rules.Decimal, Int: v}
	}
	return &rules.Term{Kind: rules.Atom, Name: e.name(v)}
}
