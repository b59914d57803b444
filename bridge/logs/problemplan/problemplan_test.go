package problemplan_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/mishap-robotics/mishap/bridge/internal/input"
	"github.com/mishap-robotics/mishap/bridge/logs/problemplan"
	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/ontology"
	"github.com/mishap-robotics/mishap/ontology/document"
)

// blocks is an ontology with a domain of its own.
func blocks(t testing.TB) *ontology.Ontology {
	t.Helper()
	const own = `@prefix m: <https://mishap-robotics.github.io/ontology#> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
m:Robot rdfs:subClassOf m:Agent ; m:plays m:watchedAgent .
m:Hand rdfs:subClassOf m:PhysicalObject ; m:plays m:agentGripper .
m:Bad rdfs:subClassOf m:Failure ; m:plays m:failedAction .
m:Block rdfs:subClassOf m:PhysicalObject ; rdfs:label "block" .
m:Red rdfs:subClassOf m:PhysicalObject ; rdfs:label "red" .
m:heavy a m:PhysicalProperty .
m:Free rdfs:subClassOf m:State .
m:clear a m:Free .
m:handempty a m:Free .
m:on a m:Relation ; m:persistent true .
m:Stack rdfs:subClassOf m:Action ; m:actionName "stack" ; m:parameters ( "?a" "?b" ) ; m:effect [ m:then ( ( "?a" m:on "?b" ) ) ] .
m:Lay rdfs:subClassOf m:Action ; m:actionName "lay" ; m:parameters ( "?a" "?b" "?c" ) ; m:effect [ m:then ( ( "?a" m:on "?b" "?c" ) ) ] .
`
	o, _, err := ontology.Parse(append(ontology.Language(), document.Document{Name: "own.ttl", Data: []byte(own)}))
	if err != nil {
		t.Fatal(err)
	}
	return o.Judging([]string{"blocks"})
}

const whole = `{"domain": "blocks", "instance": 7, "init": [["handempty"], ["clear", "a"], ["heavy", "a"], ["red", "b"], ["on", "a", "b"]], "goal": [["on", "b", "a"]], "objects": {"b": "block", "a": "block"}, "actions": ["(stack a b)", "stack b a"], "truth": {"valid": 3}}`

func TestRead(t *testing.T) {
	got, err := problemplan.Read(blocks(t), "plans.jsonl", strings.NewReader(`{"domain": "other", "instance": 1, "init": [], "objects": {}, "actions": ["(fly)"]}`+"\n"+whole))
	if err != nil {
		t.Fatal(err)
	}
	want := []*episode.Episode{{
		ID: "blocks/7", Source: "plans.jsonl", Task: "blocks",
		Things:    []episode.Thing{{Name: "a", Classes: []string{"block"}, Properties: []string{"heavy"}, Line: 2}, {Name: "b", Classes: []string{"block", "red"}, Line: 2}},
		Scene:     []episode.Fact{{Subject: "Robot-1", Relation: "handempty", Line: 2}, {Subject: "a", Relation: "clear", Line: 2}, {Subject: "a", Relation: "on", Object: "b", Line: 2}},
		GoalFacts: []episode.Fact{{Subject: "b", Relation: "on", Object: "a", Line: 2}},
		Plan:      []episode.Action{{Name: "stack", Target: "a", Destination: "b"}, {Name: "stack", Target: "b", Destination: "a"}},
	}}
	if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("episodes (-want +got):\n%s", diff)
	}
}

// A fact of three objects is a relation to a tuple, and so is what an action of the plan makes.
func TestReadTuples(t *testing.T) {
	got, err := problemplan.Read(blocks(t), "p", strings.NewReader(`{"domain": "blocks", "instance": 1, "init": [["on", "a", "b", "c"]], "goal": [["on", "c", "b", "c"]], "objects": {"b": "block", "a": "block", "c": "block"}, "actions": ["(lay a c b)"]}`))
	if err != nil {
		t.Fatal(err)
	}
	tuple := func(name string) episode.Thing { return episode.Thing{Name: name, Classes: []string{"Tuple"}, Line: 1} }
	part := func(of, relation, thing string) episode.Fact {
		return episode.Fact{Subject: of, Relation: relation, Object: thing, Line: 1}
	}
	if diff := cmp.Diff([]episode.Thing{tuple("(b c)"), tuple("(c b)")}, got[0].Things[3:]); diff != "" {
		t.Errorf("tuples (-want +got):\n%s", diff)
	}
	want := []episode.Fact{part("a", "on", "(b c)"), part("(b c)", "tuple_1", "b"), part("(b c)", "tuple_2", "c"), part("(c b)", "tuple_1", "c"), part("(c b)", "tuple_2", "b")}
	if diff := cmp.Diff(want, got[0].Scene); diff != "" {
		t.Errorf("facts (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]episode.Fact{part("c", "on", "(b c)")}, got[0].GoalFacts); diff != "" {
		t.Errorf("goal (-want +got):\n%s", diff)
	}
}

func TestReadErrors(t *testing.T) {
	o := blocks(t)
	for _, tt := range []struct{ name, text, want string }{
		{"nothing", "", "p: found an empty file; expected an episode"},
		{"no object", "[1]", "p:1: found text that is no such object"},
		{"no domain", `{"instance": 1}`, "p:1: found a plan without "},
		{"another domain", `{"domain": "x", "instance": 1, "init": [], "objects": {}, "actions": []}`, "p: found only plans for the domains x; expected plans for blocks, which the pack judges"},
		{"an unknown predicate", strings.Replace(whole, `"clear"`, `"cleer"`, 1), `p:1: found the predicate "cleer" with 1 objects; expected a state, property, class or relation of the pack; did you mean clear?`},
		{"a relation of one", strings.Replace(whole, `["clear", "a"]`, `["on", "a"]`, 1), `p:1: found the predicate "on" with 1 objects`},
		{"an unknown object", strings.Replace(whole, `["clear", "a"]`, `["clear", "z"]`, 1), `p:1: found "z" in the fact ["clear" "z"]; expected one of the objects`},
		{"an empty fact", strings.Replace(whole, `["clear", "a"]`, `[]`, 1), "p:1: found a fact of 0 words []; expected one to 5"},
		{"an unknown action", strings.Replace(whole, "(stack a b)", "(stock a b)", 1), `p:1: found in action 1: unknown action "stock"; did you mean stack?`},
		{"an argument too many", strings.Replace(whole, "(stack a b)", "(stack a b c)", 1), `p:1: found in action 1: action "(stack, a, b, c)" has 3 arguments; stack takes 2`},
		{"an empty action", strings.Replace(whole, "(stack a b)", "()", 1), "p:1: found in action 1: "},
		{"twice", whole + "\n" + whole, `p:2: found a second plan "blocks/7"; expected each instance of a domain once`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := problemplan.Read(o, "p", strings.NewReader(tt.text))
			var e *input.Error
			if !errors.As(err, &e) || !strings.HasPrefix(err.Error(), tt.want) {
				t.Errorf("error %v; expected %s", err, tt.want)
			}
		})
	}
}

// A plan that cannot be read is refused; the others are there.
func TestReadRest(t *testing.T) {
	got, err := problemplan.Read(blocks(t), "p", strings.NewReader(strings.Replace(whole, "(stack a b)", "(fly a)", 1)+"\n"+strings.Replace(whole, "7", "8", 1)+"\n{\n"))
	if len(got) != 1 || got[0].ID != "blocks/8" {
		t.Errorf("%d plans", len(got))
	}
	if err == nil || !strings.HasPrefix(err.Error(), `p:1: found in action 1: unknown action "fly"`) || !strings.Contains(err.Error(), "\np:3: found text that is no such object") {
		t.Errorf("error %v", err)
	}
}

func FuzzRead(f *testing.F) {
	o := blocks(f)
	f.Add(whole)
	f.Add(`{"domain": "blocks", "instance": null, "init": [[""]], "objects": {"": ""}, "actions": ["", "((", "stack , ,"]}`)
	f.Fuzz(func(t *testing.T, text string) {
		episodes, err := problemplan.Read(o, "p", strings.NewReader(text))
		if err == nil && len(episodes) == 0 {
			t.Error("neither plans nor an error")
		}
	})
}
