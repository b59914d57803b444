package virtualhome_test

import (
	"errors"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/mishap-robotics/mishap/bridge/internal/input"
	"github.com/mishap-robotics/mishap/bridge/logs/virtualhome"
	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/ontology"
	"github.com/mishap-robotics/mishap/ontology/document"
)

// home is an ontology with a few words of a scene.
func home(t testing.TB) *ontology.Ontology {
	t.Helper()
	const own = `@prefix m: <https://mishap-robotics.github.io/ontology#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
m:Robot rdfs:subClassOf m:Agent ; m:plays m:watchedAgent ; rdfs:label "character" .
m:Hand rdfs:subClassOf m:PhysicalObject ; m:plays m:agentGripper .
m:Bad rdfs:subClassOf m:Failure ; m:plays m:failedAction .
m:Room rdfs:subClassOf m:PhysicalObject ; rdfs:label "Rooms" .
m:Soap rdfs:subClassOf m:PhysicalObject ; rdfs:label "soap" .
m:Grab rdfs:subClassOf m:Action ; m:actionName "GRAB" ; m:parameters ( "?a" ) .
m:Put rdfs:subClassOf m:Action ; m:actionName "PUTIN" ; m:parameters ( "?a" "?b" ) .
m:Stand rdfs:subClassOf m:Action ; m:actionName "STANDUP" ; m:parameters () .
`
	o, _, err := ontology.Parse(append(ontology.Language(), document.Document{Name: "own.ttl", Data: []byte(own)}))
	if err != nil {
		t.Fatal(err)
	}
	return o
}

const graph = `{"nodes": [[1, "bathroom", "Rooms", [], []], [65, "character", "Characters", [], ["SITTING"]], [9, "soap", "Props", ["GRABBABLE"], []], [10, "gizmo", "Gizmos", [], []]], "edges": [[65, "INSIDE", 1]]}`

func folder(plans, graph string) fstest.MapFS {
	return fstest.MapFS{"home/plans.jsonl": {Data: []byte(plans)}, "home/graphs/t1.json": {Data: []byte(graph)}}
}

const plan = `{"model": "m", "task_id": "t1", "task": "Wash", "actions": ["[GRAB] <soap> (9)", "[PUTIN] <soap> (9) <gizmo> (10)", "[STANDUP]"], "executable": "no", "error": 7}`

func TestReadFolder(t *testing.T) {
	fsys := folder(plan, graph)
	if !virtualhome.IsFolder(fsys, "home") || virtualhome.IsFolder(fsys, "home/graphs") {
		t.Error("a folder is not told from another")
	}
	got, err := virtualhome.ReadFolder(home(t), fsys, "home")
	if err != nil {
		t.Fatal(err)
	}
	want := []*episode.Episode{{
		ID: "m/t1", Source: "home", Task: "Wash",
		Things: []episode.Thing{{Name: "bathroom-1", Classes: []string{"Rooms"}}, {Name: "character-65", Classes: []string{"character"}},
			{Name: "soap-9", Classes: []string{"soap"}, Properties: []string{"GRABBABLE"}}, {Name: "gizmo-10", Classes: []string{"PhysicalObject"}}},
		Scene: []episode.Fact{{Subject: "character-65", Relation: "SITTING"}, {Subject: "character-65", Relation: "INSIDE", Object: "bathroom-1"}},
		Plan:  []episode.Action{{Name: "GRAB", Target: "soap-9"}, {Name: "PUTIN", Target: "soap-9", Destination: "gizmo-10"}, {Name: "STANDUP"}},
	}}
	if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("episodes (-want +got):\n%s", diff)
	}
}

func TestReadErrors(t *testing.T) {
	o := home(t)
	for _, tt := range []struct{ name, plans, graph, want string }{
		{"nothing", "", graph, "home/plans.jsonl: found an empty file"},
		{"no object", "7", graph, "home/plans.jsonl:1: found text that is no such object"},
		{"no model", `{"task_id": "t1", "actions": []}`, graph, "home/plans.jsonl:1: found a plan without model, task or actions"},
		{"twice", plan + "\n" + plan, graph, `home/plans.jsonl:2: found a second plan "m/t1"; expected one plan of a model for each task`},
		{"no graph", strings.Replace(plan, `"t1"`, `"t2"`, 1), graph, `home/plans.jsonl:1: found task "t2" without a scene graph`},
		{"another notation", strings.Replace(plan, "[GRAB] <soap> (9)", "grab soap", 1), graph, `home/plans.jsonl:1: found in action 1: "grab soap"; expected the form [GRAB] <soap> (1000)`},
		{"an unknown action", strings.Replace(plan, "[GRAB]", "[GRUB]", 1), graph, `home/plans.jsonl:1: found in action 1: unknown action "GRUB"; did you mean GRAB?`},
		{"an argument too few", strings.Replace(plan, " <gizmo> (10)", "", 1), graph, `home/plans.jsonl:1: found in action 2: action "(PUTIN, soap-9)" has 1 arguments; PUTIN takes 2`},
		{"a graph that is none", plan, "{", "home/graphs/t1.json.gz: found a graph that cannot be read"},
		{"a node of four parts", plan, `{"nodes": [[1, "bathroom", "Rooms", []]], "edges": []}`, "home/graphs/t1.json.gz: found a graph that cannot be read ([1, \"bathroom\", \"Rooms\", []]; expected [id, class, category, properties, states])"},
		{"an edge to nothing", plan, strings.Replace(graph, `"INSIDE", 1`, `"INSIDE", 2`, 1), "home/graphs/t1.json.gz: found an edge from 65 to 2; expected ids of nodes"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := virtualhome.ReadFolder(o, folder(tt.plans, tt.graph), "home")
			var e *input.Error
			if !errors.As(err, &e) || !strings.HasPrefix(err.Error(), tt.want) {
				t.Errorf("error %v; expected %s", err, tt.want)
			}
		})
	}
}

func FuzzRead(f *testing.F) {
	o := home(f)
	f.Add(plan, graph)
	f.Add(`{"model": "", "task_id": "t1", "actions": ["[GRAB]"]}`, `{"nodes": [[1]]}`)
	f.Fuzz(func(t *testing.T, plans, graph string) {
		episodes, err := virtualhome.ReadFolder(o, folder(plans, graph), "home")
		if err == nil && len(episodes) == 0 {
			t.Error("neither plans nor an error")
		}
	})
}
