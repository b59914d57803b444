package bench

import (
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"os"
	"slices"

	"github.com/mishap-robotics/mishap/bridge/internal/input"
	"github.com/mishap-robotics/mishap/bridge/internal/schema"
	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/engine/simulation"
	"github.com/mishap-robotics/mishap/ontology"
)

// RoboFail is detection on re-enactments of RoboFail's annotated plans: the real
// plan of each run in a simulated kitchen that has what the plan names. The real
// observations are not there.
type RoboFail struct {
	Total   Count            `json:"total"`
	ByKind  map[string]Count `json:"by_kind"`
	Cases   []Case           `json:"cases"`
	Skipped []string         `json:"skipped,omitempty"` // with the reason
}

// plan is a line of a plan file. What a person annotated afterwards is read here
// to score findings, and nowhere else.
type plan struct {
	Episode    string   `json:"episode"`
	Task       string   `json:"task"`
	Goal       string   `json:"goal"`
	Scene      []string `json:"scene"`
	Actions    []string `json:"actions"`
	Annotation struct {
		Kind      string `json:"kind"`
		Ambiguous string `json:"ambiguous"`
		Window    []int  `json:"fault_window"`
	} `json:"annotation"`
}

// Reenactments says what happens to the runs that went wrong in execution, and the
// failure class of each run.
type Reenactments struct {
	Comment  string `json:"comment"`
	Episodes []struct {
		Episode   string   `json:"episode"`
		Classes   []string `json:"classes"`
		Accidents []struct {
			Event  ontology.InjectionKind `json:"event"`
			Object string                 `json:"object"`
			Step   int                    `json:"step"`
		} `json:"accidents"`
	} `json:"episodes"`
}

//go:embed robofail.json
var reenactments []byte

// ReadReenactments reads a file of accidents for a plan file; for "" the built-in
// one, which covers the 49 published plans.
func ReadReenactments(file string) (*Reenactments, error) {
	data := reenactments
	if file != "" {
		var err error
		if data, err = os.ReadFile(file); err != nil {
			return nil, &input.Error{File: file, Found: input.Cause(err), Expected: "a file of accidents"}
		}
	}
	var r Reenactments
	if err := json.Unmarshal(data, &r); err != nil {
		return nil, &input.Error{File: file, Found: "no JSON (" + schema.Cause(err) + ")", Expected: `{"episodes":[…]}`}
	}
	return &r, nil
}

// RoboFail re-enacts the plans of a file. Of a drop without a step there is a
// run for every step while the object is carried.
func (b *Bench) RoboFail(ctx context.Context, file string, re *Reenactments) (*RoboFail, error) {
	plans, err := readPlans(file)
	if err != nil {
		return nil, err
	}
	out := &RoboFail{ByKind: map[string]Count{}}
	var jobs []job
	var kinds []string
	for i := range plans {
		p := &plans[i]
		if p.Annotation.Ambiguous != "" {
			out.Skipped = append(out.Skipped, p.Episode+": "+p.Annotation.Ambiguous)
			continue
		}
		sc, err := b.sampler().reenactment(file, p)
		if err != nil {
			return nil, err
		}
		variants, err := b.sampler().reenactments(ctx, sc, p, re)
		if err != nil {
			return nil, fmt.Errorf("%s: %s: %w", file, p.Episode, err)
		}
		if len(variants) == 0 {
			out.Skipped = append(out.Skipped, p.Episode+": nothing says what befell it")
		}
		for _, v := range variants {
			jobs, kinds = append(jobs, job{scenario: v}), append(kinds, p.Annotation.Kind)
		}
	}
	out.Cases = b.run(ctx, jobs)
	for i := range out.Cases {
		c := &out.Cases[i]
		n := out.ByKind[kinds[i]]
		n.add(c)
		out.ByKind[kinds[i]] = n
		out.Total.add(c)
	}
	return out, ctx.Err()
}

func readPlans(file string) ([]plan, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, &input.Error{File: file, Found: input.Cause(err), Expected: "a plan file"}
	}
	defer f.Close()
	var out []plan
	err = input.EachLine(file, f, func(n int, text []byte) error {
		var p plan
		if err := json.Unmarshal(text, &p); err != nil {
			return &input.Error{File: file, Line: n, Found: "no plan (" + schema.Cause(err) + ")", Expected: "an object with episode, task, actions and annotation"}
		}
		if p.Episode == "" || len(p.Actions) == 0 {
			return &input.Error{File: file, Line: n, Found: "a plan without episode or actions", Expected: "both"}
		}
		out = append(out, p)
		return nil
	})
	return out, err
}

func (s sampler) reenactment(file string, p *plan) (*simulation.Scenario, error) {
	sc := &simulation.Scenario{ID: p.Episode, Suite: "robofail", Task: p.Task, Goal: p.Goal}
	for _, text := range p.Scene {
		f, err := episode.ParseFact(text)
		if err != nil {
			return nil, fmt.Errorf("%s: %s: %w", file, p.Episode, err)
		}
		sc.Scene = append(sc.Scene, f)
	}
	for _, text := range p.Actions {
		a, err := episode.ParseAction(s.onto, text)
		if err != nil {
			return nil, fmt.Errorf("%s: %s: %w", file, p.Episode, err)
		}
		sc.Plan = append(sc.Plan, a)
	}
	return sc, nil
}

// reenactments lists the runs of a plan: one with nothing but the scene for faults of
// the plan or the scene, one for each accident and step else.
func (s sampler) reenactments(ctx context.Context, sc *simulation.Scenario, p *plan, re *Reenactments) ([]*simulation.Scenario, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	var classes []string
	var accidents []simulation.Disturbance
	for _, e := range re.Episodes {
		if e.Episode != p.Episode {
			continue
		}
		classes = e.Classes
		for _, a := range e.Accidents {
			accidents = append(accidents, simulation.Disturbance{Step: a.Step, Accident: simulation.Accident{Kind: a.Event, Object: a.Object}})
		}
	}
	if p.Annotation.Kind != "execution" {
		if len(classes) == 0 {
			classes = selection(s.onto, "robofail_"+p.Annotation.Kind)
		}
		if len(classes) == 0 {
			return nil, fmt.Errorf("kind %q; expected planning, scene or execution", p.Annotation.Kind)
		}
		truth := simulation.Truth{Class: classes[0], Classes: classes[1:], Window: p.Annotation.Window}
		sc.Expect = []simulation.Truth{truth}
		return []*simulation.Scenario{sc}, nil
	}
	if len(accidents) == 0 {
		return nil, nil
	}
	var steps []int
	if i := slices.IndexFunc(accidents, func(ev simulation.Disturbance) bool { return ev.Step == 0 }); i >= 0 {
		carried, err := s.carried(sc, accidents[i].Object)
		if err != nil {
			return nil, err
		}
		steps = carried
	} else {
		steps = []int{accidents[0].Step}
	}
	var out []*simulation.Scenario
	for _, k := range steps {
		v := *sc
		v.ID = fmt.Sprintf("%s@%d", sc.ID, k)
		v.Disturbances = slices.Clone(accidents)
		for i := range v.Disturbances {
			if v.Disturbances[i].Step == 0 {
				v.Disturbances[i].Step = k
			}
		}
		run, err := simulation.Simulate(s.onto, &v, simulation.Options{})
		if err != nil {
			return nil, err
		}
		v.Expect = run.GroundTruth(s.onto)
		out = append(out, &v)
	}
	return out, nil
}

// carried lists the steps at which an object is in the gripper when they begin.
func (s sampler) carried(sc *simulation.Scenario, object string) ([]int, error) {
	run, err := simulation.Simulate(s.onto, sc, simulation.Options{})
	if err != nil {
		return nil, err
	}
	var out []int
	for i := range run.Results {
		s := run.Before[i]
		for _, x := range s.Held(run.Calls[i].Gripper) {
			class, _ := episode.SplitName(s.Objects.Name(x))
			if !s.Gone(x) && (class == object || s.Objects.Name(x) == object) {
				out = append(out, i+1)
			}
		}
	}
	return out, nil
}
