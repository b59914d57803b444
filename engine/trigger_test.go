package engine_test

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/mishap-robotics/mishap/engine"
	"github.com/mishap-robotics/mishap/engine/discrepancy"
	"github.com/mishap-robotics/mishap/engine/internal/episodetest"
	"github.com/mishap-robotics/mishap/engine/simulation"
	"github.com/mishap-robotics/mishap/ontology"
	"github.com/mishap-robotics/mishap/ontology/kitchen"
	"github.com/mishap-robotics/mishap/rules"
)

// robotOf is the robot of a built-in scenario.
func robotOf(t testing.TB, name string) *simulation.Robot {
	t.Helper()
	o := kitchen.Default()
	i := slices.IndexFunc(o.Scenarios, func(n *ontology.Scenario) bool { return n.Name == name })
	if i < 0 {
		t.Fatalf("no scenario %s", name)
	}
	sc, err := simulation.FromOntology(o, o.Scenarios[i])
	if err != nil {
		t.Fatal(err)
	}
	robot, err := simulation.NewRobot(o, sc, simulation.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return robot
}

// A run that the score triggers comes through the ten cases of Table A2, by corrections that
// scores below the threshold ask for; where nothing may fall below it, nothing is foreseen.
func TestLoopTriggeredByScore(t *testing.T) {
	r, err := engine.New(ontology.Default(), rules.Default())
	if err != nil {
		t.Fatal(err)
	}
	for _, sc := range kitchen.Default().Scenarios {
		if sc.Suite != "replanning" {
			continue
		}
		t.Run(sc.Name, func(t *testing.T) {
			robot := robotOf(t, sc.Name)
			loop := engine.Loop{Reasoner: r, Executor: robot, Trigger: &engine.Scoring{}}
			res, err := loop.Run(context.Background(), robot.Episode())
			if err != nil {
				t.Fatal(err)
			}
			if res.Ending != engine.Completed || !robot.Reached() {
				t.Errorf("%s: %s", res.Ending, res.Reason)
			}
			if len(res.Recoveries) == 0 || res.Recoveries[0].Score == nil || !res.Recoveries[0].Score.Alarm(discrepancy.DefaultThreshold) {
				t.Errorf("the first of %d corrections was not triggered by the score", len(res.Recoveries))
			}
			if sc.Name != "replanning_dirty_pan" {
				return
			}
			robot = robotOf(t, sc.Name)
			loop = engine.Loop{Reasoner: r, Executor: robot, Trigger: &engine.Scoring{Threshold: math.SmallestNonzeroFloat64}}
			if res, err = loop.Run(context.Background(), robot.Episode()); err != nil {
				t.Fatal(err)
			}
			for _, c := range res.Recoveries {
				if c.Score != nil || c.Threat != nil {
					t.Errorf("something was foreseen though no score is below the threshold: %+v", c)
				}
			}
		})
	}
}

// Nothing is corrected in a run in which nothing is wrong.
func TestLoopTriggeredByNothing(t *testing.T) {
	r, err := engine.New(ontology.Default(), rules.Default())
	if err != nil {
		t.Fatal(err)
	}
	robot := robotOf(t, "recover_make_coffee")
	loop := engine.Loop{Reasoner: r, Executor: robot, Trigger: &engine.Scoring{}}
	res, err := loop.Run(context.Background(), robot.Episode())
	if err != nil || res.Ending != engine.Completed || len(res.Recoveries) > 0 {
		t.Errorf("%v, %+v", err, res)
	}
}

const soiled = `
	task: cook egg
	goal: EggCracked located_at Pan
	plan: (pick_up, Egg), (crack_obj, Egg), (put_in, EggCracked, Pan)
	0 | Egg-1 on_top_of CounterTop-1, Pan-1 on_top_of CounterTop-1, Pan-1 clean, Egg-1 near Robot-1
	1 (pick_up, Egg-1) | Egg-1 inside RobotGripper-1, Pan-1 on_top_of CounterTop-1, Pan-1 dirty
	2 (crack_obj, Egg-1) | EggCracked-1 inside RobotGripper-1, Pan-1 on_top_of CounterTop-1, Pan-1 dirty`

// A monitor tells once of a scene that deviates, and then of what is foreseen.
func TestEnableScore(t *testing.T) {
	for _, tt := range []struct {
		threshold float64
		want      string
	}{
		{0, "1 deviates: Pan-1 is dirty, expected clean, 1 foreseen"},
		{math.SmallestNonzeroFloat64, ""},
	} {
		ep := episodetest.Parse(t, ontology.Default(), soiled)
		r, err := engine.New(ontology.Default(), rules.Default())
		if err != nil {
			t.Fatal(err)
		}
		steps := ep.Steps
		m := r.Watch(ep, engine.Limits{}, nil)
		if err := m.EnableScore(engine.Scoring{Threshold: tt.threshold}); err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, st := range steps {
			updates, err := m.Step(context.Background(), st)
			if err != nil {
				t.Fatal(err)
			}
			for _, u := range updates {
				switch u.Kind {
				case engine.Deviates:
					text := fmt.Sprintf("%d deviates:", st.Index)
					for _, d := range u.Score.Differences {
						text += " " + d.String()
					}
					got = append(got, text)
				case engine.Foreseen, engine.Averted:
					got = append(got, fmt.Sprint(st.Index, " ", u.Kind))
				}
			}
		}
		if text := strings.Join(got, ", "); text != tt.want {
			t.Errorf("threshold %v: %s, want %s", tt.threshold, text, tt.want)
		}
	}
}

func TestTriggerErrors(t *testing.T) {
	r, err := engine.New(ontology.Default(), rules.Default())
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		s    engine.Scoring
		want string
	}{
		{engine.Scoring{Threshold: 1.2}, "threshold 1.2; expected a number from 0 to 1"},
		{engine.Scoring{Threshold: -1}, "threshold -1; expected a number from 0 to 1"},
		{engine.Scoring{Threshold: math.NaN()}, "threshold NaN; expected a number from 0 to 1"},
		{engine.Scoring{Expect: engine.FromReference}, "no reference episode was given"},
		{engine.Scoring{Expect: "luck"}, `expected scenes from "luck"; expected plan, preconditions or reference`},
	} {
		m := r.Watch(nil, engine.Limits{}, nil)
		if err := m.EnableScore(tt.s); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%+v: error %v, want %s", tt.s, err, tt.want)
		}
		robot := robotOf(t, "recover_make_coffee")
		loop := engine.Loop{Reasoner: r, Executor: robot, Trigger: &tt.s}
		if _, err := loop.Run(context.Background(), robot.Episode()); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%+v: a run has the error %v, want %s", tt.s, err, tt.want)
		}
	}
	if (&engine.Monitor{}).EnableScore(engine.Scoring{}) == nil {
		t.Error("a monitor that watches nothing was told to score")
	}
}
