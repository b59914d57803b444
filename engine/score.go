package engine

import (
	"context"
	"errors"
	"fmt"

	"github.com/mishap-robotics/mishap/engine/discrepancy"
	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/engine/internal/expectation"
	"github.com/mishap-robotics/mishap/engine/internal/state"
	"github.com/mishap-robotics/mishap/engine/scene"
)

// ExpectationSource says where expected scenes come from.
type ExpectationSource string

// The sources of expected scenes.
const (
	// FromPlan is the course that the plan takes in the action model from the first
	// scene on, had every action succeeded, in a scene in which what is left of it goes
	// through and keeps to the norms: with a clean pan, where food is to go into the pan.
	// Where an action of the plan is known to be wrong, the subtask is the one that
	// belongs there. What is seen for the first time belongs to the first scene.
	FromPlan ExpectationSource = "plan"
	// FromPreconditions is the scene as the preconditions and norms of the subtask
	// would have it.
	FromPreconditions ExpectationSource = "preconditions"
	// FromReference is the same moment of a successful episode.
	FromReference ExpectationSource = "reference"
)

// ExpectationSources lists the sources.
func ExpectationSources() []ExpectationSource {
	return []ExpectationSource{FromPlan, FromPreconditions, FromReference}
}

var errNoReference = errors.New("expected scenes from a reference, but no reference episode was given")

func unknownSource(s ExpectationSource) error {
	return fmt.Errorf("expected scenes from %q; expected plan, preconditions or reference", s)
}

// Scoring says how scenes are scored. The zero value scores against the course of
// the plan, as the paper does, with embeddings from the ontology.
type Scoring struct {
	Expect    ExpectationSource
	Reference *Reference // for FromReference
	Relevant  Relevant
	Embedder  discrepancy.Embedder
	// Threshold is the score below which there is an alarm; DefaultThreshold where 0.
	Threshold float64
	Options   discrepancy.Ablation
}

func (r *Reasoner) complete(s Scoring) Scoring {
	if s.Expect == "" {
		s.Expect = FromPlan
	}
	if s.Relevant == "" {
		s.Relevant = expectation.Plan
	}
	if s.Embedder == nil {
		s.Embedder = r.embedder
	}
	if s.Threshold == 0 {
		s.Threshold = discrepancy.DefaultThreshold
	}
	return s
}

// Scenes are the scene graphs before the next planned action: what is believed and
// what is expected.
func (m *Monitor) Scenes(s Scoring) (observed, expected *scene.Graph, err error) {
	if err := m.usable(); err != nil {
		return nil, nil, err
	}
	c, end := beginCall(context.Background(), m.tracker.Trace(), m.limits.Time, "Limits.Time")
	defer m.over(end)
	return m.scenes(c, s)
}

// scenes is Scenes within a call.
func (m *Monitor) scenes(c *call, s Scoring) (observed, expected *scene.Graph, err error) {
	s = m.reasoner.complete(s)
	const undone = "the scenes were not compared"
	a := m.ahead(c)
	if a == nil {
		return nil, nil, m.notForeseen(c, undone)
	}
	var now expectation.Moment
	if !m.uninterrupted(c, m.isLarge(), func() { now = expectation.MomentOf(a, a.Present, s.Relevant) }) {
		return nil, nil, m.notForeseen(c, undone)
	}
	due := now.View.Call
	if s.Expect == FromPlan {
		due = m.due(c, a, due)
	}
	var both [2]*scene.Graph
	var failed error
	if !m.uninterrupted(c, m.isLarge(), func() { both, failed = m.graphs(a, now, due, s) }) {
		return nil, nil, m.notForeseen(c, undone)
	}
	if failed != nil {
		return nil, nil, failed
	}
	return both[0], both[1], c.ended(PhaseForesight, m.last, undone)
}

// graphs are the scene graphs of what is believed at a moment and of what is expected then,
// before an action that is due.
func (m *Monitor) graphs(a *Projection, now expectation.Moment, due Call, s Scoring) (both [2]*scene.Graph, err error) {
	observed := now.Graph(s.Relevant)
	var expected *scene.Graph
	switch s.Expect {
	case FromPlan:
		sound := expectation.Moment{State: expectation.Sound(a, expectation.Exempt(a)), View: now.View}
		sound.View.Call = due
		expected = sound.Graph(s.Relevant)
	case FromPreconditions:
		if now.View.Call.Schema == nil {
			return [2]*scene.Graph{observed, observed}, nil
		}
		required, fits := expectation.Required(a.Present, now.View.Call, expectation.Exempt(a))
		next := expectation.Moment{State: required, View: now.View}
		if !fits {
			next.View.Call.Target, next.View.Call.Destination = state.Nothing, state.Nothing
		}
		expected = next.Graph(s.Relevant)
	case FromReference:
		if s.Reference == nil {
			return both, errNoReference
		}
		done := m.tracker.Done()
		expected = s.Reference.Align(m.reasoner.Ontology, a.Episode.Plan)[done].Graph(s.Relevant)
	default:
		return both, unknownSource(s.Expect)
	}
	both[0], both[1] = expectation.Common(m.reasoner.Ontology, observed, expected)
	return both, nil
}

// due is the action that belongs where the next one of the plan stands: that one, unless
// a threat is known of which another action in its place is the repair.
func (m *Monitor) due(c *call, a *Projection, next Call) Call {
	threats, err := m.foresee(c)
	if err != nil {
		return next
	}
	for i := range threats {
		if d := threats[i].Due; d != nil && d.Planned == m.tracker.Done()+1 {
			if c, ok := callOf(a, d.Text); ok {
				return c
			}
		}
	}
	return next
}

// WatchTo watches an episode up to a step, which is the last one taken in.
func (r *Reasoner) WatchTo(ctx context.Context, ep *episode.Episode, step int32) (*Monitor, error) {
	ep, err := r.admit(ep)
	if err != nil {
		return nil, err
	}
	live := *ep
	live.Warnings = nil
	m := r.watch(&live, r.byStep(), nil)
	for _, st := range ep.Steps {
		if int32(st.Index) > step {
			break
		}
		if _, err := m.Step(ctx, st); err != nil {
			return nil, err
		}
	}
	return m, nil
}

// Between are the scene graphs that two monitors believe now, without subtask; empty ones
// where one of them watches nothing.
func Between(observed, expected *Monitor, s Scoring) (a, b *scene.Graph) {
	if observed.usable() != nil || expected.usable() != nil {
		return &scene.Graph{}, &scene.Graph{}
	}
	s = observed.reasoner.complete(s)
	graph := func(m *Monitor) *scene.Graph {
		p := m.Projection()
		now := expectation.MomentOf(p, p.Present, s.Relevant)
		now.View.Call = Call{Target: state.Nothing, Destination: state.Nothing}
		return now.Graph(s.Relevant)
	}
	return expectation.Common(observed.reasoner.Ontology, graph(observed), graph(expected))
}

// Discrepancy scores what is believed before the next planned action against what
// is expected.
func (m *Monitor) Discrepancy(ctx context.Context, s Scoring) (*discrepancy.Comparison, error) {
	if err := m.ready(ctx); err != nil {
		return nil, err
	}
	ctx = orBackground(ctx)
	s = m.reasoner.complete(s)
	if err := discrepancy.CheckThreshold(s.Threshold); err != nil {
		return nil, err
	}
	c, end := beginCall(ctx, m.tracker.Trace(), m.limits.Time, "Limits.Time")
	defer m.over(end)
	observed, expected, err := m.scenes(c, s)
	if err != nil {
		return nil, err
	}
	return discrepancy.Compare(ctx, observed, expected, s.Embedder, s.Options)
}

// SceneOf is the scene graph of a state of an episode, of the given objects and their
// direct neighbours, without a subtask.
func SceneOf(s *State, t *Trace, objects []Object) *scene.Graph {
	if s == nil || t == nil {
		return &scene.Graph{}
	}
	return expectation.Of(s, expectation.View{Relevant: RelevantPlan, Objects: objects, Robot: t.Robot, Gripper: t.Gripper})
}
