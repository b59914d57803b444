package ontology

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/mishap-robotics/mishap/ontology/document"
)

// The shipped ontology has no error and no warning.
func TestShippedOntologyIsSound(t *testing.T) {
	_, problems, err := Parse(Shipped())
	if err != nil {
		t.Errorf("errors:\n%v", err)
	}
	for _, p := range problems {
		t.Errorf("%v", p)
	}
}

const prefixes = `@prefix m: <https://mishap-robotics.github.io/ontology#> . @prefix owl: <http://www.w3.org/2002/07/owl#> . @prefix rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
`

// extended is the shipped ontology with a document added; it begins on line 2.
func extended(text string) (*Ontology, []Problem, error) {
	return Parse(document.Merge(Shipped(), []document.Document{{Name: "x.ttl", Data: []byte(prefixes + text)}}))
}

// Of a class that m:likewise names all is said that is said of the one it stands with, but what that is
// called; what else is said of it counts too.
func TestLikewise(t *testing.T) {
	o, problems, err := extended(`m:Samovar a owl:Class ; rdfs:subClassOf m:Appliance ; rdfs:label "samovar" ; rdfs:comment "Keeps tea hot." ; m:hasProperty m:fillable ;
    m:material m:metal ; m:nickname "old friend" ; m:likewise ( "tea urn" "urn of tea" ) , ( "wine-heater" ) .
m:WineHeater m:hasProperty m:toggleable .
m:Rack a owl:Class ; rdfs:subClassOf m:Appliance ; rdfs:label "samovar rack" ; rdfs:comment "For samovars." ; m:accepts m:Samovar .`)
	if err != nil || len(problems) > 0 {
		t.Fatal(err, problems)
	}
	samovar, urn, heater := o.Term("Samovar"), o.Term("TeaUrn"), o.Term("WineHeater")
	if urn == None || heater == None || o.IsA(urn, samovar) || !o.IsA(urn, o.Term("Appliance")) {
		t.Fatalf("the urn is %d, the heater %d", urn, heater)
	}
	if got := o.ByLabel("urn of tea", o.Core.PhysicalObject); !slices.Equal(got, []TermID{urn}) {
		t.Errorf("an urn of tea is %v", got)
	}
	for _, tt := range []struct {
		of       TermID
		property string
		want     bool
	}{{urn, "fillable", true}, {urn, "metal", true}, {urn, "toggleable", false}, {heater, "fillable", true}, {heater, "toggleable", true}, {samovar, "toggleable", false}} {
		if got := o.HasProperty(tt.of, o.Term(tt.property)); got != tt.want {
			t.Errorf("%s %s: %t", o.Name(tt.of), tt.property, got)
		}
	}
	if n := o.Nicknames(urn); len(n) > 0 {
		t.Errorf("the urn has the nicknames %q", n)
	}
	if got := o.Accepts(o.Term("Rack")); !slices.Contains(got, urn) || !slices.Contains(got, samovar) {
		t.Errorf("the rack accepts %v", got)
	}
}

func TestProblems(t *testing.T) {
	const named = ` ; rdfs:label "x" ; rdfs:comment "X." .`
	tests := []struct{ name, text, want string }{
		{"undeclared superclass", "m:X a owl:Class ; rdfs:subClassOf m:Aplliance" + named, "x.ttl:2: undeclared term Aplliance; did you mean Appliance?"},
		{"undeclared predicate", "m:X a owl:Class ; rdfs:subClassOf m:Food ;\n m:materiel m:glass" + named, "x.ttl:3: undeclared term materiel; did you mean material?"},
		{"undeclared object where the word stands above", "m:X a owl:Class ; rdfs:subClassOf m:Food ; rdfs:comment \"X.\" ;\n rdfs:label \"glas\" ;\n m:material m:glas .", "x.ttl:4: undeclared term glas"},
		{"cycle of two", "m:X a owl:Class ; rdfs:subClassOf m:Y" + named + "\nm:Y a owl:Class ; rdfs:subClassOf m:X" + named, "subclass cycle: X → Y → X"},
		{"cycle of one's own", "m:X a owl:Class ; rdfs:subClassOf m:Food" + named + "\nm:Food rdfs:subClassOf m:X .", "subclass cycle"},
		{"disjoint by superclass", "m:X a owl:Class ; rdfs:subClassOf m:Mug , m:Sound" + named, "x.ttl:2: X is a member of SensorEvent and of PhysicalObject, which are disjoint"},
		{"disjoint of one's own", "m:X a owl:Class ; rdfs:subClassOf m:Mug , m:Bowl" + named + "\nm:Mug owl:disjointWith m:Bowl .", "x.ttl:2: X is a member of Mug and of Bowl, which are disjoint"},
		{"likes without a list", "m:X a owl:Class ; rdfs:subClassOf m:Food ;\n m:likewise \"y\"" + named, "x.ttl:3: m:likewise has no list of labels; expected for example"},
		{"likes whose label gives no name", "m:X a owl:Class ; rdfs:subClassOf m:Food ;\n m:likewise ( \"?!\" )" + named, `x.ttl:3: label "?!" of m:likewise gives no name of a class`},
		{"likes that are declared", "m:X a owl:Class ; rdfs:subClassOf m:Food ;\n m:likewise ( \"mug\" )" + named, "x.ttl:3: class Mug of m:likewise is declared already"},
		{"likes that are named twice", "m:X a owl:Class ; rdfs:subClassOf m:Food ; m:likewise ( \"zz\" ) ,\n ( \"Zz\" )" + named, "class Zz of m:likewise is named so at x.ttl:"},
		{"no label", "m:X a owl:Class ; rdfs:subClassOf m:Food ; rdfs:comment \"X.\" .", "x.ttl:2: class X has no rdfs:label; logs in natural language cannot name it"},
		{"no comment", "m:X a owl:Class ; rdfs:subClassOf m:Food ; rdfs:label \"x\" .", "x.ttl:2: class X has no rdfs:comment"},
		{"pattern of two parts", "m:T a m:Task ; m:goal ( ( \"?x\" m:state ) )" + named, "a pattern has 2 parts; expected ( subject predicate object )"},
		{"pattern with a plain text", "m:T a m:Task ; m:goal ( ( \"x\" m:state m:dirty ) )" + named, `"x" in a pattern is neither a term nor a variable`},
		{"condition that says nothing", "m:X a owl:Class ; rdfs:subClassOf m:Action ; m:actionName \"xx\" ; m:parameters ( \"?a\" ) ; m:precondition [ m:conditionName \"a\" ; rdfs:comment \"x\" ]" + named, "condition \"a\" says neither m:requires, m:requiresAny nor m:forbids"},
		{"pattern with an unknown predicate", "m:T a m:Task ; m:goal ( ( \"?x\" m:stat m:dirty ) )" + named, "unknown predicate stat in a pattern; did you mean state?"},
		{"task without goal", "m:T a m:Task" + named, "task T has no m:goal"},
		{"capacity that is no number", "m:X a owl:Class ; rdfs:subClassOf m:Food ; m:capacity \"much\"" + named, `X: capacity "much"; expected a whole number`},
		{"strategy for no failure", "m:S a m:RecoveryStrategy ; m:recovers m:Mug" + named, "strategy S recovers Mug, which is no failure class"},
		{"strategy with an unknown action", "m:S a m:RecoveryStrategy ; m:recovers m:DirtyObjFailure ; m:steps ( \"(wash, ?1)\" )" + named, `strategy S: "(wash, ?1)" is no action`},
		{"strategy with an unbound variable", "m:S a m:RecoveryStrategy ; m:recovers m:DirtyObjFailure ; m:steps ( \"(pick_up, ?free)\" )" + named, "strategy S: nothing binds ?free"},
		{"a proviso that names an unknown condition", "m:S a m:RecoveryStrategy ; m:recovers m:DirtyObjFailure ;\n m:unless ( ( \"?1\" rdf:type m:NamedByTaks ) )" + named, "x.ttl:3: unknown term NamedByTaks in a pattern; did you mean NamedByTask?"},
		{"a goal norm that asks for something", "m:N a m:GoalNorm ; m:conditionName \"n\" ; m:requires ( ( \"?object\" m:state m:clean ) )" + named, "goal norm N has m:requires; expected m:forbids"},
		{"a contact of one thing", "m:C a m:Contact ; m:when ( ( \"?object\" rdf:type m:Food ) )" + named, "x.ttl:2: the m:when of contact C says nothing of ?object or of ?other; expected what the two share"},
		{"an aftermath of nothing", "m:XFailure a owl:Class ; rdfs:subClassOf m:AgentFailure ; m:leaves [ m:when ( ( \"?1\" m:hasProperty m:breakable ) ) ]" + named, "leaves of XFailure says no m:then"},
		{"action name taken", "m:X a owl:Class ; rdfs:subClassOf m:Action ; m:actionName \"pick_up\" ; m:parameters ( \"?target\" )" + named, "action name pick_up is taken by PickUp"},
		{"misspelt RDF Schema", "m:X a owl:Class ; rdfs:subClasOf m:Food" + named, "x.ttl:2: rdfs: has no term subClasOf; did you mean subClassOf?"},
		{"misspelt OWL", "m:X a owl:Clas ; rdfs:subClassOf m:Food" + named, "x.ttl:2: owl: has no term Clas; did you mean Class?"},
		{"a text for a term", "m:X a owl:Class ; rdfs:subClassOf m:Food ; m:hasProperty \"fillable\"" + named, `x.ttl:2: m:hasProperty takes a term, found the text "fillable"; expected for example m:fillable`},
		{"a term of the wrong kind", "m:X a owl:Class ; rdfs:subClassOf m:Food ; m:defaultState m:fillable" + named, "x.ttl:2: m:defaultState takes a State, and fillable is none"},
		{"a text for an integer", "m:XFailure a owl:Class ; rdfs:subClassOf m:AgentFailure ; m:rank \"high\"" + named, `x.ttl:2: m:rank takes an integer, found "high"`},
		{"a text for a boolean", "m:X a owl:Class ; rdfs:subClassOf m:Action ; m:keepsHold \"yes\"" + named, `x.ttl:2: m:keepsHold takes true or false, found "yes"`},
		{"another action name taken", "m:X a owl:Class ; rdfs:subClassOf m:Action ; m:actionName \"x\" , \"walk\" ; m:parameters ( \"?target\" )" + named, "action name walk is taken by Navigate"},
		{"an unbound variable in an effect", "m:X a owl:Class ; rdfs:subClassOf m:Action ; m:actionName \"x\" ; m:parameters ( \"?target\" ) ; m:effect [ m:then ( ( \"?tool\" m:state m:open ) ) ]" + named, "nothing binds ?tool in the effect of X"},
		{"an undeclared parameter", "m:X a owl:Class ; rdfs:subClassOf m:Action ; m:actionName \"x\" ; m:effect [ m:then ( ( \"?target\" m:state m:open ) ) ]" + named, "the effect of X uses ?target, which is none of its m:parameters"},
		{"an unbound variable in a process", "m:X a m:Process ; m:when ( ( \"?a\" m:state m:on ) ) ; m:then ( ( \"?b\" m:state m:hot ) )" + named, "nothing binds ?b in process X"},
		{"a misspelt parameter", "m:X a owl:Class ; rdfs:subClassOf m:Action ; m:actionName \"x\" ; m:parameters ( \"?target\" ) ; m:precondition [ m:conditionName \"c\" ; m:requires ( ( \"?targt\" m:state m:open ) ) ]" + named, "?targt stands once in the conditions of X; did you mean ?target?"},
		{"a placeholder for nothing", "m:XFailure a owl:Class ; rdfs:subClassOf m:AgentFailure ; m:explanation \"It {foo}.\"" + named, "{foo} in an explanation or forewarning stands for nothing"},
		{"a label twice", "m:X a owl:Class ; rdfs:subClassOf m:Food ; rdfs:label \"mug\" ; rdfs:comment \"X.\" .", `x.ttl:2: label "mug" of X is one of Mug too`},
		{"a list in a circle", "m:T a m:Task ; m:goal _:l" + named + "\n_:l rdf:first m:Mug ; rdf:rest _:l .", "x.ttl:3: a list runs in a circle; expected it to end with rdf:nil"},
		{"a list that breaks off", "m:T a m:Task ; m:goal _:l" + named + "\n_:l rdf:first m:Mug ; rdf:rest _:k .", "x.ttl:3: a list breaks off; expected it to end with rdf:nil"},
		{"a list with two ends", "m:T a m:Task ; m:goal _:l" + named + "\n_:l rdf:first m:Mug ; rdf:rest rdf:nil , _:k .", "x.ttl:3: a list has 1 elements and 2 rests at one place"},
		{"condition without name", "m:X a owl:Class ; rdfs:subClassOf m:Action ; m:actionName \"x\" ; m:parameters ( \"?target\" ) ; m:precondition [ m:requires ( ( \"?target\" m:state m:open ) ) ]" + named, "without m:conditionName"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, problems, _ := extended(tt.text)
			if !slices.ContainsFunc(problems, func(p Problem) bool { return strings.Contains(p.Error(), tt.want) }) {
				t.Errorf("problems %q, want %q", problems, tt.want)
			}
		})
	}
}

func TestTurtleErrors(t *testing.T) {
	tests := []struct{ text, place string }{
		{"m:X a owl:Class .\nm:Y a a a .", "x.ttl:3"},
		{"m:X a owl:Class", "x.ttl:2"},
		{"m:X a nope:Class .", "x.ttl:2"},
		{"m:X rdfs:label \"unended .\n\n", "x.ttl:2"},
		{"m:X a owl:Class .\n\n\n( ( ", "x.ttl:5"},
		{"m:X rdfs:label \"\xff\" .", "x.ttl:2"},
	}
	for _, tt := range tests {
		_, _, err := extended(tt.text)
		var p *ParseError
		if !errors.As(err, &p) || !strings.HasPrefix(err.Error(), tt.place+":") {
			t.Errorf("%q: error %v, want a ParseError at %s", tt.text, err, tt.place)
		}
	}
}

func TestClosure(t *testing.T) {
	o := Default()
	id := func(name string) TermID {
		x, ok := o.Lookup(name)
		if !ok {
			t.Fatalf("no term %s", name)
		}
		return x
	}
	for _, tt := range []struct {
		sub, super string
		want       bool
	}{
		{"Mug", "Tableware", true}, {"Mug", "PhysicalObject", true}, {"Mug", "Mug", true}, {"Tableware", "Mug", false}, {"Mug", "Food", false},
		{"DroppingAndDirtyObjFailure", "DroppingObjFailure", true}, {"BurnerLeftOnFailure", "SafetyFailure", true}, {"PickUp", "MovingObject", true},
		{"SinkBasin", "Sink", true}, {"Sink", "SinkBasin", true},
	} {
		if got := o.IsA(id(tt.sub), id(tt.super)); got != tt.want {
			t.Errorf("IsA(%s, %s) = %v", tt.sub, tt.super, got)
		}
	}
	for _, tt := range []struct {
		class, property string
		want            bool
	}{
		{"Pot", "fillable", true}, {"Pot", "dirtyable", true}, {"Mug", "breakable", true}, {"Egg", "breakable", true}, {"Pan", "dirtyable", true},
		{"Microwave", "toggleable", true}, {"Microwave", "openable", true}, {"Laptop", "openable", true}, {"Laptop", "toggleable", true},
		{"HousePlant", "fillable", true}, {"Bread", "sliceable", true}, {"Mug", "sliceable", false}, {"Fridge", "receptacle", true}, {"Apple", "toggleable", false},
	} {
		if got := o.HasProperty(id(tt.class), id(tt.property)); got != tt.want {
			t.Errorf("HasProperty(%s, %s) = %v", tt.class, tt.property, got)
		}
	}
	if !o.IsSub(id("inside"), id("within")) || o.IsSub(id("within"), id("inside")) {
		t.Error("inside is a subproperty of within, and not the reverse")
	}
	if o.StateIs(id("filled_with_water"), id("filled")) != 1 || o.StateIs(id("empty"), id("filled")) != -1 || o.StateIs(id("dirty"), id("filled")) != 0 {
		t.Error("water fills, empty is not filled, dirty says nothing of it")
	}
}

// Whatever the shipped files say of classes, the closure keeps to it.
func TestClosureHoldsAssertions(t *testing.T) {
	o := Default()
	for i, term := range o.Terms {
		if !term.IsClass {
			continue
		}
		for _, s := range term.Supers {
			if !o.IsA(TermID(i), s) {
				t.Errorf("%s is no %s", term.Name, o.Name(s))
			}
			for j := range o.Terms {
				if o.Terms[j].IsClass && o.IsA(s, TermID(j)) && !o.IsA(TermID(i), TermID(j)) {
					t.Errorf("%s is a %s, but no %s", term.Name, o.Name(s), o.Terms[j].Name)
				}
			}
		}
	}
}

func TestLabels(t *testing.T) {
	o := Default()
	for label, want := range map[string]string{
		"coffee machine": "CoffeeMachine", "Coffee Machine": "CoffeeMachine", "coffee_machine": "CoffeeMachine",
		"stove burner": "StoveBurner", "house plant": "HousePlant", "bread slice": "BreadSliced", "sliced bread": "BreadSliced", "tv stand": "TVStand",
	} {
		if got := o.ByLabel(label, o.Core.PhysicalObject); len(got) == 0 || o.Name(got[0]) != want {
			t.Errorf("ByLabel(%q) = %v, want %s", label, got, want)
		}
	}
	for label, want := range map[string]string{"filled with water": "filled_with_water", "turned on": "on", "watered": "filled_with_water", "clean": "clean"} {
		if got := o.ByLabel(label, o.Core.StateClass); len(got) == 0 || o.Name(got[0]) != want {
			t.Errorf("state %q = %v, want %s", label, got, want)
		}
	}
	for label, want := range map[string]string{
		"water runs in sink": "FaucetTurnedOn", "stove burner turns on": "StoveBurnerTurnedOn", "something drops": "ObjectDropped",
	} {
		if got := o.ByLabel(label, o.Core.Sound); len(got) == 0 || o.Name(got[0]) != want {
			t.Errorf("sound %q = %v, want %s", label, names(o, got), want)
		}
	}
	for name, want := range map[string]string{"open": "open_obj", "close": "close_obj", "slice": "slice_obj", "crack": "crack_obj", "move_to": "navigate_to_obj", "pick_up": "pick_up"} {
		if a, ok := o.Action(name); !ok || a.Name != want {
			t.Errorf("action %q is %v, want %s", name, a, want)
		}
	}
	for _, task := range []string{"make coffee", "serve coffee"} {
		if got, ok := o.Task(task); !ok || got.Name != "MakeCoffee" {
			t.Errorf("task %q is %v, want MakeCoffee", task, got)
		}
	}
}

func names(o *Ontology, ids []TermID) []string {
	var out []string
	for _, id := range ids {
		out = append(out, o.Name(id))
	}
	return out
}

const urn = `<?xml version="1.0"?>
<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"
    xmlns:owl="http://www.w3.org/2002/07/owl#" xmlns:rdfs="http://www.w3.org/2000/01/rdf-schema#"
    xmlns:m="https://mishap-robotics.github.io/ontology#" xmlns:h="http://example.org/home#">
  <owl:Class rdf:about="http://example.org/home#Vessel">
    <rdfs:label>vessel</rdfs:label><rdfs:comment>Holds something.</rdfs:comment>
    <owl:equivalentClass><owl:Class><owl:unionOf rdf:parseType="Collection">
      <rdf:Description rdf:about="http://example.org/home#TeaUrn"/>
      <rdf:Description rdf:about="https://mishap-robotics.github.io/ontology#Mug"/>
    </owl:unionOf></owl:Class></owl:equivalentClass>
  </owl:Class>
  <owl:Class rdf:about="http://example.org/home#TeaUrn">
    <rdfs:label>tea urn</rdfs:label><rdfs:comment>Keeps tea hot.</rdfs:comment>
    <rdfs:subClassOf rdf:resource="https://mishap-robotics.github.io/ontology#PhysicalObject"/>
    <rdfs:subClassOf>
      <owl:Restriction>
        <owl:onProperty rdf:resource="https://mishap-robotics.github.io/ontology#hasProperty"/>
        <owl:hasValue rdf:resource="https://mishap-robotics.github.io/ontology#fillable"/>
      </owl:Restriction>
    </rdfs:subClassOf>
  </owl:Class>
</rdf:RDF>`

func TestOWLFile(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "urn.owl"), []byte(urn), 0o644); err != nil {
		t.Fatal(err)
	}
	own, err := ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	o, problems, err := Parse(document.Merge(Shipped(), own))
	if err != nil || len(problems) > 0 {
		t.Fatalf("problems %v, error %v", problems, err)
	}
	k := o.ByLabel("tea urn", o.Core.PhysicalObject)
	vessel, _ := o.Lookup("Vessel")
	mug, _ := o.Lookup("Mug")
	fillable, _ := o.Lookup("fillable")
	if len(k) != 1 || !o.IsA(k[0], vessel) || !o.IsA(mug, vessel) || !o.HasProperty(k[0], fillable) {
		t.Errorf("urn %v: a vessel, as mugs are, and fillable; a vessel %v, mug %v, fillable %v", names(o, k), o.IsA(k[0], vessel), o.IsA(mug, vessel), o.HasProperty(k[0], fillable))
	}
	if _, _, err := Parse([]document.Document{{Name: "bad.owl", Data: []byte("<rdf:RDF")}}); err == nil || !strings.HasPrefix(err.Error(), "bad.owl:1: not RDF/XML") {
		t.Errorf("broken RDF/XML: %v", err)
	}
}

// A host embeds documents of its own.
func TestReadFS(t *testing.T) {
	pack := fstest.MapFS{"pack/urn.owl": {Data: []byte(urn)}, "pack/notes.txt": {Data: []byte("none")}, "pack/deep/more.ttl": {Data: []byte("none")}, "empty/x.txt": {}}
	for _, place := range []string{"pack", "pack/urn.owl"} {
		docs, err := ReadFS(pack, place)
		if err != nil || len(docs) != 1 || docs[0].Name != "pack/urn.owl" || string(docs[0].Data) != urn {
			t.Errorf("%s: %d documents, error %v", place, len(docs), err)
		}
	}
	for _, place := range []string{"empty", "nowhere"} {
		if docs, err := ReadFS(pack, place); err == nil {
			t.Errorf("%s: %d documents", place, len(docs))
		}
	}
}

func TestMergeReplaces(t *testing.T) {
	base := []document.Document{{Name: "ontology/a.ttl", Data: nil}, {Name: "ontology/b.ttl", Data: nil}}
	var got []string
	for _, s := range document.Merge(base, []document.Document{{Name: "own/b.ttl", Data: nil}, {Name: "own/c.ttl", Data: nil}}) {
		got = append(got, s.Name)
	}
	if diff := cmp.Diff([]string{"ontology/a.ttl", "own/b.ttl", "own/c.ttl"}, got); diff != "" {
		t.Error(diff)
	}
}

func TestNearest(t *testing.T) {
	for name, want := range map[string]string{"Mgu": "Mug", "mug": "Mug", "CofeeMachine": "CoffeeMachine", "Xylophone": ""} {
		if got := Nearest(name, []string{"Mug", "CoffeeMachine", "Bowl"}); got != want {
			t.Errorf("Nearest(%q) = %q, want %q", name, got, want)
		}
	}
}

// The tasks that logs of the field name are all there.
func TestTasks(t *testing.T) {
	o := Default()
	for _, name := range []string{
		"boil water", "toast bread", "cook egg", "heat potato", "make coffee", "store egg", "make salad", "water plant", "switch devices", "warm water",
		"saute carrot", "sauté carrot", "heat potato and serve", "serve coffee", "secure objects", "apple in bowl", "pear in drawer", "cut carrot", "fruits in bowl", "heat pot",
		"pick_and_place_simple", "pick_two_obj_and_place", "pick_and_place_with_movable_recep", "look_at_obj_in_light",
		"pick_clean_then_place_in_recep", "pick_heat_then_place_in_recep", "pick_cool_then_place_in_recep",
	} {
		if _, ok := o.Task(name); !ok {
			t.Errorf("no task %q", name)
		}
	}
}

func FuzzTurtle(f *testing.F) {
	for _, s := range Shipped() {
		f.Add(s.Data[:min(len(s.Data), 3000)])
	}
	f.Add([]byte(prefixes + `m:X a owl:Class ; rdfs:label "x"@en , 'y' , """z""" ; m:p [ m:q ( 1 2.5 true "a\n" ) ] .`))
	f.Fuzz(func(t *testing.T, data []byte) {
		o, _, err := Parse([]document.Document{{Name: "f.ttl", Data: data}})
		if o == nil && err == nil {
			t.Fatal("neither an ontology nor an error")
		}
		if o != nil {
			describeAll(o)
		}
	})
}

func FuzzRDFXML(f *testing.F) {
	f.Add([]byte(urn))
	f.Fuzz(func(t *testing.T, data []byte) {
		o, _, err := Parse([]document.Document{{Name: "f.owl", Data: data}})
		if o == nil && err == nil {
			t.Fatal("neither an ontology nor an error")
		}
		if o != nil {
			describeAll(o)
		}
	})
}

func describeAll(o *Ontology) {
	for i := range o.Terms {
		_ = fmt.Sprint(o.Describe(TermID(i)))
	}
}

func BenchmarkLoad(b *testing.B) {
	sources := Shipped()
	for b.Loop() {
		if _, _, err := Parse(sources); err != nil {
			b.Fatal(err)
		}
	}
}
