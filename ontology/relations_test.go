package ontology_test

import (
	"testing"

	"github.com/mishap-robotics/mishap/ontology"
)

func TestRelationTo(t *testing.T) {
	o := ontology.Default()
	for _, tt := range []struct{ subject, relation, object, want string }{
		{"Shirt", "part_of", "ClothesRail", "on_top_of"},
		{"Cup", "part_of", "RobotGripper", "inside"},
		{"DetergentDrawer", "part_of", "WashingMachine", "part_of"},
		{"PotLid", "part_of", "Pot", "part_of"},
		{"Shirt", "near", "ClothesRail", "near"},
		{"Cup", "below", "CoffeeMachine", "inside"},
	} {
		if got := o.Name(o.RelationTo(o.Term(tt.relation), o.Term(tt.subject), o.Term(tt.object))); got != tt.want {
			t.Errorf("%s %s %s comes to %s, want %s", tt.subject, tt.relation, tt.object, got, tt.want)
		}
	}
}

// What an action is called may be several, of which one can be done to a thing.
func TestActionOn(t *testing.T) {
	o := ontology.Default()
	for target, want := range map[string]string{"Shirt": "iron", "CoffeeMachine": "toggle_on", "Button": "toggle_on"} {
		if a, ok := o.ActionOn("press", 1, o.Term(target)); !ok || a.Name != want {
			t.Errorf("to press a %s is %v, %v; want %s", target, a, ok, want)
		}
	}
}
