package diagnosis

import (
	"cmp"
	"slices"

	"github.com/mishap-robotics/mishap/engine/internal/belief"
	"github.com/mishap-robotics/mishap/engine/internal/fact"
	"github.com/mishap-robotics/mishap/engine/internal/inference"
	"github.com/mishap-robotics/mishap/engine/internal/state"
	"github.com/mishap-robotics/mishap/ontology"
	"github.com/mishap-robotics/mishap/rules"
)

// Findings explains the conclusions of the rules on an episode, in order of
// time.
func Findings(x *fact.Index, conclusions []inference.Conclusion) []Finding {
	d := &diagnosis{index: x, trace: x.Trace, onto: x.Trace.Objects.Onto, moments: x.Trace.Moments()}
	var all []Finding
	for _, c := range conclusions {
		if x.Trace.Interrupt.Raised() {
			return nil
		}
		all = append(all, d.finding(c))
	}
	all = d.specific(all)
	slices.SortStableFunc(all, func(a, b Finding) int {
		return cmp.Or(cmp.Compare(a.Step, b.Step), cmp.Compare(d.shows(&a), d.shows(&b)), cmp.Compare(d.rank(&b), d.rank(&a)), cmp.Compare(a.Cause, b.Cause))
	})
	roots := d.roots(all)
	roots = d.judgeRecovery(roots)
	for i := 0; i < len(roots) && !d.trace.Interrupt.Raised(); i++ {
		d.nameLacking(&roots[i])
		d.describe(&roots[i])
	}
	return roots
}

// shows is the step at which a finding shows, one past the last for what only
// the end of the episode shows.
func (d *diagnosis) shows(f *Finding) int32 {
	if at, ok := f.has("fault"); ok {
		return at
	}
	if d.isSafety(f) && f.Step == d.trace.Last() {
		return f.Step + 1 // what is left at the end comes after the last action
	}
	return f.Step
}

type diagnosis struct {
	index   *fact.Index
	trace   *belief.Trace
	onto    *ontology.Ontology
	moments *belief.Moments // of findings, in order of time
}

func (d *diagnosis) class(f *Finding) ontology.TermID { return d.onto.Term(f.Type) }

func (d *diagnosis) is(f *Finding, class ontology.TermID) bool { return d.onto.IsA(d.class(f), class) }

func (d *diagnosis) isSafety(f *Finding) bool { return d.onto.IsSafety(d.class(f)) }

func (d *diagnosis) isAccident(f *Finding) bool { return d.onto.IsAccident(d.class(f)) }

func (d *diagnosis) isPlanFault(f *Finding) bool { return d.onto.IsPlanFault(d.class(f)) }

func (d *diagnosis) rank(f *Finding) int { return d.onto.Rank(d.class(f)) }

// finding carries a conclusion over and instantiates the goals of its clause.
func (d *diagnosis) finding(c inference.Conclusion) Finding {
	f := Finding{Type: c.Class, Step: c.Step, Cause: c.Cause, Objects: c.Objects, Clause: c.Clause}
	for _, g := range c.Clause.Body {
		f.goals = append(f.goals, g.With(c.Bindings))
	}
	return f
}

// has finds a goal among the evidence and returns its first argument.
func (f *Finding) has(name string) (int32, bool) {
	for _, g := range f.goals {
		if g.Name == name && len(g.Args) > 0 && g.Args[0].Kind == rules.Integer {
			return int32(g.Args[0].Int), true
		}
	}
	return 0, false
}

// isWorkedOut reports whether a finding rests on what the plan would do, and not on what looks show.
func (f *Finding) isWorkedOut() bool {
	_, worked := f.has("fault")
	return worked
}

// incident tells what a finding explains: the failure of the action at a step,
// the fault of the plan that shows after the last step, or, for what goes wrong
// besides the action, the class and the object.
type incident struct {
	step   int32
	class  string
	object string
}

func (d *diagnosis) incident(f *Finding) incident {
	if at, ok := f.has("fault"); ok {
		return incident{step: at}
	}
	_, breach := f.has("breached")
	if e := d.trace.Event(f.Step); breach || d.isSafety(f) || e == nil || e.Outcome < belief.Refused && !d.isAccident(f) {
		object := ""
		if len(f.Objects) > 0 {
			object = f.Objects[0]
		}
		return incident{f.Step, f.Type, object}
	}
	return incident{step: f.Step}
}

// specific keeps the most specific finding of each incident: subclasses before
// superclasses, then by rank.
func (d *diagnosis) specific(all []Finding) []Finding {
	best := map[incident]int{}
	for i := range all {
		if d.trace.Interrupt.Raised() {
			return nil
		}
		key := d.incident(&all[i])
		j, taken := best[key]
		if !taken || d.wins(&all[i], &all[j]) {
			best[key] = i
		}
	}
	var out []Finding
	for i := range all {
		if best[d.incident(&all[i])] == i {
			out = append(out, all[i])
		}
	}
	return out
}

func (d *diagnosis) wins(a, b *Finding) bool {
	x, y := d.class(a), d.class(b)
	if x != y && d.onto.IsA(x, y) {
		return true
	}
	if x != y && d.onto.IsA(y, x) {
		return false
	}
	return d.rank(a) > d.rank(b)
}

// roots separates what merely follows from an earlier finding, in order of time.
func (d *diagnosis) roots(all []Finding) []Finding {
	var out []Finding
	for i := 0; i < len(all) && !d.trace.Interrupt.Raised(); i++ {
		f := &all[i]
		origin := d.origin(f)
		j := d.explains(out, f, origin)
		if _, missed := f.has("goal_missed"); j >= 0 && missed {
			continue
		}
		if j >= 0 {
			out[j].Consequences = append(out[j].Consequences, Consequence{f.Type, f.Step, f.Objects, d.sentence(f)})
			continue
		}
		if origin > 0 && !d.trace.SameAction(origin, f.Step) { // an action that took several lines is dated by its rule
			f.Cause = min(f.Cause, origin)
		}
		out = append(out, *f)
	}
	d.followUp(out)
	return out
}

// origin is the step at which what a finding rests on began to differ from the
// expected course, 0 where it does not.
func (d *diagnosis) origin(f *Finding) int32 {
	if d.isAccident(f) {
		return 0
	}
	if _, ok := f.has("fault"); ok {
		return 0
	}
	e := d.trace.Event(f.Step)
	if e == nil {
		return 0
	}
	if _, ok := f.has("breached"); ok {
		for _, b := range e.Violated {
			if at := d.earliest(e.Before, b.Touched); at > 0 {
				return at
			}
		}
		return 0
	}
	if _, missed := f.has("goal_missed"); missed {
		return f.Cause
	}
	if e.Outcome == belief.Refused && d.incident(f) == (incident{step: f.Step}) {
		var at int32
		for _, u := range e.Unmet {
			if u.Origin == 0 {
				return 0
			}
			if at == 0 || u.Origin < at {
				at = u.Origin
			}
		}
		return at
	}
	if d.isSafety(f) {
		return d.earliest(f.Step, d.fluents(f.Objects))
	}
	if _, stood := f.has("unmet"); stood {
		return 0 // what stood against it came about meanwhile
	}
	if e.Outcome == belief.Failed {
		return e.Displaced
	}
	return 0
}

func (d *diagnosis) fluents(objects []string) []state.Fluent {
	var out []state.Fluent
	for _, name := range objects {
		if o, ok := d.trace.Objects.Lookup(name); ok {
			for slot := int32(1); slot < d.trace.Final.Slots(); slot++ {
				out = append(out, state.Fluent{Obj: o, Slot: slot})
			}
		}
	}
	return out
}

func (d *diagnosis) earliest(step int32, fluents []state.Fluent) int32 {
	e := d.trace.Event(step)
	if e == nil {
		return 0
	}
	var out int32
	for _, f := range fluents {
		if at, ok := e.Differences.Since(f); ok && (out == 0 || at < out) {
			out = at
		}
	}
	return out
}

// explains finds the earlier finding that a finding follows from, or -1.
func (d *diagnosis) explains(roots []Finding, f *Finding, origin int32) int {
	follows := d.waysToFollow(f)
	missed := d.missed(f)
	for i := range roots {
		r := &roots[i]
		if origin > 0 {
			if d.isSafety(f) && slices.ContainsFunc(r.Consequences, func(c Consequence) bool { return c.Step == origin }) {
				return i
			}
			if d.covers(r, origin) && (missed || r.Step != f.Step || origin != f.Step) {
				return i
			}
		}
		if slices.ContainsFunc(follows, func(way func(r, f *Finding) bool) bool { return way(r, f) }) {
			return i
		}
	}
	return -1
}

// waysToFollow are the ways in which a finding of its class may follow from an earlier one.
func (d *diagnosis) waysToFollow(f *Finding) []func(r, f *Finding) bool {
	var out []func(r, f *Finding) bool
	may := func(can bool, ways ...func(r, f *Finding) bool) {
		if can {
			out = append(out, ways...)
		}
	}
	_, fault := f.has("fault")
	_, missed := f.has("goal_missed")
	roles := &d.onto.Roles
	failed, dropping := d.is(f, roles.FailedAction), d.is(f, roles.Dropping)
	may(d.onto.IsLasting(d.class(f)), d.sameAgain)
	may(d.is(f, roles.MissingNavigation), d.stillElsewhere)
	may(fault, d.sameCause, d.goalFollows, d.brokeOff, d.outOfHand)
	may(failed || dropping, d.sameAction)
	may(failed, d.triedAgain, d.unwanted)
	may(d.isSafety(f), d.leftBehind)
	may(d.isAccident(f) && !dropping, d.fellFrom)
	may(missed, d.neverPutRight, d.plannedWrong, d.inVain, d.unmended)
	return out
}

func (d *diagnosis) missed(f *Finding) bool {
	_, ok := f.has("goal_missed")
	return ok || d.isSafety(f)
}

// covers reports whether a finding is about what happened at a step: one of the
// lines of its action, or its cause.
func (d *diagnosis) covers(r *Finding, step int32) bool {
	return r.Step == step || r.Cause == step || d.trace.SameAction(r.Step, step)
}

// followUp adds actions that were refused because of a root, where no rule
// spoke of them.
func (d *diagnosis) followUp(roots []Finding) {
	if len(roots) == 0 {
		return
	}
	for i := d.trace.From(min(roots[0].Step, roots[0].Cause)); i < d.trace.Len() && !d.trace.Interrupt.Raised(); i++ {
		e := d.trace.Nth(i)
		if !e.Final || e.Outcome != belief.Refused {
			continue
		}
		for _, u := range e.Unmet {
			if u.Origin == 0 || u.Origin == e.Step {
				continue
			}
			for j := range roots {
				r := &roots[j]
				told := slices.ContainsFunc(r.Consequences, func(c Consequence) bool {
					return c.Step == e.Step && !d.onto.IsSafety(d.onto.Term(c.Type))
				})
				if r.Step != e.Step && d.covers(r, u.Origin) && !told {
					r.Consequences = append(r.Consequences, d.refusal(e, u))
				}
			}
		}
	}
	for j := range roots {
		slices.SortStableFunc(roots[j].Consequences, func(a, b Consequence) int { return cmp.Compare(a.Step, b.Step) })
	}
}

func (d *diagnosis) refusal(e *belief.Event, u belief.Unmet) Consequence {
	c := Consequence{Type: d.onto.Name(d.onto.Roles.FailedAction), Step: e.Step}
	for _, o := range []state.Object{e.Call.Target, e.Call.Destination} {
		if o != state.Nothing {
			c.Objects = append(c.Objects, d.trace.Objects.Name(o))
		}
	}
	c.Explanation = d.trace.Objects.CallText(e.Call) + " did not come about: " + u.Comment + "."
	return c
}

// judgeRecovery marks what the robot made up for, and drops faults of the plan where
// the goal was reached all the same.
func (d *diagnosis) judgeRecovery(roots []Finding) []Finding {
	got, upheld := d.trace.GoalTruth(d.trace.Final)
	reached := got >= state.AssumedTrue
	last := d.trace.Event(d.trace.Last())
	var out []Finding
	for _, f := range roots {
		if d.trace.Interrupt.Raised() {
			return nil
		}
		if reached && d.isPlanFault(&f) && f.isWorkedOut() && !d.guessed(&f) && !d.stops(&f) && !d.overdone(&f) && !d.leftOnTop(&f) && !d.breaches(&f) {
			continue
		}
		lasting := d.onto.IsConstraint(d.class(&f)) || d.isPlanFault(&f)
		if last != nil && f.Step < d.trace.Last() && !lasting && !d.dangerous(&f) {
			f.Recovered = (reached || got == state.Undecided && d.settled(&f, last)) && !d.stillBreached(&f) && !d.unseen(&f, upheld) && !d.stillChanged(&f)
		}
		out = append(out, f)
	}
	return out
}

// dangerous reports that a finding has left something on, or shards about.
func (d *diagnosis) dangerous(f *Finding) bool {
	return slices.ContainsFunc(f.Consequences, func(c Consequence) bool { return d.onto.IsSafety(d.onto.Term(c.Type)) })
}

// stillChanged reports that what changed although nobody was to change it is as it became.
func (d *diagnosis) stillChanged(f *Finding) bool {
	if !d.isAccident(f) || !d.onto.IsEnvironmental(d.class(f)) || len(f.Objects) == 0 {
		return false
	}
	x, known := d.trace.Objects.Lookup(f.Objects[0])
	for slot := range d.trace.Final.Slots() {
		fl := state.Fluent{Obj: x, Slot: slot}
		if then := d.trace.At(fl, f.Step); known && !then.Same(d.trace.At(fl, f.Step-1)) && then.Same(d.trace.Final.Get(fl)) {
			return true
		}
	}
	return false
}

// unseen reports that what was dropped has not been seen where the goal rests on it, or what
// changed although nobody was to change it has not been seen at all since.
func (d *diagnosis) unseen(f *Finding, upheld []state.Fluent) bool {
	dropped, changed := d.is(f, d.onto.Roles.Dropping), d.isAccident(f) && d.onto.IsEnvironmental(d.class(f))
	return (dropped || changed) && slices.ContainsFunc(upheld, func(at state.Fluent) bool {
		if at.Slot != state.PlaceSlot || d.trace.Objects.Name(at.Obj) != f.Objects[0] {
			return false
		}
		return dropped && d.trace.Final.Get(at).Status == state.Predicted || changed && !d.seenAfter(at.Obj, f.Step)
	})
}

func (d *diagnosis) seenAfter(x state.Object, step int32) bool {
	for i := d.trace.Len() - 1; i >= 0 && d.trace.Nth(i).Step > step; i-- {
		if slices.Contains(d.trace.Nth(i).Seen, x) {
			return true
		}
	}
	return false
}

// stillBreached reports that what went against a norm is as it was, as a dish
// that is still dirty.
func (d *diagnosis) stillBreached(f *Finding) bool {
	_, breach := f.has("breached")
	e := d.trace.Event(f.Step)
	if !breach || e == nil {
		return false
	}
	for _, b := range e.Violated {
		for _, fl := range b.Touched {
			then, now := d.trace.At(fl, e.Before), d.trace.At(fl, d.trace.Last())
			if fl.Slot != state.PlaceSlot && then.Status != state.Unknown && now.Same(then) {
				return true
			}
		}
	}
	return false
}

// guessed reports that the robot had to guess what was meant, which is a fault
// of the plan even where the guess was right, or that the task tells what the goal does not.
func (d *diagnosis) guessed(f *Finding) bool {
	_, told := f.has("told")
	return told || d.is(f, d.onto.Roles.AmbiguousTarget)
}

// overdone reports that what the goal does not ask for somewhere is there in the end, which
// what the goal does ask for does not undo.
func (d *diagnosis) overdone(f *Finding) bool {
	if len(f.Objects) < 2 || !slices.ContainsFunc(f.goals, func(g *rules.Term) bool { return g.Name == "unasked_at" }) {
		return false
	}
	x, known := d.trace.Objects.Lookup(f.Objects[0])
	return known && d.trace.Objects.Name(d.trace.Final.Place(x).At) == f.Objects[1]
}

// stops reports that an action still to come cannot be carried out: a robot that
// stops there does not reach the goal.
func (d *diagnosis) stops(f *Finding) bool {
	e := d.trace.Event(f.Step)
	return d.index.ToCome && e != nil && e.Outcome >= belief.Refused
}

// breaches reports that what a plan has goes against a norm, whatever it reaches.
func (d *diagnosis) breaches(f *Finding) bool {
	_, breach := f.has("breached")
	return breach
}

// leftOnTop reports that what an action could not put into something closed lies on top of it
// in the end.
func (d *diagnosis) leftOnTop(f *Finding) bool {
	e := d.trace.Event(f.Step)
	if e == nil || e.Outcome != belief.Refused || e.Call.Target == state.Nothing || e.Call.Destination == state.Nothing {
		return false
	}
	final, into := d.trace.Final, e.Call.Destination
	at := final.Place(e.Call.Target)
	return at.At == into && at.Term == d.onto.Core.OnTopOf && at.Status == state.Observed && d.onto.Roles.Enclosing != ontology.None && final.Is(into, d.onto.Roles.Enclosing)
}

// settled reports that nothing a finding disturbed is disturbed at the end.
func (d *diagnosis) settled(f *Finding, last *belief.Event) bool {
	e := d.trace.Event(f.Step)
	if e == nil || e.Outcome < belief.Refused && !d.is(f, d.onto.Roles.Dropping) || d.liesOnGround(f) {
		return false
	}
	for _, diff := range last.Differences {
		if d.covers(f, diff.Since) {
			return false
		}
	}
	return !d.stillSo(f, e)
}

// stillSo reports that what an action left otherwise than it should is so to the end, or that nobody
// knows how it is: an action of which the effects are unknown makes up for nothing.
func (d *diagnosis) stillSo(f *Finding, e *belief.Event) bool {
	isSo := func(fl state.Fluent) bool {
		then := d.trace.At(fl, f.Step)
		for i := d.trace.From(f.Step + 1); i < d.trace.Len(); i++ {
			if now := d.trace.At(fl, d.trace.Nth(i).Step); now.Status != state.Unknown && !now.Same(then) {
				return false
			}
		}
		return true
	}
	for _, diff := range e.Differences {
		if d.covers(f, diff.Since) && isSo(diff.Fluent) {
			return true
		}
	}
	place := state.Fluent{Obj: e.Call.Target, Slot: state.PlaceSlot} // of what was to be let go of
	return e.Call.Target != state.Nothing && e.Call.Schema != d.onto.Roles.Take && !e.Call.Schema.KeepsHold &&
		d.trace.Objects.IsA(d.trace.At(place, f.Step).At, d.onto.Core.RobotGripper) && isSo(place)
}

// liesOnGround reports that what was dropped lies on the ground to the end.
func (d *diagnosis) liesOnGround(f *Finding) bool {
	if !d.is(f, d.onto.Roles.Dropping) || len(f.Objects) == 0 {
		return false
	}
	x, known := d.trace.Objects.Lookup(f.Objects[0])
	return known && d.trace.Objects.IsA(d.trace.Final.Place(x).At, d.onto.Core.Floor)
}
