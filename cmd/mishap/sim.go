package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/mishap-robotics/mishap/bridge/jsonl"
	"github.com/mishap-robotics/mishap/bridge/scenario"
	"github.com/mishap-robotics/mishap/engine/world"
	"github.com/mishap-robotics/mishap/ontology"
	"github.com/mishap-robotics/mishap/ontology/document"
	"github.com/mishap-robotics/mishap/ontology/simulation"
)

// loadSimulation is the ontology with what simulated kitchens are made of.
func (k *knowledge) loadSimulation() (*ontology.Ontology, error) {
	if len(k.ontologies)+len(k.simulations) == 0 && !k.onlyOntology {
		return simulation.Default(), nil
	}
	base, err := k.documents()
	if err != nil {
		return nil, err
	}
	own, err := collect("simulation", simulation.Shipped(), k.simulations, false, ontology.ReadDir)
	if err != nil {
		return nil, err
	}
	o, _, err := simulation.Parse(base, slices.Clip([]document.Document(own)))
	return o, err
}

type simulating struct {
	task, fail, noise, file, out string
	seed                         uint64
	count, step                  int
	written                      map[string]bool // file names without extension
	again                        bool
}

func newSim(k *knowledge) *cobra.Command {
	s := &simulating{written: map[string]bool{}}
	var list bool
	c := &cobra.Command{
		Use:   "sim (--task TASK | --scenario FILE) --seed N -o DIR",
		Short: "Simulate an episode, with a failure injected where one is asked for",
		Long: `Simulate an episode in a symbolic kitchen and write it in mishap's own format to
DIR/ID.jsonl, and what really went wrong, apart from it, to DIR/ID.truth.json.

TASK is the name or label of a scenario or of a task, FAILURE the name of an
injection or of a failure class; --list shows them. Noise is a rate from 0 to
0.5 for everything that is seen and heard, or rates by kind:
missed=0.05,confused=0.02,flipped=0.05,misplaced=0.01,unheard=0.1,mislabeled=0.05.
Which object the gripper holds is always sensed exactly.

Exit code: 0, or 2 where the call or an input is bad.`,
		Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			o, err := k.loadSimulation()
			if err != nil {
				return err
			}
			if list {
				return listSimulation(o)
			}
			return s.run(o)
		},
	}
	f := c.Flags()
	f.StringVar(&s.task, "task", "", "scenario or task to simulate")
	f.StringVar(&s.file, "scenario", "", "scenario file to simulate (see \"mishap schema scenario\")")
	f.StringVar(&s.fail, "fail", "", "failure to inject")
	f.IntVar(&s.step, "step", 0, "action of the plan that the failure befalls; 0 lets the seed choose")
	f.StringVar(&s.noise, "noise", "", "rate at which perception errs")
	f.BoolVar(&s.again, "again", false, "the robot tries again after an accident")
	f.Uint64Var(&s.seed, "seed", 1, "chooses what is left to chance")
	f.IntVar(&s.count, "count", 1, "how many episodes, each with the next seed")
	f.StringVarP(&s.out, "output", "o", "", "folder to write to")
	f.BoolVar(&list, "list", false, "list scenarios and failures")
	f.StringArrayVar(&k.simulations, "simulation", nil, "folder or file of simulation documents added to the built-in ones")
	return c
}

func listSimulation(o *ontology.Ontology) error {
	w := tabwriter.NewWriter(os.Stdout, 0, 8, 2, ' ', 0)
	fmt.Fprintln(w, "SCENARIO\tSUITE\tACTIONS\tTASK\tEXPECTED")
	for _, sc := range o.Scenarios {
		var expected []string
		for _, e := range sc.Expects {
			expected = append(expected, o.Name(e.Failure))
		}
		task := ""
		if sc.Task != ontology.None {
			task = o.Terms[sc.Task].Label()
		}
		fmt.Fprintf(w, "%s\t%s\t%d\t%s\t%s\n", sc.Name, sc.Suite, len(sc.Plan), task, strings.Join(expected, ", "))
	}
	fmt.Fprintln(w, "\nFAILURE\tINJECTS\tWHAT HAPPENS")
	for _, in := range o.Injections {
		fmt.Fprintf(w, "%s\t%s\t%s\n", in.Name, o.Name(in.Injects), o.Terms[in.Term].Comment)
	}
	return w.Flush()
}

func (s *simulating) run(o *ontology.Ontology) error {
	switch {
	case (s.task == "") == (s.file == ""):
		return errors.New("expected either --task or --scenario; --list shows the tasks")
	case s.out == "":
		return errors.New("expected -o DIR, the folder to write to")
	case s.count < 1:
		return fmt.Errorf("--count %d; expected at least 1", s.count)
	case s.step != 0 && s.fail == "":
		return errors.New("--step says where a failure is injected; expected --fail too")
	}
	noise, err := parseNoise(s.noise)
	if err != nil {
		return err
	}
	scenarios, err := s.scenarios(o)
	if len(scenarios) == 0 && err != nil {
		return err
	}
	unread := complain(err)
	if err := os.MkdirAll(s.out, 0o755); err != nil {
		return err
	}
	for _, sc := range scenarios {
		for i := range uint64(s.count) {
			if err := s.simulate(o, sc, s.seed+i, noise); err != nil && len(scenarios) == 1 {
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

func (s *simulating) scenarios(o *ontology.Ontology) ([]*world.Scenario, error) {
	if s.file != "" {
		return scenario.ReadDir(o, s.file)
	}
	if sc, ok := o.Scenario(s.task); ok {
		out, err := world.FromOntology(o, sc)
		return []*world.Scenario{out}, err
	}
	task, ok := o.Task(s.task)
	if !ok {
		return nil, world.UnknownScenario(o, s.task)
	}
	sc, ok := world.ScenarioOf(o, task)
	if !ok {
		return nil, fmt.Errorf("no scenario has the task %s; --list shows the scenarios", task.Name)
	}
	out, err := world.FromOntology(o, sc)
	return []*world.Scenario{out}, err
}

func (s *simulating) simulate(o *ontology.Ontology, sc *world.Scenario, seed uint64, noise world.Noise) error {
	id := sc.ID
	if s.fail != "" {
		rng := rand.New(rand.NewPCG(seed, 1))
		variants, err := s.variants(o, sc, rng)
		if err != nil {
			return err
		}
		sc = variants[rng.IntN(len(variants))]
		id = sc.ID
	}
	named := *sc
	named.ID, named.Again = fmt.Sprintf("%s#%d", id, seed), sc.Again || s.again
	run, err := world.Simulate(o, &named, world.Options{Noise: noise, Seed: seed})
	if err != nil {
		return err
	}
	return s.write(run)
}

// variants lists the ways in which the failure can befall a scenario.
func (s *simulating) variants(o *ontology.Ontology, sc *world.Scenario, rng *rand.Rand) ([]*world.Scenario, error) {
	injections, err := world.Injections(o, s.fail)
	if err != nil {
		return nil, err
	}
	var out []*world.Scenario
	for _, in := range injections {
		found, err := world.Inject(o, sc, in, rng.IntN)
		if err != nil {
			return nil, err
		}
		for _, v := range found {
			if s.step == 0 || strings.HasSuffix(v.ID, fmt.Sprintf("@%d", s.step)) {
				out = append(out, v)
			}
		}
	}
	if len(out) == 0 {
		at := ""
		if s.step > 0 {
			at = fmt.Sprintf(" at action %d of %d", s.step, len(sc.Plan))
		}
		return nil, fmt.Errorf("%s cannot happen in %s%s; possible there: %s", s.fail, sc.ID, at, strings.Join(possible(o, sc), ", "))
	}
	return out, nil
}

// possible names the failure classes that can be injected into a scenario.
func possible(o *ontology.Ontology, sc *world.Scenario) []string {
	var out []string
	for _, in := range o.Injections {
		name := o.Name(in.Injects)
		if slices.Contains(out, name) {
			continue
		}
		if found, err := world.Inject(o, sc, in, func(int) int { return 0 }); err == nil && len(found) > 0 {
			out = append(out, name)
		}
	}
	return out
}

var unsafeInFileNames = regexp.MustCompile(`[^\p{L}\p{N}_.-]+`)

func (s *simulating) write(run *world.Run) error {
	base := filepath.Join(s.out, unsafeInFileNames.ReplaceAllString(run.Episode.ID, "-"))
	if s.written[base] {
		return fmt.Errorf("%s.jsonl is another episode of this call already; give the scenario %s a name that differs in more than signs", base, run.Episode.ID)
	}
	s.written[base] = true
	f, err := os.Create(base + ".jsonl")
	if err != nil {
		return err
	}
	if err := errors.Join(jsonl.Write(f, run.Episode), f.Close()); err != nil {
		return err
	}
	type step struct {
		Step    int      `json:"step"`
		Refused string   `json:"refused,omitempty"`
		Done    bool     `json:"done"`
		Dropped []string `json:"dropped,omitempty"`
	}
	truth := struct {
		ID       string        `json:"id"`
		Failures []world.Truth `json:"failures"`
		Reached  bool          `json:"goal_reached"`
		Steps    []step        `json:"steps"`
	}{run.Episode.ID, append([]world.Truth{}, run.Truth...), run.Reached, nil}
	for i, out := range run.Outcomes {
		truth.Steps = append(truth.Steps, step{i + 1, out.Reasons(), out.Done, out.Dropped})
	}
	data, err := json.MarshalIndent(truth, "", "  ")
	if err != nil {
		return err
	}
	fmt.Println(base + ".jsonl")
	return os.WriteFile(base+".truth.json", append(data, '\n'), 0o644)
}

// parseNoise reads one rate for everything, or rates by kind.
func parseNoise(text string) (world.Noise, error) {
	var n world.Noise
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
			n = world.Uniform(rate)
		case ok:
			*to = rate
		default:
			return n, fmt.Errorf("--noise kind %q; expected missed, confused, flipped, misplaced, unheard or mislabeled", kind)
		}
	}
	return n, nil
}
