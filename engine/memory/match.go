package memory

import (
	"context"
	"fmt"
	"iter"
	"slices"
	"strconv"
	"strings"

	"github.com/cayleygraph/quad"
)

// Pattern says which quads are meant; what is nil may be anything. The quads of episodes
// that Of does not let through are left out, and where it has conditions what is of no
// episode.
type Pattern struct {
	Subject, Predicate, Object, Graph quad.Value
	Of                                Filter
}

// Match yields the quads that a pattern means, by its tables' order. An error ends them.
func (m *folder) Match(ctx context.Context, p Pattern) iter.Seq2[quad.Quad, error] {
	return func(yield func(quad.Quad, error) bool) {
		s, ok, err := m.scan(ctx, p)
		if err != nil || !ok {
			if err != nil {
				yield(quad.Quad{}, err)
			}
			return
		}
		for {
			r, ok, err := s.next(ctx)
			if err != nil {
				yield(quad.Quad{}, err)
				return
			}
			if !ok {
				return
			}
			if q, err := m.quad(ctx, r, nil); !yield(q, err) || err != nil {
				return
			}
		}
	}
}

// about lists what is said of subjects by predicates.
func (m *folder) about(ctx context.Context, subjects, predicates []quad.IRI) ([]quad.Quad, error) {
	numbers := func(names []quad.IRI) (string, error) {
		var out []string
		for _, name := range names {
			n, ok, err := m.find(ctx, name)
			if err != nil {
				return "", err
			}
			if ok {
				out = append(out, strconv.FormatInt(n, 10))
			}
		}
		return strings.Join(out, ","), nil
	}
	of, err := numbers(predicates)
	if err != nil {
		return nil, err
	}
	var out []quad.Quad
	values := map[node]quad.Value{}
	for some := range slices.Chunk(subjects, lastPage) {
		which, err := numbers(some)
		if err != nil {
			return nil, err
		}
		rows, err := m.db.QueryContext(ctx, `SELECT s, p, o, g FROM quad NOT INDEXED WHERE s IN (`+which+`) AND p IN (`+of+`)`)
		if err != nil {
			return nil, m.explain(err)
		}
		found, err := m.scanRows(rows)
		if err != nil {
			return nil, err
		}
		if err := m.learn(ctx, found); err != nil {
			return nil, err
		}
		for _, r := range found {
			q, err := m.quad(ctx, r, values)
			if err != nil {
				return nil, err
			}
			out = append(out, q)
		}
	}
	return out, nil
}

// scan finds the rows of a pattern; ok is false where a value of it is unknown.
func (m *folder) scan(ctx context.Context, p Pattern) (s *scan, ok bool, err error) {
	var fixed row
	for _, v := range []struct {
		to *node
		v  quad.Value
	}{{&fixed.s, p.Subject}, {&fixed.p, p.Predicate}, {&fixed.o, p.Object}, {&fixed.g, p.Graph}} {
		if v.v == nil {
			continue
		}
		if *v.to, ok, err = m.find(ctx, v.v); err != nil || !ok {
			return nil, false, err
		}
	}
	where, args := p.Of.where()
	s = newScan(m, fixed, where, args)
	s.texts = true
	return s, true, nil
}

// pages are how many rows are read at a time: few at first.
const (
	firstPage = 64
	lastPage  = 4096
)

// scan reads rows page by page, so that no read is open between two calls.
type scan struct {
	m       *folder
	query   string // up to what comes after the row that was read last
	args    []any
	columns []string // in the order of the tree that is read
	fixed   row
	texts   bool // what the terms of a page are is looked up with it
	page    []row
	at      int
	size    int
	over    bool
}

// newScan chooses the tree: by subject where there is one, or the episode of the graph
// tells it, else by predicate and object.
func newScan(m *folder, fixed row, of string, ofArgs []any) *scan {
	s := &scan{m: m, fixed: fixed, size: firstPage}
	var where []string
	add := func(text string, args ...any) { where, s.args = append(where, text), append(s.args, args...) }
	byObject := fixed.s == none && (fixed.p != none || fixed.o != none)
	if byObject && fixed.p == none {
		// every predicate there is, by one step of the tree for each
		add(`p IN (WITH RECURSIVE every(p) AS (SELECT min(p) FROM quad UNION ALL SELECT (SELECT min(p) FROM quad WHERE p > every.p) FROM every WHERE every.p IS NOT NULL) SELECT p FROM every WHERE p IS NOT NULL)`)
	}
	for _, c := range []struct {
		name string
		n    node
	}{{"s", fixed.s}, {"p", fixed.p}, {"o", fixed.o}, {"g", fixed.g}} {
		if c.n != none {
			add(c.name+" = ?", c.n)
		}
	}
	if fixed.g != none && fixed.s == none && !byObject {
		episode := fixed.g >> shift // what is said in a graph of an episode is of its parts
		add("s BETWEEN ? AND ?", nodeOf(episode, 0), nodeOf(episode, mask))
	}
	if of != "" {
		add("s >> "+fmt.Sprint(shift)+" IN (SELECT n FROM episode"+of+")", ofArgs...)
	}
	s.columns = []string{"s", "p", "o", "g"}
	table := "quad NOT INDEXED"
	if byObject {
		s.columns, table = []string{"p", "o", "s", "g"}, "quad INDEXED BY quad_pos"
	}
	s.query = `SELECT s, p, o, g FROM ` + table
	if len(where) > 0 {
		s.query += " WHERE " + strings.Join(where, " AND ")
	}
	return s
}

func (r row) column(name string) node {
	switch name {
	case "s":
		return r.s
	case "p":
		return r.p
	case "o":
		return r.o
	}
	return r.g
}

// next is the next row; ok is false where there is none.
func (s *scan) next(ctx context.Context) (r row, ok bool, err error) {
	if s.at == len(s.page) {
		if s.over {
			return row{}, false, nil
		}
		if err := s.read(ctx); err != nil || len(s.page) == 0 {
			return row{}, false, err
		}
	}
	s.at++
	return s.page[s.at-1], true, nil
}

// read reads a page, from after the row that was read last.
func (s *scan) read(ctx context.Context) error {
	query, args := s.query, slices.Clone(s.args)
	free := slices.DeleteFunc(slices.Clone(s.columns), func(c string) bool { return s.fixed.column(c) != none })
	if n := len(s.page); n > 0 && len(free) > 0 {
		last, places := s.page[n-1], make([]string, len(free))
		for i, c := range free {
			places[i] = "?"
			args = append(args, last.column(c))
		}
		joint := " WHERE "
		if strings.Contains(query, " WHERE ") {
			joint = " AND "
		}
		query += joint + "(" + strings.Join(free, ", ") + ") > (" + strings.Join(places, ", ") + ")"
	}
	if len(free) > 0 {
		query += " ORDER BY " + strings.Join(free, ", ")
	}
	rows, err := s.m.db.QueryContext(ctx, query+fmt.Sprintf(" LIMIT %d", s.size), args...)
	if err != nil {
		return s.m.explain(err)
	}
	if s.page, err = s.m.scanRows(rows); err == nil && s.texts {
		err = s.m.learn(ctx, s.page)
	}
	s.at, s.over = 0, len(s.page) < s.size || len(free) == 0
	s.size = min(4*s.size, lastPage)
	return err
}
