package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// rounds is how often a stream is sent, each time to processes that are killed on the way:
// no more of them than mostKilled, for on a machine that is busy they may not come far.
var rounds, mostKilled = func() (int, int) {
	if os.Getenv("MISHAP_LONG") != "" {
		return 5, 30
	}
	return 1, 3
}()

// streamed is a stream of samples, one after the other: of every sixth, of all where the
// environment asks for the long sets.
func streamed(t *testing.T) [][]byte {
	t.Helper()
	var out [][]byte
	for i, path := range sampleFiles(t) {
		if filepath.Ext(path) != ".jsonl" || i%6 != 0 && os.Getenv("MISHAP_LONG") == "" {
			continue
		}
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for line := range bytes.Lines(data) {
			out = append(out, append(bytes.TrimRight(line, "\n"), '\n'))
		}
	}
	return out
}

// A killed is a stream whose process is killed at moments that nobody chose, and begun
// again with the same state file.
type killed struct {
	command string
	flags   []string
	lines   [][]byte
	goOn    bool // the stream is not sent again from its start, but from where the state says
	dir     string
	all     time.Duration
	idle    time.Duration
}

// run starts a process and kills it after a while, if it is not over by then.
func (k *killed) run(t *testing.T, out io.Writer, after time.Duration) (over bool) {
	t.Helper()
	state := filepath.Join(k.dir, "state")
	cmd := exec.Command("mishap", append([]string{k.command, "-", "--state", state}, k.flags...)...)
	var stderr bytes.Buffer
	cmd.Stdin, cmd.Stdout, cmd.Stderr = bytes.NewReader(bytes.Join(k.rest(t, state), nil)), out, &stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if after > 0 {
		timer := time.AfterFunc(after, func() { cmd.Process.Kill() })
		defer timer.Stop()
	}
	err := cmd.Wait()
	if code := cmd.ProcessState.ExitCode(); code > 1 || code < 0 && after == 0 {
		t.Fatalf("%v: %s", err, stderr.String())
	}
	return cmd.ProcessState.Exited()
}

// whole is what a process tells that is not killed. It measures how long one takes, and
// how long one of which all lines were taken before.
func (k *killed) whole(t *testing.T) []byte {
	t.Helper()
	k.dir = t.TempDir()
	var out bytes.Buffer
	begun := time.Now()
	k.run(t, &out, 0)
	k.all = time.Since(begun)
	told := bytes.Clone(out.Bytes())
	begun = time.Now()
	k.run(t, &out, 0)
	k.idle = time.Since(begun)
	if out.Len() > len(told) {
		t.Errorf("lines that were taken before were told of again:\n%s", out.Bytes()[len(told):])
	}
	k.dir = t.TempDir()
	return told
}

// moment is when the next process is killed: some come far, some do not.
func (k *killed) moment() time.Duration {
	return k.idle/2 + time.Duration(rand.Int64N(int64(k.all/5)))
}

// rest is what is sent: all, or what the state file does not have.
func (k *killed) rest(t *testing.T, state string) [][]byte {
	t.Helper()
	from := taken(t, state)
	if !k.goOn || from == 0 {
		return k.lines
	}
	if from > 3 && rand.IntN(2) == 0 && !bytes.Contains(k.lines[from-1], []byte(`"mishap"`)) && !bytes.Contains(k.lines[from-2], []byte(`"mishap"`)) {
		from-- // a line that was not acknowledged is sent twice
	}
	return k.lines[from:]
}

// taken is how many lines a stream has taken in, as its state file says.
func taken(t *testing.T, state string) int {
	t.Helper()
	data, err := os.ReadFile(state)
	if errors.Is(err, fs.ErrNotExist) {
		return 0
	}
	if err != nil {
		t.Fatal(err)
	}
	var saved struct {
		At struct{ Lines int }
	}
	if err := json.Unmarshal(bytes.SplitN(data, []byte("\n"), 3)[1], &saved); err != nil {
		t.Fatal(err)
	}
	return saved.At.Lines
}

// What is told in a regular file by processes that are killed is what one tells that is
// not: nothing is lost, nothing stands there twice.
func TestKilledStream(t *testing.T) {
	lines := streamed(t)
	for _, k := range []killed{
		{command: "check", flags: []string{"--window", "200"}},
		{command: "check", flags: []string{"--format", "jsonl"}, goOn: true},
		{command: "foresee", flags: []string{"--format", "jsonl"}},
	} {
		t.Run(fmt.Sprint(k.command, k.flags, k.goOn), func(t *testing.T) {
			k.lines = lines
			want := k.whole(t)
			for range rounds {
				k.dir = t.TempDir()
				out, err := os.OpenFile(filepath.Join(k.dir, "out"), os.O_CREATE|os.O_APPEND|os.O_RDWR, 0o644)
				if err != nil {
					t.Fatal(err)
				}
				defer out.Close()
				processes := 1
				for ; processes < mostKilled && !k.run(t, out, k.moment()); processes++ {
				}
				k.run(t, out, 0)
				got, err := os.ReadFile(out.Name())
				if err != nil {
					t.Fatal(err)
				}
				t.Logf("%d processes", processes)
				if !bytes.Equal(got, want) {
					t.Fatalf("the output of killed processes differs:\n%s", firstDifference(want, got))
				}
			}
		})
	}
}

// Two streams cannot keep their state in one file: the second is refused and leaves the
// first alone; a process that is killed lets go of it.
func TestStateIsLocked(t *testing.T) {
	state := filepath.Join(t.TempDir(), "state")
	first := exec.Command("mishap", "check", "-", "--state", state)
	in, err := first.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := first.Start(); err != nil {
		t.Fatal(err)
	}
	defer first.Process.Kill()
	lines := streamed(t)
	in.Write(bytes.Join(lines[:2], nil))
	for taken(t, state) < 2 { // then it waits for more
		time.Sleep(10 * time.Millisecond)
	}
	run := func() (code int, told string) {
		cmd := exec.Command("mishap", "check", "-", "--state", state)
		cmd.Stdin = bytes.NewReader(bytes.Join(lines[:12], nil))
		out, _ := cmd.CombinedOutput()
		return cmd.ProcessState.ExitCode(), string(out)
	}
	before, err := os.ReadFile(state)
	if err != nil {
		t.Fatal(err)
	}
	if code, told := run(); code != 2 || !strings.Contains(told, fmt.Sprintf("process %d keeps the state of its stream there", first.Process.Pid)) {
		t.Errorf("the second stream: exit code %d, %s", code, told)
	}
	if after, err := os.ReadFile(state); err != nil || !bytes.Equal(before, after) {
		t.Errorf("the second stream changed the state of the first: %v", err)
	}
	first.Process.Kill()
	first.Wait()
	if code, told := run(); code > 1 {
		t.Errorf("once the first was killed: exit code %d, %s", code, told)
	}
	if _, err := os.Stat(state + ".lock"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the lock is left: %v", err)
	}
}

func firstDifference(want, got []byte) string {
	a, b := bytes.Split(want, []byte("\n")), bytes.Split(got, []byte("\n"))
	for i := range min(len(a), len(b)) {
		if !bytes.Equal(a[i], b[i]) {
			return fmt.Sprintf("line %d: %.300s\nwant    %.300s", i+1, b[i], a[i])
		}
	}
	return fmt.Sprintf("%d lines; want %d", len(b), len(a))
}

// Of what is told through a pipe nothing is lost; what is told twice has one number.
func TestKilledPipe(t *testing.T) {
	k := killed{command: "check", flags: []string{"--format", "jsonl"}, lines: streamed(t), dir: t.TempDir()}
	k.dir = t.TempDir()
	want := k.whole(t)
	for range rounds {
		k.dir = t.TempDir()
		k.pipe(t, want)
	}
}

// pipe reads what killed processes tell, as one who passes over what it has got.
func (k *killed) pipe(t *testing.T, want []byte) {
	t.Helper()
	var told bytes.Buffer
	last := int64(0)
	for n, over := 0, false; !over; n++ {
		var out bytes.Buffer
		after := k.moment()
		if n == mostKilled {
			after = 0
		}
		over = k.run(t, &out, after)
		for line := range bytes.Lines(out.Bytes()) {
			var c struct{ Seq int64 }
			if json.Unmarshal(line, &c) != nil {
				if !bytes.HasSuffix(line, []byte("\n")) {
					continue // it breaks off, and is told again
				}
				t.Fatalf("a line that is no JSON: %s", line)
			}
			switch {
			case c.Seq <= last:
			case c.Seq == last+1:
				last = c.Seq
				told.Write(line)
			default:
				t.Fatalf("line %d comes after line %d", c.Seq, last)
			}
		}
	}
	if !bytes.Equal(told.Bytes(), want) {
		t.Errorf("what was told differs:\n%s", firstDifference(want, told.Bytes()))
	}
}
