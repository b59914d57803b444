package main

import (
	"context"
	"fmt"
	"os"
	"sort"

	"github.com/spf13/cobra"

	"github.com/mishap-robotics/mishap/bridge/logs/alfred"
	"github.com/mishap-robotics/mishap/engine"
)

func newBench(k *knowledge) *cobra.Command {
	c := &cobra.Command{Use: "bench", Short: "Measure on data", Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return c.Help() }}
	c.AddCommand(newBenchALFRED(k), newBenchDetect(k), newBenchForesee(k), newBenchRecover(k), newBenchRules(k), newRulesEngine(k))
	return c
}

func newBenchALFRED(k *knowledge) *cobra.Command {
	b := &alfredBench{}
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
			b.reasoner, b.progress = r, newProgress("replaying", quiet)
			return b.run(c.Context(), args)
		},
	}
	c.Flags().Uint64Var(&b.seed, "seed", 1, "chooses the interaction to delete")
	c.Flags().IntVar(&b.list, "list", 10, "how many exceptions of each kind to name")
	c.Flags().BoolVar(&b.verbose, "verbose", false, "name examples of each class too")
	c.Flags().BoolVar(&quiet, "quiet", false, "no progress")
	return c
}

type alfredBench struct {
	reasoner *engine.Reasoner
	progress *progress
	seed     uint64
	verbose  bool
	list     int
	counts   map[string]int
	examples map[string][]string
}

func (b *alfredBench) run(ctx context.Context, files []string) error {
	b.counts, b.examples = map[string]int{}, map[string][]string{}
	for _, f := range files {
		ts, err := alfred.ReadTrajectories(f)
		if err != nil {
			return err
		}
		b.progress.More(b.progress.all + len(ts))
		for i := range ts {
			if err := b.trajectory(ctx, f, &ts[i]); err != nil {
				return err
			}
			b.progress.Step()
		}
	}
	b.progress.end()
	b.print()
	return nil
}

func (b *alfredBench) note(kind, example string) {
	b.counts[kind]++
	if example != "" && len(b.examples[kind]) < b.list {
		b.examples[kind] = append(b.examples[kind], example)
	}
}

func (b *alfredBench) trajectory(ctx context.Context, file string, t *alfred.Trajectory) error {
	res, err := b.check(ctx, file, t)
	if err != nil {
		return err
	}
	b.note("trajectories", "")
	if len(res.Findings) > 0 {
		f := &res.Findings[0]
		b.note("with a finding", fmt.Sprintf("%s: %s at interaction %d: %s", t.ID, f.Type, f.Step, f.Explanation))
	}
	switch got, _ := res.Trace.GoalTruth(res.Trace.Final); {
	case got >= engine.AssumedTrue:
		b.note("goal reached", "")
	case got == engine.Undecided:
		b.note("goal unknown", t.ID)
	default:
		b.note("goal missed", t.ID)
	}
	return b.deletion(ctx, file, t)
}

func (b *alfredBench) check(ctx context.Context, file string, t *alfred.Trajectory) (*engine.Result, error) {
	ep, err := alfred.Episode(b.reasoner.Ontology, file, t)
	if err != nil {
		return nil, err
	}
	return b.reasoner.Check(ctx, ep)
}

func (b *alfredBench) deletion(ctx context.Context, file string, t *alfred.Trajectory) error {
	cut, i := alfred.DeleteOne(t, b.seed)
	if i < 0 {
		return nil
	}
	res, err := b.check(ctx, file, cut)
	if err != nil {
		return err
	}
	b.note("deletions", "")
	b.note("deletions of "+t.Interactions[i].Action, "")
	if len(res.Findings) == 0 {
		b.note("deletions not reported", fmt.Sprintf("%s without interaction %d, %s %s", t.ID, i+1, t.Interactions[i].Action, t.Interactions[i].Object))
		return nil
	}
	b.note("deletions reported", "")
	b.note("reported as "+res.Findings[0].Type+" for "+t.Interactions[i].Action, fmt.Sprintf("%s without %d %s: %s", t.ID, i+1, t.Interactions[i].Object, res.Findings[0].Explanation))
	return nil
}

func (b *alfredBench) print() {
	n, d := b.counts["trajectories"], b.counts["deletions"]
	fmt.Printf("trajectories            %d\n", n)
	for _, k := range []string{"with a finding", "goal reached", "goal unknown", "goal missed"} {
		fmt.Printf("  %-21s %d (%s)\n", k, b.counts[k], percent(b.counts[k], n))
		b.printExamples(k)
	}
	fmt.Printf("one interaction deleted %d (seed %d)\n", d, b.seed)
	for _, k := range []string{"deletions reported", "deletions not reported"} {
		fmt.Printf("  %-21s %d (%s)\n", k[len("deletions "):], b.counts[k], percent(b.counts[k], d))
		b.printExamples(k)
	}
	var rest []string
	for k := range b.counts {
		if len(k) > 12 && (k[:12] == "reported as " || k[:12] == "deletions of") {
			rest = append(rest, k)
		}
	}
	sort.Strings(rest)
	for _, k := range rest {
		fmt.Printf("  %-60s %d\n", k, b.counts[k])
		if b.verbose {
			b.printExamples(k)
		}
	}
}

func (b *alfredBench) printExamples(kind string) {
	for _, e := range b.examples[kind] {
		fmt.Fprintf(os.Stdout, "      %s\n", e)
	}
}

func percent(n, all int) string {
	if all == 0 {
		return "-"
	}
	return fmt.Sprintf("%.2f %%", 100*float64(n)/float64(all))
}
