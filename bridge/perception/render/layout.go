package render

import (
	"slices"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/engine/scene"
	"github.com/mishap-robotics/mishap/ontology"
)

// thing is something as it stands in space.
type thing struct {
	name, class  string
	states       []string
	centre, size r3.Vec
}

// layout is where things stand, so that the relations of the scene graphs of an episode hold.
// What is in or on something has a place of its own there throughout.
type layout struct {
	onto     *ontology.Ontology
	children map[string][]string // of each place, over the whole episode, in the order in which they come
	hidden   map[string][]string // what each thing occludes at some time
	behind   map[string]bool     // fixtures that hang behind what occludes them
	sizes    map[string]r3.Vec
	roots    map[string]r3.Vec // lowest corners of what stands nowhere
	width    float64           // of the row of those
	robot    string
	gripper  string
	inside   string
	onTop    string
	occludes string
	near     string
	floor    string
}

const (
	gap   = 0.1  // between things in or on one place, in metres
	apart = 0.6  // between what stands beside one another on the ground
	leaf  = 0.08 // edge of what nothing is in or on
	// height over the floor at which things stand; below it is nothing near to them
	height = 0.5
)

func newLayout(o *ontology.Ontology, ep *episode.Episode) *layout {
	l := &layout{onto: o, children: map[string][]string{}, hidden: map[string][]string{}, behind: map[string]bool{}, sizes: map[string]r3.Vec{}, roots: map[string]r3.Vec{},
		robot: o.Instance(o.Core.Robot, 1), gripper: o.Instance(o.Core.RobotGripper, 1), inside: o.Name(o.Core.Inside), onTop: o.Name(o.Core.OnTopOf),
		occludes: o.Name(o.Core.Occluding), near: o.Name(o.Core.Near)}
	if o.Core.Floor != ontology.None {
		l.floor = o.Instance(o.Core.Floor, 1)
	}
	var order []string
	near := map[string]bool{}
	for i := range ep.Steps {
		obs := &ep.Steps[i].Observation
		for _, e := range obs.Edges {
			if l.isPlace(e.Relation) && e.Object != l.gripper && !slices.Contains(l.children[e.Object], e.Subject) {
				l.children[e.Object] = append(l.children[e.Object], e.Subject)
			}
			if e.Relation == l.occludes {
				l.hidden[e.Subject] = append(l.hidden[e.Subject], e.Object)
			}
			near[e.Object] = near[e.Object] || e.Relation == l.near && e.Subject == l.robot
		}
		for _, n := range obs.Nodes {
			if !slices.Contains(order, n.ID) {
				order = append(order, n.ID)
			}
		}
	}
	// What the robot stands near to at first stands side by side.
	slices.SortStableFunc(order, func(a, b string) int {
		switch {
		case near[a] == near[b]:
			return 0
		case near[a]:
			return -1
		}
		return 1
	})
	for _, n := range order {
		if n == l.floor {
			continue
		}
		size := l.size(n, 0)
		l.roots[n] = r3.Vec{X: l.width, Z: height}
		l.width += size.X + apart
	}
	l.hang(ep)
	if l.floor != "" { // it lies below everything, and reaches before it
		l.sizes[l.floor] = r3.Vec{X: l.width + 20, Y: 5, Z: 0.1}
		l.roots[l.floor] = r3.Vec{X: -10, Y: -4, Z: -0.1}
	}
	return l
}

// hang puts fixtures behind what stands on others and occludes them, as cabinets on a wall
// are behind what stands on a counter.
func (l *layout) hang(ep *episode.Episode) {
	for i := range ep.Steps {
		obs := &ep.Steps[i].Observation
		for _, e := range obs.Edges {
			if e.Relation != l.occludes || l.behind[e.Object] || slices.ContainsFunc(obs.Edges, func(f scene.Edge) bool { return f.Subject == e.Object && l.isPlace(f.Relation) }) {
				continue
			}
			for _, f := range obs.Edges {
				if f.Subject != e.Subject || f.Relation != l.onTop || f.Object == l.floor || f.Object == e.Object {
					continue
				}
				c, size := l.roots[f.Object], l.size(f.Object, 0)
				l.roots[e.Object] = r3.Vec{X: l.spot(e.Subject, [2]string{l.onTop, f.Object}, c).X, Y: c.Y + size.Y + 0.06, Z: c.Z + size.Z}
				l.behind[e.Object] = true
			}
		}
	}
}

func (l *layout) isPlace(relation string) bool { return relation == l.inside || relation == l.onTop }

// size is large enough for all that is ever in or on a thing.
func (l *layout) size(name string, depth int) r3.Vec {
	if s, ok := l.sizes[name]; ok {
		return s
	}
	s := r3.Vec{X: leaf, Y: leaf, Z: leaf}
	if depth > 6 {
		return s
	}
	if len(l.children[name]) > 0 {
		s.X = gap
		for _, c := range l.children[name] {
			t := l.size(c, depth+1)
			s.X += t.X + gap
			s.Y, s.Z = max(s.Y, t.Y), max(s.Z, t.Z)
		}
		s.Y, s.Z = s.Y+0.5, s.Z+0.06
	}
	for _, h := range l.hidden[name] {
		t := l.size(h, depth+1)
		s.X, s.Z = max(s.X, t.X), max(s.Z, t.Z)
		if slices.Contains(l.children[l.floor], name) {
			s.Z = max(s.Z, height+t.Z) // it reaches up from the floor
		}
	}
	l.sizes[name] = s
	return s
}

// place lays out the things of an observation, and tells where the fingers are that hold
// one, nil where they hold none.
func (l *layout) place(obs *episode.Observation) (things []thing, fingers *r3.Vec) {
	at := map[string]r3.Vec{} // lowest corners
	places := map[string][2]string{}
	before := map[string]string{} // what something occludes
	for _, e := range obs.Edges {
		switch {
		case l.isPlace(e.Relation):
			places[e.Subject] = [2]string{e.Relation, e.Object}
		case e.Relation == l.occludes:
			before[e.Subject] = e.Object
		}
	}
	var corner func(name string, depth int) r3.Vec
	corner = func(name string, depth int) r3.Vec {
		if c, ok := at[name]; ok || depth > 20 {
			return c
		}
		c := l.roots[name]
		size := l.size(name, 0)
		p, placed := places[name]
		switch hidden := before[name]; {
		case placed && p[1] == l.gripper:
			c = r3.Vec{X: -3, Y: -2, Z: 1.5}
		case placed:
			c = l.spot(name, p, corner(p[1], depth+1))
		case hidden != "": // before what it occludes
			c = corner(hidden, depth+1)
			c.Y -= size.Y + 0.15
		}
		if hidden := before[name]; placed && hidden != "" && hidden != p[1] && !l.behind[hidden] {
			c.X, c.Y = corner(hidden, depth+1).X, corner(hidden, depth+1).Y-size.Y-0.15
		}
		at[name] = c
		return c
	}
	robot := [2]float64{1e9, -1e9}
	for _, n := range obs.Nodes {
		c, size := corner(n.ID, 0), l.size(n.ID, 0)
		things = append(things, thing{n.ID, n.Class, n.States, r3.Add(c, r3.Scale(0.5, size)), size})
		if p := places[n.ID]; p[1] == l.gripper {
			fingers = &r3.Vec{X: c.X - 0.015, Y: c.Y + size.Y/2, Z: c.Z + size.Z/2}
		}
		if slices.ContainsFunc(obs.Edges, func(e scene.Edge) bool { return e.Relation == l.near && e.Subject == l.robot && e.Object == n.ID }) {
			robot = [2]float64{min(robot[0], c.X), max(robot[1], c.X+size.X)}
		}
	}
	if robot[0] < robot[1] {
		size := r3.Vec{X: robot[1] - robot[0], Y: 0.4, Z: 1}
		things = append(things, thing{l.robot, l.onto.Name(l.onto.Core.Robot), nil, r3.Vec{X: (robot[0] + robot[1]) / 2, Y: -0.26, Z: 0.5}, size})
	}
	return things, fingers
}

// spot is the lowest corner of something at its place.
func (l *layout) spot(name string, place [2]string, c r3.Vec) r3.Vec {
	size := l.size(place[1], 0)
	x := c.X + gap
	for _, other := range l.children[place[1]] {
		if other == name {
			break
		}
		x += l.size(other, 0).X + gap
	}
	own := l.size(name, 0)
	y, z := c.Y+(size.Y-own.Y)/2, c.Z+0.03
	if place[0] == l.onTop {
		z = c.Z + size.Z
	}
	return r3.Vec{X: x, Y: y, Z: z}
}
