package engine

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/mishap-robotics/mishap/engine/discrepancy"
	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/engine/internal/expectation"
)

// EnableScore lets the updates of each step from now on tell where the scene before the next
// action of the plan scores below the threshold of s (Deviates), and lets that trigger
// foresight, as scene-graph-guided proactive replanning does (Section II-E): what is to come
// is told where a score asks for it, and as long as something foreseen stands. Scenes
// are scored before actions that change something. A monitor that was restored is to be told
// again. The error is that of the scoring.
func (m *Monitor) EnableScore(s Scoring) error {
	if err := m.usable(); err != nil {
		return err
	}
	s = m.reasoner.complete(s)
	if err := s.check(); err != nil {
		return err
	}
	m.trigger = &s
	return nil
}

// check refuses a scoring that cannot be carried out.
func (s *Scoring) check() error {
	switch {
	case s.Expect == FromReference && s.Reference == nil:
		return errNoReference
	case !slices.Contains(ExpectationSources(), s.Expect):
		return unknownSource(s.Expect)
	}
	return discrepancy.CheckThreshold(s.Threshold)
}

// deviation is the score of the scene before an action of the plan where that is below the
// threshold, nil where it is not, or where the action changes nothing.
func (m *Monitor) deviation(ctx context.Context, s Scoring, next []episode.Action) (*discrepancy.Comparison, error) {
	if len(next) == 0 || !expectation.Changes(m.reasoner.Ontology, next[0]) {
		return nil, nil
	}
	score, err := m.Discrepancy(ctx, s)
	if err != nil || !score.Alarm(m.reasoner.complete(s).Threshold) {
		return nil, err
	}
	return score, nil
}

// scored tells of a scene that deviates, once, and whether one does.
func (m *Monitor) scored(c *call) (updates []Update, deviates bool, err error) {
	plan := m.ep.Plan
	score, err := m.deviation(c.ctx, *m.trigger, plan[min(m.tracker.Done(), len(plan)):])
	if err != nil {
		return nil, false, err
	}
	told := m.alarmed
	if m.alarmed = ""; score == nil {
		return nil, false, nil
	}
	if m.alarmed = differencesOf(score); m.alarmed == told {
		return nil, true, nil
	}
	return []Update{{Kind: Deviates, Score: score}}, true, nil
}

func differencesOf(score *discrepancy.Comparison) string { return fmt.Sprint(score.Differences) }

// triggered asks what is to come, where the score triggers that, with the score.
func (r *run) triggered(ctx context.Context) (threats []Threat, score *discrepancy.Comparison, err error) {
	if r.Trigger != nil {
		if score, err = r.monitor.deviation(ctx, *r.Trigger, r.monitor.Rest()); err != nil || score == nil {
			r.deviated = ""
			return nil, nil, err
		}
		now := differencesOf(score)
		if now == r.deviated {
			return nil, nil, nil // it was reasoned about
		}
		r.deviated = now
	}
	threats, err = r.monitor.Foresee(ctx)
	return threats, score, err
}

// unexplained plans anew where a score is below the threshold and no rule tells why: what it
// differs in may stand in the way all the same. The plan goes on where none is better.
func (r *run) unexplained(ctx context.Context, score *discrepancy.Comparison) (done bool, err error) {
	if len(r.result.Recoveries) >= r.maxRecoveries() {
		return false, nil
	}
	began := time.Now()
	c := Recovery{Score: score, Proposal: r.propose(ctx, nil, nil), Time: time.Since(began)}
	if !c.Proposal.Verified || slices.Equal(c.Proposal.Plan, r.monitor.Rest()) {
		return false, ctx.Err()
	}
	r.adopt(c)
	return false, nil
}
