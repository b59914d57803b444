package engine_test

import (
	"bytes"
	"context"
	"errors"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"github.com/mishap-robotics/mishap/engine"
	"github.com/mishap-robotics/mishap/engine/episode"
)

// FuzzCalls calls a monitor in any order, with hostile steps and with contexts that end. What it
// begins with is long enough for all calls of a draw. With -fuzzminimizetime 1x no time is spent
// on shorter inputs, which draw less.
func FuzzCalls(f *testing.F) {
	r := reasoner(f)
	random := rand.New(rand.NewPCG(1, 2))
	for range 20 {
		drawn := make([]byte, 32<<10)
		for i := range drawn {
			drawn[i] = byte(random.Uint32())
		}
		f.Add(drawn)
	}
	f.Fuzz(rapid.MakeFuzz(func(t *rapid.T) { anyCalls(t, r) }))
}

// Whatever is called in whatever order, nothing panics, and every error is of a kind that a
// host can tell.
func TestAnyCalls(t *testing.T) {
	r := reasoner(t)
	rapid.Check(t, func(t *rapid.T) { anyCalls(t, r) })
}

func anyCalls(t *rapid.T, r *engine.Reasoner) {
	limits := engine.Limits{Time: 50 * time.Millisecond, Planning: 20 * time.Millisecond, Nodes: 150, Objects: 400, Planned: 50, Warnings: 30, Name: 300, Details: 400,
		Window: rapid.SampledFrom([]int{0, engine.MinWindow}).Draw(t, "window")}
	ep := &episode.Episode{ID: "any", Task: rapid.SampledFrom([]string{"", "make coffee", "zqx"}).Draw(t, "task"), Goal: rapid.SampledFrom([]string{"", "the mug is in the sink", "zqx"}).Draw(t, "goal"),
		Plan: plans().Draw(t, "plan")}
	m := r.Watch(ep, limits, nil)
	finished := false
	for i := 1; i <= rapid.IntRange(1, 25).Draw(t, "calls"); i++ {
		ctx := context.Context(context.Background())
		if rapid.IntRange(0, 3).Draw(t, "ends") == 0 {
			ctx = endsAfter(rapid.IntRange(0, 200).Draw(t, "checks"))
		}
		var err error
		switch rapid.SampledFrom([]string{"step", "step", "step", "again", "replan", "foresee", "enable", "recover", "assess", "undo", "prove", "score", "situation", "sense", "tick", "save", "look", "finish"}).Draw(t, "call") {
		case "step":
			_, err = m.Step(ctx, hostile(i).Draw(t, "step"))
		case "again":
			_, err = m.Step(ctx, hostile(1).Draw(t, "step"))
		case "replan":
			err = m.Replan(plans().Draw(t, "rest"))
		case "foresee":
			_, err = m.Foresee(ctx)
		case "enable":
			m.EnableForesight()
		case "recover":
			if p := m.Recover(ctx, engine.Planner{}, nil, nil); p == nil {
				t.Fatal("no proposal")
			}
		case "assess":
			if p := m.Assess(ctx, engine.Planner{}, plans().Draw(t, "plan")); p == nil {
				t.Fatal("no proposal")
			}
		case "undo":
			m.Undo(ctx, rapid.IntRange(-1, 5).Draw(t, "keep"))
		case "prove":
			for _, found := range m.Findings() {
				if _, e := m.Prove(ctx, &found); e != nil {
					err = e
				}
			}
		case "score":
			if _, e := m.Discrepancy(ctx, engine.Scoring{}); e != nil && ctx.Err() == nil && !errors.Is(e, engine.ErrFinished) {
				err = e
			}
		case "situation":
			_, err = m.Situation(ctx, nil, nil)
		case "sense":
			_, err = m.Sense(ctx, sensed().Draw(t, "events")...)
		case "tick":
			_, err = m.Tick(ctx, rapid.SampledFrom([]string{"", "0", "12.5", "01:05", "2026-11-24T10:00:00Z", "zqx", "-1", "1e300"}).Draw(t, "time"))
		case "save":
			m = saved(t, r, m, finished)
		case "look":
			m.Trace()
			m.Rest()
			m.Index()
			m.Size()
			m.Done()
			m.Projection()
		case "finish":
			_, _, err = m.Finish(ctx)
			finished = finished || !errors.Is(err, engine.ErrLimit) && !errors.Is(err, context.Canceled)
		}
		if err != nil && !expected(err) {
			t.Fatalf("call %d: %v", i, err)
		}
	}
}

// expected reports whether an error is one of those that the documentation names.
func expected(err error) bool {
	var (
		limit *engine.LimitError
		order *engine.OrderError
		steps *engine.StepRangeError
		known *engine.UnknownActionError
		clock *engine.TimeError
	)
	return errors.As(err, &limit) || errors.As(err, &order) || errors.As(err, &steps) || errors.As(err, &known) || errors.As(err, &clock) ||
		errors.Is(err, engine.ErrFinished) || errors.Is(err, engine.ErrNoSteps) || errors.Is(err, engine.ErrForgotten) || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded)
}

// saved is a monitor that goes on from what another saved.
func saved(t *rapid.T, r *engine.Reasoner, m *engine.Monitor, finished bool) *engine.Monitor {
	var b bytes.Buffer
	switch err := m.Snapshot(&b); {
	case finished && err != nil:
		return m
	case err != nil:
		t.Fatal(err)
	}
	other, err := r.Restore(&b, nil)
	if err != nil {
		t.Fatalf("restoring what was saved: %v", err)
	}
	if diff := cmp.Diff(types(m.Findings()), types(other.Findings()), cmpopts.EquateEmpty()); diff != "" {
		t.Fatalf("findings after restoring (-want +got):\n%s", diff)
	}
	return other
}

func sensed() *rapid.Generator[[]episode.SensorEvent] {
	return rapid.SliceOfN(rapid.Custom(func(t *rapid.T) episode.SensorEvent {
		return episode.SensorEvent{Kind: rapid.SampledFrom([]string{"crash", "force_spike", "zqx", ""}).Draw(t, "kind"), Object: rapid.SampledFrom([]string{"Mug-1", "", "zqx"}).Draw(t, "object"),
			Number: rapid.Float64().Draw(t, "number"), Measured: rapid.Bool().Draw(t, "measured"), Unit: rapid.SampledFrom([]string{"", "N", "zqx"}).Draw(t, "unit"),
			Time: rapid.SampledFrom([]string{"", "3", "zqx", "00:09"}).Draw(t, "time")}
	}), 0, 4)
}

func types(findings []engine.Finding) (out []string) {
	for _, f := range findings {
		out = append(out, f.Type+f.Explanation)
	}
	return out
}

func plans() *rapid.Generator[[]episode.Action] {
	names := []string{"Mug-1", "Mug", "Sink-1", "Fridge", "", "zqx", "RobotGripper-1"}
	return rapid.SliceOfN(rapid.Custom(func(t *rapid.T) episode.Action {
		return episode.Action{Name: rapid.SampledFrom([]string{"pick_up", "put_in", "open_obj", "toggle_on", "navigate_to_obj", "fly"}).Draw(t, "name"),
			Target: rapid.SampledFrom(names).Draw(t, "target"), Destination: rapid.SampledFrom(names).Draw(t, "destination")}
	}), 0, 8)
}
