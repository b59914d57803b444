package fact

import (
	"iter"
	"slices"

	"github.com/mishap-robotics/mishap/engine/internal/belief"
	"github.com/mishap-robotics/mishap/engine/internal/planfault"
	"github.com/mishap-robotics/mishap/engine/internal/projection"
	"github.com/mishap-robotics/mishap/engine/internal/state"
	"github.com/mishap-robotics/mishap/ontology"
	"github.com/mishap-robotics/mishap/rules"
)

// Build fills the index of an episode. Scores are those of the scenes before its actions,
// nil for none.
func Build(t *belief.Trace, scores Scores) *Index {
	x := begin(t, scores)
	x.addGoal()
	return x
}

// BuildProjection fills the index of an episode as it would go on. Where that is cut
// short, what holds at the end only does not hold.
func BuildProjection(p *projection.Projection) *Index {
	x := begin(p.Trace, nil)
	x.ToCome = true
	if x.live = p.CutShort; p.CutShort {
		x.addWanted(0)
	} else {
		x.addGoal()
	}
	return x
}

// begin fills an index but for what the goal tells.
func begin(t *belief.Trace, scores Scores) *Index {
	x := newIndex(t)
	x.scores = scores
	x.addTerms()
	x.addSensed(0)
	for i := 0; i < t.Len() && !t.Interrupt.Raised(); i++ {
		x.addEvent(i)
		x.addSensed(t.StepOf(i))
		if e := t.Nth(i); e.Final {
			x.addOutcome(e)
		}
	}
	x.addPeople(0)
	x.addOverdue()
	return x
}

// addOverdue adds that the deadline of the goal has passed.
func (x *Index) addOverdue() {
	if s := x.Trace.Late; s > 0 {
		x.add(predOverdue, s)
	}
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
	e := x.Trace.Nth(i)
	s := e.Step
	prev := int32(0)
	if i > 0 {
		prev = x.Trace.StepOf(i - 1)
	}
	x.add(predPrev, s, prev)
	x.add(predBefore, s, e.Before)
	if e.Belated > 0 {
		x.add(predBelated, e.Belated, s)
	}
	x.add(predAction, s, x.symbol(e.Call.Schema.Name))
	if e.Call.Target != state.Nothing {
		x.add(predTarget, s, x.object(e.Call.Target))
	}
	if e.Call.Destination != state.Nothing {
		x.add(predDestination, s, x.object(e.Call.Destination))
	}
	for n, o := range e.Call.Objects() {
		if o != state.Nothing {
			x.add(predArgument, s, int32(n+1), x.object(o))
		}
	}
	if e.Call.Gripper != state.Nothing {
		x.add(predActsWith, s, x.object(e.Call.Gripper))
	}
	if e.Call.Agent != state.Nothing {
		x.add(predAgent, s, x.object(e.Call.Agent))
	}
	for _, a := range e.Together {
		x.add(predAgent, s, x.object(a))
	}
	if e.Status != "" {
		x.add(predStatus, s, x.symbol(string(e.Status)))
	}
	if e.Result != "" {
		x.add(predResult, s, x.symbol(e.Result))
	}
	for _, t := range e.Meanwhile {
		x.add(predMeanwhile, s, t)
	}
	for _, a := range e.Call.Values {
		high, low := a.Number.Words()
		x.add(predAmount, s, x.term(a.Quantity), high, low)
	}
	if e.Planned > 0 {
		x.add(predPlanned, s, int32(e.Planned))
	}
	for _, c := range x.Trace.UnloggedCalls[e.Step] {
		if c.Destination > 0 {
			x.add(predUnlogged, s, x.object(c.Target), x.object(c.Destination))
		}
	}
	for _, f := range []struct {
		holds bool
		pred  int
	}{
		{e.Call.Schema.KeepsHold, predKeepsHold}, {e.Observed, predObserved}, {e.HandEmpty, predHandEmpty},
		{e.WithoutAction, predWithoutAction},
		{e.Call.Unknowable(), predUnknown},
	} {
		if f.holds {
			x.add(f.pred, s)
		}
	}
	x.addScore(s, prev)
	x.addObservation(e)
	x.addAppears(e, i)
}

// addAppears adds what a line shows, by its index, and the one before does not.
func (x *Index) addAppears(e *belief.Event, i int) {
	var before []state.Object
	if i > 0 && x.Trace.StepOf(i-1) == e.Step-1 {
		before = x.Trace.Nth(i - 1).Seen
	}
	if len(before) == len(e.Seen) && len(before) > 0 && &before[0] == &e.Seen[0] {
		return
	}
	for _, o := range e.Seen { // both are in order of the table
		for len(before) > 0 && before[0] < o {
			before = before[1:]
		}
		if len(before) == 0 || before[0] != o {
			x.add(predAppears, e.Step, x.object(o))
		}
	}
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
	for _, v := range e.Values {
		high, low := v.Number.Words()
		x.add(predSeenValue, e.Step, x.object(v.Obj), x.term(v.Quantity), high, low)
	}
	for _, edge := range e.Edges {
		if !x.live && x.Trace.Interrupt.Tick() {
			return
		}
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
				x.add(predSensed, e.Step, x.term(ontology.TermID(i)), x.object(state.Nothing))
			}
		}
	}
}

// addSensed adds what sensors told of up to a step, from where it stopped.
func (x *Index) addSensed(step int32) {
	sensed := x.Trace.Sensed
	for ; x.sensed < len(sensed) && sensed[x.sensed].Step <= step; x.sensed++ {
		s := &sensed[x.sensed]
		high, low := s.Number.Words()
		for i := range x.onto.Terms {
			if !x.onto.Terms[i].IsClass || !x.onto.IsA(s.Kind, ontology.TermID(i)) {
				continue
			}
			x.add(predSensed, s.Step, x.term(ontology.TermID(i)), x.object(s.Obj))
			if s.Measured {
				x.add(predMeasured, s.Step, x.term(ontology.TermID(i)), x.object(s.Obj), high, low)
			}
		}
	}
}

// overlapping are the last lines of the actions that were over while that of an event, which
// is over, went on, or that went on while it did, the last first.
func (x *Index) overlapping(e *belief.Event) iter.Seq[int32] {
	return func(yield func(int32) bool) {
		if e.First == e.Step {
			return // what is over and began before it is not
		}
		for n := x.Trace.From(e.Step) - 1; n >= 0 && x.Trace.StepOf(n) > e.First; n-- {
			if o := x.Trace.Nth(n); o.Final && !o.WithoutAction && !yield(o.Step) {
				return
			}
		}
	}
}

// addOutcome adds what became of an action, which its last line shows.
func (x *Index) addOutcome(e *belief.Event) {
	x.addJudgement(e)
	if e.Outcome < belief.Refused {
		return
	}
	for _, u := range e.Unmet {
		if planfault.Impossible(x.Trace, e, u.Name) {
			x.add(predImpossible, e.Step, x.symbol(u.Name))
		}
	}
}

// addJudgement is addOutcome but for what the objects known by then tell.
func (x *Index) addJudgement(e *belief.Event) {
	s := e.Step
	x.add(predFinal, s)
	for other := range x.overlapping(e) {
		x.add(predOverlaps, s, other)
		x.add(predOverlaps, other, s)
	}
	switch e.Outcome {
	case belief.Succeeded, belief.Presumed:
		x.add(predSucceeded, s)
	default:
		x.add(predFailed, s)
		for _, u := range e.Unmet {
			x.addUnmet(s, &u.Violation)
			x.addLacks(s, &u.Violation)
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
	if e.Told > 0 {
		x.add(predTold, s, x.object(e.Told))
	}
	if e.Ambiguous {
		x.add(predAmbiguous, s, x.object(e.Unclear))
	}
	if e.Vague {
		x.add(predVague, s, x.object(e.Unclear))
	}
}

// addPeople adds what people avoid and what foods contain, of the objects from an index
// on.
func (x *Index) addPeople(from int) {
	t := x.Trace
	if len(t.People) == 0 || from > 0 && from == len(t.Objects.Items) {
		return
	}
	onto := t.Objects.Onto
	for _, p := range t.People {
		for _, class := range p.Avoids {
			x.add(predAvoids, x.object(p.Obj), x.term(class))
		}
	}
	if x.wholes == nil {
		x.wholes = wholesOf(onto)
	}
	for o := state.Object(from); int(o) < len(t.Objects.Items); o++ {
		if t.Interrupt.Raised() {
			return
		}
		of := append([]ontology.TermID{t.Objects.Class(o)}, t.Objects.Items[o].Also...)
		if after := t.Objects.Items[o].Of; len(after) > 0 && x.mayBeFood(of[0]) {
			of = append(of, after...)
		}
		for _, class := range ingredients(onto, x.wholes, of) {
			for j := range onto.Terms {
				if c := ontology.TermID(j); onto.Terms[j].IsClass && onto.IsA(class, c) {
					x.add(predContains, x.object(o), x.term(c))
				}
			}
		}
	}
}

// mayBeFood reports whether a class is none that is known, a packaging, or of a kind of which
// somebody avoids some.
func (x *Index) mayBeFood(class ontology.TermID) bool {
	onto := x.Trace.Objects.Onto
	if class == ontology.None || onto.HasProperty(class, onto.Roles.Packaging) {
		return true
	}
	for _, p := range x.Trace.People {
		for _, avoided := range p.Avoids {
			for j := range onto.Terms {
				kind := ontology.TermID(j)
				if onto.Terms[j].IsClass && onto.IsA(avoided, kind) && onto.IsA(class, kind) && !onto.IsA(onto.Core.PhysicalObject, kind) {
					return true
				}
			}
		}
	}
	return false
}

// ingredients lists the classes of food in food of the given classes: themselves,
// what they are pieces of and what they contain.
func ingredients(onto *ontology.Ontology, wholes map[ontology.TermID][]ontology.TermID, out []ontology.TermID) []ontology.TermID {
	for i := 0; i < len(out); i++ {
		for _, c := range append(onto.Ingredients(out[i]), wholes[out[i]]...) {
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
		for _, piece := range onto.Forms(c) {
			out[piece] = append(out[piece], c)
		}
	}
	return out
}

// addGoal adds what the goal asks for and whether it was reached.
func (x *Index) addGoal() {
	t := x.Trace
	x.addWanted(0)
	end := t.Last()
	x.addUnmetGoal(end + 1)
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
	if got > state.AssumedFalse {
		return
	}
	if should < state.AssumedTrue {
		if len(t.Rest) == 0 {
			x.addUnbrought(end)
		}
		return
	}
	last := t.Event(end)
	for _, f := range upheld {
		if at, ok := last.Differences.Since(f); ok {
			x.add(predGoalMissed, end, t.LastLine(at), x.object(f.Obj))
		}
	}
}

// addUnbrought adds that the goal is missed where all that it lacks are states of objects to
// which something was done last of which nobody knows what it does, and a later look shows them so.
func (x *Index) addUnbrought(end int32) {
	t := x.Trace
	deeds := x.unknownDeeds()
	if len(deeds) == 0 {
		return
	}
	missing := t.UnmetGoals(t.Final)
	for _, m := range missing {
		if deeds[m.Object] == 0 || m.Pattern.Predicate != t.Objects.Onto.Core.State {
			return
		}
	}
	for _, m := range missing {
		x.add(predGoalMissed, end, deeds[m.Object], x.object(m.Object))
	}
}

// deedsLookedBack is in how many of the last lines unknown deeds are sought.
const deedsLookedBack = 64

// unknownDeeds has for each object to which something was done last of which nobody knows what
// it does the last line of that, where a later look shows the object.
func (x *Index) unknownDeeds() map[state.Object]int32 {
	t := x.Trace
	first := max(0, t.Len()-deedsLookedBack)
	out := map[state.Object]int32{}
	for i := first; i < t.Len(); i++ {
		switch e := t.Nth(i); {
		case e.Call.Target == state.Nothing:
		case e.Call.Unknowable():
			out[e.Call.Target] = e.Step
		default:
			delete(out, e.Call.Target)
		}
	}
	for o, at := range out {
		shown := false
		for i := t.Len() - 1; i >= first && !shown && t.StepOf(i) > at; i-- {
			shown = slices.Contains(t.Nth(i).Seen, o)
		}
		if !shown {
			delete(out, o)
		}
	}
	return out
}

// addWanted adds what the goal asks of each object that may serve it, of the objects from
// an index on.
func (x *Index) addWanted(from int) {
	t := x.Trace
	for _, f := range t.Goal.ForAll {
		x.addUnasked(f, from)
		x.addWantedOfAll(f, from)
	}
	for _, p := range t.Goal.Patterns {
		x.addWantedPlace(p, from)
		if p.Predicate != t.Objects.Onto.Core.State || !p.Subject.IsVar() {
			continue
		}
		for i := from; i < len(t.Objects.Items); i++ {
			if t.MayBe(t.Objects, state.Object(i), p.Subject.Var) {
				x.add(predWanted, x.object(state.Object(i)), x.term(p.Object.Term))
			}
		}
	}
}

// addWantedOfAll adds the states in which the goal asks all things of a class to be.
func (x *Index) addWantedOfAll(f ontology.ForAll, from int) {
	t := x.Trace
	for _, p := range f.Requires {
		if p.Predicate != t.Objects.Onto.Core.State || p.Object.Term == ontology.None {
			continue
		}
		for i := from; i < len(t.Objects.Items); i++ {
			if belief.AllOf(t.Objects, state.Object(i), f.When) {
				x.add(predWanted, x.object(state.Object(i)), x.term(p.Object.Term))
			}
		}
	}
}

func (x *Index) addWantedPlace(p ontology.Pattern, from int) {
	t := x.Trace
	if !t.Objects.Onto.IsSub(p.Predicate, t.Objects.Onto.Core.Within) || !p.Subject.IsVar() || !p.Object.IsVar() {
		return
	}
	if from > 0 && len(x.fitting(p.Subject.Var, from)) == 0 && len(x.fitting(p.Object.Var, from)) == 0 {
		return
	}
	places := x.fitting(p.Object.Var, 0)
	for _, o := range x.fitting(p.Subject.Var, 0) {
		if !x.live && t.Interrupt.Raised() {
			return
		}
		for _, at := range places {
			if int(o) >= from || int(at) >= from {
				x.add(predWantedAt, x.object(o), x.object(at))
			}
		}
	}
}

// addUnasked adds what is of a like kind as each thing that the goal asks for somewhere, and
// not asked for.
func (x *Index) addUnasked(f ontology.ForAll, from int) {
	t := x.Trace
	core := &t.Objects.Onto.Core
	if len(f.When) != 1 || f.When[0].Predicate != core.Type {
		return
	}
	kind := f.When[0].Object.Term
	beside := x.kindsBeside(kind)
	if len(beside) == 0 {
		return
	}
	for _, p := range f.Requires {
		if !t.Objects.Onto.IsSub(p.Predicate, core.Within) || p.Subject.Var != f.When[0].Subject.Var || !p.Object.IsVar() {
			continue
		}
		for _, at := range x.fitting(p.Object.Var, 0) {
			for i := range t.Objects.Items {
				o := state.Object(i)
				if (i >= from || int(at) >= from) && !t.Objects.IsA(o, kind) && slices.ContainsFunc(beside, func(c ontology.TermID) bool { return t.Objects.IsA(o, c) }) {
					x.add(predUnaskedAt, x.object(o), x.object(at))
				}
			}
		}
	}
}

// kindsBeside are the classes in which a group of classes lies next, but that of all things;
// none for a class that is no group.
func (x *Index) kindsBeside(kind ontology.TermID) []ontology.TermID {
	onto := x.Trace.Objects.Onto
	if !onto.HasType(kind, onto.Core.ObjectGroup) {
		return nil
	}
	var out []ontology.TermID
	for i := range onto.Terms {
		if c := ontology.TermID(i); onto.IsA(kind, c) && !onto.IsA(c, kind) && c != onto.Core.PhysicalObject && onto.IsA(c, onto.Core.PhysicalObject) {
			out = append(out, c)
		}
	}
	return slices.DeleteFunc(out, func(c ontology.TermID) bool {
		return slices.ContainsFunc(out, func(d ontology.TermID) bool { return d != c && onto.IsA(d, c) })
	})
}

// fitting lists the objects from an index on that may be a variable of the goal.
func (x *Index) fitting(variable, from int) []state.Object {
	var out []state.Object
	for i := from; i < len(x.Trace.Objects.Items); i++ {
		if o := state.Object(i); x.Trace.MayBe(x.Trace.Objects, o, variable) {
			out = append(out, o)
		}
	}
	return out
}

// OfFaults reports whether a predicate is one of the facts that AddFaults adds.
func OfFaults(i rules.Indicator) bool {
	n, ok := Number(i)
	return ok && slices.Contains([]int{predFault, predMend, predMendWindow, predMendOld}, n)
}

// AddFaults adds faults of the plan, which belong to a built index, with the edits that
// repair them.
func (x *Index) AddFaults(faults ...planfault.Fault) {
	for _, f := range faults {
		x.add(predFault, f.Step)
		if f.Repair != nil {
			x.addRepair(f.Repair)
		}
	}
}

// isNamed reports whether an action of the episode is done with an object.
func (x *Index) isNamed(o state.Object) bool {
	for i := range x.Trace.Len() {
		if c := x.Trace.Nth(i).Call; o != state.Nothing && (c.Target == o || c.Destination == o) {
			return true
		}
	}
	return false
}

func (x *Index) addRepair(r *planfault.Repair) {
	e := &r.Edit
	o := e.Call.Target
	if e.Kind == planfault.Insert && !x.isNamed(o) {
		for i := range r.Others { // what the missing actions are for, and not what they are done with
			if other := r.Others[i].Edit; other.Kind == planfault.Insert && x.isNamed(other.Call.Target) {
				o = other.Call.Target
				break
			}
		}
	}
	if e.Kind == planfault.Append { // what is to be brought somewhere in the end
		for i := range r.Others {
			if other := r.Others[i].Edit; other.Kind == planfault.Append && other.Call.Destination != state.Nothing {
				o = other.Call.Target
			}
		}
	}
	if e.Kind == planfault.Replace {
		o = e.New
		x.add(predMendOld, r.Step, x.object(e.Old))
	}
	x.add(predMend, r.Step, x.symbol(string(e.Kind)), r.At, x.symbol(e.Call.Schema.Name), x.object(o))
	x.add(predMendWindow, r.Step, r.First, r.Last)
	x.Repairs = append(x.Repairs, *r)
}
