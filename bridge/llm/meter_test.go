package llm_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/mishap-robotics/mishap/bridge/llm"
	"github.com/mishap-robotics/mishap/bridge/llm/llmtest"
)

// fake is a model of a test.
type fake struct {
	name string
	ask  func(context.Context, llm.Question) (llm.Answer, error)
}

func (f fake) Ask(ctx context.Context, q llm.Question) (llm.Answer, error) { return f.ask(ctx, q) }
func (f fake) Name() string                                                { return f.name }

// using answers every question with one usage.
func using(prompt, answer int) fake {
	return fake{"small", func(context.Context, llm.Question) (llm.Answer, error) {
		return llm.Answer{Text: "Yes.", Usage: llm.Usage{Calls: 1, PromptTokens: prompt, AnswerTokens: answer, Time: time.Second / 2}}, nil
	}}
}

func prices(t *testing.T) *llm.Prices {
	t.Helper()
	p, err := llm.ReadPrices(write(t, "prices.json", priceFile))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestAccount(t *testing.T) {
	answers := []func() (llm.Answer, error){
		func() (llm.Answer, error) { return using(100, 50).ask(context.Background(), question) },
		func() (llm.Answer, error) {
			return llm.Answer{Usage: llm.Usage{Calls: 4}}, &llm.Error{Kind: llm.RateLimited, Message: "too often with " + key}
		},
		func() (llm.Answer, error) {
			return llm.Answer{Text: "No.", Usage: llm.Usage{Calls: 1, PromptTokens: 1000, AnswerTokens: 1, Estimated: true}}, nil
		},
	}
	asked := 0
	m := llm.Meter(fake{"small", func(context.Context, llm.Question) (llm.Answer, error) { asked++; return answers[asked-1]() }}, llm.Budget{}, prices(t))
	for _, purpose := range []string{"reason", "reason", "replan"} {
		_, _ = m.Ask(context.Background(), llm.Question{Purpose: purpose})
	}
	data, err := json.Marshal(m.Account())
	if err != nil {
		t.Fatal(err)
	}
	var got, want any
	const text = `{"questions":3,"calls":6,"prompt_tokens":1100,"answer_tokens":51,"estimated":true,"cost":0.001202,"cost_known":true,"seconds":0.5,
		"by_purpose":{
			"reason":{"questions":2,"calls":5,"prompt_tokens":100,"answer_tokens":50,"estimated":false,"cost":0.0002,"cost_known":true,"seconds":0.5},
			"replan":{"questions":1,"calls":1,"prompt_tokens":1000,"answer_tokens":1,"estimated":true,"cost":0.001002,"cost_known":true,"seconds":0}},
		"failures":[{"purpose":"reason","kind":"rate limit","message":"too often with [key]"}]}`
	if json.Unmarshal(data, &got) != nil || json.Unmarshal([]byte(text), &want) != nil {
		t.Fatalf("%s", data)
	}
	if d := cmp.Diff(want, got, cmp.Comparer(func(a, b float64) bool { return a-b < 1e-12 && b-a < 1e-12 })); d != "" {
		t.Error(d)
	}
}

func TestAccountEmpty(t *testing.T) {
	data, _ := json.Marshal(llm.Meter(using(1, 1), llm.Budget{}, nil).Account())
	const want = `{"questions":0,"calls":0,"prompt_tokens":0,"answer_tokens":0,"estimated":false,"cost":0,"cost_known":false,"seconds":0,"by_purpose":{},"failures":[]}`
	if string(data) != want {
		t.Errorf("%s", data)
	}
}

func TestBudget(t *testing.T) {
	q := llm.Question{Purpose: "replan", Prompt: strings.Repeat("word", 100), MaxTokens: 100} // may take 200
	for name, test := range map[string]struct {
		budget llm.Budget
		model  fake
		want   int // questions that are answered
		text   string
	}{
		"none":          {llm.Budget{}, using(100, 100), 20, ""},
		"tokens":        {llm.Budget{Tokens: 1000}, using(100, 100), 5, "the question may take 200 tokens, and 1000 of the budget of 1000 are used"},
		"tokens left":   {llm.Budget{Tokens: 1000}, using(100, 10), 8, "880 of the budget of 1000"},
		"too small":     {llm.Budget{Tokens: 199}, using(1, 1), 0, "0 of the budget of 199"},
		"dollars":       {llm.Budget{Cost: 0.0009}, using(100, 100), 3, "may cost 0.0003 US dollars, and 0.0009 of the budget of 0.0009"},
		"both":          {llm.Budget{Tokens: 400, Cost: 1}, using(100, 100), 2, "tokens"},
		"unknown price": {llm.Budget{Cost: 1}, fake{"other", using(1, 1).ask}, 0, `no price of the model "other"`},
	} {
		t.Run(name, func(t *testing.T) {
			asked := 0
			inner := fake{test.model.name, func(ctx context.Context, q llm.Question) (llm.Answer, error) {
				asked++
				return test.model.ask(ctx, q)
			}}
			m := llm.Meter(inner, test.budget, prices(t))
			var last error
			for range 20 {
				if _, err := m.Ask(context.Background(), q); err != nil {
					last = err
				}
			}
			if asked != test.want {
				t.Errorf("%d questions were sent, want %d", asked, test.want)
			}
			if test.text == "" != (last == nil) || last != nil && (llm.KindOf(last) != llm.OverBudget || !strings.Contains(last.Error(), test.text)) {
				t.Errorf("%v, want %s", last, test.text)
			}
			if a := m.Account(); a.Questions != 20 || a.Calls != test.want || len(a.Failures) != 20-test.want {
				t.Errorf("account %+v", a)
			}
		})
	}
}

func TestUnboundedAnswer(t *testing.T) {
	var bounds []int
	inner := fake{"small", func(_ context.Context, q llm.Question) (llm.Answer, error) {
		bounds = append(bounds, q.MaxTokens)
		return llm.Answer{}, nil
	}}
	for _, b := range []llm.Budget{{}, {Tokens: 5000}} {
		_, _ = llm.Meter(inner, b, nil).Ask(context.Background(), llm.Question{Prompt: "?"})
	}
	if d := cmp.Diff([]int{0, llm.AnswerTokens}, bounds); d != "" {
		t.Error(d)
	}
}

func TestReset(t *testing.T) {
	m := llm.Meter(using(60, 40), llm.Budget{Tokens: 150}, nil)
	q := llm.Question{Purpose: "replan", Prompt: "?", MaxTokens: 99}
	for range 3 {
		if _, err := m.Ask(context.Background(), q); err != nil {
			t.Fatal(err)
		}
		if _, err := m.Ask(context.Background(), q); llm.KindOf(err) != llm.OverBudget {
			t.Fatal(err)
		}
		if a := m.Reset(); a.Calls != 1 || a.PromptTokens != 60 || len(a.Failures) != 1 {
			t.Errorf("account %+v", a)
		}
	}
	if a, all := m.Account(), m.Total(); a.Calls != 0 || all.Calls != 3 || all.Questions != 6 || all.AnswerTokens != 120 {
		t.Errorf("%+v and in total %+v", a, all)
	}
}

// TestBudgetTogether: questions on their way count before their answers are here.
func TestBudgetTogether(t *testing.T) {
	asked, release := make(chan bool, 50), make(chan bool)
	inner := fake{"small", func(ctx context.Context, q llm.Question) (llm.Answer, error) {
		asked <- true
		<-release
		return using(1, 99).ask(ctx, q)
	}}
	m := llm.Meter(inner, llm.Budget{Tokens: 1000}, nil)
	refused := make(chan bool, 50)
	var all sync.WaitGroup
	for range 50 {
		all.Go(func() {
			if _, err := m.Ask(context.Background(), llm.Question{Prompt: "?", MaxTokens: 99}); llm.KindOf(err) == llm.OverBudget {
				refused <- true
			}
			_ = m.Account()
		})
	}
	for range 40 {
		<-refused
	}
	close(release)
	all.Wait()
	if a := m.Account(); len(asked) != 10 || a.Calls != 10 || a.PromptTokens+a.AnswerTokens != 1000 {
		t.Errorf("%d questions were sent, account %+v", len(asked), a)
	}
}

// TestBudgetOfRepeats: calls without an answer use the budget up too.
func TestBudgetOfRepeats(t *testing.T) {
	s := llmtest.New(t, llmtest.Always(llmtest.Cut("a text that breaks off")))
	c := config(s)
	c.Retries = 20
	q := llm.Question{Purpose: "replan", Prompt: strings.Repeat("word", 100), MaxTokens: 100}
	m := llm.Meter(client(t, c), llm.Budget{Tokens: 520}, nil)
	a, err := m.Ask(context.Background(), q)
	if llm.KindOf(err) != llm.OverBudget || len(s.Requests()) != 4 || a.Usage.PromptTokens != 400 {
		t.Errorf("%+v, %v, %d requests", a, err, len(s.Requests()))
	}
	if got := m.Account(); got.PromptTokens != 400 || !got.Estimated || got.Calls != 4 {
		t.Errorf("account %+v", got)
	}
}

func TestMeteredClient(t *testing.T) {
	s := llmtest.New(t, llmtest.Sequence(llmtest.TextUsing("Yes.", 1000, 500), llmtest.EchoKeyInError()))
	m := llm.Meter(client(t, config(s)), llm.Budget{}, prices(t))
	a, err := m.Ask(context.Background(), question)
	if err != nil || !a.Usage.Priced || a.Usage.Cost != 0.002 || m.Name() != "small" {
		t.Errorf("%+v, %v", a, err)
	}
	_, err = m.Ask(context.Background(), question)
	data, _ := json.Marshal(m.Account())
	if llm.KindOf(err) != llm.KeyRefused || strings.Contains(string(data), key) {
		t.Errorf("%v, account %s", err, data)
	}
	unpriced := llm.Meter(using(1, 1), llm.Budget{}, nil)
	if a, _ := unpriced.Ask(context.Background(), question); a.Usage.Priced || a.Usage.Cost != 0 || unpriced.Account().CostKnown {
		t.Errorf("%+v", a)
	}
}

func TestKindOf(t *testing.T) {
	for _, test := range []struct {
		err  error
		want llm.ErrorKind
	}{
		{nil, ""}, {errors.New("x"), llm.Other}, {context.Canceled, llm.Cancelled}, {context.DeadlineExceeded, llm.TimedOut},
		{errors.Join(errors.New("x"), &llm.Error{Kind: llm.Empty}), llm.Empty},
	} {
		if got := llm.KindOf(test.err); got != test.want {
			t.Errorf("%v: %q, want %q", test.err, got, test.want)
		}
	}
}
