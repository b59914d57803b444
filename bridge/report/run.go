//go:build !js

package report

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/mishap-robotics/mishap/bridge/internal/encode"
	"github.com/mishap-robotics/mishap/engine"
	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/engine/replan"
	"github.com/mishap-robotics/mishap/rules"
)

// Runs is the JSON form of a report on runs. Scripts rely on its field names.
type Runs struct {
	Runs   []Run    `json:"runs"`
	Errors []string `json:"errors"`
}

// Run is a task that was carried out, with the recoveries on the way.
type Run struct {
	ID   string `json:"id"`
	Task string `json:"task"`
	RunEnd
	Actions    []RunAction   `json:"actions"`
	Recoveries []RunRecovery `json:"corrections"`
	// Hierarchy is the run by RePlan's loop, ByModel what a model had to do
	// with it.
	Hierarchy *replan.HierarchicalRun `json:"hierarchy,omitempty"`
	ByModel   *HierarchyModel         `json:"model,omitempty"`
}

// HierarchyModel is what a model had to do with a run by RePlan's loop.
type HierarchyModel struct {
	Name     string   `json:"name"`
	Followed int      `json:"plans_followed"`
	Notes    []string `json:"not_followed"` // where, and why
	Cost     Cost     `json:"cost"`
}

// RunEnd is how a run ended.
type RunEnd struct {
	Ending string `json:"ending"` // completed, stopped, hopeless or unfinished
	Reason string `json:"reason"` // why it was not completed
	// GoalReached is true where the goal holds in the world, whatever is believed.
	GoalReached bool `json:"goal_reached"`
	// Disturbed is true where every disturbance that was to come has.
	Disturbed bool `json:"befell"`
}

// RunAction is an action that was carried out.
type RunAction struct {
	Step    int           `json:"step"`
	Time    string        `json:"time"`
	Action  string        `json:"action"`
	Agent   string        `json:"agent,omitempty"` // of a team, whose turn it was
	Outcome ActualOutcome `json:"outcome"`
	Why     string        `json:"why,omitempty"`     // it was refused
	Dropped []string      `json:"dropped,omitempty"` // what fell
	Taken   string        `json:"taken,omitempty"`   // by mistake, for the object that is named
	looks   bool          // at nothing in particular
}

// WriteRuleErrors tells where rules failed in a run, of a rule that was stopped the first
// time; the run went on without what they would have found.
func WriteRuleErrors(w io.Writer, run string, failed []error) {
	told := map[*rules.Clause]bool{}
	for _, err := range failed {
		var limit *engine.LimitError
		if errors.As(err, &limit) {
			if told[limit.Clause] {
				continue
			}
			told[limit.Clause] = true
		}
		fmt.Fprintf(w, "%s: %s\n", run, err)
	}
}

// ActualOutcome is what really became of an action.
type ActualOutcome string

// The outcomes.
const (
	Done     ActualOutcome = "done"
	Refused  ActualOutcome = "refused"   // a precondition did not hold
	NoEffect ActualOutcome = "no effect" // nothing came of it
)

// RunRecovery is one recovery of a run: another plan for the rest of it.
type RunRecovery struct {
	After   int      `json:"after"` // step
	Finding *Finding `json:"finding,omitempty"`
	Threat  *Threat  `json:"threat,omitempty"`
	Failed  string   `json:"failed,omitempty"` // the action that failed
	// Score is that of the scene which triggered it, where the score was to.
	Score        *Score        `json:"score,omitempty"`
	Method       string        `json:"method"`
	Verified     bool          `json:"verified"`
	Plan         []string      `json:"plan"`
	Strategies   []StrategyUse `json:"strategies"`
	Assumptions  []string      `json:"assumptions"`
	Looks        []Look        `json:"looks"`
	Reasons      []string      `json:"reasons"`
	NeedsPerson  []string      `json:"needs_person"`
	Window       *Window       `json:"window,omitempty"`
	By           string        `json:"by,omitempty"` // whose plan it is, where an adviser was asked
	Advice       *Advice       `json:"advice,omitempty"`
	Milliseconds float64       `json:"milliseconds"` // that planning took
	recovery     Recovery
}

// newRunRecovery turns a recovery into its report; the episode holds the steps so far.
func newRunRecovery(ep *episode.Episode, c *engine.Recovery) RunRecovery {
	r := NewRecovery(c.Proposal)
	out := RunRecovery{After: c.After, Failed: c.Failed, Method: r.Method, Verified: r.Verified, Plan: r.Plan, Strategies: r.Uses, Assumptions: r.Assumptions,
		Looks: r.Looks, Reasons: r.Reasons, NeedsPerson: r.NeedsPerson, Window: r.Window, By: r.By, Advice: r.Advice, Milliseconds: float64(c.Time.Round(time.Microsecond)) / 1e6, recovery: r}
	if c.Score != nil {
		out.Score = &Score{c.Score, true}
	}
	if c.Finding != nil {
		f := NewFinding(ep, c.Finding)
		out.Finding = &f
	}
	if c.Threat != nil {
		t := NewThreat(ep, c.Threat)
		out.Threat = &t
	}
	return out
}

// JSON writes the report as one object.
func (r *Runs) JSON(w io.Writer) error {
	if r.Runs == nil {
		r.Runs = []Run{}
	}
	r.Errors = list(r.Errors)
	return encode.Indented(w, r)
}

// Begin writes the first line of a run.
func (r *Run) Begin(w io.Writer, s Style, planned int) error {
	var b strings.Builder
	writeTitle(&b, s, r.ID, r.Task)
	fmt.Fprintf(&b, ": %s planned\n", count(planned, "action"))
	_, err := io.WriteString(w, b.String())
	return err
}

// Text writes an action for a person.
func (a *RunAction) Text(w io.Writer, s Style) error {
	action := clean(a.Action)
	if a.Agent != "" {
		action += " by " + clean(a.Agent)
	}
	_, err := fmt.Fprintf(w, "  %3d %-46s %s\n", a.Step, action, a.outcome(s))
	return err
}

// outcome says what became of an action.
func (a *RunAction) outcome(s Style) string {
	out := string(a.Outcome)
	switch {
	case a.Why != "":
		out = s.Red + out + s.Reset + ": " + a.Why
	case a.Outcome != Done:
		out = s.Red + out + s.Reset
	}
	if a.Taken != "" {
		out += fmt.Sprintf(", %swith %s%s", s.Red, a.Taken, s.Reset)
	}
	if len(a.Dropped) > 0 {
		out += fmt.Sprintf(", %sdropped %s%s", s.Red, strings.Join(a.Dropped, ", "), s.Reset)
	}
	return out
}

// Text writes a correction for a person.
func (c *RunRecovery) Text(w io.Writer, s Style) error {
	var b strings.Builder
	if c.Score != nil {
		b.WriteString("  ")
		c.Score.deviates(&b, s)
	}
	switch {
	case c.Finding != nil:
		fmt.Fprintf(&b, "  %s%s%s at %s: %s\n", s.Red, c.Finding.Type, s.Reset, moment(c.Finding.Step, c.Finding.Time), clean(c.Finding.Explanation))
	case c.Threat != nil:
		fmt.Fprintf(&b, "  %s%s%s to come at step %d: %s\n", s.Yellow, c.Threat.Type, s.Reset, c.Threat.Step, clean(c.Threat.Explanation))
	case c.Failed != "":
		fmt.Fprintf(&b, failedUnexplained, s.Red, clean(c.Failed), s.Reset)
	case c.Score != nil: // nothing more is known
	case c.After == 0:
		b.WriteString(noPlanYet)
	default:
		b.WriteString(leadsNowhere)
	}
	c.recovery.text(&b, s, recoveryLabels, false)
	_, err := io.WriteString(w, b.String())
	return err
}

// End writes how a run ended.
func (r *Run) End(w io.Writer, s Style) error {
	colour := s.Red
	if r.Ending == string(engine.Completed) {
		colour = s.Green
	}
	holds := goalHolds
	if !r.GoalReached {
		holds = goalDoesNotHold
	}
	done := count(len(r.Actions), "action")
	if n := r.looks(); n > 0 {
		done += fmt.Sprintf(", %d of them looks,", n)
	}
	changes := count(len(r.Recoveries), "correction")
	if r.Hierarchy != nil {
		changes = count(len(r.Hierarchy.Plans), "plan")
	}
	out := fmt.Sprintf("  %s%s%s after %s and %s: %s\n", colour, r.Ending, s.Reset, done, changes, holds)
	if r.Reason != "" {
		out += fmt.Sprintf("  why: %s\n", clean(r.Reason))
	}
	if !r.Disturbed {
		out += notAllHappened
	}
	_, err := io.WriteString(w, out)
	return err
}

// looks counts the actions that only look.
func (r *Run) looks() int {
	n := 0
	for i := range r.Actions {
		if r.Actions[i].looks {
			n++
		}
	}
	return n
}
