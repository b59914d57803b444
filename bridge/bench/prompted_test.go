package bench

import (
	"context"
	"encoding/json"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/mishap-robotics/mishap/bridge/llm"
	"github.com/mishap-robotics/mishap/engine/episode"
)

// askedFor is a prompt for a plan to boil water with the pot in the gripper and a pan on the burner.
const askedFor = `Task: "boil water", "Boil water on a stove burner."
Success: "Pot filled_with_water; Pot located_at StoveBurner; StoveBurner on"
Initial plan: "(navigate_to_obj, StoveBurner-1); (put_on, Pot-1, StoveBurner-1); (toggle_on, StoveBurner-1)"
Left from the current step on: all from action 2 of it
Gripper: holds "Pot-1"
Objects: "StoveBurner-1; Pot-1; Sink-1; Faucet-1; Pan-1; CounterTop-1"
Believed: "StoveBurner-1 off; Pot-1 clean, filled_with_water, located_at Robot-1; Pan-1 clean, located_at StoveBurner-1"
What went wrong: "the burner is taken"
What must change: "not known"`

// The imitation knows what its prompt tells, and no more.
func TestImitationReadsItsPrompt(t *testing.T) {
	b, prompts := prompted(t)
	model := func() *imitated {
		return &imitated{imitation: &Imitation{Prompts: prompts}, reasoner: b.Reasoner, rng: rand.New(rand.NewPCG(1, 1)),
			goal: episode.Episode{ID: "x", Task: "boil water", Goal: "Boil water on a stove burner."}}
	}
	plan := func(change ...string) []string {
		t.Helper()
		a, err := model().Ask(context.Background(), llm.Question{Purpose: "replan", Prompt: strings.NewReplacer(change...).Replace(askedFor)})
		var got struct{ Plan []string }
		if err == nil {
			err = json.Unmarshal([]byte(a.Text), &got)
		}
		if err != nil {
			t.Fatal(err)
		}
		return got.Plan
	}
	left := []string{"(put_on, Pot-1, StoveBurner-1)", "(toggle_on, StoveBurner-1)"}
	if got := plan(); !slices.Contains(got, "(pick_up, Pan-1)") || slices.Equal(got, left) {
		t.Errorf("told what is on the burner it plans %q", got)
	}
	if got := plan("Pan-1 clean, located_at StoveBurner-1", "Pan-1 clean"); slices.Contains(got, "(pick_up, Pan-1)") {
		t.Errorf("not told what is on the burner it clears it all the same: %q", got)
	}
	if got := plan("the burner is taken", notKnown); !slices.Equal(got, left) {
		t.Errorf("told of no failure it plans %q, want what is left, %q", got, left)
	}
	if got := plan(`"boil water", "Boil water on a stove burner."`, `"something"`); len(got) > 0 {
		t.Errorf("told of no goal it plans %q", got)
	}
	if got := plan("filled_with_water, located_at Robot-1", "located_at Robot-1"); !slices.ContainsFunc(got, func(a string) bool { return strings.Contains(a, "Faucet-1") }) {
		t.Errorf("not told that the pot is full it does not fill it: %q", got)
	}
}

// It judges and explains by what is listed alone.
func TestImitationJudgesByItsPrompt(t *testing.T) {
	b, prompts := prompted(t)
	m := &imitated{imitation: &Imitation{Prompts: prompts}, reasoner: b.Reasoner, rng: rand.New(rand.NewPCG(1, 1)), goal: episode.Episode{ID: "x", Task: "boil water"}}
	for _, tt := range []struct{ purpose, prompt, want string }{
		{"stepcheck", "Action: \"(toggle_on, Faucet-1)\"\nObjects: \"Faucet-1; Sink-1\"\nBefore: \"Faucet-1 off\"\nAfter: \"Faucet-1 on\"\nHeard: none", "yes"},
		{"stepcheck", "Action: \"(toggle_on, Faucet-1)\"\nObjects: \"Faucet-1; Sink-1\"\nBefore: \"Faucet-1 off\"\nAfter: \"Faucet-1 off\"\nHeard: none", "no"},
		{"perceive", "The camera saw: \"Cabinet-1 open\"\nQuestion: \"Is Cabinet-1 open?\"", "yes"},
		{"perceive", "The camera saw: \"Cabinet-1 closed\"\nQuestion: \"Is Cabinet-1 open?\"", "no"},
		{"prevents", "The camera saw: \"Bar-1 occludes Cabinet-1; Apple-1 inside Bowl-1\"\nObjects: \"Bar-1; Cabinet-1\"\nQuestion: \"Why can it not open Cabinet-1?\"", `"object":"Bar-1"`},
		{"prevents", "The camera saw: none\nObjects: \"Bar-1; Cabinet-1\"\nQuestion: \"Why can it not open Cabinet-1?\"", `{"reasons":[]}`},
		{"reason", "Heard: \"step 3: glass shatters\"\nDifferences: \"Cup-1 is broken, expected intact\"", `"change":"Cup-1 is broken"`},
		{"reason", "Nothing is otherwise than the plan expects.", `"cause":"not known"`},
		{"explain", "What happened:\nstep 4: \"glass shatters\"\nThis step did not come about: \"(pick_up, Cup-1)\"", "glass shatters"},
		{"choose", "Plan 1: \"(pick_up, A-1); (put_on, A-1, B-1)\"\nPlan 2: \"(pick_up, A-1)\"", `"choice":2`},
		{"summarize", "Task: \"x\"\nWhat was perceived:\nstep 1: \"(pick_up, Cup-1); heard glass shatters; Cup-1 dirty\"", "step 1: (pick_up, Cup-1), heard glass shatters"},
	} {
		a, err := m.Ask(context.Background(), llm.Question{Purpose: tt.purpose, Prompt: tt.prompt})
		if err != nil || !strings.Contains(a.Text, tt.want) {
			t.Errorf("%s: %q, %v; want %q", tt.purpose, a.Text, err, tt.want)
		}
	}
}
