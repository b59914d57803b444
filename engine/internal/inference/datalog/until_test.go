package datalog

import (
	"testing"

	"github.com/mishap-robotics/mishap/ontology"
	"github.com/mishap-robotics/mishap/rules"
)

// Which helper predicates that hold with a step hold with any later one.
func TestHoldsLater(t *testing.T) {
	p := Compile(rules.Default(), ontology.Default())
	holds := map[string]bool{}
	for _, c := range rules.Default().Clauses {
		for at, a := range c.Head.Args {
			if a.Kind == rules.Variable {
				holds[c.Head.Indicator().String()+" "+a.Name] = p.holdsLater(c.Head, at)
			}
		}
	}
	for name, want := range map[string]bool{
		"own_between/3 T": true, "own_between/3 S": false, "put_before/3 T": true, "seen_between/3 T": true, "seen_between/3 S": false,
		"shown_from/2 S": false, "shown_by/2 P": false, "handled/3 T": true, "arrived/2 S": false,
	} {
		if got, there := holds[name]; got != want || !there {
			t.Errorf("%s: %v, want %v (known: %v)", name, got, want, there)
		}
	}
}
