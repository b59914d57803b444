package bench

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/engine/simulation"
	"github.com/mishap-robotics/mishap/ontology"
)

// clutterPlaces are where things stand that a task has nothing to do with: two
// surfaces, then what is closed.
func (s sampler) clutterPlaces() []string { return selection(s.onto, "clutter_places") }

// selection lists the names of the terms of a selection of the simulation documents.
func selection(o *ontology.Ontology, name string) []string {
	var out []string
	for _, t := range o.Selection(name) {
		out = append(out, o.Name(t))
	}
	return out
}

// soiled is the fact that a thing is dirty, clean that it is not.
func (s sampler) soiled(name string) episode.Fact {
	return episode.Fact{Subject: name, Relation: s.onto.Name(s.onto.Simulation.Soiled)}
}

func (s sampler) clean(name string) episode.Fact {
	return episode.Fact{Subject: name, Relation: s.onto.Name(s.onto.Opposite(s.onto.Simulation.Soiled))}
}

// lies is the fact that a thing is at a place.
func (s sampler) lies(name, place string) episode.Fact {
	return episode.Fact{Subject: name, Relation: s.onto.Name(s.onto.Core.LocatedAt), Object: place}
}

// mostClutter and mostMoves bound how many unrelated things a kitchen has, and how
// often somebody moves or soils one.
const (
	mostClutter = 6
	mostMoves   = 2
)

// vary puts things into the kitchen of a scenario that its task has nothing to do
// with, and lets somebody move or soil some of them: none of that is a failure.
func (s sampler) vary(sc *simulation.Scenario, rng *rand.Rand) *simulation.Scenario {
	v := *sc
	v.Scene, v.Disturbances = slices.Clone(sc.Scene), slices.Clone(sc.Disturbances)
	classes := s.unrelated(sc)
	if len(classes) == 0 {
		return &v
	}
	var things []string
	for range rng.IntN(mostClutter + 1) {
		name := fmt.Sprintf("%s-%d", classes[rng.IntN(len(classes))], 1+rng.IntN(2))
		if slices.Contains(things, name) {
			continue
		}
		things = append(things, name)
		v.Scene = append(v.Scene, s.placed(name, rng))
		if rng.IntN(3) == 0 {
			v.Scene = append(v.Scene, s.soiled(name))
		}
	}
	for range rng.IntN(mostMoves + 1) {
		if len(things) == 0 {
			break
		}
		name := things[rng.IntN(len(things))]
		change := s.placed(name, rng)
		if rng.IntN(2) == 0 {
			change = []episode.Fact{s.soiled(name), s.clean(name)}[rng.IntN(2)]
		}
		v.Disturbances = append(v.Disturbances, simulation.Disturbance{Step: 1 + rng.IntN(len(sc.Plan)), Accident: simulation.Accident{
			Kind: ontology.InjectChange, Facts: []episode.Fact{change}}})
	}
	return &v
}

func (s sampler) placed(name string, rng *rand.Rand) episode.Fact {
	places := s.clutterPlaces()
	return s.lies(name, places[rng.IntN(len(places))])
}

// unrelated lists the classes of things that can be carried and that a scenario
// does not name, nor anything that is cut from them or that they are cut from.
func (s sampler) unrelated(sc *simulation.Scenario) []string {
	o := s.onto
	var used []ontology.TermID
	use := func(name string) {
		class, _ := episode.SplitName(name)
		if id, ok := o.Lookup(class); ok {
			used = append(used, id)
			used = append(used, o.Forms(id)...)
		}
	}
	for _, a := range sc.Plan {
		use(a.Target)
		use(a.Destination)
	}
	for _, facts := range [][]episode.Fact{sc.Scene, sc.Goals} {
		for _, f := range facts {
			use(f.Subject)
			use(f.Object)
		}
	}
	for _, ev := range sc.Disturbances {
		use(ev.Object)
		for _, f := range ev.Facts {
			use(f.Subject)
			use(f.Object)
		}
	}
	for _, name := range sc.Objects {
		use(name)
	}
	if task, ok := o.Task(sc.Task); ok {
		for _, p := range task.Goal.Patterns {
			used = append(used, p.Object.Term)
		}
		for _, part := range task.Goal.ForAll {
			for _, p := range part.When {
				used = append(used, p.Object.Term)
			}
		}
	}
	var out []string
	for _, c := range o.Subclasses(o.Core.PhysicalObject) {
		named := slices.ContainsFunc(used, func(u ontology.TermID) bool { return o.IsA(c, u) || o.IsA(u, c) })
		forms := slices.ContainsFunc(o.Forms(c), func(f ontology.TermID) bool { return slices.Contains(used, f) })
		if !named && !forms && o.HasProperty(c, o.Roles.Movable) && o.HasProperty(c, o.Simulation.Soilable) && !o.HasType(c, o.Core.ObjectGroup) && !o.IsForm(c) {
			out = append(out, o.Name(c))
		}
	}
	return out
}

// changes are the kinds of benign changes.
var changes = []string{"added", "moved", "removed", "soiled"}

// benign lets something happen, between two actions, to a thing that the task has
// nothing to do with: it is put there, taken elsewhere, put out of sight, or gets
// dirty. nil where there is no such thing.
func (s sampler) benign(sc *simulation.Scenario, n int, rng *rand.Rand) *simulation.Scenario {
	classes := s.unrelated(sc)
	if len(classes) == 0 {
		return nil
	}
	change := changes[n%len(changes)]
	name := classes[rng.IntN(len(classes))] + "-1"
	step := 1 + rng.IntN(len(sc.Plan))
	v := *sc
	v.ID = fmt.Sprintf("%s/%s-%s@%d", sc.ID, name, change, step)
	places := s.clutterPlaces()
	surface := places[rng.IntN(2)]
	begin, then := s.lies(name, surface), s.lies(name, places[2+rng.IntN(len(places)-2)])
	switch change {
	case "added":
		begin, then = then, begin
	case "moved":
		then = s.lies(name, places[rng.IntN(2)])
	case "soiled":
		then = s.soiled(name)
	}
	v.Scene = append(slices.Clone(sc.Scene), begin)
	v.Disturbances = append(slices.Clone(sc.Disturbances), simulation.Disturbance{Step: step, Accident: simulation.Accident{Kind: ontology.InjectChange, Facts: []episode.Fact{then}}})
	return &v
}
