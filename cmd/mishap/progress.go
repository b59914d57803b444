package main

import (
	"fmt"
	"os"
	"strings"
	"sync"
	"time"

	"golang.org/x/term"
)

// progress shows on standard error how far long work is: a bar on a terminal,
// a plain line now and then elsewhere, nothing when quiet. Work that is done
// at once shows nothing.
type progress struct {
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
	firstShown = time.Second
	barEvery   = 100 * time.Millisecond
	lineEvery  = 10 * time.Second
	barWidth   = 30
)

func newProgress(what string, quiet bool) *progress {
	return &progress{what: what, quiet: quiet, terminal: term.IsTerminal(int(os.Stderr.Fd())), began: time.Now()}
}

// More adds to the number of things to do.
func (p *progress) More(n int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.all += n
}

// Step notes that one thing is done.
func (p *progress) Step() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.n++
	every := lineEvery
	if p.terminal {
		every = barEvery
	}
	now := time.Now()
	if p.quiet || p.all == 0 || now.Sub(p.began) < firstShown || now.Sub(p.shown) < every {
		return
	}
	p.shown = now
	if !p.terminal {
		fmt.Fprintf(os.Stderr, "%s: %d of %d\n", p.what, p.n, p.all)
		return
	}
	done := barWidth * p.n / p.all
	fmt.Fprintf(os.Stderr, "\r%s [%s%s] %d/%d", p.what, strings.Repeat("#", done), strings.Repeat(".", barWidth-done), p.n, p.all)
	p.drawn = true
}

// clear removes the bar so that other output can be written.
func (p *progress) clear() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.drawn {
		fmt.Fprint(os.Stderr, "\r\x1b[K")
		p.drawn = false
	}
}

func (p *progress) end() { p.clear() }
