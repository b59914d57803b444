package fact

import (
	"iter"
	"slices"

	"github.com/mishap-robotics/mishap/engine/internal/state"
	"github.com/mishap-robotics/mishap/ontology"
	"github.com/mishap-robotics/mishap/rules"
)

// addUnmet adds a precondition that did not hold, with what it is about, else what stood in
// the way.
func (x *Index) addUnmet(step int32, u *state.Violation) {
	name := x.symbol(u.Name)
	told := u.Condition != nil && u.Condition.Told
	switch {
	case told && len(u.About) == 0:
		x.add(predUnmetName, step, name)
	case told:
		x.addUnmetAbout(step, name, u.About)
	default:
		x.add(predUnmet, step, name, x.object(u.Culprit))
	}
}

// addUnmetAbout adds what is unmet of one to four objects.
func (x *Index) addUnmetAbout(step, name int32, about []state.Object) {
	args := []int32{step, name}
	for _, o := range about {
		args = append(args, x.object(o))
	}
	x.add([]int{predUnmet, predUnmetTwo, predUnmetThree, predUnmetFour}[len(about)-1], args...)
}

// addLacks adds the state or relation that a precondition asks for and that is all that it
// asks for.
func (x *Index) addLacks(step int32, u *state.Violation) {
	if u.Condition == nil || len(u.Condition.Requires) == 0 || len(u.Binding) == 0 {
		return
	}
	p, parts := u.Condition.Requires[0], u.Condition.Requires[1:]
	if len(parts) > 0 && !parts[0].Part {
		return
	}
	of := func(a ontology.Arg) state.Object {
		if !a.IsVar() {
			return state.Nothing
		}
		return u.Binding[a.Var].Object()
	}
	subject, object := of(p.Subject), of(p.Object)
	if len(parts) > 0 {
		var in []state.Object
		for _, part := range parts {
			in = append(in, of(part.Object))
		}
		object = x.Trace.Start.Tuple(in...)
	}
	switch {
	case subject == state.Nothing:
	case p.Predicate == x.onto.Core.State && !p.Object.IsVar():
		x.add(predLacksState, step, x.object(subject), x.term(p.Object.Term))
	case x.onto.Persistent(p.Predicate) && object != state.Nothing:
		x.add(predLacksRelation, step, x.object(subject), x.term(p.Predicate), x.object(object))
	}
}

// addUnmetGoal adds, for a plan that is carried out to its end, what the goal lacks after it,
// named by the states and relations that it asks for.
func (x *Index) addUnmetGoal(after int32) {
	t := x.Trace
	if !x.ToCome || !x.onto.Strict() {
		return
	}
	if got, _ := t.GoalTruth(t.Final); got > state.AssumedFalse {
		return
	}
	for _, m := range t.UnmetGoals(t.Final) {
		subject, object := x.object(m.Object), x.object(m.Other)
		switch p := m.Pattern; {
		case p.Predicate == x.onto.Core.State && m.Object == t.Robot:
			x.add(predUnmetName, after, x.condition(p.Object.Term))
		case p.Predicate == x.onto.Core.State:
			x.add(predUnmet, after, x.condition(p.Object.Term), subject)
		case len(t.Start.Parts(m.Other)) > 0:
			x.addUnmetAbout(after, x.condition(p.Predicate), append([]state.Object{m.Object}, t.Start.Parts(m.Other)...))
		case m.Other != state.Nothing:
			x.add(predUnmetTwo, after, x.condition(p.Predicate), subject, object)
		default:
			x.add(predUnmet, after, x.condition(p.Predicate), subject)
		}
	}
}

// condition is the name by which a state or relation is told to be missing.
func (x *Index) condition(term ontology.TermID) int32 {
	if name := x.onto.ConditionName(term); name != x.onto.Name(term) {
		return x.symbol(name)
	}
	return x.term(term)
}

// Unmet yields the facts of what is unmet at a step, as rules write them.
func (x *Index) Unmet(step int32) iter.Seq[string] {
	return func(yield func(string) bool) {
		for _, pred := range []int{predUnmetName, predUnmet, predUnmetTwo, predUnmetThree, predUnmetFour} {
			args := slices.Repeat([]int32{Any}, len(vocabulary[pred].Args))
			args[0] = step
			more := true
			x.Match(pred, args, func(row []int32) bool {
				fact := &rules.Term{Kind: rules.Compound, Name: vocabulary[pred].Name, Args: []*rules.Term{{Kind: rules.Integer, Int: int64(row[0])}}}
				for _, symbol := range row[1:] {
					fact.Args = append(fact.Args, &rules.Term{Kind: rules.Atom, Name: x.Name(symbol)})
				}
				more = yield(fact.String())
				return more
			})
			if !more {
				return
			}
		}
	}
}
