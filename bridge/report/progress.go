package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/mishap-robotics/mishap/bridge/advice"
)

// Progress is a progressive explanation of an episode. Scripts rely on its field
// names.
type Progress struct {
	*advice.Explanation
	Cost *Cost `json:"cost,omitempty"` // of asking a model
}

// NewProgress turns an explanation into its report.
func NewProgress(x *advice.Explanation) Progress {
	p := Progress{Explanation: x}
	if x.Model != "" {
		c := NewCost(x.Cost)
		p.Cost = &c
	}
	return p
}

// Text writes it for a person.
func (p *Progress) Text(w io.Writer, s Style) error {
	var b strings.Builder
	writeTitle(&b, s, p.ID, p.Task)
	fmt.Fprintf(&b, ": %s\n", Count(len(p.Subgoals), "subgoal"))
	for i := range p.Subgoals {
		v := &p.Subgoals[i]
		fmt.Fprintf(&b, "  %3d %-46s %s%s\n", v.Number, Clean(v.Action), verdictOf(s, v), modelsVerdict(v))
		if v.Number == p.Ours.Failed && (p.Theirs == nil || p.Theirs.Failed == v.Number) {
			if left := len(p.Subgoals) - v.Number; left > 0 {
				fmt.Fprintf(&b, "      %s after it\n", Count(left, "subgoal"))
			}
			break
		}
	}
	p.opinion(&b, "mishap", &p.Ours)
	switch {
	case p.Theirs != nil:
		p.opinion(&b, p.Model, p.Theirs)
	case p.Why != "":
		fmt.Fprintf(&b, "  %s did not explain it: %s\n", Clean(p.Model), Clean(p.Why))
	}
	for _, d := range p.Disagreements {
		fmt.Fprintf(&b, "  they disagree: %s\n", Clean(d))
	}
	if p.Theirs != nil && len(p.Disagreements) == 0 {
		b.WriteString("  they agree\n")
	}
	if p.Cost != nil {
		fmt.Fprintf(&b, "  asking took %s\n", p.Cost)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func verdictOf(s Style, v *advice.Verdict) string {
	switch {
	case !v.Satisfied:
		return s.Red + "not satisfied" + s.Reset
	case v.Presumed:
		return s.Green + "satisfied" + s.Reset + ", presumably"
	}
	return s.Green + "satisfied" + s.Reset
}

func modelsVerdict(v *advice.Verdict) string {
	switch {
	case v.Model == nil:
		return ""
	case *v.Model:
		return " (the model: yes)"
	}
	return " (the model: no)"
}

var analyses = map[string]string{"execution": ", by what happened up to then", "planning": ", by the plan and the final state", "none": ""}

// opinion writes one explanation.
func (p *Progress) opinion(b *strings.Builder, who string, o *advice.Opinion) {
	fmt.Fprintf(b, "  %s%s: %s\n", Clean(who), analyses[o.Analysis], Clean(o.Explanation))
	if len(o.Steps) > 0 {
		var at []string
		for i, step := range o.Steps {
			t := ""
			if len(o.Times) == len(o.Steps) {
				t = o.Times[i]
			}
			at = append(at, Moment(step, t))
		}
		fmt.Fprintf(b, "    caused at %s\n", strings.Join(at, ", "))
	}
	for _, text := range o.Evidence {
		fmt.Fprintf(b, "    because %s\n", Clean(text))
	}
}
