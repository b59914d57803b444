package engine

import (
	"context"
	"slices"
	"sort"

	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/engine/internal/snapshot"
	"github.com/mishap-robotics/mishap/engine/scene"
)

// packed holds what the lines of a monitor showed that nobody asks for before the end. As
// lists of nodes and edges it would be most of what a monitor holds.
type packed struct {
	blocks []block
	open   *snapshot.Packing // the block that grows, nil before its first line
	lines  int               // in it
	before scene.Graph       // of the line that was packed last
	to     int               // the step of that line, -1 before the first
	shown  int               // nodes and edges
}

// block is some lines, each by its step and what it showed.
type block struct {
	last  int // step of the last line
	shown int
	data  []byte
}

// A block has so many lines, or somewhat more than so many bytes or nodes and edges: what a line
// shows as the one before does takes hardly any.
const (
	blockLines = 16
	blockBytes = 32_000
	blockShown = 200_000
)

// pack packs what lines showed, a few at a time. The last is left as it is.
func (p *packed) pack(steps []episode.Step) {
	last := len(steps) - 1
	i := max(last, 0)
	for i > 0 && steps[i-1].Index > p.to {
		i--
	}
	const atOnce, shownAtOnce = 4, 4_000
	for n, before := 0, p.shown; n < atOnce && i < last && p.shown-before < shownAtOnce; n, i = n+1, i+1 {
		p.add(&steps[i])
	}
}

// add packs what a line showed.
func (p *packed) add(st *episode.Step) {
	g := &st.Observation.Graph
	p.to = st.Index
	n := len(g.Nodes) + len(g.Edges)
	if n == 0 {
		return
	}
	if p.open == nil {
		size := 64
		if n := len(p.blocks); n > 0 {
			size += len(p.blocks[n-1].data)
		}
		p.open, p.before = snapshot.Pack(size), scene.Graph{}
		p.blocks = append(p.blocks, block{})
	}
	b := &p.blocks[len(p.blocks)-1]
	snapshot.After(p.open.Codec, &p.to, b.last)
	p.open.Graph(g, p.before)
	p.before, b.last, b.shown, p.shown = *g, p.to, b.shown+n, p.shown+n
	*g = scene.Graph{}
	if p.lines++; p.lines == blockLines || b.shown >= blockShown || len(p.open.Bytes()) >= blockBytes {
		b.data = slices.Clone(p.open.Bytes())
		p.open, p.before, p.lines = nil, scene.Graph{}, 0
	}
}

// forget lets go of blocks before a step.
func (p *packed) forget(step int) {
	n := 0
	for n < len(p.blocks) && p.blocks[n].data != nil && p.blocks[n].last < step {
		n++
	}
	p.drop(n)
}

// drop drops the first blocks.
func (p *packed) drop(n int) {
	for i := range n {
		p.shown -= p.blocks[i].shown
	}
	p.blocks = slices.Delete(p.blocks, 0, n)
}

// unpack gives lines from a step on what they showed. It returns how many blocks that
// was, fewer than there are where a context ended.
func (p *packed) unpack(ctx context.Context, steps []episode.Step, from int) int {
	for i := range p.blocks {
		if ctx.Err() != nil {
			return i
		}
		data := p.blocks[i].data
		if data == nil {
			data = p.open.Bytes()
		}
		c := snapshot.Unpack(data)
		index := 0
		var g scene.Graph
		for c.Left() > 0 {
			if ctx.Err() != nil {
				return i
			}
			snapshot.After(c.Codec, &index, index)
			before := g
			c.Graph(&g, before)
			at := sort.Search(len(steps), func(i int) bool { return steps[i].Index >= index })
			if index >= from && at < len(steps) && steps[at].Index == index {
				steps[at].Observation.Graph = g
			}
		}
	}
	return len(p.blocks)
}

// packLines packs what lines showed, unless an observer may ask for it.
func (m *Monitor) packLines() {
	if m.observer == nil && m.aside == nil {
		m.packed.pack(m.ep.Steps)
	}
	if m.observer == nil && m.aside == nil && !m.forks() && (m.limits.Window > 0 || m.seldomAsked()) {
		m.tracker.Pack(m.packed.to)
	}
}

// seldomAsked reports whether it is long ago that somebody asked what the events of an episode
// showed of which all is remembered: who asks at each step is not to wait for all of it each time.
func (m *Monitor) seldomAsked() bool {
	t := m.tracker.Trace()
	return t.Len()-m.unpacked >= len(t.Events)/8
}

// forks reports whether each step looks ahead or back, on a copy of what is known.
func (m *Monitor) forks() bool {
	return m.forewarns || m.trigger != nil || m.reasoner.scores && len(m.ep.Plan) > 0
}

// unpackLines gives the lines of the episode what they showed. It is false where the context
// ends first; then it can go on later.
func (m *Monitor) unpackLines(ctx context.Context) bool {
	m.tracker.Unpack()
	m.unpacked = m.tracker.Trace().Len()
	p := &m.packed
	n := p.unpack(ctx, m.ep.Steps, m.tracker.Remembers())
	if n < len(p.blocks) {
		p.drop(n)
		return false
	}
	m.packed = packed{to: -1}
	return true
}

// withLines does something while the lines of the episode have what they showed.
func (m *Monitor) withLines(do func()) {
	from := m.tracker.Remembers()
	restore := m.tracker.WithLines()
	m.ep.Steps = slices.Clone(m.ep.Steps)
	m.packed.unpack(context.Background(), m.ep.Steps, from)
	do()
	restore()
}
