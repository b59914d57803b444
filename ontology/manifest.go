package ontology

import (
	"fmt"
	"strings"

	"github.com/mishap-robotics/mishap/ontology/document"
)

// Manifest is what a pack says of itself in its manifest: a Turtle document with one
// subject of the class m:Pack. Files are as written there, relative to the pack.
type Manifest struct {
	Pos        Pos
	Name       string
	Version    string
	BuildsOn   []Reference // what it builds on: names of packs, or folders
	Replaces   []Reference // files of the packs that it builds on, which it has its own in place of
	Ontology   []Reference // further ontology documents; the manifest itself is one
	Rules      []Reference
	Tests      []Reference
	Simulation []Reference
	Samples    []Reference
	Domains    []string // of problems in PDDL whose plans it judges
}

// Reference is something that a manifest names, with the line.
type Reference struct {
	Value string
	Pos   Pos
}

// ManifestError is a manifest that is none, or lacks something: what was found where, and
// what was expected.
type ManifestError struct {
	Pos             Pos
	Found, Expected string
}

func (e *ManifestError) Error() string {
	return fmt.Sprintf("%s: found %s; expected %s", e.Pos, e.Found, e.Expected)
}

// ReadManifest reads the manifest of a pack. The error is a *ParseError or a
// *ManifestError.
func ReadManifest(d document.Document) (*Manifest, error) {
	triples, err := readDocument(nil, d)
	if err != nil {
		return nil, err
	}
	m := &Manifest{}
	var subject *node
	for i := range triples {
		t := &triples[i]
		if t.p.value != rdfNS+"type" || t.o.value != Namespace+"Pack" {
			continue
		}
		if subject != nil && *subject != t.s {
			return nil, &ManifestError{t.pos, "a second m:Pack", "one pack in a manifest; the first is at line " + fmt.Sprint(m.Pos.Line)}
		}
		subject, m.Pos = &t.s, t.pos
	}
	if subject == nil {
		return nil, &ManifestError{Pos{d.Name, 1}, "no m:Pack", "for example [] a m:Pack ; m:packName \"depot\" ; m:packVersion \"1.0.0\" ; m:buildsOn \"core\" ."}
	}
	for i := range triples {
		if t := &triples[i]; t.s == *subject {
			if err := m.take(t); err != nil {
				return nil, err
			}
		}
	}
	return m, m.complete()
}

// take takes in what a triple says of the pack.
func (m *Manifest) take(t *triple) error {
	name, own := strings.CutPrefix(t.p.value, Namespace)
	if !own {
		return nil // a type, label or comment
	}
	if t.o.kind != literalNode || strings.TrimSpace(t.o.value) == "" {
		return &ManifestError{t.pos, "m:" + name + " " + localName(t.o.value), "a text in quotation marks"}
	}
	ref := Reference{t.o.value, t.pos}
	switch name {
	case "packName":
		return once(&m.Name, name, t)
	case "packVersion":
		return once(&m.Version, name, t)
	case "buildsOn":
		m.BuildsOn = append(m.BuildsOn, ref)
	case "replaces":
		m.Replaces = append(m.Replaces, ref)
	case "ontologyFiles":
		m.Ontology = append(m.Ontology, ref)
	case "ruleFiles":
		m.Rules = append(m.Rules, ref)
	case "testFiles":
		m.Tests = append(m.Tests, ref)
	case "simulationFiles":
		m.Simulation = append(m.Simulation, ref)
	case "sampleLogs":
		m.Samples = append(m.Samples, ref)
	case "problemDomain":
		m.Domains = append(m.Domains, t.o.value)
	default:
		known := []string{"packName", "packVersion", "buildsOn", "replaces", "ontologyFiles", "ruleFiles", "testFiles", "simulationFiles", "sampleLogs", "problemDomain"}
		return &ManifestError{t.pos, "m:" + name + " of a pack", "m:" + strings.Join(known, ", m:") + Hint(name, known)}
	}
	return nil
}

// once takes in what a pack says once.
func once(to *string, name string, t *triple) error {
	if *to != "" {
		return &ManifestError{t.pos, fmt.Sprintf("a second m:%s %q", name, t.o.value), fmt.Sprintf("one; the first is %q", *to)}
	}
	*to = t.o.value
	return nil
}

func (m *Manifest) complete() error {
	switch {
	case m.Name == "":
		return &ManifestError{m.Pos, "a pack without a name", "m:packName, such as \"depot\""}
	case strings.ContainsAny(m.Name, " /\\\t\n"):
		return &ManifestError{m.Pos, fmt.Sprintf("m:packName %q", m.Name), "a name without spaces and slashes"}
	case m.Version == "":
		return &ManifestError{m.Pos, "a pack without a version", "m:packVersion, such as \"1.0.0\""}
	case len(m.BuildsOn) == 0:
		return &ManifestError{m.Pos, "a pack that says nothing of what it builds on", "m:buildsOn \"core\", \"kitchen\" or another pack's folder"}
	}
	return nil
}

// Declared lists the terms that a document declares, by giving them a type or a superclass,
// with their places. The error is a *ParseError.
func Declared(d document.Document) (map[string]Pos, error) {
	triples, err := readDocument(nil, d)
	if err != nil {
		return nil, err
	}
	out := map[string]Pos{}
	for _, t := range triples {
		declares := t.p.value == rdfNS+"type" || t.p.value == rdfsNS+"subClassOf" || t.p.value == rdfsNS+"subPropertyOf"
		if _, known := out[t.s.value]; t.s.kind == iriNode && declares && !known && t.o.value != owlNS+"Ontology" {
			out[t.s.value] = t.pos
		}
	}
	return out, nil
}
