package fact

import (
	"github.com/mishap-robotics/mishap/engine/internal/state"
	"github.com/mishap-robotics/mishap/ontology"
	"github.com/mishap-robotics/mishap/ontology/decimal"
)

// beforeQuantities is the slot before the first that is looked at.
func (s *Scan) beforeQuantities() int32 {
	final := s.index.Trace.Final
	switch {
	case final == nil:
		return 0
	case s.args[2] == Any:
		return final.StateSlots() - 1
	}
	return final.QuantitySlot(ontology.TermID(s.args[2])) - 1
}

// nextValue goes on to the next value that a quantity of an object is believed to have.
func (s *Scan) nextValue() bool {
	for {
		if s.history != nil && s.advance() {
			v := s.valueAt()
			if v == nil || v.Status == state.Unknown {
				continue
			}
			high, low := v.Number.Words()
			if s.args[3] != Any && (s.args[3] != high || s.args[4] != low) {
				continue
			}
			s.own = [maxArity]int32{s.step, s.index.objects[s.object], int32(v.Term), high, low}
			s.pos = uint64(s.object)<<48 | uint64(s.slot)<<40 | uint64(uint32(s.step))<<8
			return true
		}
		if !s.nextQuantity() {
			return false
		}
	}
}

// nextQuantity goes on to the next quantity of an object, the next object's after the
// last.
func (s *Scan) nextQuantity() bool {
	final := s.index.Trace.Final
	if final == nil {
		return false
	}
	slots := final.Slots()
	if s.args[2] != Any {
		if slots = final.QuantitySlot(ontology.TermID(s.args[2])) + 1; slots == 0 {
			return false
		}
	}
	for s.object < s.objects {
		if of := s.index.Trace.History.After(state.Object(s.object), s.slot); len(of) > 0 && of[0].Slot < slots {
			s.slot, s.history, s.at = of[0].Slot, of[0].Entries, 0
			s.rewind(0)
			return true
		}
		s.object++
		s.slot, s.history = s.beforeQuantities(), nil
	}
	return false
}

// nextTime goes on to the next step of which the time is known.
func (s *Scan) nextTime() bool {
	t := s.index.Trace
	for s.advance() {
		at, known := t.TimeOf(s.step)
		if e := t.Event(s.step); s.pred == predUntil && e != nil {
			at = e.Until
		} else if s.pred == predUntil {
			known = false // what comes before the first step is no step
		}
		if known && s.tellNumber(1, at) {
			s.own[0], s.pos = s.step, uint64(uint32(s.step))
			return true
		}
	}
	return false
}

// tellSince puts into the row since when the value that the scan is at holds; it is false
// where that is not known, or not what is asked for.
func (s *Scan) tellSince() bool {
	v := s.valueAt()
	at, known := s.index.Trace.TimeOf(v.Since)
	return known && s.tellNumber(3, at)
}

// tellNumber puts a number into two columns of the row; it is false where another is asked
// for.
func (s *Scan) tellNumber(column int, d decimal.Decimal) bool {
	high, low := d.Words()
	s.own[column], s.own[column+1] = high, low
	return s.args[column] == Any || s.args[column] == high && s.args[column+1] == low
}
