// Package ontology holds what mishap knows before it reads a log: classes of
// objects and what can be done with them, actions with preconditions and
// effects, sounds, failures, recovery strategies, people and tasks. It is read
// from Turtle and RDF/XML files, closed under RDFS and the OWL constructs the
// files use, and immutable afterwards, so goroutines may share it.
package ontology

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/mishap-robotics/mishap/ontology/document"
)

// Namespace is the namespace of mishap's own terms.
const Namespace = "https://mishap-robotics.github.io/ontology#"

// TermID is a term of one loaded ontology. IDs are dense and start at 0.
type TermID int32

// None is the absence of a term.
const None TermID = -1

// Term is a class, an individual or a property.
type Term struct {
	Name    string // local name of the IRI: the name in rules and logs
	IRI     string
	Labels  []string
	Comment string
	Pos     Pos      // where it is declared
	Types   []TermID // asserted rdf:type
	Supers  []TermID // asserted rdfs:subClassOf, for classes
	IsClass bool
}

// Label is the first label, else the name.
func (t *Term) Label() string {
	if len(t.Labels) > 0 {
		return t.Labels[0]
	}
	return t.Name
}

// Core holds the terms of the language that ontologies are written in. Those that
// are an ontology's own are in Roles; Robot, Human, RobotGripper and Floor are
// played too, and the last may be None.
type Core struct {
	Type, State, HasProperty, HasRoom, Differs, Implies, ReplacedBy, Accepts TermID
	Inside, OnTopOf, LocatedAt, Within, Near, Occluding                      TermID
	PhysicalObject, Agent, Robot, Human, RobotGripper, Sound, Failure        TermID
	SensorEvent                                                              TermID
	StateClass, Relation, Action, ObjectGroup, Material, Floor               TermID
	PhysicalProperty, NamedByTask, Quantity                                  TermID
	// Tuple is the class of tuples, and TupleParts are the relations to what is in one.
	Tuple      TermID
	TupleParts [3]TermID
}

// Ontology is a loaded, closed ontology.
type Ontology struct {
	Terms      []Term
	Core       Core
	Roles      Roles
	Actions    []*ActionSchema
	Processes  []*Process
	Tasks      []*Task
	Strategies []*Strategy // ascending order
	GoalNorms  []*GoalNorm
	Contacts   []*Contact
	Quantities []*Quantity // what is measured, in document order
	// Only simulation documents have these; the reasoner loads none.
	Simulation SimulationRoles
	Zones      []*Zone
	Injections []*Injection
	Scenarios  []*Scenario

	sources    []document.Document // that it was read from
	domains    []string            // of problems
	quantityOf []int32             // by term: its place in Quantities from 1, 0 for none
	byName     map[string]TermID
	byLabel    map[string][]TermID
	byCompound map[string]string // labels of one or two words by themselves without a space
	compounds  sync.Once
	byNickname map[string][]TermID
	nicknames  sync.Once
	levels     map[string]int // of files: a label means a term of the highest
	// actionsCalled has what actions are called, as normalizeLabel writes it.
	actionsCalled map[string][]*ActionSchema
	inverted      map[string]TermID   // relations by what names them from their object
	canonical     []TermID            // representative of owl:equivalentClass groups
	ancestors     []bitset            // of classes, itself included
	subProps      []bitset            // of properties, itself included: ancestors
	values        [][]value           // own values by term, in document order
	wholes        map[TermID][]TermID // classes by the forms that actions leave of them
	// the same, of each class only the one that stands for its equivalents
	wholesOfPieces map[TermID][]TermID
	inherited      []bitset // of classes: hasProperty individuals
	ofMaterial     []bool
	capacity       []int32    // of classes; -1 is unlimited
	dimension      []TermID   // of states: the class whose values exclude one another
	implied        [][]TermID // of states: what they imply, transitively
	opposite       []TermID
	transitive     []bool
	symmetric      []bool
	inverse        []TermID
	persistent     []bool
	told           map[TermID]string
	functional     []bool
	kinds          []bool // of relations with subproperties
	view           []bool
	spatial        []SpatialRelation
	failures       []failureKind // by term
	planFaults     map[string]TermID
	selections     map[string][]TermID
	needing        map[TermID][]string // verbs of tasks, by class of what they are done with
	otherHand      map[TermID]TermID
	orderedBy      map[string]TermID // states, by verb
	explained      map[TermID][]string
	forewarned     map[TermID][]string
	ordinals       map[string]int
	cardinals      map[string]int
	timeUnits      map[string]int              // seconds
	words          map[WordKind]map[string]int // the place of each among those of its kind, from 1
	avoided        map[TermID][]TermID
	aftermaths     map[TermID][]Aftermath // of failures and sounds, their own
	disjoint       [][2]TermID
	timed          bool // some process takes its time
	measured       bool // some process rests on a measurement
	triples        []triple

	builtIn bool // it is Default
	filling sync.Once
	filled  [][2]TermID                // states with what is held; once filling is done
	hinted  sync.Map                   // names by the kind of term that one may have been meant for
	orders  []atomic.Pointer[[]TermID] // of superclasses, once they were asked for
	below   []atomic.Pointer[[]TermID] // subclasses, likewise
	had     sync.Map                   // what terms have of properties, likewise
	// what physical properties have of properties, by the name of those, likewise
	ofProperty sync.Map
}

type value struct {
	property TermID
	term     TermID // None for literals
	text     string
	pos      Pos
}

// Lookup finds a term by name.
func (o *Ontology) Lookup(name string) (TermID, bool) {
	id, ok := o.byName[name]
	return id, ok
}

// Term is the term of a name, None where there is none.
func (o *Ontology) Term(name string) TermID {
	if id, ok := o.byName[name]; ok {
		return id
	}
	return None
}

// Name is the name of a term.
func (o *Ontology) Name(t TermID) string {
	if t < 0 || int(t) >= len(o.Terms) {
		return ""
	}
	return o.Terms[t].Name
}

// Label is the first label of a term, else its name; "" for None.
func (o *Ontology) Label(t TermID) string {
	if t < 0 || int(t) >= len(o.Terms) {
		return ""
	}
	return o.Terms[t].Label()
}

// ByLabel lists the terms of a kind (a class; its subclasses and individuals
// count) that carry a label or name in natural language. Case and spacing do
// not matter.
func (o *Ontology) ByLabel(label string, kind TermID) []TermID {
	var out []TermID
	for _, t := range o.byLabel[normalizeLabel(label)] {
		if o.IsA(t, kind) || o.HasType(t, kind) {
			out = append(out, t)
		}
	}
	// A name is meant before a label, but not before one of a pack above.
	if own, ok := o.byName[label]; ok && len(out) > 0 && o.level(own) >= o.level(out[0]) {
		if i := slices.Index(out, own); i > 0 {
			out = slices.Insert(slices.Delete(out, i, i+1), 0, own)
		}
	}
	return out
}

// ClassCalled is the class of some kinds with a name, else with a label, of the first kind that has
// one; None where there is none.
func (o *Ontology) ClassCalled(name string, kinds ...TermID) TermID {
	if id, ok := o.Lookup(name); ok && slices.ContainsFunc(kinds, func(kind TermID) bool { return o.IsA(id, kind) }) {
		return id
	}
	for _, kind := range kinds {
		if ids := o.ByLabel(name, kind); len(ids) > 0 {
			return ids[0]
		}
	}
	return None
}

// ByCompound is ByLabel for a name that is written in one word where a label has two, or in two
// where it has one: "dish washer", "washingmachine".
func (o *Ontology) ByCompound(name string, kind TermID) []TermID {
	o.compounds.Do(func() {
		o.byCompound = map[string]string{}
		for _, l := range slices.Sorted(maps.Keys(o.byLabel)) {
			if joined := strings.ReplaceAll(l, " ", ""); strings.Count(l, " ") <= 1 && o.byCompound[joined] == "" {
				o.byCompound[joined] = l
			}
		}
	})
	if l := o.byCompound[inOneWord(name)]; l != "" {
		return o.ByLabel(l, kind)
	}
	return nil
}

// ByNickname lists the classes with a nickname, in one word or several, without those below another
// of them: more than one where people call several kinds of things so.
func (o *Ontology) ByNickname(name string) []TermID {
	o.nicknames.Do(func() {
		o.byNickname = map[string][]TermID{}
		for _, c := range o.Subclasses(o.Core.PhysicalObject) {
			for _, n := range o.Nicknames(c) {
				n = inOneWord(n)
				if !slices.ContainsFunc(o.byNickname[n], func(id TermID) bool { return o.IsA(c, id) }) {
					o.byNickname[n] = append(slices.DeleteFunc(o.byNickname[n], func(id TermID) bool { return o.IsA(id, c) }), c)
				}
			}
		}
	})
	return o.byNickname[inOneWord(name)]
}

// inOneWord is a label without what stands between its words.
func inOneWord(label string) string { return strings.ReplaceAll(normalizeLabel(label), " ", "") }

// level is how many packs lie below that of a term, 0 where there are none.
func (o *Ontology) level(t TermID) int { return o.levels[o.Terms[t].Pos.File] }

// Judging is the ontology for problems of some domains, whose plans readers take in. It is to
// be called before the ontology is shared.
func (o *Ontology) Judging(domains []string) *Ontology {
	o.domains = slices.Clone(domains)
	return o
}

// Domains lists the domains of problems whose plans are judged, by the names that files of
// problems write.
func (o *Ontology) Domains() []string { return slices.Clone(o.domains) }

// Labels lists every label of the terms of a kind, longest first, so that a
// reader of natural language can try them in turn.
func (o *Ontology) Labels(kind TermID) []string {
	var out []string
	for l, ts := range o.byLabel {
		if slices.ContainsFunc(ts, func(t TermID) bool { return o.IsA(t, kind) || o.HasType(t, kind) }) {
			out = append(out, l)
		}
	}
	slices.SortFunc(out, func(a, b string) int {
		return cmp.Or(cmp.Compare(len(b), len(a)), cmp.Compare(a, b))
	})
	return out
}

// RelationLabels are the labels of relations, also those that name them from their object
// ("behind"), the longest first.
func (o *Ontology) RelationLabels() []string {
	out := slices.AppendSeq(o.Labels(o.Core.Relation), maps.Keys(o.inverted))
	slices.SortFunc(out, func(a, b string) int {
		return cmp.Or(cmp.Compare(len(b), len(a)), cmp.Compare(a, b))
	})
	return slices.Compact(out)
}

// Ordinal is the number a word such as "fourth" stands for.
func (o *Ontology) Ordinal(word string) (int, bool) {
	n, ok := o.ordinals[strings.ToLower(word)]
	return n, ok
}

// OrdinalWord is the word for a number, "" where the ontology has none.
func (o *Ontology) OrdinalWord(n int) string {
	for i := range o.Terms {
		if m, ok := o.ordinals[o.Terms[i].Name]; ok && m == n {
			return o.Terms[i].Label()
		}
	}
	return ""
}

// Canonical is the representative of a class among its equivalent classes.
func (o *Ontology) Canonical(t TermID) TermID {
	if t < 0 {
		return t
	}
	return o.canonical[t]
}

// IsA reports whether class a is b or one of its subclasses.
func (o *Ontology) IsA(a, b TermID) bool {
	if a < 0 || b < 0 {
		return false
	}
	return o.ancestors[o.canonical[a]].has(o.canonical[b])
}

// HasType reports whether an individual is a member of a class.
func (o *Ontology) HasType(individual, class TermID) bool {
	if individual < 0 || class < 0 {
		return false
	}
	return slices.ContainsFunc(o.Terms[individual].Types, func(t TermID) bool { return o.IsA(t, class) })
}

// IsSub reports whether property a is b or one of its subproperties.
func (o *Ontology) IsSub(a, b TermID) bool { return a >= 0 && b >= 0 && o.subProps[a].has(b) }

// Transitive reports whether a relation is transitive.
func (o *Ontology) Transitive(relation TermID) bool { return o.transitive[relation] }

// Symmetric reports whether a relation is symmetric.
func (o *Ontology) Symmetric(relation TermID) bool { return o.symmetric[relation] }

// ByInverseLabel is the relation that a label names where its object comes first, as
// "contains" names inside; None where there is none.
func (o *Ontology) ByInverseLabel(label string) TermID {
	if id, ok := o.inverted[normalizeLabel(label)]; ok {
		return id
	}
	return None
}

// Inverse is the inverse of a relation, or None.
func (o *Ontology) Inverse(relation TermID) TermID { return o.inverse[relation] }

// Persistent reports whether a relation lasts: it is believed and carried like a state until
// an effect ends it or an observation contradicts it.
func (o *Ontology) Persistent(relation TermID) bool { return relation >= 0 && o.persistent[relation] }

// ConditionName is the name by which rules are told that a state or relation is missing: its
// own, or what m:conditionName says.
func (o *Ontology) ConditionName(term TermID) string {
	if name, ok := o.told[term]; ok {
		return name
	}
	return o.Name(term)
}

// Strict reports whether a plan stops at an action that cannot be carried out, of one at
// least.
func (o *Ontology) Strict() bool {
	return slices.ContainsFunc(o.Actions, func(a *ActionSchema) bool { return a.Strict })
}

// HasKinds reports whether a relation has subproperties.
func (o *Ontology) HasKinds(relation TermID) bool { return o.kinds[relation] }

// Functional reports whether a thing has a relation to one other thing at most.
func (o *Ontology) Functional(relation TermID) bool { return o.functional[relation] }

// ViewDependent reports whether a relation changes with the camera.
func (o *Ontology) ViewDependent(relation TermID) bool { return o.view[relation] }

// HasProperty reports whether a class has a physical property or material,
// its own or a superclass's.
func (o *Ontology) HasProperty(class, property TermID) bool {
	return class >= 0 && property >= 0 && o.inherited[o.canonical[class]].has(property)
}

// OfMaterial reports whether a property is a material or depends on it.
func (o *Ontology) OfMaterial(property TermID) bool { return property >= 0 && o.ofMaterial[property] }

// Capacity is how many bulky objects an instance of the class holds, and
// whether that is limited.
func (o *Ontology) Capacity(class TermID) (int, bool) {
	if class < 0 {
		return 0, false
	}
	n := o.capacity[o.canonical[class]]
	return int(n), n >= 0
}

// Dimension is the class of states that exclude one another to which a state
// belongs, or None for a term that is no state.
func (o *Ontology) Dimension(state TermID) TermID {
	if state < 0 {
		return None
	}
	return o.dimension[state]
}

// StateIs reports whether an object known to be in one state is, by that, in
// another (+1), cannot be (-1), or may be (0).
func (o *Ontology) StateIs(known, asked TermID) int {
	switch {
	case known < 0 || asked < 0:
		return 0
	case known == asked || slices.Contains(o.implied[known], asked):
		return 1
	case o.dimension[known] != o.dimension[asked]:
		return 0
	case slices.Contains(o.implied[asked], known):
		return 0
	}
	return -1
}

// Implied lists the states a state implies, itself not included.
func (o *Ontology) Implied(state TermID) []TermID {
	if state < 0 {
		return nil
	}
	return o.implied[state]
}

// Opposite is the state meant when this one is denied, or None.
func (o *Ontology) Opposite(state TermID) TermID {
	if state < 0 {
		return None
	}
	return o.opposite[state]
}

// Avoids lists the classes of food that a class of people must not be served.
func (o *Ontology) Avoids(person TermID) []TermID { return o.avoided[person] }

// Explanations lists the sentence templates of a failure class, those of its
// superclasses where it has none of its own.
func (o *Ontology) Explanations(failure TermID) []string {
	for _, c := range o.order(failure) {
		if texts := o.explained[c]; len(texts) > 0 {
			return texts
		}
	}
	return nil
}

// ForeseenExplanations lists the sentence templates of a failure class for a failure that
// is still to come: those of the class or the superclass nearest to it that has
// any, else its explanations.
func (o *Ontology) ForeseenExplanations(failure TermID) []string {
	for _, c := range o.order(failure) {
		if texts := o.forewarned[c]; len(texts) > 0 {
			return texts
		}
		if texts := o.explained[c]; len(texts) > 0 {
			return texts
		}
	}
	return nil
}

// DefaultRank is the rank of a failure class where neither it nor a superclass
// has one.
const DefaultRank = 100

// Rank orders failure classes that explain one incident; higher wins.
func (o *Ontology) Rank(failure TermID) int {
	text, _ := o.text(failure, "rank")
	if n, err := strconv.Atoi(text); err == nil {
		return n
	}
	return DefaultRank
}

// Subclasses lists the strict subclasses of a class, in document order.
func (o *Ontology) Subclasses(class TermID) []TermID {
	switch {
	case class < 0:
		return nil
	case o.below == nil: // not all classes are known yet
		return o.subclasses(class)
	}
	return slices.Clone(kept(&o.below[class], func() []TermID { return o.subclasses(class) }))
}

func (o *Ontology) subclasses(class TermID) []TermID {
	var out []TermID
	for i := range o.Terms {
		if t := TermID(i); o.Terms[i].IsClass && o.IsA(t, class) && o.canonical[t] != o.canonical[class] {
			out = append(out, t)
		}
	}
	return out
}

// Preferred is the action to advise of the family of one where the destination
// is of a class.
func (o *Ontology) Preferred(a *ActionSchema, destination TermID) *ActionSchema {
	var first *ActionSchema
	for _, b := range o.Actions {
		if b.Family != a.Family {
			continue
		}
		if slices.ContainsFunc(o.terms(b.Term, "preferredFor"), func(c TermID) bool { return o.IsA(destination, c) }) {
			return b
		}
		if first == nil {
			first = b
		}
	}
	return first
}

// IsNavigation reports whether an action brings an agent near its target.
func (o *Ontology) IsNavigation(a *ActionSchema) bool {
	return slices.ContainsFunc(a.Effects, func(e Effect) bool {
		return slices.ContainsFunc(e.Then, func(p Pattern) bool { return p.Predicate == o.Core.Near && p.Subject.Var == VarAgent })
	})
}

// MayBeTarget reports whether things of a class have the properties that an action asks of its
// target, and can be moved by one that puts it somewhere.
func (o *Ontology) MayBeTarget(a *ActionSchema, class TermID) bool {
	if movable := o.Roles.Movable; a.Params > 1 && movable != None && !o.HasProperty(class, movable) {
		return false
	}
	return o.hasRequired(a, VarTarget, class)
}

// MayBeDestination reports whether an agent of a class has the properties that an action asks of
// its destination: nothing is put in a person. Of things it is not asked.
func (o *Ontology) MayBeDestination(a *ActionSchema, class TermID) bool {
	return !o.IsA(class, o.Core.Agent) || o.hasRequired(a, VarDestination, class)
}

// hasRequired reports whether things of a class have the properties that an action always asks of a
// parameter.
func (o *Ontology) hasRequired(a *ActionSchema, parameter int, class TermID) bool {
	for _, c := range a.Preconditions {
		for _, q := range c.Requires {
			if len(c.When) == 0 && q.Predicate == o.Core.HasProperty && q.Subject.Var == parameter && !q.Object.IsVar() && !o.HasProperty(class, q.Object.Term) {
				return false
			}
		}
	}
	return true
}

// SetsBeside reports whether an action brings its target near something, in place of in or
// on it.
func (o *Ontology) SetsBeside(a *ActionSchema) bool {
	return slices.ContainsFunc(a.Effects, func(e Effect) bool {
		return slices.ContainsFunc(e.Then, func(p Pattern) bool { return p.Predicate == o.Core.Near && p.Subject.Var == VarTarget })
	})
}

// Action finds an action by the name plans use, by a label, or by what else it is called,
// "PutInto" as well as "put into".
func (o *Ontology) Action(name string) (*ActionSchema, bool) {
	if a, ok := o.actionNamed(name); ok {
		return a, true
	}
	if called := o.actionsCalled[splitCamel(name)]; len(called) > 0 {
		return called[0], true
	}
	return nil, false
}

// ActionTaking is Action, but of several that are called so it is one that takes as many
// arguments, where there is one: what is put down is let go of, and what is put down on
// something is put there.
func (o *Ontology) ActionTaking(name string, arguments int) (*ActionSchema, bool) {
	return o.ActionOn(name, arguments, None)
}

// ActionOn is ActionTaking, but of those it is one that can be done to things of a class, None
// where that is not known, if such hold nothing and are no part of anything: what is in a basket is
// tipped out, and so is a sock, and a button is pressed for what it is on.
func (o *Ontology) ActionOn(name string, arguments int, target TermID) (*ActionSchema, bool) {
	a, ok := o.Action(name)
	if !ok {
		return nil, false
	}
	anything := target == None || o.HasProperty(target, o.Roles.Receptacle) || o.HasProperty(target, o.Roles.Fastened)
	var first *ActionSchema // that takes as many
	for _, other := range append([]*ActionSchema{a}, o.actionsCalled[splitCamel(name)]...) {
		if !other.takes(arguments) {
			continue
		}
		if anything || o.MayBeTarget(other, target) {
			return other, true
		}
		first = cmp.Or(first, other)
	}
	return cmp.Or(first, a), true
}

// takes reports whether an action may have as many arguments.
func (a *ActionSchema) takes(arguments int) bool {
	return arguments >= a.Required && arguments <= a.Params
}

// actionNamed finds an action by a name or a label.
func (o *Ontology) actionNamed(name string) (*ActionSchema, bool) {
	for _, a := range o.Actions {
		if a.isNamed(name) {
			return a, true
		}
	}
	want := normalizeLabel(name)
	for _, a := range o.Actions {
		for _, l := range o.Terms[a.Term].Labels {
			if normalizeLabel(l) == want {
				return a, true
			}
		}
	}
	return nil, false
}

// callActions notes what actions are called in any spelling. What two have in common means
// the first, unless the number of arguments tells.
func (o *Ontology) callActions() {
	o.actionsCalled = map[string][]*ActionSchema{}
	for _, of := range []func(a *ActionSchema) []string{
		func(a *ActionSchema) []string { return append([]string{a.Name}, a.OtherNames...) },
		func(a *ActionSchema) []string { return o.Terms[a.Term].Labels },
		func(a *ActionSchema) []string { return a.Synonyms },
	} {
		for _, a := range o.Actions {
			for _, name := range of(a) {
				if name = normalizeLabel(name); !slices.Contains(o.actionsCalled[name], a) {
					o.actionsCalled[name] = append(o.actionsCalled[name], a)
				}
			}
		}
	}
}

// Task finds a task by name or label.
func (o *Ontology) Task(name string) (*Task, bool) {
	want := normalizeLabel(name)
	for _, t := range o.Tasks {
		if t.Name == name {
			return t, true
		}
		for _, l := range o.Terms[t.Term].Labels {
			if normalizeLabel(l) == want {
				return t, true
			}
		}
	}
	return nil, false
}

// StrategiesFor lists the strategies of a failure class and its superclasses,
// the most specific class first, each in ascending order.
func (o *Ontology) StrategiesFor(failure TermID) []*Strategy {
	var out []*Strategy
	for _, c := range o.order(failure) {
		for _, s := range o.Strategies {
			except := func(e TermID) bool { return o.IsA(failure, e) }
			if slices.Contains(s.Recovers, c) && !slices.Contains(out, s) && !slices.ContainsFunc(o.terms(s.Term, "exceptFor"), except) {
				out = append(out, s)
			}
		}
	}
	return out
}

// Aftermath lists what a failure or a sound of a class leaves behind: what the most
// specific class says that says anything.
func (o *Ontology) Aftermath(class TermID) []Aftermath {
	for _, c := range o.order(class) {
		if own := o.aftermaths[c]; len(own) > 0 {
			return own
		}
	}
	return nil
}

// Inferred reports whether no camera shows the states of a class: they are worked out
// from what happened.
func (o *Ontology) Inferred(dimension TermID) bool {
	text, _ := o.text(dimension, "inferred")
	return dimension != None && text == "true"
}

// Needed lists the classes of what verbs of tasks are done with, in the order of terms.
func (o *Ontology) Needed() []TermID { return slices.Sorted(maps.Keys(o.needing)) }

// NeedingVerbs are the verbs of tasks that are done with things of a class.
func (o *Ontology) NeedingVerbs(class TermID) []string { return o.needing[class] }

// OtherHand is the class of the hand that a robot has beside one of a class, None where none is told.
func (o *Ontology) OtherHand(class TermID) TermID {
	if other, ok := o.otherHand[class]; ok {
		return other
	}
	return None
}

// OrderedBy is the state that a task asks for with a verb, None where there is none.
func (o *Ontology) OrderedBy(verb string) TermID {
	if st, ok := o.orderedBy[verb]; ok {
		return st
	}
	return None
}

// IsNeeded reports whether things of a class are what some verb of a task is done with.
func (o *Ontology) IsNeeded(class TermID) bool {
	for c := range o.needing {
		if o.IsA(class, c) {
			return true
		}
	}
	return false
}

// Lasting reports whether no action and no process takes an object out of a state or into
// it, as its colour.
func (o *Ontology) Lasting(state TermID) bool {
	dimension := o.Dimension(state)
	sets := func(ps []Pattern) bool {
		return slices.ContainsFunc(ps, func(p Pattern) bool {
			return p.Predicate == o.Core.State && !p.Object.IsVar() && o.Dimension(p.Object.Term) == dimension
		})
	}
	for _, a := range o.Actions {
		for i := range a.Effects {
			if sets(a.Effects[i].Then) || sets(a.Effects[i].Ends) {
				return false
			}
		}
	}
	return !slices.ContainsFunc(o.Processes, func(p *Process) bool { return sets(p.Then) || sets(p.Ends) })
}

// IsMadeSo reports whether some action on a thing, or some process, brings a state about, as
// none makes a cup dirty.
func (o *Ontology) IsMadeSo(state TermID) bool {
	is := func(p Pattern) bool {
		return p.Predicate == o.Core.State && !p.Object.IsVar() && o.StateIs(p.Object.Term, state) > 0
	}
	for _, a := range o.Actions {
		for i := range a.Effects {
			if slices.ContainsFunc(a.Effects[i].Then, func(p Pattern) bool { return p.Subject.Var == VarTarget && is(p) }) {
				return true
			}
		}
	}
	return slices.ContainsFunc(o.Processes, func(p *Process) bool { return slices.ContainsFunc(p.Then, is) })
}

// longestLabel is how long a text may be that is compared with labels whatever its case and
// spacing, in bytes: no label is longer.
const longestLabel = 16 << 10

// normalizeLabel folds case, spacing, underscores and hyphens.
func normalizeLabel(s string) string {
	if len(s) > longestLabel || isNormal(s) {
		return s
	}
	s = strings.Map(func(r rune) rune {
		if r == '_' || r == '-' {
			return ' '
		}
		return r
	}, strings.ToLower(s))
	return strings.Join(strings.Fields(s), " ")
}

// isNormal reports whether a label is of lower-case ASCII words, a space between two.
func isNormal(s string) bool {
	for i := range len(s) {
		c := s[i]
		switch {
		case c == ' ' && i > 0 && i < len(s)-1 && s[i-1] != ' ':
		case c <= ' ', c == '_', c == '-', 'A' <= c && c <= 'Z', c >= 0x7f:
			return false
		}
	}
	return true
}

// splitCamel writes a class name as words: StoveBurner is "stove burner".
func splitCamel(name string) string {
	var b strings.Builder
	for i, r := range name {
		if i > 0 && r >= 'A' && r <= 'Z' && !(name[i-1] >= 'A' && name[i-1] <= 'Z') {
			b.WriteByte(' ')
		}
		b.WriteRune(r)
	}
	return normalizeLabel(b.String())
}
