package engine

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/mishap-robotics/mishap/engine/discrepancy"
	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/engine/internal/expectation"
	"github.com/mishap-robotics/mishap/engine/scene"
)

// ScoreEvidence is what the score of a scene says of a finding.
type ScoreEvidence struct {
	Step  int32 // of the action before which the scene was scored
	Score *discrepancy.Comparison
	Alarm bool // it is below the threshold
	// Agrees is true where it is, and a difference is about an object of the finding.
	Agrees bool
}

// Text is a sentence on it.
func (e *ScoreEvidence) Text() string {
	if e == nil || e.Score == nil {
		return ""
	}
	var differences []string
	for _, d := range e.Score.Differences {
		differences = append(differences, d.String())
	}
	return fmt.Sprintf("before step %d the scene scores %.3f: %s", e.Step, e.Score.Score, strings.Join(differences, "; "))
}

// Evidence are the scores that speak of the findings of a result, by finding: of the scene
// before the action of the finding and of the next one that is scored the first that agrees
// with it, else the first; nil where neither was scored. The error is that of the scoring or
// of the context.
func (r *Reasoner) Evidence(ctx context.Context, res *Result, s Scoring) ([]*ScoreEvidence, error) {
	if err := r.usable(); err != nil {
		return nil, err
	}
	if res == nil || res.Episode == nil {
		return nil, missing("result with an episode")
	}
	s = r.complete(s)
	if err := s.check(); err != nil {
		return nil, err
	}
	var moments []ScoreEvidence
	_, err := r.Walk(ctx, res.Episode, func(m *Monitor, step int32, a episode.Action) error {
		if a.Name == "" || !expectation.Changes(r.Ontology, a) {
			return nil
		}
		score, err := m.Discrepancy(orBackground(ctx), s)
		moments = append(moments, ScoreEvidence{Step: step, Score: score, Alarm: err == nil && score.Alarm(s.Threshold)})
		return err
	})
	if err != nil {
		return nil, err
	}
	out := make([]*ScoreEvidence, len(res.Findings))
	for i := range res.Findings {
		out[i] = evidenceOf(&res.Findings[i], moments)
	}
	return out, nil
}

// evidenceOf chooses among the moments of an episode.
func evidenceOf(f *Finding, moments []ScoreEvidence) *ScoreEvidence {
	after := slices.IndexFunc(moments, func(e ScoreEvidence) bool { return e.Step > f.Step })
	if after < 0 {
		after = len(moments)
	}
	near := moments[max(0, after-1):min(after+1, len(moments))]
	var first *ScoreEvidence
	for i := range near {
		e := near[i]
		e.Agrees = e.Alarm && slices.ContainsFunc(e.Score.Differences, func(d scene.Difference) bool { return d.Concerns(f.Objects) })
		if e.Agrees {
			return &e
		}
		if first == nil {
			first = &e
		}
	}
	return first
}
