package jsonl_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mishap-robotics/mishap/bridge/logs/jsonl"
	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/ontology"
)

const sensedLog = `{"mishap": 1, "id": "run"}
{"step": 0, "events": ["Sound"]}
{"step": 1, "time": 1, "action": "(observe)", "events": [{"kind": "jolt", "object": "Mug-1", "value": 4.5, "unit": "N"}]}
{"time": 2, "events": ["bell", {"kind": "jolt", "time": "2.5"}]}
{"step": 1, "events": [{"kind": "bell"}]}
{"step": 2, "time": 3, "action": "(observe)"}
{"step": 2, "events": ["bell"]}
{"step": 3, "events": ["bell"]}
`

// Events stand in lines of steps and between them; what is written reads back the same, but
// for the lines that they stood on.
func TestSensorEvents(t *testing.T) {
	o := ontology.Default()
	read := func(text string) *episode.Episode {
		t.Helper()
		episodes, err := jsonl.Read(o, "log", strings.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		return episodes[0]
	}
	ep := read(sensedLog)
	want := [][]episode.SensorEvent{
		{{Kind: "Sound"}},
		{{Kind: "jolt", Object: "Mug-1", Measured: true, Number: 4.5, Unit: "N"}, {Kind: "bell", Time: "2", Line: 4}, {Kind: "jolt", Time: "2.5", Line: 4}, {Kind: "bell", Line: 5}},
		{{Kind: "bell", Line: 7}}, {{Kind: "bell"}},
	}
	var got [][]episode.SensorEvent
	for _, st := range ep.Steps {
		got = append(got, st.Events)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	var b bytes.Buffer
	if err := jsonl.Write(&b, ep); err != nil {
		t.Fatal(err)
	}
	for i, st := range read(b.String()).Steps {
		for k := range got[i] {
			got[i][k].Line = 0
		}
		if diff := cmp.Diff(got[i], st.Events); diff != "" {
			t.Errorf("written, step %d (-read +again):\n%s", i, diff)
		}
	}
}

// A stream that was cut off after any line and goes on, from its start, from the last step or
// from where it stopped, tells of each event once.
func TestStreamOfEventsGoesOn(t *testing.T) {
	o := ontology.Default()
	lines := strings.SplitAfter(strings.TrimSuffix(sensedLog, "\n"), "\n")
	run := func(at *jsonl.Position, text string) (told []string) {
		t.Helper()
		v := jsonl.Visitor{At: at, Begin: func(*episode.Episode) error { return nil },
			Step:   func(st episode.Step) error { told = append(told, fmt.Sprint(st.Index, st.Events)); return nil },
			Sensed: func(events []episode.SensorEvent) error { told = append(told, fmt.Sprint(events)); return nil }}
		if err := v.Stream(o, "log", strings.NewReader(text)); err != nil {
			t.Fatal(err)
		}
		return told
	}
	whole := run(nil, strings.Join(lines, ""))
	for cut := 2; cut < len(lines); cut++ {
		before := 1
		for i := 1; i < cut; i++ {
			if strings.Contains(lines[i], "action") || strings.Contains(lines[i], `"step": 0`) {
				before = i
			}
		}
		for name, from := range map[string]int{"its start": 0, "the last step": before, "where it stopped": cut} {
			at := &jsonl.Position{}
			told := run(at, strings.Join(lines[:cut], ""))
			told = append(told, run(at, strings.Join(lines[from:], ""))...)
			if diff := cmp.Diff(whole, told); diff != "" {
				t.Errorf("cut after line %d, on from %s (-whole +cut):\n%s", cut, name, diff)
			}
		}
	}
}

// A host that gets lines one at a time tells lines of events from others.
func TestDecoderOfEvents(t *testing.T) {
	d := jsonl.NewDecoder(ontology.Default())
	events, _, err := d.Events("bus", []byte(`{"events": ["bell"], "time": 2}`))
	if want := []episode.SensorEvent{{Kind: "bell", Time: "2", Line: 1}}; err != nil || !cmp.Equal(events, want) {
		t.Errorf("%v, %v", events, err)
	}
	if events, _, err := d.Events("bus", []byte(`{"step": 1, "action": "(observe)", "events": ["bell"]}`)); events != nil || err != nil {
		t.Errorf("a step: %v, %v", events, err)
	}
	if _, _, err := d.Events("bus", []byte(`{"events": [{"kind": "bell", "value": "4"}]}`)); err == nil || !strings.Contains(err.Error(), "/events/0/value") {
		t.Errorf("a number that is none: %v", err)
	}
	if _, _, err := d.Step("bus", []byte(`{"events": ["bell"]}`)); err == nil || !strings.Contains(err.Error(), "before the first step") {
		t.Errorf("as a step: %v", err)
	}
}
