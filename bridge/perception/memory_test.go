package perception_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"gonum.org/v1/gonum/spatial/r3"
	"pgregory.net/rapid"

	"github.com/mishap-robotics/mishap/bridge/perception"
	"github.com/mishap-robotics/mishap/bridge/perception/geometry"
	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/ontology"
)

// box is one along the axes, from its lowest corner.
func box(x, y, z, sx, sy, sz float64) *geometry.Shape {
	return geometry.NewBox(geometry.Box{Pose: geometry.Pose{Position: r3.Vec{X: x + sx/2, Y: y + sy/2, Z: z + sz/2}, Orientation: geometry.Identity.Orientation}, Size: r3.Vec{X: sx, Y: sy, Z: sz}})
}

func seen(class, track string, s *geometry.Shape) perception.Detection {
	return perception.Detection{Class: class, Score: 0.9, Track: track, Shape: s}
}

var (
	table   = seen("DiningTable", "t", box(0, 0, 0.7, 2, 1, 0.05))
	counter = seen("CounterTop", "c", box(5, 0, 0.7, 2, 1, 0.05))
)

// mug is one on the table or counter, x metres along.
func mug(track string, x float64) perception.Detection {
	return seen("Mug", track, box(x, 0.4, 0.75, 0.08, 0.08, 0.1))
}

func text(obs episode.Observation) string {
	var out []string
	for _, n := range obs.Nodes {
		out = append(out, strings.Join(append([]string{n.ID}, n.States...), " "))
	}
	for _, e := range obs.Edges {
		out = append(out, e.Subject+" "+e.Relation+" "+e.Object)
	}
	return strings.Join(out, "; ")
}

// The four operations of REFLECT's appendix A.2, and what a tracker gets wrong.
func TestMemory(t *testing.T) {
	type sight = perception.Sight
	at := func(d ...perception.Detection) sight { return sight{Detections: d} }
	fingers := func(x, z float64, closed bool) *perception.Gripper {
		return &perception.Gripper{Fingers: box(x, 0.43, z, 0.02, 0.02, 0.02), Closed: closed}
	}
	on := func(thing, place string) string { return thing + " on_top_of " + place }
	for _, tt := range []struct {
		name   string
		sights []sight
		want   string // after the last
	}{
		{"added", []sight{at(table, mug("7", 0.2))}, "DiningTable-1; Mug-1; " + on("Mug-1", "DiningTable-1")},
		{"the same under a new track", []sight{at(table, mug("7", 0.2)), at(table, mug("9", 0.21))}, "DiningTable-1; Mug-1; " + on("Mug-1", "DiningTable-1")},
		{"two that swap their tracks", []sight{at(mug("7", 0.2), mug("8", 1.5)), at(mug("8", 0.2), mug("7", 1.5)), at(mug("8", 0.2))}, "Mug-1"},
		{"moved, the same track", []sight{at(table, mug("7", 0.2)), at(counter, mug("7", 5.5))}, "CounterTop-1; Mug-1; " + on("Mug-1", "CounterTop-1")},
		{"moved by the robot, a new track", []sight{at(table, mug("7", 0.2)), {Detections: []perception.Detection{counter, mug("9", 5.5)}, Acted: []string{"Mug"}}}, "CounterTop-1; Mug-1; " + on("Mug-1", "CounterTop-1")},
		{"moved on what is seen, a new track", []sight{at(table, mug("7", 0.2)), at(table, mug("9", 1.5))}, "DiningTable-1; Mug-1; " + on("Mug-1", "DiningTable-1")},
		{"another, elsewhere", []sight{at(table, mug("7", 0.2)), at(counter, mug("9", 5.5))}, "CounterTop-1; Mug-2; " + on("Mug-2", "CounterTop-1")},
		{"another, beside the first", []sight{at(table, mug("7", 0.2)), at(table, mug("7", 0.2), mug("9", 1.5))}, "DiningTable-1; Mug-1; Mug-2; " + on("Mug-1", "DiningTable-1") + "; " + on("Mug-2", "DiningTable-1")},
		{"deleted, and found", []sight{at(table, mug("7", 0.2)), {Acted: []string{"Mug-1"}}, at(counter, mug("9", 5.5))}, "CounterTop-1; Mug-1; " + on("Mug-1", "CounterTop-1")},
		{"remembered below", []sight{at(table), at(mug("7", 0.2))}, "DiningTable-1; Mug-1; " + on("Mug-1", "DiningTable-1")},
		{"held", []sight{at(table, mug("7", 0.2)), {Detections: []perception.Detection{table, mug("7", 0.2)}, Gripper: fingers(0.23, 0.84, true)}}, "DiningTable-1; Mug-1; Mug-1 inside RobotGripper-1"},
		{"held and hidden", []sight{at(mug("7", 0.2)), {Detections: []perception.Detection{mug("7", 0.2)}, Gripper: fingers(0.23, 0.84, true)}, {Gripper: fingers(4, 1.5, true)}}, "Mug-1; Mug-1 inside RobotGripper-1"},
		{"let go", []sight{at(table, mug("7", 0.2)), {Detections: []perception.Detection{table, mug("7", 0.2)}, Gripper: fingers(0.23, 0.84, true)}, {Detections: []perception.Detection{table, mug("7", 0.2)}, Gripper: fingers(0.23, 0.84, false)}}, "DiningTable-1; Mug-1; " + on("Mug-1", "DiningTable-1")},
		{"closed beside a table", []sight{{Detections: []perception.Detection{table}, Gripper: fingers(0.5, 0.74, true)}}, "DiningTable-1"},
		{"names of its own", []sight{at(seen("StoveBurner", "StoveBurner-4", box(0, 0, 0, 0.2, 0.2, 0.02)), seen("StoveBurner", "2", box(1, 0, 0, 0.2, 0.2, 0.02)))}, "StoveBurner-1; StoveBurner-4"},
	} {
		m := perception.NewMemory(ontology.Default())
		var got string
		for _, s := range tt.sights {
			got = text(m.Observe(s))
		}
		if got != tt.want {
			t.Errorf("%s: %s\nwant %s", tt.name, got, tt.want)
		}
	}
}

func TestInformed(t *testing.T) {
	m := perception.NewMemory(ontology.Default())
	obs := m.Observe(perception.Sight{Detections: []perception.Detection{table, counter, mug("7", 0.2), seen("Apple", "a", box(5.2, 0.2, 0.75, 0.07, 0.07, 0.07)), seen("Knife", "k", box(1.5, 0.1, 0.75, 0.02, 0.2, 0.02))}})
	if got, want := text(m.Informed(obs, []string{"Mug"})), "DiningTable-1; Mug-1; Mug-1 on_top_of DiningTable-1"; got != want {
		t.Errorf("%s\nwant %s", got, want)
	}
}

// What is seen in few frames only is left out, and so is what the others see elsewhere.
func TestMerge(t *testing.T) {
	o := ontology.Default()
	frames := []perception.Frame{
		{Detections: []perception.Detection{mug("1", 0.2), seen("Knife", "", box(1, 0, 0, 0.1, 0.1, 0.1))}},
		{Detections: []perception.Detection{mug("1", 0.22)}},
		{Detections: []perception.Detection{mug("2", 0.24), seen("Cup", "2", box(0.2, 0.4, 0.75, 0.08, 0.08, 0.1))}},
		{},
	}
	got := perception.Merge(o, frames)
	if len(got) != 1 || got[0].Class != "Mug" || got[0].Track != "1" || fmt.Sprintf("%.3f", got[0].Shape.Centre.X) != "0.260" {
		t.Errorf("%+v", got)
	}
}

// Of two cameras one may see what the other does not.
func TestMergeOfTwoCameras(t *testing.T) {
	o := ontology.Default()
	var frames []perception.Frame
	for i := range 3 {
		left := perception.Frame{Source: "/left", Detections: []perception.Detection{mug("1", 0.2)}}
		if i == 0 {
			left.Detections = append(left.Detections, seen("Knife", "", box(1, 0, 0, 0.1, 0.1, 0.1)))
		}
		frames = append(frames, left, perception.Frame{Source: "/right", Detections: []perception.Detection{seen("Cup", "2", box(0.2, 0.4, 0.75, 0.08, 0.08, 0.1))}})
	}
	var got []string
	for _, d := range perception.Merge(o, frames) {
		got = append(got, d.Class)
	}
	if diff := cmp.Diff([]string{"Cup", "Mug"}, got); diff != "" {
		t.Error(diff)
	}
}

// The order of frames and detections, and what trackers call them, change neither what is
// merged nor the scene graph.
func TestOrderOfFramesAndTracksDoesNotMatter(t *testing.T) {
	o := ontology.Default()
	rapid.Check(t, func(t *rapid.T) {
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
		classes := []string{"Mug", "Apple", "Plate", "Knife"}
		var things []perception.Detection
		for range rapid.IntRange(1, 6).Draw(t, "things") {
			things = append(things, seen(classes[rng.IntN(len(classes))], fmt.Sprint(rng.IntN(100)), box(rng.Float64(), rng.Float64(), rng.Float64(), 0.03+rng.Float64()/4, 0.03+rng.Float64()/4, 0.03+rng.Float64()/4)))
		}
		var frames, others []perception.Frame
		for range rapid.IntRange(1, 6).Draw(t, "frames") {
			var f, g perception.Frame
			for _, d := range things {
				if rng.Float64() < 0.1 {
					continue // missed
				}
				b := d.Shape.Box()
				b.Position = r3.Add(b.Position, r3.Vec{X: rng.NormFloat64() * 0.005, Y: rng.NormFloat64() * 0.005, Z: rng.NormFloat64() * 0.005})
				d.Shape = geometry.NewBox(b)
				f.Detections = append(f.Detections, d)
				d.Track = fmt.Sprint("other", rng.IntN(100))
				g.Detections = append(g.Detections, d)
			}
			rng.Shuffle(len(g.Detections), func(i, j int) { g.Detections[i], g.Detections[j] = g.Detections[j], g.Detections[i] })
			frames, others = append(frames, f), append(others, g)
		}
		rng.Shuffle(len(others), func(i, j int) { others[i], others[j] = others[j], others[i] })
		words := func(frames []perception.Frame) string {
			return text(perception.NewMemory(o).Observe(perception.Sight{Detections: perception.Merge(o, frames)}))
		}
		if diff := cmp.Diff(words(frames), words(others)); diff != "" {
			t.Fatal(diff)
		}
	})
}

// Things that stay where they are keep their names under other tracks, however often each
// is missed.
func TestNamesStay(t *testing.T) {
	o := ontology.Default()
	rapid.Check(t, func(t *rapid.T) {
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 2))
		places := map[string]float64{}
		m := perception.NewMemory(o)
		all := rapid.IntRange(2, 5).Draw(t, "mugs")
		for range rapid.IntRange(2, 6).Draw(t, "times") {
			var detections []perception.Detection
			for i := range all {
				if len(places) == 0 || rng.Float64() < 0.7 {
					detections = append(detections, mug(fmt.Sprint(rng.IntN(1000)), float64(i)/2))
				}
			}
			m.Observe(perception.Sight{Detections: detections})
			for _, thing := range m.Things() {
				was, known := places[thing.Name]
				if known && math.Abs(was-thing.Shape.Centre.X) > 1e-6 {
					t.Fatalf("%s was at %v, is at %v", thing.Name, was, thing.Shape.Centre.X)
				}
				places[thing.Name] = thing.Shape.Centre.X
			}
		}
		if len(places) != all {
			t.Fatalf("%d names for %d mugs", len(places), all)
		}
	})
}

func TestStatesInGraph(t *testing.T) {
	d := seen("Microwave", "m", box(0, 0, 0, 0.5, 0.4, 0.3))
	d.States = map[string]float64{"open": 0.9, "closed": 0.1, "on": 0.5, "off": 0.5}
	if got, want := text(perception.NewMemory(ontology.Default()).Observe(perception.Sight{Detections: []perception.Detection{d}})), "Microwave-1 open"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}
