// Package pack reads packs: folders that hold all that is known of a domain, named by a
// manifest.
package pack

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/mishap-robotics/mishap/ontology"
	"github.com/mishap-robotics/mishap/ontology/document"
	"github.com/mishap-robotics/mishap/ontology/kitchen"
	"github.com/mishap-robotics/mishap/rules"
)

// ManifestFile is the name of the manifest in the folder of a pack.
const ManifestFile = "pack.ttl"

// The packs that are built in, by name: Language is the vocabulary, roles and words alone,
// Core has an agent and the failures of plans, and Kitchen, which builds on it, all the rest.
const (
	Language = "language"
	Core     = "core"
	Kitchen  = "kitchen"
)

// Pack is what a domain is made of.
type Pack struct {
	Manifest   ontology.Manifest
	Folder     string // "" for one that is built in
	Ontology   []document.Document
	Rules      []document.Document
	Tests      []document.Document
	Simulation []document.Document
	Samples    []string // logs and folders of logs
}

// Read reads a pack: a folder with a manifest, or the manifest. The error tells file, line,
// what was found and what was expected.
func Read(place string) (*Pack, error) { return ReadFS(document.Disk{}, place) }

// ReadFS is Read in a file system, such as one that a program embeds.
func ReadFS(fsys fs.FS, place string) (*Pack, error) {
	manifest, folder := place, path.Dir(filepath.ToSlash(place))
	info, err := fs.Stat(fsys, place)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("pack %s: found no such file or folder; expected the folder of a pack, with its %s: %w", place, ManifestFile, fs.ErrNotExist)
	case err != nil:
		return nil, fmt.Errorf("pack: %w", err)
	}
	if info.IsDir() {
		manifest, folder = path.Join(filepath.ToSlash(place), ManifestFile), filepath.ToSlash(place)
		if _, err := fs.Stat(fsys, manifest); errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("pack %s: found no %s in the folder; expected the manifest of a pack; \"mishap pack init\" writes one", place, ManifestFile)
		}
	}
	documents, err := document.Read(fsys, "pack", manifest, ".ttl")
	if err != nil {
		return nil, err
	}
	m, err := ontology.ReadManifest(documents[0])
	if err != nil {
		return nil, err
	}
	p := &Pack{Manifest: *m, Folder: folder, Ontology: documents}
	return p, p.readParts(fsys)
}

// asBuiltIn calls files that are built in as they are called there, wherever they are read.
func (p *Pack) asBuiltIn() {
	for documents, builtIn := range map[*[]document.Document][]document.Document{
		&p.Ontology: ontology.Shipped(), &p.Rules: rules.Shipped(), &p.Tests: rules.ShippedTests(), &p.Simulation: kitchen.Shipped(),
	} {
		for i, d := range *documents {
			for _, b := range builtIn {
				if path.Base(b.Name) == path.Base(d.Name) && bytes.Equal(b.Data, d.Data) {
					(*documents)[i].Name = b.Name
				}
			}
		}
	}
}

// readParts reads the files that the manifest names.
func (p *Pack) readParts(fsys fs.FS) error {
	read := func(refs []ontology.Reference, to *[]document.Document, from func(fs.FS, string) ([]document.Document, error)) error {
		for _, ref := range refs {
			found, err := from(fsys, path.Join(p.Folder, ref.Value))
			if err != nil {
				return &ontology.ManifestError{Pos: ref.Pos, Found: fmt.Sprintf("%q (%v)", ref.Value, err), Expected: "a file or folder of the pack"}
			}
			for _, d := range found {
				if !slices.ContainsFunc(*to, func(e document.Document) bool { return e.Name == d.Name }) {
					*to = append(*to, d)
				}
			}
		}
		return nil
	}
	m := &p.Manifest
	err := errors.Join(
		read(m.Ontology, &p.Ontology, ontology.ReadFS), read(m.Rules, &p.Rules, rules.ReadFS),
		read(m.Rules, &p.Tests, rules.ReadTestsFS), read(m.Tests, &p.Tests, rules.ReadTestsFS),
		read(m.Simulation, &p.Simulation, ontology.ReadFS))
	for _, ref := range m.Samples {
		place := path.Join(p.Folder, ref.Value)
		if _, failed := fs.Stat(fsys, place); failed != nil {
			err = errors.Join(err, &ontology.ManifestError{Pos: ref.Pos, Found: fmt.Sprintf("%q (%v)", ref.Value, failed), Expected: "a log or a folder of logs"})
		}
		p.Samples = append(p.Samples, place)
	}
	return err
}

// Domains lists the domains of problems whose plans the pack judges.
func (p *Pack) Domains() []string {
	if len(p.Manifest.Domains) == 0 {
		return []string{p.Manifest.Name}
	}
	return p.Manifest.Domains
}

// named puts a folder before the names of all documents.
func (p *Pack) named(folder string) {
	for _, documents := range [][]document.Document{p.Ontology, p.Rules, p.Tests, p.Simulation} {
		for i := range documents {
			documents[i].Name = folder + documents[i].Name
		}
	}
}

// builtIn is a pack that is built in.
func builtIn(name string) (*Pack, bool) {
	switch name {
	case Language:
		return &Pack{Manifest: ontology.Manifest{Name: Language}, Ontology: ontology.Language(), Simulation: kitchen.Language()}, true
	case Core:
		p, err := ReadFS(ontology.CorePack(), Core)
		if err != nil {
			panic(err) // a test keeps what is embedded free of errors
		}
		p.Folder = ""
		p.named("ontology/")
		return p, true
	case Kitchen:
		return &Pack{
			Manifest: ontology.Manifest{Name: Kitchen, BuildsOn: []ontology.Reference{{Value: Core}}, Replaces: []ontology.Reference{{Value: "core.pl"}, {Value: "plain.ttl"}}},
			Ontology: ontology.Kitchen(), Rules: rules.Shipped(), Tests: rules.ShippedTests(), Simulation: kitchen.Scene(),
		}, true
	}
	return nil, false
}

// Stack is packs with all that they build on, what is built on before what builds on it.
type Stack struct {
	Packs []*Pack
	given []*Pack
}

// Load reads packs and what they build on. With only they build on the core alone,
// whatever their manifests say. Packs of one name, and packs that build on each other, are
// errors; so are two that declare one term: see ClashError.
func Load(places []string, only bool) (*Stack, error) {
	s := &Stack{}
	for _, place := range places {
		p, ok := builtIn(place)
		if !ok {
			var err error
			if p, err = Read(place); err != nil {
				return nil, err
			}
			p.asBuiltIn()
		}
		if only {
			p.Manifest.BuildsOn = []ontology.Reference{{Value: Core, Pos: p.Manifest.Pos}}
		}
		if err := s.add(p, nil); err != nil {
			return nil, err
		}
		s.given = append(s.given, p)
	}
	return s, s.clashes()
}

// add puts a pack on the stack, after what it builds on.
func (s *Stack) add(p *Pack, above []*Pack) error {
	for _, q := range s.Packs {
		if q.Manifest.Name != p.Manifest.Name {
			continue
		}
		if q.Folder == p.Folder {
			return nil
		}
		return &ontology.ManifestError{Pos: p.Manifest.Pos, Found: fmt.Sprintf("a second pack %q", p.Manifest.Name),
			Expected: fmt.Sprintf("each name once; the other is %s", q.place())}
	}
	for _, ref := range p.Manifest.BuildsOn {
		base, err := p.base(ref)
		if err != nil {
			return err
		}
		if slices.ContainsFunc(append(above, p), func(q *Pack) bool { return q.Folder == base.Folder && q.Manifest.Name == base.Manifest.Name }) {
			return &ontology.ManifestError{Pos: ref.Pos, Found: fmt.Sprintf("pack %q, which builds on this one", base.Manifest.Name), Expected: "packs that do not build on each other"}
		}
		if err := s.add(base, append(above, p)); err != nil {
			return err
		}
	}
	s.Packs = append(s.Packs, p)
	return s.replace(p)
}

// replace leaves out what a pack has files of its own in place of.
func (s *Stack) replace(p *Pack) error {
	for _, ref := range p.Manifest.Replaces {
		found := false
		replaced := func(d document.Document) bool {
			is := path.Base(d.Name) == ref.Value || strings.TrimSuffix(path.Base(d.Name), ".test")+".pl" == ref.Value
			found = found || is
			return is
		}
		for _, q := range s.Packs[:len(s.Packs)-1] {
			q.Ontology, q.Rules = slices.DeleteFunc(q.Ontology, replaced), slices.DeleteFunc(q.Rules, replaced)
			q.Tests, q.Simulation = slices.DeleteFunc(q.Tests, replaced), slices.DeleteFunc(q.Simulation, replaced)
		}
		if !found {
			return &ontology.ManifestError{Pos: ref.Pos, Found: fmt.Sprintf("m:replaces %q", ref.Value),
				Expected: "the name of a file of a pack that this one builds on, such as \"core.pl\""}
		}
	}
	return nil
}

// base is a pack that one builds on.
func (p *Pack) base(ref ontology.Reference) (*Pack, error) {
	if b, ok := builtIn(ref.Value); ok {
		return b, nil
	}
	b, err := Read(path.Join(p.Folder, ref.Value))
	if err == nil {
		return b, nil
	}
	if errors.Is(err, fs.ErrNotExist) {
		return nil, &ontology.ManifestError{Pos: ref.Pos, Found: fmt.Sprintf("%q (%v)", ref.Value, err),
			Expected: strings.Join([]string{Language, Core, Kitchen}, ", ") + " or the folder of a pack"}
	}
	return nil, err
}

func (p *Pack) place() string {
	if p.Folder == "" {
		return "built in"
	}
	return p.Manifest.Pos.String()
}

// ClashError is a term that two packs declare.
type ClashError struct {
	Name       string
	Pos, Other ontology.Pos
	Pack, By   string
}

func (e *ClashError) Error() string {
	return fmt.Sprintf("%s: found %s of pack %s, which pack %s declares at %s; expected another name, with rdfs:label for the word that logs write, or no rdf:type and superclass where something is only added to it",
		e.Pos, e.Name, e.Pack, e.By, e.Other)
}

// clashes are the terms that two packs declare.
func (s *Stack) clashes() error {
	type place struct {
		pos  ontology.Pos
		pack *Pack
	}
	by := map[string]place{}
	var errs []error
	for _, p := range s.Packs {
		for _, d := range slices.Concat(p.Ontology) {
			declared, err := ontology.Declared(d)
			if err != nil {
				return err
			}
			for _, iri := range sortedByPlace(declared) {
				pos := declared[iri]
				if other, ok := by[iri]; ok && other.pack != p {
					name := iri[strings.LastIndexAny(iri, "#/")+1:]
					errs = append(errs, &ClashError{name, pos, other.pos, p.Manifest.Name, other.pack.Manifest.Name})
					continue
				}
				by[iri] = place{pos, p}
			}
		}
	}
	return errors.Join(errs...)
}

func sortedByPlace(declared map[string]ontology.Pos) []string {
	var out []string
	for iri := range declared {
		out = append(out, iri)
	}
	slices.SortFunc(out, func(a, b string) int {
		if d := declared[a].Line - declared[b].Line; d != 0 {
			return d
		}
		return strings.Compare(a, b)
	})
	return out
}

// Given lists the packs that were asked for, without what they build on.
func (s *Stack) Given() []*Pack { return s.given }

func (s *Stack) parts(of func(*Pack) []document.Document) []document.Document {
	var out []document.Document
	for level, p := range s.Packs {
		for _, d := range of(p) {
			d.Level = level
			out = append(out, d)
		}
	}
	return out
}

// Ontology lists the ontology documents of all packs.
func (s *Stack) Ontology() []document.Document {
	return s.parts(func(p *Pack) []document.Document { return p.Ontology })
}

// Rules lists the rule files of all packs.
func (s *Stack) Rules() []document.Document {
	return s.parts(func(p *Pack) []document.Document { return p.Rules })
}

// Tests lists the rule tests of all packs.
func (s *Stack) Tests() []document.Document {
	return s.parts(func(p *Pack) []document.Document { return p.Tests })
}

// Simulation lists the simulation documents of all packs.
func (s *Stack) Simulation() []document.Document {
	return s.parts(func(p *Pack) []document.Document { return p.Simulation })
}

// Domains lists the domains of problems whose plans the packs judge that were asked for.
func (s *Stack) Domains() []string {
	var out []string
	for _, p := range s.given {
		out = append(out, p.Domains()...)
	}
	return out
}
