// Package setting is what the formats share of an episode's setting: the people, and
// facts of the scene and the goal, as lists of words or as texts.
package setting

import "github.com/mishap-robotics/mishap/engine/episode"

// Person is somebody who is served, in JSON.
type Person struct {
	Name     string   `json:"name"`
	Diets    []string `json:"diets,omitempty"`
	Dislikes []string `json:"dislikes,omitempty"`
}

// FromPeople are the people of an episode.
func FromPeople(people []episode.Person) []Person {
	var out []Person
	for _, p := range people {
		out = append(out, Person(p))
	}
	return out
}

// People are the people for an episode.
func People(list []Person) []episode.Person {
	var out []episode.Person
	for _, p := range list {
		out = append(out, episode.Person(p))
	}
	return out
}

// Facts are facts of two or three words each, from a line of a log; ok is false where
// one has other than that, which is passed over.
func Facts(list [][]string, line int) (facts []episode.Fact, ok bool) {
	ok = true
	for _, words := range list {
		f, fits := episode.FactOf(words)
		if !fits {
			ok = false
			continue
		}
		f.Line = line
		facts = append(facts, f)
	}
	return facts, ok
}

// Words are facts as lists of words.
func Words(facts []episode.Fact) [][]string {
	var out [][]string
	for _, f := range facts {
		out = append(out, f.Words())
	}
	return out
}

// ParseFacts reads facts as sentences, from a line of a log; 0 is none.
func ParseFacts(texts []string, line int) ([]episode.Fact, error) {
	var out []episode.Fact
	for _, text := range texts {
		f, err := episode.ParseFact(text)
		if err != nil {
			return nil, err
		}
		f.Line = line
		out = append(out, f)
	}
	return out, nil
}
