package planner

import (
	"slices"

	"github.com/mishap-robotics/mishap/engine/internal/state"
	"github.com/mishap-robotics/mishap/ontology"
)

// bindings gives objects to the free variables of a conjunction, so that what no
// action changes holds: those of which most holds already first.
func (ac *achievers) bindings(s *state.State, ps []ontology.Pattern, b state.Binding) []state.Binding {
	var fixed []ontology.Pattern
	free := false
	for i := range ps {
		if ac.domain.Lasting(&ps[i]) {
			fixed = append(fixed, ps[i])
		}
		for _, a := range []ontology.Arg{ps[i].Subject, ps[i].Object} {
			free = free || a.IsVar() && b[a.Var] == state.Unbound
		}
	}
	if !ac.mayHold(s, fixed, b) {
		return nil
	}
	if !free {
		return []state.Binding{b}
	}
	type ranked struct {
		b    state.Binding
		rank int
	}
	var out []ranked
	ac.each(s, ps, b, func(w state.Binding) {
		if !ac.mayHold(s, fixed, w) {
			return
		}
		out = append(out, ranked{slices.Clone(w), ac.unmet(s, ac.domain.Literals(ps, w))})
	})
	slices.SortStableFunc(out, func(a, b ranked) int { return a.rank - b.rank })
	var list []state.Binding
	if !ac.whole {
		out = out[:min(len(out), maxAchievers)]
	}
	for _, r := range out {
		list = append(list, r.b)
	}
	return rotated(list, ac.rotation)
}

// mayHold reports whether what no action changes may be so. A relation has to be known: what
// nobody said is none to plan with.
func (ac *achievers) mayHold(s *state.State, fixed []ontology.Pattern, b state.Binding) bool {
	if t := ac.domain.Query(s).Truth(fixed, b); t <= state.AssumedFalse {
		return false
	}
	for i := range fixed {
		if !ac.domain.Onto.Persistent(fixed[i].Predicate) {
			continue
		}
		if t := ac.domain.Query(s).Truth(fixed[i:i+1], b); t < state.AssumedTrue {
			return false
		}
	}
	return true
}

// rotated begins the alternatives elsewhere, for other samples of plans.
func rotated[T any](list []T, by int) []T {
	if by == 0 || len(list) < 2 {
		return list
	}
	k := by % len(list)
	return append(slices.Clone(list[k:]), list[:k]...)
}

// each visits the ways to give objects to the free variables of a conjunction; a
// variable that stands for a term gets its value from what is so.
func (ac *achievers) each(s *state.State, ps []ontology.Pattern, b state.Binding, visit func(state.Binding)) {
	v := -1
	var class ontology.TermID = ontology.None
	for i := range ps {
		p := &ps[i]
		if p.Subject.IsVar() && b[p.Subject.Var] == state.Unbound {
			v = p.Subject.Var
		} else if p.Object.IsVar() && b[p.Object.Var] == state.Unbound && p.Predicate != ac.domain.Onto.Core.State && v < 0 {
			v = p.Object.Var
		}
	}
	if v < 0 {
		visit(b)
		return
	}
	for i := range ps {
		if ps[i].Predicate == ac.domain.Onto.Core.Type && ps[i].Subject.Var == v && ps[i].Object.Term != ontology.None {
			class = ps[i].Object.Term
		}
	}
	for _, x := range ac.inventory.ofClass(class) {
		if s.Gone(x) {
			continue
		}
		w := slices.Clone(b)
		w[v] = state.ObjectRef(x)
		ac.each(s, ps, w, visit)
	}
}

// parameters completes the parameters of an action: what is poured away goes
// without a destination, or into a drain.
func (ac *achievers) parameters(s *state.State, a *ontology.ActionSchema, conditions []ontology.Pattern, b state.Binding) []state.Binding {
	objects := a.Objects()
	if b[ontology.VarTarget] != state.Unbound && b[ontology.VarDestination] == state.Unbound && objects > 1 && a.Required < objects {
		for _, x := range ac.inventory.usable {
			if ac.domain.Objects.HasProperty(x, ac.domain.Onto.Roles.Drain) && !s.Gone(x) {
				w := slices.Clone(b)
				w[ontology.VarDestination] = state.ObjectRef(x)
				return []state.Binding{w}
			}
		}
		return []state.Binding{b}
	}
	if objects == 0 { // such as charging where the robot stands
		w := slices.Clone(b)
		w[ontology.VarTarget], w[ontology.VarDestination] = state.ObjectRef(state.Nothing), state.ObjectRef(state.Nothing)
		return ac.bindings(s, conditions, w)
	}
	if objects < 2 && b[ontology.VarTarget] != state.Unbound {
		w := slices.Clone(b)
		w[ontology.VarDestination] = state.ObjectRef(state.Nothing)
		return ac.bindings(s, conditions, w)
	}
	return ac.bindings(s, conditions, b)
}
