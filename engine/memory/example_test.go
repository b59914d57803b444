package memory_test

import (
	"context"
	"fmt"
	"os"

	"github.com/cayleygraph/cayley/graph/path"
	"github.com/cayleygraph/quad"

	"github.com/mishap-robotics/mishap/engine"
	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/engine/memory"
	"github.com/mishap-robotics/mishap/engine/record"
	"github.com/mishap-robotics/mishap/engine/scene"
	"github.com/mishap-robotics/mishap/ontology"
	"github.com/mishap-robotics/mishap/ontology/recorded"
	"github.com/mishap-robotics/mishap/rules"
)

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// An episode is checked and added, and who subscribed is told. A goal is asked of all
// episodes and answered in structures; a path of Cayley goes through the graph.
func Example() {
	folder := must(os.MkdirTemp("", "memory"))
	defer os.RemoveAll(folder)
	ctx := context.Background()
	o := ontology.Default()
	m := must(memory.Open(ctx, o, folder, memory.Options{}))
	defer m.Close()
	r := must(engine.New(o, rules.Default(), m.Builtins()...))
	added := m.Subscribe(ctx)

	seen := func(relation, place string) episode.Observation {
		return episode.Observation{Graph: scene.Graph{
			Nodes: []scene.Node{{ID: "Mug-1", Class: "Mug"}, {ID: "Floor-1", Class: "Floor"}},
			Edges: []scene.Edge{{Subject: "Mug-1", Relation: relation, Object: place}},
		}}
	}
	ep := &episode.Episode{ID: "run-1", Robot: "Stretch-7", GripperObserved: true, Steps: []episode.Step{
		{Index: 0, Observation: seen("on_top_of", "CounterTop-1")},
		{Index: 1, Action: episode.Action{Name: "pick_up", Target: "Mug-1"}, Observation: seen("inside", "RobotGripper-1")},
		{Index: 2, Action: episode.Action{Name: "navigate_to_obj", Target: "Sink-1"}, Sounds: []string{"something drops"}, Observation: seen("on_top_of", "Floor-1")},
	}}
	read := *ep
	res := must(r.Check(ctx, ep))
	if err := m.Add(ctx, memory.Run{Episode: &read, Conclusions: record.Conclusions{Result: res}}); err != nil {
		panic(err)
	}
	for a := range added {
		fmt.Println(a.ID, a.Findings[0].Type)
		break
	}

	goal := must(m.Prepare(r, "dropped(E, S, O), robot(E, R)"))
	for a, err := range goal.Answers(ctx, memory.Filter{Robot: "Stretch-7"}) {
		if err != nil {
			panic(err)
		}
		var drop struct {
			Episode string `goal:"E"`
			Step    int    `goal:"S"`
			Object  string `goal:"O"`
		}
		if err := a.Scan(&drop); err != nil {
			panic(err)
		}
		fmt.Printf("%+v\n", drop)
	}

	const isA = quad.IRI("http://www.w3.org/1999/02/22-rdf-syntax-ns#type")
	p := path.StartPath(m.Graph(), quad.IRI(recorded.Finding.IRI())).In(isA).Out(quad.IRI(recorded.Concerns.IRI()))
	for _, v := range must(p.Iterate(ctx).AllValues(m.Graph())) {
		fmt.Println(v)
	}
	// Output:
	// run-1 DroppingObjFailure
	// {Episode:run-1 Step:2 Object:Mug-1}
	// <https://mishap-robotics.github.io/episode/run-1/object/Mug-1>
}

// A goal is prepared once and asked with values for its parameters, whatever signs they have;
// answers come one at a time, and what ends the loop closes them.
func ExampleMemory_Prepare() {
	folder := must(os.MkdirTemp("", "memory"))
	defer os.RemoveAll(folder)
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	o := ontology.Default()
	m := must(memory.Open(ctx, o, folder, memory.Options{}))
	defer m.Close()
	r := must(engine.New(o, rules.Default(), m.Builtins()...))
	for _, id := range []string{"run-1", "run-2"} {
		ep := &episode.Episode{ID: id, Steps: []episode.Step{{Index: 1, Action: episode.Action{Name: "observe"}, Observation: episode.Observation{Graph: scene.Graph{
			Nodes: []scene.Node{{ID: "Cup-1", Class: "Cup"}, {ID: "it's a mug", Class: "Mug"}},
		}}}}}
		read := *ep
		if err := m.Add(ctx, memory.Run{Episode: &read, Conclusions: record.Conclusions{Result: must(r.Check(ctx, ep))}}); err != nil {
			panic(err)
		}
	}
	seen := must(m.Prepare(r, "seen(E, S, O), isa(O, Class)", "O", "Class"))
	for _, asked := range [][2]string{{"Cup-1", "Cup"}, {"it's a mug", "Drinkware"}, {"Cup-1", "Mug"}} {
		for a, err := range seen.Answers(ctx, memory.Filter{}, asked[0], asked[1]) {
			if err != nil {
				panic(err)
			}
			var at struct {
				E string
				S int
			}
			if err := a.Scan(&at); err != nil {
				panic(err)
			}
			fmt.Printf("%s: %+v\n", asked[0], at)
			break
		}
	}
	// Output:
	// Cup-1: {E:run-1 S:1}
	// it's a mug: {E:run-1 S:1}
}
