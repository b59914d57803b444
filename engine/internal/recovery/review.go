package recovery

import (
	"context"
	"slices"

	"github.com/mishap-robotics/mishap/engine/internal/planner"
	"github.com/mishap-robotics/mishap/engine/internal/state"
)

// review lets rules look at plans.
type review struct {
	ctx         context.Context
	problem     *Problem
	sim         *planner.Simulator
	regression  *planner.Regression
	constraints *planner.Constraints
	verifier    *verifier
	naming      *naming
	notes       *notes
}

// judgings bounds how often a plan is repaired for what rules find in it.
const judgings = 4

// judge lets rules look at a plan. What they find is repaired by their strategies;
// what cannot be repaired, and is against safety or a preference, is forbidden from now
// on.
func (r *review) judge(c *candidate) {
	if r.problem.Judge == nil {
		return
	}
	for range judgings {
		faults, err := r.problem.Judge(r.ctx, r.naming.names(c.steps), r.naming.agents(c.steps))
		if err != nil {
			c.report.violated = append(c.report.violated, "rules did not come to an end: "+err.Error())
			return
		}
		if len(faults) == 0 {
			return
		}
		if steps, ok := r.repairAny(c.steps, faults); ok {
			c.steps = steps
			continue
		}
		r.condemn(c, faults)
		return
	}
	c.report.violated = append(c.report.violated, "what rules find in it is not mended by their strategies")
}

// repairAny repairs the first of the faults of a plan that can be.
func (r *review) repairAny(steps []planner.Step, faults []RuleFault) ([]planner.Step, bool) {
	for i := range faults {
		if repaired, ok := r.repair(steps, &faults[i]); ok {
			return repaired, true
		}
	}
	return nil, false
}

// condemn notes faults that nothing repairs, and forbids what is against a constraint.
func (r *review) condemn(c *candidate, faults []RuleFault) {
	for i := range faults {
		f := &faults[i]
		c.report.violated = append(c.report.violated, f.Explanation)
		r.notes.ask(f.Strategies)
		if f.Constraint && f.Index < len(c.steps) {
			c.until = min(c.until, f.Index)
			if f.OfKind {
				r.constraints.ForbidKind(c.steps[f.Index].Call, f.Explanation)
			} else {
				r.constraints.Forbid(c.steps[f.Index].Call, f.Explanation)
			}
		}
	}
}

// repair puts a strategy for a fault into a plan, before the action at which it shows or
// at the end.
func (r *review) repair(steps []planner.Step, f *RuleFault) ([]planner.Step, bool) {
	at := min(f.Index, len(steps))
	if f.Constraint && f.Index < len(steps) {
		return nil, false // it is not to be done at all
	}
	for i := range f.Strategies {
		s := &f.Strategies[i]
		if s.Incomplete || s.AsksHuman {
			continue
		}
		longer, ok := r.inserted(steps, at, s)
		if !ok {
			continue
		}
		if rep := r.verifier.verify(longer); rep.sound() {
			r.notes.uses = append(r.notes.uses, StrategyUse{Strategy: s.Name, Applied: true, Uses: s.Uses})
			return longer, true
		}
	}
	return nil, false
}

// inserted is a plan with a strategy in it, and with what is unmet of both then.
func (r *review) inserted(steps []planner.Step, at int, s *GroundedStrategy) ([]planner.Step, bool) {
	node := r.after(steps[:at])
	out := slices.Clone(steps[:at])
	for _, call := range s.Steps {
		if at < len(steps) && planner.SameCall(call, steps[at].Call) || r.sim.Idle(node.State, call) {
			continue // it is what the plan goes on with
		}
		more, ok := r.regression.CarryOut(node, call, 3, FromStrategy)
		if !ok {
			return nil, false
		}
		out = append(out, more...)
	}
	for _, st := range steps[at:] {
		more, ok := r.regression.CarryOut(node, st.Call, 3, planner.FromSubgoal)
		if !ok {
			return nil, false
		}
		out = append(out, more...)
	}
	return out, true
}

// after is the node after a plan.
func (r *review) after(steps []planner.Step) *planner.Node {
	node := planner.Root(r.problem.State)
	node.State.Run(state.Predicted, planner.Imagined)
	for _, st := range steps {
		r.sim.Perform(node, st.Call)
	}
	return node
}
