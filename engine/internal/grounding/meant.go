package grounding

import (
	"cmp"
	"math"
	"math/bits"
	"slices"

	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/engine/internal/state"
	"github.com/mishap-robotics/mishap/engine/scene"
)

// meant is what the nodes and edges of the look that was read last mean, by their place in it:
// the next look shows most of them again, in the same order.
type meant struct {
	graph  scene.Graph
	nodes  []meantNode
	edges  []meantEdge
	seen   seenObjects
	places seenPlaces
	states []SeenState  // that it tells of
	all    []state.Edge // its places and other edges
	// room is where the lists of a look are made.
	room struct {
		states []SeenState
		edges  []state.Edge
	}
}

// meantNode is the object of a node and what is said of that, as the table was in a version.
type meantNode struct {
	of      state.Object
	said    *said
	version uint32
}

// unread is a node that is read anew: no table is of its version yet.
var unread = meantNode{of: state.Nothing, version: ^uint32(0)}

// meantEdge is what an edge means, as the table was in a version.
type meantEdge struct {
	state.Edge
	version                 uint32
	gripper, handle, within bool
	functional              bool // read one way round or the other
	tells                   bool // what is in a gripper
	closeness               int8
}

// share puts the lists of a look that were made in room into memory of their own, that of the look
// before where they are the same.
func (m *meant) share(o *Observation) {
	m.room.states, m.room.edges = o.States[:0], o.Edges[:0]
	if !slices.Equal(o.States, m.states) {
		m.states = slices.Clone(o.States)
	}
	if o.States = m.states; len(o.States) == 0 {
		o.States = nil
	}
	n := len(o.Places)
	if len(m.all) != n+len(o.Edges) || !slices.Equal(m.all[:n], o.Places) || !slices.Equal(m.all[n:], o.Edges) {
		if m.all = o.Places; len(o.Edges) > 0 {
			m.all = slices.Concat(o.Places, o.Edges)
		}
	}
	if o.Edges, o.all = nil, m.all; len(m.all) > n {
		o.Edges = m.all[n:]
	}
}

// node is what a node meant in the look before, nil where that is not known or may be otherwise.
func (m *meant) node(t *state.Objects, i int, node *scene.Node) *meantNode {
	if i >= len(m.nodes) || i >= len(m.graph.Nodes) || m.nodes[i].version != t.Version() {
		return nil
	}
	if was := &m.graph.Nodes[i]; was.ID != node.ID || was.Class != node.Class || node.ID == "" {
		return nil
	}
	return &m.nodes[i]
}

// end keeps the nodes of a look of which each was read or put.
func (m *meant) end(nodes []scene.Node) {
	m.graph.Nodes, m.nodes = nodes, m.nodes[:min(len(m.nodes), len(nodes))]
}

// edge is node for an edge.
func (m *meant) edge(t *state.Objects, i int, edge *scene.Edge) *meantEdge {
	if i >= len(m.edges) || i >= len(m.graph.Edges) || m.edges[i].version != t.Version() {
		return nil
	}
	if was := &m.graph.Edges[i]; was.Subject != edge.Subject || was.Relation != edge.Relation || was.Object != edge.Object {
		return nil
	}
	return &m.edges[i]
}

// node is the object that a node of a look means, by its place, and what is said of that.
func (n *Names) node(node *scene.Node, i int) (state.Object, *said) {
	if known := n.meant.node(n.objects, i, node); known != nil {
		return known.of, known.said
	}
	out := meantNode{of: n.Object(node.ID, node.Class), said: n.saidOf(node)}
	out.version = n.objects.Version()
	n.meant.nodes = put(n.meant.nodes, i, out)
	return out.of, out.said
}

// edge is what an edge of a look means, by its place. It is false where the edge is not used.
func (n *Names) edge(edge *scene.Edge, i int, st *episode.Step) (*meantEdge, bool) {
	if known := n.meant.edge(n.objects, i, edge); known != nil {
		return known, true
	}
	out, ok, stays := n.read(*edge, st)
	if out.version = n.objects.Version(); !stays {
		out.version = unread.version
	}
	n.meant.edges = put(n.meant.edges, i, out)
	return &n.meant.edges[i], ok
}

// put puts something into its place in a list, which may be beyond the end.
func put[T any](list []T, i int, of T) []T {
	for len(list) <= i {
		var none T
		list = append(list, none)
	}
	list[i] = of
	return list
}

// seenObjects are what a look shows, as bits by the number of the object.
type seenObjects struct {
	bits        []uint64
	first, last int            // of the words with bits; there are none where they cross
	before      []state.Object // that the look before showed
}

func (s *seenObjects) add(x state.Object) {
	w := int(x) >> 6
	if w >= len(s.bits) {
		s.bits = append(s.bits, make([]uint64, w+1-len(s.bits))...)
	}
	s.bits[w] |= 1 << (x & 63)
	s.first, s.last = min(s.first, w), max(s.last, w)
}

// take lists them in order, and has none then. Where they are those of the look before it is the
// same list.
func (s *seenObjects) take() []state.Object {
	n := 0
	for w := s.first; w <= s.last && w < len(s.bits); w++ {
		n += bits.OnesCount64(s.bits[w])
	}
	list, same := s.before, n == len(s.before)
	if n == 0 {
		list = nil
	} else if !same {
		list = make([]state.Object, n)
	}
	i := 0
	for w := s.first; w <= s.last && w < len(s.bits); w++ {
		for word := s.bits[w]; word != 0; word &= word - 1 {
			x := state.Object(w<<6 + bits.TrailingZeros64(word))
			if same && list[i] != x {
				list, same = slices.Clone(list), false
			}
			if !same {
				list[i] = x
			}
			i++
		}
		s.bits[w] = 0
	}
	s.first, s.last, s.before = math.MaxInt, -1, list
	return list
}

// seenPlaces are the places that a look shows, as they come.
type seenPlaces struct {
	list   []state.Edge
	at     map[state.Object]int // of each object, nil while they come in order of the table
	before []state.Edge         // that the look before showed, in order
}

// begin begins a look with so many edges.
func (p *seenPlaces) begin(edges int) {
	if p.list, p.at = p.list[:0], nil; cap(p.list) == 0 && edges > 0 {
		p.list = make([]state.Edge, 0, edges)
	}
}

// of is the place of an object, nil where there is none.
func (p *seenPlaces) of(x state.Object) *state.Edge {
	if p.at != nil {
		if i, ok := p.at[x]; ok {
			return &p.list[i]
		}
		return nil
	}
	if n := len(p.list); n == 0 || p.list[n-1].Subject < x {
		return nil
	}
	if i, ok := slices.BinarySearchFunc(p.list, x, ofSubject); ok {
		return &p.list[i]
	}
	return nil
}

// add adds the place of an object that has none.
func (p *seenPlaces) add(e state.Edge) {
	n := len(p.list)
	if p.at == nil && n > 0 && p.list[n-1].Subject > e.Subject {
		p.at = make(map[state.Object]int, n+1)
		for i := range p.list {
			p.at[p.list[i].Subject] = i
		}
	}
	if p.list = append(p.list, e); p.at != nil {
		p.at[e.Subject] = n
	}
}

// take lists them in order of the table. Where they are those of the look before it is the same
// list.
func (p *seenPlaces) take() []state.Edge {
	if p.at != nil {
		slices.SortFunc(p.list, func(a, b state.Edge) int { return cmp.Compare(a.Subject, b.Subject) })
	}
	if !slices.Equal(p.list, p.before) {
		if p.before = nil; len(p.list) > 0 {
			p.before, p.list = slices.Clip(p.list), nil
		}
	}
	return p.before
}
