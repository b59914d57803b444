package datalog

import (
	"slices"

	"github.com/mishap-robotics/mishap/engine/internal/fact"
)

// A signal is a fact of a step that tells much of what rules may conclude of it, or that
// something of a class is there at all: that the action is to pick something up, that an impact
// was heard, that a floor is known. What needs one is passed over where it is not there.
type signal struct {
	pred  int
	col   int
	value int64 // of a name that the ontology does not have, its number
	named bool  // it is one
}

// maxSignals is how many signals are told apart; what needs a further one is run.
const maxSignals = 256

// signals are a set of them, by number.
type signals [maxSignals / 64]uint64

func (s *signals) has(n int) bool { return s[n>>6]&(1<<(n&63)) != 0 }
func (s *signals) add(n int)      { s[n>>6] |= 1 << (n & 63) }
func (s *signals) drop(n int)     { s[n>>6] &^= 1 << (n & 63) }

func (s *signals) join(o signals) {
	for i := range s {
		s[i] |= o[i]
	}
}

func (s signals) meet(o signals) signals {
	for i := range s {
		s[i] &= o[i]
	}
	return s
}

// lacks reports whether one of them is not among others.
func (s *signals) lacks(told *signals) bool {
	lacking := uint64(0)
	for i := range s {
		lacking |= s[i] &^ told[i]
	}
	return lacking != 0
}

// addSignals adds those that a scan needs; at tells that it is at the step that the code runs at.
func (p *Program) addSignals(to *signals, c *code, op *instruction, at bool) {
	pred := int(op.pred)
	if !fact.IsKind(pred) && !(at && fact.InRows(pred)) {
		return
	}
	for i, a := range op.args {
		s := signal{pred: pred, col: i, value: a.value}
		if n := slices.IndexFunc(c.names, func(n naming) bool { return a.mode == given && n.reg == a.reg }); n >= 0 {
			s.value, s.named = int64(c.names[n].number), true
		} else if a.mode != fixed {
			continue
		}
		if i == 0 || a.wide {
			continue
		}
		n, ok := p.signals[s]
		if !ok {
			if n = len(p.signals); n == maxSignals {
				continue
			}
			p.signals[s] = n
		}
		to.add(n)
	}
}

// told are signals of a predicate, once all rules are compiled.
type told struct {
	pred int
	of   []numberedSignal
}

type numberedSignal struct {
	signal
	number int
	name   string // where it is named
}

// toldBy sorts the signals by predicate.
func (p *Program) toldBy() []told {
	byNumber := make([]signal, len(p.signals))
	for s, n := range p.signals {
		byNumber[n] = s
	}
	var out []told
	at := map[int]int{}
	for n, s := range byNumber {
		i, ok := at[s.pred]
		if !ok {
			i = len(out)
			at[s.pred] = i
			out = append(out, told{pred: s.pred})
		}
		of := numberedSignal{signal: s, number: n}
		if s.named {
			of.name = p.names[s.value]
		}
		out[i].of = append(out[i].of, of)
	}
	return out
}

// fewRows of a step are compared with the signals; of more any may be there.
const fewRows = 8

// signalsAt are the signals that may be there at a step: all but those that are known not to be.
func (e *Evaluator) signalsAt(at *knownAt) signals {
	out := signals{}
	for i := range out {
		out[i] = ^uint64(0)
	}
	if e.program.needed.Load() == nil {
		return out
	}
	if e.signalsOf != e.stamp {
		e.setSignals()
	}
	for i := range e.program.told {
		t := &e.program.told[i]
		if fact.IsKind(t.pred) {
			for _, s := range t.of {
				if !e.index.MayBe(e.signals[s.number]) {
					out.drop(s.number)
				}
			}
			continue
		}
		there := signals{}
		if at.of.Has(t.pred) && !e.index.RowsAt(t.pred, at.step, fewRows, func(row []int32) {
			for _, s := range t.of {
				if int64(row[s.col]) == e.signals[s.number] {
					there.add(s.number)
				}
			}
		}) {
			continue
		}
		for _, s := range t.of {
			if !there.has(s.number) {
				out.drop(s.number)
			}
		}
	}
	return out
}

// setSignals gives signals the values that they have in the index.
func (e *Evaluator) setSignals() {
	e.signalsOf, e.signals = e.stamp, slices.Grow(e.signals[:0], maxSignals)[:maxSignals]
	for i := range e.program.told {
		for _, s := range e.program.told[i].of {
			if e.signals[s.number] = s.value; s.named {
				e.signals[s.number] = e.valueOf(s.name, int(s.value))
			}
		}
	}
}
