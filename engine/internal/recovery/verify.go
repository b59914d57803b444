package recovery

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mishap-robotics/mishap/engine/internal/planner"
	"github.com/mishap-robotics/mishap/engine/internal/state"
	"github.com/mishap-robotics/mishap/ontology"
	"github.com/mishap-robotics/mishap/ontology/decimal"
)

// report is how a plan fares when it is executed in the action model.
type report struct {
	failing     string // the action that cannot be done, with the reason; "" for none
	reached     bool
	met         int // parts of the goal that hold in the end
	unmet       []string
	violated    []string
	open        bool   // something would be left open
	late        string // by how much a plan that reaches the goal comes too late, "" where it does not
	assumptions []string
	sought      map[int]string // what an action relies on to find where nobody has looked, by its index
	wrong       []state.Call   // by which something was spoilt, and that are never of use
	length      int
}

// timeUp is what keeps a plan from being verified that could not be looked at to the end.
const timeUp = "the time was up"

// sound reports whether the plan reaches the goal and violates nothing.
func (r *report) sound() bool { return r.failing == "" && r.reached && len(r.violated) == 0 }

// better orders plans that fail: what violates nothing comes before what reaches
// more of the goal.
func (r *report) better(other *report) bool {
	switch {
	case (r.failing == "") != (other.failing == ""):
		return r.failing == ""
	case len(r.violated) != len(other.violated):
		return len(r.violated) < len(other.violated)
	case r.met != other.met:
		return r.met > other.met
	}
	return r.length < other.length
}

// verifier executes plans in the action model.
type verifier struct {
	problem     *Problem
	domain      *planner.Domain
	inventory   *planner.Inventory
	sim         *planner.Simulator
	goal        *planner.Goal
	constraints *planner.Constraints
	suspicions  *planner.Suspicions
	budget      *planner.Budget
}

// verify executes a plan from what is believed: every precondition and norm holds,
// the robot is near what it acts on wherever it has gone elsewhere than planned, the
// goal holds in the end, and nothing is left on that it does not ask for.
func (v *verifier) verify(steps []planner.Step) report {
	rep := report{length: len(steps)}
	node := v.problem.now()
	node.State.Run(state.Predicted, planner.Imagined)
	clock := v.clock()
	spoiling := v.goal.Spoiling()
	var looked, opened []state.Object
	rest := v.problem.Rest
	for i := range steps {
		st := &steps[i]
		rest = v.passOver(node, rest, st)
		if v.suspicions.IsLook(st.Call, st.Call.Target) {
			looked = append(looked, st.Call.Target)
		}
		if rep.failing = v.unsettled(st, looked); rep.failing != "" {
			return rep
		}
		node.Strict = node.Strict || st.Far
		if rep.failing = v.obstacle(node, st); rep.failing != "" {
			return rep
		}
		opened = v.goal.Opened(opened, node.State, st)
		v.unknown(&rep, node.State, st.Call)
		v.sought(&rep, node.State, i, st.Call.Target)
		done := clock.pass(node.State, st.Call.Schema.Duration)
		held := node.State.Place(st.Call.Target)
		v.sim.Perform(node, st.Call)
		done()
		v.letGo(&rep, st, held, node.State)
		v.relies(&rep, st)
		st.Finds.Assume(node.State)
		v.sim.Note(node, st.Call, st.From)
		spoiling.Note(node.State, st.Call)
	}
	v.outcome(&rep, node.State)
	v.deadline(&rep, steps, clock.takes)
	if !rep.reached {
		return rep
	}
	for _, u := range v.goal.AgainstBeside(node.State, spoiling.Handled) {
		rep.violated = append(rep.violated, v.goal.Text(&u))
	}
	spoilt, wrong := spoiling.Served(node.State)
	rep.violated, rep.wrong = append(rep.violated, spoilt...), wrong
	for _, x := range v.goal.LeftOpen(node.State, opened) {
		rep.open = true
		rep.violated = append(rep.violated, v.domain.Objects.Name(x)+" would be left open")
	}
	return rep
}

// deadline judges whether a plan is over in time. How long an action takes of which that is not
// known is relied on not to matter.
func (v *verifier) deadline(rep *report, steps []planner.Step, takes decimal.Decimal) {
	t := v.problem.Trace
	within := t.Goal.Within
	if within <= 0 || len(steps) == 0 || t.InTime && t.Clock.Now > within {
		return
	}
	if t.Clock.Now+takes > within {
		rep.late = fmt.Sprintf("the goal is to be reached within %s s of the start, and the plan of %d actions ends after %s s", within.Short(), len(steps), (t.Clock.Now + takes).Short())
		rep.violated = append(rep.violated, rep.late)
		return
	}
	var unknown []string
	for i := range steps {
		c := &steps[i].Call
		if name := c.Schema.Name; c.Schema.Duration == 0 && !v.suspicions.IsLook(*c, c.Target) && !slices.Contains(unknown, name) {
			unknown = append(unknown, name)
		}
	}
	switch slices.Sort(unknown); {
	case len(unknown) > 0:
		rep.assume(fmt.Sprintf("it is over within %s s of the start, although nobody knows how long these take: %s", within.Short(), strings.Join(unknown, ", ")))
	case !t.Clock.Known:
		rep.assume(fmt.Sprintf("it is over within %s s of the start, although nobody knows what time it is", within.Short()))
	}
}

// passOver goes on to an action in what is left of the plan, and keeps in mind what the
// plan lacks of that.
func (v *verifier) passOver(node *planner.Node, rest []planner.Step, st *planner.Step) []planner.Step {
	if st.From != planner.FromPlan {
		return rest
	}
	at := slices.IndexFunc(rest, func(r planner.Step) bool { return planner.SameCall(r.Call, st.Call) })
	for i := range at {
		v.sim.Skip(node, rest[i].Call)
	}
	return rest[at+1:]
}

// unsettled is what has to be looked at before an action, "" for nothing.
func (v *verifier) unsettled(st *planner.Step, looked []state.Object) string {
	s, open := v.suspicions.Unsettled(st.Call, looked)
	if !open {
		return ""
	}
	return fmt.Sprintf("%s is not to be done before a look: %s may be %s", st.Text(v.domain.Objects), v.domain.Objects.Name(s.Object), v.domain.Onto.Name(s.State))
}

// obstacle is what keeps an action from being done, "" for nothing.
func (v *verifier) obstacle(node *planner.Node, st *planner.Step) string {
	if v.budget.Interrupted() {
		return timeUp
	}
	if vs := v.sim.Violations(node.State, st.Call); len(vs) > 0 && !v.sim.Idle(node.State, st.Call) {
		return fmt.Sprintf("%s cannot be done: %s", st.Text(v.domain.Objects), vs[0].Comment)
	}
	if st.Call.Agent != v.domain.Agent {
		return "" // where another robot is was judged when its part was planned
	}
	if far := v.sim.Far(node, st.Call, st.From); len(far) > 0 {
		return fmt.Sprintf("%s cannot be done: the robot is not near %s", st.Text(v.domain.Objects), v.domain.Objects.Name(far[0]))
	}
	return ""
}

// outcome judges the state after a plan.
func (v *verifier) outcome(rep *report, s *state.State) {
	t := v.problem.Trace
	rep.reached = v.goal.Reached(s) && !t.Unjudged
	if now := v.goal.Serving(s); rep.reached && now != nil {
		v.goal.Pursue(now)
		v.taken(rep, s, now)
	}
	if !rep.reached {
		rep.unmet = t.UnmetGoalTexts(s)
		if t.Goal.IsEmpty() {
			rep.unmet = []string{"no goal is stated, so that no plan can be verified"}
		} else if len(rep.unmet) == 0 {
			rep.unmet = t.UnmetParts(s)
		}
	}
	for _, u := range v.goal.Against(s) {
		rep.violated, rep.unmet = append(rep.violated, v.goal.Text(&u)), nil
	}
	rep.met = len(t.Goal.Patterns) - len(t.UnmetGoals(s))
	for _, l := range v.constraints.Excluded() {
		if v.sim.Holds(s, l) {
			rep.violated = append(rep.violated, v.domain.Text(l)+" must not stay so: "+v.constraints.Reason())
		}
	}
	for _, x := range v.goal.LeftOn(s) {
		rep.violated = append(rep.violated, v.domain.Objects.Name(x)+" would be left on")
	}
}

// assume adds what is unknown and relied on, once.
func (r *report) assume(text string) {
	if !slices.Contains(r.assumptions, text) {
		r.assumptions = append(r.assumptions, text)
	}
}

// relies adds what an action relies on: a fixture nobody has seen, that nothing speaks
// against its effect, and what a look finds.
func (v *verifier) relies(rep *report, st *planner.Step) {
	for _, x := range []state.Object{st.Call.Target, st.Call.Destination} {
		if v.inventory.IsFixture(x) {
			rep.assume("there is a " + v.domain.Onto.Name(v.domain.Objects.Class(x)))
		}
	}
	for _, text := range st.Assumes {
		rep.assume(text)
	}
	if st.Finds != nil {
		rep.assume(st.Finds.Text)
	}
}

// unknown adds what an action needs that nobody knows.
func (v *verifier) unknown(rep *report, s *state.State, c state.Call) {
	for i := range c.Schema.Preconditions {
		cond := &c.Schema.Preconditions[i]
		if c.Absent(cond.When, cond.Requires, cond.Forbids) {
			continue
		}
		v.domain.Query(s).Each(cond.When, c.Binding(), state.AssumedTrue, func(b state.Binding) { // which may tell of what
			needed := v.domain.Literals(slices.Concat(cond.Requires, v.unknownOf(s, cond, b), cond.Forbids), b)
			for _, l := range append(needed, v.domain.Unchanging(cond.Requires, b)...) {
				l.Negated = len(cond.Requires)+len(cond.Any) == 0
				if text := v.assumption(s, l); text != "" {
					rep.assume(text)
				}
			}
		})
	}
	if x := c.Target; x != state.Nothing && v.domain.Move != nil && !v.domain.Prepares(c.Schema) && v.domain.Movable(x) && s.Place(x).Status == state.Unknown && !s.Gone(x) {
		rep.assume(v.domain.Objects.Name(x) + " is within reach where the robot goes for it")
	}
}

// sought adds where an action relies on finding a thing that nobody has seen there.
func (v *verifier) sought(rep *report, s *state.State, i int, x state.Object) {
	if x == state.Nothing || !slices.Contains(v.problem.Assumed, x) || s.Place(x).Status != state.Assumed {
		return
	}
	at := s.Place(x)
	text := fmt.Sprintf("%s %s %s", v.domain.Objects.Name(x), v.domain.Onto.Name(at.Term), v.domain.Objects.Name(at.At))
	if rep.assume(text); rep.sought == nil {
		rep.sought = map[int]string{}
	}
	rep.sought[i] = text
}

// letGo adds that a thing keeps where an action sets it down that does not say on what.
func (v *verifier) letGo(rep *report, st *planner.Step, held state.Value, after *state.State) {
	x := st.Call.Target
	if x != state.Nothing && held.Status > state.Unknown && held.At == st.Call.Gripper && after.Place(x).Status == state.Unknown && !after.Gone(x) {
		rep.assume(fmt.Sprintf("%s leaves %s on something clean", st.Text(v.domain.Objects), v.domain.Objects.Name(x)))
	}
}

// taken adds what of the goal holds in the end only as it was assumed to hold all along.
func (v *verifier) taken(rep *report, s *state.State, goal []planner.Literal) {
	for _, l := range goal {
		if at := s.Place(l.Subject); v.domain.IsPlace(l) && at.Status == state.Assumed {
			rep.assume(fmt.Sprintf("%s %s %s", v.domain.Objects.Name(l.Subject), v.domain.Onto.Name(at.Term), v.domain.Objects.Name(at.At)))
		} else if text := v.assumption(s, l); text != "" {
			rep.assume(text)
		}
	}
}

// relying are the steps of a plan with what they rely on to find.
func (r *report) relying(steps []planner.Step) []planner.Step {
	if len(r.sought) > 0 {
		steps = slices.Clone(steps)
	}
	for i, text := range r.sought {
		if i < len(steps) {
			steps[i].Assumes = append(slices.Clip(steps[i].Assumes), text)
		}
	}
	return steps
}

// unknownOf is the first alternative of a condition that nobody knows, nil where one is known
// to hold or there is none.
func (v *verifier) unknownOf(s *state.State, cond *ontology.Condition, b state.Binding) []ontology.Pattern {
	var first []ontology.Pattern
	for _, patterns := range cond.Any {
		switch t := v.domain.Query(s).Truth(patterns, b); {
		case t >= state.AssumedTrue:
			return nil
		case t == state.Undecided && first == nil:
			first = patterns
		}
	}
	return first
}

// assumption words a state or lasting relation that an action needs and nobody knows, "" where it is known.
func (v *verifier) assumption(s *state.State, l planner.Literal) string {
	if v.domain.Onto.Persistent(l.Predicate) {
		if !l.Negated && v.domain.Truth(s, l) == state.Undecided {
			return v.domain.Text(l)
		}
		return ""
	}
	if !v.domain.IsState(l) || s.SlotOf(l.Value.Term()) < 0 {
		return ""
	}
	is := s.Get(state.Fluent{Obj: l.Subject, Slot: s.SlotOf(l.Value.Term())})
	switch {
	case is.Status == state.Unknown && (!l.Negated || v.inDoubt(l, is)):
		return v.domain.Text(l)
	case is.Status == state.Assumed:
		return v.domain.Objects.Name(l.Subject) + " " + v.domain.Onto.Name(is.Term)
	}
	return ""
}

// inDoubt reports whether there is any reason to think that what is not known of an
// object is so: it has been lost sight of, or it is a door.
func (v *verifier) inDoubt(l planner.Literal, is state.Value) bool {
	roles := &v.domain.Onto.Roles
	return is.Since > 0 || l.Value.Term() == roles.Enclosing && v.domain.Objects.HasProperty(l.Subject, roles.Openable)
}
