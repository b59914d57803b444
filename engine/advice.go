package engine

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/engine/internal/planner"
	"github.com/mishap-robotics/mishap/engine/internal/recovery"
	"github.com/mishap-robotics/mishap/engine/scene"
)

// Adviser proposes plans of its own, as a language model does. What it proposes is
// verified as every plan is before anything comes of it.
type Adviser interface {
	// Name says who it is, for the result.
	Name() string
	// Consult begins to ask about a situation. What it returns proposes the actions
	// from now on; it is called again with the plans that were refused, oldest first,
	// and why. With an error the opinion may be nil, or hold no more than what it cost.
	Consult(s *Situation) func(ctx context.Context, refused []Attempt) (*Opinion, error)
}

// Situation is what an adviser is asked about.
type Situation struct {
	// Projection holds the task, the objects, what was done and seen, what is believed now
	// (Present) and what would be so had every action succeeded (PresentExpected).
	Projection *Projection
	Given      []episode.Action // the plan at first
	Rest       []episode.Action // what is left of the present one, from what failed on
	Failed     string           // the action that failed last, "" for none
	Finding    *Finding
	Threat     *Threat
	// Proof is what the finding or threat rests on, in words.
	Proof []string
	// Strategies are those of the ontology that apply, in order; Others are the rest of
	// those for the class. Actions are on objects that there are now, or that an action
	// before makes; a strategy of which that cannot be said has no actions.
	Strategies, Others []GroundedStrategy
	// Experience is what came of strategies before; it may be nil.
	Experience *Experience
	// Window is the part of the plan that an error concerns, nil where every action left
	// can be carried out.
	Window *ErrorWindow
	// Constraints are what every plan has to keep, in words; Obstacles what keeps the
	// rest of the plan from being carried out as it is, or goes against a norm in it.
	Constraints, Obstacles []string
	// Believed and Expected are the scene graphs of now, Required is as the next action
	// needs it to be, and as norms do that what was done or is left goes against; Differences lists how Believed differs from both.
	Believed, Expected, Required *scene.Graph
	Differences                  []scene.Difference
	// Ours is what mishap proposes itself, nil where it was not asked.
	Ours *Proposal
}

// ErrorWindow is the part of a plan that an error concerns (SDA-Planner, section 4.3).
type ErrorWindow struct {
	Kind   string   // environment, preparation or dependency
	Fails  string   // the action that fails
	Lacks  string   // what it depends on that does not hold, "" for nothing
	Source string   // the action after which that held no more, "" where none did it
	Plan   []string // the actions to be planned anew, from the first to the last
}

// Opinion is what an adviser says.
type Opinion struct {
	Cause  string       // of the failure
	Change string       // that is needed
	Lines  []AdviceLine // its plan
	// Person is what a person would have to do, where it says that one is needed, "" where
	// it does not.
	Person string
	// Unreadable says why its answer is no plan at all, "" where it is one.
	Unreadable string
	Cost       Cost
}

// DefaultRevisions is how often an adviser may repair a plan that was refused.
const DefaultRevisions = 2

// asks reports whether an adviser could help: not where nothing is left to do. Where
// nothing can be done, as far as is known, it is told why.
func asks(p Planner, ours *Proposal) bool {
	return !ours.Verified || len(ours.Plan) > 0 && !p.OnlyStuck
}

// advised asks the adviser and takes its plan where that is no worse than ours: it is
// verified, not longer, and relies on no more that nobody knows. A plan that is
// refused goes back with the reason. Where it stays so, ours takes its place, or, where
// ours is not verified either, theirs with what it lacks.
func (c *concern) advised(within *call, ours *Proposal) *Proposal {
	ctx := within.ctx
	out := &Advice{Adviser: c.planner.Adviser.Name()}
	ours.Advice = out
	s, err := c.situation(within, ours)
	if err != nil {
		out.Why = err.Error()
		return ours
	}
	var advise func(context.Context, []Attempt) (*Opinion, error)
	if corrector, ok := c.planner.Adviser.(Corrector); ok && c.planner.Correcting {
		talk := corrector.Correcting(s)
		if chosen := c.corrected(within, talk, s, out); chosen != nil {
			return chosen
		}
		advise, out.Attempts = talk.Advise, nil
	} else {
		advise = c.planner.Adviser.Consult(s)
	}
	theirs, whole := c.attempts(within, advise, out)
	if theirs == nil && !ours.Verified && len(whole) > 0 && ctx.Err() == nil {
		if p := c.assess(within, whole, true); p.Verified {
			theirs = p
		}
	}
	if theirs == nil {
		if out.Why == "" {
			out.Why = "no plan of it could be carried out"
		}
		if out.Person != "" && !ours.Verified && !slices.Contains(ours.NeedsPerson, out.Person) {
			ours.NeedsPerson = append(slices.Clip(ours.NeedsPerson), out.Person)
		}
		return ours
	}
	if out.Why = worse(theirs, ours); out.Why != "" {
		return ours
	}
	out.Taken = true
	theirs.Advice, theirs.Diagnosis = out, ours.Diagnosis
	return theirs
}

// attempts asks until a plan is verified, and notes what came of each. Whole is the
// last plan of which every line was understood.
func (c *concern) attempts(within *call, advise func(context.Context, []Attempt) (*Opinion, error), out *Advice) (verified *Proposal, whole []episode.Action) {
	revisions := c.planner.Revisions
	if revisions == 0 {
		revisions = DefaultRevisions
	}
	for range max(revisions, 0) + 1 {
		o, err := advise(within.ctx, out.Attempts)
		if o != nil {
			out.Cost.Add(o.Cost)
			out.Cause, out.Change = o.Cause, o.Change
		}
		if err == nil && o == nil {
			err = fmt.Errorf("%s said nothing", out.Adviser)
		}
		if err != nil {
			out.Why = err.Error()
			return nil, whole
		}
		if out.Person = o.Person; o.Person != "" && len(o.Lines) == 0 {
			out.Why = "it says that a person is needed"
			return nil, whole
		}
		at := Attempt{Lines: o.Lines}
		plan, refused := understood(o.Lines)
		if o.Unreadable != "" {
			refused = o.Unreadable
		}
		if refused == "" {
			whole = plan
			p := c.assess(within, plan, false)
			if p.Verified {
				out.Attempts = append(out.Attempts, at)
				return p, whole
			}
			refused = p.Shortcoming()
		}
		at.Refused = refused
		out.Attempts = append(out.Attempts, at)
		if n := len(out.Attempts); n > 1 && slices.Equal(out.Attempts[n-2].Lines, at.Lines) {
			break // it says the same again
		}
	}
	return nil, whole
}

// understood are the actions of a plan, or why there are none.
func understood(lines []AdviceLine) (plan []episode.Action, refused string) {
	for i := range lines {
		if l := &lines[i]; l.Refused != "" {
			return nil, fmt.Sprintf("line %d: %s", i+1, l.Refused)
		}
		plan = append(plan, lines[i].Action)
	}
	if len(plan) == 0 {
		return nil, "it names no actions"
	}
	return plan, ""
}

// worse says in what an adviser's verified plan is worse than ours, "" for nothing.
func worse(theirs, ours *Proposal) string {
	a, b := len(theirs.Plan), len(ours.Plan)
	switch {
	case !ours.Verified:
		return ""
	case a > b:
		return fmt.Sprintf("it takes %d actions, and %d are enough", a, b)
	case len(theirs.Assumptions) > len(ours.Assumptions):
		return "it relies on more that nobody knows: " + strings.Join(theirs.Assumptions, ", ")
	}
	return ""
}

// Situation is what an adviser would be asked about now, concerning a finding or a
// threat; both may be nil. Where the context is over there is none.
func (m *Monitor) Situation(ctx context.Context, found *Finding, threat *Threat) (*Situation, error) {
	if err := m.ready(ctx); err != nil {
		return nil, err
	}
	within, end := beginCall(orBackground(ctx), m.tracker.Trace(), 0, "")
	defer m.over(end)
	c := concern{Monitor: m, found: found, threat: threat}
	return c.situation(within, nil)
}

// Assess verifies somebody else's plan from what is believed now, and supplies nothing
// that it lacks. A proposal that is not verified says what stands against it.
func (m *Monitor) Assess(ctx context.Context, p Planner, plan []episode.Action) *Proposal {
	if err := m.ready(ctx); err != nil {
		return &Proposal{Err: err}
	}
	within, end := m.beginPlanning(ctx)
	defer m.over(end)
	c := concern{Monitor: m, planner: p}
	return c.assess(within, plan, false)
}

// assess verifies a plan; with repair it supplies what that lacks.
func (c *concern) assess(within *call, plan []episode.Action, repair bool) *Proposal {
	return c.propose(within, plan, planner.FromAdvice, func(problem *recovery.Problem) *Proposal {
		return recovery.Assess(within.ctx, problem, c.planner.PlannerOptions, repair)
	})
}
