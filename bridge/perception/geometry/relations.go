package geometry

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/mishap-robotics/mishap/ontology"
)

// Relations reads relations off shapes, by the heuristics and thresholds of an ontology
// (REFLECT, appendix A.1). For A and B with the distance d between their nearest points:
//
//	containment  d < distance, and more than fraction of A's points in the hull of B
//	support      d < distance, and more than fraction of A's points over B's outline on the
//	             ground, and more than fraction of them above the top of B's box
//	up, down     contact <= d < distance, and the third coordinate of the unit vector from
//	             the centre of B's box to that of A's more than cosine, or less than -cosine
//	right, left  the same along the camera's axis to the right, made level
//	occlusion    contact <= d < distance, more than fraction of A's points nearer to the
//	             camera than all of B's, and A's outline on the picture covers more than
//	             overlap of B's: then A occludes B
//	proximity    d < distance, and no other holds between the two
//
// contact is the greatest distance of containment and support. For a cloud the points are its
// own; for a box they are the middles of 6 by 6 by 6 cells. Outlines on the picture are
// upright rectangles. The paper calls the occluding object B where its points are A's; what
// stands before something is taken to occlude it.
type Relations struct {
	touching, apart []ontology.SpatialRelation
	near            []ontology.SpatialRelation
	contact, reach  float64
}

// NewRelations takes the relations of an ontology.
func NewRelations(o *ontology.Ontology) *Relations {
	r := &Relations{}
	for _, s := range o.SpatialRelations() {
		r.reach = math.Max(r.reach, s.Distance)
		switch s.Heuristic {
		case ontology.ByContainment, ontology.BySupport:
			r.touching = append(r.touching, s)
			r.contact = math.Max(r.contact, s.Distance)
		case ontology.ByProximity:
			r.near = append(r.near, s)
		default:
			r.apart = append(r.apart, s)
		}
	}
	return r
}

// Contact is the distance below which two things touch, in metres.
func (r *Relations) Contact() float64 { return r.contact }

// Near reports whether two things are as near as those are that proximity holds between,
// whatever else does.
func (r *Relations) Near(a, b *Shape) bool {
	return slices.ContainsFunc(r.near, func(s ontology.SpatialRelation) bool { return a.Distance(b, s.Distance) < s.Distance })
}

// Relation is one that two things have, by their places in a list.
type Relation struct {
	Subject, Object int
	Is              ontology.SpatialRelation
}

// Camera is where a camera is and how it is turned: its axes go right, down and forward, as
// those of optical frames in ROS.
type Camera struct{ Pose }

// usual is how many relations a thing has on a counter that is full.
const usual = 8

// Between lists the relations that things have to one another, in their order. Without a
// camera nothing is left, right or occluding.
func (r *Relations) Between(shapes []*Shape, camera *Camera) []Relation {
	v := newView(camera, len(shapes))
	out := make([]Relation, 0, usual*len(shapes))
	for i, a := range shapes {
		for j := i + 1; j < len(shapes); j++ {
			if a.apart(shapes[j], r.reach) {
				continue
			}
			d := between(a, shapes[j], r.reach)
			if !d.below(r.reach) {
				continue
			}
			had := len(out)
			if d.below(r.contact) {
				out = r.contacts(out, shapes, i, j, &d)
			} else {
				out = r.directions(out, shapes, i, j, &d, v)
			}
			if len(out) > had {
				continue
			}
			for _, s := range r.near {
				if d.below(s.Distance) {
					out = append(out, Relation{i, j, s}, Relation{j, i, s})
				}
			}
		}
	}
	return out
}

func (r *Relations) contacts(out []Relation, shapes []*Shape, i, j int, d *distance) []Relation {
	for _, s := range r.touching {
		holds := supports
		if s.Heuristic == ontology.ByContainment {
			if shapes[i].box != nil && shapes[j].box != nil && !d.below(1e-6) {
				continue // they share no room
			}
			holds = contains
		}
		for _, p := range [][2]int{{i, j}, {j, i}} {
			if d.below(s.Distance) && holds(shapes[p[1]], shapes[p[0]], s.Fraction) {
				out = append(out, Relation{p[0], p[1], s})
			}
		}
	}
	return out
}

// contains reports whether more than a share of the points of a are in b.
func contains(b, a *Shape, share float64) bool {
	switch {
	case a.apart(b, 0):
		return false
	case b.box == nil:
		return moreThan(share, a.sampled(), b.Contains)
	}
	within := b.within()
	return a.mostly(share, within[:])
}

// supports reports whether more than a share of the points of a are over b, and as many
// above its top.
func supports(b, a *Shape, share float64) bool {
	if a.hi.Z <= b.hi.Z || a.hi.X < b.lo.X || a.lo.X > b.hi.X || a.hi.Y < b.lo.Y || a.lo.Y > b.hi.Y {
		return false
	}
	above := []slab{{r3.Vec{Z: 1}, math.Nextafter(b.hi.Z, math.Inf(1)), math.Inf(1)}}
	return a.mostly(share, above) && a.mostly(share, b.over())
}

func (r *Relations) directions(out []Relation, shapes []*Shape, i, j int, d *distance, v *view) []Relation {
	way := r3.Sub(shapes[i].Centre, shapes[j].Centre)
	if n := math.Sqrt(r3.Norm2(way)); n > 0 {
		way = r3.Scale(1/n, way)
	}
	for _, s := range r.apart {
		if !d.below(s.Distance) {
			continue
		}
		if s.Heuristic == ontology.ByOcclusion {
			for _, p := range [][2]int{{i, j}, {j, i}} {
				if v.occludes(shapes, p[0], p[1], s) {
					out = append(out, Relation{p[0], p[1], s})
				}
			}
			continue
		}
		axis, known := v.axis(s.Heuristic)
		switch along := r3.Dot(way, axis); {
		case !known:
		case along > s.Cosine:
			out = append(out, Relation{i, j, s})
		case along < -s.Cosine:
			out = append(out, Relation{j, i, s})
		}
	}
	return out
}

// view is what a camera sees.
type view struct {
	camera  *Camera
	back    Pose
	forward r3.Vec
	right   r3.Vec // level, of length 1; zero where there is none
	seen    []outline
}

// outline is how something looks to a camera.
type outline struct {
	done, before   bool    // looked at; wholly before the camera
	nearest        float64 // of its corners, forward of the camera
	farthest       float64
	x0, y0, x1, y1 float64
}

func newView(camera *Camera, n int) *view {
	v := &view{camera: camera}
	if camera == nil {
		return v
	}
	v.seen = make([]outline, n)
	v.back, v.forward = camera.Inverse(), camera.Orientation.Rotate(r3.Vec{Z: 1})
	right := camera.Orientation.Rotate(r3.Vec{X: 1})
	right.Z = 0
	if length := r3.Norm(right); length > 1e-6 {
		v.right = r3.Scale(1/length, right)
	}
	return v
}

// axis is the direction that a heuristic asks for.
func (v *view) axis(h ontology.SpatialHeuristic) (axis r3.Vec, known bool) {
	switch h {
	case ontology.ByUp:
		return r3.Vec{Z: 1}, true
	case ontology.ByDown:
		return r3.Vec{Z: -1}, true
	case ontology.ByRight:
		return v.right, v.right != r3.Vec{}
	case ontology.ByLeft:
		return r3.Scale(-1, v.right), v.right != r3.Vec{}
	}
	return r3.Vec{}, false
}

func (v *view) outline(shapes []*Shape, i int) *outline {
	o := &v.seen[i]
	if o.done {
		return o
	}
	*o = outline{done: true, before: true, nearest: math.Inf(1), x0: math.Inf(1), y0: math.Inf(1), x1: math.Inf(-1), y1: math.Inf(-1)}
	for _, c := range shapes[i].corner {
		p := v.back.Apply(c)
		if p.Z <= 1e-3 {
			o.before = false
			return o
		}
		o.nearest, o.farthest = min(o.nearest, p.Z), max(o.farthest, p.Z)
		o.x0, o.x1 = min(o.x0, p.X/p.Z), max(o.x1, p.X/p.Z)
		o.y0, o.y1 = min(o.y0, p.Y/p.Z), max(o.y1, p.Y/p.Z)
	}
	return o
}

func (v *view) occludes(shapes []*Shape, i, j int, s ontology.SpatialRelation) bool {
	if v.camera == nil {
		return false
	}
	a, b := v.outline(shapes, i), v.outline(shapes, j)
	if !a.before || !b.before || a.nearest >= b.nearest {
		return false
	}
	w, h := math.Min(a.x1, b.x1)-math.Max(a.x0, b.x0), math.Min(a.y1, b.y1)-math.Max(a.y0, b.y0)
	area := (b.x1 - b.x0) * (b.y1 - b.y0)
	if w <= 0 || h <= 0 || area <= 0 || w*h <= s.Overlap*area {
		return false
	}
	if a.farthest < b.nearest {
		return true
	}
	from := r3.Dot(v.forward, v.camera.Position)
	return shapes[i].mostly(s.Fraction, []slab{{v.forward, math.Inf(-1), math.Nextafter(from+b.nearest, math.Inf(-1))}})
}
