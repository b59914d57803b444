package bench

import (
	"cmp"
	"context"
	"maps"
	"math"
	"slices"

	"github.com/mishap-robotics/mishap/engine"
	"github.com/mishap-robotics/mishap/engine/discrepancy"
	"github.com/mishap-robotics/mishap/engine/scene"
)

// method is a way to score a scene.
type method struct {
	expect  string
	without string
}

// otherReference are expected scenes from a reference episode with another plan.
const otherReference = "reference by another plan"

// sources are where expected scenes come from, in order.
var sources = []string{string(engine.FromPlan), string(engine.FromPreconditions), string(engine.FromReference), otherReference}

// The whole score, what is left out of it, and the paper's baseline (Appendix E),
// which compares how many objects of each class there are.
const (
	whole     = "nothing"
	noSubtask = "subtask node"
	noNodes   = "nodes"
	noEdges   = "edges"
	noShape   = "structure"
	noLabels  = "relation labels"
	noStates  = "states of functional edges"
	onlyCount = "all but object counts"
)

var methods = []string{whole, noSubtask, noNodes, noEdges, noShape, noLabels, noStates, onlyCount}

// Curve is how well a score tells episodes with a failure from others, at every
// threshold: an alarm is a score below it at any moment before an action, of a
// failed episode none later than the one after the failure.
type Curve struct {
	Expect  string  `json:"expected_from"`
	Without string  `json:"without"`
	Failed  int     `json:"failed"`
	Sound   int     `json:"sound"` // clean and benign episodes
	Points  []Point `json:"points"`
	// Area is that under the curve of detection over false alarms.
	Area float64 `json:"area"`
}

// Point is detection and false alarms at a threshold, in episodes.
type Point struct {
	Threshold float64 `json:"threshold"`
	Detected  int     `json:"detected"`
	Alarmed   int     `json:"alarmed"`
}

// thresholds are those of the paper; a curve has them, and every hundredth at which it
// rises.
var thresholds = []float64{0.90, 0.85, 0.80}

// At is the point of a threshold.
func (c *Curve) At(threshold float64) Point {
	i := slices.IndexFunc(c.Points, func(p Point) bool { return math.Abs(p.Threshold-threshold) < 1e-9 })
	return c.Points[i]
}

// score takes the scores of a moment into the least so far.
func (w watcher) score(ctx context.Context, m *engine.Monitor, t *trial, least map[method]float64) error {
	embedder := w.embedder
	for _, from := range sources {
		s := engine.Scoring{Expect: engine.ExpectationSource(from), Reference: t.reference, Embedder: embedder}
		if from == otherReference {
			s.Expect, s.Reference = engine.FromReference, t.other
		}
		if s.Expect == engine.FromReference && s.Reference == nil {
			continue
		}
		observed, expected, err := m.Scenes(s)
		if err != nil {
			return err
		}
		subtask := func(n scene.Node) bool { return n.ID == engine.SubtaskNode }
		scores := map[string]float64{onlyCount: discrepancy.CountScore(observed, expected)}
		for _, of := range []struct {
			without            string
			observed, expected *scene.Graph
			ablation           discrepancy.Ablation
		}{
			{whole, observed, expected, discrepancy.Ablation{}},
			{noSubtask, observed.Without(subtask), expected.Without(subtask), discrepancy.Ablation{}},
			{noNodes, observed, expected, discrepancy.Ablation{WithoutNodes: true}},
			{noEdges, observed, expected, discrepancy.Ablation{WithoutEdges: true}},
			{noShape, observed, expected, discrepancy.Ablation{WithoutStructure: true}},
			{noLabels, observed, expected, discrepancy.Ablation{WithoutLabels: true}},
			{noStates, observed, expected, discrepancy.Ablation{WithoutFunctions: true}},
		} {
			r, err := discrepancy.Compare(ctx, of.observed, of.expected, embedder, of.ablation)
			if err != nil {
				return err
			}
			scores[of.without] = r.Score
		}
		for without, s := range scores {
			key := method{from, without}
			if old, ok := least[key]; !ok || s < old {
				least[key] = s
			}
		}
	}
	return nil
}

// curvesOf sums the least scores of episodes up.
func curvesOf(results []watched) []Curve {
	failedBy, soundBy := map[method][]float64{}, map[method][]float64{}
	for i := range results {
		w := &results[i]
		for key, s := range w.least {
			if w.err != nil {
				continue
			}
			if w.kind == failed {
				failedBy[key] = append(failedBy[key], s)
			} else {
				soundBy[key] = append(soundBy[key], s)
			}
		}
	}
	keys := slices.SortedFunc(maps.Keys(failedBy), func(a, b method) int {
		return cmp.Or(slices.Index(sources, a.expect)-slices.Index(sources, b.expect),
			slices.Index(methods, a.without)-slices.Index(methods, b.without))
	})
	var out []Curve
	for _, key := range keys {
		out = append(out, newCurve(key, failedBy[key], soundBy[key]))
	}
	return out
}

func newCurve(key method, failed, sound []float64) Curve {
	c := Curve{Expect: key.expect, Without: key.without, Failed: len(failed), Sound: len(sound), Area: area(failed, sound)}
	below := func(scores []float64, t float64) int {
		n := 0
		for _, s := range scores {
			if s < t-1e-9 {
				n++
			}
		}
		return n
	}
	for i := 0; i <= 101; i++ {
		t := float64(i) / 100 // past 1 everything is alarmed
		p := Point{t, below(failed, t), below(sound, t)}
		n := len(c.Points)
		if n == 0 || i == 101 || slices.Contains(thresholds, t) || p.Detected != c.Points[n-1].Detected || p.Alarmed != c.Points[n-1].Alarmed {
			c.Points = append(c.Points, p)
		}
	}
	return c
}

// area is the chance that a failed episode scores lower than a sound one, ties
// counting half.
func area(failed, sound []float64) float64 {
	if len(failed) == 0 || len(sound) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(sound))
	sum := 0.0
	for _, s := range failed {
		lower, _ := slices.BinarySearch(sorted, s-1e-9)
		upper, _ := slices.BinarySearch(sorted, s+1e-9)
		sum += float64(len(sorted)-upper) + float64(upper-lower)/2
	}
	return sum / float64(len(failed)) / float64(len(sorted))
}
