package main

import (
	"context"
	"errors"

	"github.com/mishap-robotics/mishap/bridge/advice"
	"github.com/mishap-robotics/mishap/bridge/report"
	"github.com/mishap-robotics/mishap/engine"
	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/engine/replan"
	"github.com/mishap-robotics/mishap/engine/simulation"
)

// The planners of mishap run.
const (
	byRepair     = "repair"       // the plan is followed, and corrected
	hierarchical = "hierarchical" // RePlan's loop
)

// hierarchical carries one scenario out by RePlan's loop.
func (r *running) hierarchical(ctx context.Context, robot *simulation.Robot) error {
	ep := robot.Episode()
	told := &hierarchyTeller{teller{running: r, robot: robot, ep: *ep, run: report.Run{ID: ep.ID, Task: ep.Task, Actions: []report.RunAction{}, Corrections: []report.Correction{}}}}
	s, err := replan.NewSymbolic(ctx, r.reasoner, robot, ep, r.planner)
	if err != nil {
		return err
	}
	told.Acted(s.Episode().Steps[0], nil)
	s.Told = func(st episode.Step) { told.Acted(st, nil) }
	loop := s.Loop()
	var model *advice.Hierarchy
	if a, ok := r.planner.Adviser.(*advice.Adviser); ok {
		model = advice.NewHierarchy(a, s, r.reasoner.Ontology)
		loop = model.Loop()
	}
	loop.MaxPlans, loop.Observer = r.maxPlans, told
	course, err := loop.Run(ctx, s.Intent())
	if course == nil {
		return err
	}
	if errors.Is(err, context.Canceled) {
		course.Reason, err = "interrupted", nil
	}
	r.failed = r.failed || course.Ending != engine.Completed
	told.run.Hierarchy = course
	if model != nil {
		told.run.ByModel = &report.HierarchyModel{Name: model.Name(), Followed: model.Followed, Notes: append([]string{}, model.Notes...), Cost: report.NewCost(model.Cost)}
		told.tell(map[string]any{"event": "asked", "model": told.run.ByModel}, func(report.Style) error { return told.run.ByModel.Text(r.stdout) })
	}
	told.end(&engine.RunResult{Ending: course.Ending, Reason: course.Reason})
	r.report.Runs = append(r.report.Runs, told.run)
	return errors.Join(err, told.err, r.write(s.Episode()))
}

// hierarchyTeller tells of a run by RePlan's loop as it happens.
type hierarchyTeller struct{ teller }

// Planned tells of a plan.
func (t *hierarchyTeller) Planned(a *replan.Attempt) {
	t.tell(map[string]any{"event": "planned", "plan": a.Number, "subtasks": a.Plan, "refused": a.Refused}, func(s report.Style) error { return report.WritePlan(t.stdout, s, a) })
}

// Settled tells of a subtask.
func (t *hierarchyTeller) Settled(st *replan.Step) {
	t.tell(map[string]any{"event": "subtask", "step": st}, func(s report.Style) error { return report.WriteSubtask(t.stdout, s, st) })
}

// Failed tells of a failure.
func (t *hierarchyTeller) Failed(f *replan.Failure) {
	t.tell(map[string]any{"event": "failed", "failure": f}, func(s report.Style) error { return report.WriteFailure(t.stdout, s, f) })
}
