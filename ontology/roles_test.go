package ontology

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/mishap-robotics/mishap/ontology/document"
)

func TestRoles(t *testing.T) {
	o := Default()
	r := &o.Roles
	for role, a := range map[string]struct {
		action *ActionSchema
		name   string
	}{"look": {r.Look, "observe"}, "move": {r.Move, "navigate_to_obj"}, "take": {r.Take, "pick_up"}, "place": {r.Place, "put_in"}} {
		if a.action == nil || a.action.Name != a.name {
			t.Errorf("%s: %v; want %s", role, a.action, a.name)
		}
	}
	for want, term := range map[string]TermID{
		"closed": r.Enclosing, "open": o.Open(), "on": r.Running, "filled": r.Filled, "broken": r.Broken, "pickupable": r.Movable, "bulky": r.TakesRoom,
		"slotted": r.LoadedFromAbove, "receptacle": r.Receptacle, "selective": r.Selective, "interchangeable": r.Interchangeable, "openable": r.Openable,
		"toggleable": r.Toggleable, "hazardous_when_on": r.Hazardous, "drain": r.Drain, "packaging": r.Packaging, "GarbageCan": r.Bin, "ImpactSound": r.FallSound,
		"ActionExecutionFailure": r.FailedAction, "MissingNavigationFailure": r.MissingNavigation, "AmbiguousTargetFailure": r.AmbiguousTarget,
		"DroppingObjFailure": r.Dropping, "Robot": o.Core.Robot, "Human": o.Core.Human, "RobotGripper": o.Core.RobotGripper, "Floor": o.Core.Floor,
		"MissingStepFailure": o.PlanFault("insert"), "IncompletePlanFailure": o.PlanFault("append"), "WrongStepFailure": o.PlanFault("delete"),
		"WrongOrderFailure": o.PlanFault("move"), "WrongObjectFailure": o.PlanFault("replace"), "": o.PlanFault("rewrite"),
	} {
		if got := o.Name(term); got != want {
			t.Errorf("found %s; want %s", got, want)
		}
	}
}

func TestKindsOfFailures(t *testing.T) {
	o := Default()
	for name, want := range map[string]failureKind{
		"BurnerLeftOnFailure":                {constraint: true, safety: true},
		"UnsafeMaterialFailure":              {constraint: true, safety: true, lasting: true},
		"DietaryConstraintsViolationFailure": {constraint: true, lasting: true},
		"DroppingAndDirtyObjFailure":         {accident: true},
		"DirtyObjFailure":                    {environmental: true, lasting: true},
		"WrongOrderFailure":                  {planFault: true},
		"ActionExecutionFailure":             {},
	} {
		if got := o.kind(o.Term(name)); got != want {
			t.Errorf("%s: %+v; want %+v", name, got, want)
		}
	}
	if o.IsConstraint(None) || o.IsSafety(None) || o.IsPlanFault(None) || o.IsEnvironmental(None) || o.IsAccident(None) || o.IsLasting(None) {
		t.Error("what is no failure is of no kind")
	}
}

// without is the built-in ontology without the line on which a term plays a role.
func without(t *testing.T, role string) []document.Document {
	t.Helper()
	plays := []byte("m:plays m:" + role + " ;")
	found := false
	var out []document.Document
	for _, d := range Shipped() {
		found = found || bytes.Contains(d.Data, plays)
		d.Data = bytes.ReplaceAll(d.Data, plays, nil)
		out = append(out, d)
	}
	if !found {
		t.Fatalf("nothing plays %s", role)
	}
	return out
}

// at is where a text stands in the built-in ontology.
func at(t *testing.T, text string) string {
	t.Helper()
	for _, d := range Shipped() {
		if before, _, ok := strings.Cut(string(d.Data), text); ok {
			return Pos{d.Name, 1 + strings.Count(before, "\n")}.String()
		}
	}
	t.Fatalf("%s stands nowhere", text)
	return ""
}

func TestBadRoles(t *testing.T) {
	for _, test := range []struct {
		name, turtle, want string
	}{
		{"twice", "m:ajar a m:Openness ; m:plays m:enclosingState .",
			"own.ttl:2: ajar plays the role enclosingState, which closed plays at " + at(t, "m:closed a m:Openness") + "; expected one term"},
		{"twice, an action", "m:Glance rdfs:subClassOf m:Action ; rdfs:label \"glance\" ; rdfs:comment \"Look.\" ;\n    m:actionName \"glance\" ; m:plays m:lookAction .",
			"own.ttl:3: Glance plays the role lookAction, which Observe plays at " + at(t, "m:plays m:lookAction ;") + "; expected one term"},
		{"wrong kind", "m:Mug m:plays m:runningState .",
			`own.ttl:2: Mug cannot play the role runningState: it is no State; expected for example "m:on m:plays m:runningState ."`},
		{"no role", "m:Mug m:plays m:runingState .", "own.ttl:2: undeclared term runingState; did you mean runningState?"},
		{"no role but a term", "m:Mug m:plays m:Sink .", "own.ttl:2: m:plays takes a Role, and Sink is none"},
		{"unknown edit", "m:Odd rdfs:subClassOf m:PlanningFailure ; rdfs:label \"odd\" ; rdfs:comment \"Odd.\" ; m:planFaultOf \"swap\" .",
			`own.ttl:2: m:planFaultOf takes insert, append, delete, move or replace, found "swap"`},
		{"edit of two classes", "m:Odd rdfs:subClassOf m:PlanningFailure ; rdfs:label \"odd\" ; rdfs:comment \"Odd.\" ; m:planFaultOf \"move\" .",
			`own.ttl:2: Odd is the plan fault of "move", which WrongOrderFailure is at ` + at(t, "m:WrongOrderFailure a owl:Class") + "; expected one class"},
		{"edit of no failure", "m:Mug m:planFaultOf \"move\" .", "own.ttl:2: Mug has m:planFaultOf, but is no Failure"},
	} {
		_, _, err := Parse(append(Shipped(), document.Document{Name: "own.ttl", Data: []byte(prefixes + test.turtle)}))
		if err == nil || err.Error() != test.want {
			t.Errorf("%s:\n%v\nwant\n%s", test.name, err, test.want)
		}
	}
}

func TestMissingRoles(t *testing.T) {
	for role, want := range map[string]string{
		"watchedAgent": at(t, "m:watchedAgent a m:Role") + `: nothing plays the role watchedAgent: the class of the agents whose actions an episode records; expected for example "m:Robot m:plays m:watchedAgent ."`,
		"agentGripper": at(t, "m:agentGripper a m:Role") + `: nothing plays the role agentGripper: the class of what an agent holds things with: ?gripper in the conditions of actions; expected for example "m:RobotGripper m:plays m:agentGripper ."`,
		"failedAction": at(t, "m:failedAction a m:Role") + `: nothing plays the role failedAction: the class of an action that did not come about, where no other failure says why; expected for example "m:ActionExecutionFailure m:plays m:failedAction ."`,
	} {
		_, _, err := Parse(without(t, role))
		if err == nil || err.Error() != want {
			t.Errorf("%s:\n%v\nwant\n%s", role, err, want)
		}
	}
	for _, role := range []string{"lookAction", "moveAction", "takeAction", "placeAction", "enclosingState", "runningState", "movableProperty", "roomProperty", "ground", "remainsBin", "servedAgent", "fallSound"} {
		if _, _, err := Parse(without(t, role)); err != nil {
			t.Errorf("%s is not required: %v", role, err)
		}
	}
}

// What an ontology does not say is derived where there is but one answer.
func TestDerivedRoles(t *testing.T) {
	for role, of := range map[string]func(*Ontology) string{
		"moveAction": func(o *Ontology) string { return o.Roles.Move.Name },
		"takeAction": func(o *Ontology) string { return o.Roles.Take.Name }, "movableProperty": func(o *Ontology) string { return o.Name(o.Roles.Movable) },
	} {
		o, _, err := Parse(without(t, role))
		if err != nil {
			t.Fatal(err)
		}
		if got, want := of(o), of(Default()); got != want {
			t.Errorf("%s: found %s; want %s", role, got, want)
		}
	}
	o, _, err := Parse(without(t, "placeAction"))
	if err != nil || o.Roles.Place != nil {
		t.Errorf("two actions put something down: found %v, %v", o.Roles.Place, err)
	}
	if o, _, err = Parse(without(t, "lookAction")); err != nil || o.Roles.Look != nil {
		t.Errorf("two actions change nothing: found %v, %v", o.Roles.Look, err)
	}
	docs := without(t, "lookAction")
	for i := range docs {
		for _, begin := range []string{"m:Wait a owl:Class", "m:Wait m:cue", "m:Wait m:pattern"} {
			if before, after, ok := bytes.Cut(docs[i].Data, []byte(begin)); ok {
				_, after, _ = bytes.Cut(after, []byte(" .\n"))
				docs[i].Data = append(slices.Clone(before), after...)
			}
		}
	}
	if o, _, err = Parse(docs); err != nil || o.Roles.Look == nil || o.Roles.Look.Name != Default().Roles.Look.Name {
		t.Errorf("one action changes nothing: found %v, %v", o.Roles.Look, err)
	}
}
