package logs

import (
	"context"
	"fmt"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/mishap-robotics/mishap/engine/episode"
)

// Batch does something with every episode of many logs, as many at a time as can run at
// once. Of a log that is read episode by episode no more than a few are held.
type Batch[E any] struct {
	Open func(path string) Source
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

// Results is a part of what came of a file.
type Results[E any] struct {
	Path     string
	Episodes []E
	Errs     []error
	Last     bool // the file is done
}

// Each hands over what comes of each file, in order, a part as soon as it is there. Of what
// is interrupted there is nothing to hand over.
func (b *Batch[E]) Each(ctx context.Context, files []string, take func(Results[E])) {
	b.running = make(chan struct{}, b.atOnce())
	b.Progress.More(len(files))
	for i, parts := range b.start(ctx, files) {
		for parts != nil {
			part, more := receive(ctx, parts)
			if !more {
				if ctx.Err() != nil { // what goes on is not waited for
					return
				}
				take(Results[E]{Path: files[i], Last: true})
				break
			}
			r, ok := receive(ctx, part)
			if !ok {
				return
			}
			if len(r.Episodes)+len(r.Errs) > 0 {
				r.Path = files[i]
				take(r)
			}
		}
	}
}

// receive is what comes next; more is false where nothing does any more.
func receive[T any](ctx context.Context, from <-chan T) (out T, more bool) {
	select {
	case out, more = <-from:
	case <-ctx.Done():
	}
	return out, more
}

func (b *Batch[E]) atOnce() int {
	if b.OneByOne {
		return 1
	}
	return runtime.GOMAXPROCS(0)
}

// ahead is how many parts of a file may wait for those of a file before it, for each that is
// done at once.
const ahead = 8

// parts are those of a file, in order, each to come when it is done.
type parts[E any] chan (<-chan Results[E])

// start gives a place for the results of each file.
func (b *Batch[E]) start(ctx context.Context, files []string) []parts[E] {
	results := make([]parts[E], len(files))
	for i := range results {
		results[i] = make(parts[E], ahead*b.atOnce())
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
				b.file(ctx, files[i], results[i])
			}
		}()
	}
	return results
}

func (b *Batch[E]) file(ctx context.Context, path string, out parts[E]) {
	defer close(out)
	defer b.Progress.Step() // the reading
	if ctx.Err() != nil {
		return
	}
	_, err := contained(path, func() (struct{}, error) {
		log := b.Open(path)
		b.Progress.More(log.Count)
		for ep, err := range log.Episodes {
			if err == nil && log.Count == 0 {
				b.Progress.More(1)
			}
			if !b.part(ctx, path, ep, err, out) {
				break
			}
		}
		return struct{}{}, nil
	})
	if err != nil {
		b.part(ctx, path, nil, err, out)
	}
}

// part gives a place for what comes of an episode, or for what was wrong; more is false where
// the batch is interrupted.
func (b *Batch[E]) part(ctx context.Context, path string, ep *episode.Episode, wrong error, out parts[E]) (more bool) {
	done := make(chan Results[E], 1)
	select {
	case out <- done:
	case <-ctx.Done():
		return false
	}
	if wrong != nil {
		done <- Results[E]{Errs: []error{wrong}}
		return true
	}
	b.running <- struct{}{}
	go func() {
		defer func() { <-b.running; b.Progress.Step() }()
		var r Results[E]
		result, err := b.episode(ctx, path, ep)
		if err != nil {
			r.Errs = []error{err}
		}
		if result != nil {
			r.Episodes = []E{*result}
		}
		done <- r
	}()
	return true
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
