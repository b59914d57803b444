// Package foresight tells what will go wrong before it does. No reference run is
// needed and no threshold: the rest of the plan is carried out in the action
// model from what is believed now, the rules are applied to what would come of
// it, and each failure among that is traced back to what is wrong now. A
// difference that breaks nothing later is no threat.
package foresight

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mishap-robotics/mishap/engine/internal/belief"
	"github.com/mishap-robotics/mishap/engine/internal/diagnosis"
	"github.com/mishap-robotics/mishap/engine/internal/fact"
	"github.com/mishap-robotics/mishap/engine/internal/grounding"
	"github.com/mishap-robotics/mishap/engine/internal/inference"
	"github.com/mishap-robotics/mishap/engine/internal/planfault"
	"github.com/mishap-robotics/mishap/engine/internal/projection"
	"github.com/mishap-robotics/mishap/engine/internal/state"
	"github.com/mishap-robotics/mishap/ontology"
)

// Threat is a failure that has not happened yet: the finding it would become,
// with what it rests on.
type Threat struct {
	diagnosis.Finding
	// Foreseen is the step after which it is foreseen, 0 before the first action.
	Foreseen int32
	// Condition is what will not hold, in words.
	Condition string
	// Provider is the action that should have provided it; nil where the plan has
	// none.
	Provider *PlannedAction
	// Irreversible are the actions to come that nothing undoes: those that stand
	// between now and the failure, and later ones with the objects of the threat.
	Irreversible []PlannedAction
	// Repair is the edit of what is left of the plan that would avert it, "" where no
	// single edit does.
	Repair string
	// PlanFault is the class of planning failures that Repair is for, "" where Repair or
	// the class of the threat tells none.
	PlanFault string
	// Due is the action that belongs where the planned one of that index stands, by Repair;
	// nil where that changes none, or puts none in its place.
	Due *PlannedAction
	// FollowsFrom is the failure that has happened already and that it follows from.
	FollowsFrom *Cause
	// Assumed is true where nothing that was seen tells of it: it follows from the
	// plan and the usual scene.
	Assumed bool
	// Usual is true where it rests on how things usually are, which nobody has looked at.
	Usual bool
	// Doubtful is true where the robot's sensors err and the threat rests on what only
	// one look has shown.
	Doubtful bool
	// Unseen is true where it rests on a name for a group of things of which none has
	// been seen yet: it may turn out what the name means.
	Unseen bool
	// PlannedCause and PlannedWindow are Cause and Window as 1-based indexes in the
	// plan, 0 for what has happened and one past the last for what belongs at its end.
	PlannedCause  int
	PlannedWindow [2]int
	// PlannedThen are the indexes in the plan of the consequences.
	PlannedThen []int
}

// PlannedAction is an action of the episode, done or to come.
type PlannedAction struct {
	Step    int32
	Planned int // 1-based index in the plan, 0 where it is not in it
	Text    string
}

// Cause is a failure that has happened.
type Cause struct {
	Type    string
	Step    int32
	Planned int // index in the plan of the action at which it showed, 0 for none
}

// Threats explains the conclusions of the rules on an episode as it would go on:
// what is still to come among its failures, in order of time. The error tells
// of nothing; x must be the index of a.
func Threats(a *projection.Projection, x *fact.Index, conclusions []inference.Conclusion) []Threat {
	l := &lookout{projection: a, index: x, onto: a.Objects.Onto, now: now(a)}
	findings := diagnosis.Findings(x, conclusions)
	for i := 0; i < len(findings) && !a.Interrupt.Raised(); i++ {
		l.take(&findings[i])
	}
	if len(l.threats) == 0 {
		l.missGoal(findings)
	}
	for i := 0; i < len(l.threats) && !a.Interrupt.Raised(); i++ {
		l.explain(&l.threats[i])
	}
	slices.SortStableFunc(l.threats, func(a, b Threat) int { return int(a.Step - b.Step) })
	return l.threats
}

// now is the last step that has happened.
func now(a *projection.Projection) int32 {
	if a.Happened == 0 {
		return 0
	}
	return a.Events[a.Happened-1].Step
}

type lookout struct {
	projection *projection.Projection
	index      *fact.Index
	onto       *ontology.Ontology
	now        int32
	threats    []Threat
}

// take keeps a finding that is still to come, and what is still to come of one
// that has happened.
func (l *lookout) take(f *diagnosis.Finding) {
	if f.Step > l.now {
		if l.vague(f) || slices.ContainsFunc(l.threats, func(t Threat) bool {
			return t.Type == f.Type && t.Step == f.Step && slices.Equal(t.Objects, f.Objects)
		}) {
			return
		}
		t := Threat{Finding: *f}
		t.Explanation = diagnosis.ExplainForeseen(l.index, f)
		l.threats = append(l.threats, t)
		return
	}
	var coming []diagnosis.Consequence
	for _, c := range f.Consequences {
		if c.Step > l.now {
			coming = append(coming, c)
		}
	}
	if len(coming) == 0 {
		return
	}
	t := following(f)
	c := coming[0]
	t.Type, t.Step, t.Objects, t.Explanation, t.Consequences = c.Type, c.Step, c.Objects, c.Explanation, coming[1:]
	if l.onto.IsPlanFault(l.onto.Term(c.Type)) { // the plan fails for what has happened
		t.Type, t.Explanation = l.missed(), l.unreached()
	}
	if e := l.projection.Event(c.Step); e != nil {
		t.Planned = e.Planned
		if e.Outcome >= belief.Refused && len(e.Unmet) > 0 && !l.onto.IsSafety(l.onto.Term(c.Type)) {
			t.Explanation = l.refusal(e)
		}
	}
	l.threats = append(l.threats, t)
}

// vague reports that a finding says of an action to come that it does not come about
// though nothing stands against it: the goal is missed for another reason.
func (l *lookout) vague(f *diagnosis.Finding) bool {
	e := l.projection.Event(f.Step)
	return f.Type == l.onto.Name(l.onto.Roles.FailedAction) && e != nil && e.Outcome < belief.Refused
}

// following is a threat that follows from a finding.
func following(f *diagnosis.Finding) Threat {
	t := Threat{FollowsFrom: &Cause{f.Type, f.Step, f.Planned}}
	t.Cause, t.Window, t.Clause, t.Strategies, t.Evidence = f.Cause, f.Window, f.Clause, f.Strategies, f.Evidence
	return t
}

// missGoal adds the threat that the goal will be missed although every action to
// come can be carried out: what has gone wrong is not made good by any.
func (l *lookout) missGoal(findings []diagnosis.Finding) {
	a := l.projection
	if got, _ := a.GoalTruth(a.Final); got > state.AssumedFalse || len(a.Events) == a.Happened {
		return
	}
	i := slices.IndexFunc(findings, func(f diagnosis.Finding) bool { return f.Step <= l.now })
	if i < 0 {
		return
	}
	t := following(&findings[i])
	t.Type, t.Step, t.Objects, t.Planned = l.missed(), a.Last(), findings[i].Objects, len(a.Episode.Plan)
	t.Explanation = l.unreached()
	l.threats = append(l.threats, t)
}

// missed is the class of plans that do not reach their goal, which those are that one
// more action at the end would repair; where the ontology has none, of what is missed.
func (l *lookout) missed() string {
	if class := l.onto.PlanFault(string(planfault.Append)); class != ontology.None {
		return l.onto.Name(class)
	}
	return l.onto.Name(l.onto.Roles.FailedAction)
}

func (l *lookout) unreached() string { return "The goal will not be reached: " + l.lacking() + "." }

// lacking words the goal conditions that will not hold at the end.
func (l *lookout) lacking() string {
	out := l.projection.UnmetGoalTexts(l.projection.Final)
	if len(out) == 0 {
		return "the goal asks for something of each thing of a kind that one of them lacks"
	}
	return "the goal lacks " + strings.Join(out, ", ")
}

func (l *lookout) explain(t *Threat) {
	t.Foreseen = l.now
	l.wordConsequences(t)
	fluents, should, is := l.condition(t)
	t.Provider = l.provider(fluents, should, is)
	t.Assumed = l.assumed(fluents)
	t.Usual = slices.ContainsFunc(astray(fluents, should, is), func(f state.Fluent) bool { return l.projection.Present.Get(f).Status == state.Assumed })
	t.Doubtful = l.isPassing(t) || l.projection.Episode.Noise > 0 && l.doubtful(fluents)
	t.Unseen = l.unseen(t)
	t.Irreversible = l.irreversible(t)
	if m, ok := l.repair(t); ok && l.suits(t, m) {
		t.Repair, t.Due = repairText(l.projection, m), l.due(&m)
		if !l.onto.IsPlanFault(l.onto.Term(t.Type)) && t.FollowsFrom == nil {
			t.PlanFault = l.onto.Name(l.onto.PlanFault(string(m.Edit.Kind)))
		}
	}
	t.PlannedCause = l.planned(t.Cause)
	t.PlannedWindow = [2]int{l.planned(t.Window[0]), l.planned(t.Window[1])}
}

// suits reports whether an edit is one for a threat: where the scene is not as the
// plan needs it, another object, no action at all or another plan does not make it so.
func (l *lookout) suits(t *Threat, m planfault.Repair) bool {
	return !l.onto.IsEnvironmental(l.onto.Term(t.Type)) || m.Edit.Kind != planfault.Replace && m.Edit.Kind != planfault.Delete && len(m.Others) == 0
}

// wordConsequences words what follows as something to come, each once.
func (l *lookout) wordConsequences(t *Threat) {
	var out []diagnosis.Consequence
	for _, c := range t.Consequences {
		if e := l.projection.Event(c.Step); e != nil && e.Outcome >= belief.Refused && len(e.Unmet) > 0 && !l.onto.IsSafety(l.onto.Term(c.Type)) {
			c.Explanation = l.refusal(e)
		}
		if !slices.ContainsFunc(out, func(d diagnosis.Consequence) bool { return d.Step == c.Step && d.Explanation == c.Explanation }) {
			out = append(out, c)
		}
	}
	t.Consequences, t.PlannedThen = out, nil
	for _, c := range out {
		t.PlannedThen = append(t.PlannedThen, l.planned(c.Step))
	}
}

// refusal words that an action will not come about.
func (l *lookout) refusal(e *belief.Event) string {
	return fmt.Sprintf("%s will not come about: %s.", l.projection.Objects.CallText(e.Call), e.Unmet[0].Comment)
}

// repair finds the edit that averts a threat: the one behind it, else one for the
// action at which it shows, else one by which the goal is reached.
func (l *lookout) repair(t *Threat) (planfault.Repair, bool) {
	for _, fits := range []func(planfault.Repair) bool{
		func(m planfault.Repair) bool {
			return m.At == t.Cause && (m.Step == t.Step || m.Step > l.projection.Last() && t.Step == l.projection.Last())
		},
		func(m planfault.Repair) bool { return m.Step == t.Step },
		func(m planfault.Repair) bool { return m.Step > l.projection.Last() },
	} {
		if i := slices.IndexFunc(l.index.Repairs, fits); i >= 0 {
			return l.index.Repairs[i], true
		}
	}
	return planfault.Repair{}, false
}

// planned is the index in the plan of a step to come.
func (l *lookout) planned(step int32) int {
	switch e := l.projection.Event(step); {
	case step <= l.now:
		return 0
	case e != nil:
		return e.Planned
	}
	return len(l.projection.Episode.Plan) + 1
}

// condition words what will not hold, and lists the fluents it rests on with the
// states that should and will be.
func (l *lookout) condition(t *Threat) (fluents []state.Fluent, should, is *state.State) {
	a := l.projection
	i := slices.IndexFunc(a.Events, func(e belief.Event) bool { return e.Step == t.Step })
	if i >= a.Happened {
		e := &a.Events[i]
		should, is = a.ExpectedBefore[i-a.Happened], a.BelievedBefore[i-a.Happened]
		if e.Outcome >= belief.Refused && len(e.Unmet) > 0 && !l.onto.IsSafety(l.onto.Term(t.Type)) {
			t.Condition = e.Unmet[0].Comment
			return append(slices.Clone(e.Unmet[0].Touched), l.support(e, e.Unmet[0].Name, should)...), should, is
		}
		if len(e.Violated) > 0 {
			t.Condition = e.Violated[0].Comment
			return e.Violated[0].Touched, should, is
		}
	}
	if got, _ := a.GoalTruth(a.Final); got <= state.AssumedFalse {
		t.Condition = l.lacking()
		_, upheld := a.GoalTruth(a.Expected)
		return upheld, a.Expected, a.Final
	}
	return nil, nil, nil
}

func (l *lookout) support(e *belief.Event, name string, s *state.State) []state.Fluent {
	var out []state.Fluent
	for i := range e.Call.Schema.Preconditions {
		if c := &e.Call.Schema.Preconditions[i]; c.Name == name {
			out = append(out, s.Judge(e.Call).SupportOf(c)...)
		}
	}
	return out
}

// provider is the action that gives one of the fluents the value that it should
// have and will not have.
func (l *lookout) provider(fluents []state.Fluent, should, is *state.State) *PlannedAction {
	for _, f := range fluents {
		want := should.Get(f)
		if want.Status != state.Predicted || want.Same(is.Get(f)) {
			continue
		}
		if e := l.projection.Event(want.Since); e != nil {
			out := l.action(e)
			return &out
		}
	}
	return nil
}

// astray leaves of fluents those that will not be as they should be; all where the
// plan would fail even if nothing had gone wrong.
func astray(fluents []state.Fluent, should, is *state.State) []state.Fluent {
	var out []state.Fluent
	for _, f := range fluents {
		if !should.Get(f).Same(is.Get(f)) {
			out = append(out, f)
		}
	}
	if len(out) == 0 {
		return fluents
	}
	return out
}

// assumed reports that none of the fluents a threat rests on was observed.
func (l *lookout) assumed(fluents []state.Fluent) bool {
	return !slices.ContainsFunc(fluents, func(f state.Fluent) bool { return l.projection.Present.Get(f).Status >= state.Predicted })
}

// doubtful reports that what a threat rests on was seen once only, by sensors that err.
func (l *lookout) doubtful(fluents []state.Fluent) bool {
	return slices.ContainsFunc(fluents, func(f state.Fluent) bool {
		v := l.projection.Present.Get(f)
		return l.missedOnce(f) || v.Status == state.Observed && !l.projection.Objects.IsA(v.At, l.onto.Core.RobotGripper) && l.looks(f, v) < 2
	})
}

// isPassing reports that it is not clear which object is meant because of one that was
// seen once only.
func (l *lookout) isPassing(t *Threat) bool {
	e := l.projection.Event(t.Step)
	if e == nil || !e.Ambiguous || e.Unclear == state.Nothing {
		return false
	}
	twice := 0
	for _, x := range l.projection.Objects.OfClass(l.projection.Objects.Class(e.Unclear)) {
		if l.sightings(x) > 1 {
			twice++
		}
	}
	return twice < 2
}

// missedOnce reports that a thing is not seen in the last look at everything.
func (l *lookout) missedOnce(f state.Fluent) bool {
	now := l.projection.Present
	return f.Slot == state.PlaceSlot && now.Gone(f.Obj) && now.Get(f).Since == l.now
}

// unseen reports that an action names something by a group of which nothing was seen.
func (l *lookout) unseen(t *Threat) bool {
	e := l.projection.Event(t.Step)
	if e == nil || !e.Vague || e.Unclear == state.Nothing {
		return false
	}
	class := l.projection.Objects.Class(e.Unclear)
	return !slices.ContainsFunc(l.projection.Objects.OfClass(class), func(x state.Object) bool { return l.projection.Seen[x] })
}

// looks counts the observations that showed a fluent with a value.
func (l *lookout) looks(f state.Fluent, v state.Value) int {
	n := 0
	if v.Since == 0 {
		n = 1 // the first scene
	}
	for i := range l.projection.Events[:l.projection.Happened] {
		e := &l.projection.Events[i]
		if slices.Contains(e.States, grounding.SeenState{Obj: f.Obj, State: v.Term}) ||
			f.Slot == state.PlaceSlot && slices.ContainsFunc(e.Edges, func(g state.Edge) bool { return g.Subject == f.Obj && g.Object == v.At }) {
			n++
		}
	}
	return n
}

func (l *lookout) sightings(x state.Object) int {
	n := 0
	for i := range l.projection.Events[:l.projection.Happened] {
		if slices.Contains(l.projection.Events[i].Seen, x) {
			n++
		}
	}
	return n
}

func (l *lookout) action(e *belief.Event) PlannedAction {
	return PlannedAction{e.Step, e.Planned, l.projection.Objects.CallText(e.Call)}
}

// irreversible lists the actions to come that nothing undoes and that stand
// before the failure, or use what it is about.
func (l *lookout) irreversible(t *Threat) []PlannedAction {
	var out []PlannedAction
	for i := l.projection.Happened; i < len(l.projection.Events); i++ {
		e := &l.projection.Events[i]
		if e.Call.Schema.Irreversible && e.Outcome < belief.Refused && (e.Step <= t.Step || l.uses(e, t)) {
			out = append(out, l.action(e))
		}
	}
	return out
}

// uses reports whether an action is about an object of a threat, or what it is
// a piece of.
func (l *lookout) uses(e *belief.Event, t *Threat) bool {
	for _, name := range t.Objects {
		x, ok := l.projection.Objects.Lookup(name)
		for ok && x != state.Nothing {
			if x == e.Call.Target || x == e.Call.Destination {
				return true
			}
			x = l.projection.Objects.Items[x].Origin
		}
	}
	return false
}

// repairText words the edits that avert a threat.
func repairText(a *projection.Projection, m planfault.Repair) string {
	out := editText(a, m)
	for _, other := range m.Others {
		out += ", " + editText(a, other)
	}
	return out
}

func editText(a *projection.Projection, m planfault.Repair) string {
	at := func(step int32) string {
		if e := a.Event(step); e != nil {
			return fmt.Sprintf("%s (action %d)", a.Objects.CallText(e.Call), e.Planned)
		}
		return "the end"
	}
	switch m.Edit.Kind {
	case planfault.Delete:
		return "leave out " + at(m.At)
	case planfault.Move:
		if m.Before != "" {
			return "do " + m.Text + " before " + m.Before
		}
		return "do " + m.Text + " at the end"
	case planfault.Replace:
		switch {
		case m.Edit.Swap:
			return fmt.Sprintf("use %s in place of %s from %s on, and the other way round", a.Objects.Name(m.Edit.New), a.Objects.Name(m.Edit.Old), at(m.At))
		case m.Edit.Throughout:
			return fmt.Sprintf("use %s in place of %s from %s on", a.Objects.Name(m.Edit.New), a.Objects.Name(m.Edit.Old), at(m.At))
		}
		return fmt.Sprintf("do %s in place of %s", m.Text, at(m.At))
	case planfault.Exchange:
		return fmt.Sprintf("do %s in place of %s", m.Text, at(m.At))
	case planfault.Append:
		return "add " + m.Text + " at the end"
	}
	return "add " + m.Text + " before " + at(m.At)
}
