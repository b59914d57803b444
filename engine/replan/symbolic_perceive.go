package replan

import (
	"context"
	"fmt"
	"slices"

	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/engine/internal/state"
	"github.com/mishap-robotics/mishap/engine/scene"
	"github.com/mishap-robotics/mishap/ontology"
)

// Scene is what there is but for what is lost, with the robot and its gripper, and what
// is believed of it.
func (s *Symbolic) Scene(context.Context) (Scene, error) {
	t, now := s.monitor.Trace(), s.believed()
	var out Scene
	for i := range t.Objects.Items {
		x := state.Object(i)
		if now.Gone(x) || t.Objects.IsA(x, s.reasoner.Ontology.Core.Human) || !s.robotic(x) && s.lost(x) {
			continue
		}
		thing := Thing{Name: t.Objects.Name(x), Robot: s.robotic(x)}
		if class := t.Objects.Class(x); class != ontology.None {
			thing.Labels = append([]string{s.reasoner.Ontology.Name(class)}, s.reasoner.Ontology.Terms[class].Labels...)
		}
		out.Things = append(out.Things, thing)
	}
	out.Facts = s.facts()
	return out, nil
}

func (s *Symbolic) robotic(x state.Object) bool {
	t, core := s.monitor.Trace(), &s.reasoner.Ontology.Core
	return t.Objects.IsA(x, core.Robot) || t.Objects.IsA(x, core.RobotGripper)
}

// seen reports whether something was ever seen.
func (s *Symbolic) seen(x state.Object) bool {
	t := s.monitor.Trace()
	if s.shownAtFirst(t.Objects.Name(x)) {
		return true
	}
	for i := range t.Events {
		if slices.Contains(t.Events[i].Seen, x) {
			return true
		}
	}
	return false
}

// shownAtFirst reports whether the first look showed something.
func (s *Symbolic) shownAtFirst(name string) bool {
	return len(s.steps) > 0 && slices.ContainsFunc(s.steps[0].Observation.Nodes, func(n scene.Node) bool { return n.ID == name })
}

// facts are what is believed of places, states and relations, and not only assumed.
func (s *Symbolic) facts() []episode.Fact {
	t, now, onto := s.monitor.Trace(), s.believed(), s.reasoner.Ontology
	var out []episode.Fact
	for i := range t.Objects.Items {
		x := state.Object(i)
		for slot := range now.Slots() {
			v := now.Get(state.Fluent{Obj: x, Slot: slot})
			if now.Gone(x) || v.Status <= state.Assumed || v.Term == ontology.None {
				continue
			}
			out = append(out, episode.Fact{Subject: t.Objects.Name(x), Relation: onto.Name(v.Term), Object: t.Objects.Name(v.At)})
		}
	}
	for _, e := range now.Edges() {
		out = append(out, episode.Fact{Subject: t.Objects.Name(e.Subject), Relation: onto.Name(e.Relation), Object: t.Objects.Name(e.Object)})
	}
	return out
}

// Answer looks at what is asked about and answers by what is then believed. Another
// sample looks again where the sensors err.
func (s *Symbolic) Answer(ctx context.Context, q Query, sample int) (string, error) {
	if sample == 0 || s.noisy {
		if err := s.perform(ctx, episode.Action{Name: s.look(), Target: s.targetOf(q.Object)}); err != nil {
			return "", err
		}
	}
	x, ok := s.object(q.Object)
	if !ok && q.Kind == Presence {
		return "no", nil
	}
	if !ok {
		return Unclear, nil
	}
	now := s.believed()
	if q.Kind == Presence {
		fixed := !s.movable(x) && s.seen(x)
		if !now.Gone(x) && (fixed || now.Place(x).Status > state.Assumed) {
			return "yes", nil
		}
		return "no", nil
	}
	return s.attribute(x, q.Attribute), nil
}

// targetOf is the name by which something is looked at, "" where nothing is called so.
func (s *Symbolic) targetOf(name string) string {
	if x, ok := s.object(name); ok {
		return s.name(x)
	}
	return ""
}

func (s *Symbolic) movable(x state.Object) bool {
	movable := s.reasoner.Ontology.Roles.Movable
	return movable == ontology.None || s.monitor.Trace().Objects.HasProperty(x, movable)
}

// attribute answers whether an object is in a state, or in which state of a dimension
// such as colour it is.
func (s *Symbolic) attribute(x state.Object, name string) string {
	onto, now := s.reasoner.Ontology, s.believed()
	for _, id := range onto.ByLabel(name, onto.Core.StateClass) {
		if slot := now.SlotOf(id); slot > 0 && !onto.Terms[id].IsClass {
			v := now.Get(state.Fluent{Obj: x, Slot: slot})
			switch {
			case v.Status <= state.Assumed:
				return Unclear
			case onto.StateIs(v.Term, id) > 0:
				return "yes"
			}
			return "no"
		}
		for slot := int32(1); slot < now.Slots(); slot++ {
			if v := now.Get(state.Fluent{Obj: x, Slot: slot}); v.Status > state.Assumed && onto.HasType(v.Term, id) {
				return onto.Terms[v.Term].Label()
			}
		}
	}
	return Unclear
}

// Prevents gives the preconditions of a subtask that do not hold as far as is believed,
// and what was found at the last action. However it is asked, the answer is the same.
func (s *Symbolic) Prevents(_ context.Context, sub Subtask, _ string) ([]Reason, error) {
	var out []Reason
	c, ok := s.call(sub.Action)
	if ok {
		for _, v := range s.believed().UnmetPreconditions(c) {
			x := v.Culprit
			if x == state.Nothing {
				x = c.Target
			}
			out = append(out, Reason{Object: s.name(x), Text: v.Comment})
		}
	}
	for _, f := range s.found {
		for _, name := range f.Objects {
			out = append(out, Reason{Object: name, Text: f.Explanation})
		}
	}
	if len(out) == 0 && ok && c.Target != state.Nothing && s.believed().Place(c.Target).Status == state.Unknown && s.movable(c.Target) {
		out = append(out, Reason{Object: s.name(c.Target), Text: fmt.Sprintf("nobody knows where %s is", s.name(c.Target))})
	}
	return out, nil
}
