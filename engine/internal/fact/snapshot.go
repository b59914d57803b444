package fact

import (
	"slices"

	"github.com/mishap-robotics/mishap/engine/internal/planfault"
	"github.com/mishap-robotics/mishap/engine/internal/snapshot"
	"github.com/mishap-robotics/mishap/engine/internal/state"
)

// written are the predicates whose facts a snapshot holds: what was concluded from all
// that was known at the time. The others are added anew from the trace.
var written = []int{predImpossible, predAvoids, predContains, predWanted, predWantedAt, predUnaskedAt, predFault, predMend, predMendWindow, predMendOld, predScore, predDiffers, predAppears}

// Snapshot codes the index of a trace that was coded before.
func (l *Live) Snapshot(c *snapshot.Codec) {
	c.Section("facts", func() {
		l.snapshotNames(c)
		t := l.Trace
		snapshot.Within(c, &l.events, 0, t.Len()+1)
		snapshot.Within(c, &l.objects, 0, len(t.Objects.Items)+1)
		snapshot.Within(c, &l.people, 0, len(t.Objects.Items)+1)
		snapshot.Int(c, &l.lasting)
		snapshot.Int(c, &l.revised)
		snapshot.Int(c, &l.Since)
		snapshot.Int(c, &l.deeds)
		if c.Flags(&l.seeks); l.seeks && l.events == 0 {
			c.Fail("a fault is sought before the first step")
		}
		snapshot.List(c, &l.Repairs, func(r *planfault.Repair) { r.Code(c, t.Objects) })
		snapshot.Within(c, &l.mends, 0, len(l.Repairs)+1)
		if c.Reading() && c.Err() == nil {
			l.refill()
		}
		for _, pred := range written {
			if c.Err() != nil {
				return
			}
			l.snapshotTable(c, pred)
		}
	})
}

// snapshotNames codes the symbols.
func (l *Live) snapshotNames(c *snapshot.Codec) {
	x := l.Index
	c.Texts(&x.names)
	snapshot.List(c, &x.free, func(n *int32) { snapshot.Within(c, n, 0, len(x.names)) })
	snapshot.List(c, &x.objects, func(s *int32) { snapshot.Within(c, s, 0, x.Symbols()) })
	if !c.Reading() || c.Err() != nil {
		return
	}
	x.symbols, x.ofTerm = map[string]int32{}, map[int32]state.Object{}
	x.ofName = slices.Repeat([]state.Object{state.Nothing}, len(x.names))
	free := map[int32]bool{}
	for _, n := range x.free {
		if free[n] || x.names[n] != "" {
			c.Fail("a name that is free is not")
		}
		free[n] = true
	}
	for i, name := range x.names {
		if free[int32(i)] {
			continue
		}
		if _, taken := x.symbols[name]; taken {
			c.Fail("the name %q is there twice", name)
		}
		x.symbols[name] = int32(len(x.onto.Terms) + i)
	}
	if len(x.objects) > len(x.Trace.Objects.Items) {
		c.Fail("there are names of objects that are not there")
	}
	for i, s := range x.objects {
		// What was renamed goes by its other name where facts call something else by the new one.
		if of, ok := x.Trace.Objects.Lookup(x.Name(s)); !ok || of != state.Object(i) {
			c.Fail("an object is called %q and %q", x.Name(s), x.Trace.Objects.Name(state.Object(i)))
		}
		if n := int(s) - len(x.onto.Terms); n >= 0 {
			x.ofName[n] = state.Object(i)
		} else {
			x.ofTerm[s] = state.Object(i)
		}
	}
}

// refill adds the facts that the events of the trace tell.
func (l *Live) refill() {
	l.addSensed(0)
	for i := range l.events {
		if l.Trace.StepOf(i) < l.deeds {
			continue
		}
		l.addEvent(i)
		l.tables[predAppears].truncate(l.tables[predAppears].base) // the first of the window has lost what was before
		l.addSensed(l.Trace.StepOf(i))
		for pred := range l.tables {
			l.rows[pred] = l.tables[pred].end
		}
		if e := l.Trace.Nth(i); e.Final {
			l.addJudgement(e)
		}
	}
	l.addOverdue()
	l.rows[predOverdue] = l.tables[predOverdue].end
	l.dropDeeds()
}

// snapshotTable codes the facts of a predicate, and how many of them were there before
// the outcome of the last event.
func (l *Live) snapshotTable(c *snapshot.Codec, pred int) {
	t := &l.tables[pred]
	n, ascending := int(t.end-t.base), t.ascending
	c.Flags(&ascending)
	c.Count(&n, int(t.arity)*4)
	first := int32(0)
	var buffer row
	row := buffer[:t.arity]
	for i := range n {
		if c.Err() != nil {
			return
		}
		if !c.Reading() {
			copy(row, t.row(t.base+int32(i), &buffer))
		}
		for arg := range row {
			switch {
			case !Kind(pred, arg).Numeric():
				snapshot.Within(c, &row[arg], 0, l.Symbols())
			case arg == 0:
				snapshot.After(c, &row[0], first)
				first = row[0]
			default:
				snapshot.Int(c, &row[arg])
			}
		}
		if c.Reading() {
			t.add(row)
		}
	}
	if int(t.end-t.base) != n {
		c.Fail("a fact is there twice")
		return
	}
	t.ascending = t.ascending && ascending
	before := int(l.rows[pred] - t.base)
	snapshot.Within(c, &before, 0, n+1)
	l.rows[pred] = t.base + int32(before)
}
