package engine_test

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/mishap-robotics/mishap/engine"
	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/engine/scene"
)

// BenchmarkManyFindings reports what a step costs of a robot that lets go of what it picks
// up, over and over, at first and after thousands of findings.
func BenchmarkManyFindings(b *testing.B) {
	r := reasoner(b)
	const steps = 3000
	for b.Loop() {
		m := r.Watch(&episode.Episode{ID: "clumsy"}, engine.Limits{Window: 500}, nil)
		var times []time.Duration
		for n := range steps {
			apple := fmt.Sprint("Apple-", n/2%7+1)
			st := episode.Step{Index: n + 1, Action: episode.Action{Name: "navigate_to_obj", Target: "Sink-1"}}
			st.Observation.Nodes = []scene.Node{{ID: "Sink-1"}, {ID: "CounterTop-1"}}
			if n%2 == 0 {
				st.Action = episode.Action{Name: "pick_up", Target: apple}
				st.Observation.Edges = []scene.Edge{{Subject: apple, Relation: "inside", Object: "RobotGripper-1"}}
			}
			began := clock()
			if _, err := m.Step(context.Background(), st); err != nil {
				b.Fatal(err)
			}
			times = append(times, clock()-began)
		}
		if len(m.Findings()) < 500/4 {
			b.Fatal(len(m.Findings()), " findings")
		}
		median := func(of []time.Duration) float64 {
			slices.Sort(of)
			return float64(of[len(of)/2].Microseconds())
		}
		b.ReportMetric(median(slices.Clone(times[500:1000])), "early-µs/step")
		b.ReportMetric(median(slices.Clone(times[steps-500:])), "late-µs/step")
	}
}
