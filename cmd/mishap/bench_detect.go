package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/mishap-robotics/mishap/bridge/bench"
)

type detectBench struct {
	benchRun
	what bench.Detection
}

func newBenchDetect(k *knowledge) *cobra.Command {
	d := &detectBench{benchRun: benchRun{name: "detect", all: bench.DetectionParts()}}
	c := &cobra.Command{
		Use:   "detect",
		Short: "Measure detection on simulated, replayed and re-enacted episodes",
		Long: `Measure detection: how many failures are found, with the right class and the
right causing step, and how many false alarms there are.

  matrix     RECOVER's tasks by its twelve failures and two more, every way each can happen
  suites     the scenarios whose plan or scene holds the mistake, and right ones
  noise      --episodes failed and as many clean episodes at 0, 1, 2, 5 and 10 %
  ablations  without sound, belief, all but subgoals, all but the end, negation
  nested     two and three accidents in one episode, and while recovering
  alfred     trajectories as recorded, and each with one failure (--alfred FILE)
  robofail   re-enactments of annotated real plans (--robofail FILE)

With --scenarios DIR the scenarios of that folder are measured and nothing else,
unless --parts says so; "mishap schema scenario" prints what they look like.

The result is printed and, with -o DIR, written as detect.txt, detect.json and
detect.svg; the whole benchmark writes to testdata/bench by itself, where there
is such a folder.

Exit code: 0, or 2 where the call or an input is bad. The counts are the result.`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if err := d.check(c); err != nil {
				return err
			}
			if d.what.Episodes < 1 || d.what.Nested < 1 {
				return errors.New("--episodes and --nested; expected at least 1")
			}
			b, p, err := d.bench(k)
			if err != nil {
				return err
			}
			defer p.Clear()
			return d.run(c.Context(), b)
		},
	}
	f := c.Flags()
	f.IntVar(&d.what.Episodes, "episodes", 1000, "failed and clean episodes at each rate of noise and for each ablation")
	f.IntVar(&d.what.Nested, "nested", 200, "episodes of each kind with several accidents")
	d.flags(c, k)
	return c
}

func (d *detectBench) run(ctx context.Context, b *bench.Bench) error {
	c, unread, err := d.choice(b)
	if err != nil {
		return err
	}
	d.what.Files = d.files
	res, err := d.what.Run(ctx, b, c)
	if err != nil {
		return err
	}
	failed := d.finish(res, res.Matrix != nil || res.Noise != nil || res.Ablations != nil, unread || len(res.Impossible()) > 0)
	for _, why := range res.Impossible() {
		fmt.Fprintln(stderr, why)
	}
	return failed
}
