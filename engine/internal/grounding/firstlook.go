package grounding

import (
	"slices"

	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/engine/scene"
	"github.com/mishap-robotics/mishap/ontology"
)

// settles is how many more looks must agree on what a thing is than took it for something else;
// afar is how many may have.
const settles, afar = 1, 2

// Reclassify gives a thing that the first looks take for something else the class that all looks soon
// after them give it: a remote control that is a cell phone from afar is none. So it does where a look
// takes for something else what all others call by a word that nobody knows. What comes to be of
// another class, as an egg that is cracked, is not changed. The lines that it changes are copies.
func Reclassify(o *ontology.Ontology, steps []episode.Step) []episode.Step {
	if len(steps) == 0 {
		return steps
	}
	out := steps
	for i := range steps[0].Observation.Nodes {
		id := steps[0].Observation.Nodes[i].ID
		class, mistaken := settledClass(o, steps, id)
		if len(mistaken) > 0 && &out[0] == &steps[0] {
			out = slices.Clone(steps)
		}
		for _, k := range mistaken {
			at := indexNode(out[k].Observation.Nodes, id)
			out[k].Observation.Nodes = slices.Clone(out[k].Observation.Nodes)
			out[k].Observation.Nodes[at].Class = class
		}
	}
	return out
}

func indexNode(nodes []scene.Node, id string) int {
	return slices.IndexFunc(nodes, func(n scene.Node) bool { return n.ID == id })
}

// settledClass is the class that the looks soon after the first give to what has a name, and the
// lines that take it for something else; none where those that agree are too few, or one may have
// become the other.
func settledClass(o *ontology.Ontology, steps []episode.Step, id string) (class string, mistaken []int) {
	type look struct {
		line  int
		class string
	}
	var looks []look
	counts := map[string]int{}
	for i, st := range steps[:min(len(steps), nearby)] {
		if at := indexNode(st.Observation.Nodes, id); at >= 0 {
			is := st.Observation.Nodes[at].Class
			looks = append(looks, look{i, is})
			if counts[is]++; counts[is] > counts[class] {
				class = is
			}
		}
	}
	if len(counts) < 2 {
		return "", nil // all looks agree, as they mostly do
	}
	now := ClassOf(o, class)
	others, settled := false, false
	for _, l := range looks {
		if l.class == class {
			settled = true
			continue
		}
		if l.class == "" || settled && now != ontology.None || !settled && now == ontology.None {
			return "", nil
		}
		if is := ClassOf(o, l.class); is != ontology.None {
			if now != ontology.None && (o.IsA(is, now) || o.IsA(now, is) || slices.Contains(o.Wholes(now), is) || slices.Contains(o.Wholes(is), now)) {
				return "", nil
			}
			others = true
		}
		mistaken = append(mistaken, l.line)
	}
	if class == "" || !others || len(mistaken) > afar || counts[class] < len(mistaken)+settles {
		return "", nil
	}
	return class, mistaken
}
