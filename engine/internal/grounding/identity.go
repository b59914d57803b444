package grounding

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/engine/internal/interrupt"
	"github.com/mishap-robotics/mishap/engine/internal/memo"
	"github.com/mishap-robotics/mishap/engine/scene"
	"github.com/mishap-robotics/mishap/ontology"
)

// Identities follows things through the looks of a detector that numbers anew what it
// sees in each of them, such as trk_0011 and trk_0031 for one plate. A number that says
// nothing of its class and that comes back is taken for the thing itself.
type Identities struct {
	onto   *ontology.Ontology
	things []thing
	byID   map[string]sight // what a number stood for
	looks  int
	// lasting is true where a number has come back: then each stands for one thing.
	lasting bool
	rename  bool           // things are named by their class
	fresh   bool           // names with a number are anew in each look too
	numbers map[string]int // of things of a class, where they are renamed; nil before the first
	// telling are the names that are of the class that some look of a whole log has for them.
	telling map[string]bool
	// nameless are names and classes of nodes, by whether they are anonymous; of those that do
	// not begin alike.
	nameless memo.Kept[described, bool]
	// last are the nodes of the last look, and the places of the anonymous ones among them.
	last struct {
		nodes     []scene.Node
		anonymous []int
	}
}

// thing is what is taken to be one and the same.
type thing struct {
	name  string
	class string // spelling of its class
	place string // what it was last seen in or on: spelling of its class, or name
	taken int    // the look that it was last seen in
}

// sight is the thing that a number stood for, by its index, and the look that showed the
// number last.
type sight struct{ thing, look int }

// NewIdentities is for lines that come one by one. A thing keeps the first number that
// it had.
func NewIdentities(o *ontology.Ontology) *Identities {
	return &Identities{onto: o, byID: map[string]sight{}}
}

// Fork is an independent copy.
func (ids *Identities) Fork() *Identities {
	c := *ids
	c.things, c.byID, c.numbers = slices.Clone(ids.things), maps.Clone(ids.byID), nil
	c.nameless = memo.Kept[described, bool]{}
	return &c
}

// Identify gives the things in the lines of an episode one name each, that of their class
// with a number, where a detector has numbered them anew in each look. Where the flag is
// raised it is left unfinished.
func Identify(o *ontology.Ontology, steps []episode.Step, stop *interrupt.Flag) []episode.Step {
	seen := map[string]bool{}
	fresh := alwaysFresh(o, steps)
	ids := NewIdentities(o)
	ids.telling = map[string]bool{}
	for i := range steps {
		for _, node := range steps[i].Observation.Nodes {
			if !strings.HasPrefix(node.ID, node.Class) {
				continue
			}
			if stem, n := episode.SplitName(node.ID); n > 0 && stem == node.Class {
				ids.telling[node.ID] = true
			}
		}
	}
	for i := range steps {
		if stop.Raised() {
			return steps
		}
		for _, node := range steps[i].Observation.Nodes {
			if fresh && isNumbered(o, &node) || ids.isAnonymous(&node) {
				if seen[node.ID] {
					return steps
				}
				seen[node.ID] = true
			}
		}
	}
	if len(seen) == 0 {
		return steps
	}
	ids.rename, ids.fresh = true, fresh
	out := make([]episode.Step, len(steps))
	for i := 0; i < len(steps) && !stop.Raised(); i++ {
		out[i] = ids.Step(steps[i])
	}
	return out
}

// fewestLooks is how many looks have to show things of a class, each under another number, for
// numbers to be taken to be anew in each.
const fewestLooks = 3

// alwaysFresh reports whether a detector numbers all that it sees anew in each look although
// its names tell the class, Cup-4 and then Cup-11: no name comes back, things of at least two
// classes are seen again and again, and of one in several looks.
func alwaysFresh(o *ontology.Ontology, steps []episode.Step) bool {
	names, looks := map[string]bool{}, map[string]int{}
	for i := range steps {
		classes := map[string]bool{}
		for _, node := range steps[i].Observation.Nodes {
			if !isNumbered(o, &node) {
				continue
			}
			if names[node.ID] {
				return false
			}
			names[node.ID], classes[episode.Spelling(node.Class)] = true, true
		}
		for class := range classes {
			looks[class]++
		}
	}
	again, most := 0, 0
	for _, n := range looks {
		if n > 1 {
			again++
		}
		most = max(most, n)
	}
	return again > 1 && most >= fewestLooks
}

// isNumbered reports whether what was seen is a thing, no gripper or agent, that is called by
// its class with a number.
func isNumbered(o *ontology.Ontology, node *scene.Node) bool {
	stem, n := episode.SplitName(node.ID)
	class := ClassOf(o, stem)
	return n > 0 && node.Class != "" && episode.Spelling(stem) == episode.Spelling(node.Class) &&
		(class == ontology.None || o.IsA(class, o.Core.PhysicalObject) && !o.IsA(class, o.Core.RobotGripper) && !o.IsA(class, o.Core.Agent))
}

// isAnonymous reports whether the name of what was seen is a number that does not tell
// its class.
func (ids *Identities) isAnonymous(node *scene.Node) bool {
	if strings.HasPrefix(node.ID, node.Class) || !strings.ContainsAny(node.ID, "0123456789") || ids.telling[node.ID] {
		return false
	}
	const few = 512
	key := described{node.ID, node.Class}
	is, ok := ids.nameless.Get(key)
	if !ok {
		stem, _ := episode.SplitName(node.ID)
		is = !strings.HasPrefix(episode.Spelling(node.ID), episode.Spelling(node.Class)) && ClassOf(ids.onto, stem) == ontology.None
		ids.nameless.Keep(key, is, few)
	}
	return is
}

// Step puts in a line, for the numbers of a detector, the names of the things that they
// stand for.
func (ids *Identities) Step(st episode.Step) episode.Step {
	var fresh []scene.Node
	for _, i := range ids.anonymous(st.Observation.Nodes) {
		node := &st.Observation.Nodes[i]
		if s, again := ids.byID[node.ID]; again {
			ids.lasting = true
			ids.things[s.thing].taken = ids.looks + 1
			ids.byID[node.ID] = sight{s.thing, ids.looks + 1}
		} else {
			fresh = append(fresh, *node)
		}
	}
	if len(fresh) > 0 || len(ids.things) > 0 {
		if !st.Observation.Missing {
			ids.looks++
		}
		ids.recognize(fresh, &st)
		st = ids.named(st)
	}
	return st
}

// anonymous are the places of the nodes of a look that are numbers. A look that shares its nodes
// with the one before has the same.
func (ids *Identities) anonymous(nodes []scene.Node) []int {
	if isSame(nodes, ids.last.nodes) {
		return ids.last.anonymous
	}
	var out []int
	for i := range nodes {
		if node := &nodes[i]; ids.isAnonymous(node) || ids.fresh && isNumbered(ids.onto, node) {
			out = append(out, i)
		}
	}
	ids.last.nodes, ids.last.anonymous = nodes, out
	return out
}

// recognize finds for each number that is new the thing that it stands for: one of its
// class that the look shows nowhere else, best where it was, else another.
func (ids *Identities) recognize(fresh []scene.Node, st *episode.Step) {
	var places map[string]string
	if !ids.lasting { // else nobody asks where a thing was
		places = ids.places(st)
	}
	free := ids.free()
	for _, strict := range []bool{true, false} {
		for _, node := range fresh {
			if _, done := ids.byID[node.ID]; done {
				continue
			}
			class := ids.spelledClass(node.Class)
			i := -1
			if strict {
				i = ids.next(free, whereabouts{class, places[node.ID], true})
			} else if i = ids.next(free, whereabouts{class: class}); i < 0 {
				i = ids.add(node, class)
			}
			if i < 0 {
				continue
			}
			ids.byID[node.ID] = sight{i, ids.looks}
			ids.things[i].taken = ids.looks
		}
	}
	for id, place := range places {
		if s, ok := ids.byID[id]; ok {
			ids.things[s.thing].place = place
		}
	}
}

// whereabouts is the class of a thing, with where it is unless that is open.
type whereabouts struct {
	class, place string
	placed       bool
}

// free lists by their whereabouts the things that a look has not shown yet, in order.
func (ids *Identities) free() map[whereabouts][]int {
	if ids.lasting {
		return nil
	}
	out := map[whereabouts][]int{}
	for i, t := range ids.things {
		if t.taken < ids.looks {
			for _, w := range []whereabouts{{class: t.class}, {t.class, t.place, true}} {
				out[w] = append(out[w], i)
			}
		}
	}
	return out
}

// next is the first thing in some whereabouts that is free still, below 0 where there is none.
func (ids *Identities) next(free map[whereabouts][]int, w whereabouts) int {
	for len(free[w]) > 0 {
		i := free[w][0]
		if free[w] = free[w][1:]; ids.things[i].taken < ids.looks {
			return i
		}
	}
	return -1
}

// places are what the edges of a line show each number in or on.
func (ids *Identities) places(st *episode.Step) map[string]string {
	class := map[string]string{}
	for _, node := range st.Observation.Nodes {
		class[node.ID] = ids.spelledClass(node.Class)
	}
	out := map[string]string{}
	for _, e := range st.Observation.Edges {
		rel := ids.onto.ByLabel(e.Relation, ids.onto.Core.Relation)
		if len(rel) == 0 || !ids.onto.IsSub(rel[0], ids.onto.Core.Within) {
			continue
		}
		if out[e.Subject] = class[e.Object]; class[e.Object] == "" {
			out[e.Subject] = episode.Spelling(e.Object)
		}
	}
	return out
}

// spelledClass is the same for labels of one class.
func (ids *Identities) spelledClass(label string) string {
	if id := ClassOf(ids.onto, label); id != ontology.None {
		return ids.onto.Name(ids.onto.Canonical(id))
	}
	return episode.Spelling(label)
}

func (ids *Identities) add(node scene.Node, class string) int {
	name := node.ID
	if ids.rename {
		if ids.numbers == nil {
			ids.numbers = map[string]int{}
			for _, t := range ids.things {
				ids.numbers[t.class]++
			}
		}
		ids.numbers[class]++
		name = node.Class + "-" + strconv.Itoa(ids.numbers[class])
	}
	ids.things = append(ids.things, thing{name: name, class: class})
	return len(ids.things) - 1
}

// renames reports whether a number stands for a thing of another name.
func (ids *Identities) renames() bool {
	for id, s := range ids.byID {
		if ids.things[s.thing].name != id {
			return true
		}
	}
	return false
}

// named is a line with the names of things for numbers.
func (ids *Identities) named(st episode.Step) episode.Step {
	if !ids.rename && !ids.renames() {
		return st
	}
	name := func(text *string) {
		if s, ok := ids.byID[*text]; ok {
			*text = ids.things[s.thing].name
		}
	}
	st.Observation = renamed(st.Observation, name)
	name(&st.Action.Target)
	name(&st.Action.Destination)
	if args := st.Action.Arguments(); st.Action.Further != "" {
		for i := range args {
			name(&args[i])
		}
		st.Action.Further = strings.Join(args[2:], ", ")
	}
	return st
}
