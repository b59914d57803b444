package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// The names that ARCHITECTURE.md and CONTRIBUTING.md write in code, by their form.
var (
	inCode      = regexp.MustCompile("`([^`]+)`")
	goName      = regexp.MustCompile(`^([a-z]+)\.([A-Za-z]+(?:\.[A-Za-z]+)?)$`)
	turtleName  = regexp.MustCompile(`^m:[A-Za-z_]+$`)
	predicate   = regexp.MustCompile(`^([a-z_]+)/(\d+)$`)
	sourceFiles = []string{"ARCHITECTURE.md", "CONTRIBUTING.md"}
)

// TestNamesExist looks up each name in the code: package.Name, package.Type.Name,
// m:Name in Turtle, and name/arity of predicates. So the glossary and the walks cannot
// outlive what they tell of.
func TestNamesExist(t *testing.T) {
	root := filepath.Join("..", "..")
	lookAt(t, root)
	declared := declarations(t)
	turtle := textOf(t, root, "ontology", ".ttl")
	rules := textOf(t, root, "rules", ".pl") + textOf(t, root, "engine", ".go")
	found := 0
	for _, file := range sourceFiles {
		text, err := os.ReadFile(filepath.Join(root, file))
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range inCode.FindAllStringSubmatch(string(text), -1) {
			name := m[1]
			if g := goName.FindStringSubmatch(name); g != nil && declared[g[1]] != nil {
				found++
				if !declared[g[1]][g[2]] {
					t.Errorf("%s: `%s`: package %s declares no %s", file, name, g[1], g[2])
				}
			}
			if turtleName.MatchString(name) && !regexp.MustCompile(regexp.QuoteMeta(name)+`\b`).MatchString(turtle) {
				t.Errorf("%s: `%s` is in no Turtle file", file, name)
			}
			if p := predicate.FindStringSubmatch(name); p != nil && !regexp.MustCompile(`\b`+p[1]+`\b`).MatchString(rules) {
				t.Errorf("%s: `%s` is no predicate", file, name)
			}
		}
	}
	if found < 60 {
		t.Errorf("found %d Go names, want at least 60", found)
	}
}

// TestEachWordStandsOnce keeps the glossary from explaining a word twice.
func TestEachWordStandsOnce(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "..", "ARCHITECTURE.md"))
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{"word": true}
	for _, line := range strings.Split(string(text), "\n") {
		row := strings.Split(line, "|")
		if len(row) != 6 || strings.HasPrefix(row[1], "---") {
			continue
		}
		for _, word := range strings.Split(row[1], ",") {
			word = strings.TrimSpace(word)
			if seen[word] && word != "word" {
				t.Errorf("the glossary has %q twice", word)
			}
			seen[word] = true
		}
	}
	if len(seen) < 50 {
		t.Errorf("the glossary has %d words, want at least 50", len(seen))
	}
}

// declarations lists what each package declares, by the package's name: types,
// functions, variables and constants, and Type.Name of methods and fields.
func declarations(t *testing.T) map[string]map[string]bool {
	t.Helper()
	packages, err := list()
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]map[string]bool{}
	for _, p := range packages {
		files, err := filepath.Glob(filepath.Join("..", "..", p.path, "*.go"))
		if err != nil || len(files) == 0 {
			t.Fatalf("no files of %s: %v", p.path, err)
		}
		for _, file := range files {
			f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
			if err != nil {
				t.Fatal(err)
			}
			name := f.Name.Name
			if out[name] == nil {
				out[name] = map[string]bool{}
			}
			for _, d := range f.Decls {
				declare(d, out[name])
			}
		}
	}
	return out
}

func declare(d ast.Decl, into map[string]bool) {
	switch d := d.(type) {
	case *ast.FuncDecl:
		if d.Recv == nil {
			into[d.Name.Name] = true
		} else {
			into[typeName(d.Recv.List[0].Type)+"."+d.Name.Name] = true
		}
	case *ast.GenDecl:
		for _, spec := range d.Specs {
			switch spec := spec.(type) {
			case *ast.ValueSpec:
				for _, n := range spec.Names {
					into[n.Name] = true
				}
			case *ast.TypeSpec:
				into[spec.Name.Name] = true
				for _, field := range fields(spec.Type) {
					into[spec.Name.Name+"."+field] = true
				}
			}
		}
	}
}

func typeName(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.StarExpr:
		return typeName(e.X)
	case *ast.IndexExpr:
		return typeName(e.X)
	case *ast.Ident:
		return e.Name
	}
	return fmt.Sprintf("%T", e)
}

// fields are the names in a struct or an interface.
func fields(e ast.Expr) []string {
	var list *ast.FieldList
	switch e := e.(type) {
	case *ast.StructType:
		list = e.Fields
	case *ast.InterfaceType:
		list = e.Methods
	default:
		return nil
	}
	var out []string
	for _, f := range list.List {
		for _, n := range f.Names {
			out = append(out, n.Name)
		}
	}
	return out
}

// textOf joins the files below a folder whose names end in a way.
func textOf(t *testing.T, root, folder, ending string) string {
	t.Helper()
	var b strings.Builder
	err := filepath.WalkDir(filepath.Join(root, folder), func(path string, e os.DirEntry, err error) error {
		if err != nil || e.IsDir() || !strings.HasSuffix(path, ending) {
			return err
		}
		text, err := os.ReadFile(path)
		b.Write(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}
