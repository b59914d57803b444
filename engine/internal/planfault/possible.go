package planfault

import (
	"slices"

	"github.com/mishap-robotics/mishap/engine/internal/belief"
	"github.com/mishap-robotics/mishap/engine/internal/state"
	"github.com/mishap-robotics/mishap/ontology"
)

// Impossible reports whether no action and no process can bring a precondition
// of an action about: it asks for classes or properties that its objects do not
// have, or for a state that nothing leads to.
func Impossible(t *belief.Trace, e *belief.Event, condition string) bool {
	for i := range e.Call.Schema.Preconditions {
		c := &e.Call.Schema.Preconditions[i]
		if c.Name == condition && (!existing(t, e, c.Requires) || slices.ContainsFunc(c.Requires, func(p ontology.Pattern) bool { return unattainable(t, e, p) }) ||
			slices.ContainsFunc(c.Forbids, func(p ontology.Pattern) bool { return inescapable(t, e, p) })) {
			return true
		}
	}
	return condition == state.Exists
}

// existing reports whether there are objects of the classes and with the
// properties that patterns ask for.
func existing(t *belief.Trace, e *belief.Event, patterns []ontology.Pattern) bool {
	core := &t.Objects.Onto.Core
	var lasting []ontology.Pattern
	for _, p := range patterns {
		if p.Predicate == core.Type || p.Predicate == core.HasProperty || p.Predicate == core.Accepts {
			lasting = append(lasting, p)
		}
	}
	q := state.Query{State: t.Final, Agent: e.Call.Agent, Gripper: e.Call.Gripper}
	got, _ := q.Best(lasting, e.Call.Binding())
	return got >= state.AssumedTrue || got == state.Undecided
}

// unattainable reports whether a pattern asks for a state that nothing brings
// about.
func unattainable(t *belief.Trace, e *belief.Event, p ontology.Pattern) bool {
	onto := t.Objects.Onto
	return p.Predicate == onto.Core.State && !p.Object.IsVar() &&
		!produced(t, about(e, p), func(st ontology.TermID) bool { return onto.StateIs(st, p.Object.Term) > 0 })
}

// inescapable reports whether a pattern names a state that nothing leads out of.
func inescapable(t *belief.Trace, e *belief.Event, p ontology.Pattern) bool {
	onto := t.Objects.Onto
	return p.Predicate == onto.Core.State && !p.Object.IsVar() &&
		!produced(t, about(e, p), func(st ontology.TermID) bool { return onto.StateIs(st, p.Object.Term) < 0 })
}

// produced reports whether the effect of an action or process is a state that
// fits.
func produced(t *belief.Trace, of state.Object, fits func(ontology.TermID) bool) bool {
	onto := t.Objects.Onto
	makes := func(then, when []ontology.Pattern) bool {
		return slices.ContainsFunc(then, func(p ontology.Pattern) bool {
			if p.Predicate != onto.Core.State {
				return false
			}
			if p.Object.IsVar() {
				return someState(t, p.Object.Var, when, fits)
			}
			return fits(p.Object.Term)
		})
	}
	for _, a := range onto.Actions {
		for _, e := range a.Effects {
			if makes(e.Then, e.When) {
				return true
			}
		}
	}
	return slices.ContainsFunc(onto.Processes, func(p *ontology.Process) bool { return makes(p.Then, p.When) && actsOn(t, p, of) })
}

// about is the object of a call that a pattern speaks of, or Nothing.
func about(e *belief.Event, p ontology.Pattern) state.Object {
	if !p.Subject.IsVar() || p.Subject.Var > ontology.VarDestination {
		return state.Nothing
	}
	return e.Call.Binding()[p.Subject.Var].Object()
}

// actsOn reports whether a process can act on an object by the classes it asks for.
func actsOn(t *belief.Trace, p *ontology.Process, of state.Object) bool {
	if of == state.Nothing {
		return true
	}
	for _, then := range p.Then {
		for _, w := range p.When {
			if w.Predicate == t.Objects.Onto.Core.Type && w.Subject.Var == then.Subject.Var && !t.Objects.IsA(of, w.Object.Term) {
				return false
			}
		}
	}
	return true
}

// someState reports whether a state that a variable may stand for by what
// conditions say it implies fits.
func someState(t *belief.Trace, variable int, when []ontology.Pattern, fits func(ontology.TermID) bool) bool {
	onto := t.Objects.Onto
	for _, w := range when {
		if w.Predicate != onto.Core.Implies || w.Subject.Var != variable {
			continue
		}
		for i := range onto.Terms {
			if st := ontology.TermID(i); slices.Contains(onto.Implied(st), w.Object.Term) && fits(st) {
				return true
			}
		}
		return false
	}
	return true
}
