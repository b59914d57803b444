package grounding

import (
	"slices"

	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/engine/internal/state"
	"github.com/mishap-robotics/mishap/ontology"
)

// AssumeObjects adds objects that the log does not name but that must be somewhere,
// so that a plan can be judged by what it leaves out: those the goal speaks of,
// the devices that bring its states about, and the tools that the actions of the plan
// and of the log need.
func (n *Names) AssumeObjects(goal *ontology.Goal, steps []episode.Step) {
	for _, p := range goal.Patterns {
		switch {
		case p.Predicate == n.onto.Core.Type && n.onto.IsForm(p.Object.Term):
			n.assumeWhole(p.Object.Term)
		case p.Predicate == n.onto.Core.Type:
			n.assumeOne(p.Object.Term)
		case p.Predicate == n.onto.Core.State:
			n.assumeDevices(p.Object.Term, classIn(n, goal, p.Subject.Var))
		}
	}
	for _, a := range n.ep.Plan {
		n.AssumeTools(a)
	}
	for i := range steps {
		n.AssumeTools(steps[i].Action)
	}
}

// assumeOne adds an object of a class where none is known; a group is too vague for that.
func (n *Names) assumeOne(class ontology.TermID) {
	if n.objects.First(class) != state.Nothing || len(n.objects.Parts(class)) > 0 || n.onto.HasType(class, n.onto.Core.ObjectGroup) {
		return
	}
	n.objects.Fresh(class)
}

// assumeWhole adds what a form of things can be cut or cracked from, where neither is
// known.
func (n *Names) assumeWhole(form ontology.TermID) {
	wholes := n.onto.Wholes(form)
	known := func(c ontology.TermID) bool { return len(n.objects.OfClass(c)) > 0 }
	if len(wholes) > 0 && !known(form) && !slices.ContainsFunc(wholes, known) {
		n.assumeOne(wholes[0])
	}
}

// assumeDevices adds what the processes that lead to a state need, unless all
// that one of them needs is known. Where what there is in most scenes takes things of the
// class that is to be in the state, it does, and nothing rarer is added.
func (n *Names) assumeDevices(wanted, of ontology.TermID) {
	var missing, usual []ontology.TermID
	for _, p := range n.onto.Processes {
		if !slices.ContainsFunc(p.Then, func(then ontology.Pattern) bool {
			return then.Predicate == n.onto.Core.State && n.onto.StateIs(then.Object.Term, wanted) > 0
		}) {
			continue
		}
		var lacks []ontology.TermID
		for _, w := range p.When {
			if w.Predicate == n.onto.Core.Type && n.objects.First(w.Object.Term) == state.Nothing {
				lacks = append(lacks, w.Object.Term)
			}
		}
		if len(lacks) == 0 {
			return
		}
		missing = append(missing, lacks...)
		if !slices.ContainsFunc(lacks, func(c ontology.TermID) bool { return !n.inMostScenes(c) || !n.takes(c, of) }) {
			usual = append(usual, lacks...)
		}
	}
	if len(usual) > 0 {
		missing = usual
	}
	for _, class := range missing {
		n.assumeOne(class)
	}
}

// inMostScenes reports whether there is something of a class in most scenes.
func (n *Names) inMostScenes(class ontology.TermID) bool {
	return slices.ContainsFunc(append(n.onto.Subclasses(class), class), n.onto.InMostScenes)
}

// takes reports whether a device of a class takes things of another, None for any: one that is
// selective takes only what it accepts.
func (n *Names) takes(device, of ontology.TermID) bool {
	if of == ontology.None || n.onto.Roles.Selective == ontology.None || !n.onto.HasProperty(device, n.onto.Roles.Selective) {
		return true
	}
	return slices.ContainsFunc(n.onto.Accepts(device), func(c ontology.TermID) bool { return n.onto.IsA(of, c) })
}

// AssumeTools adds the tools that the preconditions of an action ask for.
func (n *Names) AssumeTools(a episode.Action) {
	schema, ok := n.onto.Action(a.Name)
	if !ok {
		return
	}
	b := state.NewBinding(len(schema.Vars))
	if a.Target != "" && n.isNamed(schema, 0, a.Target) {
		b[ontology.VarTarget] = state.ObjectRef(n.Object(a.Target, ""))
	}
	if a.Destination != "" && n.isNamed(schema, 1, a.Destination) {
		b[ontology.VarDestination] = state.ObjectRef(n.Object(a.Destination, ""))
	}
	q := state.Query{State: state.New(n.objects), Agent: n.Robot, Gripper: n.Gripper}
	for i := range schema.Preconditions {
		c := &schema.Preconditions[i]
		if !slices.ContainsFunc(c.Requires, n.assumable) {
			continue
		}
		if when, _ := q.Best(c.When, b); when < state.AssumedTrue {
			continue
		}
		for _, p := range c.Requires {
			if !n.assumable(p) {
				continue
			}
			if got, _ := q.Best([]ontology.Pattern{p}, b); got < state.AssumedTrue {
				n.assumeFor(p)
			}
		}
	}
}

// assumable reports whether assumeFor adds anything for a condition: it asks for a class or
// a property of something that is no parameter.
func (n *Names) assumable(p ontology.Pattern) bool {
	return p.Subject.Var > ontology.VarDestination && (p.Predicate == n.onto.Core.Type || p.Predicate == n.onto.Core.HasProperty)
}

// assumeFor adds an object that a condition on a class or property asks for.
func (n *Names) assumeFor(p ontology.Pattern) {
	switch p.Predicate {
	case n.onto.Core.Type:
		n.assumeOne(p.Object.Term)
	case n.onto.Core.HasProperty:
		for _, c := range n.onto.Subclasses(n.onto.Core.PhysicalObject) {
			if n.onto.HasProperty(c, p.Object.Term) && !n.onto.HasType(c, n.onto.Core.ObjectGroup) {
				n.assumeOne(c)
				return
			}
		}
	}
}

// AssumeWholes adds what the pieces that a plan names are still to be cut from, unless
// the stated scene has the pieces or they have been seen. It lists those pieces.
func (n *Names) AssumeWholes(seen map[state.Object]bool) []state.Object {
	var out []state.Object
	for i := range n.objects.Items {
		x := state.Object(i)
		stated := slices.ContainsFunc(n.ep.Scene, func(f episode.Fact) bool {
			return n.Object(f.Subject, "") == x || f.Object != "" && n.onto.QuantityNamed(f.Relation) == nil && n.Object(f.Object, "") == x
		})
		if n.objects.Items[i].Origin != state.Nothing || stated || seen[x] {
			continue
		}
		if wholes := n.onto.Wholes(n.objects.Class(x)); len(wholes) > 0 {
			n.assumeOne(wholes[0])
		}
		if whole := n.WholeOf(x); whole != state.Nothing {
			n.objects.SetOrigin(x, whole)
			out = append(out, x)
		}
	}
	return out
}

// AssumeFurniture adds what there is in any scene.
func (n *Names) AssumeFurniture() {
	for _, c := range n.onto.Subclasses(n.onto.Core.PhysicalObject) {
		if n.onto.InAnyScene(c) {
			n.assumeOne(c)
		}
	}
}
