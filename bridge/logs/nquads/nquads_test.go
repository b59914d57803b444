package nquads_test

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mishap-robotics/mishap/bridge/internal/input"
	"github.com/mishap-robotics/mishap/bridge/logs/nquads"
	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/engine/record"
	"github.com/mishap-robotics/mishap/engine/scene"
	"github.com/mishap-robotics/mishap/ontology"
)

func sample(id string) *episode.Episode {
	return &episode.Episode{ID: id, Source: "run.jsonl", Goal: "a \"clean\" mug\n\\ ü ☕ \u200d", Robot: "r", Steps: []episode.Step{
		{Index: 0, Observation: episode.Observation{Complete: true, Graph: scene.Graph{Nodes: []scene.Node{{ID: "Mug-1", Class: "Mug", States: []string{"dirty"}}}}}},
		{Index: 1, Time: "00:01", Action: episode.Action{Name: "pick_up", Target: "Mug-1"}, Observation: episode.Observation{Missing: true}},
	}}
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
	got, err := nquads.Read(o, "t.nq", &text)
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
	const graph = "<" + record.Base + "a>"
	for text, want := range map[string]string{
		"":                                    "t.nq: found an empty file",
		"<x:a> <x:b> <x:c> .\n":               "t.nq: found no episode; expected quads in a graph ",
		"<x:a> <x:b> 1e <x:g> .\n":            `t.nq:1: found "<x:a> <x:b> 1e <x:g> ."; expected a quad`,
		"<x:a> <x:b> .\n":                     "t.nq:1: found ",
		"<x:a> <x:b> \"open <x:g> .\n":        "t.nq:1: found ",
		"\n<x:a <x:b> <x:c> <x:g> .\n":        "t.nq:2: found ",
		"<x:a> <x:b> <x:c> <x:g>\n":           "t.nq:1: found ",
		"\"a\" <x:b> <x:c> <x:g> .\n":         "t.nq:1: found ",
		"@prefix x: <y> .\n":                  "t.nq:1: found ",
		"<x:a> <x:b> \"\\q\" <x:g> .\n":       "t.nq:1: found ",
		"<x:a> <x:b> <x:c> " + graph + " .\n": `found a record from which episode "a" cannot be rebuilt`,
	} {
		_, err := nquads.Read(ontology.Default(), "t.nq", strings.NewReader(text))
		var e *input.Error
		if !errors.As(err, &e) || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, want %q", text, err, want)
		}
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
		_, _ = nquads.Read(o, "t.nq", strings.NewReader(text))
	})
}
