package planner

import (
	"slices"

	"github.com/mishap-robotics/mishap/engine/internal/state"
)

// makeRoom brings it about that an object has room where something is taken out of it.
func (r *Regression) makeRoom(node *Node, l Literal, p path) (steps []Step, ok, is bool) {
	if l.Predicate != r.domain.Onto.Core.HasRoom {
		return nil, false, false
	}
	for range 4 {
		if r.sim.Holds(node.State, l) {
			return steps, true, true
		}
		taken := false
		for _, x := range node.State.Contents(l.Subject) {
			if node.State.Gone(x) || x == l.Value.Object() {
				continue
			}
			try := node.Clone()
			more, ok := r.putAside(try, x, l.Subject, p)
			if ok {
				*node, taken = *try, true
				steps = append(steps, more...)
				break
			}
		}
		if !taken {
			return nil, false, true
		}
	}
	return steps, r.sim.Holds(node.State, l), true
}

// end brings it about that a literal holds no more.
func (r *Regression) end(node *Node, l Literal, p path) ([]Step, bool) {
	switch {
	case r.domain.IsState(l):
		return r.endState(node, l, p)
	case r.domain.IsPlace(l):
		return r.putAside(node, l.Subject, l.Value.Object(), p)
	case r.domain.Onto.Persistent(l.Predicate):
		return r.cheapest(node, r.achievers.enders(node.State, l), p, l)
	}
	// What stands in the way does so no more once it is taken away.
	steps, ok := r.achieve(node, r.domain.inGripper(l.Subject), p)
	return steps, ok && r.sim.Holds(node.State, l)
}

// endState puts an object into another state of the dimension, its opposite first.
func (r *Regression) endState(node *Node, l Literal, p path) ([]Step, bool) {
	others := r.domain.contraries(node.State, l.Value.Term())
	for _, t := range others[:min(len(others), 2)] {
		try := node.Clone()
		if steps, ok := r.achieve(try, r.domain.InState(l.Subject, t), p); ok {
			*node = *try
			return steps, true
		}
	}
	return nil, false
}

// putAside brings an object elsewhere than where it is: to where the goal has it,
// else onto a surface.
func (r *Regression) putAside(node *Node, x, from state.Object, p path) ([]Step, bool) {
	if !r.domain.Movable(x) || p.depth >= MaxDepth {
		return nil, false
	}
	if steps, ok := r.putOnAny(node, x, r.destinations(node.State, x, from), p); ok {
		return steps, true
	}
	return r.putOnAny(node, x, r.vessels(node.State, x, from), p)
}

// vessels lists what can be carried and takes an object, as where it must not lie bare.
func (r *Regression) vessels(s *state.State, x, from state.Object) []state.Object {
	var out []state.Object
	for _, y := range r.inventory.usable {
		if r.domain.Movable(y) && !s.Gone(y) && r.domain.receives(y, x) && !r.domain.Within(s, y, from) && !r.domain.Within(s, y, x) {
			if c, ok := r.domain.putting(x, y); ok && len(r.sim.constraints.violations(s, c)) == 0 {
				out = append(out, y)
			}
		}
	}
	needed := func(y state.Object) bool {
		return slices.ContainsFunc(r.goal.pursued, func(l Literal) bool { return l.Subject == y || l.isOf(y) })
	}
	first, last := slices.Clone(out), out
	return append(slices.DeleteFunc(first, needed), slices.DeleteFunc(last, func(y state.Object) bool { return !needed(y) })...)
}

// putOnAny puts an object in or on one of the first few places that it can be put.
func (r *Regression) putOnAny(node *Node, x state.Object, places []state.Object, p path) ([]Step, bool) {
	var best []Step
	var after *Node
	for _, y := range places[:min(len(places), 3)] {
		c, ok := r.domain.putting(x, y)
		if !ok {
			continue
		}
		try := node.Clone()
		steps, ok := r.carryOut(try, c, path{p.subgoals, p.depth + 2}, FromSubgoal)
		if ok && (after == nil || len(steps) < len(best)) {
			best, after = steps, try
		}
		if after != nil && len(best) <= 2 {
			break
		}
	}
	if after == nil {
		return nil, false
	}
	*node = *after
	return best, true
}

// destinations lists where an object can be put instead of where it is, the best first.
func (r *Regression) destinations(s *state.State, x, from state.Object) []state.Object {
	var out []state.Object
	for _, l := range r.goal.pursued {
		if y := l.Value.Object(); l.Subject == x && r.domain.IsPlace(l) && !r.domain.Within(s, y, from) {
			out = append(out, y)
		}
	}
	for _, y := range r.inventory.surfaces {
		if !r.domain.Within(s, y, from) && !slices.Contains(out, y) {
			out = append(out, y)
		}
	}
	return out
}

// makePiece cuts or cracks what a piece comes from.
func (r *Regression) makePiece(node *Node, piece state.Object) ([]Step, bool) {
	whole := r.domain.Objects.Items[piece].Origin
	if whole == state.Nothing || node.State.Gone(whole) {
		return nil, false
	}
	for _, a := range r.domain.actions {
		if r.domain.Makes(a, whole, piece) {
			try := node.Clone()
			if steps, ok := r.carryOut(try, r.domain.Call(a, whole, state.Nothing), path{depth: 1}, FromSubgoal); ok && !try.State.Gone(piece) {
				*node = *try
				return steps, true
			}
		}
	}
	return nil, false
}
