package belief

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/engine/internal/grounding"
	"github.com/mishap-robotics/mishap/engine/internal/state"
	"github.com/mishap-robotics/mishap/ontology"
)

// prior is what is believed before anything was observed.
type prior struct {
	names *grounding.Names
	trace *Trace
	// special are the states in which the usual scene of the task has objects otherwise than
	// their class.
	special map[state.Object][]ontology.TermID
}

// assume fills in default states and the usual scene of the task, for objects
// from an index on.
func (p prior) assume(s *state.State, from int) {
	like := map[ontology.TermID]state.Object{} // by class, one of which only its defaults are known
	for i := from; i < len(s.Objects.Items); i++ {
		x, item := state.Object(i), &s.Objects.Items[i]
		if s.Knows(x) || len(item.Also) > 0 {
			assumeDefaults(s, x)
		} else if other, ok := like[item.Class]; ok {
			s.SetLike(x, other)
		} else {
			assumeDefaults(s, x)
			like[item.Class] = x
		}
	}
	p.assumeUnchanged(s, from)
	if p.trace.Task == nil {
		return
	}
	usual, _ := p.names.Fill(p.trace.Task.Usual)
	for _, pattern := range usual {
		if p.isAskedOnlyOfTask(pattern) {
			continue
		}
		for x, n := state.Object(from), len(s.Objects.Items); int(x) < n; x++ {
			if !s.Objects.IsA(x, pattern.Subject.Term) {
				continue
			}
			assumeFact(s, x, pattern)
			if pattern.Predicate == s.Objects.Onto.Core.State && s.SlotOf(pattern.Object.Term) > 0 {
				p.special[x] = append(p.special[x], pattern.Object.Term)
			}
		}
	}
}

// isAskedOnlyOfTask reports that the usual scene has something in a state that the task's own
// goal is to undo, as a dirty mug, and the goal of the episode is not.
func (p prior) isAskedOnlyOfTask(usual ontology.Pattern) bool {
	onto := p.trace.Objects.Onto
	undone := onto.Opposite(usual.Object.Term)
	if usual.Predicate != onto.Core.State || undone == ontology.None {
		return false
	}
	asks := func(q ontology.Pattern) bool { return q.Predicate == onto.Core.State && q.Object.Term == undone }
	return slices.ContainsFunc(p.trace.Task.Goal.Patterns, asks) && !slices.ContainsFunc(p.trace.Goal.Patterns, asks)
}

// assumeDefaults puts an object in the states that its class is in by default.
func assumeDefaults(s *state.State, x state.Object) {
	for _, st := range slices.Backward(s.Objects.Onto.DefaultStates(s.Objects.Class(x))) { // own defaults come first and count last
		s.SetState(x, st, state.Assumed, 0)
	}
	for _, more := range s.Objects.Items[x].Also { // a carton of milk is full of it
		for _, st := range slices.Backward(s.Objects.Onto.DefaultStates(more)) {
			s.SetState(x, st, state.Assumed, 0)
		}
	}
	for _, q := range s.Objects.Onto.Quantities {
		if n, ok := s.Objects.Onto.DefaultValue(s.Objects.Class(x), q); ok {
			s.SetMeasured(x, q.Term, n, state.Assumed, 0)
		}
	}
}

// assumeUnchanged puts objects from an index on, of which nothing is known, in the state
// that is usual of what the goal wants otherwise, where the plan uses a thing by which it
// comes about: what is to be heated in the microwave is not hot yet.
func (p prior) assumeUnchanged(s *state.State, from int) {
	onto := s.Objects.Onto
	for _, g := range p.trace.Goal.Patterns {
		if g.Predicate != onto.Core.State || g.Object.Term == ontology.None || !p.isToCome(g.Object.Term) {
			continue
		}
		for _, usual := range onto.DefaultStates(onto.Dimension(g.Object.Term)) {
			for x := state.Object(from); int(x) < len(s.Objects.Items); x++ {
				f := state.Fluent{Obj: x, Slot: s.SlotOf(usual)}
				if onto.StateIs(usual, g.Object.Term) < 0 && s.Get(f).Status == state.Unknown && p.isSubject(g, x) {
					s.SetState(x, usual, state.Assumed, 0)
				}
			}
		}
	}
}

// isSubject reports whether a condition of the goal may speak of an object.
func (p prior) isSubject(g ontology.Pattern, x state.Object) bool {
	if g.Subject.Var < 0 {
		return p.trace.Objects.IsA(x, g.Subject.Term)
	}
	return p.trace.MayBe(p.trace.Objects, x, g.Subject.Var)
}

// isToCome reports whether the plan uses a thing by which a process brings a state about.
func (p prior) isToCome(wanted ontology.TermID) bool {
	onto := p.trace.Objects.Onto
	return slices.ContainsFunc(onto.Processes, func(pr *ontology.Process) bool {
		return slices.ContainsFunc(pr.Then, func(then ontology.Pattern) bool {
			return then.Predicate == onto.Core.State && onto.StateIs(then.Object.Term, wanted) > 0
		}) && slices.ContainsFunc(pr.When, func(w ontology.Pattern) bool { return w.Predicate == onto.Core.Type && p.isPlanned(w.Object.Term) })
	})
}

// isPlanned reports whether an action of the plan names a thing of a class.
func (p prior) isPlanned(class ontology.TermID) bool {
	onto := p.trace.Objects.Onto
	return slices.ContainsFunc(p.trace.Episode.Plan, func(a episode.Action) bool {
		return slices.ContainsFunc([]string{a.Target, a.Destination}, func(name string) bool {
			stem, _ := episode.SplitName(name)
			c := grounding.ClassOf(onto, stem)
			return c != ontology.None && onto.IsA(c, class)
		})
	})
}

func assumeFact(s *state.State, x state.Object, p ontology.Pattern) {
	onto := s.Objects.Onto
	switch {
	case p.Predicate == onto.Core.State:
		s.SetState(x, p.Object.Term, state.Assumed, 0)
	case onto.IsSub(p.Predicate, onto.Core.Within) && p.Object.Term != ontology.None:
		at := s.Objects.First(p.Object.Term)
		if at == state.Nothing {
			at = s.Objects.Fresh(p.Object.Term)
			for _, st := range onto.DefaultStates(s.Objects.Class(at)) {
				s.SetState(at, st, state.Assumed, 0)
			}
		}
		s.SetPlace(x, p.Predicate, at, state.Assumed, 0)
	}
}

// state takes in what the log states of the scene before step 0.
func (p prior) state(s *state.State, ep *episode.Episode) {
	for _, f := range ep.Scene {
		x := p.names.Object(f.Subject, "")
		if f.Object == "" {
			p.stateState(s, ep, x, f)
		} else {
			p.stateRelation(s, ep, x, f)
		}
	}
}

func (p prior) stateState(s *state.State, ep *episode.Episode, x state.Object, f episode.Fact) {
	id := p.names.State(x, f.Relation, f.Line)
	if id == ontology.None {
		return
	}
	onto := s.Objects.Onto
	s.Restore(x)
	if was := s.Get(state.Fluent{Obj: x, Slot: s.SlotOf(id)}); was.Status == state.Observed && onto.StateIs(was.Term, id) < 0 {
		ep.Warn(f.Line, fmt.Sprintf("the scene says that %s is %s and %s; the last counts", f.Subject, onto.Name(was.Term), f.Relation))
	}
	s.SetState(x, id, state.Observed, 0)
}

// stateValue takes in how much a quantity is said to be: "4.5", or "277 K" with a unit.
func (p prior) stateValue(s *state.State, ep *episode.Episode, x state.Object, q *ontology.Quantity, f episode.Fact) {
	number, unit, _ := strings.Cut(f.Object, " ")
	n, err := strconv.ParseFloat(number, 64)
	if err != nil {
		ep.Warn(f.Line, fmt.Sprintf("the scene says that the %s of %s is %q; expected a number such as 9.5, or \"9.5 %s\"", f.Relation, f.Subject, f.Object, q.Unit.UCUM))
		return
	}
	d, err := q.Read(n, unit)
	if err != nil {
		ep.Warn(f.Line, fmt.Sprintf("the scene says that %s has %s; it is not used", f.Subject, err))
		return
	}
	s.Restore(x)
	s.SetMeasured(x, q.Term, d, state.Observed, 0)
}

func (p prior) stateRelation(s *state.State, ep *episode.Episode, x state.Object, f episode.Fact) {
	onto := s.Objects.Onto
	if q := onto.QuantityNamed(f.Relation); q != nil {
		p.stateValue(s, ep, x, q, f)
		return
	}
	rel := p.names.Relation(f.Relation)
	if len(rel) == 0 {
		ep.Warn(f.Line, fmt.Sprintf("unknown relation %q in the scene; it is not used", f.Relation))
		return
	}
	y := p.names.Object(f.Object, "")
	s.Restore(x)
	if onto.Persistent(rel[0]) {
		p.stateLink(s, ep, state.Edge{Subject: x, Relation: rel[0], Object: y}, f)
		return
	}
	if !onto.IsSub(rel[0], onto.Core.Within) {
		s.AddEdge(x, rel[0], y)
		return
	}
	if was := s.Place(x); was.Status == state.Observed && was.At != y {
		ep.Warn(f.Line, fmt.Sprintf("the scene says that %s is at %s and at %s; the last counts", f.Subject, s.Objects.Name(was.At), f.Object))
	}
	s.SetPlace(x, rel[0], y, state.Observed, 0)
}

// stateLink takes in a lasting relation that the scene states. What contradicts another of
// its facts, as a second thing that a functional relation is to, is not taken in.
func (p prior) stateLink(s *state.State, ep *episode.Episode, e state.Edge, f episode.Fact) {
	if other := s.Contradicted(e); other != (state.Edge{Subject: state.Nothing, Relation: ontology.None, Object: state.Nothing}) {
		names := s.Objects
		ep.Skip(f.Line, fmt.Sprintf("the scene says %s %s %s and %s %s %s; expected one of them, for %s is to one thing only",
			names.Name(other.Subject), names.Onto.Name(other.Relation), names.Name(other.Object), f.Subject, f.Relation, f.Object, names.Onto.Name(other.Relation)))
		return
	}
	s.Relate(e.Subject, e.Relation, e.Object, state.Observed, 0)
}
