package bench_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path"
	"testing"

	"github.com/mishap-robotics/mishap/bridge/bench"
	"github.com/mishap-robotics/mishap/bridge/logs"
	"github.com/mishap-robotics/mishap/bridge/pack"
	"github.com/mishap-robotics/mishap/engine"
	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/engine/scene"
	"github.com/mishap-robotics/mishap/engine/simulation"
	"github.com/mishap-robotics/mishap/ontology/kitchen"
)

// Verified plans for trajectories of ALFRED, as recorded and broken off after each of their
// lines in turn, are sound. By default one of many is looked at; MISHAP_LONG=1 looks at all.
func TestALFREDPlansAreSound(t *testing.T) {
	r := newBench(t, 1).Reasoner
	list, err := logs.Read(r.Ontology, shared+"alfred/train-2000.alfred.jsonl")
	if err != nil {
		t.Skip(err)
	}
	rec := &recorded{onto: kitchen.Default(), reasoner: r}
	for i := 0; i < len(list); i += bench.Size(1, 100) {
		rec.recover(t, list[i])
		cut := *list[i]
		cut.Steps = cut.Steps[:i%len(cut.Steps)]
		rec.recover(t, &cut)
	}
	rec.told(t, len(list))
}

// Verified plans for RoboFail's plans, as they go in a simulated kitchen, are sound.
func TestRoboFailPlansAreSound(t *testing.T) {
	data, err := os.ReadFile(shared + "robofail/robofail.plans.jsonl")
	if err != nil {
		t.Skip(err)
	}
	o := kitchen.Default()
	rec := &recorded{onto: o, reasoner: newBench(t, 1).Reasoner}
	n := 0
	for lines := bufio.NewScanner(bytes.NewReader(data)); lines.Scan(); n++ {
		if n%bench.Size(1, 8) != 0 {
			continue
		}
		var row struct {
			Episode, Task, Goal string
			Scene, Actions      []string
		}
		if err := json.Unmarshal(lines.Bytes(), &row); err != nil {
			t.Fatal(err)
		}
		sc := &simulation.Scenario{ID: row.Episode, Task: row.Task, Goal: row.Goal}
		for _, text := range row.Scene {
			f, err := episode.ParseFact(text)
			if err != nil {
				t.Fatal(err)
			}
			sc.Scene = append(sc.Scene, f)
		}
		for _, text := range row.Actions {
			a, err := episode.ParseAction(o, text)
			if err != nil {
				t.Fatal(err)
			}
			sc.Plan = append(sc.Plan, a)
		}
		run, err := simulation.Simulate(o, sc, simulation.Options{})
		if err != nil {
			t.Errorf("%s: %v", row.Episode, err)
			continue
		}
		rec.recover(t, run.Episode)
	}
	rec.told(t, n)
}

// Verified plans in place of faulty ones for VirtualHome are without fault by the pack's own
// judgement of plans, which agrees with VirtualHome's simulator. By default one of many is
// looked at; MISHAP_LONG=1 looks at all.
func TestVirtualHomePlansAreSound(t *testing.T) {
	r := virtualHome(t)
	list, err := logs.Read(r.Ontology, shared+"virtualhome")
	if err != nil {
		t.Skip(err)
	}
	goals := homeGoals(t)
	plans := 0
	for i := 0; i < len(list); i += bench.Size(1, 200) {
		ep := list[i]
		if ep.GoalFacts = goals(ep); len(ep.GoalFacts) == 0 {
			continue
		}
		m := r.Watch(ep, engine.Limits{}, nil)
		if _, err := m.Step(context.Background(), wholeScene(ep)); err != nil {
			t.Fatal(err)
		}
		p := m.Recover(context.Background(), engine.Planner{}, nil, nil)
		if !p.Verified || len(p.Plan) == 0 {
			continue
		}
		plans++
		mended := *ep
		mended.Plan = p.Plan
		_, threats, err := r.CheckPlan(context.Background(), &mended)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range threats {
			t.Errorf("%s: %s: %v", ep.ID, f.Explanation, p.Plan)
		}
	}
	if plans == 0 {
		t.Error("no plan was made")
	}
	t.Logf("%d plans, %d new ones", len(list), plans)
}

// wholeScene is the stated scene as a look that shows all there is, as a plan's judge takes it.
func wholeScene(ep *episode.Episode) episode.Step {
	st := episode.Step{Observation: episode.Observation{Complete: true}}
	states := map[string][]string{}
	for _, f := range ep.Scene {
		if f.Object == "" {
			states[f.Subject] = append(states[f.Subject], f.Relation)
		} else {
			st.Observation.Edges = append(st.Observation.Edges, scene.Edge{Subject: f.Subject, Relation: f.Relation, Object: f.Object})
		}
	}
	for _, thing := range ep.Things {
		st.Observation.Nodes = append(st.Observation.Nodes, scene.Node{ID: thing.Name, Class: thing.Classes[0], States: states[thing.Name]})
	}
	return st
}

// homeGoals gives the goals of VirtualHome's tasks as facts about the things of an episode.
func homeGoals(t *testing.T) func(*episode.Episode) []episode.Fact {
	t.Helper()
	data, err := os.ReadFile(shared + "virtualhome/goals.jsonl")
	if err != nil {
		t.Skip(err)
	}
	type condition struct {
		ID       int
		State    string
		From     int    `json:"from_id"`
		Relation string `json:"relation_type"`
		To       int    `json:"to_id"`
	}
	goals := map[string][]condition{}
	for lines := bufio.NewScanner(bytes.NewReader(data)); lines.Scan(); {
		var row struct {
			Task       string `json:"task_id"`
			Conditions struct{ Goal []condition }
		}
		if err := json.Unmarshal(lines.Bytes(), &row); err != nil {
			t.Fatal(err)
		}
		goals[row.Task] = row.Conditions.Goal
	}
	return func(ep *episode.Episode) []episode.Fact {
		names := map[int]string{}
		for _, thing := range ep.Things {
			_, id := episode.SplitName(thing.Name)
			names[id] = thing.Name
		}
		var out []episode.Fact
		for _, c := range goals[path.Base(ep.ID)] {
			if c.State != "" {
				out = append(out, episode.Fact{Subject: names[c.ID], Relation: c.State})
			} else {
				out = append(out, episode.Fact{Subject: names[c.From], Relation: c.Relation, Object: names[c.To]})
			}
		}
		return out
	}
}

func virtualHome(t *testing.T) *engine.Reasoner {
	t.Helper()
	s, err := pack.Load([]string{"../../testdata/packs/virtualhome"}, false)
	if err != nil {
		t.Fatal(err)
	}
	r, err := s.Reasoner()
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// told logs what was counted, and fails where no plan was carried out.
func (rec *recorded) told(t *testing.T, episodes int) {
	t.Helper()
	if rec.carried == 0 {
		t.Error("no plan was carried out")
	}
	t.Logf("%d episodes, %d plans, %d carried out", episodes, rec.plans, rec.carried)
}
