// Package projection carries a plan forward: the rest of it is carried out in the
// action model, from what is believed now, with nobody looking.
package projection

import (
	"slices"

	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/engine/internal/belief"
	"github.com/mishap-robotics/mishap/engine/internal/state"
	"github.com/mishap-robotics/mishap/ontology"
)

// Projection is an episode as it would go on: the rest of its plan carried out in the
// action model, from what is believed now, with nobody looking.
type Projection struct {
	*belief.Trace
	// Happened is how many of the events have happened; the others are to come.
	Happened int
	// Present is what is believed now, PresentExpected what would be so had every action
	// succeeded.
	Present, PresentExpected *state.State
	// Planned are the objects that the plan names.
	Planned []state.Object
	// BelievedBefore is what would be so before each event to come, ExpectedBefore what
	// would be had every action succeeded.
	BelievedBefore, ExpectedBefore []*state.State
}

// Project carries out the rest of the plan from what is believed now. The tracker
// is left as it is.
func Project(t *belief.Tracker) *Projection { return carryOut(t.Fork()) }

// ProjectWith carries out other actions than those left of the plan. They begin
// anew: what is believed now is what they should find.
func ProjectWith(t *belief.Tracker, rest []episode.Action) *Projection {
	t = t.Fork()
	t.Replan(rest)
	return carryOut(t)
}

// ProjectPlan carries out the plan of an episode from its scene, or the usual one,
// in the action model. What neither says is taken not to be so, and things to
// lie elsewhere than the goal has them.
func ProjectPlan(o *ontology.Ontology, ep *episode.Episode) *Projection {
	unseen := *ep
	unseen.Steps = nil
	t := belief.NewTracker(o, &unseen)
	t.CloseWorld()
	out := Project(t)
	ep.Warnings = out.Episode.Warnings
	return out
}

// carryOut carries out what is left of the plan on a tracker.
func carryOut(t *belief.Tracker) *Projection {
	t.AssumeObjects()
	trace := t.Trace()
	out := &Projection{Trace: trace, Happened: len(trace.Events), Present: t.Believed().Clone(), PresentExpected: t.Expected().Clone(), Planned: planned(t)}
	if out.Happened == 0 {
		trace.Start = out.Present
	}
	o := obstacles{t}
	for t.Done() < len(trace.Episode.Plan) {
		out.BelievedBefore, out.ExpectedBefore = append(out.BelievedBefore, t.Believed().Clone()), append(out.ExpectedBefore, t.Expected().Clone())
		t.Predict(o.of)
	}
	trace.Final, trace.Expected = t.Believed(), t.Expected()
	return out
}

// planned lists the objects that the plan names: those meant by names of
// instances, and by bare names what there is of the class.
func planned(t *belief.Tracker) []state.Object {
	var out []state.Object
	for _, a := range t.Trace().Episode.Plan {
		for _, name := range []string{a.Target, a.Destination} {
			if name == "" {
				continue
			}
			for _, x := range t.Names().Candidates(name) {
				if !slices.Contains(out, x) {
					out = append(out, x)
				}
			}
		}
	}
	return out
}
