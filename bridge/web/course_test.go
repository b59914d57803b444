package web

import (
	"context"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/mishap-robotics/mishap/bridge/logs"
	"github.com/mishap-robotics/mishap/bridge/report"
	"github.com/mishap-robotics/mishap/ontology"
)

// Of each verified plan of the samples every action can be done, and in the end the goal holds.
func TestPlansAreCarriedOut(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(samples, "*.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	plans := 0
	for i, file := range files {
		if i%2 > 0 {
			continue
		}
		eps, err := logs.Read(ontology.Default(), file)
		if err != nil {
			t.Fatal(err)
		}
		e, err := Judge(context.Background(), reasoner(), eps[0])
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range e.Report.Findings {
			if !f.Verified || len(f.Plan) == 0 {
				continue
			}
			plans++
			course, res := carriedOut(context.Background(), reasoner(), eps[0], f.Step, f.Recovery)
			if len(course) != len(f.Plan) {
				t.Errorf("%s: %d actions of %d are told", file, len(course), len(f.Plan))
				continue
			}
			changes := 0
			for i, c := range course {
				changes += len(c.Changes)
				if len(c.Unmet) > 0 {
					t.Errorf("%s: %s lacks %q", file, f.Plan[i], c.Unmet)
				}
			}
			if goal := report.NewEpisode(res).Goal; goal != "reached" || changes == 0 {
				t.Errorf("%s: the goal is %s after %v, with %d changes", file, goal, f.Plan, changes)
			}
		}
	}
	if plans < 5 {
		t.Errorf("%d plans", plans)
	}
	eps, err := logs.Read(ontology.Default(), filepath.Join(samples, "consequence.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	e := judgedSample(t, "consequence")
	course, _ := carriedOut(context.Background(), reasoner(), eps[0], e.Report.Findings[0].Step, e.Report.Findings[0].Recovery)
	for i, want := range map[int]string{0: "Robot-1 near Mug-1", 1: "Mug-1 inside Robot-1", 3: "Mug-1 at Sink-1", 5: "Faucet-1 on"} {
		if !slices.Contains(course[i].Changes, want) {
			t.Errorf("%s changes %q, want %q", e.Report.Findings[0].Plan[i], course[i].Changes, want)
		}
	}
}

// The page of a finding tells of each action of the plan what it brings about.
func TestPlanIsShownCarriedOut(t *testing.T) {
	h, l := served(t, "consequence")
	key := keyOfSample(t, l, "consequence")
	get(t, h.URL+"/api/v1/episodes/"+key) // waits for all of it
	_, page, _ := get(t, h.URL+"/episodes/"+key+"/findings/1")
	if want := `<code>(pick_up, Mug-1)</code> <span class="muted">strategy</span><br><span class="good">✓</span> then <bdi>Mug-1 inside Robot-1</bdi>`; !strings.Contains(page, want) {
		t.Errorf("the page lacks %s", want)
	}
}
