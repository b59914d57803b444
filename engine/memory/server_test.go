package memory_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/cayleygraph/cayley/graph/path"
	"github.com/cayleygraph/quad"
	"github.com/google/go-cmp/cmp"

	"github.com/mishap-robotics/mishap/engine/memory"
	"github.com/mishap-robotics/mishap/engine/record"
	"github.com/mishap-robotics/mishap/ontology"
	"github.com/mishap-robotics/mishap/ontology/recorded"
)

// postgres starts PostgreSQL on a socket of its own and stops it when the test is over. The
// test is skipped where none is installed.
func postgres(t *testing.T) string {
	t.Helper()
	found, _ := filepath.Glob("/usr/lib/postgresql/*/bin/initdb") // as Debian has it
	if len(found) == 0 {
		if file, err := exec.LookPath("initdb"); err == nil {
			found = []string{file}
		} else {
			t.Skip("PostgreSQL is not installed (Debian: apt install postgresql): memories on a server are not tested")
		}
	}
	bin := filepath.Dir(found[len(found)-1])
	folder, err := os.MkdirTemp("/tmp", "mishap-pg") // of a short name: that of a socket is bounded
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(folder) })
	as := &syscall.SysProcAttr{}
	if os.Getuid() == 0 { // it refuses to be run by root
		who, err := user.Lookup("postgres")
		if err != nil {
			t.Skip("PostgreSQL is not run by root, and there is no user postgres")
		}
		uid, _ := strconv.Atoi(who.Uid)
		gid, _ := strconv.Atoi(who.Gid)
		as.Credential = &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}
		if err := os.Chown(folder, uid, gid); err != nil {
			t.Fatal(err)
		}
	}
	data := filepath.Join(folder, "data")
	made := exec.Command(filepath.Join(bin, "initdb"), "-D", data, "-U", "mishap", "-A", "trust", "--no-sync", "--no-instructions")
	made.SysProcAttr, made.Dir = as, folder
	if out, err := made.CombinedOutput(); err != nil {
		t.Fatalf("initdb: %v\n%s", err, out)
	}
	var told bytes.Buffer
	run := exec.Command(filepath.Join(bin, "postgres"), "-D", data, "-k", folder, "-c", "listen_addresses=", "-c", "fsync=off")
	run.SysProcAttr, run.Dir, run.Stdout, run.Stderr = as, folder, &told, &told
	if err := run.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		run.Process.Signal(syscall.SIGINT)
		run.Wait()
	})
	for range 600 {
		if exec.Command(filepath.Join(bin, "pg_isready"), "-q", "-h", folder, "-U", "mishap").Run() == nil {
			return "postgres:///postgres?user=mishap&sslmode=disable&host=" + url.QueryEscape(folder)
		}
		time.Sleep(50 * time.Millisecond)
	}
	t.Fatalf("PostgreSQL does not start:\n%s", told.String())
	return ""
}

func TestServer(t *testing.T) {
	if os.Getenv("MISHAP_LONG") == "" {
		t.Skip("starts a PostgreSQL of its own: set MISHAP_LONG=1")
	}
	place := postgres(t)
	ctx := t.Context()
	o := ontology.Default()
	at := func() *memory.Memory {
		t.Helper()
		m, err := memory.Open(ctx, o, place, memory.Options{})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { m.Close() })
		return m
	}
	m, other := at(), at()
	a, b := run(t, "a", noon), run(t, "b / 2", noon.Add(time.Hour))
	b.Episode.Robot, b.Episode.Labels = "Stretch-8", []string{"night", "day"}
	if err := m.Add(ctx, a, b); err != nil {
		t.Fatal(err)
	}
	// A folder has the same.
	inFolder, err := memory.Open(ctx, o, t.TempDir(), memory.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer inFolder.Close()
	if err := inFolder.Add(ctx, a, b); err != nil {
		t.Fatal(err)
	}
	same := func(id string) {
		t.Helper()
		x, err1 := other.Quads(ctx, id)
		y, err2 := inFolder.Quads(ctx, id)
		if diff := cmp.Diff(lines(y), lines(x)); err1 != nil || err2 != nil || diff != "" {
			t.Fatalf("%v, %v (-folder +server):\n%s", err1, err2, diff)
		}
	}
	same("a")
	same("b / 2")
	for _, p := range []memory.Pattern{
		{Predicate: quad.IRI(recorded.Robot.IRI())},
		{Object: quad.IRI(recorded.Finding.IRI())},
		{Graph: quad.IRI(record.Root("a") + "/step/2/observation")},
		{Graph: quad.IRI(record.Root("a") + "/conclusions"), Predicate: quad.IRI(recorded.Concerns.IRI())},
		{Graph: record.OntologyGraph},
		{Predicate: quad.IRI(recorded.Concerns.IRI()), Of: memory.Filter{Robot: "Stretch-8"}},
		{Subject: quad.IRI(record.Root("none"))},
	} {
		if diff := cmp.Diff(matched(t, inFolder, p), matched(t, other, p)); diff != "" {
			t.Errorf("%+v (-folder +server):\n%s", p, diff)
		}
	}
	for _, f := range []memory.Filter{{}, {Robot: "Stretch-8"}, {Label: "night"}, {Since: noon.Add(time.Minute)}, {Until: noon.Add(time.Minute)}, {Site: "nowhere"}} {
		if x, y := ids(t, other, f), ids(t, inFolder, f); x != y {
			t.Errorf("%+v: %s, want %s", f, x, y)
		}
	}
	for _, goal := range []string{"dropped(E, S, O)", "found(E, 'DroppingAndDirtyObjFailure', S, O)", "robot(E, 'Stretch-8'), label(E, night)", "triple(F, type, 'Finding'), triple(F, concerns, O)", "found(E, 'DroppingObjFailure', S, O)"} {
		x, err1 := answers(t, other, goal, memory.Filter{})
		y, err2 := answers(t, inFolder, goal, memory.Filter{})
		if err1 != nil || err2 != nil || x != y {
			t.Errorf("%s: %q, %v; want %q, %v", goal, x, err1, y, err2)
		}
	}
	x, err1 := other.Entry(ctx, "a")
	y, err2 := inFolder.Entry(ctx, "a")
	x.Added = y.Added
	if err1 != nil || err2 != nil || x.Quads != y.Quads || x.Findings != 1 || x.Steps != y.Steps || !x.Start.Equal(y.Start) {
		t.Errorf("%+v, %v; want %+v, %v", x, err1, y, err2)
	}
	if s, err := other.Stats(ctx); err != nil || s.Episodes != 2 || s.Ontology == 0 || s.Quads <= s.Ontology {
		t.Errorf("%+v, %v", s, err)
	}
	concerned, err := path.StartPath(other.Graph(), quad.IRI(recorded.Finding.IRI())).In(quad.IRI("http://www.w3.org/1999/02/22-rdf-syntax-ns#type")).Out(quad.IRI(recorded.Concerns.IRI())).Iterate(ctx).AllValues(other.Graph())
	if err != nil || len(concerned) != 2 {
		t.Errorf("by a path: %v, %v", concerned, err)
	}

	// All or nothing, once.
	if err := m.Add(ctx, run(t, "c", noon), a); !errors.Is(err, memory.ErrExists) {
		t.Errorf("added twice: %v", err)
	}
	if _, err := other.Entry(ctx, "c"); !errors.Is(err, memory.ErrNotFound) {
		t.Errorf("added beside one that is refused: %v", err)
	}
	a.Replace, a.Episode.Goal, a.Episode.Site = true, "another", ""
	for _, m := range []*memory.Memory{m, inFolder} {
		if err := m.Add(ctx, a); err != nil {
			t.Fatal(err)
		}
	}
	same("a")
	var wins sync.WaitGroup
	errs := make([]error, 4)
	for i := range errs {
		wins.Add(1)
		go func() {
			defer wins.Done()
			r := run(t, "raced", noon)
			r.Episode.Goal = fmt.Sprint(i)
			errs[i] = []*memory.Memory{m, other}[i%2].Add(ctx, r)
		}()
	}
	wins.Wait()
	var added []string
	for i, err := range errs {
		if err == nil {
			added = append(added, fmt.Sprint(i))
		}
	}
	if ep, err := other.Episode(ctx, "raced"); err != nil || !slices.Equal(added, []string{ep.Goal}) {
		t.Errorf("%v were added, %v: %v; want one, whole", added, errs, err)
	}

	if err := m.Remove(ctx, "a", "none"); !errors.Is(err, memory.ErrNotFound) {
		t.Errorf("removed what is not there: %v", err)
	}
	if err := m.Remove(ctx, "a", "raced"); err != nil {
		t.Fatal(err)
	}
	if got := ids(t, other, memory.Filter{}); got != ids(t, inFolder, memory.Filter{Robot: "Stretch-8"}) {
		t.Errorf("after removing: %s", got)
	}
	if left := matched(t, other, memory.Pattern{Subject: quad.IRI(record.Root("a"))}); len(left) > 0 {
		t.Errorf("left of what was removed: %v", left)
	}

	reading, err := memory.Open(ctx, o, place, memory.Options{ReadOnly: true})
	if err != nil {
		t.Fatal(err)
	}
	defer reading.Close()
	if err := reading.Add(ctx, a); !errors.Is(err, memory.ErrReadOnly) {
		t.Errorf("read only: %v", err)
	}
	over, cancel := context.WithCancel(ctx)
	cancel()
	if _, err := m.Quads(over, "b / 2"); err == nil {
		t.Error("a context that is over is taken no notice of")
	}
}

func lines(quads []quad.Quad) []string {
	var out []string
	for _, q := range quads {
		out = append(out, q.NQuad())
	}
	slices.Sort(out)
	return out
}

func TestServerErrors(t *testing.T) {
	for place, want := range map[string]string{
		"mysql://me:secret@host/db": "expected a folder, postgres:// or cockroach://",
		"postgres://me:secret@127.0.0.1:1/db?sslmode=disable&connect_timeout=1":  "does not answer as it should",
		"cockroach://me:secret@127.0.0.1:1/db?sslmode=disable&connect_timeout=1": "does not answer as it should",
		"postgres://me:secret@[::1/db":                                           "cannot be read",
	} {
		_, err := memory.Open(t.Context(), ontology.Default(), place, memory.Options{})
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "secret") {
			t.Errorf("%s: %v; want %q", place, err, want)
		}
	}
}
