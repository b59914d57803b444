package advice

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/mishap-robotics/mishap/bridge/llm"
	"github.com/mishap-robotics/mishap/engine"
	"github.com/mishap-robotics/mishap/engine/episode"
)

// A model's actions are units of the subtree, whose verified branches it is shown; the one
// that it chooses is taken.
func TestCorrecting(t *testing.T) {
	without := engine.Planner{PlannerOptions: engine.PlannerOptions{WithoutStrategies: true}, Correcting: true}
	tests := []struct {
		name            string
		actions, choice string
		taken           bool
		own             string // an action of the plan that is the model's
		why             string
		chosen, calls   int
	}{
		{"the second plan", `["(put_on, Pot-1, StoveBurner-2)", "(toggle_on, StoveBurner-2)"]`, `{"choice": 2, "why": "w"}`, true, "(put_on, Pot-1, StoveBurner-2)", "", 2, 2},
		{"the first plan", `["put the pot on stove burner 2", "turn on stove burner 2"]`, `{"choice": 1, "why": "w"}`, false, "", "it chose this one", 1, 2},
		{"no such plan", `["(put_on, Pot-1, StoveBurner-2)", "(toggle_on, StoveBurner-2)"]`, `{"choice": 9, "why": "w"}`, false, "", "none of the plans", 0, 2},
		{"no choice", `["(put_on, Pot-1, StoveBurner-2)", "(toggle_on, StoveBurner-2)"]`, `hm`, false, "", "the answer is no choice", 0, 2},
		{"nothing that is known", `["(polish, Moon)"]`, `{"choice": 1, "why": "w"}`, false, "", "it chose this one", 1, 2},
		{"no list", `"polish the moon"`, `{"choice": 1, "why": "w"}`, false, "", "it chose this one", 1, 2},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := &scripted{answer: func(q llm.Question) (string, error) {
				switch q.Purpose {
				case correctPrompt:
					return `{"cause": "it is taken", "actions": ` + tt.actions + `}`, nil
				case choosePrompt:
					return tt.choice, nil
				}
				return "", errors.New("asked for " + q.Purpose)
			}}
			p := without
			p.Adviser = &Adviser{Model: s, Prompts: prompts(t)}
			m, err := reasoner(t).RecoverEpisode(context.Background(), sample(t, "occupied-put"), p)
			if err != nil {
				t.Fatal(err)
			}
			got := m.Plans[0]
			a := got.Advice
			if !got.Verified || a == nil || a.Taken != tt.taken || a.Chosen != tt.chosen || !strings.Contains(a.Why, tt.why) || a.Cost.Calls > tt.calls {
				t.Fatalf("verified %v, advice %+v, plan %v", got.Verified, a, got.Plan)
			}
			at := slices.IndexFunc(got.Plan, func(a episode.Action) bool { return a.String() == tt.own })
			if tt.own != "" && (at < 0 || got.Steps[at].From != "advice") {
				t.Errorf("%s is not in the plan as the model's: %v", tt.own, got.Plan)
			}
			if tt.name == "the second plan" {
				golden(t, "correct_prompts.txt", dialogue(s.asked))
			}
		})
	}
}

// Where no branch comes of it, and there is no plan either, a plan is asked for.
func TestCorrectingThenAdvising(t *testing.T) {
	var purposes []string
	s := &scripted{answer: func(q llm.Question) (string, error) {
		purposes = append(purposes, q.Purpose)
		switch q.Purpose {
		case correctPrompt:
			return `{"cause": "it is broken", "actions": ["(observe)"]}`, nil
		case reasonPrompt:
			return `{"cause": "it is broken", "change": "another one"}`, nil
		}
		return `{"plan": [], "person": "bring another one"}`, nil
	}}
	m, err := reasoner(t).RecoverEpisode(context.Background(), sample(t, "dropping-and-breaking-obj"), engine.Planner{Correcting: true, Adviser: &Adviser{Model: s, Prompts: prompts(t)}})
	if err != nil {
		t.Fatal(err)
	}
	if got := m.Plans[0]; got.Verified || !slices.Contains(got.NeedsPerson, "bring another one") || !slices.Equal(purposes[:3], []string{correctPrompt, reasonPrompt, replanPrompt}) {
		t.Errorf("asked %q, persons %q", purposes, got.NeedsPerson)
	}
}

// A first plan is asked for in one question; what cannot be carried out goes back with the
// reason.
func TestDecompose(t *testing.T) {
	r := reasoner(t)
	ours, _, err := r.FirstPlan(context.Background(), sample(t, "missing-step"), engine.Planner{})
	if err != nil || !ours.Verified {
		t.Fatalf("no plan without a model: %v", err)
	}
	for _, plain := range []bool{false, true} {
		s := &scripted{}
		s.answer = func(q llm.Question) (string, error) {
			if q.Purpose != decomposePrompt {
				return "", errors.New("asked for " + q.Purpose)
			}
			switch {
			case len(s.asked) == 1 && plain:
				return "1. (pick_up, Sword)", nil
			case len(s.asked) == 1:
				return `{"plan": ["(pick_up, Sword)"], "person": ""}`, nil
			}
			return inWords(r.Ontology, ours.Plan), nil
		}
		ep := sample(t, "missing-step")
		steps := len(ep.Steps)
		got, _, err := r.FirstPlan(context.Background(), ep, engine.Planner{Adviser: &Adviser{Model: s, Prompts: prompts(t), Plain: plain}})
		if err != nil {
			t.Fatal(err)
		}
		if !got.Verified || !got.Advice.Taken || len(got.Advice.Attempts) != 2 || !slices.Equal(got.Plan, ours.Plan) || len(ep.Steps) != steps {
			t.Errorf("plain %v: verified %v, advice %+v", plain, got.Verified, got.Advice)
		}
		if !plain {
			golden(t, "decompose_prompts.txt", dialogue(s.asked))
		}
	}
}

func TestChoiceOf(t *testing.T) {
	for text, want := range map[string]int{
		`{"choice": 2, "why": "short"}`: 2, "I think\nCHOICE: 3": 3, "<think>CHOICE: 1</think>CHOICE: 2.": 2,
		`{"choice": "2"}`: 0, `{"why": "short"}`: 0, "2": 0, "CHOICE: two": 0, "CHOICE: 99999999999999999999": 0, "": 0,
	} {
		if got, err := choiceOf(text); got != want || (err == nil) != (want > 0) {
			t.Errorf("choiceOf(%q) = %d, %v; want %d", text, got, err, want)
		}
	}
}

// Whatever a model names for units, and whichever branch it takes, the plan is verified where it was
// without one, and no longer.
func TestCorrectingIsNeverWorse(t *testing.T) {
	r := reasoner(t)
	names := []string{"occupied-put", "missing-step", "dirty-obj", "action-execution"}
	alone := map[string]*engine.EpisodeRecovery{}
	for _, name := range names {
		m, err := r.RecoverEpisode(context.Background(), sample(t, name), engine.Planner{})
		if err != nil {
			t.Fatal(err)
		}
		alone[name] = m
	}
	objects := []string{"Pot-1", "StoveBurner-1", "StoveBurner-2", "Sink-1", "Faucet-1", "Pan-1", "CounterTop-1", "Mug-1", "Moon-1"}
	rounds := 12
	if os.Getenv("MISHAP_LONG") != "" {
		rounds = 200
	}
	for round := range rounds {
		rng := rand.New(rand.NewPCG(1, uint64(round)))
		name := names[round%len(names)]
		s := &scripted{answer: func(q llm.Question) (string, error) {
			if q.Purpose == choosePrompt {
				return fmt.Sprintf(`{"choice": %d, "why": "w"}`, rng.IntN(8)-1), nil
			}
			var lines []string
			for range rng.IntN(5) {
				a := r.Ontology.Actions[rng.IntN(len(r.Ontology.Actions))]
				line := "(" + a.Name
				for range a.Params {
					line += ", " + objects[rng.IntN(len(objects))]
				}
				lines = append(lines, line+")")
			}
			text, err := json.Marshal(map[string]any{"cause": "c", "change": "c", "actions": lines, "plan": lines})
			return string(text), err
		}}
		m, err := r.RecoverEpisode(context.Background(), sample(t, name), engine.Planner{Correcting: true, Adviser: &Adviser{Model: s, Prompts: prompts(t)}})
		if err != nil {
			t.Fatal(err)
		}
		for i, p := range m.Plans {
			if ours := alone[name].Plans[i]; ours.Verified && (!p.Verified || len(p.Plan) > len(ours.Plan)) {
				t.Errorf("round %d, %s: verified %v, %v; alone %v", round, name, p.Verified, p.Plan, ours.Plan)
			}
		}
	}
}
