// Package live reads what a robot tells while it goes on: messages by the Foxglove WebSocket
// protocol, as foxglove_bridge and Foxglove's SDK serve them.
package live

import (
	"context"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/url"
	"slices"
	"time"

	"github.com/cenkalti/backoff/v5"
	"github.com/coder/websocket"

	"github.com/mishap-robotics/mishap/bridge/internal/input"
	"github.com/mishap-robotics/mishap/bridge/recording"
)

// Subprotocols are those that the client speaks.
var Subprotocols = []string{"foxglove.sdk.v1", "foxglove.websocket.v1"}

// Numbers of connections.
const (
	maxMessage = 64 << 20 // bytes
	handshake  = 10 * time.Second
	heartbeat  = 5 * time.Second  // between pings
	silence    = 10 * time.Second // without a pong, after which a connection is taken for lost
	mostKept   = 5                // problems of a topic that are told
)

// Client reads the messages of some topics of a robot. It is no recording, but is read like
// one.
type Client struct {
	URL    string
	Topics []string // that are wanted
	// Reconnect is whether a connection that is lost is made anew.
	Reconnect bool
	// Tell is told what is odd.
	Tell func(string)

	ctx      context.Context
	conn     *websocket.Conn
	stop     context.CancelFunc // of the pings of conn
	channels []*recording.Channel
	of       map[uint32]*recording.Channel // by subscription
	ids      map[uint32]uint32             // subscriptions by channel of the server
	next     uint32
	count    int64 // of messages
	told     map[string]int
	message  recording.Message
}

// Connect connects. The error is an *input.Error.
func (c *Client) Connect(ctx context.Context) error {
	u, err := url.Parse(c.URL)
	if err != nil || u.Host == "" || u.Scheme != "ws" && u.Scheme != "wss" {
		return &input.Error{File: c.URL, Found: "no address of a WebSocket", Expected: "such as ws://robot:8765"}
	}
	c.ctx, c.told = ctx, map[string]int{}
	if err := c.dial(); err != nil {
		return &input.Error{File: c.URL, Found: "no connection (" + input.Clip(err.Error()) + ")", Expected: "a server of the Foxglove WebSocket protocol, such as foxglove_bridge", Err: err}
	}
	return nil
}

func (c *Client) dial() error {
	within, cancel := context.WithTimeout(c.ctx, handshake)
	defer cancel()
	conn, _, err := websocket.Dial(within, c.URL, &websocket.DialOptions{Subprotocols: Subprotocols})
	if err != nil {
		return err
	}
	if !slices.Contains(Subprotocols, conn.Subprotocol()) {
		conn.CloseNow()
		return fmt.Errorf("the server speaks the subprotocol %q", conn.Subprotocol())
	}
	conn.SetReadLimit(maxMessage)
	c.conn, c.of, c.ids = conn, map[uint32]*recording.Channel{}, map[uint32]uint32{}
	alive, stop := context.WithCancel(c.ctx)
	c.stop = stop
	go keep(alive, conn)
	return nil
}

// keep closes a connection that does not answer any more.
func keep(ctx context.Context, conn *websocket.Conn) {
	ticks := time.NewTicker(heartbeat)
	defer ticks.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticks.C:
		}
		within, cancel := context.WithTimeout(ctx, silence)
		err := conn.Ping(within)
		cancel()
		if err != nil {
			conn.CloseNow()
			return
		}
	}
}

// Close ends the connection.
func (c *Client) Close() {
	if c.conn != nil {
		c.stop()
		c.conn.Close(websocket.StatusNormalClosure, "")
		c.conn = nil
	}
}

// Channels are those of the wanted topics that the robot has told of.
func (c *Client) Channels() []*recording.Channel { return c.channels }

// Missing are the topics that are wanted and of which the robot has not told.
func (c *Client) Missing() []string {
	return slices.DeleteFunc(slices.Clone(c.Topics), func(topic string) bool {
		return slices.ContainsFunc(c.channels, func(o *recording.Channel) bool { return o.Topic == topic })
	})
}

// Next is the next message of a wanted topic, which holds until Next is called again. The error
// is io.EOF where the connection or its context has ended.
func (c *Client) Next() (*recording.Message, error) {
	for {
		if c.conn == nil && !c.again() {
			return nil, io.EOF
		}
		kind, data, err := c.conn.Read(c.ctx)
		if err != nil {
			c.stop()
			c.conn.CloseNow()
			c.conn = nil
			if c.ctx.Err() != nil || !c.Reconnect {
				return nil, io.EOF
			}
			c.Tell("the connection is lost (" + input.Clip(err.Error()) + "); trying again")
			continue
		}
		if kind == websocket.MessageText {
			answer, err := c.operation(data)
			if err != nil {
				c.complain("", err.Error())
			}
			if answer != nil {
				// where it fails, so does the next reading
				_ = c.conn.Write(c.ctx, websocket.MessageText, answer)
			}
			continue
		}
		if m := c.binary(data); m != nil {
			return m, nil
		}
	}
}

// again makes the connection anew, as often as it takes, and waits longer each time.
func (c *Client) again() bool {
	if !c.Reconnect {
		return false
	}
	_, err := backoff.Retry(c.ctx, func() (struct{}, error) { return struct{}{}, c.dial() }, backoff.WithBackOff(backoff.NewExponentialBackOff()), backoff.WithMaxElapsedTime(0))
	if err == nil {
		c.Tell("connected again")
	}
	return err == nil
}

// advertised is a channel as servers tell of it.
type advertised struct {
	ID             uint32 `json:"id"`
	Topic          string `json:"topic"`
	Encoding       string `json:"encoding"`
	SchemaName     string `json:"schemaName"`
	Schema         string `json:"schema"`
	SchemaEncoding string `json:"schemaEncoding"`
}

// operation takes in what the server says in JSON, and gives the answer, nil for none.
func (c *Client) operation(data []byte) (answer []byte, err error) {
	var o struct {
		Op         string       `json:"op"`
		Channels   []advertised `json:"channels"`
		ChannelIDs []uint32     `json:"channelIds"`
		Level      int          `json:"level"`
		Message    string       `json:"message"`
	}
	if err := json.Unmarshal(data, &o); err != nil {
		return nil, errors.New("found what is no operation of the protocol (" + input.Clip(err.Error()) + ")")
	}
	switch o.Op {
	case "advertise":
		return c.subscribe(o.Channels)
	case "unadvertise":
		for _, id := range o.ChannelIDs {
			delete(c.of, c.ids[id])
			delete(c.ids, id)
		}
	case "status":
		if o.Level > 0 {
			return nil, errors.New("the server says: " + input.Clip(o.Message))
		}
	}
	return nil, nil
}

// usual are the encodings of schemas that servers leave out.
var usual = map[string]string{"cdr": "ros2msg", "ros1": "ros1msg", "json": "jsonschema", "protobuf": "protobuf"}

// subscribe is the request for the channels of topics that are wanted, nil where there are none.
func (c *Client) subscribe(all []advertised) (request []byte, bad error) {
	type subscription struct {
		ID      uint32 `json:"id"`
		Channel uint32 `json:"channelId"`
	}
	var wanted []subscription
	for _, a := range all {
		if _, has := c.ids[a.ID]; has || !slices.Contains(c.Topics, a.Topic) {
			continue
		}
		out := &recording.Channel{Topic: a.Topic, Type: a.SchemaName, Encoding: a.Encoding, SchemaEncoding: a.SchemaEncoding, Schema: []byte(a.Schema)}
		if out.SchemaEncoding == "" {
			out.SchemaEncoding = usual[a.Encoding]
		}
		if out.SchemaEncoding == "protobuf" {
			set, err := base64.StdEncoding.DecodeString(a.Schema)
			if err != nil {
				bad = fmt.Errorf("%s: found a schema that is no base 64; expected the descriptors of a protobuf message", input.Clip(a.Topic))
				continue
			}
			out.Schema = set
		}
		c.next++
		c.of[c.next], c.ids[a.ID] = out, c.next
		if i := slices.IndexFunc(c.channels, func(o *recording.Channel) bool { return o.Topic == a.Topic }); i >= 0 {
			c.channels[i] = out
		} else {
			c.channels = append(c.channels, out)
		}
		wanted = append(wanted, subscription{c.next, a.ID})
	}
	if len(wanted) == 0 {
		return nil, bad
	}
	request, err := json.Marshal(map[string]any{"op": "subscribe", "subscriptions": wanted})
	return request, errors.Join(bad, err)
}

// binary takes in a message, nil where it is none of a wanted topic.
func (c *Client) binary(data []byte) *recording.Message {
	const messageData, head = 1, 1 + 4 + 8
	if len(data) == 0 || data[0] != messageData {
		return nil // the time of the server, and others
	}
	if len(data) < head {
		c.complain("", fmt.Sprintf("found a message of %d bytes; expected at least %d", len(data), head))
		return nil
	}
	of := c.of[binary.LittleEndian.Uint32(data[1:])]
	if of == nil {
		return nil // it was on its way when its channel was taken back
	}
	at := binary.LittleEndian.Uint64(data[5:])
	c.count++
	c.message = recording.Message{Channel: of, LogTime: at, PublishTime: at, Data: data[head:], Place: recording.Place{Offset: c.count, Inner: -1, Row: true}}
	return &c.message
}

// Report tells of a problem with a message, of each topic the first few.
func (c *Client) Report(p recording.Problem) { c.complain(p.Topic, p.String()) }

func (c *Client) complain(topic, text string) {
	if c.told[topic]++; c.told[topic] <= mostKept {
		c.Tell(text)
	}
	if c.told[topic] == mostKept {
		c.Tell("further problems of this kind are not told")
	}
}

// Problems is nil: they are told as they arise.
func (c *Client) Problems() []recording.Problem { return nil }
