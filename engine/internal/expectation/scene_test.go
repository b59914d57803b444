package expectation_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mishap-robotics/mishap/engine/discrepancy"
	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/engine/internal/belief"
	"github.com/mishap-robotics/mishap/engine/internal/episodetest"
	"github.com/mishap-robotics/mishap/engine/internal/expectation"
	"github.com/mishap-robotics/mishap/engine/internal/projection"
	"github.com/mishap-robotics/mishap/engine/internal/state"
	"github.com/mishap-robotics/mishap/engine/scene"
	"github.com/mishap-robotics/mishap/ontology"
)

// ahead follows a script and carries out the rest of its plan.
func ahead(t testing.TB, script string) *projection.Projection {
	t.Helper()
	o := ontology.Default()
	ep := episodetest.Parse(t, o, script)
	steps := ep.Steps
	f := belief.NewTracker(o, ep)
	for _, st := range steps {
		f.Step(st)
	}
	return projection.Project(f)
}

// view is that of the next action of the plan.
func view(a *projection.Projection, relevant expectation.Relevant) expectation.View {
	v := expectation.View{Relevant: relevant, Objects: a.Planned, Robot: a.Robot, Gripper: a.Gripper,
		Call: state.Call{Target: state.Nothing, Destination: state.Nothing}}
	if a.Happened < len(a.Events) {
		v.Call = a.Events[a.Happened].Call
	}
	return v
}

// lines writes a graph, each node and edge a line, in order: "Mug-1 Mug: clean
// empty" and "Mug-1 located_at Sink-1", with ! where that says the place.
func lines(g *scene.Graph) []string {
	var out []string
	for _, n := range g.Nodes {
		states := slices.Sorted(slices.Values(n.States))
		out = append(out, strings.TrimSpace(n.ID+" "+n.Class+": "+strings.Join(states, " ")))
	}
	for _, e := range g.Edges {
		relation := e.Relation
		if e.Place {
			relation += "!"
		}
		out = append(out, e.Subject+" "+relation+" "+e.Object)
	}
	slices.Sort(out)
	return out
}

// sorted splits a text into trimmed lines.
func sorted(text string) []string {
	var out []string
	for line := range strings.Lines(strings.TrimSpace(text)) {
		out = append(out, strings.TrimSpace(line))
	}
	slices.Sort(out)
	return out
}

func TestOf(t *testing.T) {
	const apple = `
		plan: (pick_up, Apple-1), (put_in, Apple-1, Sink-1)
		0 | Apple-1 inside Bowl-1, Bowl-1 on_top_of CounterTop-1, Plate-1 on_top_of CounterTop-1, Sink-1, Pot-1 occludes Apple-1`
	const held = `
		plan: (pick_up, Mug-1), (navigate_to_obj, Sink-1), (put_in, Mug-1, Sink-1)
		0 | Mug-1 on_top_of CounterTop-1, Mug-1 dirty, Apple-1 on_top_of CounterTop-1, Sink-1
		1 (pick_up, Mug-1) | Mug-1 inside RobotGripper-1, Mug-1 dirty
		2 (navigate_to_obj, Sink-1) | Sink-1, Mug-1 inside RobotGripper-1`
	tests := []struct {
		name, script string
		relevant     expectation.Relevant
		want         string
	}{
		{"the objects of the plan and what is next to them", apple, expectation.Plan, `
			Robot-1 Robot:
			Apple-1 Apple:
			Bowl-1 Bowl: clean empty intact
			Pot-1 Pot: clean empty
			Sink-1 Sink:
			subtask pick_up:
			Apple-1 located_at! Bowl-1
			Pot-1 occluding Apple-1
			subtask target Apple-1`},
		{"the objects of the subtask and what is next to them", apple, expectation.Subtask, `
			Robot-1 Robot:
			Apple-1 Apple:
			Bowl-1 Bowl: clean empty intact
			Pot-1 Pot: clean empty
			subtask pick_up:
			Apple-1 located_at! Bowl-1
			Pot-1 occluding Apple-1
			subtask target Apple-1`},
		{"all", apple, expectation.All, `
			Robot-1 Robot:
			Apple-1 Apple:
			Bowl-1 Bowl: clean empty intact
			CounterTop-1 CounterTop:
			Plate-1 Plate: clean intact
			Pot-1 Pot: clean empty
			Sink-1 Sink:
			subtask pick_up:
			Apple-1 located_at! Bowl-1
			Bowl-1 located_at! CounterTop-1
			Plate-1 located_at! CounterTop-1
			Pot-1 occluding Apple-1
			subtask target Apple-1`},
		{"the gripper is a part of the robot, whose nearness is left out", held, expectation.Plan, `
			Robot-1 Robot:
			Mug-1 Mug: dirty empty intact
			Sink-1 Sink:
			subtask put_in:
			Mug-1 located_at! Robot-1
			subtask target Mug-1
			subtask destination Sink-1`},
		{"also where all is asked for", held, expectation.All, `
			Robot-1 Robot:
			Mug-1 Mug: dirty empty intact
			Sink-1 Sink:
			Apple-1 Apple:
			CounterTop-1 CounterTop:
			subtask put_in:
			Apple-1 located_at! CounterTop-1
			Mug-1 located_at! Robot-1
			subtask target Mug-1
			subtask destination Sink-1`},
		{"no subtask is left", held + `
			3 (put_in, Mug-1, Sink-1) | Mug-1 inside Sink-1, Mug-1 dirty`, expectation.Subtask, `
			Robot-1 Robot:`},
		{"what no longer exists", `
			plan: (slice_obj, Bread-1)
			0 | Bread-1 on_top_of CounterTop-1, Knife-1 inside RobotGripper-1
			1 (slice_obj, Bread-1) | BreadSliced-1 on_top_of CounterTop-1, Knife-1 inside RobotGripper-1`, expectation.All, `
			Robot-1 Robot:
			BreadSliced-1 BreadSliced: raw sliced
			CounterTop-1 CounterTop:
			Knife-1 Knife: clean
			BreadSliced-1 located_at! CounterTop-1
			Knife-1 located_at! Robot-1`},
		{"in and on are one relation, and what is beside what is kept once", `
			plan: (pick_up, Mug-1), (pick_up, Cup-1)
			0 | Mug-1 on_top_of Sink-1, Cup-1 inside Sink-1, Mug-1 left_of Cup-1`, expectation.Plan, `
			Robot-1 Robot:
			Mug-1 Mug: clean empty intact
			Cup-1 Cup: clean empty intact
			Sink-1 Sink:
			subtask pick_up:
			Mug-1 located_at! Sink-1
			Cup-1 located_at! Sink-1
			Mug-1 left_of Cup-1
			subtask target Mug-1`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			a := ahead(t, tt.script)
			if diff := cmp.Diff(sorted(tt.want), lines(expectation.Of(a.Present, view(a, tt.relevant)))); diff != "" {
				t.Errorf("graph (-want +got):\n%s", diff)
			}
		})
	}
}

// A gripper that the plan names is the robot too.
func TestOfGripper(t *testing.T) {
	a := ahead(t, `
		plan: (pick_up, Mug-1)
		0 | Mug-1 inside RobotGripper-1`)
	for _, relevant := range []expectation.Relevant{expectation.Plan, expectation.Subtask, expectation.All} {
		v := view(a, relevant)
		v.Objects = append(slices.Clone(v.Objects), a.Gripper)
		want := sorted(`
			Robot-1 Robot:
			Mug-1 Mug: clean empty intact
			subtask pick_up:
			Mug-1 located_at! Robot-1
			subtask target Mug-1`)
		if diff := cmp.Diff(want, lines(expectation.Of(a.Present, v))); diff != "" {
			t.Errorf("%s (-want +got):\n%s", relevant, diff)
		}
	}
}

// Graphs name what the comparison takes: every end of an edge is a node.
func TestOfIsComparable(t *testing.T) {
	a := ahead(t, `
		plan: (pick_up, gizmo-1), (put_in, gizmo-1, Fridge-1)
		0 | gizmo-1 on_top_of CounterTop-1, Fridge-1 closed, Pot-1 occludes Fridge-1, Egg-1 inside Fridge-1`)
	for _, relevant := range []expectation.Relevant{expectation.Plan, expectation.Subtask, expectation.All} {
		g := expectation.Of(a.Present, view(a, relevant))
		r, err := discrepancy.Compare(t.Context(), g, g, discrepancy.FromOntology(ontology.Default()), discrepancy.Ablation{})
		if err != nil || r.Score < 1-1e-12 || len(r.Differences) > 0 {
			t.Errorf("%s: result %+v, error %v", relevant, r, err)
		}
	}
}

// Each row says what the first action of a plan asks for and is not so: lines of the
// graph of all that are gone and that come in their place.
func TestRequired(t *testing.T) {
	tests := []struct {
		name, script string
		exempt       []string
		gone, comes  string
		unfit        bool
	}{
		{name: "nothing", script: `
			plan: (put_in, Mug-1, Sink-1)
			0 | Mug-1 inside RobotGripper-1, Sink-1`},
		{name: "a closed destination is open", script: `
			plan: (put_in, Mug-1, Microwave-1)
			0 | Mug-1 inside RobotGripper-1, Microwave-1 closed`,
			gone: "Microwave-1 Microwave: closed off", comes: "Microwave-1 Microwave: off open"},
		{name: "what encloses the target is open", script: `
			plan: (pick_up, Egg-1)
			0 | Egg-1 inside Bowl-1, Bowl-1 inside Fridge-1, Fridge-1 closed`,
			gone: "Fridge-1 Fridge: closed", comes: "Fridge-1 Fridge: open"},
		{name: "a locked door is unlocked", script: `
			plan: (open_obj, Safe-1)
			0 | Safe-1 locked, Safe-1 closed`,
			gone: "Safe-1 Safe: closed locked", comes: "Safe-1 Safe: closed unlocked"},
		{name: "a broken target is whole", script: `
			plan: (pick_up, Mug-1)
			0 | Mug-1 on_top_of Floor-1, Mug-1 broken`,
			gone: "Mug-1 Mug: broken clean empty", comes: "Mug-1 Mug: clean empty intact"},
		{name: "a device is off", script: `
			plan: (toggle_on, Faucet-1)
			0 | Faucet-1 on`,
			gone: "Faucet-1 Faucet: on", comes: "Faucet-1 Faucet: off"},
		{name: "a dirty dish is clean for food", script: `
			plan: (put_on, Apple-1, Plate-1)
			0 | Apple-1 inside RobotGripper-1, Plate-1 dirty`,
			gone: "Plate-1 Plate: dirty intact", comes: "Plate-1 Plate: clean intact"},
		{name: "but not for other things", script: `
			plan: (put_on, Fork-1, Plate-1)
			0 | Fork-1 inside RobotGripper-1, Plate-1 dirty`},
		{name: "a vessel to be filled is clean and empty", script: `
			plan: (put_in, Mug-1, CoffeeMachine-1)
			0 | Mug-1 inside RobotGripper-1, Mug-1 dirty, Mug-1 filled_with_water, CoffeeMachine-1`,
			gone: "Mug-1 Mug: dirty filled_with_water intact", comes: "Mug-1 Mug: clean empty intact"},
		{name: "a norm that does not apply", script: `
			plan: (put_in, Mug-1, CoffeeMachine-1)
			0 | Mug-1 inside RobotGripper-1, Mug-1 dirty, Mug-1 filled_with_water, CoffeeMachine-1`, exempt: []string{"clean_vessel"},
			gone: "Mug-1 Mug: dirty filled_with_water intact", comes: "Mug-1 Mug: dirty empty intact"},
		{name: "no other liquid is where some is poured", script: `
			plan: (pour, Mug-1, Cup-1)
			0 | Mug-1 inside RobotGripper-1, Mug-1 filled_with_water, Cup-1 filled_with_wine`,
			gone: "Cup-1 Cup: clean filled_with_wine intact", comes: "Cup-1 Cup: clean intact"},
		{name: "no occluder", script: `
			plan: (pick_up, Mug-1)
			0 | Mug-1 on_top_of CounterTop-1, Pot-1 on_top_of CounterTop-1, Pot-1 occludes Mug-1`,
			gone: "Pot-1 occluding Mug-1"},
		{name: "none of several occluders", script: `
			plan: (pick_up, Mug-1)
			0 | Mug-1 on_top_of CounterTop-1, Pot-1 on_top_of CounterTop-1, Pan-1 on_top_of CounterTop-1, Pot-1 occludes Mug-1, Pan-1 occludes Mug-1`,
			gone: "Pot-1 occluding Mug-1\nPan-1 occluding Mug-1"},
		{name: "no occupant", script: `
			plan: (pick_up, Pan-1), (put_on, Pot-1, StoveBurner-1)
			0 | Pan-1 on_top_of StoveBurner-1, Pot-1 inside RobotGripper-1
			1 (pick_up, Pan-1) | Pan-1 on_top_of StoveBurner-1, Pot-1 inside RobotGripper-1`,
			gone: "Pan-1 located_at! StoveBurner-1"},
		{name: "one occupant less is enough", script: `
			plan: (put_in, BreadSliced-3, Toaster-1)
			0 | BreadSliced-3 inside RobotGripper-1, BreadSliced-1 inside Toaster-1, BreadSliced-2 inside Toaster-1`,
			gone: "BreadSliced-1 located_at! Toaster-1\nBreadSliced-1 BreadSliced: raw sliced"},
		{name: "nothing on what is picked up", script: `
			plan: (pick_up, Book-1)
			0 | Book-1 on_top_of Desk-1, Laptop-1 on_top_of Book-1`,
			gone: "Laptop-1 located_at! Book-1\nLaptop-1 Laptop: intact open"},
		{name: "the object is in the gripper", script: `
			plan: (put_in, Mug-1, Sink-1)
			0 | Mug-1 on_top_of CounterTop-1, Apple-1 on_top_of CounterTop-1, Sink-1`,
			gone: "Mug-1 located_at! CounterTop-1", comes: "Mug-1 located_at! Robot-1"},
		{name: "the gripper is free", script: `
			plan: (pick_up, Mug-1), (pick_up, Apple-1)
			0 | Mug-1 on_top_of CounterTop-1, Apple-1 inside RobotGripper-1`,
			gone: "Apple-1 located_at! Robot-1"},
		{name: "a knife is in the gripper", script: `
			plan: (slice_obj, Bread-1)
			0 | Bread-1 on_top_of CounterTop-1, Knife-1 on_top_of CounterTop-1`,
			gone: "Knife-1 located_at! CounterTop-1", comes: "Knife-1 located_at! Robot-1"},
		{name: "the remote control is in the gripper", script: `
			plan: (toggle_on, Television-1)
			0 | Television-1 off, RemoteControl-1 on_top_of CoffeeTable-1, Book-1 on_top_of CoffeeTable-1`,
			gone: "RemoteControl-1 located_at! CoffeeTable-1", comes: "RemoteControl-1 located_at! Robot-1"},
		{name: "an effect that held already", script: `
			plan: (pick_up, Mug-1)
			0 | Mug-1 inside RobotGripper-1`,
			gone: "Mug-1 located_at! Robot-1"},
		{name: "no room for furniture in a gripper", script: `
			plan: (pick_up, Fridge-1)
			0 | Fridge-1 closed`, unfit: true},
		{name: "no metal in a microwave", script: `
			plan: (put_in, Pot-1, Microwave-1)
			0 | Pot-1 inside RobotGripper-1, Microwave-1 open`, unfit: true},
		{name: "no electronics in a microwave", script: `
			plan: (put_in, CellPhone-1, Microwave-1)
			0 | CellPhone-1 inside RobotGripper-1, Microwave-1 open`, unfit: true},
		{name: "no spoon in a cup in a microwave", script: `
			plan: (put_in, Cup-1, Microwave-1)
			0 | Cup-1 inside RobotGripper-1, Spoon-1 inside Cup-1, Microwave-1 open`,
			gone: "Spoon-1 located_at! Cup-1\nSpoon-1 Spoon: clean"},
		{name: "unless that norm does not apply", script: `
			plan: (put_in, Pot-1, Microwave-1)
			0 | Pot-1 inside RobotGripper-1, Microwave-1 open`, exempt: []string{"microwave_safe"}},
		{name: "nothing can be sliced but food", script: `
			plan: (slice_obj, Book-1)
			0 | Book-1 on_top_of Desk-1, Knife-1 inside RobotGripper-1`, unfit: true},
		{name: "a holder takes one kind of thing", script: `
			plan: (put_on, Book-1, ToiletPaperHanger-1)
			0 | Book-1 inside RobotGripper-1, ToiletPaperHanger-1`, unfit: true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			a := ahead(t, tt.script)
			v := view(a, expectation.All)
			before := lines(expectation.Of(a.Present, v))
			required, fits := expectation.Required(a.Present, v.Call, tt.exempt)
			after := lines(expectation.Of(required, v))
			var gone, comes []string
			for _, l := range before {
				if !slices.Contains(after, l) {
					gone = append(gone, l)
				}
			}
			for _, l := range after {
				if !slices.Contains(before, l) {
					comes = append(comes, l)
				}
			}
			if diff := cmp.Diff(sorted(tt.gone), gone); diff != "" {
				t.Errorf("gone (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(sorted(tt.comes), comes); diff != "" {
				t.Errorf("comes (-want +got):\n%s", diff)
			}
			if fits == tt.unfit {
				t.Errorf("fits %v", fits)
			}
			if fits && len(tt.exempt) == 0 && len(required.Judge(v.Call).UnmetPreconditions())+len(required.Judge(v.Call).ViolatedNorms()) > 0 {
				t.Errorf("still not so: %v %v", required.Judge(v.Call).UnmetPreconditions(), required.Judge(v.Call).ViolatedNorms())
			}
			if diff := cmp.Diff(before, lines(expectation.Of(a.Present, v))); diff != "" {
				t.Errorf("the state itself has changed (-before +after):\n%s", diff)
			}
		})
	}
}

const washed = `
	task: wash the mug
	goal: Mug clean, Mug located_at Sink
	0 | Mug-1 on_top_of CounterTop-1, Mug-1 dirty, Sink-1, Faucet-1 off
	1 (navigate_to_obj, Mug-1) | Mug-1 on_top_of CounterTop-1
	2 (pick_up, Mug-1) | Mug-1 on_top_of CounterTop-1
	3 (pick_up, Mug-1) | Mug-1 inside RobotGripper-1
	4 (navigate_to_obj, Sink-1) | Sink-1, Mug-1 inside RobotGripper-1
	5 (put_in, Mug-1, Sink-1) | Mug-1 inside Sink-1
	6 (toggle_on, Faucet-1) | Faucet-1 on, Mug-1 inside Sink-1, Mug-1 clean
	7 (toggle_off, Faucet-1) | Faucet-1 off`

func reference(t testing.TB, script string) (*expectation.Reference, *episode.Episode) {
	t.Helper()
	ep := episodetest.Parse(t, ontology.Default(), script)
	r, err := expectation.NewReference(ontology.Default(), ep)
	if err != nil {
		t.Fatal(err)
	}
	return r, ep
}

func TestActions(t *testing.T) {
	ep := episodetest.Parse(t, ontology.Default(), `
		0 | Mug-1
		1 (observe) | Mug-1
		2 (pick_up, Mug-1) | none
		3 (pick_up, Mug-1) | none
		4 Robot-2 (pick_up, Mug-1) | none
		5 (observe) | Mug-1`)
	var got []string
	for _, a := range ep.Actions() {
		got = append(got, a.String())
	}
	if diff := cmp.Diff([]string{"(observe)", "(pick_up, Mug-1)", "(pick_up, Mug-1)", "(observe)"}, got); diff != "" {
		t.Errorf("actions (-want +got):\n%s", diff)
	}
}

// A reference has a moment before each of its actions and one at its end, and
// leaves its episode as it is.
func TestNewReference(t *testing.T) {
	o := ontology.Default()
	r, ep := reference(t, washed)
	if r.ID != ep.ID || len(ep.Steps) != 8 || len(ep.Plan) > 0 || len(ep.Warnings) > 0 {
		t.Errorf("reference %s of an episode with %d steps, plan %v, warnings %v", r.ID, len(ep.Steps), ep.Plan, ep.Warnings)
	}
	mug := func(a expectation.Moment) string {
		x, _ := a.State.Objects.Lookup("Mug-1")
		v := expectation.View{Relevant: expectation.All, Objects: []state.Object{x}, Robot: a.View.Robot, Gripper: a.View.Gripper}
		v.Call.Target, v.Call.Destination = state.Nothing, state.Nothing
		var out []string
		for _, l := range lines(expectation.Of(a.State, v)) {
			if strings.HasPrefix(l, "Mug-1 ") {
				out = append(out, strings.TrimPrefix(l, "Mug-1 "))
			}
		}
		return strings.Join(out, ", ")
	}
	var got []string
	for _, a := range r.Align(o, ep.Actions()) {
		got = append(got, mug(a))
	}
	want := []string{
		"Mug: dirty empty intact, located_at! CounterTop-1", // before it moves
		"Mug: dirty empty intact, located_at! CounterTop-1", // before it picks up
		"Mug: dirty empty intact, located_at! Robot-1",
		"Mug: dirty empty intact, located_at! Robot-1",
		"Mug: dirty empty intact, located_at! Sink-1", // before the water runs
		"Mug: clean filled_with_water intact, located_at! Sink-1",
		"Mug: clean filled_with_water intact, located_at! Sink-1", // the end
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("moments (-want +got):\n%s", diff)
	}
}

func TestNewReferenceRefuses(t *testing.T) {
	tests := []struct{ name, script, want string }{
		{"no steps", "goal: Mug clean", "reference episode test has no actions"},
		{"no actions", "0 | Mug-1 clean", "reference episode test has no actions"},
		{"a state of the goal is missed", `
			goal: Mug clean, Mug located_at CounterTop
			0 | Mug-1 on_top_of CounterTop-1, Mug-1 dirty
			1 (navigate_to_obj, Mug-1) | Mug-1 on_top_of CounterTop-1, Mug-1 dirty`,
			"reference episode test does not reach its goal (it lacks Mug-1 clean); expected a successful one"},
		{"a place of the goal is missed", `
			goal: Mug-1 located_at Sink-1
			0 | Mug-1 on_top_of CounterTop-1, Sink-1
			1 (pick_up, Mug-1) | Mug-1 inside RobotGripper-1`,
			"reference episode test does not reach its goal (it lacks Mug-1 located_at "},
		{"the goal of the task is missed", `
			task: make coffee
			0 | Mug-1 on_top_of CounterTop-1, Mug-1 clean, Mug-1 empty
			1 (pick_up, Mug-1) | Mug-1 inside RobotGripper-1`,
			"reference episode test does not reach its goal (it lacks "},
	}
	for _, tt := range tests {
		ep := episodetest.Parse(t, ontology.Default(), tt.script)
		if r, err := expectation.NewReference(ontology.Default(), ep); err == nil || r != nil || !strings.HasPrefix(err.Error(), tt.want) {
			t.Errorf("%s: reference %v, error %v; want %s", tt.name, r, err, tt.want)
		}
	}
	reference(t, `
		task: something that nobody knows
		1 (pick_up, Mug-1) | Mug-1 inside RobotGripper-1`) // no goal is missed
}

func TestAlign(t *testing.T) {
	o := ontology.Default()
	r, ep := reference(t, washed)
	own := r.Align(o, ep.Actions())
	tests := []struct {
		name, plan string
		want       []int // moments of the reference; 6 is its end
	}{
		{"the same plan", "(navigate_to_obj, Mug), (pick_up, Mug), (navigate_to_obj, Sink), (put_in, Mug, Sink), (toggle_on, Faucet), (toggle_off, Faucet)",
			[]int{0, 1, 2, 3, 4, 5, 6}},
		{"no plan", "", []int{6}},
		{"a move is left out", "(pick_up, Mug), (put_in, Mug, Sink), (toggle_on, Faucet), (toggle_off, Faucet)", []int{1, 3, 4, 5, 6}},
		{"an action that changes something is left out", "(navigate_to_obj, Mug), (pick_up, Mug), (navigate_to_obj, Sink), (put_in, Mug, Sink), (toggle_off, Faucet)",
			[]int{0, 1, 2, 3, 4, 6}},
		{"two are left out", "(navigate_to_obj, Mug), (pick_up, Mug), (toggle_off, Faucet)", []int{0, 1, 3, 6}},
		{"the first is left out", "(navigate_to_obj, Sink), (put_in, Mug, Sink), (toggle_on, Faucet)", []int{2, 1, 4, 6}},
		{"an action too many", "(pick_up, Mug), (open_obj, Cabinet), (put_in, Mug, Sink), (toggle_on, Faucet), (toggle_off, Faucet)", []int{1, 2, 3, 4, 5, 6}},
		{"too many at the end", "(toggle_on, Faucet), (toggle_off, Faucet), (pick_up, Fork), (pick_up, Spoon)", []int{1, 5, 6, 6, 6}},
		{"a look too many", "(observe), (pick_up, Mug)", []int{0, 1, 6}},
		{"put on for put in", "(pick_up, Mug), (put_on, Mug, Sink)", []int{1, 3, 6}},
		{"nothing in common", "(pick_up, Fork), (put_in, Fork, Drawer)", []int{0, 0, 6}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var plan []episode.Action
			if tt.plan != "" {
				plan = episodetest.Parse(t, o, "plan: "+tt.plan).Plan
			}
			var got []int
			for _, a := range r.Align(o, plan) {
				got = append(got, slices.IndexFunc(own, func(m expectation.Moment) bool { return m.State == a.State }))
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("moments (-want +got):\n%s", diff)
			}
		})
	}
}

// The more a plan shares with a reference, the better that fits.
func TestShared(t *testing.T) {
	o := ontology.Default()
	r, ep := reference(t, washed)
	for _, tt := range []struct {
		plan string
		want int
	}{
		{"(pick_up, Mug)", 3 - 1 - 6},
		{"(pick_up, Mug), (put_in, Mug, Sink)", 6 - 2 - 6},
		{"(pick_up, Fork)", -1 - 6},
	} {
		if got := r.Shared(o, episodetest.Parse(t, o, "plan: "+tt.plan).Plan); got != tt.want {
			t.Errorf("%s: %d, want %d", tt.plan, got, tt.want)
		}
	}
	if got := r.Shared(o, ep.Actions()); got != 6 {
		t.Errorf("its own plan: %d, want 6", got)
	}
}

func TestSameTask(t *testing.T) {
	for _, tt := range []struct {
		task, reference string
		same            bool
	}{
		{"make coffee", "make coffee", true},
		{"make coffee", "MakeCoffee", true},
		{"serve coffee", "make coffee", true}, // another label
		{"juggle", "Juggle", true},
		{"", "", true},
		{"make coffee", "boil water", false},
		{"make coffee", "juggle", false},
		{"juggle", "make coffee", false},
		{"juggle", "dance", false},
		{"", "make coffee", false},
	} {
		err := expectation.SameTask(ontology.Default(), &episode.Episode{ID: "a", Task: tt.task}, &episode.Episode{ID: "b", Task: tt.reference})
		if (err == nil) != tt.same {
			t.Errorf("%q and %q: error %v", tt.task, tt.reference, err)
		}
		if want := `reference episode b is of the task "` + tt.reference + `", episode a of "` + tt.task + `"; expected one of the same task`; err != nil && err.Error() != want {
			t.Errorf("error %v, want %s", err, want)
		}
	}
}

func TestCommon(t *testing.T) {
	type graph = scene.Graph
	one := func(states ...string) *graph {
		return &graph{Nodes: []scene.Node{{ID: "Mug-1", Class: "Mug", States: states}}}
	}
	tests := []struct {
		name                 string
		observed, expected   *graph
		observes, anticipate []string // what is left of the states
	}{
		{"the same", one("clean", "empty"), one("clean", "empty"), []string{"clean", "empty"}, []string{"clean", "empty"}},
		{"both know another state", one("dirty"), one("clean"), []string{"dirty"}, []string{"clean"}},
		{"only one knows", one("clean", "hot"), one("dirty", "empty"), []string{"clean"}, []string{"dirty"}},
		{"one knows nothing", one(), one("dirty", "empty"), nil, nil},
		{"one state implies the other", one("filled_with_coffee"), one("empty"), []string{"filled_with_coffee"}, []string{"empty"}},
		{"a state that the ontology does not know", one("shiny"), one("clean"), []string{"shiny"}, nil},
	}
	for _, tt := range tests {
		before := cmp.Diff(tt.observed, tt.expected)
		observed, expected := expectation.Common(ontology.Default(), tt.observed, tt.expected)
		var got [2][]string
		for i, g := range []*graph{observed, expected} {
			for _, n := range g.Nodes {
				got[i] = append(got[i], n.States...)
			}
		}
		if diff := cmp.Diff([2][]string{tt.observes, tt.anticipate}, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, diff)
		}
		if cmp.Diff(tt.observed, tt.expected) != before {
			t.Errorf("%s: the graphs themselves have changed", tt.name)
		}
	}
}

// A relation other than a place is compared where both graphs have some of its kind, but
// for what stands in front of something.
func TestCommonRelations(t *testing.T) {
	o := ontology.Default()
	with := func(edges ...string) *scene.Graph {
		g := &scene.Graph{Nodes: []scene.Node{{ID: "Mug-1", Class: "Mug"}, {ID: "Cup-1", Class: "Cup"}, {ID: "Pot-1", Class: "Pot"}}}
		for _, e := range edges {
			w := strings.Fields(e)
			g.Edges = append(g.Edges, scene.Edge{Subject: w[0], Relation: w[1], Object: w[2]})
		}
		return g
	}
	for _, tt := range []struct {
		name               string
		observed, expected *scene.Graph
		observes, expects  int // edges that are left
	}{
		{"only one log tells of it", with("Mug-1 left_of Cup-1", "Mug-1 near Pot-1"), with("Mug-1 near Cup-1"), 1, 1},
		{"both do", with("Mug-1 left_of Cup-1"), with("Pot-1 left_of Cup-1"), 1, 1},
		{"both do, the other way round", with("Mug-1 left_of Cup-1"), with("Mug-1 right_of Cup-1"), 1, 1},
		{"neither has other relations", with(), with("Mug-1 above Cup-1"), 0, 0},
		{"what stands in front is told by each", with("Mug-1 occluding Cup-1"), with(), 1, 0},
	} {
		observed, expected := expectation.Common(o, tt.observed, tt.expected)
		if len(observed.Edges) != tt.observes || len(expected.Edges) != tt.expects {
			t.Errorf("%s: %v and %v are left", tt.name, observed.Edges, expected.Edges)
		}
	}
}

// The label of a place is told where the log tells it, and is not where an action brought
// something there.
func TestLabels(t *testing.T) {
	a := ahead(t, `
		plan: (pick_up, Mug-1)
		0 | Mug-1 on_top_of Sink-1, Cup-1 inside Sink-1, Apple-1 inside RobotGripper-1
		1 (put_in, Apple-1, Sink-1) | Sink-1`)
	labels := map[string]string{}
	for _, e := range expectation.Of(a.Present, view(a, expectation.All)).Edges {
		if e.Place {
			labels[e.Subject] = e.Label
		}
	}
	if diff := cmp.Diff(map[string]string{"Mug-1": "on_top_of", "Cup-1": "inside", "Apple-1": ""}, labels); diff != "" {
		t.Errorf("labels (-want +got):\n%s", diff)
	}
}

// What only one graph has keeps its states, and edges stay.
func TestCommonKeeps(t *testing.T) {
	observed := &scene.Graph{
		Nodes: []scene.Node{{ID: "Mug-1", Class: "Mug", States: []string{"dirty"}}, {ID: "Pot-1", Class: "Pot", States: []string{"hot"}}},
		Edges: []scene.Edge{{Subject: "Mug-1", Relation: ontology.Default().Name(ontology.Default().Core.LocatedAt), Object: "Pot-1", Place: true}},
	}
	expected := &scene.Graph{Nodes: []scene.Node{{ID: "Mug-1", Class: "Mug", States: []string{"clean"}}}}
	got, _ := expectation.Common(ontology.Default(), observed, expected)
	if diff := cmp.Diff(observed, got); diff != "" {
		t.Errorf("graph (-want +got):\n%s", diff)
	}
}
