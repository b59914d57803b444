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
	term Term
}

// Motion derives the motions of a subtask from the effects of its action: to a place by
// distance, to an end of a joint by its fraction, into the gripper by distance and
// height. An action with other effects on an object needs the gripper near it.
func (s *Symbolic) Motion(_ context.Context, sub Subtask, _ Scene) ([]MotionStep, error) {
	var out []MotionStep
	for _, m := range s.motions(sub.Action) {
		out = append(out, m.step)
	}
	return out, nil
}

// Rewards are the terms of the same motions.
func (s *Symbolic) Rewards(_ context.Context, sub Subtask, steps []MotionStep, _ Scene) (string, error) {
	var out []string
	for _, m := range s.motions(sub.Action) {
		if slices.ContainsFunc(steps, func(st MotionStep) bool { return st.serves(&m.term) }) {
			out = append(out, m.term.String())
		}
	}
	return strings.Join(out, "\n"), nil
}

func (s *Symbolic) motions(a episode.Action) []motion {
	c, ok := s.call(a)
	if !ok {
		return nil
	}
	var out []motion
	for _, e := range c.Schema.Effects {
		if len(e.When) > 0 || c.Absent(e.Then) {
			continue
		}
		for _, p := range e.Then {
			out = append(out, s.motionsOf(c, p)...)
		}
	}
	held := s.believed().Place(c.Target).At == c.Gripper
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
			out = s.bring(x, at)
		}
	}
	for i := range out {
		out[i].step.Satisfies = i == 0
	}
	return out
}

// motionsOf are the motions that bring an effect about, none where motion does not; the
// first is the one that does it.
func (s *Symbolic) motionsOf(c state.Call, p ontology.Pattern) []motion {
	core := &s.reasoner.Ontology.Core
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
		return s.turn(x, p.Object.Term)
	case y == state.Nothing:
		return nil
	case p.Predicate == core.Near:
		return s.bring(x, y)
	case y == c.Gripper:
		return append(s.bring(y, x), s.lift(x)...)
	case s.reasoner.Ontology.IsSub(p.Predicate, core.Within):
		return s.bring(x, y)
	}
	return nil
}

func (s *Symbolic) bring(x, y state.Object) []motion {
	a, b := s.name(x), s.name(y)
	return []motion{{
		MotionStep{Text: fmt.Sprintf("%s moves to %s", a, b), Function: MinimizeDistance, Objects: []string{a, b}},
		Term{Function: MinimizeDistance, Object: a, Other: b, Weight: 1},
	}}
}

func (s *Symbolic) lift(x state.Object) []motion {
	a := s.name(x)
	return []motion{{
		MotionStep{Text: fmt.Sprintf("%s is lifted to %g m", a, LiftHeight), Function: Height, Objects: []string{a}},
		Term{Function: Height, Object: a, Value: LiftHeight, Weight: 1},
	}}
}

func (s *Symbolic) turn(x state.Object, to ontology.TermID) []motion {
	name := s.reasoner.Ontology.Name(to)
	fraction, ok := s.reasoner.Ontology.JointFraction(to)
	if !ok {
		return nil
	}
	a := s.name(x)
	return []motion{{
		MotionStep{Text: fmt.Sprintf("the joint of %s moves until it is %s", a, name), Function: JointFraction, Objects: []string{a}},
		Term{Function: JointFraction, Object: a, Value: fraction, Weight: 1},
	}}
}
