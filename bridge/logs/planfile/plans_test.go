package planfile_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/mishap-robotics/mishap/bridge/internal/input"
	"github.com/mishap-robotics/mishap/bridge/logs/planfile"
	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/ontology"
	"github.com/mishap-robotics/mishap/ontology/document"
)

func read(text string) ([]*episode.Episode, error) {
	return planfile.Read(ontology.Default(), "p.plans.jsonl", strings.NewReader(text))
}

const whole = `{"episode": "b", "task": "make coffee", "goal": ["Mug filled_with_coffee", "Mug located_at CounterTop"], "scene": ["Pan dirty", "Apple inside Pot", "Pot occludes Knife"], "params": {"object": "Mug"}, "actions": ["(navigate_to_obj, Mug)", "(pick up, Mug-1)", "(put_in, Mug-1, Sink-1)", "(observe)"]}`

func TestRead(t *testing.T) {
	observe := []episode.Action{{Name: "observe"}}
	tests := []struct {
		name, text string
		want       episode.Episode // of the file p.plans.jsonl
	}{
		{"the least", `{"episode": "a", "task": "", "actions": ["(observe)"]}`, episode.Episode{ID: "a", Plan: observe}},
		{"a goal in words", `{"episode": "a", "task": "make coffee", "goal": "coffee on the counter", "actions": ["(observe)"]}`,
			episode.Episode{ID: "a", Task: "make coffee", Goal: "coffee on the counter", GoalLine: 1, Plan: observe}},
		{"no conditions", `{"episode": "a", "task": "t", "goal": [], "scene": [], "params": {}, "actions": ["(observe)"]}`, episode.Episode{ID: "a", Task: "t", Plan: observe}},
		{"everything", whole, episode.Episode{
			ID: "b", Task: "make coffee", Params: map[string]string{"object": "Mug"},
			GoalFacts: []episode.Fact{{Subject: "Mug", Relation: "filled_with_coffee", Line: 1}, {Subject: "Mug", Relation: "located_at", Object: "CounterTop", Line: 1}},
			Scene: []episode.Fact{{Subject: "Pan", Relation: "dirty", Line: 1}, {Subject: "Apple", Relation: "inside", Object: "Pot", Line: 1},
				{Subject: "Pot", Relation: "occludes", Object: "Knife", Line: 1}},
			Plan: []episode.Action{{Name: "navigate_to_obj", Target: "Mug"}, {Name: "pick_up", Target: "Mug-1"}, {Name: "put_in", Target: "Mug-1", Destination: "Sink-1"}, {Name: "observe"}},
		}},
		{"other fields", `{"episode": "a", "task": "t", "annotation": {"failure": [1, null]}, "id": 5, "actions": ["(observe)"]}`, episode.Episode{ID: "a", Task: "t", Plan: observe}},
		{"names that nobody knows", `{"episode": "a", "task": "juggle", "actions": ["(pick_up, gizmo 7)"], "scene": ["Gizmo wobbly"]}`,
			episode.Episode{ID: "a", Task: "juggle", Plan: []episode.Action{{Name: "pick_up", Target: "gizmo 7"}}, Scene: []episode.Fact{{Subject: "Gizmo", Relation: "wobbly", Line: 1}}}},
		{"after a byte order mark", "\xef\xbb\xbf" + `{"episode": "a", "task": "t", "actions": ["(observe)"]}` + "\r\n", episode.Episode{ID: "a", Task: "t", Plan: observe}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := read(tt.text)
			if err != nil {
				t.Fatal(err)
			}
			tt.want.Source = "p.plans.jsonl"
			if diff := cmp.Diff([]*episode.Episode{&tt.want}, got, cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("episodes (-want +got):\n%s", diff)
			}
		})
	}
}

func TestReadFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "two"+planfile.Suffix)
	if err := os.WriteFile(path, []byte(`{"episode": "a", "task": "t", "scene": ["Mug dirty"], "actions": ["(observe)"]}`+"\n\n"+whole), 0o600); err != nil {
		t.Fatal(err)
	}
	got, err := planfile.ReadFile(ontology.Default(), document.Disk{}, path)
	if err != nil {
		t.Fatal(err)
	}
	if len(got) != 2 || got[0].ID != "a" || got[1].ID != "b" || got[0].Source != path || got[0].Scene[0].Line != 1 || got[1].Scene[0].Line != 3 || len(got[1].Steps) > 0 {
		t.Errorf("episodes %+v", got)
	}
	var e *input.Error
	_, err = planfile.ReadFile(ontology.Default(), document.Disk{}, path+"x")
	if want := path + "x: found no such file or folder; expected a readable file"; !errors.As(err, &e) || err.Error() != want {
		t.Errorf("error %v, want %s", err, want)
	}
}

func TestReadErrors(t *testing.T) {
	const (
		good   = `{"episode": "a", "task": "t", "actions": ["(observe)"]}`
		schema = "; expected a plan as plan.schema.json describes it"
	)
	with := func(rest string) string {
		return `{"episode": "b", "task": "t", "actions": ["(pick_up, Mug)"], ` + rest + `}`
	}
	actions := func(list string) string { return `{"episode": "b", "task": "t", "actions": [` + list + `]}` }
	tests := []struct{ name, text, want string }{
		{"nothing", "", ": found an empty file; expected an episode"},
		{"blank lines", "\n \r\n\t", ": found an empty file; expected an episode"},
		{"no JSON", "hello", ":1: found no JSON (invalid character 'h' looking for beginning of value); expected one JSON object"},
		{"it breaks off", `{"episode": "b", "task"`, ":1: found no JSON (the line breaks off); expected one JSON object"},
		{"two objects in a line", good + " {}", ":1: found no JSON (invalid character after top-level value); expected one JSON object"},
		{"an array", "[" + good + "]", ":1: found at /: got array, want object" + schema},
		{"null", "null", ":1: found at /: got null, want object" + schema},
		{"no UTF-8", good + "\n" + with(`"goal": "`+"\xff"+`"`), ":2: found bytes that are not UTF-8; expected UTF-8 text"},
		{"the second line", good + "\n\n{}x", ":3: found no JSON (invalid character after top-level value); expected one JSON object"},
		{"no ID", `{"task": "t", "actions": ["(observe)"]}`, ":1: found at /: missing property 'episode'" + schema},
		{"an empty ID", `{"episode": "", "task": "t", "actions": ["(observe)"]}`, ":1: found at /episode: minLength: got 0, want 1" + schema},
		{"an ID that is no text", `{"episode": 1, "task": "t", "actions": ["(observe)"]}`, ":1: found at /episode: got number, want string" + schema},
		{"an ID twice", good + "\n" + whole + "\n\n" + good, `:4: found a second plan "a"; expected each episode once`},
		{"no task", `{"episode": "b", "actions": ["(observe)"]}`, ":1: found at /: missing property 'task'" + schema},
		{"no actions", `{"episode": "b", "task": "t"}`, ":1: found at /: missing property 'actions'" + schema},
		{"empty actions", actions(""), ":1: found at /actions: minItems: got 0, want 1" + schema},
		{"actions in a text", `{"episode": "b", "task": "t", "actions": "(observe)"}`, ":1: found at /actions: got string, want array" + schema},
		{"an action that is no text", actions(`"(observe)", ["pick_up", "Mug"]`), ":1: found at /actions/1: got array, want string" + schema},
		{"an action in words", actions(`"pick up the mug"`), `:1: found in action 1: action "pick up the mug"; expected the form (name, Object) or (name, Object, Destination)`},
		{"an unknown action", actions(`"(observe)", "(pick_upp, Mug)"`), `:1: found in action 2: unknown action "pick_upp"; did you mean pick_up?`},
		{"too few arguments", actions(`"(put_in, Mug)"`), `:1: found in action 1: action "(put_in, Mug)" has 1 arguments; put_in takes 2`},
		{"too many arguments", actions(`"(observe, Mug, Sink)"`), `:1: found in action 1: action "(observe, Mug, Sink)" has 2 arguments; observe takes 0 to 1`},
		{"an empty argument", actions(`"(pick_up, )"`), `:1: found in action 1: action "(pick_up, )" has an empty argument`},
		{"a line end in an action", actions(`"(pick_up,\n"`), `:1: found in action 1: action "(pick_up,\n"; expected the form (name, Object) or (name, Object, Destination)`},
		{"a scene in a text", with(`"scene": "Pan dirty"`), ":1: found at /scene: got string, want array" + schema},
		{"a fact of one word", with(`"scene": ["Pan dirty", "dirty"]`), `:1: found scene fact "dirty"; expected for example "Pan dirty" or "Apple inside Pot"`},
		{"a fact of many words", with(`"scene": ["the pan is dirty"]`), `:1: found scene fact "the pan is dirty"; expected for example "Pan dirty" or "Apple inside Pot"`},
		{"an empty fact", with(`"scene": [""]`), `:1: found scene fact ""; expected for example "Pan dirty" or "Apple inside Pot"`},
		{"a goal that is no fact", with(`"goal": ["Mug clean", "serve coffee to Ann"]`), `:1: found in the goal: scene fact "serve coffee to Ann"; expected for example "Pan dirty" or "Apple inside Pot"`},
		{"a goal that is a number", with(`"goal": 5`), ":1: found at /goal: got number, want string or array" + schema},
		{"a parameter that is no text", with(`"params": {"object": ["Mug"]}`), ":1: found at /params/object: got array, want string" + schema},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := read(tt.text)
			var e *input.Error
			if want := "p.plans.jsonl" + tt.want; !errors.As(err, &e) || err.Error() != want {
				t.Fatalf("error %v\nwant %s", err, want)
			}
			if len(got) >= max(e.Line, 1) || strings.Contains(err.Error(), "\n") {
				t.Errorf("%d episodes, error %q", len(got), err)
			}
		})
	}
}

// Whatever a file holds, reading it ends in episodes with a plan, or in an error
// with a place.
func FuzzRead(f *testing.F) {
	f.Add([]byte(whole))
	f.Add([]byte("\xef\xbb\xbf{\"episode\":\"a\",\"task\":\"boil water\",\"goal\":\"water\",\"actions\":[\"(observe)\"]}\r\n\n{\"episode\":\"b\",\"task\":\"\",\"annotation\":[1e9],\"actions\":[\"(pour, Mug)\"]}"))
	f.Add([]byte(`{"episode":"a","task":"t","actions":["(put, Mug, \u0000)"],"scene":["Mug dirty"],"params":{"x":""}}`))
	f.Add([]byte(`{"episode":"a","task":"t","actions":[]}`))
	f.Add([]byte(`{"episode":"a","task":"t","goal":["Mug"],"actions":["(jump)"]}`))
	o := ontology.Default()
	f.Fuzz(func(t *testing.T, data []byte) {
		eps, err := planfile.Read(o, "f.plans.jsonl", bytes.NewReader(data))
		var e *input.Error
		switch {
		case err != nil && (!errors.As(err, &e) || strings.Contains(err.Error(), "\n") || len(eps) > 0):
			t.Fatalf("%d episodes, error %T %q", len(eps), err, err)
		case err == nil && len(eps) == 0:
			t.Fatal("neither episodes nor an error")
		}
		for _, ep := range eps {
			if ep.ID == "" || len(ep.Plan) == 0 || len(ep.Steps) > 0 {
				t.Fatalf("episode %+v", ep)
			}
		}
	})
}

// A line that is wrong is told and does not hide the others.
func TestReadRest(t *testing.T) {
	const form = `{"episode": "%s", "task": "t", "actions": ["(%s, Mug)"]}`
	var text strings.Builder
	for i := range 300 {
		fmt.Fprintf(&text, form+"\n", strconv.Itoa(i), []string{"pick_up", "fly"}[min(i%3, 1)])
	}
	got, err := read(text.String())
	if len(got) != 100 || got[1].ID != "3" || err == nil {
		t.Fatalf("%d plans, error %v", len(got), err)
	}
	told := strings.Split(err.Error(), "\n")
	if len(told) != 101 || !strings.HasPrefix(told[1], `p.plans.jsonl:3: found in action 1: unknown action "fly"`) || !strings.HasPrefix(told[100], "p.plans.jsonl: found 100 more lines that are wrong") {
		t.Errorf("%d errors %q", len(told), told)
	}
}
