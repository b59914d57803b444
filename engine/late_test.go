//go:build linux

package engine_test

import (
	"context"
	"os"
	"runtime"
	"slices"
	"sync"
	"syscall"
	"testing"
	"time"
	"unsafe"

	"github.com/mishap-robotics/mishap/engine/episode"
)

// A canceller ends calls once they have taken so much time of the processor, and measures
// how much more they take: the clock on the wall would tell how busy the machine is.
type canceller struct {
	thread int

	mu     sync.Mutex
	cancel context.CancelFunc // of the call; nil between calls
	due    time.Duration
	at     time.Duration // when the call was cancelled, 0 before
}

// newCanceller is for calls of the goroutine that makes it.
func newCanceller(t *testing.T) *canceller {
	runtime.LockOSThread()
	c := &canceller{thread: syscall.Gettid()}
	over := make(chan struct{})
	t.Cleanup(func() {
		close(over)
		runtime.UnlockOSThread()
	})
	go func() {
		for {
			select {
			case <-over:
				return
			case <-time.After(500 * time.Microsecond):
				c.look()
			}
		}
	}()
	return c
}

// spent is the time of the processor that the thread of the calls has taken.
func (c *canceller) spent() time.Duration {
	const ofThread, scheduled = 4, 2 // see clock_getcpuclockid(3)
	var ts syscall.Timespec
	clock := uintptr(^c.thread)<<3 | ofThread | scheduled
	syscall.Syscall(syscall.SYS_CLOCK_GETTIME, clock, uintptr(unsafe.Pointer(&ts)), 0)
	return time.Duration(ts.Nano())
}

func (c *canceller) look() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.cancel != nil && c.at == 0 && c.spent() >= c.due {
		c.cancel()
		c.at = c.spent() // not before: this goroutine too may be held up
	}
}

// late is how much longer a call takes once it is cancelled, 0 where it was over before.
func (c *canceller) late(after time.Duration, call func(context.Context)) time.Duration {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	c.mu.Lock()
	c.cancel, c.at, c.due = cancel, 0, c.spent()+after
	c.mu.Unlock()
	call(ctx)
	now := c.spent()
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.cancel = nil; c.at == 0 {
		return 0
	}
	return now - c.at
}

// Of 10,000 hostile steps none goes on for 10 ms once its context is over.
func TestHostileStepsEndInTime(t *testing.T) {
	steps := 300
	if os.Getenv("MISHAP_LONG") != "" {
		steps = 10_000
	}
	ep := &episode.Episode{ID: "hostile", GoalFacts: []episode.Fact{{Subject: "Mug-1", Relation: "inside", Object: "Box-7"}}}
	m := reasoner(t).Watch(ep, besieged, nil)
	m.EnableForesight()
	c := newCanceller(t)
	var late []time.Duration
	for i := 1; i <= steps; i++ {
		st := hostile(i).Example(i)
		if d := c.late(20*time.Millisecond, func(ctx context.Context) { m.Step(ctx, st) }); d > 0 {
			late = append(late, d)
		}
	}
	slices.Sort(late)
	if len(late) == 0 {
		t.Log("no step was cancelled")
		return
	}
	n := len(late)
	t.Logf("%d of %d steps were cancelled; they went on for %v at the median, %v at the 99th percentile, %v at most", n, steps, late[n/2], late[n*99/100], late[n-1])
	if late[n-1] > 10*time.Millisecond {
		t.Errorf("a step went on for %v of processor time once it was cancelled", late[n-1])
	}
}
