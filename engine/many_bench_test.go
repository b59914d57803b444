package engine_test

import (
	"context"
	"fmt"
	"runtime"
	"testing"

	"github.com/mishap-robotics/mishap/engine"
	"github.com/mishap-robotics/mishap/engine/episode"
)

// BenchmarkManyMonitors reports what 200 monitors hold together after so many steps, by what
// is in view and whether they have a window.
func BenchmarkManyMonitors(b *testing.B) {
	r := reasoner(b)
	const robots = 200
	watchView(b, r.Watch(&episode.Episode{ID: "first"}, engine.Limits{}, nil), glances(60), 20) // what the reasoner makes when it is first asked
	for _, c := range []struct {
		view          view
		window, steps int
	}{
		{loose(20), engine.MinWindow, 20}, {loose(20), engine.MinWindow, 100}, {loose(20), engine.MinWindow, 300}, {loose(20), engine.MinWindow, 1000},
		{loose(20), 500, 1000}, {loose(20), 0, 300}, {loose(20), 0, 1000}, {glances(60), engine.MinWindow, 300}, {glances(60), 0, 300},
	} {
		b.Run(fmt.Sprintf("%s/window%d/%d", c.view.name, c.window, c.steps), func(b *testing.B) {
			for b.Loop() {
				before := heapInUse()
				monitors := make([]*engine.Monitor, robots)
				for i := range monitors {
					monitors[i] = r.Watch(&episode.Episode{ID: fmt.Sprint("robot-", i)}, engine.Limits{Window: c.window}, nil)
					watchView(b, monitors[i], c.view, c.steps)
				}
				b.ReportMetric((heapInUse()-before)/(1<<20), "heap-MB")
				runtime.KeepAlive(monitors)
			}
		})
	}
}

// 200 monitors that see 20 of 60 things, others at each step, take no more than 60 MB.
func TestMonitorsHoldLittle(t *testing.T) {
	r := reasoner(t)
	watchView(t, r.Watch(&episode.Episode{ID: "first"}, engine.Limits{}, nil), glances(60), 20)
	const robots, most = 10, 60e6 / 200
	before := heapInUse()
	monitors := make([]*engine.Monitor, robots)
	for i := range monitors {
		monitors[i] = r.Watch(&episode.Episode{ID: fmt.Sprint("robot-", i)}, engine.Limits{Window: engine.MinWindow}, nil)
		watchView(t, monitors[i], glances(60), 300)
	}
	if each := (heapInUse() - before) / robots; each > most {
		t.Errorf("a monitor holds %.0f bytes; expected at most %.0f", each, most)
	}
	runtime.KeepAlive(monitors)
}

func watchView(b testing.TB, m *engine.Monitor, v view, steps int) {
	for st := range v.steps() {
		if st.Index > steps {
			break
		}
		if _, err := m.Step(context.Background(), st); err != nil {
			b.Fatal(err)
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
