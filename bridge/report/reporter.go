//go:build !js

package report

import (
	"io"

	"github.com/mishap-robotics/mishap/engine"
	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/engine/replan"
)

// Format is a form in which runs are reported as they happen.
type Format string

// The formats. In JSON there is nothing to tell before the end.
const (
	FormatText  Format = "text"
	FormatJSON  Format = "json"
	FormatJSONL Format = "jsonl"
)

// RunReporter reports a run as it happens: it observes an [engine.Loop] or a
// [replan.HierarchicalLoop].
type RunReporter struct {
	W      io.Writer
	Style  Style
	Format Format
	// Look is the action that only looks, "" where robots have none.
	Look string
	// WithoutLooks leaves actions that only look out of the text.
	WithoutLooks bool
	// Became says what became of the action of a step.
	Became func(episode.Step) RunAction

	Run Run   // as far as it has come
	Err error // of writing
	ep  episode.Episode
}

// Start begins the run of an episode without steps.
func (r *RunReporter) Start(ep *episode.Episode) {
	r.ep = *ep
	r.Run = Run{ID: ep.ID, Task: ep.Task, Actions: []RunAction{}, Recoveries: []RunRecovery{}}
}

// Acted tells of an action; the look before the first begins a run.
func (r *RunReporter) Acted(st episode.Step, _ *engine.Event) {
	r.ep.Steps = append(r.ep.Steps, st)
	switch {
	case st.Action.Name == "" && len(r.ep.Steps) == 1:
		r.tell("began", fields{"task": r.Run.Task, "plan": actionTexts(r.ep.Plan)}, func() error { return r.Run.Begin(r.W, r.Style, len(r.ep.Plan)) })
		return
	case st.Action.Name == "":
		return // it looked again
	}
	a := r.Became(st)
	a.looks = st.Action == episode.Action{Name: r.Look}
	r.Run.Actions = append(r.Run.Actions, a)
	r.tell("acted", fields{"action": a}, func() error {
		if r.WithoutLooks && a.looks {
			return nil
		}
		return a.Text(r.W, r.Style)
	})
}

// Recovered tells of a correction.
func (r *RunReporter) Recovered(c *engine.Recovery) {
	out := newRunRecovery(&r.ep, c)
	r.Run.Recoveries = append(r.Run.Recoveries, out)
	r.tell("corrected", fields{"correction": out}, func() error { return out.Text(r.W, r.Style) })
}

// Planned tells of a plan of subtasks.
func (r *RunReporter) Planned(a *replan.PlanAttempt) {
	r.tell("planned", fields{"plan": a.Number, "subtasks": a.Plan, "refused": a.Refused}, func() error { return writePlan(r.W, r.Style, a) })
}

// Settled tells of a subtask.
func (r *RunReporter) Settled(st *replan.SubtaskRun) {
	r.tell("subtask", fields{"step": st}, func() error { return writeSubtask(r.W, r.Style, st) })
}

// Failed tells of a plan that failed.
func (r *RunReporter) Failed(f *replan.PlanFailure) {
	r.tell("failed", fields{"failure": f}, func() error { return writeFailure(r.W, r.Style, f) })
}

// Asked tells what a model had to do with the run.
func (r *RunReporter) Asked(m *HierarchyModel) {
	r.Run.ByModel = m
	r.tell("asked", fields{"model": m}, func() error { return m.Text(r.W) })
}

// End tells how the run ended.
func (r *RunReporter) End(end RunEnd) {
	r.Run.RunEnd = end
	r.tell("ended", fields{"end": end}, func() error { return r.Run.End(r.W, r.Style) })
}

// fields are those of an event in JSON.
type fields map[string]any

// tell writes what happened, in the format asked for.
func (r *RunReporter) tell(event string, f fields, text func() error) {
	if r.Err != nil {
		return
	}
	switch r.Format {
	case FormatText:
		r.Err = text()
	case FormatJSONL:
		f["event"], f["run"] = event, r.Run.ID
		r.Err = jsonLine(r.W, f)
	}
}

func actionTexts(plan []episode.Action) []string {
	out := []string{}
	for _, a := range plan {
		out = append(out, a.String())
	}
	return out
}
