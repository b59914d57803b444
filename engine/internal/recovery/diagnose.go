package recovery

import (
	"slices"

	"github.com/mishap-robotics/mishap/engine/internal/belief"
	"github.com/mishap-robotics/mishap/engine/internal/planner"
	"github.com/mishap-robotics/mishap/engine/internal/state"
)

// ErrorKind is what kind of error a failed action points at.
type ErrorKind string

// The kinds of errors (SDA-Planner, section 4.3).
const (
	EnvironmentError ErrorKind = "environment" // all that the action depends on holds
	PreparationError ErrorKind = "preparation" // one preparing action sets what is unmet
	DependencyError  ErrorKind = "dependency"  // an earlier action undid what it needs
)

// Diagnosis is the error backtracking of SDA-Planner (section 4.3). Indexes count
// the actions of the whole sequence from 1: those done, then those left of the plan.
type Diagnosis struct {
	Kind ErrorKind
	Err  int // t_err, the action that fails
	// Unmet is what it depends on that does not hold, "" for an environment error.
	Unmet string
	// Source is t_src, the last action after which what is unmet held no more, 1
	// where there is none.
	Source int
	// Start and End are the window [t_start, t_end] that is planned anew.
	Start, End int
	// Insert is the preparing action that alone sets what is unmet, nil for none.
	Insert *planner.Step

	undone   bool
	done     int // actions of the sequence that were carried out
	involved []state.Object
	sequence []planner.Step
	before   []*state.State // by action, from the first to the one that fails; nil where not kept
	unmet    *unmetCondition
}

// Action is an action of the whole sequence, by its index from 1; ok is false where there
// is none.
func (d *Diagnosis) Action(i int) (c state.Call, ok bool) {
	if i < 1 || i > len(d.sequence) {
		return state.Call{}, false
	}
	return d.sequence[i-1].Call, true
}

// Undone reports whether what is unmet held once and an action, that at Source, undid it.
func (d *Diagnosis) Undone() bool { return d.undone }

// unmetCondition is a dependency that does not hold.
type unmetCondition struct {
	violation state.Violation
	literals  []planner.Literal
	negated   bool
}

// objectsOf are the objects of a call.
func objectsOf(c state.Call) []state.Object {
	var out []state.Object
	for _, x := range []state.Object{c.Target, c.Destination} {
		if x != state.Nothing {
			out = append(out, x)
		}
	}
	return out
}

// Done lists the actions that came about and change something.
func Done(t *belief.Trace) []state.Call {
	var out []state.Call
	for _, e := range events(t) {
		out = append(out, e.Call)
	}
	return out
}

// events are those of the actions that came about and change something. Those that
// are still to come are not among them.
func events(t *belief.Trace) []*belief.Event {
	var out []*belief.Event
	for i := range t.Events {
		e := &t.Events[i]
		if e.Final && e.Outcome <= belief.Succeeded && e.Call.Schema != nil && len(e.Call.Schema.Effects) > 0 && !e.ToCome {
			out = append(out, e)
		}
	}
	return out
}

// backtracking finds what an error points at (SDA-Planner, section 4.3).
type backtracking struct {
	problem *Problem
	domain  *planner.Domain
	sim     *planner.Simulator
}

// diagnose finds what is unmet of a failed action, the action that undid it, and the
// window of actions to be planned anew. It is nil where every action left can be
// carried out and none has failed.
func (b *backtracking) diagnose(start *planner.Node) *Diagnosis {
	d := b.history()
	node := start.Clone()
	at := -1
	for i, st := range b.problem.Rest {
		d.before = append(d.before, node.State.Clone())
		node.Strict = node.Strict || st.Far
		far := len(b.sim.Far(node, st.Call, st.From)) > 0
		if vs := b.sim.Violations(node.State, st.Call); (len(vs) > 0 || far) && !b.sim.Idle(node.State, st.Call) || i == 0 && b.failedFirst() {
			at = i
			d.unmet = b.unmetOf(node, st.Call, vs)
			break
		}
		b.sim.Perform(node, st.Call)
		b.sim.Note(node, st.Call, st.From)
	}
	d.sequence = append(d.sequence, b.problem.Rest...)
	if at < 0 {
		return nil
	}
	d.Err = d.done + at + 1
	failed := d.sequence[d.Err-1].Call
	if d.involved = objectsOf(failed); d.unmet != nil {
		d.Unmet = d.unmet.violation.Comment
		for _, l := range d.unmet.literals {
			d.involved = append(d.involved, l.Subject, l.Value.Object())
		}
		d.involved = append(d.involved, d.unmet.violation.Culprit)
	}
	b.window(d)
	return d
}

// failedFirst reports whether the first action left is the one that failed.
func (b *backtracking) failedFirst() bool {
	f := b.problem.Failure
	return f != nil && f.Failed != nil && len(b.problem.Rest) > 0 && f.Failed.Same(b.problem.Rest[0].Call)
}

// history begins a diagnosis with the actions that were carried out.
func (b *backtracking) history() *Diagnosis {
	d := &Diagnosis{}
	for _, c := range Done(b.problem.Trace) {
		d.sequence = append(d.sequence, planner.Step{Call: c, From: planner.FromPlan})
	}
	d.done = len(d.sequence)
	d.before = make([]*state.State, d.done)
	return d
}

// unmetOf is the first dependency of an action that does not hold.
func (b *backtracking) unmetOf(node *planner.Node, c state.Call, vs []state.Violation) *unmetCondition {
	if len(vs) > 0 {
		v := vs[0]
		u := &unmetCondition{violation: v}
		if v.Condition == nil {
			return u
		}
		if ls := b.domain.Literals(v.Condition.Requires, v.Binding); len(ls) > 0 {
			u.literals = slices.DeleteFunc(ls, func(l planner.Literal) bool { return b.sim.Holds(node.State, l) })
		} else {
			u.literals, u.negated = b.domain.Literals(v.Condition.Forbids, v.Binding), true
		}
		return u
	}
	if far := b.sim.Far(node, c, planner.FromPlan); len(far) > 0 {
		near := planner.Literal{Subject: c.Agent, Predicate: b.domain.Onto.Core.Near, Value: state.ObjectRef(far[0])}
		why := state.Violation{Comment: "the robot is not near " + b.domain.Objects.Name(far[0]), Culprit: far[0]}
		return &unmetCondition{violation: why, literals: []planner.Literal{near}}
	}
	return nil
}

// window finds t_src, t_start and t_end.
func (b *backtracking) window(d *Diagnosis) {
	d.End = d.Err
	for d.End < len(d.sequence) && b.onlyAbout(d.sequence[d.End].Call, d.involved) {
		d.End++
	}
	d.Start, d.Source = d.Err, d.Err
	switch {
	case d.unmet == nil:
		d.Kind = EnvironmentError
		return
	case b.preparing(d):
		return
	}
	d.Kind, d.Source = DependencyError, 1
	for t := d.Err - 1; t >= 1; t-- {
		if b.satisfied(d, t-1) && !b.satisfied(d, t) {
			d.Source, d.undone = t, true
			break
		}
	}
	d.Start = d.Source
	for d.Start > 1 && b.domain.Prepares(d.sequence[d.Start-2].Call.Schema) {
		d.Start--
	}
}

// onlyAbout reports whether all objects of an action are among some.
func (b *backtracking) onlyAbout(c state.Call, among []state.Object) bool {
	return !slices.ContainsFunc(objectsOf(c), func(x state.Object) bool { return !slices.Contains(among, x) })
}

// preparing finds the preparing action that alone sets what is unmet.
func (b *backtracking) preparing(d *Diagnosis) bool {
	if len(d.unmet.literals) != 1 || d.unmet.negated || d.unmet.literals[0].Predicate != b.domain.Onto.Core.Near || b.domain.Move == nil {
		return false
	}
	d.Kind = PreparationError
	d.Insert = &planner.Step{Call: b.domain.Call(b.domain.Move, d.unmet.literals[0].Value.Object(), state.Nothing), From: planner.FromSubgoal}
	return true
}

// satisfied reports whether what is unmet held after an action of the sequence,
// 0 for before the first.
func (b *backtracking) satisfied(d *Diagnosis, t int) bool {
	s := b.stateAfter(d, t)
	if s == nil || len(d.unmet.literals) == 0 {
		return false
	}
	holding := 0
	for _, l := range d.unmet.literals {
		if b.sim.Holds(s, l) {
			holding++
		}
	}
	if d.unmet.negated {
		return holding < len(d.unmet.literals)
	}
	return holding == len(d.unmet.literals)
}

// stateAfter is what was, or would be, believed after an action of the sequence.
func (b *backtracking) stateAfter(d *Diagnosis, t int) *state.State {
	if t >= d.done {
		if i := t; i < len(d.before) {
			return d.before[i]
		}
		return nil
	}
	if t == 0 {
		return b.problem.Trace.StateAt(0)
	}
	return b.problem.Trace.StateAt(events(b.problem.Trace)[t-1].Step)
}
