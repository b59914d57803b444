package cdr

import (
	"encoding/binary"
	"fmt"
	"math"

	"github.com/mishap-robotics/mishap/bridge/recording/message"
)

// Decoder decodes messages of one type.
type Decoder struct {
	root *structure
	ros1 bool
}

func newDecoder(all types, root *structure) (*Decoder, error) {
	all.addBuiltin()
	// ROS 2 gives a structure without members a byte that says nothing.
	if err := all.link(root, 0, 1); err != nil {
		return nil, err
	}
	return &Decoder{root: root}, nil
}

// Error is data that is not what the definition says.
type Error struct {
	Field    string // such as detections[3].bbox, "" for the whole
	Offset   int    // in the data, in bytes
	Found    string
	Expected string
}

func (e *Error) Error() string {
	place := fmt.Sprintf("byte %d", e.Offset)
	if e.Field != "" {
		place += " (" + e.Field + ")"
	}
	return fmt.Sprintf("%s: found %s; expected %s", place, e.Found, e.Expected)
}

// within adds the field in which the data is wrong.
func (e *Error) within(name string) *Error {
	switch {
	case e.Field == "":
		e.Field = name
	case e.Field[0] == '[':
		e.Field = name + e.Field
	default:
		e.Field = name + "." + e.Field
	}
	return e
}

// input is data that is decoded. Numbers are aligned from its begin on, which is after
// the four bytes that tell its encoding.
type input struct {
	data  []byte
	at    int
	align int // the most that numbers are aligned to
	big   bool
	ros1  bool // nothing is aligned, texts end without a zero byte, and what has no fields takes none
	order binary.ByteOrder
}

// Decode decodes a message into m, whose values refer to data. The error is an *Error.
func (d *Decoder) Decode(m *message.Message, data []byte) error {
	m.Reset()
	if d.ros1 {
		in := &input{data: data, align: 1, ros1: true, order: binary.LittleEndian}
		if err := in.structure(m, "", d.root); err != nil {
			return err
		}
		return nil
	}
	in, err := begin(data)
	if err != nil {
		return err
	}
	if err := in.structure(m, "", d.root); err != nil {
		err.Offset += headerSize
		return err
	}
	return nil
}

const headerSize = 4

// begin reads the encapsulation header: the second of its four bytes tells the encoding.
func begin(data []byte) (*input, error) {
	if len(data) < headerSize {
		return nil, &Error{Found: fmt.Sprintf("%d bytes", len(data)), Expected: "the four bytes that tell the encoding"}
	}
	in := &input{data: data[headerSize:], align: 8, order: binary.LittleEndian}
	switch kind := uint16(data[0])<<8 | uint16(data[1]); kind {
	case 0, 1: // CDR
		in.big = kind == 0
	case 6, 7: // plain CDR 2
		in.big, in.align = kind == 6, 4
	default:
		return nil, &Error{Found: fmt.Sprintf("encoding %d", kind), Expected: "plain CDR (0 or 1) or CDR 2 (6 or 7)"}
	}
	if in.big {
		in.order = binary.BigEndian
	}
	return in, nil
}

func (in *input) structure(m *message.Message, name string, s *structure) *Error {
	if left := len(in.data) - in.at; uint64(left) < s.least {
		return &Error{Offset: in.at, Found: fmt.Sprintf("%d bytes left", left), Expected: fmt.Sprintf("at least %d of a %s", s.least, s.name)}
	}
	if m.Len() > message.MaxValues {
		return &Error{Offset: in.at, Found: fmt.Sprintf("more than %d values", message.MaxValues), Expected: "a smaller message"}
	}
	if len(s.fields) == 0 && !in.ros1 {
		in.at++
	}
	begun := m.Begin(name, message.Object, len(s.fields))
	for i := range s.fields {
		if err := in.field(m, &s.fields[i]); err != nil {
			return err.within(s.fields[i].name)
		}
	}
	m.End(begun)
	return nil
}

func (in *input) field(m *message.Message, f *field) *Error {
	n := uint64(f.count)
	switch f.shape {
	case single:
		return in.value(m, f.name, f)
	case sequence:
		b, err := in.take(4, 4)
		if err != nil {
			return err
		}
		n = uint64(in.order.Uint32(b))
		if f.count > 0 && n > uint64(f.count) {
			return &Error{Offset: in.at - 4, Found: fmt.Sprintf("%d elements", n), Expected: fmt.Sprintf("at most %d", f.count)}
		}
		if left := len(in.data) - in.at; n*f.one() > uint64(left) {
			return &Error{Offset: in.at - 4, Found: fmt.Sprintf("%d elements", n), Expected: fmt.Sprintf("no more than fit in the %d bytes left", left)}
		}
	}
	if f.sub == nil && !f.text {
		return in.numbers(m, f, n)
	}
	if n > message.MaxValues {
		return &Error{Offset: in.at, Found: fmt.Sprintf("%d elements", n), Expected: fmt.Sprintf("at most %d", message.MaxValues)}
	}
	begun := m.Begin(f.name, message.Array, int(n))
	for i := range n {
		if err := in.value(m, "", f); err != nil {
			return err.within(fmt.Sprintf("[%d]", i))
		}
	}
	m.End(begun)
	return nil
}

// numbers takes an array of numbers as it is written.
func (in *input) numbers(m *message.Message, f *field, n uint64) *Error {
	if n == 0 {
		m.AddNumbers(f.name, f.prim, nil)
		return nil
	}
	size := n * uint64(f.prim.Size)
	if size > math.MaxInt32 {
		return &Error{Offset: in.at, Found: fmt.Sprintf("an array of %d bytes", size), Expected: "at most 2 GiB"}
	}
	b, err := in.take(int(size), int(f.prim.Size))
	if err != nil {
		return err
	}
	if f.prim.Kind == message.Uint && f.prim.Size == 1 {
		m.AddData(f.name, message.Bytes, b)
		return nil
	}
	of := f.prim
	of.BigEndian = in.big
	m.AddNumbers(f.name, of, b)
	return nil
}

func (in *input) value(m *message.Message, name string, f *field) *Error {
	switch {
	case f.sub != nil:
		return in.structure(m, name, f.sub)
	case f.text:
		return in.text(m, name)
	}
	b, err := in.take(int(f.prim.Size), int(f.prim.Size))
	if err != nil {
		return err
	}
	var u uint64
	switch f.prim.Size {
	case 1:
		u = uint64(b[0])
	case 2:
		u = uint64(in.order.Uint16(b))
	case 4:
		u = uint64(in.order.Uint32(b))
	default:
		u = in.order.Uint64(b)
	}
	m.AddBits(name, f.prim.Kind, f.prim.Widen(u))
	return nil
}

// text takes a string: its length with the zero byte that ends it, and its bytes.
func (in *input) text(m *message.Message, name string) *Error {
	b, err := in.take(4, 4)
	if err != nil {
		return err
	}
	n := in.order.Uint32(b)
	if left := len(in.data) - in.at; uint64(n) > uint64(left) {
		return &Error{Offset: in.at - 4, Found: fmt.Sprintf("a text of %d bytes", n), Expected: fmt.Sprintf("no more than the %d bytes left", left)}
	}
	s := in.data[in.at : in.at+int(n)]
	in.at += int(n)
	if n > 0 && s[n-1] == 0 && !in.ros1 {
		s = s[:n-1]
	}
	m.AddData(name, message.Text, s)
	return nil
}

// take takes so many bytes, aligned to their size.
func (in *input) take(n, align int) ([]byte, *Error) {
	if align = min(align, in.align); align > 1 {
		in.at = (in.at + align - 1) &^ (align - 1)
	}
	if n > len(in.data)-in.at {
		return nil, &Error{Offset: min(in.at, len(in.data)), Found: fmt.Sprintf("%d bytes left", max(0, len(in.data)-in.at)), Expected: fmt.Sprintf("%d", n)}
	}
	b := in.data[in.at : in.at+n]
	in.at += n
	return b, nil
}
