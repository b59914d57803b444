package ontology

import (
	"slices"
	"strings"
)

// hint names the nearest declared term, for a message about an unknown one.
func (b *builder) hint(iri string) string {
	return Hint(localName(iri), b.names())
}

func (b *builder) names() []string {
	out := make([]string, len(b.o.Terms))
	for i := range b.o.Terms {
		out[i] = b.o.Terms[i].Name
	}
	return out
}

// checker reports what is wrong with terms and triples once all of them are read.
type checker struct{ *builder }

func (k checker) check() {
	k.checkTerms()
	k.checkStrategies()
	k.checkLists()
	k.checkMembers()
	k.checkBuiltins()
	k.checkRanges()
	k.checkVariables()
	k.checkExplanations()
	k.checkLabels()
	k.checkAfter()
	k.checkStartValues()
}

// checkTerms reports undeclared terms and classes without label or comment.
// An undeclared term in mishap's namespace is an error; in another namespace
// that the files declare terms in, a warning.
func (k checker) checkTerms() {
	spaces := map[string]bool{}
	for iri := range k.ids {
		spaces[strings.TrimSuffix(iri, localName(iri))] = true
	}
	reported := k.told // once is enough
	for _, t := range k.triples {
		for _, n := range []node{t.s, t.p, t.o} {
			if n.kind != iriNode || isBuiltin(n.value) || reported[n.value] {
				continue
			}
			if _, ok := k.ids[n.value]; ok || n == t.s && t.o.value == owlNS+"Ontology" {
				continue
			}
			space := strings.TrimSuffix(n.value, localName(n.value))
			if !spaces[space] || localName(n.value) == "" {
				continue
			}
			reported[n.value] = true
			k.problem(t.pos, space != Namespace, "undeclared term %s%s", localName(n.value), k.hint(n.value))
		}
	}
	for _, t := range k.o.Terms {
		if !t.IsClass {
			continue
		}
		if len(t.Labels) == 0 {
			k.problem(t.Pos, true, "class %s has no rdfs:label; logs in natural language cannot name it", t.Name)
		}
		if t.Comment == "" {
			k.problem(t.Pos, true, "class %s has no rdfs:comment", t.Name)
		}
	}
}

// checkStrategies reports steps of recovery strategies that are no actions or
// name variables that nothing binds.
func (k checker) checkStrategies() {
	for _, st := range k.o.Strategies {
		pos := k.o.Terms[st.Term].Pos
		for _, step := range st.Steps {
			if step == "{failed}" || step == "{missing}" {
				continue
			}
			args := strings.FieldsFunc(strings.Trim(step, "()"), func(r rune) bool { return r == ',' || r == ' ' })
			if len(args) == 0 {
				k.problem(pos, false, "strategy %s has an empty step", st.Name)
				continue
			}
			a, ok := k.o.Action(args[0])
			if !ok || len(args)-1 < a.Required || len(args)-1 > a.Params {
				k.problem(pos, false, "strategy %s: %q is no action; expected for example (pick_up, ?1)", st.Name, step)
			}
			for _, v := range args[1:] {
				if strings.HasPrefix(v, "?") && !slices.Contains(st.Vars, v) && v != "?other" {
					k.problem(pos, false, "strategy %s: nothing binds %s in %q; name it in m:when", st.Name, v, step)
				}
			}
		}
	}
}

// checkLists reports RDF collections that are none: without an element or an end, with
// several of either, or that run in a circle.
func (k checker) checkLists() {
	type cell struct {
		firsts, rests int
		rest          node // the first of them
	}
	count := 0
	for i := range k.triples {
		if k.triples[i].p.value == rdfNS+"rest" {
			count++
		}
	}
	cells, heads := make(map[node]cell, count), make([]triple, 0, count)
	for _, t := range k.triples {
		switch t.p.value {
		case rdfNS + "first":
			c := cells[t.s]
			c.firsts++
			cells[t.s] = c
		case rdfNS + "rest":
			c := cells[t.s]
			if c.rests++; c.rests == 1 {
				c.rest = t.o
			}
			cells[t.s] = c
			heads = append(heads, t)
		}
	}
	ends := map[node]bool{} // lists that are known to end, or were told of
	for _, t := range heads {
		if c := cells[t.s]; c.firsts != 1 || c.rests != 1 {
			k.problem(t.pos, false, "a list has %d elements and %d rests at one place; expected one rdf:first and one rdf:rest", c.firsts, c.rests)
			ends[t.s] = true
			continue
		}
		if ends[t.s] {
			continue
		}
		var way []node
		at, on := t.s, map[node]bool{}
		for at.value != rdfNS+"nil" && !ends[at] && !on[at] && cells[at].rests > 0 {
			on[at], way = true, append(way, at)
			at = cells[at].rest
		}
		switch {
		case on[at]:
			k.problem(t.pos, false, "a list runs in a circle; expected it to end with rdf:nil")
		case at.value != rdfNS+"nil" && !ends[at]:
			k.problem(t.pos, false, "a list breaks off; expected it to end with rdf:nil")
		}
		for _, n := range way {
			ends[n] = true
		}
	}
}

// checkMembers reports classes and individuals that fall under two classes
// declared disjoint.
func (k checker) checkMembers() {
	o := k.o
	for _, t := range k.triples {
		switch {
		case t.p.value == owlNS+"disjointWith":
			k.addDisjoint(t.s, t.o)
		case t.p.value == owlNS+"members":
			members := k.list(t.o)
			for i, x := range members {
				for _, y := range members[:i] {
					k.addDisjoint(x, y)
				}
			}
		}
	}
	for i := range o.Terms {
		id := TermID(i)
		for _, d := range o.disjoint {
			in := func(c TermID) bool { return o.Terms[i].IsClass && o.IsA(id, c) || o.HasType(id, c) }
			if in(d[0]) && in(d[1]) {
				k.problem(o.Terms[i].Pos, false, "%s is a member of %s and of %s, which are disjoint",
					o.Terms[i].Name, o.Name(d[0]), o.Name(d[1]))
			}
		}
	}
}

func (k checker) addDisjoint(x, y node) {
	if p, q := k.idOf(x), k.idOf(y); p != None && q != None {
		k.o.disjoint = append(k.o.disjoint, [2]TermID{p, q})
	}
}

// Similarity is how alike two names are, whatever their case: 1 for the same, 0 for
// nothing in common (1 − edit distance / length of the longer, in letters).
func Similarity(a, b string) float64 {
	x, y := []rune(strings.ToLower(a)), []rune(strings.ToLower(b))
	longest := max(len(x), len(y))
	if longest == 0 {
		return 1
	}
	return 1 - float64(edits(x, y, longest))/float64(longest)
}
