package replan

import (
	"time"

	"github.com/mishap-robotics/mishap/engine"
)

// Run is what became of a run.
type Run struct {
	Goal    Goal          `json:"goal"`
	Plans   []Attempt     `json:"plans"`
	Ending  engine.Ending `json:"ending"`
	Reason  string        `json:"reason,omitempty"`  // why it was not completed
	Missing []string      `json:"missing,omitempty"` // parts of the goal not reached at the end
}

// Attempt is one plan with what became of it.
type Attempt struct {
	Number int       `json:"plan"` // from 1
	Plan   []Subtask `json:"subtasks"`
	// Refused says why the plan was not carried out, "" where it was.
	Refused string   `json:"refused,omitempty"`
	Steps   []Step   `json:"steps"`             // as far as it was carried out
	Left    string   `json:"left,omitempty"`    // why the rest was not carried out, though nothing failed
	Failure *Failure `json:"failure,omitempty"` // that ended it, nil for none
	// Time is how long planning took.
	Time time.Duration `json:"planning_ns"`
}

// Result is what became of a subtask.
type Result string

// The results of subtasks.
const (
	Done   Result = "done"
	Failed Result = "failed"
)

// Step is a subtask that was carried out. A search holds the subtasks that it led to.
type Step struct {
	Subtask Subtask       `json:"subtask"`
	Answers []Answer      `json:"answers,omitempty"`
	Refused []string      `json:"refused_questions,omitempty"` // with the reason
	Looked  []string      `json:"looked,omitempty"`            // the places that a search looked into
	Steps   []Step        `json:"steps,omitempty"`
	Motion  []MotionStep  `json:"motion,omitempty"`
	Terms   []Term        `json:"terms,omitempty"`
	Dropped []DroppedTerm `json:"dropped_terms,omitempty"`
	// Cost is −Σ w·r of the terms at the end, nil where it was not measured.
	Cost   *float64 `json:"cost,omitempty"`
	Result Result   `json:"result"`
	Detail string   `json:"detail,omitempty"` // what was seen to be wrong
}

// RunObserver is told of a run as it happens.
type RunObserver interface {
	// Planned is called with each plan before it is carried out; Refused is set where it
	// is not.
	Planned(a *Attempt)
	// Settled is called after each subtask, those of a search before it.
	Settled(s *Step)
	// Failed is called with each failure, the reasons included.
	Failed(f *Failure)
}
