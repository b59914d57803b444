package engine_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/mishap-robotics/mishap/engine"
	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/engine/internal/recovery"
	"github.com/mishap-robotics/mishap/engine/internal/script"
	"github.com/mishap-robotics/mishap/engine/scene"
	"github.com/mishap-robotics/mishap/ontology"
)

// A plan that is called verified is right.
func TestVerifiedPlanIsSound(t *testing.T) {
	tests := []struct {
		name, script string
		verified     bool
		has          []string // of the plan, in this order
		lacks        []string
		once         []string
		reasons      string // some of what keeps it from being verified
	}{
		{name: "what was heard to shatter in the fall is not touched", script: `
goal: WineGlass on_top_of DiningTable
plan: (pick_up, WineGlass), (navigate_to_obj, DiningTable), (put_on, WineGlass, DiningTable)
0 | WineGlass-1 on_top_of CounterTop-1, DiningTable-1 clean
1 (pick_up, WineGlass-1) | WineGlass-1 inside RobotGripper-1
2 (navigate_to_obj, DiningTable-1) | DiningTable-1 clean | glass shatters
`, lacks: []string{"(pick_up, WineGlass-1)"}, reasons: "it is broken"},
		{name: "another glass is taken in its place", script: `
goal: WineGlass on_top_of DiningTable
plan: (pick_up, WineGlass), (navigate_to_obj, DiningTable), (put_on, WineGlass, DiningTable)
0 | WineGlass-1 on_top_of CounterTop-1, WineGlass-2 on_top_of CounterTop-1, DiningTable-1 clean
1 (pick_up, WineGlass-1) | WineGlass-1 inside RobotGripper-1, WineGlass-2 on_top_of CounterTop-1
2 (navigate_to_obj, DiningTable-1) | DiningTable-1 clean | glass shatters
`, verified: true, has: []string{"(pick_up, WineGlass-2)"}, lacks: []string{"(pick_up, WineGlass-1)"}},
		{name: "what may have shattered is looked at first", script: `
goal: WineGlass on_top_of DiningTable
plan: (navigate_to_obj, WineGlass), (pick_up, WineGlass), (navigate_to_obj, DiningTable), (put_on, WineGlass, DiningTable)
0 | WineGlass-1 on_top_of CounterTop-1, DiningTable-1 clean
1 (navigate_to_obj, WineGlass-1) | CounterTop-1 clean | glass shatters
`, verified: true, has: []string{"(observe, WineGlass-1)", "(pick_up, WineGlass-1)"}},
		{name: "a fork is not suspected where glass shatters", script: `
goal: Fork on_top_of DiningTable
plan: (navigate_to_obj, Fork), (pick_up, Fork), (navigate_to_obj, DiningTable), (put_on, Fork, DiningTable)
0 | Fork-1 on_top_of CounterTop-1, DiningTable-1 clean
1 (navigate_to_obj, Fork-1) | CounterTop-1 clean | glass shatters
`, verified: true, lacks: []string{"observe"}},
		{name: "what fell unseen and may be broken is looked at first", script: `
goal: WineGlass on_top_of DiningTable
plan: (pick_up, WineGlass), (navigate_to_obj, DiningTable), (put_on, WineGlass, DiningTable)
0 | WineGlass-1 on_top_of CounterTop-1, DiningTable-1 clean
1 (pick_up, WineGlass-1) | WineGlass-1 inside RobotGripper-1
2 (navigate_to_obj, DiningTable-1) | DiningTable-1 clean | something drops
`, verified: true, has: []string{"(observe, WineGlass-1)", "(pick_up, WineGlass-1)"}},
		{name: "a napkin that lay on the floor is not laid at table", script: `
goal: Napkin on_top_of DiningTable
plan: (pick_up, Napkin), (navigate_to_obj, DiningTable), (put_on, Napkin, DiningTable)
0 | Napkin-1 on_top_of CounterTop-1, Napkin-1 clean, DiningTable-1 clean, Sink-1 clean, Faucet-1 off
1 (pick_up, Napkin-1) | Napkin-1 inside RobotGripper-1
2 (navigate_to_obj, DiningTable-1) | DiningTable-1 clean, Napkin-1 on_top_of Floor-1
`, reasons: "no cloth that lay on the floor"},
		{name: "another napkin is laid in its place", script: `
goal: Napkin on_top_of DiningTable
plan: (pick_up, Napkin), (navigate_to_obj, DiningTable), (put_on, Napkin, DiningTable)
0 | Napkin-1 on_top_of CounterTop-1, Napkin-1 clean, Napkin-2 on_top_of CounterTop-1, Napkin-2 clean, DiningTable-1 clean
1 (pick_up, Napkin-1) | Napkin-1 inside RobotGripper-1, Napkin-2 on_top_of CounterTop-1
2 (navigate_to_obj, DiningTable-1) | DiningTable-1 clean, Napkin-1 on_top_of Floor-1, Napkin-1 dirty
`, verified: true, has: []string{"(put_on, Napkin-2, DiningTable-1)"}, lacks: []string{"(put_on, Napkin-1, DiningTable-1)"}},
		{name: "an egg is taken out of its carton, which is not put into the bowl", script: `
goal: Egg inside Bowl
plan: (pick_up, Egg), (put_in, Egg, Bowl)
0 | Egg-1 inside EggHolder-1, EggHolder-1 on_top_of CounterTop-1, EggHolder-1 closed, Bowl-1 on_top_of CounterTop-1, Bowl-1 clean
`, verified: true, has: []string{"(open_obj, EggHolder-1)", "(put_in, Egg-1, Bowl-1)"}, lacks: []string{"(put_in, EggHolder-1, Bowl-1)"}},
		{name: "a burnt slice is not toasted again", script: `
task: serve toast
0 | BreadSliced-1 on_top_of CounterTop-1, BreadSliced-1 burnt, Toaster-1 off, Plate-1 on_top_of CounterTop-1, Plate-1 clean
`, lacks: []string{"BreadSliced-1"}, reasons: "burnt"},
		{name: "a slice that burnt in the toaster is not served", script: `
task: serve toast
0 | BreadSliced-1 inside Toaster-1, BreadSliced-1 raw, Toaster-1 on, Plate-1 on_top_of CounterTop-1, Plate-1 clean
1 (observe) | BreadSliced-1 inside Toaster-1, BreadSliced-1 burnt, Toaster-1 on, Plate-1 on_top_of CounterTop-1, Plate-1 clean
`, lacks: []string{"(put_on, BreadSliced-1, Plate-1)"}, reasons: "burnt"},
		{name: "another slice is toasted in the place of a burnt one", script: `
task: serve toast
0 | BreadSliced-1 on_top_of CounterTop-1, BreadSliced-1 burnt, BreadSliced-2 on_top_of CounterTop-1, Toaster-1 off, Plate-1 on_top_of CounterTop-1, Plate-1 clean
`, verified: true, has: []string{"(put_in, BreadSliced-2, Toaster-1)", "(put_on, BreadSliced-2, Plate-1)"}, lacks: []string{"BreadSliced-1"}},
		{name: "a burnt potato is not served hot", script: `
task: serve hot potato
0 | Potato-1 on_top_of DiningTable-1, Potato-1 burnt, Microwave-1 closed, CounterTop-1 clean
`, lacks: []string{"Potato-1"}, reasons: "burnt food is not served"},
		{name: "what is burnt is thrown away all the same", script: `
goal: Potato inside GarbageCan
0 | Potato-1 on_top_of DiningTable-1, Potato-1 burnt, GarbageCan-1 clean
`, verified: true, has: []string{"(put_in, Potato-1, GarbageCan-1)"}},
		{name: "a slice that fell on the floor is not toasted", script: `
task: toast bread
plan: (pick_up, BreadSliced), (navigate_to_obj, Toaster), (put_in, BreadSliced, Toaster), (toggle_on, Toaster)
0 | BreadSliced-1 on_top_of CounterTop-1, Toaster-1 off
1 (pick_up, BreadSliced-1) | BreadSliced-1 inside RobotGripper-1
2 (navigate_to_obj, Toaster-1) | BreadSliced-1 on_top_of Floor-1, Toaster-1 off | something drops
`, lacks: []string{"BreadSliced-1", "(toggle_on"}, reasons: "lay on the floor"},
		{name: "nor one that fell where nobody looked", script: `
task: toast bread
plan: (pick_up, BreadSliced), (navigate_to_obj, Toaster), (put_in, BreadSliced, Toaster), (toggle_on, Toaster)
0 | BreadSliced-1 on_top_of CounterTop-1, Toaster-1 off
1 (pick_up, BreadSliced-1) | BreadSliced-1 inside RobotGripper-1
2 (navigate_to_obj, Toaster-1) | Toaster-1 off | something drops
`, lacks: []string{"BreadSliced-1"}, reasons: "lay on the floor"},
		{name: "a mug is heated when it is filled anew, and not before", script: `
task: warm water
plan: (navigate_to_obj, Mug), (pick_up, Mug), (navigate_to_obj, Sink), (put_in, Mug, Sink), (toggle_on, Faucet), (toggle_off, Faucet), (pick_up, Mug), (navigate_to_obj, Microwave), (open_obj, Microwave), (put_in, Mug, Microwave), (close_obj, Microwave), (toggle_on, Microwave), (toggle_off, Microwave), (open_obj, Microwave), (pick_up, Mug), (navigate_to_obj, DiningTable), (put_on, Mug, DiningTable)
0 | Mug-1 on_top_of Desk-1, Mug-1 filled_with_coffee, Mug-1 clean, DiningTable-1 clean
1 (navigate_to_obj, Mug-1) | Mug-1 on_top_of Desk-1, Mug-1 filled_with_coffee
2 (pick_up, Mug-1) | Mug-1 inside RobotGripper-1, Mug-1 filled_with_coffee
3 (navigate_to_obj, Sink-1) | Mug-1 inside RobotGripper-1, Sink-1 clean, Faucet-1 off
4 (put_in, Mug-1, Sink-1) | Mug-1 inside Sink-1, Mug-1 filled_with_coffee, Faucet-1 off
5 (toggle_on, Faucet-1) | Mug-1 inside Sink-1, Mug-1 filled_with_coffee, Faucet-1 on
`, verified: true, has: []string{"(pour, Mug-1, Sink-1)", "(toggle_on, Microwave-1)"}, once: []string{"(toggle_on, Microwave-1)"}},
		{name: "the tap is turned off before the pot is carried away", script: `
goal: Pot filled_with_water, Pot on_top_of StoveBurner-1
plan: (navigate_to_obj, Pot), (pick_up, Pot), (navigate_to_obj, Sink), (put_in, Pot, Sink), (pick_up, Pot), (navigate_to_obj, StoveBurner-1), (put_on, Pot, StoveBurner-1)
0 | Pot-1 on_top_of StoveBurner-1, Pot-1 clean, Pot-1 empty, Sink-1 clean, Faucet-1 off
`, verified: true, has: []string{"(toggle_on, Faucet-1)", "(toggle_off, Faucet-1)", "(put_on, Pot-1, StoveBurner-1)"}},
		{name: "another slice is toasted, and the way to the toaster is in the plan", script: `
task: toast bread
plan: (pick_up, BreadSliced), (navigate_to_obj, Toaster), (put_in, BreadSliced, Toaster), (toggle_on, Toaster)
0 | BreadSliced-1 on_top_of CounterTop-1, BreadSliced-2 on_top_of CounterTop-1, Toaster-1 off
1 (pick_up, BreadSliced-1) | BreadSliced-1 inside RobotGripper-1
2 (navigate_to_obj, Toaster-1) | BreadSliced-1 on_top_of Floor-1, Toaster-1 off | something drops
`, verified: true, has: []string{"(pick_up, BreadSliced-2)", "(navigate_to_obj, Toaster-1)", "(put_in, BreadSliced-2, Toaster-1)"}, lacks: []string{"BreadSliced-1"}},
		{name: "fruit that lay on the floor is washed", script: `
goal: Apple inside Bowl
0 | Apple-1 on_top_of Floor-1, Bowl-1 on_top_of CounterTop-1, Bowl-1 clean, Sink-1 clean, Faucet-1 off
`, verified: true, has: []string{"(toggle_on, Faucet-1)", "(toggle_off, Faucet-1)", "(put_in, Apple-1, Bowl-1)"}},
		{name: "the goal names the burner, and that one is used", script: `
goal: Pot on_top_of StoveBurner-1, StoveBurner-1 on
plan: (navigate_to_obj, StoveBurner-1), (put_on, Pot, StoveBurner-1), (toggle_on, StoveBurner-1)
0 | Pot-1 inside RobotGripper-1, Pan-1 on_top_of StoveBurner-1, StoveBurner-1 off, StoveBurner-2 off
1 (navigate_to_obj, StoveBurner-1) | Pot-1 inside RobotGripper-1, Pan-1 on_top_of StoveBurner-1, StoveBurner-1 off, StoveBurner-2 off
2 (put_on, Pot-1, StoveBurner-1) | Pot-1 inside RobotGripper-1, Pan-1 on_top_of StoveBurner-1, StoveBurner-1 off, StoveBurner-2 off
`, verified: true, has: []string{"(pick_up, Pan-1)", "(put_on, Pot-1, StoveBurner-1)", "(toggle_on, StoveBurner-1)"}, lacks: []string{"StoveBurner-2"}},
		{name: "it names none, and a free one is used", script: `
goal: Pot on_top_of StoveBurner
plan: (navigate_to_obj, StoveBurner-1), (put_on, Pot, StoveBurner-1)
0 | Pot-1 inside RobotGripper-1, Pan-1 on_top_of StoveBurner-1, StoveBurner-1 off, StoveBurner-2 off
1 (navigate_to_obj, StoveBurner-1) | Pot-1 inside RobotGripper-1, Pan-1 on_top_of StoveBurner-1, StoveBurner-1 off, StoveBurner-2 off
2 (put_on, Pot-1, StoveBurner-1) | Pot-1 inside RobotGripper-1, Pan-1 on_top_of StoveBurner-1, StoveBurner-1 off, StoveBurner-2 off
`, verified: true, has: []string{"(put_on, Pot-1, StoveBurner-2)"}, lacks: []string{"Pan-1"}},
		{name: "the pan is washed before the egg is cracked", script: `
task: cook egg
plan: (pick_up, Egg), (navigate_to_obj, Pan), (crack_obj, Egg), (put_in, EggCracked, Pan), (toggle_on, StoveBurner)
0 | Egg-1 on_top_of CounterTop-1, Egg-1 intact, Pan-1 on_top_of StoveBurner-1, Pan-1 dirty, StoveBurner-1 off, Sink-1 clean, Faucet-1 off
1 (pick_up, Egg-1) | Egg-1 inside RobotGripper-1, Pan-1 on_top_of StoveBurner-1, Pan-1 dirty
2 (navigate_to_obj, Pan-1) | Egg-1 inside RobotGripper-1, Pan-1 on_top_of StoveBurner-1, Pan-1 dirty
`, verified: true, has: []string{"(toggle_on, Faucet-1)", "(toggle_off, Faucet-1)", "(crack_obj, Egg-1)"}, lacks: []string{"(put_on, EggCracked-1, CounterTop-1)"}},
		{name: "a raw egg waits in a clean bowl, not on the counter", script: `
task: cook egg
plan: (put_in, EggCracked, Pan), (toggle_on, StoveBurner)
0 | EggCracked-1 inside RobotGripper-1, Pan-1 on_top_of StoveBurner-1, Pan-1 dirty, StoveBurner-1 off, Sink-1 clean, Faucet-1 off, Bowl-1 on_top_of CounterTop-1, Bowl-1 clean
`, verified: true, has: []string{"(put_in, EggCracked-1, Bowl-1)", "(toggle_on, Faucet-1)", "(put_in, EggCracked-1, Pan-1)"}, lacks: []string{"(put_on, EggCracked-1, CounterTop-1)"}},
		{name: "a door in the way is opened, and the move is made", script: `
goal: Apple on_top_of DiningTable
plan: (pick_up, Apple), (navigate_to_obj, DiningTable), (put_on, Apple, DiningTable)
0 | Apple-1 on_top_of CounterTop-1, Door-1 closed, Door-1 occluding DiningTable-1
1 (pick_up, Apple-1) | Apple-1 inside RobotGripper-1, Door-1 closed, Door-1 occluding DiningTable-1
2 (navigate_to_obj, DiningTable-1) | Apple-1 inside RobotGripper-1, Door-1 closed, Door-1 occluding DiningTable-1
`, verified: true, has: []string{"(open_obj, Door-1)", "(navigate_to_obj, DiningTable-1)", "(put_on, Apple-1, DiningTable-1)"}},
		{name: "dirty food is washed before it is served", script: `
goal: CarrotSliced inside Bowl
0 | Carrot-1 on_top_of CounterTop-1, Carrot-1 dirty, Bowl-1 on_top_of CounterTop-1, Bowl-1 clean, Knife-1 on_top_of CounterTop-1, Sink-1 clean, Faucet-1 off
`, verified: true, has: []string{"(toggle_on, Faucet-1)", "Bowl-1"}},
		{name: "a knife that lay on the floor is washed before it cuts", script: `
goal: CarrotSliced inside Bowl
0 | Carrot-1 on_top_of CounterTop-1, Bowl-1 on_top_of CounterTop-1, Bowl-1 clean, Knife-1 on_top_of Floor-1, Sink-1 clean, Faucet-1 off
`, verified: true, has: []string{"(put_in, Knife-1, Sink-1)", "(toggle_on, Faucet-1)", "(slice_obj, Carrot-1)"}},
		{name: "dirty fruit is washed before it goes into the bowl with the others", script: `
goal: Pear inside Bowl, Banana inside Bowl
plan: (navigate_to_obj, Pear), (pick_up, Pear), (navigate_to_obj, Bowl), (put_in, Pear, Bowl), (navigate_to_obj, Banana), (pick_up, Banana), (navigate_to_obj, Bowl), (put_in, Banana, Bowl)
0 | Pear-1 on_top_of CounterTop-1, Pear-1 dirty, Banana-1 on_top_of CounterTop-1, Bowl-1 on_top_of DiningTable-1, Bowl-1 clean, Sink-1 clean, Faucet-1 off
`, verified: true, has: []string{"(put_in, Pear-1, Sink-1)", "(toggle_on, Faucet-1)", "(put_in, Pear-1, Bowl-1)"}},
		{name: "what stood open is not left open where the plan shut it and opened it again", script: `
goal: Mug hot, Mug filled_with_water, Mug on_top_of Plate
plan: (navigate_to_obj, Mug), (pick_up, Mug), (navigate_to_obj, Microwave), (put_in, Mug, Microwave), (close_obj, Microwave), (toggle_on, Microwave), (toggle_off, Microwave)
0 | Mug-1 on_top_of CounterTop-1, Mug-1 filled_with_water, Mug-1 clean, Mug-1 room_temperature, Plate-1 on_top_of DiningTable-1, Plate-1 clean, Microwave-1 open, Microwave-1 off
`, verified: true, has: []string{"(close_obj, Microwave-1)", "(toggle_off, Microwave-1)", "(open_obj, Microwave-1)", "(put_on, Mug-1, Plate-1)", "(close_obj, Microwave-1)"}},
		{name: "a drawer that the plan opens for want of something is shut again", script: `
goal: Fork on_top_of DiningTable
plan: (navigate_to_obj, Drawer), (pick_up, Fork), (navigate_to_obj, DiningTable), (put_on, Fork, DiningTable)
0 | Fork-1 inside Drawer-1, Drawer-1 closed, DiningTable-1 clean
`, verified: true, has: []string{"(open_obj, Drawer-1)", "(put_on, Fork-1, DiningTable-1)", "(close_obj, Drawer-1)"}},
		{name: "an egg that was cracked before is not what comes of another", script: `
task: cook egg
plan: (pick_up, Egg), (navigate_to_obj, Pan), (crack_obj, Egg), (put_in, EggCracked-1, Pan), (toggle_on, StoveBurner)
0 | Egg-1 on_top_of CounterTop-1, Egg-1 intact, EggCracked-1 inside Bowl-1, Bowl-1 on_top_of DiningTable-1, Pan-1 on_top_of StoveBurner-1, Pan-1 clean, StoveBurner-1 off
`, verified: true, has: []string{"(pick_up, EggCracked-1)", "(put_in, EggCracked-1, Pan-1)", "(toggle_on, StoveBurner-1)"}},
		{name: "what is burnt is not put beside what is served in its place", script: `
goal: EggCracked cooked, EggCracked on_top_of Plate
plan: (pick_up, EggCracked-1), (navigate_to_obj, Plate), (put_on, EggCracked-1, Plate), (pick_up, EggCracked-2), (put_on, EggCracked-2, Plate)
0 | EggCracked-1 on_top_of Pan-1, EggCracked-1 cooked, EggCracked-1 burnt, EggCracked-2 on_top_of Pan-2, EggCracked-2 cooked, Pan-1 on_top_of CounterTop-1, Pan-2 on_top_of CounterTop-1, Plate-1 on_top_of DiningTable-1, Plate-1 clean
`, verified: true, has: []string{"(put_on, EggCracked-2, Plate-1)"}, lacks: []string{"EggCracked-1"}},
		{name: "what is burnt is not fried in one pan with what is served",
			script: `
goal: EggCracked-1 cooked, EggCracked-1 on_top_of Plate
plan: (put_in, EggCracked-2, Pan), (pick_up, EggCracked-1), (put_in, EggCracked-1, Pan), (toggle_on, StoveBurner), (toggle_off, StoveBurner), (pick_up, EggCracked-2), (put_on, EggCracked-2, CounterTop), (pick_up, EggCracked-1), (put_on, EggCracked-1, Plate)
0 | EggCracked-2 inside RobotGripper-1, EggCracked-2 burnt, EggCracked-1 on_top_of Bowl-1, EggCracked-1 raw, Bowl-1 on_top_of CounterTop-1, Bowl-2 on_top_of CounterTop-1, Bowl-2 clean, Pan-1 on_top_of StoveBurner-1, Pan-1 clean, StoveBurner-1 off, Plate-1 on_top_of DiningTable-1, Plate-1 clean
`, verified: true, has: []string{"(put_in, EggCracked-1, Pan-1)", "(toggle_on, StoveBurner-1)", "(put_on, EggCracked-1, Plate-1)"}, lacks: []string{"(put_in, EggCracked-2, Pan-1)"}},
		{name: "what somebody must not have was put into the pan first, and stays on the plate", script: `
goal: EggCracked on_top_of Plate, Fork on_top_of DiningTable
person: Ann, Vegan
plan: (put_in, EggCracked, Pan), (pick_up, EggCracked), (put_on, EggCracked, Plate), (pick_up, Fork), (put_on, Fork, DiningTable)
0 | EggCracked-1 inside RobotGripper-1, Pan-1 on_top_of CounterTop-1, Pan-1 clean, Plate-1 on_top_of DiningTable-1, Plate-1 clean, Fork-1 on_top_of CounterTop-1
1 (put_in, EggCracked-1, Pan-1) | EggCracked-1 inside Pan-1, Plate-1 on_top_of DiningTable-1, Fork-1 on_top_of CounterTop-1
2 (pick_up, EggCracked-1) | EggCracked-1 inside RobotGripper-1, Fork-1 on_top_of CounterTop-1
3 (put_on, EggCracked-1, Plate-1) | EggCracked-1 on_top_of Plate-1, Fork-1 on_top_of CounterTop-1
4 (pick_up, Fork-1) | EggCracked-1 on_top_of Plate-1, Fork-1 on_top_of Floor-1 | something drops
`, reasons: "Ann is served EggCracked-1", has: []string{"(put_on, Fork-1, DiningTable-1)"}},
		{name: "what an egg would give that broke is not looked for", script: `
goal: EggCracked inside Pan
person: Ann, Vegan
plan: (pick_up, Egg), (navigate_to_obj, Pan), (crack_obj, Egg), (put_in, EggCracked, Pan)
0 | Egg-1 on_top_of CounterTop-1, Egg-1 intact, EggCracked-1 inside Fridge-1, EggCracked-1 burnt, Fridge-1 closed, Cabinet-1 closed, Pan-1 on_top_of CounterTop-1, Pan-1 clean, all
1 (pick_up, Egg-1) | Egg-1 on_top_of Floor-1, Egg-1 broken, EggCracked-1 inside Fridge-1, EggCracked-1 burnt, Fridge-1 closed, Cabinet-1 closed, Pan-1 on_top_of CounterTop-1, Pan-1 clean, all | something drops
`, reasons: "EggCracked-1 burnt", lacks: []string{"EggCracked-2", "Cabinet-1"}},
		{name: "what the goal asks to be burnt is burnt", script: `
goal: Potato burnt, Potato on_top_of DiningTable
0 | Potato-1 on_top_of CounterTop-1, Potato-1 burnt, DiningTable-1 clean
`, verified: true, has: []string{"(put_on, Potato-1, DiningTable-1)"}},
		{name: "the knife lies in view, and the carrot can be sliced", script: `
goal: CarrotSliced sliced
plan: (slice_obj, Carrot)
0 | Carrot-1 on_top_of CuttingBoard-1, CuttingBoard-1 on_top_of CounterTop-1, Knife-1 on_top_of CounterTop-1, Spoon-1 inside RobotGripper-1
`, verified: true, has: []string{"(pick_up, Knife-1)", "(slice_obj, Carrot-1)"}},
		{name: "of the things that are one too many, the surplus one alone is taken out", script: `
goal: exactly 2 Spoon inside Drawer-1
plan: (navigate_to_obj, Spoon-2), (pick_up, Spoon-2), (navigate_to_obj, Drawer-1), (put_in, Spoon-2, Drawer-1)
0 | Spoon-1 inside Drawer-1, Fork-1 inside Drawer-1, Spoon-2 on_top_of CounterTop-1, Spoon-3 on_top_of CounterTop-1, Drawer-1 open, CounterTop-1 clean
1 (pick_up, Spoon-2) | Spoon-2 inside RobotGripper-1
2 (put_in, Spoon-2, Drawer-1) | Spoon-1 inside Drawer-1, Spoon-2 inside Drawer-1, Fork-1 inside Drawer-1, Drawer-1 open
3 (pick_up, Spoon-3) | Spoon-3 inside RobotGripper-1
4 (put_in, Spoon-3, Drawer-1) | Spoon-1 inside Drawer-1, Spoon-2 inside Drawer-1, Spoon-3 inside Drawer-1, Fork-1 inside Drawer-1, Drawer-1 open
`, verified: true, has: []string{"(pick_up, Spoon-"}, lacks: []string{"Fork-1", "(put_in, Spoon-"}},
		{name: "the shards of one glass are swept up, and the other glass is not", script: `
goal: WineGlass on_top_of DiningTable
plan: (pick_up, WineGlass), (navigate_to_obj, DiningTable), (put_on, WineGlass, DiningTable)
0 | WineGlass-1 on_top_of CounterTop-1, WineGlass-2 on_top_of CounterTop-1, Broom-1 on_top_of CounterTop-1, GarbageCan-1 clean, DiningTable-1 clean
1 (pick_up, WineGlass-1) | WineGlass-1 inside RobotGripper-1, WineGlass-2 on_top_of CounterTop-1
2 (navigate_to_obj, DiningTable-1) | WineGlass-1 on_top_of Floor-1, WineGlass-1 broken, DiningTable-1 clean | glass shatters
`, verified: true, has: []string{"(sweep_up, WineGlass-1)"}, lacks: []string{"(sweep_up, WineGlass-2)", "(pick_up, WineGlass-1)"}},
	}
	r := reasoner(t)
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := propose(watched(t, r, tt.script), engine.Planner{})
			text := planText(p)
			if p.Verified != tt.verified {
				t.Fatalf("verified %v; unmet %v, violated %v, impossible %v\n%s", p.Verified, p.Unmet, p.Violated, p.Impossible, text)
			}
			from := 0
			for _, a := range tt.has {
				i := strings.Index(text[from:], a)
				if i < 0 {
					t.Errorf("the plan lacks %s, or has it elsewhere: %s", a, text)
					continue
				}
				from += i
			}
			for _, a := range tt.once {
				if n := strings.Count(text, a); n != 1 {
					t.Errorf("the plan has %s %d times: %s", a, n, text)
				}
			}
			for _, a := range tt.lacks {
				if strings.Contains(text, a) {
					t.Errorf("the plan has %s: %s", a, text)
				}
			}
			if got := strings.Join(slices.Concat(p.Impossible, p.Unmet, p.Violated), "; "); !strings.Contains(got, tt.reasons) {
				t.Errorf("reasons %q; want %q among them", got, tt.reasons)
			}
		})
	}
}

// A piece that is seen is there: nothing is assumed from which it is yet to be cut, where
// whoever looked says that there is nothing else.
func TestSeenPieceIsNotCutAgain(t *testing.T) {
	for _, tt := range []struct {
		name, script, reason string
		plan                 string
	}{
		{"a slice on the floor is not toasted", `
task: toast bread
0 | BreadSliced-1 on_top_of Floor-1, Toaster-1 off, Knife-1 on_top_of CounterTop-1, Fridge-1 closed
`, "lay on the floor", ""},
		{"a cracked egg is taken as it is", `
goal: EggCracked-1 inside Pan-1
0 | EggCracked-1 inside Bowl-1, Bowl-1 on_top_of DiningTable-1, Pan-1 on_top_of CounterTop-1, Pan-1 clean, Knife-1 on_top_of CounterTop-1
`, "", "(navigate_to_obj, EggCracked-1) (pick_up, EggCracked-1) (navigate_to_obj, Pan-1) (put_in, EggCracked-1, Pan-1)"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := reasoner(t)
			ep, err := script.Parse(r.Ontology, "test", 1, tt.script)
			if err != nil {
				t.Fatal(err)
			}
			st := ep.Steps[0]
			st.Observation.Complete, ep.Steps = true, nil
			m := r.Watch(ep, engine.Limits{}, nil)
			if _, err := m.Step(context.Background(), st); err != nil {
				t.Fatal(err)
			}
			p := m.Recover(context.Background(), engine.Planner{}, nil, nil)
			if p.Verified != (tt.reason == "") || !strings.Contains(strings.Join(p.Impossible, "; "), tt.reason) || p.Verified && planText(p) != tt.plan {
				t.Errorf("verified %v, impossible %v: %s", p.Verified, p.Impossible, planText(p))
			}
		})
	}
}

// A strategy of which nothing is left in a plan is not what the plan goes by.
func TestStrategyOfPlan(t *testing.T) {
	p := propose(watched(t, reasoner(t), `
goal: Apple on_top_of DiningTable
plan: (pick_up, Apple), (navigate_to_obj, DiningTable), (put_on, Apple, DiningTable)
0 | Apple-1 on_top_of CounterTop-1, Apple-2 on_top_of CounterTop-1, DiningTable-1 clean, Sink-1 clean, Faucet-1 off
1 (pick_up, Apple-1) | Apple-1 inside RobotGripper-1
2 (navigate_to_obj, DiningTable-1) | Apple-1 on_top_of Floor-1, Apple-1 dirty, DiningTable-1 clean | something drops
`), engine.Planner{})
	var own []episode.Action
	for i, st := range p.Steps {
		if st.From == recovery.FromStrategy {
			own = append(own, p.Plan[i])
		}
	}
	applied := slices.ContainsFunc(p.Strategies, func(u engine.StrategyUse) bool { return u.Applied })
	if !p.Verified || applied != (len(own) > 0) || (p.Method == recovery.ByStrategy) != (len(own) > 0) {
		t.Errorf("verified %v by %s, strategies %v, of them %v: %s", p.Verified, p.Method, p.Strategies, own, planText(p))
	}
}

// furnished is a kitchen with what the goal of a task asks for, and the tools and fixtures
// that there are in most.
func furnished(o *ontology.Ontology, task *ontology.Task, params map[string]string) *episode.Episode {
	var obs episode.Observation
	seen := map[string]bool{}
	add := func(class ontology.TermID) {
		id := o.Name(o.Canonical(class)) + "-1"
		if seen[id] || o.HasType(class, o.Core.ObjectGroup) || class == o.Core.RobotGripper {
			return
		}
		seen[id] = true
		obs.Nodes = append(obs.Nodes, scene.Node{ID: id, Class: o.Name(class)})
		if o.HasProperty(class, o.Roles.Movable) {
			obs.Edges = append(obs.Edges, scene.Edge{Subject: id, Relation: "on_top_of", Object: "CounterTop-1"})
		}
	}
	for _, name := range []string{"CounterTop", "Sink", "Faucet", "Knife", "Fridge", "Microwave", "Toaster", "CoffeeMachine", "StoveBurner", "DiningTable", "Drawer", "Cabinet", "GarbageCan", "RemoteControl"} {
		class, _ := o.Lookup(name)
		add(class)
	}
	of := func(param string) ontology.TermID { class, _ := o.Lookup(params[param]); return class }
	for _, p := range ontology.Fill(task.Goal.Patterns, of) {
		if p.Predicate != o.Core.Type {
			continue
		}
		if wholes := o.Wholes(p.Object.Term); len(wholes) > 0 {
			add(wholes[0])
		} else {
			add(p.Object.Term)
		}
	}
	if water, ok := o.Lookup("HousePlant"); ok && seen[o.Name(water)+"-1"] {
		mug, _ := o.Lookup("Mug")
		add(mug)
	}
	return &episode.Episode{ID: task.Name, Task: task.Name, Params: params, GripperObserved: true, Steps: []episode.Step{{Observation: obs}}}
}

// The goal of every task can be reached in a kitchen that has what it asks for.
func TestTaskGoalsAreReachable(t *testing.T) {
	r := reasoner(t)
	o := r.Ontology
	params := map[string]string{"object_target": "Apple", "parent_target": "DiningTable", "mrecep_target": "Bowl", "toggle_target": "DeskLamp"}
	for _, task := range o.Tasks {
		t.Run(task.Name, func(t *testing.T) {
			ep := furnished(o, task, params)
			if task.Name == "pick_two_obj_and_place" {
				first := &ep.Steps[0].Observation
				first.Nodes = append(first.Nodes, scene.Node{ID: "Apple-2", Class: "Apple"})
				first.Edges = append(first.Edges, scene.Edge{Subject: "Apple-2", Relation: "on_top_of", Object: "CounterTop-1"})
			}
			step := ep.Steps[0]
			m := r.Watch(ep, engine.Limits{}, nil)
			if _, err := m.Step(context.Background(), step); err != nil {
				t.Fatal(err)
			}
			if p := m.Recover(context.Background(), engine.Planner{}, nil, nil); !p.Verified || len(p.Impossible) > 0 {
				t.Errorf("no verified plan: unmet %v, violated %v, impossible %v: %s", p.Unmet, p.Violated, p.Impossible, planText(p))
			}
		})
	}
}
