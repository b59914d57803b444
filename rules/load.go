package rules

import (
	"embed"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sort"
	"sync"
)

//go:embed *.pl
var shipped embed.FS

// Source is one rule file.
type Source struct {
	Name string // as messages and findings show it
	Data []byte
}

// Program is a set of rules.
type Program struct {
	Clauses []*Clause // in order of files, then of lines
	byHead  map[Indicator][]*Clause
}

// Head is the predicate that failure rules conclude:
// failure(Class, Step, Cause, Objects).
var Head = Indicator{"failure", 4}

// Shipped lists the rule files built into the binary.
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
		out = append(out, Source{"rules/" + e.Name(), data})
	}
	return out
}

// ReadDir lists the .pl files of a folder, or the one file that path is.
func ReadDir(path string) ([]Source, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, fmt.Errorf("rules %s: %w", path, err)
	}
	files := []string{path}
	if info.IsDir() {
		if files, err = filepath.Glob(filepath.Join(path, "*.pl")); err != nil || len(files) == 0 {
			return nil, fmt.Errorf("rules %s: no .pl file in the folder", path)
		}
		sort.Strings(files)
	}
	var out []Source
	for _, f := range files {
		data, err := os.ReadFile(f)
		if err != nil {
			return nil, fmt.Errorf("rules: %w", err)
		}
		out = append(out, Source{f, data})
	}
	return out, nil
}

// Merge puts a user's files beside others; a file with the base name of
// another replaces it.
func Merge(base, own []Source) []Source {
	taken := map[string]bool{}
	for _, s := range own {
		taken[filepath.Base(s.Name)] = true
	}
	var out []Source
	for _, s := range base {
		if !taken[filepath.Base(s.Name)] {
			out = append(out, s)
		}
	}
	return append(out, own...)
}

// Load reads rule files. Every file with a mistake adds a *SyntaxError to the
// error, so that one bad file does not hide the others.
func Load(sources []Source) (*Program, error) {
	p := &Program{byHead: map[Indicator][]*Clause{}}
	var errs []error
	for _, s := range sources {
		clauses, err := Parse(s.Name, string(s.Data))
		if err != nil {
			errs = append(errs, err)
			continue
		}
		for _, c := range clauses {
			p.Clauses = append(p.Clauses, c)
			p.byHead[c.Head.Indicator()] = append(p.byHead[c.Head.Indicator()], c)
		}
	}
	return p, errors.Join(errs...)
}

// Defining lists the clauses of a predicate.
func (p *Program) Defining(i Indicator) []*Clause { return p.byHead[i] }

// Default is the program built into the binary. It is loaded once.
var Default = sync.OnceValue(func() *Program {
	p, err := Load(Shipped())
	if err != nil {
		panic(err) // a test keeps the shipped rules free of errors
	}
	return p
})
