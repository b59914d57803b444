package dependency_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/mishap-robotics/mishap/engine/dependency"
	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/engine/internal/state"
	"github.com/mishap-robotics/mishap/ontology"
	"github.com/mishap-robotics/mishap/ontology/document"
)

// edges writes what an action needs (<) and gives (>), with (if) where that is
// conditional.
func edges(g *dependency.StateGraph, action int) []string {
	out := []string{}
	for _, e := range slices.Concat(g.Dependencies(action), g.Effects(action)) {
		text := "< "
		if e.Effect {
			text = "> "
		}
		text += g.States[e.State].String() + ": " + e.Value.String()
		if e.Conditional {
			text += " (if)"
		}
		out = append(out, text)
	}
	return out
}

func find(t testing.TB, g *dependency.StateGraph, name string) int {
	t.Helper()
	i := slices.IndexFunc(g.Actions, func(a dependency.ActionNode) bool { return a.Name() == name || a.Text == name })
	if i < 0 {
		t.Fatalf("no action %s in the graph", name)
	}
	return i
}

const enclosed = "< ?target place: not within ?container (if), < ?container Openness: not closed (if), "

func put(last string) string {
	return "< ?target place: inside ?gripper, < ?agent near ?destination: true, < ?destination Openness: not closed, " +
		"< ?destination place: not within ?container (if), < ?container Openness: not closed (if), " +
		"< ?other place: not located_at ?destination (if), < ?obstacle place: not on_top_of ?destination (if), " +
		"< ?destination Integrity: not broken, " + last
}

func toggle(first, last string) string {
	return first + "< ?agent near ?target: true, " + enclosed + "< ?remote place: inside ?gripper (if), " + last
}

// lifted holds the edges of every action that is shipped.
var lifted = map[string]string{
	"handover":        "< ?target place: inside ?gripper",
	"water":           "< ?held place: inside ?gripper, < ?held FillState: filled, < ?held place: inside ?gripper (if), < ?held FillState: filled (if), > ?target FillState: filled_with_water (if)",
	"spread":          "< ?agent near ?destination: true",
	"navigate_to_obj": "< ?door occluding ?target: false (if), < ?door Openness: not closed (if), > ?agent near ?target: true",
	"observe":         "",
	"pick_up": "< ?agent near ?target: true, " + enclosed + "< ?obstacle occluding ?target: false, < ?target Integrity: not broken, " +
		"< ?target place: not inside ?gripper, < ?other place: not inside ?gripper, < ?target place: not located_at ?person, < ?obstacle place: not on_top_of ?target (if), " +
		"> ?target place: inside ?gripper",
	"put_in":   put("> ?target place: located_at ?destination"),
	"put_on":   put("> ?target place: located_at ?destination"),
	"put_near": "< ?target place: inside ?gripper, < ?agent near ?destination: true, > ?target near ?destination: true",
	"open_obj": "< ?agent near ?target: true, " + enclosed + "< ?obstacle occluding ?target: false, < ?target Openness: not open, " +
		"< ?target Lock: not locked, < ?obstacle place: not on_top_of ?target (if), < ?target Power: not on (if), > ?target Openness: open",
	"close_obj":  "< ?agent near ?target: true, " + enclosed + "< ?target Openness: not closed, < ?obstacle place: not on_top_of ?target (if), > ?target Openness: closed",
	"toggle_on":  toggle("< ?target Power: not on, < ?target Openness: not open (if), < ?target Openness: not closed (if), ", "> ?target Power: on"),
	"toggle_off": toggle("< ?target Power: not off, ", "> ?target Power: off"),
	"slice_obj": "< ?agent near ?target: true, " + enclosed + "< ?obstacle occluding ?target: false, < ?target Integrity: not broken, < ?tool place: inside ?gripper, " +
		"> ?target form: slicedForm",
	"crack_obj": "< ?agent near ?target: true, " + enclosed + "< ?target Integrity: not broken, > ?target form: crackedForm",
	"put_down":  "< ?target place: inside ?gripper",
	"give_to":   "< ?target place: inside ?gripper",
	"carry_to":  "< ?target place: inside ?gripper, > ?agent near ?destination: true",
	"wait":      "",
	"sweep_up":  "< ?agent near ?target: true, < ?target Integrity: broken, < ?tool place: inside ?gripper, > ?target place: located_at ?bin (if)",
	"iron":      "", "say": "", "move_arm": "", "stir": "", "operate_gripper": "",
	"heat_with": "> ?target Temperature: hot", "cool_with": "> ?target Temperature: cold", "clean_with": "> ?target Cleanliness: clean",
	"pick_and_place": "< ?target place: not within ?container (if), < ?container Openness: not closed (if), < ?target Integrity: not broken, < ?destination Openness: not closed, > ?target place: located_at ?destination",
	"pour": "< ?target place: inside ?gripper, < ?target FillState: not empty, < ?agent near ?destination: true, " +
		"< ?obstacle occluding ?destination: false, < ?target FillState: ?liquid (if), < ?destination FillState: ?other (if), < ?target FillState: not filled_with_milk (if), " +
		"< ?destination FillState: not filled_with_coffee (if), < ?destination FillState: not filled_with_tea (if), " +
		"< ?target FillState: not filled_with_cleaner (if), < ?destination FillState: not filled_with_water (if), < ?target FillState: not filled_with_detergent (if), < ?target FillState: not filled_with_soap (if), < ?target FillState: not filled_with_vinegar (if), < ?target FillState: not filled_with_water (if), " +
		"< ?target Purity: mixed (if), < ?destination FillState: not ?other (if), < ?target FillState: filled (if), " +
		"< ?target Temperature: hot (if), < ?destination Temperature: hot (if), < ?target Temperature: not hot (if), " +
		"> ?destination Purity: mixed (if), > ?target Purity: unmixed (if), > ?destination FillState: ?liquid (if), " +
		"> ?destination Temperature: hot (if), > ?destination Temperature: room_temperature (if), > ?target FillState: empty (if)",
}

func TestLifted(t *testing.T) {
	o := ontology.Default()
	g := dependency.Of(o, false)
	if len(g.Actions) != len(o.Actions) {
		t.Fatalf("%d action nodes, want %d", len(g.Actions), len(o.Actions))
	}
	for i, a := range o.Actions {
		want, ok := lifted[a.Name]
		if !ok {
			t.Errorf("the edges of %s are not stated here", a.Name)
		}
		if diff := cmp.Diff(want, strings.Join(edges(g, i), ", ")); diff != "" {
			t.Errorf("%s (-want +got):\n%s", a.Name, diff)
		}
	}
}

func TestConditionsAreNamed(t *testing.T) {
	g := dependency.Of(ontology.Default(), false)
	var got []string
	for _, e := range g.Dependencies(find(t, g, "pour")) {
		got = append(got, e.Condition)
	}
	if diff := cmp.Diff(slices.Concat([]string{"holding", "vessel_filled", "destination_reachable", "destination_not_blocked"}, make([]string, 17)), got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestProcesses(t *testing.T) {
	o := ontology.Default()
	g := dependency.Of(o, true)
	if want := len(o.Actions) + len(o.Processes); len(g.Actions) != want {
		t.Fatalf("%d nodes of actions and processes, want %d", len(g.Actions), want)
	}
	for name, want := range map[string]string{
		"FaucetCleaning": "< ?faucet Power: on, < ?object place: located_at ?basin, > ?object Cleanliness: clean, > ?object Hygiene: hygienic",
		"coffee brewing": "< ?machine Power: on, < ?object place: located_at ?machine, < ?object FillState: not filled, > ?object FillState: filled_with_coffee",
		"fridge cooling": "< ?fridge Openness: closed, < ?object place: within ?fridge, < ?object Temperature: not hot, > ?object Temperature: cold",
	} {
		if diff := cmp.Diff(want, strings.Join(edges(g, find(t, g, name)), ", ")); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// with is the shipped ontology with more actions.
func with(t testing.TB, turtle string) *ontology.Ontology {
	t.Helper()
	const prefixes = `@prefix m: <https://mishap-robotics.github.io/ontology#> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
`
	o, _, err := ontology.Parse(append(ontology.Shipped(), document.Document{Name: "more.ttl", Data: []byte(prefixes + turtle)}))
	if err != nil {
		t.Fatal(err)
	}
	return o
}

const more = `
m:Posture a owl:Class ; rdfs:subClassOf m:State ; rdfs:label "posture" ; rdfs:comment "How an agent stands." .
m:upright a m:Posture ; rdfs:label "upright" ; rdfs:comment "Standing." .
m:StandUp a owl:Class ; rdfs:subClassOf m:NonInteractive ; rdfs:label "stand up" ; rdfs:comment "Stand up." ;
    m:actionName "stand_up" ; m:parameters ( ) ;
    m:effect [ m:then ( ( "?agent" m:state m:upright ) ) ] .
m:Ready a owl:Class ; rdfs:subClassOf m:NonInteractive ; rdfs:label "get ready" ; rdfs:comment "Stand up next to it." ;
    m:actionName "get_ready" ; m:parameters ( "?target" ) ;
    m:effect [ m:then ( ( "?agent" m:state m:upright ) ( "?agent" m:near "?target" ) ) ] .
m:Rise a owl:Class ; rdfs:subClassOf m:NonInteractive ; rdfs:label "rise" ; rdfs:comment "Rise from a seat." ;
    m:actionName "rise" ; m:parameters ( "?target" ) ;
    m:precondition [ m:conditionName "near" ; rdfs:comment "it is far" ; m:requires ( ( "?agent" m:near "?target" ) ) ] ;
    m:effect [ m:then ( ( "?agent" m:state m:upright ) ) ] .
m:Wipe a owl:Class ; rdfs:subClassOf m:WithHeldObject ; rdfs:label "wipe" ; rdfs:comment "Wipe it clean, and dry if it is on." ;
    m:actionName "wipe" ; m:parameters ( "?target" "?destination" ) ; m:optionalParameter "?destination" ;
    m:precondition
        [ m:conditionName "dry" ; rdfs:comment "it is full" ;
          m:when ( ( "?target" m:hasProperty m:fillable ) ( "?destination" m:state m:on ) ) ;
          m:unless ( ( "?target" m:state m:locked ) ) , ( ( "?target" rdf:type m:Bowl ) ) ;
          m:requires ( ( "?target" m:state m:empty ) ) ] ;
    m:effect
        [ m:then ( ( "?target" m:state m:clean ) ) ] ,
        [ m:when ( ( "?target" m:state m:on ) ) ; m:unless ( ( "?target" m:state m:locked ) ) ; m:then ( ( "?target" m:state m:empty ) ) ] .
m:Reset a owl:Class ; rdfs:subClassOf m:WithoutHeldObject ; rdfs:label "reset" ; rdfs:comment "Turn it off from afar." ;
    m:actionName "reset" ; m:parameters ( "?target" ) ;
    m:effect [ m:then ( ( "?target" m:state m:off ) ) ] .
m:Seal a owl:Class ; rdfs:subClassOf m:WithoutHeldObject ; rdfs:label "seal" ; rdfs:comment "Lock it next to something." ;
    m:actionName "seal" ; m:parameters ( "?target" "?destination" ) ;
    m:precondition
        [ m:conditionName "door" ; rdfs:comment "it has no door" ;
          m:when ( ( "?target" m:state m:on ) ) ; m:requires ( ( "?target" m:hasProperty m:openable ) ) ] ,
        [ m:conditionName "vacant" ; rdfs:comment "something is in it" ;
          m:forbids ( ( "?destination" rdf:type m:Microwave ) ( "?other" m:located_at "?destination" ) ) ] ;
    m:effect [ m:then ( ( "?target" m:state m:locked ) ) ] .
m:Drying a m:Process ; rdfs:label "drying" ; rdfs:comment "What is hot dries, unless it is a dirty mug." ;
    m:when ( ( "?object" m:state m:hot ) ) ; m:unless ( ( "?object" rdf:type m:Mug ) ( "?object" m:state m:dirty ) ) ;
    m:then ( ( "?object" m:state m:empty ) ) .
`

// What is written in Turtle appears with no change of code.
func TestNewActions(t *testing.T) {
	g := dependency.Of(with(t, more), true)
	for name, want := range map[string]string{
		"wipe": "< ?target FillState: empty (if), < ?destination Power: not on (if), < ?target Lock: locked (if), " +
			"< ?target Power: on (if), < ?target Lock: not locked (if), " +
			"> ?target Cleanliness: clean, > ?target FillState: empty (if)",
		"seal":   "< ?target Power: not on (if), < ?other place: not located_at ?destination (if), > ?target Lock: locked",
		"drying": "< ?object Temperature: hot, < ?object Cleanliness: not dirty, > ?object FillState: empty",
	} {
		if diff := cmp.Diff(want, strings.Join(edges(g, find(t, g, name)), ", ")); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

func TestPreparation(t *testing.T) {
	o := with(t, more)
	want := []string{"navigate_to_obj", "stand_up"}
	for _, a := range o.Actions {
		if got := dependency.Preparation(o, a); got != slices.Contains(want, a.Name) {
			t.Errorf("%s: preparation %v", a.Name, got)
		}
	}
	for _, a := range dependency.Of(o, true).Actions {
		if a.Preparation != slices.Contains(want, a.Name()) {
			t.Errorf("node %s: preparation %v", a.Text, a.Preparation)
		}
	}
}

// scene is a table of objects in which tests name calls.
type scene struct{ objects *state.Objects }

func newScene(o *ontology.Ontology) *scene {
	s := &scene{state.NewObjects(o)}
	s.object("Robot-1")
	s.object("RobotGripper-1")
	return s
}

func (s *scene) object(name string) state.Object {
	if name == "" {
		return state.Nothing
	}
	class, _ := episode.SplitName(name)
	id, ok := s.objects.Onto.Lookup(class)
	if !ok {
		id = ontology.None
	}
	return s.objects.Add(name, id)
}

func (s *scene) calls(t interface{ Fatal(...any) }, texts ...string) []state.Call {
	var out []state.Call
	for _, text := range texts {
		a, err := episode.ParseAction(s.objects.Onto, text)
		if err != nil {
			t.Fatal(err)
		}
		schema, _ := s.objects.Onto.Action(a.Name)
		out = append(out, state.Call{Schema: schema, Agent: s.object("Robot-1"), Gripper: s.object("RobotGripper-1"),
			Target: s.object(a.Target), Destination: s.object(a.Destination)})
	}
	return out
}

func TestGround(t *testing.T) {
	free := func(x string) string { return "< " + x + " place: not within ?container (if)" }
	tests := []struct {
		name, more string
		calls      []string // the last one is looked at
		has, lacks []string // beginnings of edges
	}{
		{"a door that the plan opens", "", []string{"(open_obj, Fridge-1)", "(pick_up, Egg-1)"},
			[]string{"< Egg-1 place: not within Fridge-1 (if)", "< Fridge-1 Openness: not closed (if)", "> Egg-1 place: inside RobotGripper-1"},
			[]string{"< ?container"}},
		{"a door that nothing opens", "", []string{"(pick_up, Egg-1)"}, []string{free("Egg-1"), "< ?container Openness: not closed (if)"}, nil},
		{"nothing is within itself", "", []string{"(open_obj, Fridge-1)"}, []string{free("Fridge-1")}, []string{"< Fridge-1 place: not within Fridge-1"}},
		{"what else is picked up must not be held", "", []string{"(pick_up, Mug-1)", "(pick_up, Egg-1)"},
			[]string{"< Mug-1 place: not inside RobotGripper-1", "< Egg-1 place: not inside RobotGripper-1"}, []string{"< ?other"}},
		{"nothing stands in the way on a receptacle", "", []string{"(pick_up, Plate-1)"}, nil, []string{"< ?obstacle place"}},
		{"an appliance must not run", "", []string{"(open_obj, Microwave-1)"}, []string{"< Microwave-1 Power: not on"}, nil},
		{"a drawer cannot run", "", []string{"(open_obj, Drawer-1)"}, []string{"< Drawer-1 Openness: not open"}, []string{"< Drawer-1 Power"}},
		{"a microwave has a door", "", []string{"(toggle_on, Microwave-1)"}, []string{"< Microwave-1 Openness: not open"},
			[]string{"< Microwave-1 Openness: not open (if)", "< Microwave-1 Openness: not closed", "< ?remote"}},
		{"a faucet has none", "", []string{"(toggle_on, Faucet-1)"}, []string{"< Faucet-1 Power: not on"}, []string{"< Faucet-1 Openness", "< ?remote"}},
		{"a television needs its remote control", "", []string{"(toggle_on, Television-1)"}, []string{"< ?remote place: inside RobotGripper-1"}, nil},
		{"the one that is picked up", "", []string{"(pick_up, RemoteControl-1)", "(pick_up, Mug-1)", "(toggle_on, Television-1)"},
			[]string{"< RemoteControl-1 place: inside RobotGripper-1"}, []string{"< ?remote", "< Mug-1 place", "< RemoteControl-1 place: inside RobotGripper-1 (if)"}},
		{"either of two knives", "", []string{"(pick_up, Knife-1)", "(pick_up, Knife-2)", "(slice_obj, Bread-1)"},
			[]string{"< Knife-1 place: inside RobotGripper-1 (if)", "< Knife-2 place: inside RobotGripper-1 (if)", "> Bread-1 form: BreadSliced"}, nil},
		{"what has no sliced form", "", []string{"(slice_obj, Mug-1)"}, []string{"< ?tool place: inside RobotGripper-1"}, []string{"> "}},
		{"a burner has room for one thing", "", []string{"(put_on, Pan-1, StoveBurner-1)", "(put_on, Pot-1, StoveBurner-1)"},
			[]string{"< Pan-1 place: not located_at StoveBurner-1 (if)"}, []string{"< Pot-1 place: not", "< ?other"}},
		{"what is flat takes none", "", []string{"(put_on, Knife-1, StoveBurner-1)", "(put_on, Pot-1, StoveBurner-1)"},
			nil, []string{"< Knife-1 place: not located_at"}},
		{"a table has room for all", "", []string{"(put_on, Pan-1, DiningTable-1)", "(put_on, Pot-1, DiningTable-1)"}, nil, []string{"< Pan-1", "< ?other"}},
		{"pouring away", "", []string{"(pour, Mug-1)"}, []string{"> Mug-1 FillState: empty"}, []string{"< Robot-1 near", "< Mug-1 FillState: ?liquid", "> Mug-1 FillState: ?liquid"}},
		{"pouring into a vessel", "", []string{"(pour, Mug-1, Cup-1)"}, []string{"< Robot-1 near Cup-1: true", "> Cup-1 FillState: ?liquid (if)"}, nil},
		{"pouring on what holds nothing", "", []string{"(pour, Mug-1, Plate-1)"}, nil, []string{"> Plate-1", "< Mug-1 FillState: ?liquid"}},
		{"nobody knows what it is", "", []string{"(open_obj, Gadget-1)"}, []string{"< Gadget-1 Openness: not open"}, []string{"< Gadget-1 Power"}},
		{"unless what it is", more, []string{"(wipe, Bowl-1, Faucet-1)"}, []string{"> Bowl-1 Cleanliness: clean"}, []string{"< Bowl-1 FillState", "< Faucet-1"}},
		{"when and unless of what changes", more, []string{"(wipe, Mug-1, Faucet-1)"},
			[]string{"< Mug-1 FillState: empty (if)", "< Faucet-1 Power: not on (if)", "< Mug-1 Lock: locked (if)"}, nil},
		{"when of what it is not", more, []string{"(wipe, Knife-1, Faucet-1)"}, []string{"> Knife-1 Cleanliness: clean"}, []string{"< Knife-1 FillState", "< Faucet-1"}},
		{"what holds for good needs nothing", more, []string{"(seal, Fridge-1, Microwave-1)"},
			[]string{"< ?other place: not located_at Microwave-1", "> Fridge-1 Lock: locked"}, []string{"< Fridge-1 Power"}},
		{"what never holds", more, []string{"(seal, Mug-1, Sink-1)"}, []string{"< Mug-1 Power: not on (if)"}, []string{"< ?other"}},
		{"a parameter left out", more, []string{"(wipe, Mug-1)"}, []string{"> Mug-1 Cleanliness: clean"}, []string{"< Mug-1 FillState"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			o := ontology.Default()
			if tt.more != "" {
				o = with(t, tt.more)
			}
			s := newScene(o)
			g := dependency.Ground(s.objects, s.calls(t, tt.calls...))
			got := edges(g, len(tt.calls)-1)
			begins := func(e string) bool {
				return slices.ContainsFunc(got, func(x string) bool { return strings.HasPrefix(x, e) })
			}
			for _, e := range tt.has {
				if !slices.Contains(got, e) {
					t.Errorf("lacks %q:\n%s", e, strings.Join(got, "\n"))
				}
			}
			for _, e := range tt.lacks {
				if begins(e) {
					t.Errorf("has %q:\n%s", e, strings.Join(got, "\n"))
				}
			}
		})
	}
}

// Actions that come twice are two nodes; their states are shared.
func TestRepeatedCalls(t *testing.T) {
	s := newScene(ontology.Default())
	g := dependency.Ground(s.objects, s.calls(t, "(navigate_to_obj, Mug-1)", "(pick_up, Mug-1)", "(navigate_to_obj, Mug-1)"))
	if len(g.Actions) != 3 || !g.Actions[0].Preparation || g.Actions[1].Preparation {
		t.Fatalf("actions %+v", g.Actions)
	}
	a, b := g.Effects(0), g.Effects(2)
	if len(a) != 1 || len(b) != 1 || a[0].State != b[0].State {
		t.Errorf("effects %v and %v, want one state", a, b)
	}
	if need := g.Dependencies(1); need[0].State != a[0].State {
		t.Errorf("what is needed first is %s, want %s", g.States[need[0].State], g.States[a[0].State])
	}
	mug, _ := s.objects.Lookup("Mug-1")
	if got := g.States[a[0].State].Object; got != (dependency.ObjectRef{Name: "Mug-1", ID: mug}) {
		t.Errorf("it is near %+v", got)
	}
}

// Whatever is called, edges join an action and a state, in the order of the calls,
// and each is an edge of the lifted graph with objects for variables.
func TestGroundedIsLifted(t *testing.T) {
	o := with(t, more)
	whole := dependency.Of(o, false)
	names := []string{"Mug-1", "Cup-1", "Fridge-1", "Microwave-1", "Sink-1", "Knife-1", "Bread-1", "Egg-1", "StoveBurner-1", "Television-1", "RemoteControl-1", "Gadget-1"}
	rapid.Check(t, func(t *rapid.T) {
		s := newScene(o)
		var texts []string
		for range rapid.IntRange(1, 8).Draw(t, "actions") {
			a := rapid.SampledFrom(o.Actions).Draw(t, "action")
			parts := []string{a.Name}
			for range rapid.IntRange(a.Required, a.Params).Draw(t, "arguments") {
				parts = append(parts, rapid.SampledFrom(names).Draw(t, "object"))
			}
			texts = append(texts, "("+strings.Join(parts, ", ")+")")
		}
		calls := s.calls(t, texts...)
		g := dependency.Ground(s.objects, calls)
		last, named := 0, map[int]bool{}
		for _, e := range g.Edges {
			if e.Action < last || e.Action >= len(g.Actions) || e.State < 0 || e.State >= len(g.States) {
				t.Fatalf("edge %+v among %d actions and %d states", e, len(g.Actions), len(g.States))
			}
			last, named[e.State] = e.Action, true
			i := slices.IndexFunc(o.Actions, func(a *ontology.ActionSchema) bool { return a == calls[e.Action].Schema })
			general := whole.Dependencies(i)
			if e.Effect {
				general = whole.Effects(i)
			}
			instance := func(l dependency.Dependency) bool { return instantiates(s.objects, g, e, whole, l) }
			if !slices.ContainsFunc(general, instance) {
				t.Fatalf("%s: %s = %s is no instance of\n%s", texts[e.Action], g.States[e.State], e.Value, strings.Join(edges(whole, i), "\n"))
			}
		}
		if len(named) != len(g.States) || len(g.Actions) != len(calls) {
			t.Fatalf("%d states with edges of %d, %d actions of %d calls", len(named), len(g.States), len(g.Actions), len(calls))
		}
		if diff := cmp.Diff(g, dependency.Ground(s.objects, calls), cmp.Comparer(func(a, b *ontology.ActionSchema) bool { return a == b })); diff != "" {
			t.Fatalf("made twice, two graphs:\n%s", diff)
		}
	})
}

// instantiates reports whether an edge is one of the lifted graph with objects put in
// for variables.
func instantiates(objects *state.Objects, g *dependency.StateGraph, e dependency.Dependency, whole *dependency.StateGraph, l dependency.Dependency) bool {
	x, y, c := g.States[e.State], whole.States[l.State], g.Actions[e.Action].Call
	object := func(x, variable dependency.ObjectRef) bool {
		at := slices.Index(c.Schema.Vars, variable.Name)
		bound := map[int]state.Object{ontology.VarAgent: c.Agent, ontology.VarGripper: c.Gripper, ontology.VarTarget: c.Target, ontology.VarDestination: c.Destination}
		if param, ok := bound[at]; ok {
			return x.ID == param
		}
		return variable == x || variable.Name != "" && x.ID != state.Nothing
	}
	term := e.Value.Term == l.Value.Term
	if x.Kind == dependency.Form && !term {
		term = slices.Contains(objects.Onto.ValuesOf(objects.Class(x.Subject.ID), objects.Onto.Term(l.Value.Name)), e.Value.Term)
	}
	return x.Kind == y.Kind && x.Term == y.Term && object(x.Subject, y.Subject) && object(x.Object, y.Object) &&
		e.Condition == l.Condition && e.Value.Not == l.Value.Not && term && object(e.Value.At, l.Value.At)
}
