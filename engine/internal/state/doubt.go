package state

import (
	"slices"

	"github.com/mishap-robotics/mishap/ontology"
)

// Doubt forgets what a call may have changed though nothing tells of what: where it leaves
// out a parameter that has a class, anything of that class, or of no known class, may be
// meant; and where it does not say of how much an effect is, that may be anything.
func (s *State) Doubt(c Call, step int32) {
	s.doubt(c, step, unsaid)
	for i, p := range c.Schema.Parameters {
		if p.Value || p.Class == ontology.None || c.parameter(i) != Nothing {
			continue
		}
		for _, x := range s.Objects.all() {
			if class := s.Objects.Class(x); !s.Gone(x) && (class == ontology.None || s.Objects.IsA(x, p.Class)) {
				s.doubt(c.with(i, x), step, nil)
			}
		}
	}
}

// unsaid reports whether an effect is of as much as the call was to say, and does not.
func unsaid(p *ontology.Pattern, c Call) bool {
	if !p.Measure.OfAction {
		return false
	}
	_, said := amountOf(c.Values, p.Measure.Quantity)
	return !said
}

// with is a call with an object for a parameter.
func (c Call) with(i int, x Object) Call {
	switch i {
	case 0:
		c.Target = x
	case 1:
		c.Destination = x
	default:
		c.Further = append(slices.Clone(c.Further), slices.Repeat([]Object{Nothing}, max(0, i-1-len(c.Further)))...)
		c.Further[i-2] = x
	}
	return c
}

// doubt forgets what the effects of a call would change, or those alone that only picks.
func (s *State) doubt(c Call, step int32, only func(p *ontology.Pattern, c Call) bool) {
	r := s.executing(c, Predicted, step)
	var forgotten []Fluent
	for _, e := range c.Schema.Effects {
		if c.Absent(e.When, e.Then, e.Ends) || c.Absent(e.Unless...) || only != nil && !slices.ContainsFunc(e.Then, func(p ontology.Pattern) bool { return only(&p, c) }) {
			continue
		}
		r.query.Each(e.When, c.Binding(), Undecided, func(b Binding) {
			for i := range e.Then {
				if only == nil || only(&e.Then[i], c) {
					forgotten = append(forgotten, r.mayChange(&e.Then[i], b)...)
				}
			}
			for i := range e.Ends {
				if only == nil {
					forgotten = append(forgotten, r.mayChange(&e.Ends[i], b)...)
				}
			}
		})
	}
	for _, f := range forgotten {
		s.Forget(f, step)
	}
}

// mayChange is the fluent that an effect would change, none where it has that value already.
func (r *execution) mayChange(p *ontology.Pattern, b Binding) []Fluent {
	core := &r.Objects.Onto.Core
	x, y := r.query.ref(p.Subject, b), r.query.ref(p.Object, b)
	if x.Object() == Nothing {
		return nil
	}
	f := Fluent{x.Object(), -1}
	switch {
	case p.Measure.Operator != ontology.NoOperator:
		f.Slot = r.QuantitySlot(p.Predicate)
		if n, known := r.amountOfEffect(p, b); known && r.measuresAlready(pendingEffect{pattern: *p, binding: b, amount: n}) {
			return nil
		}
	case p.Predicate == core.State:
		if f.Slot = r.SlotOf(y.Term()); f.Slot >= 0 && r.Get(f).Term == y.Term() {
			return nil
		}
	case r.Objects.Onto.IsSub(p.Predicate, core.Within):
		if f.Slot = PlaceSlot; r.Get(f).At == y.Object() {
			return nil
		}
	}
	if f.Slot < 0 {
		return nil
	}
	return []Fluent{f}
}
