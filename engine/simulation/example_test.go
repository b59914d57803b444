package simulation_test

import (
	"context"
	"fmt"
	"log"

	"github.com/mishap-robotics/mishap/engine"
	"github.com/mishap-robotics/mishap/engine/simulation"
	"github.com/mishap-robotics/mishap/ontology"
	"github.com/mishap-robotics/mishap/ontology/kitchen"
	"github.com/mishap-robotics/mishap/rules"
)

// A loop carries out a plan with any executor, here a simulated robot, and recovers
// from what goes wrong.
func ExampleRobot() {
	o := kitchen.Default()
	r, err := engine.New(ontology.Default(), rules.Default())
	if err != nil {
		log.Fatal(err)
	}
	shipped, _ := o.Scenario("recover_make_coffee")
	sc, err := simulation.FromOntology(o, shipped)
	if err != nil {
		log.Fatal(err)
	}
	sc.Disturbances = []simulation.Disturbance{{Step: 4, Accident: simulation.Accident{Kind: ontology.InjectFail}}}
	robot, err := simulation.NewRobot(o, sc, simulation.Options{})
	if err != nil {
		log.Fatal(err)
	}
	loop := &engine.Loop{Reasoner: r, Executor: robot}
	c, err := loop.Run(context.Background(), robot.Episode())
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(c.Ending, c.Actions, robot.Reached())
	for _, k := range c.Recoveries {
		fmt.Println(k.Failed, k.Proposal.Method, k.Proposal.Plan[0])
	}
	// Output:
	// completed 10 true
	// (toggle_on, CoffeeMachine-1) strategy (toggle_on, CoffeeMachine-1)
}
