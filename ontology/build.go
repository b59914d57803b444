package ontology

import (
	"fmt"
	"slices"
	"sort"
	"strconv"
	"strings"
	"sync/atomic"
)

const (
	rdfNS  = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
	rdfsNS = "http://www.w3.org/2000/01/rdf-schema#"
	owlNS  = "http://www.w3.org/2002/07/owl#"
	xsdNS  = "http://www.w3.org/2001/XMLSchema#"
)

// Problem is something wrong in an ontology that could still be read.
type Problem struct {
	Pos     Pos
	Msg     string
	Warning bool // the ontology is usable all the same
}

func (p Problem) Error() string { return p.Pos.String() + ": " + p.Msg }

// builder turns triples into an Ontology.
type builder struct {
	o        *Ontology
	triples  []triple
	bySubj   map[node]*said
	next     []int32           // the next triple of the same subject, 0 for none
	ids      map[string]TermID // by IRI
	classes  map[string]TermID // of mishap's own that terms were asked for
	problems []Problem
	told     map[string]bool // undeclared terms that a pattern was told to have
}

func (b *builder) problem(pos Pos, warning bool, format string, args ...any) {
	b.problems = append(b.problems, Problem{pos, fmt.Sprintf(format, args...), warning})
}

// build closes and checks a set of triples. The problems are in file order.
// levels are those of the files.
func build(triples []triple, levels map[string]int, check bool) (*Ontology, []Problem) {
	b := &builder{
		o: &Ontology{
			levels: levels, byName: map[string]TermID{}, byLabel: map[string][]TermID{}, inverted: map[string]TermID{},
			explained: map[TermID][]string{}, needing: map[TermID][]string{}, otherHand: map[TermID]TermID{}, orderedBy: map[string]TermID{}, forewarned: map[TermID][]string{}, ordinals: map[string]int{}, cardinals: map[string]int{}, timeUnits: map[string]int{}, words: map[WordKind]map[string]int{}, selections: map[string][]TermID{}, avoided: map[TermID][]TermID{}, aftermaths: map[TermID][]Aftermath{},
			triples: triples,
		},
		triples: triples, bySubj: map[node]*said{}, ids: map[string]TermID{}, classes: map[string]TermID{}, told: map[string]bool{},
	}
	b.indexSubjects(0)
	b.addLikewise()
	b.declareTerms()
	b.describeTerms()
	b.closeClasses()
	b.closeProperties()
	b.bindCore()
	b.bindRoles()
	b.closeStates()
	b.readQuantities()
	b.closeValues()
	b.readSpatial()
	b.readForms()
	modelReader{b}.readModel()
	b.o.callActions()
	b.bindActions()
	b.bindSimulation()
	b.readFailureKinds()
	if check {
		checker{b}.check()
	}
	b.o.orders = make([]atomic.Pointer[[]TermID], len(b.o.Terms))
	b.o.below = make([]atomic.Pointer[[]TermID], len(b.o.Terms))
	sort.SliceStable(b.problems, func(i, j int) bool {
		p, q := b.problems[i].Pos, b.problems[j].Pos
		return p.File < q.File || p.File == q.File && p.Line < q.Line
	})
	return b.o, slices.Compact(b.problems)
}

func isBuiltin(iri string) bool {
	for _, ns := range []string{rdfNS, rdfsNS, owlNS, xsdNS} {
		if strings.HasPrefix(iri, ns) {
			return true
		}
	}
	return false
}

// declareTerms gives an ID to every IRI that has an rdf:type, a superclass or
// a superproperty.
func (b *builder) declareTerms() {
	b.term(rdfNS+"type", Pos{})
	for _, t := range b.triples {
		if t.s.kind != iriNode || isBuiltin(t.s.value) {
			continue
		}
		switch t.p.value {
		case owlNS + "imports":
			b.problem(t.pos, true, "owl:imports %s is not followed; add the document with --ontology", t.o.value)
		case rdfNS + "type":
			if t.o.value == owlNS+"Ontology" {
				continue
			}
			id := b.term(t.s.value, t.pos)
			if t.o.value == owlNS+"Class" || t.o.value == rdfsNS+"Class" {
				b.o.Terms[id].IsClass = true
			}
		case rdfsNS + "subClassOf":
			b.o.Terms[b.term(t.s.value, t.pos)].IsClass = true
		case rdfsNS + "subPropertyOf":
			b.term(t.s.value, t.pos)
		}
	}
}

func (b *builder) term(iri string, pos Pos) TermID {
	if id, ok := b.ids[iri]; ok {
		return id
	}
	id := TermID(len(b.o.Terms))
	name := localName(iri)
	if other, ok := b.o.byName[name]; ok {
		b.problem(pos, true, "name %s is taken by <%s>; rules and logs mean that one", name, b.o.Terms[other].IRI)
	} else {
		b.o.byName[name] = id
	}
	b.ids[iri] = id
	b.o.Terms = append(b.o.Terms, Term{Name: name, IRI: iri, Pos: pos})
	return id
}

// invert notes a label that names a relation from its object; it can name one relation only.
func (b *builder) invert(id TermID, t triple) {
	label := normalizeLabel(t.o.value)
	if other, ok := b.o.inverted[label]; ok && other != id {
		b.problem(t.pos, false, "%s and %s have the one inverseLabel %q: leave it to one of them", b.o.Name(other), b.o.Name(id), t.o.value)
		return
	}
	b.o.inverted[label] = id
}

// describeTerms fills in labels, comments, types, superclasses and values.
func (b *builder) describeTerms() {
	o := b.o
	o.values = make([][]value, len(o.Terms))
	var subject node
	id, declared := TermID(None), false
	for i := range b.triples {
		t := &b.triples[i]
		if t.s != subject {
			subject = t.s
			id, declared = b.ids[subject.value]
		}
		if !declared || subject.kind != iriNode {
			continue
		}
		term := &o.Terms[id]
		switch t.p.value {
		case rdfsNS + "label":
			term.Labels = append(term.Labels, t.o.value)
		case rdfsNS + "comment":
			term.Comment = t.o.value
		case Namespace + "inverseLabel":
			b.invert(id, *t)
		case rdfNS + "type":
			if c, ok := b.ids[t.o.value]; ok {
				term.Types = append(term.Types, c)
			}
		case rdfsNS + "subClassOf", owlNS + "equivalentClass":
			b.addSuper(id, *t)
		default:
			if p, ok := b.ids[t.p.value]; ok {
				v := value{property: p, term: None, text: t.o.value, pos: t.pos}
				if t.o.kind == iriNode {
					v.term = b.idOf(t.o)
				}
				if o.values[id] == nil { // of most subjects all is said in one place
					o.values[id] = make([]value, 0, b.runOf(i))
				}
				o.values[id] = append(o.values[id], v)
			}
		}
	}
	for i := range o.Terms {
		t := &o.Terms[i]
		labels := append([]string{t.Name}, t.Labels...)
		if t.IsClass {
			labels = append(labels, splitCamel(t.Name))
		}
		for _, l := range labels {
			l = normalizeLabel(l)
			if !slices.Contains(o.byLabel[l], TermID(i)) {
				o.byLabel[l] = append(o.byLabel[l], TermID(i))
			}
		}
	}
	for _, terms := range o.byLabel {
		slices.SortStableFunc(terms, func(x, y TermID) int { return o.level(y) - o.level(x) })
	}
}

// runOf is how many triples in a row are of the same subject from one on.
func (b *builder) runOf(i int) int {
	n := 1
	for i+n < len(b.triples) && b.triples[i+n].s == b.triples[i].s {
		n++
	}
	return n
}

func (b *builder) idOf(n node) TermID {
	if id, ok := b.ids[n.value]; ok && n.kind == iriNode {
		return id
	}
	return None
}

// addSuper reads rdfs:subClassOf and owl:equivalentClass, the latter's named
// equivalents apart. Of class expressions it understands intersections, unions
// (on the equivalent side) and owl:hasValue restrictions, which give the class
// a value.
func (b *builder) addSuper(class TermID, t triple) {
	if t.o.kind == iriNode {
		if s, ok := b.ids[t.o.value]; ok && t.p.value == rdfsNS+"subClassOf" {
			b.o.Terms[class].Supers = append(b.o.Terms[class].Supers, s)
		}
		return
	}
	if t.o.kind != blankNode {
		b.problem(t.pos, false, "%s: a superclass must be a class, found the text %q", b.o.Name(class), t.o.value)
		return
	}
	if list, ok := b.object(t.o, owlNS+"intersectionOf"); ok {
		for _, n := range b.list(list) {
			b.addSuper(class, triple{t.s, node{iriNode, rdfsNS + "subClassOf"}, n, t.pos})
		}
	}
	if list, ok := b.object(t.o, owlNS+"unionOf"); ok && t.p.value == owlNS+"equivalentClass" {
		for _, n := range b.list(list) {
			if part := b.idOf(n); part != None {
				b.o.Terms[part].Supers = append(b.o.Terms[part].Supers, class)
			}
		}
	}
	property, ok1 := b.object(t.o, owlNS+"onProperty")
	v, ok2 := b.object(t.o, owlNS+"hasValue")
	if p := b.idOf(property); ok1 && ok2 && p != None {
		b.o.values[class] = append(b.o.values[class], value{p, b.idOf(v), v.value, t.pos})
	}
}

// closeClasses finds equivalence groups, subclass cycles and the closure.
func (b *builder) closeClasses() {
	o := b.o
	n := len(o.Terms)
	o.canonical = make([]TermID, n)
	for i := range o.canonical {
		o.canonical[i] = TermID(i)
	}
	for _, t := range b.triples {
		if t.p.value == owlNS+"equivalentClass" && t.o.kind == iriNode {
			if x, y := b.idOf(t.s), b.idOf(t.o); x != None && y != None {
				b.merge(o.canonical[x], o.canonical[y])
			}
		}
	}
	supers := make([][]TermID, n)
	for i, t := range o.Terms {
		c := o.canonical[i]
		for _, s := range t.Supers {
			if s = o.canonical[s]; s != c {
				supers[c] = append(supers[c], s)
			}
		}
	}
	o.ancestors = make([]bitset, n)
	state := make([]uint8, n)
	var visit func(c TermID, path []TermID)
	visit = func(c TermID, path []TermID) {
		if state[c] == 2 {
			return
		}
		if state[c] == 1 {
			b.cycle(append(path[slices.Index(path, c):], c))
			return
		}
		state[c] = 1
		set := make(bitset, (n+63)/64)
		set.set(c)
		for _, s := range supers[c] {
			visit(s, append(path, c))
			if o.ancestors[s] != nil {
				set.or(o.ancestors[s])
			}
		}
		o.ancestors[c] = set
		state[c] = 2
	}
	for i := range o.Terms {
		visit(o.canonical[i], nil)
	}
}

func (b *builder) merge(x, y TermID) {
	for i, c := range b.o.canonical {
		if c == x {
			b.o.canonical[i] = y
		}
	}
}

func (b *builder) cycle(path []TermID) {
	names := make([]string, len(path))
	for i, c := range path {
		names[i] = b.o.Name(c)
	}
	pos := b.o.Terms[path[0]].Pos
	for t := range b.of(node{iriNode, b.o.Terms[path[0]].IRI}) {
		if t.p.value == rdfsNS+"subClassOf" {
			pos = t.pos
		}
	}
	b.problem(pos, false, "subclass cycle: %s; remove one rdfs:subClassOf, or say owl:equivalentClass", strings.Join(names, " → "))
}

// closeProperties reads subproperties and the OWL kinds of properties.
func (b *builder) closeProperties() {
	o := b.o
	n := len(o.Terms)
	o.subProps = make([]bitset, n)
	o.transitive, o.symmetric, o.view = make([]bool, n), make([]bool, n), make([]bool, n)
	o.persistent, o.functional, o.kinds = make([]bool, n), make([]bool, n), make([]bool, n)
	o.inverse = slices.Repeat([]TermID{None}, n)
	for i := range o.subProps {
		o.subProps[i] = make(bitset, (n+63)/64)
		o.subProps[i].set(TermID(i))
	}
	for changed := true; changed; {
		changed = false
		for _, t := range b.triples {
			if t.p.value != rdfsNS+"subPropertyOf" {
				continue
			}
			x, y := b.idOf(t.s), b.idOf(t.o)
			if x == None || y == None {
				continue
			}
			o.kinds[y] = true
			before := slices.Clone(o.subProps[x])
			o.subProps[x].or(o.subProps[y])
			changed = changed || !slices.Equal(before, o.subProps[x])
		}
	}
	for _, t := range b.triples {
		s := b.idOf(t.s)
		if s == None {
			continue
		}
		switch {
		case t.p.value == rdfNS+"type" && t.o.value == owlNS+"TransitiveProperty":
			o.transitive[s] = true
		case t.p.value == rdfNS+"type" && t.o.value == owlNS+"SymmetricProperty":
			o.symmetric[s] = true
		case t.p.value == rdfNS+"type" && t.o.value == owlNS+"FunctionalProperty":
			o.functional[s] = true
		case t.p.value == Namespace+"conditionName":
			if o.told == nil {
				o.told = map[TermID]string{}
			}
			o.told[s] = t.o.value
		case t.p.value == Namespace+"persistent":
			o.persistent[s] = t.o.value == "true"
		case t.p.value == owlNS+"inverseOf" && b.idOf(t.o) != None:
			o.inverse[s], o.inverse[b.idOf(t.o)] = b.idOf(t.o), s
		case t.p.value == Namespace+"viewDependent" && t.o.value == "true":
			o.view[s] = true
		}
	}
}

// bindCore looks up the terms the reasoner refers to.
func (b *builder) bindCore() {
	c := &b.o.Core
	for name, id := range map[string]*TermID{
		"type": &c.Type, "state": &c.State, "hasProperty": &c.HasProperty, "hasRoom": &c.HasRoom, "differs": &c.Differs,
		"implies": &c.Implies, "replacedBy": &c.ReplacedBy, "accepts": &c.Accepts, "inside": &c.Inside, "on_top_of": &c.OnTopOf,
		"within": &c.Within, "near": &c.Near, "occluding": &c.Occluding, "located_at": &c.LocatedAt,
		"PhysicalObject": &c.PhysicalObject, "Agent": &c.Agent, "Sound": &c.Sound, "SensorEvent": &c.SensorEvent, "Failure": &c.Failure, "State": &c.StateClass,
		"Relation": &c.Relation, "Action": &c.Action, "ObjectGroup": &c.ObjectGroup, "Material": &c.Material,
		"PhysicalProperty": &c.PhysicalProperty, "NamedByTask": &c.NamedByTask, "Quantity": &c.Quantity,
		"Tuple": &c.Tuple, "tuple_1": &c.TupleParts[0], "tuple_2": &c.TupleParts[1], "tuple_3": &c.TupleParts[2],
	} {
		ns := Namespace
		if name == "type" {
			ns = rdfNS
		}
		t, ok := b.ids[ns+name]
		if !ok {
			b.problem(Pos{File: "ontology"}, false, "term %s is missing; the reasoner needs it (see vocabulary.ttl)", name)
			t = None
		}
		*id = t
	}
}

// closeStates finds the exclusive dimension and the implications of states.
func (b *builder) closeStates() {
	o := b.o
	n := len(o.Terms)
	o.dimension = slices.Repeat([]TermID{None}, n)
	o.opposite = slices.Repeat([]TermID{None}, n)
	o.implied = make([][]TermID, n)
	for i := range o.Terms {
		for _, c := range o.Terms[i].Types {
			if o.IsA(c, o.Core.StateClass) {
				o.dimension[i] = c
			}
		}
		for _, v := range o.values[i] {
			if o.Name(v.property) == "opposite" {
				o.opposite[i] = v.term
			}
		}
	}
	for i := range o.Terms {
		queue := []TermID{TermID(i)}
		for k := 0; k < len(queue); k++ {
			for _, v := range o.values[queue[k]] {
				if v.property == o.Core.Implies && v.term != None && !slices.Contains(queue, v.term) {
					queue = append(queue, v.term)
				}
			}
		}
		o.implied[i] = queue[1:]
	}
}

// closeValues inherits physical properties, materials and capacities.
func (b *builder) closeValues() {
	o := b.o
	n := len(o.Terms)
	o.inherited, o.ofMaterial = make([]bitset, n), make([]bool, n)
	for i := range o.Terms {
		text, _ := o.text(TermID(i), "dependsOnMaterial")
		o.ofMaterial[i] = text == "true" || o.HasType(TermID(i), o.Core.Material)
	}
	o.capacity = slices.Repeat([]int32{-1}, n)
	own := make([][]TermID, n) // of classes and their equivalents
	for i := range o.Terms {
		for _, v := range o.values[i] {
			if o.Terms[i].IsClass && v.term != None && (v.property == o.Core.HasProperty || o.Name(v.property) == "material") {
				own[o.canonical[i]] = append(own[o.canonical[i]], v.term)
			}
		}
	}
	for i := range o.Terms {
		if !o.Terms[i].IsClass || int(o.canonical[i]) != i {
			continue
		}
		set := make(bitset, (n+63)/64)
		for c := range o.ancestors[i].each() {
			for _, p := range own[c] {
				set.set(p)
			}
		}
		o.inherited[i] = set
		if text, ok := o.text(TermID(i), "capacity"); ok {
			c, err := strconv.Atoi(text)
			if err != nil || c < 0 {
				b.problem(o.Terms[i].Pos, false, "%s: capacity %q; expected a whole number", o.Terms[i].Name, text)
				c = -1
			}
			o.capacity[i] = int32(c)
		}
	}
	for i := range o.Terms {
		if o.HasType(TermID(i), o.Core.ObjectGroup) {
			b.shareProperties(TermID(i))
		}
	}
}

// shareProperties gives a group of classes what all of them have: on whatever table
// something is put, it can be put there.
func (b *builder) shareProperties(group TermID) {
	o := b.o
	var shared bitset
	for _, c := range o.Subclasses(group) {
		if c = o.canonical[c]; o.HasType(c, o.Core.ObjectGroup) {
			continue
		}
		if shared == nil {
			shared = slices.Clone(o.inherited[c])
		}
		for w := range shared {
			shared[w] &= o.inherited[c][w]
		}
	}
	own := o.inherited[o.canonical[group]]
	for w := range shared {
		own[w] |= shared[w]
	}
}
