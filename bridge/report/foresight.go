package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/mishap-robotics/mishap/engine"
	"github.com/mishap-robotics/mishap/engine/discrepancy"
	"github.com/mishap-robotics/mishap/engine/episode"
)

// EpisodeForesight is what could be foreseen in one episode, or the faults of one plan. It
// has the fields of an episode that was checked; its findings are still to come.
type EpisodeForesight struct {
	ID     string `json:"id"`
	Task   string `json:"task"`
	Source string `json:"source"`
	Steps  int    `json:"steps"`
	// Goal is, of a plan, reached or missed at its end, or unknown; absent where there
	// is no goal that can be judged, and in logs.
	Goal     string    `json:"goal,omitempty"`
	Findings []Threat  `json:"findings"`
	Warnings []Warning `json:"warnings"`
	// Subtasks are the moments before each action of a log.
	Subtasks []SubtaskMoment `json:"subtasks,omitempty"`
	plan     bool
}

// Threat is a finding that is still to come. Step and time are those at which it
// will show; what has shown since, and when, is said beside.
type Threat struct {
	Finding
	// ForeseenStep is the step after which it was foreseen, 0 before the first action.
	ForeseenStep int32        `json:"foreseen_step"`
	ForeseenTime string       `json:"foreseen_time,omitempty"`
	Condition    string       `json:"condition,omitempty"`
	Provider     *ActionRef   `json:"provider,omitempty"` // the action that should have provided the condition
	Irreversible []ActionRef  `json:"irreversible,omitempty"`
	Repair       string       `json:"mend,omitempty"`
	PlanFault    string       `json:"plan_fault,omitempty"`   // the kind of fault that the edit repairs, where the class tells none
	FollowsFrom  *FollowsFrom `json:"follows_from,omitempty"` // what has gone wrong already
	Assumed      bool         `json:"assumed,omitempty"`      // it rests on the plan and the usual scene alone
	AvertedStep  int32        `json:"averted_step,omitempty"` // after which it no longer stood
	ShowedStep   int32        `json:"showed_step,omitempty"`  // at which it came about
	Lead         int32        `json:"lead,omitempty"`         // steps between being foreseen and showing
}

// ActionRef is an action of a log or plan.
type ActionRef struct {
	Step       int32  `json:"step"`
	ActionStep int    `json:"action_step,omitempty"`
	Action     string `json:"action"`
}

// FollowsFrom is a failure that has happened.
type FollowsFrom struct {
	Type string `json:"type"`
	Step int32  `json:"step"`
}

// SubtaskMoment is the moment before an action.
type SubtaskMoment struct {
	Step       int32          `json:"step"`
	Time       string         `json:"time,omitempty"`
	ActionStep int            `json:"action_step,omitempty"`
	Action     string         `json:"action"`
	Threats    []int          `json:"threats"` // indexes in findings of those that stand
	Score      *Score         `json:"score,omitempty"`
	Verdict    engine.Verdict `json:"verdict"`
}

// Score is a discrepancy score with whether it is an alarm.
type Score struct {
	*discrepancy.Comparison
	Alarm bool `json:"alarm"`
}

// NewEpisodeForesight turns what was foreseen into its report; scores below the threshold are
// alarms.
func NewEpisodeForesight(f *engine.Foresight, threshold float64) EpisodeForesight {
	ep := f.Result.Episode
	out := foresightOf(ep)
	out.Steps = ep.Acted()
	for i := range f.Threats {
		w := &f.Threats[i]
		t := NewThreat(ep, &w.Threat)
		t.AvertedStep, t.ShowedStep, t.Lead = w.Averted, w.Showed, w.Lead()
		out.Findings = append(out.Findings, t)
	}
	for i := range f.Subtasks {
		s := &f.Subtasks[i]
		st := SubtaskMoment{Step: s.Step, Time: timeOf(ep, s.Step), ActionStep: s.Planned, Action: s.Action, Threats: s.Threats, Verdict: s.Verdict}
		if st.Threats == nil {
			st.Threats = []int{}
		}
		if s.Score != nil {
			st.Score = &Score{s.Score, s.Score.Alarm(threshold)}
		}
		out.Subtasks = append(out.Subtasks, st)
	}
	return out
}

// NewPlan is the report of a plan and its faults, in steps of the plan.
func NewPlan(a *engine.Projection, ep *episode.Episode, faults []engine.Threat) EpisodeForesight {
	out := foresightOf(ep)
	out.Steps, out.plan, out.Warnings = len(ep.Plan), true, warningsOf(a.Episode)
	out.Goal = goalIn(a.Trace, a.Final)
	for i := range faults {
		t := NewThreat(ep, &faults[i])
		t.ActionStep = int(t.Step)
		out.Findings = append(out.Findings, t)
	}
	return out
}

func foresightOf(ep *episode.Episode) EpisodeForesight {
	return EpisodeForesight{ID: ep.ID, Task: ep.Task, Source: ep.Source, Findings: []Threat{}, Warnings: warningsOf(ep)}
}

// NewThreat turns a threat into its report.
func NewThreat(ep *episode.Episode, t *engine.Threat) Threat {
	out := Threat{Finding: NewFinding(ep, &t.Finding), ForeseenStep: t.Foreseen, ForeseenTime: timeOf(ep, t.Foreseen),
		Condition: t.Condition, Repair: t.Repair, PlanFault: t.PlanFault, Assumed: t.Assumed}
	if t.Provider != nil {
		p := actionOf(*t.Provider)
		out.Provider = &p
	}
	for _, a := range t.Irreversible {
		out.Irreversible = append(out.Irreversible, actionOf(a))
	}
	if t.FollowsFrom != nil {
		out.FollowsFrom = &FollowsFrom{t.FollowsFrom.Type, t.FollowsFrom.Step}
	}
	return out
}

func actionOf(a engine.PlannedAction) ActionRef { return ActionRef{a.Step, a.Planned, a.Text} }

// Text writes the report for a person.
func (f *EpisodeForesight) Text(w io.Writer, s Style) error {
	var b strings.Builder
	writeTitle(&b, s, f.ID, f.Task)
	verdict, what, length := s.Green+"nothing to come"+s.Reset, "threat", count(f.Steps, "step")
	if f.plan {
		verdict, what, length = s.Green+"no fault"+s.Reset, "fault", count(f.Steps, "action")
	}
	if n := len(f.Findings); n > 0 {
		verdict = s.Red + count(n, what) + s.Reset
	}
	fmt.Fprintf(&b, ": %s in %s", verdict, length)
	if f.plan && f.Goal != "reached" && f.Goal != "missed" {
		fmt.Fprintf(&b, goalNotJudged, s.Yellow, s.Reset)
	}
	b.WriteByte('\n')
	for i := range f.Findings {
		f.Findings[i].warn(&b, s, f.plan)
	}
	for i := range f.Subtasks {
		f.Subtasks[i].text(&b, s, f.Findings)
	}
	writeWarnings(&b, s, f.Warnings)
	_, err := io.WriteString(w, b.String())
	return err
}

// shownStrategies is how many recovery strategies of a threat are shown.
const shownStrategies = 2

// warn writes a threat of a log, or a fault of a plan.
func (t *Threat) warn(b *strings.Builder, s Style, plan bool) {
	unit := "step"
	if plan {
		unit = "action"
		t.faultHead(b, s)
	} else {
		t.threatHead(b, s)
	}
	fmt.Fprintf(b, "\n    %s\n", clean(t.Explanation))
	line := func(label, text string) {
		if text != "" {
			fmt.Fprintf(b, "    %-13s %s\n", label+":", clean(text))
		}
	}
	line("objects", strings.Join(t.Objects, ", "))
	line("condition", t.Condition)
	if t.Provider != nil {
		line("provided by", fmt.Sprintf("%s at %s %d", t.Provider.Action, unit, t.Provider.Step))
	}
	if t.FollowsFrom != nil {
		line("follows from", fmt.Sprintf("%s at %s %d", t.FollowsFrom.Type, unit, t.FollowsFrom.Step))
	}
	for _, a := range t.Irreversible {
		line("irreversible", fmt.Sprintf("%s at %s %d", a.Action, unit, a.Step))
	}
	line("plan fault", t.PlanFault)
	line("mend", t.Repair)
	if t.Repair == "" {
		for i, st := range t.Strategies {
			if i < shownStrategies && len(st.Actions) > 0 {
				line("recovery", st.Description+" "+strings.Join(st.Actions, " "))
			}
		}
	}
	line("rule", t.Rule)
	t.then(b, plan)
}

// faultHead writes where a plan is at fault.
func (t *Threat) faultHead(b *strings.Builder, s Style) {
	fmt.Fprintf(b, "  %s%s%s at action %d", s.Red, t.Type, s.Reset, t.Step)
	if w := t.CauseWindow; w[0] != w[1] {
		fmt.Fprintf(b, atFaultWithin, t.CauseStep, w[0], w[1])
	} else if t.CauseStep != t.Step {
		fmt.Fprintf(b, atFault, t.CauseStep)
	}
}

// threatHead writes when a threat was foreseen, and what became of it.
func (t *Threat) threatHead(b *strings.Builder, s Style) {
	fmt.Fprintf(b, "  %s%s%s at %s, foreseen ", s.Red, t.Type, s.Reset, moment(t.Step, t.Time))
	if t.ForeseenStep == 0 {
		b.WriteString(beforeTheFirst)
	} else {
		fmt.Fprintf(b, "after %s", moment(t.ForeseenStep, t.ForeseenTime))
	}
	switch {
	case t.ShowedStep > 0:
		fmt.Fprintf(b, ", %s before it showed", count(int(t.Lead), "step"))
	case t.AvertedStep > 0:
		fmt.Fprintf(b, ", %saverted%s after step %d", s.Green, s.Reset, t.AvertedStep)
	}
}

// then writes what would follow.
func (t *Threat) then(b *strings.Builder, plan bool) {
	for _, c := range t.Consequences {
		at := moment(c.Step, c.Time)
		if plan {
			at = fmt.Sprintf("action %d", c.Step)
		}
		fmt.Fprintf(b, "    then, at %s: %s\n", at, clean(c.Explanation))
	}
}

// deviates writes that a scene scores below the threshold, and what differs.
func (sc *Score) deviates(b *strings.Builder, s Style) {
	fmt.Fprintf(b, "%sthe scene scores %.3f%s, below the threshold", s.Yellow, sc.Comparison.Score, s.Reset)
	for i, d := range sc.Differences {
		fmt.Fprintf(b, "%s %s", [...]string{":", ";"}[min(i, 1)], clean(d.String()))
	}
	b.WriteByte('\n')
}

// text writes one line for a moment before an action.
func (st *SubtaskMoment) text(b *strings.Builder, s Style, threats []Threat) {
	fmt.Fprintf(b, "  before %-18s %-44s ", moment(st.Step, st.Time), clean(st.Action))
	switch {
	case st.Score == nil:
		b.WriteString("  -")
	case st.Score.Alarm:
		fmt.Fprintf(b, "%s%.3f!%s", s.Red, st.Score.Score, s.Reset)
	default:
		fmt.Fprintf(b, "%.3f", st.Score.Score)
	}
	switch st.Verdict.Kind {
	case engine.VerdictExplained:
		fmt.Fprintf(b, "  %s, %s confidence", st.Verdict.Class, st.Verdict.Confidence)
	case engine.VerdictUnexplained:
		b.WriteString(unexplained)
	}
	b.WriteByte('\n')
	for _, d := range st.Verdict.Unexplained {
		fmt.Fprintf(b, "         %s\n", clean(d.String()))
	}
	for _, i := range st.Threats {
		if threats[i].Step < st.Step {
			continue // it has come about
		}
		fmt.Fprintf(b, isToCome, threats[i].Type, threats[i].Step)
	}
}
