package main

import (
	"cmp"
	"context"
	"errors"

	"github.com/spf13/cobra"

	"github.com/mishap-robotics/mishap/bridge/experience"
	"github.com/mishap-robotics/mishap/engine"
	"github.com/mishap-robotics/mishap/engine/episode"
)

// counting counts what came of recovery strategies in logs.
type counting struct {
	logFlags
	out, before string // files
	force       bool
}

func newExperience(k *knowledge) *cobra.Command {
	r := &counting{logFlags: logFlags{whole: true, format: "text"}}
	c := &cobra.Command{
		Use:   "experience PATH…",
		Short: "Count in episode logs how often each recovery strategy led to the goal",
		Long: `Count what came of recovery strategies in episode logs: of each failure class, how
often a strategy was carried out after such a failure, and how often the goal of
the episode was reached then. "mishap recover --experience FILE" tries strategies in
the order of that.

A strategy was carried out where every action of it came about, in its order, after
the failure showed; moves do not count where it has other actions. What asks a person
or has no actions is not counted, nor is an episode that has no goal or does not show
whether it was reached.

PATH is a log as "mishap check" takes it. One JSON object is written for each class
and strategy, on a line of its own; "mishap schema experience" prints the JSON Schema.
Lines of several files add up, so that such files may be put one behind the other.

Exit code: 0, or 2 where the call or an input is bad.`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error { return r.run(c.Context(), k, args) },
	}
	f := c.Flags()
	f.BoolVar(&r.quiet, "quiet", false, "no progress")
	f.BoolVar(&r.strict, "strict", false, "take every warning for an error")
	f.Float64Var(&r.noise, "noise", 0, "rate at which the robot's perception errs, for logs that do not state it")
	f.StringVar(&r.before, "experience", "", "file of counts to add to")
	f.StringVarP(&r.out, "output", "o", "", "file to write, in place of standard output")
	f.BoolVar(&r.force, "force", false, "overwrite that file")
	return c
}

func (r *counting) run(ctx context.Context, k *knowledge, paths []string) error {
	if err := r.check(paths); err != nil {
		return err
	}
	if r.live {
		return errors.New("- is a stream; expected logs that are whole")
	}
	reasoner, err := k.reasoner()
	if err != nil {
		return err
	}
	counts := &engine.Experience{}
	if r.before != "" {
		if counts, err = experience.ReadFile(reasoner.Ontology, r.before); err != nil {
			return err
		}
	}
	logs, err := logReport[[]engine.StrategyCount](reasoner, &r.logFlags, "counting")
	if err != nil {
		return err
	}
	logs.Do = func(ctx context.Context, ep *episode.Episode) (*[]engine.StrategyCount, error) {
		res, err := reasoner.Check(ctx, ep)
		uses := reasoner.StrategyUses(res)
		return &uses, err
	}
	logs.Text = func(uses *[]engine.StrategyCount) error { counts.Add(*uses...); return nil }
	failed := runLogs(ctx, logs, paths, func(*[]engine.StrategyCount) int { return 0 })
	if err := ctx.Err(); err != nil {
		return err // not all was counted
	}
	if r.out == "" {
		err = experience.Write(stdout, counts)
	} else {
		err = orForce(experience.WriteFile(r.out, r.force, counts))
	}
	return cmp.Or(err, failed)
}
