package llm

import (
	"context"
	"fmt"
	"math"
	"strconv"
	"sync"
)

// Budget is what the questions of one recovery may use together. A limit of 0 is
// none.
type Budget struct {
	Tokens int     // of prompts and answers
	Cost   float64 // US dollars
}

// Metered asks a Model within a budget and keeps account. A question that may go
// over the budget by its Estimate and its longest answer is not sent; what the
// server counted is what counts afterwards. Goroutines may share it.
type Metered struct {
	model  Model
	budget Budget
	prices *Prices
	price  Price
	priced bool

	mu      sync.Mutex
	current *period // of the recovery at hand
	total   Account
}

// period is the time of one budget. A question stays with the one that it was asked
// in.
type period struct {
	account Account
	held    share // set aside for questions on their way
}

// Meter makes a Metered; prices may be nil, costs are unknown then. A budget in
// dollars without the model's price allows nothing: see Budget.Check.
func Meter(m Model, b Budget, prices *Prices) *Metered {
	out := &Metered{model: m, budget: b, prices: prices}
	out.price, out.priced = prices.Of(nameOf(m))
	out.current = &period{account: newAccount(out.priced)}
	out.total = newAccount(out.priced)
	return out
}

// Name is the name of the model.
func (m *Metered) Name() string { return nameOf(m.model) }

func (m *Metered) clean(text string) string { return cleanOf(m.model)(text) }

// Account is the account since the last Reset.
func (m *Metered) Account() Account {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.current.account.copy()
}

// Total is the account since Meter.
func (m *Metered) Total() Account {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.total.copy()
}

// Reset gives the next recovery a fresh budget and account, and returns the account
// so far. What questions on their way will use is added to the Total only.
func (m *Metered) Reset() Account {
	m.mu.Lock()
	defer m.mu.Unlock()
	old := m.current
	m.current = &period{account: newAccount(m.priced)}
	return old.account.copy()
}

// Ask asks the model where the budget allows it, else gives an *Error of the kind
// OverBudget. Under a budget a question without MaxTokens gets AnswerTokens.
func (m *Metered) Ask(ctx context.Context, q Question) (Answer, error) {
	if q.MaxTokens <= 0 && m.budget != (Budget{}) {
		q.MaxTokens = AnswerTokens
	}
	need := m.need(q)
	p, refused := m.reserve(q, need)
	if refused != nil {
		m.settle(p, q, share{}, Usage{Priced: m.priced}, refused)
		return Answer{Usage: Usage{Priced: m.priced}}, refused
	}
	held := need
	if m.budget != (Budget{}) {
		ctx = withAllowance(ctx, func(used Usage) *Error { return m.allow(p, q, need, &held, used) })
	}
	answer, err := m.model.Ask(ctx, q)
	answer.Usage.Priced, answer.Usage.Cost = m.priced, m.cost(answer.Usage)
	m.settle(p, q, held, answer.Usage, err)
	return answer, err
}

// share is a part of a budget.
type share struct {
	tokens int
	cost   float64 // US dollars; 0 where the price is not known
}

// need is what a question may use at most, by the estimate of its prompt.
func (m *Metered) need(q Question) share {
	prompt, answer := q.Estimate(), max(q.MaxTokens, 0)
	return share{prompt + answer, m.price.Cost(prompt, answer)}
}

func (m *Metered) cost(u Usage) float64 { return m.price.Cost(u.PromptTokens, u.AnswerTokens) }

func (p *period) hold(s share, sign int) {
	p.held.tokens += sign * s.tokens
	p.held.cost += float64(sign) * s.cost
	if p.held.tokens == 0 {
		p.held.cost = 0 // no dust of rounding is left
	}
}

func (m *Metered) reserve(q Question, need share) (*period, *Error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	p := m.current
	if err := m.over(p, q, need, share{}); err != nil {
		return p, err
	}
	p.hold(need, +1)
	return p, nil
}

// allow tells whether a call of the question may be repeated after what its earlier
// calls used, and sets that aside too.
func (m *Metered) allow(p *period, q Question, need share, held *share, used Usage) *Error {
	m.mu.Lock()
	defer m.mu.Unlock()
	p.hold(*held, -1)
	own := share{used.PromptTokens + used.AnswerTokens, m.cost(used)}
	err := m.over(p, q, need, own)
	if err == nil {
		*held = share{need.tokens + own.tokens, need.cost + own.cost}
	}
	p.hold(*held, +1)
	return err
}

// over tells whether a need goes over the budget, on top of all else and of what the
// question has used itself.
func (m *Metered) over(p *period, q Question, need, own share) *Error {
	fail := func(format string, args ...any) *Error {
		return &Error{Kind: OverBudget, Message: "the model was not asked (purpose " + clip(q.Purpose) + "): " + fmt.Sprintf(format, args...)}
	}
	gone := p.account.PromptTokens + p.account.AnswerTokens + p.held.tokens + own.tokens
	if m.budget.Tokens > 0 && gone+need.tokens > m.budget.Tokens {
		return fail("the question may take %d tokens, and %d of the budget of %d are used or set aside; raise the budget or ask for shorter answers",
			need.tokens, gone, m.budget.Tokens)
	}
	if m.budget.Cost <= 0 {
		return nil
	}
	if err := m.budget.Check(m.Name(), m.prices); err != nil {
		return fail("%v", err)
	}
	cost := p.account.Cost + p.held.cost + own.cost
	if cost+need.cost > m.budget.Cost*(1+1e-9) { // sums of fractions are not exact
		return fail("the question may cost %s US dollars, and %s of the budget of %s are used or set aside; raise the budget or ask for shorter answers",
			dollars(need.cost), dollars(cost), dollars(m.budget.Cost))
	}
	return nil
}

// settle puts what a question used in the place of what was set aside for it.
func (m *Metered) settle(p *period, q Question, held share, u Usage, err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	p.hold(held, -1)
	p.account.add(q.Purpose, u, err, m.clean)
	m.total.add(q.Purpose, u, err, m.clean)
}

// dollars writes an amount without the dust of sums of fractions.
func dollars(x float64) string {
	return strconv.FormatFloat(math.Round(x*1e9)/1e9, 'f', -1, 64)
}
