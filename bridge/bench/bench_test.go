package bench_test

import (
	"context"
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mishap-robotics/mishap/bridge/bench"
	"github.com/mishap-robotics/mishap/bridge/logs/alfred"
	"github.com/mishap-robotics/mishap/engine"
	"github.com/mishap-robotics/mishap/engine/simulation"
	"github.com/mishap-robotics/mishap/ontology"
	"github.com/mishap-robotics/mishap/ontology/kitchen"
	"github.com/mishap-robotics/mishap/rules"
)

func newBench(t testing.TB, seed uint64) *bench.Bench {
	t.Helper()
	r, err := engine.New(ontology.Default(), rules.Default())
	if err != nil {
		t.Fatal(err)
	}
	return &bench.Bench{Reasoner: r, Simulation: kitchen.Default(), Seed: seed}
}

func TestMatrix(t *testing.T) {
	if raceDetector {
		t.Skip("slow with the race detector; the parts run under it in the other tests")
	}
	for suite, part := range map[string]int{"recover": 120, "reflect": 50} {
		if suite != "recover" && bench.Size(1, 0) == 0 {
			continue
		}
		b := newBench(t, 1)
		b.Limit = bench.Size(0, part)
		m, err := b.Matrix(context.Background(), suite, b.Failures())
		if err != nil {
			t.Fatal(err)
		}
		n := m.Total
		if n.Failures < bench.Size(250, 40) || n.Errors > 0 {
			t.Errorf("%s: %d failures, %d errors; the matrix is not filled", suite, n.Failures, n.Errors)
		}
		// What is left out of a plan may be mended by another edit than putting it back.
		const share = 0.97
		if least := share * float64(n.Failures); n.Detected != n.Failures || float64(n.Class) < least || float64(n.Cause) < least {
			t.Errorf("%s: of %d failures %d detected, %d with the right class, %d with the right cause", suite, n.Failures, n.Detected, n.Class, n.Cause)
		}
		for i, c := range m.Clean {
			if c.Alarmed > 0 {
				t.Errorf("%s: false alarm in the clean run of %s", suite, m.Tasks[i])
			}
		}
		for k, failure := range m.Failures {
			if n := total(m, k); failure != "MissingStepFailure" && (n.Class != n.Failures || n.Cause != n.Failures) {
				t.Errorf("%s: of %d %s %d have the right class, %d the right cause", suite, n.Failures, failure, n.Class, n.Cause)
			}
			if suite == "recover" && total(m, k).Failures == 0 {
				t.Errorf("%s can befall no task", failure)
			}
		}
	}
}

// total counts what a failure came to in all tasks.
func total(m *bench.Matrix, k int) bench.Count {
	var n bench.Count
	for _, row := range m.Cells {
		n.Failures, n.Class, n.Cause = n.Failures+row[k].Failures, n.Class+row[k].Class, n.Cause+row[k].Cause
	}
	return n
}

func TestSuites(t *testing.T) {
	suites, err := newBench(t, 1).Suites(context.Background(), []string{"recover", "reflect", "replanning", "replan"})
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range suites {
		n := s.Count
		if n.Detected != n.Failures || n.Class != n.Failures || n.Cause != n.Failures || n.Extra > 0 || n.Errors > 0 {
			t.Errorf("%s: %+v", s.Name, n)
		}
	}
}

// Two accidents that have nothing to do with one another are two findings.
func TestNested(t *testing.T) {
	n, err := newBench(t, 3).Nested(context.Background(), []string{"reflect"}, bench.Size(15, 5))
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]bench.Count{"two": n.Two, "three": n.Three, "recovering": n.Recovering} {
		if c.Failures == 0 || c.Detected != c.Failures || c.Cause != c.Failures || c.Extra > 0 {
			t.Errorf("%s: %+v", name, c)
		}
	}
}

func TestNoise(t *testing.T) {
	n := bench.Size(120, 40)
	if raceDetector {
		n = 12
	}
	points, err := newBench(t, 1).Noise(context.Background(), []string{"reflect"}, []float64{0, 0.05}, n)
	if err != nil {
		t.Fatal(err)
	}
	still, noisy := points[0], points[1]
	if still.Failed.Detected != n || still.Clean.Alarmed > 0 {
		t.Errorf("without noise: %+v, %+v", still.Failed, still.Clean)
	}
	if noisy.Failed.OnTime*100 < 90*n || noisy.Clean.Alarmed*100 > 3*n {
		t.Errorf("at 5 %%: %+v, %+v", noisy.Failed, noisy.Clean)
	}
}

// What an ablation takes away must be missed: otherwise it takes nothing away.
func TestAblations(t *testing.T) {
	n := bench.Size(40, 12)
	if raceDetector {
		n = 8
	}
	ablations, err := newBench(t, 1).Ablations(context.Background(), []string{"recover", "reflect"}, n)
	if err != nil {
		t.Fatal(err)
	}
	whole := ablations[0].Failed
	if whole.Detected != n || whole.Class != n {
		t.Errorf("nothing taken away: %+v", whole)
	}
	if raceDetector {
		return // too few to tell the parts apart
	}
	for _, a := range ablations[1:] {
		less := a.Failed.Class < whole.Class || a.Failed.Cause < whole.Cause || a.Failed.OnTime < whole.OnTime || a.Failed.Extra+a.Clean.Extra > ablations[0].Failed.Extra+ablations[0].Clean.Extra
		if a.Without != "sound" && !less {
			t.Errorf("without %s: %+v, no worse than with it", a.Without, a.Failed)
		}
	}
}

func TestScore(t *testing.T) {
	drop := simulation.Truth{Class: "DroppingObjFailure", Step: 4, Cause: 4}
	fail := simulation.Truth{Class: "ActionExecutionFailure", Step: 9, Cause: 9}
	missing := simulation.Truth{Class: "MissingStepFailure", Window: []int{3, 6}}
	found := func(class string, step, cause int32) engine.Finding {
		return engine.Finding{Type: class, Step: step, Cause: cause}
	}
	for name, tt := range map[string]struct {
		truth    []simulation.Truth
		findings []engine.Finding
		want     bench.Case
	}{
		"nothing":            {nil, nil, bench.Case{}},
		"missed":             {[]simulation.Truth{drop}, nil, bench.Case{}},
		"false alarm":        {nil, []engine.Finding{found("DirtyObjFailure", 1, 1)}, bench.Case{Extra: 1}},
		"right":              {[]simulation.Truth{drop}, []engine.Finding{found("DroppingObjFailure", 4, 4)}, bench.Case{Detected: 1, Class: 1, Cause: 1}},
		"subclass":           {[]simulation.Truth{drop}, []engine.Finding{found("DroppingAndDirtyObjFailure", 4, 4)}, bench.Case{Detected: 1, Class: 1, Cause: 1}},
		"wrong class":        {[]simulation.Truth{drop}, []engine.Finding{found("DirtyObjFailure", 4, 4)}, bench.Case{Detected: 1, Cause: 1}},
		"late, wrong cause":  {[]simulation.Truth{drop}, []engine.Finding{found("DroppingObjFailure", 6, 6)}, bench.Case{Detected: 1, Class: 1, Late: 2}},
		"in the window":      {[]simulation.Truth{missing}, []engine.Finding{found("MissingStepFailure", 9, 5)}, bench.Case{Detected: 1, Class: 1, Cause: 1}},
		"outside the window": {[]simulation.Truth{missing}, []engine.Finding{found("MissingStepFailure", 9, 7)}, bench.Case{Detected: 1, Class: 1}},
		"two in other order": {[]simulation.Truth{drop, fail}, []engine.Finding{found("ActionExecutionFailure", 9, 9), found("DroppingObjFailure", 4, 4)},
			bench.Case{Detected: 2, Class: 2, Cause: 2}},
		"one of two, and another": {[]simulation.Truth{drop, fail}, []engine.Finding{found("DirtyObjFailure", 2, 2), found("DroppingObjFailure", 4, 4)},
			bench.Case{Detected: 1, Class: 1, Cause: 1, Extra: 1}},
	} {
		got := bench.Score(kitchen.Default(), "", tt.truth, tt.findings)
		got.Truth, got.Found = nil, nil
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

const shared = "../../../shared/"

func TestRoboFail(t *testing.T) {
	file := shared + "robofail/robofail.plans.jsonl"
	if _, err := os.Stat(file); err != nil {
		t.Skip("no RoboFail plans at " + file)
	}
	re, err := bench.ReadReenactments("")
	if err != nil {
		t.Fatal(err)
	}
	r, err := newBench(t, 1).RoboFail(context.Background(), file, re)
	if err != nil {
		t.Fatal(err)
	}
	n := r.Total
	if n.Failures < 60 || n.Detected != n.Failures || n.Cause*100 < 96*n.Failures {
		t.Errorf("%+v", n)
	}
}

// trajectories are the first of the recorded ones, a tenth of them with the race
// detector.
func trajectories(t *testing.T, n int) (file string, ts []alfred.Trajectory) {
	t.Helper()
	file = shared + "alfred/train-2000.alfred.jsonl"
	if _, err := os.Stat(file); err != nil {
		t.Skip("no ALFRED trajectories at " + file)
	}
	ts, err := alfred.ReadTrajectories(file)
	if err != nil {
		t.Fatal(err)
	}
	if raceDetector {
		n /= 10
	}
	return file, ts[:n]
}

func TestALFRED(t *testing.T) {
	file, ts := trajectories(t, bench.Size(300, 60))
	a, err := newBench(t, 1).ALFRED(context.Background(), file, ts)
	if err != nil {
		t.Fatal(err)
	}
	if a.Clean.Alarmed > 0 || len(a.Refused) > 0 {
		t.Errorf("clean: %+v; the world refuses %v", a.Clean, a.Refused)
	}
	if n := a.Injected; n.Failures < len(ts)-5 || n.Detected*100 < 99*n.Failures {
		t.Errorf("injected: %+v", n)
	}
}
