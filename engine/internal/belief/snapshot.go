package belief

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"unsafe"

	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/engine/internal/grounding"
	"github.com/mishap-robotics/mishap/engine/internal/snapshot"
	"github.com/mishap-robotics/mishap/engine/internal/state"
	"github.com/mishap-robotics/mishap/ontology"
)

// Snapshot codes what the tracker has taken in. What is read takes the place of what a
// new tracker of the same episode, as it was at first, holds.
func (f *Tracker) Snapshot(c *snapshot.Codec) {
	t := f.t
	if !c.Reading() { // so that what is written does not tell what was packed when
		t.trace.unpack()
		if n := min(f.passed, len(t.trace.Events)-1); n > 0 {
			t.trace.pass(n)
			f.passed -= n
		}
	}
	at := trackerCodec{c, t, t.trace, t.trace.Objects, nil}
	c.Section("names", func() { at.objectsAndNames() })
	if c.Err() != nil {
		return
	}
	at.states = state.NewStates(c, t.trace.Objects)
	c.Section("episode", at.episode)
	c.Section("belief", func() {
		at.trace()
		at.belief()
		at.course()
		at.view()
		c.Flags(&f.began)
		snapshot.List(c, &f.recent, func(p *Checkpoint) {
			snapshot.Within(c, &p.Event, 0, t.trace.Len())
			at.states.Code(&p.Expected)
		})
		snapshot.Within(c, &f.acted, 0, math.MaxInt32)
		snapshot.Within(c, &f.forgotten, 0, len(t.ep.Steps)+1)
		snapshot.Within(c, &f.passed, 0, len(t.trace.Events)+1)
		snapshot.Within(c, &f.kept, 0, len(t.trace.Objects.Items)+1)
	})
	if c.Reading() && c.Err() == nil {
		if f.validate(c); c.Err() == nil {
			t.takeVessels()
		}
	}
}

// validate refuses what no tracker comes to.
func (f *Tracker) validate(c *snapshot.Codec) {
	t := f.t
	missing := t.believed == nil || t.course.expected == nil || t.course.moved == nil || t.course.misplaced.fallen == nil ||
		t.course.misplaced.unmoved == nil || t.view.seen == nil || t.view.beside == nil ||
		t.special == nil || t.trace.UnloggedCalls == nil || f.began && t.trace.Start == nil ||
		t.trace.Len() > 0 && (len(t.trace.Events) == 0 || t.trace.Final == nil || t.trace.Expected == nil || t.ongoing.Last == nil) ||
		len(f.recent) > moments || slices.ContainsFunc(f.recent, func(p Checkpoint) bool { return p.Expected == nil })
	if missing {
		c.Fail("a part of the belief is missing")
	}
}

type trackerCodec struct {
	*snapshot.Codec
	t       *tracker
	tr      *Trace
	objects *state.Objects
	states  *state.States
}

// objectsAndNames codes the table of objects. It goes on from that of a new tracker.
func (at *trackerCodec) objectsAndNames() {
	first := slices.Clone(at.objects.Items)
	at.t.names.Snapshot(at.Codec)
	at.t.identities.Snapshot(at.Codec)
	at.t.forms.Snapshot(at.Codec)
	if !at.Reading() || at.Err() != nil {
		return
	}
	at.t.narrow()
	same := func(a, b state.Item) bool { return (a.Name == b.Name || a.Coined) && a.Class == b.Class } // a look may have renamed it
	if len(at.objects.Items) < len(first) || !slices.EqualFunc(first, at.objects.Items[:len(first)], same) || at.t.names.Robot != at.tr.Robot || at.t.names.Gripper != at.tr.Gripper {
		at.Fail("its objects are not those of its episode")
	}
}

// episode codes what was read of the episode since the first step, and its plan by now.
func (at *trackerCodec) episode() {
	ep := at.t.ep
	snapshot.Plan(at.Codec, &ep.Plan)
	at.Texts(&ep.Carriers)
	at.Flags(&ep.Unplanned)
	at.Text(&ep.Until)
	snapshot.Passed(at.Codec, &ep.Passed)
	snapshot.Steps(at.Codec, &ep.Steps)
	snapshot.Warnings(at.Codec, ep)
}

func (at *trackerCodec) step(s *int32) { snapshot.Int(at.Codec, s) }

func (at *trackerCodec) object(x *state.Object) { at.objects.CodeOne(at.Codec, x) }

func (at *trackerCodec) fluent(f *state.Fluent) {
	at.object(&f.Obj)
	snapshot.Within(at.Codec, &f.Slot, 0, int(at.slots()))
}

func (at *trackerCodec) slots() int32 { return state.New(at.objects).Slots() }

// since codes what holds of objects since a step.
func (at *trackerCodec) since(m *map[state.Object]int32) {
	snapshot.Map(at.Codec, m, at.object, at.step)
}

func (at *trackerCodec) lists(m *map[state.Object][]state.Object) {
	snapshot.Map(at.Codec, m, at.object, func(list *[]state.Object) { at.objects.CodeList(at.Codec, list) })
}

func (at *trackerCodec) trace() {
	tr := at.tr
	var before Event
	next := func(e *Event) {
		first := before.Step == 0
		at.event(e, &before)
		if at.Reading() && !first && e.Step <= before.Step {
			at.Fail("an event of step %d comes after one of step %d", e.Step, before.Step)
		}
		shown := before
		if before = *e; !e.shows() { // nobody looked, or it is forgotten
			before.Seen, before.States, before.Values, before.Edges, before.Differences = shown.Seen, shown.States, shown.Values, shown.Edges, shown.Differences
		}
	}
	at.past(next)
	snapshot.List(at.Codec, &tr.Events, next)
	at.history()
	at.links()
	c := at.Codec
	at.sensed()
	c.Flags(&tr.Clock.Known)
	snapshot.Int(c, &tr.Clock.Origin)
	snapshot.Int(c, &tr.Clock.Now)
	snapshot.Int(c, &tr.Elapsed)
	c.Flags(&tr.InTime)
	snapshot.Int(c, &tr.Late)
	snapshot.Map(at.Codec, &tr.UnloggedCalls, at.step, func(calls *[]state.Call) { at.calls(calls) })
	at.calls(&tr.Rest)
	for _, s := range []**state.State{&tr.Start, &tr.recorded, &at.t.believed, &at.t.course.expected, &tr.Final, &tr.Expected} {
		at.states.Code(s)
	}
}

// past codes the events before a window.
func (at *trackerCodec) past(next func(*Event)) {
	p := &at.tr.past
	n := len(p.events)
	if at.Count(&n, int(unsafe.Sizeof(pastEvent{}))); at.Reading() {
		*p = past{}
	}
	for i := 0; i < n && at.Err() == nil; i++ {
		var e Event
		if !at.Reading() {
			p.fill(i, &e)
		}
		if next(&e); at.Reading() && at.Err() == nil {
			p.add(&e)
		}
	}
}

// sensed codes what sensors told of.
func (at *trackerCodec) sensed() {
	last := int32(0)
	snapshot.List(at.Codec, &at.tr.Sensed, func(s *grounding.Sensed) {
		if snapshot.After(at.Codec, &s.Step, last); at.Reading() && s.Step < last {
			at.Fail("a sensor event of step %d comes after one of step %d", s.Step, last)
		}
		last = s.Step
		snapshot.Within(at.Codec, &s.Kind, 0, len(at.objects.Onto.Terms))
		at.objects.Code(at.Codec, &s.Obj)
		snapshot.Int(at.Codec, &s.Line)
		if at.Flags(&s.Measured); s.Measured {
			snapshot.Int(at.Codec, &s.Number)
		}
	})
}

func (at *trackerCodec) calls(calls *[]state.Call) {
	snapshot.List(at.Codec, calls, func(call *state.Call) { at.objects.CodeCall(at.Codec, call) })
}

// event codes an event by what is otherwise than in the one before.
func (at *trackerCodec) event(e, prev *Event) {
	c := at.Codec
	first, before := e.First == e.Step, e.Before == prev.Step
	plain := len(e.Unmet)+len(e.Violated)+len(e.Mistaken)+len(e.Sounds) == 0 && e.Displaced == 0 && e.Belated == 0 && !e.Ambiguous && !e.Vague && e.Unclear == 0 && e.Told == 0
	shows := e.shows()
	c.Flags(&e.Final, &e.ToCome, &e.Away, &e.Observed, &e.HandEmpty, &first, &before, &plain)
	c.Flags(&shows, &e.WithoutAction)
	snapshot.After(c, &e.Step, prev.Step)
	if e.First = orStep(c, first, e.First, e.Step); !first {
		snapshot.After(c, &e.First, e.Step)
	}
	if e.Before = orStep(c, before, e.Before, prev.Step); !before {
		snapshot.After(c, &e.Before, e.Step)
	}
	planned := len(at.t.ep.Plan)
	snapshot.After(c, &e.Planned, prev.Planned)
	if c.Reading() && (e.Planned < 0 || e.Planned > planned || e.ToCome || e.First > e.Step || e.Before > e.Step) {
		c.Fail("an event is of action %d of a plan of %d, step %d from %d", e.Planned, planned, e.Step, e.First)
	}
	if c.Flags(&e.Timed); e.Timed {
		snapshot.After(c, &e.Time, prev.Time)
		snapshot.After(c, &e.Until, e.Time)
	}
	told, meanwhile := e.Status != "" || e.Result != "", len(e.Meanwhile) > 0
	team := len(e.Together) > 0
	if c.Flags(&told, &meanwhile, &team); team {
		at.objects.CodeList(c, &e.Together)
	}
	if meanwhile {
		snapshot.List(c, &e.Meanwhile, func(s *int32) { snapshot.After(c, s, e.Step) })
	}
	if told {
		c.Text((*string)(&e.Status))
		c.Text(&e.Result)
	}
	at.objects.CodeCall(c, &e.Call)
	snapshot.Within(c, &e.Outcome, int(Presumed), int(Failed)+1)
	if !plain {
		at.faults(e)
	}
	if shows {
		at.shown(e, prev)
	}
}

// shows reports whether an event tells of what was seen, or of what differs.
func (e *Event) shows() bool {
	return len(e.Seen)+len(e.States)+len(e.Values)+len(e.Edges)+len(e.Differences) > 0
}

func orStep(c *snapshot.Codec, is bool, now, step int32) int32 {
	if c.Reading() && is {
		return step
	}
	return now
}

// faults codes what was odd about an action.
func (at *trackerCodec) faults(e *Event) {
	c := at.Codec
	if c.Err() != nil {
		return
	}
	snapshot.List(c, &e.Unmet, func(u *Unmet) {
		at.objects.CodeViolation(c, e.Call.Schema, &u.Violation)
		at.step(&u.Origin)
		c.Flags(&u.Reach)
	})
	snapshot.List(c, &e.Violated, func(v *state.Violation) { at.objects.CodeViolation(c, e.Call.Schema, v) })
	c.Flags(&e.Ambiguous, &e.Vague)
	at.objects.Code(c, &e.Unclear)
	at.objects.Code(c, &e.Told)
	at.step(&e.Displaced)
	at.step(&e.Belated)
	snapshot.List(c, &e.Mistaken, func(m *[2]state.Object) {
		at.object(&m[0])
		at.object(&m[1])
	})
	snapshot.List(c, &e.Sounds, func(s *ontology.TermID) { snapshot.Within(c, s, 0, len(at.objects.Onto.Terms)) })
}

// shown codes what was seen, and what differs from what should be.
func (at *trackerCodec) shown(e, prev *Event) {
	c := at.Codec
	snapshot.Like(c, &e.Seen, prev.Seen, func(a, b *state.Object) bool { return *a == *b }, at.object)
	snapshot.Like(c, &e.States, prev.States, func(a, b *grounding.SeenState) bool { return *a == *b }, func(s *grounding.SeenState) {
		grounding.CodeSeen(c, at.objects, s)
	})
	snapshot.Like(c, &e.Values, prev.Values, func(a, b *grounding.SeenValue) bool { return *a == *b }, func(s *grounding.SeenValue) {
		grounding.CodeSeenValue(c, at.objects, s)
	})
	snapshot.Like(c, &e.Edges, prev.Edges, func(a, b *state.Edge) bool { return *a == *b }, func(edge *state.Edge) { at.objects.CodeEdge(c, edge) })
	at.differences(&e.Differences, prev.Differences)
}

func (at *trackerCodec) differences(d *Differences, prev Differences) {
	snapshot.Like(at.Codec, d, prev, func(a, b *Difference) bool { return *a == *b }, func(d *Difference) {
		at.fluent(&d.Fluent)
		at.step(&d.Since)
	})
	if at.Reading() && !slices.IsSortedFunc(*d, func(a, b Difference) int { return compareFluents(a.Fluent, b.Fluent) }) {
		at.Fail("differences are out of order")
	}
}

// history codes the changes of each fluent. What ever lay in what follows from it.
func (at *trackerCodec) history() {
	c, tr := at.Codec, at.tr
	slots := at.slots()
	x := state.Object(-1)
	snapshot.List(c, &tr.History, func(of *[]Changes) {
		x++
		n := len(*of)
		c.Count(&n, 0)
		if c.Reading() {
			*of = nil
		}
		slot := int32(-1)
		for i := 0; i < n && c.Err() == nil; i++ {
			if c.Reading() {
				*of = append(*of, Changes{})
			}
			from, now := slot+1, &(*of)[i]
			if snapshot.After(c, &now.Slot, from); now.Slot < from || now.Slot >= slots {
				c.Fail("a history is of dimension %d of %d", now.Slot, slots)
				return
			}
			slot = now.Slot
			if at.changes(x, slot, &now.Entries); c.Reading() && len(now.Entries) == 0 {
				c.Fail("a history has no changes")
			}
		}
	})
	if c.Reading() && len(tr.History) > len(at.objects.Items) {
		c.Fail("there is a history of objects that are not there")
	}
}

func (at *trackerCodec) changes(x state.Object, slot int32, h *[]HistoryEntry) {
	last := int32(0)
	snapshot.List(at.Codec, h, func(e *HistoryEntry) {
		if snapshot.After(at.Codec, &e.Step, last); at.Reading() && e.Step < last {
			at.Fail("a history goes back from step %d to %d", last, e.Step)
		}
		if last = e.Step; at.Reading() {
			at.tr.changes++
		}
		at.objects.CodeValue(at.Codec, &e.Value, e.Step)
		if at.Reading() && slot == state.PlaceSlot && e.Value.At != state.Nothing && at.Err() == nil {
			at.tr.noteIn(x, e.Value.At)
		}
	})
}

// belief codes what the tracker keeps in mind beside its states.
func (at *trackerCodec) belief() {
	c, t := at.Codec, at.t
	line := func(st *episode.Step) {
		snapshot.Int(c, &st.Index)
		c.Action(&st.Action)
		c.Text(&st.Agent)
		c.Text(&st.ID)
		c.Text((*string)(&st.Status))
		snapshot.Int(c, &st.Line)
	}
	snapshot.Optional(c, &t.ongoing.Last, line)
	snapshot.List(c, &t.ongoing.Open, func(st **episode.Step) { snapshot.Optional(c, st, line) })
	if c.Reading() && slices.Contains(t.ongoing.Open, nil) {
		c.Fail("a line of an action in progress is missing")
	}
	at.objects.CodeList(c, &t.unlinked)
	snapshot.Within(c, &t.sorted, 0, len(at.objects.Items)+1)
	snapshot.Within(c, &t.done, 0, len(t.ep.Plan)+1)
	c.Flags(&t.observationsOnly, &t.hasSounds, &t.gripperSeen)
	snapshot.Map(c, &t.special, at.object, func(list *[]ontology.TermID) {
		snapshot.List(c, list, func(s *ontology.TermID) { snapshot.Within(c, s, 0, len(t.onto.Terms)) })
	})
}

// course codes the expected course but for its state.
func (at *trackerCodec) course() {
	c, course := at.Codec, &at.t.course
	at.differences(&course.differences, nil)
	at.differences(&course.lapsed, nil)
	moved := slices.SortedFunc(maps.Keys(course.moved), func(a, b state.Fluent) int { return cmp.Compare(compareFluents(a, b), 0) })
	snapshot.List(c, &moved, at.fluent)
	if c.Reading() {
		course.moved = map[state.Fluent]bool{}
		for _, f := range moved {
			course.moved[f] = true
		}
	}
	m := &course.misplaced
	at.since(&m.fallen)
	at.since(&m.unmoved)
	at.step(&m.robot)
	at.objects.CodeList(c, &m.touched)
	at.states.Code(&course.believedThen)
	at.states.Code(&course.expectedThen)
	at.objects.CodeList(c, &course.again)
}

func (at *trackerCodec) view() {
	c, v := at.Codec, &at.t.view
	at.object(&v.robot)
	at.objects.CodeSet(c, &v.seen)
	snapshot.Int(c, &v.stand)
	at.objects.CodeSet(c, &v.here)
	at.objects.CodeSet(c, &v.beside)
	last, from := map[state.Object]int32{}, map[state.Object][]state.Object{}
	for x, s := range v.sights {
		if x := state.Object(x); s.last >= 0 {
			if last[x] = s.last; len(s.from) > 0 {
				from[x] = s.from
			}
		}
	}
	snapshot.Map(c, &last, at.object, func(n *int32) { snapshot.Within(c, n, 0, math.MaxInt32) })
	at.lists(&from)
	if c.Reading() {
		v.sights = nil
		for x, stand := range last {
			*v.sightOf(x) = sight{stand, from[x]}
		}
	}
}
