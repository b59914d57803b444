package main

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"slices"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"github.com/mishap-robotics/mishap/bridge/logs"
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
			var all []*engine.Profile
			run := &logRun[*engine.Profile]{noise: in.noise, progress: newProgress("profiling", in.quiet)}
			run.read = func(path string) ([]*episode.Episode, error) { return logs.Read(r.Ontology, path) }
			run.do = func(ctx context.Context, ep *episode.Episode) (**engine.Profile, error) {
				p := engine.NewProfile()
				err := r.Profile(ctx, ep, steps, p)
				return &p, err
			}
			run.code = func(**engine.Profile) int { return 0 }
			run.text = func(p **engine.Profile) error { all = append(all, *p); return nil }
			failed := run.all(c.Context(), args)
			whole := engine.NewProfile()
			for _, p := range all {
				whole.Add(p)
			}
			if err := printProfile(r, whole, len(all), in.format); err != nil {
				return err
			}
			return failed
		},
	}
	in.flags(c.Flags())
	c.Flags().BoolVar(&steps, "steps", false, "ask about one step after the other")
	return c
}

// profiled is what a clause cost.
type profiled struct {
	File     string  `json:"file"`
	Line     int     `json:"line"`
	Head     string  `json:"head"`
	Compiled bool    `json:"compiled"`
	Time     float64 `json:"time_us"`
	Calls    int     `json:"calls"`
	Tuples   int     `json:"tuples"`
}

func printProfile(r *engine.Reasoner, p *engine.Profile, episodes int, format string) error {
	var out []profiled
	total := time.Duration(0)
	for _, c := range r.Rules().Clauses {
		cost := p.Of(c)
		total += cost.Time
		compiled := r.Compiled() != nil
		if c.ConcludesFailure() && compiled {
			compiled = r.Compiled().Rule(c).Reason == nil
		}
		out = append(out, profiled{c.Pos.File, c.Pos.Line, c.Head.String(), compiled, float64(cost.Time.Nanoseconds()) / 1000, cost.Calls, cost.Tuples})
	}
	slices.SortStableFunc(out, func(a, b profiled) int {
		return cmp.Or(cmp.Compare(b.Time, a.Time), cmp.Compare(b.Tuples, a.Tuples))
	})
	if format == "json" {
		return printJSON(map[string]any{"episodes": episodes, "clauses": out})
	}
	t := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "time\tshare\tcalls\ttuples\tclause")
	for _, c := range out {
		if c.Calls == 0 && c.Tuples == 0 {
			continue
		}
		spent := time.Duration(c.Time * 1000)
		took, share := "", ""
		if c.Calls > 0 {
			took, share = spent.Round(100*time.Nanosecond).String(), percent(int(spent), int(total))
		}
		note := ""
		if !c.Compiled {
			note = " (interpreted)"
		}
		fmt.Fprintf(t, "%s\t%s\t%d\t%d\t%s:%d %s%s\n", took, share, c.Calls, c.Tuples, c.File, c.Line, c.Head, note)
	}
	if err := t.Flush(); err != nil {
		return err
	}
	fmt.Printf("%s in %s\n", total.Round(time.Microsecond), report.Count(episodes, "episode"))
	return nil
}
