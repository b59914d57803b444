package experience

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mishap-robotics/mishap/bridge/internal/input"
	"github.com/mishap-robotics/mishap/engine"
	"github.com/mishap-robotics/mishap/ontology"
)

const two = `{"class": "OccupiedPutFailure", "strategy": "ClearDestination", "tried": 3, "reached": 1}
{"class": "DirtyObjFailure", "strategy": "AskForHelp", "tried": 1, "reached": 1}

{"class": "OccupiedPutFailure", "strategy": "ClearDestination", "tried": 2, "reached": 2}
`

func TestReadAndWrite(t *testing.T) {
	x, err := Read(ontology.Default(), "x.jsonl", strings.NewReader(two))
	if err != nil {
		t.Fatal(err)
	}
	want := []engine.StrategyCount{
		{Class: "DirtyObjFailure", Strategy: "AskForHelp", Tried: 1, Reached: 1},
		{Class: "OccupiedPutFailure", Strategy: "ClearDestination", Tried: 5, Reached: 3},
	}
	if diff := cmp.Diff(want, x.Counts()); diff != "" {
		t.Error(diff)
	}
	var b bytes.Buffer
	if err := Write(&b, x); err != nil {
		t.Fatal(err)
	}
	again, err := Read(ontology.Default(), "x.jsonl", &b)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, again.Counts()); diff != "" {
		t.Error(diff)
	}
}

func TestReadErrors(t *testing.T) {
	line := func(text string) string { return strings.SplitN(two, "\n", 2)[0] + "\n" + text }
	tests := []struct{ text, want string }{
		{line(`{"class": "BargeFailure", "strategy": "ClearDestination", "tried": 1, "reached": 0}`), `x.jsonl:2: found "BargeFailure", which is no failure class`},
		{line(`{"class": "Mug", "strategy": "ClearDestination", "tried": 1, "reached": 0}`), `x.jsonl:2: found "Mug", which is no failure class`},
		{line(`{"class": "OccupiedPutFailure", "strategy": "Hope", "tried": 1, "reached": 0}`), `x.jsonl:2: found "Hope", which is no strategy for OccupiedPutFailure`},
		{line(`{"class": "OccupiedPutFailure", "strategy": "ClearDestination", "tried": 1, "reached": 2}`), `x.jsonl:2: found a goal reached 2 of 1 times`},
		{line(`{"class": "OccupiedPutFailure", "strategy": "ClearDestination", "tried": -1, "reached": 0}`), `x.jsonl:2:`},
		{line(`{"class": "OccupiedPutFailure", "strategy": "ClearDestination", "tried": 1.5, "reached": 0}`), `x.jsonl:2:`},
		{line(`{"class": "OccupiedPutFailure"}`), `x.jsonl:2:`},
		{line(`[1]`), `x.jsonl:2:`},
		{line(`{"class":`), `x.jsonl:2:`},
	}
	for _, tt := range tests {
		_, err := Read(ontology.Default(), "x.jsonl", strings.NewReader(tt.text))
		var e *input.Error
		if !errors.As(err, &e) || !strings.Contains(err.Error(), tt.want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v; want an error with %q", tt.text, err, tt.want)
		}
	}
}

// What is written where no strategy was carried out is read again.
func TestReadNothing(t *testing.T) {
	if x, err := Read(ontology.Default(), "x.jsonl", strings.NewReader("")); err != nil || x == nil {
		t.Errorf("%v, %v", x, err)
	}
}

func FuzzRead(f *testing.F) {
	f.Add(two)
	f.Add(`{"class": "OccupiedPutFailure", "strategy": "ClearDestination", "tried": 1e9, "reached": 0}`)
	f.Fuzz(func(t *testing.T, text string) {
		x, err := Read(ontology.Default(), "x.jsonl", strings.NewReader(text))
		if (x == nil) == (err == nil) {
			t.Errorf("experience %v, error %v", x, err)
		}
	})
}
