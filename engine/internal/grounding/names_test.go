package grounding

import (
	"testing"

	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/ontology"
)

// What a look numbers 0 keeps that name, also where goal and plan named it first.
func TestNumberedFromZero(t *testing.T) {
	for _, name := range []string{"toaster_0", "toaster_1", "Toaster-0"} {
		n := New(ontology.Default(), &episode.Episode{Plan: []episode.Action{{Name: "toggle_on", Target: name}}})
		n.Object("Toaster", "") // of the goal
		planned := n.Object(name, "")
		seen := n.Object(name, "toaster")
		if planned != seen || n.Objects().Name(seen) != name {
			t.Errorf("%s is called %s, and is the planned one: %v", name, n.Objects().Name(seen), planned == seen)
		}
	}
}
