package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/mishap-robotics/mishap/bridge/alfred"
	"github.com/mishap-robotics/mishap/bridge/bench"
	"github.com/mishap-robotics/mishap/bridge/scenario"
)

// benchParts are the parts of the benchmark, in the order they are run.
var benchParts = []string{"matrix", "suites", "noise", "ablations", "nested", "alfred", "robofail"}

// defaultOutput is where the whole benchmark leaves its result.
const defaultOutput = "testdata/bench"

type detectBench struct {
	parts                                       []string
	episodes, nested                            int
	seed                                        uint64
	alfred, robofail, accidents, scenarios, out string
	format                                      string
	unread                                      bool // a scenario file could not be read
}

func newBenchDetect(k *knowledge) *cobra.Command {
	d := &detectBench{}
	var quiet bool
	c := &cobra.Command{
		Use:   "detect",
		Short: "Measure detection on simulated, replayed and re-enacted episodes",
		Long: `Measure detection: how many failures are found, with the right class and the
right causing step, and how many false alarms there are.

  matrix     RECOVER's tasks by its twelve failures, every way each can happen
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
			if d.format != "text" && d.format != "json" {
				return fmt.Errorf("--format %q; expected text or json", d.format)
			}
			if d.scenarios != "" && !c.Flags().Changed("parts") {
				d.parts = nil
			}
			d.out = benchOutput(c, d.out, d.scenarios)
			for _, p := range d.parts {
				if !slices.Contains(benchParts, p) {
					return fmt.Errorf("--parts %q; expected some of %s", p, strings.Join(benchParts, ","))
				}
			}
			if d.episodes < 1 || d.nested < 1 {
				return errors.New("--episodes and --nested; expected at least 1")
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
			return d.run(c.Context(), &bench.Bench{Reasoner: r, Simulation: o, Seed: d.seed, Progress: p})
		},
	}
	f := c.Flags()
	f.StringSliceVar(&d.parts, "parts", benchParts, "what to measure")
	f.IntVar(&d.episodes, "episodes", 1000, "failed and clean episodes at each rate of noise and for each ablation")
	f.IntVar(&d.nested, "nested", 200, "episodes of each kind with several accidents")
	f.Uint64Var(&d.seed, "seed", 1, "chooses what is left to chance")
	f.StringVar(&d.alfred, "alfred", "", "ALFRED file to replay")
	f.StringVar(&d.robofail, "robofail", "", "plan file of RoboFail to re-enact")
	f.StringVar(&d.accidents, "accidents", "", "what befell the runs of the plan file; built in for the published plans")
	f.StringVar(&d.scenarios, "scenarios", "", "folder or file of scenarios")
	f.StringVar(&d.format, "format", "text", "text or json")
	f.StringVarP(&d.out, "output", "o", "", "folder to write detect.txt, detect.json and detect.svg to")
	f.BoolVar(&quiet, "quiet", false, "no progress")
	f.StringArrayVar(&k.simulations, "simulation", nil, "folder or file of simulation documents added to the built-in ones")
	return c
}

func (d *detectBench) run(ctx context.Context, b *bench.Bench) error {
	res := &bench.Result{Version: version(), Go: runtime.Version(), Seed: d.seed}
	if d.scenarios != "" {
		scenarios, err := scenario.ReadDir(b.Simulation, d.scenarios)
		if d.unread = complain(err); len(scenarios) == 0 && err != nil {
			return exit{exitBad}
		}
		if res.Scenarios, err = b.Scenarios(ctx, d.scenarios, scenarios); err != nil {
			return err
		}
	}
	for _, part := range benchParts {
		if !slices.Contains(d.parts, part) {
			continue
		}
		if err := d.part(ctx, b, part, res); err != nil {
			return err
		}
	}
	if err := d.write(res); err != nil {
		return err
	}
	if err := impossible(res); err != nil || !d.unread {
		return err
	}
	return exit{exitBad}
}

// complain prints the parts of an error, one to a line, and reports whether there
// are any.
func complain(err error) bool {
	if err == nil {
		return false
	}
	for _, e := range flatten(err) {
		fmt.Fprintln(os.Stderr, e.Error())
	}
	return true
}

// impossible reports scenarios that could not be run, so that they are not taken
// for scenarios in which nothing was found.
func impossible(res *bench.Result) error {
	if res.Scenarios == nil || res.Scenarios.Count.Errors+res.Scenarios.Clean.Errors == 0 {
		return nil
	}
	for _, c := range res.Scenarios.Cases {
		if c.Error != "" {
			fmt.Fprintln(os.Stderr, c.Error)
		}
	}
	return exit{exitBad}
}

// part runs one part of the benchmark.
func (d *detectBench) part(ctx context.Context, b *bench.Bench, name string, res *bench.Result) (err error) {
	tasks := []string{"recover", "reflect"}
	switch name {
	case "matrix":
		res.Matrix, err = b.Matrix(ctx, "recover", bench.Failures)
	case "suites":
		res.Suites, err = b.Suites(ctx, []string{"recover", "reflect", "replanning", "replan"})
	case "noise":
		res.Noise, err = b.Noise(ctx, tasks, []float64{0, 0.01, 0.02, 0.05, 0.10}, d.episodes)
	case "ablations":
		res.Ablations, err = b.Ablations(ctx, tasks, d.episodes)
	case "nested":
		res.Nested, err = b.Nested(ctx, tasks, d.nested)
	case "alfred":
		if d.alfred == "" {
			res.Skipped = append(res.Skipped, "alfred: no --alfred FILE was given")
			return nil
		}
		ts, err := alfred.ReadTrajectories(d.alfred)
		if err != nil {
			return err
		}
		res.ALFRED, err = b.ALFRED(ctx, d.alfred, ts)
		return err
	case "robofail":
		if d.robofail == "" {
			res.Skipped = append(res.Skipped, "robofail: no --robofail FILE was given")
			return nil
		}
		re, err := bench.ReadReenactments(d.accidents)
		if err != nil {
			return err
		}
		res.RoboFail, err = b.RoboFail(ctx, d.robofail, re)
		return err
	}
	return err
}

// write prints the result and writes it to the output folder.
func (d *detectBench) write(res *bench.Result) error {
	show := res.Text
	if d.format == "json" {
		show = res.JSON
	}
	forms := map[string]func(io.Writer) error{"detect.txt": res.Text, "detect.json": res.JSON}
	if res.Matrix != nil || res.Noise != nil || res.Ablations != nil {
		forms["detect.svg"] = res.SVG
	}
	return writeBench(show, d.out, forms)
}

// benchOutput is the folder that a benchmark writes to: the one that was named, else
// for the whole benchmark the usual one, where it is there.
func benchOutput(c *cobra.Command, out, scenarios string) string {
	if _, err := os.Stat(defaultOutput); err == nil && scenarios == "" && !c.Flags().Changed("parts") && !c.Flags().Changed("output") {
		return defaultOutput
	}
	return out
}

// writeBench prints a result, and writes its forms to a folder where one is named.
func writeBench(show func(io.Writer) error, out string, forms map[string]func(io.Writer) error) error {
	if err := show(os.Stdout); err != nil || out == "" {
		return err
	}
	if err := os.MkdirAll(out, 0o755); err != nil {
		return err
	}
	for name, form := range forms {
		var text bytes.Buffer
		if err := form(&text); err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(out, name), text.Bytes(), 0o644); err != nil {
			return err
		}
	}
	return nil
}

// version is the revision that the binary was built from, else its version.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" {
			return s.Value
		}
	}
	return info.Main.Version
}
