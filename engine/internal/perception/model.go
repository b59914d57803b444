package perception

import (
	"slices"

	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/engine/language"
	"github.com/mishap-robotics/mishap/engine/scene"
	"github.com/mishap-robotics/mishap/ontology"
)

// fluent names a chain: a dimension of the states of an object, None for its
// place.
type fluent struct {
	object    string
	dimension ontology.TermID
}

// model holds the chains of some lines.
type model struct {
	*filter
	steps  []episode.Step
	chains map[fluent]*chain
	order  []fluent
	nodes  map[string]scene.Node // a sight of each object
	rels   map[[2]string]string  // a relation seen between an object and its place
	least  float64               // probability of what is passed on
	held   []string              // in the gripper after each line, "" where nothing is or nobody looked
}

// The probabilities of the model, estimated from runs of the scenarios in the simulated
// kitchen, half of them with a failure. TestProbabilitiesAreMeasured counts the same
// again and holds each to the range named here; the last four are choices, each with
// its reason.
const (
	// An action with effects comes about: between 0.93 of all that are tried and 0.99 of
	// those whose preconditions hold, as nobody tells which case it is.
	succeeds = 0.95
	// What leaves the gripper with a put is where it was to be put: 0.99, rounded down.
	released = 0.97
	// A state of what fell changes: 0.4, give or take 0.2 by what is dropped.
	harms = 0.4
	// What fell is no longer in its place: always in the kitchen, rounded down.
	displaces = 0.9
	// A state is the default of its class at the start: 0.98, rounded down because the
	// scenes of tasks are tidier than kitchens are.
	startsAs = 0.9
	// A process acts on what is in its appliance at an action on something else: never in
	// some 600 cases; less often than at an action on something, 0.16.
	runsOn = 0.02
	// The sound of an action that came about is heard: (1-r)² for unheard and mislabelled
	// sounds at a rate r of error of 0.05. That of one that did not: less than r.
	heardIfDone = 0.9
	heardIfNot  = 0.03
	// Among so many places a wrong one is seen: 4 in view at a time, more in a survey.
	places = 10

	// An effect that depends on conditions, or on an appliance that runs: nothing tells
	// whether they hold, so that the look decides (the principle of indifference). Of what
	// is in an appliance 0.16 of the states change at an action.
	possible = 0.5
	// An object is in none of the places where it was seen: less than a third, so that one
	// look at the only such place is passed on at a rate of error of 0.05.
	nowhere = 0.2
	// What is passed on: 1-r at a rate of error of 0.05, as sure as a single look would be
	// without a model; less where the next action leaves no time to look again.
	sure   = 0.95
	likely = 0.8
)

func (f *filter) model(steps []episode.Step) *model {
	m := &model{filter: f, steps: steps, chains: map[fluent]*chain{}, nodes: map[string]scene.Node{}, rels: map[[2]string]string{}, held: make([]string, len(steps))}
	for t := 0; t < len(steps) && !f.stop.Raised(); t++ {
		m.see(t)
	}
	for t := 0; t < len(steps) && !f.stop.Raised(); t++ {
		m.act(t)
	}
	for _, k := range m.order {
		if f.stop.Raised() {
			break
		}
		c := m.chains[k]
		m.expect(k, c)
		c.infer(f.stop)
	}
	return m
}

// chain is the chain of a fluent, begun where it is new.
func (m *model) chain(k fluent) *chain {
	c := m.chains[k]
	if c == nil {
		n := len(m.steps)
		c = &chain{looks: make([]look, n), moves: make([]move, n)}
		for t := range n {
			c.looks[t] = look{value: -1, never: -1}
			c.moves[t] = move{to: -1}
		}
		m.chains[k] = c
		m.order = append(m.order, k)
	}
	return c
}

func (c *chain) index(value string) int {
	if i := slices.Index(c.values, value); i >= 0 {
		return i
	}
	c.values = append(c.values, value)
	return len(c.values) - 1
}

// see takes in what a line shows.
func (m *model) see(t int) {
	o := &m.steps[t].Observation
	for _, n := range o.Nodes {
		m.nodes[n.ID] = n
		for _, name := range n.States {
			if ids := m.onto.ByLabel(name, m.onto.Core.StateClass); len(ids) > 0 {
				c := m.chain(fluent{n.ID, m.onto.Dimension(ids[0])})
				c.looks[t] = look{value: c.index(m.onto.Name(ids[0])), never: -1, erratic: m.rate, among: m.others(ids[0])}
			}
		}
	}
	for _, e := range o.Edges {
		if m.isPlace(e.Relation) && m.isGripper(e.Object) {
			m.held[t] = e.Subject
		}
	}
	for _, e := range o.Edges {
		if !m.isPlace(e.Relation) || m.held[t] == e.Object && !m.laden(t, e) {
			continue
		}
		gripper := m.isGripper(e.Object)
		c := m.chain(fluent{e.Subject, ontology.None})
		if old := c.looks[t]; old.exact {
			continue
		}
		c.looks[t] = look{value: c.index(e.Object), exact: gripper, never: -1, erratic: m.rate, among: places}
		m.rels[[2]string{e.Subject, e.Object}] = e.Relation
	}
}

// others is how many states a state is mistaken for.
func (m *model) others(st ontology.TermID) float64 {
	if m.onto.Opposite(st) != ontology.None {
		return 1
	}
	n := 0.0
	for i := range m.onto.Terms {
		if t := ontology.TermID(i); t != st && m.onto.Dimension(t) == m.onto.Dimension(st) {
			n++
		}
	}
	return max(1, n)
}

// laden reports whether something was on what the gripper holds before it was
// picked up: nothing gets there meanwhile.
func (m *model) laden(t int, e scene.Edge) bool {
	for u := t - 1; u >= 0; u-- {
		if m.held[u] != e.Object {
			return slices.ContainsFunc(m.steps[u].Observation.Edges, func(f scene.Edge) bool { return f.Subject == e.Subject && f.Object == e.Object })
		}
	}
	return false
}

func (m *model) isPlace(relation string) bool {
	ids := m.onto.ByLabel(relation, m.onto.Core.Relation)
	return len(ids) > 0 && m.onto.IsSub(ids[0], m.onto.Core.Within)
}

// expect gives a chain its start and what is certain of it.
func (m *model) expect(k fluent, c *chain) {
	if k.dimension == ontology.None {
		c.index(unknown)
		for t := range m.steps {
			for i, v := range c.values {
				if l := &c.looks[t]; m.isGripper(v) && m.held[t] != k.object && !m.steps[t].Observation.Missing {
					l.never = i
				}
			}
		}
	} else {
		for _, v := range slices.Clone(c.values) {
			if id, ok := m.onto.Lookup(v); ok {
				if opposite := m.onto.Opposite(id); opposite != ontology.None && m.onto.Dimension(opposite) == k.dimension {
					c.index(m.onto.Name(opposite))
				}
			}
		}
	}
	usual := -1
	for _, st := range m.onto.DefaultStates(m.classOf(k.object, m.nodes[k.object].Class)) {
		if usual < 0 && m.onto.Dimension(st) == k.dimension && k.dimension != ontology.None {
			usual = c.index(m.onto.Name(st))
		}
	}
	n := len(c.values)
	c.first = make([]float64, n)
	for v := range c.first {
		switch {
		case k.dimension == ontology.None && c.values[v] == unknown:
			c.first[v] = nowhere
		case k.dimension == ontology.None:
			c.first[v] = (1 - nowhere) / float64(n-1)
		case usual < 0 || n == 1:
			c.first[v] = 1 / float64(n)
		case v == usual:
			c.first[v] = startsAs
		default:
			c.first[v] = (1 - startsAs) / float64(n-1)
		}
	}
}

// observed is a line as it is passed on.
func (m *model) observed(t int) episode.Step {
	st := m.steps[t]
	if st.Observation.Missing {
		return st
	}
	raw := st.Observation
	st.Sounds = m.audible(t)
	out := episode.Observation{Complete: raw.Complete}
	seen := map[string]bool{}
	for _, n := range raw.Nodes {
		seen[n.ID] = true
		out.Nodes = append(out.Nodes, m.node(t, n))
	}
	for _, name := range []string{m.meant(st.Action.Target), m.meant(st.Action.Destination)} {
		if name != "" && !seen[name] && m.missed(t, name) {
			seen[name] = true
			out.Nodes = append(out.Nodes, m.node(t, m.nodes[name]))
		}
	}
	for _, n := range out.Nodes {
		if e, ok := m.place(t, n.ID); ok {
			out.Edges = append(out.Edges, e)
		}
	}
	for _, e := range raw.Edges {
		if m.isGripper(e.Object) && !seen[e.Subject] {
			out.Edges = append(out.Edges, e)
		}
	}
	out.Edges = append(out.Edges, m.relations(t, seen)...)
	st.Observation = out
	return st
}

// audible lists the sounds of a line without those of a fall that is of nothing
// the robot handles.
func (m *model) audible(t int) []string {
	st := &m.steps[t]
	drop := m.onto.Roles.FallSound
	handled := []string{m.meant(st.Action.Target), m.held[max(0, t-1)]}
	return slices.DeleteFunc(slices.Clone(st.Sounds), func(s string) bool {
		id, ok := language.Sound(m.onto, s)
		if !ok || !m.onto.IsA(id, drop) {
			return false
		}
		of := m.onto.SoundSources(id)
		return len(of) > 0 && !slices.ContainsFunc(handled, func(x string) bool {
			return x != "" && slices.ContainsFunc(of, func(c ontology.TermID) bool { return m.onto.IsA(m.classOf(x, m.nodes[x].Class), c) })
		})
	})
}

// missed reports whether an object that an action is about was only overlooked:
// it is seen on the next line, and the robot has not moved in between.
func (m *model) missed(t int, name string) bool {
	if t+1 >= len(m.steps) {
		return false
	}
	next := &m.steps[t+1]
	if schema, ok := m.onto.Action(next.Action.Name); !ok || m.onto.IsNavigation(schema) {
		return false
	}
	return slices.ContainsFunc(next.Observation.Nodes, func(n scene.Node) bool { return n.ID == name })
}

// node is an object with its most probable states.
func (m *model) node(t int, n scene.Node) scene.Node {
	out := scene.Node{ID: n.ID, Class: n.Class, Properties: n.Properties, Values: n.Values}
	for _, name := range n.States {
		ids := m.onto.ByLabel(name, m.onto.Core.StateClass)
		if len(ids) == 0 {
			out.States = append(out.States, name)
			continue
		}
		c := m.chains[fluent{n.ID, m.onto.Dimension(ids[0])}]
		if v, p := c.best(t); p >= m.least {
			out.States = append(out.States, c.values[v])
		}
	}
	return out
}

// place is the most probable place of an object.
func (m *model) place(t int, name string) (scene.Edge, bool) {
	c := m.chains[fluent{name, ontology.None}]
	if c == nil {
		return scene.Edge{}, false
	}
	v, p := c.best(t)
	if p < m.least || c.values[v] == unknown {
		return scene.Edge{}, false
	}
	relation, ok := m.rels[[2]string{name, c.values[v]}]
	if !ok {
		relation = m.onto.Name(m.onto.Core.LocatedAt)
	}
	return scene.Edge{Subject: name, Relation: relation, Object: c.values[v]}, true
}

// relations lists those that are no places, of this line and, where one
// was overlooked, of the lines beside it.
func (m *model) relations(t int, seen map[string]bool) []scene.Edge {
	var out []scene.Edge
	for _, u := range []int{t, t - 1, t + 1} {
		if u < 0 || u >= len(m.steps) {
			continue
		}
		if schema, ok := m.onto.Action(m.steps[max(t, u)].Action.Name); u != t && (!ok || m.onto.IsNavigation(schema)) {
			continue
		}
		for _, e := range m.steps[u].Observation.Edges {
			if !m.isPlace(e.Relation) && (u == t || seen[e.Object]) && !slices.Contains(out, e) {
				out = append(out, e)
			}
		}
	}
	return out
}
