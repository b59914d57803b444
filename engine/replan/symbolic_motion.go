package replan

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/engine/internal/state"
	"github.com/mishap-robotics/mishap/ontology"
)

// LiftHeight is how high what is picked up is held, in metres.
const LiftHeight = 0.5

// motion is a motion step with its reward term.
type motion struct {
	step MotionStep
	term RewardTerm
}

// motionPlanner derives motions from the action model, and actions from motions.
type motionPlanner struct{ known *knowledge }

func (k *knowledge) mover() motionPlanner { return motionPlanner{k} }

// Motion derives the motions of a subtask from the effects of its action: to a place by
// distance, to an end of a joint by its fraction, into the gripper by distance and
// height. An action with other effects on an object needs the gripper near it.
func (s *Symbolic) Motion(_ context.Context, sub Subtask, _ Scene) ([]MotionStep, error) {
	var out []MotionStep
	for _, m := range s.known.mover().motions(sub.Action) {
		out = append(out, m.step)
	}
	return out, nil
}

// Rewards are the terms of the same motions.
func (s *Symbolic) Rewards(_ context.Context, sub Subtask, steps []MotionStep, _ Scene) (string, error) {
	var out []string
	for _, m := range s.known.mover().motions(sub.Action) {
		if slices.ContainsFunc(steps, func(st MotionStep) bool { return st.serves(&m.term) }) {
			out = append(out, m.term.String())
		}
	}
	return strings.Join(out, "\n"), nil
}

func (g motionPlanner) motions(a episode.Action) []motion {
	c, ok := g.known.call(a)
	if !ok {
		return nil
	}
	var out []motion
	for _, e := range c.Schema.Effects {
		if len(e.When) > 0 || c.Absent(e.Then) {
			continue
		}
		for _, p := range e.Then {
			out = append(out, g.motionsOf(c, p)...)
		}
	}
	held := g.known.believed().Place(c.Target).At == c.Gripper
	if len(out) == 0 && len(c.Schema.Effects) > 0 && c.Target != state.Nothing {
		x := c.Gripper
		if held {
			x = c.Target
		}
		at := c.Target
		if c.Destination != state.Nothing {
			at = c.Destination
		}
		if x != at {
			out = g.bring(x, at)
		}
	}
	for i := range out {
		out[i].step.Satisfies = i == 0
	}
	return out
}

// motionsOf are the motions that bring an effect about, none where motion does not; the
// first is the one that does it.
func (g motionPlanner) motionsOf(c state.Call, p ontology.Pattern) []motion {
	core := &g.known.onto.Core
	b := c.Binding()
	at := func(a ontology.Arg) state.Object {
		if !a.IsVar() {
			return state.Nothing
		}
		return b[a.Var].Object()
	}
	x, y := at(p.Subject), at(p.Object)
	switch {
	case x == state.Nothing:
		return nil
	case p.Predicate == core.State && !p.Object.IsVar():
		return g.turn(x, p.Object.Term)
	case y == state.Nothing:
		return nil
	case p.Predicate == core.Near:
		return g.bring(x, y)
	case y == c.Gripper:
		return append(g.bring(y, x), g.lift(x)...)
	case g.known.onto.IsSub(p.Predicate, core.Within):
		return g.bring(x, y)
	}
	return nil
}

func (g motionPlanner) bring(x, y state.Object) []motion {
	a, b := g.known.name(x), g.known.name(y)
	return []motion{{
		MotionStep{Text: fmt.Sprintf("%s moves to %s", a, b), Function: MinimizeDistance, Objects: []string{a, b}},
		RewardTerm{Function: MinimizeDistance, Object: a, Other: b, Weight: 1},
	}}
}

func (g motionPlanner) lift(x state.Object) []motion {
	a := g.known.name(x)
	return []motion{{
		MotionStep{Text: fmt.Sprintf("%s is lifted to %g m", a, LiftHeight), Function: Height, Objects: []string{a}},
		RewardTerm{Function: Height, Object: a, Value: LiftHeight, Weight: 1},
	}}
}

func (g motionPlanner) turn(x state.Object, to ontology.TermID) []motion {
	name := g.known.onto.Name(to)
	fraction, ok := g.known.onto.JointFraction(to)
	if !ok {
		return nil
	}
	a := g.known.name(x)
	return []motion{{
		MotionStep{Text: fmt.Sprintf("the joint of %s moves until it is %s", a, name), Function: JointFraction, Objects: []string{a}},
		RewardTerm{Function: JointFraction, Object: a, Value: fraction, Weight: 1},
	}}
}

// actionFor is the action on things that the terms name whose motions have the primary
// term first.
func (g motionPlanner) actionFor(terms []RewardTerm) (episode.Action, bool) {
	i := slices.IndexFunc(terms, func(t RewardTerm) bool { return t.Primary })
	if i < 0 {
		return episode.Action{}, false
	}
	names := []string{terms[i].Object, terms[i].Other, ""}
	for _, schema := range g.known.onto.Advised() {
		for _, target := range names {
			for _, destination := range names {
				if (target == "") != (schema.Params < 1) || (destination == "") != (schema.Params < 2) {
					continue
				}
				a := episode.Action{Name: schema.Name, Target: target, Destination: destination}
				if g.settles(a, terms[i]) {
					return a, true
				}
			}
		}
	}
	return episode.Action{}, false
}

// settles reports whether an action that can be done now has a term as its first.
func (g motionPlanner) settles(a episode.Action, t RewardTerm) bool {
	motions := g.motions(a)
	if len(motions) == 0 {
		return false
	}
	m := motions[0].term
	same := m.Object == t.Object && m.Other == t.Other || m.Object == t.Other && m.Other == t.Object
	if m.Function != t.Function || !same || t.Function != MinimizeDistance && m.Value != t.Value {
		return false
	}
	c, _ := g.known.call(a)
	return !slices.ContainsFunc(g.known.believed().Judge(c).UnmetPreconditions(), func(v state.Violation) bool { return !g.known.near(v) })
}
