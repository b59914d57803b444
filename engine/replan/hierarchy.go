// Package replan carries a goal out with plans of two levels, as RePlan does
// ("RePlan: Robotic Replanning with Perception and Language Models", algorithm 1): a
// high-level planner proposes subtasks, a low-level planner turns each into reward
// terms, a motion controller settles the terms, a perceiver answers questions about
// the scene, and a verifier says what was reached. What fails is explained by the
// perceiver, and another plan is made.
//
// The five are interfaces. Symbolic implements all of them with an engine.Monitor and
// an engine.Executor; a language model, a vision model or a real controller takes the
// place of any one. A Loop is for one run at a time, bounded in plans, subtasks and
// looks, and ends with its context.
package replan

import (
	"context"
	"errors"

	"github.com/mishap-robotics/mishap/engine/episode"
)

// Intent is what is to be reached.
type Intent struct {
	Text string `json:"text"` // in words
	// Conditions are the symbolic conditions in words, "YellowCube inside Cabinet", where
	// they are known.
	Conditions []string `json:"conditions,omitempty"`
}

// Subtask is one step of a high-level plan: it acts, asks or searches. One that asks
// or searches does nothing else.
type Subtask struct {
	Text string // in words
	// Action is the same as an action of the ontology; zero where the planner gave
	// text only.
	Action episode.Action
	// Ask are the questions of a subtask that asks.
	Ask []Query
	// Explore is the name of what a search is to find, "" for none.
	Explore string
}

// PlanRequest is what a high-level planner is asked for a plan with.
type PlanRequest struct {
	Goal  Intent
	Scene Scene
	// Missing are the parts of the goal that do not hold, in words.
	Missing []string
	// Answers are those of the perceiver so far, the last last.
	Answers []QueryAnswer
	// Failures are the plans that failed so far, with the reasons found.
	Failures []PlanFailure
	// Avoid are plans that must not be proposed again.
	Avoid [][]Subtask
	// Plan is the number of the plan asked for, from 1.
	Plan int
}

// PlanFailure is a plan that failed.
type PlanFailure struct {
	Number int       `json:"plan"` // of the plan, from 1
	Plan   []Subtask `json:"-"`
	// At is the index of the subtask that failed; the length of the plan where each
	// was done and the goal is not reached, -1 where the plan was refused.
	At      int      `json:"at"`
	Subtask *Subtask `json:"subtask,omitempty"` // that failed, nil for none
	Detail  string   `json:"detail"`            // what was seen to be wrong
	Reasons []Reason `json:"reasons,omitempty"` // what prevents the subtask, the likeliest first
	// Dropped are reasons that were given and not kept.
	Dropped []DroppedReason `json:"dropped_reasons,omitempty"`
}

// ErrNoPlan is what a high-level planner returns, perhaps wrapped with the reason,
// where it knows that no plan is left to try. It ends a run and is no error of it.
var ErrNoPlan = errors.New("there is no plan")

// HighLevelPlanner makes plans of subtasks.
type HighLevelPlanner interface {
	// Plan makes a plan from the scene to the goal that is none of those to avoid. A plan
	// may reach a part of the way only, such as to an answer. ErrNoPlan says that there
	// is none; another error ends the run.
	Plan(ctx context.Context, r *PlanRequest) ([]Subtask, error)
}

// Perceiver looks at the scene. Its errors end the run.
type Perceiver interface {
	// Scene is what is in the scene.
	Scene(ctx context.Context) (Scene, error)
	// Answer answers a question, with one word or a few; "" or Unclear where it cannot.
	// It is called once for each sample, counted from 0; the answers may differ.
	Answer(ctx context.Context, q Query, sample int) (string, error)
	// Prevents says what prevents a subtask that failed; question is one of
	// Paraphrases with the subtask filled in.
	Prevents(ctx context.Context, s Subtask, question string) ([]Reason, error)
}

// LowLevelPlanner turns a subtask that acts into motions and reward terms. Its errors
// end the run.
type LowLevelPlanner interface {
	// Motion is the motion plan of a subtask; none for one that moves nothing.
	Motion(ctx context.Context, s Subtask, scene Scene) ([]MotionStep, error)
	// Rewards are the reward terms of a motion plan, as text that ParseTerms reads.
	Rewards(ctx context.Context, s Subtask, steps []MotionStep, scene Scene) (string, error)
}

// ControlOutcome is what became of settling the terms of a subtask.
type ControlOutcome struct {
	Done   bool   // as far as the controller knows
	Detail string // what was seen to be wrong
	// Measure is by what the cost at the end is measured; nil for not at all.
	Measure Measure
}

// Controller moves the robot until reward terms are settled.
type Controller interface {
	// Run settles the terms of a subtask; one of them is primary, unless there are none.
	// That it fails is no error but an outcome; an error ends the run.
	Run(ctx context.Context, s Subtask, terms []RewardTerm) (ControlOutcome, error)
}

// Verifier says what was reached. Its errors end the run.
type Verifier interface {
	// Done reports whether a subtask was done, and what is wrong where it was not.
	Done(ctx context.Context, s Subtask) (done bool, detail string, err error)
	// Goal reports whether the goal is reached, and the parts of it that are not.
	Goal(ctx context.Context) (reached bool, missing []string, err error)
}

// Checker judges a plan before it is carried out, and what is left of it after an
// answer.
type Checker interface {
	// Check says why a plan cannot be carried out from what is known, "" where nothing
	// speaks against it. An error ends the run.
	Check(ctx context.Context, plan []Subtask) (why string, err error)
}

// Explorer leads a search.
type Explorer interface {
	// Next are subtasks after which one more place can be seen into, in which the thing
	// sought may be, with the name of the place; looked are the places so far. Without
	// subtasks nowhere is left to look. An error ends the run.
	Next(ctx context.Context, sought string, looked []string) (place string, steps []Subtask, err error)
}
