// Package input holds what the readers of log formats share: errors with a
// place, and reading of lines with a bound.
package input

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"unicode/utf8"

	"github.com/mishap-robotics/mishap/bridge/internal/wording"
)

// Error is an input that cannot be read.
type Error struct {
	File     string
	Line     int // 0 where it concerns the whole file
	Found    string
	Expected string
}

// Error is one line: file, line, what was found, what was expected.
func (e *Error) Error() string {
	place := e.File
	if e.Line > 0 {
		place = fmt.Sprintf("%s:%d", e.File, e.Line)
	}
	if e.Expected == "" {
		return fmt.Sprintf("%s: found %s", place, e.Found)
	}
	return fmt.Sprintf("%s: found %s; expected %s", place, e.Found, e.Expected)
}

// MaxLine is the longest line that is read, in bytes.
const MaxLine = 16 << 20

// EachLine calls visit with every line of a file that is not blank, without
// its end, and its number from 1. Lines that are too long or not UTF-8 are
// errors; so is a file without any.
func EachLine(file string, r io.Reader, visit func(n int, line []byte) error) error {
	in := bufio.NewReaderSize(r, 1<<16)
	seen := false
	for n := 1; ; n++ {
		line, err := readLine(in)
		if errors.Is(err, bufio.ErrTooLong) {
			return &Error{file, n, "a line of more than 16 MiB", "one JSON object or sentence a line"}
		}
		if err != nil && !errors.Is(err, io.EOF) {
			return &Error{file, n, "a read error (" + err.Error() + ")", "a readable file"}
		}
		if n == 1 {
			line = bytes.TrimPrefix(line, []byte("\xef\xbb\xbf"))
		}
		if text := bytes.TrimSpace(line); len(text) > 0 {
			if !utf8.Valid(text) {
				return &Error{file, n, "bytes that are not UTF-8", "UTF-8 text"}
			}
			seen = true
			if err := visit(n, text); err != nil {
				return err
			}
		}
		if errors.Is(err, io.EOF) {
			break
		}
	}
	if !seen {
		return &Error{file, 0, "an empty file", "an episode"}
	}
	return nil
}

// readLine reads up to a line end without holding more than MaxLine bytes.
func readLine(in *bufio.Reader) ([]byte, error) {
	var line []byte
	for {
		part, err := in.ReadSlice('\n')
		if len(line)+len(part) > MaxLine {
			return nil, bufio.ErrTooLong
		}
		line = append(line, part...)
		if !errors.Is(err, bufio.ErrBufferFull) {
			return line, err
		}
	}
}

// MaxFile is the largest file that is read whole, in bytes.
const MaxFile = 64 << 20

// ReadFile reads a whole file of at most MaxFile bytes.
func ReadFile(path string) ([]byte, error) {
	f, err := Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, MaxFile+1))
	switch {
	case err != nil:
		return nil, &Error{path, 0, Cause(err), "a readable file"}
	case len(data) > MaxFile:
		return nil, &Error{path, 0, "a file of more than 64 MiB", "one episode"}
	case len(bytes.TrimSpace(data)) == 0:
		return nil, &Error{path, 0, "an empty file", "an episode"}
	}
	return data, nil
}

// Open opens a file to read from.
func Open(path string) (*os.File, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, &Error{path, 0, Cause(err), "a readable file"}
	}
	return f, nil
}

// Cause is the reason of a file error in words, without the path.
func Cause(err error) string {
	var p *os.PathError
	switch {
	case errors.Is(err, os.ErrNotExist):
		return "no such file or folder"
	case errors.As(err, &p):
		return p.Err.Error()
	}
	return err.Error()
}

// longestQuote is how much of a text from a log a message shows, in bytes.
const longestQuote = 60

// Clip shortens text from a log for a message and strips control characters.
func Clip(s string) string { return wording.Clip(wording.Clean(s), longestQuote) }
