package fact

import (
	"fmt"

	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/engine/internal/belief"
	"github.com/mishap-robotics/mishap/engine/internal/state"
	"github.com/mishap-robotics/mishap/ontology"
	"github.com/mishap-robotics/mishap/rules"
)

// Stream is an index of facts that are given as they come, without an episode.
type Stream struct {
	*Index
}

// NewStream is an index that knows what the ontology says and no fact of an
// episode.
func NewStream(o *ontology.Ontology) *Stream {
	x := newIndex(&belief.Trace{Objects: state.NewObjects(o), Episode: &episode.Episode{}})
	x.given = true
	x.addTerms()
	return &Stream{x}
}

// Add adds a fact by the number of its predicate; its arguments are numbers, or
// symbols of names. A fact that is there already is not added again.
func (s *Stream) Add(pred int, args []int32) { s.tables[pred].add(args) }

// Row reads a fact as terms write it. The error tells what is no fact of the
// vocabulary.
func (s *Stream) Row(f *rules.Term) (pred int, row []int32, err error) {
	pred, ok := Number(f.Indicator())
	if !ok {
		return 0, nil, fmt.Errorf("%s is no fact; expected one that \"mishap rules vocabulary\" lists", f.Indicator())
	}
	row = make([]int32, Width(pred))
	for i, a := range f.Args {
		kind := Kind(pred, i)
		switch {
		case kind == value && (a.Kind == rules.Integer || a.Kind == rules.Decimal):
			d, ok := a.Number()
			if !ok {
				return 0, nil, fmt.Errorf("%s in %s is beyond 2.3 million million", a, f)
			}
			row[i], row[i+1] = d.Words()
		case a.Kind == rules.Integer && kind.Integer():
			row[i] = int32(a.Int)
		case a.Kind == rules.Atom && !kind.Numeric():
			row[i] = s.symbol(a.Name)
		default:
			return 0, nil, fmt.Errorf("%s in %s is no %s", a, f, kind)
		}
	}
	return pred, row, nil
}

// Given is an index of facts as a test of rules writes them, without an
// episode. Objects such as 'Mug-1' are of their class, with its superclasses,
// properties and material, unless the facts say so themselves.
func Given(o *ontology.Ontology, facts []*rules.Term) (*Index, error) {
	s := NewStream(o)
	objects := map[string]bool{}
	for _, f := range facts {
		pred, row, err := s.Row(f)
		if err != nil {
			return nil, err
		}
		for i, a := range f.Args {
			if Kind(pred, i) == rules.ObjectArg {
				objects[a.Name] = true
			}
		}
		s.Add(pred, row)
	}
	for name := range objects {
		s.addKind(name)
	}
	return s.Index, nil
}

// addKind adds what the class in an object's name, as in 'Mug-1', says of it.
func (x *Index) addKind(name string) {
	o := x.Trace.Objects.Onto
	class, number := episode.SplitName(name)
	id, ok := o.Lookup(class)
	if !ok || number == 0 {
		return
	}
	for i := range o.Terms {
		t := ontology.TermID(i)
		switch {
		case o.Terms[i].IsClass && o.IsA(id, t):
			x.add(predIsa, x.symbol(name), x.term(t))
		case (o.HasType(t, o.Core.PhysicalProperty) || o.HasType(t, o.Core.Material)) && o.HasProperty(id, t):
			x.add(predProperty, x.symbol(name), x.term(t))
		}
	}
}
