//go:build !js

package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/mishap-robotics/mishap/engine/replan"
)

// writePlan writes a plan of subtasks, before it is carried out.
func writePlan(w io.Writer, s Style, a *replan.PlanAttempt) error {
	var b strings.Builder
	fmt.Fprintf(&b, "  plan %d: %s\n", a.Number, count(len(a.Plan), "subtask"))
	for i := range a.Plan {
		fmt.Fprintf(&b, "      %2d. %s\n", i+1, clean(a.Plan[i].String()))
	}
	if a.Refused != "" {
		fmt.Fprintf(&b, "      %s: %s\n", s.Red+"refused"+s.Reset, clean(a.Refused))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// writeSubtask writes what became of a subtask, with its answers or reward terms.
func writeSubtask(w io.Writer, s Style, st *replan.SubtaskRun) error {
	var b strings.Builder
	result := s.Green + string(st.Result) + s.Reset
	if st.Result == replan.Failed {
		result = s.Red + string(st.Result) + s.Reset
	}
	fmt.Fprintf(&b, "    %s: %s", clean(st.Subtask.String()), result)
	if st.Cost != nil {
		fmt.Fprintf(&b, ", cost %.2f", *st.Cost)
	}
	if st.Detail != "" {
		fmt.Fprintf(&b, "; %s", clean(st.Detail))
	}
	b.WriteString("\n")
	for _, a := range st.Answers {
		fmt.Fprintf(&b, "      %s %s (%s)\n", clean(a.Query.String()), clean(a.Answer), clean(strings.Join(a.Answers, ", ")))
	}
	for _, r := range st.Refused {
		fmt.Fprintf(&b, "      not asked: %s\n", clean(r))
	}
	for _, t := range st.Terms {
		fmt.Fprintf(&b, "      %s\n", clean(t.String()))
	}
	for _, d := range st.Dropped {
		fmt.Fprintf(&b, "      dropped: %s: %s\n", clean(d.Text), clean(d.Why))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// writeFailure writes why a plan failed, and what is held to prevent it.
func writeFailure(w io.Writer, s Style, f *replan.PlanFailure) error {
	var b strings.Builder
	fmt.Fprintf(&b, "    %s: %s\n", s.Red+"the plan failed"+s.Reset, clean(f.Detail))
	for _, r := range f.Reasons {
		fmt.Fprintf(&b, "      %s: %s (given to %d of %d questions)\n", clean(r.Object), clean(r.Text), r.Votes, len(replan.Paraphrases()))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// Text writes what a model had to do with a run.
func (m *HierarchyModel) Text(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "  %s: %s of it carried out (%s)\n", clean(m.Name), count(m.Followed, "plan"), m.Cost)
	for _, n := range m.Notes {
		fmt.Fprintf(&b, "    %s\n", clean(n))
	}
	_, err := io.WriteString(w, b.String())
	return err
}
