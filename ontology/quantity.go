package ontology

import (
	"fmt"
	"strings"

	"github.com/mishap-robotics/mishap/ontology/decimal"
)

// Quantity is what is measured of an object or an action: a temperature, a weight.
type Quantity struct {
	Term TermID
	Name string
	Unit Unit
	// Min and Max are the least and the greatest that it can be.
	Min, Max decimal.Decimal
	// Tolerance is by how much two measurements of the same may differ.
	Tolerance decimal.Decimal
}

// Quantity is what a term declares to be measured, nil where it is none.
func (o *Ontology) Quantity(t TermID) *Quantity {
	if t < 0 || int(t) >= len(o.quantityOf) || o.quantityOf[t] == 0 {
		return nil
	}
	return o.Quantities[o.quantityOf[t]-1]
}

// QuantityNamed finds a quantity by its name or a label.
func (o *Ontology) QuantityNamed(name string) *Quantity {
	if id, ok := o.byName[name]; ok && o.Quantity(id) != nil {
		return o.Quantity(id)
	}
	if ids := o.ByLabel(name, o.Core.Quantity); len(ids) > 0 {
		return o.Quantity(ids[0])
	}
	return nil
}

// QuantityHint asks whether the quantity nearest to an unknown one was meant.
func (o *Ontology) QuantityHint(name string) string {
	var names []string
	for _, q := range o.Quantities {
		names = append(names, q.Name)
	}
	return Hint(name, names)
}

// MeasuredBy is the quantity of the number that sensor events of a class come with, nil where
// neither the class nor a superclass measures one.
func (o *Ontology) MeasuredBy(event TermID) *Quantity {
	for _, id := range o.terms(event, "measures") {
		if q := o.Quantity(id); q != nil {
			return q
		}
	}
	return nil
}

// Read is a measurement in the unit of the quantity. The number is of that unit where none
// is named. The error says what was found and what is expected.
func (q *Quantity) Read(number float64, unit string) (decimal.Decimal, error) {
	if unit != "" {
		u, ok := UnitOf(unit)
		if !ok {
			return 0, fmt.Errorf("a %s in the unknown unit %q%s", q.Name, unit, unitHint(unit))
		}
		n, err := u.Convert(number, q.Unit)
		if err != nil {
			return 0, fmt.Errorf("a %s in %s: %w", q.Name, unit, err)
		}
		number = n
	}
	d, err := decimal.FromFloat(number)
	if err != nil {
		return 0, fmt.Errorf("a %s that is %w; expected a number from %s to %s", q.Name, err, q.Text(q.Min), q.Text(q.Max))
	}
	if d < q.Min || d > q.Max {
		return 0, fmt.Errorf("a %s of %s; expected one from %s to %s", q.Name, q.Text(d), q.Text(q.Min), q.Text(q.Max))
	}
	return d, nil
}

// Text writes a measurement with its unit.
func (q *Quantity) Text(d decimal.Decimal) string { return q.Unit.Text(d) }

// Same reports whether two measurements may be of the same.
func (q *Quantity) Same(a, b decimal.Decimal) bool { return max(a-b, b-a) <= q.Tolerance }

// DefaultValue is what a quantity of an instance of a class is until something tells
// otherwise, and whether the class or a superclass says so.
func (o *Ontology) DefaultValue(class TermID, q *Quantity) (decimal.Decimal, bool) {
	text, ok := o.text(class, q.Name)
	if !ok {
		return 0, false
	}
	d, err := decimal.Parse(text)
	return d, err == nil
}

// Operator tells what a pattern says of a quantity.
type Operator uint8

// The operators: the first five are conditions, the last three effects. A number alone is
// Equals in a condition and Sets in an effect.
const (
	NoOperator Operator = iota
	AtLeast
	AtMost
	MoreThan
	LessThan
	Equals
	Sets
	Increases
	Decreases
)

var operators = map[string]Operator{
	"atLeast": AtLeast, "atMost": AtMost, "moreThan": MoreThan, "lessThan": LessThan, "equals": Equals, "set": Sets, "increase": Increases, "decrease": Decreases,
}

// IsEffect reports whether an operator changes a quantity.
func (op Operator) IsEffect() bool { return op >= Sets }

func (op Operator) String() string {
	return [...]string{"", "at least", "at most", "more than", "less than", "equal to", "set to", "increased by", "decreased by"}[op]
}

// Measure is the third part of a pattern whose predicate is a quantity: an operator and
// what the quantity is compared with or changed by.
type Measure struct {
	Operator Operator
	Number   decimal.Decimal
	// Of and Quantity take the place of Number where Quantity is not None: the quantity of
	// an object, of the action itself where OfAction is true.
	Of       Arg
	OfAction bool
	Quantity TermID
	// SubjectIsAction is true where the pattern speaks of the action itself.
	SubjectIsAction bool
}

// ofAction is the action itself in a pattern.
const ofAction = "?action"

// readQuantities reads what is measured.
func (b *builder) readQuantities() {
	o := b.o
	o.quantityOf = make([]int32, len(o.Terms))
	for i := range o.Terms {
		id := TermID(i)
		if !o.HasType(id, o.Core.Quantity) {
			continue
		}
		q := &Quantity{Term: id, Name: o.Name(id), Min: -decimal.Max, Max: decimal.Max}
		b.readUnit(q)
		for _, limit := range []struct {
			property string
			into     *decimal.Decimal
		}{{"minimum", &q.Min}, {"maximum", &q.Max}, {"tolerance", &q.Tolerance}} {
			if text, ok := o.text(id, limit.property); ok {
				d, err := decimal.Parse(text)
				if err != nil {
					b.problem(o.Terms[id].Pos, false, "m:%s of %s is %q, %v; expected a number such as 9.5", limit.property, q.Name, text, err)
					continue
				}
				*limit.into = d
			}
		}
		if q.Min > q.Max {
			b.problem(o.Terms[id].Pos, false, "%s is at least %s and at most %s; expected m:minimum below m:maximum", q.Name, q.Text(q.Min), q.Text(q.Max))
		}
		if q.Tolerance < 0 {
			b.problem(o.Terms[id].Pos, false, "m:tolerance of %s is %s; expected 0 or more", q.Name, q.Tolerance.Short())
		}
		o.Quantities = append(o.Quantities, q)
		o.quantityOf[id] = int32(len(o.Quantities))
	}
	for i := range o.Terms {
		for _, q := range b.objects(b.subject(TermID(i)), "measures") {
			if o.Quantity(b.idOf(q)) == nil {
				b.problem(o.Terms[i].Pos, false, "m:measures of %s is %s, which is no quantity; expected one that is declared, as by m:force a m:Quantity ; m:unit \"N\"", o.Name(TermID(i)), localName(q.value))
			}
		}
	}
}

func (b *builder) readUnit(q *Quantity) {
	pos := b.o.Terms[q.Term].Pos
	units := b.objects(b.subject(q.Term), "unit")
	switch len(units) {
	case 0:
		b.problem(pos, false, "quantity %s has no m:unit; expected for example m:unit \"Cel\", or \"1\" where it is counted", q.Name)
	case 1:
		u, ok := UnitOf(units[0].value)
		if !ok {
			name := strings.TrimPrefix(units[0].value, qudtUnits)
			b.problem(pos, false, "unknown unit %q of %s%s", name, q.Name, unitHint(name))
		}
		q.Unit = u
	default:
		b.problem(pos, false, "quantity %s has %d units; expected one m:unit", q.Name, len(units))
	}
}

// measures reads the third part of a pattern whose predicate is a quantity: a number, or
// a blank node with operators.
func (r modelReader) measures(n node, sc *scope, pos Pos, q *Quantity) []Measure {
	if d, err := decimal.Parse(n.value); n.kind == literalNode && err == nil {
		r.checkRange(pos, q, d)
		return []Measure{{Operator: Equals, Number: d, Quantity: None}}
	}
	var out []Measure
	told := false
	for t := range r.of(n) {
		op, ok := operators[strings.TrimPrefix(t.p.value, Namespace)]
		if !ok || n.kind != blankNode {
			continue
		}
		told = true
		if m, ok := r.measure(t.o, sc, pos, q); ok {
			m.Operator = op
			out = append(out, m)
		}
	}
	if !told {
		r.problem(pos, false, "%s in a pattern takes a number, or for example [ m:atLeast 20 ]; found %q", q.Name, localName(n.value))
	}
	return out
}

func (r modelReader) measure(n node, sc *scope, pos Pos, q *Quantity) (Measure, bool) {
	if n.kind == literalNode {
		d, err := decimal.Parse(n.value)
		if err != nil {
			r.problem(pos, false, "%s is compared with %q, %v; expected a number such as 9.5, or a list such as ( \"?target\" m:%s )", q.Name, n.value, err, q.Name)
		}
		return Measure{Number: d, Quantity: None}, err == nil
	}
	parts := r.list(n)
	if len(parts) != 2 || r.o.Quantity(r.idOf(parts[1])) == nil {
		r.problem(pos, false, "%s is compared with what is no number; expected for example 9.5, or a list such as ( \"?target\" m:%s )", q.Name, q.Name)
		return Measure{}, false
	}
	m := Measure{Quantity: r.idOf(parts[1])}
	if of := r.o.Quantity(m.Quantity); of.Unit.UCUM != q.Unit.UCUM {
		r.problem(pos, false, "%s in %s is compared with %s in %s; expected quantities of one unit", q.Name, q.Unit.UCUM, of.Name, of.Unit.UCUM)
		return m, false
	}
	if m.OfAction = parts[0].value == ofAction; !m.OfAction {
		m.Of = r.arg(parts[0], sc, pos)
	}
	return m, true
}

// fitsPlace reports whether an operator may stand where it does: effects in m:then, and
// conditions elsewhere. A number alone is what the quantity becomes there.
func (r modelReader) fitsPlace(p *Pattern, property string) bool {
	m := &p.Measure
	if m.Operator == NoOperator {
		return true
	}
	q := r.o.Quantity(p.Predicate)
	switch effect := property == "then"; {
	case effect && m.Operator == Equals:
		m.Operator = Sets
	case effect && !m.Operator.IsEffect():
		r.problem(p.Pos, false, "m:then of %s says that it is %s; expected m:set, m:increase or m:decrease", q.Name, m.Operator)
		return false
	case effect && m.SubjectIsAction:
		r.problem(p.Pos, false, "m:then changes the %s of the action; expected that of an object", q.Name)
		return false
	case !effect && m.Operator.IsEffect():
		r.problem(p.Pos, false, "m:%s of %s says that it is %s; expected m:atLeast, m:atMost, m:moreThan, m:lessThan or m:equals", property, q.Name, m.Operator)
		return false
	}
	return true
}

// checkRange reports a number that a quantity never is.
func (r modelReader) checkRange(pos Pos, q *Quantity, d decimal.Decimal) {
	if d < q.Min || d > q.Max {
		r.problem(pos, false, "a %s of %s; expected one from %s to %s", q.Name, q.Text(d), q.Text(q.Min), q.Text(q.Max))
	}
}
