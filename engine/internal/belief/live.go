package belief

import (
	"slices"

	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/engine/internal/state"
	"github.com/mishap-robotics/mishap/ontology"
)

// Tracker follows an episode while it happens, step by step. What Follow knows
// from later lines it does not: which objects there will be, and whether a bare
// name will fit several.
type Tracker struct {
	t      *tracker
	began  bool
	recent []Checkpoint
	// how many lines and events are forgotten
	forgotten, passed int
}

// Checkpoint is the expected course just before an action.
type Checkpoint struct {
	Event    int // index of the action's first line in the trace
	Expected *state.State
}

// remembered is how many actions back moments are kept.
const remembered = 25

// Recent lists the moments before the last actions, the earliest first.
func (f *Tracker) Recent() []Checkpoint { return f.recent }

// NewTracker begins an episode of which the task, the plan and the people are
// known, but no step.
func NewTracker(o *ontology.Ontology, ep *episode.Episode) *Tracker {
	ep.Steps = nil
	return &Tracker{t: newTracker(o, ep, true)}
}

// Done is the index in the plan of the last action of it that was carried out.
func (f *Tracker) Done() int { return f.t.done }

// Began reports whether a line has been taken in.
func (f *Tracker) Began() bool { return f.began }

// Trace is what is known so far. It grows with each step.
func (f *Tracker) Trace() *Trace { return f.t.trace }

// Step takes in the next line and returns its event, nil for step 0. The event
// before it is final no more where both are lines of one action.
func (f *Tracker) Step(st episode.Step) *Event {
	t := f.t
	t.ep.Steps = append(t.ep.Steps, st)
	st.Observation = t.takeForms(st.Observation)
	f.meet(&st)
	if st.Index == 0 && !f.began {
		e := Event{Call: state.Call{Agent: t.trace.Robot, Gripper: t.trace.Gripper, Target: state.Nothing, Destination: state.Nothing}}
		obs := t.perceive(&e, &st)
		t.merge(t.actual, obs, &e)
		t.noteView(&e, obs)
		t.expected = t.actual.Clone()
	}
	if !f.began {
		f.began = true
		t.trace.Start = t.actual.Clone()
		t.record(0)
	}
	if st.Action.Name == "" {
		return nil
	}
	t.plan[st.Index] = f.planned(&st)
	before := t.expected.Clone()
	t.step(&st)
	if n := len(t.trace.Events) - 1; t.trace.Events[n].First == t.trace.Events[n].Step {
		if f.recent = append(f.recent, Checkpoint{n, before}); len(f.recent) > remembered {
			f.recent = append(f.recent[:0], f.recent[1:]...)
		}
	}
	delete(t.plan, st.Index)
	t.trace.Final, t.trace.Expected = t.actual, t.expected
	return &t.trace.Events[len(t.trace.Events)-1]
}

// meet adds the objects that a line names for the first time.
func (f *Tracker) meet(st *episode.Step) {
	t := f.t
	from := len(t.objects.Items)
	m := mentioned{tracker: t}
	m.observation(&st.Observation)
	m.action(st.Action)
	m.end()
	t.addProperties(st)
	t.supposeTools(st.Action)
	if len(t.objects.Items) == from {
		return
	}
	t.linkPieces(from)
	f.linkToNew(from)
	t.assume(from)
	for i := from; i < len(t.objects.Items); i++ {
		x := state.Object(i)
		for _, s := range []*state.State{t.expected, t.trace.Start} {
			if s == nil {
				continue
			}
			if t.actual.Gone(x) {
				s.Remove(x, 0)
			}
			for slot := range t.actual.Slots() {
				fluent := state.Fluent{Obj: x, Slot: slot}
				if v := t.actual.Get(fluent); v.Status != state.Unknown {
					s.Set(fluent, v)
				}
			}
		}
	}
}

// linkToNew takes pieces that the plan names and nobody has seen for those of objects
// that are met for the first time: they are not there before they are cut.
func (f *Tracker) linkToNew(from int) {
	t := f.t
	for i := range from {
		x := state.Object(i)
		if t.objects.Items[i].Origin != state.Nothing || t.met[x] || !t.isPiece(t.objects.Class(x)) || t.actual.Place(x).Status != state.Unknown {
			continue
		}
		whole := t.wholeOf(x)
		if int(whole) < from || t.actual.Gone(whole) {
			continue
		}
		t.objects.Items[i].Origin = whole
		for _, s := range []*state.State{t.actual, t.expected, t.trace.Start} {
			if s != nil {
				s.Remove(x, 0)
			}
		}
	}
}

// lookAhead is how many planned actions the log may leave out in one place.
const lookAhead = 3

// planned finds the plan's action that a line carries out: the next, or one soon
// after it. What was done before is rather done again, as after a mishap, than that
// actions are left out of the log.
func (f *Tracker) planned(st *episode.Step) int {
	t := f.t
	for i := t.done; i < min(len(t.ep.Plan), t.done+1+lookAhead); i++ {
		if !t.alike(st.Action, t.ep.Plan[i]) {
			continue
		}
		again := func(a episode.Action) bool { return t.alike(st.Action, a) }
		if i > t.done && slices.ContainsFunc(t.ep.Plan[:t.done], again) {
			return 0
		}
		return i + 1
	}
	return 0
}

// Forget lets go of what the lines before a step showed. What the robot did, how it
// came out and how the belief changed stays.
func (f *Tracker) Forget(before int32) {
	t := f.t
	for ; f.forgotten < len(t.ep.Steps) && t.ep.Steps[f.forgotten].Index < int(before); f.forgotten++ {
		st := &t.ep.Steps[f.forgotten]
		st.Observation, st.Sounds = episode.Observation{}, nil
	}
	for ; f.passed < len(t.trace.Events) && t.trace.Events[f.passed].Step < before; f.passed++ {
		e := &t.trace.Events[f.passed]
		e.Seen, e.States, e.Edges, e.Sounds, e.Differences = nil, nil, nil, nil, nil
	}
}

// End resolves the planned actions that were not reached.
func (f *Tracker) End() { f.t.rest() }
