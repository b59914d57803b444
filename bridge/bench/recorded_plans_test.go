package bench_test

import (
	"context"
	"slices"
	"testing"

	"github.com/mishap-robotics/mishap/bridge/logs"
	"github.com/mishap-robotics/mishap/engine"
)

// What plans for recorded logs do in the end, of the kinds that once went wrong: the actions of
// has come in this order, and none of never comes. A plan that is verified does that, a log for
// which nothing is to be done has none.
func TestPlansOfRecordedLogs(t *testing.T) {
	for _, tt := range []struct {
		log        string
		refused    bool
		has, never []string
	}{
		// From the bag and into the bowl, not the bag itself nor what was mixed in the other bowl.
		{"later/home/110-feed-cat.jsonl", false, []string{"(pick_up, cat_food_1)", "(pour, cat_food_1, bowl_1)"}, []string{"(put_in, cat_food_1, bowl_1)", "(pour, bowl_2, bowl_1)"}},
		// What plan and goal call by its class is the thing that was seen.
		{"later/home/113-dishwasher-dead.jsonl", false, []string{"(pick_up, plate_3)", "(put_in, plate_3, cabinet_2)"}, []string{"(pick_up, Plate-1)"}},
		// Nor is a napkin laid at table that fell and is dirty.
		{"eleventh/home-o/o04.jsonl", true, []string{"(pick_up, Napkin.3)"}, []string{"(pick_up, Napkin-1)"}},
		{"tenth/home-n/n05-pass-bowl.jsonl", false, []string{"(observe, obj3)", "(pick_up, obj3)"}, []string{"(pick_up, Bowl-1)"}},
		// Nothing is done in vain once the goal holds.
		{"measured/home/16-id-churn-clean.jsonl", false, nil, nil},
		{"sixth/arm-c/clean01_putAppleBowl1", false, nil, nil},
		{"home/37-boiled-egg.jsonl", false, nil, nil},
		// The milk is hot where its cup is, and of what has metal in it the metal is taken out.
		{"fifth/home-a/15-spoon-in-cup.jsonl", false, []string{"(pick_up, Spoon-1)", "(close_obj, Microwave-1)"}, []string{"(pick_up, Milk-1)"}},
		// Machines are shut before they run, and clean what is in them.
		{"later/home/101-laundry-sock.jsonl", false, []string{"(put_in, sock_4, washer_1)", "(close_obj, washer_1)", "(toggle_on, washer_1)"}, nil},
		{"seventh/home-e/02-dishes.jsonl", false, []string{"(close_obj, Dishwasher-1)", "(toggle_on, Dishwasher-1)"}, []string{"(pick_up, Plate-3)"}},
		// What fell is washed, and before it is heated.
		{"sixth/arm-c/15_heatPotato1", false, []string{"(put_in, Potato-1, Sink)", "(put_in, Potato-1, Microwave-1)"}, nil},
		{"later/arm/201_washTomato", false, []string{"(put_in, Tomato-1, Sink-1)", "(put_in, Tomato-1, Bowl-1)"}, nil},
		// What is burnt is not served, what holds something else is rinsed empty, tea is made of water.
		{"tenth/arm-n/11_heatPotato", true, nil, nil},
		{"eleventh/arm-p/08_makeCoffee6", false, []string{"(pour, Mug-1, Sink)", "(toggle_on, Faucet-1)", "(put_in, Mug-1, CoffeeMachine-1)"}, nil},
		{"home/32-tea-on-juice.jsonl", false, nil, []string{"(put_in, TeaBag-1, cup#2)"}},
	} {
		t.Run(tt.log, func(t *testing.T) {
			r := newBench(t, 1).Reasoner
			eps, err := logs.Read(r.Ontology, "../../testdata/logs/"+tt.log)
			if err != nil || len(eps) != 1 {
				t.Fatal(len(eps), err)
			}
			got, err := r.RecoverEpisode(context.Background(), eps[0], engine.Planner{})
			if err != nil {
				t.Fatal(err)
			}
			if got.Final == nil {
				if tt.refused || len(tt.has) > 0 {
					t.Fatal("there is no plan")
				}
				return
			}
			var plan []string
			for _, a := range got.Final.Plan {
				plan = append(plan, a.String())
			}
			if got.Final.Verified == tt.refused {
				t.Errorf("verified: %v", got.Final.Verified)
			}
			at := 0
			for _, want := range tt.has {
				i := slices.Index(plan[at:], want)
				if i < 0 {
					t.Fatalf("%s is not where it belongs in %v", want, plan)
				}
				at += i
			}
			if len(tt.has) == 0 && !tt.refused && len(tt.never) == 0 {
				t.Errorf("nothing is to be done, and it does %v", plan)
			}
			for _, a := range tt.never {
				if slices.Contains(plan, a) {
					t.Errorf("%s is in %v", a, plan)
				}
			}
		})
	}
}
