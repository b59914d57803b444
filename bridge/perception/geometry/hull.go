package geometry

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"
)

// hullDistance is the distance of the convex hulls of two sets of points, 0 where they
// overlap, by the algorithm of Gilbert, Johnson and Keerthi (1988). Once it is known to be more
// than most, some number above that is given.
func hullDistance(a, b []r3.Vec, most float64) float64 {
	const rounds = 64
	v := r3.Sub(a[0], b[0])
	var s simplex
	scale := 1e-12 * (1 + r3.Norm2(v))
	for range rounds {
		length := r3.Norm2(v)
		if length <= scale {
			return 0
		}
		w := r3.Sub(farthest(a, r3.Scale(-1, v)), farthest(b, v))
		along := r3.Dot(v, w)
		if least := along / math.Sqrt(length); least > math.Max(most, 1e-9) { // a plane stands between them
			return least
		}
		if length-along <= 1e-12*length {
			break
		}
		s.corner[s.n] = w
		s.n++
		if v, s = s.nearest(); s.n == 4 {
			return 0
		}
	}
	if n := math.Sqrt(r3.Norm2(v)); n*n > scale {
		return n
	}
	return 0
}

func farthest(points []r3.Vec, direction r3.Vec) r3.Vec {
	best, far := points[0], math.Inf(-1)
	for _, p := range points {
		if d := r3.Dot(p, direction); d > far {
			best, far = p, d
		}
	}
	return best
}

// simplex is a point, edge, triangle or tetrahedron.
type simplex struct {
	corner [4]r3.Vec
	n      int
}

func point(a r3.Vec) simplex          { return simplex{[4]r3.Vec{a}, 1} }
func edge(a, b r3.Vec) simplex        { return simplex{[4]r3.Vec{a, b}, 2} }
func triangle(a, b, c r3.Vec) simplex { return simplex{[4]r3.Vec{a, b, c}, 3} }

// nearest is the point of a simplex nearest to the origin, with the corners that it lies
// between: all four where the origin is within.
func (s simplex) nearest() (r3.Vec, simplex) {
	switch s.n {
	case 1:
		return s.corner[0], s
	case 2:
		return nearestOnEdge(s.corner[0], s.corner[1])
	case 3:
		return nearestOnTriangle(s.corner[0], s.corner[1], s.corner[2])
	}
	best, least, outside := r3.Vec{}, math.Inf(1), false
	var kept simplex
	for i := range 4 {
		a, b, c, other := s.corner[(i+1)%4], s.corner[(i+2)%4], s.corner[(i+3)%4], s.corner[i]
		n := r3.Cross(r3.Sub(b, a), r3.Sub(c, a))
		toOther, toOrigin := r3.Dot(n, r3.Sub(other, a)), -r3.Dot(n, a)
		if toOther*toOrigin > 0 {
			continue // on the same side
		}
		outside = true
		if p, k := nearestOnTriangle(a, b, c); r3.Norm2(p) < least {
			best, least, kept = p, r3.Norm2(p), k
		}
	}
	if !outside {
		return r3.Vec{}, s
	}
	return best, kept
}

func nearestOnEdge(a, b r3.Vec) (r3.Vec, simplex) {
	ab := r3.Sub(b, a)
	length := r3.Norm2(ab)
	t := 0.0
	if length > 0 {
		t = -r3.Dot(a, ab) / length
	}
	switch {
	case t <= 0:
		return a, point(a)
	case t >= 1:
		return b, point(b)
	}
	return r3.Add(a, r3.Scale(t, ab)), edge(a, b)
}

func nearestOnTriangle(a, b, c r3.Vec) (r3.Vec, simplex) {
	n := r3.Cross(r3.Sub(b, a), r3.Sub(c, a))
	area := r3.Norm2(n)
	if area > 0 {
		inside := func(p, q r3.Vec) bool { return r3.Dot(r3.Cross(r3.Sub(q, p), r3.Scale(-1, p)), n) >= 0 }
		if inside(a, b) && inside(b, c) && inside(c, a) {
			return r3.Scale(r3.Dot(n, a)/area, n), triangle(a, b, c)
		}
	}
	best, kept := nearestOnEdge(a, b)
	for _, e := range [][2]r3.Vec{{b, c}, {c, a}} {
		if p, k := nearestOnEdge(e[0], e[1]); r3.Norm2(p) < r3.Norm2(best) {
			best, kept = p, k
		}
	}
	return best, kept
}
