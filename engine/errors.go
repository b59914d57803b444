package engine

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/engine/internal/interrupt"
	"github.com/mishap-robotics/mishap/engine/internal/limit"
	"github.com/mishap-robotics/mishap/ontology"
)

// The errors that a host may want to tell apart with errors.Is; those that say more
// are types, for errors.As.
var (
	// ErrFinished is that of a step, or of another end, after the end of an episode.
	ErrFinished = errors.New("the episode is finished")
	// ErrNoSteps is that of the end of an episode of which no step was taken in.
	ErrNoSteps = errors.New("the episode has no step")
	// ErrNoGoal is that of a run of an episode that has no goal.
	ErrNoGoal = errors.New("no goal")
	// ErrForgotten is that of a proof or an explanation that would rest on what a
	// monitor with a window (Limits.Window) no longer remembers.
	ErrForgotten = errors.New("forgotten")
	// ErrOtherKnowledge is that of a snapshot that was made with another ontology,
	// other rules or other predicates in Go.
	ErrOtherKnowledge = errors.New("made with other knowledge")
	// ErrLimit is that of a *LimitError which no context is the reason of.
	ErrLimit = limit.ErrReached
)

// MaxStep is the highest index that a step may have; what is to come is numbered on from
// there.
const MaxStep = 2_000_000_000

// StepRangeError is a step with an index below 0 or above MaxStep. It was not taken in.
type StepRangeError struct{ Step int }

func (e *StepRangeError) Error() string {
	return fmt.Sprintf("step %d; expected an index from 0 to %d", e.Step, MaxStep)
}

// OrderError is a step that does not come after the one before it. The step was not
// taken in.
type OrderError struct {
	Step, After int
}

func (e *OrderError) Error() string {
	return fmt.Sprintf("step %d after step %d; expected steps in ascending order", e.Step, e.After)
}

// UnknownActionError is an action that the ontology does not have. It holds the Name
// and the Nearest that there is, "" where none is near.
type UnknownActionError = episode.UnknownActionError

// missing is the error of an argument that is nil, or of a value that was not made as
// its type says.
func missing(what string) error { return fmt.Errorf("no %s", what) }

// usable is the error of a reasoner that New did not make.
func (r *Reasoner) usable() error {
	if r == nil || r.Ontology == nil || r.rules == nil {
		return missing("reasoner; New makes one")
	}
	return nil
}

// orBackground is a context that is not nil.
func orBackground(ctx context.Context) context.Context {
	if ctx == nil {
		return context.Background()
	}
	return ctx
}

// admit takes an episode that is to be looked at as a whole. What follows warns in the
// copy that it returns: the episode stays as it is, and goroutines may share it.
func (r *Reasoner) admit(ep *episode.Episode) (*episode.Episode, error) {
	ep, _, err := r.admitWhole(nil, ep)
	return ep, err
}

// admitWhole is admit that also returns the error of what exceeds a limit and is left out.
// Where the flag is raised it is left unfinished.
func (r *Reasoner) admitWhole(stop *interrupt.Flag, ep *episode.Episode) (own *episode.Episode, refused, err error) {
	if err := r.usable(); err != nil {
		return nil, nil, err
	}
	if ep == nil {
		return nil, nil, missing("episode")
	}
	if !(ep.Noise >= 0 && ep.Noise <= 1) {
		return nil, nil, fmt.Errorf("episode %s: noise %v; expected a rate from 0 to 1", ep.ID, ep.Noise)
	}
	last := -1
	for i := range ep.Steps {
		if err := checkStep(ep.Steps[i].Index, last); err != nil {
			return nil, nil, fmt.Errorf("episode %s: %w", ep.ID, err)
		}
		last = ep.Steps[i].Index
	}
	own = new(episode.Episode)
	*own = *ep
	own.Plan, own.Steps = slices.Clip(ep.Plan), slices.Clip(ep.Steps)
	own.Warnings, own.Skipped = slices.Clip(ep.Warnings), slices.Clip(ep.Skipped)
	limits := r.Limits.withDefaults()
	refused = limits.admitWhole(stop, own)
	return own, refused, checkActions(stop, r.Ontology, own)
}

// checkStep is the error of a step that does not come after another.
func checkStep(index, last int) error {
	switch {
	case index < 0 || index > MaxStep:
		return &StepRangeError{index}
	case index <= last:
		return &OrderError{index, last}
	}
	return nil
}

// checkActions is the error of an episode from which nothing can be learnt: it has
// actions, and the ontology has none of them. One that it has not is otherwise warned of,
// with the nearest name that it has: what such an action does is not judged.
func checkActions(stop *interrupt.Flag, o *ontology.Ontology, ep *episode.Episode) error {
	var first error
	known := 0
	note := func(where string, line int, name, told string) {
		if name == "" {
			return
		}
		err := episode.CheckAction(o, name)
		if err == nil {
			known++
			return
		}
		if first == nil {
			first = fmt.Errorf("episode %s, %s: %w", ep.ID, where, err)
		}
		is := func(w episode.Warning) bool { return told != "" && strings.HasPrefix(w.Msg, told) }
		if !slices.ContainsFunc(ep.Skipped, func(w episode.Warning) bool { return w.Line == line }) && !slices.ContainsFunc(ep.Warnings, is) {
			ep.Warn(line, err.Error()+"; what it does is not judged")
		}
	}
	for i, a := range ep.Plan {
		note(fmt.Sprintf("action %d of the plan", i+1), 0, a.Name, fmt.Sprintf("planned action %d ", i+1)) // which whoever read it may have told
	}
	for i := range ep.Steps {
		if stop.Raised() {
			return nil
		}
		if ep.Steps[i].Action.Name == "" {
			continue
		}
		note(fmt.Sprintf("step %d", ep.Steps[i].Index), ep.Steps[i].Line, ep.Steps[i].Action.Name, "")
	}
	if known == 0 {
		return first
	}
	return nil
}

// forgottenStep is the error of asking about a step that an index remembers no more.
func forgottenStep(step, since int32) error {
	return fmt.Errorf("step %d: what was seen and heard before step %d is %w; a wider window remembers more", step, since, ErrForgotten)
}
