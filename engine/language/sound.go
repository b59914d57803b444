package language

import (
	"strings"

	"github.com/mishap-robotics/mishap/ontology"
)

// Sound is the class of sound that some words mean: by a label; else by the longest label
// among the words, as in "loud crash" and "something drops on the ground"; else by what
// the label says of something, as in "apple drops". It is false where there is none.
func Sound(o *ontology.Ontology, text string) (ontology.TermID, bool) {
	if ids := o.ByLabel(text, o.Core.Sound); len(ids) > 0 {
		return ids[0], true
	}
	in := Words(stops.Replace(text))
	if id, ok := soundWithin(o, in); ok {
		return closerSound(o, in, id), true
	}
	if _, used := readNoun(o, in); used > 0 && used < len(in) {
		for _, anything := range o.Words(ontology.Something) {
			if id, ok := soundWithin(o, append([]string{anything}, in[used:]...)); ok {
				return id, true
			}
		}
	}
	return ontology.None, false
}

// stops are what ends a clause of what somebody says: "speech: no, not that one!".
var stops = strings.NewReplacer(":", ",", ";", ",", "!", ",", "?", ",", ". ", ", ")

// closerSound is a subclass of a sound that some of the words, or one that stands for itself, are a
// label of: what somebody who speaks says.
func closerSound(o *ontology.Ontology, in []string, of ontology.TermID) ontology.TermID {
	for n := min(len(in), longestSound); n > 0; n-- {
		for from := 0; from+n <= len(in); from++ {
			alone := (from == 0 || in[from-1] == ",") && (from+n == len(in) || in[from+n] == ",")
			if n == 1 && !alone {
				continue
			}
			for _, id := range o.ByLabel(strings.Join(in[from:from+n], " "), of) {
				if id != of {
					return id
				}
			}
		}
	}
	return of
}

// soundWithin finds the longest label of a sound among some words, the first of those
// that are equally long.
func soundWithin(o *ontology.Ontology, in []string) (ontology.TermID, bool) {
	for n := min(len(in), longestSound); n > 0; n-- {
		for from := 0; from+n <= len(in); from++ {
			if ids := o.ByLabel(strings.Join(in[from:from+n], " "), o.Core.Sound); len(ids) > 0 {
				return ids[0], true
			}
		}
	}
	return ontology.None, false
}

// longestSound is the most words that a label of a sound is looked for in.
const longestSound = 10
