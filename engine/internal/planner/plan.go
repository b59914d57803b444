package planner

import "github.com/mishap-robotics/mishap/engine/internal/state"

// Origin says where an action of a plan comes from.
type Origin string

// The origins that planning tells apart. An action of the plan is taken to be done
// where that had the robot; for a subgoal and for what was advised it has to be known
// that the robot is near.
const (
	FromPlan    Origin = "plan"    // of the plan that is followed
	FromSubgoal Origin = "subgoal" // it achieves what another action or the goal needs
	FromLook    Origin = "look"    // it finds out
	FromAdvice  Origin = "advice"  // of a plan that an adviser proposed
)

// Step is an action of a plan.
type Step struct {
	Call state.Call
	From Origin
	// Finds is what a look is to find; nil where it is no look, or for anything.
	Finds *LookResult
	// Assumes is what has to be so for the action to have the effect that the plan
	// relies on, and nobody knows.
	Assumes []string
	// Far is true where the robot is known not to get near what it is about before it.
	Far bool
}

// Text is an action as plans write it.
func (s *Step) Text(objects *state.Objects) string { return objects.CallText(s.Call) }

// LookResult is what the plan after a look relies on: a state of an object, or a place.
type LookResult struct {
	Fluent state.Fluent
	Value  state.Value
	Text   string
	// Object and Place are its object, and where it is found to be, by name.
	Object, Place string
}

// Assume makes a state what a look is relied on to find, where it is not known.
func (l *LookResult) Assume(s *state.State) {
	if l != nil && s.Get(l.Fluent).Status == state.Unknown {
		s.Set(l.Fluent, l.Value)
	}
}

// SameCall reports whether two calls are of the same action on the same objects.
func SameCall(a, b state.Call) bool {
	return a.Schema == b.Schema && a.Target == b.Target && a.Destination == b.Destination
}
