package engine_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/engine/internal/state"
)

// BenchmarkMissedGoal checks episodes of n steps that never do what the goal asks, so that
// the repair of what was done is sought.
func BenchmarkMissedGoal(b *testing.B) {
	r := reasoner(b)
	for _, n := range []int{500, 5000, 50000} {
		steps := longEpisode(n)
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				ep := &episode.Episode{ID: "missed", Steps: steps, GoalFacts: []episode.Fact{{Subject: "Apple-1", Relation: "inside", Object: "Fridge-1"}}}
				res, err := r.Check(context.Background(), ep)
				if err != nil {
					b.Fatal(err)
				}
				if got, _ := res.Trace.GoalTruth(res.Trace.Final); got > state.AssumedFalse {
					b.Fatal("the goal is not missed")
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*n), "ns/step")
		})
	}
}
