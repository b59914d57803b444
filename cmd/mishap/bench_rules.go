package main

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"github.com/mishap-robotics/mishap/bridge/bench"
	"github.com/mishap-robotics/mishap/bridge/bench/rulebench"
)

type rulesBench struct {
	benchRun
	steps         []int
	runs          int
	swipl, mangle string
}

func newBenchRules(k *knowledge) *cobra.Command {
	b := &rulesBench{benchRun: benchRun{name: "rules"}}
	c := &cobra.Command{
		Use:   "rules",
		Short: "Measure how fast rules are evaluated, beside other engines",
		Long: `Measure how fast rules are evaluated: the facts of a drawn episode are taken in
step by step, and every rule is asked about each new step; in the end every rule is
asked about all steps at once. Eight rules that every engine can evaluate, and all
those of mishap.

  mishap               compiled, and interpreted
  SWI-Prolog           where swipl is found (Debian: swi-prolog-nox)
  Mangle               where --mangle names the command of bridge/bench/rulebench/mangle,
                       a module of its own: go build -C bridge/bench/rulebench/mangle

Every engine is a process of its own and all must give the same answers. Figures
are medians of --runs runs, the engines in turn. The interpreter and Mangle are not
asked for more than 3,000 steps.

The result is printed and, with -o DIR, written as rules.txt, rules.json and
rules.svg.

Exit code: 0, or 2 where the call is bad, an engine fails or gives other answers.`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if b.format != "text" && b.format != "json" {
				return fmt.Errorf("--format %q; expected text or json", b.format)
			}
			if b.runs < 1 || len(b.steps) == 0 || slices.Min(b.steps) < 2 {
				return errors.New("--runs and --steps; expected at least one run and episodes of at least 2 steps")
			}
			return b.run(c.Context(), k)
		},
	}
	f := c.Flags()
	f.IntSliceVar(&b.steps, "steps", []int{10, 100, 300, 1000, 3000, 10000, 30000}, "lengths of the episodes")
	f.IntVar(&b.runs, "runs", 3, "how often each engine runs on each episode")
	f.StringVar(&b.swipl, "swipl", "swipl", "the SWI-Prolog to run, where it is found; \"\" is none")
	f.StringVar(&b.mangle, "mangle", "", "the built command of bridge/bench/rulebench/mangle")
	f.Uint64Var(&b.seed, "seed", 1, "draws the episode")
	f.StringVar(&b.format, "format", "text", "text or json")
	f.StringVarP(&b.out, "output", "o", "", "folder to write rules.txt, rules.json and rules.svg to")
	f.BoolVar(&b.quiet, "quiet", false, "no progress")
	return c
}

func (b *rulesBench) run(ctx context.Context, k *knowledge) error {
	o, err := k.loadOntology()
	if err != nil {
		return err
	}
	p, err := k.loadRules()
	if err != nil {
		return err
	}
	progress := newProgress("measuring", b.quiet)
	measuring := &rulebench.Benchmark{Ontology: o, Shipped: p, Steps: b.steps, Runs: b.runs, Seed: b.seed, Progress: progress}
	res, failed := measuring.Run(ctx, bench.Version(), b.swipl, b.mangle)
	progress.Clear()
	if res == nil {
		return failed
	}
	return errors.Join(b.write(res, len(res.Measured) > 0), failed)
}

// newRulesEngine is what the benchmark runs of mishap itself.
func newRulesEngine(k *knowledge) *cobra.Command {
	return &cobra.Command{
		Use:    "rules-engine RULES FACTS",
		Short:  "Evaluate rules over facts as the benchmark of rules asks engines to",
		Hidden: true,
		Args:   cobra.ExactArgs(2),
		RunE: func(c *cobra.Command, args []string) error {
			o, err := k.loadOntology()
			if err != nil {
				return err
			}
			return rulebench.RunFiles(c.Context(), o, args[0], args[1], k.interpret, stdout)
		},
	}
}
