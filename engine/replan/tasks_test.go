package replan_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/mishap-robotics/mishap/engine"
	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/engine/replan"
	"github.com/mishap-robotics/mishap/engine/simulation"
	"github.com/mishap-robotics/mishap/ontology"
	"github.com/mishap-robotics/mishap/ontology/document"
	"github.com/mishap-robotics/mishap/ontology/kitchen"
	"github.com/mishap-robotics/mishap/rules"
)

// task is one of RePlan's seven, with a plan that reckons with nothing unknown. A draw
// gives the scene, and what holds and no look shows.
type task struct {
	name, task, plan string
	draw             func(rng *rand.Rand) (scene, latent []string)
}

const (
	putCube   = "(navigate_to_obj, YellowCube) (pick_up, YellowCube) (navigate_to_obj, Cabinet) (put_in, YellowCube, Cabinet)"
	openFirst = "(navigate_to_obj, YellowCube) (pick_up, YellowCube) (navigate_to_obj, Cabinet) (open_obj, Cabinet) (put_in, YellowCube, Cabinet)"
	cube      = "YellowCube on_top_of DiningTable"
)

func pick(rng *rand.Rand, of ...string) string { return of[rng.IntN(len(of))] }

var tasks = []task{
	{"open cabinet", "CubeInCabinet", putCube, func(rng *rand.Rand) ([]string, []string) {
		return []string{cube, "Cabinet " + pick(rng, "open", "closed")}, nil
	}},
	{"closed cabinet", "CubeInCabinet", putCube, func(*rand.Rand) ([]string, []string) { return []string{cube, "Cabinet closed"}, nil }},
	{"barred cabinet", "CubeInCabinet", openFirst, func(rng *rand.Rand) (scene, latent []string) {
		scene = []string{cube, "Cabinet closed", "Bar on_top_of " + pick(rng, "CounterTop", "DiningTable")}
		if rng.IntN(4) > 0 {
			latent = []string{"Bar occludes Cabinet"}
		}
		return scene, latent
	}},
	{"locked cabinet", "CubeInCabinet", openFirst, func(rng *rand.Rand) ([]string, []string) {
		right := 1 + rng.IntN(2)
		return []string{cube, "Cabinet closed", "Lever-1 off", "Lever-2 off"},
			[]string{"Cabinet locked", fmt.Sprintf("Lever-%d linked_to Cabinet", right), fmt.Sprintf("Lever-%d linked_to Fridge", 3-right)}
	}},
	{"hidden apple", "AppleOnTable", "(navigate_to_obj, Apple) (pick_up, Apple) (navigate_to_obj, DiningTable) (put_on, Apple, DiningTable)",
		func(rng *rand.Rand) (scene, latent []string) {
			place := pick(rng, "Microwave", "Fridge", "Cabinet", "Drawer")
			if rng.IntN(2) == 0 {
				latent = []string{pick(rng, "Kettle", "Box", "Vase") + " occludes " + place}
			}
			return []string{"Apple inside " + place, place + " closed"}, latent
		}},
	{"cube of its colour", "CubeInCrateOfItsColour", "(navigate_to_obj, Cube-1) (pick_up, Cube-1) (navigate_to_obj, CubeCrate-1) (put_in, Cube-1, CubeCrate-1)",
		func(rng *rand.Rand) ([]string, []string) {
			yellow, crate := 1+rng.IntN(2), 1+rng.IntN(2)
			return []string{"Cube-1 on_top_of DiningTable", "Cube-2 on_top_of DiningTable", "CubeCrate-1 on_top_of CounterTop", "CubeCrate-2 on_top_of CounterTop"},
				[]string{fmt.Sprintf("Cube-%d yellow", yellow), fmt.Sprintf("Cube-%d %s", 3-yellow, pick(rng, "red", "blue", "green")),
					fmt.Sprintf("CubeCrate-%d yellow", crate), fmt.Sprintf("CubeCrate-%d red", 3-crate)}
		}},
	{"taken crate", "CubeInCrate", "(navigate_to_obj, YellowCube) (pick_up, YellowCube) (navigate_to_obj, CubeCrate) (put_in, YellowCube, CubeCrate)",
		func(rng *rand.Rand) ([]string, []string) {
			return []string{cube, pick(rng, "RedCube", "Ball", "Apple") + " inside CubeCrate"}, nil
		}},
}

func reasoner(t testing.TB) *engine.Reasoner {
	t.Helper()
	r, err := engine.New(ontology.Default(), rules.Default())
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func facts(t testing.TB, texts []string) []episode.Fact {
	t.Helper()
	var out []episode.Fact
	for _, text := range texts {
		f, err := episode.ParseFact(text)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, f)
	}
	return out
}

func actions(t testing.TB, texts string) []episode.Action {
	t.Helper()
	var out []episode.Action
	for _, text := range strings.SplitAfter(texts, ")") {
		if text = strings.TrimSpace(text); text == "" {
			continue
		}
		a, err := episode.ParseAction(kitchen.Default(), text)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, a)
	}
	return out
}

// stage puts a robot into a scene.
func stage(t testing.TB, name, task, plan string, scene, latent []string, opt simulation.Options) *simulation.Robot {
	t.Helper()
	sc := &simulation.Scenario{ID: name, Task: task, Scene: facts(t, scene), Latent: facts(t, latent), Plan: actions(t, plan)}
	robot, err := simulation.NewRobot(kitchen.Default(), sc, opt)
	if err != nil {
		t.Fatal(err)
	}
	return robot
}

func symbolic(t testing.TB, r *engine.Reasoner, robot *simulation.Robot) *replan.Symbolic {
	t.Helper()
	s, err := replan.NewSymbolic(context.Background(), r, robot, robot.Episode(), engine.Planner{})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// describe is a course as text, for the message of a test.
func describe(c *replan.HierarchicalRun) string {
	data, _ := json.MarshalIndent(c, "", " ")
	return string(data)
}

func TestSevenTasks(t *testing.T) {
	const draws = 20
	r := reasoner(t)
	rng := rand.New(rand.NewPCG(1, 4000))
	for _, task := range tasks {
		completed, most := 0, 0
		for range draws {
			scene, latent := task.draw(rng)
			robot := stage(t, task.name, task.task, task.plan, scene, latent, simulation.Options{})
			s := symbolic(t, r, robot)
			c, err := s.Loop().Run(context.Background(), s.Intent())
			if err != nil {
				t.Fatal(err)
			}
			most = max(most, len(c.Plans))
			if c.Ending != engine.Completed || !robot.Reached() || len(robot.Violated()) > 0 {
				t.Errorf("%s %v %v: %s (%s), goal reached %v, violated %v\n%s", task.name, scene, latent, c.Ending, c.Reason, robot.Reached(), robot.Violated(), describe(c))
				continue
			}
			completed++
		}
		t.Logf("%s: %d of %d completed, at most %d plans", task.name, completed, draws, most)
	}
}

// A rule that does not end neither ends a run nor goes unnoticed.
func TestSymbolicTellsOfRules(t *testing.T) {
	p, err := rules.Load(append(rules.Shipped(), document.Document{Name: "own.pl",
		Data: []byte("failure('DirtyObjFailure', S, S, [O]) :- action(S, open_obj), target(S, O), loop(S).\nloop(S) :- loop(S).")}))
	if err != nil {
		t.Fatal(err)
	}
	endless, err := engine.New(ontology.Default(), p)
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name     string
		reasoner *engine.Reasoner
		want     bool
	}{{"rules that end", reasoner(t), false}, {"one that does not", endless, true}} {
		robot := stage(t, "t", "CubeInCabinet", openFirst, []string{cube, "Cabinet closed"}, nil, simulation.Options{})
		s := symbolic(t, tt.reasoner, robot)
		c, err := s.Loop().Run(context.Background(), s.Intent())
		if err != nil || c.Ending != engine.Completed {
			t.Fatalf("%s: %v, %s; want it completed", tt.name, err, describe(c))
		}
		var limit *engine.LimitError
		if got := errors.As(errors.Join(s.Errors()...), &limit); got != tt.want || got && limit.Clause.Pos.File != "own.pl" {
			t.Errorf("%s: errors %v", tt.name, s.Errors())
		}
	}
}
