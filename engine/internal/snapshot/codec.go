// Package snapshot writes values in a compact binary form, and reads them back: one
// description of a value, a sequence of calls with pointers to its parts, does both, so
// that what is read is what was written.
//
// Numbers are variable-length integers (encoding/binary); a text stands where it first
// comes, and is a number from then on; lists that are much like the one before are
// written as what differs. What is read is held to be hostile: a count is no more than
// the bytes that are left can hold, and what is built of them stays within a budget.
package snapshot

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"maps"
	"math"
	"slices"
	"unsafe"
)

// Codec writes values, or reads them. After an error, which Err tells, it reads zeros and
// empty lists.
type Codec struct {
	data    []byte // written so far, or left to be read
	reading bool
	err     error
	texts   []string
	numbers map[string]int // of texts
	budget  int            // bytes that may yet be built of what is read
}

// NewWriter is a codec that writes.
func NewWriter() *Codec { return &Codec{numbers: map[string]int{}} }

// The memory that a snapshot may take once it is read: so many bytes for each of its own.
const (
	perByte = 512
	atLeast = 1 << 20
)

// NewReader is a codec that reads what another wrote.
func NewReader(data []byte) *Codec {
	return &Codec{data: data, reading: true, budget: perByte*len(data) + atLeast}
}

// NewOwnReader is a codec that reads what this process wrote, whatever that takes.
func NewOwnReader(data []byte) *Codec {
	return &Codec{data: data, reading: true, budget: math.MaxInt}
}

// Reading reports whether values are read.
func (c *Codec) Reading() bool { return c.reading }

// Bytes are what was written.
func (c *Codec) Bytes() []byte { return c.data }

// Err is the first error.
func (c *Codec) Err() error { return c.err }

// Left is how many bytes are left to be read.
func (c *Codec) Left() int { return len(c.data) }

// Fail ends reading with an error.
func (c *Codec) Fail(format string, args ...any) {
	if c.err == nil {
		c.err, c.data = fmt.Errorf(format, args...), nil
	}
}

// Integer is a number of some size.
type Integer interface {
	~int | ~int8 | ~int16 | ~int32 | ~int64 | ~uint8
}

func (c *Codec) varint() int64 {
	v, n := binary.Varint(c.data)
	if n <= 0 {
		c.Fail("it breaks off")
		return 0
	}
	c.data = c.data[n:]
	return v
}

// Int codes a number.
func Int[T Integer](c *Codec, v *T) {
	if !c.reading {
		c.data = binary.AppendVarint(c.data, int64(*v))
		return
	}
	n := c.varint()
	if *v = T(n); int64(*v) != n {
		c.Fail("a number is %d, which is too large", n)
		*v = 0
	}
}

// After codes a number that mostly is a little more than another.
func After[T Integer](c *Codec, v *T, base T) {
	d := int64(*v) - int64(base)
	Int(c, &d)
	if !c.reading {
		return
	}
	n := int64(base) + d
	if *v = T(n); int64(*v) != n {
		c.Fail("a number is %d, which is too large", n)
		*v = 0
	}
}

// Within codes a number from low up to and without high.
func Within[T Integer](c *Codec, v *T, low, high int) {
	Int(c, v)
	if c.reading && (int64(*v) < int64(low) || int64(*v) >= int64(high)) {
		c.Fail("a number is %d; expected one from %d to %d", int64(*v), low, high-1)
		*v = T(low)
	}
}

// Hash codes a number of which all bits count.
func (c *Codec) Hash(v *uint64) {
	if !c.reading {
		c.data = binary.LittleEndian.AppendUint64(c.data, *v)
		return
	}
	if len(c.data) < 8 {
		c.Fail("it breaks off")
		*v = 0
		return
	}
	*v, c.data = binary.LittleEndian.Uint64(c.data), c.data[8:]
}

// Float codes a floating-point number.
func (c *Codec) Float(v *float64) {
	bits := math.Float64bits(*v)
	c.Hash(&bits)
	*v = math.Float64frombits(bits)
}

// Flags codes up to eight truth values as one byte.
func (c *Codec) Flags(flags ...*bool) {
	if !c.reading {
		var b byte
		for i, f := range flags {
			if *f {
				b |= 1 << i
			}
		}
		c.data = append(c.data, b)
		return
	}
	var b byte
	if len(c.data) == 0 {
		c.Fail("it breaks off")
	} else {
		b, c.data = c.data[0], c.data[1:]
	}
	if int(b)>>len(flags) != 0 {
		c.Fail("a byte of flags is %#x", b)
	}
	for i, f := range flags {
		*f = b&(1<<i) != 0
	}
}

// Text codes a text. One that comes again is the same.
func (c *Codec) Text(v *string) {
	if !c.reading {
		n, known := c.numbers[*v]
		if known {
			c.data = binary.AppendVarint(c.data, int64(n))
			return
		}
		c.numbers[*v] = len(c.numbers)
		c.data = binary.AppendVarint(c.data, int64(len(c.numbers)-1))
		c.data = binary.AppendUvarint(c.data, uint64(len(*v)))
		c.data = append(c.data, *v...)
		return
	}
	*v = ""
	var n int
	Within(c, &n, 0, len(c.texts)+1)
	if c.err != nil {
		return
	}
	if n < len(c.texts) {
		*v = c.texts[n]
		return
	}
	length, used := binary.Uvarint(c.data)
	if used <= 0 || length > uint64(len(c.data)-used) {
		c.Fail("a text is longer than what is left")
		return
	}
	*v, c.data = string(c.data[used:used+int(length)]), c.data[used+int(length):]
	c.texts = append(c.texts, *v)
}

// Count codes how many there are of something. What is read is no more than the bytes
// left, each of which tells of one at most, and size bytes of memory for each are within
// the budget.
func (c *Codec) Count(n *int, size int) {
	Int(c, n)
	if !c.reading {
		return
	}
	if *n < 0 || *n > len(c.data) {
		c.Fail("a list has %d elements, and %d bytes are left", *n, len(c.data))
		*n = 0
	}
	c.spend(n, size)
}

// spend takes memory for n things from the budget.
func (c *Codec) spend(n *int, size int) {
	if *n < 0 || size > 0 && *n > c.budget/size {
		c.Fail("it would take more memory than a snapshot of its size may")
		*n = 0
		return
	}
	c.budget -= *n * size
}

// Take takes memory for what is built beside lists and maps from the budget.
func (c *Codec) Take(size int) {
	if n := 1; c.reading {
		c.spend(&n, size)
	}
}

// List codes a list, each element by a function.
func List[S ~[]T, T any](c *Codec, list *S, each func(*T)) {
	n := len(*list)
	var zero T
	c.Count(&n, int(unsafe.Sizeof(zero)))
	if c.reading {
		if *list = nil; n == 0 {
			return
		}
		*list = make(S, n)
	}
	for i := range *list {
		if c.err != nil {
			return
		}
		each(&(*list)[i])
	}
}

// Like codes a list that is much like another, by what stands between the elements with
// which both begin and end. One that is the same shares the memory of the other.
func Like[S ~[]T, T any](c *Codec, list *S, other S, same func(a, b *T) bool, each func(*T)) {
	var head, tail, middle int
	if !c.reading {
		shorter := min(len(*list), len(other))
		if shorter > 0 && len(*list) == len(other) && &(*list)[0] == &other[0] {
			head = shorter
		}
		for head < shorter && same(&(*list)[head], &other[head]) {
			head++
		}
		for tail < shorter-head && same(&(*list)[len(*list)-1-tail], &other[len(other)-1-tail]) {
			tail++
		}
		middle = len(*list) - head - tail
	}
	whole := head == len(other) && middle == 0
	fresh := head == 0 && tail == 0
	c.Flags(&whole, &fresh)
	if c.reading && whole {
		*list = other
		return
	}
	if whole {
		return
	}
	if !fresh {
		Within(c, &head, 0, len(other)+1)
		Within(c, &tail, 0, len(other)-head+1)
	}
	c.Count(&middle, 1)
	if c.reading {
		n := head + middle + tail
		var zero T
		c.spend(&n, int(unsafe.Sizeof(zero)))
		if *list = nil; n == 0 {
			return
		}
		*list = make(S, n)
		copy(*list, other[:head])
		copy((*list)[head+middle:], other[len(other)-tail:])
	}
	for i := head; i < head+middle && c.err == nil; i++ {
		each(&(*list)[i])
	}
}

// Map codes a map in the order of its keys. One that is nil stays nil.
func Map[K cmp.Ordered, V any](c *Codec, m *map[K]V, key func(*K), value func(*V)) {
	there := *m != nil
	c.Flags(&there)
	if !there {
		*m = nil
		return
	}
	keys := slices.Sorted(maps.Keys(*m))
	if c.reading {
		*m = map[K]V{}
	}
	const mapEntry = 64 // bytes that an entry takes beside its value
	n := len(keys)
	var zero V
	c.Count(&n, mapEntry+int(unsafe.Sizeof(zero)))
	for i := range n {
		if c.err != nil {
			return
		}
		var k K
		var v V
		if !c.reading {
			k, v = keys[i], (*m)[keys[i]]
		}
		key(&k)
		value(&v)
		if c.reading {
			(*m)[k] = v
		}
	}
}

// Set codes a set of numbers.
func Set[K Integer](c *Codec, m *map[K]bool, low, high int) {
	last := K(low)
	Map(c, m, func(k *K) {
		After(c, k, last)
		if c.reading && (int64(*k) < int64(low) || int64(*k) >= int64(high)) {
			c.Fail("a number is %d; expected one from %d to %d", int64(*k), low, high-1)
			*k = K(low)
		}
		last = *k
	}, func(v *bool) { c.Flags(v) })
}

// Texts codes a list of texts.
func (c *Codec) Texts(list *[]string) { List(c, list, func(s *string) { c.Text(s) }) }

// TextMap codes a map from texts to texts.
func (c *Codec) TextMap(m *map[string]string) {
	Map(c, m, func(k *string) { c.Text(k) }, func(v *string) { c.Text(v) })
}

// Optional codes what a pointer points at, where it is not nil.
func Optional[T any](c *Codec, p **T, value func(*T)) {
	there := *p != nil
	c.Flags(&there)
	if c.reading {
		if *p = nil; !there {
			return
		}
		n := 1
		var zero T
		c.spend(&n, int(unsafe.Sizeof(zero)))
		*p = new(T)
	}
	if there {
		value(*p)
	}
}

// Section codes a mark that tells where parts begin, so that one that is read wrongly is
// told by its name.
func (c *Codec) Section(name string, code func()) {
	const mark = 0x5c
	if !c.reading {
		c.data = append(c.data, mark)
		code()
		return
	}
	if c.err == nil && (len(c.data) == 0 || c.data[0] != mark) {
		c.Fail("the part %q does not begin where it should", name)
	}
	if c.err == nil {
		c.data = c.data[1:]
		code()
		if c.err != nil {
			c.err = fmt.Errorf("%s: %w", name, c.err)
		}
	}
}
