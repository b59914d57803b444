package memory

import (
	"context"
	"fmt"

	"github.com/cayleygraph/cayley/graph"
	"github.com/cayleygraph/quad"

	"github.com/mishap-robotics/mishap/ontology"
)

// Backend is the name under which Cayley knows this store; the address is the folder.
const Backend = "mishap"

func init() {
	graph.RegisterQuadStore(Backend, graph.QuadStoreRegistration{
		IsPersistent: true,
		InitFunc: func(folder string, _ graph.Options) error {
			m, err := Open(context.Background(), ontology.Default(), folder, Options{})
			if err != nil {
				return err
			}
			return m.Close()
		},
		NewFunc: func(folder string, opt graph.Options) (graph.QuadStore, error) {
			m, err := openFolder(context.Background(), ontology.Default(), folder, Options{ReadOnly: true})
			if err != nil {
				return nil, err
			}
			return &quadStore{m, m.Close}, nil
		},
	})
}

// Graph is the memory as Cayley has a store, for paths and iterators. It is read only:
// episodes are added whole, by Add. Its Close leaves the memory open.
func (m *folder) Graph() graph.QuadStore { return &quadStore{m, func() error { return nil }} }

type quadStore struct {
	m     *folder
	close func() error
}

// ref is a node as Cayley refers to it.
type ref node

// Key tells refs apart.
func (r ref) Key() interface{} { return r }

// link is a quad as Cayley refers to it.
type link row

// Key tells links apart.
func (l link) Key() interface{} { return l }

// errAdd is the error of who writes past Add.
var errAdd = fmt.Errorf("quads are added with their episode, by memory.Add: %w", graph.ErrOperationNotSupported)

func (qs *quadStore) ApplyDeltas([]graph.Delta, graph.IgnoreOpts) error { return errAdd }
func (qs *quadStore) NewQuadWriter() (quad.WriteCloser, error)          { return nil, errAdd }
func (qs *quadStore) Close() error                                      { return qs.close() }

func (qs *quadStore) ValueOf(v quad.Value) graph.Ref {
	if v == nil {
		return nil
	}
	n, ok, err := qs.m.find(context.Background(), v)
	if err != nil || !ok {
		return nil
	}
	return ref(n)
}

func (qs *quadStore) NameOf(r graph.Ref) quad.Value {
	switch r := r.(type) {
	case ref:
		v, err := qs.m.value(context.Background(), qs.m.db, node(r))
		if err != nil {
			return nil
		}
		return v
	case graph.PreFetchedValue:
		return r.NameOf()
	}
	return nil
}

func (qs *quadStore) Quad(r graph.Ref) quad.Quad {
	l, ok := r.(link)
	if !ok {
		return quad.Quad{}
	}
	q, err := qs.m.quad(context.Background(), row(l), nil)
	if err != nil {
		return quad.Quad{}
	}
	return q
}

func (l link) direction(d quad.Direction) node {
	switch d {
	case quad.Subject:
		return l.s
	case quad.Predicate:
		return l.p
	case quad.Object:
		return l.o
	}
	return l.g
}

func (qs *quadStore) QuadDirection(r graph.Ref, d quad.Direction) graph.Ref {
	l, ok := r.(link)
	if !ok || l.direction(d) == none {
		return nil
	}
	return ref(l.direction(d))
}

func (qs *quadStore) links(d quad.Direction, v graph.Ref) *links {
	n, ok := v.(ref)
	if !ok {
		return &links{m: qs.m, nothing: true}
	}
	l := &links{m: qs.m, d: d, n: node(n)}
	switch d {
	case quad.Subject:
		l.fixed.s = l.n
	case quad.Predicate:
		l.fixed.p = l.n
	case quad.Object:
		l.fixed.o = l.n
	default:
		l.fixed.g = l.n
	}
	return l
}

func (qs *quadStore) QuadIterator(d quad.Direction, v graph.Ref) graph.Iterator {
	return graph.AsLegacy(qs.links(d, v))
}

func (qs *quadStore) QuadIteratorSize(_ context.Context, d quad.Direction, v graph.Ref) (graph.Size, error) {
	return qs.links(d, v).size(), nil
}

func (qs *quadStore) QuadsAllIterator() graph.Iterator { return graph.AsLegacy(&links{m: qs.m}) }
func (qs *quadStore) NodesAllIterator() graph.Iterator { return graph.AsLegacy(&nodes{qs.m}) }

func (qs *quadStore) Stats(ctx context.Context, _ bool) (graph.Stats, error) {
	s, err := qs.m.Stats(ctx)
	return graph.Stats{Quads: graph.Size{Size: int64(s.Quads), Exact: true}, Nodes: graph.Size{Size: int64(s.Terms)}}, err
}

// links are quads of which one place is fixed, or all.
type links struct {
	m       *folder
	d       quad.Direction
	n       node
	fixed   row
	nothing bool
}

// Sizes that are told without counting: what is fixed of a quad leaves about so many.
const (
	fewLinks  = 20
	manyLinks = 100_000
)

func (l *links) size() graph.Size {
	switch {
	case l.nothing:
		return graph.Size{Exact: true}
	case l.d == quad.Subject:
		return graph.Size{Size: fewLinks}
	case l.d == quad.Object:
		return graph.Size{Size: 10 * fewLinks}
	}
	return graph.Size{Size: manyLinks}
}

func (l *links) String() string { return fmt.Sprintf("MishapLinks(%v)", l.d) }

func (l *links) Iterate() graph.Scanner {
	return &linkScanner{links: l, scan: newScan(l.m, l.fixed, "", nil)}
}
func (l *links) Lookup() graph.Index { return &linkIndex{links: l} }

func (l *links) Stats(context.Context) (graph.IteratorCosts, error) {
	return graph.IteratorCosts{ContainsCost: 1, NextCost: 5, Size: l.size()}, nil
}

func (l *links) Optimize(context.Context) (graph.IteratorShape, bool) { return l, false }
func (l *links) SubIterators() []graph.IteratorShape                  { return nil }

// position is where an iterator stands.
type position struct {
	result graph.Ref
	err    error
}

func (p *position) Result() graph.Ref               { return p.result }
func (p *position) Err() error                      { return p.err }
func (p *position) Close() error                    { return nil }
func (p *position) NextPath(context.Context) bool   { return false }
func (p *position) TagResults(map[string]graph.Ref) {}

type linkScanner struct {
	*links
	position
	scan *scan
}

func (s *linkScanner) Next(ctx context.Context) bool {
	if s.nothing || s.err != nil {
		return false
	}
	r, ok, err := s.scan.next(ctx)
	s.result, s.err = link(r), err
	return ok && err == nil
}

type linkIndex struct {
	*links
	position
}

func (x *linkIndex) Contains(_ context.Context, v graph.Ref) bool {
	l, ok := v.(link)
	if !ok || x.nothing || x.d != quad.Any && l.direction(x.d) != x.n {
		return false
	}
	x.result = l
	return true
}

// nodes are all subjects and objects.
type nodes struct{ m *folder }

func (n *nodes) String() string { return "MishapNodes" }

func (n *nodes) Iterate() graph.Scanner { return &nodeScanner{nodes: n, next: -1 << 62} }
func (n *nodes) Lookup() graph.Index    { return &nodeIndex{nodes: n} }

func (n *nodes) Stats(context.Context) (graph.IteratorCosts, error) {
	return graph.IteratorCosts{ContainsCost: 1, NextCost: 5, Size: graph.Size{Size: manyLinks}}, nil
}

func (n *nodes) Optimize(context.Context) (graph.IteratorShape, bool) { return n, false }
func (n *nodes) SubIterators() []graph.IteratorShape                  { return nil }

type nodeScanner struct {
	*nodes
	position
	next node
	page []node
}

func (s *nodeScanner) Next(ctx context.Context) bool {
	if len(s.page) == 0 && s.err == nil {
		s.err = s.read(ctx)
	}
	if s.err != nil || len(s.page) == 0 {
		return false
	}
	s.result, s.next, s.page = ref(s.page[0]), s.page[0], s.page[1:]
	return true
}

func (s *nodeScanner) read(ctx context.Context) error {
	const query = `SELECT n FROM (SELECT s AS n FROM quad WHERE s > ?1 UNION SELECT o FROM quad WHERE o > ?1) ORDER BY n LIMIT 4096`
	rows, err := s.m.db.QueryContext(ctx, query, s.next)
	if err != nil {
		return s.m.explain(err)
	}
	defer rows.Close()
	for rows.Next() {
		var n node
		if err := rows.Scan(&n); err != nil {
			return s.m.explain(err)
		}
		s.page = append(s.page, n)
	}
	return s.m.explain(rows.Err())
}

type nodeIndex struct {
	*nodes
	position
}

func (x *nodeIndex) Contains(_ context.Context, v graph.Ref) bool {
	_, ok := v.(ref)
	x.result = v
	return ok
}
