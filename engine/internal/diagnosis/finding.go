// Package diagnosis turns the conclusions of rules into findings: one for each
// thing that went wrong, of the most specific class, with what merely follows
// from it as its consequences.
package diagnosis

import (
	"github.com/mishap-robotics/mishap/rules"
)

// Finding is one failure.
type Finding struct {
	Type        string
	Step        int32 // where it shows
	Cause       int32 // the step that caused it; one past the last for a plan that stops too soon
	Window      [2]int32
	Agent       string // who acts at Step, "" where nobody does
	Planned     int    // 1-based index in the plan of the action at Step; 0 where unknown
	Objects     []string
	Clause      *rules.Clause
	Explanation string
	Evidence    []string
	Strategies  []Strategy
	// Consequences are later failures that merely follow from this one.
	Consequences []Consequence
	// Recovered is true where the robot made up for it: the goal was reached, or
	// nothing it disturbed is still disturbed at the end.
	Recovered bool
	goals     []*rules.Term // the goals of the clause with its bindings
}

// Consequence is a failure that follows from another.
type Consequence struct {
	Type        string
	Step        int32
	Objects     []string
	Explanation string
}

// Strategy is a recovery strategy that applies, with its actions.
type Strategy struct {
	Name        string
	Description string
	Actions     []string
	AsksHuman   bool
}
