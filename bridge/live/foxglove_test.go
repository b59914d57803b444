package live_test

import (
	"bufio"
	"context"
	"fmt"
	"net/http/httptest"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/mishap-robotics/mishap/bridge/live"
	"github.com/mishap-robotics/mishap/bridge/perception/annotate"
	"github.com/mishap-robotics/mishap/bridge/recording"
)

// node is a script that uses Foxglove's own library; the test is skipped where that is not
// installed.
func node(t *testing.T, args ...string) *exec.Cmd {
	t.Helper()
	const needs = "node and @foxglove/ws-protocol: npm install --prefix DIR @foxglove/ws-protocol@0.8.0 ws@8.23.0, and NODE_PATH=DIR/node_modules"
	path := os.Getenv("NODE_PATH")
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	t.Cleanup(cancel)
	if err := exec.CommandContext(ctx, "node", "-e", `require("@foxglove/ws-protocol"); require("ws")`).Run(); err != nil {
		t.Skipf("needs %s; NODE_PATH is %q", needs, path)
	}
	return exec.CommandContext(ctx, "node", args...)
}

// bySubprotocol runs a test by each of the subprotocols. The library names the older one alone,
// and says the same by either.
func bySubprotocol(t *testing.T, test func(t *testing.T, subprotocol string)) {
	for _, s := range live.Subprotocols {
		t.Run(s, func(t *testing.T) { test(t, s) })
	}
}

// Foxglove's own client is told what is found.
func TestFoxgloveClientOfServer(t *testing.T) { bySubprotocol(t, testFoxgloveClient) }

func testFoxgloveClient(t *testing.T, subprotocol string) {
	s := live.NewServer("mishap", annotate.Channels(), nil)
	at := httptest.NewServer(s)
	defer at.Close()
	for i, topic := range []string{annotate.FindingsTopic, annotate.LogTopic} {
		s.Publish(recording.Addition{Topic: topic, LogTime: uint64(i), Data: fmt.Appendf(nil, `{"n":%d}`, i)})
	}
	out, err := node(t, "testdata/client.cjs", "ws"+strings.TrimPrefix(at.URL, "http"), subprotocol, "2", annotate.FindingsTopic, annotate.LogTopic).Output()
	must(t, err)
	var want strings.Builder
	want.WriteString("server mishap\n")
	for _, c := range annotate.Channels() {
		fmt.Fprintf(&want, "channel %s json %s jsonschema object\n", c.Topic, c.Type)
	}
	fmt.Fprintf(&want, "message %s 0 {\"n\":0}\nmessage %s 1 {\"n\":1}\n", annotate.FindingsTopic, annotate.LogTopic)
	if string(out) != want.String() {
		t.Errorf("told\n%s\nwant\n%s", out, want.String())
	}
}

// Foxglove's own server is watched, also after a connection to it is lost.
func TestClientOfFoxgloveServer(t *testing.T) { bySubprotocol(t, testFoxgloveServer) }

func testFoxgloveServer(t *testing.T, subprotocol string) {
	const count = 10
	cmd := node(t, "testdata/server.cjs", fmt.Sprint(count), subprotocol)
	hold, err := cmd.StdinPipe()
	must(t, err)
	out, err := cmd.StdoutPipe()
	must(t, err)
	must(t, cmd.Start())
	defer func() { hold.Close(); must(t, cmd.Wait()) }()
	port, err := bufio.NewReader(out).ReadString('\n')
	must(t, err)
	var told []string
	c := &live.Client{URL: "ws://127.0.0.1:" + strings.TrimSpace(port), Topics: []string{"/words"}, Reconnect: true, Tell: func(s string) { told = append(told, s) }}
	must(t, c.Connect(context.Background()))
	defer c.Close()
	for i := range count {
		m, err := c.Next()
		must(t, err)
		if got, want := fmt.Sprintf("%s %s %d %s", m.Channel.Topic, m.Channel.Type, m.LogTime, m.Data), fmt.Sprintf(`/words a/B %d {"n":%d}`, i*1e9, i); got != want {
			t.Errorf("told %s; want %s", got, want)
		}
	}
	if text := strings.Join(told, "\n"); !strings.Contains(text, "connected again") {
		t.Errorf("told: %s", text)
	}
}
