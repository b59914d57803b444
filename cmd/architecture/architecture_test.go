package main

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestPictureIsOfThisCode(t *testing.T) {
	lookAt(t, "../..")
	now, err := picture()
	if err != nil {
		t.Fatal(err)
	}
	kept, err := os.ReadFile("../../architecture.svg")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(now, kept) {
		t.Error("architecture.svg does not show what packages import now; run: go generate ./cmd/architecture")
	}
}

// lookAt opens every folder of the module, so that the go command, which keeps the result
// of a test as long as nothing that it opened has changed, runs this one again.
func lookAt(t *testing.T, root string) {
	t.Helper()
	err := filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
		if err == nil && e.IsDir() && e.Name() == ".git" {
			return fs.SkipDir
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestAPackageStandsAboveWhatItImports(t *testing.T) {
	packages, err := list()
	if err != nil {
		t.Fatal(err)
	}
	rooms, err := sortIntoRooms(packages)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range rooms {
		l := arrange(r.packages)
		for _, p := range r.packages {
			for _, path := range p.imports {
				if q, ok := l.places[path]; ok && q.row >= l.places[p.path].row {
					t.Errorf("%s stands in row %d, and %s, which it imports, in row %d", p.path, l.places[p.path].row, path, q.row)
				}
			}
		}
		for _, row := range l.rows {
			for i := 1; i < len(row); i++ {
				if free := row[i].x - row[i-1].x - (row[i].width()+row[i-1].width())/2; free < gap-2 {
					t.Errorf("%s: places %d and %d of a row are %d pixels apart, want %d", r.name, i-1, i, free, gap)
				}
			}
		}
	}
}

func TestOnlyDirectImportsAreDrawn(t *testing.T) {
	inRoom := map[string]*pkg{
		"engine/a": {path: "engine/a", imports: []string{"engine/b", "engine/c", "ontology"}},
		"engine/b": {path: "engine/b", imports: []string{"engine/c"}},
		"engine/c": {path: "engine/c"},
	}
	if got := fmt.Sprint(direct(inRoom["engine/a"], inRoom)); got != "[engine/b]" {
		t.Errorf("direct imports of a are %s, want [engine/b]: c follows", got)
	}
}

func TestArrowsNeverRunUp(t *testing.T) {
	_, err := sortIntoRooms([]*pkg{{path: "engine/a", room: "engine", imports: []string{"bridge/b"}}, {path: "bridge/b", room: "bridge"}})
	if err == nil || !strings.Contains(err.Error(), "engine/a imports bridge/b") {
		t.Errorf("got error %v, want one that names engine/a and bridge/b", err)
	}
	if _, err := sortIntoRooms([]*pkg{{path: "tools/x", room: "tools"}}); err == nil {
		t.Error("a package outside of the rooms is no error")
	}
}
