package main

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/mishap-robotics/mishap/bridge/logs/jsonl"
	"github.com/mishap-robotics/mishap/bridge/report"
	"github.com/mishap-robotics/mishap/engine"
	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/engine/replan"
	"github.com/mishap-robotics/mishap/engine/simulation"
	"github.com/mishap-robotics/mishap/ontology"
)

// running carries scenarios out in the simulated kitchen and recovers.
type running struct {
	staging
	format        string
	folder        string // to write the episodes to, "" for none
	force         bool   // over what is there
	files         *jsonl.Folder
	planner       engine.Planner
	models        modelFlags
	reactive      bool
	trigger       trigger
	maxRecoveries int
	maxPlans      int
	how           string // the planner

	onto     *ontology.Ontology // with what simulated kitchens are made of
	reasoner *engine.Reasoner
	stdout   io.Writer
	report   report.Runs
	failed   bool // a run was not completed
}

func newRun(k *knowledge) *cobra.Command {
	r := &running{stdout: stdout}
	c := &cobra.Command{
		Use:   "run (--task TASK | --scenario FILE) [--fail FAILURE]…",
		Short: "Carry a task out in the simulated kitchen, and recover from what goes wrong",
		Long: `Carry a task out in the simulated kitchen, action by action: what the robot sees
after each is checked, what is left of the plan is foreseen, and what goes wrong or
will is corrected with a plan of recovery. The robot knows the task and its plan,
not what is to befall it.

With --trigger score the scene before each action that changes something is scored
against the expected one, and what is to come is reasoned about only where the score is
below --threshold; where no rule explains that, it is planned anew all the same.

With --planner hierarchical it is carried out by RePlan's loop: plans of subtasks that
act, ask or search, reward terms for each, and another plan, with what prevents it
found out, where a subtask fails.

TASK, FAILURE, --step, --seed and --noise are those of "mishap sim"; --list there
shows the scenarios and failures. Several --fail are injected one after the other.
With noise the robot looks again after each action; the text leaves that out.
Ctrl-C ends a run with what was done so far.
` + modelHelp + `

Exit code: 0 each run was completed, 3 one was not, 2 the call or an input is bad.`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if err := r.check(); err != nil {
				return err
			}
			var err error
			if r.onto, err = k.loadSimulation(); err != nil {
				return err
			}
			if r.reasoner, err = k.reasoner(); err != nil {
				return err
			}
			if err := r.trigger.prepare(r.reasoner); err != nil {
				return err
			}
			if err := r.models.advise(&r.planner); err != nil {
				return err
			}
			return closing(&r.models, r.all(c.Context()))
		},
	}
	f := c.Flags()
	r.staging.flags(f, k)
	f.StringArrayVar(&r.fails, "fail", nil, "failure to inject; may be given several times")
	f.StringVar(&r.how, "planner", byRepair, "repair, which follows the plan and corrects it, or hierarchical, which is RePlan's loop")
	f.IntVar(&r.maxPlans, "max-plans", replan.DefaultMaxPlans, "how many plans end a run of the hierarchical planner")
	f.BoolVar(&r.reactive, "reactive", false, "recover only from what has gone wrong, not from what will")
	r.trigger.flags(f)
	f.IntVar(&r.maxRecoveries, "max-recoveries", engine.DefaultMaxRecoveries, "how many corrections of the plan end a run")
	f.BoolVar(&r.planner.WithoutStrategies, "no-strategies", false, "plan without the recovery strategies of the ontology")
	f.BoolVar(&r.planner.WithoutWindow, "no-window", false, "plan anew to the end of the plan, not in the error window alone")
	f.BoolVar(&r.planner.WithoutTree, "no-tree", false, "plan without the adaptive subtree")
	r.models.flags(f)
	r.models.planning(f)
	f.StringVar(&r.format, "format", "text", "text, json or jsonl")
	f.StringVarP(&r.folder, "output", "o", "", "folder to write the episodes to")
	f.BoolVar(&r.force, "force", false, "overwrite files that are there already")
	return c
}

func (r *running) check() error {
	if err := r.staging.check(); err != nil {
		return err
	}
	switch {
	case r.format != "text" && r.format != "json" && r.format != "jsonl":
		return fmt.Errorf("--format %q; expected text, json or jsonl", r.format)
	case r.how != byRepair && r.how != hierarchical:
		return fmt.Errorf("--planner %q; expected repair or hierarchical", r.how)
	case r.trigger.by == byScore && (r.reactive || r.how == hierarchical):
		return fmt.Errorf("--trigger score with %s; expected one of them", map[bool]string{true: "--reactive", false: "--planner hierarchical"}[r.reactive])
	case r.maxPlans < 1:
		return fmt.Errorf("--max-plans %d; expected at least 1", r.maxPlans)
	case r.maxRecoveries < 1:
		return fmt.Errorf("--max-recoveries %d; expected at least 1", r.maxRecoveries)
	}
	return nil
}

// all carries out each scenario with each seed.
func (r *running) all(ctx context.Context) error {
	if r.folder != "" {
		r.files = jsonl.NewFolder(r.folder)
		r.files.Overwrite = r.force
	}
	scenarios, err := r.scenarios(r.onto)
	r.complain(err)
	for _, sc := range scenarios {
		for i := range uint64(r.count) {
			if ctx.Err() != nil {
				break
			}
			r.complain(r.one(ctx, sc, r.seed+i))
		}
	}
	if r.format == "json" {
		if err := r.report.JSON(r.stdout); err != nil {
			return err
		}
	}
	switch {
	case len(r.report.Errors) > 0:
		return exit{exitBad}
	case r.failed || ctx.Err() != nil:
		return exit{exitUnrecovered}
	}
	return nil
}

// complain reports an input that is bad; the others are run all the same.
func (r *running) complain(err error) {
	r.report.Errors = append(r.report.Errors, report.WriteErrors(stderr, err)...)
}

// one carries out one scenario.
func (r *running) one(ctx context.Context, sc *simulation.Scenario, seed uint64) error {
	staged, err := r.stage(r.onto, sc, seed)
	if err != nil {
		return err
	}
	robot, err := simulation.NewRobot(r.onto, staged, simulation.Options{Noise: r.rates, Seed: seed})
	if err != nil {
		return err
	}
	if r.how == hierarchical {
		return r.hierarchical(ctx, robot)
	}
	told := r.reporter(robot)
	scoring, err := r.trigger.of(robot.Episode())
	if err != nil {
		return err
	}
	loop := engine.Loop{Trigger: scoring, Reasoner: r.reasoner, Executor: robot, Planner: r.planner, Reactive: r.reactive, MaxRecoveries: r.maxRecoveries, Observer: told}
	result, err := loop.Run(ctx, robot.Episode())
	if result == nil {
		return err
	}
	if errors.Is(err, context.Canceled) {
		result.Reason, err = "interrupted", nil
	}
	report.WriteRuleErrors(stderr, robot.Episode().ID, result.Errors)
	r.ended(told, robot, result.Ending, result.Reason)
	return errors.Join(err, told.Err, r.write(result.Episode))
}

func (r *running) write(ep *episode.Episode) error {
	if r.files == nil {
		return nil
	}
	base, err := r.files.Write(ep)
	if err == nil && r.format == "text" {
		_, err = fmt.Fprintf(r.stdout, "  written to %s.jsonl\n", base)
	}
	return orForce(err)
}

// reporter reports the run of a robot as it happens.
func (r *running) reporter(robot *simulation.Robot) *report.RunReporter {
	out := &report.RunReporter{W: r.stdout, Style: style(), Format: report.Format(r.format), WithoutLooks: r.rates != (simulation.Noise{})}
	if look := r.onto.Roles.Look; look != nil {
		out.Look = look.Name
	}
	out.Became = func(st episode.Step) report.RunAction { return actionOf(st, robot.Results[len(robot.Results)-1]) }
	out.Start(robot.Episode())
	return out
}

// ended reports how a run ended, and keeps it.
func (r *running) ended(told *report.RunReporter, robot *simulation.Robot, how engine.Ending, reason string) {
	r.failed = r.failed || how != engine.Completed
	told.End(report.RunEnd{Ending: string(how), Reason: reason, GoalReached: robot.Reached(), Disturbed: robot.Disturbed()})
	r.report.Runs = append(r.report.Runs, told.Run)
}

// actionOf is the report of the action of a step, with what really became of it.
func actionOf(st episode.Step, out simulation.ActionResult) report.RunAction {
	a := report.RunAction{Step: st.Index, Time: st.Time, Action: st.Action.String(), Agent: st.Agent, Outcome: report.Done, Why: out.Reasons(), Dropped: out.Dropped, Taken: out.Taken}
	switch {
	case len(out.Refused) > 0:
		a.Outcome = report.Refused
	case !out.Done:
		a.Outcome = report.NoEffect
	}
	return a
}
