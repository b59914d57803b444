package belief

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/engine/internal/state"
	"github.com/mishap-robotics/mishap/engine/scene"
	"github.com/mishap-robotics/mishap/ontology"
)

// sight is an observation with its names resolved.
type sight struct {
	missing  bool
	complete bool
	nodes    map[state.Object]bool
	states   []SeenState
	places   map[state.Object]state.Edge // the place of each object that shows one
	edges    []state.Edge                // relations that are no places
}

func (s *sight) placed(x state.Object) bool { _, ok := s.places[x]; return ok }

func (s *sight) hasPlace(x, at state.Object) bool { return s.placed(x) && s.places[x].Object == at }

// shows reports whether the observation shows a fluent with a value.
func (s *sight) shows(f state.Fluent, v state.Value) bool {
	if f.Slot == state.PlaceSlot {
		return s.hasPlace(f.Obj, v.At)
	}
	return slices.ContainsFunc(s.states, func(st SeenState) bool { return st.Obj == f.Obj && st.State == v.Term })
}

// perceive resolves the names of an observation and notes it in the event.
func (t *tracker) perceive(e *Event, st *episode.Step) *sight {
	obs := t.resolveSight(st)
	for i := range t.objects.Items {
		if obs.nodes[state.Object(i)] {
			e.Seen = append(e.Seen, state.Object(i))
			t.met[state.Object(i)] = true
		}
	}
	e.States = obs.states
	for _, x := range e.Seen {
		if p, ok := obs.places[x]; ok {
			e.Edges = append(e.Edges, p)
		}
	}
	e.Edges = append(e.Edges, obs.edges...)
	e.Observed = !obs.missing
	e.HandEmpty = e.Call.Gripper != state.Nothing && !obs.missing
	for _, p := range obs.places {
		if p.Object == e.Call.Gripper {
			e.HandEmpty = false
		}
	}
	for _, s := range st.Sounds {
		if ids := t.labelled(s, t.onto.Core.Sound); len(ids) > 0 {
			e.Sounds = append(e.Sounds, ids[0])
		} else {
			t.ep.Warn(st.Line, fmt.Sprintf("unknown sound %q; it is kept but no rule can use it", s))
		}
	}
	return obs
}

// label is a label with the kind of term that it is to mean.
type label struct {
	text string
	kind ontology.TermID
}

// labelled is ontology.ByLabel, kept for the next time.
func (t *tracker) labelled(text string, kind ontology.TermID) []ontology.TermID {
	ids, ok := t.labels[label{text, kind}]
	if !ok {
		ids = t.onto.ByLabel(text, kind)
		t.labels[label{text, kind}] = ids
	}
	return ids
}

func (t *tracker) resolveSight(st *episode.Step) *sight {
	o := &st.Observation
	s := &sight{missing: o.Missing, complete: o.Complete, nodes: map[state.Object]bool{}, places: map[state.Object]state.Edge{}}
	for _, n := range o.Nodes {
		x := t.object(n.ID, n.Class)
		s.nodes[x] = true
		for _, name := range n.States {
			if id := t.stateOf(x, name, st.Line); id != ontology.None {
				s.states = append(s.states, SeenState{x, id})
			}
		}
	}
	for _, edge := range o.Edges {
		t.resolveEdge(s, edge, st)
	}
	return s
}

// resolveEdge takes in one edge. An edge names what it relates as seen. Of two
// places of one object the gripper counts before an inside, and that before an
// on top of.
func (t *tracker) resolveEdge(s *sight, edge scene.Edge, st *episode.Step) {
	rel := t.labelled(edge.Relation, t.onto.Core.SpatialRelation)
	x, y := t.object(edge.Subject, ""), t.object(edge.Object, "")
	if len(rel) == 0 {
		t.ep.Warn(st.Line, fmt.Sprintf("unknown relation %q between %s and %s; it is kept but no rule can use it", edge.Relation, edge.Subject, edge.Object))
		return
	}
	s.nodes[x] = true
	if !t.objects.IsA(y, t.onto.Core.RobotGripper) {
		s.nodes[y] = true
	}
	e := state.Edge{Subject: x, Relation: rel[0], Object: y}
	if !t.onto.IsSub(e.Relation, t.onto.Core.Within) {
		s.edges = append(s.edges, e)
		return
	}
	old, taken := s.places[x]
	if !taken || t.closeness(e) > t.closeness(old) {
		s.places[x] = e
	}
	if taken && t.closeness(e) == t.closeness(old) && old.Object != y {
		t.ep.Warn(st.Line, fmt.Sprintf("%s is said to be in two places, %s and %s; the first counts",
			t.objects.Name(x), t.objects.Name(old.Object), t.objects.Name(y)))
	}
}

func (t *tracker) closeness(e state.Edge) int {
	switch {
	case t.objects.IsA(e.Object, t.onto.Core.RobotGripper):
		return 3
	case e.Relation == t.onto.Core.Inside:
		return 2
	}
	return 1
}

// stateOf finds a state by name or label. "watered" of a plant and "filled with
// water" of a pot are one.
func (t *tracker) stateOf(x state.Object, name string, line int) ontology.TermID {
	ids := t.labelled(name, t.onto.Core.StateClass)
	if len(ids) == 0 {
		t.ep.Warn(line, fmt.Sprintf("unknown state %q of %s%s; it is kept but no rule can use it", name, t.objects.Name(x), t.stateHint(name)))
		return ontology.None
	}
	return ids[0]
}

func (t *tracker) stateHint(name string) string {
	if near := ontology.Nearest(name, t.onto.Labels(t.onto.Core.StateClass)); near != "" {
		return "; did you mean " + strings.ReplaceAll(near, " ", "_") + "?"
	}
	return ""
}

// merge corrects a state by an observation.
func (t *tracker) merge(s *state.State, obs *sight, e *Event) {
	if obs.missing {
		return
	}
	s.DropViewEdges()
	s.CloseWorld = s.CloseWorld || obs.complete
	for i := range t.objects.Items {
		x := state.Object(i)
		if obs.nodes[x] {
			s.Restore(x)
			t.seeThrough(s, x, obs, e.Step)
		} else if obs.complete && t.vanishes(x) {
			s.Remove(x, e.Step)
		}
	}
	for _, st := range obs.states {
		s.SetState(st.Obj, st.State, state.Observed, e.Step)
	}
	t.mergeGrippers(s, obs, e.Step)
	for _, p := range obs.places {
		s.SetPlace(p.Subject, p.Relation, p.Object, state.Observed, e.Step)
		t.seeInto(s, p)
	}
	for _, edge := range obs.edges {
		s.AddEdge(edge.Subject, edge.Relation, edge.Object)
	}
}

func (t *tracker) vanishes(x state.Object) bool {
	return t.objects.IsA(x, t.onto.Core.PhysicalObject) && !t.objects.IsA(x, t.onto.Core.RobotGripper)
}

// seeThrough forgets an assumed place in a closed container for an object that
// is in plain sight.
func (t *tracker) seeThrough(s *state.State, x state.Object, obs *sight, step int32) {
	v := s.Place(x)
	if v.Status != state.Assumed || obs.placed(x) || v.At == state.Nothing {
		return
	}
	if closed, ok := t.onto.Lookup("closed"); ok && s.Get(state.Fluent{Obj: v.At, Slot: s.SlotOf(closed)}).Term == closed {
		s.Forget(state.Fluent{Obj: x, Slot: state.PlaceSlot}, 0)
	}
}

// seeInto forgets that a container is assumed to be closed where something is seen
// inside, by sensors that do not err.
func (t *tracker) seeInto(s *state.State, p state.Edge) {
	closed, ok := t.onto.Lookup("closed")
	if !ok || p.Relation != t.onto.Core.Inside || t.ep.Noise > 0 {
		return
	}
	f := state.Fluent{Obj: p.Object, Slot: s.SlotOf(closed)}
	if v := s.Get(f); v.Status == state.Assumed && v.Term == closed {
		s.Forget(f, 0)
	}
}

// mergeGrippers empties grippers of what is not seen in them: what a gripper
// holds is always observed.
func (t *tracker) mergeGrippers(s *state.State, obs *sight, step int32) {
	for i := range t.objects.Items {
		x := state.Object(i)
		at := s.Place(x).At
		if at == state.Nothing || !t.objects.IsA(at, t.onto.Core.RobotGripper) || obs.hasPlace(x, at) {
			continue
		}
		s.Forget(state.Fluent{Obj: x, Slot: state.PlaceSlot}, step)
	}
}
