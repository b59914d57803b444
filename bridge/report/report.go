// Package report writes what checking finds, for people and for programs.
package report

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/mishap-robotics/mishap/bridge/internal/encode"
	"github.com/mishap-robotics/mishap/engine"
	"github.com/mishap-robotics/mishap/engine/episode"
)

// LogResults is the JSON form of a report. Scripts rely on its field names.
type LogResults[E any] struct {
	Episodes []E      `json:"episodes"`
	Errors   []string `json:"errors"`
}

// Episode is what was found in one episode.
type Episode struct {
	ID       string    `json:"id"`
	Task     string    `json:"task"`
	Source   string    `json:"source"`
	Steps    int       `json:"steps"`
	Goal     string    `json:"goal,omitempty"` // reached, missed or unknown; absent where the log has no goal that can be judged
	Findings []Finding `json:"findings"`
	// Forgotten counts the findings before those, which a stream with a window told and
	// forgot; absent where there is none.
	Forgotten int       `json:"forgotten,omitempty"`
	Warnings  []Warning `json:"warnings"`
	// NotUnderstood counts the lines of the log of which the verdict knows nothing, or not
	// what was done; absent where there is none.
	NotUnderstood *LineCount `json:"not_understood,omitempty"`
	last          int32      // index of the last step
}

// LineCount is a number of lines, of how many.
type LineCount struct {
	Lines int `json:"lines"`
	Of    int `json:"of"`
}

// Warning is something odd in a log.
type Warning struct {
	Line    int    `json:"line,omitempty"`
	Message string `json:"message"`
}

// Finding is one failure. Times are as the log gives them.
type Finding struct {
	Type        string   `json:"type"`
	Step        int32    `json:"step"`
	Time        string   `json:"time,omitempty"`
	ActionStep  int      `json:"action_step,omitempty"`
	CauseStep   int32    `json:"cause_step"`
	CauseTime   string   `json:"cause_time,omitempty"`
	CauseWindow [2]int32 `json:"cause_window"`
	Agent       string   `json:"agent,omitempty"` // where the log names who acts
	Objects     []string `json:"objects"`
	Rule        string   `json:"rule"`
	Explanation string   `json:"explanation"`
	Recovered   bool     `json:"recovered"`
	Evidence    []string `json:"evidence"`
	// Score is what the score says of it, where that was asked for.
	Score        *FindingScore `json:"score,omitempty"`
	Strategies   []Strategy    `json:"strategies"`
	Consequences []Consequence `json:"consequences"`
}

// Strategy is a recovery strategy that applies.
type Strategy struct {
	Name        string   `json:"name"`
	Description string   `json:"description"`
	Actions     []string `json:"actions"`
	AsksHuman   bool     `json:"asks_human,omitempty"`
}

// Consequence is a later failure that follows from a finding.
type Consequence struct {
	Type        string   `json:"type"`
	Step        int32    `json:"step"`
	Time        string   `json:"time,omitempty"`
	Objects     []string `json:"objects"`
	Explanation string   `json:"explanation"`
}

// Alike reports whether two findings in one episode are of the same failure.
func (f *Finding) Alike(g *Finding) bool {
	return f.Type == g.Type && f.Step == g.Step && f.CauseStep == g.CauseStep && slices.Equal(f.Objects, g.Objects) && f.Explanation == g.Explanation
}

// NewEpisode turns a result into its report.
func NewEpisode(r *engine.Result) Episode {
	ep := r.Episode
	out := Episode{ID: ep.ID, Task: ep.Task, Source: ep.Source, Steps: ep.Acted(), Goal: goal(r), Findings: []Finding{}, Forgotten: r.Forgotten, Warnings: warningsOf(ep), last: r.Trace.Last()}
	for i := range r.Findings {
		out.Findings = append(out.Findings, NewFinding(ep, &r.Findings[i]))
	}
	if n := len(ep.Skipped); n > 0 {
		out.NotUnderstood = &LineCount{n, max(n, ep.Lines)}
	}
	return out
}

func warningsOf(ep *episode.Episode) []Warning {
	out := []Warning{}
	for _, w := range ep.Warnings {
		out = append(out, Warning{w.Line, w.Msg})
	}
	return out
}

func goal(r *engine.Result) string {
	if r.Trace.Last() == 0 {
		return ""
	}
	return goalIn(r.Trace, r.Trace.Final)
}

// goalIn says whether the goal holds in a state, "" where there is none.
func goalIn(t *engine.Trace, s *engine.State) string {
	if t.Goal.IsEmpty() {
		return ""
	}
	switch got, _ := t.GoalTruth(s); {
	case got >= engine.AssumedTrue:
		return "reached"
	case got <= engine.AssumedFalse:
		return "missed"
	}
	return "unknown"
}

// NewFinding turns a finding of an episode into its report.
func NewFinding(ep *episode.Episode, f *engine.Finding) Finding {
	out := Finding{
		Type: f.Type, Step: f.Step, Time: timeOf(ep, f.Step), ActionStep: f.Planned,
		CauseStep: f.Cause, CauseTime: timeOf(ep, f.Cause), CauseWindow: f.Window,
		Objects: list(f.Objects), Rule: f.Rule(), Explanation: f.Explanation, Recovered: f.Recovered,
		Evidence: list(f.Evidence), Strategies: []Strategy{}, Consequences: []Consequence{},
	}
	if ep.TellsAgents() {
		out.Agent = f.Agent
	}
	for _, s := range f.Strategies {
		out.Strategies = append(out.Strategies, Strategy{s.Name, s.Description, list(s.Actions), s.AsksHuman})
	}
	for _, c := range f.Consequences {
		out.Consequences = append(out.Consequences, Consequence{c.Type, c.Step, timeOf(ep, c.Step), list(c.Objects), c.Explanation})
	}
	return out
}

func list(s []string) []string {
	if s == nil {
		return []string{}
	}
	return s
}

func timeOf(ep *episode.Episode, step int32) string { return ep.TimeOf(int(step)) }

// JSON writes the report as one object.
func (d *LogResults[E]) JSON(w io.Writer) error {
	if d.Episodes == nil {
		d.Episodes = []E{}
	}
	d.Errors = list(d.Errors)
	return encode.Indented(w, d)
}

// Totals counts the episodes and the findings by class, in words.
func Totals(d *LogResults[Episode], took time.Duration) string {
	failing, classes := 0, map[string]int{}
	for i := range d.Episodes {
		if len(d.Episodes[i].Findings) > 0 {
			failing++
		}
		for _, f := range d.Episodes[i].Findings {
			classes[f.Type]++
		}
	}
	var b strings.Builder
	fmt.Fprintf(&b, "\n%s checked in %.1f s, %d with failures", count(len(d.Episodes), "episode"), took.Seconds(), failing)
	if n := len(d.Errors); n > 0 {
		fmt.Fprintf(&b, ", %s in input", count(n, "error"))
	}
	b.WriteByte('\n')
	names := slices.SortedFunc(maps.Keys(classes), func(a, b string) int {
		return cmp.Or(cmp.Compare(classes[b], classes[a]), cmp.Compare(a, b))
	})
	for _, name := range names {
		fmt.Fprintf(&b, "%5d %s\n", classes[name], name)
	}
	return b.String()
}

// Forget lets go of all that Totals does not count.
func (e *Episode) Forget() {
	found := make([]Finding, len(e.Findings))
	for i := range found {
		found[i].Type = e.Findings[i].Type
	}
	*e = Episode{ID: e.ID, Findings: found}
}

// Style says how text is set off; the zero value is plain.
type Style struct{ Bold, Red, Green, Yellow, Reset string }

// Colour is the style for a terminal.
func Colour() Style { return Style{"\x1b[1m", "\x1b[31m", "\x1b[32m", "\x1b[33m", "\x1b[0m"} }

// Text writes the report of one episode for a person.
func (e *Episode) Text(w io.Writer, s Style) error {
	var b strings.Builder
	e.textHead(&b, s)
	for i := range e.Findings {
		e.Findings[i].text(&b, s, e.last)
	}
	writeWarnings(&b, s, e.Warnings)
	if n := e.NotUnderstood; n != nil {
		fmt.Fprintf(&b, notUnderstood, n.Lines, count(n.Of, "line"))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// textHead writes the line that sums an episode up.
func (e *Episode) textHead(b *strings.Builder, s Style) {
	verdict := s.Green + noFailure + s.Reset
	if n := len(e.Findings); n > 0 {
		verdict = s.Red + count(n, "failure") + s.Reset
	}
	writeTitle(b, s, e.ID, e.Task)
	fmt.Fprintf(b, ": %s in %s", verdict, count(e.Steps, "step"))
	if e.Forgotten > 0 {
		fmt.Fprintf(b, " (%s told before)", count(e.Forgotten, "failure"))
	}
	switch e.Goal {
	case "reached", "missed":
		fmt.Fprintf(b, ", goal %s", e.Goal)
	case "unknown":
		b.WriteString(goalUnknown)
	}
	b.WriteByte('\n')
}

func writeTitle(b *strings.Builder, s Style, id, task string) {
	fmt.Fprintf(b, "%s%s%s", s.Bold, clean(id), s.Reset)
	if task != "" {
		fmt.Fprintf(b, " (%s)", clean(task))
	}
}

func writeWarnings(b *strings.Builder, s Style, warnings []Warning) {
	for _, w := range warnings {
		place := ""
		if w.Line > 0 {
			place = fmt.Sprintf("line %d: ", w.Line)
		}
		fmt.Fprintf(b, "  %swarning:%s %s%s\n", s.Yellow, s.Reset, place, clean(w.Message))
	}
}

func (f *Finding) text(b *strings.Builder, s Style, last int32) {
	f.textHead(b, s, last)
	for i, st := range f.Strategies {
		label := "recovery:"
		if i > 0 {
			label = "      or:"
		}
		fmt.Fprintf(b, "    %s %s\n", label, clean(st.Description))
		if len(st.Actions) > 0 {
			fmt.Fprintf(b, "              %s\n", clean(strings.Join(st.Actions, " ")))
		}
	}
	f.textThen(b)
}

// textHead writes what went wrong.
func (f *Finding) textHead(b *strings.Builder, s Style, last int32) {
	fmt.Fprintf(b, "  %s%s%s at %s", s.Red, f.Type, s.Reset, moment(f.Step, f.Time))
	switch w := f.CauseWindow; {
	case f.CauseStep > last:
		b.WriteString(causedAtTheEnd)
	case w[0] != w[1]:
		fmt.Fprintf(b, causedBetween, moment(f.CauseStep, f.CauseTime), w[0], w[1])
	case f.CauseStep != f.Step:
		fmt.Fprintf(b, causedAt, moment(f.CauseStep, f.CauseTime))
	}
	if f.Recovered {
		fmt.Fprintf(b, ", %srecovered%s", s.Green, s.Reset)
	}
	fmt.Fprintf(b, "\n    %s\n", clean(f.Explanation))
	if f.Agent != "" {
		fmt.Fprintf(b, "    robot:    %s\n", clean(f.Agent))
	}
	if len(f.Objects) > 0 {
		fmt.Fprintf(b, "    objects:  %s\n", clean(strings.Join(f.Objects, ", ")))
	}
	fmt.Fprintf(b, "    rule:     %s\n", f.Rule)
	if f.Score != nil {
		f.Score.text(b, s)
	}
}

// textThen writes what followed from it.
func (f *Finding) textThen(b *strings.Builder) {
	for _, c := range f.Consequences {
		fmt.Fprintf(b, "    then, at %s: %s\n", moment(c.Step, c.Time), clean(c.Explanation))
	}
}
