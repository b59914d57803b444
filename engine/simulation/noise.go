package simulation

import (
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/engine/internal/state"
	"github.com/mishap-robotics/mishap/engine/scene"
	"github.com/mishap-robotics/mishap/ontology"
)

// Noise is how often perception errs, each a probability from 0 to 1 for one
// object, state, relation or sound in one observation. Which object the gripper
// holds is sensed exactly.
type Noise struct {
	Missed     float64 // an object in view is not seen
	Confused   float64 // an object is seen as another class
	Flipped    float64 // a state is seen as another of its dimension
	Misplaced  float64 // a relation is seen to another object
	Unheard    float64 // a sound is not heard
	Mislabeled float64 // a sound is heard as another
}

// Uniform is noise of one rate in everything.
func Uniform(rate float64) Noise { return Noise{rate, rate, rate, rate, rate, rate} }

// MaxNoise is the highest rate of noise that can be told from anything.
const MaxNoise = 0.5

// ParseNoise reads one rate for everything ("0.05"), or rates by kind
// ("missed=0.05,flipped=0.1"), each from 0 to [MaxNoise]; "" is none.
func ParseNoise(text string) (Noise, error) {
	var n Noise
	kinds := map[string]*float64{"missed": &n.Missed, "confused": &n.Confused, "flipped": &n.Flipped,
		"misplaced": &n.Misplaced, "unheard": &n.Unheard, "mislabeled": &n.Mislabeled}
	if text == "" {
		return n, nil
	}
	for _, part := range strings.Split(text, ",") {
		kind, value, named := strings.Cut(part, "=")
		if !named {
			kind, value = "", part
		}
		rate, err := strconv.ParseFloat(strings.TrimSpace(value), 64)
		if err != nil || !(rate >= 0 && rate <= MaxNoise) {
			return n, fmt.Errorf("%q; expected a rate from 0 to %v", part, MaxNoise)
		}
		switch to, ok := kinds[strings.TrimSpace(kind)]; {
		case !named:
			n = Uniform(rate)
		case ok:
			*to = rate
		default:
			return n, fmt.Errorf("kind %q; expected missed, confused, flipped, misplaced, unheard or mislabeled", kind)
		}
	}
	return n, nil
}

func (n Noise) highest() float64 {
	return max(n.Missed, n.Confused, n.Flipped, n.Misplaced, n.Unheard, n.Mislabeled)
}

// sensors apply noise with a seed.
type sensors struct {
	Noise
	onto *ontology.Ontology
	rng  *rand.Rand
}

func (n Noise) with(o *ontology.Ontology, seed uint64, id string) *sensors {
	if n == (Noise{}) {
		return nil
	}
	h := fnv.New64a()
	h.Write([]byte(id))
	return &sensors{n, o, rand.New(rand.NewPCG(seed, h.Sum64()))}
}

func (s *sensors) happens(rate float64) bool { return s.rng.Float64() < rate }

// observe is what is perceived of what the camera sees.
func (s *sensors) observe(w *World, o episode.Observation) episode.Observation {
	var out episode.Observation
	names := map[string]string{} // as seen; "" where missed
	held := w.objects.Name(w.Held())
	for _, n := range o.Nodes {
		if n.ID != held && s.happens(s.Missed) {
			names[n.ID] = ""
			continue
		}
		seen := scene.Node{ID: n.ID, Class: n.Class, Values: n.Values}
		for _, st := range n.States {
			if s.happens(s.Flipped) {
				st = s.otherState(st)
			}
			seen.States = append(seen.States, st)
		}
		if n.ID != held && s.happens(s.Confused) {
			seen.Class = s.otherClass(w, n.Class)
			seen.ID = freeName(w.objects, seen.Class)
		}
		names[n.ID] = seen.ID
		if !slices.ContainsFunc(out.Nodes, func(m scene.Node) bool { return m.ID == seen.ID }) {
			out.Nodes = append(out.Nodes, seen)
		}
	}
	s.relate(w, o, &out, names)
	return out
}

// relate perceives the relations between what is seen.
func (s *sensors) relate(w *World, o episode.Observation, out *episode.Observation, names map[string]string) {
	gripper := w.objects.Name(w.gripper)
	for _, e := range o.Edges {
		if e.Object == gripper {
			out.Edges = append(out.Edges, e)
			continue
		}
		subject, object := names[e.Subject], names[e.Object]
		if subject == "" || object == "" {
			continue
		}
		if s.happens(s.Misplaced) {
			if object = s.otherPlace(w, out.Nodes, subject, object); object == "" {
				continue
			}
		}
		out.Edges = append(out.Edges, scene.Edge{Subject: subject, Relation: e.Relation, Object: object})
	}
}

func (s *sensors) otherState(name string) string {
	id, _ := s.onto.Lookup(name)
	var others []string
	for i := range s.onto.Terms {
		t := ontology.TermID(i)
		if t != id && s.onto.Dimension(t) == s.onto.Dimension(id) && s.onto.Dimension(id) != ontology.None {
			others = append(others, s.onto.Name(t))
		}
	}
	if opposite := s.onto.Opposite(id); opposite != ontology.None && len(others) < 4 {
		return s.onto.Name(opposite)
	}
	if len(others) == 0 {
		return name
	}
	return others[s.rng.IntN(len(others))]
}

// otherClass is a class that is easily taken for another, else a sibling.
func (s *sensors) otherClass(w *World, name string) string {
	id, _ := s.onto.Lookup(name)
	if like := lookalikes(w.onto, id); len(like) > 0 {
		return s.onto.Name(like[s.rng.IntN(len(like))])
	}
	var siblings []ontology.TermID
	for _, super := range s.onto.Terms[id].Supers {
		for _, c := range s.onto.Subclasses(super) {
			if c != id && len(s.onto.Subclasses(c)) == 0 {
				siblings = append(siblings, c)
			}
		}
	}
	if len(siblings) == 0 {
		return name
	}
	return s.onto.Name(siblings[s.rng.IntN(len(siblings))])
}

// lookalikes lists the classes that one is easily taken for.
func lookalikes(o *ontology.Ontology, class ontology.TermID) []ontology.TermID {
	out := slices.Clone(o.Lookalikes(class))
	for _, c := range o.Subclasses(o.Core.PhysicalObject) {
		if slices.Contains(o.Lookalikes(c), class) && !slices.Contains(out, c) {
			out = append(out, c)
		}
	}
	return out
}

// freeName is an instance of a class that the kitchen does not have.
func freeName(objects *state.Objects, class string) string {
	for n := 1; ; n++ {
		name := instance(class, n)
		if _, taken := objects.Lookup(name); !taken {
			return name
		}
	}
}

// otherPlace is another thing in view that something could be in or on.
func (s *sensors) otherPlace(w *World, nodes []scene.Node, subject, object string) string {
	var others []string
	for _, n := range nodes {
		if id, ok := s.onto.Lookup(n.Class); ok && n.ID != subject && n.ID != object && s.onto.HasProperty(id, s.onto.Roles.Receptacle) {
			if x, known := w.objects.Lookup(n.ID); known {
				if y, ok := w.objects.Lookup(subject); ok && w.lieIn(x, y) {
					continue // nothing lies in its own content
				}
			}
			others = append(others, n.ID)
		}
	}
	if len(others) == 0 {
		return ""
	}
	return others[s.rng.IntN(len(others))]
}

// hear is what is perceived of sounds.
func (s *sensors) hear(sounds []string) []string {
	var out []string
	for _, sound := range sounds {
		if s.happens(s.Unheard) {
			continue
		}
		if s.happens(s.Mislabeled) {
			classes := s.onto.Subclasses(s.onto.Core.Sound)
			sound = s.onto.Terms[classes[s.rng.IntN(len(classes))]].Label()
		}
		out = append(out, sound)
	}
	return out
}
