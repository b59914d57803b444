package datalog

import (
	"testing"

	"github.com/mishap-robotics/mishap/ontology"
	"github.com/mishap-robotics/mishap/ontology/document"
	"github.com/mishap-robotics/mishap/rules"
)

// What is only asked whether it holds is one code for all rules, with a copy of its own where
// it is asked about later steps.
func TestAskedIsCompiledOnce(t *testing.T) {
	text := "failure('DirtyObjFailure', S, S, [O]) :- target(S, O), \\+ shown(S, O).\n" +
		"failure('BurntFoodFailure', S, S, [O]) :- seen(S, O), once(shown(S, O)).\n" +
		"failure('SpilledFailure', S, S, [O]) :- target(S, O), prev(S, P), \\+ shown(P, O).\n" +
		"failure('FallenObjFailure', S, S, [O, O]) :- target(S, O), seen(T, O), T > S, \\+ shown(T, O).\n" +
		"shown(S, O) :- seen(S, O), observed(S).\nshown(S, O) :- seen(T, O), T < S.\n"
	p, err := rules.Load([]document.Document{{Name: "t.pl", Data: []byte(text)}})
	if err != nil {
		t.Fatal(err)
	}
	made := Compile(p, ontology.Default())
	var asked []*code
	var ahead []bool
	for _, r := range made.failures {
		c, reason := r.as(anchored)
		if reason != nil {
			t.Fatal(reason)
		}
		for _, op := range c.ops {
			if op.kind == opProve {
				asked = append(asked, op.proves)
				ahead = append(ahead, op.proves.ahead)
			}
		}
	}
	if len(asked) != 4 {
		t.Fatalf("%d codes are asked, want one by each rule", len(asked))
	}
	if asked[0] != asked[1] || asked[0] != asked[2] || asked[0] == asked[3] {
		t.Errorf("the rules ask %p; want one code for the first three, and another for the last", asked)
	}
	if ahead[0] || !ahead[3] {
		t.Errorf("that they may look at later steps is %v; want it of the last alone", ahead)
	}
	if n := len(made.answering); n != 2 {
		t.Errorf("the helper predicate is compiled in %d ways, want two: to conclude and to prove", n)
	}
}
