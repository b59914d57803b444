package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/mishap-robotics/mishap/engine"
	"github.com/mishap-robotics/mishap/ontology"
	"github.com/mishap-robotics/mishap/rules"
)

// OntologyCheck is what is wrong with an ontology.
type OntologyCheck struct {
	Errors, Warnings int // how many

	problems     []ontology.Problem
	terms, files int
}

// NewOntologyCheck is the report of the problems of an ontology that was read from so
// many files.
func NewOntologyCheck(o *ontology.Ontology, problems []ontology.Problem, files int) *OntologyCheck {
	out := &OntologyCheck{problems: problems, terms: len(o.Terms), files: files}
	for _, p := range problems {
		if p.Warning {
			out.Warnings++
		} else {
			out.Errors++
		}
	}
	return out
}

// Text writes each problem on a line, and counts them.
func (c *OntologyCheck) Text(w io.Writer) error {
	var b strings.Builder
	for _, p := range c.problems {
		kind := "error"
		if p.Warning {
			kind = "warning"
		}
		fmt.Fprintf(&b, "%s: %s: %s\n", p.Pos, kind, p.Msg)
	}
	fmt.Fprintf(&b, "%s in %s: %s\n", count(c.terms, "term"), count(c.files, "file"), tally(c.Errors, c.Warnings))
	_, err := io.WriteString(w, b.String())
	return err
}

// RulesCheck is what is wrong with rules, and how each clause is evaluated where that was
// asked for. Scripts rely on its field names.
type RulesCheck struct {
	Plans    []RulePlan    `json:"plans,omitzero"` // nil where they were not asked for
	Problems []RuleProblem `json:"problems"`
	Errors   int           `json:"-"` // how many
	Warnings int           `json:"-"`

	details        []string // of the problems
	clauses, files int
}

// RuleProblem is a mistake in a rule.
type RuleProblem struct {
	Check    string `json:"check"` // the id of the mistake
	Severity string `json:"severity"`
	File     string `json:"file"`
	Line     int    `json:"line"`
	Column   int    `json:"column"`
	Message  string `json:"message"`
}

// RulePlan is how a clause is evaluated.
type RulePlan struct {
	File     string   `json:"file"`
	Line     int      `json:"line"`
	Head     string   `json:"head"`
	Compiled bool     `json:"compiled"`
	Reason   string   `json:"reason,omitempty"` // why it is interpreted
	Plan     []string `json:"plan,omitempty"`
}

// NewRulesCheck is the report of the problems of rules that were read from so many files.
// Plans are those of the clauses, nil where they are not to be shown.
func NewRulesCheck(p *rules.Program, problems rules.Problems, plans []engine.ClausePlan, files int) *RulesCheck {
	out := &RulesCheck{Problems: []RuleProblem{}, clauses: len(p.Clauses), files: files}
	out.Errors = len(problems.Errors())
	out.Warnings = len(problems) - out.Errors
	for _, p := range problems {
		out.details = append(out.details, p.Detail())
		out.Problems = append(out.Problems, RuleProblem{p.Mistake.ID, p.Mistake.Severity.String(), p.Pos.File, p.Pos.Line, p.Pos.Col, p.Msg})
	}
	if plans != nil {
		out.Plans = []RulePlan{}
	}
	for _, p := range plans {
		out.Plans = append(out.Plans, RulePlan{p.Clause.Pos.File, p.Clause.Pos.Line, p.Head, p.Compiled, p.Reason, p.Lines})
	}
	return out
}

// Text writes each problem with the line it stands in, then the plans, and counts them.
func (c *RulesCheck) Text(w io.Writer) error {
	var b strings.Builder
	for _, d := range c.details {
		b.WriteString(d + "\n")
	}
	interpreted := 0
	for i := range c.Plans {
		p := &c.Plans[i]
		how := "compiled"
		if !p.Compiled {
			interpreted++
			how = "interpreted: " + p.Reason
		}
		fmt.Fprintf(&b, "%s:%d: %s: %s\n", p.File, p.Line, p.Head, how)
		for _, line := range p.Plan {
			b.WriteString("    " + line + "\n")
		}
	}
	if c.Plans != nil {
		fmt.Fprintf(&b, "%d compiled, %d interpreted\n", len(c.Plans)-interpreted, interpreted)
	}
	fmt.Fprintf(&b, "%s in %s: %s\n", count(c.clauses, "clause"), count(c.files, "file"), tally(c.Errors, c.Warnings))
	_, err := io.WriteString(w, b.String())
	return err
}

// Mistakes writes a list of the kinds of mistake that checking rules reports.
func Mistakes(w io.Writer) error {
	var b strings.Builder
	for _, m := range rules.Mistakes() {
		fmt.Fprintf(&b, "%-27s %-8s %s\n", m.ID, m.Severity, m.Title)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// Vocabulary writes a list of the predicates that rules are written in.
func Vocabulary(w io.Writer) error {
	var b strings.Builder
	b.WriteString(vocabularyHead)
	for _, p := range engine.Vocabulary() {
		var args []string
		for _, a := range p.Args {
			args = append(args, a.String())
		}
		fmt.Fprintf(&b, "  %-50s %s\n", p.Name+"("+strings.Join(args, ", ")+")", p.Doc)
	}
	var names []string
	for _, p := range rules.Builtins() {
		names = append(names, p.String())
	}
	fmt.Fprintf(&b, "\nBuilt in: %s\n", strings.Join(names, " "))
	_, err := io.WriteString(w, b.String())
	return err
}
