package main

import (
	"context"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"github.com/mishap-robotics/mishap/bridge/advice"
	"github.com/mishap-robotics/mishap/bridge/logs"
	"github.com/mishap-robotics/mishap/bridge/report"
	"github.com/mishap-robotics/mishap/engine"
	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/ontology"
)

func newExplain(k *knowledge) *cobra.Command {
	e := &explaining{knowledge: k}
	c := &cobra.Command{
		Use:   "explain LOG",
		Short: "Show the proof of each finding, or why there is none",
		Long: `Show each finding with its proof as a tree: the rule, its conditions with the
values they had, and where each fact comes from, with the line of the log.

With --why-not CLASS --at TIME: for each rule of that failure class the first
condition that did not hold, and the facts nearest to it.

With --progressive: the log subgoal by subgoal, as REFLECT explains it. The first
subgoal that was not satisfied at its end is explained by what happened up to then;
where each was and the goal is missed, by the plan and the final state. With a
language model its explanation stands beside mishap's, with where they disagree.
` + modelHelp + `

Exit code: 0 something to show, 1 nothing, 2 the call or an input is bad.`,
		Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error { return e.run(c.Context(), args[0]) },
	}
	c.Flags().StringVar(&e.at, "at", "", "time or step of the log")
	c.Flags().StringVar(&e.whyNot, "why-not", "", "failure class that was not found")
	c.Flags().StringVar(&e.format, "format", "text", "text, json or dot")
	c.Flags().StringVar(&e.id, "episode", "", "id of the episode, where the log holds several")
	c.Flags().BoolVar(&e.progressive, "progressive", false, "explain subgoal by subgoal")
	e.of.optional(c.Flags(), "that rules look back on")
	e.models.flags(c.Flags())
	e.by.flags(c.Flags())
	return c
}

type explaining struct {
	*knowledge
	at, whyNot, format, id string
	by                     mapped
	progressive            bool
	models                 modelFlags
	of                     memoryFlags
}

func (e *explaining) run(ctx context.Context, path string) error {
	switch {
	case !slices.Contains([]string{"text", "json", "dot"}, e.format):
		return fmt.Errorf("--format %q; expected text, json or dot", e.format)
	case e.whyNot != "" && e.at == "":
		return fmt.Errorf("--why-not needs --at with a time or step of the log")
	case e.whyNot != "" && e.format == "dot":
		return fmt.Errorf("--why-not with --format dot; expected text or json")
	case e.progressive && (e.whyNot != "" || e.at != "" || e.format == "dot"):
		return fmt.Errorf("--progressive with --why-not, --at or --format dot; expected it with --format text or json alone")
	}
	a, err := e.models.adviser()
	switch {
	case err != nil:
		return err
	case a != nil && !e.progressive && e.models.named():
		return fmt.Errorf("a language model is asked for --progressive only")
	}
	past, err := e.of.keeper(ctx, e.knowledge, true)
	if err != nil {
		return err
	}
	defer past.close()
	r := past.reasoner
	ep, err := e.by.one(r.Ontology, path, e.id)
	if err != nil {
		return err
	}
	if e.progressive {
		return closing(&e.models, e.progress(past.during(ctx, ep), r, ep, a))
	}
	var steps []int32
	if e.at != "" {
		if steps, err = logs.StepsAt(ep, e.at); err != nil {
			return fmt.Errorf("--at %w", err)
		}
	}
	ctx = past.during(ctx, ep)
	res, err := r.Check(ctx, ep)
	if err != nil {
		return err
	}
	if e.whyNot != "" {
		return e.absence(ctx, r, res, steps[len(steps)-1])
	}
	return e.findings(ctx, r, res, steps)
}

// progress explains an episode subgoal by subgoal.
func (e *explaining) progress(ctx context.Context, r *engine.Reasoner, ep *episode.Episode, a *advice.Adviser) error {
	out, err := advice.ExplainProgressively(ctx, r, ep, a)
	if err != nil {
		return err
	}
	if e.format == "json" {
		err = report.JSON(stdout, out)
	} else {
		err = out.Text(stdout, style())
	}
	if err == nil && out.Ours.Analysis == string(engine.AnalysisNone) && len(out.Ours.Steps) == 0 {
		return exit{exitFound}
	}
	return err
}

// findings shows the findings at some steps, nil for all.
func (e *explaining) findings(ctx context.Context, r *engine.Reasoner, res *engine.Result, steps []int32) error {
	out, err := report.NewExplanation(ctx, r, res, func(f *engine.Finding) bool { return steps == nil || slices.Contains(steps, f.Step) })
	if err != nil {
		return err
	}
	switch e.format {
	case "json":
		err = report.JSON(stdout, out)
	case "dot":
		err = out.DOT(stdout)
	default:
		err = out.Text(stdout)
	}
	if err == nil && len(out.Findings) == 0 {
		return exit{exitFound}
	}
	return err
}

// absence shows why no rule of a class fired at a step.
func (e *explaining) absence(ctx context.Context, r *engine.Reasoner, res *engine.Result, step int32) error {
	if o := r.Ontology; !isFailure(o, e.whyNot) {
		return fmt.Errorf("%s is no failure class of the ontology%s", e.whyNot, ontology.Hint(e.whyNot, names(o, o.Subclasses(o.Core.Failure))))
	}
	out, err := report.NewAbsence(ctx, r, res, e.whyNot, step)
	if err != nil {
		return err
	}
	if e.format == "json" {
		return report.JSON(stdout, out)
	}
	if err = out.Text(stdout); err == nil && out.Empty() {
		return exit{exitFound}
	}
	return err
}

func isFailure(o *ontology.Ontology, name string) bool {
	id, ok := o.Lookup(name)
	return ok && o.IsA(id, o.Core.Failure)
}
