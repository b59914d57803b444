package episode

import (
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"github.com/mishap-robotics/mishap/engine/scene"
)

// Steps that are held are given back as they were, and what is asked of an episode is the same
// while they are.
func TestHeldStepsAreGivenBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var plain, holding Episode
		for i := range rapid.IntRange(1, 40).Draw(t, "steps") {
			st := anyStep(t, 2*i)
			plain.Steps, holding.Steps = append(plain.Steps, st), append(holding.Steps, st)
		}
		held := rapid.IntRange(0, len(plain.Steps)).Draw(t, "held")
		passed := rapid.IntRange(0, held).Draw(t, "passed")
		blank := rapid.IntRange(passed, held).Draw(t, "forgotten")
		for i := range passed {
			plain.Passed.Add(&plain.Steps[i])
		}
		for i := passed; i < blank; i++ {
			plain.Steps[i].ForgetShown()
		}
		plain.Steps = plain.Steps[passed:]
		for i := range held {
			holding.Passed.Hold(&holding.Steps[i])
		}
		holding.Steps = holding.Steps[held:]
		for i := range blank {
			holding.Passed.ForgetShown(i)
		}
		holding.Passed.LetGo(passed)

		same := func(when string) {
			if plain.Acted() != holding.Acted() || plain.TellsAgents() != holding.TellsAgents() {
				t.Fatalf("%s: %d with an action, agents %v, in place of %d, %v", when, holding.Acted(), holding.TellsAgents(), plain.Acted(), plain.TellsAgents())
			}
			for i := range 2 * 41 {
				was, known := plain.ActionOf(i)
				is, still := holding.ActionOf(i)
				if plain.TimeOf(i) != holding.TimeOf(i) || plain.LineOf(i) != holding.LineOf(i) || was != is || known != still {
					t.Fatalf("%s: step %d is at %q, line %d, %v, in place of %q, %d, %v", when, i, holding.TimeOf(i), holding.LineOf(i), is, plain.TimeOf(i), plain.LineOf(i), was)
				}
			}
		}
		same("held")
		steps := slices.Clone(holding.Steps)
		holding.GiveBack()
		same("given back")
		if diff := cmp.Diff(plain.Steps, holding.Steps, cmpopts.EquateEmpty()); diff != "" || !plain.Passed.Equal(holding.Passed) {
			t.Fatalf("(-as it was +given back)\n%s\nthe steps before those: %+v, %+v", diff, plain.Passed, holding.Passed)
		}
		if holding.Steps = append(holding.Steps, Step{}); len(steps) != len(plain.Steps)-held+passed {
			t.Fatalf("%d steps were left", len(steps))
		}
	})
}

func anyStep(t *rapid.T, index int) Step {
	st := Step{Index: index, Line: rapid.IntRange(0, 3).Draw(t, "line"), Time: rapid.SampledFrom([]string{"", "00:01"}).Draw(t, "time")}
	if n := rapid.IntRange(0, 500).Draw(t, "action"); n > 0 {
		st.Action = Action{Name: "pick_up", Target: fmt.Sprint("Mug-", n)}
	}
	st.Agent = rapid.SampledFrom([]string{"", "", "", "robot2"}).Draw(t, "agent")
	st.Observation.Missing = rapid.Bool().Draw(t, "missing")
	st.Observation.Complete = rapid.Bool().Draw(t, "complete")
	switch rapid.IntRange(0, 6).Draw(t, "more") {
	case 0:
		st.Sounds = []string{"thud"}
	case 1:
		st.ID, st.Status, st.Result = "7", StatusInProgress, "E42"
	case 2:
		st.Events = []SensorEvent{{Kind: "force_spike"}}
	case 3:
		st.Observation.Nodes = []scene.Node{{ID: "Mug-1"}}
	}
	return st
}

// Beyond so many actions a step is held whole.
func TestHeldStepsOfManyActions(t *testing.T) {
	var e Episode
	var want []Step
	for i := range 2 * maxActions {
		st := Step{Index: i, Action: Action{Name: fmt.Sprint("act-", i)}}
		want = append(want, st)
		e.Passed.Hold(&st)
	}
	if n := len(e.Passed.actions); n != maxActions {
		t.Errorf("%d actions are told apart", n)
	}
	e.GiveBack()
	if diff := cmp.Diff(want, e.Steps); diff != "" || e.Passed.Len() != 0 {
		t.Errorf("%d are left\n%s", e.Passed.Len(), diff)
	}
}
