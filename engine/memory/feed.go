package memory

import (
	"context"
	"iter"
	"sync"

	"github.com/cayleygraph/quad"

	"github.com/mishap-robotics/mishap/engine"
)

// Added is an episode that was added: its entry, its quads and what was found in it. They
// are shared by all who are told; nobody may change them.
type Added struct {
	Entry
	Quads    []quad.Quad
	Findings []engine.Finding
}

// waiting is how many episodes are kept for who does not take them.
const waiting = 256

// feed tells those who asked of what is added.
type feed struct {
	mu    sync.Mutex
	next  int
	to    map[int]chan Added
	ended bool
}

// Subscribe yields what this Memory adds from the call on, until the context ends or the
// memory is closed. Who takes more than 256 episodes too long is told no more: the
// sequence ends.
func (m *Memory) Subscribe(ctx context.Context) iter.Seq[Added] {
	f := &m.feed
	f.mu.Lock()
	defer f.mu.Unlock()
	told := make(chan Added, waiting)
	if f.ended {
		close(told)
	} else {
		if f.to == nil {
			f.to = map[int]chan Added{}
		}
		f.next++
		n := f.next
		f.to[n] = told
		context.AfterFunc(ctx, func() { f.end(n) })
	}
	return func(yield func(Added) bool) {
		for a := range told {
			if !yield(a) {
				return
			}
		}
	}
}

func (f *feed) tell(a Added) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for n, to := range f.to {
		select {
		case to <- a:
		default:
			close(to)
			delete(f.to, n)
		}
	}
}

func (f *feed) end(n int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if to, ok := f.to[n]; ok {
		close(to)
		delete(f.to, n)
	}
}

func (f *feed) close() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.ended = true
	for n, to := range f.to {
		close(to)
		delete(f.to, n)
	}
}
