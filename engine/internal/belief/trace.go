// Package belief follows an episode step by step. It keeps two states side by
// side: what is believed of the scene, from observations and from effects out
// of sight, and what should have become of it had every action succeeded. What
// differs between them carries the step at which the difference began, so that
// a later failure can be traced to what it follows from.
package belief

import (
	"iter"
	"maps"
	"slices"

	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/engine/internal/grounding"
	"github.com/mishap-robotics/mishap/engine/internal/interrupt"
	"github.com/mishap-robotics/mishap/engine/internal/state"
	"github.com/mishap-robotics/mishap/ontology"
)

// HistoryEntry is a fluent that changed at a step.
type HistoryEntry struct {
	Step  int32
	Value state.Value
}

// Changes are those of a fluent of an object, in order of steps.
type Changes struct {
	Slot    int32
	Entries []HistoryEntry
}

// History is what each fluent was over time: by object those of its fluents that ever had a
// value, in order of slots.
type History [][]Changes

// fluents visits those that ever had a value.
func (h History) fluents() iter.Seq[state.Fluent] {
	return func(yield func(state.Fluent) bool) {
		for x, fluents := range h {
			for i := range fluents {
				if !yield(state.Fluent{Obj: state.Object(x), Slot: fluents[i].Slot}) {
					return
				}
			}
		}
	}
}

// Of lists the changes of a fluent.
func (h History) Of(f state.Fluent) []HistoryEntry {
	of := h.After(f.Obj, f.Slot-1)
	if len(of) == 0 || of[0].Slot != f.Slot {
		return nil
	}
	return of[0].Entries
}

// After lists the changes of the fluents of an object in slots after one.
func (h History) After(x state.Object, slot int32) []Changes {
	if x < 0 || int(x) >= len(h) {
		return nil
	}
	of := h[x]
	for len(of) > 0 && of[0].Slot <= slot {
		of = of[1:]
	}
	return of
}

// slots visits, in order, those in which something is known of an object, and those in which
// it ever was.
func (h History) slots(now *state.State, x state.Object) iter.Seq[int32] {
	return func(yield func(int32) bool) {
		was := h[x] // of which put makes another where there are more
		for slot := range now.Known(x) {
			for ; len(was) > 0 && was[0].Slot <= slot; was = was[1:] {
				if was[0].Slot < slot && !yield(was[0].Slot) {
					return
				}
			}
			if !yield(slot) {
				return
			}
		}
		for i := range was {
			if !yield(was[i].Slot) {
				return
			}
		}
	}
}

// put puts changes in the place of those of a fluent.
func (h History) put(f state.Fluent, entries []HistoryEntry) {
	of := h[f.Obj]
	i := len(of) - len(h.After(f.Obj, f.Slot-1))
	if i == len(of) || of[i].Slot != f.Slot { // most things have few
		of = slices.Insert(append(make([]Changes, 0, len(of)+1), of...), i, Changes{Slot: f.Slot})
		h[f.Obj] = of
	}
	of[i].Entries = entries
}

// Trace is what following an episode leaves.
type Trace struct {
	Episode  *episode.Episode
	Objects  *state.Objects
	Task     *ontology.Task // nil where the task is not known
	Goal     ontology.Goal
	Unjudged bool          // a condition of the goal is not understood
	Bound    state.Binding // of the goal's variables, where it names instances
	// Events are by step, from 1. Those that a window no longer remembers are not among
	// them; Event tells of them what is left.
	Events  []Event
	History History
	Sensed  []grounding.Sensed // in order of steps; sounds are in Events
	Clock   Clock
	InTime  bool // the goal held when its deadline had not passed
	// Late is the last step when the deadline of the goal passed, and it did not hold by then;
	// 0 where that is not so.
	Late     int32
	Elapsed  int32        // a step, the belief after which the passing of time has changed since the last line
	Start    *state.State // before the first action
	Final    *state.State // believed at the end
	Expected *state.State // had every action succeeded
	People   []grounding.Person
	Robot    state.Object
	Gripper  state.Object
	// UnloggedCalls are the planned actions that the log leaves out and that were
	// taken to have happened, by the step before which.
	UnloggedCalls map[int32][]state.Call
	// Rest are the planned actions after the last that the log has.
	Rest []state.Call
	// Interrupt is raised when the call that works on the trace is over; nil between calls.
	// What is made of the trace then is thrown away. EndWith sets it.
	Interrupt *interrupt.Flag

	past     past                 // events before a window, and those that are packed; Events are those after them
	links    []LinkHistory        // in the order in which they first held
	ofLink   map[state.Edge]int32 // indexes of links
	changes  int                  // in History
	recorded *state.State         // what History was brought up to last
	// contents are, in order of the table, the objects that were ever believed to lie
	// directly in or on one.
	contents map[state.Object][]state.Object
}

// EndWith lets the work on the trace and on states of its objects end early where a flag is
// raised; nil lets it not. It returns what does what the trace had before.
func (t *Trace) EndWith(stop *interrupt.Flag) (restore func()) {
	before, objects := t.Interrupt, t.Objects.Interrupt
	t.Interrupt, t.Objects.Interrupt = stop, stop
	return func() { t.Interrupt, t.Objects.Interrupt = before, objects }
}

// EverIn lists the objects that were ever believed to lie directly in or on one, in order of
// the table. It must not be changed.
func (t *Trace) EverIn(x state.Object) []state.Object { return t.contents[x] }

func (t *Trace) noteIn(x, at state.Object) {
	list := t.contents[at]
	i, found := slices.BinarySearch(list, x)
	switch {
	case found:
		return
	case i < len(list):
		list = slices.Clip(list) // a copy may have the rest of it
	case t.contents == nil:
		t.contents = map[state.Object][]state.Object{}
	}
	t.contents[at] = slices.Insert(list, i, x)
}

// record notes what changed in the belief since the step before.
func (t *Trace) record(now *state.State, step int32) {
	if n := len(t.Objects.Items) - len(t.History); n > 0 {
		t.History = append(t.History, make(History, n)...)
	}
	before := t.recorded
	if before == nil {
		before = state.New(t.Objects)
	}
	for x := range state.Differing(now, before) {
		if t.Interrupt.Tick() {
			return
		}
		t.recordLinks(now, before, x, step)
		if len(t.History[x]) == 0 {
			t.recordFirst(now, x, step)
			continue
		}
		for slot := range t.History.slots(now, x) {
			f := state.Fluent{Obj: x, Slot: slot}
			v := now.Get(f)
			if slot == state.PlaceSlot && now.Gone(f.Obj) {
				v.Status = state.Unknown
			}
			h := t.History.Of(f)
			if len(h) == 0 && v.Status == state.Unknown || len(h) > 0 && h[len(h)-1].Value.Same(v) {
				continue
			}
			if n := len(h); n > 0 && h[n-1].Step == step { // the passing of time has changed it since
				h = slices.Clip(h[:n-1])
			}
			t.History.put(f, append(roomFor(h, 1), HistoryEntry{step, v}))
			t.changes++
			if slot == state.PlaceSlot && v.At != state.Nothing {
				t.noteIn(x, v.At)
			}
		}
	}
	t.recorded = now.Clone()
}

// recordFirst brings History up to what is first known of an object.
func (t *Trace) recordFirst(now *state.State, x state.Object, step int32) {
	is := func(slot int32) bool { return slot != state.PlaceSlot || !now.Gone(x) }
	n := 0
	for slot := range now.Known(x) {
		if is(slot) {
			n++
		}
	}
	if n == 0 {
		return
	}
	fluents, entries := make([]Changes, 0, n), make([]HistoryEntry, 0, n)
	for slot, v := range now.Known(x) {
		if !is(slot) {
			continue
		}
		entries = append(entries, HistoryEntry{step, v})
		fluents = append(fluents, Changes{slot, entries[len(entries)-1 : len(entries) : len(entries)]})
		if slot == state.PlaceSlot && v.At != state.Nothing {
			t.noteIn(x, v.At)
		}
	}
	t.History[x] = fluents
	t.changes += n
}

// SettledAfter is how many steps back a step may still explain a later one.
const SettledAfter = 500

// fork is an independent copy that speaks of another episode and table of objects. It has
// the events that may explain what is still to come.
func (t *Trace) fork(ep *episode.Episode, objects *state.Objects) *Trace {
	c := *t
	c.Episode, c.Objects = ep, objects
	c.Events, c.past = t.latest(SettledAfter), past{}
	c.Sensed = slices.Clip(t.Sensed)
	c.History = make(History, len(t.History))
	for i, fluents := range t.History {
		c.History[i] = slices.Clone(fluents)
		for j := range c.History[i] {
			of := &c.History[i][j]
			of.Entries = slices.Clip(of.Entries)
		}
	}
	c.contents = make(map[state.Object][]state.Object, len(t.contents))
	for at, list := range t.contents {
		c.contents[at] = slices.Clip(list)
	}
	c.forkLinks(t)
	c.UnloggedCalls = maps.Clone(t.UnloggedCalls)
	for _, s := range []**state.State{&c.Start, &c.Final, &c.Expected} {
		if *s != nil {
			*s = (*s).On(objects)
		}
	}
	return &c
}

// Changes counts the entries of History.
func (t *Trace) Changes() int { return t.changes }

// At is the believed value of a fluent after a step.
func (t *Trace) At(f state.Fluent, step int32) state.Value {
	h := t.History.Of(f)
	if n := len(h); n > 0 && h[n-1].Step <= step { // most often
		return h[n-1].Value
	}
	i, _ := slices.BinarySearchFunc(h, step+1, func(c HistoryEntry, s int32) int { return int(c.Step - s) })
	if i == 0 {
		return state.Value{Term: ontology.None, At: state.Nothing}
	}
	return h[i-1].Value
}

// LastLine is the last line of the action that a step is a line of; the step itself where
// it is none.
func (t *Trace) LastLine(step int32) int32 {
	if !t.Has(step) {
		return step
	}
	i := t.From(step)
	for i+1 < t.Len() && t.firstOf(i+1) == t.firstOf(i) {
		i++
	}
	return t.StepOf(i)
}

// Last is the last step of the episode, 0 where it has none.
func (t *Trace) Last() int32 {
	if len(t.Events) == 0 {
		return 0
	}
	return t.Events[len(t.Events)-1].Step
}

// StateAt is what was believed after a step. Of relations that are not places it
// has those observed at the step itself.
func (t *Trace) StateAt(step int32) *state.State {
	s := t.fluentsAt(step)
	t.relationsAt(s, step)
	return s
}

// fluentsAt is what was believed after a step but for relations that are not places.
func (t *Trace) fluentsAt(step int32) *state.State {
	s := state.New(t.Objects)
	for f := range t.History.fluents() {
		if t.Interrupt.Raised() {
			break
		}
		if v := t.At(f, step); v.Status != state.Unknown {
			s.Set(f, v)
		}
	}
	return s
}

// relationsAt adds the relations that are not places.
func (t *Trace) relationsAt(s *state.State, step int32) {
	t.linksAt(s, step)
	if e := t.look(step); e != nil {
		for _, edge := range e.Edges {
			if !t.Objects.Onto.Persistent(edge.Relation) && !t.Objects.Onto.IsSub(edge.Relation, t.Objects.Onto.Core.Within) {
				s.AddEdge(edge.Subject, edge.Relation, edge.Object)
			}
		}
	}
}
