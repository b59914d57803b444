package engine

import (
	"context"
	"slices"

	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/engine/internal/alignment"
	"github.com/mishap-robotics/mishap/engine/internal/belief"
	"github.com/mishap-robotics/mishap/engine/internal/diagnosis"
	"github.com/mishap-robotics/mishap/engine/internal/fact"
	"github.com/mishap-robotics/mishap/engine/internal/grounding"
	"github.com/mishap-robotics/mishap/engine/internal/inference"
	"github.com/mishap-robotics/mishap/engine/internal/planner"
	"github.com/mishap-robotics/mishap/engine/internal/projection"
	"github.com/mishap-robotics/mishap/engine/internal/recovery"
	"github.com/mishap-robotics/mishap/engine/internal/state"
	"github.com/mishap-robotics/mishap/engine/internal/whereabouts"
	"github.com/mishap-robotics/mishap/ontology"
)

// concern is what a monitor is asked to recover from, and how.
type concern struct {
	*Monitor
	planner Planner
	found   *Finding
	threat  *Threat
	who     grounding.Actor // who is to act, the robot where it is the zero value
	apart   bool            // it is to take nothing out of another gripper
}

// actor is who is to act.
func (c *concern) actor() grounding.Actor {
	if c.who == (grounding.Actor{}) {
		return c.tracker.Names().Actors()[0]
	}
	return c.who
}

// mostActors is how many robots and grippers a plan is sought for.
const mostActors = 6

// actors lists who may act, the one that it went wrong with first.
func (c *concern) actors() []grounding.Actor {
	all := c.tracker.Names().Actors()
	if len(all) == 1 {
		return all
	}
	t := c.tracker.Trace()
	e := c.failedEvent()
	if c.found != nil {
		e = t.Event(c.found.Step)
	}
	if e != nil {
		if i := slices.IndexFunc(all, func(a grounding.Actor) bool { return a.Robot == e.Call.Agent && a.Gripper == e.Call.Gripper }); i > 0 {
			first := all[i]
			all = slices.Insert(slices.Delete(all, i, i+1), 0, first)
		}
	}
	return all[:min(len(all), mostActors)]
}

// problem is that of going on from what is believed now with the rest of a plan.
func (c *concern) problem(rest []episode.Action, from planner.Origin) *recovery.Problem {
	m := c.Monitor
	a := projection.ProjectAs(m.tracker, rest, c.actor())
	now := m.tracker.Trace() // what is left of the plan has not happened
	a.Clock, a.InTime, a.Late = now.Clock, now.InTime, now.Late
	problem := &recovery.Problem{Trace: a.Trace, State: a.Present, Anywhere: m.ep.Exact, Apart: c.apart}
	for i := a.Happened; i < len(a.Events); i++ {
		far := slices.ContainsFunc(a.Events[i].Unmet, func(u belief.Unmet) bool { return u.Reach })
		call := a.Events[i].Call
		if call.Agent != a.Robot { // another could do it: whether it is to is asked of it
			call.Agent, call.Gripper = a.Robot, a.Gripper
		}
		problem.Rest = append(problem.Rest, planner.Step{Call: call, From: planner.FromPlan, Far: far})
	}
	if from == planner.FromAdvice {
		c.attribute(problem.Rest, rest)
	}
	if e := m.failedEvent(); e != nil && len(rest) > 0 {
		problem.Away = e.Away
	}
	found := slices.Clone(m.findings)
	if c.found != nil && !slices.ContainsFunc(found, func(f Finding) bool { return f.Type == c.found.Type && f.Step == c.found.Step }) {
		found = append(slices.Clip(found), *c.found)
	}
	problem.Suspected = aftermathOf(a, found)
	problem.Displaced = displaced(m.tracker.Trace())
	var about []string
	if c.found != nil {
		about = c.found.Objects
	}
	problem.Assumed = whereabouts.Assume(a, about)
	if problem.Failure = m.failure(a, c.found, c.threat); problem.Failure != nil {
		problem.Failure.Strategies = c.planner.Experience.ordered(problem.Failure.Class, problem.Failure.Strategies)
	}
	if !c.planner.WithoutRules {
		problem.Judge = func(ctx context.Context, plan []episode.Action, agents []string) ([]recovery.RuleFault, error) {
			// What is left in the end shows when it looks once more.
			if look, ok := m.reasoner.look(); ok {
				plan = append(slices.Clip(plan), look)
			}
			to := projection.ProjectTeam(m.tracker, plan, agents, c.actor())
			faults, err := m.reasoner.judge(ctx, to, a)
			faults = append(faults, c.standing(found, to, a)...)
			for i := range faults {
				faults[i].Strategies = c.planner.Experience.ordered(faults[i].Class, faults[i].Strategies)
			}
			return faults, err
		}
	}
	return problem
}

// standing are the violations of preferences, other than what is recovered from, that have
// come about already and still stand once a plan is carried out: what somebody must not have
// is where it was put. One that merely follows from another stands by itself: an egg that was
// fried for somebody who must not have it, and lies on the plate now.
func (c *concern) standing(found []Finding, to, now *Projection) []recovery.RuleFault {
	var out []recovery.RuleFault
	for i := range found {
		f := &found[i]
		all := append([]Consequence{{Type: f.Type, Step: f.Step, Objects: f.Objects, Explanation: f.Explanation}}, f.Consequences...)
		for j := range all {
			v := &all[j]
			told := slices.ContainsFunc(out, func(o recovery.RuleFault) bool { return o.Explanation == v.Explanation })
			if told || c.found != nil && c.found.Type == v.Type && c.found.Step == v.Step || !c.stands(v, to) {
				continue
			}
			fault := recovery.RuleFault{Index: len(to.Events) - to.Happened, Constraint: true, Class: v.Type, Explanation: v.Explanation}
			if v.Type == f.Type && slices.Equal(v.Objects, f.Objects) {
				fault.Strategies = strategies(now, f.Strategies)
			}
			out = append(out, fault)
		}
	}
	return out
}

// stands reports whether a preference is still violated in the end as it was at a step.
func (c *concern) stands(v *Consequence, to *Projection) bool {
	onto := c.reasoner.Ontology
	class := onto.Term(v.Type)
	if !onto.IsConstraint(class) || onto.IsSafety(class) || len(v.Objects) == 0 {
		return false
	}
	x, ok := to.Objects.Lookup(v.Objects[0])
	if !ok || to.Final == nil || to.Final.Gone(x) {
		return false
	}
	was, is := to.At(state.Fluent{Obj: x, Slot: state.PlaceSlot}, v.Step), to.Final.Place(x)
	return is.Status != state.Unknown && is.Same(was)
}

// attribute notes which actions of an adviser's plan are its own: the others are left
// of the plan, and the robot is where that had it.
func (c *concern) attribute(steps []planner.Step, plan []episode.Action) {
	matches := alignment.Align(c.reasoner.Ontology, plan, c.rest())
	for i := range steps {
		if i >= len(matches) || matches[i] == 0 {
			steps[i].From, steps[i].Far = planner.FromAdvice, false
		}
	}
}

// displaced lists the objects that are elsewhere than they should be had every action
// succeeded.
func displaced(t *Trace) []Object {
	if t.Final == nil || t.Expected == nil {
		return nil
	}
	var out []Object
	for x := range state.Object(len(t.Objects.Items)) {
		is, should := t.Final.Place(x), t.Expected.Place(x)
		if should.Status != state.Unknown && !is.Same(should) || carriedOff(t, x, is) {
			out = append(out, x)
		}
	}
	return out
}

// carriedOff reports whether an object was last moved by something else than an action on it,
// or is elsewhere than at the start although the robot did nothing with it: whoever made the
// plan did not know.
func carriedOff(t *Trace, x Object, is state.Value) bool {
	if is.Status == state.Unknown {
		return false
	}
	if e := t.Event(is.Since); e != nil && is.Since > 0 && e.Call.Target != x && (e.Call.Target == state.Nothing || t.Objects.Items[x].Origin != e.Call.Target) {
		if was := t.At(state.Fluent{Obj: x, Slot: state.PlaceSlot}, e.Before); was.Status > state.Assumed && !is.Same(was) {
			return true
		}
	}
	if t.Start == nil {
		return false
	}
	was := t.Start.Place(x)
	return was.Status == state.Observed && !is.Same(was) && !slices.ContainsFunc(t.Events, func(e Event) bool {
		return e.Outcome < belief.Refused && e.Call.Target == x && e.Call.Schema != nil && len(e.Call.Schema.Effects) > 0
	})
}

// failure is what a finding or threat asks to be recovered from; without either, the
// action that failed.
func (m *Monitor) failure(a *Projection, found *Finding, threat *Threat) *recovery.Failure {
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
			f.Index = threat.Planned - m.tracker.Done() - 1
		}
	case f.Failed == nil:
		return nil
	}
	return &f
}

// violated is what a violation of a preference or of safety left behind: the
// content of what was filled, what was put where it must not be.
func (m *Monitor) violated(a *Projection, f *Finding) []recovery.Reversal {
	onto := m.reasoner.Ontology
	class, _ := onto.Lookup(f.Type)
	e := a.Event(f.Step)
	if !onto.IsConstraint(class) || e == nil {
		return nil
	}
	var out []recovery.Reversal
	keep := func(x Object, slot int32) {
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
		wrong := e.Call.Target
		if y, ok := a.Objects.Lookup(f.Objects[0]); ok && a.Present.Place(y).At == wrong {
			wrong = y // it is what lies in it that does not belong there
		}
		keep(wrong, state.PlaceSlot)
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

func objectsNamed(objects *Objects, names []string) []Object {
	var out []Object
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
func strategies(a *Projection, list []GroundedStrategy) []recovery.GroundedStrategy {
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

func callOf(a *Projection, text string) (Call, bool) {
	onto := a.Objects.Onto
	action, err := episode.ParseAction(onto, text)
	if err != nil {
		return Call{}, false
	}
	c := Call{Agent: a.Robot, Gripper: a.Gripper, Target: state.Nothing, Destination: state.Nothing}
	c.Schema, _ = onto.Action(action.Name)
	for _, arg := range []struct {
		name string
		to   *Object
	}{{action.Target, &c.Target}, {action.Destination, &c.Destination}} {
		if arg.name == "" {
			continue
		}
		x, ok := a.Objects.Lookup(arg.name)
		if !ok {
			class, known := onto.Lookup(arg.name)
			if x, ok = existing(a, class); !ok || !known {
				return Call{}, false
			}
		}
		*arg.to = x
	}
	return c, true
}

// existing is the first object of a class that there is.
func existing(a *Projection, class ontology.TermID) (Object, bool) {
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
func (r *Reasoner) judge(ctx context.Context, a, now *Projection) ([]recovery.RuleFault, error) {
	x := fact.BuildProjection(a)
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	ctx, cancel := r.bounded(ctx)
	defer cancel()
	p := r.Prover(x)
	p.Open()
	defer p.Close()
	var all []Conclusion
	for _, c := range p.Program.FailureRules() {
		for i := a.Happened; i < len(a.Events); i++ {
			if a.Events[i].Outcome >= belief.Refused {
				continue // whether it can be done is judged by the action model
			}
			err := p.Prove(ctx, c, a.Events[i].Step, func(con Conclusion) bool {
				if class, _ := r.Ontology.Lookup(con.Class); !r.Ontology.IsPlanFault(class) {
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
	var out []recovery.RuleFault
	var err error
	for _, f := range diagnosis.Findings(x, all) {
		at := slices.IndexFunc(a.Events[a.Happened:], func(e Event) bool { return e.Step == f.Step })
		class, _ := r.Ontology.Lookup(f.Type)
		if at < 0 {
			continue
		}
		fault := recovery.RuleFault{Index: at, Constraint: r.Ontology.IsConstraint(class), Class: f.Type, Explanation: diagnosis.ExplainForeseen(x, &f), Strategies: strategies(now, f.Strategies)}
		if fault.OfKind = fault.Constraint; fault.OfKind {
			if fault.OfKind, err = restsOnKinds(ctx, p, &f); err != nil {
				return nil, err
			}
		}
		out = append(out, fault)
	}
	return out, nil
}

// restsOnKinds reports whether a finding follows from what was done and of which classes the
// things are that it was done with: then it would of any others of these classes.
func restsOnKinds(ctx context.Context, p *inference.Prover, f *Finding) (bool, error) {
	var proof *Proof
	p.Proofs = true
	defer func() { p.Proofs = false }()
	err := p.Prove(ctx, f.Clause, f.Step, func(c Conclusion) bool {
		if c.Class == f.Type && slices.Equal(c.Objects, f.Objects) {
			proof = c.Proof
		}
		return proof == nil
	})
	return proof != nil && ofKinds(proof, f.Step), err
}

// ofKinds reports whether all facts of a proof are what is done at a step, or tell of classes.
func ofKinds(n *Proof, step int32) bool {
	if n.Negated || n.InGo || n.Clause == nil && n.Fact < 0 || n.Fact >= 0 && !fact.OfKind(n.Fact, n.Row, step) {
		return false
	}
	return !slices.ContainsFunc(n.Children, func(c *Proof) bool { return !ofKinds(c, step) })
}
