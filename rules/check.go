package rules

import (
	"fmt"
	"slices"

	"github.com/mishap-robotics/mishap/ontology"
)

// Builtins are the predicates that rules and queries may call besides facts
// and predicates of their own. None reads files, opens streams or changes the
// program.
var Builtins = []Indicator{
	{"true", 0}, {"fail", 0}, {"!", 0}, {",", 2}, {";", 2}, {"->", 2}, {`\+`, 1},
	{"=", 2}, {`\=`, 2}, {"==", 2}, {`\==`, 2}, {"@<", 2}, {"@>", 2}, {"@=<", 2}, {"@>=", 2},
	{"<", 2}, {">", 2}, {"=<", 2}, {">=", 2}, {"=:=", 2}, {`=\=`, 2}, {"is", 2},
	{"var", 1}, {"nonvar", 1}, {"atom", 1}, {"integer", 1}, {"between", 3},
	{"findall", 3}, {"forall", 2}, {"once", 1}, {"member", 2}, {"append", 3}, {"length", 2}, {"sort", 2},
}

// Check reports what would keep a program from running: predicates that are
// neither facts, built in nor defined, and failure classes that the ontology
// does not know.
func (p *Program) Check(o *ontology.Ontology, facts []Indicator) error {
	c := &checker{program: p, onto: o, facts: facts}
	for _, cl := range p.Clauses {
		c.clause(cl)
	}
	if len(c.errs) == 0 {
		return nil
	}
	return joined(c.errs)
}

// CheckGoal reports undefined predicates of a query.
func (p *Program) CheckGoal(goals []*Term, facts []Indicator) error {
	c := &checker{program: p, facts: facts}
	for _, g := range goals {
		c.goal(g)
	}
	if len(c.errs) == 0 {
		return nil
	}
	return joined(c.errs)
}

type joined []error

func (j joined) Error() string {
	s := ""
	for i, e := range j {
		if i > 0 {
			s += "\n"
		}
		s += e.Error()
	}
	return s
}

func (j joined) Unwrap() []error { return j }

type checker struct {
	program *Program
	onto    *ontology.Ontology
	facts   []Indicator
	errs    []error
}

func (c *checker) report(pos Pos, format string, args ...any) {
	c.errs = append(c.errs, &SyntaxError{Pos: pos, Msg: fmt.Sprintf(format, args...)})
}

func (c *checker) clause(cl *Clause) {
	head := cl.Head.Indicator()
	if slices.Contains(c.facts, head) {
		c.report(cl.Head.Pos, "%s is a fact of the episode and cannot be defined by a rule", head)
	}
	if slices.Contains(Builtins, head) {
		c.report(cl.Head.Pos, "%s is built in and cannot be defined by a rule", head)
	}
	if head == Head {
		c.failure(cl.Head)
	} else if cl.Head.Name == Head.Name {
		c.report(cl.Head.Pos, "%s; expected failure(Class, Step, Cause, Objects)", head)
	}
	for _, g := range cl.Body {
		c.goal(g)
	}
}

func (c *checker) failure(head *Term) {
	class := head.Args[0]
	if class.Kind != Atom {
		return
	}
	id, ok := c.onto.Lookup(class.Name)
	if !ok || !c.onto.IsA(id, c.onto.Core.Failure) {
		c.report(class.Pos, "%s is no failure class of the ontology%s", class.Name, hint(class.Name, c.failureNames()))
	}
}

func (c *checker) failureNames() []string {
	var out []string
	for _, f := range c.onto.Subclasses(c.onto.Core.Failure) {
		out = append(out, c.onto.Name(f))
	}
	return out
}

func hint(name string, known []string) string {
	if near := ontology.Nearest(name, known); near != "" {
		return "; did you mean " + near + "?"
	}
	return ""
}

// goal checks a goal and the goals in it.
func (c *checker) goal(g *Term) {
	i := g.Indicator()
	if g.Kind == Variable || g.Kind == Integer {
		c.report(g.Pos, "%s is not a goal; expected a predicate", g)
		return
	}
	if slices.Contains(c.facts, i) || len(c.program.Defining(i)) > 0 {
		return
	}
	if !slices.Contains(Builtins, i) {
		c.report(g.Pos, "undefined predicate %s%s", i, c.predicateHint(i))
		return
	}
	switch i.Name {
	case ",", ";", "->", `\+`, "forall", "once":
		for _, a := range g.Args {
			c.goal(a)
		}
	case "findall":
		c.goal(g.Args[1])
	}
}

func (c *checker) predicateHint(i Indicator) string {
	var names []string
	for _, f := range append(slices.Clone(c.facts), Builtins...) {
		names = append(names, f.String())
	}
	for d := range c.program.byHead {
		names = append(names, d.String())
	}
	slices.Sort(names)
	return hint(i.String(), names)
}
