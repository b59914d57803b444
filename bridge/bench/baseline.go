package bench

import (
	"context"
	"slices"

	"github.com/mishap-robotics/mishap/engine"
	"github.com/mishap-robotics/mishap/engine/episode"
)

// policy is what a baseline does about a failure.
type policy int

const (
	stopping   policy = iota // nothing
	skipping                 // it goes on with the next action
	local                    // it plans from the present state to the goal
	global                   // it undoes what it did and plans anew
	tree                     // it takes another branch of plans made beforehand
	afterwards               // it goes on, and corrects once when the plan is at its end
)

// baseline plans in the place of mishap's planner. All plan by the same search.
type baseline struct {
	kind     policy
	sampled  bool
	branches [][]episode.Action
	undoing  bool // what was done is being undone
	kept     int  // actions before the last reset
	ended    bool // the one correction was made
}

// samples is how many plans a tree is made of.
const samples = 4

func (p *baseline) propose(ctx context.Context, m *engine.Monitor, _ *engine.Finding) *engine.Proposal {
	rest := m.Rest()
	if len(rest) == 0 && m.Reached() {
		return going(nil)
	}
	switch p.kind {
	case skipping:
		return p.skip(m, rest)
	case local:
		return search(ctx, m, 0)
	case global:
		if !p.undoing {
			p.undoing = true
			if undo := m.Undo(ctx, p.kept); len(undo) > 0 {
				return going(undo)
			}
		}
		p.undoing, p.kept = false, len(m.Done())
		return search(ctx, m, 0)
	case tree:
		return p.branch(ctx, m, rest)
	case afterwards:
		if len(rest) > 0 || p.ended {
			return p.skip(m, rest)
		}
		p.ended = true
		return search(ctx, m, 0)
	}
	return &engine.Proposal{}
}

// going is a proposal that is carried out as it is.
func going(plan []episode.Action) *engine.Proposal {
	return &engine.Proposal{Plan: plan, Verified: true, Method: engine.MethodGoOn}
}

func (p *baseline) skip(m *engine.Monitor, rest []episode.Action) *engine.Proposal {
	if m.Failing() && len(rest) > 0 {
		rest = rest[1:]
	}
	if len(rest) == 0 {
		if p.kind == afterwards && !p.ended {
			p.ended = true
			return search(context.Background(), m, 0)
		}
		return &engine.Proposal{}
	}
	return going(rest)
}

func search(ctx context.Context, m *engine.Monitor, sample int) *engine.Proposal {
	return m.Recover(ctx, engine.Planner{PlannerOptions: engine.PlannerOptions{OnlySearch: true, Sample: sample}}, nil, nil)
}

// branch goes back to where a plan made beforehand parts from what was done, and goes
// on with that; the plan that failed is among them.
func (p *baseline) branch(ctx context.Context, m *engine.Monitor, rest []episode.Action) *engine.Proposal {
	done := m.Done()
	if !p.sampled {
		p.sampled = true
		for k := range samples {
			if s := search(ctx, m, k+1); s.Verified {
				p.branches = append(p.branches, slices.Concat(done, s.Plan))
			}
		}
	}
	best, shared := -1, -1
	for i, b := range p.branches {
		n := 0
		for n < len(b) && n < len(done) && b[n] == done[n] {
			n++
		}
		if n > shared && (len(rest) == 0 || n >= len(b) || b[n] != rest[0]) {
			best, shared = i, n
		}
	}
	if best < 0 {
		return &engine.Proposal{}
	}
	plan := slices.Concat(m.Undo(ctx, shared), p.branches[best][shared:])
	p.branches = slices.Delete(p.branches, best, best+1)
	return going(plan)
}
