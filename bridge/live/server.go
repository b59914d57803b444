package live

import (
	"context"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"net/http"
	"sync"

	"github.com/coder/websocket"

	"github.com/mishap-robotics/mishap/bridge/recording"
)

// Server publishes messages by the Foxglove WebSocket protocol, to any number of clients. Who
// comes late is told the last messages first.
type Server struct {
	name     string
	origins  []string
	channels []recording.Channel

	mu      sync.Mutex
	clients map[*listener]bool
	kept    []kept
	bytes   int // of kept
}

// kept is a message that late clients are told too.
type kept struct {
	channel int
	at      uint64
	data    []byte
}

// Numbers of clients.
const (
	mostClients   = 64
	mostLate      = 1000 // messages that late clients are told
	mostLateBytes = 16 << 20
	mostWaiting   = 2 * mostLate
	maxRequest    = 1 << 20 // bytes
)

// NewServer publishes to clients whose origin matches one of some patterns, as
// websocket.AcceptOptions has them, and to those that have none.
func NewServer(name string, channels []recording.Channel, origins []string) *Server {
	return &Server{name: name, channels: channels, origins: origins, clients: map[*listener]bool{}}
}

// listener is a client of the server.
type listener struct {
	frames        chan []byte
	subscriptions map[int]uint32 // by channel
	close         context.CancelFunc
}

// Publish sends a message to the clients that have subscribed to its topic. A client that does
// not keep up is let go.
func (s *Server) Publish(m recording.Addition) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for i := range s.channels {
		if s.channels[i].Topic != m.Topic {
			continue
		}
		s.kept, s.bytes = append(s.kept, kept{i, m.LogTime, m.Data}), s.bytes+len(m.Data)
		for len(s.kept) > mostLate || s.bytes > mostLateBytes && len(s.kept) > 1 {
			s.bytes -= len(s.kept[0].data)
			s.kept = append(s.kept[:0], s.kept[1:]...)
		}
		for c := range s.clients {
			if id, ok := c.subscriptions[i]; ok {
				c.send(id, &s.kept[len(s.kept)-1])
			}
		}
	}
}

// send queues a message; the server is locked.
func (c *listener) send(subscription uint32, k *kept) {
	frame := binary.LittleEndian.AppendUint32([]byte{1}, subscription)
	frame = append(binary.LittleEndian.AppendUint64(frame, k.at), k.data...)
	select {
	case c.frames <- frame:
	default:
		c.close()
	}
}

// ServeHTTP takes a client.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	conn, err := websocket.Accept(w, r, &websocket.AcceptOptions{Subprotocols: Subprotocols, OriginPatterns: s.origins})
	if err != nil {
		return
	}
	defer conn.CloseNow()
	conn.SetReadLimit(maxRequest)
	if conn.Subprotocol() == "" {
		conn.Close(websocket.StatusPolicyViolation, "expected the subprotocol "+Subprotocols[0])
		return
	}
	ctx, cancel := context.WithCancel(r.Context())
	defer cancel()
	c := &listener{frames: make(chan []byte, mostWaiting), subscriptions: map[int]uint32{}, close: cancel}
	if !s.add(c) {
		conn.Close(websocket.StatusTryAgainLater, "too many clients")
		return
	}
	defer s.remove(c)
	for _, what := range []any{map[string]any{"op": "serverInfo", "name": s.name, "capabilities": []string{}}, map[string]any{"op": "advertise", "channels": s.advertised()}} {
		text, err := json.Marshal(what)
		if err != nil || conn.Write(ctx, websocket.MessageText, text) != nil {
			return
		}
	}
	go func() {
		defer cancel()
		for {
			select {
			case <-ctx.Done():
				return
			case frame := <-c.frames:
				if conn.Write(ctx, websocket.MessageBinary, frame) != nil {
					return
				}
			}
		}
	}()
	for {
		kind, data, err := conn.Read(ctx)
		if err != nil {
			return
		}
		if kind == websocket.MessageText {
			s.request(c, data)
		}
	}
}

func (s *Server) add(c *listener) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.clients) >= mostClients {
		return false
	}
	s.clients[c] = true
	return true
}

func (s *Server) remove(c *listener) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.clients, c)
}

// advertised are the channels, whose ids are their places from 1 on.
func (s *Server) advertised() []advertised {
	var out []advertised
	for i, c := range s.channels {
		a := advertised{ID: uint32(i + 1), Topic: c.Topic, Encoding: c.Encoding, SchemaName: c.Type, Schema: string(c.Schema), SchemaEncoding: c.SchemaEncoding}
		if c.SchemaEncoding == "protobuf" {
			a.Schema = base64.StdEncoding.EncodeToString(c.Schema)
		}
		out = append(out, a)
	}
	return out
}

// request takes in what a client asks for; what is no request is passed over.
func (s *Server) request(c *listener, data []byte) {
	var r struct {
		Op            string `json:"op"`
		Subscriptions []struct {
			ID      uint32 `json:"id"`
			Channel uint32 `json:"channelId"`
		} `json:"subscriptions"`
		IDs []uint32 `json:"subscriptionIds"`
	}
	if json.Unmarshal(data, &r) != nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	switch r.Op {
	case "subscribe":
		for _, sub := range r.Subscriptions {
			channel := int(sub.Channel) - 1
			if _, has := c.subscriptions[channel]; has || channel < 0 || channel >= len(s.channels) {
				continue
			}
			c.subscriptions[channel] = sub.ID
			for i := range s.kept {
				if s.kept[i].channel == channel {
					c.send(sub.ID, &s.kept[i])
				}
			}
		}
	case "unsubscribe":
		for _, id := range r.IDs {
			for channel, has := range c.subscriptions {
				if has == id {
					delete(c.subscriptions, channel)
				}
			}
		}
	}
}
