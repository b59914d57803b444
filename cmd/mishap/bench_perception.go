package main

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"
)

func newBenchPerception(k *knowledge) *cobra.Command {
	b := &benchRun{name: "perception"}
	limit := 0
	c := &cobra.Command{
		Use:   "perception",
		Short: "Measure detection through recordings of robots whose sensors err",
		Long: `Measure detection through recordings: RECOVER's and REFLECT's tasks, each as it is and
with every failure that can be injected, are simulated, written as recordings by
sensors that err more and more (boxes that are off, detections that are missed, and
these with false ones and swapped tracks), perceived, and checked.

The result is printed and, with -o DIR, written as perception.txt, perception.json and
perception.svg, curves over the errors.

Exit code: 0, or 2 where the call is bad or an episode could not be measured.`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if b.format != "text" && b.format != "json" {
				return fmt.Errorf("--format %q; expected text or json", b.format)
			}
			if limit < 0 {
				return errors.New("--limit; expected at least 0")
			}
			m, p, err := b.bench(k)
			if err != nil {
				return err
			}
			m.Limit = limit
			res, err := m.Perception(c.Context())
			p.Clear()
			if err != nil {
				return err
			}
			return b.finish(res, true, res.Failed())
		},
	}
	f := c.Flags()
	f.Uint64Var(&b.seed, "seed", 1, "draws where failures are injected, and how sensors err")
	f.IntVar(&limit, "limit", 0, "how many episodes at most; 0 for all")
	f.StringVar(&b.format, "format", "text", "text or json")
	f.StringVarP(&b.out, "output", "o", "", "folder to write perception.txt, perception.json and perception.svg to")
	f.BoolVar(&b.quiet, "quiet", false, "no progress")
	f.StringArrayVar(&k.simulations, "simulation", nil, "folder or file of simulation documents added to the built-in ones")
	return c
}
