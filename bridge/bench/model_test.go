package bench_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/mishap-robotics/mishap/bridge/advice"
	"github.com/mishap-robotics/mishap/bridge/bench"
	"github.com/mishap-robotics/mishap/bridge/llm"
	"github.com/mishap-robotics/mishap/bridge/logs/jsonl"
	"github.com/mishap-robotics/mishap/engine"
)

// answering is a model that answers by a function.
type answering func(q llm.Question) (string, error)

func (answering) Name() string { return "scripted" }

func (f answering) Ask(_ context.Context, q llm.Question) (llm.Answer, error) {
	text, err := f(q)
	return llm.Answer{Text: text, Structured: q.Schema != nil, Usage: llm.Usage{Calls: 1, PromptTokens: q.Estimate(), AnswerTokens: len(text) / llm.BytesPerToken}}, err
}

// well is an adviser whose model always answers well, in words, and that weighs what it
// is told against the whole episode.
type well struct {
	prompts *advice.Prompts

	mu     sync.Mutex
	shares []float64 // tokens of a recovery, of those of its two questions with the log up to then in place of all else
}

func (*well) Name() string { return "scripted" }

func (w *well) Consult(s *engine.Situation) func(context.Context, []engine.Attempt) (*engine.Opinion, error) {
	told := 0
	m := answering(func(q llm.Question) (string, error) {
		told += q.Estimate()
		if q.Purpose == "reason" {
			return `{"cause": "as the rule says", "change": "what it says must change"}`, nil
		}
		w.weigh(s, told)
		var lines []string
		for _, a := range s.Ours.Plan {
			schema, _ := s.Projection.Objects.Onto.Action(a.Name)
			phrase := slices.IndexFunc(schema.Phrases, func(p string) bool {
				return strings.Contains(p, "{target}") == (a.Target != "") && strings.Contains(p, "{destination}") == (a.Destination != "")
			})
			lines = append(lines, strings.NewReplacer("{target}", "the "+a.Target, "{destination}", "the "+a.Destination).Replace(schema.Phrases[max(phrase, 0)]))
		}
		text, err := json.Marshal(map[string]any{"plan": lines})
		return string(text), err
	})
	return (&advice.Adviser{Model: m, Prompts: w.prompts}).Consult(s)
}

func (w *well) weigh(s *engine.Situation, told int) {
	ep := *s.Projection.Episode
	ep.Steps = slices.Clone(ep.Steps)
	for i := range ep.Steps {
		if ep.Steps[i].Index > int(s.Projection.Trace.Last()) {
			ep.Steps = ep.Steps[:i]
			break
		}
	}
	var b bytes.Buffer
	if err := jsonl.Write(&b, &ep); err != nil {
		panic(err)
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.shares = append(w.shares, float64(told)*llm.BytesPerToken/float64(2*b.Len()))
}

// With good answers every pair is completed, most recoveries with the plan of the model.
func TestGoodModel(t *testing.T) {
	if raceDetector {
		t.Skip("long; it runs without the race detector")
	}
	p, err := advice.LoadPrompts("")
	if err != nil {
		t.Fatal(err)
	}
	b := newBench(t, 1)
	w := &well{prompts: p}
	b.Adviser, b.Methods, b.Limit = w, []string{bench.Whole, bench.Advised}, bench.Size(0, 4)
	set, err := b.RecoverPairs(context.Background(), "recover", false)
	if err != nil {
		t.Fatal(err)
	}
	m := set.Methods[1]
	if m.Name != bench.Advised || m.Completed != m.Episodes || m.Advice == nil || m.Advice.MostCalls > 4 || 4*m.Advice.Taken < 3*m.Advice.Recoveries {
		t.Errorf("%+v, %+v: %s; want each completed, most with the model's plan", m, m.Advice, strings.Join(m.Missed, "\n"))
	}
	slices.Sort(w.shares)
	if n := len(w.shares); n > 0 {
		t.Logf("%d recoveries in %d episodes; tokens told: median %d, most %d; of the log with each of two questions: median %.2f, most %.2f", m.Advice.Recoveries, m.Episodes, m.Advice.P50, m.Advice.Most, w.shares[n/2], w.shares[n-1])
	}
}

// A model that misbehaves leaves what is completed as it is.
func TestBadModelCompletesTheSame(t *testing.T) {
	p, err := advice.LoadPrompts("")
	if err != nil {
		t.Fatal(err)
	}
	for name, m := range map[string]answering{
		"nonsense": func(llm.Question) (string, error) {
			return `{"plan": ["(pick_up, Moon)"], "cause": "x", "change": "x"}`, nil
		},
		"nothing": func(llm.Question) (string, error) { return "", errors.New("down") },
		"only on": func(llm.Question) (string, error) {
			return `{"plan": ["turn on the stove burner"], "cause": "x", "change": "x"}`, nil
		},
	} {
		b := newBench(t, 1)
		b.Limit = bench.Size(0, 3)
		b.Adviser, b.Methods = &advice.Adviser{Model: m, Prompts: p}, []string{bench.Whole, bench.Advised}
		set, err := b.RecoverSuite(context.Background(), "RePlan", "replan")
		if err != nil {
			t.Fatal(err)
		}
		if ours, theirs := set.Methods[0], set.Methods[1]; theirs.Completed != ours.Completed || theirs.Actions != ours.Actions {
			t.Errorf("%s: completed %d in %d actions; without the model %d in %d", name, theirs.Completed, theirs.Actions, ours.Completed, ours.Actions)
		}
	}
}

// The baselines run with a model that says yes to all and plans nothing, and a run that
// was broken off is gone on with, without asking again.
func TestModelBaselines(t *testing.T) {
	p, err := advice.LoadPrompts("")
	if err != nil {
		t.Fatal(err)
	}
	var mu sync.Mutex
	asked := map[string]int{}
	m := answering(func(q llm.Question) (string, error) {
		mu.Lock()
		defer mu.Unlock()
		asked[q.Purpose]++
		switch q.Purpose {
		case "stepcheck", "subgoal":
			return "yes", nil
		case "explain":
			return `{"explanation": "the plan is at fault", "times": []}`, nil
		}
		return `{"plan": ["(observe)"], "cause": "c", "change": "c"}`, nil
	})
	path := filepath.Join(t.TempDir(), "journal.jsonl")
	measure := func() []bench.RecoveryMethod {
		j, err := bench.OpenJournal(path, "run")
		if err != nil {
			t.Fatal(err)
		}
		b := newBench(t, 1)
		a := &advice.Adviser{Model: m, Prompts: p}
		b.Adviser, b.Model, b.Journal, b.Limit = a, a, j, bench.Size(0, 4)
		if raceDetector {
			b.Limit = 2
		}
		set, err := b.RecoverSuite(context.Background(), "RePlan", "replan")
		if err != nil {
			t.Fatal(err)
		}
		if err := j.Close(); err != nil {
			t.Fatal(err)
		}
		return set.Methods
	}
	first := measure()
	for _, purpose := range []string{"stepcheck", "subgoal", "explain", "reason", "replan"} {
		if asked[purpose] == 0 {
			t.Errorf("nobody asked %s", purpose)
		}
	}
	clear(asked)
	again := measure()
	if len(asked) > 0 {
		t.Errorf("asked again: %v", asked)
	}
	for i := range first {
		if first[i].Completed != again[i].Completed || first[i].Actions != again[i].Actions || (first[i].Advice == nil) != (again[i].Advice == nil) {
			t.Errorf("%s: %+v, then %+v", first[i].Name, first[i], again[i])
		}
	}
	// A line that was broken off is measured anew, one that is damaged is an error.
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, text[:len(text)-20], 0o644); err != nil {
		t.Fatal(err)
	}
	j, err := bench.OpenJournal(path, "run")
	if err != nil || j.Known() != bytes.Count(text, []byte("\n"))-1 {
		t.Errorf("%v; want all but the last line", err)
	} else if err := j.Close(); err != nil {
		t.Error(err)
	}
	if err := os.WriteFile(path, append([]byte("{\"x\": 1}\n"), text...), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := bench.OpenJournal(path, "run"); err == nil || !strings.Contains(err.Error(), "journal.jsonl:1:") {
		t.Errorf("%v; want an error with file and line", err)
	}
}
