package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/mishap-robotics/mishap/bridge/experience"
	"github.com/mishap-robotics/mishap/bridge/report"
	"github.com/mishap-robotics/mishap/engine"
	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/engine/memory"
)

func newRecover(k *knowledge) *cobra.Command {
	in := &logFlags{whole: true}
	models := &modelFlags{}
	score := &evidence{}
	var explain bool
	var learned string
	of := &memoryFlags{}
	c := &cobra.Command{
		Use:   "recover PATH…",
		Short: "Plan the recovery from failures in episode logs",
		Long: `Plan the recovery from failures in episode logs: for each failure, how the robot
could have gone on from the moment at which it showed, and how it can go on from
the end of the log. A plan is verified where, carried out in the action model from
what was believed then, it reaches the goal and goes against no constraint. What
is not verified says why, and how much of the goal can be reached all the same.

PATH is a log as "mishap check" takes it. Plan files (*.plans.jsonl) are not taken:
"mishap foresee" finds their faults, and the edit that mends each.

With --score the score of the scene is evidence for a failure: it is shown as "mishap
check" shows it, and a model is told where it agrees.

With --experience the strategies for a class of failure are tried in the order in
which they served before, as "mishap experience" counted; of each the counts are
shown. With --memory DIR they are counted in the episodes of that memory, on which rules
may look back.
` + modelHelp + `

Exit code: 0 nothing is wrong, 1 something is, and each failure that the robot did
not make up for has a verified plan, as has the end, 3 some has none, 2 the call or
an input is bad.`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			if err := in.check(args); err != nil {
				return err
			}
			if in.live {
				return errors.New("- is a stream; expected logs that are whole (\"mishap check -\" reads a stream)")
			}
			if learned != "" && of.place != "" {
				return errors.New("--experience and --memory; expected one of the two")
			}
			past, err := of.keeper(c.Context(), k, true)
			if err != nil {
				return err
			}
			defer past.close()
			r := past.reasoner
			if err := score.prepare(r); err != nil {
				return err
			}
			var planner engine.Planner
			if err := models.advise(&planner); err != nil {
				return err
			}
			if past.memory != nil {
				if planner.Experience, err = past.memory.Experience(c.Context(), memory.Filter{}); err != nil {
					return err
				}
			}
			if learned != "" {
				if planner.Experience, err = experience.ReadFile(r.Ontology, learned); err != nil {
					return err
				}
			}
			began := time.Now()
			run, err := logReport[report.EpisodeRecovery](r, in, "recovering")
			if err != nil {
				return err
			}
			run.Do = func(ctx context.Context, ep *episode.Episode) (*report.EpisodeRecovery, error) {
				planner := planner
				var err error
				if planner.Scoring, err = score.of(ep); err != nil {
					return nil, err
				}
				m, err := r.RecoverEpisode(past.during(ctx, ep), ep, planner)
				if m == nil {
					return nil, err
				}
				ep.Warnings = m.Result.Episode.Warnings
				out := report.NewEpisodeRecovery(m)
				return &out, err
			}
			run.Text = func(e *report.EpisodeRecovery) error { return e.Text(stdout, style(), explain) }
			run.Totals = func(d *report.LogResults[report.EpisodeRecovery]) {
				if len(d.Episodes) > 1 && !in.quiet {
					fmt.Fprint(stdout, report.Recoveries(d, time.Since(began)))
				}
			}
			return closing(models, runLogs(c.Context(), run, args, recoveryCode))
		},
	}
	in.flags(c.Flags())
	score.flags(c.Flags())
	models.flags(c.Flags())
	models.planning(c.Flags())
	of.optional(c.Flags(), "whose episodes tell what came of strategies before")
	c.Flags().StringVar(&learned, "experience", "", "file of \"mishap experience\": what came of strategies before")
	c.Flags().BoolVar(&explain, "explain", false, "show the strategies that were considered, the part of the plan at fault, and what a model said")
	return c
}

// recoveryCode is the exit code for one episode.
func recoveryCode(e *report.EpisodeRecovery) int {
	switch {
	case !e.AllVerified():
		return exitUnrecovered
	case e.Wrong():
		return exitFound
	}
	return 0
}
