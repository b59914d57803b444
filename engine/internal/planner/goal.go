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
		return l.Subject == x && g.domain.IsState(l) && g.domain.Onto.StateIs(l.Value.Term(), st) > 0
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

// off is the literal of a device that runs no more.
func (g *Goal) off(x state.Object) Literal {
	return g.domain.InState(x, g.domain.Onto.Opposite(g.domain.Onto.Roles.Running))
}

// Reached reports whether the goal holds in a state.
func (g *Goal) Reached(s *state.State) bool { return g.reached(s) }

// Serving are the parts of the goal with the objects that serve it in a state in which
// it holds.
func (g *Goal) Serving(s *state.State) []Literal {
	if t, at := g.domain.Query(s).Best(g.goal.Patterns, g.binding()); t >= state.AssumedTrue {
		return g.domain.Literals(g.goal.Patterns, at)
	}
	return nil
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
