package dependency

import (
	"slices"

	"github.com/mishap-robotics/mishap/engine/internal/state"
	"github.com/mishap-robotics/mishap/ontology"
)

// static reports whether a pattern tells of what objects are, which nothing changes.
func (b *builder) static(p ontology.Pattern) bool {
	core := &b.o.Core
	switch p.Predicate {
	case core.State, core.HasRoom, core.ReplacedBy:
		return false
	}
	return !b.o.IsSub(p.Predicate, core.Within) && !b.o.HasType(p.Predicate, core.Relation)
}

// state is the state that a pattern is about.
func (r *reading) state(p ontology.Pattern, b state.Binding) StateVariable {
	core := &r.o.Core
	s := StateVariable{Subject: r.object(p.Subject, b), Term: ontology.None, Object: ObjectRef{ID: state.Nothing}}
	switch {
	case p.Predicate == core.State:
		s.Kind, s.Name, s.Term = Dimension, "state", r.dimension(p.Object)
		if s.Term != ontology.None {
			s.Name = r.o.Name(s.Term)
		}
	case p.Predicate == core.ReplacedBy:
		s.Kind, s.Name = Form, string(Form)
	case r.o.IsSub(p.Predicate, core.Within):
		s.Kind, s.Name = Place, string(Place)
	default:
		s.Kind, s.Name, s.Term, s.Object = Relation, r.o.Name(p.Predicate), p.Predicate, r.object(p.Object, b)
	}
	return s
}

// dimension is that of a state; of a variable, that of a state it must imply.
func (r *reading) dimension(a ontology.Arg) ontology.TermID {
	if !a.IsVar() {
		return r.o.Dimension(a.Term)
	}
	for _, p := range r.scope {
		if p.Predicate == r.o.Core.Implies && p.Subject.Var == a.Var {
			return r.o.Dimension(p.Object.Term)
		}
	}
	return ontology.None
}

// value is what a pattern has its state be; ok is false where the object has no such
// form.
func (r *reading) value(p ontology.Pattern, b state.Binding) (v Value, ok bool) {
	core := &r.o.Core
	v = Value{Term: ontology.None, At: ObjectRef{ID: state.Nothing}}
	switch {
	case p.Predicate == core.State && p.Object.IsVar():
		v.Name = r.vars[p.Object.Var]
	case p.Predicate == core.ReplacedBy:
		v.Term = p.Object.Term
		if x := r.object(p.Subject, b).ID; x != state.Nothing {
			forms := r.o.ValuesOf(r.objects.Class(x), v.Term)
			if len(forms) == 0 {
				return v, false
			}
			v.Term = forms[0]
		}
	case p.Predicate == core.State:
		v.Term = p.Object.Term
	case r.o.IsSub(p.Predicate, core.Within):
		v.Term, v.At = p.Predicate, r.object(p.Object, b)
	}
	if v.Term != ontology.None {
		v.Name = r.o.Name(v.Term)
	}
	return v, true
}

// object is what an argument stands for: an object, a variable, or a term.
func (r *reading) object(a ontology.Arg, b state.Binding) ObjectRef {
	if !a.IsVar() {
		return ObjectRef{Name: r.o.Name(a.Term), ID: state.Nothing}
	}
	if x := b[a.Var].Object(); x != state.Nothing {
		return ObjectRef{Name: r.objects.Name(x), ID: x}
	}
	return ObjectRef{Name: r.vars[a.Var], ID: state.Nothing}
}

// open leaves out of patterns what holds for good; possible is false where one of
// them never holds.
func (r *reading) open(patterns []ontology.Pattern, b state.Binding) (rest []ontology.Pattern, possible bool) {
	for _, p := range patterns {
		switch t := r.truth(p, b); {
		case t <= state.AssumedFalse:
			return nil, false
		case t == state.Undecided:
			rest = append(rest, p)
		}
	}
	return rest, true
}

// truth judges a pattern by what the objects are; what changes is undecided, and so
// is what speaks of a variable without an object.
func (r *reading) truth(p ontology.Pattern, b state.Binding) state.Truth {
	if r.objects == nil || !r.static(p) || r.free(p.Subject, b) || r.free(p.Object, b) {
		return state.Undecided
	}
	t, _ := state.Query{State: r.nothing}.Best([]ontology.Pattern{p}, b)
	return t
}

func (r *reading) free(a ontology.Arg, b state.Binding) bool {
	return a.IsVar() && b[a.Var] == state.Unbound
}

// bindings gives the variables that the call leaves free to objects, in all ways
// that matter: those in which calls change the state of the object.
func (r *reading) bindings(patterns []ontology.Pattern) []state.Binding {
	if r.objects == nil {
		return []state.Binding{r.known}
	}
	return r.bind(r.params, patterns, r.known)
}

// bind binds the variables from one on.
func (r *reading) bind(v int, patterns []ontology.Pattern, b state.Binding) []state.Binding {
	if v == len(r.vars) {
		return []state.Binding{b}
	}
	var out []state.Binding
	for i := range r.objects.Items {
		with := slices.Clone(b)
		with[v] = state.ObjectRef(state.Object(i))
		if r.matters(v, patterns, with) && r.fits(patterns, with) {
			out = append(out, r.bind(v+1, patterns, with)...)
		}
	}
	if out == nil {
		return r.bind(v+1, patterns, b)
	}
	return out
}

// matters reports whether calls change a state of what a variable is bound to.
func (r *reading) matters(v int, patterns []ontology.Pattern, b state.Binding) bool {
	return slices.ContainsFunc(patterns, func(p ontology.Pattern) bool {
		return !r.static(p) && p.Subject.Var == v && r.changed[r.state(p, b)]
	})
}

// fits reports whether patterns may hold of the objects.
func (r *reading) fits(patterns []ontology.Pattern, b state.Binding) bool {
	return !slices.ContainsFunc(patterns, func(p ontology.Pattern) bool {
		toItself := r.o.HasType(p.Predicate, r.o.Core.Relation) && r.object(p.Subject, b) == r.object(p.Object, b)
		return toItself || r.truth(p, b) <= state.AssumedFalse
	})
}
