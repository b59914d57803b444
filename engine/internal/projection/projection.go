// Package projection carries a plan forward: the rest of it is carried out in the
// action model, from what is believed now, with nobody looking.
package projection

import (
	"slices"

	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/engine/internal/belief"
	"github.com/mishap-robotics/mishap/engine/internal/grounding"
	"github.com/mishap-robotics/mishap/engine/internal/interrupt"
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
	// Seen are the objects that were ever seen.
	Seen map[state.Object]bool
	// BelievedBefore is what would be so before each event to come, ExpectedBefore what
	// would be had every action succeeded.
	BelievedBefore, ExpectedBefore []*state.State
	// CutShort is true where the plan goes on: then nothing is known of its end.
	CutShort bool
}

// Horizon is how many actions of a plan an episode that happens is carried on by. What a
// step costs grows with what is left of the plan up to that, and no further.
const Horizon = 100

// GoalTruth judges the goal in a state. Where the plan goes on it is Undecided.
func (p *Projection) GoalTruth(s *state.State) (state.Truth, []state.Fluent) {
	if p.CutShort {
		return state.Undecided, nil
	}
	return p.Trace.GoalTruth(s)
}

// Project carries out the rest of the plan from what is believed now, as far as the
// Horizon. The tracker is left as it is.
func Project(t *belief.Tracker) *Projection { return carryOut(t.Fork(), Horizon) }

// ProjectWith carries out other actions than those left of the plan. They begin
// anew: what is believed now is what they should find.
func ProjectWith(t *belief.Tracker, rest []episode.Action) *Projection {
	return ProjectAs(t, rest, t.Names().Actors()[0])
}

// ProjectAs is ProjectWith of a robot with one of its grippers.
func ProjectAs(t *belief.Tracker, rest []episode.Action, who grounding.Actor) *Projection {
	return ProjectTeam(t, rest, nil, who)
}

// ProjectTeam is ProjectAs where others are named for some of the actions.
func ProjectTeam(t *belief.Tracker, rest []episode.Action, agents []string, who grounding.Actor) *Projection {
	t = t.Fork()
	t.ActAs(who)
	t.Replan(rest, agents...)
	return carryOut(t, len(rest))
}

// ProjectPlan carries out the plan of an episode from its scene, or the usual one,
// in the action model. What neither says is taken not to be so, and things to
// lie elsewhere than the goal has them.
func ProjectPlan(o *ontology.Ontology, ep *episode.Episode) *Projection {
	return ProjectPlanUntil(nil, o, ep)
}

// ProjectPlanUntil is ProjectPlan that ends early, with what is to be thrown away, where a
// flag is raised.
func ProjectPlanUntil(stop *interrupt.Flag, o *ontology.Ontology, ep *episode.Episode) *Projection {
	unseen := *ep
	unseen.Steps = nil
	t := belief.NewTracker(o, &unseen)
	t.Trace().EndWith(stop)
	t.CloseWorld()
	p := carryOut(t.Fork(), len(ep.Plan))
	p.EndWith(nil)
	return p
}

// carryOut carries out the next actions of the plan on a tracker, no more than most.
func carryOut(t *belief.Tracker, most int) *Projection {
	t.AssumeObjects()
	trace := t.Trace()
	out := &Projection{Trace: trace, Happened: len(trace.Events), Present: t.Believed().Clone(), PresentExpected: t.Expected().Clone(), Planned: planned(t), Seen: t.Seen()}
	if out.Happened == 0 {
		trace.Start = out.Present
		t.Record()
	}
	o := obstacles{t}
	until := min(len(trace.Episode.Plan), t.Done()+most)
	out.CutShort = until < len(trace.Episode.Plan)
	for t.Done() < until && !trace.Interrupt.Raised() && !stopped(trace) {
		out.BelievedBefore, out.ExpectedBefore = append(out.BelievedBefore, t.Believed().Clone()), append(out.ExpectedBefore, t.Expected().Clone())
		t.Predict(o.of)
	}
	out.CutShort = out.CutShort || stopped(trace)
	trace.Final, trace.Expected = t.Believed(), t.Expected()
	return out
}

// stopped reports whether the last action cannot be carried out and is one that a plan stops
// at.
func stopped(t *belief.Trace) bool {
	if len(t.Events) == 0 {
		return false
	}
	e := &t.Events[len(t.Events)-1]
	return e.ToCome && e.Outcome == belief.Refused && e.Call.Schema.Strict
}

// planned lists the objects that the plan names: those meant by names of
// instances, and by bare names what there is of the class.
func planned(t *belief.Tracker) []state.Object {
	var out []state.Object
	for _, a := range t.Trace().Episode.Plan {
		if t.Trace().Interrupt.Raised() {
			break
		}
		for _, name := range a.Arguments() {
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
