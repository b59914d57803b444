// Package interrupt tells loops that the call which they work for is over.
package interrupt

import "context"

// Flag is raised when a context is over, and stays so. Loops ask it once for each unit of
// work of about a microsecond or more; what they leave is thrown away by whoever looks at Err.
// The nil flag is never raised. It is for one goroutine at a time.
type Flag struct {
	ctx   context.Context
	err   error
	ticks uint
}

// Of is the flag of a context, nil for one that never ends.
func Of(ctx context.Context) *Flag {
	if ctx == nil || ctx.Done() == nil {
		return nil
	}
	return &Flag{ctx: ctx}
}

// Raised reports whether the context is over.
func (f *Flag) Raised() bool {
	if f != nil && f.err == nil {
		f.err = f.ctx.Err()
	}
	return f != nil && f.err != nil
}

// Tick is Raised for loops whose units of work take some ten nanoseconds: most of the time
// it only counts.
func (f *Flag) Tick() bool {
	const often = 32
	if f == nil {
		return false
	}
	f.ticks++
	return f.err != nil || f.ticks%often == 0 && f.Raised()
}

// Err is why it was raised, nil where nobody found that it was: then nothing was left out.
func (f *Flag) Err() error {
	if f == nil {
		return nil
	}
	return f.err
}

// Context is the context whose flag it is.
func (f *Flag) Context() context.Context {
	if f == nil {
		return context.Background()
	}
	return f.ctx
}
