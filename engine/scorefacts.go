package engine

import (
	"slices"

	"github.com/mishap-robotics/mishap/engine/discrepancy"
	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/engine/internal/belief"
	"github.com/mishap-robotics/mishap/engine/internal/expectation"
	"github.com/mishap-robotics/mishap/engine/internal/fact"
	"github.com/mishap-robotics/mishap/rules"
)

// asksScores reports whether a rule asks for the score of a scene, or for what differs in it:
// only then are these facts worked out.
func asksScores(p *rules.Program) bool {
	return slices.ContainsFunc(fact.Vocabulary(), func(f rules.Predicate) bool { return fact.OfScores(f.Indicator()) && p.Asks(f.Indicator()) })
}

// WithScores is a reasoner that works out the facts of scores (score/2, differs/4) though no
// rule asks for them, as for queries.
func (r *Reasoner) WithScores() *Reasoner {
	out := r.copied()
	out.scores = true
	return out
}

// AsksScores reports whether a goal asks for facts of scores.
func AsksScores(goal string) bool {
	goals, err := rules.ParseGoal(goal)
	return err == nil && slices.ContainsFunc(goals, func(g *rules.Term) bool { return g.Holds(fact.OfScores) })
}

// scoresOf are the scores of the scenes before the actions of an episode, nil where nobody
// asks for them, or the episode states no plan, or noise.
func (r *Reasoner) scoresOf(c *call, ep *episode.Episode) fact.Scores {
	if !r.scores || len(ep.Plan) == 0 || ep.Noise > 0 {
		return nil
	}
	own := *ep
	own.Steps, own.Warnings = nil, nil
	t := belief.NewTracker(r.Ontology, &own)
	out := fact.Scores{}
	for i := range ep.Steps {
		st := &ep.Steps[i]
		if c.stop.Raised() {
			return nil
		}
		if score, ok := r.scoreBefore(c, t, st); ok {
			out[int32(st.Index)] = score
		}
		t.Step(*st)
	}
	return out
}

// scoreBefore is the score of the scene before a line, nil for one that goes on with the
// action of the last; ok is false where there is none.
func (r *Reasoner) scoreBefore(c *call, t *belief.Tracker, st *episode.Step) (score *discrepancy.Comparison, ok bool) {
	if st.Action.Name == "" {
		return nil, false
	}
	if t.GoesOn(st) {
		return nil, true
	}
	ctx := orBackground(c.ctx)
	score, err := expectation.Score(ctx, t, r.embedder)
	return score, err == nil && score != nil
}
