package inference

import (
	"context"

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
		u, err := p.whyNot(ctx, c, class, step)
		if err != nil {
			return nil, err
		}
		if u != nil {
			out = append(out, u)
		}
	}
	return out, nil
}

// whyNot tells why one rule did not conclude a class at a step, nil where it did, or
// never could there.
func (p *Prover) whyNot(ctx context.Context, c *rules.Clause, class string, step int32) (*Unproved, error) {
	if p.compiled(c) != nil {
		if at := c.Head.Args[1]; at.Kind == rules.Integer && at.Int != int64(step) {
			return nil, nil
		}
		return p.unprovedCompiled(ctx, c, map[int]*rules.Term{1: {Kind: rules.Integer, Int: int64(step)}}, 0)
	}
	in := p.interpret(ctx)
	f := &frame{}
	head := f.build(c.Head).(*compound)
	if c.Head.Args[0].Kind != rules.Atom {
		in.unify(head.args[0], atom(class))
	}
	if !in.unify(head.args[1], number(step)) {
		return nil, nil
	}
	return in.unproved(c, f, 0)
}

// maxInner bounds how deep helper predicates are explained.
const maxInner = 6

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
		nearest(p.Index, u, pred, g)
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
