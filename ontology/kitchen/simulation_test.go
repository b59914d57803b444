package kitchen_test

import (
	"testing"

	"github.com/mishap-robotics/mishap/ontology"
	"github.com/mishap-robotics/mishap/ontology/kitchen"
)

func TestShippedHasNoProblems(t *testing.T) {
	_, problems, err := kitchen.Parse(ontology.Shipped(), kitchen.Shipped())
	if err != nil {
		t.Error(err)
	}
	for _, p := range problems {
		t.Error(p)
	}
}

// The reasoner's own ontology knows nothing of accidents.
func TestReasonerKnowsNothingOfAccidents(t *testing.T) {
	o := ontology.Default()
	if len(o.Zones)+len(o.Injections)+len(o.Scenarios) > 0 {
		t.Error("the built-in ontology holds simulation data")
	}
	if _, ok := o.Lookup("falling"); ok {
		t.Error("the built-in ontology knows of falling")
	}
}
