package ontology

import (
	"iter"
	"math/bits"
)

// bitset is a set of terms.
type bitset []uint64

func (b bitset) has(i TermID) bool { return int(i)>>6 < len(b) && b[i>>6]&(1<<(uint(i)&63)) != 0 }
func (b bitset) set(i TermID)      { b[i>>6] |= 1 << (uint(i) & 63) }

// each visits the members in order.
func (b bitset) each() iter.Seq[TermID] {
	return func(yield func(TermID) bool) {
		for i, word := range b {
			for ; word != 0; word &= word - 1 {
				if !yield(TermID(i<<6 + bits.TrailingZeros64(word))) {
					return
				}
			}
		}
	}
}

func (b bitset) or(c bitset) {
	for i := range c {
		b[i] |= c[i]
	}
}
