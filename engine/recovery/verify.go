package recovery

import (
	"fmt"
	"slices"

	"github.com/mishap-robotics/mishap/engine/state"
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
func (r *recovery) verify(steps []Step) report {
	var rep report
	rep.length = len(steps)
	mo := &moment{r.problem.State.Clone(), r.problem.Away}
	mo.s.Run(state.Predicted, imagined)
	for i, st := range steps {
		if r.ctx.Err() != nil {
			rep.failing, rep.at = "the time was up", i
			return rep
		}
		if vs := r.violations(mo.s, st.Call); len(vs) > 0 && !r.idle(mo.s, st.Call) {
			rep.failing, rep.at = fmt.Sprintf("%s cannot be done: %s", r.objects.CallText(st.Call), vs[0].Comment), i
			return rep
		}
		if far := r.tooFar(mo.s, st.Call); len(far) > 0 && (r.strictly(mo) || st.From == FromSupply) {
			rep.failing, rep.at = fmt.Sprintf("%s cannot be done: the robot is not near %s", r.objects.CallText(st.Call), r.objects.Name(far[0])), i
			return rep
		}
		rep.assumptions = r.assumed(rep.assumptions, mo.s, st.Call)
		r.perform(mo, st.Call)
		if st.Finds != nil {
			if v := mo.s.Get(st.Finds.Fluent); v.Status == state.Unknown {
				mo.s.Set(st.Finds.Fluent, st.Finds.Value)
			}
			if !slices.Contains(rep.assumptions, st.Finds.Text) {
				rep.assumptions = append(rep.assumptions, st.Finds.Text)
			}
		}
		if r.onto.IsNavigation(st.Call.Schema) {
			mo.strict = st.From != FromPlan
		}
	}
	rep.reached = r.reached(mo.s)
	if !rep.reached {
		rep.unmet = r.trace.Lacking(mo.s)
		if len(rep.unmet) == 0 {
			rep.unmet = []string{"what the goal asks of each thing of a kind"}
		}
	}
	rep.met = len(r.trace.Goal.Patterns) - len(r.trace.Missed(mo.s))
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
	if x := c.Target; x != state.Nothing && !r.onto.IsNavigation(c.Schema) && r.movable(x) && s.Place(x).Status == state.Unknown && !s.Gone(x) {
		if text := r.objects.Name(x) + " is within reach where the robot goes for it"; !slices.Contains(out, text) {
			out = append(out, text)
		}
	}
	return out
}

func (m *model) movable(x state.Obj) bool {
	pickupable, _ := m.onto.Lookup("pickupable")
	return m.objects.HasProperty(x, pickupable)
}

// tidy leaves out moves and supplied actions that a plan does without.
func (r *recovery) tidy(start *moment, steps []Step) []Step {
	steps = slices.Clone(steps)
	for i := 0; i < len(steps); i++ {
		if steps[i].From != FromSupply {
			continue
		}
		if r.onto.IsNavigation(steps[i].Call.Schema) {
			if j := i + 1; j == len(steps) || r.onto.IsNavigation(steps[j].Call.Schema) {
				steps = slices.Delete(steps, i, j) // it moves on at once
				i--
			}
			continue
		}
		// What is taken up only to be put where it was, or the reverse, need not be.
		for j := i + 1; j < min(len(steps), i+4); j++ {
			if steps[j].From != FromSupply || steps[j].Call.Target != steps[i].Call.Target {
				continue
			}
			shorter := slices.Delete(slices.Clone(steps), j, j+1)
			shorter = slices.Delete(shorter, i, i+1)
			if r.exhausted() {
				return steps
			}
			if r.sameEnd(start, steps, shorter, j+1) {
				steps = shorter
				i = max(-1, i-2)
				break
			}
		}
	}
	return steps
}

// sameEnd reports whether a plan still goes through without two of its actions,
// with the same state after them.
func (r *recovery) sameEnd(start *moment, steps, shorter []Step, until int) bool {
	a, b := r.clone(start), r.clone(start)
	a.strict, b.strict = true, true
	for _, st := range steps[:until] {
		r.perform(a, st.Call)
	}
	for _, st := range shorter[:until-2] {
		if len(r.violations(b.s, st.Call)) > 0 || len(r.tooFar(b.s, st.Call)) > 0 {
			return false
		}
		r.perform(b, st.Call)
	}
	for x := range state.Obj(len(r.objects.Items)) {
		for slot := range a.s.Slots() {
			f := state.Fluent{Obj: x, Slot: slot}
			if !a.s.Get(f).Same(b.s.Get(f)) {
				return false
			}
		}
	}
	return a.s.Anchor(r.trace.Robot) == b.s.Anchor(r.trace.Robot)
}
