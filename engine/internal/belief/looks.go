package belief

import (
	"encoding/binary"
	"slices"

	"github.com/mishap-robotics/mishap/engine/internal/grounding"
	"github.com/mishap-robotics/mishap/engine/internal/state"
	"github.com/mishap-robotics/mishap/ontology"
	"github.com/mishap-robotics/mishap/ontology/decimal"
)

// looks are what the last of the events in past showed, packed: nobody asks for that until
// somebody looks back. As lists it would be most of what a monitor holds.
type looks struct {
	since  int32 // what events of steps before showed is forgotten
	blocks []lookBlock
	told   []*told // of the last events, what rules ask about each line; nil for nothing
}

// lookBlock is what some events after one another showed.
type lookBlock struct {
	last int32 // step of the last of them
	n    int
	data []byte
}

// told is what an event tells beside what was seen.
type told struct {
	sounds      []ontology.TermID
	differences Differences
}

// The last events are left as they are, for the lines that they may still belong to. The
// others are packed so many at a time.
const (
	unpackedEvents = 10
	packedAtOnce   = 6
)

// pack packs what the events but for the last showed, where they are enough. What
// those had to tell of which nothing is remembered is gone.
func (t *Trace) pack() (n int) {
	if len(t.Events) < unpackedEvents+packedAtOnce {
		return 0
	}
	n = min(len(t.Events)-unpackedEvents, packedAtOnce)
	p := &t.past
	before := &Event{}
	size := 0
	if b := p.looks.blocks; len(b) > 0 {
		size = len(b[len(b)-1].data) + 64
	}
	data := make([]byte, 0, size)
	for i := range n {
		e := &t.Events[i]
		data = appendLook(data, e, before)
		before = e
		p.looks.told = append(p.looks.told, p.looks.tells(e))
	}
	p.looks.blocks = append(p.looks.blocks, lookBlock{t.Events[n-1].Step, n, slices.Clone(data)})
	t.pass(n)
	return n
}

// tells is what an event tells, shared with the one before where that is the same.
func (l *looks) tells(e *Event) *told {
	if len(e.Sounds)+len(e.Differences) == 0 {
		return nil
	}
	if n := len(l.told); n > 0 && l.told[n-1] != nil {
		if same := l.told[n-1]; len(e.Sounds)+len(same.sounds) == 0 && slices.Equal(same.differences, e.Differences) {
			return same
		}
	}
	return &told{e.Sounds, e.Differences}
}

// forgetLooks lets go of what events before a step showed.
func (p *past) forgetLooks(before int32) {
	l := &p.looks
	l.since = max(l.since, before)
	from, gone := len(p.events)-len(l.told), 0
	for gone < len(l.told) && p.events[from+gone].step < before {
		gone++
	}
	n, blocks := 0, 0
	for ; blocks < len(l.blocks) && l.blocks[blocks].last < before; blocks++ {
		n += l.blocks[blocks].n
	}
	if blocks > 0 { // a block goes as a whole
		l.blocks, l.told = slices.Delete(l.blocks, 0, blocks), slices.Delete(l.told, 0, n)
		gone -= n
	}
	clear(l.told[:gone])
}

// tell adds what an event by its index tells beside what was seen.
func (p *past) tell(i int, e *Event) {
	if at := i - (len(p.events) - len(p.looks.told)); at >= 0 && p.looks.told[at] != nil {
		e.Sounds, e.Differences = p.looks.told[at].sounds, p.looks.told[at].differences
	}
}

// unpacked are the packed events from one index up to another that are remembered, with what they
// showed.
func (p *past) unpacked(from, to int) []Event {
	l := &p.looks
	i := len(p.events) - len(l.told)
	out := make([]Event, 0, max(to-max(from, i), 0))
	for _, b := range l.blocks {
		if i+b.n <= from {
			i += b.n
			continue
		}
		if i >= to {
			break
		}
		data := b.data
		var before Event
		for range b.n {
			var e Event
			p.fill(i, &e)
			p.tell(i, &e)
			data = takeLook(data, &e, &before)
			before = e
			if e.Step < l.since {
				e.Seen, e.States, e.Values, e.Edges = nil, nil, nil, nil
			}
			if i >= from && i < to && e.Step >= l.since {
				out = append(out, e)
			}
			i++
		}
	}
	return out
}

// unpack puts the events of which is remembered what they showed back among Events.
func (t *Trace) unpack() {
	p := &t.past
	if len(p.looks.told) == 0 {
		return
	}
	back := p.unpacked(0, len(p.events))
	for i := range back {
		delete(p.odd, back[i].Step)
	}
	n := len(p.events) - len(back)
	if p.events = p.events[:n]; p.times != nil {
		p.times = p.times[:n]
	}
	p.looks = looks{since: p.looks.since}
	t.Events = append(back, t.Events...)
}

// look is an event by its step with what it showed, nil where there is none.
func (t *Trace) look(step int32) *Event {
	i := t.From(step)
	if n := len(t.past.events); i >= n || i < n-len(t.past.looks.told) || t.StepOf(i) != step || step < t.past.looks.since {
		return t.Event(step)
	}
	return &t.past.unpacked(i, i+1)[0]
}

// goOn notes that the action of an event goes on after it.
func (t *Trace) goOn(e *Event) {
	e.Final = false
	i := t.From(e.Step)
	if i >= len(t.past.events) || t.StepOf(i) != e.Step || e.Step < t.past.looks.since {
		return
	}
	if odd := t.past.odd[e.Step]; odd != nil {
		odd.Final = false
		return
	}
	bit := uint16(1)
	e.marks(func(is *bool) {
		if is == &e.Final {
			t.past.events[i].marks &^= bit
		}
		bit <<= 1
	})
}

// Which lists of an event are the same as of the one before.
const (
	sameSeen = 1 << iota
	sameStates
	sameValues
	sameEdges
)

// appendLook packs what an event showed, by what is otherwise than in another.
func appendLook(b []byte, e, before *Event) []byte {
	var same byte
	note := func(is bool, bit byte) {
		if is {
			same |= bit
		}
	}
	note(sameList(e.Seen, before.Seen), sameSeen)
	note(sameList(e.States, before.States), sameStates)
	note(sameList(e.Values, before.Values), sameValues)
	note(sameList(e.Edges, before.Edges), sameEdges)
	b = append(b, same)
	if same&sameSeen == 0 {
		b = binary.AppendUvarint(b, uint64(len(e.Seen)))
		last := state.Object(0)
		for _, x := range e.Seen {
			b, last = binary.AppendVarint(b, int64(x-last)), x
		}
	}
	if same&sameStates == 0 {
		b = binary.AppendUvarint(b, uint64(len(e.States)))
		var last grounding.SeenState
		for _, s := range e.States {
			again := s.State == last.State
			if b = appendObject(b, s.Obj-last.Obj, again); !again {
				b = binary.AppendVarint(b, int64(s.State-last.State))
			}
			last = s
		}
	}
	if same&sameValues == 0 {
		b = binary.AppendUvarint(b, uint64(len(e.Values)))
		for _, v := range e.Values {
			b = binary.AppendVarint(binary.AppendVarint(binary.AppendVarint(b, int64(v.Obj)), int64(v.Quantity)), int64(v.Number))
		}
	}
	if same&sameEdges == 0 {
		head, tail := alike(e.Edges, before.Edges)
		middle := e.Edges[head : len(e.Edges)-tail]
		b = binary.AppendUvarint(binary.AppendUvarint(binary.AppendUvarint(b, uint64(head)), uint64(tail)), uint64(len(middle)))
		var last state.Edge
		for _, g := range middle {
			again := g.Relation == last.Relation && g.Object == last.Object
			if b = appendObject(b, g.Subject-last.Subject, again); !again {
				b = binary.AppendVarint(binary.AppendVarint(b, int64(g.Relation-last.Relation)), int64(g.Object-last.Object))
			}
			last = g
		}
	}
	return b
}

// appendObject packs how far an object is from the one before, and whether the same is said
// of it again.
func appendObject(b []byte, x state.Object, again bool) []byte {
	v := int64(x) << 1
	if again {
		v |= 1
	}
	return binary.AppendVarint(b, v)
}

// alike is how many elements are the same where two lists begin, and where they end beside those.
func alike[T comparable](a, b []T) (head, tail int) {
	n := min(len(a), len(b))
	for head < n && a[head] == b[head] {
		head++
	}
	for tail < n-head && a[len(a)-1-tail] == b[len(b)-1-tail] {
		tail++
	}
	return head, tail
}

// sameList reports whether two lists share their memory.
func sameList[T any](a, b []T) bool {
	return len(a) == len(b) && (len(a) == 0 || &a[0] == &b[0])
}

// takeLook unpacks what appendLook packed, and returns what follows it.
func takeLook(b []byte, e, before *Event) []byte {
	next := func() int64 {
		v, n := binary.Varint(b)
		b = b[n:]
		return v
	}
	count := func() int {
		v, n := binary.Uvarint(b)
		b = b[n:]
		return int(v)
	}
	same := b[0]
	b = b[1:]
	if e.Seen = before.Seen; same&sameSeen == 0 {
		e.Seen = make([]state.Object, count())
		last := state.Object(0)
		for i := range e.Seen {
			last += state.Object(next())
			e.Seen[i] = last
		}
	}
	if e.States = before.States; same&sameStates == 0 {
		e.States = make([]grounding.SeenState, count())
		var last grounding.SeenState
		for i := range e.States {
			x := next()
			if last.Obj += state.Object(x >> 1); x&1 == 0 {
				last.State += ontology.TermID(next())
			}
			e.States[i] = last
		}
	}
	if e.Values = before.Values; same&sameValues == 0 {
		e.Values = make([]grounding.SeenValue, count())
		for i := range e.Values {
			e.Values[i] = grounding.SeenValue{Obj: state.Object(next()), Quantity: ontology.TermID(next()), Number: decimal.Decimal(next())}
		}
	}
	if e.Edges = before.Edges; same&sameEdges == 0 {
		head, tail := count(), count()
		e.Edges = make([]state.Edge, head+count()+tail)
		copy(e.Edges, before.Edges[:head])
		copy(e.Edges[len(e.Edges)-tail:], before.Edges[len(before.Edges)-tail:])
		middle := e.Edges[head : len(e.Edges)-tail]
		var last state.Edge
		for i := range middle {
			x := next()
			if last.Subject += state.Object(x >> 1); x&1 == 0 {
				last.Relation += ontology.TermID(next())
				last.Object += state.Object(next())
			}
			middle[i] = last
		}
	}
	return b
}
