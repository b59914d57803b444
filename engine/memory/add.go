package memory

import (
	"bytes"
	"cmp"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/cayleygraph/quad"

	"github.com/mishap-robotics/mishap/engine"
	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/engine/record"
)

// Run is an episode to be added, with what was concluded from it. Its Result may be nil:
// then the log alone is kept.
type Run struct {
	Episode *episode.Episode
	record.Conclusions
	// Replace takes the place of an episode of the same id that is there.
	Replace bool
}

// Add adds episodes, all in one transaction: when it returns without an error they are on
// the disk, else none of them is. The error is ErrExists for an id that is there already,
// unless it is to be replaced.
func (m *Memory) Add(ctx context.Context, runs ...Run) error {
	for i := range runs {
		if runs[i].Episode == nil {
			return errors.New("memory: no episode")
		}
	}
	written, wait := m.entries(runs)
	err := m.in.add(ctx, written)
	wait()
	if err == nil {
		for i := range written {
			m.feed.tell(Added{written[i].Entry, written[i].quads, runs[i].findings()})
		}
	}
	return err
}

func (r *Run) findings() []engine.Finding {
	if r.Result == nil {
		return nil
	}
	return r.Result.Findings
}

// entry is an episode that is to be written.
type entry struct {
	Entry
	quads   []quad.Quad
	replace bool
	ready   chan struct{} // closed when the rest is there
}

// entries makes entries of runs, several at once, while those that are ready are written.
// Nobody may touch the runs before wait returns.
func (m *Memory) entries(runs []Run) (written []entry, wait func()) {
	written = make([]entry, len(runs))
	for i := range written {
		written[i].ready = make(chan struct{})
	}
	var next atomic.Int64
	var working sync.WaitGroup
	for range min(len(runs), runtime.GOMAXPROCS(0)) {
		working.Go(func() {
			for i := int(next.Add(1)) - 1; i < len(runs); i = int(next.Add(1)) - 1 {
				e := &written[i]
				e.take(m.entry(&runs[i]))
				close(e.ready)
			}
		})
	}
	return written, working.Wait
}

// take is an entry whose ready is kept.
func (e *entry) take(other entry) {
	e.Entry, e.quads, e.replace = other.Entry, other.quads, other.replace
}

func (m *Memory) entry(r *Run) entry {
	ep := r.Episode
	var t *engine.Trace
	if r.Result != nil {
		t = r.Result.Trace
	}
	e := entry{Entry: EntryOf(ep), replace: r.Replace}
	e.Added, e.Findings = time.Now().UTC().Truncate(time.Millisecond), len(r.findings())
	e.quads = append(record.Episode(m.onto, ep, t, record.Changes), record.Concluded(m.onto, r.Conclusions)...)
	return e
}

// EntryOf is what a memory would tell of an episode that is not in it.
func EntryOf(ep *episode.Episode) Entry {
	e := Entry{ID: ep.ID, Robot: ep.Robot, Site: ep.Site, Task: ep.Task, Labels: ep.Labels}
	for i := range ep.Steps {
		if ep.Steps[i].Action.Name != "" {
			e.Steps++
		}
	}
	if at, err := ep.Started(); err == nil {
		e.Start = at.UTC().Truncate(time.Millisecond)
	}
	return e
}

func (m *folder) add(ctx context.Context, written []entry) error {
	return m.write(ctx, func(tx *sql.Tx) error {
		w, err := m.begin(ctx, tx)
		if err != nil {
			return err
		}
		if err := w.ontology(); err != nil {
			return err
		}
		for i := range written {
			<-written[i].ready
			if err := w.add(&written[i], written[i].replace); err != nil {
				return fmt.Errorf("episode %s: %w", written[i].ID, err)
			}
		}
		return w.flush()
	})
}

// rows is how many quads or terms one statement writes.
const rows = 100

// row is a quad as the tables have it.
type row struct{ s, p, o, g node }

func (a row) compare(b row) int {
	return cmp.Or(cmp.Compare(a.s, b.s), cmp.Compare(a.p, b.p), cmp.Compare(a.o, b.o), cmp.Compare(a.g, b.g))
}

// insert writes rows of a table, as many at a time as rows has it.
type insert struct {
	width     int // values of a row
	many, one *sql.Stmt
}

func newInsert(ctx context.Context, tx *sql.Tx, into string, width int) (i insert, err error) {
	values := "(?" + strings.Repeat(",?", width-1) + ")"
	i.width = width
	if i.many, err = tx.PrepareContext(ctx, into+strings.Repeat(values+",", rows-1)+values); err == nil {
		i.one, err = tx.PrepareContext(ctx, into+values)
	}
	return i, err
}

// write writes no more than as many rows, which are given one after the other.
func (i *insert) write(ctx context.Context, values []any) error {
	if len(values) == rows*i.width {
		_, err := i.many.ExecContext(ctx, values...)
		return err
	}
	for row := range slices.Chunk(values, i.width) {
		if _, err := i.one.ExecContext(ctx, row...); err != nil {
			return err
		}
	}
	return nil
}

func (i *insert) close() error { return errors.Join(i.many.Close(), i.one.Close()) }

// batch writes episodes in one transaction.
type batch struct {
	ctx       context.Context
	m         *folder
	tx        *sql.Tx
	quad      insert
	term      insert
	seek      *sql.Stmt
	fresh     bool             // the memory has no term but those of the batch
	next      int64            // number of the next new term
	pending   map[string]int64 // new terms that are not written yet; unwritten has their rows
	unwritten []any
	args      []any
	rows      []row
	number    int64 // of the episode that is written, and its escaped id
	escaped   string
	nodes     map[quad.Value]node
}

func (m *folder) begin(ctx context.Context, tx *sql.Tx) (*batch, error) {
	if err := m.checkGeneration(ctx, tx); err != nil {
		return nil, err
	}
	w := &batch{ctx: ctx, m: m, tx: tx, pending: map[string]int64{}, nodes: map[quad.Value]node{}}
	var errs [3]error
	w.quad, errs[0] = newInsert(ctx, tx, `INSERT OR IGNORE INTO quad VALUES `, 4)
	w.term, errs[1] = newInsert(ctx, tx, `INSERT INTO term VALUES `, 3)
	w.seek, errs[2] = tx.PrepareContext(ctx, `SELECT id FROM term WHERE hash = ? AND text = ?`)
	if err := errors.Join(errs[:]...); err != nil {
		return nil, err
	}
	err := tx.QueryRowContext(ctx, `SELECT coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'term'), 0)`).Scan(&w.next)
	w.fresh = w.next == 0
	w.next++
	return w, err
}

// flush ends the batch.
func (w *batch) flush() error {
	return errors.Join(w.quad.close(), w.term.close(), w.seek.Close())
}

func (w *batch) add(e *entry, replace bool) error {
	if err := w.ctx.Err(); err != nil {
		return err
	}
	var there int64
	switch err := w.tx.QueryRowContext(w.ctx, `SELECT n FROM episode WHERE id = ?`, e.ID).Scan(&there); {
	case errors.Is(err, sql.ErrNoRows):
	case err != nil:
		return err
	case !replace:
		return ErrExists
	default:
		if err := remove(w.ctx, w.tx, there); err != nil {
			return err
		}
		w.m.numbers.forget()
	}
	labels, err := json.Marshal(e.Labels)
	if err != nil {
		return err
	}
	e.Quads = len(e.quads)
	res, err := w.tx.ExecContext(w.ctx, `INSERT INTO episode (id, robot, site, task, labels, start, added, steps, findings, quads) VALUES (?,?,?,?,?,?,?,?,?,?)`,
		e.ID, e.Robot, e.Site, e.Task, string(labels), milliseconds(e.Start), e.Added.UnixMilli(), e.Steps, e.Findings, e.Quads)
	if err != nil {
		return err
	}
	if w.number, err = res.LastInsertId(); err != nil {
		return err
	}
	if w.number > 1<<34 {
		return errTooMany
	}
	w.escaped = strings.TrimPrefix(record.Root(e.ID), record.Base)
	return w.quads(e.quads)
}

func milliseconds(t time.Time) any {
	if t.IsZero() {
		return nil
	}
	return t.UnixMilli()
}

// quads writes quads in the order of their tree.
func (w *batch) quads(quads []quad.Quad) error {
	clear(w.nodes)
	out := w.rows[:0]
	var last quad.Quad
	var r row
	var errs [4]error
	for _, q := range quads { // most have something of the one before
		if q.Subject != last.Subject {
			r.s, errs[0] = w.node(q.Subject)
		}
		if q.Predicate != last.Predicate {
			r.p, errs[1] = w.node(q.Predicate)
		}
		if q.Object != last.Object {
			r.o, errs[2] = w.node(q.Object)
		}
		if q.Label != last.Label {
			r.g, errs[3] = w.node(q.Label)
		}
		if err := cmp.Or(errs[:]...); err != nil {
			return err
		}
		out, last = append(out, r), q
	}
	if err := w.writeTerms(); err != nil {
		return err
	}
	w.rows = out
	slices.SortFunc(out, row.compare)
	for some := range slices.Chunk(out, rows) {
		w.args = w.args[:0]
		for _, r := range some {
			w.args = append(w.args, r.s, r.p, r.o, r.g)
		}
		if err := w.quad.write(w.ctx, w.args); err != nil {
			return err
		}
	}
	return nil
}

// node is that of a value; a term that is new is written.
func (w *batch) node(v quad.Value) (node, error) {
	if v == nil {
		return none, nil
	}
	if n, ok := w.nodes[v]; ok {
		return n, nil
	}
	text, episode, err := textOf(v)
	if err != nil {
		return none, err
	}
	number := int64(0)
	switch episode {
	case "":
	case w.escaped:
		number = w.number
	default: // another's
		var there bool
		if number, there, err = w.m.number(w.ctx, w.tx, episode); err != nil {
			return none, err
		}
		if !there {
			text = string(iriTerm) + quad.ToString(v)
			if iri, ok := v.(quad.IRI); ok {
				text = string(iriTerm) + string(iri)
			}
		}
	}
	id, err := w.termID(text)
	if err != nil {
		return none, err
	}
	n := nodeOf(number, id)
	w.nodes[v] = n
	return n, nil
}

func (w *batch) termID(text string) (int64, error) {
	if id, ok := w.m.terms.id(text); ok {
		return id, nil
	}
	if id, ok := w.pending[text]; ok {
		return id, nil
	}
	var id int64
	err := sql.ErrNoRows
	if !w.fresh || w.next > cached { // else what is there was kept
		err = w.seek.QueryRowContext(w.ctx, hashOf(text), text).Scan(&id)
	}
	if errors.Is(err, sql.ErrNoRows) {
		if id, err = w.next, nil; id > maxTerms {
			return 0, errTooMany
		}
		w.next++
		w.pending[text], w.unwritten = id, append(w.unwritten, id, hashOf(text), text)
		if len(w.pending) == rows {
			err = w.writeTerms()
		}
	}
	if err != nil {
		return 0, err
	}
	w.m.terms.keep(id, text)
	return id, nil
}

// writeTerms writes the terms that are pending.
func (w *batch) writeTerms() error {
	err := w.term.write(w.ctx, w.unwritten)
	w.unwritten = w.unwritten[:0]
	clear(w.pending)
	return err
}

// remove takes an episode out, by its number.
func remove(ctx context.Context, tx *sql.Tx, n int64) error {
	if _, err := tx.ExecContext(ctx, `DELETE FROM quad WHERE s BETWEEN ? AND ?`, nodeOf(n, 0), nodeOf(n, mask)); err != nil {
		return err
	}
	_, err := tx.ExecContext(ctx, `DELETE FROM episode WHERE n = ?`, n)
	return err
}

// Remove takes episodes out, all or none. The error is ErrNotFound for an id that is not
// there.
func (m *folder) Remove(ctx context.Context, ids ...string) error {
	err := m.write(ctx, func(tx *sql.Tx) error {
		for _, id := range ids {
			var n int64
			err := tx.QueryRowContext(ctx, `SELECT n FROM episode WHERE id = ?`, id).Scan(&n)
			if errors.Is(err, sql.ErrNoRows) {
				return fmt.Errorf("episode %s: %w", id, ErrNotFound)
			}
			if err == nil {
				err = remove(ctx, tx, n)
			}
			if err != nil {
				return err
			}
		}
		return nil
	})
	m.numbers.forget()
	return err
}

// Compact gives back the room of what was removed, and of terms that nothing speaks of any
// more. Nobody else can write meanwhile.
func (m *folder) Compact(ctx context.Context) error {
	err := m.write(ctx, func(tx *sql.Tx) error {
		const unused = `DELETE FROM term WHERE id NOT IN (
			SELECT s & %[1]d FROM quad UNION SELECT p & %[1]d FROM quad UNION SELECT o & %[1]d FROM quad UNION SELECT g & %[1]d FROM quad)`
		if _, err := tx.ExecContext(ctx, fmt.Sprintf(unused, mask)); err != nil {
			return err
		}
		_, err := tx.ExecContext(ctx, `INSERT INTO setting VALUES ('generation', '1') ON CONFLICT (name) DO UPDATE SET value = value + 1`)
		return err
	})
	m.terms.forget()
	if err != nil {
		return err
	}
	if _, err := m.db.ExecContext(ctx, `VACUUM`); err != nil {
		return m.explain(err)
	}
	_, err = m.db.ExecContext(ctx, `PRAGMA wal_checkpoint(TRUNCATE)`)
	return m.explain(err)
}

// checkGeneration forgets what was looked up where another process has compacted since.
func (m *folder) checkGeneration(ctx context.Context, tx *sql.Tx) error {
	var now []byte
	err := tx.QueryRowContext(ctx, `SELECT value FROM setting WHERE name = 'generation'`).Scan(&now)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return err
	}
	if !bytes.Equal(now, m.generation) {
		m.generation = now
		m.terms.forget()
		m.numbers.forget()
	}
	return nil
}
