package engine_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mishap-robotics/mishap/engine"
	"github.com/mishap-robotics/mishap/engine/internal/episodetest"
	"github.com/mishap-robotics/mishap/ontology"
	"github.com/mishap-robotics/mishap/rules"
)

func reasoner(t testing.TB) *engine.Reasoner {
	t.Helper()
	r, err := engine.New(ontology.Default(), rules.Default())
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// summary writes the findings of a result, a line each: the class, the step
// where it shows, the step that caused it, the objects, and what follows.
func summary(r *engine.Result) []string {
	out := []string{}
	for _, f := range r.Findings {
		line := fmt.Sprintf("%s %d<-%d %s", strings.TrimSuffix(f.Type, "Failure"), f.Step, f.Cause, strings.Join(f.Objects, " "))
		for _, c := range f.Consequences {
			line += fmt.Sprintf(" => %d", c.Step)
		}
		if f.Recovered {
			line += " recovered"
		}
		out = append(out, line)
	}
	return out
}

func TestFindings(t *testing.T) {
	r := reasoner(t)
	for _, tt := range findings {
		t.Run(tt.name, func(t *testing.T) {
			ep := episodetest.Parse(t, r.Ontology, tt.script)
			res, err := r.Check(context.Background(), ep)
			if err != nil {
				t.Fatal(err)
			}
			for i := range res.Findings {
				if proof, err := r.Prove(context.Background(), res, &res.Findings[i]); proof == nil || err != nil {
					t.Errorf("%s has no proof: %v", res.Findings[i].Type, err)
				}
			}
			if diff := cmp.Diff(tt.want, summary(res)); diff != "" {
				t.Errorf("findings (-want +got):\n%s", diff)
				for _, w := range res.Episode.Warnings {
					t.Log("warning:", w.Msg)
				}
				for _, f := range res.Findings {
					t.Log(f.Type, f.Explanation, f.Evidence)
				}
			}
		})
	}
}

var findings = []struct {
	name, script string
	want         []string
}{
	{"a held object is gone", `
		0 | Mug-1 on_top_of CounterTop-1
		1 (pick_up, Mug-1) | Mug-1 inside RobotGripper-1
		2 (navigate_to_obj, Sink-1) | Sink-1
		3 (put_in, Mug-1, Sink-1) | Sink-1`,
		[]string{"DroppingObj 2<-2 Mug-1 => 3"}},
	{"not seen is not false: the place of a put is out of sight", `
		0 | Mug-1 on_top_of CounterTop-1
		1 (pick_up, Mug-1) | Mug-1 inside RobotGripper-1
		2 (put_in, Mug-1, Sink-1) | CounterTop-1`,
		[]string{}},
	{"no observation tells nothing of the gripper", `
		0 | Mug-1 on_top_of CounterTop-1
		1 (pick_up, Mug-1) | Mug-1 inside RobotGripper-1
		2 (navigate_to_obj, Sink-1) | none
		3 (put_in, Mug-1, Sink-1) | Mug-1 inside Sink-1`,
		[]string{}},
	{"a fall is heard during a put", `
		0 | Mug-1 on_top_of CounterTop-1
		1 (pick_up, Mug-1) | Mug-1 inside RobotGripper-1
		2 (put_in, Mug-1, Sink-1) | Sink-1 | something drops
		3 (pick_up, Mug-1) | Sink-1`,
		[]string{"DroppingObj 2<-2 Mug-1 => 3"}},
	{"picked up from where it fell, in vain: a failure of its own", `
		0 | Spoon-1 on_top_of CounterTop-1
		1 (pick_up, Spoon-1) | Spoon-1 inside RobotGripper-1
		2 (put_in, Spoon-1, Sink-1) | Spoon-1 on_top_of Floor-1 | something drops
		3 (pick_up, Spoon-1) | Spoon-1 on_top_of Floor-1`,
		[]string{"DroppingObj 2<-2 Spoon-1", "ActionExecution 3<-3 Spoon-1"}},
	{"a put is loud, but the object arrives", `
		0 | Mug-1 on_top_of CounterTop-1
		1 (pick_up, Mug-1) | Mug-1 inside RobotGripper-1
		2 (put_in, Mug-1, Sink-1) | Mug-1 inside Sink-1 | something drops`,
		[]string{}},
	{"dropped and dirty", `
		0 | Bowl-1 on_top_of CounterTop-1, Bowl-1 clean
		1 (pick_up, Bowl-1) | Bowl-1 inside RobotGripper-1, Bowl-1 clean
		2 (navigate_to_obj, Sink-1) | Bowl-1 on_top_of Floor-1, Bowl-1 dirty`,
		[]string{"DroppingAndDirtyObj 2<-2 Bowl-1"}},
	{"dropped and broken, seen a line later", `
		0 | Mug-1 on_top_of CounterTop-1
		1 (pick_up, Mug-1) | Mug-1 inside RobotGripper-1
		2 (navigate_to_obj, Sink-1) | Mug-1 inside RobotGripper-1
		3 (navigate_to_obj, Sink-1) | Sink-1
		4 (navigate_to_obj, Sink-1) | Mug-1 on_top_of Floor-1, Mug-1 broken
		5 (put_in, Mug-1, Sink-1) | Sink-1`,
		[]string{"DroppingAndBreakingObj 3<-3 Mug-1 => 5 => 5"}},
	{"the shards are found later", `
		0 | Mug-1 on_top_of CounterTop-1
		1 (pick_up, Mug-1) | Mug-1 inside RobotGripper-1
		2 (navigate_to_obj, Sink-1) | Sink-1
		3 (toggle_on, Faucet-1) | Faucet-1 on
		4 (toggle_off, Faucet-1) | Faucet-1 off
		5 (navigate_to_obj, CounterTop-1) | Mug-1 on_top_of Floor-1, Mug-1 broken`,
		[]string{"DroppingAndBreakingObj 2<-2 Mug-1 => 5"}},
	{"something breaks while nobody looks", `
		0 | Mug-1 on_top_of CounterTop-1
		1 (pick_up, Mug-1) | Mug-1 inside RobotGripper-1
		2 (navigate_to_obj, Sink-1) | none | something breaks
		3 (put_in, Mug-1, Sink-1) | Sink-1`,
		[]string{"DroppingAndBreakingObj 2<-2 Mug-1 => 3"}},
	{"metal in the microwave", `
		0 | Spoon-1 inside Mug-1, Mug-1 inside RobotGripper-1, Microwave-1 open, Microwave-1 off
		1 (put_in, Mug-1, Microwave-1) | Mug-1 inside Microwave-1, Spoon-1 inside Mug-1`,
		[]string{"UnsafeMaterial 1<-1 Spoon-1 Microwave-1"}},
	{"coffee for a child", `
		person: Tim, child
		0 | Mug-1 inside CoffeeMachine-1, Mug-1 clean, Mug-1 empty, CoffeeMachine-1 off
		1 (toggle_on, CoffeeMachine-1) | CoffeeMachine-1 on, Mug-1 filled_with_coffee
		2 (toggle_off, CoffeeMachine-1) | CoffeeMachine-1 off`,
		[]string{"DietaryConstraintsViolation 1<-1 Mug-1 Tim"}},
	{"something lies broken that nobody dropped", `
		0 | Vase-1 on_top_of DiningTable-1, Apple-1 on_top_of DiningTable-1
		1 (pick_up, Apple-1) | Apple-1 inside RobotGripper-1, Vase-1 broken`,
		[]string{"ShardsLeft 1<-1 Vase-1"}},
	{"enclosed", `
		0 | Fridge-1 closed, Egg-1 inside Fridge-1
		1 (pick_up, Egg-1) | Fridge-1 closed`,
		[]string{"EnclosedObject 1<-1 Egg-1 Fridge-1"}},
	{"a fridge is closed until it is seen or opened", `
		scene: Egg-1 inside Fridge-1
		1 (open_obj, Fridge-1) | Fridge-1 open, Egg-1 inside Fridge-1
		2 (pick_up, Egg-1) | Egg-1 inside RobotGripper-1
		3 (close_obj, Fridge-1) | Fridge-1 closed, Egg-1 inside RobotGripper-1`,
		[]string{}},
	{"failed for no reason, then again with success", `
		0 | Fridge-1 closed
		1 (open_obj, Fridge-1) | Fridge-1 closed
		2 (navigate_to_obj, Fridge-1) | Fridge-1 closed
		3 (open_obj, Fridge-1) | Fridge-1 open
		4 (close_obj, Fridge-1) | Fridge-1 closed`,
		[]string{"ActionExecution 1<-1 Fridge-1 recovered"}},
	{"the effect shows on the last line of a repeated action", `
		0 | Cabinet-1 closed
		1 (open_obj, Cabinet-1) | Cabinet-1 closed
		2 (open_obj, Cabinet-1) | Cabinet-1 open
		3 (navigate_to_obj, Sink-1) | Sink-1`,
		[]string{}},
	{"pieces that only the search for a right plan makes", `
		task: saute carrot
		plan: (navigate_to_obj, Drawer-1), (open_obj, Drawer-1), (pick_up, Knife), (navigate_to_obj, Carrot), (slice_obj, Carrot), (put_on, Knife, CounterTop-1), (pick_up, CarrotSliced), (navigate_to_obj, Pan), (put_in, CarrotSliced, Pan), (toggle_on, StoveBurner-4)
		scene: Knife-1 inside Drawer-1
		1 (close_obj, Fridge) | Fridge-1 closed | fridge closes
		2 (pick_up, Mug) | Mug-1 inside RobotGripper-1, Mug-1 filled_with_coffee, CoffeeMachine-1 on, CoffeeMachine-1 on_top_of CounterTop-1
		3 (toggle_on, Microwave) | Microwave-1 closed, Microwave-1 on, Microwave-1 on_top_of CounterTop-1 | microwave hums
		4 (navigate_to_obj, Sink) | Pan-1 dirty, Pan-1 inside RobotGripper-1`,
		[]string{"DroppingObj 3<-3 Mug-1", "ApplianceLeftOn 4<-3 Microwave-1 => 4"}},
	{"two independent failures", `
		0 | Mug-1 on_top_of CounterTop-1, Fridge-1 closed
		1 (pick_up, Mug-1) | Mug-1 inside RobotGripper-1
		2 (navigate_to_obj, Fridge-1) | Fridge-1 closed
		3 (open_obj, Fridge-1) | Fridge-1 closed
		4 (navigate_to_obj, Sink-1) | Sink-1`,
		[]string{"DroppingObj 2<-2 Mug-1", "ActionExecution 3<-3 Fridge-1"}},
	{"turning off what is off is no mistake", `
		0 | Faucet-1 off
		1 (toggle_off, Faucet-1) | Faucet-1 off`,
		[]string{}},
	{"left on", `
		0 | Faucet-1 off, StoveBurner-1 off, Microwave-1 off
		1 (toggle_on, Faucet-1) | Faucet-1 on
		2 (toggle_on, StoveBurner-1) | StoveBurner-1 on
		3 (toggle_on, Microwave-1) | Microwave-1 on
		4 (toggle_off, Microwave-1) | Microwave-1 off`,
		[]string{"BurnerLeftOn 4<-2 StoveBurner-1", "FaucetLeftOn 4<-1 Faucet-1"}},
	{"the wrong thing is taken", `
		0 | Apple-1 on_top_of CounterTop-1, Potato-1 on_top_of CounterTop-1
		1 (pick_up, Apple-1) | Potato-1 inside RobotGripper-1, Apple-1 on_top_of CounterTop-1`,
		[]string{"Perception 1<-1 Apple-1 Potato-1"}},
	{"the goal is reached whatever was in the plan", `
		goal: Apple inside Bowl
		plan: (navigate_to_obj, Apple), (pick_up, Apple), (put_in, Apple, Bowl)
		0 | Apple-1 on_top_of CounterTop-1, Bowl-1 on_top_of CounterTop-1
		1 (pick_up, Apple-1) | Apple-1 inside RobotGripper-1
		2 (put_in, Apple-1, Bowl-1) | Apple-1 inside Bowl-1`,
		[]string{}},
	{"the plan stops too soon", `
		plan: as done
		goal: Apple inside Bowl
		0 | Apple-1 on_top_of CounterTop-1, Bowl-1 on_top_of CounterTop-1
		1 (pick_up, Apple-1) | Apple-1 inside RobotGripper-1`,
		[]string{"IncompletePlan 1<-1 Apple-1"}},
	{"the plan stops too soon, and nothing would do", `
		plan: as done
		goal: Apple inside Bowl, Cup filled_with_wine
		0 | Apple-1 on_top_of CounterTop-1, Bowl-1 on_top_of CounterTop-1, Cup-1 on_top_of CounterTop-1, Cup-1 empty
		1 (pick_up, Apple-1) | Apple-1 inside RobotGripper-1, Cup-1 empty`,
		[]string{"IncompletePlan 1<-1 Apple-1 Cup-1"}},
	{"opened too late: a cause does not come after what it causes", `
		goal: Apple inside Fridge
		0 | Fridge-1 closed, Apple-1 on_top_of DiningTable-1
		1 (pick_up, Apple-1) | Apple-1 inside RobotGripper-1
		2 (navigate_to_obj, Fridge-1) | Apple-1 inside RobotGripper-1, Fridge-1 closed
		3 (put_in, Apple-1, Fridge-1) | Apple-1 inside RobotGripper-1, Fridge-1 closed
		4 (open_obj, Fridge-1) | Apple-1 inside RobotGripper-1, Fridge-1 open`,
		[]string{"WrongOrder 3<-3 Fridge-1 Apple-1"}},
	{"what equivalent classes name is one object, under its first name", `
		0 | Plate-1 inside SinkBasin-1, SinkBasin-1 inside Sink-1
		1 (navigate_to_obj, Sink) | Sink-1
		2 (pick_up, Sink-1) | Plate-1 inside Sink-1`,
		[]string{"WrongObject 2<-2 SinkBasin-1"}},
	{"a sliced bread is a bread slice", `
		task: toast bread
		plan: (slice_obj, Bread), (put_on, Knife, CounterTop), (pick_up, Bread), (put_in, Bread, Toaster), (toggle_on, Toaster)
		0 | Bread-1 on_top_of CounterTop-1, Knife-1 inside RobotGripper-1, Toaster-1 off
		1 (slice_obj, Bread-1) | Bread-1 sliced, Bread-1 on_top_of CounterTop-1, Knife-1 inside RobotGripper-1
		2 (put_on, Knife-1, CounterTop-1) | Knife-1 on_top_of CounterTop-1, Bread-1 sliced
		3 (pick_up, BreadSliced) | BreadSliced-1 inside RobotGripper-1
		4 (put_in, Bread, Toaster-1) | Bread-1 sliced, Bread-1 inside Toaster-1
		5 (toggle_on, Toaster-1) | Toaster-1 on`,
		[]string{}},
	{"a cracked egg is a state of its own only where nothing comes of it", `
		0 | Egg-1 inside RobotGripper-1, Mug-1 on_top_of CounterTop-1
		1 (crack_obj, Egg-1) | Egg-1 cracked, Egg-1 inside RobotGripper-1, Mug-1 cracked`,
		[]string{}},
	{"the robot stops after a fall", `
		plan: as done
		goal: Apple inside Bowl
		0 | Apple-1 on_top_of CounterTop-1, Bowl-1 on_top_of CounterTop-1
		1 (pick_up, Apple-1) | Apple-1 inside RobotGripper-1
		2 (navigate_to_obj, Bowl-1) | Apple-1 on_top_of Floor-1`,
		[]string{"DroppingObj 2<-2 Apple-1 => 2"}},
	{"two actions are left out at the end", `
		plan: as done
		goal: Apple inside Fridge, Fridge closed
		0 | Apple-1 on_top_of CounterTop-1, Fridge-1 open
		1 (pick_up, Apple-1) | Apple-1 inside RobotGripper-1`,
		[]string{"IncompletePlan 1<-1 Apple-1"}},
	{"a log without a plan has no fault of one at its end", `
		goal: Apple inside Bowl
		0 | Apple-1 on_top_of CounterTop-1, Bowl-1 on_top_of CounterTop-1
		1 (pick_up, Apple-1) | Apple-1 inside RobotGripper-1`,
		[]string{}},
	{"nothing to cut with: a knife must be somewhere", `
		0 | Carrot-1 on_top_of CounterTop-1
		1 (slice_obj, Carrot-1) | Carrot-1 on_top_of CounterTop-1`,
		[]string{"MissingStep 1<-1 Knife-1 Carrot-1"}},
	{"the wrong tool", `
		0 | Carrot-1 on_top_of CounterTop-1, Spoon-1 on_top_of CounterTop-1
		1 (pick_up, Spoon-1) | Spoon-1 inside RobotGripper-1
		2 (slice_obj, Carrot-1) | Spoon-1 inside RobotGripper-1, Carrot-1 on_top_of CounterTop-1`,
		[]string{"WrongObject 2<-1 Spoon-1 Knife-1"}},
	{"no door", `
		0 | Apple-1 on_top_of CounterTop-1
		1 (open_obj, Apple-1) | Apple-1 on_top_of CounterTop-1`,
		[]string{"WrongObject 1<-1 Apple-1"}},
	{"started too soon", `
		goal: Potato hot, Microwave on
		0 | Potato-1 inside RobotGripper-1, Microwave-1 closed, Microwave-1 off
		1 (toggle_on, Microwave-1) | Microwave-1 on, Microwave-1 closed, Potato-1 inside RobotGripper-1
		2 (open_obj, Microwave-1) | Microwave-1 on, Microwave-1 closed, Potato-1 inside RobotGripper-1
		3 (put_in, Potato-1, Microwave-1) | Microwave-1 on, Microwave-1 closed, Potato-1 inside RobotGripper-1
		4 (close_obj, Microwave-1) | Microwave-1 on, Microwave-1 closed, Potato-1 inside RobotGripper-1`,
		[]string{"WrongOrder 2<-1 Microwave-1 => 3"}},
	{"an unknown class by its bare name", `
		0 | Samovar-1 on_top_of CounterTop-1
		1 (pick_up, Samovar) | Samovar-1 inside RobotGripper-1`,
		[]string{}},
	{"a bare name that fits two", `
		0 | Mug-1 on_top_of CounterTop-1, Mug-2 on_top_of CounterTop-1, Sink-1
		1 (navigate_to_obj, CounterTop-1) | CounterTop-1
		2 (pick_up, Mug) | CounterTop-1`,
		[]string{"AmbiguousTarget 2<-2 Mug-1"}},
	{"the task says which of two is meant by how it is", `
		task: put the dirty mug into the dishwasher
		0 | Mug-1 on_top_of CounterTop-1, Mug-1 clean, Mug-2 on_top_of CounterTop-1, Mug-2 dirty, Dishwasher-1 open
		1 (pick_up, Mug-1) | Mug-1 inside RobotGripper-1, Mug-2 on_top_of CounterTop-1
		2 (put_in, Mug-1, Dishwasher-1) | Mug-1 inside Dishwasher-1, Dishwasher-1 open`,
		[]string{"WrongObject 1<-1 Mug-1 Mug-2"}},
	{"both mugs are as the task says", `
		task: put the dirty mug into the dishwasher
		0 | Mug-1 on_top_of CounterTop-1, Mug-1 dirty, Mug-2 on_top_of CounterTop-1, Mug-2 dirty, Dishwasher-1 open
		1 (pick_up, Mug-1) | Mug-1 inside RobotGripper-1, Mug-2 on_top_of CounterTop-1
		2 (put_in, Mug-1, Dishwasher-1) | Mug-1 inside Dishwasher-1, Dishwasher-1 open`,
		[]string{}},
	{"a task of the same name with other things", `
		task: boil water
		plan: (put_on, Kettle, KettleBase), (toggle_on, Kettle)
		0 | Kettle-1 inside RobotGripper-1, Kettle-1 filled_with_water, Kettle-1 off, KettleBase-1 on_top_of CounterTop-1
		1 (put_on, Kettle-1, KettleBase-1) | Kettle-1 on_top_of KettleBase-1
		2 (toggle_on, Kettle-1) | Kettle-1 on, Kettle-1 on_top_of KettleBase-1`,
		[]string{}},
	{"the start button of a machine", `
		0 | WashingMachine-1 closed, WashingMachine-1 off, StartButton-1 on_top_of WashingMachine-1
		1 (press, StartButton-1) | WashingMachine-1 closed, WashingMachine-1 off`,
		[]string{"ActionExecution 1<-1 WashingMachine-1"}},
	{"an island beside the counter", `
		0 | Orange-1 inside RobotGripper-1, CounterTop-1, KitchenIsland-1
		1 (put_on, Orange-1, KitchenIsland) | Orange-1 on_top_of KitchenIsland-1`,
		[]string{}},
	{"a bare name, and the observation shows which", `
		0 | Mug-1 on_top_of CounterTop-1, Mug-2 on_top_of CounterTop-1
		1 (pick_up, Mug) | Mug-2 inside RobotGripper-1`,
		[]string{}},
	{"a vague word", `
		0 | Apple-1 on_top_of CounterTop-1
		1 (pick_up, Apple-1) | Apple-1 inside RobotGripper-1
		2 (put_in, Apple-1, Container) | CounterTop-1`,
		[]string{"AmbiguousTarget 2<-2 Container"}},
	{"an occupied coffee machine", `
		0 | Mug-1 on_top_of CounterTop-1, Cup-1 inside CoffeeMachine-1, Mug-1 clean, Mug-1 empty
		1 (pick_up, Mug-1) | Mug-1 inside RobotGripper-1
		2 (put_in, Mug-1, CoffeeMachine-1) | Mug-1 inside RobotGripper-1, Cup-1 inside CoffeeMachine-1`,
		[]string{"OccupiedPut 2<-2 Mug-1 CoffeeMachine-1 Cup-1"}},
	{"a vegan and an egg", `
		person: Ann, dislikes Egg
		0 | Egg-1 on_top_of CounterTop-1, Bowl-1 on_top_of CounterTop-1, Bowl-1 clean
		1 (pick_up, Egg-1) | Egg-1 inside RobotGripper-1
		2 (put_in, Egg-1, Bowl-1) | Egg-1 inside Bowl-1`,
		[]string{"DietaryConstraintsViolation 2<-2 Egg-1 Ann"}},
	{"a second robot has a gripper of its own", `
		0 | Mug-1 on_top_of CounterTop-1, Apple-1 on_top_of CounterTop-1
		1 Robot-1 (pick_up, Mug-1) | Mug-1 inside RobotGripper-1
		2 Robot-2 (pick_up, Apple-1) | Mug-1 inside RobotGripper-1, Apple-1 inside RobotGripper-2`,
		[]string{}},
	{"a complete observation shows that the effect is absent", `
		0 | all, Mug-1 on_top_of CounterTop-1, Sink-1
		1 (pick_up, Mug-1) | all, Mug-1 on_top_of CounterTop-1, Sink-1`,
		[]string{"ActionExecution 1<-1 Mug-1"}},
	{"dirt follows to where the vessel is used", `
		0 | Mug-1 on_top_of CounterTop-1, Mug-1 dirty, Mug-1 empty, CoffeeMachine-1 off
		1 (pick_up, Mug-1) | Mug-1 inside RobotGripper-1
		2 (put_in, Mug-1, CoffeeMachine-1) | Mug-1 inside CoffeeMachine-1
		3 (toggle_on, CoffeeMachine-1) | CoffeeMachine-1 on
		4 (toggle_off, CoffeeMachine-1) | CoffeeMachine-1 off`,
		[]string{"DirtyObj 2<-2 Mug-1 => 3"}},
}
