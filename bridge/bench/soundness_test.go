package bench_test

import (
	"context"
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/mishap-robotics/mishap/engine"
	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/engine/scene"
	"github.com/mishap-robotics/mishap/engine/simulation"
	"github.com/mishap-robotics/mishap/ontology"
	"github.com/mishap-robotics/mishap/ontology/kitchen"
)

// witness watches a plan being carried out in a world and knows, apart from all norms of the
// ontology, what nobody would want of it.
type witness struct {
	onto    *ontology.Ontology
	floored map[string]bool   // lay on the floor, and was not washed since
	opened  map[string]bool   // by the plan, and not as the plan of the task does, or that shuts it again
	shuts   map[string]bool   // what the plan of the task shuts last
	named   []episode.Fact    // the goal, where it names the very things
	put     map[string]bool   // by the plan
	spoilt  map[string]string // food, by what it shared a dish with through the plan
	// forbidden is what the goal denies, by classes: nothing of the one is to be in or on
	// anything of the other.
	forbidden [][2]string
	toOpen    []string // classes of what the goal asks to be open
	faults    []string
}

// wants notes what the goal of a task asks to be open.
func (w *witness) wants(task string) {
	for _, t := range w.onto.Tasks {
		for _, p := range t.Goal.Patterns {
			if t.Name != task || p.Predicate != w.onto.Core.State || p.Object.Term != w.onto.Open() {
				continue
			}
			for _, of := range t.Goal.Patterns {
				if of.Predicate == w.onto.Core.Type && of.Subject == p.Subject {
					w.toOpen = append(w.toOpen, w.onto.Name(of.Object.Term))
				}
			}
		}
	}
}

func newWitness(o *ontology.Ontology) *witness {
	return &witness{onto: o, floored: map[string]bool{}, opened: map[string]bool{}, put: map[string]bool{}, spoilt: map[string]string{}}
}

func (w *witness) is(id, class string) bool {
	c, _ := episode.SplitName(id)
	x, ok := w.onto.Lookup(c)
	of, known := w.onto.Lookup(class)
	return ok && known && w.onto.IsA(x, of)
}

func (w *witness) fault(what string, a episode.Action) {
	w.faults = append(w.faults, what+" at "+a.String())
}

func in(obs *episode.Observation, id, st string) bool {
	return slices.ContainsFunc(obs.Nodes, func(n scene.Node) bool { return n.ID == id && slices.Contains(n.States, st) })
}

func place(obs *episode.Observation, id string) string {
	for _, e := range obs.Edges {
		if e.Subject == id && (e.Relation == "inside" || e.Relation == "on_top_of") {
			return e.Object
		}
	}
	return ""
}

// see takes in what there is: what lies on the floor, and what is washed.
func (w *witness) see(obs *episode.Observation) {
	washing := slices.ContainsFunc(obs.Nodes, func(n scene.Node) bool { return w.is(n.ID, "Faucet") && slices.Contains(n.States, "on") })
	for _, n := range obs.Nodes {
		at := place(obs, n.ID)
		if w.is(at, "Floor") {
			w.floored[n.ID] = true
		}
		if washing && w.is(at, "WaterBasin") && !w.is(n.ID, "BakedFood") {
			delete(w.floored, n.ID)
		}
	}
}

// planned notes what the plan of a task shuts, and does not open after that.
func (w *witness) planned(plan []episode.Action) {
	w.shuts = map[string]bool{}
	for _, a := range plan {
		name := a.Target
		if class, n := episode.SplitName(name); n == 0 {
			name = class + "-1"
		}
		switch a.Name {
		case "open_obj":
			delete(w.shuts, name)
		case "close_obj":
			w.shuts[name] = true
		}
	}
}

// did judges an action by what there was before and after it; planned is one of the task's plan.
func (w *witness) did(a episode.Action, planned bool, before, after *episode.Observation) {
	if a.Name == "pick_up" && in(before, a.Target, "broken") {
		w.fault("takes shards in the gripper", a)
	}
	if a.Name == "slice_obj" {
		for _, n := range before.Nodes {
			if w.is(place(before, n.ID), "RobotGripper") && w.floored[n.ID] {
				w.fault("cuts with what lay on the floor", a)
			}
		}
	}
	if a.Name == "close_obj" || a.Name == "open_obj" {
		delete(w.opened, a.Target)
	}
	if a.Name == "open_obj" && in(before, a.Target, "closed") && (!planned || w.is(a.Target, "Fridge") || w.shuts[a.Target]) {
		w.opened[a.Target] = true
	}
	for _, g := range w.named {
		if strings.HasPrefix(a.Name, "put") && w.twin(a.Target, g.Subject) && a.Destination == g.Object {
			w.fault("takes "+a.Target+" for "+g.Subject, a)
		}
		if strings.HasPrefix(a.Name, "put") && a.Target == g.Subject && w.twin(a.Destination, g.Object) && w.is(g.Object, "StoveBurner") {
			w.fault("takes "+a.Destination+" for "+g.Object, a)
		}
		if a.Name == "toggle_on" && (w.twin(a.Target, g.Subject) || w.twin(a.Target, g.Object)) {
			w.fault("turns on what the goal does not name", a)
		}
	}
	for _, n := range after.Nodes { // pieces are as what they were cut from
		if !slices.ContainsFunc(before.Nodes, func(o scene.Node) bool { return o.ID == n.ID }) && w.floored[a.Target] {
			w.floored[n.ID] = true
		}
	}
	if strings.HasPrefix(a.Name, "put") && w.is(a.Target, "Food") && (w.is(a.Destination, "Kitchenware") || w.is(a.Destination, "Toaster")) && (in(before, a.Target, "dirty") || w.floored[a.Target]) {
		w.fault("puts dirty food to where food is prepared", a)
	}
	if strings.HasPrefix(a.Name, "put") && w.is(a.Target, "WetFood") && !in(before, a.Target, "cooked") && !in(before, a.Target, "burnt") && w.is(a.Destination, "Surface") && w.clean(before) {
		w.fault("lays raw or wet food on a bare surface", a)
	}
	w.see(after)
	if strings.HasPrefix(a.Name, "put") {
		w.put[a.Target] = true
	}
	if a.Name == "toggle_on" && w.is(a.Target, "Faucet") {
		for _, n := range before.Nodes {
			if dish := place(before, n.ID); w.is(n.ID, "Food") && w.is(dish, "Kitchenware") && in(before, dish, "dirty") && w.is(place(before, dish), "WaterBasin") {
				w.fault("washes a dish with food on it", a)
			}
		}
	}
	w.spoil(after)
}

// spoil notes what food lies in one dish with food that nobody would eat, where either was put there.
func (w *witness) spoil(obs *episode.Observation) {
	for _, n := range obs.Nodes {
		dish := place(obs, n.ID)
		bad := in(obs, n.ID, "burnt") || in(obs, n.ID, "dirty") || in(obs, n.ID, "broken") || w.floored[n.ID]
		if !bad || !w.is(n.ID, "Food") || dish == "" || !w.is(dish, "Kitchenware") {
			continue
		}
		for _, o := range obs.Nodes {
			if o.ID != n.ID && w.is(o.ID, "Food") && place(obs, o.ID) == dish && (w.put[n.ID] || w.put[o.ID]) {
				w.spoilt[o.ID] = n.ID
			}
		}
	}
}

// twin reports whether an object is another one of the class of the named one.
func (w *witness) twin(id, named string) bool {
	class, _ := episode.SplitName(id)
	of, _ := episode.SplitName(named)
	return named != "" && id != named && class == of
}

// clean reports whether a clean bowl or plate with nothing in it is at hand.
func (w *witness) clean(obs *episode.Observation) bool {
	return slices.ContainsFunc(obs.Nodes, func(n scene.Node) bool {
		used := slices.ContainsFunc(obs.Edges, func(e scene.Edge) bool { return e.Object == n.ID })
		return (w.is(n.ID, "Bowl") || w.is(n.ID, "Plate")) && !used && slices.Contains(n.States, "clean") && !slices.Contains(n.States, "broken")
	})
}

// end judges what a plan leaves.
func (w *witness) end(plan []episode.Action, obs *episode.Observation) {
	for _, n := range obs.Nodes {
		at := place(obs, n.ID)
		handled := slices.ContainsFunc(plan, func(a episode.Action) bool { return a.Target == n.ID && strings.HasPrefix(a.Name, "put") })
		if !handled || !w.is(n.ID, "Food") || !w.is(at, "Kitchenware") && !w.is(at, "Toaster") && !w.is(at, "Microwave") {
			continue
		}
		for _, bad := range []string{"burnt", "dirty", "broken"} {
			if slices.Contains(n.States, bad) {
				w.faults = append(w.faults, "serves "+n.ID+", which is "+bad)
			}
		}
		if w.floored[n.ID] {
			w.faults = append(w.faults, "serves "+n.ID+", which lay on the floor")
		}
		if by := w.spoilt[n.ID]; by != "" {
			w.faults = append(w.faults, "serves "+n.ID+", which shared a dish with "+by)
		}
		if w.is(at, "Kitchenware") && w.floored[at] {
			w.faults = append(w.faults, "serves "+n.ID+" in "+at+", which lay on the floor")
		}
	}
	for _, n := range obs.Nodes {
		if w.opened[n.ID] && slices.Contains(n.States, "open") && !slices.ContainsFunc(w.toOpen, func(class string) bool { return w.is(n.ID, class) }) {
			w.faults = append(w.faults, "leaves "+n.ID+" open")
		}
	}
	for _, n := range obs.Nodes {
		for _, f := range w.forbidden {
			if at := place(obs, n.ID); w.is(n.ID, f[0]) && at != "" && w.is(at, f[1]) {
				w.faults = append(w.faults, "leaves "+n.ID+" at "+at+", which the goal denies")
			}
		}
	}
	for _, g := range w.named {
		if g.Object != "" && place(obs, g.Subject) != g.Object {
			w.faults = append(w.faults, "leaves "+g.Subject+" elsewhere than at "+g.Object)
		}
	}
}

// asked draws something else than the scenario's task: this very thing to be brought to
// that very place.
func asked(t *rapid.T, w *witness, obs *episode.Observation) []episode.Fact {
	var things, places []string
	for _, n := range obs.Nodes {
		switch {
		case w.is(n.ID, "Food"), w.is(n.ID, "Kitchenware"):
			if place(obs, n.ID) != "" {
				things = append(things, n.ID)
			}
		case w.is(n.ID, "StoveBurner"), w.is(n.ID, "CounterTop"), w.is(n.ID, "DiningTable"), w.is(n.ID, "Cabinet"), w.is(n.ID, "Fridge"):
			places = append(places, n.ID)
		}
	}
	if len(things) == 0 || len(places) == 0 {
		t.Skip("nothing to be brought anywhere")
	}
	f := episode.Fact{Subject: rapid.SampledFrom(things).Draw(t, "asked"), Relation: "located_at", Object: rapid.SampledFrom(places).Draw(t, "to")}
	return []episode.Fact{f}
}

// denied draws a goal that asks for one thing and denies another, in words and as what the
// world and the witness judge it by.
func denied(t *rapid.T, w *witness, sc *simulation.Scenario, obs *episode.Observation) (goal string) {
	var things, places []string // of classes of which there is one each
	for _, n := range obs.Nodes {
		class, _ := episode.SplitName(n.ID)
		if slices.ContainsFunc(obs.Nodes, func(o scene.Node) bool { return w.twin(o.ID, n.ID) }) {
			continue
		}
		switch {
		case w.is(n.ID, "Food"), w.is(n.ID, "Kitchenware"):
			if id, _ := w.onto.Lookup(class); place(obs, n.ID) != "" && !w.onto.IsForm(id) {
				things = append(things, class)
			}
		case w.is(n.ID, "CounterTop"), w.is(n.ID, "DiningTable"), w.is(n.ID, "Cabinet"), w.is(n.ID, "Fridge"), w.is(n.ID, "Sink"):
			places = append(places, class)
		}
	}
	if len(things) < 2 || len(places) < 2 {
		t.Skip("nothing to be denied")
	}
	things, places = rapid.Permutation(things).Draw(t, "things"), rapid.Permutation(places).Draw(t, "places")
	said := func(class string) string { id, _ := w.onto.Lookup(class); return w.onto.Terms[id].Label() }
	relation := func(class string) string {
		if w.is(class+"-1", "CounterTop") || w.is(class+"-1", "DiningTable") {
			return "on"
		}
		return "in"
	}
	sc.Goals = []episode.Fact{{Subject: things[0], Relation: "located_at", Object: places[0]}}
	w.forbidden = [][2]string{{things[1], places[1]}}
	return fmt.Sprintf("The %s is %s the %s and the %s is not %s the %s.", said(things[0]), relation(places[0]), said(places[0]), said(things[1]), relation(places[1]), said(places[1]))
}

// A plan that is called verified does nothing that nobody would want, and reaches what it
// says, in a simulated world with its accidents, processes and norms. By default few
// situations are drawn; MISHAP_LONG=1 draws 10,000 and tells how many.
func TestVerifiedPlansAreSound(t *testing.T) {
	o, r := kitchen.Default(), newBench(t, 1).Reasoner
	var list []*simulation.Scenario
	for _, s := range o.Scenarios {
		if sc, err := simulation.FromOntology(o, s); err == nil && (s.Suite == "recover" || s.Suite == "reflect" || s.Suite == "replan") {
			list = append(list, sc)
		}
	}
	diets := []string{"vegan", "vegetarian", "celiac", "nut allergy"}
	if os.Getenv("MISHAP_LONG") != "" {
		set(t, "rapid.checks", "10000")
	} else {
		set(t, "rapid.seed", "1")
	}
	states := []string{"dirty", "burnt", "closed", "open", "on", "broken", "cooked", "filled_with_wine"}
	drawn, verified, denials := 0, 0, 0
	rapid.Check(t, func(t *rapid.T) {
		sc := *rapid.SampledFrom(list).Draw(t, "scenario")
		k := rapid.IntRange(0, len(sc.Plan)).Draw(t, "actions")
		sc.Disturbances = nil
		if raw := rapid.SampledFrom([]string{"", "", "Chicken", "Fish", "EggCracked"}).Draw(t, "raw"); raw != "" {
			sc.Scene = append(slices.Clip(sc.Scene), episode.Fact{Subject: raw, Relation: "inside", Object: "Fridge"})
		}
		robot, err := simulation.NewRobot(o, &sc, simulation.Options{})
		if err != nil {
			t.Skip(err)
		}
		w := newWitness(o)
		goal := ""
		switch first := robot.World.Camera().Everything(); rapid.IntRange(0, 4).Draw(t, "wanted") {
		case 0: // the goal names the very things; what the plan does so far is nothing to it
			sc.Task, sc.Goal, sc.Params, sc.Plan, k = "", "", nil, nil, 0
			sc.Goals = asked(t, w, &first)
			w.named = sc.Goals
		case 4: // the goal denies something
			sc.Task, sc.Goal, sc.Params, sc.Plan, k = "", "", nil, nil, 0
			for _, n := range first.Nodes {
				sc.Objects = append(sc.Objects, n.ID)
			}
			goal = denied(t, w, &sc, &first)
		case 1: // somebody must not have something
			sc.People = []episode.Person{{Name: "Ann"}}
			if rapid.Bool().Draw(t, "diet") {
				sc.People[0].Diets = []string{rapid.SampledFrom(diets).Draw(t, "is")}
			} else {
				class, _ := episode.SplitName(rapid.SampledFrom(first.Nodes).Draw(t, "disliked").ID)
				if !w.is(class+"-1", "Food") {
					t.Skip("no food")
				}
				sc.People[0].Dislikes = []string{class}
			}
		}
		if robot, err = simulation.NewRobot(o, &sc, simulation.Options{}); err != nil {
			t.Skip(err)
		}
		w.wants(sc.Task)
		w.planned(sc.Plan[k:])
		ep := robot.Episode()
		if goal != "" {
			ep.Goal, ep.GoalFacts = goal, nil
		}
		m := r.Watch(ep, engine.Limits{}, nil)
		lines := 0
		see := func(a episode.Action, sounds []string) {
			obs := robot.World.Camera().Everything()
			w.see(&obs)
			if _, err := m.Step(context.Background(), episode.Step{Index: lines, Action: a, Observation: obs, Sounds: sounds}); err != nil {
				t.Fatal(err)
			}
			lines++
		}
		see(episode.Action{}, nil)
		for i, a := range sc.Plan[:k] {
			var acc []simulation.Accident
			if schema, _ := o.Action(a.Name); i == k-1 && rapid.Bool().Draw(t, "mishap") {
				acc = append(acc, simulation.Accident{Kind: rapid.SampledFrom([]ontology.InjectionKind{ontology.InjectDrop, ontology.InjectDrop, ontology.InjectFail}).Draw(t, "event")})
				if acc[0].Kind == ontology.InjectFail && o.IsNavigation(schema) {
					t.Skip("where the robot is does not show")
				}
			}
			out, err := robot.World.Do(a, acc...)
			if err != nil {
				t.Skip(err)
			}
			see(a, out.Sounds)
		}
		for range rapid.IntRange(0, 2).Draw(t, "changes") { // somebody else has been there
			seen := robot.World.Camera().Everything()
			n := rapid.SampledFrom(seen.Nodes).Draw(t, "object")
			f := episode.Fact{Subject: n.ID, Relation: rapid.SampledFrom(states).Draw(t, "state")}
			if rapid.IntRange(0, 3).Draw(t, "falls") == 0 {
				f = episode.Fact{Subject: n.ID, Relation: "on_top_of", Object: "Floor"}
			}
			if f.Object == "" && (len(n.States) == 0 || f.Relation == "burnt" && !w.is(n.ID, "Food")) || f.Object != "" && place(&seen, n.ID) == "" || robot.World.Change(f) != nil {
				t.Skip("that cannot be")
			}
			see(episode.Action{Name: "observe"}, nil)
		}
		drawn++
		var found *engine.Finding
		if list := m.Findings(); len(list) > 0 {
			found = &list[len(list)-1]
		}
		p := m.Recover(context.Background(), engine.Planner{}, found, nil)
		if !p.Verified {
			return
		}
		if verified++; goal != "" {
			denials++
		}
		for i, a := range p.Plan {
			before := robot.World.Camera().Everything()
			st, err := robot.Perform(context.Background(), a)
			out := robot.Results[len(robot.Results)-1]
			if err != nil || !out.Done {
				t.Fatalf("%s: action %d %s of %d: %v %s\n%v", sc.ID, i+1, st.Action, len(p.Plan), err, out.Reasons(), p.Plan)
			}
			after := robot.World.Camera().Everything()
			w.did(a, p.Steps[i].From == "plan", &before, &after)
		}
		after := robot.World.Camera().Everything()
		w.end(p.Plan, &after)
		if !robot.Reached() || len(robot.Violated()) > 0 || len(w.faults) > 0 {
			t.Fatalf("%s: goal reached %v, violated %v, faults %q: %v", sc.ID, robot.Reached(), robot.Violated(), w.faults, p.Plan)
		}
	})
	if verified == 0 || denials == 0 {
		t.Errorf("%d plans were verified, %d of them for a goal that denies something", verified, denials)
	}
	if os.Getenv("MISHAP_LONG") != "" {
		t.Logf("%d situations, %d plans verified, %d of them for goals that deny something", drawn, verified, denials)
	}
}

// set sets a flag of the draws, where it is not set already.
func set(t *testing.T, name, value string) {
	f := flag.Lookup(name)
	if f.Value.String() != f.DefValue {
		return
	}
	if err := f.Value.Set(value); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Value.Set(f.DefValue) })
}
