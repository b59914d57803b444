package ontology

import (
	"iter"
	"slices"
	"strings"
)

// said are the first triple of a subject and the last.
type said struct{ first, last int32 }

// indexSubjects indexes the triples from an index on, behind those that are indexed.
func (b *builder) indexSubjects(from int) {
	b.next = append(b.next, make([]int32, len(b.triples)-from)...)
	var of *said
	for i := from; i < len(b.triples); i++ {
		s := b.triples[i].s
		if i == from || s != b.triples[i-1].s {
			if of = b.bySubj[s]; of == nil {
				of = &said{int32(i), int32(i)}
				b.bySubj[s] = of
				continue
			}
		}
		b.next[of.last], of.last = int32(i), int32(i)
	}
}

// of visits the triples of a subject.
func (b *builder) of(s node) iter.Seq[*triple] {
	return func(yield func(*triple) bool) {
		of := b.bySubj[s]
		if of == nil {
			return
		}
		for i := of.first; yield(&b.triples[i]); i = b.next[i] {
			if i == of.last {
				return
			}
		}
	}
}

func (b *builder) object(s node, predicate string) (node, bool) {
	for t := range b.of(s) {
		if t.p.value == predicate {
			return t.o, true
		}
	}
	return node{}, false
}

// objects lists the values of one of mishap's own properties.
func (b *builder) objects(s node, property string) []node {
	var out []node
	for t := range b.of(s) {
		if len(t.p.value) == len(Namespace)+len(property) && strings.HasSuffix(t.p.value, property) && strings.HasPrefix(t.p.value, Namespace) {
			out = append(out, t.o)
		}
	}
	return out
}

// list reads an RDF collection; a cyclic or broken one ends where it breaks.
func (b *builder) list(head node) []node {
	var out []node
	var heads [4]node // so many need no map
	var seen map[node]bool
	for head.value != rdfNS+"nil" && !seen[head] && !slices.Contains(heads[:min(len(out), len(heads))], head) {
		switch {
		case len(out) < len(heads):
			heads[len(out)] = head
		case seen == nil:
			seen = map[node]bool{}
			fallthrough
		default:
			seen[head] = true
		}
		first, ok := b.object(head, rdfNS+"first")
		if !ok {
			break
		}
		out = append(out, first)
		if head, ok = b.object(head, rdfNS+"rest"); !ok {
			break
		}
	}
	return out
}
