package recovery

import (
	"slices"

	"github.com/mishap-robotics/mishap/engine/internal/state"
)

// unit is a candidate of the subtree: an action, or a run of actions on one object
// that has nothing to do with the error, which stays whole.
type unit []PlanStep

// node is a sequence of units carried out from the root.
type node struct {
	mo    *moment
	used  []bool
	steps []PlanStep
	set   []state.Fluent // by its last unit
	depth int
}

// Bounds of the tree.
const (
	mostNodes = 160
	deepestIn = 8
)

// bySubtree proposes the cheapest sequence that the adaptive subtree finds for the
// error window (SDA-Planner, section 4.4): from the present state, and from the
// state before the window, with what can be reversed undone.
func (r *recovery) bySubtree(start *moment, _ []choice) *candidate {
	if r.options.WithoutTree || r.diagnosis == nil {
		return nil
	}
	d := r.diagnosis
	var best []PlanStep
	roots := []func(*moment) ([]PlanStep, *moment, int){
		func(mo *moment) ([]PlanStep, *moment, int) { return nil, mo, max(d.Err, d.done+1) },
		func(mo *moment) ([]PlanStep, *moment, int) { return r.reverse(d, mo) },
	}
	for i, root := range roots {
		if i > 0 && d.Start > d.done {
			break // nothing that was done lies in the window
		}
		prefix, mo, from := root(r.clone(start))
		if mo == nil {
			continue
		}
		// Actions before the window's start that are still to come are carried out first.
		lead := d.sequence[min(d.done, d.Err-1):max(d.done, min(d.Start, from)-1)]
		for _, st := range lead {
			r.perform(mo, st.Call)
		}
		if steps := r.grow(d, mo, from); steps != nil {
			plan := slices.Concat(prefix, lead, steps)
			if best == nil || len(plan) < len(best) {
				best = plan
			}
		}
		if best != nil {
			break
		}
	}
	if best == nil {
		return nil
	}
	return r.accept(best, Subtree)
}

// reverse undoes, last first, what was done in the window and can be undone.
func (r *recovery) reverse(d *Diagnosis, mo *moment) ([]PlanStep, *moment, int) {
	var out []PlanStep
	for t := d.done; t >= d.Start; t-- {
		c := d.sequence[t-1].Call
		if c.Schema.Irreversible || r.prepares[c.Schema] || len(c.Schema.Effects) == 0 {
			continue
		}
		undo := r.undoing(c, r.stateAfter(d, t-1))
		if undo == nil || r.holds(mo.s, *undo) {
			continue
		}
		try := r.clone(mo)
		steps, ok := r.achieve(try, *undo, pursuit{depth: deepest - 2})
		if !ok || r.acting(steps) != 1 {
			continue
		}
		for i := range steps {
			steps[i].From = FromReversal
		}
		mo, out = try, append(out, steps...)
	}
	return out, mo, d.Start
}

// acting counts the actions that do more than move the robot.
func (r *recovery) acting(steps []PlanStep) int {
	n := 0
	for _, st := range steps {
		if !r.prepares[st.Call.Schema] {
			n++
		}
	}
	return n
}

// undoing is what was so of an action's object before it.
func (r *recovery) undoing(c state.Call, before *state.State) *literal {
	if before == nil || before.Gone(c.Target) {
		return nil
	}
	for _, ch := range before.Clone().Apply(c, state.Predicted, imagined) {
		was := before.Get(ch.Fluent)
		if ch.Fluent.Obj != c.Target || ch.Idle || was.Status == state.Unknown {
			continue
		}
		if was.At != state.Nothing {
			return &literal{x: c.Target, pred: r.onto.Core.Within, y: state.ObjectRef(was.At)}
		}
		return &literal{x: c.Target, pred: r.onto.Core.State, y: state.TermRef(was.Term)}
	}
	return nil
}

// grow searches the tree breadth first for the cheapest sequence after which the
// plan after the window goes through.
func (r *recovery) grow(d *Diagnosis, root *moment, from int) []PlanStep {
	end := d.End
	if r.options.WithoutWindow {
		end = len(d.sequence)
	}
	units := r.units(d, root, from, end)
	after := d.sequence[end:]
	queue := []*node{{mo: root, used: make([]bool, len(units))}}
	var best []PlanStep
	found := 0
	for n := 0; n < len(queue) && n < mostNodes && !r.exhausted(); n++ {
		at := queue[n]
		if best != nil && at.depth > found {
			break // sequences of more units are not looked at once there is one
		}
		if steps, ok := r.reachesEnd(at, after); ok && (best == nil || len(steps) < len(best)) {
			best, found = steps, at.depth
		}
		if at.depth >= deepestIn {
			continue
		}
		for i := range units {
			if child := r.child(at, units, i); child != nil {
				queue = append(queue, child)
			}
		}
	}
	return best
}

// child carries out a unit after a node: its dependencies hold, it changes the
// state, and it leaves something untouched that the unit before it set.
func (r *recovery) child(at *node, units []unit, i int) *node {
	if at.used[i] {
		return nil
	}
	mo := r.clone(at.mo)
	var steps []PlanStep
	var set []state.Fluent
	for _, st := range units[i] {
		if r.idle(mo.s, st.Call) {
			return nil
		}
		if len(r.violations(mo.s, st.Call)) > 0 {
			return nil
		}
		for _, x := range r.tooFar(mo.s, st.Call) {
			move, ok := r.goTo(mo, x)
			if !ok {
				return nil
			}
			steps = append(steps, move)
		}
		for _, ch := range r.perform(mo, st.Call) {
			if !ch.Idle {
				set = append(set, ch.Fluent)
			}
		}
		mo.strict = true
		r.note(mo, st.Call, st.From)
		steps = append(steps, st)
	}
	if len(set) == 0 || len(at.set) > 0 && !slices.ContainsFunc(at.set, func(f state.Fluent) bool { return !slices.Contains(set, f) }) {
		return nil
	}
	used := slices.Clone(at.used)
	used[i] = true
	return &node{mo: mo, used: used, steps: append(slices.Clip(at.steps), steps...), set: set, depth: at.depth + 1}
}

// reachesEnd carries out what comes after the window, with moves where they are
// needed, and reports whether the goal is reached.
func (r *recovery) reachesEnd(at *node, after []PlanStep) ([]PlanStep, bool) {
	mo := r.clone(at.mo)
	mo.strict = true
	steps := slices.Clip(at.steps)
	for _, st := range after {
		if r.prepares[st.Call.Schema] && !mo.s.Gone(st.Call.Target) {
			r.perform(mo, st.Call)
			r.note(mo, st.Call, st.From)
			steps = append(steps, st)
			continue
		}
		if r.idle(mo.s, st.Call) {
			continue
		}
		if len(r.violations(mo.s, st.Call)) > 0 {
			return nil, false
		}
		for _, x := range r.far(mo, st.Call, st.From) {
			move, ok := r.goTo(mo, x)
			if !ok {
				return nil, false
			}
			steps = append(steps, move)
		}
		r.perform(mo, st.Call)
		r.note(mo, st.Call, st.From)
		steps = append(steps, st)
	}
	return steps, r.reached(mo.s) && len(r.leftOn(mo.s)) == 0
}

// units are the candidates: actions of the strategies, those of the window, and
// what supplies what the failed action lacks.
func (r *recovery) units(d *Diagnosis, root *moment, from, end int) []unit {
	var out []unit
	add := func(u unit) {
		for _, have := range out {
			if len(have) == len(u) && !slices.ContainsFunc(u, func(st PlanStep) bool {
				return !slices.ContainsFunc(have, func(h PlanStep) bool { return r.sameCall(h.Call, st.Call) })
			}) {
				return
			}
		}
		out = append(out, u)
	}
	window := d.sequence[min(from, len(d.sequence))-1 : end]
	for i := 0; i < len(window); i++ {
		c := window[i].Call
		if r.prepares[c.Schema] || len(c.Schema.Effects) == 0 || c.Schema.Irreversible && from+i <= d.done {
			continue // what is done for good is only taken to be carried out again
		}
		u := unit{window[i]}
		if !slices.Contains(d.involved, c.Target) {
			for i+1 < len(window) && window[i+1].Call.Target == c.Target && !r.prepares[window[i+1].Call.Schema] {
				i++
				u = append(u, window[i])
			}
		}
		add(u)
	}
	if f := r.problem.Failure; f != nil && !r.options.WithoutStrategies {
		for _, s := range f.Strategies {
			for _, c := range s.Steps {
				if !s.AsksHuman && !s.Incomplete && !r.prepares[c.Schema] && len(c.Schema.Effects) > 0 {
					add(unit{{Call: c, From: FromStrategy}})
				}
			}
		}
	}
	if d.lacking != nil {
		for _, l := range d.lacking.literals {
			l.not = d.lacking.not
			try := r.clone(root)
			if steps, ok := r.achieve(try, l, pursuit{depth: 1}); ok {
				for _, st := range steps {
					if !r.prepares[st.Call.Schema] {
						add(unit{st})
					}
				}
			}
		}
	}
	return out
}
