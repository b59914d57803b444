package memory

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/cayleygraph/cayley/clog"
	"github.com/cayleygraph/cayley/graph"
	csql "github.com/cayleygraph/cayley/graph/sql"
	"github.com/cayleygraph/cayley/graph/sql/cockroach"
	"github.com/cayleygraph/cayley/graph/sql/postgres"
	"github.com/cayleygraph/quad"

	"github.com/mishap-robotics/mishap/engine/record"
	"github.com/mishap-robotics/mishap/ontology"
	"github.com/mishap-robotics/mishap/ontology/recorded"
)

// ErrServer is a server that does not answer, or not as it should.
var ErrServer = errors.New("the server of the memory does not answer as it should")

// server is a memory in the tables that Cayley has in PostgreSQL or CockroachDB. They know
// no parts of an IRI: what belongs to an episode is said by quads of a graph of its own,
// EPISODE/kept.
type server struct {
	onto     *ontology.Ontology
	qs       *csql.QuadStore
	readOnly bool
}

// schemes are the URLs that are understood, with Cayley's name for the store.
var schemes = map[string]string{"postgres": postgres.Type, "postgresql": postgres.Type, "cockroach": cockroach.Type, "cockroachdb": cockroach.Type}

// silent takes what Cayley logs: it returns the same as errors.
type silent struct{}

func (silent) Infof(string, ...interface{})    {}
func (silent) Warningf(string, ...interface{}) {}
func (silent) Errorf(string, ...interface{})   {}
func (silent) Fatalf(format string, args ...interface{}) {
	panic(fmt.Sprintf(format, args...))
}
func (silent) V(int) bool     { return false }
func (silent) SetV(level int) {}

// openServer opens the memory in a database, and makes tables where it has none.
func openServer(ctx context.Context, o *ontology.Ontology, place string, opt Options) (*server, error) {
	u, err := url.Parse(place)
	if err != nil {
		return nil, errors.New("the URL of the memory cannot be read; expected postgres://USER@HOST/DATABASE or cockroach://USER@HOST/DATABASE")
	}
	kind, ok := schemes[u.Scheme]
	if !ok {
		return nil, fmt.Errorf("%s: a memory at %s://; expected a folder, postgres:// or cockroach://", u.Redacted(), u.Scheme)
	}
	name := u.Redacted()
	u.Scheme = "postgres" // what the drivers of both take
	clog.SetLogger(silent{})
	if !opt.ReadOnly {
		if err := csql.Init(kind, u.String(), graph.Options{}); err != nil && !errors.Is(err, graph.ErrDatabaseExists) {
			return nil, fmt.Errorf("%s: %w: %w", name, ErrServer, err)
		}
	}
	qs, err := csql.New(kind, u.String(), graph.Options{})
	if err != nil {
		return nil, fmt.Errorf("%s: %w: %w", name, ErrServer, err)
	}
	m := &server{o, qs.(*csql.QuadStore), opt.ReadOnly}
	if err := m.prepare(ctx, name); err != nil {
		qs.Close()
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return m, nil
}

// about is what is said of the memory as a whole.
var about = record.OntologyGraph + "/memory"

func term(t recorded.Term) quad.IRI { return quad.IRI(t.IRI()) }

func number(n int) quad.Value {
	return quad.TypedString{Value: quad.String(strconv.Itoa(n)), Type: xsdInteger}
}

// prepare checks the version of what is there.
func (m *server) prepare(ctx context.Context, name string) error {
	said, err := m.said(ctx, about)
	if err != nil {
		return err
	}
	found := record.Lexical(said[term(recorded.Version)])
	switch n, err := strconv.Atoi(found); {
	case found != "" && err != nil:
		return ErrDamaged
	case n > version:
		return &VersionError{name, n, version}
	case n == version || m.readOnly:
		return nil
	}
	return m.apply([]quad.Quad{{Subject: about, Predicate: term(recorded.Version), Object: number(version), Label: about}}, nil, true)
}

// apply adds and takes out quads in one transaction. What is there already is an error
// unless it may be.
func (m *server) apply(add, del []quad.Quad, mayBeThere bool) error {
	if m.readOnly {
		return ErrReadOnly
	}
	var deltas []graph.Delta
	for _, q := range add {
		deltas = append(deltas, graph.Delta{Quad: q, Action: graph.Add})
	}
	for _, q := range del {
		deltas = append(deltas, graph.Delta{Quad: q, Action: graph.Delete})
	}
	return m.explain(m.qs.ApplyDeltas(deltas, graph.IgnoreOpts{IgnoreDup: mayBeThere, IgnoreMissing: mayBeThere}))
}

func (m *server) explain(err error) error {
	var delta *graph.DeltaError
	switch {
	case err == nil, errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return err
	case errors.As(err, &delta) && errors.Is(delta.Err, graph.ErrQuadExists):
		return ErrExists
	case errors.As(err, &delta) && errors.Is(delta.Err, graph.ErrQuadNotExist):
		return ErrBusy // it was there a moment ago
	}
	return fmt.Errorf("%w: %w", ErrServer, err)
}

func kept(id string) quad.IRI { return quad.IRI(record.Root(id) + "/kept") }

// belonging are the quads that tell what belongs to an episode.
func belonging(e *entry) []quad.Quad {
	x, g := quad.IRI(record.Root(e.ID)), kept(e.ID)
	out := []quad.Quad{
		{Subject: x, Predicate: term(recorded.Added), Object: quad.TypedString{Value: quad.String(e.Added.Format(time.RFC3339Nano)), Type: xsdDateTime}, Label: g},
		{Subject: x, Predicate: term(recorded.ActionCount), Object: number(e.Steps), Label: g},
		{Subject: x, Predicate: term(recorded.FindingCount), Object: number(e.Findings), Label: g},
		{Subject: x, Predicate: term(recorded.QuadCount), Object: number(e.Quads), Label: g},
	}
	had := map[quad.Value]bool{}
	for _, q := range e.quads {
		if !had[q.Subject] {
			had[q.Subject] = true
			out = append(out, quad.Quad{Subject: x, Predicate: term(recorded.Part), Object: q.Subject, Label: g})
		}
	}
	return out
}

func (m *server) add(ctx context.Context, written []entry) error {
	if err := m.ontology(ctx); err != nil {
		return err
	}
	var add, del []quad.Quad
	for i := range written {
		e := &written[i]
		<-e.ready
		if err := ctx.Err(); err != nil {
			return err
		}
		e.Quads = len(e.quads)
		now := unique(append(belonging(e), e.quads...))
		_, err := m.Entry(ctx, e.ID)
		switch {
		case errors.Is(err, ErrNotFound):
			add = append(add, now...)
		case err != nil:
			return err
		case !e.replace:
			return fmt.Errorf("episode %s: %w", e.ID, ErrExists)
		default:
			before, err := m.whole(ctx, e.ID)
			if err != nil {
				return err
			}
			add, del = append(add, without(now, before)...), append(del, without(before, now)...)
		}
	}
	return m.apply(add, del, false)
}

func unique(quads []quad.Quad) []quad.Quad {
	had := make(map[quad.Quad]bool, len(quads))
	return slices.DeleteFunc(quads, func(q quad.Quad) bool {
		was := had[q]
		had[q] = true
		return was
	})
}

// without are the quads of a that are not in b.
func without(a, b []quad.Quad) []quad.Quad {
	in := make(map[quad.Quad]bool, len(b))
	for _, q := range b {
		in[q] = true
	}
	return slices.DeleteFunc(slices.Clone(a), func(q quad.Quad) bool { return in[q] })
}

// ontology writes the ontology where it is not there, or another is.
func (m *server) ontology(ctx context.Context) error {
	said, err := m.said(ctx, about)
	if err != nil || record.Lexical(said[term(recorded.Digest)]) == digestOf(m.onto) {
		return err
	}
	digest, stated, err := statedOntology(m.onto)
	if err != nil {
		return err
	}
	now := append(slices.Clone(stated), quad.Quad{Subject: about, Predicate: term(recorded.Digest), Object: quad.String(digest), Label: about})
	var before []quad.Quad
	for _, of := range []Pattern{{Graph: record.OntologyGraph}, {Subject: about, Predicate: term(recorded.Digest)}} {
		for q, err := range m.Match(ctx, of) {
			if err != nil {
				return err
			}
			before = append(before, q)
		}
	}
	return m.apply(without(now, before), without(before, now), true)
}

// Remove takes episodes out.
func (m *server) Remove(ctx context.Context, ids ...string) error {
	var del []quad.Quad
	for _, id := range ids {
		if _, err := m.Entry(ctx, id); err != nil {
			return err
		}
		quads, err := m.whole(ctx, id)
		if err != nil {
			return err
		}
		del = append(del, quads...)
	}
	return m.apply(nil, unique(del), false)
}

// Compact does nothing: a server does.
func (m *server) Compact(context.Context) error {
	if m.readOnly {
		return ErrReadOnly
	}
	return nil
}

// said is what is said of a resource, one value of each property.
func (m *server) said(ctx context.Context, x quad.IRI) (map[quad.Value]quad.Value, error) {
	out := map[quad.Value]quad.Value{}
	for q, err := range m.Match(ctx, Pattern{Subject: x}) {
		if err != nil {
			return nil, err
		}
		out[q.Predicate] = q.Object
	}
	return out, nil
}

// Entry reads what is said of an episode.
func (m *server) Entry(ctx context.Context, id string) (Entry, error) {
	e := Entry{ID: id}
	found := false
	whole := func(v quad.Value) int {
		n, _ := strconv.Atoi(record.Lexical(v))
		return n
	}
	for q, err := range m.Match(ctx, Pattern{Subject: quad.IRI(record.Root(id))}) {
		if err != nil {
			return e, err
		}
		switch q.Predicate {
		case rdfType:
			found = found || q.Object == term(recorded.Episode)
		case term(recorded.Robot):
			e.Robot = record.Lexical(q.Object)
		case term(recorded.Site):
			e.Site = record.Lexical(q.Object)
		case term(recorded.TaskName):
			e.Task = record.Lexical(q.Object)
		case term(recorded.Tag):
			e.Labels = append(e.Labels, record.Lexical(q.Object))
		case term(recorded.StartTime):
			if at, err := time.Parse(time.RFC3339, record.Lexical(q.Object)); err == nil {
				e.Start = at.UTC().Truncate(time.Millisecond)
			}
		case term(recorded.Added):
			if at, err := time.Parse(time.RFC3339, record.Lexical(q.Object)); err == nil {
				e.Added, e.number = at, at.UnixMicro()
			}
		case term(recorded.ActionCount):
			e.Steps = whole(q.Object)
		case term(recorded.FindingCount):
			e.Findings = whole(q.Object)
		case term(recorded.QuadCount):
			e.Quads = whole(q.Object)
		}
	}
	if !found {
		return e, fmt.Errorf("episode %s: %w", id, ErrNotFound)
	}
	slices.Sort(e.Labels)
	return e, nil
}

// fits reports whether a filter lets an episode through.
func (f Filter) fits(e Entry) bool {
	for _, c := range [][2]string{{f.Robot, e.Robot}, {f.Site, e.Site}, {f.Task, e.Task}} {
		if c[0] != "" && c[0] != c[1] {
			return false
		}
	}
	return (f.Label == "" || slices.Contains(e.Labels, f.Label)) &&
		(f.Since.IsZero() || !e.Start.IsZero() && !e.Start.Before(f.Since)) &&
		(f.Until.IsZero() || !e.Start.IsZero() && e.Start.Before(f.Until))
}

// List reads the entries of all episodes and yields those that a filter lets through.
func (m *server) List(ctx context.Context, f Filter) iter.Seq2[Entry, error] {
	return func(yield func(Entry, error) bool) {
		var all []Entry
		for q, err := range m.Match(ctx, Pattern{Predicate: rdfType, Object: term(recorded.Episode)}) {
			iri, _ := q.Subject.(quad.IRI)
			id, ok := record.ID(string(iri))
			var e Entry
			if err == nil && ok {
				e, err = m.Entry(ctx, id)
			}
			if err != nil {
				yield(Entry{}, err)
				return
			}
			if ok && f.fits(e) {
				all = append(all, e)
			}
		}
		slices.SortFunc(all, func(a, b Entry) int {
			return cmp.Or(a.Start.Compare(b.Start), cmp.Compare(a.number, b.number), strings.Compare(a.ID, b.ID))
		})
		for _, e := range all {
			if !yield(e, nil) {
				return
			}
		}
	}
}

// Quads reads what is said of each part of an episode.
func (m *server) Quads(ctx context.Context, id string) ([]quad.Quad, error) {
	if _, err := m.Entry(ctx, id); err != nil {
		return nil, err
	}
	all, err := m.whole(ctx, id)
	return slices.DeleteFunc(all, func(q quad.Quad) bool { return q.Label == kept(id) }), err
}

// whole is an episode with what tells of what belongs to it.
func (m *server) whole(ctx context.Context, id string) ([]quad.Quad, error) {
	var out []quad.Quad
	for part, err := range m.Match(ctx, Pattern{Subject: quad.IRI(record.Root(id)), Predicate: term(recorded.Part)}) {
		if err != nil {
			return nil, err
		}
		for q, err := range m.Match(ctx, Pattern{Subject: part.Object}) {
			if err != nil {
				return nil, err
			}
			out = append(out, q)
		}
	}
	return out, nil
}

// directions of a quad, as the columns of Cayley's tables are called.
var directions = []quad.Direction{quad.Subject, quad.Predicate, quad.Object, quad.Label}

// about lists what is said of subjects by predicates.
func (m *server) about(ctx context.Context, subjects, predicates []quad.IRI) ([]quad.Quad, error) {
	var out []quad.Quad
	for _, s := range subjects {
		for q, err := range m.Match(ctx, Pattern{Subject: s}) {
			if err != nil {
				return nil, err
			}
			if p, ok := q.Predicate.(quad.IRI); ok && slices.Contains(predicates, p) {
				out = append(out, q)
			}
		}
	}
	return out, nil
}

// Match asks Cayley's tables. Where only a graph is given they have no index: the graphs of
// an episode are read through its parts.
func (m *server) Match(ctx context.Context, p Pattern) iter.Seq2[quad.Quad, error] {
	return func(yield func(quad.Quad, error) bool) {
		within, err := m.within(ctx, p)
		if err != nil {
			yield(quad.Quad{}, err)
			return
		}
		if p.Subject == nil && p.Object == nil && p.Graph != nil {
			if id, ok := episodeOf(p.Graph); ok {
				quads, err := m.whole(ctx, id)
				if err != nil {
					yield(quad.Quad{}, err)
					return
				}
				for _, q := range quads {
					if q.Label == p.Graph && (p.Predicate == nil || q.Predicate == p.Predicate) && within(q) && !yield(q, nil) {
						return
					}
				}
				return
			}
		}
		for q, err := range m.match(ctx, p) {
			if (err != nil || within(q)) && !yield(q, err) {
				return
			}
		}
	}
}

// within tells whether a quad is of an episode that the filter of a pattern lets through.
func (m *server) within(ctx context.Context, p Pattern) (func(quad.Quad) bool, error) {
	if text, _ := p.Of.where(); text == "" {
		return func(quad.Quad) bool { return true }, nil
	}
	in := map[string]bool{}
	for e, err := range m.List(ctx, p.Of) {
		if err != nil {
			return nil, err
		}
		in[e.ID] = true
	}
	return func(q quad.Quad) bool {
		id, ok := episodeOf(q.Subject)
		return ok && in[id]
	}, nil
}

// episodeOf is the id of the episode that a resource is of.
func episodeOf(v quad.Value) (id string, ok bool) {
	iri, _ := v.(quad.IRI)
	return record.ID(string(iri))
}

func (m *server) match(ctx context.Context, p Pattern) iter.Seq2[quad.Quad, error] {
	return func(yield func(quad.Quad, error) bool) {
		sel := csql.AllQuads("")
		for i, d := range directions {
			if v := *p.place(i); v != nil {
				sel.WhereEq("", d.String()+"_hash", csql.HashOf(v))
			}
		}
		it := m.qs.NewIterator(sel)
		defer it.Close()
		var found []graph.Ref // a connection is not held while values are looked up
		for it.Next(ctx) {
			found = append(found, it.Result())
		}
		if err := cmp.Or(it.Err(), ctx.Err()); err != nil {
			yield(quad.Quad{}, m.explain(err))
			return
		}
		for _, r := range found {
			q := m.qs.Quad(r)
			if q.Subject == nil || q.Predicate == nil || q.Object == nil {
				if err := ctx.Err(); err != nil {
					yield(quad.Quad{}, err)
				} else {
					yield(quad.Quad{}, fmt.Errorf("a value of a quad cannot be read: %w", ErrServer))
				}
				return
			}
			if !yield(q, nil) {
				return
			}
		}
	}
}

// Stats counts; of a server nobody knows the bytes.
func (m *server) Stats(ctx context.Context) (Stats, error) {
	var s Stats
	for e, err := range m.List(ctx, Filter{}) {
		if err != nil {
			return s, err
		}
		s.Episodes++
		s.Findings += e.Findings
		if !e.Start.IsZero() {
			if s.First.IsZero() {
				s.First = e.Start
			}
			s.Last = e.Start
		}
	}
	n, err := m.qs.Stats(ctx, true)
	s.Quads, s.Terms = int(n.Quads.Size), int(n.Nodes.Size)
	if err != nil {
		return s, m.explain(err)
	}
	for _, err := range m.Match(ctx, Pattern{Graph: record.OntologyGraph}) {
		if err != nil {
			return s, err
		}
		s.Ontology++
	}
	return s, nil
}

// readOnlyGraph is Cayley's store without its ways to write and to close.
type readOnlyGraph struct{ graph.QuadStore }

func (readOnlyGraph) ApplyDeltas([]graph.Delta, graph.IgnoreOpts) error { return errAdd }
func (readOnlyGraph) NewQuadWriter() (quad.WriteCloser, error)          { return nil, errAdd }
func (readOnlyGraph) Close() error                                      { return nil }

// Graph is Cayley's store.
func (m *server) Graph() graph.QuadStore { return readOnlyGraph{m.qs} }

// Close closes the connections.
func (m *server) Close() error { return m.qs.Close() }
