package planner

import (
	"slices"

	"github.com/mishap-robotics/mishap/engine/internal/state"
)

// Node is a search node: the state that a plan leads to, and what has to be remembered
// of the way there.
type Node struct {
	State *state.State
	// Strict is true where the robot has gone elsewhere than the plan had it, so
	// that what it reaches has to be known.
	Strict bool
	// Moved are the objects that were put elsewhere than the plan had them.
	Moved []state.Object
	// looked are the places that were looked into for something only assumed there.
	looked []state.Object
	// settled are the objects that were looked at, for what they are suspected to be.
	settled []state.Object
}

// Clone is a node to go on from without changing this one.
func (n *Node) Clone() *Node {
	return &Node{n.State.Clone(), n.Strict, slices.Clip(n.Moved), slices.Clip(n.looked), slices.Clip(n.settled)}
}

// Root is the node of a state in which the robot may be anywhere.
func Root(s *state.State) *Node { return &Node{State: s.Clone(), Strict: true} }
