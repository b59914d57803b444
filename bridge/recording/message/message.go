// Package message holds decoded messages of recordings, whatever their encoding: a tree of
// objects, arrays, numbers and texts, kept in one slice that is used again for the next
// message.
package message

import (
	"encoding/binary"
	"fmt"
	"iter"
	"math"
	"strings"
)

// Kind is what a value is.
type Kind uint8

// The kinds of values. Numbers is an array of numbers of one kind as the message has them,
// Bytes one of unsigned 8-bit numbers.
const (
	Absent Kind = iota
	Null
	Bool
	Int
	Uint
	Float
	Text
	Bytes
	Numbers
	Array
	Object
)

var kinds = [...]string{"nothing", "null", "a boolean", "a number", "a number", "a number", "a text", "bytes", "numbers", "an array", "an object"}

func (k Kind) String() string { return kinds[k] }

// Message is a decoded message. Its values hold until it is decoded into again.
type Message struct{ nodes []node }

type node struct {
	name  string // within an object
	data  []byte // of Text, Bytes and Numbers
	bits  uint64 // of Bool, Int, Uint and Float
	next  int32  // the node after this one and all below it
	count int32
	kind  Kind
	of    Packed
}

// Packed is how the numbers of a Numbers are written.
type Packed struct {
	Kind      Kind // Bool, Int, Uint or Float
	Size      uint8
	BigEndian bool
}

// MaxValues is how many values, other than numbers of an array of numbers, are read of a message.
const MaxValues = 2 << 20

// Len is how many values a message has, as MaxValues counts them.
func (m *Message) Len() int { return len(m.nodes) }

// Reset empties a message, to be decoded into again.
func (m *Message) Reset() { m.nodes = m.nodes[:0] }

// Root is the whole message.
func (m *Message) Root() Value {
	if len(m.nodes) == 0 {
		return Value{}
	}
	return Value{m: m, element: -1}
}

func (m *Message) add(n node) {
	n.next = int32(len(m.nodes)) + 1
	m.nodes = append(m.nodes, n)
}

// AddBits adds a Null, Bool, Int, Uint or Float: 0 or 1, the number, or its IEEE 754 bits.
// The name is "" except in an object.
func (m *Message) AddBits(name string, k Kind, bits uint64) {
	m.add(node{name: name, kind: k, bits: bits})
}

// AddData adds a Text or Bytes, which refer to data.
func (m *Message) AddData(name string, k Kind, data []byte) {
	m.add(node{name: name, kind: k, data: data})
}

// AddNumbers adds an array of numbers, which refers to data.
func (m *Message) AddNumbers(name string, of Packed, data []byte) {
	m.add(node{name: name, kind: Numbers, data: data, of: of, count: int32(len(data) / int(of.Size))})
}

// Begin begins an Object or Array of so many values, each of which is added next; End ends
// it.
func (m *Message) Begin(name string, k Kind, count int) int {
	m.add(node{name: name, kind: k, count: int32(count)})
	return len(m.nodes) - 1
}

// End ends what Begin began.
func (m *Message) End(begun int) { m.nodes[begun].next = int32(len(m.nodes)) }

// Value is a value of a message. The zero value is absent.
type Value struct {
	m       *Message
	at      int32
	element int32 // of Numbers and Bytes, else -1
}

func (v Value) node() *node { return &v.m.nodes[v.at] }

// Kind is what the value is.
func (v Value) Kind() Kind {
	switch {
	case v.m == nil:
		return Absent
	case v.element < 0:
		return v.node().kind
	case v.node().kind == Bytes:
		return Uint
	}
	return v.node().of.Kind
}

// Exists reports whether the message has the value, and it is not null.
func (v Value) Exists() bool { return v.Kind() > Null }

// Len is the number of fields of an object, elements of an array or bytes.
func (v Value) Len() int {
	switch v.Kind() {
	case Array, Object, Numbers:
		return int(v.node().count)
	case Bytes:
		return len(v.node().data)
	}
	return 0
}

// Field is the field of an object with a name.
func (v Value) Field(name string) Value {
	for n, f := range v.Fields() {
		if n == name {
			return f
		}
	}
	return Value{}
}

// Index is an element of an array.
func (v Value) Index(i int) Value {
	if i < 0 || i >= v.Len() {
		return Value{}
	}
	if k := v.Kind(); k == Numbers || k == Bytes {
		return Value{m: v.m, at: v.at, element: int32(i)}
	}
	for e := range v.Elements() {
		if i == 0 {
			return e
		}
		i--
	}
	return Value{}
}

// Fields are those of an object, in the order of the message.
func (v Value) Fields() iter.Seq2[string, Value] {
	return func(yield func(string, Value) bool) {
		if v.Kind() != Object {
			return
		}
		at := v.at + 1
		for range v.node().count {
			n := &v.m.nodes[at]
			if !yield(n.name, Value{m: v.m, at: at, element: -1}) {
				return
			}
			at = n.next
		}
	}
}

// Elements are those of an array.
func (v Value) Elements() iter.Seq[Value] {
	return func(yield func(Value) bool) {
		switch v.Kind() {
		case Numbers, Bytes:
			for i := range v.Len() {
				if !yield(v.Index(i)) {
					return
				}
			}
		case Array:
			at := v.at + 1
			for range v.node().count {
				if !yield(Value{m: v.m, at: at, element: -1}) {
					return
				}
				at = v.m.nodes[at].next
			}
		}
	}
}

// bits are the number or boolean, as AddBits takes it.
func (v Value) bits() uint64 {
	n := v.node()
	if v.element < 0 {
		return n.bits
	}
	if n.kind == Bytes {
		return uint64(n.data[v.element])
	}
	return n.of.at(n.data[int(v.element)*int(n.of.Size):])
}

func (p Packed) at(b []byte) uint64 {
	var order binary.ByteOrder = binary.LittleEndian
	if p.BigEndian {
		order = binary.BigEndian
	}
	var u uint64
	switch p.Size {
	case 1:
		u = uint64(b[0])
	case 2:
		u = uint64(order.Uint16(b))
	case 4:
		u = uint64(order.Uint32(b))
	default:
		u = order.Uint64(b)
	}
	return p.Widen(u)
}

// Widen makes the 64 bits of AddBits of the bits of a number of that size.
func (p Packed) Widen(u uint64) uint64 {
	switch {
	case p.Kind == Float && p.Size == 4:
		return math.Float64bits(float64(math.Float32frombits(uint32(u))))
	case p.Kind == Int:
		shift := 64 - 8*uint(p.Size)
		return uint64(int64(u<<shift) >> shift)
	case p.Kind == Bool && u != 0:
		return 1
	}
	return u
}

// Float is the value as a number; ok is false where it is none. A boolean is 0 or 1.
func (v Value) Float() (f float64, ok bool) {
	switch v.Kind() {
	case Float:
		return math.Float64frombits(v.bits()), true
	case Int:
		return float64(int64(v.bits())), true
	case Uint, Bool:
		return float64(v.bits()), true
	}
	return 0, false
}

// Int is the value as a whole number; ok is false where it is none or does not fit.
func (v Value) Int() (i int64, ok bool) {
	switch v.Kind() {
	case Int, Bool:
		return int64(v.bits()), true
	case Uint:
		return int64(v.bits()), v.bits() <= math.MaxInt64
	case Float:
		f := math.Float64frombits(v.bits())
		if f == math.Trunc(f) && math.Abs(f) < 1<<63 {
			return int64(f), true
		}
	}
	return 0, false
}

// Truth is the value of a boolean, or whether a number is not 0; ok is false for others.
func (v Value) Truth() (truth, ok bool) {
	f, ok := v.Float()
	return f != 0, ok
}

// Text is the value of a text; ok is false where it is none. What is not UTF-8 in it is
// replaced.
func (v Value) Text() (s string, ok bool) {
	if v.Kind() != Text {
		return "", false
	}
	return strings.ToValidUTF8(string(v.node().data), "\uFFFD"), true
}

// Bytes are those of a Bytes or Text, and of an array of numbers as it is written; they hold
// as long as what was decoded.
func (v Value) Bytes() (b []byte, ok bool) {
	switch v.Kind() {
	case Bytes, Text, Numbers:
		return v.node().data, true
	}
	return nil, false
}

// String writes the value much as JSON does, for messages to people.
func (v Value) String() string {
	switch v.Kind() {
	case Absent:
		return "nothing"
	case Null:
		return "null"
	case Bool:
		return fmt.Sprint(v.bits() != 0)
	case Int:
		return fmt.Sprint(int64(v.bits()))
	case Uint:
		return fmt.Sprint(v.bits())
	case Float:
		return fmt.Sprint(math.Float64frombits(v.bits()))
	case Text:
		s, _ := v.Text()
		return fmt.Sprintf("%q", s)
	case Object:
		var parts []string
		for name, f := range v.Fields() {
			parts = append(parts, name+": "+f.String())
		}
		return "{" + strings.Join(parts, ", ") + "}"
	}
	var parts []string
	for e := range v.Elements() {
		parts = append(parts, e.String())
	}
	return "[" + strings.Join(parts, ", ") + "]"
}
