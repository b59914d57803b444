package planner

import (
	"slices"

	"github.com/mishap-robotics/mishap/engine/internal/state"
	"github.com/mishap-robotics/mishap/ontology"
)

// Goal is what is asked for, and what of it is pursued: the literals of the objects that
// are chosen for it.
type Goal struct {
	domain    *Domain
	inventory *Inventory
	goal      ontology.Goal
	bound     state.Binding
	exempt    []string // names of goal norms that do not apply
	shuts     []state.Object
	reached   func(s *state.State) bool
	pursued   []Literal
}

// Pursue makes literals those that the goal asks for.
func (g *Goal) Pursue(ls []Literal) { g.pursued = ls }

// PursueFirst does so with the best of the ground goals.
func (g *Goal) PursueFirst(goals []GroundGoal) {
	if len(goals) > 0 {
		g.pursued = goals[0].Literals
	}
}

// binding are the objects chosen already, with room for all variables.
func (g *Goal) binding() state.Binding {
	b := slices.Clone(g.bound)
	for len(b) < len(g.goal.Vars) {
		b = append(b, state.Unbound)
	}
	return b
}

// Wants reports whether the goal asks for a state of an object.
func (g *Goal) Wants(x state.Object, st ontology.TermID) bool {
	return slices.ContainsFunc(g.pursued, func(l Literal) bool {
		return !l.Negated && l.Subject == x && g.domain.IsState(l) && g.domain.Onto.StateIs(l.Value.Term(), st) > 0
	})
}

// LeftOn lists devices that are on, must not be left so, and that the goal does not
// ask to be on.
func (g *Goal) LeftOn(s *state.State) []state.Object {
	var out []state.Object
	for _, x := range g.inventory.usable {
		if s.IsLeftOn(x, g.Wants) {
			out = append(out, x)
		}
	}
	return out
}

// LeavesOn reports whether a device is left on in a state in which the goal holds, that it
// does not ask to be on of the things that serve it there.
func (g *Goal) LeavesOn(s *state.State) bool {
	defer g.Pursue(g.pursued)
	if now := g.Serving(s); now != nil {
		g.Pursue(now)
	}
	return len(g.LeftOn(s)) > 0
}

// LeftOpen lists what of the things that a plan opened and is not to leave open is open in a
// state, and that the goal does not ask to be open.
func (g *Goal) LeftOpen(s *state.State, opened []state.Object) []state.Object {
	open := g.domain.Onto.Open()
	return slices.DeleteFunc(slices.Clone(opened), func(x state.Object) bool {
		return open == ontology.None || s.Gone(x) || !s.Is(x, open) || g.Wants(x, open)
	})
}

// Opened keeps account of what a plan opens and is not to leave open, as of a step in a state:
// what is to be kept shut, and what was shut, where the plan that was made for the task does
// not open it itself, or shuts it again.
func (g *Goal) Opened(opened []state.Object, s *state.State, st *Step) []state.Object {
	onto, x := g.domain.Onto, st.Call.Target
	open := onto.Open()
	if open == ontology.None || x == state.Nothing || !onto.Sets(st.Call.Schema, open) || s.Is(x, open) {
		return opened
	}
	opened = slices.DeleteFunc(opened, func(y state.Object) bool { return y == x })
	if g.domain.Objects.HasProperty(x, onto.Roles.KeptShut) || (st.From != FromPlan || slices.Contains(g.shuts, x)) && s.Is(x, onto.Roles.Enclosing) {
		opened = append(opened, x)
	}
	return opened
}

// off is the literal of a device that runs no more.
func (g *Goal) off(x state.Object) Literal {
	return g.domain.InState(x, g.domain.Onto.Opposite(g.domain.Onto.Roles.Running))
}

// Reached reports whether the goal holds in a state, with things that are fit for it.
func (g *Goal) Reached(s *state.State) bool {
	if !g.reached(s) {
		return false
	}
	_, against := g.fitting(s)
	return len(against) == 0
}

// Against lists the goal norms that a state goes against in which the goal holds.
func (g *Goal) Against(s *state.State) []Unfit {
	if !g.reached(s) {
		return nil
	}
	_, against := g.fitting(s)
	return against
}

// Serving are the parts of the goal with the objects that serve it in a state in which
// it holds.
func (g *Goal) Serving(s *state.State) []Literal {
	at, _ := g.fitting(s)
	if at == nil {
		return nil
	}
	return g.domain.Literals(g.goal.Patterns, at)
}

// stage orders the parts of a goal: what has to exist, what becomes of things,
// where they go, inner ones first, and what devices and doors are to do in the end.
func (g *Goal) stage(l Literal, all []Literal) int {
	switch {
	case g.domain.Order(l) == Running, g.domain.IsState(l) && g.domain.openness(l):
		return 100
	case g.domain.IsPlace(l):
		depth := 0 // what goes into something that goes somewhere itself comes first
		for at := l.Value.Object(); ; depth++ {
			i := slices.IndexFunc(all, func(o Literal) bool { return g.domain.IsPlace(o) && o.Subject == at })
			if i < 0 || depth > 8 {
				break
			}
			at = all[i].Value.Object()
		}
		return 50 - depth
	}
	return 10
}
