package live_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"
	"github.com/google/go-cmp/cmp"

	"github.com/mishap-robotics/mishap/bridge/live"
	"github.com/mishap-robotics/mishap/bridge/live/livetest"
	"github.com/mishap-robotics/mishap/bridge/logs/jsonl"
	"github.com/mishap-robotics/mishap/bridge/perception"
	"github.com/mishap-robotics/mishap/bridge/perception/mapping"
	"github.com/mishap-robotics/mishap/bridge/perception/render"
	"github.com/mishap-robotics/mishap/bridge/recording"
	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/ontology"
	"github.com/mishap-robotics/mishap/ontology/document"
)

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// robot is the recording of an episode.
func robot(t testing.TB) []byte {
	t.Helper()
	ep, err := jsonl.ReadFile(ontology.Default(), document.Disk{}, "../../testdata/episodes/dropping-obj.jsonl")
	must(t, err)
	var out bytes.Buffer
	must(t, render.Write(&out, ontology.Default(), ep[0], render.Noise{}, 1))
	return out.Bytes()
}

func recognised(t testing.TB, data []byte) *mapping.Mapping {
	t.Helper()
	r, err := recording.NewReader("a.mcap", bytes.NewReader(data))
	must(t, err)
	m, _, err := mapping.Recognise(r)
	must(t, err)
	return m
}

func topics(m *mapping.Mapping) (out []string) {
	for _, t := range m.Topics {
		out = append(out, t.Topic)
	}
	return out
}

// Steps are known live as they are of the recording, by either subprotocol.
func TestLive(t *testing.T) {
	o, data := ontology.Default(), robot(t)
	m := recognised(t, data)
	r, err := recording.NewReader("a.mcap", bytes.NewReader(data))
	must(t, err)
	want, err := perception.Read(o, "a.mcap", r, m)
	must(t, err)
	for i := range want.Steps {
		want.Steps[i].Line = 0 // a stream has no lines of its own
	}
	for _, protocol := range live.Subprotocols {
		c := &live.Client{URL: livetest.New(t, data, protocol, 1), Topics: topics(m), Tell: func(s string) { t.Errorf("%s: %s", protocol, s) }}
		must(t, c.Connect(context.Background()))
		var steps []episode.Step
		id := ""
		must(t, perception.Live(o, c.URL, c, m, func(ep *episode.Episode) error { id = ep.ID; return nil },
			func(st *episode.Step, _ perception.Moment) error { steps = append(steps, *st); return nil }, func(s string) { t.Errorf("odd: %s", s) }))
		c.Close()
		if diff := cmp.Diff(want.Steps, steps); diff != "" || id != want.ID {
			t.Errorf("%s: %q, not %q; recording (-), live (+):\n%s", protocol, id, want.ID, diff)
		}
		if len(c.Channels()) != len(m.Topics) {
			t.Errorf("%d channels of %d topics", len(c.Channels()), len(m.Topics))
		}
	}
}

// A connection that is lost is made anew, and the messages go on.
func TestReconnect(t *testing.T) {
	data := robot(t)
	var want []string
	r, err := recording.NewReader("a.mcap", bytes.NewReader(data))
	must(t, err)
	for {
		m, err := r.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if m.Channel.Topic == "/actions" {
			want = append(want, fmt.Sprintf("%d %s", m.LogTime, m.Data))
		}
	}
	var told []string
	c := &live.Client{URL: livetest.New(t, data, live.Subprotocols[0], 3), Topics: []string{"/actions"}, Reconnect: true, Tell: func(s string) { told = append(told, s) }}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	must(t, c.Connect(ctx))
	defer c.Close()
	var got []string
	for len(got) < len(want) {
		m, err := c.Next()
		must(t, err)
		got = append(got, fmt.Sprintf("%d %s", m.LogTime, m.Data))
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("recording (-), live (+):\n%s", diff)
	}
	if text := strings.Join(told, "\n"); !strings.Contains(text, "the connection is lost") || !strings.Contains(text, "connected again") {
		t.Errorf("told: %s", text)
	}
	cancel()
	if _, err := c.Next(); !errors.Is(err, io.EOF) {
		t.Errorf("after the end of the context: %v", err)
	}
}

// served is a server that says what it is told to, and closes.
func served(t testing.TB, say ...any) string {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		conn, err := websocket.Accept(w, r, &websocket.AcceptOptions{Subprotocols: live.Subprotocols})
		if err != nil {
			return
		}
		for _, s := range say {
			kind, data := websocket.MessageBinary, []byte(nil)
			switch s := s.(type) {
			case string:
				kind, data = websocket.MessageText, []byte(s)
			case []byte:
				data = s
			}
			if conn.Write(r.Context(), kind, data) != nil {
				return
			}
		}
		go conn.Read(r.Context())
		conn.Close(websocket.StatusNormalClosure, "")
	}))
	t.Cleanup(s.Close)
	return "ws" + strings.TrimPrefix(s.URL, "http")
}

const words = `{"op":"advertise","channels":[{"id":7,"topic":"/words","encoding":"json","schemaName":"a/B","schema":"{}"}]}`

func frame(subscription uint32, text string) []byte {
	return append(binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint32([]byte{1}, subscription), 5e9), text...)
}

// What a server says that is odd is told, and the rest is read.
func TestOddServers(t *testing.T) {
	url := served(t, "no JSON", `{"op":"status","level":2,"message":"the disk\u001b[2J is full"}`, `{"op":"status","level":0,"message":"fine"}`,
		`{"op":"advertise","channels":[{"id":1,"topic":"/words","encoding":"protobuf","schema":"§"},{"id":7,"topic":"/words","encoding":"json","schemaName":"a/B","schema":"{}"}]}`,
		words, []byte{}, []byte{1, 2}, []byte{9}, frame(99, "of nobody"), frame(1, `{"a":1}`), `{"op":"unadvertise","channelIds":[7]}`, frame(1, "too late"))
	var told []string
	c := &live.Client{URL: url, Topics: []string{"/words"}, Tell: func(s string) { told = append(told, s) }}
	must(t, c.Connect(context.Background()))
	defer c.Close()
	var got []string
	for {
		m, err := c.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		must(t, err)
		got = append(got, fmt.Sprintf("%s %s %d %s", m.Channel.Topic, m.Channel.SchemaEncoding, m.LogTime, m.Data))
	}
	if want := []string{`/words jsonschema 5000000000 {"a":1}`}; !slices.Equal(got, want) {
		t.Errorf("read %q; want %q", got, want)
	}
	for i, want := range []string{"no operation of the protocol", "the server says: the disk", "/words: found a schema that is no base 64", "found a message of 2 bytes; expected at least 13"} {
		if i >= len(told) || !strings.Contains(told[i], want) || strings.Contains(told[i], "\x1b") {
			t.Errorf("told %q\nwant %s", told, want)
		}
	}
	for range 10 {
		c.Report(recording.Problem{Topic: "/words", Found: "nothing"})
	}
	if last := told[len(told)-1]; len(told) != 4+6 || !strings.Contains(last, "further problems") {
		t.Errorf("%d told, last %q", len(told), last)
	}
}

// What came in the seconds before is written as a recording, and no more.
func TestRing(t *testing.T) {
	data := robot(t)
	m := recognised(t, data)
	c := &live.Client{URL: livetest.New(t, data, live.Subprotocols[0], 1), Topics: topics(m), Tell: func(s string) { t.Error(s) }}
	must(t, c.Connect(context.Background()))
	defer c.Close()
	ring := live.NewRing(c, 3*time.Second)
	if file, err := ring.Save(t.TempDir(), "Nothing"); file != "" || err != nil {
		t.Errorf("saved %q of nothing, %v", file, err)
	}
	var all []string
	var last uint64
	for {
		m, err := ring.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		must(t, err)
		all = append(all, fmt.Sprintf("%s %d %s", m.Channel.Topic, m.LogTime, m.Data))
		last = m.LogTime
	}
	dir := filepath.Join(t.TempDir(), "new")
	file, err := ring.Save(dir, "DroppingObjFailure")
	must(t, err)
	if again, err := ring.Save(dir, "DroppingObjFailure"); again != "" || err != nil {
		t.Errorf("saved %q again, %v", again, err)
	}
	other, err := ring.Save(dir, "Other")
	must(t, err)
	a, err := os.Stat(file)
	must(t, err)
	if b, err := os.Stat(other); err != nil || !os.SameFile(a, b) || !strings.HasSuffix(other, "Z-Other.mcap") {
		t.Errorf("what shows at the same time is saved as %q, %v; expected a second name of %s", other, err, file)
	}
	r, err := recording.Open(document.Disk{}, file)
	must(t, err)
	defer r.Close()
	var got []string
	for {
		m, err := r.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		must(t, err)
		if m.LogTime+3e9 < last {
			t.Errorf("a message of %.1f s before", float64(last-m.LogTime)/1e9)
		}
		got = append(got, fmt.Sprintf("%s %d %s", m.Channel.Topic, m.LogTime, m.Data))
	}
	if len(got) < 5 || len(got) == len(all) || !slices.Equal(got, all[len(all)-len(got):]) || !strings.HasSuffix(file, "Z-DroppingObjFailure.mcap") {
		t.Errorf("%d of %d messages in %s, or others", len(got), len(all), file)
	}
}

func TestNoServer(t *testing.T) {
	plain := httptest.NewServer(http.NotFoundHandler())
	defer plain.Close()
	other := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if conn, err := websocket.Accept(w, r, &websocket.AcceptOptions{Subprotocols: []string{"chat"}}); err == nil {
			conn.CloseNow()
		}
	}))
	defer other.Close()
	ws := func(s *httptest.Server) string { return "ws" + strings.TrimPrefix(s.URL, "http") }
	for url, want := range map[string]string{
		"robot:8765":        "found no address of a WebSocket; expected such as ws://robot:8765",
		"http://robot:8765": "found no address of a WebSocket",
		ws(plain):           "found no connection (",
		ws(other):           `found no connection (the server speaks the subprotocol "")`,
		"ws://127.0.0.1:1":  "expected a server of the Foxglove WebSocket protocol",
	} {
		c := &live.Client{URL: url, Tell: func(string) {}}
		if err := c.Connect(context.Background()); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v\nwant %s", url, err, want)
		}
	}
}
