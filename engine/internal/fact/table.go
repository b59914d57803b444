package fact

import (
	"math/bits"
	"slices"
	"sync"
	"sync/atomic"
)

// maxArity is the most arguments a fact predicate has.
const maxArity = 5

// table is the facts of one predicate, row after row. Rows have numbers that
// stay theirs when earlier rows are let go of.
type table struct {
	arity int
	// chunks hold the rows, so that what is there need not move when more come. All
	// but the first have room for chunkRows from the start.
	chunks [][]int32
	spare  []int32 // a chunk that is not in use
	start  int32   // number of the row that the chunks begin with
	base   int32   // number of the first row that is kept
	end    int32   // one past the number of the last row
	// ascending is true while the first arguments never fall, as those of steps
	// that are added in order: rows of a step are then found without an index.
	ascending bool
	latest    latest
	indexes   [1 << maxArity]atomic.Pointer[index]
	indexed   atomic.Uint32 // a bit for each of the indexes that there is
	building  *sync.Mutex
}

// index finds the rows that have given values in one or two columns.
type index struct {
	columns [2]int // the second is -1 where there is one
	numbers map[uint64]int32
	lists   []postings
	free    []int32 // of lists
}

// postings are the numbers of rows in ascending order, from one on.
type postings struct {
	rows []int32
	from int
}

// The rows of a chunk.
const (
	chunkBits = 7
	chunkRows = 1 << chunkBits
)

func (t *table) row(n int32) []int32 {
	at := n - t.start
	chunk, i := t.chunks[at>>chunkBits], int(at&(chunkRows-1))*t.arity
	return chunk[i : i+t.arity : i+t.arity]
}

func (t *table) first(n int32) int32 {
	at := n - t.start
	return t.chunks[at>>chunkBits][int(at&(chunkRows-1))*t.arity]
}

// push adds a row to the last chunk, or to a new one.
func (t *table) push(row []int32) {
	at := int(t.end - t.start)
	if at>>chunkBits == len(t.chunks) {
		switch {
		case t.spare != nil:
			t.chunks, t.spare = append(t.chunks, t.spare[:0]), nil
		case at > 0:
			t.chunks = append(t.chunks, make([]int32, 0, chunkRows*t.arity))
		default:
			t.chunks = append(t.chunks, nil)
		}
	}
	last := &t.chunks[at>>chunkBits]
	*last = append(*last, row...)
	t.end++
}

// add adds a row unless the table has it.
func (t *table) add(args []int32) {
	if t.contains(args) {
		return
	}
	n := t.end
	if n > t.base && t.ascending && t.latest.step > args[0] {
		t.ascending = false
	}
	t.push(args)
	for m := t.indexed.Load(); m != 0; m &= m - 1 {
		t.indexes[bits.TrailingZeros32(m)].Load().add(args, n)
	}
}

func (t *table) contains(args []int32) bool {
	if t.ascending {
		if t.end == t.base || t.latest.step < args[0] {
			t.latest.begin(args[0], t.end)
			return false
		}
		if t.end-t.latest.from > fewRows && t.latest.step == args[0] {
			return t.latest.contains(t, args)
		}
		for n := t.end - 1; n >= t.base; n-- {
			row := t.row(n)
			if row[0] < args[0] {
				return false
			}
			if slices.Equal(row, args) {
				return true
			}
		}
		return false
	}
	x := t.index(1)
	for _, n := range x.find(x.key(args)) {
		if slices.Equal(t.row(n), args) {
			return true
		}
	}
	return false
}

// since is the number of the first row whose first argument is at least v, in
// an ascending table. It looks from the end: what is asked for is mostly recent.
func (t *table) since(v int32) int32 {
	low, high := t.base, t.end
	for away := int32(1); high-away > t.base; away *= 2 {
		if t.first(high-away) < v {
			low = high - away + 1
			break
		}
		high -= away
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

// index is the index over the columns of a mask, the first two of them; it is
// made when it is asked for first.
func (t *table) index(mask int) *index {
	x := t.indexes[mask].Load()
	if x != nil {
		return x
	}
	t.building.Lock()
	defer t.building.Unlock()
	if x = t.indexes[mask].Load(); x != nil {
		return x
	}
	x = &index{columns: [2]int{-1, -1}, numbers: map[uint64]int32{}}
	for c, n := 0, 0; c < t.arity && n < 2; c++ {
		if mask&(1<<c) != 0 {
			x.columns[n] = c
			n++
		}
	}
	for n := t.base; n < t.end; n++ {
		x.add(t.row(n), n)
	}
	t.indexes[mask].Store(x)
	t.indexed.Or(1 << mask)
	return x
}

func (x *index) key(row []int32) uint64 {
	k := uint64(uint32(row[x.columns[0]]))
	if c := x.columns[1]; c >= 0 {
		k |= uint64(uint32(row[c])) << 32
	}
	return k
}

func (x *index) find(key uint64) []int32 {
	i, ok := x.numbers[key]
	if !ok {
		return nil
	}
	l := &x.lists[i]
	return l.rows[l.from:]
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
	x.lists[i].rows = append(x.lists[i].rows, n)
}

// drop takes the first or the last row of its values out of the index.
func (x *index) drop(row []int32, last bool) {
	key := x.key(row)
	i := x.numbers[key]
	l := &x.lists[i]
	if last {
		l.rows = l.rows[:len(l.rows)-1]
	} else {
		l.from++
	}
	switch {
	case l.from == len(l.rows):
		l.rows, l.from = l.rows[:0], 0
		delete(x.numbers, key)
		x.free = append(x.free, i)
	case l.from > 16 && l.from > len(l.rows)/2:
		l.rows = l.rows[:copy(l.rows, l.rows[l.from:])]
		l.from = 0
	}
}

// truncate drops the rows from the n-th on.
func (t *table) truncate(n int32) {
	if t.end <= n {
		return
	}
	for t.end > n {
		t.end--
		t.unindex(t.row(t.end), true)
		at := t.end - t.start
		last := &t.chunks[at>>chunkBits]
		if *last = (*last)[:int(at&(chunkRows-1))*t.arity]; len(*last) == 0 && len(t.chunks) > 1 {
			t.spare = *last
			t.chunks = t.chunks[:len(t.chunks)-1]
		}
	}
	clear(t.latest.slots) // the numbers of the rows come again
	if t.ascending && t.end > t.base {
		step := t.first(t.end - 1)
		t.latest.begin(step, t.since(step))
	}
}

// forget drops the rows of an ascending table whose first argument is below v.
func (t *table) forget(v int32) {
	if !t.ascending {
		return
	}
	for t.base < t.end && t.first(t.base) < v {
		t.unindex(t.row(t.base), false)
		t.base++
	}
	for t.base-t.start >= chunkRows && len(t.chunks) > 1 {
		if first := t.chunks[0]; cap(first) >= chunkRows*t.arity {
			t.spare = first
		}
		t.chunks = t.chunks[:copy(t.chunks, t.chunks[1:])]
		t.start += chunkRows
	}
}

// reset drops all rows.
func (t *table) reset() {
	t.chunks, t.spare, t.start, t.base, t.end, t.ascending, t.latest = nil, nil, 0, 0, 0, true, latest{}
	for i := range t.indexes {
		t.indexes[i].Store(nil)
	}
	t.indexed.Store(0)
}

func (t *table) unindex(row []int32, last bool) {
	for m := t.indexed.Load(); m != 0; m &= m - 1 {
		t.indexes[bits.TrailingZeros32(m)].Load().drop(row, last)
	}
}
