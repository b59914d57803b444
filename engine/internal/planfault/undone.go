package planfault

import (
	"slices"

	"github.com/mishap-robotics/mishap/engine/internal/state"
)

// maxUndoing is how many actions at the end of a sequence are looked at as those that undo
// what was reached before them.
const maxUndoing = 4

// undoing finds the actions that undo a goal which a sequence had reached before its end,
// as edits that leave them out, in the order of their places. What does no harm among them
// stays.
func (p *Problem) undoing(seq []TimedCall) []Edit {
	base, states := p.carriedOut(seq)
	from, acts := len(seq), 0
	for i := len(seq) - 1; i > 0; i-- {
		if !p.isBetween(seq[i].Call) {
			if acts++; acts > maxUndoing {
				return nil
			}
		}
		if met, all := p.Goal(states[i]); met == all {
			from = i
			break
		}
	}
	var out []Edit
	for i := from; i < len(seq); i++ {
		if !p.isBetween(seq[i].Call) {
			out = append(out, Edit{Kind: Delete, At: i, Call: seq[i].Call, First: i, Last: i})
		}
	}
	if len(out) == 0 {
		return nil
	}
	harm, _ := slices.BinarySearch(base.Failing, from) // those before it fail as they did
	without := func(left []Edit) bool {
		return p.holdsWithout(states[from].Clone(), seq[from:], from, left, len(base.Failing)-harm, base.Hazards)
	}
	if !without(out) {
		return nil
	}
	for i := 0; i < len(out) && len(out) > 1; {
		if fewer := slices.Delete(slices.Clone(out), i, i+1); without(fewer) {
			out = fewer
		} else {
			i++
		}
	}
	return out
}

// holdsWithout reports whether the rest of a sequence, from an index on, before which a
// state holds, reaches the goal without some of its actions, with no more that fails and no
// more left on than before.
func (p *Problem) holdsWithout(s *state.State, rest []TimedCall, from int, left []Edit, failing, hazards int) bool {
	edited := slices.Clone(rest)
	for _, e := range slices.Backward(left) {
		edited = slices.Delete(edited, e.At-from, e.At-from+1)
	}
	r, _ := p.runFrom(s, slices.Values(edited), from, func(int) bool { return true })
	return r.Met == r.All && len(r.Failing) <= failing && r.Hazards <= hazards
}
