// Package state holds what is true, false or unknown of the objects of an
// episode, and executes the action model of the ontology on it. Belief, the
// expected course of a plan, replay and planning are all states.
package state

import (
	"fmt"
	"iter"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/engine/internal/interrupt"
	"github.com/mishap-robotics/mishap/ontology"
)

// Object is an object, agent or person of an episode; an index into Objects.
type Object int32

// Nothing is the absence of an object.
const Nothing Object = -1

// Objects is the table of the objects an episode names. States share it.
type Objects struct {
	Onto  *ontology.Ontology
	Items []Item // read only: SetOrigin and its like change them
	// Interrupt ends the search for matches in states of the table early where it is raised:
	// what comes of them then is thrown away. Goroutines that share the table leave it nil.
	Interrupt *interrupt.Flag
	// Stages are what a goal asks to come about in order, nil for nothing. States note it.
	Stages *Stages

	byName map[string]Object
	// bySpelling has the names of byName by what is the same of them in every log.
	bySpelling map[string]Object
	counts     map[ontology.TermID]int
	every      []Object
	dims       *dimensions
	exact      map[ontology.TermID][]Object // by class itself
	kinds      ontology.Kinds               // of what stands in the table
	// unknown are the objects of no known class by the spelling of what the log calls it.
	unknown  map[string][]Object
	pieces   map[Object][]Object // by what they come from
	revision int
	named    int      // how often a name was given
	renamed  []Object // since it was last asked
	// byClass keeps what Members found, as membership; goroutines that only read share it.
	byClass   sync.Map
	extending sync.Mutex
	// byProperty keeps, likewise, what classes give a property; own are the objects of which
	// a property was noted.
	byProperty sync.Map
	// byWhole keeps, likewise, what is part of things of a class.
	byWhole sync.Map
	own     []Object
	coined  []Object // in order, and some that somebody has called by their name since
}

// membership is the objects of a class among the first so many of the table.
type membership struct {
	of   int
	list []Object
}

// Item is one object.
type Item struct {
	Name   string
	Class  ontology.TermID // None where the ontology does not know it
	Number int             // of its class
	Origin Object          // what it was cut or cracked from
	Props  []ontology.TermID
	Also   []ontology.TermID // further classes, as of a person with several diets
	Of     []ontology.TermID // what it is called after, as a chicken stock cube is after chicken
	Shown  bool              // observations show a thing by this name
	Made   bool              // an action that was carried out made it: elsewhere it is not there
	Coined bool              // nobody has called it by its name, which was made for it
}

// NewObjects is an empty table.
func NewObjects(o *ontology.Ontology) *Objects {
	return newObjects(o, newDimensions(o))
}

func newObjects(o *ontology.Ontology, d *dimensions) *Objects {
	return &Objects{Onto: o, byName: map[string]Object{}, bySpelling: map[string]Object{}, counts: map[ontology.TermID]int{}, dims: d,
		exact: map[ontology.TermID][]Object{}, unknown: map[string][]Object{}, pieces: map[Object][]Object{}}
}

// IsVague reports whether an object is named by a group of classes and no observation shows
// a thing by that name, so that several may be meant.
func (t *Objects) IsVague(x Object) bool {
	class := t.Items[x].Class
	return class != ontology.None && !t.Items[x].Shown && t.Onto.HasType(class, t.Onto.Core.ObjectGroup)
}

// Clone is an independent copy.
func (t *Objects) Clone() *Objects {
	c := newObjects(t.Onto, t.dims)
	c.Interrupt, c.Stages = t.Interrupt, t.Stages
	c.Items, c.every = slices.Clone(t.Items), slices.Clone(t.every)
	for i := range c.Items {
		c.Items[i].Props, c.Items[i].Also, c.Items[i].Of = slices.Clip(c.Items[i].Props), slices.Clip(c.Items[i].Also), slices.Clip(c.Items[i].Of)
	}
	c.own, c.coined = slices.Clip(t.own), slices.Clip(t.coined)
	c.byName, c.bySpelling, c.counts = maps.Clone(t.byName), maps.Clone(t.bySpelling), maps.Clone(t.counts)
	c.kinds = t.kinds.Clone()
	c.exact, c.unknown, c.pieces, c.revision = clip(t.exact), clip(t.unknown), clip(t.pieces), t.revision
	return c
}

// clip copies lists that two go on to add to.
func clip[K comparable](lists map[K][]Object) map[K][]Object {
	out := make(map[K][]Object, len(lists))
	for k, l := range lists {
		out[k] = slices.Clip(l)
	}
	return out
}

// Lookup finds an object by its name, written in this way or another.
func (t *Objects) Lookup(name string) (Object, bool) {
	if x, ok := t.byName[name]; ok {
		return x, true
	}
	var buffer [64]byte
	x, ok := t.bySpelling[string(episode.AppendSpelling(buffer[:0], name))]
	return x, ok
}

// Add returns the object of that name, adding it where it is new.
func (t *Objects) Add(name string, class ontology.TermID) Object {
	if x, ok := t.Lookup(name); ok {
		return x
	}
	kind, _ := episode.SplitName(name)
	return t.add(name, kind, class)
}

// AddApart adds an object by a name that has meant another so far.
func (t *Objects) AddApart(name string, class ontology.TermID) Object {
	kind, _ := episode.SplitName(name)
	return t.add(name, kind, class)
}

// AddUnknown is Add for an object of no known class, with what the log calls that.
func (t *Objects) AddUnknown(name, word string) Object {
	if x, ok := t.Lookup(name); ok {
		return x
	}
	return t.add(name, word, ontology.None)
}

func (t *Objects) add(name, word string, class ontology.TermID) Object {
	class = t.Onto.Canonical(class)
	_, n := episode.SplitName(name)
	x := Object(len(t.Items))
	if n := len(t.Items); n == cap(t.Items) && n < 256 { // most tables stay small
		t.Items = append(make([]Item, 0, n+n/8+4), t.Items...)
	}
	t.Items = append(t.Items, Item{Name: name, Class: class, Number: n, Origin: Nothing})
	t.Alias(name, x)
	t.every = append(t.every, x)
	if len(t.exact[class]) == 0 {
		t.Onto.AddKind(&t.kinds, class)
	}
	t.exact[class] = append(t.exact[class], x)
	t.revision++
	if class >= 0 {
		t.counts[class] = max(t.counts[class], n)
	} else {
		word = episode.Spelling(word)
		t.unknown[word] = append(t.unknown[word], x)
	}
	return x
}

// Rename gives an object whose name was made for it the one that a log calls it by. The
// other still means it.
func (t *Objects) Rename(x Object, name string) {
	item := &t.Items[x]
	_, n := episode.SplitName(name)
	item.Name, item.Number, item.Coined = name, n, false
	t.Alias(name, x)
	t.renamed = append(t.renamed, x)
	t.revision++
}

// Coin notes that nobody has called an object by its name, which was made for it.
func (t *Objects) Coin(x Object) {
	t.Items[x].Coined = true
	if at, found := slices.BinarySearch(t.coined, x); !found {
		t.coined = slices.Insert(slices.Clip(t.coined), at, x)
	}
}

// CoinedOf visits, in order of first mention, the objects of a class itself, not of its
// subclasses, that nobody has called by their name.
func (t *Objects) CoinedOf(class ontology.TermID) iter.Seq[Object] {
	return func(yield func(Object) bool) {
		class = t.Onto.Canonical(class)
		for _, x := range t.coined {
			if item := &t.Items[x]; item.Coined && item.Class == class && !yield(x) {
				return
			}
		}
	}
}

// TakeRenamed lists the objects that were renamed since it was last asked.
func (t *Objects) TakeRenamed() []Object {
	out := t.renamed
	t.renamed = nil
	return out
}

// Revision grows with each object and with all that is learnt of what an object is.
func (t *Objects) Revision() int { return t.revision }

// Version grows with what Revision grows with, and with each name that is given to an object.
func (t *Objects) Version() uint32 { return uint32(t.revision + t.named) }

// SetOrigin tells what an object comes from.
func (t *Objects) SetOrigin(x, whole Object) {
	was := t.Items[x].Origin
	if was == whole {
		return
	}
	t.revision++
	t.Items[x].Origin = whole
	t.pieces[was] = slices.DeleteFunc(slices.Clone(t.pieces[was]), func(p Object) bool { return p == x })
	if whole != Nothing {
		at, _ := slices.BinarySearch(t.pieces[whole], x)
		t.pieces[whole] = slices.Insert(slices.Clone(t.pieces[whole]), at, x)
	}
}

// AddProperty notes a property or material of an object.
func (t *Objects) AddProperty(x Object, property ontology.TermID) {
	if item := &t.Items[x]; !slices.Contains(item.Props, property) {
		if item.Props = append(item.Props, property); len(item.Props) == 1 {
			at, _ := slices.BinarySearch(t.own, x)
			t.own = slices.Insert(slices.Clip(t.own), at, x)
		}
		t.revision++
	}
}

// AddClass notes a further class of an object.
func (t *Objects) AddClass(x Object, class ontology.TermID) {
	t.Items[x].Also = append(t.Items[x].Also, class)
	t.Onto.AddKind(&t.kinds, class)
	t.revision++
	t.byClass.Clear()
}

// CallAfter notes that an object is called after things of a class.
func (t *Objects) CallAfter(x Object, class ontology.TermID) {
	if item := &t.Items[x]; !slices.Contains(item.Of, class) && !t.IsA(x, class) {
		item.Of = append(item.Of, class)
		t.revision++
	}
}

// Alias lets a second name mean the same object.
func (t *Objects) Alias(name string, x Object) {
	t.byName[name] = x
	t.named++
	var buffer [64]byte
	if spelling := episode.AppendSpelling(buffer[:0], name); len(spelling) > 0 {
		if _, taken := t.bySpelling[string(spelling)]; !taken {
			t.bySpelling[string(spelling)] = x
		}
	}
}

// Fresh adds the next instance of a class.
func (t *Objects) Fresh(class ontology.TermID) Object {
	class = t.Onto.Canonical(class)
	for {
		t.counts[class]++
		name := fmt.Sprintf("%s-%d", t.Onto.Name(class), t.counts[class])
		if _, taken := t.Lookup(name); !taken {
			x := t.Add(name, class)
			t.Coin(x)
			return x
		}
	}
}

// Name is the name of an object, "" for Nothing.
func (t *Objects) Name(x Object) string {
	if x < 0 || int(x) >= len(t.Items) {
		return ""
	}
	return t.Items[x].Name
}

// CallText is a call as plans write it: "(put_in, Mug-1, Sink-1)".
func (t *Objects) CallText(c Call) string {
	parts := []string{c.Schema.Name}
	for _, x := range c.Objects() {
		if x != Nothing {
			parts = append(parts, t.Name(x))
		}
	}
	return "(" + strings.Join(parts, ", ") + ")"
}

// FurtherText is the arguments of a call after the second as actions write them.
func (t *Objects) FurtherText(c Call) string {
	var out []string
	for _, x := range c.Further {
		out = append(out, t.Name(x))
	}
	return strings.Join(out, ", ")
}

// Class is the class of an object.
func (t *Objects) Class(x Object) ontology.TermID { return t.Items[x].Class }

// IsA reports whether an object is of a class; an object of unknown class is
// of none.
func (t *Objects) IsA(x Object, class ontology.TermID) bool {
	return x >= 0 && (t.Onto.IsA(t.Items[x].Class, class) ||
		slices.ContainsFunc(t.Items[x].Also, func(c ontology.TermID) bool { return t.Onto.IsA(c, class) }))
}

// MayHave reports whether some object may be of a class; where it is false, none is.
func (t *Objects) MayHave(class ontology.TermID) bool { return t.Onto.HasKind(t.kinds, class) }

// OfClass lists the objects of a class, in order of first mention.
func (t *Objects) OfClass(class ontology.TermID) []Object { return slices.Clone(t.Members(class)) }

// First is the first object of a class, or Nothing.
func (t *Objects) First(class ontology.TermID) Object {
	if list := t.Members(class); len(list) > 0 {
		return list[0]
	}
	return Nothing
}

// OfExactly lists the objects of a class itself, not of its subclasses, in order of first
// mention. It must not be changed.
func (t *Objects) OfExactly(class ontology.TermID) []Object { return t.exact[t.Onto.Canonical(class)] }

// OfUnknown lists the objects of no known class that the log calls so. It must not be
// changed.
func (t *Objects) OfUnknown(word string) []Object { return t.unknown[episode.Spelling(word)] }

// UnknownEnding lists the objects of no known class whose name in the log ends in a spelling.
func (t *Objects) UnknownEnding(spelling string) (out []Object) {
	for word, list := range t.unknown {
		if strings.HasSuffix(word, spelling) {
			out = append(out, list...)
		}
	}
	slices.Sort(out)
	return out
}

func (t *Objects) all() []Object { return t.every }

// Members is OfClass, kept for the next time. It must not be changed.
func (t *Objects) Members(class ontology.TermID) []Object {
	return t.kept(&t.byClass, class, func(x Object) bool { return t.IsA(x, class) })
}

// kept lists the objects that something is so of, which it is for good.
func (t *Objects) kept(lists *sync.Map, of ontology.TermID, is func(Object) bool) []Object {
	if kept, ok := lists.Load(of); ok && kept.(*membership).of == len(t.Items) {
		return kept.(*membership).list
	}
	t.extending.Lock()
	defer t.extending.Unlock()
	m := &membership{of: len(t.Items)}
	from := 0
	if kept, ok := lists.Load(of); ok {
		m.list, from = kept.(*membership).list, kept.(*membership).of
	}
	for x := Object(from); int(x) < m.of; x++ {
		if is(x) {
			m.list = append(m.list, x)
		}
	}
	lists.Store(of, m)
	return m.list
}

// perhaps lists the objects that may have a property: all others have not. It must not be
// changed.
func (t *Objects) perhaps(property ontology.TermID) []Object {
	of := t.kept(&t.byProperty, property, func(x Object) bool { return t.Onto.HasProperty(t.Items[x].Class, property) })
	switch {
	case len(t.own) == 0:
		return of
	case len(of)+len(t.own) > len(t.Items)/2:
		return t.every
	}
	out := slices.Concat(of, t.own)
	slices.Sort(out)
	return slices.Compact(out)
}

// HasProperty reports whether an object has a physical property or material.
// The observed material of an instance counts before that of its class, also
// for the properties that depend on it: a plastic cup does not break because
// cups do.
func (t *Objects) HasProperty(x Object, property ontology.TermID) bool {
	if x < 0 {
		return false
	}
	item := &t.Items[x]
	if slices.Contains(item.Props, property) {
		return true
	}
	if t.Onto.OfMaterial(property) {
		known := false
		for _, p := range item.Props {
			if t.Onto.HasType(p, t.Onto.Core.Material) {
				known = true
				if slices.Contains(t.Onto.PropertiesOf(p), property) {
					return true
				}
			}
		}
		if known {
			return false
		}
	}
	return t.Onto.HasProperty(item.Class, property)
}

// Parts are the objects of classes that are parts of a class.
func (t *Objects) Parts(whole ontology.TermID) []Object {
	return t.kept(&t.byWhole, whole, func(x Object) bool {
		return t.Items[x].Class >= 0 && slices.Contains(t.Onto.PartOf(t.Items[x].Class), whole)
	})
}

// Pieces lists the objects that come from another.
func (t *Objects) Pieces(origin Object, class ontology.TermID) []Object {
	var out []Object
	for _, x := range t.pieces[origin] {
		if t.IsA(x, class) {
			out = append(out, x)
		}
	}
	return out
}

// PiecesOf lists all objects that come from another. It must not be changed.
func (t *Objects) PiecesOf(origin Object) []Object { return t.pieces[origin] }
