package report

import (
	"fmt"
	"io"
	"strings"
	"sync"
	"time"
)

// ProgressBar shows how far long work is: a bar on a terminal, a plain line now and then
// elsewhere, nothing when quiet. Work that is done at once shows nothing.
type ProgressBar struct {
	w        io.Writer
	mu       sync.Mutex
	what     string
	all, n   int
	terminal bool
	quiet    bool
	began    time.Time
	shown    time.Time
	drawn    bool
}

const (
	firstShown = time.Second // on a terminal; elsewhere the first line comes after lineEvery
	barEvery   = 100 * time.Millisecond
	lineEvery  = 10 * time.Second
	barWidth   = 30
)

// NewProgressBar shows the progress of what is done, such as "checking", from now on.
func NewProgressBar(w io.Writer, terminal bool, what string, quiet bool) *ProgressBar {
	return &ProgressBar{w: w, what: what, quiet: quiet, terminal: terminal, began: time.Now()}
}

// More adds to the number of things to do.
func (p *ProgressBar) More(n int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.all += n
}

// Step notes that one thing is done.
func (p *ProgressBar) Step() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.n++
	first, every := lineEvery, lineEvery
	if p.terminal {
		first, every = firstShown, barEvery
	}
	now := time.Now()
	if p.quiet || p.all == 0 || now.Sub(p.began) < first || now.Sub(p.shown) < every {
		return
	}
	p.shown = now
	if !p.terminal {
		fmt.Fprintf(p.w, "%s: %d of %d\n", p.what, p.n, p.all)
		return
	}
	done := barWidth * p.n / p.all
	fmt.Fprintf(p.w, "\r%s [%s%s] %d/%d", p.what, strings.Repeat("#", done), strings.Repeat(".", barWidth-done), p.n, p.all)
	p.drawn = true
}

// Clear removes the bar so that other output can be written.
func (p *ProgressBar) Clear() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.drawn {
		fmt.Fprint(p.w, "\r\x1b[K")
		p.drawn = false
	}
}
