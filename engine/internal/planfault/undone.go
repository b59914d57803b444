package planfault

import "slices"

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
	if !p.holdsWithout(seq, out, base) {
		return nil
	}
	for i := 0; i < len(out) && len(out) > 1; {
		if fewer := slices.Delete(slices.Clone(out), i, i+1); p.holdsWithout(seq, fewer, base) {
			out = fewer
		} else {
			i++
		}
	}
	return out
}

// holdsWithout reports whether a sequence reaches the goal without some of its actions,
// with no more that fails and no more left on than before.
func (p *Problem) holdsWithout(seq []TimedCall, left []Edit, base Result) bool {
	edited := slices.Clone(seq)
	for _, e := range slices.Backward(left) {
		edited = slices.Delete(edited, e.At, e.At+1)
	}
	r := p.Run(edited)
	return len(left) > 0 && r.Met == r.All && len(r.Failing) <= len(base.Failing) && r.Hazards <= base.Hazards
}
