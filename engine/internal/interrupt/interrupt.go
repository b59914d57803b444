// Package interrupt tells loops that the call which they work for is over.
package interrupt

import "context"

// Flag is raised when a context is over, and stays so. Loops ask it once for each unit of
// work of about a microsecond or more; what they leave is thrown away by whoever looks at Err.
// The nil flag is never raised. It is for one goroutine at a time.
type Flag struct {
	ctx   context.Context
	asked uint
	err   error
}

// every is how many units of work go by between two looks at the context.
const every = 16

// Of is the flag of a context, nil for one that never ends.
func Of(ctx context.Context) *Flag {
	if ctx == nil || ctx.Done() == nil {
		return nil
	}
	return &Flag{ctx: ctx}
}

// Raised counts a unit of work and reports whether the context is over.
func (f *Flag) Raised() bool {
	if f == nil {
		return false
	}
	if f.asked++; f.err == nil && f.asked%every == 0 {
		f.err = f.ctx.Err()
	}
	return f.err != nil
}

// Now is Raised that looks at the context at once: for units of work that take long.
func (f *Flag) Now() bool {
	if f != nil && f.err == nil {
		f.err = f.ctx.Err()
	}
	return f != nil && f.err != nil
}

// Err is why it was raised, nil where it was not: then nothing was left out.
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
