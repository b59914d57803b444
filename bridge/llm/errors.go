package llm

import (
	"context"
	"errors"
	"fmt"
)

// ErrorKind tells why there is no answer. It also stands in recordings.
type ErrorKind string

// The kinds of errors.
const (
	KeyRefused  ErrorKind = "key"          // 401 and 403
	RateLimited ErrorKind = "rate limit"   // 429, after all tries
	TimedOut    ErrorKind = "timed out"    // no answer in the time of a call, or of the caller
	Unreachable ErrorKind = "unreachable"  // no connection, or one that broke off
	CutOff      ErrorKind = "cut off"      // the answer reached its longest length
	Empty       ErrorKind = "empty"        // no answer, or none with text
	OverBudget  ErrorKind = "budget"       // not asked: the budget does not allow it
	Refused     ErrorKind = "refused"      // the server or the model refuses the question
	ServerFault ErrorKind = "server fault" // 5xx, 408 and 409, after all tries
	Unreadable  ErrorKind = "unreadable"   // the answer is no chat completion
	Cancelled   ErrorKind = "cancelled"    // the caller gave up
	Resting     ErrorKind = "resting"      // not asked: the server has not answered for a while
	NotRecorded ErrorKind = "not recorded" // a replay has no answer
	Other       ErrorKind = "other"        // an error of another package
)

// Error says why a question has no answer. Its text is for people and holds no key.
type Error struct {
	Kind   ErrorKind
	Status int    // of HTTP; 0 where there was none
	Text   string // of an answer that was cut off
	// Message is the text of the error.
	Message string

	// cause is an error of the caller's context, the only one that is kept: others
	// hold addresses and keys.
	cause   error
	lasting bool // of a kind that may pass, but will not
	schema  bool // the server speaks of the schema
}

// Error is one line.
func (e *Error) Error() string { return e.Message }

// Unwrap gives context.Canceled or context.DeadlineExceeded where the caller's own
// context ended, else nil.
func (e *Error) Unwrap() error { return e.cause }

// KindOf tells the kind of an error of a Model: "" for nil, Other for what is none
// of this package.
func KindOf(err error) ErrorKind {
	var e *Error
	switch {
	case err == nil:
		return ""
	case errors.As(err, &e):
		return e.Kind
	case errors.Is(err, context.Canceled):
		return Cancelled
	case errors.Is(err, context.DeadlineExceeded):
		return TimedOut
	}
	return Other
}

// errDeadline is why a question's own time ends.
var errDeadline = fmt.Errorf("the time of a question is over: %w", context.DeadlineExceeded)

// ended is the error of a caller's context that has ended, nil while it has not.
func ended(ctx context.Context) *Error {
	switch err := ctx.Err(); {
	case err == nil:
		return nil
	case errors.Is(context.Cause(ctx), errDeadline):
		return &Error{Kind: TimedOut, Message: "the model was not waited for any longer: the question's time, with its repeats and pauses, is up", cause: context.DeadlineExceeded}
	case errors.Is(err, context.DeadlineExceeded):
		return &Error{Kind: TimedOut, Message: "the model was not waited for any longer: the caller's time is up", cause: context.DeadlineExceeded}
	default:
		return &Error{Kind: Cancelled, Message: "asking the model was cancelled", cause: context.Canceled}
	}
}
