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
	// Unfit is what its objects are that they must not be, and nothing mends; what it asks
	// of them is Withheld.
	Withheld []Literal
	Unfit    []Unfit
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
	relaxed  *relaxation
	unfits   map[state.Object][]Unfit // what things go against in s
	singles  map[choice]int           // what choices for one variable alone weigh
	absent   []int                    // variables that nothing can stand for
}

// choice is an object for a variable.
type choice struct {
	v int
	x state.Object
}

// grounding finds what each variable of the goal may stand for.
func (g *Grounder) grounding(s *state.State) *grounding {
	c := &grounding{Grounder: g, patterns: g.goal.goal.Patterns, s: s, vars: make([][]state.Object, len(g.goal.goal.Vars)), worths: map[Literal]int{},
		relaxed: g.reachability.relaxed(s), unfits: map[state.Object][]Unfit{}, singles: map[choice]int{}}
	b := g.goal.binding()
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
			c.absent = append(c.absent, v)
		}
	}
	return c
}

// Ground lists the best choices of objects for the variables of the goal: those with
// which most of it holds already. Variables that no pattern brings together
// are chosen for apart from each other.
func (g *Grounder) Ground(s *state.State) []GroundGoal {
	c := g.grounding(s)
	b := g.goal.binding()
	all := []GroundGoal{{binding: slices.Clone(b)}}
	for _, part := range c.parts(b) {
		c.part, c.tried, c.best = part, 0, nil
		c.assign(b, 0)
		all = together(all, c.best, part)
	}
	for i := range all {
		all[i].Absent = c.absent
		all[i].Literals = g.domain.Literals(c.patterns, all[i].binding)
		var cures []Literal
		cures, all[i].Unfit = c.mended(all[i].binding)
		all[i].Literals = append(all[i].Literals, cures...)
		for _, u := range all[i].Unfit { // nothing is done with what is not fit
			all[i].Literals = slices.DeleteFunc(all[i].Literals, func(l Literal) bool {
				if l.Subject == u.Is.Subject {
					all[i].Withheld = append(all[i].Withheld, l)
				}
				return l.Subject == u.Is.Subject
			})
		}
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
		fits := class != ontology.None && !g.domain.Objects.IsVague(x)
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
			if l.Subject == x || l.Value == state.ObjectRef(x) {
				n += g.worth(l)
			}
		}
		if g.s.Gone(x) {
			n--
		}
		n += g.single(v, x)
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

// single weighs what is unfit of a choice for one variable alone.
func (g *grounding) single(v int, x state.Object) int {
	n, ok := g.singles[choice{v, x}]
	if !ok {
		cures, unfit := g.mended(g.only(v, x))
		n = never*len(unfit) - len(cures)
		g.singles[choice{v, x}] = n
	}
	return n
}

// unfit lists what the objects of a choice go against as things are.
func (g *grounding) unfit(b state.Binding) []Unfit {
	return g.goal.unfitAmong(g.s, b, func(x state.Object) []Unfit {
		found, ok := g.unfits[x]
		if !ok {
			found = g.goal.unfit(g.s, x)
			g.unfits[x] = found
		}
		return found
	})
}

// only is a choice for one variable alone.
func (g *grounding) only(v int, x state.Object) state.Binding {
	b := state.NewBinding(len(g.vars))
	b[v] = state.ObjectRef(x)
	return b
}

// maxPossible bounds how many choices are looked at before nothing is claimed of them.
const maxPossible = 20000

// Possible reports whether there is a choice of objects of which each part of the goal could
// be brought about and that are fit for it, or there are too many to say.
func (g *Grounder) Possible(s *state.State) bool {
	c := g.grounding(s)
	all := true
	for _, part := range c.parts(g.goal.binding()) {
		c.part, c.tried = part, 0
		all = all && c.possible(g.goal.binding(), 0)
	}
	return all
}

// possible goes through the choices for the variables of a part from one on.
func (g *grounding) possible(b state.Binding, v int) bool {
	for v < len(g.vars) && (!g.part[v] || b[v] != state.Unbound) {
		v++
	}
	for _, l := range g.domain.Literals(g.patterns, b) {
		if g.worth(l) < 0 {
			return false
		}
	}
	if v >= len(g.vars) {
		_, unfit := g.mended(b)
		return Doubted(unfit)
	}
	for _, x := range g.vars[v] {
		if g.tried++; g.tried > maxPossible {
			return true
		}
		b[v] = state.ObjectRef(x)
		if g.fits(b, v) && g.possible(b, v+1) {
			return true
		}
	}
	b[v] = state.Unbound
	return false
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

// mended lists what mends the unfitness of the objects of a choice, and what of that
// nothing mends.
func (g *grounding) mended(b state.Binding) (cures []Literal, never []Unfit) {
	against := g.unfit(b)
	if len(against) == 0 {
		return nil, nil
	}
	end := g.s.Clone() // things are judged where the goal has them
	for _, l := range g.domain.Literals(g.patterns, b) {
		if g.domain.IsPlace(l) && l.Value.Object() != state.Nothing && !end.Gone(l.Subject) {
			end.SetPlace(l.Subject, l.Predicate, l.Value.Object(), state.Predicted, Imagined)
		}
	}
	for _, u := range g.goal.Unfit(end, b) {
		if !g.stays(u, b) {
			continue
		}
		if u.Curable && g.worth(u.Cure) >= 0 {
			cures = append(cures, u.Cure)
		} else {
			never = append(never, u)
		}
	}
	return cures, never
}

// stays reports whether what is unfit is a thing that the goal is about, or that one of them
// is to be in: another may be left.
func (g *grounding) stays(u Unfit, b state.Binding) bool {
	return slices.Contains(b, state.ObjectRef(u.Is.Subject)) || len(g.goal.goal.ForAll) > 0
}

// never weighs what nothing brings about: it outweighs whatever else holds.
const never = -50

// worth is 1 for a part of the goal that holds, never for one that nothing brings about.
func (g *grounding) worth(l Literal) int {
	n, ok := g.worths[l]
	if !ok {
		if g.reachability.constraints.Excludes(l) {
			n = never
		} else if g.sim.Holds(g.s, l) {
			n = 1
		} else if !g.relaxed.reaches(l) {
			n = never
		}
		g.worths[l] = n
	}
	return n
}

// take keeps a choice where it is among the best.
func (g *grounding) take(b state.Binding) {
	n := GroundGoal{}
	for _, l := range g.domain.Literals(g.patterns, b) {
		n.held += g.worth(l)
	}
	if len(g.best) == maxGroundGoals && n.held <= g.best[maxGroundGoals-1].held {
		return // what is unfit of it makes it no better
	}
	cures, unfit := g.mended(b)
	n.held += never*len(unfit) - len(cures)
	n.binding = slices.Clone(b)
	i := len(g.best)
	for i > 0 && g.best[i-1].held < n.held {
		i--
	}
	if g.best = slices.Insert(g.best, i, n); len(g.best) > maxGroundGoals {
		g.best = g.best[:maxGroundGoals]
	}
}
