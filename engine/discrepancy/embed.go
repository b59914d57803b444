package discrepancy

import (
	"context"
	"math"
	"slices"
	"sync"

	"github.com/mishap-robotics/mishap/engine/scene"
	"github.com/mishap-robotics/mishap/ontology"
)

// FromOntology is an embedder that needs nothing but the ontology and always
// gives the same vectors. A node's class is the set of its superclasses, rare
// ones weighing more, so that classes are the nearer the more they share; its
// states are directions that those which exclude one another oppose. A state that
// is not the usual one of the class weighs more. What the ontology does not know
// is a direction of its own.
// Goroutines may share it.
func FromOntology(o *ontology.Ontology) Embedder { return &fromOntology{onto: o} }

type fromOntology struct {
	onto *ontology.Ontology
	// What a class and a state add is worked out once.
	classes, states sync.Map // name to []component
}

// component is the part of a vector along one axis.
type component struct {
	axis   string
	length float64
}

// unusual is the weight of a state that is not the usual one of its class, in
// relation to one that is.
const unusual = 3.0

// ofTheClass is the length of the direction of a class, in relation to that of a
// usual state: what a scene graph is compared for is what changes.
const ofTheClass = 0.5

// Embed gives the vectors. It does not fail.
func (e *fromOntology) Embed(_ context.Context, nodes []scene.Node) ([][]float64, error) {
	axes := map[string]int{}
	vectors := make([][]component, len(nodes))
	for i, n := range nodes {
		vectors[i] = append(vectors[i], e.ofClass(n.Class)...)
		for _, s := range n.States {
			length := unusual
			if e.isUsual(n.Class, s) {
				length = 1
			}
			for _, c := range e.ofState(s) {
				vectors[i] = append(vectors[i], component{c.axis, c.length * length})
			}
		}
		for _, c := range vectors[i] {
			if _, ok := axes[c.axis]; !ok {
				axes[c.axis] = len(axes)
			}
		}
	}
	out := make([][]float64, len(nodes))
	for i, v := range vectors {
		out[i] = make([]float64, len(axes))
		for _, c := range v {
			out[i][axes[c.axis]] += c.length
		}
	}
	return out, nil
}

// ofClass is a direction of length ofTheClass.
func (e *fromOntology) ofClass(name string) []component {
	if kept, ok := e.classes.Load(name); ok {
		return kept.([]component)
	}
	out := []component{{"class " + name, ofTheClass}}
	if id, known := e.onto.Lookup(name); known && e.onto.Terms[id].IsClass {
		out = nil
		all := float64(len(e.onto.Terms))
		for i := range e.onto.Terms {
			// The information content of a class: the fewer classes are below it, the
			// more it says.
			if c := ontology.TermID(i); e.onto.Terms[i].IsClass && e.onto.IsA(id, c) {
				out = append(out, component{"class " + e.onto.Name(c), 1 - math.Log(float64(1+len(e.onto.Subclasses(c))))/math.Log(all)})
			}
		}
		scale(out, ofTheClass)
	}
	e.classes.Store(name, out)
	return out
}

// ofState is a direction of length 1: along what the state is and, less, what it
// implies; against its opposite, and, shared among them, against all else that it
// excludes. So states of which one excludes the other are farther apart than one
// is from not being known.
func (e *fromOntology) ofState(name string) []component {
	if kept, ok := e.states.Load(name); ok {
		return kept.([]component)
	}
	out := []component{{"state " + name, 1}}
	if id, known := e.onto.Lookup(name); known && e.onto.Dimension(id) != ontology.None {
		out = e.inDimension(id)
		scale(out, 1)
	}
	e.states.Store(name, out)
	return out
}

// itself is the weight of what a state is and of its opposite, in relation to what
// it implies.
const itself = 3.0

func (e *fromOntology) inDimension(id ontology.TermID) []component {
	var excluded []ontology.TermID
	var out []component
	for i := range e.onto.Terms {
		t := ontology.TermID(i)
		if e.onto.Dimension(t) != e.onto.Dimension(id) {
			continue
		}
		switch is := e.onto.StateIs(id, t); {
		case t == id:
			out = append(out, component{"state " + e.onto.Name(t), itself})
		case t == e.onto.Opposite(id):
			out = append(out, component{"state " + e.onto.Name(t), -itself})
		case is > 0:
			out = append(out, component{"state " + e.onto.Name(t), 1})
		case is < 0:
			excluded = append(excluded, t)
		}
	}
	for _, t := range excluded {
		out = append(out, component{"state " + e.onto.Name(t), -itself / float64(len(excluded))})
	}
	return out
}

// scale gives a direction a length.
func scale(v []component, length float64) {
	sum := 0.0
	for _, c := range v {
		sum += c.length * c.length
	}
	for i := range v {
		v[i].length *= length / math.Sqrt(sum)
	}
}

// isUsual reports whether a state is that in which objects of a class usually are.
func (e *fromOntology) isUsual(class, name string) bool {
	c, _ := e.onto.Lookup(class)
	id, known := e.onto.Lookup(name)
	return known && slices.ContainsFunc(e.onto.DefaultStates(c), func(usual ontology.TermID) bool { return e.onto.StateIs(id, usual) > 0 })
}
