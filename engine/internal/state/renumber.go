package state

import (
	"slices"

	"github.com/mishap-robotics/mishap/ontology"
)

// reindex finds anew what follows from the items of the table.
func (t *Objects) reindex() {
	t.every, t.own, t.coined, t.exact, t.pieces = nil, nil, nil, map[ontology.TermID][]Object{}, map[Object][]Object{}
	t.byClass.Clear()
	t.byProperty.Clear()
	t.byWhole.Clear()
	t.kinds = ontology.Kinds{}
	for i := range t.Items {
		x, item := Object(i), &t.Items[i]
		if len(t.exact[item.Class]) == 0 {
			t.Onto.AddKind(&t.kinds, item.Class)
		}
		for _, class := range item.Also {
			t.Onto.AddKind(&t.kinds, class)
		}
		t.every = append(t.every, x)
		t.exact[item.Class] = append(t.exact[item.Class], x)
		if len(item.Props) > 0 {
			t.own = append(t.own, x)
		}
		if item.Coined {
			t.coined = append(t.coined, x)
		}
		if item.Origin != Nothing {
			t.pieces[item.Origin] = append(t.pieces[item.Origin], x)
		}
	}
}

// A Renumbering says which number each object of a table has once some of them are
// forgotten: Nothing for those, and an ascending one for the others. What the place, the
// contents and the origin of an object that stays name stays too.
type Renumbering struct {
	to   []Object
	left int
	// Versions of objects and pages that states share they share afterwards.
	done  map[*State]bool
	known map[version]*object
	pages []*page   // of the state before
	were  []version // that those have
}

// version is what a state knows of an object, among what lies where it does.
type version struct {
	of                  *object
	first, next, before Object
}

// NewRenumbering keeps the objects of which keep says so.
func NewRenumbering(keep []bool) *Renumbering {
	r := &Renumbering{to: make([]Object, len(keep)), done: map[*State]bool{}, known: map[version]*object{}}
	for x, stays := range keep {
		if r.to[x] = Nothing; stays {
			r.to[x] = Object(r.left)
			r.left++
		}
	}
	return r
}

// Left is how many objects there are afterwards.
func (r *Renumbering) Left() int { return r.left }

// Of is the number that an object has, Nothing for one that is forgotten.
func (r *Renumbering) Of(x Object) Object {
	if x == Nothing {
		return Nothing
	}
	return r.to[x]
}

// In puts its number in the place of an object, and reports whether it stays.
func (r *Renumbering) In(x *Object) bool {
	*x = r.Of(*x)
	return *x != Nothing
}

// List is a list of objects without those that are forgotten.
func (r *Renumbering) List(list []Object) []Object {
	var out []Object
	for _, x := range list {
		if r.In(&x) {
			out = append(out, x)
		}
	}
	return out
}

// Call renumbers the objects of a call.
func (r *Renumbering) Call(c *Call) {
	for _, x := range []*Object{&c.Agent, &c.Gripper, &c.Target, &c.Destination} {
		r.In(x)
	}
	c.Further = slices.Clone(c.Further)
	for i := range c.Further {
		r.In(&c.Further[i])
	}
}

// Edges are edges without those of objects that are forgotten.
func (r *Renumbering) Edges(list []Edge) []Edge {
	var out []Edge
	for _, e := range list {
		subject, object := r.In(&e.Subject), r.In(&e.Object)
		if subject && object {
			out = append(out, e)
		}
	}
	return out
}

// Violation renumbers the objects of a violation.
func (r *Renumbering) Violation(v *Violation) {
	r.In(&v.Culprit)
	touched := make([]Fluent, 0, len(v.Touched))
	for _, f := range v.Touched {
		if r.In(&f.Obj) {
			touched = append(touched, f)
		}
	}
	v.Touched, v.Binding, v.About = touched, slices.Clone(v.Binding), slices.Clone(v.About)
	for i := range v.About {
		r.In(&v.About[i])
	}
	for i, ref := range v.Binding {
		if ref >= 0 {
			v.Binding[i] = ObjectRef(r.Of(ref.Object()))
		}
	}
}

// Renumbered is a map by objects without those that are forgotten.
func Renumbered[V any](r *Renumbering, m map[Object]V) map[Object]V {
	if m == nil {
		return nil
	}
	out := make(map[Object]V, len(m))
	for x, v := range m {
		if r.In(&x) {
			out[x] = v
		}
	}
	return out
}

// Objects renumbers a table of objects.
func (r *Renumbering) Objects(t *Objects) {
	items := make([]Item, 0, r.left)
	for x, item := range t.Items {
		if r.to[x] != Nothing {
			r.In(&item.Origin)
			items = append(items, item)
		}
	}
	t.Items = items
	for _, names := range []*map[string]Object{&t.byName, &t.bySpelling} {
		out := map[string]Object{}
		for name, x := range *names {
			if r.In(&x) {
				out[name] = x
			}
		}
		*names = out
	}
	unknown := map[string][]Object{}
	for word, list := range t.unknown {
		if list = r.List(list); len(list) > 0 {
			unknown[word] = list
		}
	}
	t.unknown = unknown
	t.revision++
	t.reindex()
}

// State renumbers what a state knows. It may be nil.
func (r *Renumbering) State(s *State) {
	if s == nil || r.done[s] {
		return
	}
	r.done[s] = true
	versions := make([]version, r.left)
	for x := range s.objects.all() {
		if n := r.Of(x); n != Nothing {
			versions[n] = version{s.objects.at(x), Nothing, Nothing, Nothing}
		}
	}
	for n := range versions {
		if versions[n].of == nil {
			continue
		}
		last := Nothing
		for y := versions[n].of.first; y != Nothing; y = s.objects.at(y).next {
			in := r.Of(y)
			if in == Nothing {
				continue
			}
			if versions[in].before = last; last == Nothing {
				versions[n].first = in
			} else {
				versions[last].next = in
			}
			last = in
		}
	}
	s.objects = table{pages: r.paged(versions)}
	s.edges = edges{list: r.Edges(s.edges.list)}
	s.unsure = r.List(s.unsure)
	anchors := make([]anchor, 0, len(s.anchors))
	for _, a := range s.anchors {
		if r.In(&a.agent) {
			r.In(&a.at)
			anchors = append(anchors, a)
		}
	}
	s.anchors = anchors
}

// paged puts versions of objects on pages. Most are as they were in the state before.
func (r *Renumbering) paged(versions []version) []*page {
	pages := make([]*page, (len(versions)+pageSize-1)>>pageBits)
	for i := range pages {
		from, to := i<<pageBits, min(len(versions), (i+1)<<pageBits)
		if r.were != nil && slices.Equal(versions[from:to], r.were[from:to]) {
			pages[i] = r.pages[i]
			continue
		}
		p := &page{}
		for j, v := range versions[from:to] {
			p.objects[j] = r.object(v)
		}
		pages[i] = p
	}
	r.pages, r.were = pages, versions
	return pages
}

func (r *Renumbering) object(v version) *object {
	if v.of == nil {
		return nil
	}
	if o, ok := r.known[v]; ok {
		return o
	}
	o := &object{gone: v.of.gone, changed: v.of.changed, first: v.first, next: v.next, before: v.before, vals: slices.Clone(v.of.vals)}
	for i := range o.vals {
		r.In(&o.vals[i].at)
	}
	for _, l := range v.of.links {
		if r.In(&l.Other) {
			o.links = append(o.links, l)
		}
	}
	r.known[v] = o
	return o
}
