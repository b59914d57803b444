package state

import (
	"maps"
	"slices"
	"unsafe"

	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/engine/internal/snapshot"
	"github.com/mishap-robotics/mishap/ontology"
)

// CodeTerm codes a term of the ontology, or None.
func CodeTerm(c *snapshot.Codec, o *ontology.Ontology, t *ontology.TermID) {
	snapshot.Within(c, t, int(ontology.None), len(o.Terms))
}

// Code codes an object of the table, or Nothing.
func (t *Objects) Code(c *snapshot.Codec, x *Object) {
	snapshot.Within(c, x, int(Nothing), len(t.Items))
}

// CodeOne codes an object of the table that must be one.
func (t *Objects) CodeOne(c *snapshot.Codec, x *Object) { snapshot.Within(c, x, 0, len(t.Items)) }

// CodeSet codes a set of objects of the table.
func (t *Objects) CodeSet(c *snapshot.Codec, m *map[Object]bool) {
	snapshot.Set(c, m, 0, len(t.Items))
}

// CodeList codes a list of objects of the table.
func (t *Objects) CodeList(c *snapshot.Codec, list *[]Object) {
	snapshot.List(c, list, func(x *Object) { t.CodeOne(c, x) })
}

// CodeEdge codes an edge between objects of the table.
func (t *Objects) CodeEdge(c *snapshot.Codec, e *Edge) {
	t.CodeOne(c, &e.Subject)
	CodeTerm(c, t.Onto, &e.Relation)
	t.CodeOne(c, &e.Object)
}

// Snapshot codes the table. What is read takes the place of all that it holds.
func (t *Objects) Snapshot(c *snapshot.Codec) {
	snapshot.List(c, &t.Items, func(item *Item) {
		c.Text(&item.Name)
		CodeTerm(c, t.Onto, &item.Class)
		snapshot.Int(c, &item.Number)
		c.Flags(&item.Shown, &item.Made, &item.Coined)
		snapshot.List(c, &item.Props, func(p *ontology.TermID) { snapshot.Within(c, p, 0, len(t.Onto.Terms)) })
		snapshot.List(c, &item.Also, func(a *ontology.TermID) { snapshot.Within(c, a, 0, len(t.Onto.Terms)) })
		snapshot.List(c, &item.Of, func(a *ontology.TermID) { snapshot.Within(c, a, 0, len(t.Onto.Terms)) })
	})
	for i := range t.Items {
		t.Code(c, &t.Items[i].Origin)
	}
	t.snapshotNames(c, &t.byName, func(name string) string { return name })
	t.snapshotNames(c, &t.bySpelling, episode.Spelling)
	snapshot.Map(c, &t.counts, func(k *ontology.TermID) { CodeTerm(c, t.Onto, k) }, func(n *int) { snapshot.Int(c, n) })
	snapshot.Map(c, &t.unknown, func(k *string) { c.Text(k) }, func(list *[]Object) { t.CodeList(c, list) })
	snapshot.Int(c, &t.revision)
	if !c.Reading() {
		return
	}
	if t.unknown == nil || t.counts == nil || t.byName == nil || t.bySpelling == nil {
		c.Fail("the names of the objects are missing")
	}
	t.reindex()
}

// snapshotNames codes what names mean: those that are not the own name of an object, and
// the objects whose own name, written in some way, is not in the map or means another.
func (t *Objects) snapshotNames(c *snapshot.Codec, m *map[string]Object, spelled func(string) string) {
	var others map[string]Object
	except := map[Object]bool{}
	if !c.Reading() {
		others = maps.Clone(*m)
		for i := range t.Items {
			own := spelled(t.Items[i].Name)
			if x, ok := (*m)[own]; ok && x == Object(i) {
				delete(others, own)
			} else {
				except[Object(i)] = true
			}
		}
	}
	snapshot.Map(c, &others, func(k *string) { c.Text(k) }, func(x *Object) { t.CodeOne(c, x) })
	t.CodeSet(c, &except)
	if !c.Reading() {
		return
	}
	if *m = others; others == nil {
		return
	}
	for i := range t.Items {
		if !except[Object(i)] {
			others[spelled(t.Items[i].Name)] = Object(i)
		}
	}
}

// States codes states of one table of objects. What they share they share once they are
// read, too: what differs between two is found by it.
type States struct {
	codec   *snapshot.Codec
	objects *Objects
	slots   int

	states  pool[*State]
	pages   pool[*page]
	known   pool[*object]
	last    []*page // that was coded last, by its place in the list
	edges   []Edge  // that were coded last
	nothing *page
}

// pool numbers what was coded.
type pool[P comparable] struct {
	numbers map[P]int
	list    []P
}

// NewStates codes states by a codec.
func NewStates(c *snapshot.Codec, objects *Objects) *States {
	return &States{codec: c, objects: objects, slots: len(objects.dims.order) + 1, nothing: &page{}}
}

// shared codes one of a pool: 0 for nil, the number from the last on of what was coded
// before, or one more and what it is.
func shared[P comparable](c *snapshot.Codec, pool *pool[P], p *P, fresh func(*P)) {
	var null P
	n := 0
	if !c.Reading() && *p != null {
		at, known := pool.numbers[*p]
		if n = len(pool.list) + 1; known {
			n = len(pool.list) - at
		}
	}
	snapshot.Within(c, &n, 0, len(pool.list)+2)
	switch {
	case n == 0:
		*p = null
	case n <= len(pool.list):
		*p = pool.list[len(pool.list)-n]
	default:
		fresh(p)
		if pool.numbers == nil {
			pool.numbers = map[P]int{}
		}
		if !c.Reading() {
			pool.numbers[*p] = len(pool.list)
		}
		pool.list = append(pool.list, *p)
	}
}

// Code codes a state. It may be nil.
func (p *States) Code(s **State) {
	c := p.codec
	shared(c, &p.states, s, func(s **State) {
		if c.Reading() {
			*s = New(p.objects)
		}
		p.state(*s)
	})
}

func (p *States) state(s *State) {
	c := p.codec
	c.Flags(&s.looped, &s.CloseWorld)
	if g := s.Objects.Stages; g != nil {
		snapshot.Within(c, &s.staged, 0, len(g.Parts)+1)
	}
	p.objects.CodeList(c, &s.unsure)
	snapshot.List(c, &s.anchors, func(a *anchor) {
		p.objects.CodeOne(c, &a.agent)
		p.objects.Code(c, &a.at)
	})
	snapshot.Like(c, &s.edges.list, p.edges, func(a, b *Edge) bool { return *a == *b }, func(e *Edge) { p.objects.CodeEdge(c, e) })
	p.edges = s.edges.list
	snapshot.List(c, &s.objects.pages, func(*(*page)) {})
	if c.Err() != nil {
		return
	}
	if len(s.objects.pages) > (len(p.objects.Items)+pageSize-1)>>pageBits {
		c.Fail("a state has more objects than there are")
		return
	}
	for i := range s.objects.pages {
		for i >= len(p.last) {
			p.last = append(p.last, p.nothing)
		}
		shared(c, &p.pages, &s.objects.pages[i], func(g **page) { p.page(g, i) })
		if s.objects.pages[i] != nil {
			p.last[i] = s.objects.pages[i]
		}
	}
	if c.Reading() && c.Err() == nil && !s.consistent() {
		c.Fail("what lies in what does not fit together")
	}
}

// page codes a page by what is otherwise than in the one coded before.
func (p *States) page(g **page, number int) {
	c, before := p.codec, p.last[number]
	n, at := 0, -1
	if !c.Reading() {
		for i, o := range (*g).objects {
			if o != before.objects[i] {
				n++
			}
		}
	} else {
		c.Take(int(unsafe.Sizeof(page{})))
		*g = &page{objects: before.objects}
	}
	c.Count(&n, 0)
	for i := 0; n > 0 && c.Err() == nil; i++ {
		if !c.Reading() && (*g).objects[i] == before.objects[i] {
			continue
		}
		from := at + 1
		at = i
		snapshot.After(c, &at, from)
		if at < from || at >= pageSize || number<<pageBits+at >= len(p.objects.Items) {
			c.Fail("a state has an object that is not there")
			return
		}
		shared(c, &p.known, &(*g).objects[at], p.object)
		n--
	}
}

// object codes what is known of an object.
func (p *States) object(o **object) {
	c := p.codec
	if c.Reading() {
		c.Take(int(unsafe.Sizeof(object{})) + p.slots*int(unsafe.Sizeof(Value{})))
		*o = &object{}
	}
	v := *o
	single := v.next == Nothing && v.before == Nothing
	empty := v.first == Nothing
	c.Flags(&v.gone, &v.changed, &single, &empty)
	if c.Reading() {
		v.first, v.next, v.before = Nothing, Nothing, Nothing
	}
	if !empty {
		p.objects.CodeOne(c, &v.first)
	}
	if !single {
		p.objects.Code(c, &v.next)
		p.objects.Code(c, &v.before)
	}
	n := 0
	for i := range v.vals {
		if v.vals[i].value() != unknownValue {
			n++
		}
	}
	c.Count(&n, 0)
	slot := int32(-1)
	for i := 0; n > 0 && c.Err() == nil; i++ {
		value := unknownValue
		from := slot + 1
		if !c.Reading() {
			if value = v.vals[i].value(); value == unknownValue {
				continue
			}
			slot = int32(v.vals[i].slot)
		}
		snapshot.After(c, &slot, from)
		if slot < from || int(slot) >= p.slots {
			c.Fail("an object has a state of a dimension that is not there")
			return
		}
		p.objects.CodeValue(c, &value, 0)
		if c.Reading() {
			if v.vals.set(slot, value); slot != PlaceSlot && value.At != Nothing {
				c.Fail("an object has a place for a state")
			}
		}
		n--
	}
	snapshot.List(c, &v.links, func(l *Link) { p.objects.codeLink(c, l) })
}

// codeLink codes a lasting relation.
func (t *Objects) codeLink(c *snapshot.Codec, l *Link) {
	weak, strong := l.Status&1 != 0, l.Status&2 != 0
	c.Flags(&l.From, &l.Ended, &weak, &strong)
	if c.Reading() {
		l.Status = 0
		if weak {
			l.Status |= 1
		}
		if strong {
			l.Status |= 2
		}
	}
	snapshot.Within(c, &l.Relation, 0, len(t.Onto.Terms))
	t.CodeOne(c, &l.Other)
	snapshot.After(c, &l.Since, 0)
}

// CodeValue codes the value of a fluent, which mostly holds since a step.
func (t *Objects) CodeValue(c *snapshot.Codec, v *Value, step int32) {
	weak, strong := v.Status&1 != 0, v.Status&2 != 0
	term, at, now, measured := v.Term != ontology.None, v.At != Nothing, v.Since == step, v.Number != 0
	c.Flags(&weak, &strong, &term, &at, &now, &measured)
	if c.Reading() {
		*v = Value{Term: ontology.None, At: Nothing, Since: step}
		if weak {
			v.Status |= 1
		}
		if strong {
			v.Status |= 2
		}
	}
	if term {
		snapshot.Within(c, &v.Term, 0, len(t.Onto.Terms))
	}
	if at {
		t.CodeOne(c, &v.At)
	}
	if !now {
		snapshot.After(c, &v.Since, step)
	}
	if measured {
		snapshot.Int(c, &v.Number)
	}
}

// consistent reports whether what lies in or on each object is listed once, and nothing
// else is.
func (s *State) consistent() bool {
	placed, listed := 0, 0
	for i := range s.Objects.Items {
		x := Object(i)
		o := s.objects.at(x)
		if o == nil {
			continue
		}
		if o.vals.get(PlaceSlot).At != Nothing {
			placed++
		} else if o.next != Nothing || o.before != Nothing {
			return false
		}
		before := Nothing
		for y := o.first; y != Nothing; y = s.objects.at(y).next {
			in := s.objects.at(y)
			if listed++; in == nil || in.before != before || in.vals.get(PlaceSlot).At != x || listed > len(s.Objects.Items) {
				return false
			}
			before = y
		}
	}
	return placed == listed
}

// CodeCall codes an action with its objects.
func (t *Objects) CodeCall(c *snapshot.Codec, call *Call) {
	CodeSchema(c, t.Onto, &call.Schema)
	t.Code(c, &call.Agent)
	t.Code(c, &call.Gripper)
	t.Code(c, &call.Target)
	t.Code(c, &call.Destination)
	snapshot.List(c, &call.Values, func(a *Amount) {
		snapshot.Within(c, &a.Quantity, 0, len(t.Onto.Terms))
		snapshot.Int(c, &a.Number)
	})
	snapshot.List(c, &call.Further, func(x *Object) { t.Code(c, x) })
}

// CodeSchema codes an action of the ontology, or one that it does not have.
func CodeSchema(c *snapshot.Codec, o *ontology.Ontology, a **ontology.ActionSchema) {
	n := len(o.Actions)
	if !c.Reading() {
		if n = slices.Index(o.Actions, *a); n < 0 {
			n = len(o.Actions)
		}
	}
	snapshot.Within(c, &n, 0, len(o.Actions)+1)
	if n < len(o.Actions) {
		*a = o.Actions[n]
		return
	}
	name := ""
	if !c.Reading() {
		name = (*a).Name
	}
	c.Text(&name)
	if c.Reading() {
		*a = ontology.Unknown(name)
	}
}

// CodeViolation codes a condition of an action that did not hold.
func (t *Objects) CodeViolation(c *snapshot.Codec, of *ontology.ActionSchema, v *Violation) {
	c.Text(&v.Name)
	c.Text(&v.Comment)
	t.Code(c, &v.Culprit)
	slots := int32(len(t.dims.order)) + 1
	snapshot.List(c, &v.Touched, func(f *Fluent) {
		t.Code(c, &f.Obj)
		snapshot.Within(c, &f.Slot, -1, int(slots))
	})
	n := 0
	if !c.Reading() {
		n = conditionIndex(of, v.Condition)
	}
	snapshot.Within(c, &n, 0, 1+len(of.Preconditions)+len(of.Norms))
	if c.Reading() {
		v.Condition = condition(of, n)
	}
	snapshot.List(c, &v.About, func(x *Object) { t.Code(c, x) })
	snapshot.List(c, &v.Binding, func(r *Ref) {
		snapshot.Within(c, r, -1-len(t.Onto.Terms), len(t.Items))
	})
}

func condition(of *ontology.ActionSchema, n int) *ontology.Condition {
	switch {
	case n == 0:
		return nil
	case n <= len(of.Preconditions):
		return &of.Preconditions[n-1]
	}
	return &of.Norms[n-1-len(of.Preconditions)]
}

func conditionIndex(of *ontology.ActionSchema, c *ontology.Condition) int {
	for n := 1; n <= len(of.Preconditions)+len(of.Norms); n++ {
		if condition(of, n) == c {
			return n
		}
	}
	return 0
}
