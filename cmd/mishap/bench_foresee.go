package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/mishap-robotics/mishap/bridge/alfred"
	"github.com/mishap-robotics/mishap/bridge/bench"
	"github.com/mishap-robotics/mishap/bridge/scenario"
)

// foreseeParts are the parts of the benchmark, in the order they are run.
var foreseeParts = []string{"robofail", "pairs", "replanning", "replan", "alfred", "plans"}

type foreseeBench struct {
	parts                                       []string
	changes, trajectories                       int
	seed                                        uint64
	alfred, robofail, accidents, scenarios, out string
	format                                      string
}

func newBenchForesee(k *knowledge) *cobra.Command {
	f := &foreseeBench{}
	var quiet bool
	c := &cobra.Command{
		Use:   "foresee",
		Short: "Measure foresight, and the discrepancy score on the same episodes",
		Long: `Measure foresight and the discrepancy score on the same episodes: how many failures
are foreseen, and how many episodes without failure are alarmed, as they are and
with changes that the task has nothing to do with. A failure is foreseeable where
what is left of the plan, simulated from the true state, does not go through.

  robofail    re-enactments of annotated real plans (--robofail FILE)
  pairs       RECOVER's tasks by its twelve failures, every way each can happen
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
			if f.format != "text" && f.format != "json" {
				return fmt.Errorf("--format %q; expected text or json", f.format)
			}
			if f.scenarios != "" && !c.Flags().Changed("parts") {
				f.parts = nil
			}
			f.out = benchOutput(c, f.out, f.scenarios)
			for _, p := range f.parts {
				if !slices.Contains(foreseeParts, p) {
					return fmt.Errorf("--parts %q; expected some of %s", p, strings.Join(foreseeParts, ","))
				}
			}
			if f.changes < 0 || f.trajectories < 0 {
				return errors.New("--changes and --trajectories; expected at least 0")
			}
			r, err := k.reasoner()
			if err != nil {
				return err
			}
			o, err := k.loadSimulation()
			if err != nil {
				return err
			}
			p := newProgress("measuring", quiet)
			defer p.end()
			return f.run(c.Context(), &bench.Bench{Reasoner: r, Simulation: o, Seed: f.seed, Progress: p})
		},
	}
	fl := c.Flags()
	fl.StringSliceVar(&f.parts, "parts", foreseeParts, "what to measure")
	fl.IntVar(&f.changes, "changes", 40, "benign changes of each task")
	fl.IntVar(&f.trajectories, "trajectories", 0, "how many trajectories of the ALFRED file; 0 for all")
	fl.Uint64Var(&f.seed, "seed", 1, "chooses what is left to chance")
	fl.StringVar(&f.alfred, "alfred", "", "ALFRED file")
	fl.StringVar(&f.robofail, "robofail", "", "plan file of RoboFail")
	fl.StringVar(&f.accidents, "accidents", "", "what befell the runs of the plan file; built in for the published plans")
	fl.StringVar(&f.scenarios, "scenarios", "", "folder or file of scenarios")
	fl.StringVar(&f.format, "format", "text", "text or json")
	fl.StringVarP(&f.out, "output", "o", "", "folder to write foresee.txt, foresee.json and foresee.svg to")
	fl.BoolVar(&quiet, "quiet", false, "no progress")
	fl.StringArrayVar(&k.simulations, "simulation", nil, "folder or file of simulation documents added to the built-in ones")
	return c
}

func (f *foreseeBench) run(ctx context.Context, b *bench.Bench) error {
	res := &bench.Foresee{Version: version(), Go: runtime.Version(), Seed: f.seed}
	unread := false
	if f.scenarios != "" {
		scenarios, err := scenario.ReadDir(b.Simulation, f.scenarios)
		if unread = complain(err); len(scenarios) == 0 && err != nil {
			return exit{exitBad}
		}
		set, err := b.ForeseeScenarios(ctx, f.scenarios, scenarios)
		if err != nil {
			return err
		}
		res.Sets = append(res.Sets, set)
	}
	for _, part := range foreseeParts {
		if !slices.Contains(f.parts, part) {
			continue
		}
		if err := f.part(ctx, b, part, res); err != nil {
			return err
		}
	}
	show := res.Text
	if f.format == "json" {
		show = res.JSON
	}
	forms := map[string]func(io.Writer) error{"foresee.txt": res.Text, "foresee.json": res.JSON}
	if len(f.parts) == len(foreseeParts) || slices.Contains(f.parts, "pairs") {
		forms["foresee.svg"] = res.SVG
	}
	if err := writeBench(show, f.out, forms); err != nil {
		return err
	}
	for i := range res.Sets {
		unread = unread || f.scenarios != "" && res.Sets[i].Foresight.Errors > 0
	}
	if unread {
		return exit{exitBad}
	}
	return nil
}

// part runs one part of the benchmark.
func (f *foreseeBench) part(ctx context.Context, b *bench.Bench, name string, res *bench.Foresee) error {
	var set bench.Set
	var err error
	switch name {
	case "pairs":
		set, err = b.ForeseePairs(ctx, "recover", f.changes)
	case "replanning":
		set, err = b.ForeseeSuite(ctx, "Table A2 of proactive replanning", "replanning")
	case "replan":
		set, err = b.ForeseeSuite(ctx, "RePlan cases", "replan")
	case "alfred":
		if f.alfred == "" {
			res.Skipped = append(res.Skipped, "alfred: no --alfred FILE was given")
			return nil
		}
		ts, err := alfred.ReadTrajectories(f.alfred)
		if err != nil {
			return err
		}
		if f.trajectories > 0 {
			ts = ts[:min(len(ts), f.trajectories)]
		}
		set, err = b.ForeseeALFRED(ctx, f.alfred, ts)
		if err != nil {
			return err
		}
	default:
		if f.robofail == "" {
			res.Skipped = append(res.Skipped, name+": no --robofail FILE was given")
			return nil
		}
		if name == "plans" {
			res.Plans, err = b.ForeseePlans(ctx, f.robofail)
			return err
		}
		re, err := bench.ReadReenactments(f.accidents)
		if err != nil {
			return err
		}
		var skipped []string
		if set, skipped, err = b.ForeseeRoboFail(ctx, f.robofail, re, f.changes); err != nil {
			return err
		}
		res.Skipped = append(res.Skipped, skipped...)
	}
	if err == nil {
		res.Sets = append(res.Sets, set)
	}
	return err
}
