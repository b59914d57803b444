package logs_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/mishap-robotics/mishap/bridge/logs"
	"github.com/mishap-robotics/mishap/engine/episode"
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

// embedded are logs of every form as a host would embed them.
func embedded() fstest.MapFS {
	file := func(text string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(text)} }
	return fstest.MapFS{
		"logs/a.jsonl":                       file("{\"mishap\":1,\"id\":\"one\"}\n{\"step\":1,\"action\":\"(pick_up, Mug)\"}\n{\"mishap\":1,\"id\":\"two\"}\n{\"step\":1,\"action\":\"(pick_up, Mug)\"}\n"),
		"logs/b.jsonl":                       file("{\"mishap\":1,\"id\":\"bad\"}\n{\"step\":1,\"action\":\"(pick_upp, Mug)\"}\n"),
		"logs/c.alfred.jsonl":                file(`{"id":"three","interactions":[{"action":"PickupObject","object":"Mug|1|2|3"}]}`),
		"logs/d.plans.jsonl":                 file(`{"episode":"four","task":"t","actions":["(pick_up, Mug)"]}`),
		"logs/run/task.json":                 file(`{"name":"make coffee","folder_name":"five","actions":[]}`),
		"logs/run/state_summary_L1.txt":      file("00:01. Action: Move to mug. Visual observation: mug.\n"),
		"logs/traj/1/traj_data.json":         file(`{"task_id":"six","plan":{"low_actions":[{"api_action":{"action":"PickupObject","objectId":"Mug|1|2|3"}}]}}`),
		"elsewhere/not-below-the-logs.jsonl": file("{"),
	}
}

func TestFileSystem(t *testing.T) {
	o, fsys := ontology.Default(), embedded()
	got, err := logs.FindFS(fsys, "logs")
	want := []string{"logs/a.jsonl", "logs/b.jsonl", "logs/c.alfred.jsonl", "logs/run", "logs/traj/1/traj_data.json"}
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("found %q, error %v; want %q", got, err, want)
	}
	eps, err := logs.ReadFS(o, fsys, "logs/d.plans.jsonl")
	if err != nil || len(eps) != 1 || len(eps[0].Plan) != 1 {
		t.Errorf("plans %v, error %v", eps, err)
	}
	if _, err := logs.FindFS(fsys, "nowhere"); err == nil || err.Error() != "nowhere: found no such file or folder; expected a log or a folder of logs" {
		t.Errorf("error %v", err)
	}
}

// A bad log among others is an error of its own and hides none.
func TestEpisodes(t *testing.T) {
	var ids []string
	var errs []error
	for ep, err := range logs.Episodes(ontology.Default(), embedded(), "logs") {
		if err != nil {
			errs = append(errs, err)
			continue
		}
		ids = append(ids, ep.ID)
	}
	if want := []string{"one", "two", "three", "five", "six"}; !slices.Equal(ids, want) {
		t.Errorf("episodes %q, want %q", ids, want)
	}
	if len(errs) != 1 {
		t.Fatalf("errors %v, want one", errs)
	}
	var bad *logs.Error
	if !errors.As(errs[0], &bad) || bad.File != "logs/b.jsonl" || bad.Line != 2 {
		t.Errorf("error %v, want one of line 2 of b.jsonl", errs[0])
	}
	var unknown *episode.UnknownActionError
	if !errors.As(errs[0], &unknown) || unknown.Nearest != "pick_up" {
		t.Errorf("error %v, want an unknown action near pick_up", errs[0])
	}
	for ep, err := range logs.Episodes(ontology.Default(), embedded(), "logs") {
		if err != nil || ep.ID != "one" {
			t.Errorf("first %v, error %v", ep, err)
		}
		break // the others are not read
	}
	for _, err := range logs.Episodes(ontology.Default(), embedded(), "nowhere") {
		if !errors.As(err, &bad) {
			t.Errorf("error %v, want that there are no logs", err)
		}
	}
}

// locked is a file system of which some folders cannot be read.
type locked struct {
	fstest.MapFS
	folders []string
}

func (l locked) ReadDir(name string) ([]fs.DirEntry, error) {
	if slices.Contains(l.folders, name) {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrPermission}
	}
	return l.MapFS.ReadDir(name)
}

// A folder that cannot be read is told of, and does not hide the others.
func TestUnreadableFolder(t *testing.T) {
	fsys := locked{embedded(), []string{"logs/traj"}}
	got, err := logs.FindFS(fsys, "logs")
	want := []string{"logs/a.jsonl", "logs/b.jsonl", "logs/c.alfred.jsonl", "logs/run"}
	if !slices.Equal(got, want) || err == nil || err.Error() != "logs/traj: found permission denied; expected a readable folder" {
		t.Errorf("found %q, error %v; want %q and that logs/traj cannot be read", got, err, want)
	}
	episodes, errs := 0, 0
	for _, err := range logs.Episodes(ontology.Default(), fsys, "logs") {
		if err != nil {
			errs++
		} else {
			episodes++
		}
	}
	if episodes != 4 || errs != 2 {
		t.Errorf("%d episodes and %d errors, want 4 and 2", episodes, errs)
	}
}

// A pipe among logs is an error of its own: it is not waited for.
func TestPipeAmongLogs(t *testing.T) {
	fsys := embedded()
	fsys["logs/pipe.jsonl"] = &fstest.MapFile{Mode: fs.ModeNamedPipe}
	for _, name := range []string{"logs/run/task.json", "logs/c.alfred.jsonl", "logs/d.plans.jsonl"} {
		fsys[name] = &fstest.MapFile{Mode: fs.ModeDevice}
	}
	for _, path := range []string{"logs/pipe.jsonl", "logs/run", "logs/c.alfred.jsonl", "logs/d.plans.jsonl"} {
		if _, err := logs.ReadFS(ontology.Default(), fsys, path); err == nil || !strings.Contains(err.Error(), "found a pipe or a device") {
			t.Errorf("%s: error %v, want that it is no file", path, err)
		}
	}
	found, err := logs.FindFS(fsys, "logs")
	if err != nil || !slices.Contains(found, "logs/pipe.jsonl") {
		t.Errorf("found %q, %v", found, err)
	}
}
