package engine_test

import (
	"context"
	"slices"
	"testing"

	"github.com/mishap-robotics/mishap/engine"
	"github.com/mishap-robotics/mishap/engine/discrepancy"
	"github.com/mishap-robotics/mishap/engine/simulation"
	"github.com/mishap-robotics/mishap/ontology"
	"github.com/mishap-robotics/mishap/ontology/kitchen"
	"github.com/mishap-robotics/mishap/rules"
)

// The ten cases of Table A2 of scene-graph-guided proactive replanning (Appendix D) fall
// below the paper's threshold, none later than before the action that its mistake shows at,
// and what differs is what is wrong. No reference episode is given.
func TestScoreTableA2(t *testing.T) {
	tests := []struct {
		scenario   string
		before     int32  // the action that the mistake is in
		difference string // that is among those of the alarm
	}{
		{"replanning_wine_for_plant", 5, "Pot-1 is filled_with_wine, expected empty"},
		{"replanning_coffee_for_plant", 2, "Pot-1 is filled_with_coffee, expected empty"},
		{"replanning_dirty_pan", 7, "Pan-1 is dirty, expected clean"},
		{"replanning_potato_in_pan", 5, "Potato-1 was not expected"},
		{"replanning_egg_in_pot", 5, "subtask is destination Pot-1, expected nothing"},
		{"replanning_dirty_mug", 4, "Mug-1 is dirty, expected clean"},
		{"replanning_egg_cracked", 4, "subtask is crack_obj, expected pick_up"},
		{"replanning_tomato_sliced", 5, "subtask is slice_obj, expected put_on"},
		{"replanning_apple_sliced", 5, "subtask is target Apple-1, expected nothing"},
		{"replanning_dirty_breakfast_mug", 10, "Mug-1 is dirty, expected clean"},
	}
	o := kitchen.Default()
	r, err := engine.New(ontology.Default(), rules.Default())
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range tests {
		t.Run(tt.scenario, func(t *testing.T) {
			i := slices.IndexFunc(o.Scenarios, func(n *ontology.Scenario) bool { return n.Name == tt.scenario })
			if i < 0 {
				t.Fatal("no such scenario")
			}
			sc, err := simulation.FromOntology(o, o.Scenarios[i])
			if err != nil {
				t.Fatal(err)
			}
			run, err := simulation.Simulate(o, sc, simulation.Options{})
			if err != nil {
				t.Fatal(err)
			}
			f, err := r.Foresee(context.Background(), run.Episode, engine.Scoring{})
			if err != nil {
				t.Fatal(err)
			}
			for _, s := range f.Subtasks {
				if s.Score == nil || !s.Score.Alarm(discrepancy.DefaultThreshold) {
					continue
				}
				if s.Step > tt.before {
					t.Errorf("the first alarm is at step %d, want one by %d", s.Step, tt.before)
				}
				var differences []string
				for _, d := range s.Score.Differences {
					differences = append(differences, d.String())
				}
				if !slices.Contains(differences, tt.difference) {
					t.Errorf("step %d: %q, want %q among them", s.Step, differences, tt.difference)
				}
				return
			}
			t.Error("no score is below the threshold")
		})
	}
}
