package state

import (
	"fmt"
	"maps"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/mishap-robotics/mishap/ontology"
)

// plain is a state that copies all it knows: what State is to be like.
type plain struct {
	values map[Fluent]Value
	gone   map[Object]bool
	edges  []Edge
	anchor Object
}

func (p *plain) clone() *plain {
	return &plain{maps.Clone(p.values), maps.Clone(p.gone), slices.Clone(p.edges), p.anchor}
}

func (p *plain) get(f Fluent) Value {
	if v, ok := p.values[f]; ok {
		return v
	}
	return unknownValue
}

func (p *plain) set(f Fluent, v Value) {
	if old := p.get(f); old.Same(v) && old.Status != Unknown {
		v.Since, v.Status = old.Since, max(v.Status, old.Status)
	}
	p.values[f] = v
}

func (p *plain) dropEdges(x Object) {
	p.edges = slices.DeleteFunc(p.edges, func(e Edge) bool { return e.Subject == x || e.Object == x })
}

func (p *plain) forget(f Fluent, step int32) {
	v := unknownValue
	v.Since = step
	p.values[f] = v
	if f.Slot == PlaceSlot {
		p.dropEdges(f.Obj)
	}
}

func (p *plain) add(e Edge) {
	if !slices.Contains(p.edges, e) {
		p.edges = append(p.edges, e)
	}
}

func (p *plain) held(x Object, n int) []Object {
	var out []Object
	for i := range n {
		if p.get(Fluent{Object(i), PlaceSlot}).At == x {
			out = append(out, Object(i))
		}
	}
	return out
}

// Whatever is changed in copies, each stays what a state is that shares nothing, and what
// is told to differ between two is all that does.
func TestCopies(t *testing.T) {
	o := ontology.Default()
	const n = 150 // objects, of several pages
	objects := NewObjects(o)
	for i := range n {
		objects.Add(fmt.Sprintf("Mug-%d", i+1), o.Term("Mug"))
	}
	near := o.Core.Near
	rapid.Check(t, func(t *rapid.T) {
		states, like := []*State{New(objects)}, []*plain{{map[Fluent]Value{}, map[Object]bool{}, nil, Nothing}}
		object := func() Object { // few of one page and some of another
			return Object(rapid.SampledFrom([]int{0, 1, 2, 3, 63, 64, n - 1}).Draw(t, "object"))
		}
		for step := range int32(rapid.IntRange(1, 60).Draw(t, "steps")) {
			i := rapid.IntRange(0, len(states)-1).Draw(t, "state")
			s, p := states[i], like[i]
			x, y := object(), object()
			slot := rapid.Int32Range(0, s.Slots()-1).Draw(t, "slot")
			switch rapid.IntRange(0, 9).Draw(t, "kind") {
			case 0:
				states, like = append(states, s.Clone()), append(like, p.clone())
			case 1, 2:
				if x == y {
					continue
				}
				v := Value{o.Core.Inside, y, rapid.SampledFrom([]Status{Assumed, Predicted, Observed}).Draw(t, "status"), step, 0}
				s.Set(Fluent{x, PlaceSlot}, v)
				p.set(Fluent{x, PlaceSlot}, v)
			case 3:
				v := Value{o.Roles.Enclosing, Nothing, Observed, step, 0}
				s.Set(Fluent{x, max(1, slot)}, v)
				p.set(Fluent{x, max(1, slot)}, v)
			case 4:
				s.Forget(Fluent{x, slot}, step)
				p.forget(Fluent{x, slot}, step)
			case 5:
				s.Remove(x, step)
				p.gone[x] = true
				p.forget(Fluent{x, PlaceSlot}, step)
			case 6:
				s.Restore(x)
				p.gone[x] = false
			case 7:
				for range rapid.IntRange(1, 20).Draw(t, "edges") {
					e := Edge{object(), near, object()}
					s.addEdge(e)
					p.add(e)
				}
				s.SetAnchor(0, x)
				p.anchor = x
			case 8:
				from := rapid.IntRange(0, len(states)-1).Draw(t, "from")
				s.CopyEdges(states[from])
				p.edges = slices.Clone(like[from].edges)
			case 9:
				at := Fluent{y, PlaceSlot}
				s.Together(func() {
					s.Forget(Fluent{x, slot}, step)
					s.Together(func() { s.Forget(at, step) })
					s.Remove(x, step)
				})
				p.forget(Fluent{x, slot}, step)
				p.forget(at, step)
				p.gone[x] = true
				p.forget(Fluent{x, PlaceSlot}, step)
			}
		}
		for i, s := range states {
			compareWith(t, s, like[i], n)
			for j, other := range states {
				told := slices.Collect(Differing(s, other))
				if !slices.IsSorted(told) {
					t.Fatal("what differs is not in order")
				}
				for x := range Object(n) {
					same := s.Gone(x) == other.Gone(x)
					for slot := range s.Slots() {
						same = same && s.Get(Fluent{x, slot}) == other.Get(Fluent{x, slot})
					}
					if !same && !slices.Contains(told, x) {
						t.Fatalf("%d differs between %d and %d and is not told", x, i, j)
					}
				}
			}
		}
	})
}

func compareWith(t *rapid.T, s *State, p *plain, n int) {
	for x := range Object(n) {
		if s.Gone(x) != p.gone[x] {
			t.Fatalf("%d is gone: %v", x, s.Gone(x))
		}
		for slot := range s.Slots() {
			if f := (Fluent{x, slot}); s.Get(f) != p.get(f) {
				t.Fatalf("%v is %v; expected %v", f, s.Get(f), p.get(f))
			}
		}
		if !slices.Equal(s.Held(x), p.held(x, n)) {
			t.Fatalf("%d holds %v; expected %v", x, s.Held(x), p.held(x, n))
		}
	}
	if !slices.Equal(s.Edges(), p.edges) || s.Anchor(0) != p.anchor {
		t.Fatalf("edges %v, anchor %d; expected %v, %d", s.Edges(), s.Anchor(0), p.edges, p.anchor)
	}
	for _, e := range p.edges {
		if !s.HasEdge(e.Subject, e.Relation, e.Object) {
			t.Fatalf("%v is not found", e)
		}
	}
}

// What the places of objects rule out is no match: processes and conditions match the
// same, in the same order, where all objects are tried.
func TestMatchesByPlace(t *testing.T) {
	o := ontology.Default()
	classes := []string{"Robot", "RobotGripper", "Mug", "Bowl", "Apple", "Faucet", "SinkBasin", "Sink", "Microwave", "Fridge", "StoveBurner", "Pan", "CoffeeMachine", "Toaster", "Bread", "Floor"}
	var conditions []ontology.Condition
	for _, a := range o.Actions {
		conditions = append(append(conditions, a.Preconditions...), a.Norms...)
	}
	var relations, properties []ontology.TermID
	for i := range o.Terms {
		if p := ontology.TermID(i); o.HasType(p, o.Core.PhysicalProperty) || o.HasType(p, o.Core.Material) {
			properties = append(properties, p)
		}
		if r := ontology.TermID(i); o.HasType(r, o.Core.Relation) && !o.IsSub(r, o.Core.Within) {
			relations = append(relations, r)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		objects := NewObjects(o)
		for i := range 20 {
			class := rapid.SampledFrom(classes).Draw(t, "class")
			if i < 2 {
				class = classes[i]
			}
			if id, ok := o.Lookup(class); ok {
				objects.Fresh(id)
			} else {
				objects.Add(fmt.Sprint("thing-", i), ontology.None)
			}
		}
		for range rapid.IntRange(0, 12).Draw(t, "properties") {
			objects.AddProperty(Object(rapid.IntRange(2, len(objects.Items)-1).Draw(t, "object")), rapid.SampledFrom(properties).Draw(t, "property"))
			if rapid.Bool().Draw(t, "ask") { // what is kept is added to
				objects.perhaps(rapid.SampledFrom(properties).Draw(t, "property"))
				objects.Fresh(o.Term(rapid.SampledFrom([]string{"Floor", "Mug"}).Draw(t, "class")))
			}
		}
		if rapid.Bool().Draw(t, "copied") {
			objects = objects.Clone()
		}
		s := New(objects)
		n := len(objects.Items)
		draw := func() Object { return Object(rapid.IntRange(0, n-1).Draw(t, "object")) }
		for range rapid.IntRange(0, 40).Draw(t, "facts") {
			status := rapid.SampledFrom([]Status{Assumed, Predicted, Observed}).Draw(t, "status")
			if rapid.IntRange(0, 3).Draw(t, "edge") == 0 {
				s.AddEdge(draw(), rapid.SampledFrom(relations).Draw(t, "relation"), draw())
			} else if rapid.Bool().Draw(t, "place") {
				s.SetPlace(draw(), rapid.SampledFrom([]ontology.TermID{o.Core.Inside, o.Core.OnTopOf}).Draw(t, "relation"), draw(), status, 1)
			} else {
				s.SetState(draw(), rapid.SampledFrom([]ontology.TermID{o.Roles.Running, o.Roles.Enclosing, o.Term("hot"), o.Term("filled")}).Draw(t, "term"), status, 1)
			}
		}
		var read []Fluent
		some := Query{State: s, Agent: 0, Gripper: 1}
		every := some
		every.Touched = &read
		agree := func(patterns []ontology.Pattern, b Binding) {
			var got, want []Binding
			some.Each(patterns, b, AssumedTrue, func(w Binding) { got = append(got, slices.Clone(w)) })
			every.Each(patterns, b, AssumedTrue, func(w Binding) { want = append(want, slices.Clone(w)) })
			if !slices.EqualFunc(got, want, slices.Equal) {
				t.Fatalf("%v matches %v; expected %v", patterns, got, want)
			}
			truth, at := some.AtLeast(patterns, b, AssumedTrue)
			if best, under := every.Best(patterns, b); best >= AssumedTrue && (truth != best || !slices.Equal(at, under)) || best < AssumedTrue && truth >= AssumedTrue {
				t.Fatalf("%v is %d by %v; expected %d by %v", patterns, truth, at, best, under)
			}
		}
		for _, p := range o.Processes {
			agree(p.When, NewBinding(len(p.Vars)))
		}
		for i := range conditions {
			c := &conditions[i]
			b := NewBinding(12)
			b[ontology.VarAgent], b[ontology.VarGripper], b[ontology.VarTarget], b[ontology.VarDestination] = 0, 1, ObjectRef(draw()), ObjectRef(draw())
			agree(c.When, b)
			agree(c.Forbids, b)
			got, _ := every.Best(c.Requires, b)
			forbidden, _ := every.Best(c.Forbids, b)
			violated := len(c.Requires) > 0 && got <= AssumedFalse || len(c.Forbids) > 0 && forbidden >= AssumedTrue
			if some.upholds(c, b) == violated {
				t.Fatalf("%s is violated: %v", c.Name, violated)
			}
		}
	})
}
