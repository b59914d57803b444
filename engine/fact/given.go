package fact

import (
	"fmt"

	"github.com/mishap-robotics/mishap/engine/belief"
	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/engine/state"
	"github.com/mishap-robotics/mishap/ontology"
	"github.com/mishap-robotics/mishap/rules"
)

// Given is an index of facts as a test of rules writes them, without an
// episode. Objects such as 'Mug-1' are of their class, with its superclasses,
// properties and material, unless the facts say so themselves.
func Given(o *ontology.Ontology, facts []*rules.Term) (*Index, error) {
	x := newIndex(&belief.Trace{Objects: state.NewObjects(o), Episode: &episode.Episode{}})
	x.given = true
	x.addTerms()
	objects := map[string]bool{}
	for _, f := range facts {
		pred, ok := Number(f.Indicator())
		if !ok {
			return nil, fmt.Errorf("%s is no fact; expected one that \"mishap rules vocabulary\" lists", f.Indicator())
		}
		row := make([]int32, len(f.Args))
		for i, a := range f.Args {
			kind := Vocabulary[pred].Args[i]
			switch {
			case a.Kind == rules.Integer && kind.Integer():
				row[i] = int32(a.Int)
			case a.Kind == rules.Atom && !kind.Integer():
				row[i] = x.symbol(a.Name)
				if kind == rules.ObjectArg {
					objects[a.Name] = true
				}
			default:
				return nil, fmt.Errorf("%s in %s is no %s", a, f, kind)
			}
		}
		x.add(pred, row...)
	}
	for name := range objects {
		x.addKind(name)
	}
	return x, nil
}

// addKind adds what the class in an object's name says of it.
func (x *Index) addKind(name string) {
	o := x.Trace.Objects.Onto
	class, number := episode.SplitName(name)
	id, ok := o.Lookup(class)
	if !ok || number == 0 {
		return
	}
	property, _ := o.Lookup("PhysicalProperty")
	for i := range o.Terms {
		t := ontology.TermID(i)
		switch {
		case o.Terms[i].IsClass && o.IsA(id, t):
			x.add(predIsa, x.symbol(name), x.term(t))
		case (o.HasType(t, property) || o.HasType(t, o.Core.Material)) && o.HasProperty(id, t):
			x.add(predProperty, x.symbol(name), x.term(t))
		}
	}
}
