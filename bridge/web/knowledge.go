package web

import (
	"bytes"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/mishap-robotics/mishap/bridge/draw"
	"github.com/mishap-robotics/mishap/ontology"
	"github.com/mishap-robotics/mishap/rules"
)

// knowledgePage lists what mishap knows of.
type knowledgePage struct {
	Failures, Actions, Strategies, Objects, Sounds []knownTerm

	Tested bool
}

type knownTerm struct {
	Name, Label, Comment string
	Rules                int // that conclude it
	Tests                int // that expect it
	Covered, Conditions  int // of its rules, that tests saw both hold and fail
}

func (s *Server) knowledge(w http.ResponseWriter, r *http.Request) error {
	o := s.Library.Reasoner.Ontology
	concluded, tests := map[string]int{}, s.tested()
	for _, c := range s.Library.Reasoner.Rules().FailureRules() {
		concluded[classOf(c)]++
	}
	var p knowledgePage
	p.Failures = s.below(o.Core.Failure)
	for i := range p.Failures {
		f := &p.Failures[i]
		f.Rules = concluded[f.Name]
		if tests == nil {
			continue
		}
		f.Tests = len(tests.of(f.Name))
		for _, c := range s.Library.Reasoner.Rules().FailureRules() {
			if classOf(c) == f.Name {
				of := tests.clauses[c]
				f.Covered, f.Conditions = f.Covered+of.Covered, f.Conditions+of.Conditions
			}
		}
	}
	p.Tested = tests != nil
	for _, a := range o.Actions {
		p.Actions = append(p.Actions, s.known(a.Term))
	}
	for _, st := range o.Strategies {
		p.Strategies = append(p.Strategies, s.known(st.Term))
	}
	p.Objects, p.Sounds = s.below(o.Core.PhysicalObject), s.below(o.Core.Sound)
	return s.render(w, http.StatusOK, "knowledge.html", s.layout("/knowledge", word("page.knowledge"), p))
}

func (s *Server) known(id ontology.TermID) knownTerm {
	t := &s.Library.Reasoner.Ontology.Terms[id]
	return knownTerm{Name: t.Name, Label: t.Label(), Comment: t.Comment}
}

// below lists the classes below one, by name.
func (s *Server) below(class ontology.TermID) []knownTerm {
	var out []knownTerm
	for _, c := range s.Library.Reasoner.Ontology.Subclasses(class) {
		if c != class {
			out = append(out, s.known(c))
		}
	}
	slices.SortFunc(out, func(a, b knownTerm) int { return strings.Compare(a.Name, b.Name) })
	return out
}

// classOf is the class that a failure rule concludes, "" where it is a variable.
func classOf(c *rules.Clause) string {
	if len(c.Head.Args) == 0 {
		return ""
	}
	return strings.Trim(c.Head.Args[0].String(), "'")
}

// termPage is what is known of one thing.
type termPage struct {
	Term      knownTerm
	Described string
	Rules     []ruleText
	Tests     []testText
	Episodes  string // where those are listed in which it was found
}

type ruleText struct {
	File, Place, Text string
	covered
}

func (s *Server) term(w http.ResponseWriter, r *http.Request) error {
	o := s.Library.Reasoner.Ontology
	id, ok := o.Lookup(r.PathValue("name"))
	if !ok {
		return ErrGone
	}
	p := termPage{Term: s.known(id), Described: o.Describe(id)}
	for _, c := range s.Library.Reasoner.Rules().FailureRules() {
		if classOf(c) == p.Term.Name {
			one := ruleText{File: c.Pos.File, Place: fmt.Sprintf("%s:%d", c.Pos.File, c.Pos.Line), Text: c.String()}
			if t := s.tested(); t != nil {
				one.covered = t.clauses[c]
			}
			p.Rules = append(p.Rules, one)
		}
	}
	if t := s.tested(); t != nil {
		p.Tests = t.of(p.Term.Name)
	}
	if o.IsA(id, o.Core.Failure) {
		p.Episodes = "/episodes?" + Filter{Class: p.Term.Name}.query().Encode()
	}
	return s.render(w, http.StatusOK, "term.html", s.layout("/knowledge", p.Term.Name, p))
}

// actionGraph is the picture of what actions depend on.
func (s *Server) actionGraph(w http.ResponseWriter, _ *http.Request) error {
	var b bytes.Buffer
	if err := draw.DependenciesSVG(&b, draw.ActionDependencies(s.Library.Reasoner.Ontology, false)); err != nil {
		return err
	}
	w.Header().Set("Content-Type", "image/svg+xml")
	w.Header().Set("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'") // of the picture alone
	_, err := w.Write(b.Bytes())
	return err
}
