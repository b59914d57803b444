package nquads_test

import (
	"bytes"
	"errors"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/mishap-robotics/mishap/bridge/internal/input"
	"github.com/mishap-robotics/mishap/bridge/logs/nquads"
	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/engine/record"
	"github.com/mishap-robotics/mishap/engine/scene"
	"github.com/mishap-robotics/mishap/ontology"
	"github.com/mishap-robotics/mishap/ontology/recorded"
)

func sample(id string) *episode.Episode {
	return &episode.Episode{ID: id, Source: "run.jsonl", Goal: "a \"clean\" mug\n\\ ü ☕ \u200d", Robot: "r", Steps: []episode.Step{
		{Index: 0, Observation: episode.Observation{Complete: true, Graph: scene.Graph{Nodes: []scene.Node{{ID: "Mug-1", Class: "Mug", States: []string{"dirty"}}}}}},
		{Index: 1, Time: "00:01", Action: episode.Action{Name: "pick_up", Target: "Mug-1"}, Observation: episode.Observation{Missing: true}},
	}}
}

// read reads the episodes of a text.
func read(o *ontology.Ontology, name, text string) (out []*episode.Episode, err error) {
	for ep, wrong := range nquads.Episodes(o, fstest.MapFS{name: {Data: []byte(text)}}, name) {
		if wrong != nil {
			err = errors.Join(err, wrong)
			continue
		}
		out = append(out, ep)
	}
	return out, err
}

// What is written is read back, several episodes of one file too.
func TestRead(t *testing.T) {
	o := ontology.Default()
	var text bytes.Buffer
	text.WriteString("# two episodes\n\n<x:a> <x:b> \"1\"^^<x:c> <x:other> .\n")
	want := []*episode.Episode{sample("b c/d"), sample("a")}
	for _, ep := range want {
		if err := record.WriteNQuads(&text, record.Episode(o, ep, nil, record.Changes)); err != nil {
			t.Fatal(err)
		}
	}
	got, err := read(o, "t.nq", text.String())
	if err != nil {
		t.Fatal(err)
	}
	for _, ep := range want {
		ep.Source, ep.File = "t.nq", "run.jsonl"
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-written +read):\n%s", diff)
	}
}

func TestReadErrors(t *testing.T) {
	const graph, isA = "<" + record.Base + "a>", "<http://www.w3.org/1999/02/22-rdf-syntax-ns#type> "
	for text, want := range map[string]string{
		"":                                  "t.nq: found an empty file",
		"<x:a> <x:b> <x:c> .\n":             "t.nq: found no episode; expected a record of one",
		"<x:a> <x:b> 1e .\n":                "t.nq:1: found ",
		"<x:a> <x:b> <x:c> <x:g> <x:h> .\n": "t.nq:1: found ",
		"# c\n<x:e> <x:hasTriple> _:t .\n":  "t.nq:2: found an event with a triple that has no subject, predicate or object; expected hasSubject",
		"<x:e> <x:hasStep> \"1\" .\n<x:e> " + isA + "<x:ActionEvent> .\n": "t.nq:1: found an action event without an action; expected hasAction",
		"<x:a> <x:b> 1e <x:g> .\n":                                        `t.nq:1: found "<x:a> <x:b> 1e <x:g> ."; expected a quad`,
		"<x:a> <x:b> .\n":                                                 "t.nq:1: found ",
		"<x:a> <x:b> \"open <x:g> .\n":                                    "t.nq:1: found ",
		"\n<x:a <x:b> <x:c> <x:g> .\n":                                    "t.nq:2: found ",
		"<x:a> <x:b> <x:c> <x:g>\n":                                       "t.nq:1: found ",
		"\"a\" <x:b> <x:c> <x:g> .\n":                                     "t.nq:1: found ",
		"@prefix x: <y> .\n":                                              "t.nq:1: found ",
		"<x:a> <x:b> \"\\q\" <x:g> .\n":                                   "t.nq:1: found ",
		"<x:a> <x:b> <x:c> " + graph + " .\n<x:a> " + isA + "<" + recorded.Episode.IRI() + "> .":                 `found a record from which episode "a" cannot be rebuilt`,
		"<x:a> " + isA + "<" + recorded.Episode.IRI() + "> .\n<x:e> <" + ontology.Namespace + "hasTriple> _:t .": "found no episode; expected one below",
		"<x:a> " + isA + "<" + recorded.Episode.IRI() + "> .":                                                    "found no episode; expected one below",
	} {
		_, err := read(ontology.Default(), "t.nq", text)
		var e *input.Error
		if !errors.As(err, &e) || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, want %q", text, err, want)
		}
	}
}

// An episode comes back from triples as from quads.
func TestReadTriples(t *testing.T) {
	o := ontology.Default()
	var text bytes.Buffer
	want := []*episode.Episode{sample("b c/d"), sample("a")}
	for _, ep := range want {
		if err := record.WriteNQuads(&text, record.Reify(record.Episode(o, ep, nil, record.Whole))); err != nil {
			t.Fatal(err)
		}
		ep.Source, ep.File = "t.nt", "run.jsonl"
	}
	got, err := read(o, "t.nt", text.String())
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-written +read):\n%s", diff)
	}
}

// A log of events is read whatever its namespace, and whatever tells the order of its events.
func TestReadEvents(t *testing.T) {
	const log = `
<x:k#e5> <x:k#hasAction> <x:k#observation> .
<x:k#e5> <x:k#hasTriple> _:t2 .
_:t2 <x:k#hasSubject> <x:k#mug-1> .
_:t2 <x:k#hasPredicate> <x:k#inside> .
_:t2 <x:k#hasObject> <x:k#robot-gripper-1> .
<x:k#e3> <x:k#hasAction> <x:k#pick_up> .
<x:k#e3> <x:k#hasTarget> <x:k#mug-1> .
<x:k#e3> <x:k#hasSound> <x:k#sound_3> .
<x:k#e3> <x:k#hasTime> "00:05" .
<x:k#sound_3> <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> <x:k#DropSound> .
<x:k#e2> <x:k#hasTriple> _:t0 .
_:t0 <x:k#hasSubject> <x:k#Nothing> .
_:t0 <x:k#hasPredicate> <x:k#inside> .
_:t0 <x:k#hasObject> <x:k#robot-gripper-1> .
<x:k#e2> <x:k#hasTriple> _:t1 .
_:t1 <x:k#hasSubject> <x:k#mug-1> .
_:t1 <x:k#hasPredicate> <x:k#hasState> .
_:t1 <x:k#hasObject> <x:k#dirty> .
<x:k#mug-1> <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> <x:k#Mug> .
`
	renamed := strings.NewReplacer("#e5>", "#last>", "#e3>", "#middle>", "#e2>", "#first>").Replace(log)
	for name, text := range map[string]string{
		"by number":           log,
		"by what follows":     renamed + "<x:k#first> <x:k#precedes> <x:k#middle> .\n<x:k#middle> <x:k#nextEvent> <x:k#last> .\n",
		"by step":             renamed + "<x:k#first> <x:k#step> \"0\" .\n<x:k#middle> <x:k#step> \"1\" .\n<x:k#last> <x:k#step> \"1\" .\n",
		"by rdf:Statement":    strings.NewReplacer("hasSubject", "subject", "hasPredicate", "predicate", "hasObject", "object").Replace(log),
		"in graphs of events": strings.NewReplacer("_:t2 <x:k#hasSubject> <x:k#mug-1> .", "<x:k#mug-1> <x:k#inside> <x:k#robot-gripper-1> <x:k#e5> .", "<x:k#e5> <x:k#hasTriple> _:t2 .\n", "", "_:t2 <x:k#hasPredicate> <x:k#inside> .\n", "", "_:t2 <x:k#hasObject> <x:k#robot-gripper-1> .\n", "").Replace(log),
	} {
		t.Run(name, func(t *testing.T) {
			got, err := read(ontology.Default(), "kitchen.nt", text)
			if err != nil {
				t.Fatal(err)
			}
			gripper := scene.Node{ID: "robot-gripper-1", Class: "robot-gripper"}
			want := []episode.Step{
				{Index: 0, Observation: episode.Observation{Graph: scene.Graph{Nodes: []scene.Node{{ID: "mug-1", Class: "Mug", States: []string{"dirty"}}, gripper}}}},
				{Index: 1, Time: "00:05", Action: episode.Action{Name: "pick_up", Target: "mug-1"}, Sounds: []string{"DropSound"}, Observation: episode.Observation{
					Graph: scene.Graph{Nodes: []scene.Node{{ID: "mug-1", Class: "Mug"}, gripper}, Edges: []scene.Edge{{Subject: "mug-1", Relation: "inside", Object: "robot-gripper-1"}}}}},
			}
			if len(got) != 1 || got[0].ID != "kitchen" || !got[0].GripperObserved {
				t.Fatalf("%d episodes: %+v", len(got), got)
			}
			for i := range got[0].Steps {
				if got[0].Steps[i].Line == 0 {
					t.Errorf("step %d has no line", i)
				}
				got[0].Steps[i].Line = 0
			}
			if diff := cmp.Diff(want, got[0].Steps); diff != "" {
				t.Errorf("(-want +read):\n%s", diff)
			}
		})
	}
}

func FuzzRead(f *testing.F) {
	var text bytes.Buffer
	if err := record.WriteNQuads(&text, record.Episode(ontology.Default(), sample("a"), nil, record.Changes)); err != nil {
		f.Fatal(err)
	}
	f.Add(text.String())
	for _, s := range []string{"<x:a> <x:b> \"1\"^^<x:c> <x:g> .", "_:a <x:b> \"x\"@en .", "<a> <b> 1.e .", "# c", "\"\\u12", "_:a. <b> <c> .", "<x:a> <x:b> \"\"^^ .", "^^", "@", "_:", "<x:a>.<x:b>."} {
		f.Add(s)
	}
	o := ontology.Default()
	f.Fuzz(func(t *testing.T, text string) {
		_, _ = read(o, "t.nq", text)
	})
}
