package main

import (
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/mishap-robotics/mishap/bridge/bench"
	"github.com/mishap-robotics/mishap/bridge/report"
	"github.com/mishap-robotics/mishap/bridge/scenario"
)

// defaultOutput is where the whole benchmark leaves its result.
const defaultOutput = "testdata/bench"

// benchRun is what the benchmarks on simulated episodes have in common.
type benchRun struct {
	name  string   // of the files that are written
	all   []string // its parts, in the order they are run
	parts []string // those asked for
	seed  uint64

	files                  bench.Files
	scenarios, out, format string

	quiet bool
}

func (r *benchRun) flags(c *cobra.Command, k *knowledge) {
	f := c.Flags()
	f.StringSliceVar(&r.parts, "parts", r.all, "what to measure")
	f.Uint64Var(&r.seed, "seed", 1, "chooses what is left to chance")
	f.StringVar(&r.files.ALFRED, "alfred", "", "ALFRED file")
	f.StringVar(&r.files.RoboFail, "robofail", "", "plan file of RoboFail")
	f.StringVar(&r.files.Accidents, "accidents", "", "what befell the runs of the plan file; built in for the published plans")
	f.StringVar(&r.scenarios, "scenarios", "", "folder or file of scenarios")
	f.StringVar(&r.format, "format", "text", "text or json")
	f.StringVarP(&r.out, "output", "o", "", fmt.Sprintf("folder to write %[1]s.txt, %[1]s.json and %[1]s.svg to", r.name))
	f.BoolVar(&r.quiet, "quiet", false, "no progress")
	f.StringArrayVar(&k.simulations, "simulation", nil, "folder or file of simulation documents added to the built-in ones")
}

// check refuses flags that are wrong, and settles the parts and the output folder: the
// whole benchmark writes to the usual one where it is there.
func (r *benchRun) check(c *cobra.Command) error {
	given := c.Flags().Changed
	if r.format != "text" && r.format != "json" {
		return fmt.Errorf("--format %q; expected text or json", r.format)
	}
	if r.scenarios != "" && !given("parts") {
		r.parts = nil
	}
	if _, err := os.Stat(defaultOutput); err == nil && r.scenarios == "" && !given("parts") && !given("output") {
		r.out = defaultOutput
	}
	for _, p := range r.parts {
		if !slices.Contains(r.all, p) {
			return fmt.Errorf("--parts %q; expected some of %s", p, strings.Join(r.all, ","))
		}
	}
	return nil
}

// bench makes what the benchmark runs on, with its progress, which the caller ends.
func (r *benchRun) bench(k *knowledge) (*bench.Bench, *report.ProgressBar, error) {
	reasoner, err := k.reasoner()
	if err != nil {
		return nil, nil, err
	}
	o, err := k.loadSimulation()
	if err != nil {
		return nil, nil, err
	}
	p := newProgress("measuring", r.quiet)
	return &bench.Bench{Reasoner: reasoner, Simulation: o, Seed: r.seed, Progress: p}, p, nil
}

// choice reads what is to be measured. What cannot be read of --scenarios is printed; the
// error says that nothing can.
func (r *benchRun) choice(b *bench.Bench) (c bench.Choice, unread bool, err error) {
	c = bench.Choice{Parts: r.parts, Folder: r.scenarios}
	if r.scenarios == "" {
		return c, false, nil
	}
	c.Scenarios, err = scenario.ReadDir(b.Simulation, r.scenarios)
	if unread = complain(err); len(c.Scenarios) == 0 && unread {
		return c, true, exit{exitBad}
	}
	return c, unread, nil
}

// finish writes a result; some of what was to be measured may not have been.
func (r *benchRun) finish(res bench.Forms, picture, unmeasured bool) error {
	if err := r.write(res, picture); err != nil || !unmeasured {
		return err
	}
	return exit{exitBad}
}

// write prints a result, and writes its forms to the output folder where there is
// one, with a picture if there is anything to draw.
func (r *benchRun) write(res bench.Forms, picture bool) error {
	show := res.Text
	if r.format == "json" {
		show = res.JSON
	}
	if err := show(stdout); err != nil || r.out == "" {
		return err
	}
	return bench.WriteFiles(r.out, r.name, res, picture)
}
