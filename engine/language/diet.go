package language

import (
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/mishap-robotics/mishap/ontology"
)

// Diet is what a text says of what somebody must not or will not have.
type Diet struct {
	Who    string            // "" where nobody is named
	Diet   ontology.TermID   // a class of people who must not have something; None where only things are named
	Avoids []ontology.TermID // what is to be kept from them

	from, to int // bytes of the text that say it
}

// word is a word of a text in which diets are sought, and where it stands.
type word struct {
	text     string
	from, to int
}

var dietWord = regexp.MustCompile(`[^\s.,;!?()":]+|:`)

// dietWords are the words of a text; "nut-free" is two.
func dietWords(o *ontology.Ontology, text string) []word {
	var out []word
	for _, at := range dietWord.FindAllStringIndex(text, -1) {
		w := word{text[at[0]:at[1]], at[0], at[1]}
		if i := strings.LastIndexByte(w.text, '-'); i > 0 && o.IsWord(w.text[i+1:], ontology.Intolerance) {
			out = append(out, word{w.text[:i], w.from, w.from + i})
			w = word{w.text[i+1:], w.from + i + 1, w.to}
		}
		out = append(out, w)
	}
	return out
}

func texts(in []word) []string {
	out := make([]string, len(in))
	for i, w := range in {
		out[i] = w.text
	}
	return out
}

// ReadDiets finds in a text that somebody is of a class of people with something that they must
// not have, "Anna is allergic to nuts", or what a person will not have, "Ben hates olives". Only what
// is said with a verb counts: a vegan burger is nobody's diet. A colon is as good as a verb: "Anna: nut
// allergy". Nothing of a text longer than MaxGoal is read.
func ReadDiets(o *ontology.Ontology, text string) []Diet {
	if len(text) > MaxGoal {
		return nil
	}
	at := dietWords(o, text)
	in := texts(at)
	var out []Diet
	for i := 1; i < len(in); i++ {
		verb := i
		for verb > 0 && o.IsWord(in[verb-1], ontology.Determiner) {
			verb--
		}
		if verb == 0 {
			continue
		}
		linked, before := in[verb-1] == colon || o.IsWord(in[verb-1], ontology.Linking), in[:verb]
		d := Diet{Diet: ontology.None, to: -1}
		if linked {
			if ids, n := longest(in[i:], func(text string) []ontology.TermID { return diets(o, text) }); n > 0 {
				d = Diet{Diet: ids[0], Avoids: o.Avoids(ids[0]), to: i + n}
			}
		}
		told := d.to >= 0
		if !told && !o.IsWord(in[i], ontology.Determiner) && (linked || verb == i) {
			if avoids, n := avoided(o, in[i:], in[verb-1] == colon, linked); n > 0 {
				d.Avoids, d.to = avoids, i+n
			}
		}
		if d.to < 0 {
			continue
		}
		who, begins := personBefore(o, before)
		if !told && begins < 0 {
			continue
		}
		i = d.to - 1
		d.Who, d.from, d.to = who, at[max(begins, 0)].from, at[d.to-1].to
		if begins < 0 {
			d.from = d.to // who is meant is told elsewhere
		}
		out = append(out, d)
	}
	return out
}

// ReadAvoided is what somebody will not have of whom a text is said, "mushroom allergy", "no olives
// or capers"; nil where that is not what it says.
func ReadAvoided(o *ontology.Ontology, text string) []ontology.TermID {
	if len(text) > MaxGoal {
		return nil
	}
	in := texts(dietWords(o, text))
	for i := range in {
		if ids, n := avoided(o, in[i:], true, true); n > 0 {
			return ids
		}
		if !o.IsWord(in[i], ontology.Linking) && !o.IsWord(in[i], ontology.Determiner) {
			return nil
		}
	}
	return nil
}

// avoided are the things that the first words say are not for somebody, and how many words those
// are: "allergic to apples and pears", after a linking verb "an apple allergy"; where it is plain
// that a person is meant "no apples".
func avoided(o *ontology.Ontology, in []string, plain, linked bool) (ids []ontology.TermID, n int) {
	n = WordsOf(o, in, ontology.Intolerant)
	if n == 0 && plain {
		n = max(WordsOf(o, in, ontology.NoneOf), WordsOf(o, in, ontology.Lacking))
	}
	if n == 0 && !linked {
		return nil, 0
	}
	ids, things := avoidable(o, in[n:])
	if things == 0 {
		return nil, 0
	}
	if n > 0 {
		return ids, n + things
	}
	if after := WordsOf(o, in[things:], ontology.Intolerance); after > 0 {
		return ids, things + after
	}
	return nil, 0
}

// avoidable are the things that the first words name, one after the other, and how many words they are.
func avoidable(o *ontology.Ontology, in []string) (ids []ontology.TermID, n int) {
	for at := 0; at < len(in); {
		if o.IsWord(in[at], ontology.Determiner) || o.IsWord(in[at], ontology.Conjunction) || o.IsWord(in[at], ontology.Universal) {
			at++
			continue
		}
		class, words := longest(in[at:], func(text string) []ontology.TermID {
			if noun := ReadNoun(o, text); noun.Class != ontology.None && len(noun.Unread) == 0 && !o.IsA(noun.Class, o.Core.Agent) {
				return []ontology.TermID{noun.Class}
			}
			return nil
		})
		if words == 0 {
			break
		}
		ids = append(ids, class[0])
		at += words
		n = at
	}
	return ids, n
}

// personBefore is who is spoken of at the end of some words, linking verbs and what refers back apart,
// and the word with which that begins: a name, "the guest" (who then is ""); begins is negative where
// it is no person. What refers back, "Ben, who is", begins what is said.
func personBefore(o *ontology.Ontology, in []string) (who string, begins int) {
	begins = -1
	for len(in) > 0 {
		last := in[len(in)-1]
		if last == colon || o.IsWord(last, ontology.Linking) || o.IsWord(last, ontology.Relative) {
			in = in[:len(in)-1]
			if o.IsWord(last, ontology.Relative) {
				begins = len(in)
			}
			continue
		}
		from := len(in) - 1
		if class := ReadNoun(o, last).Class; class != ontology.None && o.IsA(class, o.Core.Human) {
			for from > 0 && (o.IsWord(in[from-1], ontology.Determiner) || o.IsWord(in[from-1], ontology.Possessive)) {
				from--
			}
		} else if r := []rune(last); unicode.IsUpper(r[0]) && !o.IsFunctionWord(last) {
			who = last
		} else {
			return "", -1
		}
		if begins < 0 {
			begins = from
		}
		return who, begins
	}
	return "", -1
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
	for _, d := range slices.Backward(ReadDiets(o, text)) {
		text = text[:d.from] + " " + text[d.to:]
	}
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
