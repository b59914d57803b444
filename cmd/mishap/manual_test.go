package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// exported lists the exported names of a package: what it declares, and methods and
// fields as ".Name".
func exported(t *testing.T, folder string) map[string]bool {
	t.Helper()
	names := map[string]bool{}
	files, err := filepath.Glob(filepath.Join(folder, "*.go"))
	if err != nil || len(files) == 0 {
		t.Fatalf("%s: no package (%v)", folder, err)
	}
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		tree, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range tree.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				names[map[bool]string{true: "."}[d.Recv != nil]+d.Name.Name] = true
			case *ast.GenDecl:
				ast.Inspect(d, func(n ast.Node) bool {
					switch n := n.(type) {
					case *ast.TypeSpec:
						names[n.Name.Name] = true
					case *ast.ValueSpec:
						for _, name := range n.Names {
							names[name.Name] = true
						}
					case *ast.Field:
						for _, name := range n.Names {
							names["."+name.Name] = true
						}
					}
					return true
				})
			}
		}
	}
	return names
}

// Every name of a package, and every method of a reasoner or a monitor, that the manual
// of the library speaks of is there.
func TestManualOfTheLibraryNamesWhatIsThere(t *testing.T) {
	packages := map[string]map[string]bool{}
	err := filepath.WalkDir(moduleRoot, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.IsDir() {
			return err
		}
		switch d.Name() {
		case "internal", "testdata", "cmd", ".git", ".ci", "mangle":
			return filepath.SkipDir
		}
		if found, _ := filepath.Glob(filepath.Join(path, "*.go")); len(found) > 0 {
			packages[d.Name()] = exported(t, path)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(moduleRoot, "engine", "MANUAL.md"))
	if err != nil {
		t.Fatal(err)
	}
	// Variables of the programs, and packages of others.
	others := []string{"f", "n", "p", "s", "w", "out", "res", "rows", "loop", "errors", "fmt", "fs", "os", "time", "context", "iter", "sql", "rego", "cel"}
	known := 0
	for _, m := range regexp.MustCompile(`\b([a-z]+)\.([A-Z]\w*)`).FindAllStringSubmatch(string(text), -1) {
		names, name := packages[m[1]], m[2]
		if m[1] == "r" || m[1] == "m" {
			names, name = packages["engine"], "."+m[2]
		}
		if slices.Contains(others, m[1]) {
			continue
		}
		if known++; !names[name] {
			t.Errorf("engine/MANUAL.md speaks of %s, which is not there", m[0])
		}
	}
	if known < 60 {
		t.Errorf("only %d names are known", known)
	}
}
