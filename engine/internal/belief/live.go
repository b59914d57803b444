package belief

import (
	"slices"

	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/engine/internal/alignment"
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
	// how many of the lines and events of the trace are forgotten
	forgotten, passed int
	// how many objects there were before the first line, and when some were last forgotten
	given, kept int
	acted       int // actions so far
}

// Checkpoint is the expected course just before an action.
type Checkpoint struct {
	Event    int // index of the action's first line in the trace
	Expected *state.State
}

// Of every fifth action the moment before it is kept, of so many: of at least the last 25
// actions what led to them.
const (
	everyMoment = 5
	moments     = 25/everyMoment + 1
)

// Recent is the moment before some of the last actions, false before the first action.
func (f *Tracker) Recent() (Checkpoint, bool) {
	if len(f.recent) == 0 {
		return Checkpoint{}, false
	}
	return f.recent[0], true
}

// keepMoment keeps the moment before the action that began with the last line.
func (f *Tracker) keepMoment(before *state.State) {
	if f.acted++; f.acted%everyMoment != 1 {
		return
	}
	if len(f.recent) == moments {
		f.recent = slices.Delete(f.recent, 0, 1)
	}
	f.recent = append(f.recent, Checkpoint{f.t.trace.Len() - 1, before})
}

// NewTracker begins an episode of which the task, the plan and the people are
// known, but no step.
func NewTracker(o *ontology.Ontology, ep *episode.Episode) *Tracker {
	ep.Steps, ep.Passed = nil, episode.PassedSteps{}
	t, _ := newTracker(o, ep, true, nil)
	return &Tracker{t: t, given: len(t.trace.Objects.Items)}
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
	st = t.identities.Step(st)
	st.Observation = t.forms.Take(st.Observation)
	f.meet(&st)
	if st.Index == 0 && !f.began {
		t.view.note(t.look(&st))
		t.believed.Advance()
		t.course.expected = t.believed.Clone()
	}
	if !f.began {
		f.began = true
		t.trace.Start = t.believed.Clone()
		t.trace.record(t.believed, 0)
	}
	if st.Index == 0 {
		t.takeVessels()
		return nil
	}
	before := t.course.expected.Clone()
	t.step(&st, alignment.Next(t.onto, st.Action, t.ep.Plan, t.done), nil)
	if last := t.lastEvent(); last.First == last.Step {
		f.keepMoment(before)
	}
	t.takeVessels()
	t.end()
	return t.lastEvent()
}

// Sense takes in what sensors told of since the last line.
func (f *Tracker) Sense(events []episode.SensorEvent) {
	t := f.t
	from := len(t.trace.Objects.Items)
	t.names.AddEvents(events)
	f.met(from)
	last := &t.ep.Steps[len(t.ep.Steps)-1]
	last.Events = append(slices.Clip(last.Events), events...)
	t.sense(events, int32(last.Index), last.Line)
	t.end()
}

// GoesOn reports whether a line goes on with an action that an earlier one began.
func (f *Tracker) GoesOn(st *episode.Step) bool {
	if n := len(f.t.ep.Steps); n > 0 && f.t.ep.Steps[n-1].SameAction(st) {
		return true
	}
	if st.ID == "" {
		return false
	}
	known := f.t.identities.Fork().Step(*st)
	return f.t.ongoing.Before(&known) != nil
}

// Fresh counts the objects that a line names for the first time, about.
func (f *Tracker) Fresh(st *episode.Step) int {
	seen := f.t.identities.Fork().Step(*st)
	seen.Observation = f.t.forms.Fork().Take(seen.Observation)
	fresh := map[string]bool{}
	for name := range seen.Names() {
		if _, known := f.t.trace.Objects.Lookup(name); !known {
			fresh[name] = true
		}
	}
	return len(fresh)
}

// meet adds the objects that a line names for the first time.
func (f *Tracker) meet(st *episode.Step) {
	t := f.t
	from := len(t.trace.Objects.Items)
	t.names.AddStep(st)
	t.names.AssumeTools(st.Action)
	f.met(from)
}

// met takes in new objects, those from an index on.
func (f *Tracker) met(from int) {
	t := f.t
	if len(t.trace.Objects.Items) == from {
		return
	}
	t.removePieces(from)
	f.linkToNew(from)
	t.narrow()
	t.assumeNew(from, t.course.expected, t.trace.Start)
}

// linkToNew takes pieces that the plan names and nobody has seen for those of objects
// that are met for the first time: they are not there before they are cut.
func (f *Tracker) linkToNew(from int) {
	t := f.t
	objects := t.trace.Objects
	for ; int(t.sorted) < from; t.sorted++ {
		if t.onto.IsForm(objects.Class(t.sorted)) {
			t.unlinked = append(t.unlinked, t.sorted)
		}
	}
	t.unlinked = slices.DeleteFunc(t.unlinked, func(x state.Object) bool { return objects.Items[x].Origin != state.Nothing || t.view.seen[x] })
	for _, x := range t.unlinked {
		if t.believed.Place(x).Status != state.Unknown {
			continue
		}
		whole := t.names.WholeOf(x)
		if int(whole) < from || t.believed.Gone(whole) {
			continue
		}
		objects.SetOrigin(x, whole)
		for _, s := range []*state.State{t.believed, t.course.expected, t.trace.Start} {
			if s != nil {
				s.Remove(x, 0)
			}
		}
	}
}

// removePieces takes away the pieces among new objects, those from an index on: they do
// not exist before they are cut.
func (t *tracker) removePieces(from int) {
	for _, x := range t.names.LinkPieces(from) {
		t.believed.Remove(x, 0)
	}
}

// assumeNew fills in what is assumed of new objects, those from an index on, in the belief
// and in other states, of which some may be nil.
func (t *tracker) assumeNew(from int, others ...*state.State) {
	t.prior().assume(t.believed, from)
	for i := from; i < len(t.trace.Objects.Items); i++ {
		x := state.Object(i)
		for _, s := range others {
			if s == nil {
				continue
			}
			if t.believed.Gone(x) {
				s.Remove(x, 0)
			}
			for slot, v := range t.believed.Known(x) {
				s.Set(state.Fluent{Obj: x, Slot: slot}, v)
			}
		}
	}
}

// Replan puts other actions in the place of those left of the plan. They begin anew:
// what is believed now is what they should find. Agents are who carries them out, as far as
// that is not the robot.
func (f *Tracker) Replan(rest []episode.Action, agents ...string) {
	t := f.t
	t.ep.Plan = slices.Concat(t.ep.Plan[:t.done], rest)
	t.ep.Carriers, t.ep.Unplanned = nil, false
	if len(agents) > 0 {
		t.ep.Carriers = append(make([]string, t.done), agents...)
	}
	t.course.restart(t.believed)
	if t.trace.Expected != nil {
		t.trace.Expected = t.course.expected
	}
}

// Forget lets go of what the lines before a step showed. What the robot did, how it
// came out and how the belief changed stays.
func (f *Tracker) Forget(before int32) {
	t := f.t
	for ; f.forgotten < t.remembered() && f.Remembers() < int(before); f.forgotten++ {
		if held := t.ep.Passed.Holding(); f.forgotten < held {
			t.ep.Passed.ForgetShown(f.forgotten)
		} else {
			t.ep.Steps[f.forgotten-held].ForgetShown()
		}
	}
	for ; f.passed < len(t.trace.Events) && t.trace.Events[f.passed].Step < before; f.passed++ {
		e := &t.trace.Events[f.passed]
		e.Seen, e.States, e.Values, e.Edges, e.Sounds, e.Differences = nil, nil, nil, nil, nil, nil
	}
	n := 0
	for ; n < len(t.trace.Sensed) && t.trace.Sensed[n].Step < before; n++ {
	}
	t.trace.Sensed = t.trace.Sensed[n:]
	t.trace.past.forgetLooks(before)
	window := t.trace.Last() - before
	if n := slack(window); f.passed >= n {
		t.trace.pass(f.passed)
		f.passed = 0
	}
	if f.forgotten >= max(4, int(window)/32) {
		t.passLines(f.forgotten)
		f.forgotten = 0
	}
	if window > 0 {
		t.identities.Forget(int(window))
	}
}

// Pack packs what events showed that nobody asks for until somebody looks back, and the lines
// up to a step, of which what they showed was taken away; Unpack undoes that.
func (f *Tracker) Pack(to int) {
	f.passed = max(0, f.passed-f.t.trace.pack())
	f.t.holdLines(to)
}

// Unpack gives events what they showed, and the episode its lines.
func (f *Tracker) Unpack() {
	f.t.trace.unpack()
	f.WithLines()
}

// WithLines gives the episode its lines. What it returns undoes that.
func (f *Tracker) WithLines() (restore func()) {
	ep := f.t.ep
	steps, passed := ep.Steps, ep.Passed
	ep.GiveBack()
	return func() { ep.Steps, ep.Passed = steps, passed }
}

// Remembers is the first step of which it is remembered what it showed.
func (f *Tracker) Remembers() int {
	p, steps := &f.t.ep.Passed, f.t.ep.Steps
	held := p.Holding()
	switch at := f.forgotten - held; {
	case at < 0:
		return p.HeldIndex(f.forgotten)
	case at < len(steps):
		return steps[at].Index
	}
	return 0
}

// End resolves the planned actions that were not reached.
func (f *Tracker) End() {
	f.t.warnUnended()
	f.t.resolveRest()
}
