package fact

import (
	"math"
	"strings"

	"github.com/mishap-robotics/mishap/engine/discrepancy"
	"github.com/mishap-robotics/mishap/engine/scene"
	"github.com/mishap-robotics/mishap/ontology"
	"github.com/mishap-robotics/mishap/rules"
)

// Scores are the scores of the scenes before actions, by the step of each line of the
// action; nil for a line that goes on with an action is that of the line before.
type Scores map[int32]*discrepancy.Comparison

// What an object is, and should be, where it is in only one of two scenes.
const (
	present = "present"
	missing = "missing"
)

// OfScores reports whether a predicate is one of the facts of scores.
func OfScores(i rules.Indicator) bool {
	n, ok := Number(i)
	return ok && (n == predScore || n == predDiffers)
}

// Score lets the facts of a step, which is to come next, hold the score of the scene before
// its action; nil is that of the step before.
func (l *Live) Score(step int32, c *discrepancy.Comparison) { l.scores = Scores{step: c} }

// addScore adds the score of the scene before the action of a step, and what differs in it.
func (x *Index) addScore(s, prev int32) {
	c, ok := x.scores[s]
	if !ok {
		return
	}
	if c == nil {
		for pred, args := range map[int][]int32{predScore: {prev, Any}, predDiffers: {prev, Any, Any, Any}} {
			var rows [][]int32
			x.Match(pred, args, func(row []int32) bool {
				rows = append(rows, append([]int32{s}, row[1:]...))
				return true
			})
			for _, row := range rows {
				x.add(pred, row...)
			}
		}
		return
	}
	x.add(predScore, s, int32(math.Round(100*c.Score)))
	for _, d := range c.Differences {
		for _, pair := range x.sides(&d) {
			x.add(predDiffers, s, x.symbol(d.Node), x.symbol(pair[0]), x.symbol(pair[1]))
		}
	}
}

// sides are what the node of a difference is, and what it should be.
func (x *Index) sides(d *scene.Difference) [][2]string {
	last := func(text string) string { // of a relation and what it is to
		if words := strings.Fields(text); len(words) > 0 {
			return words[len(words)-1]
		}
		return None
	}
	switch d.Kind {
	case scene.Missing:
		return [][2]string{{missing, present}}
	case scene.Extra:
		return [][2]string{{present, missing}}
	case scene.OtherClass:
		return [][2]string{{d.Observed, d.Expected}}
	case scene.Moved:
		return [][2]string{{last(d.Observed), last(d.Expected)}}
	}
	return x.states(listed(d.Observed), listed(d.Expected))
}

func listed(text string) []string {
	if text == "" {
		return nil
	}
	return strings.Split(text, ", ")
}

// states pairs what excludes one another; the others have none on the other side.
func (x *Index) states(is, should []string) [][2]string {
	dimension := func(name string) ontology.TermID {
		if id, known := x.onto.Lookup(name); known {
			return x.onto.Dimension(id)
		}
		return ontology.None
	}
	var out [][2]string
	paired := map[string]bool{}
	for _, a := range is {
		pair := [2]string{a, None}
		for _, b := range should {
			if d := dimension(a); d == dimension(b) && !paired[b] && (d != ontology.None || len(is) == 1 && len(should) == 1) {
				pair[1], paired[b] = b, true
				break
			}
		}
		out = append(out, pair)
	}
	for _, b := range should {
		if !paired[b] {
			out = append(out, [2]string{None, b})
		}
	}
	return out
}
