package planfault

import (
	"slices"

	"github.com/mishap-robotics/mishap/engine/internal/belief"
	"github.com/mishap-robotics/mishap/engine/internal/state"
	"github.com/mishap-robotics/mishap/ontology"
)

// problem is what the actions from the event of an index on are judged by, before
// which a state holds.
func problem(t *belief.Trace, from int, start *state.State) *Problem {
	objects := relevant(t, from)
	p := &Problem{Start: start, Robot: t.Robot, Gripper: t.Gripper, Objects: objects, Aside: aside(t, objects), Interrupt: t.Interrupt,
		Goal: func(s *state.State) (met, all int) { return goalMet(t, s) }}
	// What is only imagined on the way is in the table of the start, not in that of the trace.
	wants := func(x state.Object, st ontology.TermID) bool { return t.Wants(p.Start.Objects, x, st) }
	p.Lasting = func(c state.Call) bool {
		on := t.Objects.Onto.Roles.Running
		return t.Objects.Onto.Sets(c.Schema, on) && wants(c.Target, on)
	}
	p.Hazards = func(s *state.State) int { return len(s.LeftOn(wants)) }
	return p
}

// goalMet counts the conditions of the goal that hold.
func goalMet(t *belief.Trace, s *state.State) (met, all int) {
	all = len(t.Goal.Patterns) + len(t.Goal.ForAll) + len(t.Goal.Counts) + len(t.Goal.First)
	if got, _ := t.UnderstoodTruth(s); got >= state.AssumedTrue {
		return all, all
	}
	return min(all-1, len(t.Goal.Patterns)-len(t.UnmetGoals(s))), all
}

// relevant lists the objects an edit may bring in: those the actions act on,
// what they are in, what can act on them, and those of the goal's classes.
func relevant(t *belief.Trace, from int) []state.Object {
	in := map[state.Object]bool{}
	addActedOn(t, from, in)
	actions := actionsOf(t, from)
	for i := range t.Objects.Items {
		if t.Interrupt.Raised() {
			return nil
		}
		if o := state.Object(i); ofGoal(t, o) || servesProcess(t, o) || servesAction(t, o, actions) {
			in[o] = true
		}
	}
	for i := range t.Objects.Items {
		if o := state.Object(i); in[o] && t.Objects.Items[o].Origin != state.Nothing {
			in[t.Objects.Items[o].Origin] = true
		}
	}
	core := &t.Objects.Onto.Core
	var out []state.Object
	for i := range t.Objects.Items {
		o := state.Object(i)
		vague := t.Objects.IsVague(o)
		if in[o] && !vague && t.Objects.IsA(o, core.PhysicalObject) && !t.Objects.IsA(o, core.RobotGripper) {
			out = append(out, o)
		}
	}
	return out
}

// addActedOn adds what the actions act on, and what that is in at the start.
func addActedOn(t *belief.Trace, from int, in map[state.Object]bool) {
	for i := from; i < t.Len(); i++ {
		call := &t.Nth(i).Call
		for _, o := range []state.Object{call.Target, call.Destination} {
			in[o] = true
			for at := o; at != state.Nothing; at = t.Start.Place(at).At {
				in[at] = true
			}
		}
	}
}

// ofGoal reports whether an object is of a class that the goal speaks of.
func ofGoal(t *belief.Trace, o state.Object) bool {
	return slices.ContainsFunc(t.Goal.Patterns, func(p ontology.Pattern) bool {
		return p.Predicate == t.Objects.Onto.Core.Type && t.Objects.IsA(o, p.Object.Term)
	})
}

// servesProcess reports whether an object is a device that some process names.
func servesProcess(t *belief.Trace, o state.Object) bool {
	for _, p := range t.Objects.Onto.Processes {
		for _, w := range p.When {
			if w.Predicate == t.Objects.Onto.Core.Type && t.Objects.IsA(o, w.Object.Term) {
				return true
			}
		}
	}
	return false
}

// actionsOf lists the actions from an event on, each once.
func actionsOf(t *belief.Trace, from int) []*ontology.ActionSchema {
	var out []*ontology.ActionSchema
	for i := from; i < t.Len(); i++ {
		if a := t.Nth(i).Call.Schema; !slices.Contains(out, a) {
			out = append(out, a)
		}
	}
	return out
}

// servesAction reports whether an object is a tool that a precondition of one of some
// actions asks for.
func servesAction(t *belief.Trace, o state.Object, actions []*ontology.ActionSchema) bool {
	q := state.Query{State: t.Start, Agent: t.Robot, Gripper: t.Gripper}
	for _, schema := range actions {
		for _, c := range schema.Preconditions {
			if slices.ContainsFunc(c.Requires, func(p ontology.Pattern) bool { return isTool(q, schema, p, o) }) {
				return true
			}
		}
	}
	return false
}

// isTool reports whether an object, which is no parameter of an action, is of the class or
// has the property that a pattern of it asks for.
func isTool(q state.Query, schema *ontology.ActionSchema, p ontology.Pattern, o state.Object) bool {
	core := &q.State.Objects.Onto.Core
	if p.Predicate != core.Type && p.Predicate != core.HasProperty || p.Subject.Var <= ontology.VarDestination {
		return false
	}
	b := state.NewBinding(len(schema.Vars))
	b[p.Subject.Var] = state.ObjectRef(o)
	got, _ := q.Best([]ontology.Pattern{p}, b)
	return got >= state.AssumedTrue
}

// aside lists what is found in any scene, beyond the relevant objects.
func aside(t *belief.Trace, relevant []state.Object) []state.Object {
	var out []state.Object
	for i := range t.Objects.Items {
		o := state.Object(i)
		class := t.Objects.Class(o)
		if class == ontology.None || slices.Contains(relevant, o) {
			continue
		}
		if t.Objects.Onto.InAnyScene(class) {
			out = append(out, o)
		}
	}
	return out
}
