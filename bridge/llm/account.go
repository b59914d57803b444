package llm

import (
	"maps"
	"slices"
)

// Account says what questions used, in total and by purpose. It marshals to JSON.
type Account struct {
	Tally
	ByPurpose map[string]Tally     `json:"by_purpose"`
	Failures  []UnansweredQuestion `json:"failures"`
}

// Tally is the sum of several questions.
type Tally struct {
	Questions    int     `json:"questions"` // answered or not, refused by the budget included
	Calls        int     `json:"calls"`     // requests sent, repeated ones included
	PromptTokens int     `json:"prompt_tokens"`
	AnswerTokens int     `json:"answer_tokens"`
	Estimated    bool    `json:"estimated"` // some of the tokens are estimates
	Cost         float64 `json:"cost"`      // US dollars; 0 unless CostKnown
	CostKnown    bool    `json:"cost_known"`
	Seconds      float64 `json:"seconds"`
}

// UnansweredQuestion is a question without an answer.
type UnansweredQuestion struct {
	Purpose string    `json:"purpose"`
	Kind    ErrorKind `json:"kind"`
	Message string    `json:"message"`
}

// newAccount is empty; known says whether costs are.
func newAccount(known bool) Account {
	return Account{Tally: Tally{CostKnown: known}, ByPurpose: map[string]Tally{}, Failures: []UnansweredQuestion{}}
}

func (a *Account) add(purpose string, u Usage, err error, clean func(string) string) {
	a.Tally = a.plus(u)
	of, ok := a.ByPurpose[purpose]
	if !ok {
		of.CostKnown = a.CostKnown
	}
	a.ByPurpose[purpose] = of.plus(u)
	if err != nil {
		a.Failures = append(a.Failures, UnansweredQuestion{purpose, KindOf(err), clean(err.Error())})
	}
}

func (t Tally) plus(u Usage) Tally {
	t.Questions++
	t.Calls += u.Calls
	t.PromptTokens += u.PromptTokens
	t.AnswerTokens += u.AnswerTokens
	t.Estimated = t.Estimated || u.Estimated
	t.Cost += u.Cost
	t.CostKnown = t.CostKnown && u.Priced
	t.Seconds += u.Time.Seconds()
	return t
}

func (a Account) copy() Account {
	a.ByPurpose, a.Failures = maps.Clone(a.ByPurpose), slices.Clone(a.Failures)
	return a
}
