package whereabouts_test

import (
	"testing"

	"github.com/mishap-robotics/mishap/engine/internal/belief"
	"github.com/mishap-robotics/mishap/engine/internal/episodetest"
	"github.com/mishap-robotics/mishap/engine/internal/projection"
	"github.com/mishap-robotics/mishap/engine/internal/whereabouts"
	"github.com/mishap-robotics/mishap/ontology"
)

// What nobody has seen is assumed in what things of its class are kept in, the likeliest
// first, of what is closed; what the plan opens first or goes to, and what a failure is about,
// come before that.
func TestAssume(t *testing.T) {
	const closed = "0 | Drawer-1 closed, Cabinet-1 closed, Fridge-1 closed, CounterTop-1"
	const sought = "goal: WineBottle inside Fridge, WineGlass filled_with_wine\n"
	const looked = "0 | Fridge-1 closed, Cabinet-1 open, WineGlass-1 on_top_of CounterTop-1"
	o := ontology.Default()
	for _, tt := range []struct {
		name, script, object string
		about                []string
		want                 string
	}{
		{"food", "plan: (pick_up, Egg)\n" + closed, "Egg", nil, "Fridge-1"},
		{"cutlery", "plan: (pick_up, Fork)\n" + closed, "Fork", nil, "Drawer-1"},
		{"a cleaning item", "plan: (pick_up, DishSponge)\n" + closed, "DishSponge", nil, "Cabinet-1"},
		{"the likeliest is open", "plan: (pick_up, Egg)\n0 | Drawer-1 closed, Cabinet-1 closed, Fridge-1 open", "Egg", nil, "Cabinet-1"},
		{"the plan opens another", "plan: (open_obj, Drawer-1), (pick_up, Egg)\n" + closed, "Egg", nil, "Drawer-1"},
		{"the plan goes to another", "plan: (navigate_to_obj, Drawer-1), (pick_up, Egg)\n" + closed, "Egg", nil, "Drawer-1"},
		{"the plan goes on before it takes it", "plan: (navigate_to_obj, Drawer-1), (navigate_to_obj, Cabinet-1), (pick_up, Egg)\n" + closed, "Egg", nil, "Cabinet-1"},
		{"the plan opens one to put it there", "plan: (open_obj, Drawer-1), (open_obj, Fridge-1), (put_in, Egg, Fridge-1)\n" + closed, "Egg", nil, "Drawer-1"},
		{"the plan opens what the goal has it in before it takes it", "goal: Egg inside Fridge\nplan: (open_obj, Fridge-1), (navigate_to_obj, Egg), (pick_up, Egg), (put_in, Egg, Fridge-1)\n" + closed, "Egg", nil, ""},
		{"nor what is shut again by then", "goal: Egg inside Fridge\nplan: (open_obj, Drawer-1), (close_obj, Drawer-1), (open_obj, Fridge-1), (navigate_to_obj, Egg), (pick_up, Egg), (put_in, Egg, Fridge-1)\n" + closed, "Egg", nil, ""},
		{"a failure is about another", "plan: (pick_up, Egg)\n" + closed, "Egg", []string{"Cabinet-1"}, "Cabinet-1"},
		{"where the goal has it, once elsewhere was looked in vain and the plan needs it", sought + "plan: (pick_up, WineBottle), (pour, WineBottle, WineGlass), (put_in, WineBottle, Fridge)\n" + looked, "WineBottle", nil, "Fridge-1"},
		{"not where it is only to be brought", sought + "plan: (pick_up, WineBottle), (put_in, WineBottle, Fridge)\n" + looked, "WineBottle", nil, ""},
		{"nor where nobody looked elsewhere", sought + "plan: (pick_up, WineBottle), (pour, WineBottle, WineGlass), (put_in, WineBottle, Fridge)\n0 | Fridge-1 closed, WineGlass-1 on_top_of CounterTop-1", "WineBottle", nil, ""},
		{"nothing is closed", "plan: (pick_up, Egg)\n0 | Fridge-1 open", "Egg", nil, ""},
	} {
		ep := episodetest.Parse(t, o, tt.script)
		steps := ep.Steps
		f := belief.NewTracker(o, ep)
		for _, st := range steps {
			f.Step(st)
		}
		p := projection.Project(f)
		assumed := whereabouts.Assume(p, tt.about)
		got := ""
		for _, x := range assumed {
			if p.Objects.IsA(x, o.Term(tt.object)) {
				got = p.Objects.Name(p.Present.Place(x).At)
			}
		}
		if got != tt.want {
			t.Errorf("%s: %s is assumed in %q, want %q", tt.name, tt.object, got, tt.want)
		}
	}
}
