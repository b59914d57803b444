// Package dependency builds the state-dependency graph of actions (SDA-Planner,
// Section 4.2): which states an action needs and which it brings about, as the
// preconditions and effects of the ontology have it. The graph is directed and
// bipartite. It is lifted, over the parameters of the actions, or grounded to the
// objects of calls. Norms are no part of it.
package dependency

import (
	"strconv"

	"github.com/mishap-robotics/mishap/engine/internal/state"
	"github.com/mishap-robotics/mishap/ontology"
)

// EdgeKind says what a state is a state of.
type EdgeKind string

// The kinds of states.
const (
	// Dimension is one of several values that exclude one another, such as open
	// and closed.
	Dimension EdgeKind = "dimension"
	// Place is where an object is.
	Place EdgeKind = "place"
	// Relation is whether an object stands in a relation that is no place to another.
	Relation EdgeKind = "relation"
	// Form is what an object has become that an action ends, as by slicing.
	Form EdgeKind = "form"
)

// ObjectRef is what a state is about.
type ObjectRef struct {
	Name string       // "Fridge-1", or a variable such as "?target"
	ID   state.Object // Nothing for a variable
}

// StateVariable is a node: something that can be one way or another (SDA-Planner,
// Section 4.2). States compare equal where they are the same.
type StateVariable struct {
	Kind    EdgeKind
	Subject ObjectRef
	Name    string          // of the dimension or relation, else the kind
	Term    ontology.TermID // the dimension or relation, else None
	Object  ObjectRef       // of a relation
}

// String is the state as people read it: "Fridge-1 Openness".
func (s StateVariable) String() string {
	text := s.Subject.Name + " " + s.Name
	if s.Kind == Relation {
		text += " " + s.Object.Name
	}
	return text
}

// ActionNode is a node: an action, or a process of an appliance.
type ActionNode struct {
	Text    string // "(put_in, ?target, ?destination)", "(put_in, Mug-1, Sink-1)", "faucet filling"
	Schema  *ontology.ActionSchema
	Process *ontology.Process // where Schema is nil
	Call    state.Call        // of a grounded graph
	// Preparation marks a state-preparation action; see Preparation.
	Preparation bool
}

// Name is the name that plans and rules know the action or process by.
func (a *ActionNode) Name() string {
	if a.Process != nil {
		return a.Process.Name
	}
	return a.Schema.Name
}

// Value is what a state has to be, must not be, or becomes.
type Value struct {
	Not  bool            // it must not be so
	Name string          // "closed", "inside", "slicedForm"; "" where a relation is to hold
	Term ontology.TermID // the state, the relation of a place, or the form; None for a variable
	At   ObjectRef       // of a place
}

// String is the value as people read it: "open", "not closed", "inside Fridge-1",
// and "true" or "false" of a relation.
func (v Value) String() string {
	if v.Name == "" {
		return strconv.FormatBool(!v.Not)
	}
	text := v.Name
	if v.At.Name != "" {
		text += " " + v.At.Name
	}
	if v.Not {
		text = "not " + text
	}
	return text
}

// Dependency joins an action and a state, by their indexes in the graph.
type Dependency struct {
	Action, State int
	// Effect is true of an edge from the action to the state, whose value the action
	// gives it, and false of one from the state to the action, whose value the action
	// needs.
	Effect bool
	Value  Value
	// Conditional is true where the value is given or needed only if something else
	// is so: the rest of what is forbidden together, when and unless, another object
	// that would do as well.
	Conditional bool
	// Condition is the name of the precondition that needs the value, else "".
	Condition string
}

// StateGraph is a state-dependency graph (SDA-Planner, Section 4.2). Its order is that
// of the ontology, or of the calls it was made of.
type StateGraph struct {
	Actions []ActionNode
	States  []StateVariable // in the order in which the actions first name them
	Edges   []Dependency    // by action; of one, as the ontology writes its preconditions, then its effects
}

// Of is the lifted graph of all actions, and of the processes too where they are
// asked for.
func Of(o *ontology.Ontology, processes bool) *StateGraph {
	b := newBuilder(o, nil)
	for _, a := range o.Actions {
		b.action(a)
	}
	if processes {
		for _, p := range o.Processes {
			b.process(p)
		}
	}
	return b.g
}

// Ground is the graph of calls, one action node for each. What does not apply to
// the objects of a call is left out. A variable that a call does not bind stands for
// those objects whose state other calls change, and for itself where there are none.
// The objects are not changed.
func Ground(objects *state.Objects, calls []state.Call) *StateGraph {
	b := newBuilder(objects.Onto, objects)
	b.changed = changes(objects, calls)
	for _, c := range calls {
		b.call(c)
	}
	return b.g
}

// changes is the set of states that calls give a value.
func changes(objects *state.Objects, calls []state.Call) map[StateVariable]bool {
	b := newBuilder(objects.Onto, objects)
	for _, c := range calls {
		b.call(c)
	}
	out := map[StateVariable]bool{}
	for _, e := range b.g.Edges {
		if e.Effect {
			out[b.g.States[e.State]] = true
		}
	}
	return out
}

// Preparation reports whether an action only prepares the state of the agent for
// others: it gives one state, of the agent, and needs none (SDA-Planner, Section
// 4.2), as moving to an object does. That nothing is in its way is no need.
func Preparation(o *ontology.Ontology, a *ontology.ActionSchema) bool {
	b := newBuilder(o, nil)
	r := b.reading(a.Vars, state.NewBinding(len(a.Vars)))
	r.actionOf(a)
	given := 0
	for _, e := range b.g.Edges {
		switch {
		case e.Effect && b.g.States[e.State].Subject.Name == a.Vars[ontology.VarAgent]:
			given++
		case e.Effect || !e.Value.Not && !e.Conditional:
			return false
		}
	}
	return given == 1
}
