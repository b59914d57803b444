package fact

import (
	"slices"

	"github.com/mishap-robotics/mishap/engine/internal/belief"
	"github.com/mishap-robotics/mishap/engine/internal/planfault"
	"github.com/mishap-robotics/mishap/engine/internal/state"
	"github.com/mishap-robotics/mishap/ontology"
)

// Build fills the index of an episode.
func Build(t *belief.Trace) *Index {
	x := build(t)
	x.addFaults(0, t.Start)
	return x
}

// BuildProjection fills the index of an episode as it would go on. Only what is to
// come can be mended.
func BuildProjection(a *belief.Projection) *Index {
	x := build(a.Trace)
	x.ToCome = true
	x.addFaults(a.Happened, a.Present)
	return x
}

// BuildProjectionWithoutRepairs is BuildAhead without what mends the plan.
func BuildProjectionWithoutRepairs(a *belief.Projection) *Index {
	x := build(a.Trace)
	x.ToCome = true
	return x
}

func build(t *belief.Trace) *Index {
	x := newIndex(t)
	x.addTerms()
	for i := range t.Events {
		x.addEvent(i)
		if t.Events[i].Final {
			x.addOutcome(&t.Events[i])
		}
	}
	x.addPeople()
	x.addGoal()
	return x
}

// addTerms adds which states imply which.
func (x *Index) addTerms() {
	x.symbol(None)
	for i := range x.onto.Terms {
		for _, t := range x.onto.Implied(ontology.TermID(i)) {
			x.add(predImplies, x.term(ontology.TermID(i)), x.term(t))
		}
	}
}

// addEvent adds what a line of the log says by itself.
func (x *Index) addEvent(i int) {
	e := &x.Trace.Events[i]
	s := e.Step
	prev := int32(0)
	if i > 0 {
		prev = x.Trace.Events[i-1].Step
	}
	x.add(predPrev, s, prev)
	x.add(predBefore, s, e.Before)
	x.add(predAction, s, x.symbol(e.Call.Schema.Name))
	if e.Call.Target != state.Nothing {
		x.add(predTarget, s, x.object(e.Call.Target))
	}
	if e.Call.Destination != state.Nothing {
		x.add(predDestination, s, x.object(e.Call.Destination))
	}
	if e.Call.Gripper != state.Nothing {
		x.add(predActsWith, s, x.object(e.Call.Gripper))
	}
	if e.Planned > 0 {
		x.add(predPlanned, s, int32(e.Planned))
	}
	for _, f := range []struct {
		holds bool
		pred  int
	}{
		{e.Call.Schema.KeepsHold, predKeepsHold}, {e.Observed, predObserved}, {e.HandEmpty, predHandEmpty},
	} {
		if f.holds {
			x.add(f.pred, s)
		}
	}
	x.addObservation(e)
}

func (x *Index) addObservation(e *belief.Event) {
	onto := x.Trace.Objects.Onto
	for _, o := range e.Seen {
		x.add(predSeen, e.Step, x.object(o))
	}
	for _, st := range e.States {
		for _, t := range append([]ontology.TermID{st.State}, onto.Implied(st.State)...) {
			x.add(predSeenState, e.Step, x.object(st.Obj), x.term(t))
		}
	}
	for _, edge := range e.Edges {
		x.add(predSeenRelation, e.Step, x.object(edge.Subject), x.term(edge.Relation), x.object(edge.Object))
		if onto.IsSub(edge.Relation, onto.Core.Within) {
			x.add(predSeenAt, e.Step, x.object(edge.Subject), x.object(edge.Object))
		}
		if edge.Relation == onto.Core.Occluding {
			x.add(predOccludes, e.Step, x.object(edge.Subject), x.object(edge.Object))
		}
	}
	for _, sound := range e.Sounds {
		for i := range onto.Terms {
			if onto.Terms[i].IsClass && onto.IsA(sound, ontology.TermID(i)) {
				x.add(predHeard, e.Step, x.term(ontology.TermID(i)))
			}
		}
	}
}

// addOutcome adds what became of an action, which its last line shows.
func (x *Index) addOutcome(e *belief.Event) {
	s := e.Step
	x.add(predFinal, s)
	switch e.Outcome {
	case belief.Succeeded, belief.Presumed:
		x.add(predSucceeded, s)
	default:
		x.add(predFailed, s)
		for _, u := range e.Unmet {
			x.add(predUnmet, s, x.symbol(u.Name), x.object(u.Culprit))
			if x.impossible(e, u.Name) {
				x.add(predImpossible, s, x.symbol(u.Name))
			}
		}
		if e.Outcome == belief.Failed {
			x.add(predAbsent, s)
		}
	}
	for _, b := range e.Violated {
		x.add(predBreached, s, x.symbol(b.Name), x.object(b.Culprit))
	}
	if e.Away {
		x.add(predAway, s)
	}
	for _, m := range e.Mistaken {
		x.add(predMistaken, s, x.object(m[0]), x.object(m[1]))
	}
	if e.Ambiguous {
		x.add(predAmbiguous, s, x.object(e.Unclear))
	}
	if e.Vague {
		x.add(predVague, s, x.object(e.Unclear))
	}
}

// addPeople adds what people avoid and what foods contain.
func (x *Index) addPeople() {
	t := x.Trace
	onto := t.Objects.Onto
	for _, p := range t.People {
		for _, class := range p.Avoids {
			x.add(predAvoids, x.object(p.Obj), x.term(class))
		}
	}
	if len(t.People) == 0 {
		return
	}
	x.wholes = wholesOf(onto)
	for i := range t.Objects.Items {
		o := state.Object(i)
		for _, class := range ingredients(onto, x.wholes, []ontology.TermID{t.Objects.Class(o)}) {
			for j := range onto.Terms {
				if c := ontology.TermID(j); onto.Terms[j].IsClass && onto.IsA(class, c) {
					x.add(predContains, x.object(o), x.term(c))
				}
			}
		}
	}
}

// ingredients lists the classes of food in food of the given classes: themselves,
// what they are pieces of and what they contain.
func ingredients(onto *ontology.Ontology, wholes map[ontology.TermID][]ontology.TermID, out []ontology.TermID) []ontology.TermID {
	for i := 0; i < len(out); i++ {
		for _, c := range append(onto.Values(out[i], "contains"), wholes[out[i]]...) {
			if len(out) < 64 && !slices.Contains(out, c) {
				out = append(out, c)
			}
		}
	}
	return out
}

// wholesOf maps each class of pieces to the classes they are cut or cracked from.
func wholesOf(onto *ontology.Ontology) map[ontology.TermID][]ontology.TermID {
	out := map[ontology.TermID][]ontology.TermID{}
	for _, c := range onto.Subclasses(onto.Core.PhysicalObject) {
		for _, piece := range onto.Values(c, "form") {
			out[piece] = append(out[piece], c)
		}
	}
	return out
}

// addGoal adds what the goal asks for and whether it was reached.
func (x *Index) addGoal() {
	t := x.Trace
	x.addWanted()
	end := t.Last()
	if end == 0 {
		return
	}
	if len(t.Rest) > 0 {
		x.add(predUnfinished, end)
	}
	got, _ := t.GoalTruth(t.Final)
	if got >= state.AssumedTrue {
		x.add(predGoalReached, end)
		return
	}
	should, upheld := t.GoalTruth(t.Expected)
	if got > state.AssumedFalse || should < state.AssumedTrue {
		return
	}
	last := t.Event(end)
	for _, f := range upheld {
		if at, ok := last.Differences[f]; ok {
			x.add(predGoalMissed, end, at, x.object(f.Obj))
		}
	}
}

// addWanted adds what the goal asks of each object that may serve it.
func (x *Index) addWanted() {
	t := x.Trace
	for _, p := range t.Goal.Patterns {
		x.addWantedPlace(p)
		if p.Predicate != t.Objects.Onto.Core.State || !p.Subject.IsVar() {
			continue
		}
		for i := range t.Objects.Items {
			if x.mayBe(state.Object(i), p.Subject.Var) {
				x.add(predWanted, x.object(state.Object(i)), x.term(p.Object.Term))
			}
		}
	}
}

func (x *Index) addWantedPlace(p ontology.Pattern) {
	t := x.Trace
	if !t.Objects.Onto.IsSub(p.Predicate, t.Objects.Onto.Core.Within) || !p.Subject.IsVar() || !p.Object.IsVar() {
		return
	}
	for i := range t.Objects.Items {
		for j := range t.Objects.Items {
			if x.mayBe(state.Object(i), p.Subject.Var) && x.mayBe(state.Object(j), p.Object.Var) {
				x.add(predWantedAt, x.object(state.Object(i)), x.object(state.Object(j)))
			}
		}
	}
}

// mayBe reports whether an object fits the class conditions on a goal variable.
func (x *Index) mayBe(o state.Object, variable int) bool {
	t := x.Trace
	if b := t.Bound[variable]; b != state.Unbound {
		return b.Object() == o
	}
	for _, p := range t.Goal.Patterns {
		if p.Predicate == t.Objects.Onto.Core.Type && p.Subject.Var == variable && !t.Objects.IsA(o, p.Object.Term) {
			return false
		}
	}
	return true
}

// addFaults finds the steps at which the actions themselves are wrong, from the
// event of an index on, before which a state holds, and how to mend them.
func (x *Index) addFaults(from int, start *state.State) {
	t := x.Trace
	seq := sequence(t, from)
	if len(seq) == 0 {
		return
	}
	for _, c := range t.Rest {
		seq = append(seq, planfault.TimedCall{Call: c, At: t.Last() + 1})
	}
	type fault struct {
		index int // of the sequence
		step  int32
	}
	var faults []fault
	for i := from; i < len(t.Events); i++ {
		e := &t.Events[i]
		if e.Final && independent(e) {
			faults = append(faults, fault{indexOf(seq, e.First), e.Step})
		}
	}
	got, _ := t.GoalTruth(t.Final)
	should, _ := t.GoalTruth(t.Intended())
	if got <= state.AssumedFalse && should <= state.AssumedFalse {
		faults = append(faults, fault{len(seq), t.Last() + 1})
	}
	p := x.problem(from)
	p.Start = start
	effort := mendEffort
	if x.ToCome {
		effort = aheadEffort
	}
	for i, f := range faults {
		p.Effort = (effort - p.Spent()) / (len(faults) - i)
		x.addFault(p, seq, f.index, f.step)
	}
}

// independent reports whether an action failed for a reason that does not
// follow from anything that went wrong before.
func independent(e *belief.Event) bool {
	if e.Outcome != belief.Refused {
		return false
	}
	for _, u := range e.Unmet {
		if u.Origin == 0 && !u.Reach {
			return true
		}
	}
	return false
}

// sequence is what the robot did, one step for each action; planned actions
// that the log leaves out stand where they were taken to have happened.
// It begins with the event of an index.
func sequence(t *belief.Trace, from int) []planfault.TimedCall {
	var out []planfault.TimedCall
	for i := from; i < len(t.Events); i++ {
		e := &t.Events[i]
		if e.First == e.Step {
			for _, c := range t.UnloggedCalls[e.Step] {
				out = append(out, planfault.TimedCall{Call: c, At: e.Step})
			}
		}
		if e.Final {
			out = append(out, planfault.TimedCall{Call: e.Call, At: e.First})
		}
	}
	return out
}

func indexOf(seq []planfault.TimedCall, at int32) int {
	last := 0
	for i := range seq {
		if seq[i].At == at {
			last = i
		}
	}
	return last
}

// mendEffort bounds the search for edits in one episode, in simulated actions.
// Faults share it. It is enough for some 5,000 edits of a plan with 40 actions.
const mendEffort = 200_000

// aheadEffort is the same for an episode as it would go on, which is looked at often.
const aheadEffort = 80_000

// problem is what the actions from the event of an index on are judged by.
func (x *Index) problem(from int) *planfault.Problem {
	t := x.Trace
	p := &planfault.Problem{Start: t.Start, Robot: t.Robot, Gripper: t.Gripper}
	p.Goal = func(s *state.State) (int, int) {
		all := len(t.Goal.Patterns) + len(t.Goal.ForAll)
		if got, _ := t.GoalTruth(s); got >= state.AssumedTrue {
			return all, all
		}
		return min(all-1, len(t.Goal.Patterns)-len(t.UnmetGoals(s))), all
	}
	hazardous, _ := t.Objects.Onto.Lookup("hazardous_when_on")
	on, _ := t.Objects.Onto.Lookup("on")
	p.Hazards = func(s *state.State) int {
		n := 0
		for i := range t.Objects.Items {
			o := state.Object(i)
			if t.Objects.HasProperty(o, hazardous) && s.Get(state.Fluent{Obj: o, Slot: s.SlotOf(on)}).Term == on && !x.wants(o, "on") {
				n++
			}
		}
		return n
	}
	p.Objects = x.relevant(from)
	for i := range t.Objects.Items {
		o := state.Object(i)
		if class := t.Objects.Class(o); class != ontology.None && !slices.Contains(p.Objects, o) {
			if anywhere, _ := t.Objects.Onto.Text(class, "inAnyScene"); anywhere == "true" {
				p.Aside = append(p.Aside, o)
			}
		}
	}
	return p
}

func (x *Index) wants(o state.Object, st string) bool {
	found := false
	x.Match(predWanted, []int32{x.object(o), x.symbol(st)}, func([]int32) bool { found = true; return false })
	return found
}

// relevant lists the objects an edit may bring in: those the actions act on,
// what they are in, what can act on them, and those of the goal's classes.
func (x *Index) relevant(from int) []state.Object {
	t := x.Trace
	in := map[state.Object]bool{}
	for i := from; i < len(t.Events); i++ {
		for _, o := range []state.Object{t.Events[i].Call.Target, t.Events[i].Call.Destination} {
			in[o] = true
			for at := o; at != state.Nothing; at = t.Start.Place(at).At {
				in[at] = true
			}
		}
	}
	for _, p := range t.Goal.Patterns {
		for i := range t.Objects.Items {
			if p.Predicate == t.Objects.Onto.Core.Type && t.Objects.IsA(state.Object(i), p.Object.Term) {
				in[state.Object(i)] = true
			}
		}
	}
	for i := range t.Objects.Items {
		if x.servesProcess(state.Object(i)) || x.servesAction(state.Object(i), from) {
			in[state.Object(i)] = true
		}
	}
	for i := range t.Objects.Items {
		if o := state.Object(i); in[o] && t.Objects.Items[o].Origin != state.Nothing {
			in[t.Objects.Items[o].Origin] = true
		}
	}
	var out []state.Object
	for i := range t.Objects.Items {
		o := state.Object(i)
		vague := t.Objects.Onto.HasType(t.Objects.Class(o), t.Objects.Onto.Core.ObjectGroup)
		if in[o] && !vague && t.Objects.IsA(o, t.Objects.Onto.Core.PhysicalObject) && !t.Objects.IsA(o, t.Objects.Onto.Core.RobotGripper) {
			out = append(out, o)
		}
	}
	return out
}

// servesProcess reports whether an object is a device that some process names.
func (x *Index) servesProcess(o state.Object) bool {
	t := x.Trace
	for _, p := range t.Objects.Onto.Processes {
		for _, w := range p.When {
			if w.Predicate == t.Objects.Onto.Core.Type && t.Objects.IsA(o, w.Object.Term) {
				return true
			}
		}
	}
	return false
}

// servesAction reports whether an object is a tool that a precondition of some
// action asks for.
func (x *Index) servesAction(o state.Object, from int) bool {
	t := x.Trace
	q := state.Query{State: t.Start, Agent: t.Robot, Gripper: t.Gripper}
	for i := from; i < len(t.Events); i++ {
		schema := t.Events[i].Call.Schema
		for _, c := range schema.Preconditions {
			for _, p := range c.Requires {
				lasting := p.Predicate == t.Objects.Onto.Core.Type || p.Predicate == t.Objects.Onto.Core.HasProperty
				if !lasting || p.Subject.Var <= ontology.VarDestination {
					continue
				}
				b := state.NewBinding(len(schema.Vars))
				b[p.Subject.Var] = state.ObjectRef(o)
				if got, _ := q.Best([]ontology.Pattern{p}, b); got >= state.AssumedTrue {
					return true
				}
			}
		}
	}
	return false
}

// addFault finds the edit that mends the fault at index k of the sequence and
// adds it in steps of the log.
func (x *Index) addFault(p *planfault.Problem, seq []planfault.TimedCall, k int, step int32) {
	x.add(predFault, step)
	e, ok := p.Repair(seq, k)
	if !ok {
		return
	}
	at := func(i int) int32 {
		if i < len(seq) {
			return seq[i].At
		}
		return x.Trace.Last() + 1
	}
	obj := e.Call.Target
	if e.Kind == planfault.Replace {
		obj = e.New
		x.add(predMendOld, step, x.object(e.Old))
	}
	cause, last := at(e.At), at(e.Last)
	if e.Kind == planfault.Move && k < e.At {
		// What comes too late is missed where it should have been done at the latest.
		cause, last = at(k), at(k)
	}
	x.add(predMend, step, x.symbol(string(e.Kind)), cause, x.symbol(e.Call.Schema.Name), x.object(obj))
	x.add(predMendWindow, step, at(e.First), last)
	m := PlanRepair{Step: step, At: cause, First: at(e.First), Last: last, Edit: e, Text: x.Trace.Objects.CallText(e.Call)}
	if e.Kind == planfault.Move && e.To < len(seq) {
		m.Before = x.Trace.Objects.CallText(seq[e.To].Call)
	}
	x.Repairs = append(x.Repairs, m)
}

// PlanRepair is the edit that mends a fault, with the action in words.
type PlanRepair struct {
	Step, At    int32
	First, Last int32 // the steps at which the edit would do
	Edit        planfault.Edit
	Text        string // as plans write it
	Before      string // the action that a moved one belongs before
}
