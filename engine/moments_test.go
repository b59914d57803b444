package engine_test

import (
	"context"
	"slices"
	"testing"

	"github.com/mishap-robotics/mishap/engine"
	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/engine/internal/state"
)

// What is told of moments one after the other is what is told of each by itself.
func TestMoments(t *testing.T) {
	r := reasoner(t)
	var steps []episode.Step
	for st := range glances(12).steps() {
		if st.Index > 120 {
			break
		}
		if st.Index%30 > 20 {
			st = clumsy(st.Index - 1)
		}
		steps = append(steps, st)
	}
	res, err := r.Check(context.Background(), &episode.Episode{ID: "moments", Steps: steps})
	if err != nil {
		t.Fatal(err)
	}
	tr := res.Trace
	if tr.Changes() < 100 || len(res.Findings) < 5 {
		t.Fatalf("%d changes and %d findings: this test shows nothing", tr.Changes(), len(res.Findings))
	}
	for _, stride := range []int32{1, 7, 40} {
		moments := tr.Moments()
		for step := int32(3); step <= tr.Last(); step += stride {
			same(t, tr, step, moments.StateAt(step), tr.StateAt(step))
		}
		same(t, tr, 5, moments.StateAt(5), tr.StateAt(5)) // back again
		same(t, tr, 50, moments.StateAt(50), tr.StateAt(50))
	}
}

func same(t *testing.T, tr *engine.Trace, step int32, got, want *state.State) {
	t.Helper()
	for i := range tr.Objects.Items {
		x := state.Object(i)
		for slot := range want.Slots() {
			if f := (state.Fluent{Obj: x, Slot: slot}); got.Get(f) != want.Get(f) {
				t.Fatalf("step %d, %s, slot %d: %+v, want %+v", step, tr.Objects.Name(x), slot, got.Get(f), want.Get(f))
			}
		}
		if !slices.Equal(got.Contents(x), want.Contents(x)) {
			t.Fatalf("step %d: in %s is %v, want %v", step, tr.Objects.Name(x), got.Contents(x), want.Contents(x))
		}
	}
	if a, b := got.Edges(), want.Edges(); !slices.Equal(a, b) {
		t.Fatalf("step %d: relations %v, want %v", step, a, b)
	}
}
