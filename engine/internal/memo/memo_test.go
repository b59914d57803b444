package memo

import (
	"runtime"
	"sync"
	"testing"
	"time"

	"github.com/mishap-robotics/mishap/ontology"
)

// A value is worked out once of each ontology, whoever asks, and let go of with it.
func TestOf(t *testing.T) {
	var mu sync.Mutex
	worked := 0
	v := New(func(o *ontology.Ontology) int {
		mu.Lock()
		defer mu.Unlock()
		worked++
		return len(o.Terms)
	})
	one, other := &ontology.Ontology{Terms: make([]ontology.Term, 1)}, &ontology.Ontology{Terms: make([]ontology.Term, 2)}
	var all sync.WaitGroup
	for range 20 {
		all.Go(func() {
			if v.Of(one) != 1 || v.Of(other) != 2 {
				t.Error("the value of another ontology")
			}
		})
	}
	all.Wait()
	if worked != 2 {
		t.Errorf("worked out %d times, expected once of each of 2", worked)
	}
	runtime.KeepAlive(one)
	runtime.KeepAlive(other)
	one, other = nil, nil
	left := func() (n int) {
		v.known.Range(func(any, any) bool { n++; return true })
		return n
	}
	for range 1000 { // cleanups run in their own time
		if runtime.GC(); left() == 0 {
			return
		}
		time.Sleep(time.Millisecond)
	}
	t.Errorf("%d are kept", left())
}
