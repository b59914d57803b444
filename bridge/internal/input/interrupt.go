package input

import (
	"context"
	"io"
)

// Until reads from a reader until a context ends, also while the reader waits for what is
// to come. What it waited for is then lost.
func Until(ctx context.Context, r io.Reader) io.Reader {
	return &interruptible{ctx: ctx, from: r, wanted: make(chan int), got: make(chan chunk, 1)}
}

type interruptible struct {
	ctx    context.Context
	from   io.Reader
	wanted chan int
	got    chan chunk // holds one, so that a late reader ends
	began  bool
}

type chunk struct {
	data []byte
	err  error
}

func (r *interruptible) Read(p []byte) (int, error) {
	if err := r.ctx.Err(); err != nil {
		return 0, err
	}
	if !r.began {
		r.began = true
		go r.feed()
	}
	select {
	case <-r.ctx.Done():
		return 0, r.ctx.Err()
	case r.wanted <- len(p):
	}
	select {
	case <-r.ctx.Done():
		return 0, r.ctx.Err()
	case c := <-r.got:
		return copy(p, c.data), c.err
	}
}

func (r *interruptible) feed() {
	var buffer []byte
	for {
		select {
		case <-r.ctx.Done():
			return
		case n := <-r.wanted:
			if len(buffer) < n {
				buffer = make([]byte, n)
			}
			read, err := r.from.Read(buffer[:n])
			r.got <- chunk{buffer[:read], err}
		}
	}
}
