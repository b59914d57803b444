package memory

import (
	"context"
	"errors"
	"sync"
	"time"
)

// together is how many episodes that wait are added in one transaction.
const together = 20

// Queue adds episodes while who hands them over goes on. So many wait at most; who hands
// over one more waits, and Pressure tells how long that was.
type Queue struct {
	m       *Memory
	waiting chan Run
	done    chan struct{}
	mu      sync.Mutex
	err     error
	times   int
	waited  time.Duration
}

// Queue begins one in which at most size episodes wait. It is to be closed.
func (m *Memory) Queue(ctx context.Context, size int) *Queue {
	q := &Queue{m: m, waiting: make(chan Run, max(size, 1)), done: make(chan struct{})}
	go q.run(ctx)
	return q
}

// Add hands an episode over; nobody may change it, or what was concluded from it, any more.
// It is in the memory once Close has returned without an error. The error is that of an
// episode before: no further ones are added then.
func (q *Queue) Add(ctx context.Context, r Run) error {
	if err := q.failed(); err != nil {
		return err
	}
	select {
	case q.waiting <- r:
		return nil
	default:
	}
	began := time.Now()
	defer func() {
		q.mu.Lock()
		defer q.mu.Unlock()
		q.times++
		q.waited += time.Since(began)
	}()
	select {
	case q.waiting <- r:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Pressure is how often Add had to wait, and how long in all.
func (q *Queue) Pressure() (times int, waited time.Duration) {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.times, q.waited
}

// Close adds what waits. The error is that of the first episodes that could not be added.
// Nothing may be handed over any more.
func (q *Queue) Close() error {
	close(q.waiting)
	<-q.done
	return q.failed()
}

func (q *Queue) failed() error {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.err
}

func (q *Queue) run(ctx context.Context) {
	defer close(q.done)
	for r := range q.waiting {
		runs := []Run{r}
		for len(runs) < together && len(q.waiting) > 0 {
			runs = append(runs, <-q.waiting)
		}
		if q.failed() != nil {
			continue // so that nobody waits
		}
		if err := q.add(ctx, runs); err != nil {
			q.mu.Lock()
			q.err = err
			q.mu.Unlock()
		}
	}
}

// add adds episodes together, and one by one where not all can be.
func (q *Queue) add(ctx context.Context, runs []Run) error {
	err := q.m.Add(ctx, runs...)
	if err == nil || len(runs) == 1 {
		return err
	}
	var errs []error
	for _, r := range runs {
		errs = append(errs, q.m.Add(ctx, r))
	}
	return errors.Join(errs...)
}
