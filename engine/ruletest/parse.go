// Package ruletest runs tests of rules that authors write in plain text: an
// episode or a few facts, and the findings expected.
package ruletest

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/mishap-robotics/mishap/engine/internal/script"
	"github.com/mishap-robotics/mishap/engine/memory"
	"github.com/mishap-robotics/mishap/engine/record"
	"github.com/mishap-robotics/mishap/ontology"
	"github.com/mishap-robotics/mishap/ontology/document"
	"github.com/mishap-robotics/mishap/rules"
)

// Test is one test of rules.
type Test struct {
	Name    string
	File    string
	Line    int
	Script  string // of an episode; "" where facts are given
	first   int    // line of the script
	Facts   []*rules.Term
	Unknown bool          // names that the ontology does not know are meant
	Earlier []memory.Past // episodes that came before
	Expects []Expectation
}

// Expectation is what a test asks of the findings, or of the conclusions of
// rules before the findings are chosen among them.
type Expectation struct {
	Class       string // "" for nothing at all
	Not         bool
	Conclusions bool
	Step        int32 // -1 where any will do
	Cause       int32
	Objects     []string // nil where any will do
	Line        int
}

func (e *Expectation) String() string {
	if e.Class == "" {
		return "nothing"
	}
	s := e.Class
	if e.Step >= 0 {
		s += fmt.Sprintf(" at %d", e.Step)
	}
	if e.Cause >= 0 {
		s += fmt.Sprintf(" cause %d", e.Cause)
	}
	if len(e.Objects) > 0 {
		s += " " + strings.Join(e.Objects, " ")
	}
	return s
}

// Parse reads a file of tests; an error is a *script.Error. Each test begins
// with a line "test: NAME". Then come the lines of an episode as package script
// has them, or lines "facts: holds(1, 'Mug-1'), hand_empty(2)", and what is
// expected:
//
//	expect: DroppingObjFailure at 2 cause 2 Mug-1
//	expect: nothing
//	expect not: PerceptionFailure
//	concludes: DroppingObjFailure at 2
//	concludes not: PerceptionFailure at 2 Mug-1
//
// Lines "earlier: 3 days before, DroppingObjFailure at 2 Mug-1" are episodes that came
// before, and what was found in each, for rules that look back; "earlier: 3 days before" is
// one in which nothing was.
//
// "expect" speaks of findings, and lists all of them; "concludes" of what rules
// conclude, before the most specific conclusion is chosen and what follows from
// an earlier failure is set apart. Step, cause and objects may be left out.
func Parse(o *ontology.Ontology, d document.Document) ([]*Test, error) {
	p := &parser{onto: o, file: d.Name}
	for i, line := range strings.Split(string(d.Data), "\n") {
		p.number = i + 1
		if err := p.line(strings.TrimSpace(line)); err != nil {
			return nil, err
		}
	}
	if err := p.finish(); err != nil {
		return nil, err
	}
	return p.tests, nil
}

// ParseAll reads the tests of some files, one file after the other.
func ParseAll(o *ontology.Ontology, documents []document.Document) ([]*Test, error) {
	var out []*Test
	for _, d := range documents {
		tests, err := Parse(o, d)
		if err != nil {
			return nil, err
		}
		out = append(out, tests...)
	}
	return out, nil
}

type parser struct {
	onto   *ontology.Ontology
	file   string
	number int
	tests  []*Test
	now    *Test
	lines  []string // of the script, blank where the line is another's
}

func (p *parser) fail(format string, args ...any) error {
	return &script.Error{File: p.file, Line: p.number, Msg: fmt.Sprintf(format, args...)}
}

func (p *parser) line(line string) error {
	key, value, _ := strings.Cut(line, ":")
	value = strings.TrimSpace(value)
	if key == "test" {
		if err := p.finish(); err != nil {
			return err
		}
		if value == "" {
			return p.fail("found a test without a name; expected test: NAME")
		}
		if slices.ContainsFunc(p.tests, func(t *Test) bool { return t.Name == value }) {
			return p.fail("test %q is there already; choose another name", value)
		}
		p.now = &Test{Name: value, File: p.file, Line: p.number, first: p.number}
		p.lines = []string{""}
		return nil
	}
	if p.now == nil {
		if line != "" && line[0] != '#' {
			return p.fail("found %q before the first test; expected test: NAME", line)
		}
		return nil
	}
	own := ""
	switch key {
	case "expect", "expect not", "concludes", "concludes not":
		e, err := p.expectation(key, value)
		if err != nil {
			return err
		}
		p.now.Expects = append(p.now.Expects, e)
	case "earlier":
		e, err := p.earlier(value)
		if err != nil {
			return err
		}
		p.now.Earlier = append(p.now.Earlier, e)
	case "unknown":
		if value != "allowed" {
			return p.fail("found unknown: %s; expected unknown: allowed", value)
		}
		p.now.Unknown = true
	case "facts":
		goals, err := rules.ParseGoal(strings.TrimSuffix(value, "."))
		if err != nil {
			return p.fail("%v", err)
		}
		p.now.Facts = append(p.now.Facts, goals...)
	default:
		if !strings.HasPrefix(line, "#") {
			own = line
		}
	}
	p.lines = append(p.lines, own)
	return nil
}

// earlier reads an episode that came before.
func (p *parser) earlier(value string) (memory.Past, error) {
	days, found, _ := strings.Cut(value, ",")
	words := strings.Fields(days)
	n := -1
	if len(words) == 3 && (words[1] == "days" || words[1] == "day") && words[2] == "before" {
		n, _ = strconv.Atoi(words[0])
	}
	if n < 0 || n == 0 && words[0] != "0" {
		return memory.Past{}, p.fail("found earlier: %s; expected earlier: 3 days before, DroppingObjFailure at 2 Mug-1", value)
	}
	out := memory.Past{ID: fmt.Sprintf("earlier-%d", len(p.now.Earlier)+1), DaysBefore: n}
	if strings.TrimSpace(found) == "" {
		return out, nil
	}
	e, err := p.expectation("earlier", found)
	if err != nil {
		return out, err
	}
	out.Found = []record.Found{{Class: e.Class, Step: int(max(e.Step, 0)), Objects: e.Objects}}
	return out, nil
}

// finish ends the test that is being read.
func (p *parser) finish() error {
	t := p.now
	if t == nil {
		return nil
	}
	p.now = nil
	t.Script = strings.Join(p.lines, "\n")
	blank := strings.TrimSpace(t.Script) == ""
	fail := func(format string) error {
		return &script.Error{File: p.file, Line: t.Line, Msg: fmt.Sprintf(format, t.Name)}
	}
	switch {
	case len(t.Expects) == 0:
		return fail("test %q expects nothing in particular; write expect: nothing, or what it expects")
	case blank && len(t.Facts) == 0:
		return fail("test %q has neither an episode nor facts")
	case !blank && len(t.Facts) > 0:
		return fail("test %q has an episode and facts; expected one of them")
	case blank:
		t.Script = ""
	}
	p.tests = append(p.tests, t)
	return nil
}

func (p *parser) expectation(key, value string) (Expectation, error) {
	e := Expectation{Step: -1, Cause: -1, Line: p.number, Not: strings.HasSuffix(key, " not"), Conclusions: strings.HasPrefix(key, "concludes")}
	words := strings.Fields(value)
	if len(words) == 0 {
		return e, p.fail("found nothing after %q; expected a failure class, or nothing", key+":")
	}
	if words[0] == "nothing" && len(words) == 1 && !e.Not {
		return e, nil
	}
	e.Class = words[0]
	id, ok := p.onto.Lookup(e.Class)
	if !ok || !p.onto.IsA(id, p.onto.Core.Failure) {
		return e, p.fail("%s is no failure class of the ontology", e.Class)
	}
	words = words[1:]
	for len(words) > 0 && (words[0] == "at" || words[0] == "cause") {
		if len(words) < 2 {
			return e, p.fail("found %q at the end; expected a step after it", words[0])
		}
		n, err := strconv.Atoi(words[1])
		if err != nil {
			return e, p.fail("found %q; expected the number of a step", words[1])
		}
		if words[0] == "at" {
			e.Step = int32(n)
		} else {
			e.Cause = int32(n)
		}
		words = words[2:]
	}
	if len(words) > 0 {
		e.Objects = words
	}
	return e, nil
}
