package draw_test

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"gonum.org/v1/gonum/graph/formats/dot"

	"github.com/mishap-robotics/mishap/bridge/draw"
	"github.com/mishap-robotics/mishap/bridge/internal/svg"
	"github.com/mishap-robotics/mishap/engine"
	"github.com/mishap-robotics/mishap/engine/dependency"
	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/ontology"
)

// grounded is the graph of a plan, with names as it has them.
func grounded(t *testing.T, texts ...string) *dependency.StateGraph {
	t.Helper()
	ep := &episode.Episode{ID: "drawn"}
	for _, text := range texts {
		a, err := episode.ParseAction(ontology.Default(), text)
		if err != nil {
			t.Fatal(err)
		}
		ep.Plan = append(ep.Plan, a)
	}
	p := engine.ProjectPlan(ontology.Default(), ep)
	var calls []engine.Call
	for i := range p.Events {
		calls = append(calls, p.Events[i].Call)
	}
	return dependency.Ground(p.Objects, calls)
}

func breakfast(t *testing.T) draw.DependencyGraph {
	return draw.DependencyGraph{Title: "breakfast & more", Episode: "breakfast", Graph: grounded(t,
		"(navigate_to_obj, Fridge-1)", "(open_obj, Fridge-1)", "(pick_up, Egg-1)", "(navigate_to_obj, Bowl-1)", "(put_in, Egg-1, Bowl-1)", "(pour, Mug-1, Cup-1)")}
}

func sameAs(t *testing.T, name string, got []byte) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("%s (-want +got; go test ./bridge/draw -update):\n%s", path, diff)
	}
}

func TestDependencies(t *testing.T) {
	actions := draw.DependencyGraph{Title: "the actions", Graph: dependency.Of(ontology.Default(), false)}
	for _, tt := range []struct {
		name  string
		graph draw.DependencyGraph
	}{{"dependencies", actions}, {"dependencies-plan", breakfast(t)}} {
		var picture, script, js bytes.Buffer
		err := errors.Join(draw.DependenciesSVG(&picture, tt.graph), draw.DependenciesDOT(&script, []draw.DependencyGraph{tt.graph}),
			draw.DependenciesJSON(&js, []draw.DependencyGraph{tt.graph}))
		if err != nil {
			t.Fatal(err)
		}
		sameAs(t, tt.name+".svg", picture.Bytes())
		sameAs(t, tt.name+".dot", script.Bytes())
		sameAs(t, tt.name+".json", js.Bytes())
	}
}

// Every node and edge is in the script, and Graphviz would read it.
func TestDependenciesDOT(t *testing.T) {
	odd := draw.DependencyGraph{Title: `odd "names" \n`, Graph: grounded(t, `(pick_up, Mug"\-1)`)}
	var script bytes.Buffer
	if err := draw.DependenciesDOT(&script, []draw.DependencyGraph{breakfast(t), odd}); err != nil {
		t.Fatal(err)
	}
	parsed, err := dot.ParseBytes(script.Bytes())
	if err != nil {
		t.Fatalf("%v\n%s", err, script.String())
	}
	if len(parsed.Graphs) != 2 {
		t.Fatalf("%d graphs, want 2", len(parsed.Graphs))
	}
	g := breakfast(t).Graph
	first, _, _ := strings.Cut(script.String(), "\n}\n")
	for want, n := range map[string]int{" -> ": len(g.Edges), "shape=box": len(g.Actions), "shape=ellipse": len(g.States), "peripheries=2": 2} {
		if got := strings.Count(first, want); got != n {
			t.Errorf("%d times %q, want %d", got, want, n)
		}
	}
}

func TestDependenciesJSON(t *testing.T) {
	d := breakfast(t)
	var text bytes.Buffer
	if err := draw.DependenciesJSON(&text, []draw.DependencyGraph{d}); err != nil {
		t.Fatal(err)
	}
	var doc struct {
		Graphs []struct {
			Episode         string
			Actions, States []struct{ ID string }
			Edges           []struct{ From, To string }
		}
	}
	if err := json.Unmarshal(text.Bytes(), &doc); err != nil {
		t.Fatal(err)
	}
	g := doc.Graphs[0]
	if g.Episode != "breakfast" || len(g.Edges) != len(d.Graph.Edges) {
		t.Errorf("episode %q with %d edges, want breakfast with %d", g.Episode, len(g.Edges), len(d.Graph.Edges))
	}
	ids := map[string]bool{}
	for _, n := range slices.Concat(g.Actions, g.States) {
		ids[n.ID] = true
	}
	for _, e := range g.Edges {
		if !ids[e.From] || !ids[e.To] || e.From[0] == e.To[0] {
			t.Errorf("edge from %s to %s", e.From, e.To)
		}
	}
}

// text is one of a picture, with the place it takes.
type text struct {
	words       string
	left, right float64
	baseline    float64
}

func texts(t *testing.T, picture []byte) []text {
	t.Helper()
	var out []text
	d := xml.NewDecoder(bytes.NewReader(picture))
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return out
		} else if err != nil {
			t.Fatalf("no XML: %v\n%s", err, picture)
		}
		if e, ok := token.(xml.StartElement); ok && e.Name.Local == "text" {
			var words string
			if err := d.DecodeElement(&words, &e); err != nil {
				t.Fatal(err)
			}
			out = append(out, placed(t, e, words))
		}
	}
}

func placed(t *testing.T, e xml.StartElement, words string) text {
	t.Helper()
	at := map[string]string{}
	for _, a := range e.Attr {
		at[a.Name.Local] = a.Value
	}
	x, err := strconv.ParseFloat(at["x"], 64)
	y, also := strconv.ParseFloat(at["y"], 64)
	if err != nil || also != nil {
		t.Fatalf("%q stands at %q, %q", words, at["x"], at["y"])
	}
	width := svg.TextWidth(words)
	if at["text-anchor"] == "middle" {
		x -= width / 2
	}
	return text{words, x, x + width, y}
}

func TestDependenciesDoNotOverlap(t *testing.T) {
	o := ontology.Default()
	for _, d := range []draw.DependencyGraph{
		{Title: "nothing", Graph: &dependency.StateGraph{}},
		{Title: "no edge", Graph: grounded(t, "(observe)")},
		{Title: "one edge", Graph: grounded(t, "(navigate_to_obj, Mug-1)")},
		breakfast(t),
		{Title: "all", Graph: dependency.Of(o, true)},
	} {
		var picture bytes.Buffer
		if err := draw.DependenciesSVG(&picture, d); err != nil {
			t.Fatal(err)
		}
		all := texts(t, picture.Bytes())
		for i, a := range all {
			for _, b := range all[:i] {
				if a.left < b.right && b.left < a.right && a.baseline-b.baseline < 10 && b.baseline-a.baseline < 10 {
					t.Errorf("%s: %q at %v and %q at %v overlap", d.Title, a.words, a, b.words, b)
				}
			}
		}
		var again bytes.Buffer
		if err := draw.DependenciesSVG(&again, d); err != nil || !bytes.Equal(picture.Bytes(), again.Bytes()) {
			t.Errorf("%s: drawn twice, two pictures (%v)", d.Title, err)
		}
	}
}
