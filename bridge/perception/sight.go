// Package perception makes episodes of recordings: it keeps the things that a robot detects
// as the same things over time, and reads scene graphs off their shapes (REFLECT, sections
// 3.1.1 and 3.1.2, appendix A).
package perception

import (
	"cmp"
	"maps"
	"slices"

	"github.com/mishap-robotics/mishap/bridge/perception/geometry"
	"github.com/mishap-robotics/mishap/ontology"
)

// Detection is one thing as it was seen in one frame.
type Detection struct {
	Class  string  // of the ontology where it is known there
	Score  float64 // from 0 to 1
	Track  string  // how a tracker calls it, "" where none does; it may change
	Shape  *geometry.Shape
	States map[string]float64 // scores from 0 to 1 by name
}

// Frame is what was detected at one time.
type Frame struct {
	Time       uint64 // nanoseconds
	Source     string // what tells: of several cameras which
	Detections []Detection
}

// kept is the share of the frames of a source in more than which something must be seen to be taken for
// there: what is detected wrongly is so in few of them.
const kept = 0.5

// Merge makes one sight of several frames of a scene that does not change: detections of one
// class that are not farther from one another than the misalignment of the ontology are of one
// thing, and what is seen in no more than half of the frames of any source is left out. The order of the frames and of
// the detections, and what trackers call them, do not matter.
func Merge(o *ontology.Ontology, frames []Frame) []Detection {
	type sight struct {
		Detection
		frame int
	}
	byClass := map[string][]sight{}
	count := map[string]int{} // of frames by source
	for i, f := range frames {
		count[f.Source]++
		for _, d := range f.Detections {
			byClass[d.Class] = append(byClass[d.Class], sight{d, i})
		}
	}
	var out []Detection
	for _, class := range slices.Sorted(maps.Keys(byClass)) {
		sights := byClass[class]
		slices.SortFunc(sights, func(a, b sight) int { return compareDetections(a.Detection, b.Detection) })
		most := misalignment(o, class)
		for len(sights) > 0 {
			group := sights[:1:1]
			rest := slices.Clone(sights[1:])
			for i := 0; i < len(group); i++ { // all that are near to one of them, and so on
				rest = slices.DeleteFunc(rest, func(s sight) bool {
					near := group[i].Shape.Misalignment(s.Shape) <= most
					if near {
						group = append(group, s)
					}
					return near
				})
			}
			sights = rest
			seen, of := map[int]bool{}, map[string]int{}
			members := make([]Detection, len(group))
			for i, s := range group {
				if !seen[s.frame] {
					seen[s.frame] = true
					of[frames[s.frame].Source]++
				}
				members[i] = s.Detection
			}
			for source, n := range of {
				if float64(n) > kept*float64(count[source]) {
					out = append(out, merged(members))
					break
				}
			}
		}
	}
	slices.SortFunc(out, compareDetections)
	return out
}

// misalignment is how far something of a class may be found from where it was.
func misalignment(o *ontology.Ontology, class string) float64 {
	t := o.Term(class)
	if t == ontology.None {
		t = o.Core.PhysicalObject
	}
	m, _ := o.Misalignment(t)
	return m
}

// compareDetections orders detections by class and place, and only then by what else they
// are.
func compareDetections(a, b Detection) int {
	p, q := a.Shape.Centre, b.Shape.Centre
	s, t := a.Shape.Box().Size, b.Shape.Box().Size
	return cmp.Or(cmp.Compare(a.Class, b.Class), cmp.Compare(p.X, q.X), cmp.Compare(p.Y, q.Y), cmp.Compare(p.Z, q.Z),
		cmp.Compare(s.X, t.X), cmp.Compare(s.Y, t.Y), cmp.Compare(s.Z, t.Z), cmp.Compare(b.Score, a.Score), cmp.Compare(a.Track, b.Track))
}

// merged is one sight of several of one thing: its box or cloud is their mean, turned as
// the best of them, its scores are their mean, and its track is what most call it.
func merged(all []Detection) Detection {
	slices.SortFunc(all, func(a, b Detection) int { return cmp.Or(cmp.Compare(b.Score, a.Score), compareDetections(a, b)) })
	out := Detection{Class: all[0].Class}
	tracks, counts, sums := map[string]int{}, map[string]int{}, map[string]float64{}
	shapes := make([]*geometry.Shape, len(all))
	for i, d := range all {
		shapes[i] = d.Shape
		out.Score += d.Score / float64(len(all))
		if d.Track != "" {
			tracks[d.Track]++
		}
		for name, score := range d.States {
			counts[name]++
			sums[name] += score
		}
	}
	out.Shape = geometry.Mean(shapes)
	for _, t := range slices.Sorted(maps.Keys(tracks)) {
		if out.Track == "" || tracks[t] > tracks[out.Track] {
			out.Track = t
		}
	}
	for name, n := range counts {
		if out.States == nil {
			out.States = map[string]float64{}
		}
		out.States[name] = sums[name] / float64(n)
	}
	return out
}
