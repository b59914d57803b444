package grounding

import (
	"maps"
	"slices"

	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/engine/internal/memo"
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
	// taken are the last things that were shown in such a state, the latest last: what is shown
	// later without a state that tells of it is in it still.
	taken []inForm
	begun bool // a look was taken in
	// forming are labels of states, by whether there are things that have another form in one.
	forming memo.Kept[string, bool]
	// formless are the nodes of the last look none of which is in a state that has forms.
	formless []scene.Node
}

// inForm is a thing, by the name that observations have for it, and the form that it is in. It
// keeps the name where the first look shows it so: no look ever shows it whole.
type inForm struct {
	name string
	form ontology.TermID
	own  bool
}

// speaks reports whether the states of a node tell whether it is in a form of its class.
func (f *Forms) speaks(node *scene.Node) bool {
	class := classOf(f.onto, node)
	return slices.ContainsFunc(node.States, func(name string) bool {
		return slices.ContainsFunc(f.onto.ByLabel(name, f.onto.Core.StateClass), func(st ontology.TermID) bool {
			return len(f.onto.FormsIn(class, st)) > 0 || f.onto.Opposite(st) != ontology.None && len(f.onto.FormsIn(class, f.onto.Opposite(st))) > 0
		})
	})
}

// mostInForm is how many things are kept in mind.
const mostInForm = 64

// NewForms has seen no observation.
func NewForms(onto *ontology.Ontology) *Forms {
	return &Forms{onto: onto, apart: map[ontology.TermID]bool{}}
}

// Fork is an independent copy.
func (f *Forms) Fork() *Forms {
	return &Forms{onto: f.onto, apart: maps.Clone(f.apart), taken: slices.Clone(f.taken), begun: f.begun}
}

// form is the form that a node shows a thing in, by its states or, where these tell nothing of
// it, by those of a look before; own is true where the thing keeps its name in it.
func (f *Forms) form(node *scene.Node) (form ontology.TermID, own bool) {
	if at := slices.IndexFunc(f.taken, func(t inForm) bool { return t.name == node.ID }); at >= 0 {
		if !f.speaks(node) {
			return f.taken[at].form, f.taken[at].own
		}
		own = f.taken[at].own && f.of(node) != ontology.None
		f.taken = slices.Delete(f.taken, at, at+1)
	}
	form, own = f.of(node), own || !f.begun
	if form != ontology.None {
		if len(f.taken) == mostInForm {
			f.taken = slices.Delete(f.taken, 0, 1)
		}
		f.taken = append(f.taken, inForm{node.ID, form, own})
	}
	return form, own
}

// Note takes in what an observation tells apart.
func (f *Forms) Note(o episode.Observation) {
	for i := range o.Nodes {
		node := &o.Nodes[i]
		form := f.of(node)
		if form == ontology.None || f.apart[form] {
			continue
		}
		f.apart[form] = slices.ContainsFunc(o.Nodes, func(other scene.Node) bool {
			return other.ID != node.ID && classOf(f.onto, &other) == form
		})
	}
}

// Take renames what an observation shows.
func (f *Forms) Take(o episode.Observation) episode.Observation {
	onto := f.onto
	if isSame(o.Nodes, f.formless) && len(f.taken) == 0 {
		return o
	}
	defer func() { f.begun = true }()
	f.formless = nil
	f.Note(o)
	var forms map[string]string
	var kept map[string]string // the class of what keeps its name
	for i := range o.Nodes {
		node := &o.Nodes[i]
		if len(node.States) == 0 && len(f.taken) == 0 {
			continue
		}
		if form, own := f.form(node); form != ontology.None && !f.apart[form] {
			if own {
				if kept == nil {
					kept = map[string]string{}
				}
				kept[node.ID] = onto.Name(form)
				continue
			}
			_, number := episode.SplitName(node.ID)
			if forms == nil {
				forms = map[string]string{}
			}
			forms[node.ID] = onto.Instance(form, max(number, 1))
		}
	}
	if len(f.taken) == 0 {
		f.formless = o.Nodes
	}
	if len(forms)+len(kept) == 0 {
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
		if class := kept[o.Nodes[i].ID]; class != "" {
			out.Nodes[i].Class = class
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

// of is formOf, with what is known of labels.
func (f *Forms) of(node *scene.Node) ontology.TermID {
	if !slices.ContainsFunc(node.States, f.isForming) {
		return ontology.None
	}
	return formOf(f.onto, node)
}

// isForming reports whether things may have another form in a state, by its label.
func (f *Forms) isForming(label string) bool {
	const few = 256
	is, ok := f.forming.Get(label)
	if !ok {
		is = slices.ContainsFunc(f.onto.ByLabel(label, f.onto.Core.StateClass), f.onto.TakesForm)
		f.forming.Keep(label, is, few)
	}
	return is
}

// formOf is the class that the states of a node mean, None where they mean no
// other than its own.
func formOf(onto *ontology.Ontology, node *scene.Node) ontology.TermID {
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
func classOf(onto *ontology.Ontology, node *scene.Node) ontology.TermID {
	class := node.Class
	if class == "" {
		class, _ = episode.SplitName(node.ID)
	}
	return ClassOf(onto, class)
}
