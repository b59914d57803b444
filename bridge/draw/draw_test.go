package draw_test

import (
	"bytes"
	"context"
	"encoding/xml"
	"errors"
	"flag"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mishap-robotics/mishap/bridge/draw"
	"github.com/mishap-robotics/mishap/engine/discrepancy"
	"github.com/mishap-robotics/mishap/engine/scene"
	"github.com/mishap-robotics/mishap/ontology"
)

var update = flag.Bool("update", false, "rewrite the golden files")

func graph(nodes []string, edges ...[3]string) *scene.Graph {
	g := &scene.Graph{}
	for _, n := range nodes {
		parts := strings.Fields(n)
		class, _, _ := strings.Cut(parts[0], "-")
		g.Nodes = append(g.Nodes, scene.Node{ID: parts[0], Class: class, States: parts[1:]})
	}
	for _, e := range edges {
		g.Edges = append(g.Edges, scene.Edge{Subject: e[0], Relation: e[1], Object: e[2], Place: e[1] == "located_at"})
	}
	return g
}

func picture(t *testing.T, observed, expected *scene.Graph) []byte {
	t.Helper()
	r, err := discrepancy.Compare(context.Background(), observed, expected, discrepancy.FromOntology(ontology.Default()), discrepancy.Ablation{})
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := draw.Difference(&out, "one <&> the other", observed, expected, r); err != nil {
		t.Fatal(err)
	}
	d := xml.NewDecoder(bytes.NewReader(out.Bytes()))
	for {
		if _, err := d.Token(); errors.Is(err, io.EOF) {
			return out.Bytes()
		} else if err != nil {
			t.Fatalf("no XML: %v\n%s", err, out.String())
		}
	}
}

func TestDifference(t *testing.T) {
	expected := graph([]string{"Robot-1", "Mug-1 clean", "Sink-1", "Cup-1"}, [3]string{"Mug-1", "located_at", "Robot-1"}, [3]string{"Cup-1", "located_at", "Sink-1"})
	observed := graph([]string{"Robot-1", "Mug-1 dirty", "Sink-1", "Floor-1", "O&<-1"}, [3]string{"Mug-1", "located_at", "Floor-1"}, [3]string{"O&<-1", "occluding", "Sink-1"})
	got := picture(t, observed, expected)
	const golden = "testdata/difference.svg"
	if *update {
		if err := os.MkdirAll("testdata", 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(golden, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("(-want +got; go test ./bridge/draw -update):\n%s", diff)
	}
	for _, mark := range []string{"+ Floor-1", "- Cup-1", "~ Mug-1", "expected clean", "- located_at", "+ located_at", "+ O&amp;&lt;-1"} {
		if !bytes.Contains(got, []byte(mark)) {
			t.Errorf("no %q in the picture", mark)
		}
	}
	if !bytes.Equal(got, picture(t, observed, expected)) {
		t.Error("drawn twice, two pictures")
	}
}

func TestOddGraphs(t *testing.T) {
	one := graph([]string{"Mug-1"})
	loop := graph([]string{"Mug-1", "Mug-1", "Cup-1"}, [3]string{"Mug-1", "near", "Mug-1"}, [3]string{"Mug-1", "near", "Cup-1"}, [3]string{"Mug-1", "near", "Cup-1"})
	var many []string
	for _, class := range []string{"Mug", "Cup", "Bowl", "Plate"} {
		for _, n := range "123456789" {
			many = append(many, class+"-"+string(n))
		}
	}
	for _, g := range []*scene.Graph{{}, one, loop, graph(many)} {
		picture(t, g, &scene.Graph{})
		picture(t, &scene.Graph{}, g)
		picture(t, g, g)
	}
}
