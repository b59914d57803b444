package jsonl_test

import (
	"context"
	"fmt"
	"log"
	"strings"

	"github.com/mishap-robotics/mishap/bridge/logs/jsonl"
	"github.com/mishap-robotics/mishap/engine"
	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/ontology"
	"github.com/mishap-robotics/mishap/rules"
)

// Watch a live stream; os.Stdin serves as well as this text.
func ExampleStream() {
	in := strings.NewReader(`{"mishap": 1, "id": "run-7"}
{"step": 1, "action": "(pick_up, Mug)", "observation": {"nodes": [{"id": "Mug-1", "class": "Mug"}], "edges": [["Mug-1", "inside", "RobotGripper-1"]]}}
{"step": 2, "action": "(navigate_to_obj, Sink)", "observation": {"nodes": [{"id": "Sink-1", "class": "Sink"}]}}
`)
	r, err := engine.New(ontology.Default(), rules.Default())
	if err != nil {
		log.Fatal(err)
	}
	var m *engine.Monitor
	err = jsonl.Stream(r.Ontology, "standard input", in,
		func(ep *episode.Episode) error {
			m = r.Watch(ep, engine.Limits{}, nil)
			return nil
		},
		func(st episode.Step) error {
			updates, err := m.Step(context.Background(), st)
			for _, u := range updates {
				fmt.Println(st.Index, u.Kind, u.Finding.Explanation)
			}
			return err
		},
		func(warnings []episode.Warning) { fmt.Println(warnings) })
	if err != nil {
		log.Fatal(err)
	}
	// Output:
	// 2 found The robot dropped Mug-1 during (navigate_to_obj, Sink-1).
}
