package belief

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mishap-robotics/mishap/engine/internal/state"
	"github.com/mishap-robotics/mishap/ontology"
)

// GoalTruth judges the goal in a state; binding is the best match, for which
// the fluents that decide are listed. An episode without a goal is Undecided.
func (t *Trace) GoalTruth(s *state.State) (state.Truth, []state.Fluent) {
	got, touched := t.UnderstoodTruth(s)
	if t.Unjudged {
		got = min(got, state.Undecided)
	}
	return got, touched
}

// UnderstoodTruth is GoalTruth of what is understood of the goal: what could not be read of
// it does not count.
func (t *Trace) UnderstoodTruth(s *state.State) (state.Truth, []state.Fluent) {
	if t.Goal.IsEmpty() {
		return state.Undecided, nil
	}
	most := state.True
	if t.Late > 0 || s.Staged() < len(t.Goal.First) {
		most = state.False
	}
	var touched []state.Fluent
	q := state.Query{State: s, Agent: t.Robot, Gripper: t.Gripper, Touched: &touched, Apart: true}
	best, at := q.Best(t.Goal.Patterns, t.Bound)
	if best > state.AssumedFalse { // keep what upholds the best match only
		touched = nil
		q.Reread(t.Goal.Patterns, at)
		touched = append(touched, existing(s, at)...)
	}
	for _, f := range t.Goal.ForAll {
		q.Each(f.When, at, state.AssumedTrue, func(b state.Binding) {
			got, _ := q.Best(f.Requires, b)
			best = min(best, got)
		})
	}
	for i := range t.Goal.Counts {
		best = min(best, countTruth(q, &t.Goal.Counts[i], at))
	}
	return min(best, most), touched
}

// countTruth judges how many things there are of which something holds. Like what is asked of
// each of several things, it rests on those of which that is known.
func countTruth(q state.Query, c *ontology.Count, at state.Binding) state.Truth {
	n, more := len(q.Counted(c, at, state.AssumedTrue)), 0
	if n < c.Least {
		more = len(q.Counted(c, at, state.Undecided))
	}
	switch {
	case c.Most >= 0 && n > c.Most:
		return state.False
	case n >= c.Least:
		return state.True
	case more >= c.Least:
		return state.Undecided
	}
	return state.False
}

// existing are the fluents that tell whether the pieces among some objects exist.
func existing(s *state.State, at state.Binding) []state.Fluent {
	var out []state.Fluent
	for _, r := range at {
		if r == state.Unbound {
			continue
		}
		if x := r.Object(); x != state.Nothing && s.Objects.Items[x].Origin != state.Nothing {
			out = append(out, state.Fluent{Obj: x, Slot: state.PlaceSlot})
		}
	}
	return out
}

// MayBe reports whether an object of a table, that of the trace or one that has more, fits
// what the goal says of a variable: the object it is bound to, else its classes.
func (t *Trace) MayBe(objects *state.Objects, o state.Object, variable int) bool {
	if b := t.Bound[variable]; b != state.Unbound {
		return b.Object() == o
	}
	for _, p := range t.Goal.Patterns {
		if p.Predicate == t.Objects.Onto.Core.Type && p.Subject.Var == variable && !objects.IsA(o, p.Object.Term) {
			return false
		}
	}
	return true
}

// Wants reports whether the goal asks for some object of the class of one, of a table as
// with MayBe, in a state.
func (t *Trace) Wants(objects *state.Objects, o state.Object, st ontology.TermID) bool {
	asks := func(p ontology.Pattern) bool {
		return p.Predicate == t.Objects.Onto.Core.State && p.Subject.IsVar() && p.Object.Term == st
	}
	return slices.ContainsFunc(t.Goal.Patterns, func(p ontology.Pattern) bool { return asks(p) && t.MayBe(objects, o, p.Subject.Var) }) ||
		slices.ContainsFunc(t.Goal.ForAll, func(f ontology.ForAll) bool {
			return slices.ContainsFunc(f.Requires, asks) && AllOf(objects, o, f.When)
		})
}

// AllOf reports whether an object is one of all of a class, of which no more is said.
func AllOf(objects *state.Objects, o state.Object, when []ontology.Pattern) bool {
	return !slices.ContainsFunc(when, func(p ontology.Pattern) bool {
		return p.Predicate != objects.Onto.Core.Type || !objects.IsA(o, p.Object.Term)
	})
}

// UnmetGoals lists the goal conditions that fail in a state for the best match of
// the others, as patterns with the object they are about. What is asked of an
// object that does not exist fails.
func (t *Trace) UnmetGoals(s *state.State) []UnmetGoal {
	var out []UnmetGoal
	q := state.Query{State: s, Agent: t.Robot, Gripper: t.Gripper, Apart: true}
	b, absent := t.nearestMatch(q)
	for _, p := range t.Goal.Patterns {
		got, _ := q.Best([]ontology.Pattern{p}, b)
		if got >= state.AssumedTrue && !mentions(p, absent) || got == state.Undecided && !loose(p, b) {
			continue
		}
		out = append(out, unmetGoal(p, b))
	}
	return out
}

// unmetGoal is a pattern that fails, with the objects that it is about under a binding.
func unmetGoal(p ontology.Pattern, b state.Binding) UnmetGoal {
	m := UnmetGoal{Pattern: p, Object: state.Nothing, Other: state.Nothing}
	if p.Subject.IsVar() {
		m.Object = b[p.Subject.Var].Object()
	}
	if p.Object.IsVar() {
		m.Other = b[p.Object.Var].Object()
	}
	return m
}

// UnmetParts words what of the goal fails in a state beside its conditions: what it asks of
// each thing of a kind or of how many, what was to come about before, and by when; and that
// a part of it could not be read, where the rest holds.
func (t *Trace) UnmetParts(s *state.State) []string {
	if got, _ := t.UnderstoodTruth(s); t.Unjudged && got >= state.AssumedTrue {
		return []string{"what could not be read of the goal"}
	}
	var out []string
	q := state.Query{State: s, Agent: t.Robot, Gripper: t.Gripper, Apart: true}
	_, at := q.Best(t.Goal.Patterns, t.Bound)
	out = append(out, t.unmetOfEach(q, at)...)
	for i := range t.Goal.Counts {
		if c := &t.Goal.Counts[i]; countTruth(q, c, at) < state.AssumedTrue {
			out = append(out, t.countText(c, len(q.Counted(c, at, state.AssumedTrue))))
		}
	}
	for _, part := range t.Goal.First[min(s.Staged(), len(t.Goal.First)):] {
		out = append(out, "first "+strings.Join(t.conditionTexts(part), ", "))
	}
	if t.Late > 0 {
		out = append(out, fmt.Sprintf("within %s s of the start", t.Goal.Within.Short()))
	}
	if len(out) == 0 {
		out = append(out, "what the goal asks of each thing of a kind")
	}
	return out
}

// unmetOfEach words what things of a kind lack of what the goal asks of each of them.
func (t *Trace) unmetOfEach(q state.Query, at state.Binding) []string {
	var out []string
	for _, f := range t.Goal.ForAll {
		q.Each(f.When, at, state.AssumedTrue, func(b state.Binding) {
			for _, p := range f.Requires {
				if got, _ := q.Best([]ontology.Pattern{p}, b); got >= state.AssumedTrue {
					continue
				}
				if text := t.GoalText(unmetGoal(p, b)); text != "" && !slices.Contains(out, text) {
					out = append(out, text)
				}
			}
		})
	}
	return few(out)
}

// LeftSome reports whether, of the things of some kind, some are as the goal asks of each, and
// others are not, while everything else that it asks for holds.
func (t *Trace) LeftSome(s *state.State) bool {
	q := state.Query{State: s, Agent: t.Robot, Gripper: t.Gripper, Apart: true}
	best, at := q.Best(t.Goal.Patterns, t.Bound)
	if best < state.AssumedTrue || t.Late > 0 {
		return false
	}
	for _, f := range t.Goal.ForAll {
		done, left := false, false
		q.Each(f.When, at, state.AssumedTrue, func(b state.Binding) {
			got, _ := q.Best(f.Requires, b)
			done, left = done || got >= state.AssumedTrue, left || got <= state.AssumedFalse
		})
		if done && left {
			return true
		}
	}
	return false
}

// few are the first of many texts, and how many more there are.
func few(texts []string) []string {
	const most = 5
	if len(texts) <= most {
		return texts
	}
	return append(texts[:most:most], fmt.Sprintf("and %d more", len(texts)-most))
}

// countText words a count and how many there are.
func (t *Trace) countText(c *ontology.Count, n int) string {
	kind, said := "things", t.conditionTexts(c.Of)
	for _, p := range c.Of {
		if p.Predicate == t.Objects.Onto.Core.Type && p.Subject.Var == c.Var {
			kind = t.Objects.Onto.Name(p.Object.Term)
		}
	}
	return fmt.Sprintf("%s %s (%s), and there are %d", c.Text(), kind, strings.Join(said, ", "), n)
}

// UnmetGoalTexts words the goal conditions that fail in a state, each once.
func (t *Trace) UnmetGoalTexts(s *state.State) []string {
	var out []string
	for _, m := range t.UnmetGoals(s) {
		if text := t.GoalText(m); text != "" && !slices.Contains(out, text) {
			out = append(out, text)
		}
	}
	if len(out) == 0 {
		if got, _ := t.GoalTruth(s); got < state.Undecided {
			return t.UnmetParts(s)
		}
	}
	return out
}

func mentions(p ontology.Pattern, vars []int) bool {
	return p.Subject.IsVar() && slices.Contains(vars, p.Subject.Var) || p.Object.IsVar() && slices.Contains(vars, p.Object.Var)
}

func loose(p ontology.Pattern, b state.Binding) bool {
	return p.Subject.IsVar() && b[p.Subject.Var] == state.Unbound
}

// UnmetGoal is a goal condition that does not hold.
type UnmetGoal struct {
	Pattern ontology.Pattern
	Object  state.Object // Nothing where no object of its class is known
	Other   state.Object // that a relation is asked for to; Nothing where it is to none that is known
}

// Intended is the end of the expected course, with the planned actions carried
// out that the log does not reach.
func (t *Trace) Intended() *state.State {
	s := t.Expected.Clone()
	for _, c := range t.Rest {
		s.Run(state.Predicted, t.Last())
		s.Apply(c, state.Predicted, t.Last())
		s.Run(state.Predicted, t.Last())
	}
	return s
}

// GoalText is a goal condition in words: an object, or its class where none is
// known, then the relation or state: "Egg-1 cooked". It is "" for conditions
// on classes alone.
func (t *Trace) GoalText(m UnmetGoal) string {
	onto := t.Objects.Onto
	if m.Pattern.Predicate == onto.Core.Type || m.Pattern.Predicate == onto.Core.Differs {
		return ""
	}
	name := func(a ontology.Arg) string {
		if !a.IsVar() {
			return onto.Name(a.Term)
		}
		parts := [][]ontology.Pattern{t.Goal.Patterns}
		for i := range t.Goal.Counts {
			parts = append(parts, t.Goal.Counts[i].Of)
		}
		for i := range t.Goal.ForAll {
			parts = append(parts, t.Goal.ForAll[i].When, t.Goal.ForAll[i].Requires)
		}
		for _, p := range slices.Concat(append(parts, t.Goal.First...)...) {
			if p.Predicate == onto.Core.Type && p.Subject.Var == a.Var {
				return onto.Name(p.Object.Term)
			}
		}
		return ""
	}
	subject := name(m.Pattern.Subject)
	if m.Object != state.Nothing {
		subject = t.Objects.Name(m.Object)
	}
	if m.Pattern.Predicate == onto.Core.State {
		return subject + " " + onto.Name(m.Pattern.Object.Term)
	}
	object := name(m.Pattern.Object)
	if object == "" {
		object = t.Objects.Name(m.Other)
	}
	return subject + " " + onto.Name(m.Pattern.Predicate) + " " + object
}

// nearestMatch binds the goal's variables so that as many conditions as
// possible hold, class conditions first; absent are the variables for which
// there is no object of their class.
func (t *Trace) nearestMatch(q state.Query) (b state.Binding, absent []int) {
	var held []ontology.Pattern
	b = append(state.Binding(nil), t.Bound...)
	for _, byClass := range []bool{true, false} {
		for _, p := range t.Goal.Patterns {
			if (p.Predicate == t.Objects.Onto.Core.Type) != byClass || mentions(p, absent) {
				continue
			}
			if got, at := q.Best(append(slices.Clone(held), p), t.Bound); got >= state.AssumedTrue {
				held, b = append(held, p), at
			} else if byClass && p.Subject.IsVar() {
				absent = append(absent, p.Subject.Var)
			}
		}
	}
	return b, absent
}
