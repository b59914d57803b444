package engine

import (
	"context"

	"github.com/mishap-robotics/mishap/engine/episode"
)

// FirstPlan proposes a plan for the task of an episode from the scene at its step 0, whatever
// was planned and done in it: the instruction taken apart into actions (SDA-Planner, section
// 3). Where the planner has an adviser it is asked for one, which is verified like any other.
// Nothing in the episode is changed. The error is that of a step that was not taken in.
func (r *Reasoner) FirstPlan(ctx context.Context, ep *episode.Episode, p Planner) (*Proposal, *Trace, error) {
	own, err := r.admit(ep)
	if err != nil {
		return nil, nil, err
	}
	ctx, end := r.bound(ctx)
	defer end()
	first := *own
	first.Plan, first.Carriers, first.Steps, first.Warnings = nil, nil, nil, nil
	m := r.watch(&first, r.byStep(), nil)
	began := false
	for _, st := range own.Steps {
		if st.Index > 0 {
			break
		}
		if _, err := m.Step(ctx, st); err != nil {
			return nil, nil, err
		}
		began = true
	}
	if !began {
		if _, err := m.Step(ctx, episode.Step{Observation: episode.Observation{Missing: true}}); err != nil {
			return nil, nil, err
		}
	}
	return m.Recover(ctx, p, nil, nil), m.Trace(), nil
}
