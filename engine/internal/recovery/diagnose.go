package recovery

import (
	"context"
	"slices"

	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/engine/internal/belief"
	"github.com/mishap-robotics/mishap/engine/internal/state"
)

// ErrorKind is what kind of error a failed action points at.
type ErrorKind string

// The kinds of errors (SDA-Planner, section 4.3).
const (
	EnvironmentError ErrorKind = "environment" // all that the action depends on holds
	PreparationError ErrorKind = "preparation" // one preparing action sets what it lacks
	DependencyError  ErrorKind = "dependency"  // an earlier action undid what it needs
)

// Diagnosis is the error backtracking of SDA-Planner (section 4.3). Indexes count
// the actions of the whole sequence from 1: those done, then those left of the plan.
type Diagnosis struct {
	Kind ErrorKind
	Err  int // t_err, the action that fails
	// Lacks is what it depends on that does not hold, "" for an environment error.
	Lacks string
	// Source is t_src, the last action after which what is lacking held no more, 1
	// where there is none.
	Source int
	// Start and End are the window [t_start, t_end] that is planned anew.
	Start, End int
	// Insert is the preparing action that alone sets what is lacking, nil for none.
	Insert *PlanStep

	done     int // actions of the sequence that were carried out
	involved []state.Object
	sequence []PlanStep
	before   []*state.State // by action, from the first to the one that fails; nil where not kept
	lacking  *lack
}

// lack is a dependency that does not hold.
type lack struct {
	violation state.Violation
	literals  []literal
	not       bool
}

// Diagnose finds what a failed action lacks, the action that undid it, and the
// window of actions to be planned anew. It is nil where every action left can be
// carried out and none has failed.
func (r *recovery) diagnose(start *moment) *Diagnosis {
	d := &Diagnosis{}
	d.sequence, d.before = r.history()
	d.done = len(d.sequence)
	mo := r.clone(start)
	at := -1
	for i, st := range r.problem.Rest {
		d.before = append(d.before, mo.s.Clone())
		mo.strict = mo.strict || st.Far
		far := len(r.far(mo, st.Call, st.From)) > 0
		if vs := r.violations(mo.s, st.Call); (len(vs) > 0 || far) && !r.idle(mo.s, st.Call) || i == 0 && r.failedFirst() {
			at = i
			d.lacking = r.lackOf(mo, st.Call, vs)
			break
		}
		r.perform(mo, st.Call)
		r.note(mo, st.Call, st.From)
	}
	d.sequence = append(d.sequence, r.problem.Rest...)
	if at < 0 {
		return nil
	}
	d.Err = d.done + at + 1
	failed := d.sequence[d.Err-1].Call
	if d.involved = objectsOf(failed); d.lacking != nil {
		d.Lacks = d.lacking.violation.Comment
		for _, l := range d.lacking.literals {
			d.involved = append(d.involved, l.x, l.y.Object())
		}
		d.involved = append(d.involved, d.lacking.violation.Culprit)
	}
	r.window(d)
	return d
}

// failedFirst reports whether the first action left is the one that failed.
func (r *recovery) failedFirst() bool {
	f := r.problem.Failure
	return f != nil && f.Failed != nil && len(r.problem.Rest) > 0 && *f.Failed == r.problem.Rest[0].Call
}

func objectsOf(c state.Call) []state.Object {
	var out []state.Object
	for _, x := range []state.Object{c.Target, c.Destination} {
		if x != state.Nothing {
			out = append(out, x)
		}
	}
	return out
}

// history lists the actions that were carried out.
func (r *recovery) history() ([]PlanStep, []*state.State) {
	var out []PlanStep
	for _, c := range Done(r.trace) {
		out = append(out, PlanStep{Call: c, From: FromPlan})
	}
	return out, make([]*state.State, len(out))
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

// Undoing lists what undoes the actions done so far but for the first few, as far as
// that can be.
func Undoing(ctx context.Context, p *Problem, keep int) []episode.Action {
	r := &recovery{model: newModel(ctx, p, DefaultEffort), problem: p, whole: DefaultEffort}
	d := &Diagnosis{Start: keep + 1}
	d.sequence, d.before = r.history()
	d.done = len(d.sequence)
	mo := &moment{s: p.State.Clone(), strict: true}
	steps, _, _ := r.reverse(d, mo)
	return r.names(steps)
}

// lackOf is the first dependency of an action that does not hold.
func (r *recovery) lackOf(mo *moment, c state.Call, vs []state.Violation) *lack {
	if len(vs) > 0 {
		l := &lack{violation: vs[0]}
		if vs[0].Condition == nil {
			return l
		}
		if ls := r.literals(vs[0].Condition.Requires, vs[0].Binding); len(ls) > 0 {
			l.literals = slices.DeleteFunc(ls, func(one literal) bool { return r.holds(mo.s, one) })
		} else {
			l.literals, l.not = r.literals(vs[0].Condition.Forbids, vs[0].Binding), true
		}
		return l
	}
	if far := r.far(mo, c, FromPlan); len(far) > 0 {
		near := literal{x: c.Agent, pred: r.onto.Core.Near, y: state.ObjectRef(far[0])}
		return &lack{violation: state.Violation{Comment: "the robot is not near " + r.objects.Name(far[0]), Culprit: far[0]}, literals: []literal{near}}
	}
	return nil
}

// window finds t_src, t_start and t_end.
func (r *recovery) window(d *Diagnosis) {
	d.End = d.Err
	for d.End < len(d.sequence) && r.onlyAbout(d.sequence[d.End].Call, d.involved) {
		d.End++
	}
	d.Start, d.Source = d.Err, d.Err
	switch {
	case d.lacking == nil:
		d.Kind = EnvironmentError
		return
	case r.preparing(d):
		return
	}
	d.Kind, d.Source = DependencyError, 1
	for t := d.Err - 1; t >= 1; t-- {
		if r.satisfied(d, t-1) && !r.satisfied(d, t) {
			d.Source = t
			break
		}
	}
	d.Start = d.Source
	for d.Start > 1 && r.prepares[d.sequence[d.Start-2].Call.Schema] {
		d.Start--
	}
}

// onlyAbout reports whether all objects of an action are among some.
func (r *recovery) onlyAbout(c state.Call, among []state.Object) bool {
	return !slices.ContainsFunc(objectsOf(c), func(x state.Object) bool { return !slices.Contains(among, x) })
}

// preparing finds the preparing action that alone sets what is lacking.
func (r *recovery) preparing(d *Diagnosis) bool {
	if len(d.lacking.literals) != 1 || d.lacking.not || d.lacking.literals[0].pred != r.onto.Core.Near || r.move == nil {
		return false
	}
	d.Kind = PreparationError
	d.Insert = &PlanStep{Call: r.call(r.move, d.lacking.literals[0].y.Object(), state.Nothing), From: FromSupply}
	return true
}

// satisfied reports whether what is lacking held after an action of the sequence,
// 0 for before the first.
func (r *recovery) satisfied(d *Diagnosis, t int) bool {
	s := r.stateAfter(d, t)
	if s == nil || len(d.lacking.literals) == 0 {
		return false
	}
	holding := 0
	for _, l := range d.lacking.literals {
		if r.holds(s, l) {
			holding++
		}
	}
	if d.lacking.not {
		return holding < len(d.lacking.literals)
	}
	return holding == len(d.lacking.literals)
}

// stateAfter is what was, or would be, believed after an action of the sequence.
func (r *recovery) stateAfter(d *Diagnosis, t int) *state.State {
	if t >= d.done {
		if i := t; i < len(d.before) {
			return d.before[i]
		}
		return nil
	}
	if t == 0 {
		return r.trace.StateAt(0)
	}
	return r.trace.StateAt(events(r.trace)[t-1].Step)
}
