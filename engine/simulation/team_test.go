package simulation_test

import (
	"strings"
	"testing"

	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/engine/simulation"
	"github.com/mishap-robotics/mishap/ontology/kitchen"
)

// Robots of a team stand, reach and hold each for itself; what one holds all observations tell.
func TestTeam(t *testing.T) {
	sc := &simulation.Scenario{ID: "two", Objects: []string{"Apple", "Mug", "Fridge", "StoveBurner"},
		Agents: []episode.Agent{{Name: "Nao", Grippers: []string{"Hand-1"}}, {Name: "Rover", Class: "Robot"}, {Name: "Ann", Class: "Human"}, {Name: "Both", Members: []string{"Nao", "Rover"}}},
		Scene:  []episode.Fact{{Subject: "Apple", Relation: "on_top_of", Object: "CounterTop"}, {Subject: "Mug", Relation: "on_top_of", Object: "CounterTop"}}}
	robot, err := simulation.NewRobot(kitchen.Default(), sc, simulation.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if got := len(robot.Episode().Crew); got != 4 {
		t.Errorf("the episode has %d agents, want 4", got)
	}
	for _, do := range []struct{ agent, action, refused string }{
		{"Nao", "(navigate_to_obj, Apple)", ""},
		{"Nao", "(pick_up, Apple)", ""},
		{"Rover", "(navigate_to_obj, Mug)", ""},
		{"Nao", "(navigate_to_obj, StoveBurner)", ""},
		{"Nao", "(pick_up, Mug)", "the gripper"}, // is full
		{"Rover", "(pick_up, Mug)", ""},
		{"Rover", "(navigate_to_obj, Fridge)", ""},
		{"Nao", "(open_obj, Fridge)", "not near"},
		{"Nao", "(put_on, Apple, CounterTop)", ""},
	} {
		a, err := episode.ParseAction(kitchen.Default(), do.action)
		if err != nil {
			t.Fatal(err)
		}
		st, err := robot.PerformAs(t.Context(), do.agent, a)
		if err != nil {
			t.Fatal(err)
		}
		if why := robot.Results[len(robot.Results)-1].Reasons(); (why == "") != (do.refused == "") || !strings.Contains(why, do.refused) {
			t.Errorf("%s %s: refused because %q, want %q", do.agent, do.action, why, do.refused)
		}
		if st.Agent != do.agent {
			t.Errorf("%s: the step is of %q", do.agent, st.Agent)
		}
		held := map[string]string{}
		for _, e := range st.Observation.Edges {
			if e.Relation == "inside" {
				held[e.Subject] = e.Object
			}
		}
		for x, gripper := range map[string]string{"Apple-1": "Hand-1", "Mug-1": "RobotGripper-2"} {
			thing, _ := robot.World.State().Objects.Lookup(x)
			in := robot.World.State().Place(thing).At
			if is := in >= 0 && robot.World.Name(in) == gripper; is != (held[x] == gripper) {
				t.Errorf("after %s %s: %s in %s is %v, and told %v", do.agent, do.action, x, gripper, is, held[x] == gripper)
			}
		}
	}
	if _, err := robot.PerformAs(t.Context(), "Ann", episode.Action{}); err == nil || !strings.Contains(err.Error(), `unknown robot "Ann"`) {
		t.Errorf("error %v, want that Ann is no robot", err)
	}
	sc.Agents[1].Class = "Mug"
	if _, err := simulation.NewRobot(kitchen.Default(), sc, simulation.Options{}); err == nil || !strings.Contains(err.Error(), `"Mug"`) {
		t.Errorf("error %v, want that a Mug is no agent", err)
	}
}
