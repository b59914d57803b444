package main

import (
	"context"
	"errors"

	"github.com/mishap-robotics/mishap/bridge/advice"
	"github.com/mishap-robotics/mishap/bridge/report"
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
	told := r.reporter(robot)
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
	result, err := loop.Run(ctx, s.Intent())
	if result == nil {
		return err
	}
	if errors.Is(err, context.Canceled) {
		result.Reason, err = "interrupted", nil
	}
	report.WriteRuleErrors(stderr, robot.Episode().ID, s.Errors())
	told.Run.Hierarchy = result
	if model != nil {
		told.Asked(&report.HierarchyModel{Name: model.Name(), Followed: model.Followed, Notes: append([]string{}, model.Notes...), Cost: report.NewCost(model.Cost)})
	}
	r.ended(told, robot, result.Ending, result.Reason)
	return errors.Join(err, told.Err, r.write(s.Episode()))
}
