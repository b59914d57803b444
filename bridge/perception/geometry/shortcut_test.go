package geometry

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/mishap-robotics/mishap/ontology"
)

// What is told without looking at each point is what the points tell.
func TestShortcutsAgreeWithPoints(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	number := func(lo, hi float64) float64 { return lo + (hi-lo)*rng.Float64() }
	box := func(at r3.Vec) *Shape {
		half := []float64{0, 0, 0.3, 1.1}[rng.IntN(4)]
		turn, _ := Rotation(0, math.Sin(half)*number(0, 0.2), math.Sin(half), math.Cos(half))
		off := r3.Vec{X: number(-0.2, 0.2), Y: number(-0.1, 0.1), Z: number(-0.1, 0.1)}
		return NewBox(Box{Pose: Pose{r3.Add(at, off), turn}, Size: r3.Vec{X: number(0, 0.4), Y: number(0, 0.4), Z: number(0, 0.2)}})
	}
	turn, _ := Rotation(-1, 0, 0, 1)
	camera := &Camera{Pose{r3.Vec{Y: -2}, turn}}
	occlusion := ontology.SpatialRelation{Heuristic: ontology.ByOcclusion, Fraction: 0.9, Overlap: 0.5}
	standing, hidden, held := 0, 0, 0
	for range 3000 {
		b, a := box(r3.Vec{}), box(r3.Vec{Z: 0.1})
		const share = 0.7
		above, over, in := 0, 0, 0
		outline := make([]r3.Vec, len(b.corner))
		for i, c := range b.corner {
			outline[i] = r3.Vec{X: c.X, Y: c.Y}
		}
		for _, p := range a.sampled() {
			if p.Z > b.hi.Z {
				above++
			}
			if hullDistance([]r3.Vec{{X: p.X, Y: p.Y}}, outline, 0) == 0 {
				over++
			}
		}
		least := share * float64(len(a.sampled()))
		for _, p := range a.sampled() {
			if b.Contains(p) {
				in++
			}
		}
		if got, want := contains(b, a, share), float64(in) > least; got != want {
			t.Fatalf("contains: %v; %d points in it, of %d", got, in, len(a.sampled()))
		} else if got {
			held++
		}
		want := float64(above) > least && float64(over) > least
		if got := supports(b, a, share); got != want {
			t.Fatalf("supports: %v; %d points above, %d over, of %d", got, above, over, len(a.sampled()))
		}
		if want {
			standing++
		}

		v, shapes := newView(camera, 2), []*Shape{box(r3.Vec{}), box(r3.Vec{Y: 0.3})}
		got := v.occludes(shapes, 0, 1, occlusion)
		nearer := 0
		for _, p := range shapes[0].sampled() {
			if camera.Inverse().Apply(p).Z < v.seen[1].nearest {
				nearer++
			}
		}
		if got && float64(nearer) <= occlusion.Fraction*float64(len(shapes[0].sampled())) {
			t.Fatalf("one hides the other although only %d of its points are nearer", nearer)
		}
		if got {
			hidden++
		}
	}
	if standing < 100 || hidden < 100 || held < 30 {
		t.Errorf("%d things stood on others, %d hid others, %d were in others; expected 100, 100 and 30 of them", standing, hidden, held)
	}
}
