package grounding

import (
	"slices"

	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/engine/scene"
	"github.com/mishap-robotics/mishap/ontology"
)

// settles is how many looks must agree on what a thing is against the first that shows it.
const settles = 2

// Reclassify gives a thing that the first look alone takes for something else the class that all
// looks soon after it give it: a remote control that is a cell phone at first is none. What comes to be of
// another class, as an egg that is cracked, is not changed. The lines that it changes are copies.
func Reclassify(o *ontology.Ontology, steps []episode.Step) []episode.Step {
	if len(steps) == 0 {
		return steps
	}
	out := steps
	for i := range steps[0].Observation.Nodes {
		node := &steps[0].Observation.Nodes[i]
		class := settledClass(o, steps, node)
		if class == "" {
			continue
		}
		if &out[0] == &steps[0] {
			out = slices.Clone(steps)
			out[0].Observation.Nodes = slices.Clone(out[0].Observation.Nodes)
		}
		out[0].Observation.Nodes[i].Class = class
	}
	return out
}

// settledClass is the class that all looks soon after the first give to what has a name, "" where the
// first agrees, too few do, or one may have become the other.
func settledClass(o *ontology.Ontology, steps []episode.Step, node *scene.Node) (class string) {
	if node.Class == "" {
		return ""
	}
	looks := 0
	for _, st := range steps[1:min(len(steps), nearby)] {
		at := slices.IndexFunc(st.Observation.Nodes, func(n scene.Node) bool { return n.ID == node.ID })
		if at < 0 {
			continue
		}
		if looks++; looks == 1 {
			class = st.Observation.Nodes[at].Class
		}
		if st.Observation.Nodes[at].Class != class || class == node.Class {
			return ""
		}
	}
	first, now := ClassOf(o, node.Class), ClassOf(o, class)
	if looks < settles || class == "" || first == ontology.None || now == ontology.None || o.IsA(first, now) || o.IsA(now, first) ||
		slices.Contains(o.Wholes(now), first) || slices.Contains(o.Wholes(first), now) {
		return ""
	}
	return class
}
