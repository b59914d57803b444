package bench

import (
	"context"

	"github.com/mishap-robotics/mishap/bridge/advice"
	"github.com/mishap-robotics/mishap/engine"
	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/engine/replan"
	"github.com/mishap-robotics/mishap/engine/simulation"
)

// hierarchical carries a goal out by RePlan's loop, with a model for its planner,
// perceiver and low-level planner where one is asked; change takes parts of it away.
func (c contenders) hierarchical(asks bool, change func(*replan.HierarchicalLoop)) carrying {
	return func(ctx context.Context, r *simulation.Robot, spent *spending) (*engine.RunResult, error) {
		s, err := replan.NewSymbolic(ctx, c.reasoner, r, r.Episode(), engine.Planner{})
		if err != nil {
			return nil, err
		}
		l := s.Loop()
		var h *advice.Hierarchy
		if asks {
			h = advice.NewHierarchy(c.model, s, c.reasoner.Ontology)
			h.ModelOnly = true
			l = h.Loop()
		}
		if change != nil {
			change(l)
		}
		c, err := l.Run(ctx, s.Intent())
		if err != nil {
			return nil, err
		}
		if h != nil {
			spent.spend(h.Baseline)
			spent.Taken = h.Followed
		}
		return courseOf(c, r), nil
	}
}

// courseOf is the course of a run of RePlan's loop as that of other methods; each plan
// after the first corrects.
func courseOf(c *replan.HierarchicalRun, r *simulation.Robot) *engine.RunResult {
	out := &engine.RunResult{Ending: c.Ending, Reason: c.Reason}
	for _, a := range r.Did {
		if a.Name != "" {
			out.Actions++
		}
	}
	for i := range c.Plans {
		if i == 0 {
			continue
		}
		var plan []episode.Action
		for _, s := range c.Plans[i].Plan {
			plan = append(plan, s.Action)
		}
		p := going(plan)
		p.Verified = false // it is tried, not promised
		out.Recoveries = append(out.Recoveries, engine.Recovery{Proposal: p, Time: c.Plans[i].Time})
	}
	return out
}

// trusting is a verifier that takes every subtask to be done.
type trusting struct{ replan.Verifier }

func (trusting) Done(context.Context, replan.Subtask) (bool, string, error) { return true, "", nil }

// blind is a perceiver that answers nothing, and sees nothing after its first look.
type blind struct {
	replan.Perceiver
	first *replan.Scene
}

// Scene has the things that there are now, and what was so at first.
func (b *blind) Scene(ctx context.Context) (replan.Scene, error) {
	s, err := b.Perceiver.Scene(ctx)
	if b.first == nil && err == nil {
		b.first = &s
	}
	if b.first != nil {
		s.Facts = b.first.Facts
	}
	return s, err
}

func (*blind) Answer(context.Context, replan.Query, int) (string, error) {
	return replan.Unclear, nil
}

func (*blind) Prevents(context.Context, replan.Subtask, string) ([]replan.Reason, error) {
	return nil, nil
}

// The parts that RePlan is measured without.
func withoutVerifier(l *replan.HierarchicalLoop) {
	l.Verifier, l.Checker = trusting{l.Verifier}, nil
	if h, ok := l.Planner.(*advice.Hierarchy); ok {
		h.Unjudged = true
	}
}

func withoutPerceiver(l *replan.HierarchicalLoop) { l.Perceiver = &blind{Perceiver: l.Perceiver} }

func withoutReplanning(l *replan.HierarchicalLoop) { l.MaxPlans = 1 }
