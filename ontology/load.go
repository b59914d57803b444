package ontology

import (
	"bytes"
	"embed"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	rdflib "github.com/tggo/goRDFlib"
	"github.com/tggo/goRDFlib/rdfxml"
)

//go:embed *.ttl
var shipped embed.FS

// Source is one ontology document.
type Source struct {
	Name string // as messages show it
	Data []byte
}

// Shipped lists the documents built into the binary.
func Shipped() []Source {
	entries, err := shipped.ReadDir(".")
	if err != nil {
		panic(err) // the embedded folder is always readable
	}
	var out []Source
	for _, e := range entries {
		data, err := shipped.ReadFile(e.Name())
		if err != nil {
			panic(err)
		}
		out = append(out, Source{"ontology/" + e.Name(), data})
	}
	return out
}

// ReadDir lists the ontology documents of a folder, or the one document that
// path is: Turtle (.ttl), N-Triples (.nt) and RDF/XML (.owl, .rdf, .xml).
func ReadDir(path string) ([]Source, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, fmt.Errorf("ontology %s: %w", path, err)
	}
	files := []string{path}
	if info.IsDir() {
		files = nil
		entries, err := os.ReadDir(path)
		if err != nil {
			return nil, fmt.Errorf("ontology %s: %w", path, err)
		}
		for _, e := range entries {
			if isDocument(e.Name()) && !e.IsDir() {
				files = append(files, filepath.Join(path, e.Name()))
			}
		}
		if len(files) == 0 {
			return nil, fmt.Errorf("ontology %s: no .ttl, .nt, .owl, .rdf or .xml file in the folder", path)
		}
	}
	var out []Source
	for _, f := range files {
		data, err := os.ReadFile(f)
		if err != nil {
			return nil, fmt.Errorf("ontology: %w", err)
		}
		out = append(out, Source{f, data})
	}
	return out, nil
}

func isDocument(name string) bool {
	return slices.Contains([]string{".ttl", ".nt", ".owl", ".rdf", ".xml"}, strings.ToLower(filepath.Ext(name)))
}

// Merge puts a user's documents beside others; a document with the base name
// of another replaces it.
func Merge(base, own []Source) []Source {
	var out []Source
	for _, s := range base {
		if !slices.ContainsFunc(own, func(t Source) bool { return filepath.Base(t.Name) == filepath.Base(s.Name) }) {
			out = append(out, s)
		}
	}
	return append(out, own...)
}

// Parse reads, closes and checks documents. The error is non-nil when a
// document cannot be read (a *ParseError) or a problem makes the ontology
// unusable (a Problem, joined with the others); the problems hold warnings too.
func Parse(sources []Source) (*Ontology, []Problem, error) {
	var all []triple
	for i, s := range sources {
		ts, err := readDocument(s)
		if err != nil {
			return nil, nil, err
		}
		for j := range ts {
			ts[j].s, ts[j].o = scoped(ts[j].s, i), scoped(ts[j].o, i)
		}
		all = append(all, ts...)
	}
	o, problems := build(all)
	var errs []error
	for _, p := range problems {
		if !p.Warning {
			errs = append(errs, p)
		}
	}
	return o, problems, errors.Join(errs...)
}

// scoped keeps blank nodes of different documents apart.
func scoped(n node, document int) node {
	if n.kind == blankNode {
		n.value = fmt.Sprintf("%d/%s", document, n.value)
	}
	return n
}

func readDocument(s Source) ([]triple, error) {
	data := bytes.TrimPrefix(s.Data, []byte("\xef\xbb\xbf"))
	switch strings.ToLower(filepath.Ext(s.Name)) {
	case ".owl", ".rdf", ".xml":
		return readRDFXML(s.Name, data)
	}
	return readTurtle(s.Name, data)
}

// readRDFXML reads RDF/XML; lines are those on which the subject is first named.
func readRDFXML(file string, data []byte) (out []triple, err error) {
	defer func() {
		if r := recover(); r != nil {
			out, err = nil, &ParseError{Pos{file, 1}, fmt.Sprintf("not RDF/XML: unreadable document (%v)", r)}
		}
	}()
	g := rdflib.NewGraph()
	if err := rdfxml.Parse(g, bytes.NewReader(data)); err != nil {
		return nil, &ParseError{Pos{file, 1}, "not RDF/XML: " + err.Error()}
	}
	lines := strings.Split(string(data), "\n")
	at := map[string]int{}
	g.Triples(nil, nil, nil)(func(t rdflib.Triple) bool {
		s := rdfNode(t.Subject)
		if _, ok := at[s.value]; !ok {
			at[s.value] = xmlLine(lines, localName(s.value))
		}
		out = append(out, triple{s, rdfNode(t.Predicate), rdfNode(t.Object), Pos{file, at[s.value]}})
		return true
	})
	slices.SortStableFunc(out, func(a, b triple) int {
		if a.pos.Line != b.pos.Line {
			return a.pos.Line - b.pos.Line
		}
		return strings.Compare(a.s.value+" "+a.p.value+" "+a.o.value, b.s.value+" "+b.p.value+" "+b.o.value)
	})
	return out, nil
}

func xmlLine(lines []string, word string) int {
	for i, l := range lines {
		if word != "" && containsWord(l, word) {
			return i + 1
		}
	}
	return 1
}

func rdfNode(t rdflib.Term) node {
	switch t := t.(type) {
	case rdflib.BNode:
		return node{blankNode, t.String()}
	case rdflib.Literal:
		return node{literalNode, t.String()}
	default:
		return node{iriNode, t.String()}
	}
}

// Default is the ontology built into the binary. It is loaded once.
var Default = sync.OnceValue(func() *Ontology {
	o, _, err := Parse(Shipped())
	if err != nil {
		panic(err) // a test keeps the shipped ontology free of errors
	}
	return o
})
