package belief

import (
	"iter"
	"reflect"
	"sort"

	"github.com/mishap-robotics/mishap/engine/internal/state"
	"github.com/mishap-robotics/mishap/ontology"
	"github.com/mishap-robotics/mishap/ontology/decimal"
)

// pastEvent is what a window leaves of an event: what the robot did, and how it came out.
type pastEvent struct {
	step, first, before                 int32
	planned                             int32
	agent, gripper, target, destination state.Object
	schema                              *ontology.ActionSchema
	time, until                         decimal.Decimal
	more                                *Event // what few events have
	marks                               uint16
	outcome                             Outcome
}

// marks visits what an event is or is not.
func (e *Event) marks(visit func(*bool)) {
	for _, m := range []*bool{&e.Timed, &e.Final, &e.ToCome, &e.Ambiguous, &e.Vague, &e.Away, &e.Observed, &e.HandEmpty, &e.WithoutAction} {
		visit(m)
	}
}

// pastOf is what is left of an event once nobody asks any more what it showed.
func pastOf(e *Event) pastEvent {
	p := pastEvent{
		step: e.Step, first: e.First, before: e.Before, planned: int32(e.Planned), schema: e.Call.Schema,
		agent: e.Call.Agent, gripper: e.Call.Gripper, target: e.Call.Target, destination: e.Call.Destination,
		time: e.Time, until: e.Until, outcome: e.Outcome,
	}
	bit := uint16(1)
	e.marks(func(is *bool) {
		if *is {
			p.marks |= bit
		}
		bit <<= 1
	})
	rest := *e
	rest.Step, rest.First, rest.Before, rest.Planned, rest.Time, rest.Until, rest.Outcome = 0, 0, 0, 0, 0, 0, 0
	rest.Seen, rest.States, rest.Values, rest.Edges, rest.Sounds, rest.Differences = nil, nil, nil, nil, nil, nil
	rest.Call = state.Call{Values: orNil(e.Call.Values), Further: orNil(e.Call.Further)}
	rest.Unmet, rest.Violated, rest.Mistaken = orNil(e.Unmet), orNil(e.Violated), orNil(e.Mistaken)
	rest.Together, rest.Meanwhile = orNil(e.Together), orNil(e.Meanwhile)
	rest.marks(func(is *bool) { *is = false })
	if reflect.ValueOf(&rest).Elem().IsZero() { // as of most
		return p
	}
	rest.Ambiguous, rest.Vague = e.Ambiguous, e.Vague
	rest.Call.Agent, rest.Call.Gripper, rest.Call.Target, rest.Call.Destination = state.Nothing, state.Nothing, state.Nothing, state.Nothing
	p.more = &rest
	return p
}

func orNil[S ~[]T, T any](list S) S {
	if len(list) == 0 {
		return nil
	}
	return list
}

// objects are those of what the robot did.
func (p *pastEvent) objects() [4]*state.Object {
	return [4]*state.Object{&p.agent, &p.gripper, &p.target, &p.destination}
}

// fill makes of an event what it was, but for what it showed.
func (p *pastEvent) fill(e *Event) {
	if *e = (Event{}); p.more != nil {
		*e = *p.more
	}
	e.Step, e.First, e.Before, e.Planned, e.Call.Schema = p.step, p.first, p.before, int(p.planned), p.schema
	e.Call.Agent, e.Call.Gripper, e.Call.Target, e.Call.Destination = p.agent, p.gripper, p.target, p.destination
	e.Time, e.Until, e.Outcome = p.time, p.until, p.outcome
	bits := p.marks
	e.marks(func(is *bool) {
		*is = bits&1 != 0
		bits >>= 1
	})
}

// Len counts the events, those before a window among them.
func (t *Trace) Len() int { return len(t.past) + len(t.Events) }

// Nth is an event by its index among all. One before a window, of which is told what the
// robot did and how it came out, is a copy.
func (t *Trace) Nth(i int) *Event {
	if i >= len(t.past) {
		return &t.Events[i-len(t.past)]
	}
	e := new(Event)
	t.past[i].fill(e)
	return e
}

// StepOf is the step of an event by its index among all.
func (t *Trace) StepOf(i int) int32 {
	if i >= len(t.past) {
		return t.Events[i-len(t.past)].Step
	}
	return t.past[i].step
}

// From is the index of the first event of a step or of one after it.
func (t *Trace) From(step int32) int {
	n := t.Len()
	if n == 0 || t.StepOf(n-1) < step { // what is asked for is mostly recent
		return n
	}
	if t.StepOf(n-1) == step {
		return n - 1
	}
	return sort.Search(n, func(i int) bool { return t.StepOf(i) >= step })
}

// firstOf is the first line of the action of an event by its index among all.
func (t *Trace) firstOf(i int) int32 {
	if i >= len(t.past) {
		return t.Events[i-len(t.past)].First
	}
	return t.past[i].first
}

// SameAction reports whether two steps are lines of one action.
func (t *Trace) SameAction(a, b int32) bool {
	return t.Has(a) && t.Has(b) && t.firstOf(t.From(a)) == t.firstOf(t.From(b))
}

// Has reports whether a step has an event.
func (t *Trace) Has(step int32) bool {
	i := t.From(step)
	return i < t.Len() && t.StepOf(i) == step
}

// Event is the event of a step, or nil; see Nth.
func (t *Trace) Event(step int32) *Event {
	if i := t.From(step); i < t.Len() && t.StepOf(i) == step {
		return t.Nth(i)
	}
	return nil
}

// latest are copies of up to so many of the last events, made room for one more.
func (t *Trace) latest(n int) []Event {
	from := max(0, t.Len()-n)
	out := make([]Event, 0, t.Len()-from+1)
	for i := from; i < len(t.past); i++ {
		out = append(out, *t.Nth(i))
	}
	return append(out, t.Events[max(0, from-len(t.past)):]...)
}

// slack is how many events and lines before a window wait until what a window leaves of
// them is made at once: some for each of those in it.
func slack(window int32) int { return max(8, int(window)/8) }

// pass makes of the first events what a window leaves of them.
func (t *Trace) pass(n int) {
	t.past = roomFor(t.past, n)
	for i := range n {
		t.past = append(t.past, pastOf(&t.Events[i]))
	}
	t.Events = moved(t.Events, n)
}

// moved are the elements of a list from the n-th on in a list of their own, with room for
// as many as were dropped.
func moved[T any](list []T, n int) []T {
	return append(make([]T, 0, len(list)), list[n:]...)
}

// roomFor is a list with room for more elements, and for an eighth of those that it has: an
// episode that goes on for long has many that are only added to.
func roomFor[T any](list []T, more int) []T {
	if cap(list)-len(list) >= more {
		return list
	}
	return append(make([]T, 0, len(list)+max(more, len(list)/8)), list...)
}

// passLines makes of the first lines what a window leaves of them.
func (t *tracker) passLines(n int) {
	t.ep.Passed = roomFor(t.ep.Passed, n)
	for i := range n {
		t.ep.Pass(&t.ep.Steps[i])
	}
	t.ep.Steps = moved(t.ep.Steps, n)
}

// Actions visits the actions of all events, those before a window among them.
func (t *Trace) Actions() iter.Seq[*ontology.ActionSchema] {
	return func(yield func(*ontology.ActionSchema) bool) {
		for i := range t.past {
			if !yield(t.past[i].schema) {
				return
			}
		}
		for i := range t.Events {
			if !yield(t.Events[i].Call.Schema) {
				return
			}
		}
	}
}
