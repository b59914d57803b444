package reflectlog

import (
	"fmt"
	"strings"

	"github.com/mishap-robotics/mishap/engine/language"
	"github.com/mishap-robotics/mishap/ontology"
)

// namer gives things the names that they go by in one log. Things of one class that are
// told apart by what stands before the class, "white bowl" and "dark blue bowl", are
// numbered in the order in which they appear.
type namer struct {
	onto    *ontology.Ontology
	numbers map[ontology.TermID][]string // what tells instance 1, 2, … of a class apart
	kept    map[string]named
	// bare is what the class alone means in a caption, by class; see heldAs.
	bare map[ontology.TermID]string
}

type named struct {
	name string
	noun language.Noun
}

func newNamer(o *ontology.Ontology) namer {
	return namer{onto: o, numbers: map[ontology.TermID][]string{}, kept: map[string]named{}}
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
		noun = language.ReadName(n.onto, strings.TrimPrefix(strings.TrimSpace(text), "the "))
	}
	if name, ok := n.bare[noun.Class]; ok && noun.Class != ontology.None && noun.Modifiers == "" && noun.Number == 0 {
		return name, noun
	}
	if known {
		return k.name, noun
	}
	name := noun.Name(n.onto)
	if noun.Class != ontology.None && noun.Number == 0 && noun.Modifiers != "" {
		name = fmt.Sprintf("%s-%d", name, n.number(noun))
	}
	n.kept[text] = named{name, noun}
	return name, noun
}

func (n namer) number(noun language.Noun) int {
	class := n.onto.Canonical(noun.Class)
	for i, said := range n.numbers[class] {
		if said == noun.Modifiers {
			return i + 1
		}
	}
	n.numbers[class] = append(n.numbers[class], noun.Modifiers)
	return len(n.numbers[class])
}
