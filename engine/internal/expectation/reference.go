package expectation

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/engine/internal/alignment"
	"github.com/mishap-robotics/mishap/engine/internal/belief"
	"github.com/mishap-robotics/mishap/engine/internal/projection"
	"github.com/mishap-robotics/mishap/engine/internal/state"
	"github.com/mishap-robotics/mishap/engine/scene"
	"github.com/mishap-robotics/mishap/ontology"
)

// Reference is a successful episode whose scenes are what another of the same
// task is expected to look like, subtask by subtask.
type Reference struct {
	ID      string
	actions []episode.Action
	moments []Moment // before each action, then at the end
}

// Moment is what was believed before an action, and what a scene graph of it is made
// for.
type Moment struct {
	State *state.State
	View  View
}

// MomentOf is the present moment of an episode that goes on; at its end there is no
// subtask.
func MomentOf(a *projection.Projection, s *state.State, relevant Relevant) Moment {
	v := View{Relevant: relevant, Robot: a.Robot, Gripper: a.Gripper, Objects: a.Planned,
		Call: state.Call{Target: state.Nothing, Destination: state.Nothing}}
	if len(a.Events) > a.Happened {
		v.Call = a.Events[a.Happened].Call
	}
	return Moment{s, v}
}

// Graph is its scene graph, of the objects that are relevant.
func (m Moment) Graph(relevant Relevant) *scene.Graph {
	v := m.View
	v.Relevant = relevant
	return Of(m.State, v)
}

// NewReference follows an episode. The error says why it is no reference: it has
// no actions, or its goal was not reached.
func NewReference(o *ontology.Ontology, ep *episode.Episode) (*Reference, error) {
	own := *ep
	own.Warnings = nil
	own.Plan = ep.Actions()
	r := &Reference{ID: ep.ID, actions: own.Plan}
	if len(r.actions) == 0 {
		return nil, fmt.Errorf("reference episode %s has no actions", ep.ID)
	}
	f := belief.NewTracker(o, &own)
	for i, st := range ep.Steps {
		if ep.Begins(i) {
			r.moments = append(r.moments, momentOf(f))
		}
		f.Step(st)
	}
	r.moments = append(r.moments, momentOf(f))
	t := f.Trace()
	if got, _ := t.GoalTruth(t.Final); got <= state.AssumedFalse {
		return nil, fmt.Errorf("reference episode %s does not reach its goal (it lacks %s); expected a successful one", ep.ID, strings.Join(t.UnmetGoalTexts(t.Final), ", "))
	}
	return r, nil
}

func momentOf(f *belief.Tracker) Moment {
	a := projection.Project(f)
	return MomentOf(a, a.Present, All)
}

// Align gives each action of a plan the moment of the reference that it should
// find, and the end of the plan that of the reference. An action that the reference
// has not is set against the one that would be due there; so is one before which
// the plan leaves out an action that changes something.
func (r *Reference) Align(o *ontology.Ontology, plan []episode.Action) []Moment {
	match := alignment.Align(o, plan, r.actions)
	out := make([]Moment, len(plan)+1)
	due := 0 // the action of the reference after those that were matched or passed over
	for i := range plan {
		at := due
		if match[i] > 0 {
			at = match[i] - 1
			if Changes(o, plan[i]) {
				if left := slices.IndexFunc(r.actions[due:at], func(a episode.Action) bool { return Changes(o, a) }); left >= 0 {
					at = due + left
				}
				due = match[i]
			}
		}
		out[i] = r.moments[min(at, len(r.moments)-1)]
	}
	out[len(plan)] = r.moments[len(r.moments)-1]
	return out
}

// Changes reports whether an action changes an object: before such an action scenes
// are compared.
func Changes(o *ontology.Ontology, a episode.Action) bool {
	schema, ok := o.Action(a.Name)
	return ok && len(schema.Effects) > 0 && !o.IsNavigation(schema)
}

// Shared is how many actions the reference has in common with a plan, less those
// that only one of them has.
func (r *Reference) Shared(o *ontology.Ontology, plan []episode.Action) int {
	n := 0
	for _, m := range alignment.Align(o, plan, r.actions) {
		if m > 0 {
			n++
		}
	}
	return 3*n - len(plan) - len(r.actions)
}

// SameTask refuses a reference for another task.
func SameTask(o *ontology.Ontology, ep, reference *episode.Episode) error {
	a, known := o.Task(ep.Task)
	b, too := o.Task(reference.Task)
	if known && too && a == b || !known && !too && strings.EqualFold(ep.Task, reference.Task) {
		return nil
	}
	return fmt.Errorf("reference episode %s is of the task %q, episode %s of %q; expected one of the same task", reference.ID, reference.Task, ep.ID, ep.Task)
}
