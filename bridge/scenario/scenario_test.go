package scenario_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/mishap-robotics/mishap/bridge/internal/input"
	"github.com/mishap-robotics/mishap/bridge/scenario"
	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/engine/simulation"
	"github.com/mishap-robotics/mishap/ontology"
	"github.com/mishap-robotics/mishap/ontology/kitchen"
)

func read(file, text string) ([]*simulation.Scenario, error) {
	return scenario.Read(kitchen.Default(), file, []byte(text))
}

func ids(all []*simulation.Scenario) string {
	var out []string
	for _, sc := range all {
		out = append(out, sc.ID)
	}
	return strings.Join(out, " ")
}

func TestReadEverything(t *testing.T) {
	got, err := read("s.json", `{
  "id": "a", "comment": "for people", "task": "make coffee", "goal": "coffee", "goal_conditions": ["Mug clean", "Mug inside Sink"],
  "params": {"object": "Mug"},
  "people": [{"name": "Ann", "diets": ["vegan"], "dislikes": ["Egg"]}],
  "scene": ["Mug dirty", "Apple inside Pot"], "objects": ["Fork", "Cup-2"], "again": true,
  "plan": ["(pick_up, Mug)", "(open, Fridge)", "(put, Mug, Sink)"],
  "accidents": [
    {"step": 1, "event": "mistake", "object": "Cup"},
    {"step": 3, "event": "drop", "object": "Mug", "onto": "CounterTop", "retry": 2},
    {"step": 2, "event": "change", "facts": ["Fridge open", "Vase occludes Mug"]},
    {"step": 2, "event": "fail"}],
  "expect": [{"class": "DroppingObjFailure", "step": 2, "cause_step": 1, "objects": ["Mug-1"]}, {"class": "MissingStepFailure", "cause_window": [1, 3]}]
}`)
	if err != nil {
		t.Fatal(err)
	}
	want := &simulation.Scenario{
		ID: "a", Task: "make coffee", Goal: "coffee", Params: map[string]string{"object": "Mug"}, Again: true,
		Goals:   []episode.Fact{{Subject: "Mug", Relation: "clean"}, {Subject: "Mug", Relation: "inside", Object: "Sink"}},
		People:  []episode.Person{{Name: "Ann", Diets: []string{"vegan"}, Dislikes: []string{"Egg"}}},
		Scene:   []episode.Fact{{Subject: "Mug", Relation: "dirty"}, {Subject: "Apple", Relation: "inside", Object: "Pot"}},
		Objects: []string{"Fork", "Cup-2"},
		Plan:    []episode.Action{{Name: "pick_up", Target: "Mug"}, {Name: "open_obj", Target: "Fridge"}, {Name: "put_in", Target: "Mug", Destination: "Sink"}},
		Disturbances: []simulation.Disturbance{
			{Step: 1, Accident: simulation.Accident{Kind: ontology.InjectMistake, Object: "Cup"}},
			{Step: 3, Retry: 2, Accident: simulation.Accident{Kind: ontology.InjectDrop, Object: "Mug", Onto: "CounterTop"}},
			{Step: 2, Accident: simulation.Accident{Kind: ontology.InjectChange, Facts: []episode.Fact{{Subject: "Fridge", Relation: "open"}, {Subject: "Vase", Relation: "occludes", Object: "Mug"}}}},
			{Step: 2, Accident: simulation.Accident{Kind: ontology.InjectFail}},
		},
		Expect: []simulation.Truth{{Class: "DroppingObjFailure", Step: 2, Cause: 1, Objects: []string{"Mug-1"}}, {Class: "MissingStepFailure", Window: []int{1, 3}}},
	}
	if diff := cmp.Diff([]*simulation.Scenario{want}, got, cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("scenario (-want +got)\n%s", diff)
	}
}

func TestForms(t *testing.T) {
	const a, b = `{"id": "a", "plan": ["(observe)"]}`, `{"id": "b", "plan": ["(observe)"]}`
	tests := []struct{ name, file, text, want string }{
		{"an object", "s.json", a, "a"},
		{"over several lines", "s.json", "\n{\n\"id\": \"a\",\n\"plan\": [\n\"(observe)\"\n]}\n\n", "a"},
		{"after a byte order mark", "s.json", "\xef\xbb\xbf" + a, "a"},
		{"an array", "s.json", "[" + a + "," + b + "]", "a b"},
		{"an array after a byte order mark", "s.json", "\xef\xbb\xbf [\n" + a + ",\n" + b + "\n]\n", "a b"},
		{"one a line", "s.jsonl", a + "\n\n" + b + "\r\n", "a b"},
		{"the last line without an end", "s.jsonl", a + "\n" + b, "a b"},
		{"any other file is JSON", "s.txt", "[" + a + "]", "a"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got, err := read(tt.file, tt.text); err != nil || ids(got) != tt.want {
				t.Errorf("%s, error %v; want %s", ids(got), err, tt.want)
			}
		})
	}
}

// What a scenario leaves out is that of the built-in one.
func TestDefaults(t *testing.T) {
	o := kitchen.Default()
	builtIn := func(name string) *simulation.Scenario {
		s, _ := o.Scenario(name)
		sc, err := simulation.FromOntology(o, s)
		if err != nil {
			t.Fatal(err)
		}
		sc.ID = "a"
		return sc
	}
	tests := []struct {
		name, text string
		base       string
		change     func(*simulation.Scenario)
	}{
		{"a task", `"task": "ServeWine"`, "recover_serve_wine", func(*simulation.Scenario) {}},
		{"a task by its label", `"task": "serve wine"`, "recover_serve_wine", func(*simulation.Scenario) {}},
		{"of several scenarios of a task one that expects nothing", `"task": "CubeInCrate"`, "replan_taken_crate", func(*simulation.Scenario) {}},
		{"a scenario", `"scenario": "recover_make_coffee"`, "recover_make_coffee", func(*simulation.Scenario) {}},
		{"a scenario by its label, with what it expects", `"scenario": "RePlan taken crate, not emptied"`, "replan_taken_crate_naive", func(*simulation.Scenario) {}},
		{"a scene on top", `"task": "ServeWine", "scene": ["WineGlass dirty"]`, "recover_serve_wine", func(sc *simulation.Scenario) {
			sc.Scene = append(sc.Scene, episode.Fact{Subject: "WineGlass", Relation: "dirty"})
		}},
		{"another plan", `"scenario": "recover_serve_wine", "plan": ["(observe)"]`, "recover_serve_wine", func(sc *simulation.Scenario) {
			sc.Plan = []episode.Action{{Name: "observe"}}
		}},
		{"another goal in words", `"task": "ServeWine", "goal": "wine, please"`, "recover_serve_wine", func(sc *simulation.Scenario) { sc.Goal = "wine, please" }},
		{"nothing to be found after all", `"scenario": "replan_taken_crate_naive", "expect": []`, "replan_taken_crate_naive", func(sc *simulation.Scenario) { sc.Expect = nil }},
		{"an accident", `"task": "ServeWine", "accidents": [{"step": 3, "event": "drop"}]`, "recover_serve_wine", func(sc *simulation.Scenario) {
			sc.Disturbances = []simulation.Disturbance{{Step: 3, Accident: simulation.Accident{Kind: ontology.InjectDrop}}}
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := read("s.json", `{"id": "a", `+tt.text+`}`)
			if err != nil {
				t.Fatal(err)
			}
			want := builtIn(tt.base)
			tt.change(want)
			if diff := cmp.Diff([]*simulation.Scenario{want}, got, cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("scenario (-want +got)\n%s", diff)
			}
		})
	}
	got, err := read("s.json", `{"id": "a", "task": "ServeWine", "plan": ["(observe)"]}`)
	if want := []*simulation.Scenario{{ID: "a", Task: "ServeWine", Plan: []episode.Action{{Name: "observe"}}}}; err != nil || !cmp.Equal(want, got, cmpopts.EquateEmpty()) {
		t.Errorf("a task with a plan takes over more than that: error %v\n%s", err, cmp.Diff(want, got, cmpopts.EquateEmpty()))
	}
}

func TestReadErrors(t *testing.T) {
	const good = `{"id": "good", "plan": ["(observe)"]}`
	with := func(rest string) string { return `{"id": "a", "plan": ["(pick_up, Mug)"], ` + rest + `}` }
	tests := []struct{ name, file, text, want string }{
		{"nothing", "s.json", " \n", "s.json:1: found no JSON (the line breaks off); expected a scenario"},
		{"no JSON", "s.json", "hello", "s.json:1: found no JSON (invalid character 'h' looking for beginning of value); expected a scenario"},
		{"it breaks off", "s.json", `{"id": "a"`, "s.json:1: found no JSON (the line breaks off); expected a scenario"},
		{"more after it", "s.json", good + good, "s.json:1: found no JSON ("},
		{"no object", "s.json", `"a"`, "s.json:1: found at /: got string, want object; expected a scenario as scenario.schema.json describes it"},
		{"a broken array", "s.json", "[" + good + ",\n\n!]", "s.json:3: found no JSON (invalid character '!' looking for beginning of value); expected an array of scenarios"},
		{"a broken array after blank lines", "s.json", "\n\n\n\n[!]", "s.json:5: found no JSON (invalid character '!' looking for beginning of value); expected an array of scenarios"},
		{"an array of other things", "s.json", "[" + good + ",\n" + good + ",\n\n  7]", "s.json:4: found at /: got number, want object; expected a scenario"},
		{"wrong in an array", "s.json", "\n[" + good + ",\n\n{\"id\": \"b\",\n\"plan\": [\"(jump)\"]}]", `s.json:4: found in scenario b: unknown action "jump"`},
		{"an empty file of lines", "s.jsonl", "\n", "s.jsonl: found an empty file; expected "},
		{"wrong in a line", "s.jsonl", good + "\n\n" + with(`"people": [{}]`), "s.jsonl:3: found at /people/0: missing property 'name'; expected a scenario as scenario.schema.json describes it"},
		{"a line that is no JSON", "s.jsonl", good + "\n{", "s.jsonl:2: found no JSON (the line breaks off); expected a scenario"},
		{"bytes that are no text", "s.jsonl", good + "\n\xff", "s.jsonl:2: found bytes that are not UTF-8; expected UTF-8 text"},
		{"no id", "s.json", `{"plan": ["(observe)"]}`, "s.json:1: found at /: missing property 'id'; expected a scenario"},
		{"an empty id", "s.json", `{"id": "", "plan": ["(observe)"]}`, "s.json:1: found at /id: "},
		{"a typo in the name of a field", "s.json", with(`"accident": []`), "s.json:1: found at /: additional properties 'accident' not allowed; expected a scenario"},
		{"a typo in the name of a field of an accident", "s.json", with(`"accidents": [{"step": 1, "event": "drop", "on": "Sink"}]`), "s.json:1: found at /accidents/0: additional properties 'on' not allowed"},
		{"a plan that is no list", "s.json", `{"id": "a", "plan": "(observe)"}`, "s.json:1: found at /plan: got string, want array"},
		{"an empty plan", "s.json", `{"id": "a", "plan": []}`, "s.json:1: found at /plan: "},
		{"nothing to do", "s.json", `{"id": "a"}`, "s.json:1: found in scenario a: neither a plan nor a task nor a scenario; expected one of them"},
		{"an unknown task", "s.json", `{"id": "a", "task": "serve wime"}`, `s.json:1: found in scenario a: unknown task "serve wime"; did you mean serve wine?`},
		{"an unknown task with a plan", "s.json", with(`"task": "serve wime"`), `s.json:1: found in scenario a: unknown task "serve wime"; did you mean serve wine?`},
		{"a task that no scenario has", "s.json", `{"id": "a", "task": "SecureObjects"}`, "s.json:1: found in scenario a: no plan, and no built-in scenario of the task SecureObjects has one; expected a plan"},
		{"an unknown scenario", "s.json", `{"id": "a", "scenario": "recover_serve_wime"}`, `s.json:1: found in scenario a: unknown scenario "recover_serve_wime"; did you mean recover_serve_wine?`},
		{"an unknown action", "s.json", `{"id": "a", "plan": ["(pick_op, Mug)"]}`, `s.json:1: found in scenario a: unknown action "pick_op"; did you mean pick_up?`},
		{"no action", "s.json", `{"id": "a", "plan": ["pick up the mug"]}`, `s.json:1: found in scenario a: action "pick up the mug"; expected the form (name, Object)`},
		{"too many arguments", "s.json", `{"id": "a", "plan": ["(pick_up, Mug, Sink)"]}`, `s.json:1: found in scenario a: action "(pick_up, Mug, Sink)" has 2 arguments; pick_up takes 1`},
		{"an unknown class in the plan", "s.json", `{"id": "a", "plan": ["(pick_up, Mugg)"]}`, `s.json:1: found in scenario a: unknown object class "Mugg"; did you mean Mug?`},
		{"an unknown class in the scene", "s.json", with(`"scene": ["Aple dirty"]`), `s.json:1: found in scenario a: unknown object class "Aple"; did you mean Apple?`},
		{"an unknown class among the objects", "s.json", with(`"objects": ["Forkk"]`), `s.json:1: found in scenario a: unknown object class "Forkk"; did you mean Fork?`},
		{"an unknown state in the scene", "s.json", with(`"scene": ["Mug drity"]`), `s.json:1: found in scenario a: unknown state "drity"; did you mean dirty?`},
		{"an unknown relation in the scene", "s.json", with(`"scene": ["Mug insid Sink"]`), `s.json:1: found in scenario a: unknown relation "insid"; did you mean inside?`},
		{"an impossible scene", "s.json", with(`"scene": ["Mug inside Mug"]`), "s.json:1: found in scenario a: Mug cannot be inside Mug"},
		{"no fact", "s.json", with(`"scene": ["a dirty mug stands there"]`), `s.json:1: found in scenario a: scene fact "a dirty mug stands there"; expected for example "Pan dirty"`},
		{"no fact in a goal", "s.json", with(`"goal_conditions": ["Mug"]`), `s.json:1: found in scenario a: scene fact "Mug"; expected for example "Pan dirty"`},
		{"an unknown diet", "s.json", with(`"people": [{"name": "Ann", "diets": ["vegn"]}]`), `s.json:1: found in scenario a: unknown diet "vegn"; did you mean vegan?`},
		{"a step beyond the plan", "s.json", with(`"accidents": [{"step": 2, "event": "drop"}]`), "s.json:1: found in scenario a: an accident at step 2 of a plan of 1 actions"},
		{"a step before the plan", "s.json", with(`"accidents": [{"step": 0, "event": "drop"}]`), "s.json:1: found at /accidents/0/step: minimum: got 0, want 1"},
		{"an unknown event", "s.json", with(`"accidents": [{"step": 1, "event": "delete"}]`), "s.json:1: found at /accidents/0/event: value must be one of 'drop', 'fail', 'mistake', 'change'"},
		{"a mistake without an object", "s.json", with(`"accidents": [{"step": 1, "event": "mistake"}]`), "s.json:1: found in scenario a: a mistake at step 1 without an object; expected the one that is taken for the one named"},
		{"an unknown object of a mistake", "s.json", with(`"accidents": [{"step": 1, "event": "mistake", "object": "Cupp"}]`), `s.json:1: found in scenario a: unknown object class "Cupp"; did you mean Cup?`},
		{"a change without facts", "s.json", with(`"accidents": [{"step": 1, "event": "change"}]`), "s.json:1: found in scenario a: a change at step 1 without facts; expected what then holds"},
		{"a change that is no fact", "s.json", with(`"accidents": [{"step": 1, "event": "change", "facts": ["closed"]}]`), `s.json:1: found in scenario a: scene fact "closed"; expected`},
		{"an unknown class of a change", "s.json", with(`"accidents": [{"step": 1, "event": "change", "facts": ["Frigde closed"]}]`), `s.json:1: found in scenario a: unknown object class "Frigde"; did you mean Fridge?`},
		{"an unknown failure", "s.json", with(`"expect": [{"class": "DirtyObjFailur"}]`), `s.json:1: found in scenario a: unknown failure class "DirtyObjFailur"; did you mean DirtyObjFailure?`},
		{"a class that is no failure", "s.json", with(`"expect": [{"class": "Mug"}]`), `s.json:1: found in scenario a: unknown failure class "Mug"`},
		{"a window that ends before it begins", "s.json", with(`"expect": [{"class": "DirtyObjFailure", "cause_window": [2, 1]}]`), "s.json:1: found in scenario a: cause_window [2 1]; expected the first step before the last"},
		{"a window of one step", "s.json", with(`"expect": [{"class": "DirtyObjFailure", "cause_window": [2]}]`), "s.json:1: found at /expect/0/cause_window: "},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := read(tt.file, tt.text)
			var e *input.Error
			if !errors.As(err, &e) || !strings.HasPrefix(err.Error(), tt.want) {
				t.Fatalf("error %v, want %s", err, tt.want)
			}
			if strings.Contains(err.Error(), "\n") || e.File != tt.file || strings.HasSuffix(tt.file, ".json") && len(got) > 0 {
				t.Errorf("%d scenarios, error %q of %s", len(got), err, e.File)
			}
		})
	}
}

func TestReadDir(t *testing.T) {
	scenarioOf := func(id string) string { return `{"id": "` + id + `", "plan": ["(observe)"]}` }
	tests := []struct {
		name  string
		files map[string]string
		path  string // below the folder
		want  string // ids, or the error after the folder
		read  string // ids of what was read all the same
	}{
		{"a folder, in order of name", map[string]string{"b.json": scenarioOf("x"), "a.jsonl": scenarioOf("z") + "\n" + scenarioOf("y"), "c.txt": "no scenario"}, "", "z y x", ""},
		{"one file", map[string]string{"b.json": scenarioOf("x"), "a.json": "!"}, "b.json", "x", ""},
		{"an empty folder", nil, "", ": found a folder without scenarios; expected *.json or *.jsonl files", ""},
		{"a folder of other files", map[string]string{"a.txt": scenarioOf("x")}, "", ": found a folder without scenarios; expected *.json or *.jsonl files", ""},
		{"no such folder", nil, "none", "/none: found no such file or folder; expected a scenario file or a folder of them", ""},
		{"an id in two files", map[string]string{"a.json": scenarioOf("x"), "b.json": scenarioOf("x")}, "", `/b.json: found a second scenario "x"; expected each id once`, "x"},
		{"an id twice in a file", map[string]string{"a.json": "[" + scenarioOf("x") + "," + scenarioOf("x") + "]"}, "", `/a.json: found a second scenario "x"; expected each id once`, "x"},
		{"something wrong in the second file", map[string]string{"a.json": scenarioOf("x"), "b.jsonl": scenarioOf("y") + "\n!"}, "", "/b.jsonl:2: found no JSON (invalid character '!'", "x"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			for name, text := range tt.files {
				if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			got, err := scenario.ReadDir(kitchen.Default(), filepath.Join(dir, tt.path))
			var e *input.Error
			switch {
			case err == nil:
				if ids(got) != tt.want {
					t.Errorf("%s, want %s", ids(got), tt.want)
				}
			case !errors.As(err, &e) || ids(got) != tt.read || !strings.HasPrefix(err.Error(), dir+tt.want):
				t.Errorf("%d scenarios, error %v; want %s", len(got), err, tt.want)
			}
		})
	}
}

// Whatever a file holds, reading it ends in scenarios that can be run, or in an
// error with a place.
func FuzzRead(f *testing.F) {
	o := kitchen.Default()
	for _, s := range o.Scenarios[:3] {
		f.Add(false, `{"id": "a", "scenario": "`+s.Name+`", "accidents": [{"step": 2, "event": "drop"}]}`)
	}
	f.Add(false, `[{"id": "a", "task": "boil water", "again": true, "accidents": [{"step": 3, "event": "fail", "retry": 1}]}, {"id": "b"}]`)
	f.Add(false, `{"id": "a", "scene": ["Apple inside Pot", "CounterTop falling"], "plan": ["(pick_up, Pot)", "(slice_obj, BreadSliced)"], "accidents": [{"step": 1, "event": "change", "facts": ["Mug inside RobotGripper"]}, {"step": 1, "event": "mistake", "object": "Pot"}]}`)
	f.Add(true, "\xef\xbb\xbf{\"id\": \"a\", \"plan\": [\"(observe)\"], \"params\": {\"x\": \"Mug\"}}\n\n{\"id\": \"b\", \"goal_conditions\": [\"Mug clean\"], \"expect\": [{\"class\": \"DirtyObjFailure\", \"cause_window\": [1, 2]}]}")
	f.Fuzz(func(t *testing.T, lines bool, text string) {
		file := "f.json"
		if lines {
			file = "f.jsonl"
		}
		all, err := read(file, text)
		var e *input.Error
		if err != nil && (!errors.As(err, &e) || strings.Contains(err.Error(), "\n")) {
			t.Fatalf("error %T %v", err, err)
		}
		for _, sc := range all[:min(len(all), 2)] {
			sc.Plan = sc.Plan[:min(len(sc.Plan), 30)]
			if _, err := simulation.Simulate(o, sc, simulation.Options{Noise: simulation.Uniform(0.1), Seed: 1}); err != nil {
				t.Log(err)
			}
		}
	})
}
