// Package limit holds the error of work that would exceed a bound, or was interrupted.
package limit

import (
	"errors"
	"fmt"
	"strings"

	"github.com/mishap-robotics/mishap/rules"
)

// ErrReached is that of every bound.
var ErrReached = errors.New("the limit is reached")

// Bound is the error of one bound, which is ErrReached too.
type Bound string

func (b Bound) Error() string { return string(b) }

// Unwrap is ErrReached.
func (b Bound) Unwrap() error { return ErrReached }

// Phase is a part of the work of a call.
type Phase string

// The phases, in the order in which a step goes through them.
const (
	Input      Phase = "input"
	Belief     Phase = "belief"
	Facts      Phase = "facts"
	PlanFaults Phase = "plan faults"
	Rules      Phase = "rules"
	Diagnosis  Phase = "diagnosis"
	Foresight  Phase = "foresight"
	Recovery   Phase = "recovery"
	Run        Phase = "run"
)

// None is the step or index of what has none.
const None = -1

// Error is what was not done because of a limit, or because the context was over.
type Error struct {
	Clause *rules.Clause // the rule that was stopped; nil for all but Rules
	Err    error         // the limit, or the error of the context
	Phase  Phase
	// Step is the index of the step of the log, None where it is of no step.
	Step int
	// Field is what of the input was refused, with the Index of the first element that
	// was too many or too long; "" for work that was stopped.
	Field string
	Index int
	// Limit names the bound, such as Limits.Nodes, Max is its value, and Value what was found, or
	// would have come about.
	Limit      string
	Max, Value int
	Undone     string // what was not done
}

// Refused is the error of an element of the input of a step.
func Refused(step int, field string, index int, limit string, most, value int, undone string) *Error {
	return &Error{Err: ErrReached, Phase: Input, Step: step, Field: field, Index: index, Limit: limit, Max: most, Value: value, Undone: undone}
}

// Interrupted is the error of work that a context ended.
func Interrupted(phase Phase, step int, undone string, err error) *Error {
	return &Error{Err: err, Phase: phase, Step: step, Index: None, Undone: undone}
}

// Unwrap is the limit, or the error of the context.
func (e *Error) Unwrap() error { return e.Err }

// Is lets every bound be ErrReached: also the time that a call may take, which ends as a
// context does.
func (e *Error) Is(target error) bool { return target == ErrReached && e.Limit != "" }

func (e *Error) Error() string {
	if e.Clause != nil {
		return e.ofRule()
	}
	var b strings.Builder
	if e.Step != None {
		fmt.Fprintf(&b, "step %d: ", e.Step)
	}
	switch {
	case e.Field != "":
		fmt.Fprintf(&b, "%s[%d]: %d where at most %d are allowed (%s)", e.Field, e.Index, e.Value, e.Max, e.Limit)
	case e.Limit != "":
		fmt.Fprintf(&b, "%s stopped at its limit (%s)", e.Phase, e.Limit)
	default:
		fmt.Fprintf(&b, "%s interrupted (%s)", e.Phase, e.Err)
	}
	if e.Undone != "" {
		b.WriteString("; " + e.Undone)
	}
	return b.String()
}

func (e *Error) ofRule() string {
	reason := ""
	if !errors.Is(e.Err, ErrReached) {
		reason = " (" + e.Err.Error() + ")"
	}
	return fmt.Sprintf("%s:%d: the rule did not end within its limit%s; make it recurse on fewer steps", e.Clause.Pos.File, e.Clause.Pos.Line, reason)
}
