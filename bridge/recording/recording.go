// Package recording reads what robots record: MCAP files, rosbag2's SQLite files and bags of
// ROS 1, with messages in CDR, as ROS 1 writes them, in JSON or Protocol Buffers. A recording is read from its begin to its end, with no need for its index,
// in memory that its chunks bound. What cannot be read of it is named, and what can be
// is read.
package recording

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"

	"github.com/foxglove/mcap/go/mcap"
	"github.com/klauspost/compress/zstd"
	"github.com/pierrec/lz4/v4"

	"github.com/mishap-robotics/mishap/bridge/internal/input"
)

// Suffix is what the names of recordings end in.
const Suffix = ".mcap"

// MaxChunk is how large a chunk may be, in bytes, as it is stored and once expanded.
const MaxChunk = 256 << 20

// Message is one of a recording. Its data holds until the next is read.
type Message struct {
	Channel     *Channel
	LogTime     uint64 // when it was recorded, in nanoseconds
	PublishTime uint64 // when it was sent, in nanoseconds
	Sequence    uint32 // that its sender gave it; 0 where the recording has none
	Data        []byte
	Place       Place
}

// Place is where something stands in a recording.
type Place struct {
	Offset int64 // of the record of the file, in bytes
	Inner  int   // within that once expanded, where it is a chunk; else -1
	Row    bool  // Offset is the id of a message of a bag in SQLite
}

func (p Place) String() string {
	if p.Row {
		return fmt.Sprintf("message %d", p.Offset)
	}
	if p.Inner >= 0 {
		return fmt.Sprintf("byte %d of the chunk at byte %d", p.Inner, p.Offset)
	}
	return fmt.Sprintf("byte %d", p.Offset)
}

// Reader reads a recording.
type Reader struct {
	file   string
	in     *bufio.Reader
	close  io.Closer
	bag    *bag  // in place of in
	bag1   *bag1 // nil where it is no bag of ROS 1
	offset int64 // of what is read next

	schemas  map[uint16]*mcap.Schema
	channels map[uint16]*Channel
	order    []*Channel

	chunk    []byte // records that are left of it
	place    Place
	unsure   bool // the chunk is not as it was written: its messages are not read
	ended    bool
	body     []byte
	expanded []byte
	zstd     *zstd.Decoder
	lz4      *lz4.Reader

	profile string                                  // of the header: ros1, ros2 or another
	other   func(op mcap.OpCode, body []byte) error // is shown attachments and metadata; nil passes them over

	problems []Problem
	kept     map[string]int // problems by topic
	next     Message
}

// Open opens a recording of a file system: an MCAP file, a bag of ROS 1, or one of rosbag2, which
// is a folder or one of its SQLite files. The error is an *input.Error.
func Open(fsys fs.FS, name string) (*Reader, error) {
	if strings.HasSuffix(name, BagSuffix) || IsFolder(fsys, name) {
		return openBag(fsys, name)
	}
	f, err := input.Open(fsys, name)
	if err != nil {
		return nil, err
	}
	r, err := NewReader(name, f)
	if err != nil {
		f.Close()
		return nil, err
	}
	r.close = f
	return r, nil
}

// NewReader reads a recording; file is its name in messages. The error is an *input.Error.
func NewReader(file string, in io.Reader) (*Reader, error) {
	r := &Reader{file: file, schemas: map[uint16]*mcap.Schema{}, channels: map[uint16]*Channel{}, kept: map[string]int{}}
	if seeker, ok := in.(io.ReadSeeker); ok {
		if err := r.summary(seeker); err != nil {
			return nil, &input.Error{File: file, Found: "a read error (" + err.Error() + ")", Expected: "a readable file", Err: err}
		}
	}
	r.in = bufio.NewReaderSize(in, 1<<16)
	magic, err := r.in.Peek(len(bag1Magic))
	switch {
	case err != nil && len(magic) == 0 && errors.Is(err, io.EOF):
		return nil, &input.Error{File: file, Found: "an empty file", Expected: aRecording, Err: input.ErrEmpty}
	case err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF):
		return nil, &input.Error{File: file, Found: "a read error (" + err.Error() + ")", Expected: "a readable file", Err: err}
	case string(magic) == bag1Magic:
		r.bag1, r.profile = &bag1{map[uint32]*Channel{}}, "ros1"
		return r, r.begin(len(bag1Magic))
	case bytes.HasPrefix(magic, []byte("#ROSBAG V1")):
		return nil, &input.Error{File: file, Found: fmt.Sprintf("a bag of ROS 1 that begins with %q", magic), Expected: "format 2.0; \"rosbag fix\" makes one"}
	case !bytes.HasPrefix(magic, mcap.Magic):
		return nil, &input.Error{File: file, Found: fmt.Sprintf("a file that begins with %q", magic[:min(len(magic), len(mcap.Magic))]), Expected: aRecording + ", which begins with " + fmt.Sprintf("%q", mcap.Magic)}
	}
	return r, r.begin(len(mcap.Magic))
}

const aRecording = "a recording (MCAP, or a bag of ROS)"

// begin passes over so many bytes, which are there.
func (r *Reader) begin(n int) error {
	n, err := r.in.Discard(n)
	r.offset = int64(n)
	return err
}

// Close closes the file that Open opened.
func (r *Reader) Close() error {
	if r.zstd != nil {
		r.zstd.Close()
	}
	if r.bag != nil {
		return r.bag.Close()
	}
	if r.close == nil {
		return nil
	}
	return r.close.Close()
}

// Channels are those that the end of the recording lists, and those that were met so far.
func (r *Reader) Channels() []*Channel { return r.order }

// Next is the next message in the order of the file, which holds until Next is called again.
// At the end the error is io.EOF, also where the recording breaks off: Problems tells.
func (r *Reader) Next() (*Message, error) {
	if r.bag != nil {
		return r.nextOfBag()
	}
	if r.bag1 != nil {
		return r.nextOfBag1()
	}
	for {
		if m := r.inChunk(); m != nil {
			return m, nil
		}
		if r.ended {
			return nil, io.EOF
		}
		m, err := r.record()
		if err != nil {
			return nil, err
		}
		if m != nil {
			return m, nil
		}
	}
}

// record reads a record of the file; it gives a message where it is one.
func (r *Reader) record() (*Message, error) {
	var head [9]byte
	r.place = Place{Offset: r.offset, Inner: -1}
	n, err := io.ReadFull(r.in, head[:])
	r.offset += int64(n)
	if err != nil {
		return nil, r.end(err, "the end of the file without that of the recording")
	}
	op, length := mcap.OpCode(head[0]), binary.LittleEndian.Uint64(head[1:])
	switch op {
	case mcap.OpFooter, mcap.OpDataEnd:
		r.ended = true
		return nil, nil
	case mcap.OpAttachment, mcap.OpMetadata:
		if r.other == nil {
			return nil, r.skip(length)
		}
		fallthrough
	case mcap.OpHeader, mcap.OpSchema, mcap.OpChannel, mcap.OpMessage, mcap.OpChunk:
		if length <= MaxChunk {
			break
		}
		r.report("", fmt.Sprintf("%s of %d bytes", record(op), length), fmt.Sprintf("at most %d", MaxChunk))
		fallthrough
	default:
		return nil, r.skip(length)
	}
	whole, err := r.read(int(length))
	if err != nil {
		return nil, err
	}
	if !whole {
		r.ended = true
		r.report("", fmt.Sprintf("the end of the file after %d of the %d bytes of %s", len(r.body), length, record(op)), "a whole recording")
		if op != mcap.OpChunk {
			return nil, nil
		}
	}
	if op == mcap.OpChunk {
		r.openChunk(r.body, whole)
		return nil, nil
	}
	return r.take(op, r.body), nil
}

// record is the name of a record in messages.
func record(op mcap.OpCode) string {
	switch op {
	case mcap.OpChunk:
		return "a chunk"
	case mcap.OpMessage:
		return "a message"
	case mcap.OpSchema:
		return "a schema"
	case mcap.OpChannel:
		return "a channel"
	case mcap.OpAttachment:
		return "an attachment"
	}
	return "a record"
}

// end ends the reading for an error; only one of the file itself is returned.
func (r *Reader) end(err error, found string) error {
	r.ended = true
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, input.ErrDamaged) {
		r.report("", found, "a whole recording")
		return nil
	}
	return &input.Error{File: r.file, Found: "a read error (" + err.Error() + ")", Expected: "a readable file", Err: err}
}

func (r *Reader) skip(length uint64) error {
	for length > 0 {
		n, err := r.in.Discard(int(min(length, 1<<30)))
		length -= uint64(n)
		r.offset += int64(n)
		if err != nil {
			return r.end(err, "the end of the file in a record")
		}
	}
	return nil
}

// read reads a record into r.body, as far as the file goes, in memory that grows with what
// there is.
func (r *Reader) read(length int) (whole bool, err error) {
	const step = 1 << 20
	r.body = r.body[:0]
	for len(r.body) < length {
		n := min(length, max(step, 2*len(r.body)))
		if n > cap(r.body) {
			r.body = append(make([]byte, 0, n), r.body...)
		}
		had := len(r.body)
		r.body = r.body[:n]
		got, err := io.ReadFull(r.in, r.body[had:])
		r.body = r.body[:had+got]
		r.offset += int64(got)
		if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, input.ErrDamaged) {
			return false, nil
		}
		if err != nil {
			return false, &input.Error{File: r.file, Found: "a read error (" + err.Error() + ")", Expected: "a readable file", Err: err}
		}
	}
	return true, nil
}

// inChunk is the next message of the chunk that is open, nil where none is left.
func (r *Reader) inChunk() *Message {
	for len(r.chunk) > 0 {
		rest := r.chunk
		if len(rest) < 9 {
			r.report("", fmt.Sprintf("%d bytes at the end of a chunk", len(rest)), "a whole record")
			r.chunk = nil
			return nil
		}
		op, length := mcap.OpCode(rest[0]), binary.LittleEndian.Uint64(rest[1:])
		if length > uint64(len(rest)-9) {
			if !r.ended { // else it was told already that the file breaks off
				r.report("", fmt.Sprintf("%s of %d bytes", record(op), length), fmt.Sprintf("no more than the %d left of the chunk", len(rest)-9))
			}
			r.chunk = nil
			return nil
		}
		body := rest[9 : 9+length]
		r.chunk = rest[9+length:]
		m := r.take(op, body)
		r.place.Inner += 9 + int(length)
		if m != nil {
			return m
		}
	}
	return nil
}

// take takes in a schema or channel, and gives a message.
func (r *Reader) take(op mcap.OpCode, body []byte) *Message {
	switch op {
	case mcap.OpSchema:
		s, err := mcap.ParseSchema(body)
		if err != nil {
			r.report("", "a schema that cannot be read ("+err.Error()+")", "one of MCAP")
			return nil
		}
		r.schemas[s.ID] = s
	case mcap.OpChannel:
		c, err := mcap.ParseChannel(body)
		if err != nil {
			r.report("", "a channel that cannot be read ("+err.Error()+")", "one of MCAP")
			return nil
		}
		r.addChannel(c)
	case mcap.OpMessage:
		return r.message(body)
	case mcap.OpHeader:
		if h, err := mcap.ParseHeader(body); err == nil {
			r.profile = h.Profile
		}
	case mcap.OpAttachment, mcap.OpMetadata:
		if r.other == nil {
			return nil
		}
		if err := r.other(op, body); err != nil {
			r.report("", fmt.Sprintf("%s that cannot be read (%s)", record(op), clip(err.Error())), "one of MCAP; it is left out")
		}
	case mcap.OpChunk:
		r.report("", "a chunk within a chunk", "messages")
	}
	return nil
}

func (r *Reader) addChannel(c *mcap.Channel) {
	if had := r.channels[c.ID]; had != nil && had.Topic == c.Topic && had.schemaID == c.SchemaID && had.Encoding == c.MessageEncoding {
		return // it is repeated in each chunk
	}
	out := &Channel{Topic: c.Topic, Encoding: c.MessageEncoding, Metadata: c.Metadata, schemaID: c.SchemaID}
	if s := r.schemas[c.SchemaID]; s != nil {
		out.Type, out.SchemaEncoding, out.Schema = s.Name, s.Encoding, s.Data
	} else if c.SchemaID != 0 {
		r.report(c.Topic, fmt.Sprintf("no schema %d", c.SchemaID), "the schema of the channel before it")
	}
	r.channels[c.ID] = out
	r.order = append(r.order, out)
}

func (r *Reader) message(body []byte) *Message {
	if r.unsure {
		return nil
	}
	const head = 2 + 4 + 8 + 8
	if len(body) < head {
		r.report("", fmt.Sprintf("a message of %d bytes", len(body)), fmt.Sprintf("at least %d", head))
		return nil
	}
	id := binary.LittleEndian.Uint16(body)
	c := r.channels[id]
	if c == nil {
		r.report("", fmt.Sprintf("a message of channel %d, of which nothing is known", id), "the channel before its messages")
		return nil
	}
	r.next = Message{Channel: c, Sequence: binary.LittleEndian.Uint32(body[2:]), LogTime: binary.LittleEndian.Uint64(body[6:]), PublishTime: binary.LittleEndian.Uint64(body[14:]), Data: body[head:], Place: r.place}
	return &r.next
}
