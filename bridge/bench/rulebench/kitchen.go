// Package rulebench measures how fast rules are evaluated, beside other engines
// on the same rules and facts: an episode is drawn, its facts are written in the
// form each engine reads, each engine takes them in step by step and asks every
// rule about the new step, and all must give the same answers.
package rulebench

import (
	"fmt"
	"math/rand/v2"

	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/engine/scene"
)

// kitchenEpisode draws an episode of n steps: a robot carries things between places,
// opens, closes and switches what can be, and all its objects are in view. One
// action in fifty goes wrong: what is carried falls, or what is to be picked up is
// not; and now and then somebody else moves a thing.
func kitchenEpisode(seed uint64, n int) *episode.Episode {
	k := &kitchen{rng: rand.New(rand.NewPCG(seed, 8)), place: map[string]string{}, state: map[string]string{}}
	ep := &episode.Episode{ID: fmt.Sprintf("kitchen-%d-%d", seed, n), GripperObserved: true}
	for i, x := range things {
		k.place[x] = places[i%len(places)]
	}
	for _, x := range closing {
		k.state[x] = "closed"
	}
	for _, x := range switching {
		k.state[x] = "off"
	}
	ep.Steps = append(ep.Steps, episode.Step{Observation: k.look()})
	for len(ep.Steps) <= n {
		for _, a := range k.errand() {
			ep.Steps = append(ep.Steps, episode.Step{Index: len(ep.Steps), Action: a.Action, Sounds: a.sounds, Observation: a.look})
		}
	}
	ep.Steps = ep.Steps[:n+1]
	return ep
}

// The objects of the kitchen, 20 with the gripper.
var (
	things    = []string{"Mug-1", "Cup-1", "Bowl-1", "Plate-1", "Pan-1", "Pot-1", "Apple-1", "Egg-1", "Knife-1", "Fork-1", "Spoon-1", "Bread-1"}
	places    = []string{"CounterTop-1", "DiningTable-1", "Sink-1", "Fridge-1"}
	closing   = []string{"Fridge-1", "Microwave-1"}
	switching = []string{"Microwave-1", "CoffeeMachine-1", "Faucet-1"}
)

const gripper = "RobotGripper-1"

type kitchen struct {
	rng   *rand.Rand
	place map[string]string
	state map[string]string
	held  string
	dirty string
}

type act struct {
	episode.Action
	sounds []string
	look   episode.Observation
}

func (k *kitchen) act(name, target, destination string, sounds ...string) act {
	return act{episode.Action{Name: name, Target: target, Destination: destination}, sounds, k.look()}
}

// look shows every object.
func (k *kitchen) look() episode.Observation {
	var o episode.Observation
	all := append([]string{gripper, "Floor-1", "CoffeeMachine-1", "Faucet-1"}, places...)
	for _, x := range append(append(all, "Microwave-1"), things...) {
		class, _ := episode.SplitName(x)
		n := scene.Node{ID: x, Class: class}
		if s, ok := k.state[x]; ok {
			n.States = append(n.States, s)
		}
		if x == k.dirty {
			n.States = append(n.States, "dirty")
		}
		o.Nodes = append(o.Nodes, n)
	}
	for _, x := range things {
		relation, at := "on_top_of", k.place[x]
		if x == k.held {
			relation, at = "inside", gripper
		}
		o.Edges = append(o.Edges, scene.Edge{Subject: x, Relation: relation, Object: at})
	}
	return o
}

// errand is a few actions that belong together.
func (k *kitchen) errand() []act {
	var out []act
	switch k.rng.IntN(4) {
	case 0:
		x := closing[k.rng.IntN(len(closing))]
		out = append(out, k.act("navigate_to_obj", x, ""))
		k.state[x] = "open"
		out = append(out, k.act("open_obj", x, ""))
		k.state[x] = "closed"
		return append(out, k.act("close_obj", x, ""))
	case 1:
		x := switching[1+k.rng.IntN(len(switching)-1)]
		out = append(out, k.act("navigate_to_obj", x, ""))
		k.state[x] = "on"
		out = append(out, k.act("toggle_on", x, "", "water runs"))
		k.state[x] = "off"
		return append(out, k.act("toggle_off", x, ""))
	}
	if k.rng.IntN(15) == 0 {
		k.place[things[k.rng.IntN(len(things))]] = places[k.rng.IntN(len(places))]
	}
	x, to := things[k.rng.IntN(len(things))], places[k.rng.IntN(len(places)-1)]
	if k.rng.IntN(8) == 0 {
		k.dirty = things[k.rng.IntN(len(things))]
	}
	out = append(out, k.act("navigate_to_obj", x, ""))
	if k.rng.IntN(50) == 0 {
		return append(out, k.act("pick_up", x, "")) // nothing comes of it
	}
	k.held = x
	out = append(out, k.act("pick_up", x, ""))
	if k.rng.IntN(50) == 0 {
		k.held, k.place[x] = "", "Floor-1"
		return append(out, k.act("navigate_to_obj", to, "", "something falls"))
	}
	out = append(out, k.act("navigate_to_obj", to, ""))
	k.held, k.place[x] = "", to
	return append(out, k.act("put_on", x, to))
}
