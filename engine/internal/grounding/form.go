package grounding

import (
	"maps"
	"slices"

	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/engine/scene"
	"github.com/mishap-robotics/mishap/ontology"
)

// Forms renames what observations show in a state that means another form, such as a
// sliced bread.
type Forms struct {
	onto *ontology.Ontology
	// apart are forms that the log tells apart from what is in the state: "carrot (sliced)"
	// and "carrot slice" in one look.
	apart map[ontology.TermID]bool
}

// NewForms has seen no observation.
func NewForms(onto *ontology.Ontology) *Forms { return &Forms{onto, map[ontology.TermID]bool{}} }

// Fork is an independent copy.
func (f *Forms) Fork() *Forms { return &Forms{f.onto, maps.Clone(f.apart)} }

// Note takes in what an observation tells apart.
func (f *Forms) Note(o episode.Observation) {
	for _, node := range o.Nodes {
		form := formOf(f.onto, node)
		if form == ontology.None || f.apart[form] {
			continue
		}
		f.apart[form] = slices.ContainsFunc(o.Nodes, func(other scene.Node) bool {
			return other.ID != node.ID && classOf(f.onto, other) == form
		})
	}
}

// Take renames what an observation shows.
func (f *Forms) Take(o episode.Observation) episode.Observation {
	onto := f.onto
	f.Note(o)
	forms := map[string]string{}
	for _, node := range o.Nodes {
		if form := formOf(onto, node); form != ontology.None && !f.apart[form] {
			_, number := episode.SplitName(node.ID)
			forms[node.ID] = onto.Instance(form, max(number, 1))
		}
	}
	if len(forms) == 0 {
		return o
	}
	out := renamed(o, func(name *string) {
		if form, ok := forms[*name]; ok {
			*name = form
		}
	})
	for i := range o.Nodes {
		if forms[o.Nodes[i].ID] != "" {
			out.Nodes[i].Class = ""
		}
	}
	return out
}

// renamed is a copy of an observation with other names for what it shows.
func renamed(o episode.Observation, name func(*string)) episode.Observation {
	o.Nodes, o.Edges = slices.Clone(o.Nodes), slices.Clone(o.Edges)
	for i := range o.Nodes {
		name(&o.Nodes[i].ID)
	}
	for i := range o.Edges {
		name(&o.Edges[i].Subject)
		name(&o.Edges[i].Object)
	}
	return o
}

// formOf is the class that the states of a node mean, None where they mean no
// other than its own.
func formOf(onto *ontology.Ontology, node scene.Node) ontology.TermID {
	for _, name := range node.States {
		for _, st := range onto.ByLabel(name, onto.Core.StateClass) {
			if forms := onto.FormsIn(classOf(onto, node), st); len(forms) > 0 {
				return forms[0]
			}
		}
	}
	return ontology.None
}

// classOf is the class of a node.
func classOf(onto *ontology.Ontology, node scene.Node) ontology.TermID {
	class := node.Class
	if class == "" {
		class, _ = episode.SplitName(node.ID)
	}
	return ClassOf(onto, class)
}
