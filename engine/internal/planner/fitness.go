package planner

import (
	"slices"

	"github.com/mishap-robotics/mishap/engine/internal/state"
	"github.com/mishap-robotics/mishap/ontology"
)

// Unfit is a goal norm that a thing a goal is reached with goes against.
type Unfit struct {
	Norm *ontology.GoalNorm
	// Is is what must not be so.
	Is Literal
	// Cure is what would mend it, where a state has an opposite.
	Cure    Literal
	Curable bool
	// Doubtful is true where it is only assumed to be so.
	Doubtful bool
}

// Text says what must not be so, and why.
func (g *Goal) Text(u *Unfit) string { return g.domain.Text(u.Is) + ": " + u.Norm.Comment }

// maxFits bounds how many ways in which a goal holds are looked at for one that keeps
// the goal norms.
const maxFits = 64

// fitting is the match in which the goal holds and that goes against the fewest goal norms,
// with what it goes against.
func (g *Goal) fitting(s *state.State) (state.Binding, []Unfit) {
	q := g.domain.Query(s)
	t, at := q.AtLeast(g.goal.Patterns, g.binding(), state.AssumedTrue)
	if t < state.AssumedTrue {
		return nil, nil
	}
	against := g.Unfit(s, at)
	if len(against) == 0 {
		return at, nil
	}
	n := 0
	q.Each(g.goal.Patterns, g.binding(), state.AssumedTrue, func(b state.Binding) {
		if n++; n > maxFits || len(against) == 0 {
			return
		}
		if other := g.Unfit(s, b); len(other) < len(against) {
			at, against = slices.Clone(b), other
		}
	})
	return at, against
}

// Unfit lists what the things that a goal is reached with, under a binding, go against.
func (g *Goal) Unfit(s *state.State, b state.Binding) []Unfit {
	if len(g.domain.Onto.GoalNorms) == 0 {
		return nil
	}
	return g.unfitAmong(s, b, func(x state.Object) []Unfit { return g.unfit(s, x) })
}

// unfitAmong is Unfit by what each thing goes against.
func (g *Goal) unfitAmong(s *state.State, b state.Binding, of func(state.Object) []Unfit) []Unfit {
	var wanted []Literal
	var out []Unfit
	for _, x := range g.serving(s, b) {
		for _, u := range of(x) {
			if wanted == nil {
				wanted = g.domain.Literals(g.goal.Patterns, b)
			}
			if !slices.Contains(wanted, u.Is) && !slices.ContainsFunc(out, func(o Unfit) bool { return o.Is == u.Is }) {
				out = append(out, u)
			}
		}
	}
	return out
}

// unfit lists what one thing goes against.
func (g *Goal) unfit(s *state.State, x state.Object) []Unfit {
	var out []Unfit
	for _, norm := range g.domain.Onto.GoalNorms {
		if slices.Contains(g.exempt, norm.Name) {
			continue
		}
		if u, bad := g.against(s, norm, x); bad {
			out = append(out, u)
		}
	}
	return out
}

// AgainstBeside lists the goal norms that things go against which a plan put to where a thing
// is that a reached goal is about, though the goal can do without them: whoever is served has
// them before them.
func (g *Goal) AgainstBeside(s *state.State, put []state.Object) []Unfit {
	at, _ := g.fitting(s)
	if at == nil || len(put) == 0 {
		return nil
	}
	serving := g.serving(s, at)
	var out []Unfit
	for _, x := range put {
		dish := s.Place(x).At
		together := func(y state.Object) bool { return s.Place(y).At == dish }
		if s.Gone(x) || slices.Contains(serving, x) || !slices.Contains(serving, dish) || !slices.ContainsFunc(serving, together) {
			continue
		}
		out = append(out, slices.DeleteFunc(g.unfit(s, x), func(u Unfit) bool { return u.Doubtful })...)
	}
	return out
}

// serving are the things that a goal is about under a binding, and those of which it asks
// something of each.
func (g *Goal) serving(s *state.State, b state.Binding) []state.Object {
	var out []state.Object
	add := func(r state.Ref) {
		if x := r.Object(); x != state.Nothing && !slices.Contains(out, x) {
			out = append(out, x)
		}
	}
	for _, r := range b {
		add(r)
	}
	for _, part := range g.goal.ForAll {
		g.domain.Query(s).Each(part.When, b, state.AssumedTrue, func(at state.Binding) {
			for _, r := range at {
				add(r)
			}
		})
	}
	return out
}

// against judges one goal norm. A piece that is not there yet will be as what it is cut from.
func (g *Goal) against(s *state.State, norm *ontology.GoalNorm, x state.Object) (Unfit, bool) {
	whole := x
	for s.Gone(whole) {
		if whole = g.domain.Objects.Items[whole].Origin; whole == state.Nothing {
			return Unfit{}, false
		}
	}
	b := state.NewBinding(len(norm.Vars))
	b[0] = state.ObjectRef(whole)
	q := g.domain.Query(s)
	t, at := q.AtLeast(norm.When, b, state.AssumedTrue)
	if t < state.AssumedTrue || q.Any(norm.Unless, at) {
		return Unfit{}, false
	}
	if t, at = q.AtLeast(norm.Forbids, at, state.AssumedTrue); t < state.AssumedTrue {
		return Unfit{}, false
	}
	ls := g.domain.Literals(norm.Forbids, at)
	if len(ls) == 0 {
		return Unfit{}, false
	}
	u := Unfit{Norm: norm, Is: ls[len(ls)-1]}
	if g.domain.IsState(u.Is) {
		u.Doubtful = s.Get(state.Fluent{Obj: u.Is.Subject, Slot: max(0, s.SlotOf(u.Is.Value.Term()))}).Status == state.Assumed
	}
	if u.Is.Subject == whole {
		u.Is.Subject = x
	}
	if g.domain.IsState(u.Is) {
		if to := g.domain.Onto.Opposite(u.Is.Value.Term()); to != ontology.None {
			u.Cure, u.Curable = g.domain.InState(u.Is.Subject, to), true
		}
	}
	return u, true
}

// Doubted reports whether all that is unfit is only assumed to be.
func Doubted(unfit []Unfit) bool {
	return !slices.ContainsFunc(unfit, func(u Unfit) bool { return !u.Doubtful })
}
