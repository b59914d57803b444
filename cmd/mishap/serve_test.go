package main

import (
	"bufio"
	"bytes"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/mishap-robotics/mishap/bridge/live"
	"github.com/mishap-robotics/mishap/bridge/live/livetest"
)

// startServer starts a server on a port that is free, and gives the address that it says.
func startServer(t *testing.T, in io.Reader, args ...string) (*exec.Cmd, string) {
	t.Helper()
	c := exec.Command("mishap", append([]string{"serve", "--listen", "127.0.0.1:0"}, args...)...)
	c.Stdin = in
	out, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Process.Kill() })
	line, err := bufio.NewReader(out).ReadString('\n')
	address := strings.TrimSpace(line)
	if err != nil || !strings.HasPrefix(address, "http://127.0.0.1:") {
		t.Fatalf("it says %q (%v)", line, err)
	}
	return c, address
}

// A server says where it is, answers there, refuses a port that another has, and ends when
// it is interrupted.
func TestServe(t *testing.T) {
	log := filepath.Join(samples, "consequence.jsonl")
	c, address := startServer(t, nil, log)
	r, err := http.Get(address + "episodes")
	if err != nil {
		t.Fatal(err)
	}
	r.Body.Close()
	if r.StatusCode != http.StatusOK {
		t.Errorf("%s", r.Status)
	}
	taken := strings.TrimSuffix(strings.TrimPrefix(address, "http://"), "/")
	if told, err := exec.Command("mishap", "serve", log, "--listen", taken).CombinedOutput(); err == nil || !strings.Contains(string(told), "in use") {
		t.Errorf("of a port in use: %s (%v)", told, err)
	}
	if err := c.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	if err := c.Wait(); err != nil {
		t.Errorf("interrupted: %v", err)
	}
}

// A stream on standard input, and a file that is appended to, are told while they come, and
// the server goes on when the stream is over.
func TestServeStreams(t *testing.T) {
	log, err := os.ReadFile(filepath.Join(samples, "consequence.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "appended.jsonl")
	if err := os.WriteFile(file, log, 0o644); err != nil {
		t.Fatal(err)
	}
	c, address := startServer(t, bytes.NewReader(log), "-", "--follow", file)
	r, err := http.Get(address + "api/v1/live/events")
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close()
	want := map[string]bool{`"change":"ended","stream_state":{"name":"standard input","state":"over"`: true, `"change":"found"`: true, `"name":"` + file + `","state":"ongoing","steps":20}`: true}
	for told := bufio.NewScanner(r.Body); len(want) > 0 && told.Scan(); {
		for w := range want {
			if strings.Contains(told.Text(), w) {
				delete(want, w)
			}
		}
	}
	if len(want) > 0 {
		t.Errorf("not told: %v", want)
	}
	if err := c.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	if err := c.Wait(); err != nil {
		t.Errorf("interrupted: %v", err)
	}
}

// A robot is watched: what it does wrong is told as a stream of its own, and the server goes
// on when the robot is gone.
func TestServeWatchesARobot(t *testing.T) {
	robot := livetest.New(t, recordingOf(t, filepath.Join(samples, "dropping-obj.jsonl")), live.Subprotocols[0], 1)
	script, err := txtar.ParseFile(filepath.Join("testdata", "script", "watch.txtar"))
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "robot.yaml")
	if err := os.WriteFile(file, script.Files[0].Data, 0o644); err != nil {
		t.Fatal(err)
	}
	c, address := startServer(t, nil, "--watch", robot, "--mapping", file)
	r, err := http.Get(address + "api/v1/live/events")
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close()
	found := false
	for told := bufio.NewScanner(r.Body); !found && told.Scan(); {
		found = strings.Contains(told.Text(), `"change":"found"`) && strings.Contains(told.Text(), "DroppingObjFailure") && strings.Contains(told.Text(), `"name":"`+robot+`"`)
	}
	if !found {
		t.Error("what the robot did wrong is not told")
	}
	if err := c.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	if err := c.Wait(); err != nil {
		t.Errorf("interrupted: %v", err)
	}
}
