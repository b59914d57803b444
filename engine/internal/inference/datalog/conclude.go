package datalog

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/mishap-robotics/mishap/rules"
)

// Rules are the failure rules in order of the program.
func (p *Program) Rules() []*Rule { return p.failures }

// Rule is a failure rule by its clause, nil where the program does not have it.
func (p *Program) Rule(c *rules.Clause) *Rule { return p.byClause[c] }

// After is Rule for those who mostly ask for the one after another, nil for the first.
func (p *Program) After(last *Rule, c *rules.Clause) *Rule {
	n := 0
	if last != nil {
		n = last.number + 1
	}
	if n < len(p.failures) && p.failures[n].Clause == c {
		return p.failures[n]
	}
	return p.byClause[c]
}

// Conclusion is one conclusion of a failure rule with its first proof in the
// order of the source.
type Conclusion struct {
	Class       string
	Step, Cause int32
	Objects     []string // as concluded: none may be among them
	Bindings    map[string]*rules.Term
	Proof       *Node // nil where proofs are not asked for
	path        []uint64
}

// Conclude lists the conclusions of a compiled failure rule, at one step where
// step is not nil, in the order in which Prolog comes to them. What differs only
// in how it is proved comes once. The error is ErrLimit, the context's, or that of
// arithmetic.
func (e *Evaluator) Conclude(ctx context.Context, r *Rule, step *int32, limits Limits, proofs bool) ([]Conclusion, error) {
	e.begin(ctx, limits)
	w := free
	if step != nil {
		w = anchored
	}
	if r.codes[w].Load() == nil && e.profile == nil && e.lacks(r.needs) {
		e.ahead = OnAll() // it may not lack them later
		return nil, nil
	}
	c, reason := r.as(w)
	if reason != nil {
		return nil, reason
	}
	if e.profile != nil {
		defer e.profile.Clock(r.Clause)()
	}
	if step != nil {
		if e.at = *e.knownOf(*step); e.lacksAt(&c.needs, &e.at) {
			return nil, nil
		}
	}
	f := e.frame(c)
	if step != nil {
		f.regs[c.inputs[0].arg.reg] = int64(*step)
	}
	var out []Conclusion
	set := &e.concluded
	for ok := e.run(f, 0, 0); ok; ok = e.run(f, -1, 0) {
		if len(out) == 0 {
			set.reset(r.width)
		}
		var row [maxArguments]int64
		for i, o := range c.head {
			row[i] = f.value(o)
		}
		if set.add(row[:r.width], 0) {
			e.built += concludedSize + 8*r.width
			if c.ahead { // so may the proof
				e.ahead = OnAll()
			}
			con := Conclusion{}
			if r.order == source {
				con = e.proved(f, row[:], proofs)
			}
			out = append(out, con)
		}
	}
	if r.order != source && len(out) > 0 {
		proof, reason := r.as(proving)
		if reason != nil {
			return nil, reason
		}
		for n := range out {
			if e.err == nil {
				out[n] = e.prove(r, proof, set.row(n), proofs)
			}
		}
		slices.SortStableFunc(out, func(a, b Conclusion) int { return slices.Compare(a.path, b.path) })
	}
	return out, e.err
}

// lacks reports whether there is no fact that agrees with one of some goals.
func (e *Evaluator) lacks(goals []*rules.Term) bool {
	for _, g := range goals {
		if !e.index.Has(&e.look, g) {
			return true
		}
	}
	return false
}

// ChangesWith tells with which later facts the last conclusions of a step, or that there are none,
// may change.
func (e *Evaluator) ChangesWith() Later { return e.ahead }

// prove finds the first proof of a conclusion.
func (e *Evaluator) prove(r *Rule, proof *code, values []int64, proofs bool) Conclusion {
	f := e.frame(proof)
	for i, in := range proof.inputs {
		f.regs[in.arg.reg] = values[r.bound[i]]
	}
	if !e.run(f, 0, 0) {
		if e.err == nil {
			e.err = fmt.Errorf("%s concludes what it has no proof of: the facts contradict each other", r.Clause.Pos)
		}
		return Conclusion{}
	}
	return e.proved(f, values, proofs)
}

// proved is a conclusion as it has just been proved.
func (e *Evaluator) proved(f *frame, values []int64, proofs bool) Conclusion {
	c := f.code
	for _, v := range values[1:3] {
		if int64(int32(v)) != v {
			e.err = fmt.Errorf("it concludes step %d; steps go to %d", v, math.MaxInt32)
			return Conclusion{}
		}
	}
	out := Conclusion{Class: c.clause.Head.Args[0].Name, Step: int32(values[1]), Cause: int32(values[2]), path: e.path(f)}
	for _, v := range values[3:len(c.head)] {
		out.Objects = append(out.Objects, e.name(v))
	}
	bound := make([]bool, c.regs)
	f.settled(c.body, bound)
	out.Bindings = e.bindings(f, c.scope, bound)
	if proofs {
		out.Proof = &Node{Goal: e.instance(f, c.scope, c.clause.Head, bound), Clause: c.clause, Fact: -1, Children: e.children(f, c.body)}
	}
	return out
}

// path tells where in the search a solution stands.
func (e *Evaluator) path(f *frame) []uint64 {
	var out []uint64
	for _, pc := range f.stack {
		op := &f.code.ops[pc]
		switch op.kind {
		case opScan:
			out = append(out, f.scans[op.slot].Position())
		case opAnswers:
			out = append(out, uint64(f.finds[op.slot].at))
		default:
			out = append(out, uint64(f.state[pc])+1<<63) // numbers may be negative
		}
	}
	return out
}

// settled notes the registers that have a value after a sequence as it was
// solved: those that every way gives one, and those of the branches taken.
func (f *frame) settled(q *sequence, bound []bool) {
	for i, b := range q.bound {
		bound[i] = bound[i] || b
	}
	f.taken(q.goals, bound)
}

// taken notes those that the branches taken in goals give one.
func (f *frame) taken(goals []proven, bound []bool) {
	for i := range goals {
		switch g := &goals[i]; {
		case g.inner != nil:
			f.settled(g.inner, bound)
		case g.branches != nil:
			f.settled(g.branches[f.state[g.op]], bound)
		}
	}
}

// bindings are the values of the variables of a clause.
func (e *Evaluator) bindings(f *frame, s *scope, bound []bool) map[string]*rules.Term {
	out := map[string]*rules.Term{}
	for name := range s.vars {
		out[name] = e.instance(f, s, &rules.Term{Kind: rules.Variable, Name: name}, bound)
	}
	return out
}

// instance is a term with the values of its variables.
func (e *Evaluator) instance(f *frame, s *scope, t *rules.Term, bound []bool) *rules.Term {
	if t.Kind == rules.Variable {
		o := s.vars[t.Name]
		switch {
		case o.constant():
			return e.term(o.sort, o.value)
		case int(o.reg) < len(bound) && bound[o.reg]:
			return e.term(f.code.sorts[o.reg], f.regs[o.reg])
		}
		return &rules.Term{Kind: rules.Variable, Name: t.Name}
	}
	out := &rules.Term{Kind: t.Kind, Name: t.Name, Int: t.Int, Pos: t.Pos}
	for _, a := range t.Args {
		out.Args = append(out.Args, e.instance(f, s, a, bound))
	}
	return out
}

// children are the proofs of the goals of a sequence as it was solved.
func (e *Evaluator) children(f *frame, q *sequence) []*Node {
	var out []*Node
	for i := range q.goals {
		g := &q.goals[i]
		n := &Node{Fact: -1}
		switch {
		case g.hidden:
			continue
		case g.inner != nil:
			out = append(out, e.children(f, g.inner)...)
			continue
		case g.branches != nil:
			out = append(out, e.children(f, g.branches[f.state[g.op]])...)
			continue
		case g.negated:
			n.Negated = true
		case g.builtin:
			n.InGo = true
		case g.pred >= 0:
			n.Fact, n.Row = g.pred, slices.Clone(f.scans[f.code.ops[g.op].slot].Row())
		case g.answers != nil:
			n = e.answered(g.answers, f.finds[f.code.ops[g.op].slot].at)
		case g.clauses != nil:
			use := g.clauses[0]
			if len(g.clauses) > 1 {
				use = g.clauses[f.state[g.op]]
			}
			n.Clause, n.Children = use.clause, e.children(f, use.body)
		}
		n.Goal = e.instance(f, g.scope, g.goal, q.bound)
		n.Goal.Pos = g.goal.Pos
		out = append(out, n)
	}
	return out
}

// answered is the proof of an answer of a tabled predicate: by a clause whose
// recursive goals were answered before it. Of the tables that have the answer,
// which differ in what they are asked with, the first to have had it counts, so
// that nothing rests on itself.
func (e *Evaluator) answered(r *relation, n int) *Node {
	row, serial := slices.Clone(e.table(r).found.row(n)), e.table(r).found.serials[n]
	for _, other := range e.program.component(r.component) {
		if other.of != r.of {
			continue
		}
		t := &e.table(other).found
		for _, m := range t.find(row, t.every()) {
			if slices.Equal(t.row(int(m)), row) && t.serials[m] < serial {
				r, serial = other, t.serials[m]
			}
		}
	}
	for _, c := range r.proofs {
		f := e.newFrame(c)
		for _, in := range c.inputs {
			f.regs[in.arg.reg] = row[in.at]
		}
		e.prior = serial
		if e.run(f, 0, 0) {
			return &Node{Clause: c.clause, Fact: -1, Children: e.children(f, c.body)}
		}
	}
	if e.err != nil {
		return &Node{Fact: -1}
	}
	panic("mishap: no proof of an answer of " + r.of.String())
}

// Query visits the answers of a goal in the order in which Prolog comes to them:
// the values of its variables, in order of their first occurrence; visit returns
// false to end. The error is a *Reason where the goal cannot be compiled.
func (e *Evaluator) Query(ctx context.Context, goals []*rules.Term, limits Limits, visit func(names []string, values []*rules.Term) bool) error {
	code, reason := e.program.adHoc(goals)
	if reason == nil {
		reason = code.uneven
	}
	if reason != nil {
		return reason
	}
	f := e.newFrame(code)
	e.begin(ctx, limits)
	names := f.code.clause.Variables()
	for ok := e.run(f, 0, 0); ok; ok = e.run(f, -1, 0) {
		bound := make([]bool, f.code.regs)
		f.settled(f.code.body, bound)
		values := make([]*rules.Term, len(names))
		for i, n := range names {
			values[i] = e.instance(f, f.code.scope, &rules.Term{Kind: rules.Variable, Name: n}, bound)
		}
		if !visit(names, values) {
			break
		}
	}
	return e.err
}

// Goal tells why goals cannot be compiled; nil where they can.
func (p *Program) Goal(goals []*rules.Term) *Reason {
	code, reason := p.adHoc(goals)
	if reason == nil {
		reason = code.uneven
	}
	return reason
}

// adHoc compiles goals that are asked for once.
func (p *Program) adHoc(goals []*rules.Term) (*code, *Reason) {
	c := &rules.Clause{Head: &rules.Term{Kind: rules.Atom, Name: "query"}, Body: goals}
	if len(goals) > 0 {
		c.Pos = goals[0].Pos
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.compile(c, nil, nil, source)
}

// Proof is the first proof of a goal; nil where there is none.
func (e *Evaluator) Proof(ctx context.Context, goal *rules.Term, limits Limits) ([]*Node, error) {
	code, reason := e.program.adHoc([]*rules.Term{goal})
	if reason != nil {
		return nil, reason
	}
	f := e.newFrame(code)
	e.begin(ctx, limits)
	if !e.run(f, 0, 0) {
		return nil, e.err
	}
	return e.children(f, f.code.body), nil
}

// Cover runs a rule in the order of the source and tells the observer what
// becomes of its conditions.
func (e *Evaluator) Cover(ctx context.Context, r *Rule, limits Limits, o Observer) error {
	c, reason := e.program.code(r.Clause, nil, nil, traced)
	if reason != nil {
		return reason
	}
	e.begin(ctx, limits)
	e.observer = o
	defer func() { e.observer = nil }()
	e.exhaust(e.frame(c))
	if e.err != nil {
		return e.err
	}
	return e.coverTables()
}

// exhaust finds all solutions.
func (e *Evaluator) exhaust(f *frame) {
	for ok := e.run(f, 0, 0); ok; ok = e.run(f, -1, 0) {
	}
}

// coverTables runs the clauses of recursive predicates for what was asked of
// them.
func (e *Evaluator) coverTables() error {
	done := map[*relation]int{}
	for again := true; again && e.err == nil; {
		again = false
		var asked []*relation
		for r := range e.tables {
			asked = append(asked, r)
		}
		for _, r := range asked {
			for t := &e.table(r).questions; done[r] < t.count && e.err == nil; done[r]++ {
				again = true
				for _, c := range e.program.rules.Defining(r.of) {
					sorts := make([]sort, len(r.bound))
					for i, at := range r.bound {
						sorts[i] = r.sorts[at]
					}
					code, reason := e.program.code(c, r.bound, sorts, traced)
					if reason != nil {
						return reason
					}
					f := e.frame(code)
					for i, in := range code.inputs {
						f.regs[in.arg.reg] = t.row(done[r])[i]
					}
					e.exhaust(f)
				}
			}
		}
	}
	return e.err
}

// Furthest searches for a proof of a clause, some of whose head's arguments have
// values, and returns the condition that failed at the end of the longest way,
// with the values that the variables of the clause had then. It is -1 where no
// condition failed, because there is a proof or the values do not fit the head.
func (e *Evaluator) Furthest(ctx context.Context, c *rules.Clause, values map[int]*rules.Term, limits Limits) (at int, proved bool, have map[string]*rules.Term, err error) {
	var bound []int
	var sorts []sort
	var given []int64
	head, reason := conclusion(c)
	if reason != nil {
		return -1, false, nil, reason
	}
	for i := range head {
		t, ok := values[i]
		if !ok {
			continue
		}
		bound = append(bound, i)
		switch t.Kind {
		case rules.Integer:
			sorts, given = append(sorts, integers), append(given, t.Int)
		case rules.Decimal:
			sorts, given = append(sorts, decimals), append(given, t.Int)
		default:
			sorts, given = append(sorts, symbols), append(given, e.symbol(t.Name))
		}
	}
	code, reason := e.program.code(c, bound, sorts, traced)
	if reason != nil {
		return -1, false, nil, reason
	}
	e.begin(ctx, limits)
	f := e.frame(code)
	for i, in := range code.inputs {
		f.regs[in.arg.reg] = given[i]
	}
	at = -1
	e.top = func(f *frame, n int) {
		if n > at {
			at = n
			bound := make([]bool, code.regs)
			copy(bound, code.body.starts[n])
			f.taken(code.body.goals[:n], bound)
			have = e.bindings(f, code.scope, bound)
		}
	}
	defer func() { e.top = nil }()
	proved = e.run(f, 0, 0)
	return at, proved, have, e.err
}
