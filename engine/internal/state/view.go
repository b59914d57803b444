package state

import (
	"github.com/mishap-robotics/mishap/engine/scene"
	"github.com/mishap-robotics/mishap/ontology"
)

// States lists the states of an object that rest on more than an assumption and that can
// be seen.
func (s *State) States(x Object) []ontology.TermID {
	var out []ontology.TermID
	for slot := int32(1); slot < s.StateSlots(); slot++ {
		if v := s.Get(Fluent{Obj: x, Slot: slot}); v.Status > Assumed && !s.Inferred(slot) {
			out = append(out, v.Term)
		}
	}
	return out
}

// Readings lists how much the quantities of an object are, as far as is known.
func (s *State) Readings(x Object) scene.Readings {
	var out scene.Readings
	for _, q := range s.Objects.Onto.Quantities {
		if n, status := s.Measured(x, q.Term); status > Assumed {
			out = append(out, scene.Reading{Quantity: q.Name, Number: n.Float(), Unit: q.Unit.UCUM})
		}
	}
	return out
}

// HasState reports whether an object is in a state, as far as is known or assumed.
func (s *State) HasState(x Object, st ontology.TermID) bool {
	return s.Get(Fluent{Obj: x, Slot: s.SlotOf(st)}).Term == st
}

// Located is where an object is, and how; ok is false where that is nowhere, or only
// assumed.
func (s *State) Located(x Object) (relation ontology.TermID, at Object, ok bool) {
	v := s.Place(x)
	return v.Term, v.At, v.Status > Assumed
}

// ChangesNothing reports whether all that a call is to bring about holds already.
func (s *State) ChangesNothing(c Call) bool { return Idle(s.Clone().Apply(c, Observed, 0)) }

// Absent reports that what the action is about does not exist.
func (v *Violation) Absent() bool { return v.Name == Exists }
