package inference

import (
	"github.com/mishap-robotics/mishap/engine/internal/fact"
	"github.com/mishap-robotics/mishap/rules"
)

// unproved searches for a proof of a clause whose head is bound and returns the
// condition that got furthest, nil where there is a proof.
func (p *interpreter) unproved(c *rules.Clause, f *frame, depth int) (*Unproved, error) {
	u := &Unproved{Clause: c, Head: p.read(f.build(c.Head))}
	furthest, inner := -1, &frame{}
	outer := p.fails
	p.fails = func(at *rules.Clause, n int, _ *node, have *frame) {
		if at != c || n <= furthest {
			return
		}
		furthest = n
		u.Held = nil
		for _, g := range c.Body[:n] {
			u.Held = append(u.Held, p.read(have.build(g)))
		}
		inner = &frame{}
		for _, v := range have.variables {
			inner.variables = append(inner.variables, &variable{name: v.name, val: new(frame).build(p.read(v))})
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
		u.Failed = p.read(inner.build(c.Body[furthest]))
		return u, p.because(u, c.Body[furthest], inner, depth)
	}
	return u, nil
}

// because looks into the condition that failed.
func (p *interpreter) because(u *Unproved, g *rules.Term, f *frame, depth int) error {
	mark := len(p.trail)
	defer func() { p.undo(mark) }()
	if g.Is(`\+`, 1) {
		root := &node{}
		if p.goal(g.Args[0], f, root, &cut{}, func() bool { return true }) && p.err == nil && len(root.children) > 0 {
			u.Proof = root.children[0].finish(p)
		}
		return p.err
	}
	if pred, ok := fact.Number(g.Indicator()); ok {
		nearest(p.index, u, pred, p.read(f.build(g)))
		return nil
	}
	if depth >= maxInner {
		return nil
	}
	for _, c := range p.program.Defining(g.Indicator()) {
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
