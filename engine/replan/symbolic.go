package replan

import (
	"context"
	"fmt"
	"slices"

	"github.com/mishap-robotics/mishap/engine"
	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/engine/internal/belief"
	"github.com/mishap-robotics/mishap/engine/internal/diagnosis"
	"github.com/mishap-robotics/mishap/engine/internal/recovery"
	"github.com/mishap-robotics/mishap/engine/internal/state"
)

// Symbolic is every part of a loop by symbols alone: it plans by recovery from what is
// believed, perceives what the executor's observations show, derives motions and terms
// from the action model, settles them by carrying the action out, and verifies by
// belief. It knows of the world what the executor perceives and nothing else. It is
// for one run.
type Symbolic struct {
	reasoner *engine.Reasoner
	executor engine.Executor
	known    *knowledge
	options  engine.Planner
	// Told, where it is not nil, is called with each line as it is taken in.
	Told func(st episode.Step)

	given   episode.Episode     // as it was given
	found   []diagnosis.Finding // at the last action
	tried   map[string]int      // strategies applied so far
	sure    []Subtask           // the plan proposed last, where it was verified
	partial bool                // the plan proposed last reaches a part of the goal only
	why     string              // why it reaches no more
	noisy   bool                // the sensors err
	failed  []error             // of rules
}

// NewSymbolic begins a run of an episode, of which the task, the goal, and the plan
// are taken; its first plan is that of the episode where it has one. Options say how
// plans are sought. The robot looks once; the error is that of looking, or says that
// the episode has no goal.
func NewSymbolic(ctx context.Context, r *engine.Reasoner, x engine.Executor, ep *episode.Episode, options engine.Planner) (*Symbolic, error) {
	own := *ep
	own.Plan = slices.Clone(ep.Plan)
	s := &Symbolic{reasoner: r, executor: x, options: options, given: own, tried: map[string]int{}, noisy: ep.Noise > 0}
	watched := own
	watched.Plan = slices.Clone(ep.Plan)
	s.known = &knowledge{onto: r.Ontology, monitor: r.Watch(&watched, engine.Limits{}, nil), sought: map[string]bool{}}
	if g := s.known.monitor.Trace().Goal; g.IsEmpty() {
		return nil, fmt.Errorf("episode %s has no goal: expected a known task, or a goal of facts", ep.ID)
	}
	if err := s.take(ctx, episode.Action{}); err != nil || !s.noisy {
		return s, err
	}
	return s, s.lookAgain(ctx)
}

// Loop is a loop of which every part is s. Parts of it may be replaced.
func (s *Symbolic) Loop() *HierarchicalLoop {
	return &HierarchicalLoop{Planner: s, Perceiver: s, LowLevel: s, Verifier: s, Controller: s, Checker: s, Explorer: s}
}

// Intent is the goal of the episode in words.
func (s *Symbolic) Intent() Intent {
	t := s.known.monitor.Trace()
	g := Intent{Text: s.given.Goal}
	for _, p := range t.Goal.Patterns {
		if text := t.GoalText(belief.UnmetGoal{Pattern: p, Object: state.Nothing}); text != "" {
			g.Conditions = append(g.Conditions, text)
		}
	}
	if g.Text == "" && t.Task != nil {
		onto := s.reasoner.Ontology
		if g.Text = onto.Terms[t.Task.Term].Comment; g.Text == "" {
			g.Text = onto.Terms[t.Task.Term].Label()
		}
	}
	return g
}

// Episode is the episode with the lines so far.
func (s *Symbolic) Episode() *episode.Episode {
	ep := s.given
	ep.Steps = slices.Clone(s.known.steps)
	return &ep
}

// Errors are those of rules that failed or were stopped at a limit (an
// *engine.LimitError): the run went on without what they would have found.
func (s *Symbolic) Errors() []error { return slices.Clone(s.failed) }

// looks is how often a robot whose sensors err looks after an action.
const looks = 2

// perform carries out an action. Where the sensors err the robot looks again until
// what it saw is settled.
func (s *Symbolic) perform(ctx context.Context, a episode.Action) error {
	around := episode.Action{Name: s.known.look()}
	if n := len(s.known.steps); n > 0 && s.known.steps[n-1].Action == a && a != around {
		// Lines of a log that repeat an action are one action: it looks in between.
		if err := s.take(ctx, around); err != nil {
			return err
		}
	}
	if err := s.take(ctx, a); err != nil || !s.noisy {
		return err
	}
	return s.lookAgain(ctx)
}

// lookAgain looks until what was seen is settled.
func (s *Symbolic) lookAgain(ctx context.Context) error {
	found := s.found
	for range looks {
		if err := s.take(ctx, episode.Action{Name: s.known.look()}); err != nil {
			return err
		}
		found = append(found, s.found...)
	}
	s.found = found
	return nil
}

// take takes in what is perceived after an action.
func (s *Symbolic) take(ctx context.Context, a episode.Action) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	st, err := s.executor.Perform(ctx, a)
	if err != nil {
		return fmt.Errorf("action %s: %w", a, err)
	}
	st.Index, st.Action = len(s.known.steps), a
	s.known.steps = append(s.known.steps, st)
	// Rules that do not come to an end leave the others, and the step counts.
	updates, failed := s.known.monitor.Step(ctx, st)
	if err := ctx.Err(); err != nil {
		return err
	}
	if failed != nil {
		s.failed = append(s.failed, fmt.Errorf("step %d: %w", st.Index, failed))
	}
	s.found = nil
	for _, u := range updates {
		if u.Kind == engine.Found {
			s.found = append(s.found, u.Finding)
		}
	}
	if s.Told != nil {
		s.Told(st)
	}
	return nil
}

// note remembers the strategies of a proposal that is to be carried out.
func (s *Symbolic) note(p *recovery.Proposal) {
	for _, u := range p.Strategies {
		if u.Applied {
			s.tried[u.Strategy]++
		}
	}
	s.known.monitor.Replan(p.Plan)
}
