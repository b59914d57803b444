package planner

import (
	"slices"

	"github.com/mishap-robotics/mishap/engine/internal/state"
	"github.com/mishap-robotics/mishap/ontology"
)

// Completion follows plans and achieves the conditions that are unmet in them.
type Completion struct {
	domain     *Domain
	sim        *Simulator
	goal       *Goal
	budget     *Budget
	grounder   *Grounder
	regression *Regression
	search     *Search
	simplifier *Simplifier
}

// Complete follows a plan from a node: before what cannot be done its unmet conditions
// are achieved, what is so already is left out, and in the end what is unmet of the goal
// is added; missed is what could not be.
func (c *Completion) Complete(start *Node, plan []Step, goals []GroundGoal) (steps []Step, missed []Literal) {
	node := start.Clone()
	steps = c.search.Undo(node)
	plan, last := c.beforeTheLast(plan)
	follow := func(plan []Step) { steps, node = c.followed(plan, steps, node) }
	follow(plan)
	if len(last) > 0 && c.moreUnmet(node) {
		last = nil // what is to run in the end is switched on when all else is so
	}
	follow(last)
	if now := c.grounder.Ground(node.State); len(now) > 0 && !c.goal.Reached(node.State) || len(c.goal.LeftOn(node.State)) > 0 {
		if len(now) == 0 {
			now = append(now, GroundGoal{})
		}
		more, left := c.search.PartByPart(node, &now[0])
		steps, missed = append(steps, more...), left
	}
	steps = append(steps, c.CloseAgain(start, node, steps)...)
	c.goal.PursueFirst(goals)
	return c.simplifier.Simplify(start, steps), missed
}

// beforeTheLast parts a plan before the actions at its end that switch on what the
// goal asks to be on.
func (c *Completion) beforeTheLast(plan []Step) (before, last []Step) {
	on := c.domain.Onto.Roles.Running
	n := len(plan)
	for n > 0 && (c.domain.Prepares(plan[n-1].Call.Schema) && n < len(plan) || c.domain.Onto.Sets(plan[n-1].Call.Schema, on) && c.goal.Wants(plan[n-1].Call.Target, on)) {
		n--
	}
	return plan[:n], plan[n:]
}

// moreUnmet reports whether more of the goal is unmet than that something runs.
func (c *Completion) moreUnmet(node *Node) bool {
	return slices.ContainsFunc(c.goal.pursued, func(l Literal) bool { return c.domain.Order(l) != Running && !c.sim.Holds(node.State, l) })
}

// CloseAgain closes what a plan opened and would leave open.
func (c *Completion) CloseAgain(start, node *Node, steps []Step) []Step {
	shut := c.domain.Onto.Roles.Enclosing
	if shut == ontology.None {
		return nil
	}
	var opened []state.Object
	during := start.Clone()
	for i := range steps {
		opened = c.goal.Opened(opened, during.State, &steps[i])
		c.sim.Perform(during, steps[i].Call)
	}
	var out []Step
	for _, x := range c.goal.LeftOpen(node.State, opened) {
		try := node.Clone()
		more, ok := c.regression.Achieve(try, c.domain.InState(x, shut), MaxDepth-4)
		if ok && c.goal.Reached(try.State) == c.goal.Reached(node.State) {
			*node = *try
			out = append(out, more...)
		}
	}
	return out
}

// followed follows actions of a plan from a node.
func (c *Completion) followed(plan, steps []Step, node *Node) ([]Step, *Node) {
	for i := range plan {
		call := plan[i].Call
		node.Strict = node.Strict || plan[i].Far
		if c.sim.Idle(node.State, call) || c.budget.Exhausted() {
			continue
		}
		try := node.Clone()
		more, ok := c.regression.CarryOut(try, call, 1, plan[i].From)
		if !ok {
			c.sim.Skip(node, call)
			continue
		}
		steps, node = append(steps, more...), try
	}
	return steps, node
}
