package advice

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/mishap-robotics/mishap/bridge/llm"
	"github.com/mishap-robotics/mishap/bridge/report"
)

func explained(t *testing.T, name string, m *scripted) *report.ProgressiveExplanation {
	t.Helper()
	var a *Adviser
	if m != nil {
		a = &Adviser{Model: m, Prompts: prompts(t)}
	}
	x, err := ExplainProgressively(context.Background(), reasoner(t), sample(t, name), a)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// At the first subgoal that was not satisfied the execution is analysed, where each
// was the plan is.
func TestExplainProgressively(t *testing.T) {
	tests := []struct {
		name, analysis, says string
		failed               int
		steps                []int32
	}{
		{"occupied-put", "execution", "Pan-1 is there", 9, []int32{11}},
		{"dropping-obj", "execution", "dropped BreadSliced-1", 7, []int32{7}},
		{"incomplete-plan", "planning", "", 0, nil},
		{"clean-make-coffee", "none", "Nothing went wrong", 0, nil},
	}
	for _, tt := range tests {
		x := explained(t, tt.name, nil)
		o := x.Ours
		if o.Analysis != tt.analysis || o.Failed != tt.failed || !strings.Contains(o.Explanation, tt.says) || tt.steps != nil && (len(o.Steps) == 0 || o.Steps[0] != tt.steps[0]) {
			t.Errorf("%s: %+v; want %+v", tt.name, o, tt)
		}
		if x.Theirs != nil || x.Cost != nil {
			t.Errorf("%s: a model explains though none was asked: %+v", tt.name, x.Theirs)
		}
	}
}

func TestExplainWithModel(t *testing.T) {
	says := func(no, explanation string) *scripted {
		return &scripted{answer: func(q llm.Question) (string, error) {
			switch {
			case q.Purpose == "explain":
				return explanation, nil
			case no != "" && strings.Contains(q.Prompt, no):
				return "No", nil
			}
			return "Yes.", nil
		}}
	}
	const put = `Step: "(put_on, Pot-1, StoveBurner-1)"`
	agree := explained(t, "occupied-put", says(put, `{"explanation": "A pan is there.", "times": ["00:55", "99:99"]}`))
	if agree.Theirs == nil || agree.Theirs.Failed != 9 || len(agree.Theirs.Steps) != 1 || len(agree.Disagreements) > 0 || agree.Cost.Calls != 10 {
		t.Errorf("theirs %+v, disagreements %q, cost %+v", agree.Theirs, agree.Disagreements, agree.Cost)
	}
	blind := explained(t, "occupied-put", says("", `{"explanation": "The plan lacks a step.", "times": ["step 3"]}`))
	if blind.Theirs == nil || blind.Theirs.Analysis != "planning" || len(blind.Disagreements) != 3 {
		t.Errorf("theirs %+v, disagreements %q; want one on the subgoal, on the cause and on the time", blind.Theirs, blind.Disagreements)
	}
	prose := explained(t, "occupied-put", says(put, "Well, the pan."))
	if prose.Theirs != nil || !strings.Contains(prose.Why, "no JSON") || prose.Ours.Failed != 9 {
		t.Errorf("theirs %+v, why %q", prose.Theirs, prose.Why)
	}
	down := explained(t, "occupied-put", &scripted{answer: func(llm.Question) (string, error) { return "", errors.New("down") }})
	if down.Theirs != nil || down.Why != "down" {
		t.Errorf("theirs %+v, why %q", down.Theirs, down.Why)
	}
}

// The rendered texts of the analyses: by the events up to the failure, and by the plan.
func TestExplainPrompts(t *testing.T) {
	s := &scripted{answer: func(q llm.Question) (string, error) {
		switch {
		case q.Purpose == "explain":
			return `{"explanation": "x", "times": []}`, nil
		case strings.Contains(q.Prompt, "(put_on, Pot-1, StoveBurner-1)"):
			return "no", nil
		}
		return "yes", nil
	}}
	explained(t, "occupied-put", s)
	n := len(s.asked)
	explained(t, "incomplete-plan", s)
	golden(t, "explain.txt", dialogue(s.asked[n-2:n])+dialogue(s.asked[len(s.asked)-1:]))
}

func TestYesNo(t *testing.T) {
	for text, want := range map[string]string{"yes": "yes", "Yes.": "yes", " NO\n": "no", "No, it fell.": "no", "Yes, it is": "yes", "maybe": "", "": "", "nothing": "", "yesterday": "", "```\nyes\n```": "yes", "Yes, I think so, but no.": "", "No, yes.": ""} {
		got := ""
		if ok, err := readYesNo(text); err == nil {
			got = map[bool]string{true: "yes", false: "no"}[ok]
		}
		if got != want {
			t.Errorf("%q: %q; want %q", text, got, want)
		}
	}
}
