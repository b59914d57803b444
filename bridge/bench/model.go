package bench

import (
	"context"
	"slices"

	"github.com/mishap-robotics/mishap/bridge/advice"
	"github.com/mishap-robotics/mishap/engine"
	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/engine/simulation"
)

// modelName is the name of the model that is asked, "" for none.
func (c contenders) modelName() string {
	switch {
	case c.adviser != nil:
		return c.adviser.Name()
	case c.model != nil:
		return c.model.Name()
	}
	return ""
}

// Advised is the name of the method that is mishap with a model for an adviser.
const Advised = "mishap, advised by a model"

// modelMethods are the methods that ask a model, none where there is none.
func (c contenders) modelMethods() []way {
	var out []way
	if c.adviser != nil {
		out = append(out, way{Advised, func(ctx context.Context, r *simulation.Robot, _ *spending) (*engine.RunResult, error) {
			l := &engine.Loop{Reasoner: c.reasoner, Executor: r, Planner: engine.Planner{Adviser: c.adviser}}
			return l.Run(ctx, r.Episode())
		}})
	}
	if c.model == nil {
		return out
	}
	if _, ok := c.adviser.(engine.Corrector); ok {
		out = append(out, way{"SDA with nodes by a model", func(ctx context.Context, r *simulation.Robot, _ *spending) (*engine.RunResult, error) {
			l := &engine.Loop{Reasoner: c.reasoner, Executor: r, Planner: engine.Planner{Adviser: c.adviser, Correcting: true}, Reactive: true}
			return l.Run(ctx, r.Episode())
		}})
	}
	return append(out,
		way{"RECOVER, strategies given, the model decides", c.asking(nil, func(ctx context.Context, a *advice.Baseline, m *engine.Monitor, f *engine.Finding) ([]episode.Action, error) {
			s, err := m.Situation(ctx, f, nil)
			if err != nil {
				return nil, err
			}
			return reasoned(ctx, a, s)
		})},
		way{"SGPR: the score triggers, the model reasons and replans", c.asking(&engine.Scoring{}, func(ctx context.Context, a *advice.Baseline, m *engine.Monitor, f *engine.Finding) ([]episode.Action, error) {
			s, err := c.withoutStrategies(ctx, m, f)
			if err != nil {
				return nil, err
			}
			return reasoned(ctx, a, s)
		})},
		way{"SGPR without reasoning", c.asking(&engine.Scoring{}, func(ctx context.Context, a *advice.Baseline, m *engine.Monitor, f *engine.Finding) ([]episode.Action, error) {
			s, err := c.withoutStrategies(ctx, m, f)
			if err != nil {
				return nil, err
			}
			return a.Plan(ctx, s, &engine.Opinion{Cause: "not known", Change: "not known"})
		})},
		way{"model verifies and replans (RECOVER's baseline)", c.verifying},
		way{"mishap detects, model replans (RECOVER without strategies)", c.asking(nil, func(ctx context.Context, a *advice.Baseline, m *engine.Monitor, f *engine.Finding) ([]episode.Action, error) {
			s, err := c.withoutStrategies(ctx, m, f)
			if err != nil {
				return nil, err
			}
			return reasoned(ctx, a, s)
		})},
		way{"model explains and corrects once (REFLECT)", c.reflecting(true, advice.Summary{})},
		way{"REFLECT without progressive explanation", c.reflecting(true, advice.Summary{AtOnce: true})},
		way{"REFLECT with a summary by the model", c.reflecting(true, advice.Summary{ByModel: true})},
		way{"REFLECT without explanation", c.reflecting(false, advice.Summary{})},
		way{"REFLECT without sound", c.reflecting(true, advice.Summary{WithoutSound: true})},
		way{"REFLECT, subgoals only", c.reflecting(true, advice.Summary{SubgoalsOnly: true})},
		way{"RePlan's loop with a model", c.hierarchical(true, nil)},
		way{"RePlan without verifier", c.hierarchical(true, withoutVerifier)},
		way{"RePlan without perceiver", c.hierarchical(true, withoutPerceiver)},
		way{"RePlan without replanning", c.hierarchical(true, withoutReplanning)},
	)
}

// reasoned lets a model name the cause, and plan by that.
func reasoned(ctx context.Context, a *advice.Baseline, s *engine.Situation) ([]episode.Action, error) {
	o, err := a.Cause(ctx, s)
	if err != nil {
		return nil, err
	}
	return a.Plan(ctx, s, o)
}

func (c contenders) withoutStrategies(ctx context.Context, m *engine.Monitor, f *engine.Finding) (*engine.Situation, error) {
	s, err := m.Situation(ctx, f, nil)
	if err == nil {
		s.Strategies = nil
	}
	return s, err
}

// spend notes what was asked since the last time.
func (s *spending) spend(a *advice.Baseline) {
	if a.Cost.Calls > 0 {
		s.Costs = append(s.Costs, a.Cost)
		a.Cost = engine.Cost{}
	}
}

// asking lets a model plan whenever something went wrong, or a score triggers that, and
// believes it. Where it does not answer nothing more is done.
func (c contenders) asking(trigger *engine.Scoring, plan func(context.Context, *advice.Baseline, *engine.Monitor, *engine.Finding) ([]episode.Action, error)) carrying {
	return func(ctx context.Context, r *simulation.Robot, spent *spending) (*engine.RunResult, error) {
		a := advice.NewBaseline(c.model)
		l := &engine.Loop{Reasoner: c.reasoner, Executor: r, Reactive: trigger == nil, Trigger: trigger}
		l.Propose = func(ctx context.Context, m *engine.Monitor, f *engine.Finding) *engine.Proposal {
			if len(m.Rest()) == 0 && m.Reached() {
				return going(nil)
			}
			steps, err := plan(ctx, a, m, f)
			spent.spend(a)
			if err != nil || len(steps) == 0 {
				return &engine.Proposal{}
			}
			spent.Taken++
			return going(steps)
		}
		return l.Run(ctx, r.Episode())
	}
}

// reflecting goes on whatever fails, explains when the plan is at its end, and corrects
// once (REFLECT, sections 3.2 and 3.3).
func (c contenders) reflecting(explains bool, how advice.Summary) carrying {
	return func(ctx context.Context, r *simulation.Robot, spent *spending) (*engine.RunResult, error) {
		corrected := false
		base := &baseline{kind: skipping}
		a := advice.NewBaseline(c.model)
		l := &engine.Loop{Reasoner: c.reasoner, Executor: r, Reactive: true}
		l.Propose = func(ctx context.Context, m *engine.Monitor, f *engine.Finding) *engine.Proposal {
			rest := m.Rest()
			if len(rest) == 0 && m.Reached() {
				return going(nil)
			}
			if p := base.skip(m, rest); len(p.Plan) > 0 || corrected {
				return p
			}
			corrected = true
			p := c.correct(ctx, a, m, explains, how)
			spent.spend(a)
			if len(p.Plan) > 0 {
				spent.Taken++
			}
			return p
		}
		return l.Run(ctx, r.Episode())
	}
}

// correct plans once, from the end, with the model's explanation or without one.
func (c contenders) correct(ctx context.Context, a *advice.Baseline, m *engine.Monitor, explains bool, how advice.Summary) *engine.Proposal {
	s, err := c.withoutStrategies(ctx, m, nil)
	if err != nil {
		return &engine.Proposal{}
	}
	o := &engine.Opinion{Cause: "not known", Change: "not known"}
	if explains {
		ep := *s.Projection.Episode
		ep.Steps, ep.Plan = slices.Clone(s.Projection.Episode.Steps[:done(s)]), s.Given
		e, err := a.Explained(ctx, c.reasoner, &ep, how)
		if err != nil {
			return &engine.Proposal{}
		}
		o.Cause = e.Explanation
	}
	plan, err := a.Plan(ctx, s, o)
	if err != nil || len(plan) == 0 {
		return &engine.Proposal{}
	}
	return going(plan)
}

// done is how many lines of an episode are of what has happened.
func done(s *engine.Situation) int {
	last := int32(0)
	if s.Projection.Happened > 0 {
		last = s.Projection.Events[s.Projection.Happened-1].Step
	}
	n := 0
	for i := range s.Projection.Episode.Steps {
		if int32(s.Projection.Episode.Steps[i].Index) <= last {
			n = i + 1
		}
	}
	return n
}

// verifying lets a model judge each step, and replan where it says that the step did
// not come about; nothing else looks.
func (c contenders) verifying(ctx context.Context, r *simulation.Robot, spent *spending) (*engine.RunResult, error) {
	v := &verified{by: c, robot: r, asks: advice.NewBaseline(c.model), spent: spent, course: &engine.RunResult{}}
	v.episode = *r.Episode()
	v.plan = v.episode.Plan
	v.episode.Plan = nil
	first, err := r.Perform(ctx, episode.Action{})
	if err != nil {
		return nil, err
	}
	v.steps = append(v.steps, first)
	for v.course.Ending == "" {
		if err := v.step(ctx); err != nil {
			return nil, err
		}
	}
	spent.spend(v.asks)
	return v.course, nil
}

// verified is a run in which a model judges each step.
type verified struct {
	by      contenders
	robot   *simulation.Robot
	asks    *advice.Baseline
	spent   *spending
	episode episode.Episode
	plan    []episode.Action
	steps   []episode.Step
	course  *engine.RunResult
}

func (v *verified) end(how engine.Ending, why string) {
	v.course.Ending, v.course.Reason = how, why
}

// step carries out one action, has it judged, and plans anew where it is said to have
// failed.
func (v *verified) step(ctx context.Context) error {
	if len(v.plan) == 0 {
		v.end(engine.Completed, "")
		return nil
	}
	if v.course.Actions >= engine.DefaultMaxActions {
		v.end(engine.Hopeless, "it took too many actions")
		return nil
	}
	a := v.plan[0]
	st, err := v.robot.Perform(ctx, a)
	if err != nil {
		return err
	}
	before := &v.steps[len(v.steps)-1].Observation
	st.Index, st.Action = len(v.steps), a
	v.steps = append(v.steps, st)
	v.course.Actions++
	ok, err := v.asks.CameAbout(ctx, a, before, &st.Observation, st.Sounds)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil || ok { // a verifier that does not answer stops nothing
		v.plan = v.plan[1:]
		return nil
	}
	if len(v.course.Recoveries) >= engine.DefaultMaxRecoveries {
		v.end(engine.Hopeless, "it needed too many recoveries")
		return nil
	}
	return v.replan(ctx)
}

func (v *verified) replan(ctx context.Context) error {
	ep := v.episode
	ep.Plan = slices.Clone(v.plan)
	m := v.by.reasoner.Watch(&ep, engine.Limits{}, nil)
	for _, st := range v.steps {
		if st.Action.Name == "" && st.Index > 0 {
			continue
		}
		if _, err := m.Step(ctx, st); err != nil && ctx.Err() != nil {
			return ctx.Err()
		}
	}
	m.Replan(v.plan)
	s, err := v.by.withoutStrategies(ctx, m, nil)
	if err != nil {
		return err
	}
	plan, err := v.asks.Plan(ctx, s, &engine.Opinion{Cause: "the last action did not come about", Change: "not known"})
	v.spent.spend(v.asks)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil || len(plan) == 0 {
		v.plan = v.plan[1:]
		return nil
	}
	v.spent.Taken++
	v.plan = plan
	v.course.Recoveries = append(v.course.Recoveries, engine.Recovery{After: len(v.steps) - 1, Proposal: going(plan)})
	return nil
}
