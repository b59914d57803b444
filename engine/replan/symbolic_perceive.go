package replan

import (
	"context"
	"fmt"

	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/engine/internal/state"
	"github.com/mishap-robotics/mishap/ontology"
)

// Scene is what there is but for what is lost, with the robot and its gripper, and what
// is believed of it.
func (s *Symbolic) Scene(context.Context) (Scene, error) {
	t, now := s.known.monitor.Trace(), s.known.believed()
	var out Scene
	for i := range t.Objects.Items {
		x := state.Object(i)
		if now.Gone(x) || t.Objects.IsA(x, s.reasoner.Ontology.Core.Human) || !s.known.robotic(x) && s.known.lost(x) {
			continue
		}
		thing := Thing{Name: t.Objects.Name(x), Robot: s.known.robotic(x)}
		if class := t.Objects.Class(x); class != ontology.None {
			thing.Labels = append([]string{s.reasoner.Ontology.Name(class)}, s.reasoner.Ontology.Terms[class].Labels...)
		}
		out.Things = append(out.Things, thing)
	}
	out.Facts = s.known.facts()
	return out, nil
}

// Answer looks at what is asked about and answers by what is then believed. Another
// sample looks again where the sensors err.
func (s *Symbolic) Answer(ctx context.Context, q Query, sample int) (string, error) {
	if sample == 0 || s.noisy {
		if err := s.perform(ctx, episode.Action{Name: s.known.look(), Target: s.known.targetOf(q.Object)}); err != nil {
			return "", err
		}
	}
	x, ok := s.known.object(q.Object)
	if !ok && q.Kind == Presence {
		return "no", nil
	}
	if !ok {
		return Unclear, nil
	}
	now := s.known.believed()
	if q.Kind == Presence {
		fixed := !s.known.movable(x) && s.known.seen(x)
		if !now.Gone(x) && (fixed || now.Place(x).Status > state.Assumed) {
			return "yes", nil
		}
		return "no", nil
	}
	return s.known.attribute(x, q.Attribute), nil
}

// Prevents gives the preconditions of a subtask that do not hold as far as is believed,
// and what was found at the last action. However it is asked, the answer is the same.
func (s *Symbolic) Prevents(_ context.Context, sub Subtask, _ string) ([]Reason, error) {
	var out []Reason
	c, ok := s.known.call(sub.Action)
	if ok {
		for _, v := range s.known.believed().Judge(c).UnmetPreconditions() {
			x := v.Culprit
			if x == state.Nothing {
				x = c.Target
			}
			out = append(out, Reason{Object: s.known.name(x), Text: v.Comment})
		}
	}
	for _, f := range s.found {
		for _, name := range f.Objects {
			out = append(out, Reason{Object: name, Text: f.Explanation})
		}
	}
	if len(out) == 0 && ok && c.Target != state.Nothing && s.known.believed().Place(c.Target).Status == state.Unknown && s.known.movable(c.Target) {
		out = append(out, Reason{Object: s.known.name(c.Target), Text: fmt.Sprintf("nobody knows where %s is", s.known.name(c.Target))})
	}
	return out, nil
}
