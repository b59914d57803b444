package ontology

import (
	"slices"
	"strings"
)

// ofTuple completes a pattern of a relation to several things: of the tuple of them, of which
// further patterns tell what is in it.
func (r modelReader) ofTuple(p Pattern, things []node, sc *scope) []Pattern {
	if !r.o.Persistent(p.Predicate) {
		r.problem(p.Pos, false, "%s in a pattern of %d parts; expected a relation with m:persistent true", r.o.Name(p.Predicate), len(things)+2)
		return nil
	}
	var names []string
	var args []Arg
	for _, n := range things {
		a := r.arg(n, sc, p.Pos)
		if args, names = append(args, a), append(names, n.value); !a.IsVar() {
			r.problem(p.Pos, false, "%s in a pattern of %d parts; expected \"?name\"", localName(n.value), len(things)+2)
			return nil
		}
	}
	p.Object = Arg{Var: sc.index(strings.Join(names, " ")), Term: None}
	out := []Pattern{p}
	for i, a := range args {
		out = append(out, Pattern{Subject: p.Object, Predicate: r.o.Core.TupleParts[i], Object: a, Part: true, Pos: p.Pos})
	}
	return out
}

// effect reads an effect. Which tuples it is about is asked before it.
func (r modelReader) effect(n, owner node, sc *scope) Effect {
	e := Effect{When: r.patterns(n, "when", sc), Unless: r.alternatives(n, "unless", sc), Pos: r.posOf(n, owner)}
	asked := func(property string) []Pattern {
		list := r.patterns(n, property, sc)
		for _, p := range list {
			if p.Part && !slices.ContainsFunc(e.When, func(w Pattern) bool { return w.Part && w.Subject == p.Subject && w.Predicate == p.Predicate }) {
				e.When = append(e.When, p)
			}
		}
		return slices.DeleteFunc(list, func(p Pattern) bool { return p.Part })
	}
	e.Ends = asked("ends")
	e.Then = asked("then")
	return e
}

// needed are the preconditions that patterns are, one each; what tells of a tuple belongs to
// the pattern before it.
func (r modelReader) needed(patterns []Pattern, sc *scope) []Condition {
	var out []Condition
	for _, p := range patterns {
		switch {
		case !r.fitsPlace(&p, "requires"):
		case p.Part && len(out) > 0:
			c := &out[len(out)-1]
			if c.Requires = append(c.Requires, p); p.Predicate == r.o.Core.TupleParts[0] {
				c.About = c.About[:len(c.About)-1] // the tuple itself
			}
			c.About = append(c.About, p.Object)
		default:
			out = append(out, r.need(p, sc))
		}
	}
	return out
}
