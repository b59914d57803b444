package planner

import (
	"slices"

	"github.com/mishap-robotics/mishap/engine/internal/state"
	"github.com/mishap-robotics/mishap/ontology"
)

// Constraints are what a plan may not do, and what must not be so after it.
type Constraints struct {
	domain    *Domain
	exempt    []string          // names of norms that do not apply
	excluded  []Literal         // what must not stay so
	reason    string            // why not
	forbidden map[string]string // calls, with what they would bring about
	calls     []state.Call      // that are forbidden
	kinds     map[kind]string   // of calls that are forbidden whatever they are done with
	apart     bool              // nothing is taken out of another gripper
}

// kind is an action on things of some classes.
type kind struct {
	schema              *ontology.ActionSchema
	target, destination ontology.TermID
}

func (c *Constraints) kindOf(call state.Call) kind {
	k := kind{call.Schema, ontology.None, ontology.None}
	if call.Target != state.Nothing {
		k.target = c.domain.Objects.Class(call.Target)
	}
	if call.Destination != state.Nothing {
		k.destination = c.domain.Objects.Class(call.Destination)
	}
	return k
}

// ForbidKind keeps a call out of all plans from now on, and the same with whatever is of the same
// classes.
func (c *Constraints) ForbidKind(call state.Call, why string) {
	if c.kinds == nil {
		c.kinds = map[kind]string{}
	}
	c.kinds[c.kindOf(call)] = why
	c.Forbid(call, why)
}

// Forbid keeps a call out of all plans from now on.
func (c *Constraints) Forbid(call state.Call, why string) {
	c.forbidden[c.domain.Objects.CallText(call)] = why
	c.calls = append(c.calls, call)
}

// forbidsPlace reports whether an object must not be put where a literal has it: nor is what
// it is cut from to be cut there.
func (c *Constraints) forbidsPlace(l Literal) bool {
	if !c.domain.IsPlace(l) {
		return false
	}
	for k := range c.kinds {
		if at := l.Value.Object(); at != state.Nothing && k.destination != ontology.None && k.target == c.domain.Objects.Class(l.Subject) && k.destination == c.domain.Objects.Class(at) {
			return true
		}
	}
	return slices.ContainsFunc(c.calls, func(call state.Call) bool { return call.Target == l.Subject && l.isOf(call.Destination) })
}

// Forbidden counts the calls, and kinds of calls, that are kept out of plans.
func (c *Constraints) Forbidden() int { return len(c.forbidden) + len(c.kinds) }

// Excluded lists what must not stay so; Reason says why.
func (c *Constraints) Excluded() []Literal { return c.excluded }

// Reason says why what is excluded must not stay so.
func (c *Constraints) Reason() string { return c.reason }

// Excludes reports whether a part of a goal must not be so.
func (c *Constraints) Excludes(l Literal) bool {
	return slices.ContainsFunc(c.excluded, func(e Literal) bool {
		switch {
		case e.Subject != l.Subject:
			return false
		case c.domain.IsPlace(l):
			return c.domain.IsPlace(e) && e.Value == l.Value
		}
		return c.domain.IsState(l) && c.domain.IsState(e) && c.domain.Onto.StateIs(l.Value.Term(), e.Value.Term()) > 0
	})
}

// violations lists the norms that a call violates, and the reason for which it is
// forbidden.
func (c *Constraints) violations(s *state.State, call state.Call) []state.Violation {
	var out []state.Violation
	for _, v := range s.Judge(call).ViolatedNorms() {
		if !slices.Contains(c.exempt, v.Name) {
			out = append(out, v)
		}
	}
	if c.apart && c.heldElsewhere(s, call) {
		out = append(out, state.Violation{Name: elsewhereName, Comment: "another gripper holds it", Culprit: call.Target})
	}
	if len(c.forbidden) > 0 {
		why, ok := c.forbidden[c.domain.Objects.CallText(call)]
		if !ok {
			why, ok = c.kinds[c.kindOf(call)]
		}
		if ok {
			out = append(out, state.Violation{Name: forbiddenName, Comment: why, Culprit: state.Nothing})
		}
	}
	return out
}

// heldElsewhere reports whether an action does something to what another gripper holds.
func (c *Constraints) heldElsewhere(s *state.State, call state.Call) bool {
	if call.Target == state.Nothing || call.Schema == c.domain.Move || call.Schema == c.domain.Look {
		return false
	}
	at := s.Place(call.Target).At
	return at != state.Nothing && at != call.Gripper && c.domain.Objects.IsA(at, c.domain.Onto.Core.RobotGripper)
}

// unclear finds an object of a call that stands for several.
func (c *Constraints) unclear(call state.Call) (state.Violation, bool) {
	objects := c.domain.Objects
	for _, x := range []state.Object{call.Target, call.Destination} {
		if x == state.Nothing {
			continue
		}
		if objects.IsVague(x) {
			return state.Violation{Name: unclearName, Comment: "it is not clear which " + objects.Name(x) + " is meant", Culprit: x}, true
		}
	}
	return state.Violation{}, false
}

// Forbids reports whether a violation is that a call is forbidden, whatever is so.
func Forbids(v *state.Violation) bool { return v.Name == forbiddenName }

// Names of violations that are neither preconditions nor norms.
const (
	forbiddenName = "forbidden"
	elsewhereName = "held elsewhere"
	unclearName   = "unclear"
)
