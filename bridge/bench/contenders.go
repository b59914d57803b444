package bench

import (
	"context"
	"slices"
	"time"

	"github.com/mishap-robotics/mishap/bridge/advice"
	"github.com/mishap-robotics/mishap/engine"
	"github.com/mishap-robotics/mishap/engine/simulation"
)

// contenders are the methods by which recovery is measured.
type contenders struct {
	reasoner *engine.Reasoner
	adviser  engine.Adviser  // of mishap; nil for none
	model    *advice.Adviser // that baselines ask; nil for none
}

func (b *Bench) contenders() contenders { return b.contendersFor(nil) }

// contendersFor are the methods with one robot, about which an imitation of a model is asked.
func (b *Bench) contendersFor(robot *simulation.Robot) contenders {
	if b.Imitation == nil {
		return contenders{b.Reasoner, b.Adviser, b.Model}
	}
	a := b.Imitation.adviser(b.Reasoner, robot, b.Seed)
	return contenders{b.Reasoner, a, a}
}

// methods are the baselines, and mishap with and without its parts.
func (c contenders) methods() []way {
	loop := func(change func(*engine.Loop)) carrying {
		return func(ctx context.Context, r *simulation.Robot, _ *spending) (res *engine.RunResult, err error) {
			ownTime(func(clock func() time.Duration) {
				l := &engine.Loop{Reasoner: c.reasoner, Executor: r, Clock: clock}
				change(l)
				res, err = l.Run(ctx, r.Episode())
			})
			return res, err
		}
	}
	by := func(kind policy) carrying {
		return loop(func(l *engine.Loop) { l.Propose, l.Reactive = (&baseline{kind: kind}).propose, true })
	}
	out := []way{
		{"no replanning", by(stopping)},
		{"skip the failed action", by(skipping)},
		{"regenerate from the failure", by(local)},
		{"reset and regenerate", by(global)},
		{"another branch of sampled plans", by(tree)},
		{"once, after the task (REFLECT)", by(afterwards)},
		{"RePlan's loop, symbolic", c.hierarchical(false, nil)},
		{"mishap without strategies", loop(func(l *engine.Loop) { l.Planner.WithoutStrategies = true })},
		{"mishap without windowing", loop(func(l *engine.Loop) { l.Planner.WithoutWindow = true })},
		{"mishap without search tree", loop(func(l *engine.Loop) { l.Planner.WithoutTree = true })},
		{"mishap, reactive only", loop(func(l *engine.Loop) { l.Reactive = true })},
		{Whole, loop(func(*engine.Loop) {})},
	}
	return append(out, c.modelMethods()...)
}

// named is what a method of a name does.
func (c contenders) named(name string) carrying {
	methods := c.methods()
	return methods[slices.IndexFunc(methods, func(m way) bool { return m.name == name })].run
}

// Whole is the name of the method that is mishap with all its parts.
const Whole = "mishap"

type way struct {
	name string
	run  carrying
}

// carrying lets a robot carry its plan out by some method, and notes what asking a
// model cost.
type carrying func(context.Context, *simulation.Robot, *spending) (*engine.RunResult, error)
