package fact

import (
	"slices"

	"github.com/mishap-robotics/mishap/engine/episode"
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
	words := l.unknownActions()
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
		if x.ofName[n] = now; now == state.Nothing && isNumbered(x.names[n]) && !words[x.names[n]] {
			delete(x.symbols, x.names[n])
			x.names[n] = ""
			x.free = append(x.free, int32(n))
		}
	}
	x.objects = objects
	for _, pred := range []int{predContains, predWanted, predWantedAt, predUnaskedAt, predDiffers} {
		l.dropRows(pred, gone)
	}
	for i := range l.Repairs {
		eachObject(&l.Repairs[i], func(o *state.Object) { r.In(o) })
	}
	l.objects, l.people = len(l.Trace.Objects.Items), min(l.people, len(l.Trace.Objects.Items))
}

// unknownActions are the names of actions that the ontology does not have.
func (l *Live) unknownActions() map[string]bool {
	out := map[string]bool{}
	for a := range l.Trace.Actions() {
		if a.Unknown {
			out[a.Name] = true
		}
	}
	return out
}

// isNumbered tells the name of an object from a word that may be more than that.
func isNumbered(name string) bool {
	_, n := episode.SplitName(name)
	return n > 0
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
