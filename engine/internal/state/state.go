package state

import (
	"iter"
	"slices"

	"github.com/mishap-robotics/mishap/ontology"
	"github.com/mishap-robotics/mishap/ontology/decimal"
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

// Value is the value of a fluent: a state, a relation and what it is to, or how much a
// quantity is.
type Value struct {
	Term   ontology.TermID // of a measurement the quantity
	At     Object          // for places
	Status Status
	Since  int32           // step
	Number decimal.Decimal // of measurements, in the unit of the quantity
}

var unknownValue = Value{Term: ontology.None, At: Nothing}

// Same reports whether two values say the same, whatever they rest on.
func (v Value) Same(w Value) bool {
	if (v.Status == Unknown) != (w.Status == Unknown) {
		return false
	}
	return v.Status == Unknown || v.At == w.At && (v.Term == w.Term || v.At != Nothing) && v.Number == w.Number
}

// Fluent names what can change of an object: its place (slot 0), its state in one
// dimension, or a quantity.
type Fluent struct {
	Obj  Object
	Slot int32
}

// PlaceSlot is the slot of an object's place.
const PlaceSlot = 0

// State is the state of all objects at one moment. The zero value is not
// usable; see New. A copy costs what is changed in it: until then the two share what
// they know.
type State struct {
	Objects *Objects
	objects table
	edges   edges
	anchors []anchor // by agent; never changed in place
	unsure  []Object // grippers of which nobody knows whether they hold anything
	dims    *dimensions
	looped  bool            // something may lie in itself: places were given without asking
	moving  map[Object]bool // see Together; else nil
	// CloseWorld makes what is not known false, as a complete observation does.
	CloseWorld bool
	staged     int // parts of Objects.Stages that have come about
	// quiet is true where processes were let go on, changed nothing, and nothing was changed
	// since.
	quiet bool
}

// Stages are what is to come about in this order.
type Stages struct {
	Parts          [][]ontology.Pattern
	Bound          Binding // of their variables
	Agent, Gripper Object
}

// Staged is how many of the stages of the table have come about.
func (s *State) Staged() int { return s.staged }

// Advance notes the stages that have come about by now.
func (s *State) Advance() {
	g := s.Objects.Stages
	if g == nil {
		return
	}
	q := Query{State: s, Agent: g.Agent, Gripper: g.Gripper, Apart: true}
	for s.staged < len(g.Parts) {
		if got, _ := q.Best(g.Parts[s.staged], g.Bound); got < AssumedTrue {
			return
		}
		s.staged++
	}
}

// anchor is where an agent stands.
type anchor struct {
	agent, at Object
}

// dimensions numbers the exclusive dimensions of states.
type dimensions struct {
	slot  map[ontology.TermID]int32
	order []ontology.TermID
	// inferred is true by slot of those that no camera shows.
	inferred []bool
	states   int32 // slots of places and states; those of quantities come after
	quantity map[ontology.TermID]int32
	nearby   bool // some process asks who is near what
}

func newDimensions(o *ontology.Ontology) *dimensions {
	d := &dimensions{slot: map[ontology.TermID]int32{}, inferred: []bool{false}, quantity: map[ontology.TermID]int32{}}
	for i := range o.Terms {
		c := o.Dimension(ontology.TermID(i))
		if _, ok := d.slot[c]; c != ontology.None && !ok {
			d.order, d.inferred = append(d.order, c), append(d.inferred, o.Inferred(c))
			d.slot[c] = int32(len(d.order))
		}
	}
	d.states = int32(len(d.order)) + 1
	near := func(p ontology.Pattern) bool { return p.Predicate == o.Core.Near }
	for _, p := range o.Processes {
		d.nearby = d.nearby || slices.ContainsFunc(slices.Concat(p.When, slices.Concat(p.Unless...)), near)
	}
	for _, q := range o.Quantities {
		d.order, d.inferred = append(d.order, q.Term), append(d.inferred, false)
		d.quantity[q.Term] = int32(len(d.order))
	}
	return d
}

// New is a state in which nothing is known.
func New(objects *Objects) *State {
	return &State{Objects: objects, dims: objects.dims}
}

// Clone is an independent copy that shares the table of objects. Goroutines may copy a
// state that none of them changes.
func (s *State) Clone() *State {
	return &State{Objects: s.Objects, dims: s.dims, looped: s.looped, CloseWorld: s.CloseWorld, staged: s.staged, quiet: s.quiet,
		objects: s.objects.share(), edges: s.edges, anchors: s.anchors, unsure: slices.Clip(s.unsure)}
}

// On is an independent copy that speaks of another table of the same objects.
func (s *State) On(objects *Objects) *State {
	c := s.Clone()
	c.Objects, c.quiet = objects, false
	return c
}

// Slots is the number of fluents of an object.
func (s *State) Slots() int32 { return int32(len(s.dims.order)) + 1 }

// StateSlots is the number of them that are a place or a state.
func (s *State) StateSlots() int32 { return s.dims.states }

// QuantitySlot is the slot of a quantity, or -1 for a term that is none.
func (s *State) QuantitySlot(q ontology.TermID) int32 {
	if slot, ok := s.dims.quantity[q]; ok {
		return slot
	}
	return -1
}

// Measured is how much a quantity of an object is, and what that rests on.
func (s *State) Measured(x Object, quantity ontology.TermID) (decimal.Decimal, Status) {
	v := s.Get(Fluent{x, s.QuantitySlot(quantity)})
	return v.Number, v.Status
}

// SetMeasured lets a quantity of an object be so much. What was measured within the
// tolerance of what is known says the same.
func (s *State) SetMeasured(x Object, quantity ontology.TermID, number decimal.Decimal, status Status, step int32) {
	f := Fluent{x, s.QuantitySlot(quantity)}
	q := s.Objects.Onto.Quantity(quantity)
	if f.Slot < 0 || q == nil {
		return
	}
	if old := s.Get(f); status == Observed && old.Status != Unknown && q.Same(old.Number, number) {
		number = old.Number
	}
	s.Set(f, Value{Term: quantity, At: Nothing, Status: status, Since: step, Number: number})
}

// Inferred reports whether no camera shows the states of a slot.
func (s *State) Inferred(slot int32) bool { return s.dims.inferred[slot] }

// SlotOf is the slot of a state's dimension, or -1 for a term that is no state.
func (s *State) SlotOf(st ontology.TermID) int32 {
	if slot, ok := s.dims.slot[s.Objects.Onto.Dimension(st)]; ok {
		return slot
	}
	return -1
}

// Get is the value of a fluent.
func (s *State) Get(f Fluent) Value {
	o := s.objects.at(f.Obj)
	if o == nil || f.Slot < 0 {
		return unknownValue
	}
	return o.vals.get(f.Slot)
}

// Known visits what is known of an object, by slot.
func (s *State) Known(x Object) iter.Seq2[int32, Value] {
	return func(yield func(int32, Value) bool) {
		o := s.objects.at(x)
		if o == nil {
			return
		}
		for i := range o.vals {
			if v := &o.vals[i]; v.status != Unknown && !yield(int32(v.slot), v.value()) {
				return
			}
		}
	}
}

// IsAlike reports whether two states know the same of an object, but for what lies in or on
// it and its lasting relations.
func (s *State) IsAlike(t *State, x Object) bool {
	o, p := s.objects.at(x), t.objects.at(x)
	return o == p || o != nil && p != nil && o.gone == p.gone && slices.Equal(o.vals, p.vals)
}

// Knows reports whether anything is known of an object.
func (s *State) Knows(x Object) bool { return s.objects.at(x) != nil }

// SetLike puts an object of which nothing is known in the states that another is in, which is
// nowhere.
func (s *State) SetLike(x, other Object) {
	if of := s.objects.at(other); of != nil {
		o := s.change(x)
		o.vals, o.changed = append(make(values, 0, len(of.vals)+1), of.vals...), true // and its place
	}
}

// put gives a fluent a value as it is.
func (s *State) put(f Fluent, v Value) {
	o := s.change(f.Obj)
	was := o.vals.get(f.Slot)
	o.vals.set(f.Slot, v)
	if f.Slot == PlaceSlot && was.At != v.At {
		if v.At != Nothing {
			s.change(v.At)
		}
		s.objects.moved(f.Obj, was.At, v.At)
	}
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

// IsSettled reports whether an object is there, and is not only assumed to be where it is.
func (s *State) IsSettled(x Object) bool {
	o := s.objects.at(x)
	return o != nil && !o.gone && o.vals.get(PlaceSlot).Status != Assumed
}

// IsSeenAt reports whether an object is there, was observed to be in that place, and is believed
// to be there still: to see it there once more changes nothing.
func (s *State) IsSeenAt(e Edge) bool {
	o := s.objects.at(e.Subject)
	return o != nil && !o.gone && !s.looped && len(o.vals) > 0 && o.vals[0] == slotted{term: e.Relation, at: e.Object, status: Observed, since: o.vals[0].since, slot: PlaceSlot}
}

// Set gives a fluent a value. A value that says the same keeps its step.
func (s *State) Set(f Fluent, v Value) {
	if f.Slot < 0 {
		return // no state of the ontology
	}
	old := s.Get(f)
	alike := old.Same(v) && old.Status != Unknown
	if alike {
		v.Since = old.Since
		v.Status = max(v.Status, old.Status)
	}
	if alike && v == old {
		return
	}
	if f.Slot == PlaceSlot && v.At != old.At && !s.looped {
		s.looped = s.inside(v.At, f.Obj)
	}
	s.put(f, v)
	if !alike {
		s.change(f.Obj).changed = true
	}
}

// Replace gives a fluent a value in the place of what it was, as if that had never been.
func (s *State) Replace(f Fluent, v Value) {
	if v.Status == Unknown {
		v = unknownValue
	}
	if f.Slot == PlaceSlot && !s.looped {
		s.looped = s.inside(v.At, f.Obj)
	}
	s.put(f, v)
	s.change(f.Obj).changed = true
}

// SetState puts an object in a state.
func (s *State) SetState(x Object, st ontology.TermID, status Status, step int32) {
	if slot := s.SlotOf(st); slot > 0 {
		s.Set(Fluent{x, slot}, Value{Term: st, At: Nothing, Status: status, Since: step})
	}
}

// SetPlace moves an object; its other relations are forgotten when it really moves.
func (s *State) SetPlace(x Object, relation ontology.TermID, at Object, status Status, step int32) {
	old := s.Place(x)
	if (old.At != at || s.looped) && s.inside(at, x) {
		return // nothing contains itself
	}
	if old.At != at {
		s.dropEdges(x)
	}
	s.Set(Fluent{x, PlaceSlot}, Value{Term: relation, At: at, Status: status, Since: step})
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
	if s.Get(f) != v {
		s.put(f, v)
	}
	if f.Slot == PlaceSlot {
		s.dropEdges(f.Obj)
	}
}

// Gone reports whether an object no longer exists, as bread that was sliced.
func (s *State) Gone(x Object) bool {
	if o := s.objects.at(x); o != nil {
		return o.gone
	}
	return s.isMadeElsewhere(x)
}

// isMadeElsewhere reports whether an object of which a state knows nothing came about in
// another state, by an action that was carried out there.
func (s *State) isMadeElsewhere(x Object) bool {
	return x >= 0 && int(x) < len(s.Objects.Items) && s.Objects.Items[x].Made
}

// change is an object that may be changed.
func (s *State) change(x Object) *object {
	s.quiet = false
	unknown := s.objects.at(x) == nil
	o := s.objects.change(x)
	if unknown {
		o.gone = s.isMadeElsewhere(x)
	}
	return o
}

func (s *State) setGone(x Object, gone bool) {
	if s.Gone(x) != gone {
		s.change(x).gone = gone
	}
}

// Remove ends the existence of an object.
func (s *State) Remove(x Object, step int32) {
	s.setGone(x, true)
	s.Forget(Fluent{x, PlaceSlot}, step)
}

// Restore makes an object exist again, as when it is seen after all.
func (s *State) Restore(x Object) { s.setGone(x, false) }

// ForgetHeld lets it be unknown whether a gripper holds anything, until something is put
// into it or somebody looks: see KnowHeld.
func (s *State) ForgetHeld(gripper Object) {
	s.quiet = false
	if !slices.Contains(s.unsure, gripper) {
		s.unsure = append(slices.Clip(s.unsure), gripper)
	}
}

// KnowHeld lets what grippers hold be what is known to be in them.
func (s *State) KnowHeld() { s.unsure, s.quiet = nil, false }

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
	i := slices.IndexFunc(s.anchors, func(a anchor) bool { return a.agent == agent })
	s.anchors, s.quiet = slices.Clone(s.anchors), s.quiet && !s.dims.nearby
	if i < 0 {
		s.anchors = append(s.anchors, anchor{agent, at})
	} else {
		s.anchors[i].at = at
	}
}

// leave lets the agents that are at an object which another takes elsewhere stay where it was.
func (s *State) leave(x, was, taker Object) {
	for _, a := range s.anchors {
		if a.at == x && a.agent != taker {
			s.SetAnchor(a.agent, was)
		}
	}
}

// replaceAnchor moves the agents that are at one object to another.
func (s *State) replaceAnchor(from, to Object) {
	s.anchors, s.quiet = slices.Clone(s.anchors), s.quiet && !s.dims.nearby
	for i := range s.anchors {
		if s.anchors[i].at == from {
			s.anchors[i].at = to
		}
	}
}

// Held lists what is in a gripper, in table order.
func (s *State) Held(gripper Object) []Object { return s.objects.contents(gripper) }

// Contents lists what lies directly in or on an object, in table order.
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

// Settle forgets which objects changed.
func (s *State) Settle() {
	for x := range s.objects.all() {
		if s.objects.at(x).changed {
			s.change(x).changed = false
		}
	}
}

// Changed reports whether an object changed since Settle.
func (s *State) Changed(x Object) bool {
	o := s.objects.at(x)
	return o != nil && o.changed
}

// Differing visits, in table order, the objects of which two states know different
// things, and perhaps some of which they know the same. It costs what was changed since
// one was copied from the other.
func Differing(s, t *State) iter.Seq[Object] { return differing(&s.objects, &t.objects) }
