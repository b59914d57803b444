package planner

import (
	"strings"

	"github.com/mishap-robotics/mishap/engine/internal/state"
	"github.com/mishap-robotics/mishap/ontology"
)

// Literal is one thing to achieve: a state or a place of an object, or, where it is
// negated, the end of it.
type Literal struct {
	Subject   state.Object
	Predicate ontology.TermID
	Value     state.Ref // the object of a place, the term of a state
	Negated   bool
}

// InState is the literal of an object in a state.
func (d *Domain) InState(x state.Object, st ontology.TermID) Literal {
	return Literal{Subject: x, Predicate: d.Onto.Core.State, Value: state.TermRef(st)}
}

// PlacedAt is the literal of an object in or on another.
func (d *Domain) PlacedAt(x, place state.Object) Literal {
	return Literal{Subject: x, Predicate: d.Onto.Core.Within, Value: state.ObjectRef(place)}
}

// inGripper is the literal of an object in the robot's gripper.
func (d *Domain) inGripper(x state.Object) Literal {
	return Literal{Subject: x, Predicate: d.Onto.Core.Inside, Value: state.ObjectRef(d.Gripper)}
}

// IsState reports whether a literal is about a state.
func (d *Domain) IsState(l Literal) bool { return l.Predicate == d.Onto.Core.State }

// isOf reports whether a literal is about a place in or on an object.
func (l Literal) isOf(y state.Object) bool { return l.Value.Object() == y }

// Literals are the patterns of a conjunction about what can change, with all
// variables bound.
func (d *Domain) Literals(ps []ontology.Pattern, b state.Binding) []Literal {
	var out []Literal
	for i := range ps {
		p := &ps[i]
		x, y := d.ref(p.Subject, b), d.ref(p.Object, b)
		if d.Lasting(p) || x.Object() == state.Nothing || y == state.Unbound {
			continue
		}
		out = append(out, Literal{Subject: x.Object(), Predicate: p.Predicate, Value: y})
	}
	return out
}

// Unchanging are the lasting relations of a conjunction that no action changes, with all
// variables bound: which rail leads where.
func (d *Domain) Unchanging(ps []ontology.Pattern, b state.Binding) []Literal {
	var out []Literal
	for i := range ps {
		p := &ps[i]
		x, y := d.ref(p.Subject, b).Object(), d.ref(p.Object, b)
		if d.Onto.Persistent(p.Predicate) && d.Lasting(p) && x != state.Nothing && y.Object() != state.Nothing {
			out = append(out, Literal{Subject: x, Predicate: p.Predicate, Value: y})
		}
	}
	return out
}

// Truth is whether a literal that is not negated is so in a state.
func (d *Domain) Truth(s *state.State, l Literal) state.Truth {
	p := ontology.Pattern{Subject: ontology.Arg{Var: 0}, Predicate: l.Predicate, Object: ontology.Arg{Var: 1}}
	return d.Query(s).Truth([]ontology.Pattern{p}, state.Binding{state.ObjectRef(l.Subject), l.Value})
}

// ref is what an argument of a pattern stands for.
func (d *Domain) ref(a ontology.Arg, b state.Binding) state.Ref {
	if a.IsVar() {
		return b[a.Var]
	}
	return state.TermRef(a.Term)
}

// Lasting reports whether a pattern is about what no action changes.
func (d *Domain) Lasting(p *ontology.Pattern) bool {
	core := &d.Onto.Core
	switch p.Predicate {
	case core.Type, core.HasProperty, core.Accepts, core.Differs, core.Implies:
		return true
	}
	return d.isStatic(p.Predicate)
}

// IsPlace reports whether a literal is about a place.
func (d *Domain) IsPlace(l Literal) bool { return d.Onto.IsSub(l.Predicate, d.Onto.Core.Within) }

// Text is a literal in words.
func (d *Domain) Text(l Literal) string {
	parts := []string{d.Objects.Name(l.Subject), d.Onto.Name(l.Predicate)}
	if d.IsState(l) {
		parts = parts[:1]
	}
	if l.Value.Object() != state.Nothing {
		parts = append(parts, d.Objects.Name(l.Value.Object()))
	} else {
		parts = append(parts, d.Onto.Name(l.Value.Term()))
	}
	if l.Negated {
		parts = append([]string{"not"}, parts...)
	}
	return strings.Join(parts, " ")
}

// Order puts what is to end first, then places, then states of things, then what
// devices do, which is Running.
func (d *Domain) Order(l Literal) int {
	switch {
	case l.Negated:
		return 0
	case !d.IsState(l):
		return 1
	}
	if d.Objects.HasProperty(l.Subject, d.Onto.Roles.Toggleable) {
		return Running
	}
	return 2
}

// Running is the order of what devices do.
const Running = 3

// openness reports whether a literal is about what is open or closed.
func (d *Domain) openness(l Literal) bool {
	enclosing := d.Onto.Roles.Enclosing
	return enclosing != ontology.None && d.Onto.Dimension(l.Value.Term()) == d.Onto.Dimension(enclosing)
}
