package planfault

import (
	"slices"

	"github.com/mishap-robotics/mishap/engine/internal/state"
)

// near lists the indexes below a bound, those close to the fault first.
func (s *search) near(until int) []int {
	var out []int
	for i := range until {
		out = append(out, i)
	}
	slices.SortStableFunc(out, func(a, b int) int { return max(s.k-a, a-s.k) - max(s.k-b, b-s.k) })
	return out
}

// deletions leave an action out.
func (s *search) deletions() {
	for _, i := range s.near(min(s.k+1, len(s.seq))) {
		fault := s.k - 1
		if i == s.k {
			fault = -2
		}
		s.try(Edit{Kind: Delete, At: i, Call: s.seq[i].Call, First: i, Last: i}, without(s.seq, i), i, fault, true)
	}
}

// moves puts an action elsewhere; the place blamed is where it stands now.
func (s *search) moves() {
	for _, i := range s.near(len(s.seq)) {
		for _, j := range s.near(len(s.seq) + 1) {
			if i == j || i+1 == j || i > s.k && j > s.k {
				continue
			}
			e := Edit{Kind: Move, At: i, To: j, Call: s.seq[i].Call, First: min(i, j), Last: max(i, j)}
			s.try(e, moved(s.seq, i, j), e.First, whereMoved(s.k, i, j), true)
		}
	}
}

// replacements put another object in the place of one, in one action or in all
// from there on.
func (s *search) replacements() {
	for _, i := range s.near(min(s.k+1, len(s.seq))) {
		c := s.seq[i].Call
		for _, old := range []state.Object{c.Target, c.Destination} {
			for _, to := range s.problem.Objects {
				if old == state.Nothing || to == c.Target || to == c.Destination {
					continue // nothing goes into itself
				}
				s.replacement(i, i+1, old, to)
				s.replacement(i, len(s.seq), old, to)
			}
		}
	}
}

func (s *search) replacement(from, until int, old, to state.Object) {
	edited := replaced(s.seq, from, until, old, to)
	s.try(Edit{Kind: Replace, At: from, Call: edited[from].Call, Old: old, New: to, First: from, Last: from,
		Throughout: until > from+1}, edited, from, s.k, true)
}

// insertions try every action that can be executed at a place and changes
// something.
func (s *search) insertions() {
	for i := s.k; i >= 0; i-- {
		at, kind := int32(0), Append
		if i < len(s.seq) {
			at, kind = s.seq[i].At, Insert
		}
		for _, c := range s.problem.applicable(s.prefix[i]) {
			s.try(Edit{Kind: kind, At: i, Call: c, First: i, Last: i}, inserted(s.seq, i, TimedCall{c, at, at}), i, s.k+1,
				s.problem.stands(s.prefix[i], c))
		}
	}
}

func without(seq []TimedCall, i int) []TimedCall { return slices.Concat(seq[:i], seq[i+1:]) }

func inserted(seq []TimedCall, i int, c TimedCall) []TimedCall {
	return slices.Concat(seq[:i], []TimedCall{c}, seq[i:])
}

// moved is a sequence with its action i before j.
func moved(seq []TimedCall, i, j int) []TimedCall {
	if i < j {
		return slices.Concat(seq[:i], seq[i+1:j], seq[i:i+1], seq[j:])
	}
	return slices.Concat(seq[:j], seq[i:i+1], seq[j:i], seq[i+1:])
}

// whereMoved is where the action k stands once action i stands before j.
func whereMoved(k, i, j int) int {
	switch {
	case k == i && j > i:
		return j - 1
	case k == i:
		return j
	case i < k && j > k:
		return k - 1
	case i > k && j <= k:
		return k + 1
	}
	return k
}

// replaced is a sequence with an object in the place of another in some of its actions.
func replaced(seq []TimedCall, from, until int, old, to state.Object) []TimedCall {
	out := slices.Clone(seq)
	for i := from; i < until; i++ {
		if out[i].Call.Target == old {
			out[i].Call.Target = to
		}
		if out[i].Call.Destination == old {
			out[i].Call.Destination = to
		}
	}
	return out
}
