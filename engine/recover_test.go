package engine_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/mishap-robotics/mishap/engine"
	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/engine/internal/recovery"
	"github.com/mishap-robotics/mishap/engine/internal/script"
	"github.com/mishap-robotics/mishap/ontology"
	"github.com/mishap-robotics/mishap/ontology/document"
	"github.com/mishap-robotics/mishap/rules"
)

// watched feeds the lines of a script to a monitor.
func watched(t testing.TB, r *engine.Reasoner, text string) *engine.Monitor {
	t.Helper()
	ep, err := script.Parse(r.Ontology, "test", 1, text)
	if err != nil {
		t.Fatal(err)
	}
	steps := ep.Steps
	m := r.Watch(ep, engine.Limits{}, nil)
	for _, st := range steps {
		if _, err := m.Step(context.Background(), st); err != nil {
			t.Fatal(err)
		}
	}
	return m
}

// propose recovers from the last finding, if there is one.
func propose(m *engine.Monitor, p engine.Planner) *engine.Proposal {
	if found := m.Findings(); len(found) > 0 {
		return m.Recover(context.Background(), p, &found[len(found)-1], nil)
	}
	return m.Recover(context.Background(), p, nil, nil)
}

func planText(p *engine.Proposal) string {
	var out []string
	for _, a := range p.Plan {
		out = append(out, a.String())
	}
	return strings.Join(out, " ")
}

// SDA-Planner, section 4.3: the pan in the gripper keeps the robot from the tomato.
const panInHand = `
goal: Tomato inside Pan
scene: Drawer-1 closed, Pan-1 on_top_of CounterTop-1, Tomato-1 inside Fridge-1, Fridge-1 closed, Fork-1 inside Drawer-1
plan: (open_obj, Drawer), (navigate_to_obj, Pan), (pick_up, Pan), (navigate_to_obj, Fridge), (open_obj, Fridge), (navigate_to_obj, Tomato), (pick_up, Tomato), (put_in, Tomato, Pan), (close_obj, Fridge)
`

func TestErrorWindow(t *testing.T) {
	tests := []struct {
		name, script string
		kind         recovery.ErrorKind
		err, source  int
		start, end   int
		insert       string
	}{
		{"an earlier action undid what the failed one needs", panInHand, recovery.DependencyError, 7, 3, 2, 8, ""},
		{"it never held", `
goal: Apple on_top_of CounterTop
scene: Apple-1 inside Fridge-1, Fridge-1 closed
plan: (navigate_to_obj, Fridge), (pick_up, Apple), (navigate_to_obj, CounterTop), (put_on, Apple, CounterTop)
`, recovery.DependencyError, 2, 1, 1, 2, ""},
		{"one preparing action sets it", `
goal: Apple on_top_of CounterTop
plan: (navigate_to_obj, Sink), (pick_up, Apple), (navigate_to_obj, CounterTop), (put_on, Apple, CounterTop)
0 | Apple-1 on_top_of DiningTable-1, Sink-1 clean, Robot-1 near CounterTop-1
1 (navigate_to_obj, Sink) | Sink-1 clean
2 (pick_up, Apple) | Sink-1 clean
`, recovery.PreparationError, 2, 2, 2, 2, "(navigate_to_obj, Apple-1)"},
		{"all that it depends on holds", `
goal: Faucet on
plan: (navigate_to_obj, Faucet), (toggle_on, Faucet)
0 | Faucet-1 off
1 (navigate_to_obj, Faucet) | Faucet-1 off
2 (toggle_on, Faucet) | Faucet-1 off
`, recovery.EnvironmentError, 2, 2, 2, 2, ""},
	}
	r := reasoner(t)
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			m := watched(t, r, tt.script)
			p := m.Recover(context.Background(), engine.Planner{}, nil, nil)
			d := p.Diagnosis
			if d == nil {
				t.Fatal("no diagnosis")
			}
			insert := ""
			if d.Insert != nil {
				insert = d.Insert.Text(m.Trace().Objects)
			}
			if d.Kind != tt.kind || d.Err != tt.err || d.Source != tt.source || d.Start != tt.start || d.End != tt.end || insert != tt.insert {
				t.Errorf("%s error at %d, source %d, window [%d, %d], insert %q; want %s at %d, source %d, [%d, %d], %q",
					d.Kind, d.Err, d.Source, d.Start, d.End, insert, tt.kind, tt.err, tt.source, tt.start, tt.end, tt.insert)
			}
			if !p.Verified {
				t.Errorf("not verified: %v %v %v", p.Unmet, p.Violated, p.Impossible)
			}
			if tt.insert != "" && (p.Method != recovery.Insert || len(p.Plan) != 4) {
				t.Errorf("%s: %s; want what is left with one action more", p.Method, planText(p))
			}
		})
	}
}

func TestRecover(t *testing.T) {
	const served = `
goal: Mug filled_with_coffee, Mug on_top_of DiningTable
scene: Mug-1 clean, Mug-1 empty, CoffeeMachine-1 off
`
	tests := []struct {
		name, script string
		planner      engine.Planner
		verified     bool
		has          []string // of the plan
		lacks        []string
		reasons      string // some of what keeps it from being verified
		assumes      string
		person       bool
	}{
		{name: "what fell is picked up again", script: `
task: heat pot
plan: (pick_up, Pot), (navigate_to_obj, StoveBurner-1), (put_on, Pot, StoveBurner-1), (toggle_on, StoveBurner-1)
0 | Pot-1 on_top_of CounterTop-1, Pot-1 clean, Pot-1 empty, StoveBurner-1 off
1 (pick_up, Pot-1) | Pot-1 inside RobotGripper-1, Pot-1 clean
2 (navigate_to_obj, StoveBurner-1) | Pot-1 on_top_of CounterTop-1, Pot-1 clean, StoveBurner-1 off | something drops
`, verified: true, has: []string{"(pick_up, Pot-1)", "(put_on, Pot-1, StoveBurner-1)", "(toggle_on, StoveBurner-1)"}},
		{name: "a goal that already holds asks for nothing", script: "goal: Apple on_top_of DiningTable\n0 | Apple-1 on_top_of DiningTable-1\n", verified: true},
		{name: "without a goal nothing is verified", script: "plan: (navigate_to_obj, Mug), (pick_up, Mug)\n0 | Mug-1 on_top_of CounterTop-1\n", reasons: "no goal"},
		{name: "the only egg is broken", script: `
task: fry egg
0 | Egg-1 on_top_of Floor-1, Egg-1 broken, Pan-1 on_top_of StoveBurner-1, Pan-1 clean, StoveBurner-1 off
`, reasons: "Egg-1) cannot be done: it is broken", has: []string{"(toggle_on, StoveBurner-1)"}},
		{name: "another egg will do", script: `
task: fry egg
0 | Egg-1 on_top_of Floor-1, Egg-1 broken, Egg-2 on_top_of CounterTop-1, Pan-1 on_top_of StoveBurner-1, Pan-1 clean, StoveBurner-1 off
`, verified: true, has: []string{"(pick_up, Egg-2)", "(crack_obj, Egg-2)"}, lacks: []string{"(pick_up, Egg-1)"}},
		{name: "what must not be left on is turned off", script: served, verified: true, has: []string{"(toggle_on, CoffeeMachine-1)", "(toggle_off, CoffeeMachine-1)"}},
		{name: "shards are swept up", script: served + `
0 | WineGlass-1 on_top_of Floor-1, WineGlass-1 broken, Broom-1 on_top_of Floor-1, GarbageCan-1 clean, Mug-1 on_top_of CounterTop-1, Mug-1 clean, Mug-1 empty, CoffeeMachine-1 off
`, verified: true, has: []string{"(sweep_up, WineGlass-1)"}},
		{name: "without a broom a person has to", script: served + `
0 | WineGlass-1 on_top_of Floor-1, WineGlass-1 broken, Mug-1 on_top_of CounterTop-1, Mug-1 clean, Mug-1 empty, CoffeeMachine-1 off
`, reasons: "shards", person: true, has: []string{"(toggle_on, CoffeeMachine-1)"}},
		{name: "a dirty bowl is washed before food goes in", script: `
goal: Apple inside Bowl
plan: (pick_up, Apple), (put_in, Apple, Bowl)
0 | Apple-1 on_top_of CounterTop-1, Bowl-1 on_top_of CounterTop-1, Bowl-1 dirty, Bowl-1 empty, Sink-1 clean, Faucet-1 off
`, verified: true, has: []string{"(toggle_on, Faucet-1)", "(toggle_off, Faucet-1)", "(put_in, Apple-1, Bowl-1)"}},
		{name: "what somebody must not be served is not put into the dish", script: `
goal: Apple inside Bowl
person: Ann, dislikes Apple
plan: (pick_up, Apple), (put_in, Apple, Bowl)
0 | Apple-1 on_top_of CounterTop-1, Bowl-1 on_top_of CounterTop-1, Bowl-1 clean
`, reasons: "(put_in, Apple-1, Bowl-1) must not be done", person: true, lacks: []string{"(put_in, Apple-1, Bowl-1)"}},
		{name: "what is not known is looked at", script: `
task: sort the yellow cube
0 | Cube-1 on_top_of DiningTable-1, Cube-2 on_top_of DiningTable-1, Cube-2 red, CubeCrate-1 on_top_of CounterTop-1, CubeCrate-1 yellow
`, verified: true, has: []string{"(observe, Cube-1)", "(put_in, Cube-1, CubeCrate-1)"}, assumes: "Cube-1 yellow"},
		{name: "what nobody has seen is looked for in what is closed", script: `
goal: Apple on_top_of DiningTable
0 | Fridge-1 closed, Drawer-1 closed, DiningTable-1 clean
`, verified: true, has: []string{"(open_obj, Fridge-1)", "(observe, Apple-1)", "(pick_up, Apple-1)"}, assumes: "Apple-1 inside Fridge-1"},
		{name: "that the goal holds is not supposed", script: `
goal: Apple inside Fridge
0 | Fridge-1 closed, DiningTable-1 clean
`, verified: true, has: []string{"(pick_up, Apple-1)", "(put_in, Apple-1, Fridge-1)"}, assumes: "Apple-1"},
		{name: "one of two that the plan forgets to pick up is not supposed to be where it belongs", script: `
goal: Cup-1 inside Cabinet, Cup-2 inside Cabinet
plan: (open_obj, Microwave-1), (open_obj, Cabinet-1), (put_in, Cup-1, Cabinet-1), (pick_up, Cup-2), (put_in, Cup-2, Cabinet-1)
0 | Microwave-1 closed, Cabinet-1 closed, Cup-2 on_top_of CounterTop-1
`, verified: true, has: []string{"(observe, Cup-1)", "(put_in, Cup-1, Cabinet-1)"}, assumes: "Cup-1 inside Microwave-1"},
		{name: "what is set down beside something is taken to keep clean", script: `
goal: Apple inside Bowl, Bowl near Fridge
plan: (pick_up, Apple), (put_in, Apple, Bowl), (pick_up, Bowl), (put_near, Bowl, Fridge)
0 | Apple-1 on_top_of DiningTable-1, Bowl-1 on_top_of DiningTable-1, Bowl-1 clean, Fridge-1 closed
`, verified: true, has: []string{"(put_near, Bowl-1, Fridge-1)"}, assumes: "(put_near, Bowl-1, Fridge-1) leaves Bowl-1 on something clean"},
		{name: "a search that hits its bound says so", script: served, planner: engine.Planner{PlannerOptions: engine.PlannerOptions{Effort: 3}}, reasons: "bound"},
		{name: "a lock is opened by the lever that is linked to it", script: `
goal: Apple inside Cabinet
0 | Apple-1 on_top_of CounterTop-1, Cabinet-1 closed, Cabinet-1 locked, Lever-1 off, Lever-2 off, Lever-2 linked_to Cabinet-1
`, verified: true, has: []string{"(toggle_on, Lever-2)", "(open_obj, Cabinet-1)"}, lacks: []string{"Lever-1"}},
		{name: "what is sought where nobody has looked is said", script: `
goal: Apple on_top_of DiningTable
plan: (navigate_to_obj, Apple), (pick_up, Apple), (navigate_to_obj, DiningTable), (put_on, Apple, DiningTable)
0 | Fridge-1 closed, Cabinet-1 closed, DiningTable-1 clean
`, verified: true, has: []string{"(open_obj, Fridge-1)", "(pick_up, Apple-1)"}, assumes: "Apple-1 inside Fridge-1"},
	}
	r := reasoner(t)
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := propose(watched(t, r, tt.script), tt.planner)
			text := planText(p)
			if p.Verified != tt.verified {
				t.Fatalf("verified %v; unmet %v, violated %v, impossible %v\n%s", p.Verified, p.Unmet, p.Violated, p.Impossible, text)
			}
			for _, a := range tt.has {
				if !strings.Contains(text, a) {
					t.Errorf("the plan lacks %s: %s", a, text)
				}
			}
			for _, a := range tt.lacks {
				if strings.Contains(text, a) {
					t.Errorf("the plan has %s: %s", a, text)
				}
			}
			if tt.verified && len(tt.has) == 0 && len(p.Plan) > 0 {
				t.Errorf("a plan although nothing is to be done: %s", text)
			}
			reasons := strings.Join(slices.Concat(p.Impossible, p.Unmet, p.Violated), "; ")
			if p.Exhausted {
				reasons += "; bound"
			}
			if !strings.Contains(reasons, tt.reasons) {
				t.Errorf("reasons %q; want %q among them", reasons, tt.reasons)
			}
			if assumed := strings.Join(p.Assumptions, "; "); !strings.Contains(assumed, tt.assumes) {
				t.Errorf("assumptions %q; want %q among them", assumed, tt.assumes)
			}
			if (len(p.NeedsPerson) > 0) != tt.person {
				t.Errorf("needs a person: %v", p.NeedsPerson)
			}
		})
	}
}

// Each part of the planner can be left out, and strategies are told of.
func TestPlannerParts(t *testing.T) {
	const dropped = `
task: heat pot
plan: (pick_up, Pot), (navigate_to_obj, StoveBurner-1), (put_on, Pot, StoveBurner-1), (toggle_on, StoveBurner-1)
0 | Pot-1 on_top_of CounterTop-1, Pot-1 clean, Pot-1 empty, StoveBurner-1 off, Sink-1 clean, Faucet-1 off
1 (pick_up, Pot-1) | Pot-1 inside RobotGripper-1, Pot-1 clean
2 (navigate_to_obj, StoveBurner-1) | Pot-1 on_top_of Floor-1, Pot-1 dirty, StoveBurner-1 off | something drops
`
	r := reasoner(t)
	whole := propose(watched(t, r, dropped), engine.Planner{})
	if whole.Method != recovery.ByStrategy || !strings.Contains(planText(whole), "(toggle_on, Faucet-1)") {
		t.Errorf("%s: %s; want it washed by a strategy", whole.Method, planText(whole))
	}
	if !slices.ContainsFunc(whole.Strategies, func(u engine.StrategyUse) bool { return u.Applied && u.Strategy == "WashDroppedVessel" }) {
		t.Errorf("strategies %v; want WashDroppedVessel applied", whole.Strategies)
	}
	for _, tt := range []struct {
		name    string
		options recovery.Options
		methods []engine.Method
	}{
		{"without strategies", recovery.Options{WithoutStrategies: true}, []engine.Method{recovery.Subtree, recovery.Repair}},
		{"without strategies and tree", recovery.Options{WithoutStrategies: true, WithoutTree: true}, []engine.Method{recovery.Repair}},
		{"without window", recovery.Options{WithoutStrategies: true, WithoutWindow: true}, []engine.Method{recovery.Subtree, recovery.Repair}},
		{"search alone", recovery.Options{OnlySearch: true}, []engine.Method{recovery.Search}},
		{"best-first search alone", recovery.Options{OnlyBestFirst: true}, []engine.Method{recovery.Search}},
	} {
		p := propose(watched(t, r, dropped), engine.Planner{PlannerOptions: tt.options})
		if !p.Verified || !slices.Contains(tt.methods, p.Method) || len(p.Strategies) > 0 {
			t.Errorf("%s: verified %v, %s, %v: %s", tt.name, p.Verified, p.Method, p.Strategies, planText(p))
		}
	}
	tried := propose(watched(t, r, dropped), engine.Planner{PlannerOptions: engine.PlannerOptions{Tried: map[string]int{"WashDroppedVessel": 1}}})
	if len(tried.Strategies) == 0 || tried.Strategies[0].Strategy == "WashDroppedVessel" {
		t.Errorf("strategies %v; want the one that was tried to come later", tried.Strategies)
	}
}

// The first egg broke. What comes of the second the plan calls EggCracked-2; it comes
// about as EggCracked-1.
func TestPieceUnderAnotherName(t *testing.T) {
	r := reasoner(t)
	text := `
goal: EggCracked-1 inside Pan
plan: (pick_up, Egg-1), (crack_obj, Egg-1), (put_in, EggCracked-1, Pan-1)
0 | Egg-1 intact, Egg-1 on_top_of CounterTop-1, Egg-2 intact, Egg-2 inside RobotGripper-1, Pan-1 clean, Pan-1 on_top_of CounterTop-1
1 (crack_obj, Egg-2) | EggCracked-1 inside RobotGripper-1, Pan-1 clean, Pan-1 on_top_of CounterTop-1
`
	ep, err := script.Parse(r.Ontology, "test", 1, text)
	if err != nil {
		t.Fatal(err)
	}
	steps := ep.Steps
	m := r.Watch(ep, engine.Limits{}, nil)
	if _, err := m.Step(context.Background(), steps[0]); err != nil {
		t.Fatal(err)
	}
	m.Replan([]episode.Action{{Name: "crack_obj", Target: "Egg-2"}, {Name: "put_in", Target: "EggCracked-2", Destination: "Pan-1"}})
	m.Recover(context.Background(), engine.Planner{}, nil, nil)
	if _, err := m.Step(context.Background(), steps[1]); err != nil {
		t.Fatal(err)
	}
	if found := m.Findings(); len(found) > 0 {
		t.Errorf("found %s: %s; want nothing", found[0].Type, found[0].Explanation)
	}
	rest := m.Rest()
	if len(rest) != 1 || rest[0].Target != "EggCracked-1" {
		t.Errorf("left of the plan: %v; want EggCracked-1 put into the pan", rest)
	}
}

func TestRecoverCancelled(t *testing.T) {
	m := watched(t, reasoner(t), panInHand)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if p := m.Recover(ctx, engine.Planner{}, nil, nil); p.Verified {
		t.Errorf("verified although cancelled: %s", planText(p))
	}
}

// own is an author's action, and a strategy that comes to nothing.
const own = `
@prefix m:    <https://mishap-robotics.github.io/ontology#> .
@prefix owl:  <http://www.w3.org/2002/07/owl#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
m:Wipe a owl:Class ; rdfs:subClassOf m:WithoutHeldObject ; rdfs:label "wipe" ; rdfs:comment "Wipe something clean where it is." ;
    m:actionName "wipe" ; m:phrase "wipe {target}" ; m:parameters ( "?target" ) ; m:keepsHold true ;
    m:precondition m:reachable_condition ;
    m:effect [ m:then ( ( "?target" m:state m:clean ) ) ] .
m:JuggleWithIt a m:RecoveryStrategy ; rdfs:label "juggle" ; rdfs:comment "Up and down." ;
    m:recovers m:DroppingAndDirtyObjFailure ; m:order 1 ;
    m:steps ( "(pick_up, ?1)" "(put_on, ?1, CounterTop)" "(pick_up, ?1)" "(put_on, ?1, CounterTop)" "(pick_up, ?1)" ) .
`

// What an author adds takes part in planning, and a strategy that goes in circles
// neither hangs nor shows in the plan.
func TestPlannerUsesOwnData(t *testing.T) {
	o, problems, err := ontology.Parse(append(ontology.Shipped(), document.Document{Name: "own.ttl", Data: []byte(own)}))
	if err != nil {
		t.Fatal(err, problems)
	}
	r, err := engine.New(o, rules.Default())
	if err != nil {
		t.Fatal(err)
	}
	p := propose(watched(t, r, `
goal: Apple inside Bowl
plan: (pick_up, Apple), (put_in, Apple, Bowl)
0 | Apple-1 on_top_of CounterTop-1, Bowl-1 on_top_of CounterTop-1, Bowl-1 dirty
`), engine.Planner{})
	if !p.Verified || !strings.Contains(planText(p), "(wipe, Bowl-1)") {
		t.Errorf("verified %v: %s; want the bowl wiped", p.Verified, planText(p))
	}
	p = propose(watched(t, r, `
goal: Fork on_top_of DiningTable
plan: (pick_up, Fork), (navigate_to_obj, DiningTable), (put_on, Fork, DiningTable)
0 | Fork-1 on_top_of CounterTop-1, Fork-1 clean
1 (pick_up, Fork-1) | Fork-1 inside RobotGripper-1, Fork-1 clean
2 (navigate_to_obj, DiningTable-1) | Fork-1 on_top_of Floor-1, Fork-1 dirty
`), engine.Planner{})
	if text := planText(p); !p.Verified || strings.Count(text, "(pick_up, Fork-1)") != 1 {
		t.Errorf("verified %v: %s; want the fork picked up once", p.Verified, text)
	}
}

// What rules forbid and the goal asks for ends the search: there is nothing left to look for.
func TestForbiddenIsNotSearchedFor(t *testing.T) {
	r := reasoner(t)
	m := watched(t, r, `
goal: LettuceSliced located_at Bowl, TomatoSliced located_at Bowl, CucumberSliced located_at Bowl, OnionSliced located_at Bowl, Bowl inside Fridge, Fridge closed
person: Ann, dislikes Tomato
plan: (pick_up, LettuceSliced), (put_in, LettuceSliced, Bowl), (pick_up, TomatoSliced), (put_in, TomatoSliced, Bowl), (pick_up, CucumberSliced), (put_in, CucumberSliced, Bowl), (pick_up, OnionSliced), (put_in, OnionSliced, Bowl), (pick_up, Bowl), (navigate_to_obj, Fridge), (put_in, Bowl, Fridge), (close_obj, Fridge)
0 | Robot-1, Bowl-1 located_at CounterTop-1, Bowl-1 clean, Bowl-2 located_at CounterTop-1, LettuceSliced-1 located_at CounterTop-1, TomatoSliced-1 located_at CounterTop-1, Knife-1 located_at CounterTop-1, Fridge-1 open, Milk-1 inside Fridge-1, Mug-1 located_at CounterTop-1, Drawer-1 closed, Cabinet-1 closed, Sink-1, Faucet-1 off, StoveBurner-1 off, Pot-1 located_at CounterTop-1, Pan-1 located_at CounterTop-1, Plate-1 located_at CounterTop-1, CucumberSliced-1 located_at CounterTop-1, OnionSliced-1 located_at CounterTop-1
1 (pick_up, LettuceSliced) | LettuceSliced-1 inside RobotGripper-1
`)
	p := propose(m, engine.Planner{})
	if p.Verified || len(p.Impossible) == 0 || p.Exhausted || p.Simulated > 1500 {
		t.Errorf("verified %v, impossible %q, exhausted %v, %d actions simulated; want it to be impossible after some hundreds", p.Verified, p.Impossible, p.Exhausted, p.Simulated)
	}
}

// A goal that names a burner by its number wants that one, though the rest of its words is
// not understood.
func TestNumberedByTheGoal(t *testing.T) {
	r := reasoner(t)
	for goal, want := range map[string]string{"Heat it on a stove burner.": "UseFreeBurner", "Heat it on the first stove burner.": "ClearDestination"} {
		ep, err := script.Parse(r.Ontology, "test", 1, `
task: heat pot
plan: (navigate_to_obj, StoveBurner-1), (put_on, Pot, StoveBurner-1), (toggle_on, StoveBurner-1)
0 | Pot-1 inside RobotGripper-1, Pan-1 on_top_of StoveBurner-1, StoveBurner-1 off, StoveBurner-2 off, CounterTop-1
1 (navigate_to_obj, StoveBurner-1) | Pot-1 inside RobotGripper-1, Pan-1 on_top_of StoveBurner-1
2 (put_on, Pot-1, StoveBurner-1) | Pot-1 inside RobotGripper-1, Pan-1 on_top_of StoveBurner-1
`)
		if err != nil {
			t.Fatal(err)
		}
		ep.Goal = goal
		res, err := r.RecoverEpisode(context.Background(), ep, engine.Planner{})
		if err != nil {
			t.Fatal(err)
		}
		if got := applied(res.Plans[0]); got != want {
			t.Errorf("%q: strategy %q, want %q", goal, got, want)
		}
	}
}

// applied is the strategy that a plan is made by.
func applied(p *engine.Proposal) string {
	for _, s := range p.Strategies {
		if s.Applied {
			return s.Strategy
		}
	}
	return ""
}

// A plan calls things by what looks call them, and not by the name of the class that several
// labels share.
func TestNamesOfLooks(t *testing.T) {
	r := reasoner(t)
	const text = `
goal: Bracelet inside JewelryBox
plan: (navigate_to_obj, Bracelet), (pick_up, Bracelet), (navigate_to_obj, JewelryBox), (open_obj, JewelryBox), (put_in, Bracelet, JewelryBox)
0 | JewelryBox-1 closed, JewelryBox-1 on_top_of Dresser-1%s
1 (navigate_to_obj, Bracelet) | Bracelet-1 on_top_of CounterTop-1
2 (pick_up, Bracelet) | Bracelet-1 on_top_of Floor-1, Earring-1 on_top_of CounterTop-1
`
	for _, first := range []string{"", ", Bracelet-1 on_top_of CounterTop-1"} {
		ep, err := script.Parse(r.Ontology, "test", 1, fmt.Sprintf(text, first))
		if err != nil {
			t.Fatal(err)
		}
		steps := ep.Steps
		ep.Steps = nil // to come
		m := r.Watch(ep, engine.Limits{}, nil)
		for _, st := range steps {
			for i, n := range st.Observation.Nodes {
				st.Observation.Nodes[i].Class, _ = episode.SplitName(n.ID)
			}
			if _, err := m.Step(context.Background(), st); err != nil {
				t.Fatal(err)
			}
		}
		for _, f := range m.Findings() {
			if !slices.Contains(f.Objects, "Bracelet-1") {
				t.Errorf("%s of %v", f.Type, f.Objects)
			}
		}
		p := propose(m, engine.Planner{})
		if plan := planText(p); len(m.Findings()) == 0 || strings.Contains(plan, "Jewelry-1") || !strings.Contains(plan, "Bracelet-1") {
			t.Errorf("%d findings; %s", len(m.Findings()), plan)
		}
	}
}

// What somebody must not have is not tried with one spare after the other: of eight tomatoes and
// eight bowls, one of each shows that none does.
func TestDislikedSparesAreNotTriedInTurn(t *testing.T) {
	scene := []string{"DiningTable-1 clean"}
	for i := range 8 {
		scene = append(scene, fmt.Sprintf("Tomato-%d on_top_of CounterTop-1, Bowl-%d on_top_of CounterTop-1, Bowl-%d clean", i+1, i+1, i+1))
	}
	p := propose(watched(t, reasoner(t), fmt.Sprintf("person: Ann, dislikes Tomato\ngoal: Tomato inside Bowl\n0 | %s\n", strings.Join(scene, ", "))), engine.Planner{})
	if reasons := strings.Join(slices.Concat(p.Impossible, p.Violated), "; "); p.Verified || !strings.Contains(reasons, "must not or will not have") {
		t.Errorf("verified %v, reasons %q; want the dislike", p.Verified, reasons)
	}
	if p.Simulated > 600 {
		t.Errorf("%d actions simulated; want some hundreds", p.Simulated)
	}
}
