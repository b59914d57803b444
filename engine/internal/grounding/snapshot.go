package grounding

import (
	"github.com/mishap-robotics/mishap/engine/internal/snapshot"
	"github.com/mishap-robotics/mishap/engine/internal/state"
	"github.com/mishap-robotics/mishap/ontology"
)

// Snapshot codes what names mean, with the table of objects.
func (n *Names) Snapshot(c *snapshot.Codec) {
	n.objects.Snapshot(c)
	n.objects.CodeOne(c, &n.Robot)
	n.objects.CodeOne(c, &n.Gripper)
	c.Text(&n.reached)
	snapshot.List(c, &n.readings, func(r *reading) {
		c.Text(&r.name)
		n.objects.CodeOne(c, &r.of)
	})
	n.objects.CodeList(c, &n.robots)
	n.objects.CodeSet(c, &n.seen)
	n.objects.CodeSet(c, &n.listed)
	snapshot.Map(c, &n.declared, func(k *string) { c.Text(k) }, func(x *state.Object) { n.objects.CodeOne(c, x) })
	snapshot.Map(c, &n.marks, func(x *state.Object) { n.objects.CodeOne(c, x) }, func(words *[]string) {
		snapshot.List(c, words, func(w *string) { c.Text(w) })
	})
	snapshot.Map(c, &n.kinds, func(x *state.Object) { n.objects.CodeOne(c, x) }, func(kind *string) { c.Text(kind) })
	if c.Reading() && (n.seen == nil || n.listed == nil) {
		c.Fail("what was seen is missing")
	}
}

// Snapshot codes the things that a detector numbered.
func (ids *Identities) Snapshot(c *snapshot.Codec) {
	snapshot.List(c, &ids.things, func(t *thing) {
		c.Text(&t.name)
		c.Text(&t.class)
		c.Text(&t.place)
		snapshot.Int(c, &t.taken)
	})
	snapshot.Map(c, &ids.byID, func(k *string) { c.Text(k) }, func(s *sight) {
		snapshot.Within(c, &s.thing, 0, len(ids.things))
		snapshot.Int(c, &s.look)
	})
	snapshot.Int(c, &ids.looks)
	c.Flags(&ids.lasting, &ids.rename)
	if c.Reading() && ids.byID == nil {
		c.Fail("the numbers of a detector are missing")
	}
}

// Snapshot codes the forms that a log tells apart.
func (f *Forms) Snapshot(c *snapshot.Codec) {
	snapshot.Set(c, &f.apart, int(ontology.None), len(f.onto.Terms))
	c.Flags(&f.begun)
	snapshot.List(c, &f.taken, func(t *inForm) {
		c.Text(&t.name)
		snapshot.Within(c, &t.form, 0, len(f.onto.Terms))
		c.Flags(&t.own)
	})
	if c.Reading() && f.apart == nil {
		c.Fail("the forms that a log tells apart are missing")
	}
}

// CodeSeen codes an observed state.
func CodeSeenValue(c *snapshot.Codec, objects *state.Objects, s *SeenValue) {
	objects.CodeOne(c, &s.Obj)
	snapshot.Within(c, &s.Quantity, 0, len(objects.Onto.Terms))
	snapshot.Int(c, &s.Number)
}

// CodeSeen codes an observed state.
func CodeSeen(c *snapshot.Codec, objects *state.Objects, s *SeenState) {
	objects.CodeOne(c, &s.Obj)
	snapshot.Within(c, &s.State, 0, len(objects.Onto.Terms))
}
