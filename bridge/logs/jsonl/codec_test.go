package jsonl_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"github.com/mishap-robotics/mishap/bridge/logs"
	"github.com/mishap-robotics/mishap/bridge/logs/jsonl"
	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/ontology"
)

// A step that is written reads back as the same step.
func TestAppendStep(t *testing.T) {
	d := jsonl.NewDecoder(ontology.Default())
	rapid.Check(t, func(t *rapid.T) {
		want := episode.Step{Index: rapid.IntRange(1, 1000).Draw(t, "index"), Time: rapid.SampledFrom([]string{"", "00:07", "12.5"}).Draw(t, "time"),
			Agent: names().Draw(t, "agent"), Action: episode.Action{Name: "pick_up", Target: "Mug-1"}, Sounds: rapid.SliceOfN(names(), 0, 2).Draw(t, "sounds"), Observation: observation(t)}
		before := []byte("before ")
		line, err := jsonl.AppendStep(before, &want)
		if err != nil || !strings.HasPrefix(string(line), "before {") || strings.Count(string(line), "\n") != 1 {
			t.Fatalf("%q, %v", line, err)
		}
		got, _, err := d.Step("t", line[len(before):])
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got, cmpopts.EquateEmpty(), cmpopts.IgnoreFields(episode.Step{}, "Line")); diff != "" {
			t.Errorf("step (-want +got):\n%s", diff)
		}
	})
}

func TestAppendHeader(t *testing.T) {
	d := jsonl.NewDecoder(ontology.Default())
	want := &episode.Episode{ID: "a", Source: "t", Task: "make coffee", Goal: "coffee", People: []episode.Person{{Name: "Ann"}},
		Plan: []episode.Action{{Name: "pick_up", Target: "Mug"}}, Scene: []episode.Fact{{Subject: "Mug-1", Relation: "dirty", Line: 1}}}
	line, err := jsonl.AppendHeader(nil, want)
	if err != nil {
		t.Fatal(err)
	}
	got, err := d.Header("t", line)
	if diff := cmp.Diff(want, got, cmpopts.EquateEmpty(), cmpopts.IgnoreFields(episode.Episode{}, "GoalLine")); err != nil || diff != "" {
		t.Errorf("header (-want +got):\n%s%v", diff, err)
	}
}

func TestDecoderErrors(t *testing.T) {
	d := jsonl.NewDecoder(ontology.Default())
	for text, want := range map[string]string{
		"":                           "r2:1: found ",
		"[1]":                        "r2:1: found JSON that is no object; expected one JSON object",
		`{"step":1`:                  "r2:1: found no JSON",
		`{"step":-1}`:                "r2:1: found at /step: ",
		`{"mishap":1,"id":"a"}`:      "r2:1: found a header; expected a step line",
		"{\"step\":1}\n{\"step\":2}": "r2:1: found ",
		`{"step":"x"}`:               "r2:1: found at /step: ",
	} {
		_, _, err := d.Step("r2", []byte(text))
		var e *logs.Error
		if !errors.As(err, &e) || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
	for text, want := range map[string]string{
		`{"step":1}`:           `r2:1: found a first line without "mishap"`,
		`{"mishap":1}`:         "r2:1: found at /: missing property 'id'",
		`{"mishap":1,"id":7}`:  "r2:1: found at /id: ",
		`{"mishap":1,"id":"a"`: "r2:1: found no JSON",
	} {
		if _, err := d.Header("r2", []byte(text)); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
	st, warnings, err := d.Step("r2", []byte(`{"step":1,"action":"(juggle, Mug)","colour":"red"}`))
	if err != nil || st.Action.Name != "juggle" || len(warnings) != 2 {
		t.Errorf("%+v, %v, %v", st, warnings, err)
	}
}
