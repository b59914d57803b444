package logs_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mishap-robotics/mishap/bridge/logs"
	"github.com/mishap-robotics/mishap/ontology"
)

func TestFind(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{
		"b.jsonl", "a/x.alfred.jsonl", "a/traj_data.json", "c.plans.jsonl", "notes.txt", "run/state_summary_L1.txt", "run/task.json",
		"half/task.json", "run/inner.jsonl", "deep/er/z.jsonl",
	} {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte("{}"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := logs.Find(dir)
	if err != nil {
		t.Fatal(err)
	}
	for i := range got {
		got[i], _ = filepath.Rel(dir, got[i])
	}
	want := []string{"a/traj_data.json", "a/x.alfred.jsonl", "b.jsonl", "deep/er/z.jsonl", "half", "run"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("found (-want +got):\n%s", diff)
	}
	for path, want := range map[string]string{
		filepath.Join(dir, "notes.txt"): "a file of unknown kind",
		filepath.Join(dir, "nowhere"):   "no such file or folder",
		t.TempDir():                     "a folder without logs",
	} {
		if _, err := logs.Find(path); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("Find(%s): %v, want %q", path, err, want)
		}
	}
	if _, err := logs.Read(ontology.Default(), filepath.Join(dir, "half")); err == nil || !strings.Contains(err.Error(), "task.json") {
		t.Errorf("a REFLECT folder that lacks a file: %v", err)
	}
}
