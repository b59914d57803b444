package state

import (
	"slices"

	"github.com/mishap-robotics/mishap/ontology"
)

// Status says what the value of a fluent rests on.
type Status uint8

// From the weakest to the strongest.
const (
	Unknown   Status = iota
	Assumed          // the usual scene or a default
	Predicted        // an effect that was not observed
	Observed
)

// Value is the value of a fluent: a state, or a relation and what it is to.
type Value struct {
	Term   ontology.TermID
	At     Object // for places
	Status Status
	Since  int32 // step
}

var unknownValue = Value{Term: ontology.None, At: Nothing}

// Same reports whether two values say the same, whatever they rest on.
func (v Value) Same(w Value) bool {
	if (v.Status == Unknown) != (w.Status == Unknown) {
		return false
	}
	return v.Status == Unknown || v.At == w.At && (v.Term == w.Term || v.At != Nothing)
}

// Fluent names what can change of an object: its place (slot 0) or its state
// in one dimension.
type Fluent struct {
	Obj  Object
	Slot int32
}

// PlaceSlot is the slot of an object's place.
const PlaceSlot = 0

// Edge is an observed relation that is not a place.
type Edge struct {
	Subject  Object
	Relation ontology.TermID
	Object   Object
}

type object struct {
	gone    bool
	changed bool    // since Settle
	vals    []Value // by slot; nil until something is known
}

// State is the state of all objects at one moment. The zero value is not
// usable; see New.
type State struct {
	Objects *Objects
	objs    []object
	edges   []Edge
	anchors []anchor // by agent
	unsure  []Object // grippers of which nobody knows whether they hold anything
	dims    *dimensions
	// CloseWorld makes what is not known false, as a complete observation does.
	CloseWorld bool
}

// anchor is where an agent stands.
type anchor struct {
	agent, at Object
}

// dimensions numbers the exclusive dimensions of states.
type dimensions struct {
	slot  map[ontology.TermID]int32
	order []ontology.TermID
}

func newDimensions(o *ontology.Ontology) *dimensions {
	d := &dimensions{slot: map[ontology.TermID]int32{}}
	for i := range o.Terms {
		c := o.Dimension(ontology.TermID(i))
		if _, ok := d.slot[c]; c != ontology.None && !ok {
			d.order = append(d.order, c)
			d.slot[c] = int32(len(d.order))
		}
	}
	return d
}

// New is a state in which nothing is known.
func New(objects *Objects) *State {
	return &State{Objects: objects, dims: objects.dims}
}

// Clone is an independent copy that shares the table of objects.
func (s *State) Clone() *State {
	c := &State{Objects: s.Objects, dims: s.dims, CloseWorld: s.CloseWorld,
		edges: slices.Clone(s.edges), anchors: slices.Clone(s.anchors), unsure: slices.Clip(s.unsure), objs: slices.Clone(s.objs)}
	for i := range c.objs {
		c.objs[i].vals = slices.Clone(c.objs[i].vals)
	}
	return c
}

// On is an independent copy that speaks of another table of the same objects.
func (s *State) On(objects *Objects) *State {
	c := s.Clone()
	c.Objects = objects
	return c
}

// Slots is the number of fluents of an object.
func (s *State) Slots() int32 { return int32(len(s.dims.order)) + 1 }

// SlotOf is the slot of a state's dimension, or -1 for a term that is no state.
func (s *State) SlotOf(st ontology.TermID) int32 {
	if slot, ok := s.dims.slot[s.Objects.Onto.Dimension(st)]; ok {
		return slot
	}
	return -1
}

func (s *State) grow(x Object) *object {
	for int(x) >= len(s.objs) {
		s.objs = append(s.objs, object{})
	}
	o := &s.objs[x]
	if o.vals == nil {
		o.vals = slices.Repeat([]Value{unknownValue}, int(s.Slots()))
	}
	return o
}

// Get is the value of a fluent.
func (s *State) Get(f Fluent) Value {
	if f.Obj < 0 || f.Slot < 0 || int(f.Obj) >= len(s.objs) || s.objs[f.Obj].vals == nil {
		return unknownValue
	}
	return s.objs[f.Obj].vals[f.Slot]
}

// Is reports whether the value of an object's state is that state itself: of none, and
// of one that only implies it, it is not.
func (s *State) Is(x Object, st ontology.TermID) bool {
	return st != ontology.None && s.Get(Fluent{x, s.SlotOf(st)}).Term == st
}

// IsLeftOn reports whether an object is in the running state though it must not be left
// so, unless wanted says of it that the goal asks for that.
func (s *State) IsLeftOn(x Object, wanted func(Object, ontology.TermID) bool) bool {
	roles := &s.Objects.Onto.Roles
	return s.Objects.HasProperty(x, roles.Hazardous) && s.Is(x, roles.Running) && !wanted(x, roles.Running)
}

// LeftOn lists the objects that IsLeftOn holds of.
func (s *State) LeftOn(wanted func(Object, ontology.TermID) bool) []Object {
	var out []Object
	for x := range Object(len(s.Objects.Items)) {
		if s.IsLeftOn(x, wanted) {
			out = append(out, x)
		}
	}
	return out
}

// Place is where an object is.
func (s *State) Place(x Object) Value { return s.Get(Fluent{x, PlaceSlot}) }

// Set gives a fluent a value. A value that says the same keeps its step.
func (s *State) Set(f Fluent, v Value) {
	if f.Slot < 0 {
		return // no state of the ontology
	}
	o := s.grow(f.Obj)
	if old := o.vals[f.Slot]; old.Same(v) && old.Status != Unknown {
		v.Since = old.Since
		v.Status = max(v.Status, old.Status)
	} else {
		o.changed = true
	}
	o.vals[f.Slot] = v
}

// SetState puts an object in a state.
func (s *State) SetState(x Object, st ontology.TermID, status Status, step int32) {
	if slot := s.SlotOf(st); slot > 0 {
		s.Set(Fluent{x, slot}, Value{st, Nothing, status, step})
	}
}

// SetPlace moves an object; its other relations are forgotten when it really moves.
func (s *State) SetPlace(x Object, relation ontology.TermID, at Object, status Status, step int32) {
	if s.inside(at, x) {
		return // nothing contains itself
	}
	if old := s.Place(x); old.At != at {
		s.dropEdges(x)
	}
	s.Set(Fluent{x, PlaceSlot}, Value{relation, at, status, step})
}

// inside reports whether x is container or lies in it through known places.
func (s *State) inside(x, container Object) bool {
	for range len(s.Objects.Items) + 1 {
		if x == container {
			return true
		}
		if x = s.Place(x).At; x == Nothing {
			return false
		}
	}
	return false
}

// Forget makes a fluent unknown.
func (s *State) Forget(f Fluent, step int32) {
	if f.Slot < 0 {
		return
	}
	v := unknownValue
	v.Since = step
	s.grow(f.Obj).vals[f.Slot] = v
	if f.Slot == PlaceSlot {
		s.dropEdges(f.Obj)
	}
}

// Gone reports whether an object no longer exists, as bread that was sliced.
func (s *State) Gone(x Object) bool { return x >= 0 && int(x) < len(s.objs) && s.objs[x].gone }

// Remove ends the existence of an object.
func (s *State) Remove(x Object, step int32) {
	s.grow(x).gone = true
	s.Forget(Fluent{x, PlaceSlot}, step)
}

// Restore makes an object exist again, as when it is seen after all.
func (s *State) Restore(x Object) { s.grow(x).gone = false }

func (s *State) dropEdges(x Object) {
	s.edges = slices.DeleteFunc(s.edges, func(e Edge) bool { return e.Subject == x || e.Object == x })
}

// ForgetHeld lets it be unknown whether a gripper holds anything, until something is put
// into it or somebody looks: see KnowHeld.
func (s *State) ForgetHeld(gripper Object) {
	if !slices.Contains(s.unsure, gripper) {
		s.unsure = append(slices.Clip(s.unsure), gripper)
	}
}

// KnowHeld lets what grippers hold be what is known to be in them.
func (s *State) KnowHeld() { s.unsure = nil }

// AddEdge records a relation that is not a place, with its inverse.
func (s *State) AddEdge(x Object, relation ontology.TermID, y Object) {
	s.addEdge(Edge{x, relation, y})
	if s.Objects.Onto.Symmetric(relation) {
		s.addEdge(Edge{y, relation, x})
	}
	if inv := s.Objects.Onto.Inverse(relation); inv != ontology.None {
		s.addEdge(Edge{y, inv, x})
	}
}

func (s *State) addEdge(e Edge) {
	if !slices.Contains(s.edges, e) {
		s.edges = append(s.edges, e)
	}
}

// RemoveEdge forgets a relation that is not a place.
func (s *State) RemoveEdge(e Edge) {
	s.edges = slices.DeleteFunc(s.edges, func(f Edge) bool { return f == e })
}

// HasEdge reports whether a relation that is not a place is recorded.
func (s *State) HasEdge(x Object, relation ontology.TermID, y Object) bool {
	return slices.Contains(s.edges, Edge{x, relation, y})
}

// Edges lists the recorded relations that are not places. It must not be changed.
func (s *State) Edges() []Edge { return s.edges }

// DropViewEdges forgets relations that depend on the camera.
func (s *State) DropViewEdges() {
	s.edges = slices.DeleteFunc(s.edges, func(e Edge) bool { return s.Objects.Onto.ViewDependent(e.Relation) })
}

// Anchor is what an agent last moved to, or Nothing.
func (s *State) Anchor(agent Object) Object {
	for _, a := range s.anchors {
		if a.agent == agent {
			return a.at
		}
	}
	return Nothing
}

// SetAnchor moves an agent to an object.
func (s *State) SetAnchor(agent, at Object) {
	for i := range s.anchors {
		if s.anchors[i].agent == agent {
			s.anchors[i].at = at
			return
		}
	}
	s.anchors = append(s.anchors, anchor{agent, at})
}

// Held lists what is in a gripper, in table order.
func (s *State) Held(gripper Object) []Object {
	var out []Object
	for i := range s.objs {
		if s.Place(Object(i)).At == gripper && gripper != Nothing {
			out = append(out, Object(i))
		}
	}
	return out
}

// Contents lists what lies directly in or on an object.
func (s *State) Contents(x Object) []Object { return s.Held(x) }

// Support is the outermost thing an object is in or on, itself where its place
// is unknown.
func (s *State) Support(x Object) Object {
	for range len(s.Objects.Items) + 1 {
		at := s.Place(x).At
		if at == Nothing {
			return x
		}
		x = at
	}
	return x
}

// CopyEdges takes over the relations of another state that are not places.
func (s *State) CopyEdges(from *State) { s.edges = append(s.edges[:0], from.edges...) }

// Settle forgets which objects changed.
func (s *State) Settle() {
	for i := range s.objs {
		s.objs[i].changed = false
	}
}

// Changed reports whether an object changed since Settle.
func (s *State) Changed(x Object) bool { return int(x) < len(s.objs) && s.objs[x].changed }
