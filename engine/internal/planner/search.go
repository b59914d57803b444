package planner

import (
	"maps"
	"slices"

	"github.com/mishap-robotics/mishap/engine/internal/state"
	"github.com/mishap-robotics/mishap/ontology"
)

// Search brings goals about, part by part or best-first.
type Search struct {
	domain      *Domain
	sim         *Simulator
	goal        *Goal
	constraints *Constraints
	budget      *Budget
	achievers   *achievers
	regression  *Regression
	simplifier  *Simplifier
}

// maxLength bounds the length of a plan.
const maxLength = 400

// PartByPart brings about what a ground goal asks for, as far as it can, and turns off what
// must not be left on. It tells which parts it could not.
func (s *Search) PartByPart(node *Node, g *GroundGoal) (steps []Step, missed []Literal) {
	s.goal.Pursue(g.Literals)
	steps = s.Undo(node)
	todo := slices.DeleteFunc(slices.Clone(g.Literals), s.constraints.Excludes)
	slices.SortStableFunc(todo, func(a, b Literal) int { return s.goal.stage(a, todo) - s.goal.stage(b, todo) })
	failed := map[Literal]bool{}
	for range 3 * (len(todo) + 1) {
		l, ok := s.next(node, todo, failed)
		if !ok {
			break
		}
		more, ok := s.bringAbout(node, l)
		if !ok {
			failed[l] = true
			continue
		}
		if len(more) > 0 {
			clear(failed) // what could not be before may be now
		}
		steps = append(steps, more...)
		if s.budget.Exhausted() || len(steps) > maxLength {
			break
		}
	}
	steps = append(steps, s.forEach(node, g)...)
	for _, x := range s.goal.LeftOn(node.State) {
		more, _ := s.regression.Achieve(node, s.goal.off(x), 0)
		steps = append(steps, more...)
	}
	for _, l := range g.Literals {
		if !s.sim.Holds(node.State, l) {
			missed = append(missed, l)
		}
	}
	return steps, missed
}

// Undo ends what must not stay so.
func (s *Search) Undo(node *Node) []Step {
	var out []Step
	for _, l := range s.constraints.excluded {
		if !s.sim.Holds(node.State, l) {
			continue
		}
		l.Negated = true
		if steps, ok := s.regression.Achieve(node, l, 0); ok {
			out = append(out, steps...)
		}
	}
	return out
}

// next is the first part of a goal that does not hold and has not failed since
// anything else changed.
func (s *Search) next(node *Node, todo []Literal, failed map[Literal]bool) (Literal, bool) {
	for _, l := range todo {
		if !failed[l] && !s.sim.Holds(node.State, l) {
			return l, true
		}
	}
	return Literal{}, false
}

// Ordered are literals in the order in which goals are mostly brought about.
func (s *Search) Ordered(ls []Literal) []Literal {
	out := slices.Clone(ls)
	slices.SortStableFunc(out, func(a, b Literal) int { return s.goal.stage(a, ls) - s.goal.stage(b, ls) })
	return out
}

// BringAbout achieves literals, in the order in which goals are mostly brought about; it is
// false, and the node as it was, where it cannot.
func (s *Search) BringAbout(node *Node, ls []Literal) ([]Step, bool) {
	try := node.Clone()
	var out []Step
	for _, l := range s.Ordered(ls) {
		steps, ok := s.bringAbout(try, l)
		if !ok {
			return nil, false
		}
		out = append(out, steps...)
	}
	*node = *try
	return out, true
}

// bringAbout achieves a part of a goal; a piece that is not there yet is made first.
func (s *Search) bringAbout(node *Node, l Literal) ([]Step, bool) {
	try := node.Clone()
	var out []Step
	for _, x := range []state.Object{l.Subject, l.Value.Object()} {
		if x == state.Nothing || !try.State.Gone(x) {
			continue
		}
		steps, ok := s.regression.makePiece(try, x)
		if !ok {
			return nil, false
		}
		out = append(out, steps...)
	}
	steps, ok := s.regression.Achieve(try, l, 0)
	if !ok {
		return nil, false
	}
	*node = *try
	return append(out, steps...), true
}

// forEach sees to what the goal asks of each thing of a kind: it is brought about,
// or the thing is taken out of where that is asked of it.
func (s *Search) forEach(node *Node, g *GroundGoal) []Step {
	var out []Step
	for _, part := range s.goal.goal.ForAll {
		var open []state.Binding
		s.domain.Query(node.State).Each(part.When, g.binding, state.AssumedTrue, func(b state.Binding) {
			if t := s.domain.Query(node.State).Truth(part.Requires, b); t < state.AssumedTrue {
				open = append(open, slices.Clone(b))
			}
		})
		for _, b := range open {
			try := node.Clone()
			steps, ok := s.regression.all(try, s.domain.Literals(part.Requires, b), path{})
			if ok = ok && len(s.domain.Literals(part.Requires, b)) > 0; !ok {
				for _, l := range s.domain.Literals(part.When, b) {
					l.Negated = true
					try = node.Clone()
					if steps, ok = s.regression.Achieve(try, l, 0); ok {
						break
					}
				}
			}
			if ok {
				*node = *try
				out = append(out, steps...)
			}
		}
	}
	for i := range s.goal.goal.Counts {
		out = append(out, s.count(node, g, &s.goal.goal.Counts[i])...)
	}
	return out
}

// count sees to it that something holds of as many things as the goal asks for: where there
// are too few it is brought about of others, where too many it is undone.
func (s *Search) count(node *Node, g *GroundGoal, c *ontology.Count) []Step {
	var out []Step
	achieve := func(ls []Literal) bool {
		try := node.Clone()
		steps, ok := s.regression.all(try, ls, path{})
		if !ok || len(ls) == 0 {
			return false
		}
		*node = *try
		out = append(out, steps...)
		return true
	}
	counted := func(least state.Truth) map[state.Object]state.Binding {
		found := map[state.Object]state.Binding{}
		s.domain.Query(node.State).Each(c.Of, g.binding, least, func(b state.Binding) {
			if x := b[c.Var].Object(); found[x] == nil {
				found[x] = slices.Clone(b)
			}
		})
		return found
	}
	now := counted(state.AssumedTrue)
	for _, x := range slices.Sorted(maps.Keys(now)) {
		if c.Most < 0 || len(now) <= c.Most {
			break
		}
		for _, l := range s.domain.Literals(c.Of, now[x]) {
			l.Negated = true
			if achieve([]Literal{l}) {
				delete(now, x)
				break
			}
		}
	}
	if len(now) >= c.Least {
		return out
	}
	var may []state.Binding // what is counted by what no action changes of it
	lasting := slices.DeleteFunc(slices.Clone(c.Of), func(p ontology.Pattern) bool { return !s.domain.Lasting(&p) })
	s.domain.Query(node.State).Each(lasting, g.binding, state.AssumedTrue, func(b state.Binding) { may = append(may, slices.Clone(b)) })
	for _, b := range may {
		if x := b[c.Var].Object(); len(now) < c.Least && now[x] == nil && x != state.Nothing && achieve(s.domain.Literals(c.Of, b)) {
			now[x] = b
		}
	}
	return out
}
