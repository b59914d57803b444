package grounding

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/engine/internal/state"
	"github.com/mishap-robotics/mishap/engine/language"
	"github.com/mishap-robotics/mishap/engine/scene"
	"github.com/mishap-robotics/mishap/ontology"
	"github.com/mishap-robotics/mishap/ontology/decimal"
)

// SeenState is an observed state.
type SeenState struct {
	Obj   state.Object
	State ontology.TermID
}

// SeenValue is how much a quantity of an object was measured to be.
type SeenValue struct {
	Obj      state.Object
	Quantity ontology.TermID
	Number   decimal.Decimal
}

// Observation is an observation with its names resolved.
type Observation struct {
	Missing  bool
	Complete bool
	Seen     []state.Object // in order of the table; not to be changed, as the other lists
	States   []SeenState
	Values   []SeenValue
	Places   []state.Edge   // of each object that shows its place that, in order of the table
	Edges    []state.Edge   // relations that are no places
	Hands    []state.Object // grippers of the agent that it shows, be they empty
	Gripper  bool           // it tells what is in a gripper, see ShowsGripper
	all      []state.Edge
}

// All are Places and then Edges, as one list.
func (o *Observation) All() []state.Edge { return o.all }

// Shown reports whether an object is seen.
func (o *Observation) Shown(x state.Object) bool {
	_, ok := slices.BinarySearch(o.Seen, x)
	return ok
}

// Place is the place that the observation shows of an object.
func (o *Observation) Place(x state.Object) (state.Edge, bool) {
	i, ok := slices.BinarySearchFunc(o.Places, x, ofSubject)
	if !ok {
		return state.Edge{}, false
	}
	return o.Places[i], true
}

func ofSubject(e state.Edge, x state.Object) int { return int(e.Subject - x) }

// ShowsPlace reports whether the observation shows the place of an object.
func (o *Observation) ShowsPlace(x state.Object) bool { _, ok := o.Place(x); return ok }

// ShowsAt reports whether the observation shows an object in or on another.
func (o *Observation) ShowsAt(x, at state.Object) bool {
	p, ok := o.Place(x)
	return ok && p.Object == at
}

// Shows reports whether the observation shows a fluent with a value.
func (o *Observation) Shows(f state.Fluent, v state.Value) bool {
	if f.Slot == state.PlaceSlot {
		return o.ShowsAt(f.Obj, v.At)
	}
	return o.showsState(f.Obj, v.Term) ||
		slices.ContainsFunc(o.Values, func(s SeenValue) bool { return s.Obj == f.Obj && s.Quantity == v.Term })
}

func (o *Observation) showsState(x state.Object, st ontology.TermID) bool {
	return slices.Contains(o.States, SeenState{x, st})
}

// label is a label with the kind of term that it is to mean.
type label struct {
	text string
	kind ontology.TermID
}

// fewLabels is how many labels are kept at once: a log has not as many, but for words that
// nobody knows and that never come again.
const fewLabels = 512

// labelled is ontology.ByLabel, kept for the next time.
func (n *Names) labelled(text string, kind ontology.TermID) []ontology.TermID {
	ids, ok := n.labels.Get(label{text, kind})
	if !ok {
		ids = n.onto.ByLabel(text, kind)
		n.labels.Keep(label{text, kind}, ids, fewLabels)
	}
	return ids
}

// Observation resolves the names of what was observed after a step.
func (n *Names) Observation(st *episode.Step) *Observation {
	seen := &st.Observation
	o := &Observation{Missing: seen.Missing || n.isBlank(st), Complete: seen.Complete}
	var full []state.Object // grippers that are said to hold something
	m := &n.meant
	m.places.begin(len(seen.Edges))
	o.States, o.Edges = m.room.states[:0], m.room.edges[:0]
	for i := range seen.Nodes {
		node := &seen.Nodes[i]
		if node.ID == "" {
			n.warn(st.Line, "a node without an ID in an observation; it is not used")
			o.Gripper = o.Gripper || n.isEmptyGripper(node)
			continue
		}
		x, told := n.node(node, i)
		m.seen.add(x)
		for _, name := range node.States {
			id := n.State(x, name, st.Line)
			if id != ontology.None && n.objects.IsA(x, n.onto.Core.RobotGripper) && n.onto.Roles.Filled != ontology.None && n.onto.StateIs(id, n.onto.Roles.Filled) > 0 {
				full = append(full, x)
				continue
			}
			if id != ontology.None && n.objects.IsA(x, n.onto.Core.RobotGripper) && (id == n.onto.Roles.Enclosing || id == n.onto.Open()) {
				continue // a closed gripper shuts nothing in
			}
			if id != ontology.None {
				o.States = append(o.States, SeenState{x, id})
			}
		}
		for _, id := range told.States {
			if !slices.ContainsFunc(o.States, func(s SeenState) bool { return s.Obj == x && n.onto.StateIs(s.State, id) != 0 }) {
				o.States = append(o.States, SeenState{x, id})
			}
		}
		o.Gripper = o.Gripper || n.isEmptyGripper(node)
		for _, a := range n.amounts(node.Values, n.objects.Name(x), st.Line) {
			o.Values = append(o.Values, SeenValue{x, a.Quantity, a.Number})
		}
	}
	m.end(seen.Nodes)
	for i := range seen.Edges {
		e, ok := n.edge(&seen.Edges[i], i, st)
		if o.Gripper = o.Gripper || e.tells; ok {
			n.addEdge(o, e, st)
		}
	}
	m.graph.Edges, m.edges = seen.Edges, m.edges[:min(len(m.edges), len(seen.Edges))]
	o.Seen, o.Places = m.seen.take(), m.places.take()
	m.share(o)
	o.Hands = slices.DeleteFunc(n.visible(n.hands(n.agent(st.Agent)), o), func(h state.Object) bool { return slices.Contains(full, h) })
	return o
}

// isBlank reports whether an observation shows nothing at all at a step at which nothing was heard to
// fall either, as of a camera that dropped a frame: it tells as little as none, but where it is
// complete, or each tells what the gripper holds.
func (n *Names) isBlank(st *episode.Step) bool {
	seen := &st.Observation
	if len(seen.Nodes) > 0 || len(seen.Edges) > 0 || seen.Complete || n.ep.GripperObserved {
		return false
	}
	return !slices.ContainsFunc(st.Sounds, func(s string) bool {
		id, known := n.sound(s)
		return !known || n.onto.Roles.FallSound == ontology.None || n.onto.IsA(id, n.onto.Roles.FallSound)
	})
}

// read finds what an edge means; ok is false where it is not used, stays where it may mean
// something else in the next look.
func (n *Names) read(edge scene.Edge, st *episode.Step) (out meantEdge, ok, stays bool) {
	rel := n.labelled(edge.Relation, n.onto.Core.Relation)
	if len(rel) == 0 {
		edge.Relation = cmp.Or(language.RelationLabel(n.onto, edge.Relation), edge.Relation)
		rel = n.labelled(edge.Relation, n.onto.Core.Relation)
	}
	out.tells = isOfGripper(n.onto, &edge, n.subjects.of(edge.Subject), n.containers.of(edge.Object))
	if edge.Subject == "" || edge.Object == "" {
		n.warn(st.Line, fmt.Sprintf("relation %q of nothing in an observation; it is not used", edge.Relation))
		return out, false, false
	}
	if len(rel) == 0 {
		edge = ordered(n.onto, edge)
		rel = n.labelled(edge.Relation, n.onto.Core.Relation)
	}
	x, y := n.Object(edge.Subject, ""), n.Object(edge.Object, "")
	if len(rel) == 0 {
		n.warn(st.Line, fmt.Sprintf("unknown relation %q between %s and %s; it is kept but no rule can use it", edge.Relation, edge.Subject, edge.Object))
		return out, false, false
	}
	e := state.Edge{Subject: x, Relation: n.onto.RelationTo(n.onto.Narrowest(rel), n.objects.Class(x), n.objects.Class(y)), Object: y}
	held := e.Relation == n.onto.Core.Inside && n.objects.IsA(y, n.onto.Core.Robot)
	e.Object = n.hand(e)
	y = e.Object
	out.Edge, out.closeness = e, n.closeness(e)
	out.gripper = n.objects.IsA(y, n.onto.Core.RobotGripper)
	out.handle = out.gripper && n.onto.HasProperty(n.objects.Class(x), n.onto.Roles.Fastened)
	out.within = n.onto.IsSub(e.Relation, n.onto.Core.Within)
	out.functional = slices.ContainsFunc(e.Ways(n.onto), func(w state.Edge) bool { return n.onto.Functional(w.Relation) })
	return out, true, !held
}

// addEdge takes in one edge. An edge names what it relates as seen. Of two
// places of one object the gripper counts before an inside, and that before an
// on top of.
func (n *Names) addEdge(o *Observation, m *meantEdge, st *episode.Step) {
	e, x, y := m.Edge, m.Subject, m.Object
	seen, places := &n.meant.seen, &n.meant.places
	seen.add(x)
	switch {
	case m.handle:
		return // it has hold of a handle
	case !m.gripper:
		seen.add(y)
	}
	if !m.within {
		if before, now, ok := n.contradicted(o, m); ok {
			n.ep.Warn(st.Line, fmt.Sprintf("%s %s %s and %s, which is to one thing only; the first counts",
				n.objects.Name(now.Subject), n.onto.Name(now.Relation), n.objects.Name(before.Object), n.objects.Name(now.Object)))
			return
		}
		o.Edges = append(o.Edges, e)
		return
	}
	old := places.of(x)
	if old == nil {
		places.add(e)
		return
	}
	was := *old
	if m.closeness > n.closeness(was) {
		*old = e
	}
	if m.closeness == n.closeness(was) && was.Object != y {
		n.warn(st.Line, fmt.Sprintf("%s is said to be in two places, %s and %s; the first counts",
			n.objects.Name(x), n.objects.Name(was.Object), n.objects.Name(y)))
	}
}

// ordered writes an edge that a log reads from its object, "bowl contains apple", as the
// ontology has it, "apple inside bowl".
func ordered(o *ontology.Ontology, e scene.Edge) scene.Edge {
	if rel := o.ByInverseLabel(e.Relation); rel != ontology.None {
		e.Subject, e.Relation, e.Object = e.Object, o.Name(rel), e.Subject
	}
	return e
}

// Order writes the edges that a log reads from their objects, or with a verb, as the ontology has them.
// The lines that it changes are copies.
func Order(o *ontology.Ontology, steps []episode.Step) []episode.Step {
	labels := map[string]string{}
	isTurned := func(e scene.Edge) bool {
		if len(o.ByLabel(e.Relation, o.Core.Relation)) > 0 {
			return false
		}
		label, ok := labels[e.Relation]
		if !ok {
			label = cmp.Or(language.RelationLabel(o, e.Relation), e.Relation)
			labels[e.Relation] = label
		}
		return label != e.Relation || o.ByInverseLabel(label) != ontology.None
	}
	out := steps
	for i := range steps {
		if !slices.ContainsFunc(steps[i].Observation.Edges, isTurned) {
			continue
		}
		if &out[0] == &steps[0] {
			out = slices.Clone(steps)
		}
		edges := slices.Clone(steps[i].Observation.Edges)
		for k, e := range edges {
			if isTurned(e) {
				e.Relation = labels[e.Relation]
				edges[k] = ordered(o, e)
			}
		}
		out[i].Observation.Edges = edges
	}
	return out
}

// isEmptyGripper reports whether a node is a gripper that is said to be empty.
func isEmptyGripper(o *ontology.Ontology, n *scene.Node, states func(label string) []ontology.TermID) bool {
	empty := o.Opposite(o.Roles.Filled)
	if empty == ontology.None || !slices.ContainsFunc(n.States, func(s string) bool { return slices.Contains(states(s), empty) }) {
		return false
	}
	word, _ := episode.SplitName(n.ID)
	if n.Class != "" {
		word = n.Class
	}
	return o.IsA(ClassOf(o, word), o.Core.RobotGripper)
}

func (n *Names) isEmptyGripper(node *scene.Node) bool {
	return len(node.States) > 0 && isEmptyGripper(n.onto, node, func(s string) []ontology.TermID { return n.labelled(s, n.onto.Core.StateClass) })
}

// ShowsGripper reports whether an observation tells what is in a gripper: "in the gripper",
// "held by the robot", "the robot holds", or that one is empty.
func ShowsGripper(o *ontology.Ontology, seen *episode.Observation) bool {
	of, in := classes{onto: o}, classes{onto: o}
	for i := range seen.Edges {
		if e := &seen.Edges[i]; isOfGripper(o, e, of.of(e.Subject), in.of(e.Object)) {
			return true
		}
	}
	return slices.ContainsFunc(seen.Nodes, func(n scene.Node) bool {
		return isEmptyGripper(o, &n, func(s string) []ontology.TermID { return o.ByLabel(s, o.Core.StateClass) })
	})
}

// classes are those of names, of which one after the other is often of the same kind.
type classes struct {
	onto *ontology.Ontology
	word string
	last ontology.TermID // of the word, which is "" before the first
}

func (c *classes) of(name string) ontology.TermID {
	if word, _ := episode.SplitName(name); word != c.word || word == "" {
		c.word, c.last = word, ClassOf(c.onto, word)
	}
	return c.last
}

// isOfGripper reports whether an edge tells what is in a gripper, by the classes of the two.
func isOfGripper(o *ontology.Ontology, e *scene.Edge, subject, object ontology.TermID) bool {
	switch {
	case o.IsA(object, o.Core.RobotGripper):
		return true
	case o.IsA(object, o.Core.Robot):
		return slices.Contains(o.ByLabel(e.Relation, o.Core.Relation), o.Core.Inside)
	}
	return (o.IsA(subject, o.Core.RobotGripper) || o.IsA(subject, o.Core.Robot)) && o.ByInverseLabel(e.Relation) == o.Core.Inside
}

// hand is the gripper of a robot that is said to hold something, else the thing itself.
func (n *Names) hand(e state.Edge) state.Object {
	if e.Relation == n.onto.Core.Inside && n.objects.IsA(e.Object, n.onto.Core.Robot) {
		if hands := n.hands(e.Object); len(hands) > 0 {
			return hands[0]
		}
	}
	return e.Object
}

// contradicted is the edge seen before that says of a functional relation, read either way
// round, that it is to another thing, and the reading of e that it stands against; ok is
// false where there is none.
func (n *Names) contradicted(o *Observation, e *meantEdge) (before, now state.Edge, ok bool) {
	if !e.functional {
		return before, now, false
	}
	for _, now := range e.Ways(n.onto) {
		if !n.onto.Functional(now.Relation) {
			continue
		}
		for _, f := range o.Edges {
			for _, before := range f.Ways(n.onto) {
				if before.Relation == now.Relation && before.Subject == now.Subject && before.Object != now.Object {
					return before, now, true
				}
			}
		}
	}
	return before, now, false
}

func (n *Names) closeness(e state.Edge) int8 {
	switch {
	case n.objects.IsA(e.Object, n.onto.Core.RobotGripper):
		return 3
	case e.Relation == n.onto.Core.Inside:
		return 2
	}
	return 1
}

// amounts reads what was measured of something. What the ontology does not know, or what
// does not fit it, is told of and not used.
func (n *Names) amounts(readings scene.Readings, of string, line int) []state.Amount {
	var out []state.Amount
	for _, r := range readings {
		q := n.onto.QuantityNamed(r.Quantity)
		if q == nil {
			n.warn(line, fmt.Sprintf("unknown quantity %q%s; it is kept but no rule can use it", r.Quantity, n.onto.QuantityHint(r.Quantity)))
			continue
		}
		number, err := q.Read(r.Number, r.Unit)
		if err != nil {
			n.warn(line, fmt.Sprintf("%s has %s; it is not used", of, err))
			continue
		}
		out = append(out, state.Amount{Quantity: q.Term, Number: number})
	}
	return out
}

// Values reads what an action is carried out with: what the step tells, and the numbers among
// the arguments of the action where it does not.
func (n *Names) Values(st *episode.Step) []state.Amount {
	readings := st.Values
	if schema, ok := n.onto.Action(st.Action.Name); ok && slices.ContainsFunc(schema.Parameters, func(p ontology.Parameter) bool { return p.Value }) {
		for _, r := range st.Action.Readings(schema) {
			q := n.onto.QuantityNamed(r.Quantity)
			if q != nil && !slices.ContainsFunc(st.Values, func(told scene.Reading) bool { return n.onto.QuantityNamed(told.Quantity) == q }) {
				readings = append(slices.Clip(readings), r)
			}
		}
	}
	if len(readings) == 0 {
		return nil
	}
	return n.amounts(readings, st.Action.String(), st.Line)
}

// State finds a state by name or label, None where there is none. "watered" of a plant
// and "filled with water" of a pot are one.
func (n *Names) State(x state.Object, name string, line int) ontology.TermID {
	ids := n.labelled(name, n.onto.Core.StateClass)
	if len(ids) == 0 {
		if id, ok := language.State(n.onto, name); ok {
			n.fullOf(x, name)
			if id == n.onto.Roles.Filled { // with what there is no state for: sugar
				n.mark(x, name)
			}
			return id
		}
		n.mark(x, name)
		n.warn(line, fmt.Sprintf("unknown state %q of %s%s; it is kept but no rule can use it", name, n.objects.Name(x), n.onto.StateHint(name)))
		return ontology.None
	}
	if ids[0] == n.onto.Roles.Filled {
		return n.fullOfItself(x)
	}
	return ids[0]
}

// fullOfItself is the state of a thing that is said to be full: what is called after a liquid is full
// of that, and milk filled with milk.
func (n *Names) fullOfItself(x state.Object) ontology.TermID {
	for st, liquid := range n.onto.Filled() {
		if n.objects.IsA(x, liquid) && n.onto.StateIs(st, n.onto.Roles.Filled) > 0 {
			return st
		}
	}
	return n.onto.Roles.Filled
}

// sound is language.Sound, kept for the next time.
func (n *Names) sound(text string) (ontology.TermID, bool) {
	key := label{text, n.onto.Core.Sound}
	ids, ok := n.labels.Get(key)
	if !ok {
		if id, known := language.Sound(n.onto, text); known {
			ids = []ontology.TermID{id}
		}
		n.labels.Keep(key, ids, fewLabels)
	}
	if len(ids) == 0 {
		return ontology.None, false
	}
	return ids[0], true
}

// Sensed is what a sensor told of at a step, or after it and before the next. A sound is of
// nothing.
type Sensed struct {
	Step     int32
	Kind     ontology.TermID
	Obj      state.Object    // Nothing where it is of nothing
	Measured bool            // with a number
	Number   decimal.Decimal // in the unit of the quantity that the kind measures
	Line     int             // of the log
}

// Sensed finds what events mean. One of a kind that the ontology does not have is told of and
// left out, and so is a number that does not fit.
func (n *Names) Sensed(events []episode.SensorEvent, step int32, line int) []Sensed {
	var out []Sensed
	for i := range events {
		e := &events[i]
		line := cmp.Or(e.Line, line)
		ids := n.labelled(e.Kind, n.onto.Core.SensorEvent)
		if len(ids) == 0 {
			n.warn(line, fmt.Sprintf("unknown kind of sensor event %q%s; it is kept but no rule can use it", e.Kind, n.onto.EventHint(e.Kind)))
			continue
		}
		s := Sensed{Step: step, Kind: ids[0], Obj: state.Nothing, Line: line}
		if e.Object != "" {
			s.Obj = n.Object(e.Object, "")
		}
		if e.Measured {
			q := n.onto.MeasuredBy(s.Kind)
			if q == nil {
				n.warn(line, fmt.Sprintf("%s comes with a number, and nothing says what %s measures; expected m:measures with a quantity in the ontology; the number is not used", e, n.onto.Name(s.Kind)))
			} else if number, err := q.Read(e.Number, e.Unit); err != nil {
				n.warn(line, fmt.Sprintf("%s has %s; it is not used", e.Kind, err))
			} else {
				s.Measured, s.Number = true, number
			}
		}
		out = append(out, s)
	}
	return out
}

// Sounds finds the sounds that were heard at a step.
func (n *Names) Sounds(st *episode.Step) []ontology.TermID {
	var out []ontology.TermID
	for _, s := range st.Sounds {
		if id, ok := n.sound(s); ok {
			out = append(out, id)
		} else {
			n.warn(st.Line, fmt.Sprintf("unknown sound %q; it is kept but no rule can use it", s))
		}
	}
	return out
}
