package ontology

import (
	"strings"
	"unicode"
)

// addLikewise declares the classes that m:likewise names: of each all is said that is said of the
// class it stands with, but what that is called. It must run before terms are declared.
func (b *builder) addLikewise() {
	const (
		label   = rdfsNS + "label"
		comment = rdfsNS + "comment"
	)
	own := map[string]bool{ // what is said of the class alone
		label: true, Namespace + "likewise": true, Namespace + "nickname": true, Namespace + "placeName": true,
		Namespace + "placeVerb": true, Namespace + "inMostScenes": true,
	}
	terms := 0
	for s := range b.bySubj {
		if s.kind == iriNode {
			terms++
		}
	}
	like, named := map[node][]node{}, map[node]Pos{}
	added := make([]triple, 0, len(b.triples)/5)
	for _, t := range b.triples {
		if t.p.value != Namespace+"likewise" {
			continue
		}
		names := b.list(t.o)
		if len(names) == 0 || names[0].kind != literalNode {
			b.problem(t.pos, false, `m:likewise has no list of labels; expected for example ( "eggplant" "aubergine" )`)
			continue
		}
		name := classNamed(names[0].value)
		kind := node{iriNode, strings.TrimSuffix(t.s.value, localName(t.s.value)) + name}
		if name == "" {
			b.problem(t.pos, false, "label %q of m:likewise gives no name of a class; begin the list with one of letters", names[0].value)
			continue
		}
		if terms++; terms > maxTerms {
			b.problem(t.pos, false, "more than %d terms with those of m:likewise, the most that an ontology may have", maxTerms)
			break
		}
		commented := false
		for other := range b.of(kind) {
			commented = commented || other.p.value == comment
			if other.p.value == rdfNS+"type" && (other.o.value == owlNS+"Class" || other.o.value == rdfsNS+"Class") {
				b.problem(t.pos, false, "class %s of m:likewise is declared already, at %s; leave it out here, or there", name, other.pos)
			}
		}
		if other, ok := named[kind]; ok {
			b.problem(t.pos, false, "class %s of m:likewise is named so at %s too; leave it out here, or there", name, other)
		}
		named[kind] = t.pos
		like[t.s] = append(like[t.s], kind)
		for _, name := range names {
			added = append(added, triple{kind, node{iriNode, label}, name, t.pos})
		}
		for said := range b.of(t.s) {
			if !own[said.p.value] && !(commented && said.p.value == comment) {
				added = append(added, triple{kind, said.p, said.o, t.pos})
			}
		}
	}
	if len(like) == 0 {
		return
	}
	for _, t := range b.triples {
		switch t.p.value {
		case Namespace + "accepts", Namespace + "avoids", Namespace + "exceptFor":
			for _, kind := range like[t.o] {
				added = append(added, triple{t.s, t.p, kind, t.pos})
			}
		}
	}
	from := len(b.triples)
	b.triples = append(b.triples, added...)
	b.o.triples = b.triples
	b.indexSubjects(from)
}

// classNamed is the name of the class that a label names: SweetPotato.
func classNamed(label string) string {
	var out strings.Builder
	for _, word := range strings.FieldsFunc(label, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		for i, r := range word {
			if i == 0 {
				r = unicode.ToUpper(r)
			}
			out.WriteRune(r)
		}
	}
	return out.String()
}
