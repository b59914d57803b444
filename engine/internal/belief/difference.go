package belief

import (
	"cmp"
	"iter"
	"slices"

	"github.com/mishap-robotics/mishap/engine/internal/state"
)

// Difference is a fluent that is believed to be otherwise than expected, with the step at
// which that began.
type Difference struct {
	Fluent state.Fluent
	Since  int32
}

// Differences are in the order of the table of objects. They are not changed in place.
type Differences []Difference

func compareFluents(a, b state.Fluent) int {
	return cmp.Or(cmp.Compare(a.Obj, b.Obj), cmp.Compare(a.Slot, b.Slot))
}

// Since is the step at which a fluent began to differ; false where it does not.
func (d Differences) Since(f state.Fluent) (int32, bool) {
	i, ok := slices.BinarySearchFunc(d, f, func(d Difference, f state.Fluent) int { return compareFluents(d.Fluent, f) })
	if !ok {
		return 0, false
	}
	return d[i].Since, true
}

// From is the index of the first difference of a fluent or of one after it.
func (d Differences) From(f state.Fluent) int {
	i, _ := slices.BinarySearchFunc(d, f, func(d Difference, f state.Fluent) int { return compareFluents(d.Fluent, f) })
	return i
}

// without is the differences but those of an object.
func (d Differences) without(x state.Object) Differences {
	if !slices.ContainsFunc(d, func(d Difference) bool { return d.Fluent.Obj == x }) {
		return d
	}
	return slices.DeleteFunc(slices.Clone(d), func(d Difference) bool { return d.Fluent.Obj == x })
}

// compare finds what differs from the expected course and where each
// difference began. Only some objects, in order, may differ in other ways than before.
func (c *course) compare(l *line, objects []state.Object, changes []state.Change) {
	before := c.differences
	if l.First < l.Step { // what began with this action dates from its last line
		for _, d := range before {
			if d.Since >= l.First && d.Since < l.Step {
				objects = append(objects, d.Fluent.Obj)
			}
		}
		slices.Sort(objects)
		objects = slices.Compact(objects)
	}
	var kept Differences
	var fresh []state.Fluent
	var lapsed Differences
	prior := before // but for what came right in between
	for _, x := range objects {
		if l.now.Objects.Interrupt.Tick() {
			return
		}
		for slot := range c.mayDiffer(l.now, x) {
			f := state.Fluent{Obj: x, Slot: slot}
			at, known := before.Since(f)
			was, mistaken := c.lapsed.Since(f)
			switch {
			case l.now.Inferred(slot) || !c.differs(l.now, f, known):
				if known && slot != state.PlaceSlot && !isChanged(changes, f) {
					lapsed = append(lapsed, Difference{f, at})
				}
			case !known && mistaken && !isChanged(changes, f): // the look before was mistaken
				kept = append(kept, Difference{f, was})
			case known && at < l.First && c.cameRight(l, f):
				prior = slices.DeleteFunc(slices.Clone(prior), func(d Difference) bool { return d.Fluent == f })
				fresh = append(fresh, f)
			case known && (at < l.First || at >= l.Step):
				kept = append(kept, Difference{f, at})
			default:
				fresh = append(fresh, f)
			}
		}
	}
	if !l.obs.Missing {
		slices.SortFunc(lapsed, func(a, b Difference) int { return compareFluents(a.Fluent, b.Fluent) })
		c.lapsed = lapsed
	}
	if c.differences = merge(before, objects, kept); l.Belated > 0 { // what shows late had come about before
		prior = slices.DeleteFunc(slices.Clone(prior), func(d Difference) bool {
			_, still := c.differences.Since(d.Fluent)
			return !still
		})
	}
	if len(fresh) > 0 {
		var since Differences
		for _, f := range fresh {
			since = append(since, Difference{f, c.beginning(l, f, prior, since, changes)})
		}
		c.differences = append(slices.Clone(c.differences), since...)
		slices.SortFunc(c.differences, func(a, b Difference) int { return compareFluents(a.Fluent, b.Fluent) })
	}
	l.Differences = c.differences
}

// isChanged reports whether an action was to change a fluent.
func isChanged(changes []state.Change, f state.Fluent) bool {
	return slices.ContainsFunc(changes, func(ch state.Change) bool { return ch.Fluent == f })
}

// cameRight reports whether a line shows a fluent as it was expected before its action, and no
// longer is: what differs now began with that. What is expected as before, and believed as before,
// has not come right, though a look may show both.
func (c *course) cameRight(l *line, f state.Fluent) bool {
	if c.expectedThen == nil {
		return false
	}
	should := c.expectedThen.Get(f)
	if c.expected.Get(f).Same(should) { // and is believed not to be so
		return false
	}
	return should.Status != state.Unknown && !l.obs.Missing && l.obs.Shows(f, should)
}

// merge puts, for some objects, other differences in the place of those before.
func merge(before Differences, objects []state.Object, now Differences) Differences {
	of := func(d Difference) bool { _, ok := slices.BinarySearch(objects, d.Fluent.Obj); return ok }
	n := 0
	same := true
	for _, d := range before {
		if of(d) {
			same = same && n < len(now) && now[n] == d
			n++
		}
	}
	if same && n == len(now) {
		return before
	}
	out := slices.DeleteFunc(slices.Clone(before), of)
	out = append(out, now...)
	slices.SortFunc(out, func(a, b Difference) int { return compareFluents(a.Fluent, b.Fluent) })
	return out
}

// beginning is the step at which a difference that shows now began: that of the action,
// or that of an earlier difference which it follows from; so are those that were just
// found to be fresh.
func (c *course) beginning(l *line, f state.Fluent, before, fresh Differences, changes []state.Change) int32 {
	at := l.origin()
	if fell, ok := c.misplaced.fallen[f.Obj]; ok {
		at = min(at, fell)
	}
	if whole := l.now.Objects.Items[f.Obj].Origin; whole != state.Nothing { // it lies where that lay
		if o := earliest([]state.Fluent{{Obj: whole, Slot: f.Slot}}, before, c.differences, fresh); o > 0 {
			at = min(at, o)
		}
	}
	for _, ch := range changes {
		if ch.Fluent == f {
			if o := earliest(ch.Cause, before, c.differences, fresh); o > 0 {
				at = min(at, o)
			}
		}
	}
	return at
}

// mayDiffer visits the slots of an object in which it may be believed to be otherwise than
// expected, in order: where nothing is expected, it is not.
func (c *course) mayDiffer(now *state.State, x state.Object) iter.Seq[int32] {
	return func(yield func(int32) bool) {
		if now.IsAlike(c.expected, x) {
			return
		}
		place := c.expected.Place(x).Status != state.Unknown
		if !place && !yield(state.PlaceSlot) {
			return
		}
		for slot := range c.expected.Known(x) {
			if !yield(slot) {
				return
			}
		}
	}
}

// differs reports whether a fluent is believed to be otherwise than expected; already
// tells that it did before.
func (c *course) differs(now *state.State, f state.Fluent, already bool) bool {
	if f.Slot == state.PlaceSlot && now.Gone(f.Obj) != c.expected.Gone(f.Obj) {
		return true
	}
	if now.Gone(f.Obj) {
		return false
	}
	is, should := now.Get(f), c.expected.Get(f)
	if should.Status == state.Unknown || should.Same(is) {
		return false
	}
	onto := now.Objects.Onto
	if q := onto.Quantity(should.Term); q != nil && f.Slot >= now.StateSlots() && is.Status != state.Unknown {
		return !q.Same(is.Number, should.Number)
	}
	if is.Status == state.Unknown {
		// Wherever it is, what a gripper holds is always known; and what was not
		// moved before is not where it should be now.
		return already || is.Since > 0 || f.Slot == state.PlaceSlot && now.Objects.IsA(should.At, onto.Core.RobotGripper)
	}
	return f.Slot == state.PlaceSlot || onto.StateIs(is.Term, should.Term) < 0
}
