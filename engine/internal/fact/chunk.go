package fact

import "math"

// The rows of a chunk.
const (
	chunkBits = 7
	chunkRows = 1 << chunkBits
)

// chunk is some rows of a table, one after the other. Most hold small numbers, which take
// half the room: symbols, and steps not far from those of the rows before. When it is full most
// take half of that: each number by how much it is more than the least of its column.
type chunk struct {
	narrow []uint16 // the first argument of each row less the first of least
	wide   []int32  // in place of narrow where a number is too large for that
	small  []uint8  // in place of both
	least  row
}

// row is room for a row.
type row [maxArity]int32

// row reads a row, into a buffer where it is not there as it is.
func (t *table) row(n int32, into *row) []int32 {
	at, k := uint32(n-t.start), int(t.arity)
	c := &t.chunks[at>>chunkBits]
	from := int(at&(chunkRows-1)) * k
	switch {
	case c.small != nil:
		small := c.small[from : from+k]
		for i := 0; i < len(small) && i < len(into); i++ {
			into[i] = int32(small[i]) + c.least[i]
		}
	case c.wide != nil:
		return c.wide[from : from+k : from+k]
	default:
		narrow := c.narrow[from : from+k]
		into[0] = int32(narrow[0]) + c.least[0]
		for i := 1; i < len(narrow) && i < len(into); i++ {
			into[i] = int32(narrow[i])
		}
	}
	return into[:k:k]
}

// agrees reports whether a row has what is bound of the arguments after the first.
func (t *table) agrees(n int32, args *row) bool {
	at, k := uint32(n-t.start), int(t.arity)
	c := &t.chunks[at>>chunkBits]
	from := int(at&(chunkRows-1)) * k
	if c.small != nil {
		small := c.small[from : from+k]
		for i := 1; i < len(small) && i < len(args); i++ {
			if a := args[i]; a != Any && a != int32(small[i])+c.least[i] {
				return false
			}
		}
		return true
	}
	if c.wide != nil {
		wide := c.wide[from : from+k]
		for i := 1; i < len(wide) && i < len(args); i++ {
			if a := args[i]; a != Any && a != wide[i] {
				return false
			}
		}
		return true
	}
	narrow := c.narrow[from : from+k]
	for i := 1; i < len(narrow) && i < len(args); i++ {
		if a := args[i]; a != Any && a != int32(narrow[i]) {
			return false
		}
	}
	return true
}

// first reads the first argument of a row.
func (t *table) first(n int32) int32 {
	at := n - t.start
	c := &t.chunks[at>>chunkBits]
	from := int(at&(chunkRows-1)) * int(t.arity)
	switch {
	case c.small != nil:
		return int32(c.small[from]) + c.least[0]
	case c.wide != nil:
		return c.wide[from]
	}
	return int32(c.narrow[from]) + c.least[0]
}

// push adds a row to the last chunk, or to a new one.
func (t *table) push(row []int32) {
	at := int(t.end - t.start)
	if at>>chunkBits == len(t.chunks) {
		if at > 0 {
			t.close(&t.chunks[len(t.chunks)-1])
		}
		var c chunk
		switch {
		case t.shared.narrow[t.arity] != nil:
			c.narrow, t.shared.narrow[t.arity] = t.shared.narrow[t.arity][:0], nil
		case at > 0:
			c.narrow = make([]uint16, 0, chunkRows*int(t.arity))
		}
		if n := len(t.chunks); n == cap(t.chunks) { // many are held for long, and few are added
			t.chunks = append(make([]chunk, 0, n+n/8+1), t.chunks...)
		}
		t.chunks = append(t.chunks, c)
	}
	t.chunks[at>>chunkBits].push(row)
	t.end++
}

// close makes a full chunk smaller where its numbers allow it.
func (t *table) close(c *chunk) {
	k := int(t.arity)
	if c.small != nil || c.wide != nil || len(c.narrow) < chunkRows*k {
		return
	}
	least, most := row{}, row{}
	for i := range k {
		least[i], most[i] = math.MaxUint16, 0
	}
	for from := 0; from < len(c.narrow); from += k {
		for i, v := range c.narrow[from : from+k] {
			least[i], most[i] = min(least[i], int32(v)), max(most[i], int32(v))
		}
	}
	for i := range k {
		if most[i]-least[i] > math.MaxUint8 {
			return
		}
	}
	small := t.shared.small[t.arity]
	if t.shared.small[t.arity] = nil; small == nil {
		small = make([]uint8, chunkRows*k)
	}
	for from := 0; from < len(c.narrow); from += k {
		for i, v := range c.narrow[from : from+k] {
			small[from+i] = uint8(int32(v) - least[i])
		}
	}
	least[0] += c.least[0]
	if cap(c.narrow) >= chunkRows*k {
		t.shared.narrow[t.arity] = c.narrow
	}
	c.narrow, c.small, c.least = nil, small, least
}

// reopen makes of a full chunk one that rows can be dropped from, and added to.
func (t *table) reopen(c *chunk) {
	if c.small == nil {
		return
	}
	k := int(t.arity)
	least, small := c.least, c.small
	*c = chunk{narrow: make([]uint16, 0, chunkRows*k)}
	var buffer row
	for from := 0; from < len(small); from += k {
		for i, v := range small[from : from+k] {
			buffer[i] = int32(v) + least[i]
		}
		c.push(buffer[:k])
	}
	t.shared.small[t.arity] = small
}

func (c *chunk) push(args []int32) {
	if c.wide == nil && c.pushNarrow(args) {
		return
	}
	if c.wide == nil {
		c.widen(len(args))
	}
	c.wide = append(c.wide, args...)
}

var zeros [maxArity]uint16

// pushNarrow is false where a number is too large.
func (c *chunk) pushNarrow(args []int32) bool {
	n := len(c.narrow)
	if n == 0 {
		c.least[0] = args[0]
	}
	all := append(c.narrow, zeros[:len(args)]...)
	last := all[n:]
	bits := uint32(args[0] - c.least[0])
	last[0] = uint16(bits)
	for i := 1; i < len(last); i++ {
		v := uint32(args[i])
		bits |= v
		last[i] = uint16(v)
	}
	if bits > math.MaxUint16 {
		return false
	}
	c.narrow = all
	return true
}

// widen makes room for large numbers in rows of so many arguments.
func (c *chunk) widen(arity int) {
	c.wide = make([]int32, 0, max(cap(c.narrow), arity))
	for i, v := range c.narrow {
		if c.wide = append(c.wide, int32(v)); i%arity == 0 {
			c.wide[i] += c.least[0]
		}
	}
	c.narrow = nil
}

// cut leaves the first so many numbers.
func (c *chunk) cut(n int) {
	if c.wide != nil {
		c.wide = c.wide[:n]
	} else {
		c.narrow = c.narrow[:n]
	}
}
