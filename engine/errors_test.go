package engine_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mishap-robotics/mishap/engine"
	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/engine/scene"
	"github.com/mishap-robotics/mishap/ontology"
	"github.com/mishap-robotics/mishap/ontology/document"
	"github.com/mishap-robotics/mishap/rules"
)

func TestErrorsOfSteps(t *testing.T) {
	ctx := context.Background()
	m := reasoner(t).Watch(&episode.Episode{ID: "x"}, engine.Limits{}, nil)
	pickUp := episode.Action{Name: "pick_up", Target: "Mug-1"}
	if _, err := m.Step(ctx, episode.Step{Index: 3, Action: pickUp}); err != nil {
		t.Fatal(err)
	}
	_, err := m.Step(ctx, episode.Step{Index: 2, Action: pickUp})
	var order *engine.OrderError
	if !errors.As(err, &order) || *order != (engine.OrderError{Step: 2, After: 3}) {
		t.Errorf("error %v, want step 2 after step 3", err)
	}
	if _, _, err := m.Finish(ctx); err != nil {
		t.Fatal(err)
	}
	if _, err := m.Step(ctx, episode.Step{Index: 5, Action: pickUp}); !errors.Is(err, engine.ErrFinished) {
		t.Errorf("a step after the end: error %v", err)
	}
	if _, _, err := m.Finish(ctx); !errors.Is(err, engine.ErrFinished) {
		t.Errorf("a second end: error %v", err)
	}
}

// What a window dropped is neither proved nor called absent.
func TestForgotten(t *testing.T) {
	ctx := context.Background()
	r := reasoner(t)
	m := r.Watch(&episode.Episode{ID: "long"}, engine.Limits{Window: engine.MinWindow}, nil)
	steps := longEpisode(2*engine.MinWindow + 20)
	mug := scene.Node{ID: "Mug-7", Class: "Mug"}
	steps[2].Observation.Nodes = append(steps[2].Observation.Nodes, mug)
	for _, st := range steps {
		if _, err := m.Step(ctx, st); err != nil {
			t.Fatal(err)
		}
	}
	res, _, err := m.Finish(ctx)
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := r.WhyNot(ctx, res, "DirtyObjFailure", 2); !errors.Is(err, engine.ErrForgotten) {
		t.Errorf("why not at step 2: error %v, want that it is forgotten", err)
	}
	if _, _, err := r.WhyNot(ctx, res, "DirtyObjFailure", int32(steps[len(steps)-1].Index)); err != nil {
		t.Errorf("why not at the last step: %v", err)
	}
	whole, err := r.Check(ctx, &episode.Episode{ID: "short", Steps: steps[:10]})
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := r.WhyNot(ctx, whole, "DirtyObjFailure", 2); err != nil {
		t.Errorf("why not where nothing is forgotten: %v", err)
	}
}

// A proof of what was seen long ago is forgotten with it.
func TestProofForgotten(t *testing.T) {
	ctx := context.Background()
	r := withRule(t, "failure('PerceptionFailure', S, S, [O]) :- target(S, O), heard(S, _).")
	m := r.Watch(&episode.Episode{ID: "long"}, engine.Limits{Window: engine.MinWindow}, nil)
	steps := longEpisode(engine.MinWindow + 20)
	steps[2].Sounds = []string{"something drops"}
	var found *engine.Finding
	for _, st := range steps {
		if _, err := m.Step(ctx, st); err != nil {
			t.Fatal(err)
		}
		for _, f := range m.Findings() {
			if found == nil && f.Step == int32(steps[2].Index) && f.Type == "PerceptionFailure" {
				found = &f
				if proof, err := r.Prove(ctx, &engine.Result{Index: m.Index()}, found); proof == nil || err != nil {
					t.Fatalf("no proof at once: %v", err)
				}
			}
		}
	}
	if found == nil {
		t.Fatal("it was not found")
	}
	if _, err := r.Prove(ctx, &engine.Result{Index: m.Index()}, found); !errors.Is(err, engine.ErrForgotten) {
		t.Errorf("error %v, want that it is forgotten", err)
	}
}

func withRule(t *testing.T, rule string) *engine.Reasoner {
	t.Helper()
	p, err := rules.Load(append(rules.Shipped(), document.Document{Name: "own.pl", Data: []byte(rule)}))
	if err != nil {
		t.Fatal(err)
	}
	r, err := engine.New(ontology.Default(), p)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// faucet is a robot before a faucet that does as it is told.
type faucet struct{ on bool }

func (f *faucet) Perform(_ context.Context, a episode.Action) (episode.Step, error) {
	f.on = f.on || a.Name == "toggle_on"
	state := map[bool]string{true: "on", false: "off"}[f.on]
	return episode.Step{Observation: episode.Observation{Graph: scene.Graph{Nodes: []scene.Node{{ID: "Faucet-1", Class: "Faucet", States: []string{state}}}}}}, nil
}

// A rule that does not end neither ends a run nor goes unnoticed.
func TestRunTellsOfRules(t *testing.T) {
	ctx := context.Background()
	turnOn := []episode.Action{{Name: "navigate_to_obj", Target: "Faucet-1"}, {Name: "toggle_on", Target: "Faucet-1"}}
	ep := &episode.Episode{ID: "e", GoalFacts: []episode.Fact{{Subject: "Faucet", Relation: "on"}}, Plan: turnOn}
	sound, err := (&engine.Loop{Reasoner: reasoner(t), Executor: &faucet{}}).Run(ctx, ep)
	if err != nil || len(sound.Errors) > 0 || sound.Ending != engine.Completed {
		t.Fatalf("%s: %v, errors %v; want it completed without", sound.Ending, err, sound.Errors)
	}
	r := withRule(t, "failure('DirtyObjFailure', S, S, [O]) :- action(S, toggle_on), target(S, O), loop(S).\nloop(S) :- loop(S).")
	r.RuleTimeout = 300 * time.Millisecond
	limits := engine.Limits{Inferences: 5_000}
	got, err := (&engine.Loop{Reasoner: r, Executor: &faucet{}, Limits: limits}).Run(ctx, ep)
	if err != nil || got.Ending != engine.Completed {
		t.Fatalf("%s: %v; want it completed", got.Ending, err)
	}
	var limit *engine.LimitError
	if len(got.Errors) == 0 || !errors.As(got.Errors[0], &limit) || limit.Clause.Pos.File != "own.pl" {
		t.Fatalf("errors %v; want the limit of own.pl", got.Errors)
	}
	// In the end the whole is checked within limits of its own.
	if told := fmt.Sprint(got.Errors); !strings.Contains(told, "step 2: own.pl:1: ") || !strings.Contains(told, "episode e: own.pl:1: ") {
		t.Errorf("errors %v; want those of the step and of the end", got.Errors)
	}
}

func TestErrorsOfRuns(t *testing.T) {
	ctx := context.Background()
	l := &engine.Loop{Reasoner: reasoner(t), Executor: &faucet{}}
	if _, err := l.Run(ctx, &episode.Episode{ID: "e"}); !errors.Is(err, engine.ErrNoGoal) || err.Error() != "episode e has no goal: expected a known task, or a goal of facts" {
		t.Errorf("error %v, want that there is no goal", err)
	}
	c, err := l.Run(ctx, &episode.Episode{ID: "e", GoalFacts: []episode.Fact{{Subject: "Faucet", Relation: "on"}},
		Plan: []episode.Action{{Name: "togle_on", Target: "Faucet-1"}}})
	var unknown *engine.UnknownActionError
	if c != nil || !errors.As(err, &unknown) || unknown.Nearest != "toggle_on" {
		t.Errorf("error %v, want an unknown action near toggle_on", err)
	}
}

// overfull perceives more than is allowed at its second action, and for good after that a
// name that is too long.
type overfull struct {
	faucet
	acted int
	long  string
}

func (c *overfull) Perform(ctx context.Context, a episode.Action) (episode.Step, error) {
	st, err := c.faucet.Perform(ctx, a)
	if c.acted++; c.acted == 2 {
		st.Observation.Nodes = append(st.Observation.Nodes, mugs(20)...)
	}
	st.Sounds = append(st.Sounds, c.long)
	return st, err
}

// What a robot perceives beyond the limits is refused, which is told: the run goes on as if
// nobody had seen what came of the action.
func TestRunGoesOnAfterRefusals(t *testing.T) {
	turnOn := []episode.Action{{Name: "navigate_to_obj", Target: "Faucet-1"}, {Name: "toggle_on", Target: "Faucet-1"}}
	ep := &episode.Episode{ID: "e", GoalFacts: []episode.Fact{{Subject: "Faucet", Relation: "on"}}, Plan: turnOn}
	for name, tt := range map[string]struct {
		robot   *overfull
		refused int
		field   string
	}{
		"too many nodes, once": {&overfull{}, 1, "observation.nodes"},
		"a long sound":         {&overfull{long: strings.Repeat("x", 500)}, 3, "sounds"},
	} {
		got, err := (&engine.Loop{Reasoner: reasoner(t), Executor: tt.robot, Limits: engine.Limits{Nodes: 10, Name: 100}}).Run(context.Background(), ep)
		if err != nil || got.Ending != engine.Completed || got.Actions != 2 || len(got.Episode.Steps) != 3 {
			t.Fatalf("%s: %s (%q) after %d actions, error %v; want it completed", name, got.Ending, got.Reason, got.Actions, err)
		}
		if len(got.Errors) != tt.refused {
			t.Fatalf("%s: errors %v, want %d", name, got.Errors, tt.refused)
		}
		var limit *engine.LimitError
		if err := got.Errors[0]; !errors.As(err, &limit) || limit.Field != tt.field {
			t.Errorf("%s: error %v, want the limit of %s", name, err, tt.field)
		}
	}
	robot := &faucet{}
	got, err := (&engine.Loop{Reasoner: reasoner(t), Executor: robot, Limits: engine.Limits{Memory: 1}}).Run(context.Background(), ep)
	if !errors.Is(err, engine.ErrLimit) || got.Ending != engine.Unfinished {
		t.Errorf("%s, error %v; want the limit of memory", got.Ending, err)
	}
}

// An action that nobody knows is told of with the nearest name, and is judged for
// nothing; an episode without any other is an error wherever it is taken.
func TestUnknownActions(t *testing.T) {
	ctx := context.Background()
	r := reasoner(t)
	pickUp, bad := episode.Action{Name: "pick_up", Target: "Mug-1"}, episode.Action{Name: "pick_upp", Target: "Mug-1"}
	episodes := map[string]func() *episode.Episode{
		"nothing else": func() *episode.Episode {
			return &episode.Episode{ID: "e", Plan: []episode.Action{bad}, Steps: []episode.Step{{Index: 1, Action: bad}}}
		},
		"in a step": func() *episode.Episode {
			return &episode.Episode{ID: "e", Plan: []episode.Action{pickUp}, Steps: []episode.Step{{Index: 1, Action: pickUp}, {Index: 2, Action: bad}}}
		},
		"in the plan": func() *episode.Episode {
			return &episode.Episode{ID: "e", Plan: []episode.Action{pickUp, bad}, Steps: []episode.Step{{Index: 1, Action: pickUp}}}
		},
	}
	of := func(res *engine.Result, err error) ([]episode.Warning, error) {
		if res == nil {
			return nil, err
		}
		return res.Episode.Warnings, err
	}
	calls := map[string]func(ep *episode.Episode) ([]episode.Warning, error){
		"Check": func(ep *episode.Episode) ([]episode.Warning, error) { return of(r.Check(ctx, ep)) },
		"CheckPlan": func(ep *episode.Episode) ([]episode.Warning, error) {
			a, _, err := r.CheckPlan(ctx, ep)
			if a == nil {
				return nil, err
			}
			return a.Episode.Warnings, err
		},
		"Foresee": func(ep *episode.Episode) ([]episode.Warning, error) {
			f, err := r.Foresee(ctx, ep, engine.Scoring{})
			if f == nil {
				return nil, err
			}
			return of(f.Result, err)
		},
		"RecoverEpisode": func(ep *episode.Episode) ([]episode.Warning, error) {
			m, err := r.RecoverEpisode(ctx, ep, engine.Planner{})
			if m == nil {
				return nil, err
			}
			return of(m.Result, err)
		},
		"Progress": func(ep *episode.Episode) ([]episode.Warning, error) {
			p, err := r.Progress(ctx, ep)
			if p == nil {
				return nil, err
			}
			return of(p.Result, err)
		},
	}
	for name, call := range calls {
		for which, make := range episodes {
			ep := make()
			warnings, err := call(ep)
			if len(ep.Warnings) > 0 {
				t.Errorf("%s, %s: it warns in the episode that it was given", name, which)
			}
			var unknown *engine.UnknownActionError
			if which == "nothing else" {
				if !errors.As(err, &unknown) || unknown.Name != "pick_upp" || unknown.Nearest != "pick_up" {
					t.Errorf("%s, %s: error %v, want an unknown action near pick_up", name, which, err)
				}
				continue
			}
			told := slices.ContainsFunc(warnings, func(w episode.Warning) bool { return strings.Contains(w.Msg, "did you mean pick_up?") })
			if err != nil || !told && !(name == "CheckPlan" && which == "in a step") {
				t.Errorf("%s, %s: error %v, warnings %v; want a warning that names pick_up", name, which, err, warnings)
			}
		}
	}
	ep := episodes["in a step"]()
	steps := ep.Steps
	m := r.Watch(ep, engine.Limits{}, nil)
	for _, st := range steps {
		st.Observation.Missing = true
		if updates, err := m.Step(ctx, st); err != nil || len(updates) > 0 {
			t.Errorf("step %d: %v, %v", st.Index, updates, err)
		}
	}
	if len(ep.Warnings) != 1 {
		t.Errorf("warnings %v, want one", ep.Warnings)
	}
}
