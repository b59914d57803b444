package reflectlog_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/mishap-robotics/mishap/bridge/internal/input"
	"github.com/mishap-robotics/mishap/bridge/logs/reflectlog"
	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/engine/scene"
	"github.com/mishap-robotics/mishap/ontology"
	"github.com/mishap-robotics/mishap/ontology/document"
)

func folder(t testing.TB, summary, task string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{reflectlog.SummaryFile: summary, reflectlog.TaskFile: task} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestSentences(t *testing.T) {
	edge := func(s, r, o string) scene.Edge { return scene.Edge{Subject: s, Relation: r, Object: o} }
	node := func(id, class string, states ...string) scene.Node {
		return scene.Node{ID: id, Class: class, States: states}
	}
	tests := []struct {
		line   string
		action string
		sounds []string
		nodes  []scene.Node
		edges  []scene.Edge
	}{
		{"00:01. Action: Move to mug. Visual observation: nothing is inside robot gripper.", "(navigate_to_obj, Mug)", nil, nil, nil},
		{"00:02. Action: Put mug inside coffee machine. Visual observation: mug (empty and clean), coffee machine (turned off). mug is inside coffee machine. nothing is inside robot gripper.",
			"(put_in, Mug, CoffeeMachine)", nil,
			[]scene.Node{node("Mug", "Mug", "empty", "clean"), node("CoffeeMachine", "CoffeeMachine", "turned off")},
			[]scene.Edge{edge("Mug", "inside", "CoffeeMachine")}},
		{"00:03. Action: Put pot on top of fourth stove burner. Visual observation: pot (filled with water and clean) is on top of fourth stove burner (turned off).",
			"(put_on, Pot, StoveBurner-4)", nil,
			[]scene.Node{node("Pot", "Pot", "filled with water", "clean"), node("StoveBurner-4", "StoveBurner", "turned off")},
			[]scene.Edge{edge("Pot", "on top of", "StoveBurner-4")}},
		{"00:04. Action: Pick up pot. Visual observation: pot is inside robot gripper. pot is on the left of second mug.",
			"(pick_up, Pot)", nil,
			[]scene.Node{node("Pot", "Pot"), node("Mug-2", "Mug")},
			[]scene.Edge{edge("Pot", "inside", "RobotGripper-1"), edge("Pot", "on the left of", "Mug-2")}},
		{"00:05. Action: Toggle on faucet. Visual observation: faucet (turned on). Auditory observation: water runs in sink and something drops.",
			"(toggle_on, Faucet)", []string{"water runs in sink", "something drops"}, []scene.Node{node("Faucet", "Faucet", "turned on")}, nil},
		{"00:06. Action: Pour water from mug into house plant. Visual observation: house plant.", "(pour, Mug, HousePlant)", nil, []scene.Node{node("HousePlant", "HousePlant")}, nil},
		{"00:07. Action: Slice bread. Visual observation: bread slice, knife. knife is inside robot gripper.",
			"(slice_obj, Bread)", nil, []scene.Node{node("BreadSliced", "BreadSliced"), node("Knife", "Knife")}, []scene.Edge{edge("Knife", "inside", "RobotGripper-1")}},
		{"00:08. Action: Open fridge. Visual observation: a strange thing is near fridge (open).", "(open_obj, Fridge)", nil,
			[]scene.Node{node("strange thing", "strange thing"), node("Fridge", "Fridge", "open")}, []scene.Edge{edge("strange thing", "near", "Fridge")}},
	}
	for _, tt := range tests {
		ep, err := reflectlog.ReadFolder(ontology.Default(), document.Disk{}, folder(t, tt.line+"\n", `{"name":"make coffee","actions":[]}`))
		if err != nil {
			t.Errorf("%s: %v", tt.line, err)
			continue
		}
		want := episode.Step{Index: 1, Time: tt.line[:5], Line: 1, Action: ep.Steps[0].Action, Sounds: tt.sounds, Observation: episode.Observation{Graph: scene.Graph{Nodes: tt.nodes, Edges: tt.edges}}}
		if got := ep.Steps[0].Action.String(); got != tt.action {
			t.Errorf("%s: action %s, want %s", tt.line, got, tt.action)
		}
		if diff := cmp.Diff(want, ep.Steps[0], cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.line, diff)
		}
	}
}

func TestTask(t *testing.T) {
	ep, err := reflectlog.ReadFolder(ontology.Default(), document.Disk{}, folder(t, "00:01. Action: Move to mug. Visual observation: mug.\n",
		`{"name":"make coffee","folder_name":"makeCoffee-9","actions":["(pick_up, Mug)"],"success_condition":"there is coffee","gt_failure_reason":"never read"}`))
	if err != nil {
		t.Fatal(err)
	}
	if ep.ID != "makeCoffee-9" || ep.Task != "make coffee" || ep.Goal != "there is coffee" || len(ep.Plan) != 1 || len(ep.Steps) != 1 {
		t.Errorf("episode %+v", ep)
	}
}

func TestUnknownActions(t *testing.T) {
	ep, err := reflectlog.ReadFolder(ontology.Default(), document.Disk{}, folder(t, "00:01. Action: Move to mug. Visual observation: mug.\n",
		`{"name":"make coffee","actions":["(pick_upp, Mug)"]}`))
	if err != nil {
		t.Fatal(err)
	}
	want := `planned action 1 "(pick_upp, Mug)" is unknown (did you mean pick_up?); what it does is not judged`
	if len(ep.Warnings) != 1 || ep.Warnings[0].Msg != want {
		t.Errorf("warnings %v, want %q", ep.Warnings, want)
	}
}

func FuzzReadFolder(f *testing.F) {
	f.Add("00:01. Action: Put mug inside coffee machine. Visual observation: mug (empty and clean), sink. mug is inside sink. nothing is inside robot gripper. Auditory observation: water runs in sink.\n", `{"name":"make coffee","actions":["(pick_up, Mug)"]}`)
	f.Add("00:01. Action: Pick up mug. Visual observation: ((), , is on top of . mug is inside .\n", `{"name":"x"}`)
	o := ontology.Default()
	dir := f.TempDir()
	f.Fuzz(func(t *testing.T, summary, task string) {
		sub, err := os.MkdirTemp(dir, "")
		if err != nil {
			t.Skip(err)
		}
		defer os.RemoveAll(sub)
		os.WriteFile(filepath.Join(sub, reflectlog.SummaryFile), []byte(summary), 0o644)
		os.WriteFile(filepath.Join(sub, reflectlog.TaskFile), []byte(task), 0o644)
		ep, err := reflectlog.ReadFolder(o, document.Disk{}, sub)
		var e *input.Error
		switch {
		case err != nil && !errors.As(err, &e):
			t.Fatalf("error %T is no *logs.Error", err)
		case err == nil && len(ep.Steps) == 0:
			t.Fatal("neither steps nor an error")
		}
	})
}
