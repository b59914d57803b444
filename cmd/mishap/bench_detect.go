package main

import (
	"math/rand/v2"
	"strings"

	"encoding/json"
	"fmt"
	"github.com/mishap-robotics/mishap/bridge/jsonl"
	"github.com/mishap-robotics/mishap/engine/perception"
	"github.com/mishap-robotics/mishap/engine/world"
	"os"

	"github.com/spf13/cobra"

	"github.com/mishap-robotics/mishap/bridge/alfred"
	"github.com/mishap-robotics/mishap/bridge/bench"
)

func newBenchDetect(k *knowledge) *cobra.Command {
	var seed uint64
	c := &cobra.Command{Use: "dev", RunE: func(c *cobra.Command, args []string) error {
		r, err := k.reasoner()
		if err != nil {
			return err
		}
		o, err := k.loadSimulation()
		if err != nil {
			return err
		}
		b := &bench.Bench{Reasoner: r, Simulation: o, Seed: seed}
		var v any
		switch args[0] {
		case "matrix":
			v, err = b.Matrix(c.Context(), args[1], bench.Failures)
		case "all":
			var fs []string
			for _, in := range o.Injections {
				fs = append(fs, o.Name(in.Injects))
			}
			v, err = b.Matrix(c.Context(), args[1], fs)
		case "noise":
			v, err = b.Noise(c.Context(), []string{"recover"}, []float64{0, 0.01, 0.05}, 300)
		case "robofail":
			re, err := bench.ReadReenactments("testdata/bench/robofail.json")
			if err != nil {
				return err
			}
			v, err = b.RoboFail(c.Context(), args[1], re)
			if err != nil {
				return err
			}
		case "alfred":
			ts, err := alfred.ReadTrajectories(args[1])
			if err != nil {
				return err
			}
			n := len(ts)
			if len(args) > 2 {
				fmt.Sscan(args[2], &n)
			}
			v, err = b.ALFRED(c.Context(), args[1], ts[:n])
			if err != nil {
				return err
			}
		case "case":
			var s uint64
			fmt.Sscan(args[2], &s)
			name, rest, _ := strings.Cut(args[1], "/")
			d, _ := o.Scenario(name)
			sc, _ := world.FromOntology(o, d)
			if rest != "" {
				in, _, _ := strings.Cut(rest, "@")
				for i := range uint64(200) {
					injs, _ := world.Injections(o, in)
					vs, _ := world.Inject(o, sc, injs[0], rand.New(rand.NewPCG(1, i)).IntN)
					for _, v := range vs {
						if v.ID == args[1] {
							sc = v
						}
					}
					break
				}
			}
			run, err := world.Simulate(o, sc, world.Options{Noise: world.Uniform(0.05), Seed: s})
			if err != nil {
				return err
			}
			sm := *run.Episode
			sm.Steps = perception.Smooth(o, run.Episode)
			f, _ := os.Create("/tmp/raw.jsonl")
			jsonl.Write(f, run.Episode)
			f.Close()
			f, _ = os.Create("/tmp/smooth.jsonl")
			sm.Noise = 0
			jsonl.Write(f, &sm)
			f.Close()
			return nil
		case "nested":
			v, err = b.Nested(c.Context(), []string{"recover"}, 100)
		case "ablate":
			v, err = b.Ablations(c.Context(), []string{"recover"}, 100)
		}
		if err != nil {
			return err
		}
		data, _ := json.MarshalIndent(v, "", " ")
		_, err = fmt.Fprintln(os.Stdout, string(data))
		return err
	}}
	c.Flags().Uint64Var(&seed, "seed", 1, "")
	return c
}
