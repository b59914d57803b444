package engine_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/mishap-robotics/mishap/engine"
	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/engine/internal/episodetest"
	"github.com/mishap-robotics/mishap/engine/scene"
	"github.com/mishap-robotics/mishap/ontology"
	"github.com/mishap-robotics/mishap/ontology/document"
	"github.com/mishap-robotics/mishap/rules"
)

func save(t testing.TB, m *engine.Monitor) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := m.Snapshot(&b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func feed(t testing.TB, m *engine.Monitor, steps []episode.Step) []string {
	t.Helper()
	var out []string
	for _, st := range steps {
		updates, err := m.Step(context.Background(), st)
		if err != nil {
			t.Fatal(err)
		}
		for _, u := range updates {
			out = append(out, fmt.Sprintf("%d %s %+v", st.Index, u.Kind, u.Finding.Explanation))
		}
	}
	return out
}

// A long stream that is saved and restored time and again tells what one tells that is
// never interrupted. Its snapshots stay small.
func TestSnapshotOfLongEpisode(t *testing.T) {
	r := reasoner(t)
	steps := longEpisode(1000)
	for _, window := range []int{0, engine.MinWindow, 500} {
		whole := r.Watch(&episode.Episode{ID: "long"}, engine.Limits{Window: window}, nil)
		want := feed(t, whole, steps)
		m := r.Watch(&episode.Episode{ID: "long"}, engine.Limits{Window: window}, nil)
		var got []string
		for n := 0; n < len(steps); n += 37 {
			got = append(got, feed(t, m, steps[n:min(n+37, len(steps))])...)
			var err error
			if m, err = r.Restore(bytes.NewReader(save(t, m)), nil); err != nil {
				t.Fatal(err)
			}
		}
		if diff := cmp.Diff(want, got); diff != "" || len(want) == 0 {
			t.Errorf("window %d (-uninterrupted +restored):\n%s", window, diff)
		}
		data := save(t, m)
		if !bytes.Equal(data, save(t, whole)) {
			t.Errorf("window %d: the snapshot of what was restored is another", window)
		}
		if len(data) > 100_000 {
			t.Errorf("window %d: the snapshot has %d bytes; expected at most 100000", window, len(data))
		}
		res, _, err := m.Finish(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		ref, _, err := whole.Finish(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(explanations(ref), explanations(res)); diff != "" {
			t.Errorf("window %d: in the end (-uninterrupted +restored):\n%s", window, diff)
		}
		if err := m.Snapshot(io.Discard); !errors.Is(err, engine.ErrFinished) {
			t.Errorf("a snapshot after the end has the error %v", err)
		}
	}
}

func explanations(res *engine.Result) []string {
	var out []string
	for i := range res.Findings {
		out = append(out, fmt.Sprint(res.Findings[i].Step, res.Findings[i].Explanation))
	}
	return out
}

// smallMonitor is a monitor with a plan, a finding, a threat, people and an unknown action.
func smallMonitor(t testing.TB, r *engine.Reasoner, noise float64) *engine.Monitor {
	ep := episodetest.Parse(t, r.Ontology, `
		0 | Mug-1 on_top_of CounterTop-1
		1 (pick_up, Mug-1) | Mug-1 inside RobotGripper-1
		2 (navigate_to_obj, Sink-1) | Sink-1
		3 (put_in, Mug-1, Sink-1) | Sink-1
		4 (observe) | Mug-1 on_top_of Floor-1, Mug-1 broken`)
	steps := ep.Steps
	ep.Plan = []episode.Action{{Name: "pick_up", Target: "Mug-1"}, {Name: "navigate_to_obj", Target: "Sink-1"}, {Name: "put_in", Target: "Mug-1", Destination: "Sink-1"},
		{Name: "toggle_on", Target: "Faucet-1"}, {Name: "pour", Target: "Mug-1", Destination: "Bowl-2"}}
	ep.People = []episode.Person{{Name: "Ann", Dislikes: []string{"Apple"}}}
	ep.Noise = noise
	m := r.Watch(ep, engine.Limits{Window: engine.MinWindow}, nil)
	m.EnableForesight()
	feed(t, m, steps)
	return m
}

// The layout of a snapshot, as its documentation has it.
const head = len("mishap monitor\n") + 2 + sha256.Size + 8

// sealed puts another body into a snapshot, with its length and checksum.
func sealed(data, body []byte) []byte {
	out := bytes.Clone(data[:head])
	binary.LittleEndian.PutUint64(out[head-8:], uint64(len(body)))
	out = append(out, body...)
	sum := sha256.Sum256(out)
	return append(out, sum[:]...)
}

func bodyOf(data []byte) []byte { return data[head : len(data)-sha256.Size] }

func TestRestoreRefuses(t *testing.T) {
	r := reasoner(t)
	data := save(t, smallMonitor(t, r, 0))
	changed := func(at int, to byte) []byte {
		out := bytes.Clone(data)
		out[at] = to
		return out
	}
	body := bodyOf(data)
	version := data[len("mishap monitor\n")]
	tests := []struct {
		name string
		data []byte
		want string
	}{
		{"empty", nil, "it is empty"},
		{"a header that breaks off", data[:20], "it ends after 20 bytes"},
		{"a body that breaks off", data[:len(data)-40], "it ends after"},
		{"something else", []byte(strings.Repeat("{\"mishap\": 1}\n", 20)), "does not begin with"},
		{"a byte that is another", changed(len(data)/2, data[len(data)/2]^1), "its checksum is another"},
		{"a length that is too long", changed(head-1, 1), "bytes; expected at most"},
		{"a newer version", changed(len("mishap monitor\n"), version+1),
			fmt.Sprintf("of version %d; expected version %d: use the program that wrote it, or replay", version+1, version)},
		{"a body that ends too soon", sealed(data, body[:len(body)/2]), "take an earlier one, or replay the episode"},
		{"a body that goes on", sealed(data, append(bytes.Clone(body), 0)), "1 bytes too many"},
		{"no body", sealed(data, nil), `"episode" does not begin`},
		{"huge counts", sealed(data, append(bytes.Clone(body[:len(body)/3]), bytes.Repeat([]byte{0xff, 0xff, 0xff, 0x7f}, 2000)...)), "the snapshot of a monitor is not whole"},
	}
	for _, tt := range tests {
		_, err := r.Restore(bytes.NewReader(tt.data), nil)
		var damaged *engine.SnapshotError
		var newer *engine.SnapshotVersionError
		if err == nil || !strings.Contains(err.Error(), tt.want) || !errors.As(err, &damaged) && !errors.As(err, &newer) {
			t.Errorf("%s: error %v; want %q", tt.name, err, tt.want)
		}
	}
	for n := range data {
		if _, err := r.Restore(bytes.NewReader(data[:n]), nil); err == nil {
			t.Fatalf("the first %d of %d bytes were taken", n, len(data))
		}
	}
}

// With other knowledge the caller is told to replay; the same under other names is the same.
func TestRestoreWithOtherKnowledge(t *testing.T) {
	r := reasoner(t)
	data := save(t, smallMonitor(t, r, 0))
	more, err := rules.Load(append(rules.Shipped(), document.Document{Name: "more.pl", Data: []byte("failure('DirtyObjFailure', S, S, [O]) :- target(S, O), vague(S, O).\n")}))
	if err != nil {
		t.Fatal(err)
	}
	otherRules, err := engine.New(ontology.Default(), more)
	if err != nil {
		t.Fatal(err)
	}
	words := ontology.Shipped()
	for i := range words {
		words[i].Name = "elsewhere/" + words[i].Name
	}
	renamed, _, err := ontology.Parse(words)
	if err != nil {
		t.Fatal(err)
	}
	moved, err := engine.New(renamed, rules.Default())
	if err != nil {
		t.Fatal(err)
	}
	words[0].Data = append(bytes.Clone(words[0].Data), "\n# changed\n"...)
	changed, _, err := ontology.Parse(words)
	if err != nil {
		t.Fatal(err)
	}
	otherOntology, err := engine.New(changed, rules.Default())
	if err != nil {
		t.Fatal(err)
	}
	for name, other := range map[string]*engine.Reasoner{"rules": otherRules, "ontology": otherOntology, "fewer rules": r.WithoutNegation()} {
		if _, err := other.Restore(bytes.NewReader(data), nil); !errors.Is(err, engine.ErrOtherKnowledge) || !strings.Contains(err.Error(), "replay the episode from its first step") {
			t.Errorf("other %s: error %v", name, err)
		}
	}
	for name, same := range map[string]*engine.Reasoner{"interpreted": r.Interpreting(), "under other names": moved} {
		if _, err := same.Restore(bytes.NewReader(data), nil); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// survive restores what may be anything, and goes on with it: nothing panics, and what is
// taken is a monitor.
func survive(t testing.TB, r *engine.Reasoner, data []byte) {
	m, err := r.Restore(bytes.NewReader(data), nil)
	if err != nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	last := 5
	for i := range 3 {
		st := episode.Step{Index: last + i, Action: episode.Action{Name: "pick_up", Target: "Mug-1"}}
		var order *engine.OrderError
		if _, err := m.Step(ctx, st); errors.As(err, &order) {
			last = order.After + 1
		}
	}
	if err := m.Snapshot(io.Discard); err != nil {
		t.Errorf("what was restored is not saved: %v", err)
	}
	m.Finish(ctx)
}

// Snapshots whose bytes are changed and whose checksum is right are errors, or monitors.
func TestRestoreOfWhatIsForged(t *testing.T) {
	r := reasoner(t)
	random := rand.New(rand.NewPCG(1, 2))
	for _, noise := range []float64{0, 0.05} {
		data := save(t, smallMonitor(t, r, noise))
		var before, after runtime.MemStats
		for range 300 {
			body := bytes.Clone(bodyOf(data))
			for range 1 + random.IntN(3) {
				switch at := random.IntN(len(body)); random.IntN(4) {
				case 0:
					body = append(body[:at], body[at+1:]...)
				case 1:
					body[at] = byte(random.Uint32())
				case 2:
					body = append(body[:at], append(binary.AppendVarint(nil, random.Int64()>>random.IntN(60)), body[at:]...)...)
				default:
					body[at] ^= 1 << random.IntN(8)
				}
			}
			forged := sealed(data, body)
			runtime.ReadMemStats(&before)
			r.Restore(bytes.NewReader(forged), nil)
			runtime.ReadMemStats(&after)
			if took := after.TotalAlloc - before.TotalAlloc; took > 32<<20 {
				t.Fatalf("a snapshot of %d bytes takes %d bytes of memory", len(forged), took)
			}
			survive(t, r, forged)
		}
	}
}

// FuzzRestore restores bodies with a header and a checksum that are right.
func FuzzRestore(f *testing.F) {
	r := reasoner(f)
	data := save(f, smallMonitor(f, r, 0))
	f.Add(bodyOf(data))
	f.Add(bodyOf(save(f, smallMonitor(f, r, 0.05))))
	f.Add(bodyOf(save(f, r.Watch(&episode.Episode{ID: "empty"}, engine.Limits{}, nil))))
	f.Fuzz(func(t *testing.T, body []byte) {
		r.Restore(bytes.NewReader(body), nil)
		survive(t, r, sealed(data, body))
	})
}

// BenchmarkSnapshot reports what it takes to save a monitor after so many steps in view of
// 20 objects, and to restore it.
func BenchmarkSnapshot(b *testing.B) {
	r := reasoner(b)
	for _, n := range []int{1000, 10000} {
		for _, window := range []int{engine.MinWindow, 500, 0} {
			m := r.Watch(&episode.Episode{ID: "long"}, engine.Limits{Window: window}, nil)
			feed(b, m, longEpisode(n))
			data := save(b, m)
			b.Run(fmt.Sprintf("steps=%d/window=%d/save", n, window), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					save(b, m)
				}
				b.ReportMetric(float64(len(data))/1000, "kB")
			})
			b.Run(fmt.Sprintf("steps=%d/window=%d/restore", n, window), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					if _, err := r.Restore(bytes.NewReader(data), nil); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}

// A monitor whose plan made a name for a thing that a look calls by that of its class, which facts
// do not take over, can be restored.
func TestRestoreRenamedAfterClass(t *testing.T) {
	r := reasoner(t)
	m := r.Watch(&episode.Episode{Plan: []episode.Action{{Name: "pick_up", Target: "Mug"}}}, engine.Limits{}, nil)
	action := episode.Action{Name: "navigate_to_obj", Target: "Sink-1"}
	look := episode.Step{Index: 2, Action: action}
	look.Observation.Nodes = []scene.Node{{ID: "Mug", Class: "Mug-1"}}
	feed(t, m, []episode.Step{{Index: 1, Action: action}, look})
	data := save(t, m)
	again, err := r.Restore(bytes.NewReader(data), nil)
	if err != nil {
		t.Fatal(err)
	}
	look.Index = 3
	for _, monitor := range []*engine.Monitor{m, again} {
		feed(t, monitor, []episode.Step{look})
	}
	if !bytes.Equal(save(t, again), save(t, m)) {
		t.Error("what was restored goes on otherwise")
	}
}

// A monitor whose plan made a name for a thing that a look calls otherwise can be restored.
func TestRestoreRenamed(t *testing.T) {
	r := reasoner(t)
	m := r.Watch(&episode.Episode{Plan: []episode.Action{{Name: "pick_up", Target: "Mug"}}}, engine.Limits{}, nil)
	st := episode.Step{Index: 1, Action: episode.Action{Name: "pick_up", Target: "mug_1"}}
	st.Observation.Nodes = []scene.Node{{ID: "mug_1", Class: "Mug"}}
	feed(t, m, []episode.Step{st})
	data := save(t, m)
	again, err := r.Restore(bytes.NewReader(data), nil)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(save(t, again), data) {
		t.Error("the snapshot of what was restored is another")
	}
}
