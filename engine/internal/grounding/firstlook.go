package grounding

import (
	"slices"

	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/engine/scene"
	"github.com/mishap-robotics/mishap/ontology"
)

// settles is how many more looks must agree on what a thing is than took it for something else before;
// afar is how many may have.
const settles, afar = 1, 2

// Reclassify gives a thing that the first looks take for something else the class that all looks soon
// after them give it: a remote control that is a cell phone from afar is none. What comes to be of
// another class, as an egg that is cracked, is not changed. The lines that it changes are copies.
func Reclassify(o *ontology.Ontology, steps []episode.Step) []episode.Step {
	if len(steps) == 0 {
		return steps
	}
	out := steps
	for i := range steps[0].Observation.Nodes {
		node := &steps[0].Observation.Nodes[i]
		class, until := settledClass(o, steps, node)
		if class == "" {
			continue
		}
		if &out[0] == &steps[0] {
			out = slices.Clone(steps)
		}
		for k := range out[:until+1] {
			if at := indexNode(out[k].Observation.Nodes, node.ID); at >= 0 {
				out[k].Observation.Nodes = slices.Clone(out[k].Observation.Nodes)
				out[k].Observation.Nodes[at].Class = class
			}
		}
	}
	return out
}

func indexNode(nodes []scene.Node, id string) int {
	return slices.IndexFunc(nodes, func(n scene.Node) bool { return n.ID == id })
}

// settledClass is the class that all looks soon after the first ones give to what has a name, and the
// line of the last look that takes it for something else; "" where those that agree are too few, or one
// may have become the other.
func settledClass(o *ontology.Ontology, steps []episode.Step, node *scene.Node) (class string, until int) {
	if node.Class == "" {
		return "", 0
	}
	before, looks := 1, 0
	for i, st := range steps[:min(len(steps), nearby)] {
		at := indexNode(st.Observation.Nodes, node.ID)
		if i == 0 || at < 0 {
			continue
		}
		is := st.Observation.Nodes[at].Class
		if looks == 0 && is == node.Class {
			before, until = before+1, i
			continue
		}
		if looks++; looks == 1 {
			class = is
		}
		if is != class {
			return "", 0
		}
	}
	first, now := ClassOf(o, node.Class), ClassOf(o, class)
	if before > afar || looks < before+settles || class == "" || first == ontology.None || now == ontology.None || o.IsA(first, now) || o.IsA(now, first) ||
		slices.Contains(o.Wholes(now), first) || slices.Contains(o.Wholes(first), now) {
		return "", 0
	}
	return class, until
}
