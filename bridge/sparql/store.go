package sparql

import (
	"context"
	"errors"
	"fmt"

	"github.com/cayleygraph/quad"
	"github.com/tggo/goRDFlib/store"
	"github.com/tggo/goRDFlib/term"

	"github.com/mishap-robotics/mishap/bridge/rdf"
)

// Graph is what is asked: the triples of all graphs as the default graph, each once, and the
// graphs by name. Goroutines may share it once it is filled.
type Graph struct {
	most   int // triples, 0 for no limit
	all    *index
	named  map[string]*index
	quads  int
	origin map[quad.Value]term.Term
}

// NewGraph makes a graph of at most so many quads; 0 is no limit.
func NewGraph(most int) *Graph {
	return &Graph{most: most, all: newIndex(), named: map[string]*index{}, origin: map[quad.Value]term.Term{}}
}

// ErrTooLarge is a graph of more quads than it may have.
var ErrTooLarge = errors.New("too many quads to ask at once")

// Add adds quads.
func (g *Graph) Add(quads []quad.Quad) error {
	for _, q := range quads {
		if g.quads++; g.most > 0 && g.quads > g.most {
			return fmt.Errorf("%w: more than %d; name fewer logs or episodes, or allow more", ErrTooLarge, g.most)
		}
		var t term.Triple
		s, err := g.term(q.Subject)
		if err != nil {
			return err
		}
		p, err := g.term(q.Predicate)
		if err != nil {
			return err
		}
		if t.Object, err = g.term(q.Object); err != nil {
			return err
		}
		t.Subject, _ = s.(term.Subject)
		t.Predicate, _ = p.(term.URIRef)
		g.all.add(t)
		if iri, ok := q.Label.(quad.IRI); ok {
			x := g.named[string(iri)]
			if x == nil {
				x = newIndex()
				g.named[string(iri)] = x
			}
			x.add(t)
		}
	}
	return nil
}

func (g *Graph) term(v quad.Value) (term.Term, error) {
	if t, ok := g.origin[v]; ok {
		return t, nil
	}
	t, err := rdf.Term(v)
	if err == nil {
		g.origin[v] = t
	}
	return t, err
}

// index finds triples by subject, predicate and object, in the order in which they were
// added: what is asked twice is answered alike, which the store of goRDFlib does not do.
type index struct {
	triples []term.Triple
	had     map[[3]string]bool
	by      [3]map[string][]int32
}

func newIndex() *index {
	x := &index{had: map[[3]string]bool{}}
	for i := range x.by {
		x.by[i] = map[string][]int32{}
	}
	return x
}

func keys(t term.Triple) [3]string {
	return [3]string{term.TermKey(t.Subject), term.TermKey(t.Predicate), term.TermKey(t.Object)}
}

func (x *index) add(t term.Triple) {
	k := keys(t)
	if x.had[k] {
		return
	}
	x.had[k] = true
	for i := range k {
		x.by[i][k[i]] = append(x.by[i][k[i]], int32(len(x.triples)))
	}
	x.triples = append(x.triples, t)
}

// each visits the triples of a pattern, of which "" is anything, until visit returns false.
func (x *index) each(pattern [3]string, visit func(term.Triple) bool) {
	list, chosen := []int32(nil), false
	for i, k := range pattern {
		if k == "" {
			continue
		}
		if of := x.by[i][k]; !chosen || len(of) < len(list) {
			list, chosen = of, true
		}
	}
	if !chosen {
		for _, t := range x.triples {
			if !visit(t) {
				return
			}
		}
		return
	}
	for _, n := range list {
		t := x.triples[n]
		if k := keys(t); (pattern[0] == "" || pattern[0] == k[0]) && (pattern[1] == "" || pattern[1] == k[1]) && (pattern[2] == "" || pattern[2] == k[2]) {
			if !visit(t) {
				return
			}
		}
	}
}

// guard is an index as goRDFlib asks it, for one query: it ends the query, by a panic that
// Query catches, when its time is over or too much was looked at. goRDFlib takes no context.
type guard struct {
	store.Store // names and prefixes; as an interface, so that its short cuts are not taken
	*index
	*budget
}

// budget is what is left to the parts of one query.
type budget struct {
	ctx   context.Context
	looks int
	most  int
}

// spent is the panic of a query that is over.
type spent struct{ err error }

func (b *budget) spend() {
	b.looks++
	if b.looks > b.most {
		panic(spent{fmt.Errorf("%w: it looked at more than %d triples", ErrLimit, b.most)})
	}
	if b.looks%256 == 0 && b.ctx.Err() != nil {
		panic(spent{fmt.Errorf("%w: %w", ErrLimit, context.Cause(b.ctx))})
	}
}

func (g *guard) Triples(p term.TriplePattern, _ term.Term) store.TripleIterator {
	return func(yield func(term.Triple) bool) {
		g.spend()
		g.each([3]string{term.OptTermKey(p.Subject), term.OptPredKey(p.Predicate), term.OptTermKey(p.Object)}, func(t term.Triple) bool {
			g.spend()
			return yield(t)
		})
	}
}

func (g *guard) Len(term.Term) int { return len(g.triples) }

func (g *guard) Contexts(*term.Triple) store.TermIterator { return func(func(term.Term) bool) {} }

// errWrites is why nothing is written: a query only reads.
var errWrites = errors.New("sparql: a query writes nothing")

func (g *guard) Add(term.Triple, term.Term)           { panic(spent{errWrites}) }
func (g *guard) AddN([]term.Quad)                     { panic(spent{errWrites}) }
func (g *guard) Remove(term.TriplePattern, term.Term) { panic(spent{errWrites}) }
func (g *guard) Set(term.Triple, term.Term)           { panic(spent{errWrites}) }
