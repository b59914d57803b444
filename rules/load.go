package rules

import (
	"bytes"
	"embed"
	"io/fs"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/mishap-robotics/mishap/ontology"
	"github.com/mishap-robotics/mishap/ontology/document"
)

//go:embed *.pl
var shipped embed.FS

//go:embed *.test
var shippedTests embed.FS

// Program is a set of rules.
type Program struct {
	Clauses    []*Clause // in order of files, then of lines
	byHead     map[Indicator][]*Clause
	text       map[string]string // of each file
	builtIn    map[string]bool   // files that are as they are built into the binary
	checked    bool              // it is Default
	indexing   sync.Once
	byFirst    map[Indicator]map[firstArgument][]*Clause
	asking     sync.Once
	asked      map[Indicator]bool // by conditions, and within them
	reading    sync.Once
	components map[Indicator]int
	recurring  map[Indicator]bool // what leads to a component
}

// failureHead is the predicate that failure rules conclude:
// failure(Class, Step, Cause, Objects).
var failureHead = Indicator{ConclusionName, 4}

// ConclusionName is the name of the predicate that failure rules conclude.
const ConclusionName = "failure"

// ConcludesFailure reports whether a clause is a failure rule, whose head is
// failure(Class, Step, Cause, Objects).
func (c *Clause) ConcludesFailure() bool { return c.Head.Indicator() == failureHead }

// FailureRules lists the failure rules in order of the program.
func (p *Program) FailureRules() []*Clause { return p.Defining(failureHead) }

// Shipped lists the rule files built into the binary.
func Shipped() []document.Document { return document.Embedded(shipped, "rules") }

// ReadDir lists the .pl files of a folder, or the one file that path is.
func ReadDir(path string) ([]document.Document, error) { return ReadFS(document.Disk{}, path) }

// ReadFS is ReadDir in a file system, such as one that a program embeds.
func ReadFS(fsys fs.FS, path string) ([]document.Document, error) {
	return document.Read(fsys, "rules", path, ".pl")
}

// ShippedTests lists the files of rule tests built into the binary.
func ShippedTests() []document.Document { return document.Embedded(shippedTests, "rules") }

// ReadTests lists the .test files of a folder, none where there are none, or
// the one beside the rule file that path is.
func ReadTests(path string) ([]document.Document, error) {
	return ReadTestsFS(document.Disk{}, path)
}

// ReadTestsFS is ReadTests in a file system.
func ReadTestsFS(fsys fs.FS, place string) ([]document.Document, error) {
	if path.Ext(place) == ".pl" {
		if place = strings.TrimSuffix(place, ".pl") + ".test"; !exists(fsys, place) {
			return nil, nil
		}
	}
	matches, err := fs.Glob(fsys, path.Join(place, "*.test"))
	if exists(fsys, place) && err == nil && len(matches) == 0 && path.Ext(place) != ".test" {
		return nil, nil
	}
	return document.Read(fsys, "rule tests", place, ".test")
}

func exists(fsys fs.FS, name string) bool {
	_, err := fs.Stat(fsys, name)
	return err == nil
}

// Load reads rule files. The error holds what is no rule, as Problems.
func Load(sources []document.Document) (*Program, error) {
	p, problems := Read(sources)
	if len(problems) > 0 {
		return p, problems
	}
	return p, nil
}

// Read reads rule files with the mistakes in their syntax. A clause with a
// mistake is left out; one does not hide the others.
func Read(sources []document.Document) (*Program, Problems) {
	p := &Program{byHead: map[Indicator][]*Clause{}, text: map[string]string{}, builtIn: map[string]bool{}}
	var problems Problems
	for _, s := range sources {
		p.text[s.Name] = string(s.Data)
		as, err := shipped.ReadFile(path.Base(s.Name))
		p.builtIn[s.Name] = err == nil && bytes.Equal(as, s.Data)
		clauses, bad := parse(s.Name, string(s.Data))
		problems = append(problems, bad...)
		for _, c := range clauses {
			p.Clauses = append(p.Clauses, c)
			p.byHead[c.Head.Indicator()] = append(p.byHead[c.Head.Indicator()], c)
		}
	}
	return p, problems
}

// Defining lists the clauses of a predicate.
func (p *Program) Defining(i Indicator) []*Clause { return p.byHead[i] }

// Asks reports whether a condition of a clause is, or holds, a goal of a predicate.
func (p *Program) Asks(i Indicator) bool {
	p.asking.Do(func() {
		p.asked = map[Indicator]bool{}
		note := func(t *Term) {
			if t.Kind == Compound || t.Kind == Atom {
				p.asked[t.Indicator()] = true
			}
		}
		for _, c := range p.Clauses {
			for _, g := range c.Body {
				g.walk(note)
			}
		}
	})
	return p.asked[i]
}

// Checked reports whether a test has found no mistake in the program with an ontology, over
// the facts of episodes: both are as they are built in.
func (p *Program) Checked(o *ontology.Ontology) bool { return p.checked && o.BuiltIn() }

// BuiltIn reports whether a clause stands in a file that is as it is built into the binary,
// with all others of the file.
func (p *Program) BuiltIn(c *Clause) bool { return p.builtIn[c.Pos.File] }

// firstArgument is a name or a number that clauses have as their first argument.
type firstArgument struct {
	kind Kind
	name string
	n    int64
}

// fewClauses is how many clauses are tried one by one rather than looked up.
const fewClauses = 8

// DefiningFor lists of the clauses of a predicate those whose first argument may be a
// name or a number.
func (p *Program) DefiningFor(i Indicator, first *Term) []*Clause {
	all := p.byHead[i]
	if len(all) <= fewClauses || first == nil || first.Kind != Atom && first.Kind != Integer {
		return all
	}
	p.indexing.Do(p.index)
	if index, ok := p.byFirst[i]; ok {
		return index[firstArgument{first.Kind, first.Name, first.Int}]
	}
	return all
}

// index looks up the clauses of predicates that are defined one by one for names and
// numbers, as tables are.
func (p *Program) index() {
	p.byFirst = map[Indicator]map[firstArgument][]*Clause{}
predicates:
	for i, clauses := range p.byHead {
		if len(clauses) <= fewClauses || i.Arity == 0 {
			continue
		}
		index := map[firstArgument][]*Clause{}
		for _, c := range clauses {
			first := c.Head.Args[0]
			if first.Kind != Atom && first.Kind != Integer {
				continue predicates
			}
			k := firstArgument{first.Kind, first.Name, first.Int}
			index[k] = append(index[k], c)
		}
		p.byFirst[i] = index
	}
}

// Without is the program without the clauses that drop picks out.
func (p *Program) Without(drop func(*Clause) bool) *Program {
	out := &Program{byHead: map[Indicator][]*Clause{}, text: p.text}
	for _, c := range p.Clauses {
		if !drop(c) {
			out.Clauses = append(out.Clauses, c)
		}
	}
	for head, clauses := range p.byHead {
		out.byHead[head] = slices.DeleteFunc(slices.Clone(clauses), drop)
	}
	return out
}

// Default is the program built into the binary. It is loaded once.
func Default() *Program { return shippedProgram() }

var shippedProgram = sync.OnceValue(func() *Program {
	p, err := Load(Shipped())
	if err != nil {
		panic(err) // a test keeps the shipped rules free of errors
	}
	p.checked = true
	return p
})
