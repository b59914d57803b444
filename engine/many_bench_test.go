package engine_test

import (
	"context"
	"fmt"
	"runtime"
	"testing"

	"github.com/mishap-robotics/mishap/engine"
	"github.com/mishap-robotics/mishap/engine/episode"
)

// BenchmarkManyMonitors reports what 200 monitors hold together after so many steps, by
// whether they have a window.
func BenchmarkManyMonitors(b *testing.B) {
	r := reasoner(b)
	const robots = 200
	for _, window := range []int{engine.MinWindow, 500, 0} {
		for _, steps := range []int{20, 100, 300, 1000} {
			b.Run(fmt.Sprintf("window%d/%d", window, steps), func(b *testing.B) {
				for b.Loop() {
					before := heapInUse()
					monitors := make([]*engine.Monitor, robots)
					for i := range monitors {
						monitors[i] = r.Watch(&episode.Episode{ID: fmt.Sprint("robot-", i)}, engine.Limits{Window: window}, nil)
						for st := range loose(20).steps() {
							if st.Index > steps {
								break
							}
							if _, err := monitors[i].Step(context.Background(), st); err != nil {
								b.Fatal(err)
							}
						}
					}
					b.ReportMetric((heapInUse()-before)/(1<<20), "heap-MB")
					runtime.KeepAlive(monitors)
				}
			})
		}
	}
}

// heapInUse is what is held once all is let go of that can be.
func heapInUse() float64 {
	runtime.GC()
	runtime.GC() // what pools hold is gone with the second
	var mem runtime.MemStats
	runtime.ReadMemStats(&mem)
	return float64(mem.HeapAlloc)
}
