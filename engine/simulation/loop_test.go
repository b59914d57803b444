package simulation_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/mishap-robotics/mishap/engine"
	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/engine/scene"
	"github.com/mishap-robotics/mishap/engine/simulation"
	"github.com/mishap-robotics/mishap/ontology"
	"github.com/mishap-robotics/mishap/ontology/kitchen"
	"github.com/mishap-robotics/mishap/rules"
)

func reasoner(t interface{ Fatal(...any) }) *engine.Reasoner {
	r, err := engine.New(ontology.Default(), rules.Default())
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func shipped(t interface{ Fatal(...any) }, name string) *simulation.Scenario {
	s, ok := kitchen.Default().Scenario(name)
	if !ok {
		t.Fatal("no scenario " + name)
	}
	sc, err := simulation.FromOntology(kitchen.Default(), s)
	if err != nil {
		t.Fatal(err)
	}
	return sc
}

func disturbance(step int, event ontology.InjectionKind, object string) simulation.Disturbance {
	return simulation.Disturbance{Step: step, Accident: simulation.Accident{Kind: event, Object: object}}
}

func TestLoop(t *testing.T) {
	tests := []struct {
		name, scenario string
		accidents      []simulation.Disturbance
		latent         []episode.Fact
		reactive       bool
		ending         engine.Ending
		reached        bool
		least, most    int // corrections
		reason         string
	}{
		{name: "nothing happens", scenario: "recover_make_coffee", ending: engine.Completed, reached: true},
		{name: "an action has no effect", scenario: "recover_boil_water", accidents: []simulation.Disturbance{disturbance(10, ontology.InjectFail, "")}, ending: engine.Completed, reached: true, least: 1, most: 1},
		{name: "something falls and gets dirty", scenario: "recover_toast_bread", accidents: []simulation.Disturbance{disturbance(2, ontology.InjectDrop, "Knife")}, ending: engine.Completed, reached: true, least: 1, most: 1},
		{name: "and again while it recovers", scenario: "recover_toast_bread",
			accidents: []simulation.Disturbance{disturbance(2, ontology.InjectDrop, "Knife"), disturbance(3, ontology.InjectDrop, "Knife"), disturbance(5, ontology.InjectFail, "")},
			ending:    engine.Completed, reached: true, least: 3, most: 4},
		{name: "the only egg breaks", scenario: "recover_fry_egg", accidents: []simulation.Disturbance{disturbance(8, ontology.InjectDrop, "Egg")}, ending: engine.Stopped, least: 1, most: 2, reason: "it is broken"},
		{name: "a mistake of the plan is seen beforehand", scenario: "replanning_tomato_sliced", ending: engine.Completed, reached: true, least: 1, most: 1},
		{name: "a mistake of the plan is seen too late", scenario: "replanning_tomato_sliced", reactive: true, ending: engine.Stopped, least: 1, most: 1, reason: "there is no Tomato"},
		{name: "what keeps the door shut shows when it is tried", scenario: "replan_closed_cabinet", latent: []episode.Fact{{Subject: "Bar", Relation: "occludes", Object: "Cabinet"}},
			ending: engine.Completed, reached: true, least: 1, most: 1},
	}
	r := reasoner(t)
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			sc := shipped(t, tt.scenario)
			sc.Disturbances, sc.Latent = tt.accidents, tt.latent
			robot, err := simulation.NewRobot(kitchen.Default(), sc, simulation.Options{})
			if err != nil {
				t.Fatal(err)
			}
			l := &engine.Loop{Reasoner: r, Executor: robot, Reactive: tt.reactive}
			c, err := l.Run(context.Background(), robot.Episode())
			if err != nil {
				t.Fatal(err)
			}
			if n := len(c.Recoveries); c.Ending != tt.ending || robot.Reached() != tt.reached || n < tt.least || n > tt.most || !strings.Contains(c.Reason, tt.reason) {
				t.Errorf("%s (%s), goal reached %v, %d corrections; want %s (%s), %v, %d to %d", c.Ending, c.Reason, robot.Reached(), n, tt.ending, tt.reason, tt.reached, tt.least, tt.most)
			}
			if v := robot.Violated(); tt.reached && len(v) > 0 {
				t.Errorf("violated: %v", v)
			}
			if len(c.Episode.Steps) != c.Actions+1 || c.Result == nil {
				t.Errorf("%d steps for %d actions", len(c.Episode.Steps), c.Actions)
			}
		})
	}
}

// scripted is a robot that does what a test says.
type scripted func(n int, a episode.Action) (episode.Step, error)

type robot struct {
	perform scripted
	n       int
}

func (r *robot) Perform(_ context.Context, a episode.Action) (episode.Step, error) {
	r.n++
	return r.perform(r.n, a)
}

func TestLoopEnds(t *testing.T) {
	ep := &episode.Episode{ID: "e", GoalFacts: []episode.Fact{{Subject: "Faucet", Relation: "on"}},
		Plan: []episode.Action{{Name: "navigate_to_obj", Target: "Faucet"}, {Name: "toggle_on", Target: "Faucet"}}}
	off := episode.Observation{Graph: scene.Graph{Nodes: []scene.Node{{ID: "Faucet-1", Class: "Faucet", States: []string{"off"}}}}}
	never := func(int, episode.Action) (episode.Step, error) { return episode.Step{Observation: off}, nil }
	ctx, cancel := context.WithCancel(context.Background())
	tests := []struct {
		name    string
		ctx     context.Context
		perform scripted
		ep      *episode.Episode
		ending  engine.Ending
		err     string
	}{
		{"nothing ever has an effect", context.Background(), never, ep, engine.Hopeless, ""},
		{"the robot breaks down", context.Background(), func(n int, a episode.Action) (episode.Step, error) {
			if n == 3 {
				return episode.Step{}, errors.New("no connection")
			}
			return never(n, a)
		}, ep, engine.Unfinished, "no connection"},
		{"it is cancelled", ctx, func(n int, a episode.Action) (episode.Step, error) {
			cancel()
			return never(n, a)
		}, ep, engine.Unfinished, "canceled"},
		{"there is no goal", context.Background(), never, &episode.Episode{ID: "e", Plan: ep.Plan}, "", "no goal"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			l := &engine.Loop{Reasoner: reasoner(t), Executor: &robot{perform: tt.perform}, MaxRecoveries: 4}
			c, err := l.Run(tt.ctx, tt.ep)
			if tt.err == "" != (err == nil) || err != nil && !strings.Contains(err.Error(), tt.err) {
				t.Fatalf("error %v; want %q", err, tt.err)
			}
			if tt.ending != "" && (c.Ending != tt.ending || c.Reason == "") {
				t.Errorf("%s (%s); want %s", c.Ending, c.Reason, tt.ending)
			}
		})
	}
}

// A plan that is called verified runs to its goal in a world that is fully known and
// in which nothing more goes wrong.
func TestVerifiedPlansHold(t *testing.T) {
	o, r := kitchen.Default(), reasoner(t)
	var sound []*simulation.Scenario
	for _, s := range o.Scenarios {
		if sc, err := simulation.FromOntology(o, s); err == nil && (s.Suite == "recover" || s.Suite == "reflect" || s.Suite == "replan") {
			sound = append(sound, sc)
		}
	}
	events := []ontology.InjectionKind{ontology.InjectDrop, ontology.InjectFail}
	states := []string{"dirty", "closed", "open", "on", "filled_with_wine"}
	verified := 0
	rapid.Check(t, func(t *rapid.T) {
		sc := *rapid.SampledFrom(sound).Draw(t, "scenario")
		k := rapid.IntRange(0, len(sc.Plan)).Draw(t, "actions")
		sc.Disturbances = nil
		robot, err := simulation.NewRobot(o, &sc, simulation.Options{})
		if err != nil {
			t.Skip(err)
		}
		m := r.Watch(robot.Episode(), engine.Limits{}, nil)
		lines := 0
		see := func(a episode.Action) {
			if _, err := m.Step(context.Background(), episode.Step{Index: lines, Action: a, Observation: robot.World.Camera().Everything()}); err != nil {
				t.Fatal(err)
			}
			lines++
		}
		see(episode.Action{})
		for i, a := range sc.Plan[:k] { // it has come that far
			var acc []simulation.Accident
			if schema, _ := o.Action(a.Name); i == k-1 && rapid.Bool().Draw(t, "mishap") {
				acc = append(acc, simulation.Accident{Kind: rapid.SampledFrom(events).Draw(t, "event")})
				if acc[0].Kind == ontology.InjectFail && o.IsNavigation(schema) {
					t.Skip("where the robot is does not show")
				}
			}
			if _, err := robot.World.Do(a, acc...); err != nil {
				t.Skip(err)
			}
			see(a)
		}
		if rapid.Bool().Draw(t, "change") { // somebody else has been there
			seen := robot.World.Camera().Everything()
			n := rapid.SampledFrom(seen.Nodes).Draw(t, "object")
			f := episode.Fact{Subject: n.ID, Relation: rapid.SampledFrom(states).Draw(t, "state")}
			if len(n.States) == 0 || robot.World.Change(f) != nil {
				t.Skip("that cannot be")
			}
			see(episode.Action{Name: "observe"})
		}
		p := m.Recover(context.Background(), engine.Planner{}, nil, nil)
		if !p.Verified {
			return
		}
		verified++
		for i, a := range p.Plan {
			st, err := robot.Perform(context.Background(), a)
			out := robot.Results[len(robot.Results)-1]
			if err != nil || !out.Done {
				t.Fatalf("%s: action %d %s of %d: %v %s\n%v", sc.ID, i+1, st.Action, len(p.Plan), err, out.Reasons(), p.Plan)
			}
		}
		if !robot.Reached() || len(robot.Violated()) > 0 {
			t.Fatalf("%s: goal reached %v, violated %v: %v", sc.ID, robot.Reached(), robot.Violated(), p.Plan)
		}
	})
	if verified == 0 {
		t.Error("no plan was verified")
	}

}
