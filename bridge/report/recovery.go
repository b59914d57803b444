package report

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/mishap-robotics/mishap/engine"
)

// Recovery is a plan of how to go on, with what speaks for it and against it.
type Recovery struct {
	// Plan is empty where nothing is left to do, or nothing can be done.
	Plan []string `json:"recovery_plan"`
	// Agents are who is to carry out each action, where that, or who it went wrong with, is
	// another than the robot that acts where no line names anybody.
	Agents []string `json:"recovery_agents,omitempty"`
	// Verified is true where the plan, executed in the action model from what was
	// believed, reaches the goal and violates no constraint.
	Verified    bool          `json:"verified"`
	Method      string        `json:"recovery_method,omitempty"`
	Assumptions []string      `json:"recovery_assumptions"` // what nobody knows and the plan relies on
	Looks       []Look        `json:"recovery_looks"`
	Uses        []StrategyUse `json:"recovery_strategies"`
	Reasons     []string      `json:"recovery_reasons"` // why it is not verified
	Needs       []string      `json:"recovery_needs"`   // what would change that the goal cannot be reached
	NeedsPerson []string      `json:"recovery_needs_person"`
	// Origins says of each action of the plan where it comes from: plan, strategy,
	// subgoal, look, reversal or advice.
	Origins []string `json:"recovery_origins"`
	Window  *Window  `json:"recovery_window,omitempty"`
	// By says whose plan it is, where an adviser was asked: its name, or mishap.
	By     string  `json:"recovery_by,omitempty"`
	Advice *Advice `json:"recovery_advice,omitempty"`
}

// StrategyUse is a recovery strategy that was considered.
type StrategyUse struct {
	Name      string `json:"name"`
	Applied   bool   `json:"applied"`
	Why       string `json:"why,omitempty"` // it was not applied
	AsksHuman bool   `json:"asks_human"`
	// Tried is how often it was carried out in the episodes of the experience that was
	// given, Reached how often the goal was reached then.
	Tried   int `json:"tried,omitempty"`
	Reached int `json:"reached,omitempty"`
}

// Look is an action of a plan that is to find something out.
type Look struct {
	Action string `json:"action"`
	Finds  string `json:"finds"`
}

// Window is the part of the plan that an error concerns. Numbers count the actions
// that were carried out, then those left of the plan, from 1.
type Window struct {
	Kind   string `json:"kind"`
	Err    int    `json:"err"`   // the action that fails
	Unmet  string `json:"lacks"` // what it needs, "" where it lacks nothing
	Source int    `json:"source"`
	Start  int    `json:"start"`
	End    int    `json:"end"`
}

// NewRecovery turns a proposal into its report; nil is that nothing is left to do.
func NewRecovery(p *engine.Proposal) Recovery {
	out := Recovery{Plan: []string{}, Origins: []string{}, Needs: []string{}, Assumptions: []string{}, Looks: []Look{}, Uses: []StrategyUse{}, Reasons: []string{}, NeedsPerson: []string{}}
	if p == nil {
		out.Verified = true
		return out
	}
	out.Verified, out.Method, out.Agents = p.Verified, string(p.Method), p.Agents
	out.Assumptions, out.NeedsPerson, out.Reasons, out.Needs = list(p.Assumptions), list(p.NeedsPerson), reasons(p), list(p.Needs)
	for i, a := range p.Plan {
		out.Plan = append(out.Plan, a.String())
		if i < len(p.Steps) {
			out.Origins = append(out.Origins, string(p.Steps[i].From))
		}
		if i < len(p.Steps) && p.Steps[i].Finds != nil {
			out.Looks = append(out.Looks, Look{a.String(), p.Steps[i].Finds.Text})
		}
	}
	for _, u := range p.Strategies {
		out.Uses = append(out.Uses, StrategyUse{u.Strategy, u.Applied, u.Why, u.AsksHuman, u.Uses.Tried, u.Uses.Reached})
	}
	if p.Advice != nil {
		out.Advice, out.By = newAdvice(p.Advice), "mishap"
		if p.Advice.Taken {
			out.By = p.Advice.Adviser
		}
	}
	if d := p.Diagnosis; d != nil {
		out.Window = &Window{string(d.Kind), d.Err, d.Unmet, d.Source, d.Start, d.End}
	}
	return out
}

// reasons say, as sentences, why a proposal is not verified.
func reasons(p *engine.Proposal) []string {
	out := []string{}
	for _, s := range p.Impossible {
		out = append(out, sentence(unreachable+s))
	}
	for _, s := range p.Unmet {
		if len(p.Impossible) == 0 { // else it says the same
			out = append(out, sentence(unmet+s))
		}
	}
	for _, s := range p.Violated {
		out = append(out, sentence(s))
	}
	if p.Exhausted {
		out = append(out, exhausted)
	}
	if len(out) == 0 && !p.Verified {
		out = append(out, noPlan)
	}
	return out
}

// EpisodeRecovery is what was found in one episode, with how to recover.
type EpisodeRecovery struct {
	Episode
	Findings []FindingRecovery `json:"findings"`
	Recovery                   // from the end
	over     bool              // nothing is left to do
}

// FindingRecovery is a failure with how the robot could have gone on from the moment
// at which it showed.
type FindingRecovery struct {
	Finding
	Recovery
}

// NewEpisodeRecovery turns plans of recovery into their report.
func NewEpisodeRecovery(m *engine.EpisodeRecovery) EpisodeRecovery {
	out := EpisodeRecovery{Episode: NewEpisode(m.Result), Findings: []FindingRecovery{}}
	out.Episode.AddScores(m.Result, m.Scores)
	for i, f := range out.Episode.Findings {
		p := &engine.Proposal{} // where none was made, since rules did not come to an end
		if i < len(m.Plans) && m.Plans[i] != nil {
			p = m.Plans[i]
		}
		out.Findings = append(out.Findings, FindingRecovery{f, newRecovery(p, m.Goalless)})
	}
	final := m.Final
	if m.Goalless {
		out.Warnings = append(out.Warnings, Warning{Message: noGoal})
		if !out.Wrong() {
			final = nil // nothing is known to be left to do
		}
	}
	out.Recovery, out.over = newRecovery(final, m.Goalless), final == nil
	return out
}

func newRecovery(p *engine.Proposal, goalless bool) Recovery {
	out := NewRecovery(p)
	if goalless && !out.Verified {
		out.Reasons = []string{whyNotGoal}
	}
	return out
}

// Wrong reports whether anything went wrong.
func (e *EpisodeRecovery) Wrong() bool { return len(e.Findings) > 0 }

// AllVerified reports whether there is a verified plan from the end, and one for each
// finding that the robot did not make up for itself.
func (e *EpisodeRecovery) AllVerified() bool {
	return e.Verified && !slices.ContainsFunc(e.Findings, func(f FindingRecovery) bool { return !f.Verified && !f.Recovered })
}

// Text writes the report of one episode for a person; where it explains, with the
// strategies that were considered and the part of the plan at fault.
func (e *EpisodeRecovery) Text(w io.Writer, s Style, explain bool) error {
	var b strings.Builder
	e.textHead(&b, s)
	for i := range e.Findings {
		f := &e.Findings[i]
		f.textHead(&b, s, e.last)
		f.Recovery.text(&b, s, recoveryLabels, explain)
		f.textThen(&b)
	}
	if !e.over {
		e.Recovery.text(&b, s, endLabels, explain)
	}
	writeWarnings(&b, s, e.Warnings)
	_, err := io.WriteString(w, b.String())
	return err
}

// labels say where a recovery starts from, and how its lines are set.
type labels struct{ indent, first string }

var (
	recoveryLabels = labels{"    ", "recovery:"}
	endLabels      = labels{"  ", "from the end:"}
)

// lineWidth is the width that lists of actions are wrapped to.
const lineWidth = 100

// text writes a recovery: whether it is verified and how it was found, its actions,
// what it relies on, and why it is not verified.
func (r *Recovery) text(b *strings.Builder, s Style, l labels, explain bool) {
	fmt.Fprintf(b, "%s%s %s\n", l.indent, l.first, r.verdict(s))
	inner := l.indent + strings.Repeat(" ", len(recoveryLabels.first)+1)
	robots := slices.Compact(slices.Clone(r.Agents))
	for _, turn := range r.turns(len(robots) > 1) {
		b.WriteString(wrapped(inner, turn) + "\n")
	}
	line := func(label, text string) {
		fmt.Fprintf(b, "%s%-9s %s\n", l.indent, label+":", clean(text))
	}
	if len(robots) == 1 {
		line("robot", robots[0])
	}
	for _, text := range r.Reasons {
		line("why not", text)
	}
	if len(r.Needs) > 0 {
		line("needs", strings.Join(r.Needs, ", "))
	}
	for _, look := range r.Looks {
		line("looks", look.Action+" is to find: "+look.Finds)
	}
	if relied := r.relied(); len(relied) > 0 {
		fmt.Fprintf(b, "%s%-9s %s\n", l.indent, "assumes:", strings.TrimLeft(wrapped(inner, separated(relied)), " "))
	}
	for _, text := range r.NeedsPerson {
		line("person", text)
	}
	if r.Advice != nil {
		line("advice", r.Advice.String())
	}
	if !explain {
		return
	}
	if r.Window != nil {
		line("window", r.Window.String())
	}
	for _, u := range r.Uses {
		line("strategy", u.String())
	}
	if own := r.of(string(engine.OriginStrategy)); len(own) > 0 && len(own) < len(r.Plan) {
		fmt.Fprintf(b, "%s%-9s %s\n", l.indent, "of it:", strings.TrimLeft(wrapped(inner, own), " "))
	}
	if r.Advice != nil {
		r.Advice.explain(line)
	}
}

// of lists the actions of the plan that come from somewhere.
func (r *Recovery) of(origin string) []string {
	var out []string
	for i, a := range r.Plan {
		if i < len(r.Origins) && r.Origins[i] == origin {
			out = append(out, a)
		}
	}
	return out
}

// turns are the actions; where several robots take turns those of each by themselves, with who
// does them.
func (r *Recovery) turns(several bool) [][]string {
	if len(r.Plan) == 0 {
		return nil
	}
	if !several || len(r.Agents) != len(r.Plan) {
		return [][]string{r.Plan}
	}
	var out [][]string
	for i, action := range r.Plan {
		if i == 0 || r.Agents[i] != r.Agents[i-1] {
			out, action = append(out, nil), r.Agents[i]+": "+action
		}
		last := len(out) - 1
		out[last] = append(out[last], action)
	}
	return out
}

// verdict is the first line of a recovery.
func (r *Recovery) verdict(s Style) string {
	if r.Verified && len(r.Plan) == 0 {
		return s.Green + nothingLeft + s.Reset
	}
	if !r.Verified {
		out := s.Red + "not verified" + s.Reset
		if len(r.Plan) == 0 {
			return out + nothingMore
		}
		return out + ", " + r.how()
	}
	return s.Green + "verified" + s.Reset + ", " + r.how()
}

// how says how the plan was found.
func (r *Recovery) how() string {
	var applied []string
	for _, u := range r.Uses {
		if name := u.Name + u.counts(); u.Applied && !slices.Contains(applied, name) {
			applied = append(applied, name)
		}
	}
	out := methods[engine.Method(r.Method)]
	if out == "" {
		out = r.Method
	}
	if len(applied) == 0 {
		return out
	}
	names := strings.Join(applied, " and ")
	if r.Method == string(engine.MethodStrategy) {
		return out + " " + names
	}
	return out + ", with strategy " + names
}

// relied is what a plan relies on and does not look at first.
func (r *Recovery) relied() []string {
	return slices.DeleteFunc(slices.Clone(r.Assumptions), func(text string) bool {
		return slices.ContainsFunc(r.Looks, func(l Look) bool { return l.Finds == text })
	})
}

// String says in words which part of the plan is at fault.
func (w *Window) String() string {
	out := fmt.Sprintf("%s error at action %d", w.Kind, w.Err)
	if w.Unmet != "" {
		out += ": " + w.Unmet
	}
	if w.Source != w.Err {
		out += fmt.Sprintf("; since action %d", w.Source)
	}
	if w.Start == w.End {
		return out + fmt.Sprintf("; window action %d", w.Start)
	}
	return out + fmt.Sprintf("; window actions %d to %d", w.Start, w.End)
}

// String says whether a strategy was applied, and why not.
func (u *StrategyUse) String() string {
	if u.Applied {
		return u.Name + u.counts() + ", applied"
	}
	return u.Name + u.counts() + ", not applied: " + u.Why
}

// counts says what came of a strategy before, "" where nobody knows.
func (u *StrategyUse) counts() string {
	if u.Tried == 0 {
		return ""
	}
	return fmt.Sprintf(" (reached the goal %d of %s)", u.Reached, count(u.Tried, "time"))
}

// wrapped sets items in lines of at most lineWidth, unless one is longer; each line
// begins with an indentation.
func wrapped(indent string, items []string) string {
	var b strings.Builder
	width := 0
	for _, item := range items {
		item = clean(item)
		n := utf8.RuneCountInString(item)
		switch {
		case width == 0:
			b.WriteString(indent)
			width = len(indent)
		case width+1+n > lineWidth:
			b.WriteString("\n" + indent)
			width = len(indent)
		default:
			b.WriteByte(' ')
			width++
		}
		b.WriteString(item)
		width += n
	}
	return b.String()
}

// separated puts a comma after each item but the last.
func separated(items []string) []string {
	out := slices.Clone(items)
	for i := range len(out) - 1 {
		out[i] += ","
	}
	return out
}

// Recoveries counts the episodes, those with failures, and those in which each has a
// verified plan.
func Recoveries(d *LogResults[EpisodeRecovery], took time.Duration) string {
	wrong, verified := 0, 0
	for i := range d.Episodes {
		if e := &d.Episodes[i]; e.Wrong() {
			wrong++
			if e.AllVerified() {
				verified++
			}
		}
	}
	out := fmt.Sprintf(recoveredTotals, count(len(d.Episodes), "episode"), took.Seconds(), wrong, verified)
	if n := len(d.Errors); n > 0 {
		out += fmt.Sprintf(", %s in input", count(n, "error"))
	}
	return out + "\n"
}
