package state

import (
	"slices"

	"github.com/mishap-robotics/mishap/ontology"
)

// Truth is how true a pattern is: its sign tells true from false, its size what
// that rests on.
type Truth int8

// The five degrees of truth.
const (
	False        Truth = -2
	AssumedFalse Truth = -1
	Undecided    Truth = 0
	AssumedTrue  Truth = 1
	True         Truth = 2
)

func truth(holds bool, status Status) Truth {
	t := True
	if status == Assumed {
		t = AssumedTrue
	}
	if !holds {
		return -t
	}
	return t
}

// Ref is the value of a variable: an object, or a term such as a state.
type Ref int32

// Unbound is a variable without a value.
const Unbound Ref = -1

// ObjectRef and TermRef make references.
func ObjectRef(x Object) Ref        { return Ref(x) }
func TermRef(t ontology.TermID) Ref { return -Ref(t) - 2 }

// Object is the object referred to, or Nothing.
func (r Ref) Object() Object {
	if r < 0 {
		return Nothing
	}
	return Object(r)
}

// Term is the term referred to, or None.
func (r Ref) Term() ontology.TermID {
	if r > -2 {
		return ontology.None
	}
	return ontology.TermID(-r - 2)
}

// Binding gives values to the variables of an action, process or goal.
type Binding []Ref

// NewBinding leaves n variables unbound.
func NewBinding(n int) Binding {
	b := make(Binding, n)
	for i := range b {
		b[i] = Unbound
	}
	return b
}

// Query evaluates patterns on a state.
type Query struct {
	State *State
	// Agent and Gripper are what nearness and holding are about.
	Agent, Gripper Object
	// Touched collects the fluents that were read, where it is not nil.
	Touched *[]Fluent
	// Given are the values that the action is carried out with.
	Given []Amount
	// Apart takes what is seen beside, above or behind something, and in or on nothing, not
	// to be in or on anything that is asked for.
	Apart bool
}

func (q Query) touch(f Fluent) {
	if q.Touched != nil {
		*q.Touched = append(*q.Touched, f)
	}
}

func (q Query) ref(a ontology.Arg, b Binding) Ref {
	if a.IsVar() {
		return b[a.Var]
	}
	return TermRef(a.Term)
}

// eval is the truth of a pattern whose variables are bound.
func (q Query) eval(p *ontology.Pattern, b Binding) Truth {
	s, o := q.ref(p.Subject, b), q.ref(p.Object, b)
	onto := q.State.Objects.Onto
	core := &onto.Core
	x := s.Object()
	if p.Measure.Operator != ontology.NoOperator {
		return q.measures(p, x, b)
	}
	switch p.Predicate {
	case core.Type:
		return q.typed(x, o.Term())
	case core.HasProperty:
		return q.property(x, o.Term())
	case core.State:
		return q.inState(x, o.Term())
	case core.Implies:
		return truth(onto.StateIs(s.Term(), o.Term()) > 0 && s.Term() != o.Term(), Observed)
	case core.Differs:
		return truth(s != o, Observed)
	case core.Accepts:
		return q.accepts(x, o.Object())
	case core.HasRoom:
		return q.hasRoom(x, o.Object())
	case core.Near:
		return q.near(x, o.Object())
	}
	if onto.Persistent(p.Predicate) {
		return q.relatedBy(x, p.Predicate, o.Object())
	}
	if onto.IsSub(p.Predicate, core.Within) {
		return q.placed(x, p.Predicate, o.Object())
	}
	if onto.HasType(p.Predicate, core.Relation) {
		return q.edge(x, p.Predicate, o.Object())
	}
	if onto.HasType(o.Term(), core.Material) {
		return q.property(x, o.Term())
	}
	return Undecided
}

func (q Query) typed(x Object, class ontology.TermID) Truth {
	if x == Nothing {
		return False
	}
	if q.State.Objects.Class(x) == ontology.None {
		return AssumedFalse
	}
	return truth(q.State.Objects.IsA(x, class), Observed)
}

func (q Query) property(x Object, property ontology.TermID) Truth {
	if x == Nothing {
		return False
	}
	if q.State.Objects.Class(x) == ontology.None && len(q.State.Objects.Items[x].Props) == 0 {
		return Undecided
	}
	has := q.State.Objects.HasProperty(x, property) || q.shownToBe(x, property)
	if !has && q.Apart && q.ofUnknownMaterial(x, property) {
		return Undecided
	}
	return truth(has, Observed)
}

// shownToBe reports whether something was seen in a state that only what has a property is in: a
// basket that is shut can be opened.
func (q Query) shownToBe(x Object, property ontology.TermID) bool {
	roles := &q.State.Objects.Onto.Roles
	of := ontology.None
	switch property {
	case roles.Openable:
		of = roles.Enclosing
	case roles.Toggleable:
		of = roles.Running
	}
	if of == ontology.None {
		return false
	}
	slot := q.State.SlotOf(of)
	return slot >= 0 && q.State.Get(Fluent{x, slot}).Status == Observed
}

// ofUnknownMaterial reports whether what a goal asks for is a material, and nobody said of what
// a thing is made, nor of another of its class that it is of that: a glass bowl may be called
// a bowl.
func (q Query) ofUnknownMaterial(x Object, material ontology.TermID) bool {
	objects := q.State.Objects
	onto := objects.Onto
	for y := range objects.Items {
		alike := objects.IsA(x, objects.Items[y].Class) || objects.IsA(Object(y), objects.Class(x))
		if alike && slices.Contains(objects.Items[y].Props, material) {
			return false
		}
	}
	return onto.HasType(material, onto.Core.Material) && !slices.ContainsFunc(q.State.Objects.Items[x].Props, func(p ontology.TermID) bool { return onto.HasType(p, onto.Core.Material) })
}

func (q Query) inState(x Object, st ontology.TermID) Truth {
	slot := q.State.SlotOf(st)
	if x == Nothing || slot < 0 {
		return False
	}
	f := Fluent{x, slot}
	q.touch(f)
	v := q.State.Get(f)
	if v.Status == Unknown {
		if q.State.CloseWorld {
			return AssumedFalse
		}
		return Undecided
	}
	switch q.State.Objects.Onto.StateIs(v.Term, st) {
	case 1:
		return truth(true, v.Status)
	case -1:
		return truth(false, v.Status)
	}
	return Undecided
}

func (q Query) accepts(x, y Object) Truth {
	if x == Nothing || y == Nothing {
		return False
	}
	objects := q.State.Objects
	if objects.Class(y) == ontology.None {
		return Undecided
	}
	for _, c := range objects.Onto.Accepts(objects.Class(x)) {
		if objects.IsA(y, c) {
			return True
		}
	}
	return False
}

// hasRoom counts the bulky things in a receptacle of limited capacity, in one with
// slots all things. A receptacle without a stated capacity always has room.
func (q Query) hasRoom(x, y Object) Truth {
	if x == Nothing {
		return False
	}
	objects := q.State.Objects
	limit, limited := objects.Onto.Capacity(objects.Class(x))
	roles := &objects.Onto.Roles
	takesRoom := func(c Object) bool {
		return roles.TakesRoom == ontology.None || objects.HasProperty(x, roles.LoadedFromAbove) || objects.HasProperty(c, roles.TakesRoom)
	}
	if !limited || !takesRoom(y) {
		return True
	}
	status, n := Observed, 0
	for _, c := range q.State.Contents(x) {
		if c == y || !takesRoom(c) || q.State.Gone(c) {
			continue
		}
		f := Fluent{c, PlaceSlot}
		q.touch(f)
		status = min(status, q.State.Get(f).Status)
		n++
	}
	return truth(n < limit, status)
}

// Reread reads the fluents of a conjunction whose variables are bound.
func (q Query) Reread(patterns []ontology.Pattern, b Binding) { q.eachTouched(patterns, b) }
