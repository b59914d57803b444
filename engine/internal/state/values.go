package state

import (
	"slices"

	"github.com/mishap-robotics/mishap/ontology"
	"github.com/mishap-robotics/mishap/ontology/decimal"
)

// values are those of the fluents of an object, in order of slots. Of most slots nothing is
// known, and there are none of those.
type values []slotted

// slotted is the value of a slot, in the room of a Value.
type slotted struct {
	term   ontology.TermID
	at     Object
	since  int32
	status Status
	slot   uint16 // an ontology has fewer terms
	number decimal.Decimal
}

func (s *slotted) value() Value {
	return Value{Term: s.term, At: s.at, Status: s.status, Since: s.since, Number: s.number}
}

func slottedOf(slot int32, v Value) slotted {
	return slotted{term: v.Term, at: v.At, since: v.Since, status: v.Status, slot: uint16(slot), number: v.Number}
}

// get is the value of a slot.
func (l values) get(slot int32) Value {
	for i := range l {
		if int32(l[i].slot) >= slot {
			if int32(l[i].slot) > slot {
				break
			}
			return l[i].value()
		}
	}
	return unknownValue
}

// set gives a slot a value.
func (l *values) set(slot int32, v Value) {
	i := 0
	for i < len(*l) && int32((*l)[i].slot) < slot {
		i++
	}
	switch {
	case i < len(*l) && int32((*l)[i].slot) == slot:
		(*l)[i] = slottedOf(slot, v)
	case v != unknownValue:
		if n := len(*l); n == cap(*l) { // most things have few
			*l = append(make(values, 0, n+2), *l...)
		}
		*l = slices.Insert(*l, i, slottedOf(slot, v))
	}
}
