package replan

import (
	"time"

	"github.com/mishap-robotics/mishap/engine"
)

// HierarchicalRun is what became of a run.
type HierarchicalRun struct {
	Goal    Intent        `json:"goal"`
	Plans   []PlanAttempt `json:"plans"`
	Ending  engine.Ending `json:"ending"`
	Reason  string        `json:"reason,omitempty"`  // why it was not completed
	Missing []string      `json:"missing,omitempty"` // parts of the goal not reached at the end
}

// PlanAttempt is one plan with what became of it.
type PlanAttempt struct {
	Number int       `json:"plan"` // from 1
	Plan   []Subtask `json:"subtasks"`
	// Refused says why the plan was not carried out, "" where it was.
	Refused string       `json:"refused,omitempty"`
	Steps   []SubtaskRun `json:"steps"`             // as far as it was carried out
	Left    string       `json:"left,omitempty"`    // why the rest was not carried out, though nothing failed
	Failure *PlanFailure `json:"failure,omitempty"` // that ended it, nil for none
	// Time is how long planning took.
	Time time.Duration `json:"planning_ns"`
}

// SubtaskResult is what became of a subtask.
type SubtaskResult string

// The results of subtasks.
const (
	Done   SubtaskResult = "done"
	Failed SubtaskResult = "failed"
)

// SubtaskRun is a subtask that was carried out. A search holds the subtasks that it led to.
type SubtaskRun struct {
	Subtask Subtask       `json:"subtask"`
	Answers []QueryAnswer `json:"answers,omitempty"`
	Refused []string      `json:"refused_questions,omitempty"` // with the reason
	Looked  []string      `json:"looked,omitempty"`            // the places that a search looked into
	Steps   []SubtaskRun  `json:"steps,omitempty"`
	Motion  []MotionStep  `json:"motion,omitempty"`
	Terms   []RewardTerm  `json:"terms,omitempty"`
	Dropped []DroppedTerm `json:"dropped_terms,omitempty"`
	// Cost is −Σ w·r of the terms at the end, nil where it was not measured.
	Cost   *float64      `json:"cost,omitempty"`
	Result SubtaskResult `json:"result"`
	Detail string        `json:"detail,omitempty"` // what was seen to be wrong
}

// RunObserver is told of a run as it happens.
type RunObserver interface {
	// Planned is called with each plan before it is carried out; Refused is set where it
	// is not.
	Planned(a *PlanAttempt)
	// Settled is called after each subtask, those of a search before it.
	Settled(s *SubtaskRun)
	// Failed is called with each failure, the reasons included.
	Failed(f *PlanFailure)
}
