package state

import (
	"context"
	"fmt"
	"testing"

	"github.com/mishap-robotics/mishap/engine/internal/interrupt"
	"github.com/mishap-robotics/mishap/ontology"
)

// A copy of the table finds objects by every name that the table does, and goes on by itself.
func TestCloneKnowsSpellings(t *testing.T) {
	o := ontology.Default()
	objects := NewObjects(o)
	x := objects.Add("WineGlass-1", o.Term("WineGlass"))
	c := objects.Clone()
	if got, ok := c.Lookup("wine glass #1"); !ok || got != x {
		t.Errorf("the copy takes another spelling for %d, %v; want %d", got, ok, x)
	}
	if got := c.Add("wine_glass_1", o.Term("WineGlass")); got != x || len(c.Items) != 1 {
		t.Errorf("the copy adds %d to what was %d objects", got, len(c.Items))
	}
	c.Add("Mug-1", o.Term("Mug"))
	if _, ok := objects.Lookup("mug_1"); ok {
		t.Error("the table knows what was added to its copy")
	}
}

// Matching ends soon after the call that it works for, however much there is to match.
func TestMatchingEnds(t *testing.T) {
	o := ontology.Default()
	objects := NewObjects(o)
	for i := range 300 {
		objects.Add(fmt.Sprintf("Mug-%d", i+1), o.Term("Mug"))
	}
	s := New(objects)
	pattern := func(v int) ontology.Pattern {
		return ontology.Pattern{Subject: ontology.Arg{Var: v}, Predicate: o.Core.Type, Object: ontology.Arg{Var: -1, Term: o.Term("Mug")}}
	}
	pairs := []ontology.Pattern{pattern(0), pattern(1)}
	count := func() (n int) {
		Query{State: s}.Each(pairs, NewBinding(2), True, func(Binding) { n++ })
		return n
	}
	ctx, cancel := context.WithCancel(context.Background())
	objects.Interrupt = interrupt.Of(ctx)
	if n := count(); n != 300*300 {
		t.Fatalf("%d matches, want all", n)
	}
	cancel()
	if n := count(); n > 64 {
		t.Errorf("%d matches once the call is over", n)
	}
	if objects.Interrupt.Err() == nil {
		t.Error("nothing tells that matches are left out")
	}
}
