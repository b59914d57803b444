package engine_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"iter"
	"log"
	"log/slog"
	"math"
	"os"
	"time"

	"github.com/mishap-robotics/mishap/engine"
	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/engine/scene"
	"github.com/mishap-robotics/mishap/ontology"
	"github.com/mishap-robotics/mishap/ontology/document"
	"github.com/mishap-robotics/mishap/rules"
)

// carried is an episode in which a mug falls on the way to the sink.
func carried() *episode.Episode {
	see := func(edges ...scene.Edge) episode.Observation {
		o := episode.Observation{Graph: scene.Graph{Edges: edges}}
		for _, e := range edges {
			o.Nodes = append(o.Nodes, scene.Node{ID: e.Subject, Class: "Mug"})
		}
		return o
	}
	return &episode.Episode{ID: "run-7", Task: "clean the mug", Steps: []episode.Step{
		{Index: 0, Observation: see(scene.Edge{Subject: "Mug-1", Relation: "on_top_of", Object: "CounterTop-1"})},
		{Index: 1, Action: episode.Action{Name: "pick_up", Target: "Mug-1"},
			Observation: see(scene.Edge{Subject: "Mug-1", Relation: "inside", Object: "RobotGripper-1"})},
		{Index: 2, Action: episode.Action{Name: "navigate_to_obj", Target: "Sink-1"}, Sounds: []string{"something breaks"}, Observation: see()},
		{Index: 3, Action: episode.Action{Name: "put_in", Target: "Mug-1", Destination: "Sink-1"}, Observation: see()},
	}}
}

// Load ontology and rules once and share them between goroutines.
func Example() {
	r, err := engine.New(ontology.Default(), rules.Default())
	if err != nil {
		log.Fatal(err)
	}
	res, err := r.Check(context.Background(), carried())
	if err != nil {
		log.Fatal(err)
	}
	for _, f := range res.Findings {
		fmt.Println(f.Type, f.Step, f.Objects)
		fmt.Println(f.Explanation)
	}
	// Output:
	// DroppingAndBreakingObjFailure 2 [Mug-1]
	// The robot dropped Mug-1 during (navigate_to_obj, Sink-1), and it broke.
}

// A monitor finds failures while the episode goes on.
func ExampleReasoner_Watch() {
	r, err := engine.New(ontology.Default(), rules.Default())
	if err != nil {
		log.Fatal(err)
	}
	ep := carried()
	m := r.Watch(&episode.Episode{ID: ep.ID, Task: ep.Task}, engine.Limits{}, nil)
	for _, st := range ep.Steps {
		updates, err := m.Step(context.Background(), st)
		if err != nil {
			log.Fatal(err)
		}
		for _, u := range updates {
			fmt.Println("at step", st.Index, u.Kind, u.Finding.Type)
		}
	}
	res, _, err := m.Finish(context.Background())
	if err != nil {
		log.Fatal(err)
	}
	for _, c := range res.Findings[0].Consequences {
		fmt.Println("then:", c.Explanation)
	}
	// Output:
	// at step 2 found DroppingAndBreakingObjFailure
	// then: (put_in, Mug-1, Sink-1) did not come about: it is not in the gripper.
}

// Answers of a query are read as rows are in database/sql.
func ExampleReasoner_Prepare() {
	r, err := engine.New(ontology.Default(), rules.Default())
	if err != nil {
		panic(err)
	}
	handled, err := r.Prepare("action(Step, Action), target(Step, Object), isa(Object, Class)", "Class")
	if err != nil {
		panic(err)
	}
	ep := &episode.Episode{ID: "washing", Steps: []episode.Step{
		{Index: 1, Action: episode.Action{Name: "pick_up", Target: "Mug-1"}},
		{Index: 2, Action: episode.Action{Name: "put_in", Target: "Mug-1", Destination: "Sink-1"}},
		{Index: 3, Action: episode.Action{Name: "toggle_on", Target: "Faucet-1"}},
	}}
	rows, err := handled.Query(context.Background(), r.Facts(ep), "Mug")
	if err != nil {
		panic(err)
	}
	type handling struct {
		Step   int
		Action string
		Object string
	}
	for h, err := range engine.Collect[handling](rows) {
		if err != nil {
			panic(err)
		}
		fmt.Println(h.Step, h.Action, h.Object)
	}
	// Output:
	// 1 pick_up Mug-1
	// 2 put_in Mug-1
}

func ExampleReasoner_Rows() {
	r, err := engine.New(ontology.Default(), rules.Default())
	if err != nil {
		log.Fatal(err)
	}
	rows, err := r.Rows(context.Background(), r.Facts(carried()), "action(Step, Action), target(Step, Object)")
	if err != nil {
		log.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		var step int
		var action, object string
		if err := rows.Scan(&step, &action, &object); err != nil {
			log.Fatal(err)
		}
		fmt.Println(step, action, object)
	}
	if err := rows.Err(); err != nil {
		log.Fatal(err)
	}
	// Output:
	// 1 pick_up Mug-1
	// 2 navigate_to_obj Sink-1
	// 3 put_in Mug-1
}

// printer is an observer that prints the proof of every finding.
type printer struct{}

func (printer) Stepped(*engine.Event, *engine.Trace) {}

func (printer) Updated(u engine.Update, proof *engine.Proof, x *engine.Facts) {
	fmt.Println(u.Kind, u.Finding.Type)
	show(proof, x, "  ")
}

func show(n *engine.Proof, x *engine.Facts, indent string) {
	if n == nil {
		return
	}
	fmt.Print(indent, n.Goal)
	if n.Fact >= 0 {
		fmt.Printf(" (%s)", x.Origin(n.Fact, n.Row).How)
	}
	fmt.Println()
	for _, c := range n.Children {
		show(c, x, indent+"  ")
	}
}

// Proofs and events reach an observer as they arise.
func ExampleObserver() {
	r, err := engine.New(ontology.Default(), rules.Default())
	if err != nil {
		log.Fatal(err)
	}
	ep := carried()
	m := r.Watch(&episode.Episode{ID: ep.ID}, engine.Limits{}, printer{})
	for _, st := range ep.Steps {
		if _, err := m.Step(context.Background(), st); err != nil {
			log.Fatal(err)
		}
	}
	// Output:
	// found DroppingAndBreakingObjFailure
	//   failure('DroppingAndBreakingObjFailure', 2, 2, ['Mug-1'])
	//     dropped(2, 'Mug-1')
	//       keeps_hold(2) (action model)
	//       hand_empty(2) (seen)
	//       held_before(2, 'Mug-1')
	//         prev(2, 1) (step)
	//         acts_with(2, 'RobotGripper-1') (action)
	//         at(1, 'Mug-1', 'RobotGripper-1') (believed since it was seen)
	//         \+ by_person(2)
	//       \+ left_in(2, 'Mug-1')
	//       \+ still_held(2, 'Mug-1')
	//       \+ taken_over(2, 'Mug-1')
	//       \+ put_before_seen(2, 'Mug-1')
	//       \+ set_down(2, 'Mug-1')
	//       \+ in_other_hand(2, 'Mug-1')
	//       \+ looked_elsewhere(2, 'Mug-1')
	//       \+ lies_in_load(2, 'Mug-1')
	//       \+ was_ghost(2, 'Mug-1')
	//       \+ put_anew(2, 'Mug-1')
	//     heard(2, 'ObjectBroken') (heard)
}

// Why was a failure not found?
func ExampleReasoner_WhyNot() {
	r, err := engine.New(ontology.Default(), rules.Default())
	if err != nil {
		log.Fatal(err)
	}
	res, err := r.Check(context.Background(), carried())
	if err != nil {
		log.Fatal(err)
	}
	why, _, err := r.WhyNot(context.Background(), res, "EnclosedObjectFailure", 1)
	if err != nil {
		log.Fatal(err)
	}
	for _, u := range why {
		fmt.Println(u.Head, "needs", u.Failed)
	}
	// Output:
	// failure('EnclosedObjectFailure', 1, 1, [O, C]) needs unmet(1, not_enclosed, C)
	// failure('EnclosedObjectFailure', 1, B, [D, C]) needs unmet(1, destination_not_enclosed, C)
	// failure('EnclosedObjectFailure', 1, C, [D]) needs shut_meanwhile(1, D)
	// failure('EnclosedObjectFailure', 1, 1, [D]) needs shut_meanwhile(1, D)
	// failure('EnclosedObjectFailure', 1, 1, [O, C]) needs absent(1)
	// failure('EnclosedObjectFailure', 1, 1, [O, D]) needs action(1, put_in)
	// failure('EnclosedObjectFailure', 1, 1, [O, X]) needs absent(1)
	// failure('EnclosedObjectFailure', 1, 1, [D]) needs action(1, pour)
	// failure('EnclosedObjectFailure', 1, 1, [D]) needs action(1, pour)
	// failure('EnclosedObjectFailure', 1, 1, [O]) needs poured_shut(1, O, _G7)
	// failure('EnclosedObjectFailure', 1, C, [O, D]) needs action(1, put_in)
}

// What will go wrong is told before it does, with the edit that would do.
func ExampleMonitor_Foresee() {
	ctx := context.Background()
	r, err := engine.New(ontology.Default(), rules.Default())
	if err != nil {
		log.Fatal(err)
	}
	m := r.Watch(inTheDrawer(), engine.Limits{}, nil)
	if _, err := m.Step(ctx, atTheDrawer()); err != nil {
		log.Fatal(err)
	}
	threats, err := m.Foresee(ctx)
	if err != nil {
		log.Fatal(err)
	}
	for _, t := range threats {
		fmt.Println(t.Type, "at action", t.Planned)
		fmt.Println(t.Repair)
	}
	// Output:
	// EnclosedObjectFailure at action 2
	// add (open_obj, Drawer-1) before (pick_up, Fork-1) (action 2)
}

// How to go on is proposed from what is believed, and verified.
func ExampleMonitor_Recover() {
	ctx := context.Background()
	r, err := engine.New(ontology.Default(), rules.Default())
	if err != nil {
		log.Fatal(err)
	}
	m := r.Watch(inTheDrawer(), engine.Limits{}, nil)
	if _, err := m.Step(ctx, atTheDrawer()); err != nil {
		log.Fatal(err)
	}
	p := m.Recover(ctx, engine.Planner{}, nil, nil)
	fmt.Println(p.Verified, p.Method)
	for _, a := range p.Plan {
		fmt.Println(a)
	}
	// Output:
	// true subtree
	// (navigate_to_obj, Drawer-1)
	// (open_obj, Drawer-1)
	// (pick_up, Fork-1)
	// (navigate_to_obj, DiningTable-1)
	// (put_on, Fork-1, DiningTable-1)
	// (navigate_to_obj, Drawer-1)
	// (close_obj, Drawer-1)
}

// inTheDrawer is an episode with a plan that forgets to open the drawer.
func inTheDrawer() *episode.Episode {
	return &episode.Episode{ID: "fork", GoalFacts: []episode.Fact{{Subject: "Fork", Relation: "on_top_of", Object: "DiningTable"}},
		Plan: []episode.Action{
			{Name: "navigate_to_obj", Target: "Drawer-1"},
			{Name: "pick_up", Target: "Fork-1"},
			{Name: "navigate_to_obj", Target: "DiningTable-1"},
			{Name: "put_on", Target: "Fork-1", Destination: "DiningTable-1"},
		}}
}

// atTheDrawer is the scene at first.
func atTheDrawer() episode.Step {
	return episode.Step{Observation: episode.Observation{Graph: scene.Graph{
		Nodes: []scene.Node{{ID: "Drawer-1", Class: "Drawer", States: []string{"closed"}}, {ID: "Fork-1", Class: "Fork"}, {ID: "DiningTable-1", Class: "DiningTable"}},
		Edges: []scene.Edge{{Subject: "Fork-1", Relation: "inside", Object: "Drawer-1"}},
	}}}
}

// A monitor is saved after a step, and goes on elsewhere from what was saved.
func ExampleReasoner_Restore() {
	r, err := engine.New(ontology.Default(), rules.Default())
	if err != nil {
		log.Fatal(err)
	}
	ep := carried()
	m := r.Watch(&episode.Episode{ID: ep.ID, Task: ep.Task}, engine.Limits{Window: 500}, nil)
	if _, err := m.Step(context.Background(), ep.Steps[0]); err != nil {
		log.Fatal(err)
	}
	var saved bytes.Buffer
	if err := m.Snapshot(&saved); err != nil {
		log.Fatal(err)
	}

	m, err = r.Restore(&saved, nil) // in another process, say
	switch {
	case errors.Is(err, engine.ErrOtherKnowledge):
		log.Fatal("the rules have changed since: feed all steps to a new monitor")
	case err != nil:
		log.Fatal(err)
	}
	for _, st := range ep.Steps[1:] {
		updates, err := m.Step(context.Background(), st)
		if err != nil {
			log.Fatal(err)
		}
		for _, u := range updates {
			fmt.Println("at step", st.Index, u.Kind, u.Finding.Type)
		}
	}
	// Output:
	// at step 2 found DroppingAndBreakingObjFailure
}

// costs logs what each step cost, and adds up what the rules did.
type costs struct {
	log   *slog.Logger
	rules *engine.Profile
}

func (costs) Stepped(*engine.Event, *engine.Trace) {}

func (c costs) Updated(u engine.Update, _ *engine.Proof, _ *engine.Facts) {
	c.log.Info("finding", "kind", u.Kind, "type", u.Finding.Type, "step", u.Finding.Step)
}

func (c costs) Spent(step int, phase engine.Phase, took time.Duration) {
	c.log.Debug("cost", "step", step, "phase", phase, "took", took)
}

func (c costs) Profile() *engine.Profile { return c.rules }

// What a step costs goes to a structured log.
func ExampleCostObserver() {
	r, err := engine.New(ontology.Default(), rules.Default())
	if err != nil {
		log.Fatal(err)
	}
	untimed := func(_ []string, a slog.Attr) slog.Attr { // so that the output is always the same
		if a.Key == slog.TimeKey || a.Key == "took" {
			return slog.Attr{}
		}
		return a
	}
	o := costs{slog.New(slog.NewTextHandler(os.Stdout, &slog.HandlerOptions{Level: slog.LevelDebug, ReplaceAttr: untimed})), engine.NewProfile()}
	ep := carried()
	m := r.Watch(&episode.Episode{ID: ep.ID, Task: ep.Task}, engine.Limits{}, o)
	for _, st := range ep.Steps[:3] {
		if _, err := m.Step(context.Background(), st); err != nil {
			log.Fatal(err)
		}
	}
	asked := 0
	for _, c := range r.Rules().FailureRules() {
		if o.rules.Of(c).Calls > 0 {
			asked++
		}
	}
	fmt.Println(asked == len(r.Rules().FailureRules()), "that every rule was asked")
	// Output:
	// level=DEBUG msg=cost step=0 phase=belief
	// level=DEBUG msg=cost step=0 phase=facts
	// level=DEBUG msg=cost step=1 phase=belief
	// level=DEBUG msg=cost step=1 phase=facts
	// level=DEBUG msg=cost step=1 phase=rules
	// level=DEBUG msg=cost step=2 phase=belief
	// level=DEBUG msg=cost step=2 phase=facts
	// level=DEBUG msg=cost step=2 phase=rules
	// level=INFO msg=finding kind=found type=DroppingAndBreakingObjFailure step=2
	// level=DEBUG msg=cost step=2 phase=diagnosis
	// true that every rule was asked
}

// A host that knows poses lets rules ask for distances. What changes with time takes the
// step as an input.
func ExampleWithBuiltin() {
	type pose struct{ x, y float64 } // in metres
	poses := map[int64]map[string]pose{
		1: {"Mug-1": {0.4, 1.0}, "Sink-1": {1.9, 1.0}},
		2: {"Mug-1": {1.8, 1.0}, "Sink-1": {1.9, 1.0}},
	}
	apart := engine.Builtin{
		Name: "apart",
		Doc:  "At S the two objects are D millimetres apart.",
		In:   []rules.ArgKind{rules.StepArg, rules.ObjectArg, rules.ObjectArg}, Out: []rules.ArgKind{rules.NumberArg},
		Deterministic: true,
		Call: func(_ context.Context, in []any) iter.Seq2[[]any, error] {
			at := poses[in[0].(int64)]
			a, knowsA := at[in[1].(string)]
			b, knowsB := at[in[2].(string)]
			if !knowsA || !knowsB {
				return nil // nobody knows, as of a step that is still to come
			}
			return engine.OneAnswer(int64(math.Round(1000 * math.Hypot(a.x-b.x, a.y-b.y))))
		},
	}
	p, err := rules.Load([]document.Document{{Name: "reach.pl", Data: []byte(`
% Something is put where the gripper cannot reach.
failure('ActionExecutionFailure', S, S, [O, P]) :-
    action(S, put_in), target(S, O), destination(S, P), apart(S, O, P, D), D > 800.
`)}})
	if err != nil {
		panic(err)
	}
	r, err := engine.New(ontology.Default(), p, engine.WithBuiltin(apart))
	if err != nil {
		panic(err)
	}
	putIn := episode.Action{Name: "put_in", Target: "Mug-1", Destination: "Sink-1"}
	ep := &episode.Episode{ID: "reaching", Steps: []episode.Step{{Index: 1, Action: putIn}, {Index: 2, Action: putIn}}}
	res, err := r.Check(context.Background(), ep)
	if err != nil {
		panic(err)
	}
	for _, f := range res.Findings {
		proof, err := r.Prove(context.Background(), res, &f)
		if err != nil {
			panic(err)
		}
		fmt.Println(f.Step, f.Objects, "because", proof.Children[3].Goal)
	}
	for answer, err := range r.Answers(context.Background(), res.Index, "destination(S, P), apart(S, 'Mug-1', P, D)") {
		fmt.Println(answer, err)
	}
	// Output:
	// 1 [Mug-1 Sink-1] because apart(1, 'Mug-1', 'Sink-1', 1500)
	// map[D:1500 P:Sink-1 S:1] <nil>
	// map[D:100 P:Sink-1 S:2] <nil>
}
