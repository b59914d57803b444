package ontology

import (
	"bytes"
	"embed"
	"encoding/xml"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/tggo/goRDFlib/rdfxml"

	"github.com/mishap-robotics/mishap/ontology/document"
)

//go:embed *.ttl
var shipped embed.FS

//go:embed core
var core embed.FS

// Shipped lists the documents built into the binary: the language, what every robot has in
// common, and the kitchen.
func Shipped() []document.Document {
	common, err := document.Read(core, "ontology", "core/core.ttl", ".ttl")
	if err != nil {
		panic(err) // the embedded folder is always readable
	}
	common[0].Name = "ontology/" + common[0].Name
	return append(common, document.Embedded(shipped, "ontology")...)
}

// CorePack is the pack that all domains build on, in the folder "core".
func CorePack() fs.FS { return core }

var language = []string{"vocabulary.ttl", "roles.ttl", "words.ttl"}

// Language lists those of the documents that every ontology is written in, whatever the robot
// works at: the vocabulary, the roles and the function words.
func Language() []document.Document {
	return slices.DeleteFunc(Shipped(), func(d document.Document) bool { return !slices.Contains(language, path.Base(d.Name)) })
}

// Kitchen lists those that are of the kitchen alone.
func Kitchen() []document.Document {
	return slices.DeleteFunc(document.Embedded(shipped, "ontology"), func(d document.Document) bool { return slices.Contains(language, path.Base(d.Name)) })
}

// ReadDir lists the ontology documents of a folder, or the one document that
// place is: Turtle (.ttl), N-Triples (.nt) and RDF/XML (.owl, .rdf, .xml).
func ReadDir(place string) ([]document.Document, error) { return ReadFS(document.Disk{}, place) }

// ReadFS is ReadDir in a file system, such as one that a program embeds.
func ReadFS(fsys fs.FS, place string) ([]document.Document, error) {
	return document.Read(fsys, "ontology", place, ".ttl", ".nt", ".owl", ".rdf", ".xml")
}

// Parse reads, closes and checks documents. The error is non-nil when a
// document cannot be read (a *ParseError) or a problem makes the ontology
// unusable (a Problem, joined with the others); the problems hold warnings too.
func Parse(sources []document.Document) (*Ontology, []Problem, error) { return parse(sources, true) }

// parse is Parse, which may leave out to check what was checked before.
func parse(sources []document.Document, check bool) (*Ontology, []Problem, error) {
	const perTriple = 15 // bytes of Turtle, about, with those that m:likewise stands for
	size := 0
	for _, s := range sources {
		size += len(s.Data)
	}
	all := make([]triple, 0, size/perTriple)
	for i, s := range sources {
		first, err := len(all), error(nil)
		if all, err = readDocument(all, s); err != nil {
			return nil, nil, err
		}
		for j := first; j < len(all); j++ {
			all[j].s, all[j].o = scoped(all[j].s, i), scoped(all[j].o, i)
		}
	}
	if err := tooMany(all); err != nil {
		return nil, nil, err
	}
	levels := map[string]int{}
	for _, s := range sources {
		levels[s.Name] = s.Level
	}
	o, problems := build(all, levels, check)
	o.sources = slices.Clone(sources)
	var errs []error
	for _, p := range problems {
		if !p.Warning {
			errs = append(errs, p)
		}
	}
	return o, problems, errors.Join(errs...)
}

// maxTerms is how many terms an ontology may have: what is known of classes grows with
// the square of their number.
const maxTerms = 20_000

// tooMany is the error of more terms than an ontology may have.
func tooMany(triples []triple) error {
	seen := map[string]bool{}
	for _, t := range triples {
		if t.s.kind != iriNode || seen[t.s.value] {
			continue
		}
		if seen[t.s.value] = true; len(seen) > maxTerms {
			return &ParseError{t.pos, fmt.Sprintf("more than %d terms in all documents, the most that an ontology may have", maxTerms)}
		}
	}
	return nil
}

// scoped keeps blank nodes of different documents apart.
func scoped(n node, document int) node {
	if n.kind == blankNode {
		n.value = strconv.Itoa(document) + "/" + n.value
	}
	return n
}

// readDocument adds the triples of a document to others.
func readDocument(to []triple, s document.Document) ([]triple, error) {
	data := bytes.TrimPrefix(s.Data, []byte("\xef\xbb\xbf"))
	switch strings.ToLower(filepath.Ext(s.Name)) {
	case ".owl", ".rdf", ".xml":
		ts, err := readRDFXML(s.Name, data)
		return append(to, ts...), err
	}
	return readTurtle(to, s.Name, data)
}

// readRDFXML reads RDF/XML; lines are those on which the subject is first named.
func readRDFXML(file string, data []byte) (out []triple, err error) {
	defer func() {
		if r := recover(); r != nil {
			out, err = nil, &ParseError{Pos{file, 1}, fmt.Sprintf("not RDF/XML: unreadable document (%v)", r)}
		}
	}()
	if line := deepElement(data); line > 0 {
		return nil, &ParseError{Pos{file, line}, fmt.Sprintf("elements nest deeper than %d", maxNesting)}
	}
	r := newRecorder()
	if err := rdfxml.Parse(r.graph, bytes.NewReader(data)); err != nil {
		return nil, &ParseError{Pos{file, xmlErrorLine(err)}, "not RDF/XML: " + err.Error()}
	}
	lines := strings.Split(string(data), "\n")
	at := map[node]int{}
	for i := range r.triples {
		t := &r.triples[i]
		if _, ok := at[t.s]; !ok {
			at[t.s] = xmlLine(lines, localName(t.s.value))
		}
		t.pos = Pos{file, at[t.s]}
	}
	return r.triples, nil
}

// deepElement is the line of an element that is nested too deep, 0 for none.
func deepElement(data []byte) int {
	dec := xml.NewDecoder(bytes.NewReader(data))
	for depth := 0; ; {
		tok, err := dec.RawToken()
		if err != nil {
			return 0 // the parser reports it
		}
		switch tok.(type) {
		case xml.StartElement:
			depth++
		case xml.EndElement:
			depth--
		}
		if depth > maxNesting {
			line, _ := dec.InputPos()
			return line
		}
	}
}

func xmlErrorLine(err error) int {
	var s *xml.SyntaxError
	if errors.As(err, &s) {
		return s.Line
	}
	return 1
}

func xmlLine(lines []string, word string) int {
	for i, l := range lines {
		if word != "" && containsWord(l, word) {
			return i + 1
		}
	}
	return 1
}

// BuiltIn reports whether it is Default.
func (o *Ontology) BuiltIn() bool { return o.builtIn }

// Default is the ontology built into the binary. It is loaded once.
func Default() *Ontology { return shippedOntology() }

var shippedOntology = sync.OnceValue(func() *Ontology {
	o, _, err := parse(Shipped(), false) // a test checks it
	if err != nil {
		panic(err) // a test keeps the shipped ontology free of errors
	}
	o.builtIn = true
	return o
})
