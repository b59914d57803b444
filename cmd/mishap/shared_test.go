package main

import (
	"context"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/mishap-robotics/mishap/bridge/bench"
	"github.com/mishap-robotics/mishap/bridge/logs/alfred"
	"github.com/mishap-robotics/mishap/engine"
)

// shared is a folder of data beside the project; the tests that use it skip
// where it is absent.
const shared = "../../../shared"

func sharedPath(t *testing.T, name string) string {
	t.Helper()
	path := filepath.Join(shared, name)
	if _, err := os.Stat(path); err != nil {
		t.Skipf("no data at %s", path)
	}
	return path
}

func TestReflectLogs(t *testing.T) {
	dir := sharedPath(t, "reflect")
	r := newReasoner(t)

	coffee := checked(t, r, filepath.Join(dir, "makeCoffee-1"))[0]
	if len(coffee.Findings) == 0 {
		t.Fatal("makeCoffee-1: no finding")
	}
	f := coffee.Findings[0]
	if f.Type != "OccupiedPutFailure" || coffee.Episode.Steps[f.Step-1].Time != "00:51" || strings.Join(f.Objects, " ") != "Mug-1 CoffeeMachine-1 Cup-1" {
		t.Errorf("makeCoffee-1: first %s at step %d %v", f.Type, f.Step, f.Objects)
	}

	water := checked(t, r, filepath.Join(dir, "boilWater-1"))[0]
	if len(water.Findings) == 0 {
		t.Fatal("boilWater-1: no finding")
	}
	f = water.Findings[0]
	shown, caused := water.Episode.Steps[f.Step-1].Time, water.Episode.Steps[f.Cause-1].Time
	if f.Type != "MissingStepFailure" || shown > "00:41" || caused < "00:31" || caused > "00:41" || !strings.Contains(f.Explanation, "(pick_up, Pot") {
		t.Errorf("boilWater-1: first %s shown %s caused %s: %s", f.Type, shown, caused, f.Explanation)
	}
}

// sampleEvery thins the trajectories out, but where the environment asks for the long
// sets.
var sampleEvery = func() int {
	if os.Getenv("MISHAP_LONG") != "" {
		return 1
	}
	return 20
}()

// Successes of the simulator yield no finding and reach their goal, and one
// necessary interaction less is noticed.
func TestAlfredTrajectories(t *testing.T) {
	dir := sharedPath(t, "alfred")
	files, _ := filepath.Glob(dir + "/*.alfred.jsonl")
	if len(files) == 0 {
		t.Skipf("no trajectories in %s", dir)
	}
	r := newReasoner(t)
	var mu sync.Mutex
	n, unknown, missed := 0, 0, 0
	var wg sync.WaitGroup
	slots := make(chan struct{}, 2)
	first := rand.New(rand.NewPCG(1, 1)).IntN(sampleEvery)
	for _, f := range files {
		ts, err := alfred.ReadTrajectories(f)
		if err != nil {
			t.Fatal(err)
		}
		for i := first; i < len(ts); i += sampleEvery {
			slots <- struct{}{}
			wg.Go(func() {
				defer func() { <-slots }()
				b := &bench.ALFREDReplay{Reasoner: r, Seed: 1}
				whole, err1 := b.Check(context.Background(), f, &ts[i])
				cut, at := alfred.DeleteOne(&ts[i], 1)
				part, err2 := b.Check(context.Background(), f, cut)
				if err1 != nil || err2 != nil {
					t.Errorf("%s: %v %v", ts[i].ID, err1, err2)
					return
				}
				mu.Lock()
				defer mu.Unlock()
				n++
				for _, f := range whole.Findings {
					t.Errorf("%s: %s at %d: %s", ts[i].ID, f.Type, f.Step, f.Explanation)
				}
				switch got, _ := whole.Trace.GoalTruth(whole.Trace.Final); {
				case got == engine.Undecided:
					unknown++
				case got < engine.Undecided:
					t.Errorf("%s: goal missed", ts[i].ID)
				}
				if at >= 0 && len(part.Findings) == 0 {
					missed++
					t.Logf("%s without interaction %d: nothing reported", ts[i].ID, at+1)
				}
			})
		}
	}
	wg.Wait()
	if unknown*100 > 2*n {
		t.Errorf("the goal of %d of %d trajectories is unknown, more than 2 %%", unknown, n)
	}
	if missed*100 > n {
		t.Errorf("%d of %d deletions not reported, more than 1 %%", missed, n)
	}
	t.Logf("%d trajectories, goal of %d unknown, %d deletions not reported", n, unknown, missed)
}
