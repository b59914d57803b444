package planner

import (
	"slices"

	"github.com/mishap-robotics/mishap/engine/internal/state"
)

// Imagined is the step of what is imagined.
const Imagined = 1 << 30

// Simulator executes actions in the action model, and judges what stands against them.
type Simulator struct {
	domain      *Domain
	reach       *Reach
	constraints *Constraints
	budget      *Budget
}

// Holds judges a literal in a state.
func (sim *Simulator) Holds(s *state.State, l Literal) bool {
	if l.Predicate == sim.domain.Onto.Core.Near {
		return sim.reach.Reaches(s, l.Value.Object()) != l.Negated
	}
	if s.Gone(l.Subject) || s.Gone(l.Value.Object()) {
		return l.Negated
	}
	t := sim.domain.Query(s).Holds(state.ObjectRef(l.Subject), l.Predicate, l.Value)
	if l.Negated {
		if !sim.domain.IsState(l) && !sim.domain.IsPlace(l) {
			return t < state.AssumedTrue // what is not said to be so is not
		}
		return t <= state.AssumedFalse
	}
	return t >= state.AssumedTrue
}

// Violations lists what stands against an action: unmet preconditions, violated norms,
// and that it is forbidden. Reach is judged apart.
func (sim *Simulator) Violations(s *state.State, c state.Call) []state.Violation {
	sim.budget.spent++
	if v, ok := sim.constraints.unclear(c); ok {
		return []state.Violation{v}
	}
	return append(s.Judge(c).UnmetPreconditions(), sim.constraints.violations(s, c)...)
}

// Idle reports whether all that an action brings about is so already.
func (sim *Simulator) Idle(s *state.State, c state.Call) bool {
	if c.Schema.Conditional() || len(c.Schema.Effects) == 0 || s.Gone(c.Target) {
		return false
	}
	sim.budget.spent++
	return state.Idle(s.Clone().Apply(c, state.Predicted, Imagined))
}

// Perform carries out an action whether or not its preconditions hold.
func (sim *Simulator) Perform(node *Node, c state.Call) []state.Change {
	sim.budget.spent++
	s := node.State
	s.GoOn(state.Predicted, Imagined)
	before := s.Place(c.Target)
	changes := s.Apply(c, state.Predicted, Imagined)
	s.GoOn(state.Predicted, Imagined)
	if at := s.Anchor(c.Agent); at != state.Nothing && at == c.Target && s.Place(at).At == c.Gripper {
		s.SetAnchor(c.Agent, before.At) // it has taken up what it went to
	}
	return changes
}

// Note keeps in mind what an action of a plan moves elsewhere than planned, and
// whether the robot is where the plan had it.
func (sim *Simulator) Note(node *Node, c state.Call, from Origin) {
	if sim.domain.Prepares(c.Schema) {
		node.Strict = from != FromPlan || sim.elsewhere(node, c.Target)
		return
	}
	x := c.Target
	if x == state.Nothing || from == FromPlan && !node.Strict || node.State.Place(x).Status == state.Unknown {
		return
	}
	if sim.domain.Movable(x) && !slices.Contains(node.Moved, x) {
		node.Moved = append(node.Moved, x)
	}
}

// Skip keeps in mind that an action of the plan is left out: what it would have moved is
// elsewhere than the plan has it from then on.
func (sim *Simulator) Skip(node *Node, c state.Call) {
	x := c.Target
	if x == state.Nothing || !sim.domain.Movable(x) || slices.Contains(node.Moved, x) || sim.domain.Prepares(c.Schema) || sim.Idle(node.State, c) {
		return
	}
	try := &Node{State: node.State.Clone()}
	sim.Perform(try, c)
	if try.State.Place(x).At != node.State.Place(x).At {
		node.Moved = append(slices.Clip(node.Moved), x)
	}
}

// Far lists what an action needs the robot to be near and it is not known to be. An
// action of the plan, and no other, is taken to be done where the plan had the robot,
// unless that has changed.
func (sim *Simulator) Far(node *Node, c state.Call, from Origin) []state.Object {
	out := sim.reach.TooFar(node.State, c)
	if from != FromPlan || sim.strictly(node) || len(out) == 0 {
		return out
	}
	return slices.DeleteFunc(out, func(x state.Object) bool { return !sim.elsewhere(node, x) })
}

// elsewhere reports whether an object, what it was cut from, or what it lies in was put
// elsewhere than the plan had it.
func (sim *Simulator) elsewhere(node *Node, x state.Object) bool {
	for range len(sim.domain.Objects.Items) {
		if x == state.Nothing {
			return false
		}
		if whole := sim.domain.Objects.Items[x].Origin; slices.Contains(node.Moved, x) || whole != state.Nothing && slices.Contains(node.Moved, whole) {
			return true
		}
		x = node.State.Place(x).At
	}
	return false
}

// strictly reports whether what the robot reaches has to be known.
func (sim *Simulator) strictly(node *Node) bool { return node.Strict && !sim.reach.anywhere }

// GoTo makes the robot move to an object.
func (sim *Simulator) GoTo(node *Node, x state.Object) (Step, bool) {
	if sim.domain.Move == nil {
		return Step{}, false
	}
	c := sim.domain.Call(sim.domain.Move, x, state.Nothing)
	sim.Perform(node, c)
	node.Strict = true
	return Step{Call: c, From: FromSubgoal}, true
}

// Approach adds to a plan the moves to some objects. ok is false where the robot cannot
// move.
func (sim *Simulator) Approach(node *Node, plan []Step, objects []state.Object) (longer []Step, ok bool) {
	for _, x := range objects {
		move, can := sim.GoTo(node, x)
		if !can {
			return nil, false
		}
		plan = append(plan, move)
	}
	return plan, true
}

// Continue adds an action to a plan and carries it out, after the moves that it lacks. ok
// is false where the robot cannot move.
func (sim *Simulator) Continue(node *Node, plan []Step, st Step) (longer []Step, ok bool) {
	if plan, ok = sim.Approach(node, plan, sim.Far(node, st.Call, st.From)); !ok {
		return nil, false
	}
	sim.Perform(node, st.Call)
	sim.Note(node, st.Call, st.From)
	return append(plan, st), true
}

// Fingerprint sums up a state, but for where the robot is.
func (sim *Simulator) Fingerprint(s *state.State) uint64 {
	h := uint64(14695981039346656037)
	mix := func(v int32) { h = (h ^ uint64(uint32(v))) * 1099511628211 }
	mix(int32(s.Staged()))
	for x := range state.Object(len(sim.domain.Objects.Items)) {
		mix(-1)
		if s.Gone(x) {
			mix(-2)
			continue
		}
		for slot, v := range s.Known(x) {
			if mix(slot); v.At != state.Nothing {
				mix(int32(v.At))
			} else {
				mix(int32(v.Term) + 1<<20)
				if v.Number != 0 {
					high, low := v.Number.Words()
					mix(high)
					mix(low)
				}
			}
		}
		if links := fingerprintOfLinks(s.Links(x)); links != 0 {
			mix(int32(links))
			mix(int32(links >> 32))
		}
	}
	return h
}

// fingerprintOfLinks sums up the lasting relations of an object, in whatever order they came.
func fingerprintOfLinks(links []state.Link) uint64 {
	var sum uint64
	for _, l := range links {
		if !l.From && !l.Ended {
			h := (uint64(uint32(l.Relation))<<32 | uint64(uint32(l.Other))) * 0x9e3779b97f4a7c15
			sum += (h ^ h>>29) * 0xbf58476d1ce4e5b9
		}
	}
	return sum
}
