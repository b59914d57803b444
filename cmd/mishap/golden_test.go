package main

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mishap-robotics/mishap/bridge/logs"
	"github.com/mishap-robotics/mishap/bridge/report"
	"github.com/mishap-robotics/mishap/engine"
	"github.com/mishap-robotics/mishap/ontology"
	"github.com/mishap-robotics/mishap/rules"
)

var update = flag.Bool("update", false, "write the golden files anew")

const (
	samples = "../../testdata/episodes"
	golden  = "../../testdata/golden"
)

func newReasoner(t testing.TB) *engine.Reasoner {
	t.Helper()
	r, err := engine.New(ontology.Default(), rules.Default())
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// checked reads and checks one log.
func checked(t testing.TB, r *engine.Reasoner, path string) []*engine.Result {
	t.Helper()
	eps, err := logs.Read(r.Ontology, path)
	if err != nil {
		t.Fatal(err)
	}
	var out []*engine.Result
	for _, ep := range eps {
		ep.Source = "testdata/episodes/" + filepath.Base(path)
		res, err := r.Check(context.Background(), ep)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, res)
	}
	return out
}

func sampleFiles(t testing.TB) []string {
	t.Helper()
	files, err := filepath.Glob(samples + "/*.jsonl")
	if err != nil || len(files) == 0 {
		t.Fatalf("no samples: %v", err)
	}
	return files
}

// The reports of the sample episodes, as text and as JSON: by what is built in, and to the
// byte the same by the pack of the kitchen.
func TestGolden(t *testing.T) {
	t.Run("built in", func(t *testing.T) { testGolden(t, newReasoner(t)) })
	if *update {
		return
	}
	t.Run("pack", func(t *testing.T) {
		r, err := (&knowledge{packs: []string{"../../testdata/packs/kitchen"}}).reasoner()
		if err != nil {
			t.Fatal(err)
		}
		testGolden(t, r)
	})
}

func testGolden(t *testing.T, r *engine.Reasoner) {
	for _, path := range sampleFiles(t) {
		name := strings.TrimSuffix(filepath.Base(path), ".jsonl")
		t.Run(name, func(t *testing.T) {
			var text, js bytes.Buffer
			var doc report.LogResults[report.Episode]
			for _, res := range checked(t, r, path) {
				ep := report.NewEpisode(res)
				if err := ep.Text(&text, report.Style{}); err != nil {
					t.Fatal(err)
				}
				doc.Episodes = append(doc.Episodes, ep)
			}
			if err := doc.JSON(&js); err != nil {
				t.Fatal(err)
			}
			compare(t, filepath.Join(golden, name+".txt"), text.Bytes())
			compare(t, filepath.Join(golden, name+".json"), js.Bytes())
		})
	}
}

func compare(t *testing.T, path string, got []byte) {
	t.Helper()
	if *update {
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatalf("%v; write it with: go test ./cmd/mishap -update", err)
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("%s (-want +got), accept with: go test ./cmd/mishap -update\n%s", path, diff)
	}
}

// What the samples hold, whatever the golden files say: class, step and first
// object of each finding, in order.
var sampled = map[string][]string{
	"action-execution":              {"ActionExecutionFailure 13 Drawer-2"},
	"ambiguous-target":              {"AmbiguousTargetFailure 3 Pan-1"},
	"appliance-left-on":             {"ApplianceLeftOnFailure 14 CoffeeMachine-1"},
	"blocked-object":                {"BlockedObjectFailure 3 Laptop-1"},
	"burnt-food":                    {"BurntFoodFailure 2 Potato-1"},
	"burner-left-on":                {"BurnerLeftOnFailure 10 StoveBurner-2"},
	"consequence":                   {"DroppingObjFailure 4 Mug-1"},
	"damaged-obj":                   {"DamagedObjFailure 2 Laptop-1"},
	"dietary-constraints-violation": {"DietaryConstraintsViolationFailure 12 TomatoSliced-1"},
	"dirty-obj":                     {"DirtyObjFailure 7 Plate-1"},
	"dropped-heard-only":            {"DroppingObjFailure 10 RemoteControl-1"},
	"dropping-and-breaking-obj":     {"DroppingAndBreakingObjFailure 11 Mug-1"},
	"dropping-and-dirty-obj":        {"DroppingAndDirtyObjFailure 9 Pear-1"},
	"dropping-obj":                  {"DroppingObjFailure 7 BreadSliced-1"},
	"enclosed-object":               {"EnclosedObjectFailure 3 Bowl-1"},
	"faucet-left-on":                {"FaucetLeftOnFailure 11 Faucet-1"},
	"fallen-obj":                    {"FallenObjFailure 2 Apple-1"},
	"incomplete-plan":               {"IncompletePlanFailure 8 Book-2"},
	"left-open":                     {"LeftOpenFailure 5 Fridge-1"},
	"missed-deadline":               {"MissedDeadlineFailure 1 "},
	"missing-navigation":            {"MissingNavigationFailure 9 HousePlant-1"},
	"missing-step":                  {"MissingStepFailure 7 Pan-1"},
	"occupied-by-liquid":            {"OccupiedByLiquidFailure 6 Mug-1"},
	"occupied-put":                  {"OccupiedPutFailure 11 Pot-1"},
	"perception":                    {"PerceptionFailure 5 Pear-1"},
	"recovered-drop":                {"DroppingObjFailure 4 Knife-1"},
	"shards-left":                   {"ShardsLeftFailure 7 WineGlass-1"},
	"spilled":                       {"SpilledFailure 2 Cup-1"},
	"taken-away":                    {"TakenAwayFailure 2 Sandwich-1"},
	"two-failures":                  {"DroppingObjFailure 4 Banana-1", "EnclosedObjectFailure 12 Pear-1"},
	"unsafe-material":               {"UnsafeMaterialFailure 6 BakingTray-1"},
	"wrong-object":                  {"WrongObjectFailure 8 Spoon-1"},
	"wrong-order":                   {"WrongOrderFailure 10 Bowl-1"},
	"wrong-step":                    {"WrongStepFailure 13 Pot-1"},
}

func TestSamples(t *testing.T) {
	r := newReasoner(t)
	found := map[string]bool{}
	clean := map[string]bool{}
	for _, path := range sampleFiles(t) {
		name := strings.TrimSuffix(filepath.Base(path), ".jsonl")
		var got []string
		for _, res := range checked(t, r, path) {
			for _, f := range res.Findings {
				found[f.Type] = true
				object := ""
				if len(f.Objects) > 0 {
					object = f.Objects[0]
				}
				got = append(got, fmt.Sprintf("%s %d %s", f.Type, f.Step, object))
				if len(f.Strategies) == 0 {
					t.Errorf("%s: %s has no recovery strategy", name, f.Type)
				}
			}
			if strings.HasPrefix(name, "clean-") {
				if task := res.Trace.Task; task == nil || clean[task.Name] {
					t.Errorf("%s: a clean sample needs a task of its own", name)
				} else {
					clean[task.Name] = true
				}
			}
		}
		if want := sampled[name]; !slices.Equal(got, want) {
			t.Errorf("%s: found %q, want %q", name, got, want)
		}
	}
	if len(clean) < 5 {
		t.Errorf("%d clean samples, want at least 5", len(clean))
	}
	for _, f := range r.Ontology.Subclasses(r.Ontology.Core.Failure) {
		if leaf := len(r.Ontology.Subclasses(f)) == 0; leaf && !found[r.Ontology.Name(f)] {
			t.Errorf("no sample has a %s", r.Ontology.Name(f))
		}
	}
}
