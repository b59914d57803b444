package live_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/coder/websocket"

	"github.com/mishap-robotics/mishap/bridge/live"
	"github.com/mishap-robotics/mishap/bridge/perception/annotate"
	"github.com/mishap-robotics/mishap/bridge/recording"
)

// Clients are told what is published on the topics that they want, the last messages too where
// they come late.
func TestServer(t *testing.T) {
	s := live.NewServer("mishap", annotate.Channels(), nil)
	at := httptest.NewServer(s)
	defer at.Close()
	publish := func(topic string, n int) {
		s.Publish(recording.Addition{Topic: topic, LogTime: uint64(n), Data: fmt.Appendf(nil, `{"n":%d}`, n)})
	}
	publish(annotate.FindingsTopic, 1)
	publish(annotate.LogTopic, 2)
	publish("/of/nobody", 3)
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	client := func(topics ...string) *live.Client {
		c := &live.Client{URL: "ws" + strings.TrimPrefix(at.URL, "http"), Topics: topics, Tell: func(s string) { t.Error(s) }}
		must(t, c.Connect(ctx))
		return c
	}
	next := func(c *live.Client) string {
		m, err := c.Next()
		must(t, err)
		if m.Channel.SchemaEncoding != "jsonschema" || len(m.Channel.Schema) == 0 {
			t.Errorf("%s has the schema %q", m.Channel.Topic, m.Channel.Schema)
		}
		return fmt.Sprintf("%s %d %s", m.Channel.Topic, m.LogTime, m.Data)
	}
	one, both := client(annotate.FindingsTopic), client(annotate.FindingsTopic, annotate.LogTopic)
	if got, want := next(one), `/mishap/findings 1 {"n":1}`; got != want {
		t.Errorf("told %s; want %s", got, want)
	}
	first := []string{next(both), next(both)}
	slices.Sort(first)
	if got, want := strings.Join(first, ", "), `/mishap/findings 1 {"n":1}, /mishap/log 2 {"n":2}`; got != want {
		t.Errorf("told %s; want %s", got, want)
	}
	publish(annotate.LogTopic, 4)
	publish(annotate.FindingsTopic, 5)
	if got, want := next(one), `/mishap/findings 5 {"n":5}`; got != want {
		t.Errorf("told %s; want %s", got, want)
	}
	if got, want := next(both)+", "+next(both), `/mishap/log 4 {"n":4}, /mishap/findings 5 {"n":5}`; got != want {
		t.Errorf("told %s; want %s", got, want)
	}
	one.Close()
	publish(annotate.FindingsTopic, 6) // to the one that is left
	if got, want := next(both), `/mishap/findings 6 {"n":6}`; got != want {
		t.Errorf("told %s; want %s", got, want)
	}
	cancel()
	if _, err := both.Next(); !errors.Is(err, io.EOF) {
		t.Errorf("after the end: %v", err)
	}
}

// Pages of others may not listen, nor who speaks another protocol.
func TestServerRefuses(t *testing.T) {
	at := httptest.NewServer(live.NewServer("mishap", annotate.Channels(), []string{"*.foxglove.dev"}))
	defer at.Close()
	url := "ws" + strings.TrimPrefix(at.URL, "http")
	ctx := context.Background()
	for origin, allowed := range map[string]bool{"https://app.foxglove.dev": true, "https://elsewhere.example": false} {
		conn, _, err := websocket.Dial(ctx, url, &websocket.DialOptions{Subprotocols: live.Subprotocols, HTTPHeader: http.Header{"Origin": {origin}}})
		if (err == nil) != allowed {
			t.Errorf("%s: %v", origin, err)
		}
		if err == nil {
			conn.CloseNow()
		}
	}
	conn, _, err := websocket.Dial(ctx, url, &websocket.DialOptions{Subprotocols: []string{"chat"}})
	must(t, err)
	defer conn.CloseNow()
	if _, _, err := conn.Read(ctx); websocket.CloseStatus(err) != websocket.StatusPolicyViolation {
		t.Errorf("another protocol: %v", err)
	}
}

// Whatever clients ask for, the server goes on.
func TestServerPassesOverWhatIsNoRequest(t *testing.T) {
	s := live.NewServer("mishap", annotate.Channels(), nil)
	at := httptest.NewServer(s)
	defer at.Close()
	ctx := context.Background()
	conn, _, err := websocket.Dial(ctx, "ws"+strings.TrimPrefix(at.URL, "http"), &websocket.DialOptions{Subprotocols: live.Subprotocols})
	must(t, err)
	defer conn.CloseNow()
	conn.SetReadLimit(1 << 20) // schemas are long
	for _, text := range []string{"no JSON", `{"op":"subscribe","subscriptions":[{"id":1,"channelId":0},{"id":2,"channelId":99},{"id":3,"channelId":4294967295}]}`, `{"op":"unsubscribe","subscriptionIds":[5]}`, `{"op":"subscribe","subscriptions":[{"id":7,"channelId":1}]}`} {
		must(t, conn.Write(ctx, websocket.MessageText, []byte(text)))
	}
	s.Publish(recording.Addition{Topic: annotate.FindingsTopic, LogTime: 1, Data: []byte("{}")})
	for {
		kind, data, err := conn.Read(ctx)
		must(t, err)
		if kind == websocket.MessageBinary {
			if data[1] != 7 {
				t.Errorf("a message of subscription %d", data[1])
			}
			return
		}
	}
}
