package planner

import (
	"slices"

	"github.com/mishap-robotics/mishap/engine/internal/state"
	"github.com/mishap-robotics/mishap/ontology"
)

// unify binds the variables of an effect so that it brings a literal about.
func (d *Domain) unify(p *ontology.Pattern, l Literal, b state.Binding) (state.Binding, bool) {
	core := &d.Onto.Core
	switch {
	case p.Predicate == core.State && l.Predicate == core.State:
	case d.IsPlace(l) && d.Onto.IsSub(p.Predicate, core.Within):
	case d.Onto.Persistent(l.Predicate) && d.Onto.IsSub(p.Predicate, l.Predicate):
	default:
		return nil, false
	}
	b = slices.Clone(b)
	if !p.Subject.IsVar() || b[p.Subject.Var] != state.Unbound && b[p.Subject.Var].Object() != state.Nothing && b[p.Subject.Var] != state.ObjectRef(l.Subject) {
		return nil, false
	}
	b[p.Subject.Var] = state.ObjectRef(l.Subject)
	if !p.Object.IsVar() {
		return b, l.Predicate == core.State && d.Onto.StateIs(p.Object.Term, l.Value.Term()) > 0
	}
	if was := b[p.Object.Var]; was != state.Unbound && was.Object() != state.Nothing && was != l.Value {
		return nil, false
	}
	b[p.Object.Var] = l.Value
	return b, true
}

// lastingOf are the lasting requirements of an action on its parameters.
func (d *Domain) lastingOf(a *ontology.ActionSchema) []ontology.Pattern {
	var out []ontology.Pattern
	for i := range a.Preconditions {
		c := &a.Preconditions[i]
		if len(c.When)+len(c.Unless) > 0 {
			continue // it is not asked of everything
		}
		for j := range c.Requires {
			p := &c.Requires[j]
			if d.Lasting(p) && p.Subject.Var < ontology.VarTarget+max(a.Params, 2) || d.Onto.Persistent(p.Predicate) && d.ofParameters(a, p) {
				out = append(out, *p)
			}
		}
	}
	return out
}

// classesOf asks for the classes of the parameters of an action that are not bound.
func (d *Domain) classesOf(a *ontology.ActionSchema, b state.Binding) []ontology.Pattern {
	var out []ontology.Pattern
	for i, p := range a.Parameters {
		if v := ontology.VarTarget + i; !p.Value && p.Class != ontology.None && b[v] == state.Unbound {
			out = append(out, ontology.Pattern{Subject: ontology.Arg{Var: v, Term: ontology.None}, Predicate: d.Onto.Core.Type, Object: ontology.Arg{Var: -1, Term: p.Class}})
		}
	}
	return out
}

// ofParameters reports whether a pattern speaks of parameters and the agent alone.
func (d *Domain) ofParameters(a *ontology.ActionSchema, p *ontology.Pattern) bool {
	for _, arg := range p.Args() {
		if arg.Var >= ontology.VarTarget+a.Params || arg.Var == ontology.VarGripper {
			return false
		}
	}
	return true
}

// holdable reports whether what an action needs in the gripper can be there.
func (d *Domain) holdable(a *ontology.ActionSchema, b state.Binding) bool {
	for i := range a.Preconditions {
		for _, p := range a.Preconditions[i].Requires {
			if d.Onto.IsSub(p.Predicate, d.Onto.Core.Within) && p.Object.IsVar() && p.Object.Var == ontology.VarGripper && p.Subject.IsVar() &&
				b[p.Subject.Var].Object() != state.Nothing && !d.Movable(b[p.Subject.Var].Object()) {
				return false
			}
		}
	}
	return true
}

// putting is the call that puts an object in or on another.
func (d *Domain) putting(x, y state.Object) (state.Call, bool) {
	put := d.PlacedAt(x, y)
	for _, a := range d.actions {
		if d.Onto.Preferred(a, d.Objects.Class(y)) != a {
			continue
		}
		for i := range a.Effects {
			for j := range a.Effects[i].Then {
				if _, ok := d.unify(&a.Effects[i].Then[j], put, d.Call(a, state.Nothing, state.Nothing).Binding()); ok && a.Params > 1 {
					return d.Call(a, x, y), true
				}
			}
		}
	}
	return state.Call{}, false
}
