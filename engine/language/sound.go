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
	in := Words(text)
	if id, ok := soundWithin(o, in); ok {
		return id, true
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
