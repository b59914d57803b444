package recording

import (
	"errors"
	"fmt"

	"github.com/mishap-robotics/mishap/bridge/recording/cdr"
	"github.com/mishap-robotics/mishap/bridge/recording/message"
)

// Channel is what the messages of a topic are.
type Channel struct {
	Topic          string
	Type           string // such as vision_msgs/msg/Detection3DArray, "" where the recording tells none
	Encoding       string // of messages: cdr, ros1, json, protobuf
	SchemaEncoding string // ros2msg, ros2idl, ros1msg, jsonschema, protobuf
	Schema         []byte
	Metadata       map[string]string // what else its sender said of it

	schemaID uint16
	decoder  decoder
	refused  error // why there is no decoder
}

// decoder decodes messages of a channel.
type decoder interface {
	Decode(m *message.Message, data []byte) error
}

// Decode decodes a message of the channel into m. Its values hold until another message of the
// channel is decoded, and no longer than data. The error says what was found and expected.
func (c *Channel) Decode(m *message.Message, data []byte) error {
	if c.decoder == nil && c.refused == nil {
		c.decoder, c.refused = c.newDecoder()
	}
	if c.refused != nil {
		return c.refused
	}
	return c.decoder.Decode(m, data)
}

func (c *Channel) newDecoder() (decoder, error) {
	switch kind := c.Encoding + "/" + c.SchemaEncoding; {
	case kind == "cdr/ros2msg":
		return orNil(cdr.ParseMsg(c.Type, string(c.Schema)))
	case kind == "cdr/ros2idl":
		return orNil(cdr.ParseIDL(c.Type, string(c.Schema)))
	case kind == "ros1/ros1msg":
		return orNil(cdr.ParseROS1(c.Type, string(c.Schema)))
	case kind == "protobuf/protobuf":
		return orNil(newProtobuf(c.Type, c.Schema))
	case c.Encoding == "json":
		return &jsonDecoder{}, nil
	}
	return nil, &fault{
		found:    fmt.Sprintf("messages in %q with a schema in %q", clip(c.Encoding), clip(c.SchemaEncoding)),
		expected: "cdr with ros2msg or ros2idl, ros1 with ros1msg, protobuf, or json",
	}
}

func orNil[D decoder](d D, err error) (decoder, error) {
	if err != nil {
		return nil, err
	}
	return d, nil
}

// fault is an error of decoding.
type fault struct{ found, expected string }

func (f *fault) Error() string { return "found " + f.found + "; expected " + f.expected }

// Problem is a problem with decoding a message.
func (m *Message) Problem(err error) Problem {
	p := Problem{Topic: m.Channel.Topic, Place: m.Place, Found: err.Error()}
	var data *cdr.Error
	var definition *cdr.DefinitionError
	var other *fault
	switch {
	case errors.As(err, &other):
		p.Found, p.Expected = other.found, other.expected
	case errors.As(err, &data):
		p.Found, p.Expected = fmt.Sprintf("a %s with %s", m.Channel.Type, data.Found), data.Expected
		if data.Field != "" {
			p.Found += " in " + data.Field
		}
	case errors.As(err, &definition):
		p.Found, p.Expected = fmt.Sprintf("%s (definition of %s, line %d)", definition.Found, definition.Type, definition.Line), definition.Expected
	}
	return p
}
