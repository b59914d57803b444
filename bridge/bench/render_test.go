package bench_test

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"errors"
	"flag"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mishap-robotics/mishap/bridge/bench"
	"github.com/mishap-robotics/mishap/engine/simulation"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// sample is a result with every part, and a name that needs escaping.
func sample() *bench.DetectionResult {
	all := bench.Count{Episodes: 4, Failures: 4, Detected: 4, Class: 4, Cause: 4, OnTime: 4}
	some := bench.Count{Episodes: 5, Failures: 5, Detected: 4, Class: 3, Cause: 4, OnTime: 3, Extra: 1, Alarmed: 1}
	clean := bench.Count{Episodes: 2, Alarmed: 1, Extra: 1}
	miss := bench.Case{ID: "b<&>/no_effect@2", Truth: []simulation.Truth{{Class: "ActionExecutionFailure", Step: 2, Cause: 2}}, Extra: 1,
		Found: []bench.Found{{Class: "DirtyObjFailure", Step: 3, Cause: 3}}}
	window := bench.Case{ID: "w", Truth: []simulation.Truth{{Class: "MissingStepFailure", Classes: []string{"EnclosedObjectFailure"}, Window: []int{2, 5}}}}
	broken := bench.Case{ID: "x", Error: "scenario x: nothing can fall at step 1"}
	return &bench.DetectionResult{Version: "v1.2.3", Go: "go1.26", Seed: 7,
		Matrix: &bench.Matrix{Tasks: []string{"a", "b<&>"}, Failures: []string{"DirtyObjFailure", "ActionExecutionFailure"},
			Cells: [][]bench.Count{{all, {}}, {{}, some}}, Clean: []bench.Count{{Episodes: 1}, clean}, Total: some, Misses: []bench.Case{miss}},
		Noise: []bench.NoisePoint{{Rate: 0, Failed: all, Clean: bench.Count{Episodes: 4}},
			{Rate: 0.05, Failed: some, Clean: clean, Misses: []bench.Case{miss}}},
		Ablations: []bench.AblationResult{{Without: "nothing", Failed: all, Clean: bench.Count{Episodes: 2}}, {Without: "sound", Failed: some, Clean: clean}},
		Nested:    &bench.Nested{Two: all, Three: some, Recovering: all, Misses: []bench.Case{window}},
		ALFRED:    &bench.ALFRED{Clean: bench.Count{Episodes: 9}, Injected: some, ByClass: map[string]bench.Count{"B": all, "A": some}, Misses: []bench.Case{window}},
		RoboFail:  &bench.RoboFail{Total: all, ByKind: map[string]bench.Count{"scene": all, "planning": {}}, Skipped: []string{"toast: ambiguous"}},
		Suites:    []bench.Suite{{Name: "replan", Count: some, Cases: []bench.Case{window}}},
		Scenarios: &bench.Scenarios{Folder: "my", Count: some, Clean: clean, Cases: []bench.Case{miss, broken}},
		Skipped:   []string{"alfred: no file"},
	}
}

func TestRender(t *testing.T) {
	for name, write := range map[string]func(*bench.DetectionResult, io.Writer) error{
		"sample.txt": (*bench.DetectionResult).Text, "sample.json": (*bench.DetectionResult).JSON, "sample.svg": (*bench.DetectionResult).SVG,
	} {
		var got bytes.Buffer
		if err := write(sample(), &got); err != nil {
			t.Fatal(err)
		}
		isGolden(t, name, got.Bytes())
	}
}

// isGolden compares a rendered result with the file of that name.
func isGolden(t *testing.T, name string, got []byte) {
	t.Helper()
	golden := filepath.Join("testdata", name)
	if *update {
		if err := os.MkdirAll("testdata", 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(golden, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("%s (-want +got), accept with: go test ./bridge/bench -run TestRender -update\n%s", name, diff)
	}
}

func TestJSONReadsBack(t *testing.T) {
	var text bytes.Buffer
	if err := sample().JSON(&text); err != nil {
		t.Fatal(err)
	}
	var back bench.DetectionResult
	if err := json.Unmarshal(text.Bytes(), &back); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(sample(), &back); diff != "" {
		t.Error(diff)
	}
}

func TestSVGIsWellFormed(t *testing.T) {
	for name, r := range map[string]*bench.DetectionResult{"all": sample(), "noise alone": {Noise: sample().Noise}, "ablations alone": {Ablations: sample().Ablations}} {
		var svg bytes.Buffer
		if err := r.SVG(&svg); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		dec := xml.NewDecoder(&svg)
		for {
			if _, err := dec.Token(); errors.Is(err, io.EOF) {
				break
			} else if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
		}
	}
	if err := (&bench.DetectionResult{RoboFail: &bench.RoboFail{}}).SVG(io.Discard); err == nil {
		t.Error("a picture of nothing is no error")
	}
}

// Where nothing was counted there is nothing to divide by.
func TestTextOfNothing(t *testing.T) {
	var text bytes.Buffer
	empty := &bench.DetectionResult{Version: "v", Go: "g", Matrix: &bench.Matrix{}, Noise: []bench.NoisePoint{{}}, Ablations: []bench.AblationResult{{}},
		Nested: &bench.Nested{}, ALFRED: &bench.ALFRED{}, RoboFail: &bench.RoboFail{}, Scenarios: &bench.Scenarios{}}
	if err := empty.Text(&text); err != nil {
		t.Fatal(err)
	}
	if strings.Contains(text.String(), "NaN") || !strings.Contains(text.String(), "-") {
		t.Errorf("counts of nothing:\n%s", &text)
	}
}
