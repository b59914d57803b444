package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/mishap-robotics/mishap/bridge/logs/jsonl"
	"github.com/mishap-robotics/mishap/bridge/pack"
	"github.com/mishap-robotics/mishap/bridge/perception/render"
	"github.com/mishap-robotics/mishap/bridge/recording"
	"github.com/mishap-robotics/mishap/bridge/scenario"
	"github.com/mishap-robotics/mishap/engine/simulation"
	"github.com/mishap-robotics/mishap/ontology"
	"github.com/mishap-robotics/mishap/ontology/document"
	"github.com/mishap-robotics/mishap/ontology/kitchen"
)

// loadSimulation is the ontology with what simulated kitchens are made of.
func (k *knowledge) loadSimulation() (*ontology.Ontology, error) {
	if len(k.ontologies)+len(k.simulations) == 0 && !k.onlyOntology && !k.hasPacks() {
		return kitchen.Default(), nil
	}
	base, err := k.documents()
	if err != nil {
		return nil, err
	}
	built, err := k.base(kitchen.Shipped, (*pack.Stack).Simulation)
	if err != nil {
		return nil, err
	}
	if k.hasPacks() && len(k.simulations) == 0 && len(built) <= len(kitchen.Language()) { // the words alone
		return nil, fmt.Errorf("--pack %s has nothing to simulate; expected a pack with m:simulationFiles, as \"mishap pack init\" writes one, or --simulation with such files", strings.Join(k.packs, " "))
	}
	if k.onlyOntology {
		built = kitchen.Language() // the kitchen is of the ontology that is left out
	}
	own, err := collect("simulation", built, nil, k.simulations, false, ontology.ReadDir)
	if err != nil {
		return nil, err
	}
	o, _, err := kitchen.Parse(base, slices.Clip([]document.Document(own)))
	return o, err
}

type simulating struct {
	staging
	fail, folder    string
	format, sensors string
	errs            render.Noise // of sensors
	files           *jsonl.Folder
	again, force    bool
}

func newSim(k *knowledge) *cobra.Command {
	s := &simulating{}
	var list bool
	c := &cobra.Command{
		Use:   "sim (--task TASK | --scenario FILE) --seed N -o DIR",
		Short: "Simulate an episode, with a failure injected where one is asked for",
		Long: `Simulate an episode in a symbolic kitchen and write it in mishap's own format to
DIR/ID.jsonl, and what really went wrong, apart from it, to DIR/ID.truth.json. With
--format mcap it is the recording that a robot would have made: DIR/ID.mcap, with
things laid out in space and detected as boxes, the gripper, actions and sounds, which
"mishap perceive" reads back.

TASK is the name or label of a scenario or of a task, FAILURE the name of an
injection or of a failure class; --list shows them. Noise is a rate from 0 to
0.5 for everything that is seen and heard, or rates by kind:
missed=0.05,confused=0.02,flipped=0.05,misplaced=0.01,unheard=0.1,mislabeled=0.05.
Which object the gripper holds is always sensed exactly. --sensors says how the
detections of a recording err: sigma, the standard deviation of places and sizes in
metres, missed, false (how many a frame) and swapped (tracks), as
sigma=0.01,missed=0.02,false=0.1,swapped=0.05; and with points=200 that they are
clouds of so many points in place of boxes.

Exit code: 0, or 2 where the call or an input is bad.`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			o, err := k.loadSimulation()
			if err != nil {
				return err
			}
			if list {
				return scenario.WriteList(stdout, o)
			}
			return s.run(c.Context(), o)
		},
	}
	f := c.Flags()
	s.staging.flags(f, k)
	f.StringVar(&s.fail, "fail", "", "failure to inject")
	f.BoolVar(&s.again, "again", false, "the robot tries again after an accident")
	f.StringVarP(&s.folder, "output", "o", "", "folder to write to")
	f.StringVar(&s.format, "format", "jsonl", "jsonl, or mcap for a recording")
	f.StringVar(&s.sensors, "sensors", "", "how the detections of a recording err")
	f.BoolVar(&s.force, "force", false, "overwrite files that are there already")
	f.BoolVar(&list, "list", false, "list scenarios and failures")
	return c
}

func (s *simulating) run(ctx context.Context, o *ontology.Ontology) error {
	if s.fail != "" {
		s.fails = []string{s.fail}
	}
	if err := s.check(); err != nil {
		return err
	}
	var err error
	switch s.errs, err = render.ParseNoise(s.sensors); {
	case err != nil:
		return fmt.Errorf("--sensors %w", err)
	case s.format != "jsonl" && s.format != "mcap":
		return fmt.Errorf("--format %q; expected jsonl or mcap", s.format)
	case s.format == "jsonl" && s.sensors != "":
		return errors.New("--sensors says how the detections of a recording err; expected --format mcap with it")
	}
	if s.folder == "" {
		return errors.New("expected -o DIR, the folder to write to")
	}
	scenarios, err := s.scenarios(o)
	if len(scenarios) == 0 && err != nil {
		return err
	}
	unread := complain(err)
	s.files = jsonl.NewFolder(s.folder)
	s.files.Overwrite = s.force
	for _, sc := range scenarios {
		for i := range uint64(s.count) {
			if err := ctx.Err(); err != nil {
				return err
			}
			if err := s.simulate(o, sc, s.seed+i); err != nil && len(scenarios) == 1 {
				return err
			} else if err != nil {
				unread = complain(err)
			}
		}
	}
	if unread {
		return exit{exitBad}
	}
	return nil
}

func (s *simulating) simulate(o *ontology.Ontology, sc *simulation.Scenario, seed uint64) error {
	staged, err := s.stage(o, sc, seed)
	if err != nil {
		return err
	}
	staged.Again = staged.Again || s.again
	run, err := simulation.Simulate(o, staged, simulation.Options{Noise: s.rates, Seed: seed})
	if err != nil {
		return err
	}
	return s.write(o, run, seed)
}

func (s *simulating) write(o *ontology.Ontology, run *simulation.SimulatedEpisode, seed uint64) error {
	ending := ".jsonl"
	var log bytes.Buffer
	var err error
	if s.format == "mcap" {
		ending = recording.Suffix
		err = render.Write(&log, o, run.Episode, s.errs, seed)
	} else {
		err = jsonl.Write(&log, run.Episode)
	}
	if err != nil {
		return err
	}
	base, err := s.files.WriteAs(run.Episode, ending, log.Bytes())
	if err != nil {
		return orForce(err)
	}
	fmt.Fprintln(stdout, base+ending)
	var text bytes.Buffer
	if err := scenario.WriteTruth(&text, run); err != nil {
		return err
	}
	return orForce(s.files.WriteBeside(base, ".truth.json", text.Bytes()))
}
