package fact

import "slices"

// fewRows is how many rows of a step are compared one by one.
const fewRows = 6

// latest finds rows among those of the last step of an ascending table, by open
// addressing. What stands in a slot of an earlier step counts as nothing, so that
// nothing need be cleared when a step begins.
type latest struct {
	step  int32
	from  int32   // number of its first row
	known int32   // the rows before it are in slots
	slots []int32 // numbers of rows, from 1, less shift; a power of two, at most half in use
	used  int     // slots in use
	// shift is by how much the rows that slots were made of came before those of the step that
	// are like them.
	shift int32

	greatest row  // of its rows, where each is greater than the one before
	unsorted bool // they are not

	before int32 // number of the first row of the step before, below 0 where that is not known
	// like is the number of the row of the step before that comes after those that all rows of
	// this one are like, in their order, below 0 where they are not or nobody has asked.
	like   int32
	hashed int32 // how many rows of the step before were in slots
}

// begin turns to a step whose first row has or will have a number.
func (l *latest) begin(step, from int32) {
	l.step, l.from, l.known, l.unsorted, l.before, l.like = step, from, from, true, -1, -1
}

// beginWith is begin with the first row.
func (l *latest) beginWith(args []int32, from int32) {
	before, hashed := l.from, l.known-l.from
	l.begin(args[0], from)
	l.unsorted, l.before, l.hashed = false, before, hashed
	copy(l.greatest[:], args)
}

// follows reports whether a row is greater than all others of the step, which most that tell
// of things in order of their table are: then it is none of them.
func (l *latest) follows(args []int32) bool {
	if l.unsorted {
		return false
	}
	if l.unsorted = slices.Compare(args, l.greatest[:len(args)]) <= 0; l.unsorted {
		return false
	}
	copy(l.greatest[:], args)
	return true
}

// continues reports whether a row is what comes next in the step before, all of whose rows up
// to there the step has in that order: then it is none of them. Most steps show what the one
// before did.
func (l *latest) continues(t *table, args []int32) bool {
	if l.like < 0 || l.like >= l.from || !t.alike(l.like, args) {
		return false
	}
	l.like++
	return true
}

// compare finds whether the rows of a step so far are like the first of the step before.
func (l *latest) compare(t *table) {
	if l.before < t.base || l.from-l.before < t.end-l.from {
		return
	}
	var buffer row
	for n := l.from; n < t.end; n++ {
		if !t.alike(l.before+n-l.from, t.row(n, &buffer)) {
			return
		}
	}
	l.like = l.before + t.end - l.from
}

// alike reports whether a row is one but for the first argument.
func (t *table) alike(n int32, args []int32) bool {
	var buffer row
	return slices.Equal(t.row(n, &buffer)[1:], args[1:])
}

func (l *latest) contains(t *table, args []int32) bool {
	if l.known == l.from {
		l.adopt()
	}
	if n := int(t.end-l.from) * 2; n > len(l.slots) || 2*l.used > len(l.slots) {
		if n > len(l.slots) {
			l.slots = make([]int32, max(32, 4*len(l.slots)))
		}
		l.empty()
		return l.contains(t, args)
	}
	var buffer row
	for ; l.known < t.end; l.known++ {
		at := l.find(t, t.row(l.known, &buffer))
		if l.number(at) <= l.from {
			l.used++
		}
		l.slots[at] = l.known + 1 - l.shift
	}
	return l.number(l.find(t, args)) > l.from
}

// adopt takes over the slots of the step before as far as the rows of the step are like those.
func (l *latest) adopt() {
	if l.like >= 0 && l.hashed > 0 {
		l.shift += l.from - l.before
		l.known += min(l.like-l.before, l.hashed)
	} else if l.shift > 0 {
		l.empty()
	} else {
		l.used = 0 // they are all of earlier rows
	}
	l.hashed = 0
}

// empty makes slots anew.
func (l *latest) empty() {
	clear(l.slots)
	l.known, l.used, l.shift, l.hashed = l.from, 0, 0, 0
}

// number is that of the row in a slot, from 1; one that is not after from is no row of the step,
// and one after the last row was of an earlier step and is in the way.
func (l *latest) number(at uint32) int32 { return l.slots[at] + l.shift }

// find is the slot of a row, or the one that is free for it.
func (l *latest) find(t *table, args []int32) uint32 {
	var buffer row
	mask := uint32(len(l.slots) - 1)
	at := hash(args) & mask
	for n := l.number(at); n > l.from && (n > t.end || !slices.Equal(t.row(n-1, &buffer), args)); n = l.number(at) {
		at = (at + 1) & mask
	}
	return at
}

// hash mixes what a row has after the step.
func hash(row []int32) uint32 {
	h := uint64(len(row))
	for _, v := range row[1:] {
		h = (h ^ uint64(uint32(v))) * 0x9e3779b97f4a7c15
	}
	return uint32(h >> 32)
}
