// Package language reads what logs say in English through the labels of the ontology:
// names of things with their modifiers, actions as sentences, goals. What it has no
// label for is given back as it was written, never guessed.
package language

import (
	"slices"
	"strconv"
	"strings"

	"github.com/mishap-robotics/mishap/ontology"
)

// The words that say nothing of which thing is meant.
var determiners = []string{"a", "an", "the", "its", "their", "his", "her", "some", "this", "that", "one", "any", "another", "robot's"}

// The words that begin what is said of a thing after its name.
var afterHead = []string{"with", "without", "that", "which", "of", "on", "in", "inside", "from", "for", "behind", "containing", "holding", "filled", "near", "next", "at", "to", "under"}

var numbers = map[string]int{"two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10, "both": 2}

var separators = strings.NewReplacer("_", " ", ",", " , ", "(", " ", ")", " ", "\"", " ", "’", "'")

// words splits a text into lower-case words; commas are words of their own.
func words(text string) []string {
	return strings.Fields(separators.Replace(strings.ToLower(text)))
}

// label is the longest label of a kind at the beginning of some words, and how many
// words it has; n is 0 where there is none.
func label(o *ontology.Ontology, in []string, kind ontology.TermID) (ids []ontology.TermID, n int) {
	for n = min(len(in), longestLabel); n > 0; n-- {
		if slices.Contains(in[:n], ",") {
			continue
		}
		if ids = o.ByLabel(strings.Join(in[:n], " "), kind); len(ids) > 0 {
			return ids, n
		}
	}
	return nil, 0
}

// longestLabel is the most words that a label is looked for in.
const longestLabel = 6

// things are the classes of objects, agents apart, with a label; plural forms count. A
// class that can be acted upon comes before a group of classes.
func things(o *ontology.Ontology, text string) (ontology.TermID, bool) {
	for _, form := range singulars(text) {
		for _, kind := range []ontology.TermID{o.Core.PhysicalObject, o.Core.Agent} {
			ids := o.ByLabel(form, kind)
			if i := slices.IndexFunc(ids, func(id ontology.TermID) bool { return !o.HasType(id, o.Core.ObjectGroup) }); i >= 0 {
				return ids[i], true
			}
			if len(ids) > 0 {
				return ids[0], true
			}
		}
	}
	return ontology.None, false
}

// singulars are the forms that a word in the plural may have in the singular, the
// word itself first.
func singulars(text string) []string {
	out := []string{text}
	for _, ending := range [][2]string{{"ies", "y"}, {"ves", "fe"}, {"ves", "f"}, {"oes", "o"}, {"es", ""}, {"s", ""}} {
		if stem, ok := strings.CutSuffix(text, ending[0]); ok && len(stem) > 1 {
			out = append(out, stem+ending[1])
		}
	}
	return out
}

// State is the state that some words mean: by a label, by the opposite of what is
// denied, or by the last words where the first only name a part: "with door open".
func State(o *ontology.Ontology, text string) (ontology.TermID, bool) {
	in := words(text)
	for i := range in {
		rest := strings.Join(in[i:], " ")
		denied := i > 0 && slices.Contains([]string{"not", "no", "isn't"}, in[i-1])
		ids := o.ByLabel(rest, o.Core.StateClass)
		if len(ids) == 0 {
			continue
		}
		if !denied {
			return ids[0], true
		}
		if opposite := o.Opposite(ids[0]); opposite != ontology.None {
			return opposite, true
		}
		return ontology.None, false
	}
	return ontology.None, false
}

// Noun is the name of a thing with what it says of it.
type Noun struct {
	Class ontology.TermID // None where no label fits
	// Text is what names the thing, without determiners, numbers and modifiers that are
	// understood.
	Text string
	// Number is that of the instance, as in "third counter top" and "mug 2"; 0 for none.
	Number int
	// Count is how many are meant, as in "two mugs"; 0 where it is not said. All is true
	// of "all mugs" and "every mug".
	Count  int
	All    bool
	States []ontology.TermID // "clean", "white"
	// Properties are materials and physical properties, "glass".
	Properties []ontology.TermID
	// Modifiers are the words before the class, as they stand: "dark blue".
	Modifiers string
	// Unread are modifiers that the ontology has no label for.
	Unread []string
}

// Name is the noun as an instance or class name: "StoveBurner-4", "Mug". What no label
// fits keeps its words.
func (n *Noun) Name(o *ontology.Ontology) string {
	name := n.Text
	if n.Class != ontology.None {
		name = o.Name(n.Class)
	}
	if n.Number > 0 {
		return name + "-" + strconv.Itoa(n.Number)
	}
	return name
}

// ReadNoun reads a name such as "the third counter top", "blue cup with handle" or
// "bread_slice_3". What follows the head ("with handle") is not read.
func ReadNoun(o *ontology.Ontology, text string) Noun {
	in := words(text)
	n, used := readNoun(o, in)
	if n.Class == ontology.None {
		n.Text = strings.TrimSpace(text)
		return n
	}
	n.Unread = append(n.Unread, in[used:]...)
	return n
}

// readNoun reads a noun at the beginning of some words, and says how many it took.
func readNoun(o *ontology.Ontology, in []string) (n Noun, used int) {
	n.Class = ontology.None
	at := 0
	for at < len(in) {
		w := in[at]
		if ord, ok := o.Ordinal(w); ok {
			n.Number = ord
		} else if c, ok := numbers[w]; ok {
			n.Count = c
		} else if w == "all" || w == "every" || w == "each" {
			n.All = true
		} else if !slices.Contains(determiners, w) {
			break
		}
		at++
	}
	head, end := findHead(o, in[at:])
	if end == 0 {
		return n, 0
	}
	n.Class, _ = things(o, strings.Join(in[at+head:at+end], " "))
	n.Text = strings.Join(in[at+head:at+end], " ")
	n.Modifiers = strings.Join(in[at:at+head], " ")
	n.modifiers(o, in[at:at+head])
	used = at + end
	if used < len(in) {
		if k, err := strconv.Atoi(in[used]); err == nil && k > 0 && n.Number == 0 {
			n.Number = k
			used++
		}
	}
	return n, used
}

// findHead finds the words that name the class: of the words up to what follows the
// head, the last that a label ends with, and of those the longest. The end is 0 where
// there is none.
func findHead(o *ontology.Ontology, in []string) (from, end int) {
	limit := 0
	for limit < len(in) && in[limit] != "," && in[limit] != "and" {
		limit++
	}
	// A label may itself hold a word such as "of": "slice of bread".
	for end := limit; end > 0; end-- {
		for from := max(0, end-longestLabel); from < end; from++ {
			if cut := slices.IndexFunc(in[:from], func(w string) bool { return slices.Contains(afterHead, w) || w == "is" || w == "are" }); cut >= 0 {
				break
			}
			if _, ok := things(o, strings.Join(in[from:end], " ")); ok {
				return from, end
			}
		}
	}
	return 0, 0
}

// modifiers takes what stands before the head for states, properties and materials.
func (n *Noun) modifiers(o *ontology.Ontology, in []string) {
	for len(in) > 0 {
		taken := 1
		if ids, k := label(o, in, o.Core.StateClass); k > 0 {
			n.States = append(n.States, ids[0])
			taken = k
		} else if ids, k := label(o, in, o.Core.Material); k > 0 {
			n.Properties = append(n.Properties, ids[0])
			taken = k
		} else if !slices.Contains(determiners, in[0]) {
			n.Unread = append(n.Unread, in[0])
		}
		in = in[taken:]
	}
}
