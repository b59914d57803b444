package bench_test

import (
	"bytes"
	"context"
	"io"
	"os"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/mishap-robotics/mishap/bridge/bench"
	"github.com/mishap-robotics/mishap/bridge/logs/alfred"
)

// complete reports what of a set falls short: at least so many episodes are possible,
// a share of them is completed by mishap, and every plan called verified held.
func complete(t interface {
	Helper()
	Errorf(string, ...any)
}, s bench.RecoverySet, possible int, share float64) {
	t.Helper()
	m := s.Methods[len(s.Methods)-1]
	if m.Name != bench.Whole || m.Errors > 0 || s.Possible < possible || float64(m.Completed) < share*float64(s.Possible) || float64(m.Recovered) < share*float64(s.Possible) {
		t.Errorf("%s: %s recovers %d and completes %d of %d possible, %d errors; want %v of at least %d\n%s",
			s.Name, m.Name, m.Recovered, m.Completed, s.Possible, m.Errors, share, possible, strings.Join(m.Missed, "\n"))
	}
}

// held reports plans called verified that did not hold though nothing more happened.
func held(t *testing.T, s bench.RecoverySet) {
	t.Helper()
	if m := s.Methods[len(s.Methods)-1]; m.Broken > 0 {
		t.Errorf("%s: %d plans called verified did not hold", s.Name, m.Broken)
	}
}

func wholeBench(t testing.TB, seed uint64) *bench.Bench {
	b := newBench(t, seed)
	b.Methods = []string{bench.Whole}
	return b
}

func TestRecoverSuites(t *testing.T) {
	b := newBench(t, 1)
	ten, err := b.RecoverSuite(context.Background(), "Table A2", "replanning")
	if err != nil {
		t.Fatal(err)
	}
	complete(t, ten, 10, 1)
	held(t, ten)
	for _, m := range ten.Methods {
		if m.Name == "no replanning" && m.Completed > 0 {
			t.Errorf("%d of the faulty plans succeed as they are", m.Completed)
		}
		if m.Name == "mishap, reactive only" && m.Completed == ten.Possible {
			t.Error("mistakes that nothing undoes are made good without foresight")
		}
	}
	replan, err := wholeBench(t, 1).RecoverSuite(context.Background(), "RePlan", "replan")
	if err != nil {
		t.Fatal(err)
	}
	complete(t, replan, 11, 1)
	held(t, replan)
}

// RePlan's tasks are solved whatever is unknown in them.
func TestRecoverUnknown(t *testing.T) {
	if raceDetector {
		t.Skip("takes too long with the race detector; TestRecoverSuites runs the same code")
	}
	from := newBench(t, 1)
	set(t, "rapid.checks", strconv.Itoa(bench.Size(100, 20)))
	rapid.Check(t, func(t *rapid.T) {
		b := &bench.Bench{Reasoner: from.Reasoner, Simulation: from.Simulation, Methods: []string{bench.Whole}, Seed: rapid.Uint64().Draw(t, "seed"), Limit: bench.Size(0, 1)}
		s, err := b.RecoverUnknown(context.Background(), 1)
		if err != nil {
			t.Fatal(err)
		}
		complete(t, s, bench.Size(8, 1), 1)
	})
}

func TestRecoverPairs(t *testing.T) {
	if raceDetector {
		t.Skip("takes too long with the race detector; TestRecoverSuites runs the same code")
	}
	b := wholeBench(t, 2)
	b.Limit = bench.Size(0, 8)
	s, err := b.RecoverPairs(context.Background(), "recover", false)
	if err != nil {
		t.Fatal(err)
	}
	complete(t, s, bench.Size(480, 6), 0.99)
	held(t, s)
}

func TestRecoverRoboFail(t *testing.T) {
	if raceDetector {
		t.Skip("takes too long with the race detector; TestRecoverSuites runs the same code")
	}
	const file = "../../../shared/robofail/robofail.plans.jsonl"
	if _, err := os.Stat(file); err != nil {
		t.Skip("the annotated plans are not here: " + err.Error())
	}
	re, err := bench.ReadReenactments("")
	if err != nil {
		t.Fatal(err)
	}
	b := wholeBench(t, 1)
	b.Limit = bench.Size(0, 10)
	s, _, err := b.RecoverRoboFail(context.Background(), file, re)
	if err != nil {
		t.Fatal(err)
	}
	complete(t, s, bench.Size(40, 5), 0.95)
	held(t, s)
}

func TestRecoverALFRED(t *testing.T) {
	if raceDetector {
		t.Skip("takes too long with the race detector; TestRecoverSuites runs the same code")
	}
	const file = "../../../shared/alfred/train-2000.alfred.jsonl"
	if _, err := os.Stat(file); err != nil {
		t.Skip("the trajectories are not here: " + err.Error())
	}
	ts, err := alfred.ReadTrajectories(file)
	if err != nil {
		t.Fatal(err)
	}
	s, err := wholeBench(t, 1).RecoverALFRED(context.Background(), file, ts[:min(len(ts), bench.Size(100, 20))])
	if err != nil {
		t.Fatal(err)
	}
	complete(t, s, bench.Size(80, 15), 0.95)
	held(t, s)
}

// Under noise plans may fail; how often is measured, that nothing breaks is tested.
func TestRecoverNoise(t *testing.T) {
	if raceDetector {
		t.Skip("takes too long with the race detector; TestRecoverSuites runs the same code")
	}
	sets, err := newBench(t, 3).RecoverNoise(context.Background(), []string{"recover"}, []float64{0.05}, bench.Size(8, 4))
	if err != nil {
		t.Fatal(err)
	}
	if m := sets[0].Methods; len(m) != 1 || m[0].Errors > 0 || m[0].Completed == 0 {
		t.Errorf("%+v", m)
	}
}

func TestRenderRecover(t *testing.T) {
	whole := bench.RecoveryMethod{Name: bench.Whole, Episodes: 4, Recovered: 4, Completed: 4, Met: 9, Conditions: 9, Recoveries: 5, Actions: 40, Excess: 2, Shortest: 38, Verified: 5, P50: 3.25, P99: 9.5, Longest: 12}
	none := bench.RecoveryMethod{Name: "no replanning", Episodes: 4, Recovered: 1, Met: 3, Conditions: 9, Actions: 20, Missed: []string{"b<&>@3: stopped"}}
	r := &bench.Recover{Version: "v1.2.3", Go: "go1.26", Seed: 7, Skipped: []string{"alfred: no file"}, Sets: []bench.RecoverySet{
		{Name: "pairs <&>", Episodes: 5, Possible: 4, Impossible: []string{"a@2: Egg-1 is broken"}, Methods: []bench.RecoveryMethod{none, whole}},
		{Name: "empty", Methods: []bench.RecoveryMethod{{Name: bench.Whole}}},
	}}
	for name, write := range map[string]func(*bench.Recover, io.Writer) error{
		"recover.txt": (*bench.Recover).Text, "recover.json": (*bench.Recover).JSON, "recover.svg": (*bench.Recover).SVG,
	} {
		var got bytes.Buffer
		if err := write(r, &got); err != nil {
			t.Fatal(err)
		}
		isGolden(t, name, got.Bytes())
	}
	if err := new(bench.Recover).SVG(io.Discard); err == nil {
		t.Error("a picture of nothing")
	}
}
