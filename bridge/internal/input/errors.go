// Package input holds what the readers of log formats share: errors with a
// place, and reading of lines with a bound.
package input

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"unicode/utf8"

	"github.com/mishap-robotics/mishap/bridge/internal/wording"
)

// Error is an input that cannot be read.
type Error struct {
	File     string
	Line     int // 0 where it concerns the whole file
	Found    string
	Expected string
	Err      error // that Found tells of, nil for none
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

// Unwrap is the error that it tells of.
func (e *Error) Unwrap() error { return e.Err }

// MaxLine is the longest line that is read, in bytes.
const MaxLine = 16 << 20

// ErrEmpty is that of a file without a line.
var ErrEmpty = errors.New("an empty file")

// EachLine calls visit with every line of a file that is not blank, without
// its end, and its number from 1. Lines that are too long or not UTF-8 are
// errors; so is a file without any. Of a file that is damaged the lines before the damage
// are visited, the last of them as far as it goes; then the error is an ErrDamaged.
func EachLine(file string, r io.Reader, visit func(n int, line []byte) error) error {
	in := bufio.NewReaderSize(r, 1<<16)
	seen := false
	for n := 1; ; n++ {
		line, err := readLine(in)
		if errors.Is(err, bufio.ErrTooLong) {
			return &Error{File: file, Line: n, Found: "a line of more than 16 MiB", Expected: "one JSON object or sentence a line"}
		}
		if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, ErrDamaged) {
			return &Error{File: file, Line: n, Found: "a read error (" + err.Error() + ")", Expected: "a readable file", Err: err}
		}
		if n == 1 {
			line = bytes.TrimPrefix(line, []byte("\xef\xbb\xbf"))
		}
		if text := bytes.TrimSpace(line); len(text) > 0 {
			if !utf8.Valid(text) {
				return &Error{File: file, Line: n, Found: "bytes that are not UTF-8", Expected: "UTF-8 text"}
			}
			seen = true
			if err := visit(n, text); err != nil {
				return err
			}
		}
		if errors.Is(err, ErrDamaged) {
			return &Error{File: file, Line: n, Found: err.Error(), Expected: "a whole file", Err: err}
		}
		if errors.Is(err, io.EOF) {
			break
		}
	}
	if !seen {
		return &Error{File: file, Found: "an empty file", Expected: "an episode", Err: ErrEmpty}
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

// ReadFile reads a whole file of at most MaxFile bytes, once it is expanded. Of a damaged
// one it gives what comes before the damage, with an ErrDamaged.
func ReadFile(fsys fs.FS, path string) ([]byte, error) {
	return ReadWhole(fsys, path, "an episode")
}

// ReadWhole is ReadFile for a file that is to hold something else.
func ReadWhole(fsys fs.FS, path, expected string) ([]byte, error) {
	f, err := Open(fsys, path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return whole(path, f, expected)
}

// whole reads what there is, at most MaxFile bytes.
func whole(path string, f io.Reader, expected string) ([]byte, error) {
	data, err := io.ReadAll(io.LimitReader(f, MaxFile+1))
	switch {
	case err != nil && !errors.Is(err, ErrDamaged):
		return nil, unreadable(path, err)
	case len(data) > MaxFile:
		return nil, &Error{File: path, Found: "a file of more than 64 MiB", Expected: "a smaller one"}
	case len(bytes.TrimSpace(data)) == 0:
		return nil, &Error{File: path, Found: "an empty file", Expected: expected}
	}
	if err != nil {
		return data, &Error{File: path, Line: 1 + bytes.Count(data, []byte("\n")), Found: err.Error(), Expected: "a whole file", Err: err}
	}
	return data, nil
}

// Open opens a file, but no pipe or device, which may have no end. What is compressed is
// read expanded. Its errors are Errors.
func Open(fsys fs.FS, path string) (io.ReadCloser, error) {
	if err := Regular(fsys, path); err != nil {
		return nil, err
	}
	f, err := fsys.Open(path)
	if err != nil {
		return nil, unreadable(path, err)
	}
	return expand(path, f)
}

// Regular is the error of a path that is no file with a beginning and an end.
func Regular(fsys fs.FS, path string) error {
	info, err := fs.Stat(fsys, path)
	switch {
	case err != nil:
		return unreadable(path, err)
	case !info.Mode().IsRegular() && !info.IsDir():
		return &Error{File: path, Found: "a pipe or a device", Expected: "a file; a stream is read from standard input, as -"}
	}
	return nil
}

func unreadable(path string, err error) error {
	return &Error{File: path, Found: Cause(err), Expected: "a readable file", Err: err}
}

// maxWrong is how many lines of a file are told one by one to be wrong.
const maxWrong = 100

// ReadRecords reads one record from every line of a file that is not blank. A line that is
// wrong does not hide the others: the error joins what is wrong with each, and with it are
// returned the records of the rest, nil where there are none.
func ReadRecords[T any](file string, r io.Reader, record func(n int, line []byte) (T, error)) ([]T, error) {
	var out []T
	var errs []error
	more := 0
	err := EachLine(file, r, func(n int, line []byte) error {
		t, err := record(n, line)
		switch {
		case err == nil:
			out = append(out, t)
		case len(errs) < maxWrong:
			errs = append(errs, err)
		default:
			more++
		}
		return nil
	})
	if more > 0 {
		errs = append(errs, &Error{File: file, Found: fmt.Sprintf("%d more lines that are wrong", more), Expected: "a file of the kind that its name tells"})
	}
	return out, Join(append(errs, err)...)
}

// Join is errors.Join that gives a single error as it is.
func Join(errs ...error) error {
	errs = slices.DeleteFunc(errs, func(err error) bool { return err == nil })
	if len(errs) == 1 {
		return errs[0]
	}
	return errors.Join(errs...)
}

// Cause is the reason of a file error in words, without the path.
func Cause(err error) string {
	var p *fs.PathError
	switch {
	case errors.Is(err, fs.ErrNotExist):
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
