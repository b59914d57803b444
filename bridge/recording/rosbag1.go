package recording

import (
	"bytes"
	"compress/bzip2"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"

	"github.com/pierrec/lz4/v4"
)

// Bag1Suffix is what the names of bags of ROS 1 end in.
const Bag1Suffix = ".bag"

// bag1Magic is what a bag of ROS 1 begins with, in its second format.
const bag1Magic = "#ROSBAG V2.0\n"

// The records of a bag of ROS 1 that are read (https://wiki.ros.org/Bags/Format/2.0).
const (
	bag1Message    = 0x02
	bag1Chunk      = 0x05
	bag1Connection = 0x07
)

// bag1 is what is known of a bag of ROS 1 whose records are read from Reader.in.
type bag1 struct{ connections map[uint32]*Channel }

// nextOfBag1 is the next message of a bag of ROS 1, in the order of the file.
func (r *Reader) nextOfBag1() (*Message, error) {
	for {
		for len(r.chunk) > 0 {
			head, data, n, found := record1(r.chunk)
			if found != "" {
				if !r.ended { // else it was told already that the file breaks off
					r.report("", found, "a whole record of the chunk")
				}
				r.chunk = nil
				break
			}
			r.chunk = r.chunk[n:]
			m := r.take1(head, data)
			r.place.Inner += n
			if m != nil {
				return m, nil
			}
		}
		if r.ended {
			return nil, io.EOF
		}
		m, err := r.record1()
		if m != nil || err != nil {
			return m, err
		}
	}
}

// record1 cuts a record in its header and data; n is how long it is. found says what is wrong
// with it.
func record1(b []byte) (head header1, data []byte, n int, found string) {
	part := func() ([]byte, bool) {
		if len(b)-n < 4 {
			return nil, false
		}
		size := binary.LittleEndian.Uint32(b[n:])
		n += 4
		if uint64(size) > uint64(len(b)-n) {
			return nil, false
		}
		n += int(size)
		return b[n-int(size) : n], true
	}
	h, ok := part()
	if ok {
		data, ok = part()
	}
	if !ok {
		return nil, nil, 0, fmt.Sprintf("a record longer than the %d bytes left", len(b))
	}
	return h, data, n, ""
}

// record1 reads a record of the file; it gives a message where it is one that stands in no chunk.
func (r *Reader) record1() (*Message, error) {
	r.place = Place{Offset: r.offset, Inner: -1}
	var size [4]byte
	n, err := io.ReadFull(r.in, size[:])
	r.offset += int64(n)
	if errors.Is(err, io.EOF) {
		r.ended = true
		return nil, nil
	}
	if err != nil {
		return nil, r.end(err, "the end of the file in a record")
	}
	length := binary.LittleEndian.Uint32(size[:])
	const longest = 16 << 20 // of a header
	if length > longest {
		r.ended = true
		r.report("", fmt.Sprintf("a record whose header has %d bytes", length), fmt.Sprintf("at most %d; what comes after is not read", longest))
		return nil, nil
	}
	whole, err := r.read(int(length))
	if err != nil {
		return nil, err
	}
	head := header1(bytes.Clone(r.body))
	if whole {
		n, err = io.ReadFull(r.in, size[:])
		r.offset += int64(n)
	}
	if !whole || err != nil {
		if err == nil {
			err = io.ErrUnexpectedEOF
		}
		return nil, r.end(err, "the end of the file in a record")
	}
	length = binary.LittleEndian.Uint32(size[:])
	op := head.op()
	switch op {
	case bag1Message, bag1Chunk, bag1Connection:
	default: // indices and what pads the file
		return nil, r.skip(uint64(length))
	}
	if length > MaxChunk {
		r.report("", fmt.Sprintf("a record of %d bytes", length), fmt.Sprintf("at most %d", MaxChunk))
		return nil, r.skip(uint64(length))
	}
	if whole, err = r.read(int(length)); err != nil {
		return nil, err
	}
	if !whole {
		r.ended = true
		r.report("", fmt.Sprintf("the end of the file after %d of the %d bytes of a record", len(r.body), length), "a whole bag")
	}
	if op == bag1Chunk {
		r.openChunk1(head, r.body, whole)
		return nil, nil
	}
	if !whole {
		return nil, nil
	}
	return r.take1(head, r.body), nil
}

// openChunk1 makes the records of a chunk those that are read next.
func (r *Reader) openChunk1(head header1, data []byte, whole bool) {
	size, ok := head.number("size", 4)
	compression := string(head.value("compression"))
	if !ok || size > MaxChunk {
		r.report("", fmt.Sprintf("a chunk of %d bytes once expanded", size), fmt.Sprintf("one that says its size, at most %d", MaxChunk))
		return
	}
	var in io.Reader
	switch compression {
	case "none", "":
		r.chunk, r.place.Inner = data, 0
		return
	case "lz4":
		if r.lz4 == nil {
			r.lz4 = lz4.NewReader(nil)
		}
		r.lz4.Reset(bytes.NewReader(data))
		in = r.lz4
	case "bz2":
		in = bzip2.NewReader(bytes.NewReader(data))
	default:
		r.report("", fmt.Sprintf("a chunk compressed by %q", clip(compression)), "none, lz4 or bz2")
		return
	}
	records, err := r.fill(in, int(size))
	if err != nil && whole {
		r.report("", "a chunk that cannot be expanded ("+err.Error()+")", "records compressed by "+compression)
	}
	r.chunk, r.place.Inner = records, 0
}

// take1 takes in a connection, and gives a message.
func (r *Reader) take1(head header1, data []byte) *Message {
	switch head.op() {
	case bag1Connection:
		r.connect(head, header1(data))
	case bag1Message:
		return r.message1(head, data)
	case bag1Chunk:
		r.report("", "a chunk within a chunk", "messages")
	}
	return nil
}

func (r *Reader) connect(head, says header1) {
	id, ok := head.number("conn", 4)
	topic := string(head.value("topic"))
	if topic == "" {
		topic = string(says.value("topic"))
	}
	if !ok || topic == "" {
		r.report("", "a connection without an id or a topic", "one of a bag")
		return
	}
	if r.bag1.connections[uint32(id)] != nil {
		return // it is repeated in each chunk that has it, and in the end
	}
	c := &Channel{Topic: topic, Type: string(says.value("type")), Encoding: "ros1", SchemaEncoding: "ros1msg", Schema: bytes.Clone(says.value("message_definition"))}
	for _, name := range []string{"md5sum", "callerid", "latching"} {
		if v := says.value(name); len(v) > 0 {
			if c.Metadata == nil {
				c.Metadata = map[string]string{}
			}
			c.Metadata[name] = string(v)
		}
	}
	r.bag1.connections[uint32(id)] = c
	r.order = append(r.order, c)
}

func (r *Reader) message1(head header1, data []byte) *Message {
	id, ok := head.number("conn", 4)
	at, timed := head.number("time", 8)
	if !ok || !timed {
		r.report("", "a message without a connection or a time", "both")
		return nil
	}
	c := r.bag1.connections[uint32(id)]
	if c == nil {
		r.report("", fmt.Sprintf("a message of connection %d, of which nothing is known", id), "the connection before its messages")
		return nil
	}
	stamp := (at&math.MaxUint32)*1e9 + at>>32 // seconds, then nanoseconds
	r.next = Message{Channel: c, LogTime: stamp, PublishTime: stamp, Data: data, Place: r.place}
	return &r.next
}

// header1 is the header of a record, or of a connection: fields that say how long they are, as
// name=value.
type header1 []byte

// value is that of a field, nil where there is none.
func (h header1) value(name string) []byte {
	for rest := []byte(h); len(rest) >= 4; {
		n := binary.LittleEndian.Uint32(rest)
		if uint64(n) > uint64(len(rest)-4) {
			return nil
		}
		key, value, ok := bytes.Cut(rest[4:4+n], []byte{'='})
		if ok && string(key) == name {
			return value
		}
		rest = rest[4+n:]
	}
	return nil
}

// number is that of a field of so many bytes; ok is false where there is none.
func (h header1) number(name string, size int) (n uint64, ok bool) {
	v := h.value(name)
	if len(v) != size {
		return 0, false
	}
	var b [8]byte
	copy(b[:], v)
	return binary.LittleEndian.Uint64(b[:]), true
}

// op is what kind of record it is, 0 where the header does not say.
func (h header1) op() byte {
	n, _ := h.number("op", 1)
	return byte(n)
}
