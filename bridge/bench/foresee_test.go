package bench_test

import (
	"bytes"
	"context"
	"os"
	"strings"
	"testing"

	"github.com/mishap-robotics/mishap/bridge/bench"
)

// good reports what of a set falls short: of the foreseeable failures a share is
// foreseen, and no episode without failure is alarmed.
func good(t *testing.T, s bench.Set, foreseeable int, share float64) {
	t.Helper()
	f := s.Foresight
	if f.Errors > 0 || f.Foreseeable < foreseeable || float64(f.Foreseen) < share*float64(f.Foreseeable) {
		t.Errorf("%s: %d of %d foreseen, %d errors; want %v of at least %d\n%s", s.Name, f.Foreseen, f.Foreseeable, f.Errors, share, foreseeable, strings.Join(f.Missed, "\n"))
	}
	if f.CleanAlarms+f.BenignAlarms > 0 {
		t.Errorf("%s: false alarms\n%s", s.Name, strings.Join(f.Alarmed, "\n"))
	}
}

func TestForeseeSuites(t *testing.T) {
	b := newBench(t, 1)
	replan, err := b.ForeseeSuite(context.Background(), "RePlan", "replan")
	if err != nil {
		t.Fatal(err)
	}
	good(t, replan, 4, 1)
	if raceDetector {
		return // the same code, for longer
	}
	ten, err := b.ForeseeSuite(context.Background(), "Table A2", "replanning")
	if err != nil {
		t.Fatal(err)
	}
	good(t, ten, 10, 1)
	if f := ten.Foresight; f.InTime != f.Irreversible || f.Irreversible == 0 {
		t.Errorf("Table A2: warned before %d of %d irreversible actions", f.InTime, f.Irreversible)
	}
	for _, c := range ten.Scores {
		if c.Expect == "plan" && c.Without == "nothing" && c.At(0.90).Detected != 10 {
			t.Errorf("Table A2: the score detects %d of 10 without a reference", c.At(0.90).Detected)
		}
	}
}

func TestForeseePairs(t *testing.T) {
	if raceDetector {
		t.Skip("takes too long with the race detector; TestForeseeSuites runs the same code")
	}
	b := newBench(t, 2)
	b.Limit = bench.Size(0, 11)
	s, err := b.ForeseePairs(context.Background(), "recover", 4)
	if err != nil {
		t.Fatal(err)
	}
	good(t, s, bench.Size(480, 7), float64(bench.Size(99, 96))/100)
	for _, c := range s.Scores {
		if c.Without != "nothing" {
			continue
		}
		if c.Area < 0.7 {
			t.Errorf("score with scenes from %s: area %.3f", c.Expect, c.Area)
		}
		last := c.Points[0]
		for _, p := range c.Points {
			if p.Detected < last.Detected || p.Alarmed < last.Alarmed || p.Detected > c.Failed || p.Alarmed > c.Sound {
				t.Errorf("score with scenes from %s: %+v after %+v", c.Expect, p, last)
			}
			last = p
		}
		if last.Detected != c.Failed || last.Alarmed != c.Sound {
			t.Errorf("past 1 not everything is alarmed: %+v", last)
		}
	}
}

func TestForeseeRoboFail(t *testing.T) {
	file := shared + "robofail/robofail.plans.jsonl"
	if _, err := os.Stat(file); err != nil {
		t.Skip("no RoboFail plans at " + file)
	}
	re, err := bench.ReadReenactments("")
	if err != nil {
		t.Fatal(err)
	}
	changes := 4
	if raceDetector {
		changes = 1
	}
	b := newBench(t, 1)
	b.Limit = bench.Size(0, 20)
	s, _, err := b.ForeseeRoboFail(context.Background(), file, re, changes)
	if err != nil {
		t.Fatal(err)
	}
	good(t, s, bench.Size(60, 3), 1)
	// The paper's detection rate, averaged over its thresholds.
	const paper = 0.9297
	for _, c := range s.Scores {
		if c.Without != "nothing" || !strings.HasPrefix(c.Expect, "reference") {
			continue
		}
		sum := 0
		for _, at := range []float64{0.90, 0.85, 0.80} {
			sum += c.At(at).Detected
		}
		if float64(sum) < 3*paper*float64(c.Failed) {
			t.Errorf("score with scenes from a %s: %d of 3 × %d detected", c.Expect, sum, c.Failed)
		}
	}
	checks, err := b.ForeseePlans(context.Background(), file)
	if err != nil {
		t.Fatal(err)
	}
	for _, check := range checks {
		for i := range check.Cases {
			if c := &check.Cases[i]; c.Skipped == "" && !c.Right() {
				t.Errorf("with the stated scene %v: %+v", check.Scene, *c)
			}
		}
	}
}

func TestForeseeALFRED(t *testing.T) {
	file, ts := trajectories(t, bench.Size(150, 15))
	s, err := newBench(t, 1).ForeseeALFRED(context.Background(), file, ts)
	if err != nil {
		t.Fatal(err)
	}
	good(t, s, len(ts)/2, 0.99)
}

// forecast is a result with every part.
func forecast() *bench.Foresee {
	points := []bench.Point{{Threshold: 0}, {Threshold: 0.8, Detected: 2, Alarmed: 1}, {Threshold: 0.85, Detected: 3, Alarmed: 1}, {Threshold: 0.9, Detected: 4, Alarmed: 2}, {Threshold: 1.01, Detected: 4, Alarmed: 6}}
	return &bench.Foresee{Version: "v1.2.3", Go: "go1.26", Seed: 7, Skipped: []string{"alfred: no file"},
		Sets: []bench.Set{
			{Name: "pairs <&>", Foresight: bench.ForesightScore{Failed: 4, Foreseeable: 3, Foreseen: 2, RightStep: 1, Lead: 9, Irreversible: 2, InTime: 1, Clean: 2, Benign: 4, BenignAlarms: 1,
				Missed: []string{"a/no_effect@2: fails at step 3"}, Alarmed: []string{"a/Cup-1-added@2: DirtyObjFailure at step 3"}},
				Scores: []bench.Curve{{Expect: "plan", Without: "nothing", Failed: 4, Sound: 6, Points: points, Area: 0.75}}},
			{Name: "only failed", Foresight: bench.ForesightScore{Failed: 1}, Scores: []bench.Curve{{Expect: "reference", Without: "edges", Failed: 1, Points: []bench.Point{{Threshold: 0.8}, {Threshold: 0.85}, {Threshold: 0.9, Detected: 1}}}}},
		},
		Plans: []bench.PlanCheck{{Scene: true, Cases: []bench.PlanCase{
			{Episode: "right", Kind: "execution"},
			{Episode: "found", Kind: "planning", Fault: true, Window: []int{2, 3}, Found: []bench.Found{{Class: "MissingStepFailure", Step: 3, Cause: 2}}},
			{Episode: "missed", Kind: "scene", Fault: true, Window: []int{1, 1}},
			{Episode: "elsewhere", Kind: "planning", Fault: true, Window: []int{1, 1}, Found: []bench.Found{{Class: "WrongOrderFailure", Step: 4, Cause: 4}}},
			{Episode: "odd", Kind: "planning", Fault: true, Window: []int{1, 1}, Skipped: "nobody knows"},
		}}}}
}

func TestRenderForesee(t *testing.T) {
	r := forecast()
	for name, render := range map[string]func(*bytes.Buffer) error{
		"foresee.txt":  func(b *bytes.Buffer) error { return r.Text(b) },
		"foresee.json": func(b *bytes.Buffer) error { return r.JSON(b) },
		"foresee.svg":  func(b *bytes.Buffer) error { return r.SVG(b) },
	} {
		var got bytes.Buffer
		if err := render(&got); err != nil {
			t.Fatal(err)
		}
		isGolden(t, name, got.Bytes())
	}
	if err := (&bench.Foresee{}).SVG(&bytes.Buffer{}); err == nil {
		t.Error("a picture of nothing")
	}
}
