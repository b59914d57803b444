package ontology

import (
	"iter"
	"slices"
	"strconv"
	"sync/atomic"
)

// What classes, states and sounds have, by the properties of the vocabulary. A class
// has what its superclasses have, its own first.

// ValuesOf lists the values of a property and its subproperties for a class, its
// own first, then its superclasses'.
func (o *Ontology) ValuesOf(class, property TermID) []TermID {
	if o.orders == nil { // not all values are known yet
		return o.valuesOf(class, property)
	}
	key := [2]TermID{class, property}
	known, ok := o.had.Load(key)
	if !ok {
		known, _ = o.had.LoadOrStore(key, o.valuesOf(class, property))
	}
	return slices.Clone(known.([]TermID))
}

func (o *Ontology) valuesOf(class, property TermID) []TermID {
	var out []TermID
	o.eachValue(class, property, func(v value) {
		if v.term >= 0 && !slices.Contains(out, v.term) {
			out = append(out, v.term)
		}
	})
	return out
}

// terms are the values of a property of the vocabulary.
func (o *Ontology) terms(class TermID, property string) []TermID {
	return o.ValuesOf(class, o.Term(property))
}

// text is the first literal value of a property for a term or its superclasses.
func (o *Ontology) text(t TermID, property string) (string, bool) {
	var out string
	found := false
	o.eachValue(t, o.Term(property), func(v value) {
		if !found && v.term < 0 {
			out, found = v.text, true
		}
	})
	return out, found
}

func (o *Ontology) eachValue(t, property TermID, yield func(value)) {
	if property < 0 || t < 0 {
		return
	}
	visit := func(c TermID) {
		for _, v := range o.values[c] {
			if o.IsSub(v.property, property) {
				yield(v)
			}
		}
	}
	visit(t)
	for _, c := range o.order(t) {
		if c != t {
			visit(c)
		}
	}
}

// order lists the superclasses of a class, nearest first. It must not be changed.
func (o *Ontology) order(class TermID) []TermID {
	if class < 0 {
		return nil
	}
	if o.orders == nil { // not all classes are known yet
		return o.supers(class)
	}
	return kept(&o.orders[class], func() []TermID { return o.supers(class) })
}

// kept is what was found before, else what is found now and kept.
func kept(known *atomic.Pointer[[]TermID], find func() []TermID) []TermID {
	if list := known.Load(); list != nil {
		return *list
	}
	found := find()
	known.Store(&found)
	return found
}

// supers finds the superclasses of a class, nearest first.
func (o *Ontology) supers(class TermID) []TermID {
	queue := []TermID{class}
	var among map[TermID]bool // where there are many
	add := func(c TermID) {
		switch {
		case len(queue) == fewClasses && among == nil:
			among = map[TermID]bool{}
			for _, q := range queue {
				among[q] = true
			}
			fallthrough
		case among != nil:
			if !among[c] {
				among[c], queue = true, append(queue, c)
			}
		case !slices.Contains(queue, c):
			queue = append(queue, c)
		}
	}
	for i := 0; i < len(queue); i++ {
		c := queue[i]
		if r := o.canonical[c]; r != c {
			add(r)
		}
		for _, s := range o.Terms[c].Supers {
			add(s)
		}
	}
	return queue
}

// fewClasses is how many are looked through rather than looked up.
const fewClasses = 32

// DefaultStates are the states that an instance of a class is assumed to be in until
// something tells otherwise; of two that exclude each other the first counts.
func (o *Ontology) DefaultStates(class TermID) []TermID { return o.terms(class, "defaultState") }

// DefaultsOfProperties are the states that what has a physical property is in where
// its class says nothing, by property in document order: what can be opened is closed.
func (o *Ontology) DefaultsOfProperties() []PropertyDefault { return o.ofProperties("defaultState") }

// ofProperties lists the states that physical properties have as values of a property.
func (o *Ontology) ofProperties(property string) []PropertyDefault {
	known, ok := o.ofProperty.Load(property)
	if !ok {
		known, _ = o.ofProperty.LoadOrStore(property, o.readOfProperties(property))
	}
	return slices.Clone(known.([]PropertyDefault))
}

func (o *Ontology) readOfProperties(property string) []PropertyDefault {
	var out []PropertyDefault
	for i := range o.Terms {
		if !o.HasType(TermID(i), o.Core.PhysicalProperty) {
			continue
		}
		for _, st := range o.terms(TermID(i), property) {
			out = append(out, PropertyDefault{TermID(i), st})
		}
	}
	return out
}

// PropertyDefault is the state that what has a physical property is in, or usually is.
type PropertyDefault struct{ Property, State TermID }

// KeptIn are the classes of where instances of a class are looked for first, the likeliest
// first.
func (o *Ontology) KeptIn(class TermID) []TermID { return o.terms(class, "keptIn") }

// PartOf are the classes of what things of a class are parts of, as burners are of stoves.
func (o *Ontology) PartOf(class TermID) []TermID { return o.terms(class, "partOf") }

// Forms are the classes of what actions leave of an instance of a class that they end.
func (o *Ontology) Forms(class TermID) []TermID { return o.terms(class, "form") }

// IsForm reports whether a class is what an action leaves of another.
func (o *Ontology) IsForm(class TermID) bool { return len(o.wholes[class]) > 0 }

// Wholes are the classes that a class is a form of.
func (o *Ontology) Wholes(class TermID) []TermID { return slices.Clone(o.wholes[class]) }

// WholesOfPieces are the classes of what leaves objects of a class, each by the one that
// stands for its equivalents. They must not be changed.
func (o *Ontology) WholesOfPieces(class TermID) []TermID { return o.wholesOfPieces[class] }

// readForms finds the wholes of each form.
func (b *builder) readForms() {
	o := b.o
	o.wholes, o.wholesOfPieces = map[TermID][]TermID{}, map[TermID][]TermID{}
	for i := range o.Terms {
		whole := TermID(i)
		if o.Canonical(whole) != whole {
			continue
		}
		for _, form := range o.Forms(whole) {
			if piece := o.Canonical(form); !slices.Contains(o.wholesOfPieces[piece], whole) {
				o.wholesOfPieces[piece] = append(o.wholesOfPieces[piece], whole)
			}
		}
	}
	for _, c := range o.Subclasses(o.Core.PhysicalObject) {
		for _, form := range o.Forms(c) {
			if !slices.Contains(o.wholes[form], c) {
				o.wholes[form] = append(o.wholes[form], c)
			}
		}
	}
}

// TakesForm reports whether an object that a log shows in a state is meant in another
// form than its class: a sliced bread is a bread slice.
func (o *Ontology) TakesForm(state TermID) bool { return len(o.terms(state, "takesForm")) > 0 }

// FormsIn are the forms that an instance of a class is meant in where a log shows it
// in a state.
func (o *Ontology) FormsIn(class, state TermID) []TermID {
	var out []TermID
	for _, property := range o.terms(state, "takesForm") {
		out = append(out, o.ValuesOf(class, property)...)
	}
	return out
}

// Accepts are the classes of what a selective receptacle takes.
func (o *Ontology) Accepts(class TermID) []TermID { return o.terms(class, "accepts") }

// Ingredients are the classes of food in a food.
func (o *Ontology) Ingredients(class TermID) []TermID { return o.terms(class, "contains") }

// Liquids are the classes of what an object in a state holds.
func (o *Ontology) Liquids(state TermID) []TermID { return o.terms(state, "liquid") }

// IsLiquid reports whether a class is one of what an object in some state holds.
func (o *Ontology) IsLiquid(class TermID) bool {
	for _, l := range o.Filled() {
		if o.IsA(class, l) {
			return true
		}
	}
	return false
}

// Filled visits the states of what holds something, in order, each with every class of what
// it holds.
func (o *Ontology) Filled() iter.Seq2[TermID, TermID] {
	o.filling.Do(func() {
		for i := range o.Terms {
			for _, l := range o.Liquids(TermID(i)) {
				o.filled = append(o.filled, [2]TermID{TermID(i), l})
			}
		}
	})
	return func(yield func(state, liquid TermID) bool) {
		for _, f := range o.filled {
			if !yield(f[0], f[1]) {
				return
			}
		}
	}
}

// PropertiesOf are the physical properties that a class or a material names itself.
func (o *Ontology) PropertiesOf(t TermID) []TermID { return o.terms(t, "hasProperty") }

// SoundSources are the classes of what makes a sound; anything may where there is none.
func (o *Ontology) SoundSources(sound TermID) []TermID { return o.terms(sound, "soundOf") }

// IsSoundOf reports whether a sound is that of an action.
func (o *Ontology) IsSoundOf(sound TermID, a *ActionSchema) bool {
	return slices.ContainsFunc(o.terms(sound, "soundOfAction"), func(c TermID) bool { return o.IsA(a.Term, c) })
}

// IsSoundOfState reports whether a sound is that of what enters a state.
func (o *Ontology) IsSoundOfState(sound, state TermID) bool {
	return slices.Contains(o.terms(sound, "soundOfState"), state)
}

// LooselyNamed is the narrowest group of a class whose things go by the names of others of it, or None.
func (o *Ontology) LooselyNamed(class TermID) TermID {
	if class < 0 {
		return None
	}
	for _, group := range o.Terms[class].Supers {
		if o.says(group, "looselyNamed") {
			return group
		}
	}
	return None
}

// SoundMaterials are the materials of what makes a sound; any where there is none.
func (o *Ontology) SoundMaterials(sound TermID) []TermID { return o.terms(sound, "soundOfMaterial") }

// InAnyScene reports whether there is an instance of a class wherever a plan is
// carried out.
func (o *Ontology) InAnyScene(class TermID) bool { return o.says(class, "inAnyScene") }

// InMostScenes reports whether a plan may reckon with an instance of a class although
// nobody has seen one.
func (o *Ontology) InMostScenes(class TermID) bool { return o.says(class, "inMostScenes") }

// PlaceNames are what a thing of a class is called where something is brought to it, and not
// else: the trash.
func (o *Ontology) PlaceNames(class TermID) []string { return o.said(class, "placeName") }

// Nicknames are what people also call a thing of a class, where nothing else there is called so: the
// brolly. Logs are read by them where no label says as much, goals are not.
func (o *Ontology) Nicknames(class TermID) []string { return o.said(class, "nickname") }

// PlaceVerbs are the verbs that by themselves say that something is brought to a thing of a class:
// to bin.
func (o *Ontology) PlaceVerbs(class TermID) []string { return o.said(class, "placeVerb") }

// said are the texts of a property of a class.
func (o *Ontology) said(class TermID, property string) []string {
	var out []string
	o.eachValue(class, o.Term(property), func(v value) {
		if v.term < 0 {
			out = append(out, v.text)
		}
	})
	return out
}

// GivesOut are the liquids that run from a thing of a class while it is on.
func (o *Ontology) GivesOut(class TermID) []TermID { return o.terms(class, "givesOut") }

// JointFraction is how far a joint has moved in a state, from 0 to 1; false for states
// that are no end of a joint.
func (o *Ontology) JointFraction(state TermID) (float64, bool) {
	text, ok := o.text(state, "jointFraction")
	if !ok {
		return 0, false
	}
	f, err := strconv.ParseFloat(text, 64)
	return f, err == nil && f >= 0 && f <= 1
}

func (o *Ontology) says(t TermID, property string) bool {
	text, _ := o.text(t, property)
	return text == "true"
}

// Sets reports whether an action makes its target be in a state.
func (o *Ontology) Sets(a *ActionSchema, state TermID) bool {
	return state != None && slices.ContainsFunc(a.Effects, func(e Effect) bool {
		return slices.ContainsFunc(e.Then, func(p Pattern) bool {
			return p.Predicate == o.Core.State && p.Subject.Var == VarTarget && p.Object.Term == state
		})
	})
}

// PlaceRelation is the relation that logs write for what stands at a place of a class:
// on top of it, where another action than the one that plays the role is preferred for
// putting something there, else inside.
func (o *Ontology) PlaceRelation(class TermID) TermID {
	if put := o.Roles.Place; put != nil && o.Preferred(put, class) != put {
		return o.Core.OnTopOf
	}
	return o.Core.Inside
}

// RelationTo is what a relation of a thing of one class, None where it is not known, to one of another
// comes to: what stands below the outlet of a coffee machine is in it, what is attached to a gripper is
// held, and what can be carried and is attached to what cannot is on that.
func (o *Ontology) RelationTo(relation, subject, class TermID) TermID {
	if o.Persistent(relation) && class != None && (o.IsA(class, o.Core.RobotGripper) || o.IsA(class, o.Core.Robot)) {
		return o.Core.Inside
	}
	if relation == o.Roles.Attached && relation != None && class != None &&
		o.HasProperty(subject, o.Roles.Movable) && !o.HasProperty(class, o.Roles.Movable) {
		return o.Core.OnTopOf
	}
	if relation == o.Roles.Below && relation != None && class != None && o.HasProperty(class, o.Roles.LoadedBelow) {
		return o.Core.Inside
	}
	return relation
}

// Narrowest is the first of some terms below which none of the others is: who sees a thing "on"
// another means on top of it, and not just at its place. None where there are none.
func (o *Ontology) Narrowest(terms []TermID) TermID {
	out := None
	for _, t := range terms {
		if out == None || t != out && o.IsSub(t, out) {
			out = t
		}
	}
	return out
}

// AlfredAction is the action that an interaction of ALFRED is.
func (o *Ontology) AlfredAction(interaction string) (*ActionSchema, bool) {
	for _, a := range o.Actions {
		if a.AlfredName == interaction && interaction != "" {
			return a, true
		}
	}
	return nil, false
}

// AlfredDirtyAndEmpty are the states of what has a property in scenes that ALFRED calls
// dirty and empty.
func (o *Ontology) AlfredDirtyAndEmpty() []PropertyDefault {
	return o.ofProperties("alfredDirtyAndEmpty")
}
