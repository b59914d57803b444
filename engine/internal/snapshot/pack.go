package snapshot

import (
	"encoding/binary"

	"github.com/mishap-robotics/mishap/engine/scene"
)

// Packing codes scenes after one another in less room than Graph does: what is said of many
// things alike, "is a clean mug", "lies on the counter top", is a number once it has come.
type Packing struct {
	*Codec
	kindOf, tailOf map[string]int // numbers
	key            []byte
	nodes          []scene.Node // of the kinds that were read, without names
	edges          []scene.Edge // of the tails that were read, without subjects
}

// Pack begins to pack what will take about so many bytes.
func Pack(size int) *Packing {
	c := NewWriter()
	c.data = make([]byte, 0, size)
	return &Packing{Codec: c, kindOf: map[string]int{}, tailOf: map[string]int{}}
}

// Unpack reads what another packed in this process.
func Unpack(data []byte) *Packing { return &Packing{Codec: NewOwnReader(data)} }

// Graph codes a scene that is much like another.
func (p *Packing) Graph(g *scene.Graph, before scene.Graph) {
	c := p.Codec
	Like(c, &g.Nodes, before.Nodes, sameNode, func(n *scene.Node) {
		c.Text(&n.ID)
		p.kind(n)
	})
	Like(c, &g.Edges, before.Edges, func(a, b *scene.Edge) bool { return *a == *b }, func(e *scene.Edge) {
		c.Text(&e.Subject)
		p.tail(e)
	})
}

// kind codes what is said of a node.
func (p *Packing) kind(n *scene.Node) {
	c := p.Codec
	var known bool
	var number uint64
	if !c.reading {
		p.begin(n.Class, len(n.States))
		for _, s := range n.States {
			p.part(s)
		}
		for _, s := range n.Properties {
			p.part(s)
		}
		number, known = p.number(p.kindOf, len(n.Values) > 0)
	} else if number = c.uvarint(); int(number/2) < len(p.nodes) {
		id := n.ID
		*n = p.nodes[number/2]
		n.ID, known = id, true
	}
	if !known {
		c.Text(&n.Class)
		c.Texts(&n.States)
		c.Texts(&n.Properties)
		if c.reading {
			p.nodes = append(p.nodes, *n)
		}
	}
	if number%2 == 1 {
		c.readings(&n.Values)
	}
}

// tail codes what an edge says of its subject.
func (p *Packing) tail(e *scene.Edge) {
	c := p.Codec
	if !c.reading {
		flags := 0
		if e.Place {
			flags |= 1
		}
		if e.Functional {
			flags |= 2
		}
		p.begin(e.Relation, flags)
		p.part(e.Object)
		p.part(e.Label)
		if _, known := p.number(p.tailOf, false); known {
			return
		}
	} else if number := c.uvarint(); int(number/2) < len(p.edges) {
		subject := e.Subject
		*e = p.edges[number/2]
		e.Subject = subject
		return
	}
	c.Text(&e.Relation)
	c.Text(&e.Object)
	c.Flags(&e.Place, &e.Functional)
	c.Text(&e.Label)
	if c.reading {
		p.edges = append(p.edges, *e)
	}
}

// begin begins the key of what is said, of which part adds a part.
func (p *Packing) begin(first string, n int) {
	p.key = binary.AppendUvarint(p.key[:0], uint64(n))
	p.part(first)
}

func (p *Packing) part(s string) {
	p.key = binary.AppendUvarint(p.key, uint64(len(s)))
	p.key = append(p.key, s...)
}

// number writes the number of what the key tells, and whether more follows.
func (p *Packing) number(of map[string]int, more bool) (number uint64, known bool) {
	n, known := of[string(p.key)]
	if !known {
		n = len(of)
		of[string(p.key)] = n
	}
	if number = 2 * uint64(n); more {
		number++
	}
	p.data = binary.AppendUvarint(p.data, number)
	return number, known
}

func (c *Codec) uvarint() uint64 {
	v, n := binary.Uvarint(c.data)
	if n <= 0 {
		c.Fail("it breaks off")
		return 0
	}
	c.data = c.data[n:]
	return v
}
