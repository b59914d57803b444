//go:build !js

package report

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"

	"github.com/mishap-robotics/mishap/bridge/internal/input"
)

// StateLockedError is a state file that another process keeps its stream in.
type StateLockedError struct {
	Path    string
	Process int // 0 where it does not tell
}

func (e *StateLockedError) Error() string {
	other := "another process"
	if e.Process > 0 {
		other = fmt.Sprintf("process %d", e.Process)
	}
	return fmt.Sprintf("%s: found that %s keeps the state of its stream there; expected a file of this stream's own: take another file, or wait until that process has ended", e.Path, other)
}

// errLocked is that of a lock which another process has.
var errLocked = errors.New("locked")

// lock keeps other processes from a state file until it is let go of. The lock is a file
// beside it, for the state file is a new one each time that it is written; a process that
// is killed lets go of it.
func (s *StreamState) lock() (release func(), err error) {
	path := s.path + ".lock"
	for {
		f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o644)
		if err != nil {
			return nil, fmt.Errorf("%s: the state of the stream cannot be written: %s", s.path, input.Cause(err))
		}
		if err := lockFile(f); err != nil {
			text, _ := io.ReadAll(io.LimitReader(f, 20))
			f.Close()
			if errors.Is(err, errLocked) {
				process, _ := strconv.Atoi(strings.TrimSpace(string(text)))
				return nil, &StateLockedError{s.path, process}
			}
			return nil, fmt.Errorf("%s: the state of the stream cannot be locked: %s", s.path, input.Cause(err))
		}
		if !isAt(f, path) { // whoever had it has removed it meanwhile
			f.Close()
			continue
		}
		if err = f.Truncate(0); err == nil {
			_, err = fmt.Fprintln(f, os.Getpid())
		}
		if err != nil {
			f.Close()
			return nil, fmt.Errorf("%s: the state of the stream cannot be locked: %s", s.path, input.Cause(err))
		}
		return func() {
			os.Remove(path) // while it is locked: nobody else has it
			f.Close()
		}, nil
	}
}

// isAt reports whether an open file is the one that stands at a path.
func isAt(f *os.File, path string) bool {
	open, err := f.Stat()
	if err != nil {
		return false
	}
	there, err := os.Lstat(path)
	return err == nil && os.SameFile(open, there)
}
