package bench_test

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/mishap-robotics/mishap/bridge/bench"
	"github.com/mishap-robotics/mishap/bridge/logs"
	"github.com/mishap-robotics/mishap/engine"
	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/engine/simulation"
	"github.com/mishap-robotics/mishap/ontology"
	"github.com/mishap-robotics/mishap/ontology/kitchen"
)

// believed is what a monitor believes as facts about a scene.
func believed(o *ontology.Ontology, a *engine.Projection) []episode.Fact {
	var out []episode.Fact
	for i := range a.Objects.Items {
		x := engine.Object(i)
		name, class := a.Objects.Name(x), a.Objects.Class(x)
		if a.Present.Gone(x) || x == a.Robot || x == a.Gripper || class == ontology.None || a.Objects.IsVague(x) || o.HasType(class, o.Core.ObjectGroup) {
			continue
		}
		if at := a.Present.Place(x); at.Status > 0 && at.At >= 0 && o.HasProperty(class, o.Roles.Movable) {
			out = append(out, episode.Fact{Subject: name, Relation: o.Name(at.Term), Object: a.Objects.Name(at.At)})
		}
		for id := range o.Terms {
			st := ontology.TermID(id)
			if o.HasType(st, o.Core.StateClass) && a.Present.SlotOf(st) > 0 && a.Present.Is(x, st) {
				out = append(out, episode.Fact{Subject: name, Relation: o.Name(st)})
			}
		}
	}
	return out
}

// Plans that are called verified for what was recorded, from each finding, from what is
// foreseen and in the end, are carried out in a world that is as the monitor believes, and
// judged as those that are drawn are. By default one of two is looked at, and one of many of
// the larger folders; MISHAP_LONG=1 looks at all.
func TestRecordedPlansAreSound(t *testing.T) {
	o, r := kitchen.Default(), newBench(t, 1).Reasoner
	for _, dir := range []string{"../../testdata/episodes", "../../testdata/logs", shared + "reflect", shared + "homelogs", shared + "realworld"} {
		t.Run(filepath.Base(dir), func(t *testing.T) {
			if _, err := os.Stat(dir); err != nil {
				t.Skip("no logs at " + dir)
			}
			paths := recordings(t, dir)
			every := 1
			switch {
			case len(paths) > 100:
				every = bench.Size(1, 400)
			case len(paths) > 10:
				every = bench.Size(1, 6)
			}
			rec := &recorded{onto: o, reasoner: r}
			for i := 0; i < len(paths); i += every {
				list, _ := logs.Read(r.Ontology, paths[i]) // the others are no logs
				for _, ep := range list {
					rec.recover(t, ep)
				}
			}
			if rec.plans == 0 {
				t.Error("there is no plan")
			}
			t.Logf("every %d. of %d files and folders, %d plans, %d carried out", every, len(paths), rec.plans, rec.carried)
		})
	}
}

// The same of the scenarios, as they go where nobody corrects anything.
func TestPlansForScenariosAreSound(t *testing.T) {
	o, r := kitchen.Default(), newBench(t, 1).Reasoner
	rec := &recorded{onto: o, reasoner: r}
	for i, s := range o.Scenarios {
		if i%bench.Size(1, 6) != 0 {
			continue
		}
		sc, err := simulation.FromOntology(o, s)
		if err != nil {
			t.Fatal(err)
		}
		run, err := simulation.Simulate(o, sc, simulation.Options{})
		if err != nil {
			t.Errorf("%s: %v", s.Name, err)
			continue
		}
		rec.recover(t, run.Episode)
	}
	if rec.carried == 0 {
		t.Error("no plan was carried out")
	}
	t.Logf("%d plans, %d carried out", rec.plans, rec.carried)
}

// recordings are the files that are or may be logs in a folder and the folders in it, and
// those folders that are logs themselves.
func recordings(t *testing.T, dir string) (paths []string) {
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() && !exists(filepath.Join(path, "task.json")) {
			return err
		}
		paths = append(paths, path)
		if e.IsDir() {
			return fs.SkipDir
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return paths
}

func exists(file string) bool {
	_, err := os.Stat(file)
	return err == nil
}

// recorded recovers from what was recorded, and counts the plans.
type recorded struct {
	onto           *ontology.Ontology // of the world
	reasoner       *engine.Reasoner
	plans, carried int
	named          map[string]bool // what the log calls things by
}

// recover goes through an episode, recovering wherever something is found or foreseen, and in
// the end.
func (rec *recorded) recover(t *testing.T, ep *episode.Episode) {
	steps := ep.Steps
	live := *ep
	live.Steps = nil
	rec.named = names(ep)
	m := rec.reasoner.Watch(&live, engine.Limits{}, nil)
	known, warned := 0, map[string]bool{}
	for i := range steps {
		if _, err := m.Step(context.Background(), steps[i]); err != nil {
			t.Fatal(ep.ID, err)
		}
		found := m.Findings()
		for k := known; k < len(found); k++ {
			rec.plan(t, m, i, &found[k], nil)
		}
		known = len(found)
		threats, err := m.Foresee(context.Background())
		if err != nil {
			t.Fatal(ep.ID, err)
		}
		for k := range threats {
			if key := fmt.Sprint(threats[k].Type, threats[k].Objects); !warned[key] {
				warned[key] = true
				rec.plan(t, m, i, nil, &threats[k])
			}
		}
	}
	rec.plan(t, m, len(steps)-1, nil, nil)
}

// names are all names that an episode has for things.
func names(ep *episode.Episode) map[string]bool {
	out := map[string]bool{}
	for _, a := range ep.Plan {
		for _, name := range a.Arguments() {
			out[name] = true
		}
	}
	for _, f := range append(slices.Clone(ep.Scene), ep.GoalFacts...) {
		out[f.Subject], out[f.Object] = true, true
	}
	for _, st := range ep.Steps {
		for _, name := range st.Action.Arguments() {
			out[name] = true
		}
		for _, n := range st.Observation.Nodes {
			out[n.ID] = true
		}
		for _, e := range st.Observation.Edges {
			out[e.Subject], out[e.Object] = true, true
		}
	}
	return out
}

// callsOtherwise are the names in a plan of things that the log shows by other names only.
func (rec *recorded) callsOtherwise(m *engine.Monitor, p *engine.Proposal) (out []string) {
	objects := m.Projection().Objects
	for _, a := range p.Plan {
		for _, name := range a.Arguments() {
			class, _ := episode.SplitName(name)
			if of, known := rec.onto.Lookup(class); known && rec.onto.IsForm(of) {
				continue // logs may call pieces by what they were cut from
			}
			if x, ok := objects.Lookup(name); ok && objects.Items[x].Shown && !rec.named[name] && !rec.named[class] {
				out = append(out, name)
			}
		}
	}
	return out
}

// plan recovers from one thing, and judges the plan where it is called verified.
func (rec *recorded) plan(t *testing.T, m *engine.Monitor, step int, f *engine.Finding, threat *engine.Threat) {
	p := m.Recover(context.Background(), engine.Planner{}, f, threat)
	if !p.Verified || len(p.Plan) == 0 {
		return
	}
	rec.plans++
	if other := rec.callsOtherwise(m, p); len(other) > 0 {
		t.Errorf("%s step %d: the log has no name %q: %v", m.Trace().Episode.ID, step, other, p.Plan)
	}
	onto := rec.reasoner.Ontology
	sc := &simulation.Scenario{ID: m.Trace().Episode.ID, Scene: believed(onto, m.Projection()), Anywhere: true, Agents: crew(m.Projection(), p)}
	for _, c := range p.Plan { // what a plan assumes to be there, and furniture
		for _, name := range []string{c.Target, c.Destination} {
			class, n := episode.SplitName(name)
			switch of, known := onto.Lookup(class); {
			case name == "":
			case !known, name == c.Target && strings.HasPrefix(c.Name, "toggle") && onto.HasType(of, onto.Core.ObjectGroup):
				return // the log calls things by other names than a world does, or what it turns on by that of several kinds
			case n > 0 && !onto.IsForm(of):
				sc.Objects = append(sc.Objects, name)
			}
		}
	}
	faults, err := carryOut(rec.onto, sc, p)
	if err != nil {
		t.Logf("%s step %d: no such world: %v", m.Trace().Episode.Source, step, err)
		return
	}
	rec.carried++
	if len(faults) > 0 {
		t.Errorf("%s step %d: %q: %v", m.Trace().Episode.Source, step, faults, p.Plan)
	}
}

// withHand is the robot with the hand that holds all that a plan is about and a hand holds, where that
// is not its first hand, which a world would give it; else nil.
func withHand(a *engine.Projection, p *engine.Proposal) []episode.Agent {
	hand := a.Gripper
	for i := range p.Steps {
		x := p.Steps[i].Call.Target
		if x < 0 {
			continue
		}
		at := a.Present.Place(x).At
		if at < 0 || !a.Objects.IsA(at, a.Objects.Onto.Core.RobotGripper) {
			continue
		}
		if at == a.Gripper || hand != a.Gripper && at != hand {
			return nil
		}
		hand = at
	}
	if hand == a.Gripper {
		return nil
	}
	return []episode.Agent{{Name: a.Objects.Name(a.Robot), Grippers: []string{a.Objects.Name(hand)}}}
}

// crew are the robots that carry out a plan, each with the gripper that it uses in it, after
// the one that acts; where nobody is named, what withHand has.
func crew(a *engine.Projection, p *engine.Proposal) []episode.Agent {
	if len(p.Agents) == 0 {
		return withHand(a, p)
	}
	out := []episode.Agent{{Name: a.Objects.Name(a.Robot), Grippers: []string{a.Objects.Name(a.Gripper)}}}
	for i, name := range p.Agents {
		gripper := a.Objects.Name(p.Steps[i].Call.Gripper)
		switch k := slices.IndexFunc(out, func(b episode.Agent) bool { return b.Name == name }); {
		case k < 0:
			out = append(out, episode.Agent{Name: name, Grippers: []string{gripper}})
		case !slices.Contains(out[k].Grippers, gripper) && !slices.Contains(p.Agents[:i], name):
			out[k].Grippers = []string{gripper}
		}
	}
	return out
}

// carryOut carries out a plan in the world of a scenario, and tells what is wrong with it.
func carryOut(o *ontology.Ontology, sc *simulation.Scenario, p *engine.Proposal) ([]string, error) {
	robot, err := simulation.NewRobot(o, sc, simulation.Options{})
	if err != nil {
		return nil, err
	}
	w := newWitness(o)
	first := robot.World.Camera().Everything()
	w.see(&first)
	for i, a := range p.Plan {
		before := robot.World.Camera().Everything()
		perform := robot.Perform
		if len(p.Agents) > 0 {
			perform = func(ctx context.Context, a episode.Action) (episode.Step, error) {
				return robot.PerformAs(ctx, p.Agents[i], a)
			}
		}
		if _, err := perform(context.Background(), a); err != nil {
			return nil, err
		}
		if out := robot.Results[len(robot.Results)-1]; !out.Done {
			if len(p.Assumptions) > 0 {
				return w.faults, nil // what it assumes is not so here, which it says
			}
			return append(w.faults, fmt.Sprintf("action %d, %s, cannot be done: %s", i+1, a, out.Reasons())), nil
		}
		after := robot.World.Camera().Everything()
		if leaves := fmt.Sprintf("%s leaves %s on something clean", a, a.Target); slices.Contains(p.Assumptions, leaves) && w.is(place(&after, a.Target), "Floor") {
			return w.faults, nil // nothing clean stands there in this world
		}
		w.did(a, p.Steps[i].From == "plan", &before, &after)
	}
	after := robot.World.Camera().Everything()
	w.end(p.Plan, &after)
	return w.faults, nil
}
