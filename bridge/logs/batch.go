package logs

import (
	"context"
	"fmt"
	"path/filepath"
	"runtime"
	"strings"
	"sync"

	"github.com/mishap-robotics/mishap/engine/episode"
)

// Batch does something with every episode of many logs, as many at a time as can run at
// once.
type Batch[E any] struct {
	Read func(path string) ([]*episode.Episode, error)
	// Do gives what comes of an episode, nil for nothing, also where there is an error.
	Do func(context.Context, *episode.Episode) (*E, error)
	// OneByOne does it in order, with each after the one before it is done.
	OneByOne bool
	// Progress is told what there is to do and what is done.
	Progress interface {
		More(n int)
		Step()
	}
	running chan struct{} // holds what is being done at once
}

// Results is what came of one file.
type Results[E any] struct {
	Episodes []E
	Errs     []error
}

// Each hands over what comes of each file, in order. Of what is interrupted there is
// nothing to hand over.
func (b *Batch[E]) Each(ctx context.Context, files []string, take func(Results[E])) {
	b.running = make(chan struct{}, b.atOnce())
	b.Progress.More(len(files))
	for _, result := range b.start(ctx, files) {
		select {
		case r := <-result:
			take(r)
		case <-ctx.Done(): // what goes on is not waited for
			return
		}
	}
}

func (b *Batch[E]) atOnce() int {
	if b.OneByOne {
		return 1
	}
	return runtime.GOMAXPROCS(0)
}

// start gives a place for the results of each file.
func (b *Batch[E]) start(ctx context.Context, files []string) []chan Results[E] {
	results := make([]chan Results[E], len(files))
	for i := range results {
		results[i] = make(chan Results[E], 1)
	}
	next := make(chan int)
	go func() {
		defer close(next)
		for i := range files {
			select {
			case next <- i:
			case <-ctx.Done():
				return
			}
		}
	}()
	for range min(b.atOnce(), len(files)) {
		go func() {
			for i := range next {
				results[i] <- b.file(ctx, files[i])
			}
		}()
	}
	return results
}

func (b *Batch[E]) file(ctx context.Context, path string) Results[E] {
	var out Results[E]
	defer b.Progress.Step() // the reading
	if ctx.Err() != nil {
		return out
	}
	episodes, err := contained(path, func() ([]*episode.Episode, error) { return b.Read(path) })
	if err != nil {
		out.Errs = append(out.Errs, err)
	}
	b.Progress.More(len(episodes))
	results := make([]*E, len(episodes))
	errs := make([]error, len(episodes))
	var all sync.WaitGroup
	for i, ep := range episodes {
		b.running <- struct{}{}
		all.Go(func() {
			defer func() { <-b.running; b.Progress.Step() }()
			results[i], errs[i] = b.episode(ctx, path, ep)
		})
	}
	all.Wait()
	for i := range episodes {
		if errs[i] != nil {
			out.Errs = append(out.Errs, errs[i])
		}
		if results[i] != nil {
			out.Episodes = append(out.Episodes, *results[i])
		}
	}
	return out
}

func (b *Batch[E]) episode(ctx context.Context, path string, ep *episode.Episode) (*E, error) {
	if ctx.Err() != nil {
		return nil, nil
	}
	result, err := contained("episode "+ep.ID, func() (*E, error) { return b.Do(ctx, ep) })
	if ctx.Err() != nil {
		return nil, nil // what was interrupted says nothing
	}
	if err != nil {
		err = fmt.Errorf("%s: %w", path, err)
	}
	return result, err
}

// contained makes a panic the error of the log that it comes from: the others are
// looked at all the same.
func contained[T any](what string, do func() (T, error)) (out T, err error) {
	defer func() {
		if failed := recover(); failed != nil {
			err = fmt.Errorf("%s: mishap failed on it, which is a mistake in mishap: %v (%s)", what, failed, culprit())
		}
	}()
	return do()
}

// culprit is the place that panicked, as seen from a deferred function.
func culprit() string {
	frames := runtime.CallersFrames(callers())
	for {
		f, more := frames.Next()
		if !strings.HasPrefix(f.Function, "runtime.") {
			return fmt.Sprintf("%s:%d", filepath.Base(f.File), f.Line)
		}
		if !more {
			return "place unknown"
		}
	}
}

func callers() []uintptr {
	pcs := make([]uintptr, 16)
	return pcs[:runtime.Callers(4, pcs)] // not this, culprit and the deferred function
}
