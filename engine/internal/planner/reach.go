package planner

import (
	"slices"

	"github.com/mishap-robotics/mishap/engine/internal/state"
)

// Reach tells what the robot is near.
type Reach struct {
	domain *Domain
	// anywhere is true where the robot reaches everything wherever it stands.
	anywhere bool
	beside   map[[2]state.Object]state.Object // of Problem
	assumed  []state.Object                   // whose place is only assumed
}

// Reaches reports whether the robot is known to be within reach of an object.
func (r *Reach) Reaches(s *state.State, x state.Object) bool {
	if r.anywhere || r.domain.Within(s, x, r.domain.Gripper) || r.nearTo(s, x) {
		return true
	}
	at := s.Anchor(r.domain.Agent)
	if at == state.Nothing {
		return false
	}
	if p := s.Place(at); p.Status == state.Assumed && slices.Contains(r.assumed, at) {
		return at == x // where that is, nobody knows
	}
	return at == x || r.domain.Within(s, x, at) && !r.domain.Broad(at) || r.domain.Within(s, at, x) || r.seenBeside(s, at, x)
}

// seenBeside reports whether an object was seen from beside another, and neither has
// been moved since.
func (r *Reach) seenBeside(s *state.State, at, x state.Object) bool {
	place, seen := r.beside[[2]state.Object{at, x}]
	own, known := r.beside[[2]state.Object{at, at}]
	return seen && known && s.Place(x).At == place && s.Place(at).At == own && !s.Gone(x)
}

// nearTo reports whether the robot was observed near an object, or near what that
// lies in.
func (r *Reach) nearTo(s *state.State, x state.Object) bool {
	for range len(r.domain.Objects.Items) {
		if s.HasEdge(r.domain.Agent, r.domain.Onto.Core.Near, x) {
			return true
		}
		at := s.Place(x).At
		if at == state.Nothing || r.domain.Broad(at) {
			return false
		}
		x = at
	}
	return false
}

// TooFar lists what an action needs the robot to be near and it is not known to be.
func (r *Reach) TooFar(s *state.State, c state.Call) []state.Object {
	var out []state.Object
	for i := range c.Schema.Preconditions {
		for _, p := range c.Schema.Preconditions[i].Requires {
			if p.Predicate != r.domain.Onto.Core.Near || !p.Object.IsVar() {
				continue
			}
			if x := c.Binding()[p.Object.Var].Object(); x != state.Nothing && !r.Reaches(s, x) {
				out = append(out, x)
			}
		}
	}
	return out
}
