package geometry_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"gonum.org/v1/gonum/spatial/r3"
	"pgregory.net/rapid"

	"github.com/mishap-robotics/mishap/bridge/perception/geometry"
	"github.com/mishap-robotics/mishap/ontology"
)

// box is one along the axes, from its lowest corner.
func box(x, y, z, sx, sy, sz float64) *geometry.Shape {
	return geometry.NewBox(geometry.Box{Pose: geometry.Pose{Position: r3.Vec{X: x + sx/2, Y: y + sy/2, Z: z + sz/2}, Orientation: geometry.Identity.Orientation}, Size: r3.Vec{X: sx, Y: sy, Z: sz}})
}

// cloud is the surface of such a box as points one centimetre apart.
func cloud(x, y, z, sx, sy, sz float64) *geometry.Shape {
	var points []r3.Vec
	n := func(s float64) int { return int(math.Round(s / 0.01)) }
	for i := range n(sx) + 1 {
		for j := range n(sy) + 1 {
			for k := range n(sz) + 1 {
				if i%n(sx) == 0 || j%n(sy) == 0 || k%n(sz) == 0 {
					points = append(points, r3.Vec{X: x + float64(i)*0.01, Y: y + float64(j)*0.01, Z: z + float64(k)*0.01})
				}
			}
		}
	}
	return geometry.NewCloud(points)
}

// camera stands south of the origin, level, and looks north.
func camera() *geometry.Camera {
	// Right is x, down is -z, forward is y.
	o, _ := geometry.Rotation(-1, 0, 0, 1)
	return &geometry.Camera{Pose: geometry.Pose{Position: r3.Vec{Y: -2, Z: 0.1}, Orientation: o}}
}

// words are the relations of a, b, c, … in words.
func words(shapes []*geometry.Shape, c *geometry.Camera) []string {
	o := ontology.Default()
	var out []string
	for _, r := range geometry.NewRelations(o).Between(shapes, c) {
		out = append(out, fmt.Sprintf("%c %s %c", 'a'+r.Subject, o.Name(r.Is.Relation), 'a'+r.Object))
	}
	slices.Sort(out)
	return out
}

// The eight relations of REFLECT's appendix A.1, each at either side of its thresholds.
func TestRelations(t *testing.T) {
	type shaper = func(x, y, z, sx, sy, sz float64) *geometry.Shape
	for _, tt := range []struct {
		name string
		a, b [6]float64
		want string
	}{
		{"in a bowl", [6]float64{0.05, 0.05, 0.02, 0.1, 0.1, 0.1}, [6]float64{0, 0, 0, 0.3, 0.3, 0.15}, "a inside b"},
		{"more than half in", [6]float64{0, 0, 0.05, 0.1, 0.1, 0.2}, [6]float64{-0.1, -0.1, 0, 0.3, 0.3, 0.19}, "a inside b"},
		{"less than half in", [6]float64{0, 0, 0.11, 0.1, 0.1, 0.2}, [6]float64{-0.1, -0.1, 0, 0.3, 0.3, 0.19}, "a near b, b near a"},
		{"on a table", [6]float64{0.2, 0.2, 0.8, 0.1, 0.1, 0.1}, [6]float64{0, 0, 0.7, 1, 1, 0.1}, "a on_top_of b"},
		{"4 cm over a table", [6]float64{0.2, 0.2, 0.84, 0.1, 0.1, 0.1}, [6]float64{0, 0, 0.7, 1, 1, 0.1}, "a on_top_of b"},
		{"6 cm over a table", [6]float64{0.4, 0.4, 0.86, 0.2, 0.2, 0.2}, [6]float64{0.45, 0.45, 0.7, 0.1, 0.1, 0.1}, "a above b, b below a"},
		{"over the edge, a fifth", [6]float64{-0.02, 0.2, 0.8, 0.1, 0.1, 0.1}, [6]float64{0, 0, 0.7, 1, 1, 0.1}, "a on_top_of b"},
		{"over the edge, half", [6]float64{-0.05, 0.2, 0.8, 0.1, 0.1, 0.1}, [6]float64{0, 0, 0.7, 1, 1, 0.1}, "a near b, b near a"},
		{"right, 20 cm", [6]float64{0.3, 0, 0, 0.1, 0.1, 0.1}, [6]float64{0, 0, 0, 0.1, 0.1, 0.1}, "a right_of b, b left_of a"},
		{"right, 45 cm", [6]float64{0.55, 0, 0, 0.1, 0.1, 0.1}, [6]float64{0, 0, 0, 0.1, 0.1, 0.1}, ""},
		{"right and up, 45 degrees", [6]float64{0.2, 0, 0.2, 0.1, 0.1, 0.1}, [6]float64{0, 0, 0, 0.1, 0.1, 0.1}, ""},
		{"before", [6]float64{0, -0.3, 0, 0.1, 0.1, 0.1}, [6]float64{0, 0, 0, 0.1, 0.1, 0.1}, "a occluding b"},
		{"behind, half to the side", [6]float64{0.07, 0.12, 0, 0.1, 0.1, 0.1}, [6]float64{0, 0, 0, 0.1, 0.1, 0.1}, "a near b, b near a"},
		{"close, aslant", [6]float64{0.14, 0.14, 0, 0.1, 0.1, 0.1}, [6]float64{0, 0, 0, 0.1, 0.1, 0.1}, "a near b, b near a"},
		{"side by side, touching", [6]float64{0.1, 0, 0, 0.1, 0.1, 0.1}, [6]float64{0, 0, 0, 0.1, 0.1, 0.1}, "a near b, b near a"},
		{"far", [6]float64{3, 0, 0, 0.1, 0.1, 0.1}, [6]float64{0, 0, 0, 0.1, 0.1, 0.1}, ""},
	} {
		for kind, shape := range map[string]shaper{"boxes": box, "clouds": cloud} {
			of := func(d [6]float64) *geometry.Shape { return shape(d[0], d[1], d[2], d[3], d[4], d[5]) }
			if got := strings.Join(words([]*geometry.Shape{of(tt.a), of(tt.b)}, camera()), ", "); got != tt.want {
				t.Errorf("%s, %s: %q, want %q", tt.name, kind, got, tt.want)
			}
		}
	}
	if got := words([]*geometry.Shape{box(0.3, 0, 0, 0.1, 0.1, 0.1), box(0, 0, 0, 0.1, 0.1, 0.1)}, nil); got != nil {
		t.Errorf("without a camera: %q", got)
	}
}

// drawn is a scene of boxes in a room of a metre and a half.
func drawn(t *rapid.T) []geometry.Box {
	draw := func(name string, lo, hi float64) float64 { return rapid.Float64Range(lo, hi).Draw(t, name) }
	var out []geometry.Box
	for range rapid.IntRange(2, 6).Draw(t, "boxes") {
		half := draw("yaw", -math.Pi, math.Pi) / 2
		r, _ := geometry.Rotation(0, 0, math.Sin(half), math.Cos(half))
		out = append(out, geometry.Box{
			Pose: geometry.Pose{Position: r3.Vec{X: draw("x", 0, 0.6), Y: draw("y", 0, 0.6), Z: draw("z", 0, 0.6)}, Orientation: r},
			Size: r3.Vec{X: draw("sx", 0.02, 0.4), Y: draw("sy", 0.02, 0.4), Z: draw("sz", 0.02, 0.4)},
		})
	}
	return out
}

func shapesOf(boxes []geometry.Box) []*geometry.Shape {
	var out []*geometry.Shape
	for _, b := range boxes {
		out = append(out, geometry.NewBox(b))
	}
	return out
}

// The order of things changes no relation.
func TestOrderDoesNotMatter(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		boxes := drawn(t)
		to := rapid.Permutation(slices.Collect(func(yield func(int) bool) {
			for i := range boxes {
				if !yield(i) {
					return
				}
			}
		})).Draw(t, "order")
		other := make([]geometry.Box, len(boxes))
		for i, j := range to {
			other[j] = boxes[i]
		}
		var got []string
		for _, w := range words(shapesOf(boxes), camera()) {
			got = append(got, fmt.Sprintf("%c%s%c", 'a'+to[w[0]-'a'], w[1:len(w)-1], 'a'+to[w[len(w)-1]-'a']))
		}
		slices.Sort(got)
		if diff := cmp.Diff(got, words(shapesOf(other), camera())); diff != "" {
			t.Fatal(diff)
		}
	})
}

// Left and right, up and down are each other's converse, and near is its own; nothing is in
// or on what is in or on it in the same way; only one place is immediate.
func TestRelationsAreConsistent(t *testing.T) {
	o := ontology.Default()
	r := geometry.NewRelations(o)
	rapid.Check(t, func(t *rapid.T) {
		shapes := shapesOf(drawn(t))
		all := r.Between(shapes, camera())
		has := func(s, o int, h ontology.SpatialHeuristic) bool {
			return slices.ContainsFunc(all, func(r geometry.Relation) bool {
				return r.Subject == s && r.Object == o && r.Is.Heuristic == h
			})
		}
		converse := map[ontology.SpatialHeuristic]ontology.SpatialHeuristic{
			ontology.ByUp: ontology.ByDown, ontology.ByDown: ontology.ByUp, ontology.ByLeft: ontology.ByRight, ontology.ByRight: ontology.ByLeft, ontology.ByProximity: ontology.ByProximity,
		}
		for _, a := range all {
			if c, ok := converse[a.Is.Heuristic]; ok && !has(a.Object, a.Subject, c) {
				t.Fatalf("%v without its converse", a)
			}
			if (a.Is.Heuristic == ontology.BySupport || a.Is.Heuristic == ontology.ByOcclusion) && has(a.Object, a.Subject, a.Is.Heuristic) {
				t.Fatalf("%v both ways", a)
			}
		}
		places := map[int]int{}
		for _, a := range geometry.Immediate(shapes, all) {
			if a.Is.Heuristic == ontology.ByContainment || a.Is.Heuristic == ontology.BySupport {
				if places[a.Subject]++; places[a.Subject] > 1 {
					t.Fatalf("%v: a second place", a)
				}
			}
		}
	})
}

// A scene that is turned and moved with its camera has the same relations.
func TestTurnedScenes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		boxes := drawn(t)
		half := rapid.Float64Range(-math.Pi, math.Pi).Draw(t, "turn") / 2
		r, _ := geometry.Rotation(0, 0, math.Sin(half), math.Cos(half))
		move := geometry.Pose{Position: r3.Vec{X: rapid.Float64Range(-5, 5).Draw(t, "by"), Y: 3}, Orientation: r}
		var other []geometry.Box
		for _, b := range boxes {
			other = append(other, geometry.Box{Pose: move.Then(b.Pose), Size: b.Size})
		}
		c := camera()
		was, is := words(shapesOf(boxes), c), words(shapesOf(other), &geometry.Camera{Pose: move.Then(c.Pose)})
		if diff := cmp.Diff(was, is); diff != "" && !atThreshold(boxes) {
			t.Fatal(diff)
		}
	})
}

// atThreshold reports whether a scene is so near to a threshold that rounding decides: a
// change of size by a millionth changes a relation.
func atThreshold(boxes []geometry.Box) bool {
	grown := slices.Clone(boxes)
	for i := range grown {
		grown[i].Size = r3.Scale(1+1e-6, grown[i].Size)
		grown[i].Position = r3.Add(grown[i].Position, r3.Vec{X: 1e-7 * float64(i), Y: -1e-7 * float64(i)})
	}
	return !slices.Equal(words(shapesOf(boxes), camera()), words(shapesOf(grown), camera()))
}

// The distance of turned boxes is that of many points on them, as near as the points lie.
func TestDistance(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		boxes := drawn(t)[:2]
		a, b := geometry.NewBox(boxes[0]), geometry.NewBox(boxes[1])
		d := a.Distance(b, math.Inf(1))
		if e := b.Distance(a, math.Inf(1)); math.Abs(d-e) > 1e-6 {
			t.Fatalf("%v one way, %v the other", d, e)
		}
		least := math.Inf(1)
		const n = 12
		for i := range (n + 1) * (n + 1) * (n + 1) {
			at := func(k int, size float64) float64 { return (float64(k)/n - 0.5) * size }
			p := boxes[0].Apply(r3.Vec{X: at(i%(n+1), boxes[0].Size.X), Y: at(i/(n+1)%(n+1), boxes[0].Size.Y), Z: at(i/(n+1)/(n+1), boxes[0].Size.Z)})
			least = math.Min(least, geometry.NewCloud([]r3.Vec{p}).Distance(b, math.Inf(1)))
		}
		grid := r3.Norm(boxes[0].Size) / n
		if d > least+1e-6 || d < least-grid {
			t.Fatalf("%v, by points %v, which lie %v apart", d, least, grid)
		}
	})
}

// What lies between points of a cloud is in its hull, what lies beyond all of them in some
// direction is not.
func TestHull(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
		point := func() r3.Vec { return r3.Vec{X: rng.Float64(), Y: rng.Float64(), Z: rng.Float64()} }
		points := make([]r3.Vec, rapid.IntRange(4, 40).Draw(t, "points"))
		for i := range points {
			points[i] = point()
		}
		hull := geometry.NewCloud(points)
		var middle r3.Vec
		total := 0.0
		for _, p := range points {
			w := rng.Float64()
			middle, total = r3.Add(middle, r3.Scale(w, p)), total+w
		}
		if middle = r3.Scale(1/total, middle); !hull.Contains(middle) {
			t.Fatalf("%v is not in the hull of %v", middle, points)
		}
		direction := r3.Unit(r3.Sub(point(), r3.Vec{X: 0.5, Y: 0.5, Z: 0.5}))
		far := math.Inf(-1)
		for _, p := range points {
			far = math.Max(far, r3.Dot(p, direction))
		}
		beyond := r3.Add(middle, r3.Scale(far-r3.Dot(middle, direction)+0.01, direction))
		if hull.Contains(beyond) {
			t.Fatalf("%v is in the hull of %v", beyond, points)
		}
	})
}

func TestImmediate(t *testing.T) {
	o := ontology.Default()
	shapes := []*geometry.Shape{
		box(0.4, 0.4, 0.82, 0.1, 0.1, 0.1),   // a mug
		box(0.35, 0.35, 0.8, 0.2, 0.2, 0.02), // on a plate
		box(0, 0, 0.7, 1, 1, 0.1),            // on a table
		box(0.45, 0.45, 0.83, 0.02, 0.02, 0.05),
	}
	var got []string
	for _, r := range geometry.Immediate(shapes, geometry.NewRelations(o).Between(shapes, nil)) {
		got = append(got, fmt.Sprintf("%d %s %d", r.Subject, o.Name(r.Is.Relation), r.Object))
	}
	slices.Sort(got)
	if diff := cmp.Diff([]string{"0 on_top_of 1", "1 on_top_of 2", "3 inside 0"}, got); diff != "" {
		t.Error(diff)
	}
}

func TestHeld(t *testing.T) {
	r := geometry.NewRelations(ontology.Default())
	shapes := []*geometry.Shape{box(0, 0, 0, 1, 1, 0.1), box(0.5, 0.5, 0.1, 0.05, 0.05, 0.1), box(0.56, 0.5, 0.1, 0.05, 0.05, 0.1)}
	fingers := func(x, y, z float64) *geometry.Shape { return box(x, y, z, 0.01, 0.01, 0.01) }
	movable := func(i int) bool { return i > 0 }
	for _, tt := range []struct {
		name    string
		fingers *geometry.Shape
		closed  bool
		want    int
	}{
		{"about it", fingers(0.52, 0.52, 0.15), true, 1},
		{"open", fingers(0.52, 0.52, 0.15), false, -1},
		{"nearer to the other", fingers(0.58, 0.52, 0.15), true, 2},
		{"away", fingers(0.52, 0.52, 0.3), true, -1},
	} {
		if got := r.Held(shapes, tt.fingers, tt.closed, movable); got != tt.want {
			t.Errorf("%s: %d, want %d", tt.name, got, tt.want)
		}
	}
}

func TestStates(t *testing.T) {
	o := ontology.Default()
	for _, tt := range []struct {
		name   string
		scores map[string]float64
		want   string
	}{
		{"clear", map[string]float64{"open": 0.8, "closed": 0.2}, "open"},
		{"by its label", map[string]float64{"turned on": 0.8, "turned off": 0.2}, "turned on"},
		{"below the margin", map[string]float64{"open": 0.52, "closed": 0.48}, ""},
		{"two dimensions", map[string]float64{"open": 0.9, "closed": 0.1, "on": 0.3, "off": 0.7}, "off open"},
		{"alone", map[string]float64{"open": 0.3}, "open"},
		{"alone and hardly", map[string]float64{"open": 0.05}, ""},
		{"unknown", map[string]float64{"wobbly": 0.9, "shiny": 0.55}, "wobbly"},
	} {
		if got := strings.Join(geometry.States(o, tt.scores), " "); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}

// BenchmarkRelations reads the relations among 100 boxes on a counter of four metres.
func BenchmarkRelations(b *testing.B) {
	rng := rand.New(rand.NewPCG(1, 2))
	boxes := []geometry.Box{{Pose: geometry.Pose{Position: r3.Vec{X: 2, Y: 0.3, Z: 0.85}, Orientation: geometry.Identity.Orientation}, Size: r3.Vec{X: 4, Y: 0.6, Z: 0.1}}}
	for len(boxes) < 100 {
		half := rng.Float64() * math.Pi
		r, _ := geometry.Rotation(0, 0, math.Sin(half), math.Cos(half))
		boxes = append(boxes, geometry.Box{Pose: geometry.Pose{Position: r3.Vec{X: rng.Float64() * 4, Y: rng.Float64() * 0.6, Z: 0.95}, Orientation: r}, Size: r3.Vec{X: 0.05, Y: 0.08, Z: 0.1}})
	}
	relations, c := geometry.NewRelations(ontology.Default()), camera()
	for b.Loop() {
		if len(relations.Between(shapesOf(boxes), c)) < 100 {
			b.Fatal("hardly any relations")
		}
	}
}
