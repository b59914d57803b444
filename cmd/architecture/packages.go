package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"slices"
	"strings"
)

const module = "github.com/mishap-robotics/mishap"

// A pkg is a package as it is drawn.
type pkg struct {
	path     string // without the module's
	room     string // its top-level folder
	imports  []string
	command  bool
	internal bool
	imported bool // by a package that is no test
}

// label is the path within the room; that a package is internal shows in its frame.
func (p *pkg) label() string {
	rest := strings.TrimPrefix(strings.TrimPrefix(p.path, p.room), "/")
	if rest == "" {
		return p.room
	}
	return strings.TrimPrefix(rest, "internal/")
}

// forTests reports whether only tests import the package; what nothing imports is
// otherwise there for other programs.
func (p *pkg) forTests() bool {
	return !p.imported && !p.command && (p.internal || strings.HasSuffix(p.path, "test"))
}

// list asks the go command for the packages of the module, in order of their paths.
func list() ([]*pkg, error) {
	out, err := exec.Command("go", "list", "-json=ImportPath,Name,Imports", module+"/...").Output()
	if err != nil {
		var failed *exec.ExitError
		if errors.As(err, &failed) {
			err = fmt.Errorf("%w: %s", err, failed.Stderr)
		}
		return nil, fmt.Errorf("go list: %w", err)
	}
	var packages []*pkg
	decoder := json.NewDecoder(strings.NewReader(string(out)))
	for {
		var p struct {
			ImportPath, Name string
			Imports          []string
		}
		if err := decoder.Decode(&p); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return nil, fmt.Errorf("go list: %w", err)
		}
		packages = append(packages, newPackage(p.ImportPath, p.Name, p.Imports))
	}
	slices.SortFunc(packages, func(a, b *pkg) int { return strings.Compare(a.path, b.path) })
	markImported(packages)
	return packages, nil
}

func newPackage(path, name string, imports []string) *pkg {
	p := &pkg{path: strings.TrimPrefix(path, module+"/"), command: name == "main"}
	p.room, _, _ = strings.Cut(p.path, "/")
	p.internal = slices.Contains(strings.Split(p.path, "/"), "internal")
	for _, path := range imports {
		if own, ok := strings.CutPrefix(path, module+"/"); ok {
			p.imports = append(p.imports, own)
		}
	}
	return p
}

func markImported(packages []*pkg) {
	byPath := map[string]*pkg{}
	for _, p := range packages {
		byPath[p.path] = p
	}
	for _, p := range packages {
		for _, path := range p.imports {
			byPath[path].imported = true
		}
	}
}

// floors are the top-level folders, the highest first.
var floors = [][]string{{"cmd"}, {"bridge"}, {"engine"}, {"rules", "ontology"}}

// A room is a top-level folder with its packages.
type room struct {
	name     string
	floor    int
	packages []*pkg
	uses     []string // rooms on the same floor and on the next that it imports
}

func sortIntoRooms(packages []*pkg) ([]*room, error) {
	var rooms []*room
	byName := map[string]*room{}
	for floor, names := range floors {
		for _, name := range names {
			r := &room{name: name, floor: floor}
			rooms, byName[name] = append(rooms, r), r
		}
	}
	for _, p := range packages {
		r, ok := byName[p.room]
		if !ok {
			return nil, fmt.Errorf("package %s is in none of the folders %v", p.path, floors)
		}
		r.packages = append(r.packages, p)
		for _, path := range p.imports {
			to, _, _ := strings.Cut(path, "/")
			if err := r.use(byName[to]); err != nil {
				return nil, fmt.Errorf("%s imports %s: %w", p.path, path, err)
			}
		}
	}
	return rooms, nil
}

func (r *room) use(other *room) error {
	switch {
	case other == r || other.floor > r.floor+1:
	case other.floor < r.floor:
		return errors.New("an arrow may not run up")
	case !slices.Contains(r.uses, other.name):
		r.uses = append(r.uses, other.name)
	}
	return nil
}
