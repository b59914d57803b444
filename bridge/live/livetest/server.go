// Package livetest has a robot for tests: a server of the Foxglove WebSocket protocol that
// tells what is in a recording.
package livetest

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/coder/websocket"

	"github.com/mishap-robotics/mishap/bridge/recording"
)

// New serves a recording (MCAP) at the URL that is returned, to each client from its begin; of
// parts that are more than 1, to each connection the next part of its messages, the last to
// all that follow. Each connection is closed when its messages are sent.
func New(t testing.TB, data []byte, protocol string, parts int) (url string) {
	t.Helper()
	served := make(chan int, 1)
	served <- 0
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		conn, err := websocket.Accept(w, r, &websocket.AcceptOptions{Subprotocols: []string{protocol}})
		if err != nil {
			return
		}
		defer conn.CloseNow()
		conn.SetReadLimit(1 << 20)
		part := <-served
		served <- min(part+1, parts-1)
		if err := serve(r.Context(), conn, data, part, parts); err != nil && !errors.Is(err, io.EOF) {
			t.Logf("robot: %v", err)
		}
	}))
	t.Cleanup(s.Close)
	return "ws" + strings.TrimPrefix(s.URL, "http")
}

type sent struct {
	channel int
	at      uint64
	data    []byte
}

func serve(ctx context.Context, conn *websocket.Conn, data []byte, part, parts int) error {
	r, err := recording.NewReader("robot.mcap", bytes.NewReader(data))
	if err != nil {
		return err
	}
	ids := map[*recording.Channel]int{}
	var channels []map[string]any
	var all []sent
	for {
		m, err := r.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return err
		}
		id, known := ids[m.Channel]
		if !known {
			id = 100 + len(ids)
			ids[m.Channel] = id
			channels = append(channels, map[string]any{"id": id, "topic": m.Channel.Topic, "encoding": m.Channel.Encoding, "schemaName": m.Channel.Type, "schema": string(m.Channel.Schema)})
		}
		all = append(all, sent{id, m.LogTime, bytes.Clone(m.Data)})
	}
	say := func(what any) error {
		text, err := json.Marshal(what)
		if err != nil {
			return err
		}
		return conn.Write(ctx, websocket.MessageText, text)
	}
	if err := say(map[string]any{"op": "serverInfo", "name": "robot", "capabilities": []string{"time"}}); err != nil {
		return err
	}
	if err := say(map[string]any{"op": "advertise", "channels": channels}); err != nil {
		return err
	}
	_, text, err := conn.Read(ctx)
	if err != nil {
		return err
	}
	var asked struct {
		Op            string `json:"op"`
		Subscriptions []struct {
			ID      uint32 `json:"id"`
			Channel int    `json:"channelId"`
		} `json:"subscriptions"`
	}
	if err := json.Unmarshal(text, &asked); err != nil || asked.Op != "subscribe" {
		return errors.New("no subscription: " + string(text))
	}
	subscriptions := map[int]uint32{}
	for _, s := range asked.Subscriptions {
		subscriptions[s.Channel] = s.ID
	}
	for _, m := range all[part*len(all)/parts : (part+1)*len(all)/parts] {
		id, ok := subscriptions[m.channel]
		if !ok {
			continue
		}
		frame := binary.LittleEndian.AppendUint32([]byte{1}, id)
		frame = append(binary.LittleEndian.AppendUint64(frame, m.at), m.data...)
		if err := conn.Write(ctx, websocket.MessageBinary, frame); err != nil {
			return err
		}
	}
	if err := conn.Write(ctx, websocket.MessageBinary, []byte{2, 0, 0, 0, 0, 0, 0, 0, 0}); err != nil { // the time
		return err
	}
	return conn.Close(websocket.StatusNormalClosure, "")
}
