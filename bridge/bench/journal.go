package bench

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"
	"time"
)

// Journal keeps each attempt that was measured in a file of JSON lines, one as soon as
// it is over, and gives it back when the same is to be measured again. Goroutines may
// share it; a nil journal keeps nothing.
type Journal struct {
	mu    sync.Mutex
	file  *os.File
	known map[journalKey]journalEntry
	run   string
	err   error
}

// journalKey says what was measured.
type journalKey struct {
	Run    string `json:"run"` // seed, model and whatever else the result depends on
	Set    string `json:"set"`
	Method string `json:"method"`
	ID     string `json:"episode"`
}

// journalEntry is one line.
type journalEntry struct {
	journalKey
	Recovered  bool            `json:"recovered"`
	Completed  bool            `json:"completed"`
	Met        int             `json:"conditions_met"`
	Conditions int             `json:"conditions"`
	Recoveries int             `json:"corrections"`
	Actions    int             `json:"actions"`
	Verified   int             `json:"verified"`
	Broken     int             `json:"broken"`
	Times      []time.Duration `json:"planning_ns"`
	Longest    int             `json:"longest_plan"`
	Reason     string          `json:"reason,omitempty"`
	Spent      spending        `json:"model"`
}

// OpenJournal opens a journal, or begins one where there is none. Run names what
// results depend on; entries of other runs are left alone. A last line that was broken
// off is dropped; any other that cannot be read is an error with file and line.
func OpenJournal(path, run string) (*Journal, error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o644)
	if err != nil {
		return nil, err
	}
	j := &Journal{file: f, known: map[journalKey]journalEntry{}, run: run}
	if err := j.read(path); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return j, nil
}

func (j *Journal) read(path string) error {
	r := bufio.NewReader(j.file)
	whole := int64(0)
	for n := 1; ; n++ {
		line, err := r.ReadBytes('\n')
		if errors.Is(err, io.EOF) {
			break // what does not end was broken off
		}
		if err != nil {
			return err
		}
		var e journalEntry
		d := json.NewDecoder(bytes.NewReader(line))
		d.DisallowUnknownFields()
		if err := d.Decode(&e); err != nil || e.Method == "" {
			return fmt.Errorf("%s:%d: no entry of a journal; expected what --resume has written, give another file or remove the line", path, n)
		}
		j.known[e.journalKey] = e
		whole += int64(len(line))
	}
	if err := j.file.Truncate(whole); err != nil {
		return err
	}
	_, err := j.file.Seek(whole, io.SeekStart)
	return err
}

// Known is how many attempts of this run it holds.
func (j *Journal) Known() int {
	n := 0
	for k := range j.known {
		if k.Run == j.run {
			n++
		}
	}
	return n
}

// Close closes the file. The error tells that not all was written.
func (j *Journal) Close() error {
	if j == nil {
		return nil
	}
	return errors.Join(j.err, j.file.Close())
}

// or gives back what was measured, or measures. What failed, or was cancelled, is not
// kept.
func (j *Journal) or(set, method, id string, measure func() attempt) attempt {
	if j == nil {
		return measure()
	}
	key := journalKey{j.run, set, method, id}
	j.mu.Lock()
	e, ok := j.known[key]
	j.mu.Unlock()
	if ok {
		return e.attempt()
	}
	a := measure()
	if a.err != nil {
		return a
	}
	line, err := json.Marshal(entryOf(key, &a))
	j.mu.Lock()
	defer j.mu.Unlock()
	if err == nil {
		_, err = j.file.Write(append(line, '\n'))
	}
	if j.err == nil {
		j.err = err
	}
	return a
}

func entryOf(key journalKey, a *attempt) journalEntry {
	return journalEntry{key, a.recovered, a.completed, a.met, a.all, a.recoveries, a.actions, a.verified, a.broken, a.times, a.longest, a.reason, a.spent}
}

func (e *journalEntry) attempt() attempt {
	return attempt{recovered: e.Recovered, completed: e.Completed, met: e.Met, all: e.Conditions, recoveries: e.Recoveries, actions: e.Actions,
		verified: e.Verified, broken: e.Broken, times: e.Times, longest: e.Longest, reason: e.Reason, spent: e.Spent}
}
