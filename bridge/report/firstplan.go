package report

import (
	"io"
	"strings"

	"github.com/mishap-robotics/mishap/bridge/internal/encode"
	"github.com/mishap-robotics/mishap/engine"
	"github.com/mishap-robotics/mishap/engine/episode"
)

// FirstPlan is a plan for a task from the scene that it begins in. Scripts rely on its field
// names.
type FirstPlan struct {
	ID     string `json:"id"`
	Task   string `json:"task"`
	Source string `json:"source"`
	Recovery
	Warnings []Warning `json:"warnings"`
}

// NewFirstPlan turns a proposal for an episode into its report.
func NewFirstPlan(p *engine.Proposal, t *engine.Trace, ep *episode.Episode) *FirstPlan {
	goalless := t.Goal.IsEmpty()
	return &FirstPlan{ID: ep.ID, Task: ep.Task, Source: ep.Source, Recovery: newRecovery(p, goalless), Warnings: warningsOf(t.Episode)}
}

// fromTheGoal is how a plan was found that there was nothing of.
const fromTheGoal = "from the goal back to what achieves it"

var planLabels = labels{"  ", "plan:"}

// Text writes the plan for a person.
func (f *FirstPlan) Text(w io.Writer, s Style, explain bool) error {
	var b strings.Builder
	writeTitle(&b, s, f.ID, f.Task)
	b.WriteByte('\n')
	r := f.Recovery
	if r.Method == string(engine.MethodRepair) {
		r.Method = fromTheGoal // there is no plan yet that could be repaired
	}
	r.text(&b, s, planLabels, explain)
	writeWarnings(&b, s, f.Warnings)
	_, err := io.WriteString(w, b.String())
	return err
}

// JSON writes it as one object.
func (f *FirstPlan) JSON(w io.Writer) error { return encode.Indented(w, f) }
