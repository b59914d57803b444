package engine

import (
	"context"
	"slices"

	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/engine/internal/belief"
	"github.com/mishap-robotics/mishap/engine/internal/diagnosis"
	"github.com/mishap-robotics/mishap/engine/internal/fact"
	"github.com/mishap-robotics/mishap/engine/internal/foresight"
	"github.com/mishap-robotics/mishap/engine/internal/inference"
	"github.com/mishap-robotics/mishap/engine/internal/planner"
	"github.com/mishap-robotics/mishap/engine/internal/recovery"
	"github.com/mishap-robotics/mishap/engine/internal/state"
	"github.com/mishap-robotics/mishap/ontology"
)

// Planner turns what a monitor believes into plans. The zero value uses all
// that it has.
type Planner struct {
	recovery.Options
	// WithoutRules leaves out that the rules judge a plan before it is verified.
	WithoutRules bool
	// Adviser is asked for a plan as well; nil for nobody.
	Adviser Adviser
	// OnlyStuck asks it only where no verified plan was found without it.
	OnlyStuck bool
	// Revisions is how often it may mend a plan that is refused; DefaultRevisions where
	// 0, never where less.
	Revisions int
}

// Trace is what the monitor knows of the episode so far.
func (m *Monitor) Trace() *belief.Trace { return m.tracker.Trace() }

// Rest are the actions left of the plan, from the one that failed on.
func (m *Monitor) Rest() []episode.Action {
	plan := m.ep.Plan
	from := m.tracker.Done()
	if e := m.failedEvent(); e != nil && e.Planned > 0 && e.Planned == from {
		from--
	}
	return plan[min(from, len(plan)):]
}

// failedEvent is the last event where it is of an action that failed and that no plan
// has been made for since.
func (m *Monitor) failedEvent() *belief.Event {
	e := m.lastEvent()
	if e == nil || e.Outcome < belief.Refused || len(m.tracker.Trace().Events) == m.replanned {
		return nil
	}
	return e
}

func (m *Monitor) lastEvent() *belief.Event {
	if t := m.tracker.Trace(); len(t.Events) > 0 {
		return &t.Events[len(t.Events)-1]
	}
	return nil
}

// Replan puts other actions in the place of those left of the plan.
func (m *Monitor) Replan(rest []episode.Action) {
	m.tracker.Replan(rest)
	m.replanned = len(m.tracker.Trace().Events)
	m.prospect, m.ahead = prospect{}, nil
}

// Recover proposes how to go on from what is believed now: from a finding, from a
// threat, or, where both are nil, to what the goal lacks. Where the planner has an
// adviser the proposal is never worse than without one.
func (m *Monitor) Recover(ctx context.Context, p Planner, found *diagnosis.Finding, threat *foresight.Threat) *recovery.Proposal {
	c := concern{m, p, found, threat}
	ours := recovery.Recover(ctx, c.problem(m.Rest(), planner.FromPlan), p.Options)
	if p.Adviser == nil || !asks(p, ours) {
		return ours
	}
	return c.advised(ctx, ours)
}

// concern is what a monitor is asked to recover from, and how.
type concern struct {
	*Monitor
	planner Planner
	found   *diagnosis.Finding
	threat  *foresight.Threat
}

// problem is that of going on from what is believed now with the rest of a plan.
func (c *concern) problem(rest []episode.Action, from planner.Origin) *recovery.Problem {
	m := c.Monitor
	a := m.tracker.ProjectWith(rest)
	problem := &recovery.Problem{Trace: a.Trace, State: a.Present, Anywhere: m.ep.Exact}
	for i := a.Happened; i < len(a.Events); i++ {
		far := slices.ContainsFunc(a.Events[i].Unmet, func(u belief.Unmet) bool { return u.Reach })
		problem.Rest = append(problem.Rest, planner.Step{Call: a.Events[i].Call, From: planner.FromPlan, Far: far})
	}
	if from == planner.FromAdvice {
		c.attribute(problem.Rest, rest)
	}
	if e := m.failedEvent(); e != nil && len(rest) > 0 {
		problem.Away = e.Away
	}
	problem.Displaced = displaced(m.tracker.Trace())
	m.suppose(a, problem, c.found)
	problem.Failure = m.failure(a, c.found, c.threat)
	if !c.planner.WithoutRules {
		problem.Judge = func(ctx context.Context, plan []episode.Action) ([]recovery.RuleFault, error) {
			// What is left in the end shows when it looks once more.
			return m.reasoner.judge(ctx, m.tracker.ProjectWith(append(slices.Clip(plan), episode.Action{Name: "observe"})), a)
		}
	}
	return problem
}

// attribute notes which actions of an adviser's plan are its own: the others are left
// of the plan, and the robot is where that had it.
func (c *concern) attribute(steps []planner.Step, plan []episode.Action) {
	matches := belief.Align(c.reasoner.Ontology, plan, c.Rest())
	for i := range steps {
		if i >= len(matches) || matches[i] == 0 {
			steps[i].From, steps[i].Far = planner.FromAdvice, false
		}
	}
}

// displaced lists the objects that are elsewhere than they should be had every action
// succeeded.
func displaced(t *belief.Trace) []state.Object {
	if t.Final == nil || t.Expected == nil {
		return nil
	}
	var out []state.Object
	for x := range state.Object(len(t.Objects.Items)) {
		is, should := t.Final.Place(x), t.Expected.Place(x)
		if should.Status != state.Unknown && !is.Same(should) {
			out = append(out, x)
		}
	}
	return out
}

// Failing reports whether the last action failed, and no plan was made since.
func (m *Monitor) Failing() bool { return m.failedEvent() != nil }

// Reached reports whether the goal holds, as far as is believed.
func (m *Monitor) Reached() bool {
	t := m.tracker.Trace()
	if t.Final == nil {
		return false
	}
	got, _ := t.GoalTruth(t.Final)
	return got >= state.AssumedTrue
}

// Done lists the actions that came about so far and change something.
func (m *Monitor) Done() []episode.Action {
	t := m.tracker.Trace()
	var out []episode.Action
	for _, c := range recovery.Done(t) {
		out = append(out, episode.Action{Name: c.Schema.Name, Target: t.Objects.Name(c.Target), Destination: t.Objects.Name(c.Destination)})
	}
	return out
}

// Undo lists what undoes the actions done so far but for the first few, as far as
// that can be.
func (m *Monitor) Undo(ctx context.Context, keep int) []episode.Action {
	a := m.tracker.ProjectWith(nil)
	return recovery.Undoing(ctx, &recovery.Problem{Trace: a.Trace, State: a.Present, Anywhere: m.ep.Exact}, keep)
}

// failure is what a finding or threat asks to be recovered from; without either, the
// action that failed.
func (m *Monitor) failure(a *belief.Projection, found *diagnosis.Finding, threat *foresight.Threat) *recovery.Failure {
	var f recovery.Failure
	if e := m.failedEvent(); e != nil {
		c := e.Call
		f.Failed = &c
	}
	switch {
	case found != nil:
		f.Class, f.Step, f.Explanation = found.Type, found.Step, found.Explanation
		f.Objects, f.Strategies = objectsNamed(a.Objects, found.Objects), strategies(a, found.Strategies)
		f.Undo = m.violated(a, found)
	case threat != nil:
		f.Class, f.Step, f.Explanation = threat.Type, threat.Step, threat.Explanation
		f.Objects, f.Strategies = objectsNamed(a.Objects, threat.Objects), strategies(a, threat.Strategies)
		f.Failed, f.Foreseen = nil, true
		if threat.Planned > m.tracker.Done() {
			f.Ahead = threat.Planned - m.tracker.Done() - 1
		}
	case f.Failed == nil:
		return nil
	}
	return &f
}

// violated is what a violation of a preference or of safety left behind: the
// content of what was filled, what was put where it must not be.
func (m *Monitor) violated(a *belief.Projection, f *diagnosis.Finding) []recovery.Reversal {
	onto := m.reasoner.Ontology
	class, _ := onto.Lookup(f.Type)
	constraint := false
	for _, name := range []string{"PreferenceViolationFailure", "SafetyFailure"} {
		c, _ := onto.Lookup(name)
		constraint = constraint || onto.IsA(class, c)
	}
	e := a.Event(f.Step)
	if !constraint || e == nil {
		return nil
	}
	var out []recovery.Reversal
	keep := func(x state.Object, slot int32) {
		now := a.Present.Get(state.Fluent{Obj: x, Slot: slot})
		if was := a.At(state.Fluent{Obj: x, Slot: slot}, e.Before); now.Status > state.Assumed && !now.Same(was) {
			out = append(out, recovery.Reversal{Fluent: state.Fluent{Obj: x, Slot: slot}, Value: now})
		}
	}
	x := e.Call.Destination
	about := slices.Contains(f.Objects, a.Objects.Name(e.Call.Target)) || x != state.Nothing && slices.Contains(f.Objects, a.Objects.Name(x))
	if x != state.Nothing && !about {
		return nil // it only shows there
	}
	if x != state.Nothing && a.Present.Place(e.Call.Target).At == x {
		keep(e.Call.Target, state.PlaceSlot)
		return out
	}
	if x == state.Nothing && len(f.Objects) > 0 {
		x, _ = a.Objects.Lookup(f.Objects[0])
	}
	if x != state.Nothing {
		for slot := int32(1); slot < a.Present.Slots(); slot++ {
			keep(x, slot)
		}
	}
	return out
}

func objectsNamed(objects *state.Objects, names []string) []state.Object {
	var out []state.Object
	for _, name := range names {
		x, ok := objects.Lookup(name)
		if !ok {
			x = state.Nothing
		}
		out = append(out, x)
	}
	return out
}

// strategies reads the actions of strategies on the objects of an episode. A class
// name means the object of the class that there is.
func strategies(a *belief.Projection, list []diagnosis.Strategy) []recovery.GroundedStrategy {
	var out []recovery.GroundedStrategy
	for _, s := range list {
		r := recovery.GroundedStrategy{Name: s.Name, Description: s.Description, AsksHuman: s.AsksHuman, Incomplete: len(s.Actions) == 0}
		for _, text := range s.Actions {
			c, ok := callOf(a, text)
			if !ok {
				r.Incomplete = true
				break
			}
			r.Steps = append(r.Steps, c)
		}
		out = append(out, r)
	}
	return out
}

func callOf(a *belief.Projection, text string) (state.Call, bool) {
	onto := a.Objects.Onto
	action, err := episode.ParseAction(onto, text)
	if err != nil {
		return state.Call{}, false
	}
	c := state.Call{Agent: a.Robot, Gripper: a.Gripper, Target: state.Nothing, Destination: state.Nothing}
	c.Schema, _ = onto.Action(action.Name)
	for _, arg := range []struct {
		name string
		to   *state.Object
	}{{action.Target, &c.Target}, {action.Destination, &c.Destination}} {
		if arg.name == "" {
			continue
		}
		x, ok := a.Objects.Lookup(arg.name)
		if !ok {
			class, known := onto.Lookup(arg.name)
			if x, ok = existing(a, class); !ok || !known {
				return state.Call{}, false
			}
		}
		*arg.to = x
	}
	return c, true
}

// existing is the first object of a class that there is.
func existing(a *belief.Projection, class ontology.TermID) (state.Object, bool) {
	for _, x := range a.Objects.OfClass(class) {
		if !a.Present.Gone(x) {
			return x, true
		}
	}
	return state.Nothing, false
}

// judge applies the rules to what would come of a plan: an action that comes about
// and is a failure all the same, or what is left in the end, violates a constraint.
// What they conclude of the plan itself is left to its execution in the action model.
func (r *Reasoner) judge(ctx context.Context, a, now *belief.Projection) ([]recovery.RuleFault, error) {
	x := fact.BuildProjection(a)
	ctx, cancel := r.bounded(ctx)
	defer cancel()
	planning, _ := r.Ontology.Lookup("PlanningFailure")
	p := r.Prover(x)
	p.Open()
	defer p.Close()
	var all []inference.Conclusion
	for _, c := range p.Program.FailureRules() {
		for i := a.Happened; i < len(a.Events); i++ {
			if a.Events[i].Outcome >= belief.Refused {
				continue // whether it can be done is judged by the action model
			}
			err := p.Prove(ctx, c, a.Events[i].Step, func(con inference.Conclusion) bool {
				if class, _ := r.Ontology.Lookup(con.Class); !r.Ontology.IsA(class, planning) {
					all = append(all, con)
				}
				return true
			})
			if err != nil {
				return nil, err
			}
		}
	}
	if len(all) == 0 {
		return nil, nil
	}
	safety, _ := r.Ontology.Lookup("SafetyFailure")
	preference, _ := r.Ontology.Lookup("PreferenceViolationFailure")
	var out []recovery.RuleFault
	for _, f := range diagnosis.Findings(x, all) {
		at := slices.IndexFunc(a.Events[a.Happened:], func(e belief.Event) bool { return e.Step == f.Step })
		class, _ := r.Ontology.Lookup(f.Type)
		if at < 0 {
			continue
		}
		out = append(out, recovery.RuleFault{Index: at, Constraint: r.Ontology.IsA(class, safety) || r.Ontology.IsA(class, preference), Class: f.Type, Explanation: diagnosis.ExplainForeseen(x, &f), Strategies: strategies(now, f.Strategies)})
	}
	return out, nil
}

// suppose takes what the plan or the goal is about, and whose place nobody knows, to
// be in something closed in which it was not looked for in vain: in what the plan
// opens before it takes it, else where such things usually are. What the failure is
// about comes first.
func (m *Monitor) suppose(a *belief.Projection, p *recovery.Problem, found *diagnosis.Finding) {
	onto, s := a.Objects.Onto, a.Present
	closed, _ := onto.Lookup("closed")
	pickupable, _ := onto.Lookup("pickupable")
	slot := s.SlotOf(closed)
	var shut []state.Object
	for x := range state.Object(len(a.Objects.Items)) {
		if v := s.Get(state.Fluent{Obj: x, Slot: slot}); v.Status > state.Unknown && v.Term == closed && !s.Gone(x) && !a.Objects.HasProperty(x, pickupable) {
			shut = append(shut, x)
		}
	}
	for _, x := range m.needed(a) {
		if s.Gone(x) || s.Place(x).Status != state.Unknown || !a.Objects.HasProperty(x, pickupable) {
			continue
		}
		last, seen := lastPlace(a, x)
		if seen && !slices.Contains(shut, last) {
			continue // it lay in the open: it is found where the robot goes for it
		}
		best, rank := state.Nothing, 1<<20
		for _, c := range shut {
			if seen && c != last || m.lookedInVain(a, x, c) {
				continue
			}
			r := hidingRank(a, p.Rest, x, c)
			if found != nil && slices.Contains(found.Objects, a.Objects.Name(c)) {
				r = -1 // it is what the failure is about
			}
			if !seen && r >= planHints && m.serves(a, x, c) {
				continue // that the goal holds is not to be supposed
			}
			if r < rank {
				best, rank = c, r
			}
		}
		if best != state.Nothing {
			s.SetPlace(x, onto.Core.Inside, best, state.Assumed, 0)
			p.Supposed = append(p.Supposed, x)
		}
	}
}

// serves reports whether the goal asks for an object to be in a container.
func (m *Monitor) serves(a *belief.Projection, x, container state.Object) bool {
	core := &a.Objects.Onto.Core
	means := func(arg ontology.Arg, o state.Object) bool {
		if !arg.IsVar() {
			return a.Objects.IsA(o, arg.Term)
		}
		if arg.Var < len(a.Bound) && a.Bound[arg.Var] != state.Unbound {
			return a.Bound[arg.Var] == state.ObjectRef(o)
		}
		return !slices.ContainsFunc(a.Goal.Patterns, func(p ontology.Pattern) bool {
			return p.Predicate == core.Type && p.Subject.IsVar() && p.Subject.Var == arg.Var && !a.Objects.IsA(o, p.Object.Term)
		})
	}
	return slices.ContainsFunc(a.Goal.Patterns, func(p ontology.Pattern) bool {
		return a.Objects.Onto.IsSub(p.Predicate, core.Within) && means(p.Subject, x) && means(p.Object, container)
	})
}

// lastPlace is where an object was last seen, or believed, to be; seen is false where
// nobody ever knew.
func lastPlace(a *belief.Projection, x state.Object) (at state.Object, seen bool) {
	for _, c := range slices.Backward(a.History.Of(state.Fluent{Obj: x, Slot: state.PlaceSlot})) {
		if c.Value.Status > state.Assumed && c.Value.At != state.Nothing && c.Step <= lastStep(a) {
			return c.Value.At, true
		}
	}
	return state.Nothing, false
}

// lastStep is the last step that has happened.
func lastStep(a *belief.Projection) int32 {
	if a.Happened == 0 {
		return 0
	}
	return a.Events[a.Happened-1].Step
}

// needed are the objects that what is left of the plan, or the goal, is about.
func (m *Monitor) needed(a *belief.Projection) []state.Object {
	var out []state.Object
	add := func(x state.Object) {
		if x == state.Nothing || slices.Contains(out, x) {
			return
		}
		out = append(out, x)
		if whole := a.Objects.Items[x].Origin; whole != state.Nothing && !slices.Contains(out, whole) {
			out = append(out, whole)
		}
	}
	for i := a.Happened; i < len(a.Events); i++ {
		add(a.Events[i].Call.Target)
		add(a.Events[i].Call.Destination)
	}
	for _, p := range a.Goal.Patterns {
		if p.Predicate == a.Objects.Onto.Core.Type {
			for _, x := range a.Objects.OfClass(p.Object.Term) {
				add(x)
			}
		}
	}
	for _, b := range a.Bound {
		add(b.Object())
	}
	return out
}

// lookedInVain reports whether a container was seen open and an object not, since
// the object was last seen.
func (m *Monitor) lookedInVain(a *belief.Projection, x, container state.Object) bool {
	open := a.Objects.Onto.Opposite(a.Present.Get(state.Fluent{Obj: container, Slot: openSlot(a)}).Term)
	for i := a.Happened - 1; i >= 0; i-- {
		e := &a.Events[i]
		if slices.Contains(e.Seen, x) {
			return false
		}
		if slices.Contains(e.Seen, container) && a.At(state.Fluent{Obj: container, Slot: openSlot(a)}, e.Step).Term == open {
			return true
		}
	}
	return a.Start != nil && a.Start.Get(state.Fluent{Obj: container, Slot: openSlot(a)}).Term == open
}

func openSlot(a *belief.Projection) int32 {
	closed, _ := a.Objects.Onto.Lookup("closed")
	return a.Present.SlotOf(closed)
}

// planHints is the rank from which on what is left of the plan does not tell that an
// object is in a container.
const planHints = 100

// hidingRank orders the containers that an object may be in.
func hidingRank(a *belief.Projection, rest []planner.Step, x, container state.Object) int {
	onto := a.Objects.Onto
	takes := -1
	for i, st := range rest {
		if st.Call.Target == x {
			takes = i
			break
		}
	}
	for i := takes - 1; i >= 0; i-- {
		if c := rest[i].Call; c.Target == container && slices.ContainsFunc(c.Schema.Effects, func(e ontology.Effect) bool {
			return slices.ContainsFunc(e.Then, func(p ontology.Pattern) bool { return p.Predicate == onto.Core.State })
		}) {
			return takes - i
		}
	}
	for i, e := range slices.Backward(a.Events[:a.Happened]) {
		if e.Call.Target == container && e.Call.Schema != nil && !onto.IsNavigation(e.Call.Schema) {
			return planHints + a.Happened - i
		}
	}
	for i, class := range onto.Values(a.Objects.Class(x), "usualPlace") {
		if a.Objects.IsA(container, class) {
			return 200 + i
		}
	}
	return 1000 + int(container)
}
