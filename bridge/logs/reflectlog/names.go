package reflectlog

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mishap-robotics/mishap/engine/language"
	"github.com/mishap-robotics/mishap/ontology"
)

// namer gives things the names that they go by in one log. Things of one class that are
// told apart by what stands before the class, "white bowl" and "dark blue bowl", are
// numbered in the order in which they appear. What the list of the task has once, "shallow
// white bowl", is one thing by whichever of its words a caption calls it.
type namer struct {
	onto    *ontology.Ontology
	numbers map[ontology.TermID][]string // what tells instance 1, 2, … of a class apart
	kept    map[string]named
	nouns   map[string]language.Noun // as they are read, by their text
	// bare is what the class alone means in a caption, by class; see heldAs.
	bare map[ontology.TermID]string
	// listed are the things of the task's list, by class; onlyOne the classes of which the
	// captions have a single thing, by any name.
	listed  map[ontology.TermID][]language.Noun
	onlyOne map[ontology.TermID]bool
	// apart are pairs of names by which one caption calls two things.
	apart map[[2]string]bool
}

type named struct {
	name string
	noun language.Noun
}

func newNamer(o *ontology.Ontology, list []string) namer {
	n := namer{onto: o, numbers: map[ontology.TermID][]string{}, kept: map[string]named{}, nouns: map[string]language.Noun{},
		listed: map[ontology.TermID][]language.Noun{}, onlyOne: map[ontology.TermID]bool{}, apart: map[[2]string]bool{}}
	for _, text := range list {
		if noun := n.noun(text); noun.Class != ontology.None {
			class := o.Canonical(noun.Class)
			noun.Text = text
			n.listed[class] = append(n.listed[class], noun)
		}
	}
	return n
}

// noun reads a name; captions repeat them.
func (n namer) noun(text string) language.Noun {
	noun, known := n.nouns[text]
	if !known {
		noun = language.ReadName(n.onto, strings.TrimPrefix(strings.TrimSpace(text), "the "))
		n.nouns[text] = noun
	}
	return noun
}

// learn takes the names by which captions call things, those of each caption together.
func (n namer) learn(captions [][]string) {
	bare := map[ontology.TermID]bool{} // the class alone beside another of its kind
	for _, names := range captions {
		var nouns []language.Noun
		for _, text := range names {
			noun := n.noun(text)
			if noun.Class != ontology.None && noun.Number == 0 && !slices.ContainsFunc(nouns, func(o language.Noun) bool { return o.Class == noun.Class && o.Modifiers == noun.Modifiers }) {
				nouns = append(nouns, noun)
			}
		}
		for i, a := range nouns {
			for _, b := range nouns[:i] {
				if class := n.onto.Canonical(a.Class); class == n.onto.Canonical(b.Class) {
					n.apart[[2]string{a.Modifiers, b.Modifiers}], n.apart[[2]string{b.Modifiers, a.Modifiers}] = true, true
					bare[class] = bare[class] || a.Modifiers == "" || b.Modifiers == ""
				}
			}
		}
	}
	counted := namer{onto: n.onto, nouns: n.nouns, numbers: map[ontology.TermID][]string{}, listed: n.listed, apart: n.apart}
	for _, names := range captions {
		for _, text := range names {
			if noun := n.noun(text); noun.Class != ontology.None && noun.Number == 0 && noun.Modifiers != "" {
				counted.number(noun)
			}
		}
	}
	for class, of := range counted.numbers {
		n.onlyOne[class] = len(of) == 1 && len(n.listed[class]) == 1 && !bare[class]
	}
}

// name turns "fourth stove burner" into StoveBurner-4. What the ontology has no label
// for is kept as written.
func (n namer) name(text string) string {
	name, _ := n.read(text)
	return name
}

func (n namer) read(text string) (string, language.Noun) {
	if text == "" {
		return "", language.Noun{Class: ontology.None}
	}
	k, known := n.kept[text]
	noun := k.noun
	if !known {
		noun = n.noun(text)
	}
	if name, ok := n.bare[noun.Class]; ok && noun.Class != ontology.None && noun.Modifiers == "" && noun.Number == 0 {
		return name, noun
	}
	if known {
		return k.name, noun
	}
	name := noun.Name(n.onto)
	if noun.Class != ontology.None && noun.Number == 0 && noun.Modifiers != "" {
		if number := n.number(noun); number > 1 || !n.onlyOne[n.onto.Canonical(noun.Class)] {
			name = fmt.Sprintf("%s-%d", name, number)
		}
	}
	n.kept[text] = named{name, noun}
	return name, noun
}

func (n namer) number(noun language.Noun) int {
	class := n.onto.Canonical(noun.Class)
	said := noun.Modifiers
	for i, other := range n.numbers[class] {
		if other == said {
			return i + 1
		}
	}
	if of := n.entry(noun, class); of >= 0 {
		for i, other := range n.numbers[class] {
			if n.entry(n.noun(other+" "+noun.Text), class) == of && !n.apart[[2]string{other, said}] {
				return i + 1
			}
		}
	}
	n.numbers[class] = append(n.numbers[class], said)
	return len(n.numbers[class])
}

// entry is which thing of the task's list a name means, -1 for none or any of several: the only
// one with all of its words, else the only one of its class that is not of another colour or
// material.
func (n namer) entry(noun language.Noun, class ontology.TermID) int {
	found := -1
	for i, of := range n.listed[class] {
		in := language.Words(of.Text)
		if slices.ContainsFunc(strings.Fields(noun.Modifiers), func(w string) bool { return !slices.Contains(in, w) }) {
			continue
		}
		if found >= 0 {
			return -1
		}
		found = i
	}
	if found < 0 && len(n.listed[class]) == 1 && !n.differ(noun, n.listed[class][0]) {
		return 0
	}
	return found
}

// differ reports whether two things are called by states or materials that exclude one another.
func (n namer) differ(a, b language.Noun) bool {
	for _, x := range a.States {
		for _, y := range b.States {
			if x != y && n.onto.Dimension(x) != ontology.None && n.onto.Dimension(x) == n.onto.Dimension(y) {
				return true
			}
		}
	}
	for _, x := range a.Properties {
		for _, y := range b.Properties {
			if x != y && n.onto.HasType(x, n.onto.Core.Material) && n.onto.HasType(y, n.onto.Core.Material) {
				return true
			}
		}
	}
	return false
}
