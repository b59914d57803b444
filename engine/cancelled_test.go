package engine_test

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"

	"github.com/mishap-robotics/mishap/engine"
	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/engine/scene"
)

// countdown is a context that is over once it was asked so many times.
type countdown struct {
	context.Context
	left *atomic.Int32
}

func (c countdown) Err() error {
	if c.left.Add(-1) < 0 {
		return context.Canceled
	}
	return nil
}

// Whenever a context ends, a check has a result or an error that says so, never neither.
func TestCheckOfACancelledContext(t *testing.T) {
	r := reasoner(t)
	ep := &episode.Episode{ID: "a", Steps: []episode.Step{
		{Index: 0, Observation: episode.Observation{Graph: scene.Graph{Nodes: []scene.Node{{ID: "Mug-1", Class: "Mug"}}}}},
		{Index: 1, Action: episode.Action{Name: "pick_up", Target: "Mug-1"}, Observation: episode.Observation{Graph: scene.Graph{Nodes: []scene.Node{{ID: "Mug-1", Class: "Mug"}}}}},
	}}
	whole := false
	for n := int32(0); n < 200 && !whole; n++ {
		left := new(atomic.Int32)
		left.Store(n)
		res, err := r.Check(countdown{context.Background(), left}, ep)
		switch {
		case res == nil && err == nil:
			t.Fatalf("over when asked the %dth time: neither a result nor an error", n+1)
		case res == nil && !errors.Is(err, context.Canceled) && !errors.Is(err, engine.ErrLimit):
			t.Errorf("over when asked the %dth time: %v", n+1, err)
		}
		whole = err == nil && left.Load() >= 0
	}
	if !whole {
		t.Error("the context was never asked few enough times")
	}
}
