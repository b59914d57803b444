package planner

import (
	"slices"

	"github.com/mishap-robotics/mishap/engine/internal/state"
	"github.com/mishap-robotics/mishap/ontology"
)

// GroundGoal is the goal with objects for its variables.
type GroundGoal struct {
	Literals []Literal
	Absent   []int // variables that nothing can stand for
	binding  state.Binding
	held     int // how much of it holds
}

// maxGroundGoals bounds how many choices of objects are planned for, maxAssignments
// how many are looked at for variables that depend on one another.
const (
	maxGroundGoals = 3
	maxAssignments = 4000
)

// together are the best of the choices for some variables, each with one for others.
func together(all, more []GroundGoal, part []bool) []GroundGoal {
	if len(more) == 0 {
		return all
	}
	var out []GroundGoal
	for _, a := range all {
		for _, b := range more {
			n := GroundGoal{binding: slices.Clone(a.binding), held: a.held + b.held}
			for v := range n.binding {
				if part[v] {
					n.binding[v] = b.binding[v]
				}
			}
			out = append(out, n)
		}
	}
	slices.SortStableFunc(out, func(a, b GroundGoal) int { return b.held - a.held })
	return out[:min(len(out), maxGroundGoals)]
}

// Grounder chooses the objects that a goal is to be reached with.
type Grounder struct {
	domain       *Domain
	goal         *Goal
	sim          *Simulator
	reachability *Reachability
}

// grounding is one choice of objects.
type grounding struct {
	*Grounder
	patterns []ontology.Pattern // of the goal
	s        *state.State
	vars     [][]state.Object // candidates
	part     []bool           // the variables that are chosen for
	best     []GroundGoal
	tried    int
	worths   map[Literal]int
}

// Ground lists the best choices of objects for the variables of the goal: those with
// which most of it holds already. Variables that no pattern brings together
// are chosen for apart from each other.
func (g *Grounder) Ground(s *state.State) []GroundGoal {
	c := &grounding{Grounder: g, patterns: g.goal.goal.Patterns, s: s, vars: make([][]state.Object, len(g.goal.goal.Vars)), worths: map[Literal]int{}}
	b := g.goal.binding()
	var absent []int
	for v := range c.vars {
		if b[v] != state.Unbound {
			c.vars[v] = []state.Object{b[v].Object()}
			continue
		}
		typed := c.typed(v)
		if typed {
			c.vars[v] = c.candidates(v)
		}
		if len(c.vars[v]) == 0 && typed {
			absent = append(absent, v)
		}
	}
	all := []GroundGoal{{binding: slices.Clone(b)}}
	for _, part := range c.parts(b) {
		c.part, c.tried, c.best = part, 0, nil
		c.assign(b, 0)
		all = together(all, c.best, part)
	}
	for i := range all {
		all[i].Absent = absent
		all[i].Literals = g.domain.Literals(c.patterns, all[i].binding)
	}
	return all
}

// parts groups the free variables of the goal by the patterns that bring them
// together. It is true of the variables of a group.
func (g *grounding) parts(b state.Binding) [][]bool {
	group := make([]int, len(g.vars))
	free := func(v int) bool { return len(g.vars[v]) > 0 && b[v] == state.Unbound }
	for v := range group {
		group[v] = v
	}
	for i := range g.patterns {
		p := &g.patterns[i]
		if !p.Subject.IsVar() || !p.Object.IsVar() || !free(p.Subject.Var) || !free(p.Object.Var) {
			continue
		}
		from, to := group[p.Subject.Var], group[p.Object.Var]
		for v := range group {
			if group[v] == from {
				group[v] = to
			}
		}
	}
	var out [][]bool
	for g := range group {
		part, some := make([]bool, len(group)), false
		for v := range group {
			part[v] = group[v] == g && free(v)
			some = some || part[v]
		}
		if some {
			out = append(out, part)
		}
	}
	return out
}

// typed reports whether the goal says of which class a variable is.
func (g *grounding) typed(v int) bool {
	return slices.ContainsFunc(g.patterns, func(p ontology.Pattern) bool {
		return p.Predicate == g.domain.Onto.Core.Type && p.Subject.Var == v
	})
}

// candidates lists the objects that a goal variable may stand for: those there are,
// and pieces that can still be made.
func (g *grounding) candidates(v int) []state.Object {
	var there, pieces []state.Object
	for x := range state.Object(len(g.domain.Objects.Items)) {
		class := g.domain.Objects.Class(x)
		fits := class != ontology.None && !g.domain.Onto.HasType(class, g.domain.Onto.Core.ObjectGroup)
		for _, p := range g.patterns {
			if p.Predicate == g.domain.Onto.Core.Type && p.Subject.Var == v {
				fits = fits && g.domain.Objects.IsA(x, p.Object.Term)
			}
			if p.Predicate == g.domain.Onto.Core.HasProperty && p.Subject.Var == v {
				fits = fits && g.domain.Objects.HasProperty(x, p.Object.Term)
			}
		}
		origin := g.domain.Objects.Items[x].Origin
		switch {
		case !fits:
		case !g.s.Gone(x):
			there = append(there, x)
		case origin != state.Nothing && !g.s.Gone(origin):
			pieces = append(pieces, x)
		}
	}
	return append(there, pieces...)
}

// assign visits the choices of objects for the variables from one on.
func (g *grounding) assign(b state.Binding, v int) {
	if g.tried > maxAssignments || g.sim.budget.Interrupted() {
		return
	}
	for v < len(g.vars) && (!g.part[v] || b[v] != state.Unbound) {
		v++
	}
	if v >= len(g.vars) {
		g.tried++
		g.take(b)
		return
	}
	for _, x := range g.ranked(b, v) {
		b[v] = state.ObjectRef(x)
		if g.fits(b, v) {
			g.assign(b, v+1)
		}
	}
	b[v] = state.Unbound
}

// ranked orders what a variable may stand for by how much of the goal about it
// holds, given the variables before it.
func (g *grounding) ranked(b state.Binding, v int) []state.Object {
	type one struct {
		x    state.Object
		held int
	}
	var list []one
	for _, x := range g.vars[v] {
		if g.sim.budget.Interrupted() {
			break
		}
		b[v] = state.ObjectRef(x)
		n := 0
		for _, l := range g.domain.Literals(g.patterns, b) {
			if (l.Subject == x || l.Value == state.ObjectRef(x)) && g.worth(l) > 0 {
				n++
			}
		}
		if g.s.Gone(x) {
			n--
		}
		list = append(list, one{x, n})
	}
	b[v] = state.Unbound
	slices.SortStableFunc(list, func(p, q one) int { return q.held - p.held })
	var out []state.Object
	for _, o := range list[:min(len(list), 4)] {
		out = append(out, o.x)
	}
	return out
}

// fits reports whether what the goal asks to differ does.
func (g *grounding) fits(b state.Binding, v int) bool {
	for _, p := range g.patterns {
		if p.Predicate != g.domain.Onto.Core.Differs || !p.Subject.IsVar() || !p.Object.IsVar() || p.Subject.Var != v && p.Object.Var != v {
			continue
		}
		if b[p.Subject.Var] != state.Unbound && b[p.Subject.Var] == b[p.Object.Var] {
			return false
		}
	}
	return true
}

// worth is 1 for a part of the goal that holds, -2 for one that nothing brings about.
func (g *grounding) worth(l Literal) int {
	n, ok := g.worths[l]
	if !ok {
		if g.sim.Holds(g.s, l) {
			n = 1
		} else if !g.reachability.Reachable(g.s, l) {
			n = -2
		}
		g.worths[l] = n
	}
	return n
}

// take keeps a choice where it is among the best.
func (g *grounding) take(b state.Binding) {
	n := GroundGoal{binding: slices.Clone(b)}
	for _, l := range g.domain.Literals(g.patterns, b) {
		n.held += g.worth(l)
	}
	i := len(g.best)
	for i > 0 && g.best[i-1].held < n.held {
		i--
	}
	if g.best = slices.Insert(g.best, i, n); len(g.best) > maxGroundGoals {
		g.best = g.best[:maxGroundGoals]
	}
}
