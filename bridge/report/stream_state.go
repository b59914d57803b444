//go:build !js

package report

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"github.com/mishap-robotics/mishap/bridge/internal/encode"
	"github.com/mishap-robotics/mishap/bridge/internal/input"
	"github.com/mishap-robotics/mishap/bridge/logs/jsonl"
	"github.com/mishap-robotics/mishap/engine"
)

// StreamState keeps in a file how far a stream was taken in, and what was found, so that a
// process that was killed is followed by one that goes on where it was. The file is
// written whole or not at all: before anything is told, and before a line is waited for.
// Where the system has locks that end with their process, as Unix has, two streams cannot
// keep theirs in one file: a *StateLockedError.
//
// What is told stands in the file until it is known to be out. Where the output is a
// regular file, its length tells how much of it is: nothing is told twice. Where it is
// not, as a pipe, what a process was killed at telling is told again; the field seq of a
// JSON line, which counts the lines of the output from 1, shows it.
type StreamState struct {
	Told *bytes.Buffer // what is to be told: the watcher writes to it

	path    string
	output  *os.File // that Told goes to
	watcher *Watcher
	at      jsonl.Position
	told    int64 // lines of JSON so far
	dirty   bool  // a line was taken since the file was written
	// What the file holds, where it does not tell yet that all of Out is out.
	saved   *savedState
	monitor []byte
}

// NewStreamState keeps its state in the file of a path, and tells what is found on output.
func NewStreamState(path string, output *os.File) *StreamState {
	return &StreamState{Told: &bytes.Buffer{}, path: path, output: output}
}

// The first word of a state file, and its version.
const (
	stateMark    = "mishap-stream"
	stateVersion = 1
)

// savedState is the second line of a state file. A snapshot of a monitor follows.
type savedState struct {
	At      jsonl.Position `json:"at"`
	Foresee bool           `json:"foresee,omitempty"`
	Window  int            `json:"window,omitempty"`
	Noise   float64        `json:"noise,omitempty"`
	Found   bool           `json:"found,omitempty"`
	Odd     bool           `json:"odd,omitempty"`
	Stopped bool           `json:"stopped,omitempty"`
	Limits  []string       `json:"limits,omitempty"` // messages of rules that did not come to their end
	Told    int64          `json:"told,omitempty"`
	Out     string         `json:"out,omitempty"`  // what was about to be told
	From    int64          `json:"from,omitempty"` // how long the output was before it, -1 for no regular file
	Monitor bool           `json:"monitor"`        // an episode goes on
}

// StateError is a state file that a stream cannot go on from: Found tells why.
type StateError struct {
	Path, Found string
	Err         error
}

func (e *StateError) Error() string {
	return fmt.Sprintf("%s: found %s; expected what an earlier stream with the same flags has left there: take another file, or remove it to begin anew", e.Path, e.Found)
}

func (e *StateError) Unwrap() error { return e.Err }

// resume takes over what the file holds, where there is one.
func (s *StreamState) resume(w *Watcher) error {
	s.watcher = w
	var data []byte
	info, err := os.Stat(s.path)
	if err == nil && info.Size() <= engine.MaxSnapshot {
		data, err = os.ReadFile(s.path)
	}
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err == nil && info.Size() > engine.MaxSnapshot:
		return &StateError{Path: s.path, Found: fmt.Sprintf("a file of %d bytes, more than %d", info.Size(), engine.MaxSnapshot)}
	case err != nil:
		return &StateError{s.path, input.Cause(err), err}
	}
	saved, monitor, err := s.read(data)
	if err != nil {
		return err
	}
	if saved.Foresee != w.Foresee || saved.Window != w.Window || saved.Noise != w.Noise {
		return &StateError{Path: s.path, Found: fmt.Sprintf("a stream of mishap %s with --window %d and --noise %v", commandOf(saved.Foresee), saved.Window, saved.Noise)}
	}
	s.at, s.told = saved.At, saved.Told
	w.Found, w.Odd, w.Stopped, w.told = saved.Found, saved.Odd, saved.Stopped, saved.Limits
	if saved.Monitor {
		m, err := w.Reasoner.Restore(bytes.NewReader(monitor), nil)
		if err != nil {
			return &StateError{s.path, err.Error(), err}
		}
		w.monitor, w.ep = m, m.Trace().Episode
		s.at.Warnings = w.ep.Warnings
	}
	if n := len(s.at.Episodes); n > 0 {
		fmt.Fprintf(w.Errors, "%s: the stream goes on in episode %s after %d lines\n", s.path, s.at.Episodes[n-1], s.at.Taken)
	}
	return s.deliver(saved, monitor)
}

func commandOf(foresee bool) string {
	if foresee {
		return "foresee"
	}
	return "check"
}

// read takes a state file apart.
func (s *StreamState) read(data []byte) (*savedState, []byte, error) {
	first, rest, ok := bytes.Cut(data, []byte("\n"))
	var mark, digest string
	var version int
	if n, _ := fmt.Sscanf(string(first), "%s %d %s", &mark, &version, &digest); !ok || n < 2 || mark != stateMark {
		return nil, nil, &StateError{Path: s.path, Found: "a file that is no state of a stream"}
	}
	if version != stateVersion {
		return nil, nil, &StateError{Path: s.path, Found: fmt.Sprintf("version %d, which this program does not read (it reads %d)", version, stateVersion)}
	}
	if sum := sha256.Sum256(rest); hex.EncodeToString(sum[:]) != digest {
		return nil, nil, &StateError{Path: s.path, Found: "a file that is damaged: its checksum is another"}
	}
	line, monitor, _ := bytes.Cut(rest, []byte("\n"))
	saved := &savedState{}
	if err := json.Unmarshal(line, saved); err != nil {
		return nil, nil, &StateError{s.path, "a file that is damaged (" + err.Error() + ")", err}
	}
	return saved, monitor, nil
}

// deliver writes what an earlier process was about to tell, as far as it is not out.
func (s *StreamState) deliver(saved *savedState, monitor []byte) error {
	out := []byte(saved.Out)
	if now := s.length(); saved.From >= 0 && now >= saved.From {
		out = out[min(int64(len(out)), now-saved.From):]
	}
	if saved.Out != "" {
		s.saved, s.monitor = saved, monitor
	}
	_, err := s.output.Write(out)
	return err
}

// length is how long the output is, -1 where it is no regular file.
func (s *StreamState) length() int64 {
	info, err := s.output.Stat()
	if err != nil || !info.Mode().IsRegular() {
		return -1
	}
	return info.Size()
}

// taken is called when a line has been taken in.
func (s *StreamState) taken() error {
	s.dirty = true
	if s.Told.Len() == 0 {
		return nil
	}
	return s.save()
}

// save writes the file, and then what is to be told.
func (s *StreamState) save() error {
	w := s.watcher
	saved := &savedState{At: s.at, Foresee: w.Foresee, Window: w.Window, Noise: w.Noise, Found: w.Found, Odd: w.Odd, Stopped: w.Stopped, Limits: w.told,
		Told: s.told, Out: s.Told.String(), From: s.length(), Monitor: w.monitor != nil}
	var monitor bytes.Buffer
	if w.monitor != nil {
		if err := w.monitor.Snapshot(&monitor); err != nil {
			return err
		}
	}
	if err := s.write(saved, monitor.Bytes()); err != nil {
		return err
	}
	if s.dirty, s.saved = false, nil; s.Told.Len() > 0 {
		s.saved, s.monitor = saved, monitor.Bytes()
	}
	_, err := s.output.Write(s.Told.Bytes())
	s.Told.Reset()
	return err
}

// acknowledge writes, where the file does not tell it, that all is out that was told.
func (s *StreamState) acknowledge() error {
	if s.saved == nil {
		return nil
	}
	s.saved.Out = ""
	err := s.write(s.saved, s.monitor)
	s.saved = nil
	return err
}

func (s *StreamState) write(saved *savedState, monitor []byte) error {
	line, err := json.Marshal(saved)
	if err != nil {
		return err
	}
	rest := append(append(line, '\n'), monitor...)
	sum := sha256.Sum256(rest)
	data := fmt.Appendf(nil, "%s %d %s\n", stateMark, stateVersion, hex.EncodeToString(sum[:]))
	if err := encode.File(s.path, true, append(data, rest...)); err != nil {
		return fmt.Errorf("%s: the state of the stream cannot be written: %s", s.path, input.Cause(err))
	}
	return nil
}

// Next counts the lines of JSON that are told.
func (s *StreamState) Next() int64 {
	s.told++
	return s.told
}

// awaited writes the state before it waits for more of a stream.
type awaited struct {
	io.Reader
	state *StreamState
}

func (a *awaited) Read(p []byte) (int, error) {
	if a.state.dirty {
		if err := a.state.save(); err != nil {
			return 0, err
		}
	}
	if err := a.state.acknowledge(); err != nil {
		return 0, err
	}
	return a.Reader.Read(p)
}
