package main

import (
	"github.com/spf13/cobra"

	"github.com/mishap-robotics/mishap/bridge/bench"
)

func newBench(k *knowledge) *cobra.Command {
	c := &cobra.Command{Use: "bench", Short: "Measure on data", Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return c.Help() }}
	c.AddCommand(newBenchALFRED(k), newBenchDetect(k), newBenchForesee(k), newBenchLogs(k), newBenchPerception(k), newBenchRecover(k), newBenchRules(k), newRulesEngine(k))
	return c
}

func newBenchALFRED(k *knowledge) *cobra.Command {
	b := &bench.ALFREDReplay{}
	var quiet bool
	c := &cobra.Command{
		Use:   "alfred FILE…",
		Short: "Replay ALFRED trajectories, whole and with one interaction deleted",
		Long: `Replay ALFRED trajectories, which all succeeded in the real simulator: each
finding and each goal that is not reached is a fault of the action model. Then
delete one interaction (a pick-up, a put, an opening, a toggle-on or a slicing,
chosen by the seed) from each and count how many are reported.

Exit code: 0, or 2 where the call or an input is bad. The counts are the result.`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			r, err := k.reasoner()
			if err != nil {
				return err
			}
			b.Reasoner = r
			p := newProgress("replaying", quiet)
			err = b.AddFiles(c.Context(), args, p)
			p.Clear()
			if err != nil {
				return err
			}
			return b.Text(stdout)
		},
	}
	c.Flags().Uint64Var(&b.Seed, "seed", 1, "chooses the interaction to delete")
	c.Flags().IntVar(&b.Listed, "list", 10, "how many exceptions of each kind to name")
	c.Flags().BoolVar(&b.Verbose, "verbose", false, "name examples of each class too")
	c.Flags().BoolVar(&quiet, "quiet", false, "no progress")
	return c
}
