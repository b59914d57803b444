package store_test

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/cayleygraph/quad"
	"github.com/cayleygraph/quad/nquads"
	"github.com/google/go-cmp/cmp"
	"github.com/knakk/rdf"
	"pgregory.net/rapid"

	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/engine/internal/belief"
	"github.com/mishap-robotics/mishap/engine/internal/episodetest"
	"github.com/mishap-robotics/mishap/engine/scene"
	"github.com/mishap-robotics/mishap/engine/store"
	"github.com/mishap-robotics/mishap/ontology"
)

// local writes a quad without its graph, by the ends of its names.
func local(q quad.Quad) string {
	name := func(v quad.Value) string {
		s := strings.Trim(v.String(), "<>")
		return s[strings.LastIndexAny(s, "/#")+1:]
	}
	return name(q.Subject) + " " + name(q.Predicate) + " " + name(q.Object)
}

func observation(t interface{ Fatal(...any) }, s *store.Store, step int) []string {
	quads, err := s.Observation(context.Background(), step)
	if err != nil {
		t.Fatal(err)
	}
	out := []string{}
	for _, q := range quads {
		if l := local(q); !strings.Contains(l, " type ") && !strings.Contains(l, " visible ") {
			out = append(out, l)
		}
	}
	slices.Sort(out)
	return out
}

func TestObservationIsRebuilt(t *testing.T) {
	ep := episodetest.Parse(t, ontology.Default(), `
		0 | Mug-1 dirty, Mug-1 on_top_of CounterTop-1
		1 (pick_up, Mug-1) | Mug-1 dirty, Mug-1 inside RobotGripper-1
		2 (navigate_to_obj, Sink-1) | Faucet-1 off
		3 (put_in, Mug-1, Sink-1) | Mug-1 clean, Mug-1 inside Sink-1`)
	s, err := store.Open(belief.Follow(ontology.Default(), ep))
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	for step, want := range [][]string{
		{"Mug-1 on_top_of CounterTop-1", "Mug-1 state dirty"},
		{"Mug-1 inside RobotGripper-1", "Mug-1 state dirty"},
		{"Faucet-1 state off"},
		{"Mug-1 inside Sink-1", "Mug-1 state clean"},
	} {
		if diff := cmp.Diff(want, observation(t, s, step)); diff != "" {
			t.Errorf("observation %d (-want +got):\n%s", step, diff)
		}
	}
}

func episodes() *rapid.Generator[*episode.Episode] {
	name := rapid.SampledFrom([]string{"Mug-1", "Sink-1", "Fridge-1", "Egg-1", "Ünïcode thing", `quote " \ <x>`, "a b/c#d"})
	return rapid.Custom(func(t *rapid.T) *episode.Episode {
		ep := &episode.Episode{ID: rapid.SampledFrom([]string{"e", "a/b", "é 1"}).Draw(t, "id")}
		for i := range rapid.IntRange(1, 6).Draw(t, "steps") {
			st := episode.Step{Index: i * 3}
			if i > 0 {
				st.Action = episode.Action{Name: "pick_up", Target: name.Draw(t, "target")}
				st.Time = rapid.StringN(0, 5, -1).Draw(t, "time")
			}
			for range rapid.IntRange(0, 4).Draw(t, "nodes") {
				st.Observation.Nodes = append(st.Observation.Nodes, scene.Node{ID: name.Draw(t, "node"), Class: rapid.SampledFrom([]string{"Mug", "Sink", "no class"}).Draw(t, "class"),
					States: rapid.SliceOfN(rapid.SampledFrom([]string{"dirty", "open", "odd state"}), 0, 2).Draw(t, "states")})
			}
			for range rapid.IntRange(0, 4).Draw(t, "edges") {
				st.Observation.Edges = append(st.Observation.Edges, scene.Edge{Subject: name.Draw(t, "subject"),
					Relation: rapid.SampledFrom([]string{"inside", "near", "odd relation"}).Draw(t, "relation"), Object: name.Draw(t, "object")})
			}
			ep.Steps = append(ep.Steps, st)
		}
		return ep
	})
}

// Each observation that is rebuilt is the one that a store of that step alone holds.
func TestEveryObservationIsRebuilt(t *testing.T) {
	o := ontology.Default()
	rapid.Check(t, func(t *rapid.T) {
		ep := episodes().Draw(t, "episode")
		s, err := store.Open(belief.Follow(o, ep))
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		for i := range ep.Steps {
			alone, err := store.Open(belief.Follow(o, &episode.Episode{ID: ep.ID, Steps: ep.Steps[i : i+1]}))
			if err != nil {
				t.Fatal(err)
			}
			step := ep.Steps[i].Index
			want, err1 := alone.Observation(context.Background(), step)
			got, err2 := s.Observation(context.Background(), step)
			if err1 != nil || err2 != nil || !slices.Equal(want, got) {
				t.Fatalf("step %d: rebuilt %v, want %v (%v, %v)", step, got, want, err1, err2)
			}
			alone.Close()
		}
	})
}

// What is written as N-Quads reads back as the same quads, also by another reader.
func TestExportReadsBack(t *testing.T) {
	o := ontology.Default()
	rapid.Check(t, func(t *rapid.T) {
		ep := episodes().Draw(t, "episode")
		s, err := store.Open(belief.Follow(o, ep))
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		for _, list := range []func(context.Context) ([]quad.Quad, error){s.Quads, s.Reified} {
			want, err := list(context.Background())
			if err != nil {
				t.Fatal(err)
			}
			var buf bytes.Buffer
			w := nquads.NewWriter(&buf)
			for _, q := range want {
				if err := w.WriteQuad(q); err != nil {
					t.Fatal(err)
				}
			}
			if err := w.Close(); err != nil {
				t.Fatal(err)
			}
			got, err := quad.ReadAll(nquads.NewReader(bytes.NewReader(buf.Bytes()), true))
			if err != nil || len(got) != len(want) {
				t.Fatalf("%d quads read back of %d: %v", len(got), len(want), err)
			}
			for i := range want {
				if got[i].NQuad() != want[i].NQuad() {
					t.Fatalf("read back %s, wrote %s", got[i].NQuad(), want[i].NQuad())
				}
			}
			if strings.Contains(buf.String(), "<xsd:") {
				t.Fatalf("a datatype is no full IRI:\n%s", buf.String())
			}
			other, err := rdf.NewQuadDecoder(bytes.NewReader(buf.Bytes()), rdf.NQuads).DecodeAll()
			if err != nil || len(other) != len(want) {
				t.Fatalf("another reader: %d quads of %d: %v\n%s", len(other), len(want), err, buf.String())
			}
		}
	})
}

func TestReified(t *testing.T) {
	ep := episodetest.Parse(t, ontology.Default(), `
		1 (pick_up, Mug-1) | Mug-1 inside RobotGripper-1`)
	s, err := store.Open(belief.Follow(ontology.Default(), ep))
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	quads, err := s.Reified(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	parts := map[string]string{}
	triples := 0
	for _, q := range quads {
		if q.Label != nil {
			t.Errorf("a reified export has a named graph: %v", q)
		}
		p := local(quad.Quad{Subject: q.Predicate, Predicate: q.Predicate, Object: q.Predicate})
		if strings.HasPrefix(p, "hasTriple") {
			triples++
		}
		parts[q.Subject.String()] += " " + local(q)
	}
	if triples != 3 { // the class, visible, inside
		t.Errorf("%d triples, want 3", triples)
	}
	found := false
	for _, p := range parts {
		found = found || strings.Contains(p, "tripleSubject Mug-1") && strings.Contains(p, "triplePredicate inside") && strings.Contains(p, "tripleObject RobotGripper-1")
	}
	if !found {
		t.Errorf("no triple for Mug-1 inside RobotGripper-1 in %v", parts)
	}
}

func BenchmarkStore(b *testing.B) {
	ep := &episode.Episode{ID: "bench"}
	for i := range 100 {
		st := episode.Step{Index: i}
		for k := range 20 {
			id := fmt.Sprintf("Mug-%d", k)
			st.Observation.Nodes = append(st.Observation.Nodes, scene.Node{ID: id, Class: "Mug", States: []string{"dirty"}})
			st.Observation.Edges = append(st.Observation.Edges, scene.Edge{Subject: id, Relation: "inside", Object: fmt.Sprintf("Cabinet-%d", (i+k)%3)})
		}
		ep.Steps = append(ep.Steps, st)
	}
	for b.Loop() {
		s, err := store.Open(belief.Follow(ontology.Default(), ep))
		if err != nil {
			b.Fatal(err)
		}
		s.Close()
	}
}
