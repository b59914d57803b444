package engine

import (
	"context"
	"slices"

	"github.com/mishap-robotics/mishap/engine/internal/planner"
	"github.com/mishap-robotics/mishap/engine/internal/recovery"
)

// Corrector is an Adviser that also takes part in the adaptive subtree of SDA-Planner
// (section 4.4): it names corrective actions, which become units of the tree beside those of
// the plan, and chooses among the branches that were verified.
type Corrector interface {
	Adviser
	// Correcting begins to ask about a situation.
	Correcting(s *Situation) SubtreeConsultation
}

// SubtreeConsultation asks about one situation.
type SubtreeConsultation interface {
	// Correct names actions that may correct the error, in any order; a line that was
	// refused is left out. With an error the opinion may be nil, or hold no more than what
	// it cost.
	Correct(ctx context.Context) (*Opinion, error)
	// Choose says which of several verified plans is best, by its index; any other number
	// is no choice.
	Choose(ctx context.Context, plans []*Proposal) (int, Cost, error)
	// Advise proposes a plan, as what Adviser.Consult returns does.
	Advise(ctx context.Context, refused []Attempt) (*Opinion, error)
}

// mostChoices is how many plans an adviser chooses from.
const mostChoices = 5

// corrected lets the adviser name units of the subtree, and choose among the verified
// branches and the plan that there is. Of branches only those are shown that are no worse
// than that. Nil is that there is no branch, and no verified plan either.
func (c *concern) corrected(within *call, talk SubtreeConsultation, s *Situation, out *Advice) *Proposal {
	ours := s.Ours
	if s.Window == nil {
		return nil // nothing fails that a tree could be grown for
	}
	o, err := talk.Correct(within.ctx)
	if o != nil {
		out.Cost.Add(o.Cost)
		out.Cause, out.Change, out.Person = o.Cause, o.Change, o.Person
	}
	if err != nil || o == nil {
		if err != nil {
			out.Why = err.Error()
		}
		return nil
	}
	out.Attempts = append(out.Attempts, Attempt{Lines: o.Lines})
	shown := c.branches(within, o.Lines)
	if ours.Verified && len(ours.Plan) > 0 {
		shown = slices.DeleteFunc(shown, func(p *Proposal) bool { return slices.Equal(p.Plan, ours.Plan) || worse(p, ours) != "" })
		shown = append([]*Proposal{ours}, shown...)
	}
	if len(shown) == 0 {
		return nil
	}
	chosen := choose(within, talk, shown, out)
	if chosen != ours {
		out.Taken, out.Why = true, ""
		chosen.Advice, chosen.Diagnosis = out, ours.Diagnosis
	}
	return chosen
}

// choose asks which of some plans is to be taken; the first where there is one alone, or no
// choice.
func choose(within *call, talk SubtreeConsultation, shown []*Proposal, out *Advice) *Proposal {
	out.Why = "no other branch of the subtree is verified, and no worse"
	if len(shown) == 1 {
		return shown[0]
	}
	shown = shown[:min(len(shown), mostChoices)]
	i, cost, err := talk.Choose(within.ctx, shown)
	out.Cost.Add(cost)
	out.Among, out.Why = len(shown), "it chose this one"
	switch {
	case err != nil:
		i, out.Why = 0, err.Error()
	case i < 0 || i >= len(shown):
		i, out.Why = 0, "it chose none of the plans that it was shown"
	default:
		out.Chosen = i + 1
	}
	return shown[i]
}

// branches are the verified plans of the subtree that has the actions of some lines for
// units.
func (c *concern) branches(within *call, lines []AdviceLine) []*Proposal {
	var plan []Call
	problem := c.problem(c.rest(), planner.FromPlan)
	now := &Projection{Trace: problem.Trace, Present: problem.State}
	for i := range lines {
		if lines[i].Refused != "" {
			continue
		}
		if call, ok := callOf(now, lines[i].Action.String()); ok {
			plan = append(plan, call)
		}
	}
	problem.Corrective = plan
	out := recovery.Branches(within.ctx, problem, c.planner.PlannerOptions, mostChoices)
	problem.Trace.Interrupt = nil
	return out
}
