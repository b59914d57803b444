package alfred_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/mishap-robotics/mishap/bridge/internal/input"
	"github.com/mishap-robotics/mishap/bridge/logs/alfred"
	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/ontology"
	"github.com/mishap-robotics/mishap/ontology/document"
)

// A made-up trajectory: a slice of bread, heated, on the table.
const compact = `{"id":"t1","task_type":"pick_heat_then_place_in_recep","params":{"object_target":"Bread","object_sliced":true,"parent_target":"DiningTable","mrecep_target":"","toggle_target":""},"goal":"Put a hot slice of bread on the table.","dirty_and_empty":true,"object_toggles":[{"isOn":false,"objectType":"Microwave"}],"interactions":[` +
	`{"action":"PickupObject","object":"ButterKnife|1|1|1","from":"CounterTop"},` +
	`{"action":"SliceObject","object":"Bread|2|1|1"},` +
	`{"action":"PutObject","object":"ButterKnife|1|1|1","receptacle":"CounterTop|0|1|0"},` +
	`{"action":"PickupObject","object":"Bread|2|1|1|BreadSliced_3","from":"CounterTop"},` +
	`{"action":"OpenObject","object":"Microwave|3|1|1"},` +
	`{"action":"PutObject","object":"Bread|2|1|1|BreadSliced_3","receptacle":"Microwave|3|1|1"},` +
	`{"action":"CloseObject","object":"Microwave|3|1|1"},` +
	`{"action":"ToggleObjectOn","object":"Microwave|3|1|1"},` +
	`{"action":"ToggleObjectOff","object":"Microwave|3|1|1"},` +
	`{"action":"OpenObject","object":"Microwave|3|1|1"},` +
	`{"action":"PickupObject","object":"Bread|2|1|1|BreadSliced_3","from":"Microwave"},` +
	`{"action":"CloseObject","object":"Microwave|3|1|1"},` +
	`{"action":"PutObject","object":"Bread|2|1|1|BreadSliced_3","receptacle":"DiningTable|5|1|1"}]}` + "\n"

// The same as the original file tells it.
const original = `{"task_id":"t1","task_type":"pick_heat_then_place_in_recep","pddl_params":{"object_target":"Bread","object_sliced":true,"parent_target":"DiningTable","mrecep_target":"","toggle_target":""},
"turk_annotations":{"anns":[{"task_desc":"Put a hot slice of bread on the table."}]},
"scene":{"dirty_and_empty":true,"object_toggles":[{"isOn":false,"objectType":"Microwave"}]},
"plan":{"high_pddl":[{"discrete_action":{"action":"PickupObject","args":["butterknife"]},"planner_action":{"coordinateReceptacleObjectId":["CounterTop",[0,0,0,0]]}},{"discrete_action":{"action":"SliceObject","args":["bread"]}},{"discrete_action":{"action":"PutObject","args":[]}},
{"discrete_action":{"action":"PickupObject","args":["bread"]},"planner_action":{"coordinateReceptacleObjectId":["CounterTop",[0,0,0,0]]}},{"discrete_action":{"action":"HeatObject","args":["bread"]}},{"discrete_action":{"action":"PutObject","args":["bread","diningtable"]}}],
"low_actions":[
{"api_action":{"action":"MoveAhead"},"high_idx":0},
{"api_action":{"action":"PickupObject","objectId":"ButterKnife|1|1|1"},"high_idx":0},
{"api_action":{"action":"SliceObject","objectId":"Bread|2|1|1"},"high_idx":1},
{"api_action":{"action":"PutObject","objectId":"ButterKnife|1|1|1","receptacleObjectId":"CounterTop|0|1|0"},"high_idx":2},
{"api_action":{"action":"PickupObject","objectId":"Bread|2|1|1|BreadSliced_3"},"high_idx":3},
{"api_action":{"action":"OpenObject","objectId":"Microwave|3|1|1"},"high_idx":4},
{"api_action":{"action":"PutObject","objectId":"Bread|2|1|1|BreadSliced_3","receptacleObjectId":"Microwave|3|1|1"},"high_idx":4},
{"api_action":{"action":"CloseObject","objectId":"Microwave|3|1|1"},"high_idx":4},
{"api_action":{"action":"ToggleObjectOn","objectId":"Microwave|3|1|1"},"high_idx":4},
{"api_action":{"action":"ToggleObjectOff","objectId":"Microwave|3|1|1"},"high_idx":4},
{"api_action":{"action":"OpenObject","objectId":"Microwave|3|1|1"},"high_idx":4},
{"api_action":{"action":"PickupObject","objectId":"Bread|2|1|1|BreadSliced_3"},"high_idx":4},
{"api_action":{"action":"CloseObject","objectId":"Microwave|3|1|1"},"high_idx":4},
{"api_action":{"action":"LookDown"},"high_idx":5},
{"api_action":{"action":"PutObject","objectId":"Bread|2|1|1|BreadSliced_3","receptacleObjectId":"DiningTable|5|1|1"},"high_idx":5}]}}`

func readAs(t *testing.T, name, text string) *episode.Episode {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	eps, err := alfred.ReadFile(ontology.Default(), document.Disk{}, path)
	if err != nil || len(eps) != 1 {
		t.Fatalf("%d episodes, error %v", len(eps), err)
	}
	return eps[0]
}

func TestReplay(t *testing.T) {
	ep := readAs(t, "x.alfred.jsonl", compact)
	if ep.Params["object_target"] != "BreadSliced" || !ep.Exact {
		t.Errorf("the target is a slice, and nothing escapes a replay: %+v", ep.Params)
	}
	var got []string
	for _, st := range ep.Steps {
		seen := ""
		for _, e := range st.Observation.Edges {
			seen += " " + e.Subject + ">" + e.Object
		}
		got = append(got, st.Action.String()+seen)
	}
	for i, want := range []string{
		"(pick_up, ButterKnife-1) ButterKnife-1>RobotGripper-1",
		"(slice_obj, Bread-1)",
		"(put_in, ButterKnife-1, CounterTop-1) ButterKnife-1>CounterTop-1",
		"(pick_up, BreadSliced-1) BreadSliced-1>RobotGripper-1",
	} {
		if !strings.HasPrefix(got[i], want) {
			t.Errorf("step %d: %s, want %s…", i+1, got[i], want)
		}
	}
	if last := got[len(got)-1]; !strings.Contains(last, "BreadSliced-1>DiningTable-1") {
		t.Errorf("last step: %s", last)
	}
	hot := false
	for _, n := range ep.Steps[7].Observation.Nodes {
		for _, s := range n.States {
			hot = hot || n.ID == "BreadSliced-1" && s == "hot"
		}
	}
	if !hot {
		t.Errorf("the slice in the running microwave is not hot: %+v", ep.Steps[7].Observation.Nodes)
	}
}

func TestOriginalIsTheSame(t *testing.T) {
	a, b := readAs(t, "x.alfred.jsonl", compact), readAs(t, "traj_data.json", original)
	if diff := cmp.Diff(a, b, cmpopts.EquateEmpty(), cmpopts.IgnoreFields(episode.Episode{}, "Source")); diff != "" {
		t.Errorf("compact and original form differ (-compact +original):\n%s", diff)
	}
}

// A replay refuses what cannot be done, as the simulator does.
func TestReplayRefuses(t *testing.T) {
	ep := readAs(t, "x.alfred.jsonl", strings.Replace(compact, `{"action":"OpenObject","object":"Microwave|3|1|1"},`, "", 1))
	for _, e := range ep.Steps[4].Observation.Edges {
		if e.Object == "Microwave-1" {
			t.Errorf("a slice was put in a closed microwave: %+v", e)
		}
	}
}

func TestDeleteOne(t *testing.T) {
	ts, err := alfred.ReadCompact("x", strings.NewReader(compact))
	if err != nil {
		t.Fatal(err)
	}
	seen := map[int]bool{}
	for seed := range uint64(60) {
		cut, i := alfred.DeleteOne(&ts[0], seed)
		again, j := alfred.DeleteOne(&ts[0], seed)
		if i != j || len(cut.Interactions) != len(ts[0].Interactions)-1 || len(again.Interactions) != len(cut.Interactions) {
			t.Fatalf("seed %d: %d and %d, %d interactions", seed, i, j, len(cut.Interactions))
		}
		if a := ts[0].Interactions[i].Action; a == "CloseObject" || a == "ToggleObjectOff" {
			t.Errorf("seed %d deletes %s, which may do no harm", seed, a)
		}
		seen[i] = true
	}
	if len(seen) < 5 {
		t.Errorf("60 seeds delete %d different interactions only", len(seen))
	}
}

func FuzzReadCompact(f *testing.F) {
	f.Add([]byte(compact))
	f.Add([]byte(`{"id":"a","interactions":[{"action":"PutObject","object":"|||","receptacle":"a|b|c|d|e_f"}]}`))
	o := ontology.Default()
	f.Fuzz(func(t *testing.T, data []byte) {
		ts, err := alfred.ReadCompact("f", bytes.NewReader(data))
		var e *input.Error
		if err != nil && !errors.As(err, &e) {
			t.Fatalf("error %T is no *logs.Error", err)
		}
		for i := range ts {
			if len(ts[i].Interactions) > 30 {
				return
			}
			if _, err := alfred.Episode(o, "f", &ts[i]); err != nil && !errors.As(err, &e) {
				t.Fatalf("error %T is no *logs.Error", err)
			}
		}
	})
}

func FuzzReadOriginal(f *testing.F) {
	f.Add([]byte(original))
	o := ontology.Default()
	path := filepath.Join(f.TempDir(), "traj_data.json")
	f.Fuzz(func(t *testing.T, data []byte) {
		if err := os.WriteFile(path, data, 0o644); err != nil {
			t.Skip(err)
		}
		eps, err := alfred.ReadFile(o, document.Disk{}, path)
		var e *input.Error
		switch {
		case err != nil && !errors.As(err, &e):
			t.Fatalf("error %T is no *logs.Error", err)
		case err == nil && len(eps) == 0:
			t.Fatal("neither an episode nor an error")
		}
	})
}
