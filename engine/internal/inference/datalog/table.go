package datalog

import (
	"slices"
)

// tuples is a set of rows in the order in which they were added.
type tuples struct {
	arity   int
	rows    []int64
	count   int
	serials []int64
	indexes map[uint32]map[uint64][]int32 // by the columns that are bound, then by their hash
}

func (t *tuples) clear() {
	t.rows, t.count, t.serials = t.rows[:0], 0, t.serials[:0]
	for _, x := range t.indexes {
		clear(x)
	}
}

// reset clears the set for rows of another length.
func (t *tuples) reset(arity int) {
	if t.clear(); t.arity != arity {
		t.arity, t.indexes = arity, nil
	}
}

func (t *tuples) row(n int) []int64 { return t.rows[n*t.arity : (n+1)*t.arity] }

func (t *tuples) hash(row []int64, mask uint32) uint64 {
	h := uint64(14695981039346656037)
	for i, v := range row {
		if mask&(1<<i) != 0 {
			h = (h ^ uint64(v)) * 1099511628211
		}
	}
	return h ^ h>>29
}

// every is the mask of all columns.
func (t *tuples) every() uint32 { return uint32(1<<t.arity - 1) }

// find lists the rows that may agree with another in the columns of a mask.
func (t *tuples) find(row []int64, mask uint32) []int32 {
	x, ok := t.indexes[mask]
	if !ok {
		x = map[uint64][]int32{}
		if t.indexes == nil {
			t.indexes = map[uint32]map[uint64][]int32{}
		}
		t.indexes[mask] = x
		for n := range t.count {
			h := t.hash(t.row(n), mask)
			x[h] = append(x[h], int32(n))
		}
	}
	return x[t.hash(row, mask)]
}

// add adds a row and reports whether it is new.
func (t *tuples) add(row []int64, serial int64) bool {
	for _, n := range t.find(row, t.every()) {
		if slices.Equal(t.row(int(n)), row) {
			return false
		}
	}
	n := int32(t.count)
	t.rows = append(t.rows, row...)
	t.serials = append(t.serials, serial)
	t.count++
	for mask, x := range t.indexes {
		h := t.hash(row, mask)
		x[h] = append(x[h], n)
	}
	return true
}

// answers are the tables of a relation. The ends of the round before and of this
// one part them into what is old and what is new.
type answers struct {
	questions, found tuples
	old, now         [2]int // of questions and of found
}

func (a *answers) clear() {
	a.questions.clear()
	a.found.clear()
	a.old, a.now = [2]int{}, [2]int{}
}

func (e *Evaluator) table(r *relation) *answers {
	a, ok := e.tables[r]
	if !ok {
		a = &answers{questions: tuples{arity: len(r.bound)}, found: tuples{arity: r.of.Arity}}
		e.tables[r] = a
	}
	return a
}

// find walks the rows of a table.
type find struct {
	table *tuples
	list  []int32 // where some columns are bound
	all   bool
	n     int
	end   int   // rows from here on are not seen
	prior int64 // nor those of this serial number or a later one; 0 is no bound
	given [maxColumns]int64
	at    int // the row it is at
}

// maxColumns is the most arguments of a tabled predicate.
const maxColumns = 8

// ask begins a walk over the answers of a tabled predicate, or over what was
// asked of it. Who asks for all of the answers waits until they are there.
func (e *Evaluator) ask(f *frame, op *instruction) {
	a := e.table(op.relation)
	t := &a.found
	if op.kind == opDemand {
		t = &a.questions
	} else if op.window != prior {
		var question [maxColumns]int64
		for i, o := range op.input {
			question[i] = f.value(o)
		}
		fresh := a.questions.add(question[:len(op.input)], 0)
		if fresh {
			e.built += answerSize
		}
		if fresh && op.window == whole {
			e.complete(op.relation)
		}
	}
	w := &f.finds[op.slot]
	*w = find{table: t, end: t.count}
	side := 1
	if op.kind == opDemand {
		side = 0
	}
	switch op.window {
	case known:
		w.end = a.now[side]
	case old:
		w.end = a.old[side]
	case prior:
		w.prior = e.prior
	}
	mask := uint32(0)
	for i := range op.args {
		switch arg := &op.args[i]; arg.mode {
		case fixed:
			w.given[i] = arg.value
		case given:
			w.given[i] = f.regs[arg.reg]
		default:
			continue
		}
		mask |= 1 << i
	}
	if w.all = mask == 0; !w.all {
		w.list = t.find(w.given[:t.arity], mask)
	}
}

func (e *Evaluator) nextAnswer(f *frame, op *instruction) bool {
	w := &f.finds[op.slot]
rows:
	for {
		n := w.n
		if !w.all {
			if n >= len(w.list) {
				return false
			}
			n = int(w.list[n])
		}
		if n >= w.end || w.prior > 0 && w.table.serials[n] >= w.prior {
			return false
		}
		w.n++
		if e.stop() {
			return false
		}
		row := w.table.row(n)
		for i := range op.args {
			arg := &op.args[i]
			switch {
			case arg.mode == fixed && row[i] != arg.value, arg.mode == given && row[i] != f.regs[arg.reg], arg.mode == equal && row[i] != row[arg.col]:
				continue rows
			}
		}
		for i := range op.args {
			if op.args[i].mode == bind {
				f.regs[op.args[i].reg] = row[i]
			}
		}
		w.at = n
		return true
	}
}

// complete answers what was asked of a relation and of those it calls in turn,
// round by round: each round joins what the round before found with all that was
// known, until nothing is new.
func (e *Evaluator) complete(r *relation) {
	component := e.program.component(r.component)
	for e.err == nil {
		fresh := false
		for _, of := range component {
			a := e.table(of)
			a.old, a.now = a.now, [2]int{a.questions.count, a.found.count}
			fresh = fresh || a.old != a.now
		}
		if !fresh {
			return
		}
		for _, of := range component {
			for _, v := range of.variants {
				e.derive(v)
			}
		}
	}
}

// derive runs a variant on what is new to its driver.
func (e *Evaluator) derive(v *variant) {
	from, into := e.table(v.driver), e.table(v.relation)
	t, side := &from.found, 1
	if v.demand {
		t, side = &from.questions, 0
	}
	f := e.frame(v.code)
	for n := from.old[side]; n < from.now[side] && !e.stop(); n++ {
		for i, in := range v.code.inputs {
			f.regs[in.arg.reg] = t.row(n)[i]
		}
		f.stack = f.stack[:0]
		for ok := e.run(f, 0, 0); ok; ok = e.run(f, -1, 0) {
			var row [maxColumns]int64
			for i, o := range v.code.head {
				row[i] = f.value(o)
			}
			if into.found.add(row[:len(v.code.head)], e.serial+1) {
				e.serial++
				e.built += answerSize
			}
		}
	}
}
