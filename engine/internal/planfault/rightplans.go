package planfault

import (
	"slices"

	"github.com/mishap-robotics/mishap/engine/internal/belief"
	"github.com/mishap-robotics/mishap/engine/internal/planner"
	"github.com/mishap-robotics/mishap/engine/internal/state"
)

// planEffort bounds the simulated actions of all planning for one problem, and
// maxPlaces the places of a sequence at which what is missing is planned for.
const (
	planEffort = 30_000
	maxPlaces  = 48
)

// rightPlans finds sequences that reach a goal and keep near to a faulty one.
type rightPlans struct {
	problem *Problem
	planner *planner.Planner
	goals   []planner.GroundGoal
	start   *planner.Node
}

// newRightPlans plans from the start of a problem, over a table of objects of its own:
// what is only imagined is not added to that of the trace. Objects that are not among the
// known ones are not there at the start.
func newRightPlans(t *belief.Trace, p *Problem, known state.Object) *rightPlans {
	objects := t.Objects.Clone()
	start := p.Start.On(objects)
	for x := known; int(x) < len(objects.Items); x++ {
		start.Remove(x, 0)
	}
	r := &rightPlans{problem: p}
	problem := &planner.Problem{Objects: objects, Agent: t.Robot, Gripper: t.Gripper, State: start, Goal: t.Goal, Bound: t.Bound, Effort: planEffort,
		Reached: func(s *state.State) bool {
			got, _ := t.UnderstoodTruth(s)
			return got >= state.AssumedTrue
		}}
	if t.Task != nil {
		problem.Exempt = t.Task.Exempt
	}
	r.planner = planner.New(t.Interrupt.Context(), problem)
	r.start = &planner.Node{State: start.Clone()}
	r.start.State.Run(state.Predicted, planner.Imagined)
	r.goals = r.planner.Grounder.Ground(r.start.State)
	r.planner.Goal.PursueFirst(r.goals)
	return r
}

// near lists right plans: those that bring about at some place what the sequence leaves
// unmet and go on with it, those made from nothing, and one that follows it as far as it
// can, which is likelier where no single condition is unmet, as where each fruit is to be in
// the bowl.
func (r *rightPlans) near(seq []TimedCall) []RightPlan {
	steps := make([]planner.Step, len(seq))
	for i := range seq {
		steps[i] = planner.Step{Call: seq[i].Call, From: planner.FromPlan}
	}
	var out []RightPlan
	for i := range r.goals {
		anew, _ := r.planner.Search.PartByPart(r.start.Clone(), &r.goals[i])
		out = append(out, r.plan(r.withOwnObjects(anew, seq), likely))
	}
	r.planner.Goal.PursueFirst(r.goals)
	completed, _ := r.planner.Completion.Complete(r.start, steps, r.goals)
	more, rank := r.broughtAbout(seq, steps), 2*likely
	if len(more) == 0 {
		rank = likely / 2
	}
	out = append(out, r.plan(completed, rank))
	return slices.Concat(out, r.withGoalObjects(seq), r.broughtThere(seq, steps), more)
}

// broughtThere are plans that follow a sequence up to where it puts a thing elsewhere than
// the goal asks for, bring it there instead and go on with the sequence.
func (r *rightPlans) broughtThere(seq []TimedCall, steps []planner.Step) []RightPlan {
	var out []RightPlan
	node := r.start.Clone()
	for i := range seq {
		before := node.Clone()
		r.planner.Simulator.Perform(node, seq[i].Call)
		unmet, ok := r.misplaced(node.State, seq[i].Call)
		if !ok || r.planner.Budget.Exhausted() {
			continue
		}
		if more, ok := r.goingOn(before, []planner.Literal{unmet}, steps[i+1:]); ok {
			out = append(out, r.plan(slices.Concat(steps[:i], more), 0))
		}
	}
	return out
}

// misplaced is what the goal asks for of the place of what an action was done to, once it
// has come to a place that is another. ok is false where it is none.
func (r *rightPlans) misplaced(after *state.State, c state.Call) (unmet planner.Literal, ok bool) {
	if len(r.goals) == 0 || c.Destination == state.Nothing || c.Target == state.Nothing {
		return planner.Literal{}, false
	}
	for _, l := range r.goals[0].Literals {
		if l.Subject == c.Target && l.Value.Object() != state.Nothing && l.Value.Object() != c.Destination && !r.planner.Simulator.Holds(after, l) {
			return l, true
		}
	}
	return planner.Literal{}, false
}

// withGoalObjects are plans that follow a sequence with an object of the goal, which it
// leaves out, throughout in the place of one that the goal does not speak of.
func (r *rightPlans) withGoalObjects(seq []TimedCall) []RightPlan {
	if len(r.goals) == 0 {
		return nil
	}
	var wanted, used []state.Object
	for _, l := range r.goals[0].Literals {
		wanted = append(wanted, r.problem.whole(l.Subject), r.problem.whole(l.Value.Object()))
	}
	for i := range seq {
		used = append(used, r.problem.whole(seq[i].Call.Target), r.problem.whole(seq[i].Call.Destination))
	}
	var out []RightPlan
	for i, to := range wanted {
		if to == state.Nothing || slices.Contains(used, to) || slices.Contains(wanted[:i], to) {
			continue
		}
		for k, old := range used {
			if old == state.Nothing || slices.Contains(wanted, old) || slices.Contains(used[:k], old) || r.planner.Budget.Exhausted() {
				continue
			}
			completed, _ := r.planner.Completion.Complete(r.start, r.exchanged(seq, old, to), r.goals)
			out = append(out, r.plan(completed, 0))
		}
	}
	return out
}

// exchanged are the actions of a sequence with an object and what is made of it in the
// place of another.
func (r *rightPlans) exchanged(seq []TimedCall, old, to state.Object) []planner.Step {
	objects := r.planner.Domain.Objects
	var out []planner.Step
	for i := range seq {
		c := seq[i].Call
		for _, x := range []*state.Object{&c.Target, &c.Destination} {
			switch {
			case *x == old:
				*x = to
			case *x != state.Nothing && r.problem.whole(*x) == old:
				if pieces := objects.Pieces(to, objects.Onto.Core.PhysicalObject); len(pieces) > 0 {
					*x = pieces[0]
				}
			}
		}
		out = append(out, planner.Step{Call: c, From: planner.FromPlan})
	}
	return out
}

// likely parts the ranks of kinds of plans.
const likely = 1000

func (r *rightPlans) plan(steps []planner.Step, rank int) RightPlan {
	out := RightPlan{Rank: rank}
	for i := range steps {
		out.Sequence = append(out.Sequence, TimedCall{Call: steps[i].Call})
	}
	return out
}

// broughtAbout are the plans that bring about what is unmet at the end of a sequence
// before one of its actions, for each of them or a choice.
func (r *rightPlans) broughtAbout(seq []TimedCall, steps []planner.Step) []RightPlan {
	end := r.start.Clone()
	for i := range seq {
		r.planner.Simulator.Perform(end, seq[i].Call)
	}
	goals := r.planner.Grounder.Ground(end.State)
	if len(goals) == 0 {
		return nil
	}
	parts := r.parts(seq, goals[0])
	var unmet []planner.Literal
	for _, p := range parts {
		if p.from < 0 {
			unmet = append(unmet, p.Literal)
		}
	}
	if len(unmet) == 0 {
		return nil
	}
	stride := 1 + len(seq)/maxPlaces
	var out []RightPlan
	node := r.start.Clone()
	for i := 0; i <= len(steps); i++ {
		for _, some := range eachToo(unmet) {
			if i%stride != 0 || r.planner.Budget.Exhausted() {
				break
			}
			if more, ok := r.goingOn(node, some, steps[i:]); ok {
				plan := r.plan(slices.Concat(steps[:i], more), 0)
				plan.Rank, plan.Lateness = rank(i, parts), r.problem.lateness(i, seq)
				out = append(out, plan)
			}
		}
		if i < len(steps) {
			r.planner.Simulator.Perform(node, steps[i].Call)
		}
	}
	return out
}

// eachToo are all of several literals, and each alone: once the potato is in the bowl, the
// rest of the plan may heat it.
func eachToo(unmet []planner.Literal) [][]planner.Literal {
	out := [][]planner.Literal{unmet}
	if len(unmet) > 1 {
		for i := range unmet {
			out = append(out, unmet[i:i+1])
		}
	}
	return out
}

// goingOn brings literals about and goes on with a plan.
func (r *rightPlans) goingOn(at *planner.Node, unmet []planner.Literal, rest []planner.Step) ([]planner.Step, bool) {
	node := at.Clone()
	steps, ok := r.planner.Search.BringAbout(node, unmet)
	if !ok || len(steps) == 0 {
		return nil, false
	}
	more, _ := r.planner.Completion.Complete(node, rest, r.goals)
	return slices.Concat(steps, more), true
}

// rank orders plans that do the same at other places: parts of the goal belong in the
// order in which goals are mostly brought about, and what is done to one thing belongs
// with what is done to its like.
func rank(at int, parts []part) int {
	const inverted, apart = 2, 1
	out, beside := 0, false
	for i := range parts {
		for j := range parts {
			unmet, met := &parts[i], &parts[j]
			if unmet.from >= 0 || met.from <= 0 {
				continue
			}
			if (j < i) != (met.from <= at) {
				out += inverted
			}
			beside = beside || met.from == at && met.like(unmet)
		}
	}
	if !beside {
		out += apart
	}
	return out
}

// lateness orders places where nothing else does: the later goes before the earlier, but
// what is switched on in the end comes last.
func (p *Problem) lateness(at int, seq []TimedCall) int {
	out := len(seq) - at
	if at > p.endOf(seq) {
		out += len(seq)
	}
	return out
}

// part is a part of the goal, with how many actions of a sequence are done when it comes
// to hold for good: 0 where it always does, -1 where it does not in the end.
type part struct {
	planner.Literal
	from int
}

func (p *part) like(q *part) bool {
	return p.Predicate == q.Predicate && p.Value == q.Value && p.Subject != q.Subject
}

// parts are those of the goal, in the order in which goals are mostly brought about.
func (r *rightPlans) parts(seq []TimedCall, goal planner.GroundGoal) []part {
	var out []part
	for _, l := range r.planner.Search.Ordered(goal.Literals) {
		out = append(out, part{l, -1})
	}
	node := r.start.Clone()
	for i := 0; ; i++ {
		for k := range out {
			switch holds := r.planner.Simulator.Holds(node.State, out[k].Literal); {
			case !holds:
				out[k].from = -1
			case out[k].from < 0:
				out[k].from = i
			}
		}
		if i == len(seq) {
			return out
		}
		r.planner.Simulator.Perform(node, seq[i].Call)
	}
}

// withOwnObjects is a plan with the objects that a sequence uses in place of others of
// their class.
func (r *rightPlans) withOwnObjects(steps []planner.Step, seq []TimedCall) []planner.Step {
	objects := r.planner.Domain.Objects
	var used, planned []state.Object
	for i := range seq {
		used = append(used, seq[i].Call.Target, seq[i].Call.Destination)
	}
	for i := range steps {
		planned = append(planned, steps[i].Call.Target, steps[i].Call.Destination)
	}
	instead := map[state.Object]state.Object{}
	for _, x := range planned {
		if x == state.Nothing || slices.Contains(used, x) {
			continue
		}
		for _, y := range used {
			if y != state.Nothing && objects.Class(y) == objects.Class(x) && !slices.Contains(planned, y) {
				instead[x] = y
			}
		}
	}
	out := slices.Clone(steps)
	for i := range out {
		for _, x := range []*state.Object{&out[i].Call.Target, &out[i].Call.Destination} {
			if y, ok := instead[*x]; ok {
				*x = y
			}
		}
	}
	return out
}
