//go:build unix

package web

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"runtime"
	"slices"
	"syscall"
	"testing"

	"github.com/mishap-robotics/mishap/bridge/logs"
	"github.com/mishap-robotics/mishap/bridge/logs/jsonl"
	"github.com/mishap-robotics/mishap/ontology"
)

// BenchmarkServed is what the server alone takes for the page of an episode that nobody has asked
// for yet, without what goes on behind it; cpu_ms is its processor time.
func BenchmarkServed(b *testing.B) {
	for _, of := range []struct{ steps, things int }{{200, 20}, {5000, 20}} {
		b.Run(fmt.Sprintf("%dx%d", of.steps, of.things), func(b *testing.B) {
			path := filepath.Join(b.TempDir(), "tidying.jsonl")
			if err := jsonl.WriteFile(path, false, tidying(of.steps, of.things)); err != nil {
				b.Fatal(err)
			}
			b.ReportAllocs()
			var cpu []float64
			for b.Loop() {
				b.StopTimer()
				l := NewLibrary(reasoner(), logs.Reader{Ontology: ontology.Default()})
				if err := l.Load(b.Context(), []string{path}); err != nil {
					b.Fatal(err)
				}
				l.completing.Lock() // nothing goes on behind it
				h := (&Server{Library: l, Loopback: true}).Handler()
				r := httptest.NewRequest("GET", "/episodes/"+l.entries[0].Key, nil)
				r.Host = "127.0.0.1"
				w := httptest.NewRecorder()
				runtime.GC()
				before := spent(b)
				b.StartTimer()
				h.ServeHTTP(w, r)
				b.StopTimer()
				cpu = append(cpu, spent(b)-before)
				if w.Code != http.StatusOK {
					b.Fatal(w.Code, w.Body.String())
				}
				b.ReportMetric(float64(w.Body.Len()), "bytes")
				b.StartTimer()
			}
			slices.Sort(cpu)
			b.ReportMetric(cpu[len(cpu)/2], "cpu_ms")
		})
	}
}

// spent is the processor time of this process so far, in milliseconds.
func spent(b *testing.B) float64 {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return float64(u.Utime.Nano()+u.Stime.Nano()) / 1e6
}
