package world_test

import (
	"fmt"

	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/engine/world"
	"github.com/mishap-robotics/mishap/ontology"
	"github.com/mishap-robotics/mishap/ontology/simulation"
)

func ExampleWorld_Do() {
	w, err := world.New(simulation.Default(), []string{"Mug", "CoffeeMachine"}, nil, nil)
	if err != nil {
		panic(err)
	}
	act := func(a episode.Action, accidents ...world.Accident) {
		out, err := w.Do(a, accidents...)
		fmt.Println(a, out.Done, out.Reasons(), out.Sounds, err)
	}
	act(episode.Action{Name: "put_in", Target: "Mug", Destination: "CoffeeMachine"})
	act(episode.Action{Name: "pick_up", Target: "Mug"})
	act(episode.Action{Name: "navigate_to_obj", Target: "CoffeeMachine"}, world.Accident{Event: ontology.EventDrop})
	// Output:
	// (put_in, Mug, CoffeeMachine) false it is not in the gripper; the robot is not near CoffeeMachine-1 [] <nil>
	// (pick_up, Mug) true  [something is picked up] <nil>
	// (navigate_to_obj, CoffeeMachine) true  [robot moves mug drops ceramic shatters] <nil>
}
