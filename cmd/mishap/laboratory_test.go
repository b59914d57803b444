package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/mishap-robotics/mishap/bridge/logs"
	"github.com/mishap-robotics/mishap/engine"
	"github.com/mishap-robotics/mishap/engine/episode"
)

// The pack of the laboratory finds every failed command of the shared runs at its step, and
// nothing in runs without one. What of a run says how it fared is hidden from the reader.
func TestLaboratory(t *testing.T) {
	failed, lines := hiddenRuns(t)
	r, eps := readRuns(t, lines)
	if len(eps) != len(failed) {
		t.Fatal(len(eps))
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

// A command of a clean run that lost its parameters raises no alarm at a later one.
func TestLaboratoryWithoutParameters(t *testing.T) {
	failed, lines := hiddenRuns(t)
	every := 8 // of the kinds of commands of all runs
	if os.Getenv("MISHAP_LONG") != "" {
		every = 1
	}
	var less []map[string]any
	drawn := 0
	for _, run := range lines {
		if failed[run["run"].(string)] > 0 {
			continue
		}
		met := map[any]bool{}
		for i, c := range run["commands"].([]any) {
			action := c.(map[string]any)["action"]
			if met[action] {
				continue
			}
			met[action] = true
			if drawn++; drawn%every != 0 {
				continue
			}
			other, bare := maps.Clone(run), maps.Clone(c.(map[string]any))
			delete(bare, "params")
			commands := slices.Clone(run["commands"].([]any))
			commands[i] = bare
			other["run"], other["commands"] = fmt.Sprint(run["run"], "/", i+1, "/", action), commands
			less = append(less, other)
		}
	}
	r, eps := readRuns(t, less)
	for _, ep := range eps {
		res, err := r.Check(t.Context(), ep)
		if err != nil || len(res.Findings) > 0 {
			t.Errorf("%s: %v, found %v", ep.ID, err, res.Findings)
		}
	}
	t.Logf("%d runs", len(eps))
}

// hiddenRuns are the shared runs without what they say of how they fared, and at which command
// each failed, 0 where it did not.
func hiddenRuns(t *testing.T) (failed map[string]int, runs []map[string]any) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(sharedPath(t, "opentrons"), "runs.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	failed = map[string]int{}
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
		runs = append(runs, run)
	}
	return failed, runs
}

// readRuns reads runs by the pack of the laboratory.
func readRuns(t *testing.T, runs []map[string]any) (*engine.Reasoner, []*episode.Episode) {
	t.Helper()
	var text strings.Builder
	for _, run := range runs {
		if err := json.NewEncoder(&text).Encode(run); err != nil {
			t.Fatal(err)
		}
	}
	file := filepath.Join(t.TempDir(), "runs.jsonl")
	if err := os.WriteFile(file, []byte(text.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	k := &knowledge{packs: []string{filepath.Join("..", "..", "testdata", "packs", "laboratory")}}
	r, err := k.reasoner()
	if err != nil {
		t.Fatal(err)
	}
	eps, err := logs.Read(r.Ontology, file)
	if err != nil {
		t.Fatal(err)
	}
	return r, eps
}
