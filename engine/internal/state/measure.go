package state

import (
	"github.com/mishap-robotics/mishap/ontology"
	"github.com/mishap-robotics/mishap/ontology/decimal"
)

// Amount is how much a quantity is.
type Amount struct {
	Quantity ontology.TermID
	Number   decimal.Decimal
}

// amountOf finds a quantity among amounts.
func amountOf(amounts []Amount, quantity ontology.TermID) (decimal.Decimal, bool) {
	for _, a := range amounts {
		if a.Quantity == quantity {
			return a.Number, true
		}
	}
	return 0, false
}

// measured is how much a quantity of an object or of the action is.
func (q Query) measured(x Object, ofAction bool, quantity ontology.TermID) (decimal.Decimal, Status) {
	if ofAction {
		n, ok := amountOf(q.Given, quantity)
		if !ok {
			return 0, Unknown
		}
		return n, Observed
	}
	f := Fluent{x, q.State.QuantitySlot(quantity)}
	if x == Nothing || f.Slot < 0 {
		return 0, Unknown
	}
	q.touch(f)
	v := q.State.Get(f)
	return v.Number, v.Status
}

// operand is what a quantity is compared with or changed by.
func (q Query) operand(m *ontology.Measure, b Binding) (decimal.Decimal, Status) {
	if m.Quantity == ontology.None {
		return m.Number, Observed
	}
	return q.measured(q.ref(m.Of, b).Object(), m.OfAction, m.Quantity)
}

// measures is the truth of a pattern that speaks of a quantity. What is not known is
// undecided, also of a state that is known as a whole.
func (q Query) measures(p *ontology.Pattern, x Object, b Binding) Truth {
	is, status := q.measured(x, p.Measure.SubjectIsAction, p.Predicate)
	to, known := q.operand(&p.Measure, b)
	if status = min(status, known); status == Unknown {
		return Undecided
	}
	return truth(holds(p.Measure.Operator, is, to, q.State.Objects.Onto.Quantity(p.Predicate)), status)
}

func holds(op ontology.Operator, is, to decimal.Decimal, q *ontology.Quantity) bool {
	switch op {
	case ontology.AtLeast:
		return is >= to-q.Tolerance
	case ontology.AtMost:
		return is <= to+q.Tolerance
	case ontology.MoreThan:
		return is > to+q.Tolerance
	case ontology.LessThan:
		return is < to-q.Tolerance
	}
	return q.Same(is, to)
}

// expandMeasure binds what the quantity of a pattern is compared with.
func (m *matching) expandMeasure(p *ontology.Pattern, so Truth) bool {
	if !p.ComparesObject() || !m.b.free(p.Measure.Of) {
		return m.settle(p, so)
	}
	v := p.Measure.Of.Var
	for _, x := range m.State.Objects.all() {
		if m.State.Gone(x) {
			continue
		}
		m.b[v] = ObjectRef(x)
		if !m.settle(p, so) {
			m.b[v] = Unbound
			return false
		}
	}
	m.b[v] = Unbound
	return true
}

// change carries out an effect on a quantity. What was not known becomes known only where
// it is set. It stays within the range of the quantity.
func (r *execution) change(e pendingEffect, x Object) []Change {
	quantity := e.pattern.Predicate
	q := r.Objects.Onto.Quantity(quantity)
	f := Fluent{x, r.QuantitySlot(quantity)}
	before := r.Get(f)
	is, status := e.amount, r.status
	if e.pattern.Measure.Operator != ontology.Sets {
		if before.Status == Unknown {
			return nil
		}
		by := e.amount
		if e.pattern.Measure.Operator == ontology.Decreases {
			by = -by
		}
		is, _ = decimal.Add(before.Number, by)
	}
	r.Set(f, Value{Term: quantity, At: Nothing, Status: status, Since: r.step, Number: min(max(is, q.Min), q.Max)})
	return r.changed(f, before, e.cause)
}

// amountOfEffect is by how much an effect changes a quantity, judged on the state before.
func (r *execution) amountOfEffect(p *ontology.Pattern, b Binding) (decimal.Decimal, bool) {
	n, status := r.query.operand(&p.Measure, b)
	return n, status != Unknown
}

// measuresAlready reports whether an effect on a quantity changes nothing.
func (r *execution) measuresAlready(e pendingEffect) bool {
	x := r.query.ref(e.pattern.Subject, e.binding).Object()
	is, status := r.Measured(x, e.pattern.Predicate)
	return status != Unknown && (e.pattern.Measure.Operator == ontology.Sets && is == e.amount || e.pattern.Measure.Operator != ontology.Sets && e.amount == 0)
}
