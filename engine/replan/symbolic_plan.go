package replan

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/engine/internal/diagnosis"
	"github.com/mishap-robotics/mishap/engine/internal/recovery"
	"github.com/mishap-robotics/mishap/engine/internal/state"
)

// samples is how many plans are sought that differ, where those found are to be
// avoided.
const samples = 4

// Plan proposes the plan of recovery from what is believed now. What a look of it is to
// find becomes a question, or a search where it is a place. A plan that reaches a part
// of the goal only is proposed once; after that there is none.
func (s *Symbolic) Plan(ctx context.Context, r *PlanRequest) ([]Subtask, error) {
	if s.partial {
		return nil, fmt.Errorf("%w: %s", ErrNoPlan, s.why)
	}
	var best *recovery.Proposal
	for i := range samples {
		p := s.propose(ctx, s.finding(), i)
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if best == nil || p.Verified && !best.Verified {
			best = p
		}
		if plan := s.subtasks(p); p.Verified && !avoided(r.Avoid, plan) {
			return s.adopt(p, plan), nil
		}
		if !p.Verified {
			break
		}
	}
	plan := s.subtasks(best)
	if len(plan) == 0 {
		return nil, fmt.Errorf("%w: %s", ErrNoPlan, shortcoming(best))
	}
	// Where it is known to fail as it was, the robot looks once more before it.
	for avoided(r.Avoid, plan) {
		plan = append([]Subtask{{Text: "look again", Action: episode.Action{Name: s.known.look()}}}, plan...)
	}
	if !best.Verified {
		s.partial, s.why = true, shortcoming(best)
	}
	return s.adopt(best, plan), nil
}

func avoided(avoid [][]Subtask, plan []Subtask) bool {
	return slices.ContainsFunc(avoid, func(p []Subtask) bool { return samePlan(p, plan) })
}

func (s *Symbolic) adopt(p *recovery.Proposal, plan []Subtask) []Subtask {
	s.note(p)
	s.found, s.sure = nil, nil
	if p.Verified {
		s.sure = plan
	}
	return plan
}

// propose seeks a plan; sample numbers plans that differ.
func (s *Symbolic) propose(ctx context.Context, f *diagnosis.Finding, sample int) *recovery.Proposal {
	p := s.options
	p.Tried, p.Sample = s.tried, p.Sample+sample
	return s.known.monitor.Recover(ctx, p, f, nil)
}

// finding is what was found at the last action, nil for nothing.
func (s *Symbolic) finding() *diagnosis.Finding {
	if len(s.found) == 0 {
		return nil
	}
	f := s.found[0]
	return &f
}

// shortcoming says why a proposal reaches no more of the goal.
func shortcoming(p *recovery.Proposal) string {
	bar := p.Bar()
	switch {
	case bar != "":
		return bar
	case p.Exhausted:
		return "none was found within the bounds of the search"
	case len(p.Unmet) > 0:
		return "the goal lacks " + strings.Join(p.Unmet, ", ")
	}
	return "nothing is left to do, as far as is believed"
}

// subtasks are the steps of a proposal, with questions and searches in the place of
// looks. What nobody has seen is searched for before it is acted on.
func (s *Symbolic) subtasks(p *recovery.Proposal) []Subtask {
	var out []Subtask
	var sought []string
	for i := range p.Steps {
		st := &p.Steps[i]
		sub := s.known.subtaskOf(st, p.Plan[i])
		if x := st.Call.Target; sub.Action.Name != "" && s.known.lost(x) && !slices.Contains(sought, s.known.name(x)) {
			sought = append(sought, s.known.name(x))
			out = append(out, Subtask{Text: "find " + s.known.name(x), Explore: s.known.name(x)})
		}
		if sub.Explore != "" {
			sought = append(sought, sub.Explore)
		}
		out = append(out, sub)
	}
	return out
}

// Check carries a plan out in the action model, from what is believed, until an action
// has a precondition that does not hold. What an answer or a search may change is left
// open: only what comes before the first of them is judged.
func (s *Symbolic) Check(_ context.Context, plan []Subtask) (string, error) {
	if s.sure != nil && samePlan(plan, s.sure) {
		return "", nil // it was verified when it was made
	}
	now := s.known.believed().Clone()
	step := s.known.monitor.Trace().Last()
	for i := range plan {
		if plan[i].Asks() || plan[i].Explore != "" {
			return "", nil
		}
		c, ok := s.known.call(plan[i].Action)
		if !ok {
			return "", nil // it is about what nobody knows yet
		}
		now.Run(state.Predicted, step)
		for _, v := range now.Judge(c).UnmetPreconditions() {
			if s.known.near(v) {
				continue
			}
			return fmt.Sprintf("%q cannot be done: %s", plan[i].String(), s.known.because(c, v)), nil
		}
		now.Apply(c, state.Predicted, step)
	}
	return "", nil
}

// Judge says what speaks against a plan that somebody else made, "" for nothing. One
// that only acts is verified to reach the goal. Before one that asks or searches knows
// the answer it may do no more than move, look, and what the symbolic plan needs too.
func (s *Symbolic) Judge(ctx context.Context, plan []Subtask) (string, error) {
	if why, err := s.Check(ctx, plan); why != "" || err != nil {
		return why, err
	}
	learns := slices.IndexFunc(plan, func(sub Subtask) bool { return sub.Asks() || sub.Explore != "" })
	if learns < 0 {
		p := s.known.monitor.Assess(ctx, s.options, actionsOf(plan))
		if p.Verified {
			return "", ctx.Err()
		}
		return p.Shortcoming(), ctx.Err()
	}
	own := s.propose(ctx, s.finding(), 0)
	for _, a := range actionsOf(plan[:learns]) {
		schema, ok := s.reasoner.Ontology.Action(a.Name)
		if ok && (s.reasoner.Ontology.IsNavigation(schema) || len(schema.Effects) == 0) || slices.Contains(own.Plan, a) {
			continue
		}
		return fmt.Sprintf("%s would be done before what is asked is known, and nothing needs it", a), ctx.Err()
	}
	return "", ctx.Err()
}

func actionsOf(plan []Subtask) []episode.Action {
	var out []episode.Action
	for i := range plan {
		if plan[i].Action.Name != "" {
			out = append(out, plan[i].Action)
		}
	}
	return out
}

// Next gives the way to where what is sought is most likely to be, by the plan of
// recovery from what is believed now. What is found nowhere is no more searched for:
// what becomes of acting on it tells more.
func (s *Symbolic) Next(ctx context.Context, sought string, looked []string) (string, []Subtask, error) {
	p := s.propose(ctx, nil, 0)
	if err := ctx.Err(); err != nil {
		return "", nil, err
	}
	x, _ := s.known.object(sought)
	for i := range p.Steps {
		st := &p.Steps[i]
		finds := st.Finds != nil && st.Finds.Place != "" && st.Finds.Object == s.known.name(x)
		if !finds && (st.Call.Target != x || x == state.Nothing) {
			continue
		}
		if i == 0 {
			break
		}
		place := p.Plan[i-1].Target
		if finds {
			place = st.Finds.Place
		}
		if slices.Contains(looked, place) {
			break
		}
		s.note(p)
		return place, s.subtasksUntil(p, i), nil
	}
	s.known.sought[s.known.name(x)] = true
	return "", nil, nil
}

// subtasksUntil are the first steps of a proposal, none of which searches.
func (s *Symbolic) subtasksUntil(p *recovery.Proposal, n int) []Subtask {
	var out []Subtask
	for i := range p.Steps[:n] {
		if sub := s.known.subtaskOf(&p.Steps[i], p.Plan[i]); sub.Explore == "" {
			out = append(out, sub)
		}
	}
	return out
}
