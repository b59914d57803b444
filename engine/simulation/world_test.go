package simulation_test

import (
	"errors"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/engine/internal/state"
	"github.com/mishap-robotics/mishap/engine/scene"
	"github.com/mishap-robotics/mishap/engine/simulation"
	"github.com/mishap-robotics/mishap/ontology"
	"github.com/mishap-robotics/mishap/ontology/document"
	"github.com/mishap-robotics/mishap/ontology/kitchen"
)

// scenario has a scene of facts with commas between them and a plan of actions
// in brackets.
func scenario(t testing.TB, scene, plan string, accidents ...simulation.Disturbance) *simulation.Scenario {
	t.Helper()
	sc := &simulation.Scenario{ID: "test", Scene: facts(t, scene), Disturbances: accidents}
	for _, text := range strings.SplitAfter(plan, ")") {
		if text == "" {
			continue
		}
		a, err := episode.ParseAction(kitchen.Default(), text)
		if err != nil {
			t.Fatal(err)
		}
		sc.Plan = append(sc.Plan, a)
	}
	return sc
}

func facts(t testing.TB, text string) []episode.Fact {
	t.Helper()
	var out []episode.Fact
	for _, part := range strings.Split(text, ",") {
		if part == "" {
			continue
		}
		f, err := episode.ParseFact(part)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, f)
	}
	return out
}

func simulate(t testing.TB, sc *simulation.Scenario, opt simulation.Options) *simulation.SimulatedEpisode {
	t.Helper()
	r, err := simulation.Simulate(kitchen.Default(), sc, opt)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// builtIn is a scenario of the simulation documents.
func builtIn(t testing.TB, name string) *simulation.Scenario {
	t.Helper()
	o := kitchen.Default()
	s, ok := o.Scenario(name)
	if !ok {
		t.Fatalf("no scenario %s", name)
	}
	sc, err := simulation.FromOntology(o, s)
	if err != nil {
		t.Fatal(err)
	}
	return sc
}

func at(step int, a simulation.Accident) simulation.Disturbance {
	return simulation.Disturbance{Step: step, Accident: a}
}
func drop(step int) simulation.Disturbance {
	return at(step, simulation.Accident{Kind: ontology.InjectDrop})
}
func fail(step int) simulation.Disturbance {
	return at(step, simulation.Accident{Kind: ontology.InjectFail})
}
func dropOnto(step int, onto string) simulation.Disturbance {
	return at(step, simulation.Accident{Kind: ontology.InjectDrop, Onto: onto})
}
func mistake(step int, object string) simulation.Disturbance {
	return at(step, simulation.Accident{Kind: ontology.InjectMistake, Object: object})
}
func change(step int, facts []episode.Fact) simulation.Disturbance {
	return at(step, simulation.Accident{Kind: ontology.InjectChange, Facts: facts})
}

// holds reports whether a fact such as "Mug-1 clean" is true; "not" before it
// asks for the opposite, "gone" whether an object is.
func holds(s *state.State, fact string) bool {
	p := strings.Fields(fact)
	if p[0] == "not" {
		return !holds(s, strings.Join(p[1:], " "))
	}
	x, ok := s.Objects.Lookup(p[0])
	switch {
	case !ok:
		return false
	case len(p) == 3:
		y, ok := s.Objects.Lookup(p[2])
		return ok && !s.Gone(x) && s.Place(x).At == y && s.Objects.Onto.Name(s.Place(x).Term) == p[1]
	case p[1] == "gone":
		return s.Gone(x)
	}
	id, ok := s.Objects.Onto.Lookup(p[1])
	if !ok {
		return false
	}
	v := s.Get(state.Fluent{Obj: x, Slot: s.SlotOf(id)})
	return !s.Gone(x) && v.Status != state.Unknown && s.Objects.Onto.StateIs(v.Term, id) > 0
}

func TestActions(t *testing.T) {
	tests := []struct{ name, scene, plan, want string }{
		{"the faucet fills and cleans what stands in the sink", "Mug dirty,Mug inside Sink",
			"(navigate_to_obj, Sink)(toggle_on, Faucet)", "Faucet-1 on,Mug-1 clean,Mug-1 filled_with_water"},
		{"but fills nothing twice", "Mug filled_with_coffee,Mug inside Sink",
			"(navigate_to_obj, Sink)(toggle_on, Faucet)", "Mug-1 filled_with_coffee"},
		{"nor what stands beside it", "Mug dirty",
			"(navigate_to_obj, Sink)(toggle_on, Faucet)", "Mug-1 dirty,Mug-1 empty"},
		{"the coffee machine fills a mug", "",
			"(pick_up, Mug)(navigate_to_obj, CoffeeMachine)(put_in, Mug, CoffeeMachine)(toggle_on, CoffeeMachine)",
			"Mug-1 inside CoffeeMachine-1,Mug-1 filled_with_coffee"},
		{"the microwave heats and cooks what is on what is in it", "Potato on_top_of Plate,Plate inside Microwave",
			"(navigate_to_obj, Microwave)(toggle_on, Microwave)", "Plate-1 hot,Potato-1 hot,Potato-1 cooked"},
		{"a burner heats and cooks", "Pot on_top_of StoveBurner-2,Potato inside Pot",
			"(navigate_to_obj, StoveBurner-2)(toggle_on, StoveBurner-2)", "Pot-1 hot,Potato-1 cooked,StoveBurner-1 off"},
		{"the toaster toasts", "",
			"(pick_up, Knife)(slice_obj, Bread)(put_on, Knife, CounterTop)(pick_up, BreadSliced)(navigate_to_obj, Toaster)(put_in, BreadSliced, Toaster)(toggle_on, Toaster)",
			"BreadSliced-1 toasted,BreadSliced-1 inside Toaster-1"},
		{"the fridge cools", "Fridge open",
			"(pick_up, Apple)(navigate_to_obj, Fridge)(put_in, Apple, Fridge)(close_obj, Fridge)", "Apple-1 inside Fridge-1,Apple-1 cold"},
		{"slicing leaves a slice of the whole", "Bread on_top_of Plate",
			"(pick_up, Knife)(slice_obj, Bread)", "Bread-1 gone,BreadSliced-1 on_top_of Plate-1,BreadSliced-1 sliced,Knife-1 inside RobotGripper-1"},
		{"an egg is cracked in the gripper", "",
			"(pick_up, Egg)(crack_obj, Egg)", "Egg-1 gone,EggCracked-1 inside RobotGripper-1"},
		{"what is poured is in the other vessel", "Pitcher filled_with_water",
			"(pick_up, Pitcher)(pour, Pitcher, Mug)", "Pitcher-1 empty,Mug-1 filled_with_water"},
		{"what is in a vessel comes with it", "Apple inside Bowl",
			"(pick_up, Bowl)(navigate_to_obj, DiningTable)(put_on, Bowl, DiningTable)", "Bowl-1 on_top_of DiningTable-1,Apple-1 inside Bowl-1"},
		{"slices on the floor stay where they are", "Bread on_top_of Floor",
			"(pick_up, Knife)(slice_obj, Bread)(navigate_to_obj, Fridge)(pick_up, BreadSliced)", "BreadSliced-1 on_top_of Floor-1,Knife-1 inside RobotGripper-1"},
		{"a vessel of its own place is in a zone of its own", "Mug on_top_of Desk",
			"(navigate_to_obj, Desk)(pick_up, Mug)", "Mug-1 inside RobotGripper-1"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := simulate(t, scenario(t, tt.scene, tt.plan), simulation.Options{})
			for _, f := range strings.Split(tt.want, ",") {
				if !holds(r.World.State(), f) {
					t.Errorf("%s does not hold", f)
				}
			}
			for i, out := range r.Results {
				if out.Done == (len(out.Refused) > 0) {
					t.Errorf("%s: done %v, refused because %s", r.Episode.Plan[i], out.Done, out.Reasons())
				}
			}
		})
	}
}

// The last action of each plan is the one during which an accident happens.
func TestAccidents(t *testing.T) {
	const take = "(pick_up, Apple)"
	carry := func(x string) string { return "(pick_up, " + x + ")(navigate_to_obj, Sink)" }
	shut := facts(t, "Fridge closed")
	tests := []struct {
		name, scene, plan string
		accidents         []simulation.Disturbance
		want              string
		dropped           []string
		class             string // that Happened tells
	}{
		{"a mug breaks on the floor", "", carry("Mug"), []simulation.Disturbance{drop(2)},
			"Mug-1 on_top_of Floor-1,Mug-1 broken,Mug-1 dirty", []string{"Mug-1"}, "DroppingAndBreakingObjFailure"},
		{"a pot gets dirty on the floor", "", carry("Pot"), []simulation.Disturbance{drop(2)},
			"Pot-1 on_top_of Floor-1,Pot-1 dirty,not Pot-1 broken", []string{"Pot-1"}, "DroppingAndDirtyObjFailure"},
		{"a remote control is none the worse", "", carry("RemoteControl"), []simulation.Disturbance{drop(2)},
			"RemoteControl-1 on_top_of Floor-1,not RemoteControl-1 broken,not RemoteControl-1 dirty", []string{"RemoteControl-1"}, "DroppingObjFailure"},
		{"water is spilt", "Pot filled_with_water", carry("Pot"), []simulation.Disturbance{drop(2)},
			"Pot-1 empty,Pot-1 dirty", []string{"Pot-1"}, "DroppingAndDirtyObjFailure"},
		{"a plate falls with what is on it", "Apple on_top_of Plate", carry("Plate"), []simulation.Disturbance{drop(2)},
			"Plate-1 on_top_of Floor-1,Plate-1 broken,Apple-1 on_top_of Floor-1,Apple-1 dirty", []string{"Plate-1", "Apple-1"}, "DroppingAndBreakingObjFailure"},
		{"and with what is in what is on it", "Mug on_top_of Tray,Egg inside Mug", carry("Tray"), []simulation.Disturbance{drop(2)},
			"Mug-1 broken,Egg-1 broken,Egg-1 on_top_of Floor-1", []string{"Tray-1", "Mug-1", "Egg-1"}, "DroppingAndDirtyObjFailure"},
		{"a fall on the counter does no harm", "", carry("Mug"), []simulation.Disturbance{dropOnto(2, "CounterTop")},
			"Mug-1 on_top_of CounterTop-1,Mug-1 intact,Mug-1 clean", []string{"Mug-1"}, "DroppingObjFailure"},
		{"but spills", "Pot filled_with_water", carry("Pot"), []simulation.Disturbance{dropOnto(2, "CounterTop")},
			"Pot-1 empty,Pot-1 clean", []string{"Pot-1"}, "DroppingObjFailure"},
		{"something slips while it is picked up", "", take, []simulation.Disturbance{drop(1)},
			"Apple-1 on_top_of Floor-1,Apple-1 dirty", []string{"Apple-1"}, "DroppingAndDirtyObjFailure"},
		{"something falls before it is put down", "", take + "(put_in, Apple, Bowl)", []simulation.Disturbance{drop(2)},
			"Apple-1 on_top_of Floor-1", []string{"Apple-1"}, "DroppingAndDirtyObjFailure"},
		{"a door is open although something fell meanwhile", "", take + "(navigate_to_obj, Fridge)(open_obj, Fridge)", []simulation.Disturbance{drop(3)},
			"Fridge-1 open,Apple-1 on_top_of Floor-1", []string{"Apple-1"}, "DroppingAndDirtyObjFailure"},
		{"nothing is cut with a knife that fell", "", "(pick_up, Knife)(slice_obj, Bread)", []simulation.Disturbance{drop(2)},
			"Knife-1 on_top_of Floor-1,Bread-1 on_top_of CounterTop-1", []string{"Knife-1"}, "DroppingAndDirtyObjFailure"},
		{"an egg falls while it is cracked", "", "(pick_up, Egg)(crack_obj, Egg)", []simulation.Disturbance{drop(2)},
			"Egg-1 broken,Egg-1 on_top_of Floor-1", []string{"Egg-1"}, "DroppingAndBreakingObjFailure"},
		{"what is refused may end in a fall too", "", take + "(pick_up, Mug)", []simulation.Disturbance{drop(2)},
			"Apple-1 on_top_of Floor-1,Mug-1 on_top_of CounterTop-1", []string{"Apple-1"}, "DroppingAndDirtyObjFailure"},
		{"an action has no effect", "", take, []simulation.Disturbance{fail(1)},
			"Apple-1 on_top_of CounterTop-1", nil, "ActionExecutionFailure"},
		{"the robot does not get anywhere", "", "(navigate_to_obj, Fridge)", []simulation.Disturbance{fail(1)}, "not Fridge-1 open", nil, "ActionExecutionFailure"},
		{"another object is taken", "", take, []simulation.Disturbance{mistake(1, "Tomato")},
			"Tomato-1 inside RobotGripper-1,Apple-1 on_top_of CounterTop-1", nil, "PerceptionFailure"},
		{"and put where the one named should be", "", take + "(put_in, Apple, Bowl)", []simulation.Disturbance{mistake(1, "Tomato")},
			"Tomato-1 inside Bowl-1,Apple-1 on_top_of CounterTop-1", nil, ""},
		{"something is put elsewhere than named", "", take + "(put_in, Apple, Bowl)", []simulation.Disturbance{mistake(2, "Pot")},
			"Apple-1 inside Pot-1", nil, "PerceptionFailure"},
		{"so is what was taken by mistake", "", take + "(put_in, Apple, Bowl)", []simulation.Disturbance{mistake(1, "Tomato"), mistake(2, "Pot")},
			"Tomato-1 inside Pot-1,Apple-1 on_top_of CounterTop-1", nil, "PerceptionFailure"},
		{"the one that is dropped is the one that was taken", "", take + "(navigate_to_obj, Sink)",
			[]simulation.Disturbance{mistake(1, "Tomato"), at(2, simulation.Accident{Kind: ontology.InjectDrop, Object: "Apple"})},
			"Tomato-1 on_top_of Floor-1,Tomato-1 dirty,Apple-1 clean", []string{"Tomato-1"}, "DroppingAndDirtyObjFailure"},
		{"a change comes before the action", "Fridge open,Apple inside Fridge", "(navigate_to_obj, Fridge)" + take, []simulation.Disturbance{change(2, shut)},
			"Apple-1 inside Fridge-1,Fridge-1 closed", nil, ""},
		{"and not before the action before it", "Fridge open,Apple inside Fridge", "(navigate_to_obj, Fridge)" + take + "(observe)", []simulation.Disturbance{change(3, shut)},
			"Apple-1 inside RobotGripper-1,Fridge-1 closed", nil, ""},
		{"somebody puts something away", "", take, []simulation.Disturbance{change(1, facts(t, "Apple inside Bowl,Bowl dirty"))},
			"Apple-1 inside RobotGripper-1,Bowl-1 dirty", nil, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := simulate(t, scenario(t, tt.scene, tt.plan, tt.accidents...), simulation.Options{})
			for _, f := range strings.Split(tt.want, ",") {
				if !holds(r.World.State(), f) {
					t.Errorf("%s does not hold", f)
				}
			}
			last := len(r.Results) - 1
			if got := r.Results[last].Dropped; !slices.Equal(got, tt.dropped) {
				t.Errorf("dropped %q, want %q", got, tt.dropped)
			}
			class := ""
			for _, truth := range r.GroundTruth(kitchen.Default()) {
				if truth.Step == last+1 {
					class = truth.Class
				}
			}
			if class != tt.class {
				t.Errorf("happened %s, want %s", class, tt.class)
			}
		})
	}
}

// The robot tries again after an accident, where it is told to.
func TestAgain(t *testing.T) {
	second := drop(2)
	second.Retry = 2 // the pick_up of what fell
	tests := []struct {
		name, plan string
		accidents  []simulation.Disturbance
		want       string
	}{
		{"what fell is picked up and brought", "(pick_up, Pot)(navigate_to_obj, Sink)(put_in, Pot, Sink)", []simulation.Disturbance{drop(2)}, "Pot-1 inside Sink-1"},
		{"so is what fell short of its destination", "(pick_up, Pot)(navigate_to_obj, Sink)(put_in, Pot, Sink)", []simulation.Disturbance{drop(3)}, "Pot-1 inside Sink-1"},
		{"what broke is left", "(pick_up, Mug)(navigate_to_obj, Sink)(put_in, Mug, Sink)", []simulation.Disturbance{drop(2)}, "Mug-1 on_top_of Floor-1"},
		{"what had no effect is repeated", "(pick_up, Apple)(put_in, Apple, Bowl)", []simulation.Disturbance{fail(1)}, "Apple-1 inside Bowl-1"},
		{"what befalls the attempt is tried again too", "(pick_up, Pot)(navigate_to_obj, Sink)(put_in, Pot, Sink)", []simulation.Disturbance{drop(2), second}, "Pot-1 inside Sink-1"},
		{"what is refused is given up", "(put_in, Apple, Bowl)", nil, "Apple-1 on_top_of CounterTop-1"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			sc := scenario(t, "", tt.plan, tt.accidents...)
			sc.Again = true
			r := simulate(t, sc, simulation.Options{})
			if !holds(r.World.State(), tt.want) {
				t.Errorf("%s does not hold", tt.want)
			}
			for k, i := range r.Steps {
				if got := r.Episode.Steps[i].Action; got != sc.Plan[k] {
					t.Errorf("action %d of the plan is said to be done as %s", k+1, got)
				}
			}
		})
	}
}

// How many slices there are and where things usually are is for the simulation
// documents to say.
func TestOwnDocuments(t *testing.T) {
	own := document.Document{Name: "own.ttl", Data: []byte(`@prefix m: <https://mishap-robotics.github.io/ontology#> .
m:Bread m:slices 3 .
m:Mug m:usualPlace m:DiningTable .
`)}
	o, problems, err := kitchen.Parse(ontology.Shipped(), append(kitchen.Shipped(), own))
	if err != nil || len(problems) > 0 {
		t.Fatal(err, problems)
	}
	plan := "(pick_up, Knife)(slice_obj, Bread)(slice_obj, Apple)(put_on, Knife, CounterTop)(pick_up, BreadSliced)(navigate_to_obj, Mug)"
	r, err := simulation.Simulate(o, scenario(t, "", plan), simulation.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range []string{"BreadSliced-1 inside RobotGripper-1", "BreadSliced-2 on_top_of CounterTop-1", "BreadSliced-3 on_top_of CounterTop-1",
		"not BreadSliced-4 on_top_of CounterTop-1", "AppleSliced-1 on_top_of CounterTop-1", "not AppleSliced-2 on_top_of CounterTop-1", "Mug-1 on_top_of DiningTable-1"} {
		if !holds(r.World.State(), f) {
			t.Errorf("%s does not hold", f)
		}
	}
}

// A plan that names several pieces says what they come from.
func TestOrigins(t *testing.T) {
	sc := scenario(t, "Bread-2 on_top_of Plate", "(pick_up, Knife)(slice_obj, Bread-2)(slice_obj, Bread-1)")
	sc.Origins = map[string]string{"BreadSliced-7": "Bread-2", "BreadSliced-5": "Bread-1"}
	r := simulate(t, sc, simulation.Options{})
	for _, f := range []string{"BreadSliced-7 on_top_of Plate-1", "BreadSliced-5 on_top_of CounterTop-1", "not BreadSliced-1 on_top_of CounterTop-1"} {
		if !holds(r.World.State(), f) {
			t.Errorf("%s does not hold", f)
		}
	}
}

// The last action of each plan is refused and changes nothing.
func TestRefusals(t *testing.T) {
	tests := []struct{ name, scene, plan, want, reason string }{
		{"closed container", "Egg inside Fridge", "(navigate_to_obj, Fridge)(pick_up, Egg)", "not_enclosed", "it is in a closed container"},
		{"gripper full", "", "(pick_up, Mug)(pick_up, Plate)", "gripper_free", "the gripper holds something else"},
		{"gripper empty", "", "(put_on, Mug, CounterTop)", "holding", "it is not in the gripper"},
		{"destination taken", "Pan on_top_of StoveBurner-1", "(pick_up, Pot)(navigate_to_obj, StoveBurner-1)(put_on, Pot, StoveBurner-1)",
			"destination_free", "the destination is taken"},
		{"destination closed", "", "(pick_up, Mug)(put_in, Mug, Cabinet)", "destination_open", "the destination is closed"},
		{"slots taken", "Knife inside RobotGripper,Bagel inside Toaster,Bagel-2 inside Toaster",
			"(slice_obj, Bread)(put_on, Knife, CounterTop)(pick_up, BreadSliced)(navigate_to_obj, Toaster)(put_in, BreadSliced, Toaster)",
			"destination_free", "the destination is taken"},
		{"slots covered", "Knife inside RobotGripper,CellPhone on_top_of Toaster",
			"(slice_obj, Bread)(put_on, Knife, CounterTop)(pick_up, BreadSliced)(navigate_to_obj, Toaster)(put_in, BreadSliced, Toaster)",
			"destination_not_blocked", "something blocks the destination"},
		{"out of reach", "", "(navigate_to_obj, Fridge)(pick_up, Mug)", "reachable", "the robot is not near Mug-1"},
		{"destination out of reach", "", "(pick_up, Mug)(put_in, Mug, Sink)", "reachable", "the robot is not near Sink-1"},
		{"something in front", "Vase occludes Mug", "(pick_up, Mug)", "not_blocked", "something stands in front of it"},
		{"not there yet", "", "(pick_up, BreadSliced)", "exists", "it does not exist"},
		{"not there any more", "", "(pick_up, Knife)(slice_obj, Bread)(slice_obj, Bread-1)", "exists", "it does not exist"},
		{"nowhere to go", "", "(navigate_to_obj, BreadSliced)", "exists exists", "it does not exist; BreadSliced-1 is nowhere to be found"},
		{"broken", "Mug broken", "(pick_up, Mug)", "unbroken", "it is broken"},
		{"for good", "", "(pick_up, CounterTop)", "pickupable", "it cannot be picked up"},
		{"two reasons", "Fridge open", "(pick_up, Mug)(navigate_to_obj, Fridge)(pick_up, Plate)", "gripper_free reachable",
			"the gripper holds something else; the robot is not near Plate-1"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := simulate(t, scenario(t, tt.scene, tt.plan), simulation.Options{})
			last := len(r.Results) - 1
			if got := r.Refused(); !slices.Equal(got, []int{last + 1}) {
				t.Fatalf("refused %v, want %d alone", got, last+1)
			}
			var names []string
			out := r.Results[last]
			for _, v := range out.Refused {
				names = append(names, v.Name)
			}
			if got := strings.Join(names, " "); got != tt.want || out.Reasons() != tt.reason {
				t.Errorf("%s: %s; want %s: %s", got, out.Reasons(), tt.want, tt.reason)
			}
			if out.Done || len(out.Sounds) > 0 {
				t.Errorf("done %v, sounds %q", out.Done, out.Sounds)
			}
			for i := range r.World.State().Objects.Items {
				for slot := range r.World.State().Slots() {
					f := state.Fluent{Obj: state.Object(i), Slot: slot}
					if !r.World.State().Get(f).Same(r.Before[last].Get(f)) {
						t.Errorf("%s changed", r.World.Name(f.Obj))
					}
				}
			}
		})
	}
}

// The robot reaches everything in logs that leave out where it moves.
func TestAnywhere(t *testing.T) {
	sc := scenario(t, "Egg inside Fridge,Fridge open", "(pick_up, Egg)(put_in, Egg, Sink)")
	sc.Anywhere = true
	r := simulate(t, sc, simulation.Options{})
	if len(r.Refused()) > 0 || !holds(r.World.State(), "Egg-1 inside Sink-1") || !sees(r, 2, "StoveBurner-4") {
		t.Errorf("refused %v", r.Refused())
	}
}

func sees(r *simulation.SimulatedEpisode, step int, name string) bool {
	return slices.ContainsFunc(r.Episode.Steps[step].Observation.Nodes, func(n scene.Node) bool { return n.ID == name })
}

func TestCamera(t *testing.T) {
	tests := []struct {
		name, scene, plan string
		step              int
		sees, misses      string
	}{
		{"at the start it is taken to every zone", "Mug inside Microwave,Microwave open,Egg inside Fridge", "(observe)", 0,
			"CounterTop-1 Fridge-1 DiningTable-1 GarbageCan-1 StoveBurner-4 Microwave-1 Mug-1", "Egg-1 RobotGripper-1 Robot-1 Floor-1"},
		{"then it sees its own zone", "Apple on_top_of DiningTable", "(pick_up, Mug)", 1, "CounterTop-1 Cabinet-1 Mug-1", "Fridge-1 DiningTable-1 Apple-1 Sink-1"},
		{"and what is carried", "", "(pick_up, Mug)(navigate_to_obj, Fridge)", 2, "Fridge-1 Mug-1", "CounterTop-1"},
		{"and what is on what is carried", "Apple on_top_of Plate", "(pick_up, Plate)(navigate_to_obj, Fridge)", 2, "Plate-1 Apple-1", "CounterTop-1"},
		{"a closed container hides what is in it", "Egg inside Bowl,Bowl inside Fridge", "(navigate_to_obj, Fridge)", 1, "Fridge-1", "Egg-1 Bowl-1"},
		{"an open one does not", "Egg inside Bowl,Bowl inside Fridge", "(navigate_to_obj, Fridge)(open_obj, Fridge)", 2, "Fridge-1 Egg-1 Bowl-1", ""},
		{"until it is closed", "Egg inside Fridge,Fridge open", "(navigate_to_obj, Fridge)(close_obj, Fridge)", 2, "Fridge-1", "Egg-1"},
		{"on one counter things are in several zones", "", "(pick_up, Mug)(navigate_to_obj, Toaster)(put_on, Mug, CounterTop)", 3, "CounterTop-1 Toaster-1 Mug-1", "Knife-1"},
		{"and stay there", "", "(pick_up, Mug)(navigate_to_obj, Toaster)(put_on, Mug, CounterTop)(navigate_to_obj, Cabinet)", 4, "CounterTop-1 Cabinet-1", "Mug-1 Toaster-1"},
		{"what is no more is not seen", "", "(pick_up, Knife)(slice_obj, Bread)", 2, "BreadSliced-1", "Bread-1"},
		{"nor what is yet to be", "", "(pick_up, Knife)(slice_obj, Bread)", 1, "Bread-1", "BreadSliced-1"},
		{"the floor is seen with what lies on it", "Apple on_top_of Floor", "(observe)", 1, "Floor-1 Apple-1", ""},
		{"which stays where it fell", "Apple on_top_of Floor", "(navigate_to_obj, Fridge)", 1, "Fridge-1", "Floor-1 Apple-1"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := simulate(t, scenario(t, tt.scene, tt.plan), simulation.Options{})
			for _, name := range strings.Fields(tt.sees) {
				if !sees(r, tt.step, name) {
					t.Errorf("%s is not seen", name)
				}
			}
			for _, name := range strings.Fields(tt.misses) {
				if sees(r, tt.step, name) {
					t.Errorf("%s is seen", name)
				}
			}
		})
	}
	r := simulate(t, scenario(t, "Vase occludes Mug,Mug dirty", "(observe)"), simulation.Options{})
	want := []scene.Edge{{Subject: "Vase-1", Relation: "on_top_of", Object: "CounterTop-1"}, {Subject: "Mug-1", Relation: "on_top_of", Object: "CounterTop-1"},
		{Subject: "Vase-1", Relation: "occluding", Object: "Mug-1"}}
	if diff := cmp.Diff(want, r.Episode.Steps[1].Observation.Edges); diff != "" {
		t.Errorf("edges (-want +got)\n%s", diff)
	}
	mug := slices.IndexFunc(r.Episode.Steps[1].Observation.Nodes, func(n scene.Node) bool { return n.ID == "Mug-1" })
	if got := r.Episode.Steps[1].Observation.Nodes[mug]; got.Class != "Mug" || !slices.Contains(got.States, "dirty") || slices.Contains(got.States, "clean") {
		t.Errorf("the mug is seen as %v", got)
	}
}

// What the last action of each plan sounds like.
func TestSounds(t *testing.T) {
	tests := []struct {
		scene, plan string
		accidents   []simulation.Disturbance
		want        string
	}{
		{"", "(navigate_to_obj, Sink)", nil, "robot moves"},
		{"", "(observe)", nil, ""},
		{"", "(pick_up, Mug)", nil, "something is picked up"},
		{"", "(pick_up, Mug)(put_on, Mug, CounterTop)", nil, "something is put down"},
		{"", "(navigate_to_obj, Fridge)(open_obj, Fridge)", nil, "fridge opens"},
		{"Fridge open", "(navigate_to_obj, Fridge)(close_obj, Fridge)", nil, "fridge closes"},
		{"", "(open_obj, Drawer)", nil, "drawer opens"},
		{"", "(navigate_to_obj, Safe)(open_obj, Safe)", nil, "sound of opening"},
		{"", "(navigate_to_obj, Sink)(toggle_on, Faucet)", nil, "water runs in sink"},
		{"Faucet on", "(navigate_to_obj, Sink)(toggle_off, Faucet)", nil, "faucet turns off"},
		{"", "(pick_up, Knife)(slice_obj, Bread)", nil, "bread is sliced"},
		{"", "(pick_up, Knife)(slice_obj, Apple)", nil, "food is sliced"},
		{"", "(pick_up, Egg)(crack_obj, Egg)", nil, "egg cracks"},
		{"Mug filled_with_coffee", "(pick_up, Mug)(pour, Mug, Cup)", nil, "something is poured"},
		{"", "(pick_up, Mug)", []simulation.Disturbance{fail(1)}, ""},
		{"", "(navigate_to_obj, Fridge)(pick_up, Mug)", nil, ""},
		{"", "(pick_up, Mug)", []simulation.Disturbance{mistake(1, "Cup")}, "something is picked up"},
		{"", "(pick_up, WineGlass)(navigate_to_obj, Sink)", []simulation.Disturbance{drop(2)}, "robot moves,something drops,glass shatters"},
		{"", "(pick_up, Mug)(navigate_to_obj, Sink)", []simulation.Disturbance{drop(2)}, "robot moves,mug drops,ceramic shatters"},
		{"", "(pick_up, Egg)(put_in, Egg, Bowl)", []simulation.Disturbance{drop(2)}, "egg drops,something breaks"},
		{"", "(pick_up, Pot)(navigate_to_obj, Sink)", []simulation.Disturbance{drop(2)}, "robot moves,pot drops"},
		{"", "(pick_up, Mug)(navigate_to_obj, Sink)", []simulation.Disturbance{dropOnto(2, "CounterTop")}, "robot moves,mug drops"},
		{"Cup on_top_of Tray,Mug on_top_of Tray", "(pick_up, Tray)(navigate_to_obj, Sink)", []simulation.Disturbance{drop(2)}, "robot moves,something drops,glass shatters,ceramic shatters"},
	}
	for _, tt := range tests {
		r := simulate(t, scenario(t, tt.scene, tt.plan, tt.accidents...), simulation.Options{})
		last := r.Episode.Steps[len(r.Episode.Steps)-1]
		got := slices.Clone(last.Sounds)
		want := strings.FieldsFunc(tt.want, func(r rune) bool { return r == ',' })
		slices.Sort(got)
		slices.Sort(want)
		if !slices.Equal(got, want) {
			t.Errorf("%s %s: sounds %q, want %q", tt.plan, tt.scene, last.Sounds, want)
		}
	}
}

// Of every built-in scenario each action that comes about is heard, as a sound of
// the ontology, and a right plan reaches its goal.
func TestBuiltInScenarios(t *testing.T) {
	o := kitchen.Default()
	for _, s := range o.Scenarios {
		r := simulate(t, builtIn(t, s.Name), simulation.Options{})
		for i, out := range r.Results {
			if r.Calls[i].Schema.Effects != nil && out.Done != (len(out.Sounds) == 1) {
				t.Errorf("%s, step %d: done %v, sounds %q", s.Name, i+1, out.Done, out.Sounds)
			}
			for _, sound := range out.Sounds {
				if len(o.ByLabel(sound, o.Core.Sound)) == 0 {
					t.Errorf("%s, step %d: no sound is called %q", s.Name, i+1, sound)
				}
			}
		}
		if right := len(s.Expects) == 0; right && (len(r.Refused()) > 0 || !r.Reached) {
			t.Errorf("%s: refused %v, goal reached %v", s.Name, r.Refused(), r.Reached)
		}
	}
}

// Names of things, pieces and fixtures as random plans use them, and some that
// mean nothing in particular. Food is no place for anything.
var (
	food     = strings.Fields("Apple Bread Bread-2 Egg Potato BreadSliced BreadSliced-2 EggCracked PotatoSliced-1")
	vessels  = strings.Fields("Mug Mug-2 Plate Plate-1 Bowl Pot WineGlass Tray Box Knife RemoteControl")
	fixtures = strings.Fields("CounterTop CounterTop-1 Fridge Cabinet-1 Drawer Sink SinkBasin-1 Faucet StoveBurner StoveBurner-2 CoffeeMachine Microwave Toaster DiningTable GarbageCan Floor Desk")
	odd      = strings.Fields("Robot-1 RobotGripper RobotGripper-1 Nonsense Mug-99 Television")
	places   = slices.Concat(vessels, fixtures, odd)
	names    = slices.Concat(food, places, []string{"Container", "Food"})
)

func draw(t *rapid.T, label string, from []string) string {
	return rapid.SampledFrom(from).Draw(t, label)
}

func randomFact(t *rapid.T) episode.Fact {
	f := episode.Fact{Subject: draw(t, "subject", names)}
	if rapid.Bool().Draw(t, "state") {
		f.Relation = draw(t, "state", strings.Fields("dirty clean broken open closed on off filled_with_water empty falling hot locked nonsense"))
		return f
	}
	f.Relation, f.Object = draw(t, "relation", strings.Fields("inside on_top_of occludes near nonsense")), draw(t, "object", places)
	return f
}

// randomPlan has actions of any objects, and errands that bring things about.
func randomPlan(t *rapid.T) []episode.Action {
	var plan []episode.Action
	n := rapid.IntRange(1, 40).Draw(t, "actions")
	for len(plan) < n {
		x, y := draw(t, "target", names), draw(t, "destination", names)
		if rapid.Bool().Draw(t, "errand") {
			plan = append(plan, episode.Action{Name: "navigate_to_obj", Target: x}, episode.Action{Name: "pick_up", Target: x},
				episode.Action{Name: "navigate_to_obj", Target: y}, episode.Action{Name: "put_in", Target: x, Destination: y})
			continue
		}
		a := episode.Action{Name: rapid.SampledFrom(kitchen.Default().Actions).Draw(t, "action").Name, Target: x}
		if s, _ := kitchen.Default().Action(a.Name); s.Params > 1 {
			a.Destination = y
		}
		plan = append(plan, a)
	}
	return plan[:n]
}

func randomAccidents(t *rapid.T) []simulation.Accident {
	if rapid.IntRange(0, 3).Draw(t, "accident") > 0 {
		return nil
	}
	a := simulation.Accident{Kind: rapid.SampledFrom([]ontology.InjectionKind{ontology.InjectDrop, ontology.InjectFail, ontology.InjectMistake, ontology.InjectChange}).Draw(t, "event")}
	switch a.Kind {
	case ontology.InjectDrop:
		a.Onto = draw(t, "onto", append([]string{"", "CounterTop"}, places...))
	case ontology.InjectMistake:
		a.Object = draw(t, "object", names)
	case ontology.InjectChange:
		a.Facts = []episode.Fact{randomFact(t)}
	}
	return []simulation.Accident{a}
}

// Whatever is done and happens, the world stays one: the gripper holds one
// thing at most, everything movable is in one place, nothing contains itself,
// and what the camera shows is in reach and not hidden. Errors are fine.
func TestRandomPlans(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		known := slices.DeleteFunc(slices.Clone(names), func(n string) bool { return n == "Nonsense" || n == "Container" || n == "Food" })
		w, err := simulation.New(kitchen.Default(), rapid.SliceOfN(rapid.SampledFrom(known), 0, 20).Draw(t, "names"), nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, a := range randomPlan(t) {
			_, err := w.Do(a, randomAccidents(t)...)
			t.Log(a, err)
			checkWorld(t, w)
		}
	})
}

func checkWorld(t *rapid.T, w *simulation.World) {
	s := w.State()
	gripper, _ := s.Objects.Lookup("RobotGripper-1")
	pickupable, _ := s.Objects.Onto.Lookup("pickupable")
	held := 0
	for i := range s.Objects.Items {
		x := state.Object(i)
		if s.Gone(x) {
			continue
		}
		place := s.Place(x).At
		if place == gripper {
			held++
		}
		if s.Objects.HasProperty(x, pickupable) && (place == state.Nothing || s.Gone(place)) {
			t.Errorf("%s is nowhere", w.Name(x))
		}
		for n, y := 0, x; y != state.Nothing; n, y = n+1, s.Place(y).At {
			if n > len(s.Objects.Items) {
				t.Fatalf("%s contains itself", w.Name(x))
			}
		}
	}
	if held > 1 {
		t.Errorf("%d things are in the gripper", held)
	}
	for _, n := range w.Camera().Observe().Nodes {
		if x, ok := s.Objects.Lookup(n.ID); !ok || s.Gone(x) || w.Hidden(x) || !w.Reaches(x) {
			t.Errorf("%s is seen", n.ID)
		}
	}
}

func TestNoNoise(t *testing.T) {
	sc := builtIn(t, "recover_make_coffee")
	want := simulate(t, sc, simulation.Options{}).Episode
	for seed := range uint64(3) {
		if diff := cmp.Diff(want, simulate(t, sc, simulation.Options{Noise: simulation.Uniform(0), Seed: seed}).Episode); diff != "" {
			t.Errorf("seed %d (-want +got)\n%s", seed, diff)
		}
	}
	if want.Noise != 0 {
		t.Errorf("noise of rate %v is stated", want.Noise)
	}
}

func TestSeeds(t *testing.T) {
	sc := builtIn(t, "recover_make_coffee")
	run := func(seed uint64, id string) *simulation.SimulatedEpisode {
		named := *sc
		named.ID = id
		return simulate(t, &named, simulation.Options{Noise: simulation.Uniform(0.2), Seed: seed})
	}
	first := run(1, "a")
	if diff := cmp.Diff(first.Episode, run(1, "a").Episode); diff != "" {
		t.Errorf("the same seed (-first +second)\n%s", diff)
	}
	for _, other := range []*simulation.SimulatedEpisode{run(2, "a"), run(1, "b")} {
		if reflect.DeepEqual(first.Episode.Steps, other.Episode.Steps) {
			t.Error("another seed or scenario has the same log")
		}
		if !reflect.DeepEqual(first.Results, other.Results) {
			t.Error("noise changes what happens")
		}
	}
	if first.Episode.Noise != 0.2 {
		t.Errorf("noise of rate %v is stated", first.Episode.Noise)
	}
}

// Each kind of error happens about as often as it should, and no other does.
func TestNoiseRates(t *testing.T) {
	const rate, tolerance = 0.3, 0.05
	tests := []struct {
		name  string
		noise simulation.Noise
		want  errorRates
	}{
		{"missed", simulation.Noise{Missed: rate}, errorRates{nodes: rate}},
		{"confused", simulation.Noise{Confused: rate}, errorRates{nodes: rate}},
		{"flipped", simulation.Noise{Flipped: rate}, errorRates{states: rate}},
		{"misplaced", simulation.Noise{Misplaced: rate}, errorRates{edges: rate}},
		{"unheard", simulation.Noise{Unheard: rate}, errorRates{sounds: rate}},
		{"mislabeled", simulation.Noise{Mislabeled: rate}, errorRates{sounds: rate}},
	}
	sc := builtIn(t, "recover_complex_salad")
	clean := simulate(t, sc, simulation.Options{})
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var c errorCount
			for seed := range uint64(30) {
				noisy := simulate(t, sc, simulation.Options{Noise: tt.noise, Seed: seed})
				for i := range clean.Episode.Steps {
					c.add(&clean.Episode.Steps[i], &noisy.Episode.Steps[i])
				}
			}
			got := c.rates()
			for i, pair := range [][2]float64{{got.nodes, tt.want.nodes}, {got.states, tt.want.states}, {got.edges, tt.want.edges}, {got.sounds, tt.want.sounds}} {
				if math.Abs(pair[0]-pair[1]) > tolerance || pair[1] == 0 && pair[0] != 0 {
					t.Errorf("rate %.3f of %s, want %.1f", pair[0], []string{"nodes", "states", "edges", "sounds"}[i], pair[1])
				}
			}
		})
	}
}

type errorRates struct{ nodes, states, edges, sounds float64 }

// errorCount counts what was perceived wrongly, and all there was; of states and
// edges only where the things themselves were seen.
type errorCount struct{ wrong, all [4]float64 }

func (c *errorCount) rates() errorRates {
	return errorRates{c.wrong[0] / c.all[0], c.wrong[1] / c.all[1], c.wrong[2] / c.all[2], c.wrong[3] / c.all[3]}
}

func (c *errorCount) count(kind int, wrong bool) {
	c.all[kind]++
	if wrong {
		c.wrong[kind]++
	}
}

func (c *errorCount) add(clean, noisy *episode.Step) {
	held := inGripper(clean)
	seen := map[string]scene.Node{}
	for _, n := range noisy.Observation.Nodes {
		seen[n.ID] = n
	}
	for _, n := range clean.Observation.Nodes {
		m, ok := seen[n.ID]
		if n.ID != held {
			c.count(0, !ok || m.Class != n.Class)
		}
		for i := range n.States {
			if ok {
				c.count(1, m.States[i] != n.States[i])
			}
		}
	}
	for _, e := range clean.Observation.Edges {
		if _, ok := seen[e.Subject]; ok && e.Subject != held {
			if _, ok := seen[e.Object]; ok {
				c.count(2, !slices.Contains(noisy.Observation.Edges, e))
			}
		}
	}
	for i, s := range clean.Sounds {
		c.count(3, i >= len(noisy.Sounds) || noisy.Sounds[i] != s)
	}
}

// inGripper is what an observation shows in the gripper, "" where nothing.
func inGripper(st *episode.Step) string {
	for _, e := range st.Observation.Edges {
		if e.Object == "RobotGripper-1" {
			return e.Subject
		}
	}
	return ""
}

// However bad the sensors are, what the gripper holds is sensed exactly.
func TestHeldIsSensedExactly(t *testing.T) {
	sc := builtIn(t, "recover_complex_salad")
	clean := simulate(t, sc, simulation.Options{})
	for seed := range uint64(20) {
		noisy := simulate(t, sc, simulation.Options{Noise: simulation.Uniform(0.5), Seed: seed})
		for i := range clean.Episode.Steps {
			want, got := inGripper(&clean.Episode.Steps[i]), inGripper(&noisy.Episode.Steps[i])
			if want != got || want != "" && !sees(noisy, i, want) {
				t.Fatalf("seed %d, step %d: %q is seen in the gripper, want %q", seed, i, got, want)
			}
		}
	}
}

// Every built-in injection can happen in some built-in scenario, and says what then
// goes wrong.
func TestInjections(t *testing.T) {
	o := kitchen.Default()
	for _, in := range o.Injections {
		found := false
		for _, s := range o.Scenarios {
			sc := builtIn(t, s.Name)
			variants, err := simulation.Inject(o, sc, in, func(int) int { return 0 })
			if err != nil {
				t.Fatal(err)
			}
			for _, v := range variants {
				checkVariant(t, in, sc, v)
			}
			if found = len(variants) > 0; found {
				break
			}
		}
		if !found {
			t.Errorf("%s can befall no scenario", in.Name)
		}
	}
}

func checkVariant(t *testing.T, in *ontology.Injection, sc, v *simulation.Scenario) {
	o := kitchen.Default()
	if len(v.Expect) != len(sc.Expect)+1 {
		t.Fatalf("%s expects %v", v.ID, v.Expect)
	}
	truth := v.Expect[len(v.Expect)-1]
	class, ok := o.Lookup(truth.Class)
	if !ok || !o.IsA(class, o.Core.Failure) || class != in.Injects {
		t.Errorf("%s expects %q, which is no failure class or not what is injected", v.ID, truth.Class)
	}
	r := simulate(t, v, simulation.Options{})
	n := len(r.Results)
	window := len(truth.Window) == 2 && 1 <= truth.Window[0] && truth.Window[0] <= truth.Window[1] && truth.Window[1] <= n+1
	if truth.Step < 0 || truth.Step > n || truth.Cause < 0 || truth.Cause > n+1 || (truth.Cause > 0) == window {
		t.Errorf("%s of %d steps expects %+v", v.ID, n, truth)
	}
	if !strings.HasPrefix(v.ID, sc.ID+"/"+in.Name+"@") {
		t.Errorf("a variant of %s is called %s", sc.ID, v.ID)
	}
	if len(sc.Expect) == 0 && reflect.DeepEqual(v.Plan, sc.Plan) && reflect.DeepEqual(v.Scene, sc.Scene) && len(v.Disturbances)+len(v.People) == len(sc.Disturbances)+len(sc.People) {
		t.Errorf("%s differs in nothing", v.ID)
	}
}

func TestImpossibleInjections(t *testing.T) {
	o := kitchen.Default()
	tests := []struct{ scenario, failure string }{
		{"recover_serve_wine", "BurnerLeftOnFailure"},                 // no burner
		{"recover_toast_bread", "OccupiedByLiquidFailure"},            // no vessel is filled
		{"reflect_water_plant", "UnsafeMaterialFailure"},              // no microwave
		{"recover_serve_wine", "dirty vessel"},                        // no drink machine
		{"reflect_switch_devices", "shut_away"},                       // nothing is taken out of anything
		{"replan_open_cabinet", "DietaryConstraintsViolationFailure"}, // no food
	}
	for _, tt := range tests {
		all, err := simulation.Injections(o, tt.failure)
		if err != nil {
			t.Fatal(err)
		}
		for _, in := range all {
			variants, err := simulation.Inject(o, builtIn(t, tt.scenario), in, func(int) int { return 0 })
			if err != nil || len(variants) > 0 {
				t.Errorf("%s befalls %s in %d ways, error %v", in.Name, tt.scenario, len(variants), err)
			}
		}
	}
}

func TestInjectionsByName(t *testing.T) {
	o := kitchen.Default()
	for name, want := range map[string]int{"drop_and_soil": 1, "Drop And Soil": 1, "DroppingObjFailure": 1, "EnclosedObjectFailure": 2, "AgentFailure": 0, "nonsense": 0} {
		got, err := simulation.Injections(o, name)
		if len(got) != want || (err == nil) != (want > 0) {
			t.Errorf("%s means %d injections, error %v; want %d", name, len(got), err, want)
		}
	}
}

// Errors say what was found and what there is instead.
func TestErrors(t *testing.T) {
	o := kitchen.Default()
	of := func(sc *simulation.Scenario) error {
		_, err := simulation.Simulate(o, sc, simulation.Options{})
		return err
	}
	plan := func(scene, plan string, accidents ...simulation.Disturbance) error {
		return of(scenario(t, scene, plan, accidents...))
	}
	do := func(a episode.Action) error {
		w, err := simulation.New(o, nil, nil, nil)
		if err == nil {
			_, err = w.Do(a)
		}
		return err
	}
	_, failure := simulation.Injections(o, "DirtyObjFailur")
	_, none := simulation.Injections(o, "qqqqqqqq")
	_, reasoner := simulation.New(ontology.Default(), nil, nil, nil)
	_, fact := episode.ParseFact("Mug")
	diet := scenario(t, "", "(observe)")
	diet.People = []episode.Person{{Name: "Ann", Diets: []string{"vegn"}}}
	task := scenario(t, "", "(observe)")
	task.Task = "boil watr"
	objects := scenario(t, "", "(observe)")
	objects.Objects = []string{"Mugg-2"}
	tests := []struct {
		name string
		err  error
		want string
		kind string // of an UnknownError
	}{
		{"class in the plan", plan("", "(pick_up, Mugg)"), `scenario test: unknown object class "Mugg"; did you mean Mug?`, "object class"},
		{"class in the scene", plan("Aple dirty", "(observe)"), `unknown object class "Aple"; did you mean Apple?`, "object class"},
		{"class like no other", plan("Qqqqqqqqqq dirty", "(observe)"), `unknown object class "Qqqqqqqqqq"`, "object class"},
		{"class among the objects", of(objects), `unknown object class "Mugg"; did you mean Mug?`, "object class"},
		{"class in an accident", plan("", "(pick_up, Apple)", mistake(1, "Tomatto")), `unknown object class "Tomatto"; did you mean Tomato?`, "object class"},
		{"object", do(episode.Action{Name: "pick_up", Target: "Fridge-2"}), `unknown object "Fridge-2"; did you mean Fridge-1?`, "object"},
		{"object like no other", do(episode.Action{Name: "pick_up", Target: "HousePlant"}), `unknown object "HousePlant"; there are Cabinet-1, CoffeeMachine-1,`, "object"},
		{"action", do(episode.Action{Name: "pick_upp", Target: "Mug"}), `unknown action "pick_upp"; did you mean pick_up?`, "action"},
		{"task", of(task), `unknown task "boil watr"; did you mean boil water?`, "task"},
		{"failure", failure, `unknown failure to inject "DirtyObjFailur"; did you mean DirtyObjFailure?`, "failure to inject"},
		{"failure like no other", none, `unknown failure to inject "qqqqqqqq"; there are ActionExecutionFailure, AmbiguousTargetFailure,`, "failure to inject"},
		{"state", plan("Mug drity", "(observe)"), `unknown state "drity"; did you mean dirty?`, "state"},
		{"relation", plan("Mug insid Bowl", "(observe)"), `unknown relation "insid"; did you mean inside?`, "relation"},
		{"diet", diet.Validate(o), `unknown diet "vegn"; did you mean vegan?`, "diet"},
		{"built-in scenario", simulation.UnknownScenario(o, "recover_serve_win"), `unknown scenario "recover_serve_win"; did you mean recover_serve_wine?`, "scenario"},
		{"built-in task", simulation.UnknownTask(o, "boil watr"), `unknown task "boil watr"; did you mean boil water?`, "task"},
		{"failure class", simulation.UnknownFailure(o, "DirtyObjFailur"), `unknown failure class "DirtyObjFailur"; did you mean DirtyObjFailure?`, "failure class"},
		{"step after the plan", plan("", "(observe)", drop(2)), "scenario test: an accident at step 2; expected a step from 1 to 1, the length of the plan", ""},
		{"step before the plan", plan("", "(observe)", drop(0)), "scenario test: an accident at step 0; expected a step from 1 to 1, the length of the plan", ""},
		{"nothing to drop", plan("", "(navigate_to_obj, Mug)", drop(1)), "scenario test, step 1 (navigate_to_obj, Mug): nothing can fall at step 1: the gripper is empty", ""},
		{"something else to drop", plan("", "(pick_up, Mug)", at(1, simulation.Accident{Kind: ontology.InjectDrop, Object: "Plate"})), "Plate cannot fall at step 1: it is not in the gripper", ""},
		{"a fall elsewhere", plan("", "(pick_up, Mug)", dropOnto(1, "Fridge")), "Mug-1 cannot fall onto Fridge at step 1: that is not where the robot is", ""},
		{"a fall onto itself", plan("", "(pick_up, Mug)", dropOnto(1, "Mug")), "Mug-1 cannot fall onto Mug at step 1", ""},
		{"a fall onto what is on it", plan("Apple on_top_of Plate", "(pick_up, Plate)", dropOnto(1, "Apple")), "Plate-1 cannot fall onto Apple at step 1", ""},
		{"a fall by a fact", plan("CounterTop falling", "(observe)"), "CounterTop cannot be made to fall by a fact; expected a drop", ""},
		{"something in itself", plan("Mug inside Mug", "(observe)"), "Mug cannot be inside Mug", ""},
		{"something in what is in it", plan("Apple inside Bowl,Bowl inside Apple", "(observe)"), "Bowl cannot be in or on Apple", ""},
		{"two things in the gripper", plan("Apple inside RobotGripper,Mug inside RobotGripper", "(observe)"), "Mug cannot be in or on RobotGripper", ""},
		{"something on what is no more", plan("", "(pick_up, Knife)(slice_obj, Bread)(observe)", change(3, facts(t, "Mug on_top_of Bread-1"))), "Mug cannot be in or on Bread-1", ""},
		{"a fixture elsewhere", plan("Sink on_top_of CounterTop", "(observe)"), "Sink cannot be in or on CounterTop: it stands where it is", ""},
		{"no simulation documents", reasoner, "load the simulation documents too", ""},
		{"no fact", fact, `scene fact "Mug"; expected for example "Pan dirty" or "Apple inside Pot"`, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if tt.err == nil || !strings.Contains(tt.err.Error(), tt.want) {
				t.Errorf("error %v, want %s", tt.err, tt.want)
			}
			var unknown *simulation.UnknownError
			if errors.As(tt.err, &unknown) != (tt.kind != "") || unknown != nil && unknown.Kind != tt.kind {
				t.Errorf("error %#v, want an unknown %s", tt.err, tt.kind)
			}
		})
	}
}
