package planner

import (
	"slices"

	"github.com/mishap-robotics/mishap/engine/internal/state"
)

// sense looks at an object of which a state is not known that no action and no
// process brings about, and goes on as if it were what is asked for.
func (r *Regression) sense(node *Node, l Literal) ([]Step, bool) {
	if !r.domain.knowable(node.State, l) {
		return nil, false
	}
	var out []Step
	if !r.reach.Reaches(node.State, l.Subject) {
		st, ok := r.sim.GoTo(node, l.Subject)
		if !ok {
			return nil, false
		}
		out = append(out, st)
	}
	v := state.Value{Term: l.Value.Term(), At: state.Nothing, Status: state.Assumed, Since: Imagined}
	f := state.Fluent{Obj: l.Subject, Slot: node.State.SlotOf(l.Value.Term())}
	node.State.Set(f, v)
	found := &LookResult{f, v, r.domain.Text(l), r.domain.Objects.Name(l.Subject), ""}
	return append(out, Step{Call: r.domain.Call(r.domain.Look, l.Subject, state.Nothing), From: FromLook, Finds: found}), true
}

// lookFor looks whether an object is where it is only assumed to be.
func (r *Regression) lookFor(node *Node, x state.Object) []Step {
	if r.domain.Look == nil || x == state.Nothing || !slices.Contains(r.reach.assumed, x) {
		return nil
	}
	at := node.State.Place(x)
	if at.Status != state.Assumed || at.At == state.Nothing || r.domain.Objects.IsA(at.At, r.domain.Onto.Core.RobotGripper) {
		return nil
	}
	f := state.Fluent{Obj: x, Slot: state.PlaceSlot}
	node.State.Set(f, state.Value{Term: at.Term, At: at.At, Status: state.Predicted, Since: Imagined})
	if slices.Contains(node.looked, at.At) {
		return nil // it has looked there for something else
	}
	node.looked = append(slices.Clip(node.looked), at.At)
	text := r.domain.Text(Literal{Subject: x, Predicate: at.Term, Value: state.ObjectRef(at.At)})
	found := &LookResult{f, at, text, r.domain.Objects.Name(x), r.domain.Objects.Name(at.At)}
	return []Step{{Call: r.domain.Call(r.domain.Look, x, state.Nothing), From: FromLook, Finds: found}}
}
