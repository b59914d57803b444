package grounding

import (
	"fmt"
	"slices"

	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/engine/internal/interrupt"
	"github.com/mishap-robotics/mishap/engine/internal/state"
	"github.com/mishap-robotics/mishap/engine/scene"
	"github.com/mishap-robotics/mishap/ontology"
)

// AddEpisode adds everything that an episode names, where steps are its lines:
// numbered objects first, so that bare names can mean them.
func (n *Names) AddEpisode(steps []episode.Step, stop *interrupt.Flag) {
	m := mentions{names: n}
	for i := 0; i < len(steps) && !stop.Raised(); i++ {
		n.addHandOf(&steps[i])
	}
	n.addOwnHands(steps, stop)
	n.nameOnlyHand(steps, stop)
	for i := 0; i < len(steps) && !stop.Raised(); i++ {
		m.observation(&steps[i].Observation)
	}
	n.addReadings()
	for _, a := range n.ep.Plan {
		m.action(a)
	}
	for i := 0; i < len(steps) && !stop.Raised(); i++ {
		n.addHelper(&steps[i])
		n.addAgent(steps[i].Agent, steps[i].Action)
		m.action(steps[i].Action)
		m.events(steps[i].Events)
	}
	for _, f := range n.ep.Scene {
		m.stated(f.Subject)
		if n.onto.QuantityNamed(f.Relation) == nil {
			m.stated(f.Object)
		}
	}
	if stop.Raised() {
		return
	}
	n.addOtherHands()
	m.end()
	for i := 0; i < len(steps) && !stop.Raised(); i++ {
		n.addProperties(&steps[i])
	}
}

// AddStep adds what a line names for the first time.
func (n *Names) AddStep(st *episode.Step) {
	m := mentions{names: n}
	n.addHandOf(st)
	if !n.gripperShown() {
		n.addOwnHands([]episode.Step{*st}, nil)
	}
	warned, sameNodes := n.warned, isSame(st.Observation.Nodes, n.added.Nodes)
	m.observation(&st.Observation)
	n.addReadings()
	n.addHelper(st)
	n.addAgent(st.Agent, st.Action)
	m.action(st.Action)
	m.events(st.Events)
	n.addOtherHands()
	m.end()
	if !sameNodes {
		n.addProperties(st)
	}
	if n.added = st.Observation.Graph; n.warned > warned { // which a window may forget
		n.added = scene.Graph{}
	}
}

// isSame reports whether two lists are one. A monitor holds what two lines show alike once.
func isSame[T any](a, b []T) bool { return len(a) > 0 && len(a) == len(b) && &a[0] == &b[0] }

// mentions adds the objects that names mean; bare names wait until all others
// are known.
type mentions struct {
	names *Names
	bare  []string
	order []int // of the nodes of a look
}

// AddEvents adds what events name for the first time.
func (n *Names) AddEvents(events []episode.SensorEvent) {
	m := mentions{names: n}
	m.events(events)
	m.end()
}

func (m *mentions) events(events []episode.SensorEvent) {
	for i := range events {
		m.name(events[i].Object, "")
	}
}

func (m *mentions) name(name, class string) {
	if name == "" {
		return
	}
	if _, ok := m.names.declared[name]; ok {
		return
	}
	c, n := episode.SplitName(name)
	if class == "" && n == 0 && c == name {
		m.bare = append(m.bare, name)
		return
	}
	x := m.names.Object(name, class)
	if class == "" {
		m.contents(x, &scene.Node{ID: name})
	}
}

// contents notes what a packaging is called by: a milk carton is milk too. It stays what it was
// called first: one look may take it for another.
func (m *mentions) contents(x state.Object, node *scene.Node) {
	said := m.names.saidOf(node)
	if of := said.Contents; of != ontology.None && !slices.ContainsFunc(m.names.objects.Items[x].Also, m.names.onto.IsLiquid) {
		m.names.objects.AddClass(x, of)
	}
	for _, class := range said.After {
		m.names.objects.CallAfter(x, class)
	}
}

// stated adds what the stated scene names: it is there under that name.
func (m *mentions) stated(name string) {
	m.name(name, "")
	if name == "" {
		return
	}
	if x, ok := m.names.objects.Lookup(name); ok {
		m.names.objects.Items[x].Shown = true
	}
}

func (m *mentions) action(a episode.Action) {
	schema, _ := m.names.onto.Action(a.Name)
	for i, name := range a.Arguments() {
		if m.names.isNamed(schema, i, name) && !m.names.onto.IsWord(name, ontology.Pronoun) {
			m.name(name, "")
		}
	}
}

func (m *mentions) observation(o *episode.Observation) {
	nodes, edges := o.Nodes, o.Edges
	if before := &m.names.added; isSame(nodes, before.Nodes) {
		if nodes = nil; isSame(edges, before.Edges) {
			edges = nil
		}
	} else {
		m.names.look = m.names.look[:0]
	}
	meant := &m.names.meant
	for _, i := range m.inOrder(nodes) {
		node := &nodes[i]
		if known := meant.node(m.names.objects, i, node); known != nil {
			m.names.look = append(m.names.look, known.of)
			continue
		}
		meant.nodes = put(meant.nodes, i, unread)
		class := node.Class
		if class == "" {
			class, _ = episode.SplitName(node.ID)
		}
		m.apart(node.ID, class, nodes)
		m.name(node.ID, class)
		x, ok := m.names.objects.Lookup(node.ID)
		if !ok {
			continue
		}
		m.contents(x, node)
		m.names.noteKind(x, node)
		m.names.seen[x], m.names.look = true, append(m.names.look, x)
		m.names.objects.Items[x].Shown = true
		if m.names.objects.IsA(x, m.names.onto.Core.RobotGripper) {
			m.names.listed[x] = true
		}
		meant.nodes[i] = meantNode{x, m.names.saidOf(node), m.names.objects.Version()}
	}
	if nodes != nil {
		meant.end(nodes)
	}
	for i := range edges {
		e := &edges[i]
		if m.names.meant.edge(m.names.objects, i, e) == nil {
			m.name(e.Subject, "")
			if i == 0 || e.Object != edges[i-1].Object { // many are to one thing
				m.name(e.Object, "")
			}
		}
	}
}

// apart lets a name mean a thing of its own that so far is only read as that of another which the
// same look shows under another name: boots_1 beside sneakers_1, which are the boots Boots-1.
func (m *mentions) apart(name, class string, nodes []scene.Node) {
	objects := m.names.objects
	stem, number := episode.SplitName(name)
	x, known := objects.Lookup(name)
	if !known || number == 0 || objects.Name(x) == name {
		return
	}
	called, of := episode.SplitName(objects.Name(x))
	if of != number || episode.Spelling(called) == episode.Spelling(stem) || !slices.ContainsFunc(nodes, func(n scene.Node) bool { return n.ID == objects.Name(x) }) {
		return
	}
	if id := ClassOf(m.names.onto, class); id != ontology.None && name != m.names.onto.Instance(m.names.onto.Canonical(id), number) {
		objects.AddApart(name, id)
	}
}

// inOrder are the indexes of nodes, with those that nobody named before by their number: which of
// several things a bare name means does not depend on the order in which a look lists them.
func (m *mentions) inOrder(nodes []scene.Node) []int {
	order := m.order[:0]
	fresh := 0
	for i := range nodes {
		if order = append(order, i); m.names.meant.node(m.names.objects, i, &nodes[i]) != nil {
			continue
		}
		if _, known := m.names.objects.Lookup(nodes[i].ID); !known {
			fresh++
		}
	}
	if m.order = order; fresh < 2 {
		return order
	}
	slices.SortStableFunc(order, func(a, b int) int { return compareNumbers(nodes[a].ID, nodes[b].ID) })
	return order
}

func (m *mentions) end() {
	for _, name := range m.bare {
		if id := ClassOf(m.names.onto, name); id == ontology.None || len(m.names.sameClass(id))+len(m.names.packed(id)) == 0 {
			m.names.Object(name, "")
		}
	}
}

// addProperties notes the materials and properties that an observation shows.
func (n *Names) addProperties(st *episode.Step) {
	core := &n.onto.Core
	for i := range st.Observation.Nodes {
		node := &st.Observation.Nodes[i]
		if node.ID == "" {
			continue
		}
		x, told := n.node(node, i)
		for _, p := range told.Properties {
			n.objects.AddProperty(x, p)
		}
		for _, p := range node.Properties {
			ids := append(n.onto.ByLabel(p, core.Material), n.onto.ByLabel(p, core.PhysicalProperty)...)
			if len(ids) == 0 {
				n.warn(st.Line, fmt.Sprintf("unknown property %q of %s; it is kept but no rule can use it", p, node.ID))
			} else {
				n.objects.AddProperty(x, ids[0])
			}
		}
	}
	n.meant.end(st.Observation.Nodes)
}
