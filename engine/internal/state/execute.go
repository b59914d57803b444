package state

import (
	"slices"

	"github.com/mishap-robotics/mishap/ontology"
)

// Call is an action with its objects.
type Call struct {
	Schema              *ontology.ActionSchema
	Agent, Gripper      Object
	Target, Destination Object // Nothing where the action has none
}

// Binding gives the call's objects to the variables of its schema.
func (c Call) Binding() Binding {
	b := NewBinding(len(c.Schema.Vars))
	b[ontology.VarAgent] = ObjectRef(c.Agent)
	b[ontology.VarGripper] = ObjectRef(c.Gripper)
	b[ontology.VarTarget] = ObjectRef(c.Target)
	b[ontology.VarDestination] = ObjectRef(c.Destination)
	return b
}

// Absent reports whether patterns speak of a parameter the call leaves out.
func (c Call) Absent(groups ...[]ontology.Pattern) bool {
	for _, ps := range groups {
		for _, p := range ps {
			for _, a := range []ontology.Arg{p.Subject, p.Object} {
				if a.Var == ontology.VarTarget && c.Target == Nothing || a.Var == ontology.VarDestination && c.Destination == Nothing {
					return true
				}
			}
		}
	}
	return false
}

// Violation is a precondition or norm that does not hold.
type Violation struct {
	Name    string
	Comment string
	Culprit Object   // what stands in the way, where one thing does
	Touched []Fluent // what was read to find it out
	// Condition is the condition, nil for Exists; Binding is what it was judged
	// under: where something forbidden is so, the match of that.
	Condition *ontology.Condition
	Binding   Binding
}

// Exists is the name of the precondition every action has: its objects exist.
const Exists = "exists"

// upholds reports whether a condition is not violated, without telling why.
func (q Query) upholds(cond *ontology.Condition, b Binding) bool {
	if len(cond.Requires) > 0 {
		if q.best(cond.Requires, b, Undecided, nil) <= AssumedFalse {
			return false
		}
	}
	if len(cond.Forbids) == 0 {
		return true
	}
	return q.best(cond.Forbids, b, AssumedTrue, nil) < AssumedTrue
}

// eachTouched reads the fluents of a conjunction whose variables are bound.
func (q Query) eachTouched(patterns []ontology.Pattern, b Binding) {
	for i := range patterns {
		if !b.free(patterns[i].Subject) && !b.free(patterns[i].Object) {
			q.eval(&patterns[i], b)
		}
	}
}

// firstExtra is the first object that a match bound beyond what was given.
func firstExtra(found, given Binding) Object {
	for i := range found {
		if given[i] == Unbound && found[i].Object() != Nothing {
			return found[i].Object()
		}
	}
	return Nothing
}

// Change is a fluent that an action or process set.
type Change struct {
	Fluent Fluent
	Value  Value
	Cause  []Fluent // what a conditional effect or process read
	Idle   bool     // it held before
}

// Apply executes the effects of a call, whether or not its preconditions hold,
// and lists what they set. Conditions are judged on the state before.
func (s *State) Apply(c Call, status Status, step int32) []Change {
	var changes []Change
	for _, e := range s.pending(c) {
		changes = append(changes, s.make(e, c, status, step)...)
	}
	return changes
}

type pendingEffect struct {
	pattern ontology.Pattern
	binding Binding
	cause   []Fluent
}

// pending finds the effects whose conditions hold.
func (s *State) pending(c Call) []pendingEffect {
	var out []pendingEffect
	for _, e := range c.Schema.Effects {
		if c.Absent(e.When, e.Then) || c.Absent(e.Unless...) {
			continue
		}
		out = append(out, s.matches(Query{State: s, Agent: c.Agent, Gripper: c.Gripper}, e.When, e.Unless, e.Then, c.Binding())...)
	}
	return out
}

func (s *State) matches(q Query, when []ontology.Pattern, unless [][]ontology.Pattern, then []ontology.Pattern, b Binding) []pendingEffect {
	var out []pendingEffect
	q.Each(when, b, AssumedTrue, func(w Binding) {
		if q.Any(unless, w) {
			return
		}
		var cause []Fluent
		r := q
		r.Touched = &cause
		r.eachTouched(when, w)
		for _, p := range then {
			out = append(out, pendingEffect{p, w, cause})
		}
	})
	return out
}

// make carries out one effect pattern.
func (s *State) make(e pendingEffect, c Call, status Status, step int32) []Change {
	q := Query{State: s, Agent: c.Agent, Gripper: c.Gripper}
	core := &s.Objects.Onto.Core
	x, y := q.ref(e.pattern.Subject, e.binding), q.ref(e.pattern.Object, e.binding)
	switch p := e.pattern.Predicate; {
	case x.Object() == Nothing:
		return nil
	case p == core.State && s.SlotOf(y.Term()) >= 0:
		f := Fluent{x.Object(), s.SlotOf(y.Term())}
		before := s.Get(f)
		s.SetState(x.Object(), y.Term(), status, step)
		return s.changed(f, before, e.cause)
	case p == core.Near && x.Object() != c.Agent: // set down beside something: on what, nothing tells
		s.Set(Fluent{x.Object(), PlaceSlot}, unknownValue)
		return nil
	case p == core.Near:
		s.removeEdges(func(e Edge) bool { // what it was near to is left behind
			return e.Relation == core.Near && (e.Subject == x.Object() || e.Object == x.Object())
		})
		s.SetAnchor(x.Object(), y.Object())
		return nil
	case p == core.ReplacedBy:
		return s.replace(x.Object(), y.Term(), status, step, e.cause)
	case s.Objects.Onto.IsSub(p, core.Within) && y.Object() != Nothing:
		f := Fluent{x.Object(), PlaceSlot}
		before := s.Get(f)
		s.SetPlace(x.Object(), p, y.Object(), status, step)
		return s.changed(f, before, e.cause)
	}
	return nil
}

func (s *State) changed(f Fluent, before Value, cause []Fluent) []Change {
	now := s.Get(f)
	return []Change{{f, now, cause, now.Same(before) && !s.Gone(f.Obj)}}
}

// replace ends an object and brings its pieces about where it was, in the
// states it was in. Pieces that the episode names are the ones that appear;
// otherwise there is one object that stands for all.
func (s *State) replace(x Object, form ontology.TermID, status Status, step int32, cause []Fluent) []Change {
	classes := s.Objects.Onto.ValuesOf(s.Objects.Class(x), form)
	if len(classes) == 0 || s.Gone(x) {
		return nil
	}
	pieces := s.Objects.Pieces(x, classes[0])
	if len(pieces) == 0 {
		piece := s.Objects.Fresh(classes[0])
		s.Objects.SetOrigin(piece, x)
		pieces = []Object{piece}
	}
	var changes []Change
	for _, p := range pieces {
		s.Restore(p)
		for slot := range s.Slots() {
			v := s.Get(Fluent{x, slot})
			if v.Status != Unknown {
				v.Status, v.Since = status, step
				s.Set(Fluent{p, slot}, v)
			}
		}
		s.startAsPiece(p, x, status, step)
		changes = append(changes, Change{Fluent: Fluent{p, PlaceSlot}, Value: s.Place(p), Cause: cause})
	}
	for _, y := range s.Contents(x) { // what lay on it lies where it lay
		if at := s.Place(x); at.At != Nothing && !slices.Contains(pieces, y) {
			s.SetPlace(y, at.Term, at.At, status, step)
		}
	}
	s.replaceAnchor(x, pieces[0])
	s.Remove(x, step)
	return append(changes, Change{Fluent: Fluent{x, PlaceSlot}, Value: unknownValue, Cause: cause})
}

// startAsPiece gives a piece the default states of its class that its whole does
// not share: slices are sliced.
func (s *State) startAsPiece(piece, whole Object, status Status, step int32) {
	of := s.Objects.Onto.DefaultStates(s.Objects.Class(whole))
	own := s.Objects.Onto.DefaultStates(s.Objects.Class(piece))
	for _, st := range slices.Backward(own) {
		if !slices.Contains(of, st) {
			s.SetState(piece, st, status, step)
		}
	}
}

// Run lets every process go on for one step and lists what changed.
func (s *State) Run(status Status, step int32) []Change {
	var todo []pendingEffect
	q := Query{State: s, Agent: Nothing, Gripper: Nothing}
	for _, p := range s.Objects.Onto.Processes {
		if !s.mayRun(p) {
			continue
		}
		todo = append(todo, s.matches(q, p.When, p.Unless, p.Then, NewBinding(len(p.Vars)))...)
	}
	var changes []Change
	for _, e := range todo {
		if s.holds(q, e) {
			continue
		}
		changes = append(changes, s.make(e, Call{Agent: Nothing, Gripper: Nothing}, status, step)...)
	}
	return changes
}

// mayRun reports, without a search, whether for each variable of a process that has to
// be of a class and in a state there is such an object.
func (s *State) mayRun(p *ontology.Process) bool {
	core := &s.Objects.Onto.Core
	for i := range p.When {
		in := &p.When[i]
		if in.Predicate != core.State || !in.Subject.IsVar() || in.Object.IsVar() {
			continue
		}
		for j := range p.When {
			of := &p.When[j]
			if of.Predicate == core.Type && of.Subject.Var == in.Subject.Var && of.Object.Term != ontology.None && !s.anyIn(of.Object.Term, in.Object.Term) {
				return false
			}
		}
	}
	return true
}

// anyIn reports whether an object of a class is in a state.
func (s *State) anyIn(class, st ontology.TermID) bool {
	slot := s.SlotOf(st)
	for _, x := range s.Objects.Members(class) {
		if v := s.Get(Fluent{x, max(0, slot)}); slot > 0 && !s.Gone(x) && v.Status != Unknown && s.Objects.Onto.StateIs(v.Term, st) > 0 {
			return true
		}
	}
	return false
}

// holds reports whether what a process brings about is so already.
func (s *State) holds(q Query, e pendingEffect) bool {
	x, to := q.ref(e.pattern.Subject, e.binding).Object(), q.ref(e.pattern.Object, e.binding)
	if at := to.Object(); at != Nothing {
		return s.Place(x).At == at
	}
	v := s.Get(Fluent{x, max(0, s.SlotOf(to.Term()))})
	return v.Status != Unknown && v.Term != ontology.None && s.Objects.Onto.StateIs(v.Term, to.Term()) > 0
}

// Idle reports whether all that an action was to bring about held before it, as
// when something that is off is turned off.
func Idle(changes []Change) bool {
	return len(changes) > 0 && !slices.ContainsFunc(changes, func(c Change) bool { return !c.Idle })
}
