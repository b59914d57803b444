package discrepancy

import (
	"fmt"
	"slices"
	"strings"
)

// Kind is what a difference is.
type Kind string

// The kinds of differences, of the observed graph from the expected one.
const (
	Missing         Kind = "missing"          // an expected node was not observed
	Extra           Kind = "extra"            // an observed node was not expected
	StateChanged    Kind = "state changed"    // a node is in other states
	Moved           Kind = "moved"            // a node is at another place
	RelationChanged Kind = "relation changed" // two nodes stand to one another otherwise
)

// Difference is one thing that is otherwise than expected.
type Difference struct {
	Kind     Kind   `json:"kind"`
	Node     string `json:"node"`            // as observed where it was, else as expected
	Other    string `json:"other,omitempty"` // the second node of a relation
	Expected string `json:"expected,omitempty"`
	Observed string `json:"observed,omitempty"`
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

// differences lists what differs: nodes, states, places, then other relations. An
// edge of a node that only one graph has is no difference of its own, but where it
// says where another node is.
func (c *comparison) differences() []Difference {
	out := []Difference{}
	for _, n := range c.exp.Nodes {
		if c.from[n.ID] == "" {
			out = append(out, Difference{Kind: Missing, Node: n.ID})
		}
	}
	for _, n := range c.obs.Nodes {
		if c.to[n.ID] == "" {
			out = append(out, Difference{Kind: Extra, Node: n.ID})
		}
	}
	for _, o := range c.obs.Nodes {
		i := slices.IndexFunc(c.exp.Nodes, func(e Node) bool { return e.ID == c.to[o.ID] })
		if i < 0 || slices.Equal(o.States, c.exp.Nodes[i].States) {
			continue
		}
		is, should := only(o.States, c.exp.Nodes[i].States), only(c.exp.Nodes[i].States, o.States)
		out = append(out, Difference{Kind: StateChanged, Node: o.ID, Expected: strings.Join(should, ", "), Observed: strings.Join(is, ", ")})
	}
	return append(out, c.relations()...)
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
func (c *comparison) relations() []Difference {
	var out []Difference
	for _, n := range c.obs.Nodes {
		if c.to[n.ID] == "" {
			continue
		}
		is, should := place(c.obs, n.ID), place(c.exp, c.to[n.ID])
		if is == nil && should == nil || is != nil && c.matched(*is) || should != nil && c.come(*should) {
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
	for _, e := range c.obs.Edges {
		if !e.Place && !c.matched(e) && c.to[e.Subject] != "" && c.to[e.Object] != "" {
			join(&note(e.Subject, e.Object).Observed, e.Relation)
		}
	}
	for _, e := range c.exp.Edges {
		if s, o := c.from[e.Subject], c.from[e.Object]; !e.Place && !c.come(e) && s != "" && o != "" {
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
