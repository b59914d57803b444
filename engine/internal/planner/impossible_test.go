package planner_test

import (
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/mishap-robotics/mishap/engine/internal/planner"
	"github.com/mishap-robotics/mishap/engine/internal/state"
	"github.com/mishap-robotics/mishap/ontology"
)

// exhausted searches all states that actions lead to from a state, up to some, for one in
// which the goal holds; decided is false where there are more.
func (k *kitchen) exhausted(p *planner.Planner, most int) (reachable, decided bool) {
	var objects []state.Object
	for x := range state.Object(len(k.objects.Items)) {
		objects = append(objects, x)
	}
	queue := []*state.State{k.now.Clone()}
	queue[0].Run(state.Predicted, planner.Imagined)
	seen := map[uint64]bool{p.Simulator.Fingerprint(queue[0]): true}
	for n := 0; n < len(queue); n++ {
		if k.reached(queue[n]) {
			return true, true
		}
		if len(queue) > most {
			return false, false
		}
		for _, a := range k.objects.Onto.Advised() {
			for _, c := range k.calls(a, objects) {
				if len(p.Simulator.Violations(queue[n], c)) > 0 {
					continue
				}
				next := planner.Root(queue[n])
				p.Simulator.Perform(next, c)
				if key := p.Simulator.Fingerprint(next.State); !seen[key] {
					seen[key] = true
					queue = append(queue, next.State)
				}
			}
		}
	}
	return false, true
}

// calls are those of an action on some objects, but for where the robot goes: it reaches
// everything.
func (k *kitchen) calls(a *ontology.ActionSchema, objects []state.Object) []state.Call {
	if len(a.Effects) == 0 || k.objects.Onto.IsNavigation(a) || k.objects.Onto.SetsBeside(a) {
		return nil
	}
	var out []state.Call
	destinations := []state.Object{state.Nothing}
	if a.Params > 1 {
		destinations = append(destinations, objects...)
	}
	for _, x := range objects {
		for _, y := range destinations {
			if x != y && (y != state.Nothing || a.Required < 2) {
				out = append(out, state.Call{Schema: a, Agent: k.object("Robot-1"), Gripper: k.object("RobotGripper-1"), Target: x, Destination: y})
			}
		}
	}
	return out
}

// What is said to be impossible no sequence of actions reaches. By default few small
// instances are drawn; -rapid.checks=2000 draws many, and MISHAP_LONG=1
// tells how many.
func TestImpossibleIsNotReached(t *testing.T) {
	movable := []string{"Apple-1", "Carrot-1", "Knife-1", "Mug-1", "Egg-1", "Plate-1", "BreadSliced-1", "Bowl-1", "Milk-1"}
	places := []string{"CounterTop-1", "Fridge-1", "Sink-1", "Toaster-1", "Floor-1"}
	claims := map[bool]int{}
	if f := flag.Lookup("rapid.checks"); f.Value.String() == f.DefValue {
		f.Value.Set("20")
		t.Cleanup(func() { f.Value.Set(f.DefValue) })
	}
	rapid.Check(t, func(rt *rapid.T) {
		things := rapid.Permutation(movable).Draw(rt, "things")[:rapid.IntRange(1, 3).Draw(rt, "count")]
		facts := []string{"CounterTop-1 clean"}
		var goal []string
		for _, x := range things {
			at := rapid.SampledFrom([]string{"on_top_of CounterTop-1", "inside Fridge-1", "on_top_of Floor-1", "inside RobotGripper-1"}).Draw(rt, "at")
			if strings.Contains(at, "Gripper") && slices.ContainsFunc(facts, func(f string) bool { return strings.Contains(f, "Gripper") }) {
				at = "on_top_of CounterTop-1"
			}
			facts = append(facts, x+" "+at)
			if st := rapid.SampledFrom([]string{"", "", "dirty", "broken", "burnt", "hot"}).Draw(rt, "state"); st != "" {
				facts = append(facts, x+" "+st)
			}
		}
		facts = append(facts, rapid.SampledFrom([]string{"Fridge-1 closed", "Fridge-1 open", "Fridge-1 locked, Fridge-1 closed"}).Draw(rt, "fridge"))
		if rapid.Bool().Draw(rt, "toaster") {
			facts = append(facts, "Toaster-1 off")
		}
		if rapid.Bool().Draw(rt, "sink") {
			facts = append(facts, "Sink-1 clean, Faucet-1 off")
		}
		x := rapid.SampledFrom(things).Draw(rt, "about")
		switch name := strings.TrimSuffix(x, "-1"); rapid.IntRange(0, 4).Draw(rt, "goal") {
		case 0:
			goal = append(goal, name+" located_at "+strings.TrimSuffix(rapid.SampledFrom(places).Draw(rt, "place"), "-1"))
		case 1:
			goal = append(goal, name+" "+rapid.SampledFrom([]string{"clean", "toasted", "cold", "hot", "empty", "intact"}).Draw(rt, "wanted"))
		case 2:
			if name == "Carrot" || name == "Apple" {
				name += "Sliced"
			} else if name == "Egg" {
				name = "EggCracked"
			}
			goal = append(goal, name+" located_at "+strings.TrimSuffix(rapid.SampledFrom(places).Draw(rt, "place"), "-1"))
		case 3:
			goal = append(goal, "Fridge "+rapid.SampledFrom([]string{"open", "closed"}).Draw(rt, "door"))
		case 4:
			goal = append(goal, rapid.SampledFrom([]string{"Mug", "Bowl"}).Draw(rt, "vessel")+" "+rapid.SampledFrom([]string{"filled_with_milk", "filled_with_water", "empty"}).Draw(rt, "filled"))
		}
		k := newKitchen(t, strings.Join(facts, ", "), strings.Join(goal, ", "))
		p, goals := k.planner()
		blocked := len(goals) > 0
		for _, g := range goals {
			bad := len(g.Absent) > 0
			for _, l := range append(g.Literals, g.Withheld...) {
				bad = bad || !p.Reachability.Reachable(k.now, l)
			}
			blocked = blocked && bad
		}
		impossible := blocked && !p.Grounder.Possible(k.now)
		claims[impossible]++
		if !impossible {
			return
		}
		if reachable, _ := k.exhausted(p, 150); reachable {
			rt.Fatal(fmt.Sprintf("said to be impossible, and reached: %s; goal %s", strings.Join(facts, ", "), strings.Join(goal, ", ")))
		}
	})
	if claims[true] == 0 || claims[false] == 0 {
		t.Errorf("%d claims, %d without; want some of each", claims[true], claims[false])
	}
	if os.Getenv("MISHAP_LONG") != "" {
		t.Logf("%d claims of impossibility, %d instances without one", claims[true], claims[false])
	}
}
