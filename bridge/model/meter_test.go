package model_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/mishap-robotics/mishap/bridge/model"
	"github.com/mishap-robotics/mishap/bridge/model/modeltest"
)

// fake is a model of a test.
type fake struct {
	name string
	ask  func(context.Context, model.Question) (model.Answer, error)
}

func (f fake) Ask(ctx context.Context, q model.Question) (model.Answer, error) { return f.ask(ctx, q) }
func (f fake) Name() string                                                    { return f.name }

// using answers every question with one usage.
func using(prompt, answer int) fake {
	return fake{"small", func(context.Context, model.Question) (model.Answer, error) {
		return model.Answer{Text: "Yes.", Usage: model.Usage{Calls: 1, PromptTokens: prompt, AnswerTokens: answer, Time: time.Second / 2}}, nil
	}}
}

func prices(t *testing.T) *model.Prices {
	t.Helper()
	p, err := model.ReadPrices(write(t, "prices.json", priceFile))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestAccount(t *testing.T) {
	answers := []func() (model.Answer, error){
		func() (model.Answer, error) { return using(100, 50).ask(context.Background(), question) },
		func() (model.Answer, error) {
			return model.Answer{Usage: model.Usage{Calls: 4}}, &model.Error{Kind: model.RateLimited, Message: "too often with " + key}
		},
		func() (model.Answer, error) {
			return model.Answer{Text: "No.", Usage: model.Usage{Calls: 1, PromptTokens: 1000, AnswerTokens: 1, Estimated: true}}, nil
		},
	}
	asked := 0
	m := model.Meter(fake{"small", func(context.Context, model.Question) (model.Answer, error) { asked++; return answers[asked-1]() }}, model.Budget{}, prices(t))
	for _, purpose := range []string{"reason", "reason", "replan"} {
		_, _ = m.Ask(context.Background(), model.Question{Purpose: purpose})
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
	data, _ := json.Marshal(model.Meter(using(1, 1), model.Budget{}, nil).Account())
	const want = `{"questions":0,"calls":0,"prompt_tokens":0,"answer_tokens":0,"estimated":false,"cost":0,"cost_known":false,"seconds":0,"by_purpose":{},"failures":[]}`
	if string(data) != want {
		t.Errorf("%s", data)
	}
}

func TestBudget(t *testing.T) {
	q := model.Question{Purpose: "replan", Prompt: strings.Repeat("word", 100), MaxTokens: 100} // may take 200
	for name, test := range map[string]struct {
		budget model.Budget
		model  fake
		want   int // questions that are answered
		text   string
	}{
		"none":          {model.Budget{}, using(100, 100), 20, ""},
		"tokens":        {model.Budget{Tokens: 1000}, using(100, 100), 5, "the question may take 200 tokens, and 1000 of the budget of 1000 are used"},
		"tokens left":   {model.Budget{Tokens: 1000}, using(100, 10), 8, "880 of the budget of 1000"},
		"too small":     {model.Budget{Tokens: 199}, using(1, 1), 0, "0 of the budget of 199"},
		"dollars":       {model.Budget{Cost: 0.0009}, using(100, 100), 3, "may cost 0.0003 US dollars, and 0.0009 of the budget of 0.0009"},
		"both":          {model.Budget{Tokens: 400, Cost: 1}, using(100, 100), 2, "tokens"},
		"unknown price": {model.Budget{Cost: 1}, fake{"other", using(1, 1).ask}, 0, `no price of the model "other"`},
	} {
		t.Run(name, func(t *testing.T) {
			asked := 0
			inner := fake{test.model.name, func(ctx context.Context, q model.Question) (model.Answer, error) {
				asked++
				return test.model.ask(ctx, q)
			}}
			m := model.Meter(inner, test.budget, prices(t))
			var last error
			for range 20 {
				if _, err := m.Ask(context.Background(), q); err != nil {
					last = err
				}
			}
			if asked != test.want {
				t.Errorf("%d questions were sent, want %d", asked, test.want)
			}
			if test.text == "" != (last == nil) || last != nil && (model.KindOf(last) != model.OverBudget || !strings.Contains(last.Error(), test.text)) {
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
	inner := fake{"small", func(_ context.Context, q model.Question) (model.Answer, error) {
		bounds = append(bounds, q.MaxTokens)
		return model.Answer{}, nil
	}}
	for _, b := range []model.Budget{{}, {Tokens: 5000}} {
		_, _ = model.Meter(inner, b, nil).Ask(context.Background(), model.Question{Prompt: "?"})
	}
	if d := cmp.Diff([]int{0, model.AnswerTokens}, bounds); d != "" {
		t.Error(d)
	}
}

func TestReset(t *testing.T) {
	m := model.Meter(using(60, 40), model.Budget{Tokens: 150}, nil)
	q := model.Question{Purpose: "replan", Prompt: "?", MaxTokens: 99}
	for range 3 {
		if _, err := m.Ask(context.Background(), q); err != nil {
			t.Fatal(err)
		}
		if _, err := m.Ask(context.Background(), q); model.KindOf(err) != model.OverBudget {
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
	inner := fake{"small", func(ctx context.Context, q model.Question) (model.Answer, error) {
		asked <- true
		<-release
		return using(1, 99).ask(ctx, q)
	}}
	m := model.Meter(inner, model.Budget{Tokens: 1000}, nil)
	refused := make(chan bool, 50)
	var all sync.WaitGroup
	for range 50 {
		all.Go(func() {
			if _, err := m.Ask(context.Background(), model.Question{Prompt: "?", MaxTokens: 99}); model.KindOf(err) == model.OverBudget {
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
	s := modeltest.New(t, modeltest.Always(modeltest.Cut("a text that breaks off")))
	c := config(s)
	c.Retries = 20
	q := model.Question{Purpose: "replan", Prompt: strings.Repeat("word", 100), MaxTokens: 100}
	m := model.Meter(client(t, c), model.Budget{Tokens: 520}, nil)
	a, err := m.Ask(context.Background(), q)
	if model.KindOf(err) != model.OverBudget || len(s.Requests()) != 4 || a.Usage.PromptTokens != 400 {
		t.Errorf("%+v, %v, %d requests", a, err, len(s.Requests()))
	}
	if got := m.Account(); got.PromptTokens != 400 || !got.Estimated || got.Calls != 4 {
		t.Errorf("account %+v", got)
	}
}

func TestMeteredClient(t *testing.T) {
	s := modeltest.New(t, modeltest.Sequence(modeltest.TextUsing("Yes.", 1000, 500), modeltest.EchoKeyInError()))
	m := model.Meter(client(t, config(s)), model.Budget{}, prices(t))
	a, err := m.Ask(context.Background(), question)
	if err != nil || !a.Usage.Priced || a.Usage.Cost != 0.002 || m.Name() != "small" {
		t.Errorf("%+v, %v", a, err)
	}
	_, err = m.Ask(context.Background(), question)
	data, _ := json.Marshal(m.Account())
	if model.KindOf(err) != model.KeyRefused || strings.Contains(string(data), key) {
		t.Errorf("%v, account %s", err, data)
	}
	unpriced := model.Meter(using(1, 1), model.Budget{}, nil)
	if a, _ := unpriced.Ask(context.Background(), question); a.Usage.Priced || a.Usage.Cost != 0 || unpriced.Account().CostKnown {
		t.Errorf("%+v", a)
	}
}

func TestKindOf(t *testing.T) {
	for _, test := range []struct {
		err  error
		want model.Kind
	}{
		{nil, ""}, {errors.New("x"), model.Other}, {context.Canceled, model.Cancelled}, {context.DeadlineExceeded, model.TimedOut},
		{errors.Join(errors.New("x"), &model.Error{Kind: model.Empty}), model.Empty},
	} {
		if got := model.KindOf(test.err); got != test.want {
			t.Errorf("%v: %q, want %q", test.err, got, test.want)
		}
	}
}
