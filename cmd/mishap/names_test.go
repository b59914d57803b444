package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/ontology"
	"github.com/mishap-robotics/mishap/ontology/kitchen"
)

// ownWords are names of terms that Go uses as words of its own, by file, with the reason.
var ownWords = map[string]struct{ words, why string }{
	"bridge/advice/baseline.go":          {"Action", "a part of a question to a model"},
	"bridge/advice/correct.go":           {"Task", "the heading of a question to a model"},
	"bridge/advice/extend.go":            {"Action", "a part of a question to a model"},
	"bridge/advice/extend_write.go":      {"on inside", "English prepositions"},
	"bridge/advice/progressive.go":       {"Action Task", "headings of a question to a model"},
	"bridge/advice/view.go":              {"Task empty", "a heading, and English for a list without items"},
	"bridge/bench/foresee_text.go":       {"Failure", "the head of a column"},
	"bridge/bench/imagined.go":           {"Task", "a line of a question to a model"},
	"bridge/bench/imitation.go":          {"Action", "a part of an answer of a model"},
	"bridge/bench/text.go":               {"clean", "the head of a column: episodes without a failure"},
	"bridge/web/benchmarks.go":           {"clean broken", "fields of results"},
	"bridge/report/stream_lock.go":       {"locked", "of a file that another process holds"},
	"bridge/llm/errors.go":               {"empty", "an answer without a word"},
	"bridge/logs/reflectlog/write.go":    {"Observe", "what REFLECT writes for a frame without an action"},
	"bridge/bench/labelled/truth.go":     {"clean", "the kind of a label: nothing goes wrong"},
	"bridge/prolog/restrict.go":          {"open ground", "predicates of ISO Prolog, and what a file operation is called"},
	"engine/replan/query.go":             {"on inside near above below", "English prepositions"},
	"engine/internal/fact/vocabulary.go": {"within filled", "predicates of the rule language"},
	"rules/vocabulary.go":                {"State Relation Action Condition Sound Quantity Event", "kinds of arguments of the rule language"},
}

// drawn are files that make up episodes for a benchmark: what they name is test data.
var drawn = []string{"bridge/bench/replan.go", "bridge/bench/rulebench/kitchen.go"}

// namesFree are the packages in which names may stand: the ontology itself, and the
// readers of scenarios, whose format has some.
var namesFree = []string{"ontology", "bridge/scenario"}

// Nothing but the package ontology knows a term of the shipped ontology by name: what
// the reasoner must know of one it asks of roles and flags.
func TestNoTermIsKnownByName(t *testing.T) {
	o := ontology.Default()
	known := map[string]bool{}
	for i := range o.Terms {
		id := ontology.TermID(i)
		// Properties are the language of the vocabulary: their names are in use for much
		// else, and only the package ontology can ask for the values of one.
		if o.Terms[i].IsClass || len(o.Terms[i].Types) > 0 || o.HasType(id, o.Core.Relation) {
			known[o.Terms[i].Name] = true
		}
	}
	for _, a := range o.Actions {
		known[a.Name] = true
	}
	root := filepath.Join("..", "..")
	used := map[string]bool{}
	files := token.NewFileSet()
	err := filepath.WalkDir(root, func(file string, d fs.DirEntry, err error) error {
		rel, _ := filepath.Rel(root, file)
		rel = filepath.ToSlash(rel)
		switch {
		case err != nil:
			return err
		case d.IsDir() && (slices.Contains(namesFree, rel) || d.Name() == "testdata" || strings.HasPrefix(d.Name(), ".") && rel != "."):
			return fs.SkipDir
		case d.IsDir() || !strings.HasSuffix(rel, ".go") || strings.HasSuffix(rel, "_test.go") || slices.Contains(drawn, rel):
			return nil
		}
		source, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		f, err := parser.ParseFile(files, rel, source, 0)
		if err != nil {
			return err
		}
		ast.Inspect(f, func(n ast.Node) bool {
			if _, imports := n.(*ast.ImportSpec); imports {
				return false
			}
			lit, ok := n.(*ast.BasicLit)
			if !ok || lit.Kind != token.STRING {
				return true
			}
			text, err := strconv.Unquote(lit.Value)
			class, _ := episode.SplitName(text) // of an instance, such as Mug-1
			switch {
			case err != nil || !known[text] && !known[class]:
			case slices.Contains(strings.Fields(ownWords[rel].words), text):
				used[rel+" "+text] = true
			default:
				t.Errorf("%s: %q is the name of a term; ask for its role, a flag or its labels instead", files.Position(lit.Pos()), text)
			}
			return true
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for file, own := range ownWords {
		for _, word := range strings.Fields(own.words) {
			if !used[file+" "+word] {
				t.Errorf("%s no longer has the word %q; take it off the list", file, word)
			}
		}
	}
}

// The pack that goes through every command without a built-in name has none indeed.
func TestPackSharesNoNames(t *testing.T) {
	folder := filepath.Join("..", "..", "testdata", "packs", "greenhouse")
	k := &knowledge{ontologies: []string{folder}, simulations: []string{filepath.Join(folder, "simulation")}, onlyOntology: true}
	pack, err := k.loadSimulation()
	if err != nil {
		t.Fatal(err)
	}
	language, _, _ := ontology.Parse(append(ontology.Language(), kitchen.Language()...)) // nothing plays its roles
	built := kitchen.Default()
	own := 0
	for i := range pack.Terms {
		name := pack.Terms[i].Name
		if language.Term(name) != ontology.None {
			continue
		}
		own++
		if built.Term(name) != ontology.None {
			t.Errorf("%s is a term of the built-in ontology too", name)
		}
	}
	for _, a := range pack.Actions {
		if other, ok := built.Action(a.Name); ok && !slices.Contains(other.Synonyms, strings.ReplaceAll(a.Name, "_", " ")) { // those give way
			t.Errorf("%s is an action of the built-in ontology too", a.Name)
		}
	}
	if own < 40 || len(pack.Actions) != 5 {
		t.Errorf("the pack has %d terms and %d actions of its own", own, len(pack.Actions))
	}
}
