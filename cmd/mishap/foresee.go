package main

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/mishap-robotics/mishap/bridge/logs"
	"github.com/mishap-robotics/mishap/bridge/report"
	"github.com/mishap-robotics/mishap/engine"
	"github.com/mishap-robotics/mishap/engine/episode"
)

func newForesee(k *knowledge) *cobra.Command {
	in := &logFlags{}
	t := &trigger{}
	s := &t.scoring
	of := &memoryFlags{}
	c := &cobra.Command{
		Use:   "foresee PATH…",
		Short: "Tell failures before they happen, in logs as they go on and in plans",
		Long: `Tell failures before they happen. A log is walked as if it happened now: before
each action the rest of the plan is carried out in the action model from what was
believed then, and each failure that comes of it is a threat, with the step that
will fail, the condition, the action that should have provided it, and the class
of failure it would become. Threats with actions that nothing undoes say so.

Beside that the scene before each action that changes something is scored against
the expected one: 1 is as expected, and below --threshold is an alarm. A proof of
the rules gives the class; an alarm that no proof explains is shown as an
unexplained discrepancy with what differs, and is no finding.

PATH is a log as "mishap check" takes it, or a plan file (*.plans.jsonl, see
"mishap schema plan"): each plan is carried out from its scene, else from the
usual one of its task, and its faults are told with the edit that would mend
them. For - it is a stream of JSON Lines on standard input: warnings are printed
as they arise, with --trigger score each scene that scores below --threshold and what
is to come then; --format jsonl prints one JSON object a line, and --state FILE lets
a stream that is killed go on where it was, as for "mishap check".

Exit code: 0 nothing is to come, 1 at least one threat or fault, 2 the call or an
input is bad.`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			if err := in.check(args); err != nil {
				return err
			}
			past, err := of.keeper(c.Context(), k, true)
			if err != nil {
				return err
			}
			defer past.close()
			r := past.reasoner
			if err := t.ready(r, in.live); err != nil {
				return err
			}
			if in.live {
				w := &report.Watcher{Reasoner: r, Foresee: true}
				if t.by == byScore {
					w.Trigger = s.of
				}
				return watch(c.Context(), in, w)
			}
			run, err := logReport[report.EpisodeForesight](r, in, "foreseeing")
			if err != nil {
				return err
			}
			run.Find = logs.FindAll
			run.Do = func(ctx context.Context, ep *episode.Episode) (*report.EpisodeForesight, error) {
				return foresee(past.during(ctx, ep), r, s, ep)
			}
			run.Text = func(f *report.EpisodeForesight) error { return f.Text(stdout, style()) }
			return runLogs(c.Context(), run, args, func(f *report.EpisodeForesight) int { return foundCode(len(f.Findings) > 0) })
		},
	}
	in.flags(c.Flags())
	in.streamFlags(c.Flags())
	of.optional(c.Flags(), "that rules look back on")
	t.flags(c.Flags())
	t.embedding(c.Flags())
	return c
}

// foresee walks a log, or checks a plan.
func foresee(ctx context.Context, r *engine.Reasoner, s *scoring, ep *episode.Episode) (*report.EpisodeForesight, error) {
	if len(ep.Steps) == 0 {
		projection, faults, err := r.CheckPlan(ctx, ep)
		if projection == nil {
			return nil, err
		}
		ep.Warnings = projection.Episode.Warnings
		out := report.NewPlan(projection, ep, faults)
		return &out, err
	}
	how, err := s.of(ep)
	if err != nil {
		return nil, err
	}
	f, err := r.Foresee(ctx, ep, how)
	if err != nil {
		return nil, err
	}
	ep.Warnings = f.Result.Episode.Warnings
	out := report.NewEpisodeForesight(f, how.Threshold)
	if note := s.note(); note != "" {
		out.Warnings = append(out.Warnings, report.Warning{Message: note})
	}
	return &out, nil
}
