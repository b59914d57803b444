package ontology

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	rdflib "github.com/tggo/goRDFlib"
	"github.com/tggo/goRDFlib/graph"
	"github.com/tggo/goRDFlib/turtle"
)

// Pos is a place in a source file; lines count from 1.
type Pos struct {
	File string
	Line int
}

func (p Pos) String() string {
	if p.Line == 0 {
		return p.File
	}
	return fmt.Sprintf("%s:%d", p.File, p.Line)
}

type nodeKind uint8

const (
	iriNode nodeKind = iota
	blankNode
	literalNode
)

// node is an RDF term: an IRI, a blank node label or the text of a literal.
type node struct {
	kind  nodeKind
	value string
}

type triple struct {
	s, p, o node
	pos     Pos
}

// ParseError is a document that is not what its format says.
type ParseError struct {
	Pos Pos
	Msg string
}

func (e *ParseError) Error() string { return e.Pos.String() + ": " + e.Msg }

// readTurtle adds the triples of a Turtle document to others. The parser underneath tells no places of
// triples, so the document is cut into its top-level statements first and each
// is parsed by itself.
func readTurtle(to []triple, file string, src []byte) ([]triple, error) {
	if !utf8.Valid(src) {
		return nil, &ParseError{Pos{file, invalidLine(src)}, "not UTF-8; save the file as UTF-8"}
	}
	statements, err := splitTurtle(file, string(src))
	if err != nil {
		return nil, err
	}
	r := newRecorder()
	r.triples = to
	base := ""
	for _, st := range statements {
		if isBase(st.text) {
			base = strings.ReplaceAll(st.text, "\n", " ") + "\n"
			continue
		}
		first := len(r.triples)
		if r.plain(file, st) {
			continue
		}
		if err := r.turtle(base + st.text + "\n"); err != nil {
			return nil, &ParseError{decodeErrorPos(file, err, st.line, strings.Count(base, "\n")), turtleMessage(err)}
		}
		for i := first; i < len(r.triples); i++ {
			r.triples[i].pos = Pos{file, st.line + lineOf(st.text, r.triples[i])}
		}
	}
	return r.triples, nil
}

// isBase reports whether a statement sets the base of relative IRIs.
func isBase(s string) bool {
	return strings.HasPrefix(s, "@base") || len(s) > 5 && strings.EqualFold(s[:5], "base ")
}

// recorder is a triple store that only keeps what is added, in order, with
// blank nodes numbered.
type recorder struct {
	*rdflib.MemoryStore // for prefixes
	graph               *rdflib.Graph
	triples             []triple
	blanks              map[string]string // by what the parser calls them
	blank               int               // how many there are
	names               map[string]string // IRIs by prefixed names
}

func newRecorder() *recorder {
	r := &recorder{MemoryStore: rdflib.NewMemoryStore(), blanks: map[string]string{}, names: map[string]string{}}
	r.graph = graph.NewGraphFromStore(r, rdflib.NewBNode("graph"))
	return r
}

// Add keeps a triple.
func (r *recorder) Add(t rdflib.Triple, _ rdflib.Term) {
	r.triples = append(r.triples, triple{s: r.node(t.Subject), p: r.node(t.Predicate), o: r.node(t.Object)})
}

func (r *recorder) node(t rdflib.Term) node {
	switch t := t.(type) {
	case rdflib.BNode:
		name, ok := r.blanks[t.String()]
		if !ok {
			name = strconv.Itoa(r.blank)
			r.blanks[t.String()] = name
			r.blank++
		}
		return node{blankNode, name}
	case rdflib.Literal:
		return node{literalNode, t.String()}
	default:
		return node{iriNode, t.String()}
	}
}

// turtle parses a statement; panics of the parser on odd input become errors.
func (r *recorder) turtle(text string) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("unreadable statement (%v)", p)
		}
	}()
	clear(r.names) // it may bind prefixes
	return turtle.Parse(r.graph, strings.NewReader(text))
}

func invalidLine(src []byte) int {
	line := 1
	for len(src) > 0 {
		r, n := utf8.DecodeRune(src)
		if r == utf8.RuneError && n == 1 {
			return line
		}
		if r == '\n' {
			line++
		}
		src = src[n:]
	}
	return line
}

func isDirective(s string) bool {
	if strings.HasPrefix(s, "@") {
		return true
	}
	word, _, _ := strings.Cut(s, " ")
	return strings.EqualFold(word, "PREFIX") || strings.EqualFold(word, "BASE")
}

type statement struct {
	text string
	line int
}

// maxNesting bounds brackets and XML elements, so that no document exhausts the
// stack.
const maxNesting = 200

// splitTurtle cuts at the full stops that end statements, and after
// SPARQL-style PREFIX and BASE lines, which have none.
func splitTurtle(file, src string) ([]statement, error) {
	s := &splitter{file: file, src: src, line: 1, start: -1}
	for i := 0; i < len(src); {
		next, err := s.take(i)
		if err != nil {
			return nil, err
		}
		i = next
	}
	return s.end()
}

// splitter goes through a Turtle text to where its statements end.
type splitter struct {
	file      string
	src       string
	out       []statement
	line      int
	start     int // of the statement, -1 between two
	startLine int
	depth     int // of brackets
}

// take takes in what begins at a place, and gives the place after it.
func (s *splitter) take(i int) (next int, err error) {
	switch s.src[i] {
	case '\n':
		s.line++
		if s.start >= 0 && isSPARQLDirective(s.src[s.start:i]) {
			s.close(i)
		}
		return i + 1, nil
	case ' ', '\t', '\r':
		return i + 1, nil
	case '#':
		for i+1 < len(s.src) && s.src[i+1] != '\n' {
			i++
		}
		return i + 1, nil
	}
	if s.start < 0 {
		s.start, s.startLine = i, s.line
	}
	return s.token(i)
}

// token takes in a token of a statement, or a character of one.
func (s *splitter) token(i int) (next int, err error) {
	switch s.src[i] {
	case '"', '\'':
		end, err := skipString(s.file, s.src, i, s.line)
		if err != nil {
			return 0, err
		}
		s.line += strings.Count(s.src[i:end], "\n")
		return end, nil
	case '[', '(':
		if s.depth++; s.depth > maxNesting {
			return 0, s.fail(s.line, fmt.Sprintf("brackets nest deeper than %d", maxNesting))
		}
	case ']', ')':
		s.depth--
	case '<':
		if i+1 < len(s.src) && s.src[i+1] == '<' {
			return 0, s.fail(s.line, "found <<; triples about triples are not supported")
		}
		for i+1 < len(s.src) && s.src[i] != '>' && s.src[i+1] != '\n' {
			i++
		}
	case '.':
		if endsStatement(s.src, i) {
			s.close(i + 1)
		}
	default:
		for i+1 < len(s.src) && isNameByte(s.src[i+1]) {
			i++
		}
	}
	return i + 1, nil
}

// close ends a statement before a place.
func (s *splitter) close(end int) {
	s.out = append(s.out, statement{s.src[s.start:end], s.startLine})
	s.start, s.depth = -1, 0
}

// end gives the statements; what is left over has to be a directive, which needs no full
// stop.
func (s *splitter) end() ([]statement, error) {
	if s.start < 0 {
		return s.out, nil
	}
	rest := strings.TrimSpace(s.src[s.start:])
	if !isSPARQLDirective(rest) {
		return nil, s.fail(s.startLine, "statement does not end; expected a full stop")
	}
	return append(s.out, statement{rest, s.startLine}), nil
}

func (s *splitter) fail(line int, what string) error {
	return &ParseError{Pos{s.file, line}, what}
}

func isSPARQLDirective(s string) bool {
	return s != "" && s[0] != '@' && isDirective(s) && strings.HasSuffix(strings.TrimSpace(s), ">")
}

// endsStatement tells a closing full stop from one inside a number or name.
func endsStatement(src string, i int) bool {
	if i+1 == len(src) {
		return true
	}
	switch n := src[i+1]; n {
	case ' ', '\t', '\r', '\n', '#', '<', '"', '[', '@', ')':
		return true
	default:
		return i > 0 && (src[i-1] == ' ' || src[i-1] == '"') && (n < '0' || n > '9')
	}
}

func skipString(file, src string, i, line int) (int, error) {
	quote := src[i : i+1]
	if three := strings.Repeat(quote, 3); strings.HasPrefix(src[i:], three) {
		for j := i + 3; j < len(src); j++ {
			if src[j] == '\\' {
				j++
			} else if strings.HasPrefix(src[j:], three) {
				return j + 3, nil
			}
		}
		return 0, &ParseError{Pos{file, line}, "string does not end; expected three quotation marks"}
	}
	for j := i + 1; j < len(src) && src[j] != '\n'; j++ {
		if src[j] == '\\' {
			j++
		} else if src[j] == quote[0] {
			return j + 1, nil
		}
	}
	return 0, &ParseError{Pos{file, line}, "string does not end on its line; expected a quotation mark"}
}

var decodeErrorPlace = regexp.MustCompile(`^turtle parse error at line (\d+): `)

func turtleMessage(err error) string {
	return "not Turtle: " + decodeErrorPlace.ReplaceAllString(err.Error(), "")
}

func decodeErrorPos(file string, err error, first, skipped int) Pos {
	m := decodeErrorPlace.FindStringSubmatch(err.Error())
	if m == nil {
		return Pos{file, first}
	}
	n, _ := strconv.Atoi(m[1])
	return Pos{file, max(first, first+n-1-skipped)}
}

// lineOf finds the line of a statement on which a triple's object is written,
// else its predicate, else the first.
func lineOf(text string, t triple) int {
	for _, n := range []node{t.o, t.p} {
		word := localName(n.value)
		if n.kind == literalNode {
			word = n.value
		}
		if n.kind == blankNode || word == "" || strings.Contains(word, "\n") {
			continue
		}
		if at := wordAt(text, word); at >= 0 {
			return strings.Count(text[:at], "\n")
		}
	}
	return 0
}

func containsWord(line, word string) bool { return wordAt(line, word) >= 0 }

// wordAt is where a word stands in a text, -1 where it does not.
func wordAt(text, word string) int {
	for from := 0; ; {
		i := strings.Index(text[from:], word)
		if i < 0 {
			return -1
		}
		i += from
		end := i + len(word)
		if (i == 0 || !isNameByte(text[i-1])) && (end == len(text) || !isNameByte(text[end])) {
			return i
		}
		from = i + 1
	}
}

func isNameByte(b byte) bool {
	return b == '_' || b == '-' || '0' <= b && b <= '9' || 'a' <= b && b <= 'z' || 'A' <= b && b <= 'Z'
}

// localName is the part of an IRI after its last # or /.
func localName(iri string) string {
	if i := strings.LastIndexAny(iri, "#/"); i >= 0 {
		return iri[i+1:]
	}
	return iri
}
