// Package scene holds scene graphs: what was observed after an action, what is
// believed, and what is expected. All three are one type, so that they can be compared
// (scene-graph-guided proactive replanning, section II-C; REFLECT, section 3.1).
package scene

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Graph is a scene graph. Nodes of one ID are one node; edges are a set.
type Graph struct {
	Nodes []Node `json:"nodes"`
	Edges []Edge `json:"edges"`
}

// Node is an object, the robot or a subtask. Names that no ontology knows are
// allowed: such a node is matched by its ID or by the name of its class.
type Node struct {
	ID         string   `json:"id"`
	Class      string   `json:"class"`
	States     []string `json:"states,omitempty"`
	Properties []string `json:"properties,omitempty"` // materials and physical properties of this instance
	Values     Readings `json:"values,omitempty"`
}

// Readings are what was measured of one thing, each quantity once.
type Readings []Reading

// Reading is how much a quantity is.
type Reading struct {
	Quantity string  `json:"quantity"`
	Number   float64 `json:"number"`
	Unit     string  `json:"unit,omitempty"` // a name of QUDT or a code of UCUM; "" is the one that the ontology declares
}

// Of is the reading of a quantity.
func (r Readings) Of(quantity string) (Reading, bool) {
	for _, v := range r {
		if v.Quantity == quantity {
			return v, true
		}
	}
	return Reading{}, false
}

// String is the reading as text: "temperature 9.5 Cel".
func (r Reading) String() string {
	return strings.TrimSpace(r.Quantity + " " + strconv.FormatFloat(r.Number, 'f', -1, 64) + " " + r.Unit)
}

// Edge is a relation between two nodes.
type Edge struct {
	Subject string `json:"subject"`
	// Relation is by what edges are compared. Of an observation it is the relation as the
	// log has it.
	Relation string `json:"relation"`
	Object   string `json:"object"`
	// Place is true where the edge says where its subject is, so that another object
	// there means that the subject has moved.
	Place bool `json:"place,omitempty"`
	// Label is the relation that was seen or believed where Relation is a more general
	// one, as located_at is for inside and on_top_of; "" where it is Relation.
	Label string `json:"label,omitempty"`
	// Functional is true where the edge says what a subtask acts on: it is expected of an
	// object in the states that it is in, as to pick up a clean mug is not to pick up a
	// dirty one.
	Functional bool `json:"functional,omitempty"`
}

// Name is the relation as precisely as it is known.
func (e Edge) Name() string { return cmp.Or(e.Label, e.Relation) }

// Alike reports whether nothing tells two edges apart: they relate the same nodes in the
// same way, and where both are more precise than their relation, in the same of its forms.
// What is inside something is not on top of it; what is only known to be at it may be.
func (e Edge) Alike(f Edge) bool {
	return e.Same(f) && (e.Name() == f.Name() || e.Name() == e.Relation || f.Name() == f.Relation)
}

// Same reports whether two edges relate the same nodes in the same way.
func (e Edge) Same(f Edge) bool {
	return e.Subject == f.Subject && e.Relation == f.Relation && e.Object == f.Object
}

// Normal merges nodes of one ID, drops edges that come twice and sorts all. The
// error names an edge with an end that is no node, or a node of two classes; which
// says of which graph it speaks.
func (g *Graph) Normal(which string) (*Graph, error) {
	out := &Graph{}
	at := map[string]int{}
	for _, n := range g.Nodes {
		if n.ID == "" {
			return nil, fmt.Errorf("%s scene graph: a node without an ID; expected one that is its own", which)
		}
		i, ok := at[n.ID]
		if !ok {
			i = len(out.Nodes)
			at[n.ID] = i
			out.Nodes = append(out.Nodes, Node{ID: n.ID, Class: n.Class})
		}
		if out.Nodes[i].Class != n.Class {
			return nil, fmt.Errorf("%s scene graph: node %q is both %s and %s; expected one class", which, n.ID, out.Nodes[i].Class, n.Class)
		}
		out.Nodes[i].States = append(out.Nodes[i].States, n.States...)
		out.Nodes[i].Properties = append(out.Nodes[i].Properties, n.Properties...)
		out.Nodes[i].Values = append(out.Nodes[i].Values, n.Values...)
	}
	for i := range out.Nodes {
		for _, list := range []*[]string{&out.Nodes[i].States, &out.Nodes[i].Properties} {
			slices.Sort(*list)
			*list = slices.Compact(*list)
		}
		slices.SortStableFunc(out.Nodes[i].Values, func(a, b Reading) int { return cmp.Compare(a.Quantity, b.Quantity) })
		out.Nodes[i].Values = slices.CompactFunc(out.Nodes[i].Values, func(a, b Reading) bool { return a.Quantity == b.Quantity })
	}
	for _, e := range g.Edges {
		for _, end := range []string{e.Subject, e.Object} {
			if _, ok := at[end]; !ok {
				return nil, fmt.Errorf("%s scene graph: edge %s %s %s names %q, which is no node of it", which, e.Subject, e.Relation, e.Object, end)
			}
		}
		if !slices.ContainsFunc(out.Edges, e.Same) {
			out.Edges = append(out.Edges, e)
		}
	}
	slices.SortFunc(out.Nodes, func(a, b Node) int { return cmp.Compare(a.ID, b.ID) })
	slices.SortFunc(out.Edges, func(a, b Edge) int {
		return cmp.Or(cmp.Compare(a.Subject, b.Subject), cmp.Compare(a.Relation, b.Relation), cmp.Compare(a.Object, b.Object))
	})
	return out, nil
}

// Degrees counts the edges at each node.
func (g *Graph) Degrees() map[string]int {
	out := map[string]int{}
	for _, e := range g.Edges {
		out[e.Subject]++
		out[e.Object]++
	}
	return out
}

// Without is the graph without the nodes that a condition holds for, and without
// their edges.
func (g *Graph) Without(drop func(Node) bool) *Graph {
	out := &Graph{}
	gone := map[string]bool{}
	for _, n := range g.Nodes {
		if drop(n) {
			gone[n.ID] = true
		} else {
			out.Nodes = append(out.Nodes, n)
		}
	}
	for _, e := range g.Edges {
		if !gone[e.Subject] && !gone[e.Object] {
			out.Edges = append(out.Edges, e)
		}
	}
	return out
}

// Text is a node in words: its states and its class.
func (n Node) Text() string {
	return strings.Join(append(slices.Clone(n.States), n.Class), " ")
}
