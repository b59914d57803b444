package planner

import (
	"cmp"
	"slices"

	"github.com/mishap-robotics/mishap/engine/internal/state"
	"github.com/mishap-robotics/mishap/ontology"
)

// Bounds of one regression: how deep subgoals rest on others, how many alternatives are
// tried for one, and how many conditions of one action are met in turn.
const (
	MaxDepth      = 18
	maxAchievers  = 4
	maxConditions = 9
)

// Regression achieves literals and carries out actions by working back from them to the
// conditions that are unmet (means-ends analysis).
type Regression struct {
	domain     *Domain
	inventory  *Inventory
	suspicions *Suspicions
	reach      *Reach
	sim        *Simulator
	goal       *Goal
	achievers  *achievers
	budget     *Budget
}

// path are the subgoals that are being achieved, so that none is achieved for its own
// sake.
type path struct {
	subgoals []Literal
	depth    int
}

// with is the path with one more subgoal, false where it is too deep or leads back.
func (p path) with(l Literal) (path, bool) {
	if p.depth >= MaxDepth || slices.Contains(p.subgoals, l) {
		return p, false
	}
	return path{append(slices.Clip(p.subgoals), l), p.depth + 1}, true
}

// Achieve brings a literal about by the cheapest of its achievers. depth, up to
// MaxDepth, is taken to be gone already; the node changes only where it succeeds.
func (r *Regression) Achieve(node *Node, l Literal, depth int) ([]Step, bool) {
	return r.achieve(node, l, path{depth: depth})
}

// CarryOut does what an action needs, moves to where it is done, and does it. depth is
// as in Achieve.
func (r *Regression) CarryOut(node *Node, c state.Call, depth int, from Origin) ([]Step, bool) {
	return r.carryOut(node, c, path{depth: depth}, from)
}

// achieve brings a literal about that is a subgoal of others.
func (r *Regression) achieve(node *Node, l Literal, p path) ([]Step, bool) {
	if r.sim.Holds(node.State, l) {
		return nil, true
	}
	q, ok := p.with(l)
	if !ok || r.budget.Exhausted() {
		return nil, false
	}
	if l.Predicate == r.domain.Onto.Core.Near && !l.Negated {
		return r.goTo(node, l.Value.Object(), q)
	}
	if l.Negated {
		return r.end(node, l, q)
	}
	if steps, ok := r.sense(node, l); ok {
		return steps, true
	}
	if steps, ok, is := r.makeRoom(node, l, q); is {
		return steps, ok
	}
	return r.cheapest(node, r.achievers.of(node.State, l), q, l)
}

// cheapest tries achievers and takes the one with the fewest actions; deep in a
// recursion the first that succeeds.
func (r *Regression) cheapest(node *Node, list []achiever, p path, l Literal) ([]Step, bool) {
	var best []Step
	var after *Node
	for _, a := range list {
		if r.budget.Exhausted() {
			break
		}
		try := node.Clone()
		steps, ok := r.follow(try, &a, p, l)
		if !ok || !r.sim.Holds(try.State, l) {
			continue
		}
		if after == nil || len(steps) < len(best) {
			best, after = steps, try
		}
		if p.depth > 2 || len(best) <= 2 {
			break
		}
	}
	if after == nil {
		return nil, false
	}
	*node = *after
	return best, true
}

// follow uses an achiever of a literal. What a process needs may end with what it brings
// about, as a lock that it opens.
func (r *Regression) follow(node *Node, a *achiever, p path, to Literal) ([]Step, bool) {
	steps, ok := r.all(node, a.initially, p)
	if !ok {
		return nil, false
	}
	more, ok := r.all(node, a.conditions, p)
	if !ok && (a.process == nil || !r.sim.Holds(node.State, to)) {
		return nil, false
	}
	steps = append(steps, more...)
	if a.process == nil {
		more, ok := r.carryOut(node, a.call, p, FromSubgoal)
		return append(steps, more...), ok
	}
	if n := len(steps); n > 0 {
		steps[n-1].Assumes = append(slices.Clip(steps[n-1].Assumes), a.assumes...)
	}
	return append(steps, r.switchBack(node, steps)...), true
}

// switchBack turns off what was turned on for a process and must not be left on.
func (r *Regression) switchBack(node *Node, steps []Step) []Step {
	var out []Step
	for _, st := range steps {
		x := st.Call.Target
		if x == state.Nothing || !slices.Contains(r.goal.LeftOn(node.State), x) {
			continue
		}
		if more, ok := r.Achieve(node, r.goal.off(x), 4); ok {
			out = append(out, more...)
		}
	}
	return out
}

// all brings several literals about, so that in the end all hold at once. Where it
// fails, it returns what was done until then.
func (r *Regression) all(node *Node, ls []Literal, p path) ([]Step, bool) {
	var out []Step
	for range 3 {
		open := false
		for _, l := range ls {
			if r.sim.Holds(node.State, l) {
				continue
			}
			open = true
			steps, ok := r.achieve(node, l, p)
			if !ok {
				return out, false
			}
			out = append(out, steps...)
		}
		if !open {
			return out, true
		}
	}
	return out, false
}

// carryOut carries an action out for the sake of subgoals.
func (r *Regression) carryOut(node *Node, c state.Call, p path, from Origin) ([]Step, bool) {
	var out []Step
	about := c.Schema.Params > 0 || len(c.Schema.Effects) == 0 // who charges where it stands needs nothing to do it to
	if c.Target == r.domain.Gripper || c.Destination == r.domain.Gripper || about && c.Target == c.Destination {
		return nil, false
	}
	for range maxConditions {
		vs := r.sim.Violations(node.State, c)
		if len(vs) == 0 {
			more, ok := r.perform(node, c, p, from)
			if !ok {
				return nil, false
			}
			return append(out, more...), true
		}
		if v := vs[0]; v.Name == state.Exists && r.domain.Objects.Items[v.Culprit].Origin != state.Nothing && p.depth < MaxDepth {
			steps, ok := r.makePiece(node, v.Culprit)
			if !ok {
				return nil, false
			}
			out = append(out, steps...)
			continue
		}
		v := slices.MinFunc(vs, func(a, b state.Violation) int { return cmp.Compare(urgency(&a), urgency(&b)) })
		if v.Condition == nil || r.budget.Exhausted() || p.depth >= MaxDepth {
			return nil, false
		}
		steps, ok := r.remove(node, &v, path{p.subgoals, p.depth + 1}, c)
		if !ok {
			return nil, false
		}
		out = append(out, steps...)
	}
	return nil, false
}

// perform does an action that nothing stands against, from near what it is about.
func (r *Regression) perform(node *Node, c state.Call, p path, from Origin) ([]Step, bool) {
	var out []Step
	for _, x := range r.sim.Far(node, c, from) {
		more, ok := r.goTo(node, x, p)
		if !ok {
			return nil, false
		}
		out = append(out, more...)
	}
	if len(r.sim.Far(node, c, from)) > 0 {
		return nil, false
	}
	out = append(out, r.lookFor(node, c.Target)...)
	if c.Schema == r.domain.Look {
		node.settled = append(slices.Clip(node.settled), c.Target)
	}
	out = append(out, r.settle(node, c)...)
	r.sim.Perform(node, c)
	r.sim.Note(node, c, from)
	return append(out, Step{Call: c, From: from}), true
}

// goTo makes the robot move to an object, once its way there is clear.
func (r *Regression) goTo(node *Node, x state.Object, p path) ([]Step, bool) {
	if r.domain.Move == nil {
		return nil, false
	}
	c := r.domain.Call(r.domain.Move, x, state.Nothing)
	if len(r.domain.Move.Preconditions)+len(r.domain.Move.Norms) > 0 && len(r.sim.Violations(node.State, c)) > 0 {
		return r.carryOut(node, c, p, FromSubgoal)
	}
	st, ok := r.sim.GoTo(node, x)
	return []Step{st}, ok
}

// remove makes a condition hold that stands against an action.
func (r *Regression) remove(node *Node, v *state.Violation, p path, c state.Call) ([]Step, bool) {
	if steps, ok := r.measure(node, v, p, c); ok {
		return steps, true
	}
	q := r.domain.Query(node.State)
	if len(v.Condition.Requires) > 0 {
		if t := q.Truth(v.Condition.Requires, v.Binding); t <= state.AssumedFalse {
			return r.require(node, v, p)
		}
	}
	ls := r.domain.Literals(v.Condition.Forbids, v.Binding)
	slices.SortStableFunc(ls, func(a, b Literal) int { return r.domain.endOrder(a) - r.domain.endOrder(b) })
	for _, l := range ls {
		l.Negated = true
		if !r.domain.IsState(l) && l.Subject == c.Target && c.Destination == state.Nothing && !l.isOf(r.domain.Gripper) {
			continue // it is out of reach where it is
		}
		try := node.Clone()
		if steps, ok := r.achieve(try, l, p); ok {
			*node = *try
			return steps, true
		}
	}
	return nil, false
}

// require brings about what a condition asks for, with the objects for its free
// variables that take least.
func (r *Regression) require(node *Node, v *state.Violation, p path) ([]Step, bool) {
	var best []Step
	var after *Node
	for _, b := range r.achievers.bindings(node.State, v.Condition.Requires, v.Binding) {
		try := node.Clone()
		steps, ok := r.all(try, r.domain.Literals(v.Condition.Requires, b), p)
		if ok && (after == nil || len(steps) < len(best)) {
			best, after = steps, try
		}
		if after != nil && (p.depth > 2 || len(best) <= 2) || r.budget.Exhausted() {
			break
		}
	}
	if after == nil {
		return nil, false
	}
	*node = *after
	return best, true
}

// urgency orders what stands against an action: what takes a free gripper comes
// before taking hold of what the action needs.
func urgency(v *state.Violation) int {
	if v.Condition == nil {
		return -1
	}
	for _, p := range v.Condition.Requires {
		if p.Object.IsVar() && p.Object.Var == ontology.VarGripper {
			return 2
		}
	}
	for _, p := range v.Condition.Forbids {
		if p.Object.IsVar() && p.Object.Var == ontology.VarGripper {
			return 1
		}
	}
	return 0
}

// endOrder prefers to change a state to moving a thing.
func (d *Domain) endOrder(l Literal) int {
	if d.IsState(l) {
		return 0
	}
	return 1
}
