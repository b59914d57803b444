package simulation

import (
	"slices"

	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/engine/internal/state"
	"github.com/mishap-robotics/mishap/engine/scene"
	"github.com/mishap-robotics/mishap/ontology"
)

// Observe is what the camera sees from where the robot stands, and what is in
// the gripper: the fixtures of its zone and what lies there, but for what is in
// something closed.
func (w *World) Observe() episode.Observation {
	return w.look(func(x state.Object) bool { return w.Reaches(x) })
}

// Survey is what a camera sees that is taken to every zone in turn, with the
// furniture that the robot is near to when it is done.
func (w *World) Survey() episode.Observation {
	obs := w.look(func(state.Object) bool { return true })
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

func (w *World) look(near func(state.Object) bool) episode.Observation {
	var obs episode.Observation
	seen := map[state.Object]bool{}
	for i := range w.objects.Items {
		x := state.Object(i)
		if w.s.Gone(x) || w.isAgent(x) || x == w.floor || w.Hidden(x) || !near(x) {
			continue
		}
		seen[x] = true
		n := scene.Node{ID: w.objects.Name(x), Class: w.onto.Name(w.objects.Class(x))}
		for slot := int32(1); slot < w.s.Slots(); slot++ {
			if v := w.s.Get(state.Fluent{Obj: x, Slot: slot}); v.Status != state.Unknown && !w.hides(secret{x: x, slot: slot}) {
				n.States = append(n.States, w.onto.Name(v.Term))
			}
		}
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
	return obs
}

// soundOf is the sound that an action makes when it comes about: that of its
// target's class, else that of the action.
func (w *World) soundOf(c state.Call) []string {
	return w.choose(func(sound ontology.TermID) (bool, bool) {
		return w.onto.IsSoundOf(sound, c.Schema), w.isSource(sound, c.Target)
	})
}

// soundOfState is the sound of an object that enters a state.
func (w *World) soundOfState(x state.Object, st ontology.TermID) []string {
	return w.choose(func(sound ontology.TermID) (bool, bool) {
		of := w.onto.IsSoundOfState(sound, st)
		materials := w.onto.SoundMaterials(sound)
		if len(materials) > 0 {
			return of, slices.ContainsFunc(materials, func(m ontology.TermID) bool { return w.objects.HasProperty(x, m) })
		}
		return of, w.isSource(sound, x)
	})
}

// isSource reports whether a sound is that of an object, or of anything.
func (w *World) isSource(sound ontology.TermID, x state.Object) bool {
	for _, c := range w.onto.SoundSources(sound) { // its own and those of more general sounds
		if !w.objects.IsA(x, c) {
			return false
		}
	}
	return true
}

// choose finds the most specific sound class that fits both ways.
func (w *World) choose(fits func(ontology.TermID) (kind, source bool)) []string {
	best := ontology.None
	for _, s := range w.onto.Subclasses(w.onto.Core.Sound) {
		kind, source := fits(s)
		if kind && source && (best == ontology.None || w.onto.IsA(s, best)) {
			best = s
		}
	}
	if best == ontology.None {
		return nil
	}
	return []string{w.onto.Terms[best].Label()}
}
