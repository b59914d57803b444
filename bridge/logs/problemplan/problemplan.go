// Package problemplan reads plans for problems of planning domains, as PlanBench has them:
// JSON Lines, each a problem in PDDL's terms and a plan for it. What a domain is about is in
// the ontology alone.
package problemplan

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strconv"
	"strings"

	"github.com/mishap-robotics/mishap/bridge/internal/input"
	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/ontology"
)

// File is the base name of the files that it reads.
const File = "plans.jsonl"

// row is a line: a problem and a plan for it. What is said of how the plan fares is not read.
type row struct {
	Domain   *string            `json:"domain"`
	Instance *json.RawMessage   `json:"instance"`
	Init     *[][]string        `json:"init"`
	Goal     *[][]string        `json:"goal"`
	Objects  *map[string]string `json:"objects"`
	Actions  *[]string          `json:"actions"`
}

// IsFile reports whether the first line of a file is a plan for a problem.
func IsFile(fsys fs.FS, name string) bool {
	f, err := input.Open(fsys, name)
	if err != nil {
		return false
	}
	defer f.Close()
	var first map[string]json.RawMessage
	if json.NewDecoder(io.LimitReader(f, input.MaxLine)).Decode(&first) != nil {
		return false
	}
	return first["domain"] != nil && first["init"] != nil
}

// ReadFile reads the plans of a file for problems of the domains that the ontology judges, as
// episodes without steps; those of other domains are passed over.
func ReadFile(o *ontology.Ontology, fsys fs.FS, name string) ([]*episode.Episode, error) {
	f, err := input.Open(fsys, name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return Read(o, name, f)
}

// Read reads plans; file is the name that messages show. A line that is wrong gives a
// *logs.Error, joined with those of other lines; the plans of the rest are returned with it.
func Read(o *ontology.Ontology, file string, r io.Reader) ([]*episode.Episode, error) {
	var others []string
	ids := map[string]bool{}
	out, err := input.ReadRecords(file, r, func(n int, text []byte) (*episode.Episode, error) {
		l := line{onto: o, file: file, n: n}
		ep, domain, err := l.read(text)
		switch {
		case err != nil:
			return nil, err
		case ep == nil:
			if !slices.Contains(others, domain) {
				others = append(others, domain)
			}
		case ids[ep.ID]:
			return nil, l.fail(fmt.Sprintf("a second plan %q", input.Clip(ep.ID)), "each instance of a domain once")
		default:
			ids[ep.ID] = true
		}
		return ep, nil
	})
	out = slices.DeleteFunc(out, func(ep *episode.Episode) bool { return ep == nil })
	if len(out) == 0 && err == nil {
		return nil, &input.Error{File: file, Found: "only plans for the domains " + strings.Join(others, ", "), Expected: expectedDomain(o)}
	}
	return out, err
}

func expectedDomain(o *ontology.Ontology) string {
	if d := o.Domains(); len(d) > 0 {
		return "plans for " + strings.Join(d, " or ") + ", which the pack judges"
	}
	return "a pack that judges them, given with --pack"
}

// line is a line that is being read.
type line struct {
	onto *ontology.Ontology
	file string
	n    int
	// tuples are those that things were made of, parts what is in each.
	tuples map[string]bool
	parts  []episode.Fact
}

func (l *line) fail(found, expected string) error {
	return &input.Error{File: l.file, Line: l.n, Found: found, Expected: expected}
}

// read reads a line; of another domain there is no episode.
func (l *line) read(text []byte) (*episode.Episode, string, error) {
	var r row
	if err := json.NewDecoder(bytes.NewReader(text)).Decode(&r); err != nil {
		var wrong *json.UnmarshalTypeError
		if errors.As(err, &wrong) && wrong.Field != "" {
			return nil, "", l.fail(fmt.Sprintf("%q as %s", wrong.Field, wrong.Value), `lists of words for "init" and "goal", an object of names and types for "objects", a list of texts for "actions"`)
		}
		return nil, "", l.fail("text that is no such object ("+err.Error()+")", `one JSON object with "domain", "instance", "init", "goal", "objects" and "actions"`)
	}
	for name, missing := range map[string]bool{"domain": r.Domain == nil, "instance": r.Instance == nil, "init": r.Init == nil, "objects": r.Objects == nil, "actions": r.Actions == nil} {
		if missing {
			return nil, "", l.fail("a plan without "+strconv.Quote(name), `"domain", "instance", "init", "objects" and "actions"`)
		}
	}
	if !slices.Contains(l.onto.Domains(), *r.Domain) {
		return nil, *r.Domain, nil
	}
	ep := &episode.Episode{ID: *r.Domain + "/" + strings.Trim(string(*r.Instance), `"`), Source: l.file, Task: *r.Domain}
	ep.Things, l.tuples = things(*r.Objects, l.n), map[string]bool{}
	facts, err := l.facts(*r.Init, ep)
	if err != nil {
		return nil, *r.Domain, err
	}
	if r.Goal != nil {
		if ep.GoalFacts, err = l.facts(*r.Goal, ep); err != nil {
			return nil, *r.Domain, err
		}
	}
	for i, text := range *r.Actions {
		words := strings.Fields(strings.Trim(strings.TrimSpace(text), "()"))
		a, err := episode.ParseAction(l.onto, "("+strings.Join(words, ", ")+")")
		if err != nil {
			return nil, *r.Domain, &input.Error{File: l.file, Line: l.n, Found: fmt.Sprintf("in action %d: %v", i+1, err), Err: err}
		}
		ep.Plan = append(ep.Plan, a)
		l.madeBy(a, ep)
	}
	ep.Scene = append(facts, l.parts...)
	return ep, *r.Domain, nil
}

// things are the objects of a problem, in order of name.
func things(objects map[string]string, line int) []episode.Thing {
	var out []episode.Thing
	for name, class := range objects {
		out = append(out, episode.Thing{Name: name, Classes: []string{class}, Line: line})
	}
	slices.SortFunc(out, func(a, b episode.Thing) int { return strings.Compare(a.Name, b.Name) })
	return out
}

// facts reads facts of the initial state or the goal: one word is a state of the agent, two
// are a state, a property or a class and what has it, three a relation and what it is between;
// more a relation of the first object to a tuple of the others.
func (l *line) facts(list [][]string, ep *episode.Episode) ([]episode.Fact, error) {
	var out []episode.Fact
	core := &l.onto.Core
	for _, words := range list {
		f := episode.Fact{Line: l.n}
		if most := 2 + len(core.TupleParts); len(words) == 0 || len(words) > most {
			return nil, l.fail(fmt.Sprintf("a fact of %d words %q", len(words), words), fmt.Sprintf("one to %d: a predicate and up to %d objects", most, most-1))
		}
		known := func(kind ontology.TermID) bool { return len(l.onto.ByLabel(words[0], kind)) > 0 }
		for _, name := range words[1:] {
			if !slices.ContainsFunc(ep.Things, func(t episode.Thing) bool { return t.Name == name }) {
				return nil, l.fail(fmt.Sprintf("%q in the fact %q", name, words), "one of the objects")
			}
		}
		switch {
		case len(words) == 3 && known(core.Relation):
			f.Subject, f.Relation, f.Object = words[1], words[0], words[2]
		case len(words) > 3 && known(core.Relation):
			f.Subject, f.Relation, f.Object = words[1], words[0], l.tuple(ep, words[2:])
		case len(words) < 3 && known(core.StateClass):
			f.Subject, f.Relation = l.onto.Instance(core.Robot, 1), words[0]
			if len(words) == 2 {
				f.Subject = words[1]
			}
		case len(words) == 2 && (known(core.PhysicalObject) || known(core.PhysicalProperty)):
			l.classify(ep, words[1], words[0], known(core.PhysicalObject))
			continue
		default:
			return nil, l.fail(fmt.Sprintf("the predicate %q with %d objects", words[0], len(words)-1), "a state, property, class or relation of the pack"+ontology.Hint(words[0], l.names(len(words))))
		}
		out = append(out, f)
	}
	return out, nil
}

// classify notes a class or property of a thing.
func (l *line) classify(ep *episode.Episode, name, term string, class bool) {
	for i := range ep.Things {
		if t := &ep.Things[i]; t.Name == name && class && !slices.Contains(t.Classes, term) {
			t.Classes = append(t.Classes, term)
		} else if t.Name == name && !class {
			t.Properties = append(t.Properties, term)
		}
	}
}

// names lists the predicates of so many words, for a hint.
func (l *line) names(words int) []string {
	if words >= 3 {
		return l.onto.Labels(l.onto.Core.Relation)
	}
	return l.onto.Labels(l.onto.Core.StateClass)
}

// tuple is the thing that stands for several in order, by its name.
func (l *line) tuple(ep *episode.Episode, objects []string) string {
	name := "(" + strings.Join(objects, " ") + ")"
	if l.tuples[name] {
		return name
	}
	l.tuples[name] = true
	core := &l.onto.Core
	ep.Things = append(ep.Things, episode.Thing{Name: name, Classes: []string{l.onto.Name(core.Tuple)}, Line: l.n})
	for i, object := range objects {
		l.parts = append(l.parts, episode.Fact{Subject: name, Relation: l.onto.Name(core.TupleParts[i]), Object: object, Line: l.n})
	}
	return name
}

// madeBy makes the tuples that the effects of an action of the plan are about.
func (l *line) madeBy(a episode.Action, ep *episode.Episode) {
	schema, ok := l.onto.Action(a.Name)
	if !ok {
		return
	}
	arguments := a.Arguments()
	for _, e := range schema.Effects {
		var objects []string
		for i, p := range e.When {
			at := p.Object.Var - ontology.VarTarget
			if !p.Part || at < 0 || at >= len(arguments) {
				continue
			}
			objects = append(objects, arguments[at])
			if i+1 == len(e.When) || e.When[i+1].Subject != p.Subject {
				l.tuple(ep, objects)
				objects = nil
			}
		}
	}
}
