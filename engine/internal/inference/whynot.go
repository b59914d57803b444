package inference

import (
	"context"
	"slices"

	"github.com/mishap-robotics/mishap/engine/internal/fact"
	"github.com/mishap-robotics/mishap/engine/internal/inference/datalog"
	"github.com/mishap-robotics/mishap/rules"
)

// Unproved tells why a clause did not conclude what was asked.
type Unproved struct {
	Clause  *rules.Clause
	Head    *rules.Term       // with the values asked for
	Held    []*rules.Term     // the conditions that held, with their values
	Failed  *rules.Term       // the first condition that did not, with the values it had; nil where the head does not fit
	Nearest []*rules.Term     // facts of its predicate that differ in one argument, or in as few as any
	Origins []fact.Provenance // of the nearest facts
	Inner   []*Unproved       // why a helper predicate did not hold
	Proof   *Node             // of what is negated: why the negation does not hold
}

// maxNearest bounds how many facts are shown.
const maxNearest = 5

// WhyNot tells, for each rule that concludes a class or a subclass of it, the first condition that
// kept it from doing so at a step: of all ways to satisfy the conditions before
// it, one that got furthest. Rules that did conclude it there are left out.
func (p *Prover) WhyNot(ctx context.Context, class string, step int32) ([]*Unproved, error) {
	var out []*Unproved
	onto := p.Index.Trace.Objects.Onto
	asked, _ := onto.Lookup(class)
	for _, c := range p.Program.FailureRules() {
		concludes := c.Head.Args[0]
		if id, _ := onto.Lookup(concludes.Name); concludes.Kind == rules.Atom && !onto.IsA(id, asked) {
			continue
		}
		if p.compiled(c) != nil {
			if at := c.Head.Args[1]; at.Kind == rules.Integer && at.Int != int64(step) {
				continue
			}
			u, err := p.unprovedCompiled(ctx, c, map[int]*rules.Term{1: {Kind: rules.Integer, Int: int64(step)}}, 0)
			if err != nil {
				return nil, err
			}
			if u != nil {
				out = append(out, u)
			}
			continue
		}
		p.begin(ctx)
		f := &frame{}
		head := f.build(c.Head).(*compound)
		if concludes.Kind != rules.Atom {
			p.unify(head.args[0], atom(class))
		}
		if !p.unify(head.args[1], number(step)) {
			continue
		}
		u, err := p.unproved(c, f, 0)
		if err != nil {
			return nil, err
		}
		if u != nil {
			out = append(out, u)
		}
	}
	return out, nil
}

// maxInner bounds how deep helper predicates are explained.
const maxInner = 6

// unproved searches for a proof of a clause whose head is bound and returns the
// condition that got furthest, nil where there is a proof.
func (p *Prover) unproved(c *rules.Clause, f *frame, depth int) (*Unproved, error) {
	u := &Unproved{Clause: c, Head: read(f.build(c.Head))}
	furthest, inner := -1, &frame{}
	outer := p.fails
	p.fails = func(at *rules.Clause, n int, _ *node, have *frame) {
		if at != c || n <= furthest {
			return
		}
		furthest = n
		u.Held = nil
		for _, g := range c.Body[:n] {
			u.Held = append(u.Held, read(have.build(g)))
		}
		inner = &frame{}
		for _, v := range have.variables {
			inner.variables = append(inner.variables, &variable{name: v.name, val: new(frame).build(read(v))})
		}
	}
	mark := len(p.trail)
	proved := p.body(c, 0, f, nil, &cut{}, func() bool { return true })
	p.undo(mark)
	p.fails = outer
	if p.err != nil {
		return nil, at(c, p.err)
	}
	if proved {
		return nil, nil
	}
	if furthest >= 0 {
		u.Failed = read(inner.build(c.Body[furthest]))
		return u, p.because(u, c.Body[furthest], inner, depth)
	}
	return u, nil
}

// because looks into the condition that failed.
func (p *Prover) because(u *Unproved, g *rules.Term, f *frame, depth int) error {
	mark := len(p.trail)
	defer func() { p.undo(mark) }()
	if g.Is(`\+`, 1) {
		root := &node{}
		if p.goal(g.Args[0], f, root, &cut{}, func() bool { return true }) && p.err == nil && len(root.children) > 0 {
			u.Proof = root.children[0].finish()
		}
		return p.err
	}
	if pred, ok := fact.Number(g.Indicator()); ok {
		p.nearest(u, pred, read(f.build(g)))
		return nil
	}
	if depth >= maxInner {
		return nil
	}
	for _, c := range p.Program.Defining(g.Indicator()) {
		inner := &frame{}
		args := make([]term, len(g.Args))
		for i, a := range g.Args {
			args[i] = f.build(a)
		}
		m := len(p.trail)
		if p.head(c, args, inner) {
			v, err := p.unproved(c, inner, depth+1)
			if err != nil {
				return err
			}
			if v != nil {
				u.Inner = append(u.Inner, v)
			}
		}
		p.undo(m)
	}
	return nil
}

// nearest finds the facts that agree with a goal in all arguments but as few as
// possible; the first argument, often the step, is let go of last.
func (p *Prover) nearest(u *Unproved, pred int, g *rules.Term) {
	pattern := make([]int32, len(g.Args))
	var bound []int
	for i, a := range g.Args {
		v, ok := p.pattern(fact.Kind(pred, i), new(frame).build(a))
		if !ok {
			v = fact.Any
		}
		pattern[i] = v
		if v != fact.Any || !ok {
			bound = append(bound, i)
		}
	}
	slices.Reverse(bound)
	type near struct {
		row  []int32
		away int // in steps and numbers
	}
	for let := 1; let <= len(bound) && len(u.Nearest) == 0; let++ {
		for i := 0; i+let <= len(bound); i++ {
			loose := slices.Clone(pattern)
			for _, b := range bound[i : i+let] {
				loose[b] = fact.Any
			}
			var all []near
			p.Index.Match(pred, loose, func(row []int32) bool {
				away := 0
				for n, v := range row {
					if fact.Kind(pred, n).Integer() && pattern[n] != fact.Any {
						away += int(max(v-pattern[n], pattern[n]-v))
					}
				}
				all = append(all, near{slices.Clone(row), away})
				return true
			})
			slices.SortStableFunc(all, func(a, b near) int { return a.away - b.away })
			for _, n := range all[:min(len(all), maxNearest)] {
				t := &rules.Term{Kind: rules.Compound, Name: g.Name}
				for i, v := range n.row {
					t.Args = append(t.Args, read(p.value(fact.Kind(pred, i), v)))
				}
				u.Nearest = append(u.Nearest, t)
				u.Origins = append(u.Origins, p.Index.Origin(pred, n.row))
			}
			if len(u.Nearest) > 0 {
				return
			}
		}
	}
}

// unprovedCompiled is unproved for a compiled clause, some of whose head's
// arguments have values.
func (p *Prover) unprovedCompiled(ctx context.Context, c *rules.Clause, values map[int]*rules.Term, depth int) (*Unproved, error) {
	var u *Unproved
	err := p.evaluate(func(e *datalog.Evaluator) error {
		n, proved, have, err := e.Furthest(ctx, c, values, p.limits())
		if err != nil || proved {
			return err
		}
		asked := map[string]*rules.Term{}
		for i, v := range values {
			if a := c.Head.Args[i]; a.Kind == rules.Variable {
				asked[a.Name] = v
			}
		}
		u = &Unproved{Clause: c, Head: c.Head.With(asked)}
		if n < 0 {
			return nil
		}
		for _, g := range c.Body[:n] {
			u.Held = append(u.Held, g.With(have))
		}
		u.Failed = c.Body[n].With(have)
		return p.becauseCompiled(ctx, e, u, depth)
	})
	if err != nil {
		return nil, at(c, err)
	}
	return u, nil
}

// becauseCompiled looks into the condition that failed.
func (p *Prover) becauseCompiled(ctx context.Context, e *datalog.Evaluator, u *Unproved, depth int) error {
	g := u.Failed
	if g.Is(`\+`, 1) {
		proof, err := e.Proof(ctx, g.Args[0], p.limits())
		if len(proof) > 0 {
			u.Proof = proof[0]
		}
		return err
	}
	if pred, ok := fact.Number(g.Indicator()); ok {
		p.nearest(u, pred, g)
		return nil
	}
	if depth >= maxInner {
		return nil
	}
	for _, c := range p.Program.Defining(g.Indicator()) {
		values, fits := headValues(c, g)
		if !fits {
			continue
		}
		inner, err := p.unprovedCompiled(ctx, c, values, depth+1)
		if err != nil {
			return err
		}
		if inner != nil {
			u.Inner = append(u.Inner, inner)
		}
	}
	return nil
}

// headValues is what a goal says of the arguments of a clause's head; fits is false
// where that is not what the head says.
func headValues(c *rules.Clause, g *rules.Term) (values map[int]*rules.Term, fits bool) {
	values = map[int]*rules.Term{}
	of := map[string]string{}
	for i, a := range g.Args {
		if a.Kind == rules.Variable {
			continue
		}
		values[i] = a
		h, text := c.Head.Args[i], a.String()
		if had, ok := of[h.Name]; h.Kind != rules.Variable && h.String() != text || h.Kind == rules.Variable && ok && had != text {
			return nil, false
		}
		of[h.Name] = text
	}
	return values, true
}
