package belief

import (
	"maps"
	"slices"

	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/engine/state"
	"github.com/mishap-robotics/mishap/ontology"
)

// Ahead is an episode as it would go on: the rest of its plan carried out in the
// action model, from what is believed now, with nobody looking.
type Ahead struct {
	*Trace
	// Now is how many of the events have happened; the others are to come.
	Now int
	// Begin is what is believed now.
	Begin *state.State
	// Before is what would be so before each event to come, Should what would be
	// had every action succeeded.
	Before, Should []*state.State
}

// Ahead carries out the rest of the plan from what is believed now. The tracker
// is left as it is.
func (f *Tracker) Ahead() *Ahead {
	t := f.t.fork()
	t.imagine()
	out := &Ahead{Trace: t.trace, Now: len(t.trace.Events), Begin: t.actual.Clone()}
	if out.Now == 0 {
		t.trace.Start = out.Begin
	}
	index := int(t.trace.Last())
	if f.t.last != nil {
		index = max(index, f.t.last.Index)
	}
	t.last = nil // an action that comes twice in the plan comes twice
	for i := t.done; i < len(t.ep.Plan); i++ {
		index++
		out.Before, out.Should = append(out.Before, t.actual.Clone()), append(out.Should, t.expected.Clone())
		st := episode.Step{Index: index, Action: t.ep.Plan[i], Observation: episode.Observation{Missing: true}}
		t.ep.Steps = append(t.ep.Steps, st)
		t.steps = append(t.steps[:0:0], st)
		t.plan[index] = i + 1
		t.step(&st)
		t.last = nil
	}
	t.trace.Final, t.trace.Expected = t.actual, t.expected
	return out
}

// FollowPlan carries out the plan of an episode from its scene, or the usual one,
// in the action model. What neither says is taken not to be so, and things to
// lie elsewhere than the goal has them.
func FollowPlan(o *ontology.Ontology, ep *episode.Episode) *Ahead {
	unseen := *ep
	unseen.Steps = nil
	f := NewTracker(o, &unseen)
	f.t.actual.CloseWorld, f.t.expected.CloseWorld = true, true
	out := f.Ahead()
	ep.Warnings = out.Episode.Warnings
	return out
}

// imagine adds what must be somewhere for the plan to be judged.
func (t *tracker) imagine() {
	from := len(t.objects.Items)
	t.live = false // what is supposed is not seen
	t.suppose()
	t.linkPieces(from)
	t.assume(from)
	t.live = true
	for i := from; i < len(t.objects.Items); i++ {
		x := state.Obj(i)
		if t.actual.Gone(x) {
			t.expected.Remove(x, 0)
		}
		for slot := range t.actual.Slots() {
			fluent := state.Fluent{Obj: x, Slot: slot}
			if v := t.actual.Get(fluent); v.Status != state.Unknown {
				t.expected.Set(fluent, v)
			}
		}
	}
}

// fork is an independent tracker of the same episode; what it adds is its own.
func (t *tracker) fork() *tracker {
	c := *t
	ep := *t.ep
	ep.Steps, ep.Warnings = slices.Clip(ep.Steps), slices.Clip(ep.Warnings)
	c.ep = &ep
	c.objects = t.objects.Clone()
	c.actual, c.expected = t.actual.On(c.objects), t.expected.On(c.objects)
	c.diff, c.plan, c.moved = maps.Clone(t.diff), maps.Clone(t.plan), maps.Clone(t.moved)
	c.fallen, c.met, c.unmoved = maps.Clone(t.fallen), maps.Clone(t.met), maps.Clone(t.unmoved)
	trace := *t.trace
	trace.Episode, trace.Objects = c.ep, c.objects
	trace.Events = slices.Clone(trace.Events)
	trace.History = make(map[state.Fluent][]Change, len(t.trace.History))
	for f, h := range t.trace.History {
		trace.History[f] = slices.Clip(h)
	}
	trace.UnloggedCalls = maps.Clone(trace.UnloggedCalls)
	for _, s := range []**state.State{&trace.Start, &trace.Final, &trace.Expected} {
		if *s != nil {
			*s = (*s).On(c.objects)
		}
	}
	c.trace = &trace
	return &c
}
