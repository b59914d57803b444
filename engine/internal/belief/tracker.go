package belief

import (
	"fmt"
	"slices"

	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/engine/internal/alignment"
	"github.com/mishap-robotics/mishap/engine/internal/grounding"
	"github.com/mishap-robotics/mishap/engine/internal/interrupt"
	"github.com/mishap-robotics/mishap/engine/internal/perception"
	"github.com/mishap-robotics/mishap/engine/internal/state"
	"github.com/mishap-robotics/mishap/ontology"
)

// tracker takes in the lines of an episode one after the other.
type tracker struct {
	onto             *ontology.Ontology
	ep               *episode.Episode
	names            *grounding.Names
	goal             grounding.Goal
	trace            *Trace
	believed         *state.State
	course           course
	view             viewpoint
	ongoing          episode.Ongoing // the line before, and those of actions in progress
	lines            []*episode.Step // of the action that begins, the last first; none where steps come one by one
	next             *episode.Step   // the first line of the action after it, where that has another name
	unlinked         []state.Object  // pieces of nothing that nobody has seen, among the objects up to sorted
	sorted           state.Object
	done             int  // index in the plan of the last action that is in it
	live             bool // steps come one by one
	observationsOnly bool // nothing is kept of what was believed before a step
	hasSounds        bool // the log has sounds
	gripperSeen      bool // the log tells what the gripper holds
	special          map[state.Object][]ontology.TermID
	forms            *grounding.Forms
	identities       *grounding.Identities
}

// Follow tracks a whole episode.
func Follow(o *ontology.Ontology, ep *episode.Episode) *Trace { return FollowUntil(nil, o, ep, false) }

// FollowUntil is Follow that ends early, with a trace that is to be thrown away, where a
// flag is raised. With observationsOnly nothing is carried forward: after a step nothing is
// believed but what its observation shows.
func FollowUntil(stop *interrupt.Flag, o *ontology.Ontology, ep *episode.Episode, observationsOnly bool) *Trace {
	t, steps := newTracker(o, ep, false, stop)
	t.observationsOnly = observationsOnly
	return t.follow(steps)
}

// newTracker is ready for the first action. It returns the lines with what is seen in
// its form.
func newTracker(o *ontology.Ontology, ep *episode.Episode, live bool, stop *interrupt.Flag) (*tracker, []episode.Step) {
	t := &tracker{
		onto: o, ep: ep, live: live, names: grounding.New(o, ep), course: newCourse(),
		special: map[state.Object][]ontology.TermID{}, forms: grounding.NewForms(o), identities: grounding.NewIdentities(o),
	}
	t.view = newViewpoint(ep, t.names.Robot)
	objects := t.names.Objects()
	t.trace = &Trace{Episode: ep, Objects: objects, Robot: t.names.Robot, Gripper: t.names.Gripper, UnloggedCalls: map[int32][]state.Call{}}
	t.trace.EndWith(stop)
	steps := ep.Steps
	if !live {
		known := *ep
		known.Steps = grounding.Relabel(o, grounding.Reclassify(o, grounding.Identify(o, grounding.NameHolders(o, ep, grounding.Order(o, ep.Steps)), stop)), stop)
		steps = perception.Smooth(o, &known, stop)
	}
	steps = slices.Clone(steps)
	for i := 0; i < len(steps) && !stop.Raised(); i++ {
		t.forms.Note(steps[i].Observation)
	}
	for i := 0; i < len(steps) && !stop.Raised(); i++ {
		steps[i].Observation = t.forms.Take(steps[i].Observation)
		t.hasSounds = t.hasSounds || len(steps[i].Sounds) > 0
		t.gripperSeen = t.gripperSeen || grounding.ShowsGripper(o, &steps[i].Observation)
	}
	t.gripperSeen = t.gripperSeen || ep.GripperObserved
	t.prepare(steps)
	return t, steps
}

// narrow binds the variables of the goal to what the names in it mean, as far as things
// were met.
func (t *tracker) narrow() {
	if t.goal.TakeParts(t.names) {
		t.trace.Goal = t.goal.Goal
	}
	t.trace.Bound = t.goal.Narrowed(t.names)
	t.trace.Unjudged = t.goal.Unjudged || t.goal.Unmeant(t.names, t.trace.Bound)
	if stages := t.trace.Objects.Stages; stages != nil {
		stages.Bound = t.trace.Bound
	}
}

// takeVessels lets the goal ask of the vessel what it asks of a liquid that nobody has seen but
// as what fills that.
func (t *tracker) takeVessels() {
	full := func(st ontology.TermID) bool {
		slot := t.trace.Start.SlotOf(st)
		for x := range state.Object(len(t.trace.Objects.Items)) {
			if v := t.trace.Start.Get(state.Fluent{Obj: x, Slot: slot}); v.Status > state.Assumed && t.onto.StateIs(v.Term, st) > 0 {
				return true
			}
		}
		return false
	}
	if t.trace.Start != nil && t.goal.TakeVessels(t.names, full) {
		t.trace.Goal = t.goal.Goal
		t.narrow()
	}
}

// prepare fills the table of objects and the states before step 0.
func (t *tracker) prepare(steps []episode.Step) {
	goal := t.names.TaskGoal()
	t.trace.People = t.names.AddPeople()
	t.names.AddEpisode(steps, t.trace.Interrupt)
	t.believed = state.New(t.trace.Objects)
	for _, hand := range t.names.PersonalHands() { // what a hand holds is with the person
		t.believed.SetPlace(hand[0], t.onto.Core.Inside, hand[1], state.Observed, 0)
	}
	t.removePieces(0)
	goal.State(t.names)
	t.trace.Task, t.trace.Goal = goal.Task, goal.Goal
	t.goal = goal
	t.narrow()
	if !t.live {
		t.names.AssumeObjects(&t.trace.Goal, steps)
	}
	prior := t.prior()
	prior.assume(t.believed, 0)
	prior.state(t.believed, t.ep)
	for i := range steps {
		if st := &steps[i]; st.Index == 0 {
			t.look(st)
		}
	}
	if len(t.trace.Goal.First) > 0 {
		t.trace.Objects.Stages = &state.Stages{Parts: t.trace.Goal.First, Bound: t.trace.Bound, Agent: t.trace.Robot, Gripper: t.trace.Gripper}
		if !t.live { // what is assumed before anybody has looked has not come about
			t.believed.Advance()
		}
	}
	t.course.expected = t.believed.Clone()
}

func (t *tracker) prior() prior { return prior{t.names, t.trace, t.special} }

// look takes in what was observed before anything happened.
func (t *tracker) look(st *episode.Step) *line {
	t.trace.Clock.read(st.Time)
	l := &line{now: t.believed}
	l.Call = state.Call{Agent: t.trace.Robot, Gripper: t.trace.Gripper, Target: state.Nothing, Destination: state.Nothing}
	l.obs = t.perceive(&l.Event, st)
	t.correction(l).apply(t.believed)
	t.believed.RunMeasured(state.Predicted, 0)
	t.sense(st.Events, 0, st.Line)
	return l
}

func (t *tracker) follow(steps []episode.Step) *Trace {
	planned, actions, unplanned := alignment.Steps(t.onto, steps, t.ep.Plan, t.trace.Interrupt)
	if len(t.ep.Plan) > 0 && unplanned > 0 {
		t.ep.Warn(0, fmt.Sprintf("the plan does not match the steps: %d of %d actions of the log are not in the plan, in that order", unplanned, actions))
	}
	t.trace.Start = t.believed.Clone()
	t.takeVessels()
	t.trace.record(t.believed, 0)
	for i := range steps {
		if t.trace.Interrupt.Raised() {
			break
		}
		if st := &steps[i]; st.Index > 0 {
			if t.ongoing.Before(st) == nil {
				t.lines = linesOf(steps[i:])
				t.next = lineAfter(steps[i:])
			} else if n := len(t.lines); n > 1 && t.lines[n-2] == st {
				t.lines = t.lines[:n-1]
			}
			t.step(st, planned[st.Index], nil)
			t.takeVessels()
		}
	}
	if now, ok := t.trace.Clock.read(t.ep.Until); ok && t.ep.Until != "" {
		t.elapse(now)
	}
	t.end()
	t.warnUnended()
	t.resolveRest()
	return t.trace
}

// linesOf are the first of some lines and those that repeat its action, the last first.
func linesOf(steps []episode.Step) []*episode.Step {
	var out []*episode.Step
	for i := range steps {
		st := &steps[i]
		if n := len(out); n > 0 && !st.SameAction(out[n-1]) {
			if out[n-1].InProgress() {
				continue
			}
			break
		}
		out = append(out, st)
	}
	slices.Reverse(out)
	return out
}

// lineAfter is the first line after those that repeat the action of the first, nil where it
// does an action of the same name.
func lineAfter(steps []episode.Step) *episode.Step {
	for i := range steps {
		if st := &steps[i]; !st.SameAction(&steps[0]) {
			if st.Action.Name == steps[0].Action.Name || st.Action.Name == "" || st.Agent != steps[0].Agent {
				return nil
			}
			return st
		}
	}
	return nil
}

// end puts in the trace how things stand.
func (t *tracker) end() { t.trace.Final, t.trace.Expected = t.believed, t.course.expected }

// lastEvent is the event before, or nil.
func (t *tracker) lastEvent() *Event {
	if n := len(t.trace.Events); n > 0 {
		return &t.trace.Events[n-1]
	}
	return nil
}

// lastOf is the last of the events that are kept whole with an action of an agent, nil where
// none is.
func (t *tracker) lastOf(agent state.Object) *Event {
	for i := len(t.trace.Events) - 1; i >= 0; i-- {
		if e := &t.trace.Events[i]; e.Call.Agent == agent {
			return e
		}
	}
	return nil
}

// step takes in one line of the log, which carries out an action of the plan, by
// 1-based index, 0 where it is not in it. obstacles finds what would keep an action that
// is yet to come from being carried out; it is nil for what has happened.
func (t *tracker) step(st *episode.Step, planned int, obstacles Obstacles) {
	l := line{Event: Event{Step: int32(st.Index), First: int32(st.Index), Planned: planned}}
	e := &l.Event
	prev := t.lastEvent()
	if e.Step == 0 {
		prev = nil
	}
	if prev != nil {
		e.Before = prev.Step
	}
	t.passTime(e, st)
	begun := t.begun(st)
	t.ongoing.Take(st)
	for _, open := range t.ongoing.Open {
		e.Meanwhile = append(e.Meanwhile, int32(open.Index))
	}
	if begun != nil {
		e.continueAction(begun)
		t.trace.goOn(begun)
	} else {
		t.assumeUnlogged(e, st.Agent)
		t.begin(e, st, obstacles)
	}
	t.done = max(t.done, e.Planned)
	e.Final, e.ToCome, e.WithoutAction = !st.InProgress(), obstacles != nil, st.Action.Name == ""
	from := len(t.trace.Objects.Items)
	if t.finish(&l, st); t.trace.Interrupt.Raised() {
		return
	}
	for x := state.Object(from); e.Outcome >= Refused && int(x) < len(t.trace.Objects.Items); x++ {
		if t.trace.Objects.Items[x].Origin != state.Nothing {
			t.believed.Remove(x, e.Step) // what was to be cut from something was not
		}
	}
	t.trace.Events = append(t.trace.Events, l.Event)
	t.trace.record(t.believed, e.Step)
	t.believed.Advance()
	t.course.expected.Advance()
	t.trace.keepTime(t.believed, e.Step)
	t.sense(st.Events, e.Step, st.Line)
}

// begun is the event of the line before of the action that a line goes on with, nil where it
// begins one.
func (t *tracker) begun(st *episode.Step) *Event {
	before := t.ongoing.Before(st)
	if before == nil {
		return nil
	}
	if e := t.lastEvent(); e == nil || before == t.ongoing.Last {
		return e
	}
	return t.trace.Event(int32(before.Index))
}

// sense notes what sensors told of at a step, or after it. The clock goes on to the time of
// each.
func (t *tracker) sense(events []episode.SensorEvent, step int32, line int) {
	if len(events) == 0 {
		return
	}
	for i := range events {
		if now, ok := t.trace.Clock.read(events[i].Time); ok && events[i].Time != "" {
			t.elapse(now)
		}
	}
	t.trace.Sensed = append(t.trace.Sensed, t.names.Sensed(events, step, line)...)
}

// begin resolves an action and judges its preconditions and norms.
func (t *tracker) begin(e *Event, st *episode.Step, obstacles Obstacles) {
	t.resolveCall(e, st)
	if obstacles != nil && st.Agent == "" {
		e.Call = t.able(e.Call)
	}
	if !t.names.Judged(e.Call.Agent) {
		return
	}
	for _, v := range t.believed.Judge(e.Call).UnmetPreconditions() {
		e.Unmet = append(e.Unmet, Unmet{Violation: v, Origin: t.course.originOf(e.Call, v)})
	}
	if obstacles != nil {
		e.Unmet = append(e.Unmet, obstacles(e.Call, e.Planned)...)
	}
	for _, v := range t.believed.Judge(e.Call).ViolatedNorms() {
		if t.trace.Task == nil || !slices.Contains(t.trace.Task.Exempt, v.Name) {
			e.Violated = append(e.Violated, v)
		}
	}
}

// resolveCall finds the objects that an action means.
func (t *tracker) resolveCall(e *Event, st *episode.Step) {
	ctx := grounding.Context{Believed: t.believed, Expected: t.course.expected, Seen: t.view.seen}
	if prev := t.lastEvent(); prev != nil {
		ctx.Recent = prev.Seen
	}
	if !t.live {
		ctx.After, ctx.Next = t.lines, t.next
	}
	if st.Index > 0 {
		ctx.Line = st
	}
	planned := episode.Action{}
	if e.Planned > 0 {
		planned = t.ep.Plan[e.Planned-1]
	}
	c := t.names.Call(st.Action, st.Agent, planned, ctx)
	e.Call, e.Ambiguous, e.Vague, e.Unclear, e.Told = c.Call, c.Ambiguous, c.Vague, c.Unclear, c.Told
	e.Call.Values = t.names.Values(st)
	e.Together = t.names.Together(st.Agent)
}

// line is one line of the log as it is taken in.
type line struct {
	Event
	obs         *grounding.Observation
	before, now *state.State   // believed before the action and after
	effects     []state.Change // that the action has where it succeeds
	late        []state.Change // what an action before brought about, and this line is the first to show
	released    bool           // an earlier line of the action has put the target where it is to be
}

// finish judges the outcome of an action by the observation after it and
// updates belief and expectation.
func (t *tracker) finish(l *line, st *episode.Step) {
	e := &l.Event
	l.obs, l.before = t.perceive(e, st), t.believed
	if t.trace.Interrupt.Raised() {
		return
	}
	t.linkSeenPieces(l)
	failed := t.believed.Clone()
	if !l.obs.Missing {
		failed.KnowHeld()
		t.course.expected.KnowHeld()
	}
	t.correction(l).undoPresumed(failed, e)
	failed.Run(state.Predicted, e.Step)
	e.Status, e.Result = st.Status, st.Result
	if !e.Final {
		t.await(l, failed)
		return
	}
	succeeded := failed.Clone()
	l.effects = succeeded.Apply(e.Call, state.Predicted, e.Step)
	succeeded.Doubt(e.Call, e.Step)
	if at, shown := t.belated(l); at > 0 {
		e.Belated = at
		t.judgeAnew(e, shown)
		l.late = shown
	}
	l.follow(succeeded)
	t.keepReleased(l, succeeded)
	succeeded.Run(state.Predicted, e.Step)
	l.processed(succeeded)
	t.hasSounds = t.hasSounds || len(e.Sounds) > 0
	l.forgetTouched(succeeded)
	if t.correction(l).apply(succeeded); t.trace.Interrupt.Raised() {
		return
	}
	j := judge{line: l, ep: t.ep, view: &t.view, hasSounds: t.hasSounds, trace: t.trace}
	e.Away = j.isAway(t.lastOf(e.Call.Agent))
	e.Outcome = j.outcome(succeeded)
	switch {
	case e.Outcome <= Succeeded:
		t.succeed(l, succeeded)
	case !t.names.Judged(e.Call.Agent):
		e.Outcome = Presumed
		t.correction(l).apply(failed)
		t.believed, l.now = failed, failed
	default:
		t.fail(l, failed)
	}
	t.takeIn(l)
}

// await believes what the observation tells while an action goes on.
func (t *tracker) await(l *line, now *state.State) {
	t.hasSounds = t.hasSounds || len(l.Sounds) > 0
	t.correction(l).apply(now)
	t.believed, l.now = now, now
	t.takeIn(l)
}

// takeIn lets the view and the expected course follow a line of which the outcome is judged.
func (t *tracker) takeIn(l *line) {
	e := &l.Event
	for _, c := range l.late { // not seen where it is shut in
		if l.now.Get(c.Fluent).Status == state.Unknown {
			l.now.Set(c.Fluent, c.Value)
		}
	}
	t.believed.RunMeasured(state.Predicted, e.Step)
	if t.view.note(l); t.trace.Interrupt.Raised() {
		return
	}
	if !e.Call.Schema.Unknown {
		t.course.misplaced.note(l, t.onto.Roles.FallSound)
	}
	if t.observationsOnly {
		t.forget(l)
	}
	t.course.accept(l)
	if t.course.relearn(l); t.trace.Interrupt.Raised() {
		return
	}
	t.course.advance(l, t.trace.Start)
}

// follow moves the other members of a team that moves.
func (l *line) follow(s *state.State) {
	if len(l.Together) == 0 || !s.Objects.Onto.IsNavigation(l.Call.Schema) {
		return
	}
	for _, x := range l.Together[1:] {
		if c := l.Call; x != c.Agent {
			c.Agent = x
			s.Apply(c, state.Predicted, l.Step)
		}
	}
}

// keepReleased keeps the target of an action where it was seen once the gripper had let
// go of it, in an earlier line of the action: it is not moved any more.
func (t *tracker) keepReleased(l *line, succeeded *state.State) {
	c := l.Call
	if l.First == l.Step || c.Target == state.Nothing || c.Gripper == state.Nothing || c.Schema.KeepsHold {
		return
	}
	place := state.Fluent{Obj: c.Target, Slot: state.PlaceSlot}
	now := l.before.Get(place)
	was := t.trace.At(place, l.Before)
	if l.released = now.At == c.Destination && was.At != c.Destination; now.At == c.Gripper || was.At != c.Gripper {
		return
	}
	if now.Status == state.Observed {
		succeeded.Set(place, now)
	}
}

// succeed believes what the effects of an action and the observation after it tell.
func (t *tracker) succeed(l *line, now *state.State) {
	t.believed, l.now = now, now
	l.Mistaken = nil
	t.removeUnseenPieces(l)
	l.losePlaces(t.onto.Roles.FallSound)
}

// fail believes what the observation after an action tells that came about otherwise,
// and finds what stood against it.
func (t *tracker) fail(l *line, now *state.State) {
	t.correction(l).apply(now)
	t.believed, l.now = now, now
	if l.Outcome == Failed {
		l.Mistaken = append(l.Mistaken, l.mistakenFor()...)
		l.Displaced = t.course.displacedSince(l)
		l.addRevealed()
		l.loseTarget()
	}
}

// forget leaves of the belief what an observation shows.
func (t *tracker) forget(l *line) {
	seen := state.New(t.trace.Objects)
	for i := range t.trace.Objects.Items {
		if t.believed.Gone(state.Object(i)) {
			seen.Remove(state.Object(i), l.Step)
		}
	}
	t.correction(l).apply(seen)
	t.believed, l.now = seen, seen
}

// assumeUnlogged carries out, in belief and expectation, the planned actions
// between the one before and this one that the log leaves out.
func (t *tracker) assumeUnlogged(e *Event, agent string) {
	if e.Planned == 0 || t.names.IsPerson(agent) { // who helps out leaves the rest undone
		return
	}
	for i := t.done + 1; i < e.Planned; i++ {
		var u Event
		u.Planned, u.Step = i, e.Step
		a := t.ep.Plan[i-1]
		t.resolveCall(&u, &episode.Step{Index: -1, Action: a})
		if t.isEffective(a) {
			t.ep.Warn(0, fmt.Sprintf("planned action %d %s is not in the log; it is taken to have happened where it could", i, a))
		}
		t.course.expected.Apply(u.Call, state.Predicted, e.Before)
		if len(t.believed.Judge(u.Call).UnmetPreconditions()) == 0 {
			t.believed.Apply(u.Call, state.Predicted, e.Before)
			t.trace.UnloggedCalls[e.Step] = append(t.trace.UnloggedCalls[e.Step], u.Call)
		}
	}
}

// isEffective reports whether an action changes something, as far as is known: waiting does
// not.
func (t *tracker) isEffective(a episode.Action) bool {
	schema, ok := t.trace.Objects.Onto.Action(a.Name)
	return !ok || schema.Unknown || len(schema.Effects) > 0
}

// warnUnended tells of actions of which no line tells that they ended.
func (t *tracker) warnUnended() {
	open := t.ongoing.Open
	if last := t.ongoing.Last; last != nil && last.InProgress() {
		open = append(slices.Clip(open), last)
	}
	for _, st := range open {
		t.ep.Warn(st.Line, fmt.Sprintf("action %q %s is in progress at step %d, and no later line has its id; what became of it is not judged", st.ID, st.Action, st.Index))
	}
}

// resolveRest resolves the planned actions that the log does not reach.
func (t *tracker) resolveRest() {
	last := t.lastEvent()
	if last == nil || last.Planned == 0 || !slices.ContainsFunc(t.ep.Plan[t.done:], t.isEffective) {
		return
	}
	t.ep.Warn(0, fmt.Sprintf("the log ends after planned action %d of %d", t.done, len(t.ep.Plan)))
	for i := t.done; i < len(t.ep.Plan) && !t.trace.Interrupt.Raised(); i++ {
		e := Event{Planned: i + 1, Step: last.Step}
		t.resolveCall(&e, &episode.Step{Index: -1, Action: t.ep.Plan[i]})
		t.trace.Rest = append(t.trace.Rest, e.Call)
	}
}
