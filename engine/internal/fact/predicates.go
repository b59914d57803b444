package fact

import (
	"math"

	"github.com/mishap-robotics/mishap/ontology"
)

// Predicates is a set of fact predicates, by number.
type Predicates [2]uint64

// The predicates fit into a set, with room for one that is none of them.
var _ [len(Predicates{})*64 - 1 - predOverdue]struct{}

// Every is the set of all predicates.
func Every() Predicates { return Predicates{math.MaxUint64, math.MaxUint64} }

// Add adds a predicate.
func (s *Predicates) Add(pred int) { s[pred>>6] |= 1 << (pred & 63) }

// Has reports whether the set has a predicate.
func (s *Predicates) Has(pred int) bool { return s[pred>>6]&(1<<(pred&63)) != 0 }

// Join adds those of another set.
func (s *Predicates) Join(o Predicates) {
	for i := range s {
		s[i] |= o[i]
	}
}

// Without are those that another set does not have.
func (s Predicates) Without(o Predicates) Predicates {
	for i := range s {
		s[i] &^= o[i]
	}
	return s
}

// Meet are those that another set has too.
func (s Predicates) Meet(o Predicates) Predicates {
	for i := range s {
		s[i] &= o[i]
	}
	return s
}

// Meets reports whether another set has one of them too.
func (s *Predicates) Meets(o *Predicates) bool { return s[0]&o[0]|s[1]&o[1] != 0 }

// None reports whether the set has no predicate.
func (s Predicates) None() bool { return s == Predicates{} }

// derived are the predicates whose facts stand in no table unless they are given: they are
// told from the trace when they are asked for.
var derived = func() (out Predicates) {
	for _, pred := range []int{predStep, predEnd, predTime, predUntil, predState, predFilled, predSince, predValue, predAt, predHolds, predWithin,
		predIsa, predProperty, predDeviates, predRelated, predPieceOf} {
		out.Add(pred)
	}
	return out
}()

// ofSteps are the predicates whose facts are each of a step, and do not come when that is
// over.
var ofSteps = func() (out Predicates) {
	for pred := range vocabulary {
		if Kind(pred, 0) == step && !Later(pred) {
			out.Add(pred)
		}
	}
	return out
}()

// kinds are the predicates whose facts only change where the table of objects does.
var kinds = func() (out Predicates) {
	for _, pred := range []int{predIsa, predProperty, predPieceOf} {
		out.Add(pred)
	}
	return out
}()

// IsKind reports whether a predicate says of what class an object is.
func IsKind(pred int) bool { return pred == predIsa }

// InRows reports whether the facts of a predicate are each of a step and in a table, and do not
// come when that step is over.
func InRows(pred int) bool { return ofSteps.Has(pred) && !derived.Has(pred) }

// MayBe reports whether an object may be of a class, by its number; where it is false, none is.
func (x *Index) MayBe(class int64) bool {
	return x.given || class < 0 || class >= int64(len(x.onto.Terms)) || x.Trace.Objects.MayHave(ontology.TermID(class))
}

// RowsAt visits the facts of a step that a table has, unless those are more than so many, or
// would have to be sought: then it is false, and visits some or none. The row must not be kept.
func (x *Index) RowsAt(pred int, step int32, most int, visit func(row []int32)) bool {
	t := &x.tables[pred]
	if !t.ascending {
		return false
	}
	var buffer row
	n := t.since(step)
	for last := n + int32(most); n < t.end && t.first(n) == step; n++ {
		if n == last {
			return false
		}
		visit(t.row(n, &buffer))
	}
	return true
}

// Known are the predicates that may have facts.
func (x *Index) Known() Predicates {
	var out Predicates
	if !x.given {
		out = derived
	}
	for pred := range x.tables {
		if t := &x.tables[pred]; t.end > t.base {
			out.Add(pred)
		}
	}
	return out
}

// KnownAt are the predicates that may have facts of a step, and all whose facts are of none.
func (x *Index) KnownAt(step int32) Predicates {
	out := Every().Without(ofSteps)
	if !x.given {
		out.Join(derived)
	}
	for pred := range x.tables {
		t := &x.tables[pred]
		if t.end == t.base || t.ascending && t.first(t.end-1) < step {
			continue
		}
		if !t.ascending || t.adding != nil && t.adding.latest.step == step {
			out.Add(pred)
		} else if n := t.since(step); n < t.end && t.first(n) == step {
			out.Add(pred)
		}
	}
	return out
}

// Changed are the predicates of which facts may have come or gone since it was asked last.
func (l *Live) Changed() Predicates {
	out := derived
	if r := l.Trace.Objects.Revision(); r == l.kinds {
		out = out.Without(kinds)
	} else {
		l.kinds = r
	}
	for pred := range l.tables {
		if now := l.tables[pred].changes; now != l.changes[pred] {
			out.Add(pred)
			l.changes[pred] = now
		}
	}
	return out
}
