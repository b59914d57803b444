package planner

import (
	"fmt"
	"slices"

	"github.com/mishap-robotics/mishap/engine/internal/state"
	"github.com/mishap-robotics/mishap/ontology"
)

// achievers finds what achieves what.
type achievers struct {
	domain    *Domain
	inventory *Inventory
	sim       *Simulator
	rotation  int  // of the order of alternatives, for samples of plans
	whole     bool // none is left out: what is proved must hold of all of them
}

// achiever is one way to achieve a literal: an action, or what makes a process run,
// with what has to be so for it besides the preconditions.
type achiever struct {
	call       state.Call // without schema where it is a process
	initially  []Literal  // what has to be so at the beginning only
	conditions []Literal  // what has to be so besides the preconditions
	process    *ontology.Process
	assumes    []string // that nothing known speaks against
	rank       int
}

// all are its conditions, at the beginning and later.
func (a *achiever) all() []Literal { return append(slices.Clip(a.initially), a.conditions...) }

// none stands for no process: what is needed is enough.
var none = &ontology.Process{}

// of lists how a literal can come about, the cheapest first: by effects of actions and of processes.
func (ac *achievers) of(s *state.State, l Literal) []achiever {
	var out []achiever
	for _, a := range ac.domain.actions {
		for i := range a.Effects {
			e := &a.Effects[i]
			for j := range e.Then {
				if b, ok := ac.domain.unify(&e.Then[j], l, ac.domain.Call(a, state.Nothing, state.Nothing).Binding()); ok {
					out = append(out, ac.actions(s, a, e, b)...)
				}
			}
		}
	}
	for _, p := range ac.domain.Onto.Processes {
		for j := range p.Then {
			if b, ok := ac.domain.unify(&p.Then[j], l, state.NewBinding(len(p.Vars))); ok {
				out = append(out, ac.processes(s, p, b)...)
			}
		}
	}
	if ac.domain.IsPlace(l) {
		out = append(out, ac.carriers(s, l)...)
	}
	slices.SortStableFunc(out, func(a, b achiever) int { return a.rank - b.rank })
	if ac.whole {
		return out
	}
	out = rotated(out, ac.rotation)
	return out[:min(len(out), maxAchievers+2)]
}

// actions lists the calls of an action with an effect under a binding.
func (ac *achievers) actions(s *state.State, a *ontology.ActionSchema, e *ontology.Effect, b state.Binding) []achiever {
	for v := ontology.VarTarget; v < ontology.VarTarget+max(2, a.Params); v++ {
		if b[v].Object() == state.Nothing {
			b[v] = state.Unbound
		}
	}
	when := slices.Clone(e.When)
	named := func(p ontology.Pattern) bool {
		return p.Subject.Var == ontology.VarTarget || p.Object.Var == ontology.VarTarget
	}
	free := a.Required > 0 && b[ontology.VarTarget] == state.Unbound && !slices.ContainsFunc(when, named)
	if objects := a.Objects(); objects > 1 && objects == a.Required || b[ontology.VarDestination] != state.Unbound || free {
		when = append(when, ac.domain.lastingOf(a)...)
	}
	if free || a.Objects() < a.Params { // before a number all others are told
		when = append(when, ac.domain.classesOf(a, b)...)
	}
	var out []achiever
	for _, w := range ac.parameters(s, a, when, b) {
		c, whole := ac.domain.CallWith(a, w)
		if !whole {
			continue
		}
		if c.Target == state.Nothing && a.Required > 0 || c.Target == c.Destination && c.Target != state.Nothing {
			continue
		}
		if gripper := ac.domain.Gripper; c.Target == gripper || c.Destination == gripper {
			continue
		}
		if c.Destination != state.Nothing && a.Family != a.Name && ac.domain.Onto.Preferred(a, ac.domain.Objects.Class(c.Destination)) != a {
			continue
		}
		if !ac.domain.holdable(a, w) {
			continue
		}
		conditions := ac.domain.Literals(e.When, w)
		out = append(out, achiever{call: c, conditions: conditions, rank: 1 + 3*ac.unmet(s, conditions)})
	}
	return out
}

// enders lists the actions that end a lasting relation.
func (ac *achievers) enders(s *state.State, l Literal) []achiever {
	var out []achiever
	for _, a := range ac.domain.actions {
		for i := range a.Effects {
			e := &a.Effects[i]
			for j := range e.Ends {
				if b, ok := ac.domain.unify(&e.Ends[j], l, ac.domain.Call(a, state.Nothing, state.Nothing).Binding()); ok {
					out = append(out, ac.actions(s, a, e, b)...)
				}
			}
		}
	}
	slices.SortStableFunc(out, func(a, b achiever) int { return a.rank - b.rank })
	return out[:min(len(out), maxAchievers+2)]
}

// unmet weighs the literals that do not hold: a state that nobody has ever known of an
// object is unlikely to be one that it can have.
func (ac *achievers) unmet(s *state.State, ls []Literal) int {
	n := 0
	for _, l := range ls {
		if ac.sim.Holds(s, l) {
			continue
		}
		if n++; ac.domain.IsState(l) && s.SlotOf(l.Value.Term()) >= 0 && s.Get(state.Fluent{Obj: l.Subject, Slot: s.SlotOf(l.Value.Term())}).Status == state.Unknown {
			n += 3
		}
	}
	return n
}

// processes lists what makes a process run under a binding.
func (ac *achievers) processes(s *state.State, p *ontology.Process, b state.Binding) []achiever {
	var out []achiever
	for _, w := range ac.bindings(s, p.When, b) {
		conditions := ac.domain.Literals(p.When, w)
		var initially []Literal
		var assumes []string
		for _, alternative := range p.Unless {
			t, at := ac.domain.Query(s).AtLeast(alternative, w, state.AssumedTrue)
			if t < state.AssumedTrue {
				assumes = append(assumes, ac.undecided(s, alternative, w)...)
				continue
			}
			for _, l := range ac.domain.Literals(alternative, at) {
				l.Negated = true
				initially = append(initially, l)
				break
			}
		}
		slices.SortStableFunc(conditions, func(a, b Literal) int { return ac.domain.Order(a) - ac.domain.Order(b) })
		rank := 2 + 2*ac.unmet(s, initially) + 2*ac.unmet(s, conditions)
		out = append(out, achiever{process: p, assumes: assumes, initially: initially, conditions: conditions, rank: rank})
	}
	return out
}

// undecided words the relations of a conjunction that would keep a process from
// running, and of which nobody knows whether any is so.
func (ac *achievers) undecided(s *state.State, ps []ontology.Pattern, b state.Binding) []string {
	var out []string
	for i := range ps {
		p := &ps[i]
		if ac.domain.Lasting(p) || p.Predicate == ac.domain.Onto.Core.State || ac.domain.Onto.IsSub(p.Predicate, ac.domain.Onto.Core.Within) {
			continue
		}
		known := func(r state.Ref) bool {
			return slices.ContainsFunc(s.Edges(), func(e state.Edge) bool {
				return e.Relation == p.Predicate && (state.ObjectRef(e.Subject) == r || state.ObjectRef(e.Object) == r)
			})
		}
		x, y := ac.domain.ref(p.Subject, b), ac.domain.ref(p.Object, b)
		if x.Object() != state.Nothing && !known(x) {
			out = append(out, fmt.Sprintf("%s is not %s anything that keeps it from working", ac.domain.Objects.Name(x.Object()), ac.domain.Onto.Terms[p.Predicate].Label()))
		} else if y.Object() != state.Nothing && !known(y) {
			out = append(out, fmt.Sprintf("nothing else is %s %s", ac.domain.Onto.Terms[p.Predicate].Label(), ac.domain.Objects.Name(y.Object())))
		}
	}
	return out
}

// carriers lists how to bring an object within a place by bringing what it lies
// in there, or by putting it into something that is there.
func (ac *achievers) carriers(s *state.State, l Literal) []achiever {
	if !ac.domain.Onto.Transitive(l.Predicate) || l.Value.Object() == ac.domain.Gripper {
		return nil
	}
	var out []achiever
	at := s.Place(l.Subject).At
	if at != state.Nothing && at != ac.domain.Gripper && !ac.domain.Broad(at) {
		out = append(out, achiever{process: none, conditions: []Literal{ac.domain.PlacedAt(at, l.Value.Object())}, rank: 1})
	}
	for _, x := range ac.inventory.usable {
		if s.Place(x).At == l.Value.Object() && ac.domain.receives(x, l.Subject) {
			out = append(out, achiever{process: none, conditions: []Literal{ac.domain.PlacedAt(l.Subject, x)}, rank: 2})
		}
	}
	return out
}
