package rules

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/mishap-robotics/mishap/ontology"
)

// Builtins lists the predicates that rules and queries may call besides facts
// and predicates of their own. None reads files, opens streams or changes the
// program.
func Builtins() []Indicator { return slices.Clone(builtins) }

// IsBuiltin reports whether a predicate is one of Builtins.
func IsBuiltin(i Indicator) bool { return slices.Contains(builtins, i) }

var builtins = []Indicator{
	{"true", 0}, {"fail", 0}, {"!", 0}, {",", 2}, {";", 2}, {"->", 2}, {`\+`, 1},
	{"=", 2}, {`\=`, 2}, {"==", 2}, {`\==`, 2}, {"@<", 2}, {"@>", 2}, {"@=<", 2}, {"@>=", 2},
	{"<", 2}, {">", 2}, {"=<", 2}, {">=", 2}, {"=:=", 2}, {`=\=`, 2}, {"is", 2},
	{"var", 1}, {"nonvar", 1}, {"atom", 1}, {"integer", 1}, {"number", 1}, {"between", 3},
	{"findall", 3}, {"forall", 2}, {"once", 1}, {"member", 2}, {"append", 3}, {"length", 2}, {"sort", 2},
}

// Check finds the mistakes of a program that is to run with an ontology and
// over these facts, in order of place. Tested lists the failure classes that
// rule tests expect; with nil, whether classes have rules, strategies and tests
// is not asked.
func (p *Program) Check(o *ontology.Ontology, facts []Predicate, tested []string) Problems {
	c := newChecker(p, o, facts)
	c.heads()
	for _, cl := range p.Clauses {
		for _, g := range cl.Body {
			c.goal(g)
		}
		c.singletons(cl)
		c.contradictions(cl)
	}
	c.inferKinds()
	for _, cl := range p.Clauses {
		c.arguments(cl)
	}
	c.bindings()
	c.strata()
	if tested != nil {
		c.classes(tested)
	}
	c.problems.Sort()
	return c.problems
}

// CheckGoal finds undefined predicates of a query, and names in it that the
// ontology does not know.
func (p *Program) CheckGoal(o *ontology.Ontology, goals []*Term, facts []Predicate) error {
	c := newChecker(p, o, facts)
	for _, g := range goals {
		c.goal(g)
		eachCall(g, false, func(t *Term, _ bool) {
			sig := c.signature(t.Indicator())
			for i, a := range t.Args {
				if a.Kind == Atom && i < len(sig) {
					c.name(a, sig[i])
				}
			}
		})
	}
	if len(c.problems) == 0 {
		return nil
	}
	return c.problems
}

// CheckFact finds names of a fact that the ontology does not know.
func (p *Program) CheckFact(o *ontology.Ontology, fact *Term, facts []Predicate) error {
	c := newChecker(p, o, facts)
	f, ok := c.facts[fact.Indicator()]
	if !ok {
		return nil // what is no fact is another mistake
	}
	for i, a := range fact.Args {
		if a.Kind == Atom {
			c.name(a, f.Args[i])
		}
	}
	if len(c.problems) > 0 {
		return errors.New(c.problems[0].Msg)
	}
	return nil
}

type checker struct {
	program  *Program
	onto     *ontology.Ontology
	facts    map[Indicator]*Predicate
	problems Problems
	// kinds are those of the arguments of helper predicates, as inferred.
	kinds map[Indicator][]ArgKind
	names map[ArgKind][]string // that the ontology has of a kind
}

func newChecker(p *Program, o *ontology.Ontology, facts []Predicate) *checker {
	c := &checker{program: p, onto: o, facts: map[Indicator]*Predicate{}, kinds: map[Indicator][]ArgKind{}, names: map[ArgKind][]string{}}
	for i := range facts {
		c.facts[facts[i].Indicator()] = &facts[i]
	}
	return c
}

func (c *checker) report(m *Mistake, pos Pos, args ...any) {
	p := &Problem{Mistake: m, Pos: pos, Msg: fmt.Sprintf(m.message, args...), Source: lineOf(c.program.text[pos.File], pos.Line)}
	if !slices.ContainsFunc(c.problems, func(q *Problem) bool { return q.Mistake == m && q.Pos == pos && q.Msg == p.Msg }) {
		c.problems = append(c.problems, p)
	}
}

// heads checks what clauses define.
func (c *checker) heads() {
	first := map[Indicator]*Clause{}
	for _, cl := range c.program.Clauses {
		head := cl.Head.Indicator()
		given, known := c.facts[head]
		switch {
		case known && given.InGo:
			c.report(mistakeReserved, cl.Head.Pos, head, reservedInGo)
		case known:
			c.report(mistakeReserved, cl.Head.Pos, head, reservedFact)
		case IsBuiltin(head):
			c.report(mistakeReserved, cl.Head.Pos, head, reservedBuiltin)
		case head != failureHead && cl.Head.Name == failureHead.Name:
			c.report(mistakeWrongHead, cl.Head.Pos, head)
		case head == failureHead:
			c.failure(cl.Head)
		}
		if f, ok := first[head]; !ok {
			first[head] = cl
		} else if head != failureHead && f.Pos.File != cl.Pos.File {
			c.report(mistakeTwoFiles, cl.Head.Pos, head, fmt.Sprintf("%s:%d", f.Pos.File, f.Pos.Line))
		}
	}
}

func (c *checker) failure(head *Term) {
	class := head.Args[0]
	if class.Kind == Variable {
		return
	}
	id, ok := c.onto.Lookup(class.Name)
	if class.Kind != Atom || !ok || !c.onto.IsA(id, c.onto.Core.Failure) {
		c.report(mistakeUnknownName, class.Pos, class, "failure class", hint(class.Name, c.failureNames()))
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
		return fmt.Sprintf(didYouMean, near)
	}
	return ""
}

// goal checks that a goal and the goals in it can be called.
func (c *checker) goal(g *Term) {
	i := g.Indicator()
	if g.Kind == Variable || g.Kind == Integer || g.Kind == Decimal {
		c.report(mistakeSyntax, g.Pos, fmt.Sprintf(msgNoGoal, g))
		return
	}
	if _, fact := c.facts[i]; fact || len(c.program.Defining(i)) > 0 {
		return
	}
	if !IsBuiltin(i) {
		c.report(mistakeUndefined, g.Pos, i, c.predicateHint(i))
		return
	}
	if arithmetic[i.Name] {
		for _, a := range g.Args {
			a.walk(c.function)
		}
	}
	for _, inner := range innerGoals(g) {
		c.goal(inner)
	}
}

// function checks that arithmetic knows a function.
func (c *checker) function(t *Term) {
	known := t.Is("+", 2) || t.Is("-", 2) || t.Is("*", 2) || t.Is("/", 2) || t.Is("//", 2) || t.Is("mod", 2) || t.Is("-", 1)
	if t.Kind == Compound && !known {
		c.report(mistakeUndefined, t.Pos, t.Indicator(), unknownFunction)
	}
}

// innerGoals lists the goals among the arguments of a control predicate.
func innerGoals(g *Term) []*Term {
	switch {
	case g.Is(",", 2), g.Is(";", 2), g.Is("->", 2), g.Is(`\+`, 1), g.Is("forall", 2), g.Is("once", 1):
		return g.Args
	case g.Is("findall", 3):
		return g.Args[1:2]
	}
	return nil
}

// MapCalls is a goal with what call makes of each goal in it that is no control predicate, as
// \+, findall or a disjunction are. The goal itself stays as it is.
func (t *Term) MapCalls(call func(*Term) *Term) *Term {
	if innerGoals(t) == nil {
		return call(t)
	}
	out := *t
	out.Args = slices.Clone(t.Args)
	inner := innerGoals(&out)
	for i, g := range inner {
		inner[i] = g.MapCalls(call)
	}
	return &out
}

func (c *checker) predicateHint(i Indicator) string {
	var names []string
	for f := range c.facts {
		names = append(names, f.String())
	}
	for _, b := range builtins {
		names = append(names, b.String())
	}
	for d := range c.program.byHead {
		names = append(names, d.String())
	}
	slices.Sort(names)
	if id, ok := c.onto.Lookup(i.Name); ok && c.onto.HasType(id, c.onto.Core.Relation) {
		if of := c.factsOfRelations(); of != "" {
			return fmt.Sprintf(relationHint, i.Name, of)
		}
	}
	if near := hint(i.String(), names); near != "" {
		return near
	}
	return undefinedHint
}

// factsOfRelations names the facts that tell of any relation.
func (c *checker) factsOfRelations() string {
	var out []string
	for i, f := range c.facts {
		if slices.Equal(f.Args, []ArgKind{StepArg, ObjectArg, RelationArg, ObjectArg}) {
			out = append(out, i.String())
		}
	}
	slices.Sort(out)
	return strings.Join(out, ", ")
}

func anonymous(variable string) bool { return strings.HasPrefix(variable, "_") }

// singletons reports variables that stand once.
func (c *checker) singletons(cl *Clause) {
	count := map[string]int{}
	at := map[string]*Term{}
	cl.walk(func(t *Term) {
		if t.Kind == Variable && !anonymous(t.Name) {
			count[t.Name]++
			at[t.Name] = t
		}
	})
	for _, name := range cl.Variables() {
		if count[name] != 1 || cl.ConcludesFailure() && cl.Head.count(name) > 0 {
			continue // an unbound conclusion
		}
		meant := ""
		if id, ok := c.onto.Lookup(name); ok && c.onto.Terms[id].IsClass {
			meant = fmt.Sprintf(quoteTheClass, name)
		}
		c.report(mistakeSingleton, at[name].Pos, name, meant)
	}
}

// strata reports predicates that depend on their own negation.
func (c *checker) strata() {
	calls := map[Indicator][]Indicator{}
	for _, cl := range c.program.Clauses {
		from := cl.Head.Indicator()
		for _, g := range cl.Body {
			eachCall(g, false, func(t *Term, _ bool) { calls[from] = append(calls[from], t.Indicator()) })
		}
	}
	reach := func(from, to Indicator) bool {
		seen, queue := map[Indicator]bool{from: true}, []Indicator{from}
		for len(queue) > 0 {
			i := queue[0]
			queue = queue[1:]
			if i == to {
				return true
			}
			for _, next := range calls[i] {
				if !seen[next] {
					seen[next] = true
					queue = append(queue, next)
				}
			}
		}
		return false
	}
	for _, cl := range c.program.Clauses {
		head := cl.Head.Indicator()
		for _, g := range cl.Body {
			eachCall(g, false, func(t *Term, negated bool) {
				if i := t.Indicator(); negated && len(c.program.Defining(i)) > 0 && reach(i, head) {
					c.report(mistakeNegativeRecursion, t.Pos, head, i)
				}
			})
		}
	}
}

// eachCall visits the goals that are no control predicates, and tells whether
// they are negated.
func eachCall(g *Term, negated bool, visit func(t *Term, negated bool)) {
	inner := innerGoals(g)
	if inner == nil {
		visit(g, negated)
		return
	}
	if g.Is(`\+`, 1) || g.Is("forall", 2) || g.Is("findall", 3) {
		negated = true
	}
	for _, t := range inner {
		eachCall(t, negated, visit)
	}
}

// classes reports failure classes without rule, strategy or test, at their
// place in the ontology.
func (c *checker) classes(tested []string) {
	concluded := map[string]bool{}
	open := false
	for _, cl := range c.program.FailureRules() {
		concluded[cl.Head.Args[0].Name] = true
		open = open || cl.Head.Args[0].Kind == Variable
	}
	for _, id := range c.onto.Subclasses(c.onto.Core.Failure) {
		if len(c.onto.Subclasses(id)) > 0 && !concluded[c.onto.Name(id)] {
			continue
		}
		at := c.onto.Terms[id].Pos
		pos := Pos{File: at.File, Line: at.Line, Col: 1}
		name := c.onto.Name(id)
		if !concluded[name] && !open {
			c.report(mistakeNoRule, pos, name)
		}
		if len(c.onto.StrategiesFor(id)) == 0 {
			c.report(mistakeNoStrategy, pos, name)
		}
		if !slices.Contains(tested, name) {
			c.report(mistakeNoTest, pos, name)
		}
	}
}
