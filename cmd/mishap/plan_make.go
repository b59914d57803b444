package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/mishap-robotics/mishap/bridge/report"
	"github.com/mishap-robotics/mishap/engine"
)

// planMaking makes a plan for the task of a log.
type planMaking struct {
	format, id, instruction string
	by                      mapped
	explain                 bool
	models                  modelFlags
}

func newPlanMake(k *knowledge) *cobra.Command {
	p := &planMaking{}
	c := &cobra.Command{
		Use:   "make LOG",
		Short: "Make a plan for the task of a log, from the scene that it begins in",
		Long: `Make a plan for the task of a log, from the scene at its step 0: an instruction is
taken apart into actions. What was planned and done in the log does not count. A plan
is verified where, carried out in the action model, it reaches the goal and goes
against no constraint.

With --instruction another goal in words takes the place of that of the log; "mishap
goal" shows how it is read. LOG is one log as "mishap check" takes it.
` + modelHelp + `

Exit code: 0 there is a verified plan, or nothing to do, 3 there is none, 2 the call
or the input is bad.`,
		Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			return closing(&p.models, p.run(c.Context(), k, args[0]))
		},
	}
	f := c.Flags()
	p.by.flags(f)
	f.StringVar(&p.format, "format", "text", "text or json")
	f.StringVar(&p.id, "episode", "", "id of the episode, where the log holds several")
	f.StringVar(&p.instruction, "instruction", "", "goal in words, in place of that of the log")
	f.BoolVar(&p.explain, "explain", false, "show what a model said")
	p.models.flags(f)
	p.models.planning(f)
	return c
}

func (p *planMaking) run(ctx context.Context, k *knowledge, path string) error {
	if p.format != "text" && p.format != "json" {
		return fmt.Errorf("--format %q; expected text or json", p.format)
	}
	r, err := k.reasoner()
	if err != nil {
		return err
	}
	var planner engine.Planner
	if err := p.models.advise(&planner); err != nil {
		return err
	}
	ep, err := p.by.one(r.Ontology, path, p.id)
	if err != nil {
		return err
	}
	if p.instruction != "" {
		ep.Task, ep.Goal, ep.GoalFacts = p.instruction, p.instruction, nil
	}
	proposal, trace, err := r.FirstPlan(ctx, ep, planner)
	if err != nil {
		return err
	}
	out := report.NewFirstPlan(proposal, trace, ep)
	if p.format == "json" {
		err = out.JSON(stdout)
	} else {
		err = out.Text(stdout, style(), p.explain)
	}
	if err == nil && !out.Verified {
		return exit{exitUnrecovered}
	}
	return err
}
