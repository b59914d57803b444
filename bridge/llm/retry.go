package llm

import (
	"context"
	"errors"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/cenkalti/backoff/v5"
	"github.com/sashabaranov/go-openai"
)

// MaxWait is the longest pause that a server may ask for (Retry-After). A question
// that would have to wait longer, or longer than its context lasts, fails at once.
const MaxWait = time.Minute

// asking is one question on its way.
type asking struct {
	client     *Client
	question   Question
	structured bool
	usage      Usage
}

// untilAnswered calls until there is an answer or an error that will not pass.
func (a *asking) untilAnswered(ctx context.Context) (string, *Error) {
	pauses := backoff.NewExponentialBackOff()
	pauses.InitialInterval = a.client.config.Backoff
	pauses.Multiplier = 2
	pauses.MaxInterval = max(MaxWait/2, pauses.InitialInterval)
	calls := 0
	var last *Error
	text, err := backoff.Retry(ctx, func() (string, error) {
		if last = ended(ctx); last != nil {
			return "", backoff.Permanent(last)
		}
		if last = allowed(ctx, a.usage); last != nil {
			return "", backoff.Permanent(last)
		}
		calls++
		text, wait, e := a.call(ctx)
		if last = e; e == nil {
			return text, nil
		}
		return text, again(ctx, e, wait)
	}, backoff.WithBackOff(pauses), backoff.WithMaxTries(uint(max(a.client.config.Retries, 0))+1), backoff.WithMaxElapsedTime(0))
	if err == nil {
		return text, nil
	}
	if e := ended(ctx); e != nil && passing(last) {
		return "", e
	}
	if calls > 1 && last.Kind != OverBudget {
		last.Message += " (asked " + strconv.Itoa(calls) + " times)"
	}
	return text, last
}

// again words for the library whether and when to repeat a call.
func again(ctx context.Context, e *Error, wait time.Duration) error {
	if passing(e) && wait > MaxWait {
		e.Message += "; it asks to wait for more than " + MaxWait.String()
		e.lasting = true
	}
	if !passing(e) {
		return backoff.Permanent(e)
	}
	if wait < 0 {
		return e
	}
	if end, ok := ctx.Deadline(); ok && time.Until(end) < wait {
		return backoff.Permanent(e)
	}
	return &backoff.RetryAfterError{Duration: wait}
}

// passing tells whether the same question may be answered a little later.
func passing(e *Error) bool {
	switch e.Kind {
	case RateLimited, ServerFault, TimedOut, Unreachable:
		return !e.lasting
	}
	return false
}

// call sends the question once. wait is the pause that the server asks for, below 0
// where it asks for none.
func (a *asking) call(parent context.Context) (text string, wait time.Duration, _ *Error) {
	c := a.client
	var n note
	ctx, cancel := context.WithTimeout(context.WithValue(parent, noteKey{}, &n), c.config.Timeout)
	defer cancel()
	a.usage.Calls++
	res, err := c.api.CreateChatCompletion(ctx, c.request(a.question, a.structured))
	if err != nil {
		e := c.failure(parent, ctx, err, n)
		if e.Kind == TimedOut || e.Kind == Cancelled || n.status/100 == 2 {
			// The server has read the question all the same, and may charge for it.
			a.usage.PromptTokens += a.question.Estimate()
			a.usage.Estimated = true
		}
		return "", retryAfter(n.header), e
	}
	text = answerText(res)
	a.count(res.Usage, text)
	text = c.clean(text)
	return text, -1, c.judge(res, text)
}

// count adds what an answer used. Servers that do not count send nothing or zeros; what is
// far from what the texts can have is no count, so that no server talks a budget away or
// up.
func (a *asking) count(u openai.Usage, text string) {
	prompt, answer := a.question.Estimate(), tokens(len(text))
	// No token is shorter than a byte; frames of messages and images come on top, and what
	// a model thinks to itself is at most as long as its answer may be.
	if most := (prompt+mostFrame)*BytesPerToken + len(a.question.Images)*mostImage; u.PromptTokens <= 0 || u.PromptTokens > most || u.PromptTokens < (prompt-ImageTokens*len(a.question.Images))/leastShare {
		u.PromptTokens = prompt
		a.usage.Estimated = true
	}
	if most := max(a.question.MaxTokens, mostThought, len(text)); u.CompletionTokens < 0 || u.CompletionTokens > most || u.CompletionTokens < answer/leastShare || u.CompletionTokens == 0 && text != "" {
		u.CompletionTokens = answer
		a.usage.Estimated = true
	}
	a.usage.PromptTokens += u.PromptTokens
	a.usage.AnswerTokens += u.CompletionTokens
}

// What a server may count: at least that share of our estimate, and at most so many tokens
// besides the text.
const (
	leastShare  = 4
	mostFrame   = 500
	mostImage   = 100_000
	mostThought = 200_000
)

// answerText is the text of the first choice; some servers send it in parts.
func answerText(res openai.ChatCompletionResponse) string {
	if len(res.Choices) == 0 {
		return ""
	}
	m := res.Choices[0].Message
	if m.Content != "" || len(m.MultiContent) == 0 {
		return m.Content
	}
	var parts strings.Builder
	for _, p := range m.MultiContent {
		parts.WriteString(p.Text)
	}
	return parts.String()
}

// retryAfter is the pause that a header asks for, as seconds or as a date; below 0
// where it asks for none.
func retryAfter(h http.Header) time.Duration {
	text := strings.TrimSpace(h.Get("Retry-After"))
	if s, err := strconv.ParseUint(text, 10, 64); err == nil || errors.Is(err, strconv.ErrRange) {
		return time.Duration(min(s, uint64(2*MaxWait/time.Second))) * time.Second
	}
	if at, err := http.ParseTime(text); err == nil {
		return max(time.Until(at), 0)
	}
	return -1
}

type allowanceKey struct{}

// withAllowance has a client ask before it repeats a call: allow gets what the
// question has used so far and gives an error where it may use no more.
func withAllowance(ctx context.Context, allow func(Usage) *Error) context.Context {
	return context.WithValue(ctx, allowanceKey{}, allow)
}

func allowed(ctx context.Context, u Usage) *Error {
	if allow, ok := ctx.Value(allowanceKey{}).(func(Usage) *Error); ok && u.Calls > 0 {
		return allow(u)
	}
	return nil
}
