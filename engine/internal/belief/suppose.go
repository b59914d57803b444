package belief

import (
	"slices"

	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/engine/internal/state"
	"github.com/mishap-robotics/mishap/ontology"
)

// suppose adds objects that the log does not name but that must be somewhere,
// so that a plan can be judged by what it leaves out: those the goal speaks of,
// the devices that bring its states about, and the tools its actions need.
func (t *tracker) suppose() {
	for _, p := range t.trace.Goal.Patterns {
		switch {
		case p.Predicate == t.onto.Core.Type && !t.isPiece(p.Object.Term):
			t.supposeOne(p.Object.Term)
		case p.Predicate == t.onto.Core.State:
			t.supposeDevices(p.Object.Term)
		}
	}
	for _, a := range t.ep.Plan {
		t.supposeTools(a)
	}
	for i := range t.steps {
		t.supposeTools(t.steps[i].Action)
	}
}

// supposeOne adds an object of a class, or of the first of its subclasses that
// has none in turn, where none is known.
func (t *tracker) supposeOne(class ontology.TermID) {
	if len(t.objects.OfClass(class)) > 0 || t.onto.HasType(class, t.onto.Core.ObjectGroup) {
		return
	}
	for _, c := range append(t.onto.Subclasses(class), class) {
		if len(t.onto.Subclasses(c)) == 0 {
			t.objects.Fresh(c)
			return
		}
	}
}

// supposeDevices adds what the processes that lead to a state need, unless all
// that one of them needs is known.
func (t *tracker) supposeDevices(wanted ontology.TermID) {
	var missing []ontology.TermID
	for _, p := range t.onto.Processes {
		if !slices.ContainsFunc(p.Then, func(then ontology.Pattern) bool {
			return then.Predicate == t.onto.Core.State && t.onto.StateIs(then.Object.Term, wanted) > 0
		}) {
			continue
		}
		complete := true
		for _, w := range p.When {
			if w.Predicate == t.onto.Core.Type && len(t.objects.OfClass(w.Object.Term)) == 0 {
				complete = false
				missing = append(missing, w.Object.Term)
			}
		}
		if complete {
			return
		}
	}
	for _, class := range missing {
		t.supposeOne(class)
	}
}

// supposeTools adds the tools that the preconditions of an action ask for.
func (t *tracker) supposeTools(a episode.Action) {
	schema, ok := t.onto.Action(a.Name)
	if !ok {
		return
	}
	b := state.NewBinding(len(schema.Vars))
	for v, name := range map[int]string{ontology.VarTarget: a.Target, ontology.VarDestination: a.Destination} {
		if name != "" {
			b[v] = state.ObjectRef(t.object(name, ""))
		}
	}
	q := state.Query{State: state.New(t.objects), Agent: t.trace.Robot, Gripper: t.trace.Gripper}
	for i := range schema.Preconditions {
		c := &schema.Preconditions[i]
		if when, _ := q.Best(c.When, b); when < state.AssumedTrue {
			continue
		}
		for _, p := range c.Requires {
			if p.Subject.Var <= ontology.VarDestination {
				continue
			}
			if got, _ := q.Best([]ontology.Pattern{p}, b); got >= state.AssumedTrue {
				continue
			}
			switch p.Predicate {
			case t.onto.Core.Type:
				t.supposeOne(p.Object.Term)
			case t.onto.Core.HasProperty:
				for _, c := range t.onto.Subclasses(t.onto.Core.PhysicalObject) {
					if t.onto.HasProperty(c, p.Object.Term) {
						t.supposeOne(c)
						break
					}
				}
			}
		}
	}
}

// isPiece reports whether a class is what slicing or cracking another leaves.
func (t *tracker) isPiece(class ontology.TermID) bool {
	for _, c := range t.onto.Subclasses(t.onto.Core.PhysicalObject) {
		forms := t.onto.Values(c, "form")
		if slices.Contains(forms, class) {
			return true
		}
	}
	return false
}
