package recovery

import (
	"strings"

	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/engine/internal/planner"
)

// Method is how a plan was found.
type Method string

// The methods, in the order in which they are tried.
const (
	GoOn           Method = "go on"         // what is left of the plan does as it is
	Insert         Method = "insert"        // one preparing action before the one that failed
	ByStrategy     Method = "strategy"      // a recovery strategy
	Subtree        Method = "subtree"       // adaptive subtree in the error window
	Repair         Method = "repair"        // the rest of the plan, with what is unmet in it
	Search         Method = "search"        // from the present state to the goal
	Relayed        Method = "relay"         // one robot does what another cannot, which does the rest
	Nearest        Method = "nearest"       // to as much of the goal as can be reached
	Advised        Method = "advice"        // as an adviser proposed
	RepairedAdvice Method = "mended advice" // the same, with what was unmet in it
)

// StrategyUse is the use of a strategy in a recovery.
type StrategyUse struct {
	Strategy  string
	Applied   bool
	Why       string // it was not applied
	AsksHuman bool
	Uses      UseCount // what came of it in episodes before, by Planner.Experience
}

// Proposal is what a planner proposes.
type Proposal struct {
	Steps []planner.Step
	// Plan is the same by names.
	Plan []episode.Action
	// Agents are who is to carry out each action of the plan; none where that is for all of
	// them the robot that acts where nobody is named.
	Agents []string
	// Verified is true where the plan was executed in the action model from what is
	// believed, reaches the goal, and violates no constraint.
	Verified    bool
	Method      Method
	Diagnosis   *Diagnosis
	Strategies  []StrategyUse
	Assumptions []string // what is unknown and relied on
	Unmet       []string // parts of the goal that the plan does not reach
	Impossible  []string // reasons for which the goal cannot be reached, with what is known
	Needs       []string // what would change that, as "a Knife" or "a person"
	Violated    []string // constraints that the plan does not keep, in words
	// Err says that the search was ended early, by the context or a limit of time, and in
	// which phase; nil where it was not. What was found by then is proposed.
	Err error
	// NeedsPerson says what a person would have to do.
	NeedsPerson []string
	// Exhausted is true where the search hit its bound: there may be a better plan.
	Exhausted bool
	Simulated int // actions
	// Advice is what an adviser said, nil where none was asked.
	Advice *Advice
}

// Bar says what keeps any plan from the goal, "" where nothing is known to: a proof that
// it cannot be reached, or a constraint that no plan keeps.
func (p *Proposal) Bar() string {
	switch {
	case p == nil:
	case len(p.Impossible) > 0:
		return "the goal cannot be reached: " + strings.Join(p.Impossible, "; ")
	case len(p.Violated) > 0:
		return "no plan keeps the constraints: " + strings.Join(p.Violated, "; ")
	}
	return ""
}
