package language

import (
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/mishap-robotics/mishap/ontology"
)

// Diet is what a text says of what somebody must not have.
type Diet struct {
	Who  string // "" where nobody is named
	Diet ontology.TermID
}

// ReadDiets finds in a text that somebody is of a class of people with something that they
// must not have, "Anna is allergic to nuts". Only what is said with a verb counts: a vegan
// burger is nobody's diet. A colon is as good as a verb: "Anna: nut allergy". Nothing of a text
// longer than MaxGoal is read.
func ReadDiets(o *ontology.Ontology, text string) []Diet {
	if len(text) > MaxGoal {
		return nil
	}
	text = strings.ReplaceAll(text, ":", " "+colon+" ")
	in := strings.FieldsFunc(text, func(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune(".,;!?()\"", r) })
	var out []Diet
	for i := 1; i < len(in); i++ {
		verb := i
		for verb > 0 && o.IsWord(in[verb-1], ontology.Determiner) {
			verb--
		}
		if verb == 0 || in[verb-1] != colon && !o.IsWord(in[verb-1], ontology.Linking) {
			continue
		}
		ids, n := longest(in[i:], func(text string) []ontology.TermID { return diets(o, text) })
		if n == 0 {
			continue
		}
		out = append(out, Diet{nameBefore(o, in[:verb]), ids[0]})
		i += n - 1
	}
	return out
}

const colon = ":"

var (
	// of a person: ", who is allergic to milk," and "(Lina: nut allergy)"
	aside  = regexp.MustCompile(`\s*\([^()]*\)|,?\s+who\s[^,.;]*,?`)
	person = regexp.MustCompile(`\s+for\s+((?:\p{Lu}[\pL.]*\s*)+)`)
	kin    = regexp.MustCompile(`\s+for\s+((?:(?:the|my|our|a|an)\s+)?\p{Ll}+)`)
)

// withoutPeople takes out of a goal what it says of people whom something is for, and who they
// are: neither tells what is to be.
func withoutPeople(o *ontology.Ontology, text string) string {
	text = aside.ReplaceAllStringFunc(text, func(said string) string {
		if len(ReadDiets(o, said)) == 0 && len(ReadDiets(o, "it "+said)) == 0 {
			return said
		}
		return " "
	})
	text = kin.ReplaceAllStringFunc(text, func(said string) string { // "for grandpa"
		if class := ReadNoun(o, strings.TrimSpace(strings.TrimSpace(said)[len("for"):])).Class; class != ontology.None && o.IsA(class, o.Core.Human) {
			return " "
		}
		return said
	})
	return person.ReplaceAllStringFunc(text, func(said string) string {
		if ReadNoun(o, strings.TrimSpace(strings.TrimSpace(said)[len("for"):])).Class != ontology.None {
			return said
		}
		return " "
	})
}

// diets are the classes of people with a label that must not have something.
func diets(o *ontology.Ontology, text string) []ontology.TermID {
	return slices.DeleteFunc(slices.Clone(o.ByLabel(text, o.Core.Human)), func(id ontology.TermID) bool { return len(o.Avoids(id)) == 0 })
}

// nameBefore is the name of a person that ends some words, verbs and what refers to the name
// apart; "" where there is none.
func nameBefore(o *ontology.Ontology, in []string) string {
	for len(in) > 0 {
		last := in[len(in)-1]
		if last != colon && !o.IsWord(last, ontology.Linking) && !o.IsWord(last, ontology.Relative) {
			if r := []rune(last); unicode.IsUpper(r[0]) && !o.IsFunctionWord(last) {
				return last
			}
			return ""
		}
		in = in[:len(in)-1]
	}
	return ""
}
