package engine

import (
	"cmp"
	"context"
	"slices"

	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/engine/internal/belief"
	"github.com/mishap-robotics/mishap/engine/internal/grounding"
	"github.com/mishap-robotics/mishap/engine/internal/limit"
	"github.com/mishap-robotics/mishap/engine/internal/planner"
	"github.com/mishap-robotics/mishap/engine/internal/projection"
	"github.com/mishap-robotics/mishap/engine/internal/recovery"
	"github.com/mishap-robotics/mishap/engine/internal/state"
)

// Planner turns what a monitor believes into plans. The zero value uses all
// that it has.
type Planner struct {
	PlannerOptions
	// Scoring lets RecoverEpisode take the score of the scenes for evidence of a finding; nil
	// leaves it out.
	Scoring *Scoring
	// WithoutRules leaves out that the rules judge a plan before it is verified.
	WithoutRules bool
	// Adviser is asked for a plan as well; nil for nobody.
	Adviser Adviser
	// OnlyStuck asks it only where no verified plan was found without it.
	OnlyStuck bool
	// Revisions is how often it may repair a plan that is refused; DefaultRevisions where
	// 0, never where less.
	Revisions int
	// Correcting asks an adviser that is a Corrector first for actions as units of the
	// adaptive subtree, and which of the verified branches is to be taken (SDA-Planner,
	// section 4.4); for a plan only where that leads to none.
	Correcting bool
	// Experience puts the strategies of a class in the order in which they served before;
	// nil for that of the ontology.
	Experience *Experience
}

// Trace is what the monitor knows of the episode so far. It grows with each step. What the
// lines of its Episode showed they hold until the next step; then it is to be asked for again.
func (m *Monitor) Trace() *Trace {
	if m.usable() != nil {
		return nil
	}
	m.unpackLines(context.Background())
	return m.tracker.Trace()
}

// trace is Trace but for what lines showed.
func (m *Monitor) trace() *Trace {
	if m.usable() != nil {
		return nil
	}
	return m.tracker.Trace()
}

// Rest are the actions left of the plan, from the one that failed on.
func (m *Monitor) Rest() []episode.Action {
	if m.usable() != nil {
		return nil
	}
	return m.rest()
}

func (m *Monitor) rest() []episode.Action {
	return slices.Clone(m.ep.Plan[m.restFrom():])
}

// restFrom is the index of the first action left of the plan.
func (m *Monitor) restFrom() int {
	from := m.tracker.Done()
	if e := m.failedEvent(); e != nil && e.Planned > 0 && e.Planned == from {
		from--
	}
	return min(from, len(m.ep.Plan))
}

// failedEvent is the last event where it is of an action that failed and that no plan
// has been made for since.
func (m *Monitor) failedEvent() *Event {
	e := m.lastEvent()
	if e == nil || e.Outcome < belief.Refused || m.tracker.Trace().Len() == m.replanned {
		return nil
	}
	return e
}

func (m *Monitor) lastEvent() *Event {
	if t := m.tracker.Trace(); len(t.Events) > 0 {
		return &t.Events[len(t.Events)-1]
	}
	return nil
}

// Replan puts other actions in the place of those left of the plan. The error is a
// *LimitError where they are too many (Limits.Planned): then the plan stays as it is.
// Agents are who carries them out, as Proposal.Agents has it; none where nobody is named.
func (m *Monitor) Replan(rest []episode.Action, agents ...string) error {
	if err := m.usable(); err != nil {
		return err
	}
	if n := m.tracker.Done() + len(rest); n > m.limits.Planned {
		return limit.Refused(m.last, "plan", m.limits.Planned, "Limits.Planned", m.limits.Planned, n, "the plan stays as it is")
	}
	m.tracker.Replan(rest, agents...)
	m.replanned = m.tracker.Trace().Len()
	m.foreseen, m.projection = foreseen{}, nil
	return nil
}

// Recover proposes how to go on from what is believed now: from a finding, from a
// threat, or, where both are nil, to what the goal lacks. Where the planner has an
// adviser the proposal is never worse than without one. It takes no longer than
// Limits.Planning; where that or the context ended it, Proposal.Err says so.
func (m *Monitor) Recover(ctx context.Context, p Planner, found *Finding, threat *Threat) *Proposal {
	if err := m.ready(ctx); err != nil {
		return &Proposal{Err: err}
	}
	within, end := m.beginPlanning(ctx)
	defer m.over(end)
	c := concern{Monitor: m, planner: p, found: found, threat: threat}
	ours := c.byAny(within)
	if ours.Err != nil || p.Adviser == nil || !asks(p, ours) {
		return ours
	}
	return c.advised(within, ours)
}

// byAny is a proposal of the first robot and gripper for which there is a verified one, else
// of the first. What another gripper holds is taken out of that only where nothing else helps:
// the robot that holds it may go on with it.
func (c *concern) byAny(within *call) *Proposal {
	all := c.actors()
	if len(all) > 1 {
		for _, who := range all {
			if out := c.by(within, who, true); out.Verified || out.Err != nil {
				c.who, c.apart = who, true
				return out
			}
		}
	}
	var ours *Proposal
	for i, who := range all {
		out := c.by(within, who, false)
		if i == 0 || out.Verified {
			ours, c.who = out, who
		}
		if out.Verified || out.Err != nil {
			return ours
		}
	}
	if out := c.together(within, all); out != nil {
		return out
	}
	return ours
}

// together is a verified proposal in which robots do for one another what none of them can do
// alone; nil where there is none.
func (c *concern) together(within *call, all []grounding.Actor) *Proposal {
	alone := !slices.ContainsFunc(all, func(who grounding.Actor) bool { return who.Robot != all[0].Robot })
	if alone || c.tracker.Trace().Goal.IsEmpty() {
		return nil
	}
	var team []recovery.Member
	for _, who := range all {
		team = append(team, recovery.Member{Robot: who.Robot, Gripper: who.Gripper})
	}
	out := c.propose(within, nil, planner.FromPlan, func(problem *recovery.Problem) *Proposal {
		return cmp.Or(recovery.Relay(within.ctx, problem, team, c.planner.PlannerOptions), &Proposal{})
	})
	if !out.Verified {
		return nil
	}
	return out
}

// by is a proposal of a robot with one of its grippers.
func (c *concern) by(within *call, who grounding.Actor, apart bool) *Proposal {
	try := *c
	try.who, try.apart = who, apart
	return try.propose(within, try.rest(), planner.FromPlan, func(problem *recovery.Problem) *Proposal {
		return recovery.Recover(within.ctx, problem, c.planner.PlannerOptions)
	})
}

// beginPlanning begins a call that plans.
func (m *Monitor) beginPlanning(ctx context.Context) (c *call, end func()) {
	return beginCall(orBackground(ctx), m.tracker.Trace(), m.limits.Planning, "Limits.Planning")
}

// propose works out a proposal from the problem of going on with the rest of a plan.
func (c *concern) propose(within *call, rest []episode.Action, from planner.Origin, plan func(*recovery.Problem) *Proposal) *Proposal {
	const noPlan, undone = "no plan was sought", "the search for a plan did not end; what it had found by then is proposed"
	var problem *recovery.Problem
	if !c.uninterrupted(within, c.isLarge(), func() { problem = c.problem(rest, from) }) {
		return &Proposal{Exhausted: true, Err: within.cut(PhaseRecovery, c.last, noPlan, within.outer.Err())}
	}
	if err := within.ended(PhaseRecovery, c.last, noPlan); err != nil {
		return &Proposal{Exhausted: true, Err: err}
	}
	out := plan(problem)
	problem.Trace.EndWith(nil)
	out.Agents = c.agentsOf(out.Steps)
	if err := within.ctx.Err(); err != nil && !out.Verified {
		out.Err = within.cut(PhaseRecovery, c.last, undone, err)
	}
	return out
}

// agentsOf names who carries out each action of a plan, nil where that is for all of them
// the robot that acts where nobody is named, and no other one was at fault.
func (c *concern) agentsOf(steps []planner.Step) []string {
	t := c.tracker.Trace()
	failed := t.Robot
	if c.found != nil {
		if e := t.Event(c.found.Step); e != nil {
			failed = e.Call.Agent
		}
	}
	if failed == t.Robot && !slices.ContainsFunc(steps, func(s planner.Step) bool { return s.Call.Agent != t.Robot }) {
		return nil
	}
	var out []string
	for i := range steps {
		out = append(out, t.Objects.Name(steps[i].Call.Agent))
	}
	return out
}

// Failing reports whether the last action failed, and no plan was made since.
func (m *Monitor) Failing() bool { return m.usable() == nil && m.failedEvent() != nil }

// Reached reports whether the goal holds, as far as is believed.
func (m *Monitor) Reached() bool {
	t := m.trace()
	if t == nil || t.Final == nil {
		return false
	}
	got, _ := t.GoalTruth(t.Final)
	return got >= state.AssumedTrue
}

// Done lists the actions that came about so far and change something.
func (m *Monitor) Done() []episode.Action {
	t := m.trace()
	if t == nil {
		return nil
	}
	var out []episode.Action
	for _, c := range recovery.Done(t) {
		out = append(out, episode.Action{Name: c.Schema.Name, Target: t.Objects.Name(c.Target), Destination: t.Objects.Name(c.Destination), Further: t.Objects.FurtherText(c)})
	}
	return out
}

// Undo lists what undoes the actions done so far but for the first few, as far as
// that can be; below 0 none is kept. Where Limits.Planning or the context ended the search
// it is nil.
func (m *Monitor) Undo(ctx context.Context, keep int) []episode.Action {
	if m.ready(ctx) != nil {
		return nil
	}
	c, end := m.beginPlanning(ctx)
	defer m.over(end)
	a := projection.ProjectWith(m.tracker, nil)
	return recovery.Undoing(c.ctx, &recovery.Problem{Trace: a.Trace, State: a.Present, Anywhere: m.ep.Exact}, max(keep, 0))
}
