package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/mishap-robotics/mishap/bridge/logs"
	"github.com/mishap-robotics/mishap/engine"
)

// The pack of the laboratory finds every failed command of the shared runs at its step, and
// nothing in runs without one. What of a run says how it fared is hidden from the reader.
func TestLaboratory(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(sharedPath(t, "opentrons"), "runs.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	failed := map[string]int{}
	var hidden strings.Builder
	for line := range strings.Lines(string(text)) {
		var run map[string]any
		if err := json.Unmarshal([]byte(line), &run); err != nil {
			t.Fatal(err)
		}
		truth, _ := run["truth"].(map[string]any)
		at, _ := truth["failed_at"].(float64)
		failed[run["run"].(string)] = int(at)
		delete(run, "truth")
		for _, c := range run["commands"].([]any) {
			delete(c.(map[string]any), "status")
		}
		if err := json.NewEncoder(&hidden).Encode(run); err != nil {
			t.Fatal(err)
		}
	}
	file := filepath.Join(t.TempDir(), "runs.jsonl")
	if err := os.WriteFile(file, []byte(hidden.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	k := &knowledge{packs: []string{filepath.Join("..", "..", "testdata", "packs", "laboratory")}}
	r, err := k.reasoner()
	if err != nil {
		t.Fatal(err)
	}
	eps, err := logs.Read(r.Ontology, file)
	if err != nil || len(eps) != len(failed) {
		t.Fatal(len(eps), err)
	}
	found := 0
	for _, ep := range eps {
		res, err := r.Check(t.Context(), ep)
		if err != nil {
			t.Fatal(ep.ID, err)
		}
		at := failed[ep.ID]
		if slices.ContainsFunc(res.Findings, func(f engine.Finding) bool { return int(f.Step) != at }) {
			t.Errorf("%s fails at %d; found %v", ep.ID, at, res.Findings)
		}
		if at > 0 && len(res.Findings) > 0 {
			found++
		}
		if len(ep.Warnings) > 0 {
			t.Errorf("%s: %v", ep.ID, ep.Warnings)
		}
	}
	if found != 6 {
		t.Errorf("found the failed command of %d runs, want 6", found)
	}
}
