package recovery

import (
	"slices"

	"github.com/mishap-robotics/mishap/engine/internal/planner"
	"github.com/mishap-robotics/mishap/engine/internal/state"
)

// subtree is the adaptive subtree of SDA-Planner (section 4.4).
type subtree struct {
	problem      *Problem
	options      Options
	domain       *planner.Domain
	sim          *planner.Simulator
	reach        *planner.Reach
	goal         *planner.Goal
	budget       *planner.Budget
	regression   *planner.Regression
	backtracking *backtracking
}

// unit is a candidate of the subtree: an action, or a run of actions on one object
// that has nothing to do with the error, which stays whole.
type unit []planner.Step

// branch is a sequence of units carried out from the root.
type branch struct {
	node  *planner.Node
	used  []bool // by unit
	steps []planner.Step
	set   []state.Fluent // by its last unit
	depth int            // in units
}

// Bounds of the tree.
const (
	maxBranches = 160
	maxUnits    = 8
)

// cheapest finds a sequence for the error window, from the present state, else from the
// state before the window, with what can be reversed undone; nil where there is none.
func (t *subtree) cheapest(d *Diagnosis, start *planner.Node) []planner.Step {
	if plan := t.from(d, start.Clone(), nil, max(d.Err, d.done+1)); plan != nil {
		return plan
	}
	if d.Start > d.done || d.unmet != nil && planner.Forbids(&d.unmet.violation) {
		return nil // nothing that was done lies in the window, or is to blame
	}
	reversed, node := t.reverse(d, start.Clone())
	return t.from(d, node, reversed, d.Start)
}

// from grows the tree from a node that some actions lead to. Actions before the window's
// start that are still to come are carried out first.
func (t *subtree) from(d *Diagnosis, node *planner.Node, before []planner.Step, first int) []planner.Step {
	lead := t.lead(d, node, first)
	steps := t.grow(d, node, first)
	if steps == nil {
		return nil
	}
	return slices.Concat(before, lead, steps)
}

// lead carries out the actions before the window that are still to come.
func (t *subtree) lead(d *Diagnosis, node *planner.Node, first int) []planner.Step {
	lead := d.sequence[min(d.done, d.Err-1):max(d.done, min(d.Start, first)-1)]
	for _, st := range lead {
		t.sim.Perform(node, st.Call)
	}
	return lead
}

// reverse undoes, last first, what was done in the window and can be undone.
func (t *subtree) reverse(d *Diagnosis, node *planner.Node) ([]planner.Step, *planner.Node) {
	var out []planner.Step
	for i := d.done; i >= d.Start; i-- {
		c := d.sequence[i-1].Call
		if c.Schema.Irreversible || t.domain.Prepares(c.Schema) || len(c.Schema.Effects) == 0 {
			continue
		}
		before, ok := t.undoing(c, t.backtracking.stateAfter(d, i-1))
		if !ok || t.sim.Holds(node.State, before) {
			continue
		}
		try := node.Clone()
		steps, ok := t.regression.Achieve(try, before, planner.MaxDepth-2)
		if !ok || t.domain.Acting(steps) != 1 {
			continue
		}
		for i := range steps {
			steps[i].From = FromReversal
		}
		node, out = try, append(out, steps...)
	}
	return out, node
}

// undoing is what was so of an action's object before it.
func (t *subtree) undoing(c state.Call, before *state.State) (l planner.Literal, ok bool) {
	if before == nil || before.Gone(c.Target) {
		return planner.Literal{}, false
	}
	for _, ch := range before.Clone().Apply(c, state.Predicted, planner.Imagined) {
		was := before.Get(ch.Fluent)
		if ch.Fluent.Obj != c.Target || ch.Idle || was.Status == state.Unknown {
			continue
		}
		if was.At != state.Nothing {
			return t.domain.PlacedAt(c.Target, was.At), true
		}
		return t.domain.InState(c.Target, was.Term), true
	}
	return planner.Literal{}, false
}

// grow searches the tree breadth first for the cheapest sequence after which the
// plan after the window goes through.
func (t *subtree) grow(d *Diagnosis, root *planner.Node, from int) []planner.Step {
	end := d.End
	if t.options.WithoutWindow {
		end = len(d.sequence)
	}
	var best []planner.Step
	found := 0
	t.branches(d, root, from, end, func(steps []planner.Step, depth int) bool {
		if best == nil || len(steps) < len(best) {
			best, found = steps, depth
		}
		return true
	}, func(depth int) bool {
		return best != nil && depth > found // sequences of more units are not looked at once there is one
	})
	return best
}

// branches visits the sequences of units after which the plan after the window goes through,
// those of fewer units first, until a visit ends it or, at a depth, it is enough.
func (t *subtree) branches(d *Diagnosis, root *planner.Node, from, end int, visit func(steps []planner.Step, depth int) bool, enough func(depth int) bool) {
	units := t.units(d, root, from, end)
	after := d.sequence[end:]
	queue := []*branch{{node: root, used: make([]bool, len(units))}}
	for n := 0; n < len(queue) && n < maxBranches && !t.budget.Exhausted(); n++ {
		at := queue[n]
		if enough(at.depth) {
			return
		}
		if steps, ok := t.reachesEnd(at, after); ok && !visit(steps, at.depth) {
			return
		}
		if at.depth >= maxUnits {
			continue
		}
		for i := range units {
			if child := t.child(at, units, i); child != nil {
				queue = append(queue, child)
			}
		}
	}
}

// each visits the sequences for the error window that reach the goal, from the present
// state and from the state before the window, until a visit ends it.
func (t *subtree) each(d *Diagnosis, start *planner.Node, visit func([]planner.Step) bool) {
	if !t.eachFrom(d, start.Clone(), nil, max(d.Err, d.done+1), visit) || d.Start > d.done {
		return
	}
	reversed, node := t.reverse(d, start.Clone())
	t.eachFrom(d, node, reversed, d.Start, visit)
}

func (t *subtree) eachFrom(d *Diagnosis, node *planner.Node, before []planner.Step, first int, visit func([]planner.Step) bool) bool {
	before = slices.Concat(before, t.lead(d, node, first))
	goOn := true
	t.branches(d, node, first, d.End, func(steps []planner.Step, _ int) bool {
		goOn = visit(slices.Concat(before, steps))
		return goOn
	}, func(int) bool { return false })
	return goOn
}

// child carries out a unit after a branch: its dependencies hold, it changes the
// state, and it leaves something untouched that the unit before it set.
func (t *subtree) child(at *branch, units []unit, i int) *branch {
	if at.used[i] {
		return nil
	}
	node := at.node.Clone()
	var steps []planner.Step
	var set []state.Fluent
	for _, st := range units[i] {
		if t.sim.Idle(node.State, st.Call) || len(t.sim.Violations(node.State, st.Call)) > 0 {
			return nil
		}
		var ok bool
		if steps, ok = t.sim.Approach(node, steps, t.reach.TooFar(node.State, st.Call)); !ok {
			return nil
		}
		for _, ch := range t.sim.Perform(node, st.Call) {
			if !ch.Idle {
				set = append(set, ch.Fluent)
			}
		}
		node.Strict = true
		t.sim.Note(node, st.Call, st.From)
		steps = append(steps, st)
	}
	if len(set) == 0 || len(at.set) > 0 && !slices.ContainsFunc(at.set, func(f state.Fluent) bool { return !slices.Contains(set, f) }) {
		return nil
	}
	used := slices.Clone(at.used)
	used[i] = true
	return &branch{node: node, used: used, steps: append(slices.Clip(at.steps), steps...), set: set, depth: at.depth + 1}
}

// reachesEnd carries out what comes after the window, with moves where they are
// needed, and reports whether the goal is reached.
func (t *subtree) reachesEnd(at *branch, after []planner.Step) ([]planner.Step, bool) {
	node := at.node.Clone()
	node.Strict = true
	steps, ok := slices.Clip(at.steps), true
	for _, st := range after {
		if t.domain.Prepares(st.Call.Schema) && !node.State.Gone(st.Call.Target) {
			t.sim.Perform(node, st.Call)
			t.sim.Note(node, st.Call, st.From)
			steps = append(steps, st)
			continue
		}
		if t.sim.Idle(node.State, st.Call) {
			continue
		}
		if len(t.sim.Violations(node.State, st.Call)) > 0 {
			return nil, false
		}
		if steps, ok = t.sim.Continue(node, steps, st); !ok {
			return nil, false
		}
	}
	return steps, t.goal.Reached(node.State) && !t.goal.LeavesOn(node.State)
}

// units are the candidates: those of the window, actions that somebody else proposes,
// those of the strategies, and what achieves the unmet conditions of the failed action.
func (t *subtree) units(d *Diagnosis, root *planner.Node, first, end int) []unit {
	var out []unit
	add := func(u unit) {
		if !slices.ContainsFunc(out, u.same) {
			out = append(out, u)
		}
	}
	for _, u := range t.windowUnits(d, first, end) {
		add(u)
	}
	for _, c := range t.problem.Corrective {
		if !t.domain.Prepares(c.Schema) && len(c.Schema.Effects) > 0 {
			add(unit{planner.Step{Call: c, From: planner.FromAdvice}})
		}
	}
	for _, st := range t.strategySteps() {
		add(unit{st})
	}
	if d.unmet == nil {
		return out
	}
	for _, l := range d.unmet.literals {
		l.Negated = d.unmet.negated
		steps, ok := t.regression.Achieve(root.Clone(), l, 1)
		if !ok {
			continue
		}
		for _, st := range steps {
			if !t.domain.Prepares(st.Call.Schema) {
				add(unit{st})
			}
		}
	}
	return out
}

// same reports whether two units are of the same actions.
func (u unit) same(other unit) bool {
	return len(u) == len(other) && !slices.ContainsFunc(u, func(st planner.Step) bool {
		return !slices.ContainsFunc(other, func(o planner.Step) bool { return planner.SameCall(o.Call, st.Call) })
	})
}

// windowUnits are those of the actions in the window. What is done for good is only taken
// to be carried out again.
func (t *subtree) windowUnits(d *Diagnosis, first, end int) []unit {
	var out []unit
	window := d.sequence[min(first, len(d.sequence))-1 : end]
	for i := 0; i < len(window); i++ {
		c := window[i].Call
		if t.domain.Prepares(c.Schema) || len(c.Schema.Effects) == 0 || c.Schema.Irreversible && first+i <= d.done {
			continue
		}
		u := unit{window[i]}
		if !slices.Contains(d.involved, c.Target) {
			for i+1 < len(window) && window[i+1].Call.Target == c.Target && !t.domain.Prepares(window[i+1].Call.Schema) {
				i++
				u = append(u, window[i])
			}
		}
		out = append(out, u)
	}
	return out
}

// strategySteps are the actions of the strategies that change something.
func (t *subtree) strategySteps() []planner.Step {
	f := t.problem.Failure
	if f == nil || t.options.WithoutStrategies {
		return nil
	}
	var out []planner.Step
	for _, s := range f.Strategies {
		if s.AsksHuman || s.Incomplete {
			continue
		}
		for _, c := range s.Steps {
			if !t.domain.Prepares(c.Schema) && len(c.Schema.Effects) > 0 {
				out = append(out, planner.Step{Call: c, From: FromStrategy})
			}
		}
	}
	return out
}
