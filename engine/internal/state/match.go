package state

import (
	"slices"

	"github.com/mishap-robotics/mishap/ontology"
)

// Truth is how true a pattern is: its sign tells true from false, its size what
// that rests on.
type Truth int8

// The five degrees of truth.
const (
	False        Truth = -2
	AssumedFalse Truth = -1
	Undecided    Truth = 0
	AssumedTrue  Truth = 1
	True         Truth = 2
)

func truth(holds bool, status Status) Truth {
	t := True
	if status == Assumed {
		t = AssumedTrue
	}
	if !holds {
		return -t
	}
	return t
}

// Ref is the value of a variable: an object, or a term such as a state.
type Ref int32

// Unbound is a variable without a value.
const Unbound Ref = -1

// ObjectRef and TermRef make references.
func ObjectRef(x Object) Ref        { return Ref(x) }
func TermRef(t ontology.TermID) Ref { return -Ref(t) - 2 }

// Object is the object referred to, or Nothing.
func (r Ref) Object() Object {
	if r < 0 {
		return Nothing
	}
	return Object(r)
}

// Term is the term referred to, or None.
func (r Ref) Term() ontology.TermID {
	if r > -2 {
		return ontology.None
	}
	return ontology.TermID(-r - 2)
}

// Binding gives values to the variables of an action, process or goal.
type Binding []Ref

// NewBinding leaves n variables unbound.
func NewBinding(n int) Binding {
	b := make(Binding, n)
	for i := range b {
		b[i] = Unbound
	}
	return b
}

// Query evaluates patterns on a state.
type Query struct {
	State *State
	// Agent and Gripper are what nearness and holding are about.
	Agent, Gripper Object
	// Touched collects the fluents that were read, where it is not nil.
	Touched *[]Fluent
	// Apart takes what is seen beside, above or behind something, and in or on nothing, not
	// to be in or on anything that is asked for.
	Apart bool
}

func (q Query) touch(f Fluent) {
	if q.Touched != nil {
		*q.Touched = append(*q.Touched, f)
	}
}

// Best is the highest truth of the conjunction over all bindings of its free
// variables, and a binding that has it; what is false by assumption only is
// False here. Without patterns it is True.
func (q Query) Best(patterns []ontology.Pattern, b Binding) (Truth, Binding) {
	return q.atLeast(patterns, b, Undecided)
}

// atLeast is Best where nothing but what is at least so true counts; the rest is False.
func (q Query) atLeast(patterns []ontology.Pattern, b Binding, least Truth) (Truth, Binding) {
	best, at := False, append(Binding(nil), b...)
	if len(patterns) == 0 {
		return True, at
	}
	q.search(patterns, newPatternSet(len(patterns)), append(Binding(nil), b...), True, &least, func(w Binding, t Truth) bool {
		best, least = t, t+1
		copy(at, w)
		return best < True
	})
	return best, at
}

// Any reports whether one of several conjunctions holds, at least by assumption.
func (q Query) Any(alternatives [][]ontology.Pattern, b Binding) bool {
	for _, patterns := range alternatives {
		if t, _ := q.atLeast(patterns, b, AssumedTrue); t >= AssumedTrue {
			return true
		}
	}
	return false
}

// Each visits the bindings whose conjunction is at least min.
func (q Query) Each(patterns []ontology.Pattern, b Binding, least Truth, visit func(Binding)) {
	q.search(patterns, newPatternSet(len(patterns)), append(Binding(nil), b...), True, &least, func(w Binding, _ Truth) bool {
		visit(w)
		return true
	})
}

// search works through the patterns, those with the fewest free variables
// first; done is a set of the patterns dealt with. It stops where visit
// returns false, and drops branches that are less true than least.
func (q Query) search(patterns []ontology.Pattern, done patternSet, b Binding, so Truth, least *Truth, visit func(Binding, Truth) bool) bool {
	next, cost := -1, 0
	for i := range patterns {
		if done.has(i) {
			continue
		}
		if c := q.cost(&patterns[i], b); next < 0 || c < cost {
			next, cost = i, c
		}
	}
	if next < 0 {
		return visit(b, so)
	}
	p := &patterns[next]
	done.add(next)
	more := true
	q.expand(p, b, &open{patterns, done, p, *least}, func() bool {
		t := min(so, q.eval(p, b))
		if t >= *least {
			more = q.search(patterns, done, b, t, least, visit)
		}
		return more
	})
	done.remove(next)
	return more
}

// patternSet is a set of patterns by index. A set of more than 64 is shared by its
// copies, which therefore take out what they added.
type patternSet struct {
	few  uint64
	many []bool
}

func newPatternSet(n int) patternSet {
	if n > 64 {
		return patternSet{many: make([]bool, n)}
	}
	return patternSet{}
}

func (s *patternSet) has(i int) bool {
	if s.many != nil {
		return s.many[i]
	}
	return s.few&(1<<i) != 0
}

func (s *patternSet) add(i int) {
	if s.many != nil {
		s.many[i] = true
		return
	}
	s.few |= 1 << i
}

func (s *patternSet) remove(i int) {
	if s.many != nil {
		s.many[i] = false
		return
	}
	s.few &^= 1 << i
}

// cost orders patterns: bound ones first, then tests of class, then the rest.
func (q Query) cost(p *ontology.Pattern, b Binding) int {
	c := 0
	if p.Subject.IsVar() && b[p.Subject.Var] == Unbound {
		c += 2
	}
	if p.Object.IsVar() && b[p.Object.Var] == Unbound {
		c += 2
	}
	core := &q.State.Objects.Onto.Core
	if c > 0 && p.Predicate != core.Type && p.Predicate != core.HasProperty {
		c++
	}
	return c
}

// open is a conjunction as far as it is matched: what it still asks of a variable.
type open struct {
	patterns []ontology.Pattern
	done     patternSet
	current  *ontology.Pattern // the one whose variables are bound now
	least    Truth
}

// candidates are what a variable without a value may be by the relations that are asked of
// it to objects that are known: what is not known to be there is no match that is true, so
// that the rest need not be tried; ok is false where all must be. Where it is asked what was
// read to find a match, all are tried.
func (q Query) candidates(v int, o *open, b Binding) (among []Object, ok bool) {
	if o.least < AssumedTrue || q.Touched != nil {
		return nil, false
	}
	for i := range o.patterns {
		p := &o.patterns[i]
		if p != o.current && o.done.has(i) {
			continue
		}
		if found, told := q.related(v, p, b); told && (!ok || len(found) < len(among)) {
			among, ok = found, true
		}
	}
	return among, ok
}

// related are what a variable may be by one pattern, in table order.
func (q Query) related(v int, p *ontology.Pattern, b Binding) (among []Object, ok bool) {
	onto := q.State.Objects.Onto
	of, subject := p.Object, true
	if !p.Subject.IsVar() || p.Subject.Var != v {
		of, subject = p.Subject, false
		if !p.Object.IsVar() || p.Object.Var != v {
			return nil, false
		}
	}
	if !of.IsVar() || b[of.Var].Object() == Nothing || p.Predicate == onto.Core.Near {
		return nil, false
	}
	to := b[of.Var].Object()
	switch within := onto.IsSub(p.Predicate, onto.Core.Within); {
	case within && subject:
		return q.State.contained(to, onto.Transitive(p.Predicate)), true
	case within:
		return q.State.containers(to, onto.Transitive(p.Predicate)), true
	case onto.HasType(p.Predicate, onto.Core.SpatialRelation):
		return q.State.edges.related(p.Predicate, to, subject), true
	}
	return nil, false
}

// containers lists what an object lies directly in or on, or what that lies in as well, in
// table order.
func (s *State) containers(x Object, through bool) []Object {
	var out []Object
	for range len(s.Objects.Items) + 1 {
		if x = s.Place(x).At; x == Nothing {
			break
		}
		if out = append(out, x); !through {
			break
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// contained lists what lies directly in or on an object, or what lies in that as well, in
// table order.
func (s *State) contained(x Object, through bool) []Object {
	out := s.Contents(x)
	if !through || len(out) == 0 {
		return out
	}
	found := map[Object]bool{x: true}
	for i := 0; i < len(out); i++ {
		for _, y := range s.Contents(out[i]) {
			if !found[y] {
				found[y] = true
				out = append(out, y)
			}
		}
	}
	slices.Sort(out)
	return out
}

// expand binds the free variables of a pattern to every candidate in turn.
func (q Query) expand(p *ontology.Pattern, b Binding, o *open, yield func() bool) {
	free := func(a ontology.Arg) bool { return a.IsVar() && b[a.Var] == Unbound }
	core := &q.State.Objects.Onto.Core
	switch {
	case free(p.Subject):
		v := p.Subject.Var
		among, ok := q.candidates(v, o, b)
		if !ok {
			among = q.subjects(p)
		}
		for _, x := range among {
			if q.State.Gone(x) {
				continue
			}
			b[v] = ObjectRef(x)
			more := true
			q.expand(p, b, o, func() bool { more = yield(); return more })
			if !more {
				break
			}
		}
		b[v] = Unbound
	case free(p.Object) && p.Predicate == core.State:
		v := p.Object.Var
		x := q.ref(p.Subject, b).Object()
		for slot := int32(1); slot < q.State.Slots(); slot++ {
			f := Fluent{x, slot}
			q.touch(f)
			if val := q.State.Get(f); val.Status != Unknown {
				b[v] = TermRef(val.Term)
				if !yield() {
					break
				}
			}
		}
		b[v] = Unbound
	case free(p.Object):
		v := p.Object.Var
		among, ok := q.candidates(v, o, b)
		if !ok {
			among = q.State.Objects.all()
		}
		for _, x := range among {
			if q.State.Gone(x) {
				continue
			}
			b[v] = ObjectRef(x)
			if !yield() {
				break
			}
		}
		b[v] = Unbound
	default:
		yield()
	}
}

// subjects lists the objects that the free subject of a pattern may be.
func (q Query) subjects(p *ontology.Pattern) []Object {
	if p.Predicate == q.State.Objects.Onto.Core.Type && p.Object.Term != ontology.None {
		return q.State.Objects.Members(p.Object.Term)
	}
	return q.State.Objects.all()
}

func (q Query) ref(a ontology.Arg, b Binding) Ref {
	if a.IsVar() {
		return b[a.Var]
	}
	return TermRef(a.Term)
}

// eval is the truth of a pattern whose variables are bound.
func (q Query) eval(p *ontology.Pattern, b Binding) Truth {
	s, o := q.ref(p.Subject, b), q.ref(p.Object, b)
	onto := q.State.Objects.Onto
	core := &onto.Core
	x := s.Object()
	switch p.Predicate {
	case core.Type:
		return q.typed(x, o.Term())
	case core.HasProperty:
		return q.property(x, o.Term())
	case core.State:
		return q.inState(x, o.Term())
	case core.Implies:
		return truth(onto.StateIs(s.Term(), o.Term()) > 0 && s.Term() != o.Term(), Observed)
	case core.Differs:
		return truth(s != o, Observed)
	case core.Accepts:
		return q.accepts(x, o.Object())
	case core.HasRoom:
		return q.hasRoom(x, o.Object())
	case core.Near:
		return q.near(x, o.Object())
	}
	if onto.IsSub(p.Predicate, core.Within) {
		return q.placed(x, p.Predicate, o.Object())
	}
	if onto.HasType(p.Predicate, core.SpatialRelation) {
		return q.edge(x, p.Predicate, o.Object())
	}
	if onto.HasType(o.Term(), core.Material) {
		return q.property(x, o.Term())
	}
	return Undecided
}

func (q Query) typed(x Object, class ontology.TermID) Truth {
	if x == Nothing {
		return False
	}
	if q.State.Objects.Class(x) == ontology.None {
		return AssumedFalse
	}
	return truth(q.State.Objects.IsA(x, class), Observed)
}

func (q Query) property(x Object, property ontology.TermID) Truth {
	if x == Nothing {
		return False
	}
	if q.State.Objects.Class(x) == ontology.None && len(q.State.Objects.Items[x].Props) == 0 {
		return Undecided
	}
	return truth(q.State.Objects.HasProperty(x, property), Observed)
}

func (q Query) inState(x Object, st ontology.TermID) Truth {
	slot := q.State.SlotOf(st)
	if x == Nothing || slot < 0 {
		return False
	}
	f := Fluent{x, slot}
	q.touch(f)
	v := q.State.Get(f)
	if v.Status == Unknown {
		if q.State.CloseWorld {
			return AssumedFalse
		}
		return Undecided
	}
	switch q.State.Objects.Onto.StateIs(v.Term, st) {
	case 1:
		return truth(true, v.Status)
	case -1:
		return truth(false, v.Status)
	}
	return Undecided
}

func (q Query) accepts(x, y Object) Truth {
	if x == Nothing || y == Nothing {
		return False
	}
	objects := q.State.Objects
	if objects.Class(y) == ontology.None {
		return Undecided
	}
	for _, c := range objects.Onto.Accepts(objects.Class(x)) {
		if objects.IsA(y, c) {
			return True
		}
	}
	return False
}

// hasRoom counts the bulky things in a receptacle of limited capacity, in one with
// slots all things. A receptacle without a stated capacity always has room.
func (q Query) hasRoom(x, y Object) Truth {
	if x == Nothing {
		return False
	}
	objects := q.State.Objects
	limit, limited := objects.Onto.Capacity(objects.Class(x))
	roles := &objects.Onto.Roles
	takesRoom := func(c Object) bool {
		return roles.TakesRoom == ontology.None || objects.HasProperty(x, roles.LoadedFromAbove) || objects.HasProperty(c, roles.TakesRoom)
	}
	if !limited || !takesRoom(y) {
		return True
	}
	status, n := Observed, 0
	for _, c := range q.State.Contents(x) {
		if c == y || !takesRoom(c) || q.State.Gone(c) {
			continue
		}
		f := Fluent{c, PlaceSlot}
		q.touch(f)
		status = min(status, q.State.Get(f).Status)
		n++
	}
	return truth(n < limit, status)
}

// Reread reads the fluents of a conjunction whose variables are bound.
func (q Query) Reread(patterns []ontology.Pattern, b Binding) { q.eachTouched(patterns, b) }
