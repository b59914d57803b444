package recovery

import (
	"slices"
	"strings"

	"github.com/mishap-robotics/mishap/engine/internal/state"
	"github.com/mishap-robotics/mishap/ontology"
)

// choice gives objects to the variables of the goal.
type choice struct {
	binding  state.Binding
	literals []literal
	held     int
	// absent are the variables that nothing can stand for.
	absent []int
}

// mostChoices bounds how many choices of objects are planned for, mostAssignments
// how many are looked at for variables that depend on one another.
const (
	mostChoices     = 3
	mostAssignments = 4000
)

// choices lists the best ways to give objects to the variables of the goal: those
// with which most of it holds already. Variables that no pattern brings together
// are chosen for apart from each other.
func (m *model) choices(s *state.State) []choice {
	c := &chooser{model: m, s: s, vars: make([][]state.Object, len(m.trace.Goal.Vars)), worths: map[literal]int{}}
	var absent []int
	for v := range m.trace.Goal.Vars {
		c.vars[v] = m.standIns(s, v)
		if len(c.vars[v]) == 0 && m.typed(v) {
			absent = append(absent, v)
		}
	}
	b := slices.Clone(m.trace.Bound)
	for len(b) < len(m.trace.Goal.Vars) {
		b = append(b, state.Unbound)
	}
	all := []choice{{binding: slices.Clone(b)}}
	for _, part := range c.parts(b) {
		c.part, c.tried, c.best = part, 0, nil
		c.assign(b, 0)
		all = together(all, c.best, part)
	}
	for i := range all {
		all[i].absent = absent
		all[i].literals = c.literals(m.trace.Goal.Patterns, all[i].binding)
	}
	return all
}

// parts groups the free variables of the goal by the patterns that bring them
// together. It is true of the variables of a group.
func (c *chooser) parts(b state.Binding) [][]bool {
	group := make([]int, len(c.vars))
	free := func(v int) bool { return len(c.vars[v]) > 0 && b[v] == state.Unbound }
	for v := range group {
		group[v] = v
	}
	for i := range c.trace.Goal.Patterns {
		p := &c.trace.Goal.Patterns[i]
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

// together are the best of the choices for some variables, each with one for others.
func together(all, more []choice, part []bool) []choice {
	if len(more) == 0 {
		return all
	}
	var out []choice
	for _, a := range all {
		for _, b := range more {
			n := choice{binding: slices.Clone(a.binding), held: a.held + b.held}
			for v := range n.binding {
				if part[v] {
					n.binding[v] = b.binding[v]
				}
			}
			out = append(out, n)
		}
	}
	slices.SortStableFunc(out, func(a, b choice) int { return b.held - a.held })
	return out[:min(len(out), mostChoices)]
}

// typed reports whether the goal says of which class a variable is.
func (m *model) typed(v int) bool {
	return slices.ContainsFunc(m.trace.Goal.Patterns, func(p ontology.Pattern) bool {
		return p.Predicate == m.onto.Core.Type && p.Subject.Var == v
	})
}

// standIns lists the objects that a goal variable may stand for: those there are,
// and pieces that can still be made.
func (m *model) standIns(s *state.State, v int) []state.Object {
	if v < len(m.trace.Bound) && m.trace.Bound[v] != state.Unbound {
		return []state.Object{m.trace.Bound[v].Object()}
	}
	var there, pieces []state.Object
	for x := range state.Object(len(m.objects.Items)) {
		fits := m.objects.Class(x) != ontology.None && !m.onto.HasType(m.objects.Class(x), m.onto.Core.ObjectGroup)
		typed := false
		for _, p := range m.trace.Goal.Patterns {
			if p.Predicate == m.onto.Core.Type && p.Subject.Var == v {
				typed = true
				fits = fits && m.objects.IsA(x, p.Object.Term)
			}
			if p.Predicate == m.onto.Core.HasProperty && p.Subject.Var == v {
				fits = fits && m.objects.HasProperty(x, p.Object.Term)
			}
		}
		origin := m.objects.Items[x].Origin
		switch {
		case !fits || !typed:
		case !s.Gone(x):
			there = append(there, x)
		case origin != state.Nothing && !s.Gone(origin):
			pieces = append(pieces, x)
		}
	}
	return append(there, pieces...)
}

type chooser struct {
	*model
	s      *state.State
	vars   [][]state.Object
	part   []bool // the variables that are chosen for
	best   []choice
	tried  int
	worths map[literal]int
}

func (c *chooser) assign(b state.Binding, v int) {
	if c.tried > mostAssignments {
		return
	}
	for v < len(c.vars) && (!c.part[v] || b[v] != state.Unbound) {
		v++
	}
	if v >= len(c.vars) {
		c.tried++
		c.take(b)
		return
	}
	for _, x := range c.ranked(b, v) {
		b[v] = state.ObjectRef(x)
		if c.fits(b, v) {
			c.assign(b, v+1)
		}
	}
	b[v] = state.Unbound
}

// ranked orders what a variable may stand for by how much of the goal about it
// holds, given the variables before it.
func (c *chooser) ranked(b state.Binding, v int) []state.Object {
	type one struct {
		x    state.Object
		held int
	}
	var list []one
	for _, x := range c.vars[v] {
		b[v] = state.ObjectRef(x)
		n := 0
		for _, l := range c.literals(c.trace.Goal.Patterns, b) {
			if (l.x == x || l.y == state.ObjectRef(x)) && c.worth(l) > 0 {
				n++
			}
		}
		if c.s.Gone(x) {
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
func (c *chooser) fits(b state.Binding, v int) bool {
	for _, p := range c.trace.Goal.Patterns {
		if p.Predicate != c.onto.Core.Differs || !p.Subject.IsVar() || !p.Object.IsVar() || p.Subject.Var != v && p.Object.Var != v {
			continue
		}
		if b[p.Subject.Var] != state.Unbound && b[p.Subject.Var] == b[p.Object.Var] {
			return false
		}
	}
	return true
}

// worth is 1 for a part of the goal that holds, -2 for one that nothing brings about.
func (c *chooser) worth(l literal) int {
	n, ok := c.worths[l]
	if !ok {
		if c.holds(c.s, l) {
			n = 1
		} else if !c.attainable(c.s, l) {
			n = -2
		}
		c.worths[l] = n
	}
	return n
}

func (c *chooser) take(b state.Binding) {
	n := choice{binding: slices.Clone(b)}
	for _, l := range c.literals(c.trace.Goal.Patterns, b) {
		n.held += c.worth(l)
	}
	i := len(c.best)
	for i > 0 && c.best[i-1].held < n.held {
		i--
	}
	if c.best = slices.Insert(c.best, i, n); len(c.best) > mostChoices {
		c.best = c.best[:mostChoices]
	}
}

// stage orders the parts of a goal: what has to exist, what becomes of things,
// where they go, inner ones first, and what devices and doors are to do in the end.
func (m *model) stage(l literal, all []literal) int {
	switch {
	case m.order(l) == 3, l.pred == m.onto.Core.State && m.openness(l):
		return 100
	case m.placed(l):
		depth := 0 // what goes into something that goes somewhere itself comes first
		for at := l.y.Object(); ; depth++ {
			i := slices.IndexFunc(all, func(o literal) bool { return m.placed(o) && o.x == at })
			if i < 0 || depth > 8 {
				break
			}
			at = all[i].y.Object()
		}
		return 50 - depth
	}
	return 10
}

func (m *model) openness(l literal) bool {
	open, ok := m.onto.Lookup("open")
	return ok && m.onto.Dimension(l.y.Term()) == m.onto.Dimension(open)
}

// reach brings about what a choice asks for, as far as it can, and turns off what
// must not be left on. It tells which parts it could not.
func (m *model) reach(mo *moment, c *choice) (steps []PlanStep, missed []literal) {
	m.wanted = c.literals
	steps = m.undo(mo)
	todo := slices.DeleteFunc(slices.Clone(c.literals), m.barred)
	slices.SortStableFunc(todo, func(a, b literal) int { return m.stage(a, todo) - m.stage(b, todo) })
	failed := map[literal]bool{}
	for range 3 * (len(todo) + 1) {
		l, ok := m.next(mo, todo, failed)
		if !ok {
			break
		}
		more, ok := m.bringAbout(mo, l)
		if !ok {
			failed[l] = true
			continue
		}
		if len(more) > 0 {
			clear(failed) // what could not be before may be now
		}
		steps = append(steps, more...)
		if m.exhausted() || len(steps) > longest {
			break
		}
	}
	steps = append(steps, m.forEach(mo, c)...)
	for _, x := range m.leftOn(mo.s) {
		on, _ := m.onto.Lookup("on")
		more, _ := m.achieve(mo, literal{x: x, pred: m.onto.Core.State, y: state.TermRef(m.onto.Opposite(on))}, pursuit{})
		steps = append(steps, more...)
	}
	for _, l := range c.literals {
		if !m.holds(mo.s, l) {
			missed = append(missed, l)
		}
	}
	return steps, missed
}

// undo ends what a violated constraint has left behind.
func (m *model) undo(mo *moment) []PlanStep {
	var out []PlanStep
	for _, l := range m.barring {
		if !m.holds(mo.s, l) {
			continue
		}
		l.not = true
		if steps, ok := m.achieve(mo, l, pursuit{}); ok {
			out = append(out, steps...)
		}
	}
	return out
}

// barred reports whether a constraint bars a part of the goal.
func (m *model) barred(l literal) bool {
	return slices.ContainsFunc(m.barring, func(b literal) bool {
		return b.x == l.x && (b.y == l.y && m.placed(b) && m.placed(l) || b.pred == l.pred && l.pred == m.onto.Core.State && m.onto.StateIs(l.y.Term(), b.y.Term()) > 0)
	})
}

// longest bounds the length of a plan.
const longest = 400

// next is the first part of a goal that does not hold and has not failed since
// anything else changed.
func (m *model) next(mo *moment, todo []literal, failed map[literal]bool) (literal, bool) {
	for _, l := range todo {
		if !failed[l] && !m.holds(mo.s, l) {
			return l, true
		}
	}
	return literal{}, false
}

// bringAbout achieves a part of a goal; a piece that is not there yet is made first.
func (m *model) bringAbout(mo *moment, l literal) ([]PlanStep, bool) {
	try := m.clone(mo)
	var out []PlanStep
	for _, x := range []state.Object{l.x, l.y.Object()} {
		if x == state.Nothing || !try.s.Gone(x) {
			continue
		}
		steps, ok := m.makePiece(try, x)
		if !ok {
			return nil, false
		}
		out = append(out, steps...)
	}
	steps, ok := m.achieve(try, l, pursuit{})
	if !ok {
		return nil, false
	}
	*mo = *try
	return append(out, steps...), true
}

// makePiece cuts or cracks what a piece comes from.
func (m *model) makePiece(mo *moment, piece state.Object) ([]PlanStep, bool) {
	whole := m.objects.Items[piece].Origin
	if whole == state.Nothing || mo.s.Gone(whole) {
		return nil, false
	}
	for _, a := range m.onto.Actions {
		if m.makes(a, whole, piece) {
			try := m.clone(mo)
			if steps, ok := m.carryOut(try, m.call(a, whole, state.Nothing), pursuit{depth: 1}, FromSupply); ok && !try.s.Gone(piece) {
				*mo = *try
				return steps, true
			}
		}
	}
	return nil, false
}

// makes reports whether an action turns one object into another.
func (m *model) makes(a *ontology.Action, whole, piece state.Object) bool {
	return whole != state.Nothing && slices.Contains(m.onto.Pieces(a, m.objects.Class(whole)), m.objects.Class(piece))
}

// forEach sees to what the goal asks of each thing of a kind: it is brought about,
// or the thing is taken out of where that is asked of it.
func (m *model) forEach(mo *moment, c *choice) []PlanStep {
	var out []PlanStep
	for _, part := range m.trace.Goal.ForAll {
		var open []state.Binding
		m.query(mo.s).Each(part.When, c.binding, state.AssumedTrue, func(b state.Binding) {
			if t, _ := m.query(mo.s).Best(part.Requires, b); t < state.AssumedTrue {
				open = append(open, slices.Clone(b))
			}
		})
		for _, b := range open {
			try := m.clone(mo)
			steps, ok := m.all(try, m.literals(part.Requires, b), pursuit{})
			if ok = ok && len(m.literals(part.Requires, b)) > 0; !ok {
				for _, l := range m.literals(part.When, b) {
					l.not = true
					try = m.clone(mo)
					if steps, ok = m.achieve(try, l, pursuit{}); ok {
						break
					}
				}
			}
			if ok {
				*mo = *try
				out = append(out, steps...)
			}
		}
	}
	return out
}

// reached reports whether the goal holds in a state.
func (m *model) reached(s *state.State) bool {
	t, _ := m.trace.GoalTruth(s)
	return t >= state.AssumedTrue
}

// serving are the parts of the goal with the objects that serve it in a state in which
// it holds.
func (m *model) serving(s *state.State) []literal {
	b := slices.Clone(m.trace.Bound)
	for len(b) < len(m.trace.Goal.Vars) {
		b = append(b, state.Unbound)
	}
	if t, at := m.query(s).Best(m.trace.Goal.Patterns, b); t >= state.AssumedTrue {
		return m.literals(m.trace.Goal.Patterns, at)
	}
	return nil
}

// text is a literal in words.
func (m *model) text(l literal) string {
	parts := []string{m.objects.Name(l.x), m.onto.Name(l.pred)}
	if l.pred == m.onto.Core.State {
		parts = parts[:1]
	}
	if l.y.Object() != state.Nothing {
		parts = append(parts, m.objects.Name(l.y.Object()))
	} else {
		parts = append(parts, m.onto.Name(l.y.Term()))
	}
	if l.not {
		parts = append([]string{"not"}, parts...)
	}
	return strings.Join(parts, " ")
}
