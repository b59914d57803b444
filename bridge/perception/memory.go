package perception

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/mishap-robotics/mishap/bridge/perception/geometry"
	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/engine/scene"
	"github.com/mishap-robotics/mishap/ontology"
)

// Thing is something that is remembered.
type Thing struct {
	Name   string // an instance, such as Mug-1
	Class  string
	Shape  *geometry.Shape // nil where nobody knows where it is
	States map[string]float64
	track  string
	place  string // name of what it was in or on
	sights int    // of which Shape is the mean
}

// Memory keeps the things of a scene over time (REFLECT, appendix A.2). It has the four
// operations of the paper:
//
//	add      what is seen and is none of the things known is a new one
//	update   what is seen where it was, by the misalignment of the ontology, is the same;
//	         its cloud is joined, its box averaged, with what was seen before
//	replace  what is seen elsewhere is one that was known and has moved: that with the same
//	         track, else one that the robot acts on or holds, that is lost, or that is not
//	         seen although what it was in or on is
//	delete   what the robot acts on and is not seen is lost: nobody knows where it is
type Memory struct {
	onto      *ontology.Ontology
	relations *geometry.Relations
	things    []*Thing // by name
	held      *Thing
}

// NewMemory is a memory of nothing.
func NewMemory(o *ontology.Ontology) *Memory {
	return &Memory{onto: o, relations: geometry.NewRelations(o)}
}

// Things are those that are remembered, by name.
func (m *Memory) Things() []*Thing { return m.things }

// Gripper is what is known of the gripper.
type Gripper struct {
	Fingers *geometry.Shape // between which it holds something; nil where that is not known
	Closed  bool            // on something
}

// Sight is what is known at one time.
type Sight struct {
	Detections []Detection // as Merge gives them
	Acted      []string    // what the robot acts on, as the action names it
	Gripper    *Gripper    // nil where it was not observed
	Robot      *geometry.Shape
	Camera     *geometry.Camera
}

// Observe takes in what is seen and gives the scene graph of it: what is seen now with its
// states, how it stands to one another, and where it is. What is only remembered is a node where
// something that is seen is in or on it.
func (m *Memory) Observe(s Sight) episode.Observation {
	acted := func(t *Thing) bool { return t == m.held || m.names(s.Acted, t) }
	seen := m.match(s.Detections, acted)
	m.hold(s.Gripper, seen)
	for _, t := range m.things {
		if !slices.Contains(seen, t) && acted(t) && t != m.held {
			t.Shape, t.place = nil, ""
		}
	}
	return m.graph(s, seen)
}

// names reports whether an action may mean a thing.
func (m *Memory) names(acted []string, t *Thing) bool {
	return slices.ContainsFunc(acted, func(name string) bool {
		if name == t.Name {
			return true
		}
		class, n := episode.SplitName(name)
		if n != 0 {
			return false
		}
		own := m.onto.Term(t.Class)
		return slices.ContainsFunc(m.onto.ByLabel(class, m.onto.Core.PhysicalObject), func(c ontology.TermID) bool { return own != ontology.None && m.onto.IsA(own, c) })
	})
}

// pair is a thing that a detection may be.
type pair struct {
	thing *Thing
	at    int // of the detection
	apart float64
}

// match tells which thing each detection is, and gives the things, by name.
func (m *Memory) match(detections []Detection, acted func(*Thing) bool) []*Thing {
	of := make([]*Thing, len(detections))
	taken := map[*Thing]bool{}
	// settle takes the best of those that may be, the nearest first.
	settle := func(may func(*Thing, Detection) bool) {
		var pairs []pair
		for i, d := range detections {
			for _, t := range m.things {
				if of[i] != nil || taken[t] || t.Class != d.Class || !may(t, d) {
					continue
				}
				apart := 1e9
				if t.Shape != nil {
					apart = t.Shape.Misalignment(d.Shape)
				}
				pairs = append(pairs, pair{t, i, apart})
			}
		}
		slices.SortStableFunc(pairs, func(a, b pair) int { return cmp.Compare(a.apart, b.apart) })
		for _, p := range pairs {
			if of[p.at] == nil && !taken[p.thing] {
				of[p.at], taken[p.thing] = p.thing, true
			}
		}
	}
	aligned := func(t *Thing, d Detection) bool {
		return t.Shape != nil && t.Shape.Misalignment(d.Shape) <= misalignment(m.onto, t.Class)
	}
	settle(aligned)
	settle(func(t *Thing, d Detection) bool { return d.Track != "" && t.track == d.Track })
	// A tracker that gives things names of their own tells new ones from those that moved.
	free := func(d Detection) bool { return m.ownName(d) == "" }
	settle(func(t *Thing, d Detection) bool { return acted(t) && free(d) })
	settle(func(t *Thing, d Detection) bool { return t.Shape == nil && free(d) })
	inView := func(t *Thing) bool {
		return t.place != "" && slices.ContainsFunc(of, func(p *Thing) bool { return p != nil && p.Name == t.place })
	}
	settle(func(t *Thing, d Detection) bool { return inView(t) && free(d) })
	for i, d := range detections {
		if of[i] == nil {
			of[i] = m.add(d)
			continue
		}
		m.update(of[i], d, aligned(of[i], d))
	}
	slices.SortFunc(of, func(a, b *Thing) int { return cmp.Compare(a.Name, b.Name) })
	return of
}

// ownName is the name that a track gives a thing of which none is known yet: an instance
// of its class; "" where it gives none.
func (m *Memory) ownName(d Detection) string {
	class, n := episode.SplitName(d.Track)
	if n < 1 || class != d.Class || m.thing(d.Track) != nil {
		return ""
	}
	return d.Track
}

func (m *Memory) thing(name string) *Thing {
	i, found := slices.BinarySearchFunc(m.things, name, func(t *Thing, name string) int { return cmp.Compare(t.Name, name) })
	if !found {
		return nil
	}
	return m.things[i]
}

// mostSights is how many sights the mean of a box is taken of.
const mostSights = 20

func (m *Memory) update(t *Thing, d Detection, aligned bool) {
	t.track, t.States = cmp.Or(d.Track, t.track), d.States
	if !aligned {
		t.Shape, t.sights, t.place = d.Shape, 1, ""
		return
	}
	if t.Shape.Points() == nil && d.Shape.Points() == nil {
		sights := slices.Repeat([]*geometry.Shape{t.Shape}, t.sights)
		t.Shape = geometry.Mean(append([]*geometry.Shape{d.Shape}, sights...))
		t.sights = min(t.sights+1, mostSights)
		return
	}
	t.Shape = geometry.Mean([]*geometry.Shape{t.Shape, d.Shape})
}

func (m *Memory) add(d Detection) *Thing {
	t := &Thing{Name: m.ownName(d), Class: d.Class, Shape: d.Shape, States: d.States, track: d.Track, sights: 1}
	for n := 1; t.Name == ""; n++ {
		if name := d.Class + "-" + strconv.Itoa(n); m.thing(name) == nil {
			t.Name = name
		}
	}
	i, _ := slices.BinarySearchFunc(m.things, t.Name, func(t *Thing, name string) int { return cmp.Compare(t.Name, name) })
	m.things = slices.Insert(m.things, i, t)
	return t
}

// hold tells what the gripper holds: what it is closed about, else what it held before and
// has not let go of.
func (m *Memory) hold(g *Gripper, seen []*Thing) {
	if g == nil {
		return
	}
	if !g.Closed {
		m.held = nil
		return
	}
	if g.Fingers == nil {
		return
	}
	shapes := make([]*geometry.Shape, len(seen))
	for i, t := range seen {
		shapes[i] = t.Shape
	}
	may := func(i int) bool {
		class := m.onto.Term(seen[i].Class)
		return class == ontology.None || m.onto.HasProperty(class, m.onto.Roles.Movable)
	}
	switch i := m.relations.Held(shapes, g.Fingers, g.Closed, may); {
	case i >= 0:
		m.held = seen[i]
	case m.held != nil && slices.Contains(seen, m.held):
		m.held = nil // it is seen elsewhere
	}
}

func (m *Memory) graph(s Sight, seen []*Thing) episode.Observation {
	o := m.onto
	// What is seen comes first, then what is remembered, then the robot.
	things := slices.Clone(seen)
	for _, t := range m.things {
		if t.Shape != nil && t != m.held && !slices.Contains(seen, t) {
			things = append(things, t)
		}
	}
	shapes := make([]*geometry.Shape, len(things))
	for i, t := range things {
		shapes[i] = t.Shape
	}
	var obs episode.Observation
	for _, t := range seen {
		t.place = ""
		obs.Nodes = append(obs.Nodes, scene.Node{ID: t.Name, Class: t.Class, States: geometry.States(o, t.States)})
	}
	relations := m.relations.Between(shapes, s.Camera)
	relations = slices.DeleteFunc(relations, func(r geometry.Relation) bool {
		return things[r.Subject] == m.held || things[r.Object] == m.held && !r.IsPlace()
	})
	for _, r := range geometry.Immediate(shapes, relations) {
		remembered := func(i int) bool { return i >= len(seen) }
		if remembered(r.Subject) || remembered(r.Object) && !r.IsPlace() {
			continue
		}
		object := things[r.Object]
		if r.IsPlace() {
			things[r.Subject].place = object.Name
		}
		if remembered(r.Object) && !slices.ContainsFunc(obs.Nodes, func(n scene.Node) bool { return n.ID == object.Name }) {
			obs.Nodes = append(obs.Nodes, scene.Node{ID: object.Name, Class: object.Class})
		}
		obs.Edges = append(obs.Edges, scene.Edge{Subject: things[r.Subject].Name, Relation: o.Name(r.Is.Relation), Object: object.Name})
	}
	if s.Robot != nil {
		for _, t := range seen {
			if m.relations.Near(s.Robot, t.Shape) {
				obs.Edges = append(obs.Edges, scene.Edge{Subject: o.Instance(o.Core.Robot, 1), Relation: o.Name(o.Core.Near), Object: t.Name})
			}
		}
	}
	if m.held != nil {
		if !slices.Contains(seen, m.held) {
			obs.Nodes = append(obs.Nodes, scene.Node{ID: m.held.Name, Class: m.held.Class})
		}
		obs.Edges = append(obs.Edges, scene.Edge{Subject: m.held.Name, Relation: o.Name(o.Core.Inside), Object: o.Instance(o.Core.RobotGripper, 1)})
	}
	slices.SortFunc(obs.Nodes, func(a, b scene.Node) int { return cmp.Compare(a.ID, b.ID) })
	slices.SortFunc(obs.Edges, func(a, b scene.Edge) int {
		return cmp.Or(cmp.Compare(a.Subject, b.Subject), cmp.Compare(a.Relation, b.Relation), cmp.Compare(a.Object, b.Object))
	})
	return obs
}

// Informed leaves of a scene graph what matters for a task: the things that match a name
// that it speaks of, what stands in a relation to one of them, and what the gripper holds (REFLECT,
// section 3.1.1).
func (m *Memory) Informed(obs episode.Observation, named []string) episode.Observation {
	keep := map[string]bool{}
	for _, n := range obs.Nodes {
		if m.names(named, &Thing{Name: n.ID, Class: n.Class}) {
			keep[n.ID] = true
		}
	}
	near := map[string]bool{}
	agents := func(name string) bool { return m.thing(name) == nil }
	for _, e := range obs.Edges {
		if keep[e.Subject] || keep[e.Object] || agents(e.Subject) || agents(e.Object) {
			near[e.Subject], near[e.Object] = true, true
		}
	}
	obs.Nodes = slices.DeleteFunc(slices.Clone(obs.Nodes), func(n scene.Node) bool { return !keep[n.ID] && !near[n.ID] })
	obs.Edges = slices.DeleteFunc(slices.Clone(obs.Edges), func(e scene.Edge) bool {
		return !keep[e.Subject] && !keep[e.Object] && !agents(e.Subject) && !agents(e.Object)
	})
	return obs
}
