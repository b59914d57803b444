package main

import (
	"cmp"
	"context"

	"github.com/spf13/cobra"

	"github.com/mishap-robotics/mishap/bridge/report"
	"github.com/mishap-robotics/mishap/engine"
	"github.com/mishap-robotics/mishap/engine/episode"
)

func newRulesProfile(k *knowledge) *cobra.Command {
	in := &logFlags{whole: true}
	var steps bool
	c := &cobra.Command{
		Use:   "profile LOG…",
		Short: "Tell what each clause costs on logs",
		Long: `Tell what each clause costs on logs, the dearest first: the time that a rule took
with the helper predicates it calls, how often it was asked, and how many facts and
answers the goals of the clause itself looked at. A rule that is not compiled counts
its inferences instead.

Rules are asked about each episode as a whole, with --steps about one step after the
other, as a monitor does.

Exit code: 0, or 2 where the call or an input is bad.`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			if err := in.check(args); err != nil {
				return err
			}
			r, err := k.reasoner()
			if err != nil {
				return err
			}
			run, err := logReport[*engine.Profile](r, in, "profiling")
			if err != nil {
				return err
			}
			run.AsJSON = false // the profiles are written together
			run.Do = func(ctx context.Context, ep *episode.Episode) (**engine.Profile, error) {
				p := engine.NewProfile()
				err := r.Profile(ctx, ep, steps, p)
				return &p, err
			}
			n, whole := 0, engine.NewProfile()
			run.Text = func(p **engine.Profile) error { whole.Add(*p); n++; return nil }
			failed := runLogs(c.Context(), run, args, func(**engine.Profile) int { return 0 })
			out := report.NewProfile(r, whole, n)
			if in.format == "json" {
				err = report.JSON(stdout, out)
			} else {
				err = out.Text(stdout)
			}
			return cmp.Or(err, failed)
		},
	}
	in.flags(c.Flags())
	c.Flags().BoolVar(&steps, "steps", false, "ask about one step after the other")
	return c
}
