package bench

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/mishap-robotics/mishap/bridge/advice"
	"github.com/mishap-robotics/mishap/bridge/llm"
	"github.com/mishap-robotics/mishap/bridge/llm/llmtest"
	"github.com/mishap-robotics/mishap/engine/simulation"
)

// purposeOf is what a server is asked for, by the form of the answer that is asked for, or by
// how the prompt begins.
func purposeOf(r llmtest.Request) string {
	for _, of := range []struct{ said, purpose string }{
		{`{"plan"`, "replan"}, {`"actions"`, "correct"}, {`{"cause"`, "reason"}, {`{"subtasks"`, "subtasks"}, {`{"reasons"`, "prevents"}, {`{"steps"`, "motion"},
		{`{"explanation"`, "explain"}, {`{"choice"`, "choose"}, {"Did the action come about", "stepcheck"}, {"Has the step come about?", "subgoal"},
		{"What was perceived:", "summarize"}, {"Motions:", "rewards"}, {"Question:", "perceive"},
	} {
		if strings.Contains(r.Prompt, of.said) {
			return of.purpose
		}
	}
	return ""
}

// What the papers do with a model is measured with a server as it is without: a server that
// answers as the imitation does gives the same figures.
func TestRecoverWithServer(t *testing.T) {
	b, prompts := prompted(t)
	scenarios, err := b.sampler().scenarios("replanning")
	if err != nil {
		t.Fatal(err)
	}
	robot, err := simulation.NewRobot(b.Simulation, scenarios[0], simulation.Options{})
	if err != nil {
		t.Fatal(err)
	}
	b.Methods = []string{Advised, "SDA with nodes by a model", "RECOVER, strategies given, the model decides", "SGPR without reasoning",
		"model verifies and replans (RECOVER's baseline)", "model explains and corrects once (REFLECT)", "REFLECT with a summary by the model", "RePlan's loop with a model"}
	measure := func() RecoverySet {
		t.Helper()
		set, err := b.RecoverScenarios(context.Background(), "one", scenarios[:1])
		if err != nil {
			t.Fatal(err)
		}
		return set
	}
	b.Imitation = &Imitation{Prompts: prompts}
	m := b.Imitation.adviser(b.Reasoner, robot, 1).Model.(*imitated)
	want := measure()
	asked := map[string]bool{}
	server := llmtest.New(t, func(r llmtest.Request) llmtest.Response {
		m.mu.Lock()
		asked[purposeOf(r)] = true
		m.mu.Unlock()
		a, err := m.Ask(context.Background(), llm.Question{Purpose: purposeOf(r), Prompt: r.Prompt})
		if err != nil {
			t.Errorf("%v: %s", err, r.Prompt)
		}
		return llmtest.Text(a.Text)
	})
	client, err := llm.New(llm.Config{BaseURL: server.URL, Model: "imitated", Timeout: time.Minute})
	if err != nil {
		t.Fatal(err)
	}
	a := &advice.Adviser{Model: client, Prompts: prompts}
	b.Imitation, b.Adviser, b.Model = nil, a, a
	got := measure()
	if len(got.Methods) != len(want.Methods) {
		t.Fatalf("%d methods, want %d", len(got.Methods), len(want.Methods))
	}
	for i := range got.Methods {
		g, w := &got.Methods[i], &want.Methods[i]
		if g.Name != w.Name || g.Completed != w.Completed || g.Met != w.Met || g.Actions != w.Actions || g.Errors > 0 {
			t.Errorf("%s: completed %d, met %d, %d actions, %d errors; %s by the imitation itself: %d, %d, %d", g.Name, g.Completed, g.Met, g.Actions, g.Errors, w.Name, w.Completed, w.Met, w.Actions)
		}
		if (g.Advice == nil) != (w.Advice == nil) || g.Advice != nil && g.Advice.Calls != w.Advice.Calls {
			t.Errorf("%s: %+v, by the imitation itself %+v", g.Name, g.Advice, w.Advice)
		}
	}
	for _, purpose := range []string{"replan", "reason", "subtasks", "explain", "summarize", "stepcheck", "subgoal", "motion", "rewards"} {
		if !asked[purpose] {
			t.Errorf("the server was not asked to %s", purpose)
		}
	}
	if asked[""] {
		t.Error("the server was asked what nobody knows")
	}
}
