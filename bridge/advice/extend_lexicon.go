package advice

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/mishap-robotics/mishap/ontology"
)

// lexicon is what a model may say of an action in the terms of an ontology, and how
// facts in these terms stand to one another.
type lexicon struct{ onto *ontology.Ontology }

// terms lists those of the ontology that a test picks, in its order.
func (l lexicon) terms(keep func(ontology.TermID) bool) []ontology.TermID {
	var out []ontology.TermID
	for i := range l.onto.Terms {
		if keep(ontology.TermID(i)) {
			out = append(out, ontology.TermID(i))
		}
	}
	return out
}

func (l lexicon) names(ids []ontology.TermID) []string {
	var out []string
	for _, id := range ids {
		out = append(out, l.onto.Name(id))
	}
	return out
}

func (l lexicon) states() []ontology.TermID {
	return l.terms(func(t ontology.TermID) bool { return l.onto.Dimension(t) != ontology.None })
}

// passing are the states that an effect may give. Those in which a thing is another
// thing, as a sliced bread, are not: what is left of it has to be said by hand.
func (l lexicon) passing() []ontology.TermID {
	return slices.DeleteFunc(l.states(), func(t ontology.TermID) bool {
		return l.onto.TakesForm(t) || l.onto.TakesForm(l.onto.Opposite(t))
	})
}

func (l lexicon) properties() []ontology.TermID {
	return l.terms(func(t ontology.TermID) bool { return l.onto.HasType(t, l.onto.Core.PhysicalProperty) })
}

func (l lexicon) classes() []ontology.TermID { return l.onto.Subclasses(l.onto.Core.PhysicalObject) }

// groups are the classes that have others below them.
func (l lexicon) groups() []ontology.TermID {
	return slices.DeleteFunc(l.classes(), func(t ontology.TermID) bool { return len(l.onto.Subclasses(t)) == 0 })
}

// isPlace reports whether a relation is the place of an object, of which it has one.
func (l lexicon) isPlace(r ontology.TermID) bool {
	return l.onto.IsSub(r, l.onto.Core.Within) && r != l.onto.Core.Within
}

// given are the relations of effects, the narrower first, as "in" is a label of several.
func (l lexicon) given() []ontology.TermID {
	core := &l.onto.Core
	out := []ontology.TermID{core.State, core.Inside, core.OnTopOf}
	rest := l.terms(func(t ontology.TermID) bool { return l.isPlace(t) && !slices.Contains(out, t) })
	return append(append(out, rest...), core.Near)
}

// needed are the relations of dependencies. What depends on the camera is none, but
// for what stands in the way.
func (l lexicon) needed() []ontology.TermID {
	core := &l.onto.Core
	out := l.given()
	rest := l.terms(func(t ontology.TermID) bool {
		named := t == core.Occluding || !l.onto.ViewDependent(t) && !slices.Contains(core.TupleParts[:], t)
		return l.onto.HasType(t, core.Relation) && !slices.Contains(out, t) && named
	})
	return append(append(out, rest...), core.Type, core.HasProperty)
}

func (l lexicon) relationTexts(ids []ontology.TermID) []string {
	var out []string
	for _, id := range ids {
		switch id {
		case l.onto.Core.State:
			out = append(out, l.onto.Name(id)+": is in this state")
		case l.onto.Core.Type:
			out = append(out, l.onto.Name(id)+": is of this class")
		case l.onto.Core.HasProperty:
			out = append(out, l.onto.Name(id)+": has this property")
		default:
			out = append(out, l.onto.Name(id)+": "+l.onto.Terms[id].Comment)
		}
	}
	return out
}

// stateLines sets the states that exclude one another in one line.
func (l lexicon) stateLines(states []ontology.TermID) []string {
	var dimensions []ontology.TermID
	of := map[ontology.TermID][]string{}
	for _, s := range states {
		d := l.onto.Dimension(s)
		if len(of[d]) == 0 {
			dimensions = append(dimensions, d)
		}
		of[d] = append(of[d], l.onto.Name(s))
	}
	var out []string
	for _, d := range dimensions {
		out = append(out, l.onto.Terms[d].Label()+": "+strings.Join(of[d], ", "))
	}
	return out
}

// examples show the notation with an action that moves an object, one that needs
// nothing in the gripper and one that does, as far as there are such that can be
// written so.
func (l lexicon) examples(effects bool) []string {
	var out []string
	roles := &l.onto.Roles
	for _, class := range []ontology.TermID{roles.MovingActions, roles.BareActions, roles.HeldActions} {
		for _, a := range l.onto.Advised() {
			if !slices.Contains(l.onto.Terms[a.Term].Supers, class) {
				continue
			}
			text, ok := l.example(a, effects)
			if ok {
				out = append(out, fmt.Sprintf("%s(%s): %s", a.Name, strings.Join(a.Vars[ontology.VarTarget:ontology.VarTarget+a.Params], ", "), text))
				break
			}
		}
	}
	return out
}

// example writes the effects of an action, or those of its preconditions that hold
// without conditions, as an answer has them.
func (l lexicon) example(a *ontology.ActionSchema, effects bool) (string, bool) {
	var parts []any
	granted := l.grantedTo([]string{"?target", "?destination"})
	if !effects {
		for i := range a.Preconditions {
			same := func(g dependency) bool { d, ok := l.known(a, &a.Preconditions[i]); return ok && l.same(d, g) }
			if d, ok := l.known(a, &a.Preconditions[i]); ok && !slices.ContainsFunc(granted, same) {
				parts = append(parts, example{d.kind(), l.stated(d.facts)})
			}
		}
	}
	for i := range a.Effects {
		if !effects {
			break
		}
		e := &a.Effects[i]
		facts, ok := l.patterns(a, e.Then)
		if !ok || len(e.When)+len(e.Unless) > 0 || slices.ContainsFunc(facts, func(p pattern) bool { return !slices.Contains(l.given(), p.relation) }) {
			return "", false
		}
		for _, f := range l.stated(facts) {
			parts = append(parts, f)
		}
	}
	text, err := json.Marshal(parts)
	return string(text), err == nil && len(parts) > 0
}

func (l lexicon) stated(facts []pattern) []statedFact {
	var out []statedFact
	for _, p := range facts {
		out = append(out, statedFact{p.subject, l.onto.Name(p.relation), l.objectText(p)})
	}
	return out
}

func (l lexicon) objectText(p pattern) string {
	if p.object != "" {
		return p.object
	}
	return l.onto.Name(p.term)
}

// text is "?target state clean".
func (l lexicon) text(p pattern) string {
	return p.subject + " " + l.onto.Name(p.relation) + " " + l.objectText(p)
}

// known reads a precondition of the ontology as a dependency; false where it cannot be
// written as one.
func (l lexicon) known(a *ontology.ActionSchema, c *ontology.Condition) (dependency, bool) {
	d := dependency{forbids: len(c.Forbids) > 0}
	if len(c.When)+len(c.Unless) > 0 || d.forbids && len(c.Requires) > 0 {
		return d, false
	}
	var ok bool
	d.facts, ok = l.patterns(a, slices.Concat(c.Requires, c.Forbids))
	return d, ok && len(d.facts) > 0
}

// patterns reads patterns of the ontology. The one variable that an action does not
// bind becomes ?tool, of what is in the gripper, else ?other; which implies that it
// differs from the target.
func (l lexicon) patterns(a *ontology.ActionSchema, list []ontology.Pattern) ([]pattern, bool) {
	free, tool := -1, false
	for _, p := range list {
		for _, arg := range []ontology.Arg{p.Subject, p.Object} {
			if arg.Var > ontology.VarDestination && free >= 0 && arg.Var != free || arg.Param != "" {
				return nil, false
			}
			if arg.Var > ontology.VarDestination {
				free = arg.Var
			}
		}
		tool = tool || p.Subject.Var > ontology.VarDestination && p.Predicate == l.onto.Core.Inside && p.Object.Var == ontology.VarGripper
	}
	name := func(v int) string {
		switch {
		case v == free && tool && !slices.ContainsFunc(list, l.differs):
			return toolVar
		case v == free:
			return otherVar
		}
		return a.Vars[v]
	}
	var out []pattern
	for _, p := range list {
		if l.differs(p) {
			continue
		}
		if !p.Subject.IsVar() || !slices.Contains(l.needed(), p.Predicate) {
			return nil, false
		}
		q := pattern{subject: name(p.Subject.Var), relation: p.Predicate, term: p.Object.Term}
		if p.Object.IsVar() {
			q.object = name(p.Object.Var)
		}
		out = append(out, q)
	}
	return out, true
}

func (l lexicon) differs(p ontology.Pattern) bool { return p.Predicate == l.onto.Core.Differs }

// nonsense says why a fact cannot be meant, "" where it can.
func (l lexicon) nonsense(p pattern, given bool) string {
	core := &l.onto.Core
	place := l.onto.IsSub(p.relation, core.Within)
	switch {
	case p.subject == p.object:
		return "nothing stands to itself like that"
	case p.subject == "?agent" && p.relation != core.Near:
		return "of ?agent only ?agent near … can be said"
	case p.subject == "?gripper", p.object == "?gripper" && !place:
		return "of ?gripper only … inside ?gripper can be said; that it is empty is forbids ?other inside ?gripper"
	case p.object == "?agent" && p.relation != core.Near:
		return "nothing is placed at ?agent; expected ?gripper"
	case given && p.relation == core.Near && p.subject != "?agent":
		return "what is near is an effect of ?agent only; expected a place"
	}
	return ""
}

// excludes reports whether two facts cannot both be so.
func (l lexicon) excludes(p, q pattern) bool {
	core := &l.onto.Core
	switch {
	case p.subject != q.subject || p == q:
		return false
	case p.relation == core.State && q.relation == core.State:
		return l.onto.StateIs(p.term, q.term) < 0
	case l.isPlace(p.relation) && l.isPlace(q.relation):
		return p.object != q.object || !l.onto.IsSub(p.relation, q.relation) && !l.onto.IsSub(q.relation, p.relation)
	}
	return false
}

// includes reports whether one fact makes another so.
func (l lexicon) includes(p, q pattern) bool {
	switch {
	case p == q:
		return true
	case p.subject != q.subject:
		return false
	case p.relation == l.onto.Core.State && q.relation == l.onto.Core.State:
		return l.onto.StateIs(p.term, q.term) > 0
	}
	return p.object != "" && p.object == q.object && l.onto.IsSub(p.relation, q.relation)
}

// required are the facts that hold whenever the action can be carried out, without
// those of ?other, which stands for several things.
func (l lexicon) required(dependencies []dependency) []pattern {
	var out []pattern
	for _, d := range dependencies {
		for _, p := range d.facts {
			if !d.forbids && p.subject != otherVar && p.object != otherVar && !slices.Contains(out, p) {
				out = append(out, p)
			}
		}
	}
	return out
}

// held reports whether a fact says that the gripper holds something.
func (l lexicon) held(p pattern) bool { return l.isPlace(p.relation) && p.object == "?gripper" }

// grantedTo are the conditions of all actions on some variables.
func (l lexicon) grantedTo(vars []string) []dependency {
	closed := l.onto.Roles.Enclosing
	var out []dependency
	for _, v := range vars {
		out = append(out, dependency{facts: []pattern{{"?agent", l.onto.Core.Near, v, ontology.None}}})
		if closed != ontology.None {
			out = append(out, dependency{forbids: true, facts: []pattern{{v, l.onto.Core.Within, otherVar, ontology.None}, {otherVar, l.onto.Core.State, "", closed}}})
		}
	}
	return out
}

// same reports whether two dependencies say the same.
func (l lexicon) same(d, e dependency) bool {
	in := func(facts []pattern) func(pattern) bool {
		return func(p pattern) bool { return !slices.Contains(facts, p) }
	}
	return d.forbids == e.forbids && len(d.facts) == len(e.facts) && !slices.ContainsFunc(d.facts, in(e.facts))
}
