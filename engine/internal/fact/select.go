package fact

import (
	"math"
	"slices"

	"github.com/mishap-robotics/mishap/ontology/decimal"
	"github.com/mishap-robotics/mishap/rules"
)

// Select visits the facts of a predicate that agree with the arguments that have values, in
// a fixed order, until visit returns false; variables agree with anything, also where one
// stands twice. What the index can look up is not looked for among all facts. It reports
// whether there are such facts at all: those of Vocabulary.
func (x *Index) Select(of rules.Indicator, args []*rules.Term, visit func(args []*rules.Term) bool) (known bool) {
	pred, ok := Number(of)
	if !ok || len(args) != of.Arity {
		return false
	}
	pattern := make([]int32, Width(pred))
	for i, a := range args {
		if !x.agrees(Kind(pred, i), a, pattern[i:]) {
			return true
		}
	}
	var rows [][]int32 // all, so that a visit may do what it likes
	x.Match(pred, pattern, func(row []int32) bool {
		rows = append(rows, slices.Clone(row))
		return true
	})
	for _, row := range rows {
		if !visit(x.Term(pred, row).Args) {
			break
		}
	}
	return true
}

// Has reports whether there is a fact that agrees with a goal as Select has it. The scan is
// one that is not in use.
func (x *Index) Has(s *Scan, g *rules.Term) bool {
	pred, ok := Number(g.Indicator())
	if !ok {
		return false
	}
	var pattern [maxArity]int32
	for i, a := range g.Args {
		if !x.agrees(Kind(pred, i), a, pattern[i:]) {
			return false
		}
	}
	x.Open(s, pred, pattern[:Width(pred)], math.MinInt32, math.MaxInt32)
	return s.Next()
}

// agrees puts an argument into a pattern, of a decimal in two parts; it is false where no
// fact has it.
func (x *Index) agrees(kind rules.ArgKind, t *rules.Term, into []int32) (ok bool) {
	free := t == nil || t.Kind == rules.Variable
	switch {
	case kind == rules.ValueArg && free:
		into[0], into[1] = Any, Any
	case free:
		into[0] = Any
	case kind == rules.ValueArg:
		var d decimal.Decimal
		if d, ok = t.Number(); ok {
			into[0], into[1] = d.Words()
		}
		return ok
	case kind.Integer():
		into[0] = int32(t.Int)
		return t.Kind == rules.Integer && int64(into[0]) == t.Int
	case t.Kind == rules.Atom:
		into[0], ok = x.Symbol(t.Name)
		return ok
	default:
		return false
	}
	return true
}
