package engine_test

import (
	"context"
	"strings"
	"testing"

	"github.com/mishap-robotics/mishap/engine"
	"github.com/mishap-robotics/mishap/engine/internal/episodetest"
	"github.com/mishap-robotics/mishap/ontology"
	"github.com/mishap-robotics/mishap/rules"
)

// The score that speaks of a finding is that before its action, or before the next one where
// only that is about its objects.
func TestEvidence(t *testing.T) {
	r, err := engine.New(ontology.Default(), rules.Default())
	if err != nil {
		t.Fatal(err)
	}
	const drop = `
		task: x
		goal: Mug located_at Sink
		plan: (pick_up, Mug), (navigate_to_obj, Sink), (put_in, Mug, Sink)
		0 | Mug-1 on_top_of CounterTop-1, Sink-1, Floor-1
		1 (pick_up, Mug-1) | Mug-1 inside RobotGripper-1
		2 (navigate_to_obj, Sink-1) | Mug-1 on_top_of Floor-1, Sink-1
		3 (put_in, Mug-1, Sink-1) | Mug-1 on_top_of Floor-1, Sink-1`
	for _, tt := range []struct {
		name, script string
		step         int32
		agrees       bool
		text         string
	}{
		{"before its action", `
			task: x
			goal: Apple located_at Bowl
			plan: (pick_up, Apple), (put_in, Apple, Bowl)
			0 | Apple-1 on_top_of CounterTop-1, Bowl-1 on_top_of CounterTop-1, Bowl-1 dirty
			1 (pick_up, Apple-1) | Apple-1 inside RobotGripper-1, Bowl-1 dirty
			2 (put_in, Apple-1, Bowl-1) | Apple-1 inside Bowl-1, Bowl-1 dirty`, 2, true, "Bowl-1 is dirty, expected clean"},
		{"before the next", drop, 3, true, "Mug-1 is on_top_of Floor-1, expected inside Robot-1"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			ep := episodetest.Parse(t, ontology.Default(), tt.script)
			res, err := r.Check(context.Background(), ep)
			if err != nil || len(res.Findings) == 0 {
				t.Fatalf("findings %v, error %v", res.Findings, err)
			}
			all, err := r.Evidence(context.Background(), res, engine.Scoring{})
			if err != nil || len(all) != len(res.Findings) || all[0] == nil {
				t.Fatalf("evidence %v, error %v", all, err)
			}
			if e := all[0]; e.Step != tt.step || e.Agrees != tt.agrees || !e.Alarm || !strings.Contains(e.Text(), tt.text) {
				t.Errorf("%+v: %s", e, e.Text())
			}
			m, err := r.RecoverEpisode(context.Background(), ep, engine.Planner{Scoring: &engine.Scoring{}})
			if err != nil {
				t.Fatal(err)
			}
			evidence := m.Result.Findings[0].Evidence
			if last := evidence[len(evidence)-1]; last != m.Scores[0].Text() {
				t.Errorf("the evidence ends with %q", last)
			}
		})
	}
	if _, err := r.Evidence(context.Background(), nil, engine.Scoring{}); err == nil {
		t.Error("evidence for no result")
	}
	if _, err := r.Evidence(context.Background(), &engine.Result{}, engine.Scoring{}); err == nil {
		t.Error("evidence for a result without an episode")
	}
}
