package recording

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/foxglove/mcap/go/mcap"
)

// Addition is a message in JSON that a copy of a recording has beside its own.
type Addition struct {
	Topic   string
	Type    string
	Schema  []byte // in JSON Schema
	LogTime uint64 // nanoseconds
	Data    []byte
}

// chunkSize is how large the chunks of a copy are, in bytes.
const chunkSize = 1 << 20

// Copy writes as MCAP what can be read of a recording, whatever its form: its messages as
// they are, in their order, with the attachments and metadata of an MCAP file, and messages
// that are added, in the order of their times. Problems tells what is left out. The error is
// that of reading, an *input.Error, or of writing.
func Copy(to io.Writer, r *Reader, added []Addition) error {
	c, err := newCopier(to, func() string { return r.profile })
	if err != nil {
		return err
	}
	r.other = c.other
	defer func() { r.other = nil }()
	added = slices.SortedStableFunc(slices.Values(added), func(a, b Addition) int { return cmp.Compare(a.LogTime, b.LogTime) })
	for {
		m, err := r.Next()
		if c.err != nil {
			return c.err
		}
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return err
		}
		for len(added) > 0 && added[0].LogTime < m.LogTime {
			if err := c.add(&added[0]); err != nil {
				return err
			}
			added = added[1:]
		}
		if err := c.take(m); err != nil {
			return err
		}
	}
	for i := range added {
		if err := c.add(&added[i]); err != nil {
			return err
		}
	}
	return c.close()
}

// Write writes messages as an MCAP file.
func Write(to io.Writer, messages []Message) error {
	c, err := newCopier(to, func() string { return "" })
	if err != nil {
		return err
	}
	for i := range messages {
		if err := c.take(&messages[i]); err != nil {
			return err
		}
	}
	return c.close()
}

type schemaKey struct{ name, encoding, data string }

type channelKey struct {
	topic, encoding string
	schema          uint16
}

// copier writes a copy. Ids are given anew: two files of a bag may give them differently.
type copier struct {
	out      *mcap.Writer
	profile  func() string // known once a message is
	begun    bool
	err      error // of what other wrote
	schemas  map[schemaKey]uint16
	channels map[channelKey]uint16
	known    map[*Channel]uint16
	sequence uint32 // of what is added
}

func newCopier(to io.Writer, profile func() string) (*copier, error) {
	out, err := mcap.NewWriter(to, &mcap.WriterOptions{Chunked: true, ChunkSize: chunkSize, Compression: mcap.CompressionZSTD, IncludeCRC: true})
	if err != nil {
		return nil, err
	}
	return &copier{out: out, profile: profile, schemas: map[schemaKey]uint16{}, channels: map[channelKey]uint16{}, known: map[*Channel]uint16{}}, nil
}

// take writes a message.
func (c *copier) take(m *Message) (err error) {
	id, known := c.known[m.Channel]
	if !known {
		if id, err = c.channel(m.Channel); err != nil {
			return err
		}
		c.known[m.Channel] = id
	}
	return c.write(&mcap.Message{ChannelID: id, Sequence: m.Sequence, LogTime: m.LogTime, PublishTime: m.PublishTime, Data: m.Data})
}

func (c *copier) close() error {
	if err := c.begin(); err != nil {
		return err
	}
	return c.out.Close()
}

func (c *copier) begin() error {
	if c.begun {
		return nil
	}
	c.begun = true
	return c.out.WriteHeader(&mcap.Header{Profile: c.profile(), Library: "mishap"})
}

func (c *copier) write(m *mcap.Message) error { return c.out.WriteMessage(m) }

// channel is the id of a channel of the copy.
func (c *copier) channel(of *Channel) (uint16, error) {
	if err := c.begin(); err != nil {
		return 0, err
	}
	var schema uint16 // 0 is none
	if of.Type != "" || len(of.Schema) > 0 {
		key := schemaKey{of.Type, of.SchemaEncoding, string(of.Schema)}
		if schema = c.schemas[key]; schema == 0 {
			schema = uint16(len(c.schemas) + 1)
			if schema == 0 {
				return 0, errors.New("more than 65,535 schemas")
			}
			c.schemas[key] = schema
			if err := c.out.WriteSchema(&mcap.Schema{ID: schema, Name: of.Type, Encoding: of.SchemaEncoding, Data: of.Schema}); err != nil {
				return 0, err
			}
		}
	}
	key := channelKey{of.Topic, of.Encoding, schema}
	if id := c.channels[key]; id != 0 {
		return id, nil
	}
	id := uint16(len(c.channels) + 1)
	if id == 0 {
		return 0, errors.New("more than 65,535 channels")
	}
	c.channels[key] = id
	return id, c.out.WriteChannel(&mcap.Channel{ID: id, SchemaID: schema, Topic: of.Topic, MessageEncoding: of.Encoding, Metadata: of.Metadata})
}

func (c *copier) add(a *Addition) error {
	id, err := c.channel(&Channel{Topic: a.Topic, Type: a.Type, Encoding: "json", SchemaEncoding: "jsonschema", Schema: a.Schema})
	if err != nil {
		return err
	}
	c.sequence++
	return c.write(&mcap.Message{ChannelID: id, Sequence: c.sequence, LogTime: a.LogTime, PublishTime: a.LogTime, Data: a.Data})
}

// other copies a record that is no message.
func (c *copier) other(op mcap.OpCode, body []byte) error {
	if c.err = c.begin(); c.err != nil {
		return nil
	}
	switch op {
	case mcap.OpMetadata:
		m, err := mcap.ParseMetadata(body)
		if err != nil {
			return err
		}
		c.err = c.out.WriteMetadata(m)
	case mcap.OpAttachment:
		a, err := parseAttachment(body)
		if err != nil {
			return err
		}
		c.err = c.out.WriteAttachment(a)
	}
	return nil
}

func parseAttachment(body []byte) (*mcap.Attachment, error) {
	rest := body
	number := func(n int) uint64 {
		var b [8]byte
		if copy(b[:n], rest) < n {
			rest = nil
			return 0
		}
		rest = rest[n:]
		return binary.LittleEndian.Uint64(b[:])
	}
	text := func() string {
		n := number(4)
		if n > uint64(len(rest)) {
			rest = nil
			return ""
		}
		s := string(rest[:n])
		rest = rest[n:]
		return s
	}
	a := &mcap.Attachment{LogTime: number(8), CreateTime: number(8), Name: text(), MediaType: text(), DataSize: number(8)}
	const checksum = 4
	if rest == nil || uint64(len(rest)) < a.DataSize || uint64(len(rest))-a.DataSize != checksum {
		return nil, fmt.Errorf("%d bytes, which are no attachment", len(body))
	}
	a.Data = bytes.NewReader(rest[:a.DataSize])
	return a, nil
}
