// Package geometry reads scene graphs off the shapes of things: which stands in, on, over,
// beside or before which (REFLECT, section 3.1.1 and appendix A.1). The thresholds are the
// ontology's. Lengths are in metres; the third coordinate points up.
package geometry

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"
)

// Pose is where something is and how it is turned.
type Pose struct {
	Position    r3.Vec
	Orientation r3.Rotation
}

// Identity is the pose at the origin, not turned.
var Identity = Pose{Orientation: r3.Rotation{Real: 1}}

// Rotation makes a rotation of the four parts of a quaternion, which need not be of length
// 1; ok is false where they are none.
func Rotation(x, y, z, w float64) (r r3.Rotation, ok bool) {
	q := quat.Number{Real: w, Imag: x, Jmag: y, Kmag: z}
	n := quat.Abs(q)
	if !(n > 1e-9) || math.IsInf(n, 0) {
		return Identity.Orientation, false
	}
	return r3.Rotation(quat.Scale(1/n, q)), true
}

// Apply is a point or pose given as p sees it, seen as p is.
func (p Pose) Apply(v r3.Vec) r3.Vec { return r3.Add(p.Position, p.Orientation.Rotate(v)) }

// Then is q, given as p sees it, seen as p is.
func (p Pose) Then(q Pose) Pose {
	return Pose{p.Apply(q.Position), r3.Rotation(quat.Mul(quat.Number(p.Orientation), quat.Number(q.Orientation)))}
}

// Inverse undoes p.
func (p Pose) Inverse() Pose {
	back := r3.Rotation(quat.Conj(quat.Number(p.Orientation)))
	return Pose{r3.Scale(-1, back.Rotate(p.Position)), back}
}

// Finite reports whether the numbers of a point are some.
func Finite(v r3.Vec) bool {
	sum := v.X + v.Y + v.Z
	return !math.IsNaN(sum) && !math.IsInf(sum, 0)
}

// Box is a box turned any way.
type Box struct {
	Pose        // of its centre
	Size r3.Vec // along its own axes
}

// Shape is the room that something takes: a box, or the points of a cloud with the box about
// them.
type Shape struct {
	Centre r3.Vec // of the box
	lo, hi r3.Vec // of the box about it along the axes of the room
	corner []r3.Vec
	points []r3.Vec
	box    *Box      // nil for a cloud
	edge   [3]r3.Vec // of a box
	inv    r3.Rotation
	plain  bool // the box stands along the axes of the room
}

// samples is how many points along each of its edges stand for a box.
const samples = 6

// NewBox is the shape of a box.
func NewBox(b Box) *Shape {
	b.Size = r3.Vec{X: math.Abs(b.Size.X), Y: math.Abs(b.Size.Y), Z: math.Abs(b.Size.Z)}
	s := &Shape{Centre: b.Position, box: &b, inv: r3.Rotation(quat.Conj(quat.Number(b.Orientation)))}
	s.edge = [3]r3.Vec{b.Orientation.Rotate(r3.Vec{X: b.Size.X}), b.Orientation.Rotate(r3.Vec{Y: b.Size.Y}), b.Orientation.Rotate(r3.Vec{Z: b.Size.Z})}
	s.corner = make([]r3.Vec, 8)
	for i := range s.corner {
		s.corner[i] = s.at(float64(i&1)-0.5, float64(i>>1&1)-0.5, float64(i>>2&1)-0.5)
	}
	s.lo, s.hi = bounds(s.corner)
	s.plain = b.Orientation.Real == 1 || b.Orientation.Real == -1
	return s
}

// at is a point of a box: each number goes from -0.5 to 0.5 along an edge.
func (s *Shape) at(x, y, z float64) r3.Vec {
	return r3.Vec{
		X: s.Centre.X + x*s.edge[0].X + y*s.edge[1].X + z*s.edge[2].X,
		Y: s.Centre.Y + x*s.edge[0].Y + y*s.edge[1].Y + z*s.edge[2].Y,
		Z: s.Centre.Z + x*s.edge[0].Z + y*s.edge[1].Z + z*s.edge[2].Z,
	}
}

// middle is how far the middle of a cell of a box is from that of the box, of its edge.
func middle(n int) float64 { return (float64(n)+0.5)/samples - 0.5 }

// sampled are the points that stand for the shape: the middles of the cells of a grid
// for a box.
func (s *Shape) sampled() []r3.Vec {
	if s.points != nil || s.box == nil {
		return s.points
	}
	s.points = make([]r3.Vec, 0, samples*samples*samples)
	for i := range samples {
		for j := range samples {
			for k := range samples {
				s.points = append(s.points, s.at(middle(i), middle(j), middle(k)))
			}
		}
	}
	return s.points
}

// MaxPoints is how many points of a cloud are kept.
const MaxPoints = 400

// grain is the edge of the cells of which one point of a cloud is kept, at first.
const grain = 0.005

// NewCloud is the shape of a cloud, of which points are kept evenly; nil where it has none
// that are numbers. The order of the points does not matter.
func NewCloud(points []r3.Vec) *Shape {
	var kept []r3.Vec
	for _, p := range points {
		if Finite(p) {
			kept = append(kept, p)
		}
	}
	if len(kept) == 0 {
		return nil
	}
	slices.SortFunc(kept, compare)
	kept = slices.Compact(kept)
	s := &Shape{}
	s.lo, s.hi = bounds(kept)
	for size := grain; len(kept) > MaxPoints; size *= 1.25 {
		kept = thin(kept, size)
	}
	s.points, s.corner = kept, kept
	s.Centre = r3.Scale(0.5, r3.Add(s.lo, s.hi))
	return s
}

func compare(a, b r3.Vec) int {
	return cmp.Or(cmp.Compare(a.X, b.X), cmp.Compare(a.Y, b.Y), cmp.Compare(a.Z, b.Z))
}

// thin keeps the first point of each cell of a grid.
func thin(points []r3.Vec, size float64) []r3.Vec {
	type cell [3]int64
	seen := make(map[cell]bool, len(points))
	out := points[:0:0]
	for _, p := range points {
		c := cell{int64(math.Floor(p.X / size)), int64(math.Floor(p.Y / size)), int64(math.Floor(p.Z / size))}
		if !seen[c] {
			seen[c] = true
			out = append(out, p)
		}
	}
	return out
}

// Points are those of a cloud, nil for a box.
func (s *Shape) Points() []r3.Vec {
	if s.box != nil {
		return nil
	}
	return s.points
}

// Box is the box of a shape: its own, or the one about its cloud.
func (s *Shape) Box() Box {
	if s.box != nil {
		return *s.box
	}
	return Box{Pose{s.Centre, Identity.Orientation}, r3.Sub(s.hi, s.lo)}
}

// Volume is that of the box.
func (s *Shape) Volume() float64 {
	size := s.Box().Size
	return size.X * size.Y * size.Z
}

func bounds(points []r3.Vec) (lo, hi r3.Vec) {
	lo, hi = points[0], points[0]
	for _, p := range points[1:] {
		lo = r3.Vec{X: min(lo.X, p.X), Y: min(lo.Y, p.Y), Z: min(lo.Z, p.Z)}
		hi = r3.Vec{X: max(hi.X, p.X), Y: max(hi.Y, p.Y), Z: max(hi.Z, p.Z)}
	}
	return lo, hi
}

// Contains reports whether a point is in the box, or in the hull of the cloud.
func (s *Shape) Contains(p r3.Vec) bool {
	const slack = 1e-9
	if p.X < s.lo.X-slack || p.Y < s.lo.Y-slack || p.Z < s.lo.Z-slack || p.X > s.hi.X+slack || p.Y > s.hi.Y+slack || p.Z > s.hi.Z+slack {
		return false
	}
	if s.box == nil {
		return hullDistance([]r3.Vec{p}, s.corner, 0) == 0
	}
	d := s.inv.Rotate(r3.Sub(p, s.box.Position))
	return math.Abs(d.X) <= s.box.Size.X/2+slack && math.Abs(d.Y) <= s.box.Size.Y/2+slack && math.Abs(d.Z) <= s.box.Size.Z/2+slack
}

// Distance is that between the nearest points of two shapes, 0 where they overlap; where it
// is more than most, it is some number above that.
func (s *Shape) Distance(t *Shape, most float64) float64 {
	apart := gap(s, t)
	switch {
	case apart > most, s.box != nil && t.box != nil && s.plain && t.plain:
		return apart
	case s.box == nil && t.box == nil:
		return cloudDistance(s.points, t.points)
	case s.box != nil && t.box != nil:
		return hullDistance(s.corner, t.corner, most)
	case s.box == nil:
		s, t = t, s
	}
	nearest := math.Inf(1)
	for _, p := range t.points {
		nearest = math.Min(nearest, s.box.distance(s.inv, p))
	}
	return nearest
}

// apart reports whether the boxes along the axes of the room are farther apart than that
// along one of them.
func (s *Shape) apart(t *Shape, most float64) bool {
	return t.lo.X-s.hi.X > most || s.lo.X-t.hi.X > most || t.lo.Y-s.hi.Y > most || s.lo.Y-t.hi.Y > most || t.lo.Z-s.hi.Z > most || s.lo.Z-t.hi.Z > most
}

// gap is the distance of the boxes along the axes of the room, which that of the shapes is
// not below.
func gap(s, t *Shape) float64 {
	between := func(lo, hi, lo2, hi2 float64) float64 { return max(0, lo2-hi, lo-hi2) }
	return math.Sqrt(r3.Norm2(r3.Vec{X: between(s.lo.X, s.hi.X, t.lo.X, t.hi.X), Y: between(s.lo.Y, s.hi.Y, t.lo.Y, t.hi.Y), Z: between(s.lo.Z, s.hi.Z, t.lo.Z, t.hi.Z)}))
}

func (b *Box) distance(inv r3.Rotation, p r3.Vec) float64 {
	d := inv.Rotate(r3.Sub(p, b.Position))
	beyond := func(x, size float64) float64 { return math.Max(0, math.Abs(x)-size/2) }
	return r3.Norm(r3.Vec{X: beyond(d.X, b.Size.X), Y: beyond(d.Y, b.Size.Y), Z: beyond(d.Z, b.Size.Z)})
}

// cloudDistance is the least distance of two points; both lists are sorted by the first
// coordinate, so that far ones are passed over.
func cloudDistance(a, b []r3.Vec) float64 {
	least := math.Inf(1)
	for _, p := range a {
		reach := math.Sqrt(least)
		from, _ := slices.BinarySearchFunc(b, p.X-reach, func(q r3.Vec, x float64) int { return cmp.Compare(q.X, x) })
		for _, q := range b[from:] {
			if q.X-p.X > reach {
				break
			}
			if d := r3.Norm2(r3.Sub(p, q)); d < least {
				least = d
				reach = math.Sqrt(least)
			}
		}
	}
	return math.Sqrt(least)
}

// Misalignment is how far, in metres, one shape is from where another is: for two clouds the
// mean distance of the points of the one with fewer from the nearest of the other, else
// the distance of the centres (REFLECT, appendix A.2).
func (s *Shape) Misalignment(t *Shape) float64 {
	if s.box != nil || t.box != nil {
		return r3.Norm(r3.Sub(s.Centre, t.Centre))
	}
	if len(s.points) > len(t.points) {
		s, t = t, s
	}
	sum := 0.0
	for _, p := range s.points {
		sum += cloudDistance([]r3.Vec{p}, t.points)
	}
	return sum / float64(len(s.points))
}

// Mean is the shape that several sights of one thing give: the points of all where they are
// clouds, else a box of their mean place and size, turned as the first is. The order of the
// others does not matter.
func Mean(shapes []*Shape) *Shape {
	if len(shapes) == 1 {
		return shapes[0]
	}
	var points []r3.Vec
	for _, s := range shapes {
		points = append(points, s.Points()...)
	}
	if len(points) > 0 {
		return NewCloud(points)
	}
	out := *shapes[0].box
	sorted := slices.SortedFunc(slices.Values(shapes), func(a, b *Shape) int {
		return cmp.Or(compare(a.Centre, b.Centre), compare(a.box.Size, b.box.Size))
	})
	var at, size r3.Vec
	for _, s := range sorted {
		at, size = r3.Add(at, s.Centre), r3.Add(size, s.box.Size)
	}
	n := 1 / float64(len(shapes))
	out.Position, out.Size = r3.Scale(n, at), r3.Scale(n, size)
	return NewBox(out)
}
