package geometry

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"
)

// slab is the room between two parallel planes: points whose product with the normal is from
// one number to another.
type slab struct {
	normal   r3.Vec
	from, to float64
}

// maxSlabs is how many slabs bound anything here: the outline of a turned box, and its bounds.
const maxSlabs = 5

// mostly reports whether more than a share of the points that stand for the shape are in all
// of some slabs, of which there are no more than maxSlabs.
func (s *Shape) mostly(share float64, slabs []slab) bool {
	if s.box == nil {
		return moreThan(share, s.points, func(p r3.Vec) bool {
			for _, l := range slabs {
				if d := r3.Dot(l.normal, p); d < l.from || d > l.to {
					return false
				}
			}
			return true
		})
	}
	var cut [maxSlabs]cells
	n := 0
	for _, l := range slabs {
		c := cells{middle: r3.Dot(l.normal, s.Centre), from: l.from, to: l.to}
		spread := 0.0
		for e := range c.step {
			c.step[e] = r3.Dot(l.normal, s.edge[e])
			spread += math.Abs(c.step[e]) * middle(samples-1)
		}
		switch {
		case c.middle+spread < l.from, c.middle-spread > l.to:
			return false
		case c.middle-spread >= l.from && c.middle+spread <= l.to:
			continue // all points are in it
		}
		cut[n] = c
		n++
	}
	return n == 0 || moreCells(share, cut[:n])
}

// cells are the cells of a box as a slab sees them: the product of its normal with the
// middle of the box, and with each edge.
type cells struct {
	middle, from, to float64
	step             [3]float64
}

// moreCells reports whether more than a share of the cells of a box are in all of some slabs.
func moreCells(share float64, slabs []cells) bool {
	left := samples * samples * samples
	need := int(math.Floor(share*float64(left))) + 1
	for i := range samples {
		for j := range samples {
			in := [samples]bool{}
			for k := range in {
				in[k] = true
			}
			for _, c := range slabs {
				row := c.middle + middle(i)*c.step[0] + middle(j)*c.step[1]
				for k := range in {
					d := row + middle(k)*c.step[2]
					in[k] = in[k] && d >= c.from && d <= c.to
				}
			}
			for _, is := range in {
				if is {
					need--
				}
			}
			left -= samples
			if need <= 0 || need > left {
				return need <= 0
			}
		}
	}
	return false
}

// moreThan reports whether something holds of more than a share of some points.
func moreThan(share float64, points []r3.Vec, holds func(r3.Vec) bool) bool {
	need := int(math.Floor(share*float64(len(points)))) + 1
	for i, p := range points {
		if need > len(points)-i {
			return false
		}
		if holds(p) {
			if need--; need == 0 {
				return true
			}
		}
	}
	return false
}

// within are the slabs that bound a box.
func (s *Shape) within() [3]slab {
	const slack = 1e-9
	var out [3]slab
	for i, size := range [3]float64{s.box.Size.X, s.box.Size.Y, s.box.Size.Z} {
		axis := s.box.Orientation.Rotate([3]r3.Vec{{X: 1}, {Y: 1}, {Z: 1}}[i])
		at := r3.Dot(axis, s.Centre)
		out[i] = slab{axis, at - size/2 - slack, at + size/2 + slack}
	}
	return out
}

// over are the slabs that bound the room above and below a shape: its outline on the ground,
// of a cloud the box about it. That of a turned box has sides along the outlines of its
// edges.
func (s *Shape) over() []slab {
	out := append(make([]slab, 0, maxSlabs), slab{r3.Vec{X: 1}, s.lo.X, s.hi.X}, slab{r3.Vec{Y: 1}, s.lo.Y, s.hi.Y})
	if s.box == nil || s.plain {
		return out
	}
	const slack = 1e-6
	for _, e := range s.edge {
		normal := r3.Vec{X: -e.Y, Y: e.X}
		half := slack * math.Sqrt(r3.Norm2(normal))
		for _, f := range s.edge {
			half += math.Abs(r3.Dot(normal, f)) / 2
		}
		at := r3.Dot(normal, s.Centre)
		out = append(out, slab{normal, at - half, at + half})
	}
	return out
}

// distance is that of two shapes, made out no more precisely than is asked for.
type distance struct {
	a, b        *Shape
	reach       float64 // beyond which it does not matter
	least, most float64
}

// between is the distance of two shapes, as far as their middles and the boxes along the axes
// of the room tell it.
func between(a, b *Shape, reach float64) distance {
	d := distance{a, b, reach, gap(a, b), math.Inf(1)}
	if a.box != nil && b.box != nil {
		if d.most = math.Sqrt(r3.Norm2(r3.Sub(a.Centre, b.Centre))); a.plain && b.plain {
			d.most = d.least
		}
	}
	return d
}

// below reports whether the distance is below a number that reach is not below.
func (d *distance) below(limit float64) bool {
	switch {
	case d.least >= limit:
		return false
	case d.most < limit:
		return true
	case d.least < d.most:
		d.least = d.a.Distance(d.b, d.reach)
		d.most = d.least
	}
	return d.least < limit
}
