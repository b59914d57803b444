package main

import (
	"errors"
	"fmt"

	"github.com/spf13/pflag"

	"github.com/mishap-robotics/mishap/bridge/scenario"
	"github.com/mishap-robotics/mishap/engine/simulation"
	"github.com/mishap-robotics/mishap/ontology"
)

// staging says what is played in the simulated kitchen: which scenarios, what befalls
// them, and how well the robot perceives.
type staging struct {
	task, file, noise string
	fails             []string // injected one after the other
	step, count       int
	seed              uint64
	rates             simulation.Noise // by noise
}

func (s *staging) flags(f *pflag.FlagSet, k *knowledge) {
	f.StringVar(&s.task, "task", "", "scenario or task to simulate")
	f.StringVar(&s.file, "scenario", "", "scenario file to simulate (see \"mishap schema scenario\")")
	f.IntVar(&s.step, "step", 0, "action of the plan that the failure befalls, the first of several; 0 lets the seed choose")
	f.StringVar(&s.noise, "noise", "", "rate at which perception errs")
	f.Uint64Var(&s.seed, "seed", 1, "chooses what is left to chance")
	f.IntVar(&s.count, "count", 1, "how many episodes, each with the next seed")
	f.StringArrayVar(&k.simulations, "simulation", nil, "folder or file of simulation documents added to the built-in ones")
}

// check refuses flags that are wrong, and reads the noise.
func (s *staging) check() error {
	switch {
	case (s.task == "") == (s.file == ""):
		return errors.New("expected either --task or --scenario; \"mishap sim --list\" shows the tasks")
	case s.count < 1:
		return fmt.Errorf("--count %d; expected at least 1", s.count)
	case s.step < 0:
		return fmt.Errorf("--step %d; expected an action of the plan, from 1, or 0 for any", s.step)
	case s.step != 0 && len(s.fails) == 0:
		return errors.New("--step says where a failure is injected; expected --fail too")
	}
	var err error
	if s.rates, err = simulation.ParseNoise(s.noise); err != nil {
		return fmt.Errorf("--noise %w", err)
	}
	return nil
}

func (s *staging) scenarios(o *ontology.Ontology) ([]*simulation.Scenario, error) {
	if s.file != "" {
		return scenario.ReadDir(o, s.file)
	}
	sc, err := scenario.Shipped(o, s.task)
	if err != nil {
		return nil, err
	}
	return []*simulation.Scenario{sc}, nil
}

func (s *staging) stage(o *ontology.Ontology, sc *simulation.Scenario, seed uint64) (*simulation.Scenario, error) {
	return simulation.Stage(o, sc, s.fails, s.step, seed)
}
