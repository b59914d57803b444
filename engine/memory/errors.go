package memory

import (
	"database/sql"
	"errors"
	"fmt"
	"slices"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// What may be wrong with a memory or a call; errors.Is tells them apart.
var (
	// ErrNotFound is an episode that is not in the memory.
	ErrNotFound = errors.New("not in the memory")
	// ErrExists is an episode of an id that is in the memory already.
	ErrExists = errors.New("already in the memory")
	// ErrBusy is a memory that another process writes to for longer than BusyTimeout.
	ErrBusy = errors.New("another process is writing to the memory; try again when it is done")
	// ErrReadOnly is a memory in a folder or file that may not be written to.
	ErrReadOnly = errors.New("the memory may not be written to; check the rights of its folder, or copy it")
	// ErrFull is a disk without room: what was to be added is not, the rest is unharmed.
	ErrFull = errors.New("no room on the disk of the memory; what was to be added was not, the rest is unharmed")
	// ErrDamaged is a file that is no memory, or one that was damaged.
	ErrDamaged = errors.New("not a memory, or a damaged one; restore it from a copy, or add the logs to a new one")
)

// VersionError is a memory written by a newer version of mishap.
type VersionError struct {
	File           string
	Found, Highest int // version of its tables, and the highest that is understood
}

func (e *VersionError) Error() string {
	return fmt.Sprintf("%s: a memory of version %d; this mishap understands versions up to %d: use a newer one", e.File, e.Found, e.Highest)
}

// inFile is what is wrong with the file of a memory.
type inFile struct {
	file string
	err  error
}

func (e *inFile) Error() string { return e.file + ": " + e.err.Error() }
func (e *inFile) Unwrap() error { return e.err }

// explain names what is wrong with the file, as explain does, and the file, once.
func (m *folder) explain(err error) error {
	var told *inFile
	err = explain(err)
	if err != nil && !errors.As(err, &told) && slices.ContainsFunc(ofFiles, func(known error) bool { return errors.Is(err, known) }) {
		return &inFile{m.file, err}
	}
	return err
}

var ofFiles = []error{ErrBusy, ErrReadOnly, ErrFull, ErrDamaged}

// missingRow is the error of a row that others speak of, which is damage where it is not there.
func (m *folder) missingRow(err error) error {
	if errors.Is(err, sql.ErrNoRows) {
		err = fmt.Errorf("%w (a number in it stands for nothing)", ErrDamaged)
	}
	return m.explain(err)
}

// explain gives an error of the database the name that callers know.
func explain(err error) error {
	var db *sqlite.Error
	if err == nil || !errors.As(err, &db) {
		return err
	}
	if slices.ContainsFunc(ofFiles, func(known error) bool { return errors.Is(err, known) }) {
		return err
	}
	named := error(nil)
	switch db.Code() & 0xff {
	case sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED:
		named = ErrBusy
	case sqlite3.SQLITE_READONLY, sqlite3.SQLITE_PERM, sqlite3.SQLITE_CANTOPEN:
		named = ErrReadOnly
	case sqlite3.SQLITE_FULL:
		named = ErrFull
	case sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB:
		named = ErrDamaged
	default:
		return err
	}
	return fmt.Errorf("%w (%w)", named, err)
}
