package engine

import (
	"context"
	"slices"

	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/engine/internal/limit"
	"github.com/mishap-robotics/mishap/engine/internal/state"
)

// EpisodeRecovery is what is proposed for an episode that has happened.
type EpisodeRecovery struct {
	Result *Result // of checking it
	// Plans are by finding of the result: how the robot could have gone on from the
	// moment at which the finding showed, by what was known then.
	Plans []*Proposal
	// Final is how it can go on from the end; nil where the goal holds there and
	// nothing is left to do.
	Final *Proposal
	// Scores are by finding what the score says of it, where Planner.Scoring asks for that. A
	// score that agrees with a finding is among its evidence, which an adviser is told.
	Scores []*ScoreEvidence
	// Goalless is true where the episode states no goal: then no plan can be verified.
	Goalless bool
}

// Verified reports whether there is a verified plan from the end, and one for every
// finding that the robot did not recover from itself.
func (m *EpisodeRecovery) Verified() bool {
	if m == nil {
		return false
	}
	for i, p := range m.Plans {
		if !p.Verified && !m.Result.Findings[i].Recovered {
			return false
		}
	}
	return m.Final == nil || m.Final.Verified
}

// RecoverEpisode checks an episode and proposes how to recover, from the moment of each of
// its findings and from its end. The error is that of Check.
func (r *Reasoner) RecoverEpisode(ctx context.Context, ep *episode.Episode, p Planner) (*EpisodeRecovery, error) {
	if err := r.usable(); err != nil {
		return nil, err
	}
	ctx, end := r.bound(ctx)
	defer end()
	res, err := r.Check(ctx, ep)
	if res == nil {
		return nil, err
	}
	out := &EpisodeRecovery{Result: res}
	if err != nil {
		return out, err
	}
	if p.Scoring != nil {
		if out.Scores, err = r.Evidence(ctx, res, *p.Scoring); err != nil {
			return nil, err
		}
		for i, e := range out.Scores {
			if f := &res.Findings[i]; e != nil && e.Agrees {
				f.Evidence = append(slices.Clip(f.Evidence), e.Text())
			}
		}
	}
	out.Plans = make([]*Proposal, len(res.Findings))
	m := r.watch(live(ep), r.byStep(), nil)
	for i := range ep.Steps {
		st := &ep.Steps[i]
		if _, err := m.Step(ctx, *st); err != nil {
			return out, err
		}
		for k := range res.Findings {
			if f := &res.Findings[k]; shownAfter(ep, i, f) {
				out.Plans[k] = m.Recover(ctx, p, f, nil)
				if err := m.unplanned(ctx); err != nil {
					return nil, err
				}
			}
		}
	}
	for k := range out.Plans {
		if out.Plans[k] == nil { // it shows only when all is over
			out.Plans[k] = m.Recover(ctx, p, &res.Findings[k], nil)
			if err := m.unplanned(ctx); err != nil {
				return nil, err
			}
		}
	}
	out.Goalless = res.Trace.Goal.IsEmpty()
	if got, _ := res.Trace.GoalTruth(res.Trace.Final); got < state.AssumedTrue || len(res.Trace.Rest) > 0 || len(unrecovered(res.Findings)) > 0 {
		var last *Finding
		if left := unrecovered(res.Findings); len(left) > 0 {
			last = &left[len(left)-1]
		}
		if final := m.Recover(ctx, p, last, nil); !final.Verified || len(final.Plan) > 0 {
			out.Final = final
		}
	}
	if err := m.unplanned(ctx); err != nil {
		return nil, err
	}
	return out, nil
}

// unplanned is the error of a context that ended while a plan was sought.
func (m *Monitor) unplanned(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return limit.Interrupted(PhaseRecovery, m.last, "the search for a plan did not end", err)
	}
	return nil
}

// shownAfter reports whether a finding shows with the line at an index, which is the
// last of its action.
func shownAfter(ep *episode.Episode, i int, f *Finding) bool {
	if int32(ep.Steps[i].Index) < f.Step {
		return false
	}
	last := i == len(ep.Steps)-1 || ep.Begins(i+1)
	return last && (int32(ep.Steps[i].Index) == f.Step || i == 0 || !slices.ContainsFunc(ep.Steps[:i], func(st episode.Step) bool { return int32(st.Index) >= f.Step }))
}

func unrecovered(findings []Finding) []Finding {
	return slices.DeleteFunc(slices.Clone(findings), func(f Finding) bool { return f.Recovered })
}
