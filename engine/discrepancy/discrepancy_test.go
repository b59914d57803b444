package discrepancy_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"github.com/mishap-robotics/mishap/engine/discrepancy"
	"github.com/mishap-robotics/mishap/engine/scene"
	"github.com/mishap-robotics/mishap/ontology"
)

type embedder struct {
	embed func(nodes []scene.Node) ([][]float64, error)
}

func (e embedder) Embed(_ context.Context, nodes []scene.Node) ([][]float64, error) {
	return e.embed(nodes)
}

// angles takes the states of a node as degrees and adds them up: the cosine of two
// nodes is that of the difference.
var angles = embedder{func(nodes []scene.Node) ([][]float64, error) {
	var out [][]float64
	for _, n := range nodes {
		sum := 0
		for _, s := range n.States {
			degrees, err := strconv.Atoi(s)
			if err != nil {
				return nil, err
			}
			sum += degrees
		}
		sin, cos := math.Sincos(float64(sum) * math.Pi / 180)
		out = append(out, []float64{cos, sin})
	}
	return out, nil
}}

// graph reads nodes such as "m:Mug:60", of an ID, a class and states, and edges
// such as "m on c", whose relation ends in ! where it says the place.
func graph(nodes string, edges ...string) *scene.Graph {
	g := &scene.Graph{}
	for _, n := range strings.Fields(nodes) {
		parts := strings.Split(n, ":")
		g.Nodes = append(g.Nodes, scene.Node{ID: parts[0], Class: parts[1], States: parts[2:]})
	}
	for _, e := range edges {
		w := strings.Fields(e)
		relation, place := strings.CutSuffix(w[1], "!")
		g.Edges = append(g.Edges, scene.Edge{Subject: w[0], Relation: relation, Object: w[2], Place: place})
	}
	return g
}

var near = cmpopts.EquateApprox(0, 1e-12)

func compare(t testing.TB, observed, expected *scene.Graph) *discrepancy.Comparison {
	t.Helper()
	r, err := discrepancy.Compare(context.Background(), observed, expected, angles, discrepancy.Ablation{})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestCompare(t *testing.T) {
	half, root := 1.0/2, math.Sqrt(3)/2 // the cosines of 60 and 30 degrees
	type parts struct{ node, edge, structure float64 }
	tests := []struct {
		name               string
		observed, expected *scene.Graph
		want               parts
		pairs              string // those of two names, and cosines other than 1
		differences        []string
	}{
		{"the same", graph("m:Mug:60 c:Counter", "m on! c"), graph("m:Mug:60 c:Counter", "m on! c"), parts{1, 1, 1}, "", nil},
		{"two empty graphs", graph(""), graph(""), parts{1, 1, 1}, "", nil},
		{"nothing is expected", graph("m:Mug"), graph(""), parts{0, 1, 0}, "", []string{"m was not expected"}},
		{"nothing is observed", graph(""), graph("m:Mug"), parts{0, 1, 0}, "", []string{"m is missing"}},
		{"nothing is expected, edges are there", graph("m:Mug c:Counter", "m on! c"), graph(""), parts{0, 0, 0}, "",
			[]string{"c was not expected", "m was not expected"}},
		{"nothing is observed, edges are expected", graph(""), graph("m:Mug c:Counter", "m on! c"), parts{0, 0, 0}, "",
			[]string{"c is missing", "m is missing"}},
		{"a state", graph("m:Mug:60 c:Counter", "m on! c"), graph("m:Mug:0 c:Counter", "m on! c"), parts{(half + 1) / 2, 1, 1}, "m=m 0.500",
			[]string{"m is 60, expected 0"}},
		{"a state more", graph("m:Mug:30:30"), graph("m:Mug:30"), parts{1, 1, 1}, "", nil}, // the second is the same one
		{"a state that is not told", graph("m:Mug"), graph("m:Mug:60"), parts{half, 1, 1}, "m=m 0.500", []string{"m is in no known state, expected 60"}},
		{"the opposite", graph("m:Mug:180"), graph("m:Mug:0"), parts{-1, 1, 1}, "m=m -1.000", []string{"m is 180, expected 0"}},
		{"a node is missing", graph("m:Mug c:Counter", "m on! c"), graph("m:Mug p:Pot c:Counter", "m on! c", "p on! c"),
			parts{2.0 / 3, 1.0 / 2, 1 - (0+1.0/2)/2}, "", []string{"p is missing"}},
		{"a node too many", graph("m:Mug p:Pot c:Counter", "m on! c", "p on! c"), graph("m:Mug c:Counter", "m on! c"),
			parts{2.0 / 3, 1.0 / 2, 1 - (0+1.0/2)/2}, "", []string{"p was not expected"}},
		{"moved", graph("m:Mug c:Counter s:Sink", "m in! s"), graph("m:Mug c:Counter s:Sink", "m on! c"),
			parts{1, 0, 1 - (0+1+1)/3.0}, "", []string{"m is in s, expected on c"}},
		{"moved to where nobody knows", graph("m:Mug c:Counter"), graph("m:Mug c:Counter", "m on! c"), parts{1, 0, 0}, "",
			[]string{"m is elsewhere, expected on c"}},
		{"another relation at the same place", graph("m:Mug c:Sink", "m in! c"), graph("m:Mug c:Sink", "m on! c"), parts{1, 0, 1}, "",
			[]string{"m is in c, expected on c"}},
		{"another relation between the same ends", graph("m:Mug p:Pot", "m behind p"), graph("m:Mug p:Pot", "m before p"), parts{1, 0, 1}, "",
			[]string{"m is behind p, expected before"}},
		{"a relation the other way round", graph("m:Mug p:Pot", "p before m"), graph("m:Mug p:Pot", "m before p"), parts{1, 0, 1}, "",
			[]string{"p is before m, expected nothing", "m is nothing to p, expected before"}},
		{"several relations between the same ends", graph("m:Mug p:Pot", "m near p", "m behind p", "m under p"), graph("m:Mug p:Pot", "m before p", "m under p"),
			parts{1, 1.0 / 4, 1 - (1.0/3+1.0/3)/2}, "", []string{"m is behind, near p, expected before"}},
		{"a relation to a node that only one graph has", graph("m:Mug p:Pot", "p before m"), graph("m:Mug"), parts{half, 0, 0}, "",
			[]string{"p was not expected"}},
		{"no edges", graph("m:Mug c:Counter"), graph("m:Mug c:Counter"), parts{1, 1, 1}, "", nil}, // the largest degree counts as 1
		{"a loop", graph("m:Mug", "m near m"), graph("m:Mug"), parts{1, 0, 0}, "", []string{"m is near m, expected nothing"}},

		{"an ID of another class", graph("x:Mug"), graph("x:Cup"), parts{0, 1, 0}, "", []string{"x is Mug, expected Cup"}},
		{"an ID of another class, and one of the class", graph("x:Mug y:Cup"), graph("x:Cup"), parts{1.0 / 2, 1, 1}, "y=x 1.000",
			[]string{"x was not expected"}},
		{"other classes of the same vector", graph("m:Mug"), graph("c:Cup"), parts{0, 1, 0}, "", []string{"c is missing", "m was not expected"}},
		{"other IDs", graph("a:Mug:60 s:Sink", "a in! s"), graph("b:Mug:60 s:Sink", "b in! s"), parts{1, 1, 1}, "a=b 1.000", nil},
		{"other IDs, crossing", graph("a:Mug:0 b:Mug:90"), graph("c:Mug:90 d:Mug:0"), parts{1, 1, 1}, "a=d 1.000, b=c 1.000", nil},
		{"the most alike first", graph("a:Mug:0 b:Mug:60"), graph("c:Mug:60 d:Mug:30"), parts{(1 + root) / 2, 1, 1}, "a=d 0.866, b=c 1.000",
			[]string{"a is 0, expected 30"}},
		{"equally alike, in order of ID", graph("b:Mug a:Mug"), graph("d:Mug c:Mug"), parts{1, 1, 1}, "a=c 1.000, b=d 1.000", nil},
		{"the ID counts before the likeness", graph("a:Mug:0 b:Mug:90"), graph("a:Mug:90 c:Mug:0"), parts{0, 1, 1}, "a=a 0.000, b=c 0.000",
			[]string{"a is 0, expected 90", "b is 90, expected 0"}},
		{"edges follow the pairs", graph("a:Mug:0 b:Mug:90 s:Sink", "a in! s"), graph("c:Mug:0 d:Mug:90 s:Sink", "d in! s"),
			parts{1, 0, 1 - (1+1+0)/3.0}, "a=c 1.000, b=d 1.000", []string{"a is in s, expected elsewhere", "b is elsewhere, expected in s"}},
		{"more of a class than expected", graph("a:Mug:0 b:Mug:60"), graph("c:Mug:60"), parts{half, 1, 1}, "b=c 1.000", []string{"a was not expected"}},

		{"a node twice has the states of both", graph("m:Mug:0 m:Mug:60 m:Mug:60"), graph("m:Mug:60:0"), parts{1, 1, 1}, "", nil},
		{"an edge twice", graph("m:Mug c:Counter", "m on! c", "m on! c"), graph("m:Mug c:Counter", "m on! c"), parts{1, 1, 1}, "", nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := compare(t, tt.observed, tt.expected)
			if diff := cmp.Diff(tt.want, parts{r.Node, r.Edge, r.Structure}, near, cmp.AllowUnexported(parts{})); diff != "" {
				t.Errorf("parts (-want +got):\n%s", diff)
			}
			if want := (tt.want.node + tt.want.edge + tt.want.structure) / 3; math.Abs(r.Score-want) > 1e-12 {
				t.Errorf("score %v, want %v", r.Score, want)
			}
			var pairs, differences []string
			for _, p := range r.Pairs {
				if p.Observed != p.Expected || p.Cosine < 0.999 {
					pairs = append(pairs, fmt.Sprintf("%s=%s %.3f", p.Observed, p.Expected, math.Round(p.Cosine*1000)/1000+0))
				}
			}
			for _, d := range r.Differences {
				differences = append(differences, d.String())
			}
			if got := strings.Join(pairs, ", "); got != tt.pairs {
				t.Errorf("pairs %s, want %s", got, tt.pairs)
			}
			if diff := cmp.Diff(tt.differences, differences); diff != "" {
				t.Errorf("differences (-want +got):\n%s", diff)
			}
		})
	}
}

func TestDifferences(t *testing.T) {
	got := compare(t,
		graph("m:Mug:60 p:Pot k:Knife s:Sink", "m in! s", "p left_of k"),
		graph("m:Mug:0 p:Pot k:Knife c:Counter", "m on! c", "p right_of k")).Differences
	want := []scene.Difference{
		{Kind: scene.Missing, Node: "c"},
		{Kind: scene.Extra, Node: "s"},
		{Kind: scene.StateChanged, Node: "m", Expected: "0", Observed: "60"},
		{Kind: scene.Moved, Node: "m", Expected: "on c", Observed: "in s"},
		{Kind: scene.RelationChanged, Node: "p", Other: "k", Expected: "right_of", Observed: "left_of"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("differences (-want +got):\n%s", diff)
	}
	for names, concerned := range map[string]bool{"p": true, "k": true, "x p": true, "m": false, "": false} {
		if got := want[4].Concerns(strings.Fields(names)); got != concerned {
			t.Errorf("%v concerns %q: %v", want[4], names, got)
		}
	}
	if want[0].Concerns([]string{""}) {
		t.Error("a difference without a second node concerns the empty name")
	}
}

func TestOptions(t *testing.T) {
	// One of three nodes is missing: the parts are 2/3, 1/2 and 3/4.
	observed, expected := graph("m:Mug c:Counter", "m on! c"), graph("m:Mug p:Pot c:Counter", "m on! c", "p on! c")
	tests := []struct {
		opt  discrepancy.Ablation
		want float64
	}{
		{discrepancy.Ablation{}, 23.0 / 36},
		{discrepancy.Ablation{WithoutNodes: true}, 5.0 / 8},
		{discrepancy.Ablation{WithoutEdges: true}, 17.0 / 24},
		{discrepancy.Ablation{WithoutStructure: true}, 7.0 / 12},
		{discrepancy.Ablation{WithoutEdges: true, WithoutStructure: true}, 2.0 / 3},
		{discrepancy.Ablation{WithoutNodes: true, WithoutStructure: true}, 1.0 / 2},
		{discrepancy.Ablation{WithoutNodes: true, WithoutEdges: true}, 3.0 / 4},
	}
	for _, tt := range tests {
		r, err := discrepancy.Compare(context.Background(), observed, expected, angles, tt.opt)
		if err != nil {
			t.Fatal(err)
		}
		if math.Abs(r.Score-tt.want) > 1e-12 || math.Abs(r.Node-2.0/3) > 1e-12 || r.Edge != 0.5 || r.Structure != 0.75 {
			t.Errorf("%+v: score %v of %v, %v, %v; want %v", tt.opt, r.Score, r.Node, r.Edge, r.Structure, tt.want)
		}
	}
	none := discrepancy.Ablation{WithoutNodes: true, WithoutEdges: true, WithoutStructure: true}
	if r, err := discrepancy.Compare(context.Background(), observed, expected, angles, none); err == nil || r != nil {
		t.Errorf("no part is left: result %v, error %v", r, err)
	}
}

func TestGraphErrors(t *testing.T) {
	good := graph("m:Mug c:Counter", "m on! c")
	tests := []struct {
		name string
		bad  *scene.Graph
		want string
	}{
		{"two classes", graph("m:Mug m:Cup"), `node "m" is both Mug and Cup`},
		{"no ID", graph(":Mug"), "a node without an ID"},
		{"no subject", graph("m:Mug", "c on! m"), `edge c on m names "c"`},
		{"no object", graph("m:Mug", "m on! c"), `edge m on c names "c"`},
		{"no nodes", graph("", "m on! c"), `edge m on c names "m"`},
	}
	for _, tt := range tests {
		for i, which := range []string{"observed", "expected"} {
			graphs := []*scene.Graph{good, good}
			graphs[i] = tt.bad
			r, err := discrepancy.Compare(context.Background(), graphs[0], graphs[1], angles, discrepancy.Ablation{})
			if err == nil || r != nil || !strings.HasPrefix(err.Error(), which+" scene graph: ") || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("%s: error %v, want %s of the %s graph", tt.name, err, tt.want, which)
			}
		}
	}
}

func TestEmbedderErrors(t *testing.T) {
	failed := errors.New("no answer")
	tests := []struct {
		name    string
		vectors [][]float64
		err     error
		want    string
	}{
		{"it fails", nil, failed, "no answer"},
		{"none", nil, nil, "0 embeddings for 2 nodes"},
		{"too few", [][]float64{{1}}, nil, "1 embeddings for 2 nodes"},
		{"too many", [][]float64{{1}, {1}, {1}}, nil, "3 embeddings for 2 nodes"},
		{"two lengths", [][]float64{{1, 0}, {1}}, nil, "embeddings of 2 and 1 numbers"},
		{"zero", [][]float64{{1, 0}, {0, 0}}, nil, "no direction"},
		{"no numbers", [][]float64{{}, {}}, nil, "no direction"},
		{"NaN", [][]float64{{1, 0}, {1, math.NaN()}}, nil, "no direction"},
		{"infinite", [][]float64{{1, math.Inf(1)}, {1, 0}}, nil, "no direction"},
		{"infinitely negative", [][]float64{{1, 0}, {math.Inf(-1), 0}}, nil, "no direction"},
	}
	g := graph("m:Mug")
	for _, tt := range tests {
		e := embedder{func([]scene.Node) ([][]float64, error) { return tt.vectors, tt.err }}
		r, err := discrepancy.Compare(context.Background(), g, g, e, discrepancy.Ablation{})
		if err == nil || r != nil || !strings.Contains(err.Error(), tt.want) || tt.err != nil && !errors.Is(err, tt.err) {
			t.Errorf("%s: result %v, error %v; want %s", tt.name, r, err, tt.want)
		}
	}
	e := embedder{func([]scene.Node) ([][]float64, error) { return nil, failed }}
	if _, err := discrepancy.Compare(context.Background(), graph(""), graph(""), e, discrepancy.Ablation{}); err != nil {
		t.Errorf("two empty graphs were embedded: %v", err)
	}
}

func TestThreshold(t *testing.T) {
	for _, ok := range []float64{0, 0.9, 1, discrepancy.DefaultThreshold} {
		if err := discrepancy.CheckThreshold(ok); err != nil {
			t.Error(err)
		}
	}
	for _, bad := range []float64{-0.1, 1.1, math.NaN(), math.Inf(1), math.Inf(-1)} {
		if discrepancy.CheckThreshold(bad) == nil {
			t.Errorf("threshold %v was taken", bad)
		}
	}
	r := discrepancy.Comparison{Score: 0.5}
	if r.Alarm(0.5) || r.Alarm(0.4) || !r.Alarm(0.6) {
		t.Error("an alarm at another than a lower score")
	}
}

func TestCountScore(t *testing.T) {
	tests := []struct {
		name               string
		observed, expected string
		want               float64
	}{
		{"two empty graphs", "", "", 1},
		{"the same", "a:Mug b:Cup", "a:Mug b:Cup", 1},
		{"other IDs and states", "a:Mug:1 b:Cup", "c:Cup d:Mug", 1},
		{"nothing expected", "a:Mug", "", 0},
		{"nothing observed", "", "a:Mug b:Cup", 0},
		{"one missing", "a:Mug", "a:Mug b:Mug", 1.0 / 2},
		{"another class", "a:Mug b:Pot", "a:Mug b:Cup", 1.0 / 3},
		{"several classes", "a:Mug b:Mug c:Mug d:Cup", "a:Mug e:Cup f:Cup", 1 - 3.0/5},
	}
	for _, tt := range tests {
		if got := discrepancy.CountScore(graph(tt.observed), graph(tt.expected)); math.Abs(got-tt.want) > 1e-12 {
			t.Errorf("%s: %v, want %v", tt.name, got, tt.want)
		}
	}
}

func TestWithout(t *testing.T) {
	g := graph("m:Mug:60 c:Counter s:Sink", "m on! c", "s in c", "m near s")
	got := g.Without(func(n scene.Node) bool { return n.Class == "Mug" })
	if diff := cmp.Diff(graph("c:Counter s:Sink", "s in c"), got); diff != "" {
		t.Errorf("graph (-want +got):\n%s", diff)
	}
	if text := g.Nodes[0].Text(); text != "60 Mug" {
		t.Errorf("text %q", text)
	}
}

func TestCosine(t *testing.T) {
	for _, tt := range []struct {
		a, b []float64
		want float64
	}{
		{[]float64{3, 4}, []float64{6, 8}, 1},
		{[]float64{3, 4}, []float64{4, 3}, 24.0 / 25},
		{[]float64{1, 0}, []float64{0, 2}, 0},
		{[]float64{1, 2}, []float64{-1, -2}, -1},
		{[]float64{0, 0}, []float64{1, 0}, 0},
		{nil, nil, 0},
	} {
		if got := discrepancy.Cosine(tt.a, tt.b); math.Abs(got-tt.want) > 1e-12 {
			t.Errorf("cosine of %v and %v is %v, want %v", tt.a, tt.b, got, tt.want)
		}
	}
}

// node reads "Mug clean": a class and states.
func node(text string) scene.Node {
	w := strings.Fields(text)
	return scene.Node{ID: "x", Class: w[0], States: w[1:]}
}

func vectors(t testing.TB, e discrepancy.Embedder, nodes ...string) [][]float64 {
	t.Helper()
	var all []scene.Node
	for _, n := range nodes {
		all = append(all, node(n))
	}
	v, err := e.Embed(context.Background(), all)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func TestFromOntologyOrder(t *testing.T) {
	e := discrepancy.FromOntology(ontology.Default())
	// Each row holds pairs of nodes, the more alike first.
	tests := []struct {
		name  string
		pairs [][2]string
	}{
		{"classes", [][2]string{{"Mug", "Mug"}, {"Mug", "Cup"}, {"Mug", "Fridge"}}},
		{"nearer classes", [][2]string{{"Apple", "Tomato"}, {"Apple", "Knife"}}},
		{"a usual state", [][2]string{{"Mug clean", "Mug clean"}, {"Mug clean", "Mug"}, {"Mug clean", "Mug dirty"}}},
		{"a state that nobody knows", [][2]string{{"Mug clean", "Mug clean"}, {"Mug clean", "Mug clean shiny"}, {"Mug clean", "Mug shiny"}, {"Mug clean", "Mug dirty"}}},
		{"what is not usual weighs more", [][2]string{{"Mug", "Mug clean"}, {"Mug", "Mug dirty"}}},
		{"a state that implies the other", [][2]string{{"Mug filled_with_water", "Mug filled_with_water"}, {"Mug filled_with_water", "Mug filled"}, {"Mug filled_with_water", "Mug"}}},
		{"another liquid", [][2]string{{"Mug filled_with_water", "Mug filled_with_water"}, {"Mug filled_with_water", "Mug filled_with_wine"}}},
		{"a class that nobody knows", [][2]string{{"Gizmo open", "Gizmo open"}, {"Gizmo open", "Gizmo"}, {"Gizmo", "Mug open"}}},
		{"a class and a state that nobody knows", [][2]string{{"Gizmo shiny", "Gizmo shiny"}, {"Gizmo shiny", "Gizmo dull"}, {"Gizmo", "Gadget"}}},
	}
	for _, tt := range tests {
		last := math.Inf(1)
		for i, p := range tt.pairs {
			v := vectors(t, e, p[0], p[1])
			got := discrepancy.Cosine(v[0], v[1])
			if got >= last || p[0] == p[1] && math.Abs(got-1) > 1e-12 {
				t.Errorf("%s: the cosine of %q and %q is %v, that of the pair before %v", tt.name, p[0], p[1], got, tt.pairs[max(0, i-1)])
			}
			last = got
		}
	}
}

// Vectors are the same at every call, whoever asks, and their cosines do not depend
// on what else is asked for.
func TestFromOntologyRepeats(t *testing.T) {
	nodes := []string{"Mug dirty", "Cup", "Gizmo shiny", "Fridge open on", "Mug dirty"}
	e := discrepancy.FromOntology(ontology.Default())
	want := vectors(t, e, nodes...)
	if !cmp.Equal(want[0], want[4]) {
		t.Error("a node has two vectors")
	}
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			for _, other := range []discrepancy.Embedder{e, discrepancy.FromOntology(ontology.Default())} {
				if got := vectors(t, other, nodes...); !cmp.Equal(want, got) {
					t.Errorf("vectors (-want +got):\n%s", cmp.Diff(want, got))
				}
			}
		})
	}
	all.Wait()
	alone := vectors(t, e, nodes[1], nodes[0])
	if a, b := discrepancy.Cosine(alone[1], alone[0]), discrepancy.Cosine(want[0], want[1]); math.Abs(a-b) > 1e-12 {
		t.Errorf("cosines %v and %v of the same nodes", a, b)
	}
}

func TestCompareFromOntology(t *testing.T) {
	e := discrepancy.FromOntology(ontology.Default())
	g := graph("Mug-1:Mug:dirty:filled_with_water Gizmo-1:Gizmo:shiny Sink-1:Sink", "Mug-1 located_at! Sink-1")
	r, err := discrepancy.Compare(context.Background(), g, g, e, discrepancy.Ablation{})
	if err != nil || math.Abs(r.Score-1) > 1e-12 || len(r.Differences) > 0 {
		t.Errorf("result %+v, error %v", r, err)
	}
	// Of two mugs without a common name the one in the same state is the same.
	r, err = discrepancy.Compare(context.Background(), graph("a:Mug:clean b:Mug:dirty"), graph("c:Mug:dirty d:Mug:clean"), e, discrepancy.Ablation{})
	if err != nil || len(r.Pairs) != 2 || r.Pairs[0].Expected != "d" || r.Pairs[1].Expected != "c" {
		t.Errorf("result %+v, error %v", r, err)
	}
}

// drawGraph makes a small graph whose nodes and edges may come twice.
func drawGraph(label string) *rapid.Generator[*scene.Graph] {
	return rapid.Custom(func(t *rapid.T) *scene.Graph {
		g := &scene.Graph{}
		state := rapid.SampledFrom([]string{"0", "30", "60", "90", "180"})
		for i, class := range rapid.SliceOfN(rapid.SampledFrom([]string{"", "Mug", "Mug", "Cup", "Sink"}), 0, 6).Draw(t, "classes") {
			if class == "" {
				continue // another graph may have this ID
			}
			n := scene.Node{ID: fmt.Sprintf("%s%d", rapid.SampledFrom([]string{"n", label}).Draw(t, "prefix"), i), Class: class}
			for range rapid.IntRange(1, 2).Draw(t, "times") {
				n.States = rapid.SliceOfN(state, 0, 2).Draw(t, "states")
				g.Nodes = append(g.Nodes, n)
			}
		}
		if len(g.Nodes) == 0 {
			return g
		}
		for range rapid.IntRange(0, 8).Draw(t, "edges") {
			end := rapid.SampledFrom(g.Nodes)
			e := scene.Edge{Subject: end.Draw(t, "subject").ID, Relation: rapid.SampledFrom([]string{"in", "near", "left_of"}).Draw(t, "relation"), Object: end.Draw(t, "object").ID}
			e.Place = e.Relation == "in"
			g.Edges = append(g.Edges, e)
		}
		return g
	})
}

func TestScoreOfTheSame(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		g := drawGraph("a").Draw(rt, "graph")
		r := compare(t, g, g)
		if math.Abs(r.Score-1) > 1e-12 || len(r.Differences) > 0 {
			rt.Fatalf("%+v", r)
		}
		if s := discrepancy.CountScore(g, g); s != 1 {
			rt.Fatalf("count score %v", s)
		}
	})
}

func TestOrderDoesNotMatter(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		observed, expected := drawGraph("a").Draw(rt, "observed"), drawGraph("b").Draw(rt, "expected")
		mixed := func(g *scene.Graph) *scene.Graph {
			return &scene.Graph{Nodes: rapid.Permutation(g.Nodes).Draw(rt, "nodes"), Edges: rapid.Permutation(g.Edges).Draw(rt, "edges")}
		}
		if diff := cmp.Diff(compare(t, observed, expected), compare(t, mixed(observed), mixed(expected))); diff != "" {
			rt.Fatalf("result (-want +got):\n%s", diff)
		}
	})
}

func TestBounds(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		observed, expected := drawGraph("a").Draw(rt, "observed"), drawGraph("b").Draw(rt, "expected")
		r := compare(t, observed, expected)
		if r.Score > 1 || r.Score < -1 || r.Node > 1 || r.Node < -1 || r.Edge < 0 || r.Edge > 1 || r.Structure < 0 || r.Structure > 1 {
			rt.Fatalf("%+v", r)
		}
		if s := discrepancy.CountScore(observed, expected); s < 0 || s > 1 {
			rt.Fatalf("count score %v", s)
		}
		if back := compare(t, expected, observed); back.Edge != r.Edge || math.Abs(back.Score-r.Score) > 1e-12 {
			rt.Fatalf("the score is %v, with the graphs swapped %v", r, back)
		}
	})
}

func TestPairs(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		observed, expected := drawGraph("a").Draw(rt, "observed"), drawGraph("b").Draw(rt, "expected")
		classes := func(g *scene.Graph) map[string]string {
			out := map[string]string{}
			for _, n := range g.Nodes {
				out[n.ID] = n.Class
			}
			return out
		}
		left, right := classes(observed), classes(expected)
		most := map[string]int{} // pairs of each class
		for _, class := range left {
			most[class] = max(most[class], 0)
		}
		r := compare(t, observed, expected)
		for _, p := range r.Pairs {
			if left[p.Observed] == "" || left[p.Observed] != right[p.Expected] {
				rt.Fatalf("%v is a pair of %q and %q, or not the only one", p, left[p.Observed], right[p.Expected])
			}
			if p.Observed != p.Expected && right[p.Observed] == left[p.Observed] {
				rt.Fatalf("%v passes over the node of the same ID", p)
			}
			most[left[p.Observed]]++
			delete(left, p.Observed)
			delete(right, p.Expected)
		}
		// What is left of a class is left in one graph only.
		for _, class := range left {
			for _, other := range right {
				if class == other {
					rt.Fatalf("nodes of class %s are left in both graphs: %+v", class, r)
				}
			}
		}
	})
}
