package language

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mishap-robotics/mishap/ontology"
)

// Condition is one thing that a goal asks for, by the names that the goal gives to
// objects: the second pot is "Pot#2".
type Condition struct {
	// Each tells which things the condition is about where it is about all of a kind, or
	// none: "Mug", "within Sink"; nil where it is about one.
	Each []string
	None bool // no such thing may exist
	// Count is how many there are to be, "exactly 2"; "" where that is not asked.
	Count string
	// First is the number of the part of the goal, from 1, that is to come about in turn before
	// the rest; 0 of the rest.
	First int
	// Within is in how many seconds from the start the goal is to be reached, "" where it is no
	// such condition.
	Within string
	// Subject is "" where Each tells. Object is "" of a state; Relation is "" where the
	// goal asks only that there be such a thing.
	Subject, Relation, Object string
	Text                      string // the whole in words
}

// Conditions are what a goal asks for, in order: of single things, of all of a kind, and
// what is only to exist.
func (g *TextGoal) Conditions(o *ontology.Ontology) []Condition {
	w := wording{goal: g, onto: o, names: g.numbered(), told: map[int]bool{}}
	var out []Condition
	for _, p := range g.Patterns {
		if p.Predicate != o.Core.Type {
			out = append(out, w.condition(p))
		}
	}
	for _, f := range g.ForAll {
		out = append(out, w.each(f)...)
	}
	for i := range g.Counts {
		out = append(out, w.count(&g.Counts[i]))
	}
	var before []Condition
	for i, part := range g.First {
		for _, p := range part {
			c := w.condition(p)
			c.First, c.Text = i+1, ordinal(i)+c.Text
			before = append(before, c)
		}
	}
	out = append(before, out...)
	if g.Within > 0 {
		seconds := g.Within.Short()
		out = append(out, Condition{Within: seconds, Text: "within " + seconds + " s"})
	}
	for _, p := range g.Patterns {
		if p.Predicate == o.Core.Type && !w.told[p.Subject.Var] {
			name := w.arg(p.Object)
			out = append(out, Condition{Subject: name, Text: name})
		}
	}
	return out
}

// ordinal tells that a part comes about before the rest.
func ordinal(i int) string {
	if i == 0 {
		return "first: "
	}
	return "then: "
}

// count words how many things there are to be.
func (w *wording) count(of *ontology.Count) Condition {
	c := Condition{Count: of.Text(), Each: []string{}}
	var said []string
	for i, p := range of.Of {
		q := w.condition(p)
		text := w.which(p)
		if i > 0 && i == len(of.Of)-1 {
			c.Relation, c.Object = q.Relation, q.Object
			said = append(said, text)
			continue
		}
		c.Each = append(c.Each, text)
	}
	c.Text = strings.TrimSpace(c.Count+" "+strings.Join(c.Each, " ")) + ": " + strings.Join(said, ", ")
	return c
}

// numbered are the names of the variables, of which those after the first of a name have a
// number.
func (g *TextGoal) numbered() []string {
	seen := map[string]int{}
	out := slices.Clone(g.Names)
	for i, n := range g.Names {
		if seen[n]++; n != "" && seen[n] > 1 {
			out[i] = fmt.Sprintf("%s#%d", n, seen[n])
		}
	}
	return out
}

type wording struct {
	goal  *TextGoal
	onto  *ontology.Ontology
	names []string
	told  map[int]bool // the variables that a condition is about
}

func (w *wording) arg(a ontology.Arg) string {
	if a.IsVar() {
		w.told[a.Var] = true
		return w.names[a.Var]
	}
	return w.onto.Name(a.Term)
}

func (w *wording) condition(p ontology.Pattern) Condition {
	c := Condition{Subject: w.arg(p.Subject), Relation: w.onto.Name(p.Predicate), Object: w.arg(p.Object)}
	if p.Predicate == w.onto.Core.State {
		c.Relation, c.Object = c.Object, ""
	}
	if q := w.onto.Quantity(p.Predicate); q != nil {
		c.Object = p.Measure.Operator.String() + " " + q.Text(p.Measure.Number)
	}
	c.Text = strings.Join(strings.Fields(c.Subject+" "+c.Relation+" "+c.Object), " ")
	return c
}

// each words a condition on all of a kind, or that there be none of it.
func (w *wording) each(f ontology.ForAll) []Condition {
	about := f.When
	never := len(f.Requires) == 1 && f.Requires[0].Predicate == w.onto.Core.Differs && f.Requires[0].Subject == f.Requires[0].Object
	requires := f.Requires
	if never {
		about, requires = f.When[:len(f.When)-1], f.When[len(f.When)-1:]
	}
	var out []Condition
	for _, p := range requires {
		c := w.condition(p)
		c.Subject, c.None, c.Each = "", never, []string{}
		for _, q := range about {
			c.Each = append(c.Each, w.which(q))
		}
		said := strings.Join(strings.Fields(c.Relation+" "+c.Object), " ")
		if p.Predicate == w.onto.Core.Type {
			said = c.Object
		}
		quantifier := "all"
		if never {
			quantifier = "no"
		}
		c.Text = strings.Join(strings.Fields(quantifier+" "+strings.Join(c.Each, " ")), " ") + ": " + said
		out = append(out, c)
	}
	return out
}

// which words what tells which things a condition is about.
func (w *wording) which(p ontology.Pattern) string {
	c := w.condition(p)
	if p.Predicate == w.onto.Core.Type {
		return c.Object
	}
	return strings.TrimSpace(c.Relation + " " + c.Object)
}
