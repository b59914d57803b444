package belief

import (
	"iter"
	"reflect"
	"slices"
	"sort"

	"github.com/mishap-robotics/mishap/engine/internal/state"
	"github.com/mishap-robotics/mishap/ontology"
	"github.com/mishap-robotics/mishap/ontology/decimal"
)

// pastEvent is what a window leaves of an event: what the robot did, and how it came out.
type pastEvent struct {
	step                int32
	target, destination state.Object
	manner              uint16 // index of manners
	planned             uint16
	marks               uint16
	first, before       uint8 // how many steps back
	outcome             Outcome
	odd                 bool // the rest of it stands among the odd ones
}

// manner is what was done and by whom, which recurs.
type manner struct {
	schema         *ontology.ActionSchema
	agent, gripper state.Object
}

// past are the events before a window, in order of steps.
type past struct {
	events  []pastEvent
	manners []manner
	times   [][2]decimal.Decimal // of each event and until when it was; none where none is known
	odd     map[int32]*Event     // by step, those with more to them than most, but for what they showed
	looks   looks                // what the last of them showed
}

// marks visits what an event is or is not.
func (e *Event) marks(visit func(*bool)) {
	for _, m := range []*bool{&e.Timed, &e.Final, &e.ToCome, &e.Ambiguous, &e.Vague, &e.Away, &e.Observed, &e.HandEmpty, &e.WithoutAction} {
		visit(m)
	}
}

// add adds what is left of an event once nobody asks any more what it showed.
func (p *past) add(e *Event) {
	out := pastEvent{step: e.Step, target: e.Call.Target, destination: e.Call.Destination, outcome: e.Outcome}
	small := fits(&out.first, e.Step-e.First) && fits(&out.before, e.Step-e.Before) && fits(&out.planned, e.Planned)
	m, few := p.mannerOf(manner{e.Call.Schema, e.Call.Agent, e.Call.Gripper})
	out.manner = m
	bit := uint16(1)
	e.marks(func(is *bool) {
		if *is {
			out.marks |= bit
		}
		bit <<= 1
	})
	timed := e.Time != 0 || e.Until != 0
	if timed && p.times == nil {
		p.times = make([][2]decimal.Decimal, len(p.events), cap(p.events))
	}
	if p.times != nil {
		p.times = append(p.times, [2]decimal.Decimal{e.Time, e.Until})
	}
	if !small || !few || e.isOdd() {
		if p.odd == nil {
			p.odd = map[int32]*Event{}
		}
		rest := e.withoutLook()
		p.odd[e.Step] = &rest
		out = pastEvent{step: e.Step, target: state.Nothing, destination: state.Nothing, odd: true}
	}
	p.events = append(p.events, out)
}

// fits puts a number where there is little room, and reports whether there is enough.
func fits[T uint8 | uint16, N int | int32](into *T, n N) bool {
	*into = T(n)
	return N(*into) == n
}

// mannerOf is false where there are too many.
func (p *past) mannerOf(m manner) (uint16, bool) {
	for i := range p.manners {
		if p.manners[i] == m {
			return uint16(i), true
		}
	}
	if len(p.manners) == maxManners {
		return 0, false
	}
	p.manners = append(p.manners, m)
	return uint16(len(p.manners) - 1), true
}

// maxManners is how many manners are told apart: each robot has some of each action.
const maxManners = 512

// withoutLook is an event but for what it showed.
func (e *Event) withoutLook() Event {
	out := *e
	out.Seen, out.States, out.Values, out.Edges, out.Sounds, out.Differences = nil, nil, nil, nil, nil, nil
	out.Call.Values, out.Call.Further = orNil(e.Call.Values), orNil(e.Call.Further)
	out.Unmet, out.Violated, out.Mistaken = orNil(e.Unmet), orNil(e.Violated), orNil(e.Mistaken)
	out.Together, out.Meanwhile = orNil(e.Together), orNil(e.Meanwhile)
	return out
}

// isOdd reports whether there is more to an event than a pastEvent holds.
func (e *Event) isOdd() bool {
	rest := e.withoutLook()
	rest.Step, rest.First, rest.Before, rest.Planned, rest.Time, rest.Until, rest.Outcome = 0, 0, 0, 0, 0, 0, 0
	rest.Call.Schema, rest.Call.Agent, rest.Call.Gripper, rest.Call.Target, rest.Call.Destination = nil, 0, 0, 0, 0
	rest.marks(func(is *bool) { *is = false })
	return !reflect.ValueOf(&rest).Elem().IsZero()
}

func orNil[S ~[]T, T any](list S) S {
	if len(list) == 0 {
		return nil
	}
	return list
}

// objects visits those of what the robot did.
func (p *past) objects(visit func(*state.Object)) {
	for i := range p.manners {
		visit(&p.manners[i].agent)
		visit(&p.manners[i].gripper)
	}
	for i := range p.events {
		visit(&p.events[i].target)
		visit(&p.events[i].destination)
	}
}

// fill makes of an event by its index what it was, but for what it showed.
func (p *past) fill(i int, e *Event) {
	past := &p.events[i]
	if past.odd {
		*e = *p.odd[past.step]
		return
	}
	m := &p.manners[past.manner]
	*e = Event{Step: past.step, First: past.step - int32(past.first), Before: past.step - int32(past.before), Planned: int(past.planned), Outcome: past.outcome}
	e.Call = state.Call{Schema: m.schema, Agent: m.agent, Gripper: m.gripper, Target: past.target, Destination: past.destination}
	if p.times != nil {
		e.Time, e.Until = p.times[i][0], p.times[i][1]
	}
	bits := past.marks
	e.marks(func(is *bool) {
		*is = bits&1 != 0
		bits >>= 1
	})
}

// first is the first line of the action of an event by its index.
func (p *past) first(i int) int32 {
	if e := &p.events[i]; !e.odd {
		return e.step - int32(e.first)
	}
	return p.odd[p.events[i].step].First
}

// schema is that of the action of an event by its index.
func (p *past) schema(i int) *ontology.ActionSchema {
	if e := &p.events[i]; !e.odd {
		return p.manners[e.manner].schema
	}
	return p.odd[p.events[i].step].Call.Schema
}

// from is what is left without the first events.
func (p *past) from(n int) past {
	out := past{events: make([]pastEvent, 0, len(p.events)-n), looks: p.looks}
	var e Event
	for i := n; i < len(p.events); i++ {
		p.fill(i, &e)
		out.add(&e)
	}
	return out
}

// Len counts the events, those before a window among them.
func (t *Trace) Len() int { return len(t.past.events) + len(t.Events) }

// Nth is an event by its index among all. One before a window, of which is told what the
// robot did and how it came out, is a copy; so is one that is packed, without what was seen.
func (t *Trace) Nth(i int) *Event {
	if n := len(t.past.events); i >= n {
		return &t.Events[i-n]
	}
	e := new(Event)
	t.past.fill(i, e)
	t.past.tell(i, e)
	return e
}

// StepOf is the step of an event by its index among all.
func (t *Trace) StepOf(i int) int32 {
	if n := len(t.past.events); i >= n {
		return t.Events[i-n].Step
	}
	return t.past.events[i].step
}

// Did is what was done at an event by its index among all, and what came of it.
func (t *Trace) Did(i int) (*ontology.ActionSchema, Outcome) {
	n := len(t.past.events)
	if i >= n {
		e := &t.Events[i-n]
		return e.Call.Schema, e.Outcome
	}
	if e := &t.past.events[i]; e.odd {
		return t.past.schema(i), t.past.odd[e.step].Outcome
	}
	return t.past.schema(i), t.past.events[i].outcome
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
	if n := len(t.past.events); i >= n {
		return t.Events[i-n].First
	}
	return t.past.first(i)
}

// SameAction reports whether two steps are lines of one action.
func (t *Trace) SameAction(a, b int32) bool {
	i, j := t.From(a), t.From(b)
	return i < t.Len() && j < t.Len() && t.StepOf(i) == a && t.StepOf(j) == b && t.firstOf(i) == t.firstOf(j)
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
	p := &t.past
	packed := len(p.events) - len(p.looks.told)
	for i := from; i < len(p.events) && (i < packed || t.StepOf(i) < p.looks.since); i++ {
		out = append(out, *t.Nth(i))
	}
	out = append(out, p.unpacked(from, len(p.events))...)
	return append(out, t.Events[max(0, from-len(t.past.events)):]...)
}

// slack is how many events and lines before a window wait until what a window leaves of
// them is made at once: some for each of those in it.
func slack(window int32) int { return max(8, int(window)/8) }

// pass makes of the first events what a window leaves of them.
func (t *Trace) pass(n int) {
	t.past.events = roomFor(t.past.events, n)
	for i := range n {
		t.past.add(&t.Events[i])
	}
	if t.Events = t.Events[n:]; n >= len(t.Events)/8 { // of many that were unpacked the rest is not copied for a few
		t.Events = append(make([]Event, 0, len(t.Events)+n), t.Events...)
	}
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

// ForgetDeeds lets go of what the robot did long ago, and of how the belief changed before: of
// all but so many of the last events and some in addition, so that it is seldom done. It
// returns how many events that were, and the first step of which all is still known.
func (f *Tracker) ForgetDeeds(most int) (events int, since int32) {
	t := f.t.trace
	n := min(t.Len()-most, len(t.past.events)-1)
	if n < most/8 {
		return 0, 0
	}
	since = t.StepOf(n) + 1
	t.past = t.past.from(n)
	f.t.ep.Passed.Forget(since)
	for step := range t.UnloggedCalls {
		if step < since {
			delete(t.UnloggedCalls, step)
		}
	}
	t.forgetChanges(since)
	gone := 0 // moments, but for the last before the first event that is left, which is of its action
	for i := range f.recent {
		if f.recent[i].Event -= n; f.recent[i].Event <= 0 {
			f.recent[i].Event, gone = 0, i
		}
	}
	f.recent = slices.Delete(f.recent, 0, gone)
	return n, since
}

// forgetChanges lets go of how the belief changed before a step, but for what it came to.
func (t *Trace) forgetChanges(since int32) {
	for _, fluents := range t.History {
		for i := range fluents {
			h, n := fluents[i].Entries, 0
			for n+1 < len(h) && h[n+1].Step < since {
				n++
			}
			if n > 0 {
				fluents[i].Entries = slices.Clone(h[n:])
				t.changes -= n
			}
		}
	}
	t.ofLink = nil
	t.links = slices.DeleteFunc(slices.Clone(t.links), func(h LinkHistory) bool {
		last := h.Changes[len(h.Changes)-1]
		return !last.Holds && last.Step < since
	})
	for i := range t.links {
		h := &t.links[i]
		n := 0
		for n+1 < len(h.Changes) && h.Changes[n+1].Step < since {
			n++
		}
		h.Changes = slices.Clone(h.Changes[n:])
		if t.ofLink == nil {
			t.ofLink = map[state.Edge]int32{}
		}
		t.ofLink[h.Edge] = int32(i)
	}
}

// remembered is how many lines the episode remembers.
func (t *tracker) remembered() int { return t.ep.Passed.Holding() + len(t.ep.Steps) }

// passLines makes of the first lines what a window leaves of them.
func (t *tracker) passLines(n int) {
	held := min(n, t.ep.Passed.Holding())
	if t.ep.Passed.LetGo(held); n == held {
		return
	}
	n -= held
	t.ep.Passed.Grow(n)
	for i := range n {
		t.ep.Passed.Add(&t.ep.Steps[i])
	}
	t.ep.Steps = moved(t.ep.Steps, n)
}

// The last lines are left as they are. The others are held so many at a time.
const (
	unheldLines = 4
	heldAtOnce  = 4
)

// holdLines holds lines up to a step in less room, but for the last.
func (t *tracker) holdLines(to int) {
	n := 0
	for n < len(t.ep.Steps)-unheldLines && t.ep.Steps[n].Index <= to {
		n++
	}
	if n < heldAtOnce {
		return
	}
	t.ep.Passed.Grow(n)
	for i := range n {
		t.ep.Passed.Hold(&t.ep.Steps[i])
	}
	t.ep.Steps = moved(t.ep.Steps, n)
}

// Actions visits the actions of all events, those before a window among them.
func (t *Trace) Actions() iter.Seq[*ontology.ActionSchema] {
	return func(yield func(*ontology.ActionSchema) bool) {
		for i := range t.past.events {
			if !yield(t.past.schema(i)) {
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
