package planfault

import (
	"iter"
	"slices"

	"github.com/mishap-robotics/mishap/engine/internal/state"
	"github.com/mishap-robotics/mishap/ontology"
)

// stands reports whether the robot is known to be near what a call acts on.
func (p *Problem) stands(s *state.State, c state.Call) bool {
	x := c.Target
	if c.Destination != state.Nothing {
		x = c.Destination
	}
	return state.Query{State: s, Agent: c.Agent, Gripper: c.Gripper}.Near(c.Agent, x) >= state.AssumedTrue
}

// applicable lists the calls that can be executed in a state and change it.
func (p *Problem) applicable(s *state.State) []state.Call {
	var out []state.Call
	for _, a := range s.Objects.Onto.Actions {
		if a.OnlyTold || len(a.Effects) == 0 || len(a.Preconditions) == 0 || s.Objects.Onto.IsNavigation(a) {
			continue
		}
		for c := range p.calls(s, a) {
			if p.Interrupt.Raised() {
				return nil
			}
			if p.means(s, c) && len(s.Judge(c).UnmetPreconditions()) == 0 && p.changes(s, c) {
				out = append(out, c)
			}
		}
	}
	return out
}

// calls are those of an action with what an edit may bring in.
func (p *Problem) calls(s *state.State, a *ontology.ActionSchema) iter.Seq[state.Call] {
	targets, destinations := p.Objects, []state.Object{state.Nothing}
	if a.Params > 1 {
		targets, destinations = s.Held(p.Gripper), slices.Concat(p.Objects, p.Aside)
	}
	return func(yield func(state.Call) bool) {
		for _, x := range targets {
			for _, y := range destinations {
				if p.Interrupt.Raised() {
					return
				}
				if x == y || y != state.Nothing && s.Objects.Onto.Preferred(a, s.Objects.Class(y)) != a {
					continue
				}
				if !yield(state.Call{Schema: a, Agent: p.Robot, Gripper: p.Gripper, Target: x, Destination: y}) {
					return
				}
			}
		}
	}
}

// means reports whether a destination that an action could do without has a part in
// it: it changes, or takes what is poured away.
func (p *Problem) means(s *state.State, c state.Call) bool {
	if c.Schema.Required == c.Schema.Params || c.Destination == state.Nothing || s.Objects.HasProperty(c.Destination, s.Objects.Onto.Roles.Drain) {
		return true
	}
	return slices.ContainsFunc(s.Clone().Apply(c, state.Predicted, 0), func(ch state.Change) bool { return ch.Fluent.Obj == c.Destination })
}

func (p *Problem) changes(s *state.State, c state.Call) bool {
	return applies(s, c) && !state.Idle(s.Clone().Apply(c, state.Predicted, 0))
}

// applies reports whether a call is of a kind that means something for its
// target: an action needs each of its conditions decided, not merely unknown.
func applies(s *state.State, c state.Call) bool {
	q := state.Query{State: s, Agent: c.Agent, Gripper: c.Gripper}
	for i := range c.Schema.Preconditions {
		for _, pattern := range c.Schema.Preconditions[i].Requires {
			if pattern.Predicate != s.Objects.Onto.Core.HasProperty {
				continue
			}
			if t, _ := q.Best([]ontology.Pattern{pattern}, c.Binding()); t < state.AssumedTrue {
				return false
			}
		}
	}
	return true
}
