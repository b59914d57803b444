package planner

import (
	"slices"

	"github.com/mishap-robotics/mishap/engine/internal/state"
	"github.com/mishap-robotics/mishap/ontology"
)

// mostChanges is how often an action is done in a row for a quantity, as filling up.
const mostChanges = 5

// measures are the patterns of a condition that ask for a quantity.
func measures(c *ontology.Condition) []ontology.Pattern {
	return slices.DeleteFunc(slices.Concat(c.Requires, c.Forbids), func(p ontology.Pattern) bool {
		return p.Measure.Operator == ontology.NoOperator || !p.Subject.IsVar()
	})
}

// changers lists the actions that change a quantity of an object, the cheapest first.
func (ac *achievers) changers(s *state.State, x state.Object, quantity ontology.TermID) []achiever {
	var out []achiever
	for _, a := range ac.domain.actions {
		for i := range a.Effects {
			e := &a.Effects[i]
			for j := range e.Then {
				p := &e.Then[j]
				if p.Measure.Operator == ontology.NoOperator || p.Predicate != quantity || !p.Subject.IsVar() {
					continue
				}
				b := ac.domain.Call(a, state.Nothing, state.Nothing).Binding()
				if was := b[p.Subject.Var]; was != state.Unbound && was.Object() != state.Nothing && was.Object() != x {
					continue
				}
				b[p.Subject.Var] = state.ObjectRef(x)
				out = append(out, ac.actions(s, a, e, b)...)
			}
		}
	}
	slices.SortStableFunc(out, func(a, b achiever) int { return a.rank - b.rank })
	return out
}

// measure brings a quantity to where a condition of an action has it, as by charging.
func (r *Regression) measure(node *Node, v *state.Violation, p path, c state.Call) ([]Step, bool) {
	for _, m := range measures(v.Condition) {
		x := v.Binding[m.Subject.Var].Object()
		if x == state.Nothing {
			continue
		}
		for _, a := range r.achievers.changers(node.State, x, m.Predicate) {
			try := node.Clone()
			var steps []Step
			for range mostChanges {
				if r.budget.Exhausted() || a.call.Schema == c.Schema {
					break
				}
				more, ok := r.carryOut(try, a.call, p, FromSubgoal)
				if !ok {
					break
				}
				steps = append(steps, more...)
				if !slices.ContainsFunc(r.sim.Violations(try.State, c), func(w state.Violation) bool { return w.Name == v.Name }) {
					*node = *try
					return steps, true
				}
			}
		}
	}
	return nil, false
}

// changeable reports whether some action changes a quantity that a condition asks for: how far
// is not claimed.
func (r *relaxation) changeable(v *state.Violation) bool {
	return slices.ContainsFunc(measures(v.Condition), func(m ontology.Pattern) bool {
		x := v.Binding[m.Subject.Var].Object()
		return x != state.Nothing && len(r.achievers.changers(r.s, x, m.Predicate)) > 0
	})
}
