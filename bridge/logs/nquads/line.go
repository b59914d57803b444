package nquads

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/cayleygraph/quad"
	"github.com/knakk/rdf"

	"github.com/mishap-robotics/mishap/bridge/internal/input"
	"github.com/mishap-robotics/mishap/engine/record"
	"github.com/mishap-robotics/mishap/ontology"
	"github.com/mishap-robotics/mishap/ontology/recorded"
)

// statement is where the terms of a quad stand on its line: subject, predicate, object and
// graph, which is empty for a triple.
type statement [4]struct{ from, to int }

func (s *statement) term(line []byte, i int) []byte { return line[s[i].from:s[i].to] }

// is reports whether a term is an IRI, as it is written in <>.
func (s *statement) is(line []byte, i int, iri string) bool { return string(s.term(line, i)) == iri }

func (s *statement) inGraph() bool { return s[3].to > 0 }

// episode is the escaped id of the episode that a quad is of: by its graph, or of a triple by
// its subject.
func (s *statement) episode(line []byte) (id []byte, ok bool) {
	if s.inGraph() {
		return partOf(s.term(line, 3))
	}
	return partOf(s.term(line, 0))
}

// partOf is the escaped id of the episode whose IRI, or whose part's IRI, a term is.
func partOf(term []byte) (id []byte, ok bool) {
	if bytes.IndexByte(term, '\\') >= 0 {
		term = unescaped(term)
	}
	rest, ok := bytes.CutPrefix(term, []byte("<"+record.Base))
	if !ok {
		return nil, false
	}
	id = rest[:len(rest)-1]
	if end := bytes.IndexByte(id, '/'); end >= 0 {
		id = id[:end]
	}
	return id, true
}

// unescaped is an IRI as it is meant; what is none stays.
func unescaped(term []byte) []byte {
	quads, err := decode("", fmt.Appendf(nil, "<x:a> <x:b> %s .\n", term), []int{1})
	if err != nil {
		return term
	}
	iri, ok := quads[0].Object.(quad.IRI)
	if !ok {
		return term
	}
	return []byte("<" + string(iri) + ">")
}

// The terms that tell what a log is.
var (
	isA       = "<" + string(rdfType) + ">"
	ofRecord  = "<" + recorded.Episode.IRI() + ">"
	ofEpisode = "<" + ontology.Namespace + string(ontology.EventEpisode) + ">"
	hasTriple = "<" + ontology.Namespace + string(ontology.HasTriple) + ">"
)

const expected = "a quad or triple: subject, predicate, object, perhaps a graph, and a full stop, each an IRI in <>, a literal in \"\" or _:label"

// each visits the quads of N-Quads or N-Triples, as text. The error is a *logs.Error at the
// first line that is none, or what visit returns.
func each(file string, r io.Reader, visit func(line int, text []byte, s statement) error) error {
	return input.EachLine(file, r, func(n int, line []byte) error {
		if line[0] == '#' {
			return nil
		}
		s, ok := parse(line)
		if !ok {
			return &input.Error{File: file, Line: n, Found: fmt.Sprintf("%q", input.Clip(string(line))), Expected: expected}
		}
		return visit(n, line, s)
	})
}

// parse holds a line to the grammar (RDF 1.1 N-Quads). The reader underneath takes what goes
// against it for Turtle, and may break off or not end: it gets nothing else.
func parse(line []byte) (statement, bool) {
	var s statement
	at := 0
	for i := range s {
		at += blanks(line[at:])
		n := termLength(line[at:], i)
		if n == 0 {
			if i < 3 {
				return s, false
			}
			break
		}
		s[i].from, s[i].to = at, at+n
		at += n
	}
	at += blanks(line[at:])
	if at == len(line) || line[at] != '.' {
		return s, false
	}
	at++
	at += blanks(line[at:])
	return s, at == len(line) || line[at] == '#'
}

func blanks(text []byte) int { return len(text) - len(bytes.TrimLeft(text, " \t")) }

// termLength is how long the term is with which a text begins, the i-th of a quad; 0 where
// none that may stand there is.
func termLength(text []byte, i int) int {
	switch {
	case len(text) == 0:
		return 0
	case text[0] == '<':
		return iriLength(text)
	case text[0] == '_' && i != 1:
		return labelLength(text)
	case text[0] == '"' && i == 2:
		return literalLength(text)
	}
	return 0
}

func iriLength(text []byte) int {
	scheme := bytes.IndexByte(text, ':')
	if scheme < 2 || !letter(text[1]) || bytes.ContainsFunc(text[1:scheme], func(c rune) bool {
		return c > unicode.MaxASCII || !letter(byte(c)) && !digit(byte(c)) && c != '+' && c != '.' && c != '-'
	}) {
		return 0
	}
	for at := scheme + 1; at < len(text); {
		switch c := text[at]; {
		case c == '>':
			return at + 1
		case c == '\\':
			n := codeLength(text[at:])
			if n == 0 {
				return 0
			}
			at += n
		case c <= ' ' || strings.IndexByte("<\"{}|^`", c) >= 0:
			return 0
		default:
			at++
		}
	}
	return 0
}

// codeLength is how long a code with which a text begins is: \u and four hexadecimal digits,
// or \U and eight.
func codeLength(text []byte) int {
	n := 0
	switch {
	case len(text) < 2:
	case text[1] == 'u':
		n = 6
	case text[1] == 'U':
		n = 10
	}
	if n == 0 || len(text) < n || slices.ContainsFunc(text[2:n], func(c byte) bool { return !hexadecimal(c) }) {
		return 0
	}
	return n
}

// labelLength is that of a blank node; a full stop at its end is that of the line.
func labelLength(text []byte) int {
	rest, ok := bytes.CutPrefix(text, []byte("_:"))
	if !ok {
		return 0
	}
	if first, _ := utf8.DecodeRune(rest); !inLabel(first) || first == '.' || first == '-' || first == '·' {
		return 0
	}
	end := bytes.IndexFunc(rest, func(c rune) bool { return !inLabel(c) })
	if end < 0 {
		end = len(rest)
	}
	return 2 + len(bytes.TrimRight(rest[:end], "."))
}

func inLabel(c rune) bool {
	return c == '_' || c == '.' || c == '-' || c == '·' || c != utf8.RuneError && (unicode.Is(unicode.L, c) || unicode.Is(unicode.N, c))
}

func literalLength(text []byte) int {
	at := 1
	for ; ; at++ {
		if at >= len(text) || text[at] == '\r' || text[at] == '\n' {
			return 0
		}
		if text[at] == '"' {
			at++
			break
		}
		if text[at] != '\\' {
			continue
		}
		n := codeLength(text[at:])
		if n == 0 && at+1 < len(text) && strings.IndexByte(`tbnrf"'\`, text[at+1]) >= 0 {
			n = 2
		}
		if n == 0 {
			return 0
		}
		at += n - 1
	}
	rest := text[at:]
	switch {
	case bytes.HasPrefix(rest, []byte("^^")):
		if n := iriLength(rest[2:]); n > 0 {
			return at + 2 + n
		}
		return 0
	case bytes.HasPrefix(rest, []byte("@")):
		if n := languageLength(rest); n > 0 {
			return at + n
		}
		return 0
	}
	return at
}

// languageLength is that of @ and a language, such as en-GB.
func languageLength(text []byte) int {
	at := 1
	for part := 0; ; part++ {
		from := at
		for at < len(text) && (letter(text[at]) || part > 0 && digit(text[at])) {
			at++
		}
		switch {
		case at == from && part == 0:
			return 0
		case at == from:
			return from - 1 // a hyphen that nothing follows
		case at == len(text) || text[at] != '-':
			return at
		}
		at++
	}
}

func letter(c byte) bool      { return c|0x20 >= 'a' && c|0x20 <= 'z' }
func digit(c byte) bool       { return c >= '0' && c <= '9' }
func hexadecimal(c byte) bool { return digit(c) || c|0x20 >= 'a' && c|0x20 <= 'f' }

// decode reads lines that are held to the grammar; they have the numbers of the file. A name
// that is there in many quads is kept once.
func decode(file string, text []byte, lines []int) ([]quad.Quad, error) {
	out := make([]quad.Quad, 0, len(lines))
	known := map[quad.Value]quad.Value{}
	once := func(t rdf.Term) quad.Value {
		v := value(t)
		if there, ok := known[v]; ok {
			return there
		}
		known[v] = v
		return v
	}
	in := rdf.NewQuadDecoder(bytes.NewReader(text), rdf.NQuads)
	in.DefaultGraph = nil
	for i, n := range lines {
		q, err := in.Decode()
		if err != nil {
			return nil, &input.Error{File: file, Line: n, Found: strings.TrimPrefix(err.Error(), fmt.Sprintf("%d:", i+1)), Expected: expected, Err: err}
		}
		next := quad.Quad{Subject: once(q.Subj), Predicate: once(q.Pred), Object: once(q.Obj)}
		if q.Ctx != nil {
			next.Label = once(q.Ctx)
		}
		out = append(out, next)
	}
	return out, nil
}

const xsdString = "http://www.w3.org/2001/XMLSchema#string"

func value(t rdf.Term) quad.Value {
	switch t := t.(type) {
	case rdf.IRI:
		return quad.IRI(t.String())
	case rdf.Blank:
		return quad.BNode(strings.TrimPrefix(t.String(), "_:"))
	case rdf.Literal:
		switch {
		case t.Lang() != "":
			return quad.LangString{Value: quad.String(t.String()), Lang: t.Lang()}
		case slices.Contains([]string{"", xsdString}, t.DataType.String()):
			return quad.String(t.String())
		}
		return quad.TypedString{Value: quad.String(t.String()), Type: quad.IRI(t.DataType.String())}
	}
	return nil
}
