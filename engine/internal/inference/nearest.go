package inference

import (
	"slices"

	"github.com/mishap-robotics/mishap/engine/internal/fact"
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
				t := &rules.Term{Kind: rules.Compound, Name: g.Name}
				for i, v := range row {
					t.Args = append(t.Args, factArgument(x, fact.Kind(pred, i), v))
				}
				u.Nearest = append(u.Nearest, t)
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
	pattern = make([]int32, len(g.Args))
	for i, a := range g.Args {
		v, ok := factValue(x, fact.Kind(pred, i), new(frame).build(a))
		if !ok {
			v = fact.Any
		}
		pattern[i] = v
		if v != fact.Any || !ok {
			bound = append(bound, i)
		}
	}
	return pattern, bound
}

// nearRows lists the facts that agree with a pattern but for some arguments, those
// nearest in steps and numbers first.
func nearRows(x *fact.Index, pred int, pattern []int32, but []int) [][]int32 {
	loose := slices.Clone(pattern)
	for _, i := range but {
		loose[i] = fact.Any
	}
	var out [][]int32
	x.Match(pred, loose, func(row []int32) bool {
		out = append(out, slices.Clone(row))
		return true
	})
	away := func(row []int32) int {
		n := 0
		for i, v := range row {
			if fact.Kind(pred, i).Integer() && pattern[i] != fact.Any {
				n += int(max(v-pattern[i], pattern[i]-v))
			}
		}
		return n
	}
	slices.SortStableFunc(out, func(a, b []int32) int { return away(a) - away(b) })
	return out
}

// factArgument is an argument of a fact as a term.
func factArgument(x *fact.Index, kind rules.ArgKind, v int32) *rules.Term {
	if kind.Integer() {
		return &rules.Term{Kind: rules.Integer, Int: int64(v)}
	}
	return &rules.Term{Kind: rules.Atom, Name: x.Name(v)}
}
