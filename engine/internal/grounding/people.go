package grounding

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mishap-robotics/mishap/engine/internal/state"
	"github.com/mishap-robotics/mishap/engine/language"
	"github.com/mishap-robotics/mishap/ontology"
)

// Person is somebody who is served, with the classes of food to keep from them.
type Person struct {
	Obj    state.Object
	Avoids []ontology.TermID
}

// AddPeople adds the people of the episode.
func (n *Names) AddPeople() []Person {
	var out []Person
	for _, p := range n.ep.People {
		person := Person{Obj: n.objects.Add(p.Name, n.onto.Core.Human)}
		for _, d := range p.Diets {
			ids, avoids := n.diets(d)
			if len(ids) == 0 && len(avoids) == 0 {
				n.ep.Warn(0, fmt.Sprintf("unknown diet %q of %s; it is not judged", d, p.Name))
				continue
			}
			for _, id := range ids {
				n.objects.AddClass(person.Obj, id)
			}
			person.Avoids = append(person.Avoids, avoids...)
		}
		for _, d := range p.Dislikes {
			id := ClassOf(n.onto, d)
			if id == ontology.None {
				n.ep.Warn(0, fmt.Sprintf("%s dislikes %q, which is no class of objects; it is not judged", p.Name, d))
				continue
			}
			person.Avoids = append(person.Avoids, id)
		}
		out = append(out, person)
	}
	return n.addDiets(out)
}

// diets are what a text says that somebody must not or will not have: a diet by its label, or
// several, "no nuts, vegetarian", what is said in brackets, "gluten-free (celiac disease)", and things
// by their names, "mushroom allergy". They are told as classes of people, and as what those avoid.
func (n *Names) diets(text string) (classes, avoids []ontology.TermID) {
	if ids := n.onto.ByLabel(text, n.onto.Core.Human); len(ids) > 0 {
		return ids[:1], n.onto.Avoids(ids[0])
	}
	for part := range strings.FieldsFuncSeq(text, func(r rune) bool { return strings.ContainsRune("(),;:/", r) }) {
		ids := n.onto.ByLabel(strings.TrimSpace(part), n.onto.Core.Human)
		if len(ids) == 0 {
			for _, d := range language.ReadDiets(n.onto, part) {
				if d.Diet == ontology.None {
					avoids = append(avoids, d.Avoids...)
				} else {
					ids = append(ids, d.Diet)
				}
			}
		}
		if len(ids) == 0 {
			avoids = append(avoids, language.ReadAvoided(n.onto, part)...)
		}
		for _, id := range ids {
			if !slices.Contains(classes, id) {
				classes = append(classes, id)
				avoids = append(avoids, n.onto.Avoids(id)...)
			}
		}
	}
	return classes, avoids
}

// addDiets adds what the goal in words, or the task, says of what people must not have, "Ben is lactose
// intolerant": of who is named so, else of somebody.
func (n *Names) addDiets(people []Person) []Person {
	for _, d := range language.ReadDiets(n.onto, n.ep.Goal+". "+n.ep.Task) {
		name := d.Who
		if name == "" {
			name = n.onto.Instance(n.onto.Core.Human, 1)
		}
		x := n.objects.Add(name, n.onto.Core.Human)
		if d.Diet != ontology.None {
			n.objects.AddClass(x, d.Diet)
		}
		at := slices.IndexFunc(people, func(p Person) bool { return p.Obj == x })
		if at < 0 {
			at = len(people)
			people = append(people, Person{Obj: x})
		}
		people[at].Avoids = append(people[at].Avoids, d.Avoids...)
	}
	return people
}
