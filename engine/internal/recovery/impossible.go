package recovery

import (
	"github.com/mishap-robotics/mishap/engine/internal/planner"
	"github.com/mishap-robotics/mishap/engine/internal/state"
)

// proofs lists the reasons for which the goal cannot be reached, whatever is
// done; empty where it may be.
func (r *recovery) proofs(s *state.State, goals []planner.GroundGoal) []string {
	var out []string
	for i := range goals {
		var reasons []string
		for _, v := range goals[i].Absent {
			reasons = append(reasons, r.missing(v))
		}
		for _, l := range goals[i].Literals {
			if !r.planner.Reachability.Reachable(s, l) {
				reasons = append(reasons, r.planner.Domain.Text(l)+": "+r.planner.Reachability.Why(s, l))
			}
		}
		if len(reasons) == 0 {
			return nil
		}
		if out == nil {
			out = reasons
		}
	}
	return out
}

// missing says that nothing there is can stand for a variable of the goal.
func (r *recovery) missing(v int) string {
	for _, p := range r.problem.Trace.Goal.Patterns {
		if p.Predicate == r.planner.Domain.Onto.Core.Type && p.Subject.Var == v {
			return "there is no " + r.planner.Domain.Onto.Name(p.Object.Term) + ", and nothing to make it from"
		}
	}
	return "there is nothing that the goal asks for"
}
