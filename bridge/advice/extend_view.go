package advice

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/mishap-robotics/mishap/ontology"
)

// The variables of dependencies besides those that each action binds.
const (
	toolVar  = "?tool"
	otherVar = "?other"
)

// parameters are the variables that plans fill in.
func (n NewAction) parameters() []string {
	return []string{"?target", "?destination"}[:n.Parameters]
}

// fixed are the variables that are bound wherever the action is carried out.
func (x *extension) fixed() []string {
	return append(x.out.Action.parameters(), "?agent", "?gripper")
}

var variableWords = map[string]string{
	"?target":      "what the action is done to",
	"?destination": "the second object that the action names",
	"?agent":       "the robot",
	"?gripper":     "its gripper",
	toolVar:        "what the gripper holds meanwhile, other than the target; always with ?tool inside ?gripper",
	otherVar:       "anything else than the target",
}

func variables(names []string) []string {
	var out []string
	for _, v := range names {
		out = append(out, v+": "+variableWords[v])
	}
	return out
}

func (x *extension) effectsView(refused *RefusedAnswer) any {
	return Effects{Action: quoted(x.out.Action.Name), About: x.about(), Variables: variables(x.fixed()), Relations: x.relationTexts(x.given()),
		States: x.stateLines(x.passing()), Examples: x.examples(true), Refused: refused}
}

func (x *extension) dependenciesView(refused *RefusedAnswer) any {
	d := Dependencies{Action: quoted(x.out.Action.Name), About: x.about(), Variables: variables(append(x.fixed(), toolVar, otherVar)),
		Relations: x.relationTexts(x.needed()), States: x.stateLines(x.states()), Properties: x.names(x.properties()), Classes: x.names(x.groups()),
		Examples: x.examples(false), Refused: refused}
	for _, e := range x.effects {
		d.Effects = append(d.Effects, x.text(e.pattern))
	}
	return d
}

func (x *extension) about() string {
	if blank(x.out.Action.About) {
		return ""
	}
	return sentence(x.out.Action.About)
}

// terms lists those of the ontology that a test picks, in its order.
func (x *extension) terms(keep func(ontology.TermID) bool) []ontology.TermID {
	var out []ontology.TermID
	for i := range x.o.Terms {
		if keep(ontology.TermID(i)) {
			out = append(out, ontology.TermID(i))
		}
	}
	return out
}

func (x *extension) names(ids []ontology.TermID) []string {
	var out []string
	for _, id := range ids {
		out = append(out, x.o.Name(id))
	}
	return out
}

func (x *extension) states() []ontology.TermID {
	return x.terms(func(t ontology.TermID) bool { return x.o.Dimension(t) != ontology.None })
}

// passing are the states that an effect may give. Those in which a thing is another
// thing, as a sliced bread, are not: what is left of it has to be said by hand.
func (x *extension) passing() []ontology.TermID {
	isForm := func(t ontology.TermID) bool { return len(x.o.Values(t, "takesForm")) > 0 }
	return slices.DeleteFunc(x.states(), func(t ontology.TermID) bool { return isForm(t) || isForm(x.o.Opposite(t)) })
}

func (x *extension) properties() []ontology.TermID {
	class, ok := x.o.Lookup("PhysicalProperty")
	return x.terms(func(t ontology.TermID) bool { return ok && x.o.HasType(t, class) })
}

func (x *extension) classes() []ontology.TermID { return x.o.Subclasses(x.o.Core.PhysicalObject) }

// groups are the classes that have others below them.
func (x *extension) groups() []ontology.TermID {
	return slices.DeleteFunc(x.classes(), func(t ontology.TermID) bool { return len(x.o.Subclasses(t)) == 0 })
}

// isPlace reports whether a relation is the place of an object, of which it has one.
func (x *extension) isPlace(r ontology.TermID) bool {
	return x.o.IsSub(r, x.o.Core.Within) && r != x.o.Core.Within
}

// given are the relations of effects, the narrower first, as "in" is a label of several.
func (x *extension) given() []ontology.TermID {
	core := &x.o.Core
	out := []ontology.TermID{core.State, core.Inside, core.OnTopOf}
	rest := x.terms(func(t ontology.TermID) bool { return x.isPlace(t) && !slices.Contains(out, t) })
	return append(append(out, rest...), core.Near)
}

// needed are the relations of dependencies. What depends on the camera is none, but
// for what stands in the way.
func (x *extension) needed() []ontology.TermID {
	core := &x.o.Core
	out := x.given()
	rest := x.terms(func(t ontology.TermID) bool {
		return x.o.HasType(t, core.SpatialRelation) && !slices.Contains(out, t) && (t == core.Occluding || !x.o.ViewDependent(t))
	})
	return append(append(out, rest...), core.Type, core.HasProperty)
}

func (x *extension) relationTexts(ids []ontology.TermID) []string {
	var out []string
	for _, id := range ids {
		switch id {
		case x.o.Core.State:
			out = append(out, x.o.Name(id)+": is in this state")
		case x.o.Core.Type:
			out = append(out, x.o.Name(id)+": is of this class")
		case x.o.Core.HasProperty:
			out = append(out, x.o.Name(id)+": has this property")
		default:
			out = append(out, x.o.Name(id)+": "+x.o.Terms[id].Comment)
		}
	}
	return out
}

// stateLines sets the states that exclude one another in one line.
func (x *extension) stateLines(states []ontology.TermID) []string {
	var dimensions []ontology.TermID
	of := map[ontology.TermID][]string{}
	for _, s := range states {
		d := x.o.Dimension(s)
		if len(of[d]) == 0 {
			dimensions = append(dimensions, d)
		}
		of[d] = append(of[d], x.o.Name(s))
	}
	var out []string
	for _, d := range dimensions {
		out = append(out, x.o.Terms[d].Label()+": "+strings.Join(of[d], ", "))
	}
	return out
}

// examples show the notation with an action that moves an object, one that needs
// nothing in the gripper and one that does, as far as there are such that can be
// written so.
func (x *extension) examples(effects bool) []string {
	var out []string
	for _, name := range []string{movingObject, withoutHeldObject, withHeldObject} {
		class, _ := x.o.Lookup(name)
		for _, a := range x.o.Actions {
			if !slices.Contains(x.o.Terms[a.Term].Supers, class) {
				continue
			}
			text, ok := x.example(a, effects)
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
func (x *extension) example(a *ontology.Action, effects bool) (string, bool) {
	var parts []any
	granted := x.grantedTo([]string{"?target", "?destination"})
	if !effects {
		for i := range a.Preconditions {
			same := func(g dependency) bool { d, ok := x.known(a, &a.Preconditions[i]); return ok && x.same(d, g) }
			if d, ok := x.known(a, &a.Preconditions[i]); ok && !slices.ContainsFunc(granted, same) {
				parts = append(parts, example{d.kind(), x.stated(d.facts)})
			}
		}
	}
	for i := range a.Effects {
		if !effects {
			break
		}
		e := &a.Effects[i]
		facts, ok := x.patterns(a, e.Then)
		if !ok || len(e.When)+len(e.Unless) > 0 || slices.ContainsFunc(facts, func(p pattern) bool { return !slices.Contains(x.given(), p.relation) }) {
			return "", false
		}
		for _, f := range x.stated(facts) {
			parts = append(parts, f)
		}
	}
	text, err := json.Marshal(parts)
	return string(text), err == nil && len(parts) > 0
}

type example struct {
	Kind  string       `json:"kind"`
	Facts []statedFact `json:"facts"`
}

func (x *extension) stated(facts []pattern) []statedFact {
	var out []statedFact
	for _, p := range facts {
		out = append(out, statedFact{p.subject, x.o.Name(p.relation), x.objectText(p)})
	}
	return out
}

func (x *extension) objectText(p pattern) string {
	if p.object != "" {
		return p.object
	}
	return x.o.Name(p.term)
}

// text is "?target state clean".
func (x *extension) text(p pattern) string {
	return p.subject + " " + x.o.Name(p.relation) + " " + x.objectText(p)
}

// known reads a precondition of the ontology as a dependency; false where it cannot be
// written as one.
func (x *extension) known(a *ontology.Action, c *ontology.Condition) (dependency, bool) {
	d := dependency{forbids: len(c.Forbids) > 0}
	if len(c.When)+len(c.Unless) > 0 || d.forbids && len(c.Requires) > 0 {
		return d, false
	}
	var ok bool
	d.facts, ok = x.patterns(a, slices.Concat(c.Requires, c.Forbids))
	return d, ok && len(d.facts) > 0
}

// patterns reads patterns of the ontology. The one variable that an action does not
// bind becomes ?tool, of what is in the gripper, else ?other; which implies that it
// differs from the target.
func (x *extension) patterns(a *ontology.Action, list []ontology.Pattern) ([]pattern, bool) {
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
		tool = tool || p.Subject.Var > ontology.VarDestination && p.Predicate == x.o.Core.Inside && p.Object.Var == ontology.VarGripper
	}
	name := func(v int) string {
		switch {
		case v == free && tool && !slices.ContainsFunc(list, x.differs):
			return toolVar
		case v == free:
			return otherVar
		}
		return a.Vars[v]
	}
	var out []pattern
	for _, p := range list {
		if x.differs(p) {
			continue
		}
		if !p.Subject.IsVar() || !slices.Contains(x.needed(), p.Predicate) {
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

func (x *extension) differs(p ontology.Pattern) bool { return p.Predicate == x.o.Core.Differs }
