package scene

import (
	"fmt"
	"slices"
	"strings"
)

// DifferenceKind is what a difference is.
type DifferenceKind string

// The kinds of differences, of the observed graph from the expected one.
const (
	Missing         DifferenceKind = "missing"          // an expected node was not observed
	Extra           DifferenceKind = "extra"            // an observed node was not expected
	StateChanged    DifferenceKind = "state changed"    // a node is in other states
	Moved           DifferenceKind = "moved"            // a node is at another place
	RelationChanged DifferenceKind = "relation changed" // two nodes stand to one another otherwise
)

// Difference is one thing that is otherwise than expected.
type Difference struct {
	Kind     DifferenceKind `json:"kind"`
	Node     string         `json:"node"`            // as observed where it was, else as expected
	Other    string         `json:"other,omitempty"` // the second node of a relation
	Expected string         `json:"expected,omitempty"`
	Observed string         `json:"observed,omitempty"`
}

func (d Difference) String() string {
	or := func(s, none string) string {
		if s == "" {
			return none
		}
		return s
	}
	switch d.Kind {
	case Missing:
		return d.Node + " is missing"
	case Extra:
		return d.Node + " was not expected"
	case Moved:
		return fmt.Sprintf("%s is %s, expected %s", d.Node, or(d.Observed, "elsewhere"), or(d.Expected, "elsewhere"))
	case RelationChanged:
		return fmt.Sprintf("%s is %s %s, expected %s", d.Node, or(d.Observed, "nothing to"), d.Other, or(d.Expected, "nothing"))
	}
	return fmt.Sprintf("%s is %s, expected %s", d.Node, or(d.Observed, "in no known state"), or(d.Expected, "no known state"))
}

// Concerns reports whether a difference is about one of several nodes.
func (d Difference) Concerns(names []string) bool {
	return slices.Contains(names, d.Node) || d.Other != "" && slices.Contains(names, d.Other)
}

// Matching is two graphs, in normal form, with the nodes of one that are those of the
// other.
type Matching struct {
	Observed, Expected *Graph
	to, from           map[string]string // observed to expected, and back
}

// NewMatching matches two graphs. match gives the expected node of an observed one, by
// ID; what it does not give is only in one of them.
func NewMatching(observed, expected *Graph, match map[string]string) *Matching {
	m := &Matching{Observed: observed, Expected: expected, to: match, from: make(map[string]string, len(match))}
	for o, e := range match {
		m.from[e] = o
	}
	return m
}

// IsExpected reports whether an observed edge is expected: between the same matched
// nodes, in the same relation.
func (m *Matching) IsExpected(e Edge) bool {
	s, o := m.to[e.Subject], m.to[e.Object]
	return s != "" && o != "" && slices.ContainsFunc(m.Expected.Edges, Edge{Subject: s, Relation: e.Relation, Object: o}.Same)
}

// isObserved reports whether an expected edge was observed.
func (m *Matching) isObserved(e Edge) bool {
	s, o := m.from[e.Subject], m.from[e.Object]
	return s != "" && o != "" && slices.ContainsFunc(m.Observed.Edges, Edge{Subject: s, Relation: e.Relation, Object: o}.Same)
}

// Differences lists how the observed graph differs from the expected one: in nodes,
// states, places, then other relations. An edge of a node that only one graph has is no
// difference of its own, but where it says where another node is.
func (m *Matching) Differences() []Difference {
	out := []Difference{}
	for _, n := range m.Expected.Nodes {
		if m.from[n.ID] == "" {
			out = append(out, Difference{Kind: Missing, Node: n.ID})
		}
	}
	for _, n := range m.Observed.Nodes {
		if m.to[n.ID] == "" {
			out = append(out, Difference{Kind: Extra, Node: n.ID})
		}
	}
	for _, o := range m.Observed.Nodes {
		i := slices.IndexFunc(m.Expected.Nodes, func(e Node) bool { return e.ID == m.to[o.ID] })
		if i < 0 || slices.Equal(o.States, m.Expected.Nodes[i].States) {
			continue
		}
		is, should := only(o.States, m.Expected.Nodes[i].States), only(m.Expected.Nodes[i].States, o.States)
		out = append(out, Difference{Kind: StateChanged, Node: o.ID, Expected: strings.Join(should, ", "), Observed: strings.Join(is, ", ")})
	}
	return append(out, m.relations()...)
}

// only lists what is in a and not in b.
func only(a, b []string) []string {
	var out []string
	for _, s := range a {
		if !slices.Contains(b, s) {
			out = append(out, s)
		}
	}
	return out
}

// relations lists the differences between edges of matched nodes.
func (m *Matching) relations() []Difference {
	var out []Difference
	for _, n := range m.Observed.Nodes {
		if m.to[n.ID] == "" {
			continue
		}
		is, should := place(m.Observed, n.ID), place(m.Expected, m.to[n.ID])
		if is == nil && should == nil || is != nil && m.IsExpected(*is) || should != nil && m.isObserved(*should) {
			continue
		}
		d := Difference{Kind: Moved, Node: n.ID}
		if is != nil {
			d.Observed = is.Relation + " " + is.Object
		}
		if should != nil {
			d.Expected = should.Relation + " " + should.Object
		}
		out = append(out, d)
	}
	type ends struct{ subject, object string }
	labels := map[ends]*Difference{}
	var order []ends
	note := func(subject, object string) *Difference {
		k := ends{subject, object}
		if labels[k] == nil {
			labels[k] = &Difference{Kind: RelationChanged, Node: subject, Other: object}
			order = append(order, k)
		}
		return labels[k]
	}
	join := func(to *string, s string) {
		if *to != "" {
			s = *to + ", " + s
		}
		*to = s
	}
	for _, e := range m.Observed.Edges {
		if !e.Place && !m.IsExpected(e) && m.to[e.Subject] != "" && m.to[e.Object] != "" {
			join(&note(e.Subject, e.Object).Observed, e.Relation)
		}
	}
	for _, e := range m.Expected.Edges {
		if s, o := m.from[e.Subject], m.from[e.Object]; !e.Place && !m.isObserved(e) && s != "" && o != "" {
			join(&note(s, o).Expected, e.Relation)
		}
	}
	for _, k := range order {
		out = append(out, *labels[k])
	}
	return out
}

// place is the edge that says where a node is.
func place(g *Graph, id string) *Edge {
	i := slices.IndexFunc(g.Edges, func(e Edge) bool { return e.Place && e.Subject == id })
	if i < 0 {
		return nil
	}
	return &g.Edges[i]
}
