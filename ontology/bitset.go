package ontology

import (
	"iter"
	"math/bits"
	"slices"
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

// Kinds is a set of classes together with all that they are kinds of.
type Kinds struct{ classes bitset }

// AddKind adds a class to a set.
func (o *Ontology) AddKind(to *Kinds, class TermID) {
	if class < 0 {
		return
	}
	if to.classes == nil {
		to.classes = make(bitset, (len(o.Terms)+63)/64)
	}
	to.classes.or(o.ancestors[o.canonical[class]])
}

// HasKind reports whether one of a set of classes is a kind of another.
func (o *Ontology) HasKind(among Kinds, class TermID) bool {
	return class >= 0 && among.classes.has(o.canonical[class])
}

// Clone is an independent copy.
func (k Kinds) Clone() Kinds { return Kinds{slices.Clone(k.classes)} }

func (b bitset) or(c bitset) {
	for i := range c {
		b[i] |= c[i]
	}
}
