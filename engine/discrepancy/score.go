// Package discrepancy scores how far an observed scene graph is from an expected
// one. The score is that of scene-graph-guided proactive replanning (Section II-D and
// Appendix B): the mean of the similarity of matched nodes, the share of matched edges
// and the likeness of their degrees. It needs a threshold and says nothing of causes;
// what foresight proves does.
package discrepancy

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/mishap-robotics/mishap/engine/scene"
)

// DefaultThreshold is the score below which the paper raises an alarm.
const DefaultThreshold = 0.9

// Embedder gives each node a vector for its class and states; vectors of one call
// have one length. What matters is the cosine between two of them.
type Embedder interface {
	Embed(ctx context.Context, nodes []scene.Node) ([][]float64, error)
}

// Ablation says which parts of the score are left out. The zero value is the paper's score.
type Ablation struct {
	WithoutNodes, WithoutEdges, WithoutStructure bool // parts left out of the mean
	// WithoutLabels takes what is inside something to be at it, as what is on top of it.
	WithoutLabels bool
	// WithoutFunctions lets an edge of the subtask be expected whatever states its object
	// is in.
	WithoutFunctions bool
}

// Pair is an observed node with the expected one it was matched with.
type Pair struct {
	Observed string  `json:"observed"`
	Expected string  `json:"expected"`
	Cosine   float64 `json:"cosine"`
}

// Comparison is the score with all it rests on. Scores are 1 for graphs that are the
// same, and for two empty ones.
type Comparison struct {
	Score float64 `json:"score"` // S, the mean of the three parts
	// Node is S_node = (1/|V_exp ∪ V_obs|) Σ cos(f(v_obs), f(v_exp)) over the
	// matched pairs, 0 where only one graph has nodes.
	Node float64 `json:"node"`
	// Edge is S_edge = |E_matched| / |E_exp ∪ E_obs|, 1 where neither graph has edges.
	// Edges match by scene.Matching.IsExpected.
	Edge float64 `json:"edge"`
	// Structure is S_struc = 1 − (1/N) Σ |deg(v_obs) − deg(v_exp)| / D over the N
	// matched pairs, D being the largest degree in either graph and at least 1. It is
	// 0 where nodes are there and none is matched.
	Structure   float64            `json:"structure"`
	Pairs       []Pair             `json:"pairs"`
	Differences []scene.Difference `json:"differences"`
}

// Alarm reports whether a score is below a threshold.
func (r *Comparison) Alarm(threshold float64) bool { return r.Score < threshold }

// CheckThreshold refuses a threshold that no score can be compared with.
func CheckThreshold(t float64) error {
	if !(t >= 0 && t <= 1) {
		return fmt.Errorf("threshold %v; expected a number from 0 to 1, such as %v", t, DefaultThreshold)
	}
	return nil
}

// Compare scores an observed scene graph against an expected one. The error is
// that of the embedder, or names what is wrong with a graph.
func Compare(ctx context.Context, observed, expected *scene.Graph, e Embedder, opt Ablation) (*Comparison, error) {
	obs, err := observed.Normal("observed")
	if err != nil {
		return nil, err
	}
	exp, err := expected.Normal("expected")
	if err != nil {
		return nil, err
	}
	for _, g := range []*scene.Graph{obs, exp} {
		opt.strip(g)
	}
	vectors, err := embed(ctx, e, append(slices.Clone(obs.Nodes), exp.Nodes...))
	if err != nil {
		return nil, err
	}
	c := &comparison{obs: obs, exp: exp, vectors: vectors, pairs: []Pair{}}
	c.pairUp()
	r := &Comparison{Pairs: c.pairs, Node: c.nodes(), Edge: c.edges(), Structure: c.structure(), Differences: c.match.Differences()}
	sum, n := 0.0, 0
	for _, part := range []struct {
		out   bool
		value float64
	}{{opt.WithoutNodes, r.Node}, {opt.WithoutEdges, r.Edge}, {opt.WithoutStructure, r.Structure}} {
		if !part.out {
			sum, n = sum+part.value, n+1
		}
	}
	if n == 0 {
		return nil, fmt.Errorf("no part of the score is left; expected at least one of nodes, edges and structure")
	}
	r.Score = sum / float64(n)
	return r, nil
}

// strip leaves out of the edges of a graph what is left out of the score.
func (a Ablation) strip(g *scene.Graph) {
	for i := range g.Edges {
		e := &g.Edges[i]
		if a.WithoutLabels {
			e.Label = ""
		}
		e.Functional = e.Functional && !a.WithoutFunctions
	}
}

// embed asks for vectors and refuses an answer that cannot be used.
func embed(ctx context.Context, e Embedder, nodes []scene.Node) ([][]float64, error) {
	if len(nodes) == 0 {
		return nil, nil
	}
	vectors, err := e.Embed(ctx, nodes)
	if err != nil {
		return nil, err
	}
	if len(vectors) != len(nodes) {
		return nil, fmt.Errorf("%d embeddings for %d nodes; expected one for each", len(vectors), len(nodes))
	}
	return vectors, CheckVectors(vectors)
}

// CheckVectors refuses embeddings that have no cosine: of different lengths, or
// with numbers that are all zero or not finite.
func CheckVectors(vectors [][]float64) error {
	for i, v := range vectors {
		if len(v) != len(vectors[0]) {
			return fmt.Errorf("embeddings of %d and %d numbers; expected one length", len(vectors[0]), len(v))
		}
		if n := norm(v); !(n > 0) || math.IsInf(n, 0) {
			return fmt.Errorf("embedding %d is no direction; expected finite numbers that are not all zero", i+1)
		}
	}
	return nil
}

type comparison struct {
	obs, exp *scene.Graph
	vectors  [][]float64 // of the observed nodes, then the expected ones
	pairs    []Pair
	match    *scene.Matching
}

func (c *comparison) cosine(i, j int) float64 {
	return Cosine(c.vectors[i], c.vectors[len(c.obs.Nodes)+j])
}

// pairUp pairs nodes by ID, then what is left within each class by greatest cosine;
// never nodes of two classes.
func (c *comparison) pairUp() {
	to, from := map[string]string{}, map[string]string{}
	pair := func(i, j int) {
		o, e := c.obs.Nodes[i].ID, c.exp.Nodes[j].ID
		to[o], from[e] = e, o
		c.pairs = append(c.pairs, Pair{o, e, c.cosine(i, j)})
	}
	type candidate struct {
		i, j   int
		cosine float64
	}
	var rest []candidate
	for i, o := range c.obs.Nodes {
		j := slices.IndexFunc(c.exp.Nodes, func(e scene.Node) bool { return e.ID == o.ID && e.Class == o.Class })
		if j >= 0 {
			pair(i, j)
		}
	}
	for i, o := range c.obs.Nodes {
		for j, e := range c.exp.Nodes {
			if _, taken := from[e.ID]; taken || to[o.ID] != "" || o.Class != e.Class {
				continue
			}
			rest = append(rest, candidate{i, j, c.cosine(i, j)})
		}
	}
	slices.SortStableFunc(rest, func(a, b candidate) int { return cmp.Compare(b.cosine, a.cosine) })
	for _, r := range rest {
		if _, taken := from[c.exp.Nodes[r.j].ID]; !taken && to[c.obs.Nodes[r.i].ID] == "" {
			pair(r.i, r.j)
		}
	}
	slices.SortFunc(c.pairs, func(a, b Pair) int { return cmp.Compare(a.Observed, b.Observed) })
	c.match = scene.NewMatching(c.obs, c.exp, to)
}

func (c *comparison) nodes() float64 {
	union := len(c.obs.Nodes) + len(c.exp.Nodes) - len(c.pairs)
	if union == 0 {
		return 1
	}
	sum := 0.0
	for _, p := range c.pairs {
		sum += p.Cosine
	}
	return sum / float64(union)
}

func (c *comparison) edges() float64 {
	matched := 0
	for _, e := range c.obs.Edges {
		if c.match.IsExpected(e) {
			matched++
		}
	}
	union := len(c.obs.Edges) + len(c.exp.Edges) - matched
	if union == 0 {
		return 1
	}
	return float64(matched) / float64(union)
}

func (c *comparison) structure() float64 {
	if len(c.pairs) == 0 {
		if len(c.obs.Nodes)+len(c.exp.Nodes) == 0 {
			return 1
		}
		return 0
	}
	obs, exp := c.obs.Degrees(), c.exp.Degrees()
	largest := 1
	for _, degrees := range []map[string]int{obs, exp} {
		for _, d := range degrees {
			largest = max(largest, d)
		}
	}
	sum := 0.0
	for _, p := range c.pairs {
		sum += math.Abs(float64(obs[p.Observed]-exp[p.Expected])) / float64(largest)
	}
	return 1 - sum/float64(len(c.pairs))
}

// Cosine is the cosine of the angle between two vectors of one length, 0 where
// one of them is zero.
func Cosine(a, b []float64) float64 {
	dot := 0.0
	for i := range a {
		dot += a[i] * b[i]
	}
	n := norm(a) * norm(b)
	switch {
	case n == 0:
		return 0
	case slices.Equal(a, b):
		return 1 // whatever rounding makes of it
	}
	return min(1, max(-1, dot/n))
}

func norm(a []float64) float64 {
	sum := 0.0
	for _, x := range a {
		sum += x * x
	}
	return math.Sqrt(sum)
}

// CountScore compares how many nodes of each class two graphs have: 1 less the
// differences over the larger counts, summed over the classes; 1 for two empty
// graphs. It is the baseline of the paper's Appendix E.
func CountScore(observed, expected *scene.Graph) float64 {
	counts := map[string][2]int{}
	for which, g := range []*scene.Graph{observed, expected} {
		seen := map[string]bool{}
		for _, n := range g.Nodes {
			if seen[n.ID] {
				continue
			}
			seen[n.ID] = true
			c := counts[n.Class]
			c[which]++
			counts[n.Class] = c
		}
	}
	differ, most := 0, 0
	for _, c := range counts {
		differ += max(c[0], c[1]) - min(c[0], c[1])
		most += max(c[0], c[1])
	}
	if most == 0 {
		return 1
	}
	return 1 - float64(differ)/float64(most)
}
