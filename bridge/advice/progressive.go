package advice

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/mishap-robotics/mishap/bridge/internal/input"
	"github.com/mishap-robotics/mishap/bridge/logs/reflectlog"
	"github.com/mishap-robotics/mishap/bridge/report"
	"github.com/mishap-robotics/mishap/engine"
	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/engine/scene"
)

// subgoalData is what the template subgoal.tmpl is filled with.
type subgoalData struct{ Task, Action, Observation string }

// explainData is what the template explain.tmpl is filled with.
type explainData struct {
	Task     string
	Success  []string
	Planning bool          // the plan is at fault, not its execution
	Plan     []subtaskItem // for the analysis of the plan
	Final    []string      // what is so in the end, without what depends on the camera
	Unmet    []string
	Summary  []string // key frames up to the subgoal that failed
	Failed   string
}

var (
	subgoalPrompt = register("subgoal", subgoalData{"t", "a", "o"}, subgoalData{}, "Action", "Observation")
	explainPrompt = register("explain", explainData{"t", []string{"s"}, true, []subtaskItem{{1, "a", ""}}, []string{"f"}, []string{"u"}, []string{"s"}, "f"},
		explainData{}, "Task", "Summary", "Failed", "Plan", "Final")
	explainSchema   = answerSchema("explanation")
	summarizePrompt = register("summarize", summarizeData{"t", []string{"s"}}, summarizeData{}, "Steps")
)

// summarizeData is what the template summarize.tmpl is filled with.
type summarizeData struct {
	Task  string
	Steps []string // what was done, seen and heard at each
}

// ExplainProgressively explains an episode subgoal by subgoal: at the first that was not
// satisfied by what happened up to then, else, where the goal is missed, by the plan and
// the final state. Where a is nil only mishap explains. That a model does not answer is
// no error.
func ExplainProgressively(ctx context.Context, r *engine.Reasoner, ep *episode.Episode, a *Adviser) (*report.ProgressiveExplanation, error) {
	p, err := r.Progress(ctx, ep)
	if err != nil {
		return nil, err
	}
	e := &explainer{progress: p, episode: ep, out: newExplanation(p, ep)}
	e.out.Ours = e.ours()
	if a == nil {
		return e.out, nil
	}
	e.session = a.begin()
	e.out.Model = a.Name()
	theirs, err := e.theirs(ctx)
	cost := report.NewCost(e.Cost)
	e.out.Cost = &cost
	if err != nil {
		if ctx.Err() != nil {
			return e.out, ctx.Err()
		}
		e.out.Why = err.Error()
		return e.out, nil
	}
	e.out.Theirs = theirs
	e.out.Disagreements = e.disagreements()
	return e.out, nil
}

func newExplanation(p *engine.ProgressiveExplanation, ep *episode.Episode) *report.ProgressiveExplanation {
	out := &report.ProgressiveExplanation{ID: ep.ID, Task: ep.Task, Subgoals: []report.Verdict{}}
	for i, s := range p.Subgoals {
		out.Subgoals = append(out.Subgoals, report.Verdict{Number: i + 1, Planned: s.Number, Action: s.Action.String(), Step: s.Step, Time: timeOf(ep, s.Step), Satisfied: s.Satisfied, Presumed: s.Satisfied && !s.Certain})
	}
	return out
}

// Summary says what of an episode the model is told.
type Summary struct {
	WithoutSound bool
	// AtOnce asks for the cause without asking first which subgoal was not satisfied.
	AtOnce bool
	// ByModel lets a model sum up all that was perceived, and asks for the cause by that alone, at
	// once (REFLECT, section 4, the summary by a language model).
	ByModel      bool
	SubgoalsOnly bool // the key frames at the ends of subgoals, in place of those of events
}

type explainer struct {
	*session // nil where no model is asked
	summary  Summary
	progress *engine.ProgressiveExplanation
	episode  *episode.Episode
	out      *report.ProgressiveExplanation
}

func timeOf(ep *episode.Episode, step int32) string {
	for i := range ep.Steps {
		if st := &ep.Steps[i]; int32(st.Index) == step {
			return st.Time
		}
	}
	return ""
}

// ours is written from findings and their proofs.
func (e *explainer) ours() report.ProgressiveAccount {
	p := e.progress
	o := report.ProgressiveAccount{Failed: p.Failed + 1, Analysis: string(p.Analysis), Steps: []int32{}}
	var told []string
	for _, f := range p.Findings {
		if f.Recovered && p.Analysis == engine.AnalysisNone {
			told = append(told, f.Explanation+" The robot made up for it.")
		} else {
			told = append(told, f.Explanation)
		}
		for _, text := range f.Evidence {
			if !slices.Contains(o.Evidence, text) {
				o.Evidence = append(o.Evidence, text)
			}
		}
		if !slices.Contains(o.Steps, f.Cause) {
			o.Steps = append(o.Steps, f.Cause)
			if t := timeOf(e.episode, f.Cause); t != "" {
				o.Times = append(o.Times, t)
			}
		}
	}
	switch {
	case len(told) == 0 && p.Analysis == engine.AnalysisExecution:
		told = append(told, fmt.Sprintf("%s did not come about, and no rule says why.", p.Subgoals[p.Failed].Action))
	case len(told) == 0 && p.Analysis == engine.AnalysisPlanning:
		told = append(told, "The goal lacks "+strings.Join(p.Unmet, ", ")+", and no rule says why.")
	case len(told) == 0:
		told = append(told, "Nothing went wrong.")
	}
	o.Explanation = strings.Join(told, " ")
	return o
}

// theirs asks the model: whether each subgoal was satisfied, up to the first that was
// not, then for the cause.
func (e *explainer) theirs(ctx context.Context) (*report.ProgressiveAccount, error) {
	task := taskText(e.episode)
	if e.summary.ByModel {
		return e.summed(ctx, task)
	}
	frames := e.frames()
	o := &report.ProgressiveAccount{Analysis: string(engine.AnalysisNone), Steps: []int32{}}
	for i, s := range e.progress.Subgoals {
		if e.summary.AtOnce {
			break
		}
		text, err := e.ask(ctx, subgoalPrompt, subgoalData{task, sentence(s.Action.String()), e.seen(s.Step)}, nil)
		if err != nil {
			return nil, err
		}
		yes, err := readYesNo(text)
		if err != nil {
			return nil, err
		}
		e.out.Subgoals[i].Model = &yes
		if !yes {
			o.Failed, o.Analysis = i+1, string(engine.AnalysisExecution)
			break
		}
	}
	if o.Failed == 0 && len(e.progress.Unmet) == 0 && !e.summary.AtOnce {
		o.Explanation = "Each subgoal was satisfied, and so is the goal."
		return o, nil
	}
	x := explainData{Task: task, Success: successConditions(e.progress.Result.Trace), Planning: o.Failed == 0 && !e.summary.AtOnce}
	switch {
	case x.Planning:
		o.Analysis = string(engine.AnalysisPlanning)
		e.plan(&x)
	case e.summary.AtOnce:
		x.Failed = task
		for _, f := range frames {
			x.Summary = append(x.Summary, fmt.Sprintf("step %d: \"%s\"", f.Step, clean(f.Text, longestSummary)))
		}
	default:
		s := e.progress.Subgoals[o.Failed-1]
		x.Failed = sentence(s.Action.String())
		for _, f := range frames {
			if int32(f.Step) <= s.Step {
				x.Summary = append(x.Summary, fmt.Sprintf("step %d: \"%s\"", f.Step, clean(f.Text, longestSummary)))
			}
		}
	}
	text, err := e.ask(ctx, explainPrompt, x, explainSchema)
	if err != nil {
		return nil, err
	}
	return o, e.read(text, o)
}

// summed lets the model sum up what was perceived, and asks it for the cause by that.
func (e *explainer) summed(ctx context.Context, task string) (*report.ProgressiveAccount, error) {
	v := summarizeData{Task: task}
	for i := range e.episode.Steps {
		st := &e.episode.Steps[i]
		said := observationTexts(&st.Observation)
		if len(st.Sounds) > 0 && !e.summary.WithoutSound {
			said = append([]string{"heard " + strings.Join(names(st.Sounds), ", ")}, said...)
		}
		if st.Action.Name != "" {
			said = append([]string{actionText(st.Action)}, said...)
		}
		v.Steps = append(v.Steps, fmt.Sprintf("step %d: %s", st.Index, block(said)))
	}
	text, err := e.ask(ctx, summarizePrompt, v, nil)
	if err != nil {
		return nil, err
	}
	x := explainData{Task: task, Success: successConditions(e.progress.Result.Trace), Failed: task}
	for _, line := range strings.Split(strings.TrimSpace(unfenced(text)), "\n") {
		step, said, _ := strings.Cut(line, ": ")
		x.Summary = append(x.Summary, fmt.Sprintf("%s: \"%s\"", clean(step, longestName), clean(said, longestSummary)))
		if len(x.Summary) == mostSummed {
			break
		}
	}
	if text, err = e.ask(ctx, explainPrompt, x, explainSchema); err != nil {
		return nil, err
	}
	o := &report.ProgressiveAccount{Analysis: string(engine.AnalysisNone), Steps: []int32{}}
	return o, e.read(text, o)
}

// mostSummed is how many lines of a model's summary are kept.
const mostSummed = 20

// frames are the key frames of the episode that the model is told of.
func (e *explainer) frames() []reflectlog.KeyFrame {
	ep, level := e.episode, reflectlog.EventBased
	if e.summary.WithoutSound {
		silent := *ep
		silent.Steps = slices.Clone(ep.Steps)
		for i := range silent.Steps {
			silent.Steps[i].Sounds = nil
		}
		ep = &silent
	}
	if e.summary.SubgoalsOnly {
		level = reflectlog.SubgoalBased
	}
	return reflectlog.KeyFrames(e.progress.Result.Trace.Objects.Onto, ep, level)
}

// plan fills in what the analysis of the plan looks at.
func (e *explainer) plan(x *explainData) {
	t := e.progress.Result.Trace
	for i, a := range e.episode.Plan {
		x.Plan = append(x.Plan, subtaskItem{i + 1, sentence(a.String()), ""})
	}
	final := t.Final.Clone()
	final.DropViewEdges()
	var all []engine.Object
	for i := range t.Objects.Items {
		all = append(all, engine.Object(i))
	}
	g := engine.SceneOf(final, t, all)
	x.Final = facts(g)
	for _, u := range e.progress.Unmet {
		x.Unmet = append(x.Unmet, clean(u, longestSentence))
	}
}

// seen is what the camera saw at a step.
func (e *explainer) seen(step int32) string {
	for i := range e.episode.Steps {
		if st := &e.episode.Steps[i]; int32(st.Index) == step {
			return block(observationTexts(&st.Observation))
		}
	}
	return "nothing"
}

// observationTexts words what was observed, clean, for a list.
func observationTexts(o *episode.Observation) []string {
	if o.Missing {
		return []string{"nobody looked"}
	}
	g := &scene.Graph{}
	for _, n := range o.Nodes {
		g.Nodes = append(g.Nodes, scene.Node{ID: n.ID, Class: n.Class, States: names(n.States)})
	}
	for _, ed := range o.Edges {
		g.Edges = append(g.Edges, scene.Edge{Subject: ed.Subject, Relation: name(ed.Relation), Object: ed.Object})
	}
	out := facts(g)
	for _, n := range o.Nodes { // what has neither states nor a place was seen all the same
		if q := name(n.ID); !slices.ContainsFunc(out, func(s string) bool { return strings.HasPrefix(s, q) }) {
			out = append(out, q)
		}
	}
	return out
}

func names(words []string) []string {
	var out []string
	for _, w := range words {
		out = append(out, name(w))
	}
	return out
}

// read takes the explanation and its times out of an answer. Times that the log does
// not have are dropped.
func (e *explainer) read(text string, o *report.ProgressiveAccount) error {
	var got struct {
		Explanation string   `json:"explanation"`
		Times       []string `json:"times"`
	}
	if err := json.Unmarshal([]byte(unfenced(text)), &got); err != nil || got.Explanation == "" {
		return fmt.Errorf("the answer is no JSON of the form {\"explanation\": …, \"times\": […]}: %q", input.Clip(text))
	}
	o.Explanation = clean(got.Explanation, longestSummary)
	for _, said := range got.Times {
		written := clean(said, longestName)
		said = strings.TrimSpace(strings.TrimPrefix(strings.ToLower(said), "step"))
		n, err := strconv.Atoi(said)
		known := len(o.Steps)
		for i := range e.episode.Steps {
			st := &e.episode.Steps[i]
			if st.Time != "" && st.Time == said || err == nil && st.Index == n {
				o.Steps = append(o.Steps, int32(st.Index))
				if st.Time != "" {
					o.Times = append(o.Times, st.Time)
				}
				break
			}
		}
		if len(o.Steps) == known {
			o.Unknown = append(o.Unknown, written)
		}
	}
	return nil
}

// disagreements say in what the model and mishap differ.
func (e *explainer) disagreements() []string {
	ours, theirs := &e.out.Ours, e.out.Theirs
	var out []string
	for _, v := range e.out.Subgoals {
		if v.Model != nil && *v.Model != v.Satisfied {
			word := map[bool]string{true: "satisfied", false: "not satisfied"}
			out = append(out, fmt.Sprintf("subgoal %d %s: mishap says %s, the model %s", v.Number, v.Action, word[v.Satisfied], word[*v.Model]))
		}
	}
	if ours.Analysis != theirs.Analysis {
		out = append(out, fmt.Sprintf("the cause lies in: mishap says %s, the model %s", ours.Analysis, theirs.Analysis))
	}
	if len(theirs.Steps) > 0 && len(ours.Steps) > 0 && !slices.ContainsFunc(theirs.Steps, func(s int32) bool { return slices.Contains(ours.Steps, s) }) {
		out = append(out, fmt.Sprintf("it was caused at: mishap says step %v, the model step %v", ours.Steps, theirs.Steps))
	}
	return out
}

// readYesNo reads an answer that should be yes or no.
func readYesNo(text string) (bool, error) {
	word := strings.ToLower(strings.Trim(unfenced(text), ".!\"'`* \n"))
	switch {
	case strings.HasPrefix(word, "yes") && plainly(word[len("yes"):], "no", "not"):
		return true, nil
	case strings.HasPrefix(word, "no") && plainly(word[len("no"):], "yes"):
		return false, nil
	}
	return false, errors.New("the answer is neither yes nor no: " + strconv.Quote(input.Clip(text)))
}

// plainly reports whether what follows a yes or no adds to it and does not take it
// back.
func plainly(rest string, against ...string) bool {
	if rest == "" {
		return true
	}
	return strings.ContainsAny(rest[:1], ",.;:!") && !slices.ContainsFunc(strings.FieldsFunc(rest, func(r rune) bool { return !unicode.IsLetter(r) }), func(w string) bool { return slices.Contains(against, w) })
}
