package recovery

import (
	"slices"

	"github.com/mishap-robotics/mishap/engine/internal/planner"
	"github.com/mishap-robotics/mishap/engine/internal/state"
)

// splice puts the actions of a strategy into the rest of the plan, where the failure
// shows. Where the strategy uses another object in the place of one, the rest does so
// too.
func (r *recovery) splice(s *GroundedStrategy) []planner.Step {
	var out []planner.Step
	for _, c := range s.Steps {
		out = append(out, planner.Step{Call: c, From: FromStrategy})
	}
	at := min(r.problem.Failure.Index, len(r.problem.Rest))
	lead, rest := r.problem.Rest[:at], slices.Clone(r.problem.Rest[at:])
	instead := r.substitutes(s)
	for i := range rest {
		rest[i].Call = substituted(rest[i].Call, instead)
	}
	for len(rest) > 0 && len(out) > 0 && planner.SameCall(out[len(out)-1].Call, rest[0].Call) {
		out = out[:len(out)-1] // the strategy ends with what the plan goes on with
	}
	return slices.Concat(lead, out, rest)
}

// substitutes finds which objects a strategy uses in the place of others: another
// of the class of what the failure is about, or another destination for the action
// that failed.
func (r *recovery) substitutes(s *GroundedStrategy) map[state.Object]state.Object {
	out := map[state.Object]state.Object{}
	f, objects := r.problem.Failure, r.problem.Trace.Objects
	if len(f.Objects) > 0 && f.Objects[0] != state.Nothing {
		substituteTarget(out, objects, s, f.Objects[0])
	}
	failed := f.Failed
	if failed == nil || failed.Destination == state.Nothing {
		return out
	}
	for _, c := range s.Steps {
		other := c.Destination != failed.Destination && c.Destination != state.Nothing
		if other && c.Schema.Family == failed.Schema.Family && c.Target == failed.Target && objects.Class(c.Destination) == objects.Class(failed.Destination) {
			out[failed.Destination] = c.Destination
		}
	}
	return out
}

// substituteTarget finds what a strategy that does not use an object uses in its place,
// with the pieces of both.
func substituteTarget(out map[state.Object]state.Object, objects *state.Objects, s *GroundedStrategy, first state.Object) {
	if slices.ContainsFunc(s.Steps, func(c state.Call) bool { return c.Target == first || c.Destination == first }) {
		return
	}
	for _, c := range s.Steps {
		x := c.Target
		if x == state.Nothing || objects.Class(x) != objects.Class(first) {
			continue
		}
		out[first] = x
		for _, piece := range objects.Pieces(first, objects.Onto.Core.PhysicalObject) {
			for _, other := range objects.Pieces(x, objects.Class(piece)) {
				out[piece] = other
			}
		}
	}
}

// resumes is the index in a plan of the action that failed, or that was foreseen to;
// -1 for none.
func (r *recovery) resumes(plan []planner.Step) int {
	f := r.problem.Failure
	if f.Failed != nil && len(r.problem.Rest) > 0 && planner.SameCall(*f.Failed, r.problem.Rest[0].Call) {
		return len(plan) - len(r.problem.Rest)
	}
	if f.Foreseen && f.Index < len(r.problem.Rest) {
		return len(plan) - len(r.problem.Rest) + f.Index
	}
	return -1
}

// contains reports whether a plan does what a call does, or that is so already.
func (r *recovery) contains(steps []planner.Step, c state.Call) bool {
	return slices.ContainsFunc(steps, func(st planner.Step) bool { return planner.SameCall(st.Call, c) }) || r.planner.Simulator.Idle(r.problem.State, c)
}

// substituted puts objects in the place of others, all at once: what has been put in a
// place is not replaced again.
func substituted(c state.Call, instead map[state.Object]state.Object) state.Call {
	if by, ok := instead[c.Target]; ok {
		c.Target = by
	}
	if by, ok := instead[c.Destination]; ok {
		c.Destination = by
	}
	return c
}

// has reports whether an action of a plan is one of a strategy.
func (s *GroundedStrategy) has(st planner.Step) bool {
	return slices.ContainsFunc(s.Steps, func(c state.Call) bool { return planner.SameCall(c, st.Call) })
}
