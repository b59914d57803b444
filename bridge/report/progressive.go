package report

import (
	"fmt"
	"io"
	"strings"
)

// ProgressiveExplanation is a progressive explanation of an episode (REFLECT, section 3.2): ours,
// and the model's where one was asked. Scripts rely on its field names.
type ProgressiveExplanation struct {
	ID       string             `json:"id"`
	Task     string             `json:"task"`
	Subgoals []Verdict          `json:"subgoals"`
	Ours     ProgressiveAccount `json:"mishap"`
	// Theirs is the model's, nil where none was asked or it did not answer; then Why
	// says why.
	Theirs        *ProgressiveAccount `json:"model,omitempty"`
	Model         string              `json:"model_name,omitempty"`
	Why           string              `json:"model_failed,omitempty"`
	Disagreements []string            `json:"disagreements,omitempty"`
	Cost          *Cost               `json:"cost,omitempty"` // of asking
}

// Verdict is a subgoal, and whether it was satisfied at its end.
type Verdict struct {
	Number    int    `json:"number"` // in the order of the log, from 1
	Planned   int    `json:"action_step,omitempty"`
	Action    string `json:"action"`
	Step      int32  `json:"step"` // its last
	Time      string `json:"time,omitempty"`
	Satisfied bool   `json:"satisfied"`
	Presumed  bool   `json:"presumed,omitempty"` // nobody saw it
	Model     *bool  `json:"model,omitempty"`    // as the model says; nil where it was not asked
}

// ProgressiveAccount is one explanation.
type ProgressiveAccount struct {
	Failed      int      `json:"failed_subgoal"` // its number, 0 for none
	Analysis    string   `json:"analysis"`       // execution, planning or none
	Explanation string   `json:"explanation"`
	Evidence    []string `json:"evidence,omitempty"`
	Steps       []int32  `json:"steps"` // at which it was caused
	Times       []string `json:"times,omitempty"`
	Unknown     []string `json:"unknown_times,omitempty"` // that the log does not have
}

// Text writes it for a person.
func (p *ProgressiveExplanation) Text(w io.Writer, s Style) error {
	var b strings.Builder
	writeTitle(&b, s, p.ID, p.Task)
	fmt.Fprintf(&b, ": %s\n", count(len(p.Subgoals), "subgoal"))
	for i := range p.Subgoals {
		v := &p.Subgoals[i]
		fmt.Fprintf(&b, "  %3d %-46s %s%s\n", v.Number, clean(v.Action), verdictOf(s, v), modelsVerdict(v))
		if v.Number == p.Ours.Failed && (p.Theirs == nil || p.Theirs.Failed == v.Number) {
			if left := len(p.Subgoals) - v.Number; left > 0 {
				fmt.Fprintf(&b, "      %s after it\n", count(left, "subgoal"))
			}
			break
		}
	}
	p.opinion(&b, "mishap", &p.Ours)
	switch {
	case p.Theirs != nil:
		p.opinion(&b, p.Model, p.Theirs)
	case p.Why != "":
		fmt.Fprintf(&b, didNotExplain, clean(p.Model), clean(p.Why))
	}
	for _, d := range p.Disagreements {
		fmt.Fprintf(&b, "  they disagree: %s\n", clean(d))
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

func verdictOf(s Style, v *Verdict) string {
	switch {
	case !v.Satisfied:
		return s.Red + "not satisfied" + s.Reset
	case v.Presumed:
		return s.Green + "satisfied" + s.Reset + ", presumably"
	}
	return s.Green + "satisfied" + s.Reset
}

func modelsVerdict(v *Verdict) string {
	switch {
	case v.Model == nil:
		return ""
	case *v.Model:
		return " (the model: yes)"
	}
	return " (the model: no)"
}

// opinion writes one explanation.
func (p *ProgressiveExplanation) opinion(b *strings.Builder, who string, o *ProgressiveAccount) {
	fmt.Fprintf(b, "  %s%s: %s\n", clean(who), analyses[o.Analysis], clean(o.Explanation))
	if len(o.Steps) > 0 {
		var at []string
		for i, step := range o.Steps {
			t := ""
			if len(o.Times) == len(o.Steps) {
				t = o.Times[i]
			}
			if len(p.Subgoals) > 0 && step > p.Subgoals[len(p.Subgoals)-1].Step {
				at = append(at, afterTheEnd)
				continue
			}
			at = append(at, moment(step, t))
		}
		fmt.Fprintf(b, "    caused at %s\n", strings.Join(at, ", "))
	}
	if len(o.Unknown) > 0 {
		fmt.Fprintf(b, unknownTimes, clean(strings.Join(o.Unknown, ", ")))
	}
	for _, text := range o.Evidence {
		fmt.Fprintf(b, "    because %s\n", clean(text))
	}
}
