package main

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/pflag"

	"github.com/mishap-robotics/mishap/bridge/logs/jsonl"
	"github.com/mishap-robotics/mishap/bridge/scenario"
	"github.com/mishap-robotics/mishap/engine/episode"
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
	s.rates, err = parseNoise(s.noise)
	return err
}

func (s *staging) scenarios(o *ontology.Ontology) ([]*simulation.Scenario, error) {
	if s.file != "" {
		return scenario.ReadDir(o, s.file)
	}
	if sc, ok := o.Scenario(s.task); ok {
		out, err := simulation.FromOntology(o, sc)
		return []*simulation.Scenario{out}, err
	}
	task, ok := o.Task(s.task)
	if !ok {
		return nil, simulation.UnknownScenario(o, s.task)
	}
	sc, ok := simulation.ScenarioOf(o, task)
	if !ok {
		return nil, fmt.Errorf("no scenario has the task %s; \"mishap sim --list\" shows the scenarios", task.Name)
	}
	out, err := simulation.FromOntology(o, sc)
	return []*simulation.Scenario{out}, err
}

// stage is a scenario with all that is to befall it, named by the seed that chooses.
func (s *staging) stage(o *ontology.Ontology, sc *simulation.Scenario, seed uint64) (*simulation.Scenario, error) {
	rng := rand.New(rand.NewPCG(seed, 1))
	staged, err := inject(o, sc, len(sc.Accidents), s.fails, s.step, rng)
	if err != nil {
		return nil, err
	}
	named := *staged
	named.ID = fmt.Sprintf("%s#%d", staged.ID, seed)
	return &named, nil
}

// inject lets failures befall a scenario, one after the other. Where a variant of the
// one leaves no room for the next another is tried. The first few accidents, by their
// number, are the scenario's own.
func inject(o *ontology.Ontology, sc *simulation.Scenario, own int, fails []string, step int, rng *rand.Rand) (*simulation.Scenario, error) {
	if len(fails) == 0 {
		return sc, nil
	}
	variants, err := variantsOf(o, sc, own, fails[0], step, rng)
	if err != nil {
		return nil, err
	}
	first := rng.IntN(len(variants))
	var cause error
	for i := range variants {
		out, err := inject(o, variants[(first+i)%len(variants)], own, fails[1:], 0, rng)
		if err == nil {
			return out, nil
		}
		if cause == nil {
			cause = err
		}
	}
	return nil, cause
}

// variantsOf lists the ways in which a failure can befall a scenario, at an action of
// its plan, or at any where step is 0. What was injected before is held back meanwhile:
// it would spoil what comes after it, and a robot that recovers goes on.
func variantsOf(o *ontology.Ontology, sc *simulation.Scenario, own int, fail string, step int, rng *rand.Rand) ([]*simulation.Scenario, error) {
	injections, err := simulation.Injections(o, fail)
	if err != nil {
		return nil, err
	}
	calm := *sc
	calm.Accidents = slices.Clip(sc.Accidents[:own])
	var out []*simulation.Scenario
	for _, in := range injections {
		found, err := simulation.Inject(o, &calm, in, rng.IntN)
		if err != nil {
			return nil, err
		}
		for _, v := range found {
			if (step == 0 || strings.HasSuffix(v.ID, fmt.Sprintf("@%d", step))) && restore(v, sc, own) {
				out = append(out, v)
			}
		}
	}
	if len(out) == 0 {
		at := ""
		if step > 0 {
			at = fmt.Sprintf(" at action %d of %d", step, len(sc.Plan))
		}
		return nil, fmt.Errorf("%s cannot happen in %s%s; possible there: %s", fail, sc.ID, at, strings.Join(possible(o, &calm), ", "))
	}
	return out, nil
}

// restore puts the accidents that were held back into a variant of a scenario; ok is
// false where an action that one befalls is no longer in the plan, or something else
// befalls it.
func restore(v, sc *simulation.Scenario, own int) (ok bool) {
	out := slices.Clone(sc.Accidents[own:])
	for i := range out {
		at := sameAction(sc.Plan, v.Plan, out[i].Step)
		if at == 0 || slices.ContainsFunc(v.Accidents, func(e simulation.Event) bool { return e.Step == at }) {
			return false
		}
		out[i].Step = at
	}
	v.Accidents = append(v.Accidents, out...)
	return true
}

// sameAction is where an action of one plan stands in another, from 1: as often as it
// came up to there; 0 where it does not.
func sameAction(from, to []episode.Action, step int) int {
	if step < 1 || step > len(from) {
		return 0
	}
	a, nth := from[step-1], 0
	for _, b := range from[:step] {
		if b == a {
			nth++
		}
	}
	for i, b := range to {
		if b != a {
			continue
		}
		if nth--; nth == 0 {
			return i + 1
		}
	}
	return 0
}

// possible names the failure classes that can be injected into a scenario.
func possible(o *ontology.Ontology, sc *simulation.Scenario) []string {
	var out []string
	for _, in := range o.Injections {
		name := o.Name(in.Injects)
		if slices.Contains(out, name) {
			continue
		}
		if found, err := simulation.Inject(o, sc, in, func(int) int { return 0 }); err == nil && len(found) > 0 {
			out = append(out, name)
		}
	}
	return out
}

// episodeFiles writes episodes to a folder.
type episodeFiles struct {
	folder  string
	written map[string]bool // file names without extension
}

// make makes the folder.
func (f *episodeFiles) make() error { return os.MkdirAll(f.folder, 0o755) }

var unsafeInFileNames = regexp.MustCompile(`[^\p{L}\p{N}_.-]+`)

// write writes an episode, and returns the path of its file without the extension.
func (f *episodeFiles) write(ep *episode.Episode) (base string, err error) {
	base = filepath.Join(f.folder, unsafeInFileNames.ReplaceAllString(ep.ID, "-"))
	if f.written[base] {
		return "", fmt.Errorf("%s.jsonl is another episode of this call already; give the scenario %s a name that differs in more than signs", base, ep.ID)
	}
	if f.written == nil {
		f.written = map[string]bool{}
	}
	f.written[base] = true
	file, err := os.Create(base + ".jsonl")
	if err != nil {
		return "", err
	}
	return base, errors.Join(jsonl.Write(file, ep), file.Close())
}

// parseNoise reads one rate for everything, or rates by kind.
func parseNoise(text string) (simulation.Noise, error) {
	var n simulation.Noise
	kinds := map[string]*float64{"missed": &n.Missed, "confused": &n.Confused, "flipped": &n.Flipped,
		"misplaced": &n.Misplaced, "unheard": &n.Unheard, "mislabeled": &n.Mislabeled}
	if text == "" {
		return n, nil
	}
	for _, part := range strings.Split(text, ",") {
		kind, value, named := strings.Cut(part, "=")
		if !named {
			kind, value = "", part
		}
		rate, err := strconv.ParseFloat(strings.TrimSpace(value), 64)
		if err != nil || !(rate >= 0 && rate <= maxNoise) {
			return n, fmt.Errorf("--noise %q; expected a rate from 0 to %v", part, maxNoise)
		}
		switch to, ok := kinds[strings.TrimSpace(kind)]; {
		case !named:
			n = simulation.Uniform(rate)
		case ok:
			*to = rate
		default:
			return n, fmt.Errorf("--noise kind %q; expected missed, confused, flipped, misplaced, unheard or mislabeled", kind)
		}
	}
	return n, nil
}
