// Package belief follows an episode step by step. It keeps two states side by
// side: what is believed of the scene, from observations and from effects out
// of sight, and what should have become of it had every action succeeded. What
// differs between them carries the step at which the difference began, so that
// a later failure can be traced to what it follows from.
package belief

import (
	"fmt"
	"iter"
	"slices"
	"sort"

	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/engine/internal/perception"
	"github.com/mishap-robotics/mishap/engine/internal/state"
	"github.com/mishap-robotics/mishap/ontology"
)

// Outcome is what became of an action.
type Outcome uint8

// An action without observed effect is presumed to have succeeded unless a
// precondition did not hold.
const (
	Presumed  Outcome = iota // nothing tells otherwise
	Succeeded                // its effects were observed
	Refused                  // a precondition did not hold, and no effect was observed
	Failed                   // its effects were observed to be absent
)

// Unmet is a precondition that did not hold, with where that comes from.
type Unmet struct {
	state.Violation
	// Origin is the step at which things began to differ from what the actions
	// should have brought about, 0 where the action would have failed anyway.
	Origin int32
	// Reach is true where the robot would not be near enough: no edit of what it does
	// to objects mends that.
	Reach bool
}

// Event is one line of the log: an action, or one of several observations of
// one action.
type Event struct {
	Step      int32
	First     int32 // first line of the same action
	Final     bool  // last line of the same action
	ToCome    bool  // it has not happened yet
	Planned   int   // 1-based index in the plan; 0 where it is not in it
	Call      state.Call
	Before    int32 // the step before the action began
	Unmet     []Unmet
	Violated  []state.Violation
	Outcome   Outcome
	Ambiguous bool         // a bare name fits several objects
	Vague     bool         // something is named by a group of classes
	Unclear   state.Object // what was taken for the ambiguous or vague name
	Away      bool         // the robot last moved elsewhere and the target was not in sight
	// Displaced is, for an action that failed, the step since which what it needs
	// is elsewhere than it should be: its target, its destination, or the robot,
	// which moved to what is elsewhere. It is 0 where all is in its place.
	Displaced int32
	// Mistaken are objects that the action names, each with another in which its
	// effect shows.
	Mistaken  [][2]state.Object
	Observed  bool // somebody looked
	HandEmpty bool // the gripper was seen empty
	Seen      []state.Object
	States    []SeenState
	Edges     []state.Edge // as observed, places included
	Sounds    []ontology.TermID
	// Differences maps what differs from the expected course to the step at
	// which that began.
	Differences map[state.Fluent]int32
}

// SeenState is an observed state.
type SeenState struct {
	Obj   state.Object
	State ontology.TermID
}

// HistoryEntry is a fluent that changed at a step.
type HistoryEntry struct {
	Step  int32
	Value state.Value
}

// History is what each fluent was over time: its changes, in order of steps, by
// object and slot.
type History [][][]HistoryEntry

// fluents visits those that ever had a value.
func (h History) fluents() iter.Seq[state.Fluent] {
	return func(yield func(state.Fluent) bool) {
		for x, slots := range h {
			for slot, changes := range slots {
				if len(changes) > 0 && !yield(state.Fluent{Obj: state.Object(x), Slot: int32(slot)}) {
					return
				}
			}
		}
	}
}

// Of lists the changes of a fluent.
func (h History) Of(f state.Fluent) []HistoryEntry {
	if f.Obj < 0 || int(f.Obj) >= len(h) || h[f.Obj] == nil {
		return nil
	}
	return h[f.Obj][f.Slot]
}

// Trace is what following an episode leaves.
type Trace struct {
	Episode  *episode.Episode
	Objects  *state.Objects
	Task     *ontology.Task // nil where the task is not known
	Goal     ontology.Goal
	Unjudged bool          // a condition of the goal is not understood
	Bound    state.Binding // of the goal's variables, where it names instances
	Events   []Event       // by step, from 1
	History  History
	Start    *state.State // before the first action
	Final    *state.State // believed at the end
	Expected *state.State // had every action succeeded
	People   []Person
	Robot    state.Object
	Gripper  state.Object
	// UnloggedCalls are the planned actions that the log leaves out and that were
	// taken to have happened, by the step before which.
	UnloggedCalls map[int32][]state.Call
	// Rest are the planned actions after the last that the log has.
	Rest []state.Call
}

// Person is somebody who is served, with the classes of food to keep from them.
type Person struct {
	Obj    state.Object
	Avoids []ontology.TermID
}

type tracker struct {
	onto  *ontology.Ontology
	ep    *episode.Episode
	steps []episode.Step // with what is seen in its form; only the last where live
	live  bool           // steps come one by one
	// forgetful keeps nothing of what was believed before a step.
	forgetful bool
	last      *episode.Step // the line before
	done      int           // index in the plan of the last action that is in it
	trace     *Trace
	objects   *state.Objects
	actual    *state.State
	expected  *state.State
	diff      map[state.Fluent]int32
	plan      map[int]int // plan index of each step, 0 for none
	drop      ontology.TermID
	moved     map[state.Fluent]bool  // set by an action so far
	fallen    map[state.Object]int32 // step of a fall since it was last handled
	met       map[state.Object]bool  // seen so far
	unmoved   map[state.Object]int32 // step since which it should have been moved
	strayed   int32                  // step since which the robot is not where it was to move
	hears     bool                   // the log has sounds
	view      view
	labels    map[label][]ontology.TermID // looked up so far
	// imagining is true where the rest of the plan is carried out before it happens.
	imagining bool
}

// Follow tracks a whole episode.
func Follow(o *ontology.Ontology, ep *episode.Episode) *Trace {
	return follow(newTracker(o, ep, false))
}

// FollowObservationsOnly tracks an episode without carrying anything forward: after a
// step nothing is believed but what its observation shows.
func FollowObservationsOnly(o *ontology.Ontology, ep *episode.Episode) *Trace {
	t := newTracker(o, ep, false)
	t.forgetful = true
	return follow(t)
}

func follow(t *tracker) *Trace {
	t.plan = t.align()
	t.trace.Start = t.actual.Clone()
	t.record(0)
	for i := range t.steps {
		if st := &t.steps[i]; st.Action.Name != "" {
			t.step(st)
		}
	}
	t.trace.Final, t.trace.Expected = t.actual, t.expected
	t.rest()
	return t.trace
}

// rest resolves the planned actions that the log does not reach.
func (t *tracker) rest() {
	n := len(t.trace.Events)
	if n == 0 || t.trace.Events[n-1].Planned == 0 || t.done == len(t.ep.Plan) {
		return
	}
	t.ep.Warn(0, fmt.Sprintf("the log ends after planned action %d of %d", t.done, len(t.ep.Plan)))
	for i := t.done; i < len(t.ep.Plan); i++ {
		e := Event{Planned: i + 1, Step: t.trace.Events[n-1].Step}
		t.resolveCall(&e, &episode.Step{Index: -1, Action: t.ep.Plan[i]})
		t.trace.Rest = append(t.trace.Rest, e.Call)
	}
}

func newTracker(o *ontology.Ontology, ep *episode.Episode, live bool) *tracker {
	t := &tracker{onto: o, ep: ep, live: live, plan: map[int]int{}, diff: map[state.Fluent]int32{}, moved: map[state.Fluent]bool{}, fallen: map[state.Object]int32{}, met: map[state.Object]bool{}, view: newView(), labels: map[label][]ontology.TermID{}, unmoved: map[state.Object]int32{}}
	t.drop, _ = o.Lookup("ImpactSound")
	t.trace = &Trace{Episode: ep, UnloggedCalls: map[int32][]state.Call{}}
	steps := ep.Steps
	if !live {
		steps = perception.Smooth(o, ep)
	}
	for _, st := range steps {
		st.Observation = t.takeForms(st.Observation)
		t.hears = t.hears || len(st.Sounds) > 0
		t.steps = append(t.steps, st)
	}
	t.prepare()
	return t
}

// record notes what changed since the step before.
func (t *tracker) record(step int32) {
	for i := range t.objects.Items {
		if i == len(t.trace.History) {
			t.trace.History = append(t.trace.History, make([][]HistoryEntry, t.actual.Slots()))
		}
		for slot := range t.actual.Slots() {
			f := state.Fluent{Obj: state.Object(i), Slot: slot}
			v := t.actual.Get(f)
			if slot == state.PlaceSlot && t.actual.Gone(f.Obj) {
				v.Status = state.Unknown
			}
			h := t.trace.History.Of(f)
			if len(h) == 0 && v.Status == state.Unknown || len(h) > 0 && h[len(h)-1].Value.Same(v) {
				continue
			}
			t.trace.History[i][slot] = append(h, HistoryEntry{step, v})
		}
	}
}

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

// Event is the event of a step, or nil.
func (t *Trace) Event(step int32) *Event {
	n := len(t.Events)
	i := n - 1 // what is asked for is mostly recent
	if n == 0 || t.Events[i].Step != step {
		i = sort.Search(n, func(i int) bool { return t.Events[i].Step >= step })
	}
	if i == n || t.Events[i].Step != step {
		return nil
	}
	return &t.Events[i]
}

// Last is the last step of the episode, 0 where it has none.
func (t *Trace) Last() int32 {
	if len(t.Events) == 0 {
		return 0
	}
	return t.Events[len(t.Events)-1].Step
}

func (t *tracker) lastOf(step int32) *Event {
	if len(t.trace.Events) == 0 || step == 0 {
		return nil
	}
	return &t.trace.Events[len(t.trace.Events)-1]
}

// step takes in one line of the log.
func (t *tracker) step(st *episode.Step) {
	e := Event{Step: int32(st.Index), First: int32(st.Index), Planned: t.plan[st.Index]}
	prev := t.lastOf(e.Step)
	if prev != nil {
		e.Before = prev.Step
	}
	same := t.last != nil && t.last.Action == st.Action && t.last.Agent == st.Agent
	t.last = st
	if prev != nil && same {
		e.First, e.Before, e.Planned, e.Call = prev.First, prev.Before, prev.Planned, prev.Call
		e.Unmet, e.Violated = prev.Unmet, prev.Violated
		e.Ambiguous, e.Vague, e.Unclear = prev.Ambiguous, prev.Vague, prev.Unclear
		prev.Final = false
	} else {
		t.assumeUnlogged(&e)
		t.begin(&e, st)
	}
	t.done = max(t.done, e.Planned)
	e.Final, e.ToCome = true, t.imagining
	from := len(t.objects.Items)
	t.finish(&e, st)
	for x := state.Object(from); e.Outcome >= Refused && int(x) < len(t.objects.Items); x++ {
		if t.objects.Items[x].Origin != state.Nothing {
			t.actual.Remove(x, e.Step) // what was to be cut from something was not
		}
	}
	t.trace.Events = append(t.trace.Events, e)
	t.record(e.Step)
}

// begin resolves an action and judges its preconditions and norms.
func (t *tracker) begin(e *Event, st *episode.Step) {
	t.resolveCall(e, st)
	for _, v := range t.actual.UnmetPreconditions(e.Call) {
		e.Unmet = append(e.Unmet, Unmet{Violation: v, Origin: t.origin(e.Call, v)})
	}
	if t.imagining {
		t.surmise(e)
	}
	for _, v := range t.actual.ViolatedNorms(e.Call) {
		if t.trace.Task == nil || !slices.Contains(t.trace.Task.Exempt, v.Name) {
			e.Violated = append(e.Violated, v)
		}
	}
}

// origin finds the difference from the expected course that a violation rests
// on: the earliest of those among the fluents that the violation read, or that
// uphold the condition in the expected course. It is 0 where the condition
// fails there too.
func (t *tracker) origin(c state.Call, v state.Violation) int32 {
	if slices.ContainsFunc(t.expected.UnmetPreconditions(c), func(w state.Violation) bool { return w.Name == v.Name }) {
		return 0
	}
	touched := v.Touched
	for i := range c.Schema.Preconditions {
		if p := &c.Schema.Preconditions[i]; p.Name == v.Name {
			touched = append(touched, t.expected.SupportOf(c, p)...)
		}
	}
	return t.earliest(touched)
}

func (t *tracker) earliest(fluents []state.Fluent) int32 {
	var out int32
	for _, f := range fluents {
		if at, ok := t.diff[f]; ok && (out == 0 || at < out) {
			out = at
		}
	}
	return out
}

// away reports whether the robot stands elsewhere: it moved to something else
// than what it acts on or what is with that, which was not in sight either. A
// robot that has not moved yet stands elsewhere where it sees another place than
// the one it saw the thing at.
func (t *tracker) away(c state.Call, obs *sight) bool {
	x := c.Target
	if c.Schema.Params > 1 && c.Destination != state.Nothing {
		x = c.Destination
	}
	if x == state.Nothing || t.ep.Exact || t.onto.IsNavigation(c.Schema) {
		return false
	}
	q := state.Query{State: t.actual, Agent: c.Agent, Gripper: c.Gripper}
	near := q.Near(c.Agent, x) >= state.AssumedTrue
	if at := t.actual.Anchor(c.Agent); near && (at == state.Nothing || at == x || obs.missing || obs.nodes[x] || t.actual.Support(at) == at) {
		return false // on one long countertop things may still be far apart
	}
	if prev := t.lastOf(1); prev != nil && slices.Contains(prev.Seen, x) {
		return false
	}
	return t.actual.Anchor(c.Agent) != state.Nothing || t.met[x] && !obs.nodes[x] && t.seesOtherPlace(x, obs)
}

// seesOtherPlace reports whether an observation shows furniture, and not that at
// which an object is.
func (t *tracker) seesOtherPlace(x state.Object, obs *sight) bool {
	pickupable, _ := t.onto.Lookup("pickupable")
	other := false
	for y := range obs.nodes {
		if y == t.actual.Support(x) {
			return false
		}
		fixed := t.objects.Class(y) != ontology.None && !t.objects.HasProperty(y, pickupable) && !t.objects.IsA(y, t.onto.Core.Floor)
		other = other || fixed && t.objects.IsA(y, t.onto.Core.PhysicalObject)
	}
	return other
}

// finish judges the outcome of an action by the observation after it and
// updates belief and expectation.
func (t *tracker) finish(e *Event, st *episode.Step) {
	obs := t.perceive(e, st)
	t.relink(e, obs)
	passed := t.actual.Clone()
	passed.Run(state.Predicted, e.Step)
	tried := passed.Clone()
	effects := tried.Apply(e.Call, state.Predicted, e.Step)
	tried.Run(state.Predicted, e.Step)
	t.hears = t.hears || len(e.Sounds) > 0
	t.merge(tried, obs, e)
	e.Away = t.away(e.Call, obs)
	e.Outcome = t.judge(e, tried, obs, effects)
	before := t.actual
	if e.Outcome == Succeeded || e.Outcome == Presumed {
		t.actual = tried
		t.dropPhantoms(e, obs)
		t.loseTrack(e, obs, before)
	} else {
		t.merge(passed, obs, e)
		t.actual = passed
		if e.Outcome == Failed {
			e.Mistaken = t.mistaken(e, obs, before)
			e.Displaced = t.displaced(e, obs, before)
			t.hindsight(e)
		}
		t.disturbed(e, obs, before)
	}
	t.noteView(e, obs)
	t.noteFalls(e, obs, before)
	t.noteUnmoved(e, effects)
	if t.onto.IsNavigation(e.Call.Schema) {
		t.strayed = 0
		if e.Outcome >= Refused {
			t.strayed = e.origin()
		}
	}
	if t.forgetful {
		t.forget(e, obs)
	}
	t.yield(e, before)
	t.expect(e)
}

// mistaken finds other objects in which an action that failed had its effect.
func (t *tracker) mistaken(e *Event, obs *sight, before *state.State) [][2]state.Object {
	var out [][2]state.Object
	if e.Call.Schema.Params > 1 && !e.Call.Schema.KeepsHold {
		return nil // what is put elsewhere is seen there
	}
	named := e.Call.Target
	if e.Call.Destination != state.Nothing {
		named = e.Call.Destination
	}
	for i := range t.objects.Items {
		x := state.Object(i)
		if x == named || x == e.Call.Target || named == state.Nothing || before.Gone(x) || !t.objects.IsA(x, t.onto.Core.PhysicalObject) || x == e.Call.Gripper {
			continue
		}
		c := e.Call
		if c.Target == named {
			c.Target = x
		} else {
			c.Destination = x
		}
		if len(before.UnmetPreconditions(c)) == 0 && t.showsEffect(c, x, obs, before, e.Step) {
			out = append(out, [2]state.Object{named, x})
		}
	}
	return out
}

// showsEffect reports whether an observation shows a change of an object, or of
// what becomes of it, that a call would have brought about.
func (t *tracker) showsEffect(c state.Call, x state.Object, obs *sight, before *state.State, step int32) bool {
	after := before.Clone()
	return slices.ContainsFunc(after.Apply(c, state.Predicted, step), func(ch state.Change) bool {
		if ch.Fluent.Obj != x && t.objects.Items[ch.Fluent.Obj].Origin != x || ch.Idle {
			return false
		}
		return obs.shows(ch.Fluent, ch.Value) || ch.Fluent.Obj != x && obs.nodes[ch.Fluent.Obj]
	})
}

// displaced finds since when what an action needs, and the robot does not see, is
// elsewhere. What nobody has seen may be in what should be open.
func (t *tracker) displaced(e *Event, obs *sight, before *state.State) int32 {
	var needed []state.Fluent
	var unmoved int32
	need := func(x state.Object) {
		if x == state.Nothing || obs.nodes[x] {
			return
		}
		needed = append(needed, state.Fluent{Obj: x, Slot: state.PlaceSlot})
		if at, ok := t.unmoved[x]; ok && (unmoved == 0 || at < unmoved) {
			unmoved = at
		}
	}
	need(e.Call.Target)
	need(e.Call.Destination)
	if at := before.Anchor(e.Call.Agent); e.Away && at != state.Nothing {
		needed = append(needed, state.Fluent{Obj: at, Slot: state.PlaceSlot})
		if since, ok := t.unmoved[at]; ok && (unmoved == 0 || since < unmoved) {
			unmoved = since
		}
	}
	if e.Away && t.strayed > 0 {
		return t.strayed
	}
	at := t.earliest(needed)
	if at == 0 || unmoved > 0 && unmoved < at {
		at = unmoved
	}
	x := e.Call.Target
	if at > 0 || x == state.Nothing || before.Place(x).Status != state.Unknown || obs.nodes[x] {
		return at
	}
	closed, _ := t.onto.Lookup("closed")
	var shut []state.Fluent
	for f := range t.diff {
		if f.Slot == before.SlotOf(closed) && before.Get(f).Term == closed {
			shut = append(shut, f)
		}
	}
	return t.earliest(shut)
}

// hindsight finds what stood against an action that failed and shows only now:
// a precondition that does not hold in what was changed meanwhile, and not by
// the robot.
func (t *tracker) hindsight(e *Event) {
	for _, v := range t.actual.UnmetPreconditions(e.Call) {
		fresh := slices.ContainsFunc(v.Touched, func(f state.Fluent) bool {
			now := t.actual.Get(f)
			return now.Since == e.Step && now.Status == state.Observed && f.Obj != e.Call.Target
		})
		if fresh {
			e.Unmet = append(e.Unmet, Unmet{Violation: v, Origin: e.Step})
		}
	}
}

// yield lets the expected course take over what somebody else has changed: what
// was seen to be one way and is seen to be another now, and nothing that the
// robot did, dropped or failed to do can have brought about.
func (t *tracker) yield(e *Event, before *state.State) {
	if e.Outcome > Succeeded {
		return
	}
	for i := range t.objects.Items {
		x := state.Object(i)
		if _, fell := t.fallen[x]; fell || t.handles(e, x, before) || t.expected.Gone(x) || t.actual.Gone(x) {
			continue
		}
		for slot := range t.actual.Slots() {
			f := state.Fluent{Obj: x, Slot: slot}
			was, now, should := before.Get(f), t.actual.Get(f), t.expected.Get(f)
			changed := was.Status == state.Observed && now.Status == state.Observed && now.Since == e.Step && !now.Same(was)
			if changed && should.Same(was) && !t.objects.IsA(now.At, t.onto.Core.RobotGripper) {
				t.expected.Set(f, now)
			}
		}
	}
}

// handles reports whether an action is about an object, what it lies in, or what
// the robot carries.
func (t *tracker) handles(e *Event, x state.Object, before *state.State) bool {
	moving := t.onto.IsNavigation(e.Call.Schema) || len(e.Call.Schema.Effects) == 0
	at := x
	for range len(t.objects.Items) + 1 {
		if !moving && (at == e.Call.Target || x == e.Call.Destination) || e.Call.Gripper != state.Nothing && at == e.Call.Gripper {
			return true
		}
		if at = before.Place(at).At; at == state.Nothing {
			return false
		}
	}
	return true
}

// origin is the step that an action which did not come about goes back to, its
// own where nothing before explains it.
func (e *Event) origin() int32 {
	out := e.Step
	if e.Outcome < Refused {
		return out
	}
	if e.Displaced > 0 {
		out = min(out, e.Displaced)
	}
	for _, u := range e.Unmet {
		if u.Origin > 0 {
			out = min(out, u.Origin)
		}
	}
	return out
}

// noteUnmoved keeps in mind what an action was to move and did not, until it is
// moved: it need not be where it should be even if that has the same name.
func (t *tracker) noteUnmoved(e *Event, effects []state.Change) {
	for _, c := range effects {
		if c.Fluent.Slot != state.PlaceSlot || c.Idle && e.Outcome < Refused {
			continue
		}
		if e.Outcome < Refused {
			if since, ok := t.unmoved[c.Fluent.Obj]; ok && t.actual.Gone(c.Fluent.Obj) { // its pieces lie where it lay
				for _, p := range t.objects.Pieces(c.Fluent.Obj, t.onto.Core.PhysicalObject) {
					t.unmoved[p] = since
				}
			}
			delete(t.unmoved, c.Fluent.Obj)
		} else if _, ok := t.unmoved[c.Fluent.Obj]; !ok {
			t.unmoved[c.Fluent.Obj] = e.origin()
		}
	}
}

// forget leaves of the belief what an observation shows.
func (t *tracker) forget(e *Event, obs *sight) {
	only := state.New(t.objects)
	for i := range t.objects.Items {
		if t.actual.Gone(state.Object(i)) {
			only.Remove(state.Object(i), e.Step)
		}
	}
	t.merge(only, obs, e)
	t.actual = only
}

// noteFalls keeps in mind what left the gripper otherwise than by being put
// down, until it is handled again: what is found of it then is the fall's doing.
func (t *tracker) noteFalls(e *Event, obs *sight, before *state.State) {
	if e.Outcome <= Succeeded && !obs.missing {
		delete(t.fallen, e.Call.Target)
	}
	if !e.HandEmpty {
		return
	}
	for _, x := range before.Held(e.Call.Gripper) {
		at := t.actual.Place(x).At
		onFloor := t.objects.IsA(at, t.onto.Core.Floor) && at != e.Call.Destination
		if e.Call.Schema.KeepsHold || e.Outcome >= Refused || onFloor || at == state.Nothing {
			t.fallen[x] = e.Step
		}
	}
	if e.Call.Target != state.Nothing && e.Outcome >= Refused && t.heardDrop(e) {
		t.fallen[e.Call.Target] = e.Step
	}
}

// judge tells what became of an action. tried is the state that should be,
// corrected by the observation; an effect that the correction undid is absent.
func (t *tracker) judge(e *Event, tried *state.State, obs *sight, effects []state.Change) Outcome {
	seen, absent := 0, 0
	vain := len(e.Unmet) > 0 && e.Call.Schema.Conditional() // as pouring from an empty vessel
	pieces := false
	for _, c := range effects {
		v := tried.Get(c.Fluent)
		piece := e.Call.Target != state.Nothing && t.objects.Items[c.Fluent.Obj].Origin == e.Call.Target
		switch {
		case piece && obs.nodes[c.Fluent.Obj]:
			pieces = true
		case c.Value.Status == state.Unknown: // an object that should be gone
			if obs.nodes[c.Fluent.Obj] && !piece {
				absent++
			}
		case !v.Same(c.Value):
			absent++
		case v.Status == state.Observed && (!c.Idle || obs.shows(c.Fluent, v) && !vain):
			seen++
		}
	}
	switch {
	case pieces:
		return Succeeded
	case absent > 0:
		if len(e.Unmet) > 0 {
			return Refused
		}
		return Failed
	case seen > 0:
		return Succeeded
	case e.Away && e.Call.Schema.KeepsHold && len(effects) > 0 && !state.Idle(effects) && !obs.missing && t.silent(e):
		if len(e.Unmet) > 0 {
			return Refused
		}
		return Failed // nothing is done to what is out of reach, and nothing was heard of it
	case t.stayed(e, obs):
		return Failed
	case len(e.Unmet) > 0 && (vain || !state.Idle(effects)) && !t.released(e, obs):
		return Refused
	}
	return Presumed
}

// stayed reports that the robot did not move: it sees another place than that of
// the thing it was to move to, and was not heard to move. Where sensors err that
// is not told from a thing overlooked.
func (t *tracker) stayed(e *Event, obs *sight) bool {
	x := e.Call.Target
	return t.onto.IsNavigation(e.Call.Schema) && x != state.Nothing && !obs.missing && !obs.nodes[x] && t.met[x] && t.ep.Noise == 0 &&
		!t.enclosed(x) && t.silent(e) && t.seesOtherPlace(x, obs)
}

// enclosed reports whether an object is believed to be in something closed.
func (t *tracker) enclosed(x state.Object) bool {
	closed, _ := t.onto.Lookup("closed")
	for range len(t.objects.Items) + 1 {
		if x = t.actual.Place(x).At; x == state.Nothing {
			return false
		}
		if t.actual.Get(state.Fluent{Obj: x, Slot: t.actual.SlotOf(closed)}).Term == closed {
			return true
		}
	}
	return false
}

// silent reports that no sound tells that the action came about, in a log that
// has sounds.
func (t *tracker) silent(e *Event) bool {
	return t.hears && !slices.ContainsFunc(e.Sounds, func(s ontology.TermID) bool {
		return slices.ContainsFunc(t.onto.Values(s, "soundOfAction"), func(a ontology.TermID) bool { return t.onto.IsA(e.Call.Schema.Term, a) })
	})
}

// released reports that the gripper let go of what it held, which shows that a
// put came about even where its place is out of sight.
func (t *tracker) released(e *Event, obs *sight) bool {
	held := t.actual.Place(e.Call.Target).At == e.Call.Gripper && e.Call.Gripper != state.Nothing
	return held && !e.Call.Schema.KeepsHold && !obs.hasPlace(e.Call.Target, e.Call.Gripper) && !obs.missing && !t.ep.Exact
}

// loseTrack forgets the place of what was to be put down when a fall was heard
// and it was not seen where it should be, and of what was carried when nobody
// looked.
func (t *tracker) loseTrack(e *Event, obs *sight, before *state.State) {
	if !t.heardDrop(e) {
		return
	}
	lost := []state.Object{e.Call.Target}
	if e.Call.Schema.KeepsHold {
		if lost = nil; obs.missing {
			lost = before.Held(e.Call.Gripper)
		}
	}
	for _, x := range lost {
		if x == state.Nothing || obs.placed(x) || !e.Call.Schema.KeepsHold && t.actual.Place(x).Status != state.Predicted {
			continue
		}
		t.actual.Forget(state.Fluent{Obj: x, Slot: state.PlaceSlot}, e.Step)
	}
}

func (t *tracker) heardDrop(e *Event) bool {
	return slices.ContainsFunc(e.Sounds, func(s ontology.TermID) bool { return t.onto.IsA(s, t.drop) })
}

// disturbed forgets the place of an object that a failed action was to move
// and that is no longer seen.
func (t *tracker) disturbed(e *Event, obs *sight, before *state.State) {
	x := e.Call.Target
	if x == state.Nothing || e.Outcome != Failed || e.Call.Schema.KeepsHold || obs.nodes[x] || e.Away {
		return // from elsewhere it would not be seen anyway
	}
	if t.actual.Place(x).Status != state.Unknown && before.Place(x).At != e.Call.Gripper {
		t.actual.Forget(state.Fluent{Obj: x, Slot: state.PlaceSlot}, e.Step)
	}
}

// expect advances the expected course: the action succeeds there. What was
// first seen now, and not brought about by the robot, holds there as well.
func (t *tracker) expect(e *Event) {
	changes := t.expected.Run(state.Predicted, e.Step)
	changes = append(changes, t.expected.Apply(e.Call, state.Predicted, e.Step)...)
	changes = append(changes, t.expected.Run(state.Predicted, e.Step)...)
	for _, c := range changes {
		t.moved[c.Fluent] = true
	}
	t.adopt(changes)
	t.compare(e, changes)
}

// adopt copies into the expected course what the belief knows better: fluents
// that are unknown or assumed there and observed here.
func (t *tracker) adopt(changes []state.Change) {
	for i := range t.objects.Items {
		x := state.Object(i)
		ended := t.moved[state.Fluent{Obj: x, Slot: state.PlaceSlot}] // by an action, as what was sliced
		if t.expected.Gone(x) && !t.actual.Gone(x) && t.objects.Items[x].Origin == state.Nothing && !ended {
			t.expected.Restore(x)
		}
		for slot := range t.actual.Slots() {
			f := state.Fluent{Obj: x, Slot: slot}
			b, n := t.actual.Get(f), t.expected.Get(f)
			if b.Status != state.Observed || n.Status > state.Assumed || t.expected.Gone(x) {
				continue
			}
			if slices.ContainsFunc(changes, func(c state.Change) bool { return c.Fluent == f }) {
				continue
			}
			if _, fell := t.fallen[x]; fell {
				t.presumeUnharmed(f, b)
				continue
			}
			t.expected.Set(f, b)
			if !t.moved[f] {
				t.trace.Start.Set(f, b)
			}
		}
	}
	t.expected.CopyEdges(t.actual)
}

// presumeUnharmed takes what is first seen of an object after a fall for its
// doing: before it was the opposite.
func (t *tracker) presumeUnharmed(f state.Fluent, seen state.Value) {
	opposite := t.onto.Opposite(seen.Term)
	if f.Slot != state.PlaceSlot && opposite != ontology.None && t.expected.Get(f).Status == state.Unknown {
		t.expected.Set(f, state.Value{Term: opposite, At: state.Nothing, Status: state.Assumed})
	}
}

// compare finds what differs from the expected course and where each
// difference began.
func (t *tracker) compare(e *Event, changes []state.Change) {
	old := t.diff
	t.diff = map[state.Fluent]int32{}
	var fresh []state.Fluent
	for i := range t.objects.Items {
		for slot := range t.actual.Slots() {
			f := state.Fluent{Obj: state.Object(i), Slot: slot}
			if !t.differs(f, old) {
				continue
			}
			if at, ok := old[f]; ok {
				t.diff[f] = at
			} else {
				fresh = append(fresh, f)
			}
		}
	}
	origin := e.origin()
	for _, f := range fresh {
		at := origin
		if fell, ok := t.fallen[f.Obj]; ok {
			at = min(at, fell)
		}
		if whole := t.objects.Items[f.Obj].Origin; whole != state.Nothing { // it lies where that lay
			if o := earliestIn(old, t.diff, []state.Fluent{{Obj: whole, Slot: f.Slot}}); o > 0 {
				at = min(at, o)
			}
		}
		for _, c := range changes {
			if c.Fluent == f {
				if o := earliestIn(old, t.diff, c.Cause); o > 0 {
					at = min(at, o)
				}
			}
		}
		t.diff[f] = at
	}
	if len(t.diff) > 0 {
		e.Differences = t.diff
	}
}

func earliestIn(old, now map[state.Fluent]int32, fluents []state.Fluent) int32 {
	var out int32
	for _, f := range fluents {
		for _, m := range []map[state.Fluent]int32{old, now} {
			if at, ok := m[f]; ok && (out == 0 || at < out) {
				out = at
			}
		}
	}
	return out
}

func (t *tracker) differs(f state.Fluent, old map[state.Fluent]int32) bool {
	if f.Slot == state.PlaceSlot && t.actual.Gone(f.Obj) != t.expected.Gone(f.Obj) {
		return true
	}
	if t.actual.Gone(f.Obj) {
		return false
	}
	b, n := t.actual.Get(f), t.expected.Get(f)
	if n.Status == state.Unknown || n.Same(b) {
		return false
	}
	if b.Status == state.Unknown {
		// Wherever it is, what a gripper holds is always known; and what was not
		// moved before is not where it should be now.
		if _, before := old[f]; before {
			return true
		}
		return b.Since > 0 || f.Slot == state.PlaceSlot && t.objects.IsA(n.At, t.onto.Core.RobotGripper)
	}
	return f.Slot == state.PlaceSlot || t.onto.StateIs(b.Term, n.Term) < 0
}

// StateAt is what was believed after a step. Of relations that are not places it
// has those observed at the step itself.
func (t *Trace) StateAt(step int32) *state.State {
	s := state.New(t.Objects)
	for f := range t.History.fluents() {
		if v := t.At(f, step); v.Status != state.Unknown {
			s.Set(f, v)
		}
	}
	if e := t.Event(step); e != nil {
		for _, edge := range e.Edges {
			if !t.Objects.Onto.IsSub(edge.Relation, t.Objects.Onto.Core.Within) {
				s.AddEdge(edge.Subject, edge.Relation, edge.Object)
			}
		}
	}
	return s
}
