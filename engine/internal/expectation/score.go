package expectation

import (
	"context"

	"github.com/mishap-robotics/mishap/engine/discrepancy"
	"github.com/mishap-robotics/mishap/engine/internal/belief"
	"github.com/mishap-robotics/mishap/engine/internal/projection"
)

// Score compares what is believed before the next action of a plan with what the plan lets
// expect there (Sound). It is nil where no action is left, or the next changes nothing.
func Score(ctx context.Context, t *belief.Tracker, e discrepancy.Embedder) (*discrepancy.Comparison, error) {
	trace := t.Trace()
	onto, plan := trace.Objects.Onto, trace.Episode.Plan
	if t.Done() >= len(plan) || !Changes(onto, plan[t.Done()]) {
		return nil, nil
	}
	a := projection.Project(t)
	now := MomentOf(a, a.Present, Plan)
	sound := Moment{Sound(a, Exempt(a)), now.View}
	observed, expected := Common(onto, now.Graph(Plan), sound.Graph(Plan))
	return discrepancy.Compare(ctx, observed, expected, e, discrepancy.Ablation{})
}

// Exempt are the norms that the task of an episode does not have to keep to.
func Exempt(a *projection.Projection) []string {
	if a.Task == nil {
		return nil
	}
	return a.Task.Exempt
}
