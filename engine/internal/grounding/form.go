package grounding

import (
	"slices"

	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/engine/scene"
	"github.com/mishap-robotics/mishap/ontology"
)

// TakeForms renames what an observation shows in a state that means another
// form, such as a sliced bread.
func TakeForms(onto *ontology.Ontology, o episode.Observation) episode.Observation {
	forms := map[string]string{}
	for _, node := range o.Nodes {
		if form := formOf(onto, node); form != ontology.None {
			_, number := episode.SplitName(node.ID)
			forms[node.ID] = onto.Instance(form, max(number, 1))
		}
	}
	if len(forms) == 0 {
		return o
	}
	rename := func(name *string) {
		if form, ok := forms[*name]; ok {
			*name = form
		}
	}
	o.Nodes, o.Edges = slices.Clone(o.Nodes), slices.Clone(o.Edges)
	for i := range o.Nodes {
		if node := &o.Nodes[i]; forms[node.ID] != "" {
			rename(&node.ID)
			node.Class = ""
		}
	}
	for i := range o.Edges {
		rename(&o.Edges[i].Subject)
		rename(&o.Edges[i].Object)
	}
	return o
}

// formOf is the class that the states of a node mean, None where they mean no
// other than its own.
func formOf(onto *ontology.Ontology, node scene.Node) ontology.TermID {
	class := node.Class
	if class == "" {
		class, _ = episode.SplitName(node.ID)
	}
	for _, name := range node.States {
		for _, st := range onto.ByLabel(name, onto.Core.StateClass) {
			if forms := onto.FormsIn(ClassOf(onto, class), st); len(forms) > 0 {
				return forms[0]
			}
		}
	}
	return ontology.None
}
