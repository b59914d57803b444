package engine_test

import (
	"context"
	"slices"
	"testing"

	"github.com/mishap-robotics/mishap/engine"
	"github.com/mishap-robotics/mishap/engine/episode"
)

// What an action does of which nobody knows what it does may be what the goal seems to lack,
// where it is done to the same thing.
func TestUnknownActionMayBeWhatIsMissing(t *testing.T) {
	r := reasoner(t)
	for on, missing := range map[string]bool{"StoveBurner-1": false, "Radio-1": true} {
		done := []episode.Action{
			{Name: "put_on", Target: "Pot-1", Destination: "StoveBurner-1"},
			{Name: "fiddle", Target: on},
		}
		ep := &episode.Episode{ID: on, Plan: done, Scene: []episode.Fact{{Subject: "Pot-1", Relation: "inside", Object: "RobotGripper-1"}, {Subject: "StoveBurner-1", Relation: "off"}},
			GoalFacts: []episode.Fact{{Subject: "StoveBurner", Relation: "on"}}}
		for i, a := range done {
			ep.Steps = append(ep.Steps, episode.Step{Index: i + 1, Action: a})
		}
		res, err := r.Check(context.Background(), ep)
		if err != nil {
			t.Fatal(err)
		}
		if got := slices.ContainsFunc(res.Findings, func(f engine.Finding) bool { return f.Type == "IncompletePlanFailure" }); got != missing {
			t.Errorf("fiddle with %s: the plan is told to stop too soon: %v, want %v (%v)", on, got, missing, res.Findings)
		}
	}
}

// A thing that a plan brings to another place than the goal asks for is told as that, where
// getting there takes a further action.
func TestBroughtToTheWrongPlace(t *testing.T) {
	done := []episode.Action{
		{Name: "pick_up", Target: "Pear-1"},
		{Name: "put_in", Target: "Pear-1", Destination: "Drawer-1"},
		{Name: "close_obj", Target: "Drawer-1"},
	}
	ep := &episode.Episode{ID: "pear", Plan: done,
		Scene:     []episode.Fact{{Subject: "Pear-1", Relation: "on_top_of", Object: "DiningTable-1"}, {Subject: "Drawer-1", Relation: "open"}, {Subject: "Fridge-1", Relation: "closed"}},
		GoalFacts: []episode.Fact{{Subject: "Pear", Relation: "inside", Object: "Fridge"}}}
	for i, a := range done {
		ep.Steps = append(ep.Steps, episode.Step{Index: i + 1, Action: a})
	}
	res, err := reasoner(t).Check(context.Background(), ep)
	if err != nil {
		t.Fatal(err)
	}
	if len(res.Findings) != 1 || res.Findings[0].Type != "WrongStepFailure" || res.Findings[0].Cause != 2 || !slices.Equal(res.Findings[0].Objects, []string{"Drawer-1", "Fridge-1", "Pear-1"}) {
		t.Errorf("found %+v", res.Findings)
	}
}
