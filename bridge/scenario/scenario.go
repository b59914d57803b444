// Package scenario reads scenarios for the simulated kitchen. Their schema is
// scenario.schema.json; every scenario is validated against it.
package scenario

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/mishap-robotics/mishap/bridge/internal/input"
	"github.com/mishap-robotics/mishap/bridge/internal/schema"
	"github.com/mishap-robotics/mishap/bridge/internal/setting"
	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/engine/simulation"
	"github.com/mishap-robotics/mishap/ontology"
)

// Schema is the JSON Schema of a scenario.
func Schema() []byte { return slices.Clone(schemaText) }

//go:embed scenario.schema.json
var schemaText []byte

var compiled = sync.OnceValue(func() *schema.Schema {
	return schema.Compile("scenario.schema.json", schemaText, "scenario")
})

type document struct {
	ID        string              `json:"id"`
	Scenario  string              `json:"scenario"`
	Task      string              `json:"task"`
	Goal      string              `json:"goal"`
	Goals     []string            `json:"goal_conditions"`
	Params    map[string]string   `json:"params"`
	People    []person            `json:"people"`
	Agents    []agent             `json:"agents"`
	Scene     []string            `json:"scene"`
	Latent    []string            `json:"latent"`
	Objects   []string            `json:"objects"`
	Plan      []string            `json:"plan"`
	Again     bool                `json:"again"`
	Accidents []accident          `json:"accidents"`
	Expect    *[]simulation.Truth `json:"expect"`
}

type person struct {
	Name     string   `json:"name"`
	Diets    []string `json:"diets"`
	Dislikes []string `json:"dislikes"`
}

type agent struct {
	Name     string   `json:"name"`
	Class    string   `json:"class"`
	Grippers []string `json:"grippers"`
	Members  []string `json:"members"`
}

type accident struct {
	Step   int      `json:"step"`
	Event  string   `json:"event"`
	Object string   `json:"object"`
	Onto   string   `json:"onto"`
	Facts  []string `json:"facts"`
	Retry  int      `json:"retry"`
}

// ReadDir reads the scenarios of the *.json and *.jsonl files of a folder, in
// order of name, or those of the one file that path is. The error joins a
// *logs.Error for each file that cannot be read, at the first thing that is wrong
// in it; the scenarios of the others are returned all the same.
func ReadDir(o *ontology.Ontology, path string) ([]*simulation.Scenario, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, &input.Error{File: path, Found: input.Cause(err), Expected: "a scenario file or a folder of them"}
	}
	files := []string{path}
	if info.IsDir() {
		files = nil
		for _, pattern := range []string{"*.json", "*.jsonl"} {
			found, _ := filepath.Glob(filepath.Join(path, pattern))
			files = append(files, found...)
		}
		slices.Sort(files)
		if len(files) == 0 {
			return nil, &input.Error{File: path, Found: "a folder without scenarios", Expected: "*.json or *.jsonl files"}
		}
	}
	var out []*simulation.Scenario
	var errs []error
	for _, f := range files {
		some, err := readFile(o, f)
		if err != nil {
			errs = append(errs, err)
			continue
		}
		for _, sc := range some {
			if slices.ContainsFunc(out, func(other *simulation.Scenario) bool { return other.ID == sc.ID }) {
				errs = append(errs, &input.Error{File: f, Found: fmt.Sprintf("a second scenario %q", input.Clip(sc.ID)), Expected: "each id once"})
				continue
			}
			out = append(out, sc)
		}
	}
	return out, errors.Join(errs...)
}

func readFile(o *ontology.Ontology, file string) ([]*simulation.Scenario, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, &input.Error{File: file, Found: input.Cause(err), Expected: "a readable file"}
	}
	return Read(o, file, data)
}

// Read reads the scenarios of one file: an object, an array, or one a line.
func Read(o *ontology.Ontology, file string, data []byte) ([]*simulation.Scenario, error) {
	r := &reader{onto: o, file: file}
	if strings.HasSuffix(file, ".jsonl") {
		err := input.EachLine(file, bytes.NewReader(data), r.scenario)
		return r.out, err
	}
	text := bytes.TrimSpace(bytes.TrimPrefix(data, []byte("\xef\xbb\xbf")))
	if len(text) > 0 && text[0] == '[' {
		var list []json.RawMessage
		if err := json.Unmarshal(text, &list); err != nil {
			return nil, r.fail(lineOf(data, bytes.Index(data, text), err), "no JSON ("+schema.Cause(err)+")", "an array of scenarios")
		}
		if len(list) == 0 {
			return nil, r.fail(0, "an array without scenarios", "at least one")
		}
		at := 0
		for _, item := range list {
			at += bytes.Index(data[at:], item)
			if err := r.scenario(1+bytes.Count(data[:at], []byte("\n")), item); err != nil {
				return nil, err
			}
			at += len(item)
		}
		return r.out, nil
	}
	var any json.RawMessage
	if err := json.Unmarshal(text, &any); err != nil {
		return nil, r.fail(lineOf(data, bytes.Index(data, text), err), "no JSON ("+schema.Cause(err)+")", "a scenario")
	}
	err := r.scenario(1, text)
	return r.out, err
}

// lineOf is the line of a JSON syntax error in what begins at an offset.
func lineOf(data []byte, from int, err error) int {
	if e, ok := err.(*json.SyntaxError); ok {
		return 1 + bytes.Count(data[:min(from+int(e.Offset), len(data))], []byte("\n"))
	}
	return 1
}

type reader struct {
	onto *ontology.Ontology
	file string
	out  []*simulation.Scenario
}

func (r *reader) fail(line int, found, expected string) error {
	return &input.Error{File: r.file, Line: line, Found: found, Expected: expected}
}

func (r *reader) scenario(line int, text []byte) error {
	doc, found := schema.Decode(text)
	if found != "" {
		return r.fail(line, found, "a scenario")
	}
	if found, expected, ok := compiled().Validate("scenario", doc); !ok {
		return r.fail(line, found, expected)
	}
	var d document
	if err := json.Unmarshal(text, &d); err != nil {
		return r.fail(line, schema.Cause(err), "a scenario")
	}
	sc, err := r.convert(&d)
	if err != nil {
		return r.fail(line, fmt.Sprintf("in scenario %s: %v", input.Clip(d.ID), err), "")
	}
	r.out = append(r.out, sc)
	return nil
}

func (r *reader) convert(d *document) (*simulation.Scenario, error) {
	sc, err := r.base(d)
	if err != nil {
		return nil, err
	}
	sc.ID, sc.Again, sc.Objects = d.ID, d.Again, d.Objects
	if d.Goal != "" {
		sc.Goal = d.Goal
	}
	if d.Params != nil {
		sc.Params = d.Params
	}
	for _, p := range d.People {
		sc.People = append(sc.People, episode.Person(p))
	}
	for _, a := range d.Agents {
		sc.Agents = append(sc.Agents, episode.Agent(a))
	}
	scene, err := setting.ParseFacts(d.Scene, 0)
	if err != nil {
		return nil, err
	}
	sc.Scene = append(sc.Scene, scene...)
	latent, err := setting.ParseFacts(d.Latent, 0)
	if err != nil {
		return nil, err
	}
	sc.Latent = append(sc.Latent, latent...)
	if sc.Goals, err = setting.ParseFacts(d.Goals, 0); err != nil {
		return nil, err
	}
	if len(d.Plan) > 0 {
		sc.Plan, sc.Expect = nil, nil // what the built-in plan shows is not what this one does
	}
	for _, text := range d.Plan {
		a, err := episode.ParseAction(r.onto, text)
		if err != nil {
			return nil, err
		}
		sc.Plan = append(sc.Plan, a)
	}
	for _, a := range d.Accidents {
		ev, err := accidentOf(a)
		if err != nil {
			return nil, err
		}
		sc.Disturbances = append(sc.Disturbances, ev)
	}
	if d.Expect != nil {
		sc.Expect = *d.Expect
	}
	return sc, r.known(sc)
}

// base is the built-in scenario that one builds on, an empty one where none.
func (r *reader) base(d *document) (*simulation.Scenario, error) {
	if d.Scenario != "" && d.Task != "" {
		return nil, fmt.Errorf("both a task and a scenario; expected one of them, a scenario has its task")
	}
	if d.Scenario != "" {
		s, ok := r.onto.Scenario(d.Scenario)
		if !ok {
			return nil, simulation.UnknownScenario(r.onto, d.Scenario)
		}
		return simulation.FromOntology(r.onto, s)
	}
	sc := &simulation.Scenario{Task: d.Task}
	task, ok := r.onto.Task(d.Task)
	switch {
	case len(d.Plan) > 0:
		return sc, nil
	case d.Task == "":
		return nil, fmt.Errorf("neither a plan nor a task nor a scenario; expected one of them")
	case !ok:
		return nil, simulation.UnknownTask(r.onto, d.Task)
	}
	if s, ok := simulation.ScenarioOf(r.onto, task); ok {
		return simulation.FromOntology(r.onto, s)
	}
	return nil, fmt.Errorf("no plan, and no built-in scenario of the task %s has one; expected a plan", d.Task)
}

func accidentOf(a accident) (simulation.Disturbance, error) {
	ev := simulation.Disturbance{Step: a.Step, Retry: a.Retry, Accident: simulation.Accident{Kind: ontology.InjectionKind(a.Event), Object: a.Object, Onto: a.Onto}}
	var err error
	ev.Facts, err = setting.ParseFacts(a.Facts, 0)
	switch {
	case err != nil:
		return ev, err
	case ev.Kind == ontology.InjectMistake && a.Object == "":
		return ev, fmt.Errorf("a mistake at step %d without an object; expected the one that is taken for the one named", a.Step)
	case ev.Kind == ontology.InjectChange && len(a.Facts) == 0:
		return ev, fmt.Errorf("a change at step %d without facts; expected what then holds", a.Step)
	}
	return ev, nil
}

// known checks names against the ontology, so that a typo is no other scenario.
func (r *reader) known(sc *simulation.Scenario) error {
	for _, t := range sc.Expect {
		id, ok := r.onto.Lookup(t.Class)
		if !ok || !r.onto.IsA(id, r.onto.Core.Failure) {
			return simulation.UnknownFailure(r.onto, t.Class)
		}
		if n := len(sc.Plan); !sc.Again && (t.Step > n || t.Cause > n+1 || len(t.Window) == 2 && t.Window[1] > n+1) {
			return fmt.Errorf("%s is expected at step %d, caused at %d, of a plan of %d actions", t.Class, t.Step, max(t.Cause, slices.Max(append(t.Window, 0))), n)
		}
		if len(t.Window) == 2 && t.Window[0] > t.Window[1] {
			return fmt.Errorf("cause_window %v; expected the first step before the last", t.Window)
		}
	}
	for _, ev := range sc.Disturbances {
		switch {
		case ev.Step > len(sc.Plan):
			return fmt.Errorf("an accident at step %d of a plan of %d actions", ev.Step, len(sc.Plan))
		case ev.Retry > 0 && !sc.Again:
			return fmt.Errorf("an accident at retry %d of step %d, but the robot does not try again; expected \"again\": true", ev.Retry, ev.Step)
		}
	}
	return sc.Validate(r.onto)
}
