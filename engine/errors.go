package engine

import (
	"errors"
	"fmt"

	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/ontology"
)

// The errors that a host may want to tell apart with errors.Is; those that say more
// are types, for errors.As.
var (
	// ErrFinished is that of a step, or of another end, after the end of an episode.
	ErrFinished = errors.New("the episode is finished")
	// ErrNoGoal is that of a run of an episode that has no goal.
	ErrNoGoal = errors.New("no goal")
	// ErrForgotten is that of a proof or an explanation that would rest on what a
	// monitor with a window (Limits.Window) no longer remembers.
	ErrForgotten = errors.New("forgotten")
)

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

// checkActions is the error of the first action of a plan or of the steps of an
// episode that the ontology does not have.
func checkActions(o *ontology.Ontology, ep *episode.Episode) error {
	for i, a := range ep.Plan {
		if err := episode.CheckAction(o, a.Name); err != nil {
			return fmt.Errorf("episode %s, action %d of the plan: %w", ep.ID, i+1, err)
		}
	}
	for i := range ep.Steps {
		st := &ep.Steps[i]
		if st.Action.Name == "" {
			continue
		}
		if err := episode.CheckAction(o, st.Action.Name); err != nil {
			return fmt.Errorf("episode %s, step %d: %w", ep.ID, st.Index, err)
		}
	}
	return nil
}

// forgotten is the error of asking about a step that an index remembers no more.
func forgotten(step, since int32) error {
	return fmt.Errorf("step %d: what was seen and heard before step %d is %w; a wider window remembers more", step, since, ErrForgotten)
}
