package ontology

import (
	"strconv"
	"strings"
)

// plainReader reads a statement that is written as nearly all are: prefixed names of ASCII
// letters, "a", texts without escapes, numbers, true and false, brackets and lists. It gives
// up where it meets anything else, right or wrong, which is left to the parser: that one
// takes five times as long and tells no places. A test holds both to the same triples.
type plainReader struct {
	*recorder
	statement
	at   int
	odd  bool // something that it does not read
	seen int  // up to where lines are counted
	pos  Pos  // of that
}

// plain adds the triples of a statement, none where it does not read it. The place of a
// triple is that of its object, of its predicate where the object is written in brackets.
func (r *recorder) plain(file string, st statement) bool {
	before, blanks := len(r.triples), r.blank
	p := plainReader{recorder: r, statement: st, pos: Pos{file, st.line}}
	subject := p.name()
	p.properties(&subject)
	if !p.odd && p.next() == '.' && p.at == len(p.text)-1 {
		return true
	}
	r.triples, r.blank = r.triples[:before], blanks
	return false
}

// next is what comes after white space and comments, 0 at the end; it stays the next.
func (p *plainReader) next() byte {
	for p.at < len(p.text) {
		switch c := p.text[p.at]; c {
		case ' ', '\t', '\r', '\n':
			p.at++
		case '#':
			end := strings.IndexByte(p.text[p.at:], '\n')
			if end < 0 {
				end = len(p.text) - p.at
			}
			p.at += end
		default:
			return c
		}
	}
	return 0
}

func (p *plainReader) giveUp() node {
	p.odd = true
	return node{}
}

// properties reads what is said of a subject, up to what ends it.
func (p *plainReader) properties(subject *node) {
	for !p.odd {
		p.next()
		written := p.at
		predicate := p.verb()
		for !p.odd {
			p.next()
			place := p.at
			object := p.object()
			if object.kind == blankNode {
				place = written
			}
			p.add(subject, predicate, &object, place)
			if p.next() != ',' {
				break
			}
			p.at++
		}
		if p.next() != ';' {
			return
		}
		for p.next() == ';' {
			p.at++
		}
		if c := p.next(); c == '.' || c == ']' {
			return
		}
	}
}

func (p *plainReader) verb() node {
	if p.next() == 'a' && p.at+1 < len(p.text) && isSpace(p.text[p.at+1]) {
		p.at++
		return node{iriNode, rdfNS + "type"}
	}
	return p.name()
}

// add adds a triple that is written at a place, and numbers blank nodes as they are met in
// triples.
func (p *plainReader) add(s *node, predicate node, o *node, place int) {
	if p.odd {
		return
	}
	for _, n := range []*node{s, o} {
		if n.kind == blankNode && n.value == "" {
			n.value = strconv.Itoa(p.blank)
			p.blank++
		}
	}
	if place >= p.seen {
		p.pos.Line += strings.Count(p.text[p.seen:place], "\n")
	} else {
		p.pos.Line -= strings.Count(p.text[place:p.seen], "\n")
	}
	p.seen = place
	p.triples = append(p.triples, triple{*s, predicate, *o, p.pos})
}

func (p *plainReader) object() node {
	switch c := p.next(); {
	case c == '"':
		return p.literal()
	case c == '-' || '0' <= c && c <= '9':
		return p.number()
	case c == '[':
		return p.bracket()
	case c == '(':
		return p.list()
	}
	for _, word := range []string{"true", "false"} {
		if strings.HasPrefix(p.text[p.at:], word) && p.at+len(word) < len(p.text) && p.text[p.at+len(word)] != ']' && p.ends(p.at+len(word)) {
			p.at += len(word)
			return node{literalNode, word}
		}
	}
	return p.name()
}

// name reads a prefixed name.
func (p *plainReader) name() node {
	p.next()
	start := p.at
	for p.at < len(p.text) && isNameByte(p.text[p.at]) && (p.at > start || isLetter(p.text[p.at])) {
		p.at++
	}
	colon := p.at
	if colon == len(p.text) || p.text[colon] != ':' {
		return p.giveUp()
	}
	for p.at++; p.at < len(p.text) && isNameByte(p.text[p.at]) && (p.at > colon+1 || p.text[p.at] != '-'); p.at++ {
	}
	if !p.ends(p.at) {
		return p.giveUp()
	}
	iri, ok := p.names[p.text[start:p.at]]
	if !ok {
		space, known := p.Namespace(p.text[start:colon])
		if !known {
			return p.giveUp()
		}
		iri = space.Value() + p.text[colon+1:p.at]
		p.names[p.text[start:p.at]] = iri
	}
	return node{iriNode, iri}
}

// ends reports whether a token ends before a place: there is white space, or punctuation.
func (p *plainReader) ends(at int) bool {
	if at >= len(p.text) {
		return false
	}
	switch c := p.text[at]; c {
	case ',', ';', ']', ')':
		return true
	case '.':
		return at == len(p.text)-1
	default:
		return isSpace(c)
	}
}

func (p *plainReader) literal() node {
	text := p.text[p.at+1:]
	end := strings.IndexByte(text, '"')
	if end < 0 || strings.ContainsAny(text[:end], "\\\n\r") || !p.ends(p.at+end+2) {
		return p.giveUp()
	}
	p.at += end + 2
	return node{literalNode, text[:end]}
}

// number reads a whole number or a decimal.
func (p *plainReader) number() node {
	start := p.at
	if p.text[p.at] == '-' {
		p.at++
	}
	digits := func() bool {
		from := p.at
		for p.at < len(p.text) && '0' <= p.text[p.at] && p.text[p.at] <= '9' {
			p.at++
		}
		return p.at > from
	}
	ok := digits()
	if ok && p.at < len(p.text)-1 && p.text[p.at] == '.' {
		p.at++
		ok = digits()
	}
	if !ok || !p.ends(p.at) {
		return p.giveUp()
	}
	return node{literalNode, p.text[start:p.at]}
}

// bracket reads a blank node with what is said of it.
func (p *plainReader) bracket() node {
	p.at++
	out := node{kind: blankNode}
	if p.next() != ']' {
		p.properties(&out)
	}
	if p.next() != ']' {
		return p.giveUp()
	}
	p.at++
	return out
}

func (p *plainReader) list() node {
	p.at++
	var items []node
	var places []int
	for p.next() != ')' {
		places = append(places, p.at)
		if items = append(items, p.object()); p.odd {
			return node{}
		}
	}
	p.at++
	last := node{iriNode, rdfNS + "nil"}
	if len(items) == 0 {
		return last
	}
	head := node{kind: blankNode}
	cell := &head
	for i := range items {
		p.add(cell, node{iriNode, rdfNS + "first"}, &items[i], places[i])
		rest := &last
		if i < len(items)-1 {
			rest = &node{kind: blankNode}
		}
		p.add(cell, node{iriNode, rdfNS + "rest"}, rest, places[i])
		cell = rest
	}
	return head
}

func isSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\r' || c == '\n' }

func isLetter(c byte) bool { return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' }
