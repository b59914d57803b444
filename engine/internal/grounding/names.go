// Package grounding finds what names mean: the objects of a table that the names in a
// log stand for, the goal and the people that an episode states, and the objects that
// no line names but that must be somewhere.
package grounding

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/engine/internal/memo"
	"github.com/mishap-robotics/mishap/engine/internal/state"
	"github.com/mishap-robotics/mishap/engine/scene"
	"github.com/mishap-robotics/mishap/ontology"
)

// Names finds, in a table of objects, what the names of an episode mean. What it does
// not know it adds to the table; what it does not understand it warns of in the episode.
type Names struct {
	Robot, Gripper state.Object

	reached string // what the robot was to take last

	onto    *ontology.Ontology
	objects *state.Objects
	ep      *episode.Episode
	labels  memo.Kept[label, []ontology.TermID] // looked up so far
	// readings are those of objects that were met since the last line.
	readings []reading
	warner   episode.Warner
	hints    memo.Kept[string, string] // by the class that is not known; of few
	said     map[described]*said       // of few
	saidLast saidLast
	robots   []state.Object        // that act
	seen     map[state.Object]bool // objects that observations name
	listed   map[state.Object]bool // grippers that observations have among their nodes
	look     []state.Object        // objects that the look being read has among its nodes
	declared map[string]state.Object
	marks    map[state.Object][]string // by which looks tell things apart
	kinds    map[state.Object]string   // what looks call things whose names do not tell it
	crew     crew
	needed   []ontology.TermID // classes of what the task needs
	added    scene.Graph       // what the last line showed, where all of it is known and nothing odd
	warned   int               // how often something was warned of
	meant    meant
	// subjects and containers are the classes of what edges name, by their names.
	subjects, containers classes
}

// New is a table that holds the robot and its gripper.
func New(o *ontology.Ontology, ep *episode.Episode) *Names {
	n := &Names{onto: o, objects: state.NewObjects(o), ep: ep, seen: map[state.Object]bool{}, listed: map[state.Object]bool{}}
	n.subjects.onto, n.containers.onto = o, o
	n.enlist()
	n.Robot, n.Gripper = n.first()
	n.declare()
	n.needed = n.neededByTask()
	return n
}

// Fork is what names mean in a copy of the table, for a copy of the episode.
func (n *Names) Fork(ep *episode.Episode) *Names {
	c := *n
	c.ep, c.objects, c.said, c.seen, c.listed = ep, n.objects.Clone(), nil, maps.Clone(n.seen), maps.Clone(n.listed)
	c.marks, c.kinds = maps.Clone(n.marks), maps.Clone(n.kinds)
	c.labels, c.hints = memo.Kept[label, []ontology.TermID]{}, memo.Kept[string, string]{}
	c.look, c.added, c.meant = nil, scene.Graph{}, meant{}
	c.warner = episode.Warner{}
	return &c
}

// warn records a warning of the episode.
func (n *Names) warn(line int, msg string) {
	n.warned++
	n.warner.Warn(n.ep, line, msg)
}

// classHint is ontology.ClassHint, kept for the next time.
func (n *Names) classHint(class string) string {
	const few = 256
	hint, ok := n.hints.Get(class)
	if !ok {
		hint = n.onto.ClassHint(class)
		n.hints.Keep(class, hint, few)
	}
	return hint
}

// declare adds the things that the episode declares. One of the class of the robot is the
// robot.
func (n *Names) declare() {
	core := &n.onto.Core
	n.declared = make(map[string]state.Object, len(n.ep.Things))
	robot := n.Robot
	for _, thing := range n.ep.Things {
		x := state.Nothing
		for _, name := range thing.Classes {
			class := n.declaredClass(name)
			switch {
			case class != ontology.None && robot != state.Nothing && n.onto.IsA(class, core.Robot):
				x, robot = robot, state.Nothing
				n.objects.Alias(thing.Name, x)
			case class == ontology.None:
				n.warn(thing.Line, fmt.Sprintf("unknown object class %q%s; nothing is known of such objects", name, n.classHint(name)))
			case x == state.Nothing:
				x = n.objects.Add(thing.Name, class)
			default:
				n.objects.AddClass(x, class)
			}
		}
		if x == state.Nothing {
			x = n.objects.AddUnknown(thing.Name, thing.Name)
		}
		n.declared[thing.Name] = x
		for _, p := range thing.Properties {
			ids := append(n.labelled(p, core.Material), n.labelled(p, core.PhysicalProperty)...)
			if len(ids) == 0 {
				n.warn(thing.Line, fmt.Sprintf("unknown property %q of %s; it is kept but no rule can use it", p, thing.Name))
				continue
			}
			n.objects.AddProperty(x, ids[0])
		}
	}
}

// declaredClass is the class of objects or agents that a label means, or None.
func (n *Names) declaredClass(name string) ontology.TermID {
	for _, kind := range []ontology.TermID{n.onto.Core.PhysicalObject, n.onto.Core.Agent} {
		if ids := n.labelled(name, kind); len(ids) > 0 {
			return ids[0]
		}
	}
	return ontology.None
}

// Relation is the relations that a label means.
func (n *Names) Relation(name string) []ontology.TermID {
	return n.labelled(name, n.onto.Core.Relation)
}

// Objects is the table of objects.
func (n *Names) Objects() *state.Objects { return n.objects }

// Object finds or adds an object by the name a log gives it. A bare class name
// is the only instance of its class, else that with the lowest number.
func (n *Names) Object(name, class string) state.Object {
	if x, ok := n.declared[name]; ok {
		return x
	}
	seen := class != ""
	if !seen && n.onto.IsWord(name, ontology.Pronoun) {
		return n.objects.AddUnknown(name, name)
	}
	if x, ok := n.objects.Lookup(name); ok {
		if seen && n.objects.Name(x) != name {
			if stem, _ := episode.SplitName(name); stem != name { // number 0 too
				n.call(x, name)
			}
		}
		return x
	}
	stem, number := episode.SplitName(name)
	if !seen {
		class = stem
	}
	id := ClassOf(n.onto, class)
	if id == ontology.None && class == stem && number == 0 { // "mug1"
		if of, digits := splitDigits(stem); digits > 0 {
			if id = ClassOf(n.onto, of); id != ontology.None {
				class, stem, number = of, of, digits
			}
		}
	}
	if seen && id != ontology.None && episode.Spelling(stem) != episode.Spelling(class) { // "kitchen_table" of the class "table"
		if own := ClassOf(n.onto, stem); own != ontology.None && own != id && n.onto.IsA(own, id) {
			id = own
		}
	}
	if number == 0 && !seen && id != ontology.None {
		if x := n.shownAs(class); x != state.Nothing {
			n.objects.Alias(name, x)
			return x
		}
	}
	if id == ontology.None {
		if number == 0 && !seen {
			if x := n.endingIn(class); x != state.Nothing {
				n.objects.Alias(name, x)
				return x
			}
		}
		n.warn(0, fmt.Sprintf("unknown object class %q%s; the object is kept as unknown", class, n.classHint(class)))
		x := n.onlyUnknown(name)
		if number > 0 || x == state.Nothing {
			x = n.objects.AddUnknown(name, class)
		}
		n.objects.Alias(name, x)
		return x
	}
	same := stem == class || episode.Spelling(stem) == episode.Spelling(class)
	if number == 0 && same {
		x := n.bare(name, id, seen)
		if seen && stem != name && n.objects.Name(x) != name {
			n.call(x, name)
		}
		return x
	}
	canonical := n.onto.Canonical(id)
	if number > 0 && same && n.onto.Name(canonical) != class {
		return n.equivalent(name, n.onto.Instance(canonical, number), id, seen)
	}
	own := id
	if stem != class {
		own = ClassOf(n.onto, stem)
	}
	read := seen && number > 0 && own != ontology.None && n.onto.Canonical(own) == canonical
	meant := ""
	if read {
		meant = n.onto.Instance(canonical, number)
		if x, ok := n.objects.Lookup(meant); ok && n.objects.Items[x].Coined && !n.seen[x] {
			n.call(x, name)
			return x
		}
	}
	x := state.Nothing
	if seen {
		x = n.spokenOf(id)
	}
	if x == state.Nothing {
		x = n.objects.Add(name, id)
	} else {
		n.call(x, name)
	}
	if read && meant != name {
		n.readings = append(n.readings, reading{meant, x})
	}
	return x
}

// spokenOf is a thing of a class that a bare name in plan or goal means and that no look has
// shown yet, or Nothing: the first that is seen of the class is that one.
func (n *Names) spokenOf(class ontology.TermID) state.Object {
	for x := range n.objects.CoinedOf(class) {
		if !n.seen[x] {
			return x
		}
	}
	return state.Nothing
}

// reading is the name that an action means an object by where the log calls it otherwise:
// "CellPhone-2" for "phone_2".
type reading struct {
	name string
	of   state.Object
}

// addReadings lets actions mean objects by what their names are read as, unless the log
// calls another so.
func (n *Names) addReadings() {
	for _, r := range n.readings {
		if _, taken := n.objects.Lookup(r.name); !taken {
			n.objects.Alias(r.name, r.of)
		}
	}
	n.readings = nil
}

// bare resolves a class name without a number where no context helps. One that was seen
// under that name keeps it.
func (n *Names) bare(name string, class ontology.TermID, seen bool) state.Object {
	same := n.sameClass(class)
	if letter := letterOf(name); letter != 0 && len(same) > 0 {
		same = filter(same, func(x state.Object) bool { other := letterOf(n.objects.Name(x)); return other == 0 || other == letter })
		if len(same) == 0 {
			return n.objects.AddApart(name, class)
		}
	}
	if len(same) == 1 && !(seen && n.isAnother(name, same[0])) {
		if seen && name != n.onto.Name(class) {
			n.call(same[0], name)
		}
		n.objects.Alias(name, same[0])
		return same[0]
	}
	if packed := n.packed(class); len(same) == 0 && !seen && len(packed) > 0 {
		return packed[0]
	}
	if n.onto.HasType(class, n.onto.Core.ObjectGroup) {
		return n.objects.Add(name, class)
	}
	if seen && name != n.onto.Name(class) {
		return n.equivalent(name, n.onto.Instance(n.onto.Canonical(class), 1), class, seen)
	}
	if !seen && len(same) > 1 {
		if _, ok := n.objects.Lookup(n.onto.Instance(class, 1)); !ok {
			return n.lowest(same)
		}
	}
	known := len(n.objects.Items)
	x := n.equivalent(n.onto.Instance(class, 1), n.onto.Instance(n.onto.Canonical(class), 1), class, false)
	if int(x) >= known {
		n.objects.Coin(x)
	}
	return x
}

// letterOf is the letter by which a name tells one thing from others of its kind, as in bed_a and
// bed_b; 0 where it has none.
func letterOf(name string) byte {
	at := len(name) - 1
	if at < 2 || !strings.ContainsRune("_- ", rune(name[at-1])) {
		return 0
	}
	letter := name[at] | 0x20
	if letter < 'a' || letter > 'z' {
		return 0
	}
	return letter
}

// isLettered reports whether a name that ends in a letter, as bed_a, is the very name of a known thing.
func (n *Names) isLettered(name string) bool {
	x, known := n.objects.Lookup(name)
	return known && letterOf(name) != 0 && n.objects.Name(x) == name
}

// lowest is that of some objects with the lowest number in its name, of those without one the
// first: where looks count from 300, it is what is number 1 elsewhere.
func (n *Names) lowest(among []state.Object) state.Object {
	return slices.MinFunc(among, func(x, y state.Object) int { return compareNumbers(n.objects.Name(x), n.objects.Name(y)) })
}

// compareNumbers orders names by their numbers, the zeroth first, like those without one.
func compareNumbers(a, b string) int {
	_, i := episode.SplitName(a)
	_, k := episode.SplitName(b)
	return cmp.Compare(i%ontology.Zeroth, k%ontology.Zeroth)
}

// call gives an object that is seen for the first time the name that the look calls it by, in
// place of one that was made for it.
func (n *Names) call(x state.Object, name string) {
	if n.objects.Items[x].Coined {
		n.objects.Rename(x, name)
	}
}

// isAnother reports whether a name that is seen for the first time is not that of an object
// of its class: the same look shows both, or the words before the class differ.
func (n *Names) isAnother(name string, x state.Object) bool {
	if !n.seen[x] {
		return false
	}
	words, others := n.modified(name).Modifiers, n.modified(n.objects.Name(x)).Modifiers
	return slices.Contains(n.look, x) || words != "" && others != "" && words != others
}

// equivalent lets the names of an object by equivalent classes mean the same;
// the first that the log uses is kept. Two names that were seen are two objects.
func (n *Names) equivalent(name, canonical string, class ontology.TermID, seen bool) state.Object {
	x, ok := n.objects.Lookup(canonical)
	if ok && seen && n.seen[x] {
		return n.objects.Add(name, class)
	}
	if !ok && seen {
		if spoken := n.spokenOf(class); spoken != state.Nothing {
			n.call(spoken, name)
			n.objects.Alias(canonical, spoken)
			return spoken
		}
	}
	if !ok {
		x = n.objects.Add(name, class)
		n.objects.Alias(canonical, x)
	} else if seen {
		n.call(x, name)
	}
	n.objects.Alias(name, x)
	return x
}

// onlyUnknown is the one object of an unknown class, or Nothing.
func (n *Names) onlyUnknown(class string) state.Object {
	if same := n.objects.OfUnknown(class); len(same) == 1 {
		return same[0]
	}
	return state.Nothing
}

// shownAs is the only object that was seen under a name, its number apart, or Nothing: the front
// left plate is what the looks call that, whatever its class. The label of a class means the class.
func (n *Names) shownAs(name string) state.Object {
	if len(n.onto.ByLabel(name, n.onto.Core.PhysicalObject)) > 0 {
		return state.Nothing
	}
	spelling, found := episode.Spelling(name), state.Nothing
	for x := range state.Object(len(n.objects.Items)) {
		called := n.objects.Name(x)
		if !n.objects.Items[x].Shown || called == "" || name == "" || !strings.EqualFold(called[:1], name[:1]) {
			continue
		}
		if stem, _ := episode.SplitName(called); episode.Spelling(stem) != spelling {
			continue
		}
		if found != state.Nothing {
			return state.Nothing
		}
		found = x
	}
	return found
}

// endingIn is the only object that was seen whose name ends in a word, as a kettle base does in
// base, or Nothing. Of those that nobody knows, what looks call them may run on: ChickenBouillon.
func (n *Names) endingIn(word string) state.Object {
	var unknown []state.Object
	if spelling := episode.Spelling(word); len(spelling) > 3 {
		unknown = n.objects.UnknownEnding(spelling)
	}
	word = " " + strings.ToLower(word)
	found := state.Nothing
	for x := range state.Object(len(n.objects.Items)) {
		stem, _ := episode.SplitName(n.objects.Name(x))
		labels := []string{strings.ToLower(stem)}
		if class := n.objects.Class(x); class != ontology.None {
			labels = n.onto.Terms[class].Labels
		}
		if !n.objects.Items[x].Shown || !slices.ContainsFunc(labels, func(l string) bool { return strings.HasSuffix(l, word) }) && !slices.Contains(unknown, x) {
			continue
		}
		if found != state.Nothing {
			return state.Nothing
		}
		found = x
	}
	return found
}

func (n *Names) sameClass(class ontology.TermID) []state.Object { return n.objects.OfExactly(class) }

// called are those of some objects that looks call by a word, where they call others of the
// same class otherwise: a paper bin and a glass bin.
func (n *Names) called(word string, among []state.Object) []state.Object {
	spelling := episode.Spelling(word)
	return filter(among, func(x state.Object) bool {
		stem, _ := episode.SplitName(n.objects.Name(x))
		return n.objects.Items[x].Shown && (episode.Spelling(stem) == spelling || n.kinds[x] != "" && episode.Spelling(n.kinds[x]) == spelling)
	})
}

// packed are the packagings that are called by a liquid, as a carton of milk is, and the parts
// that are called by what they are parts of, as burners by the stove.
func (n *Names) packed(class ontology.TermID) []state.Object {
	if parts := n.objects.Parts(class); len(parts) > 0 {
		return parts
	}
	if n.onto.Roles.Packaging == ontology.None || !n.onto.IsLiquid(class) {
		return nil
	}
	return filter(n.objects.OfClass(class), func(x state.Object) bool { return n.objects.HasProperty(x, n.onto.Roles.Packaging) })
}

// Candidates lists what a name may mean: the object so named, else those of the class.
func (n *Names) Candidates(name string) []state.Object {
	if x, ok := n.objects.Lookup(name); ok {
		return []state.Object{x}
	}
	if class := ClassOf(n.onto, name); class != ontology.None {
		if same := n.sameClass(class); len(same) > 0 {
			return same
		}
		return n.packed(class)
	}
	return nil
}

// Owner is the agent that a gripper belongs to: the one that is declared, else the one with
// its number, else the robot.
func (n *Names) Owner(gripper state.Object) state.Object {
	if x, declared := n.crew.owners[gripper]; declared {
		return x
	}
	_, number := episode.SplitName(n.objects.Name(gripper))
	if a, ok := n.objects.Lookup(n.onto.Instance(n.onto.Core.Robot, number)); ok {
		return a
	}
	return n.Robot
}

// splitDigits parts the number at the end of a name from what stands right before it; 0 where there
// is none.
func splitDigits(name string) (stem string, number int) {
	stem = strings.TrimRight(name, "0123456789")
	if len(stem) < 3 {
		return name, 0
	}
	number, _ = strconv.Atoi(name[len(stem):])
	return stem, number
}
