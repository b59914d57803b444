package state

import (
	"slices"

	"github.com/mishap-robotics/mishap/ontology"
)

// Best is the highest truth of the conjunction over all bindings of its free
// variables, and a binding that has it; what is false by assumption only is
// False here. Without patterns it is True.
func (q Query) Best(patterns []ontology.Pattern, b Binding) (Truth, Binding) {
	return q.AtLeast(patterns, b, Undecided)
}

// Truth is Best without the binding.
func (q Query) Truth(patterns []ontology.Pattern, b Binding) Truth {
	return q.best(patterns, b, Undecided, nil)
}

// Holds is the truth of one pattern of two objects, or of an object and a term.
func (q Query) Holds(subject Ref, predicate ontology.TermID, object Ref) Truth {
	b := [2]Ref{subject, object}
	p := ontology.Pattern{Subject: ontology.Arg{Var: 0, Term: ontology.None}, Predicate: predicate, Object: ontology.Arg{Var: 1, Term: ontology.None}}
	if subject == Unbound || object == Unbound {
		return q.best([]ontology.Pattern{p}, b[:], Undecided, nil)
	}
	if t := q.eval(&p, b[:]); t >= Undecided {
		return t
	}
	return False
}

// AtLeast is Best where nothing but what is at least so true counts; the rest is False.
func (q Query) AtLeast(patterns []ontology.Pattern, b Binding, least Truth) (Truth, Binding) {
	at := append(Binding(nil), b...)
	return q.best(patterns, b, least, at), at
}

// best is AtLeast that writes the binding to at, where that is not nil.
func (q Query) best(patterns []ontology.Pattern, b Binding, least Truth, at Binding) Truth {
	if len(patterns) == 0 {
		return True
	}
	var few [fewVariables]Ref
	m := matching{Query: q, patterns: patterns, done: newPatternSet(len(patterns)), b: append(few[:0], b...), least: least, best: False, at: at}
	if len(patterns) >= manyPatterns && q.Touched == nil {
		m.twins = q.twins(patterns, b)
	}
	m.search(True)
	return m.best
}

// Any reports whether one of several conjunctions holds, at least by assumption.
func (q Query) Any(alternatives [][]ontology.Pattern, b Binding) bool {
	for _, patterns := range alternatives {
		if q.best(patterns, b, AssumedTrue, nil) >= AssumedTrue {
			return true
		}
	}
	return false
}

// Each visits the bindings whose conjunction is at least min.
func (q Query) Each(patterns []ontology.Pattern, b Binding, least Truth, visit func(Binding)) {
	var few [fewVariables]Ref
	m := matching{Query: q, patterns: patterns, done: newPatternSet(len(patterns)), b: append(few[:0], b...), least: least, visit: visit}
	m.search(True)
}

// Counted lists the things that a count is about of which what it says is at least so true.
func (q Query) Counted(c *ontology.Count, at Binding, least Truth) []Object {
	var out []Object
	q.Each(c.Of, at, least, func(b Binding) {
		if x := b[c.Var].Object(); !slices.Contains(out, x) {
			out = append(out, x)
		}
	})
	return out
}

// fewVariables is how many a conjunction mostly has at most.
const fewVariables = 12

// matching is a search for the bindings of a conjunction.
type matching struct {
	Query
	patterns []ontology.Pattern
	done     patternSet // the patterns dealt with
	b        Binding
	least    Truth // what is less true does not count

	twins []int // of each variable the one before it that is asked the same of, else -1; none where nobody looked

	visit func(Binding) // sees each match; nil where the best is asked for
	best  Truth
	at    Binding // of the best
}

// manyPatterns is how many patterns a conjunction has in which it pays to look for twins.
const manyPatterns = 8

// twins finds variables of which the same is asked, and that they differ, as of the mugs in
// "three mugs": who has them in order of the table has them in each other order too.
func (q Query) twins(patterns []ontology.Pattern, b Binding) []int {
	var out []int
	for v := 1; v < len(b); v++ {
		if w := v - 1; b[w] == Unbound && b[v] == Unbound && q.areTwins(patterns, w, v) {
			if out == nil {
				out = make([]int, len(b))
				for i := range out {
					out[i] = -1
				}
			}
			out[v] = w
		}
	}
	return out
}

func (q Query) areTwins(patterns []ontology.Pattern, v, w int) bool {
	differ := false
	swapped := func(a ontology.Arg) ontology.Arg {
		switch {
		case a.IsVar() && a.Var == v:
			a.Var = w
		case a.IsVar() && a.Var == w:
			a.Var = v
		}
		return a
	}
	for i := range patterns {
		p := &patterns[i]
		s, o := swapped(p.Subject), swapped(p.Object)
		if s == p.Subject && o == p.Object && p.Measure.Operator == ontology.NoOperator {
			continue
		}
		if p.Measure.Operator != ontology.NoOperator {
			return false
		}
		apart := p.Predicate == q.State.Objects.Onto.Core.Differs
		if differ = differ || apart && s == p.Object && o == p.Subject; apart && s == p.Object && o == p.Subject {
			continue
		}
		same := func(r ontology.Pattern) bool {
			return r.Predicate == p.Predicate && r.Measure.Operator == ontology.NoOperator && (r.Subject == s && r.Object == o || apart && r.Subject == o && r.Object == s)
		}
		if !slices.ContainsFunc(patterns, same) {
			return false
		}
	}
	return differ
}

// inOrder reports whether a twin does not come before one whose turn is earlier.
func (m *matching) inOrder(v int, x Object) bool {
	if w := m.twins[v]; w >= 0 && m.b[w] != Unbound && m.b[w].Object() > x {
		return false
	}
	return v+1 == len(m.twins) || m.twins[v+1] != v || m.b[v+1] == Unbound || m.b[v+1].Object() > x
}

// search works through the patterns, those with the fewest free variables
// first. It reports whether to go on.
func (m *matching) search(so Truth) bool {
	next, cost := -1, 0
	for i := range m.patterns {
		if m.done.has(i) {
			continue
		}
		if c := m.cost(&m.patterns[i], m.b); next < 0 || c < cost {
			next, cost = i, c
		}
	}
	if next < 0 {
		return m.found(so)
	}
	m.done.add(next)
	more := m.expand(&m.patterns[next], so, m.least)
	m.done.remove(next)
	return more
}

func (m *matching) found(t Truth) bool {
	if m.visit != nil {
		m.visit(slices.Clone(m.b))
		return true
	}
	m.best, m.least = t, t+1
	copy(m.at, m.b)
	return m.best < True
}

// settle goes on with a pattern whose variables are bound.
func (m *matching) settle(p *ontology.Pattern, so Truth) bool {
	t := min(so, m.eval(p, m.b))
	return t < m.least || m.search(t)
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
	if b.free(p.Subject) {
		c += 2
	}
	if p.Measure.Operator == ontology.NoOperator && b.free(p.Object) || p.ComparesObject() && b.free(p.Measure.Of) {
		c += 2
	}
	core := &q.State.Objects.Onto.Core
	if c > 0 && p.Predicate != core.Type && p.Predicate != core.HasProperty {
		c++
	}
	return c
}

// free reports whether an argument is a variable without a value.
func (b Binding) free(a ontology.Arg) bool { return a.IsVar() && b[a.Var] == Unbound }

// candidates are what a variable without a value may be by the relations that are asked of
// it to objects that are known: what is not known to be there is no match that is true, so
// that the rest need not be tried; ok is false where all must be. Where it is asked what was
// read to find a match, all are tried. current is the pattern whose variables are bound now.
func (m *matching) candidates(v int, current *ontology.Pattern, least Truth) (among []Object, ok bool) {
	if least < AssumedTrue || m.Touched != nil {
		return nil, false
	}
	for i := range m.patterns {
		p := &m.patterns[i]
		if p != current && m.done.has(i) {
			continue
		}
		if found, told := m.related(v, p, m.b); told && (!ok || len(found) < len(among)) {
			among, ok = found, true
		}
	}
	return among, ok
}

// related are what a variable may be by one pattern, in table order.
func (q Query) related(v int, p *ontology.Pattern, b Binding) (among []Object, ok bool) {
	onto := q.State.Objects.Onto
	if p.Measure.Operator != ontology.NoOperator {
		return nil, false
	}
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
	if onto.Persistent(p.Predicate) {
		return q.State.linked(to, p.Predicate, subject, onto.Transitive(p.Predicate)), true
	}
	switch within := onto.IsSub(p.Predicate, onto.Core.Within); {
	case within && subject:
		return q.State.contained(to, onto.Transitive(p.Predicate)), true
	case within:
		return q.State.containers(to, onto.Transitive(p.Predicate)), true
	case onto.HasType(p.Predicate, onto.Core.Relation):
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
func (m *matching) expand(p *ontology.Pattern, so, least Truth) bool {
	switch {
	case m.b.free(p.Subject):
		v := p.Subject.Var
		among, ok := m.candidates(v, p, least)
		if !ok {
			among = m.subjects(p, least)
		}
		for _, x := range among {
			if m.State.Gone(x) || m.twins != nil && !m.inOrder(v, x) {
				continue
			}
			m.b[v] = ObjectRef(x)
			if m.State.Objects.Interrupt.Tick() || !m.expand(p, so, least) {
				m.b[v] = Unbound
				return false
			}
		}
		m.b[v] = Unbound
		return true
	case p.Measure.Operator != ontology.NoOperator:
		return m.expandMeasure(p, so)
	case !m.b.free(p.Object):
		return m.settle(p, so)
	case p.Predicate == m.State.Objects.Onto.Core.State:
		return m.expandState(p, so)
	}
	v := p.Object.Var
	among, ok := m.candidates(v, p, least)
	if !ok {
		among = m.State.Objects.all()
	}
	for _, x := range among {
		if m.State.Gone(x) || m.twins != nil && !m.inOrder(v, x) {
			continue
		}
		m.b[v] = ObjectRef(x)
		if m.State.Objects.Interrupt.Tick() || !m.settle(p, so) {
			m.b[v] = Unbound
			return false
		}
	}
	m.b[v] = Unbound
	return true
}

// expandState binds a variable to every state that an object is in.
func (m *matching) expandState(p *ontology.Pattern, so Truth) bool {
	v := p.Object.Var
	x := m.ref(p.Subject, m.b).Object()
	more := true
	for slot := int32(1); more && slot < m.State.StateSlots(); slot++ {
		f := Fluent{x, slot}
		m.touch(f)
		if val := m.State.Get(f); val.Status != Unknown {
			m.b[v] = TermRef(val.Term)
			more = m.settle(p, so)
		}
	}
	m.b[v] = Unbound
	return more
}

// subjects lists the objects that the free subject of a pattern may be.
func (q Query) subjects(p *ontology.Pattern, least Truth) []Object {
	objects := q.State.Objects
	switch core := &objects.Onto.Core; {
	case p.Object.Term == ontology.None:
	case p.Predicate == core.Type:
		return objects.Members(p.Object.Term)
	case p.Predicate == core.HasProperty && least >= AssumedTrue && q.Touched == nil:
		return objects.perhaps(p.Object.Term)
	}
	return objects.all()
}
