package planfault

import (
	"iter"
	"slices"

	"github.com/mishap-robotics/mishap/engine/internal/state"
)

// near visits the indexes below a bound, those close to the fault first, while the share
// of the edits of a kind lasts.
func (s *search) near(until int) iter.Seq[int] {
	return func(yield func(int) bool) {
		visit := func(i int) bool { return i < 0 || i >= until || !s.exhausted() && yield(i) }
		if !visit(s.k) {
			return
		}
		for away := 1; away <= max(s.k, until-1-s.k); away++ {
			if !visit(s.k-away) || !visit(s.k+away) {
				return
			}
		}
	}
}

// deletions leave an action out.
func (s *search) deletions() {
	for i := range s.near(min(s.k+1, len(s.seq))) {
		fault := s.k - 1
		if i == s.k {
			fault = -2
		}
		s.try(Edit{Kind: Delete, At: i, Call: s.seq[i].Call, First: i, Last: i}, inTurn(s.seq[i+1:]), i, fault, true)
	}
}

// moves puts an action elsewhere; the place blamed is where it stands now.
func (s *search) moves() {
	for i := range s.near(len(s.seq)) {
		for j := range s.near(len(s.seq) + 1) {
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
	for i := range s.near(min(s.k+1, len(s.seq))) {
		c := s.seq[i].Call
		for _, old := range []state.Object{c.Target, c.Destination} {
			for _, to := range s.problem.Objects {
				if s.exhausted() || old == state.Nothing || to == c.Target || to == c.Destination {
					continue // nothing goes into itself
				}
				s.replacement(i, i+1, old, to)
				s.replacement(i, len(s.seq), old, to)
			}
		}
	}
}

func (s *search) replacement(from, until int, old, to state.Object) {
	edited := replaced(s.seq[from:], until-from, old, to)
	s.try(Edit{Kind: Replace, At: from, Call: replace(s.seq[from].Call, old, to), Old: old, New: to, First: from, Last: from,
		Throughout: until > from+1}, edited, from, s.k, true)
}

// swaps exchange two objects throughout, where the goal is missed: what was put here belongs
// there, and the other way round. The place blamed is the first at which one is put
// somewhere.
func (s *search) swaps() {
	if !s.goalMissed() {
		return
	}
	put := s.placed(func(c state.Call) state.Object { return c.Target })
	at := s.placed(func(c state.Call) state.Object { return c.Destination })
	for _, some := range [][]state.Object{put, at} {
		for i, a := range some {
			for _, b := range some[i+1:] {
				s.swap(a, b)
			}
		}
	}
}

// placed lists an object of each action that puts one somewhere, each once.
func (s *search) placed(of func(state.Call) state.Object) []state.Object {
	var out []state.Object
	for i := range s.seq {
		c := s.seq[i].Call
		if x := of(c); c.Target != state.Nothing && c.Destination != state.Nothing && !slices.Contains(out, x) {
			out = append(out, x)
		}
	}
	return out
}

func (s *search) swap(a, b state.Object) {
	if s.exhausted() {
		return
	}
	involves := func(c TimedCall) bool {
		return slices.Contains([]state.Object{a, b}, c.Call.Target) || slices.Contains([]state.Object{a, b}, c.Call.Destination)
	}
	puts := func(c TimedCall) bool { return involves(c) && c.Call.Destination != state.Nothing }
	from, at := slices.IndexFunc(s.seq, involves), slices.IndexFunc(s.seq, puts)
	old, to := a, b
	if c := s.seq[at].Call; c.Target == b || c.Destination == b {
		old, to = b, a
	}
	s.try(Edit{Kind: Replace, At: at, Call: exchange(s.seq[at].Call, a, b), Old: old, New: to, First: at, Last: at, Throughout: true, Swap: true}, swapped(s.seq[from:], a, b), from, s.k, true)
}

// exchanges put another action, with the same objects, in the place of one that comes to
// nothing: it cannot be carried out, or what it brings about is so already. Of an action that
// cannot be executed it is one before that.
func (s *search) exchanges() {
	till := s.k
	if s.goalMissed() {
		till = min(s.k+1, len(s.seq))
	}
	for i := range s.near(till) {
		c := s.seq[i].Call
		if s.exhausted() || s.problem.isBetween(c) || !slices.Contains(s.base.Idle, i) && !slices.Contains(s.base.Failing, i) {
			continue
		}
		for _, a := range s.problem.Start.Objects.Onto.Actions {
			other := c
			if other.Schema = a; a.OnlyTold || a.Family == c.Schema.Family || s.problem.isBetween(other) || a.Params != c.Schema.Params {
				continue
			}
			edited := TimedCall{other, s.seq[i].At, s.seq[i].From}
			s.try(Edit{Kind: Exchange, At: i, Call: other, First: i, Last: i}, inTurn([]TimedCall{edited}, s.seq[i+1:]), i, s.k, true)
		}
	}
}

// insertions try every action that can be executed at a place and changes
// something.
func (s *search) insertions() {
	for i := s.k; i >= 0 && !s.exhausted(); i-- {
		at, kind := int32(0), Append
		if i < len(s.seq) {
			at, kind = s.seq[i].At, Insert
		}
		for _, c := range s.problem.applicable(s.prefix[i]) {
			if s.exhausted() {
				break
			}
			s.try(Edit{Kind: kind, At: i, Call: c, First: i, Last: i}, inTurn([]TimedCall{{c, at, at}}, s.seq[i:]), i, s.k+1,
				s.problem.stands(s.prefix[i], c))
		}
	}
}

// inTurn goes through parts of a sequence one after the other.
func inTurn(parts ...[]TimedCall) iter.Seq[TimedCall] {
	return func(yield func(TimedCall) bool) {
		for _, part := range parts {
			for _, c := range part {
				if !yield(c) {
					return
				}
			}
		}
	}
}

// changed goes through a sequence with other calls.
func changed(seq []TimedCall, to func(i int, c state.Call) state.Call) iter.Seq[TimedCall] {
	return func(yield func(TimedCall) bool) {
		for i, c := range seq {
			if c.Call = to(i, c.Call); !yield(c) {
				return
			}
		}
	}
}

// moved is a sequence with its action i before j, from the first of the two on.
func moved(seq []TimedCall, i, j int) iter.Seq[TimedCall] {
	if i < j {
		return inTurn(seq[i+1:j], seq[i:i+1], seq[j:])
	}
	return inTurn(seq[i:i+1], seq[j:i], seq[i+1:])
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

// replaced is a sequence with an object in the place of another in the first so many of
// its actions.
func replaced(seq []TimedCall, n int, old, to state.Object) iter.Seq[TimedCall] {
	return changed(seq, func(i int, c state.Call) state.Call {
		if i >= n {
			return c
		}
		return replace(c, old, to)
	})
}

// replace is a call with an object in the place of another.
func replace(c state.Call, old, to state.Object) state.Call {
	for _, x := range []*state.Object{&c.Target, &c.Destination} {
		if *x == old {
			*x = to
		}
	}
	return c
}

// swapped is a sequence with each of two objects in the place of the other.
func swapped(seq []TimedCall, a, b state.Object) iter.Seq[TimedCall] {
	return changed(seq, func(_ int, c state.Call) state.Call { return exchange(c, a, b) })
}

// exchange is a call with each of two objects in the place of the other.
func exchange(c state.Call, a, b state.Object) state.Call {
	for _, x := range []*state.Object{&c.Target, &c.Destination} {
		switch *x {
		case a:
			*x = b
		case b:
			*x = a
		}
	}
	return c
}
