package recovery

import (
	"slices"

	"github.com/mishap-robotics/mishap/engine/internal/planner"
)

// goOn proposes what is left of the plan.
func (r *recovery) goOn(*planner.Node, []planner.GroundGoal) *candidate {
	f := r.problem.Failure
	if len(r.problem.Rest) == 0 && !r.planner.Goal.Reached(r.problem.State) || f != nil && !f.Foreseen && !r.options.WithoutStrategies && len(f.Strategies) > 0 {
		return nil // the strategies say what to do first
	}
	c := r.accept(r.problem.Rest, GoOn)
	if c == nil && f == nil && r.planner.Goal.Reached(r.problem.State) {
		c = r.accept(nil, GoOn) // what is left of the plan is not wanted any more
	}
	return c
}

// insert proposes the one preparing action that sets what the failed one needs
// (SDA-Planner, section 4.3).
func (r *recovery) insert(*planner.Node, []planner.GroundGoal) *candidate {
	if r.diagnosis == nil || r.diagnosis.Insert == nil {
		return nil
	}
	at := r.diagnosis.Err - r.diagnosis.done - 1
	return r.accept(slices.Insert(slices.Clone(r.problem.Rest), at, *r.diagnosis.Insert), Insert)
}

// byStrategy proposes the first recovery strategy after which the rest of the plan
// reaches the goal.
func (r *recovery) byStrategy(start *planner.Node, goals []planner.GroundGoal) *candidate {
	f := r.problem.Failure
	if f == nil || r.options.WithoutStrategies {
		return nil
	}
	inTurn := slices.Clone(f.Strategies)
	slices.SortStableFunc(inTurn, func(a, b GroundedStrategy) int { return r.options.Tried[a.Name] - r.options.Tried[b.Name] })
	for i := range inTurn {
		c, why := r.apply(&inTurn[i], start, goals)
		if c != nil && !slices.ContainsFunc(c.steps, inTurn[i].has) {
			c.method, why = Repair, "the plan needs none of its actions"
			r.notes.uses = append(r.notes.uses, StrategyUse{Strategy: inTurn[i].Name, Why: why, Uses: inTurn[i].Uses})
			return c
		}
		r.notes.uses = append(r.notes.uses, StrategyUse{Strategy: inTurn[i].Name, Applied: c != nil, Why: why, AsksHuman: inTurn[i].AsksHuman, Uses: inTurn[i].Uses})
		if c != nil {
			return c
		}
		if r.planner.Budget.Exhausted() {
			break
		}
	}
	return nil
}

// apply proposes the rest of the plan with a strategy before it, or says why that is
// no plan.
func (r *recovery) apply(s *GroundedStrategy, start *planner.Node, goals []planner.GroundGoal) (c *candidate, why string) {
	switch {
	case s.AsksHuman:
		return nil, "it needs a person"
	case s.Incomplete:
		return nil, "it says no actions on known objects"
	}
	plan := r.splice(s)
	steps, missed := r.planner.Completion.Complete(start, plan, goals)
	if at := r.resumes(plan); at >= 0 && !r.contains(steps, plan[at].Call) {
		return nil, r.planner.Domain.Objects.CallText(plan[at].Call) + " could not be done after it"
	}
	if c = r.accept(steps, ByStrategy); c == nil {
		why = r.whyNot(missed)
	}
	return c, why
}

// byRepair proposes the rest of the plan with what is unmet of its actions and the goal.
func (r *recovery) byRepair(start *planner.Node, goals []planner.GroundGoal) *candidate {
	steps, _ := r.planner.Completion.Complete(start, r.problem.Rest, goals)
	return r.accept(steps, Repair)
}

// bySearch proposes a plan from the present state to the goal: first part by part in
// the order that suits most goals, then, where that leads nowhere, best-first.
func (r *recovery) bySearch(start *planner.Node, goals []planner.GroundGoal) *candidate {
	var found *candidate
	known := r.planner.Constraints.Forbidden()
	for i := range goals {
		if r.options.OnlyBestFirst {
			break
		}
		node := planner.Root(start.State)
		steps, _ := r.planner.Search.PartByPart(node, &goals[i])
		c := r.accept(r.planner.Simplifier.Simplify(start, steps), Search)
		if c != nil && (found == nil || len(c.steps) < len(found.steps)) {
			found = c
		}
		if found != nil || r.planner.Budget.Exhausted() {
			break
		}
	}
	for i := 0; i < len(goals) && found == nil && !r.planner.Budget.Exhausted() && r.planner.Constraints.Forbidden() == known; i++ {
		r.planner.Search.BestFirst(start, &goals[i], func(steps []planner.Step) bool {
			found = r.accept(steps, Search)
			return found != nil
		})
	}
	return found
}

// bySubtree proposes the cheapest sequence that the adaptive subtree finds for the
// error window (SDA-Planner, section 4.4): from the present state, and from the
// state before the window, with what can be reversed undone.
func (r *recovery) bySubtree(start *planner.Node, _ []planner.GroundGoal) *candidate {
	if r.options.WithoutTree || r.diagnosis == nil {
		return nil
	}
	if best := r.subtree.cheapest(r.diagnosis, start); best != nil {
		return r.accept(best, Subtree)
	}
	return nil
}

// whyNot says why the last plan was not accepted.
func (r *recovery) whyNot(missed []planner.Literal) string {
	switch {
	case len(missed) > 0:
		return "the goal would lack " + r.planner.Domain.Text(missed[0])
	case r.best != nil && len(r.best.report.violated) > 0:
		return r.best.report.violated[0]
	case r.best != nil && r.best.report.failing != "":
		return r.best.report.failing
	}
	return "the plan would not reach the goal"
}
