package bench

import (
	"slices"

	"github.com/mishap-robotics/mishap/engine"
)

// spending is what asking a model came to in one episode.
type spending struct {
	Taken int           `json:"taken"` // plans of it that were carried out
	Costs []engine.Cost `json:"costs"` // of each recovery in which it was asked
}

// advised notes the advice in one recovery; nil is none.
func (s *spending) advised(a *engine.Advice) {
	if a == nil {
		return
	}
	s.Costs = append(s.Costs, a.Cost)
	if a.Taken {
		s.Taken++
	}
}

// ModelTally is what asking a model came to over the episodes of a set.
type ModelTally struct {
	Model      string   `json:"model"`
	Recoveries int      `json:"recoveries"` // in which it was asked
	Taken      int      `json:"taken"`      // plans of it that were carried out
	Calls      int      `json:"calls"`
	MostCalls  int      `json:"most_calls"` // in one recovery
	Prompt     int      `json:"prompt_tokens"`
	Answer     int      `json:"answer_tokens"`
	P50        int      `json:"prompt_tokens_p50"` // of one recovery
	Most       int      `json:"prompt_tokens_max"`
	Dollars    *float64 `json:"dollars"` // null where the price is not known

	prompts []int
	total   engine.Cost
}

func (t *ModelTally) add(s *spending) {
	t.Taken += s.Taken
	for _, c := range s.Costs {
		t.Recoveries++
		t.MostCalls = max(t.MostCalls, c.Calls)
		t.prompts = append(t.prompts, c.PromptTokens)
		t.total.Add(c)
	}
}

func (t *ModelTally) settle(model string) {
	t.Model, t.Calls, t.Prompt, t.Answer = model, t.total.Calls, t.total.PromptTokens, t.total.AnswerTokens
	slices.Sort(t.prompts)
	if n := len(t.prompts); n > 0 {
		t.P50, t.Most = t.prompts[n/2], t.prompts[n-1]
	}
	if t.total.Priced {
		t.Dollars = &t.total.Dollars
	}
}
