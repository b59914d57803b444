package replan

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/mishap-robotics/mishap/engine"
)

// The bounds of a run by default.
const (
	DefaultMaxPlans    = 10
	DefaultMaxSubtasks = 60
	DefaultMaxLooks    = 20
	DefaultRepeat      = 3
	// MaxQueries is how many questions one subtask may ask.
	MaxQueries = 2
)

// HierarchicalLoop is RePlan's loop (algorithm 1). It may be used for several runs, one at a time.
type HierarchicalLoop struct {
	Planner    HighLevelPlanner
	Perceiver  Perceiver
	LowLevel   LowLevelPlanner
	Verifier   Verifier
	Controller Controller
	// Checker judges plans beforehand; nil for nobody.
	Checker Checker
	// Explorer leads searches; nil where there are none: a subtask that searches then
	// fails.
	Explorer Explorer

	// MaxPlans is how many plans are asked for, refused ones included;
	// DefaultMaxPlans where 0.
	MaxPlans int
	// MaxSubtasks is how many subtasks a plan may have; DefaultMaxSubtasks where 0.
	MaxSubtasks int
	// MaxLooks is how many places one search looks into; DefaultMaxLooks where 0.
	MaxLooks int
	// Repeat is how often each question is put; DefaultRepeat where 0.
	Repeat int
	// Observer is told what happens; nil for nobody.
	Observer RunObserver
}

// Run carries a goal out. The course is that of the run as far as it came. The error is
// that of the context or of one of the interfaces; that the goal is not reached is none.
func (l *HierarchicalLoop) Run(ctx context.Context, goal Intent) (*HierarchicalRun, error) {
	if l.Planner == nil || l.Perceiver == nil || l.LowLevel == nil || l.Verifier == nil || l.Controller == nil {
		return nil, errors.New("a loop lacks one of its parts; expected a planner, a perceiver, a low-level planner, a verifier and a controller")
	}
	r := &run{HierarchicalLoop: l, course: &HierarchicalRun{Goal: goal, Plans: []PlanAttempt{}}}
	if err := r.all(ctx); err != nil {
		r.course.Ending, r.course.Reason = engine.Unfinished, err.Error()
		return r.course, err
	}
	return r.course, nil
}

type run struct {
	*HierarchicalLoop
	course   *HierarchicalRun
	answers  []QueryAnswer
	failures []PlanFailure
	avoid    [][]Subtask
}

func orDefault(n, otherwise int) int {
	if n > 0 {
		return n
	}
	return otherwise
}

// all makes plans and carries them out until the goal is reached.
func (r *run) all(ctx context.Context) error {
	if reached, err := r.reached(ctx); reached || err != nil {
		return err
	}
	most := orDefault(r.MaxPlans, DefaultMaxPlans)
	for n := 1; n <= most; n++ {
		if err := ctx.Err(); err != nil {
			return err
		}
		a, err := r.plan(ctx, n)
		switch {
		case errors.Is(err, ErrNoPlan):
			r.course.Ending, r.course.Reason = engine.Stopped, err.Error()
			return nil
		case err != nil:
			return err
		}
		done, err := r.attempt(ctx, a)
		if done || err != nil {
			return err
		}
	}
	r.course.Ending, r.course.Reason = engine.Hopeless, fmt.Sprintf("the goal was not reached with %d plans, the most that are allowed", most)
	return nil
}

// reached ends the run where the goal is reached.
func (r *run) reached(ctx context.Context) (bool, error) {
	reached, missing, err := r.Verifier.Goal(ctx)
	if err != nil {
		return false, fmt.Errorf("verifying the goal: %w", err)
	}
	r.course.Missing = missing
	if reached {
		r.course.Ending, r.course.Missing = engine.Completed, nil
	}
	return reached, nil
}

// plan asks for the next plan.
func (r *run) plan(ctx context.Context, n int) (*PlanAttempt, error) {
	scene, err := r.Perceiver.Scene(ctx)
	if err != nil {
		return nil, fmt.Errorf("looking at the scene: %w", err)
	}
	began := time.Now()
	subtasks, err := r.Planner.Plan(ctx, &PlanRequest{Goal: r.course.Goal, Scene: scene, Missing: r.course.Missing,
		Answers: r.answers, Failures: r.failures, Avoid: r.avoid, Plan: n})
	if err != nil {
		return nil, fmt.Errorf("plan %d: %w", n, err)
	}
	r.course.Plans = append(r.course.Plans, PlanAttempt{Number: n, Plan: subtasks, Steps: []SubtaskRun{}, Time: time.Since(began)})
	return &r.course.Plans[n-1], nil
}

// attempt carries a plan out, unless it is refused, and judges the goal.
func (r *run) attempt(ctx context.Context, a *PlanAttempt) (done bool, err error) {
	if len(a.Plan) == 0 { // nothing is left to do, as the planner has it
		done, err = r.reached(ctx)
	}
	if !done && err == nil {
		a.Refused, err = r.refuse(ctx, a.Plan)
	}
	if err != nil {
		return true, err
	}
	if r.Observer != nil {
		r.Observer.Planned(a)
	}
	switch {
	case done:
		return true, nil
	case a.Refused != "":
		r.fail(a, PlanFailure{At: -1, Detail: "the plan was refused: " + a.Refused})
		return false, nil
	}
	f, err := r.carryOut(ctx, a)
	if err != nil {
		return true, err
	}
	if f != nil {
		r.fail(a, *f)
		return false, nil
	}
	reached, err := r.reached(ctx)
	if err != nil || reached {
		return true, err
	}
	if a.Left == "" && !informs(a.Plan) {
		r.fail(a, PlanFailure{At: len(a.Plan), Detail: lacking(r.course.Missing)})
	}
	return false, nil
}

// informs reports whether the purpose of a plan was to learn something: it ends with
// a question or a search.
func informs(plan []Subtask) bool {
	last := &plan[len(plan)-1]
	return last.Asks() || last.Explore != ""
}

// fail remembers a failure, so that the plan is not made again.
func (r *run) fail(a *PlanAttempt, f PlanFailure) {
	f.Number, f.Plan = a.Number, a.Plan
	a.Failure = &f
	r.failures = append(r.failures, f)
	r.avoid = append(r.avoid, a.Plan)
	if r.Observer != nil {
		r.Observer.Failed(&f)
	}
}
