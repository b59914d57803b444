package engine_test

import (
	"context"
	"runtime"
	"slices"
	"testing"
	"time"

	"github.com/mishap-robotics/mishap/engine"
	"github.com/mishap-robotics/mishap/engine/episode"
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
			st := dropsAll(n)
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

// A step of which the findings are told looks at what lines showed where it asks, not at all that
// a window remembers for each finding.
func TestManyFindingsAllocateLittle(t *testing.T) {
	m := reasoner(t).Watch(&episode.Episode{ID: "clumsy"}, engine.Limits{Window: 2 * engine.MinWindow}, nil)
	const steps, last = 300, 50
	var before, after runtime.MemStats
	for n := range steps {
		if n == steps-last {
			runtime.ReadMemStats(&before)
		}
		if _, err := m.Step(context.Background(), dropsAll(n)); err != nil {
			t.Fatal(err)
		}
	}
	runtime.ReadMemStats(&after)
	found := len(m.Findings())
	if each := (after.TotalAlloc - before.TotalAlloc) / uint64(last*found); found < 100 || each > 24_000 {
		t.Errorf("with %d findings a step takes %d bytes for each; expected at least 100, and at most 24 kB", found, each)
	}
}

// dropsAll is a step of a robot that lets go of what it picked up in the step before.
func dropsAll(n int) episode.Step {
	st := clumsy(n)
	st.Sounds, st.Line = nil, 0
	return st
}
