package planner

import (
	"context"

	"github.com/mishap-robotics/mishap/engine/internal/state"
	"github.com/mishap-robotics/mishap/ontology"
)

// Problem is what is planned for.
type Problem struct {
	// Objects are those of the episode; objects that are imagined are added to them.
	Objects        *state.Objects
	Agent, Gripper state.Object
	// State is what is believed now; what is imagined gets its states there.
	State *state.State
	// Goal is what is asked for, with the objects that are chosen for its variables
	// already. Reached judges it.
	Goal    ontology.Goal
	Bound   state.Binding
	Reached func(s *state.State) bool
	// Exempt are the names of norms that do not apply.
	Exempt []string
	// Shuts are the objects that the plan for the task opens and shuts again.
	Shuts []state.Object
	// Excluded is what must not stay so, for a reason.
	Excluded []Literal
	Reason   string
	// Anywhere is true where the robot reaches everything wherever it stands.
	Anywhere bool
	// Apart is true where nothing is taken out of another gripper.
	Apart bool
	// Beside are the objects that were seen from where the robot stood when it had gone
	// to another, by that and the object, with where they were then.
	Beside map[[2]state.Object]state.Object
	// Assumed are objects whose place is only assumed: a plan that needs one looks
	// first whether it is there.
	Assumed []state.Object
	// Suspected are states that objects may be in: a plan looks before it does what such
	// a state would forbid.
	Suspected []Suspicion
	// Effort is how many actions may be simulated.
	Effort int
	// Sample numbers samples of plans that differ; 0 is the best.
	Sample int
}

// Planner is what planning for one problem takes, each part for itself.
type Planner struct {
	Domain       *Domain
	Inventory    *Inventory
	Constraints  *Constraints
	Budget       *Budget
	Reach        *Reach
	Simulator    *Simulator
	Goal         *Goal
	Reachability *Reachability
	Grounder     *Grounder
	Regression   *Regression
	Suspicions   *Suspicions
	Search       *Search
	Simplifier   *Simplifier
	Completion   *Completion
}

// New makes a planner for a problem.
func New(ctx context.Context, p *Problem) *Planner {
	d := newDomain(p)
	inventory := newInventory(d, p.State)
	constraints := &Constraints{domain: d, exempt: p.Exempt, excluded: p.Excluded, reason: p.Reason, forbidden: map[string]string{}, apart: p.Apart}
	budget := &Budget{ctx: ctx, limit: p.Effort}
	reach := &Reach{domain: d, anywhere: p.Anywhere, beside: p.Beside, assumed: p.Assumed}
	sim := &Simulator{domain: d, reach: reach, constraints: constraints, budget: budget}
	goal := &Goal{domain: d, inventory: inventory, goal: p.Goal, bound: p.Bound, exempt: p.Exempt, shuts: p.Shuts, reached: p.Reached}
	everything := &achievers{domain: d, inventory: inventory, sim: sim, whole: true}
	achievers := &achievers{domain: d, inventory: inventory, sim: sim, rotation: p.Sample}
	reachability := &Reachability{domain: d, sim: sim, achievers: everything, constraints: constraints}
	grounder := &Grounder{domain: d, goal: goal, sim: sim, reachability: reachability}
	suspicions := &Suspicions{domain: d, list: p.Suspected}
	regression := &Regression{domain: d, inventory: inventory, suspicions: suspicions, reach: reach, sim: sim, goal: goal, achievers: achievers, budget: budget}
	simplifier := &Simplifier{domain: d, sim: sim}
	search := &Search{domain: d, sim: sim, goal: goal, constraints: constraints, budget: budget, achievers: achievers, regression: regression, simplifier: simplifier}
	completion := &Completion{domain: d, sim: sim, goal: goal, budget: budget, grounder: grounder, regression: regression, search: search, simplifier: simplifier}
	return &Planner{d, inventory, constraints, budget, reach, sim, goal, reachability, grounder, regression, suspicions, search, simplifier, completion}
}
