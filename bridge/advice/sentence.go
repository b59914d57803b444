package advice

import (
	"cmp"
	"context"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/mishap-robotics/mishap/engine"
	"github.com/mishap-robotics/mishap/engine/discrepancy"
	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/engine/scene"
	"github.com/mishap-robotics/mishap/ontology"
)

// Meaning is the way in which a sentence of any form is taken for the action that means
// most nearly the same.
const Meaning = "meaning"

// A sentence is taken for the nearest grounded action where that is at least so near, and
// the next one at least so much farther.
const (
	leastNearness = 0.70
	leastMargin   = 0.06
)

// grounded is an action with objects that there are, and how near a sentence is to it.
type grounded struct {
	schema   *ontology.ActionSchema
	action   episode.Action
	nearness float64
}

// nearest takes a sentence for the action, with its objects, that it is nearest to: both
// are directions of what they speak of, the action by its cues, the objects, and which of
// them is acted on and which is the place. Where there is an Embedder, it has half the
// say.
func (m *Mapper) nearest(ctx context.Context, text string) (engine.AdviceLine, bool) {
	s := m.readSentence(text)
	line := engine.AdviceLine{Text: text}
	if s.unsaid {
		return line, false
	}
	all := m.candidates(s)
	m.byMeaning(ctx, text, all)
	slices.SortStableFunc(all, func(a, b grounded) int { return cmp.Compare(b.nearness, a.nearness) })
	all = slices.CompactFunc(all, func(a, b grounded) bool { return a.action == b.action })
	if len(all) == 0 || all[0].nearness < leastNearness || len(all) > 1 && all[0].nearness-all[1].nearness < leastMargin {
		return line, false
	}
	line.Action, line.How, line.Score = all[0].action, Meaning, all[0].nearness
	return line, true
}

// feature is an axis of the directions that sentences and actions are compared by.
type feature struct{ kind, of string }

// Weights of what two directions have in common.
const (
	weightAction = 1.0
	weightObject = 0.8
	weightRole   = 0.6
	weightAside  = 0.3
)

// candidates are the actions that a sentence may mean, with the objects that it names. What
// an action is not done to is its object only where nothing else is named, and no other
// action is meant: that cannot be carried out, but it is what is said.
func (m *Mapper) candidates(s *saidLine) []grounded {
	out := m.candidatesFor(s, false)
	if len(out) > 0 {
		return out
	}
	plain := *s
	s.cues, s.placing = map[*ontology.ActionSchema]float64{}, map[*ontology.ActionSchema]bool{}
	if m.cue(s, true); len(s.cues) > 0 {
		out = m.candidatesFor(s, false)
	}
	if *s = plain; len(out) == 0 && len(s.mentions) == 1 && len(s.cues) == 1 {
		out = m.candidatesFor(s, true)
	}
	return out
}

// candidatesFor are those actions; with anything, on objects of any kind.
func (m *Mapper) candidatesFor(s *saidLine, anything bool) []grounded {
	var out []grounded
	add := func(line map[feature]float64, a *ontology.ActionSchema, target, destination string) {
		g := grounded{schema: a, action: episode.Action{Name: a.Name, Target: target, Destination: destination}}
		v := map[feature]float64{{"action", a.Name}: weightAction}
		if target != "" {
			v[feature{"object", target}], v[feature{"target", target}] = weightObject, weightRole
		}
		if destination != "" {
			v[feature{"object", destination}], v[feature{"place", destination}], v[feature{"placing", a.Name}] = weightObject, weightRole, weightRole
		}
		g.nearness = cosine(line, v)
		out = append(out, g)
	}
	for _, a := range m.Ontology.Actions {
		if s.cues[a] == 0 {
			continue
		}
		if s.placing[a] && !slices.ContainsFunc(s.mentions, func(x mention) bool { return x.source }) {
			continue // nothing is said of where it comes from
		}
		line := m.direction(s, a)
		if a.Required == 0 {
			add(line, a, "", "")
		}
		for _, x := range s.mentions {
			if !anything && x.class != ontology.None && !m.Ontology.MayBeTarget(a, x.class) || a.Required == 0 && (x.aside || a != m.Ontology.Roles.Look) {
				continue
			}
			goneTo := x.placed && a.Params == 1 && slices.ContainsFunc(s.mentions, func(y mention) bool { return !y.aside && !y.placed && y.object != x.object })
			if a.Params > 0 && a.Required <= 1 && !goneTo {
				add(line, a, x.object, "")
			}
			for _, y := range s.mentions {
				if a.Params > 1 && x.object != y.object && !y.aside {
					add(line, a, x.object, y.object)
				}
			}
		}
	}
	return out
}

// direction is that of a sentence which is looked at as one of an action: only what has a
// place for another thing can be done to what the sentence names as a source.
func (m *Mapper) direction(s *saidLine, a *ontology.ActionSchema) map[feature]float64 {
	v := map[feature]float64{}
	most := 0.0
	for _, w := range s.cues {
		most = max(most, w)
	}
	for b, w := range s.cues {
		v[feature{"action", b.Name}] = weightAction * w / most
	}
	target := slices.IndexFunc(s.mentions, func(x mention) bool { return !x.aside && !x.placed && x.from > s.verb })
	if s.placing[a] {
		target = slices.IndexFunc(s.mentions, func(x mention) bool { return x.source })
	}
	for _, may := range []func(mention) bool{
		func(x mention) bool { return !x.aside && !x.placed },
		func(x mention) bool { return x.source && a.Params > 1 },
		func(x mention) bool { return !x.aside }, // all of them are places, as where one goes
	} {
		if target < 0 {
			target = slices.IndexFunc(s.mentions, may)
		}
	}
	for i, x := range s.mentions {
		switch {
		case i == target:
			v[feature{"object", x.object}], v[feature{"target", x.object}] = weightObject, weightRole
		case x.aside:
			v[feature{"object", x.object}] = max(v[feature{"object", x.object}], weightAside)
		default:
			v[feature{"object", x.object}], v[feature{"place", x.object}] = weightObject, weightRole
			for _, b := range m.Ontology.Actions {
				if b.Params > 1 && s.cues[b] > 0 && m.fits(b, x) {
					v[feature{"placing", b.Name}] = weightRole
				}
			}
		}
	}
	return v
}

// fits reports whether an action is the one that brings something to a place named in such
// a relation.
func (m *Mapper) fits(a *ontology.ActionSchema, at mention) bool {
	if at.beside || m.Ontology.SetsBeside(a) {
		return at.beside && m.Ontology.SetsBeside(a)
	}
	return m.Ontology.Preferred(a, at.class) == a
}

func cosine(a, b map[feature]float64) float64 {
	dot, x, y := 0.0, 0.0, 0.0
	for f, v := range a {
		dot += v * b[f]
		x += v * v
	}
	for _, v := range b {
		y += v * v
	}
	if x == 0 || y == 0 {
		return 0
	}
	return dot / math.Sqrt(x*y)
}

// byMeaning lets an embedder judge some actions as well.
func (m *Mapper) byMeaning(ctx context.Context, text string, all []grounded) {
	if m.Embedder == nil || len(all) == 0 {
		return
	}
	nodes := []scene.Node{{ID: "sentence", Class: text}}
	for i, g := range all {
		nodes = append(nodes, scene.Node{ID: strconv.Itoa(i), Class: worded(g)})
	}
	vectors, err := m.Embedder.Embed(ctx, nodes)
	if err != nil || len(vectors) != len(nodes) || discrepancy.CheckVectors(vectors) != nil {
		return // what the ontology knows is all there is to go by
	}
	for i := range all {
		all[i].nearness = (all[i].nearness + discrepancy.Cosine(vectors[0], vectors[i+1])) / 2
	}
}

// worded is an action as a sentence.
func worded(g grounded) string {
	if len(g.schema.Phrases) == 0 {
		return g.action.String()
	}
	return strings.NewReplacer("{target}", "the "+g.action.Target, "{destination}", "the "+g.action.Destination).Replace(g.schema.Phrases[0])
}
