package fact

import (
	"math"
	"math/bits"
	"slices"
	"sync"
	"sync/atomic"
)

// maxArity is the most arguments a fact predicate has.
const maxArity = 6

// table is the facts of one predicate, row after row. Rows have numbers that
// stay theirs when earlier rows are let go of.
type table struct {
	arity int8
	// ascending is true while the first arguments never fall, as those of steps
	// that are added in order: rows of a step are then found without an index.
	ascending bool
	start     int32 // number of the row that the chunks begin with
	base      int32 // number of the first row that is kept
	end       int32 // one past the number of the last row
	// chunks hold the rows, so that what is there need not move when more come. All
	// but the first have room for chunkRows from the start.
	chunks  []chunk
	adding  *adding                 // nil before the first row
	changes uint32                  // how often rows came or were taken back
	indexes atomic.Pointer[indexes] // nil where there are none; not changed once it is there
	shared  *shared
}

// adding is what rows are added with.
type adding struct {
	latest latest
}

// shared is what the tables of an index share.
type shared struct {
	building sync.Mutex             // held while an index of a table is made
	narrow   [maxArity + 1][]uint16 // by arity, of a chunk that is not in use
	small    [maxArity + 1][]uint8
}

// indexes are those of a table, by mask and in the order in which they were made.
type indexes struct {
	of  []*index
	all []*index
}

// index finds the rows that have given values in one or two columns.
type index struct {
	columns [2]int // the second is -1 where there is one
	numbers map[uint64]int32
	lists   []postings
	free    []int32 // of lists
}

// postings are the numbers of rows in ascending order, from one on. Mostly they are not far
// from one another.
type postings struct {
	near   []uint16 // each less origin
	far    []int32  // in place of near where they are farther from one another than that allows
	origin int32
	from   int32
}

// found are some of the numbers of rows of postings.
type found struct {
	near   []uint16
	far    []int32
	origin int32
}

func (l found) len() int { return len(l.near) + len(l.far) }

func (l found) at(i int32) int32 {
	if l.far != nil {
		return l.far[i]
	}
	return l.origin + int32(l.near[i])
}

// add adds a row unless the table has it.
func (t *table) add(args []int32) {
	if t.adding == nil {
		t.adding = &adding{}
	}
	if t.contains(args) {
		return
	}
	n := t.end
	if n > t.base && t.ascending && t.adding.latest.step > args[0] {
		t.ascending = false
	}
	t.push(args)
	t.changes++
	for _, x := range t.indexed() {
		x.add(args, n)
	}
}

// indexed are the indexes that there are.
func (t *table) indexed() []*index {
	if x := t.indexes.Load(); x != nil {
		return x.all
	}
	return nil
}

func (t *table) contains(args []int32) bool {
	if !t.ascending {
		var buffer row
		x := t.index(1)
		rows := x.find(x.key(args))
		for i := range int32(rows.len()) {
			if slices.Equal(t.row(rows.at(i), &buffer), args) {
				return true
			}
		}
		return false
	}
	l := &t.adding.latest
	switch {
	case t.end == t.base || l.step < args[0]:
		l.beginWith(args, t.end)
		return false
	case l.step > args[0]:
		return t.containsLately(args)
	}
	sorted := !l.unsorted
	if l.follows(args) {
		return false
	}
	if sorted {
		l.compare(t)
	}
	if l.continues(t, args) {
		return false
	}
	if t.containsLately(args) {
		return true
	}
	l.like = -1
	return false
}

// containsLately is contains of an ascending table, which looks from the end.
func (t *table) containsLately(args []int32) bool {
	if l := &t.adding.latest; t.end-l.from > fewRows && l.step == args[0] {
		return l.contains(t, args)
	}
	var buffer row
	for n := t.end - 1; n >= t.base; n-- {
		row := t.row(n, &buffer)
		if row[0] < args[0] {
			return false
		}
		if slices.Equal(row, args) {
			return true
		}
	}
	return false
}

// since is the number of the first row whose first argument is at least v, in
// an ascending table. It looks from the end: what is asked for is mostly recent.
func (t *table) since(v int32) int32 { return t.sinceFrom(t.end, v) }

// sinceFrom is since that looks from a row on, near which it should be.
func (t *table) sinceFrom(near, v int32) int32 {
	near = min(max(near, t.base), t.end)
	low, high := t.base, near
	if near < t.end && t.first(near) < v {
		low, high = near+1, t.end
		for away := int32(1); high-low > away; away *= 2 {
			if t.first(low+away) >= v {
				high = low + away
				break
			}
			low += away + 1
		}
	} else {
		for away := int32(1); high-away > t.base; away *= 2 {
			if t.first(high-away) < v {
				low = high - away + 1
				break
			}
			high -= away
		}
	}
	for low < high {
		middle := low + (high-low)/2
		if t.first(middle) < v {
			low = middle + 1
		} else {
			high = middle
		}
	}
	return low
}

// position is the place of the first of some rows of an ascending table whose first argument
// is at least v. It looks from the end, as since does.
func (t *table) position(rows found, v int32) int32 {
	low, high := int32(0), int32(rows.len())
	for away := int32(1); high-away >= 0; away *= 2 {
		if t.first(rows.at(high-away)) < v {
			low = high - away + 1
			break
		}
		high -= away
	}
	for low < high {
		middle := low + (high-low)/2
		if t.first(rows.at(middle)) < v {
			low = middle + 1
		} else {
			high = middle
		}
	}
	return low
}

// index is the index over the columns of a mask, the first two of them; it is
// made when it is asked for first.
func (t *table) index(mask int) *index {
	for bits.OnesCount(uint(mask)) > 2 {
		mask &^= 1 << (bits.Len(uint(mask)) - 1)
	}
	there := t.indexes.Load()
	if there != nil && there.of[mask] != nil {
		return there.of[mask]
	}
	t.shared.building.Lock()
	defer t.shared.building.Unlock()
	with := indexes{of: make([]*index, 1<<t.arity)}
	if there = t.indexes.Load(); there != nil {
		copy(with.of, there.of)
		with.all = there.all
	}
	if with.of[mask] != nil {
		return with.of[mask]
	}
	of := 0 // of the last step: where those are many, about as many values there mostly are
	if t.ascending && t.end-t.base >= chunkRows {
		of = int(t.end - t.since(t.first(t.end-1)))
	}
	x := &index{columns: [2]int{-1, -1}, numbers: make(map[uint64]int32, of)}
	for c, n := 0, 0; c < int(t.arity) && n < 2; c++ {
		if mask&(1<<c) != 0 {
			x.columns[n] = c
			n++
		}
	}
	var buffer row
	for n := t.base; n < t.end; n++ {
		x.add(t.row(n, &buffer), n)
	}
	with.of[mask], with.all = x, append(slices.Clip(with.all), x)
	t.indexes.Store(&with)
	return x
}

func (x *index) key(row []int32) uint64 {
	k := uint64(uint32(row[x.columns[0]]))
	if c := x.columns[1]; c >= 0 {
		k |= uint64(uint32(row[c])) << 32
	}
	return k
}

func (x *index) find(key uint64) found {
	i, ok := x.numbers[key]
	if !ok {
		return found{}
	}
	l := &x.lists[i]
	if l.far != nil {
		return found{far: l.far[l.from:]}
	}
	return found{near: l.near[l.from:], origin: l.origin}
}

func (x *index) add(row []int32, n int32) {
	key := x.key(row)
	i, ok := x.numbers[key]
	if !ok {
		if last := len(x.free) - 1; last >= 0 {
			i, x.free = x.free[last], x.free[:last]
		} else {
			i = int32(len(x.lists))
			x.lists = append(x.lists, postings{})
		}
		x.numbers[key] = i
	}
	x.lists[i].add(n)
}

func (l *postings) len() int { return len(l.near) + len(l.far) }

func (l *postings) add(n int32) {
	if l.len() == 0 {
		l.origin = n
	}
	if l.len() == cap(l.near)+cap(l.far) && int(l.from) > l.len()/8 {
		l.shift() // rather than grow
	}
	if l.far == nil && n-l.origin > math.MaxUint16 {
		l.shift()
		l.rebase(n)
	}
	if l.far != nil {
		l.far = append(l.far, n)
	} else {
		l.near = append(l.near, uint16(n-l.origin))
	}
}

// rebase makes room for a number farther from origin.
func (l *postings) rebase(n int32) {
	first := n
	if len(l.near) > 0 {
		first = l.origin + int32(l.near[0])
	}
	if n-first <= math.MaxUint16 {
		for i := range l.near {
			l.near[i] -= uint16(first - l.origin)
		}
		l.origin = first
		return
	}
	l.far = make([]int32, 0, 2*len(l.near))
	for _, row := range l.near {
		l.far = append(l.far, l.origin+int32(row))
	}
	l.near = nil
}

// shift lets go of the room before the first row.
func (l *postings) shift() {
	l.near = l.near[:copy(l.near, l.near[min(int(l.from), len(l.near)):])]
	l.far = l.far[:copy(l.far, l.far[min(int(l.from), len(l.far)):])]
	l.from = 0
}

// drop takes the first or the last row of its values out of the index.
func (x *index) drop(row []int32, last bool) {
	key := x.key(row)
	i := x.numbers[key]
	l := &x.lists[i]
	switch {
	case !last:
		l.from++
	case l.far != nil:
		l.far = l.far[:len(l.far)-1]
	default:
		l.near = l.near[:len(l.near)-1]
	}
	switch n := l.len(); {
	case int(l.from) == n:
		l.near, l.far, l.from = l.near[:0], nil, 0
		delete(x.numbers, key)
		x.free = append(x.free, i)
	case l.from > 16 && int(l.from) > n/2:
		l.shift()
	}
}

// truncate drops the rows from the n-th on.
func (t *table) truncate(n int32) {
	if t.end <= n {
		return
	}
	var buffer row
	t.changes++
	for t.end > n {
		t.end--
		t.unindex(t.row(t.end, &buffer), true)
		at := t.end - t.start
		last := &t.chunks[at>>chunkBits]
		t.reopen(last)
		if last.cut(int(at&(chunkRows-1)) * int(t.arity)); at&(chunkRows-1) == 0 && len(t.chunks) > 1 {
			t.shared.narrow[t.arity] = last.narrow
			t.chunks = t.chunks[:len(t.chunks)-1]
		}
	}
	t.adding.latest.empty() // the numbers of the rows come again
	if t.ascending && t.end > t.base {
		step := t.first(t.end - 1)
		t.adding.latest.begin(step, t.since(step))
	}
}

// forget drops the rows of an ascending table whose first argument is below v.
func (t *table) forget(v int32) {
	if !t.ascending {
		return
	}
	var buffer row
	for t.base < t.end && t.first(t.base) < v {
		t.unindex(t.row(t.base, &buffer), false)
		t.base++
	}
	for t.base-t.start >= chunkRows && len(t.chunks) > 1 {
		if first := &t.chunks[0]; cap(first.narrow) >= chunkRows*int(t.arity) {
			t.shared.narrow[t.arity] = first.narrow
		} else if first.small != nil {
			t.shared.small[t.arity] = first.small
		}
		n := copy(t.chunks, t.chunks[1:])
		t.chunks[n] = chunk{}
		t.chunks = t.chunks[:n]
		t.start += chunkRows
	}
}

// reset drops all rows.
func (t *table) reset() {
	t.changes++
	t.chunks, t.adding, t.start, t.base, t.end, t.ascending = nil, nil, 0, 0, 0, true
	t.indexes.Store(nil)
}

func (t *table) unindex(row []int32, last bool) {
	for _, x := range t.indexed() {
		x.drop(row, last)
	}
}
