package bench

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/engine/simulation"
)

// RecoverUnknown measures RePlan's seven tasks and that of its appendix, n draws of each, with
// what the robot does not know drawn anew: whether a bar is before the door, which lever unlocks
// the cabinet, whether the stone cabinet is locked until something lies on its sensor, in which container the apple is and behind what, which cube and which crate
// have which colour, and what is in the crate. It shows only when an action is refused
// for it, a door is opened, or the robot looks from close by.
func (b *Bench) RecoverUnknown(ctx context.Context, n int) (RecoverySet, error) {
	var list []exercise
	rng := b.sampler().random(4000)
	for i := range n {
		for _, task := range unknownTasks {
			if err := ctx.Err(); err != nil {
				return RecoverySet{}, err
			}
			sc, err := b.sampler().unknown(task, i, rng)
			if err != nil {
				return RecoverySet{}, err
			}
			list = append(list, exercise{scenario: sc})
		}
	}
	return b.recovery(ctx, "RePlan's tasks, with what is unknown drawn", list)
}

// unknownTask is one of RePlan's tasks with a plan that reckons with nothing unknown.
type unknownTask struct {
	name, task string
	plan       []string
	draw       func(rng *rand.Rand) (scene, latent []string)
}

// hidingPlaces are the containers in which a thing may be, and things that may stand
// before one.
var (
	hidingPlaces = []string{"Microwave", "Fridge", "Cabinet", "Drawer"}
	obstacles    = []string{"Kettle", "Box", "Vase"}
)

var (
	cubeToCabinet = []string{"(navigate_to_obj, YellowCube)", "(pick_up, YellowCube)", "(navigate_to_obj, Cabinet)", "(put_in, YellowCube, Cabinet)"}
	openFirst     = []string{"(navigate_to_obj, YellowCube)", "(pick_up, YellowCube)", "(navigate_to_obj, Cabinet)", "(open_obj, Cabinet)", "(put_in, YellowCube, Cabinet)"}
	cubeOnTable   = "YellowCube on_top_of DiningTable"
)

var unknownTasks = []unknownTask{
	{"open cabinet", "CubeInCabinet", cubeToCabinet, func(rng *rand.Rand) ([]string, []string) {
		return []string{cubeOnTable, "Cabinet " + pick(rng, "open", "closed")}, nil
	}},
	{"closed cabinet", "CubeInCabinet", cubeToCabinet, func(*rand.Rand) ([]string, []string) {
		return []string{cubeOnTable, "Cabinet closed"}, nil
	}},
	{"barred cabinet", "CubeInCabinet", openFirst, func(rng *rand.Rand) ([]string, []string) {
		scene := []string{cubeOnTable, "Cabinet closed", "Bar on_top_of " + pick(rng, "CounterTop", "DiningTable")}
		if rng.IntN(4) == 0 {
			return scene, nil
		}
		return scene, []string{"Bar occludes Cabinet"}
	}},
	{"locked cabinet", "CubeInCabinet", openFirst, func(rng *rand.Rand) ([]string, []string) {
		right := 1 + rng.IntN(2)
		return []string{cubeOnTable, "Cabinet closed", "Lever-1 off", "Lever-2 off"},
			[]string{"Cabinet locked", fmt.Sprintf("Lever-%d linked_to Cabinet", right), fmt.Sprintf("Lever-%d linked_to Fridge", 3-right)}
	}},
	{"hidden apple", "AppleOnTable", []string{"(navigate_to_obj, Apple)", "(pick_up, Apple)", "(navigate_to_obj, DiningTable)", "(put_on, Apple, DiningTable)"},
		func(rng *rand.Rand) ([]string, []string) {
			place := pick(rng, hidingPlaces...)
			scene := []string{"Apple inside " + place, place + " closed"}
			if rng.IntN(2) == 0 {
				return scene, []string{pick(rng, obstacles...) + " occludes " + place}
			}
			return scene, nil
		}},
	{"cube of its colour", "CubeInCrateOfItsColour", []string{"(navigate_to_obj, Cube-1)", "(pick_up, Cube-1)", "(navigate_to_obj, CubeCrate-1)", "(put_in, Cube-1, CubeCrate-1)"},
		func(rng *rand.Rand) ([]string, []string) {
			cube, crate := 1+rng.IntN(2), 1+rng.IntN(2)
			return []string{"Cube-1 on_top_of DiningTable", "Cube-2 on_top_of DiningTable", "CubeCrate-1 on_top_of CounterTop", "CubeCrate-2 on_top_of CounterTop"},
				[]string{fmt.Sprintf("Cube-%d yellow", cube), fmt.Sprintf("Cube-%d %s", 3-cube, pick(rng, "red", "blue", "green")),
					fmt.Sprintf("CubeCrate-%d yellow", crate), fmt.Sprintf("CubeCrate-%d red", 3-crate)}
		}},
	{"sensor cabinet", "StoneCabinetOpen", []string{"(navigate_to_obj, StoneCabinet)", "(open_obj, StoneCabinet)"}, func(rng *rand.Rand) ([]string, []string) {
		scene := []string{"RedCube on_top_of " + pick(rng, "CounterTop", "DiningTable", "WeightSensor"), "StoneCabinet closed", "WeightSensor linked_to StoneCabinet", "Apple on_top_of CounterTop"}
		if slices.Contains(scene, "RedCube on_top_of WeightSensor") {
			return scene, nil
		}
		return scene, []string{"StoneCabinet locked"}
	}},
	{"taken crate", "CubeInCrate", []string{"(navigate_to_obj, YellowCube)", "(pick_up, YellowCube)", "(navigate_to_obj, CubeCrate)", "(put_in, YellowCube, CubeCrate)"},
		func(rng *rand.Rand) ([]string, []string) {
			return []string{cubeOnTable, pick(rng, "RedCube", "Ball", "Apple") + " inside CubeCrate"}, nil
		}},
}

func pick(rng *rand.Rand, of ...string) string { return of[rng.IntN(len(of))] }

// unknown draws an episode of a task.
func (s sampler) unknown(t unknownTask, n int, rng *rand.Rand) (*simulation.Scenario, error) {
	sc := &simulation.Scenario{ID: fmt.Sprintf("%s #%d", t.name, n+1), Suite: "replan", Task: t.task}
	scene, latent := t.draw(rng)
	for _, list := range []struct {
		texts []string
		to    *[]episode.Fact
	}{{scene, &sc.Scene}, {latent, &sc.Latent}} {
		for _, text := range list.texts {
			f, err := episode.ParseFact(text)
			if err != nil {
				return nil, err
			}
			*list.to = append(*list.to, f)
		}
	}
	for _, text := range t.plan {
		a, err := episode.ParseAction(s.onto, text)
		if err != nil {
			return nil, err
		}
		sc.Plan = append(sc.Plan, a)
	}
	return sc, nil
}
