package prolog

import (
	"context"
	"errors"
	"fmt"
	"math"
	"runtime/debug"
	"time"

	iso "github.com/ichiban/prolog/engine"

	"github.com/mishap-robotics/mishap/bridge/internal/process"
)

// ErrInterrupted is the cause with which a host ends the context of a goal that a person
// interrupts.
var ErrInterrupted = errors.New("interrupted")

// LimitError is a goal that was stopped because of a limit.
type LimitError struct {
	Time   time.Duration // 0 where it was not the time
	Memory int64         // 0 where it was not the memory, in bytes
}

func (e *LimitError) Error() string {
	if e.Memory > 0 {
		return fmt.Sprintf("the goal used more than %d MB and was stopped; ask for less at once, or raise the limit", e.Memory>>20)
	}
	return fmt.Sprintf("the goal found no answer within %v and was stopped; ask for less, or raise the limit", e.Time)
}

// patience is how long a goal that is to stop has for it, unless it goes on to use memory.
const patience = 3 * time.Second

const watchEvery = 10 * time.Millisecond

// mostStack is how many bytes the calls of Go that lie in one another may take: more than
// the limit of the memory lets them, so that it is met first.
const mostStack = 8 << 30

// run solves a goal within the limits, for as long as visit returns true.
func (i *Interpreter) run(ctx context.Context, goal iso.Term, visit func(*iso.Env) bool) error {
	if i.stop != nil { // within another, whose limits are those of both
		_, err := i.solve(ctx, goal, visit)
		return err
	}
	ctx, stop := context.WithCancelCause(ctx)
	i.stop = stop
	w := i.watch(ctx, stop)
	found, err := i.solve(ctx, goal, func(env *iso.Env) bool {
		w.pause()
		defer w.resume()
		return i.out.endLine() == nil && visit(env)
	})
	w.end()
	cause := context.Cause(ctx)
	stop(nil)
	i.stop = nil
	if lost := i.out.endLine(); lost != nil {
		return lost
	}
	if cause != nil && (err != nil || !found) {
		return cause
	}
	return err
}

// solve solves a goal; found is true where visit wanted no more answers.
func (i *Interpreter) solve(ctx context.Context, goal iso.Term, visit func(*iso.Env) bool) (found bool, err error) {
	found, err = iso.Call(i.vm, goal, func(env *iso.Env) *iso.Promise {
		return iso.Bool(!visit(env))
	}, nil).Force(ctx)
	var thrown iso.Exception
	if errors.As(err, &thrown) {
		return false, &Exception{Text: i.explain(thrown.Term()), term: thrown.Term()}
	}
	return found, err
}

// watcher ends a goal that takes too long or too much.
type watcher struct {
	timer  *time.Timer
	of     time.Duration
	ended  chan struct{}
	most   int64 // bytes; 0 for any
	before int64 // that were in use
	// what the runtime is held to otherwise; -1 where that stays
	limit int64
	stack int
}

func (i *Interpreter) watch(ctx context.Context, stop context.CancelCauseFunc) *watcher {
	w := &watcher{of: i.Time, ended: make(chan struct{}), limit: -1, most: max(i.Memory, 0)}
	if i.Time > 0 {
		w.timer = time.AfterFunc(i.Time, func() { stop(&LimitError{Time: i.Time}) })
	}
	if w.most > 0 {
		// So that what would be too large at once is refused, and rubbish is collected in time.
		w.before, w.stack = process.Used(), debug.SetMaxStack(mostStack)
		if before := debug.SetMemoryLimit(-1); before == math.MaxInt64 {
			w.limit = before
			debug.SetMemoryLimit(process.Total() + w.most)
		}
	}
	go w.watch(ctx, stop, i.Abandon)
	return w
}

func (w *watcher) pause() {
	if w.timer != nil {
		w.timer.Stop()
	}
}

func (w *watcher) resume() {
	if w.timer != nil {
		w.timer.Reset(w.of)
	}
}

func (w *watcher) end() {
	w.pause()
	close(w.ended)
	if w.most > 0 {
		debug.SetMaxStack(w.stack)
	}
	if w.limit >= 0 {
		debug.SetMemoryLimit(w.limit)
	}
}

// watch ends a goal that uses too much, and abandons one that does not end.
func (w *watcher) watch(ctx context.Context, stop context.CancelCauseFunc, abandon func(error)) {
	var since time.Time // that it is to end
	tick := time.NewTicker(watchEvery)
	defer tick.Stop()
	for {
		select {
		case <-w.ended:
			return
		case <-tick.C:
		}
		grown := int64(0)
		if w.most > 0 {
			grown = process.Used() - w.before
		}
		switch {
		case ctx.Err() == nil && w.most > 0 && grown > w.most:
			stop(&LimitError{Memory: w.most})
		case ctx.Err() == nil:
		case since.IsZero():
			since = time.Now()
		case abandon != nil && (time.Since(since) > patience || w.most > 0 && grown > w.most+w.most/2):
			abandon(context.Cause(ctx))
			return
		}
	}
}
