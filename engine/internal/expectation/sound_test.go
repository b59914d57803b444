package expectation_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mishap-robotics/mishap/engine/internal/expectation"
)

// The scene that is expected is otherwise than what the plan would make of the first one by
// no more than what lets the rest of it go through.
func TestSound(t *testing.T) {
	tests := []struct {
		name, script string
		exempt       []string
		gone, comes  string // lines of the graph
	}{
		{name: "nothing is lacking", script: `
			plan: (pick_up, Egg-1), (put_in, Egg-1, Bowl-1)
			0 | Egg-1 on_top_of CounterTop-1, Bowl-1 on_top_of CounterTop-1, Bowl-1 clean`},
		{name: "a norm of a later action", script: `
			plan: (pick_up, Egg-1), (crack_obj, Egg-1), (put_in, EggCracked-1, Pan-1)
			0 | Egg-1 on_top_of CounterTop-1, Pan-1 on_top_of CounterTop-1, Pan-1 dirty`,
			gone: "Pan-1 Pan: dirty", comes: "Pan-1 Pan: clean"},
		{name: "unless that norm does not apply", script: `
			plan: (pick_up, Apple-1), (put_in, Apple-1, Pan-1)
			0 | Apple-1 on_top_of CounterTop-1, Pan-1 on_top_of CounterTop-1, Pan-1 dirty`, exempt: []string{"clean_destination"}},
		{name: "the plan sees to it", script: `
			plan: (put_in, Pan-1, Sink-1), (toggle_on, Faucet-1), (toggle_off, Faucet-1), (pick_up, Apple-1), (put_in, Apple-1, Pan-1)
			0 | Pan-1 inside RobotGripper-1, Apple-1 on_top_of CounterTop-1, Pan-1 dirty, Sink-1, Faucet-1 off`},
		{name: "a door that nobody opens", script: `
			plan: (pick_up, Egg-1), (put_in, Egg-1, Fridge-1)
			0 | Egg-1 on_top_of CounterTop-1, Fridge-1 closed`,
			gone: "Fridge-1 Fridge: closed", comes: "Fridge-1 Fridge: open"},
		{name: "what is to be brought is the plan's to bring", script: `
			plan: (put_on, Pot-1, CounterTop-1), (slice_obj, Bread-1)
			0 | Pot-1 inside RobotGripper-1, Bread-1 on_top_of CounterTop-1, Knife-1 on_top_of CounterTop-1`},
		{name: "an obstacle", script: `
			plan: (put_on, Pot-1, StoveBurner-1), (pick_up, Mug-1)
			0 | Pot-1 inside RobotGripper-1, StoveBurner-1, Mug-1 on_top_of CounterTop-1, Pan-1 on_top_of CounterTop-1, Pan-1 occludes Mug-1`,
			gone: "Pan-1 occluding Mug-1"},
		{name: "the goal asks for another liquid", script: `
			goal: HousePlant filled_with_water
			plan: (pour, Pot-1, HousePlant-1)
			0 | Pot-1 inside RobotGripper-1, Pot-1 filled_with_wine, HousePlant-1 empty`,
			gone: "Pot-1 Pot: clean filled_with_wine", comes: "Pot-1 Pot: clean filled_with_water"},
		{name: "what the goal asks of a thing itself is for the plan to bring about", script: `
			goal: HousePlant filled_with_water
			plan: (pick_up, Pot-1)
			0 | Pot-1 on_top_of CounterTop-1, Pot-1 filled_with_water, HousePlant-1 empty`},
		{name: "the goal asks for nothing else there", script: `
			task: fry egg alone
			plan: (put_in, EggCracked-1, Pan-1), (toggle_on, StoveBurner-1)
			0 | EggCracked-1 inside RobotGripper-1, Pan-1 on_top_of StoveBurner-1, Potato-1 inside Pan-1, Pan-1 clean, StoveBurner-1 off`,
			gone: "Potato-1 located_at! Pan-1\nPotato-1 Potato: raw"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			a := ahead(t, tt.script)
			v := view(a, expectation.All)
			before := lines(expectation.Of(a.PresentExpected, v))
			after := lines(expectation.Of(expectation.Sound(a, tt.exempt), v))
			without := func(list, other []string) []string {
				return slices.DeleteFunc(slices.Clone(list), func(l string) bool { return slices.Contains(other, l) })
			}
			if diff := cmp.Diff(text(tt.gone), without(before, after)); diff != "" {
				t.Errorf("gone (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(text(tt.comes), without(after, before)); diff != "" {
				t.Errorf("comes (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(before, lines(expectation.Of(a.PresentExpected, v))); diff != "" {
				t.Errorf("the expected course itself has changed (-before +after):\n%s", diff)
			}
		})
	}
}

// text splits a text into lines, an empty one into none.
func text(s string) []string {
	if s == "" {
		return []string{}
	}
	return sorted(s)
}
