package main

import (
	"context"
	"errors"
	"slices"

	"github.com/spf13/cobra"

	"github.com/mishap-robotics/mishap/bridge/bench"
)

type foreseeBench struct {
	benchRun
	what bench.Foreseeing
}

func newBenchForesee(k *knowledge) *cobra.Command {
	f := &foreseeBench{benchRun: benchRun{name: "foresee", all: bench.ForeseeingParts()}}
	c := &cobra.Command{
		Use:   "foresee",
		Short: "Measure foresight, and the discrepancy score on the same episodes",
		Long: `Measure foresight and the discrepancy score on the same episodes: how many failures
are foreseen, and how many episodes without failure are alarmed, as they are and
with changes that the task has nothing to do with. A failure is foreseeable where
what is left of the plan, simulated from the true state, does not go through.

  robofail    re-enactments of annotated real plans (--robofail FILE)
  pairs       RECOVER's tasks by its twelve failures and two more, every way each can happen
  replanning  the ten cases of the proactive replanning paper
  replan      RePlan's cases
  alfred      trajectories, each with one failure (--alfred FILE)
  plans       which of the annotated plans are at fault, and where (--robofail FILE)

The score is measured at the thresholds 0.90, 0.85 and 0.80 and over the whole
range, with expected scenes from the plan, from preconditions and from reference
episodes, without its parts, and against counting objects.

With --scenarios DIR the scenarios of that folder are measured and nothing else,
unless --parts says so.

The result is printed and, with -o DIR, written as foresee.txt, foresee.json and
foresee.svg; the whole benchmark writes to testdata/bench by itself, where there
is such a folder.

Exit code: 0, or 2 where the call or an input is bad. The counts are the result.`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if err := f.check(c); err != nil {
				return err
			}
			if f.what.Changes < 0 || f.what.Trajectories < 0 {
				return errors.New("--changes and --trajectories; expected at least 0")
			}
			b, p, err := f.bench(k)
			if err != nil {
				return err
			}
			defer p.Clear()
			return f.run(c.Context(), b)
		},
	}
	fl := c.Flags()
	fl.IntVar(&f.what.Changes, "changes", 40, "benign changes of each task")
	fl.IntVar(&f.what.Trajectories, "trajectories", 0, "how many trajectories of the ALFRED file; 0 for all")
	f.flags(c, k)
	return c
}

func (f *foreseeBench) run(ctx context.Context, b *bench.Bench) error {
	c, unread, err := f.choice(b)
	if err != nil {
		return err
	}
	f.what.Files = f.files
	res, err := f.what.Run(ctx, b, c)
	if err != nil {
		return err
	}
	for i := range res.Sets {
		unread = unread || f.scenarios != "" && res.Sets[i].Foresight.Errors > 0
	}
	return f.finish(res, slices.Contains(f.parts, "pairs"), unread)
}
