package datalog

import (
	"math/bits"
	"slices"

	"github.com/mishap-robotics/mishap/engine/internal/fact"
)

// needs are facts without which a code that runs at a step has no solution.
type needs struct {
	at   fact.Predicates // some of the step
	any  fact.Predicates // some of whichever step
	told signals         // one of the step, or of a kind, by what it says
}

func (n *needs) join(o needs) {
	n.at.Join(o.at)
	n.any.Join(o.any)
	n.told.join(o.told)
}

// needsOf are the needs of a code that runs at a step: of each scan that must find something,
// whatever way the code takes.
func (p *Program) needsOf(c *code) needs {
	return p.neededIn(c, span{0, int32(len(c.ops) - 1)}, c.runsAt)
}

// runsAt reports whether a register holds the step that a code runs at.
func (c *code) runsAt(reg int32) bool { return len(c.inputs) > 0 && reg == c.inputs[0].arg.reg }

// neededIn are the needs of a part of a code. Step tells which registers hold the step.
func (p *Program) neededIn(c *code, part span, step func(reg int32) bool) (out needs) {
	for pc := part.from; pc < part.to; {
		op := &c.ops[pc]
		switch pc++; op.kind {
		case opScan:
			a := op.args[0]
			at := a.mode == given && step(a.reg)
			if at {
				out.at.Add(int(op.pred))
			} else {
				out.any.Add(int(op.pred))
			}
			p.addSignals(&out.told, c, op, at)
		case opNot:
			pc = op.next
		case opOnce:
			out.join(p.neededIn(c, span{op.entry, op.next - 1}, step))
			pc = op.next
		case opProve:
			of := op.proves
			out.join(p.neededIn(of, span{0, int32(len(of.ops) - 1)}, func(reg int32) bool {
				i := slices.IndexFunc(of.inputs, func(in input) bool { return in.arg.reg == reg })
				return i >= 0 && !op.input[i].constant() && step(op.input[i].reg)
			}))
		case opEither, opIf:
			ways, end := c.ways(op)
			either := p.neededIn(c, ways[0], step)
			for _, w := range ways[1:] {
				either = either.meet(p.neededIn(c, w, step))
			}
			out.join(either)
			pc = end
		}
	}
	return out
}

// meet are the needs of what goes one of two ways.
func (n needs) meet(o needs) needs {
	return needs{n.at.Meet(o.at), n.any.Meet(o.any), n.told.meet(o.told)}
}

// markNeeds notes what each way of the disjunctions of a code needs, which runs at a step.
func (p *Program) markNeeds(c *code) {
	for i := range c.ops {
		op := &c.ops[i]
		if op.kind != opEither {
			continue
		}
		ways, _ := c.ways(op)
		op.needs = make([]*needs, len(ways))
		for n, w := range ways {
			op.needs[n] = p.interned(p.neededIn(c, w, c.runsAt))
		}
	}
}

// interned keeps needs once: many ways have the same.
func (p *Program) interned(n needs) *needs {
	kept, ok := p.ways[n]
	if !ok {
		kept = &n
		p.ways[n] = kept
	}
	return kept
}

// knownAt is what has facts of a step.
type knownAt struct {
	step int32
	of   fact.Predicates
	told signals
}

// lacksAt reports whether a code that runs at a step has no solution for want of facts that it
// needs.
func (e *Evaluator) lacksAt(n *needs, at *knownAt) bool {
	if !n.at.Without(at.of).None() || n.told.lacks(&at.told) {
		return true
	}
	lacking := n.any.Without(e.knownPredicates())
	e.ahead.far.Join(lacking)
	return !lacking.None()
}

func (e *Evaluator) knownPredicates() fact.Predicates {
	if e.known.None() {
		e.known = e.index.Known()
	}
	return e.known
}

// knownOf is what has facts of a step. It holds until another step is asked about.
func (e *Evaluator) knownOf(step int32) *knownAt {
	for i := range e.knownAt {
		if e.knownAt[i].step == step {
			return &e.knownAt[i]
		}
	}
	at := knownAt{step: step, of: e.index.KnownAt(step)}
	at.told = e.signalsAt(&at)
	e.knownAt = append(e.knownAt, at)
	return &e.knownAt[len(e.knownAt)-1]
}

// neededBy tells of all failure rules which need what, by their number: most lack something at
// a step, and are told from the others together.
type neededBy struct {
	at    []byPredicate
	told  [maxSignals]RuleSet // nil where none needs it
	any   []fact.Predicates
	rules int
}

type byPredicate struct {
	pred  int
	rules RuleSet
}

// neededByAll tells what failure rules need that are compiled to be asked about steps.
func (p *Program) neededByAll() *neededBy {
	n := len(p.failures)
	out := &neededBy{any: make([]fact.Predicates, n), rules: n}
	var at [len(fact.Predicates{}) * 64]RuleSet
	note := func(to *RuleSet, rule int) {
		if *to == nil {
			*to = NewRuleSet(n)
		}
		to.Add(rule)
	}
	for i, r := range p.failures {
		c := r.codes[anchored].Load()
		if c == nil {
			continue
		}
		out.any[i] = c.needs.any
		for pred := range at {
			if c.needs.at.Has(pred) {
				note(&at[pred], i)
			}
		}
		for s := range out.told {
			if c.needs.told.has(s) {
				note(&out.told[s], i)
			}
		}
	}
	for pred, rules := range at {
		if rules != nil {
			out.at = append(out.at, byPredicate{pred, rules})
		}
	}
	return out
}

// Candidates makes a set of those failure rules of the program, by their number, that do not lack
// facts of a step without which they conclude nothing of it. Those are all before the program is
// Ready.
func (e *Evaluator) Candidates(step int32, set RuleSet) {
	set.Fill(len(e.program.failures))
	of := e.program.needed.Load()
	if of == nil {
		return
	}
	at := e.knownOf(step)
	for i := range of.at {
		if n := &of.at[i]; !at.of.Has(n.pred) {
			set.Drop(n.rules)
		}
	}
	for w, told := range at.told {
		for lacking := ^told; lacking != 0; lacking &= lacking - 1 {
			if rules := of.told[w<<6+bits.TrailingZeros64(lacking)]; rules != nil {
				set.Drop(rules)
			}
		}
	}
}

// Lacks are the predicates for want of facts of which, at whichever step, the n-th failure rule has
// no conclusion.
func (e *Evaluator) Lacks(n int) (lacking fact.Predicates) {
	of := e.program.needed.Load()
	if of == nil {
		return lacking
	}
	return of.any[n].Without(e.knownPredicates())
}

// Later tells with which facts of steps after the one that a rule was asked about what it
// concludes may change.
type Later struct {
	far  fact.Predicates // of any later step
	near fact.Predicates // of steps up to reach
	// reach is the last step of which it looked at facts of near, at most nearby after the one
	// asked about.
	reach int32
}

// LacksFacts is that of a rule which concludes nothing for want of facts of some predicates.
func LacksFacts(of fact.Predicates) Later { return Later{far: of} }

// OnAll is that of a rule that was not asked.
func OnAll() Later { return Later{far: fact.Every()} }

// After is the same with the reach from a step on; it is the zero value where nothing later
// matters.
func (a Later) After(step int32) Later {
	if a.reach = max(a.reach-step, 0); a.reach == 0 || a.near.None() {
		a.near, a.reach = fact.Predicates{}, 0
	}
	return a
}

// Meets reports whether facts that have changed from so many steps after the one asked about on
// may be among them. It is for what After gives.
func (a *Later) Meets(changed *fact.Predicates, from int32) bool {
	return a.far.Meets(changed) || from <= a.reach && a.near.Meets(changed)
}

// nearby is how many steps further on what is looked at counts as near.
const nearby = 64

// scanAhead notes that a scan may look at facts up to a step.
func (e *Evaluator) scanAhead(pred int, last int64) {
	if fact.Later(pred) || last > int64(e.at.step)+nearby {
		e.ahead.far.Add(pred)
	} else if last > int64(e.at.step) {
		e.ahead.near.Add(pred)
		e.ahead.reach = max(e.ahead.reach, int32(last))
	}
}
