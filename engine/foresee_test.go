package engine_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mishap-robotics/mishap/engine"
	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/engine/internal/episodetest"
	"github.com/mishap-robotics/mishap/engine/internal/expectation"
)

// foreseen writes threats, a line each: the class, the step, the
// objects, after which step it was foreseen, and what became of it.
func foreseen(f *engine.Foresight) []string {
	out := []string{}
	for _, w := range f.Threats {
		line := fmt.Sprintf("%s %d<-%d %s after %d", strings.TrimSuffix(w.Type, "Failure"), w.Step, w.Cause, strings.Join(w.Objects, " "), w.Foreseen)
		if w.FollowsFrom != nil {
			line += fmt.Sprintf(" from %s %d", strings.TrimSuffix(w.FollowsFrom.Type, "Failure"), w.FollowsFrom.Step)
		}
		if w.Provider != nil {
			line += " provider " + w.Provider.Text
		}
		for _, a := range w.Irreversible {
			line += fmt.Sprintf(" irreversible %d", a.Step)
		}
		switch {
		case w.Showed > 0:
			line += fmt.Sprintf(" showed %d", w.Showed)
		case w.Averted > 0:
			line += fmt.Sprintf(" averted %d", w.Averted)
		}
		out = append(out, line)
	}
	return out
}

const potPlan = `
	task: boil water
	plan: (navigate_to_obj, Pot-1), (pick_up, Pot-1), (navigate_to_obj, Sink-1), (put_in, Pot-1, Sink-1), (toggle_on, Faucet-1), (toggle_off, Faucet-1), (pick_up, Pot-1), (navigate_to_obj, StoveBurner-1), (put_on, Pot-1, StoveBurner-1), (toggle_on, StoveBurner-1)
	0 | Pot-1 on_top_of CounterTop-1, Pot-1 empty
	1 (navigate_to_obj, Pot-1) | Pot-1 on_top_of CounterTop-1
	2 (pick_up, Pot-1) | Pot-1 inside RobotGripper-1`

func TestForesee(t *testing.T) {
	r := reasoner(t)
	tests := []struct {
		name, script string
		want         []string
	}{
		{"all is well so far", potPlan, nil},
		{"the pot is dropped", potPlan + `
			3 (navigate_to_obj, Sink-1) | Sink-1, Pot-1 on_top_of Floor-1 | something drops`,
			[]string{"ActionExecution 4<-3 Pot-1 Sink-1 after 3 from DroppingObj 3 provider (pick_up, Pot-1)"}},
		{"what is dropped is picked up again", potPlan + `
			3 (navigate_to_obj, Sink-1) | Sink-1, Pot-1 on_top_of Floor-1 | something drops
			4 (pick_up, Pot-1) | Sink-1, Pot-1 inside RobotGripper-1
			5 (put_in, Pot-1, Sink-1) | Pot-1 inside Sink-1`,
			[]string{"ActionExecution 5<-3 Pot-1 Sink-1 after 3 from DroppingObj 3 provider (pick_up, Pot-1) averted 4"}},
		{"the faucet did not turn on, and every action to come can be carried out", potPlan + `
			3 (navigate_to_obj, Sink-1) | Sink-1, Pot-1 inside RobotGripper-1
			4 (put_in, Pot-1, Sink-1) | Pot-1 inside Sink-1, Pot-1 empty, Faucet-1 off
			5 (toggle_on, Faucet-1) | Faucet-1 off, Pot-1 inside Sink-1, Pot-1 empty
			6 (toggle_off, Faucet-1) | Faucet-1 off, Pot-1 inside Sink-1, Pot-1 empty`,
			[]string{"IncompletePlan 10<-5 Faucet-1 after 5 from ActionExecution 5 provider (toggle_on, Faucet-1)"}},
		{"something else is moved", potPlan + `
			3 (navigate_to_obj, Sink-1) | Sink-1, Pot-1 inside RobotGripper-1, Apple-1 inside Bowl-1, Bowl-1 dirty`, nil},
		{"the burner is taken by somebody", potPlan + `
			3 (navigate_to_obj, Sink-1) | Sink-1, Pot-1 inside RobotGripper-1, Pan-1 on_top_of StoveBurner-1`,
			[]string{"OccupiedPut 9<-9 Pot-1 StoveBurner-1 Pan-1 after 3"}},
		{"a dirty pan and an egg that is still whole", `
			task: cook egg
			plan: (navigate_to_obj, Egg-1), (pick_up, Egg-1), (navigate_to_obj, Pan-1), (crack_obj, Egg-1), (put_in, EggCracked, Pan-1), (toggle_on, StoveBurner-1)
			0 | Egg-1 on_top_of CounterTop-1
			1 (navigate_to_obj, Egg-1) | Egg-1 on_top_of CounterTop-1
			2 (pick_up, Egg-1) | Egg-1 inside RobotGripper-1
			3 (navigate_to_obj, Pan-1) | Egg-1 inside RobotGripper-1, Pan-1 on_top_of StoveBurner-1, Pan-1 dirty`,
			[]string{"DirtyObj 5<-5 Pan-1 after 3 irreversible 4"}},
		{"a missing step is foreseen before the first action", `
			task: toast bread
			plan: (navigate_to_obj, Toaster-1), (put_in, BreadSliced-1, Toaster-1), (toggle_on, Toaster-1)
			0 | BreadSliced-1 on_top_of CounterTop-1
			1 (navigate_to_obj, Toaster-1) | Toaster-1 off
			2 (put_in, BreadSliced-1, Toaster-1) | Toaster-1 off, BreadSliced-1 on_top_of CounterTop-1`,
			[]string{"MissingStep 2<-2 BreadSliced-1 after 0 showed 2"}},
		{"a log without a plan", `
			1 (pick_up, Mug-1) | Mug-1 inside RobotGripper-1
			2 (navigate_to_obj, Sink-1) | Sink-1, Mug-1 on_top_of Floor-1
			3 (put_in, Mug-1, Sink-1) | Sink-1, Mug-1 on_top_of Floor-1`,
			[]string{"ActionExecution 3<-2 Mug-1 Sink-1 after 2 from DroppingObj 2 provider (pick_up, Mug-1) showed 3"}},
		{"lines of one action are one", `
			plan: (navigate_to_obj, Mug-1), (pick_up, Mug-1), (navigate_to_obj, Sink-1), (put_in, Mug-1, Sink-1)
			1 (navigate_to_obj, Mug-1) | CounterTop-1
			2 (navigate_to_obj, Mug-1) | Mug-1 on_top_of CounterTop-1
			3 (pick_up, Mug-1) | Mug-1 on_top_of CounterTop-1
			4 (pick_up, Mug-1) | Mug-1 inside RobotGripper-1
			5 (navigate_to_obj, Sink-1) | Mug-1 inside RobotGripper-1`, nil},
		{"the robot has moved away from what it is to pick up", `
			plan: (navigate_to_obj, Mug-1), (pick_up, Mug-1), (navigate_to_obj, Sink-1), (put_in, Mug-1, Sink-1), (pick_up, Cup-1)
			1 (navigate_to_obj, Mug-1) | Mug-1 on_top_of CounterTop-1, Cup-1 on_top_of CounterTop-1
			2 (pick_up, Mug-1) | Mug-1 inside RobotGripper-1, Cup-1 on_top_of CounterTop-1
			3 (navigate_to_obj, Sink-1) | Mug-1 inside RobotGripper-1, Sink-1
			4 (put_in, Mug-1, Sink-1) | Mug-1 inside Sink-1`,
			[]string{"MissingNavigation 5<-5 Cup-1 after 3"}},
		{"the table is yet to be seen", `
			plan: (navigate_to_obj, Mug-1), (pick_up, Mug-1), (put_on, Mug-1, Table)
			1 (navigate_to_obj, Mug-1) | Mug-1 on_top_of CounterTop-1
			2 (pick_up, Mug-1) | Mug-1 inside RobotGripper-1
			3 (put_on, Mug-1, Table) | Mug-1 on_top_of Table-1`, nil},
		{"two robots, no plan", `
			1 (pick_up, Cup-1) | Cup-1 inside RobotGripper-1, Plate-1 on_top_of CounterTop-1
			2 Robot-2 (pick_up, Plate-1) | Plate-1 inside RobotGripper-2, Cup-1 inside RobotGripper-1
			3 (put_on, Cup-1, DiningTable-1) | Cup-1 on_top_of DiningTable-1
			4 Robot-2 (put_on, Plate-1, DiningTable-1) | Plate-1 on_top_of DiningTable-1`, nil},
		{"two hands", `
			plan: (pick_up, Cup-1), (pick_up, Plate-1), (put_on, Cup-1, DiningTable-1), (put_on, Plate-1, DiningTable-1)
			0 | Cup-1 on_top_of CounterTop-1, Plate-1 on_top_of CounterTop-1, RobotGripper-1, RobotGripper-2
			1 (pick_up, Cup-1) | Cup-1 inside RobotGripper-1
			2 (pick_up, Plate-1) | Plate-1 inside RobotGripper-2`, nil},
		{"what was told with an earlier threat is not told again", `
			plan: (pick_up, Cookware), (put_on, Cookware, StoveBurner-3)
			0 | Pot-1 on_top_of CounterTop-1, Pan-1 on_top_of CounterTop-1
			1 (pick_up, Cookware) | Pan-1 inside RobotGripper-1`,
			[]string{"AmbiguousTarget 1<-1 Cookware after 0 showed 1"}},
		{"what has been seen from there is in reach", `
			plan: (navigate_to_obj, Sink-1), (navigate_to_obj, Mug-1), (pick_up, Mug-1), (navigate_to_obj, Sink-1), (put_in, Mug-1, Sink-1), (pick_up, Cup-1)
			1 (navigate_to_obj, Sink-1) | Sink-1, Cup-1 on_top_of CounterTop-1
			2 (navigate_to_obj, Mug-1) | Mug-1 on_top_of DiningTable-1
			3 (pick_up, Mug-1) | Mug-1 inside RobotGripper-1
			4 (navigate_to_obj, Sink-1) | Mug-1 inside RobotGripper-1, Sink-1
			5 (put_in, Mug-1, Sink-1) | Mug-1 inside Sink-1`, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			ep := episodetest.Parse(t, r.Ontology, tt.script)
			f, err := r.Foresee(context.Background(), ep, engine.Scoring{})
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(append([]string{}, tt.want...), foreseen(f)); diff != "" {
				t.Errorf("threats (-want +got):\n%s", diff)
				for _, w := range f.Threats {
					t.Log(w.Explanation, w.Condition, w.Repair)
				}
			}
		})
	}
}

// What is foreseen is the finding that checking the whole episode comes to.
func TestForeseenBecomesFound(t *testing.T) {
	r := reasoner(t)
	ep := episodetest.Parse(t, r.Ontology, potPlan+`
		3 (navigate_to_obj, Sink-1) | Sink-1, Pot-1 inside RobotGripper-1, Pan-1 on_top_of StoveBurner-1
		4 (put_in, Pot-1, Sink-1) | Pot-1 inside Sink-1
		5 (toggle_on, Faucet-1) | Faucet-1 on, Pot-1 inside Sink-1, Pot-1 filled_with_water
		6 (toggle_off, Faucet-1) | Faucet-1 off, Pot-1 inside Sink-1, Pot-1 filled_with_water
		7 (pick_up, Pot-1) | Pot-1 inside RobotGripper-1
		8 (navigate_to_obj, StoveBurner-1) | Pot-1 inside RobotGripper-1, Pan-1 on_top_of StoveBurner-1
		9 (put_on, Pot-1, StoveBurner-1) | Pot-1 inside RobotGripper-1, Pan-1 on_top_of StoveBurner-1`)
	f, err := r.Foresee(context.Background(), ep, engine.Scoring{})
	if err != nil {
		t.Fatal(err)
	}
	if len(f.Threats) != 1 || len(f.Result.Findings) != 1 {
		t.Fatalf("threats %v, findings %v", foreseen(f), summary(f.Result))
	}
	w, found := f.Threats[0], f.Result.Findings[0]
	if w.Type != found.Type || w.Step != found.Step || !slices.Equal(w.Objects, found.Objects) || w.Clause != found.Clause || w.Lead() != 6 {
		t.Errorf("foreseen %s %d %v, %d steps ahead; found %s %d %v", w.Type, w.Step, w.Objects, w.Lead(), found.Type, found.Step, found.Objects)
	}
}

func TestVerdicts(t *testing.T) {
	r := reasoner(t)
	ep := episodetest.Parse(t, r.Ontology, potPlan+`
		3 (navigate_to_obj, Sink-1) | Sink-1, Pot-1 on_top_of Floor-1 | something drops
		4 (put_in, Pot-1, Sink-1) | Sink-1, Pot-1 on_top_of Floor-1`)
	f, err := r.Foresee(context.Background(), ep, engine.Scoring{})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, s := range f.Subtasks {
		got = append(got, fmt.Sprintf("%d scored %v %s %s %s", s.Step, s.Score != nil, s.Verdict.Kind, s.Verdict.Class, s.Verdict.Confidence))
	}
	want := []string{"1 scored false clear  ", "2 scored true clear  ", "3 scored false clear  ", "4 scored true explained DroppingObjFailure high"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// A discrepancy that breaks nothing is no threat, has no class, and is shown.
func TestUnexplained(t *testing.T) {
	r := reasoner(t)
	reference := episodetest.Parse(t, r.Ontology, potPlan)
	reference.GoalFacts = []episode.Fact{{Subject: "Pot", Relation: "located_at", Object: "RobotGripper"}}
	ref, err := expectation.NewReference(r.Ontology, reference)
	if err != nil {
		t.Fatal(err)
	}
	ep := episodetest.Parse(t, r.Ontology, strings.Replace(potPlan, "1 (navigate_to_obj, Pot-1) | Pot-1 on_top_of CounterTop-1",
		"1 (navigate_to_obj, Pot-1) | Pot-1 on_top_of CounterTop-1, Lemon-1 on_top_of CounterTop-1, Kettle-1 on_top_of CounterTop-1, Cup-1 inside Bowl-1, Bowl-1 on_top_of CounterTop-1", 1))
	f, err := r.Foresee(context.Background(), ep, engine.Scoring{Expect: engine.FromReference, Reference: ref, Threshold: 1})
	if err != nil {
		t.Fatal(err)
	}
	v := f.Subtasks[1].Verdict
	if len(f.Threats) > 0 || v.Kind != engine.VerdictUnexplained || v.Class != "" || len(v.Unexplained) == 0 {
		t.Errorf("threats %v, verdict %+v", foreseen(f), v)
	}
}

func TestMonitorForesees(t *testing.T) {
	r := reasoner(t)
	ep := episodetest.Parse(t, r.Ontology, potPlan+`
		3 (navigate_to_obj, Sink-1) | Sink-1, Pot-1 on_top_of Floor-1 | something drops
		4 (pick_up, Pot-1) | Sink-1, Pot-1 inside RobotGripper-1
		5 (put_in, Pot-1, Sink-1) | Pot-1 inside Sink-1`)
	steps := ep.Steps
	m := r.Watch(ep, engine.Limits{}, nil)
	m.EnableForesight()
	var got []string
	for _, st := range steps {
		updates, err := m.Step(context.Background(), st)
		if err != nil {
			t.Fatal(err)
		}
		for _, u := range updates {
			if (u.Kind == engine.Foreseen || u.Kind == engine.Averted) != (u.Threat != nil) {
				t.Errorf("step %d: %s with threat %v", st.Index, u.Kind, u.Threat)
			}
			got = append(got, fmt.Sprintf("%d %s %s %d", st.Index, u.Kind, u.Finding.Type, u.Finding.Step))
		}
	}
	want := []string{"3 found DroppingObjFailure 3", "3 foreseen ActionExecutionFailure 4", "4 averted ActionExecutionFailure 4"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// Looking ahead leaves a monitor as it is.
func TestForeseeChangesNothing(t *testing.T) {
	r := reasoner(t)
	script := potPlan + `
		3 (navigate_to_obj, Sink-1) | Sink-1, Pot-1 on_top_of Floor-1 | something drops
		4 (put_in, Pot-1, Sink-1) | Sink-1, Pot-1 on_top_of Floor-1`
	run := func(look bool) []string {
		ep := episodetest.Parse(t, r.Ontology, script)
		steps := ep.Steps
		m := r.Watch(ep, engine.Limits{}, nil)
		for _, st := range steps {
			if _, err := m.Step(context.Background(), st); err != nil {
				t.Fatal(err)
			}
			if look {
				if _, err := m.Foresee(context.Background()); err != nil {
					t.Fatal(err)
				}
			}
		}
		res, _, err := m.Finish(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, x := range m.Index().Trace.Objects.Items {
			names = append(names, x.Name)
		}
		return append(summary(res), names...)
	}
	if diff := cmp.Diff(run(false), run(true)); diff != "" {
		t.Errorf("(-without looking ahead +with):\n%s", diff)
	}
}

func TestCheckPlan(t *testing.T) {
	r := reasoner(t)
	tests := []struct {
		name, task, plan, scene string
		want                    string // class, step and cause of the first fault, the edit; "" for none
	}{
		{"right", "boil water", "(navigate_to_obj, Pot), (pick_up, Pot), (put_in, Pot, Sink), (toggle_on, Faucet), (toggle_off, Faucet), (pick_up, Pot), (put_on, Pot, StoveBurner-1), (toggle_on, StoveBurner-1)", "", ""},
		{"the burner is lit first", "boil water", "(pick_up, Pot), (put_in, Pot, Sink), (toggle_on, Faucet), (toggle_off, Faucet), (toggle_on, StoveBurner-1), (pick_up, Pot), (put_on, Pot, StoveBurner-1)", "", ""},
		{"something is left in the gripper", "toast bread", "(pick_up, Knife), (slice_obj, Bread), (put_on, Knife, CounterTop), (pick_up, BreadSliced), (put_in, BreadSliced, Toaster), (toggle_on, Toaster), (pick_up, Knife)", "", ""},
		{"missing step", "toast bread", "(pick_up, Knife), (slice_obj, Bread), (pick_up, BreadSliced), (put_in, BreadSliced, Toaster), (toggle_on, Toaster)", "",
			"MissingStepFailure 3 3: add (put_on, Knife-1, CounterTop-1) before (pick_up, BreadSliced-1) (action 3)"},
		{"wrong order", "boil water", "(pick_up, Pot), (toggle_on, Faucet), (toggle_off, Faucet), (put_in, Pot, Sink), (pick_up, Pot), (put_on, Pot, StoveBurner-1), (toggle_on, StoveBurner-1)", "",
			"WrongOrderFailure 7 4: do (put_in, Pot-1, Sink-1) before (toggle_off, Faucet-1)"},
		{"wrong object", "boil water", "(pick_up, Pot), (put_in, Pot, Sink), (toggle_on, Faucet), (toggle_off, Faucet), (pick_up, Pot), (put_on, Pot, StoveBurner-1), (toggle_on, StoveBurner-2)", "",
			"WrongObjectFailure 7 7: do (toggle_on, StoveBurner-1) in place of (toggle_on, StoveBurner-2) (action 7)"},
		{"vague target", "store egg", "(open_obj, Fridge), (pick_up, Egg), (put_in, Egg, Container), (pick_up, Bowl), (put_in, Bowl, Fridge)", "",
			"AmbiguousTargetFailure 3 3: do (put_in, Egg-1, Bowl-1) in place of (put_in, Egg-1, Container) (action 3)"},
		{"incomplete", "boil water", "(pick_up, Pot), (put_in, Pot, Sink), (toggle_on, Faucet), (toggle_off, Faucet), (pick_up, Pot), (put_on, Pot, StoveBurner-1)", "",
			"IncompletePlanFailure 6 6: add (toggle_on, StoveBurner-1) at the end"},
		{"an unusual scene", "boil water", "(pick_up, Pot), (put_in, Pot, Sink), (toggle_on, Faucet), (toggle_off, Faucet), (pick_up, Pot), (put_on, Pot, StoveBurner-1), (toggle_on, StoveBurner-1)",
			"Pan on_top_of StoveBurner-1", "OccupiedPutFailure 6 6: "},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			ep := &episode.Episode{ID: "plan", Task: tt.task}
			for _, text := range strings.SplitAfter(tt.plan, ")") {
				if text = strings.TrimPrefix(text, ", "); text == "" {
					continue
				}
				a, err := episode.ParseAction(r.Ontology, text)
				if err != nil {
					t.Fatal(err)
				}
				ep.Plan = append(ep.Plan, a)
			}
			if tt.scene != "" {
				f, err := episode.ParseFact(tt.scene)
				if err != nil {
					t.Fatal(err)
				}
				ep.Scene = append(ep.Scene, f)
			}
			_, faults, err := r.CheckPlan(context.Background(), ep)
			if err != nil {
				t.Fatal(err)
			}
			got := ""
			if len(faults) > 0 {
				got = fmt.Sprintf("%s %d %d: %s", faults[0].Type, faults[0].Step, faults[0].Cause, faults[0].Repair)
			}
			if got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

// Of what the gripper holds after an action that nobody knows nothing is foretold.
func TestForeseeUnknownAction(t *testing.T) {
	r := reasoner(t)
	ep := episodetest.Parse(t, r.Ontology, `
		plan: (navigate_to_obj, Cloth-1), (pick_up, Cloth-1), (observe, CounterTop-1), (put_on, Cloth-1, CounterTop-1), (pick_up, Mug-1)
		0 | Cloth-1 on_top_of CounterTop-1, Mug-1 on_top_of CounterTop-1
		1 (navigate_to_obj, Cloth-1) | Cloth-1 on_top_of CounterTop-1, Mug-1 on_top_of CounterTop-1
		2 (pick_up, Cloth-1) | Cloth-1 inside RobotGripper-1`)
	ep.Plan[2].Name = "wipe"
	f, err := r.Foresee(context.Background(), ep, engine.Scoring{})
	if err != nil || len(f.Threats) > 0 {
		t.Errorf("threats %v, error %v", foreseen(f), err)
	}
	ep.Plan[2].Name, ep.Plan[2].Destination = "put_in", "Sink-1"
	ep.Plan[2].Target = "Cloth-1"
	if f, err = r.Foresee(context.Background(), ep, engine.Scoring{}); err != nil || len(f.Threats) == 0 {
		t.Errorf("no threat where the cloth is put away before, error %v", err)
	}
}

// However long the plan, an action costs no more than what the horizon holds, and nothing
// is said of an end that lies beyond it.
func TestForeseeHorizon(t *testing.T) {
	r := reasoner(t)
	ep := &episode.Episode{ID: "long", Scene: []episode.Fact{{Subject: "Mug-1", Relation: "on_top_of", Object: "CounterTop-1"}}, GoalFacts: []episode.Fact{{Subject: "Mug-1", Relation: "located_at", Object: "Sink-1"}}}
	const actions = 150
	for i := range actions {
		name := []string{"open_obj", "close_obj"}[i%2]
		ep.Plan = append(ep.Plan, episode.Action{Name: name, Target: "Fridge-1"})
	}
	for i, a := range ep.Plan {
		ep.Steps = append(ep.Steps, episode.Step{Index: i + 1, Action: a})
	}
	steps := 0
	_, err := r.Walk(context.Background(), ep, func(m *engine.Monitor, _ int32, _ episode.Action) error {
		threats, err := m.Foresee(context.Background())
		a := m.Projection()
		left := actions - steps
		if got, want := len(a.Events)-a.Happened, min(left, 100); got != want {
			t.Errorf("after %d actions %d are carried out ahead, want %d", steps, got, want)
		}
		if got, want := len(threats) > 0, left > 0 && left <= 100; got != want {
			t.Errorf("after %d actions there are threats %v, want %v", steps, got, want)
		}
		steps++
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestForeseeErrors(t *testing.T) {
	r := reasoner(t)
	ep := episodetest.Parse(t, r.Ontology, potPlan)
	for want, s := range map[string]engine.Scoring{
		"threshold 2; expected a number from 0 to 1": {Threshold: 2},
		"no reference episode was given":             {Expect: engine.FromReference},
		"expected plan, preconditions or reference":  {Expect: "nowhere"},
	} {
		if _, err := r.Foresee(context.Background(), ep, s); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
}

// That a look ahead was cut short is told with the step after which that was, not with one
// that is still to come.
func TestCutShortForesightNamesItsStep(t *testing.T) {
	ctx, r := context.Background(), reasoner(t)
	var plan []episode.Action
	for i := range 6 {
		mug := fmt.Sprint("Mug-", i+1)
		plan = append(plan, episode.Action{Name: "navigate_to_obj", Target: mug}, episode.Action{Name: "pick_up", Target: mug}, episode.Action{Name: "navigate_to_obj", Target: "Desk-1"}, episode.Action{Name: "put_on", Target: mug, Destination: "Desk-1"})
	}
	seen := map[engine.Phase]bool{}
	for asks, cut := 1, true; cut; asks += asks/4 + 1 {
		m := r.Watch(&episode.Episode{ID: "ahead", Plan: plan, GoalFacts: []episode.Fact{{Subject: "Mug-1", Relation: "inside", Object: "Fridge-1"}}}, engine.Limits{}, nil)
		for st := range loose(6).steps() {
			if st.Index > 1 {
				break
			}
			if _, err := m.Step(ctx, st); err != nil {
				t.Fatal(err)
			}
		}
		_, err := m.Foresee(endsAfter(asks))
		var limit *engine.LimitError
		if cut = errors.As(err, &limit); !cut {
			break
		}
		if seen[limit.Phase] = true; limit.Step > 1 {
			t.Fatalf("%v: it names a step that is still to come", err)
		}
	}
	if !seen[engine.PhasePlanFaults] {
		t.Errorf("cut short in %v: this test shows nothing", seen)
	}
}
