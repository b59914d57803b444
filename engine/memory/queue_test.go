package memory_test

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mishap-robotics/mishap/engine"
	"github.com/mishap-robotics/mishap/engine/memory"
)

// What is handed over is in the memory when the queue is closed, however short the queue.
func TestQueue(t *testing.T) {
	m := open(t, t.TempDir())
	q := m.Queue(t.Context(), 1)
	for i := range 60 {
		r := run(t, "", noon)
		r.Episode.ID = fmt.Sprintf("%02d", i)
		if err := q.Add(t.Context(), r); err != nil {
			t.Fatal(err)
		}
	}
	if err := q.Close(); err != nil {
		t.Fatal(err)
	}
	if got := len(strings.Fields(ids(t, m, memory.Filter{}))); got != 60 {
		t.Errorf("%d episodes, want 60", got)
	}
	if times, waited := q.Pressure(); times > 60 || (times == 0) != (waited == 0) {
		t.Errorf("waited %d times, %v", times, waited)
	}
}

// An episode that is refused is told, those beside it are added.
func TestQueueRefused(t *testing.T) {
	m := open(t, t.TempDir())
	if err := m.Add(t.Context(), run(t, "a", noon)); err != nil {
		t.Fatal(err)
	}
	q := m.Queue(t.Context(), 8)
	for _, id := range []string{"b", "a"} {
		if err := q.Add(t.Context(), run(t, id, noon)); err != nil {
			t.Fatal(err)
		}
	}
	if err := q.Close(); !errors.Is(err, memory.ErrExists) {
		t.Errorf("%v, want ErrExists", err)
	}
	if got := ids(t, m, memory.Filter{}); got != "a b" {
		t.Errorf("there are %s, want a b", got)
	}
}

// TestQueueCost measures, under MISHAP_LONG, what a step of a monitor takes while episodes
// are added, in turns with none being added.
func TestQueueCost(t *testing.T) {
	if os.Getenv("MISHAP_LONG") == "" {
		t.Skip("measures for a while; set MISHAP_LONG=1")
	}
	m := open(t, t.TempDir())
	const blocks, episodes, size = 16, 12, 16
	var with, without []time.Duration
	times, waited := 0, time.Duration(0)
	for block := range 2 * blocks { // every other one adds, and is over when all is added
		adds := block%2 == 1
		q := m.Queue(t.Context(), size)
		for i := range episodes {
			run := drawn(block/2*episodes + i)
			read := *run.Episode
			live := read
			live.Steps = nil
			w := reasoner().Watch(&live, engine.Limits{}, nil)
			for _, st := range read.Steps {
				began := time.Now()
				if _, err := w.Step(t.Context(), st); err != nil {
					t.Fatal(err)
				}
				if took := time.Since(began); adds {
					with = append(with, took)
				} else {
					without = append(without, took)
				}
			}
			if adds {
				read.ID = fmt.Sprintf("%d-%d", block, i)
				run.Episode = &read
				if err := q.Add(t.Context(), run); err != nil {
					t.Fatal(err)
				}
			}
		}
		if err := q.Close(); err != nil {
			t.Fatal(err)
		}
		n, d := q.Pressure()
		times, waited = times+n, waited+d
	}
	at := func(d []time.Duration, p float64) time.Duration {
		slices.Sort(d)
		return d[int(p*float64(len(d)-1))]
	}
	t.Logf("a step while nothing is added: median %v, p99 %v; while episodes are: median %v, p99 %v; waited %d times, %v",
		at(without, .5), at(without, .99), at(with, .5), at(with, .99), times, waited)
}
