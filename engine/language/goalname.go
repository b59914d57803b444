package language

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/ontology"
)

// firstAlias is the number of the first name that a goal is read with in place of one of a log; no
// log counts so far.
const firstAlias = 900_001

var goalWord = regexp.MustCompile(`[^\s,;:!?()"]+`)

// lettered are names that end in a letter that tells one thing from another: "rack_B".
var lettered = regexp.MustCompile(`[_-]\pL\pN?$`)

// ReadGoalAbout is ReadGoal of a text that may name things as a log does, "put block_a on rack-B":
// things are what the log calls the classes of these, by their names. A name that says its class and
// a number is read as any other text.
func ReadGoalAbout(o *ontology.Ontology, text string, things map[string]string) *TextGoal {
	if len(things) == 0 || len(text) > MaxGoal {
		return ReadGoal(o, text)
	}
	said := inWords(o, text) // where any name of a thing is one
	var names, aliases []string
	plain := goalWord.ReplaceAllStringFunc(said, func(word string) string {
		name := strings.TrimRight(word, ".")
		class, is := things[name]
		if !is || said == text && !isOpaque(o, name) {
			return word
		}
		noun := ReadNoun(o, class)
		if noun.Class == ontology.None || len(noun.Unread) > 0 {
			return word
		}
		at := slices.Index(names, name)
		if at < 0 {
			at = len(names)
			names, aliases = append(names, name), append(aliases, o.Label(noun.Class)+" "+strconv.Itoa(firstAlias+at))
		}
		return aliases[at] + word[len(name):]
	})
	g := ReadGoal(o, plain)
	if len(names) == 0 {
		return g
	}
	for i, called := range g.Names {
		if _, number := episode.SplitName(called); number >= firstAlias && number < firstAlias+len(names) {
			g.Names[i] = names[number-firstAlias]
			if g.Things == nil {
				g.Things = map[int]string{}
			}
			g.Things[i] = g.Names[i]
		}
	}
	for _, list := range [][]string{g.Called, g.Unread} {
		for i := range list {
			for k, alias := range aliases {
				list[i] = strings.ReplaceAll(list[i], strings.Join(Words(alias), " "), names[k])
			}
		}
	}
	return g
}

// isOpaque reports whether a name is no word of a sentence, and does not say its class and a number.
func isOpaque(o *ontology.Ontology, name string) bool {
	stem, number := episode.SplitName(name)
	if number > 0 && ReadNoun(o, stem).Class != ontology.None && !strings.ContainsAny(stem, "0123456789") {
		return false
	}
	if ReadNoun(o, name).Class != ontology.None && strings.TrimLeft(name, "0123456789") == name && !lettered.MatchString(name) {
		return false
	}
	return strings.ContainsAny(name, "0123456789_-")
}
