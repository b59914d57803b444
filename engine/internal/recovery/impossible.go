package recovery

import (
	"slices"

	"github.com/mishap-robotics/mishap/engine/internal/planner"
	"github.com/mishap-robotics/mishap/engine/internal/state"
	"github.com/mishap-robotics/mishap/engine/internal/wording"
)

// proofs lists the reasons for which the goal cannot be reached, whatever is
// done; empty where it may be.
func (r *recovery) proofs(s *state.State, goals []planner.GroundGoal) []string {
	r.needs = nil
	if len(goals) == 0 || !r.blocked(s, goals) || r.planner.Grounder.Possible(s) && !slices.ContainsFunc(goals, func(g planner.GroundGoal) bool { return len(g.Absent) > 0 }) {
		return nil
	}
	reasons, needs := r.proof(s, &goals[0])
	r.needs = needs
	return reasons
}

// proof lists the reasons that stand against one choice of objects, and what would change
// them.
func (r *recovery) proof(s *state.State, g *planner.GroundGoal) (reasons, needs []string) {
	add := func(reason, need string) {
		if need == "" {
			need = "a person"
		}
		if reasons = append(reasons, reason); !slices.Contains(needs, need) {
			needs = append(needs, need)
		}
	}
	for _, v := range g.Absent {
		class, text := r.missing(v)
		add(text, class)
	}
	for _, l := range slices.Concat(g.Literals, g.Withheld) {
		if reach := r.planner.Reachability; !reach.Reachable(s, l) {
			add(r.planner.Domain.Text(l)+": "+reach.Why(s, l), reach.Needs(s, l))
		}
	}
	for k := range g.Unfit {
		add(r.planner.Goal.Text(&g.Unfit[k]), r.planner.Reachability.Another(s, g.Unfit[k].Is.Subject))
	}
	return reasons, needs
}

// doubts lists what keeps a goal from being reached if what is only assumed is so.
func (r *recovery) doubts(g *planner.GroundGoal) []string {
	var out []string
	for _, u := range g.Unfit {
		out = append(out, r.planner.Goal.Text(&u))
	}
	for _, l := range g.Literals {
		if text := r.planner.Reachability.Doubt(r.problem.State, l); text != "" && !slices.Contains(out, text) {
			out = append(out, text)
		}
	}
	return out
}

// blocked reports whether something stands against each of the goals.
func (r *recovery) blocked(s *state.State, goals []planner.GroundGoal) bool {
	return !slices.ContainsFunc(goals, func(g planner.GroundGoal) bool {
		return len(g.Absent) == 0 && planner.Doubted(g.Unfit) && !slices.ContainsFunc(slices.Concat(g.Literals, g.Withheld), func(l planner.Literal) bool { return !r.planner.Reachability.Reachable(s, l) })
	})
}

// missing says that nothing there is can stand for a variable of the goal.
func (r *recovery) missing(v int) (class, text string) {
	for _, p := range r.problem.Trace.Goal.Patterns {
		if p.Predicate == r.planner.Domain.Onto.Core.Type && p.Subject.Var == v {
			name := r.planner.Domain.Onto.Name(p.Object.Term)
			return wording.One(name), "there is no " + name + ", and nothing to make it from"
		}
	}
	return "", "there is nothing that the goal asks for"
}
