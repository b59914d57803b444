package report

import (
	"fmt"
	"strings"

	"github.com/mishap-robotics/mishap/bridge/internal/wording"
	"github.com/mishap-robotics/mishap/engine"
	"github.com/mishap-robotics/mishap/rules"
)

// ClauseCoverage is what tests reached of a clause.
type ClauseCoverage struct {
	Clause     string              `json:"clause"` // file and line
	Rule       string              `json:"rule"`
	Concluded  int                 `json:"concluded"` // how often
	Conditions []ConditionCoverage `json:"conditions"`
}

// ConditionCoverage is how often a condition held and failed.
type ConditionCoverage struct {
	Condition string `json:"condition"`
	Line      int    `json:"line"`
	Held      int    `json:"held"`
	Failed    int    `json:"failed"`
}

func newCoverage(clauses []*rules.Clause, cover *engine.Coverage) []ClauseCoverage {
	out := []ClauseCoverage{}
	for _, c := range clauses {
		cc := cover.Of(c)
		entry := ClauseCoverage{Clause: fmt.Sprintf("%s:%d", c.Pos.File, c.Pos.Line), Rule: c.Head.String(), Concluded: cc.Concluded, Conditions: []ConditionCoverage{}}
		for i, g := range c.Body {
			entry.Conditions = append(entry.Conditions, ConditionCoverage{g.String(), g.Pos.Line, cc.Held[i], cc.Failed[i]})
		}
		out = append(out, entry)
	}
	return out
}

// writeCoverage lists every clause, and under it the conditions that no test saw hold or
// fail.
func writeCoverage(b *strings.Builder, all []ClauseCoverage) {
	clauses, conditions, both := 0, 0, 0
	b.WriteString("\nconcluded  clause\n")
	for _, c := range all {
		if c.Concluded > 0 {
			clauses++
		}
		fmt.Fprintf(b, "%9d  %s  %s\n", c.Concluded, c.Clause, c.Rule)
		for _, cond := range c.Conditions {
			conditions++
			if lack := cond.lacks(); lack == "" {
				both++
			} else {
				fmt.Fprintf(b, "%9s  line %d: %s %s\n", "", cond.Line, lack, cond.Condition)
			}
		}
	}
	fmt.Fprintf(b, "%d of %d clauses concluded (%s), %d of %d conditions held and failed (%s)\n",
		clauses, len(all), wording.Percent(clauses, len(all)), both, conditions, wording.Percent(both, conditions))
}

// lacks says what no test saw of a condition, "" where it both held and failed.
func (c *ConditionCoverage) lacks() string {
	switch {
	case c.Held > 0 && c.Failed > 0:
		return ""
	case c.Held == 0 && c.Failed == 0:
		return "no test reached"
	case c.Held == 0:
		return "never held:"
	}
	return "never failed:"
}
