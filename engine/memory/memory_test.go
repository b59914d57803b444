package memory_test

import (
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/cayleygraph/quad"
	"github.com/google/go-cmp/cmp"

	"github.com/mishap-robotics/mishap/engine"
	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/engine/internal/episodetest"
	"github.com/mishap-robotics/mishap/engine/memory"
	"github.com/mishap-robotics/mishap/engine/record"
	"github.com/mishap-robotics/mishap/ontology"
	"github.com/mishap-robotics/mishap/rules"
)

const dropped = `
	goal: Mug in Sink
	0 | Mug-1 clean, Mug-1 on_top_of CounterTop-1
	1 (pick_up, Mug-1) | Mug-1 clean, Mug-1 inside RobotGripper-1
	2 (navigate_to_obj, Sink-1) | Mug-1 dirty, Mug-1 on_top_of Floor-1 | something drops
	3 (put_in, Mug-1, Sink-1) | Mug-1 dirty, Mug-1 on_top_of Floor-1`

var reasoner = sync.OnceValue(func() *engine.Reasoner {
	r, err := engine.New(ontology.Default(), rules.Default())
	if err != nil {
		panic(err)
	}
	return r
})

func open(t testing.TB, folder string) *memory.Memory {
	t.Helper()
	m, err := memory.Open(t.Context(), ontology.Default(), folder, memory.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { m.Close() })
	return m
}

// run is an episode with what is found in it.
func run(t testing.TB, id string, start time.Time) memory.Run {
	t.Helper()
	ep := episodetest.Parse(t, ontology.Default(), dropped)
	ep.ID, ep.Robot, ep.Site, ep.Labels = id, "Stretch-7", "lab", []string{"night"}
	if !start.IsZero() {
		ep.Start = start.Format(time.RFC3339)
	}
	res, err := reasoner().Check(t.Context(), ep)
	if err != nil {
		t.Fatal(err)
	}
	return memory.Run{Episode: ep, Conclusions: record.Conclusions{Result: res}}
}

var noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

func ids(t *testing.T, m *memory.Memory, f memory.Filter) string {
	t.Helper()
	var out []string
	for e, err := range m.List(t.Context(), f) {
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, e.ID)
	}
	return strings.Join(out, " ")
}

// What is added is there again when the memory is opened anew, as it was.
func TestAddedAndOpenedAgain(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "a", "b c%")
	first := open(t, folder)
	a, b := run(t, "a", noon.Add(time.Hour)), run(t, "b 1/2", noon)
	if err := first.Add(t.Context(), a, b); err != nil {
		t.Fatal(err)
	}
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	m := open(t, folder)
	for _, r := range []memory.Run{a, b} {
		again, err := m.Episode(t.Context(), r.Episode.ID)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(r.Episode, again); diff != "" {
			t.Errorf("%s (-added +read):\n%s", r.Episode.ID, diff)
		}
		quads, err := m.Quads(t.Context(), r.Episode.ID)
		if err != nil {
			t.Fatal(err)
		}
		want := append(record.Episode(ontology.Default(), r.Episode, r.Result.Trace, record.Changes), record.Concluded(ontology.Default(), r.Conclusions)...)
		if diff := cmp.Diff(texts(want), texts(quads)); diff != "" {
			t.Errorf("%s (-added +read):\n%s", r.Episode.ID, diff)
		}
		concluded, err := m.Concluded(t.Context(), r.Episode.ID)
		if err != nil {
			t.Fatal(err)
		}
		want = slices.DeleteFunc(record.Concluded(ontology.Default(), r.Conclusions), func(q quad.Quad) bool {
			return q.Label != quad.IRI(record.Root(r.Episode.ID)+"/conclusions")
		})
		if diff := cmp.Diff(texts(want), texts(concluded)); diff != "" {
			t.Errorf("%s, what was concluded (-added +read):\n%s", r.Episode.ID, diff)
		}
	}
	if _, err := m.Concluded(t.Context(), "none"); !errors.Is(err, memory.ErrNotFound) {
		t.Errorf("of an episode that is not there: %v", err)
	}
	if got := ids(t, m, memory.Filter{}); got != "b 1/2 a" {
		t.Errorf("listed %s", got)
	}
	e, err := m.Entry(t.Context(), "a")
	if err != nil || e.Robot != "Stretch-7" || e.Steps != 3 || e.Findings != 1 || !e.Start.Equal(noon.Add(time.Hour)) || !slices.Equal(e.Labels, []string{"night"}) {
		t.Errorf("%+v, %v", e, err)
	}
}

func texts(quads []quad.Quad) []string {
	var out []string
	for _, q := range quads {
		out = append(out, q.NQuad())
	}
	slices.Sort(out)
	return out
}

func TestFilter(t *testing.T) {
	m := open(t, t.TempDir())
	c := run(t, "c", time.Time{})
	c.Episode.Robot, c.Episode.Labels, c.Episode.Task = "Other", nil, "make coffee"
	if err := m.Add(t.Context(), run(t, "a", noon), run(t, "b", noon.Add(time.Hour)), c); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		f    memory.Filter
		want string
	}{
		{memory.Filter{}, "c a b"},
		{memory.Filter{Robot: "Stretch-7"}, "a b"},
		{memory.Filter{Robot: "stretch"}, ""},
		{memory.Filter{Label: "night"}, "a b"},
		{memory.Filter{Label: "nigh"}, ""},
		{memory.Filter{Task: "make coffee"}, "c"},
		{memory.Filter{Site: "lab", Robot: "Other"}, "c"},
		{memory.Filter{Since: noon.Add(time.Minute)}, "b"},
		{memory.Filter{Until: noon.Add(time.Hour)}, "a"},
		{memory.Filter{Since: noon, Until: noon.Add(2 * time.Hour)}, "a b"},
	} {
		if got := ids(t, m, test.f); got != test.want {
			t.Errorf("%+v: %q, want %q", test.f, got, test.want)
		}
	}
}

// All of a call is added or nothing.
func TestAllOrNothing(t *testing.T) {
	m := open(t, t.TempDir())
	a := run(t, "a", noon)
	if err := m.Add(t.Context(), a); err != nil {
		t.Fatal(err)
	}
	before, _ := m.Stats(t.Context())
	if err := m.Add(t.Context(), run(t, "b", noon), a); !errors.Is(err, memory.ErrExists) || !strings.Contains(err.Error(), "episode a: ") {
		t.Errorf("added twice: %v", err)
	}
	if after, _ := m.Stats(t.Context()); after.Quads != before.Quads || after.Episodes != 1 {
		t.Errorf("%+v, want %+v", after, before)
	}
	if _, err := m.Episode(t.Context(), "b"); !errors.Is(err, memory.ErrNotFound) {
		t.Errorf("b: %v", err)
	}
	if err := m.Add(t.Context(), run(t, "b", noon)); err != nil { // its terms are written although a try failed
		t.Fatal(err)
	}
	if _, err := m.Episode(t.Context(), "b"); err != nil {
		t.Error(err)
	}
	a.Replace = true
	a.Episode.Goal = "another"
	if err := m.Add(t.Context(), a); err != nil {
		t.Fatal(err)
	}
	if again, err := m.Episode(t.Context(), "a"); err != nil || again.Goal != "another" {
		t.Errorf("replaced: %v, %v", again, err)
	}
}

func TestRemoveAndCompact(t *testing.T) {
	m := open(t, t.TempDir())
	var all []memory.Run
	for i := range 40 {
		r := run(t, fmt.Sprintf("run-%d", i), noon)
		r.Episode.Goal = strings.Repeat("long ", 1000) + r.Episode.ID
		all = append(all, r)
	}
	if err := m.Add(t.Context(), all...); err != nil {
		t.Fatal(err)
	}
	full, _ := m.Stats(t.Context())
	if err := m.Remove(t.Context(), "run-1", "none"); !errors.Is(err, memory.ErrNotFound) {
		t.Errorf("removed what is not there: %v", err)
	}
	if got := len(strings.Fields(ids(t, m, memory.Filter{}))); got != 40 {
		t.Fatalf("%d episodes after a call that failed", got)
	}
	for i := range 30 {
		if err := m.Remove(t.Context(), fmt.Sprintf("run-%d", i)); err != nil {
			t.Fatal(err)
		}
	}
	if err := m.Compact(t.Context()); err != nil {
		t.Fatal(err)
	}
	small, err := m.Stats(t.Context())
	if err != nil || small.Episodes != 10 || full.Bytes-small.Bytes < 30*5000 || small.Ontology != full.Ontology || small.Terms >= full.Terms {
		t.Errorf("%+v after %+v: %v", small, full, err)
	}
	if ep, err := m.Episode(t.Context(), "run-35"); err != nil || cmp.Diff(all[35].Episode, ep) != "" {
		t.Errorf("%v, %v", ep, err)
	}
	if err := m.Add(t.Context(), run(t, "new", noon)); err != nil {
		t.Fatal(err)
	}
	if ep, err := m.Episode(t.Context(), "new"); err != nil || len(ep.Steps) != 4 {
		t.Errorf("%v, %v", ep, err)
	}
}

// Two that have the memory open see what the other does, and compacting by one does not
// mislead the other.
func TestTwoHaveItOpen(t *testing.T) {
	folder := t.TempDir()
	a, b := open(t, folder), open(t, folder)
	if err := a.Add(t.Context(), run(t, "a", noon)); err != nil {
		t.Fatal(err)
	}
	if err := b.Add(t.Context(), run(t, "b", noon)); err != nil {
		t.Fatal(err)
	}
	if err := b.Remove(t.Context(), "a", "b"); err != nil {
		t.Fatal(err)
	}
	if err := b.Compact(t.Context()); err != nil {
		t.Fatal(err)
	}
	want := run(t, "a", noon)
	if err := a.Add(t.Context(), want); err != nil { // of terms that b threw away
		t.Fatal(err)
	}
	for _, m := range []*memory.Memory{a, b} {
		if ep, err := m.Episode(t.Context(), "a"); err != nil || cmp.Diff(want.Episode, ep) != "" {
			t.Errorf("%v, %v", ep, err)
		}
	}
}

// Many that make one memory at the same time wait for one another.
func TestMadeByManyAtOnce(t *testing.T) {
	in := t.TempDir()
	for round := range 40 {
		var all sync.WaitGroup
		for range 4 {
			all.Go(func() {
				m, err := memory.Open(t.Context(), ontology.Default(), filepath.Join(in, fmt.Sprint(round)), memory.Options{})
				if err != nil {
					t.Error(err)
					return
				}
				if _, err := m.Stats(t.Context()); err != nil {
					t.Error(err)
				}
				if err := m.Close(); err != nil {
					t.Error(err)
				}
			})
		}
		all.Wait()
	}
}

func TestOpenErrors(t *testing.T) {
	onto := ontology.Default()
	write := func(text string) string {
		folder := t.TempDir()
		if err := os.WriteFile(filepath.Join(folder, memory.File), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return folder
	}
	newer := t.TempDir()
	open(t, newer).Close()
	other := t.TempDir()
	for folder, statement := range map[string]string{newer: "PRAGMA user_version = 7", other: "CREATE TABLE notes (text TEXT)"} {
		db, err := sql.Open("sqlite", filepath.Join(folder, memory.File))
		if err == nil {
			_, err = db.Exec(statement)
		}
		if err != nil {
			t.Fatal(err)
		}
		db.Close()
	}
	if _, err := memory.Open(t.Context(), onto, write("no database, but a text that is longer than its head would be"), memory.Options{}); !errors.Is(err, memory.ErrDamaged) {
		t.Errorf("a text: %v", err)
	}
	if _, err := memory.Open(t.Context(), onto, other, memory.Options{}); !errors.Is(err, memory.ErrDamaged) {
		t.Errorf("another database: %v", err)
	}
	var v *memory.VersionError
	if _, err := memory.Open(t.Context(), onto, newer, memory.Options{}); !errors.As(err, &v) || v.Found != 7 || !strings.Contains(err.Error(), "use a newer one") || strings.Count(err.Error(), newer) != 1 {
		t.Errorf("newer: %v", err)
	}
	if _, err := memory.Open(t.Context(), onto, t.TempDir(), memory.Options{ReadOnly: true}); !errors.Is(err, fs.ErrNotExist) || !strings.Contains(err.Error(), "mishap memory add") {
		t.Errorf("none there: %v", err)
	}
	if _, err := memory.Open(t.Context(), nil, t.TempDir(), memory.Options{}); err == nil {
		t.Error("without an ontology")
	}
	if m, err := memory.Open(t.Context(), onto, write(""), memory.Options{}); err != nil { // made, and not written to yet
		t.Errorf("an empty file: %v", err)
	} else {
		m.Close()
	}
}

// A store whose tail was cut off, or that was written over, is told and never silently
// another.
func TestDamaged(t *testing.T) {
	folder := t.TempDir()
	m := open(t, folder)
	for i := range 20 {
		if err := m.Add(t.Context(), run(t, fmt.Sprint(i), noon)); err != nil {
			t.Fatal(err)
		}
	}
	m.Close()
	file := filepath.Join(folder, memory.File)
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, data[:len(data)/2], 0o644); err != nil {
		t.Fatal(err)
	}
	m, err = memory.Open(t.Context(), ontology.Default(), folder, memory.Options{})
	for i := 0; err == nil && i < 20; i++ {
		var ep *episode.Episode
		if ep, err = m.Episode(t.Context(), fmt.Sprint(i)); err == nil {
			if diff := cmp.Diff(run(t, fmt.Sprint(i), noon).Episode, ep); diff != "" {
				t.Fatalf("a half file gave another episode:\n%s", diff)
			}
		}
	}
	if !errors.Is(err, memory.ErrDamaged) {
		t.Errorf("half a file: %v", err)
	}
}

// Bytes of it are others: what is read is right or told to be damaged, with the file.
func TestOverwritten(t *testing.T) {
	folder := t.TempDir()
	m := open(t, folder)
	for i := range 20 {
		if err := m.Add(t.Context(), run(t, fmt.Sprint(i), noon)); err != nil {
			t.Fatal(err)
		}
	}
	m.Close()
	file := filepath.Join(folder, memory.File)
	whole, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	told := 0
	for seed := range uint64(8) {
		data, random := slices.Clone(whole), rand.New(rand.NewPCG(seed, 0))
		for range len(data) / 1000 {
			data[4096+random.IntN(len(data)-4096)] ^= 0xff // the first page names the file's kind
		}
		if err := os.WriteFile(file, data, 0o644); err != nil {
			t.Fatal(err)
		}
		m, err := memory.Open(t.Context(), ontology.Default(), folder, memory.Options{ReadOnly: true})
		if err == nil {
			for i := range 20 {
				if _, err := m.Episode(t.Context(), fmt.Sprint(i)); errors.Is(err, sql.ErrNoRows) {
					t.Errorf("episode %d: %v", i, err)
				} else if errors.Is(err, memory.ErrDamaged) && !strings.Contains(err.Error(), file) {
					t.Errorf("episode %d: %v names no file", i, err)
				} else if errors.Is(err, memory.ErrDamaged) {
					told++
				}
			}
			m.Close()
		}
	}
	if told == 0 {
		t.Error("no damage was told")
	}
}

func TestReadOnly(t *testing.T) {
	folder := t.TempDir()
	m := open(t, folder)
	if err := m.Add(t.Context(), run(t, "a", noon)); err != nil {
		t.Fatal(err)
	}
	m.Close()
	if err := os.Chmod(folder, 0o555); err != nil {
		t.Fatal(err)
	}
	defer os.Chmod(folder, 0o755)
	m, err := memory.Open(t.Context(), ontology.Default(), folder, memory.Options{ReadOnly: true})
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	if _, err := m.Episode(t.Context(), "a"); err != nil {
		t.Error(err)
	}
	if err := m.Add(t.Context(), run(t, "b", noon)); !errors.Is(err, memory.ErrReadOnly) {
		t.Errorf("added to what may only be read: %v", err)
	}
	if os.Getuid() == 0 {
		return // may write anywhere
	}
	if _, err := memory.Open(t.Context(), ontology.Default(), filepath.Join(folder, "new"), memory.Options{}); !errors.Is(err, fs.ErrPermission) {
		t.Errorf("a new one: %v", err)
	}
}

// Where the disk has no more room nothing is half there.
func TestFull(t *testing.T) {
	folder := t.TempDir()
	m := open(t, folder)
	if err := m.Add(t.Context(), run(t, "a", noon)); err != nil {
		t.Fatal(err)
	}
	if err := m.LimitSize(t.Context(), 40); err != nil {
		t.Fatal(err)
	}
	var full error
	for i := 0; full == nil && i < 1000; i++ {
		full = m.Add(t.Context(), run(t, fmt.Sprintf("b%d", i), noon))
	}
	if !errors.Is(full, memory.ErrFull) {
		t.Fatalf("a full disk: %v", full)
	}
	left := strings.Fields(ids(t, m, memory.Filter{}))
	for _, id := range left {
		if _, err := m.Episode(t.Context(), id); err != nil {
			t.Error(err)
		}
	}
	if len(left) == 0 {
		t.Error("nothing is left")
	}
}

// Who asked is told of what is added, and a context that ends ends it.
func TestSubscribe(t *testing.T) {
	m := open(t, t.TempDir())
	told := m.Subscribe(t.Context())
	if err := m.Add(t.Context(), run(t, "a", noon), run(t, "b", noon)); err != nil {
		t.Fatal(err)
	}
	m.Close()
	var got []string
	for a := range told {
		got = append(got, fmt.Sprintf("%s %d %v", a.ID, len(a.Findings), len(a.Quads) == a.Entry.Quads))
	}
	if want := []string{"a 1 true", "b 1 true"}; !slices.Equal(got, want) {
		t.Errorf("told %v, want %v", got, want)
	}
	for range m.Subscribe(t.Context()) {
		t.Error("told of a memory that is closed")
	}
}
