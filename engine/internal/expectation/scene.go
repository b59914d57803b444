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
	Subtask Relevant = "subtask" // what the subtask acts on and changes, and the direct neighbours of that
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
// its target and destination, and to what else it changes, as a faucet fills what stands
// under it.
const SubtaskNode = "subtask"

// placeRelation is the relation of edges that say where something is. Where the log tells
// whether that is inside or on top of it, the label of the edge does too; the effect of
// putting is neither.
func placeRelation(o *ontology.Ontology) string { return o.Name(o.Core.LocatedAt) }

// Of is the scene graph of a state. The gripper is a part of the robot.
func Of(s *state.State, v View) *scene.Graph {
	b := &builder{s: s, v: v, onto: s.Objects.Onto, in: map[state.Object]bool{}}
	b.affected = affected(s, v.Call)
	b.choose()
	return b.graph()
}

type builder struct {
	s    *state.State
	v    View
	onto *ontology.Ontology
	in   map[state.Object]bool
	// affected is what the subtask changes besides its target.
	affected []state.Object
}

// affected lists what an action changes, itself or by the processes that it sets going,
// besides its target and destination.
func affected(s *state.State, c state.Call) []state.Object {
	if c.Schema == nil || s.Objects.Onto.IsNavigation(c.Schema) {
		return nil
	}
	before := s.On(s.Objects.Clone()) // what is sliced leaves pieces in the table
	before.Run(state.Predicted, 0)
	after := before.Clone()
	after.Apply(c, state.Predicted, 0)
	after.Run(state.Predicted, 0)
	var out []state.Object
	for x := range state.Differing(before, after) {
		if int(x) >= len(s.Objects.Items) || x == c.Target || x == c.Destination || before.Gone(x) || after.Gone(x) {
			continue
		}
		for slot := int32(1); slot < s.Slots(); slot++ {
			if f := (state.Fluent{Obj: x, Slot: slot}); !before.Inferred(slot) && !before.Get(f).Same(after.Get(f)) {
				out = append(out, x)
				break
			}
		}
	}
	return out
}

// edge is an edge between objects, with the gripper replaced by its robot.
type edge struct {
	subject  state.Object
	place    bool
	object   state.Object
	relation ontology.TermID
}

// edges lists the places, what stands in front of what, and how else objects stand to one
// another, each relation once where its inverse says the same. What the robot is near to
// follows from what it is about to do.
func (b *builder) edges() []edge {
	var out []edge
	for i := range b.s.Objects.Items {
		x := state.Object(i)
		if at := b.s.Place(x).At; at != state.Nothing && !b.s.Gone(x) {
			out = append(out, edge{x, true, b.whole(at), b.s.Place(x).Term})
		}
	}
	for _, e := range b.s.Edges() {
		if !b.s.Gone(e.Subject) && !b.s.Gone(e.Object) && b.whole(e.Subject) != b.v.Robot && b.whole(e.Object) != b.v.Robot && b.says(e) {
			out = append(out, edge{e.Subject, false, e.Object, e.Relation})
		}
	}
	return out
}

// says reports whether an edge is the one that is kept of two that say the same.
func (b *builder) says(e state.Edge) bool {
	inverse := b.onto.Inverse(e.Relation)
	switch {
	case b.onto.Symmetric(e.Relation):
		return e.Subject < e.Object || !b.s.HasEdge(e.Object, e.Relation, e.Subject)
	case inverse != ontology.None:
		return e.Relation < inverse || !b.s.HasEdge(e.Object, inverse, e.Subject)
	}
	return true
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
		core = append([]state.Object{b.v.Call.Target, b.v.Call.Destination}, b.affected...)
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
			edge := scene.Edge{Subject: b.s.Objects.Name(e.subject), Relation: name, Object: b.s.Objects.Name(e.object), Place: e.place}
			if e.place {
				edge.Relation = placeRelation(b.onto)
				if b.onto.IsSub(e.relation, b.onto.Core.LocatedAt) && e.relation != b.onto.Core.LocatedAt {
					edge.Label = name
				}
			}
			g.Edges = append(g.Edges, edge)
		}
	}
	b.addSubtask(g)
	return g
}

func (b *builder) node(x state.Object) scene.Node {
	n := scene.Node{ID: b.s.Objects.Name(x), Class: className(b.s.Objects, x)}
	n.Values = b.s.Readings(x)
	for slot := int32(1); slot < b.s.StateSlots(); slot++ {
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
func (b *builder) addSubtask(g *scene.Graph) {
	c := b.v.Call
	if c.Schema == nil {
		return
	}
	g.Nodes = append(g.Nodes, scene.Node{ID: SubtaskNode, Class: c.Schema.Name})
	link := func(relation string, to state.Object) {
		name := b.s.Objects.Name(to)
		if slices.ContainsFunc(g.Nodes, func(n scene.Node) bool { return n.ID == name }) {
			g.Edges = append(g.Edges, scene.Edge{Subject: SubtaskNode, Relation: relation, Object: name, Functional: true})
		}
	}
	link("target", c.Target)
	link("destination", c.Destination)
	for _, x := range b.affected {
		link("changes", x)
	}
}

// Common leaves of two graphs what both can tell: of nodes, compared by ID, the states in
// dimensions that both know something of, and of relations other than places those of
// which both have some, as a log of one camera may not say what is left of what. What stands
// in front of something is told by every log.
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
	untold := func(e scene.Edge) bool {
		id, known := o.Lookup(e.Relation)
		return known && !e.Place && id != o.Core.Occluding && (!has(o, observed, id) || !has(o, expected, id))
	}
	known := func(g *scene.Graph, other map[string]map[ontology.TermID]bool) *scene.Graph {
		out := &scene.Graph{Edges: slices.DeleteFunc(slices.Clone(g.Edges), untold)}
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

// has reports whether a graph has an edge of a relation or of its inverse.
func has(o *ontology.Ontology, g *scene.Graph, relation ontology.TermID) bool {
	return slices.ContainsFunc(g.Edges, func(e scene.Edge) bool {
		id, known := o.Lookup(e.Relation)
		return known && (id == relation || id == o.Inverse(relation))
	})
}
