package advice

import (
	"context"

	"github.com/mishap-robotics/mishap/bridge/report"
	"github.com/mishap-robotics/mishap/engine"
	"github.com/mishap-robotics/mishap/engine/episode"
)

// stepData is what the template stepcheck.tmpl is filled with.
type stepData struct {
	Action                         string
	Objects, Before, After, Sounds []string
}

var stepPrompt = register("stepcheck", stepData{"a", []string{"o"}, []string{"b"}, []string{"a"}, []string{"s"}}, stepData{}, "Action", "Before", "After")

// Baseline asks a model what mishap otherwise finds out itself, and believes it: for
// baselines. Cost is what that cost so far; it is for one goroutine.
type Baseline struct{ *session }

// NewBaseline begins to ask, within a budget of its own.
func NewBaseline(a *Adviser) *Baseline { return &Baseline{a.begin()} }

// CameAbout asks whether an action came about (RECOVER, the verifier of the baseline
// with a language model): by the scene graphs before and after it, and the sounds.
func (a *Baseline) CameAbout(ctx context.Context, did episode.Action, before, after *episode.Observation, sounds []string) (bool, error) {
	v := stepData{Action: sentence(did.String()), Before: observationTexts(before), After: observationTexts(after)}
	for _, n := range after.Nodes {
		v.Objects = append(v.Objects, name(n.ID))
	}
	for _, s := range sounds {
		v.Sounds = append(v.Sounds, name(s))
	}
	text, err := a.ask(ctx, stepPrompt, v, nil)
	if err != nil {
		return false, err
	}
	return readYesNo(text)
}

// Cause asks for the cause of what went wrong.
func (a *Baseline) Cause(ctx context.Context, s *engine.Situation) (*engine.Opinion, error) {
	view := reasonView(s)
	view.Structured = !a.Plain
	text, err := a.ask(ctx, reasonPrompt, view, reasonSchema)
	if err != nil {
		return nil, err
	}
	cause, change, err := causeOf(text)
	return &engine.Opinion{Cause: cause, Change: change}, err
}

// Plan asks for the actions from now on and takes them as they are: lines that mean no
// known action are left out, nothing is verified.
func (a *Baseline) Plan(ctx context.Context, s *engine.Situation, o *engine.Opinion) ([]episode.Action, error) {
	view := replanView(s, o, nil)
	view.Structured = !a.Plain
	text, err := a.ask(ctx, replanPrompt, view, planSchema)
	if err != nil {
		return nil, err
	}
	lines, err := Lines(text)
	if err != nil {
		return nil, err
	}
	m := a.mapper(s)
	var out []episode.Action
	for _, l := range lines {
		if line := m.Map(ctx, l); line.Refused == "" {
			out = append(out, line.Action)
		}
	}
	return out, nil
}

// Explained asks for the progressive explanation of an episode (REFLECT).
func (a *Baseline) Explained(ctx context.Context, r *engine.Reasoner, ep *episode.Episode, how Summary) (*report.ProgressiveAccount, error) {
	p, err := r.Progress(ctx, ep)
	if err != nil {
		return nil, err
	}
	e := &explainer{session: a.session, progress: p, episode: ep, summary: how, out: newExplanation(p, ep)}
	return e.theirs(ctx)
}
