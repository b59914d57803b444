package datalog

import (
	"testing"

	"github.com/mishap-robotics/mishap/engine/internal/fact"
	"github.com/mishap-robotics/mishap/ontology"
	"github.com/mishap-robotics/mishap/ontology/document"
	"github.com/mishap-robotics/mishap/rules"
)

// A name that only a host gives has one value until the evaluator turns to other facts, and
// is not kept beyond that; one that a rule or a fact has is theirs.
func TestNamesOfHosts(t *testing.T) {
	p, err := rules.Load([]document.Document{{Name: "t.pl", Data: []byte("failure('DirtyObjFailure', S, S, [O]) :- target(S, O), O \\== 'Of-rule'.")}})
	if err != nil {
		t.Fatal(err)
	}
	goals, err := rules.ParseGoal("target(1, 'Of-fact')")
	if err != nil {
		t.Fatal(err)
	}
	x, err := fact.Given(ontology.Default(), goals)
	if err != nil {
		t.Fatal(err)
	}
	program := Compile(p, ontology.Default())
	e := program.Evaluator(x)
	seen := map[int64]string{}
	for range 2 {
		for _, name := range []string{"Of-rule", "Of-fact", "Of-host", "Of-host-too", "Mug"} {
			v := e.hostValue(&rules.Term{Kind: rules.Atom, Name: name})
			if had, ok := seen[v]; ok && had != name || e.name(v) != name {
				t.Errorf("%s has the value %d, as %s; its name is %s", name, v, had, e.name(v))
			}
			seen[v] = name
		}
	}
	if len(seen) != 5 || len(e.ownNames) != 2 {
		t.Errorf("%d values, of which %d are the evaluator's own; want 5 and 2", len(seen), len(e.ownNames))
	}
	if own, again := e.hostValue(&rules.Term{Name: "Of-host"}), e.symbol("Of-host"); own != again {
		t.Errorf("the name of a host has the value %d, and %d when a goal mentions it", own, again)
	}
	if e.Use(x); len(e.ownNames)+len(e.own) > 0 {
		t.Errorf("%q are kept", e.ownNames)
	}
}
