package recovery

import (
	"context"
	"slices"

	"github.com/mishap-robotics/mishap/engine/internal/planner"
	"github.com/mishap-robotics/mishap/engine/internal/state"
	"github.com/mishap-robotics/mishap/ontology"
)

// Member is a robot of a team with one of its grippers.
type Member struct{ Robot, Gripper state.Object }

// maxRelays bounds for how many parts of a plan it is sought who could do them.
const maxRelays = 60

// Relay finds a plan that no robot can carry out by itself: one of them brings about what
// another cannot, or hands over what that needs, and the other does the rest. It is nil where
// it finds none.
func Relay(ctx context.Context, p *Problem, team []Member, opt Options) *Proposal {
	if len(p.Trace.Goal.First) > 0 {
		return nil // whose parts have an order of their own
	}
	opt.OnlySearch, opt.Effort = true, max(opt.Effort, DefaultEffort)/4
	r := &relay{ctx: ctx, problem: p, options: opt, left: maxRelays}
	for _, last := range team {
		for _, first := range team {
			if first.Robot == last.Robot {
				continue
			}
			for _, part := range r.parts(first, last) {
				if out := r.by(first, part, last); out != nil {
					return out
				}
			}
		}
	}
	return nil
}

type relay struct {
	ctx     context.Context
	problem *Problem
	options Options
	left    int // parts that may still be planned for
}

// by is a plan in which one robot brings about a part and another does the rest.
func (r *relay) by(first Member, x planner.Literal, last Member) *Proposal {
	before := r.plan(first, r.problem.State, &x)
	if before == nil {
		return nil
	}
	rest := r.plan(last, before.end(), nil)
	if rest == nil {
		return nil
	}
	whole := newRecovery(r.ctx, r.as(last, r.problem.State, nil, r.problem.Judge), r.options)
	whole.begin()
	c := whole.accept(slices.Concat(before.steps, rest.steps), Relayed)
	if c == nil {
		return nil
	}
	return whole.propose(c)
}

// solved is a part of a plan.
type solved struct {
	steps []planner.Step
	by    *recovery
}

// end is what is believed after it.
func (s *solved) end() *state.State { return s.by.review.after(s.steps).State }

// plan lets one robot plan for a part, or for the goal as a whole; nil where it cannot.
func (r *relay) plan(who Member, from *state.State, x *planner.Literal) *solved {
	if r.left == 0 || r.ctx.Err() != nil {
		return nil
	}
	r.left--
	by := newRecovery(r.ctx, r.as(who, from, x, nil), r.options)
	c := by.find()
	if c == nil {
		return nil
	}
	return &solved{c.steps, by}
}

// as is the problem of a robot for a part, or for the goal as a whole.
func (r *relay) as(who Member, from *state.State, x *planner.Literal, judge Judge) *Problem {
	trace := *r.problem.Trace
	trace.Robot, trace.Gripper = who.Robot, who.Gripper
	if x != nil {
		trace.Goal, trace.Bound = partly(*x, trace.Goal)
		trace.Objects.Stages = nil
	}
	p := *r.problem
	p.Trace, p.State, p.Judge, p.Rest, p.Failure, p.Away, p.Apart = &trace, from, judge, nil, nil, true, false
	return &p
}

// partly is the goal that a part is so.
func partly(x planner.Literal, whole ontology.Goal) (ontology.Goal, state.Binding) {
	variable := func(i int) ontology.Arg { return ontology.Arg{Var: i} }
	out := ontology.Goal{Vars: []string{"?x"}, Within: whole.Within}
	bound := state.Binding{state.ObjectRef(x.Subject)}
	p := ontology.Pattern{Subject: variable(0), Predicate: x.Predicate, Object: ontology.Arg{Var: -1, Term: x.Value.Term()}}
	if x.Value.Object() != state.Nothing {
		out.Vars, bound, p.Object = append(out.Vars, "?y"), append(bound, x.Value), variable(1)
	}
	out.Patterns = []ontology.Pattern{p}
	return out, bound
}

// parts lists what one robot could do for another: of the goal what is not so yet, and of what
// has to do with it what the one can do and the other cannot.
func (r *relay) parts(first, last Member) []planner.Literal {
	var out []planner.Literal
	add := func(x planner.Literal) {
		if !slices.Contains(out, x) {
			out = append(out, x)
		}
	}
	all := newRecovery(r.ctx, r.as(last, r.problem.State, nil, nil), r.options)
	onto := r.problem.Trace.Objects.Onto
	var about []state.Object
	_, goals := all.begin()
	for i := range goals[:min(len(goals), 1)] {
		for _, l := range goals[i].Literals {
			about = r.with(r.with(about, l.Subject), l.Value.Object())
			if !l.Negated && l.Predicate != onto.Core.Near && l.Predicate != onto.Core.Type && !all.planner.Simulator.Holds(r.problem.State, l) {
				add(l)
			}
		}
	}
	for _, schema := range onto.Advised() {
		if schema == onto.Roles.Move || schema == onto.Roles.Look || schema.Params == 0 || schema.Params > 2 {
			continue
		}
		destinations := about
		if schema.Params == 1 {
			destinations = []state.Object{state.Nothing}
		}
		for _, x := range about {
			for _, y := range destinations {
				if x != y && r.needs(schema, first, last, x, y) {
					r.bringsAbout(state.Call{Schema: schema, Agent: first.Robot, Gripper: first.Gripper, Target: x, Destination: y}, about, add)
				}
			}
		}
	}
	return out
}

// with adds an object, and what it lies in, to others.
func (r *relay) with(all []state.Object, x state.Object) []state.Object {
	for range len(r.problem.Trace.Objects.Items) {
		if x == state.Nothing || slices.Contains(all, x) {
			break
		}
		all = append(all, x)
		x = r.problem.State.Place(x).At
	}
	return all
}

// needs reports whether something stands against it that one robot does an action which does
// not stand against another doing it.
func (r *relay) needs(schema *ontology.ActionSchema, first, last Member, x, y state.Object) bool {
	unmet := func(who Member) []state.Violation {
		return r.problem.State.Judge(state.Call{Schema: schema, Agent: who.Robot, Gripper: who.Gripper, Target: x, Destination: y}).UnmetPreconditions()
	}
	can := unmet(first)
	return slices.ContainsFunc(unmet(last), func(v state.Violation) bool {
		return !slices.ContainsFunc(can, func(w state.Violation) bool { return v.Name == w.Name })
	})
}

// bringsAbout adds what an action brings about. What it takes into a hand is put down
// somewhere, or given from hand to hand.
func (r *relay) bringsAbout(c state.Call, about []state.Object, add func(planner.Literal)) {
	s, core := r.problem.State, &r.problem.Trace.Objects.Onto.Core
	for _, change := range s.Clone().Apply(c, state.Predicted, planner.Imagined) {
		x, v := change.Fluent.Obj, change.Value
		switch {
		case change.Idle || change.Fluent.Slot == state.LinkSlot:
		case v.At == c.Gripper:
			for _, y := range r.surfaces(about, x) {
				add(planner.Literal{Subject: x, Predicate: core.Within, Value: state.ObjectRef(y)})
			}
			add(planner.Literal{Subject: x, Predicate: core.Within, Value: state.ObjectRef(v.At)})
		case v.At != state.Nothing:
			add(planner.Literal{Subject: x, Predicate: core.Within, Value: state.ObjectRef(v.At)})
		case v.Term != ontology.None:
			add(planner.Literal{Subject: x, Predicate: core.State, Value: state.TermRef(v.Term)})
		}
	}
}

// maxSurfaces bounds on how many things something may be set down for another to take.
const maxSurfaces = 5

// surfaces are where something may be set down: what has to do with the goal first, then what
// other things lie on.
func (r *relay) surfaces(about []state.Object, x state.Object) []state.Object {
	objects, onto := r.problem.Trace.Objects, r.problem.Trace.Objects.Onto
	var out []state.Object
	add := func(y state.Object) {
		if y != state.Nothing && y != x && len(out) < maxSurfaces && !slices.Contains(out, y) && y != r.problem.State.Place(x).At &&
			!objects.IsA(y, onto.Core.RobotGripper) && !objects.IsA(y, onto.Core.Agent) && !r.problem.State.Gone(y) {
			out = append(out, y)
		}
	}
	for _, y := range about {
		add(y)
	}
	for y := range state.Object(len(objects.Items)) {
		add(r.problem.State.Place(y).At)
	}
	for y := range state.Object(len(objects.Items)) {
		if !objects.HasProperty(y, onto.Roles.Movable) {
			add(y)
		}
	}
	return out
}
