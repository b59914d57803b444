package state

import (
	"iter"
	"slices"
	"sync/atomic"
)

// object is what a state knows of an object.
type object struct {
	owner   int64 // of the state that may change it
	gone    bool
	changed bool // since Settle
	// What lies in or on it is a list: the first of it, and the neighbours of each.
	first, next, before Object
	vals                values
	links               []Link // lasting relations to others
}

// A table has pages of this many objects.
const (
	pageBits = 5
	pageSize = 1 << pageBits
)

type page struct {
	owner   int64
	objects [pageSize]*object // nil where nothing is known
}

// table holds what a state knows of each object. Copies share pages and objects; who
// changes one that is not its own copies it first.
type table struct {
	owner int64 // 0 where even the list of pages may be another's
	pages []*page
}

// owners numbers those who may change something.
var owners atomic.Int64

// share is a copy; neither owns what both have.
func (t *table) share() table {
	if atomic.LoadInt64(&t.owner) != 0 {
		atomic.StoreInt64(&t.owner, 0)
	}
	return table{pages: t.pages}
}

func (t *table) at(x Object) *object {
	i := int(x) >> pageBits
	if x < 0 || i >= len(t.pages) || t.pages[i] == nil {
		return nil
	}
	return t.pages[i].objects[x&(pageSize-1)]
}

// own gives the table an owner, if only of the list of pages, and returns it.
func (t *table) own() int64 {
	if t.owner == 0 {
		t.owner, t.pages = owners.Add(1), slices.Clone(t.pages)
	}
	return t.owner
}

// change is an object that may be changed.
func (t *table) change(x Object) *object {
	i := int(x) >> pageBits
	t.own()
	for i >= len(t.pages) {
		t.pages = append(t.pages, nil)
	}
	p := t.pages[i]
	switch {
	case p == nil:
		p = &page{owner: t.owner}
	case p.owner != t.owner:
		p = &page{t.owner, p.objects}
	}
	t.pages[i] = p
	o := p.objects[x&(pageSize-1)]
	switch {
	case o == nil:
		o = &object{owner: t.owner, first: Nothing, next: Nothing, before: Nothing}
	case o.owner != t.owner:
		c := *o
		c.owner, c.vals, c.links = t.owner, slices.Clone(o.vals), slices.Clone(o.links)
		o = &c
	}
	p.objects[x&(pageSize-1)] = o
	return o
}

// moved puts an object in the list of what lies where it is now.
func (t *table) moved(x, from, to Object) {
	o := t.change(x)
	if from != Nothing {
		if o.before == Nothing {
			t.change(from).first = o.next
		} else {
			t.change(o.before).next = o.next
		}
		if o.next != Nothing {
			t.change(o.next).before = o.before
		}
	}
	o.before, o.next = Nothing, Nothing
	if to != Nothing {
		in := t.change(to)
		if o.next = in.first; o.next != Nothing {
			t.change(o.next).before = x
		}
		in.first = x
	}
}

// contents lists what lies in or on an object, in table order.
func (t *table) contents(of Object) []Object {
	o := t.at(of)
	if o == nil || o.first == Nothing {
		return nil
	}
	var out []Object
	for x := o.first; x != Nothing; x = t.at(x).next {
		out = append(out, x)
	}
	slices.Sort(out)
	return out
}

// all visits the objects of which something is known.
func (t *table) all() iter.Seq[Object] { return differing(t, &table{}) }

func (t *table) page(i int) *page {
	if i < len(t.pages) {
		return t.pages[i]
	}
	return nil
}

func differing(t, u *table) iter.Seq[Object] {
	return func(yield func(Object) bool) {
		if len(t.pages) == len(u.pages) && (len(t.pages) == 0 || &t.pages[0] == &u.pages[0]) {
			return
		}
		var none page
		for i := range max(len(t.pages), len(u.pages)) {
			p, q := t.page(i), u.page(i)
			if p == q {
				continue
			}
			if p == nil {
				p = &none
			}
			if q == nil {
				q = &none
			}
			for j := range p.objects {
				if p.objects[j] != q.objects[j] && !yield(Object(i<<pageBits|j)) {
					return
				}
			}
		}
	}
}
