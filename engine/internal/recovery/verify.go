package recovery

import (
	"fmt"
	"slices"

	"github.com/mishap-robotics/mishap/engine/internal/state"
	"github.com/mishap-robotics/mishap/ontology"
)

// report is how a plan fares when it is executed in the action model.
type report struct {
	failing     string // the action that cannot be done, with the reason; "" for none
	at          int    // its index
	reached     bool
	met         int // parts of the goal that hold in the end
	unmet       []string
	violated    []string
	assumptions []string
	length      int
}

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

// verify executes a plan from what is believed: every precondition and norm holds,
// the robot is near what it acts on wherever it has gone elsewhere than planned, the
// goal holds in the end, and nothing is left on that it does not ask for.
func (r *recovery) verify(steps []PlanStep) report {
	var rep report
	rep.length = len(steps)
	mo := r.now()
	mo.s.Run(state.Predicted, imagined)
	for i, st := range steps {
		mo.strict = mo.strict || st.Far
		if r.ctx.Err() != nil {
			rep.failing, rep.at = "the time was up", i
			return rep
		}
		if vs := r.violations(mo.s, st.Call); len(vs) > 0 && !r.idle(mo.s, st.Call) {
			rep.failing, rep.at = fmt.Sprintf("%s cannot be done: %s", r.objects.CallText(st.Call), vs[0].Comment), i
			return rep
		}
		if far := r.far(mo, st.Call, st.From); len(far) > 0 {
			rep.failing, rep.at = fmt.Sprintf("%s cannot be done: the robot is not near %s", r.objects.CallText(st.Call), r.objects.Name(far[0])), i
			return rep
		}
		rep.assumptions = r.assumed(rep.assumptions, mo.s, st.Call)
		r.perform(mo, st.Call)
		for _, x := range []state.Object{st.Call.Target, st.Call.Destination} {
			if text := "there is a " + r.onto.Name(r.classOf(x)); slices.Contains(r.fixtures, x) && !slices.Contains(rep.assumptions, text) {
				rep.assumptions = append(rep.assumptions, text)
			}
		}
		for _, text := range st.Assumes {
			if !slices.Contains(rep.assumptions, text) {
				rep.assumptions = append(rep.assumptions, text)
			}
		}
		if st.Finds != nil {
			if v := mo.s.Get(st.Finds.Fluent); v.Status == state.Unknown {
				mo.s.Set(st.Finds.Fluent, st.Finds.Value)
			}
			if !slices.Contains(rep.assumptions, st.Finds.Text) {
				rep.assumptions = append(rep.assumptions, st.Finds.Text)
			}
		}
		r.note(mo, st.Call, st.From)
	}
	rep.reached = r.reached(mo.s)
	if now := r.serving(mo.s); rep.reached && now != nil {
		r.wanted = now
	}
	if !rep.reached {
		rep.unmet = r.trace.UnmetGoalTexts(mo.s)
		if len(r.trace.Goal.Patterns)+len(r.trace.Goal.ForAll) == 0 {
			rep.unmet = []string{"no goal is stated, so that no plan can be verified"}
		} else if len(rep.unmet) == 0 {
			rep.unmet = []string{"what the goal asks of each thing of a kind"}
		}
	}
	rep.met = len(r.trace.Goal.Patterns) - len(r.trace.UnmetGoals(mo.s))
	for _, l := range r.barring {
		if r.holds(mo.s, l) {
			rep.violated = append(rep.violated, r.text(l)+" must not stay so: "+r.because)
		}
	}
	for _, x := range r.leftOn(mo.s) {
		rep.violated = append(rep.violated, r.objects.Name(x)+" would be left on")
	}
	return rep
}

// assumed adds what an action needs that nobody knows.
func (r *recovery) assumed(out []string, s *state.State, c state.Call) []string {
	for i := range c.Schema.Preconditions {
		cond := &c.Schema.Preconditions[i]
		if c.Absent(cond.When, cond.Requires, cond.Forbids) {
			continue
		}
		q := r.query(s)
		if t, _ := q.Best(cond.When, c.Binding()); t < state.AssumedTrue {
			continue
		}
		for _, l := range r.literals(append(slices.Clip(cond.Requires), cond.Forbids...), c.Binding()) {
			if l.pred != r.onto.Core.State || s.SlotOf(l.y.Term()) < 0 {
				continue
			}
			v := s.Get(state.Fluent{Obj: l.x, Slot: s.SlotOf(l.y.Term())})
			not := len(cond.Requires) == 0
			var text string
			switch {
			case v.Status == state.Unknown && not && !r.inDoubt(l, v):
			case v.Status == state.Unknown:
				text = r.text(literal{l.x, l.pred, l.y, not})
			case v.Status == state.Assumed:
				text = r.objects.Name(l.x) + " " + r.onto.Name(v.Term)
			}
			if text != "" && !slices.Contains(out, text) {
				out = append(out, text)
			}
		}
	}
	if x := c.Target; x != state.Nothing && !r.prepares[c.Schema] && r.movable(x) && s.Place(x).Status == state.Unknown && !s.Gone(x) {
		if text := r.objects.Name(x) + " is within reach where the robot goes for it"; !slices.Contains(out, text) {
			out = append(out, text)
		}
	}
	return out
}

// inDoubt reports whether there is any reason to think that what is not known of an
// object is so: it has been lost sight of, or it is a door.
func (r *recovery) inDoubt(l literal, v state.Value) bool {
	closed, _ := r.onto.Lookup("closed")
	openable, _ := r.onto.Lookup("openable")
	return v.Since > 0 || l.y.Term() == closed && r.objects.HasProperty(l.x, openable)
}

func (m *model) classOf(x state.Object) ontology.TermID {
	if x == state.Nothing {
		return ontology.None
	}
	return m.objects.Class(x)
}

func (m *model) movable(x state.Object) bool {
	pickupable, _ := m.onto.Lookup("pickupable")
	return m.objects.HasProperty(x, pickupable)
}

// tidy leaves out of a plan what comes to nothing: moves before other moves, and
// stretches after which everything is as it was before them.
func (r *recovery) tidy(start *moment, steps []PlanStep) []PlanStep {
	steps = r.withoutDetours(start, steps)
	out := steps[:0:0]
	for i, st := range steps {
		if r.prepares[st.Call.Schema] {
			if i+1 < len(steps) && r.prepares[steps[i+1].Call.Schema] || i+1 == len(steps) && st.From == FromSupply {
				continue
			}
		}
		out = append(out, st)
	}
	return out
}

// withoutDetours leaves out stretches that come to nothing.
func (r *recovery) withoutDetours(start *moment, steps []PlanStep) []PlanStep {
	prints := r.prints(start, steps)
	for from := 0; from < len(steps); from++ {
		for to := len(steps); to > from+1; to-- {
			if prints[from] != prints[to] || r.acting(steps[from:to]) < 2 || r.looks(steps[from:to]) {
				continue
			}
			if shorter, ok := r.reconnect(start, slices.Delete(slices.Clone(steps), from, to), from); ok && len(shorter) < len(steps) {
				steps, prints = shorter, r.prints(start, shorter)
				from--
			}
			break
		}
	}
	return steps
}

// withoutIdle leaves out actions that bring about only what is so already.
func (r *recovery) withoutIdle(steps []PlanStep) []PlanStep {
	mo := &moment{s: r.problem.State.Clone()}
	mo.s.Run(state.Predicted, imagined)
	var out []PlanStep
	for _, st := range steps {
		if !r.idle(mo.s, st.Call) {
			out = append(out, st)
		}
		r.perform(mo, st.Call)
	}
	return out
}

func (r *recovery) looks(steps []PlanStep) bool {
	return slices.ContainsFunc(steps, func(st PlanStep) bool { return st.From == FromLook })
}

// prints sums up the state before each action and at the end, but for where the
// robot is.
func (r *recovery) prints(start *moment, steps []PlanStep) []uint64 {
	mo := r.clone(start)
	out := []uint64{r.print(mo.s)}
	for _, st := range steps {
		r.perform(mo, st.Call)
		out = append(out, r.print(mo.s))
	}
	return out
}

func (r *recovery) print(s *state.State) uint64 {
	h := uint64(14695981039346656037)
	mix := func(v int32) { h = (h ^ uint64(uint32(v))) * 1099511628211 }
	for x := range state.Object(len(r.objects.Items)) {
		if s.Gone(x) {
			mix(-2)
			continue
		}
		for slot := range s.Slots() {
			v := s.Get(state.Fluent{Obj: x, Slot: slot})
			if v.Status == state.Unknown {
				mix(-3)
			} else if v.At != state.Nothing {
				mix(int32(v.At))
			} else {
				mix(int32(v.Term) + 1<<20)
			}
		}
	}
	return h
}

// reconnect puts moves into a plan where it lacks them: from an action on the robot
// no longer goes where the plan had it. ok is false where it lacks more.
func (r *recovery) reconnect(start *moment, steps []PlanStep, from int) (out []PlanStep, ok bool) {
	mo := r.clone(start)
	for i, st := range steps {
		mo.strict = mo.strict || i >= from || st.Far
		if len(r.violations(mo.s, st.Call)) > 0 && !r.idle(mo.s, st.Call) {
			return nil, false
		}
		for _, x := range r.far(mo, st.Call, st.From) {
			move, can := r.goTo(mo, x)
			if !can {
				return nil, false
			}
			out = append(out, move)
		}
		r.perform(mo, st.Call)
		if r.note(mo, st.Call, st.From); i >= from {
			mo.strict = true
		}
		if st.Finds != nil && mo.s.Get(st.Finds.Fluent).Status == state.Unknown {
			mo.s.Set(st.Finds.Fluent, st.Finds.Value)
		}
		out = append(out, st)
	}
	return out, true
}
