package web

import (
	"container/list"
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/mishap-robotics/mishap/engine"
	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/engine/memory"
)

// keepLong keeps what was found in an episode that is long, so that its page need not wait for it
// to be checked again, as long as there are few of them.
func (l *Library) keepLong(e *Entry, c *checked) {
	const few = kept / 4
	if len(c.ep.Steps) <= long {
		return
	}
	l.mu.Lock()
	n := l.long
	l.long++
	l.mu.Unlock()
	if n >= few {
		return
	}
	e.ready = c
}

// checked is an episode with what was found in it.
type checked struct {
	ep  *episode.Episode
	res *engine.Result
	err error // of rules that failed
}

// check checks the episode of a key, unless it was kept since it was loaded.
func (l *Library) check(ctx context.Context, key string) (*checked, error) {
	l.mu.Lock()
	e := l.byKey[key]
	if e != nil && e.ready != nil {
		defer l.mu.Unlock()
		out := e.ready
		e.ready = nil
		return out, nil
	}
	l.mu.Unlock()
	ep, err := l.episode(ctx, key)
	if err != nil {
		return nil, err
	}
	res, err := l.Reasoner.Check(memory.DuringEpisode(ctx, l.Reasoner.Ontology, ep), own(ep))
	if res == nil {
		return nil, err
	}
	return &checked{ep, res, err}, nil
}

// judged is an episode with what questions about it are asked of.
type judged struct {
	res    *engine.Result
	asking sync.Mutex // of res, by one at a time
	mu     sync.Mutex
	page   *Episode
	whole  chan struct{} // closed when nothing of the page is worked out any more
	course map[int][]Carried
}

// carriedOut is how the plan of a finding, by its number from 0, is carried out.
func (j *judged) carriedOut(ctx context.Context, r *engine.Reasoner, e *Episode, n int) []Carried {
	if e.Pending {
		return nil
	}
	j.asking.Lock()
	defer j.asking.Unlock()
	if known, ok := j.course[n]; ok {
		return known
	}
	out, _ := carriedOut(ctx, r, j.res.Episode, e.Report.Findings[n].Step, e.Report.Findings[n].Recovery)
	if ctx.Err() != nil {
		return nil
	}
	if j.course == nil {
		j.course = map[int][]Carried{}
	}
	j.course[n] = out
	return out
}

// now is what is known so far.
func (j *judged) now() *Episode {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.page
}

func (j *judged) set(e *Episode) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.page = e
}

// atLeast waits for the whole of it, but no longer than a page that is to be there at once
// may take, and not where that is hopeless.
func (j *judged) atLeast(ctx context.Context, patience time.Duration) *Episode {
	if e := j.now(); e.first() > patience {
		return e
	}
	select {
	case <-j.whole:
	case <-time.After(patience):
	case <-ctx.Done():
	}
	return j.now()
}

// judged checks the episode of a key, or remembers what came of it. What takes long goes on
// behind its back.
func (l *Library) judged(ctx context.Context, key string) (*judged, error) {
	if j := l.cache.get(key); j != nil {
		return j, nil
	}
	select {
	case l.judging <- struct{}{}:
		defer func() { <-l.judging }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	if j := l.cache.get(key); j != nil { // somebody else asked for it
		return j, nil
	}
	c, err := l.check(ctx, key)
	if err != nil {
		return nil, err
	}
	page := pageOf(ctx, l.Reasoner, c.res, c.err)
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	page.Remarks = l.remarks(ctx, key, c.ep.ID)
	j := &judged{res: c.res, page: page, whole: make(chan struct{})}
	l.cache.put(key, j)
	time.AfterFunc(page.first(), func() { l.complete(context.WithoutCancel(ctx), j, c.ep) })
	return j, nil
}

// brief is how many moments an episode has of which the whole may be worked out while its page
// waits.
const brief = 60

// first is how long the page of an episode comes first: what takes long begins after it, for
// server and browser would share the processors.
func (e *Episode) first() time.Duration {
	switch n := len(e.Moments); {
	case n <= brief:
		return 0
	case n <= long:
		return 500 * time.Millisecond
	}
	return time.Second
}

// complete works out what takes long, of one episode after the other.
func (l *Library) complete(ctx context.Context, j *judged, ep *episode.Episode) {
	defer close(j.whole)
	l.completing.Lock()
	defer l.completing.Unlock()
	ctx, cancel := context.WithTimeout(ctx, JudgingTime)
	defer cancel()
	page := j.page
	defer func() {
		if p := recover(); p != nil { // of one episode; the server goes on
			broken := *page
			broken.Pending = false
			broken.note(fmt.Errorf("a mistake in mishap: %v", p))
			j.set(&broken)
		}
	}()
	page = page.withRecovery(ctx, l.Reasoner, ep, l.Planner)
	j.set(page)
	page = page.withForesight(ctx, l.Reasoner, ep)
	j.set(page)
}

// cache keeps what was judged last.
type cache struct {
	mu    sync.Mutex
	order list.List
	at    map[string]*list.Element
}

type cached struct {
	key string
	j   *judged
}

// kept is how many judged episodes are kept.
const kept = 32

func (c *cache) get(key string) *judged {
	c.mu.Lock()
	defer c.mu.Unlock()
	e := c.at[key]
	if e == nil {
		return nil
	}
	c.order.MoveToFront(e)
	return e.Value.(cached).j
}

func (c *cache) drop(key string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if e := c.at[key]; e != nil {
		c.order.Remove(e)
		delete(c.at, key)
	}
}

func (c *cache) put(key string, j *judged) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.at == nil {
		c.at = map[string]*list.Element{}
	}
	c.at[key] = c.order.PushFront(cached{key, j})
	for c.order.Len() > kept {
		last := c.order.Back()
		delete(c.at, c.order.Remove(last).(cached).key)
	}
}
