package fact

import "math"

func (s *Scan) openTable(t *table, args []int32) {
	s.table, s.numbers = t, found{}
	s.next, s.indexed = (*Scan).nextRow, false
	s.n, s.end = t.base, t.end
	mask := 0
	for i, a := range args {
		if a != Any && (i > 0 || !t.ascending) {
			mask |= 1 << i
		}
	}
	switch {
	case s.n == s.end:
		s.next = (*Scan).nothing
	case mask != 0 && (args[0] == Any || !t.ascending):
		s.openIndexed(args, mask)
	case t.ascending && s.low > math.MinInt32:
		if s.before != t {
			s.before, s.near = t, t.end
		}
		s.n = t.sinceFrom(s.near, s.low)
		s.near = s.n
		if last := s.n + manyRows; mask != 0 && last < s.end && t.first(last) <= s.high {
			s.openIndexed(args, mask)
		}
	}
}

// manyRows of a step are looked up in an index, which takes room, fewer gone through.
const manyRows = 48

// openIndexed begins a walk over the rows that an index has of what is bound.
func (s *Scan) openIndexed(args []int32, mask int) {
	t := s.table
	x := t.index(mask)
	s.numbers = x.find(x.key(args))
	s.n, s.end, s.indexed = 0, int32(s.numbers.len()), true
	if t.ascending && s.low > math.MinInt32 {
		s.n = t.position(s.numbers, s.low)
	}
	s.next = (*Scan).nextIndexed
}

// First leaves of a walk that is open the facts of the first step that has any, where that
// can be told at once.
func (s *Scan) First() {
	if s.table == nil || !s.table.ascending || !s.Next() {
		return
	}
	s.n, s.high = s.n-1, s.row[0]
}

// Last leaves of a walk that is open the facts of the last step that has any, where that can
// be told at once.
func (s *Scan) Last() {
	t := s.table
	if t == nil || !t.ascending {
		return
	}
	if s.high < math.MaxInt32 {
		s.end = min(s.end, s.from(s.high+1))
	}
	for ; s.end > s.n; s.end-- {
		if n := s.number(s.end - 1); s.free || t.agrees(n, &s.args) {
			s.n = max(s.n, s.from(t.first(n)))
			return
		}
	}
}

// Ascends reports whether the steps of a walk that is open never fall.
func (s *Scan) Ascends() bool { return s.table != nil && s.table.ascending }

// number is that of a row of the walk.
func (s *Scan) number(n int32) int32 {
	if s.indexed {
		return s.numbers.at(n)
	}
	return n
}

// from is where rows of a step or later ones begin in the walk.
func (s *Scan) from(step int32) int32 {
	if s.indexed {
		return s.table.position(s.numbers, step)
	}
	return s.table.since(step)
}

func (s *Scan) nextRow() bool {
	t := s.table
	for ; s.n < s.end; s.n++ {
		first := t.first(s.n)
		if first > s.high {
			if t.ascending {
				return false
			}
			continue
		}
		if first >= s.low && (s.free || t.agrees(s.n, &s.args)) {
			s.row, s.pos = t.row(s.n, &s.own), uint64(s.n)
			s.n++
			return true
		}
	}
	return false
}

func (s *Scan) nextIndexed() bool {
	t := s.table
	for ; s.n < s.end; s.n++ {
		n := s.numbers.at(s.n)
		first := t.first(n)
		if first > s.high {
			if t.ascending {
				return false
			}
			continue
		}
		if first >= s.low && t.agrees(n, &s.args) {
			s.row, s.pos = t.row(n, &s.own), uint64(n)
			s.n++
			return true
		}
	}
	return false
}
