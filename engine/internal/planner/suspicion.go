package planner

import (
	"slices"

	"github.com/mishap-robotics/mishap/engine/internal/state"
	"github.com/mishap-robotics/mishap/ontology"
)

// Suspicion is a state that an object may be in, and that nobody has looked for since.
type Suspicion struct {
	Object state.Object
	State  ontology.TermID
}

// Suspicions are those of one problem.
type Suspicions struct {
	domain *Domain
	list   []Suspicion
}

// Unsettled finds a suspicion that keeps an action from being done before a look at its
// object: were it so, a precondition or norm would not hold.
func (p *Suspicions) Unsettled(c state.Call, looked []state.Object) (Suspicion, bool) {
	for _, s := range p.list {
		if !slices.Contains(looked, s.Object) && (s.Object == c.Target && p.minds(c.Schema, ontology.VarTarget, s.State) || s.Object == c.Destination && p.minds(c.Schema, ontology.VarDestination, s.State)) {
			return s, true
		}
	}
	return Suspicion{}, false
}

// minds reports whether a condition of an action forbids a state of a parameter.
func (p *Suspicions) minds(a *ontology.ActionSchema, parameter int, st ontology.TermID) bool {
	forbids := func(c ontology.Condition) bool {
		return slices.ContainsFunc(c.Forbids, func(f ontology.Pattern) bool {
			return f.Subject.Var == parameter && f.Predicate == p.domain.Onto.Core.State && f.Object.Term != ontology.None && p.domain.Onto.StateIs(st, f.Object.Term) > 0
		})
	}
	return slices.ContainsFunc(a.Preconditions, forbids) || slices.ContainsFunc(a.Norms, forbids)
}

// IsLook reports whether an action looks at an object.
func (p *Suspicions) IsLook(c state.Call, x state.Object) bool {
	return c.Schema == p.domain.Look && c.Target == x
}

// look finds out, before an action, that what is suspected is not so.
func (r *Regression) settle(node *Node, c state.Call) []Step {
	if r.domain.Look == nil {
		return nil
	}
	var out []Step
	for {
		s, open := r.suspicions.Unsettled(c, node.settled)
		if !open {
			return out
		}
		node.settled = append(slices.Clip(node.settled), s.Object)
		not := Literal{Subject: s.Object, Predicate: r.domain.Onto.Core.State, Value: state.TermRef(s.State), Negated: true}
		found := &LookResult{Fluent: state.Fluent{Obj: s.Object, Slot: node.State.SlotOf(s.State)}, Text: r.domain.Text(not), Object: r.domain.Objects.Name(s.Object)}
		if to := r.domain.Onto.Opposite(s.State); to != ontology.None {
			found.Value, found.Text = state.Value{Term: to, At: state.Nothing, Status: state.Assumed, Since: Imagined}, r.domain.Text(r.domain.InState(s.Object, to))
		}
		out = append(out, Step{Call: r.domain.Call(r.domain.Look, s.Object, state.Nothing), From: FromLook, Finds: found})
	}
}
