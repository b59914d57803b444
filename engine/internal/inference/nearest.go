package inference

import (
	"cmp"
	"slices"

	"github.com/mishap-robotics/mishap/engine/internal/fact"
	"github.com/mishap-robotics/mishap/ontology/decimal"
	"github.com/mishap-robotics/mishap/rules"
)

// maxNearest bounds how many facts are shown.
const maxNearest = 5

// nearest finds the facts that agree with a goal in all arguments but as few as
// possible; the first argument, often the step, is let go of last.
func nearest(x *fact.Index, u *Unproved, pred int, g *rules.Term) {
	pattern, bound := factPattern(x, pred, g)
	slices.Reverse(bound)
	for let := 1; let <= len(bound); let++ {
		for i := 0; i+let <= len(bound); i++ {
			rows := nearRows(x, pred, pattern, bound[i:i+let])
			for _, row := range rows[:min(len(rows), maxNearest)] {
				u.Nearest = append(u.Nearest, x.Term(pred, row))
				u.Origins = append(u.Origins, x.Origin(pred, row))
			}
			if len(rows) > 0 {
				return
			}
		}
	}
}

// factPattern is a goal as an index is asked for it, and which of its arguments have
// values.
func factPattern(x *fact.Index, pred int, g *rules.Term) (pattern []int32, bound []int) {
	pattern = make([]int32, fact.Width(pred))
	for i, a := range g.Args {
		known := factValue(x, fact.Kind(pred, i), new(frame).build(a), pattern[i:])
		if !known {
			loosen(pred, pattern, i)
		}
		if pattern[i] != fact.Any || !known {
			bound = append(bound, i)
		}
	}
	return pattern, bound
}

// loosen lets an argument of a pattern be anything.
func loosen(pred int, pattern []int32, arg int) {
	if pattern[arg] = fact.Any; fact.Kind(pred, arg) == rules.ValueArg {
		pattern[arg+1] = fact.Any
	}
}

// nearRows lists the facts that agree with a pattern but for some arguments, those
// nearest in steps and numbers first.
func nearRows(x *fact.Index, pred int, pattern []int32, but []int) [][]int32 {
	loose := slices.Clone(pattern)
	for _, i := range but {
		loosen(pred, loose, i)
	}
	var out [][]int32
	x.Match(pred, loose, func(row []int32) bool {
		out = append(out, slices.Clone(row))
		return true
	})
	away := func(row []int32) int64 {
		n := int64(0)
		for i := range fact.Width(pred) {
			switch {
			case i >= fact.Arity(pred) || pattern[i] == fact.Any:
			case fact.Kind(pred, i).Integer():
				n += int64(max(row[i]-pattern[i], pattern[i]-row[i])) * int64(decimal.One)
			case fact.Kind(pred, i) == rules.ValueArg:
				d := decimal.FromWords(row[i], row[i+1]) - decimal.FromWords(pattern[i], pattern[i+1])
				n += int64(max(d, -d)) / 2
			}
		}
		return n
	}
	slices.SortStableFunc(out, func(a, b []int32) int { return cmp.Compare(away(a), away(b)) })
	return out
}
