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
	slots []int32 // numbers of rows, from 1; a power of two, at most half in use

	greatest row  // of its rows, where each is greater than the one before
	unsorted bool // they are not
}

// begin turns to a step whose first row has or will have a number.
func (l *latest) begin(step, from int32) {
	l.step, l.from, l.known, l.unsorted = step, from, from, true
}

// beginWith is begin with the first row.
func (l *latest) beginWith(args []int32, from int32) {
	l.begin(args[0], from)
	l.unsorted = false
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

func (l *latest) contains(t *table, args []int32) bool {
	if int(t.end-l.from)*2 > len(l.slots) {
		l.slots = make([]int32, max(32, 4*len(l.slots)))
		l.known = l.from
		return l.contains(t, args)
	}
	var buffer row
	for ; l.known < t.end; l.known++ {
		l.slots[l.find(t, t.row(l.known, &buffer))] = l.known + 1
	}
	return l.slots[l.find(t, args)] > l.from
}

// find is the slot of a row, or the one that is free for it.
func (l *latest) find(t *table, args []int32) uint32 {
	var buffer row
	mask := uint32(len(l.slots) - 1)
	at := hash(args) & mask
	for n := l.slots[at]; n > l.from && !slices.Equal(t.row(n-1, &buffer), args); n = l.slots[at] {
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
