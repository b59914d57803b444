package main

import (
	"bufio"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// A server says where it is, answers there, refuses a port that another has, and ends when
// it is interrupted.
func TestServe(t *testing.T) {
	log := filepath.Join(samples, "consequence.jsonl")
	c := exec.Command("mishap", "serve", log, "--listen", "127.0.0.1:0")
	out, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	defer c.Process.Kill()
	line, err := bufio.NewReader(out).ReadString('\n')
	address := strings.TrimSpace(line)
	if err != nil || !strings.HasPrefix(address, "http://127.0.0.1:") {
		t.Fatalf("it says %q (%v)", line, err)
	}
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
	if on, err := net.Listen("tcp", taken); err != nil {
		t.Error(err)
	} else {
		on.Close()
	}
}
