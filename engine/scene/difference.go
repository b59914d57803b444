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
	OtherClass      DifferenceKind = "other class"      // a node of that name is of another class
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
// nodes, alike, and where it is functional, to a node in the same states.
func (m *Matching) IsExpected(e Edge) bool {
	s, o := m.to[e.Subject], m.to[e.Object]
	to := Edge{Subject: s, Relation: e.Relation, Object: o, Label: e.Label}
	return s != "" && o != "" && slices.ContainsFunc(m.Expected.Edges, to.Alike) && (!e.Functional || m.inSameStates(e.Object, o))
}

// IsObserved reports whether an expected edge was observed.
func (m *Matching) IsObserved(e Edge) bool {
	s, o := m.from[e.Subject], m.from[e.Object]
	to := Edge{Subject: s, Relation: e.Relation, Object: o, Label: e.Label}
	return s != "" && o != "" && slices.ContainsFunc(m.Observed.Edges, to.Alike) && (!e.Functional || m.inSameStates(o, e.Object))
}

// inSameStates reports whether an observed and an expected node are in the same states.
func (m *Matching) inSameStates(observed, expected string) bool {
	return slices.Equal(statesOf(m.Observed, observed), statesOf(m.Expected, expected))
}

func statesOf(g *Graph, id string) []string {
	i := slices.IndexFunc(g.Nodes, func(n Node) bool { return n.ID == id })
	if i < 0 {
		return nil
	}
	return g.Nodes[i].States
}

// Differences lists how the observed graph differs from the expected one: in nodes,
// classes, states, places, then other relations. An edge of a node that only one graph has is no
// difference of its own, but where it says where another node is.
func (m *Matching) Differences() []Difference {
	out := []Difference{}
	var others []Difference
	for _, n := range m.Expected.Nodes {
		if m.from[n.ID] != "" {
			continue
		}
		i := slices.IndexFunc(m.Observed.Nodes, func(o Node) bool { return o.ID == n.ID && m.to[o.ID] == "" })
		if i < 0 {
			out = append(out, Difference{Kind: Missing, Node: n.ID})
			continue
		}
		others = append(others, Difference{Kind: OtherClass, Node: n.ID, Expected: n.Class, Observed: m.Observed.Nodes[i].Class})
	}
	for _, n := range m.Observed.Nodes {
		if m.to[n.ID] == "" && !slices.ContainsFunc(others, func(d Difference) bool { return d.Node == n.ID }) {
			out = append(out, Difference{Kind: Extra, Node: n.ID})
		}
	}
	out = append(out, others...)
	for _, o := range m.Observed.Nodes {
		i := slices.IndexFunc(m.Expected.Nodes, func(e Node) bool { return e.ID == m.to[o.ID] })
		if i < 0 {
			continue
		}
		e := m.Expected.Nodes[i]
		is, should := only(o.States, e.States), only(e.States, o.States)
		for _, v := range o.Values {
			if w, known := e.Values.Of(v.Quantity); known && v != w {
				is, should = append(is, v.String()), append(should, w.String())
			}
		}
		if len(is)+len(should) == 0 && slices.Equal(o.States, e.States) {
			continue
		}
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
		if is == nil && should == nil || is != nil && m.IsExpected(*is) || should != nil && m.IsObserved(*should) {
			continue
		}
		d := Difference{Kind: Moved, Node: n.ID}
		if is != nil {
			d.Observed = is.Name() + " " + is.Object
		}
		if should != nil {
			d.Expected = should.Name() + " " + should.Object
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
		if !e.Place && !m.IsExpected(e) && !m.toldByStates(e) && m.to[e.Subject] != "" && m.to[e.Object] != "" {
			join(&note(e.Subject, e.Object).Observed, e.Name())
		}
	}
	for _, e := range m.Expected.Edges {
		s, o := m.from[e.Subject], m.from[e.Object]
		observed := Edge{Subject: s, Relation: e.Relation, Object: o, Functional: e.Functional}
		if !e.Place && !m.IsObserved(e) && !m.toldByStates(observed) && s != "" && o != "" {
			join(&note(s, o).Expected, e.Name())
		}
	}
	for _, k := range order {
		out = append(out, *labels[k])
	}
	return out
}

// toldByStates reports whether an observed edge is not expected for the states of its
// object alone, which are a difference of their own.
func (m *Matching) toldByStates(e Edge) bool {
	plain := e
	plain.Functional = false
	return e.Functional && m.IsExpected(plain)
}

// place is the edge that says where a node is.
func place(g *Graph, id string) *Edge {
	i := slices.IndexFunc(g.Edges, func(e Edge) bool { return e.Place && e.Subject == id })
	if i < 0 {
		return nil
	}
	return &g.Edges[i]
}
