package memory_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/cayleygraph/cayley/graph/path"
	"github.com/cayleygraph/quad"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/mishap-robotics/mishap/engine/memory"
	"github.com/mishap-robotics/mishap/engine/record"
	"github.com/mishap-robotics/mishap/ontology"
	"github.com/mishap-robotics/mishap/ontology/recorded"
)

func matched(t interface{ Fatal(...any) }, m *memory.Memory, p memory.Pattern) []string {
	var out []string
	for q, err := range m.Match(context.Background(), p) {
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, q.NQuad())
	}
	slices.Sort(out)
	return out
}

// Whatever is fixed of a pattern, what is matched is what a walk over all quads finds.
func TestMatch(t *testing.T) {
	m := open(t, t.TempDir())
	var runs []memory.Run
	for i := range 5 {
		runs = append(runs, run(t, fmt.Sprintf("run %d", i), noon.Add(time.Duration(i)*time.Hour)))
	}
	if err := m.Add(t.Context(), runs...); err != nil {
		t.Fatal(err)
	}
	var all []quad.Quad
	for i := range runs {
		quads, err := m.Quads(t.Context(), runs[i].Episode.ID)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, quads...)
	}
	stated, err := record.Ontology(ontology.Default())
	if err != nil {
		t.Fatal(err)
	}
	ofEpisodes := len(all)
	all = append(all, stated...)
	rapid.Check(t, func(t *rapid.T) {
		like := all[rapid.IntRange(0, ofEpisodes+100).Draw(t, "quad")]
		p := memory.Pattern{}
		fixed := rapid.IntRange(1, 15).Draw(t, "fixed")
		for i, to := range []*quad.Value{&p.Subject, &p.Predicate, &p.Object, &p.Graph} {
			if fixed>>i&1 != 0 {
				*to = like.Get([]quad.Direction{quad.Subject, quad.Predicate, quad.Object, quad.Label}[i])
			}
		}
		since := rapid.IntRange(-1, 4).Draw(t, "since")
		if since >= 0 {
			p.Of.Since = noon.Add(time.Duration(since) * time.Hour)
		}
		var want []string
		for _, q := range all {
			id, ofEpisode := record.ID(strings.Trim(q.Subject.String(), "<>"))
			fits := since < 0 || ofEpisode && id >= fmt.Sprintf("run %d", since)
			for _, c := range [][2]quad.Value{{p.Subject, q.Subject}, {p.Predicate, q.Predicate}, {p.Object, q.Object}, {p.Graph, q.Label}} {
				fits = fits && (c[0] == nil || c[0] == c[1])
			}
			if fits {
				want = append(want, q.NQuad())
			}
		}
		slices.Sort(want)
		if diff := cmp.Diff(want, matched(t, m, p)); diff != "" {
			t.Fatalf("%+v (-walk +match):\n%s", p, diff)
		}
	})
	if got := len(matched(t, m, memory.Pattern{})); got != len(all) {
		t.Errorf("%d quads, want %d", got, len(all))
	}
	for _, unknown := range []quad.Value{quad.IRI("x:y"), quad.IRI(record.Root("none") + "/step/1/action"), quad.String("nobody said this")} {
		if got := matched(t, m, memory.Pattern{Object: unknown}); len(got) > 0 {
			t.Errorf("%v: %v", unknown, got)
		}
	}
}

// Paths of Cayley run over the memory: from a class of failures to its findings, to the
// objects that they concern.
func TestPath(t *testing.T) {
	m := open(t, t.TempDir())
	if err := m.Add(t.Context(), run(t, "a", noon), run(t, "b", noon)); err != nil {
		t.Fatal(err)
	}
	const rdfType = quad.IRI("http://www.w3.org/1999/02/22-rdf-syntax-ns#type")
	p := path.StartPath(m.Graph(), quad.IRI(ontology.Namespace+"DroppingAndDirtyObjFailure")).In(rdfType).Out(quad.IRI(recorded.Concerns.IRI()))
	got, err := p.Iterate(t.Context()).AllValues(m.Graph())
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, v := range got {
		names = append(names, plain(v))
	}
	slices.Sort(names)
	if want := []string{record.Root("a") + "/object/Mug-1", record.Root("b") + "/object/Mug-1"}; !slices.Equal(names, want) {
		t.Errorf("%v, want %v", names, want)
	}
	n, err := path.StartPath(m.Graph()).Has(rdfType, quad.IRI(recorded.Finding.IRI())).Iterate(t.Context()).Count()
	if err != nil || n != 2 {
		t.Errorf("%d findings, %v", n, err)
	}
}

func plain(v quad.Value) string { return string(v.(quad.IRI)) }
