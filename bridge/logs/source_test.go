package logs_test

import (
	"compress/gzip"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
	"github.com/klauspost/compress/zstd"

	"github.com/mishap-robotics/mishap/bridge/logs"
	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/ontology"
)

func TestFind(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{
		"b.jsonl", "a/x.alfred.jsonl", "a/traj_data.json", "c.plans.jsonl", "notes.txt", "run/state_summary_L1.txt", "run/task.json",
		"half/task.json", "run/inner.jsonl", "deep/er/z.jsonl",
		"bag/metadata.yaml", "bag/bag_0.db3", "bag/bag_1.db3", "r.mcap", "alone.db3", "odd.db3.gz",
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
	want := []string{"a/traj_data.json", "a/x.alfred.jsonl", "alone.db3", "b.jsonl", "bag", "deep/er/z.jsonl", "half", "r.mcap", "run"}
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

const (
	arrayLog = "[\n {\"mishap\":1,\"id\":\"a\"},\n {\"step\":1,\n  \"action\":\"(pick_up, Mug)\"}\n]\n"
	linesLog = "{\"mishap\":1,\"id\":\"a\"}\n{\"step\":1,\"action\":\"(pick_up, Mug)\"}\n"
)

func gzipped(t *testing.T, text string) string {
	t.Helper()
	var b strings.Builder
	w := gzip.NewWriter(&b)
	if _, err := w.Write([]byte(text)); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func zstandard(t *testing.T, text string) string {
	t.Helper()
	w, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	return string(w.EncodeAll([]byte(text), nil))
}

// The same log is read alike as lines, as an array and compressed.
func TestForms(t *testing.T) {
	o := ontology.Default()
	alfred := embedded()["logs/c.alfred.jsonl"].Data
	for name, data := range map[string]string{
		"a.json":            arrayLog,
		"a.jsonl.gz":        gzipped(t, linesLog),
		"a.json.gz":         gzipped(t, arrayLog),
		"a.jsonl.zst":       zstandard(t, linesLog),
		"a.alfred.jsonl.gz": gzipped(t, string(alfred)),
	} {
		fsys := fstest.MapFS{"logs/" + name: {Data: []byte(data)}}
		for _, path := range []string{"logs", "logs/" + name, "l*/a.*", "**/*" + filepath.Ext(name)} {
			found, err := logs.FindFS(fsys, path)
			if err != nil || !slices.Equal(found, []string{"logs/" + name}) {
				t.Errorf("%s: found %q, error %v", path, found, err)
				continue
			}
			eps, err := logs.ReadFS(o, fsys, found[0])
			if err != nil || len(eps) != 1 || len(eps[0].Steps) == 0 || eps[0].Steps[len(eps[0].Steps)-1].Action.Name != "pick_up" {
				t.Errorf("%s: episodes %v, error %v", found[0], eps, err)
			}
		}
	}
	fsys := fstest.MapFS{"run/task.json.gz": {Data: []byte(gzipped(t, `{"name":"make coffee","actions":[]}`))},
		"run/state_summary_L1.txt.zst": {Data: []byte(zstandard(t, "00:01. Action: Move to mug. Visual observation: mug.\n"))},
		"run/other.json":               {Data: []byte(`{"a":1}`)}}
	found, err := logs.FindFS(fsys, ".")
	if err != nil || !slices.Equal(found, []string{"run"}) {
		t.Fatalf("found %q, error %v", found, err)
	}
	eps, err := logs.ReadFS(o, fsys, "run")
	if err != nil || len(eps) != 1 || len(eps[0].Steps) != 1 {
		t.Errorf("episodes %v, error %v", eps, err)
	}
}

// What comes before the damage of a compressed file is read, and the place is told.
func TestDamaged(t *testing.T) {
	o := ontology.Default()
	var b strings.Builder
	b.WriteString("{\"mishap\":1,\"id\":\"a\"}\n")
	for i := range 5000 {
		fmt.Fprintf(&b, "{\"step\":%d,\"action\":\"(pick_up, Mug-%d)\"}\n", i+1, i*7919%5000)
	}
	for name, data := range map[string]string{"a.jsonl.gz": gzipped(t, b.String()), "a.jsonl.zst": zstandard(t, b.String())} {
		for _, cut := range []int{len(data) - 1, len(data) * 3 / 4} {
			fsys := fstest.MapFS{name: {Data: []byte(data[:cut])}}
			eps, err := logs.ReadFS(o, fsys, name)
			if err != nil || len(eps) != 1 || len(eps[0].Steps) == 0 {
				if cut == len(data)-1 || filepath.Ext(name) == ".gz" { // a Zstandard block is read whole or not
					t.Errorf("%s cut at %d of %d: %d episodes, error %v", name, cut, len(data), len(eps), err)
				}
				continue
			}
			last := eps[0].Warnings[len(eps[0].Warnings)-1]
			if !strings.Contains(last.Msg, "breaks off") {
				t.Errorf("%s cut at %d: last warning %q", name, cut, last.Msg)
			}
		}
		for _, cut := range []int{0, 3} {
			fsys := fstest.MapFS{name: {Data: []byte(data[:cut])}}
			if _, err := logs.ReadFS(o, fsys, name); err == nil || !strings.HasPrefix(err.Error(), name+": found ") && !strings.HasPrefix(err.Error(), name+":1: found ") {
				t.Errorf("%s cut at %d: error %v", name, cut, err)
			}
		}
	}
}

func TestPatterns(t *testing.T) {
	for pattern, want := range map[string]string{
		"logs/*.txt":  "logs/*.txt: found no log that matches",
		"logs/[a.gz":  "logs/[a.gz: found a pattern that cannot be read",
		"nowhere/**":  "nowhere/**: found no log that matches",
		"logs/none/x": "logs/none/x: found no such file or folder",
	} {
		if found, err := logs.FindFS(embedded(), pattern); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s: %q, error %v, want %q", pattern, found, err, want)
		}
	}
	found, err := logs.FindFS(embedded(), "logs/{a,b}.jsonl")
	if want := []string{"logs/a.jsonl", "logs/b.jsonl"}; err != nil || !slices.Equal(found, want) {
		t.Errorf("found %q, error %v, want %q", found, err, want)
	}
}
