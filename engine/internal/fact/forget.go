package fact

import (
	"slices"

	"github.com/mishap-robotics/mishap/engine/internal/planfault"
	"github.com/mishap-robotics/mishap/engine/internal/state"
)

// RepairedObjects visits the objects of the edits that mend facts speak of.
func (l *Live) RepairedObjects(visit func(state.Object)) {
	for i := range l.Repairs {
		eachObject(&l.Repairs[i], func(x *state.Object) { visit(*x) })
	}
}

func eachObject(r *planfault.Repair, visit func(*state.Object)) {
	e := &r.Edit
	for _, x := range []*state.Object{&e.Call.Agent, &e.Call.Gripper, &e.Call.Target, &e.Call.Destination, &e.Old, &e.New} {
		visit(x)
	}
	for i := range r.Others {
		eachObject(&r.Others[i], visit)
	}
}

// Renumber lets go of the facts and names of objects that the trace has forgotten. The
// symbols of the others stay theirs.
func (l *Live) Renumber(r *state.Renumbering) {
	x := l.Index
	gone := map[int32]bool{}
	var objects []int32
	for o, sym := range x.objects {
		n := int(sym) - len(x.onto.Terms)
		now := r.Of(state.Object(o))
		if now != state.Nothing {
			objects = append(objects, sym)
		} else {
			gone[sym] = true
		}
		if n < 0 {
			if x.ofTerm[sym] = now; now == state.Nothing {
				delete(x.ofTerm, sym)
			}
			continue
		}
		x.ofName[n] = now
	}
	x.objects = objects
	for _, pred := range []int{predContains, predWanted, predWantedAt, predUnaskedAt, predDiffers} {
		l.dropRows(pred, gone)
	}
	for i := range l.Repairs {
		eachObject(&l.Repairs[i], func(o *state.Object) { r.In(o) })
	}
	l.objects, l.people = len(l.Trace.Objects.Items), min(l.people, len(l.Trace.Objects.Items))
	l.freeWords()
}

// freeWords lets go of the names that neither an object bears nor a fact speaks of, as codes
// of results that never come again.
func (l *Live) freeWords() {
	x := l.Index
	used := l.usedWords()
	for n, name := range x.names {
		if sym := int32(len(x.onto.Terms) + n); name != "" && name != None && x.ofName[n] == state.Nothing && !used[sym] {
			x.freeName(n)
		}
	}
}

// freeName lets go of a name, whose symbol another may have then.
func (x *Index) freeName(n int) {
	delete(x.symbols, x.names[n])
	x.names[n] = ""
	x.free = append(x.free, int32(n))
}

// usedWords are the symbols that facts speak of otherwise than as of objects.
func (l *Live) usedWords() map[int32]bool {
	out := map[int32]bool{}
	var buffer row
	for pred := range l.tables {
		var columns []int
		for i := range vocabulary[pred].Args {
			if kind := Kind(pred, i); pred == predDiffers && i > 0 || kind != object && !kind.Numeric() {
				columns = append(columns, i)
			}
		}
		t := &l.tables[pred]
		for n := t.base; n < t.end && len(columns) > 0; n++ {
			row := t.row(n, &buffer)
			for _, i := range columns {
				out[row[i]] = true
			}
		}
	}
	return out
}

// dropRows drops the facts of a predicate that speak of some symbols.
func (l *Live) dropRows(pred int, gone map[int32]bool) {
	l.dropWhere(pred, func(row []int32) bool {
		for arg, v := range row {
			if (Kind(pred, arg) == object || pred == predDiffers && arg > 0) && gone[v] {
				return true
			}
		}
		return false
	})
}

// dropWhere drops some of the facts of a predicate.
func (l *Live) dropWhere(pred int, goes func(row []int32) bool) {
	t := &l.tables[pred]
	var rows [][]int32
	before := 0
	var buffer row
	for n := t.base; n < t.end; n++ {
		row := t.row(n, &buffer)
		if goes(row) {
			continue
		}
		if rows = append(rows, slices.Clone(row)); n < l.rows[pred] {
			before++
		}
	}
	if len(rows) == int(t.end-t.base) {
		return
	}
	t.reset()
	for _, row := range rows {
		t.add(row)
	}
	l.rows[pred] = int32(before)
}

// ForgetDeeds drops the facts of what the robot did before a step, and of so many events
// that the trace has let go of. Of the last of those that are left only its step is known.
func (l *Live) ForgetDeeds(before int32, events int) {
	l.events -= events
	l.deeds = before
	l.dropDeeds()
	mends := 0
	for i := range l.mends {
		if l.Repairs[i].Step >= before {
			mends++
		}
	}
	l.Repairs = slices.DeleteFunc(slices.Clone(l.Repairs), func(r planfault.Repair) bool { return r.Step < before })
	l.mends = mends
	l.freeWords()
}

// dropDeeds drops the facts of steps before those whose deeds are remembered.
func (l *Live) dropDeeds() {
	for pred := range l.tables {
		t := &l.tables[pred]
		switch {
		case Kind(pred, 0) != step:
		case t.ascending:
			t.forget(l.deeds)
			l.rows[pred] = max(l.rows[pred], t.base)
		default:
			l.dropWhere(pred, func(row []int32) bool { return row[0] < l.deeds })
		}
	}
}
