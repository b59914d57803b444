package main

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mishap-robotics/mishap/bridge/report"
	"github.com/mishap-robotics/mishap/engine"
	"github.com/mishap-robotics/mishap/engine/simulation"
	"github.com/mishap-robotics/mishap/ontology/kitchen"
)

// newRunning is a run of the tests; its flags are those given.
func newRunning(t *testing.T, s staging, format string) (*running, *bytes.Buffer) {
	t.Helper()
	var out bytes.Buffer
	s.seed, s.count = 1, max(s.count, 1)
	r := &running{staging: s, format: format, how: byRepair, maxPlans: 1, maxRecoveries: engine.DefaultMaxRecoveries, onto: kitchen.Default(), reasoner: newReasoner(t), stdout: &out}
	if err := r.check(); err != nil {
		t.Fatal(err)
	}
	return r, &out
}

// exitOf is the exit code of an error.
func exitOf(err error) int {
	if err == nil {
		return 0
	}
	code, _ := exitCode(err)
	return code
}

var milliseconds = regexp.MustCompile(`"milliseconds": ?[0-9.e+-]+`)

// What a run tells at its end, and as it goes, is the same, and the same twice.
func TestRunFormats(t *testing.T) {
	slip := staging{task: "recover_make_coffee", fails: []string{"drop_on_surface"}, step: 3}
	r, out := newRunning(t, slip, "json")
	if code := exitOf(r.all(context.Background())); code != 0 {
		t.Fatalf("exit code %d\n%s", code, out)
	}
	var whole report.Runs
	if err := json.Unmarshal(out.Bytes(), &whole); err != nil {
		t.Fatal(err)
	}
	run := whole.Runs[0]
	if len(whole.Errors) > 0 || run.ID != "recover_make_coffee/drop_on_surface@3#1" || run.Ending != "completed" || !run.GoalReached || !run.Disturbed {
		t.Errorf("run %s %s, goal reached %v, befell %v, errors %q", run.ID, run.Ending, run.GoalReached, run.Disturbed, whole.Errors)
	}
	if len(run.Recoveries) != 1 || run.Recoveries[0].After != 3 || run.Recoveries[0].Finding == nil || run.Recoveries[0].Finding.Type != "DroppingObjFailure" || !run.Recoveries[0].Verified {
		t.Errorf("corrections %+v", run.Recoveries)
	}
	if a := run.Actions[2]; a.Outcome != report.NoEffect || !slices.Equal(a.Dropped, []string{"Mug-1"}) {
		t.Errorf("third action %+v", a)
	}

	r, lines := newRunning(t, slip, "jsonl")
	if err := r.all(context.Background()); err != nil {
		t.Fatal(err)
	}
	events := map[string]int{}
	var told report.Run
	for _, text := range strings.Split(strings.TrimSpace(lines.String()), "\n") {
		var line struct {
			Event, Run string
			Action     *report.RunAction
			Correction *report.RunRecovery
			End        *report.RunEnd
		}
		if err := json.Unmarshal([]byte(text), &line); err != nil {
			t.Fatalf("%v: %s", err, text)
		}
		events[line.Event]++
		told.ID = line.Run
		switch {
		case line.Action != nil:
			told.Actions = append(told.Actions, *line.Action)
		case line.Correction != nil:
			told.Recoveries = append(told.Recoveries, *line.Correction)
		case line.End != nil:
			told.RunEnd = *line.End
		}
	}
	told.Task = run.Task
	asJSON := func(run report.Run) string {
		text, err := json.Marshal(run)
		if err != nil {
			t.Fatal(err)
		}
		return milliseconds.ReplaceAllString(string(text), "")
	}
	if diff := cmp.Diff(asJSON(run), asJSON(told)); diff != "" {
		t.Errorf("as it goes (-at the end +as it goes):\n%s", diff)
	}
	if events["began"] != 1 || events["ended"] != 1 || events["acted"] != len(run.Actions) || events["corrected"] != 1 {
		t.Errorf("events %v", events)
	}
}

// stopping cancels a run once it has written so many lines.
type stopping struct {
	io.Writer
	lines  int
	cancel func()
}

func (s *stopping) Write(p []byte) (int, error) {
	if s.lines--; s.lines == 0 {
		s.cancel()
	}
	return s.Writer.Write(p)
}

// A run that is interrupted tells what was done so far, and no other begins.
func TestRunInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	r, out := newRunning(t, staging{task: "recover_make_coffee", count: 3}, "text")
	r.stdout = &stopping{out, 4, cancel}
	r.folder = t.TempDir()
	if code := exitOf(r.all(ctx)); code != exitUnrecovered {
		t.Errorf("exit code %d, want %d", code, exitUnrecovered)
	}
	if len(r.report.Runs) != 1 {
		t.Fatalf("%d runs, want the one that was interrupted", len(r.report.Runs))
	}
	run := r.report.Runs[0]
	if run.Ending != string(engine.Unfinished) || run.Reason != "interrupted" || len(run.Actions) != 3 {
		t.Errorf("%s because %q after %d actions", run.Ending, run.Reason, len(run.Actions))
	}
	for _, want := range []string{"unfinished after 3 actions", "why: interrupted", "recover_make_coffee-1.jsonl"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("%q is not in\n%s", want, out)
		}
	}
}

// Failures are injected one after the other, wherever there is room for all.
func TestInjectSeveral(t *testing.T) {
	o := kitchen.Default()
	tests := []struct {
		name, task string
		fails      []string
		events     int
		err        string
	}{
		{"two accidents", "recover_make_coffee", []string{"drop_on_surface", "no_effect"}, 2, ""},
		{"one accident twice", "recover_make_coffee", []string{"drop_on_surface", "drop_on_surface"}, 2, ""},
		{"a change and an accident", "recover_make_coffee", []string{"dirty_vessel", "drop_on_surface"}, 1, ""},
		{"an accident and a shorter plan", "recover_simple_salad", []string{"drop_on_surface", "forgotten_filling"}, 1, ""},
		{"the second has no room", "recover_serve_wine", []string{"drop_on_surface", "OccupiedPutFailure"}, 0, "OccupiedPutFailure cannot happen in recover_serve_wine/drop_on_surface@"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			for seed := range uint64(5) {
				s := staging{task: tt.task, fails: tt.fails}
				all, err := s.scenarios(o)
				if err != nil {
					t.Fatal(err)
				}
				sc, err := s.stage(o, all[0], seed)
				if tt.err != "" {
					if err == nil || !strings.HasPrefix(err.Error(), tt.err) || !strings.Contains(err.Error(), "possible there: ") {
						t.Fatalf("error %v, want %q", err, tt.err)
					}
					continue
				}
				if err != nil {
					t.Fatal(err)
				}
				steps := map[int]bool{}
				for _, ev := range sc.Disturbances {
					steps[ev.Step] = true
				}
				if len(sc.Disturbances) != tt.events || len(steps) != tt.events {
					t.Errorf("%s: accidents %+v, want %d at as many actions", sc.ID, sc.Disturbances, tt.events)
				}
				if _, err := simulation.NewRobot(o, sc, simulation.Options{}); err != nil {
					t.Errorf("%s: %v", sc.ID, err)
				}
			}
		})
	}
}
