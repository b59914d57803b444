// Package expectation makes scene graphs of what is believed and of what is expected:
// of the course that a plan should take, of a reference episode, and of the
// preconditions of a subtask.
package expectation

import (
	"slices"

	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/engine/internal/state"
	"github.com/mishap-robotics/mishap/engine/scene"
	"github.com/mishap-robotics/mishap/ontology"
)

// Relevant says which objects a scene graph holds.
type Relevant string

// The robot and the subtask are always there.
const (
	Plan    Relevant = "plan"    // the plan's objects and their direct neighbours, as the paper has it
	Subtask Relevant = "subtask" // the subtask's target and destination and their direct neighbours
	All     Relevant = "all"     // everything that is known
)

// View says what a scene graph is made for.
type View struct {
	Relevant Relevant
	Objects  []state.Object // of the plan
	Call     state.Call     // the subtask; its Schema is nil for none
	Robot    state.Object
	Gripper  state.Object
}

// SubtaskNode is the ID of the node that stands for the subtask. It is linked to
// its target and destination.
const SubtaskNode = "subtask"

// placeLabel is the label of edges that say where something is: logs and plans use
// in and on alike, and the effect of putting is neither.
func placeLabel(o *ontology.Ontology) string { return o.Name(o.Core.LocatedAt) }

// Of is the scene graph of a state. The gripper is a part of the robot.
func Of(s *state.State, v View) *scene.Graph {
	b := &builder{s: s, v: v, onto: s.Objects.Onto, in: map[state.Object]bool{}}
	b.choose()
	return b.graph()
}

type builder struct {
	s    *state.State
	v    View
	onto *ontology.Ontology
	in   map[state.Object]bool
}

// edge is an edge between objects, with the gripper replaced by its robot.
type edge struct {
	subject  state.Object
	place    bool
	object   state.Object
	relation ontology.TermID
}

// edges lists the places and what stands in front of what. Other relations depend
// on the camera; and what the robot is near to follows from what it is about to do.
func (b *builder) edges() []edge {
	var out []edge
	for i := range b.s.Objects.Items {
		x := state.Object(i)
		if at := b.s.Place(x).At; at != state.Nothing && !b.s.Gone(x) {
			out = append(out, edge{x, true, b.whole(at), b.s.Place(x).Term})
		}
	}
	for _, e := range b.s.Edges() {
		if e.Relation == b.onto.Core.Occluding && !b.s.Gone(e.Subject) && !b.s.Gone(e.Object) {
			out = append(out, edge{b.whole(e.Subject), false, b.whole(e.Object), e.Relation})
		}
	}
	return out
}

// whole is the robot for its gripper.
func (b *builder) whole(x state.Object) state.Object {
	if x == b.v.Gripper {
		return b.v.Robot
	}
	return x
}

// choose finds the objects that the graph holds.
func (b *builder) choose() {
	core := b.v.Objects
	switch b.v.Relevant {
	case Subtask:
		core = []state.Object{b.v.Call.Target, b.v.Call.Destination}
	case All:
		core = nil
		for i := range b.s.Objects.Items {
			if x := state.Object(i); x != b.v.Gripper && (b.known(x) || slices.Contains(b.v.Objects, x)) {
				core = append(core, x)
			}
		}
	}
	for _, x := range core {
		b.add(x)
	}
	b.add(b.v.Robot) // and what it holds
	chosen := map[state.Object]bool{}
	for x := range b.in {
		chosen[x] = true
	}
	for _, e := range b.edges() {
		if chosen[e.subject] {
			b.add(e.object)
		}
		if chosen[e.object] {
			b.add(e.subject)
		}
	}
}

// known reports whether anything is known of an object.
func (b *builder) known(x state.Object) bool {
	for slot := range b.s.Slots() {
		if !b.s.Inferred(slot) && b.s.Get(state.Fluent{Obj: x, Slot: slot}).Status > state.Assumed {
			return true
		}
	}
	return false
}

func (b *builder) add(x state.Object) {
	if x != state.Nothing && !b.s.Gone(x) {
		b.in[b.whole(x)] = true
	}
}

func (b *builder) graph() *scene.Graph {
	g := &scene.Graph{}
	for i := range b.s.Objects.Items {
		if x := state.Object(i); b.in[x] {
			g.Nodes = append(g.Nodes, b.node(x))
		}
	}
	for _, e := range b.edges() {
		if b.in[e.subject] && b.in[e.object] && e.subject != e.object {
			name := b.onto.Name(e.relation)
			edge := scene.Edge{Subject: b.s.Objects.Name(e.subject), Relation: name, Object: b.s.Objects.Name(e.object), Place: e.place, Label: name}
			if e.place {
				edge.Relation = placeLabel(b.onto)
			}
			g.Edges = append(g.Edges, edge)
		}
	}
	addSubtask(g, b.s.Objects, b.v.Call)
	return g
}

func (b *builder) node(x state.Object) scene.Node {
	n := scene.Node{ID: b.s.Objects.Name(x), Class: className(b.s.Objects, x)}
	for slot := int32(1); slot < b.s.Slots(); slot++ {
		if v := b.s.Get(state.Fluent{Obj: x, Slot: slot}); v.Status != state.Unknown && !b.s.Inferred(slot) {
			n.States = append(n.States, b.onto.Name(v.Term))
		}
	}
	for _, p := range b.s.Objects.Items[x].Props {
		n.Properties = append(n.Properties, b.onto.Name(p))
	}
	return n
}

func className(objects *state.Objects, x state.Object) string {
	if class := objects.Class(x); class != ontology.None {
		return objects.Onto.Name(class)
	}
	name, _ := episode.SplitName(objects.Name(x))
	return name
}

// addSubtask adds the node of a subtask, whose class is its action, and links it
// to those of its objects that are there.
func addSubtask(g *scene.Graph, objects *state.Objects, c state.Call) {
	if c.Schema == nil {
		return
	}
	g.Nodes = append(g.Nodes, scene.Node{ID: SubtaskNode, Class: c.Schema.Name})
	for _, link := range []struct {
		label string
		to    state.Object
	}{{"target", c.Target}, {"destination", c.Destination}} {
		name := objects.Name(link.to)
		if slices.ContainsFunc(g.Nodes, func(n scene.Node) bool { return n.ID == name }) {
			g.Edges = append(g.Edges, scene.Edge{Subject: SubtaskNode, Relation: link.label, Object: name})
		}
	}
}

// Common leaves of two graphs the states that both know something of, node by
// node: what one of them does not tell is no difference. Nodes are compared by ID.
func Common(o *ontology.Ontology, observed, expected *scene.Graph) (*scene.Graph, *scene.Graph) {
	dimensions := func(g *scene.Graph) map[string]map[ontology.TermID]bool {
		out := map[string]map[ontology.TermID]bool{}
		for _, n := range g.Nodes {
			if out[n.ID] == nil {
				out[n.ID] = map[ontology.TermID]bool{}
			}
			for _, s := range n.States {
				if id, ok := o.Lookup(s); ok {
					out[n.ID][o.Dimension(id)] = true
				}
			}
		}
		return out
	}
	known := func(g *scene.Graph, other map[string]map[ontology.TermID]bool) *scene.Graph {
		out := &scene.Graph{Edges: g.Edges}
		for _, n := range g.Nodes {
			if in, ok := other[n.ID]; ok {
				n.States = slices.DeleteFunc(slices.Clone(n.States), func(s string) bool {
					id, known := o.Lookup(s)
					return known && !in[o.Dimension(id)]
				})
			}
			out.Nodes = append(out.Nodes, n)
		}
		return out
	}
	inObserved, inExpected := dimensions(observed), dimensions(expected)
	return known(observed, inExpected), known(expected, inObserved)
}
