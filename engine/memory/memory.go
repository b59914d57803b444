// Package memory keeps episodes, and what was concluded from them, as quads on disk: one
// file of SQLite tables behind the interfaces of Cayley. Episodes are added whole or not
// at all; what is acknowledged survives the end of the process. The reasoner does not read
// it: facts stay in their index.
package memory

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/cayleygraph/cayley/graph"
	"github.com/cayleygraph/quad"
	_ "modernc.org/sqlite" // the driver, in Go

	"github.com/mishap-robotics/mishap/ontology"
)

// File is the name of the file of a memory in its folder.
const File = "memory.db"

// BusyTimeout is how long a call waits for another process to write.
const BusyTimeout = 10 * time.Second

// version of the tables.
const version = 1

// application marks the file as a memory: "mshp".
const application = 0x6d736870

// Memory is a store of episodes. Goroutines may share it.
type Memory struct {
	onto *ontology.Ontology
	in   backend
	feed feed
}

// backend is where a memory keeps its quads: the tables of a folder, or a server.
type backend interface {
	add(ctx context.Context, written []entry) error
	Remove(ctx context.Context, ids ...string) error
	Compact(ctx context.Context) error
	List(ctx context.Context, f Filter) iter.Seq2[Entry, error]
	Entry(ctx context.Context, id string) (Entry, error)
	Quads(ctx context.Context, id string) ([]quad.Quad, error)
	Match(ctx context.Context, p Pattern) iter.Seq2[quad.Quad, error]
	about(ctx context.Context, subjects, predicates []quad.IRI) ([]quad.Quad, error)
	Stats(ctx context.Context) (Stats, error)
	Graph() graph.QuadStore
	Close() error
}

// folder is a memory in a file of SQLite tables.
type folder struct {
	onto       *ontology.Ontology
	file       string
	readOnly   bool
	db         *sql.DB
	writing    sync.Mutex // one transaction that writes at a time
	terms      *dictionary
	numbers    *episodes
	generation []byte // of the terms, when they were last looked at
}

// Options say how a memory is opened.
type Options struct {
	ReadOnly bool // it must be there, and is not written to
}

// Open opens the memory in a folder, which is made where there is none, or in a database of
// PostgreSQL (postgres://…) or CockroachDB (cockroach://…), in which tables are made where
// there are none.
func Open(ctx context.Context, o *ontology.Ontology, place string, opt Options) (*Memory, error) {
	if o == nil {
		return nil, errors.New("memory: no ontology")
	}
	var in backend
	var err error
	if IsURL(place) {
		in, err = openServer(ctx, o, place, opt)
	} else {
		in, err = openFolder(ctx, o, place, opt)
	}
	if err != nil {
		return nil, err
	}
	return &Memory{onto: o, in: in}, nil
}

func openFolder(ctx context.Context, o *ontology.Ontology, place string, opt Options) (*folder, error) {
	file := filepath.Join(place, File)
	_, err := os.Stat(file)
	switch {
	case errors.Is(err, fs.ErrNotExist) && opt.ReadOnly:
		return nil, fmt.Errorf("%s: no memory there; \"mishap memory add\" makes one: %w", place, fs.ErrNotExist)
	case errors.Is(err, fs.ErrNotExist):
		if err := os.MkdirAll(place, 0o755); err != nil {
			return nil, fmt.Errorf("memory: %w", err)
		}
	case err != nil:
		return nil, fmt.Errorf("memory: %w", err)
	case opt.ReadOnly: // SQLite does not tell why a file cannot be opened
		f, err := os.Open(file)
		if err != nil {
			return nil, fmt.Errorf("memory: %w", err)
		}
		f.Close()
	}
	m := &folder{onto: o, file: file, readOnly: opt.ReadOnly, terms: newDictionary(), numbers: newEpisodes()}
	if m.db, err = sql.Open("sqlite", address(file, opt.ReadOnly)); err != nil {
		return nil, fmt.Errorf("%s: %w", file, explain(err))
	}
	m.db.SetMaxIdleConns(4)
	if err := m.prepareInTurn(ctx); err != nil {
		m.db.Close()
		return nil, m.explain(err)
	}
	return m, nil
}

// prepareInTurn prepares the tables when no other process does: where several make a memory
// SQLite does not wait for the one that is first.
func (m *folder) prepareInTurn(ctx context.Context) error {
	began := time.Now()
	for {
		err := m.prepare(ctx)
		if !errors.Is(explain(err), ErrBusy) || time.Since(began) >= BusyTimeout {
			return err
		}
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-time.After(5 * time.Millisecond):
		}
	}
}

// address is the file as the driver takes it. A file beside which nothing can be written is
// read as it is, without the files that let several share it.
func address(file string, readOnly bool) string {
	q := url.Values{}
	q.Add("_pragma", fmt.Sprintf("busy_timeout(%d)", BusyTimeout.Milliseconds()))
	q.Add("_pragma", "cache_size(-32768)")
	if readOnly {
		q.Set("mode", "ro")
		if !writable(filepath.Dir(file)) {
			if _, err := os.Stat(file + "-wal"); err != nil {
				q.Set("immutable", "1")
			}
		}
	} else {
		q.Add("_pragma", "journal_mode(wal)")
		q.Add("_pragma", "synchronous(full)")
		q.Add("_pragma", "wal_autocheckpoint(16384)")
		q.Add("_pragma", "journal_size_limit(67108864)")
		q.Set("_txlock", "immediate")
	}
	return "file:" + (&url.URL{Path: file}).EscapedPath() + "?" + q.Encode()
}

func writable(folder string) bool {
	f, err := os.CreateTemp(folder, ".mishap-*")
	if err != nil {
		return false
	}
	f.Close()
	return os.Remove(f.Name()) == nil
}

// tables are those of a memory. A node is an integer: the number of the episode that it is
// a part of, shifted by shift, and a term, which for a part of an episode is the end of its
// IRI: the ends, which are alike in all episodes, are kept once. Numbers are never used
// twice. Two trees hold each quad: by subject, which is by episode, and by predicate and
// object.
const tables = `
CREATE TABLE term (id INTEGER PRIMARY KEY AUTOINCREMENT, hash INTEGER NOT NULL, text TEXT NOT NULL);
CREATE INDEX term_hash ON term (hash);
CREATE TABLE episode (
	n INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE,
	robot TEXT NOT NULL, site TEXT NOT NULL, task TEXT NOT NULL, labels TEXT NOT NULL,
	start INTEGER, added INTEGER NOT NULL,
	steps INTEGER NOT NULL, findings INTEGER NOT NULL, quads INTEGER NOT NULL
);
CREATE INDEX episode_start ON episode (start);
CREATE TABLE quad (
	s INTEGER NOT NULL, p INTEGER NOT NULL, o INTEGER NOT NULL, g INTEGER NOT NULL,
	PRIMARY KEY (s, p, o, g)
) WITHOUT ROWID;
CREATE INDEX quad_pos ON quad (p, o, s, g);
CREATE TABLE setting (name TEXT PRIMARY KEY, value TEXT NOT NULL);
`

// prepare makes the tables of a new memory, and checks those of one that is there.
func (m *folder) prepare(ctx context.Context) error {
	there, err := m.check(ctx, m.db)
	switch {
	case err != nil || there:
		return err
	case m.readOnly:
		return ErrDamaged
	}
	return m.write(ctx, func(tx *sql.Tx) error {
		if there, err := m.check(ctx, tx); err != nil || there { // another process was first
			return err
		}
		var count int
		if err := tx.QueryRowContext(ctx, `SELECT count(*) FROM sqlite_master`).Scan(&count); err != nil {
			return err
		}
		if count > 0 {
			return ErrDamaged
		}
		_, err := tx.ExecContext(ctx, tables+fmt.Sprintf("PRAGMA application_id = %d; PRAGMA user_version = %d;", application, version))
		return err
	})
}

// check reports whether there are tables of a memory; false is also what it says of another
// database.
func (m *folder) check(ctx context.Context, in interface {
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}) (there bool, err error) {
	var app, found int
	if err := in.QueryRowContext(ctx, `SELECT application_id, user_version FROM pragma_application_id, pragma_user_version`).Scan(&app, &found); err != nil {
		return false, err
	}
	switch {
	case app == application && found > version:
		return false, &VersionError{m.file, found, version}
	case app == application && found == version:
		return true, nil
	case app != 0:
		return false, ErrDamaged
	}
	return false, nil
}

// write does something in one transaction.
func (m *folder) write(ctx context.Context, do func(tx *sql.Tx) error) error {
	if m.readOnly {
		return m.explain(ErrReadOnly)
	}
	m.writing.Lock()
	defer m.writing.Unlock()
	tx, err := m.db.BeginTx(ctx, nil)
	if err != nil {
		return m.explain(err)
	}
	if err := do(tx); err != nil {
		tx.Rollback()
		m.terms.forget() // what was new in it is in no table
		m.numbers.forget()
		return m.explain(err)
	}
	if err := tx.Commit(); err != nil {
		m.terms.forget()
		m.numbers.forget()
		return m.explain(err)
	}
	return nil
}

// Close closes the tables.
func (m *folder) Close() error { return m.explain(m.db.Close()) }

// Close closes the memory. What was added is in it.
func (m *Memory) Close() error {
	m.feed.close()
	return m.in.Close()
}

// List yields the episodes that a filter lets through, those that began first before
// others; those of which no start is known come first, as they were added. An error ends
// them.
func (m *Memory) List(ctx context.Context, f Filter) iter.Seq2[Entry, error] {
	return m.in.List(ctx, f)
}

// Entry is that of an episode; the error is ErrNotFound where it is not there.
func (m *Memory) Entry(ctx context.Context, id string) (Entry, error) { return m.in.Entry(ctx, id) }

// Quads lists the quads of an episode.
func (m *Memory) Quads(ctx context.Context, id string) ([]quad.Quad, error) {
	return m.in.Quads(ctx, id)
}

// Match yields the quads that a pattern means. An error ends them.
func (m *Memory) Match(ctx context.Context, p Pattern) iter.Seq2[quad.Quad, error] {
	return m.in.Match(ctx, p)
}

// Stats counts what the memory holds.
func (m *Memory) Stats(ctx context.Context) (Stats, error) { return m.in.Stats(ctx) }

// Remove takes episodes out, all or none. The error is ErrNotFound for an id that is not
// there.
func (m *Memory) Remove(ctx context.Context, ids ...string) error { return m.in.Remove(ctx, ids...) }

// Compact gives back the room of what was removed, and of terms that nothing speaks of any
// more. Nobody else can write meanwhile. A server does so by itself.
func (m *Memory) Compact(ctx context.Context) error { return m.in.Compact(ctx) }

// Graph is the memory as Cayley has a store, for paths and iterators. It is read only:
// episodes are added whole, by Add. Its Close leaves the memory open.
func (m *Memory) Graph() graph.QuadStore { return m.in.Graph() }

// IsURL reports whether a place is a server rather than a folder.
func IsURL(place string) bool { return strings.Contains(place, "://") }
