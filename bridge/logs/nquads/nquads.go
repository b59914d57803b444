// Package nquads reads episodes from RDF, as N-Quads (.nq) or N-Triples (.nt): the record
// that a memory keeps, which is what "mishap export --record" writes, and logs of events
// that are linked by hasTriple to what was observed (RECOVER, section 3).
package nquads

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"io/fs"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/cayleygraph/quad"
	"github.com/knakk/rdf"

	"github.com/mishap-robotics/mishap/bridge/internal/input"
	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/engine/record"
	"github.com/mishap-robotics/mishap/ontology"
	"github.com/mishap-robotics/mishap/ontology/recorded"
)

// IsFile reports whether a file of that name, without what compression adds, is such a log.
func IsFile(name string) bool {
	return strings.HasSuffix(name, ".nq") || strings.HasSuffix(name, ".nt")
}

// ReadFile reads the episodes of a file, compressed or not.
func ReadFile(o *ontology.Ontology, fsys fs.FS, name string) ([]*episode.Episode, error) {
	f, err := input.Open(fsys, name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return Read(o, name, f)
}

// Read reads episodes in the order in which they are first named; file is the name that
// messages show. What is concluded from them is passed over: it is worked out anew. The
// error is a *logs.Error at the first line that is no quad, or of a record from which
// nothing can be rebuilt.
func Read(o *ontology.Ontology, file string, r io.Reader) ([]*episode.Episode, error) {
	var all []quad.Quad
	l := &eventLog{file: file, lines: map[quad.Value]int{}}
	known := map[quad.Value]quad.Value{nil: nil} // a name is there in many quads
	once := func(v *quad.Value) {
		if there, ok := known[*v]; ok {
			*v = there
		} else {
			known[*v] = *v
		}
	}
	err := Each(file, r, func(n int, q quad.Quad) error {
		once(&q.Subject)
		once(&q.Predicate)
		once(&q.Object)
		once(&q.Label)
		all = append(all, q)
		if _, ok := l.lines[q.Subject]; !ok {
			l.lines[q.Subject] = n
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	if !slices.ContainsFunc(all, func(q quad.Quad) bool { return q.Predicate == rdfType && q.Object == aRecord }) {
		return l.read(o, all)
	}
	return rebuild(o, file, record.Unreify(all))
}

const rdfType = quad.IRI("http://www.w3.org/1999/02/22-rdf-syntax-ns#type")

// aRecord is what a record says its episode is.
var aRecord = quad.IRI(recorded.Episode.IRI())

// rebuild rebuilds the episodes of records.
func rebuild(o *ontology.Ontology, file string, all []quad.Quad) ([]*episode.Episode, error) {
	quads := map[string][]quad.Quad{}
	var ids []string
	for _, q := range all {
		graph, _ := q.Label.(quad.IRI)
		id, ok := record.ID(string(graph))
		if !ok {
			continue // of no episode: an ontology, for example
		}
		if quads[id] == nil {
			ids = append(ids, id)
		}
		quads[id] = append(quads[id], q)
	}
	var out []*episode.Episode
	for _, id := range ids {
		ep, err := record.Rebuild(o, id, quads[id])
		if err != nil {
			return nil, &input.Error{File: file, Found: fmt.Sprintf("a record from which episode %q cannot be rebuilt (%v)", input.Clip(id), err), Expected: "one such as \"mishap export --record\" writes", Err: err}
		}
		ep.File = cmp.Or(ep.File, ep.Source)
		ep.Source = file
		out = append(out, ep)
	}
	if len(out) == 0 {
		return nil, &input.Error{File: file, Found: "no episode", Expected: "one below " + record.Base + ", of type " + string(aRecord)}
	}
	return out, nil
}

// Each reads N-Quads or N-Triples line by line. The error is a *logs.Error at the first line
// that is none, or what visit returns.
func Each(file string, r io.Reader, visit func(line int, q quad.Quad) error) error {
	return input.EachLine(file, r, func(n int, line []byte) error {
		line = bytes.TrimRight(line, "\r\n")
		switch {
		case aComment().Match(line):
			return nil
		case !utf8.Valid(line) || !aQuad().Match(line):
			return &input.Error{File: file, Line: n, Found: fmt.Sprintf("%q", input.Clip(string(line))), Expected: expected}
		}
		q, err := decode(append(slices.Clip(line), '\n'))
		if err != nil {
			return &input.Error{File: file, Line: n, Found: strings.TrimPrefix(err.Error(), "1:"), Expected: expected, Err: err}
		}
		out := quad.Quad{Subject: value(q.Subj), Predicate: value(q.Pred), Object: value(q.Obj)}
		if q.Ctx != nil {
			out.Label = value(q.Ctx)
		}
		return visit(n, out)
	})
}

// decode reads a line; Ctx is nil where it has no graph. (The reader underneath gives a triple
// that it reads as a quad a graph of its own.)
func decode(line []byte) (rdf.Quad, error) {
	if aTriple().Match(line) {
		t, err := rdf.NewTripleDecoder(bytes.NewReader(line), rdf.NTriples).Decode()
		return rdf.Quad{Triple: t}, err
	}
	return rdf.NewQuadDecoder(bytes.NewReader(line), rdf.NQuads).Decode()
}

// The grammar of a line (RDF 1.1 N-Quads). The reader underneath takes what goes against it
// for Turtle, and may break off or not end: it gets nothing else.
const (
	spaces  = `[ \t]*`
	escape  = `\\u[0-9A-Fa-f]{4}|\\U[0-9A-Fa-f]{8}`
	iri     = `<[A-Za-z][A-Za-z0-9+.-]*:(?:[^\x00-\x20<>"{}|^\x60\\]|` + escape + `)*>`
	blank   = `_:[\pL\pN_](?:[\pL\pN_.·-]*[\pL\pN_·-])?`
	literal = `"(?:[^"\\\n\r]|\\[tbnrf"'\\]|` + escape + `)*"(?:@[A-Za-z]+(?:-[A-Za-z0-9]+)*|\^\^` + iri + `)?`
	three   = `^` + spaces + `(?:` + iri + `|` + blank + `)` + spaces + iri + spaces + `(?:` + iri + `|` + blank + `|` + literal + `)` + spaces
	end     = `\.` + spaces + `(?:#.*)?\n?$`
)

// They are large, and put together when a line is first read.
var (
	aTriple  = grammar(three + end)
	aQuad    = grammar(three + `(?:(?:` + iri + `|` + blank + `)` + spaces + `)?` + end)
	aComment = grammar(`^` + spaces + `(?:#.*)?$`)
)

func grammar(text string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(text) })
}

const expected = "a quad or triple: subject, predicate, object, perhaps a graph, and a full stop, each an IRI in <>, a literal in \"\" or _:label"

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
