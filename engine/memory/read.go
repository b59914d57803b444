package memory

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"os"
	"strings"
	"time"

	"github.com/cayleygraph/quad"

	"github.com/mishap-robotics/mishap/engine"
	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/engine/record"
	"github.com/mishap-robotics/mishap/ontology"
	"github.com/mishap-robotics/mishap/ontology/recorded"
)

// Entry is what a memory tells of an episode without reading it.
type Entry struct {
	ID     string    `json:"id"`
	Robot  string    `json:"robot,omitempty"`
	Site   string    `json:"site,omitempty"`
	Task   string    `json:"task,omitempty"`
	Labels []string  `json:"labels,omitempty"`
	Start  time.Time `json:"start,omitzero"` // zero where the log does not say
	Added  time.Time `json:"added"`
	// Steps with an action, findings, quads.
	Steps    int `json:"steps"`
	Findings int `json:"findings"`
	Quads    int `json:"quads"`
	number   int64
}

// Filter says which episodes are meant; a zero field is no condition. What has no start
// time is in no span of time.
type Filter struct {
	Robot, Site, Task, Label string
	Since, Until             time.Time // of the start: from Since on, before Until
}

func (f Filter) where() (text string, args []any) {
	var all []string
	add := func(condition string, arg any) {
		all, args = append(all, condition), append(args, arg)
	}
	if f.Robot != "" {
		add("robot = ?", f.Robot)
	}
	if f.Site != "" {
		add("site = ?", f.Site)
	}
	if f.Task != "" {
		add("task = ?", f.Task)
	}
	if f.Label != "" {
		add("? IN (SELECT value FROM json_each(labels))", f.Label)
	}
	if !f.Since.IsZero() {
		add("start >= ?", f.Since.UnixMilli())
	}
	if !f.Until.IsZero() {
		add("start < ?", f.Until.UnixMilli())
	}
	if len(all) == 0 {
		return "", nil
	}
	return " WHERE " + strings.Join(all, " AND "), args
}

const entryColumns = `n, id, robot, site, task, labels, start, added, steps, findings, quads`

func scanEntry(scan func(...any) error) (Entry, error) {
	var e Entry
	var labels string
	var start sql.NullInt64
	var added int64
	if err := scan(&e.number, &e.ID, &e.Robot, &e.Site, &e.Task, &labels, &start, &added, &e.Steps, &e.Findings, &e.Quads); err != nil {
		return e, err
	}
	if start.Valid {
		e.Start = time.UnixMilli(start.Int64).UTC()
	}
	e.Added = time.UnixMilli(added).UTC()
	if err := json.Unmarshal([]byte(labels), &e.Labels); err != nil {
		return e, ErrDamaged
	}
	return e, nil
}

// List yields the episodes that a filter lets through, those that began first before
// others; those of which no start is known come first, as they were added. An error ends
// them.
func (m *folder) List(ctx context.Context, f Filter) iter.Seq2[Entry, error] {
	return func(yield func(Entry, error) bool) {
		where, args := f.where()
		rows, err := m.db.QueryContext(ctx, `SELECT `+entryColumns+` FROM episode`+where+` ORDER BY start, n`, args...)
		if err != nil {
			yield(Entry{}, m.explain(err))
			return
		}
		defer rows.Close()
		for rows.Next() {
			e, err := scanEntry(rows.Scan)
			if !yield(e, m.explain(err)) || err != nil {
				return
			}
		}
		if err := rows.Err(); err != nil {
			yield(Entry{}, m.explain(err))
		}
	}
}

// Entry is that of an episode; the error is ErrNotFound where it is not there.
func (m *folder) Entry(ctx context.Context, id string) (Entry, error) {
	e, err := scanEntry(m.db.QueryRowContext(ctx, `SELECT `+entryColumns+` FROM episode WHERE id = ?`, id).Scan)
	if errors.Is(err, sql.ErrNoRows) {
		err = fmt.Errorf("episode %s: %w", id, ErrNotFound)
	}
	return e, m.explain(err)
}

// Quads lists the quads of an episode.
func (m *folder) Quads(ctx context.Context, id string) ([]quad.Quad, error) {
	e, err := m.Entry(ctx, id)
	if err != nil {
		return nil, err
	}
	rows, err := m.db.QueryContext(ctx, `SELECT s, p, o, g FROM quad WHERE s BETWEEN ? AND ?`, nodeOf(e.number, 0), nodeOf(e.number, mask))
	if err != nil {
		return nil, m.explain(err)
	}
	found, err := m.scanRows(rows)
	if err != nil {
		return nil, err
	}
	out := make([]quad.Quad, len(found))
	values := map[node]quad.Value{}
	for i, r := range found {
		if out[i], err = m.quad(ctx, r, values); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// scanRows reads and closes rows of quads.
func (m *folder) scanRows(rows *sql.Rows) ([]row, error) {
	defer rows.Close()
	var out []row
	for rows.Next() {
		var r row
		if err := rows.Scan(&r.s, &r.p, &r.o, &r.g); err != nil {
			return nil, m.explain(err)
		}
		out = append(out, r)
	}
	return out, m.explain(rows.Err())
}

// quad is a row with its values; those that were met are in values.
func (m *folder) quad(ctx context.Context, r row, values map[node]quad.Value) (q quad.Quad, err error) {
	get := func(n node) quad.Value {
		if n == none {
			return nil
		}
		v, ok := values[n]
		if !ok && err == nil {
			if v, err = m.value(ctx, m.db, n); err == nil && values != nil {
				values[n] = v
			}
		}
		return v
	}
	q = quad.Quad{Subject: get(r.s), Predicate: get(r.p), Object: get(r.o), Label: get(r.g)}
	return q, err
}

// Episode rebuilds an episode.
func (m *Memory) Episode(ctx context.Context, id string) (*episode.Episode, error) {
	quads, err := m.Quads(ctx, id)
	if err != nil {
		return nil, err
	}
	return record.Rebuild(m.onto, id, quads)
}

// Stats is how much a memory holds.
type Stats struct {
	Episodes     int       `json:"episodes"`
	Quads        int       `json:"quads"`    // with those of the ontology
	Ontology     int       `json:"ontology"` // quads of the ontology
	Terms        int       `json:"terms"`
	Findings     int       `json:"findings"`
	Bytes        int64     `json:"bytes"` // of its file
	BytesPerQuad float64   `json:"bytes_per_quad"`
	First        time.Time `json:"first,omitzero"` // start of the first and of the last episode
	Last         time.Time `json:"last,omitzero"`
}

// Stats counts what the memory holds.
func (m *folder) Stats(ctx context.Context) (Stats, error) {
	var s Stats
	var first, last sql.NullInt64
	err := m.db.QueryRowContext(ctx, `SELECT count(*), coalesce(sum(quads), 0), coalesce(sum(findings), 0), min(start), max(start) FROM episode`).
		Scan(&s.Episodes, &s.Quads, &s.Findings, &first, &last)
	if err == nil {
		err = m.db.QueryRowContext(ctx, `SELECT (SELECT count(*) FROM term), coalesce((SELECT value FROM setting WHERE name = ?), 0)`, ontologyQuads).Scan(&s.Terms, &s.Ontology)
		s.Quads += s.Ontology
	}
	if err != nil {
		return s, m.explain(err)
	}
	if first.Valid {
		s.First, s.Last = time.UnixMilli(first.Int64).UTC(), time.UnixMilli(last.Int64).UTC()
	}
	for _, file := range []string{m.file, m.file + "-wal"} {
		if info, err := os.Stat(file); err == nil {
			s.Bytes += info.Size()
		}
	}
	if s.Quads > 0 {
		s.BytesPerQuad = float64(s.Bytes) / float64(s.Quads)
	}
	return s, nil
}

// Experience counts what came of recovery strategies in the episodes that a filter lets
// through.
func (m *Memory) Experience(ctx context.Context, f Filter) (*engine.Experience, error) {
	type trial struct{ class, strategy quad.Value }
	reached := map[trial][2]int{}
	for q, err := range m.Match(ctx, Pattern{Predicate: rdfType, Object: quad.IRI(recorded.StrategyTrial.IRI()), Of: f}) {
		if err != nil {
			return nil, err
		}
		var t trial
		n := [2]int{1, 0}
		for q, err := range m.Match(ctx, Pattern{Subject: q.Subject}) {
			if err != nil {
				return nil, err
			}
			switch q.Predicate {
			case quad.IRI(recorded.UseOf.IRI()):
				t.strategy = q.Object
			case quad.IRI(recorded.AfterFailure.IRI()):
				t.class = q.Object
			case quad.IRI(recorded.GoalReached.IRI()):
				if v, ok := q.Object.(quad.TypedString); ok && v.Value == "true" {
					n[1] = 1
				}
			}
		}
		was := reached[t]
		reached[t] = [2]int{was[0] + n[0], was[1] + n[1]}
	}
	out := &engine.Experience{}
	for t, n := range reached {
		out.Add(engine.StrategyCount{Class: local(t.class), Strategy: local(t.strategy), Tried: n[0], Reached: n[1]})
	}
	return out, nil
}

const rdfType = quad.IRI("http://www.w3.org/1999/02/22-rdf-syntax-ns#type")

// local is the name of a term of the ontology.
func local(v quad.Value) string {
	iri, _ := v.(quad.IRI)
	return strings.TrimPrefix(string(iri), ontology.Namespace)
}
