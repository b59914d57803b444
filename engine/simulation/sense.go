package simulation

import (
	"slices"

	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/engine/internal/state"
	"github.com/mishap-robotics/mishap/engine/scene"
	"github.com/mishap-robotics/mishap/ontology"
)

// Camera is what can be seen of a world.
type Camera struct{ world *World }

// Camera is the one that the robot carries.
func (w *World) Camera() Camera { return Camera{w} }

// Observe is what the camera sees from where the robot stands, and what is in
// the gripper: the fixtures of its zone and what lies there, but for what is in
// something closed. What the other robots of a team hold they tell.
func (c Camera) Observe() episode.Observation {
	w := c.world
	return c.look(func(x state.Object) bool {
		return w.Reaches(x) || slices.ContainsFunc(w.team, func(m member) bool { return w.s.Place(x).At == m.gripper })
	})
}

// Survey is what a camera sees that is taken to every zone in turn, with the
// furniture that the robot is near to when it is done.
func (c Camera) Survey() episode.Observation {
	w := c.world
	obs := c.look(func(state.Object) bool { return true })
	if w.anywhere {
		return obs
	}
	for _, x := range w.zones[w.zone].fixtures {
		if !w.s.Gone(x) {
			obs.Edges = append(obs.Edges, scene.Edge{Subject: w.objects.Name(w.robot), Relation: w.onto.Name(w.onto.Core.Near), Object: w.objects.Name(x)})
		}
	}
	return obs
}

func (c Camera) look(near func(state.Object) bool) episode.Observation {
	w := c.world
	var obs episode.Observation
	seen := map[state.Object]bool{}
	for i := range w.objects.Items {
		x := state.Object(i)
		if w.s.Gone(x) || w.isAgent(x) || x == w.floor || w.Hidden(x) || !near(x) {
			continue
		}
		seen[x] = true
		n := scene.Node{ID: w.objects.Name(x), Class: w.onto.Name(w.objects.Class(x))}
		for slot := int32(1); slot < w.s.StateSlots(); slot++ {
			if v := w.s.Get(state.Fluent{Obj: x, Slot: slot}); v.Status != state.Unknown && !w.s.Inferred(slot) && !w.hides(secret{x: x, slot: slot}) {
				n.States = append(n.States, w.onto.Name(v.Term))
			}
		}
		n.Values = w.s.Readings(x)
		obs.Nodes = append(obs.Nodes, n)
	}
	floor := false
	for i := range w.objects.Items {
		x := state.Object(i)
		v := w.s.Place(x)
		if !seen[x] || v.At == state.Nothing {
			continue
		}
		floor = floor || v.At == w.floor
		obs.Edges = append(obs.Edges, scene.Edge{Subject: w.objects.Name(x), Relation: w.onto.Name(v.Term), Object: w.objects.Name(v.At)})
	}
	if floor {
		obs.Nodes = append(obs.Nodes, scene.Node{ID: w.objects.Name(w.floor), Class: w.onto.Name(w.onto.Core.Floor)})
	}
	for i := range w.objects.Items {
		for j := range w.objects.Items {
			x, y := state.Object(i), state.Object(j)
			for _, relation := range []ontology.TermID{w.onto.Core.Occluding, w.linked} {
				if seen[x] && seen[y] && w.s.HasEdge(x, relation, y) && !w.hides(secret{x: x, relation: relation, y: y}) {
					obs.Edges = append(obs.Edges, scene.Edge{Subject: w.objects.Name(x), Relation: w.onto.Name(relation), Object: w.objects.Name(y)})
				}
			}
		}
	}
	for i := range w.objects.Items {
		if x := state.Object(i); seen[x] {
			obs.Edges = append(obs.Edges, lasting(w.s, x, func(y state.Object) bool { return seen[y] })...)
		}
	}
	w.own(w.s, &obs)
	return obs
}

// own adds what a robot knows of itself wherever it looks: what it measures, such as its charge,
// and its lasting relations.
func (w *World) own(s *state.State, obs *episode.Observation) {
	for i := range w.objects.Items {
		x := state.Object(i)
		if !w.objects.IsA(x, w.onto.Core.Agent) || s.Gone(x) {
			continue
		}
		values, links := s.Readings(x), lasting(s, x, func(y state.Object) bool { return !s.Gone(y) })
		if len(values)+len(links) > 0 {
			obs.Nodes = append(obs.Nodes, scene.Node{ID: w.objects.Name(x), Class: w.onto.Name(w.objects.Class(x)), Values: values})
		}
		obs.Edges = append(obs.Edges, links...)
	}
}

// lasting are the lasting relations of a thing to those that show.
func lasting(s *state.State, x state.Object, shows func(state.Object) bool) []scene.Edge {
	var out []scene.Edge
	for _, l := range s.Links(x) {
		if !l.From && !l.Ended && shows(l.Other) {
			out = append(out, scene.Edge{Subject: s.Objects.Name(x), Relation: s.Objects.Onto.Name(l.Relation), Object: s.Objects.Name(l.Other)})
		}
	}
	return out
}

// Everything is what there is in the true state, hidden or not.
func (c Camera) Everything() episode.Observation { return c.EverythingIn(c.world.s) }

// EverythingIn is what there was in a true state of the world.
func (c Camera) EverythingIn(s *state.State) episode.Observation {
	w := c.world
	obs := episode.Observation{Complete: true}
	for i := range w.objects.Items {
		x := state.Object(i)
		if s.Gone(x) || w.isAgent(x) || w.isMovable(x) && s.Place(x).At == state.Nothing {
			continue
		}
		n := scene.Node{ID: w.objects.Name(x), Class: w.onto.Name(w.objects.Class(x))}
		for slot := int32(1); slot < s.StateSlots(); slot++ {
			if v := s.Get(state.Fluent{Obj: x, Slot: slot}); v.Status != state.Unknown && !s.Inferred(slot) {
				n.States = append(n.States, w.onto.Name(v.Term))
			}
		}
		n.Values = s.Readings(x)
		obs.Nodes = append(obs.Nodes, n)
		if v := s.Place(x); v.At != state.Nothing {
			obs.Edges = append(obs.Edges, scene.Edge{Subject: w.objects.Name(x), Relation: w.onto.Name(v.Term), Object: w.objects.Name(v.At)})
		}
		obs.Edges = append(obs.Edges, lasting(s, x, func(y state.Object) bool { return !s.Gone(y) })...)
	}
	for _, e := range s.Edges() {
		if e.Relation == w.onto.Core.Occluding || e.Relation == w.linked {
			obs.Edges = append(obs.Edges, scene.Edge{Subject: w.objects.Name(e.Subject), Relation: w.onto.Name(e.Relation), Object: w.objects.Name(e.Object)})
		}
	}
	w.own(s, &obs)
	return obs
}

// microphone tells which sound is to be heard of what happens.
type microphone struct {
	onto    *ontology.Ontology
	objects *state.Objects
}

func (w *World) microphone() microphone { return microphone{w.onto, w.objects} }

// soundOf is the sound that an action makes when it comes about: that of its
// target's class, else that of the action.
func (m microphone) soundOf(c state.Call) []string {
	return m.choose(func(sound ontology.TermID) (bool, bool) {
		return m.onto.IsSoundOf(sound, c.Schema), m.isSource(sound, c.Target)
	})
}

// soundOfState is the sound of an object that enters a state.
func (m microphone) soundOfState(x state.Object, st ontology.TermID) []string {
	return m.choose(func(sound ontology.TermID) (bool, bool) {
		of := m.onto.IsSoundOfState(sound, st)
		materials := m.onto.SoundMaterials(sound)
		if len(materials) > 0 {
			return of, slices.ContainsFunc(materials, func(material ontology.TermID) bool { return m.objects.HasProperty(x, material) })
		}
		return of, m.isSource(sound, x)
	})
}

// isSource reports whether a sound is that of an object, or of anything.
func (m microphone) isSource(sound ontology.TermID, x state.Object) bool {
	for _, c := range m.onto.SoundSources(sound) { // its own and those of more general sounds
		if !m.objects.IsA(x, c) {
			return false
		}
	}
	return true
}

// choose finds the most specific sound class that fits both ways.
func (m microphone) choose(fits func(ontology.TermID) (kind, source bool)) []string {
	best := ontology.None
	for _, s := range m.onto.Subclasses(m.onto.Core.Sound) {
		kind, source := fits(s)
		if kind && source && (best == ontology.None || m.onto.IsA(s, best)) {
			best = s
		}
	}
	if best == ontology.None {
		return nil
	}
	return []string{m.onto.Terms[best].Label()}
}
