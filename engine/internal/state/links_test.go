package state

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/mishap-robotics/mishap/ontology"
	"github.com/mishap-robotics/mishap/ontology/document"
)

// relations has one relation of each kind.
func relations(t testing.TB) *ontology.Ontology {
	t.Helper()
	const own = `@prefix m: <https://mishap-robotics.github.io/ontology#> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
m:meant_for a owl:ObjectProperty , m:Relation ; m:persistent true .
m:beside_of a owl:ObjectProperty , owl:SymmetricProperty , m:Relation ; m:persistent true .
m:screwed_to a owl:ObjectProperty , owl:FunctionalProperty , m:Relation ; m:persistent true .
m:paired_with a owl:ObjectProperty , owl:FunctionalProperty , owl:SymmetricProperty , m:Relation ; m:persistent true .
m:owns a owl:ObjectProperty , m:Relation ; m:persistent true ; owl:inverseOf m:owned_by .
m:owned_by a owl:ObjectProperty , m:Relation ; m:persistent true .
m:under_all a owl:ObjectProperty , owl:TransitiveProperty , m:Relation ; m:persistent true .
m:right_under a owl:ObjectProperty , m:Relation ; rdfs:subPropertyOf m:under_all ; m:persistent true .
`
	o, _, err := ontology.Parse(append(ontology.Shipped(), document.Document{Name: "own.ttl", Data: []byte(own)}))
	if err != nil {
		t.Fatal(err)
	}
	return o
}

// relatedIn is what a query says of a relation.
func relatedIn(s *State, x Object, relation ontology.TermID, y Object) Truth {
	return Query{State: s, Agent: Nothing, Gripper: Nothing}.relatedBy(x, relation, y)
}

// TestLinks compares lasting relations with a set of pairs that knows what each kind of
// relation means, on states that are copied and changed apart.
func TestLinks(t *testing.T) {
	o := relations(t)
	names := []string{"meant_for", "beside_of", "screwed_to", "paired_with", "owns", "owned_by"}
	rapid.Check(t, func(t *rapid.T) {
		objects := NewObjects(o)
		for range 5 {
			objects.Fresh(o.Term("Mug"))
		}
		closed := rapid.Bool().Draw(t, "closed")
		type world struct {
			state *State
			pairs map[Edge]bool
		}
		worlds := []world{{New(objects), map[Edge]bool{}}}
		worlds[0].state.CloseWorld = closed
		end := func(w world, e Edge) {
			delete(w.pairs, e)
			if o.Symmetric(e.Relation) {
				delete(w.pairs, Edge{e.Object, e.Relation, e.Subject})
			}
			if inverse := o.Inverse(e.Relation); inverse != ontology.None {
				delete(w.pairs, Edge{e.Object, inverse, e.Subject})
			}
		}
		for range rapid.IntRange(1, 30).Draw(t, "changes") {
			w := worlds[rapid.IntRange(0, len(worlds)-1).Draw(t, "world")]
			e := Edge{Object(rapid.IntRange(0, 4).Draw(t, "subject")), o.Term(rapid.SampledFrom(names).Draw(t, "relation")), Object(rapid.IntRange(0, 4).Draw(t, "object"))}
			switch rapid.IntRange(0, 3).Draw(t, "change") {
			case 0:
				c := world{w.state.Clone(), map[Edge]bool{}}
				for p := range w.pairs {
					c.pairs[p] = true
				}
				worlds = append(worlds, c)
			case 1:
				w.state.Unrelate(e.Subject, e.Relation, e.Object, Predicted, 1)
				end(w, e)
			default:
				w.state.Relate(e.Subject, e.Relation, e.Object, Predicted, 1)
				for p := range w.pairs {
					if o.Functional(p.Relation) && p.Relation == e.Relation && p.Subject == e.Subject && p.Object != e.Object ||
						o.Functional(p.Relation) && o.Symmetric(p.Relation) && p.Relation == e.Relation && p.Subject == e.Object && p.Object != e.Subject {
						end(w, p)
					}
				}
				w.pairs[e] = true
				if o.Symmetric(e.Relation) {
					w.pairs[Edge{e.Object, e.Relation, e.Subject}] = true
				}
				if inverse := o.Inverse(e.Relation); inverse != ontology.None {
					w.pairs[Edge{e.Object, inverse, e.Subject}] = true
				}
			}
		}
		for i, w := range worlds {
			for x := range Object(5) {
				for _, name := range names {
					var to []Object
					for y := range Object(5) {
						r := o.Term(name)
						if w.pairs[Edge{x, r, y}] {
							to = append(to, y)
						}
						got := relatedIn(w.state, x, r, y)
						if want := w.pairs[Edge{x, r, y}]; (got >= AssumedTrue) != want {
							t.Fatalf("world %d: %d %s %d is %d; expected %v", i, x, name, y, got, want)
						}
						if closed && got == Undecided {
							t.Fatalf("world %d is closed, and %d %s %d is not decided", i, x, name, y)
						}
					}
					if got := w.state.linked(x, o.Term(name), false, false); !slices.Equal(got, to) {
						t.Fatalf("world %d: %d %s %v; expected %v", i, x, name, got, to)
					}
				}
			}
		}
	})
}

// TestTransitiveLinks follows a relation through others, and through kinds of it.
func TestTransitiveLinks(t *testing.T) {
	o := relations(t)
	objects := NewObjects(o)
	a, b, c, d := objects.Fresh(o.Term("Mug")), objects.Fresh(o.Term("Mug")), objects.Fresh(o.Term("Mug")), objects.Fresh(o.Term("Mug"))
	s := New(objects)
	all, right := o.Term("under_all"), o.Term("right_under")
	s.Relate(a, right, b, Observed, 0)
	s.Relate(b, right, c, Observed, 0)
	s.Relate(c, right, a, Observed, 0) // a circle ends
	for _, tt := range []struct {
		x, y     Object
		relation ontology.TermID
		want     Truth
	}{
		{a, b, right, True}, {a, c, right, Undecided}, {a, c, all, True}, {a, b, all, True}, {a, a, all, True}, {a, d, all, Undecided}, {d, a, all, Undecided},
	} {
		if got := relatedIn(s, tt.x, tt.relation, tt.y); got != tt.want {
			t.Errorf("%d %s %d is %d; expected %d", tt.x, o.Name(tt.relation), tt.y, got, tt.want)
		}
	}
	s.Unrelate(b, right, c, Predicted, 1)
	if got := relatedIn(s, a, all, c); got >= AssumedTrue {
		t.Errorf("what was ended still leads on: %d", got)
	}
	if got := relatedIn(s, b, right, c); got != False {
		t.Errorf("what has ended is %d; expected it to be known", got)
	}
}

// TestFunctionalLinks knows what a relation to one thing only is not to.
func TestFunctionalLinks(t *testing.T) {
	o := relations(t)
	objects := NewObjects(o)
	a, b, c := objects.Fresh(o.Term("Mug")), objects.Fresh(o.Term("Mug")), objects.Fresh(o.Term("Mug"))
	s := New(objects)
	r := o.Term("screwed_to")
	if got := relatedIn(s, a, r, b); got != Undecided {
		t.Errorf("what nobody said is %d", got)
	}
	s.Relate(a, r, b, Observed, 0)
	if got := relatedIn(s, a, r, c); got != False {
		t.Errorf("to another thing it is %d", got)
	}
	if other := s.Contradicted(Edge{a, r, c}); other != (Edge{a, r, b}) {
		t.Errorf("contradicted by %v", other)
	}
	if other := s.Contradicted(Edge{c, o.Term("meant_for"), a}); other.Subject != Nothing {
		t.Errorf("contradicted by %v", other)
	}
}
