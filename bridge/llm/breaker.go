package llm

import (
	"errors"
	"time"

	"github.com/sony/gobreaker"
)

// After this many questions in a row that a server did not answer it is not asked for a
// while; then one question tries whether it answers again.
const (
	breaksAfter = 3
	DefaultRest = 30 * time.Second
)

// newBreaker makes what keeps questions from a server that does not answer.
func newBreaker(rest time.Duration) *gobreaker.TwoStepCircuitBreaker {
	return gobreaker.NewTwoStepCircuitBreaker(gobreaker.Settings{
		Timeout:     rest,
		ReadyToTrip: func(n gobreaker.Counts) bool { return n.ConsecutiveFailures >= breaksAfter },
	})
}

// pass asks the breaker whether a question may be sent; done is told what became of it.
func (c *Client) pass() (done func(*Error), _ *Error) {
	report, err := c.breaker.Allow()
	switch {
	case errors.Is(err, gobreaker.ErrTooManyRequests):
		return nil, c.fail(Resting, "the model was not asked: it is being tried whether its server answers again")
	case err != nil:
		return nil, c.fail(Resting, "the model was not asked: its server did not answer %d questions in a row; it is tried again after %v", breaksAfter, c.config.Rest)
	}
	return func(e *Error) { report(e == nil || !unanswered(e)) }, nil
}

// unanswered tells whether an error says that the server does not answer, whatever is asked.
func unanswered(e *Error) bool {
	switch e.Kind {
	case RateLimited, ServerFault, TimedOut, Unreachable, KeyRefused:
		return true
	}
	return false
}
